"""Names of things at a table whose program is already known, from its pack if that is found."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence

from attrs import evolve, field, frozen

from rulewright.interpreter.backends.walker.expressions import Environment
from rulewright.interpreter.backends.walker.statements import Statements
from rulewright.interpreter.state.rule_errors import RuleError
from rulewright.interpreter.views.narration_messages import PHRASES
from rulewright.ruleset.common.limits import FUEL_PER_ANSWER
from rulewright.ruleset.lower.lowering import TableError, lower
from rulewright.ruleset.program.call_effects import FUNCTION
from rulewright.ruleset.program.nodes import LayoutItem, Program, TableLayout
from rulewright.ruleset.program.traversal import shown_layout, whole_series
from rulewright.ruleset.table.canonical import program_hash
from rulewright.ruleset.table.nodes import FUEL, TableProgram
from rulewright.ruleset.table.reasons import Reasons
from rulewright.tools.common.display_texts import PackTexts, copy_notes, session_language
from rulewright.tools.packs.loading import Compiled
from rulewright.tools.packs.source_excerpts import SourceIndex

MORE = ("tables", "lists", "functions")
"""Parts of which the program of `Reasons` has more than the played one."""


@frozen
class Naming:
    """The texts of a table, the pack's source index, and notes on copies that differ, by language.

    Without an index the pack is not available: everything is shown by its key.
    """

    texts: PackTexts
    notes: Mapping[str, Mapping[str, str]] = field(factory=dict)
    book: SourceIndex | None = None
    _reasons: list[Reasons | None] = field(factory=list, init=False, eq=False)
    _functions: list[ShownFunctions | None] = field(factory=list, init=False, eq=False)

    def reasons(self, table: TableProgram) -> Reasons | None:
        """Return the reasons why decisions leave options out, if the available pack is the one being played."""
        if self.book is None:
            return None
        if not self._reasons:
            self._reasons.append(_reasons(self.book, table))
        return self._reasons[0]

    def functions(self, table: TableProgram) -> ShownFunctions | None:
        """Return the functions that the layout shows, if the available pack is the one being played."""
        if self.book is None:
            return None
        if not self._functions:
            self._functions.append(shown_functions(self.book.program, table))
        return self._functions[0]

    def language(self, wanted: str) -> str:
        """Return the language of the whole session: the wanted one, or the first of a pack without it."""
        return session_language(self.book.program.languages, wanted) if self.book else wanted

    @property
    def layout(self) -> TableLayout | None:
        """The pack's layout of the table."""
        return shown_layout(self.book.program) if self.book else None


def _reasons(book: SourceIndex, table: TableProgram) -> Reasons | None:
    from rulewright.ruleset.lower.lowering import TableError
    from rulewright.ruleset.lower.reasons import lower_reasons
    from rulewright.ruleset.table.canonical import program_hash

    try:
        found = lower_reasons(book.program, table.seats, dict(table.options))
    except TableError:
        return None
    played = evolve(found.table, **{name: getattr(found.table, name)[: len(getattr(table, name))] for name in MORE})
    if table.position is not None:  # initial positions do not matter for reasons
        played = evolve(played, start=table.start, tracks=table.tracks, position=table.position)
    return found if program_hash(played) == program_hash(table) else None


def naming(table: TableProgram, compiled: Compiled | None = None) -> Naming:
    """Return the names of a compiled pack, or none."""
    if compiled is None:
        return Naming(PackTexts(table))
    program = compiled.program
    if table.next_game is not None and program.series is not None:
        program = whole_series(program)
    texts = PackTexts(table, program)
    book = SourceIndex(program, compiled.sources, texts.worked_out)
    notes = {language: copy_notes(program, language) for language in PHRASES}
    return Naming(texts, notes, book)


# ---- The values of the functions that a pack's layout shows, as one seat may see them
#
# The pack is lowered once more, with these functions: the state is the same, and the game that is played
# needs none of them. The check of the layout has decided who sees what
# (`ruleset.check.declarations.display`).

Value = int | bool | str | None
"""A number or truth value; None if the seat may not see it, and empty if it cannot be worked out."""
@frozen
class ShownFunctions:
    """Works out functions in states of one table; `numbers` are those of the functions."""

    table: TableProgram
    placed: tuple[LayoutItem, ...]
    numbers: dict[str, int]
    code: Statements

    def values(self, state: Sequence[int], seat: int) -> dict[str, list[Value]]:
        """Return the values by key: for all seats, as far as this seat may see them, or a single one."""
        found: dict[str, list[Value]] = {}
        for one in self.placed:
            given: list[list[int]] = [[]] if one.shown == "game" else [[each] for each in range(self.table.seats)]
            seen = [one.shown != "owner" or each == [seat] for each in given]
            found[one.key] = [
                self._value(one, state, each) if sees else None for each, sees in zip(given, seen, strict=True)
            ]
        return found

    def _value(self, one: LayoutItem, state: Sequence[int], arguments: list[int]) -> Value:
        cells = array("i", state)
        cells[FUEL] = FUEL_PER_ANSWER
        try:
            value = self.code.call(self.numbers[one.key], arguments, Environment(cells, None))
        except RuleError:
            return ""
        assert isinstance(value, int)
        return bool(value) if one.boolean else value


def shown_functions(program: Program, table: TableProgram) -> ShownFunctions | None:
    """Return the functions that a pack's layout shows at a table; None if there are none, or it is another pack."""
    groups = program.table_layout.groups if program.table_layout is not None else ()
    placed = tuple(one for group in groups for one in group.placed if one.shown)
    if not placed:
        return None
    try:
        more = lower(program, table.seats, dict(table.options), tuple(FUNCTION + one.key for one in placed))
    except TableError:
        return None
    played = evolve(more, **{name: getattr(more, name)[: len(getattr(table, name))] for name in MORE})
    if table.position is not None:  # initial positions do not matter for functions
        played = evolve(played, start=table.start, tracks=table.tracks, position=table.position)
    if program_hash(played) != program_hash(table):
        return None
    numbers = {function.name.removeprefix(FUNCTION): number for number, function in enumerate(more.functions)}
    return ShownFunctions(more, placed, numbers, Statements(more))
