"""Python source that plays whole games by itself: the random policy of `playout` inside of the rules.

Every procedure becomes one Python function with ordinary variables, since nothing needs to stop: where the rules
ask, the policy answers at once. Segments with one predecessor stand where control comes from; the others are
cases of a loop. What remains of a game at its end, cell for cell, is what stepping through it leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from interpreter.backend import TableBackend
from interpreter.chance import Stream
from interpreter.errors import RuleError
from interpreter.frames import NOWHERE
from interpreter.python_nodes import folded
from interpreter.python_runtime import namespace
from interpreter.python_statements import StatementText
from interpreter.python_values import plain, slot_name
from ruleset import table
from ruleset.table import (
    FRAME,
    FUEL,
    FUEL_PER_ANSWER,
    OVER,
    RESULT,
    SEGMENT,
    STATUS,
    List,
    TableProgram,
    Tree,
)


class PlayingText(StatementText):
    """Lines of a module with one function for each procedure: `p3(S, fp, ...)`."""

    def __init__(self, program: TableProgram) -> None:
        super().__init__(program, False)
        self.entered = _predecessors(program)
        self.procedure = 0
        self.one_answer = True
        self.head: int | None = None
        self.nests = _nests(program)

    def items(self, node: List, *rest: Any, **more: Any) -> str:
        """An answer is in a variable."""
        if isinstance(node, table.Answer):
            return "A" if self.one_answer else f"A[{self.text_of(node.seat)}]"
        return super().items(node, *rest, **more)

    def whole(self, number: int) -> None:
        """The function of a procedure."""
        procedure = self.program.procedures[number]
        self.procedure = number
        self.temporaries = 0
        parameters = ", ".join(["S", "fp", *(slot_name(slot) for slot in range(procedure.parameters))])
        self.line(f"def p{number}({parameters}):")
        self.indent += 1
        heads = [
            n
            for n, segment in enumerate(self.program.segments)
            if segment.procedure == number and n != procedure.entry and self.entered[n] > 1
        ]
        if self.entered[procedure.entry]:
            heads.insert(0, procedure.entry)
        if not heads:
            self.tree(self.program.segments[procedure.entry].tree)
        else:
            if procedure.entry in heads:
                self.line(f"pc = {procedure.entry}")
            else:
                self.line("pc = -1")
                heads.insert(0, -1)
            self.line("while True:")
            self.indent += 1
            self._cases(sorted(heads), procedure.entry)
            self.indent -= 1
        self.indent -= 1

    def _cases(self, heads: Sequence[int], entry: int) -> None:
        """A choice between segments by halving."""
        if len(heads) == 1:
            self._head(entry if heads[0] == -1 else heads[0])
            return
        middle = len(heads) // 2
        self.line(f"if pc < {heads[middle]}:")
        self.indent += 1
        self._cases(heads[:middle], entry)
        self.indent -= 1
        self.line("else:")
        self.indent += 1
        self._cases(heads[middle:], entry)
        self.indent -= 1

    def _head(self, number: int) -> None:
        """A case of the loop; one that leads back to itself is a loop of its own."""
        tree = self.program.segments[number].tree
        self.head = number if self._leads_to(tree, number) else None
        if self.head is not None:
            self.line("while True:")
            self.indent += 1
        self.tree(tree)
        if self.head is not None:
            self.indent -= 1
        self.head = None

    def _leads_to(self, tree: Tree, goal: int) -> bool:
        """Whether control comes back to a segment without leaving this case."""
        match tree.end:
            case table.Branch(_, then, otherwise):
                return self._leads_to(then, goal) or self._leads_to(otherwise, goal)
            case table.Goto(successor) | table.Ask(resume=successor):
                follows = successor
            case table.Invoke(resume=successor) | table.InvokeTable(resume=successor):
                follows = successor
            case _:
                return False
        if follows == goal:
            return True
        return self.entered[follows] == 1 and self._leads_to(self.program.segments[follows].tree, goal)

    def tree(self, tree: Tree) -> None:
        """The lines of a tree; every way through it returns or goes on with the loop."""
        self.statements(tuple(s for s in tree.body if not isinstance(s, table.CloseDecisions)))
        end = tree.end
        if isinstance(end, table.Branch):
            self.line(f"if {plain(self.condition(end.condition))}:")
            self.indent += 1
            self.tree(end.then)
            self.indent -= 1
            self.line("else:")
            self.indent += 1
            self.tree(end.otherwise)
            self.indent -= 1
            return
        _ENDS[type(end)](self, end)

    def go(self, segment: int) -> None:
        """What follows: in place, or by way of the loop."""
        if self.entered[segment] == 1:
            self.tree(self.program.segments[segment].tree)
        else:
            if segment != self.head:
                self.line(f"pc = {segment}")
            self.line("break" if self.head not in (None, segment) else "continue")

    @property
    def size(self) -> int:
        return self.program.procedures[self.procedure].size

    def passed(self, arguments: Sequence[table.Expr | List]) -> str:
        """Arguments of a call; the frame's address tells how deep calls are nested."""
        texts = [self.items(a) if isinstance(a, List) else plain(self.text_of(a)) for a in arguments]
        return ", ".join(["S", f"fp + {self.size}", *texts])


