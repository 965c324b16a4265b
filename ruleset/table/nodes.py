"""The table program: one pack lowered for one table (its seats and options), ready to run.

A table program is plain data: constant tables, a layout of one flat array of int32 cells, and code. Code is
*functions* (cannot suspend; plain expressions and statements) and *segments* (pieces of procedures that end
in a transfer of control). Every backend gives these nodes the same meaning; `interpreter.backends.walker.backend`
is the reference.

Values are integers. Seats count from 0; cards are individuals and count from 0; definitions, zones and
enumeration members count from 0. Nothing ("none") is -1. Lists exist only inside expressions, in list slots
of frames and in list cells `[n, e0, e1, ...]` of the state.

Operands are evaluated in the order of a node's fields, all of them, except that `And`, `Or`, `IfElse`, `Choice`
and `Exists` stop as soon as the result is known. A slot that an expression binds is bound in its body alone.

Invariants:
- a frame holds, on entry to a segment, exactly the slots of `Segment.live`; all its other slots are zero;
- slots are assigned before they are read;
- `Binary` was proven not to overflow and not to divide by zero; `Checked` was not.
"""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from ruleset.common.record import Record
from ruleset.common.span import Span

# ------------------------------------------------------------------ fixed head of the state

RNG = 0
"""Cells 0 to 3: the 64 bits of the game's random generator, 16 bits each, lowest first."""
STATUS = 4
RUNNING, ASKING, OVER = 0, 1, 2
SEGMENT = 5
"""The segment to run next; while asking, the segment that asks (it can be run again to ask anew)."""
FRAME = 6
"""Address of the current frame: `[return segment, caller's frame, slots...]`."""
FUEL = 7
RESULT = 8
"""What the last `Return` gave."""
OPEN = 9
"""How many decisions still wait for an answer."""
HEAD = 10
"""The decision slots start here, one per seat, `Layout.decision` cells each."""

# One decision slot: state, site, least, most, then the options [n, ...] and the answer [n, ...].
D_STATE, D_SITE, D_LEAST, D_MOST, D_OPTIONS = 0, 1, 2, 3, 4
NOT_ASKED, ASKED, ANSWERED = 0, 1, 2

FUEL_PER_ANSWER = 20_000

# ------------------------------------------------------------------ the four sorts of nodes


class Node(Record):
    """A part of the code."""

    __slots__: tuple[str, ...] = ()


@frozen(repr=False)
class Expr(Node):
    """An expression that gives an integer. `ruleset.program.nodes` adds symbolic nodes, which lowering removes."""


@frozen(repr=False)
class List(Node):
    """An expression that gives a list of integers."""


@frozen(repr=False)
class Stmt(Node):
    """Something that is done; it cannot suspend."""


@frozen(repr=False)
class End(Node):
    """What follows a straight piece of code."""


# ------------------------------------------------------------------ expressions (integers)


@frozen(repr=False)
class Const(Expr):
    value: int


@frozen(repr=False)
class Local(Expr):
    slot: int


@frozen(repr=False)
class Cell(Expr):
    """The state's cell at an address."""

    address: Expr


@frozen(repr=False)
class Table(Expr):
    """`tables[table][index]`: a constant of a card, a definition, a zone."""

    table: int
    index: Expr


Operator = Literal["+", "-", "*", "//", "%", "<", "<=", ">", ">=", "==", "!="]


@frozen(repr=False)
class Binary(Expr):
    """Comparisons give 0 or 1. `//` and `%` floor."""

    op: Operator
    left: Expr
    right: Expr


@frozen(repr=False)
class Checked(Expr):
    """Arithmetic that may leave int32 (rule error `overflow`) or divide by 0 (`zero-division`)."""

    op: Operator
    left: Expr
    right: Expr
    at: int


@frozen(repr=False)
class Not(Expr):
    operand: Expr


@frozen(repr=False)
class And(Expr):
    """Short-circuit; gives 0 or 1 (operands are 0 or 1)."""

    left: Expr
    right: Expr


@frozen(repr=False)
class Or(Expr):
    left: Expr
    right: Expr


