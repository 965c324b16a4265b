"""List the items of a table whose use can be counted, by their keys in `usage`."""

from __future__ import annotations

import re

from rulewright.interpreter.views.visibility import ALL_DEFINITIONS
from rulewright.ruleset.table.nodes import TableProgram


def things(program: TableProgram) -> list[str]:
    """Return all definitions, options of menus, effects, steps, and awards of a table, in the order of the pack."""
    found = [f"{kind}/{key}" for kind, keys in program.definitions if kind != ALL_DEFINITIONS for key in keys]
    found += [f"{site.key}/{branch.key}" for site in program.sites for branch in site.branches]
    found += [source.name for source in program.sources if source.name.startswith(("step/", "award/"))]
    # Without a dot it is not an effect of a definition, but what picks one.
    found += [name for name in (source.name for source in program.sources) if re.match(r"effect/.*\.", name)]
    return list(dict.fromkeys(found))
