"""Hooks: code before, after, or instead of verbs, steps, and movement, and woven around sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from attrs import evolve

from rulewright.ruleset.check.context import CheckContext
from rulewright.ruleset.check.scope import Bound, Contribution, Original, Scope, UnitDraft
from rulewright.ruleset.check.statements.verb_registry import Code, Done
from rulewright.ruleset.common.diagnostic import Span
from rulewright.ruleset.compose.conflicts import part_span
from rulewright.ruleset.declare.declarations import WovenBodies
from rulewright.ruleset.documents.rules import Body, Conditions, Hook
from rulewright.ruleset.language.ast import names_given
from rulewright.ruleset.language.parser import parse_effect
from rulewright.ruleset.language.syntax_errors import Mistake
from rulewright.ruleset.language.types import CARD, NUMBER, PLAYER, Type
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.source.nodes import ScalarNode
from rulewright.ruleset.table import nodes as t

# ---- Hooks on movement: code before and after the sentences that move cards between certain zones
#
# Each such hook is a unit that takes the acting seat and the cards. The sentences that may fit call it, and
# test what only play can tell. A hidden track is 1 while the hook does not apply: in the set-up and the
# finish, and while its own effect is carried out.

MOVED = "moved"
Moving = t.Move | t.MoveAll | p.SendCardsHome | t.Drawing


def movement_hooks(context: CheckContext) -> tuple[Hook, ...]:
    return tuple(hook for hook in context.declared.all_of(Hook).values() if hook.on_movement)


def pausing(context: CheckContext, value: int) -> Code:
    """Return code that lets no hook on movement apply (1), or lets them apply again (0)."""
    return tuple(p.AssignTrack(p.hook_track(hook.key), (), t.Const(value), 0) for hook in movement_hooks(context))


def with_hooks(context: CheckContext, code: Code, seat: t.Expr | None, scope: Scope, span: Span) -> Code:
    """Return the code of a sentence, with the hooks that what it moves may set off."""
    number = next((n for n, one in enumerate(code) if isinstance(one, Moving)), -1)
    if number < 0 or scope.setting_up or scope.unit.key == "finish":
        return code
    moving = code[number]
    assert isinstance(moving, Moving)
    first: list[t.Stmt] = []
    noting: list[t.Stmt] = []
    last: list[t.Stmt] = []
    fitting: list[tuple[Hook, str, t.Stmt]] = []
    for hook in movement_hooks(context):
        if scope.unit.key == unit_key(hook):
            continue
        moved = scope.unit.variable(MOVED, CARD, True)
        taken = _taken(context, hook, moving, moved, scope.unit)
        if taken is None:
            continue
        told, moving, cards = taken
        at = context.source(scope.unit.key, span)
        call = p.CallVerb(unit_key(hook), (seat if seat is not None else t.Const(-1), cards), at)
        if hook.before:
            first.extend((*told, call))
        else:
            noting.extend(told)
            last.append(call)
        compared = evolve(call, arguments=(call.arguments[0], p.ListVar(moved)))  # which cards count reads no zone
        fitting.append((hook, "before" if hook.before else "after", compared))
        context.used.add(f"hook/{hook.key}/move")
    for hook, word, one in fitting if len(fitting) > 1 else ():
        zones, drawn = _whereabouts(hook, moving), word == "before" and isinstance(moving, t.Drawing)
        context.contributed.append(Contribution("hook", "move", word, hook.span, (one,), zones, drawn))
    return (*code[:number], *first, *noting, moving, *code[number + 1 :], *last)


def unit_key(hook: Hook) -> str:
    """Name the unit of a hook on movement."""
    return f"hook/{hook.key}"


# ------------------------------------------------------------------ which cards

def _taken(
    context: CheckContext, hook: Hook, moving: Moving, moved: int, unit: UnitDraft
) -> tuple[Code, Moving, t.List] | None:
    """Return code before a movement, the movement, and its cards that the hook asks for; None if there are none."""
    source = _source(moving)
    target = moving.to if not isinstance(moving, p.SendCardsHome) else None
    leaves, arrives = _surely(hook.from_, source), _surely(hook.to, target)
    if leaves is False or arrives is False or source == target:
        return None
    card = unit.variable("card", CARD)
    place: t.Expr = p.PlaceOf(p.Var(card))
    goes: t.Expr = target if target is not None else p.HomeOf(p.Var(card))
    tests: list[t.Expr] = [t.Binary("!=", source if isinstance(moving, t.Drawing) else place, goes)]
    if isinstance(moving, p.SendCardsHome):
        tests.append(t.Binary(">=", goes, t.Const(0)))
    if not isinstance(moving, t.Drawing | t.MoveAll) and moving.place is not None:
        anywhere = t.Binary("==", moving.place, t.Const(-1))
        tests.append(t.Or(anywhere, t.Binary("==", place, moving.place)))
    if leaves is None:
        tests.append(_among(context, hook.from_, source if isinstance(moving, t.Drawing) else place, unit))
    if arrives is None:
        tests.append(_among(context, hook.to, goes, unit))
    whole = tests[0]
    for test in tests[1:]:
        whole = t.And(whole, test)
    if isinstance(moving, t.Drawing) and hook.before:
        drawn = t.Take(t.Cards(moving.source), moving.count, isinstance(moving, t.DrawBottom))
        ready = t.Prepare(moving.source, moving.count, moving.at)
        return (ready, p.SetListVar(moved, t.Filter(drawn, card, whole))), moving, p.ListVar(moved)
    if isinstance(moving, t.Drawing):  # only the movement itself tells which cards are drawn
        slot = moving.slot if moving.slot is not None else moved
        return (), evolve(moving, slot=slot), t.Filter(p.ListVar(slot), card, whole)
    cards = t.Cards(moving.source) if isinstance(moving, t.MoveAll) else moving.cards
    return (p.SetListVar(moved, t.Filter(cards, card, whole)),), moving, p.ListVar(moved)


def _source(moving: Moving) -> t.Expr:
    """Return the zone that the cards leave; -1 if it is not known."""
    if isinstance(moving, t.Drawing | t.MoveAll):
        return moving.source
    return moving.place if moving.place is not None else t.Const(-1)


def _whereabouts(hook: Hook, moving: Moving) -> frozenset[str]:
    """Return the zones in which the cards of a hook are when it happens, as far as they are known."""
    names, zone = hook.to, moving.to if not isinstance(moving, p.SendCardsHome) else None
    if hook.before:
        names, zone = hook.from_, _source(moving)
    return frozenset((zone.zone,) if isinstance(zone, p.ZoneAt) else (name.text for name in names))


def _surely(names: tuple[ScalarNode, ...], zone: t.Expr | None) -> bool | None:
    """Whether a zone is one of those named; None if only play can tell."""
    if not names:
        return True
    return any(name.text == zone.zone for name in names) if isinstance(zone, p.ZoneAt) else None


def _among(context: CheckContext, names: Iterable[ScalarNode], zone: t.Expr, unit: UnitDraft) -> t.Expr:
    """Return whether a zone is one of those named, of anyone."""
    found: t.Expr = t.Const(0)
    for name in names:
        if name.text not in context.declared.zones:
            continue
        declared = context.declared.zones[name.text][1]
        if declared.scope == "game":
            one: t.Expr = t.Binary("==", zone, p.ZoneAt(name.text, None))
        else:
            owners: t.List = p.DefinitionsOf(declared.of)
            type_ = Type("definition", declared.of)
            if declared.scope == "player":
                owners, type_ = p.Everyone(), PLAYER
            elif declared.of in context.declared.enumerations:
                owners, type_ = p.MembersOf(declared.of), Type("enumeration", declared.of)
            owner = unit.variable("owner", type_)
            one = t.Exists(owners, owner, t.Binary("==", zone, p.ZoneAt(name.text, p.Var(owner))))
        found = one if found == t.Const(0) else t.Or(found, one)
    return found


# ---- Hooks: code before, after, or instead of verbs and steps, at once or when awaited
#
# A hook with `waits` has a hidden track: how often each player has awaited it since it last ran for that
# player.

class Hooks:
    """Checks hooks. `body` and `condition` check the parts of a hook as `StepChecker` does."""

    def __init__(
        self,
        context: CheckContext,
        body: Callable[[Body | None, Scope], Code],
        condition: Callable[[Conditions | None, Scope], t.Expr | None],
    ) -> None:
        self.context = context
        self.body = body
        self.condition = condition

    def hooked(self, anchor: str, body: Code, scope: Scope) -> Code:
        """Return a body with the code of its hooks before, after, or instead of it, in the order of declaration."""
        before: list[t.Stmt] = []
        after: list[t.Stmt] = []
        for hook in self.context.declared.all_of(Hook).values():
            word = next((word for word, where in hook.anchors if where.text == anchor), None)
            if word is None:
                continue
            self.context.used.add(f"hook/{hook.key}/{anchor}")
            known = self._known(hook, scope)
            if hook.waits:
                code = self._awaited(hook, known)
            else:
                extra = self._happens(hook, known)
                test = self.condition(hook.when, known) or t.Const(1)
                code = (t.If(test, extra, body if word == "instead-of" else ()),)
            if word == "instead-of" and not hook.waits:
                self.context.proceeded_code[hook.span] = body
                body = code
            else:
                (before if word == "before" else after).extend(code)
            self.context.contributed.append(Contribution("hook", anchor, word, hook.span, code))
        return (*before, *body, *after)

    def _known(self, hook: Hook, scope: Scope) -> Scope:
        """Return the scope of a hook; with several places, only with the names that all of them have."""
        if len(hook.anchors) == 1:
            return scope
        verbs = {f"verb/{key}": one for key, one in self.context.declared.verbs.items()}
        places = [anchor.text for _, anchor in hook.anchors]
        holes = {place: dict(verbs[place].holes) if place in verbs else {} for place in places}
        lacking: dict[str, str] = {}
        for word in (*scope.names, *(word for names in holes.values() for word in names)):
            types = [names.get(word) for names in holes.values()]
            lacks = [place for place, of in zip(holes, types, strict=True) if of is None or of != types[0]]
            known = [place for place in lacks if place in verbs or place.startswith("step/")]
            if lacks:
                lacking[word] = known[0] if known else ""
        names = {word: bound for word, bound in scope.names.items() if word not in lacking}
        return evolve(scope, names=names, lacking=lacking)

    def _happens(self, hook: Hook, scope: Scope) -> Code:
        asked, own = scope.unit.choices, f"{hook.key}."
        again = tuple(key for key in asked if key.startswith(own)) if len(hook.anchors) > 1 else ()
        earlier = {key: asked.pop(key) for key in again}  # its choices have one id, wherever it happens
        body = self.body(hook.do, evolve(scope, prefix=hook.key))
        asked.update({key: max(number, asked.get(key, 0)) for key, number in earlier.items()})
        return (*self.context.covered(f"hook {hook.key}", hook.span), *body)

    # -------------------------------------------------------------- hooks that wait

    def _awaited(self, hook: Hook, scope: Scope) -> Code:
        """Return the code of a hook with `waits`: for the acting player or, without one, for all in the game."""
        if "times" in scope.names:
            message = f"`times` is a parameter here, but in `{hook.key}` it is how often the hook was awaited"
            hint = "rename the parameter in the sentence of the verb"
            self.context.report("RW432", hook.place("waits"), message, hint)
            return ()
        you = scope.you
        if you is not None and scope.unit.key == "main":
            return self._awaited_by(you, hook, scope)
        # Only play can tell whether a verb or effect has an acting player.
        seats: t.List = p.Living()
        if you is not None:
            seats = t.Choice(t.Binary("<", you, t.Const(0)), p.Living(), t.Items((you,)))
        seat = scope.unit.variable("you", PLAYER)
        at = self.context.source(f"hook/{hook.key}", hook.span)
        return (p.Loop(seat, seats, self._awaited_by(p.Var(seat), hook, scope), "seats", at),)

    def _awaited_by(self, seat: t.Expr, hook: Hook, scope: Scope) -> Code:
        unit, track = scope.unit, p.hook_track(hook.key)
        at = self.context.source(f"hook/{hook.key}", hook.span)
        times, label = unit.variable("times", NUMBER), unit.label()
        inner = evolve(scope.bind("times", Bound(times, NUMBER)), you=seat, exits={**scope.exits, "stop": label})
        body = self._happens(hook, inner)
        if label in unit.left.among(body):
            body = (p.Block(label, body),)
        active: t.Expr = t.Binary(">", p.Var(times), t.Const(0))
        test = self.condition(hook.when, inner)
        if test is not None:
            active = t.And(active, test)
        # The count is reset before the body runs, since the body may await the hook again.
        happens: Code = (p.AssignTrack(track, (seat,), t.Const(0), at), *body)
        return (p.SetVar(times, p.TrackAt(track, (seat,))), t.If(active, happens, ()))


# ---- Weave sentences with the code that packs put before, after, and around them

class Weaver:
    """Weaves bodies. `plain_body` checks an effect without surrounding code, as `StepChecker` does."""

    def __init__(self, context: CheckContext, plain_body: Callable[[Body, Scope], Done]) -> None:
        self.context = context
        self.plain_body = plain_body

    def woven(self, node: Body, body: Original, scope: Scope) -> Code:
        """Return the code at a place, including what packs put there.

        Code is built in execution order, as if written by hand; later code knows the names that are always given.
        """
        weave = self.context.declared.woven.get(node.span)
        if weave is None:
            return body()[0]
        return self._all(weave, partial(self._given, body, scope), self._names_in(node), scope)

    def part(self, effect: Span, label: str, body: Callable[[], Code], names: frozenset[str], scope: Scope) -> Code:
        """Return the code of a part of an effect, with what packs put there; `names` are those given inside."""
        weave = self.context.declared.woven.get(part_span(effect, label))
        if weave is None:
            return body()
        instead = weave.instead

        def given() -> Done:
            code = self.plain_body(instead, scope)[0] if instead is not None else body()
            return code, Scope(scope.unit)

        return self._all(weave, given, names, scope)

    def _all(self, weave: WovenBodies, given: Original, names: frozenset[str], scope: Scope) -> Code:
        inside = evolve(scope, inside=names - scope.names.keys(), lent=frozenset())
        for insert in weave.around:
            given = partial(self._around, insert, given, inside)
        code = [statement for insert in weave.before for statement in self._inserted(insert, inside)[0]]
        middle, after = given()
        code += middle
        behind = inside.lend(after)
        code += [statement for insert in weave.after for statement in self._inserted(insert, behind)[0]]
        return tuple(code)

    def _names_in(self, node: Body) -> frozenset[str]:
        """Return the names that the sentences of a text give, including those in branches."""
        tree = parse_effect(node.text) if isinstance(node, ScalarNode) else ()
        if isinstance(tree, Mistake):
            return frozenset()
        return names_given(self.context.declared.tree(tree, node.span))

    def _given(self, body: Original, scope: Scope) -> Done:
        """Return the code of sentences, and a scope with the names that they give to packs around them.

        Names with a meaning for all packs are left out.
        """
        code, after = body()
        names = after.names.items()
        given = {name: bound for name, bound in names if name not in scope.names and not self._means(name)}
        return code, Scope(scope.unit, given, lost=after.lost)

    def _means(self, word: str) -> bool:
        """Whether a word has a meaning without a local name."""
        d = self.context.declared
        groups = (d.functions, d.definitions, d.kinds, d.plurals, d.enumerations)
        return any(word in group for group in groups) or d.member(word) is not None

    def _around(self, node: Body, body: Original, scope: Scope) -> Done:
        carried = self.context.proceed_count.setdefault(node.span, 0)
        code, after = self._inserted(node, evolve(scope, original=(node.span, body)))
        times = self.context.proceed_count[node.span] - carried
        if times != 1:
            message = "`proceed` occurs more than once" if times else "`proceed` is missing"
            hint = "write `proceed` once, where the original effect runs; to replace that effect, use `set`"
            self.context.report("RW629", node.span, message, hint)
        return code, Scope(scope.unit, {name: after.names[name] for name in after.lent}, lost=after.lost)

    def _inserted(self, node: Body, scope: Scope) -> Done:
        """Return the code of an insert and the scope after it. Its choices have their own ids."""
        pack = self.context.declared.owners.get(node.span.path)
        prefix = f"{scope.prefix or scope.unit.key}.{pack}" if pack is not None else scope.prefix
        code, after = self.plain_body(node, evolve(scope, prefix=prefix))
        self.context.inserted_code[node.span] = code
        return code, after
