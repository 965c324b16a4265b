"""The program: a composed pack, checked and linked, for any number of seats and any options.

Code consists of the nodes of `table` and the symbolic nodes below, which name what only a table determines: the
address of a track, the number of a zone, the value of an option. `lower` replaces them all. Variables are numbered
per unit (`Unit.variables`), and nodes of `table` that bind a slot bind the variable of that number.
"""

from __future__ import annotations

from typing import Literal

from attrs import field, frozen

from rulewright.ruleset.common.diagnostic import Span
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.language.types import Type
from rulewright.ruleset.program.scenario import CardFace, ExpectedTable, Scenario
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.origin import Origin

Texts = tuple[tuple[str, str], ...]
"""Pairs of language and text, such as (("en", "Lantern"), ("es", "Farol"))."""

# ------------------------------------------------------------------ symbolic expressions

@frozen(repr=False)
class Var(t.Expr):
    variable: int


@frozen(repr=False)
class ListVar(t.List):
    variable: int


@frozen(repr=False)
class OptionOf(t.Expr):
    """The chosen value of an option: a number, a truth value, or the number of a member."""

    option: str


@frozen(repr=False)
class OptionList(t.List):
    """The definitions chosen by an option with `some`, in the pack's order."""

    option: str


@frozen(repr=False)
class ValueOf(t.Expr):
    """A declared value: a constant for a given number of seats."""

    value: str
    index: int = -1


@frozen(repr=False)
class ValueList(t.List):
    """All numbers of a declared value, for a given number of seats."""

    value: str


@frozen(repr=False)
class SeatCount(t.Expr):
    """The number of seats of the table."""


@frozen(repr=False)
class FieldOf(t.Expr):
    """A field of a card or, with `definition`, of a definition. Without such a field, `settled.missing_value`."""

    field: str
    item: t.Expr
    definition: bool


@frozen(repr=False)
class FieldListOf(t.List):
    field: str
    item: t.Expr
    definition: bool


@frozen(repr=False)
class FieldAt(t.Expr):
    """The value of a field for one member of its enumeration (`price[red]`)."""

    field: str
    item: t.Expr
    definition: bool
    of: str
    index: t.Expr


@frozen(repr=False)
class HasEffect(t.Expr):
    """Whether a card or definition declares this effect."""

    field: str
    item: t.Expr
    definition: bool


@frozen(repr=False)
class KindOf(t.Expr):
    item: t.Expr
    definition: bool


@frozen(repr=False)
class DefinitionOf(t.Expr):
    card: t.Expr


@frozen(repr=False)
class PlaceOf(t.Expr):
    """The number of the zone that contains a card."""

    card: t.Expr


@frozen(repr=False)
class HomeOf(t.Expr):
    """The number of a card's home zone or, with `definition`, of the home of a definition's cards.

    None (-1) if the component declares none; with a place `at`, this is rule error `absent`.
    """

    card: t.Expr
    definition: bool = False
    at: int = -1


@frozen(repr=False)
class ZoneAt(t.Expr):
    """The number of a zone of the game, of a seat, or of a definition (`index`)."""

    zone: str
    index: t.Expr | None


@frozen(repr=False)
class TrackAt(t.Expr):
    track: str
    indices: tuple[t.Expr, ...]


@frozen(repr=False)
class ArrivalAt(t.Expr):
    """When a track last changed, as an increasing number; 0 if it never did."""

    track: str
    indices: tuple[t.Expr, ...]


@frozen(repr=False)
class ListAt(t.List):
    """A list in the state."""

    list: str
    index: t.Expr | None


@frozen(repr=False)
class Invocation(t.Expr):
    """A call of a declared function."""

    function: str
    arguments: tuple[t.Expr | t.List, ...]
    at: int = 0


@frozen(repr=False)
class InvocationList(t.List):
    function: str
    arguments: tuple[t.Expr | t.List, ...]
    at: int = 0


@frozen(repr=False)
class Worth(t.Expr):
    """An expression field of a card or definition (`worth`), evaluated with `you` and the item itself."""

    field: str
    item: t.Expr
    you: t.Expr
    definition: bool
    span: Span
    """The place that reads it."""


@frozen(repr=False)
class MaskOf(t.Expr):
    """The mask of one seat."""

    seat: t.Expr


