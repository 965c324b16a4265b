"""Sentences with what packs put before, behind and around them: the code of a body woven with its inserts."""

from __future__ import annotations

from functools import partial

from attrs import evolve

from ruleset import syntax as s
from ruleset import table as t
from ruleset.document import Node
from ruleset.hooking import Done, Hooks
from ruleset.matching import Match
from ruleset.scope import Original, Scope, Text
from ruleset.span import Span
from ruleset.statements import Code


class Weaving(Hooks):
    """Weaves bodies, and checks the sentence `proceed`."""

    def woven(self, span: Span, body: Original, scope: Scope) -> Code:
        """The code of what stands at a place, with what packs put there. All is made in the order in which it is
        done, as if it had been written so by hand."""
        weave = self.context.declared.woven.get(span)
        if weave is None:
            return body()
        for node in weave.around:
            body = partial(self._around, node, body, scope)
        code = [statement for node in weave.before for statement in self._inserted(node, scope)]
        code += body()
        code += [statement for node in weave.after for statement in self._inserted(node, scope)]
        return tuple(code)

    def _around(self, node: Node, body: Original, scope: Scope) -> Code:
        carried = self.context.carried.setdefault(node.span, 0)
        code = self._inserted(node, evolve(scope, original=(node.span, body)))
        times = self.context.carried[node.span] - carried
        if times != 1:
            count = "twice or more" if times else "nowhere"
            hint = "say it once, where the rest is to happen; what takes the place of all is `set`"
            self.context.report("RW629", node.span, f"`proceed` stands {count} in this", hint)
        return code

    def _inserted(self, node: Node, scope: Scope) -> Code:
        """The code of something that a pack put there. Its choices have ids of their own."""
        pack = self.context.declared.owners.get(node.span.path)
        prefix = f"{scope.prefix or scope.unit.key}.{pack}" if pack is not None else scope.prefix
        code = self.body(node, evolve(scope, prefix=prefix))
        self.context.inserted[node.span] = code
        return code

    def _do_proceed(
        self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, outer: Scope, text: Text
    ) -> Done:
        if scope.original is None:
            hint = "it is for `around` in a change, and means what stands there otherwise"
            self.context.report("RW434", text.span(node.start, node.end), "there is nothing to proceed with", hint)
            return (), outer
        span, body = scope.original
        self.context.carried[span] += 1
        return body(), outer
