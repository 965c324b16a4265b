"""The table program: a pack lowered for one table (its seats and options), ready to run.

A table program is plain data: constant tables, a layout of one flat array of int32 cells, and code. Code consists
of *functions* (expressions and statements that cannot suspend) and *segments* (pieces of procedures that end in a
transfer of control). Every backend gives these nodes the same meaning; `interpreter.backends.walker.backend` is the
reference.

Values are integers. Seats, cards, definitions, zones, and enumeration members are numbered from 0; each card is an
individual. None is -1. Lists exist only inside expressions, in list slots of frames, and in list cells `[n, e0, e1,
...]` of the state.

All operands are evaluated, in the order of a node's fields, except that `And`, `Or`, `IfElse`, `Choice`, and
`Exists` stop as soon as the result is known. A slot bound by an expression is bound only in its body.

Invariants:
- on entry to a segment, a frame holds exactly the slots of `Segment.live`; all its other slots are zero;
- slots are assigned before they are read;
- `Binary` was proven not to overflow and not to divide by zero; `Checked` was not.
"""

from __future__ import annotations

from typing import Literal

from attrs import field, frozen

from rulewright.ruleset.common.diagnostic import Span
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.table.origin import Origin

# ------------------------------------------------------------------ fixed head of the state

RNG = 0
"""Cells 0 to 3: the 64 bits of the game's random generator, 16 bits each, lowest first."""
STATUS = 4
RUNNING, ASKING, OVER = 0, 1, 2
SEGMENT = 5
"""The segment to run next; while asking, the segment that asks (it can be run again to ask again)."""
FRAME = 6
"""Address of the current frame: `[return segment, caller's frame, slots...]`."""
FUEL = 7
RESULT = 8
"""The value of the last `Return`."""
OPEN = 9
"""The number of decisions that still wait for an answer."""
HEAD = 10
"""Start of the decision slots, one per seat, `Layout.decision` cells each."""

# One decision slot: state, site, least, most, then the options [n, ...] and the answer [n, ...].
D_STATE, D_SITE, D_LEAST, D_MOST, D_OPTIONS = 0, 1, 2, 3, 4
NOT_ASKED, ASKED, ANSWERED = 0, 1, 2

# ------------------------------------------------------------------ the four sorts of nodes

class Node(Record):
    """A part of the code."""

    __slots__: tuple[str, ...] = ()


@frozen(repr=False)
class Expr(Node):
    """An expression with an integer value. `ruleset.program.nodes` adds symbolic nodes, which lowering removes."""


@frozen(repr=False)
class List(Node):
    """An expression with a list of integers as its value."""


@frozen(repr=False)
class Stmt(Node):
    """A statement; it cannot suspend."""


@frozen(repr=False)
class End(Node):
    """What follows straight-line code."""


# ------------------------------------------------------------------ expressions (integers)

@frozen(repr=False)
class Const(Expr):
    value: int


@frozen(repr=False)
class Local(Expr):
    slot: int


@frozen(repr=False)
class Cell(Expr):
    """The cell of the state at an address."""

    address: Expr


@frozen(repr=False)
class Table(Expr):
    """`tables[table][index]`: a constant of a card, a definition, or a zone."""

    table: int
    index: Expr


Operator = Literal["+", "-", "*", "//", "%", "<", "<=", ">", ">=", "==", "!="]
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
"""The operators that give 1 or 0."""


@frozen(repr=False)
class Binary(Expr):
    """An operation. Comparisons give 0 or 1. `//` and `%` floor."""

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
    """Short-circuit conjunction; gives 0 or 1 (operands are 0 or 1)."""

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
    """The smaller of two numbers."""

    left: Expr
    right: Expr


@frozen(repr=False)
class Most(Expr):
    """The greater of two numbers."""

    left: Expr
    right: Expr


@frozen(repr=False)
class Call(Expr):
    """A call of a function that returns an integer and writes nothing."""

    function: int
    arguments: tuple[Expr | List, ...]


@frozen(repr=False)
class Present(Expr):
    """The operand, which must not be none (rule error `absent`)."""

    operand: Expr
    at: int


