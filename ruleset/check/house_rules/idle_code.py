"""Find inserts, hooks, and modifiers of packs on top that do nothing; each is a warning.

The condition never holds, the code only proceeds, or it makes no difference, such as `coins += 0`. Verbs that a
stranger has changed are opaque: the verdict on a pack must not depend on packs that its author does not know. A
step with `do: do nothing` is a place for hooks and other packs, and is not reported.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from functools import cache
from typing import Any

from rulewright.ruleset.check.context import Context
from rulewright.ruleset.check.house_rules.put_code import REST, apart, around_expression, inserted
from rulewright.ruleset.check.scope import Contribution
from rulewright.ruleset.common.diagnostic import Diagnostic
from rulewright.ruleset.common.span import Span
from rulewright.ruleset.compose.weave import Insert
from rulewright.ruleset.declare.declarations import Declared
from rulewright.ruleset.documents.rules import Hook
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.exclusion import never
from rulewright.ruleset.program.nothing import Doing, simple
from rulewright.ruleset.program.traversal import everything
from rulewright.ruleset.table import nodes as t

_NEVER_HAPPENS = "never happens: its condition cannot hold"
_NEVER_ACTIVE = "is never active: its condition cannot hold"
_ONLY_PROCEEDS = "only proceeds, so it has no effect"
_DOES_NOTHING = "has no effect"
_SAME_VALUE = "gives the same value, so it has no effect"
_HINTS = {
    _NEVER_HAPPENS: "check the condition",
    _NEVER_ACTIVE: "check the condition",
    _SAME_VALUE: "remove it, or write another value of `proceed`",
    _ONLY_PROCEEDS: "remove it, or add sentences before or after `proceed`",
    _DOES_NOTHING: "remove it, or write sentences with an effect",
}


def idle_code(declared: Declared, context: Context, units: dict[str, p.Unit]) -> Iterator[Diagnostic]:
    """Yield a warning for each insert, hook, and modifier of a pack on top that makes no difference anywhere."""
    finder = _Finder(declared, context, units)
    found: dict[Span, list[tuple[str, str]]] = {}
    for insert in declared.inserts:
        what = f"the insert of `{insert.pack}` {insert.word} `{insert.anchor}`"
        found.setdefault(insert.span, []).append((what, finder.insert(insert)))
    for one in context.contributed:
        pack = declared.owners.get(one.span.path)
        if pack is not None:
            what = f"this {one.category} of `{pack}`"
            found.setdefault(one.span, []).append((what, finder.contribution(one, pack)))
    for span, places in found.items():
        if all(why for _, why in places):
            what, why = places[0]
            yield Diagnostic("RW639", span, f"{what} {why}", _HINTS[why])


class _Finder:
    """Explains why an addition of a pack makes no difference; empty if it may make one."""

    def __init__(self, declared: Declared, context: Context, units: dict[str, p.Unit]) -> None:
        self.declared, self.context = declared, context
        self.doing = cache(lambda pack: Doing(units, self._opaque(pack)))

    def insert(self, insert: Insert) -> str:
        """Judge an insert. An insert around no code is not judged: another pack may have emptied that code."""
        expression = around_expression(insert, self.context)
        if expression:
            return _idle_expression(expression)
        code, rest = inserted(insert, self.context)
        known = insert.node.span in self.context.inserted_code or bool(code)
        if not known or (insert.word == "around" and not rest):
            return ""
        return self._idle(code, rest, insert.pack)

    def contribution(self, one: Contribution, pack: str) -> str:
        """Judge a hook or modifier."""
        if one.category == "modifier":
            return _idle_modifier(one.code)
        rest = self.context.proceeded_code.get(one.span, ())
        if one.word == "instead-of":
            return _NEVER_HAPPENS if rest and self._idle(one.code, rest, pack) else ""
        return self._idle(one.code, rest, pack)

    def _idle(self, code: Sequence[t.Stmt], rest: tuple[t.Stmt, ...], pack: str) -> str:
        own, _ = apart(tuple(code), rest)
        if _dead(own):
            return _NEVER_HAPPENS
        left = self.doing(pack).what(own)
        if _a_place(own) or any(statement != REST for statement in left) or bool(rest) != bool(left):
            return ""
        return _ONLY_PROCEEDS if rest else _DOES_NOTHING

    def _opaque(self, pack: str) -> Container[str]:
        """Return the verbs changed by packs that the author of this one does not know."""
        known = {pack, *self.declared.seen.get(pack, ())}
        return changed_verbs(self.declared, frozenset(self.declared.owners.values()) - known)


def changed_verbs(declared: Declared, by: Container[str]) -> dict[str, Span]:
    """Return the verbs that these packs have changed, and the places of the changes."""
    put = [(one.pack, one.anchor, one.span) for one in declared.inserts]
    for hook in declared.all_of(Hook).values():
        pack = declared.owners.get(hook.span.path, "")
        put += [(pack, anchor.text, hook.span) for _, anchor in hook.anchors]
    changed = {anchor.removeprefix("verb/"): span for pack, anchor, span in put if pack in by}
    for key, verb in declared.verbs.items():
        does = verb.body.do
        if does is not None and declared.owners.get(does.span.path, "") in by:
            changed[key] = does.span
    return changed


def _a_place(code: Sequence[t.Stmt]) -> bool:
    """Whether code only emits the events of a step that begins."""
    told = False
    for node in (node for one in code for node in everything(one) if isinstance(node, t.Stmt)):
        if node is REST or not isinstance(node, t.Emit | p.Block):
            return False
        told = told or isinstance(node, t.Emit)
    return told


def _idle_expression(code: Sequence[t.Stmt]) -> str:
    (given,) = code
    if isinstance(given, p.SetListVar):
        return _SAME_VALUE if given.items == p.ListVar(given.variable) else ""
    same = isinstance(given, p.SetVar) and simple(given.value) == p.Var(given.variable)
    return _SAME_VALUE if same else ""


def _idle_modifier(code: Sequence[t.Stmt]) -> str:
    if _dead(code):
        return _NEVER_ACTIVE
    for statement in code:
        if isinstance(statement, t.If) and len(statement.then) == 1 and isinstance(statement.then[0], p.SetVar):
            change = statement.then[0]
            return _DOES_NOTHING if simple(change.value) == p.Var(change.variable) else ""
    return ""


def _dead(code: Sequence[Any]) -> bool:
    """Whether all of it is under conditions that never hold."""
    return bool(code) and all(map(_never_reached, code))


def _never_reached(statement: Any) -> bool:
    if isinstance(statement, p.Block):
        return _dead(statement.body)
    if not isinstance(statement, t.If):
        return False
    fails, holds = never(statement.condition), never(t.Not(statement.condition))
    return (fails or _dead(statement.then)) and (holds or not statement.otherwise or _dead(statement.otherwise))