@frozen(repr=False)
class IfElse(Expr):
    condition: Expr
    then: Expr
    otherwise: Expr


@frozen(repr=False)
class Least(Expr):
    """The smaller of two."""

    left: Expr
    right: Expr


@frozen(repr=False)
class Most(Expr):
    """The greater of two."""

    left: Expr
    right: Expr


@frozen(repr=False)
class Call(Expr):
    """A function that returns an integer and writes nothing."""

    function: int
    arguments: tuple[Expr | List, ...]


@frozen(repr=False)
class Present(Expr):
    """The operand, which must not be none (rule error `absent`)."""

    operand: Expr
    at: int


@frozen(repr=False)
class Count(Expr):
    items: List


@frozen(repr=False)
class Total(Expr):
    """Sum of `body` over the items, each bound to `slot` in turn. Rule error `overflow` of the whole."""

    items: List
    slot: int
    body: Expr
    at: int


@frozen(repr=False)
class Exists(Expr):
    """Whether `body` holds for any item bound to `slot`."""

    items: List
    slot: int
    body: Expr


@frozen(repr=False)
class Contains(Expr):
    items: List
    value: Expr


@frozen(repr=False)
class First(Expr):
    """The first item, or none."""

    items: List


@frozen(repr=False)
class Last(Expr):
    items: List


@frozen(repr=False)
class Highest(Expr):
    """The greatest value of `body` over the items; `empty` when there are none."""

    items: List
    slot: int
    body: Expr
    empty: int
    lowest: bool = False


# ------------------------------------------------------------------ expressions (lists)


@frozen(repr=False)
class Items(List):
    """These values, in this order."""

    values: tuple[Expr, ...]


@frozen(repr=False)
class LocalList(List):
    slot: int


@frozen(repr=False)
class CellList(List):
    """The list cells `[n, e0, ...]` at an address."""

    address: Expr


@frozen(repr=False)
class Cards(List):
    """The cards of a zone (by its number), from bottom to top (pile), left to right (row), ascending (bag)."""

    zone: Expr


@frozen(repr=False)
class TableList(List):
    """`lists[table][index]`: a constant list, such as the types of a card or all definitions of a kind."""

    table: int
    index: Expr


@frozen(repr=False)
class Filter(List):
    items: List
    slot: int
    condition: Expr


@frozen(repr=False)
class Map(List):
    items: List
    slot: int
    body: Expr


@frozen(repr=False)
class FlatMap(List):
    items: List
    slot: int
    body: List


@frozen(repr=False)
class Concat(List):
    left: List
    right: List


@frozen(repr=False)
class Take(List):
    """The last `count` items (the top of a pile), or the first with `first`: in order, as many as there are."""

    items: List
    count: Expr
    first: bool


@frozen(repr=False)
class Extremes(List):
    """The items whose `body` is the greatest (or the least with `lowest`), all that tie, in order."""

    items: List
    slot: int
    body: Expr
    lowest: bool


@frozen(repr=False)
class Ranked(List):
    """The items sorted by `body` (a stable sort), ascending, or descending with `descending`."""

    items: List
    slot: int
    body: Expr
    descending: bool


@frozen(repr=False)
class Distinct(List):
    """The first item of each value of `body`."""

    items: List
    slot: int
    body: Expr


@frozen(repr=False)
class Rotated(List):
    """The items in cyclic order beginning with `start` (unchanged when `start` is not among them)."""

    items: List
    start: Expr


@frozen(repr=False)
class Choice(List):
    """`then` or `otherwise`."""

    condition: Expr
    then: List
    otherwise: List


@frozen(repr=False)
class CallList(List):
    """A function that returns a list and writes nothing."""

    function: int
    arguments: tuple[Expr | List, ...]


@frozen(repr=False)
class Answer(List):
    """What a seat answered, until `CloseDecisions`."""

    seat: Expr


# ------------------------------------------------------------------ statements


@frozen(repr=False)
class SetLocal(Stmt):
    slot: int
    value: Expr


@frozen(repr=False)
class SetList(Stmt):
    slot: int
    items: List


@frozen(repr=False)
class SetCell(Stmt):
    address: Expr
    value: Expr


