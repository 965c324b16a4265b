"""Report unknown names, with hints."""

from __future__ import annotations

from rulewright.ruleset.check.context import Context
from rulewright.ruleset.check.scope import Scope
from rulewright.ruleset.common.listing import listed
from rulewright.ruleset.common.nearest import nearest
from rulewright.ruleset.common.span import Span
from rulewright.ruleset.language.types import BOOLEAN, CARD, NUMBER, PLAYER, ZONE, Type, accepts

WORD_HINTS = {
    "my": "write `your`: `your hand`",
    "its": "write `it's`",
    "their": "say whose: `p's hand`",
    "it": "`it` is the member of a list, inside `where`; elsewhere use the name given by `as`, `let` or `each`",
    "this": "`this` is known only in effects and expressions of cards and definitions; give a verb a parameter",
    "home": "`home` can only be the end of `move … to home`",
    "cards": "say where they are: `cards in hand`",
    "card": "say where they are: `cards in hand`",
    "proceed": "`proceed` is known only in the `around` of a change, where it is what was there before",
    "moved": "`moved` is known only in hooks with `before: move` or `after: move`",
    "result": "`result` is known only in `is` and `when` of modifiers",
    "times": "`times` is known only in modifiers and in hooks with `waits`",
}


class NameHints:
    """Reports unknown names."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.wanted: Type | None = None
        """The type that an operator expects of the name that is its operand."""

    def unknown(self, word: str, scope: Scope, span: Span, expected: Type | None = None) -> None:
        """Report an unknown name; near names of the expected type come first."""
        if self.context.trying:
            self.context.report("RW420", span, f"nothing is called `{word}` here")
            return
        if word in ("you", "others"):
            advice = "name a player, or give the step `turns: …`; a function or verb can take a player"
            message = f"`{word}` has no meaning here: no player acts or has the turn"
            self.context.report("RW422", span, message, advice)
            return
        hint = self._hint(word, scope, span, expected)
        self.context.report("RW420", span, f"nothing is called `{word}` here", hint)

    def _hint(self, word: str, scope: Scope, span: Span, expected: Type | None) -> str | None:
        stranger = self.context.declared.stranger(word, span)
        if stranger:
            return f"`{stranger}` declares one: add `{stranger}` to `requires` in the pack.yaml of this pack"
        if scope.member is not None and word in ("card", "cards"):
            return "inside `where`, the card is `it`; or name it: `no c in … where …`"
        if word in WORD_HINTS:
            return WORD_HINTS[word]
        owner = self._parameter_of(word, scope)
        if owner:
            return f"`{word}` is a parameter of `{owner}`, and known only there"
        known = self.known(scope) if self.context.seeking() else []
        wanted = expected if expected is not None else self.wanted
        near = nearest(word, self._fitting(known, scope, wanted)) if wanted is not None else None
        near = near or nearest(word, known)
        several = sorted(name for name in known if name.endswith(f"-{word}"))  # of unrelated packs
        if near is None and len(several) > 1:
            return f"did you mean {listed(several, 'or')}?"
        return f"did you mean `{near}`?" if near else None

    def _parameter_of(self, word: str, scope: Scope) -> str:
        """Return the effect, window, or claim that has a parameter of this name; of effects, one of `this`."""
        context, this = self.context, scope.names.get("this")
        kind = context.declared.kinds.get(this.type.of) if this is not None else None
        for effect in kind.effects.values() if kind is not None else ():
            if any(name == word for name, _ in effect.parameters):
                return effect.key
        return next((of.partition("/")[2] for of, takes in context.takes.items() if word in dict(takes)), "")

    def _fitting(self, known: list[str], scope: Scope, wanted: Type) -> list[str]:
        """Return the names whose values have the wanted type, so that a suggestion is one that fits."""
        d = self.context.declared
        types: dict[str, Type] = {key: info[1].of for key, info in d.tracks.items()}
        types |= {key: info[1].of.list for key, info in d.lists.items()}
        types |= dict.fromkeys(d.zones, CARD.list) | dict.fromkeys((*d.values, "score"), NUMBER)
        types |= {key: one.gives or BOOLEAN for key, one in d.functions.items() if not one.takes}
        types |= {key: Type("definition", one.kind) for key, one in d.definitions.items()}
        types |= dict.fromkeys(("players", "others", "all-players"), PLAYER.list) | {"you": PLAYER}
        types |= {name: bound.type for name, bound in scope.names.items()}
        fitting = {name for name, type_ in types.items() if accepts(wanted, type_)}
        fitting |= {*d.zones} if wanted == ZONE else set()
        return [name for name in known if name in fitting]

    def without_value(self, word: str, span: Span) -> None:
        """Report a name from a surrounded effect that may have no value here."""
        message = f"`{word}` may have no value here: the effect gives it later, or only in a branch"
        hint = "use the name in `after`, or after `proceed`, where all names that the effect always gives are known"
        self.context.report("RW444", span, message, hint)

    def not_at_every_place(self, word: str, place: str, span: Span) -> None:
        """Report a name in a hook with several places that not all of these have."""
        message = f"`{place}` is also a place of this hook, and has no `{word}` of this type"
        hint = "use names that all its places have with one type, or write a hook for each place"
        self.context.report("RW461", span, message, hint)

    def known(self, scope: Scope) -> list[str]:
        """Return all names that are known here."""
        d = self.context.declared
        groups = (d.zones, d.tracks, d.lists, d.values, d.options, d.functions, d.definitions, d.kinds, d.plurals)
        names = [name for group in groups for name in group]
        names += [member for _, members in d.enumerations.values() for member in members]
        if scope.member is not None:
            names += [f for kind in scope.member.kinds for f in d.kinds[kind].fields]
        names += [word for word in self.context.poisoned if " " not in word]
        names += ["players", "others", "all-players", "you", "it", "none", "this", "true", "false", "home", "score"]
        names += ["empty"]  # of `is empty`
        return [*scope.names, *sorted(scope.lost), *names]
