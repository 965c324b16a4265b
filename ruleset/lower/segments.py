"""Lower a unit to a function, or to a procedure cut into segments where the game can stop.

A continuation (`Next`) builds the tree of what follows a statement. It is called once; code shared by two paths
becomes a segment of its own.

Trees are built by generators that yield the work they depend on (`draft.worked` runs them). So hundreds of
questions in sequence, or of verbs that call each other, need no deep Python stack.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright.ruleset.lower.draft import Draft, Next, Work, ready
from rulewright.ruleset.lower.statements import Code, PlainCode
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.table import nodes as t


class SuspendingCode(PlainCode):
    """Adds the code that cuts a unit into segments."""

    def tree(self, code: Code, then: Next, start: int = 0) -> Work[t.Tree]:
        """Build straight-line code up to the first statement that can suspend, and what follows."""
        end = start
        while end < len(code) and not self.lowering.suspends(code[end]):
            end += 1
        before = self.plain(code[start:end])
        if end == len(code):
            after = yield then()
        else:
            after = yield CUTS[type(code[end])](self, code[end], lambda: self.tree(code, then, end + 1))
        return t.Tree((*before, *after.body), after.end)

    def segment(self, tree: t.Tree) -> int:
        """Return a new segment, or the target if the tree is only a jump."""
        if not tree.body and isinstance(tree.end, t.Goto):
            return tree.end.segment
        assert self.procedure is not None
        return self.lowering.add(Draft(self.procedure, tree))

    def _shared(self, then: Next) -> Work[t.Tree]:
        """Build what follows as a tree that several paths can use."""
        tree: t.Tree = yield then()
        if (not tree.body and isinstance(tree.end, t.Goto | t.Finish)) or tree == t.Tree((), t.Return(None)):
            return tree
        return t.Tree((), t.Goto(self.segment(tree)))

    def _cut_if(self, node: t.If, then: Next) -> Work[t.Tree]:
        condition = self.values.expr(node.condition)
        if isinstance(condition, t.Const):
            only: t.Tree = yield self.tree(node.then if condition.value else node.otherwise, then)
            return only
        after = ready((yield self._shared(then)))
        yes = yield self.tree(node.then, after)
        no = yield self.tree(node.otherwise, after)
        return t.Tree((), t.Branch(condition, yes, no))

    def _cut_loop(self, node: p.Loop | t.ForEach, then: Next) -> Work[t.Tree]:
        variable = node.variable if isinstance(node, p.Loop) else node.slot
        left = self.variable("left", self.variables[variable].type, True)
        before, items = self.hoisted(self.values.items(node.items))
        self.bounds[left] = self.bound(items)
        head = self.lowering.reserve()
        body = yield self.tree(node.body, ready(t.Tree((), t.Goto(head))))
        noted, there = self.still_there(node) if isinstance(node, p.Loop) else ((), None)
        if there is not None:
            body = t.Tree((), t.Branch(there, body, t.Tree((), t.Goto(head))))
        rest = t.Take(t.LocalList(left), t.Binary("-", t.Count(t.LocalList(left)), t.Const(1)), False)
        setting: Code = (t.SetLocal(variable, t.First(t.LocalList(left))), t.SetList(left, rest))
        some = t.Binary(">", t.Count(t.LocalList(left)), t.Const(0))
        after = yield then()
        tree = t.Tree((), t.Branch(some, t.Tree((*setting, *body.body), body.end), after))
        self.lowering.fill(head, Draft(self.number, tree))
        return t.Tree((*before, *noted, t.SetList(left, items)), t.Goto(head))

    def _cut_while(self, node: t.While, then: Next) -> Work[t.Tree]:
        head = self.lowering.reserve()
        body = yield self.tree(node.body, ready(t.Tree((), t.Goto(head))))
        after = yield then()
        tree = t.Tree((t.Charge(node.at),), t.Branch(self.values.expr(node.condition), body, after))
        self.lowering.fill(head, Draft(self.number, tree))
        return t.Tree((), t.Goto(head))

    def _cut_forever(self, node: p.Forever, then: Next) -> Work[t.Tree]:
        head = self.lowering.reserve()
        body = yield self.tree(node.body, ready(t.Tree((), t.Goto(head))))
        self.lowering.fill(head, Draft(self.number, t.Tree((t.Charge(node.at), *body.body), body.end)))
        return t.Tree((), t.Goto(head))

    def _cut_block(self, node: p.Block, then: Next) -> Work[t.Tree]:
        if node.label not in self.lowering.left(node.body):
            all_: t.Tree = yield self.tree(node.body, then)
            return all_
        after = yield self._shared(then)
        if isinstance(after.end, t.Goto):
            self.labels[node.label] = after.end.segment
        else:
            self.labels[node.label] = self.lowering.add(Draft(self.number, after))
        tree: t.Tree = yield self.tree(node.body, ready(after))
        return tree

    def _cut_if_in(self, node: p.IfIn, then: Next) -> Work[t.Tree]:
        tree: t.Tree = yield self.tree(self.still_in(node), then)
        return tree

    def _cut_leave(self, node: p.Leave, then: Next) -> Work[t.Tree]:
        if node.label == 0:
            return t.Tree((), t.Return(None))
        return t.Tree((), t.Goto(self.labels[node.label]))
        yield

    def _cut_call(self, node: p.CallVerb, then: Next) -> Work[t.Tree]:
        arguments = self.passed(node.arguments, self.lowering.units[node.verb], node.at)
        resume = self.segment((yield then()))
        return t.Tree((), t.Invoke((yield self.lowering.procedure(node.verb)), arguments, resume, node.at))

    def _cut_unit(self, node: p.CallUnit, then: Next) -> Work[t.Tree]:
        arguments = self.passed(node.arguments, self.lowering.units[node.unit], node.at)
        after = yield then()
        take: Code = (t.SetLocal(node.result, t.Cell(t.Const(t.RESULT))), t.SetCell(t.Const(t.RESULT), t.Const(0)))
        resume = self.lowering.add(Draft(self.number, t.Tree((*take, *after.body), after.end)))
        return t.Tree((), t.Invoke((yield self.lowering.procedure(node.unit)), arguments, resume, node.at))

    def _cut_open(self, node: p.OpenWindow, then: Next) -> Work[t.Tree]:
        """Open a window. Its list's previous content is kept only if the window can be opened recursively."""
        unit, marks = f"window/{node.window}", p.cancelled_list(node.window)
        nests = self.lowering.effects.within_itself(unit)
        kept = (p.SetListVar(node.before, p.ListAt(marks, None)),) if nests else ()
        after = p.ListVar(node.before) if nests else t.Items(())
        opened = (
            *kept,
            p.SetStateList(marks, None, t.Items(())),  # an effect may cancel the window while it is closed
            p.CallVerb(unit, node.arguments, node.at),
            p.SetListVar(node.cancelled, p.ListAt(marks, None)),
            p.SetStateList(marks, None, after),
        )
        tree: t.Tree = yield self.tree(opened, then)
        return tree

    def _cut_give_back(self, node: p.GiveBack, then: Next) -> Work[t.Tree]:
        return t.Tree((), t.Return(self.values.expr(node.value)))
        yield

    def _cut_perform(self, node: p.PerformField, then: Next) -> Work[t.Tree]:
        table = yield self.lowering.procedure_table(node.field, node.definition)
        arguments = self.performing(node)
        resume = self.segment((yield then()))
        return t.Tree((), t.InvokeTable(table, self.values.expr(node.item), arguments, resume, node.at))

    def _cut_end_game(self, node: p.EndGame, then: Next) -> Work[t.Tree]:
        over = t.Tree((), t.Finish())
        if self.lowering.program.series is not None:
            last = self.lowering.add(Draft(self.number, over))
            over = t.Tree((), t.Invoke((yield self.lowering.procedure(p.BETWEEN)), (), last, 0))
        if not self.lowering.unit_suspends("finish"):
            return t.Tree((t.Do(self.lowering.function("finish"), ()),), over.end)
        after = self.lowering.add(Draft(self.number, over))
        return t.Tree((), t.Invoke((yield self.lowering.procedure("finish")), (), after, 0))

    def _cut_next_game(self, node: p.NextGame, then: Next) -> Work[t.Tree]:
        yield self.lowering.game()
        return t.Tree((), t.Restart(node.at))


CUTS: dict[type, Callable[[Any, Any, Next], Work[t.Tree]]] = {
    t.If: SuspendingCode._cut_if,
    t.ForEach: SuspendingCode._cut_loop,
    t.While: SuspendingCode._cut_while,
    p.Loop: SuspendingCode._cut_loop,
    p.Forever: SuspendingCode._cut_forever,
    p.Block: SuspendingCode._cut_block,
    p.IfIn: SuspendingCode._cut_if_in,
    p.Leave: SuspendingCode._cut_leave,
    p.CallVerb: SuspendingCode._cut_call,
    p.PerformField: SuspendingCode._cut_perform,
    p.CallUnit: SuspendingCode._cut_unit,
    p.OpenWindow: SuspendingCode._cut_open,
    p.GiveBack: SuspendingCode._cut_give_back,
    p.EndGame: SuspendingCode._cut_end_game,
    p.NextGame: SuspendingCode._cut_next_game,
}
