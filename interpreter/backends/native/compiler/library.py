"""From C text to a library that is loaded: built once, and found again in the cache.

Without a cache, or where its folder cannot be used, a library is built in a folder that is gone as soon as it is
loaded. A build that is not over when its process ends is ended, and leaves nothing.
"""

from __future__ import annotations

import ctypes
import os
import time
from contextlib import suppress
from hashlib import blake2b
from multiprocessing.util import Finalize
from threading import Lock

from rulewright.interpreter.backends.native.compiler.compiler_process import CompilerError, run
from rulewright.interpreter.backends.native.compiler.toolchain import EXPORT, Compiler
from rulewright.interpreter.cache import library_store
from rulewright.interpreter.cache.bound import tidy

BUILD_SECONDS = 300.0
"""A compiler that takes longer is ended."""


class BuildError(Exception):
    """There is no library for this text; the message says why."""


def load(text: str, compiler: Compiler, seconds: float = BUILD_SECONDS) -> ctypes.CDLL:
    """The library of C text (ASCII, no includes), from the cache or built. Raises BuildError.

    Within a process there is one for each text. If a thread already makes it, others wait for it.
    """
    key = key_of(text, compiler)
    with _LOOKING.setdefault(key, Lock()):
        return loaded(key) or _LOADED.setdefault(key, _built(text, key, compiler, seconds))


def _built(text: str, key: str, compiler: Compiler, seconds: float) -> ctypes.CDLL:
    """Builds a library in a folder of its own, keeps it if there is a cache, and loads it. Raises BuildError."""
    try:
        kept_in, place = library_store.bench(f"{library_store.MAKING}{key}-")
    except OSError as error:
        raise BuildError(f"there is no folder to build in: {error}") from None
    clear = Finalize(None, library_store.discard, (place,), exitpriority=0)
    path = os.path.join(place, library_store.BUILT)
    try:
        with open(os.path.join(place, "table.c"), "w", encoding="ascii") as file:
            file.write(f'{text}\n{EXPORT}const char {library_store.STAMP}[] = "{key}";\n')
        run((*compiler.command, *compiler.flags, "-o", library_store.BUILT, "table.c"), place, seconds)
        if not os.path.isfile(path):
            raise FileNotFoundError("it ended well, but made no file")
        if kept_in is not None:
            with suppress(OSError):
                path = library_store.keep(path, key, kept_in)
            tidy(os.path.dirname(kept_in), time.time(), path)
        return library_store.opened(path, key)
    except (CompilerError, OSError) as error:
        raise BuildError(f"{compiler.name} at {compiler.command[0]} cannot build this: {error}") from None
    finally:
        clear()


def loaded(key: str) -> ctypes.CDLL | None:
    """The library of a key, as `key_of` gives it, if it was built before: no text and no compiler is needed."""
    library = _LOADED.get(key) or library_store.fetch(key)
    return None if library is None else _LOADED.setdefault(key, library)


def key_of(text: str, compiler: Compiler) -> str:
    """What a library depends on: its text, the compiler with its flags, the kind of machine."""
    parts = (compiler.command, compiler.version, compiler.flags, library_store.machine())
    digest = blake2b(repr(parts).encode("utf-8", "surrogateescape"), digest_size=16)
    digest.update(text.encode("ascii"))
    return digest.hexdigest()


_LOADED: dict[str, ctypes.CDLL] = {}
_LOOKING: dict[str, Lock] = {}
"""Of each key, what the thread holds that looks for its library or makes it."""
