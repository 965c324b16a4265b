"""Programs for the special forms and runtime functions of native code.

Lists are walked through as they come to be. So it could show which of two rule errors comes first, that one is left
out since nobody wanted the item, or that something which uses fuel is worked out twice.
"""

from __future__ import annotations

from rulewright.ruleset.table import nodes as table
from rulewright.ruleset.table.nodes import Expr, List, Stmt, TableProgram
from tests.interpreter.programs_builder import HIGH, LOW, Builder, branch, c, cards, cell, numbers, op, tree, v, vs
from tests.interpreter.programs_shaped import beside, shuffling, tossing

DIVISION = "zero-division"


def _quotient(divisor: Expr, at: int) -> Expr:
    return table.Checked("//", c(8), divisor, at)


LATE = table.Map(vs(4), 6, _quotient(op(v(6), "-", 42), 1))
"""Its last item fails at 1; the others are -1."""
EARLY = _quotient(op(v(7), "+", 1), 2)
"""Fails at 2 for an item that is -1."""
SOME = table.IfElse(op(EARLY, ">", 0), c(1), c(0))
"""The same, as a number that has room in a few bits."""
FAILING_TWICE: list[Expr | List] = [
    table.Filter(LATE, 7, EARLY),
    table.Map(LATE, 7, EARLY),
    table.FlatMap(LATE, 7, numbers(EARLY)),
    table.Map(table.Filter(LATE, 7, SOME), 8, v(8)),
    table.Extremes(LATE, 7, EARLY, True),
    table.Ranked(LATE, 7, EARLY, True),
    table.Distinct(LATE, 7, EARLY),
    table.Distinct(LATE, 7, SOME),
    table.Concat(LATE, numbers(_quotient(v(2), 2))),
    table.Take(LATE, _quotient(v(2), 2), True),
    table.Count(table.Filter(LATE, 7, SOME)),
    table.Total(LATE, 7, EARLY, 3),
    table.Total(table.Filter(LATE, 7, SOME), 8, v(8), 3),
    table.Exists(LATE, 7, EARLY),
    table.Highest(LATE, 7, EARLY, 0),
    table.Contains(LATE, _quotient(v(2), 2)),
    table.Same(LATE, numbers(_quotient(v(2), 2))),
    table.Within(_quotient(v(2), 1), 9, 9, 2),
]
"""Fail at 1 though something fails at 2: all items are worked out first."""
FAILING_LATE: list[Expr | List] = [
    table.First(LATE),
    table.Contains(LATE, c(-1)),
    table.Exists(LATE, 7, c(1)),
    table.Count(table.Take(LATE, c(1), True)),
    table.First(table.Filter(vs(4), 6, _quotient(op(v(6), "-", 42), 1))),
    table.First(table.FlatMap(vs(4), 6, table.Take(vs(4), _quotient(op(v(6), "-", 42), 1), True))),
]
"""Fail at 1, though what they give is found before."""
FAILING: list[tuple[Stmt, tuple[str, int]]] = [
    *((table.SetList(9, one if isinstance(one, List) else numbers(one)), (DIVISION, 1)) for one in FAILING_TWICE),
    *((table.SetList(9, one if isinstance(one, List) else numbers(one)), (DIVISION, 1)) for one in FAILING_LATE),
    (table.SetLocal(2, table.Total(numbers(HIGH, v(0)), 6, v(6), 4)), ("overflow", 4)),
    (table.SetLocal(2, table.Total(numbers(LOW, v(1)), 6, v(6), 5)), ("overflow", 5)),
    (table.SetLocal(2, table.Within(v(0), 6, 9, 8)), ("full", 8)),
    (table.SetLocal(2, table.Within(v(0), 0, 4, 9)), ("full", 9)),
    (table.Random(2, op(v(0), "-", 5), 6), ("absent", 6)),
    (table.Prepare(c(2), c(2), 7), ("full", 7)),
]
"""Statements, and how each fails. Slots are as `programs.calculator` has them, and list slot 9."""


