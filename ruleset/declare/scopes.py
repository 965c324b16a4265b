"""Read the scopes of zones, tracks, and lists, and what fields have a value for each of."""

from __future__ import annotations

from rulewright.ruleset.common.diagnostic import Label
from rulewright.ruleset.common.span import Span
from rulewright.ruleset.declare.collector import Collecting, near_hint
from rulewright.ruleset.language.types import Type
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.source.nodes import Scalar


class Scopes(Collecting):
    """Reads scopes, and reports those that do not exist."""

    def _no_scope(self, span: Span, scope: str, message: str, hint: str | None) -> None:
        """Report an invalid scope, unless it is a kind whose declaration has findings."""
        if scope not in self.poisoned:
            self.report("RW318", span, message, hint)

    def _scope(self, scope: Scalar) -> str:
        """Return the scope of a track or list. Before format 3, a kind with cards meant each card."""
        old = scope.span.path in self.older and scope.text in self.out.card_kinds()
        return scope.text + p.EACH_CARD if old else scope.text

    def _is_scope(self, scope: Scalar) -> bool:
        """Whether a track or list can have this scope; otherwise report it."""
        word = scope.text
        kind = self.out.kinds.get(p.scope_kind(word)) if word.endswith(p.EACH_CARD) else None
        if kind is not None and kind.abstract:
            label = Label(kind.span, "declared with `cards: false`")
            message = f"a `{kind.key}` is not a card, so there is none for each card"
            self.report("RW318", scope.span, message, f"write `{kind.key}`: one for each definition", label)
            return False
        if kind is None and word not in ("game", "player", *self.out.enumerations, *self.out.kinds):
            self._no_scope(scope.span, p.scope_kind(word), *self._one_of_scopes(word))
            return False
        return True

    def _one_of_scopes(self, scope: str) -> tuple[str, str | None]:
        """Return message and hint for a word that is no scope."""
        known = ["game", "player", *self.out.enumerations, *self.out.kinds]
        known += [f"{kind}{p.EACH_CARD}" for kind in self.out.kinds]
        return f"`{scope}` is not `game`, `player`, an enumeration, or a kind", near_hint(scope, known)

    def _no_per(self, per: Scalar, type_: Type) -> None:
        """Report a field that can have no value for each of these."""
        if per.text in self.out.enumerations:
            message = f"a field has one value for each `{per.text}`, and this type is a list"
            self.report("RW318", per.span, message, "remove `list of`, or remove `per`")
        elif per.text not in self.poisoned:
            hint = near_hint(per.text, ["copy", *self.out.enumerations])
            self._no_scope(per.span, per.text, f"`{per.text}` is not `copy` or an enumeration", hint)