def _predecessors(program: TableProgram) -> list[int]:
    """How many places control comes from, for each segment; an entry's caller does not count."""
    entered = [0] * len(program.segments)

    def count(tree: Tree) -> None:
        match tree.end:
            case table.Branch(_, then, otherwise):
                count(then)
                count(otherwise)
            case table.Goto(successor):
                entered[successor] += 1
            case table.Ask(resume=successor) | table.Invoke(resume=successor):
                entered[successor] += 1
            case table.InvokeTable(resume=successor):
                entered[successor] += 1
            case _:
                pass

    for segment in program.segments:
        count(segment.tree)
    return entered


def _nests(program: TableProgram) -> bool:
    """Whether calls could need more stack than there is: never, if no procedure can lead back to itself."""
    calls: dict[int, set[int]] = {number: set() for number in range(len(program.procedures))}

    def collect(tree: Tree, caller: int) -> None:
        end = tree.end
        if isinstance(end, table.Branch):
            collect(end.then, caller)
            collect(end.otherwise, caller)
        elif isinstance(end, table.Invoke):
            calls[caller].add(end.procedure)
        elif isinstance(end, table.InvokeTable):
            calls[caller].update(called for called in program.tables[end.table] if called >= 0)

    for segment in program.segments:
        collect(segment.tree, segment.procedure)
    depth: dict[int, int] = {}

    def needed(number: int, path: frozenset[int]) -> int:
        if number in path:
            return program.layout.cells + 1
        if number not in depth:
            inner = max((needed(called, path | {number}) for called in calls[number]), default=0)
            depth[number] = program.procedures[number].size + inner
        return depth[number]

    return program.layout.stack + needed(program.entry, frozenset()) > program.layout.cells


def _goto(text: PlayingText, node: table.Goto) -> None:
    text.go(node.segment)


def _invoke(text: PlayingText, node: table.Invoke) -> None:
    text.charge(node.at)
    if text.nests:
        highest = text.program.layout.cells - text.size - text.program.procedures[node.procedure].size
        text.line(f"if fp > {highest}: no_stack({node.at})")
    text.line(f"S[{RESULT}] = p{node.procedure}({text.passed(node.arguments)})")
    text.go(node.resume)


def _invoke_table(text: PlayingText, node: table.InvokeTable) -> None:
    name = text.temporary()
    text.line(f"{name} = T{node.table}[{text.text_of(node.index)}]")
    text.line(f"if {name} != -1:")
    text.indent += 1
    text.charge(node.at)
    if text.nests:
        text.line(f"if fp + SIZES[{name}] > {text.program.layout.cells - text.size}: no_stack({node.at})")
    text.line(f"S[{RESULT}] = PROCEDURES[{name}]({text.passed(node.arguments)})")
    text.indent -= 1
    text.go(node.resume)


def _return(text: PlayingText, node: table.Return) -> None:
    text.line(f"return {0 if node.value is None else text.text_of(node.value)}")


