"""Check the course of a game: set-up, rounds, phases, and the end."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from attrs import define, evolve, field

from rulewright.ruleset.check.context import CheckContext
from rulewright.ruleset.check.expressions.calls import neighbour
from rulewright.ruleset.check.flow.scoring import ScoringChecker, check_winners, decided, ended, outcomes
from rulewright.ruleset.check.flow.steps import StepChecker
from rulewright.ruleset.check.hints import meant
from rulewright.ruleset.check.scope import Bound, Scope, UnitDraft
from rulewright.ruleset.check.statements.durations import (
    OWN_TURN,
    all_back,
    beginning,
    ending,
    next_extra,
    presume,
    without_extra_turns,
)
from rulewright.ruleset.check.statements.hooks import pausing
from rulewright.ruleset.check.statements.verb_registry import Code
from rulewright.ruleset.common.diagnostic import Label
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.documents.reading import Declaring
from rulewright.ruleset.documents.rules import (
    Award,
    FinishDocument,
    Phase,
    Round,
    SeriesDocument,
    SetupDocument,
    Winner,
)
from rulewright.ruleset.language.types import BOOLEAN, NUMBER, PLAYER
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.call_effects import Effects
from rulewright.ruleset.program.traversal import all_in, everything, first_in, is_beginning, own_places
from rulewright.ruleset.source.nodes import ScalarNode
from rulewright.ruleset.table import nodes as t

# ---- A series of games: what follows each game, when the series ends, and who wins it

WINNERS = "winners"
"""The name of the game's winners in `after-each-game`."""


def series_unit(scoring: ScoringChecker, says: SeriesDocument) -> p.Unit:
    """Return the unit that follows the end of each game."""
    context, steps = scoring.context, scoring.steps
    context.needs_asked.add(f"lasts/{p.SERIES}")
    unit = UnitDraft(p.BETWEEN)
    at = context.source(f"series/{says.key}", says.span)
    seat, winners = unit.variable("seat", PLAYER), unit.variable(WINNERS, PLAYER, True)
    scope = Scope(unit, reading=False, prefix=says.key).bind(WINNERS, Bound(winners, PLAYER.list))
    won = t.Filter(p.Everyone(), seat, p.TrackAt("winner", (p.Var(seat),)))
    back = p.AssignTrack("in-game", (p.Var(seat),), t.Const(1), at, True)
    begin: Code = (
        p.SetListVar(winners, won),
        t.ForEach(seat, p.Everyone(), (back,)),
        p.SetStateList("living", None, p.Everyone()),
    )
    after = steps.body(says.after_each_game, scope)
    until = steps.condition((says.until,) if says.until is not None else None, scope)
    next_one = (t.Emit("restarted", (), None, t.Const(-1), t.Const(-1), at), p.NextGameStatement(at))
    over = t.If(until if until is not None else t.Const(1), _won(scoring, says, scope, at), next_one)
    return p.Unit(p.BETWEEN, 0, tuple(unit.variables), (*begin, *after, over), at)


def _won(scoring: ScoringChecker, says: SeriesDocument, scope: Scope, at: int) -> Code:
    """Return the code that decides who wins the series, and tells it."""
    seat, scores = scope.unit.variable("seat", PLAYER), scope.unit.variable("scores", NUMBER, True)
    own = evolve(scope, you=p.Var(seat), reading=True)
    value = scoring.expressions.read(says.score, own, NUMBER) if says.score is not None else None
    points = value.node if value is not None and isinstance(value.node, t.Expr) else t.Const(0)
    rest = t.Take(p.ListVar(scores), t.Binary("-", t.Count(p.ListVar(scores)), t.Const(1)), False)
    counted = (
        p.AssignTrack("score", (p.Var(seat),), t.First(p.ListVar(scores)), at, True),
        p.SetListVar(scores, rest),
        p.AssignTrack("winner", (p.Var(seat),), t.Const(0), at, True),
    )
    named = scoring.context.declared.all_of(Winner).values()
    nameless = (p.AssignTrack(p.OUTCOME, (), t.Const(-1), at, True),) if outcomes(tuple(named)) else ()
    most: t.List = t.Extremes(p.Everyone(), seat, p.TrackAt("score", (p.Var(seat),)), False)
    return (
        p.SetListVar(scores, t.Map(p.Everyone(), seat, points)),  # all before any: one may depend on another's
        t.ForEach(seat, p.Everyone(), counted),
        *nameless,
        *scoring.best(p.Everyone() if says.order else most, says.order, says.ties, scope, at),
        ended((), scope, "series-ended"),
    )