@frozen(repr=False)
class Everyone(t.List):
    """All seats, including eliminated ones, in table order."""


@frozen(repr=False)
class Living(t.List):
    """The seats still in the game, in table order."""


@frozen(repr=False)
class DefinitionsOf(t.List):
    kind: str


@frozen(repr=False)
class MembersOf(t.List):
    enumeration: str


@frozen(repr=False)
class Range(t.List):
    """The whole numbers from `low` to `high`, at most MOST_IN_RANGE (rule error `full`)."""

    low: t.Expr
    high: t.Expr
    slot: int
    at: int


# ------------------------------------------------------------------ symbolic statements

@frozen(repr=False)
class SetVar(t.Stmt):
    variable: int
    value: t.Expr


@frozen(repr=False)
class SetListVar(t.Stmt):
    variable: int
    items: t.List


@frozen(repr=False)
class ChangeTrack(t.Stmt):
    track: str
    indices: tuple[t.Expr, ...]
    amount: t.Expr
    at: int


@frozen(repr=False)
class AssignTrack(t.Stmt):
    track: str
    indices: tuple[t.Expr, ...]
    value: t.Expr
    at: int
    silent: bool = False
    """Whether no seat reads of it: the value of a moment that begins or is over, not a change of the game."""


@frozen(repr=False)
class AppendTo(t.Stmt):
    list: str
    index: t.Expr | None
    value: t.Expr
    at: int


@frozen(repr=False)
class RemoveFrom(t.Stmt):
    list: str
    index: t.Expr | None
    value: t.Expr


@frozen(repr=False)
class SetStateList(t.Stmt):
    list: str
    index: t.Expr | None
    items: t.List
    at: int = -1


@frozen(repr=False)
class CallVerb(t.Stmt):
    """A call of a pack's verb; the first argument is the subject."""

    verb: str
    arguments: tuple[t.Expr | t.List, ...]
    at: int


@frozen(repr=False)
class CallUnit(t.Stmt):
    """A call of a window or claim; `result` receives its result."""

    unit: str
    arguments: tuple[t.Expr | t.List, ...]
    result: int
    at: int


def cancelled_list(window: str) -> str:
    """Name the hidden list of the players that have cancelled a window."""
    return f"window/{window}"


MOMENTS = t.MOMENTS
"""What lasts until such a moment ends: modifiers that were started, and absences."""


def modifier_track(modifier: str, moment: str) -> str:
    """Name the hidden track that counts how often a modifier was started until a moment."""
    return f"modifier/{modifier}/{moment}"


def away_list(moment: str) -> str:
    """Name the hidden list of the players who are out of the game until a moment ends."""
    return f"away/{moment}"


def result_list(verb: str) -> str:
    """Name the hidden list through which the result of a verb reaches its caller."""
    return f"{t.RESULT_LISTS}{verb}"


def remembered(definition: str, name: str) -> str:
    """Name the hidden track or list of a value that the effects of a definition share.

    Views show nothing whose name begins with `sealed/`, as for the answers of simultaneous choices.
    """
    return f"{t.SEALED}remembers/{definition}.{name}"


def hook_track(hook: str) -> str:
    """Name the hidden track that counts, per player, how often a waiting hook was awaited."""
    return f"hook/{hook}"


EXTRA_TURNS, EXTRA_TURN = "turns/waiting", "turns/extra"
"""The hidden list of players whose extra turns wait; the hidden track that tells whether this turn is one."""


def field_reader(field: str, kinds: tuple[str, ...], definition: bool) -> str:
    """Name the function that reads a field of these kinds, of a card or a definition, with its modifiers.

    Its name contains a space, so it cannot clash with a function of a pack.
    """
    return f"{field} of a {' or '.join(kinds)}{'' if definition else ' card'}"


def is_field_reader(function: str) -> bool:
    """Whether a function only reads a modified field."""
    return " " in function


@frozen(repr=False)
class OpenWindow(t.Stmt):
    """Opens a window; the list `cancelled` receives the players who cancelled it.

    `before` is a list variable that saves the window's list while the window is opened recursively.
    """

    window: str
    arguments: tuple[t.Expr | t.List, ...]
    cancelled: int
    before: int
    at: int


