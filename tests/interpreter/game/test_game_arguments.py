"""Wrong arguments of the library give a refusal or an error that names what was expected."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from interpreter import Game, Refusal, make
from ruleset import Loaded, TableError, load_pack, lower_program
from tests.interpreter.cellar import cellar

PROGRAM = cellar()
ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def tutorial() -> Loaded:
    return load_pack(str(ROOT / "content" / "tutorial"))


# ------------------------------------------------------------------ answers and seats


@pytest.mark.parametrize(
    "answer",
    [None, 3, 2.5, b"gem", [1], [["gem"]], {"gem": "one"}, {"gem": 1.5}, {"gem": True}, {1: 1}, {"gem"}],
    ids=repr,
)
def test_what_is_no_answer_is_refused(answer: Any) -> None:
    game = Game.start(PROGRAM, 4)
    before = (game.state, game.events(), game.decisions)
    refusal = game.apply(0, answer)
    assert isinstance(refusal, Refusal) and refusal.reason == "malformed-answer"
    assert refusal.message.startswith("an answer is a key, a list of keys, or a mapping from keys to counts, not ")
    assert before == (game.state, game.events(), game.decisions)


@pytest.mark.parametrize("seat", [None, "0", 0.0, False, -1, 3, 10**30, [0]], ids=repr)
def test_an_answer_of_no_seat_is_refused(seat: Any) -> None:
    refusal = Game.start(PROGRAM, 4).apply(seat, ())
    assert isinstance(refusal, Refusal) and refusal.reason == "not-your-decision"
    assert refusal.message == f"there is no seat {seat!r}; seats are 0 to 2"


@pytest.mark.parametrize("seat", [-1, 3, 10**30])
def test_there_is_no_view_of_a_seat_that_does_not_exist(seat: int) -> None:
    game = Game.start(PROGRAM, 4)
    with pytest.raises(ValueError, match=rf"^`seat` must be from 0 to 2, not {seat}$"):
        game.view(seat)
    with pytest.raises(ValueError, match="`seat` must be from 0 to 2"):
        game.events(seat)


@pytest.mark.parametrize(("seat", "kind"), [(None, "None"), ("1", "a str"), (1.0, "a float"), (True, "a bool")])
def test_a_seat_is_a_whole_number(seat: Any, kind: str) -> None:
    with pytest.raises(TypeError, match=f"^`seat` must be a whole number, not {kind}$"):
        Game.start(PROGRAM, 4).view(seat)


def test_events_begin_at_a_number_that_is_not_negative() -> None:
    game = Game.start(PROGRAM, 4)
    with pytest.raises(ValueError, match="`since`"):
        game.events(since=-1)
    assert game.events(since=10**9) == ()


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        ((None, 1), TypeError, "`program` must be a TableProgram .from `lower_program`., not None"),
        (("content/tutorial", 1), TypeError, "`program` must be a TableProgram .from `lower_program`., not a str"),
        ((PROGRAM, "1"), TypeError, "`seed` must be a whole number, not a str"),
        ((PROGRAM, None), TypeError, "`seed` must be a whole number, not None"),
        ((PROGRAM, -1), ValueError, "`seed` must be from 0 to 18446744073709551615, not -1"),
        ((PROGRAM, 2**64), ValueError, "`seed` must be from 0 to 18446744073709551615"),
        ((PROGRAM, 1, -1), ValueError, "`game` must be from 0"),
        ((PROGRAM, 1, "x"), TypeError, "`game` must be a whole number, not a str"),
    ],
)
def test_a_game_that_cannot_be_started(arguments: tuple[Any, ...], error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        Game.start(*arguments)


# ------------------------------------------------------------------ loading and lowering


def test_a_path_may_be_a_string(tutorial: Loaded) -> None:
    assert tutorial.findings == () and tutorial.program is not None
    (finding,) = load_pack(str(ROOT / "no such folder")).findings
    assert finding.code == "RW603"


@pytest.mark.parametrize("path", [None, 3, b"content/tutorial", ["content/tutorial"]], ids=repr)
def test_a_path_is_a_path(path: Any) -> None:
    with pytest.raises(TypeError, match=f"^the path of a pack is a str or a Path, not {type(path).__name__}$"):
        load_pack(path)


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        ({"program": None}, TypeError, "the pack has errors .see `Loaded.findings`., so there is no program"),
        ({"program": "tutorial"}, TypeError, "expected a Program .`Loaded.program`., found str"),
        ({"seats": "3"}, TypeError, "`seats` must be a whole number, not str"),
        ({"seats": True}, TypeError, "`seats` must be a whole number, not bool"),
        ({"seats": 2.0}, TypeError, "`seats` must be a whole number, not float"),
        ({"seats": 99}, TableError, "tutorial is for 2 to 5 players, not 99"),
        ({"options": ["deck"]}, TypeError, "`options` must map names to values, both strings; found list"),
        ({"options": {"deck": 1}}, TypeError, "option 'deck': names and values must be strings; found 1"),
        ({"options": {1: "deck"}}, TypeError, "option 1: names and values must be strings"),
        ({"options": {"deck": "x"}}, TableError, "tutorial has no option `deck`"),
    ],
)
def test_a_table_that_cannot_be_lowered(
    tutorial: Loaded, arguments: dict[str, Any], error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=says):
        lower_program(**{"program": tutorial.program, "seats": 3, **arguments})


def test_a_path_that_is_too_long_is_no_pack() -> None:
    (finding,) = load_pack("a" * 5_000).findings
    assert finding.code == "RW603"


# ------------------------------------------------------------------ backends


@pytest.mark.parametrize("program", [None, 3, "tutorial"], ids=repr)
@pytest.mark.parametrize("backend", ["walker", "native"])
def test_a_backend_is_made_of_a_table_program(program: Any, backend: str) -> None:
    with pytest.raises(TypeError, match=r"^`program` must be a TableProgram"):
        make(program, backend)
