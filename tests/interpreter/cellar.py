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

from collections.abc import Sequence
from functools import cache

from ruleset.common.span import Span
from ruleset.table.nodes import (
    HEAD,
    Answer,
    Append,
    Ask,
    Assign,
    Binary,
    Branch,
    CardInfo,
    Cards,
    Cell,
    Change,
    Choice,
    CloseDecisions,
    Concat,
    Const,
    Contains,
    Count,
    Draw,
    Emit,
    End,
    Expr,
    Extremes,
    Filter,
    Finish,
    First,
    ForEach,
    Goto,
    If,
    Invoke,
    Items,
    Layout,
    List,
    ListInfo,
    Local,
    LocalList,
    Map,
    Move,
    OptionBranch,
    Procedure,
    Random,
    Return,
    Reveal,
    Segment,
    SetList,
    SetLocal,
    Shuffle,
    Site,
    Slot,
    Source,
    Stmt,
    Table,
    TableProgram,
    Take,
    TrackInfo,
    Tree,
    ZoneInfo,
)

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


def number(value: int) -> Const:
    return Const(value)


def plus(left: Expr, right: Expr) -> Binary:
    return Binary("+", left, right)


def hand(seat: Expr) -> Cards:
    return Cards(Table(HAND_OF, seat))


def tree(body: Sequence[Stmt], end: End) -> Tree:
    return Tree(tuple(body), end)


