"""Rule errors: failures of a checked game at run time. They are findings about a pack."""

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
"""Codes that backends raise by themselves, `endless` only in games between bots. `Fail` may name others."""


class RuleError(Exception):
    """A rule that could not be carried out.

    `code` is the reason, `at` the number of the rule's place in `TableProgram.sources`. The state is left half
    changed: a caller that continues must restore the state before the answer.
    """

    def __init__(self, code: str, at: int) -> None:
        super().__init__(code, at)
        self.code = code
        self.at = at

    def __str__(self) -> str:
        return f"rule error {self.code} at source {self.at}"
