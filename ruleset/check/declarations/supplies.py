"""Components -> supplies: number and starting zone of the cards of each definition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import evolve, frozen

from rulewright.ruleset.check.declarations.derived_fields import PrintedConditions
from rulewright.ruleset.check.expressions.checker import ExpressionChecker, settled
from rulewright.ruleset.check.hints import meant
from rulewright.ruleset.check.scope import Scope, UnitDraft
from rulewright.ruleset.check.statements.durations import first_value
from rulewright.ruleset.common.diagnostic import Diagnostic, Label, Span
from rulewright.ruleset.common.limits import HIGHEST, LOWEST, TRACK_BOUND, too_large
from rulewright.ruleset.common.nearest import listed, players_between
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.declare.declarations import Declared, DefinitionDeclared
from rulewright.ruleset.documents.rules import Hook, Modifier
from rulewright.ruleset.documents.sections import ComponentEntry, CopiesEntry
from rulewright.ruleset.language.types import BOOLEAN, NUMBER, PLAYER
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.settled import Constants
from rulewright.ruleset.source.nodes import ScalarNode, SequenceNode
from rulewright.ruleset.table import nodes as t


@frozen(repr=False)
class _Place(Record):
    """A zone. `own`: that of the card's definition; `by`: the field that selects one."""

    zone: str = ""
    own: bool = False
    by: str = ""


