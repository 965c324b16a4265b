"""Small table programs built by hand; together they contain every node."""

from __future__ import annotations

from rulewright.ruleset.table import nodes as table
from rulewright.ruleset.table.nodes import RESULT, Const, Expr, List, OptionBranch, Stmt, TableProgram
from tests.interpreter.expressions import VALUES
from tests.interpreter.programs_builder import Builder, branch, c, cards, cell, numbers, op, tree, v, vs
from tests.interpreter.programs_long import long_loops, shrinking
from tests.interpreter.programs_series import rubber


def deck_builder(seats: int = 2, rounds: int = 20) -> TableProgram:
    """Draw five, play cards that do things, buy one, clean up: the typical traffic of a card game."""
    copper, estate, silver, smith, market = range(5)
    faces = ([copper] * 7 + [estate] * 3) * seats + [silver] * 14 + [smith] * 8 + [market] * 8
    b = Builder(seats, faces)
    own = [list(range(10 * seat, 10 * seat + 10)) for seat in range(seats)]
    stock = [[card for card, face in enumerate(faces) if face == kind] for kind in (silver, smith, market)]
    decks = [b.zone("pile", own[seat], sees=0, refill=seats + seat, owner=seat) for seat in range(seats)]
    discards = [b.zone("pile", owner=seat) for seat in range(seats)]
    hands = [b.zone("bag", sees=1 << seat, owner=seat) for seat in range(seats)]
    played = b.zone("row")
    piles = [b.zone("pile", cards) for cards in stock]
    cost, worth = b.table(0, 2, 3, 4, 5), b.table(1, 0, 2, 0, 0)
    is_action = b.table(0, 0, 0, 1, 1)
    face = b.table(*faces)
    actions, coins, buys, turns = b.track((0,)), b.track((0,)), b.track((0,)), b.track((0,))
    play_site, buy_site = b.site("card"), b.site("number")

    def zone(family: list[int], seat: Expr) -> Expr:
        return op(seat, "+", family[0])

    def number(track: int) -> Expr:
        return cell(b.address(track))

    def gain(track: int, at: int) -> table.Change:
        return table.Change(track, c(0), c(1), at)

    def draw(seat: Expr, count: int) -> table.Draw:
        return table.Draw(zone(decks, seat), c(count), zone(hands, seat), False, None, 1)

    # effects: slot 0 is the seat
    smith_entry, market_entry, market_rest = b.reserve(3)
    do_smith = b.procedure([0], {smith_entry: tree(draw(v(0), 3), table.Return(None))}, smith_entry, 1)
    trees = {
        market_entry: tree(draw(v(0), 1), gain(coins, 2), table.Goto(market_rest)),
        market_rest: tree(gain(buys, 3), gain(actions, 2), table.Return(None)),
    }
    effects = b.table(-1, -1, -1, do_smith, b.procedure([0], trees, market_entry, 1))

    # a turn: 0 seat, 1 bound slot, 2 card, 3 pile, 4 bound slot
    begin, acting, ask_play, have_play, played_it, buying, ask_buy, have_buy, clean = b.reserve(9)
    hand, pile = table.Cards(zone(hands, v(0))), op(v(3), "+", piles[0])
    playable = table.Filter(hand, 1, table.Table(is_action, table.Table(face, v(1))))
    in_stock = op(table.Count(table.Cards(op(v(1), "+", piles[0]))), ">", 0)
    cheap = op(table.Table(cost, op(v(1), "+", 2)), "<=", number(coins))
    affordable = table.Filter(numbers(0, 1, 2), 1, table.And(in_stock, cheap))
    price = table.Table(cost, op(v(3), "+", 2))
    bought = (
        table.Change(coins, c(0), op(c(0), "-", price), 11),
        table.Move(table.Take(table.Cards(pile), c(1), False), zone(discards, v(0)), False, None, 11),
    )
    income = table.Total(hand, 1, table.Table(worth, table.Table(face, v(1))), 4)
    trees = {
        begin: tree(
            table.Assign(actions, c(0), c(1), 5),
            table.Assign(coins, c(0), c(0), 5),
            table.Assign(buys, c(0), c(1), 5),
            table.Emit("reached", (v(0),), None, c(b.everyone), c(b.everyone), 5),
            table.Goto(acting),
        ),
        acting: branch(
            op(number(actions), ">", 0), tree(table.Charge(6), table.Goto(ask_play)), tree(table.Goto(buying))
        ),
        ask_play: tree(table.Ask(play_site, numbers(v(0)), 4, playable, c(0), c(1), have_play, 7)),
        have_play: tree(
            table.SetLocal(2, table.First(table.Answer(v(0)))),
            table.CloseDecisions(),
            table.Branch(
                op(v(2), "==", -1),
                tree(table.Goto(buying)),
                tree(
                    table.Change(actions, c(0), c(-1), 8),
                    table.Move(numbers(v(2)), c(played), False, None, 8),
                    table.InvokeTable(effects, table.Table(face, v(2)), (v(0),), played_it, 8),
                ),
            ),
        ),
        played_it: tree(table.Goto(acting)),
        buying: tree(table.Change(coins, c(0), income, 9), table.Goto(ask_buy)),
        ask_buy: tree(table.Ask(buy_site, numbers(v(0)), 4, affordable, c(0), number(buys), have_buy, 10)),
        have_buy: tree(
            table.ForEach(3, table.Answer(v(0)), (table.If(op(price, "<=", number(coins)), bought, ()),)),
            table.CloseDecisions(),
            table.Goto(clean),
        ),
        clean: tree(
            table.MoveAll(zone(hands, v(0)), zone(discards, v(0)), False, 12),
            table.MoveAll(c(played), zone(discards, v(0)), False, 12),
            draw(v(0), 5),
            table.Return(None),
        ),
    }
    turn = b.procedure([0, 0, 0, 0, 0], trees, begin, 1)
    _, loop, after = b.reserve(3)
    return b.game(
        [0, 0],
        tree(
            table.ForEach(1, numbers(*range(seats)), (table.Shuffle(zone(decks, v(1)), 13), draw(v(1), 5))),
            table.SetLocal(0, c(0)),
            table.Goto(loop),
        ),
        branch(
            op(number(turns), "<", rounds * seats),
            tree(gain(turns, 14), table.Invoke(turn, (v(0),), after, 14)),
            tree(table.Finish()),
        ),
        tree(table.SetLocal(0, op(op(v(0), "+", 1), "%", seats)), table.Goto(loop)),
    )


