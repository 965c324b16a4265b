"""The program: one composed pack, checked and linked, for every number of seats and every choice of options.

Code is written with the nodes of `table` plus the symbolic nodes below, which name what only a table fixes: the
address of a track, the number of a zone, the value of an option. `lower` replaces them all. Variables are numbered
per unit (`Unit.variables`), and nodes of `table` that bind a slot bind the variable of that number.
"""

from __future__ import annotations

from typing import Literal

from attrs import field, frozen

from ruleset.common.record import Record
from ruleset.common.span import Span
from ruleset.language.types import Type
from ruleset.program.scenario import Scenario
from ruleset.table import nodes as t

Texts = tuple[tuple[str, str], ...]
"""Language and text, such as (("en", "Lantern"), ("es", "Farol"))."""

# ------------------------------------------------------------------ symbolic expressions


@frozen(repr=False)
class Var(t.Expr):
    variable: int


@frozen(repr=False)
class ListVar(t.List):
    variable: int


@frozen(repr=False)
class OptionOf(t.Expr):
    """The chosen value of an option: a number, a truth value or the number of a member."""

    option: str


@frozen(repr=False)
class OptionList(t.List):
    """The definitions that an option with `some` has chosen, in the order of the pack."""

    option: str


@frozen(repr=False)
class ValueOf(t.Expr):
    """A declared value: a constant at a given number of seats."""

    value: str
    index: int = -1


@frozen(repr=False)
class SeatCount(t.Expr):
    """How many seats the table has."""


@frozen(repr=False)
class FieldOf(t.Expr):
    """A field of a card or, when `definition`, of a definition. None where it has no such field."""

    field: str
    item: t.Expr
    definition: bool


@frozen(repr=False)
class FieldListOf(t.List):
    field: str
    item: t.Expr
    definition: bool


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
    """The number of the zone that a card is in."""

    card: t.Expr


@frozen(repr=False)
class HomeOf(t.Expr):
    """The number of the zone that a card goes home to, or a definition's cards when `definition`. None (-1) where
    its component says none; with a place `at` that is rule error `absent`."""

    card: t.Expr
    definition: bool = False
    at: int = -1


@frozen(repr=False)
class ZoneAt(t.Expr):
    """The number of a zone: of the game, of a seat, or of a definition (`index`)."""

    zone: str
    index: t.Expr | None


@frozen(repr=False)
class TrackAt(t.Expr):
    track: str
    indices: tuple[t.Expr, ...]


@frozen(repr=False)
class ArrivalAt(t.Expr):
    """When a track last moved, as an ever-growing number; 0 before it ever did."""

    track: str
    indices: tuple[t.Expr, ...]


@frozen(repr=False)
class ListAt(t.List):
    """A list of the state."""

    list: str
    index: t.Expr | None


@frozen(repr=False)
class Invocation(t.Expr):
    """A declared function."""

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
    """An expression field of a card or definition (`worth`), evaluated with `you` and the card itself."""

    field: str
    item: t.Expr
    you: t.Expr
    definition: bool
    span: Span
    """Where it is read."""


@frozen(repr=False)
class MaskOf(t.Expr):
    """The mask of one seat."""

    seat: t.Expr


@frozen(repr=False)
class Everyone(t.List):
    """All seats, whether or not still in the game, in the order of the table."""


@frozen(repr=False)
class Living(t.List):
    """The seats still in the game, in the order of the table."""


@frozen(repr=False)
class DefinitionsOf(t.List):
    kind: str


@frozen(repr=False)
class MembersOf(t.List):
    enumeration: str


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


@frozen(repr=False)
class CallVerb(t.Stmt):
    """A pack's verb; the arguments begin with the subject."""

    verb: str
    arguments: tuple[t.Expr | t.List, ...]
    at: int


@frozen(repr=False)
class CallUnit(t.Stmt):
    """A window or claim; `result` receives what it gives back."""

    unit: str
    arguments: tuple[t.Expr | t.List, ...]
    result: int
    at: int


def cancelled_list(window: str) -> str:
    """The hidden list of those who have cancelled a window."""
    return f"window/{window}"


MOMENTS = ("turn", "phase", "round")
"""Until the end of what a modifier can be active."""


def modifier_track(modifier: str, moment: str) -> str:
    """The hidden track that counts how often a modifier was started until a moment."""
    return f"modifier/{modifier}/{moment}"


def hook_track(hook: str) -> str:
    """The hidden track that counts how often each player has awaited a hook that waits."""
    return f"hook/{hook}"


