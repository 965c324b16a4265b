"""Lower the reasons why decisions leave options out (`table.reasons`), separately and only on request.

The table is lowered again, exactly as for play; then the candidates and conditions of its sites are lowered in the
same units. New variables, functions, and tables are added after all others, so the numbers of the game's program
keep their meaning, and its hash is unaffected.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from rulewright.ruleset.language.types import Type
from rulewright.ruleset.lower.decisions import UnitCode
from rulewright.ruleset.lower.lowering import Lowering, prepared
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.call_effects import Effects
from rulewright.ruleset.program.traversal import everything
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.reasons import (
    Called,
    Domain,
    MenuEntry,
    Performs,
    ReasonClause,
    ReasonOperand,
    Reasons,
    Test,
)


def lower_reasons(program: p.Program, seats: int, options: dict[str, str] | None = None) -> Reasons:
    """Lower the reasons of a table. Raises `TableError` if the pack does not allow this table."""
    lowering = prepared(program, seats, options, _Explaining)
    assert isinstance(lowering, _Explaining)
    return lowering.reasons()


class _Explaining(Lowering):
    """Records which code asks at which site."""

    def __init__(
        self, program: p.Program, effects: Effects, seats: int, options: dict[str, int], room: int
    ) -> None:
        super().__init__(program, effects, seats, options, room)
        self.asked: dict[int, tuple[UnitCode, t.Stmt]] = {}
        self.conditions = {id(one.node): one for one in program.conditions}
        self.declared = {one.unit.key: one for one in program.functions}
        self.scopes = {track.key: track.scope for track in program.tracks}

    def asks(self, site: int, code: UnitCode, node: t.Stmt) -> None:
        self.asked[site] = (code, node)

    def reasons(self) -> Reasons:
        table = self.run()
        sites = tuple(tuple(self._ways(*self.asked[site])) for site in range(len(table.sites)))
        more = evolve(
            table,
            tables=tuple(self.layout.tables),
            lists=tuple(self.layout.lists),
            functions=tuple(f for f in self.function_code if f is not None),
        )
        return Reasons(more, sites)

    def _ways(self, code: UnitCode, node: t.Stmt) -> Iterator[MenuEntry]:
        if isinstance(node, p.Choose | p.ChooseTogether):
            because = node.because
            candidate = because.candidate if because is not None else code.variable("member", node.of)
            shows = code.shown(because.shows) if because is not None else ()
            yield MenuEntry(-1, (self._domain(code, candidate, node.pool, node.of),), (), shows=shows)
            return
        assert isinstance(node, p.Menu | p.MenuTogether)
        for number, branch in enumerate(node.branches):
            domains = tuple(
                self._domain(code, variable, members, type_)
                for variable, members, type_ in zip(
                    branch.variables, branch.members, branch.member_types, strict=True
                )
            )
            tests = tuple(self._tests(code, -1, branch.condition)) if branch.condition is not None else ()
            shows = code.shown(branch.because.shows) if branch.because is not None else ()
            yield MenuEntry(number, domains, tests, tuple(self._performs(code, branch)), shows)

    def _performs(self, code: UnitCode, branch: p.Branching) -> Iterator[Performs]:
        """Yield the effects of items that are known before the option is chosen."""
        nodes = [node for statement in branch.body for node in everything(statement)]
        bound = {node.variable for node in nodes if isinstance(node, p.SetVar | p.Loop)}
        bound |= {*branch.variables, *(node.result for node in nodes if isinstance(node, p.Choose))}
        for node in nodes:
            if isinstance(node, p.PerformField) and not bound & _variables(node.item):
                of = "definition" if node.definition else "card"
                yield Performs(node.field, code.values.expr(node.item), of)

    def _domain(self, code: UnitCode, variable: int, pool: t.List, type_: Type) -> Domain:
        """Return the candidates below the filters that the pack wrote."""
        filters: list[t.Filter] = []
        while isinstance(pool, t.Filter) and self._noted(pool.condition):
            filters.append(pool)
            pool = pool.items
        tests = tuple(test for node in reversed(filters) for test in self._tests(code, node.slot, node.condition))
        return Domain(variable, code.sort_of(type_), code.values.items(pool), tests)

    def _noted(self, condition: t.Expr) -> bool:
        if isinstance(condition, t.And) and id(condition) not in self.conditions:
            return self._noted(condition.left) and self._noted(condition.right)
        return id(condition) in self.conditions

    def _tests(self, code: UnitCode, slot: int, condition: t.Expr) -> Iterator[Test]:
        """Yield a condition as written by the pack; the parts of a conjunction one by one."""
        noted = self.conditions.get(id(condition))
        if noted is not None:
            clauses = tuple(self._clause(code, clause) for clause in noted.clauses)
            yield Test(slot, code.values.expr(condition), noted.span, clauses)
        elif isinstance(condition, t.And):
            yield from self._tests(code, slot, condition.left)
            yield from self._tests(code, slot, condition.right)

    def _clause(self, code: UnitCode, clause: p.Clause) -> ReasonClause:
        operands = tuple(self._operand(code, one) for one in clause.operands)
        called = self._called(code, clause.node) if isinstance(clause.node, p.Invocation) else None
        return ReasonClause(code.values.expr(clause.node), clause.op, operands, called)

    def _called(self, code: UnitCode, node: p.Invocation) -> Called:
        """Return a function that must hold, with the values of its reason or else the clauses of its result."""
        arguments = tuple(code.values.argument(one) for one in node.arguments)
        function = self.declared[node.function]
        inside = UnitCode(self, function.unit, None)
        if function.because is not None:
            return Called(node.function, arguments, inside.shown(function.because), ())
        last = function.unit.body[-1] if len(function.unit.body) == 1 else None
        noted = self.conditions.get(id(last.value)) if isinstance(last, t.Give) else None
        clauses = tuple(self._clause(inside, one) for one in noted.clauses) if noted is not None else ()
        return Called(node.function, arguments, None, clauses)

    def _operand(self, code: UnitCode, operand: p.Operand) -> ReasonOperand:
        node, of = operand.node, _sort(code, operand.type)
        value = code.values.argument(node)
        if not isinstance(node, p.TrackAt) or self.scopes[node.track] not in ((), ("player",)):
            return ReasonOperand(value, of)
        return ReasonOperand(value, of, node.track, code.values.expr(node.indices[0]) if node.indices else None)


def _sort(code: UnitCode, type_: Type) -> str:
    return type_.name if type_.name in ("boolean", "zone") else code.sort_of(type_)


def _variables(node: t.Expr) -> set[int]:
    """Return the variables that an expression reads."""
    return {inner.variable for inner in everything(node) if isinstance(inner, p.Var | p.ListVar)}