def check_series(context: CheckContext, units: Sequence[p.Unit]) -> None:
    """Report what is done after a game and lost at once, because the next game begins without it."""
    unit = next((unit for unit in units if unit.key == p.BETWEEN), None)
    if unit is None:
        return
    says = next(iter(context.declared.all_of(SeriesDocument).values()))
    lasting = _lasting(context)
    for node in everything(unit.body):
        at = getattr(node, "at", -1)
        span = context.sources[at].span if at >= 0 else says.place("after-each-game")
        key = getattr(node, "track", "") or getattr(node, "list", "")
        if isinstance(node, _SETTING) and key not in lasting and _declared(context, key):
            message = f"`{key}` starts over with the next game, so this change is lost"
            context.report("RW507", span, message, f"add `lasts: series` to `{key}`")
        elif isinstance(node, _MOVING):
            message = "in the next game, all cards begin where they begin in a first one, so this is lost"
            context.report("RW507", span, message, "change tracks and lists with `lasts: series` instead")


_SETTING = (p.AssignTrack, p.ChangeTrack, p.AppendTo, p.RemoveFrom, p.SetStateList)
_MOVING = (t.Move, t.MoveAll, t.Drawing, t.Shuffle, p.SendCardsHome)


def _declared(context: CheckContext, key: str) -> bool:
    return key in context.declared.tracks or key in context.declared.lists


def series_of(context: CheckContext, code: Sequence[p.Unit]) -> p.Series | None:
    """Return the series of the program, if the pack has one; `code` are all its units and functions."""
    if not context.declared.all_of(SeriesDocument):
        return None
    others = [unit.body for unit in code if unit.key != p.BETWEEN]
    return p.Series("main", own_places(_lasting(context), others))


def _lasting(context: CheckContext) -> tuple[str, ...]:
    d = context.declared
    tracks = (key for key, (_, track, _) in d.tracks.items() if track.lasts == p.SERIES)
    lists = (key for key, (_, list_) in d.lists.items() if list_.lasts == p.SERIES)
    return (*tracks, *lists)


