"""Find inserts, hooks, and modifiers of packs on top that do nothing; each is a warning.

The condition never holds, the code only proceeds, or it makes no difference, such as `coins += 0`. Verbs that a
stranger has changed are opaque: the verdict on a pack must not depend on packs that its author does not know. A
step with `do: do nothing` is a place for hooks and other packs, and is not reported.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from functools import cache
from typing import Any

from attrs import evolve, frozen

from rulewright.ruleset.check.context import CheckContext
from rulewright.ruleset.check.scope import Contribution
from rulewright.ruleset.check.texts import has_words
from rulewright.ruleset.common.diagnostic import Diagnostic, Label, Span
from rulewright.ruleset.common.nearest import listed
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.compose.anchors import INSERTS
from rulewright.ruleset.compose.conflicts import Deed, Insert, alike, shown
from rulewright.ruleset.declare.declarations import Declared
from rulewright.ruleset.documents.rules import Hook
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.order import bare, never
from rulewright.ruleset.program.traversal import everything, rebuild
from rulewright.ruleset.source.nodes import Path, ScalarNode
from rulewright.ruleset.source.reader import Document
from rulewright.ruleset.table import nodes as t

# ---- The code of inserts, and the code or the expression that they surround

Code = tuple[t.Stmt, ...]
REST = p.Block(-1, ())
"""Placeholder for the surrounded code."""
INNER = -1
"""The variable that stands for a surrounded expression."""


def inserted(insert: Insert, context: CheckContext) -> tuple[Code, Code]:
    """Return the code of an insert, and the code that it surrounds."""
    code = context.inserted_code
    rest = context.proceeded_code.get(insert.node.span, ())
    if insert.node.span in code:
        return code[insert.node.span], rest
    items = getattr(insert.node, "items", ())  # several steps
    return tuple(statement for item in items for statement in code.get(item.span, ())), rest


def apart(code: Code, rest: Code) -> tuple[Code, Code]:
    """Return code with `REST` in place of the surrounded code, and the surrounded code."""
    if not rest:
        return code, ()
    numbers = set(map(id, rest))

    def without(node: Any) -> Any:
        return REST if id(node) in numbers else rebuild(node, without)

    return tuple(without(statement) for statement in code), rest


def around_expression(insert: Insert, context: CheckContext) -> Code:
    """Return an expression around another as code that sets the variable `INNER`, which is also its `proceed`.

    Empty if the insert is no expression.
    """
    wrapped = context.wrapped.get(insert.node.span)
    if wrapped is None:
        return ()
    inside = set(map(id, wrapped.proceeds))

    def of_inner(node: Any) -> Any:
        if id(node) in inside:
            return p.ListVar(INNER) if isinstance(node, t.List) else p.Var(INNER)
        return rebuild(node, of_inner)

    node = of_inner(wrapped.node)
    return (p.SetListVar(INNER, node) if isinstance(node, t.List) else p.SetVar(INNER, node),)


# ---- Remove code without effect, to see what a piece of code does
#
# Removed are additions of 0, assignments of a value to itself, unreachable branches, unused variables, and
# calls of verbs without effect. Code is removed only if this certainly makes no difference, apart from rule
# errors of reads: raising one is not considered an effect.

_SIMPLE: dict[str, Callable[[int, int], int]] = {
    "+": lambda one, two: one + two,
    "-": lambda one, two: one - two,
    "*": lambda one, two: one * two,
    "==": lambda one, two: int(one == two),
    "!=": lambda one, two: int(one != two),
    "<": lambda one, two: int(one < two),
    "<=": lambda one, two: int(one <= two),
    ">": lambda one, two: int(one > two),
    ">=": lambda one, two: int(one >= two),
}
_NEUTRAL = {("+", 0), ("-", 0), ("*", 1), ("//", 1)}
"""Operators with their neutral right operand."""


class Doing:
    """Determines the effect of code. Verbs in `opaque` are not inspected: they always have an effect."""

    def __init__(self, units: dict[str, p.Unit], opaque: Container[str] = ()) -> None:
        self.units, self.opaque = units, opaque
        self._verbs: dict[str, bool] = {}

    def what(self, code: Sequence[t.Stmt]) -> Code:
        """Return the code without parts that have no effect."""
        left = self._left(code)
        while True:
            nodes = (node for one in left for node in everything(one))
            shorter = _without(left, {node.variable for node in nodes if isinstance(node, p.Var | p.ListVar)})
            if shorter == left:
                return left
            left = self._left(shorter)

    def nothing(self, unit: str) -> bool:
        """Whether a unit has no effect."""
        if unit in self.opaque or unit not in self.units:
            return False
        if unit not in self._verbs:
            self._verbs[unit] = False  # for recursive calls
            self._verbs[unit] = not self.what(self.units[unit].body)
        return self._verbs[unit]

    def _left(self, code: Sequence[t.Stmt]) -> Code:
        return tuple(kept for statement in code for kept in self._one(statement))

    def _one(self, node: t.Stmt) -> Code:
        if isinstance(node, t.If):
            return self._branches(node)
        if isinstance(node, p.Block):
            body = self._left(node.body)
            while body and body[-1] == p.Leave(node.label):
                body = body[:-1]
            inside = [one for part in body for one in everything(part)]
            return (evolve(node, body=body),) if p.Leave(node.label) in inside or node.label < 0 else body
        if isinstance(node, p.Loop):
            body = self._left(node.body)
            return (evolve(node, body=body),) if body else ()
        if isinstance(node, t.While) and simple(node.condition) == t.Const(0):
            return ()
        return () if self._idle(node) else (node,)

    def _branches(self, node: t.If) -> Code:
        condition = simple(node.condition)
        then, otherwise = self._left(node.then), self._left(node.otherwise)
        if never(condition):
            return otherwise
        if never(t.Not(condition)):
            return then
        return (evolve(node, then=then, otherwise=otherwise),) if then or otherwise else ()

    def _idle(self, node: t.Stmt) -> bool:
        match node:
            case p.ChangeTrack():
                return bool(simple(node.amount) == t.Const(0))
            case p.AssignTrack():
                same = p.TrackAt(node.track, node.indices)
                return node.track.startswith("hook/") or bare((simple(node.value),)) == bare((same,))
            case p.SetStateList():
                return bare((node.items,)) == bare((p.ListAt(node.list, node.index),))
            case p.CallVerb():
                return self.nothing(node.verb)
            case t.Emit():
                return node.kind in ("reached", "covered")
        return False


def _without(code: Code, read: set[int]) -> Code:
    """Return code without assignments to variables that are not in `read`."""
    return tuple(_inside(node, read) for node in code if not _unread(node, read))


def _inside(node: t.Stmt, read: set[int]) -> t.Stmt:
    names = _bodies(node)
    return evolve(node, **{name: _without(getattr(node, name), read) for name in names}) if names else node


def _bodies(node: t.Stmt) -> tuple[str, ...]:
    if isinstance(node, t.If):
        return ("then", "otherwise")
    return ("body",) if isinstance(node, p.Block | p.Loop) else ()


def _unread(node: t.Stmt, read: set[int]) -> bool:
    return isinstance(node, p.SetVar | p.SetListVar) and node.variable not in read


def simple(value: Any) -> Any:
    """Simplify an expression without changing its value."""
    value = rebuild(value, simple)
    match value:
        case t.Not(operand=t.Const(value=number)):
            return t.Const(int(not number))
        case t.IfElse(condition=t.Const(value=number)):
            return value.then if number else value.otherwise
        case t.And() | t.Or():
            return _joined(value)
        case t.Binary() | t.Checked():
            return _reckoned(value)
        case t.Least() | t.Most() if bare((value.left,)) == bare((value.right,)):
            return value.left
    return value


def _joined(value: t.And | t.Or) -> t.Expr:
    for one, other in ((value.left, value.right), (value.right, value.left)):
        if isinstance(one, t.Const):
            return other if bool(one.value) == isinstance(value, t.And) else one
    return value


def _reckoned(value: t.Binary | t.Checked) -> t.Expr:
    left, right, op = value.left, value.right, str(value.op)
    if isinstance(left, t.Const) and isinstance(right, t.Const) and op in _SIMPLE:
        return t.Const(_SIMPLE[op](left.value, right.value))
    if isinstance(right, t.Const) and (op, right.value) in _NEUTRAL:
        return left
    if isinstance(left, t.Const) and op in ("+", "*") and (op, left.value) in _NEUTRAL:
        return right
    if op == "*" and t.Const(0) in (left, right):
        return t.Const(0)
    if op in ("-", "==", "!=", "<", "<=", ">", ">=") and bare((left,)) == bare((right,)):
        return t.Const(int(op in ("==", "<=", ">=")))
    return value


# ---- Idle code

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


def idle_code(declared: Declared, context: CheckContext, units: dict[str, p.Unit]) -> Iterator[Diagnostic]:
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

    def __init__(self, declared: Declared, context: CheckContext, units: dict[str, p.Unit]) -> None:
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


# ---- Find parts of a pack that do nothing because another pack has emptied the verbs that they use
#
# Neither pack knows the other, and the warning names both places. This covers effects that a pack sets, its
# inserts, and its hooks. `ruleset.check.house_rules.idle_code` reports parts that do nothing anyway.

@frozen(repr=False)
class _Said(Record):
    """The code that a pack has at a place, and the code that it surrounds."""

    pack: str
    what: str
    code: Code
    rest: Code = ()


def emptied_verbs(declared: Declared, context: CheckContext, units: dict[str, p.Unit]) -> Iterator[Diagnostic]:
    """Yield a warning for each place in a pack that only uses verbs which a stranger has emptied."""
    found: dict[Span, list[_Said]] = {}
    for span, said in (*_effects(declared, units), *_put(declared, context)):
        found.setdefault(span, []).append(said)
    whole = Doing(units)
    for span, places in found.items():
        changed = changed_verbs(declared, _strangers(declared, places[0].pack))
        if not changed or not all(_nothing(whole, one) for one in places):
            continue
        for verb, at in changed.items():
            if not any(_nothing(Doing(units, (verb,)), one) for one in places):
                yield _finding(places[0], span, verb, declared.owners[at.path], at)
                break


def _effects(declared: Declared, units: dict[str, p.Unit]) -> Iterator[tuple[Span, _Said]]:
    """Yield the effects of definitions, without their `performed` events, which do not count as doing something."""
    for definition in declared.definitions.values():
        for entry in definition.body.entries:
            pack = declared.owners.get(entry.value.span.path)
            unit = units.get(f"{definition.key}.{entry.key.text}")
            if pack is not None and unit is not None:
                told = (one for one in unit.body if not isinstance(one, t.Emit) or one.kind != "performed")
                what = f"`{definition.kind}/{definition.key}.{entry.key.text}` of `{pack}`"
                yield entry.value.span, _Said(pack, what, tuple(told))


def _put(declared: Declared, context: CheckContext) -> Iterator[tuple[Span, _Said]]:
    """Yield inserts of packs, and hooks that do not replace their anchor."""
    for insert in declared.inserts:
        code, rest = inserted(insert, context)
        what = f"the insert of `{insert.pack}` {insert.word} `{insert.anchor}`"
        yield insert.span, _Said(insert.pack, what, code, rest)
    for one in context.contributed:
        pack = declared.owners.get(one.span.path)
        if pack is not None and one.category == "hook" and one.word != "instead-of":
            yield one.span, _Said(pack, f"this hook of `{pack}`", tuple(one.code))


def _strangers(declared: Declared, pack: str) -> frozenset[str]:
    """Return the packs for which neither comes after the other."""
    after = declared.stands_after
    others = {other for other in declared.owners.values() if other != pack}
    return frozenset(one for one in others if one not in after.get(pack, ()) and pack not in after.get(one, ()))


def _nothing(doing: Doing, said: _Said) -> bool:
    own, _ = apart(said.code, said.rest)
    left = doing.what(own)
    return all(statement == REST for statement in left) and bool(said.rest) == bool(left)


def _finding(said: _Said, span: Span, verb: str, other: str, at: Span) -> Diagnostic:
    message = f"{said.what} does nothing, because `{other}` changes `verb/{verb}`"
    hint = f"remove it; if this is intended, add `after: [{said.pack}]` to the pack.yaml of `{other}`"
    return Diagnostic("RW636", span, message, hint, (Label(at, f"`{other}` changes it here"),))


# ---- Find changes that make no difference to the game; each is a warning
#
# A pack on top sets a value that is already there, or a part of something that it then sets as a whole. The
# comparison uses what the author could know: the game and the packs that it extends or requires. It is no
# mistake of the author if a stranger sets the same value or removes its last reader (`defeated_changes`), or
# if a later pack overrides it. `idle_code` finds additions that do nothing.

def same_again(deeds: Sequence[Deed], documents: dict[int, Document], declared: Declared) -> Iterator[Diagnostic]:
    """Yield a warning for each value that a pack sets, adds, or removes without a difference.

    A change with `every` counts only if it makes no difference at any place.
    """
    each: dict[tuple[str, Span, str], list[Deed]] = {}
    there: dict[int, list[Deed]] = {}
    for deed in deeds:
        there.setdefault(deed.place.document, []).append(deed)
        if deed.action not in INSERTS:
            each.setdefault((deed.pack, deed.span, deed.action), []).append(deed)
    for of_one in each.values():
        why = [_why(deed, there[deed.place.document], documents, declared) for deed in of_one]
        if all(why):
            yield _change_finding(of_one, str(why[0]))


def _why(deed: Deed, there: Sequence[Deed], documents: dict[int, Document], declared: Declared) -> str:
    """Explain why a change makes no difference, given all changes in its document; empty if it may make one."""
    known = declared.seen.get(deed.pack, frozenset())
    around = [one for one in there if _nested(one, deed)]
    if any(one.pack not in known for one in around):
        return ""
    later = around[around.index(deed) + 1 :]
    covering = (one for one in later if one.pack == deed.pack and _covers(one, deed))
    if (whole := next(covering, None)) is not None:
        return f"the same pack then {'removes' if whole.action == 'remove' else 'sets'} all of `{whole.place.id}`"
    was, now = deed.old, deed.new
    document = documents.get(deed.place.document)
    kind = declared.kinds.get(document.kind) if document is not None else None
    if kind is not None and len(deed.place.bare) == 1:
        default = kind.defaults.get(deed.place.bare[0])
        was, now = was or default, now or default
    if was is None or now is None or not alike(was, now, deed.place.bare):
        return ""
    return f"it is already `{shown(was)}`"


def _nested(one: Deed, two: Deed) -> bool:
    shorter = min(len(one.place.bare), len(two.place.bare))
    return one.place.bare[:shorter] == two.place.bare[:shorter]


def _covers(one: Deed, two: Deed) -> bool:
    shorter = one.place.bare == two.place.bare[: len(one.place.bare)]
    return shorter and one.action in ("set", "remove") and len(one.place.bare) < len(two.place.bare)


def _change_finding(deeds: Sequence[Deed], why: str) -> Diagnostic:
    deed = deeds[0]
    does = {"set": "sets", "add": "adds", "remove": "removes"}[deed.action]
    which = f" with `{deed.every}`" if deed.every else ""
    message = f"`{deed.pack}` {does} `{deed.place.id}`{which}, but {why}: this change has no effect"
    old = deed.old if why.startswith("it is") else None
    labels = (Label(old.span, "the current value"),) if old is not None else ()
    return Diagnostic("RW639", deed.span, message, "remove it, or write another value", labels)


# ---- Find texts that a pack changes in some of its languages, but not in the others
#
# Only the languages of the pack that makes the change count. A text that lacks a language has its own finding
# (`check.texts`).

def half_changed(deeds: Sequence[Deed], declared: Declared) -> Iterator[Diagnostic]:
    """Yield a warning for each text of which a pack sets one language, but not another."""
    texts: dict[tuple[str, int, Path], list[Deed]] = {}
    for deed in deeds:
        path = deed.place.bare
        if deed.action == "set" and len(path) > 1 and path[-1] in declared.languages_at(deed.span):
            texts.setdefault((deed.pack, deed.place.document, path[:-1]), []).append(deed)
    found: dict[Span, Diagnostic] = {}  # a change with `every` has many places
    for said in texts.values():
        last = said[-1]
        words = [deed.place.bare[-1] for deed in said]
        left = [one for one in declared.languages_at(last.span) if one not in words]
        speaks = any(isinstance(one.new, ScalarNode) and has_words(one.new) for one in said)
        if left and last.old is not None and speaks:
            message = f"this text is changed in {listed(words)}, but not in {listed(left)}"
            hint = f"change `{left[0]}`, too; without it, players of that language read the text as it was"
            found.setdefault(last.span, Diagnostic("RW327", last.span, message, hint))
    yield from found.values()
