"""Files with a row per game and seat, byte for byte the same for any number of workers."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
from array import array
from pathlib import Path
from typing import Any

import pytest

from rulewright.interpreter.batch.batch import Stop
from rulewright.tools.common.progress import Progress
from rulewright.tools.simulation.execution import local as workers
from rulewright.tools.simulation.output import rows as out
from rulewright.tools.simulation.output.rows import ConstantColumn, Out, RowField, RowPage, RowSchema
from rulewright.tools.simulation.players import BatchPlayer
from rulewright.tools.simulation.protocol import BatchResult
from rulewright.tools.simulation.tally import GameTally
from tests.tools.harness import ROOT, Run

STALL = str(ROOT / "tests" / "docs" / "stall")
PILES = str(ROOT / "tests" / "packs" / "piles")
SHARED_OUT = "from rulewright.tools.simulation.execution import local as workers\nworkers._alone = lambda *_: 1.0\n"

Row = dict[str, Any]


def simulated(run: Run, file: str, *arguments: str, code: int = 0) -> tuple[dict[str, Any], list[Row]]:
    ran = run("simulate", *arguments, "--out", file, "--json")
    assert (ran.code, ran.err) == (code, "")
    return json.loads(ran.out), rows(Path(file))


def rows(file: Path) -> list[Row]:
    """The rows of a CSV file, numbers as such; what is missing is None."""
    with file.open(encoding="utf-8", newline="") as lines:
        return [{name: _value(text) for name, text in row.items()} for row in csv.DictReader(lines)]


def _value(text: str) -> int | str | None:
    return int(text) if text.lstrip("-").isdigit() else text or None


def parquet_rows(file: Path) -> list[Row]:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    found: list[Row] = parquet.read_table(file).to_pylist()
    return [
        {name: int(value) if isinstance(value, bool) else value for name, value in row.items()} for row in found
    ]


# ------------------------------------------------------------------ what rows say

def test_rows_add_up_to_the_result(run: Run) -> None:
    found, told = simulated(run, "games.csv", STALL, "-n", "200", "--seed", "9")
    assert found["out"] == {"file": "games.csv", "games": 200}
    assert [(row["game"], row["seat"]) for row in told] == [(game, seat) for game in range(200) for seat in (1, 2)]
    assert {(row["seed"], row["players"], row["fault"]) for row in told} == {(9, 2, None)}
    assert sum(row["decisions"] for row in told) == 2 * found["decisions"]
    assert all(row["began"] == (row["seat"] == 1) for row in told), (
        "the first player of the stall is always the same"
    )
    for seat in (1, 2):
        own = told[seat - 1 :: 2]
        assert sum(row["winner"] for row in own) == found["wins"][seat - 1]["wins"]
        scores = [row["score"] for row in own]
        assert found["scores"][seat - 1]["mean"] == pytest.approx(sum(scores) / 200, abs=1e-6)
        assert (min(scores), max(scores)) == (found["scores"][seat - 1]["min"], found["scores"][seat - 1]["max"])
        assert [row["points"] for row in own] == scores, "in this game points are the score"


def test_of_a_game_that_failed_there_is_but_the_fault(run: Run) -> None:
    found, told = simulated(run, "games.csv", PILES, "-n", "60", code=1)
    failed = [row for row in told if row["fault"]]
    assert [(row["game"], row["seat"]) for row in failed] == [
        (game, seat) for game in found["failed"] for seat in (1, 2)
    ]
    assert 0 < len(failed) < 120
    for fault in found["faults"]:
        same = [row for row in failed if (row["fault"], row["place"]) == (fault["code"], fault["place"])]
        assert len(same) == 2 * fault["games"]
    numbers = ("decisions", "winner", "score", "began")
    assert all(row[name] is None for row in failed for name in numbers)
    assert all(row[name] is not None for row in told if not row["fault"] for name in numbers)


@pytest.mark.parametrize("more", [("--usage",), ("--seats", "greedy:1,random"), ("--backend", "walker")])
def test_every_way_of_playing_tells_rows(run: Run, more: tuple[str, ...]) -> None:
    found, told = simulated(run, "games.csv", STALL, "-n", "12", *more)
    assert [row["game"] for row in told[::2]] == list(range(12))
    assert sum(row["winner"] for row in told if row["seat"] == 1) == found["wins"][0]["wins"]


def test_rows_of_both_tables_for_each_game(run: Run) -> None:
    _, told = simulated(run, "games.csv", STALL, "-n", "30", "--versus-option", "mode=rich")
    assert [(row["game"], row["table"], row["seat"]) for row in told] == [
        (game, table, seat) for game in range(30) for table in ("first", "second") for seat in (1, 2)
    ]
    scores = {(row["game"], row["table"], row["seat"]): row["score"] for row in told}
    for (game, table, seat), score in scores.items():
        if table == "second":
            assert score == scores[game, "first", seat] + 3, "where it is rich all have three points more"


def test_what_only_one_table_keeps_is_missing_at_the_other(run: Run, tmp_path: Path) -> None:
    text = (Path(STALL) / "pack.yaml").read_text("utf-8")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "pack.yaml").write_text(text.replace("points", "pearls"))
    _, told = simulated(run, "games.csv", STALL, "--versus", str(tmp_path / "other"), "-n", "4")
    for row in told:
        has, lacks = ("points", "pearls") if row["table"] == "first" else ("pearls", "points")
        assert row[has] == row["score"] and row[lacks] is None


def test_rows_of_all_options(run: Run) -> None:
    more = ("--every-option", "--players", "2-3", "-n", "72")
    found, told = simulated(run, "games.csv", STALL, *more)
    for game in range(72):
        own = [row for row in told if row["game"] == game]
        assert [row["seat"] for row in own] == list(range(1, own[0]["players"] + 1))
    firsts = [row for row in told if row["seat"] == 1]
    assert len(firsts) == 72
    for entry in found["by_option"]:
        assert sum(_same(row[f"option.{entry['option']}"], entry["value"]) for row in firsts) == entry["games"]
    assert not any(name.startswith("points") for name in told[0])


def _same(value: object, text: str) -> bool:
    return str(value) == text


def test_games_without_a_table_say_why(run: Run, tmp_path: Path) -> None:
    """With the option at 20 there would be too many cards: that is 24 of 72 games."""
    text = (Path(STALL) / "pack.yaml").read_text("utf-8")
    (tmp_path / "many").mkdir()
    (tmp_path / "many" / "pack.yaml").write_text(text.replace("copies: 4", "copies: 4 + extra div 20 * 40000"))
    found, told = simulated(run, "games.csv", str(tmp_path / "many"), "--every-option", "-n", "72")
    (reason,) = found["refused"]
    assert reason["games"] == 24
    for row in told:
        assert (row["fault"], row["rule"]) == (
            ("refused", reason["reason"]) if row["option.extra"] == 20 else (None, None)
        )


# ------------------------------------------------------------------ the same to the byte

WAYS = [
    (STALL, "-n", "400"),
    (PILES, "-n", "400"),
    (STALL, "-n", "300", "--versus-option", "mode=rich"),
    (STALL, "-n", "500", "--every-option", "--players", "2-3", "--tables", "4"),
]


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS, ids=" ".join)
@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_the_bytes_do_not_depend_on_the_jobs(
    run: Run, way: tuple[str, ...], suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if suffix == ".parquet":
        pytest.importorskip("pyarrow", reason="pyarrow is not installed")
        monkeypatch.setattr(out, "GROUP", 64)
    run("simulate", *way, "--out", f"alone{suffix}", "--jobs", "1")
    monkeypatch.setattr(workers, "_alone", lambda *_: 1.0)
    run("simulate", *way, "--out", f"together{suffix}", "--jobs", "3")
    assert Path(f"alone{suffix}").read_bytes() == Path(f"together{suffix}").read_bytes()
    assert sorted(os.listdir()) == [f"alone{suffix}", f"together{suffix}"]


@pytest.mark.parametrize("way", WAYS, ids=" ".join)
def test_parquet_says_what_csv_says(run: Run, way: tuple[str, ...]) -> None:
    run("simulate", *way, "--out", "games.csv")
    run("simulate", *way, "--out", "games.parquet")
    told = rows(Path("games.csv"))
    for row in told:
        row |= {name: value if value is None else str(value) for name, value in row.items() if "option." in name}
    assert parquet_rows(Path("games.parquet")) == told


def test_row_groups_do_not_tell_how_pages_came(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same rows in pages of several sizes; row groups have the size that they are to have."""
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    monkeypatch.setattr(out, "GROUP", 100)
    fields = (
        RowField("game", "int64"),
        RowField("won", "bool"),
        RowField("why", "text"),
        RowField("seed", "uint64"),
    )
    written = []
    for size in (1, 7, 100, 250):
        file = tmp_path / f"{size}.parquet"
        with Out(file, fields) as making:
            for first in range(0, 250, size):
                games = range(first, min(first + size, 250))
                columns = (
                    list(games),
                    [None if game % 5 else game % 2 for game in games],
                    ["so" if game % 50 == 0 else None for game in games],
                    ConstantColumn(2**64 - 1),
                )
                making.write(RowPage(len(games), columns))
        written.append(file.read_bytes())
    assert len(set(written)) == 1
    about = parquet.ParquetFile(file)
    assert [about.metadata.row_group(number).num_rows for number in range(3)] == [100, 100, 50]
    assert parquet_rows(file)[245:247] == [
        {"game": 245, "won": 1, "why": None, "seed": 2**64 - 1},
        {"game": 246, "won": None, "why": None, "seed": 2**64 - 1},
    ]


