"""Names of things and values from the compared packs, in one language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from attrs import field, frozen

from rulewright.ruleset.common.terminal_text import harmless
from rulewright.ruleset.compose.change import INSERTS
from rulewright.ruleset.compose.conflicts import Deed
from rulewright.ruleset.source.nodes import MappingNode, Node, Path, ScalarNode, bare_path, step_id, texts_of
from rulewright.ruleset.source.nodes import MappingNode as Block
from rulewright.ruleset.source.nodes import SequenceNode as List
from rulewright.ruleset.table.message import MessageError, Value, format_message, parse
from rulewright.tools.common.document_kinds import TOOLS_KIND_OF
from rulewright.tools.diffs.compare import Difference, Side, Thing
from rulewright.tools.diffs.messages import WORDS, join, label

RANGE = re.compile(r"(-?\d+) to (-?\d+)")
LONGEST = 240
"""Limit of characters of code that are shown."""
NAMES_IN = {
    "kind": ("kind",),
    "accepts": ("kind",),
    "starts": ("zone",),
    "home": ("zone",),
    "from": ("zone",),
    "reveals": ("zone",),
    "phases": ("phase",),
    "awards": ("award",),
}
"""Keys whose values are names, with the sort of the named things."""
_COUNTED = ("track/", "list/", "zone/")
"""Things with a plural name: what they hold is counted."""


@frozen
class Names:
    """Names of things on the other side, or else on the base side."""

    base: Side
    other: Side
    language: str

    def of(self, id_: str) -> str | None:
        """Return the name for players of an id: `zone/hand`, `charm/bell`, `step/PHASE.STEP`, `charm/bell.text`."""
        for side in (self.other, self.base):
            texts = dict(side.loaded.declared.texts.get(id_, ()))
            if texts:
                return self._one(self.pick(texts), 2 if id_.startswith(_COUNTED) else 1)
        return None

    def _one(self, text: str, count: int) -> str:
        """Format a name that depends on a number, without that number."""
        if "{" not in text:
            return text
        try:
            return format_message(parse(text), {"count": count}, self.language).removeprefix(f"{count} ")
        except (MessageError, KeyError, ValueError):
            return text

    def pick(self, texts: dict[str, str]) -> str:
        """Return the text in the requested language, or the first one."""
        return harmless(texts.get(self.language) or next(iter(texts.values()), ""))

    def text(self, node: Node | None) -> str:
        """Return a text for players."""
        return self.pick(dict(texts_of(node))) if node is not None else ""

    def thing(self, thing: Thing) -> str:
        """Return the name of a thing at the beginning of a sentence."""
        if thing.sort == "verb":
            pattern = thing.node.entries[0].value if isinstance(thing.node, MappingNode) else None
            return f"`{pattern.text if isinstance(pattern, ScalarNode) else thing.key}`"
        return upper(self.named(thing) or self.readable(thing.key))

    def named(self, thing: Thing) -> str | None:
        """Return the name of a thing for players, or None."""
        own = self.text(thing.says.name)
        return self.of(f"{thing.sort}/{thing.key}") or (own if own and "{" not in own else None)

    def readable(self, key: str) -> str:
        """Return a key as words. Keys are English, so in another language they are quoted."""
        return key.replace("-", " ") if self.language == "en" else f"`{key}`"

    def sort(self, sort: str) -> str:
        """Name the sort of a thing: the pack's name for its kind, or a built-in one."""
        own = TOOLS_KIND_OF.get(sort)
        return self.of(f"kind/{sort}") or (own and own.names.get(self.language)) or self.readable(sort)

    def step(self, thing: Thing, path: Sequence[str]) -> str:
        """Name a step for players, or else by its id."""
        names = [word for word in path if word not in ("steps", "do")]
        known = self.of(f"step/{'.'.join((thing.key, *names))}")
        return upper(known) if known else f"`{names[-1]}`" if names else self.thing(thing)

    def label(self, thing: Thing, path: Sequence[str]) -> str:
        """Return the label of a part of a thing."""
        if thing.sort == "enumeration" or path[:1] == ("each",):
            return ", ".join(self.readable(word) for word in path)
        if thing.sort == "kind" and len(path) > 1 and path[0] in ("fields", "effects", "expressions"):
            path = path[1:]
        own = thing.sort in self.other.loaded.declared.kinds or thing.sort == "kind"
        words = [label(word, self.language) or (self.readable(word) if own else f"`{word}`") for word in path]
        return ", ".join(words)

    # -------------------------------------------------------------- values

    def value(self, thing: Thing, path: Sequence[str], node: Node | None) -> str:
        """Format a value as players name it."""
        if node is None:
            return WORDS[self.language]["nothing"]
        if isinstance(node, List) and all(isinstance(item, ScalarNode) for item in node.items):
            items = [self.value(thing, path, item) for item in node.items]
            return join(items, self.language) if items else WORDS[self.language]["nothing"]
        if isinstance(node, ScalarNode) and not self.is_code(thing, path):
            return self.word(node.text, self._sorts(thing, path))
        return code(node)

    def _sorts(self, thing: Thing, path: Sequence[str]) -> tuple[str, ...]:
        """Return the sorts of things that a value can name."""
        for side in (self.other, self.base):
            kind = side.loaded.declared.kinds.get(thing.sort)
            if kind is not None and path and path[0] in kind.fields:
                of = kind.fields[path[0]].type.of
                return (of,) if of else ()
        if thing.sort == "option":
            return (thing.key,)
        return NAMES_IN.get(path[-1], ()) if path else ()

    def word(self, text: str, sorts: Iterable[str]) -> str:
        """Replace a word by the name of the thing that it names, if any."""
        for sort in sorts:
            known = self.of(f"{sort}/{text}")
            if known:
                return known
        span = RANGE.fullmatch(text)
        if span is not None:
            return WORDS[self.language]["range"].format(*span.groups())
        return WORDS[self.language].get(f"is-{text}") or text

    def is_code(self, thing: Thing, path: Sequence[str]) -> bool:
        """Whether a part of a thing is code."""
        if not path:
            return False
        for side in (self.other, self.base):
            kind = side.loaded.declared.kinds.get(thing.sort)
            if kind is not None:
                return path[0] in kind.effects or path[0] in kind.expressions or path[0] in ("when",)
        return path[-1] in CODE or (len(path) > 1 and path[-2] in ("options", "order"))


