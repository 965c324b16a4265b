"""The program that native code plays: the rules without what only narrates."""

from __future__ import annotations

from interpreter.analysis.bot_functions import with_conditions
from interpreter.analysis.shapes import for_text
from interpreter.optimiser.forwarding import forwarded
from interpreter.optimiser.inlining import inlined
from interpreter.optimiser.playing_form import playing_form
from interpreter.optimiser.simplify import simplified
from interpreter.state.memo import once
from ruleset.table.nodes import TableProgram


@once
def reduced(program: TableProgram) -> TableProgram:
    """Return the program of whole games, with the functions of its bots, in the form of `shapes.for_text`."""
    bots = program.bots
    whole = inlined(simplified(for_text(with_conditions(program))))
    return playing_form(forwarded(playing_form(whole, bots)), bots)
