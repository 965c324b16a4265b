"""The program that native code plays: the rules without what only narrates."""

from __future__ import annotations

from rulewright.interpreter.analysis.bot_functions import with_conditions
from rulewright.interpreter.analysis.shapes import for_text
from rulewright.interpreter.optimiser.forwarding import forwarded
from rulewright.interpreter.optimiser.inlining import inlined
from rulewright.interpreter.optimiser.playing_form import playing_form
from rulewright.interpreter.optimiser.simplify import simplified
from rulewright.interpreter.state.memo import once
from rulewright.ruleset.table.nodes import TableProgram


@once
def reduced(program: TableProgram) -> TableProgram:
    """Return the program of whole games, with the functions of its bots, in the form of `shapes.for_text`."""
    bots = program.bots
    whole = inlined(simplified(for_text(with_conditions(program))))
    return playing_form(forwarded(playing_form(whole, bots)), bots)