def failing_in_order() -> TableProgram:
    """Asks which of them to do, and does it."""
    b = Builder(1, [0, 0, 0, 0], options=len(FAILING))
    number = b.site()
    _, have = b.reserve(2)
    kept = b.state_list(40)
    source = b.zone("row", (0, 1, 2))
    b.zone("pile")
    assert b.zone("pile", (3,), refill=source, capacity=3) == 2
    body: list[Stmt] = [table.SetLocal(slot, c(value)) for slot, value in enumerate((5, -3, 0, 12))]
    body += [table.SetList(4, numbers(4, 8, 15, 16, 23, 42)), table.SetList(5, numbers())]
    for choice, (statement, _) in enumerate(FAILING):
        body.append(table.If(op(table.First(table.Answer(c(0))), "==", choice), (statement,), ()))
    return b.game(
        [0, 0, 0, 0, 6, 6, 0, 0, 0, 40],
        tree(table.Ask(number, numbers(0), 6, numbers(*range(len(FAILING))), c(1), c(1), have, 0)),
        tree(*body, table.SetCells(c(kept), vs(9)), table.Finish()),
    )


def statements() -> TableProgram:
    """Statements in forms that other programs have not: lists that become empty, calls of none and of the first,
    one number of one, cards in an order of their own, homes of one zone, a zone that takes fuel to name.
    """
    b = Builder(1, [0, 1, 2, 0, 1, 2])
    row, other, pile = b.zone("row", (0, 1, 2, 3)), b.zone("row"), b.zone("pile", (4, 5))
    homes = b.table(pile, other, pile, -1, row, other)
    kept, marks = b.state_list(20), b.address(b.track())
    add = [table.SetCell(c(marks), op(op(op(cell(marks), "*", 7), "+", digit), "%", 1009)) for digit in (1, 2)]
    first, second = (b.function(0, [], one) for one in add)
    calls = b.table(-1, first, second)
    costly = b.function(1, [0], table.Charge(1), table.Give(v(0)))
    begin, have, after = b.reserve(3)
    two = table.Take(table.Ranked(cards(row), 1, v(1), True), c(2), True)
    bottom = table.Take(table.Cards(table.Call(costly, (op(v(0), "*", 0),))), c(1), True)
    return b.game(
        [0, 0, 6],
        tree(table.Ask(b.site(), numbers(0), 1, numbers(0, 1, 2), c(1), c(1), have, 0)),
        tree(
            table.SetLocal(0, table.First(table.Answer(c(0)))),
            table.CloseDecisions(),
            table.SetCells(c(kept), numbers(3, v(0), 5)),
            table.If(op(v(0), "==", 1), (table.SetCells(c(kept), numbers()),), ()),
            table.DoTable(calls, v(0), ()),
            table.Random(1, op(table.Count(cards(other)), "+", 1), 3),
            table.SetCell(c(marks), op(cell(marks), "+", v(1))),
            table.Move(two, c(other), False, None, 4),
            table.SendHome(table.Concat(cards(other), cards(pile)), homes, c(other), 5),
            table.Move(bottom, c(pile), False, None, 6),
            table.Move(table.Take(cards(pile), c(3), False), c(row), True, None, 7),
            table.SetList(2, table.Concat(vs(2), numbers(v(1)))),
            table.Goto(after),
        ),
        branch(
            op(table.Count(vs(2)), "<", 5),
            tree(table.Goto(begin)),
            tree(table.SetCells(c(kept), vs(2)), table.Finish()),
        ),
    )


def crowd() -> TableProgram:
    """More cards than a word has bits, in a bag that gets many at once, and one that refills from it."""
    b = Builder(1, [0] * 150)
    deck, bag = b.zone("pile", range(150)), b.zone("bag")
    second = b.zone("bag", refill=bag)
    _, again = b.reserve(2)
    return b.game(
        [0, 0],
        tree(table.Shuffle(c(deck), 1), table.Goto(again)),
        tree(
            table.Random(1, c(40), 1),
            table.Draw(c(deck), v(1), c(bag), False, None, 2),
            table.Prepare(c(second), v(1), 3),
            table.Draw(c(deck), c(7), c(second), True, None, 4),
            table.Prepare(c(second), op(v(1), "*", 4), 5),
            table.Branch(op(table.Count(cards(deck)), ">", 20), tree(table.Goto(again)), tree(table.Finish())),
        ),
    )


