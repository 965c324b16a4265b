"""Modifiers and hooks that wait: what they name is there, and what the state keeps for them."""

from __future__ import annotations

from ruleset.check.definitions import meant
from ruleset.check.game_flow import GameChecks
from ruleset.check.statements.hooks import waits
from ruleset.common.diagnostic import Label
from ruleset.language.types import NUMBER
from ruleset.program import nodes as p
from ruleset.source.reader import Mapping, Scalar
from ruleset.table import nodes as t


class ModifierChecks(GameChecks):
    """Checks what modifiers change, and that hooks that wait are awaited."""

    def _modifiers_used(self) -> None:
        """What a modifier changes is a function of the pack or a field of a kind, with one value."""
        d = self.declared
        for named in d.modifiers.values():
            changed = named.body.get("changes") if isinstance(named.body, Mapping) else None
            if not isinstance(changed, Scalar) or {changed.text, *changed.text.split(".")} & self.context.poisoned:
                continue
            if "." in changed.text:
                self._field_to_change(changed)
                continue
            function = d.functions.get(changed.text)
            if function is None:
                fields = [f"{kind.key}.{word}" for kind in d.kinds.values() for word in kind.fields]
                so_called = [field for field in fields if field.split(".")[1] == changed.text]
                fields_said = " or ".join(f"`{field}`" for field in so_called[:3])
                near = f"a field is written with its kind: {fields_said}" if so_called else None
                near = near or meant(changed.text, d.functions, "functions")
                message = f"there is no function `{changed.text}` to change"
                self.context.report("RW430", changed.span, message, near)
            elif function.gives is not None and function.gives.many:
                label = Label(function.span, "declared here")
                message = f"`{changed.text}` gives a {function.gives}, and modifiers change single values only"
                self.context.report("RW424", changed.span, message, None, label)

    def _field_to_change(self, changed: Scalar) -> None:
        """Findings of a modifier that names a field, `KIND.FIELD`."""
        of, _, word = changed.text.partition(".")
        kind = self.declared.kinds.get(of)
        if kind is None:
            hint = meant(of, self.declared.kinds, "kinds")
            self.context.report("RW309", changed.span, f"there is no kind `{of}`", hint)
            return
        label = Label(kind.span, "the kind is declared here")
        field = kind.fields.get(word)
        if word in kind.expressions:
            message = f"each {of} works out its `{word}` itself, and modifiers change fields and functions only"
            self.context.report("RW424", changed.span, message, None, label)
        elif field is None:
            hint = meant(word, kind.fields, "fields")
            self.context.report("RW311", changed.span, f"a {of} has no field `{word}`", hint, label)
        elif of not in self.context.changed.get(word, ()):
            holds = "list" if field.many else str(field.type)
            message = f"`{changed.text}` holds a {holds}, and modifiers change numbers and truth values only"
            self.context.report("RW424", changed.span, message, None, label)

    def _hooks_awaited(self) -> None:
        """A hook that waits, and that nothing awaits, would never happen."""
        for named in self.declared.hooks.values():
            if waits(named) and f"await/{named.key}" not in self.context.used:
                hint = f"say `await {named.key}` where it is to happen later, or leave `waits` out"
                message = f"nothing awaits the hook `{named.key}`"
                self.context.report("RW320", named.span, message, hint)

    # -------------------------------------------------------------- the state

    def _counting_tracks(self) -> tuple[p.Track, ...]:
        """How often each modifier was started, and how often each player has awaited each hook that waits."""
        d = self.declared
        modifiers = [p.modifier_track(key, moment) for key in d.modifiers for moment in p.MOMENTS]
        hooks = [p.hook_track(named.key) for named in d.hooks.values() if waits(named)]
        return (*(_counter(key, ()) for key in modifiers), *(_counter(key, ("player",)) for key in hooks))


def _counter(key: str, scope: tuple[str, ...]) -> p.Track:
    return p.Track(key, scope, NUMBER, 0, 1000, False, t.Const(0), "all", "nobody", False)
