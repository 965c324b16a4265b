"""A declaration of a pack as a card: its contents, in the author's words, and its relations to others."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import dedent

from attrs import field, frozen
from rich.text import Text

from rulewright.ruleset.common.diagnostic import Span
from rulewright.ruleset.common.terminal_text import harmless
from rulewright.ruleset.declare.declarations import Declared, KindDeclared
from rulewright.ruleset.documents.kinds import SECTIONS, SORTS
from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.source.nodes import MappingNode as Block
from rulewright.ruleset.source.nodes import Node, ScalarNode, texts_of
from rulewright.ruleset.source.reader import read_documents
from rulewright.ruleset.table.message import MessageError, Value, format_message, parse
from rulewright.tools.common.consoles import HarmlessConsole
from rulewright.tools.common.display_texts import PackTexts, SmallestTable
from rulewright.tools.common.document_kinds import TOOLS_KINDS
from rulewright.tools.packs.declarations import Declaration, Mention, PackDeclarations, declarations, mentions
from rulewright.tools.packs.source_excerpts import SourceIndex

SCENARIO = "scenario"
TOLD_APART = ("name", "text", "source")
"""Keys of a body that a card shows separately."""


@frozen
class DeclarationFact:
    """A line of a card: a key, its value as written, and its source if that is another declaration."""

    key: str
    written: str
    source: str = ""


@frozen
class CardLink:
    """A related declaration: its id, the parts of it, and the places."""

    id: str
    parts: tuple[str, ...]
    places: tuple[Span, ...]


@frozen
class Card:
    """A declaration with its facts and relations. `names` and `texts` are by language."""

    id: str
    place: Span
    names: Mapping[str, str]
    texts: Mapping[str, str]
    facts: tuple[DeclarationFact, ...]
    source: str
    uses: tuple[CardLink, ...]
    used_by: tuple[CardLink, ...]
    scenarios: tuple[CardLink, ...]
    """Scenarios that mention it."""


@frozen
class Shelf:
    """A pack, with what is needed to make cards of it."""

    declared: Declared
    sources: Mapping[str, str]
    items: PackDeclarations
    mentions: tuple[Mention, ...] = field(repr=False)
    folder: str = ""
    """The pack's folder, the prefix of the paths of its files."""
    texts: PackTexts | None = field(default=None, repr=False)
    """The names of the pack at its smallest table; None if it has errors, as `book`."""
    book: SourceIndex | None = field(default=None, repr=False)

    def near(self, path: str) -> str:
        """Shorten a path for display beside others, if the pack is elsewhere."""
        return path.removeprefix(f"{self.folder}/") if self.folder.startswith(("/", "..")) else path

    def names(self, item: Declaration) -> dict[str, str]:
        """Return its name for players, by language; empty for verbs, values, and messages."""
        if item.sort in ("message", "prompt"):
            return {}
        if item.inner and item.sort != "step":
            return dict(texts_of(item.node)) if isinstance(item.node, Block) else {}
        named = item.node
        if item.sort in self.declared.kinds and _get(named, "name") is None:
            named = next((one.node for one in self._components(item.sort) if _get(one.node, "name")), named)
        given = _by_language(_get(named, "name"))
        return {language: self._filled(name, item, language) for language, name in given.items()}

    def _filled(self, name: str, item: Declaration, language: str) -> str:
        """Fill in a name's placeholders: the count one, and the values of a definition."""
        if self.texts is not None and item.sort in self.declared.kinds:
            name = self.texts.definition(language, item.sort, item.key) or name
        if "{" not in name:
            return name
        values: dict[str, Value] = {"count": 1}
        kind = self.declared.kinds.get(item.sort)
        for field_name, value in item.values:
            of = kind.fields[field_name].type.of if kind is not None else ""
            texts = dict(self.declared.texts.get(f"{of}/{value}", ()))
            values[field_name] = int(value) if value.lstrip("-").isdigit() else texts.get(language, value)
        try:
            return format_message(parse(name), values, language)
        except (MessageError, KeyError, ValueError):
            return name

    def card(self, item: Declaration) -> Card:
        """Return the card of a declaration."""
        text = _get(item.node, "text")
        if text is None and item.sort in ("message", "prompt"):
            text = item.node
        source = _get(item.node, "source")
        return Card(
            item.id,
            item.span,
            self.names(item),
            _by_language(text),
            tuple(self._facts(item)),
            written(source, self.sources) if source is not None and not item.made else "",
            self._uses(item),
            self._used_by(item),
            self._scenarios(item),
        )

    # -------------------------------------------------------------- contents

    def _facts(self, item: Declaration) -> Iterator[DeclarationFact]:
        if item.sort in ("message", "prompt") or (item.inner and item.sort != "step"):
            return
        if item.sort in self.declared.kinds:
            yield from self._definition(item)
            return
        if not isinstance(item.node, Block):
            yield DeclarationFact("is", written(item.node, self.sources))
        if item.sort == "verb" and isinstance(item.node, Block):
            yield DeclarationFact("sentence", written(item.node.entries[0].value, self.sources))
        yield from self._entries(item, SECTIONS if item.sort == "pack" else ())
        if item.sort in ("kind", "component"):
            kind = item.key if item.sort == "kind" else getattr(_get(item.node, "kind"), "text", "")
            yield from self._definitions(kind, item)

    def _entries(self, item: Declaration, leave: Iterable[str] = ()) -> Iterator[DeclarationFact]:
        for entry in item.entries:
            if entry.key.text not in (*TOLD_APART, *leave):
                yield self._fact(entry.key.text, entry.value)

    def _fact(self, key: str, node: Node, source: str = "") -> DeclarationFact:
        return DeclarationFact(key, written(node, self.sources), source)

    def _definition(self, item: Declaration) -> Iterator[DeclarationFact]:
        """Yield its own entries, then those from its kind and its component."""
        kind = self.declared.kinds[item.sort]
        component = next((c for c in self._components(item.sort) if not item.made or c.span == item.span), None)
        if item.made:
            yield from (DeclarationFact(name, value) for name, value in item.values)
        else:
            yield from self._entries(item)
        said = {name for name, _ in item.values} if item.made else {entry.key.text for entry in item.entries}
        for name, node in kind.defaults.items():
            if name not in said:
                yield self._fact(name, node, f"kind/{item.sort}")
        yield from self._worked_out(item, kind)
        for name in ("copies", "starts", "home"):
            given = _get(component.node, name) if component is not None else None
            if component is not None and given is not None and name not in said:
                yield DeclarationFact(name, self._copies(given, item), component.id)

    def _worked_out(self, item: Declaration, kind: KindDeclared) -> Iterator[DeclarationFact]:
        """Yield derived fields with their values at the smallest table; as written where they have no value."""
        known = self.book.derived(kind.key, item.key) if self.book is not None else {}
        for name, entry in kind.derived.items():
            value = known.get(name) or written(entry.node, self.sources)
            yield DeclarationFact(name, value, f"kind/{kind.key}")

    def _copies(self, node: Node, item: Declaration) -> str:
        """Return a component's value for one of its definitions: `copies` may depend on a field."""
        by = getattr(_get(node, "by"), "text", None)
        found = _get(node, dict(item.values).get(by, "")) if by else None
        return written(found if found is not None else node, self.sources)

    def _components(self, kind: str) -> list[Declaration]:
        components = (item for item in self.items.items if item.sort == "component")
        return [item for item in components if getattr(_get(item.node, "kind"), "text", "") == kind]

    def _definitions(self, kind: str, item: Declaration) -> Iterator[DeclarationFact]:
        known = [one for one in self.items.items if one.sort == kind and not one.inner]
        made = [one for one in known if one.made]
        of_item = [one for one in known if item.sort == "kind" or not one.made or one.span == item.span]
        if of_item:
            many = len(made) == len(of_item) > 12
            words = f"{len(of_item)}, {of_item[0].key} to {of_item[-1].key}" if many else None
            yield DeclarationFact("definitions", words or ", ".join(one.key for one in of_item))

    # -------------------------------------------------------------- relations

    def _inside(self, item: Declaration) -> set[str]:
        """Return the ids of a declaration and its parts."""
        whole = item.whole
        return {item.id} | {
            one.id
            for one in self.items.items
            if one.inner and one.whole.path == whole.path and whole.line <= one.whole.line <= whole.end_line
            and (one.whole.line, one.whole.column) >= (whole.line, whole.column)
        }  # fmt: skip

    def _uses(self, item: Declaration) -> tuple[CardLink, ...]:
        own = self._inside(item)
        if item.made or item.sort == "pack":
            return ()
        found = (one for one in self.mentions if one.source.id in own and one.target.id not in own)
        return _links((one.target, one.of, one.target.span) for one in found)

    def _used_by(self, item: Declaration) -> tuple[CardLink, ...]:
        if item.sort == "pack":
            return ()
        own = self._inside(item) if item.sort != "kind" else {item.id}
        parts: set[str] = set()
        if item.sort in self.declared.kinds:
            parts = {name for name, _ in item.values} if item.made else {entry.key.text for entry in item.entries}
        found = []
        for one in self.mentions:
            if one.source.id in own or one.source.sort == SCENARIO:
                continue
            if one.target.id in own:
                found.append((one.source, one.of if item.sort == "kind" else one.part, one.span))
            elif one.target.id == f"kind/{item.sort}" and one.of in parts:
                found.append((one.source, f"reads {one.of}", one.span))
        return _links(found)

    def _scenarios(self, item: Declaration) -> tuple[CardLink, ...]:
        if item.sort in ("pack", SCENARIO):
            return ()
        own = self._inside(item) if item.sort != "kind" else {item.id}
        tests = (one for one in self.mentions if one.source.sort == SCENARIO)
        return _links((one.source, one.part, one.span) for one in tests if one.target.id in own)


