"""Records of steps and bodies. A body is a text, a step, or several steps."""

from __future__ import annotations

from typing import TypeAlias

from rulewright.ruleset.common.span import Span
from rulewright.ruleset.documents.reading import (
    Keyed,
    Several,
    Written,
    flag,
    named,
    named_words,
    part,
    said,
    texts,
    word,
)
from rulewright.ruleset.source.nodes import Around, Mapping, Node, Scalar, Sequence

# ------------------------------------------------------------------ bodies and menus


def body_of(node: Node) -> Body:
    """Read a body."""
    if isinstance(node, Scalar):
        return node
    return Step.made_of(node) if isinstance(node, Mapping) else steps_of(node)


def steps_of(node: Sequence) -> Steps:
    """Read the steps of a list."""
    return Several(tuple(Step.made_of(one) for one in node.items if isinstance(one, Mapping)), node.span)


def effect() -> Body | None:
    """A body: a text, a step, or several steps."""
    made: Body | None = said(body_of)
    return made


def step_list() -> Steps | None:
    """A list of steps."""
    made: Steps | None = said(lambda node: steps_of(node) if isinstance(node, Sequence) else None)
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
    if isinstance(node, Scalar):
        return (node,)
    return tuple(one for one in node.items if isinstance(one, Scalar)) if isinstance(node, Sequence) else None


def _menu(node: Node) -> Menu | None:
    return Several(tuple(_options(node)), node.span) if isinstance(node, Mapping) else None


def _options(node: Mapping) -> list[Keyed[MenuOption | Scalar]]:
    found: list[Keyed[MenuOption | Scalar]] = []
    for entry in node.entries:
        if isinstance(entry.value, Mapping):
            found.append(Keyed(entry.key, MenuOption.made_of(entry.value)))
        elif isinstance(entry.value, Scalar):
            found.append(Keyed(entry.key, entry.value))
    return found


# ------------------------------------------------------------------ records


class Tie(Written):
    """How to choose one of several equal players."""

    first_in: Scalar | None = word()
    chosen_by: Scalar | None = word()


class Pole(Written):
    """A name for the player with most or fewest."""

    as_: Scalar | None = word()
    tie: Tie | None = part(Tie)


class ChoiceSpec(Written):
    """The pool of a choice, and the number to choose."""

    number: Scalar | None = word()
    from_: Scalar | None = word()


class Step(Written):
    """A step of a phase, a set-up, or an effect."""

    id: Scalar | None = word()
    name: Node | None = texts("scope")
    text: Node | None = texts("values")
    when: Conditions | None = conditions()
    unless: Conditions | None = conditions()
    turns: Scalar | None = word()
    until: Scalar | None = word()
    for_each: tuple[Keyed[Scalar], ...] = named_words()
    queue: Scalar | None = word()
    together: Scalar | None = word()
    choose: tuple[Keyed[ChoiceSpec], ...] = named(ChoiceSpec)
    while_: Scalar | None = word()
    optional: bool = flag()
    options: Menu | None = menu()
    do: Body | None = effect()
    steps: Steps | None = step_list()
    compare: Scalar | None = word()
    among: Scalar | None = word()
    by: Scalar | None = word()
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
    each: tuple[Keyed[Scalar], ...] = named_words()
    when: Conditions | None = conditions()
    unless: Conditions | None = conditions()
    because: Node | None = texts("scope")
    do: Body | None = effect()
    then: Scalar | None = word()


Steps: TypeAlias = Several[Step]
Body: TypeAlias = Scalar | Step | Several[Step]
Conditions: TypeAlias = tuple[Scalar, ...]
Menu: TypeAlias = Several[Keyed[MenuOption | Scalar]]
