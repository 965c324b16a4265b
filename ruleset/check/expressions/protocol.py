"""The interface of `ExpressionChecker` that its parts use."""

from __future__ import annotations

from typing import Protocol

from rulewright.ruleset.check.context import Context
from rulewright.ruleset.check.expressions.names import NameResolver
from rulewright.ruleset.check.scope import Scope, TextPart, Value
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.types import Type


class Expressions(Protocol):
    """Checks nested expressions."""

    @property
    def context(self) -> Context: ...

    @property
    def names(self) -> NameResolver: ...

    def check(
        self, node: s.Expression, scope: Scope, text: TextPart, expected: Type | None = None
    ) -> Value | None: ...

    def operand(self, node: s.Expression, scope: Scope, text: TextPart, number: bool) -> Value | None: ...

    def listed(self, node: s.Expression, scope: Scope, text: TextPart) -> Value | None: ...

    def filtered(self, node: s.Expression, scope: Scope, text: TextPart, name: str) -> Value | None: ...
