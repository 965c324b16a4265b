"""A made-up game for tests of views, knowledge, and decisions, with many kinds of secrets.

It has hidden hands, a pile with a refill, a discard pile of which only the top is seen, face-down rows, tokens on
cards, sealed choices, and a nested procedure.

Three seats, 24 cards of four faces. A turn: draw two; bury up to two cards of your hand in your vault (a row
that nobody sees); act: pass, peek at the top two of the deck, have a random card of another hand marked for
stealing (its owner may give it or put a token on it), toss a card, or pull one out of the next seat's vault
by its place. Then all choose a card of their hand in secret, and it goes to the discard pile; its face is
worth 1 to 4 points.
"""

from __future__ import annotations

from functools import cache

from rulewright.ruleset.common.diagnostic import Span
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.nodes import (
    HEAD,
    Expr,
    List,
    OptionBranch,
    Segment,
    Site,
    Slot,
    Stmt,
    TableProgram,
    TrackInfo,
)
from tests.interpreter.programs_builder import c, numbers, op, tree, v, vs

SEATS = 3
EVERYONE = 0b111
FACES = ("rat", "sword", "tower", "crown")
COPIES = 6
CARDS = len(FACES) * COPIES
OPTIONS = 40
ROUNDS = 4

DECK, DISCARD = 0, 1
HANDS = (2, 3, 4)
VAULTS = (5, 6, 7)

HAND_OF, VAULT_OF, MASK_OF, FACE_OF, NEXT_OF = range(5)
"""Numbers of the constant tables."""

BURY, ACT, BLOCK, BID = range(4)
"""Numbers of the sites."""

SOURCES = ("setup", "turn/draw", "turn/bury", "turn/act", "thief/block", "turn/bid", "end")
SLOTS = ("me", "turn", "buried", "value", "each", "points", "item")
THIEF_SLOTS = ("me", "victim", "loot", "each", "lot")


def hand(seat: Expr) -> t.Cards:
    return t.Cards(t.Table(HAND_OF, seat))


def move(cards: List, to: Expr, at: int) -> t.Move:
    return t.Move(cards, to, False, None, at)


def draw(count: int, to: Expr, at: int) -> t.Draw:
    return t.Draw(c(DECK), c(count), t.Table(HAND_OF, to), False, None, at)


def when(condition: Expr, *then: Stmt) -> t.If:
    return t.If(condition, then, ())