def test_text_with_commas_and_quotes(tmp_path: Path) -> None:
    text = 'a "rule", said so\nin two lines, 100%d'
    with Out(tmp_path / "x.csv", (RowField("game", "int64"), RowField("rule", "text"))) as making:
        making.write(making.sheet.page({"game": array("q", [1, -1]), "rule": ConstantColumn(text)}))
        making.write(making.sheet.page({"game": [1, 2], "rule": [text, "ñ"]}))
    told = [(row["game"], row["rule"]) for row in rows(tmp_path / "x.csv")]
    line = text.replace("\n", " ")  # each game is one line of the file
    assert told == [(1, line), (-1, line), (1, line), (2, "ñ")]
    assert (tmp_path / "x.csv").read_bytes().endswith("2,ñ\n".encode())


# ------------------------------------------------------------------ ending early, and mistakes

@pytest.mark.slow
@pytest.mark.parametrize(
    ("jobs", "suffix", "how"),
    [
        (1, ".csv", "SIGINT"),
        (1, ".parquet", "SIGINT"),
        (2, ".csv", "SIGINT"),
        (2, ".parquet", "SIGINT"),
        (1, ".csv", "SIGTERM"),
        (2, ".csv", "SIGTERM"),
    ],
)
def test_an_interrupt_keeps_a_prefix(tmp_path: Path, jobs: int, suffix: str, how: str) -> None:
    if suffix == ".parquet":
        pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    (tmp_path / "files").mkdir()
    file = tmp_path / "files" / f"games{suffix}"
    code = (
        "import os, signal, sys, rulewright.tools.simulation.runs as s\n"
        "from rulewright.tools.cli import run\nsent = []\n"
        "def done(self, games):\n"
        "    if games > 500 and not sent:\n"
        f"        sent.append(os.kill(os.getpid(), signal.{how}))\n"
        "s.Progress.done = done\n"
        f"{SHARED_OUT if jobs == 2 else ''}"
        f"command = ['simulate', {STALL!r}, '-n', '1000000', '--out', {str(file)!r}, '--jobs', '{jobs}']\n"
        "sys.exit(run(command + sys.argv[1:]))"
    )

    def ran(*more: str) -> str:
        command = [sys.executable, "-c", code, *more]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
        assert done.returncode in (130, -signal.SIGINT), done.stderr
        return done.stdout

    found = json.loads(ran("--json"))
    told = rows(file) if suffix == ".csv" else parquet_rows(file)
    assert [row["game"] for row in told[::2]] == list(range(found["out"]["games"]))
    assert 0 < len(told) <= 2 * found["games"] < 2_000_000
    assert os.listdir(file.parent) == [file.name]
    printed = " ".join(ran().split())
    count = len(rows(file) if suffix == ".csv" else parquet_rows(file)) // 2
    assert f"Wrote {count:,} games (games 0 to {count - 1:,}) to " in printed