@frozen(repr=False)
class GiveBack(t.Stmt):
    """Ends a window or claim with a value."""

    value: t.Expr


@frozen(repr=False)
class PerformField(t.Stmt):
    """The effect that a card or definition declares; nothing if it declares none.

    The first arguments are the subject, the card (or definition), and the zone of the card.
    """

    field: str
    item: t.Expr
    definition: bool
    arguments: tuple[t.Expr | t.List, ...]
    at: int


@frozen(repr=False)
class SendCardsHome(t.Stmt):
    """Each card moves to the home that its component declares; with `place`, only if it is still in that zone."""

    cards: t.List
    place: t.Expr | None
    at: int


@frozen(repr=False)
class Loop(t.Stmt):
    """Like `ForEach`, but skips members that have gone.

    `seats`: seats that have been eliminated since the loop began. `acting`: seats that are out, whether they were
    eliminated before or during the loop. `cards`: cards that have left their zone since the loop began.
    """

    variable: int
    items: t.List
    body: tuple[t.Stmt, ...]
    still: Literal["", "seats", "acting", "cards"]
    at: int


@frozen(repr=False)
class IfIn(t.Stmt):
    """The body runs if the seat is in the game.

    `began_in`: the seat was in the game when its turn was set; then it is tested only where the body can eliminate
    a player.
    """

    seat: t.Expr
    body: tuple[t.Stmt, ...]
    began_in: bool


@frozen(repr=False)
class Block(t.Stmt):
    """A block of statements; `Leave` with its label continues after it."""

    label: int
    body: tuple[t.Stmt, ...]


@frozen(repr=False)
class Leave(t.Stmt):
    label: int


@frozen(repr=False)
class Forever(t.Stmt):
    """Repeats its body until a `Leave`; charges fuel for each turn."""

    body: tuple[t.Stmt, ...]
    at: int


DECLINE, PASS = "decline", "pass"
"""Options added by the kernel: after `may` and in an optional step; and in a window."""


@frozen(repr=False)
class Branching(t.Node):
    """One entry of a menu: an option for each combination of its members that satisfies the condition."""

    key: str
    names: tuple[str, ...]
    variables: tuple[int, ...]
    members: tuple[t.List, ...]
    member_types: tuple[Type, ...]
    condition: t.Expr | None
    body: tuple[t.Stmt, ...]
    at: int
    shows: tuple[ValueShown, ...] = ()
    because: ReasonText | None = None


@frozen(repr=False)
class ValueShown(t.Node):
    """A value that a text for players shows, with its name in the text."""

    name: str
    type: Type
    value: t.Expr | t.List


@frozen(repr=False)
class ReasonText(Record):
    """The values of the text that says why something is not offered, beside those that a question shows anyway.

    `candidate` is the variable for what a choice leaves out; -1 for a menu. No code of the game reads it.
    """

    candidate: int
    shows: tuple[ValueShown, ...]


@frozen(repr=False)
class Prompt(Record):
    """A choice id and the question to the player."""

    key: str
    texts: Texts


@frozen(repr=False)
class Choose(t.Stmt):
    """A seat chooses from the pool. `result` is a list variable, or a plain variable with `single` (none: -1).

    `private`: no other seat ever reads the answer.
    """

    prompt: Prompt
    seat: t.Expr
    pool: t.List
    of: Type
    least: t.Expr
    most: t.Expr
    result: int
    single: bool
    at: int
    shows: tuple[ValueShown, ...] = ()
    private: bool = False
    because: ReasonText | None = None


@frozen(repr=False)
class ChooseTogether(t.Stmt):
    """Each of the seats chooses, sealed; then the body runs for each, in order, with its choice in `result`."""

    prompt: Prompt
    seats: t.List
    seat: int
    pool: t.List
    of: Type
    least: t.Expr
    most: t.Expr
    result: int
    single: bool
    body: tuple[t.Stmt, ...]
    at: int
    shows: tuple[ValueShown, ...] = ()
    because: ReasonText | None = None


@frozen(repr=False)
class Menu(t.Stmt):
    """A seat chooses an option, and its body runs. Without options nothing happens."""

    prompt: Prompt
    seat: t.Expr
    branches: tuple[Branching, ...]
    at: int
    shows: tuple[ValueShown, ...] = ()