@frozen(repr=False)
class SetCells(Stmt):
    """Writes list cells; what the old list had beyond the new one becomes zero."""

    address: Expr
    items: List


@frozen(repr=False)
class If(Stmt):
    condition: Expr
    then: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...]


@frozen(repr=False)
class ForEach(Stmt):
    """The list is evaluated once; `slot` is bound to each item in turn."""

    slot: int
    items: List
    body: tuple[Stmt, ...]


@frozen(repr=False)
class While(Stmt):
    """Charges one unit of fuel (`Charge`) before each test."""

    condition: Expr
    body: tuple[Stmt, ...]
    at: int


@frozen(repr=False)
class Do(Stmt):
    """A function called for what it does."""

    function: int
    arguments: tuple[Expr | List, ...]


@frozen(repr=False)
class DoTable(Stmt):
    """The function `tables[table][index]`; none does nothing."""

    table: int
    index: Expr
    arguments: tuple[Expr | List, ...]


@frozen(repr=False)
class Give(Stmt):
    """Ends a function with a value (an integer or a list)."""

    value: Expr | List


@frozen(repr=False)
class Charge(Stmt):
    """One unit of fuel; rule error `fuel` when there is none left."""

    at: int


@frozen(repr=False)
class Random(Stmt):
    """`slot` becomes a random number from 0 to `bound` - 1; `bound` is at least 1, else rule error `absent`."""

    slot: int
    bound: Expr
    at: int


@frozen(repr=False)
class Move(Stmt):
    """Cards go, in order, to the top (end) of a zone, or each under it (`bottom`); bags keep themselves sorted.

    With `place`, only those that are still in that zone (-1: wherever they are). A card already in `to` is taken
    out and put on top; a card that is none is passed over. Rule error `full`. When all have moved, zones among
    those they came from that refill at once and are empty do so, in the order in which they were first left.
    """

    cards: List
    to: Expr
    bottom: bool
    place: Expr | None
    at: int


@frozen(repr=False)
class MoveAll(Stmt):
    """Every card of a zone, in its order."""

    source: Expr
    to: Expr
    bottom: bool
    at: int


@frozen(repr=False)
class SendHome(Stmt):
    """Each card goes on top of its home, the zone `tables[homes][card]`: home after home, by their numbers.

    A card that has none stays; with `place`, only those go that are still in that zone (-1: wherever they are).
    """

    cards: List
    homes: int
    place: Expr | None
    at: int


@frozen(repr=False)
class Drawing(Stmt):
    """Takes up to `count` cards, one after the other, from one end of a zone that may refill itself.

    A zone that refills when needed does so when a card is asked for and none is there; one that refills at
    once also as soon as it is empty. `slot` receives the list of cards that moved. A negative count is 0; more than
    the game has cards is as many as it has, so that a draw ends where cards come back to the zone that they left.
    """

    source: Expr
    count: Expr
    to: Expr
    bottom: bool
    slot: int | None
    at: int


@frozen(repr=False)
class Draw(Drawing):
    """From the top (end) of the zone."""


@frozen(repr=False)
class DrawBottom(Drawing):
    """From the bottom (start) of the zone: each card is the lowest that is there when it is taken."""


@frozen(repr=False)
class Shuffle(Stmt):
    """Fisher-Yates from ascending order: for i in 0..n-2, swap i with i + bounded(n - i). Bags stay."""

    zone: Expr
    at: int


@frozen(repr=False)
class Prepare(Stmt):
    """Has a zone that refills when needed hold at least `count` cards, if it can, before an end of it is revealed.

    The cards that were there stay on top, in order.
    """

    zone: Expr
    count: Expr
    at: int


@frozen(repr=False)
class Reveal(Stmt):
    """Seats in the mask learn these cards where they lie. No effect but in narration and knowledge; no event where
    there is no card.

    Its expressions, as those of `Emit`, neither fail nor use fuel: a build that does not narrate leaves them out.
    """

    cards: List
    seats: Expr
    at: int


