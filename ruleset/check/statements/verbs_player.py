"""The kernel's verbs about players, lists, ends and effects."""

from __future__ import annotations

from attrs import evolve

from ruleset.check.expressions.fitting import sure
from ruleset.check.scope import Scope, Text, Value
from ruleset.check.statements.sentence_match import Match
from ruleset.check.statements.sentences import Done
from ruleset.check.statements.verbs_choice import Choosing
from ruleset.common.nearest import nearest
from ruleset.language import ast as s
from ruleset.language.types import BOOLEAN, NUMBER, PLAYER
from ruleset.program import nodes as p
from ruleset.table import nodes as t


class Acting(Choosing):
    """Checks the remaining sentences of the kernel."""

    # -------------------------------------------------------------- players, lists, ends

    def _do_eliminate(
        self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, outer: Scope, text: Text
    ) -> Done:
        item = found.filled[0][1]
        who = self.expressions.check(item, scope, text, PLAYER)
        if who is None:
            return (), outer
        gone = self.context.present(who, text.span(item.start, item.end))
        return (p.Eliminate(gone, self._here(node, scope, text)),), outer

    def _listed_member(self, found: Match, scope: Scope, text: Text) -> tuple[str, t.Expr | None, Value] | None:
        """The list of a sentence, whose it is, and the member."""
        what, where = (item for _, item in found.filled)
        target = self.expressions.check(where, scope, text)
        if target is None:
            return None
        if target.target is None or target.target.category != "list":
            hint = "cards are moved with `move`; lists of the state are declared under `lists`"
            self.context.report("RW431", text.span(where.start, where.end), "this is not a list of the state", hint)
            return None
        value = self.expressions.check(what, scope, text, target.type.one)
        if value is None:
            return None
        indices = target.target.indices
        return target.target.key, indices[0] if indices else None, value

    def _do_add(
        self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, outer: Scope, text: Text
    ) -> Done:
        member = self._listed_member(found, scope, text)
        if member is None:
            return (), outer
        item = found.filled[0][1]
        key, index, value = member
        value = (
            sure(self.context, value, text.span(item.start, item.end)) if value.type in (NUMBER, BOOLEAN) else value
        )
        assert isinstance(value.node, t.Expr)
        at = self._here(node, scope, text)
        if not value.maybe:
            return (p.AppendTo(key, index, value.node, at),), outer
        # Nothing is in no list: whatever goes through one finds something.
        kept = scope.unit.variable("added", value.type)
        added = p.AppendTo(key, index, p.Var(kept), at)
        there = t.Binary(">=", p.Var(kept), t.Const(0))
        return (p.SetVar(kept, value.node), t.If(there, (added,), ())), outer

    def _do_remove(
        self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, outer: Scope, text: Text
    ) -> Done:
        member = self._listed_member(found, scope, text)
        if member is None or not isinstance(member[2].node, t.Expr):
            return (), outer
        return (p.RemoveFrom(member[0], member[1], member[2].node),), outer

    def _do_end(
        self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, outer: Scope, text: Text
    ) -> Done:
        item = found.filled[0][1]
        word = item.text if isinstance(item, s.Name) else ""
        if word == "game":
            return (p.EndGame(),), outer
        if word in scope.exits:
            return (p.Leave(scope.exits[word]),), outer
        exits = [name for name in ("step", "turn", "phase", "round") if name in scope.exits] + ["game"]
        near = nearest(word, ["step", "turn", "phase", "round", "game"])
        hint = "here one can end " + ", ".join(f"`{name}`" for name in exits)
        hint = f"did you mean `{near}`?" if near in exits else hint
        shown = text.says(item.start, item.end)
        self.context.report("RW434", text.span(item.start, item.end), f"no `{shown}` encloses this effect", hint)
        return (), outer

    def _do_announce(
        self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, outer: Scope, text: Text
    ) -> Done:
        item = found.filled[0][1]
        word = item.text if isinstance(item, s.Name) else ""
        messages = self.context.declared.messages
        if word not in messages:
            if word not in self.context.poisoned:
                near = nearest(word, list(messages))
                hint = f"did you mean `{near}`?" if near else "declare it in the section `messages`"
                shown = text.says(item.start, item.end)
                message = f"there is no message `{shown}`"
                self.context.report("RW420", text.span(item.start, item.end), message, hint)
            return (), outer
        self.context.used.add(f"message/{word}")
        self.context.refer(f"message/{word}", text.span(item.start, item.end))
        at = self.context.source(f"message/{word}", text.span(node.start, node.end))
        everybody, who = t.Const(-1), seat if seat is not None else t.Const(-1)
        return (t.Emit("announced", (who,), None, everybody, everybody, at),), outer

    def _do_stop(
        self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, outer: Scope, text: Text
    ) -> Done:
        if "stop" in scope.exits:
            return (p.Leave(scope.exits["stop"]),), outer
        return (p.Leave(0),), outer

    def _do_nothing(
        self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, outer: Scope, text: Text
    ) -> Done:
        return (), outer

    def _do_perform(
        self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, outer: Scope, text: Text
    ) -> Done:
        item = found.filled[0][1]
        if not isinstance(item, s.Of):
            self.context.report(
                "RW433", text.span(item.start, item.end), "expected `x's EFFECT`", "such as `card's play`"
            )
            return (), outer
        owner = self.expressions.check(item.owner, scope, text)
        if owner is None:
            return (), outer
        word = item.name.text
        effect = (
            self.expressions.names.properties.effect_of(owner.type, word)
            if owner.type.name in ("card", "definition")
            else None
        )
        if effect is None or owner.type.many or not isinstance(owner.node, t.Expr):
            kinds = self.context.declared.kinds
            names = [name for kind in kinds.values() for name in kind.effects]
            near = nearest(word, names)
            hint = f"did you mean `{near}`?" if near else "effects are declared by kinds: " + ", ".join(names)
            message = f"a {owner.type} has no effect `{word}`"
            self.context.report("RW433", text.span(item.name.start, item.name.end), message, hint)
            return (), outer
        self.expressions.names.properties.refer_to_effect(
            owner.type, word, text.span(item.name.start, item.name.end)
        )
        given = {name.text: (name, value) for name, value in node.given}
        card: t.Expr = owner.node
        at = self.context.source(f"effect/{word}", text.span(node.start, node.end))
        if owner.maybe:
            card = t.Present(card, at)
        place = (
            self.argument(evolve(owner, node=card, maybe=False))[1] if owner.type.name == "card" else t.Const(-1)
        )
        kind = self.context.declared.kinds.get(owner.type.of)
        this = card if owner.type.name == "card" or (kind is not None and kind.abstract) else t.Const(-1)
        if this == t.Const(-1):  # a definition's effect, with no card that performs it
            self.context.maybe_none_seen.add((f"effect/{word}", "this"))
        arguments: list[t.Expr | t.List] = [seat if seat is not None else t.Const(-1), this, place]
        for name, type_ in effect.parameters:
            if name not in given:
                message = f"`{word}` takes `{name}`, a {type_}"
                self.context.report("RW435", text.span(node.start, node.end), message, f"write `… with {name} = …`")
                return (), outer
            value = self.expressions.check(given.pop(name)[1], scope, text, type_)
            if value is None:
                return (), outer
            self.context.record_maybe_none(f"effect/{word}", name, value)
            arguments.extend(self.argument(value))
        for name_node, _ in given.values():
            if name_node.text in self.context.poisoned:
                continue
            message = f"`{word}` takes no `{name_node.text}`"
            near = nearest(name_node.text, [name for name, _ in effect.parameters])
            meant = f"did you mean `{near}`?" if near else None
            self.context.report("RW435", text.span(name_node.start, name_node.end), message, meant)
        return (p.PerformField(word, card, owner.type.name == "definition", tuple(arguments), at),), outer
