"""The part of a program that whole games need: no narration, and no value that nothing reads.

What remains decides how cards may be kept. A rule that compares two cards only to tell players about them leaves
nothing behind here, and so does the place of a card that no effect asks for.

A slot is needed if something that stays reads it. Slots, parameters and arguments are all found at once: a fixed
point over the whole program, from the last statement of each piece of code backwards.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from typing import Any

from attrs import evolve

from rulewright.interpreter.analysis.control_flow import segments_of
from rulewright.interpreter.analysis.metering import LOOPS, for_text
from rulewright.interpreter.analysis.nodes import (
    Failing,
    assigned_slots,
    can_fail,
    fallible_functions,
    with_conditions,
)
from rulewright.interpreter.state.memo import once
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.canonical import children, everything, rebuild, transform
from rulewright.ruleset.table.nodes import Bots, Const, End, Expr, List, Slot, Stmt, TableProgram, Tree

Slots = frozenset[int]
NO_SLOTS: Slots = frozenset()


def playing_form(program: TableProgram, bots: Bots | None) -> TableProgram:
    """Return the program without what only narrates, and without values that nothing needs.

    `bots` call functions of the program.
    """
    return _Needs(program, bots).reduced()


Read = dict[int, tuple[object, Slots]]
"""The slots that nodes read, by the identity of nodes, which are kept."""


def slots_read(node: object, known: Read | None = None) -> Slots:
    """Return the slots that a node reads, without those that its own expressions bind.

    With `known`, each node is looked at once.
    """
    known = {} if known is None else known
    if isinstance(node, tuple):
        return NO_SLOTS.union(*(slots_read(part, known) for part in node))
    if id(node) in known:
        return known[id(node)][1]
    found = NO_SLOTS.union(*(slots_read(part, known) for part in children(node)))
    if isinstance(node, t.Local | t.LocalList):
        found |= {node.slot}
    elif isinstance(node, BINDERS):
        found -= {node.slot} - slots_read(node.seats if isinstance(node, t.Ask) else node.items, known)
    known[id(node)] = node, found
    return found


DEEP = 1
"""Loops in each other that are looked at until nothing changes."""
MOST_TIMES = 4
"""How often a segment is looked at. Then it needs all slots that it had before: it is inside of many loops."""

BINDERS = (*LOOPS, t.Ask)


class _Needs:
    """The needs of one program: slots on entry to each segment and each function."""

    def __init__(self, program: TableProgram, bots: Bots | None) -> None:
        self._program = program
        self._can_fail = Failing(fallible_functions(program)).can_fail
        self._loops = 0
        """Loops around the code at work."""
        self._read: Read = {}
        self._segments: list[Slots] = [NO_SLOTS] * len(program.segments)
        self._functions: list[Slots] = [NO_SLOTS] * len(program.functions)
        seated = bots.bots if bots is not None else ()
        self._bots = {one.function for bot in seated for one in bot.rankings if isinstance(one, t.Score)}
        self._bots |= {one.condition for bot in seated for one in bot.answers if one.constants}
        """Functions that bots call with arguments: they keep their parameters."""

    def reduced(self) -> TableProgram:
        """Return the reduced program."""
        self._settle()
        program = self._program
        functions = tuple(
            evolve(function, body=self._body(function.body, NO_SLOTS)[0]) for function in program.functions
        )
        segments = tuple(
            evolve(segment, tree=self._tree(segment.tree)[0], live=tuple(sorted(self._segments[number])))
            for number, segment in enumerate(program.segments)
        )
        return evolve(program, functions=functions, segments=segments)

    def _settle(self) -> None:
        """Find all needs, and again those of all code that leads to code whose needs grew."""
        program = self._program
        units: list[tuple[t.Function | t.Segment, int]] = [
            (function, number) for number, function in enumerate(program.functions)
        ]
        units += [(segment, number) for number, segment in enumerate(program.segments)]
        ahead = [list(self._leads_to(unit)) for unit, _ in units]
        leading: dict[int, list[int]] = defaultdict(list)
        for place, others in enumerate(ahead):
            for other in others:
                leading[other].append(place)
        order = _last_first(ahead)
        turn = {place: number for number, place in enumerate(order)}
        waiting = list(range(len(order)))  # a heap of turns
        asked = set(waiting)
        times = [0] * len(program.segments)
        while waiting:
            asked.discard(now := heappop(waiting))
            place = order[now]
            unit, number = units[place]
            if isinstance(unit, t.Function):
                needs, needed = self._functions, self._body(unit.body, NO_SLOTS)[1]
            else:
                segment = program.segments[number]
                needs, needed = self._segments, self._tree(segment.tree)[1]
                times[number] += 1
                if times[number] > MOST_TIMES:
                    needed |= frozenset(segment.live)
            if not needed <= needs[number]:
                needs[number] |= needed
                for one in leading[place]:
                    if turn[one] not in asked:
                        asked.add(turn[one])
                        heappush(waiting, turn[one])

    def _leads_to(self, unit: t.Function | t.Segment) -> Iterator[int]:
        """Iterate over the places, functions before segments, of the code that a function or segment leads to."""
        program, segments = self._program, len(self._program.functions)
        for part in everything(unit.body if isinstance(unit, t.Function) else unit.tree):
            match part:
                case t.Do(number) | t.Call(number) | t.CallList(number):
                    yield number
                case t.DoTable(number):
                    yield from (one for one in {*program.tables[number]} if one >= 0)
                case t.Goto(number) | t.Ask(resume=number):
                    yield segments + number
                case t.Invoke(procedure, resume=number):
                    yield from (segments + number, segments + program.procedures[procedure].entry)
                case t.InvokeTable(table, resume=number):
                    called = (one for one in {*program.tables[table]} if one >= 0)
                    yield segments + number
                    yield from (segments + program.procedures[one].entry for one in called)

    def _reads(self, *nodes: object) -> Slots:
        """Return the slots that any of some nodes reads."""
        return slots_read(nodes, self._read)

    # -------------------------------------------------------------- calls

    def _needs_of_function(self, number: int, place: int) -> bool:
        return number in self._bots or place in self._functions[number]

    def _needs_of_procedure(self, number: int, place: int) -> bool:
        return place in self._segments[self._program.procedures[number].entry]

    def _arguments(self, given: Sequence[Expr | List], needed: Iterable[bool]) -> tuple[Expr | List, ...]:
        """Return arguments in which those that are not needed are none or empty."""
        return tuple(
            argument if need or self._can_fail(argument) else _nothing(argument)
            for argument, need in zip(given, needed, strict=True)
        )

    def _called(self, node: t.Do) -> t.Do:
        needed = (self._needs_of_function(node.function, place) for place in range(len(node.arguments)))
        return evolve(node, arguments=self._arguments(node.arguments, needed))

    def _called_by_table(self, node: t.DoTable) -> t.DoTable:
        numbers = [one for one in self._program.tables[node.table] if one >= 0]
        needed = [
            any(self._needs_of_function(one, place) for one in numbers) for place in range(len(node.arguments))
        ]
        return evolve(node, arguments=self._arguments(node.arguments, needed))

    # -------------------------------------------------------------- statements

    def _body(self, body: Sequence[Stmt], after: Slots) -> tuple[tuple[Stmt, ...], Slots]:
        """Return the statements that stay, and the slots needed before them."""
        kept: list[Stmt] = []
        for statement in reversed(body):
            reduced, after = self._statement(statement, after)
            if reduced is not None:
                kept.append(reduced)
        return tuple(reversed(kept)), after

    def _statement(self, node: Stmt, after: Slots) -> tuple[Stmt | None, Slots]:
        match node:
            case t.Emit() | t.Reveal():
                return None, after
            case t.SetLocal(slot, value) | t.SetList(slot, value):
                if slot not in after and not self._can_fail(value):
                    return None, after
                return node, (after - {slot}) | self._reads(value)
            case t.If(condition, then, otherwise):
                first, before_first = self._body(then, after)
                second, before_second = self._body(otherwise, after)
                if not first and not second and not self._can_fail(condition):
                    return None, after
                return t.If(condition, first, second), before_first | before_second | self._reads(condition)
            case t.ForEach(slot, items, body):
                body, before = self._loop(body, after)
                if not body and not self._can_fail(items):
                    return None, after
                return t.ForEach(slot, items, body), (before - {slot}) | after | self._reads(items)
            case t.While(condition, body, at):
                body, before = self._loop(body, after | self._reads(condition))
                return t.While(condition, body, at), before | after | self._reads(condition)
            case t.Do():
                called = self._called(node)
                return called, after | self._reads(called)
            case t.DoTable():
                called_by_table = self._called_by_table(node)
                return called_by_table, after | self._reads(called_by_table)
            case t.Drawing() if node.slot is not None:
                reduced = node if node.slot in after else evolve(node, slot=None)
                return reduced, (after - {node.slot}) | self._reads(node)
            case t.Random():
                return node, (after - {node.slot}) | self._reads(node)
            case t.Move() if node.chooser is not None:
                return self._statement(evolve(node, chooser=None), after)
            case _:
                return node, after | self._reads(node)

    def _loop(self, body: tuple[Stmt, ...], after: Slots) -> tuple[tuple[Stmt, ...], Slots]:
        """Return a loop's body, whose end leads to its beginning.

        Deep inside of loops all slots that the body reads are needed. To look at it until nothing changes would
        take twice as long for each loop around it.
        """
        self._loops += 1
        if self._loops > DEEP:
            after |= self._reads(*body)
        while True:
            reduced, before = self._body(body, after)
            if before <= after:
                self._loops -= 1
                return reduced, before
            after |= before

    # -------------------------------------------------------------- segments

    def _tree(self, tree: Tree) -> tuple[Tree, Slots]:
        end, after = self._end(tree.end)
        body, before = self._body(tree.body, after)
        return Tree(body, end), before

    def _end(self, end: End) -> tuple[End, Slots]:
        match end:
            case t.Branch(condition, then, otherwise):
                (first, before_first), (second, before_second) = self._tree(then), self._tree(otherwise)
                return t.Branch(condition, first, second), before_first | before_second | self._reads(condition)
            case t.Goto(segment):
                return end, self._segments[segment]
            case t.Invoke():
                needed = [self._needs_of_procedure(end.procedure, place) for place in range(len(end.arguments))]
                end = evolve(end, arguments=self._arguments(end.arguments, needed))
                return end, self._segments[end.resume] | self._reads(end.arguments)
            case t.InvokeTable():
                numbers = [one for one in self._program.tables[end.table] if one >= 0]
                needed = [
                    any(self._needs_of_procedure(one, place) for one in numbers)
                    for place in range(len(end.arguments))
                ]
                end = evolve(end, arguments=self._arguments(end.arguments, needed))
                return end, self._segments[end.resume] | self._reads(end)
            case t.Ask():
                return end, self._segments[end.resume] | self._reads(end)
            case _:
                return end, self._reads(end)


def _last_first(ahead: Sequence[Sequence[int]]) -> list[int]:
    """Return all places, each after those that it leads to, except where they lead back to it."""
    found: list[int] = []
    seen: set[int] = set()
    for start in range(len(ahead)):
        waiting = [(start, iter(ahead[start]))] if start not in seen else []
        seen.add(start)
        while waiting:  # without recursion, since chains may be long
            place, others = waiting[-1]
            new = next((one for one in others if one not in seen), None)
            if new is None:
                waiting.pop()
                found.append(place)
            else:
                seen.add(new)
                waiting.append((new, iter(ahead[new])))
    return found


def _nothing(argument: Expr | List) -> Expr | List:
    return t.Items(()) if isinstance(argument, List) else Const(-1)


# ---- Names of lists that are used at once are replaced by the cards of the zone that they stand for
#
# A name stands for a list as long as nothing moves a card and nothing assigns what the list depends on. Cards
# of a zone are forwarded to every use; a filter of them only if there is one use, since it is then evaluated
# there.

_CHANGING = (t.Move, t.MoveAll, t.SendHome, t.Drawing, t.Shuffle, t.Prepare, t.Do, t.DoTable, t.While, t.ForEach)
_Known = dict[int, Expr | List]


def forwarded(program: TableProgram) -> TableProgram:
    """Return the program with names replaced by what they stand for. `playing_form` then drops the names."""
    forwarding = _Forwarding(program)
    functions = []
    for function in program.functions:
        forwarding.enter((function.body,))
        functions.append(evolve(function, body=forwarding.body(function.body, {})))
    trees = [segment.tree for segment in program.segments]
    for own in segments_of(program):
        forwarding.enter([trees[number] for number in own])
        for number in own:
            trees[number] = forwarding.tree(trees[number], {})
    segments = tuple(evolve(segment, tree=tree) for segment, tree in zip(program.segments, trees, strict=True))
    return evolve(program, functions=tuple(functions), segments=segments)


class _Forwarding:
    def __init__(self, program: TableProgram) -> None:
        self._fallible = fallible_functions(program)
        self._uses: Counter[int] = Counter()

    def enter(self, code: Sequence[Any]) -> None:
        """Begin a unit: count the uses of its slots."""
        parts = (part for one in code for part in everything(one))
        self._uses = Counter(part.slot for part in parts if isinstance(part, t.LocalList | t.Local))

    def tree(self, tree: Tree, known: _Known) -> Tree:
        known = dict(known)
        body = self.body(tree.body, known)
        end = tree.end
        if isinstance(end, t.Branch):
            condition = _with(end.condition, known)
            return Tree(body, t.Branch(condition, self.tree(end.then, known), self.tree(end.otherwise, known)))
        return Tree(body, _with(end, known))

    def body(self, body: Sequence[Stmt], known: _Known) -> tuple[Stmt, ...]:
        """Return statements with names replaced. `known` is updated to what is known after them."""
        found: list[Stmt] = []
        for statement in body:
            statement = self._replaced(statement, known)
            found.append(statement)
            for slot in assigned_slots(statement):
                self._forget(slot, known)
            if any(isinstance(part, _CHANGING) for part in everything(statement)):
                for slot in [slot for slot, value in known.items() if isinstance(value, List)]:
                    del known[slot]
            self._learn(statement, known)
        return tuple(found)

    def _replaced(self, node: Stmt, known: _Known) -> Stmt:
        changed: Stmt
        match node:
            case t.If(condition, then, otherwise):
                condition = _with(condition, known)
                return t.If(condition, self.body(then, dict(known)), self.body(otherwise, dict(known)))
            case t.ForEach(slot, items, body):
                return t.ForEach(slot, _with(items, known), self.body(body, {}))
            case t.While(condition, body, at):
                return t.While(condition, self.body(body, {}), at)
            case _:
                changed = _with(node, known)
                return changed

    def _forget(self, slot: int, known: _Known) -> None:
        known.pop(slot, None)
        for other in [other for other, value in known.items() if slot in slots_read(value)]:
            del known[other]

    def _learn(self, node: Stmt, known: _Known) -> None:
        match node:
            case t.SetList(slot, items) if slot not in slots_read(items):
                if _is_of_zone(items, self._uses[slot] == 1) and not can_fail(items, self._fallible):
                    known[slot] = items
            case t.SetLocal(slot, value) if slot not in slots_read(value) and _is_simple(value):
                known[slot] = value


def _is_of_zone(items: List, once: bool) -> bool:
    """Return whether a list is the cards of a zone, or, used once, a filter of them by tables."""
    match items:
        case t.Cards(zone):
            return _is_simple(zone)
        case t.LocalList():
            return True
        case t.Filter(inner, _, condition) if once:
            reading = (Const, t.Local, t.Table, t.TableList, t.Contains, t.Not, t.And, t.Or, t.Binary)
            return _is_of_zone(inner, once) and all(isinstance(part, reading) for part in everything(condition))
    return False


def _is_simple(value: Expr) -> bool:
    """Return whether a number costs nothing to work out again: a seat, a constant, a zone of a seat."""
    match value:
        case Const() | t.Local():
            return True
        case t.Binary("+", t.Local(), Const()):
            return True
    return False


def _with(node: Any, known: Mapping[int, Expr | List]) -> Any:
    """Return a node with names replaced, except for slots that it binds itself somewhere."""
    if not known:
        return node
    bound = {part.slot for part in everything(node) if isinstance(part, BINDERS)}

    def change(part: Any) -> Any:
        if isinstance(part, t.LocalList | t.Local) and part.slot not in bound:
            return known.get(part.slot, part)
        return part

    return transform(node, change)


# ---- Short functions that give nothing become part of the code that calls them
#
# Then what a caller passes is known where it is used: cards of one zone, for example, need not become a list
# first.

SHORT = 80
"""Nodes of a function that is copied to every place that calls it."""


def inlined(program: TableProgram) -> TableProgram:
    """Return the program with calls of such functions replaced by their statements."""
    calls = Counter(node.function for node in everything(_code(program)) if isinstance(node, t.Do))
    replaced = {
        number
        for number, function in enumerate(program.functions)
        if calls[number]
        and not any(isinstance(part, t.Give) for part in everything(function.body))
        and (calls[number] == 1 or sum(1 for _ in everything(function.body)) <= SHORT)
    }
    return _Inlining(program, replaced).done() if replaced else program


def _code(program: TableProgram) -> tuple[object, ...]:
    return (*(function.body for function in program.functions), *(segment.tree for segment in program.segments))


class _Inlining:
    def __init__(self, program: TableProgram, replaced: set[int]) -> None:
        self._program, self._replaced = program, replaced
        self._slots: list[Slot] = []
        """The slots of the unit at work; copies of functions get further ones."""

    def done(self) -> TableProgram:
        program = self._program
        functions = []
        for function in program.functions:
            self._slots = list(function.slots)
            body = self._body(function.body)
            functions.append(evolve(function, body=body, slots=tuple(self._slots)))
        procedures, trees = list(program.procedures), {}
        for number, procedure in enumerate(program.procedures):
            self._slots = list(procedure.slots)
            for place, segment in enumerate(program.segments):
                if segment.procedure == number:
                    trees[place] = self._tree(segment.tree)
            procedures[number] = evolve(procedure, slots=tuple(self._slots))
        segments = tuple(evolve(segment, tree=trees[place]) for place, segment in enumerate(program.segments))
        return evolve(program, functions=tuple(functions), procedures=tuple(procedures), segments=segments)

    def _tree(self, tree: Tree) -> Tree:
        end = tree.end
        if isinstance(end, t.Branch):
            end = t.Branch(end.condition, self._tree(end.then), self._tree(end.otherwise))
        return Tree(self._body(tree.body), end)

    def _body(self, body: Sequence[Stmt]) -> tuple[Stmt, ...]:
        found: list[Stmt] = []
        for statement in body:
            match statement:
                case t.Do(number, arguments) if number in self._replaced:
                    found += self._copy(number, arguments)
                case t.If(condition, then, otherwise):
                    found.append(t.If(condition, self._body(then), self._body(otherwise)))
                case t.ForEach(slot, items, inner):
                    found.append(t.ForEach(slot, items, self._body(inner)))
                case t.While(condition, inner, at):
                    found.append(t.While(condition, self._body(inner), at))
                case _:
                    found.append(statement)
        return tuple(found)

    def _copy(self, number: int, arguments: Sequence[Expr | List]) -> list[Stmt]:
        """Return a function's statements with slots of their own, after those that pass its arguments."""
        function, first = self._program.functions[number], len(self._slots)
        self._slots += function.slots
        found: list[Stmt] = []
        for place, argument in enumerate(arguments):
            found.append(
                t.SetList(first + place, argument)
                if isinstance(argument, List)
                else t.SetLocal(first + place, argument)
            )
        return [*found, *self._body(_moved(function.body, first))]


