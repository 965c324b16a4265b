"""Windows and claims: declared once, opened by sentences.

A window or claim becomes a unit of its own whose first parameter is who opened it. A claim gives back whether it
stood. A window has a list in the state, of those who cancelled it so far; whoever opens it keeps what the list held
before, so that a window can be opened while it is open.
"""

from __future__ import annotations

from attrs import evolve

from ruleset.check.scope import Bound, Scope, Text, Unit, Value
from ruleset.check.statements.checker import Code
from ruleset.check.statements.modifiers import Modifiers
from ruleset.check.statements.sentence_match import Match
from ruleset.common.nearest import nearest
from ruleset.declare.declarations import Named
from ruleset.language import ast as s
from ruleset.language.types import BOOLEAN, CARD, NUMBER, PLAYER, Type
from ruleset.program import nodes as p
from ruleset.source.reader import Mapping, Scalar
from ruleset.source.yaml_access import text_of
from ruleset.table import nodes as t

Done = tuple[Code, Scope]
Takes = tuple[tuple[str, Type], ...]
EVERYBODY = t.Const(-1)


class Windows(Modifiers):
    """Checks declared windows and claims, and the sentences `open`, `cancel` and `claim`."""

    # -------------------------------------------------------------- sentences

    def _do_open(
        self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, outer: Scope, text: Text
    ) -> Done:
        code, _, inner = self._open(found, node, seat, scope, outer, text)
        return code, inner

    def _block_open_block(
        self, node: s.PhraseBlock, found: Match, seat: t.Expr, scope: Scope, text: Text, at: int
    ) -> Code:
        reads = evolve(scope, reading=True)
        code, cancelled, inner = self._open(found, node.phrase, seat, reads, scope, text)
        body = self.branch("not cancelled", node.body, inner, text)
        otherwise = self.branch("otherwise", node.otherwise or (), inner, text)
        stands = t.Binary("==", t.Count(p.ListVar(cancelled)), t.Const(0))
        return (*code, t.If(stands, body, otherwise))

    def _open(
        self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, outer: Scope, text: Text
    ) -> tuple[Code, int, Scope]:
        """The code that opens a window, the variable that lists who cancelled it, and the scope that follows."""
        window, arguments = self._named("window", found, node, seat, scope, text)
        name = node.result.text if node.result is not None else "cancelled"
        cancelled = outer.unit.variable(name, PLAYER, True)
        after = outer.bind(name, Bound(cancelled, PLAYER.list)) if node.result is not None else outer
        if window is None:
            return (), cancelled, after
        before = outer.unit.variable("cancelled before", PLAYER, True)
        at = self.context.source(f"window/{window}", text.span(node.start, node.end))
        code: Code = (p.OpenWindow(window, arguments, cancelled, before, at),)
        return code, cancelled, after

    def _do_cancel(
        self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, outer: Scope, text: Text
    ) -> Done:
        window = self._named_in("window", found, text)
        if seat is None:
            hint = "say who: `p cancels …`"
            self.context.report("RW422", text.span(node.start, node.end), "nobody's turn says who cancels", hint)
        if window is None or seat is None:
            return (), outer
        return (p.AppendTo(p.cancelled_list(window), None, seat, self._here(node, scope, text)),), outer

    def _do_claim(
        self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, outer: Scope, text: Text
    ) -> Done:
        claim, arguments = self._named("claim", found, node, seat, scope, text)
        name = node.result.text if node.result is not None else "stood"
        result = scope.unit.variable(name, BOOLEAN)
        after = outer.bind(name, Bound(result, BOOLEAN)) if node.result is not None else outer
        if claim is None:
            return (), after
        at = self.context.source(f"claim/{claim}", text.span(node.start, node.end))
        return (p.CallUnit(f"claim/{claim}", arguments, result, at),), after

    def _named_in(self, category: str, found: Match, text: Text) -> str | None:
        """The window or claim that a sentence names."""
        item = found.filled[0][1]
        group = self.context.declared.windows if category == "window" else self.context.declared.claims
        word = item.text if isinstance(item, s.Name) else ""
        span = text.span(item.start, item.end)
        if word not in group:
            if word not in self.context.poisoned:
                near = nearest(word, list(group))
                hint = f"did you mean `{near}`?" if near else f"declare it with `{category}: NAME`"
                shown = text.says(item.start, item.end)
                self.context.report("RW420", span, f"there is no {category} `{shown}`", hint)
            return None
        self.context.used.add(f"{category}/{word}")
        self.context.refer(f"{category}/{word}", span)
        return word

    def _named(
        self, category: str, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, text: Text
    ) -> tuple[str | None, tuple[t.Expr | t.List, ...]]:
        """The window or claim that a sentence opens, with who does it and what it takes; none after a finding."""
        word = self._named_in(category, found, text)
        if word is None:
            return None, ()
        if seat is None:
            span = text.span(found.filled[0][1].start, found.filled[0][1].end)
            self.context.report("RW422", span, "nobody's turn says who does this", "say who: `p claims …`")
            return None, ()
        arguments: list[t.Expr | t.List] = [seat]
        given = {name.text: (name, value) for name, value in node.given}
        for name, type_ in self.takes[f"{category}/{word}"]:
            if name not in given:
                message = f"`{word}` takes `{name}`, a {type_}"
                span = text.span(found.filled[0][1].start, found.filled[0][1].end)
                self.context.report("RW435", span, message, f"write `… with {name} = …`")
                return None, ()
            value = self.expressions.check(given.pop(name)[1], scope, text, type_)
            if value is None:
                return None, ()
            self.context.record_maybe_none(f"{category}/{word}", name, value)
            arguments.extend(self.argument(value))
        for extra, _ in given.values():
            if extra.text in self.context.poisoned:
                continue
            message = f"`{word}` takes no `{extra.text}`"
            takes = ", ".join(f"`{name}`" for name, _ in self.takes[f"{category}/{word}"])
            hint = f"it takes {takes}" if takes else f"it takes nothing: write `{category} {word}`"
            self.context.report("RW435", text.span(extra.start, extra.end), message, hint)
        return word, tuple(arguments)

    # -------------------------------------------------------------- declarations

    @property
    def takes(self) -> dict[str, Takes]:
        return self.context.takes

    def window(self, named: Named) -> p.Unit:
        """Every seat that it asks, in order or sealed, may take one of its options or pass."""
        unit, scope, at = self._begin("window", named)
        body = named.body
        parameters = len(unit.variables)
        assert isinstance(body, Mapping)
        reacted = unit.variable("reacted", PLAYER)
        code: list[t.Stmt] = [p.SetVar(reacted, t.Const(-1))]
        asked = body.get("asks")
        options = body.get("options")
        seats = (
            self.expressions.read(asked, evolve(scope, reading=True), PLAYER.list)
            if isinstance(asked, Scalar)
            else None
        )
        if seats is not None and isinstance(options, Mapping):
            first = text_of(body, "first") == "true"
            code.extend(self._asked(seats, options, body, scope, reacted, first, named.key, at))
        return p.Unit(f"window/{named.key}", parameters, tuple(unit.variables), tuple(code), at)

    def _asked(
        self,
        seats: Value,
        options: Mapping,
        body: Mapping,
        scope: Scope,
        reacted: int,
        first: bool,
        key: str,
        at: int,
    ) -> Code:
        assert isinstance(seats.node, t.List)
        unit = scope.unit
        seat = unit.variable("you", PLAYER)
        opener = scope.you
        assert opener is not None
        inner = evolve(scope, you=p.Var(seat), prefix=key)
        sealed, label = text_of(body, "order") == "together", unit.label()
        branches = []
        for entry in options.entries:
            if entry.key.text == p.PASS:
                message = f"`{p.PASS}` is what not reacting is called, which each window offers by itself"
                self.context.report("RW453", entry.key.span, message, "remove this option, or rename it")
            if isinstance(entry.value, Mapping):
                branch = self._option(entry.key, entry.value, inner)
            else:
                source = self.context.source(f"window/{key}", entry.key.span)
                effect = self.body(entry.value, evolve(inner, prefix=f"{key}.{entry.key.text}"))
                branch = p.Branching(entry.key.text, (), (), (), (), None, effect, source)
            if first and sealed:
                alone = t.Binary("<", p.Var(reacted), t.Const(0))
                reaction: Code = (t.If(alone, (p.SetVar(reacted, p.Var(seat)), *branch.body), ()),)
            else:
                reaction = (*branch.body, *((p.Leave(label),) if first else ()))
            branches.append(evolve(branch, body=reaction))
        branches.append(p.Branching(p.PASS, (), (), (), (), None, (), at))
        prompt = self.context.prompt(unit.choice("reaction", key), branches)
        self.named(options, prompt.key)
        if sealed:
            return (p.MenuTogether(prompt, seats.node, seat, tuple(branches), at),)
        menu = p.Menu(prompt, p.Var(seat), tuple(branches), at)
        return (p.Block(label, (p.Loop(seat, seats.node, (menu,), "seats", at),)),)

    def claim(self, named: Named) -> p.Unit:
        """A statement that may be a lie: who may challenge it, what proves it, what follows either way."""
        unit, scope, at = self._begin("claim", named)
        parameters = len(unit.variables)
        body = named.body
        assert isinstance(body, Mapping) and scope.you is not None
        challenge = body.get("challenge")
        challenger, stands = unit.variable("challenger", PLAYER), unit.variable("stands", BOOLEAN)
        code: list[t.Stmt] = [p.SetVar(challenger, t.Const(-1)), p.SetVar(stands, t.Const(1))]
        asked = challenge.get("asks") if isinstance(challenge, Mapping) else None
        seats = (
            self.expressions.read(asked, evolve(scope, reading=True), PLAYER.list)
            if isinstance(asked, Scalar)
            else None
        )
        if seats is not None and isinstance(challenge, Mapping):
            code.extend(self._challenged(seats, challenge, unit, challenger, named.key, at))
        proof = body.get("proof")
        cards = (
            self.expressions.read(proof, evolve(scope, reading=True), CARD.list)
            if isinstance(proof, Scalar)
            else None
        )
        if cards is not None and isinstance(cards.node, t.List):
            code.append(self._proved(cards, body, scope, challenger, stands, named.key, at))
        code.append(p.GiveBack(p.Var(stands)))
        return p.Unit(f"claim/{named.key}", parameters, tuple(unit.variables), tuple(code), at)

    def _challenged(self, seats: Value, node: Mapping, unit: Unit, challenger: int, key: str, at: int) -> Code:
        assert isinstance(seats.node, t.List)
        seat = unit.variable("you", PLAYER)
        unchallenged = t.Binary("<", p.Var(challenger), t.Const(0))
        sealed, label = text_of(node, "order") == "together", unit.label()
        doubts = p.SetVar(challenger, p.Var(seat))
        note: Code = (t.If(unchallenged, (doubts,), ()),) if sealed else (doubts, p.Leave(label))
        branches = (
            p.Branching("challenge", (), (), (), (), None, note, at),
            p.Branching(p.PASS, (), (), (), (), None, (), at),
        )
        prompt = self.context.prompt(unit.choice("challenge", key), branches)
        if sealed:
            return (p.MenuTogether(prompt, seats.node, seat, branches, at),)
        menu = p.Menu(prompt, p.Var(seat), branches, at)
        return (p.Block(label, (p.Loop(seat, seats.node, (menu,), "seats", at),)),)

    def _proved(
        self, cards: Value, body: Mapping, scope: Scope, challenger: int, stands: int, key: str, at: int
    ) -> t.Stmt:
        unit = scope.unit
        shown, place = unit.variable("shown", cards.type.one), unit.variable("shown place", NUMBER)
        names = scope.bind("challenger", Bound(challenger, PLAYER))
        true = names.bind("shown", Bound(shown, cards.type.one, False, place))
        assert isinstance(cards.node, t.List) and scope.you is not None
        where = cards.place if cards.place is not None else t.Const(-1)
        holds: Code = (
            p.SetVar(place, where),
            p.SetVar(shown, t.First(cards.node)),
            *self._told(body, "when-true"),
            *self.body(body.get("when-true"), evolve(true, prefix=f"{key}.when-true")),
        )
        fails: Code = (
            p.SetVar(stands, t.Const(0)),
            *self._told(body, "when-false"),
            *self.body(body.get("when-false"), evolve(names, prefix=f"{key}.when-false")),
        )
        proven = t.Binary(">", t.Count(cards.node), t.Const(0))
        told = t.Emit("proven", (scope.you, p.Var(challenger), proven), None, EVERYBODY, EVERYBODY, at)
        doubted = t.Binary(">=", p.Var(challenger), t.Const(0))
        return t.If(doubted, (told, t.If(proven, holds, fails)), ())

    def _told(self, body: Mapping, word: str) -> Code:
        key = body.key(word)
        return self.context.covered(f"claim {text_of(body, 'claim')}.{word}", key.span) if key is not None else ()

    def _begin(self, category: str, named: Named) -> tuple[Unit, Scope, int]:
        """The unit of a window or claim: its parameters are who opens it, then what it takes."""
        unit = Unit(f"{category}/{named.key}")
        at = self.context.source(f"{category}/{named.key}", named.span)
        opener = unit.variable("opener" if category == "window" else "claimant", PLAYER)
        scope = Scope(unit, you=p.Var(opener), reading=False, prefix=named.key)
        scope = scope.bind("opener" if category == "window" else "claimant", Bound(opener, PLAYER))
        for name, type_ in self.takes[f"{category}/{named.key}"]:
            variable = unit.variable(name, type_.one, type_.many)
            place = unit.variable(f"{name} place", NUMBER) if type_.name == "card" else None
            maybe = (f"{category}/{named.key}", name) in self.context.maybe_none
            scope = scope.bind(name, Bound(variable, type_, maybe, place))
        return unit, scope, at
