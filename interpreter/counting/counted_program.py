"""A table program with cells that count who began, what was done, and what was chosen.

The program itself counts effects, steps, and points, so every backend counts them alike. The cells of decisions are
filled by the players that answer (`backends.policies.players`, and `counting.c` in native code).
"""

from __future__ import annotations

from typing import Any

from attrs import evolve, frozen

from rulewright.interpreter.counting.uses import Uses, uses_of
from rulewright.interpreter.state.memo import once
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.canonical import rebuild
from rulewright.ruleset.table.nodes import Bots, Const, Stmt, TableProgram

EFFECT = "effect/"
"""How the name of the source of an effect begins: `effect/DEFINITION.NAME`."""


@frozen(eq=False)
class Counted:
    """A program that counts, and the addresses of its counters.

    `starter` is the address of 1 + the seat that began: the first one for which a round, phase, or step began, or
    that was asked alone, with or without an alternative; 0 if there was none. `done` has a cell for each effect,
    step, phase, and round; `points` one for each award and seat; `things` one for each thing, how often it was
    chosen; `uses` two for each seat and use: the decisions that offered it, and those in which it was chosen.
    """

    program: TableProgram
    starter: int
    done: tuple[str, ...] = ()
    awards: tuple[str, ...] = ()
    uses: Uses | None = None

    @property
    def definitions(self) -> tuple[str, ...]:
        """The definitions of which there are cards, as `KIND/KEY`."""
        return tuple(dict.fromkeys(f"{card.kind}/{card.definition}" for card in self.program.cards))

    @property
    def done_at(self) -> int:
        return self.starter + 1

    @property
    def points_at(self) -> int:
        return self.done_at + len(self.done)

    @property
    def things_at(self) -> int:
        return self.points_at + len(self.awards) * self.program.seats

    @property
    def uses_at(self) -> int:
        return self.things_at + (len(self.uses.things) if self.uses is not None else 0)

    @property
    def end(self) -> int:
        return self.uses_at + (2 * len(self.uses.uses) * self.program.seats if self.uses is not None else 0)


@once
def with_starter(program: TableProgram) -> Counted:
    """Return a program that only notes who began."""
    return _instrumented(program, Counted(program, program.layout.stack))


@once
def counted(program: TableProgram) -> Counted:
    """Return a program that counts everything.

    It has bots, if only none, so that it is decided for each card whether a seat sees it.
    """
    names = {kind: _names(program, kind) for kind in ("performed", "reached", "scored")}
    done = dict.fromkeys(name for name in names["performed"] if name.startswith(EFFECT))
    done.update(dict.fromkeys(names["reached"]))
    bots = program.bots or Bots((), (), (), ())
    plan = Counted(program, program.layout.stack, tuple(done), tuple(names["scored"]), uses_of(program))
    return _instrumented(evolve(program, bots=bots), plan)


def _names(program: TableProgram, kind: str) -> dict[str, None]:
    """Return the names of the sources of events of a kind, in the order of the code."""
    found: dict[str, None] = {}
    rest: list[Any] = [*program.functions, *program.segments]
    for unit in rest:
        for node in _events(unit):
            if node.kind == kind:
                found[program.sources[node.at].name] = None
    return found


def _events(unit: object) -> list[t.Emit]:
    from rulewright.ruleset.table.canonical import everything

    return [node for node in everything(unit) if isinstance(node, t.Emit)]


def _instrumented(program: TableProgram, plan: Counted) -> Counted:
    """Make room for the counters before the stack, and count where events happen."""
    counting, more = _Counting(program, plan), plan.end - plan.starter
    layout = evolve(program.layout, stack=program.layout.stack + more, cells=program.layout.cells + more)
    following = program.next_game
    if following is not None:
        following = evolve(following, kept=(*following.kept, (plan.starter, more)))
    made = evolve(
        program,
        layout=layout,
        functions=tuple(map(counting.node, program.functions)),
        segments=tuple(map(counting.node, program.segments)),
        next_game=following,
    )
    return evolve(plan, program=made)


class _Counting:
    """Adds the statements that count events."""

    def __init__(self, program: TableProgram, plan: Counted) -> None:
        self._sources, self._seats, self._plan = program.sources, program.seats, plan
        self._done = {name: plan.done_at + number for number, name in enumerate(plan.done)}
        self._awards = {name: plan.points_at + number * program.seats for number, name in enumerate(plan.awards)}
        self._asked: dict[int, t.Expr] = {}
        """The seat that is asked alone in a segment."""
        for number, segment in enumerate(program.segments):
            match segment.tree.end:
                case t.Ask(seats=t.Items((t.Local() | Const() as seat,))):
                    self._asked[number] = seat

    def node(self, node: Any) -> Any:
        """Return a function, segment, or a part of one, with the statements that count."""
        if isinstance(node, t.Function):
            return evolve(node, body=self._body(node.body))
        if isinstance(node, t.Tree):
            body, end = self._body(node.body), node.end
            if isinstance(end, t.Branch):
                end = evolve(end, then=self.node(end.then), otherwise=self.node(end.otherwise))
            elif isinstance(end, t.Goto) and end.segment in self._asked:
                body += (self._began(self._asked[end.segment]),)
            return evolve(node, body=body, end=end)
        if isinstance(node, t.Segment):
            return evolve(node, tree=self.node(node.tree))
        if isinstance(node, t.If):
            return evolve(node, then=self._body(node.then), otherwise=self._body(node.otherwise))
        if isinstance(node, t.ForEach | t.While):
            return evolve(node, body=self._body(node.body))
        return rebuild(node, self.node) if isinstance(node, t.Stmt) else node

    def _body(self, body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        found: list[Stmt] = []
        for statement in body:
            found.append(self.node(statement))
            if isinstance(statement, t.Emit):
                found += self._counts(statement)
        return tuple(found)

    def _counts(self, event: t.Emit) -> list[Stmt]:
        """Return the statements that count an event; other events change no state."""
        name, found = self._sources[event.at].name, list[Stmt]()
        if event.kind == "reached" and event.numbers and event.numbers[0] != Const(-1):
            found.append(self._began(event.numbers[0]))
        if event.kind in ("reached", "performed") and name in self._done:
            found.append(_added(Const(self._done[name]), Const(1)))
        if event.kind == "scored" and name in self._awards and len(event.numbers) > 2:
            seat, points = event.numbers[1:3]
            added = _added(t.Binary("+", Const(self._awards[name]), seat), points)
            there = t.And(t.Binary(">=", seat, Const(0)), t.Binary("<", seat, Const(self._seats)))
            found.append(t.If(there, (added,), ()))
        return found

    def _began(self, seat: t.Expr) -> Stmt:
        """Return the statement that notes a seat unless another one began."""
        starter = Const(self._plan.starter)
        noted = t.SetCell(starter, t.Binary("+", seat, Const(1)))
        return t.If(t.Binary("==", t.Cell(starter), Const(0)), (noted,), ())


def _added(address: t.Expr, amount: t.Expr) -> Stmt:
    return t.SetCell(address, t.Binary("+", t.Cell(address), amount))