class SupplyChecker:
    """Checks components."""

    def __init__(self, expressions: ExpressionChecker, definitions_of: dict[str, list[DefinitionDeclared]]) -> None:
        self.context = expressions.context
        self.declared = expressions.context.declared
        self.expressions = expressions
        self.definitions_of = definitions_of

    def supplies(self) -> tuple[p.Supply, ...]:
        """Return all supplies, in the order of the components."""
        return tuple(s for one in self.declared.all_of(ComponentEntry).values() for s in self._component(one))

    def _component(self, component: ComponentEntry) -> list[p.Supply]:
        d, kind_node = self.declared, component.kind
        assert kind_node is not None
        if kind_node.text not in d.kinds:
            if kind_node.text not in self.context.poisoned:
                hint = meant(kind_node.text, d.kinds, "kinds")
                self.context.report("RW309", kind_node.span, f"there is no kind `{kind_node.text}`", hint)
            return []
        supplies = []
        of_kind = self.definitions_of.get(kind_node.text, [])
        supplied = [one for one in of_kind if not one.made or one.made_by(component)]
        self._without_effect(component, kind_node, of_kind, supplied)
        general = [self._component_zone(zone, kind_node.text) for zone in (component.starts, component.home)]
        unplaced: list[DefinitionDeclared] = []
        for definition in supplied:
            says = definition.says
            copies = self._copies(says.copies if says.copies is not None else component.copies, definition)
            own = (says.starts, says.home) if not definition.made_by(component) else (None, None)
            places = [
                self._component_zone(zone, kind_node.text) if zone is not None else place
                for zone, place in zip(own, general, strict=True)
            ]
            if own[0] is None and component.starts is None and copies != t.Const(0):
                unplaced.append(definition)
            self._per_copy(definition, copies)
            at = self.context.source(f"component/{component.key}", component.span)
            starts, home = places
            supplies.append(
                p.Supply(
                    definition.key, copies, starts.zone, starts.own, home.zone, home.own, at, starts.by, home.by
                )
            )
        if unplaced:
            self._unplaced(component, unplaced, supplied)
        return supplies

    def _unplaced(
        self, component: ComponentEntry, unplaced: list[DefinitionDeclared], supplied: list[DefinitionDeclared]
    ) -> None:
        """Report cards without a starting zone."""
        if any(one.says.starts is not None for one in supplied):
            for one in unplaced:
                message = f"neither `{one.key}` nor its component `{component.key}` says where its cards start"
                label = Label(component.span, "the component")
                self.context.report("RW328", one.span, message, "add `starts: ZONE`", label)
            return
        message = f"`{component.key}` does not say where its cards start"
        self.context.report("RW328", component.span, message, "add `starts: ZONE`")

    def _without_effect(
        self,
        component: ComponentEntry,
        kind: ScalarNode,
        of_kind: list[DefinitionDeclared],
        supplied: list[DefinitionDeclared],
    ) -> None:
        """Report components, and parts of them, that have no effect."""
        if self.declared.kinds[kind.text].abstract:
            message = f"a `{kind.text}` is not a card, so `{component.key}` makes no cards"
            label = Label(self.declared.kinds[kind.text].span, "declared with `cards: false`")
            self.context.report("RW337", kind.span, message, "name a kind of cards, or remove the component", label)
        elif of_kind and not supplied and not component.each:
            message = f"`{component.key}` makes no cards: each `{kind.text}` is made by another component"
            self.context.report("RW337", component.span, message, "add `each: …`, or write the cards as documents")
        shows = component.names_cards
        named = all(not one.made_by(component) and (not shows or one.says.name is not None) for one in supplied)
        if component.name is not None and supplied and named:
            message = f"no card uses this name, because each `{kind.text}` has its own document"
            hint = "write a `name` in these documents instead"
            if shows:
                message = f"no card uses this name, because each `{kind.text}` has a name of its own"
                hint = "remove it, or remove the names that are made like it"
            self.context.report("RW336", component.place("name"), message, hint)
        copies = component.copies
        own = all(not one.made_by(component) and one.says.copies is not None for one in supplied)
        if isinstance(copies, ScalarNode) and own:
            settled(self.expressions, copies, NUMBER, Scope(UnitDraft("components")))

    def _per_copy(self, definition: DefinitionDeclared, copies: t.Expr) -> None:
        """Check that values and effects per copy are as many as the copies."""
        kind = self.declared.kinds[definition.kind]
        apart = [field.key for field in kind.fields.values() if field.per_copy]
        apart += [effect.key for effect in kind.effects.values() if effect.per_copy]
        for name in apart if not definition.made else ():
            node = definition.body.get(name) or kind.defaults.get(name)
            if (
                not isinstance(node, SequenceNode)
                or not isinstance(copies, t.Const)
                or len(node.items) == copies.value
            ):
                continue
            message = f"`{name}` has {len(node.items)} entries, but there are {copies.value} copies"
            self.context.report("RW322", node.span, message, "write one entry for each copy")

    def _component_zone(self, node: ScalarNode | None, kind: str) -> _Place:
        """Return the zone that `starts` or `home` names: `ZONE`, or `ZONE[FIELD]`."""
        if node is None:
            return _Place()
        name, bracket, by = node.text.removesuffix("]").partition("[")
        zone = self.declared.zones.get(name)
        if zone is None:
            if name not in self.context.poisoned:
                hint = meant(name, self.declared.zones, "zones")
                self.context.report("RW309", node.span, f"there is no zone `{name}`", hint)
            return _Place()
        if zone[1].scope == "player":
            message = f"each player has a `{name}`, but cards start and have their home in a zone of the game"
            self.context.report("RW319", node.span, message, "deal them to players in a set-up")
            return _Place()
        if zone[1].accepts and kind not in zone[1].accepts:
            message = f"`{name}` accepts only {listed(zone[1].accepts)}, but these cards are of kind `{kind}`"
            hint = f"name another zone, or add `{kind}` to its `accepts`"
            self.context.report("RW321", node.span, message, hint, Label(zone[0], "the zone is declared here"))
        if bracket:
            return _Place(name, False, by) if self._selects(node, zone[1], kind, by) else _Place()
        if zone[1].scope == "definition" and zone[1].of != kind:
            fields = self._selecting(zone[1], kind)
            hint = f'write `"{name}[{fields[0]}]"`' if fields else f"give `{kind}` a field of type `{zone[1].of}`"
            self.context.report("RW436", node.span, f"there is one `{name}` for each `{zone[1].of}`", hint)
            return _Place()
        return _Place(name, zone[1].scope == "definition")

    def _selecting(self, zone: p.Zone, kind: str) -> list[str]:
        """Return the fields of a kind whose value selects one of the zones."""
        return [
            name
            for name, field in self.declared.kinds[kind].fields.items()
            if field.type.of == zone.of and field.type.name in ("enumeration", "definition")
            and not field.many and not field.per
        ]  # fmt: skip

    def _selects(self, node: ScalarNode, zone: p.Zone, kind: str, by: str) -> bool:
        """Whether a field can select one of the zones; otherwise report it."""
        if zone.scope == "game":
            message = f"there is only one `{zone.key}`, which takes no index"
            self.context.report("RW436", node.span, message, f"write `{zone.key}`")
            return False
        fields = self._selecting(zone, kind)
        if by in fields or by in self.context.poisoned:
            return by in fields
        hint = f'write `"{zone.key}[{fields[0]}]"`' if fields else f"give `{kind}` a field of type `{zone.of}`"
        message = f"`{by}` is not a field of `{kind}` with one {zone.of}"
        self.context.report("RW311", node.span, message, hint)
        return False

    def _copies(self, node: ScalarNode | CopiesEntry | None, definition: DefinitionDeclared) -> t.Expr:
        if node is None:
            return t.Const(1)
        if isinstance(node, ScalarNode):
            return settled(self.expressions, node, NUMBER, Scope(UnitDraft("components"))) or t.Const(0)
        by = node.by
        if by is None:
            return t.Const(1)
        if by.text not in dict(definition.made):
            fields = [name for name, _ in definition.made]
            message = f"`{by.text}` is not in the `each` of this component"
            self.context.report("RW311", by.span, message, meant(by.text, fields, "fields"))
        for entry in node.node.entries:
            large = too_large(entry.key.text)
            if large is not None:
                self.context.report("RW413", entry.key.span, large)
        number = dict(definition.made).get(by.text, 0)
        found = node.for_number(number)
        if found is None and by.text in dict(definition.made):
            message = f"`copies` has no number for `{by.text}` {number}"
            self.context.report("RW202", by.span, message, f"add `{number}: …`, which can be 0")
        return t.Const(found.value) if found is not None and isinstance(found.value, int) else t.Const(0)


