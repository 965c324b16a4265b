"""What came of looking for witnesses. Nothing that plays games is imported here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from ruleset.common.diagnostic import Diagnostic

if TYPE_CHECKING:
    from tools.witness.duo import Difference

OF_ORDER = ("RW623", "RW626")
"""Findings about two packs of which neither comes after the other."""


@frozen
class Witness:
    """A witness of a finding about two packs: `first` comes first in the first of the two games."""

    finding: Diagnostic
    first: str
    second: str
    difference: Difference


@frozen
class Looked:
    """The findings, each with what was found; those that have a witness, and how many were not looked at."""

    findings: tuple[Diagnostic, ...]
    witnesses: tuple[Witness, ...] = ()
    left: int = 0
