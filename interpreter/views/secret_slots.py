"""Who knows the values in slots of frames: a static analysis of a table program.

A value is known to the seats that know all that it was computed from: hidden zones and tracks, chosen cards, sealed
answers, and chance. It is followed through code, calls, and loops, in the order of the code, until a fixed point. A
value that is assigned on one way of a branch, or in a loop, also depends on what decided the way. What rules do
*because of* a secret is not followed into the procedures that are called: everybody sees these actions anyway.

The analysis errs on the side of secrecy. It says which *cells* a value came from and not what players have learnt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import Protocol, TypeAlias

from attrs import define, frozen

from rulewright.interpreter.analysis.control_flow import (
    RESULT_SLOT,
    BranchRegion,
    branch_regions,
    can_vary,
    cells_slot,
    heard,
    segments_of,
    written,
)
from rulewright.interpreter.analysis.nodes import assigned_slots, read_slots
from rulewright.interpreter.state.events import cards_seen, size_seen
from rulewright.interpreter.state.memo import once
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.canonical import children, everything

# ---- Which seats know what an expression reads: the part of `views.secret_slots` about expressions

Secret: TypeAlias = tuple[int, int]
"""The mask of the seats that know something, and the slot of the frame whose seat knows it, too (-1: none)."""

Secrets: TypeAlias = frozenset[Secret]
"""All that a value was computed from and that some seat does not know; empty if all seats know the value."""

OPEN: Secrets = frozenset()
UNKNOWN: Secrets = frozenset({(0, -1)})
_POINTER = -3
"""With all seats as its mask: all know which card is meant, but some may not know its face."""
_ANSWERING = -2
"""Stands for the seat that is asked while the secrets of its options are looked at."""


class Slots(Protocol):
    """What is known about the slots of a frame at one place."""

    of: dict[int, Secrets]

    def root(self, slot: int) -> int: ...


class SecretReads:
    """The secrets of expressions of one program. `asked` are the questions whose answers a segment reads."""

    def __init__(self, program: t.TableProgram, asked: Mapping[int, Sequence[t.Ask]]) -> None:
        self.program = program
        self.asked = asked
        self.everyone = (1 << program.seats) - 1
        self.pointer: Secrets = frozenset({(self.everyone, _POINTER)})
        self.functions: dict[int, Secrets] = {}
        self.results = {
            info.address for info in program.state_lists if info.key.startswith(t.RESULT_LISTS) and info.count == 1
        }
        self.starts = _zone_starts(program)

    def secrets(self, node: object, slots: Slots, segment: int, bound: frozenset[int] = frozenset()) -> Secrets:
        """Return the secrets of an expression or list; `bound` are the slots that it binds itself."""
        if isinstance(node, t.Local | t.LocalList):
            return OPEN if node.slot in bound else slots.of.get(node.slot, OPEN)
        own = self._own(node, lambda slot: -1 if slot in bound else slots.root(slot))
        if isinstance(node, t.Cell | t.CellList) and (slot := self.result_slot(node.address)) is not None:
            own = slots.of.get(slot, OPEN)
        elif isinstance(node, t.Answer):
            own = self._answered(node, slots, segment, bound)
        elif isinstance(node, t.Count) and isinstance(node.items, t.Cards):
            return own | self.secrets(node.items.zone, slots, segment, bound)
        own_slot = _bound(node)
        inside = bound | {own_slot} if own_slot is not None else bound
        found = own.union(*(self.secrets(one, slots, segment, inside) for one in children(node)))
        return (found - self.pointer) | UNKNOWN if isinstance(node, t.Table) and self.pointer <= found else found

    def result_slot(self, address: t.Expr) -> int | None:
        """Return what stands among slots for the cells at an address if they hold the result of a call."""
        if not isinstance(address, t.Const):
            return None
        if address.value == t.RESULT:
            return RESULT_SLOT
        return cells_slot(address.value) if address.value in self.results else None

    def passed(self, inner: Secrets, arguments: Sequence[t.Expr | t.List], owner: Callable[[int], int]) -> Secrets:
        """Translate the secrets of a called function or procedure, whose first slots are its parameters."""
        roots = {place: owner(one.slot) for place, one in enumerate(arguments) if isinstance(one, t.Local)}
        return frozenset((mask, roots.get(slot, -1)) for mask, slot in inner)

    def _own(self, node: object, owner: Callable[[int], int]) -> Secrets:
        """Return the secrets that a node reads itself. `owner` gives a name to the slot of an index, or -1."""
        if isinstance(node, t.Cell):
            return self._cell(node.address, owner)
        if isinstance(node, t.CellList):
            return self._list(node.address)
        if isinstance(node, t.Count) and isinstance(node.items, t.Cards):
            return self._zone(node.items.zone, size_seen, owner)
        if isinstance(node, t.Cards):
            return self._zone(node.zone, cards_seen, owner)
        if isinstance(node, t.Call | t.CallList):
            return self.passed(self._function(node.function), node.arguments, owner)
        return OPEN

    def _function(self, number: int) -> Secrets:
        """Return everything that a function reads. Only parameters that it never changes can name a seat."""
        if number not in self.functions:
            self.functions[number] = OPEN
            function = self.program.functions[number]
            nodes = list(everything(function.body))
            bound = {slot for node in nodes if (slot := _bound(node)) is not None} | assigned_slots(function.body)

            def owner(slot: int) -> int:
                return slot if slot < function.parameters and slot not in bound else -1

            counted = {id(node.items) for node in nodes if isinstance(node, t.Count)}
            self.functions[number] = OPEN.union(
                *(self._own(one, owner) for one in nodes if not (isinstance(one, t.Cards) and id(one) in counted))
            )
        return self.functions[number]

    def _answered(self, node: t.Answer, slots: Slots, segment: int, bound: frozenset[int]) -> Secrets:
        """Return the secrets of an answer: of a sealed one, or one that names cards which some seats do not see."""
        asks = self.asked.get(segment, ())
        if not asks:
            return UNKNOWN
        seat = node.seat.slot if isinstance(node.seat, t.Local) and node.seat.slot not in bound else None
        who = -1 if seat is None else slots.root(seat)
        found: set[Secret] = set()
        for ask in asks:
            site = self.program.sites[ask.site]
            if site.sealed or site.private:
                found.add((0, who))
            if site.of == "card" or any("card" in branch.members for branch in site.branches):
                options = self.secrets(ask.options, _Asking(slots, ask.slot), segment)
                found |= {(mask, who if slot == _ANSWERING else slot) for mask, slot in options}
        return frozenset(found)

    # -------------------------------------------------------------- what seats see

    def _cell(self, address: t.Expr, owner: Callable[[int], int]) -> Secrets:
        base, terms = _terms(address)
        for track in self.program.tracks:
            for start in (track.address, track.arrival):
                if start >= 0 and base is not None and start <= base < start + track.count:
                    pointer = track.of == "card" and start == track.address
                    own = self.pointer if pointer and not self._all_open() else OPEN
                    return own | self._masked(track.seen, base - start, terms, owner)
        return UNKNOWN

    def _list(self, address: t.Expr) -> Secrets:
        base, _ = _terms(address)
        for info in self.program.state_lists:
            if base is not None and info.address <= base < info.address + info.count * (info.capacity + 1):
                if info.key.startswith(t.SEALED):
                    return UNKNOWN
                return self.pointer if info.of == "card" and not self._all_open() else OPEN
        return UNKNOWN

    def _all_open(self) -> bool:
        return all(cards_seen(zone) == self.everyone for zone in self.program.zones)

    def _zone(self, zone: t.Expr, seen: Callable[[t.ZoneInfo], int], owner: Callable[[int], int]) -> Secrets:
        zones = self.program.zones
        base, terms = _terms(zone)
        if base is None or not 0 <= base < len(zones):
            return self._masked([seen(one) for one in zones], 0, (), owner) if terms or base is None else UNKNOWN
        if not terms:
            return self._masked([seen(zones[base])], 0, (), owner)
        start = self.starts[base]
        among = [seen(one) for one in zones[start:] if one.zone == zones[start].zone]
        return self._masked(among, base - start, terms, owner)

    def _masked(
        self, masks: Sequence[int], offset: int, terms: Sequence[tuple[int, t.Expr]], owner: Callable[[int], int]
    ) -> Secrets:
        """Return the secret of one of several cells or zones, indexed by players first, that these masks see."""
        if not terms and len(masks) > 1:
            mask = masks[offset]
            return OPEN if mask == self.everyone else frozenset({(mask, -1)})
        mask = self.everyone
        for one in masks:
            mask &= one
        if mask == self.everyone:
            return OPEN
        stride, rest = divmod(len(masks), self.program.seats)
        players = [one for factor, one in terms if factor == stride]
        fits = not rest and len(players) == 1 and offset < max(stride, 1)
        fits = fits and all(0 < factor <= stride for factor, _ in terms)
        fits = fits and all(masks[at] >> at // stride & 1 for at in range(len(masks)))
        player = players[0] if fits else None
        return frozenset({(mask, owner(player.slot) if isinstance(player, t.Local) else -1)})


class _Asking:
    """The slots of a frame while a seat is asked: one of them is that seat."""

    def __init__(self, slots: Slots, asked: int) -> None:
        self.of = {**slots.of, asked: OPEN}
        self._slots, self._asked = slots, asked

    def root(self, slot: int) -> int:
        return _ANSWERING if slot == self._asked else self._slots.root(slot)


def _zone_starts(program: t.TableProgram) -> list[int]:
    """Return the number of the first zone of the same name, for each zone."""
    first: dict[str, int] = {}
    return [first.setdefault(zone.zone, number) for number, zone in enumerate(program.zones)]


def _bound(node: object) -> int | None:
    """Return the slot that an expression binds for its own parts."""
    return None if isinstance(node, t.Local | t.LocalList) else getattr(node, "slot", None)


def _terms(address: t.Expr) -> tuple[int | None, tuple[tuple[int, t.Expr], ...]]:
    """Split an address into a constant (None: it has none) and terms with their constant factors."""
    base: int | None = None
    terms: list[tuple[int, t.Expr]] = []
    waiting: list[tuple[int, t.Expr]] = [(1, address)]
    while waiting:
        factor, node = waiting.pop()
        if isinstance(node, t.Const):
            base = (base or 0) + factor * node.value
        elif isinstance(node, t.Binary | t.Checked) and node.op == "+":
            waiting += ((factor, node.left), (factor, node.right))
        elif isinstance(node, t.Binary | t.Checked) and node.op == "*" and isinstance(node.right, t.Const):
            waiting.append((factor * node.right.value, node.left))
        else:
            terms.append((factor, node))
    return base, tuple(terms)


# ---- Secret slots

@define
class SlotSecrets:
    """The secrets in the slots at one place of a procedure, and which slots hold the same as an earlier one."""

    of: dict[int, Secrets]
    same: dict[int, int]

    def copy(self) -> SlotSecrets:
        return SlotSecrets(dict(self.of), dict(self.same))

    def root(self, slot: int) -> int:
        """Return the first slot that holds the same value as a slot."""
        return self.same.get(slot, slot)

    def add(self, slots: Iterable[int], secrets: Secrets) -> None:
        for slot in slots:
            self.of[slot] = self.of.get(slot, OPEN) | secrets

    def tell(self, values: Iterable[t.Expr]) -> None:
        """All players learn these values, and so those of the slots that they are read from."""
        roots = {self.root(one.slot) for one in values if isinstance(one, t.Local)}
        for slot in self.of:
            if self.root(slot) in roots:
                self.of[slot] = OPEN

    def forget(self, slots: Iterable[int]) -> None:
        """Slots get other values: whose secrets a value is made of can no longer be read from them."""
        gone = set(slots)
        heirs = {root: slot for slot, root in reversed(self.same.items()) if root in gone and slot not in gone}
        for slot, secrets in self.of.items():
            self.of[slot] = without(secrets, gone, heirs)
        self.same = {
            slot: heirs.get(root, root)
            for slot, root in self.same.items()
            if slot not in gone and heirs.get(root) != slot
        }

    def known(self, slot: int, seat: int, frame: Mapping[int, object]) -> bool:
        """Return whether a seat knows the value of a slot, given the values that a frame holds in its slots."""
        seats = {self.root(one): value for one, value in frame.items() if one >= 0}
        named = {one for one, value in seats.items() if value == seat and not self.of.get(one)}
        return all(mask >> seat & 1 or owner in named for mask, owner in self.of.get(slot, OPEN))

    def join(self, other: SlotSecrets) -> bool:
        """Take over what another way brings; return whether anything was new."""
        before = (dict(self.of), dict(self.same))
        for slot, secrets in other.of.items():
            self.of[slot] = self.of.get(slot, OPEN) | secrets
        self.same = {slot: root for slot, root in self.same.items() if other.same.get(slot) == root}
        return before != (self.of, self.same)


def without(secrets: Secrets, gone: Set[int], heirs: Mapping[int, int] | None = None) -> Secrets:
    """Return secrets in which slots no longer say who knows; `heirs` hold the same seats."""
    heirs = heirs or {}
    return frozenset((mask, heirs.get(slot, -1) if slot in gone else slot) for mask, slot in secrets)


@frozen
class SecretBranch:
    """A branch that decides whether code runs: what it depends on, and the slots assigned in its region."""

    secrets: Secrets
    decided: frozenset[int]


NUMBERS_TOLD = ("announced", "reached", "performed")
"""The events whose numbers all their readers read."""


def asked_seats(ask: t.Ask) -> tuple[t.Expr, ...]:
    """Return the seat that a question is put to, if it is one. All players know whose decision it is."""
    return ask.seats.values if isinstance(ask.seats, t.Items) and len(ask.seats.values) == 1 else ()


@once
def secret_slots(program: t.TableProgram) -> dict[int, SlotSecrets]:
    """Return the secrets in the slots at the beginning of each segment that can be reached."""
    analysis = _Analysis(program)
    analysis.run()
    found: dict[int, SlotSecrets] = {}
    for number, segment in enumerate(program.segments):
        if id(segment.tree) in analysis.at:
            found[number] = analysis.at[id(segment.tree)].copy()
            if isinstance(segment.tree.end, t.Ask):
                found[number].tell(asked_seats(segment.tree.end))
    return found


class _Analysis:
    """The fixed point. Trees are known by their identity; the program keeps them."""

    def __init__(self, program: t.TableProgram) -> None:
        self.program = program
        self.everybody = t.Const((1 << program.seats) - 1)
        self.at: dict[int, SlotSecrets] = {}
        self.waiting: dict[int, t.Tree] = {}
        self.results: dict[int, dict[int, Secrets]] = {}
        """Of each procedure, by what stands for the result among slots."""
        self.conditions: dict[int, Secrets] = {}
        """What the branches of each procedure, and of those that it calls, depend on."""
        self.resumed: dict[int, set[int]] = {}
        """The segments that continue after calls of each procedure."""
        self.decided: dict[int, dict[int, Secrets]] = {}
        self.ways: dict[int, set[SecretBranch]] = {}
        self.regions: dict[int, BranchRegion] = {}
        self.trees: dict[int, tuple[int, int, t.Tree]] = {}
        """Segment, procedure, and tree."""
        self.calls: dict[tuple[int, int], list[tuple[t.Expr | t.List, ...]]] = {}
        self.changed: list[set[int]] = []
        """The slots that each procedure assigns."""
        asked: dict[int, list[t.Ask]] = {}
        for number, segment in enumerate(program.segments):
            self._register(number, segment)
            if isinstance(segment.tree.end, t.Ask):
                asked.setdefault(segment.tree.end.resume, []).append(segment.tree.end)
        self.reads = SecretReads(program, asked)
        self.written = [self._written(function) for function in program.functions]
        for segments in segments_of(program):
            self.regions |= branch_regions(program, segments)
            self.changed.append({slot for one in segments for slot in assigned_slots(program.segments[one].tree)})

    def _register(self, number: int, segment: t.Segment) -> None:
        trees = [segment.tree]
        for tree in trees:
            self.trees[id(tree)] = number, segment.procedure, tree
            end = tree.end
            if isinstance(end, t.Branch):
                trees += (end.then, end.otherwise)
            elif isinstance(end, t.Invoke | t.InvokeTable):
                for callee in self._callees(end):
                    self.calls.setdefault((segment.procedure, callee), []).append(end.arguments)

    def _written(self, function: t.Function) -> set[int]:
        """Return the slots and cells that a function, or one that it calls, may write."""
        found, waiting = set(written(function.body)), [function]
        met = {id(function)}
        for one in waiting:
            for node in everything(one.body):
                numbers: tuple[int, ...] = (node.function,) if isinstance(node, t.Do) else ()
                numbers = self.program.tables[node.table] if isinstance(node, t.DoTable) else numbers
                called = [self.program.functions[number] for number in numbers if number >= 0]
                waiting += [inner for inner in called if id(inner) not in met]
                met.update(map(id, called))
                found |= set().union(*(written(inner.body) for inner in called))
        return found

    def _callees(self, end: t.Invoke | t.InvokeTable) -> tuple[int, ...]:
        if isinstance(end, t.Invoke):
            return (end.procedure,)
        return tuple(dict.fromkeys(number for number in self.program.tables[end.table] if number >= 0))

    def run(self) -> None:
        entries = [self.program.entry]
        if self.program.next_game is not None:
            entries.append(self.program.next_game.procedure)
        for entry in entries:
            self._arrive(self._entry(entry), SlotSecrets({}, {}))
        while self.waiting:
            _, tree = self.waiting.popitem()
            segment, procedure, _ = self.trees[id(tree)]
            self.segment, self.procedure = segment, procedure
            secrets = self.at[id(tree)].copy()
            self._body(tree.body, secrets)
            self._end(tree, secrets)

    def _entry(self, procedure: int) -> t.Tree:
        return self.program.segments[self.program.procedures[procedure].entry].tree

    def _arrive(self, tree: t.Tree, secrets: SlotSecrets) -> None:
        """Come to a tree with these secrets in its slots; look at it again if that is new."""
        secrets = secrets.copy()
        for slot, more in self.decided.get(id(tree), {}).items():
            secrets.add((slot,), more)
        known = self.at.get(id(tree))
        if known is None:
            self.at[id(tree)] = secrets
        elif not known.join(secrets):
            return
        self.waiting[id(tree)] = tree

    # -------------------------------------------------------------- statements

    def _body(self, body: Iterable[t.Stmt], secrets: SlotSecrets) -> None:
        for node in body:
            self._statement(node, secrets)

    def _statement(self, node: t.Stmt, secrets: SlotSecrets) -> None:
        if isinstance(node, t.SetLocal):
            self._assign(node.slot, self._of(node.value, secrets), secrets)
            value = node.value.operand if isinstance(node.value, t.Present) else node.value
            if isinstance(value, t.Local) and value.slot != node.slot:
                secrets.same[node.slot] = secrets.root(value.slot)
        elif isinstance(node, t.SetList):
            self._assign(node.slot, self._of(node.items, secrets), secrets)
        elif isinstance(node, t.Random):
            self._assign(node.slot, UNKNOWN, secrets)
        elif isinstance(node, t.Drawing) and node.slot is not None:
            given = self._of(node.source, secrets) | self._of(node.count, secrets)
            self._assign(node.slot, given | self._of(t.Cards(node.to), secrets), secrets)
        elif isinstance(node, t.SetCell | t.SetCells):
            slot = self.reads.result_slot(node.address)
            if slot is not None:
                secrets.of[slot] = self._of(node.value if isinstance(node, t.SetCell) else node.items, secrets)
        elif isinstance(node, t.Emit) and node.audience == self.everybody and node.kind in NUMBERS_TOLD:
            secrets.tell(node.numbers)
        elif isinstance(node, t.Do):
            self._do(node, secrets)
        elif isinstance(node, t.DoTable):
            for number in self.program.tables[node.table]:
                if number >= 0:
                    self._do(t.Do(number, node.arguments), secrets, self._of(node.index, secrets))
        elif isinstance(node, t.If):
            self._either(node, secrets)
        elif isinstance(node, t.ForEach):
            self._loop(node.items, node.slot, node.body, secrets)
        elif isinstance(node, t.While):
            self._loop(node.condition, None, node.body, secrets)

    def _do(self, node: t.Do, secrets: SlotSecrets, chosen: Secrets = OPEN) -> None:
        """A function writes results, too; they depend on all that it reads."""
        slots = {slot for slot in self.written[node.function] if slot < 0}
        if slots:
            given = OPEN.union(*(self._of(one, secrets) for one in node.arguments))
            secrets.add(slots, chosen | given | self._of(t.Call(node.function, node.arguments), secrets))

    @staticmethod
    def _assign(slot: int, made_of: Secrets, secrets: SlotSecrets) -> None:
        secrets.of[slot] = made_of
        secrets.forget((slot,))

    def _either(self, node: t.If, secrets: SlotSecrets) -> None:
        other, condition = secrets.copy(), self._of(node.condition, secrets)
        self._body(node.then, secrets)
        self._body(node.otherwise, other)
        secrets.join(other)
        slots = written((node.then, node.otherwise))
        secrets.add(slots, without(condition, slots))

    def _loop(
        self, deciding: t.Expr | t.List, slot: int | None, body: tuple[t.Stmt, ...], secrets: SlotSecrets
    ) -> None:
        slots = written(body) | ({slot} if slot is not None else set())
        while True:
            made_of = self._of(deciding, secrets)
            again = secrets.copy()
            if slot is not None:
                self._assign(slot, made_of, again)
            self._body(body, again)
            again.add(slots, without(made_of, slots))
            if not secrets.join(again):
                return

    # -------------------------------------------------------------- ends

    def _end(self, tree: t.Tree, secrets: SlotSecrets) -> None:
        end = tree.end
        if isinstance(end, t.Branch):
            self._branch(tree, end, secrets)
        elif isinstance(end, t.Invoke | t.InvokeTable):
            self._call(tree, end, secrets)
        elif isinstance(end, t.Goto):
            self._arrive(self.program.segments[end.segment].tree, secrets)
        elif isinstance(end, t.Ask):
            secrets.tell(asked_seats(end))
            self._arrive(self.program.segments[end.resume].tree, secrets)
        elif isinstance(end, t.Return):
            if end.value is not None:
                self._give(RESULT_SLOT, self._of(end.value, secrets))
            for slot, made_of in secrets.of.items():
                if slot < RESULT_SLOT:
                    self._give(slot, made_of)

    def _branch(self, tree: t.Tree, end: t.Branch, secrets: SlotSecrets) -> None:
        condition, region = self._of(end.condition, secrets), self.regions[id(tree)]
        if condition:
            self._depend(condition)
            if can_vary(end.condition, region):
                secrets.add(region.counted, without(condition, region.counted))
            known = without(condition, region.decided)
            if region.returns:
                for slot in region.decided:
                    if slot < RESULT_SLOT:
                        self._give(slot, known)
                self._give(RESULT_SLOT, known)
            self._decide(region, known)
        self._arrive(end.then, secrets)
        self._arrive(end.otherwise, secrets)

    def _decide(self, region: BranchRegion, known: Secrets) -> None:
        """What a branch assigned on one of its ways depends on its condition from its join on."""
        if region.join is not None:
            decided = self.decided.setdefault(region.join, {})
            more = {slot for slot in region.decided if not known <= decided.get(slot, OPEN)}
            for slot in more:
                decided[slot] = decided.get(slot, OPEN) | known
            if more and region.join in self.at:
                self._arrive(self.trees[region.join][2], self.at[region.join])
        way = SecretBranch(known, region.decided)
        for tree in region.trees:
            ways = self.ways.setdefault(tree, set())
            if way not in ways:
                ways.add(way)
                if tree in self.at:
                    self.waiting[tree] = self.trees[tree][2]

    def _call(self, tree: t.Tree, end: t.Invoke | t.InvokeTable, secrets: SlotSecrets) -> None:
        index = self._of(end.index, secrets) if isinstance(end, t.InvokeTable) else OPEN
        region = self.regions[id(tree)]
        varies = isinstance(end, t.InvokeTable) and can_vary(end.index, region)
        counted = index if varies else OPEN
        inside = index
        for callee in self._callees(end):
            inner = self.reads.passed(self.conditions.get(callee, OPEN), end.arguments, secrets.root)
            inside |= inner
            if varies or not heard(self.program, self._entry(callee)):  # else everybody counts these calls
                counted |= inner
        if inside:
            self._depend(inside)
            secrets.add(region.counted, without(counted, region.counted))
        given = [self._of(one, secrets) for one in end.arguments]
        names: dict[int, int] = {}
        for place, one in enumerate(end.arguments):
            if isinstance(one, t.Local):
                names.setdefault(secrets.root(one.slot), place)
        secrets.of[RESULT_SLOT] = OPEN
        for callee in self._callees(end):
            others = self.calls[self.procedure, callee]
            initial = SlotSecrets({}, {})
            for place, made_of in enumerate(given):
                chosen = self._chosen(tree, end.arguments[place], [one[place] for one in others])
                one = end.arguments[place]
                if isinstance(one, t.Local) and (first := names[secrets.root(one.slot)]) != place:
                    initial.same[place] = first
                initial.of[place] = frozenset((mask, names.get(slot, -1)) for mask, slot in made_of | chosen)
            self._arrive(self._entry(callee), initial)
            self.resumed.setdefault(callee, set()).add(id(tree))
            for slot, made_of in self.results.get(callee, {}).items():
                secrets.add((slot,), index | self.reads.passed(made_of, end.arguments, secrets.root))
        self._arrive(self.program.segments[end.resume].tree, secrets)

    def _chosen(self, tree: t.Tree, given: t.Expr | t.List, others: list[t.Expr | t.List]) -> Secrets:
        """Return the secrets of the branches that have chosen this argument among others of the same call."""
        found: set[tuple[int, int]] = set()
        for way in self.ways.get(id(tree), ()):
            if any(one != given for one in others) or not way.decided.isdisjoint(read_slots(given)):
                found |= way.secrets
        return frozenset(found)

    def _give(self, slot: int, made_of: Secrets) -> None:
        """The procedure gives a result."""
        results, kept = self.results.setdefault(self.procedure, {}), self._kept(made_of)
        if not kept <= results.get(slot, OPEN):
            results[slot] = results.get(slot, OPEN) | kept
            self._call_again()

    def _depend(self, condition: Secrets) -> None:
        """What the procedure does depends on a condition."""
        before, kept = self.conditions.get(self.procedure, OPEN), self._kept(condition)
        if not kept <= before:
            self.conditions[self.procedure] = before | kept
            self._call_again()

    def _kept(self, made_of: Secrets) -> Secrets:
        """Return secrets for callers: only parameters that the procedure never assigns still say who knows them."""
        room, changed = self.program.procedures[self.procedure].parameters, self.changed[self.procedure]
        return frozenset((mask, one if 0 <= one < room and one not in changed else -1) for mask, one in made_of)

    def _call_again(self) -> None:
        for tree in self.resumed.get(self.procedure, ()):
            self.waiting[tree] = self.trees[tree][2]

    def _of(self, node: t.Expr | t.List, secrets: SlotSecrets) -> Secrets:
        return self.reads.secrets(node, secrets, self.segment)
