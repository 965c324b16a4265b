"""The numbers in a bot's document, however it is written, and only their digits change."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.ruleset.source.pack_files import PackFiles
from rulewright.tools.tuning.trials import declares, expressions, numbers_of, with_values

BOTS = """\
bot: one   # 7
text: 8 or 9
answers:
  - choice: "turn.10"
    when: coins > 3 and count(hand where cost <= 12) < 4
    score: {take: 2 * card's cost - 1, leave: 5}  # was 6
  - choice: turn.pay
    prefer: [3]
  - choice: turn.keep
    score: >
      it's cost
      - 20 div
      (2 + rats)
  - choice: turn.lose
    score: 'it''s cost - 11'
  - choice: turn.show
    score: |
      13 - it's cost
  - choice: turn.more
    score: "\\x31\\x34 * it's cost + 15"
---
bot: other
answers: [{choice: turn.10, score: 16}]
"""
VALUES = [3, 12, 4, 2, 1, 5, 20, 2, 11, 13, 15]
"""In the order of the file. Those of other keys, comments and bots are not among them, nor one behind an escape."""


def files(*texts: str) -> PackFiles:
    return PackFiles(Path(), tuple((f"{n}.yaml", text.encode("utf-8")) for n, text in enumerate(texts)))


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_every_number_is_found_where_its_digits_are(mark: str, end: str) -> None:
    text = mark + BOTS.replace("\n", end)
    found = numbers_of(files("pack: p\n", text), "one")
    assert [one.value for one in found] == VALUES
    for one in found:
        assert one.path == "1.yaml" and text[one.start : one.end] == str(one.value)
        assert text[: one.start].count("\n") == one.line - 1


def test_only_digits_change() -> None:
    text = BOTS.replace("\n", "\r\n")
    pack = files(text, "bot: one\nanswers: []\n")
    numbers = numbers_of(pack, "one")
    raised = with_values(pack, numbers, [one.value + 90 for one in numbers])
    news = raised.files[0][1].decode("utf-8")
    assert raised.files[1] == pack.files[1]
    expected = text
    for one in reversed(numbers):
        expected = f"{expected[: one.start]}{one.value + 90}{expected[one.end :]}"
    assert news == expected
    assert [one.value for one in numbers_of(raised, "one")] == [one.value + 90 for one in numbers]
    assert [one.value for one in numbers_of(raised, "other")] == [16]
    assert with_values(pack, numbers, [one.value for one in numbers]) == pack


def test_a_number_behind_an_alias_is_there_once() -> None:
    text = "bot: one\nanswers:\n  - {choice: a, score: &same 2 * it's cost}\n  - {choice: b, score: *same}\n"
    (number,) = numbers_of(files(text), "one")
    assert text[number.start :].startswith("2 * it")


def test_expressions_are_shown_on_one_line_with_all_their_numbers() -> None:
    pack = files(
        "bot: one\nanswers:\n  - choice: a\n    score: |\n      2 * rats\n      + 30\n    when: rats > 4\n"
    )
    numbers = numbers_of(pack, "one")
    shown = [(first.line, before, after) for first, before, after in expressions(numbers, [500, 6, 7])]
    assert shown == [(5, "2 * rats + 30", "500 * rats + 6"), (7, "rats > 4", "rats > 7")]


@pytest.mark.parametrize(("score", "alone"), [("5", True), ("' 5 '", True), ("5 * rats", False)])
def test_a_number_that_is_all_of_a_score_is_known(score: str, alone: bool) -> None:
    (number,) = numbers_of(files(f"bot: one\nanswers:\n  - {{choice: a, score: {score}}}\n"), "one")
    assert number.alone is alone


def test_what_cannot_be_read_has_no_numbers() -> None:
    assert (
        numbers_of(files("bot: one\nanswers: 3\n---\nbot: one\nanswers: [4, {score: [5], when: '6 >'}]\n"), "one")
        == ()
    )


def test_the_file_that_declares_a_bot_is_named() -> None:
    pack = files("pack: p\n", BOTS)
    assert (declares(pack, "other"), declares(pack, "nobody")) == ("1.yaml", None)
