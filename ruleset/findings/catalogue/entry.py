"""An entry of the catalogue. Its tables are the modules of this folder; `__init__` joins them."""

from __future__ import annotations

from attrs import frozen

from rulewright.ruleset.common.diagnostic import Severity
from rulewright.ruleset.common.record import Record


@frozen(repr=False)
class Entry(Record):
    """The meaning of a code. The name is in kebab-case; the examples are files or parts of files."""

    code: str
    name: str
    severity: Severity
    title: str
    explanation: str
    example_wrong: str
    example_right: str
