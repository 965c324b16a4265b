"""The kernel's verbs: what the function of a verb is given, and by which key it is found.

Each module `verbs_…` registers functions, one for each sentence of `ruleset.language.vocabulary`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from attrs import frozen

from ruleset.check.expressions.checker import ExpressionChecker
from ruleset.check.scope import Scope, Text
from ruleset.check.statements.sentence_match import Match
from ruleset.common.record import Record
from ruleset.common.span import Span
from ruleset.language import ast as s
from ruleset.table import nodes as t

Code = tuple[t.Stmt, ...]
Done = tuple[Code, Scope]
"""What a sentence becomes: its code, and the scope after it."""
Branch = Callable[[str, tuple[s.Statement, ...], Scope], Code]
"""Checks statements that may not be reached: how they are called, the statements, and the scope they stand in."""


@frozen(repr=False)
class VerbCall(Record):
    """A sentence that was found to be a verb of the kernel.

    `match` says what fills its holes, `seat` who acts. Arguments are read in `scope`, where effects are forbidden
    and the subject is known; `outer` is the scope that the sentence stands in, and that it may give a name to.
    """

    match: Match
    node: s.Phrase
    seat: t.Expr | None
    scope: Scope
    outer: Scope
    text: Text

    @property
    def items(self) -> tuple[s.Expression, ...]:
        """What fills the holes, in their order."""
        return tuple(item for _, item in self.match.filled)

    def item(self, name: str) -> s.Expression | None:
        """What fills the hole of this name, if there is one."""
        return next((item for hole, item in self.match.filled if hole.name == name), None)

    def span(self, node: s.Node | None = None) -> Span:
        """The place of a part of the sentence, or of all of it."""
        part = self.node if node is None else node
        return self.text.span(part.start, part.end)


@frozen(repr=False)
class BlockCall(Record):
    """A sentence with a block that was found to be a verb of the kernel. `at` is its source; the rest as for
    `VerbCall`."""

    match: Match
    node: s.PhraseBlock
    seat: t.Expr
    scope: Scope
    text: Text
    at: int
    branch: Branch

    def span(self, node: s.Node) -> Span:
        """The place of a part of the block."""
        return self.text.span(node.start, node.end)


Verb = Callable[[ExpressionChecker, VerbCall], Done]
Block = Callable[[ExpressionChecker, BlockCall], Code]
VERBS: dict[str, Verb] = {}
"""The functions of sentences without a block, by the keys of the vocabulary."""
BLOCKS: dict[str, Block] = {}
"""Those of sentences with a block."""

Function = TypeVar("Function")


def verb(key: str) -> Callable[[Verb], Verb]:
    """Registers the function of a sentence without a block. It gives the code and the scope after the sentence;
    where it has reported something, no code and `outer`."""
    return _registered(VERBS, key)


def block(key: str) -> Callable[[Block], Block]:
    """Registers the function of a sentence with a block. It gives the code; none after a finding."""
    return _registered(BLOCKS, key)


def _registered(registry: dict[str, Function], key: str) -> Callable[[Function], Function]:
    def register(function: Function) -> Function:
        assert key not in registry, f"two functions for `{key}`"
        registry[key] = function
        return function

    return register
