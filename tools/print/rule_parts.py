"""The parts of a rule book: what its template knows how to show."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from attrs import frozen

from rulewright.ruleset.common.regular_files import TooLarge, read_regular
from rulewright.ruleset.common.terminal_text import harmless
from rulewright.ruleset.table.message import Value, format_message, parse
from rulewright.tools.common.errors import Usage
from rulewright.tools.faces import Face

# ---- The rulings of a pack: the tables of its `rulings.md`, as questions and answers for players
#
# Other text of that file is for authors. So are asides in parentheses with code.

FILE = "rulings.md"
MOST_BYTES = 300_000
MOST_RULINGS = 1_000
LONGEST_CELL = 4_000
"""Limit of characters of a question, an answer, or a reason."""
_ROW = re.compile(r"\|(.*)\|\s*")
_CELLS = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r"[\s|:-]+")
_ASIDE = re.compile(r" ?\([^()]*\)")
_MARK = re.compile(r"\*\*?|(?<![^\W_])__?|__?(?![^\W_])|`")
"""A mark of Markdown. An underscore inside a word is none."""


@frozen
class Ruling:
    """A question, its answer, and the reason."""

    number: str
    question: str
    answer: str
    reason: str


def rulings_of(root: Path, language: str) -> tuple[Ruling, ...]:
    """Read the rulings of a pack, from `rulings.es.md` if the language is es and there is one.

    Raises Usage for a file, a cell, or a number of rulings beyond the limits.
    """
    for name in (f"rulings.{language}.md", FILE):
        text = _read(root, name)
        if text:
            found = _rulings(name, text)
            if len(found) > MOST_RULINGS:
                raise Usage(f"{name}: {len(found):,} rulings are too many (at most {MOST_RULINGS:,}); remove some")
            return tuple(found)
    return ()


def _read(root: Path, name: str) -> str:
    """Return the text of a file in the pack's folder; "" if it is not there, or leads out of it."""
    path = root / name
    try:
        if not path.is_file() or not path.resolve().is_relative_to(root.resolve()):
            return ""
        data = read_regular(path, MOST_BYTES)
    except TooLarge:
        raise Usage(f"{name}: the file is larger than {MOST_BYTES:,} bytes; shorten it") from None
    except OSError:
        return ""
    return data.decode("utf-8", "replace")


def _rulings(name: str, text: str) -> list[Ruling]:
    found: list[Ruling] = []
    rows: list[list[str]] = []
    for number, line in enumerate((*text.split("\n"), ""), 1):
        row = _ROW.fullmatch(line.strip())
        if row is not None:
            cells = _CELLS.split(row[1])
            longest = max(map(len, cells))
            if longest > LONGEST_CELL:
                limit = f"{longest:,} characters (at most {LONGEST_CELL:,})"
                raise Usage(f"{name}:{number}: a cell has {limit}; make it shorter, or divide it")
            rows.append([plain(cell) for cell in cells])
        elif rows:
            found += _of_table(rows)
            rows = []
    return found


def _of_table(rows: list[list[str]]) -> list[Ruling]:
    """Return the rulings of a table with a number, a question, an answer, and possibly a reason."""
    if len(rows) < 3 or not all(_RULE.fullmatch(cell) for cell in rows[1] if cell):
        return []
    cells = ([*row, "", "", ""] for row in rows[2:])
    return [Ruling(*row[:4]) for row in cells if row[1] and row[2]]


def plain(cell: str) -> str:
    """Return the words of a cell, without the marks of Markdown and without asides for authors."""
    words = " ".join(cell.replace("\\|", "|").split())
    return harmless(" ".join(_unmarked(_ASIDE.sub(_without_code, words)).split()))


def _without_code(aside: re.Match[str]) -> str:
    return "" if aside[0].count("`") > 1 else aside[0]


