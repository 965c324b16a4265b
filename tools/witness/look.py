"""Search witnesses of findings about the order of packs, and add them to the findings."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from attrs import evolve

from rulewright.ruleset.common.diagnostic import Diagnostic
from rulewright.ruleset.findings.causes import is_error
from rulewright.tools.packs.pack_set import PackSet
from rulewright.tools.witness.looked import OF_ORDER, Looked, Witness
from rulewright.tools.witness.orders import OnlyOne, Orders, both_ways
from rulewright.tools.witness.search import Searched, search
from rulewright.tools.witness.tell import told

_QUOTED = re.compile(r"`[a-z-]+/([^`]+)`")
_WORD = re.compile(r"[a-z0-9-]+")
MOST = 4
"""Limit of findings per run for which a witness is searched."""


def look(
    together: PackSet,
    findings: Sequence[Diagnostic],
    owners: Mapping[str, str],
    most: int = MOST,
) -> Looked:
    """Add witnesses to findings. If packs have other errors there is no game, so nothing is searched."""
    if any(is_error(one) and one.code not in OF_ORDER for one in findings):
        return Looked(tuple(findings))
    about = {one: pair for one in findings if (pair := packs_of(one, owners)) is not None}
    out: list[Diagnostic] = []
    witnesses: list[Witness] = []
    left = tried = 0
    for finding in findings:
        pair = about.get(finding)
        if pair is None:
            out.append(finding)
            continue
        if tried >= most:
            left += 1
            out.append(finding)
            continue
        others = [one for one in about if one != finding]
        games = both_ways(together, finding, others, *pair)
        if games is None:
            out.append(finding)
            continue
        tried += 1
        found: OnlyOne | Searched
        if isinstance(games, OnlyOne):
            found = games
        else:
            found = search(games.programs, about=_definition(finding, others, games))
        whole = evolve(finding, witness=told(found, *pair, finding.message))
        if not isinstance(found, OnlyOne) and found.difference is not None:
            witnesses.append(Witness(whole, *pair, found.difference))
        out.append(whole)
    return Looked(tuple(out), tuple(witnesses), left)


def _definition(finding: Diagnostic, others: Sequence[Diagnostic], games: Orders) -> str:
    """Return the definition that a finding names, if others concern the same documents and only it differs."""
    if not any(one.span == finding.span for one in others):
        return ""
    known = {one.key for one in games.programs[0].definitions}
    named = (word for text in _QUOTED.findall(finding.message) for word in _WORD.findall(text))
    return next((word for word in named if word in known), "")


def packs_of(finding: Diagnostic, owners: Mapping[str, str]) -> tuple[str, str] | None:
    """Return the names of the two packs whose order a finding is about; None for other findings."""
    if finding.code not in OF_ORDER:
        return None
    spans = (finding.span, *(label.span for label in finding.labels))
    packs = sorted({owners[span.path] for span in spans if span.path in owners})
    return (packs[0], packs[1]) if len(packs) == 2 else None