def asking() -> TableProgram:
    """Decisions with as many options as there is room for and one more, open though there is no choice."""
    b = Builder(1, options=6)
    kept = b.state_list(20)
    one, some = b.site(), b.site()
    begin, have, many, chosen = b.reserve(4)
    options = table.Take(numbers(*range(7)), op(v(0), "+", 4), True)
    few = op(table.Count(table.CellList(c(kept))), "<", 5)
    return b.game(
        [0, 0],
        tree(table.Ask(one, numbers(0), 1, numbers(0, 1, 2, 3), c(1), c(1), have, 1, True)),
        tree(table.SetLocal(0, table.First(table.Answer(c(0)))), table.CloseDecisions(), table.Goto(many)),
        tree(table.Ask(some, numbers(0), 1, options, op(v(0), "*", 3), c(6), chosen, 2, True)),
        tree(
            table.ForEach(1, table.Answer(c(0)), (table.Append(c(kept), v(1), 20, 3),)),
            table.CloseDecisions(),
            table.Branch(few, tree(table.Goto(begin)), tree(table.Finish())),
        ),
    )


def picking(always: bool) -> TableProgram:
    """Bots choose: one card or none of cards of two bags, some of them, and several seats among numbers."""
    b = Builder(2, (0, 1, 0, 1, 0, 1, 2, 2, 0, 0))
    bags = table.Concat(cards(b.zone("bag", (0, 1, 2, 3))), cards(b.zone("bag", (4, 5, 6, 7))))
    some = table.Concat(bags, cards(b.zone("row", (9, 8))))
    told = b.address(b.track())
    card, number = b.site("card"), b.site()
    _, one, have_one, several, have_several, both, have_both = b.reserve(7)

    def tell(value: Expr) -> Stmt:
        return table.SetCell(c(told), op(op(op(cell(told), "*", 5), "+", value), "%", 10_007))

    offered = table.Take(some, op(op(v(0), "*", 3), "%", 11), True)
    least, most = (table.IfElse(op(v(0), ">", 6), c(10), op(v(0), "%", number)) for number in (2, 4))
    shared = table.Take(numbers(3, 5, 9), op(v(3), "+", 2), True)
    choice = table.Choice(op(v(0), "<", 8), offered, table.Take(numbers(1, 2, 3), op(v(0), "%", 4), True))
    return b.game(
        [0, 0, 10, 0],
        tree(table.SetLocal(0, c(0)), table.Goto(one)),
        tree(table.Ask(card, numbers(0), 3, choice, c(1), c(1), have_one, 1, always)),
        tree(
            table.SetLocal(1, op(table.First(table.Answer(c(0))), "*", table.First(cards(1)))),
            table.CloseDecisions(),
            tell(v(1)),
            table.Goto(several),
        ),
        tree(table.Ask(card, numbers(1), 3, offered, least, most, have_several, 2, always)),
        tree(
            table.SetList(2, table.Answer(c(1))),
            table.CloseDecisions(),
            table.ForEach(1, vs(2), (tell(v(1)),)),
            table.Goto(both),
        ),
        tree(table.Ask(number, numbers(1, 0), 3, shared, c(2), v(0), have_both, 3)),
        tree(
            table.ForEach(1, table.Concat(table.Answer(c(0)), table.Answer(c(1))), (tell(v(1)),)),
            table.CloseDecisions(),
            table.SetLocal(0, op(v(0), "+", 1)),
            table.Branch(op(v(0), "<", 12), tree(table.Goto(one)), tree(table.Finish())),
        ),
    )


def deep() -> TableProgram:
    """Calls within each other, sometimes as many as there is room for, sometimes one more."""
    b = Builder(1)
    again, room = b.reserve_procedure(), 12
    deeper, _, after, end = b.reserve(4)
    call = tree(table.Charge(2), table.Invoke(again, (op(v(0), "-", 1),), end, 3))
    trees = {deeper: branch(op(v(0), ">", 1), call, tree(table.Return(None))), end: tree(table.Return(None))}
    b.procedure([0], trees, deeper, 1, again)
    start = table.Invoke(again, (op(v(0), "+", room - 3),), after, 1)
    return b.game([0], tree(table.Random(0, c(5), 1), start), tree(table.Finish()), stack=3 + 3 * room)


