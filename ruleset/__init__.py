"""The public names of the rules compiler, from the text of a pack to programs.

    loaded = load_pack(Path("content/some-pack"))       # all passes; `findings` says what is wrong
    program = lower_program(loaded.program, seats=3)    # for one table; `TableError` if the pack does not allow it

Names are imported on first use, so that `import rulewright.ruleset` is cheap: the YAML reader, the parser, and the
schemas are loaded only when needed. (`load_pack` and `lower_program` are `ruleset.pipeline.load` and
`ruleset.lower.lowering.lower`, under names that no module has.)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulewright.ruleset.common.diagnostic import Diagnostic, Span
    from rulewright.ruleset.findings.render import render as render_findings
    from rulewright.ruleset.loaded import Loaded
    from rulewright.ruleset.lower.lowering import TableError
    from rulewright.ruleset.lower.lowering import lower as lower_program
    from rulewright.ruleset.pipeline import load as load_pack
    from rulewright.ruleset.program.nodes import Program
    from rulewright.ruleset.table.nodes import TableProgram

__all__ = [
    "Diagnostic",
    "Loaded",
    "Program",
    "Span",
    "TableError",
    "TableProgram",
    "load_pack",
    "lower_program",
    "render_findings",
]

_PLACES = {
    "Diagnostic": ("rulewright.ruleset.common.diagnostic", "Diagnostic"),
    "Loaded": ("rulewright.ruleset.loaded", "Loaded"),
    "Program": ("rulewright.ruleset.program.nodes", "Program"),
    "Span": ("rulewright.ruleset.common.diagnostic", "Span"),
    "TableError": ("rulewright.ruleset.lower.lowering", "TableError"),
    "TableProgram": ("rulewright.ruleset.table.nodes", "TableProgram"),
    "load_pack": ("rulewright.ruleset.pipeline", "load"),
    "lower_program": ("rulewright.ruleset.lower.lowering", "lower"),
    "render_findings": ("rulewright.ruleset.findings.render", "render"),
}


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, attribute = _PLACES[name]
    return getattr(import_module(module), attribute)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
