"""Records of rules and of the course of a game: verbs, hooks, windows, rounds, steps, the end."""

from __future__ import annotations

from typing import TypeAlias

from rulewright.ruleset.common.diagnostic import Span
from rulewright.ruleset.documents.reading import (
    Keyed,
    Several,
    Titled,
    Written,
    flag,
    named,
    named_words,
    parameters,
    part,
    said,
    several,
    texts,
    type_,
    word,
    word_or_words,
    words,
)
from rulewright.ruleset.source.nodes import Around, MappingNode, Node, ScalarNode, SequenceNode

# ------------------------------------------------------------------ bodies and menus

def body_of(node: Node) -> Body:
    """Read a body."""
    if isinstance(node, ScalarNode):
        return node
    return Step.made_of(node) if isinstance(node, MappingNode) else steps_of(node)


def steps_of(node: SequenceNode) -> Steps:
    """Read the steps of a list."""
    return Several(tuple(Step.made_of(one) for one in node.items if isinstance(one, MappingNode)), node.span)


def effect() -> Body | None:
    """A body: a text, a step, or several steps."""
    made: Body | None = said(body_of)
    return made


def step_list() -> Steps | None:
    made: Steps | None = said(lambda node: steps_of(node) if isinstance(node, SequenceNode) else None)
    return made


def conditions() -> Conditions | None:
    """A condition, or several that must all hold."""
    made: Conditions | None = said(_conditions)
    return made


def menu() -> Menu | None:
    """Options by their keys. An option that is a text has only an effect."""
    made: Menu | None = said(_menu)
    return made


def _conditions(node: Node) -> Conditions | None:
    if isinstance(node, ScalarNode):
        return (node,)
    return (
        tuple(one for one in node.items if isinstance(one, ScalarNode)) if isinstance(node, SequenceNode) else None
    )


def _menu(node: Node) -> Menu | None:
    return Several(tuple(_options(node)), node.span) if isinstance(node, MappingNode) else None


def _options(node: MappingNode) -> list[Keyed[MenuOption | ScalarNode]]:
    found: list[Keyed[MenuOption | ScalarNode]] = []
    for entry in node.entries:
        if isinstance(entry.value, MappingNode):
            found.append(Keyed(entry.key, MenuOption.made_of(entry.value)))
        elif isinstance(entry.value, ScalarNode):
            found.append(Keyed(entry.key, entry.value))
    return found


# ------------------------------------------------------------------ records

class Tie(Written):
    """How to choose one of several equal players."""

    first_in: ScalarNode | None = word()
    chosen_by: ScalarNode | None = word()


class Pole(Written):
    """A name for the player with most or fewest."""

    as_: ScalarNode | None = word()
    tie: Tie | None = part(Tie)


class ChoiceSpec(Written):
    """The pool of a choice, and the number to choose."""

    number: ScalarNode | None = word()
    from_: ScalarNode | None = word()


class Step(Written):
    """A step of a phase, a set-up, or an effect."""

    id: ScalarNode | None = word()
    name: Node | None = texts("scope")
    text: Node | None = texts("values")
    when: Conditions | None = conditions()
    unless: Conditions | None = conditions()
    turns: ScalarNode | None = word()
    until: ScalarNode | None = word()
    for_each: tuple[Keyed[ScalarNode], ...] = named_words()
    queue: ScalarNode | None = word()
    together: ScalarNode | None = word()
    choose: tuple[Keyed[ChoiceSpec], ...] = named(ChoiceSpec)
    while_: ScalarNode | None = word()
    optional: bool = flag()
    options: Menu | None = menu()
    do: Body | None = effect()
    steps: Steps | None = step_list()
    compare: ScalarNode | None = word()
    among: ScalarNode | None = word()
    by: ScalarNode | None = word()
    most: Pole | None = part(Pole)
    fewest: Pole | None = part(Pole)
    then: Body | None = effect()

    @property
    def span(self) -> Span:
        """The place of the whole step."""
        return self.node.span

    @property
    def around(self) -> Around | None:
        """The step as one that a house rule has put around others; None for other steps."""
        return self.node if isinstance(self.node, Around) else None


class MenuOption(Written):
    """An option of a menu with more than an effect."""

    name: Node | None = texts("scope")
    log: Node | None = texts("chosen")
    text: Node | None = texts("scope")
    each: tuple[Keyed[ScalarNode], ...] = named_words()
    when: Conditions | None = conditions()
    unless: Conditions | None = conditions()
    because: Node | None = texts("scope")
    do: Body | None = effect()
    then: ScalarNode | None = word()


Steps: TypeAlias = Several[Step]
Body: TypeAlias = ScalarNode | Step | Several[Step]
Conditions: TypeAlias = tuple[ScalarNode, ...]
Menu: TypeAlias = Several[Keyed[MenuOption | ScalarNode]]


class SetupDocument(Titled):
    """Steps before the first round."""

    steps: Steps | None = step_list()


class Phase(Titled):
    """A part of a round."""

    steps: Steps | None = step_list()


