"""The kernel's verbs about cards: moving, showing, shuffling."""

from __future__ import annotations

from attrs import evolve

from ruleset.check.scope import Bound, Scope, Text, Value
from ruleset.check.statements.sentence_match import Match
from ruleset.check.statements.sentences import Code, Done, Phrases
from ruleset.common.diagnostic import Label
from ruleset.language import ast as s
from ruleset.language.types import CARD, NUMBER, PLAYER, ZONE
from ruleset.program import nodes as p
from ruleset.table import nodes as t


class Moving(Phrases):
    """Checks the sentences that move cards or tell what they are."""

    # -------------------------------------------------------------- moving

    def _place(self, item: s.Expression, scope: Scope, text: Text) -> tuple[t.Expr | None, bool, bool] | None:
        """A zone or an end of one: its number, whether at the bottom, whether `home`."""
        if isinstance(item, s.Name) and item.text == "home" and "home" not in scope.names:
            return None, False, True
        bottom = False
        if isinstance(item, s.EndOf) and item.count is None:
            bottom = item.word in ("bottom", "first")
            item = item.base
        value = self.expressions.check(item, scope, text, ZONE)
        return (value.zone, bottom, False) if value is not None else None

    def _do_move(
        self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, outer: Scope, text: Text
    ) -> Done:
        what, where = (item for _, item in found.filled)
        place = self._place(where, scope, text)
        at = self._here(node, scope, text)
        if isinstance(what, s.EndOf) and what.word in ("top", "bottom"):
            zone = self.expressions.check(what.base, evolve(scope, reading=False), text)
            if zone is None:
                return (), outer
            drawn = zone.type.name == "zone" and (what.word == "top" or self._drawn(zone, node, place))
            if drawn and zone.zone is not None:
                return self._draw(what, zone.zone, place, node, at, scope, outer, text)
        if node.result is not None:
            hint = "give the cards a name before: `choose … as NAME`, `let NAME = …`"
            span = text.span(node.result.start, node.result.end)
            message = "only `move top n of …` and `move bottom n of …` give their cards a name"
            self.context.report("RW437", span, message, hint)
            return (), outer
        value = self._cards(what, scope, text)
        if value is None or place is None:
            return (), outer
        to, bottom, home = place
        if home:
            return (*self._readied(what, value, scope, text, at), *self._home(value, at, scope)), outer
        self._accepted(value, to, what, text)
        assert to is not None and isinstance(value.node, t.List)
        if isinstance(value.node, t.Cards) and value.variable is None:
            return (t.MoveAll(value.node.zone, to, bottom, at),), outer
        if not isinstance(value.place, p.Var) or value.variable is None:
            return (t.Move(value.node, to, bottom, value.place, at),), outer
        before = scope.unit.variable("before", NUMBER)
        remember = p.SetVar(before, value.place)
        move = t.Move(value.node, to, bottom, p.Var(before), at)
        return (remember, self._follow(value, value.place, to), move), outer

    def _home(self, value: Value, at: int, scope: Scope) -> Code:
        """Cards go home, and their name follows: of one card to its home, of several to wherever theirs are."""
        if not isinstance(value.place, p.Var) or value.variable is None:
            return self._send_home(value, at)
        before = scope.unit.variable("before", NUMBER)
        went = self._send_home(evolve(value, place=p.Var(before)), at)
        to: t.Expr = t.Const(-1)
        if isinstance(value.node, t.Choice | t.Items) and value.variable is not None:
            to = p.HomeOf(p.Var(value.variable))
        return (p.SetVar(before, value.place), self._follow(value, value.place, to), *went)

    def _follow(self, value: Value, place: p.Var, to: t.Expr) -> t.Stmt:
        """A name follows its cards to where this very sentence moves them; a card that was gone stays gone."""
        gone = t.Const(-2)
        if isinstance(value.node, t.Choice | t.Items) and value.variable is not None:
            card = p.Var(value.variable)
            there = t.And(t.Binary(">=", card, t.Const(0)), t.Binary("==", p.PlaceOf(card), place))
            return p.SetVar(place.variable, t.IfElse(there, to, gone))
        return p.SetVar(place.variable, to)

    def _accepted(self, value: Value, to: t.Expr | None, item: s.Expression, text: Text) -> None:
        """Reports cards none of which the zone accepts that they are moved to."""
        zone = self.context.declared.zones.get(to.zone) if isinstance(to, p.ZoneAt) else None
        kinds = self.expressions.names.belongings.kinds_of(value)
        if zone is None or not zone[1].accepts or not kinds or set(kinds) & set(zone[1].accepts):
            return
        accepted = ", ".join(zone[1].accepts)
        message = f"these are cards of kind {', '.join(kinds)}, but `{zone[1].key}` accepts only {accepted}"
        label = Label(zone[0], "the zone is declared here")
        self.context.report("RW504", text.span(item.start, item.end), message, None, label)

    def _send_home(self, value: Value, at: int) -> Code:
        assert isinstance(value.node, t.List)
        return (p.SendHome(value.node, value.place, at),)

    def _drawn(self, zone: Value, node: s.Phrase, place: tuple[t.Expr | None, bool, bool] | None) -> bool:
        """Whether the bottom of a zone is taken card by card, as the top always is: it may refill, or is named."""
        declared = self.context.declared.zones.get(zone.zone_key)
        refills = declared is None or bool(declared[1].refill)
        return (refills and not (place and place[2])) or node.result is not None

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
            amount = self.expressions.check(what.count, scope, text, NUMBER)
            if amount is None or not isinstance(amount.node, t.Expr):
                return (), outer
            count = amount.node
        if place is None:
            return (), outer
        to, bottom, home = place
        if home or to is None:
            span = text.span(node.start, node.end)
            message = f"the {what.word} of a pile cannot be sent `home` unseen"
            self.context.report("RW438", span, message, "name the zone")
            return (), outer
        take = t.Draw if what.word == "top" else t.DrawBottom
        if node.result is None:
            return (take(source, count, to, bottom, None, at),), outer
        drawn = scope.unit.variable(node.result.text, CARD, True)
        where = scope.unit.variable(f"{node.result.text} place", NUMBER)
        code: list[t.Stmt] = [take(source, count, to, bottom, drawn, at), p.SetVar(where, to)]
        if what.count is not None:
            return tuple(code), outer.bind(node.result.text, Bound(drawn, CARD.list, False, where))
        single = scope.unit.variable(node.result.text, CARD)
        code.append(p.SetVar(single, t.First(p.ListVar(drawn))))
        return tuple(code), outer.bind(node.result.text, Bound(single, CARD, True, where))

    def _do_move_some(
        self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, outer: Scope, text: Text
    ) -> Done:
        amount = self._amount(found, "n", scope, text)
        pool = self._pool(found, scope, text)
        place = self._place(found.filled[3][1], scope, text)
        if amount is None or pool is None or place is None or not isinstance(pool.node, t.List):
            return (), outer
        at = self._here(node, scope, text)
        to, bottom, home = place
        some = evolve(pool, node=t.Take(pool.node, amount, True))
        assert isinstance(some.node, t.List)
        if node.result is None:
            if home or to is None:
                return self._send_home(some, at), outer
            return (t.Move(some.node, to, bottom, None, at),), outer
        name = node.result.text
        moved, where = scope.unit.variable(name, CARD, True), scope.unit.variable(f"{name} place", NUMBER)
        began = pool.place if pool.place is not None else t.Const(-1)
        value = evolve(some, node=p.ListVar(moved), place=p.Var(where), variable=moved)
        code: list[t.Stmt] = [p.SetListVar(moved, some.node), p.SetVar(where, began)]
        if home or to is None:
            code.extend(self._home(value, at, scope))
        else:
            code += [t.Move(p.ListVar(moved), to, bottom, None, at), p.SetVar(where, to)]
        return tuple(code), outer.bind(name, Bound(moved, pool.type, False, where))

    # -------------------------------------------------------------- knowing

    def _shown(self, item: s.Expression, scope: Scope, text: Text, at: int) -> tuple[Code, t.List] | None:
        """The cards to show, and what must be done before (the end of a pile is made ready)."""
        value = self._cards(item, scope, text)
        if value is None or not isinstance(value.node, t.List):
            return None
        return self._readied(item, value, scope, text, at), value.node

    def _readied(self, item: s.Expression, value: Value, scope: Scope, text: Text, at: int) -> Code:
        """Has the pile whose end an item is hold as many cards as it names."""
        if not isinstance(item, s.EndOf) or not value.effectful or value.place is None:
            return ()
        count: t.Expr = t.Const(1)
        if item.count is not None:
            amount = self.expressions.check(item.count, scope, text, NUMBER)
            if amount is not None and isinstance(amount.node, t.Expr):
                count = amount.node
        return (t.Prepare(value.place, count, at),)

    def _do_reveal(
        self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, outer: Scope, text: Text
    ) -> Done:
        at = self._here(node, scope, text)
        shown = self._shown(found.filled[0][1], scope, text, at)
        return ((*shown[0], t.Reveal(shown[1], t.Const(-1), at)), outer) if shown else ((), outer)

    def _do_reveal_to(
        self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, outer: Scope, text: Text
    ) -> Done:
        at = self._here(node, scope, text)
        shown = self._shown(found.filled[0][1], scope, text, at)
        item = found.filled[1][1]
        who = self.expressions.check(item, scope, text, PLAYER)
        if shown is None or who is None:
            return (), outer
        seat_shown = self.context.present(who, text.span(item.start, item.end))
        return (*shown[0], t.Reveal(shown[1], p.MaskOf(seat_shown), at)), outer

    def _do_look(
        self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, outer: Scope, text: Text
    ) -> Done:
        at = self._here(node, scope, text)
        shown = self._shown(found.filled[0][1], scope, text, at)
        if seat is None:
            self.context.report(
                "RW422", text.span(node.start, node.end), "nobody's turn says who looks", "say who: `p looks at …`"
            )
            return (), outer
        return ((*shown[0], t.Reveal(shown[1], p.MaskOf(seat), at)), outer) if shown else ((), outer)

    def _do_shuffle(
        self, found: Match, node: s.Phrase, seat: t.Expr | None, scope: Scope, outer: Scope, text: Text
    ) -> Done:
        zone = self.expressions.check(found.filled[0][1], evolve(scope, reading=False), text, ZONE)
        if zone is None or zone.zone is None:
            return (), outer
        return (t.Shuffle(zone.zone, self._here(node, scope, text)),), outer