@frozen(repr=False)
class Within(Expr):
    """The operand, which must be from `least` to `most` (rule error `full`)."""

    operand: Expr
    least: int
    most: int
    at: int


@frozen(repr=False)
class Count(Expr):
    items: List


@frozen(repr=False)
class Total(Expr):
    """Sum of `body` over the items, each bound to `slot` in turn. Rule error `overflow` if the sum overflows."""

    items: List
    slot: int
    body: Expr
    at: int


@frozen(repr=False)
class Exists(Expr):
    """Whether `body` holds for any item, bound to `slot`."""

    items: List
    slot: int
    body: Expr


@frozen(repr=False)
class Contains(Expr):
    items: List
    value: Expr


@frozen(repr=False)
class Same(Expr):
    """Whether two lists have the same items in the same order."""

    left: List
    right: List


@frozen(repr=False)
class First(Expr):
    """The first item; none if there are no items."""

    items: List


@frozen(repr=False)
class Last(Expr):
    items: List


@frozen(repr=False)
class Highest(Expr):
    """The greatest value of `body` over the items; `empty` if there are none."""

    items: List
    slot: int
    body: Expr
    empty: int
    lowest: bool = False


# ------------------------------------------------------------------ expressions (lists)

@frozen(repr=False)
class Items(List):
    """A list of the given values."""

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
    """The last `count` items (the top of a pile), or the first with `first`; in order, fewer if there are fewer."""

    items: List
    count: Expr
    first: bool


@frozen(repr=False)
class Extremes(List):
    """All items whose `body` is greatest (or least, with `lowest`), in order."""

    items: List
    slot: int
    body: Expr
    lowest: bool


@frozen(repr=False)
class Ranked(List):
    """The items in a stable sort by `body`, ascending unless `descending`."""

    items: List
    slot: int
    body: Expr
    descending: bool


@frozen(repr=False)
class Distinct(List):
    """The first item for each value of `body`."""

    items: List
    slot: int
    body: Expr


@frozen(repr=False)
class Rotated(List):
    """The items in cyclic order starting at `start`; unchanged if `start` is not an item."""

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
    """A call of a function that returns a list and writes nothing."""

    function: int
    arguments: tuple[Expr | List, ...]


@frozen(repr=False)
class Answer(List):
    """The answer of a seat, until `CloseDecisions`."""

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
    """Writes list cells; surplus cells of the old list become zero."""

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
    """A loop that charges one unit of fuel (`Charge`) before each test."""

    condition: Expr
    body: tuple[Stmt, ...]
    at: int


@frozen(repr=False)
class Do(Stmt):
    """A function called for its effects."""

    function: int
    arguments: tuple[Expr | List, ...]


@frozen(repr=False)
class DoTable(Stmt):
    """Calls the function `tables[table][index]`; none does nothing."""

    table: int
    index: Expr
    arguments: tuple[Expr | List, ...]


@frozen(repr=False)
class Give(Stmt):
    """Ends a function with a value (an integer or a list)."""

    value: Expr | List


@frozen(repr=False)
class Charge(Stmt):
    """Charges one unit of fuel; rule error `fuel` if none is left."""

    at: int


@frozen(repr=False)
class Random(Stmt):
    """`slot` becomes a random number from 0 to `bound` - 1; `bound` is at least 1, else rule error `absent`."""

    slot: int
    bound: Expr
    at: int


@frozen(repr=False)
class Move(Stmt):
    """Cards move, in order, to the top (end) of a zone, or each under it (`bottom`); bags stay sorted.

    With `place`, only cards still in that zone move (-1: from anywhere). A card already in `to` is removed and put
    on top; none is skipped. Rule error `full`. When all have moved, source zones that refill at once and are empty
    are refilled, in the order in which they were first left.

    `chooser` is the seat that chose the order: only it and the seats that see the target learn the order. Like the
    expressions of `Emit`, it neither fails nor uses fuel.
    """

    cards: List
    to: Expr
    bottom: bool
    place: Expr | None
    at: int
    chooser: Expr | None = None


@frozen(repr=False)
class MoveAll(Stmt):
    """All cards of a zone move, in its order."""

    source: Expr
    to: Expr
    bottom: bool
    at: int