def _links(found: Iterable[tuple[Declaration, str, Span]]) -> tuple[CardLink, ...]:
    """Merge links by declaration, in the order of their first places."""
    grouped: dict[str, tuple[dict[str, None], dict[Span, None]]] = {}
    for item, part, span in found:
        parts, places = grouped.setdefault(item.id, ({}, {}))
        parts.update({part: None} if part else {})
        places[span] = None
    return tuple(CardLink(id_, tuple(parts), tuple(places)) for id_, (parts, places) in grouped.items())


def written(node: Node, sources: Mapping[str, str]) -> str:
    """Return a value as its author wrote it, without quotes and indentation."""
    if isinstance(node, ScalarNode):
        return node.text.rstrip("\n")
    span = node.span
    lines = sources.get(span.path, "").replace("\r\n", "\n").split("\n")[span.line - 1 : span.end_line]
    if not lines:
        return ""
    rest = lines[-1][span.end_column - 1 :].strip()
    if lines[0][span.column - 1 : span.column] in ("{", "[") or not rest.startswith("#"):
        lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = " " * (span.column - 1) + lines[0][span.column - 1 :]
    return dedent("\n".join(lines)).rstrip()


def _by_language(node: Node | None) -> dict[str, str]:
    return dict(texts_of(node)) if node is not None else {}


