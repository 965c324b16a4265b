"""Hooks: code before, after, or instead of verbs and steps, at once or when awaited.

A hook with `waits` has a hidden track: how often each player has awaited it since it last ran for that player.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve

from rulewright.ruleset.check.context import Context
from rulewright.ruleset.check.scope import Bound, Contribution, Scope
from rulewright.ruleset.check.statements.verb_registry import Code
from rulewright.ruleset.documents.rules import Hook
from rulewright.ruleset.documents.steps import Body, Conditions
from rulewright.ruleset.language.types import NUMBER, PLAYER
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.table import nodes as t


class Hooks:
    """Checks hooks. `body` and `condition` check the parts of a hook as `StepChecker` does."""

    def __init__(
        self,
        context: Context,
        body: Callable[[Body | None, Scope], Code],
        condition: Callable[[Conditions | None, Scope], t.Expr | None],
    ) -> None:
        self.context = context
        self.body = body
        self.condition = condition

    def hooked(self, anchor: str, body: Code, scope: Scope) -> Code:
        """Return a body with the code of its hooks before, after, or instead of it, in the order of declaration."""
        before: list[t.Stmt] = []
        after: list[t.Stmt] = []
        for hook in self.context.declared.all_of(Hook).values():
            word = next((word for word, where in hook.anchors if where.text == anchor), None)
            if word is None:
                continue
            self.context.used.add(f"hook/{hook.key}/{anchor}")
            known = self._known(hook, scope)
            if hook.waits:
                code = self._awaited(hook, known)
            else:
                extra = self._happens(hook, known)
                test = self.condition(hook.when, known) or t.Const(1)
                code = (t.If(test, extra, body if word == "instead-of" else ()),)
            if word == "instead-of" and not hook.waits:
                self.context.proceeded_code[hook.span] = body
                body = code
            else:
                (before if word == "before" else after).extend(code)
            self.context.contributed.append(Contribution("hook", anchor, word, hook.span, code))
        return (*before, *body, *after)

    def _known(self, hook: Hook, scope: Scope) -> Scope:
        """Return the scope of a hook; with several places, only with the names that all of them have."""
        if len(hook.anchors) == 1:
            return scope
        verbs = {f"verb/{key}": one for key, one in self.context.declared.verbs.items()}
        places = [anchor.text for _, anchor in hook.anchors]
        holes = {place: dict(verbs[place].holes) if place in verbs else {} for place in places}
        lacking: dict[str, str] = {}
        for word in (*scope.names, *(word for names in holes.values() for word in names)):
            types = [names.get(word) for names in holes.values()]
            lacks = [place for place, of in zip(holes, types, strict=True) if of is None or of != types[0]]
            known = [place for place in lacks if place in verbs or place.startswith("step/")]
            if lacks:
                lacking[word] = known[0] if known else ""
        names = {word: bound for word, bound in scope.names.items() if word not in lacking}
        return evolve(scope, names=names, lacking=lacking)

    def _happens(self, hook: Hook, scope: Scope) -> Code:
        asked, own = scope.unit.choices, f"{hook.key}."
        again = tuple(key for key in asked if key.startswith(own)) if len(hook.anchors) > 1 else ()
        earlier = {key: asked.pop(key) for key in again}  # its choices have one id, wherever it happens
        body = self.body(hook.do, evolve(scope, prefix=hook.key))
        asked.update({key: max(number, asked.get(key, 0)) for key, number in earlier.items()})
        return (*self.context.covered(f"hook {hook.key}", hook.span), *body)

    # -------------------------------------------------------------- hooks that wait

    def _awaited(self, hook: Hook, scope: Scope) -> Code:
        """Return the code of a hook with `waits`: for the acting player or, without one, for all in the game."""
        if "times" in scope.names:
            message = f"`times` is a parameter here, but in `{hook.key}` it is how often the hook was awaited"
            hint = "rename the parameter in the sentence of the verb"
            self.context.report("RW432", hook.place("waits"), message, hint)
            return ()
        you = scope.you
        if you is not None and scope.unit.key == "main":
            return self._awaited_by(you, hook, scope)
        # Only play can tell whether a verb or effect has an acting player.
        seats: t.List = p.Living()
        if you is not None:
            seats = t.Choice(t.Binary("<", you, t.Const(0)), p.Living(), t.Items((you,)))
        seat = scope.unit.variable("you", PLAYER)
        at = self.context.source(f"hook/{hook.key}", hook.span)
        return (p.Loop(seat, seats, self._awaited_by(p.Var(seat), hook, scope), "seats", at),)

    def _awaited_by(self, seat: t.Expr, hook: Hook, scope: Scope) -> Code:
        unit, track = scope.unit, p.hook_track(hook.key)
        at = self.context.source(f"hook/{hook.key}", hook.span)
        times, label = unit.variable("times", NUMBER), unit.label()
        inner = evolve(scope.bind("times", Bound(times, NUMBER)), you=seat, exits={**scope.exits, "stop": label})
        body = self._happens(hook, inner)
        if label in unit.left.among(body):
            body = (p.Block(label, body),)
        active: t.Expr = t.Binary(">", p.Var(times), t.Const(0))
        test = self.condition(hook.when, inner)
        if test is not None:
            active = t.And(active, test)
        # The count is reset before the body runs, since the body may await the hook again.
        happens: Code = (p.AssignTrack(track, (seat,), t.Const(0), at), *body)
        return (p.SetVar(times, p.TrackAt(track, (seat,))), t.If(active, happens, ()))
