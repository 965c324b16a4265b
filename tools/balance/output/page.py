"""A report as one HTML file that opens anywhere, without a network."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import altair as alt
import vl_convert
from markupsafe import Markup

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
from rulewright.tools.balance.output.sentences import (
    by_group,
    change_rows,
    change_sentences,
    change_title,
    effect,
    headlines,
)
from rulewright.tools.pages.environment import STATIC, block, page

# ---- Plots as SVG, drawn without network access and readable in black and white

Report = dict[str, Any]
WIDTHS = {"plot-wide": 520, "plot-narrow": 250}
"""The widths in pixels in which a plot is drawn, by the class of its SVG: pages show the one that fits."""
ROW = 22
"""Height of a row in pixels."""
INK, FAINT = "#1d1d1f", "#8a8a8f"
_HEIGHT = re.compile(r' height="[0-9.]+"')


def effects(own: Sequence[Report], measure: str) -> str | None:
    """Plot the effect of taking each definition of a kind, with its interval: the strongest first.

    Those that stand out are filled; the others are open circles. None if there is nothing to plot.
    """
    unit = "percentage points of wins" if measure == "win" else "points further ahead than when it is avoided"
    shown = [one for one in own if measure in one["taken"]]
    values = [(one["taken"][measure], one["stands_out"] in ("strong", "weak")) for one in shown]
    return _intervals(shown, values, measure, unit)


def differences(own: Sequence[Report], measure: str) -> str | None:
    """Plot by how much the effect of taking each definition differs; significant ones are filled."""
    unit = "difference in percentage points of wins" if measure == "win" else "difference in points"
    shown = [one for one in own if one["difference"] is not None]
    return _intervals(shown, [(one["difference"], one["significant"]) for one in shown], measure, unit)


def _intervals(own: Sequence[Report], values: Sequence[tuple[Report, bool]], measure: str, unit: str) -> str | None:
    """Plot a number with its interval for each of some named things."""
    scale = 100 if measure == "win" else 1
    rows = [
        {
            "name": name,
            **{key: scale * value[key] for key in ("mean", "low", "high")},
            "out": "stands out" if out else "does not stand out",
        }
        for name, (value, out) in zip(_labels(own), values, strict=True)
    ]
    if not rows:
        return None
    order = [row["name"] for row in rows]
    base = _chart(rows).encode(y=alt.Y("name:N", sort=order, title=None))
    zero = _chart([{"at": 0}]).mark_rule(color=FAINT, strokeDash=[4, 3]).encode(x="at:Q")
    lines = base.mark_rule(color=INK, strokeWidth=1.6).encode(x=alt.X("low:Q", title=unit), x2="high:Q")
    scale_of_dots = alt.Scale(domain=["stands out", "does not stand out"], range=[INK, "#ffffff"])
    dots = base.mark_point(shape="circle", size=70, filled=True, stroke=INK, strokeWidth=1.6, opacity=1).encode(
        x="mean:Q", fill=alt.Color("out:N", scale=scale_of_dots, legend=None)
    )
    return _svg(alt.layer(zero, lines, dots), len(rows))


def _labels(own: Sequence[Report]) -> list[str]:
    """Return a label of each definition; no two are equal."""
    count = Counter(one["name"] for one in own)
    return [one["name"] if count[one["name"]] == 1 else f"{one['name']} ({one['id']})" for one in own]


def seats_plot(report: Report) -> str | None:
    """Plot the share of games that each seat wins, with its interval. None if no game ended."""
    rows = [{**one, "name": f"seat {one['seat']}"} for one in report["seats"]]
    if not rows:
        return None
    scale = alt.Scale(domain=[0, max(one["high"] for one in rows) * 1.05])
    base = _chart(rows).encode(y=alt.Y("name:N", sort=None, title=None))
    lines = base.mark_rule(color=INK, strokeWidth=1.6).encode(
        x=alt.X("low:Q", title="share of games won", scale=scale, axis=alt.Axis(format=".0%")), x2="high:Q"
    )
    dots = base.mark_point(shape="circle", size=70, filled=True, color=INK, opacity=1).encode(x="share:Q")
    return _svg(alt.layer(lines, dots), len(rows))


def _chart(rows: Sequence[Report]) -> alt.Chart:
    return alt.Chart(alt.InlineData(values=list(rows)))


def _svg(chart: Any, rows: int) -> str:
    """Return a chart as SVG in each of `WIDTHS`, which pages can shrink; the page's own font is used."""
    return "".join(_drawn(chart.properties(width=width, height=ROW * rows), name) for name, width in WIDTHS.items())


def _drawn(chart: Any, name: str) -> str:
    config = {"font": "sans-serif", "view": {"stroke": None}, "axis": {"labelFontSize": 12, "titleFontSize": 12}}
    drawn = vl_convert.vegalite_to_svg({**chart.to_dict(), "config": config}, allowed_base_urls=[])
    return _HEIGHT.sub("", str(drawn).replace('class="marks"', f'class="{name}"', 1), count=1)


# ---- Page

def html(report: Report) -> str:
    """Return the page."""
    return html_and_fragment(report)[0]


def html_and_fragment(report: Report) -> tuple[str, str]:
    """Return the page, and what it shows below its title, for another page that has `balance.css`."""
    values = _values(report)
    style = Markup((STATIC / "balance.css").read_text("utf-8"))
    return page("balance.html", style=style, **values), block("balance.html", "report", **values)


def _values(report: Report) -> dict[str, Any]:
    seats = seats_plot(report)
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
    drawn = differences(change["definitions"], change["measure"])
    return {
        "title": change_title(change),
        "sentences": change_sentences(change),
        "plot": None if drawn is None else Markup(drawn),
        "rows": change_rows(change),
    }


def _kind(own: list[Report], report: Report) -> dict[str, Any]:
    drawn = effects(own, report["ranked_by"])
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