def _unmarked(text: str) -> str:
    """Remove pairs of marks around words, in one pass: a mark closes the last equal one that is open."""
    removed = {(0, 0)}
    opened: list[re.Match[str]] = []
    waiting: Counter[str] = Counter()
    for mark in _MARK.finditer(text):
        before, after = text[mark.start() - 1 : mark.start()], text[mark.end() : mark.end() + 1]
        if waiting[mark[0]] and before.strip():
            while (last := opened.pop())[0] != mark[0]:
                waiting[last[0]] -= 1
            waiting[mark[0]] -= 1
            removed |= {last.span(), mark.span()}
        elif after.strip():
            opened.append(mark)
            waiting[mark[0]] += 1
    places = sorted(removed)
    ends = [start for start, _ in places[1:]] + [len(text)]
    return "".join(text[end:start] for (_, end), start in zip(places, ends, strict=True))


# ---- Rule parts

@frozen
class RuleItem:
    """An entry of a list: a name, what is said about it, and entries below it."""

    name: str
    text: str = ""
    below: tuple[RuleItem, ...] = ()


@frozen
class CardEntry:
    """A definition in the list of cards, with its number of copies (0: it is no card)."""

    face: Face
    copies: int
    notes: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()


@frozen
class RuleTable:
    """Rows of cells below a row of headings."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@frozen
class RuleBlock:
    """A heading, and what is below it; all parts are optional.

    `steps` are numbered, `items` are not.
    """

    heading: str = ""
    texts: tuple[str, ...] = ()
    steps: tuple[RuleItem, ...] = ()
    items: tuple[RuleItem, ...] = ()
    table: RuleTable | None = None
    cards: tuple[CardEntry, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    note: str = ""

    def __bool__(self) -> bool:
        parts = (self.texts, self.steps, self.items, self.cards, self.rulings)
        return any(parts) or self.table is not None


@frozen
class Section:
    """A section of the book, with the id that its table of contents refers to."""

    id: str
    heading: str
    blocks: tuple[RuleBlock, ...]


def section(id: str, heading: str, *blocks: RuleBlock) -> Section:
    """Return a section of the blocks that are not empty."""
    return Section(id, heading, tuple(block for block in blocks if block))


def capital(text: str) -> str:
    """Return a text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


# ---- The words of printed pages that are not the pack's, in both languages

