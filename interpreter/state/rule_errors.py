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
"""Codes that backends raise by themselves, `endless` only in games between bots. `Fail` may name others."""
MOST_ANSWERS = 20_000
"""How often a game between bots may ask, whether there is a choice or not; several seats asked at once count once.
The next time it is a rule error `endless` at the place of the decision. Games with people have no such limit."""


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
