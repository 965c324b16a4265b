"""Kernel verbs that move, shuffle, order, reveal, or look at cards."""

from __future__ import annotations

from attrs import evolve, frozen

from rulewright.ruleset.check.expressions.checker import ExpressionChecker
from rulewright.ruleset.check.scope import Bound, CheckedExpression, Scope, TextPart
from rulewright.ruleset.check.statements.arguments import (
    amount_of,
    as_cards,
    cards_named,
    nobody_to,
    pool_of,
    remember,
    source_of,
)
from rulewright.ruleset.check.statements.verb_registry import Code, Done, VerbCall, verb
from rulewright.ruleset.check.texts import prompt_values
from rulewright.ruleset.common.diagnostic import Label
from rulewright.ruleset.common.nearest import listed
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.types import CARD, NUMBER, PLAYER, ZONE
from rulewright.ruleset.language.vocabulary import IN_ANY_ORDER
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.table import nodes as t

# ---- Ask a player for the order of cards: `move … in any order`

def in_chosen_order(
    expressions: ExpressionChecker, call: VerbCall, cards: t.List, place: t.Expr
) -> tuple[Code, t.List, t.Expr]:
    """Return code that asks for one card after another, the cards in the chosen order, and their zone.

    Chosen cards go to the end of the list, so the last one, which is not asked for, is at its beginning. Cards that
    have left `place` are left out. Without a place (-1), only cards that are where the first one is are moved.
    """
    unit, one = call.scope.unit, t.Const(1)
    left, chosen = unit.variable("left", CARD, True), unit.variable("chosen", NUMBER)
    source = unit.variable("from", NUMBER)
    other, following = unit.variable("other", CARD), unit.variable("next", CARD)
    at = expressions.context.source(call.scope.unit.key, call.span())
    prompt = expressions.context.prompt(unit.choice("order", call.scope.prefix))
    assert call.seat is not None
    shows = prompt_values(expressions, prompt, evolve(call.outer, you=call.seat))
    remaining = t.Binary("-", t.Count(p.ListVar(left)), p.Var(chosen))
    pool = t.Take(p.ListVar(left), remaining, True)
    unchosen = t.Filter(p.ListVar(left), other, t.Binary("!=", p.Var(other), p.Var(following)))
    here = t.Filter(p.ListVar(left), other, t.Binary("==", p.PlaceOf(p.Var(other)), p.Var(source)))
    several = t.Binary(">", t.Count(p.ListVar(left)), t.Const(0))
    first = t.IfElse(several, p.PlaceOf(t.First(p.ListVar(left))), t.Const(-1))
    body: Code = (
        p.Choose(prompt, call.seat, pool, CARD, one, one, following, True, at, shows, private=True),
        p.SetListVar(left, t.Concat(unchosen, t.Items((p.Var(following),)))),
        p.SetVar(chosen, t.Binary("+", p.Var(chosen), one)),
    )
    code: Code = (
        p.SetListVar(left, cards),
        p.SetVar(source, place),
        t.If(t.Binary("==", p.Var(source), t.Const(-1)), (p.SetVar(source, first),), ()),
        p.SetListVar(left, here),
        p.SetVar(chosen, t.Const(0)),
        t.While(t.Binary(">", remaining, one), body, at),
    )
    picked = t.Take(p.ListVar(left), p.Var(chosen), False)
    return code, t.Concat(picked, t.Take(p.ListVar(left), remaining, True)), p.Var(source)


Place = tuple[t.Expr | None, bool, bool]
"""A zone or an end of one: its number, whether it is the bottom, whether it is `home`."""


@verb("move")
def move(expressions: ExpressionChecker, call: VerbCall) -> Done:
    what, where = call.items
    place = _place(expressions, call, where)
    at = source_of(expressions, call)
    if call.node.adverb == IN_ANY_ORDER:
        return _move_in_any_order(expressions, call, place, at)
    if isinstance(what, s.EndOf) and what.word in ("top", "bottom"):
        zone = expressions.check(what.base, evolve(call.scope, reading=False), call.text)
        if zone is None:
            return (), call.outer
        drawn = zone.type.name == "zone" and (what.word == "top" or _drawn(expressions, call, zone, place))
        if drawn and zone.zone is not None:
            return _draw(expressions, call, what, zone.zone, place, at)
    if call.node.result is not None:
        return _no_name(expressions, call)
    value = cards_named(expressions, what, call.scope, call.text)
    if value is None or place is None:
        return (), call.outer
    to, bottom, home = place
    if home:
        return (*readied(expressions, call, what, value, at), *_home(value, at, call.scope)), call.outer
    _accepted(expressions, value, to, what, call.text)
    assert to is not None and isinstance(value.node, t.List)
    if isinstance(value.node, t.Cards) and value.variable is None:
        return (t.MoveAll(value.node.zone, to, bottom, at),), call.outer
    if not isinstance(value.place, p.Var) or value.variable is None:
        return (t.Move(value.node, to, bottom, value.place, at),), call.outer
    before = call.scope.unit.variable("before", NUMBER)
    remember = p.SetVar(before, value.place)
    move = t.Move(value.node, to, bottom, p.Var(before), at)
    return (remember, _follow(value, value.place, to), move), call.outer


