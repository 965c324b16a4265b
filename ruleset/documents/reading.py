"""Records of documents: each is a table of fields, filled in by one builder.

A field has the name of its key in YAML, with `_` for `-` (and an appended `_` where it is a keyword in Python). Its
maker defines what is read there and, where that matters, what it means: which declarations it names, whether
players read it. The shape of documents has been checked before; values of another shape are ignored. A record keeps
its mapping, for the places of its keys.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar, Generic, Self, TypeVar

from attrs import frozen
from attrs.exceptions import FrozenInstanceError

from rulewright.ruleset.common.diagnostic import Span
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.source.nodes import MappingEntry, MappingNode, Node, ScalarNode, SequenceNode

T = TypeVar("T")
Read = Callable[[Node], Any]
"""Reads the value of a node; None if the node has another shape."""


@frozen(repr=False)
class Meaning(Record):
    """How a field is read.

    `names`: the kind of the declarations that it names. `types`: it names types. `values`: it is a text for
    players, which may use these values.
    """

    read: Read
    default: Any = None
    names: str = ""
    types: bool = False
    values: str = ""


class Written:
    """The record of a mapping. Frozen.

    It is not an attrs class: each of the fifty would add a millisecond to the start of every command. A field that
    a document leaves out is an attribute of the class.
    """

    SHORT: ClassVar[str] = ""
    """The key that a node which is not a mapping is short for."""
    meanings: ClassVar[dict[str, tuple[str, Meaning]]] = {}
    """The fields by their keys in YAML, each with its name and its meaning."""

    node: MappingNode

    def __init_subclass__(cls) -> None:
        own = {name: one for name, one in vars(cls).items() if isinstance(one, Meaning)}
        cls.meanings = {**cls.meanings, **{name.rstrip("_").replace("_", "-"): (name, own[name]) for name in own}}
        for name, meaning in own.items():
            setattr(cls, name, meaning.default)

    def __init__(self, node: MappingNode, **said: Any) -> None:
        self.__dict__.update(said, node=node)

    def __setattr__(self, name: str, value: Any) -> None:
        raise FrozenInstanceError

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(self.node.span)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"

    @classmethod
    def made_of(cls, node: Node, **named: Any) -> Self:
        """Build the record of a node. `named` are additional attributes."""
        if not isinstance(node, MappingNode):
            node = MappingNode(
                (MappingEntry(ScalarNode(cls.SHORT, cls.SHORT, node.span), node),) if cls.SHORT else (), node.span
            )
        meanings = cls.meanings
        for entry in node.entries:
            known = meanings.get(entry.key.text)
            if known is not None:
                value = known[1].read(entry.value)
                if value is not None:
                    named[known[0]] = value
        return cls(node, **named)

    def place(self, key: str) -> Span:
        """Return the place of a key; if it is missing, the place of the whole record."""
        return self.node.span_of(key)


W = TypeVar("W", bound=Written)


class Declaring(Written):
    """A record that declares a name, with its key and the place of the name."""

    key: str
    span: Span
    name: Node | None = None
    text: Node | None = None

    @classmethod
    def read(cls, key: ScalarNode, node: Node) -> Self:
        """Build the record of a node under a key, or of the document that begins with it."""
        return cls.made_of(node, key=key.text, span=key.span)


@frozen(repr=False)
class Keyed(Record, Generic[T]):
    """An entry of a mapping whose keys are names."""

    key: ScalarNode
    value: T


@frozen(repr=False)
class Several(Record, Generic[T]):
    """A list, with its place."""

    items: tuple[T, ...]
    span: Span


def held(node: Node) -> MappingNode:
    """Return a mapping for a record whose keys are not those of its node."""
    return node if isinstance(node, MappingNode) else MappingNode((), node.span)


# ------------------------------------------------------------------ going through records

def inside(record: Written) -> Iterator[tuple[Meaning, Any]]:
    """Yield the meaning and value of each field that the record has."""
    for name, meaning in record.meanings.values():
        if name in vars(record):
            yield meaning, vars(record)[name]


def parts(value: Any) -> Iterator[Written]:
    """Yield the records in the value of a field."""
    if isinstance(value, Written):
        yield value
    elif isinstance(value, Keyed):
        yield from parts(value.value)
    elif isinstance(value, Several):
        yield from parts(value.items)
    elif isinstance(value, tuple):
        for one in value:
            yield from parts(one)


# ------------------------------------------------------------------ fields

def said(read: Read, default: Any = None, names: str = "", types: bool = False, values: str = "") -> Any:
    """Define a field that reads a node; if the key is missing, it has the default."""
    return Meaning(read, default, names, types, values)


def _scalar(node: Node) -> ScalarNode | None:
    return node if isinstance(node, ScalarNode) else None


def _scalars(node: Node) -> tuple[ScalarNode, ...]:
    if isinstance(node, ScalarNode):
        return (node,)
    return tuple(one for one in node.items if isinstance(one, ScalarNode)) if isinstance(node, SequenceNode) else ()


def _one_or_more(node: Node) -> ScalarNode | tuple[ScalarNode, ...] | None:
    return node if isinstance(node, ScalarNode) else _scalars(node) if isinstance(node, SequenceNode) else None


def _any(node: Node) -> Node:
    return node


def _true(node: Node) -> bool:
    return isinstance(node, ScalarNode) and node.text == "true"


def _whole(node: Node) -> int | None:
    return node.value if isinstance(node, ScalarNode) and isinstance(node.value, int) else None


def _named_scalars(node: Node) -> tuple[Keyed[ScalarNode], ...]:
    entries = node.entries if isinstance(node, MappingNode) else ()
    return tuple(Keyed(one.key, one.value) for one in entries if isinstance(one.value, ScalarNode))


def _named_nodes(node: Node) -> tuple[Keyed[Node], ...]:
    return tuple(Keyed(one.key, one.value) for one in node.entries) if isinstance(node, MappingNode) else ()


def word(names: str = "") -> ScalarNode | None:
    """A word, a number, or a text of the effect language."""
    made: ScalarNode | None = said(_scalar, names=names)
    return made


def types() -> tuple[ScalarNode, ...]:
    """A list of types, or a single one."""
    made: tuple[ScalarNode, ...] = said(_scalars, (), types=True)
    return made


def words(names: str = "") -> tuple[ScalarNode, ...]:
    """A list of words, or a single one."""
    made: tuple[ScalarNode, ...] = said(_scalars, (), names)
    return made


def word_or_words(names: str = "") -> ScalarNode | tuple[ScalarNode, ...] | None:
    """A word or a list of words, with different meanings."""
    made: ScalarNode | tuple[ScalarNode, ...] | None = said(_one_or_more, names=names)
    return made


def flag() -> bool:
    """Whether a key is `true`."""
    made: bool = said(_true, False)
    return made


def number() -> int | None:
    """A whole number."""
    made: int | None = said(_whole)
    return made


def texts(values: str = "nothing") -> Node | None:
    """A text for players, in one language or several. `values` are those that it may use (`check.texts`)."""
    made: Node | None = said(_any, values=values)
    return made


def type_() -> ScalarNode | None:
    made: ScalarNode | None = said(_scalar, types=True)
    return made


def parameters() -> tuple[Keyed[ScalarNode], ...]:
    """Names of parameters, each with its type."""
    made: tuple[Keyed[ScalarNode], ...] = said(_named_scalars, (), types=True)
    return made


def named_words() -> tuple[Keyed[ScalarNode], ...]:
    """Names, each with a word or an expression."""
    made: tuple[Keyed[ScalarNode], ...] = said(_named_scalars, ())
    return made


def named_nodes() -> tuple[Keyed[Node], ...]:
    """Names, each with any node."""
    made: tuple[Keyed[Node], ...] = said(_named_nodes, ())
    return made


def raw() -> Node | None:
    """Any node; its reader is elsewhere, since its keys are names of the pack."""
    made: Node | None = said(_any)
    return made


def part(record: type[W]) -> W | None:
    """A mapping with a record of its own."""
    made: W | None = said(lambda node: _part(record, node))
    return made


def listed(record: type[W]) -> tuple[W, ...]:
    """A list of mappings of one record."""
    made: tuple[W, ...] = said(lambda node: _listed(record, node), ())
    return made


def several(record: type[W]) -> Several[W] | None:
    """A list of mappings of one record, with its place."""
    made: Several[W] | None = said(lambda node: Several(_listed(record, node), node.span))
    return made


def named(record: type[W]) -> tuple[Keyed[W], ...]:
    """Names, each with a mapping of one record."""
    made: tuple[Keyed[W], ...] = said(lambda node: _named(record, node), ())
    return made


def _part(record: type[W], node: Node) -> W | None:
    return record.made_of(node) if isinstance(node, MappingNode) or record.SHORT else None


def _listed(record: type[W], node: Node) -> tuple[W, ...]:
    items = node.items if isinstance(node, SequenceNode) else ()
    return tuple(made for one in items if (made := _part(record, one)) is not None)


def _named(record: type[W], node: Node) -> tuple[Keyed[W], ...]:
    entries = node.entries if isinstance(node, MappingNode) else ()
    return tuple(Keyed(one.key, made) for one in entries if (made := _part(record, one.value)) is not None)


class Titled(Declaring):
    """A document with a name, which most are."""

    name: Node | None = texts()
    text: Node | None = texts()
    source: ScalarNode | None = word()
