"""Make a program begin elsewhere: at a phase, a round, or a step, also one inside other steps.

What comes before the entry is skipped once, and runs normally when the round returns to it. The set-up is skipped,
too: a caller that enters a game in its middle provides the position (`interpreter.state.position`). Conditions of
steps around the entry are not asked when the game begins there. In a step with `turns`, the players before the one
whose turn it is are passed over once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import evolve, frozen

from ruleset.common.record import Record
from ruleset.language.types import BOOLEAN, PLAYER
from ruleset.program import nodes as p
from ruleset.program.in_game import first_in, is_beginning
from ruleset.program.series import begun_elsewhere
from ruleset.table import nodes as t
from ruleset.table.traversal import everything, rebuild

Code = tuple[t.Stmt, ...]
_PREPARED = ("living", p.EXTRA_TURNS)
"""Lists that the game sets before a round: the other lists, the position gives."""


class EntryError(ValueError):
    """The game cannot be entered at this place; the message says why."""


def enter(program: p.Program, entry: str, turn: int = -1, left: Sequence[int] | None = None) -> p.Program:
    """Return a program that begins at the phase, round, or step with this source name (`phase/supplies`).

    `turn` is the seat whose turn it is: in a round of turns, otherwise in the innermost step with `turns` at the
    entry or around it. `left` are the seats that are in the game, if some are out. Raises EntryError.
    """
    main, at = program.main, _number(program, entry)
    begun = len(main.variables)
    added = (("begun", BOOLEAN), ("other", PLAYER), ("turn has come", BOOLEAN))
    variables = (*main.variables, *(p.Variable(name, type_, False) for name, type_ in added))
    of_round = any(is_beginning(statement, main) for statement in main.body)
    body = _Entry(at, begun, begun + 2, -1 if of_round else turn).entered(main.body)
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
    return begun_elsewhere(program, evolve(main, variables=variables, body=(first, *body)))


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

    The variable `begun` is 0 until the entry; `come` is 0 until the turn of the seat comes in the entered step.
    """

    at: int
    begun: int
    come: int
    seat: int

    def entered(self, code: Code) -> Code | None:
        """Let code run from its start or, while `begun` is 0, from the entry; None if the entry is not in it."""
        now = (p.SetVar(self.begun, t.Const(1)),)
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
        if self.seat < 0 or not isinstance(node, t.Node):
            return node
        if isinstance(node, p.Loop) and node.still == "acting" and node.at == self.at:
            came = p.SetVar(self.come, t.Const(1))
            loop = evolve(node, body=(self._in_turn(node, self.come, (came, *node.body)),))
            return t.If(t.Const(1), (loop, came), ())  # it also ends if the seat has no turn
        return rebuild(node, self._from_turn)

    def _unless_skipped(self, statement: t.Stmt) -> t.Stmt:
        """Skip a statement until the game has begun. Statements that prepare turns and players always run."""
        prepared = isinstance(statement, p.SetStateList) and statement.list in _PREPARED
        if prepared or isinstance(statement, p.SetVar | p.SetListVar):
            return statement
        return t.If(p.Var(self.begun), (statement,), ())


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
