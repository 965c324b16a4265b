"""Names of things and values from the compared packs, in one language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from attrs import field, frozen

from rulewright.ruleset.common.terminal_text import harmless
from rulewright.ruleset.compose.anchors import INSERTS
from rulewright.ruleset.compose.conflicts import Deed
from rulewright.ruleset.source.nodes import MappingNode, Node, Path, ScalarNode, bare_path, step_id, texts_of
from rulewright.ruleset.source.nodes import MappingNode as Block
from rulewright.ruleset.source.nodes import SequenceNode as List
from rulewright.ruleset.table.message import MessageError, Value, format_message, parse
from rulewright.tools.common.document_kinds import TOOLS_KIND_OF
from rulewright.tools.diffs.compare import ComparedThing, DiffSide, RuleDifference

# ---- The messages of `rulewright diff`, in both languages, with plurals for numbers
#
# A sentence begins with `{thing}`: sentences that differ only in the thing are merged, and `{n}` is the
# number of things.

GROUPS = ("game", "components", "cards", "set-up", "course", "end", "sees", "small", "words")

WORDS: dict[str, dict[str, str]] = {
    "en": {
        "group-game": "Players and choices",
        "group-components": "Components",
        "group-cards": "Cards",
        "group-set-up": "Set-up",
        "group-course": "Course of the game",
        "group-end": "End and scoring",
        "group-sees": "Who sees what",
        "group-small": "Small print",
        "what-changes": "what changes",
        "group-words": "Other words",
        "on-top": "House rules for {game}",
        "versions": "{pack}: version {after} instead of {before}",
        "without": "Without {packs}",
        "same": "Nothing changes for players.",
        "range": "{} to {}",
        "and": "and",
        "or": "or",
        "else": "otherwise",
        "nothing": "nothing",
        "is-true": "yes",
        "is-false": "no",
        "is-boolean": "yes or no",
        "is-number": "a number",
        "is-player": "a player",
        "seen-nobody": "nobody",
        "seen-owner": "its owner only",
        "seen-all": "everybody",
        "each-player": "player",
        "lasts-turn": "one turn",
        "lasts-phase": "one phase",
        "lasts-round": "one round",
        "lasts-own-turn": "from one turn of the player to the next",
        "lasts-series": "a series of games",
        "waits": "once, for the player who waits for it",
    },
    "es": {
        "group-game": "Jugadores y opciones",
        "group-components": "Componentes",
        "group-cards": "Cartas",
        "group-set-up": "Preparación",
        "group-course": "Desarrollo de la partida",
        "group-end": "Final y puntuación",
        "group-sees": "Quién ve qué",
        "group-small": "Letra pequeña",
        "what-changes": "qué cambia",
        "group-words": "Otras palabras",
        "on-top": "Reglas de la casa para {game}",
        "versions": "{pack}: versión {after} en vez de {before}",
        "without": "Sin {packs}",
        "same": "Para los jugadores no cambia nada.",
        "range": "{} a {}",
        "and": "y",
        "or": "o",
        "else": "en otro caso",
        "nothing": "nada",
        "is-true": "sí",
        "is-false": "no",
        "is-boolean": "sí o no",
        "is-number": "un número",
        "is-player": "un jugador",
        "seen-nobody": "para nadie",
        "seen-owner": "solo para su dueño",
        "seen-all": "para todos",
        "each-player": "jugador",
        "lasts-turn": "un turno",
        "lasts-phase": "una fase",
        "lasts-round": "una ronda",
        "lasts-own-turn": "de un turno del jugador al siguiente",
        "lasts-series": "una serie de partidas",
        "waits": "una vez, para quien la espera",
    },
}
"""Headings, and words that occur in sentences."""

MESSAGES: dict[str, dict[str, str]] = {
    "en": {
        "new": "New {sort}: {thing}{about}{place}{says}",
        "gone": "Removed: {thing} ({sort})",
        "players": "Players: {after} instead of {before}",
        "languages": "Languages: {after} instead of {before}",
        "amount": "{thing}: {after} instead of {before}",
        "amount-with": "{thing} with {players} {last, plural, one {player} other {players}}: "
        "{after} instead of {before}",
        "copies": "Copies of {thing}: {after} instead of {before}",
        "copies-of": "Copies of {thing} ({part}): {after} instead of {before}",
        "starts": "{thing} at the beginning: {after} instead of {before}",
        "default": "{thing}: without a choice {after} instead of {before}",
        "part": "{thing}, {part}: {after} instead of {before}",
        "part-new": "{thing}, {part}: {after}",
        "part-gone": "{thing}: no longer {part} ({before})",
        "also": "{thing}{part}: also {after}",
        "no-longer": "{thing}{part}: no longer {before}",
        "also-not": "{thing}{part}: also {after}, but no longer {before}",
        "with": "{thing}: now also with {part}",
        "with-no-more": "{thing}: no longer with {part}",
        "member": "{thing}: also {after}",
        "no-member": "{thing}: no longer {before}",
        "seen": "{thing}: seen by {after} instead of {before}",
        "seen-top": "{thing}, top card: seen by {after} instead of {before}",
        "seen-size": "{thing}, number of cards: seen by {after} instead of {before}",
        "seen-changes": "{thing}, by how much it changes: seen by {after} instead of {before}",
        "says": "{thing}: “{after}”, where it said “{before}”",
        "says-now": "{thing}: “{after}”",
        "says-no-more": "{thing}: without the text “{before}”",
        "called": "{before} {many, plural, one {is} other {are}} now called {after}",
        "step": "{where}: {thing}{says}",
        "step-before": "Before {anchor}: {thing}{says}",
        "step-after": "After {anchor}: {thing}{says}",
        "step-around": "Around {anchor}: {thing}{says}",
        "step-gone": "{where}: without {thing}",
        "step-opened": "Around {thing}: no longer {before}",
        "order": "{thing}: now in the order {after}",
        "woven-before": "Before {thing}: {after}",
        "woven-after": "After {thing}: {after}",
        "woven-around": "Around {thing}: {after}",
        "woven-set": "{thing}: now {after}",
        "woven-gone": "{thing}: no longer {before}",
        "until": "The game ends after a round when {after}, not when {before}",
        "until-new": "The game ends after a round when {after}",
        "until-gone": "The game no longer ends after a round when {before}",
        "wins": "Winner: {after} instead of {before}",
        "revealed": "Revealed at the end: {after} instead of {before}",
        "fallback": "{id}: {after} instead of {before}",
        "at-before": ", before {anchor}",
        "at-instead-of": ", instead of {anchor}",
        "at-after": ", after {anchor}",
        "with-players": "{amount} with {players} {last, plural, one {player} other {players}}",
    },
    "es": {
        "new": "Se añade: {thing} ({sort}{parts}){place}{says}",
        "gone": "Se {n, plural, one {quita} other {quitan}}: {thing} ({sort})",
        "players": "Jugadores: {after} en vez de {before}",
        "languages": "Idiomas: {after} en vez de {before}",
        "amount": "{thing}: {after} en vez de {before}",
        "amount-with": "{thing} con {players} {last, plural, one {jugador} other {jugadores}}: "
        "{after} en vez de {before}",
        "copies": "Copias de {thing}: {after} en vez de {before}",
        "copies-of": "Copias de {thing} ({part}): {after} en vez de {before}",
        "starts": "{thing} al empezar: {after} en vez de {before}",
        "default": "{thing}: si no se elige, {after} en vez de {before}",
        "part": "{thing}, {part}: {after} en vez de {before}",
        "part-new": "{thing}, {part}: {after}",
        "part-gone": "{thing}: ya sin {part} ({before})",
        "also": "{thing}{part}: también {after}",
        "no-longer": "{thing}{part}: ya no {before}",
        "also-not": "{thing}{part}: también {after}, pero ya no {before}",
        "with": "{thing}: ahora también con {part}",
        "with-no-more": "{thing}: ya sin {part}",
        "member": "{thing}: también {after}",
        "no-member": "{thing}: ya no {before}",
        "seen": "{thing}: visible {after} en vez de {before}",
        "seen-top": "{thing}, carta superior: visible {after} en vez de {before}",
        "seen-size": "{thing}, número de cartas: visible {after} en vez de {before}",
        "seen-changes": "{thing}, cuánto cambia: visible {after} en vez de {before}",
        "says": "{thing}: «{after}», donde decía «{before}»",
        "says-now": "{thing}: «{after}»",
        "says-no-more": "{thing}: sin el texto «{before}»",
        "called": "{before} ahora {many, plural, one {se llama} other {se llaman}} {after}",
        "step": "{where}: {thing}{says}",
        "step-before": "Antes de {anchor}: {thing}{says}",
        "step-after": "Después de {anchor}: {thing}{says}",
        "step-around": "Alrededor de {anchor}: {thing}{says}",
        "step-gone": "{where}: sin {thing}",
        "step-opened": "Alrededor de {thing}: ya no {before}",
        "order": "{thing}: ahora en este orden: {after}",
        "woven-before": "Antes de {thing}: {after}",
        "woven-after": "Después de {thing}: {after}",
        "woven-around": "Alrededor de {thing}: {after}",
        "woven-set": "{thing}: ahora {after}",
        "woven-gone": "{thing}: ya no {before}",
        "until": "La partida termina tras una ronda cuando {after}, no cuando {before}",
        "until-new": "La partida termina tras una ronda cuando {after}",
        "until-gone": "La partida ya no termina tras una ronda cuando {before}",
        "wins": "Quién gana: {after} en vez de {before}",
        "revealed": "Se muestra al final: {after} en vez de {before}",
        "fallback": "{id}: {after} en vez de {before}",
        "at-before": ", antes de {anchor}",
        "at-instead-of": ", en vez de {anchor}",
        "at-after": ", después de {anchor}",
        "with-players": "{amount} con {players} {last, plural, one {jugador} other {jugadores}}",
    },
}


def say(language: str, key: str, values: Mapping[str, Value]) -> str:
    """Format a message. Raises KeyError for an unknown key or a missing value."""
    return format_message(parse(MESSAGES[language][key]), values, language)


def join(words: Sequence[str], language: str, by: str = "and") -> str:
    """Join words for a sentence: `a, b and c`."""
    if len(words) < 2:
        return "".join(words)
    last = words[-1]
    between = WORDS[language][by]
    start = last.lstrip("«“`").lower()
    if language == "es" and by == "and" and start.startswith(("i", "hi")) and not start.startswith("hie"):
        between = "e"
    if language == "es" and by == "or" and start.startswith(("o", "8", "11")):
        between = "u"
    return f"{', '.join(words[:-1])} {between} {last}"


# ---- Labels of document keys in `rulewright diff`, in English and Spanish

LABELS: dict[str, tuple[str, str]] = {
    "seen-by": ("seen by", "visible"),
    "top-seen-by": ("top card seen by", "carta superior visible"),
    "size-seen-by": ("number of cards seen by", "número de cartas visible"),
    "changes-seen-by": ("changes seen by", "cambios visibles"),
    "scope": ("one for each", "una por cada"),
    "order": ("order", "orden"),
    "accepts": ("what may lie here", "qué puede estar aquí"),
    "refill": ("refilled", "se rellena"),
    "when": ("when", "cuándo"),
    "unless": ("unless", "salvo si"),
    "from": ("from", "de"),
    "copies": ("copies", "copias"),
    "starts": ("at the beginning", "al empezar"),
    "home": ("goes back to", "vuelve a"),
    "at-least": ("at least", "como mínimo"),
    "at-most": ("at most", "como máximo"),
    "fields": ("what is printed on it", "lo que lleva impreso"),
    "effects": ("effects", "efectos"),
    "expressions": ("amounts", "cantidades"),
    "default": ("unless it says otherwise", "si no dice otra cosa"),
    "type": ("possible values", "valores posibles"),
    "number": ("bounds", "límites"),
    "one-of": ("to choose from", "para elegir"),
    "some-of": ("to choose from", "para elegir"),
    "count": ("how many", "cuántos"),
    "where": ("which ones", "cuáles"),
    "do": ("what happens", "qué ocurre"),
    "is": ("what it is", "qué es"),
    "prize": ("points", "puntos"),
    "prizes": ("points", "puntos"),
    "alone": ("alone", "en solitario"),
    "shared": ("shared", "en empate"),
    "ties": ("ties", "empates"),
    "sum": ("points", "puntos"),
    "majority": ("who has most of", "quién tiene más"),
    "rank": ("ranked by", "clasificación por"),
    "for-each": ("for each", "por cada"),
    "among": ("among", "entre"),
    "turns": ("who takes a turn", "quién tiene turno"),
    "queue": ("who takes a turn", "quién tiene turno"),
    "together": ("who chooses", "quién elige"),
    "turns-from": ("first turn", "primer turno"),
    "while": ("as long as", "mientras"),
    "optional": ("may be declined", "se puede rehusar"),
    "options": ("choices", "opciones"),
    "asks": ("who is asked", "a quién se pregunta"),
    "first": ("the first reaction ends it", "la primera reacción la cierra"),
    "again": ("asks again after a reaction", "pregunta otra vez tras cada reacción"),
    "proof": ("proof", "prueba"),
    "challenge": ("challenge", "desafío"),
    "when-true": ("if it is true", "si es verdad"),
    "when-false": ("if it is a lie", "si es mentira"),
    "changes": ("what it changes", "qué cambia"),
    "if-nobody": ("if nobody is left", "si no queda nadie"),
    "steps": ("steps", "pasos"),
    "then": ("then", "después"),
    "after-each-game": ("after each game", "tras cada partida"),
    "until": ("until", "hasta que"),
    "score": ("score", "puntuación"),
    "lasts": ("it lasts", "dura"),
    "plural": ("plural", "plural"),
}
"""The labels of document keys in sentences."""


def label(key: str, language: str) -> str | None:
    """Return the label of a document key, or None."""
    found = LABELS.get(key)
    return found[language == "es"] if found is not None else None


# ---- Names

RANGE = re.compile(r"(-?\d+) to (-?\d+)")
LONGEST = 240
"""Limit of characters of code that are shown."""
NAMES_IN = {
    "kind": ("kind",),
    "accepts": ("kind",),
    "starts": ("zone",),
    "home": ("zone",),
    "from": ("zone",),
    "reveals": ("zone",),
    "phases": ("phase",),
    "awards": ("award",),
}
"""Keys whose values are names, with the sort of the named things."""
_COUNTED = ("track/", "list/", "zone/")
"""Things with a plural name: what they hold is counted."""


@frozen
class DiffNames:
    """Names of things on the other side, or else on the base side."""

    base: DiffSide
    other: DiffSide
    language: str

    def of(self, id_: str) -> str | None:
        """Return the name for players of an id: `zone/hand`, `charm/bell`, `step/PHASE.STEP`, `charm/bell.text`."""
        for side in (self.other, self.base):
            texts = dict(side.loaded.declared.texts.get(id_, ()))
            if texts:
                return self._one(self.pick(texts), 2 if id_.startswith(_COUNTED) else 1)
        return None

    def _one(self, text: str, count: int) -> str:
        """Format a name that depends on a number, without that number."""
        if "{" not in text:
            return text
        try:
            return format_message(parse(text), {"count": count}, self.language).removeprefix(f"{count} ")
        except (MessageError, KeyError, ValueError):
            return text

    def pick(self, texts: dict[str, str]) -> str:
        """Return the text in the requested language, or the first one."""
        return harmless(texts.get(self.language) or next(iter(texts.values()), ""))

    def text(self, node: Node | None) -> str:
        """Return a text for players."""
        return self.pick(dict(texts_of(node))) if node is not None else ""

    def thing(self, thing: ComparedThing) -> str:
        """Return the name of a thing at the beginning of a sentence."""
        if thing.sort == "verb":
            pattern = thing.node.entries[0].value if isinstance(thing.node, MappingNode) else None
            return f"`{pattern.text if isinstance(pattern, ScalarNode) else thing.key}`"
        return upper(self.named(thing) or self.readable(thing.key))

    def named(self, thing: ComparedThing) -> str | None:
        """Return the name of a thing for players, or None."""
        own = self.text(thing.says.name)
        return self.of(f"{thing.sort}/{thing.key}") or (own if own and "{" not in own else None)

    def readable(self, key: str) -> str:
        """Return a key as words. Keys are English, so in another language they are quoted."""
        return key.replace("-", " ") if self.language == "en" else f"`{key}`"

    def sort(self, sort: str) -> str:
        """Name the sort of a thing: the pack's name for its kind, or a built-in one."""
        own = TOOLS_KIND_OF.get(sort)
        return self.of(f"kind/{sort}") or (own and own.names.get(self.language)) or self.readable(sort)

    def step(self, thing: ComparedThing, path: Sequence[str]) -> str:
        """Name a step for players, or else by its id."""
        names = [word for word in path if word not in ("steps", "do")]
        known = self.of(f"step/{'.'.join((thing.key, *names))}")
        return upper(known) if known else f"`{names[-1]}`" if names else self.thing(thing)

    def label(self, thing: ComparedThing, path: Sequence[str]) -> str:
        """Return the label of a part of a thing."""
        if thing.sort == "enumeration" or path[:1] == ("each",):
            return ", ".join(self.readable(word) for word in path)
        if thing.sort == "kind" and len(path) > 1 and path[0] in ("fields", "effects", "expressions"):
            path = path[1:]
        own = thing.sort in self.other.loaded.declared.kinds or thing.sort == "kind"
        words = [label(word, self.language) or (self.readable(word) if own else f"`{word}`") for word in path]
        return ", ".join(words)

    # -------------------------------------------------------------- values

    def value(self, thing: ComparedThing, path: Sequence[str], node: Node | None) -> str:
        """Format a value as players name it."""
        if node is None:
            return WORDS[self.language]["nothing"]
        if isinstance(node, List) and all(isinstance(item, ScalarNode) for item in node.items):
            items = [self.value(thing, path, item) for item in node.items]
            return join(items, self.language) if items else WORDS[self.language]["nothing"]
        if isinstance(node, ScalarNode) and not self.is_code(thing, path):
            return self.word(node.text, self._sorts(thing, path))
        return code(node)

    def _sorts(self, thing: ComparedThing, path: Sequence[str]) -> tuple[str, ...]:
        """Return the sorts of things that a value can name."""
        for side in (self.other, self.base):
            kind = side.loaded.declared.kinds.get(thing.sort)
            if kind is not None and path and path[0] in kind.fields:
                of = kind.fields[path[0]].type.of
                return (of,) if of else ()
        if thing.sort == "option":
            return (thing.key,)
        return NAMES_IN.get(path[-1], ()) if path else ()

    def word(self, text: str, sorts: Iterable[str]) -> str:
        """Replace a word by the name of the thing that it names, if any."""
        for sort in sorts:
            known = self.of(f"{sort}/{text}")
            if known:
                return known
        span = RANGE.fullmatch(text)
        if span is not None:
            return WORDS[self.language]["range"].format(*span.groups())
        return WORDS[self.language].get(f"is-{text}") or text

    def is_code(self, thing: ComparedThing, path: Sequence[str]) -> bool:
        """Whether a part of a thing is code."""
        if not path:
            return False
        for side in (self.other, self.base):
            kind = side.loaded.declared.kinds.get(thing.sort)
            if kind is not None:
                return path[0] in kind.effects or path[0] in kind.expressions or path[0] in ("when",)
        return path[-1] in CODE or (len(path) > 1 and path[-2] in ("options", "order"))