def test_who_is_ended_before_the_first_game_leaves_nothing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    before = signal.getsignal(signal.SIGTERM)
    monkeypatch.setattr(Progress, "__enter__", lambda self: os.kill(os.getpid(), signal.SIGTERM))
    ran = run("simulate", STALL, "-n", "1000000000", "--out", "games.csv")
    assert (ran.code, ran.out, ran.err) == (130, "", "rulewright: interrupted\n")
    assert os.listdir() == []
    assert signal.getsignal(signal.SIGTERM) is before


def test_a_game_that_kills_who_plays_it_leaves_those_before_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    here, play = os.getpid(), BatchPlayer.play

    def deadly(self: BatchPlayer, first: int, end: int, stop: Stop) -> BatchResult[GameTally]:
        if first <= 900 < end and os.getpid() != here:
            os.kill(os.getpid(), signal.SIGKILL)
        return play(self, first, end, stop)

    monkeypatch.setattr(BatchPlayer, "play", deadly)
    monkeypatch.setattr(workers, "_alone", lambda *_: 1.0)
    monkeypatch.setattr(workers, "_method", lambda *_: "fork")  # else it would not know of this
    ran = run("simulate", STALL, "-n", "1000000", "--jobs", "2", "--out", "games.csv", "--json")
    found, told = json.loads(ran.out), rows(Path("games.csv"))
    assert ran.code == 3
    assert "worker processes keep crashing on game 900" in ran.err.splitlines()[-1]
    assert found["interrupted"] is True
    assert 0 < found["out"]["games"] <= 900
    assert [row["game"] for row in told[::2]] == list(range(found["out"]["games"]))
    assert found["out"]["games"] <= found["games"] < 1_000_000
    assert os.listdir() == ["games.csv"]


