"""The expressions of documents that changes can put others around."""

from __future__ import annotations

from collections.abc import Collection

from attrs import evolve

from rulewright.ruleset.compose.anchors import FLOW, Place
from rulewright.ruleset.source.node_edit import part
from rulewright.ruleset.source.nodes import Node, Scalar
from rulewright.ruleset.source.reader import Document

_KEYS = {
    "award": ("when", "sum", "majority", "rank", "at-least", "alone", "shared"),
    "claim": ("proof", "asks"),
    "function": ("is", "cases"),
    "modifier": ("while", "is", "when"),
    "winner": ("when", "among"),
    "series": ("until", "score"),
    "window": ("asks",),
    "round": ("turns-from", "until"),
}
"""Keys with expressions, by the kind of the document."""
_OF_STEPS = (
    "when", "unless", "turns", "until", "queue", "together", "from", "while", "among", "by", "first-in",
    "chosen-by",
)  # fmt: skip
"""Keys of steps and options with expressions."""
_WITH_STEPS = (*FLOW, "series", "verb", "hook", "window", "claim")


def expression_at(place: Place, document: Document, own: Collection[str]) -> Place | None:
    """Return the place of the expression that an id names: that of a function is what it gives.

    `own` are the expressions that the kind of a definition declares.
    """
    if document.kind == "function" and place.path in ((), ("is",), ("cases",)):
        key = next((one for one in ("is", "cases") if document.root.get(one) is not None), "")
        whole = place.id.removesuffix(f".{key}") if place.path else place.id
        return evolve(place, id=whole, path=(key,), bare=(key,)) if key else None
    last = place.path[-1] if place.path else ""
    known = last in _KEYS.get(document.kind, ()) or (len(place.path) == 1 and last in own)
    of_step = last in _OF_STEPS and document.kind in _WITH_STEPS and place.path[-2:-1] != ("options",)
    return place if (known or of_step) and _is_expression(part(document.root, place.path)) else None


def _is_expression(node: Node | None) -> bool:
    return isinstance(node, Scalar) and node.text != "otherwise"