CODE = (
    "do", "is", "when", "unless", "then", "until", "while", "turns", "queue", "for-each", "together", "asks",
    "proof", "when-true", "when-false", "among", "by", "sum", "majority", "rank", "order", "turns-from", "each",
    "from",
)  # fmt: skip
"""Keys of sentences, conditions, and amounts."""


def code(node: Node) -> str:
    """Format code in one quoted line."""
    text = written(node)
    return f"`{text if len(text) <= LONGEST else text[: LONGEST - 1] + '…'}`"


def written(node: Node) -> str:
    """Format a node in one line, without texts for players."""
    if isinstance(node, ScalarNode):
        lines = [line.strip() for line in node.text.strip().splitlines()]
        told = ""
        for line in (line for line in lines if line):
            told += ("" if not told else " " if told.endswith(":") else "; ") + line
        return told
    if isinstance(node, List):
        return "; ".join(written(item) for item in node.items)
    entries = [entry for entry in node.entries if entry.key.text not in ("id", "name", "text", "because", "source")]
    if len(entries) == 1 and entries[0].key.text in ("do", "steps"):
        return written(entries[0].value)
    return ", ".join(f"{entry.key.text}: {written(entry.value)}" for entry in entries)


def upper(text: str) -> str:
    """Capitalize the first letter."""
    return text[:1].upper() + text[1:]


