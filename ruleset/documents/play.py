"""Records outside the rules: the layout of the table, the faces of cards, bots, and scenarios."""

from __future__ import annotations

from rulewright.ruleset.documents.reading import (
    Declaring,
    Keyed,
    Titled,
    Written,
    flag,
    listed,
    named_nodes,
    number,
    part,
    raw,
    said,
    texts,
    word,
    words,
)
from rulewright.ruleset.source.nodes import Mapping, Node, Scalar, Sequence


class PileDisplay(Written):
    """How to describe the zones of a kind's definitions as one group."""

    of: Scalar | None = word()
    with_: Scalar | None = word()


class Group(Written):
    """A part of the table."""

    name: Node | None = texts()
    show: tuple[Scalar | Keyed[Scalar | PileDisplay], ...] = said(lambda node: _shown(node), ())


class Layout(Titled):
    """The contents of the table on screen, in order."""

    groups: tuple[Group, ...] = listed(Group)
    untold: tuple[Scalar, ...] = words()
    hidden: tuple[Scalar, ...] = words()


def _shown(node: Node) -> tuple[Scalar | Keyed[Scalar | PileDisplay], ...]:
    """Read names, each alone or with the form in which it is shown."""
    found: list[Scalar | Keyed[Scalar | PileDisplay]] = []
    for one in node.items if isinstance(node, Sequence) else ():
        if isinstance(one, Scalar):
            found.append(one)
        elif isinstance(one, Mapping) and one.entries:
            how = one.entries[0].value
            if isinstance(how, Scalar | Mapping):
                told = how if isinstance(how, Scalar) else PileDisplay.made_of(how)
                found.append(Keyed(one.entries[0].key, told))
    return tuple(found)


class Face(Declaring):
    """What the cards of a kind look like. It is named after its kind."""

    text: Node | None = texts()
    source: Scalar | None = word()
    corners: Node | None = raw()
    symbols: tuple[Keyed[Node], ...] = named_nodes()
    colours: Node | None = raw()
    picture: Node | None = raw()
    size: Scalar | None = word()
    back: Scalar | None = word()


class BotAnswer(Written):
    """A bot's preferences or scores at a choice, with an optional condition."""

    choice: Scalar | None = word()
    when: Scalar | None = word()
    prefer: tuple[Scalar, ...] = words()
    score: Node | None = raw()
    otherwise: Scalar | None = word()


class Bot(Titled):
    """An automatic player."""

    answers: tuple[BotAnswer, ...] = listed(BotAnswer)


class Given(Written):
    """Where a scenario begins. Its other keys are names of the pack."""

    phase: Scalar | None = word()
    turn: Scalar | None = word()
    eliminated: Node | None = raw()


class Scenario(Titled):
    """A test of the rules: a position, what happens, and what must hold."""

    players: Node | None = raw()
    options: tuple[Keyed[Node], ...] = named_nodes()
    seed: int | None = number()
    series: bool = flag()
    given: Given | None = part(Given)
    when: tuple[Keyed[Node], ...] = said(lambda node: _happening(node), ())
    then: Node | None = raw()


def _happening(node: Node) -> tuple[Keyed[Node], ...]:
    """Read the happenings in order: a player or mark, and its value."""
    items = node.items if isinstance(node, Sequence) else ()
    firsts = (one.entries[0] for one in items if isinstance(one, Mapping) and one.entries)
    return tuple(Keyed(one.key, one.value) for one in firsts)