# ---- Options with `some-of`: find the definitions that can be chosen

def check_options(
    expressions: ExpressionChecker, definitions: Sequence[p.Definition], kinds: Sequence[p.Kind]
) -> None:
    """Record in `Context.options` the possible choices of each option; all, if its condition is wrong."""
    conditions = PrintedConditions(expressions, definitions, kinds, "options", "chosen")
    counted = (
        not expressions.context.found and not expressions.context.poisoned
    )  # otherwise another mistake may hide some
    for key, (span, option) in expressions.context.declared.options.items():
        if not option.some:
            continue
        fitting = conditions.fitting(option.of, expressions.context.declared.choosable.get(key))
        among = tuple(one.key for one in definitions if one.kind == option.of) if fitting is None else fitting
        if len(among) < option.high and counted:
            says = f" where `{option.where}`" if option.where else ""
            there = "there is only 1" if len(among) == 1 else f"there are only {len(among)}"
            message = f"`{key}` chooses {option.high} of kind `{option.of}`{says}, but {there}"
            hint = "lower `count`, or change `where`" if says else "lower `count`"
            expressions.context.report("RW380", span, message, hint)
        if fitting is not None:
            expressions.context.options[key] = evolve(option, among=among)


# ------------------------------------------------------------------ Check that tracks start within their bounds
#
# All backends rely on it: generated code compares a changed value only with the bound that the change moves
# towards.

@frozen(repr=False)
class _Declared(Record):
    """The declarations that a track's start can depend on; definitions are not among them."""

    values: tuple[p.SeatNumbers, ...]
    definitions: tuple[p.Definition, ...] = ()
    kinds: tuple[p.Kind, ...] = ()
    enumerations: tuple[p.EnumerationDeclared, ...] = ()


@frozen(repr=False)
class Starts(Record):
    """The starts of a pack's tracks, for each number of players (least, most) and the default of every option.

    For other options, `ruleset.lower.lowering` finds a start out of bounds when the table is made.
    """

    values: tuple[p.SeatNumbers, ...]
    players: tuple[int, int]
    options: Mapping[str, p.DeclaredOption]
    enumerations: Mapping[str, tuple[str, ...]]

    def fault(self, track: p.Track, key: Span, given: ScalarNode | None) -> Diagnostic | None:
        """Return the finding about a track, or None. `key` is the place of its name, `given` its `starts`."""
        if track.low > track.high:
            message = f"`{track.key}` can hold no number: none is at least {track.low} and at most {track.high}"
            return Diagnostic("RW212", key, message, "declare both bounds, the smaller one as `at-least`")
        starts = self._starts(track)
        wrong = [seats for seats, value in starts.items() if not track.low <= value <= track.high]
        if not wrong:
            return None
        value = starts[wrong[0]]
        when = "" if len(set(starts.values())) == 1 else f" with {players_between(wrong[0], wrong[0])}"
        default = "" if given is not None else ", because it has no `starts`"
        shown = self._shown(value, track)
        message = f"`{track.key}` starts at {shown}{when}{default}; expected {_within(track)}"
        return Diagnostic("RW212", key if given is None else given.span, message, _advice(track, value, given))

    def _starts(self, track: p.Track) -> dict[int, int]:
        """Return the start for each number of players."""
        options = {key: option.default for key, option in self.options.items()}
        declared = _Declared(values=self.values)
        seats = range(self.players[0], self.players[1] + 1)
        return {count: Constants(declared, count, options).number(track.start) for count in seats}

    def _shown(self, value: int, track: p.Track) -> str:
        """Format a start as the pack writes it. Words are followed by their numbers, to which bounds apply."""
        of, members = track.of, self.enumerations.get(track.of.of, ())
        if of == NUMBER:
            return str(value)
        if of.name == "boolean":
            return f"`{'true' if value else 'false'}` ({value})"
        if of.name == "enumeration" and 0 <= value < len(members):
            return f"`{members[value]}` ({value})"
        return f"`none` ({value})" if value < 0 else str(value)


