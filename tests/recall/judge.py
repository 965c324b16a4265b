"""Plant a mistake, check the pack as `rulewright validate` does, and judge the findings.

The findings are those that `validate` prints: errors, and the warnings (lints, too) about the pack itself.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any
from unittest.mock import patch

from attrs import evolve, fields, frozen, has

from rulewright.ruleset import pipeline
from rulewright.ruleset.common.diagnostic import Diagnostic, Span
from rulewright.ruleset.findings.causes import groups
from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.lower.lowering import lower
from rulewright.ruleset.program.nodes import Program
from rulewright.ruleset.source.reader import read
from rulewright.ruleset.table.canonical import program_hash
from rulewright.tools.commands.validate import own
from rulewright.tools.packs import loading as packs
from tests.recall.behaviour import games, scenarios_fail
from tests.recall.mistakes import Mistake
from tests.recall.subjects import Subject, subject

DELETED = "fields"
"""The class in which a change of the rules matters only if games differ: it may leave out what nothing uses."""

_read = lru_cache(maxsize=256)(read)
"""Files that the mistake does not touch are parsed once."""


@frozen
class Outcome:
    """What came of a mistake: the findings as they are shown, those that say the same as one."""

    mistake: Mistake
    shown: tuple[Diagnostic, ...]
    harmless: bool
    """Nothing was found, and the game and its texts are the same as before."""
    tested: bool = False
    """Nothing was found, but the pack's scenarios fail. Only deleted fields ask them: the pack without an optional
    field may be what its author wants, and only the scenarios say that it is not."""

    @property
    def found(self) -> bool:
        return bool(self.shown) or self.tested

    @property
    def first_right(self) -> bool:
        """Whether the first finding is on a line of the mistake."""
        return bool(self.shown) and _right(self.shown[0], self.mistake)


def _right(finding: Diagnostic, mistake: Mistake) -> bool:
    span = finding.span
    return (span.path == mistake.path and span.line in mistake.lines) or (span.path, span.line) == mistake.only_use


def judge(mistake: Mistake) -> Outcome:
    """The outcome of one mistake."""
    whole = subject(mistake.pack)
    loaded = _load(whole, {mistake.path: mistake.planted(whole.sources[mistake.path].text)})
    findings, _ = own(packs.checked(loaded), whole.together)
    harmless = not findings and _same_game(whole, loaded, mistake.klass)
    shown = tuple(group[0] for group in groups(findings, loaded.sources))
    untold = mistake.klass == DELETED and not findings and not harmless and loaded.program is not None
    return Outcome(mistake, shown, harmless, untold and scenarios_fail(loaded.program))


def _load(whole: Subject, changed: dict[str, str]) -> Loaded:
    first, *more = whole.together.asked
    files = tuple((path, changed[path].encode() if path in changed else data) for path, data in first.files)
    together = evolve(whole.together, asked=(evolve(first, files=files), *more))
    with patch.object(pipeline, "read", _read):
        return packs.load_pack_set(together, playable=False, lints=True)


def _same_game(whole: Subject, loaded: Loaded, klass: str) -> bool:
    if loaded.program is None:
        return False
    facts, before = _facts(loaded.program), _original(whole.name)
    if facts == before or klass != DELETED:
        return facts == before
    return facts[1:] == before[1:] and games(loaded.program) == _games(whole.name)


@cache
def _games(name: str) -> tuple[object, ...]:
    program = subject(name).loaded.program
    assert program is not None
    return games(program)


@cache
def _original(name: str) -> tuple[object, ...]:
    program = subject(name).loaded.program
    assert program is not None
    return _facts(program)


def _facts(program: Program) -> tuple[object, ...]:
    """The rules at each number of players, the options, all texts, and what bots and scenarios say."""
    seats = range(program.least_players, program.most_players + 1)
    tables = [lower(program, number, {}) for number in seats]
    hashes = tuple(program_hash(table) for table in tables)
    prompts = tuple(site.prompt for table in tables for site in table.sites)
    beside = meaning((program.bots, program.scenarios))
    return hashes, prompts, program.options, program.texts, beside


def meaning(value: Any) -> object:
    """What a record says, wherever it is written: without places in files and line breaks."""
    if isinstance(value, Span):
        return None
    if isinstance(value, str):
        return " ".join(value.split())
    if isinstance(value, tuple):
        return tuple(map(meaning, value))
    if has(type(value)):
        return type(value).__name__, *(meaning(getattr(value, one.name)) for one in fields(type(value)))
    return value
