"""Make a program begin elsewhere: at a phase, a round, or a step directly in one of these.

What comes before the entry is skipped once, and runs normally when the round returns to it. The set-up is removed:
a caller that enters a game in its middle provides the position (`interpreter.state.position`).
"""

from __future__ import annotations

from attrs import evolve

from ruleset.language.types import BOOLEAN, PLAYER
from ruleset.program import nodes as p
from ruleset.table import nodes as t

Code = tuple[t.Stmt, ...]


class EntryError(ValueError):
    """The game cannot be entered at this place; the message says why."""


def enter(program: p.Program, entry: str, turn: int = -1) -> p.Program:
    """Return a program that begins at the phase, round, or step with this source name (`phase/supplies`).

    `turn` is the seat whose turn it is, in a round of turns. Raises EntryError.
    """
    main = program.main
    at = next((n for n, source in enumerate(program.sources) if source.name == entry), -1)
    begun = len(main.variables)
    variables = (*main.variables, p.Variable("begun", BOOLEAN, False))
    body = _entered(main.body, at, begun)
    if body is None:
        place = entry.partition("/")[2]
        raise EntryError(f"a game cannot be entered at `{place}`: it is inside another step")
    if turn >= 0:
        body = tuple(_turned(statement, main, turn) for statement in body)
    first = p.SetVar(begun, t.Const(0))
    return evolve(program, main=evolve(main, variables=variables, body=(first, *body)))


def without_rounds(program: p.Program) -> p.Program:
    """Return a program that ends after its set-up, without points or winners."""
    names = {n for n, source in enumerate(program.sources) if source.name.startswith("round/")}
    body: list[t.Stmt] = []
    for statement in program.main.body:
        if any(_reaches(statement, at) for at in names):
            break
        body.append(statement)
    return evolve(program, main=evolve(program.main, body=tuple(body)))


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
    if isinstance(statement, p.SetVar) or (isinstance(statement, p.SetStateList) and _of_kernel(statement.list)):
        return statement
    return t.If(p.Var(begun), (statement,), ())


def _of_kernel(key: str) -> bool:
    """Whether a list is none of the pack's, which the position gives."""
    return key == "living" or "/" in key


def _is_step(statement: t.Stmt, at: int) -> bool:
    """Whether this is the whole code of the step: its conditions, its hooks, and itself."""
    while isinstance(statement, t.If) and len(statement.then) == 1:
        statement = statement.then[0]
    return isinstance(statement, p.Block) and any(_begins(one, at) for one in statement.body)


def _begins(statement: t.Stmt, at: int) -> bool:
    return isinstance(statement, t.Emit) and statement.kind == "reached" and statement.at == at


def _reaches(statement: t.Stmt, at: int) -> bool:
    """Whether a statement contains the entry, inside nothing but blocks and rounds."""
    if _begins(statement, at) or _is_step(statement, at):
        return True
    return isinstance(statement, p.Block | p.Forever) and any(_reaches(one, at) for one in statement.body)


def _turned(statement: t.Stmt, main: p.Unit, turn: int) -> t.Stmt:
    """Replace the first player of a round of turns."""
    if isinstance(statement, p.SetVar):
        variable = main.variables[statement.variable]
        if variable.name == "you" and variable.type == PLAYER:
            return evolve(statement, value=t.Const(turn))
    return statement
