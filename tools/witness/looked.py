"""Results of searching for witnesses. Imports nothing that plays games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from rulewright.ruleset.common.diagnostic import Diagnostic

if TYPE_CHECKING:
    from rulewright.tools.witness.duo import Difference

OF_ORDER = ("RW623", "RW626")
"""Findings about two packs neither of which comes after the other."""


@frozen
class Witness:
    """A witness of a finding about two packs: `first` comes first in the first of the two games."""

    finding: Diagnostic
    first: str
    second: str
    difference: Difference


@frozen
class Looked:
    """The findings with their results, those that have a witness, and the number of findings not searched."""

    findings: tuple[Diagnostic, ...]
    witnesses: tuple[Witness, ...] = ()
    left: int = 0
