"""What a change of the rules did, as data and in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from rulewright.ruleset.common.terminal_text import harmless
from rulewright.ruleset.table.canonical import program_hash
from rulewright.tools.balance.changes import Change, Changes
from rulewright.tools.balance.estimates import Estimate
from rulewright.tools.balance.output.report import Names
from rulewright.tools.balance.output.sentences import LISTED, amount, listed
from rulewright.tools.balance.study import Study

Report = dict[str, Any]
_SAID = (
    ("decisions", "The number of decisions in a game is {}", "larger", "smaller"),
    ("margin", "The best score is {} points", "further ahead", "less far ahead"),
)


def change_report(changes: Changes, before: Study, after: Study, names: tuple[Names, Names]) -> Report:
    """Return the differences as data; `names` are those of both tables. What could not be estimated is null."""
    return {
        "from": _table(before),
        "to": _table(after),
        "games": changes.games,
        "decisions": _estimate(changes.decisions),
        "margin": _estimate(changes.margin),
        "wins": [_estimate(one) for one in changes.wins],
        "measure": after.measure,
        "definitions": [_definition(one, names) for one in changes.definitions],
        "interrupted": before.interrupted or after.interrupted,
    }


def _table(study: Study) -> Report:
    program = study.request.program
    return {
        "pack": program.pack,
        "version": program.version,
        "hash": program_hash(program),
        "options": dict(program.options),
    }


def _definition(one: Change, names: tuple[Names, Names]) -> Report:
    named = names[1] if one.after is not None else names[0]
    return {
        "id": one.subject.name,
        "kind": one.subject.kind,
        "name": harmless(named.definition(one.subject)),
        "rank_before": one.before.rank if one.before is not None else None,
        "rank_after": one.after.rank if one.after is not None else None,
        "before": _estimate(one.effects[0]),
        "after": _estimate(one.effects[1]),
        "difference": _estimate(one.difference),
        "significant": one.significant,
    }


def _estimate(one: Estimate | None) -> Report | None:
    return None if one is None else attrs.asdict(one)


# ------------------------------------------------------------------ sentences

def change_sentences(report: Report) -> list[str]:
    """Return what changed, in sentences: only what chance does not explain."""
    found = [*_definitions(report), *_games(report)]
    return found or ["No difference was found that is larger than chance explains."]


def change_title(report: Report) -> str:
    """Return the heading of the section."""
    before, after = _side(report["from"]), _side(report["to"])
    return (
        f"What the change did: from {before} to {after}" if before != after else f"What the change of {after} did"
    )


def _side(table: Report) -> str:
    return f"{table['pack']} {table['version']}"


def change_rows(report: Report) -> list[Report]:
    """Return the rows of the table as text, with `significant`: those that changed most first."""
    measure = report["measure"]
    return [
        {
            "name": one["name"],
            "was": amount(one["before"], measure, unit=False),
            "is": amount(one["after"], measure, unit=False),
            "more": amount(one["difference"], measure, unit=False),
            "ranks": f"{one['rank_before'] or '–'} → {one['rank_after'] or '–'}",
            "significant": one["significant"],
        }
        for one in report["definitions"]
    ]


def _definitions(report: Report) -> Iterator[str]:
    measure = report["measure"]
    changed = [one for one in report["definitions"] if one["significant"]]
    for one in changed[:LISTED]:
        stronger = "stronger" if one["difference"]["mean"] > 0 else "weaker"
        ranks = one["rank_before"], one["rank_after"]
        place = f", from rank {ranks[0]} to {ranks[1]}" if None not in ranks and ranks[0] != ranks[1] else ""
        yield f"{one['name']} became {stronger}: {amount(one['difference'], measure)}{place}."
    if len(changed) > LISTED:
        yield f"{len(changed) - LISTED} more definitions changed; the table has them."
    for key, says in (("before", "weighed only after the change"), ("after", "weighed only before the change")):
        names = [one["name"] for one in report["definitions"] if one[key] is None]
        if names and len(names) < len(report["definitions"]):
            yield f"{says[0].upper()}{says[1:]}: {listed(names)}."


def _games(report: Report) -> Iterator[str]:
    first = report["wins"][0] if report["wins"] else None
    if first is not None and _sure(first):
        more = "more" if first["mean"] > 0 else "fewer"
        yield f"The first seat wins {more} games: {amount(first, 'win')}."
    for key, says, more, fewer in _SAID:
        one = report[key]
        if one is not None and _sure(one) and round(abs(one["mean"]), 1):  # 0.04 decisions matter to nobody
            low, high = sorted(abs(one[end]) for end in ("low", "high"))
            said = says.format(f"{abs(one['mean']):.1f} ({low:.1f} to {high:.1f})")
            yield f"{said} {more if one['mean'] > 0 else fewer}."


def _sure(one: Report) -> bool:
    return bool(one["low"] > 0 or one["high"] < 0)
