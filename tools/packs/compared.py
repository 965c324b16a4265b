"""Compare packs by name: with and without house rules, for players."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.tools.common.display_texts import session_language
from rulewright.tools.diffs.compare import DiffSide, differences, side
from rulewright.tools.diffs.names import DiffNames
from rulewright.tools.diffs.sheet import ChangeSheet, sheet, tell
from rulewright.tools.packs import loading
from rulewright.tools.packs.pack_set import with_more


def side_of(named: str) -> DiffSide:
    """Return one side of a comparison. Raises Failure if the packs have errors."""
    loaded = loading.load_pack_set(loading.read_pack_set(named, scenarios=False), playable=False)
    if loaded.program is None:
        raise loading.refused(loaded, f"{named} cannot be compared until its errors are fixed")
    return side(named, loaded)


def changes_sheet(base: str, more: Sequence[str], language: str) -> ChangeSheet:
    """Return the sheet of what house rules change for a player."""
    one, two = side_of(base), side_of(with_more(base, more))
    language = session_language(two.loaded.declared.languages, language)
    found = differences(one, two)
    return sheet(one, two, tell(one, two, found, language), DiffNames(one, two, language), None)
