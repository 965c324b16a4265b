"""Combine two packs in both orders, as two games.

All other packs keep their places as far as possible: the two are adjacent, so that no other order changes. If the
packs meet at several places, changes at the other places are removed, so that a difference is due to this place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from attrs import evolve, frozen

from rulewright.ruleset.common.diagnostic import Diagnostic, Span
from rulewright.ruleset.findings.causes import is_error
from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.packs.resolve import Order, resolve
from rulewright.ruleset.pipeline import load_files
from rulewright.ruleset.program.nodes import Program
from rulewright.ruleset.source.pack_files import PackFiles
from rulewright.tools.packs.pack_set import PackSet, head_in

_BEGINS = re.compile(r"---(?:\s|\Z)")
_PACK = re.compile(r"(?m)^pack\s*:")


@frozen
class Orders:
    """The programs of both orders: in the first, the pack `first` comes first; in the second, `second` does."""

    first: str
    second: str
    programs: tuple[Program, Program]


@frozen
class OnlyOne:
    """The packs combine in at most one order. `why` is an error of the order in which `earlier` comes first."""

    earlier: str
    why: str


def strangers(together: PackSet, one: str, two: str) -> tuple[Order, Order] | None:
    """Return the two orders of all packs that differ in these two; None if one of them knows the other."""
    heads = [head for files in together.files if (head := head_in(files)) is not None]
    resolved = resolve(heads, lambda name: None)
    after = resolved.comes_after
    if any(map(is_error, resolved.findings)) or not {one, two} <= set(after):
        return None
    if one in after[two] or two in after[one]:
        return None
    names = [head.pack for head in resolved.order]
    later = [name for name in names if after[name] & {one, two}]
    sooner = [name for name in names if name not in later and name not in (one, two)]
    return _pairs((*sooner, one, two, *later)), _pairs((*sooner, two, one, *later))


def _pairs(names: Sequence[str]) -> Order:
    """Order each pack before all later ones, so that nothing depends on names."""
    return [(earlier, later) for place, later in enumerate(names) for earlier in names[:place]]


def both_ways(
    together: PackSet, finding: Diagnostic, others: Iterable[Diagnostic], one: str, two: str
) -> Orders | OnlyOne | None:
    """Return the two games of a finding about two packs; `others` are the other findings about orders."""
    orders = strangers(together, one, two)
    if orders is None:
        return None
    reduced = _without(together, _spans(finding), [span for other in others for span in _spans(other)])
    for packs in (together,) if reduced is None else (reduced, together):
        loaded = [in_order(packs, order) for order in orders]
        programs = [each.program for each in loaded]
        if programs[0] is not None and programs[1] is not None:
            return Orders(one, two, (programs[0], programs[1]))
    for earlier, each in zip((one, two), loaded, strict=True):
        wrong = next((item.message for item in each.findings if is_error(item)), None)
        if wrong is not None:
            return OnlyOne(earlier, wrong)
    return None


def in_order(packs: PackSet, order: Order, playable: bool = False) -> Loaded:
    """Load the packs in this order; unless `playable`, without scenarios and the like."""
    asked = packs.asked if playable else tuple(map(_rules, packs.asked))
    return load_files(asked[0], False, playable, asked[1:], packs.needed.get, order=order)


def _rules(files: PackFiles) -> PackFiles:
    return evolve(files, files=tuple(one for one in files.files if "/scenarios/" not in f"/{one[0]}"))


def _spans(finding: Diagnostic) -> list[Span]:
    return [finding.span, *(label.span for label in finding.labels)]


def _without(together: PackSet, kept: Sequence[Span], left_out: Sequence[Span]) -> PackSet | None:
    """Remove the documents at `left_out`, except those at `kept`; None if there are none to remove."""
    blank = {
        (files.root, name): lines
        for files in together.files
        for name, data in files.files
        if (lines := _lines(name, data, kept, left_out))
    }
    if not blank:
        return None

    def cut(files: PackFiles) -> PackFiles:
        parts = tuple((name, _blank(data, blank.get((files.root, name), ()))) for name, data in files.files)
        return evolve(files, files=parts)

    return PackSet(tuple(map(cut, together.asked)), {name: cut(one) for name, one in together.needed.items()})


def _lines(name: str, data: bytes, kept: Sequence[Span], left_out: Sequence[Span]) -> list[int]:
    """Return the lines, from 0, of the documents in a file that are removed."""
    if not any(span.path == name for span in left_out):
        return []
    lines = data.decode("utf-8-sig", "replace").split("\n")
    starts = [0, *(number + 1 for number, line in enumerate(lines) if _BEGINS.match(line))]
    found: list[int] = []
    for start, end in zip(starts, [*(start - 1 for start in starts[1:]), len(lines)], strict=True):
        inside = {span for span in left_out if span.path == name and start < span.line <= end}
        holds = any(span.path == name and start < span.line <= end for span in kept)
        if inside and not holds and not _PACK.search("\n".join(lines[start:end])):
            found += range(start, end)
    return found


def _blank(data: bytes, numbers: Sequence[int]) -> bytes:
    if not numbers:
        return data
    lines = data.decode("utf-8-sig", "replace").split("\n")
    gone = set(numbers)
    return "\n".join("" if number in gone else line for number, line in enumerate(lines)).encode()