def _no_name(expressions: ExpressionChecker, call: VerbCall) -> Done:
    """Report a name for cards that `move` cannot name."""
    assert call.node.result is not None
    hint = "name the cards before moving them: `choose … as NAME`, or `let NAME = …`"
    message = "`as` can only follow `move top of …`, `move bottom of …` and `move N … from …`"
    expressions.context.report("RW437", call.span(call.node.result), message, hint)
    return (), call.outer


def _move_in_any_order(expressions: ExpressionChecker, call: VerbCall, place: Place | None, at: int) -> Done:
    """Ask the subject for the order of the cards, then move them."""
    what, where = call.items
    if call.node.result is not None:
        return _no_name(expressions, call)
    value = cards_named(expressions, what, call.scope, call.text)
    if value is None or place is None:
        return (), call.outer
    if call.seat is None:
        expressions.context.report("RW422", call.span(), *nobody_to("choose an order", "p moves …"))
        return (), call.outer
    to, bottom, _ = place
    zone = expressions.context.declared.zones.get(to.zone) if isinstance(to, p.ZoneAt) else None
    if to is None or (zone is not None and zone[1].order == "bag"):
        says = call.text.says(where.start, where.end)
        message = f"`{says}` is a bag, so its cards have no order"
        if to is None:
            message = "`home` may be several zones, so the cards have no common order there"
        hint = f"remove `{IN_ANY_ORDER}`, or name a zone whose order is `pile` or `row`"
        expressions.context.report("RW447", call.span(where), message, hint)
        return (), call.outer
    _accepted(expressions, value, to, what, call.text)
    assert isinstance(value.node, t.List)
    if value.place is None:
        hint = "name the cards of one zone: a zone, `cards in ZONE where …`, or a name given to such cards"
        message = f"these cards may be in several zones, so they cannot be moved `{IN_ANY_ORDER}`"
        expressions.context.report("RW447", call.span(what), message, hint)
        return (), call.outer
    ready = readied(expressions, call, what, value, at)
    code, ordered, source = in_chosen_order(expressions, call, value.node, value.place)
    follow: Code = ()
    if isinstance(value.place, p.Var) and value.variable is not None:
        follow = (_follow(value, value.place, to),)
    return (*ready, *code, *follow, t.Move(ordered, to, bottom, source, at, call.seat)), call.outer


def _place(expressions: ExpressionChecker, call: VerbCall, item: s.Expression) -> Place | None:
    """Check a zone, an end of one, or `home`."""
    if isinstance(item, s.NameNode) and item.text == "home" and "home" not in call.scope.names:
        return None, False, True
    bottom = False
    if isinstance(item, s.EndOf) and item.count is None:
        bottom = item.word in ("bottom", "first")
        item = item.base
    value = expressions.check(item, call.scope, call.text, ZONE)
    return (value.zone, bottom, False) if value is not None else None


def _home(value: CheckedExpression, at: int, scope: Scope) -> Code:
    """Send cards home and update their name's place: the home of one card; for several, unknown."""
    if not isinstance(value.place, p.Var) or value.variable is None:
        return _send_home(value, at)
    before = scope.unit.variable("before", NUMBER)
    went = _send_home(evolve(value, place=p.Var(before)), at)
    to: t.Expr = t.Const(-1)
    if isinstance(value.node, t.Choice | t.Items) and value.variable is not None:
        to = p.HomeOf(p.Var(value.variable))
    return (p.SetVar(before, value.place), _follow(value, value.place, to), *went)


