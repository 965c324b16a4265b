"""Records of rules: verbs, functions, hooks, modifiers, windows, and claims."""

from __future__ import annotations

from rulewright.ruleset.documents.flow import Body, Conditions, Menu, conditions, effect, menu
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
from rulewright.ruleset.source.nodes import Node, ScalarNode

ANCHOR = "anchor"
"""The target of a hook: the id of a verb or step, with its kind."""
MOVE = "move"
"""The place of a hook on movement: every sentence that moves the cards that it says."""


class VerbDocument(Titled):
    """A sentence and its effect. Its name is the sentence."""

    gives: tuple[Keyed[ScalarNode], ...] = parameters()
    do: Body | None = effect()


class Case(Written):
    """The result of a function, or the value of a field, if a condition holds."""

    when: ScalarNode | None = word()
    is_: ScalarNode | None = word()


class FunctionDocument(Titled):
    """A named expression."""

    takes: tuple[Keyed[ScalarNode], ...] = parameters()
    gives: ScalarNode | None = type_()
    because: Node | None = texts("scope")
    is_: ScalarNode | None = word()
    cases: Several[Case] | None = several(Case)


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
