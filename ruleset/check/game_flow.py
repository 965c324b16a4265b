"""The course of a game: set-up, rounds, phases, and the end."""

from __future__ import annotations

from functools import partial

from attrs import evolve

from ruleset.check.expressions.calls import neighbour
from ruleset.check.near_hint import meant
from ruleset.check.scope import Scope, Unit
from ruleset.check.statements.modifiers import ending
from ruleset.check.statements.scoring import ScoringChecker
from ruleset.check.statements.steps import StepChecker
from ruleset.common.diagnostic import Label
from ruleset.declare.declarations import Named
from ruleset.language.types import BOOLEAN, PLAYER
from ruleset.program import nodes as p
from ruleset.source.reader import Mapping, Scalar, Sequence
from ruleset.table import nodes as t


class GameChecker:
    """Checks rounds and the end of the game."""

    def __init__(self, steps: StepChecker) -> None:
        self.context = steps.context
        self.declared = steps.context.declared
        self.expressions = steps.expressions
        self.steps = steps
        self.scoring = ScoringChecker(steps)

    def main(self) -> p.Unit:
        """Set-ups, then rounds, then the end."""
        unit = Unit("main")
        scope = Scope(unit, reading=False)
        code: list[t.Stmt] = [p.SetStateList("living", None, p.Everyone())]
        for setup in self.declared.setups.values():
            if isinstance(setup.body, Mapping):
                code.extend(self.steps.steps(setup.body.get("steps"), evolve(scope, prefix=setup.key)))
        for round_ in self.declared.rounds.values():
            code.extend(self._round(round_, scope))
        code.append(p.EndGame())
        return p.Unit("main", 0, tuple(unit.variables), tuple(code), 0)

    def _round(self, named: Named, scope: Scope) -> tuple[t.Stmt, ...]:
        body, unit = named.body, scope.unit
        if not isinstance(body, Mapping):
            return ()
        at = self.context.source(f"round/{named.key}", named.span)
        done = unit.label()
        again = unit.label()
        inner = evolve(scope, prefix=named.key, exits={**scope.exits, "round": again})
        code: list[t.Stmt] = []
        turns = body.get("turns-from")
        start: list[t.Stmt] = []
        advance: list[t.Stmt] = []
        seat: t.Expr = t.Const(-1)
        if isinstance(turns, Scalar):
            first = self.expressions.read(turns, evolve(scope, reading=True), PLAYER)
            variable = unit.variable("you", PLAYER)
            if first is not None and isinstance(first.node, t.Expr):
                begins = t.Present(first.node, at) if first.maybe else first.node  # see `beginnings`
                start.append(p.SetVar(variable, begins))
            inner = evolve(inner, you=p.Var(variable), exits={**inner.exits, "turn": again})
            seat = p.Var(variable)
            value = self._next(seat, unit)
            advance.append(p.SetVar(variable, value))
        code.append(t.Emit("reached", (seat,), None, t.Const(-1), t.Const(-1), at))
        steps = body.get("steps")
        if isinstance(steps, Sequence):
            code.extend(self.steps.steps(steps, inner))
        phases = body.get("phases")
        for item in phases.items if isinstance(phases, Sequence) else ():
            if isinstance(item, Scalar):
                code.extend(self._phase(item, inner))
        until = body.get("until")
        test: tuple[t.Stmt, ...] = ()
        if isinstance(until, Scalar):
            value_ = self.expressions.read(until, evolve(inner, reading=True), BOOLEAN)
            if value_ is not None and isinstance(value_.node, t.Expr):
                test = (t.If(value_.node, (p.Leave(done),), ()),)
        loop = p.Forever(
            (
                p.Block(again, tuple(code)),
                *ending(self.context, "turn", at),
                *(ending(self.context, "phase", at) if isinstance(phases, Sequence) else ()),
                *ending(self.context, "round", at),
                *test,
                *advance,
            ),
            at,
        )
        return (*start, p.Block(done, (loop,)))

    def _next(self, seat: t.Expr, unit: Unit) -> t.Expr:
        return neighbour(seat, True, Scope(unit))

    def _phase(self, item: Scalar, scope: Scope) -> tuple[t.Stmt, ...]:
        named = self.declared.phases.get(item.text)
        if named is None:
            if item.text not in self.context.poisoned:
                hint = meant(item.text, self.declared.phases, "phases")
                self.context.report("RW309", item.span, f"there is no phase `{item.text}`", hint)
            return ()
        self.context.used.add(f"phase/{item.text}")
        at = self.context.source(f"phase/{named.key}", named.span)
        label = scope.unit.label()
        inner = evolve(scope, prefix=named.key, exits={**scope.exits, "phase": label})
        body = named.body
        code = self.steps.steps(body.get("steps"), inner) if isinstance(body, Mapping) else ()
        you = scope.you if scope.you is not None else t.Const(-1)
        event = t.Emit("reached", (you,), None, t.Const(-1), t.Const(-1), at)
        ends = ending(self.context, "phase", at)
        if "turn" not in scope.exits:  # `end phase` leaves a turn before it ends
            ends = (*ending(self.context, "turn", at), *ends)
        whole = (event, p.Block(label, code), *ends)
        if body.span in self.context.insert_places:
            self.context.inserted_code[body.span] = whole
        return whole

    def _revealed(self, named: Named, scope: Scope) -> list[t.Stmt]:
        """The zones that are laid open before points are counted."""
        node = named.body.get("reveals") if isinstance(named.body, Mapping) else None
        code: list[t.Stmt] = []
        for item in node.items if isinstance(node, Sequence) else ():
            if isinstance(item, Scalar) and item.text in self.context.poisoned:
                continue
            zone = self.declared.zones.get(item.text) if isinstance(item, Scalar) else None
            if not isinstance(item, Scalar) or zone is None or zone[1].scope == "definition":
                hint = meant(getattr(item, "text", ""), self.declared.zones, "zones")
                self.context.report("RW309", item.span, f"there is no zone `{getattr(item, 'text', '')}`", hint)
                continue
            at = self.context.source(f"finish/{named.key}", item.span)
            if zone[1].scope == "game":
                code.append(t.Reveal(t.Cards(p.ZoneAt(item.text, None)), t.Const(-1), at))
                continue
            seat = scope.unit.variable("seat", PLAYER)
            shown = t.Reveal(t.Cards(p.ZoneAt(item.text, p.Var(seat))), t.Const(-1), at)
            code.append(t.ForEach(seat, p.Everyone(), (shown,)))
        return code

    def _once(self, group: dict[str, Named], category: str) -> None:
        """Reports all but the first of what a game has once."""
        first, *others = group.values() if group else (None,)
        for other in others:
            assert first is not None
            hint = f"make them one, or change the other with `change: {category}/{first.key}`"
            message = f"a game has one `{category}`, and this is another"
            self.context.report("RW335", other.span, message, hint, Label(first.span, "the first one"))

    def _award(self, body: Mapping, number: int, scope: Scope) -> tuple[tuple[t.Stmt, ...], Scope]:
        first = body.entries[0].value
        assert isinstance(first, Scalar)
        code = self.scoring.award(first, body, number, scope)
        if body.span in self.context.insert_places:
            self.context.inserted_code[body.span] = code
        return code, scope

    def finish(self) -> p.Unit:
        """Awards, and who has won."""
        unit = Unit("finish")
        scope = Scope(unit, reading=False)
        code: list[t.Stmt] = []
        self._once(self.declared.finishes, "finish")
        self._once(self.declared.winners, "winner")
        for named in self.declared.finishes.values():
            if not isinstance(named.body, Mapping):
                continue
            awards = named.body.get("awards")
            for number, item in enumerate(awards.items if isinstance(awards, Sequence) else ()):
                if not isinstance(item, Scalar):
                    continue
                award = self.declared.awards.get(item.text)
                if award is None or not isinstance(award.body, Mapping):
                    if item.text not in self.context.poisoned:
                        hint = meant(item.text, self.declared.awards, "awards")
                        self.context.report("RW309", item.span, f"there is no award `{item.text}`", hint)
                    continue
                self.context.used.add(f"award/{item.text}")
                given = partial(self._award, award.body, number, scope)
                code.extend(self.steps.weaver.woven(item, given, evolve(scope, prefix=f"{named.key}.{item.text}")))
            code[:0] = self._revealed(named, scope)
            code.extend(self.steps.steps(named.body.get("steps"), evolve(scope, prefix=named.key)))
        for named in self.declared.winners.values():
            if isinstance(named.body, Mapping):
                code.extend(self.scoring.winner(named.body, scope))
        seat = unit.variable("seat", PLAYER)
        won = t.IfElse(p.TrackAt("winner", (p.Var(seat),)), p.MaskOf(p.Var(seat)), t.Const(0))
        winners = t.Total(p.Everyone(), seat, won, 0)
        code.append(t.Emit("ended", (winners,), None, t.Const(-1), t.Const(-1), 0))
        return p.Unit("finish", 0, tuple(unit.variables), tuple(code), 0)
