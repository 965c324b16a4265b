"""What of packs no longer applies under others that their authors do not know, and how that is reported.

What is skipped, and why, is found by `ruleset.check.house_rules.strangers`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from attrs import frozen

from ruleset.common.diagnostic import Diagnostic
from ruleset.common.record import Record
from ruleset.common.span import Span

Category = Literal["scenario", "bot line", "prompt", "layout line"]
"""A scenario and a prompt are skipped as a whole; of a bot and of a layout only the line that no longer applies."""

CATEGORIES: tuple[Category, ...] = ("scenario", "bot line", "prompt", "layout line")
MOST_REASONS = 3
"""Changes that one line names."""


@frozen(repr=False)
class Skipped(Record):
    """`name` is the title of a scenario, or the key of a bot, prompt, or layout; `finding` what is wrong with it.

    `by` are the packs that cause it: several where it cannot be told which. `at` is the change, or the name of the
    pack where no single change can be told; `reason` says it in words.
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
        """As `Scenario.matches`."""
        return words.lower() in f"{self.name} {self.source}".lower()


def notes(of: Iterable[Skipped]) -> Iterator[str]:
    """One line for each pack: how much of it is skipped, and why."""
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