# ---- The data from which sentences about differences are made

SEEN = ("seen-by", "top-seen-by", "size-seen-by", "changes-seen-by")
WORDS_OF = ("name", "text", "because", "plural")


@frozen
class DiffSentence:
    """A sentence without its thing: the key of its message, the thing, and the values."""

    key: str
    thing: str
    values: Mapping[str, Value] = field(factory=dict)
    quiet: bool = False


@frozen
class SentenceContext:
    """The data for sentences: both sides, the names of things, and the differences of each thing."""

    base: DiffSide
    other: DiffSide
    names: DiffNames
    deeds: tuple[Deed, ...]
    of_thing: Mapping[str, tuple[RuleDifference, ...]]

    def holding(self, found: RuleDifference) -> tuple[Deed, ...]:
        """Return the deeds with a text that caused a difference, except those that a later one overrules."""
        made = [deed for deed in self.deeds if _made(deed, found)]
        path = (*found.thing.path, *bare_path(found.thing.node, found.path))
        kept = (deed for at, deed in enumerate(made) if not any(_over(one, deed, path) for one in made[at + 1 :]))
        return tuple(deed for deed in kept if deed.text is not None)

    def deed(self, found: RuleDifference) -> Deed | None:
        """Return the last deed with a text that caused a difference and still holds."""
        return next(reversed(self.holding(found)), None)

    def reason(self, found: RuleDifference) -> str:
        """Join the texts of all deeds that caused a difference: several packs may add to one list."""
        texts = (self.names.text(deed.text) for deed in self.holding(found) if deed.text is not None)
        return " ".join(dict.fromkeys(texts))

    def explained(self, found: RuleDifference) -> bool:
        """Whether a text for players explains a difference, so that the rules themselves are not shown."""
        if self.deed(found) is not None:
            return True
        if found.path == ():
            return False
        return any(one.path[:1] == ("text",) for one in self.of_thing[found.thing.id])