class GameChecker:
    """Checks set-ups, rounds, and the end of the game."""

    def __init__(self, steps: StepChecker) -> None:
        self.context = steps.context
        self.declared = steps.context.declared
        self.expressions = steps.expressions
        self.steps = steps
        self.scoring = ScoringChecker(steps)

    def main(self) -> p.Unit:
        """Build the main unit: set-ups, then rounds, then the end."""
        unit = UnitDraft("main")
        scope = Scope(unit, reading=False)
        code: list[t.Stmt] = [p.SetStateList("living", None, p.Everyone())]
        code.extend(pausing(self.context, 1))
        for setup in self.declared.all_of(SetupDocument).values():
            code.extend(self.steps.steps(setup.steps, evolve(scope, prefix=setup.key, setting_up=True)))
        code.extend(pausing(self.context, 0))
        for round_ in self.declared.all_of(Round).values():
            code.extend(self._round(round_, scope))
        code.append(p.EndGame())
        return p.Unit("main", 0, tuple(unit.variables), tuple(code), 0)

    def _round(self, says: Round, scope: Scope) -> tuple[t.Stmt, ...]:
        unit = scope.unit
        at = self.context.source(f"round/{says.key}", says.span)
        done = unit.label()
        again = unit.label()
        inner = evolve(scope, prefix=says.key, exits={**scope.exits, "round": again})
        code: list[t.Stmt] = []
        start: list[t.Stmt] = []
        advance: list[t.Stmt] = []
        anew: list[t.Stmt] = [*beginning(self.context, unit, "round", None, at)]
        seat: t.Expr = t.Const(-1)
        if says.turns_from is not None:
            first = self.expressions.read(says.turns_from, evolve(scope, reading=True), PLAYER)
            variable = unit.variable("you", PLAYER)
            if first is not None and isinstance(first.node, t.Expr):
                begins = t.Present(first.node, at) if first.maybe else first.node  # see `beginnings`
                start.extend((p.SetVar(variable, begins), *without_extra_turns(self.context)))
            inner = evolve(inner, you=p.Var(variable), exits={**inner.exits, "turn": again})
            seat = p.Var(variable)
            advance.extend(self._next(variable, unit, start))
            anew.extend(beginning(self.context, unit, "turn", seat, at))
        code.append(t.Emit("reached", (seat,), None, t.Const(-1), t.Const(-1), at))
        code.extend(self.steps.steps(says.steps, inner))
        for item in says.phases:
            code.extend(self._phase(item, inner))
        test: tuple[t.Stmt, ...] = ()
        if says.until is not None:
            value_ = self.expressions.read(says.until, evolve(inner, reading=True), BOOLEAN)
            if value_ is not None and isinstance(value_.node, t.Expr):
                test = (t.If(value_.node, (p.Leave(done),), ()),)
        loop = p.Forever(
            (
                *anew,
                p.Block(again, tuple(code)),
                *ending(self.context, unit, "turn", at),
                *(ending(self.context, unit, "phase", at) if says.phases else ()),
                *ending(self.context, unit, "round", at),
                *test,
                *advance,
            ),
            at,
        )
        return (*start, p.Block(done, (loop,)))

    def _next(self, you: int, unit: UnitDraft, start: list[t.Stmt]) -> tuple[t.Stmt, ...]:
        """Return code that begins the next turn: an extra one, or that of the next player in the order."""
        if not self.context.needed(p.EXTRA_TURNS):
            return (p.SetVar(you, neighbour(p.Var(you), True, Scope(unit))),)
        order = unit.variable("order", PLAYER)
        start.append(p.SetVar(order, p.Var(you)))
        dropped, waits, begin = next_extra(unit, you)
        regular = (
            p.SetVar(order, neighbour(p.Var(order), True, Scope(unit))),
            p.SetVar(you, p.Var(order)),
            p.AssignTrack(p.EXTRA_TURN, (), t.Const(0), 0),
        )
        return (*dropped, t.If(waits, begin, regular))

    def _phase(self, item: ScalarNode, scope: Scope) -> tuple[t.Stmt, ...]:
        phases = self.declared.all_of(Phase)
        phase = phases.get(item.text)
        if phase is None:
            presume(self.context, "phase", "turn", OWN_TURN)
            if item.text not in self.context.poisoned:
                hint = meant(item.text, phases, "phases")
                self.context.report("RW309", item.span, f"there is no phase `{item.text}`", hint)
            return ()
        self.context.used.add(f"phase/{item.text}")
        at = self.context.source(f"phase/{phase.key}", phase.span)
        label = scope.unit.label()
        inner = evolve(scope, prefix=phase.key, exits={**scope.exits, "phase": label})
        code = self.steps.steps(phase.steps, inner)
        you = scope.you if scope.you is not None else t.Const(-1)
        event = t.Emit("reached", (you,), None, t.Const(-1), t.Const(-1), at)
        unit = scope.unit
        ends = ending(self.context, unit, "phase", at)
        if "turn" not in scope.exits:  # `end phase` leaves a turn before it ends
            ends = (*ending(self.context, unit, "turn", at), *ends)
        begins = beginning(self.context, unit, "phase", None, at)
        whole = (*begins, event, p.Block(label, code), *ends)
        if phase.node.span in self.context.insert_places:
            self.context.inserted_code[phase.node.span] = whole
        return whole

    def _revealed(self, finish: FinishDocument, scope: Scope) -> list[t.Stmt]:
        """Build code that reveals zones before points are counted."""
        code: list[t.Stmt] = []
        for item in finish.reveals:
            if item.text in self.context.poisoned:
                continue
            zone = self.declared.zones.get(item.text)
            if zone is None or zone[1].scope == "definition":
                hint = meant(item.text, self.declared.zones, "zones")
                self.context.report("RW309", item.span, f"there is no zone `{item.text}`", hint)
                continue
            at = self.context.source(f"finish/{finish.key}", item.span)
            if zone[1].scope == "game":
                code.append(t.Reveal(t.Cards(p.ZoneAt(item.text, None)), t.Const(-1), at))
                continue
            seat = scope.unit.variable("seat", PLAYER)
            shown = t.Reveal(t.Cards(p.ZoneAt(item.text, p.Var(seat))), t.Const(-1), at)
            code.append(t.ForEach(seat, p.Everyone(), (shown,)))
        return code

    def _once(self, of: Sequence[Declaring], category: str) -> None:
        """Report every declaration after the first of a category that a game has only once."""
        for other in of[1:]:
            hint = f"merge them, or change the other with `change: {category}/{of[0].key}`"
            message = f"a game has only one `{category}`, and this is another"
            self.context.report("RW335", other.span, message, hint, Label(of[0].span, "the first one"))

    def _award(self, award: Award, number: int, scope: Scope) -> tuple[tuple[t.Stmt, ...], Scope]:
        code = self.scoring.award(award, number, scope)
        if award.node.span in self.context.insert_places:
            self.context.inserted_code[award.node.span] = code
        return code, scope

    def series(self) -> p.Unit:
        """Build the unit that follows each game of the series."""
        all_ = tuple(self.declared.all_of(SeriesDocument).values())
        self._once(all_, "series")
        return series_unit(self.scoring, all_[0])

    def finish(self) -> p.Unit:
        """Build the unit that gives awards and decides the winners."""
        unit = UnitDraft("finish")
        scope = Scope(unit, reading=False)
        code: list[t.Stmt] = []
        code.extend(pausing(self.context, 1))
        code.extend(all_back(self.context, unit, 0))
        finishes = tuple(self.declared.all_of(FinishDocument).values())
        winners = tuple(self.declared.all_of(Winner).values())
        awards = self.declared.all_of(Award)
        self._once(finishes, "finish")
        check_winners(self.context, winners)
        for finish in finishes:
            for number, item in enumerate(finish.awards):
                award = awards.get(item.text)
                if award is None:
                    if item.text not in self.context.poisoned:
                        hint = meant(item.text, awards, "awards")
                        self.context.report("RW309", item.span, f"there is no award `{item.text}`", hint)
                    continue
                self.context.used.add(f"award/{item.text}")
                given = partial(self._award, award, number, scope)
                code.extend(self.steps.weaver.woven(item, given, evolve(scope, prefix=f"{finish.key}.{item.text}")))
            code[:0] = self._revealed(finish, scope)
            code.extend(self.steps.steps(finish.steps, evolve(scope, prefix=finish.key)))
        code.extend(decided(self.context, self.scoring, winners, scope))
        code.append(ended(winners, scope))
        return p.Unit("finish", 0, tuple(unit.variables), tuple(code), 0)


