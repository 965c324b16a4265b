"""The messages of `rulewright diff`, in both languages, with plurals for numbers.

A sentence begins with `{thing}`: sentences that differ only in the thing are merged, and `{n}` is the number of
things.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulewright.ruleset.table.message import Value, format_message, parse

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
