"""Whether hooks of two packs on one movement disturb each other by what they do with its cards."""

from __future__ import annotations

from attrs import frozen

from rulewright.ruleset.common.record import Record
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.call_effects import Effects
from rulewright.ruleset.program.exclusion import exclusive
from rulewright.ruleset.program.touches import Touched
from rulewright.ruleset.program.traversal import substitute
from rulewright.ruleset.table import nodes as t


@frozen(repr=False)
class Moving(Record):
    """What a hook on movement does: its code, and `zones` and `drawn` as in `Contribution`."""

    code: tuple[t.Stmt, ...]
    touched: Touched
    zones: frozenset[str]
    drawn: bool


def disturbed(one: Moving, two: Moving, effects: Effects) -> list[str]:
    """Return the zones where the order of two hooks on one movement matters.

    One takes cards of the movement out of a zone that the other uses, or out of a pile whose next cards the other
    gets; or both may take the same cards.
    """
    found: set[str] = set()
    for first, second in ((one, two), (two, one)):
        if first.touched.takes:
            found |= first.zones & (second.touched.reads | second.touched.writes)
            if second.drawn:
                found |= first.zones & second.zones
    if one.touched.takes and two.touched.takes and not _others(one, two, effects):
        found |= one.zones & two.zones
    return sorted(found)


def _others(one: Moving, two: Moving, effects: Effects) -> bool:
    """Whether the conditions on the cards (`where`) exclude each other."""
    tests = [_where(moving.code, effects) for moving in (one, two)]
    return exclusive(tests[0], tests[1], one.touched.writes | two.touched.writes)


def _where(code: tuple[t.Stmt, ...], effects: Effects) -> t.Expr | None:
    """Return the condition of a hook on the cards, about the variable -1; None if it has none."""
    call = code[-1] if code else None
    body = effects.units[call.verb].body if isinstance(call, p.CallVerb) else ()
    match body:
        case (p.SetListVar(items=t.Filter(items=p.ListVar(), slot=card, condition=test)), *_):
            return substitute(test, {card: p.Var(-1)}, {})
    return None
