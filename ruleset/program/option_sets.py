"""The names chosen by an option with `some-of`, on a command line or in a scenario."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from rulewright.ruleset.common.listing import listed
from rulewright.ruleset.common.nearest import nearest
from rulewright.ruleset.program.nodes import Definition, Option, Program


def names_of(words: str) -> tuple[str, ...]:
    """Parse `bell, whistle` into names of definitions; `none` gives an empty tuple."""
    return () if words == "none" else tuple(word.strip() for word in words.split(","))


def option_numbers(program: Program, named: Iterable[tuple[str, str]]) -> dict[str, int]:
    """Return the options of a table as numbers, from the names and values that it keeps."""
    known, words = {one.key: one for one in program.options}, dict(named)
    numbers = {}
    for key, option in known.items():
        word = words.get(key)
        if word is None:
            numbers[key] = option.default
        elif option.some:
            chosen = names_of(word)
            numbers[key] = sum(1 << n for n, one in enumerate(program.definitions) if one.key in chosen)
        else:
            numbers[key] = option.members.index(word) if option.members else int(word)
    return numbers


def choosable(option: Option, definitions: Iterable[Definition]) -> tuple[str, ...]:
    """Return the names that can be chosen, in the pack's order."""
    names = tuple(one.key for one in definitions if one.kind == option.of)
    return names if option.among is None else tuple(name for name in names if name in option.among)


def wrong_names(option: Option, names: tuple[str, ...], known: Collection[str]) -> tuple[str, str] | None:
    """Return message and hint for an invalid choice; None if it is empty, or has the required number of names."""
    can = list(known) if option.among is None else [name for name in known if name in option.among]
    for name in names:
        if name not in known:
            near = nearest(name, can)
            hint = f"did you mean `{near}`?" if near else f"choose from {listed(can) or '`none`'}"
            return f"there is no `{option.of}` called `{name}`", hint
        if name not in can:
            message = f"`{name}` cannot be chosen here: expected a `{option.of}` where `{option.where}`"
            return message, f"choose from {listed(can) or '`none`'}"
    count = len({*names})
    if names and (count != option.high or count < len(names)):
        return f"expected {option.high} different names or `none`, found {count}", "name each once"
    return None
