"""Find the definitions that the members of a list can have, as far as its code determines."""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.ruleset.declare.declarations import Declared
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.table import nodes as t


def possible(pool: t.List, declared: Declared) -> frozenset[str]:
    """Return the keys of the definitions that members of a list of cards or definitions can have."""
    if isinstance(pool, t.Filter):
        return possible(pool.items, declared) & _where(pool.condition, pool.slot, declared)
    if isinstance(pool, t.Take):
        return possible(pool.items, declared)
    if isinstance(pool, t.Concat):
        return possible(pool.left, declared) | possible(pool.right, declared)
    if isinstance(pool, p.DefinitionsOf):
        return _of_kinds([pool.kind], declared)
    if isinstance(pool, t.Cards) and isinstance(pool.zone, p.ZoneAt):
        accepts = declared.zones[pool.zone.zone][1].accepts
        return _of_kinds(accepts, declared) if accepts else frozenset(declared.definitions)
    return frozenset(declared.definitions)


def _where(condition: t.Expr, slot: int, declared: Declared) -> frozenset[str]:
    """Return the definitions for which a condition about the member in a slot can hold."""
    everything = frozenset(declared.definitions)
    it = p.Var(slot)
    match condition:
        case t.And(left, right):
            return _where(left, slot, declared) & _where(right, slot, declared)
        case t.Binary("==", p.DefinitionOf(card), t.Const(number)) if card == it:
            return frozenset([list(declared.definitions)[number]])
        case t.Binary("==", p.KindOf(item, _), t.Const(number)) if item == it:
            return _of_kinds([list(declared.kinds)[number]], declared)
    return everything


def _of_kinds(kinds: Iterable[str], declared: Declared) -> frozenset[str]:
    wanted = set(kinds)
    return frozenset(key for key, one in declared.definitions.items() if one.kind in wanted)
