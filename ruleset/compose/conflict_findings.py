"""Report conflicts between packs: what each does at a place, and which `after` settles it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from attrs import frozen

from rulewright.ruleset.common.diagnostic import Diagnostic, Label
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.compose.conflicts import Deed, Pair
from rulewright.ruleset.compose.workspace import shown
from rulewright.ruleset.packs.resolve import Resolved, unfit
from rulewright.ruleset.source.node_edit import named

WIDEST = 40
"""Limit of characters of a value that are shown."""
MOST_NAMED = 6
"""Limit of packs that one message names, and of places that it shows."""
MOST_TRIED = 24
"""Limit of pack orders that are tried in one run; untried orders are not proposed."""


@frozen(repr=False)
class Clash(Record):
    """All conflicts at one place: deeds of two or more packs, in the order of the packs."""

    pairs: tuple[Pair, ...]
    deeds: tuple[Deed, ...]

    @property
    def packs(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(deed.pack for deed in self.deeds))


Order = tuple[str, tuple[str, ...]]
"""A pack, and the packs after which it comes."""
Tried = Callable[[Clash, str, Sequence[str]], bool]
"""Whether a clash is settled, without other errors, if one pack comes after others."""


def told(pairs: Iterable[Pair], resolved: Resolved, tried: Tried) -> Iterator[Diagnostic]:
    """Yield a finding for each place at which packs conflict."""
    left = MOST_TRIED
    for clash in clashes(pairs, resolved):
        first, *_, last = clash.deeds
        if len(clash.packs) == 1:
            message, label = f"`{last.place.id}` is changed twice", Label(first.span, "first here")
            yield Diagnostic("RW623", last.span, message, "keep one of them", (label,))
            continue
        sound: list[Order] = []
        for later, others in _orders(clash.packs)[: max(left, 0)]:
            left -= 1
            if tried(clash, later, others):
                sound.append((later, others))
            if sound and len(clash.packs) > 2:
                break  # of many orders, one that works is enough
        yield _finding(clash, sound, resolved)


def clashes(pairs: Iterable[Pair], resolved: Resolved) -> tuple[Clash, ...]:
    """Group conflicts by place; a conflict between a thing and a part of it is at the place of the thing."""
    places: dict[object, list[Pair]] = {}
    for one, two in pairs:
        path = min(one.place.bare, two.place.bare, key=len)
        places.setdefault((one.place.document, path, one.pack == two.pack and two.key), []).append((one, two))
    ranks = {head.pack: rank for rank, head in enumerate(resolved.order)}
    found = []
    for group in places.values():
        deeds = {deed.key: deed for pair in group for deed in pair}
        found.append(Clash(tuple(group), tuple(sorted(deeds.values(), key=lambda deed: ranks[deed.pack]))))
    return tuple(found)


def _orders(packs: tuple[str, ...]) -> list[Order]:
    """Return the orders in which one pack comes after the others: last name first."""
    return [(later, tuple(pack for pack in packs if pack != later)) for later in reversed(packs)]


def _finding(clash: Clash, sound: list[Order], resolved: Resolved) -> Diagnostic:
    by_pack = {pack: [deed for deed in clash.deeds if deed.pack == pack] for pack in clash.packs}
    clauses: list[str] = []
    known = ""
    for pack, deeds in list(by_pack.items())[:MOST_NAMED]:
        more = f" (and {len(deeds) - 1} more)" if len(deeds) > 1 else ""
        clauses.append(f"`{pack}` {_does(deeds[0], known)}{more}")
        known = deeds[0].place.id
    if len(by_pack) > MOST_NAMED:
        clauses.append(f"{len(by_pack) - MOST_NAMED} more packs change it")
    message = ", ".join(clauses[:-1]) + f", and {clauses[-1]}"
    last = by_pack[clash.packs[-1]][0]
    others = [deed for deed in clash.deeds if deed is not last][:MOST_NAMED]
    labels = [Label(deed.span, f"`{deed.pack}` {_briefly(deed)} here") for deed in others]
    labels += (
        Label(need.span, f"this applies to versions `{need.versions}`; `{other}` has version {version}")
        for pack in clash.packs
        for other in clash.packs
        for need, version in unfit(resolved, pack, other)
    )
    return Diagnostic("RW623", last.span, message, _hint(clash, sound), tuple(labels))


def _does(deed: Deed, known: str) -> str:
    """Describe a deed: `sets X to 3`. The place named before is `it`."""
    place, holder, word = deed.place.id, deed.place.id.rpartition(".")[0], deed.place.bare[-1:]
    what = "it" if place == known else f"`{place}`"
    if deed.action == "set":
        said = f"sets {what} to {_value(deed)}"
    elif deed.action == "add" and deed.new is not None and word and _is_item(deed):
        said = f"adds {_short(word[0])} to `{holder}`" if what != "it" else "adds it"
    elif deed.action == "add":
        said = f"adds {what} as {_value(deed)}"
    elif deed.action == "remove":
        said = f"removes {what}"
    else:
        said = f"inserts something {deed.action} {what}"
    return f"{said} with {_short(deed.every)}" if deed.every else said


def _is_item(deed: Deed) -> bool:
    """Whether an item was added to a list."""
    assert deed.new is not None
    return deed.place.bare[-1] in (named(deed.new), shown(deed.new))


def _briefly(deed: Deed) -> str:
    verb = {"set": "sets it", "add": "adds it", "remove": "removes it"}
    return verb.get(deed.action, f"inserts something {deed.action} it")


def _value(deed: Deed) -> str:
    return _short(shown(deed.new))


def _short(text: str) -> str:
    text = " ".join(text.split())
    return f"`{text if len(text) <= WIDEST else text[: WIDEST - 1].rstrip() + '…'}`"


def _hint(clash: Clash, sound: list[Order]) -> str:
    """Describe how to settle a clash, proposing only orders that were tried and work."""
    both = "both" if len(clash.packs) == 2 else "all of them"
    whole = any(deed.action == "remove" and not deed.place.bare for deed in clash.deeds)
    how = "`remove`" if whole else "`set`"
    third = f"a third pack that comes after {both} can decide with {how}"
    if not sound:
        which = "none of them" if len(clash.packs) > 2 else "neither"
        return f"{which} can come after the other{'s' * (len(clash.packs) > 2)}: remove one; {third}"
    later, others = sound[0]
    hint = f"say which comes later: `after: [{', '.join(others)}]` in the pack.yaml of `{later}`"
    if len(clash.packs) == 2 and len(sound) == 2:
        hint += ", or the reverse"
    return f"{hint}; {third}"