def _follow(value: CheckedExpression, place: p.Var, to: t.Expr) -> t.Stmt:
    """Update a name's place after its cards move; a card that had already gone stays gone."""
    gone = t.Const(-2)
    if isinstance(value.node, t.Choice | t.Items) and value.variable is not None:
        card = p.Var(value.variable)
        there = t.And(t.Binary(">=", card, t.Const(0)), t.Binary("==", p.PlaceOf(card), place))
        return p.SetVar(place.variable, t.IfElse(there, to, gone))
    return p.SetVar(place.variable, to)


def _accepted(
    expressions: ExpressionChecker, value: CheckedExpression, to: t.Expr | None, item: s.Expression, text: TextPart
) -> None:
    """Report cards of which the target zone accepts none."""
    zone = expressions.context.declared.zones.get(to.zone) if isinstance(to, p.ZoneAt) else None
    kinds = expressions.names.belongings.kinds_of(value)
    if zone is None or not zone[1].accepts or not kinds or set(kinds) & set(zone[1].accepts):
        return
    message = f"these are cards of kind {listed(kinds, 'or')}, but `{zone[1].key}` accepts only "
    message += listed(zone[1].accepts)
    label = Label(zone[0], "the zone is declared here")
    expressions.context.report("RW504", text.span(item.start, item.end), message, None, label)


def _send_home(value: CheckedExpression, at: int) -> Code:
    assert isinstance(value.node, t.List)
    return (p.SendCardsHome(value.node, value.place, at),)


def _drawn(expressions: ExpressionChecker, call: VerbCall, zone: CheckedExpression, place: Place | None) -> bool:
    """Whether the bottom of a zone is taken card by card, like the top: it may refill, or the cards get a name."""
    declared = expressions.context.declared.zones.get(zone.zone_key)
    refills = declared is None or bool(declared[1].refill)
    return (refills and not (place and place[2])) or call.node.result is not None


def _draw(
    expressions: ExpressionChecker, call: VerbCall, what: s.EndOf, source: t.Expr, place: Place | None, at: int
) -> Done:
    count: t.Expr = t.Const(1)
    if what.count is not None:
        amount = expressions.check(what.count, call.scope, call.text, NUMBER)
        if amount is None or not isinstance(amount.node, t.Expr):
            return (), call.outer
        count = amount.node
    if place is None:
        return (), call.outer
    to, bottom, home = place
    if home or to is None:
        span = call.span()
        message = f"the card at the {what.word} is not known, so it cannot go `home`"
        expressions.context.report("RW438", span, message, "name the zone instead of `home`")
        return (), call.outer
    take = t.Draw if what.word == "top" else t.DrawBottom
    if call.node.result is None:
        return (take(source, count, to, bottom, None, at),), call.outer
    drawn = call.scope.unit.variable(call.node.result.text, CARD, True)
    where = call.scope.unit.variable(f"{call.node.result.text} place", NUMBER)
    code: list[t.Stmt] = [take(source, count, to, bottom, drawn, at), p.SetVar(where, to)]
    if what.count is not None:
        return tuple(code), call.outer.bind(call.node.result.text, Bound(drawn, CARD.list, False, where))
    single = call.scope.unit.variable(call.node.result.text, CARD)
    code.append(p.SetVar(single, t.First(p.ListVar(drawn))))
    return tuple(code), call.outer.bind(call.node.result.text, Bound(single, CARD, True, where))


@verb("move-some")
def move_some(expressions: ExpressionChecker, call: VerbCall) -> Done:
    """Move up to `n` members of a list of cards, from its beginning."""
    amount = amount_of(expressions, call, "n")
    pool = pool_of(expressions, call)
    place = _place(expressions, call, call.items[3])
    if amount is None or pool is None or place is None or not isinstance(pool.node, t.List):
        return (), call.outer
    at = source_of(expressions, call)
    to, bottom, home = place
    some = evolve(pool, node=t.Take(pool.node, amount, True))
    assert isinstance(some.node, t.List)
    if call.node.result is None:
        if home or to is None:
            return _send_home(some, at), call.outer
        return (t.Move(some.node, to, bottom, None, at),), call.outer
    name = call.node.result.text
    moved, where = call.scope.unit.variable(name, CARD, True), call.scope.unit.variable(f"{name} place", NUMBER)
    began = pool.place if pool.place is not None else t.Const(-1)
    value = evolve(some, node=p.ListVar(moved), place=p.Var(where), variable=moved)
    code: list[t.Stmt] = [p.SetListVar(moved, some.node), p.SetVar(where, began)]
    if home or to is None:
        code.extend(_home(value, at, call.scope))
    else:
        code += [t.Move(p.ListVar(moved), to, bottom, None, at), p.SetVar(where, to)]
    return tuple(code), call.outer.bind(name, Bound(moved, pool.type, False, where))