CODE = (
    "do", "is", "when", "unless", "then", "until", "while", "turns", "queue", "for-each", "together", "asks",
    "proof", "when-true", "when-false", "among", "by", "sum", "majority", "rank", "order", "turns-from", "each",
    "from",
)  # fmt: skip
"""Keys of sentences, conditions, and amounts."""


def code(node: Node) -> str:
    """Format code in one quoted line."""
    text = written(node)
    return f"`{text if len(text) <= LONGEST else text[: LONGEST - 1] + '…'}`"


def written(node: Node) -> str:
    """Format a node in one line, without texts for players."""
    if isinstance(node, ScalarNode):
        lines = [line.strip() for line in node.text.strip().splitlines()]
        told = ""
        for line in (line for line in lines if line):
            told += ("" if not told else " " if told.endswith(":") else "; ") + line
        return told
    if isinstance(node, List):
        return "; ".join(written(item) for item in node.items)
    entries = [entry for entry in node.entries if entry.key.text not in ("id", "name", "text", "because", "source")]
    if len(entries) == 1 and entries[0].key.text in ("do", "steps"):
        return written(entries[0].value)
    return ", ".join(f"{entry.key.text}: {written(entry.value)}" for entry in entries)


def upper(text: str) -> str:
    """Capitalize the first letter."""
    return text[:1].upper() + text[1:]


# ---- The data from which sentences about differences are made

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