def _made(deed: Deed, found: RuleDifference) -> bool:
    """Whether a deed caused a difference: its new node contains the result, or it removed the old node."""
    if deed.new is not None and found.after is not None and found.after.span.within(deed.new.span):
        return True
    if deed.action in INSERTS or deed.place.document != found.thing.document:
        return False
    path = (*found.thing.path, *bare_path(found.thing.node, found.path))
    return deed.place.bare[: len(path)] == path or path[: len(deed.place.bare)] == deed.place.bare


def _over(later: Deed, deed: Deed, path: Path) -> bool:
    """Whether a later deed has replaced all of a deed's effect at a path."""
    if later.action in INSERTS or deed.action in INSERTS or later.place.document != deed.place.document:
        return False
    around = later.place.bare
    return path[: len(around)] == around or deed.place.bare[: len(around)] == around


def wording(found: RuleDifference) -> bool:
    """Whether only wording changes: a name, a text, a line of the log, or the name of a member."""
    path = found.path
    if found.thing.sort == "message":
        return bool(path)
    if found.thing.sort == "enumeration":
        return len(path) > 1 or (len(path) == 1 and found.change == "changed")
    return any(word in WORDS_OF for word in path[-2:])


def steps_of(node: Node | None, path: Path) -> int:
    """Return the number of words of a path that lead to the innermost step in it."""
    last = 0
    for number, word in enumerate(path):
        if isinstance(node, Block):
            node = node.get(word)
            continue
        items = getattr(node, "items", ())
        named = [item for item in items if step_id(item) == word]
        if not named and word.isdigit() and 0 < int(word) <= len(items):
            named = [items[int(word) - 1]]
        if not named:
            return last
        node, last = named[0], number + 1
    return last


def pieces(found: RuleDifference) -> tuple[Path, Path]:
    """Split the path of a difference into the path of the step and the path inside it."""
    nodes = (found.thing.node, found.was.node if found.was is not None else None)
    at = max(steps_of(node, found.path) for node in nodes)
    return found.path[:at], found.path[at:]