def piles(count: int = 3) -> TableProgram:
    """Both sorts of refill, tops that are seen, cards to the bottom, moves to where they are."""
    b = Builder(2, [card % 4 for card in range(16)])
    needed = b.zone("pile", range(5), sees=0, top=0b10, refill=1)
    spent = b.zone("pile", range(5, 8))
    eager = b.zone("pile", range(8, 11), sees=0, refill=3, eager=True)
    used = b.zone("row", range(11, 14))
    bag = b.zone("bag", (14, 15), sees=0b01, capacity=15)
    taken, site = b.track((0,)), b.site("card")
    _, ask, have, rest, more = b.reserve(5)
    seat = op(v(0), "%", 2)
    again = (table.SetLocal(0, op(v(0), "+", 1)), table.MoveAll(c(eager), c(spent), False, 10), table.Goto(ask))
    return b.game(
        [0, 16, 0, 0],
        tree(table.SetLocal(0, c(0)), table.SetLocal(3, c(0)), table.Goto(ask)),
        tree(table.Ask(site, numbers(seat), 2, table.Concat(cards(bag), cards(used)), c(0), c(3), have, 1)),
        tree(
            table.Move(table.Answer(seat), c(spent), False, None, 2),
            table.CloseDecisions(),
            table.Draw(c(needed), c(count), c(bag), False, 1, 3),
            table.SetCell(c(b.address(taken)), table.Count(vs(1))),
            table.Reveal(vs(1), c(0b10), 3),
            table.Draw(c(eager), c(2), c(used), True, None, 4),
            table.Goto(rest),
        ),
        tree(
            table.Prepare(c(needed), c(4), 5),
            table.Move(table.Take(cards(needed), c(2), False), c(spent), True, c(needed), 6),
            table.Move(table.Take(vs(1), c(2), True), c(needed), True, c(bag), 7),
            table.Move(table.Take(cards(spent), c(1), True), c(spent), False, None, 8),
            table.Shuffle(c(used), 9),
            table.If(op(op(v(0), "%", 3), "==", 1), (table.SetLocal(3, c(7)),), ()),
            table.Goto(more),
        ),
        branch(op(v(0), "<", 11), tree(*again), tree(table.Return(op(table.Count(cards(bag)), "+", v(3))))),
    )