def _get(node: Node, key: str) -> Node | None:
    return node.get(key) if isinstance(node, Block) else None


# ---- The shelf of a loaded pack: its declarations as cards, with what is needed to name and to find them

def shelf_of(loaded: Loaded, folder: str = "") -> Shelf:
    """Prepare a loaded pack for making cards; `folder` is the prefix of the paths of its files."""
    documents = loaded.composed.documents
    if not loaded.owners:  # everything that can be read, even with findings
        read = (read_documents(path, text)[0] for path, text in loaded.sources.items())
        documents = tuple(document for one in read for document in one)
    items = declarations(documents, loaded.declared)
    found = mentions(loaded.declared, items, loaded.references)
    texts, book = None, None
    if loaded.program is not None:
        texts = PackTexts(SmallestTable(loaded.program.least_players), loaded.program)
        book = SourceIndex(loaded.program, loaded.sources, texts.worked_out)
    return Shelf(loaded.declared, loaded.sources, items, found, folder, texts, book)


# ---- Print cards and lists of declarations on a terminal, in colour if possible

_WORDS = {
    "en": {
        "from": "from {id}", "made": "made by {id}", "source": "source",
        "uses": "Uses", "used": "Used by", "scenarios": "In scenarios", "more": "… and {n} more",
        "nothing": "Nothing names it.",
        "count": "{pack}: {n} declarations; rulewright show ID tells about one",
    },
    "es": {
        "from": "de {id}", "made": "de {id}", "source": "fuente",
        "uses": "Usa", "used": "Lo usan", "scenarios": "En escenarios", "more": "… y {n} más",
        "nothing": "Nada lo nombra.",
        "count": "{pack}: {n} declaraciones; rulewright show ID habla de una",
    },
}  # fmt: skip
_KEYWORDS = (
    "and|as|each|else|every|end|first of|has|highest|if|in|is|last of|let|lowest|may|no|none|not|of|or|otherwise|"
    "over|repeat|stop|then|this|times|top|total|until|when|where|while|with|you|your|it|players|others"
)
_WIDEST = 100
_SCENARIOS = 8
"""Limit of listed scenarios; the JSON has all."""
_PROSE = ("definitions",)
"""Facts that are not written in the pack; unlike rules, they are wrapped."""
_SHORTEST = 16
"""Columns that names keep in a list, however narrow the terminal."""
_NOTED = 40
"""Texts up to this length have their notes aligned in one column."""