@frozen(repr=False)
class MenuTogether(t.Stmt):
    """Each of the seats chooses an option, sealed; then the bodies run in order, with the seat in `seat`."""

    prompt: Prompt
    seats: t.List
    seat: int
    branches: tuple[Branching, ...]
    at: int
    shows: tuple[ValueShown, ...] = ()


@frozen(repr=False)
class Eliminate(t.Stmt):
    """A seat is eliminated: for good, or until a moment of `MOMENTS` ends."""

    seat: t.Expr
    at: int
    until: str = ""


@frozen(repr=False)
class EndGame(t.Stmt):
    """Ends the game at once. In a series, the unit of the series follows."""


@frozen(repr=False)
class NextGameStatement(t.Stmt):
    """Begins the next game of a series."""

    at: int


# ------------------------------------------------------------------ units and declarations

@frozen(repr=False)
class Variable(Record):
    """A variable of a unit: a number or, with `many`, a list. `type` is that of the number or of the members."""

    name: str
    type: Type
    many: bool


@frozen(repr=False)
class Unit(Record):
    """A body of code with its own variables; the first `parameters` of them are its parameters."""

    key: str
    parameters: int
    variables: tuple[Variable, ...]
    body: tuple[t.Stmt, ...]
    at: int


@frozen(repr=False)
class Field(Record):
    """A field of a kind; `per_copy`: copies of a definition may have different values.

    `per` is the enumeration that has one value for each member, or empty. Such a value is a tuple, as of a list.
    `derived`: no definition writes it (see `Derived`). `default`: definitions may leave it out.
    """

    key: str
    type: Type
    many: bool
    per_copy: bool
    per: str = ""
    derived: bool = False
    default: bool = False


@frozen(repr=False)
class Derived(Record):
    """A field that is worked out once, before a game begins; `variable` is the definition in its expression.

    A number is from `low` to `high`, if these are given.
    """

    field: str
    value: t.Expr | t.List
    variable: int
    low: int | None = None
    high: int = 0


@frozen(repr=False)
class EffectField(Record):
    key: str
    parameters: tuple[tuple[str, Type], ...]
    per_copy: bool
    optional: bool


@frozen(repr=False)
class Kind(Record):
    key: str
    fields: tuple[Field, ...]
    effects: tuple[EffectField, ...]
    expressions: tuple[str, ...]
    lists: tuple[str, ...]
    derived: tuple[Derived, ...] = ()


@frozen(repr=False)
class Definition(Record):
    """A definition of a kind. Field values are numbers (tuples for lists), one per copy if they differ.

    `effects` maps an effect to the keys of its units: one, or one per copy.
    """

    key: str
    kind: str
    when: t.Expr | None
    fields: tuple[tuple[str, tuple[int | tuple[int, ...], ...]], ...]
    effects: tuple[tuple[str, tuple[str, ...]], ...]
    expressions: tuple[tuple[str, str], ...]
    texts: tuple[tuple[str, Texts], ...]
    span: Span


@frozen(repr=False)
class Supply(Record):
    """The number of cards of a definition (known once the table is), their starting zone, and their home."""

    definition: str
    copies: t.Expr
    starts: str
    starts_index: bool
    home: str
    home_index: bool
    at: int
    starts_by: str = ""
    """The field of each card that selects the zone where it starts; `home_by` selects its home."""
    home_by: str = ""


@frozen(repr=False)
class Zone(Record):
    """A zone. `accepts`: kinds (empty: all); `own`: each definition's zone accepts only that definition's cards.

    With the scope `definition`, there is one for each definition of a kind (`of`), or member of an enumeration.
    """

    key: str
    scope: Literal["game", "player", "definition"]
    of: str
    order: Literal["bag", "row", "pile"]
    accepts: tuple[str, ...]
    own: bool
    seen_by: Literal["nobody", "owner", "all"]
    top_seen_by: Literal["nobody", "owner", "all"]
    size_seen_by: Literal["nobody", "owner", "all"]
    refill: str
    eager: bool


@frozen(repr=False)
class Series(Record):
    """The series of a pack: the unit `BETWEEN` decides after each game whether another one follows.

    `game` is the unit that plays one game. `own` are the tracks and lists that nothing else refers to: they mean
    nothing in a game that is not part of a series.
    """

    game: str
    own: tuple[str, ...]


