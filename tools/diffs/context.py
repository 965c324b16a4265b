"""The data from which sentences about differences are made."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import field, frozen

from rulewright.ruleset.compose.change import INSERTS
from rulewright.ruleset.compose.conflicts import Deed
from rulewright.ruleset.source.nodes import MappingNode as Block
from rulewright.ruleset.source.nodes import Node, Path, bare_path, step_id
from rulewright.ruleset.table.message import Value
from rulewright.tools.diffs.compare import Difference
from rulewright.tools.diffs.names import Names
from rulewright.tools.diffs.sides import Side

SEEN = ("seen-by", "top-seen-by", "size-seen-by", "changes-seen-by")
WORDS_OF = ("name", "text", "because", "plural")


@frozen
class Said:
    """A sentence without its thing: the key of its message, the thing, and the values."""

    key: str
    thing: str
    values: Mapping[str, Value] = field(factory=dict)
    quiet: bool = False


@frozen
class Context:
    """The data for sentences: both sides, the names of things, and the differences of each thing."""

    base: Side
    other: Side
    names: Names
    deeds: tuple[Deed, ...]
    of_thing: Mapping[str, tuple[Difference, ...]]

    def holding(self, found: Difference) -> tuple[Deed, ...]:
        """Return the deeds with a text that caused a difference, except those that a later one overrules."""
        made = [deed for deed in self.deeds if _made(deed, found)]
        path = (*found.thing.path, *bare_path(found.thing.node, found.path))
        kept = (deed for at, deed in enumerate(made) if not any(_over(one, deed, path) for one in made[at + 1 :]))
        return tuple(deed for deed in kept if deed.text is not None)

    def deed(self, found: Difference) -> Deed | None:
        """Return the last deed with a text that caused a difference and still holds."""
        return next(reversed(self.holding(found)), None)

    def reason(self, found: Difference) -> str:
        """Join the texts of all deeds that caused a difference: several packs may add to one list."""
        texts = (self.names.text(deed.text) for deed in self.holding(found) if deed.text is not None)
        return " ".join(dict.fromkeys(texts))

    def explained(self, found: Difference) -> bool:
        """Whether a text for players explains a difference, so that the rules themselves are not shown."""
        if self.deed(found) is not None:
            return True
        if found.path == ():
            return False
        return any(one.path[:1] == ("text",) for one in self.of_thing[found.thing.id])


def _made(deed: Deed, found: Difference) -> bool:
    """Whether a deed caused a difference: its new node contains the result, or it removed the old node."""
    if deed.new is not None and found.after is not None and found.after.span.within(deed.new.span):
        return True
    if deed.action in INSERTS or deed.place.document != found.thing.document:
        return False
    path = (*found.thing.path, *bare_path(found.thing.node, found.path))
    return deed.place.bare[: len(path)] == path or path[: len(deed.place.bare)] == deed.place.bare


def _over(later: Deed, deed: Deed, path: Path) -> bool:
    """Whether a later deed has replaced all of a deed's effect at a path."""
    if later.action in INSERTS or deed.action in INSERTS or later.place.document != deed.place.document:
        return False
    around = later.place.bare
    return path[: len(around)] == around or deed.place.bare[: len(around)] == around


def wording(found: Difference) -> bool:
    """Whether only wording changes: a name, a text, a line of the log, or the name of a member."""
    path = found.path
    if found.thing.sort == "message":
        return bool(path)
    if found.thing.sort == "enumeration":
        return len(path) > 1 or (len(path) == 1 and found.change == "changed")
    return any(word in WORDS_OF for word in path[-2:])


def steps_of(node: Node | None, path: Path) -> int:
    """Return the number of words of a path that lead to the innermost step in it."""
    last = 0
    for number, word in enumerate(path):
        if isinstance(node, Block):
            node = node.get(word)
            continue
        items = getattr(node, "items", ())
        named = [item for item in items if step_id(item) == word]
        if not named and word.isdigit() and 0 < int(word) <= len(items):
            named = [items[int(word) - 1]]
        if not named:
            return last
        node, last = named[0], number + 1
    return last


def pieces(found: Difference) -> tuple[Path, Path]:
    """Split the path of a difference into the path of the step and the path inside it."""
    nodes = (found.thing.node, found.was.node if found.was is not None else None)
    at = max(steps_of(node, found.path) for node in nodes)
    return found.path[:at], found.path[at:]