def card_text(shelf: Shelf, item: Declaration, language: str | None) -> None:
    """Print a card. Without a language, its texts are shown in all languages."""
    screen, card = HarmlessConsole(), shelf.card(item)
    words = _WORDS[language or "en"]
    width = min(screen.width, _WIDEST)
    names = dict.fromkeys(card.names.values())
    title = " · ".join(names) or item.key
    _line(screen, (title, "bold"), ("  " + item.id, "cyan"))
    made = f", {words['made'].format(id=f'component/{_component(shelf, item)}')}" if item.made else ""
    _line(screen, (f"{card.place.path}:{card.place.line}{made}", "dim"))
    _texts(screen, card, language, width)
    _facts(screen, card, words)
    for word, links in (("uses", card.uses), ("used", card.used_by), ("scenarios", card.scenarios)):
        if links:
            _line(screen)
            _line(screen, (words[word], "bold"))
            _link_lines(screen, shelf, links, word, language)
    if not card.used_by and item.sort not in _ALONE:
        _line(screen)
        _line(screen, (words["nothing"], "dim"))


_ALONE = ("pack", "step", *(kind.called for kind in TOOLS_KINDS if kind.alone))
"""Sorts of declarations that work without being mentioned."""


def _component(shelf: Shelf, item: Declaration) -> str:
    return next(one.key for one in shelf.items.items if one.sort == "component" and one.span == item.span)


def _texts(screen: HarmlessConsole, card: Card, language: str | None, width: int) -> None:
    texts = card.texts
    if language is not None and texts:
        texts = {language: texts[language]} if language in texts else dict(list(texts.items())[:1])
    for number, (tongue, text) in enumerate(texts.items()):
        if not number:
            _line(screen)
        lead = f"  {tongue}  " if len(card.texts) > 1 else "  "
        lines = textwrap.wrap(harmless(text), width - len(lead), break_on_hyphens=False) or [""]
        for place, line in enumerate(lines):
            _line(screen, (lead if not place else " " * len(lead), "dim"), line)