def _ask(text: PlayingText, node: table.Ask) -> None:
    seat = slot_name(node.slot)
    cards = text.program.sites[node.site].of == "card" and not _in_order(text.program, node.options)
    bounds = f"{text.text_of(node.least)}, {text.text_of(node.most)}, {node.at}"
    text.one_answer = isinstance(node.seats, table.Items) and len(node.seats.values) == 1
    if isinstance(node.seats, table.Items) and len(node.seats.values) == 1:
        text.line(f"{seat} = {text.text_of(node.seats.values[0])}")
        if node.always:
            text.line(f"A = always(S, {text.items(node.options)}, {bounds}, {cards})")
        elif node.least == node.most == table.Const(1):
            text.line(f"A = {'card' if cards else 'one'}(S, {text.items(node.options)}, {node.at})")
        else:
            text.line(f"A = {'cards' if cards else 'some'}(S, {text.items(node.options)}, {bounds})")
    else:
        asked = text.temporary()
        text.line(f"{asked} = []")
        text.line(f"for {seat} in {text.items(node.seats)}:")
        text.line(f"    {asked}.append(({seat}, [*{text.items(node.options)}], {bounds}))")
        text.line(f"A = all_of(S, {asked}, {cards}, {node.always})")
    text.go(node.resume)


def _in_order(program: TableProgram, options: List) -> bool:
    """Whether options are the cards of a zone whose places differ, so that no two are alike."""
    if not isinstance(options, table.Cards) or not isinstance(options.zone, table.Const):
        return False
    return program.zones[options.zone.value].order != "bag"


def _finish(text: PlayingText, _node: table.Finish) -> None:
    text.line("raise Finished")


_ENDS: dict[type[table.End], Callable[[PlayingText, Any], None]] = {
    table.Goto: _goto,
    table.Invoke: _invoke,
    table.InvokeTable: _invoke_table,
    table.Return: _return,
    table.Ask: _ask,
    table.Finish: _finish,
}


class Finished(Exception):  # noqa: N818 - it ends a game from any depth of calls
    """The rules said that the game is over."""


class PlayingBackend(TableBackend):
    """Plays games to their ends without stopping. Not for stepping: see `python_backend`."""

    name = "python"

    def __init__(self, program: TableProgram) -> None:
        super().__init__(program)
        text = PlayingText(folded(program))
        for number in range(len(program.functions)):
            text.function(number)
        for number in range(len(program.procedures)):
            text.whole(number)
        text.line(f"FUNCTIONS = [{', '.join(f'f{number}' for number in range(len(program.functions)))}]")
        text.line(f"PROCEDURES = [{', '.join(f'p{number}' for number in range(len(program.procedures)))}]")
        self.source = "\n".join(text.lines) + "\n"
        names = namespace(program, False, tuple(text.codes))
        self._policy = _Policy(program)
        names.update(self._policy.names(), Finished=Finished)
        exec(compile(self.source, "<generated>", "exec"), names)
        self._entry: Callable[[list[int], int], int] = names[f"p{program.entry}"]

    def play(self, state: list[int], stream: Stream) -> int:
        """Plays a fresh state to its end with random answers; gives how many there were. Raises RuleError."""
        policy = self._policy
        policy.begin(stream)
        try:
            self._entry(state, self.program.layout.stack)
        except Finished:
            pass
        finally:
            policy.end()
        layout = self.program.layout
        state[STATUS], state[SEGMENT], state[FRAME] = OVER, NOWHERE, NOWHERE
        state[layout.stack] = state[layout.stack + 1] = 0
        return policy.answers


