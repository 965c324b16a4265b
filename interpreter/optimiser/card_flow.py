"""Which cards are individuals at a table: those for which a game can tell one from an equal one.

The analysis follows every reference to cards through the program: slots, parameters, results, answers, and lists in
the state. Of each it knows the possible faces and zones (`references.Ref`). Moving a card by one reference makes
every other reference to cards of its faces and zones stale. What then depends on which of several equal cards is
meant makes their faces individual: asking where a stale card is, moving it, comparing two cards, a track or list of
its own, a place inside of an order. So the cards of an effect that removes the very card played are individuals;
all others need not be.

What the analysis does not understand raises NotKeptError: the table then keeps all cards as individuals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from attrs import evolve

from interpreter.optimiser.face_tests import of_whole_classes
from interpreter.optimiser.flow_facts import Facts, bits, union
from interpreter.optimiser.flow_values import FlowValues, slot_of
from interpreter.optimiser.menu_values import narrow, options
from interpreter.optimiser.references import (
    ANSWER,
    NUMBER,
    Coded,
    NotKeptError,
    Ref,
    State,
    Value,
    card_in,
    join,
    joined,
    one_of,
)
from interpreter.optimiser.zone_sets import Zones, ZoneSets
from ruleset.table import nodes as t
from ruleset.table.nodes import BotInfo, Bots, Const, List, Stmt, TableProgram, Tree


class CardFlow:
    """The analysis of one program; its results are in `facts`. `bots` call functions of the program."""

    def __init__(self, program: TableProgram, bots: Bots | None, zones: ZoneSets, ordered: Zones) -> None:
        self.program = program
        self.facts = facts = Facts(program, zones, ordered)
        self.values = values = FlowValues(facts)
        self.entered: dict[int, State] = {}
        """The state on entry to each segment."""
        facts.reached.add(("procedure", program.entry))
        if program.next_game is not None:
            facts.reached.add(("procedure", program.next_game.procedure))
        self._turns: dict[int, State] = {}
        """The states in which turns of loops may begin, by the identity of their nodes."""
        self._offered: dict[tuple[int, int], Ref] = {}
        """The cards among the options of each site, by the branch of a menu."""
        while facts.changed:
            facts.changed = False
            if bots is not None:
                self._seat(bots)
            self._look()
        if facts.of_cards & facts.of_numbers or values.in_addresses & values.not_in_addresses:
            raise NotKeptError("a rule works on cards as well as on numbers")

    def _seat(self, bots: Bots) -> None:
        """Bots call functions with the cards that they are asked about."""
        for bot in bots.bots:
            for answer in bot.answers:
                self.facts.reached.add(("function", answer.condition))
                for place, _ in enumerate(answer.constants, 1):
                    self.facts.passed(("function", answer.condition), place, NUMBER)
                self._ranked(bot, answer.ranking, answer.site, None)

    def _ranked(self, bot: BotInfo, ranking: int, site: int, branch: int | None) -> None:
        """Options of a site, or of a branch of its menu, are ranked."""
        found = bot.rankings[ranking]
        if isinstance(found, t.Score):
            unit = "function", found.function
            self.facts.reached.add(unit)
            for place, (card, _) in enumerate(found.parts):
                offered = [ref for (at, of), ref in self._offered.items() if at == site and branch in (None, of)]
                for value in offered if card else [NUMBER]:
                    self.facts.passed(unit, 1 + place, value)
            for place, _ in enumerate(found.constants, 1 + len(found.parts)):
                self.facts.passed(unit, place, NUMBER)
            return
        for part, following in [*found.cases, (None, found.otherwise)]:
            if following >= 0:
                is_branch = branch is None and found.radix == len(self.program.sites[site].branches)
                self._ranked(bot, following, site, part if is_branch else branch)

    def _look(self) -> None:
        facts = self.facts
        for number, function in enumerate(self.program.functions):
            facts.unit, facts.name = ("function", number), function.name
            if facts.unit in facts.reached:
                self._body(function.body, dict(facts.parameters[facts.unit]))
        for number, procedure in enumerate(self.program.procedures):
            if ("procedure", number) in facts.reached:
                self._arrive(procedure.entry, dict(facts.parameters["procedure", number]))
        for number, segment in enumerate(self.program.segments):
            if number in self.entered:
                facts.unit = ("procedure", segment.procedure)
                facts.name = self.program.procedures[segment.procedure].name
                facts.around = segment.tree
                self._tree(segment.tree, dict(self.entered[number]))

    # -------------------------------------------------------------- segments

    def _arrive(self, segment: int, state: State) -> None:
        """Enter a segment in a state."""
        live = {*self.program.segments[segment].live, ANSWER}
        kept = {key: value for key, value in state.items() if key in live}
        before = self.entered.get(segment)
        after = kept if before is None else joined(before, kept)
        if after != before:
            self.entered[segment] = after
            self.facts.changed = True

    def _tree(self, tree: Tree, state: State) -> None:
        self._body(tree.body, state)
        self.facts.looking_at = tree.end if not isinstance(tree.end, t.Branch) else tree.end.condition
        match tree.end:
            case t.Branch(condition, then, otherwise):
                self.values.plain(condition, state)
                other = dict(state)
                narrow(condition, True, state)
                self._tree(then, state)
                narrow(condition, False, other)
                self._tree(otherwise, other)
            case t.Goto(segment):
                self._arrive(segment, state)
            case t.Invoke(procedure, arguments, resume):
                self.values.call(("procedure", procedure), arguments, state)
                self._arrive(resume, state)
            case t.InvokeTable(_, _, arguments, resume):
                self.values.call_by_table("procedure", tree.end, state, arguments)
                self._arrive(resume, state)
            case t.Ask():
                self._ask(tree.end, state)
            case t.Return(value) if value is not None:
                self.values.plain(value, state)

    def _ask(self, node: t.Ask, state: State) -> None:
        self.values.plain(node.seats, state)
        state[node.slot] = NUMBER
        offered = options(self.values, node.options, state)
        for bound in (node.least, node.most):
            self.values.plain(bound, state)
        if self.program.sites[node.site].of == "card" and offered is not None and not isinstance(offered, Ref):
            raise NotKeptError(f"{self.facts.at} uses a number as a card")
        ref = card_in(offered)
        if ref is not None:
            self.facts.tell_apart(ref.stale, "offers a card that may have left its place")
            if not ref.distinct:
                self.facts.tell_apart(ref.faces, "may offer a card twice")
            self.facts.asked |= ref.zones
            self._offer(node.site, offered)
        state[ANSWER] = offered
        self._arrive(node.resume, state)

    def _offer(self, site: int, offered: Value) -> None:
        """Note which cards a site offers, branch by branch."""
        cards = offered.cards if isinstance(offered, Coded) else [(0, offered)]
        for left, ref in cards:
            branch = left % max(1, len(self.program.sites[site].branches))
            before = self._offered.get((site, branch))
            after = ref if before is None else join(before, ref)
            if after != before and isinstance(after, Ref):
                self._offered[site, branch] = after
                self.facts.changed = True

    # -------------------------------------------------------------- statements

    def _body(self, body: Sequence[Stmt], state: State) -> None:
        for statement in body:
            self.facts.looking_at = statement
            found = _STATEMENTS.get(type(statement))
            if found is None:
                raise NotKeptError(f"{self.facts.at} does what the analysis does not know")
            found(self, statement, state)

    def assign(self, node: t.SetLocal, state: State) -> None:
        state[node.slot] = self.values.number(node.value, state)

    def assign_list(self, node: t.SetList, state: State) -> None:
        state[node.slot] = self.values.members(node.items, state)

    def store(self, node: t.SetCell | t.Append | t.Remove, state: State) -> None:
        self.values.address(node.address, state)
        self.facts.remember(node, node.address, self.values.number(node.value, state))

    def store_list(self, node: t.SetCells, state: State) -> None:
        self.values.address(node.address, state)
        self.facts.remember(node, node.address, self.values.members(node.items, state))

    def track(self, node: t.Change | t.Assign, state: State) -> None:
        self.values.address(node.index, state)
        value = self.values.number(node.amount if isinstance(node, t.Change) else node.value, state)
        self.facts.remember(node, Const(self.program.tracks[node.track].address), value)

    def decide(self, node: t.If, state: State) -> None:
        self.values.plain(node.condition, state)
        other = dict(state)
        narrow(node.condition, True, state)
        narrow(node.condition, False, other)
        self._body(node.then, state)
        self._body(node.otherwise, other)
        _replace(state, joined(state, other))

    def for_each(self, node: t.ForEach, state: State) -> None:
        hidden = "each", id(node)
        state[hidden] = self.values.members(node.items, state)
        before = self._again(node, state)
        listed = state.get(hidden)
        state[node.slot] = one_of(listed)
        if isinstance(listed, Ref) and not listed.distinct:
            self.facts.tell_apart(listed.faces, "goes through a list that may hold a card twice")
        self._body(node.body, state)
        self._turned(node, before, state)
        state.pop(hidden, None)

    def repeat(self, node: t.While, state: State) -> None:
        before = self._again(node, state)
        self.values.plain(node.condition, state)
        self._body(node.body, state)
        self._turned(node, before, state)

    def _again(self, node: t.ForEach | t.While, state: State) -> State:
        """Begin a turn of a loop, in the state in which any turn may begin. Returns that state.

        What a turn changes counts in the next round over the whole program: to repeat a loop until nothing changes
        would take twice as long for each loop around it.
        """
        _replace(state, joined(self._turns.get(id(node), {}), state))
        return dict(state)

    def _turned(self, node: t.ForEach | t.While, before: State, state: State) -> None:
        """End a turn of a loop that began in a state."""
        _replace(state, joined(before, state))
        if state != self._turns.get(id(node)):
            self._turns[id(node)] = dict(state)
            self.facts.changed = True

    def do(self, node: t.Do, state: State) -> None:
        self.values.call(("function", node.function), node.arguments, state)

    def do_table(self, node: t.DoTable, state: State) -> None:
        self.values.call_by_table("function", node, state, node.arguments)

    def fuel(self, _node: t.Charge | t.Fail, _state: State) -> None:
        """Neither touches a card."""

    def close(self, _node: t.CloseDecisions, state: State) -> None:
        state[ANSWER] = None

    def give(self, node: t.Give, state: State) -> None:
        self.facts.gives(self.values.any(node.value, state))

    def random(self, node: t.Random, state: State) -> None:
        self.values.plain(node.bound, state)
        state[node.slot] = NUMBER

    # -------------------------------------------------------------- moves

    def move(self, node: t.Move, state: State) -> None:
        to = self.facts.zones.of(node.to, self.facts.unit)
        moved = self.values.members(node.cards, state)
        self.values.plain(node.to, state)
        if node.place is not None:
            self.values.plain(node.place, state)
        on_top = isinstance(node.cards, t.Items) and not node.bottom
        self._moved(node.cards, moved, to, state, node.place is not None, on_top)

    def send_home(self, node: t.SendHome, state: State) -> None:
        moved = self.values.members(node.cards, state)
        homes = self.program.tables[node.homes]
        self.facts.index(node, moved, homes)
        if node.place is not None:
            self.values.plain(node.place, state)
        to = self.facts.zones.of(t.Table(node.homes, Const(0)), self.facts.unit)
        self._moved(node.cards, moved, to, state, True, False)

    def _moved(self, cards: List, moved: Value, to: Zones, state: State, stays: bool, on_top: bool) -> None:
        """Cards move by reference. `stays`: some may stay where they are; `on_top`: one goes on top."""
        if moved is None:
            return
        if not isinstance(moved, Ref):
            raise NotKeptError(f"{self.facts.at} uses a number as a card")
        facts = self.facts
        facts.tell_apart(moved.stale, "moves a card that may have left its place")
        if not moved.distinct:
            facts.tell_apart(moved.faces, "may move a card twice")
        out_of = 0 if moved.top else moved.zones & facts.ordered
        if out_of & to or (out_of and not of_whole_classes(cards)):
            facts.tell_apart(moved.faces, "may take a card that is not on top of its pile or row")
        slot = slot_of(cards)
        facts.leave(facts.refilling(dict.fromkeys(bits(moved.zones), moved.faces)), state, (slot,))
        facts.arrive(moved.faces, to, state, (slot,))
        value = state.get(slot)
        if slot is not None and isinstance(value, Ref):
            top = on_top and not (stays and value.zones & facts.ordered and not value.top)
            zones, gone = to | (value.zones if stays else 0), value.faces if to & facts.refills(moved.zones) else 0
            state[slot] = evolve(value, zones=zones, stale=value.stale | gone, top=top and not gone)

    def move_all(self, node: t.MoveAll, state: State) -> None:
        self._leave_whole(node.source, node.to, state)

    def draw(self, node: t.Drawing, state: State) -> None:
        self.values.plain(node.count, state)
        drawn = self._leave_whole(node.source, node.to, state)
        if node.slot is not None:
            state[node.slot] = drawn

    def _leave_whole(self, source: t.Expr, to: t.Expr, state: State) -> Ref:
        """Any cards of a zone, and of what it refills itself from, move. Returns a list of them.

        Cards that come back to the zone, or to what it refills itself from, may leave again, and be drawn again.
        """
        self.values.plain(source, state)
        self.values.plain(to, state)
        removed = self.facts.whole(self.facts.zones.of(source, self.facts.unit))
        target = self.facts.zones.of(to, self.facts.unit)
        self.facts.leave(removed, state)
        self.facts.arrive(union(removed), target, state)
        back = union({zone: faces for zone, faces in removed.items() if target >> zone & 1})
        return Ref(union(removed), target, back, not back)

    def prepare(self, node: t.Prepare, state: State) -> None:
        self.values.plain(node.zone, state)
        self.values.plain(node.count, state)
        self.facts.leave(self.facts.whole(self.facts.zones.of(node.zone, self.facts.unit)), state)

    def shuffle(self, node: t.Shuffle, state: State) -> None:
        self.values.plain(node.zone, state)
        self.facts.cover(self.facts.zones.of(node.zone, self.facts.unit), state)


def _replace(state: State, by: State) -> None:
    state.clear()
    state.update(by)


_STATEMENTS: dict[type[Stmt], Callable[[CardFlow, Any, State], None]] = {
    t.SetLocal: CardFlow.assign,
    t.SetList: CardFlow.assign_list,
    t.SetCell: CardFlow.store,
    t.SetCells: CardFlow.store_list,
    t.If: CardFlow.decide,
    t.ForEach: CardFlow.for_each,
    t.While: CardFlow.repeat,
    t.Do: CardFlow.do,
    t.DoTable: CardFlow.do_table,
    t.CloseDecisions: CardFlow.close,
    t.Charge: CardFlow.fuel,
    t.Fail: CardFlow.fuel,
    t.Give: CardFlow.give,
    t.Random: CardFlow.random,
    t.Move: CardFlow.move,
    t.MoveAll: CardFlow.move_all,
    t.SendHome: CardFlow.send_home,
    t.Draw: CardFlow.draw,
    t.DrawBottom: CardFlow.draw,
    t.Prepare: CardFlow.prepare,
    t.Shuffle: CardFlow.shuffle,
    t.Change: CardFlow.track,
    t.Assign: CardFlow.track,
    t.Append: CardFlow.store,
    t.Remove: CardFlow.store,
}
