"""Labels of document keys in `rulewright diff`, in English and Spanish."""

from __future__ import annotations

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
    "proof": ("proof", "prueba"),
    "challenge": ("challenge", "desafío"),
    "when-true": ("if it is true", "si es verdad"),
    "when-false": ("if it is a lie", "si es mentira"),
    "changes": ("what it changes", "qué cambia"),
    "if-nobody": ("if nobody is left", "si no queda nadie"),
    "steps": ("steps", "pasos"),
    "then": ("then", "después"),
    "plural": ("plural", "plural"),
}
"""The labels of document keys in sentences."""


def label(key: str, language: str) -> str | None:
    """Return the label of a document key, or None."""
    found = LABELS.get(key)
    return found[language == "es"] if found is not None else None
