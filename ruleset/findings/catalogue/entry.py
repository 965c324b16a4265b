"""One code of the catalogue. The tables are in `catalogue_*`, the whole in `catalogue`."""

from __future__ import annotations

from attrs import frozen

from ruleset.common.diagnostic import Severity
from ruleset.common.record import Record


@frozen(repr=False)
class Entry(Record):
    """What a code means. The name is kebab-case; the examples are files or parts of files."""

    code: str
    name: str
    severity: Severity
    title: str
    explanation: str
    example_wrong: str
    example_right: str
