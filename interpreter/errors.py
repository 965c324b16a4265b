"""Rule errors: what can go wrong while a checked game runs. They are findings about a pack."""

from __future__ import annotations

CODES: tuple[str, ...] = (
    "overflow",
    "zero-division",
    "absent",
    "bounds",
    "full",
    "fuel",
    "stack",
    "endless",
)
"""Codes that backends raise by themselves; `endless` only where bots play (`policies.MOST_ANSWERS`). A `Fail`
statement may name others."""


class RuleError(Exception):
    """A rule could not be carried out.

    `code` says why, `at` is the number of the rule's place in `TableProgram.sources`. The state in which it
    was raised is half changed: whoever runs a game keeps the state before the answer and goes back to it.
    """

    def __init__(self, code: str, at: int) -> None:
        super().__init__(code, at)
        self.code = code
        self.at = at

    def __str__(self) -> str:
        return f"rule error {self.code} at source {self.at}"
