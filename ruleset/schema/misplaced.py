"""Find out whether an unknown key would be known one level further in or out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import Any

from rulewright.ruleset.schema.keywords import is_unknown

_NO_KEY = "no-such-key"


def is_misplaced(whole: Any, path: Sequence[str | int], key: str, validator: Any) -> bool:
    """Whether the key of the mapping at `path` would be known if it was indented differently, in `whole`."""
    before = _unknown(validator, whole)
    for moved, nonsense in _moved(whole, path, key):
        known = _unknown(validator, moved)
        if known < before and _unknown(validator, nonsense) > known:  # a mapping that takes any key proves nothing
            return True
    return False


def _unknown(validator: Any, value: Any) -> int:
    """Count the errors about unknown keys, and the unknown keys in them."""
    return sum(error.message.count("'") for error in _all(validator.iter_errors(value)) if is_unknown(error))


def _all(errors: Any) -> Iterator[Any]:
    for error in errors:
        yield error
        yield from _all(error.context or ())


def _moved(whole: Any, path: Sequence[str | int], key: str) -> Iterator[tuple[Any, Any]]:
    """Yield the document with the key moved outwards and inwards, each also with an impossible key instead."""
    targets = [path[:-1]] if path and isinstance(path[-1], str) else [path[:-2]] if len(path) > 1 else []
    holder = _at(whole, path)
    before = list(holder)[: list(holder).index(key)]
    if before and isinstance(holder[before[-1]], dict):
        targets.append((*path, before[-1]))
    for target in targets:
        if not isinstance(_at(whole, target), dict) or key in _at(whole, target):
            continue
        copies = deepcopy(whole), deepcopy(whole)
        for copied, name in zip(copies, (key, _NO_KEY), strict=True):
            _at(copied, target)[name] = _at(copied, path).pop(key)
        yield copies


def _at(whole: Any, path: Sequence[str | int]) -> Any:
    for part in path:
        whole = whole[part]
    return whole
