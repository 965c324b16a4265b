"""A saved pack at a running table: go on under its rules, or say why not.

The reply has a `state`:

- `unchanged`: the files are what the table plays; `same`: the same rules, perhaps other texts;
- `fits`: the game goes on under the new rules; `gone-on`: it does, but only from the answer that no longer fitted;
- `differs`: an answer no longer fits; `broken`: the pack has mistakes; `unread`, `no-table`, `no-start`: the game
  cannot be played by the new rules. In these states the old rules stay in force.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from rulewright.interpreter.game.game import RuleFault
from rulewright.interpreter.game.journal import Divergence
from rulewright.ruleset.common.terminal_text import harmless
from rulewright.ruleset.program.nodes import Program
from rulewright.ruleset.source.pack_files import pack_file
from rulewright.ruleset.table.canonical import program_hash
from rulewright.tools.browser.drawing.eyes import SPECTATOR
from rulewright.tools.browser.host.findings import findings
from rulewright.tools.browser.host.kept_files import packed
from rulewright.tools.browser.host.packs import Rules, folders
from rulewright.tools.browser.host.requests import Host, Request
from rulewright.tools.browser.host.spec import TableSpec
from rulewright.tools.browser.host.table import HostedTable
from rulewright.tools.browser.words import words_of
from rulewright.tools.common.errors import Failure
from rulewright.tools.common.untrusted import bounded
from rulewright.tools.packs.loading import Refused
from rulewright.tools.playing.kept_rules import WORDS, difference


def _renew(host: Host, request: Request) -> Any:
    """Play a table by its pack as it is now.

    `known` are the seats whose answers the table's owner knows. With `program`, the game also goes on if answers do
    not fit, from the first of them, provided that these are the rules that the owner was asked about.
    """
    table = host.table(request)
    language = table.rules.language
    words = WORDS[language if language in WORDS else "en"]
    try:
        compiled = host.shelf.compiled(table.spec.pack, table.spec.more, table.spec.scenario is not None)
    except Refused as refused:
        found = refused.found
        return {"state": "broken", "findings": findings(found.findings, found.sources), "lines": [words["broken"]]}
    except Failure as failure:
        return {"state": "unread", "lines": [words["unread"].format(why=_unread(table.spec, failure, language))]}
    try:
        rules = host.shelf.rules(table.spec)
    except Failure as failure:
        why = _no_table(table.spec, compiled.program, failure, language)
        return {"state": "no-table", "lines": [words["no-table"].format(why=why)]}
    if rules is table.rules:
        return {"state": "unchanged", "lines": [], **_state(table)}
    if program_hash(rules.program) == program_hash(table.rules.program):
        table.reword(rules)
        return {"state": "same", "lines": [words["same"]], **_state(table)}
    return _under(table, rules, request, words)


def _unread(spec: TableSpec, failure: Failure, language: str) -> str:
    """Say why packs cannot be read."""
    gone = next((one for one in (spec.pack, *spec.more) if pack_file(Path(one)) is None), None)
    if gone is None or not Path(gone).is_absolute():
        return _told(failure, language)
    return words_of(language)["no-pack-there"].format(folder=harmless(gone))


def _no_table(spec: TableSpec, program: Program, failure: Failure, language: str) -> str:
    """Say why packs cannot be played at a table."""
    least, most, seats = program.least_players, program.most_players, len(spec.seats)
    if least <= seats <= most:
        return _told(failure, language)
    return words_of(language)["pack-for-others"].format(least=least, most=most, n=seats)


def _told(failure: Failure, language: str) -> str:
    """Return a message in a language; one that is only there in English says so."""
    if not isinstance(failure.spoken, str):
        return failure.told(language)
    return words_of(language)["only-in-english"].format(why=failure.told(language))


def _under(table: HostedTable, rules: Rules, request: Request, words: dict[str, str]) -> dict[str, Any]:
    """Replay the journal under new rules, and adopt them if it fits or the owner goes on anyway."""
    lines = table.entries(0)
    accepted = str(request.get("program", "")) == program_hash(rules.program)
    try:
        other, wrong = _replayed(table, rules, lines)
    except RuleFault as fault:
        why = fault.spoken.text(rules.language)
        return {"state": "no-start", "lines": [words["no-start"].format(why=why)]}
    fitting = other.course.answers
    if wrong is not None and not accepted:
        journal = table.course.game.journal
        seat = journal.entries[fitting].seat
        names = table.reader(SPECTATOR).eyes.names
        revealing = seat in request.get("known", ())
        told = difference(journal, fitting, other.course.game, wrong, names, rules.language, revealing)
        return {"state": "differs", "lines": told, "fitting": fitting, "program": program_hash(rules.program)}
    if wrong is not None:
        other, _ = _replayed(table, rules, lines[:fitting])
    table.adopt(other)
    if wrong is not None:
        return {"state": "gone-on", "lines": [words["gone-on"].format(n=fitting + 1)], **_state(table)}
    return {"state": "fits", "lines": [words["fits"].format(n=fitting)], **_state(table)}


def _replayed(
    table: HostedTable, rules: Rules, lines: list[str]
) -> tuple[HostedTable, Divergence | RuleFault | None]:
    """Replay answers under other rules; return the table with those that fit, and why the next one does not."""
    other = HostedTable(table.spec, rules, table.epoch)
    try:
        with bounded():
            other.recall(lines)
    except (Divergence, RuleFault) as wrong:
        return other, wrong
    return other, None


def _state(table: HostedTable) -> dict[str, Any]:
    return {
        "status": table.status(), "program": program_hash(table.rules.program),
        "folders": folders(table.rules.compiled), "files": packed(table.rules.compiled.packs),
    }  # fmt: skip


RENEWING_REQUESTS: dict[str, Callable[[Host, Request], Any]] = {"renew": _renew}
