"""Records of rules: verbs, functions, hooks, modifiers, windows, and claims."""

from __future__ import annotations

from rulewright.ruleset.documents.reading import (
    Keyed,
    Several,
    Titled,
    Written,
    flag,
    parameters,
    part,
    several,
    texts,
    type_,
    word,
    words,
)
from rulewright.ruleset.documents.steps import Body, Conditions, Menu, conditions, effect, menu
from rulewright.ruleset.source.nodes import Node, Scalar

ANCHOR = "anchor"
"""The target of a hook: the id of a verb or step, with its kind."""
MOVE = "move"
"""The place of a hook on movement: every sentence that moves the cards that it says."""


class VerbDocument(Titled):
    """A sentence and its effect. Its name is the sentence."""

    gives: tuple[Keyed[Scalar], ...] = parameters()
    do: Body | None = effect()


class Case(Written):
    """The result of a function, or the value of a field, if a condition holds."""

    when: Scalar | None = word()
    is_: Scalar | None = word()


class FunctionDocument(Titled):
    """A named expression."""

    takes: tuple[Keyed[Scalar], ...] = parameters()
    gives: Scalar | None = type_()
    because: Node | None = texts("scope")
    is_: Scalar | None = word()
    cases: Several[Case] | None = several(Case)


class Hook(Titled):
    """An effect before, after, or instead of a verb or step, or of several, at once or when awaited."""

    before: tuple[Scalar, ...] = words(names=ANCHOR)
    after: tuple[Scalar, ...] = words(names=ANCHOR)
    instead_of: Scalar | None = word(names=ANCHOR)
    from_: tuple[Scalar, ...] = words(names="zone")
    to: tuple[Scalar, ...] = words(names="zone")
    where: Scalar | None = word()
    waits: bool = flag()
    when: Conditions | None = conditions()
    do: Body | None = effect()

    @property
    def on_movement(self) -> bool:
        """Whether it happens after cards have moved, and not at certain places."""
        return any(anchor.text == MOVE for _, anchor in self.anchors)

    @property
    def anchors(self) -> tuple[tuple[str, Scalar], ...]:
        """The anchors, each with its key."""
        instead = (self.instead_of,) if self.instead_of is not None else ()
        said = (("before", self.before), ("after", self.after), ("instead-of", instead))
        return tuple((key, anchor) for key, anchors in said for anchor in anchors)


class Modifier(Titled):
    """A change to the result of a function, a field of a kind, or a value, while it is active."""

    changes: Scalar | None = word()
    while_: Scalar | None = word()
    is_: Scalar | None = word()
    when: Scalar | None = word()


class Window(Titled):
    """A moment at which players may react."""

    takes: tuple[Keyed[Scalar], ...] = parameters()
    asks: Scalar | None = word()
    order: Scalar | None = word()
    first: bool = flag()
    again: bool = flag()
    options: Menu | None = menu()


class Challenge(Written):
    """The players who may challenge a claim."""

    asks: Scalar | None = word()
    order: Scalar | None = word()


class Claim(Titled):
    """A statement that may be a lie."""

    takes: tuple[Keyed[Scalar], ...] = parameters()
    proof: Scalar | None = word()
    challenge: Challenge | None = part(Challenge)
    when_true: Body | None = effect()
    when_false: Body | None = effect()
