"""Effects: statements of the effect language -> code. `sentences` checks sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import assert_never

from attrs import evolve

from rulewright.ruleset.check.expressions.checker import ExpressionChecker
from rulewright.ruleset.check.expressions.fitting import fit, sure, type_beside
from rulewright.ruleset.check.hints import as_lines, begins_a_line, hides_a_line, joined, report_syntax
from rulewright.ruleset.check.scope import Bound, CheckedExpression, Scope, TextPart, UnitDraft
from rulewright.ruleset.check.statements.arguments import fresh, given_result, gives_result, remember
from rulewright.ruleset.check.statements.sentences import SentenceChecker, check_block
from rulewright.ruleset.check.statements.verb_registry import Code, Done
from rulewright.ruleset.common.diagnostic import Diagnostic, Label, Span
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.ast import NamesSaid, names_given
from rulewright.ruleset.language.parser import label_of, parse_effect, parts_in
from rulewright.ruleset.language.syntax_errors import Mistake
from rulewright.ruleset.language.types import BOOLEAN, NUMBER
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.traversal import everything
from rulewright.ruleset.source.nodes import ScalarNode
from rulewright.ruleset.table import nodes as t

LoopBody = Callable[[Scope], Code]
WeavePart = Callable[[Span, str, Callable[[], Code], frozenset[str], Scope], Code]
"""Takes the place of an effect, a label, the code of the part, the names given in it, and its scope."""


_UNEXPECTED = ("RW40", "RW41", "RW425")
"""Codes of findings about the words of a sentence, and not about what they mean."""


class StatementChecker:
    """Checks effects. A name that a statement introduces is known in the statements after it."""

    def __init__(self, expressions: ExpressionChecker) -> None:
        self.context = expressions.context
        self.expressions = expressions
        self.sentences = SentenceChecker(expressions)
        self.weave_part: WeavePart = _unchanged
        """Adds to a part what packs put there; the checker of steps sets it."""

    def effect(self, scalar: ScalarNode, scope: Scope) -> Done:
        """Check a whole string as an effect; return code and the scope after it. After a syntax error, no code."""
        lines = as_lines(scalar)
        if lines is not None and self._meant_as(lines, scalar, scope):
            self.context.found.append(joined(scalar))
            self.context.leave_out(scalar.span, scope)
            return (), scope
        return self._whole(scalar, scope)

    def _meant_as(self, lines: ScalarNode, scalar: ScalarNode, scope: Scope) -> bool:
        """Whether an effect is wrong as one line, and right, or at least no more wrong there, as several."""
        with self.context.trial(scope.unit) as trial:
            self._whole(scalar, scope)
            mistakes = self.context.found[trial.found :]
        if not mistakes and not hides_a_line(scalar):
            return False
        if mistakes and mistakes[0].code.startswith(_UNEXPECTED) and begins_a_line(scalar, mistakes[0].span):
            return True
        with self.context.trial(scope.unit) as trial:
            self._whole(lines, scope)
            return trial.clean

    def _whole(self, scalar: ScalarNode, scope: Scope) -> Done:
        tree = parse_effect(scalar.text)
        if isinstance(tree, Mistake):
            report_syntax(self.context, tree, TextPart(scalar))
            self.context.leave_out(scalar.span, scope)
            return (), scope
        tree = self.context.declared.tree(tree, scalar.span)
        self._two_parts(tree, TextPart(scalar))
        return self.block(tree, scope.to_read(False), TextPart(scalar, said=NamesSaid(tree)))

    def block(self, statements: Sequence[s.Statement], scope: Scope, text: TextPart) -> Done:
        """Check statements in sequence; return their code and the scope after them."""
        code: list[t.Stmt] = []
        for statement in statements:
            more, after = self.statement(statement, scope, text)
            if not more and not _means_nothing(statement):
                self.context.leave_out(text.span(statement.start, statement.end), scope)
            code.extend(more)
            scope = after
        return tuple(code), scope

    def statement(self, node: s.Statement, scope: Scope, text: TextPart) -> Done:
        match node:
            case s.Phrase():
                done = self.sentences.check(node, scope, text)
                return given_result(self.expressions, node.result, done, scope, text)
            case s.Let():
                return given_result(self.expressions, node.name, self._let(node, scope, text), scope, text)
            case s.Assignment():
                return self._assign(node, scope, text), scope
            case s.IfElseBlock():
                return self._if(node, scope, text), scope
            case s.EachBlock():
                return self._each(node, scope, text), scope
            case s.RepeatBlock():
                return self._repeat(node, scope, text), scope
            case s.PhraseBlock():
                label = label_of(node)
                code = self._part(node, label, scope, text) if label is not None else self._block(node, scope, text)
                return code, scope
            case _:
                assert_never(node)

    def _block(self, node: s.PhraseBlock, scope: Scope, text: TextPart) -> Code:
        def branch(name: str, statements: tuple[s.Statement, ...], inner: Scope) -> Code:
            return self.branch(name, statements, inner, text)

        return check_block(self.expressions, node, scope, text, branch)

    def _part(self, node: s.PhraseBlock, label: s.NameNode, scope: Scope, text: TextPart) -> Code:
        """Check a part of an effect: its sentences, with what packs put there. Names given inside stay inside."""
        extra = (node.condition, "when") if node.condition is not None else (node.otherwise, "otherwise")
        if extra[0] is not None:
            message = f"`part` takes no `{extra[1]}`"
            hint = "put the sentences of the part under `if …:`"
            self.context.report("RW425", text.span(node.phrase.start, node.phrase.end), message, hint)
            return ()
        word = text.says(label.start, label.end)
        return self.weave_part(
            text.scalar.span, word, lambda: self.block(node.body, scope, text)[0], names_given(node.body), scope
        )

    def _two_parts(self, tree: Sequence[s.Statement], text: TextPart) -> None:
        """Report parts of one effect with the same label."""
        seen: dict[str, s.NameNode] = {}
        for part in parts_in(tuple(tree)):
            first = seen.setdefault(part.label.text, part.label)
            if first is not part.label:
                label = Label(text.span(first.start, first.end), "the other part")
                message = f"this effect has two parts called `{part.label.text}`"
                span = text.span(part.label.start, part.label.end)
                self.context.report("RW462", span, message, "rename one: a change names a part by its label", label)

    def _reads(self, scope: Scope) -> Scope:
        return scope.to_read()

    def _let(self, node: s.Let, scope: Scope, text: TextPart) -> Done:
        value = self.expressions.check(node.value, self._reads(scope), text)
        if value is None:
            return (), scope.losing(node.name.text)
        if not gives_result(node.name, scope):
            fresh(self.context, node.name, scope, text)
        code, after = remember(node.name.text, value, scope)
        name, span = node.name.text, text.span(node.name.start, node.name.end)
        self.context.introduce(scope.unit.key, after.names.get(name), name, span, True)
        return code, after

    def _assign(self, node: s.Assignment, scope: Scope, text: TextPart) -> Code:
        scope = self._reads(scope)
        target = self.expressions.check(node.target, scope, text)
        if target is None:
            self.expressions.check(node.value, scope, text)
            return ()
        at = self.context.source("", text.span(node.start, node.end))
        if target.target is None or target.type.name == "zone":
            hint = "for a new name, write `let NAME = …`; for cards, write `move … to …`"
            message = "only tracks and lists of the pack can be set"
            self.context.report("RW431", text.span(node.target.start, node.target.end), message, hint)
            return ()
        goal = target.target
        if goal.category == "list":
            if node.op != "=":
                value_says = text.says(node.value.start, node.value.end)
                where = text.says(node.target.start, node.target.end)
                adds = node.op == "+="
                hint = f"write `{'add' if adds else 'remove'} {value_says} {'to' if adds else 'from'} {where}`"
                message = f"`{node.op}` changes numbers, and this is a list"
                self.context.report("RW431", text.span(node.start, node.end), message, hint)
                return ()
            items = self.expressions.check(node.value, scope, text, target.type)
            if items is None or not isinstance(items.node, t.List):
                return ()
            return (p.SetStateList(goal.key, goal.indices[0] if goal.indices else None, items.node, at),)
        if node.op == "=":
            value = self.expressions.check(node.value, scope, text, type_beside(target, node.value))
            if value is None:
                return ()
            if not target.maybe:
                value = sure(self.context, value, text.span(node.value.start, node.value.end))
            assert isinstance(value.node, t.Expr)
            return (p.AssignTrack(goal.key, goal.indices, value.node, at),)
        if fit(self.context, target, NUMBER, node.target, text) is None:
            return ()
        value = self.expressions.check(node.value, scope, text, NUMBER)
        if value is None or not isinstance(value.node, t.Expr):
            return ()
        amount = value.node
        if node.op == "-=":
            amount = t.Checked("-", t.Const(0), amount, at)
        return (p.ChangeTrack(goal.key, goal.indices, amount, at),)

    def _if(self, node: s.IfElseBlock, scope: Scope, text: TextPart) -> Code:
        otherwise = self.branch("else", node.otherwise, scope, text)
        for condition, body in reversed(node.cases):
            value = self.expressions.check(condition, self._reads(scope), text, BOOLEAN)
            then = self.branch("if", body, _there(condition, scope), text)
            if value is not None and isinstance(value.node, t.Expr):
                otherwise = (t.If(value.node, then, otherwise),)
        return otherwise

    def branch(self, name: str, statements: tuple[s.Statement, ...], scope: Scope, text: TextPart) -> Code:
        """Check statements that may not be reached."""
        code = self.block(statements, scope, text)[0]
        if not statements:
            return code
        return (*self.context.covered(name, text.span(statements[0].start, statements[-1].end)), *code)

    def _each(self, node: s.EachBlock, scope: Scope, text: TextPart) -> Code:
        base = self.expressions.filtered(node.base, self._reads(scope), text, node.name.text)
        fresh(self.context, node.name, scope, text)
        if base is None:
            inner = evolve(scope.losing(node.name.text), exits={**scope.exits, "stop": 0})
            self.block(node.body, inner, text)  # check it for its own findings
            return ()
        code = self.loop(
            node.name.text, base, scope, lambda inner: self.branch("each", node.body, inner, text), node, text
        )
        self._always_you(node, base, scope, text, code)
        return code

    def _always_you(
        self, node: s.EachBlock, base: CheckedExpression, scope: Scope, text: TextPart, code: Code
    ) -> None:
        """Warn about a loop over players in which the acting player does everything: `each p in others: draw 1`."""
        plain = isinstance(node.base, s.NameNode | s.CallOf) and base.type.name == "player"
        name, first = node.name.text, node.body[0]
        if not plain or scope.you is None or text.said.between(name, first.start, node.body[-1].end):
            return
        if not scope.unit.speaks(_looped(code), scope.you) or self._announced(name, scope.unit, _looped(code)):
            return
        message = f"`{name}` is not used in this loop: the acting player does all of it, once for each member"
        hint = f"say what `{name}` does"
        if isinstance(first, s.Phrase) and isinstance(first.items[0], s.NameNode):
            found = self.sentences.sentences.match(first.items)
            part = found[0].verb.parts[0] if found and found[0].subject is None else None
            if isinstance(part, s.WordNode):
                rest = text.says(first.items[0].end, first.end)
                hint = f"write `{name} {part.forms[-1]}{rest}`"
        elif isinstance(first, s.Assignment) and isinstance(first.target, s.NameNode):
            hint = f"write `{name}'s {text.says(first.start, first.end)}`"
        who = text.says(node.base.start, node.base.end)
        hint += f"; if the acting player does mean to do it each time, write `repeat count({who}) times:`"
        self.context.doubts.append(Diagnostic("RW452", text.span(node.start, first.end), message, hint))

    def _announced(self, name: str, unit: UnitDraft, code: Code) -> bool:
        """Whether a message that the code announces shows a name."""
        announced = unit.announced.among(code)
        values = (shown for at in announced for shown, _ in self.context.sources[at].values)
        return any(shown.partition("'s ")[0] == name for shown in values)

    def loop(
        self, name: str, base: CheckedExpression, scope: Scope, body: LoopBody, node: s.SyntaxNode, text: TextPart
    ) -> Code:
        """Return a loop over a list; `body` returns the code for one member, in a scope that knows its name."""
        at = self.context.source("", text.span(node.start, node.end))
        return self.looped(name, base, scope, body, at)

    def looped(self, name: str, base: CheckedExpression, scope: Scope, body: LoopBody, at: int) -> Code:
        """As `loop`, with the number of the source."""
        assert isinstance(base.node, t.List)
        variable = scope.unit.variable(name, base.type.one)
        code: list[t.Stmt] = []
        place = began = None
        if base.type.name == "card" and base.place is not None:
            place = scope.unit.variable(f"{name} place", NUMBER)
            began = scope.unit.variable(f"{name} began", NUMBER)
            code.append(p.SetVar(began, base.place))
        label = scope.unit.label()
        inner = scope.bind(name, Bound(variable, base.type.one, False, place))
        inner = evolve(inner, exits={**inner.exits, "stop": label})
        looped = body(inner)
        if place is not None and began is not None:
            here = t.Binary("==", p.PlaceOf(p.Var(variable)), p.Var(began))
            looped = (t.If(here, (p.SetVar(place, p.Var(began)), *looped), ()),)
        loop = p.Loop(variable, base.node, looped, "seats" if base.type.name == "player" else "", at)
        code.append(p.Block(label, (loop,)) if label in scope.unit.left.among(looped) else loop)
        return tuple(code)

    def _repeat(self, node: s.RepeatBlock, scope: Scope, text: TextPart) -> Code:
        at = self.context.source("", text.span(node.start, node.end))
        label = scope.unit.label()
        inner = evolve(scope, exits={**scope.exits, "stop": label})
        condition: t.Expr = t.Const(1)
        if node.condition is not None:
            value = self.expressions.check(node.condition, self._reads(scope), text, BOOLEAN)
            if value is not None and isinstance(value.node, t.Expr):
                condition = value.node
        body = self.branch("repeat", node.body, inner, text)
        code: list[t.Stmt] = []
        if node.times is not None:
            times = self.expressions.check(node.times, self._reads(scope), text, NUMBER)
            if times is None or not isinstance(times.node, t.Expr):
                return ()
            left = scope.unit.variable("times", NUMBER)
            code.append(p.SetVar(left, times.node))
            some = t.Binary(">", p.Var(left), t.Const(0))
            condition = some if condition == t.Const(1) else t.And(some, condition)
            body = (p.SetVar(left, t.Binary("-", p.Var(left), t.Const(1))), *body)
        code.append(p.Block(label, (t.While(condition, body, at),)))
        return tuple(code)


def _unchanged(_effect: Span, _label: str, code: Callable[[], Code], _names: frozenset[str], _scope: Scope) -> Code:
    return code()


def _means_nothing(node: s.Statement) -> bool:
    """Whether a sentence may have no code: `do nothing`, `proceed` if nothing follows, and a part of such ones."""
    if label_of(node) is not None:
        return True
    first = node.items[0] if isinstance(node, s.Phrase) else None
    return isinstance(first, s.NameNode) and first.text in ("do", "proceed")


def _looped(code: Code) -> Code:
    """Return the body of the loop in these statements, without the list that it runs over."""
    loops = (one for statement in code[-1:] for one in everything(statement) if isinstance(one, p.Loop))
    loop = next(loops, None)
    return loop.body if loop is not None else ()


def _there(condition: s.Expression, scope: Scope) -> Scope:
    """Return the scope where a condition holds: a name that `is not none` has a value."""
    match condition:
        case s.Logic(op="and", left=left, right=right):
            return _there(right, _there(left, scope))
        case s.Comparison(op="is", left=s.NameNode(text=name), right=s.NameNode(text="none"), negated=True):
            if name not in scope.names:
                return scope
            return scope.bind(name, evolve(scope.names[name], maybe=False))
    return scope