def _facts(screen: HarmlessConsole, card: Card, words: dict[str, str]) -> None:
    facts = [(fact.key, fact.written, fact.source) for fact in card.facts]
    facts += [(words["source"], card.source, "")] if card.source else []
    if not facts:
        return
    _line(screen)
    wide = max(len(key) for key, _, _ in facts) + 2
    noted = max((len(written) for _, written, source in facts if source and len(written) <= _NOTED), default=0)
    for key, written, source in facts:
        gap = " " * max(noted - len(written), 0) + "  "
        note = (gap + words["from"].format(id=source) if source else "", "dim")
        lines = written.split("\n")
        for number, line in enumerate(lines):
            lead = (f"  {key:<{wide}}" if not number else " " * (wide + 2), "green")
            last = number == len(lines) - 1
            if key in _PROSE or key == words["source"]:
                _line(screen, lead, line, note if last else "", hang=wide + 2)
                continue
            shown = _coloured(harmless(line))
            below = len(lead[0]) + len(line) + len(note[0].rstrip()) > screen.width
            _line(screen, lead, shown, note if last and not below else "", hang=None)
            if last and below and source:
                _line(screen, " " * (wide + 2), (note[0].lstrip(), "dim"), hang=wide + 2)


def _coloured(line: str) -> Text:
    """Highlight numbers, words of the language, and comments in a line of rules."""
    code, mark, comment = line.partition(" #")
    shown = Text(code)
    shown.highlight_regex(rf"(?<![\w-])(?:{_KEYWORDS})(?![\w-])", "magenta")
    shown.highlight_regex(r"(?<![\w-])\d+(?![\w-])", "yellow")
    shown.highlight_regex(r"^\s*[a-z][a-z0-9-]*:(?=\s|$)", "blue")
    return shown + Text(mark + comment, "dim")


