"""What the report says and shows, in each format; names of packs act nowhere."""

from __future__ import annotations

import copy
import re
from functools import cache
from io import StringIO
from typing import Any

import pytest

from tests.tools.balance.test_study import studied
from tests.tools.harness import forged
from tools.balance.asked import names_of
from tools.balance.output.markdown import markdown
from tools.balance.output.page import html
from tools.balance.output.report import Names, report
from tools.balance.output.sentences import headlines
from tools.balance.output.terminal import parts
from tools.balance.subjects import subjects
from tools.common import plain_table
from tools.packs import loading

HOSTILE = "<script>x</script> | [a](b) *c* \x1b[2J\n::error::x"

TABLE = {"text": "points ahead", "markdown": "| ---: |", "page": "<tbody>"}
"""Where the table of stones begins."""


@cache
def data(name: str = "The {}") -> dict[str, Any]:
    return report(studied(), Names(lambda one: name.format(one.key), lambda kind: kind))


def shown(form: str, given: dict[str, Any]) -> str:
    if form == "markdown":
        return markdown(given)
    if form == "page":
        return html(given)
    out = StringIO()
    plain_table.write(parts(given), out)
    return out.getvalue()


def test_definitions_are_ranked_within_their_kind() -> None:
    found = [(one["id"], one["rank"], one["stands_out"]) for one in data()["definitions"]]
    assert found == [("stone/marble", 1, None), ("stone/slate", 2, None), ("stone/chalk", 3, None)]
    for one in data()["definitions"]:
        lead = one["taken"]["lead"]
        assert lead["low"] < lead["mean"] < lead["high"]


@pytest.mark.parametrize("form", ["text", "markdown", "page"])
def test_every_format_names_all_definitions_in_their_order(form: str) -> None:
    text = shown(form, data())
    table = text[text.index(TABLE[form]) :]
    places = [table.index(f"The {key}") for key in ("marble", "slate", "chalk")]
    assert places == sorted(places)


@pytest.mark.parametrize("form", ["text", "markdown", "page"])
def test_names_of_a_pack_act_nowhere(form: str) -> None:
    text = shown(form, data(f"{HOSTILE} {{}}"))
    if form == "page":
        assert "<script" not in text and "\x1b" not in text
    elif form == "text":
        assert "\x1b" not in text and forged(text) == []
    else:
        assert not re.search(r"(?<!\\)[<\[*]script|(?<!\\)\[a\]|(?<!\\)\*c", text)


@pytest.mark.parametrize("form", ["text", "markdown", "page"])
def test_a_run_that_was_stopped_says_what_that_means(form: str) -> None:
    early = {**data(), "interrupted": True, "preliminary": False}
    cases = {
        "what was played until then": early,
        "preliminary": {**early, "preliminary": True},
        "there are no estimates yet": {**early, "preliminary": True, "definitions": [], "pairs": [], "seats": []},
    }
    for said, given in cases.items():
        text = " ".join(shown(form, given).split())
        assert said in text
        assert "No game came to an end" not in text
        assert said not in shown(form, data())


def test_the_page_loads_nothing() -> None:
    assert not re.search(r"""(src|href)=|url\(|@import""", shown("page", data()))


def test_equal_names_are_told_apart_in_the_plot() -> None:
    drawn = shown("page", data("Stone"))
    assert "Stone (stone/slate)" in drawn


@pytest.mark.parametrize("form", ["text", "markdown", "page"])
def test_what_is_worth_more_at_no_cost_comes_first(form: str) -> None:
    """Marble is worth 36 as it is; slate gains most."""
    at = {"mean": 40.0, "low": 39.0, "high": 41.0, "p": 0.0}
    free = {"field": "price", "definitions": {f"stone/{key}": {"lead": at} for key in ("marble", "slate")}}
    text = " ".join(shown(form, data() | {"free": free}).split())
    shown_part = text[text.index("With a price of 0") :]
    assert shown_part.index("The slate") < shown_part.index("The marble")
    assert "+40.0 points (+39.0 to +41.0)" in shown_part


def test_a_definition_has_its_name_for_one() -> None:
    program = loading.compile_pack("rattus-cartus").program
    names = names_of(loading.table(program, 2, ()), program)
    assert {names.definition(one) for one in subjects(loading.table(program, 2, ()), ("wild", "special"))} == {
        "joker", "Sword", "Flute", "Safe-conduct", "Gold",
    }  # fmt: skip


def test_pairs_are_told_in_the_order_of_groups() -> None:
    """Those of the group that is ranked first come first, even if another synergy is larger."""
    found = copy.deepcopy(data())
    found["definitions"][2]["group"] = "others"
    marble, slate, chalk = (one["id"] for one in found["definitions"])
    found["pairs"] = [
        {"ids": [chalk, "stone/more"], "names": ["A", "B"], "says": "together", "beyond": {"mean": 9.0}},
        {"ids": [marble, slate], "names": ["C", "D"], "says": "together", "beyond": {"mean": 2.0}},
    ]
    assert "Belong together: C and D; A and B." in headlines(found)


def test_parts_of_shared_wins_add_up_to_all_games() -> None:
    seats = data()["seats"]
    assert sum(one["share"] for one in seats) == pytest.approx(1.0)
    assert sum(one["wins"] for one in seats) > data()["games"]["summed_up"]