class _Policy:
    """`playout.RandomPlayer` as functions for generated text: the same draws, the same answers."""

    def __init__(self, program: TableProgram) -> None:
        self._program = program
        self.answers = 0
        self.begin: Callable[[Stream], None]
        self.end: Callable[[], None]

    def names(self) -> dict[str, Any]:
        """The functions that generated text calls where the rules ask."""
        program = self._program
        faces = tuple(card.face for card in program.cards)
        bags = tuple(zone.order == "bag" for zone in program.zones)
        places, room = program.layout.places, program.layout.options
        answers = 0
        bits = Stream(0).getrandbits

        def begin(stream: Stream) -> None:
            nonlocal bits, answers
            bits, answers = stream.getrandbits, 0

        def end() -> None:
            self.answers = answers

        def below(bound: int) -> int:
            # `Stream.below`, written out: it is called for each decision.
            while True:
                product = bits(32) * bound
                low = product & 0xFFFFFFFF
                if low >= bound or low >= 0x100000000 % bound:
                    return product >> 32

        def one(state: list[int], options: Sequence[int], at: int) -> Sequence[int]:
            nonlocal answers
            count = len(options)
            if count < 2:
                return options
            if count > room:
                full(at)
            answers += 1
            state[FUEL] = FUEL_PER_ANSWER
            return (options[below(count)],)

        def card(state: list[int], options: Sequence[int], at: int) -> Sequence[int]:
            nonlocal answers
            count = len(options)
            if count < 2:
                return options
            if count > room:
                full(at)
            answers += 1
            state[FUEL] = FUEL_PER_ANSWER
            return (first_equal(state, options[below(count)], options),)

        def first_equal(state: list[int], chosen: int, options: Sequence[int]) -> int:
            zone = state[places + chosen]
            if zone >= 0 and bags[zone]:
                face = faces[chosen]
                for option in options:
                    if faces[option] == face and state[places + option] == zone:
                        return option
            return chosen

        def some(state: list[int], options: Sequence[int], least: int, most: int, at: int) -> Sequence[int]:
            count = len(options)
            number = amount(state, count, least, most, at)
            if number == 1 < count:
                return (options[below(count)],)
            return [options[place] for place in picked(count, number)] if number < count else options

        def cards(state: list[int], options: Sequence[int], least: int, most: int, at: int) -> Sequence[int]:
            nonlocal answers
            count = len(options)
            if count > room:
                full(at)
            most = 0 if most < 0 else most if most < count else count
            least = 0 if least < 0 else least if least < most else most
            if least == count or not most:
                return options if most else ()
            answers += 1
            state[FUEL] = FUEL_PER_ANSWER
            number = least + below(most - least + 1) if least < most else least
            if number == 1:
                return (first_equal(state, options[below(count)], options),)
            return canonical(state, options, picked(count, number)) if number else ()

        def amount(state: list[int], count: int, least: int, most: int, at: int) -> int:
            # How many are chosen.
            nonlocal answers
            if count > room:
                full(at)
            most = 0 if most < 0 else most if most < count else count
            least = 0 if least < 0 else least if least < most else most
            if least == count or not most:
                return most
            answers += 1
            state[FUEL] = FUEL_PER_ANSWER
            return least + below(most - least + 1) if least < most else least

        def picked(count: int, number: int) -> list[int]:
            order = list(range(count))
            for i in range(number):
                while True:
                    product = bits(32) * (count - i)
                    low = product & 0xFFFFFFFF
                    if low >= count or low >= 0x100000000 % (count - i):
                        break
                j = i + (product >> 32)
                order[i], order[j] = order[j], order[i]
            chosen = order[:number]
            chosen.sort()
            return chosen

        def canonical(state: list[int], options: Sequence[int], chosen: Sequence[int]) -> list[int]:
            # Equal cards of one bag stand side by side: each chosen one gives way to the first that is left.
            last = -1
            answer = []
            for place in chosen:
                card = options[place]
                zone = state[places + card]
                if bags[zone]:
                    face = faces[card]
                    while place - 1 > last:
                        before = options[place - 1]
                        if faces[before] != face or state[places + before] != zone:
                            break
                        place -= 1
                last = place
                answer.append(options[place])
            return answer

        def always(
            state: list[int], options: Sequence[int], least: int, most: int, at: int, of_cards: bool
        ) -> Sequence[int]:
            # A decision that is open even where it has one answer: then a card is drawn for all the same.
            state[FUEL] = FUEL_PER_ANSWER
            count = len(options)
            if count == 1 <= least:
                below(1)
                return options
            return (cards if of_cards else some)(state, options, least, most, at)

        def all_of(state: list[int], asked: list[Any], of_cards: bool, opened: bool) -> list[Sequence[int]]:
            answered: list[Sequence[int]] = [()] * program.seats
            choose = cards if of_cards else some
            for seat, options, least, most, at in sorted(asked, key=lambda one_asked: one_asked[0]):
                if opened:
                    answered[seat] = always(state, options, least, most, at, of_cards)
                else:
                    answered[seat] = choose(state, options, least, most, at)
            return answered

        def full(at: int) -> None:
            raise RuleError("full", at)

        self.begin, self.end = begin, end
        return {"one": one, "card": card, "some": some, "cards": cards, "all_of": all_of, "always": always}
