"""A report as one HTML file that opens anywhere, without a network."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from rulewright.tools.balance.output import plots
from rulewright.tools.balance.output.change_report import change_rows, change_sentences, change_title
from rulewright.tools.balance.output.markdown import (
    SAYS,
    definition_columns,
    free_rows,
    free_title,
    method,
    pair_rows,
    pair_unit,
    points,
    taken_share,
)
from rulewright.tools.balance.output.sentences import by_group, effect, headlines
from rulewright.tools.pages.environment import STATIC, block, page

Report = dict[str, Any]


def html(report: Report) -> str:
    """Return the page."""
    return html_and_fragment(report)[0]


def html_and_fragment(report: Report) -> tuple[str, str]:
    """Return the page, and what it shows below its title, for another page that has `balance.css`."""
    values = _values(report)
    style = Markup((STATIC / "balance.css").read_text("utf-8"))
    return page("balance.html", style=style, **values), block("balance.html", "report", **values)


def _values(report: Report) -> dict[str, Any]:
    seats = plots.seats(report)
    return {
        "title": f"Balance of {report['pack']} {report['version']}",
        "headlines": headlines(report),
        "report": report,
        "seats": None if seats is None else Markup(seats),
        "kinds": [_kind(list(group), report) for _, group in by_group(report)],
        "choices": [_choice(one, report) for one in report["choices"]],
        "change": _change(report["change"]),
        "free": None if report["free"] is None else {"title": free_title(report), "rows": free_rows(report)},
        "pairs": pair_rows(report),
        "pair_unit": pair_unit(report),
        "method": method(report),
    }


def _change(change: Report | None) -> Report | None:
    if change is None:
        return None
    drawn = plots.differences(change["definitions"], change["measure"])
    return {
        "title": change_title(change),
        "sentences": change_sentences(change),
        "plot": None if drawn is None else Markup(drawn),
        "rows": change_rows(change),
    }


def _kind(own: list[Report], report: Report) -> dict[str, Any]:
    drawn = plots.effects(own, report["ranked_by"])
    names = ", ".join(f"{one['rank']}. {one['name']}" for one in own)
    columns = definition_columns(own, report)
    return {
        "name": own[0]["kind_name"],
        "plot": None if drawn is None else Markup(drawn),
        "spoken": f"Effect of taking each {own[0]['kind_name']}, the strongest first: {names}. See the table.",
        "headings": [heading for heading, _ in columns],
        "rows": [
            {
                **one,
                "cells": [cells[place] for _, cells in columns],
                "out": SAYS[one["stands_out"]] if one["stands_out"] else "",
            }
            for place, one in enumerate(own)
        ],
    }


def _choice(one: Report, report: Report) -> dict[str, Any]:
    return {
        **one,
        "share": taken_share(one),
        "points": points(one["taken"], report),
        "wins": effect(one["taken"], "win", unit=False),
    }