WORDS: dict[str, dict[str, str]] = {
    "en": {
        "sheet": "{game} {version} · sheet {number} of {count} · {width} × {height} mm · print at 100 %",
        "cards": "{game}: cards",
        "rules": "{game}: rules",
        "rules-of": "Rules",
        "contents": "Contents",
        "version": "Version {version}",
        "players": "{least, select, same {{most, plural, one {# player} other {# players}}} "
        "other {{least} to {most} players}}",
        "with-house-rules": "With the house rules {packs}",
        "house-rules": "House rules",
        "house-rules-first": "Where another section says something else, these rules count.",
        "box": "What is in the box",
        "different": "{different} different",
        "for-table": "The numbers are for {players, plural, one {# player} other {# players}}.",
        "counted": "What is counted",
        "per-player": "each player",
        "shared": "for all",
        "table": "The table",
        "zone": "Place",
        "whose": "Whose",
        "who-sees": "Who sees its cards",
        "whose-game": "all players",
        "whose-player": "one for each player",
        "whose-definition": "one for each {of}",
        "sees-nobody": "nobody",
        "sees-owner": "its owner",
        "sees-all": "everybody",
        "sees-top-all": "everybody, the top card only",
        "sees-top-owner": "its owner, the top card only",
        "set-up": "Set-up",
        "course": "Course of the game",
        "round-of": "Each {round} has these parts, in this order:",
        "choose-one": "Choose one:",
        "reactions": "Reactions",
        "renewed": "Empty piles",
        "end": "End of the game and winner",
        "shown-at-end": "Shown at the end: {zones}.",
        "points": "Points",
        "wins": "The winner is decided by: {order}.",
        "last-left": "The last player in the game wins.",
        "most": "most {what}",
        "fewest": "fewest {what}",
        "score": "points",
        "who-wins": "Who wins",
        "then": "then",
        "each": "{copies, plural, one {# card} other {# cards}} of each",
        "points-shared": "for each of several players who tie {shared, plural, one {# point} other {# points}}",
        "in-some-games": "only in some games",
        "points-alone": "{alone, plural, one {# point} other {# points}}",
        "points-by-place": "By place: {points} points",
        "a-player": "a player",
        "a-card": "a card",
        "a-thing": "{vowel, select, yes {an} other {a}} {thing}",
        "ties-shared": "Players who are still equal share the victory.",
        "card-texts": "The cards",
        "options": "Options",
        "default": "Without a choice: {value}.",
        "values": "Possible: {values}.",
        "from-to": "{low} to {high}",
        "rulings": "Rulings",
        "yes": "yes",
        "no": "no",
    },
    "es": {
        "sheet": "{game} {version} · hoja {number} de {count} · {width} × {height} mm · imprimir al 100 %",
        "cards": "{game}: cartas",
        "rules": "{game}: reglas",
        "rules-of": "Reglas",
        "contents": "Índice",
        "version": "Versión {version}",
        "players": "{least, select, same {{most, plural, one {# jugador} other {# jugadores}}} "
        "other {De {least} a {most} jugadores}}",
        "with-house-rules": "Con las reglas de la casa {packs}",
        "house-rules": "Reglas de la casa",
        "house-rules-first": "Si otra sección dice otra cosa, valen estas reglas.",
        "box": "Contenido de la caja",
        "different": "{different} distintas",
        "for-table": "Las cantidades son para {players, plural, one {# jugador} other {# jugadores}}.",
        "counted": "Qué se cuenta",
        "per-player": "cada jugador",
        "shared": "para todos",
        "table": "La mesa",
        "zone": "Lugar",
        "whose": "De quién",
        "who-sees": "Quién ve sus cartas",
        "whose-game": "de todos",
        "whose-player": "una por jugador",
        "whose-definition": "una por cada {of}",
        "sees-nobody": "nadie",
        "sees-owner": "su dueño",
        "sees-all": "todos",
        "sees-top-all": "todos, solo la carta superior",
        "sees-top-owner": "su dueño, solo la carta superior",
        "set-up": "Preparación",
        "course": "Desarrollo de la partida",
        "round-of": "Cada {round} tiene estas partes, en este orden:",
        "choose-one": "Elige una opción:",
        "reactions": "Reacciones",
        "renewed": "Montones agotados",
        "end": "Final de la partida y ganador",
        "shown-at-end": "Se muestra al final: {zones}.",
        "points": "Puntos",
        "wins": "El ganador se decide por: {order}.",
        "last-left": "Gana el último jugador que queda en la partida.",
        "most": "más {what}",
        "fewest": "menos {what}",
        "score": "puntos",
        "who-wins": "Quién gana",
        "then": "después",
        "each": "{copies, plural, one {# carta} other {# cartas}} de cada una",
        "points-shared": "si varios empatan, {shared, plural, one {# punto} other {# puntos}} para cada uno",
        "in-some-games": "solo en algunas partidas",
        "points-alone": "{alone, plural, one {# punto} other {# puntos}}",
        "points-by-place": "Por puesto: {points} puntos",
        "a-player": "un jugador",
        "a-card": "una carta",
        "a-thing": "{vowel, select, other {{thing}}}",
        "ties-shared": "Quienes sigan empatados comparten la victoria.",
        "card-texts": "Las cartas",
        "options": "Opciones",
        "default": "Si no se elige: {value}.",
        "values": "Posibles: {values}.",
        "from-to": "de {low} a {high}",
        "rulings": "Aclaraciones",
        "yes": "sí",
        "no": "no",
    },
}


def word(language: str, key: str, **values: Value) -> str:
    """Return a word or a sentence in a language; another language gets English."""
    return format_message(parse(WORDS.get(language, WORDS["en"])[key]), values, language)