def field_reader(field: str, kinds: tuple[str, ...], definition: bool) -> str:
    """The function by which a field that modifiers change for these kinds is read, of a card or of a definition. No
    function of a pack has such a name."""
    return f"{field} of a {' or '.join(kinds)}{'' if definition else ' card'}"


def is_field_reader(function: str) -> bool:
    """Whether a function only reads a field that modifiers change."""
    return " " in function


@frozen(repr=False)
class OpenWindow(t.Stmt):
    """Opens a window; the list `cancelled` becomes those who cancelled it. `before` is a list for what the window's
    list holds while the window is opened within itself.
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
    """The effect that a card or definition declares; nothing where it declares none.

    Arguments begin with the subject, the card (or definition) and the place of the card.
    """

    field: str
    item: t.Expr
    definition: bool
    arguments: tuple[t.Expr | t.List, ...]
    at: int


@frozen(repr=False)
class SendHome(t.Stmt):
    """Each card goes where its component says; with `place`, only if it is still in that zone."""

    cards: t.List
    place: t.Expr | None
    at: int


@frozen(repr=False)
class Loop(t.Stmt):
    """Like `ForEach`, but each member is skipped that is no longer there: a seat that has left the game (`seats`),
    a card that has left the zone it was in when the loop began (`cards`)."""

    variable: int
    items: t.List
    body: tuple[t.Stmt, ...]
    still: Literal["", "seats", "cards"]
    at: int


@frozen(repr=False)
class Block(t.Stmt):
    """`Leave` with this label goes on behind it."""

    label: int
    body: tuple[t.Stmt, ...]


@frozen(repr=False)
class Leave(t.Stmt):
    label: int


@frozen(repr=False)
class Forever(t.Stmt):
    """Runs its body until a `Leave`; charges fuel each time."""

    body: tuple[t.Stmt, ...]
    at: int


DECLINE, PASS = "decline", "pass"
"""Options that the kernel adds: after `may` and in an optional step, and in a window."""


@frozen(repr=False)
class Branching(Record):
    """One entry of a menu: for each combination of its members that satisfies the condition, an option."""

    key: str
    names: tuple[str, ...]
    variables: tuple[int, ...]
    members: tuple[t.List, ...]
    member_types: tuple[Type, ...]
    condition: t.Expr | None
    body: tuple[t.Stmt, ...]
    at: int


@frozen(repr=False)
class Prompt(Record):
    """A choice id and what the player is asked."""

    key: str
    texts: Texts


@frozen(repr=False)
class Choose(t.Stmt):
    """A seat chooses some of the pool. `result` is a list variable, or a variable when `single` (none: -1)."""

    prompt: Prompt
    seat: t.Expr
    pool: t.List
    of: Type
    least: t.Expr
    most: t.Expr
    result: int
    single: bool
    at: int


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


@frozen(repr=False)
class Menu(t.Stmt):
    """A seat chooses one option; its body runs. Without any option nothing happens."""

    prompt: Prompt
    seat: t.Expr
    branches: tuple[Branching, ...]
    at: int


@frozen(repr=False)
class MenuTogether(t.Stmt):
    """Each of the seats chooses one option, sealed; then the bodies run in order, with the seat in `seat`."""

    prompt: Prompt
    seats: t.List
    seat: int
    branches: tuple[Branching, ...]
    at: int


@frozen(repr=False)
class Eliminate(t.Stmt):
    """A seat leaves the game."""

    seat: t.Expr
    at: int


@frozen(repr=False)
class EndGame(t.Stmt):
    """The game is over at once."""


# ------------------------------------------------------------------ units and declarations


@frozen(repr=False)
class Variable(Record):
    """A variable of a unit: a number or, with `many`, a list. `type` is what it holds (of a list, its members)."""

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
    """A field of a kind; `low` and `high` bound a number."""

    key: str
    type: Type
    many: bool
    per_copy: bool


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


@frozen(repr=False)
class Definition(Record):
    """One thing of a kind. Field values are numbers (a list's are tuples), one behind the other for each copy.

    `effects` maps an effect to its units' keys: one, or one per copy. `made` says that a component made it.
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
    """How many cards of a definition there are (only the table fixes that), where they start, their home."""

    definition: str
    copies: t.Expr
    starts: str
    starts_index: bool
    home: str
    home_index: bool
    at: int


@frozen(repr=False)
class Zone(Record):
    """`accepts`: kinds, none for all; `own`: the zone of a definition accepts that definition's cards alone."""

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
class Track(Record):
    """`scope` lists what indexes it: `player`, an enumeration, a kind. `of` is the type of its values."""

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


@frozen(repr=False)
class StateList(Record):
    key: str
    scope: str
    of: Type


@frozen(repr=False)
class Option(Record):
    """`of` is the enumeration that holds the members: one of the pack's, or one with the option's own name.

    With `some` it is a kind, and none or `high` of its definitions are chosen; the value has a bit for each of the
    program's definitions. Only those in `among` can be chosen; of None all can. `where` is the condition that says
    so, as the pack writes it.
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
class Value(Record):
    """A number, or a list of numbers, by the number of seats; `default` for the rest."""

    key: str
    by_players: tuple[tuple[int, tuple[int, ...]], ...]
    default: tuple[int, ...]


@frozen(repr=False)
class Enumeration(Record):
    key: str
    members: tuple[str, ...]


@frozen(repr=False)
class Function(Record):
    """`unit` ends in `Give`; `many` says that it gives a list."""

    unit: Unit
    many: bool


@frozen(repr=False)
class ConditionPart(Record):
    """A part of a condition: where it is written, its value, and what that is of."""

    span: Span
    node: t.Expr | t.List
    type: Type


@frozen(repr=False)
class Condition(Record):
    """A condition that the pack wrote. `node` is the very expression that stands in the code, not a copy."""

    node: t.Expr
    span: Span
    parts: tuple[ConditionPart, ...]


@frozen(repr=False)
class Reference(Record):
    """A word of the pack's that names something it declares: what (`zone/hand`, `field/KIND.NAME`), and where."""

    what: str
    span: Span


@frozen(repr=False)
class Placed(Record):
    """Something that a layout shows: a zone, track or list, and for a zone the form in which it is told.

    Of a zone that each definition has: `of` is the list that names the definitions whose zones are shown, `field`
    what stands beside their names; both may be empty.
    """

    key: str
    form: Literal["", "cards", "places", "top", "count"]
    of: str = ""
    field: str = ""


@frozen(repr=False)
class LayoutGroup(Record):
    """Things that are shown together, in this order, under a heading if the group has a name."""

    texts: Texts
    placed: tuple[Placed, ...]


@frozen(repr=False)
class BotAnswer(Record):
    """What a bot answers to the choices that a pattern means: patterns of options, the best first.

    Where none of them is offered it chooses at random (`any`), takes as little as it may (`none`), or looks at its
    next answer. `condition` is the unit that says whether this counts (its parameter is the seat), or nothing.
    """

    choice: str
    prefer: tuple[str, ...]
    otherwise: Literal["", "any", "none"]
    condition: str


@frozen(repr=False)
class Bot(Record):
    """A player that chooses by preferences. Of the answers for a choice the first counts whose condition holds and
    that prefers something that is offered."""

    key: str
    answers: tuple[BotAnswer, ...]
    span: Span


@frozen(repr=False)
class TableLayout(Record):
    """How players are shown the table. What no group lists and `hidden` does not name comes last.

    The log leaves out changes of what is hidden or untold, and moves into untold zones.
    """

    groups: tuple[LayoutGroup, ...]
    hidden: tuple[str, ...]
    untold: tuple[str, ...] = ()


@frozen(repr=False)
class Program(Record):
    """All of a pack, by key. `units` holds verbs and effects; `main` plays a game from the set-up to its end."""

    pack: str
    version: str
    least_players: int
    most_players: int
    languages: tuple[str, ...]
    options: tuple[Option, ...]
    values: tuple[Value, ...]
    enumerations: tuple[Enumeration, ...]
    kinds: tuple[Kind, ...]
    definitions: tuple[Definition, ...]
    supplies: tuple[Supply, ...]
    zones: tuple[Zone, ...]
    tracks: tuple[Track, ...]
    lists: tuple[StateList, ...]
    functions: tuple[Function, ...]
    units: tuple[Unit, ...]
    main: Unit
    sources: tuple[t.Source, ...]
    texts: tuple[tuple[str, Texts], ...] = field(factory=tuple)
    """Printed names and texts by what they name: `zone/hand`, `charm/bell`, `colour/red`, `step/evening.buy`."""
    table_layout: TableLayout | None = None
    """How the pack wants its table shown; no part of what is played."""
    references: tuple[Reference, ...] = ()
    """What sentences and expressions name, in the order in which they were checked; no part of what is played."""
    conditions: tuple[Condition, ...] = ()
    """Conditions of filters and options with their places (`ruleset.check.condition_trace`); no part of what is
    played."""
    scenarios: tuple[Scenario, ...] = ()
    """The scenarios of the pack, if they were read; their conditions are units that nothing calls."""
    points: tuple[tuple[int, str], ...] = ()
    """Branches that tell by an event `covered` that they are taken: the number of the source, and what it is."""
    bots: tuple[Bot, ...] = ()
    """Players that the pack brings; their conditions are units that nothing calls. No part of what is played."""
