"""Flow written as YAML: steps, turns, queues, menus, comparisons. Each becomes code of the unit it stands in."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from attrs import evolve

from ruleset.check.expressions.values import cards_of
from ruleset.check.scope import Bound, Scope, Value
from ruleset.check.statements.arguments import new_name
from ruleset.check.statements.checker import StatementChecker
from ruleset.check.statements.hooks import Hooks
from ruleset.check.statements.modifiers import ending, tracks_until
from ruleset.check.statements.step_forms import ask_in_queue, ask_together, compare_players
from ruleset.check.statements.verb_registry import Code
from ruleset.check.statements.woven import Weaver
from ruleset.common.diagnostic import Label
from ruleset.common.nearest import nearest
from ruleset.common.span import Span
from ruleset.language.types import BOOLEAN, NUMBER, PLAYER
from ruleset.program import nodes as p
from ruleset.source.nodes import Around
from ruleset.source.reader import Entry, Mapping, Node, Scalar, Sequence
from ruleset.source.yaml_access import text_of, texts_of
from ruleset.table import nodes as t

EXITS = {"leave the queue": "leave", "go to the end of the queue": "requeue", "leave the step": "leave-step"}


_DOING = ("do", "options", "steps", "compare", "choose")
"""Keys that say what a step does."""


class StepChecker:
    """Checks the steps of phases, set-ups, effects."""

    def __init__(self, statements: StatementChecker) -> None:
        self.context = statements.context
        self.expressions = statements.expressions
        self.statements = statements
        self.hooks = Hooks(self.context, self.body, self.condition)
        self.weaver = Weaver(self.context, self.plain_body)

    def body(self, node: Node | None, scope: Scope) -> Code:
        """An effect: text, a step, or a list of steps; with what packs put around it."""
        if node is None:
            return ()
        inner = scope if scope.original is None else evolve(scope, original=None)
        return self.weaver.woven(node, lambda: self.plain_body(node, scope), inner)

    def plain_body(self, node: Node, scope: Scope) -> tuple[Code, Scope]:
        """An effect without what packs put around it, and the scope after it. Steps give no names."""
        if isinstance(node, Scalar):
            return self.statements.effect(node, scope)
        return self.step(node, scope) if isinstance(node, Mapping) else self.steps(node, scope), scope

    def steps(self, node: Node | None, scope: Scope) -> Code:
        """Steps one after the other; ids are unique among them."""
        code: list[t.Stmt] = []
        seen: dict[str, Span] = {}
        for name in _names(node):
            if name.text in seen:
                self._two_steps(name.text, seen[name.text], name.span)
            seen[name.text] = name.span
        for item in node.items if isinstance(node, Sequence) else ():
            if isinstance(item, Mapping):
                code.extend(self.step(item, scope))
        return tuple(code)

    def _two_steps(self, name: str, first: Span, second: Span) -> None:
        """Two steps of one name: reported where the newer one is, in the pack that knows the other's."""
        newer, other = (first, second) if self.context.declared.builds_on(first, second) else (second, first)
        label = Label(other, "the other step")
        self.context.report("RW313", newer, f"two steps are called `{name}`", "rename one", label)

    def step(self, node: Mapping, scope: Scope) -> Code:
        """One step, with its conditions, its turns and its body."""
        name = text_of(node, "id")
        key = f"{scope.prefix or scope.unit.key}.{name}" if name else scope.prefix or scope.unit.key
        span = node.span_of("id")
        at = self.context.source(f"step/{key}" if name else scope.unit.key, span)
        label = scope.unit.label()
        inner = evolve(scope, prefix=key, exits={**scope.exits, "step": label})
        turned = any(isinstance(node.get(word), Scalar) for word in ("turns", "queue"))
        begins, ends = self._turn_ends(scope, at) if turned else ((), ())
        code = self._ranged(node, inner, key, ends, at)
        idle = all(_says_nothing(node.get(word)) for word in _DOING)
        if name:
            named = node.get("name")
            if isinstance(named, Mapping):
                texts = tuple((e.key.text, e.value.text) for e in named.entries if isinstance(e.value, Scalar))
                self.context.texts[f"step/{key}"] = texts
            you = scope.you if scope.you is not None else t.Const(-1)
            told = t.Emit("reached", (you,), None, t.Const(-1), t.Const(-1), at)
            code = (told, *self.context.covered(f"step {key}", at), *code)
            hooked = self.hooks.hooked(f"step/{key}", code, inner)
            idle, code = idle and hooked == code, hooked
        if idle:
            what = f"the step `{name}`" if name else "this step"
            hint = "say what happens: `do: …`; a step that only house rules fill says `do: do nothing`"
            self.context.report("RW329", span, f"{what} does nothing", hint)
        early = ends if label in scope.unit.left.among(code) else ()
        code = (*begins, p.Block(label, code), *early)
        for word in ("when", "unless"):
            condition = self.condition(node.get(word), scope)
            if condition is not None:
                code = (t.If(condition if word == "when" else t.Not(condition), code, ()),)
        if node.span in self.context.insert_places:
            self.context.inserted_code[node.span] = code
        return code

    def condition(self, node: Node | None, scope: Scope) -> t.Expr | None:
        """A condition, or a list of conditions that must all hold."""
        if isinstance(node, Scalar):
            value = self.expressions.read(node, evolve(scope, reading=True), BOOLEAN)
            return value.node if value is not None and isinstance(value.node, t.Expr) else None
        whole: t.Expr | None = None
        for item in node.items if isinstance(node, Sequence) else ():
            part = self.condition(item, scope)
            if part is not None:
                whole = part if whole is None else t.And(whole, part)
        return whole

    def _ranged(self, node: Mapping, scope: Scope, key: str, ends: Code, at: int) -> Code:
        """What runs for each seat, for each member, while, or once. `ends` is what ends with each turn."""

        def inside(inner: Scope) -> Code:
            return self._acted(node, inner, at)

        turns, each, queue, together = (node.get(w) for w in ("turns", "for-each", "queue", "together"))
        if isinstance(turns, Scalar):
            value = self._among(turns, scope)
            return self._turns(value, scope, inside, ends, at) if value is not None else self._aside(scope, inside)
        if isinstance(each, Mapping):
            return self._for_each(each.entries[0], scope, inside, at)
        if isinstance(queue, Scalar):
            value = self._among(queue, scope)
            return ask_in_queue(value, scope, inside, ends, at) if value is not None else self._aside(scope, inside)
        if isinstance(together, Scalar):
            value = self._among(together, scope)
            return ask_together(self.expressions, value, node, scope, key, inside, at) if value is not None else ()
        loop = node.get("while")
        if isinstance(loop, Scalar):
            condition = self.expressions.read(loop, evolve(scope, reading=True), BOOLEAN)
            label = scope.unit.label()
            inner = evolve(scope, exits={**scope.exits, "leave-step": label})
            body = inside(inner)
            if condition is None or not isinstance(condition.node, t.Expr):
                return ()
            return (p.Block(label, (t.While(condition.node, body, at),)),)
        return inside(scope)

    @staticmethod
    def _aside(scope: Scope, inside: Callable[[Scope], Code]) -> Code:
        """No code, but the findings inside of a step whose seats or members are not known."""
        exits = dict.fromkeys(("turn", "leave", "requeue", "leave-step"), 0)
        you = scope.you if scope.you is not None else t.Const(0)
        inside(evolve(scope, you=you, exits={**exits, **scope.exits}))
        return ()

    def _among(self, node: Scalar, scope: Scope) -> Value | None:
        return self.expressions.read(node, evolve(scope, reading=True), PLAYER.list)

    def _turns(self, value: Value, scope: Scope, inside: Callable[[Scope], Code], ends: Code, at: int) -> Code:
        assert isinstance(value.node, t.List)
        variable = scope.unit.variable("you", PLAYER)
        label = scope.unit.label()
        inner = evolve(scope, you=p.Var(variable), exits={**scope.exits, "turn": label})
        body = (p.Block(label, inside(inner)), *ends)
        return (p.Loop(variable, value.node, body, "seats", at),)

    def _turn_ends(self, scope: Scope, at: int) -> tuple[Code, Code]:
        """What goes before the turns of a step, and what ends with each. Turns within a turn end only the modifiers
        that were started in them: the others go on until the turn around them ends."""
        if scope.unit.key == "main" and "turn" not in scope.exits:
            return (), ending(self.context, "turn", at)
        kept = [(track, scope.unit.variable("kept", NUMBER)) for track in tracks_until(self.context, "turn")]
        begins = tuple(p.SetVar(variable, p.TrackAt(track, ())) for track, variable in kept)
        return begins, tuple(p.AssignTrack(track, (), p.Var(variable), at) for track, variable in kept)

    def _for_each(self, entry: Entry, scope: Scope, inside: Callable[[Scope], Code], at: int) -> Code:
        if not isinstance(entry.value, Scalar):
            return ()
        base = self.members(entry, scope)
        if base is None:
            return self._aside(scope.losing(entry.key.text), inside)
        new_name(self.context, entry.key.text, entry.key.span, scope)
        return self.statements.looped(entry.key.text, base, scope, inside, at)

    def members(self, entry: Entry, scope: Scope) -> Value | None:
        """The list that a name runs over: `name: list`; an enumeration or kind stands for its members."""
        assert isinstance(entry.value, Scalar)
        value = self.expressions.read(entry.value, evolve(scope, reading=True))
        if value is None:
            return None
        if value.type.name == "zone":
            return cards_of(value)
        if not value.type.many:
            hint = "such as `row`, `every special`, or an enumeration"
            self.context.report("RW427", entry.value.span, f"a {value.type} is not a list", hint)
            return None
        return value

    # -------------------------------------------------------------- what is done

    def _acted(self, node: Mapping, scope: Scope, at: int) -> Code:
        """The body of a step: optional or not, a menu, an effect, a comparison, or further steps."""
        code: Code = ()
        options, steps, compare = node.get("options"), node.get("steps"), node.get("compare")
        if isinstance(options, Mapping):
            code = self.menu(options, scope, at)
        elif isinstance(steps, Sequence):
            if isinstance(node, Around):  # what it is around is called as if it were not there
                scope = evolve(scope, prefix=(scope.prefix or "").rpartition(".")[0])
            code = self.steps(steps, scope)
            if isinstance(node, Around):
                self.context.proceeded_code[node.span] = code
        elif isinstance(compare, Scalar):
            code = compare_players(self.expressions, compare, node, scope, self.body, at)
        elif node.get("do") is not None:
            code = self.body(node.get("do"), scope)
        if text_of(node, "optional") == "true":
            if scope.you is None:
                span = node.span_of("optional")
                self.context.report(
                    "RW422", span, "nobody's turn says who may decline", "add `turns: …` to the step"
                )
                return ()
            perform = p.Branching("perform", (), (), (), (), None, code, at)
            decline = p.Branching(p.DECLINE, (), (), (), (), None, (), at)
            prompt = self.context.prompt(scope.prefix, (perform, decline))
            return (p.Menu(prompt, scope.you, (perform, decline), at),)
        return code

    def menu(self, options: Mapping, scope: Scope, at: int) -> Code:
        """A menu of options: each `each`, `when`, `do`, `then`."""
        if scope.you is None:
            hint = "add `turns: …`, `queue: …` or `for-each: …` to the step"
            self.context.report("RW422", options.span, "nobody's turn says who chooses", hint)
            return ()
        branches = []
        for entry in options.entries:
            if isinstance(entry.value, Mapping):
                branches.append(self.option(entry.key, entry.value, scope))
            elif isinstance(entry.value, Scalar):
                source = self.context.source(f"step/{scope.prefix}", entry.key.span)
                body = self.body(entry.value, evolve(scope, prefix=f"{scope.prefix}.{entry.key.text}"))
                body = (*self.context.covered(f"option {scope.prefix}.{entry.key.text}", source), *body)
                branches.append(p.Branching(entry.key.text, (), (), (), (), None, body, source))
        prompt = self.context.prompt(scope.unit.choice("choice", scope.prefix), branches)
        self.name_options(options, prompt.key)
        return (p.Menu(prompt, scope.you, tuple(branches), at),)

    def name_options(self, options: Mapping, choice: str) -> None:
        """Record what players call the options of a choice."""
        for entry in options.entries:
            name = entry.value.get("name") if isinstance(entry.value, Mapping) else None
            if name is not None:
                self.context.texts[f"choice/{choice}.{entry.key.text}"] = texts_of(name)

    def option(self, key: Scalar, node: Mapping, scope: Scope) -> p.Branching:
        source = self.context.source(f"step/{scope.prefix}", key.span)
        inner = evolve(scope, prefix=f"{scope.prefix}.{key.text}")
        names: list[str] = []
        variables: list[int] = []
        members: list[t.List] = []
        types = []
        each = node.get("each")
        for entry in each.entries if isinstance(each, Mapping) else ():
            base = self.members(entry, inner) if isinstance(entry.value, Scalar) else None
            if base is None or not isinstance(base.node, t.List):
                inner = inner.losing(entry.key.text)
                continue
            new_name(self.context, entry.key.text, entry.key.span, inner)
            variable = scope.unit.variable(entry.key.text, base.type.one)
            names.append(entry.key.text)
            variables.append(variable)
            members.append(base.node)
            types.append(base.type.one)
            place = None
            if base.type.name == "card":
                place = scope.unit.variable(f"{entry.key.text} place", NUMBER)
            inner = inner.bind(entry.key.text, Bound(variable, base.type.one, False, place))
        condition = self.condition(node.get("when"), inner)
        unless = self.condition(node.get("unless"), inner)
        if unless is not None:
            refused = t.Not(unless)
            condition = refused if condition is None else t.And(condition, refused)
            self._record_unless(node, unless, refused)
        places = [
            p.SetVar(bound.place, p.PlaceOf(p.Var(bound.variable)))
            for name in names
            if (bound := inner.names[name]).place is not None
        ]
        told = self.context.covered(f"option {inner.prefix}", source)
        body = (*told, *places, *self.body(node.get("do"), inner))
        then = node.get("then")
        if isinstance(then, Scalar):
            body = (*body, *self._then(then, inner))
        return p.Branching(
            key.text, tuple(names), tuple(variables), tuple(members), tuple(types), condition, tuple(body), source
        )

    def _record_unless(self, node: Mapping, unless: t.Expr, refused: t.Expr) -> None:
        """Record that what `unless` says must not hold, with its key: `unless: coins > 2` is why it is left out."""
        key = node.key("unless")
        recorded = next((one for one in reversed(self.context.conditions) if one.node is unless), None)
        if key is not None and recorded is not None:
            span = evolve(recorded.span, line=key.span.line, column=key.span.column)
            self.context.conditions.append(evolve(recorded, node=refused, span=span))

    def _then(self, node: Scalar, scope: Scope) -> Code:
        exit_ = EXITS.get(node.text)
        if exit_ is None or exit_ not in scope.exits:
            known = [text for text, name in EXITS.items() if name in scope.exits]
            near = nearest(node.text, known)
            hint = (
                f"did you mean `{near}`?"
                if near
                else "; ".join(known) or "only a step with `queue` or `while` knows `then`"
            )
            self.context.report("RW434", node.span, f"`{node.text}` is not known here", hint)
            return ()
        return (p.Leave(scope.exits[exit_]),)


def _says_nothing(node: Node | None) -> bool:
    """Whether a key of a step is missing, or an empty list."""
    return node is None or (isinstance(node, Sequence) and not node.items)


def _names(steps: Node | None) -> Iterator[Scalar]:
    """The ids of steps of a list, and of those around which a house rule put another: all that must differ."""
    for item in steps.items if isinstance(steps, Sequence) else ():
        name = item.get("id") if isinstance(item, Mapping) else None
        if isinstance(name, Scalar):
            yield name
        if isinstance(item, Around):
            yield from _names(item.get("steps"))
