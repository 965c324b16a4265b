"""Check the code of several packs together: order, idle changes, and emptied verbs."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.ruleset.check.context import Context
from rulewright.ruleset.check.house_rules.emptied_verbs import emptied_verbs
from rulewright.ruleset.check.house_rules.idle_code import idle_code
from rulewright.ruleset.check.house_rules.insert_overlap import overlaps
from rulewright.ruleset.common.diagnostic import Diagnostic
from rulewright.ruleset.declare.declarations import Declared
from rulewright.ruleset.program.call_effects import Effects


def check_together(declared: Declared, context: Context, effects: Effects) -> Iterator[Diagnostic]:
    """Iterate over the findings about the code that packs put into each other."""
    yield from overlaps(declared, context, effects)
    yield from idle_code(declared, context, effects.units)
    yield from emptied_verbs(declared, context, effects.units)