def workout(rounds: int = 12, steps: int = 25) -> TableProgram:
    """Every operation on zones, tracks and lists, with operands that chance chooses."""
    b = Builder(2, [card % 3 for card in range(12)])
    first = b.zone("pile", range(4), sees=0, top=0b01, refill=1)
    b.zone("pile", (4, 5))
    b.zone("pile", (6,), refill=3, eager=True)
    b.zone("row", (7, 8))
    b.zone("bag", (9, 10), sees=0b10)
    small = b.zone("bag", (11,), capacity=2)
    clamped = b.track((0, 1), low=-2, high=3, clamps=True, arrival=True)
    plain = b.track((0,), low=-1, high=1, clamps=True)
    kept = b.state_list(5)
    homes = b.table(0, 0, 3, 3, 4, -1, 2, 2, 4, 1, 1, -1)
    same_homes = b.table(*[3] * 12)
    site = b.site("card")
    ask, have, again = b.reserve(3)
    # 1 and 2 are zones, 3 and 4 cards, 5 the step, 6 the operation, 7 what was drawn
    operations: list[tuple[Stmt, ...]] = []
    for bottom in (False, True):
        operations += [
            (table.Move(numbers(v(3), v(4), v(3)), v(1), bottom, None, 1),),
            (table.Move(numbers(v(3)), v(1), bottom, None, 2),),
            (table.Move(numbers(v(4), -1, v(3)), v(1), bottom, v(2), 3),),
            (table.MoveAll(v(1), v(2), bottom, 4),),
            (table.Draw(v(1), op(v(3), "//", 3), v(2), bottom, 7, 5), table.Reveal(vs(7), c(1), 5)),
            (table.Draw(v(1), c(1), v(1), bottom, None, 6),),
            (table.Draw(c(first), c(2), v(2), bottom, None, 7), table.Shuffle(v(1), 7)),
        ]
    operations += [
        (table.SendHome(numbers(v(3), -1, v(4)), homes, None, 20),),
        (table.SendHome(table.Cards(v(1)), homes, v(1), 21), table.SendHome(numbers(v(3)), homes, c(-1), 21)),
        (table.SendHome(table.Cards(v(1)), homes, None, 22),),
        (table.SendHome(table.Cards(v(1)), same_homes, None, 23),),
        (table.Move(numbers(v(3)), v(1), False, c(-1), 24),),
        (table.Prepare(v(1), v(3), 8),),
        (table.Change(clamped, op(v(1), "%", 2), op(v(3), "-", 5), 9),),
        (table.Change(clamped, c(1), c(-1), 10), table.Change(clamped, c(0), c(1), 10)),
        (table.Change(plain, c(0), c(1), 11),),
        (table.Change(plain, c(0), c(-1), 12),),
        (table.Assign(clamped, op(v(2), "%", 2), op(v(4), "-", 5), 13),),
        (table.Assign(plain, c(0), op(v(4), "-", 5), 14),),
        (table.If(op(table.Count(table.CellList(c(kept))), "<", 5), (table.Append(c(kept), v(3), 5, 15),), ()),),
        (table.Remove(c(kept), table.First(table.CellList(c(kept)))),),
        (table.Remove(c(kept), v(4)),),
        (table.SetCells(c(kept), table.Take(table.Cards(v(1)), c(3), False)),),
    ]
    body = tuple(table.If(op(v(6), "==", number), operation, ()) for number, operation in enumerate(operations))
    draws = [(1, len(b.zones) - 1), (2, len(b.zones) - 1), (3, 12), (4, 12), (6, len(operations))]
    chances = tuple(table.Random(slot, c(bound), 16) for slot, bound in draws)
    into_small = table.Move(numbers(v(3)), c(small), False, None, 17)
    room = table.If(op(table.Count(cards(small)), "<", 2), (into_small,), ())
    trees = {
        ask: tree(table.Ask(site, numbers(0, 1), 0, table.Concat(cards(4), cards(3)), c(0), v(0), have, 18)),
        have: tree(
            table.CloseDecisions(),
            table.ForEach(5, numbers(*range(steps)), (*chances, *body, room)),
            table.Goto(again),
        ),
        again: tree(
            table.SetCell(c(b.address(plain)), c(0)),
            table.SetLocal(0, table.Cell(op(c(b.address(clamped)), "+", 1))),
            table.Random(5, c(rounds), 19),
            table.Branch(op(v(5), "==", 0), tree(table.Finish()), tree(table.Charge(19), table.Goto(ask))),
        ),
    }
    return b.build(b.procedure([0, 0, 0, 0, 0, 0, 0, 12], trees, again))


