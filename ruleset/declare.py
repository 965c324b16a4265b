"""Documents -> declarations: every name that a pack declares, with its type or signature.

The shape of each document has been checked; a document with findings of shape only taints its name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import product

from attrs import evolve

from ruleset import program as p
from ruleset import syntax as s
from ruleset import table as t
from ruleset.declared import (
    Declared,
    DefinitionDeclared,
    FunctionDeclared,
    KindDeclared,
    Named,
    VerbDeclared,
)
from ruleset.diagnostic import Diagnostic, Label
from ruleset.document import Document, Mapping, Node, Scalar, Sequence
from ruleset.nearest import nearest
from ruleset.mistakes import Mistake
from ruleset.parse import parse_expression, parse_pattern
from ruleset.program import Texts
from ruleset.span import Span
from ruleset.types import BOOLEAN, CARD, NUMBER, PLAYER, ZONE, Type

SECTIONS = ("enumerations", "options", "values", "kinds", "components", "zones", "tracks", "state", "lists")
SINGLES = ("verb", "function", "setup", "round", "phase", "finish", "award", "winner", "hook", "modifier", "window", "claim")
RESERVED = frozenset(
    ["you", "it", "this", "players", "others", "all-players", "none", "true", "false", "cards", "card", "player", "number", "boolean", "zone", "list"]
)
LIMIT = 1_000_000
"""Bounds of a track that declares none."""
PRIVATE = ("nobody", "owner", "all")


def declare(
    documents: Iterable[Document], tainted: Iterable[Document], unread: Iterable[str] = ()
) -> tuple[Declared, tuple[Diagnostic, ...]]:
    """All declarations of the documents; `tainted` are documents that had findings of shape, `unread` the texts of
    those that could not be read: what they mention might be declared there."""
    collector = _Collector()
    for text in unread:
        words = re.findall(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*", text)
        collector.out.tainted.update(words, (f"{word}s" for word in words), (f"verb {word}" for word in words))
    return collector.run(tuple(documents), tuple(tainted))


class _Collector:
    def __init__(self) -> None:
        self.found: list[Diagnostic] = []
        self.out = Declared()
        self.where: dict[str, tuple[Span, str]] = {}
        self.files: dict[str, int] = {}
        self.refills: list[tuple[str, Scalar]] = []
        self.pack: tuple[str, str, tuple[int, int], tuple[str, ...]] = ("", "0", (2, 2), ("en",))

    def run(self, documents: tuple[Document, ...], tainted: tuple[Document, ...]) -> tuple[Declared, tuple[Diagnostic, ...]]:
        for document in (*documents, *tainted):
            self.files.setdefault(document.path, len(self.files))
        for document in tainted:
            self._taint(document)
        sections: dict[str, list[Mapping]] = {}
        others: list[Document] = []
        for document in documents:
            if document.kind in SECTIONS or document.kind == "pack":
                for entry in document.root.entries:
                    if entry.key.text in SECTIONS and isinstance(entry.value, Mapping):
                        sections.setdefault(entry.key.text, []).append(entry.value)
                if document.kind == "pack":
                    self._pack(document.root)
            else:
                others.append(document)
        for mapping in sections.get("kinds", []):
            for entry in mapping.entries:
                plural = _text(entry.value, "plural") or entry.key.text + "s"
                abstract = _text(entry.value, "cards") == "false"
                self.out.kinds.setdefault(
                    entry.key.text, KindDeclared(entry.key.text, entry.key.span, {}, {}, {}, {}, {}, plural, abstract)
                )
        for section in SECTIONS:
            for mapping in sections.get(section, []):
                for entry in mapping.entries:
                    if self._name(section, entry.key):
                        _SECTION[section](self, entry.key, entry.value)
        for zone, source in self.refills:
            if source.text not in self.out.zones and source.text not in self.out.tainted:
                message = f"`{zone}` refills from `{source.text}`, which is no zone"
                self.report("RW309", source.span, message, _near(source.text, self.out.zones))
        for document in others:
            if document.kind not in SINGLES:
                self._definition(document)
        for named in list(self.out.components.values()):
            self._made(named)
        for document in others:
            if document.kind in SINGLES:
                self._single(document)
        pack, version, players, languages = self.pack
        out = evolve(self.out, pack=pack, version=version, players=players, languages=languages)
        return out, tuple(self.found)

    # -------------------------------------------------------------- helpers

    def report(self, code: str, span: Span, message: str, hint: str | None = None, *labels: Label) -> None:
        self.found.append(Diagnostic(code, span, message, hint, labels))

    def _taint(self, document: Document) -> None:
        if document.kind in SECTIONS or document.kind == "pack":
            for entry in document.root.entries:
                if isinstance(entry.value, Mapping):
                    self.out.tainted.update(entry.value.keys())
                if entry.key.text in ("enumerations", "kinds") or entry.key.text not in SECTIONS:
                    self.out.tainted.update((entry.key.text, *_all_words(entry.value)))
        if document.kind in ("round", "finish"):
            self.out.tainted.update(_all_words(document.root))
        first = document.root.entries[0].value
        if isinstance(first, Scalar):
            self.out.tainted.add(first.text)
            if document.kind == "verb":
                self._taint_verb(first.text)

    def _taint_verb(self, sentence: str) -> None:
        """Sentences that begin like this one are not reported."""
        word = re.match(r"([a-z-]+)(?:\(([a-z]+)\))?", sentence)
        stem, ending = (word[1], word[2] or "") if word else ("", "")
        self.out.tainted.update((f"verb {stem}", f"verb {stem}{ending}"))

    def _name(self, group: str, key: Scalar) -> bool:
        """Whether a name is new and well formed; else a finding."""
        space = "phrase" if group == "verb" else "step" if group in ("phase", "setup", "round", "finish") else "name"
        space = group if group in ("award", "winner", "hook", "components", "window", "claim", "modifier") else space
        if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", key.text):
            hint = "a name has small letters, digits and single hyphens: `draw-pile`"
            self.report("RW301", key.span, f"`{key.text}` is not a name", hint)
            self.out.tainted.add(key.text)
            return False
        if key.text in RESERVED and space == "name":
            self.report("RW302", key.span, f"`{key.text}` is a word of the language itself", "choose another name")
            self.out.tainted.add(key.text)
            return False
        full = f"{space}/{key.text}"
        clash = self.where.get(full)
        if clash is not None:
            place, what = clash
            here, there = _WHAT.get(group, f"a {group}"), _WHAT.get(what, f"a {what}")
            twice = f"`{key.text}` is declared twice" + ("" if here == there else f": as {there} and as {here}")
            before = self._order(key.span) < self._order(place)
            span, other = (place, key.span) if before else (key.span, place)
            label = Label(other, "first declared here")
            self.report("RW303", span, twice, "rename or remove one of them", label)
            return False
        self.where[full] = (key.span, group)
        return True

    def _order(self, span: Span) -> tuple[int, Span]:
        return self.files.get(span.path, 0), span

    def _texts(self, key: str, body: Node, field: str = "name") -> None:
        node = body.get(field) if isinstance(body, Mapping) else None
        if isinstance(node, Mapping):
            pairs = tuple((e.key.text, e.value.text) for e in node.entries if isinstance(e.value, Scalar))
            self.out.texts[key if field == "name" else f"{key}.{field}"] = pairs
        elif isinstance(node, Scalar):
            self.out.texts[key if field == "name" else f"{key}.{field}"] = (("en", node.text),)

    def type_of(self, node: Scalar, text: str | None = None, span: Span | None = None) -> Type | None:
        """The type that a declaration names, or None with a finding."""
        words = (text or node.text).strip()
        many = words.startswith("list of ")
        one = words.removeprefix("list of ").strip()
        found = self._one_type(one)
        if found is None:
            if not set(re.split(r"[ |]", one)) & self.out.tainted:
                names = [*self.out.enumerations, *self.out.kinds, "number", "boolean", "player", "card", "zone"]
                near = nearest(one, names)
                hint = f"did you mean `{near}`?" if near else "types: number, boolean, player, card, zone, an enumeration, a kind"
                self.report("RW304", span or node.span, f"`{one}` is not a type", hint)
            return None
        return found.list if many else found

    def _one_type(self, one: str) -> Type | None:
        plain = {"number": NUMBER, "boolean": BOOLEAN, "player": PLAYER, "card": CARD, "zone": ZONE}
        if one in plain:
            return plain[one]
        if re.fullmatch(r"\d+ to \d+", one):
            return NUMBER
        if one in self.out.enumerations:
            return Type("enumeration", one)
        if one.endswith(" card") and one[:-5] in self.out.kinds:
            return Type("card", one[:-5])
        if one and all(part in self.out.kinds for part in one.split("|")):
            return Type("definition", one if "|" not in one else "|".join(sorted(one.split("|"))))
        return None

    # -------------------------------------------------------------- the pack and its sections

    def _pack(self, root: Mapping) -> None:
        name = _text(root, "pack") or ""
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
        self.pack = (name, _text(root, "version") or "0", (least, most), tongues)
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
                        pairs = tuple((e.key.text, e.value.text) for e in entry.value.entries if isinstance(e.value, Scalar))
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
        if isinstance(choices, Sequence):
            members = tuple(item.text for item in choices.items if isinstance(item, Scalar))
            if word not in members:
                assert default is not None
                near = nearest(word, members)
                hint = f"did you mean `{near}`?" if near else "choose one of: " + ", ".join(members)
                self.report("RW306", default.span, f"`{word}` is not one of the choices", hint)
                word = members[0]
            for item in choices.items:
                if isinstance(item, Scalar):
                    self.where.setdefault(f"name/{item.text}", (item.span, "choices"))
            option = p.Option(key.text, members, 0, len(members) - 1, members.index(word))
            self.out.enumerations[key.text] = (key.span, members)
        elif body.get("number") is not None:
            low, high = _bounds(_text(body, "number") or "")
            number = default.value if isinstance(default, Scalar) and isinstance(default.value, int) else low
            if not low <= number <= high:
                assert default is not None
                self.report("RW306", default.span, f"the default is {number}, and expected is {low} to {high}")
                number = low
            option = p.Option(key.text, (), low, high, number)
        else:
            option = p.Option(key.text, ("false", "true"), 0, 1, 1 if word == "true" else 0)
        self.out.options[key.text] = (key.span, option)

    def _value(self, key: Scalar, body: Node) -> None:
        by_players: list[tuple[int, tuple[int, ...]]] = []
        default: tuple[int, ...] | None = None
        table = body.get("by-players") if isinstance(body, Mapping) else None
        if isinstance(table, Mapping):
            for entry in table.entries:
                numbers = _numbers(entry.value)
                if entry.key.text == "default":
                    default = numbers
                else:
                    by_players.append((int(entry.key.text), numbers))
            least, most = self.pack[2]
            missing = [n for n in range(least, most + 1) if n not in dict(by_players)]
            if default is None and missing:
                says = ", ".join(map(str, missing))
                self.report("RW307", key.span, f"`{key.text}` has no value for {says} players", "add them, or a `default`")
        else:
            default = _numbers(body)
        value = p.Value(key.text, tuple(by_players), default if default is not None else (0,))
        self.out.values[key.text] = (key.span, value)

    def _kind(self, key: Scalar, body: Node) -> None:
        assert isinstance(body, Mapping)
        kind = self.out.kinds[key.text]
        fields, effects, expressions = kind.fields, kind.effects, kind.expressions
        ranges, defaults = kind.ranges, kind.defaults
        self.out.plurals[kind.plural] = key.text
        self._texts(f"kind/{key.text}", body)
        for name, node in _entries(body, "fields"):
            declared = node if isinstance(node, Scalar) else node.get("type") if isinstance(node, Mapping) else None
            if not isinstance(declared, Scalar):
                continue
            type_ = self.type_of(declared)
            if type_ is None:
                self.out.tainted.add(name.text)
                continue
            per_copy = isinstance(node, Mapping) and _text(node, "per") == "copy"
            fields[name.text] = p.Field(name.text, type_.one, type_.many, per_copy)
            if re.fullmatch(r"\d+ to \d+", declared.text):
                ranges[name.text] = _bounds(declared.text)
            if isinstance(node, Mapping) and (default := node.get("default")) is not None:
                defaults[name.text] = default
        for name, node in _entries(body, "effects"):
            takes = self._takes(node)
            per_copy = isinstance(node, Mapping) and _text(node, "per") == "copy"
            optional = isinstance(node, Mapping) and _text(node, "optional") == "true"
            effects[name.text] = p.EffectField(name.text, takes, per_copy, optional)
        for name, node in _entries(body, "expressions"):
            declared = node if isinstance(node, Scalar) else node.get("type") if isinstance(node, Mapping) else None
            expressions[name.text] = (self.type_of(declared) if isinstance(declared, Scalar) else None) or NUMBER

    def _takes(self, node: Node) -> tuple[tuple[str, Type], ...]:
        takes: list[tuple[str, Type]] = []
        for name, type_ in _entries(node, "takes"):
            found = self.type_of(type_) if isinstance(type_, Scalar) else None
            if found is None:
                self.out.tainted.add(name.text)
            else:
                takes.append((name.text, found))
        return tuple(takes)

    def _hiding(self, node: Node) -> None:
        """Reports what is taken under the name of something that the pack declares."""
        for name, _ in _entries(node, "takes"):
            hidden = self._declared(name.text)
            if hidden is not None:
                message = f"`{name.text}` is declared by the pack, and would be hidden here"
                self.report("RW432", name.span, message, "choose another name", Label(hidden, "declared here"))

    def _component(self, key: Scalar, body: Node) -> None:
        self.out.components[key.text] = Named(key.text, key.span, body)

    def _zone(self, key: Scalar, body: Node) -> None:
        assert isinstance(body, Mapping)
        scope = _text(body, "scope") or "game"
        order = _text(body, "order") or "bag"
        of = ""
        if scope not in ("game", "player"):
            of, scope = scope, "definition"
            if of not in self.out.kinds:
                node = body.get("scope")
                assert node is not None
                self.out.tainted.add(key.text)
                hint = _near(of, ["game", "player", *self.out.kinds])
                self.report("RW318", node.span, f"`{of}` is neither game, player nor a kind", hint)
        seen = _text(body, "seen-by") or "all"
        if seen == "owner" and scope != "player":
            node = body.get("seen-by")
            assert node is not None
            self.report("RW308", node.span, f"`{key.text}` has no owner", "only a zone of scope `player` is `seen-by: owner`")
        top = _text(body, "top-seen-by") or seen
        size = _text(body, "size-seen-by") or "all"
        refill = body.get("refill")
        source = _text(refill, "from") or "" if isinstance(refill, Mapping) else ""
        if isinstance(refill, Mapping) and isinstance(given := refill.get("from"), Scalar):
            self.refills.append((key.text, given))
        eager = isinstance(refill, Mapping) and _text(refill, "when") == "at-once"
        accepted = body.get("accepts")
        accepts = tuple(i.text for i in accepted.items if isinstance(i, Scalar)) if isinstance(accepted, Sequence) else ()
        for item in accepted.items if isinstance(accepted, Sequence) else ():
            if isinstance(item, Scalar) and item.text not in self.out.kinds and item.text not in self.out.tainted:
                self.report("RW309", item.span, f"there is no kind `{item.text}`", _near(item.text, self.out.kinds))
        zone = p.Zone(key.text, scope, of, order, accepts, seen, top, size, source, eager)  # type: ignore[arg-type]
        self.out.zones[key.text] = (key.span, zone)
        self._texts(f"zone/{key.text}", body)

    def _track(self, key: Scalar, body: Node, state: bool = False) -> None:
        of: Type | None = BOOLEAN if state else NUMBER
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
                if isinstance(item, Scalar) and item.text not in ("game", "player", *self.out.enumerations, *self.out.kinds):
                    hint = _near(item.text, ["game", "player", *self.out.enumerations, *self.out.kinds])
                    self.out.tainted.add(key.text)
                    self.report("RW318", item.span, f"`{item.text}` cannot be a scope", hint)
            low, high = _int(body, "at-least", -LIMIT), _int(body, "at-most", LIMIT)
            clamps = _text(body, "at-bounds") == "stop"
            seen = _text(body, "seen-by") or "all"
            changes = _text(body, "changes-seen-by") or seen
            arrival = _text(body, "arrival") == "kept"
        if of is None:
            self.out.tainted.add(key.text)
            return
        track = p.Track(key.text, scope, of, low, high, clamps, t.Const(0), seen, changes, arrival)  # type: ignore[arg-type]
        self.out.tracks[key.text] = (key.span, track, start)
        self._texts(f"track/{key.text}", body)

    def _state(self, key: Scalar, body: Node) -> None:
        self._track(key, body, True)

    def _list(self, key: Scalar, body: Node) -> None:
        assert isinstance(body, Mapping)
        scope = _text(body, "scope") or "game"
        of = body.get("of")
        type_ = self.type_of(of) if isinstance(of, Scalar) else None
        if scope not in ("game", "player", *self.out.kinds):
            node = body.get("scope")
            assert node is not None
            self.out.tainted.add(key.text)
            hint = _near(scope, ["game", "player", *self.out.kinds])
            self.report("RW318", node.span, f"`{scope}` is neither game, player nor a kind", hint)
            return
        if type_ is None:
            self.out.tainted.add(key.text)
            return
        self.out.lists[key.text] = (key.span, p.StateList(key.text, scope, type_))
        self._texts(f"list/{key.text}", body)

    # -------------------------------------------------------------- definitions

    def _definition(self, document: Document) -> None:
        kind = self.out.kinds.get(document.kind)
        first = document.root.entries[0]
        if kind is None:
            if document.kind not in self.out.tainted:
                hint = _near(document.kind, [*self.out.kinds, *SINGLES, *SECTIONS, "pack"])
                if hint is None:
                    kinds = ", ".join(f"`{kind}`" for kind in [*list(self.out.kinds)[:5], "verb", "phase", "award"])
                    hint = f"a document begins with what it declares: {kinds}, …"
                for key in document.root.keys():
                    if key in SECTIONS or key in SINGLES or key == "pack":
                        hint = f"the first key of a document says what it is: begin it with `{key}: …`"
                        break
                self.report("RW310", first.key.span, f"there is no kind `{document.kind}`", hint)
            if any(key in SECTIONS or key in SINGLES or key == "pack" for key in document.root.keys()):
                self.out.tainted.update(_all_words(document.root))
            if isinstance(first.value, Scalar):
                plural = _text(document.root, "plural") or first.value.text + "s"
                self.out.tainted.update((first.value.text, plural))
            return
        if not isinstance(first.value, Scalar) or not self._name("definitions", first.value):
            return
        key = first.value.text
        self.out.definitions[key] = DefinitionDeclared(key, kind.key, first.value.span, document.root)
        self._texts(f"{kind.key}/{key}", document.root)
        self._texts(f"{kind.key}/{key}", document.root, "text")
        self.out.plurals.setdefault(_text(document.root, "plural") or key + "s", key)

    def _made(self, named: Named) -> None:
        """The definitions that a component makes: one per combination, or one when its kind declares none."""
        body = named.body
        assert isinstance(body, Mapping)
        kind = self.out.kinds.get(_text(body, "kind") or "")
        if kind is None:
            return
        each = list(_entries(body, "each"))
        if not each:
            if any(d.kind == kind.key for d in self.out.definitions.values()):
                return
            self.out.definitions[kind.key] = DefinitionDeclared(kind.key, kind.key, named.span, body)
            self.out.plurals.setdefault(kind.plural, kind.key)
            self._texts(f"{kind.key}/{kind.key}", body)
            return
        domains: list[list[tuple[str, int, str]]] = []
        for name, node in each:
            declared = kind.fields.get(name.text)
            if declared is None:
                self.report("RW311", name.span, f"`{kind.key}` has no field `{name.text}`", _near(name.text, kind.fields))
                return
            if declared.type.name == "enumeration":
                members = self.out.enumerations[declared.type.of][1]
                wanted = members if _every(node) else self._listed(node, members, f"a {declared.type.of}")
                domains.append([(name.text, members.index(w), w) for w in wanted])
            else:
                low, high = kind.ranges.get(name.text, (-(2**31), 2**31 - 1))
                for item in node.items if isinstance(node, Sequence) else ():
                    value = item.value if isinstance(item, Scalar) else None
                    if not isinstance(value, int) or not low <= value <= high:
                        message = f"`{name.text}` is {value}, and expected is {low} to {high}"
                        self.report("RW315", item.span, message)
                domains.append([(name.text, n, str(n)) for n in _numbers(node)])
        for combination in product(*domains):
            key = "-".join(word for _, _, word in combination)
            if key in self.out.definitions:  # numbers of another component
                key = f"{named.key}-{key}"
            values = tuple((name, number) for name, number, _ in combination)
            self.out.definitions[key] = DefinitionDeclared(key, kind.key, named.span, body, values)
            self._texts(f"{kind.key}/{key}", body)

    def _declared(self, name: str) -> Span | None:
        """Where a zone, track, list, value or option of this name is declared."""
        out = self.out
        for group in (out.zones, out.tracks, out.lists, out.values, out.options):
            if name in group:
                return group[name][0]
        return None

    def _listed(self, node: Node, members: tuple[str, ...], what: str) -> list[str]:
        """The members that a list names; what is none of them is reported."""
        found = []
        for item in node.items if isinstance(node, Sequence) else (node,):
            word = item.text if isinstance(item, Scalar) else ""
            if word in members:
                found.append(word)
            elif word not in self.out.tainted:
                hint = _near(word, members) or "one of: " + ", ".join(members)
                self.report("RW315", item.span, f"`{word}` is not {what}", hint)
        return found

    # -------------------------------------------------------------- verbs, functions, flow

    def _single(self, document: Document) -> None:
        first = document.root.entries[0]
        if not isinstance(first.value, Scalar):
            return
        if document.kind == "verb":
            self._verb(first.value, document.root)
            return
        if not self._name(document.kind, first.value):
            return
        key, span, root = first.value.text, first.value.span, document.root
        if document.kind == "function":
            gives = root.get("gives")
            takes = self._takes(root)
            self._hiding(root)
            type_ = self.type_of(gives) if isinstance(gives, Scalar) else None
            self.out.functions[key] = FunctionDeclared(key, span, takes, type_, root)
            return
        groups = {
            "setup": self.out.setups,
            "round": self.out.rounds,
            "phase": self.out.phases,
            "finish": self.out.finishes,
            "award": self.out.awards,
            "winner": self.out.winners,
            "hook": self.out.hooks,
            "modifier": self.out.modifiers,
            "window": self.out.windows,
            "claim": self.out.claims,
        }
        groups[document.kind][key] = Named(key, span, root)
        if document.kind in ("window", "claim"):
            self.out.takes[f"{document.kind}/{key}"] = self._takes(root)
            self._hiding(root)
        self._texts(f"{document.kind}/{key}", root)
        self._texts(f"{document.kind}/{key}", root, "text")

    def _verb(self, sentence: Scalar, root: Mapping) -> None:
        parts = parse_pattern(sentence.text)
        if isinstance(parts, Mistake):
            span = sentence.span_of(parts.start, parts.end)
            self.report(parts.code, span, parts.message, parts.hint)
            self._taint_verb(sentence.text)
            return
        if not isinstance(parts[0], s.Word):
            self.report("RW312", sentence.span_of(parts[0].start, parts[0].end), "a verb's sentence begins with a word")
            return
        holes: list[tuple[str, Type]] = []
        for part in parts:
            if isinstance(part, s.Hole):
                if part.name in dict(holes) or part.name in RESERVED:
                    span = sentence.span_of(part.start, part.end)
                    why = "is a word of the language itself"
                    why = why if part.name in RESERVED else "names another hole already"
                    hint = "give each hole a name of its own: `<n> ... <more>`"
                    self.report("RW317", span, f"`{part.name}` {why}", hint)
                elif (hidden := self._declared(part.name)) is not None:
                    span = sentence.span_of(part.start, part.end)
                    message = f"`{part.name}` is declared by the pack, and this hole would hide it from the effect"
                    label = Label(hidden, "declared here")
                    self.report("RW317", span, message, "give the hole another name", label)
                shown = sentence.text[part.start : part.end]
                begin = part.start + max(shown.rfind(part.type), 0)
                end = begin + len(part.type) if shown.rfind(part.type) >= 0 else part.end
                type_ = self.type_of(sentence, part.type, sentence.span_of(begin, end))
                if type_ is None:
                    self._taint_verb(sentence.text)
                    return
                holes.append((part.name, type_))
        key = "-".join(part.forms[0] for part in parts if isinstance(part, s.Word))
        count = sum(1 for verb in self.out.verbs.values() if verb.key.split("#")[0] == key)
        if count:
            key = f"{key}#{count + 1}"
        self.out.verbs[key] = VerbDeclared(key, sentence.span, parts, tuple(holes), root, sentence.text)
        self._texts(f"verb/{key}", root, "text")


_SECTION: dict[str, Callable[[_Collector, Scalar, Node], None]] = {
    "enumerations": _Collector._enumeration,
    "options": _Collector._option,
    "values": _Collector._value,
    "kinds": _Collector._kind,
    "components": _Collector._component,
    "zones": _Collector._zone,
    "tracks": _Collector._track,
    "state": _Collector._state,
    "lists": _Collector._list,
}


_WHAT = {
    "enumerations": "a member of an enumeration",
    "choices": "a choice of an option",
    "options": "an option",
    "values": "a value",
    "kinds": "a kind",
    "components": "a component",
    "zones": "a zone",
    "tracks": "a track",
    "state": "a state",
    "lists": "a list",
    "award": "an award",
}


def start_expression(start: Scalar) -> s.Expression | Mistake:
    """Where a track starts: a number, a value or an option."""
    return parse_expression(start.text)


def _text(node: Node | None, key: str) -> str | None:
    found = node.get(key) if isinstance(node, Mapping) else None
    return found.text if isinstance(found, Scalar) else None


def _int(node: Mapping, key: str, default: int) -> int:
    found = node.get(key)
    return found.value if isinstance(found, Scalar) and isinstance(found.value, int) else default


def _entries(node: Node, key: str) -> Iterator[tuple[Scalar, Node]]:
    found = node.get(key) if isinstance(node, Mapping) else None
    if isinstance(found, Mapping):
        for entry in found.entries:
            yield entry.key, entry.value


def _bounds(text: str) -> tuple[int, int]:
    low, _, high = text.partition(" to ")
    return int(low), int(high or low)


def _numbers(node: Node) -> tuple[int, ...]:
    if isinstance(node, Sequence):
        return tuple(n for item in node.items for n in _numbers(item))
    if isinstance(node, Scalar) and isinstance(node.value, int):
        return (int(node.value),)
    return ()


def _every(node: Node) -> bool:
    return isinstance(node, Scalar) and node.text == "all"


def _all_words(node: Node) -> Iterator[str]:
    """Every key and word below a node: what a broken declaration may have meant to name."""
    if isinstance(node, Scalar):
        yield node.text
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _all_words(item)
    else:
        for entry in node.entries:
            yield entry.key.text
            yield from _all_words(entry.value)


def _near(word: str, names: Iterable[str]) -> str | None:
    near = nearest(word, list(names))
    return f"did you mean `{near}`?" if near else None


__all__ = ["RESERVED", "SECTIONS", "SINGLES", "Texts", "declare"]
