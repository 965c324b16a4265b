"""A suspended game as bytes, and its canonical hash.

The header contains the semantics version and the program's hash, so that a state is never read under another
program. Its numbers, and all cells, are little-endian int32 on every machine.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Sequence
from hashlib import blake2b

from rulewright.interpreter.views.knowledge import Knowledge, decode
from rulewright.ruleset.table.canonical import program_hash
from rulewright.ruleset.table.nodes import TableProgram

MAGIC = b"RWST"
FORMAT = 1
HASH_BYTES = 16
_HEAD = struct.Struct(f"<4sii{HASH_BYTES}sii")
"""Magic, format, semantics version, program hash, number of cells, number of knowledge cells (-1: none)."""


class EncodingError(Exception):
    """Bytes that are not a state of this program; the message is the reason."""


def encode(program: TableProgram, state: Sequence[int], knowledge: Knowledge | None = None) -> bytes:
    """Encode a state, with its knowledge if given, as bytes."""
    extra = () if knowledge is None else knowledge.encode()
    size = -1 if knowledge is None else len(extra)
    name = bytes.fromhex(program_hash(program))
    return _HEAD.pack(MAGIC, FORMAT, program.semantics, name, len(state), size) + _cells((*state, *extra))


def decode_state(program: TableProgram, data: bytes) -> tuple[array[int], Knowledge | None]:
    """Decode the result of `encode`. Raises EncodingError if the bytes are not a state of this program."""
    if len(data) < _HEAD.size:
        raise EncodingError(f"{len(data)} bytes are too few for a state")
    magic, form, semantics, name, cells, extra = _HEAD.unpack_from(data)
    if magic != MAGIC or form != FORMAT:
        raise EncodingError("these bytes are not a state, or one of another format")
    if semantics != program.semantics:
        raise EncodingError(f"the state has semantics version {semantics}, the program {program.semantics}")
    if name.hex() != program_hash(program):
        raise EncodingError(f"the state belongs to program {name.hex()}, not to this one")
    if cells != program.layout.cells or len(data) != _HEAD.size + 4 * (cells + max(extra, 0)):
        raise EncodingError("the state has the wrong length")
    numbers = struct.unpack_from(f"<{cells + max(extra, 0)}i", data, _HEAD.size)
    if extra < 0:
        return array("i", numbers), None
    try:
        return array("i", numbers[:cells]), decode(numbers[cells:], len(program.cards))
    except ValueError as error:
        raise EncodingError(str(error)) from error


def state_hash(state: Sequence[int]) -> str:
    """Return the canonical hash of all cells: equal games have equal hashes. It must not be shown to players."""
    return blake2b(_cells(state), digest_size=16).hexdigest()


def _cells(numbers: Sequence[int]) -> bytes:
    return struct.pack(f"<{len(numbers)}i", *numbers)