@frozen(repr=False)
class SendHome(Stmt):
    """Each card goes to the top of its home, the zone `tables[homes][card]`: homes in the order of their numbers.

    A card without a home stays; with `place`, only cards still in that zone move (-1: from anywhere).
    """

    cards: List
    homes: int
    place: Expr | None
    at: int


@frozen(repr=False)
class Drawing(Stmt):
    """Takes up to `count` cards, one by one, from one end of a zone that may refill itself.

    A zone that refills when needed does so when a card is requested and it is empty; one that refills at once also
    does so as soon as it becomes empty. `slot` receives the list of moved cards. A negative count is 0; a count
    above the number of cards in the game is that number, so that a draw ends even if cards return to the source.
    """

    source: Expr
    count: Expr
    to: Expr
    bottom: bool
    slot: int | None
    at: int


@frozen(repr=False)
class Draw(Drawing):
    """Takes cards from the top (end) of the zone."""


@frozen(repr=False)
class DrawBottom(Drawing):
    """Takes cards from the bottom (start) of the zone: each is the lowest at the time it is taken."""


@frozen(repr=False)
class Shuffle(Stmt):
    """Fisher-Yates from ascending order: for i in 0..n-2, swap i with i + bounded(n - i). Bags are unchanged."""

    zone: Expr
    at: int


@frozen(repr=False)
class Prepare(Stmt):
    """Refills a zone that refills when needed, before an end of it is revealed.

    Afterwards it holds at least `count` cards, if possible. The cards already in it stay on top, in order.
    """

    zone: Expr
    count: Expr
    at: int


@frozen(repr=False)
class Reveal(Stmt):
    """The seats in the mask learn what these cards are. Affects only narration and knowledge; no event if empty.

    The others learn that cards are shown, unless it is `secret`. Like those of `Emit`, its expressions neither fail
    nor use fuel: builds without narration omit them.
    """

    cards: List
    seats: Expr
    at: int
    secret: bool = False


@frozen(repr=False)
class Change(Stmt):
    """Adds to a track: clamped, or rule error `bounds`, as declared. Arrival is noted if the value changed."""

    track: int
    index: Expr
    amount: Expr
    at: int


@frozen(repr=False)
class Assign(Stmt):
    """Sets a track, within the same bounds."""

    track: int
    index: Expr
    value: Expr
    at: int


@frozen(repr=False)
class Append(Stmt):
    """Appends to list cells unless the value is present. Rule error `full` beyond `capacity`."""

    address: Expr
    value: Expr
    capacity: int
    at: int


@frozen(repr=False)
class Remove(Stmt):
    """Removes a value from list cells, if present."""

    address: Expr
    value: Expr


@frozen(repr=False)
class CloseDecisions(Stmt):
    """Zeroes all decision slots."""


@frozen(repr=False)
class Emit(Stmt):
    """An event of narration. Does not change the state. `EVENTS` lists the kinds and their numbers.

    The event has the `members` after its other numbers.
    """

    kind: str
    numbers: tuple[Expr, ...]
    cards: List | None
    audience: Expr
    sees: Expr
    at: int
    members: List | None = None


@frozen(repr=False)
class Fail(Stmt):
    """Raises a rule error with this code."""

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
    """Calls a procedure in a new frame; continues at `resume` when it returns. Rule error `stack`.

    First one unit of fuel is charged, then the stack is checked, then the arguments are evaluated.
    """

    procedure: int
    arguments: tuple[Expr | List, ...]
    resume: int
    at: int


@frozen(repr=False)
class InvokeTable(End):
    """Calls the procedure `tables[table][index]` as `Invoke` does; none continues at `resume`, without a charge."""

    table: int
    index: Expr
    arguments: tuple[Expr | List, ...]
    resume: int
    at: int


@frozen(repr=False)
class Return(End):
    """Zeroes the frame and continues at the caller's `resume`. RESULT becomes the value, or 0 without one."""

    value: Expr | None


