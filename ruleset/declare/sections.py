"""The sections of a pack: enumerations, options, values, kinds, components, zones, tracks, lists."""

from __future__ import annotations

import re
from collections.abc import Callable

from attrs import evolve

from ruleset.common.diagnostic import Label
from ruleset.common.nearest import nearest
from ruleset.common.span import Span
from ruleset.declare.collector import LIMIT, Collecting, near_hint
from ruleset.declare.declarations import (
    Named,
)
from ruleset.language.syntax_errors import LOCAL_NOT_NAMES, NOT_NAMES
from ruleset.language.types import NUMBER, Type
from ruleset.program import nodes as p
from ruleset.source.reader import Mapping, Node, Scalar, Sequence
from ruleset.source.yaml_access import bounds_of, entries_of, int_of, numbers_of, text_of, texts_of
from ruleset.table import nodes as t


class Sections(Collecting):
    """Declares what stands in sections."""

    def _pack(self, root: Mapping) -> None:
        name = text_of(root, "pack") or ""
        players = root.get("players")
        least, most = 2, 2
        if isinstance(players, Scalar):
            match = re.fullmatch(r"(\d+)(?: to (\d+))?", players.text)
            if match:
                least, most = int(match[1]), int(match[2] or match[1])
                if not 1 <= least <= most <= 12:
                    hint = f"write `{most} to {least}`" if 1 <= most < least <= 12 else "such as `2 to 4`"
                    message = "the number of players must lie between 1 and 12, least first"
                    self.report("RW305", players.span, message, hint)
                    least, most = 2, 2
        languages = root.get("languages")
        tongues: tuple[str, ...] = ("en",)
        if isinstance(languages, Sequence):
            tongues = tuple(item.text for item in languages.items if isinstance(item, Scalar))
        self.pack = (name, text_of(root, "version") or "0", (least, most), tongues)
        self._texts(f"pack/{name}", root)
        self._texts(f"pack/{name}", root, "text")

    def _enumeration(self, key: Scalar, body: Node) -> None:
        members: list[str] = []
        if isinstance(body, Sequence):
            for item in body.items:
                if isinstance(item, Scalar) and self._name("enumerations", item):
                    members.append(item.text)
        elif isinstance(body, Mapping):
            for entry in body.entries:
                if self._name("enumerations", entry.key):
                    members.append(entry.key.text)
                    if isinstance(entry.value, Mapping):
                        pairs = tuple(
                            (e.key.text, e.value.text) for e in entry.value.entries if isinstance(e.value, Scalar)
                        )
                        self.out.texts[f"{key.text}/{entry.key.text}"] = pairs
                    elif isinstance(entry.value, Scalar):
                        self.out.texts[f"{key.text}/{entry.key.text}"] = (("en", entry.value.text),)
        self.out.enumerations[key.text] = (key.span, tuple(members))

    def _option(self, key: Scalar, body: Node) -> None:
        assert isinstance(body, Mapping)
        self._texts(f"option/{key.text}", body, "text")
        default = body.get("default")
        word = default.text if isinstance(default, Scalar) else ""
        choices = body.get("one-of")
        if choices is not None:
            of = choices.text if isinstance(choices, Scalar) else key.text
            if isinstance(choices, Sequence):
                members = tuple(item.text for item in choices.items if isinstance(item, Scalar))
            elif of in self.out.enumerations:
                members = self.out.enumerations[of][1]
            else:
                if of not in self.poisoned:
                    hint = near_hint(of, self.out.enumerations)
                    self.report("RW309", choices.span, f"there is no enumeration `{of}`", hint)
                self.poisoned.add(key.text)
                return
            if word not in members:
                assert default is not None
                near = nearest(word, members)
                hint = f"did you mean `{near}`?" if near else "choose one of: " + ", ".join(members)
                self.report("RW306", default.span, f"`{word}` is not one of the choices", hint)
                word = members[0]
            option = p.Option(key.text, of, members, 0, len(members) - 1, members.index(word))
            if isinstance(choices, Sequence):
                for item in choices.items:
                    if isinstance(item, Scalar):
                        self.where.setdefault(f"name/{item.text}", (item.span, "choices"))
                self.out.enumerations[key.text] = (key.span, members)
        elif isinstance(kind := body.get("some-of"), Scalar):
            if kind.text not in self.out.kinds:
                if kind.text not in self.poisoned:
                    hint = near_hint(kind.text, self.out.kinds)
                    self.report("RW309", kind.span, f"there is no kind `{kind.text}`", hint)
                self.poisoned.add(key.text)
                return
            option = p.Option(key.text, kind.text, (), 0, int(text_of(body, "count") or 1), 0, True)
            where = body.get("where")
            if isinstance(where, Scalar):
                self.out.choosable[key.text] = where
                option = evolve(option, where=where.text)
        elif body.get("number") is not None:
            low, high = bounds_of(text_of(body, "number") or "")
            number = default.value if isinstance(default, Scalar) and isinstance(default.value, int) else low
            if not low <= number <= high:
                assert default is not None
                self.report("RW306", default.span, f"the default is {number}, and expected is {low} to {high}")
                number = low
            option = p.Option(key.text, "", (), low, high, number)
        else:
            option = p.Option(key.text, "", ("false", "true"), 0, 1, 1 if word == "true" else 0)
        self.out.options[key.text] = (key.span, option)

    def _value(self, key: Scalar, body: Node) -> None:
        by_players: list[tuple[int, tuple[int, ...]]] = []
        default: tuple[int, ...] | None = None
        table = body.get("by-players") if isinstance(body, Mapping) else None
        if isinstance(table, Mapping):
            for entry in table.entries:
                numbers = numbers_of(entry.value)
                if entry.key.text == "default":
                    default = numbers
                else:
                    by_players.append((int(entry.key.text), numbers))
            least, most = self.pack[2]
            missing = [n for n in range(least, most + 1) if n not in dict(by_players)]
            if default is None and missing:
                says = ", ".join(map(str, missing))
                self.report(
                    "RW307", key.span, f"`{key.text}` has no value for {says} players", "add them, or a `default`"
                )
        else:
            default = numbers_of(body)
        value = p.Value(key.text, tuple(by_players), default if default is not None else (0,))
        self.out.values[key.text] = (key.span, value)

    def _kind(self, key: Scalar, body: Node) -> None:
        assert isinstance(body, Mapping)
        kind = self.out.kinds[key.text]
        fields, effects, expressions = kind.fields, kind.effects, kind.expressions
        ranges, defaults = kind.ranges, kind.defaults
        self.out.plurals[kind.plural] = key.text
        self._texts(f"kind/{key.text}", body)
        for group in ("fields", "effects", "expressions"):
            kind.places.update((name.text, name.span) for name, _ in entries_of(body, group))
            for name, _ in entries_of(body, group):
                if name.text in NOT_NAMES:
                    self.reserved(name)
                else:
                    self.shadowed(group, name)
        for name, node in entries_of(body, "fields"):
            declared = node if isinstance(node, Scalar) else node.get("type") if isinstance(node, Mapping) else None
            if not isinstance(declared, Scalar):
                continue
            type_ = self.type_of(declared)
            if type_ is None:
                self.poisoned.add(name.text)
                continue
            per_copy = isinstance(node, Mapping) and text_of(node, "per") == "copy"
            fields[name.text] = p.Field(name.text, type_.one, type_.many, per_copy)
            if re.fullmatch(r"\d+ to \d+", declared.text):
                ranges[name.text] = bounds_of(declared.text)
            if isinstance(node, Mapping) and (default := node.get("default")) is not None:
                defaults[name.text] = default
        for name, node in entries_of(body, "effects"):
            takes = self._takes(node)
            per_copy = isinstance(node, Mapping) and text_of(node, "per") == "copy"
            optional = isinstance(node, Mapping) and text_of(node, "optional") == "true"
            effects[name.text] = p.EffectField(name.text, takes, per_copy, optional)
            if isinstance(node, Mapping) and (default := node.get("default")) is not None:
                defaults[name.text] = default
            said = node.get("text") if isinstance(node, Mapping) else None
            for copy, text in enumerate(said.items if isinstance(said, Sequence) else (said,) if said else (), 1):
                number = f"-{copy}" if isinstance(said, Sequence) else ""
                self.out.texts[f"effect/kind/{key.text}.{name.text}{number}"] = texts_of(text)
        for name, node in entries_of(body, "expressions"):
            declared = node if isinstance(node, Scalar) else node.get("type") if isinstance(node, Mapping) else None
            expressions[name.text] = (self.type_of(declared) if isinstance(declared, Scalar) else None) or NUMBER
            if isinstance(node, Mapping) and (default := node.get("default")) is not None:
                defaults[name.text] = default

    def _takes(self, node: Node) -> tuple[tuple[str, Type], ...]:
        takes: list[tuple[str, Type]] = []
        for name, type_ in entries_of(node, "takes"):
            found = self.type_of(type_) if isinstance(type_, Scalar) else None
            if found is None:
                self.poisoned.add(name.text)
            elif name.text in LOCAL_NOT_NAMES:
                self.reserved(name)
            else:
                takes.append((name.text, found))
        return tuple(takes)

    def _hiding(self, node: Node) -> None:
        """Reports what is taken under the name of something that the pack declares."""
        for name, _ in entries_of(node, "takes"):
            hidden = self._declared(name.text)
            if hidden is not None:
                message = f"`{name.text}` is declared by the pack, and would be hidden here"
                self.report("RW432", name.span, message, "choose another name", Label(hidden, "declared here"))

    def _component(self, key: Scalar, body: Node) -> None:
        self.out.components[key.text] = Named(key.text, key.span, body)

    def _visible(self, key: Scalar, body: Mapping, scope: str, order: str) -> tuple[str, str, str]:
        """Who sees the cards of a zone, its top, and how many there are; reports what makes no sense."""
        seen = text_of(body, "seen-by") or "all"
        self._owners(key, body, scope == "player", "only a zone of scope `player`")
        top, size = body.get("top-seen-by"), body.get("size-seen-by")
        if isinstance(top, Scalar) and order != "pile":
            message = f"only a pile has a top; `{key.text}` is a {order}"
            self.report("RW370", top.span, message, "add `order: pile`, or remove `top-seen-by`")
        for node, word, what in ((top, "top-seen-by", "the top"), (size, "size-seen-by", "how many there are")):
            if isinstance(node, Scalar) and _SEATS.index(node.text) < _SEATS.index(seen):
                who = "all players see" if seen == "all" else "the owner sees"
                message = f"{who} the cards, and so {what}, but this says `{node.text}`"
                given = body.get("seen-by")
                hint = f"remove `{word}`, or write `seen-by: {node.text}`"
                labels = (Label(given.span, "who sees the cards"),) if given is not None else ()
                self.report("RW371", node.span, message, hint, *labels)
        return seen, text_of(body, "top-seen-by") or seen, text_of(body, "size-seen-by") or "all"

    def _owners(self, key: Scalar, body: Mapping, owned: bool, only: str) -> None:
        """Reports where the owner of something without owner is to see it."""
        for word in ("seen-by", "top-seen-by", "size-seen-by", "changes-seen-by"):
            node = body.get(word)
            if isinstance(node, Scalar) and node.text == "owner" and not owned:
                self.report("RW308", node.span, f"`{key.text}` has no owner", f"{only} is `{word}: owner`")

    def _no_scope(self, span: Span, scope: str, message: str, hint: str | None) -> None:
        """Reports a scope that is none, unless it is a kind whose declaration is reported."""
        if scope not in self.poisoned:
            self.report("RW318", span, message, hint)

    def _zone(self, key: Scalar, body: Node) -> None:
        assert isinstance(body, Mapping)
        scope = text_of(body, "scope") or "game"
        order = text_of(body, "order") or "bag"
        of = ""
        if scope not in ("game", "player"):
            of, scope = scope, "definition"
            if of not in self.out.kinds:
                node = body.get("scope")
                assert node is not None
                self.poisoned.add(key.text)
                hint = near_hint(of, ["game", "player", *self.out.kinds])
                self._no_scope(node.span, of, f"`{of}` is neither game, player nor a kind", hint)
        seen, top, size = self._visible(key, body, scope, order)
        refill = body.get("refill")
        source = text_of(refill, "from") or "" if isinstance(refill, Mapping) else ""
        if isinstance(refill, Mapping) and isinstance(given := refill.get("from"), Scalar):
            self.refills.append((key.text, given))
        eager = isinstance(refill, Mapping) and text_of(refill, "when") == "at-once"
        accepted = body.get("accepts")
        own = isinstance(accepted, Scalar)
        if own and scope != "definition":
            assert accepted is not None
            hint = "say which kinds: `accepts: [KIND]`"
            self.report("RW308", accepted.span, f"`{key.text}` belongs to no definition", hint)
        accepts = (
            tuple(i.text for i in accepted.items if isinstance(i, Scalar)) if isinstance(accepted, Sequence) else ()
        )
        for item in accepted.items if isinstance(accepted, Sequence) else ():
            if isinstance(item, Scalar) and item.text not in self.out.kinds and item.text not in self.poisoned:
                self.report(
                    "RW309", item.span, f"there is no kind `{item.text}`", near_hint(item.text, self.out.kinds)
                )
        zone = p.Zone(key.text, scope, of, order, accepts, own, seen, top, size, source, eager)  # type: ignore[arg-type]  # one of the words of the schema
        self.out.zones[key.text] = (key.span, zone)
        self._texts(f"zone/{key.text}", body)

    def _track(self, key: Scalar, body: Node) -> None:
        of: Type | None = NUMBER
        start: Scalar | None = None
        scope: tuple[str, ...] = ()
        low, high, clamps, seen, changes, arrival = -LIMIT, LIMIT, False, "all", "all", False
        if isinstance(body, Scalar):
            of = self.type_of(body)
        elif isinstance(body, Mapping):
            named = body.get("of")
            of = self.type_of(named) if isinstance(named, Scalar) else of
            given = body.get("starts")
            start = given if isinstance(given, Scalar) else None
            said = body.get("scope")
            parts = said.items if isinstance(said, Sequence) else (said,) if said is not None else ()
            scope = tuple(i.text for i in parts if isinstance(i, Scalar) and i.text != "game")
            for item in parts:
                if isinstance(item, Scalar) and item.text not in (
                    "game",
                    "player",
                    *self.out.enumerations,
                    *self.out.kinds,
                ):
                    hint = near_hint(item.text, ["game", "player", *self.out.enumerations, *self.out.kinds])
                    self.poisoned.add(key.text)
                    self._no_scope(item.span, item.text, f"`{item.text}` cannot be a scope", hint)
            if self.shadowed("tracks", key, tuple(one for one in scope if one in self.out.kinds)):
                return
            self._owners(key, body, "player" in scope, "only a track with `player` in its scope")
            low, high = int_of(body, "at-least", -LIMIT), int_of(body, "at-most", LIMIT)
            clamps = text_of(body, "at-bounds") == "stop"
            seen = text_of(body, "seen-by") or "all"
            changes = text_of(body, "changes-seen-by") or seen
            arrival = text_of(body, "arrival") == "kept"
        if of is None:
            self.poisoned.add(key.text)
            return
        track = p.Track(key.text, scope, of, low, high, clamps, t.Const(0), seen, changes, arrival)  # type: ignore[arg-type]  # one of the words of the schema
        self.out.tracks[key.text] = (key.span, track, start)
        self._texts(f"track/{key.text}", body)

    def _list(self, key: Scalar, body: Node) -> None:
        assert isinstance(body, Mapping)
        scope = text_of(body, "scope") or "game"
        of = body.get("of")
        type_ = self.type_of(of) if isinstance(of, Scalar) else None
        if scope not in ("game", "player", *self.out.kinds):
            node = body.get("scope")
            assert node is not None
            self.poisoned.add(key.text)
            hint = near_hint(scope, ["game", "player", *self.out.kinds])
            self._no_scope(node.span, scope, f"`{scope}` is neither game, player nor a kind", hint)
            return
        if self.shadowed("lists", key, (scope,)):
            return
        if type_ is None:
            self.poisoned.add(key.text)
            return
        self.out.lists[key.text] = (key.span, p.StateList(key.text, scope, type_))
        self._texts(f"list/{key.text}", body)

    def _message(self, key: Scalar, body: Node) -> None:
        self.out.messages[key.text] = key.span
        self.out.texts[f"message/{key.text}"] = texts_of(body)

    def _prompt(self, key: Scalar, body: Node) -> None:
        self.out.prompts[key.text] = (key.span, texts_of(body))


_SEATS = ("nobody", "owner", "all")
"""Who sees something, the fewest first."""

SECTION_OF: dict[str, Callable[[Sections, Scalar, Node], None]] = {
    "enumerations": Sections._enumeration,
    "options": Sections._option,
    "values": Sections._value,
    "kinds": Sections._kind,
    "components": Sections._component,
    "zones": Sections._zone,
    "tracks": Sections._track,
    "lists": Sections._list,
    "messages": Sections._message,
    "prompts": Sections._prompt,
}
