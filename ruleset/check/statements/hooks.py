"""Hooks: what content hangs before, after or in the place of verbs and steps, at once or when it was awaited.

A hook that waits has a hidden track: how often each player has awaited it since it last happened to that player.
"""

from __future__ import annotations

from attrs import evolve

from ruleset.check.scope import Bound, Contribution, Scope, Text
from ruleset.check.statements.checker import Code, Statements
from ruleset.check.statements.sentence_match import Match
from ruleset.common.diagnostic import Label
from ruleset.common.nearest import nearest
from ruleset.declare.declarations import Named
from ruleset.language import ast as s
from ruleset.language.types import NUMBER, PLAYER
from ruleset.program import nodes as p
from ruleset.source.reader import Mapping, Node
from ruleset.source.yaml_access import text_of
from ruleset.table import nodes as t

ANCHORS = ("before", "after", "instead-of")
"""The keys that say where a hook hangs."""

Done = tuple[Code, Scope]


class Hooks(Statements):
    """Checks hooks and the sentence `await`."""

    # implemented by Flow
    def body(self, node: Node | None, scope: Scope) -> Code:
        raise NotImplementedError

    def condition(self, node: Node | None, scope: Scope) -> t.Expr | None:
        raise NotImplementedError

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

    def _do_await(
        self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, outer: Scope, text: Text
    ) -> Done:
        item = found.filled[0][1]
        word = item.text if isinstance(item, s.Name) else ""
        span = text.span(item.start, item.end)
        named = self.context.declared.hooks.get(word)
        if named is None:
            self._no_hook(word, item, text)
            return (), outer
        self.context.refer(f"hook/{word}", span)
        self.context.used.add(f"await/{word}")
        if not waits(named):
            label = Label(named.span, "the hook is declared here")
            hint = "add `waits: true` to the hook, or leave this sentence out"
            message = f"`{word}` waits for nobody: it happens every time"
            self.context.report("RW443", span, message, hint, label)
            return (), outer
        if seat is None:
            hint = "say who: `p awaits …`"
            self.context.report("RW422", text.span(node.start, node.end), "nobody's turn says who awaits", hint)
            return (), outer
        return (p.ChangeTrack(p.hook_track(word), (seat,), t.Const(1), self._here(node, scope, text)),), outer

    def _no_hook(self, word: str, item: s.Node, text: Text) -> None:
        if word in self.context.poisoned:
            return
        hooks = self.context.declared.hooks
        near = nearest(word, [key for key, named in hooks.items() if waits(named)]) or nearest(word, list(hooks))
        hint = f"did you mean `{near}`?" if near else "declare it with `hook: NAME` and `waits: true`"
        shown = text.says(item.start, item.end)
        self.context.report("RW420", text.span(item.start, item.end), f"there is no hook `{shown}`", hint)


def waits(named: Named) -> bool:
    """Whether a hook happens only to who has awaited it."""
    return text_of(named.body, "waits") == "true"