class Round(Titled):
    """Steps and phases that repeat until a condition holds."""

    turns_from: ScalarNode | None = word()
    steps: Steps | None = step_list()
    phases: tuple[ScalarNode, ...] = words(names="phase")
    until: ScalarNode | None = word()


class FinishDocument(Titled):
    """What happens at the end of the game."""

    reveals: tuple[ScalarNode, ...] = words(names="zone")
    awards: tuple[ScalarNode, ...] = words(names="award")
    steps: Steps | None = step_list()


class Prize(Written):
    """The prize for having most alone, and the prize for each of several."""

    alone: ScalarNode | None = word()
    shared: ScalarNode | None = word()


class Award(Titled):
    """Points at the end of the game."""

    when: ScalarNode | None = word()
    for_each: tuple[Keyed[ScalarNode], ...] = named_words()
    sum: ScalarNode | None = word()
    majority: ScalarNode | None = word()
    rank: ScalarNode | None = word()
    at_least: ScalarNode | None = word()
    prize: Prize | None = part(Prize)
    prizes: ScalarNode | tuple[ScalarNode, ...] | None = word_or_words("value")
    ties: ScalarNode | None = word()


class OtherWinner(Written):
    """How the winners are chosen if nobody has won so far."""

    when: ScalarNode | None = word()
    among: ScalarNode | None = word()
    order: tuple[ScalarNode, ...] = words()
    ties: ScalarNode | None = word()


class Winner(Titled):
    """How the winners are chosen: candidates and criteria. Of several, the first whose condition holds decides."""

    when: ScalarNode | None = word()
    among: ScalarNode | None = word()
    order: tuple[ScalarNode, ...] = words()
    ties: ScalarNode | None = word()
    if_nobody: OtherWinner | None = part(OtherWinner)


class SeriesDocument(Titled):
    """Games one after the other at one table: what follows each game, and when and how the series ends."""

    after_each_game: Body | None = effect()
    until: ScalarNode | None = word()
    score: ScalarNode | None = word()
    order: tuple[ScalarNode, ...] = words()
    ties: ScalarNode | None = word()


# ---- Rules

ANCHOR = "anchor"
"""The target of a hook: the id of a verb or step, with its kind."""
MOVE = "move"
"""The place of a hook on movement: every sentence that moves the cards that it says."""


class VerbDocument(Titled):
    """A sentence and its effect. Its name is the sentence."""

    gives: tuple[Keyed[ScalarNode], ...] = parameters()
    do: Body | None = effect()


class CaseDocument(Written):
    """The result of a function, or the value of a field, if a condition holds."""

    when: ScalarNode | None = word()
    is_: ScalarNode | None = word()


class FunctionDocument(Titled):
    """A named expression."""

    takes: tuple[Keyed[ScalarNode], ...] = parameters()
    gives: ScalarNode | None = type_()
    because: Node | None = texts("scope")
    is_: ScalarNode | None = word()
    cases: Several[CaseDocument] | None = several(CaseDocument)


class Hook(Titled):
    """An effect before, after, or instead of a verb or step, or of several, at once or when awaited."""

    before: tuple[ScalarNode, ...] = words(names=ANCHOR)
    after: tuple[ScalarNode, ...] = words(names=ANCHOR)
    instead_of: ScalarNode | None = word(names=ANCHOR)
    from_: tuple[ScalarNode, ...] = words(names="zone")
    to: tuple[ScalarNode, ...] = words(names="zone")
    where: ScalarNode | None = word()
    waits: bool = flag()
    when: Conditions | None = conditions()
    do: Body | None = effect()

    @property
    def on_movement(self) -> bool:
        """Whether it happens after cards have moved, and not at certain places."""
        return any(anchor.text == MOVE for _, anchor in self.anchors)

    @property
    def anchors(self) -> tuple[tuple[str, ScalarNode], ...]:
        """The anchors, each with its key."""
        instead = (self.instead_of,) if self.instead_of is not None else ()
        said = (("before", self.before), ("after", self.after), ("instead-of", instead))
        return tuple((key, anchor) for key, anchors in said for anchor in anchors)


class Modifier(Titled):
    """A change to the result of a function, a field of a kind, or a value, while it is active."""

    changes: ScalarNode | None = word()
    while_: ScalarNode | None = word()
    is_: ScalarNode | None = word()
    when: ScalarNode | None = word()


class Window(Titled):
    """A moment at which players may react."""

    takes: tuple[Keyed[ScalarNode], ...] = parameters()
    asks: ScalarNode | None = word()
    order: ScalarNode | None = word()
    first: bool = flag()
    again: bool = flag()
    options: Menu | None = menu()


class Challenge(Written):
    """The players who may challenge a claim."""

    asks: ScalarNode | None = word()
    order: ScalarNode | None = word()


class Claim(Titled):
    """A statement that may be a lie."""

    takes: tuple[Keyed[ScalarNode], ...] = parameters()
    proof: ScalarNode | None = word()
    challenge: Challenge | None = part(Challenge)
    when_true: Body | None = effect()
    when_false: Body | None = effect()