@frozen(repr=False)
class Change(Stmt):
    """A track moves by an amount: clamped, or rule error `bounds`, as it says. Arrival is noted if it moved."""

    track: int
    index: Expr
    amount: Expr
    at: int


@frozen(repr=False)
class Assign(Stmt):
    """A track gets a value, with the same bounds."""

    track: int
    index: Expr
    value: Expr
    at: int


@frozen(repr=False)
class Append(Stmt):
    """Adds to list cells (at the end), if not yet there. Rule error `full` beyond `capacity`."""

    address: Expr
    value: Expr
    capacity: int
    at: int


@frozen(repr=False)
class Remove(Stmt):
    """Takes a value out of list cells, if there."""

    address: Expr
    value: Expr


@frozen(repr=False)
class CloseDecisions(Stmt):
    """Zeroes every decision slot."""


@frozen(repr=False)
class Emit(Stmt):
    """An event of narration. No effect on the state. See `EVENTS` for kinds and their numbers."""

    kind: str
    numbers: tuple[Expr, ...]
    cards: List | None
    audience: Expr
    sees: Expr
    at: int


@frozen(repr=False)
class Fail(Stmt):
    """A rule error with this code."""

    code: str
    at: int


# ------------------------------------------------------------------ ends of segments


@frozen(repr=False)
class Goto(End):
    segment: int


@frozen(repr=False)
class Branch(End):
    condition: Expr
    then: Tree
    otherwise: Tree


@frozen(repr=False)
class Invoke(End):
    """Calls a procedure: a new frame after this one; goes on at `resume` when it returns. Rule error `stack`.

    First one unit of fuel is charged, then the stack is checked, then the arguments are evaluated.
    """

    procedure: int
    arguments: tuple[Expr | List, ...]
    resume: int
    at: int


@frozen(repr=False)
class InvokeTable(End):
    """The procedure `tables[table][index]`, called as by `Invoke`; none goes on at `resume`, free of charge."""

    table: int
    index: Expr
    arguments: tuple[Expr | List, ...]
    resume: int
    at: int


@frozen(repr=False)
class Return(End):
    """Zeroes the frame and goes on where the caller said. RESULT becomes the value, 0 without one."""

    value: Expr | None


@frozen(repr=False)
class Ask(End):
    """Asks each of the seats, in order, with `slot` bound to the seat while its options and bounds are evaluated.

    n is the number of options, `most` becomes min(most, n), `least` becomes min(least, most), neither is negative.
    Where only one answer is possible (most is 0, or least is n) it is given at once and the decision is never open:
    but with `always` it is opened all the same, since how many options there are is a secret.
    When no decision is open the game goes on at `resume`; else it stops, and goes on there when all have answered.
    The segment that ends in this term does nothing else, so that it may be run again; it zeroes all decision slots
    first. More options than `Layout.options` are a rule error `full`.
    """

    site: int
    seats: List
    slot: int
    options: List
    least: Expr
    most: Expr
    resume: int
    at: int
    always: bool = False


@frozen(repr=False)
class Finish(End):
    """The game is over: the whole stack becomes zero; SEGMENT and FRAME become -1."""


@frozen(repr=False)
class Tree(Record):
    """Straight code and what follows it; a branch holds further trees."""

    body: tuple[Stmt, ...]
    end: End


@frozen(repr=False)
class Slot(Record):
    """A frame's slot: one cell, or `capacity` + 1 cells `[n, ...]` when `capacity` is not 0.

    `cards` says that it holds references to cards (a world that differs in hidden cards renames them).
    `offset` is its first cell, counted from the frame's address.
    """

    name: str
    capacity: int
    cards: bool
    offset: int


@frozen(repr=False)
class Function(Record):
    """Cannot suspend. Slots 0 to len(parameters) - 1 are its parameters; the others are local."""

    name: str
    parameters: int
    slots: tuple[Slot, ...]
    body: tuple[Stmt, ...]
    at: int


@frozen(repr=False)
class Procedure(Record):
    """Can suspend. Its frames are `size` cells long, the two link cells included."""

    name: str
    parameters: int
    slots: tuple[Slot, ...]
    size: int
    entry: int
    at: int


