"""Make a program begin elsewhere: at a phase, a round, or a step, also one inside other steps.

What comes before the entry is skipped once, and runs normally when the round returns to it. The set-up is skipped,
too: a caller that enters a game in its middle provides the position (`interpreter.state.position`). Conditions of
steps around the entry are not asked when the game begins there.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from ruleset.language.types import BOOLEAN, PLAYER
from ruleset.program import nodes as p
from ruleset.program.in_game import first_in, is_beginning
from ruleset.program.series import begun_elsewhere
from ruleset.table import nodes as t

Code = tuple[t.Stmt, ...]
_PREPARED = ("living", p.EXTRA_TURNS)
"""Lists that the game sets before a round: the other lists, the position gives."""


class EntryError(ValueError):
    """The game cannot be entered at this place; the message says why."""


def enter(program: p.Program, entry: str, turn: int = -1, left: Sequence[int] | None = None) -> p.Program:
    """Return a program that begins at the phase, round, or step with this source name (`phase/supplies`).

    `turn` is the seat whose turn it is, in a round of turns; `left` are the seats that are in the game, if some are
    out. Raises EntryError.
    """
    main, at = program.main, _number(program, entry)
    begun = len(main.variables)
    variables = (*main.variables, p.Variable("begun", BOOLEAN, False), p.Variable("other", PLAYER, False))
    body = _entered(main.body, at, begun)
    if body is None:
        place = entry.partition("/")[2]
        raise EntryError(f"a game cannot be entered at `{place}`: the step around it runs for each player or thing")
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


def _entered(code: Code, at: int, begun: int) -> Code | None:
    """Let code run from its start or, while `begun` is 0, from the entry; None if it does not contain the entry."""
    for number, statement in enumerate(code):
        if isinstance(statement, t.Emit) and statement.kind == "reached" and statement.at == at:
            inner: t.Stmt = statement
        elif isinstance(statement, p.Block | p.Forever) and _reaches(statement, at):
            body = _entered(statement.body, at, begun)
            if body is None:
                return None
            inner = evolve(statement, body=body)
        elif _is_step(statement, at):
            inner = statement
        elif isinstance(statement, t.If | t.While) and _reaches(statement, at):
            body = _entered(statement.then if isinstance(statement, t.If) else statement.body, at, begun)
            if body is None:
                return None
            held = t.Or(t.Not(p.Var(begun)), statement.condition)
            if isinstance(statement, t.If):
                inner = evolve(statement, condition=held, then=body)
            else:
                inner = evolve(statement, condition=held, body=body)
        else:
            continue
        skipped = tuple(_unless_skipped(one, begun) for one in code[:number])
        now: Code = ()
        if inner is statement:
            now = (p.SetVar(begun, t.Const(1)),)
        return (*skipped, *now, inner, *code[number + 1 :])
    return None


def _unless_skipped(statement: t.Stmt, begun: int) -> t.Stmt:
    """Skip a statement until the game has begun. Statements that prepare turns and players always run."""
    if isinstance(statement, p.SetVar) or (isinstance(statement, p.SetStateList) and statement.list in _PREPARED):
        return statement
    return t.If(p.Var(begun), (statement,), ())


def _is_step(statement: t.Stmt, at: int) -> bool:
    """Whether this is the whole code of the step: its conditions, its hooks, and itself."""
    while isinstance(statement, t.If) and len(statement.then) == 1:
        statement = statement.then[0]
    return isinstance(statement, p.Block) and any(_begins(one, at) for one in statement.body)


def _begins(statement: t.Stmt, at: int) -> bool:
    return isinstance(statement, t.Emit) and statement.kind == "reached" and statement.at == at


def _reaches(statement: t.Stmt, at: int) -> bool:
    """Whether a statement contains the entry, inside nothing but blocks, rounds, conditions, and `while`."""
    if _begins(statement, at) or _is_step(statement, at):
        return True
    inside: Code = ()
    if isinstance(statement, p.Block | p.Forever | t.While):
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
