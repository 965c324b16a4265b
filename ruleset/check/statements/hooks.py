"""Hooks: what content hangs before, after or in the place of verbs and steps, at once or when it was awaited.

A hook that waits has a hidden track: how often each player has awaited it since it last happened to that player.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve

from ruleset.check.context import Context
from ruleset.check.scope import Bound, Contribution, Scope
from ruleset.check.statements.verb_registry import Code
from ruleset.declare.declarations import Named
from ruleset.language.types import NUMBER, PLAYER
from ruleset.program import nodes as p
from ruleset.source.reader import Mapping, Node
from ruleset.source.yaml_access import text_of
from ruleset.table import nodes as t

ANCHORS = ("before", "after", "instead-of")
"""The keys that say where a hook hangs."""


class Hooks:
    """Checks hooks. `body` and `condition` check what a hook says as `StepChecker` does."""

    def __init__(
        self,
        context: Context,
        body: Callable[[Node | None, Scope], Code],
        condition: Callable[[Node | None, Scope], t.Expr | None],
    ) -> None:
        self.context = context
        self.body = body
        self.condition = condition

    def hooked(self, anchor: str, body: Code, scope: Scope) -> Code:
        """A body with what content has hooked before it, after it or in its place, in the order of declaration."""
        before: list[t.Stmt] = []
        after: list[t.Stmt] = []
        for named in self.context.declared.hooks.values():
            node = named.body
            word = next((w for w in ANCHORS if text_of(node, w) == anchor), None)
            if word is None or not isinstance(node, Mapping):
                continue
            self.context.used.add(f"hook/{named.key}")
            if waits(named):
                code = self._awaited(named, node, scope)
            else:
                extra = self._happens(named, node, scope)
                test = self.condition(node.get("when"), scope) or t.Const(1)
                code = (t.If(test, extra, body if word == "instead-of" else ()),)
            if word == "instead-of" and not waits(named):
                self.context.proceeded_code[named.span] = body
                body = code
            else:
                (before if word == "before" else after).extend(code)
            self.context.contributed.append(Contribution("hook", anchor, word, named.span, code))
        return (*before, *body, *after)

    def _happens(self, named: Named, node: Mapping, scope: Scope) -> Code:
        body = self.body(node.get("do"), evolve(scope, prefix=named.key))
        return (*self.context.covered(f"hook {named.key}", named.span), *body)

    # -------------------------------------------------------------- hooks that wait

    def _awaited(self, named: Named, node: Mapping, scope: Scope) -> Code:
        """A hook that waits, for who acts; where nobody acts, for each player still in the game."""
        if "times" in scope.names:
            key = node.key("waits")
            message = f"`times` has a meaning here already; in `{named.key}` it says how often it was awaited"
            hint = "give the hole of the verb's sentence another name"
            self.context.report("RW432", key.span if key is not None else named.span, message, hint)
            return ()
        you = scope.you
        if you is not None and scope.unit.key == "main":
            return self._awaited_by(you, named, node, scope)
        # A verb or effect may be done by nobody, which only play can tell.
        seats: t.List = p.Living()
        if you is not None:
            seats = t.Choice(t.Binary("<", you, t.Const(0)), p.Living(), t.Items((you,)))
        seat = scope.unit.variable("you", PLAYER)
        at = self.context.source(f"hook/{named.key}", named.span)
        return (p.Loop(seat, seats, self._awaited_by(p.Var(seat), named, node, scope), "seats", at),)

    def _awaited_by(self, seat: t.Expr, named: Named, node: Mapping, scope: Scope) -> Code:
        unit, track = scope.unit, p.hook_track(named.key)
        at = self.context.source(f"hook/{named.key}", named.span)
        times, label = unit.variable("times", NUMBER), unit.label()
        inner = evolve(scope.bind("times", Bound(times, NUMBER)), you=seat, exits={**scope.exits, "stop": label})
        body = self._happens(named, node, inner)
        if label in unit.left.among(body):
            body = (p.Block(label, body),)
        active: t.Expr = t.Binary(">", p.Var(times), t.Const(0))
        test = self.condition(node.get("when"), inner)
        if test is not None:
            active = t.And(active, test)
        # The count is taken before the body runs, which may await the hook again for the next time.
        happens: Code = (p.AssignTrack(track, (seat,), t.Const(0), at), *body)
        return (p.SetVar(times, p.TrackAt(track, (seat,))), t.If(active, happens, ()))


def waits(named: Named) -> bool:
    """Whether a hook happens only to who has awaited it."""
    return text_of(named.body, "waits") == "true"