BETWEEN = "series"
"""The unit that follows the end of each game of a series."""
SERIES = "series"
"""The moment of tracks and lists that keep their values from one game of a series to the next."""

OUTCOME = t.OUTCOME
"""The track of the number of the `winner` that has decided, and the enumeration of their names."""


EACH_CARD = " card"
"""The end of a scope with one for each card of a kind: `KIND card`. The kind alone has one for each definition."""


def scope_kind(scope: str) -> str:
    """Return the kind of a scope, whose cards or definitions it is about; other scopes are returned unchanged."""
    return scope.removesuffix(EACH_CARD)


@frozen(repr=False)
class Track(Record):
    """A track. `scope` lists its indices: `player`, an enumeration, a kind, `KIND card`. `of` is its values' type.

    `can_be_none`: it may hold none. A track of an enumeration can if its start says so. `lasts` is the moment with
    which it starts over: one of `MOMENTS`, `own-turn`, a verb, `verb/NAME`, or `SERIES`.
    """

    key: str
    scope: tuple[str, ...]
    of: Type
    low: int
    high: int
    clamps: bool
    start: t.Expr
    seen_by: Literal["nobody", "owner", "all"]
    changes_seen_by: Literal["nobody", "owner", "all"]
    arrival: bool
    can_be_none: bool = False
    lasts: str = ""


@frozen(repr=False)
class StateList(Record):
    """A list of the state. `at_most` is its capacity if the pack says one; `lasts` as of a track."""

    key: str
    scope: str
    of: Type
    repeats: bool = False
    at_most: int | None = None
    lasts: str = ""


@frozen(repr=False)
class DeclaredOption(Record):
    """An option. `of` is the enumeration of its members: one of the pack's, or one with the option's own name.

    With `some`, `of` is a kind, and either no or `high` definitions of it are chosen; the value has a bit for each
    definition of the program. Only those in `among` can be chosen (None: all). `where` is the condition for this,
    as written in the pack.
    """

    key: str
    of: str
    members: tuple[str, ...]
    low: int
    high: int
    default: int
    some: bool = False
    where: str = ""
    among: tuple[str, ...] | None = None


@frozen(repr=False)
class SeatNumbers(Record):
    """A number or a list of numbers for each number of seats; `default` for the others."""

    key: str
    by_players: tuple[tuple[int, tuple[int, ...]], ...]
    default: tuple[int, ...]

    @property
    def several(self) -> bool:
        """Whether it has several numbers, at least for some numbers of seats: then it is a list."""
        return any(len(numbers) > 1 for numbers in (self.default, *(numbers for _, numbers in self.by_players)))


@frozen(repr=False)
class EnumerationDeclared(Record):
    key: str
    members: tuple[str, ...]


@frozen(repr=False)
class DeclaredFunction(Record):
    """A declared function. `unit` ends in `Give`; `many` means that the result is a list.

    `because` are the values of the text that says why the function does not hold; None without such a text.
    """

    unit: Unit
    many: bool
    because: tuple[ValueShown, ...] | None = None


@frozen(repr=False)
class Operand(Record):
    """A value that a condition compares, and its type; of a zone, the number of the zone."""

    node: t.Expr | t.List
    type: Type


@frozen(repr=False)
class Clause(Record):
    """One of the parts of a condition that must all hold.

    `op` is a comparison (`<`, `is not`, `has`, `in`, `empty`, `not empty`, …), `yes` or `no` for a truth value,
    `otherwise` for an option of last resort, or empty for anything else. The last two have no operands.
    """

    node: t.Expr
    op: str
    operands: tuple[Operand, ...]


@frozen(repr=False)
class Condition(Record):
    """A condition written in the pack. `node` is the same object as in the code, not a copy."""

    node: t.Expr
    span: Span
    clauses: tuple[Clause, ...]


@frozen(repr=False)
class Reference(Record):
    """A word of the pack that names one of its declarations (`zone/hand`, `field/KIND.NAME`), with its place."""

    what: str
    span: Span


