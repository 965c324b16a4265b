"""Names of things and values from the compared packs, in one language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from attrs import frozen

from rulewright.ruleset.common.terminal_text import harmless
from rulewright.ruleset.source.nodes import MappingNode, Node, ScalarNode, texts_of
from rulewright.ruleset.source.nodes import SequenceNode as List
from rulewright.ruleset.table.message import MessageError, format_message, parse
from rulewright.tools.common.document_kinds import TOOLS_KIND_OF
from rulewright.tools.diffs.key_labels import label
from rulewright.tools.diffs.messages import WORDS, join
from rulewright.tools.diffs.sides import Side, Thing

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
