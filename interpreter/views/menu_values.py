"""Raw values of menu options, taken apart: their branches, their members, and the cards among these."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.ruleset.table.nodes import Site


def unfold(site: Site, value: int) -> tuple[int, tuple[int, ...]]:
    """Split a menu value into the number of its branch and its members."""
    branch = value % len(site.branches)
    code, members = value // len(site.branches), []
    for radix in site.branches[branch].radix:
        members.append(code % radix)
        code //= radix
    return branch, tuple(members)


def fold_option(site: Site, branch: int, members: Sequence[int]) -> int:
    """Return the menu value of a branch and its members: the inverse of `unfold`."""
    code = 0
    for member, radix in zip(reversed(members), reversed(site.branches[branch].radix), strict=True):
        code = code * radix + member
    return branch + len(site.branches) * code


def cards_of_answer(site: Site, values: Sequence[int]) -> list[int]:
    """Return the cards that the values of an answer name."""
    if site.of == "card":
        return [value for value in values if value >= 0]
    cards: list[int] = []
    for value in values if site.of == "menu" else ():
        branch, members = unfold(site, value)
        named = zip(site.branches[branch].members, members, strict=True)
        cards.extend(member for of, member in named if of == "card")
    return cards