def unlike() -> TableProgram:
    """A table calls procedures whose parameters lie at different places."""
    b = Builder(1)
    told = b.track()
    first, second, _, after = b.reserve(4)
    body = table.SetCell(c(b.address(told)), op(op(table.Count(vs(0)), "*", 100), "+", v(1)))
    called = b.table(
        *(
            b.procedure([room, 0], {entry: tree(body, table.Return(None))}, entry, 2)
            for room, entry in ((6, first), (9, second))
        )
    )
    call = table.InvokeTable(called, v(0), (numbers(7, v(0), 8), op(v(0), "+", 40)), after, 2)
    return b.game([0], tree(table.Random(0, c(2), 1), call), tree(table.Finish()))


def too_large() -> TableProgram:
    """A table calls a procedure for whose frame there is no room, though one like the caller's would fit."""
    b = Builder(1)
    small, large, _, after = b.reserve(4)
    ones = [
        b.procedure([0] * slots, {entry: tree(table.Return(None))}, entry)
        for slots, entry in ((1, small), (9, large))
    ]
    call = table.InvokeTable(b.table(*ones), v(0), (), after, 2)
    return b.game([0], tree(table.Random(0, c(2), 1), call), tree(table.Finish()), stack=3 + 3 + 5)


def alike() -> TableProgram:
    """A question for one card of three equal ones, whose bounds are no constants: it is no decision for a bot."""
    b = Builder(1, [0] * 3)
    offered, card = cards(b.zone("bag", (0, 1, 2))), b.site("card")
    _, ask, have = b.reserve(3)
    return b.game(
        [0, 0],
        tree(table.SetLocal(0, c(1)), table.Goto(ask)),
        tree(table.Ask(card, numbers(0), 1, offered, v(0), v(0), have, 1)),
        tree(table.CloseDecisions(), table.Finish()),
    )


def coming_back() -> TableProgram:
    """Draws of more than there is from a zone to which the cards come back."""
    b = Builder(1, [0] * 6)
    waste = b.zone("pile", (4, 5))
    deck = b.zone("pile", (0, 1, 2, 3), refill=waste)
    counts = b.state_list(9)
    b.reserve(1)
    body: list[Stmt] = []
    for number, (to, bottom) in enumerate([(waste, False), (deck, False), (deck, True)]):
        many = [table.Draw(c(deck), c(2 * 10**9), c(to), bottom, slot, number) for slot in (0, None)]
        body += [many[0], table.Append(c(counts), op(table.Count(vs(0)), "+", 100 * number), 9, 5), many[1]]
    return b.game([6], tree(*body, table.Finish()))


def from_below() -> TableProgram:
    """Draws from the bottom of piles that refill, when needed and at once; what was drawn is kept in its order."""
    b = Builder(1, range(12))
    waste, used = b.zone("pile", (4, 5, 6)), b.zone("pile", (8, 9))
    deck = b.zone("pile", (0, 1, 2, 3), refill=waste)
    eager = b.zone("pile", (7,), refill=used, eager=True)
    heap = b.zone("row", (10, 11))
    kept = b.state_list(12, 4)
    b.reserve(1)
    body: list[Stmt] = [table.Random(1, c(7), 0)]
    draws = [(deck, heap, False), (eager, used, False), (deck, waste, True), (eager, heap, True)]
    for number, (source, to, bottom) in enumerate(draws):
        body.append(table.DrawBottom(c(source), v(1), c(to), bottom, 0, number))
        body.append(table.SetCells(c(kept + 13 * number), vs(0)))
        body.append(table.DrawBottom(c(source), c(1), c(to), bottom, None, number))
    return b.game([12, 0], tree(*body, table.Finish()))


