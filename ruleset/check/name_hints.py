"""Report unknown names, with hints."""

from __future__ import annotations

from ruleset.check.context import Context
from ruleset.check.scope import Scope
from ruleset.common.nearest import nearest
from ruleset.common.span import Span

WORD_HINTS = {
    "my": "write `your`: `your hand`",
    "its": "write `it's`",
    "their": "say whose: `p's hand`",
    "it": "`it` is one of a list, inside of its `where`; elsewhere use the name that was given",
    "this": "`this` is the card or definition that declares an effect; a verb takes it as an argument",
    "home": "`home` stands only at the end of `move … to home`",
    "cards": "say where they are: `cards in hand`",
    "card": "say where they are: `cards in hand`",
    "times": "`times` is known in a modifier and in a hook that waits",
}


class NameHints:
    """Reports unknown names."""

    def __init__(self, context: Context) -> None:
        self.context = context

    def unknown(self, word: str, scope: Scope, span: Span) -> None:
        """Report an unknown name."""
        if self.context.trying:
            self.context.report("RW420", span, f"nothing is called `{word}` here")
            return
        if word in ("you", "others"):
            who = "say who: a step has `turns: …`, a function or verb takes a player"
            self.context.report("RW422", span, f"`{word}` has no meaning here: nobody acts or has the turn", who)
            return
        stranger = self.context.declared.stranger(word, span)
        if stranger:
            needed = f"`{stranger}` declares one: add it to `requires` in the pack.yaml of this pack"
            self.context.report("RW420", span, f"nothing is called `{word}` here", needed)
            return
        known = self.known(scope) if self.context.seeking() else []
        near = nearest(word, known)
        hint = f"did you mean `{near}`?" if near else None
        several = sorted(name for name in known if name.endswith(f"-{word}"))  # of unrelated packs
        if near is None and len(several) > 1:
            hint = f"did you mean {' or '.join(f'`{name}`' for name in several)}?"
        if scope.member is not None and word in ("card", "cards"):
            hint = "inside of `where` the one in question is `it`; or name it: `no c in … where …`"
            self.context.report("RW420", span, f"nothing is called `{word}` here", hint)
            return
        self.context.report("RW420", span, f"nothing is called `{word}` here", WORD_HINTS.get(word, hint))

    def without_value(self, word: str, span: Span) -> None:
        """Report a name from a surrounded effect that may have no value here."""
        message = f"`{word}` may have no value here: the effect gives it later, or only in a branch"
        hint = "a name that the effect always gives is known in `after`, and after `proceed` in the same text"
        self.context.report("RW444", span, message, hint)

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
        return [*scope.names, *sorted(scope.lost), *names]
