"""Check expressions: resolve names and check types of a `language.ast` tree within a scope.

A function that returns None has reported a finding, so its callers report nothing.
"""

from __future__ import annotations

from functools import partial
from typing import assert_never

from attrs import evolve

from rulewright.ruleset.check.context import CheckContext, record_condition
from rulewright.ruleset.check.expressions.calls import call, read_around
from rulewright.ruleset.check.expressions.comparisons import comparison, makes_list, summed
from rulewright.ruleset.check.expressions.filters import (
    end_of,
    extreme,
    number_range,
    over,
    place_of,
    quantified,
    where,
)
from rulewright.ruleset.check.expressions.fitting import cards_of, fit, list_of, number_of
from rulewright.ruleset.check.expressions.names import NameResolver
from rulewright.ruleset.check.hints import report_syntax
from rulewright.ruleset.check.scope import AssignTarget, CheckedExpression, Scope, TextPart
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.parser import parse_expression
from rulewright.ruleset.language.syntax_errors import Mistake
from rulewright.ruleset.language.types import BOOLEAN, NUMBER, Type
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.settled import asks_every, is_settled
from rulewright.ruleset.source.nodes import Node, ScalarNode
from rulewright.ruleset.table import nodes as t

_OPERATORS: dict[str, t.Operator] = {"+": "+", "-": "-", "*": "*", "div": "//", "mod": "%"}