@frozen(repr=False)
class Ask(End):
    """Asks each of the seats, in order, with `slot` bound to the seat while its options and bounds are evaluated.

    If n is the number of options, `most` becomes min(most, n) and `least` becomes min(least, most); neither is
    negative. If only one answer is possible (most is 0, or least is n), it is given at once and no decision opens.
    With `always` the decision opens nevertheless, since the number of options is secret. If no decision is open,
    the game continues at `resume`; otherwise it stops, and continues there when all have answered. The segment that
    ends in this node does nothing else, so that it can be run again; it first zeroes all decision slots. More
    options than `Layout.options` are a rule error `full`.
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
    """Ends the game: the whole stack becomes zero; SEGMENT and FRAME become -1."""


@frozen(repr=False)
class Restart(End):
    """Begins the next game of a series, as `TableProgram.next_game` says. First charges one unit of fuel."""

    at: int


@frozen(repr=False)
class Tree(Node):
    """Straight-line code and its end; a branch contains further trees."""

    body: tuple[Stmt, ...]
    end: End


@frozen(repr=False)
class Slot(Record):
    """A frame's slot: one cell, or `capacity` + 1 cells `[n, ...]` if `capacity` is not 0.

    `cards`: the slot holds references to cards, which a world with other hidden cards renames. `offset` is its
    first cell, relative to the frame's address.
    """

    name: str
    capacity: int
    cards: bool
    offset: int


@frozen(repr=False)
class Function(Node):
    """A function: cannot suspend. Slots 0 to len(parameters) - 1 are its parameters; the others are local."""

    name: str
    parameters: int
    slots: tuple[Slot, ...]
    body: tuple[Stmt, ...]
    at: int


@frozen(repr=False)
class Procedure(Record):
    """A procedure: can suspend. Its frames have `size` cells, including the two link cells."""

    name: str
    parameters: int
    slots: tuple[Slot, ...]
    size: int
    entry: int
    at: int


@frozen(repr=False)
class Segment(Node):
    """A piece of a procedure.

    `live` lists the slots read in it or later before they are assigned (for an entry, all parameters).
    """

    procedure: int
    live: tuple[int, ...]
    tree: Tree


# ------------------------------------------------------------------ descriptions

@frozen(repr=False)
class Source(Record):
    """The place of a rule.

    `name` is the definition and step, such as `step/supplies.supply`. `pack` is the pack of the rule if several are
    combined.
    """

    name: str
    span: Span
    pack: str = ""
    values: tuple[tuple[str, str], ...] = ()
    """The names and types of the values that its event gives to its text, in order (`event_values`).

    A type that begins with `LIST_OF` is a list of other things than cards.
    """


@frozen(repr=False)
class CardInfo(Record):
    """One card: its key (`gem`, `tower-3`; shared by equal cards), its kind, and its definition."""

    key: str
    kind: str
    definition: str
    face: int
    """Number of the key: cards with the same face are indistinguishable."""


@frozen(repr=False)
class ZoneInfo(Record):
    """One instance of a zone: those of one zone follow each other, and code counts from the first to any of them.

    `sees` is the mask of seats that see its cards; `top` of those that see only its top.

    `address` is that of its list cells; `capacity` is the most cards it can hold. `refill` is the zone it is
    refilled from (-1: none), and `eager` whether this happens at once.
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
    """A family of numbers: `count` cells from `address`, indexed by `scope` (player-major).

    `seen` gives, per index, the mask of seats that see its value, and `changes` the mask of those that see it
    change. `arrival` is the address of `count` cells with the order of arrival, preceded by its counter cell; -1 if
    there are none. `of` is the meaning of the numbers: `number`, `boolean`, an enumeration, `seat`, `card`, or a
    kind's name.
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
    """Lists in the state (`[n, e0, ...]`): `count` lists of `capacity` + 1 cells each, seen by all seats."""

    key: str
    address: int
    count: int
    capacity: int
    scope: str
    of: str


@frozen(repr=False)
class OptionBranch(Record):
    """One entry of a menu. `members` are types of its variables: `card`, `seat`, `number`, a kind, an enumeration.

    An option's value is `branch + branches * code`, where `code` combines the members: for members (a, b) with
    `radix` (ra, rb) it is a + ra * b. `shows` are values for the option's name, evaluated with the members in
    `slots`.
    """

    key: str
    members: tuple[str, ...]
    names: tuple[str, ...]
    radix: tuple[int, ...]
    shows: tuple[Shown, ...] = ()
    slots: tuple[int, ...] = ()


@frozen(repr=False)
class Shown(Node):
    """A value that a text for players shows: its name in the text, its type as in `Site.of`, and how it is found.

    It is evaluated on a suspended game, in the frame of the segment that asks.
    """

    name: str
    of: str
    value: Expr | List


@frozen(repr=False)
class Site(Record):
    """A place in the rules that asks.

    `of` is the type of its options: `menu`, `card`, `seat`, a kind, an enumeration, or `number`. `key` is the
    choice id, stable across edits elsewhere: `supplies.supply.choice`. `sealed`: simultaneous, so that other seats
    see only that it was answered, until cards or effects show the answer. `shows` are values for the question and
    for the names of all options. `private`: no other seat ever reads the answer.
    """

    key: str
    of: str
    branches: tuple[OptionBranch, ...]
    sealed: bool
    prompt: tuple[tuple[str, str], ...]
    at: int
    shows: tuple[Shown, ...] = ()
    private: bool = False


@frozen(repr=False)
class Layout(Record):
    """Sizes of the state, of a decision slot, and of its options; the start and end of the stack.

    `places` is the address of the cells that hold the zone of each card.
    """

    cells: int
    decision: int
    options: int
    places: int
    stack: int


SEALED = "sealed/"
"""The beginning of the keys of what no seat sees: answers of a simultaneous choice until it is carried out, and
what the effects of a definition share."""

RESULT_LISTS = "result/"
"""The beginning of the keys of lists that hold the result of a verb until its caller takes it."""

OUTCOME = "finish/result"
"""The track of the number of a game's result (-1: none), and the enumeration of the results' names.

