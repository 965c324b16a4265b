"""Sentences: matching, arguments, and the code of each kernel verb."""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve

from ruleset import program as p
from ruleset import syntax as s
from ruleset import table as t
from ruleset.declared import VerbDeclared
from ruleset.diagnostic import Label
from ruleset.expressions import Expressions
from ruleset.matching import Match, furthest, match, near_verb, pattern_text, verbs_of
from ruleset.nearest import nearest
from ruleset.scope import Bound, Scope, Text, Value
from ruleset.types import CARD, NUMBER, PLAYER, ZONE, Type
from ruleset.vocabulary import Sentence

Code = tuple[t.Stmt, ...]
Done = tuple[Code, Scope]


class Phrases(Expressions):
    """Checks sentences. Each kernel verb has a method of its name."""

    # implemented by Statements
    def block(self, statements: tuple[s.Statement, ...], scope: Scope, text: Text) -> Done:
        raise NotImplementedError

    def statement(self, node: s.Statement, scope: Scope, text: Text) -> Done:
        raise NotImplementedError

    def remember(self, name: str, value: Value, scope: Scope) -> Done:
        raise NotImplementedError

    # -------------------------------------------------------------- which verb

    def phrase(self, node: s.Phrase, scope: Scope, text: Text) -> Done:
        """Code of a sentence, and the scope with the name it gives."""
        verbs = verbs_of(self.context.declared, False)
        matches = match(node.items, verbs)
        if not matches:
            self._no_verb(node, scope, text)
            if node.result is not None:
                self.context.declared.tainted.add(node.result.text)
            return (), scope
        if len(matches) > 1:
            matches = self._by_types(matches, node, scope, text)
            if not matches:
                return (), scope
        return self._apply(matches[0], node, scope, text)

    def _by_types(self, matches: list[Match], node: s.Phrase, scope: Scope, text: Text) -> list[Match]:
        """The matches whose arguments have the right types; findings when none or several have."""
        fitting: list[Match] = []
        for candidate in matches:
            before, sources = len(self.context.found), len(self.context.sources)
            variables = len(scope.unit.variables)
            self._apply(candidate, node, scope, text)
            clean = len(self.context.found) == before
            del self.context.found[before:]
            del self.context.sources[sources:]
            del scope.unit.variables[variables:]
            if clean:
                fitting.append(candidate)
        if len(fitting) == 1:
            return fitting
        if not fitting:
            return matches[:1]
        labels = [
            Label(candidate.verb.span, f"`{candidate.verb.text}`")
            for candidate in fitting
            if isinstance(candidate.verb, VerbDeclared)
        ]
        readings = " and ".join(f"`{pattern_text(candidate.verb)}`" for candidate in fitting)
        span = text.span(node.start, node.end)
        self.context.report("RW426", span, f"this sentence is both {readings}", "change the words of one of the verbs", *labels)
        return []

    def _no_verb(self, node: s.Phrase, scope: Scope, text: Text) -> None:
        """Says where the best attempt failed."""
        verbs = verbs_of(self.context.declared, False)
        words = [item.text if isinstance(item, s.Name) else "" for item in node.items]
        span = text.span(node.start, node.end)
        if "verb" in self.context.declared.tainted:
            return
        if words[0] in ("each", "all", "every", "everybody", "everyone") and len(words) > 2:
            hint = "write `each p in others: p loses 1 rat`, with your own words after the `:`"
            self.context.report("RW425", span, "a sentence has one subject", hint)
            return
        if len(words) == 1 and (words[0] in scope.names or words[0] in self.context.declared.tracks):
            self.context.report("RW425", span, f"`{words[0]}` alone does nothing", f"write `{words[0]} += 1` to change it")
            return
        miss = furthest(node.items, verbs)
        near = near_verb(node.items, verbs)
        if miss is None or (near is not None and miss.item <= near[0]):
            if near is not None:
                index, word, sentence = near
                item = node.items[index]
                hint = f"did you mean `{word}`? Its sentence is `{sentence}`"
                message = f"`{words[index]}` begins no sentence"
                self.context.report("RW425", text.span(item.start, item.end), message, hint)
                return
            first = node.items[0]
            hint = "sentences are those of the language reference and the verbs that the pack declares"
            self.context.report("RW425", text.span(first.start, first.end), "no sentence begins like this", hint)
            return
        hint = f"the sentence is `{miss.sentence}`"
        if miss.item >= len(node.items):
            message = f"the sentence ends too early; expected {miss.expected}"
            self.context.report("RW425", text.span(node.items[-1].end, node.items[-1].end), message, hint)
            return
        item = node.items[miss.item]
        shown = text.says(item.start, item.end)
        message = f"`{shown}` is too much here" if not miss.expected else f"expected {miss.expected}, but found `{shown}`"
        self.context.report("RW425", text.span(item.start, item.end), message, hint)

    # -------------------------------------------------------------- arguments

    def _apply(self, found: Match, node: s.Phrase, scope: Scope, text: Text) -> Done:
        seat = scope.you
        inner = evolve(scope, reading=True)
        if found.subject is not None:
            value = self.check(found.subject, inner, text, PLAYER)
            if value is None:
                if node.result is not None:
                    self.context.declared.tainted.add(node.result.text)
                return (), scope
            if isinstance(value.node, t.Expr) and value.node != scope.you:
                seat = value.node
                if value.maybe:
                    at = self.context.source("", text.span(found.subject.start, found.subject.end))
                    seat = t.Present(seat, at)
                inner = evolve(inner, subject=text.says(found.subject.start, found.subject.end))
        if isinstance(found.verb, VerbDeclared):
            return self._call(found, node, seat, inner, text), scope
        handler: Callable[[Match, s.Phrase, t.Expr | None, Scope, Scope, Text], Done]
        handler = getattr(self, "_do_" + found.verb.key.replace("-", "_"))
        if found.verb.named == "must" and node.result is None:
            span = text.span(node.end, node.end)
            hint = "what is chosen needs a name: end the sentence with `as NAME`"
            self.context.report("RW437", span, "the sentence ends too early; expected `as`", hint)
            return (), scope
        if node.result is not None:
            if found.verb.named == "no":
                span = text.span(node.result.start, node.result.end)
                self.context.report("RW437", span, f"`{found.verb.pattern}` gives nothing to name", "leave `as …` out")
                return (), scope
            if not self.fresh(node.result, scope, text):
                return (), scope
        code, after = handler(found, node, seat, inner, scope, text)
        if node.result is not None and node.result.text not in after.names:
            self.context.declared.tainted.add(node.result.text)
        return code, after

    def _call(self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, text: Text) -> Code:
        verb = found.verb
        assert isinstance(verb, VerbDeclared)
        self.context.used.add(verb.key)
        types = dict(verb.holes)
        arguments: list[t.Expr | t.List] = [seat if seat is not None else t.Const(-1)]
        if node.result is not None or node.given:
            span = text.span(node.start, node.end)
            self.context.report("RW437", span, "a pack's verb takes no `as` and no `with`", "write arguments into its sentence")
            return ()
        for hole, item in found.filled:
            value = self.check(item, scope, text, types[hole.name])
            if value is None:
                return ()
            arguments.extend(self.argument(value))
        at = self.context.source(f"verb/{verb.key}", text.span(node.start, node.end))
        return (p.CallVerb(verb.key, tuple(arguments), at),)

    def argument(self, value: Value) -> tuple[t.Expr | t.List, ...]:
        """What a value passes: cards take along the place where they were."""
        if value.type.name == "zone" and value.zone is not None:
            return (value.zone,)
        if value.type.name != "card":
            return (value.node,)
        if value.place is not None:
            return (value.node, value.place)
        if isinstance(value.node, t.Expr):
            place = p.PlaceOf(value.node)
            here = t.IfElse(t.Binary("<", value.node, t.Const(0)), t.Const(-1), place) if value.maybe else place
            return (value.node, here)
        return (value.node, t.Const(-1))

    def fresh(self, name: s.Name, scope: Scope, text: Text) -> bool:
        """Whether a new name hides nothing."""
        if name.text in scope.names:
            span = text.span(name.start, name.end)
            self.context.report("RW432", span, f"`{name.text}` already has a meaning here", "choose another name")
            return False
        d = self.context.declared
        for group in (d.zones, d.tracks, d.lists, d.values, d.options):
            if name.text in group:
                span = text.span(name.start, name.end)
                message = f"`{name.text}` is declared by the pack"
                label = Label(group[name.text][0], "declared here")
                self.context.report("RW432", span, message, "choose another name", label)
                return False
        return True

    def _cards(self, item: s.Expression, scope: Scope, text: Text) -> Value | None:
        """One card, several, or all of a zone, as a list."""
        value = self.check(item, evolve(scope, reading=False), text)
        if value is None:
            return None
        if value.type.name == "zone":
            return self.cards_of(value)
        if value.type.name == "none":
            return Value(t.Items(()), CARD.list)
        if value.type.name != "card":
            hint = "cards are a zone, `cards in …`, `top n of …`, or a name that a choice gave"
            if value.type.name == "definition":
                hint = "this names a sort of card; write `cards in ZONE where it is …`"
            message = f"expected cards, but this is a {value.type}"
            self.context.report("RW424", text.span(item.start, item.end), message, hint)
            return None
        if value.type.many:
            return value
        assert isinstance(value.node, t.Expr)
        items: t.List = t.Items((value.node,))
        if value.maybe:
            one = t.Items((value.node,))
            items = t.Choice(t.Binary("<", value.node, t.Const(0)), t.Items(()), one)
        return evolve(value, node=items, type=CARD.list)

    def _pool(self, found: Match, scope: Scope, text: Text, name: str = "pool") -> Value | None:
        """What is chosen from; the noun, when it names a kind or definition, narrows it."""
        given = {hole.name: item for hole, item in found.filled}
        base = self.listed(given[name], scope, text)
        noun = given.get("noun")
        if base is None:
            return None
        if noun is not None and isinstance(noun, s.Name) and base.type.name == "card":
            word = self.noun_word(noun.text)
            if word is None:
                near = nearest(noun.text, ["card", "cards", *self.context.declared.plurals, *self.context.declared.kinds])
                hint = f"did you mean `{near}`?" if near else "write `card` or `cards`, or a kind"
                self.context.report("RW420", text.span(noun.start, noun.end), f"no card is called `{noun.text}`", hint)
                return None
            return self.of_noun(base, word, scope, noun, text)
        return base

    def _amount(self, found: Match, name: str, scope: Scope, text: Text) -> t.Expr | None:
        for hole, item in found.filled:
            if hole.name == name:
                value = self.check(item, scope, text, NUMBER)
                return value.node if value is not None and isinstance(value.node, t.Expr) else None
        return None

    def _here(self, node: s.Node, scope: Scope, text: Text) -> int:
        return self.context.source("", text.span(node.start, node.end))

    # -------------------------------------------------------------- moving

    def _place(self, item: s.Expression, scope: Scope, text: Text) -> tuple[t.Expr | None, bool, bool] | None:
        """A zone or an end of one: its number, whether at the bottom, whether `home`."""
        if isinstance(item, s.Name) and item.text == "home" and "home" not in scope.names:
            return None, False, True
        bottom = False
        if isinstance(item, s.EndOf) and item.count is None:
            bottom = item.word in ("bottom", "first")
            item = item.base
        value = self.check(item, scope, text, ZONE)
        return (value.zone, bottom, False) if value is not None else None

    def _do_move(self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, outer: Scope, text: Text) -> Done:
        what, where = (item for _, item in found.filled)
        place = self._place(where, scope, text)
        at = self._here(node, scope, text)
        if isinstance(what, s.EndOf) and what.word == "top":
            zone = self.check(what.base, evolve(scope, reading=False), text)
            if zone is not None and zone.type.name == "zone" and zone.zone is not None:
                return self._draw(what, zone.zone, place, node, at, scope, outer, text)
            if zone is None:
                return (), outer
        if node.result is not None:
            hint = "give the cards a name before: `choose … as NAME`, `let NAME = …`"
            span = text.span(node.result.start, node.result.end)
            self.context.report("RW437", span, "only `move top n of …` gives its cards a name", hint)
            return (), outer
        value = self._cards(what, scope, text)
        if value is None or place is None:
            return (), outer
        to, bottom, home = place
        if home:
            return self._send_home(value, at), outer
        assert to is not None and isinstance(value.node, t.List)
        if isinstance(value.node, t.Cards) and value.variable is None:
            return (t.MoveAll(value.node.zone, to, bottom, at),), outer
        if not isinstance(value.place, p.Var):
            return (t.Move(value.node, to, bottom, value.place, at),), outer
        before = scope.unit.variable("before", NUMBER)
        remember = p.SetVar(before, value.place)
        move = t.Move(value.node, to, bottom, p.Var(before), at)
        return (remember, self._follow(value, value.place, to), move), outer

    def _follow(self, value: Value, place: p.Var, to: t.Expr) -> t.Stmt:
        """A name follows its cards to where this very sentence moves them; a card that was gone stays gone."""
        gone = t.Const(-2)
        if isinstance(value.node, t.Choice | t.Items) and value.variable is not None:
            card = p.Var(value.variable)
            there = t.And(t.Binary(">=", card, t.Const(0)), t.Binary("==", p.PlaceOf(card), place))
            return p.SetVar(place.variable, t.IfElse(there, to, gone))
        return p.SetVar(place.variable, to)

    def _send_home(self, value: Value, at: int) -> Code:
        assert isinstance(value.node, t.List)
        return (p.SendHome(value.node, value.place, at),)

    def _draw(
        self,
        what: s.EndOf,
        source: t.Expr,
        place: tuple[t.Expr | None, bool, bool] | None,
        node: s.Phrase,
        at: int,
        scope: Scope,
        outer: Scope,
        text: Text,
    ) -> Done:
        count: t.Expr = t.Const(1)
        if what.count is not None:
            amount = self.check(what.count, scope, text, NUMBER)
            if amount is None or not isinstance(amount.node, t.Expr):
                return (), outer
            count = amount.node
        if place is None:
            return (), outer
        to, bottom, home = place
        if home or to is None:
            span = text.span(node.start, node.end)
            self.context.report("RW438", span, "the top of a pile cannot be sent `home` unseen", "name the zone")
            return (), outer
        if node.result is None:
            return (t.Draw(source, count, to, bottom, None, at),), outer
        drawn = scope.unit.variable(node.result.text, CARD, True)
        where = scope.unit.variable(f"{node.result.text} place", NUMBER)
        code: list[t.Stmt] = [t.Draw(source, count, to, bottom, drawn, at), p.SetVar(where, to)]
        if what.count is not None:
            return tuple(code), outer.bind(node.result.text, Bound(drawn, CARD.list, False, where))
        single = scope.unit.variable(node.result.text, CARD)
        code.append(p.SetVar(single, t.First(p.ListVar(drawn))))
        return tuple(code), outer.bind(node.result.text, Bound(single, CARD, True, where))

    def _do_move_some(self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, outer: Scope, text: Text) -> Done:
        amount = self._amount(found, "n", scope, text)
        pool = self._pool(found, scope, text)
        place = self._place(found.filled[3][1], scope, text)
        if amount is None or pool is None or place is None or not isinstance(pool.node, t.List):
            return (), outer
        at = self._here(node, scope, text)
        some = evolve(pool, node=t.Take(pool.node, amount, True))
        if place[2] or place[0] is None:
            return self._send_home(some, at), outer
        assert isinstance(some.node, t.List)
        return (t.Move(some.node, place[0], place[1], None, at),), outer

    # -------------------------------------------------------------- choosing

    def _chosen(
        self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, outer: Scope, text: Text, bounds: tuple[t.Expr, t.Expr] | None
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
        prompt = p.Prompt(key, ())
        code.append(p.Choose(prompt, seat, pool.node, pool.type.one, least, most, result, single, at))
        type_ = pool.type.one if single else pool.type
        return tuple(code), outer.bind(name, Bound(result, type_, single, place))

    def _do_choose(self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, outer: Scope, text: Text) -> Done:
        n = self._amount(found, "n", scope, text)
        return self._chosen(found, node, seat, scope, outer, text, (n, n) if n is not None else None)

    def _do_choose_exactly(self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, outer: Scope, text: Text) -> Done:
        n = self._amount(found, "n", scope, text)
        pool = self._pool(found, scope, text)
        if n is None or pool is None or not isinstance(pool.node, t.List):
            return (), outer
        exact = t.IfElse(t.Binary("<", t.Count(pool.node), n), t.Const(0), n)
        return self._chosen(found, node, seat, scope, outer, text, (exact, exact))

    def _do_choose_between(self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, outer: Scope, text: Text) -> Done:
        least, most = self._amount(found, "least", scope, text), self._amount(found, "most", scope, text)
        bounds = (least, most) if least is not None and most is not None else None
        return self._chosen(found, node, seat, scope, outer, text, bounds)

    def _do_choose_up_to(self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, outer: Scope, text: Text) -> Done:
        most = self._amount(found, "most", scope, text)
        bounds = (t.Const(0), most) if most is not None else None
        return self._chosen(found, node, seat, scope, outer, text, bounds)

    def _do_choose_any(self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, outer: Scope, text: Text) -> Done:
        given = {hole.name: item for hole, item in found.filled}
        if not isinstance(given["any"], s.AnyNumber):
            item = given["any"]
            self.context.report("RW425", text.span(item.start, item.end), "expected a number, or `any number of`")
            return (), outer
        return self._chosen(found, node, seat, scope, outer, text, (t.Const(0), t.Const(2**31 - 1)))

    def _do_pick(self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, outer: Scope, text: Text) -> Done:
        given = {hole.name: item for hole, item in found.filled}
        pool = self._pool(found, scope, text)
        number = given["n"]
        if not isinstance(number, s.Number) or not 1 <= number.value <= 20:
            self.context.report("RW439", text.span(number.start, number.end), "chance picks a written number of things, 1 to 20")
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
                p.SetListVar(left, t.Filter(p.ListVar(left), other, t.Binary("!=", p.Var(other), t.Last(p.ListVar(picked))))),
            ),
            (),
        )
        code: list[t.Stmt] = [p.SetListVar(left, pool.node), p.SetListVar(picked, t.Items(())), *[step] * number.value]
        place = None
        if pool.type.name == "card":
            place = unit.variable(f"{name} place", NUMBER)
            code.append(p.SetVar(place, pool.place if pool.place is not None else t.Const(-1)))
        if number.value > 1:
            return tuple(code), outer.bind(name, Bound(picked, pool.type, False, place))
        single = unit.variable(name, pool.type.one)
        code.append(p.SetVar(single, t.First(p.ListVar(picked))))
        return tuple(code), outer.bind(name, Bound(single, pool.type.one, True, place))

    # -------------------------------------------------------------- knowing

    def _shown(self, item: s.Expression, scope: Scope, text: Text, at: int) -> tuple[Code, t.List] | None:
        """The cards to show, and what must be done before (a pile's top is made ready)."""
        value = self._cards(item, scope, text)
        if value is None or not isinstance(value.node, t.List):
            return None
        code: list[t.Stmt] = []
        if isinstance(item, s.EndOf) and item.word == "top" and value.effectful and value.place is not None:
            count: t.Expr = t.Const(1)
            if item.count is not None:
                amount = self.check(item.count, scope, text, NUMBER)
                if amount is not None and isinstance(amount.node, t.Expr):
                    count = amount.node
            code.append(t.Prepare(value.place, count, at))
        return tuple(code), value.node

    def _do_reveal(self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, outer: Scope, text: Text) -> Done:
        at = self._here(node, scope, text)
        shown = self._shown(found.filled[0][1], scope, text, at)
        return ((*shown[0], t.Reveal(shown[1], t.Const(-1), at)), outer) if shown else ((), outer)

    def _do_reveal_to(self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, outer: Scope, text: Text) -> Done:
        at = self._here(node, scope, text)
        shown = self._shown(found.filled[0][1], scope, text, at)
        who = self.check(found.filled[1][1], scope, text, PLAYER)
        if shown is None or who is None or not isinstance(who.node, t.Expr):
            return (), outer
        return (*shown[0], t.Reveal(shown[1], p.MaskOf(who.node), at)), outer

    def _do_look(self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, outer: Scope, text: Text) -> Done:
        at = self._here(node, scope, text)
        shown = self._shown(found.filled[0][1], scope, text, at)
        if seat is None:
            self.context.report("RW422", text.span(node.start, node.end), "nobody's turn says who looks", "say who: `p looks at …`")
            return (), outer
        return ((*shown[0], t.Reveal(shown[1], p.MaskOf(seat), at)), outer) if shown else ((), outer)

    def _do_shuffle(self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, outer: Scope, text: Text) -> Done:
        zone = self.check(found.filled[0][1], evolve(scope, reading=False), text, ZONE)
        if zone is None or zone.zone is None:
            return (), outer
        return (t.Shuffle(zone.zone, self._here(node, scope, text)),), outer

    # -------------------------------------------------------------- players, lists, ends

    def _do_eliminate(self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, outer: Scope, text: Text) -> Done:
        who = self.check(found.filled[0][1], scope, text, PLAYER)
        if who is None or not isinstance(who.node, t.Expr):
            return (), outer
        return (p.Eliminate(who.node, self._here(node, scope, text)),), outer

    def _listed_member(self, found: Match, scope: Scope, text: Text) -> tuple[str, t.Expr | None, t.Expr] | None:
        what, where = (item for _, item in found.filled)
        target = self.check(where, scope, text)
        if target is None:
            return None
        if target.target is None or target.target.sort != "list":
            hint = "cards are moved with `move`; lists of the state are declared under `lists`"
            self.context.report("RW431", text.span(where.start, where.end), "this is not a list of the state", hint)
            return None
        value = self.check(what, scope, text, target.type.one)
        if value is None or not isinstance(value.node, t.Expr):
            return None
        indices = target.target.indices
        return target.target.key, indices[0] if indices else None, value.node

    def _do_add(self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, outer: Scope, text: Text) -> Done:
        member = self._listed_member(found, scope, text)
        return ((p.AppendTo(*member, self._here(node, scope, text)),), outer) if member else ((), outer)

    def _do_remove(self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, outer: Scope, text: Text) -> Done:
        member = self._listed_member(found, scope, text)
        return ((p.RemoveFrom(*member),), outer) if member else ((), outer)

    def _do_end(self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, outer: Scope, text: Text) -> Done:
        item = found.filled[0][1]
        word = item.text if isinstance(item, s.Name) else ""
        if word == "game":
            return (p.EndGame(),), outer
        if word in scope.exits:
            return (p.Leave(scope.exits[word]),), outer
        known = ", ".join(f"`{name}`" for name in (*scope.exits, "game") if name != "stop")
        self.context.report("RW434", text.span(item.start, item.end), f"no `{word}` encloses this effect", f"here one can end {known}")
        return (), outer

    def _do_stop(self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, outer: Scope, text: Text) -> Done:
        if "stop" in scope.exits:
            return (p.Leave(scope.exits["stop"]),), outer
        return (p.Leave(0),), outer

    def _do_nothing(self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, outer: Scope, text: Text) -> Done:
        return (), outer

    def _do_perform(self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, outer: Scope, text: Text) -> Done:
        item = found.filled[0][1]
        if not isinstance(item, s.Of):
            self.context.report("RW433", text.span(item.start, item.end), "expected `x's EFFECT`", "such as `card's play`")
            return (), outer
        owner = self.check(item.owner, scope, text)
        if owner is None:
            return (), outer
        word = item.name.text
        effect = self.effect_of(owner.type, word) if owner.type.name in ("card", "definition") else None
        if effect is None or owner.type.many or not isinstance(owner.node, t.Expr):
            kinds = self.context.declared.kinds
            names = [name for kind in kinds.values() for name in kind.effects]
            near = nearest(word, names)
            hint = f"did you mean `{near}`?" if near else "effects are declared by kinds: " + ", ".join(names)
            message = f"a {owner.type} has no effect `{word}`"
            self.context.report("RW433", text.span(item.name.start, item.name.end), message, hint)
            return (), outer
        given = {name.text: (name, value) for name, value in node.given}
        card = owner.node
        at = self.context.source(f"effect/{word}", text.span(node.start, node.end))
        if owner.maybe:
            card = t.Present(card, at)
        place = self.argument(evolve(owner, node=card, maybe=False))[1] if owner.type.name == "card" else t.Const(-1)
        arguments: list[t.Expr | t.List] = [seat if seat is not None else t.Const(-1), card, place]
        for name, type_ in effect.parameters:
            if name not in given:
                message = f"`{word}` takes `{name}`, a {type_}"
                self.context.report("RW435", text.span(node.start, node.end), message, f"write `… with {name} = …`")
                return (), outer
            value = self.check(given.pop(name)[1], scope, text, type_)
            if value is None:
                return (), outer
            arguments.extend(self.argument(value))
        for name_node, _ in given.values():
            message = f"`{word}` takes no `{name_node.text}`"
            near = nearest(name_node.text, [name for name, _ in effect.parameters])
            meant = f"did you mean `{near}`?" if near else None
            self.context.report("RW435", text.span(name_node.start, name_node.end), message, meant)
        return (p.PerformField(word, card, owner.type.name == "definition", tuple(arguments), at),), outer

    # -------------------------------------------------------------- blocks

    def phrase_block(self, node: s.PhraseBlock, scope: Scope, text: Text) -> Code:
        """`may` and `choose one`."""
        matches = match(node.phrase.items, verbs_of(self.context.declared, True))
        if not matches:
            hint = "blocks follow `if`, `each`, `repeat`, `may LABEL` and `choose one`"
            self.context.report("RW425", text.span(node.phrase.start, node.phrase.end), "no block begins like this", hint)
            return ()
        found = matches[0]
        assert isinstance(found.verb, Sentence)
        seat = scope.you
        inner = scope
        if found.subject is not None:
            value = self.check(found.subject, evolve(scope, reading=True), text, PLAYER)
            if value is None or not isinstance(value.node, t.Expr):
                return ()
            seat = value.node
        if seat is None:
            self.context.report("RW422", text.span(node.start, node.end), "nobody's turn says who chooses", "say who: `p may …:`")
            return ()
        at = self.context.source(scope.unit.key, text.span(node.start, node.end))
        if found.verb.key == "may":
            return self._may(node, found, seat, inner, text, at)
        branches: list[p.Branching] = []
        for line in node.body:
            label = line.phrase.items[0] if isinstance(line, s.PhraseBlock) and len(line.phrase.items) == 1 else None
            if not isinstance(line, s.PhraseBlock) or not isinstance(label, s.Name):
                hint = "each line is `label: effect` or `label when condition: effect`"
                self.context.report("RW425", text.span(line.start, line.end), "expected an option of the menu", hint)
                continue
            condition = None
            if line.condition is not None:
                checked = self.check(line.condition, evolve(scope, reading=True), text, Type("boolean"))
                condition = checked.node if checked is not None and isinstance(checked.node, t.Expr) else None
            body = self.block(line.body, scope, text)[0]
            option = self.context.source(scope.unit.key, text.span(line.start, line.end))
            branches.append(p.Branching(label.text, (), (), (), (), condition, body, option))
        prompt = p.Prompt(scope.unit.choice("choice", scope.prefix), ())
        return (p.Menu(prompt, seat, tuple(branches), at),)

    def _may(self, node: s.PhraseBlock, found: Match, seat: t.Expr, scope: Scope, text: Text, at: int) -> Code:
        label = found.filled[0][1]
        if not isinstance(label, s.Name):
            self.context.report("RW425", text.span(label.start, label.end), "expected a name for what the player may do")
            return ()
        body = self.block(node.body, scope, text)[0]
        otherwise = self.block(node.otherwise, scope, text)[0] if node.otherwise else ()
        perform = p.Branching(label.text, (), (), (), (), None, body, at)
        decline = p.Branching("decline", (), (), (), (), None, otherwise, at)
        return (p.Menu(p.Prompt(scope.unit.choice(label.text, scope.prefix), ()), seat, (perform, decline), at),)
