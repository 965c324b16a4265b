"""Messages: parsing, errors with places, and formatting."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.ruleset.table.message import MessageError, NamedValue, format_message, parse, problems

CARDS = "{n, plural, =0 {no cards} one {a card} other {# cards}}"
CARTAS = "{n, plural, =0 {ninguna carta} one {una carta} other {# cartas}}"
NESTED = "{who, select, you {You draw {n, plural, one {one} other {#}}} other {{who} draws {n}}}"


@pytest.mark.parametrize(
    ("text", "values", "expected"),
    [
        ("plain", {}, "plain"),
        ("{who} draws", {"who": "Ana"}, "Ana draws"),
        ("{ who }", {"who": "Ana"}, "Ana"),
        (CARDS, {"n": 0}, "no cards"),
        (CARDS, {"n": 1}, "a card"),
        (CARDS, {"n": 12}, "12 cards"),
        (NESTED, {"who": "you", "n": 1}, "You draw one"),
        (NESTED, {"who": "you", "n": 3}, "You draw 3"),
        (NESTED, {"who": "Ana", "n": 3}, "Ana draws 3"),
        ("Ana's turn", {}, "Ana's turn"),
        ("Ana''s turn", {}, "Ana's turn"),
        ("'{'who'}' is {who}", {"who": "Ana"}, "{who} is Ana"),
        ("'{it''s}'", {}, "{it's}"),
        ("# is text", {}, "# is text"),
        ("{n, plural, other {'#' is #}}", {"n": 4}, "# is 4"),
        ("{a, plural, other {{b, plural, other {#}} of #}}", {"a": 5, "b": 2}, "2 of 5"),
        ("{k, select, a-b {x} other {y}}", {"k": "a-b"}, "x"),
        (CARDS, {"n": "…"}, "… cards"),
        ("", {}, ""),
    ],
)
def test_format(text: str, values: dict[str, int | str], expected: str) -> None:
    assert format_message(parse(text), values) == expected


@pytest.mark.parametrize(("number", "expected"), [(0, "ninguna carta"), (1, "una carta"), (2, "2 cartas")])
def test_spanish(number: int, expected: str) -> None:
    assert format_message(parse(CARTAS), {"n": number}, "es") == expected


def test_a_number_that_is_unknown_has_the_form_of_many() -> None:
    """A hidden number, or one that is not chosen yet, is shown as "…"."""
    coins = "{n, plural, =0 {nothing} one {# coin} other {# coins}}"
    message = parse(f"pay {coins} to {{who, select, you {{you}} other {{#}}}}")
    assert format_message(message, {"n": "…", "who": "you"}) == "pay … coins to you"
    assert format_message(message, {"n": NamedValue("…", "other"), "who": "…"}, "es") == "pay … coins to #"
    assert format_message(message, {"n": "1", "who": "you"}) == "pay 1 coin to you", "digits are a number"


@pytest.mark.parametrize(
    ("text", "offset", "words"),
    [
        ("{", 1, "name of a value"),
        ("{who", 4, "`,` or `}`"),
        ("}", 0, "no matching `{`"),
        ("a } b", 2, "no matching `{`"),
        ("{n, plurals, other {}}", 4, "found `plurals`"),
        ("{n, plural}", 10, "`,` after `plural`"),
        ("{n, plural, one {x}}", 0, "no branch `other`"),
        ("{n, plural, other {x} other {y}}", 22, "twice"),
        ("{n, plural, =x {a} other {b}}", 13, "not a number"),
        ("{n, plural, other x}", 18, "`{` after `other`"),
        ("{n, plural, other {x}", 21, "key of a branch"),
        ("{n, plural, other {x", 20, "at the end of the branch"),
        ("it is '{quoted", 6, "not closed"),
    ],
)
def test_errors_have_places(text: str, offset: int, words: str) -> None:
    with pytest.raises(MessageError) as caught:
        parse(text)
    assert caught.value.offset == offset
    assert words in caught.value.message
    assert str(offset + 1) in str(caught.value)


def test_depth_is_bounded() -> None:
    with pytest.raises(MessageError, match="deep"):
        parse("{n, select, other {" * 50 + "}}" * 50)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("{who} draws " + CARDS, []),
        ("{whom}", [(0, "no value `whom`; expected `n` or `who`")]),
        ("x {who, plural, other {}}", [(2, "`who` is not a number")]),
        (
            "{n, plural, few {x} other {{nn}}}",
            [(0, "`few` is not a branch of a plural; expected `one` or `other`"), (27, "no value `nn`")],
        ),
    ],
)
def test_problems(text: str, found: list[tuple[int, str]]) -> None:
    reported = problems(parse(text), {"who": str, "n": int}, "en")
    assert [problem.offset for problem in reported] == [offset for offset, _ in found]
    for problem, (_, words) in zip(reported, found, strict=True):
        assert words in problem.message


@given(st.text(alphabet="ab{}'#,= \npluralselectother01", max_size=40))
def test_any_text_parses_or_is_refused_with_a_place(text: str) -> None:
    try:
        message = parse(text)
    except MessageError as error:
        assert 0 <= error.offset <= len(text)
    else:
        assert problems(message, {}) is not None


@given(st.text(alphabet=st.characters(blacklist_characters="{}'#"), max_size=40))
def test_text_without_marks_stands_for_itself(text: str) -> None:
    assert format_message(parse(text), {}) == text