def readied(
    expressions: ExpressionChecker, call: VerbCall, item: s.Expression, value: CheckedExpression, at: int
) -> Code:
    """Make the pile under an item hold as many cards as the item names."""
    if not isinstance(item, s.EndOf) or not value.effectful or value.place is None:
        return ()
    count: t.Expr = t.Const(1)
    if item.count is not None:
        amount = expressions.check(item.count, call.scope, call.text, NUMBER)
        if amount is not None and isinstance(amount.node, t.Expr):
            count = amount.node
    return (t.Prepare(value.place, count, at),)


@verb("shuffle")
def shuffle(expressions: ExpressionChecker, call: VerbCall) -> Done:
    zone = expressions.check(call.items[0], evolve(call.scope, reading=False), call.text, ZONE)
    if zone is None or zone.zone is None:
        return (), call.outer
    return (t.Shuffle(zone.zone, source_of(expressions, call)),), call.outer


# ---- Kernel verbs that show cards: `reveal` and `look at`

@frozen(repr=False)
class _Shown(Record):
    """Cards to show: the code that must run first, the cards, and the scope with the name that they get."""

    code: Code
    cards: t.List
    after: Scope


@verb("reveal")
def reveal(expressions: ExpressionChecker, call: VerbCall) -> Done:
    at = source_of(expressions, call)
    shown = _shown(expressions, call, at)
    return _reveal(shown, t.Const(-1), at, call) if shown is not None else ((), call.outer)


@verb("reveal-to")
def reveal_to(expressions: ExpressionChecker, call: VerbCall) -> Done:
    at = source_of(expressions, call)
    shown = _shown(expressions, call, at)
    item = call.items[1]
    who = expressions.check(item, call.scope, call.text, PLAYER)
    if shown is None or who is None:
        return (), call.outer
    return _reveal(shown, p.MaskOf(expressions.context.present(who, call.span(item))), at, call)


@verb("look")
def look(expressions: ExpressionChecker, call: VerbCall) -> Done:
    at = source_of(expressions, call)
    shown = _shown(expressions, call, at)
    if call.seat is None:
        expressions.context.report("RW422", call.span(), *nobody_to("look", "p looks at …"))
        return (), call.outer
    return _reveal(shown, p.MaskOf(call.seat), at, call) if shown is not None else ((), call.outer)


def _reveal(shown: _Shown, seats: t.Expr, at: int, call: VerbCall) -> Done:
    return (*shown.code, t.Reveal(shown.cards, seats, at, bool(call.node.adverb))), shown.after


def _shown(expressions: ExpressionChecker, call: VerbCall, at: int) -> _Shown | None:
    """Return the cards that a sentence shows, and remember them if it names them."""
    item = call.items[0]
    value = expressions.check(item, evolve(call.scope, reading=False), call.text)
    cards = as_cards(expressions, value, item, call.text) if value is not None else None
    if value is None or cards is None or not isinstance(cards.node, t.List):
        return None
    code = readied(expressions, call, item, cards, at)
    if call.node.result is None:
        return _Shown(code, cards.node, call.outer)
    name = call.node.result.text
    named = value if value.type.name == "card" and not value.type.many else cards
    if isinstance(cards.node, t.Take) and isinstance(item, s.EndOf) and item.word == "top":
        named = evolve(cards, node=_from_the_top(call, cards.node, at))
    kept, after = remember(name, named, call.outer)
    bound = after.names[name]
    shown: t.Expr | t.List = p.ListVar(bound.variable) if named.type.many else p.Var(bound.variable)
    again = as_cards(expressions, evolve(named, node=shown), item, call.text)
    assert again is not None and isinstance(again.node, t.List)
    return _Shown((*code, *kept), again.node, after)


def _from_the_top(call: VerbCall, cards: t.Take, at: int) -> t.List:
    """Return the top cards of a zone from the top down, as `move` takes them."""
    number = call.scope.unit.variable("number", NUMBER)
    places = p.Range(t.Const(1), t.Least(cards.count, t.Count(cards.items)), number, at)
    return t.Map(places, number, t.First(t.Take(cards.items, p.Var(number), False)))