# ---- Check with which player a round of turns begins, and remove needless checks
#
# `turns-from` may give nobody: a track that was never set, or the first of players who have all left the
# game. Beginning a round with nobody is a rule error (`table.Present`). Most games set the track during
# set-up, or say `first of players`. For these games the set-up proves that there is a player, so their tables
# need no check.
#
# If the player has left the game before the round begins, the next player who is in the game begins.

def with_beginnings(main: p.Unit, effects: Effects) -> p.Unit:
    """Return the course of the game with the checks of first players that it needs."""
    known, done = _Known(effects), 0
    code: list[t.Stmt] = []
    variables = list(main.variables)
    for number, statement in enumerate(main.body):
        code.append(statement)
        if not is_beginning(statement, main):
            continue
        for earlier in main.body[done:number]:
            known.after(earlier)
        done = number
        first = statement.value
        if isinstance(first, t.Present) and known.something(first.operand):
            code[-1] = evolve(statement, value=first.operand)
        if not known.players and not (isinstance(first, t.First) and all_in(first.items)):
            code.append(p.SetVar(statement.variable, first_in(statement.variable, len(variables))))
            variables.append(p.Variable("other", PLAYER, False))
    body = tuple(code)
    return evolve(main, body=body, variables=tuple(variables)) if body != main.body else main


