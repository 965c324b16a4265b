"""Declare the sections of a pack: enumerations, options, values, kinds, zones, and tracks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rulewright.ruleset.common.diagnostic import Label
from rulewright.ruleset.common.limits import MOST_SEATS, TRACK_BOUND
from rulewright.ruleset.common.listing import players_between
from rulewright.ruleset.declare.collector import near_hint
from rulewright.ruleset.declare.declarations import KindDeclared, bodies_of
from rulewright.ruleset.declare.lasting import lasts_of
from rulewright.ruleset.declare.number_ranges import bounds_of
from rulewright.ruleset.declare.options import declare_option
from rulewright.ruleset.declare.scopes import Scopes
from rulewright.ruleset.documents.kinds import KIND_OF, PACK
from rulewright.ruleset.documents.log_lines import TRUTH, lines_by_value
from rulewright.ruleset.documents.reading import Keyed
from rulewright.ruleset.documents.sections import (
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
)
from rulewright.ruleset.language.syntax_errors import LOCAL_NOT_NAMES, NOT_NAMES
from rulewright.ruleset.language.types import NUMBER, Type
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.source.nodes import Node, Scalar, Sequence
from rulewright.ruleset.source.reader import Document
from rulewright.ruleset.source.yaml_access import numbers_of, texts_of
from rulewright.ruleset.table import nodes as t


class Sections(Scopes):
    """Declares the entries of sections."""

    def entry(self, section: str, key: Scalar, entry: Any) -> None:
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
        name = first if isinstance(first, Scalar) else Scalar("", "", first.span)
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
        value = p.Value(entry.key, tuple(by_players), default if default is not None else (0,))
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
        for copy, text in enumerate(said.items if isinstance(said, Sequence) else (said,) if said else (), 1):
            number = f"-{copy}" if isinstance(said, Sequence) else ""
            self.out.texts[f"effect/kind/{kind.key}.{name}{number}"] = texts_of(text)

    def _takes(self, given: tuple[Keyed[Scalar], ...]) -> tuple[tuple[str, Type], ...]:
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

    def _hiding(self, given: tuple[Keyed[Scalar], ...]) -> None:
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

    def _owners(self, key: str, by: Iterable[tuple[str, Scalar | None]], owned: bool, only: str) -> None:
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
        own = isinstance(accepted, Scalar)
        if isinstance(accepted, Scalar) and of not in self.out.kinds and of not in self.poisoned:
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

    def _track(self, key: Scalar, entry: TrackEntry) -> None:
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

    def _list(self, key: Scalar, entry: ListEntry) -> None:
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
