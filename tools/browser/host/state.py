"""What a reader of a table sees, as JSON for other programs."""

from __future__ import annotations

from typing import Any

from attrs import asdict

from rulewright.interpreter.views.view import View
from rulewright.tools.browser.drawing.eyes import SPECTATOR
from rulewright.tools.browser.host.table import HostedTable
from rulewright.tools.display.decision_texts import DecisionTexts

VERSION = 1
"""Of the shape of this JSON: it grows with a change that a program would notice. New keys are no such change."""


def state(table: HostedTable, seat: int) -> dict[str, Any]:
    """Return the view of a seat, or of a spectator, and its open decision with the labels of the options."""
    reader = table.reader(seat)
    view: View = reader.eyes.view()
    seen = asdict(view)
    del seen["seat"], seen["decision"]  # they have forms of their own; parts of the view keep fields of these names
    return {
        "version": VERSION,
        "pack": table.rules.program.pack,
        "language": table.rules.language,
        "seat": None if seat == SPECTATOR else seat,
        "names": [*reader.eyes.names],
        "position": reader.chronicle.position.title,
        **seen,
        "decision": _decision(table, seat),
    }


def _decision(table: HostedTable, seat: int) -> dict[str, Any] | None:
    own = table.course.asked(seat)
    if own is None:
        return None
    eyes = table.reader(seat).eyes
    told = DecisionTexts(eyes.narrator, eyes.naming, eyes.game, own)
    return {
        "stamp": table.stamp(seat),
        "choice": own.choice,
        "question": told.question().strip(),
        "least": own.least,
        "most": own.most,
        "options": [
            {"key": option.key, "count": option.count, "label": label, "tells": told.brief(option)}
            for option, label in zip(told.decision.options, told.labels, strict=True)
        ],
    }
