"""The kernel's verbs that ask a player, or chance."""

from __future__ import annotations

import re
from functools import partial

from attrs import evolve

from ruleset.check.condition_trace import record_condition
from ruleset.check.scope import Bound, Scope, Text
from ruleset.check.statements.sentence_match import Match, match, near_verb, pattern_text, verbs_of
from ruleset.check.statements.sentences import TAKING, Code, Done
from ruleset.check.statements.verbs_cards import Moving
from ruleset.common.diagnostic import Label
from ruleset.common.span import Span
from ruleset.language import ast as s
from ruleset.language.syntax_errors import not_a_label
from ruleset.language.types import NUMBER, PLAYER, Type
from ruleset.language.vocabulary import Sentence
from ruleset.program import nodes as p
from ruleset.table import nodes as t

_MAY = re.compile(r"([^:]*?[ ])?may[ ]+(?=\S)")
"""How a block begins that says what somebody may do."""


class Choosing(Moving):
    """Checks the sentences and blocks in which somebody chooses."""

    # -------------------------------------------------------------- choosing

    def _chosen(
        self,
        found: Match,
        node: s.Phrase,
        seat: t.Expr | None,
        scope: Scope,
        outer: Scope,
        text: Text,
        bounds: tuple[t.Expr, t.Expr] | None,
    ) -> Done:
        pool = self._pool(found, scope, text)
        assert node.result is not None
        if pool is None or bounds is None or not isinstance(pool.node, t.List):
            return (), outer
        if seat is None:
            hint = "say who: `p chooses …`"
            self.context.report("RW422", text.span(node.start, node.end), "nobody's turn says who chooses", hint)
            return (), outer
        least, most = bounds
        single = isinstance(least, t.Const) and isinstance(most, t.Const) and most.value == 1
        at = self.context.source(scope.unit.key, text.span(node.start, node.end))
        name = node.result.text
        key = scope.unit.choice(name, scope.prefix)
        result = scope.unit.variable(name, pool.type.one, not single)
        code: list[t.Stmt] = []
        place = None
        if pool.type.name == "card":
            place = scope.unit.variable(f"{name} place", NUMBER)
            code.append(p.SetVar(place, pool.place if pool.place is not None else t.Const(-1)))
        prompt = self.context.prompt(key)
        code.append(p.Choose(prompt, seat, pool.node, pool.type.one, least, most, result, single, at))
        type_ = pool.type.one if single else pool.type
        maybe = single and not (least == most and isinstance(pool.node, p.MembersOf))
        return tuple(code), outer.bind(name, Bound(result, type_, maybe, place))

    def _do_choose(
        self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, outer: Scope, text: Text
    ) -> Done:
        n = self._amount(found, "n", scope, text)
        return self._chosen(found, node, seat, scope, outer, text, (n, n) if n is not None else None)

    def _do_choose_exactly(
        self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, outer: Scope, text: Text
    ) -> Done:
        n = self._amount(found, "n", scope, text)
        pool = self._pool(found, scope, text)
        if n is None or pool is None or not isinstance(pool.node, t.List):
            return (), outer
        exact = t.IfElse(t.Binary("<", t.Count(pool.node), n), t.Const(0), n)
        return self._chosen(found, node, seat, scope, outer, text, (exact, exact))

    def _do_choose_between(
        self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, outer: Scope, text: Text
    ) -> Done:
        least, most = self._amount(found, "least", scope, text), self._amount(found, "most", scope, text)
        bounds = (least, most) if least is not None and most is not None else None
        return self._chosen(found, node, seat, scope, outer, text, bounds)

    def _do_choose_up_to(
        self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, outer: Scope, text: Text
    ) -> Done:
        most = self._amount(found, "most", scope, text)
        bounds = (t.Const(0), most) if most is not None else None
        return self._chosen(found, node, seat, scope, outer, text, bounds)

    def _do_choose_any(
        self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, outer: Scope, text: Text
    ) -> Done:
        given = {hole.name: item for hole, item in found.filled}
        if not isinstance(given["any"], s.AnyNumber):
            item = given["any"]
            self.context.report("RW425", text.span(item.start, item.end), "expected a number, or `any number of`")
            return (), outer
        return self._chosen(found, node, seat, scope, outer, text, (t.Const(0), t.Const(2**31 - 1)))

    def _do_pick(
        self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, outer: Scope, text: Text
    ) -> Done:
        given = {hole.name: item for hole, item in found.filled}
        pool = self._pool(found, scope, text)
        number = given["n"]
        if not isinstance(number, s.Number) or not 1 <= number.value <= 20:
            self.context.report(
                "RW439", text.span(number.start, number.end), "chance picks a written number of things, 1 to 20"
            )
            return (), outer
        if pool is None or not isinstance(pool.node, t.List) or node.result is None:
            return (), outer
        at, unit, name = self._here(node, scope, text), scope.unit, node.result.text
        left = unit.variable("left", pool.type.one, True)
        roll, picked = unit.variable("roll", NUMBER), unit.variable(name, pool.type.one, True)
        other = unit.variable("other", pool.type.one)
        one = t.Last(t.Take(p.ListVar(left), t.Binary("+", p.Var(roll), t.Const(1)), True))
        step = t.If(
            t.Binary(">", t.Count(p.ListVar(left)), t.Const(0)),
            (
                t.Random(roll, t.Count(p.ListVar(left)), at),
                p.SetListVar(picked, t.Concat(p.ListVar(picked), t.Items((one,)))),
                p.SetListVar(
                    left, t.Filter(p.ListVar(left), other, t.Binary("!=", p.Var(other), t.Last(p.ListVar(picked))))
                ),
            ),
            (),
        )
        code: list[t.Stmt] = [
            p.SetListVar(left, pool.node),
            p.SetListVar(picked, t.Items(())),
            *[step] * number.value,
        ]
        place = None
        if pool.type.name == "card":
            place = unit.variable(f"{name} place", NUMBER)
            code.append(p.SetVar(place, pool.place if pool.place is not None else t.Const(-1)))
        if number.value > 1:
            return tuple(code), outer.bind(name, Bound(picked, pool.type, False, place))
        single = unit.variable(name, pool.type.one)
        code.append(p.SetVar(single, t.First(p.ListVar(picked))))
        return tuple(code), outer.bind(name, Bound(single, pool.type.one, True, place))

    # -------------------------------------------------------------- blocks

    def phrase_block(self, node: s.PhraseBlock, scope: Scope, text: Text) -> Code:
        """`may`, `choose one` and `open`: one method `_block_KEY` each."""
        matches = match(node.phrase.items, verbs_of(self.context.declared, True))
        if not matches:
            may = _MAY.match(text.says(node.phrase.start, node.phrase.end))
            if may is not None:
                self._no_label(evolve(node.phrase, start=node.phrase.start + may.end()), node, text, may[0])
                return ()
            hint = "blocks follow `if`, `each`, `repeat`, `may LABEL`, `choose one` and `open WINDOW`"
            if match(node.phrase.items, verbs_of(self.context.declared, False)):
                hint = "this sentence has no block: leave the `:` out"
            near = near_verb(node.phrase.items, verbs_of(self.context.declared, True))
            if near is not None:
                hint = f"did you mean `{near[1]}`? Its sentence is {near[2]}, then `:`"
            self.context.report(
                "RW425", text.span(node.phrase.start, node.phrase.end), "no block begins like this", hint
            )
            return ()
        found = matches[0]
        assert isinstance(found.verb, Sentence)
        if node.phrase.given and found.verb.key not in TAKING:
            self.takes_nothing(found.verb, node.phrase, text)
        if node.phrase.result is not None and found.verb.named == "no":
            result = node.phrase.result
            message = f"`{pattern_text(found.verb)}` gives nothing to name"
            hint = f"leave `as {result.text}` out"
            self.context.report("RW437", text.span(result.start, result.end), message, hint)
        seat = scope.you
        inner = scope
        if found.subject is not None:
            value = self.expressions.check(found.subject, evolve(scope, reading=True), text, PLAYER)
            if value is None:
                return ()
            seat = self.context.present(value, text.span(found.subject.start, found.subject.end))
        if seat is None:
            self.context.report(
                "RW422", text.span(node.start, node.end), "nobody's turn says who chooses", "say who: `p may …:`"
            )
            return ()
        at = self.context.source(scope.unit.key, text.span(node.start, node.end))
        check = getattr(self, f"_block_{found.verb.key.replace('-', '_')}")
        code: Code = check(node, found, seat, inner, text, at)
        return code

    def _no_label(self, label: s.Node, block: s.PhraseBlock, text: Text, before: str = "") -> None:
        """Reports a label that is not one word; `before` is what goes before the label."""
        end = block.body[0].start if block.body else block.end
        effect = text.says(end, block.body[-1].end) if block.body else ""
        said = text.says(label.start, label.end)
        if block.condition is not None:
            said += f" when {text.says(block.condition.start, block.condition.end)}"
        message, hint = not_a_label(said, effect)
        self.context.report("RW446", text.span(label.start, label.end), message, hint.replace("`", f"`{before}", 1))

    def _block_choose_one(
        self, node: s.PhraseBlock, found: Match, seat: t.Expr, scope: Scope, text: Text, at: int
    ) -> Code:
        branches: list[p.Branching] = []
        labels: dict[str, Span] = {}
        for line in node.body:
            label = (
                line.phrase.items[0] if isinstance(line, s.PhraseBlock) and len(line.phrase.items) == 1 else None
            )
            if isinstance(line, s.PhraseBlock) and not (
                isinstance(label, s.Name) and text.says(line.phrase.start, line.phrase.end) == label.text
            ):
                self._no_label(line.phrase, line, text)
                continue
            if not isinstance(line, s.PhraseBlock) or not isinstance(label, s.Name):
                hint = "each line is `label: effect` or `label when condition: effect`"
                self.context.report(
                    "RW425", text.span(line.start, line.end), "expected an option of the menu", hint
                )
                continue
            condition = None
            if line.condition is not None:
                test, reading = line.condition, evolve(scope, reading=True)
                check = partial(self.expressions.check, test, reading, text, Type("boolean"))
                checked = record_condition(self.context, text, test, check)
                condition = checked.node if checked is not None and isinstance(checked.node, t.Expr) else None
            span = text.span(label.start, label.end)
            before = labels.setdefault(label.text, span)
            if before is not span:
                message = f"this menu has two options called `{label.text}`"
                hint = "rename one: players, bots and scenarios could not choose this one"
                self.context.report("RW453", span, message, hint, Label(before, "the other option"))
            body = self.branch(f"option {label.text}", line.body, scope, text)
            option = self.context.source(scope.unit.key, text.span(line.start, line.end))
            branches.append(p.Branching(label.text, (), (), (), (), condition, body, option))
        prompt = self.context.prompt(scope.unit.choice("choice", scope.prefix), branches)
        return (p.Menu(prompt, seat, tuple(branches), at),)

    def _block_may(
        self, node: s.PhraseBlock, found: Match, seat: t.Expr, scope: Scope, text: Text, at: int
    ) -> Code:
        label = found.filled[0][1]
        if not isinstance(label, s.Name):
            self._no_label(label, node, text, "may ")
            return ()
        if label.text == p.DECLINE:
            span = text.span(label.start, label.end)
            self.context.report("RW453", span, f"`{p.DECLINE}` is what declining is called", "choose another label")
        body = self.branch(label.text, node.body, scope, text)
        otherwise = self.branch("otherwise", node.otherwise or (), scope, text)
        perform = p.Branching(label.text, (), (), (), (), None, body, at)
        decline = p.Branching(p.DECLINE, (), (), (), (), None, otherwise, at)
        prompt = self.context.prompt(scope.unit.choice(label.text, scope.prefix), (perform, decline))
        return (p.Menu(prompt, seat, (perform, decline), at),)
