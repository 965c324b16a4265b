"""Parts of packs that no longer apply because of packs unknown to their authors, and notes about them.

`ruleset.check.house_rules.strangers` finds what is skipped, and why.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, get_args

from attrs import frozen

from rulewright.ruleset.common.diagnostic import Diagnostic, Span
from rulewright.ruleset.common.record import Record

Category = Literal["scenario", "bot line", "prompt", "layout line", "face line", "expect line"]
"""Scenarios and prompts are skipped as a whole; elsewhere only the affected line is skipped."""

CATEGORIES: tuple[Category, ...] = get_args(Category)
MOST_REASONS = 3
"""Limit of changes named in one line."""


@frozen(repr=False)
class Skipped(Record):
    """A skipped part of a pack.

    `name` is the title of a scenario or the key of another document; `finding` is the error. `by` are
    the packs that cause it, several if it cannot be narrowed down. `at` is the change, or the name of the pack if
    no single change is known; `reason` describes it.
    """

    category: Category
    name: str
    source: str
    span: Span
    pack: str
    finding: Diagnostic
    by: tuple[str, ...]
    reason: str
    at: Span

    def matches(self, words: str) -> bool:
        """See `Scenario.matches`."""
        return words.lower() in f"{self.name} {self.source}".lower()


def notes(of: Iterable[Skipped]) -> Iterator[str]:
    """Yield a line for each pack: how much of it is skipped, and why."""
    by_pack: dict[str, list[Skipped]] = {}
    for one in of:
        by_pack.setdefault(one.pack, []).append(one)
    for pack, several in by_pack.items():
        counted = [(category, sum(one.category == category for one in several)) for category in CATEGORIES]
        parts = [f"{number} {category}{'s' * (number > 1)}" for category, number in counted if number]
        listed = f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else parts[0]
        reasons = list(dict.fromkeys(one.reason for one in several))
        more = "; …" if len(reasons) > MOST_REASONS else ""
        yield f"{listed} of {pack} skipped: {'; '.join(reasons[:MOST_REASONS])}{more}"