def _moved(node: Any, by: int) -> Any:
    """Return code with all slots moved by a number."""
    if isinstance(node, tuple):
        return tuple(_moved(part, by) for part in node)
    changed = rebuild(node, lambda part: _moved(part, by))
    slot = getattr(changed, "slot", None)
    return evolve(changed, slot=slot + by) if isinstance(slot, int) else changed


# ---- Simpler forms of sentences, with the same results

_BINDERS = (t.Total, t.Exists, t.Highest, t.Filter, t.Map, t.FlatMap, t.Extremes, t.Ranked, t.Distinct)


def simplified(program: TableProgram) -> TableProgram:
    """Return the program in simpler forms: moves skip none anyway, and no member of a list in the state is none."""
    return evolve(
        program,
        functions=tuple(map(_simpler, program.functions)),
        segments=tuple(map(_simpler, program.segments)),
    )


def _simpler(node: Any, known: frozenset[int] = frozenset()) -> Any:
    """Return a node, or a tuple, simplified. Locals with the slots of `known` are members of lists of the state."""
    if isinstance(node, tuple):
        return tuple([_simpler(part, known) for part in node])
    inside = known
    if isinstance(node, _BINDERS) and _in_state(node.items):
        inside = known | {node.slot}
    items = getattr(node, "items", None)
    node = rebuild(node, lambda part: _simpler(part, known if part is items else inside))
    match node:
        case t.Present(t.Local(slot)) if slot in known:
            return node.operand
        case t.Move() | t.SendHome():
            match node.cards:
                case t.Choice(t.Binary("<", card, Const(0)), t.Items(()), t.Items((same,)) as one) if card == same:
                    return evolve(node, cards=one)
    return node


def _in_state(items: List) -> bool:
    while isinstance(items, t.Filter | t.Take):
        items = items.items
    return isinstance(items, t.CellList | t.Cards)


# ---- The program that native code plays: the rules without what only narrates

@once
def reduced(program: TableProgram) -> TableProgram:
    """Return the program of whole games, with the functions of its bots, in the form of `shapes.for_text`."""
    bots = program.bots
    whole = inlined(simplified(for_text(with_conditions(program))))
    return playing_form(forwarded(playing_form(whole, bots)), bots)