@cache
def cellar(leak: str = "", tokens: bool = True) -> TableProgram:
    """The game; without tokens and the list of marked cards; or with a leak, whose rules tell what they
    should not: `public-peek` (the face of the deck's top is scored), `crown-menu` (who holds a crown may not
    pass).
    """
    decision = 4 + 2 * (OPTIONS + 1)
    at = HEAD + SEATS * decision
    places = at
    at += CARDS
    zones: list[ZoneInfo] = []
    all_cards = tuple(range(CARDS))

    def zone(key: str, name: str, owner: int, order: str, sees: int, top: int = 0, refill: int = -1) -> None:
        nonlocal at
        assert order in ("bag", "row", "pile")
        zones.append(
            ZoneInfo(
                key=key, zone=name, owner=owner, order=order, address=at, capacity=CARDS,
                accepts=all_cards, sees=sees, top=top, sizes=EVERYONE, refill=refill, eager=False,
            )
        )  # fmt: skip
        at += CARDS + 1

    zone("deck", "deck", -1, "pile", 0, refill=DISCARD)
    zone("discard", "discard", -1, "pile", 0, top=EVERYONE)
    for seat in range(SEATS):
        zone(f"hand.seat-{seat + 1}", "hand", seat, "bag", 1 << seat)
    for seat in range(SEATS):
        zone(f"vault.seat-{seat + 1}", "vault", seat, "row", 0)

    tracks: list[TrackInfo] = []

    def track(key: str, count: int, scope: str, start: int, of: str = "number", arrival: bool = False) -> int:
        nonlocal at
        address = at
        at += count
        stamps = -1
        if arrival:
            stamps = at + 1
            at += 1 + count
        tracks.append(
            TrackInfo(
                key=key, address=address, count=count, scope=(scope,), low=0, high=999, clamps=True,
                start=(start,) * count, seen=(EVERYONE,) * count, changes=(EVERYONE,) * count,
                arrival=stamps, of=of,
            )
        )  # fmt: skip
        return len(tracks) - 1

    score = track("score", SEATS, "player", 0, arrival=True)
    track("in-game", SEATS, "player", 1, of="boolean")
    winner = track("winner", SEATS, "player", 0, of="boolean")
    token = track("token", CARDS, "card", 0)
    marked = ListInfo("marked", at, 1, CARDS, "game", "card")
    at += CARDS + 1

    me, turn, buried, value, each, points = Local(0), Local(1), LocalList(2), Local(3), 4, Local(5)
    slots: tuple[Slot, ...] = (
        Slot("me", 0, False, 2),
        Slot("turn", 0, False, 3),
        Slot("buried", CARDS, True, 4),
        Slot("value", 0, False, 5 + CARDS),
        Slot("each", 0, False, 6 + CARDS),
        Slot("points", 0, False, 7 + CARDS),
    )
    thief_slots = (
        Slot("me", 0, False, 2),
        Slot("victim", 0, False, 3),
        Slot("loot", 0, True, 4),
        Slot("each", 0, False, 5),
        Slot("lot", 0, False, 6),
    )
    branches = 5
    code = Binary("//", value, number(branches))
    branch = Binary("%", value, number(branches))
    next_vault = Cards(Table(VAULT_OF, Table(NEXT_OF, me)))
    others = Items((Table(NEXT_OF, me), Table(NEXT_OF, Table(NEXT_OF, me))))

    def coded(items: List, branch: int) -> Map:
        return Map(items, 6, plus(number(branch), Binary("*", number(branches), Local(6))))

    menu: List = Concat(
        Concat(Items((number(0), number(1))), coded(others, 2)),
        Concat(coded(hand(me), 3), coded(next_vault, 4)),
    )
    slots = (*slots, Slot("item", 0, False, 8 + CARDS))
    if leak == "crown-menu":
        crowns = Filter(hand(Table(NEXT_OF, me)), 6, Binary("==", Table(FACE_OF, Local(6)), number(3)))
        menu = Choice(Binary(">", Count(crowns), number(0)), Items((number(1),)), menu)
    peeked: Stmt = Reveal(Take(Cards(number(DECK)), number(2), False), Table(MASK_OF, me), 3)
    if leak == "public-peek":
        first = Table(FACE_OF, First(Take(Cards(number(DECK)), number(1), False)))
        peeked = Change(score, me, first, 3)

    def move(cards: List, to: Expr, at: int) -> Move:
        return Move(cards, to, False, None, at)

    def draw(count: int, to: Expr, at: int) -> Draw:
        return Draw(number(DECK), number(count), Table(HAND_OF, to), False, None, at)

    card, theirs = Items((code,)), hand(Local(1))
    bid = Answer(Local(each))
    marking = (ForEach(each, buried, (Append(number(marked.address), Local(each), CARDS, 2),)),) if tokens else ()
    one = number(int(tokens))
    seats = Items(tuple(number(seat) for seat in range(SEATS)))
    segments = (
        # 0 setup
        Segment(0, (), tree(
            [
                Shuffle(number(DECK), 0),
                ForEach(each, seats, (draw(3, Local(each), 0),)),
                SetLocal(0, number(0)),
                SetLocal(1, number(0)),
            ],
            Goto(1),
        )),
        # 1 draw
        Segment(0, (0, 1), tree(
            [
                Emit("reached", (me,), None, number(EVERYONE), number(EVERYONE), 1),
                draw(2, me, 1),
            ],
            Goto(2),
        )),
        # 2 ask: bury
        Segment(0, (0, 1), tree(
            [], Ask(BURY, Items((me,)), each, hand(Local(each)), number(0), number(2), 3, 2)
        )),
        # 3 bury
        Segment(0, (0, 1), tree(
            [
                SetList(2, Answer(me)),
                CloseDecisions(),
                move(buried, Table(VAULT_OF, me), 2),
                *marking,
            ],
            Goto(4),
        )),
        # 4 ask: act
        Segment(0, (0, 1, 2), tree([], Ask(ACT, Items((me,)), each, menu, number(1), number(1), 5, 3))),
        # 5 act
        Segment(0, (0, 1, 2), tree(
            [SetLocal(3, First(Answer(me))), CloseDecisions()],
            Branch(
                Binary("==", branch, number(2)),
                tree([], Invoke(1, (me, code), 6, 3)),
                tree(
                    [
                        If(Binary("==", branch, number(1)), (peeked,), ()),
                        If(Binary("==", branch, number(3)), (move(card, number(DISCARD), 3),), ()),
                        If(Binary("==", branch, number(4)), (move(card, Table(HAND_OF, me), 3),), ()),
                    ],
                    Goto(6),
                ),
            ),
        )),
        # 6 ask: bids
        Segment(0, (0, 1, 2), tree([], Ask(BID, seats, each, hand(Local(each)), number(1), number(1), 7, 5))),
        # 7 bids
        Segment(0, (0, 1, 2), tree(
            [
                ForEach(each, seats, (
                    If(
                        Binary(">", Count(bid), number(0)),
                        (
                            SetLocal(5, plus(number(1), Table(FACE_OF, First(bid)))),
                            move(bid, number(DISCARD), 5),
                            Change(score, Local(each), points, 5),
                        ),
                        (),
                    ),
                )),
                CloseDecisions(),
                ForEach(each, buried, (
                    If(
                        Contains(Cards(Table(VAULT_OF, me)), Local(each)),
                        (Change(token, Local(each), one, 5),),
                        (),
                    ),
                )),
                SetLocal(0, Table(NEXT_OF, me)),
                If(Binary("==", me, number(0)), (SetLocal(1, plus(turn, number(1))),), ()),
            ],
            Branch(Binary("==", turn, number(ROUNDS)), tree([], Goto(8)), tree([], Goto(1))),
        )),
        # 8 end
        Segment(0, (), tree(
            [
                ForEach(
                    each,
                    Extremes(seats, 6, Cell(plus(number(tracks[score].address), Local(6))), False),
                    (Assign(winner, Local(each), number(1), 6),),
                ),
            ],
            Finish(),
        )),
        # 9 thief: a random card of the victim's hand
        Segment(1, (0, 1), tree(
            [
                SetLocal(2, number(-1)),
                If(
                    Binary(">", Count(hand(Local(1))), number(0)),
                    (
                        Random(4, Count(hand(Local(1))), 4),
                        SetLocal(2, First(Take(theirs, Binary("-", Count(theirs), Local(4)), False))),
                    ),
                    (),
                ),
            ],
            Goto(10),
        )),
        # 10 ask: block
        Segment(1, (0, 1, 2), tree(
            [], Ask(BLOCK, Items((Local(1),)), 3, Items((number(0), number(1))), number(1), number(1), 11, 4)
        )),
        # 11 give it, or put a token on it
        Segment(1, (0, 1, 2), tree(
            [
                SetLocal(4, First(Answer(Local(1)))),
                CloseDecisions(),
                If(
                    Binary(">=", Local(2), number(0)),
                    (
                        If(
                            Binary("==", Local(4), number(0)),
                            (move(Items((Local(2),)), Table(HAND_OF, Local(0)), 4),),
                            (Change(token, Local(2), one, 4),),
                        ),
                    ),
                    (),
                ),
            ],
            Return(None),
        )),
    )  # fmt: skip

    def plain(*keys: str) -> tuple[OptionBranch, ...]:
        return tuple(OptionBranch(key, (), (), ()) for key in keys)

    sites = (
        Site("turn.bury.cards", "card", (), False, (("en", "Bury cards"),), 2),
        Site(
            "turn.act.choice", "menu",
            (
                *plain("pass", "peek"),
                OptionBranch("steal", ("seat",), ("victim",), (SEATS,)),
                OptionBranch("toss", ("card",), ("card",), (CARDS,)),
                OptionBranch("pull", ("card",), ("card",), (CARDS,)),
            ),
            False, (), 3,
        ),
        Site("thief.block", "menu", plain("give", "curse"), False, (), 4),
        Site("turn.bid.card", "card", (), True, (), 5),
    )  # fmt: skip
    faces = [number % len(FACES) for number in range(CARDS)]
    stack = at
    size, thief_size = 9 + CARDS, 7
    return TableProgram(
        pack="cellar",
        version="1.0",
        semantics=1,
        seats=SEATS,
        options=(("length", "short"),),
        layout=Layout(stack + size + thief_size, decision, OPTIONS, places, stack),
        cards=tuple(CardInfo(FACES[face], "card", FACES[face], face) for face in faces),
        zones=tuple(zones),
        tracks=tuple(tracks),
        state_lists=(marked,),
        enumerations=(),
        definitions=(("card", FACES),),
        tables=(HANDS, VAULTS, (1, 2, 4), tuple(faces), (1, 2, 0)),
        lists=(),
        functions=(),
        procedures=(
            Procedure("main", 0, slots, size, 0, 0),
            Procedure("thief", 2, thief_slots, thief_size, 9, 4),
        ),
        segments=segments,
        sites=sites,
        sources=tuple(Source(name, Span("cellar.yaml", line, 1, line, 9)) for line, name in enumerate(SOURCES, 1)),
        start=((DECK, tuple(range(CARDS))),),
        entry=0,
    )