class ExpressionChecker:
    """Checks expressions; `NameResolver` resolves single names."""

    def __init__(self, context: CheckContext) -> None:
        self.context = context
        self.names = NameResolver(context)

    def read(self, scalar: ScalarNode, scope: Scope, expected: Type | None = None) -> CheckedExpression | None:
        """Check a whole string as one expression."""
        return self.part(scalar, 0, scope, expected)

    def part(
        self, scalar: ScalarNode, offset: int, scope: Scope, expected: Type | None = None
    ) -> CheckedExpression | None:
        """Check the rest of a string, from an offset, as one expression, with what packs put around it."""
        weave = self.context.declared.woven.get(scalar.span) if not offset else None
        if weave is None or not weave.around:
            return self.whole(scalar, offset, scope, expected)
        inner = partial(self.whole, scalar, 0, scope, expected)
        return read_around(self, self.whole, weave.around, inner, scope, expected)

    def whole(
        self, scalar: ScalarNode, offset: int, scope: Scope, expected: Type | None
    ) -> CheckedExpression | None:
        """Check an expression without what packs put around it."""
        text = TextPart(scalar, offset)
        tree = parse_expression(scalar.text[offset:])
        if isinstance(tree, Mistake):
            report_syntax(self.context, tree, text)
            self.context.leave_out(scalar.span, scope)
            return None
        tree = self.context.declared.tree(tree, scalar.span)
        if expected == BOOLEAN:
            return record_condition(self.context, text, tree, lambda: self.check(tree, scope, text, expected))
        return self.check(tree, scope, text, expected)

    def read_node(self, node: Node | None, scope: Scope, expected: Type | None = None) -> CheckedExpression | None:
        """Check the text of a document's key as an expression without effects; None if it is not text."""
        return self.read(node, scope.to_read(), expected) if isinstance(node, ScalarNode) else None

    def check(
        self, node: s.Expression, scope: Scope, text: TextPart, expected: Type | None = None
    ) -> CheckedExpression | None:
        """Return the value of an expression, converted to the type `expected` if given."""
        found = self._checked(node, scope, text, expected)
        if found is None:
            self.context.leave_out(text.span(node.start, node.end), scope)
        elif self.context.parts is not None:
            self.context.parts[id(node)] = found
        return found

    def operand(self, node: s.Expression, scope: Scope, text: TextPart, number: bool) -> CheckedExpression | None:
        """Check an operand. `number`: it must be one, so near names of an unknown name are those of numbers."""
        self.names.hints.wanted = NUMBER if number and isinstance(node, s.NameNode) else None
        value = self.check(node, scope, text)
        self.names.hints.wanted = None
        return value

    def listed(self, node: s.Expression, scope: Scope, text: TextPart) -> CheckedExpression | None:
        """Check an expression that must be a list; a zone gives its cards, an enumeration its members."""
        value = self.check(node, scope, text)
        if value is None:
            return None
        if value.type.name == "zone":
            return cards_of(value)
        return value if list_of(self.context, value, node, text) is not None else None

    def filtered(self, node: s.Expression, scope: Scope, text: TextPart, name: str) -> CheckedExpression | None:
        """Check a list that a name runs over; the list's own `where` can use the name."""
        if isinstance(node, s.Where):
            return where(self, node, scope, text, name)
        return self.listed(node, scope, text)

    def _checked(
        self, node: s.Expression, scope: Scope, text: TextPart, expected: Type | None
    ) -> CheckedExpression | None:
        found = self._by_kind(node, scope, text, expected)
        if found is None:
            return None
        if found.target is not None and found.target.missing:
            self._which(found.target, scope, text, node)
            return None
        if scope.reading and found.effectful:
            hint = "in an effect, `move` or `reveal` the card with `as NAME`, and use that name"
            end = node.word if isinstance(node, s.EndOf) else "end"
            message = f"reading the {end} of `{found.effectful}` could shuffle: it refills itself"
            self.context.report("RW501", text.span(node.start, node.end), message, hint)
            return None
        return fit(self.context, found, expected, node, text) if expected is not None else found

    def _which(self, target: AssignTarget, scope: Scope, text: TextPart, node: s.Expression) -> None:
        """Report a track or zone without the index that selects one for a seat, member, or definition."""
        if target.key in self.context.poisoned:
            return
        d, of, says = self.context.declared, target.missing[0], text.says(node.start, node.end)
        members = d.enumerations[of][1] if of in d.enumerations else ()
        names = [*members, *(key for key, one in d.definitions.items() if one.kind == p.scope_kind(of))]
        this = scope.names.get("this")
        index = "this" if this is not None and this.type.of == p.scope_kind(of) else next(iter(names), "…")
        hint = f"write, for example, `{says}[{index}]`"
        if of.endswith(p.EACH_CARD) and index != "this":
            hint = f"name a card: `c's {says}`"
        span = text.span(node.start, node.end)
        self.context.report("RW436", span, f"`{says}` has one value for each `{of}`", hint)

    # -------------------------------------------------------------- by kind

    def _by_kind(
        self, node: s.Expression, scope: Scope, text: TextPart, expected: Type | None
    ) -> CheckedExpression | None:
        match node:
            case s.NumberNode():
                return CheckedExpression(t.Const(node.value), NUMBER)
            case s.NameNode(text="proceed") if scope.proceeds is not None:
                return scope.proceeds()
            case s.NameNode():
                return self.names.check(node, scope, text, expected)
            case s.Of():
                return self._of(node, scope, text)
            case s.At():
                return self._at(node, scope, text)
            case s.CallOf():
                return call(self, node, scope, text)
            case s.Arithmetic():
                return self._arithmetic(node, scope, text, expected)
            case s.Logic():
                return self._logic(node, scope, text)
            case s.Negation():
                operand = self.check(node.operand, scope, text, BOOLEAN)
                return CheckedExpression(t.Not(number_of(operand)), BOOLEAN) if operand else None
            case s.Comparison():
                return comparison(self, node, scope, text)
            case s.Where():
                return where(self, node, scope, text)
            case s.WithExtreme():
                return extreme(self, node, scope, text)
            case s.Quantified():
                return quantified(self, node, scope, text)
            case s.TotalOver() | s.HighestOver():
                return over(self, node, scope, text)
            case s.EndOf():
                return end_of(self, node, scope, text)
            case s.Every():
                return self.names.nouns.every(node, text)
            case s.RangeNode():
                return number_range(self, node, scope, text)
            case s.AnyNumber():
                hint = "write `choose any number of cards from … as …`"
                message = "`any number of` can only follow `choose`"
                self.context.report("RW425", text.span(node.start, node.end), message, hint)
                return None
            case _:
                assert_never(node)

    def _part_of(
        self, node: s.Expression, scope: Scope, text: TextPart, expected: Type
    ) -> CheckedExpression | None:
        """Check a part of a sum that must be a list; a bare word may be a member of its enumeration."""
        members = self.context.declared.enumerations.get(expected.of, (None, ()))[1]
        if isinstance(node, s.NameNode) and node.text in members and node.text not in scope.names:
            return self.check(node, scope, text, expected.one)
        if isinstance(node, s.Arithmetic):
            return self._arithmetic(node, scope, text, expected)
        return self.operand(node, scope, text, False)

    def _logic(self, node: s.Logic, scope: Scope, text: TextPart) -> CheckedExpression | None:
        left = self.check(node.left, scope, text, BOOLEAN)
        right = self.check(node.right, scope, text, BOOLEAN)
        if left is None or right is None:
            return None
        build = t.And if node.op == "and" else t.Or
        return CheckedExpression(build(number_of(left), number_of(right)), BOOLEAN)

    def _of(self, node: s.Of, scope: Scope, text: TextPart) -> CheckedExpression | None:
        owner = self.check(node.owner, scope, text)
        return self.names.properties.check(owner, node.name, scope, text, node) if owner else None

    def _at(self, node: s.At, scope: Scope, text: TextPart) -> CheckedExpression | None:
        word = node.base.text if isinstance(node.base, s.NameNode) else ""
        if word not in scope.names and self.names.belongings.kept_by_kind(word):
            name, of = (text.says(one.start, one.end) for one in (node.base, node.index))
            of = of if isinstance(node.index, s.NameNode | s.Of) else f"({of})"
            span = text.span(node.start, node.end)
            scope_ = self.context.declared.lists[word][1].scope
            kind = p.scope_kind(scope_)
            message = f"each `{kind}` has its own list `{name}`, which takes no index"
            hint = f"write `{of}'s {name}`"
            d = self.context.declared
            if scope_.endswith(p.EACH_CARD) and of not in scope.names and of in d.definitions:
                hint = f"name a card: `c's {name}`"
            self.context.report("RW436", span, message, hint)
            return None
        # This is the track without an owner, not that of `it`.
        of_all = word in self.context.declared.tracks and not self.names.belongings.is_owned(word)
        base = self._by_kind(node.base, evolve(scope, member=None) if of_all else scope, text, None)
        if base is None:
            return None
        if base.target is None or not base.target.missing:
            return place_of(self, node, base, scope, text)
        wanted = base.target.missing[0]
        type_ = self.names.belongings.scope_type(wanted)
        index = self.check(node.index, scope, text, type_ if type_.name != "card" else None)
        if index is not None and type_.name == "card":
            if index.type.name == "definition" and not index.type.many:
                place = text.span(node.index.start, node.index.end)
                self.names.belongings.copies_apart(base.target.key, wanted, index.type, place)
                return None
            index = fit(self.context, index, type_, node.index, text)
        if index is None:
            return None
        span = text.span(node.index.start, node.index.end)
        return self.names.belongings.indexed(base, self.context.present(index, span), span)

    def _arithmetic(
        self, node: s.Arithmetic, scope: Scope, text: TextPart, expected: Type | None
    ) -> CheckedExpression | None:
        numbers = node.op != "+" or isinstance(node.left, s.NumberNode) or isinstance(node.right, s.NumberNode)
        if node.op == "+" and expected is not None and expected.many:
            left, right = (self._part_of(one, scope, text, expected) for one in (node.left, node.right))
        else:
            left = self.operand(node.left, scope, text, numbers)
            right = self.operand(node.right, scope, text, numbers)
        if left is None or right is None:
            return None
        if node.op == "+" and makes_list(left, right):
            return summed(self, left, right, node, scope, text)
        fitted = (
            fit(self.context, left, NUMBER, node.left, text),
            fit(self.context, right, NUMBER, node.right, text),
        )
        if fitted[0] is None or fitted[1] is None:
            return None
        at = self.context.source("", text.span(node.start, node.end))
        return CheckedExpression(
            t.Checked(_OPERATORS[node.op], number_of(fitted[0]), number_of(fitted[1]), at), NUMBER
        )


# ---- Expressions whose values are known before a game begins

def settled(expressions: ExpressionChecker, node: Node | None, type_: Type | None, scope: Scope) -> t.Expr | None:
    """Return the code of such an expression; None if there is none, or after a finding."""
    if not isinstance(node, ScalarNode):
        return None
    expressions.context.settling = True
    value = expressions.read(node, scope, type_)
    expressions.context.settling = False
    if value is None or not isinstance(value.node, t.Expr):
        return None
    asked = asks_every(expressions.context.derived, value.node)
    if asked:
        message = f"`{asked}` depends on which definitions are in the game"
        hint = "`when` and `copies` can use derived fields that do not ask `every KIND`"
        expressions.context.report("RW324", node.span, message, hint)
        return None
    if not is_settled(value.node):
        message = "this value is not known before the game starts"
        hint = "use numbers, options, values, or `count(all-players)`"
        expressions.context.report("RW324", node.span, message, hint)
        return None
    return value.node