@frozen(repr=False)
class Segment(Record):
    """`live` lists the slots that are read in it, or later, before they are assigned (an entry: all parameters)."""

    procedure: int
    live: tuple[int, ...]
    tree: Tree


# ------------------------------------------------------------------ what things are


@frozen(repr=False)
class Source(Record):
    """Where a rule stands: `name` is the definition and step, such as `step/supplies.supply`. `pack` brought it in,
    where several are combined."""

    name: str
    span: Span
    pack: str = ""


@frozen(repr=False)
class CardInfo(Record):
    """One individual: its key (`gem`, `tower-3`; equal cards share it), its kind, its definition."""

    key: str
    kind: str
    definition: str
    face: int
    """Number of the key: two cards with one face cannot be told apart."""


@frozen(repr=False)
class ZoneInfo(Record):
    """One instance of a zone. `sees` is the mask of seats that see its cards; `top` of those that see only its top.

    `address` is that of its list cells; `capacity` the most cards it can hold. `refill` is the zone it is refilled
    from (none: -1), `eager` whether at once.
    """

    key: str
    zone: str
    owner: int
    order: Literal["bag", "row", "pile"]
    address: int
    capacity: int
    accepts: tuple[int, ...]
    sees: int
    top: int
    sizes: int
    refill: int
    eager: bool


@frozen(repr=False)
class TrackInfo(Record):
    """A family of numbers: `count` cells from `address`, indexed as `indices` tells (player-major).

    `seen` gives, per index, the mask of seats that see its value, `changes` of those that see it change.
    `arrival` is the address of as many cells that hold the order of arrival, with its counter in the cell
    before them; -1 without. `of` names what the number stands for: `number`, `boolean`, an enumeration, `seat`,
    `card`, or a kind's name.
    """

    key: str
    address: int
    count: int
    scope: tuple[str, ...]
    low: int
    high: int
    clamps: bool
    start: tuple[int, ...]
    seen: tuple[int, ...]
    changes: tuple[int, ...]
    arrival: int
    of: str


@frozen(repr=False)
class ListInfo(Record):
    """Lists kept in the state (`[n, e0, ...]`), `count` of them, each `capacity` + 1 cells, seen by all."""

    key: str
    address: int
    count: int
    capacity: int
    scope: str
    of: str


@frozen(repr=False)
class OptionBranch(Record):
    """One entry of a menu. `members` says what its variables are: `card`, `seat`, a kind, an enumeration, `number`.

    An option's value is `branch + branches * code`, where `code` folds the members: for members (a, b) with
    `radix` (ra, rb) it is a + ra * b.
    """

    key: str
    members: tuple[str, ...]
    names: tuple[str, ...]
    radix: tuple[int, ...]


@frozen(repr=False)
class Site(Record):
    """A place of the rules that asks. `of` is what an option is: `menu`, `card`, `seat`, a kind, an enumeration or
    `number`.

    `key` is the choice id, stable across edits elsewhere: `supplies.supply.choice`. `sealed`: simultaneous, so
    other seats see only that it was answered, until the cards or the effects show it.
    """

    key: str
    of: str
    branches: tuple[OptionBranch, ...]
    sealed: bool
    prompt: tuple[tuple[str, str], ...]
    at: int


@frozen(repr=False)
class Layout(Record):
    """Sizes: of the whole state, of a decision slot and its options; where the stack starts and ends.

    `places` is the address of the cells that hold, per card, the zone it is in.
    """

    cells: int
    decision: int
    options: int
    places: int
    stack: int


@frozen(repr=False)
class Enumeration(Record):
    key: str
    members: tuple[str, ...]


@frozen(repr=False)
class Ranking(Record):
    """How a bot ranks options by one part of their values.

    A value is read part by part, the lowest first: the part is `value % radix`, the rest `value // radix`; with
    radix 0 the part is all of it. Of a card (`cards`) the part is its face, and an option with a card that the seat
    does not see where it lies has no rank. `cases` gives for some parts what follows, all others have `otherwise`:
    the number of a later ranking of the bot, which reads the rest; or what `UNRANKED` and lower numbers say.
    """

    cards: bool
    radix: int
    cases: tuple[tuple[int, int], ...]
    otherwise: int


