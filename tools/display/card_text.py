"""Print cards and lists of declarations on a terminal, in colour if possible."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from rich.text import Text

from rulewright.ruleset.common.diagnostic import Span
from rulewright.ruleset.common.terminal_text import harmless
from rulewright.ruleset.documents.kinds import SORTS
from rulewright.tools.common.consoles import HarmlessConsole
from rulewright.tools.common.document_kinds import TOOLS_KINDS
from rulewright.tools.display.card import Card, Link, Shelf
from rulewright.tools.packs.declarations import Declaration

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
            _links(screen, shelf, links, word, language)
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


def _links(screen: HarmlessConsole, shelf: Shelf, links: Sequence[Link], word: str, language: str | None) -> None:
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