A game has them if its rules name several results.
"""


@frozen(repr=False)
class Enumeration(Record):
    key: str
    members: tuple[str, ...]


@frozen(repr=False)
class Ranking(Record):
    """How a bot ranks options by one part of their values.

    A value is read part by part, the lowest first: the part is `value % radix`, the rest `value // radix`; with
    radix 0 the part is the whole value. For a card (`cards`) the part is its face, and an option with a card that
    the seat does not see in place has no rank. `cases` maps some parts to their result; all others have
    `otherwise`. A result is the number of a later ranking of the bot, which reads the rest, or UNRANKED or lower.
    """

    cards: bool
    radix: int
    cases: tuple[tuple[int, int], ...]
    otherwise: int


@frozen(repr=False)
class Score(Record):
    """How a bot ranks options by a function of its seat and all parts of their values.

    `parts` says of each part whether it is a card, and its radix; see `Ranking`. A result above 0 is the rank, and
    higher ones are better. Other options have no rank, nor do those for which the function raises a rule error.
    `constants` are more arguments of the function, after the parts.
    """

    function: int
    parts: tuple[tuple[bool, int], ...]
    constants: tuple[int, ...] = ()


UNRANKED = -1
"""A result in a `Ranking`: the option has no rank. Lower numbers are ranks; -2 is the best."""


@frozen(repr=False)
class BotAnswer(Record):
    """A bot's answer at a site if `condition` holds.

    `condition` is a function from the seat and `constants` to a truth value, or -1 for none. A rule error in it
    means that it does not hold. `ranking` is the number of the first ranking. If no option has a rank, the random
    policy chooses (`any`), or as few options as possible are chosen (`none`), or the next answer applies.

    With `avoid`, options with a rank are left out instead, for this answer and those after it, unless too few
    others remain. The answer applies in one of `chance` decisions, at random; in the others it is skipped.
    """

    site: int
    condition: int
    ranking: int
    otherwise: Literal["", "any", "none", "avoid"]
    chance: int = 1
    constants: tuple[int, ...] = ()


@frozen(repr=False)
class BotInfo(Record):
    """A player that ranks options.

    At a site the first answer applies whose condition holds and that ranks an option or has an `otherwise`; without
    one the seat answers at random. See `interpreter.backends.policies`.
    """

    key: str
    answers: tuple[BotAnswer, ...]
    rankings: tuple[Ranking | Score, ...]


@frozen(repr=False)
class Bots(Record):
    """The bots of a table, with the tables, lists, and functions for their conditions.

    These are numbered after those of the program. No rule refers to any of them.
    """

    bots: tuple[BotInfo, ...]
    tables: tuple[tuple[int, ...], ...]
    lists: tuple[tuple[tuple[int, ...], ...], ...]
    functions: tuple[Function, ...]


@frozen(repr=False)
class NextGame(Record):
    """How the next game of a series begins (`Restart`): cards lie in `start`, and tracks have these starts.

    Its first frame is that of `procedure`. All other cells are zero, except for the generator of chance, the fuel,
    and the ranges (address, number of cells) of what lasts the series, which stay as they are.
    """

    procedure: int
    start: tuple[tuple[int, tuple[int, ...]], ...]
    tracks: tuple[tuple[int, ...], ...]
    kept: tuple[tuple[int, int], ...]


@frozen(repr=False)
class TableProgram(Record):
    """Everything that a backend needs, and the names that narration and views need."""

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
    """First `definition` with all definitions, in order of their numbers; then the definitions of each kind."""
    tables: tuple[tuple[int, ...], ...]
    lists: tuple[tuple[tuple[int, ...], ...], ...]
    functions: tuple[Function, ...]
    procedures: tuple[Procedure, ...]
    segments: tuple[Segment, ...]
    sites: tuple[Site, ...]
    sources: tuple[Source, ...]
    start: tuple[tuple[int, tuple[int, ...]], ...]
    """The cards at the start: (zone, its cards in order)."""
    entry: int
    """The procedure that plays the game; it has no parameters."""
    position: tuple[tuple[int, int], ...] | None = None
    """For a game that begins from a position: cells of tracks and lists at the start, as (address, value).

    All seats know where cards are before a game; of a position they know only what they see.
    """
    bots: Bots | None = None
    next_game: NextGame | None = None
    """For a series: how each game after the first one begins."""
    origin: Origin | None = field(default=None, eq=False, repr=False)
    """The packs that it was compiled from, for journals; not part of the canonical text and the hash."""


MOMENTS = ("turn", "phase", "round")
"""The moments until whose end something can last."""

UNDER, COVERED, AS_A_BLOCK, FROM_BOTTOM, ORDERED = 1, 2, 4, 8, 16
"""Flags for how cards move; they add up.

