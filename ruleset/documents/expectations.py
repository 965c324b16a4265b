"""Records of what games between bots are expected to be like."""

from __future__ import annotations

from rulewright.ruleset.documents.reading import (
    Declaring,
    Keyed,
    Written,
    named,
    named_nodes,
    named_words,
    raw,
    texts,
    word,
    words,
)
from rulewright.ruleset.source.nodes import Node, Scalar


class ExpectGroup(Written):
    """Definitions of a kind that are weighed against each other."""

    name: Node | None = texts()
    kind: Scalar | None = word(names="kind")
    where: Scalar | None = word()


class Expect(Declaring):
    """Thresholds for games at one table, and the groups in which definitions are weighed."""

    text: Node | None = texts()
    source: Scalar | None = word()
    players: Node | None = raw()
    options: tuple[Keyed[Node], ...] = named_nodes()
    bot: Scalar | None = word(names="bot")
    first_seat_wins: Scalar | None = word()
    no_winner: Scalar | None = word()
    several_winners: Scalar | None = word()
    mean_length: Scalar | None = word()
    usual_length: Scalar | None = word()
    offered_in_games: tuple[Keyed[Scalar], ...] = named_words()
    chosen_when_offered: tuple[Keyed[Scalar], ...] = named_words()
    none_stands_out: tuple[Scalar, ...] = words()
    ignore: tuple[Keyed[Scalar], ...] = named_words()
    groups: tuple[Keyed[ExpectGroup], ...] = named(ExpectGroup)
