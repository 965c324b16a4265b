"""What no rule knows of: how the table is shown, who plays by itself, and examples of how the game goes."""

from __future__ import annotations

from ruleset.documents.reading import (
    Keyed,
    Titled,
    Written,
    listed,
    named_nodes,
    part,
    raw,
    said,
    texts,
    word,
    words,
)
from ruleset.source.nodes import Mapping, Node, Scalar, Sequence


class Telling(Written):
    """How a zone of which each definition has one is told in one piece."""

    of: Scalar | None = word()
    with_: Scalar | None = word()


class Group(Written):
    """A part of the table."""

    name: Node | None = texts()
    show: tuple[Scalar | Keyed[Scalar | Telling], ...] = said(lambda node: _shown(node), ())


class Layout(Titled):
    """What the table shows, in which order."""

    groups: tuple[Group, ...] = listed(Group)
    untold: tuple[Scalar, ...] = words()
    hidden: tuple[Scalar, ...] = words()


def _shown(node: Node) -> tuple[Scalar | Keyed[Scalar | Telling], ...]:
    """Names, each alone or with the form in which it is shown."""
    found: list[Scalar | Keyed[Scalar | Telling]] = []
    for one in node.items if isinstance(node, Sequence) else ():
        if isinstance(one, Scalar):
            found.append(one)
        elif isinstance(one, Mapping) and one.entries:
            how = one.entries[0].value
            if isinstance(how, Scalar | Mapping):
                told = how if isinstance(how, Scalar) else Telling.made_of(how)
                found.append(Keyed(one.entries[0].key, told))
    return tuple(found)


class BotAnswer(Written):
    """What a bot prefers at a choice, and in which case."""

    choice: Scalar | None = word()
    when: Scalar | None = word()
    prefer: tuple[Scalar, ...] = words()
    otherwise: Scalar | None = word()


class Bot(Titled):
    """Who plays by itself."""

    answers: tuple[BotAnswer, ...] = listed(BotAnswer)


class Given(Written):
    """Where a scenario begins. What else it says is by names of the pack."""

    phase: Scalar | None = word()
    turn: Scalar | None = word()


class Scenario(Titled):
    """An example of how the game goes."""

    players: Node | None = raw()
    options: tuple[Keyed[Node], ...] = named_nodes()
    seed: Scalar | None = word()
    given: Given | None = part(Given)
    when: tuple[Keyed[Node], ...] = said(lambda node: _happening(node), ())
    then: Node | None = raw()


def _happening(node: Node) -> tuple[Keyed[Node], ...]:
    """What happens, one after the other: who or what, and what of it."""
    items = node.items if isinstance(node, Sequence) else ()
    firsts = (one.entries[0] for one in items if isinstance(one, Mapping) and one.entries)
    return tuple(Keyed(one.key, one.value) for one in firsts)