def _within(track: p.Track) -> str:
    """Describe the range of a track, leaving out bounds that the pack does not declare."""
    if track.high == TRACK_BOUND and track.low != -TRACK_BOUND:
        return f"{track.low} or more"
    if track.low == -TRACK_BOUND and track.high != TRACK_BOUND:
        return f"{track.high} or less"
    return f"{track.low} to {track.high}"


def _advice(track: p.Track, value: int, given: ScalarNode | None) -> str:
    low = value < track.low
    bound, word = (track.low, "at-least") if low else (track.high, "at-most")
    if track.of != NUMBER:
        return f"bounds are for numbers: remove `{word}`"
    if abs(bound) == TRACK_BOUND:
        return f"write `{word}: {value}`: without `{word}` the bound is {bound}"
    start = f"write `starts: {bound}`" if given is None else f"start it at {bound}"
    return f"{start}, or {'lower' if low else 'raise'} `{word}`"


_SEAT = ("player",)
KERNEL_TRACKS = (
    p.Track("score", _SEAT, NUMBER, LOWEST, HIGHEST, False, t.Const(0), "all", "all", False),
    p.Track("in-game", _SEAT, BOOLEAN, 0, 1, False, t.Const(1), "all", "nobody", False),
    p.Track("winner", _SEAT, BOOLEAN, 0, 1, False, t.Const(0), "all", "nobody", False),
)
"""Tracks that every game has: points, whether a player is in the game, and whether a player has won."""

LIVING = p.StateList("living", "game", PLAYER)
"""The state list of seats still in the game."""


def tracks_of(expressions: ExpressionChecker) -> tuple[p.Track, ...]:
    """Return the tracks that the pack declares, and report invalid starts."""
    d, tracks = expressions.context.declared, []
    starts = Starts(
        tuple(value for _, value in d.values.values()),
        d.players,
        expressions.context.options,
        {key: members for key, (_, members) in d.enumerations.items()},
    )
    for span, track, start in d.tracks.values():
        default = -1 if track.of.name in ("player", "card", "definition") else 0
        of = None if track.can_be_none and start is not None and start.text == "none" else track.of
        known = (
            first_value(expressions.context, track, start, None)
            if track.lasts not in ("", p.SERIES)
            else settled(expressions, start, of, Scope(UnitDraft(track.key)))
        )
        node = known if known is not None else t.Const(default)
        tracks.append(evolve(track, start=node))
        fault = starts.fault(tracks[-1], span, start) if start is None or known is not None else None
        if fault is not None:
            expressions.context.found.append(fault)
    return tuple(tracks)


def counting_tracks(d: Declared) -> tuple[p.Track, ...]:
    """Return counters: how often each modifier was started, and how often each player has awaited each hook."""
    started = [one.key for one in d.all_of(Modifier).values() if one.while_ is None]
    modifiers = [p.modifier_track(key, moment) for key in started for moment in p.MOMENTS]
    hooks = [p.hook_track(hook.key) for hook in d.all_of(Hook).values() if hook.waits]
    moving = [p.hook_track(hook.key) for hook in d.all_of(Hook).values() if hook.on_movement]
    return (*(_counter(key, ()) for key in (*modifiers, *moving)), *(_counter(key, ("player",)) for key in hooks))


def _counter(key: str, scope: tuple[str, ...]) -> p.Track:
    return p.Track(key, scope, NUMBER, 0, 1000, False, t.Const(0), "all", "nobody", False)
