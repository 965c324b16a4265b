"""Registry of the kernel's verbs, and the arguments of their functions.

Each module `verbs_…` registers functions, one for each sentence of `ruleset.language.vocabulary`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from attrs import frozen

from rulewright.ruleset.check.expressions.checker import ExpressionChecker
from rulewright.ruleset.check.scope import Scope, Text
from rulewright.ruleset.check.statements.sentence_match import Match
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.common.span import Span
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.table import nodes as t

Code = tuple[t.Stmt, ...]
Done = tuple[Code, Scope]
"""The result of a sentence: its code, and the scope after it."""
Branch = Callable[[str, tuple[s.Statement, ...], Scope], Code]
"""Checks statements that may not be reached; takes their name, the statements, and their scope."""


@frozen(repr=False)
class VerbCall(Record):
    """A call of a kernel verb.

    `match` has the arguments of its holes, `seat` is the acting player. Arguments are checked in `scope`, where
    effects are forbidden and the subject is known; `outer` is the scope of the sentence, which can gain a name.
    """

    match: Match
    node: s.Phrase
    seat: t.Expr | None
    scope: Scope
    outer: Scope
    text: Text

    @property
    def items(self) -> tuple[s.Expression, ...]:
        """The arguments of the holes, in order."""
        return tuple(item for _, item in self.match.filled)

    def item(self, name: str) -> s.Expression | None:
        """Return the argument of the hole of this name, or None."""
        return next((item for hole, item in self.match.filled if hole.name == name), None)

    def span(self, node: s.Node | None = None) -> Span:
        """Return the place of a part of the sentence, or of all of it."""
        part = self.node if node is None else node
        return self.text.span(part.start, part.end)


@frozen(repr=False)
class BlockCall(Record):
    """A call of a kernel verb with a block. `at` is its source; the other fields are as in `VerbCall`."""

    match: Match
    node: s.PhraseBlock
    seat: t.Expr
    scope: Scope
    text: Text
    at: int
    branch: Branch

    def span(self, node: s.Node) -> Span:
        """Return the place of a part of the block."""
        return self.text.span(node.start, node.end)


Verb = Callable[[ExpressionChecker, VerbCall], Done]
Block = Callable[[ExpressionChecker, BlockCall], Code]
VERBS: dict[str, Verb] = {}
"""Functions of sentences without a block, by their keys in the vocabulary."""
BLOCKS: dict[str, Block] = {}
"""Functions of sentences with a block."""

Function = TypeVar("Function")


def verb(key: str) -> Callable[[Verb], Verb]:
    """Register the function of a sentence without a block.

    It returns the code and the scope after the sentence; after a finding, no code and `outer`.
    """
    return _registered(VERBS, key)


def block(key: str) -> Callable[[Block], Block]:
    """Register the function of a sentence with a block. It returns the code; none after a finding."""
    return _registered(BLOCKS, key)


def _registered(registry: dict[str, Function], key: str) -> Callable[[Function], Function]:
    def register(function: Function) -> Function:
        assert key not in registry, f"two functions for `{key}`"
        registry[key] = function
        return function

    return register
