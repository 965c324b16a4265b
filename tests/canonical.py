"""Read canonical texts of table programs, as tests write them."""

from __future__ import annotations

import json
from typing import Any

from rulewright.ruleset.table.canonical import REGISTRY


def loads(text: str) -> Any:
    """The program, or another node, of a canonical text."""
    return node_of(json.loads(text))


def node_of(data: Any) -> Any:
    """The node, tuple or value of canonical data."""
    if isinstance(data, list):
        return tuple(map(node_of, data))
    if isinstance(data, dict):
        ((name, values),) = data.items()
        return REGISTRY[name](*map(node_of, values))
    return data
