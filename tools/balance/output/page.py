"""A report as one HTML file that opens anywhere, without a network."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from tools.balance.output import plots
from tools.balance.output.change_report import change_rows, change_sentences, change_title
from tools.balance.output.markdown import correlation, free_rows, free_title, method, pair_rows, pair_unit, points
from tools.balance.output.sentences import by_group, effect, headlines
from tools.pages.environment import STATIC, block, page

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
        "choices": [_choice(one) for one in report["choices"]],
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
    return {
        "name": own[0]["kind_name"],
        "choice": own[0]["choice"],
        "plot": None if drawn is None else Markup(drawn),
        "spoken": f"Effect of taking each {own[0]['kind_name']}, the strongest first: {names}. See the table.",
        "rows": [_row(one) for one in own],
    }


def _row(one: Report) -> dict[str, Any]:
    return {
        **one,
        "points": points(one["taken"]),
        "wins": effect(one["taken"], "win", unit=False),
        "as_is_points": points(one["as_is"]),
        "correlation": correlation(one),
        "share": f"{one['chosen'] / one['offered']:.0%}" if one["offered"] else "–",
        "changed": f"{one['taken']['changed']:.0%}",
        "out": {"strong": "too strong", "weak": "too weak"}.get(one["stands_out"] or "", ""),
    }


def _choice(one: Report) -> dict[str, Any]:
    return {
        **one,
        "share": f"{one['chosen'] / one['offered']:.0%}" if one["offered"] else "–",
        "points": points(one["taken"]),
        "wins": effect(one["taken"], "win", unit=False),
    }
