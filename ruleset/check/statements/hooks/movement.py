"""Hooks on movement: code before and after the sentences that move cards between certain zones.

Each such hook is a unit that takes the acting seat and the cards. The sentences that may fit call it, and test what
only play can tell. A hidden track is 1 while the hook does not apply: in the set-up and the finish, and while its
own effect is carried out.
"""

from __future__ import annotations

from collections.abc import Iterable

from attrs import evolve

from rulewright.ruleset.check.context import Context
from rulewright.ruleset.check.scope import Contribution, Scope, Unit
from rulewright.ruleset.check.statements.verb_registry import Code
from rulewright.ruleset.common.span import Span
from rulewright.ruleset.documents.rules import Hook
from rulewright.ruleset.language.types import CARD, PLAYER, Type
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.source.nodes import Scalar
from rulewright.ruleset.table import nodes as t

MOVED = "moved"
Moving = t.Move | t.MoveAll | p.SendHome | t.Drawing


def movement_hooks(context: Context) -> tuple[Hook, ...]:
    """Return the hooks on movement."""
    return tuple(hook for hook in context.declared.all_of(Hook).values() if hook.on_movement)


def pausing(context: Context, value: int) -> Code:
    """Return code that lets no hook on movement apply (1), or lets them apply again (0)."""
    return tuple(p.AssignTrack(p.hook_track(hook.key), (), t.Const(value), 0) for hook in movement_hooks(context))


def with_hooks(context: Context, code: Code, seat: t.Expr | None, scope: Scope, span: Span) -> Code:
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
    context: Context, hook: Hook, moving: Moving, moved: int, unit: Unit
) -> tuple[Code, Moving, t.List] | None:
    """Return code before a movement, the movement, and its cards that the hook asks for; None if there are none."""
    source = _source(moving)
    target = moving.to if not isinstance(moving, p.SendHome) else None
    leaves, arrives = _surely(hook.from_, source), _surely(hook.to, target)
    if leaves is False or arrives is False or source == target:
        return None
    card = unit.variable("card", CARD)
    place: t.Expr = p.PlaceOf(p.Var(card))
    goes: t.Expr = target if target is not None else p.HomeOf(p.Var(card))
    tests: list[t.Expr] = [t.Binary("!=", source if isinstance(moving, t.Drawing) else place, goes)]
    if isinstance(moving, p.SendHome):
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
    names, zone = hook.to, moving.to if not isinstance(moving, p.SendHome) else None
    if hook.before:
        names, zone = hook.from_, _source(moving)
    return frozenset((zone.zone,) if isinstance(zone, p.ZoneAt) else (name.text for name in names))


def _surely(names: tuple[Scalar, ...], zone: t.Expr | None) -> bool | None:
    """Whether a zone is one of those named; None if only play can tell."""
    if not names:
        return True
    return any(name.text == zone.zone for name in names) if isinstance(zone, p.ZoneAt) else None


def _among(context: Context, names: Iterable[Scalar], zone: t.Expr, unit: Unit) -> t.Expr:
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
