"""Differences -> what is told of them: in which group, by which sentence, and for which reason.

Nothing is left out: what no sheet shows (the same text in another language, an order that follows from what was
added, what the reason for it says in words already) is `quiet`, and where no sentence fits, the fallback names the
id.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import field, frozen

from ruleset.conflicts import INSERTS, Deed
from ruleset.message import Value
from ruleset.nodes import Mapping as Block
from ruleset.nodes import Node, Scalar
from ruleset.nodes_edit import Path, bare_path
from ruleset.span import Span
from tools.diff_compare import Difference
from tools.diff_names import Names
from tools.diff_sides import Side, new_deeds
from tools.diff_words import GROUPS, say

SEEN = ("seen-by", "top-seen-by", "size-seen-by", "changes-seen-by")
WORDS_OF = ("name", "text", "plural")
HELPERS = ("value", "function", "verb", "modifier", "hook", "track", "list")
"""What often only serves other rules: where it is new and has no words for players, it is small print."""
END = ("finish", "award", "winner")
COURSE = ("round", "phase", "verb", "function", "hook", "modifier", "window", "claim")


@frozen
class Said:
    """A sentence without its thing: its message and values, and of what it is said."""

    key: str
    thing: str
    values: Mapping[str, Value] = field(factory=dict)
    quiet: bool = False


@frozen
class Telling:
    """What is told of a difference. `reason` is the text of the change that made it, `deed` that change."""

    difference: Difference
    group: str
    said: Said
    rank: int
    deed: Deed | None = None
    reason: str = ""

    def sentence(self, language: str, things: str = "", many: int = 1) -> str:
        """The sentence; of several things at once with `things`, their names."""
        values = {**self.said.values, "thing": things or self.said.thing, "n": many}
        return say(language, self.said.key, values)


@frozen
class Context:
    """What sentences are made from: both sides, the names of things, and the differences of each thing."""

    base: Side
    other: Side
    names: Names
    deeds: tuple[Deed, ...]
    of_thing: Mapping[str, tuple[Difference, ...]]

    def deed(self, found: Difference) -> Deed | None:
        """The change with words for players that made a difference."""
        return next((deed for deed in self.deeds if _made(deed, found)), None)

    def reason(self, found: Difference) -> str:
        deed = self.deed(found)
        return self.names.text(deed.text) if deed is not None else ""

    def explained(self, found: Difference) -> bool:
        """Whether a text for players tells what the rules mean: then they are not shown themselves."""
        if self.deed(found) is not None:
            return True
        if found.path == ():
            return False
        return any(one.path[:1] == ("text",) for one in self.of_thing[found.thing.id])


def tell(base: Side, other: Side, found: tuple[Difference, ...], language: str) -> tuple[Telling, ...]:
    """All that is told, in the order of the groups and, within each, of the game."""
    from tools.diff_say import said

    of_thing: dict[str, tuple[Difference, ...]] = {}
    for one in found:
        of_thing[one.thing.id] = (*of_thing.get(one.thing.id, ()), one)
    context = Context(base, other, Names(base, other, language), new_deeds(base, other), of_thing)
    play = _play(base, other)
    tellings = [
        Telling(one, _group(context, one), how, _rank(one, play), context.deed(one), context.reason(one))
        for one in found
        for how in said(context, one)
    ]
    return tuple(sorted(tellings, key=lambda telling: (GROUPS.index(telling.group), telling.rank)))


def _made(deed: Deed, found: Difference) -> bool:
    """Whether a change made a difference: what is there stands in it, or is what it took away."""
    if deed.new is not None and found.after is not None and _within(found.after.span, deed.new.span):
        return True
    if deed.action in INSERTS or deed.place.document != found.thing.document:
        return False
    path = (*found.thing.path, *bare_path(found.thing.node, found.path))
    return deed.place.bare[: len(path)] == path or path[: len(deed.place.bare)] == deed.place.bare


def _within(inner: Span, outer: Span) -> bool:
    starts = (outer.line, outer.column) <= (inner.line, inner.column)
    return (
        inner.path == outer.path
        and starts
        and (inner.end_line, inner.end_column) <= (outer.end_line, outer.end_column)
    )


# ------------------------------------------------------------------ where it is told


def wording(found: Difference) -> bool:
    """Whether only words change: a name, a text, a line of the log, what a member of an enumeration is called."""
    path = found.path
    if found.thing.sort == "message":
        return bool(path)
    if found.thing.sort == "enumeration":
        return len(path) > 1 or (len(path) == 1 and found.change == "changed")
    return any(word in WORDS_OF for word in path[-2:])


def _group(context: Context, found: Difference) -> str:
    sort, path = found.thing.sort, found.path
    if wording(found):
        others = context.of_thing[found.thing.id]
        if path[:1] != ("text",) or all(wording(one) for one in others):
            return "words"
    if sort in ("pack", "option"):
        return "game"
    if sort == "message":
        return "words"
    if (path and path[-1] in SEEN) or path[:1] == ("reveals",):
        return "sees"
    if found.change in ("added", "removed") and not path and not found.woven and _helps(found):
        return "small"
    if sort == "value":
        return _used(context, found.thing.key)
    if sort == "setup" or (path[-1:] == ("starts",) and sort in ("track", "component")):
        return "set-up"
    if sort in END or (path[:1] == ("until",) and sort == "round"):
        return "end"
    if sort in COURSE:
        return "course"
    known = (*context.other.loaded.declared.kinds, *context.base.loaded.declared.kinds)
    return "cards" if sort in known else "components"


def _helps(found: Difference) -> bool:
    """Whether a thing only serves other rules, as far as its words tell."""
    node = found.thing.node
    words = [node.get(word) for word in ("text", "name")] if isinstance(node, Block) else [None, None]
    waits = isinstance(node, Block) and node.get("waits") is not None and words[0] is None
    return found.thing.sort == "function" or waits or (found.thing.sort in HELPERS and words == [None, None])


def _used(context: Context, value: str) -> str:
    """Where a number counts: in the set-up, at the end, or in play, by what names it."""
    sorts: set[str] = set()
    for reference in context.other.loaded.references:
        if reference.what == f"value/{value}":
            sorts.add(_around(context.other, reference.span))
    for thing in context.other.things.values():
        if thing.sort == "award" and isinstance(thing.node, Block):
            prizes = thing.node.get("prizes")
            sorts |= {"award"} if isinstance(prizes, Scalar) and prizes.text == value else set()
    if sorts and sorts <= {"setup", "track", "component"}:
        return "set-up"
    return "end" if sorts and sorts <= set(END) else "course"


def _around(side: Side, span: Span) -> str:
    """The sort of the thing in which a place is."""
    around = [thing for thing in side.things.values() if _within(span, thing.node.span)]
    return min(around, key=lambda thing: thing.node.span.end_line - thing.node.span.line).sort if around else ""


def _play(base: Side, other: Side) -> dict[str, int]:
    """The place of each phase and award in the course of the game: those that are gone stand where they stood."""
    places: dict[str, int] = {}
    for side in (base, other):
        number = 0
        for thing in side.things.values():
            for key, sort in (("phases", "phase"), ("awards", "award")):
                listed = thing.node.get(key) if isinstance(thing.node, Block) else None
                for item in getattr(listed, "items", ()):
                    number += 1
                    places[f"{sort}/{getattr(item, 'text', '')}"] = number
    return places


def _rank(found: Difference, play: Mapping[str, int]) -> int:
    sort = found.thing.sort
    if sort in ("phase", "award"):
        return 10 + play.get(found.thing.id, 900)
    first = {"pack": 0, "value": 1, "setup": 2, "track": 3, "round": 4, "finish": 5, "winner": 2000}
    return first.get(sort, 1000)


def steps_of(node: Node | None, path: Path) -> int:
    """How many words of a path lead to the innermost step in it."""
    last = 0
    for number, word in enumerate(path):
        if isinstance(node, Block):
            node = node.get(word)
            continue
        items = getattr(node, "items", ())
        named = [
            item for item in items if isinstance(item, Block) and getattr(item.get("id"), "text", None) == word
        ]
        if not named and word.isdigit() and 0 < int(word) <= len(items):
            named = [items[int(word) - 1]]
        if not named:
            return last
        node, last = named[0], number + 1
    return last


def pieces(found: Difference) -> tuple[Path, Path]:
    """The path of a difference, as that of the step and that in the step."""
    nodes = (found.thing.node, found.was.node if found.was is not None else None)
    at = max(steps_of(node, found.path) for node in nodes)
    return found.path[:at], found.path[at:]