@cache
def cellar(leak: str = "", tokens: bool = True) -> TableProgram:
    """The game; without tokens and the list of marked cards; or with a leak, whose rules tell what they
    should not: `public-peek` (the face of the deck's top is scored), `crown-menu` (who holds a crown may not
    pass).
    """
    decision = 4 + 2 * (OPTIONS + 1)
    places = HEAD + SEATS * decision
    at = places + CARDS
    zones: list[t.ZoneInfo] = []
    keys = ("deck", "discard", *(f"{name}.seat-{seat + 1}" for name in ("hand", "vault") for seat in range(SEATS)))
    for key in keys:
        name, _, seat = key.partition(".seat-")
        order = {"hand": "bag", "vault": "row"}.get(name, "pile")
        sees, top = 1 << int(seat) - 1 if name == "hand" else 0, EVERYONE if name == "discard" else 0
        zones.append(
            t.ZoneInfo(
                key=key, zone=name, owner=int(seat) - 1 if seat else -1, order=order, address=at, capacity=CARDS,
                accepts=tuple(range(CARDS)), sees=sees, top=top, sizes=EVERYONE,
                refill=DISCARD if name == "deck" else -1, eager=False,
            )
        )  # fmt: skip
        at += CARDS + 1
    score, winner, token = 0, 2, 3
    tracks: list[TrackInfo] = []
    for key, count, scope, start, of in (
        ("score", SEATS, "player", 0, "number"),
        ("in-game", SEATS, "player", 1, "boolean"),
        ("winner", SEATS, "player", 0, "boolean"),
        ("token", CARDS, "card", 0, "number"),
    ):
        seen, arrival = (EVERYONE,) * count, at + count + 1 if key == "score" else -1
        tracks.append(TrackInfo(key, at, count, (scope,), 0, 999, True, (start,) * count, seen, seen, arrival, of))
        at += 2 * count + 1 if key == "score" else count
    marked = t.ListInfo("marked", at, 1, CARDS, "game", "card")

    me, turn, buried, value, each, points = v(0), v(1), vs(2), v(3), 4, v(5)
    branches = 5
    code, branch = op(value, "//", branches), op(value, "%", branches)
    next_vault = t.Cards(t.Table(VAULT_OF, t.Table(NEXT_OF, me)))
    others = numbers(t.Table(NEXT_OF, me), t.Table(NEXT_OF, t.Table(NEXT_OF, me)))

    def coded(items: List, branch: int) -> t.Map:
        return t.Map(items, 6, op(branch, "+", op(branches, "*", v(6))))

    menu: List = t.Concat(
        t.Concat(numbers(0, 1), coded(others, 2)), t.Concat(coded(hand(me), 3), coded(next_vault, 4))
    )
    if leak == "crown-menu":
        crowns = t.Filter(hand(t.Table(NEXT_OF, me)), 6, op(t.Table(FACE_OF, v(6)), "==", 3))
        menu = t.Choice(op(t.Count(crowns), ">", 0), numbers(1), menu)
    peeked: Stmt = t.Reveal(t.Take(t.Cards(c(DECK)), c(2), False), t.Table(MASK_OF, me), 3)
    if leak == "public-peek":
        peeked = t.Change(score, me, t.Table(FACE_OF, t.First(t.Take(t.Cards(c(DECK)), c(1), False))), 3)
    card, theirs, bid, seats = t.Items((code,)), hand(v(1)), t.Answer(v(each)), numbers(*range(SEATS))
    one = c(int(tokens))
    marking = t.ForEach(each, buried, (t.Append(c(marked.address), v(each), CARDS, 2),))
    leading = t.Extremes(seats, 6, t.Cell(op(tracks[score].address, "+", v(6))), False)
    turn_over = t.Branch(op(turn, "==", ROUNDS), tree(t.Goto(8)), tree(t.Goto(1)))
    stolen = t.First(t.Take(theirs, op(t.Count(theirs), "-", v(4)), False))
    segments = (
        # 0 setup
        Segment(0, (), tree(
            t.Shuffle(c(DECK), 0),
            t.ForEach(each, seats, (draw(3, v(each), 0),)),
            t.SetLocal(0, c(0)),
            t.SetLocal(1, c(0)),
            t.Goto(1),
        )),
        # 1 draw
        Segment(0, (0, 1), tree(
            t.Emit("reached", (me,), None, c(EVERYONE), c(EVERYONE), 1), draw(2, me, 1), t.Goto(2)
        )),
        # 2 ask: bury
        Segment(0, (0, 1), tree(t.Ask(BURY, t.Items((me,)), each, hand(v(each)), c(0), c(2), 3, 2))),
        # 3 bury
        Segment(0, (0, 1), tree(
            t.SetList(2, t.Answer(me)),
            t.CloseDecisions(),
            move(buried, t.Table(VAULT_OF, me), 2),
            *([marking] if tokens else []),
            t.Goto(4),
        )),
        # 4 ask: act
        Segment(0, (0, 1, 2), tree(t.Ask(ACT, t.Items((me,)), each, menu, c(1), c(1), 5, 3))),
        # 5 act
        Segment(0, (0, 1, 2), tree(
            t.SetLocal(3, t.First(t.Answer(me))),
            t.CloseDecisions(),
            t.Branch(
                op(branch, "==", 2),
                tree(t.Invoke(1, (me, code), 6, 3)),
                tree(
                    when(op(branch, "==", 1), peeked),
                    when(op(branch, "==", 3), move(card, c(DISCARD), 3)),
                    when(op(branch, "==", 4), move(card, t.Table(HAND_OF, me), 3)),
                    t.Goto(6),
                ),
            ),
        )),
        # 6 ask: bids
        Segment(0, (0, 1, 2), tree(t.Ask(BID, seats, each, hand(v(each)), c(1), c(1), 7, 5))),
        # 7 bids
        Segment(0, (0, 1, 2), tree(
            t.ForEach(each, seats, (
                when(
                    op(t.Count(bid), ">", 0),
                    t.SetLocal(5, op(1, "+", t.Table(FACE_OF, t.First(bid)))),
                    move(bid, c(DISCARD), 5),
                    t.Change(score, v(each), points, 5),
                ),
            )),
            t.CloseDecisions(),
            t.ForEach(each, buried, (
                when(t.Contains(t.Cards(t.Table(VAULT_OF, me)), v(each)), t.Change(token, v(each), one, 5)),
            )),
            t.SetLocal(0, t.Table(NEXT_OF, me)),
            when(op(me, "==", 0), t.SetLocal(1, op(turn, "+", 1))),
            turn_over,
        )),
        # 8 end
        Segment(0, (), tree(t.ForEach(each, leading, (t.Assign(winner, v(each), c(1), 6),)), t.Finish())),
        # 9 thief: a random card of the victim's hand
        Segment(1, (0, 1), tree(
            t.SetLocal(2, c(-1)),
            when(op(t.Count(theirs), ">", 0), t.Random(4, t.Count(theirs), 4), t.SetLocal(2, stolen)),
            t.Goto(10),
        )),
        # 10 ask: block
        Segment(1, (0, 1, 2), tree(t.Ask(BLOCK, t.Items((v(1),)), 3, numbers(0, 1), c(1), c(1), 11, 4))),
        # 11 give it, or put a token on it
        Segment(1, (0, 1, 2), tree(
            t.SetLocal(4, t.First(t.Answer(v(1)))),
            t.CloseDecisions(),
            when(
                op(v(2), ">=", 0),
                t.If(
                    op(v(4), "==", 0),
                    (move(t.Items((v(2),)), t.Table(HAND_OF, v(0)), 4),),
                    (t.Change(token, v(2), one, 4),),
                ),
            ),
            t.Return(None),
        )),
    )  # fmt: skip

    def plain(*keys: str) -> tuple[OptionBranch, ...]:
        return tuple(OptionBranch(key, (), (), ()) for key in keys)

    acts = (
        *plain("pass", "peek"),
        OptionBranch("steal", ("seat",), ("victim",), (SEATS,)),
        OptionBranch("toss", ("card",), ("card",), (CARDS,)),
        OptionBranch("pull", ("card",), ("card",), (CARDS,)),
    )
    sites = (
        Site("turn.bury.cards", "card", (), False, (("en", "Bury cards"),), 2),
        Site("turn.act.choice", "menu", acts, False, (), 3),
        Site("thief.block", "menu", plain("give", "curse"), False, (), 4),
        Site("turn.bid.card", "card", (), True, (), 5),
    )
    faces = [number % len(FACES) for number in range(CARDS)]
    slots = tuple(
        Slot(name, CARDS if name == "buried" else 0, name == "buried", 2 + n + (CARDS if n > 2 else 0))
        for n, name in enumerate(SLOTS)
    )
    thief_slots = tuple(Slot(name, 0, name == "loot", 2 + n) for n, name in enumerate(THIEF_SLOTS))
    size, thief_size, stack = 9 + CARDS, 7, marked.address + CARDS + 1
    return TableProgram(
        pack="cellar", version="1.0", semantics=1, seats=SEATS, options=(("length", "short"),),
        layout=t.Layout(stack + size + thief_size, decision, OPTIONS, places, stack),
        cards=tuple(t.CardInfo(FACES[face], "card", FACES[face], face) for face in faces),
        zones=tuple(zones), tracks=tuple(tracks), state_lists=(marked,), enumerations=(),
        definitions=(("card", FACES),), tables=(HANDS, VAULTS, (1, 2, 4), tuple(faces), (1, 2, 0)), lists=(),
        functions=(),
        procedures=(
            t.Procedure("main", 0, slots, size, 0, 0), t.Procedure("thief", 2, thief_slots, thief_size, 9, 4)
        ),
        segments=segments, sites=sites,
        sources=tuple(t.Source(name, Span("cellar.yaml", n, 1, n, 9)) for n, name in enumerate(SOURCES, 1)),
        start=((DECK, tuple(range(CARDS))),), entry=0,
    )  # fmt: skip
