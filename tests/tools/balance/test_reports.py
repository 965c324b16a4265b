"""What the report says and shows, in each format; names of packs act nowhere."""

from __future__ import annotations

import copy
import re
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from rulewright.tools.balance.output.markdown import definition_columns, markdown, parts
from rulewright.tools.balance.output.page import html
from rulewright.tools.balance.output.report import ReportNames, names_of, report
from rulewright.tools.balance.output.sentences import headlines
from rulewright.tools.balance.study import study
from rulewright.tools.balance.subjects import subjects
from rulewright.tools.common import output
from rulewright.tools.packs import loading
from tests.tools.balance.test_study import QUARRY, request, studied, whole
from tests.tools.harness import forged

HOSTILE = "<script>x</script> | [a](b) *c* \x1b[2J\n::error::x"

TABLE = {"text": "points ahead", "markdown": "| ---: |", "page": "<tbody>"}
"""Where the table of stones begins."""


@cache
def data(name: str = "The {}") -> dict[str, Any]:
    return report(studied(), ReportNames(lambda one: name.format(one.key), lambda kind: kind))


def shown(form: str, given: dict[str, Any]) -> str:
    if form == "markdown":
        return markdown(given)
    if form == "page":
        return html(given)
    out = StringIO()
    output.write(parts(given), out)
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


def told(report: dict[str, Any], begins: str) -> list[str]:
    return [sentence for sentence in headlines(report) if sentence.startswith(begins)]


def test_the_strongest_and_the_weakest_are_named_with_the_next() -> None:
    """None of three can stand out; that is not called harmless."""
    (said,) = told(data(), "Strongest")
    assert said.startswith("Strongest stone: The marble; a seat that takes it ends 36.")
    assert "Next: The slate, -" in said and "Weakest: The chalk, -" in said
    for form in TABLE:
        assert "stands out" not in shown(form, data()).replace("does not stand out", "")


def test_what_stands_out_is_named_before_the_games() -> None:
    found = copy.deepcopy(data())
    found["definitions"][0]["stands_out"] = "strong"
    (said,) = told(found, "The marble")
    assert said.startswith("The marble is too strong: ") and "The next stone is The slate: -" in said
    assert told(found, "Strongest") == []
    assert headlines(found)[0] == said


def test_a_bot_that_hardly_ever_chooses_a_kind_cannot_judge_it() -> None:
    """Of 1,440 offers 1 is less than 1 %; 15 are more."""
    for chosen, few in ((1, True), (15, False)):
        found = copy.deepcopy(data())
        for number, one in enumerate(found["definitions"]):
            one.update(offered=480, chosen=chosen if number == 0 else 0)
        first, *others = headlines(found)
        assert first.startswith("random hardly ever chooses a stone (1 of 1,440 offers)") == few
        assert any("Better left alone" in sentence for sentence in others) != few


def test_games_that_do_not_count_are_first_with_the_reason() -> None:
    def fault(games: int, how: str, name: str | None = None, code: str | None = "endless") -> dict[str, Any]:
        rule = None if code in ("endless", None) else "step/shift.dig"
        return {"games": games, "how": how, "id": None, "name": name, "code": code, "rule": rule, "place": None}

    found = {**data(), "faults": [
        fault(20, "taken", "Slate"), fault(1400, "nobody", "Marble"), fault(3, "as they are"),
        fault(2, "avoided", "Chalk"), fault(5, "taken", "Slate", "fuel"),
    ]}  # fmt: skip
    assert headlines(found)[:2] == [
        "1,425 games did not end and do not count: 1,400 in which no player takes Marble; "
        "20 in which a seat takes Slate; 3 as all bots play them; 2 for other reasons.",
        "5 games ended with a rule error and do not count: 5 in which a seat takes Slate, fuel in step/shift.dig.",
    ]
    assert told(data(), "0 games") == []


def test_games_without_an_end_are_counted_by_what_was_played(tmp_path: Path) -> None:
    """A game ends once marble was broken: never if no player does. A fifth of 40 worlds are played like that."""
    text = (QUARRY / "pack.yaml").read_text("utf-8").replace("shifts >= 4", "shifts >= 4 and marbles > 0")
    text = text.replace("  shifts: {", "  marbles: {at-least: 0}\n  shifts: {")
    text = text.replace("load += broken's worth", "load += broken's worth\n      if broken is marble: marbles += 1")
    (tmp_path / "pack.yaml").write_text(text, "utf-8")
    table = loading.table(loading.compile_pack(str(tmp_path)).program, 2, ())
    found = report(study(evolve(request(worlds=40), program=table), whole), ReportNames(lambda one: one.key, str))
    (fault,) = [one for one in found["faults"] if one["how"] == "nobody"]
    assert (fault["games"], fault["id"], fault["code"]) == (8, "stone/marble", "endless")
    assert found["games"]["failed"] == sum(one["games"] for one in found["faults"])
    assert "8 in which no player takes marble" in headlines(found)[0]


def test_a_column_in_which_nothing_is_said_is_left_out() -> None:
    found = copy.deepcopy(data())

    def headings(short: bool) -> list[str]:
        return [heading for heading, _ in definition_columns(found["definitions"], found, short)]

    assert headings(short=True) == ["points ahead", "wins, points of 100", "taken"]
    for one in found["definitions"]:
        one.update(chosen=0)
        one["observed"] = {}
    found["ranked_by"] = "win"
    assert headings(short=True) == ["wins, points of 100"]
    assert headings(short=False) == ["wins, points of 100", "wins, as others play it", "games changed"]


def test_the_page_has_names_and_no_ids() -> None:
    text = shown("page", data())
    assert "stone/" not in text and "The marble" in text
