"""Names of things at a table whose program is already known, from its pack if that is found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from attrs import evolve, field, frozen

from rulewright.interpreter.views.narration_messages import PHRASES
from rulewright.ruleset.program.nodes import TableLayout
from rulewright.ruleset.program.series import shown_layout, whole_series
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.ruleset.table.reasons import Reasons
from rulewright.tools.common.display_texts import PackTexts, session_language
from rulewright.tools.common.option_labels import copy_notes
from rulewright.tools.packs.loading import Compiled
from rulewright.tools.packs.source_excerpts import SourceIndex

if TYPE_CHECKING:
    from rulewright.tools.packs.shown_functions import ShownFunctions

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
            from rulewright.tools.packs.shown_functions import shown_functions

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
