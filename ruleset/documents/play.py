"""Records outside the rules: the layout of the table, the faces of cards, bots, and scenarios."""

from __future__ import annotations

from rulewright.ruleset.documents.reading import (
    Declaring,
    Keyed,
    Titled,
    Written,
    flag,
    listed,
    named,
    named_nodes,
    named_words,
    number,
    part,
    raw,
    said,
    texts,
    word,
    words,
)
from rulewright.ruleset.source.nodes import MappingNode, Node, ScalarNode, SequenceNode


class PileDisplay(Written):
    """How to describe the zones of a kind's definitions as one group."""

    of: ScalarNode | None = word()
    with_: ScalarNode | None = word()


class LayoutGroup(Written):
    """A part of the table."""

    name: Node | None = texts()
    show: tuple[ScalarNode | Keyed[ScalarNode | PileDisplay], ...] = said(lambda node: _shown(node), ())


class LayoutDocument(Titled):
    """The contents of the table on screen, in order."""

    groups: tuple[LayoutGroup, ...] = listed(LayoutGroup)
    untold: tuple[ScalarNode, ...] = words()
    hidden: tuple[ScalarNode, ...] = words()


def _shown(node: Node) -> tuple[ScalarNode | Keyed[ScalarNode | PileDisplay], ...]:
    """Read names, each alone or with the form in which it is shown."""
    found: list[ScalarNode | Keyed[ScalarNode | PileDisplay]] = []
    for one in node.items if isinstance(node, SequenceNode) else ():
        if isinstance(one, ScalarNode):
            found.append(one)
        elif isinstance(one, MappingNode) and one.entries:
            how = one.entries[0].value
            if isinstance(how, ScalarNode | MappingNode):
                told = how if isinstance(how, ScalarNode) else PileDisplay.made_of(how)
                found.append(Keyed(one.entries[0].key, told))
    return tuple(found)


class FaceDocument(Declaring):
    """What the cards of a kind look like. It is named after its kind."""

    text: Node | None = texts()
    source: ScalarNode | None = word()
    corners: Node | None = raw()
    symbols: tuple[Keyed[Node], ...] = named_nodes()
    colours: Node | None = raw()
    picture: Node | None = raw()
    size: ScalarNode | None = word()
    back: ScalarNode | None = word()


class BotAnswerDocument(Written):
    """A bot's preferences or scores at a choice, with an optional condition."""

    choice: ScalarNode | None = word()
    when: ScalarNode | None = word()
    prefer: tuple[ScalarNode, ...] = words()
    score: Node | None = raw()
    otherwise: ScalarNode | None = word()


class BotDocument(Titled):
    """An automatic player."""

    answers: tuple[BotAnswerDocument, ...] = listed(BotAnswerDocument)


class Given(Written):
    """Where a scenario begins. Its other keys are names of the pack."""

    phase: ScalarNode | None = word()
    turn: ScalarNode | None = word()
    eliminated: Node | None = raw()


class ScenarioDocument(Titled):
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
    items = node.items if isinstance(node, SequenceNode) else ()
    firsts = (one.entries[0] for one in items if isinstance(one, MappingNode) and one.entries)
    return tuple(Keyed(one.key, one.value) for one in firsts)


# ---- Records of what games between bots are expected to be like

class ExpectGroup(Written):
    """Definitions of a kind that are weighed against each other."""

    name: Node | None = texts()
    kind: ScalarNode | None = word(names="kind")
    where: ScalarNode | None = word()


class Expect(Declaring):
    """Thresholds for games at one table, and the groups in which definitions are weighed."""

    text: Node | None = texts()
    source: ScalarNode | None = word()
    players: Node | None = raw()
    options: tuple[Keyed[Node], ...] = named_nodes()
    bot: ScalarNode | None = word(names="bot")
    first_seat_wins: ScalarNode | None = word()
    no_winner: ScalarNode | None = word()
    several_winners: ScalarNode | None = word()
    mean_length: ScalarNode | None = word()
    usual_length: ScalarNode | None = word()
    offered_in_games: tuple[Keyed[ScalarNode], ...] = named_words()
    chosen_when_offered: tuple[Keyed[ScalarNode], ...] = named_words()
    none_stands_out: tuple[ScalarNode, ...] = words()
    ignore: tuple[Keyed[ScalarNode], ...] = named_words()
    groups: tuple[Keyed[ExpectGroup], ...] = named(ExpectGroup)


# ---- Records of changes to other packs as written; `compose.anchors` interprets them

class WasTo(Written):
    """A new value with the old one."""

    was: Node | None = raw()
    to: Node | None = raw()


class ChangeDocument(Titled):
    """A change to another pack."""

    matches: int | None = number()
    only_with: tuple[Keyed[ScalarNode], ...] = named_words()
    set: Node | None = raw()
    add: Node | None = raw()
    remove: Node | None = raw()
    before: Node | None = raw()
    after: Node | None = raw()
    around: Node | None = raw()
