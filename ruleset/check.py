"""Declarations -> the program: bodies are checked, names linked, every effect becomes code."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import evolve

from ruleset import program as p
from ruleset import table as t
from ruleset.declared import Declared, DefinitionDeclared, FunctionDeclared, KindDeclared, Named, VerbDeclared
from ruleset.diagnostic import Diagnostic, Label
from ruleset.document import Mapping, Node, Scalar, Sequence
from ruleset.effects import Effects
from ruleset.matching import overlap, pattern_text
from ruleset.nearest import nearest
from ruleset.scope import Bound, Context, Scope, Unit, Value
from ruleset.span import NOWHERE
from ruleset.types import BOOLEAN, NUMBER, PLAYER, Type
from ruleset.vocabulary import SENTENCES
from ruleset.windows import MOMENTS, Windows, modifier_track

FORMS_OF_DEFINITION = ("name", "text", "plural", "copies", "source", "starts", "home")


def check(declared: Declared) -> tuple[p.Program, tuple[Diagnostic, ...]]:
    """The program of a pack; it is worth running only when there is no finding of severity error."""
    return _Checker(declared).run()


class _Checker:
    def __init__(self, declared: Declared) -> None:
        self.context = Context(declared)
        self.declared = declared
        self.language = Windows(self.context)
        self.context.source("", NOWHERE)

    def run(self) -> tuple[p.Program, tuple[Diagnostic, ...]]:
        d = self.declared
        self._verbs_apart()
        self.context.takes.update(d.takes)
        functions = tuple(self._function(function) for function in d.functions.values())
        units = [self._verb(verb) for verb in d.verbs.values()]
        definitions = []
        for definition in d.definitions.values():
            made, bodies = self._definition(definition)
            definitions.append(made)
            units.extend(bodies)
        units.extend(self.language.window(named) for named in d.windows.values())
        units.extend(self.language.claim(named) for named in d.claims.values())
        units.append(self._finish())
        main = self._main()
        self._hooks_used()
        self._used()
        supplies = tuple(s for named in d.components.values() for s in self._component(named))
        program = p.Program(
            pack=d.pack,
            version=d.version,
            least_players=d.players[0],
            most_players=d.players[1],
            languages=d.languages,
            options=tuple(option for _, option in d.options.values()),
            values=tuple(value for _, value in d.values.values()),
            enumerations=tuple(p.Enumeration(key, members) for key, (_, members) in d.enumerations.items()),
            kinds=tuple(self._kind(kind) for kind in d.kinds.values()),
            definitions=tuple(definitions),
            supplies=supplies,
            zones=tuple(zone for _, zone in d.zones.values()),
            tracks=(*self._tracks(), *self._modifier_tracks(), *KERNEL_TRACKS),
            lists=(*(declared for _, declared in d.lists.values()), LIVING),
            functions=functions,
            units=tuple(units),
            main=main,
            sources=tuple(self.context.sources),
            texts=tuple(d.texts.items()),
        )
        if not self.context.found:
            effects = Effects(program)
            self.context.found.extend((*effects.circles(), *effects.stale()))
        return program, tuple(self.context.found)

    # -------------------------------------------------------------- verbs and functions

    def _verbs_apart(self) -> None:
        """No sentence may be two verbs: a clash is an error where the newer is declared."""
        d = self.declared
        words = dict.fromkeys(d.zones, "zone")
        words |= dict.fromkeys((*d.definitions, *d.plurals), "definition")
        words |= {member: "enumeration" for _, members in d.enumerations.values() for member in members}
        earlier: list[VerbDeclared] = []
        for verb in d.verbs.values():
            for kernel in SENTENCES:
                if overlap(kernel, verb, words):
                    message = f"`{verb.text}` could also be the kernel's `{pattern_text(kernel)}`"
                    self.context.report("RW314", verb.span, message, "use other words in the sentence")
                    self.context.clashing.add(verb.key)
                    break
            for other in earlier:
                if overlap(other, verb, words):
                    label = Label(other.span, "the other verb")
                    message = f"`{verb.text}` could also be `{pattern_text(other)}`"
                    self.context.report("RW314", verb.span, message, "use other words in one of the sentences", label)
                    self.context.clashing.add(verb.key)
                    break
            earlier.append(verb)

    def _parameters(self, unit: Unit, scope: Scope, named: tuple[tuple[str, Type], ...]) -> Scope:
        """Parameters in the order in which calls pass them; a card is followed by its place."""
        for name, type_ in named:
            variable = unit.variable(name, type_.one, type_.many)
            place = unit.variable(f"{name} place", NUMBER) if type_.name == "card" else None
            scope = scope.bind(name, Bound(variable, type_, False, place))
        return scope

    def _verb(self, verb: VerbDeclared) -> p.Unit:
        unit = Unit(verb.key)
        at = self.context.source(f"verb/{verb.key}", verb.span)
        you = unit.variable("you", PLAYER)
        scope = self._parameters(unit, Scope(unit, you=p.Var(you), reading=False), verb.holes)
        parameters = len(unit.variables)
        body = self.language.body(verb.body.get("do"), scope)
        body = self.language.hooked(f"verb/{verb.key}", body, scope)
        return p.Unit(verb.key, parameters, tuple(unit.variables), body, at)

    def _function(self, function: FunctionDeclared) -> p.Function:
        unit = Unit(function.key)
        at = self.context.source(f"function/{function.key}", function.span)
        scope = Scope(unit, reading=True)
        for name, type_ in function.takes:
            variable = unit.variable(name, type_.one, type_.many)
            scope = scope.bind(name, Bound(variable, type_))
        gives = function.gives or BOOLEAN
        parameters = len(unit.variables)
        modified = any(
            isinstance(m.body, Mapping) and getattr(m.body.get("changes"), "text", "") == function.key
            for m in self.declared.modifiers.values()
        )
        result_variable = unit.variable("result", gives) if modified and not gives.many else None
        cases = function.body.get("cases")
        body: tuple[t.Stmt, ...] = ()
        items = cases.items if isinstance(cases, Sequence) else (function.body,)
        for item in reversed(items):
            result = item.get("is") if isinstance(item, Mapping) else None
            value = self.language.read(result, scope, gives) if isinstance(result, Scalar) else None
            give = self._given(value, result_variable)
            when = item.get("when") if isinstance(item, Mapping) and cases is not None else None
            test = self.language.read(when, scope, BOOLEAN) if isinstance(when, Scalar) else None
            if isinstance(when, Scalar):
                body = (t.If(test.node, give, body),) if test is not None and isinstance(test.node, t.Expr) else body
            else:
                body = give
        if result_variable is not None:
            more = self.language.modified(function.key, scope, result_variable)
            body = (*body, *more, t.Give(p.Var(result_variable)))
        return p.Function(p.Unit(function.key, parameters, tuple(unit.variables), body, at), gives.many)

    def _given(self, value: Value | None, result: int | None) -> tuple[t.Stmt, ...]:
        """What a case of a function ends with: its value, or, when modifiers follow, a note of it."""
        if value is None:
            return ()
        if result is not None and isinstance(value.node, t.Expr):
            return (p.SetVar(result, value.node),)
        return (t.Give(value.node),)

    # -------------------------------------------------------------- kinds, definitions, components

    def _kind(self, kind: KindDeclared) -> p.Kind:
        lists = tuple(key for key, (_, declared) in self.declared.lists.items() if declared.scope == kind.key)
        return p.Kind(
            kind.key, tuple(kind.fields.values()), tuple(kind.effects.values()), tuple(kind.expressions), lists
        )

    def _definition(self, d: DefinitionDeclared) -> tuple[p.Definition, list[p.Unit]]:
        kind = self.declared.kinds[d.kind]
        fields: list[tuple[str, tuple[int | tuple[int, ...], ...]]] = []
        effects: list[tuple[str, tuple[str, ...]]] = []
        expressions: list[tuple[str, str]] = []
        units: list[p.Unit] = []
        made = dict(d.made)
        known = {*kind.fields, *kind.effects, *kind.expressions}
        for name, field in kind.fields.items():
            if name in made:
                fields.append((name, (made[name],)))
                continue
            node = d.body.get(name)
            node = kind.defaults.get(name) if node is None else node
            values = self._values(node, field, kind, d) if node is not None else ()
            if values:
                fields.append((name, values))
        if not d.made and d.body.key(d.kind) is not None:
            for entry in d.body.entries[1:]:
                if entry.key.text not in known and entry.key.text not in FORMS_OF_DEFINITION:
                    if entry.key.text in self.declared.tainted:
                        continue
                    near = nearest(entry.key.text, [*known, *FORMS_OF_DEFINITION])
                    hint = f"did you mean `{near}`?" if near else "it has: " + ", ".join(sorted(known))
                    label = Label(kind.span, "the kind is declared here")
                    message = f"a {kind.key} has no field `{entry.key.text}`"
                    self.context.report("RW311", entry.key.span, message, hint, label)
        for name, effect in kind.effects.items():
            node = d.body.get(name) if not d.made else None
            if node is None:
                continue
            bodies = node.items if effect.per_copy and isinstance(node, Sequence) else (node,)
            keys = []
            for index, body in enumerate(bodies):
                key = f"{d.key}.{name}" + (f"-{index + 1}" if len(bodies) > 1 else "")
                units.append(self._effect(key, f"{d.key}.{name}", body, effect, kind))
                keys.append(key)
            effects.append((name, tuple(keys)))
        for name, type_ in kind.expressions.items():
            node = d.body.get(name) if not d.made else None
            if isinstance(node, Scalar):
                key = f"{d.key}.{name}"
                units.append(self._worth(key, node, type_, kind))
                expressions.append((name, key))
        texts = tuple((k.split(".")[-1] if "." in k else "name", v) for k, v in self.declared.texts.items()
                      if k in (f"{d.kind}/{d.key}", f"{d.kind}/{d.key}.text"))  # fmt: skip
        definition = p.Definition(d.key, d.kind, tuple(fields), tuple(effects), tuple(expressions), texts, d.span)
        return definition, units

    def _values(
        self, node: Node, field: p.Field, kind: KindDeclared, d: DefinitionDeclared
    ) -> tuple[int | tuple[int, ...], ...]:
        """A field's value: one, or one for each copy; a list's is a tuple."""
        if field.per_copy and isinstance(node, Sequence):
            return tuple(v for item in node.items for v in self._values(item, evolve(field, per_copy=False), kind, d))
        if field.many:
            items = node.items if isinstance(node, Sequence) else (node,)
            numbers = [self._value(item, field, kind) for item in items if isinstance(item, Scalar)]
            return (tuple(n for n in numbers if n is not None),)
        if not isinstance(node, Scalar):
            self.context.report("RW315", node.span, f"`{field.key}` is one {field.type}, not a list")
            return ()
        number = self._value(node, field, kind)
        return () if number is None else (number,)

    def _value(self, node: Scalar, field: p.Field, kind: KindDeclared) -> int | None:
        type_, d = field.type, self.declared
        if type_ == NUMBER:
            low, high = kind.ranges.get(field.key, (-(2**31), 2**31 - 1))
            if isinstance(node.value, bool) or not isinstance(node.value, int):
                self.context.report("RW315", node.span, f"`{field.key}` is a number, not `{node.text}`")
                return None
            if not low <= node.value <= high:
                self.context.report("RW315", node.span, f"`{field.key}` must be {low} to {high}, not {node.value}")
                return None
            return node.value
        if type_ == BOOLEAN:
            if not isinstance(node.value, bool):
                self.context.report("RW315", node.span, f"`{field.key}` is true or false, not `{node.text}`")
                return None
            return int(node.value)
        names: list[str] = []
        if type_.name == "enumeration":
            names = list(d.enumerations[type_.of][1])
            if node.text in names:
                return names.index(node.text)
        elif type_.name == "definition":
            names = [key for key, other in d.definitions.items() if other.kind in type_.of.split("|")]
            if node.text in names:
                return list(d.definitions).index(node.text)
        if node.text in d.tainted:
            return None
        near = nearest(node.text, names)
        hint = f"did you mean `{near}`?" if near else ("one of: " + ", ".join(names) if names else None)
        self.context.report("RW315", node.span, f"`{node.text}` is not a {type_}", hint)
        return None

    def _effect(self, key: str, prefix: str, body: Node, effect: p.EffectField, kind: KindDeclared) -> p.Unit:
        unit = Unit(key)
        at = self.context.source(f"effect/{key}", body.span)
        you = unit.variable("you", PLAYER)
        type_ = Type("definition" if kind.abstract else "card", kind.key)
        this = unit.variable("this", type_)
        place = unit.variable("this place", NUMBER)
        bound = Bound(this, type_, False, None if kind.abstract else place)
        scope = Scope(unit, you=p.Var(you), prefix=prefix, reading=False).bind("this", bound)
        scope = self._parameters(unit, scope, effect.parameters)
        parameters = len(unit.variables)
        code = self.language.body(body, scope)
        event = t.Emit("performed", (p.Var(you),), None, t.Const(-1), t.Const(-1), at)
        if not kind.abstract:
            one = t.Items((p.Var(this),))
            event = evolve(event, cards=t.Choice(t.Binary("<", p.Var(this), t.Const(0)), t.Items(()), one))
        return p.Unit(key, parameters, tuple(unit.variables), (event, *code), at)

    def _worth(self, key: str, node: Scalar, type_: Type, kind: KindDeclared) -> p.Unit:
        unit = Unit(key)
        at = self.context.source(f"expression/{key}", node.span)
        you = unit.variable("you", PLAYER)
        this = unit.variable("this", Type("definition" if kind.abstract else "card", kind.key))
        scope = Scope(unit, you=p.Var(you)).bind("this", Bound(this, unit.variables[this].type))
        value = self.language.read(node, scope, type_)
        give = (t.Give(value.node),) if value is not None else ()
        return p.Unit(key, 2, tuple(unit.variables), give, at)

    def _component(self, named: Named) -> list[p.Supply]:
        body, d = named.body, self.declared
        assert isinstance(body, Mapping)
        kind_node = body.get("kind")
        assert isinstance(kind_node, Scalar)
        if kind_node.text not in d.kinds:
            if kind_node.text not in d.tainted:
                hint = _meant(kind_node.text, d.kinds, "kinds")
                self.context.report("RW309", kind_node.span, f"there is no kind `{kind_node.text}`", hint)
            return []
        supplies = []
        for definition in d.definitions.values():
            if definition.kind != kind_node.text or (definition.made and definition.body is not body):
                continue
            copies_node = definition.body.get("copies")
            copies_node = copies_node if copies_node is not None else body.get("copies")
            copies = self._copies(copies_node, definition)
            places = []
            for word in ("starts", "home"):
                node = definition.body.get(word) or body.get(word)
                places.append(self._component_zone(node, kind_node.text))
            self._per_copy(definition, copies)
            at = self.context.source(f"component/{named.key}", named.span)
            (starts, indexed), (home, home_indexed) = places
            supplies.append(p.Supply(definition.key, copies, starts, indexed, home, home_indexed, at))
        return supplies

    def _per_copy(self, definition: DefinitionDeclared, copies: t.Expr) -> None:
        """Values and effects that each copy has of its own are as many as the copies."""
        kind = self.declared.kinds[definition.kind]
        apart = [f.key for f in (*kind.fields.values(), *kind.effects.values()) if f.per_copy]
        for name in apart if not definition.made else ():
            node = definition.body.get(name)
            if not isinstance(node, Sequence) or not isinstance(copies, t.Const) or len(node.items) == copies.value:
                continue
            message = f"`{name}` has {len(node.items)} entries, but there are {copies.value} copies"
            self.context.report("RW322", node.span, message, "write one entry for each copy")

    def _component_zone(self, node: Node | None, kind: str) -> tuple[str, bool]:
        if not isinstance(node, Scalar):
            return "", False
        zone = self.declared.zones.get(node.text)
        if zone is None:
            if node.text not in self.declared.tainted:
                hint = _meant(node.text, self.declared.zones, "zones")
                self.context.report("RW309", node.span, f"there is no zone `{node.text}`", hint)
            return "", False
        if zone[1].scope == "player":
            message = f"each player has a `{node.text}`; cards start in a zone of the game, and go home to one"
            self.context.report("RW319", node.span, message, "deal them to players in a set-up")
            return "", False
        if zone[1].accepts and kind not in zone[1].accepts:
            accepted = ", ".join(f"`{one}`" for one in zone[1].accepts)
            message = f"`{node.text}` accepts only {accepted}, and these are of the kind `{kind}`"
            hint = f"name another zone, or add `{kind}` to what it accepts"
            self.context.report("RW321", node.span, message, hint, Label(zone[0], "the zone is declared here"))
        return node.text, zone[1].scope == "definition"

    def _copies(self, node: Node | None, definition: DefinitionDeclared) -> t.Expr:
        if node is None:
            return t.Const(1)
        if isinstance(node, Scalar):
            value = self.language.read(node, Scope(Unit("components")), NUMBER)
            return value.node if value is not None and isinstance(value.node, t.Expr) else t.Const(0)
        if isinstance(node, Mapping):
            by = node.get("by")
            if isinstance(by, Scalar):
                if by.text not in dict(definition.made):
                    fields = [name for name, _ in definition.made]
                    message = f"`each` of this component does not run over `{by.text}`"
                    self.context.report("RW311", by.span, message, _meant(by.text, fields, "fields"))
                number = dict(definition.made).get(by.text, 0)
                found = node.get(str(number))
                if found is None and by.text in dict(definition.made):
                    message = f"`copies` says nothing for `{by.text}` {number}"
                    self.context.report("RW202", by.span, message, f"add `{number}: …`; 0 if there are none")
                return t.Const(found.value) if isinstance(found, Scalar) and isinstance(found.value, int) else t.Const(0)
        return t.Const(1)

    # -------------------------------------------------------------- tracks

    def _used(self) -> None:
        """Phases and awards that nothing lists would do nothing; their own mistakes are reported all the same."""
        d = self.declared
        scope = Scope(Unit("unused"), reading=False)
        for named in d.phases.values():
            if named.key in d.tainted:  # what lists it could not be read
                continue
            if f"phase/{named.key}" not in self.context.used and isinstance(named.body, Mapping):
                hint = f"write it where it belongs in the order of the round: `phases: [{named.key}]`"
                self.context.report("RW320", named.span, f"no round lists the phase `{named.key}`", hint)
                inner = evolve(scope, prefix=named.key, you=t.Const(0), exits={"phase": 0, "round": 0, "turn": 0})
                self.language.steps(named.body.get("steps"), inner)
        for named in d.awards.values():
            if named.key in d.tainted:
                continue
            if f"award/{named.key}" not in self.context.used and isinstance(named.body, Mapping):
                hint = f"list it at the end of the game: `awards: [{named.key}]`"
                self.context.report("RW320", named.span, f"no `finish` lists the award `{named.key}`", hint)
                self.language.award(Scalar(named.key, named.key, named.span), named.body, 0, scope)
        for named in d.modifiers.values():
            changed = named.body.get("changes") if isinstance(named.body, Mapping) else None
            if not isinstance(changed, Scalar) or changed.text in d.tainted:
                continue
            function = d.functions.get(changed.text)
            if function is None:
                meant = _meant(changed.text, d.functions, "functions")
                message = f"there is no function `{changed.text}` to change"
                self.context.report("RW430", changed.span, message, meant)
            elif function.gives is not None and function.gives.many:
                label = Label(function.span, "declared here")
                message = f"`{changed.text}` gives a {function.gives}, and modifiers change single values only"
                self.context.report("RW424", changed.span, message, None, label)

    def _tracks(self) -> tuple[p.Track, ...]:
        tracks = []
        for _, track, start in self.declared.tracks.values():
            default = -1 if track.of.name in ("player", "card", "definition") else 0
            node: t.Expr = t.Const(default)
            if start is not None:
                value = self.language.read(start, Scope(Unit(track.key)), track.of)
                node = value.node if value is not None and isinstance(value.node, t.Expr) else node
            tracks.append(evolve(track, start=node))
        return tuple(tracks)

    def _modifier_tracks(self) -> tuple[p.Track, ...]:
        keys = [modifier_track(key, moment) for key in self.declared.modifiers for moment in MOMENTS]
        return tuple(p.Track(k, (), NUMBER, 0, 1000, False, t.Const(0), "all", "nobody", False) for k in keys)

    def _hooks_used(self) -> None:
        """A hook whose anchor is nowhere is an error."""
        d = self.declared
        anchors = [f"verb/{key}" for key in d.verbs]
        anchors += [source.name for source in self.context.sources if source.name.startswith("step/")]
        for named in d.hooks.values():
            if f"hook/{named.key}" in self.context.used or not isinstance(named.body, Mapping):
                continue
            for word in ("before", "after", "instead-of"):
                anchor = named.body.get(word)
                if isinstance(anchor, Scalar) and anchor.text.split("/")[-1].split(".")[0] not in d.tainted:
                    near = nearest(anchor.text, anchors)
                    hint = f"did you mean `{near}`?" if near else "an anchor is `verb/ID` or `step/PHASE.STEP`"
                    self.context.report("RW316", anchor.span, f"there is no `{anchor.text}` to hook", hint)

    # -------------------------------------------------------------- the game

    def _main(self) -> p.Unit:
        unit = Unit("main")
        scope = Scope(unit, reading=False)
        code: list[t.Stmt] = [p.SetStateList("living", None, p.Everyone())]
        for setup in self.declared.setups.values():
            if isinstance(setup.body, Mapping):
                code.extend(self.language.steps(setup.body.get("steps"), evolve(scope, prefix=setup.key)))
        for round_ in self.declared.rounds.values():
            code.extend(self._round(round_, scope))
        code.append(p.EndGame())
        return p.Unit("main", 0, tuple(unit.variables), tuple(code), 0)

    def _round(self, named: Named, scope: Scope) -> tuple[t.Stmt, ...]:
        body, unit = named.body, scope.unit
        if not isinstance(body, Mapping):
            return ()
        at = self.context.source(f"round/{named.key}", named.span)
        done = unit.label()
        again = unit.label()
        inner = evolve(scope, prefix=named.key, exits={**scope.exits, "round": again})
        code: list[t.Stmt] = []
        turns = body.get("turns-from")
        start: list[t.Stmt] = []
        advance: list[t.Stmt] = []
        seat: t.Expr = t.Const(-1)
        if isinstance(turns, Scalar):
            first = self.language.read(turns, evolve(scope, reading=True), PLAYER)
            variable = unit.variable("you", PLAYER)
            if first is not None and isinstance(first.node, t.Expr):
                start.append(p.SetVar(variable, first.node))
            inner = evolve(inner, you=p.Var(variable), exits={**inner.exits, "turn": again})
            seat = p.Var(variable)
            value = self._next(seat, unit)
            advance.append(p.SetVar(variable, value))
        code.append(t.Emit("reached", (seat,), None, t.Const(-1), t.Const(-1), at))
        steps = body.get("steps")
        if isinstance(steps, Sequence):
            code.extend(self.language.steps(steps, inner))
        phases = body.get("phases")
        for item in phases.items if isinstance(phases, Sequence) else ():
            if isinstance(item, Scalar):
                code.extend(self._phase(item, inner))
        until = body.get("until")
        test: tuple[t.Stmt, ...] = ()
        if isinstance(until, Scalar):
            value_ = self.language.read(until, evolve(inner, reading=True), BOOLEAN)
            if value_ is not None and isinstance(value_.node, t.Expr):
                test = (t.If(value_.node, (p.Leave(done),), ()),)
        loop = p.Forever((p.Block(again, tuple(code)), *self.language.ends("turn", at), *self.language.ends("round", at), *test, *advance), at)
        return (*start, p.Block(done, (loop,)))

    def _next(self, seat: t.Expr, unit: Unit) -> t.Expr:
        from ruleset.names import neighbour

        return neighbour(seat, True, Scope(unit))

    def _phase(self, item: Scalar, scope: Scope) -> tuple[t.Stmt, ...]:
        named = self.declared.phases.get(item.text)
        if named is None:
            if item.text not in self.declared.tainted:
                hint = _meant(item.text, self.declared.phases, "phases")
                self.context.report("RW309", item.span, f"there is no phase `{item.text}`", hint)
            return ()
        self.context.used.add(f"phase/{item.text}")
        at = self.context.source(f"phase/{named.key}", named.span)
        label = scope.unit.label()
        inner = evolve(scope, prefix=named.key, exits={**scope.exits, "phase": label})
        body = named.body
        code = self.language.steps(body.get("steps"), inner) if isinstance(body, Mapping) else ()
        you = scope.you if scope.you is not None else t.Const(-1)
        event = t.Emit("reached", (you,), None, t.Const(-1), t.Const(-1), at)
        return (event, p.Block(label, code), *self.language.ends("phase", at))

    def _revealed(self, named: Named, scope: Scope) -> list[t.Stmt]:
        """The zones that are laid open before points are counted."""
        node = named.body.get("reveals") if isinstance(named.body, Mapping) else None
        code: list[t.Stmt] = []
        for item in node.items if isinstance(node, Sequence) else ():
            zone = self.declared.zones.get(item.text) if isinstance(item, Scalar) else None
            if not isinstance(item, Scalar) or zone is None or zone[1].scope == "definition":
                hint = _meant(getattr(item, "text", ""), self.declared.zones, "zones")
                self.context.report("RW309", item.span, f"there is no zone `{getattr(item, 'text', '')}`", hint)
                continue
            at = self.context.source(f"finish/{named.key}", item.span)
            if zone[1].scope == "game":
                code.append(t.Reveal(t.Cards(p.ZoneAt(item.text, None)), t.Const(-1), at))
                continue
            seat = scope.unit.variable("seat", PLAYER)
            shown = t.Reveal(t.Cards(p.ZoneAt(item.text, p.Var(seat))), t.Const(-1), at)
            code.append(t.ForEach(seat, p.Everyone(), (shown,)))
        return code

    def _finish(self) -> p.Unit:
        unit = Unit("finish")
        scope = Scope(unit, reading=False)
        code: list[t.Stmt] = []
        for named in self.declared.finishes.values():
            if not isinstance(named.body, Mapping):
                continue
            awards = named.body.get("awards")
            for number, item in enumerate(awards.items if isinstance(awards, Sequence) else ()):
                if not isinstance(item, Scalar):
                    continue
                award = self.declared.awards.get(item.text)
                if award is None or not isinstance(award.body, Mapping):
                    if item.text not in self.declared.tainted:
                        hint = _meant(item.text, self.declared.awards, "awards")
                        self.context.report("RW309", item.span, f"there is no award `{item.text}`", hint)
                    continue
                self.context.used.add(f"award/{item.text}")
                first = award.body.entries[0].value
                assert isinstance(first, Scalar)
                code.extend(self.language.award(first, award.body, number, scope))
            code[:0] = self._revealed(named, scope)
            code.extend(self.language.steps(named.body.get("steps"), evolve(scope, prefix=named.key)))
        for named in self.declared.winners.values():
            if isinstance(named.body, Mapping):
                code.extend(self.language.winner(named.body, scope))
        return p.Unit("finish", 0, tuple(unit.variables), tuple(code), 0)


def _meant(word: str, names: Iterable[str], what: str) -> str | None:
    """The nearest name, or the first few there are."""
    known = list(names)
    near = nearest(word, known)
    if near:
        return f"did you mean `{near}`?"
    return f"{what}: " + ", ".join(known[:8]) + (", …" if len(known) > 8 else "") if known else None


_SEAT = ("player",)
KERNEL_TRACKS = (
    p.Track("score", _SEAT, NUMBER, -(2**31), 2**31 - 1, False, t.Const(0), "all", "all", False),
    p.Track("in-game", _SEAT, BOOLEAN, 0, 1, False, t.Const(1), "all", "nobody", False),
    p.Track("winner", _SEAT, BOOLEAN, 0, 1, False, t.Const(0), "all", "nobody", False),
)
"""Tracks that every game has: points, who is still in the game, who has won."""

LIVING = p.StateList("living", "game", PLAYER)
"""The list of the state that holds the seats still in the game."""
