"""Modifiers: what changes the result of a function, or a field of a kind, while it is active.

Each has hidden tracks that count how often it was started, one for each moment until which that may be. A field
that some modifier changes is read by generated functions. `KIND.FIELD` takes the definition in question and the
plain value; who reads calls `p.field_reader`, which asks whether it is of a kind for which the field is changed.
"""

from __future__ import annotations

from ruleset.check.scope import Bound, Contribution, Scope, Text, Unit
from ruleset.check.statements.checker import Code
from ruleset.check.statements.scoring import Scoring
from ruleset.check.statements.sentence_match import Match
from ruleset.common.nearest import nearest
from ruleset.language import ast as s
from ruleset.language.types import BOOLEAN, CARD, NUMBER, Type
from ruleset.program import nodes as p
from ruleset.source.reader import Mapping, Scalar
from ruleset.source.yaml_access import text_of
from ruleset.table import nodes as t

Done = tuple[Code, Scope]


class Modifiers(Scoring):
    """Checks what modifiers do, and the sentence `start`."""

    def _do_start(
        self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, outer: Scope, text: Text
    ) -> Done:
        what, when = (item for _, item in found.filled)
        modifiers = self.context.declared.modifiers
        word = what.text if isinstance(what, s.Name) else ""
        moment = when.text if isinstance(when, s.Name) else ""
        if word not in modifiers:
            if word in self.context.poisoned:
                return (), outer
            near = nearest(word, list(modifiers))
            hint = f"did you mean `{near}`?" if near else "declare it with `modifier: NAME`"
            self.context.report("RW420", text.span(what.start, what.end), f"there is no modifier `{word}`", hint)
            return (), outer
        if moment not in p.MOMENTS:
            hint = "write " + ", ".join(f"`until the {m} ends`" for m in p.MOMENTS)
            self.context.report("RW434", text.span(when.start, when.end), f"`{moment}` does not end", hint)
            return (), outer
        at = self._here(node, scope, text)
        self.context.refer(f"modifier/{word}", text.span(what.start, what.end))
        return (p.ChangeTrack(p.modifier_track(word, moment), (), t.Const(1), at),), outer

    def modified(self, changed: str, scope: Scope, result: int) -> Code:
        """What the active modifiers of a function, or of a field (`KIND.FIELD`), make of the value in a variable;
        `times` says how often each was started."""
        code: list[t.Stmt] = []
        for named in self.context.declared.modifiers.values():
            body = named.body
            if not isinstance(body, Mapping) or text_of(body, "changes") != changed:
                continue
            times = scope.unit.variable("times", NUMBER)
            total: t.Expr = t.Const(0)
            for moment in p.MOMENTS:
                track = p.TrackAt(p.modifier_track(named.key, moment), ())
                total = track if total == t.Const(0) else t.Checked("+", total, track, 0)
            inner = scope.bind("times", Bound(times, NUMBER))
            inner = inner.bind("result", Bound(result, scope.unit.variables[result].type))
            given = body.get("is")
            expected = scope.unit.variables[result].type
            value = self.expressions.read(given, inner, expected) if isinstance(given, Scalar) else None
            if value is None or not isinstance(value.node, t.Expr):
                continue
            active: t.Expr = t.Binary(">", p.Var(times), t.Const(0))
            when = body.get("when")
            if isinstance(when, Scalar):
                test = self.expressions.read(when, inner, BOOLEAN)
                if test is not None and isinstance(test.node, t.Expr):
                    active = t.And(active, test.node)
            made: tuple[t.Stmt, ...] = (p.SetVar(times, total), t.If(active, (p.SetVar(result, value.node),), ()))
            code += made
            self.context.contributed.append(Contribution("modifier", changed, "", named.span, made))
        return tuple(code)

    # -------------------------------------------------------------- fields

    def changed_fields(self) -> tuple[p.Function, ...]:
        """For each field that modifiers change: from a definition and the plain value to the value that holds."""
        changed = [(kind, word) for word, kinds in self.context.changed.items() for kind in kinds]
        return tuple(self._changed_field(kind, word) for kind, word in changed)

    def _changed_field(self, kind: str, word: str) -> p.Function:
        key, type_ = f"{kind}.{word}", self.context.declared.kinds[kind].fields[word].type
        first = next(m for m in self.context.declared.modifiers.values() if text_of(m.body, "changes") == key)
        unit, at = Unit(key), self.context.source(f"field/{key}", first.span)
        of = Type("definition", kind)
        item, plain = unit.variable(kind, of), unit.variable("plain", type_)
        result = unit.variable("result", type_)
        scope = Scope(unit, reading=True).bind(kind, Bound(item, of))
        code = (p.SetVar(result, p.Var(plain)), *self.modified(key, scope, result), t.Give(p.Var(result)))
        return p.Function(p.Unit(key, 2, tuple(unit.variables), code, at), False)

    def field_readers(self) -> tuple[p.Function, ...]:
        """The functions by which changed fields are read, of those that are."""
        return tuple(self._field_reader(*reader) for reader in sorted(self.context.readers))

    def _field_reader(self, word: str, changed: tuple[str, ...], definition: bool) -> p.Function:
        kinds = list(self.context.declared.kinds)
        unit = Unit(p.field_reader(word, changed, definition))
        item = p.Var(unit.variable("it", Type("definition") if definition else CARD))
        of = item if definition else p.DefinitionOf(item)
        plain = p.FieldOf(word, item, definition)
        code: Code = (t.Give(plain),)
        for kind in reversed(changed):
            its = t.Binary("==", p.KindOf(item, definition), t.Const(kinds.index(kind)))
            code = (t.If(its, (t.Give(p.Invocation(f"{kind}.{word}", (of, plain))),), code),)
        return p.Function(p.Unit(unit.key, 1, tuple(unit.variables), code, 0), False)
