"""What people ask a study for: bot, kinds, and names in its report. It works without the extra."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

from rulewright.interpreter.views.names import Open, parsed
from rulewright.ruleset.common.nearest import nearest
from rulewright.ruleset.program.nodes import Program
from rulewright.ruleset.table.message import format_message
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.tools.common.display_texts import PackTexts
from rulewright.tools.common.errors import Usage
from rulewright.tools.common.seats import RANDOM

if TYPE_CHECKING:
    from rulewright.tools.balance.output.report import ReportNames
    from rulewright.tools.balance.subjects import Subject

NEEDED = ("numpy", "scipy", "altair", "vl_convert")
"""Modules of the extra."""
EXTRA = "rulewright[lab]"


def missing_package() -> str | None:
    """Return a package that studies need and that is not installed; None if all are."""
    return next((name for name in NEEDED if find_spec(name) is None), None)


def seated_bot(given: str | None, program: Program) -> str:
    """Return the bot in all seats: the named one, else the first of the pack, else empty for random players.

    Raises Usage for an unknown one.
    """
    known = [bot.key for bot in program.bots]
    if given is None:
        return known[0] if known else ""
    if given == RANDOM:
        return ""
    if given not in known:
        near = nearest(given, (RANDOM, *known))
        hint = (
            f"did you mean {near}?"
            if near
            else "balance needs thousands of games, so bots that search are too slow"
        )
        raise Usage(f"unknown bot {given!r}: expected {', '.join((RANDOM, *known))}; {hint}")
    return given


def chosen_kinds(given: Sequence[str], program: Program) -> tuple[str, ...]:
    """Return the kinds that are weighed, none for all. Raises Usage for an unknown one."""
    known = [kind.key for kind in program.kinds]
    for kind in given:
        if kind not in known:
            near = nearest(kind, known)
            hint = f"; did you mean {near}?" if near else ""
            raise Usage(f"unknown kind {kind!r}: expected {', '.join(known)}{hint}")
    return tuple(given)


def number_fields(program: Program) -> tuple[str, ...]:
    """Return the fields with one number, of kinds that have definitions: a price, say."""
    defined = {one.kind for one in program.definitions}
    kinds = (kind for kind in program.kinds if kind.key in defined)
    found = (one.key for kind in kinds for one in kind.fields if one.type.name == "number" and not one.many)
    return tuple(sorted({*found}))


def chosen_field(given: str, program: Program) -> str:
    """Return the number that is 0 where definitions are weighed at no cost. Raises Usage for an unknown one."""
    known = number_fields(program)
    if given not in known:
        near = nearest(given, known)
        hint = f"; did you mean {near}?" if near else ""
        raise Usage(f"--free requires a field with a number: {', '.join(known) or 'no kind has one'}{hint}")
    return given


def names_of(table: TableProgram, program: Program) -> ReportNames:
    """Return the names of a report, in English if the pack has it."""
    from rulewright.tools.balance.output.report import ReportNames

    texts = PackTexts(table, program)
    language = program.languages[0] if "en" not in program.languages and program.languages else "en"

    def name(one: Subject) -> str:
        """Return the name of a definition, of one where it depends on their number."""
        text = texts.definition(language, one.kind, one.key) or one.key
        return format_message(parsed(text), Open(count=1), language) if "{" in text else text

    return ReportNames(
        name,
        lambda kind: texts.text(language, f"kind/{kind}") or kind,
        lambda group: dict(group.names).get(language) or next((name for _, name in group.names), group.key),
        lambda key: texts.text(language, key) or "",
    )