UNDER: to the bottom of a pile (else to its end). COVERED: below others that follow before any player looks.
AS_A_BLOCK: all at once, so that none is seen on top of its source. FROM_BOTTOM: from the bottom of the source,
lowest first. ORDERED: in an order that a seat chose; two more numbers follow, that seat and the mask of the seats
that learn the order.
"""

LIST_OF = "list of "
"""How the type of a list begins in `Source.values`."""

EVENTS: dict[str, str] = {
    "moved": "zone from, zone to, how many, manner (UNDER, COVERED, AS_A_BLOCK, FROM_BOTTOM, ORDERED); with "
    "ORDERED also the seat that chose the order and the mask of the seats that learn it; cards",
    "shuffled": "zone",
    "revealed": "seats' mask, for each card the zone it was in (-1: none); cards",
    "changed": "track, index, amount",
    "answered": "seat, site, how many; cards or values",
    "reached": "the step, phase or round of the source begins; you (seat or -1), values and members as of "
    "`announced`; cards",
    "performed": "the effect of the source begins; you (seat or -1); the card that declares it",
    "covered": "the branch of the source is taken: told to nobody, for measuring what is tried",
    "announced": "the message of the source is logged; you (seat or -1), values (see `Source.values`; of cards and "
    "lists their number), the members of all lists; cards",
    "proven": "claimant, challenger, 1 if the claim was true, 0 if not: everybody learns it",
    "scored": "award number, seat, points, values as of `announced`: member of `for-each`, counted, place",
    "eliminated": "seat; if only for a while, the moment until which it is out (`MOMENTS`)",
    "ended": "mask of the winners; where results have names, also the number of the result, or -1",
    "returned": "seat: it is in the game again",
    "restarted": "the next game of a series begins, as `NextGame` says: all cards lie as before a game",
    "series-ended": "mask of the players who win the series",
}
"""Kinds of events, and the meaning of their numbers."""
