"""Declare the sections of a pack: enumerations, options, values, kinds, zones, and tracks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from attrs import evolve

from rulewright.ruleset.common.diagnostic import Label, Span
from rulewright.ruleset.common.limits import HIGHEST, LOWEST, MOST_SEATS, TRACK_BOUND
from rulewright.ruleset.common.nearest import nearest, players_between
from rulewright.ruleset.declare.collector import Collecting, bounds_of, near_hint, range_of
from rulewright.ruleset.declare.declarations import KindDeclared, Remembered, bodies_of
from rulewright.ruleset.documents.kinds import KIND_OF, PACK
from rulewright.ruleset.documents.reading import Keyed
from rulewright.ruleset.documents.sections import (
    TRUTH,
    EffectEntry,
    EnumerationEntry,
    FieldEntry,
    KindEntry,
    ListEntry,
    MessageEntry,
    OptionEntry,
    PackDocument,
    PromptEntry,
    TrackEntry,
    ValueEntry,
    ZoneEntry,
    lines_by_value,
)
from rulewright.ruleset.language.syntax_errors import LOCAL_NOT_NAMES, NOT_NAMES
from rulewright.ruleset.language.types import NUMBER, Type
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.source.nodes import Node, ScalarNode, SequenceNode, numbers_of, texts_of
from rulewright.ruleset.source.reader import Document
from rulewright.ruleset.table import nodes as t

# ---- What lasts a moment: tracks and lists, and what the effects of a definition remember

def lasts_of(collector: Collecting, lasts: ScalarNode | None, scope: tuple[str, ...], of: Type) -> str:
    """Return the moment with which a track or list starts over; empty if there is none, or after a finding."""
    if lasts is None or lasts.text == p.SERIES:
        return lasts.text if lasts is not None else ""
    wrong = [one for one in scope if one != "player" and one not in collector.out.enumerations]
    if wrong:
        message = f"a track or list with the scope `{wrong[0]}` cannot start over"
        hint = "only the scopes `game`, `player`, and enumerations can; remove `lasts`"
    elif scope and of.name == "card":
        message, hint = "a track of cards with a scope cannot start over", "use a list, or remove `lasts`"
    elif lasts.text == "own-turn" and "player" not in scope:
        message = "`own-turn` is the turn of each player, and this does not belong to players"
        hint = "add `scope: player`"
    else:
        return lasts.text
    collector.report("RW361", lasts.span, message, hint)
    return ""


def remembered(
    definition: str, verb: str, values: tuple[tuple[str, Type], ...], said: tuple[Keyed[ScalarNode], ...]
) -> dict[str, Remembered]:
    """Return the hidden tracks and lists for what a definition remembers during a verb (`verb/NAME`)."""
    places = {one.key.text: one.key.span for one in said}
    found: dict[str, Remembered] = {}
    for name, type_ in values:
        key = p.remembered(definition, name)
        if type_.many:
            list_ = p.StateList(key, "game", type_.one, lasts=verb)
            found[name] = Remembered(places[name], None, list_)
        else:
            high = TRACK_BOUND if type_.name == "number" else HIGHEST
            low = -high if type_.name == "number" else LOWEST
            start = t.Const(-1 if type_.can_be_none else 0)
            track = p.Track(
                key, (), type_, low, high, False, start, "nobody", "nobody", False, type_.can_be_none, verb
            )
            found[name] = Remembered(places[name], track, None)
    return found


# ---- Read the scopes of zones, tracks, and lists, and what fields have a value for each of

class Scopes(Collecting):
    """Reads scopes, and reports those that do not exist."""

    def _no_scope(self, span: Span, scope: str, message: str, hint: str | None) -> None:
        """Report an invalid scope, unless it is a kind whose declaration has findings."""
        if scope not in self.poisoned:
            self.report("RW318", span, message, hint)

    def _scope(self, scope: ScalarNode) -> str:
        """Return the scope of a track or list. Before format 3, a kind with cards meant each card."""
        old = scope.span.path in self.older and scope.text in self.out.card_kinds()
        return scope.text + p.EACH_CARD if old else scope.text

    def _is_scope(self, scope: ScalarNode) -> bool:
        """Whether a track or list can have this scope; otherwise report it."""
        word = scope.text
        kind = self.out.kinds.get(p.scope_kind(word)) if word.endswith(p.EACH_CARD) else None
        if kind is not None and kind.abstract:
            label = Label(kind.span, "declared with `cards: false`")
            message = f"a `{kind.key}` is not a card, so there is none for each card"
            self.report("RW318", scope.span, message, f"write `{kind.key}`: one for each definition", label)
            return False
        if kind is None and word not in ("game", "player", *self.out.enumerations, *self.out.kinds):
            self._no_scope(scope.span, p.scope_kind(word), *self._one_of_scopes(word))
            return False
        return True

    def _one_of_scopes(self, scope: str) -> tuple[str, str | None]:
        """Return message and hint for a word that is no scope."""
        known = ["game", "player", *self.out.enumerations, *self.out.kinds]
        known += [f"{kind}{p.EACH_CARD}" for kind in self.out.kinds]
        return f"`{scope}` is not `game`, `player`, an enumeration, or a kind", near_hint(scope, known)

    def _no_per(self, per: ScalarNode, type_: Type) -> None:
        """Report a field that can have no value for each of these."""
        if per.text in self.out.enumerations:
            message = f"a field has one value for each `{per.text}`, and this type is a list"
            self.report("RW318", per.span, message, "remove `list of`, or remove `per`")
        elif per.text not in self.poisoned:
            hint = near_hint(per.text, ["copy", *self.out.enumerations])
            self._no_scope(per.span, per.text, f"`{per.text}` is not `copy` or an enumeration", hint)


# ------------------------------------------------------------------ Declare the options of a game

def declare_option(to: Collecting, key: ScalarNode, entry: OptionEntry) -> None:
    """Declare an option of a game, with its choices, numbers, or definitions."""
    default = entry.default
    word = default.text if default is not None else ""
    choices, kind = entry.one_of, entry.some_of
    if choices is not None:
        of = choices.text if isinstance(choices, ScalarNode) else key.text
        if not isinstance(choices, ScalarNode):
            members = tuple(item.text for item in choices)
        elif of in to.out.enumerations:
            members = to.out.enumerations[of][1]
        else:
            if of not in to.poisoned:
                hint = near_hint(of, to.out.enumerations)
                to.report("RW309", choices.span, f"there is no enumeration `{of}`", hint)
            to.poisoned.add(key.text)
            return
        if word not in members:
            assert default is not None
            near = nearest(word, members)
            hint = f"did you mean `{near}`?" if near else "choices: " + ", ".join(members)
            to.report("RW306", default.span, f"`{word}` is not one of the choices", hint)
            word = members[0]
        option = p.DeclaredOption(key.text, of, members, 0, len(members) - 1, members.index(word))
        if not isinstance(choices, ScalarNode):
            for item in choices:
                to.where.setdefault(f"name/{item.text}", (item.span, "choices"))
            to.out.enumerations[key.text] = (key.span, members)
    elif kind is not None:
        if kind.text not in to.out.kinds:
            if kind.text not in to.poisoned:
                hint = near_hint(kind.text, to.out.kinds)
                to.report("RW309", kind.span, f"there is no kind `{kind.text}`", hint)
            to.poisoned.add(key.text)
            return
        option = p.DeclaredOption(key.text, kind.text, (), 0, entry.count or 1, 0, True)
        if entry.where is not None:
            to.out.choosable[key.text] = entry.where
            option = evolve(option, where=entry.where.text)
    elif entry.number is not None:
        bounds = range_of(to.report, entry.number, entry.number.text)
        if bounds is None:
            to.poisoned.add(key.text)
            return
        low, high = bounds
        number = default.value if default is not None and isinstance(default.value, int) else low
        if not low <= number <= high:
            assert default is not None
            to.report("RW306", default.span, f"expected {low} to {high} for `default`, found {number}")
            number = low
        option = p.DeclaredOption(key.text, "", (), low, high, number)
    else:
        option = p.DeclaredOption(key.text, "", ("false", "true"), 0, 1, 1 if word == "true" else 0)
    to.out.options[key.text] = (key.span, option)


# ---- Sections

class Sections(Scopes):
    """Declares the entries of sections."""

    def entry(self, section: str, key: ScalarNode, entry: Any) -> None:
        """Declare an entry of a section. Most become parts of the program; others stay records."""
        match entry:
            case EnumerationEntry():
                self._enumeration(entry)
            case OptionEntry():
                self._texts(f"option/{key.text}", entry.name)
                self._texts(f"option/{key.text}.text", entry.text)
                declare_option(self, key, entry)
            case ValueEntry():
                self._value(entry)
            case KindEntry():
                self._kind(entry)
            case ZoneEntry():
                self._zone(entry)
            case TrackEntry():
                self._track(key, entry)
            case ListEntry():
                self._list(key, entry)
            case MessageEntry():
                self._message(entry)
            case PromptEntry():
                self._prompt(entry)
            case _:
                self.out.records.setdefault(KIND_OF[section].record, {})[key.text] = entry

    def _pack(self, document: Document) -> None:
        first = document.root.entries[0].value
        name = first if isinstance(first, ScalarNode) else ScalarNode("", "", first.span)
        pack = PackDocument.read(name, document.root)
        self.out.written.append((PACK.key, pack))
        players = pack.players
        least, most = 2, 2
        if players is not None:
            low, _, high = players.text.partition(" to ")
            least, most = (players.value,) * 2 if isinstance(players.value, int) else (int(low), int(high))
            if not 1 <= least <= most <= MOST_SEATS:
                hint = f"write `{most} to {least}`" if 1 <= most < least <= MOST_SEATS else "for example `2 to 4`"
                message = f"expected numbers of players from 1 to {MOST_SEATS}, the smaller first"
                self.report("RW305", players.span, message, hint)
                least, most = 2, 2
        tongues = tuple(one.text for one in pack.languages) or ("en",)
        version = pack.version.text if pack.version is not None else "0"
        self.pack = (pack.key, version, (least, most), tongues)
        self._texts(f"pack/{pack.key}", pack.name)
        self._texts(f"pack/{pack.key}.text", pack.text)

    def _enumeration(self, entry: EnumerationEntry) -> None:
        members: list[str] = []
        for member in entry.members:
            if self._name("enumerations", member.key, "members"):
                members.append(member.key.text)
                self._texts(f"{entry.key}/{member.key.text}", member.value)
        self.out.enumerations[entry.key] = (entry.span, tuple(members))

    def _value(self, entry: ValueEntry) -> None:
        by_players: list[tuple[int, tuple[int, ...]]] = []
        default = numbers_of(entry.for_all) if entry.for_all is not None else None
        for one in entry.by_players:
            if one.key.text == "default":
                default = numbers_of(one.value)
            else:
                by_players.append((int(one.key.text), numbers_of(one.value)))
        if entry.for_all is None:
            least, most = self.pack[2]
            missing = [n for n in range(least, most + 1) if n not in dict(by_players)]
            if default is None and missing:
                *others, last = missing
                says = "".join(f"{number}, " for number in others) + players_between(last, last)
                hint = "add the missing numbers, or `default`"
                self.report("RW307", entry.span, f"`{entry.key}` has no value for {says}", hint)
        value = p.SeatNumbers(entry.key, tuple(by_players), default if default is not None else (0,))
        self.out.values[entry.key] = (entry.span, value)

    def _kind(self, entry: KindEntry) -> None:
        kind = self.out.kinds[entry.key]
        self.out.plurals[kind.plural] = entry.key
        self._texts(f"kind/{entry.key}", entry.name)
        groups: tuple[tuple[str, tuple[Keyed[Any], ...]], ...] = (
            ("fields", entry.fields),
            ("effects", entry.effects),
            ("expressions", entry.expressions),
        )
        for group, members in groups:
            kind.places.update((member.key.text, member.key.span) for member in members)
            for member in members:
                if member.key.text in NOT_NAMES:
                    self.reserved(member.key)
                else:
                    self.shadowed(group, member.key)
        for field in entry.fields:
            self._texts(f"field/{entry.key}.{field.key.text}", field.value.name)
            self._field(kind, field.key.text, field.value)
        for effect in entry.effects:
            self._effect(kind, effect.key.text, effect.value)
        for expression in entry.expressions:
            self._texts(f"field/{entry.key}.{expression.key.text}", expression.value.name)
            given = expression.value.type
            kind.expressions[expression.key.text] = (self.type_of(given) if given is not None else None) or NUMBER
            if expression.value.default is not None:
                kind.defaults[expression.key.text] = expression.value.default

    def _field(self, kind: KindDeclared, name: str, entry: FieldEntry) -> None:
        if entry.type is None:
            return
        type_ = self.type_of(entry.type)
        if type_ is None:
            self.poisoned.add(name)
            return
        derived = entry.is_ is not None or bool(entry.cases)
        if derived:
            kind.derived[name] = entry
        per = entry.per.text if entry.per is not None else ""
        if per not in ("", "copy", *self.out.enumerations) or (type_.many and per not in ("", "copy")):
            assert entry.per is not None
            self._no_per(entry.per, type_)
            self.poisoned.add(name)
            return
        of_members = per if per != "copy" else ""
        default = entry.default is not None
        kind.fields[name] = p.Field(name, type_.one, type_.many, per == "copy", of_members, derived, default)
        one = entry.type.text.removeprefix("list of ").strip()
        if " to " in one:
            kind.ranges[name] = bounds_of(one)
        if entry.default is not None:
            kind.defaults[name] = entry.default

    def _effect(self, kind: KindDeclared, name: str, entry: EffectEntry) -> None:
        per_copy = entry.per is not None and entry.per.text == "copy"
        effect = p.EffectField(name, self._takes(entry.takes), per_copy, entry.optional)
        kind.effects[name] = effect
        if entry.default is not None:
            kind.defaults[name] = entry.default
            kind.bodies[name] = bodies_of(entry.default, effect)
        said = entry.text
        for copy, text in enumerate(said.items if isinstance(said, SequenceNode) else (said,) if said else (), 1):
            number = f"-{copy}" if isinstance(said, SequenceNode) else ""
            self.out.texts[f"effect/kind/{kind.key}.{name}{number}"] = texts_of(text)

    def _takes(self, given: tuple[Keyed[ScalarNode], ...]) -> tuple[tuple[str, Type], ...]:
        takes: list[tuple[str, Type]] = []
        for one in given:
            found = self.type_of(one.value)
            if found is None:
                self.poisoned.add(one.key.text)
            elif one.key.text in LOCAL_NOT_NAMES:
                self.reserved(one.key)
            else:
                takes.append((one.key.text, found))
        return tuple(takes)

    def _hiding(self, given: tuple[Keyed[ScalarNode], ...]) -> None:
        """Report parameters with the name of another declaration of the pack."""
        for one in given:
            hidden = self._declared(one.key.text)
            if hidden is not None:
                message = f"`{one.key.text}` is already declared by the pack"
                self.report("RW432", one.key.span, message, "choose another name", Label(hidden, "declared here"))

    def _visible(self, entry: ZoneEntry, scope: str, order: str) -> tuple[str, str, str]:
        """Return who sees the cards of a zone, its top, and its size; report contradictions."""
        given, top, size = entry.seen_by, entry.top_seen_by, entry.size_seen_by
        seen = given.text if given is not None else "all"
        by = (("seen-by", given), ("top-seen-by", top), ("size-seen-by", size))
        self._owners(entry.key, by, scope == "player", "add `scope: player`")
        if top is not None and order != "pile":
            message = f"only a pile has a top; `{entry.key}` is a {order}"
            self.report("RW370", top.span, message, "add `order: pile`, or remove `top-seen-by`")
        for node, word, what in ((top, "top-seen-by", "the top"), (size, "size-seen-by", "their number")):
            if node is not None and _SEATS.index(node.text) < _SEATS.index(seen):
                who = "all players see" if seen == "all" else "the owner sees"
                message = f"`{word}: {node.text}` contradicts `seen-by: {seen}`: {who} the cards, and so {what}"
                hint = f"remove `{word}`, or write `seen-by: {node.text}`"
                labels = (Label(given.span, "who sees the cards"),) if given is not None else ()
                self.report("RW371", node.span, message, hint, *labels)
        return seen, top.text if top is not None else seen, size.text if size is not None else "all"

    def _owners(self, key: str, by: Iterable[tuple[str, ScalarNode | None]], owned: bool, only: str) -> None:
        """Report `owner` as a viewer of something without an owner."""
        for word, node in by:
            if node is not None and node.text == "owner" and not owned:
                self.report("RW308", node.span, f"`{key}` has no owner", f"{only}, or change `{word}`")

    def _zone(self, entry: ZoneEntry) -> None:
        key = entry.key
        scope = entry.scope.text if entry.scope is not None else "game"
        order = entry.order.text if entry.order is not None else "bag"
        of = ""
        if scope not in ("game", "player"):
            of, scope = scope, "definition"
            if of not in self.out.kinds and of not in self.out.enumerations:
                assert entry.scope is not None
                self.poisoned.add(key)
                self._no_scope(entry.scope.span, of, *self._one_of_scopes(of))
        seen, top, size = self._visible(entry, scope, order)
        refill = entry.refill
        source = refill.from_.text if refill is not None and refill.from_ is not None else ""
        if refill is not None and refill.from_ is not None:
            self.refills.append((key, refill.from_))
        eager = refill is not None and refill.when is not None and refill.when.text == "at-once"
        accepted = entry.accepts
        own = isinstance(accepted, ScalarNode)
        if isinstance(accepted, ScalarNode) and of not in self.out.kinds and of not in self.poisoned:
            message = f"`{key}` is not a zone of a definition, so `own` has no meaning"
            self.report("RW308", accepted.span, message, "name the kinds: `accepts: [KIND]`")
        kinds = accepted if isinstance(accepted, tuple) else ()
        for item in kinds:
            if item.text not in self.out.kinds and item.text not in self.poisoned:
                hint = near_hint(item.text, self.out.kinds)
                self.report("RW309", item.span, f"there is no kind `{item.text}`", hint)
        accepts = tuple(item.text for item in kinds)
        zone = p.Zone(key, scope, of, order, accepts, own, seen, top, size, source, eager)  # type: ignore[arg-type]  # one of the words of the schema
        self.out.zones[key] = (entry.span, zone)
        self._texts(f"zone/{key}", entry.name)
        self._texts(f"zone/{key}.log", entry.log)
        if entry.plural:
            self.out.texts[f"zone/{key}.plural"] = (("en", "yes"),)

    def _track(self, key: ScalarNode, entry: TrackEntry) -> None:
        of = self.type_of(entry.of) if entry.of is not None else NUMBER
        scope = tuple(self._scope(one) for one in entry.scope if one.text != "game")
        scopes = [self._is_scope(item) for item in entry.scope]
        if not all(scopes):
            self.poisoned.add(key.text)
        if self.shadowed("tracks", key, tuple(map(p.scope_kind, scope))):
            return
        by = (("seen-by", entry.seen_by), ("changes-seen-by", entry.changes_seen_by))
        self._owners(key.text, by, "player" in scope, "add `player` to its `scope`")
        ranged = of == NUMBER and entry.of is not None and " to " in entry.of.text
        least, most = bounds_of(entry.of.text) if ranged and entry.of is not None else (-TRACK_BOUND, TRACK_BOUND)
        low = entry.at_least if entry.at_least is not None else least
        high = entry.at_most if entry.at_most is not None else most
        clamps = entry.at_bounds is not None and entry.at_bounds.text == "stop"
        seen = entry.seen_by.text if entry.seen_by is not None else "all"
        changes = entry.changes_seen_by.text if entry.changes_seen_by is not None else seen
        arrival = entry.arrival is not None and entry.arrival.text == "kept"
        if of is None:
            self.poisoned.add(key.text)
            return
        lasts = lasts_of(self, entry.lasts, scope, of) if all(scopes) else ""
        no_member = of.name == "enumeration" and entry.starts is not None and entry.starts.text == "none"
        track = p.Track(
            key.text, scope, of, low, high, clamps, t.Const(0),
            seen, changes,  # type: ignore[arg-type]  # words of the schema
            arrival, of.can_be_none or no_member, lasts,
        )  # fmt: skip
        self.out.tracks[key.text] = (key.span, track, entry.starts)
        self._texts(f"track/{key.text}", entry.name)
        self._lines(f"track/{key.text}.log", entry.log, of)

    def _lines(self, key: str, node: Node | None, of: Type) -> None:
        """Record the lines of the log about a track, for all values or for each."""
        members = self.out.enumerations[of.of][1] if of.name == "enumeration" else ()
        lines = lines_by_value(node, of.name, members)
        for line in lines:
            self._texts(f"{key}.{TRUTH.get(line.key.text, line.key.text)}", line.value)
        if not lines:
            self._texts(key, node)

    def _list(self, key: ScalarNode, entry: ListEntry) -> None:
        scope = self._scope(entry.scope) if entry.scope is not None else "game"
        type_ = self.type_of(entry.of) if entry.of is not None else None
        if entry.scope is not None and not self._is_scope(entry.scope):
            self.poisoned.add(key.text)
            return
        if self.shadowed("lists", key, (p.scope_kind(scope),)):
            return
        if type_ is None:
            self.poisoned.add(key.text)
            return
        lasts = lasts_of(self, entry.lasts, (scope,) if scope != "game" else (), NUMBER)
        declared = p.StateList(key.text, scope, type_, entry.repeats, entry.at_most, lasts)
        self.out.lists[key.text] = (key.span, declared)
        self._texts(f"list/{key.text}", entry.name)

    def _message(self, entry: MessageEntry) -> None:
        self.out.messages[entry.key] = entry.span
        self.out.takes[f"message/{entry.key}"] = self._takes(entry.takes)
        self.out.texts[f"message/{entry.key}"] = texts_of(entry.text) if entry.text is not None else ()
        if entry.text is not None:
            self.out.text_nodes[f"message/{entry.key}"] = entry.text

    def _prompt(self, entry: PromptEntry) -> None:
        self.out.prompts[entry.key] = (entry.span, texts_of(entry.says) if entry.says is not None else ())
        if entry.says is not None:
            self.out.text_nodes[f"prompt/{entry.key}"] = entry.says


_SEATS = ("nobody", "owner", "all")
"""Viewers, in increasing order."""
