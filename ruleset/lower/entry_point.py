"""Make a program begin elsewhere: at a phase, a round, or a step, also one inside other steps.

What comes before the entry is skipped once, and runs normally when the round returns to it. The set-up is skipped,
too: a caller that enters a game in its middle provides the position (`interpreter.state.position`). Conditions of
steps around the entry are not asked when the game begins there. In a step with `turns`, the players before the one
whose turn it is are passed over once. What lasts the turn, phase, or round of the entry begins there, too, except
the values that the position names.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import evolve, frozen

from rulewright.ruleset.common.record import Record
from rulewright.ruleset.language.types import BOOLEAN, PLAYER
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.traversal import begun_elsewhere, first_in, is_beginning
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.canonical import everything, rebuild

Code = tuple[t.Stmt, ...]
Place = tuple[str, tuple[int, ...]]
"""A track or list, and the index of one of its values: seats and members of enumerations by number."""
_PREPARED = ("living", p.EXTRA_TURNS)
"""Lists that the game sets before a round: the other lists, the position gives."""


class EntryError(ValueError):
    """The game cannot be entered at this place; the message says why."""


def enter(
    program: p.Program, entry: str, turn: int = -1, left: Sequence[int] | None = None, given: Sequence[Place] = ()
) -> p.Program:
    """Return a program that begins at the phase, round, or step with this source name (`phase/supplies`).

    `turn` is the seat whose turn it is: in a round of turns, otherwise in the innermost step with `turns` at the
    entry or around it. `left` are the seats that are in the game, if some are out. `given` are the values that stay
    as the position says, of all tracks and lists that start over. Raises EntryError.
    """
    main, at = program.main, _number(program, entry)
    begun = len(main.variables)
    added = (("begun", BOOLEAN), ("other", PLAYER), ("turn has come", BOOLEAN))
    variables = (*main.variables, *(p.Variable(name, type_, False) for name, type_ in added))
    kept, keep, give_back = _kept(program, given, len(variables))
    of_round = any(is_beginning(statement, main) for statement in main.body)
    lasting = frozenset(one.key for one in program.lists if one.lasts not in ("", p.SERIES))
    body = _Entry(at, begun, begun + 2, -1 if of_round else turn, give_back, lasting).entered(main.body)
    if body is None:
        place = entry.partition("/")[2]
        why = "the step around it is a queue, or runs for each thing"
        raise EntryError(f"a game cannot be entered at `{place}`: {why}")
    if left is not None:
        body = tuple(_with_seats(statement, left) for statement in body)
    if turn >= 0:
        body = tuple(_turned(statement, main, turn) for statement in body)
    elif left is not None:
        body = tuple(one for statement in body for one in _in_game(statement, main, begun + 1))
    first = p.SetVar(begun, t.Const(0))
    return begun_elsewhere(program, evolve(main, variables=(*variables, *kept), body=(first, *keep, *body)))


def _kept(program: p.Program, given: Sequence[Place], number: int) -> tuple[tuple[p.Variable, ...], Code, Code]:
    """Return variables (from this number on), code that keeps the given values there, and that gives them back."""
    tracks = {track.key: track for track in program.tracks}
    lists = {one.key: one for one in program.lists}
    variables: list[p.Variable] = []
    keep: list[t.Stmt] = []
    give_back: list[t.Stmt] = []
    for variable, (key, index) in enumerate(given, number):
        indices = tuple(map(t.Const, index))
        if key in tracks:
            variables.append(p.Variable(f"given {key}", tracks[key].of, False))
            keep.append(p.SetVar(variable, p.TrackAt(key, indices)))
            give_back.append(p.AssignTrack(key, indices, p.Var(variable), -1, True))
            continue
        variables.append(p.Variable(f"given {key}", lists[key].of, True))
        at = indices[0] if indices else None
        keep.append(p.SetListVar(variable, p.ListAt(key, at)))
        give_back.append(p.SetStateList(key, at, p.ListVar(variable)))
    return tuple(variables), tuple(keep), tuple(give_back)


def before(program: p.Program, step: str = "") -> p.Program:
    """Return a program that ends after its set-up, without points or winners, or before this step of the set-up."""
    body = _until(_set_up(program), _number(program, step))
    return evolve(program, main=evolve(program.main, body=body))


def set_up_step(program: p.Program, entry: str) -> str:
    """Return the entry if it is a step of the set-up, and nothing if it is not."""
    at = _number(program, entry)
    return entry if at >= 0 and any(_reaches(statement, at) for statement in _set_up(program)) else ""


def _set_up(program: p.Program) -> Code:
    """Return all code before the first round."""
    rounds = {n for n, source in enumerate(program.sources) if source.name.startswith("round/")}
    body = program.main.body
    return body[: next((n for n, one in enumerate(body) if any(_reaches(one, at) for at in rounds)), len(body))]


def _number(program: p.Program, entry: str) -> int:
    return next((n for n, source in enumerate(program.sources) if source.name == entry), -1)


def _until(code: Code, at: int) -> Code:
    """Return the code before the entry, or all of it if it does not contain the entry."""
    for number, statement in enumerate(code):
        if _begins(statement, at) or _is_step(statement, at):
            return code[:number]
        if not _reaches(statement, at):
            continue
        if isinstance(statement, p.Block):
            return (*code[:number], evolve(statement, body=_until(statement.body, at)))
        if isinstance(statement, t.If):
            return (*code[:number], evolve(statement, then=_until(statement.then, at)))
        return code[:number]
    return code


@frozen(repr=False)
class _Entry(Record):
    """How code begins at the entry `at`, in a turn of `seat` (-1: in the first turn).

    The variable `begun` is 0 until the entry; `come` is 0 until the turn of the seat comes in the entered step, or
    the first turn. `give_back` sets what the position names after the moments of the entry have begun. The lists of
    `lasting` begin empty with a moment.
    """

    at: int
    begun: int
    come: int
    seat: int
    give_back: Code
    lasting: frozenset[str]

    def entered(self, code: Code) -> Code | None:
        """Let code run from its start or, while `begun` is 0, from the entry; None if the entry is not in it."""
        now = (*self._given_back(self.begun), p.SetVar(self.begun, t.Const(1)))
        for number, statement in enumerate(code):
            before = tuple(self._unless_skipped(one) for one in code[:number])
            if _begins(statement, self.at):
                return (*before, *now, statement, *map(self._from_turn, code[number + 1 :]))
            if not _reaches(statement, self.at):
                continue
            if _is_step(statement, self.at) and not isinstance(statement, p.Block):
                return (*before, *now, self._from_turn(statement), *code[number + 1 :])
            inner = self._within(statement)
            if inner is None:
                return None
            # Where the seat has no turn, the game goes on after the step.
            after = now if isinstance(statement, p.Loop) else ()
            return (*before, inner, *after, *code[number + 1 :])
        return None

    def _within(self, statement: t.Stmt) -> t.Stmt | None:
        """Let a statement around the entry begin there."""
        assert isinstance(statement, p.Block | p.Forever | p.Loop | t.If | t.While)
        body = self.entered(statement.then if isinstance(statement, t.If) else statement.body)
        if body is None:
            return None
        if isinstance(statement, t.If | t.While):
            held = t.Or(t.Not(p.Var(self.begun)), statement.condition)
            if isinstance(statement, t.If):
                return evolve(statement, condition=held, then=body)
            return evolve(statement, condition=held, body=body)
        if isinstance(statement, p.Loop) and self.seat >= 0 and not self._has_turns(statement.body):
            body = (self._in_turn(statement, self.begun, body),)
        return evolve(statement, body=body)

    def _has_turns(self, code: Code) -> bool:
        """Whether the entry has turns of its own, or a step with turns around it, in this code."""
        loops = (one for one in everything(code) if isinstance(one, p.Loop) and one.still == "acting")
        return any(loop.at == self.at or any(_reaches(one, self.at) for one in loop.body) for loop in loops)

    def _in_turn(self, loop: p.Loop, come: int, body: Code) -> t.Stmt:
        """Pass over the turns before that of the seat, until `come`."""
        here = t.Binary("==", p.Var(loop.variable), t.Const(self.seat))
        return t.If(t.Or(p.Var(come), here), body, ())

    def _from_turn(self, node: Any) -> Any:
        """Let the entered step begin with the turn of the seat, if it has turns."""
        if (self.seat < 0 and not self.give_back) or not isinstance(node, t.Node):
            return node
        if isinstance(node, p.Loop) and node.still == "acting" and node.at == self.at:
            came = p.SetVar(self.come, t.Const(1))
            body = self._come(node.body, (*self._given_back(self.come), came))
            if self.seat >= 0:
                body = (self._in_turn(node, self.come, body),)
            return t.If(t.Const(1), (evolve(node, body=body), came), ())  # it also ends if the seat has no turn
        return rebuild(node, self._from_turn)

    def _given_back(self, before: int) -> Code:
        """Set what the position names, once."""
        return (t.If(t.Not(p.Var(before)), self.give_back, ()),) if self.give_back else ()

    def _come(self, turn: Code, now: Code) -> Code:
        """Insert code after the beginning of a turn, also where extra turns may follow it."""
        first = turn[0]
        if isinstance(first, p.Block) and isinstance(first.body[0], p.Forever):
            loop = first.body[0]
            return evolve(first, body=(evolve(loop, body=self._come(loop.body, now)), *first.body[1:])), *turn[1:]
        begins = next((n for n, statement in enumerate(turn) if not self._is_start(statement)), len(turn))
        return *turn[:begins], *now, *turn[begins:]

    def _unless_skipped(self, statement: t.Stmt) -> t.Stmt:
        """Skip a statement until the game has begun. What prepares turns, players, and moments always runs."""
        prepared = isinstance(statement, p.SetStateList) and statement.list in _PREPARED
        if prepared or isinstance(statement, p.SetVar | p.SetListVar) or self._is_start(statement):
            return statement
        return t.If(p.Var(self.begun), (statement,), ())

    def _is_start(self, statement: t.Stmt) -> bool:
        """Whether this gives a track or list that starts over its start (`ruleset.check.statements.durations`)."""
        if isinstance(statement, t.ForEach):
            return all(map(self._is_start, statement.body))
        if isinstance(statement, p.SetStateList):
            return statement.list in self.lasting and statement.items == t.Items(())
        return isinstance(statement, p.AssignTrack) and statement.silent


def _is_step(statement: t.Stmt, at: int) -> bool:
    """Whether this is the whole code of the step: its conditions, its hooks, and itself."""
    while isinstance(statement, t.If) and len(statement.then) == 1:
        statement = statement.then[0]
    return isinstance(statement, p.Block) and any(_begins(one, at) for one in statement.body)


def _begins(statement: t.Stmt, at: int) -> bool:
    return isinstance(statement, t.Emit) and statement.kind == "reached" and statement.at == at


def _reaches(statement: t.Stmt, at: int) -> bool:
    """Whether a statement contains the entry, inside nothing but blocks, rounds, turns, conditions, and `while`."""
    if _begins(statement, at) or _is_step(statement, at):
        return True
    inside: Code = ()
    if isinstance(statement, p.Block | p.Forever | t.While) or (
        isinstance(statement, p.Loop) and statement.still == "acting"
    ):
        inside = statement.body
    elif isinstance(statement, t.If) and not statement.otherwise:
        inside = statement.then
    return any(_reaches(one, at) for one in inside)


def _with_seats(statement: t.Stmt, seats: Sequence[int]) -> t.Stmt:
    """Replace the seats that are in the game when it begins."""
    if isinstance(statement, p.SetStateList) and statement.list == "living":
        return evolve(statement, items=t.Items(tuple(map(t.Const, seats))))
    return statement


def _turned(statement: t.Stmt, main: p.Unit, turn: int) -> t.Stmt:
    """Replace the first player of a round of turns."""
    return evolve(statement, value=t.Const(turn)) if is_beginning(statement, main) else statement


def _in_game(statement: t.Stmt, main: p.Unit, other: int) -> Code:
    """Let the next player who is in the game begin a round of turns, where its first player is out."""
    if not is_beginning(statement, main):
        return (statement,)
    return statement, p.SetVar(statement.variable, first_in(statement.variable, other))