def running_out() -> TableProgram:
    """A long loop over lists for which there is no fuel left. Its body would fail, too, but is not reached."""
    b = Builder(1, [0] * 150)
    deck = cards(b.zone("pile", range(150)))
    b.reserve(1)
    failing = table.SetLocal(3, _quotient(op(v(2), "*", 0), 2))
    body = (
        table.SetLocal(0, c(0)),
        table.While(op(v(0), "<", 19_998), (table.SetLocal(0, op(v(0), "+", 1)),), 1),
        table.ForEach(1, deck, (table.ForEach(2, deck, (failing,)),)),
    )
    return b.game([0, 0, 0, 0], tree(*body, table.Finish()))


def costly_questions() -> TableProgram:
    """Open questions with one option, 25 times, and a long way between two of them: each answer renews the fuel."""
    b = Builder(1)
    _, ask, have = b.reserve(3)
    turns = table.While(op(v(1), "<", 1000), (table.SetLocal(1, op(v(1), "+", 1)),), 1)
    again = table.Branch(op(v(0), "<", 25), tree(table.Goto(ask)), tree(table.Finish()))
    counted = table.SetLocal(0, op(v(0), "+", 1))
    return b.game(
        [0, 0],
        tree(table.SetLocal(0, c(0)), table.Goto(ask)),
        tree(table.Ask(b.site(), numbers(0), 1, numbers(7), c(1), c(1), have, 2, True)),
        tree(table.CloseDecisions(), counted, table.SetLocal(1, c(0)), turns, again),
    )


def _moves() -> list[Stmt]:
    """Cards on their way, in `programs_shaped.shuffling`."""
    here, half = table.Cards(v(2)), op(v(1), "//", 2)
    both = table.Concat(cards(4), cards(7))  # each is filled again, from 0 and from 6

    def odd(slot: int, by: int = 2) -> Expr:
        return op(op(v(slot), "+", v(1)), "%", by)

    def parts(one: Expr, other: Expr, there: List = here) -> List:
        return table.Concat(table.Filter(here, 5, one), table.Filter(there, 6, other))

    return [
        table.If(
            c(1),
            (
                table.Move(table.Take(here, c(1), True), c(0), False, None, 5),
                table.Move(table.Take(table.Cards(v(3)), c(1), True), c(6), False, None, 5),
                table.Move(both, c(2), False, None, 6),
            ),
            (),
        ),
        table.Move(table.Take(here, half, True), v(3), False, None, 5),
        table.Move(table.Filter(here, 5, odd(5)), v(3), True, None, 5),
        table.Move(parts(table.Not(odd(5)), odd(6)), v(3), False, None, 5),
        table.Move(parts(odd(5), table.Not(odd(6))), v(3), False, v(2), 5),
        table.Move(parts(odd(5), odd(6, 3)), v(3), False, None, 5),
        table.Move(parts(odd(5), table.Not(odd(6)), table.Cards(v(3))), c(2), False, None, 5),
        table.Move(table.Filter(here, 5, odd(5)), v(3), False, v(2), 5),
        table.Move(table.Concat(here, table.Cards(v(3))), op(op(v(1), "+", 1), "//", 2), False, v(4), 5),
        table.MoveAll(v(2), v(3), False, 5),
        table.Draw(v(2), half, v(3), True, None, 5),
        table.Prepare(v(3), half, 5),
    ]


NATIVE: dict[str, TableProgram] = {
    **{f"cards on their way, {number}": shuffling(one) for number, one in enumerate(_moves()[:-1])},
    "cards on their way": shuffling(*_moves()),
    "picking": picking(False),
    "picking always": picking(True),
    "tossing": tossing(numbers(0, 1)),
    "tossing always": tossing(numbers(v(0), 9), always=True),
    "coming back": coming_back(),
    "from below": from_below(),
    "deep": deep(),
    "unlike": unlike(),
    "too large": too_large(),
    "alike": alike(),
    "failing in order": failing_in_order(),
    "statements": statements(),
    "running out": running_out(),
    "costly questions": costly_questions(),
    "crowd": crowd(),
    "asking": asking(),
    **{f"shaped {number}": program for number, program in enumerate(beside())},
}