def councils() -> TableProgram:
    """Several seats asked at once, sealed or not; menus with cards; forced answers; answers used by later code."""
    b = Builder(4, [card // 2 for card in range(12)])
    hands = [b.zone("bag", range(3 * seat, 3 * seat + 3), sees=1 << seat, owner=seat) for seat in range(4)]
    middle = b.zone("row", sees=0)
    votes = b.track((0, 0, 0, 0), low=0, high=5, clamps=True, arrival=True)
    voters = b.state_list(4)
    branches = (
        OptionBranch("pass", (), (), ()),
        OptionBranch("give", ("card", "seat"), ("what", "whom"), (12, 4)),
        OptionBranch("name", ("number",), ("n",), (9,)),
    )
    menu = b.site("menu", branches=branches)
    sealed, open_site, seat_site = b.site("card", sealed=True), b.site("number", sealed=True), b.site("seat")
    _, vote, voted, bid, had_bid, offer, had_offer, target, had_target = b.reserve(9)
    hand, given = table.Cards(op(v(1), "+", hands[0])), table.Answer(v(4))
    gifts = table.Map(hand, 2, op(1, "+", op(op(v(2), "+", op(v(1), "*", 12)), "*", 3)))
    menu_options = table.Concat(numbers(0, op(2, "+", op(v(1), "*", 3))), gifts)
    to_bid = table.Filter(numbers(*range(5)), 2, op(v(2), "<=", table.Cell(op(v(1), "+", b.address(votes)))))
    bids = table.Highest(table.CellList(c(voters)), 2, op(table.First(table.Answer(v(2))), "*", 2), -1)
    give = table.Move(numbers(op(v(5), "%", 12)), c(middle), True, op(v(0), "+", hands[0]), 8)
    one = op(table.Count(given), "==", 1)
    counted = (
        table.Move(given, c(middle), False, None, 2),
        table.Change(votes, v(4), table.Count(given), 3),
        table.If(one, (table.Append(c(voters), v(4), 4, 4),), (table.Remove(c(voters), v(4)),)),
    )
    return b.game(
        [0, 0, 0, 6, 0, 0],
        tree(table.SetLocal(0, c(0)), table.SetList(3, numbers(2, 0, 3, 1)), table.Goto(vote)),
        tree(table.Ask(sealed, vs(3), 1, hand, c(1), c(2), voted, 1)),
        tree(table.ForEach(4, vs(3), counted), table.CloseDecisions(), table.Goto(bid)),
        tree(table.Ask(open_site, table.CellList(c(voters)), 1, to_bid, c(1), c(1), had_bid, 5)),
        tree(
            table.SetLocal(5, bids),
            table.CloseDecisions(),
            table.Emit("scored", (c(0), v(5)), vs(3), c(15), c(0), 6),
            table.Goto(offer),
        ),
        tree(table.Ask(menu, numbers(v(0)), 1, menu_options, c(1), c(1), had_offer, 7)),
        tree(
            table.SetLocal(4, v(0)),
            table.SetLocal(5, op(table.First(given), "//", 3)),
            table.SetLocal(2, op(table.First(given), "%", 3)),
            table.CloseDecisions(),
            table.Branch(
                op(v(2), "==", 1),
                tree(give, table.Goto(target)),
                tree(table.Assign(votes, v(0), v(5), 8), table.Goto(target)),
            ),
        ),
        tree(table.Ask(seat_site, numbers(v(0)), 1, table.Rotated(vs(3), v(1)), c(1), c(9), had_target, 9)),
        tree(
            table.SetList(3, table.Rotated(vs(3), op(table.Count(table.Answer(v(0))), "%", 4))),
            table.CloseDecisions(),
            table.Draw(c(middle), c(2), op(v(0), "+", hands[0]), False, None, 10),
            table.SetLocal(0, op(v(0), "+", 1)),
            table.Branch(op(v(0), "<", 4), tree(table.Charge(11), table.Goto(vote)), tree(table.Finish())),
        ),
    )


def calls(stack: int = 400) -> TableProgram:
    """Recursion, calls by table, list parameters, results, functions that loop and that do things."""
    b = Builder(2)
    total, trail = b.address(b.track((0, 0))), b.state_list(12)
    site, result = b.site(), cell(RESULT)
    # a function with a loop: triangular numbers; one that returns a list; two that do things
    step = (table.SetLocal(1, op(v(1), "+", v(0))), table.SetLocal(0, op(v(0), "-", 1)))
    triangle = b.function(
        1, [0, 0], table.SetLocal(1, c(0)), table.While(op(v(0), ">", 0), step, 1), table.Give(v(1))
    )
    doubled = b.function(1, [8, 0], table.Give(table.Map(vs(0), 1, op(v(1), "*", 2))))
    note = b.function(
        2, [0, 8], table.If(op(v(0), ">", 40), (table.Give(c(0)),), ()), table.Append(c(trail), v(0), 12, 2),
        table.SetCell(c(total), table.Count(vs(1))),
    )  # fmt: skip
    forget = b.function(2, [0, 8], table.Remove(c(trail), table.First(table.CellList(c(trail)))))
    things = b.table(note, -1, forget)

    down, again, asks, have, bottom = b.reserve(5)
    _, second, third, last = b.reserve(4)
    descend = b.reserve_procedure()
    other, other_entry = b.reserve_procedure(), b.reserve(1)[0]
    ways = b.table(descend, -1, other)
    # descend(depth, list): asks, then calls what the answer says with one less
    longer = table.Take(table.Concat(vs(1), numbers(v(0))), c(8), False)
    trees = {
        down: branch(op(v(0), "<=", 0), tree(table.Goto(bottom)), tree(table.Goto(asks))),
        asks: tree(table.Ask(site, numbers(op(v(0), "%", 2)), 3, numbers(0, 1, 2), c(0), c(2), have, 3)),
        have: tree(
            table.SetLocal(2, table.Last(table.Answer(op(v(0), "%", 2)))),
            table.CloseDecisions(),
            table.Do(note, (op(v(0), "+", table.Count(vs(1))), vs(1))),
            table.DoTable(things, op(v(0), "%", 3), (v(0), table.Take(vs(1), c(2), True))),
            table.If(op(v(2), "==", -1), (table.SetLocal(2, c(0)),), ()),
            table.InvokeTable(ways, v(2), (op(v(0), "-", 1), longer), again, 4),
        ),
        again: branch(
            op(result, ">", 5),
            tree(table.Return(op(result, "-", v(0)))),
            tree(table.Invoke(other, (v(0), table.Take(vs(1), c(3), True)), bottom, 5)),
        ),
        bottom: tree(table.Return(op(table.Count(vs(1)), "+", table.Call(triangle, (v(0),))))),
    }
    b.procedure([0, 8, 0, 0], trees, down, 2, descend)
    kept = table.SetCells(c(trail), table.CallList(doubled, (vs(1),)))
    b.procedure([0, 8], {other_entry: tree(kept, table.Return(v(0)))}, other_entry, 2, other)
    return b.game(
        [0, 5],
        tree(table.SetLocal(0, c(4)), table.SetList(1, numbers(9)), table.Goto(second)),
        tree(table.Invoke(descend, (v(0), vs(1)), third, 6)),
        tree(
            table.SetLocal(0, op(v(0), "+", 1)),
            table.SetCell(c(total + 1), result),
            table.Branch(op(v(0), "<", 8), tree(table.Goto(second)), tree(table.Goto(last))),
        ),
        tree(table.Return(cell(total + 1))),
        stack=stack,
    )


def exact_stack() -> TableProgram:
    """Calls to the last cell of the stack."""
    b = Builder(1)
    _, inner, after = b.reserve(3)
    called = b.procedure([0, 3], {inner: tree(table.Return(v(0)))}, inner, 2)
    call = table.Invoke(called, (c(4), numbers(1, 2, 3)), after, 1)
    return b.game([0], tree(call), tree(table.Finish()), stack=3 + 7)


def failures() -> TableProgram:
    """Asks which rule error to raise, and raises it; the last option fails by a `Fail` statement."""
    b = Builder(1, [0, 0, 0])
    number = b.track((7,), low=0, high=9)
    few = b.state_list(1)
    small = b.zone("pile", capacity=1)
    source = b.zone("row", range(3))
    site = b.site()
    begin, have, deeper = b.reserve(3)
    x, kept = table.First(table.Answer(c(0))), c(b.address(number))
    big = table.Checked("*", op(x, "+", 1 << 20), c(1 << 20), 1)
    ways: list[tuple[Stmt, ...]] = [
        (table.SetCell(kept, big),),
        (table.SetCell(kept, table.Checked("//", c(5), op(x, "-", 1), 2)),),
        (table.SetCell(kept, table.Present(op(x, "-", 3), 3)),),
        (table.Change(number, c(0), op(x, "*", 1), 4),),
        (table.Append(c(few), x, 1, 5), table.Append(c(few), c(77), 1, 5)),
        (table.While(op(x, ">", 0), (table.Charge(60),), 6),),
        (),
        (table.Fail("house", 8),),
        (table.Move(table.Take(cards(source), c(2), True), c(small), False, None, 9),),
        (table.Random(0, op(x, "-", 9), 10),),
        (table.MoveAll(c(source), c(small), True, 11),),
        (table.SetLocal(0, table.Total(numbers(big), 1, v(1), 12)),),
        (table.Assign(number, c(0), c(-1), 13),),
    ]
    body = (table.If(op(x, "==", choice), way, ()) for choice, way in enumerate(ways))
    recurse = b.reserve_procedure()
    b.procedure([0, 6], {deeper: tree(table.Invoke(recurse, (), deeper, 7))}, deeper, 0, recurse)
    return b.game(
        [0, 0],
        tree(table.Ask(site, numbers(0), 0, numbers(*range(len(ways))), c(1), c(1), have, 0)),
        tree(*body, table.Invoke(recurse, (), begin, 7)),
        stack=4 + 10 * 20,
    )


def calculator(*results: Expr | List) -> tuple[TableProgram, tuple[int, ...]]:
    """A program that evaluates expressions, and the addresses of the list cells that receive the results.

    They may read: slots 0 to 3, which are 5, -3, 0 and 12; list slots 4 and 5, which are [4, 8, 15, 16, 23, 42] and
    empty; zone 0, a row of cards 3, 1, 2, and zone 1, empty; tables 0 (the squares), 1 (the zones), 2 and 3 (large
    and small numbers) and lists 0; slots 6 to 9 to bind; functions 0 (an integer: doubles), 1 (a list: reverses)
    and 2 (fails for 8).
    """
    b = Builder(2, [0, 0, 1, 1])
    row, empty = b.zone("row", (3, 1, 2)), b.zone("row")
    b.table(0, 1, 4, 9, 16, 25)
    b.table(row, empty)
    b.table(0, 40_000)
    b.table(5, -200)
    b.table_list((), (7, 7), (1, 2, 3))
    b.function(1, [0], table.Give(op(v(0), "*", 2)))
    b.function(1, [8, 0], table.Give(table.Ranked(vs(0), 1, v(1), True)))
    b.function(1, [0], table.Give(table.Checked("//", c(8), op(v(0), "-", 8), 1)))
    addresses = tuple(b.state_list(40) for _ in results)
    b.reserve(1)
    setup: list[Stmt] = [table.SetLocal(slot, c(value)) for slot, value in enumerate((5, -3, 0, 12))]
    setup += [table.SetList(4, numbers(4, 8, 15, 16, 23, 42)), table.SetList(5, numbers())]
    for address, result in zip(addresses, results, strict=True):
        items = result if isinstance(result, List) else table.Items((result,))
        setup.append(table.SetCells(Const(address), items))
    return b.game([0, 0, 0, 0, 6, 6, 0, 0, 0, 0], tree(*setup, table.Finish())), addresses


PROGRAMS: dict[str, TableProgram] = {
    "expressions": calculator(*(expression for expression, _ in VALUES))[0],
    "deck builder": deck_builder(),
    "three at the table": deck_builder(3, 5),
    "piles": piles(),
    "many drawn": piles(9),
    "workout": workout(),
    "councils": councils(),
    "calls": calls(),
    "shallow stack": calls(60),
    "exact stack": exact_stack(),
    "failures": failures(),
    "long loops": long_loops(),
    "a list that shrinks": shrinking(),
    "series": rubber(),
}