@define(repr=False)
class _Known(Record):
    """Facts that are certain at a point of the set-up.

    Lists of players, cards, or definitions never hold `none`.
    """

    effects: Effects
    variables: set[int] = field(factory=set)
    """Variables that hold a value (0 or more), and lists that are not empty."""
    tracks: set[str] = field(factory=set)
    """Tracks without a scope that hold a value."""
    players: bool = True
    """Whether all players are certainly still in the game."""

    def something(self, node: t.Expr) -> bool:
        """Whether an expression always gives a value."""
        match node:
            case t.Const(value):
                return value >= 0
            case p.Var(variable):
                return variable in self.variables
            case p.TrackAt(track, ()):
                return track in self.tracks
            case t.First(items) | t.Last(items):
                return self.filled(items)
        return isinstance(node, t.Present)

    def filled(self, node: t.List) -> bool:
        """Whether a list is never empty."""
        match node:
            case p.Everyone():
                return True
            case p.Living():
                return self.players
            case p.ListVar(variable):
                return variable in self.variables
            case t.Rotated(items, _):
                return self.filled(items)
            case t.Items(values):
                return bool(values) and all(map(self.something, values))
            case t.Take(items, t.Binary("+", p.Var(number), t.Const(more)), _):
                return more > 0 and number in self.variables and self.filled(items)
            case t.Concat(left, right):
                return self.filled(left) or self.filled(right)
        return False

    def after(self, statement: t.Stmt) -> None:
        """Update the facts with the effect of a statement."""
        match statement:
            case p.SetVar(variable, value):
                self._note(self.variables, variable, self.something(value))
            case p.SetListVar(variable, items):
                self._note(self.variables, variable, self.filled(items))
            case p.AssignTrack(track, (), value):
                self._note(self.tracks, track, self.something(value))
            case t.Random(slot, _, _):
                self.variables.add(slot)
            case p.Block(_, body) if not self.effects.left(body):
                self._all(body)
            case t.If(t.Binary(">", t.Count(items), t.Const(0)), then, _) if self.filled(items):
                self._all(then)
            case _:
                self._forget(statement)

    def _all(self, body: Sequence[t.Stmt]) -> None:
        for statement in body:
            self.after(statement)

    @staticmethod
    def _note(known: set[Any], one: Any, certain: bool) -> None:
        (known.add if certain else known.discard)(one)

    def _forget(self, statement: t.Stmt) -> None:
        """Drop the facts that a statement may change, itself or through its calls."""
        self.players = self.players and not self.effects.eliminates(statement)
        self.variables.clear()
        if not self.tracks:
            return
        effects, called = self.effects, set[str]()
        rest = [list(everything(statement))]
        while rest:
            for node in rest.pop():
                if isinstance(node, p.AssignTrack):
                    self.tracks.discard(node.track)
                elif effects.matters(type(node)):
                    new = set(effects.calls(node)) - called
                    called |= new
                    rest.extend(effects.walks.of(effects.units[key]).nodes for key in new)
