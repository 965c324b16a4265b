"""The names that an option with `some-of` takes, on a command line or in a scenario."""

from __future__ import annotations

from collections.abc import Collection

from ruleset.nearest import nearest
from ruleset.program import Option


def names_of(words: str) -> tuple[str, ...]:
    """The definitions that `bell, whistle` names; `none` names none."""
    return () if words == "none" else tuple(word.strip() for word in words.split(","))


def wrong_names(option: Option, names: tuple[str, ...], known: Collection[str]) -> tuple[str, str] | None:
    """What is wrong with a choice, and what to do; None if it names none, or as many as there must be."""
    for name in names:
        if name not in known:
            near = nearest(name, list(known))
            return f"there is no {option.of} `{name}`", f"did you mean `{near}`?" if near else "see what there is"
    count = len({*names})
    if names and (count != option.high or count < len(names)):
        return f"{option.high} different ones are chosen here, or `none`; not {count}", "name each once"
    return None