def _link_lines(
    screen: HarmlessConsole, shelf: Shelf, links: Sequence[CardLink], word: str, language: str | None
) -> None:
    rows = []
    for link in links:
        target = shelf.items.by_id[link.id]
        places = (target.span,) if word == "uses" else link.places
        if word == "scenarios":
            if len(links) <= _SCENARIOS + 1 or link in links[:_SCENARIOS]:
                _line(screen, "  ", target.key, (f"  {_places(shelf, places)}", "dim"), hang=4)
        else:
            rows.append((link.id, ", ".join(link.parts), _places(shelf, places)))
    if word == "scenarios" and len(links) > _SCENARIOS + 1:
        more = _WORDS[language or "en"]["more"].format(n=len(links) - _SCENARIOS)
        _line(screen, (f"  {more}", "dim"))
    if not rows:
        return
    wide = [max(len(row[column]) for row in rows) for column in (0, 1)]
    if sum(wide) + max(len(row[2]) for row in rows) + 6 > screen.width:
        wide = [min(wide[0], screen.width // 3), min(wide[1], screen.width // 4)]
    for id_, part, place in rows:
        gap = f"{part:<{wide[1]}}  " if wide[1] else ""
        _line(screen, "  ", (f"{id_:<{wide[0]}}  ", "cyan"), gap, (place, "dim"), hang=4)


def _places(shelf: Shelf, spans: Iterable[Span]) -> str:
    """Format files and line numbers, grouped by file."""
    lines: dict[str, list[int]] = {}
    for span in spans:
        known = lines.setdefault(shelf.near(span.path), [])
        known.extend([span.line] if span.line not in known else [])
    return "; ".join(f"{path}:{','.join(map(str, numbers))}" for path, numbers in lines.items())


def _place(shelf: Shelf, span: Span) -> str:
    return f"{shelf.near(span.path)}:{span.line}"


def _line(screen: HarmlessConsole, *parts: str | tuple[str, str] | Text, hang: int | None = 2) -> None:
    """Print parts, some with styles, as one line.

    A line that is too wide is continued between words, indented by `hang` columns. Rules have no `hang`: they are
    not wrapped.
    """
    text = Text()
    for part in parts:
        if isinstance(part, Text):
            text.append_text(part)
        else:
            said, style = (part, "") if isinstance(part, str) else part
            text.append(harmless(said), style)
    text.rstrip()
    if hang is None or len(text) <= screen.width:
        screen.print(text, soft_wrap=True)
        return
    at, width = 0, max(screen.width, hang + 1)
    lines = textwrap.wrap(
        text.plain, width, subsequent_indent=" " * hang, break_long_words=False, break_on_hyphens=False
    )
    for number, line in enumerate(lines):
        words = line[hang:] if number else line
        at = text.plain.index(words, at)
        screen.print(Text(" " * hang if number else "") + text[at : at + len(words)], soft_wrap=True)
        at += len(words)


# ------------------------------------------------------------------ the list

def list_text(shelf: Shelf, items: Sequence[Declaration], pack: str, language: str | None) -> None:
    """Print all declarations by sort, the pack's own kinds first."""
    screen, words = HarmlessConsole(), _WORDS[language or "en"]
    sorts = [*shelf.declared.kinds, *dict.fromkeys(item.sort for item in items if item.sort not in _SECTIONS)]
    groups = {sort: [item for item in items if item.sort == sort] for sort in dict.fromkeys([*sorts, *_SECTIONS])}
    rows = {sort: _rows(shelf, group, language) for sort, group in groups.items() if group}
    wide = [max((len(row[n]) for group in rows.values() for row in group), default=0) for n in (0, 1)]
    wide = [min(wide[0], 32, screen.width // 3), min(wide[1], 44)]
    far = max((len(place) for group in rows.values() for *_, place in group), default=0)
    wide[1] = min(wide[1], max(screen.width - wide[0] - far - 6, _SHORTEST))
    for sort, group in rows.items():
        count = len(groups[sort])
        _line(screen, (sort, "bold"), (f"  {count}" if count > 1 else "", "dim"))
        for key, name, place in group:
            if len(key) > wide[0] and not name:
                _line(screen, "  ", (key, "cyan"), (f"  {place}", "dim"), hang=4)
                continue
            name = name if len(name) <= wide[1] else name[: wide[1] - 1] + "…"
            _line(screen, "  ", (f"{key:<{wide[0]}}  ", "cyan"), f"{name:<{wide[1]}}  ", (place, "dim"), hang=4)
    _line(screen)
    _line(screen, (words["count"].format(pack=pack, n=len(items)), "dim"))


_SECTIONS = tuple(SORTS.values())


def _rows(shelf: Shelf, items: Sequence[Declaration], language: str | None) -> list[tuple[str, str, str]]:
    rows: list[tuple[str, str, str]] = []
    made: dict[Span, list[Declaration]] = {}
    for item in items:
        if item.made:
            made.setdefault(item.span, []).append(item)
        else:
            rows.append((item.key, _called(shelf, item, language), _place(shelf, item.span)))
    for span, group in made.items():
        if len(group) <= 4:
            rows.extend((item.key, _called(shelf, item, language), _place(shelf, span)) for item in group)
        else:
            made_by = f"{len(group)} × component/{_component(shelf, group[0])}"
            rows.append((f"{group[0].key} … {group[-1].key}", made_by, _place(shelf, span)))
    return rows


def _called(shelf: Shelf, item: Declaration, language: str | None) -> str:
    """Return the text beside the key of a row: the name for players, a verb's sentence, or a short body."""
    if item.sort == "verb":
        return shelf.card(item).facts[0].written
    names = shelf.names(item)
    if names:
        return names.get(language or "en") or next(iter(names.values()))
    texts = shelf.card(item).texts
    if item.sort in ("message", "prompt") and texts:
        return texts.get(language or "en") or next(iter(texts.values()))
    facts = shelf.card(item).facts
    return facts[0].written if len(facts) == 1 and facts[0].key == "is" and "\n" not in facts[0].written else ""