def test_what_goes_wrong_leaves_all_as_it_was() -> None:
    Path("x.csv").write_text("as before")
    with pytest.raises(ZeroDivisionError), Out(Path("x.csv"), (RowField("game", "int64"),)) as making:
        making.write("1\n")
        raise ZeroDivisionError
    assert os.listdir() == ["x.csv"]
    assert Path("x.csv").read_text() == "as before"


@pytest.mark.parametrize(
    ("file", "message"),
    [
        ("games.txt", "ends in .csv or .parquet, not 'games.txt'"),
        ("games", "ends in .csv or .parquet"),
        ("nowhere/games.csv", "folder nowhere not found"),
        ("folder.csv", "is a folder"),
    ],
)
def test_mistakes_are_told_before_a_game_is_played(run: Run, file: str, message: str) -> None:
    Path("folder.csv").mkdir()
    ran = run("simulate", STALL, "-n", "1000000000", "--out", file)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err


def test_without_pyarrow_it_says_how_to_get_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(out, "find_spec", lambda name: None)
    ran = run("simulate", STALL, "-n", "1000000000", "--out", "games.parquet")
    assert (ran.code, ran.out) == (2, "")
    assert "pip install 'rulewright[parquet]'" in ran.err and "or name a .csv file" in ran.err
    assert run("simulate", STALL, "-n", "2", "--out", "games.csv").code == 0


def test_a_folder_that_cannot_be_written_to(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    before = Path.open

    def refuse(self: Path, *mode: Any, **more: Any) -> Any:
        if self.suffix == ".part":
            raise PermissionError(13, "Permission denied", str(self))
        return before(self, *mode, **more)

    monkeypatch.setattr(Path, "open", refuse)
    ran = run("simulate", STALL, "-n", "1000000000", "--out", "games.csv")
    assert (ran.code, ran.out) == (2, "")
    assert "--out games.csv: cannot create a file in .: Permission denied" in ran.err
    assert ".part" not in ran.err


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
@pytest.mark.parametrize("when", ["in between", "at the end"])
def test_a_disk_that_is_full(run: Run, monkeypatch: pytest.MonkeyPatch, suffix: str, when: str) -> None:
    """The games are told all the same, and what was there before is there."""
    if suffix == ".parquet":
        pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    file, kind = Path(f"games{suffix}"), {".csv": "_Csv", ".parquet": "_Parquet"}[suffix]
    before_it = {".csv": "game,seed,players,as before", ".parquet": "PAR1 as before"}[suffix]
    file.write_text(before_it)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    before = getattr(out, kind).write
    pages = 0

    def full_in_between(self: Any, page: object) -> None:
        nonlocal pages
        pages += page != "game" and not str(page).startswith("game,")
        (before if pages < 2 else full)(self, page)

    if when == "at the end":
        monkeypatch.setattr("os.replace", full)
    else:
        monkeypatch.setattr(f"rulewright.tools.simulation.output.rows.{kind}.write", full_in_between)
    ran = run("simulate", STALL, "-n", "3000", "--jobs", "1", "--out", str(file), "--json")
    assert ran.code == 2
    assert f"--out {file}: cannot write: No space left on device" in ran.err
    found = json.loads(ran.out)
    assert found["games"] > 0 and found["out"] == {"file": str(file), "games": 0}
    assert os.listdir() == [str(file)] and file.read_text() == before_it


def test_a_run_that_ends_before_a_game_replaces_nothing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("games.csv").write_text("game,seed,players,as before")
    monkeypatch.setattr("rulewright.tools.simulation.execution.running.play_all", lambda *_: True)
    assert run("simulate", STALL, "-n", "30", "--out", "games.csv").code == 130
    assert Path("games.csv").read_text() == "game,seed,players,as before" and os.listdir() == ["games.csv"]


def test_a_sheet_leaves_empty_what_is_not_known() -> None:
    sheet = RowSchema((RowField("game", "int64"), RowField("fault", "text")), True)
    assert sheet.page({"game": [3, 4]}) == "3,\n4,\n"
