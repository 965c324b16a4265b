"""Weave sentences with the code that packs put before, after, and around them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from attrs import evolve

from rulewright.ruleset.check.context import Context
from rulewright.ruleset.check.scope import Original, Scope
from rulewright.ruleset.check.statements.verb_registry import Code, Done
from rulewright.ruleset.common.span import Span
from rulewright.ruleset.compose.weave import part_span
from rulewright.ruleset.declare.declarations import WovenBodies
from rulewright.ruleset.documents.steps import Body
from rulewright.ruleset.language.ast_rename import names_given
from rulewright.ruleset.language.parser import parse_effect
from rulewright.ruleset.language.syntax_errors import Mistake
from rulewright.ruleset.source.nodes import Scalar


class Weaver:
    """Weaves bodies. `plain_body` checks an effect without surrounding code, as `StepChecker` does."""

    def __init__(self, context: Context, plain_body: Callable[[Body, Scope], Done]) -> None:
        self.context = context
        self.plain_body = plain_body

    def woven(self, node: Body, body: Original, scope: Scope) -> Code:
        """Return the code at a place, including what packs put there.

        Code is built in execution order, as if written by hand; later code knows the names that are always given.
        """
        weave = self.context.declared.woven.get(node.span)
        if weave is None:
            return body()[0]
        return self._all(weave, partial(self._given, body, scope), self._names_in(node), scope)

    def part(self, effect: Span, label: str, body: Callable[[], Code], names: frozenset[str], scope: Scope) -> Code:
        """Return the code of a part of an effect, with what packs put there; `names` are those given inside."""
        weave = self.context.declared.woven.get(part_span(effect, label))
        if weave is None:
            return body()
        instead = weave.instead

        def given() -> Done:
            code = self.plain_body(instead, scope)[0] if instead is not None else body()
            return code, Scope(scope.unit)

        return self._all(weave, given, names, scope)

    def _all(self, weave: WovenBodies, given: Original, names: frozenset[str], scope: Scope) -> Code:
        inside = evolve(scope, inside=names - scope.names.keys(), lent=frozenset())
        for insert in weave.around:
            given = partial(self._around, insert, given, inside)
        code = [statement for insert in weave.before for statement in self._inserted(insert, inside)[0]]
        middle, after = given()
        code += middle
        behind = inside.lend(after)
        code += [statement for insert in weave.after for statement in self._inserted(insert, behind)[0]]
        return tuple(code)

    def _names_in(self, node: Body) -> frozenset[str]:
        """Return the names that the sentences of a text give, including those in branches."""
        tree = parse_effect(node.text) if isinstance(node, Scalar) else ()
        if isinstance(tree, Mistake):
            return frozenset()
        return names_given(self.context.declared.tree(tree, node.span))

    def _given(self, body: Original, scope: Scope) -> Done:
        """Return the code of sentences, and a scope with the names that they give to packs around them.

        Names with a meaning for all packs are left out.
        """
        code, after = body()
        names = after.names.items()
        given = {name: bound for name, bound in names if name not in scope.names and not self._means(name)}
        return code, Scope(scope.unit, given, lost=after.lost)

    def _means(self, word: str) -> bool:
        """Whether a word has a meaning without a local name."""
        d = self.context.declared
        groups = (d.functions, d.definitions, d.kinds, d.plurals, d.enumerations)
        return any(word in group for group in groups) or d.member(word) is not None

    def _around(self, node: Body, body: Original, scope: Scope) -> Done:
        carried = self.context.proceed_count.setdefault(node.span, 0)
        code, after = self._inserted(node, evolve(scope, original=(node.span, body)))
        times = self.context.proceed_count[node.span] - carried
        if times != 1:
            message = "`proceed` occurs more than once" if times else "`proceed` is missing"
            hint = "write `proceed` once, where the original effect runs; to replace that effect, use `set`"
            self.context.report("RW629", node.span, message, hint)
        return code, Scope(scope.unit, {name: after.names[name] for name in after.lent}, lost=after.lost)

    def _inserted(self, node: Body, scope: Scope) -> Done:
        """Return the code of an insert and the scope after it. Its choices have their own ids."""
        pack = self.context.declared.owners.get(node.span.path)
        prefix = f"{scope.prefix or scope.unit.key}.{pack}" if pack is not None else scope.prefix
        code, after = self.plain_body(node, evolve(scope, prefix=prefix))
        self.context.inserted_code[node.span] = code
        return code, after