UNRANKED = -1
"""Among what follows in a `Ranking`: the option has no rank. Lower numbers are ranks: -2 is the best."""


@frozen(repr=False)
class BotAnswer(Record):
    """What a bot answers at a site, if `condition` holds: a function of the seat that gives a truth value, or -1.

    A rule error in a condition means that it does not hold. `ranking` is the number of the first ranking. Where no
    option has a rank the random policy chooses (`any`), or chooses as few as must be (`none`), or the next counts.
    """

    site: int
    condition: int
    ranking: int
    otherwise: Literal["", "any", "none"]


@frozen(repr=False)
class BotInfo(Record):
    """A player that ranks options. Of the answers for a site the first counts whose condition holds and that ranks
    an option, or says what happens otherwise; where there is none the seat answers at random. See
    `interpreter.backends.policies.ranking_player`."""

    key: str
    answers: tuple[BotAnswer, ...]
    rankings: tuple[Ranking, ...]


@frozen(repr=False)
class Bots(Record):
    """The bots of a table, and what their conditions need beside the program: tables, lists and functions whose
    numbers go on behind those of the program. No rule knows of any of this."""

    bots: tuple[BotInfo, ...]
    tables: tuple[tuple[int, ...], ...]
    lists: tuple[tuple[tuple[int, ...], ...], ...]
    functions: tuple[Function, ...]


@frozen(repr=False)
class TableProgram(Record):
    """Everything a backend needs, and what narration and views need to name things."""

    pack: str
    version: str
    semantics: int
    seats: int
    options: tuple[tuple[str, str], ...]
    layout: Layout
    cards: tuple[CardInfo, ...]
    zones: tuple[ZoneInfo, ...]
    tracks: tuple[TrackInfo, ...]
    state_lists: tuple[ListInfo, ...]
    enumerations: tuple[Enumeration, ...]
    definitions: tuple[tuple[str, tuple[str, ...]], ...]
    """Under `definition` all definitions, by which values number them; then per kind its own, in order."""
    tables: tuple[tuple[int, ...], ...]
    lists: tuple[tuple[tuple[int, ...], ...], ...]
    functions: tuple[Function, ...]
    procedures: tuple[Procedure, ...]
    segments: tuple[Segment, ...]
    sites: tuple[Site, ...]
    sources: tuple[Source, ...]
    start: tuple[tuple[int, tuple[int, ...]], ...]
    """Where the cards lie at the start: (zone, its cards in order)."""
    entry: int
    """The procedure that plays the game; it takes no parameters."""
    position: tuple[tuple[int, int], ...] | None = None
    """For a game that begins in its middle: cells of tracks and lists at the start, as (address, value). All seats
    know where cards lie before a game; of a position they know only what they see."""
    bots: Bots | None = None


UNDER, COVERED, AS_A_BLOCK, FROM_BOTTOM = 1, 2, 4, 8
"""How cards move: to the bottom of a pile (else to its end), below others that follow before anybody looks, all at
once, so that nobody sees one after the other on top of where they were, and from the bottom of where they were, the
lowest first. They add up."""

EVENTS: dict[str, str] = {
    "moved": "zone from, zone to, how many, manner (UNDER, COVERED, AS_A_BLOCK, FROM_BOTTOM); cards",
    "shuffled": "zone",
    "revealed": "seats' mask, for each card the zone it was in (-1: none); cards",
    "changed": "track, index, amount",
    "answered": "seat, site, how many; cards or values",
    "reached": "the step, phase or round of the source begins; you (seat or -1)",
    "performed": "the effect of the source begins; you (seat or -1); the card that declares it",
    "covered": "the branch of the source is taken: told to nobody, for measuring what is tried",
    "announced": "the message of the source is told; you (seat or -1)",
    "proven": "claimant, challenger, 1 if the claim was true, 0 if not: everybody learns it",
    "scored": "award number, seat, points",
    "eliminated": "seat",
    "ended": "mask of the winners",
}
"""Kinds of events and what their numbers are."""
