"""Options of last resort (`when: otherwise`): offered only where no other option of their menu is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import evolve

from rulewright.ruleset.check.context import Context
from rulewright.ruleset.common.diagnostic import Label
from rulewright.ruleset.common.span import Span
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.table import nodes as t

OTHERWISE = "otherwise"


def with_last_resort(
    context: Context, branches: Sequence[p.Branching], last: Mapping[str, Span]
) -> tuple[p.Branching, ...]:
    """Give the options in `last` (their keys, and where they say so) the condition that no other is offered."""
    if not last:
        return tuple(branches)
    key, span = next(iter(last.items()))
    for other, again in list(last.items())[1:]:
        label = Label(span, f"`{key}` is offered if no other option is")
        message = f"`{other}` is a second option of last resort"
        context.report("RW455", again, message, "keep one of them, or give this one a condition of its own", label)
    offered = {branch.key: _offered(branch) for branch in branches if branch.key not in last}
    always = next((other for other, one in offered.items() if one == t.Const(1)), "")
    if always:
        message = f"`{key}` is never offered, since `{always}` always is"
        context.report("RW455", span, message, f"give `{always}` a condition, or remove `{key}`")
    some: t.Expr = t.Const(0)
    for one in offered.values():
        some = one if some == t.Const(0) else t.Or(some, one)
    alone = t.Not(some)
    context.conditions.append(p.Condition(alone, span, (p.Clause(alone, OTHERWISE, ()),)))
    return tuple(evolve(b, condition=alone) if b.key in last else b for b in branches)


def _offered(branch: p.Branching) -> t.Expr:
    """Return whether an option is offered, for any of its members."""
    offered: t.Expr = branch.condition if branch.condition is not None else t.Const(1)
    for variable, members in zip(reversed(branch.variables), reversed(branch.members), strict=True):
        offered = t.Exists(members, variable, offered)
    return offered
