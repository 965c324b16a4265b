"""The numbers that people type for options: their places, or the numbers that they offer."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.interpreter.views.options import Option


def numbers_of(options: Sequence[Option], labels: Sequence[str]) -> list[int]:
    """Return the number of each option.

    If each option offers a number and its label ends with it ("Bid 0", "Bid 1"), these are the numbers, so that
    nobody bids 1 by typing 2. Otherwise options are counted from 1.
    """
    offered = [option.key.rpartition(":")[2] for option in options]
    ends = all(
        key.isascii() and key.isdigit() and label.split()[-1:] == [key]
        for key, label in zip(offered, labels, strict=True)
    )
    if ends and len(set(offered)) == len(offered):
        return [int(key) for key in offered]
    return list(range(1, len(options) + 1))