@frozen(repr=False)
class LayoutItem(Record):
    """Something that a layout shows: a zone, track, or list, and the form of a zone.

    For a zone per definition, `of` is the list of the definitions whose zones are shown, and `field` is shown
    beside their names; both may be empty. `shown` is for functions, and empty for all else: without a parameter
    (`game`), or one value for each player, which all players see (`all`) or only this player (`owner`).
    `boolean`: a truth value.
    """

    key: str
    form: Literal["", "cards", "line", "places", "top", "count"]
    of: str = ""
    field: str = ""
    shown: Literal["", "game", "all", "owner"] = ""
    boolean: bool = False


@frozen(repr=False)
class ShownGroup(Record):
    """Things that are shown together, in this order, with a heading if the group has a name."""

    texts: Texts
    placed: tuple[LayoutItem, ...]


@frozen(repr=False)
class BotScore(Record):
    """How good the options of a choice are or, with a `branch`, those of one option of a menu.

    The parameters of the unit are the seat and the members of an option, by name; outside menus `it`.
    """

    choice: str
    branch: str
    unit: str


@frozen(repr=False)
class BotRule(Record):
    """A bot's answer to the choices that match a pattern: patterns of options, the best first; or their scores.

    If no pattern matches an option, or none scores above 0, the bot chooses at random (`any`), chooses as little as
    possible (`none`), or uses its next answer. `condition` is the unit that says whether the answer applies (its
    parameter is the seat), or empty.
    """

    choice: str
    prefer: tuple[str, ...]
    otherwise: Literal["", "any", "none"]
    condition: str
    scores: tuple[BotScore, ...] | None = None


@frozen(repr=False)
class Bot(Record):
    """A player that chooses by preferences and scores.

    For a choice, the first answer applies whose condition holds and that prefers one of the options, or scores one
    above 0.
    """

    key: str
    answers: tuple[BotRule, ...]
    span: Span


@frozen(repr=False)
class TableLayout(Record):
    """How the table is shown to players. Things that are neither in a group nor in `hidden` come last.

    The log omits changes of things in `hidden` or `untold`, and moves into zones in `untold`.
    """

    groups: tuple[ShownGroup, ...]
    hidden: tuple[str, ...]
    untold: tuple[str, ...] = ()


@frozen(repr=False)
class Program(Record):
    """All of a pack, by key. `units` are verbs and effects; `main` plays a game from set-up to end."""

    pack: str
    version: str
    least_players: int
    most_players: int
    languages: tuple[str, ...]
    options: tuple[DeclaredOption, ...]
    values: tuple[SeatNumbers, ...]
    enumerations: tuple[EnumerationDeclared, ...]
    kinds: tuple[Kind, ...]
    definitions: tuple[Definition, ...]
    supplies: tuple[Supply, ...]
    zones: tuple[Zone, ...]
    tracks: tuple[Track, ...]
    lists: tuple[StateList, ...]
    functions: tuple[DeclaredFunction, ...]
    units: tuple[Unit, ...]
    main: Unit
    sources: tuple[t.Source, ...]
    texts: tuple[tuple[str, Texts], ...] = field(factory=tuple)
    """Printed names and texts by key: `zone/hand`, `charm/bell`, `colour/red`, `step/evening.buy`."""
    table_layout: TableLayout | None = None
    """The pack's layout of the table; does not affect play."""
    faces: tuple[CardFace, ...] = ()
    """What the cards of kinds look like; does not affect play."""
    expected: tuple[ExpectedTable, ...] = ()
    """What games between bots are expected to be like; does not affect play."""
    references: tuple[Reference, ...] = ()
    """The names used in sentences and expressions, in the order of checking; does not affect play."""
    conditions: tuple[Condition, ...] = ()
    """Conditions of filters and options (`ruleset.check.context`); does not affect play."""
    scenarios: tuple[Scenario, ...] = ()
    """The pack's scenarios, if they were read; their conditions are units that the game never calls."""
    points: tuple[tuple[int, str], ...] = ()
    """Branches that emit an event `covered` when taken: the number of the source, and a description."""
    bots: tuple[Bot, ...] = ()
    """The pack's bots; their conditions are units that the game never calls. Does not affect play."""
    series: Series | None = None
    """The series of the pack."""
    in_series: bool = False
    """Whether the whole series is played, and not a single game (`ruleset.program.traversal`)."""
    origin: Origin | None = field(default=None, eq=False, repr=False)
    """The packs that it was compiled from, for journals."""
