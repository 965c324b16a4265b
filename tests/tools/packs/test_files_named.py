"""Commands given FIFOs, devices and loops of links: each ends at once, with exit code 2 or a finding."""

from __future__ import annotations

import faulthandler
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tools.harness import Run


@pytest.fixture(autouse=True)
def never_waiting() -> Iterator[None]:
    faulthandler.dump_traceback_later(60, exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()


@pytest.mark.parametrize("command", [("replay",), ("play", "--resume")])
def test_a_saved_game_is_a_regular_file(run: Run, command: tuple[str, ...]) -> None:
    os.mkfifo("fifo")
    Path("loop").symlink_to("loop")
    Path("large").touch()
    os.truncate("large", 2**40)
    for name, why in (
        ("fifo", "cannot read fifo: it is a FIFO, not a regular file"),
        ("/dev/zero", "cannot read /dev/zero: it is a device, not a regular file"),
        ("loop", "cannot read loop: Too many levels of symbolic links"),
        ("large", "large is not a journal: it is larger than 16777216 bytes"),
        (".", "cannot read .: it is a folder"),
    ):
        ran = run(*command, name)
        assert ran.code == 2, name
        assert why in ran.err


@pytest.mark.parametrize(
    "command", [("validate", "{}"), ("test", "{}"), ("show", "--in", "{}"), ("diff", "{}", "{}"), ("migrate", "{}"),
                ("play", "{}"), ("simulate", "{}", "-n", "1"), ("blame", "{}", "zone/hand")],
    ids=lambda command: command[0],
)  # fmt: skip
def test_a_fifo_in_a_pack_stops_no_command(run: Run, pack: Path, command: tuple[str, ...]) -> None:
    os.mkfifo(pack / "card.yaml")
    ran = run(*(part.format(pack) for part in command))
    if command[0] in ("show", "blame"):  # they tell what can be told
        assert ran.code == 0
        return
    assert ran.code == 1
    assert "card.yaml" in ran.out + ran.err
    assert "it is a FIFO" in ran.out + ran.err


def test_a_fifo_beside_packs_stops_no_search(run: Run, pack: Path) -> None:
    (pack.parent / "odd").mkdir()
    os.mkfifo(pack.parent / "odd" / "pack.yaml")
    os.chdir(pack)
    assert run("packs").code == 0
    ran = run("validate", "none-of-this-name")
    assert ran.code == 2
    shutil.rmtree(pack.parent / "odd")


def test_a_pack_with_a_fifo_is_copied_without_it(run: Run, pack: Path) -> None:
    os.mkfifo(pack / "notes")
    ran = run("new", "pack", "other", "--from", str(pack))
    assert (ran.code, ran.err) == (0, "")
    assert not Path("other", "notes").exists()


def test_a_fifo_in_the_cache_is_no_entry(run: Run, pack: Path) -> None:
    assert run("validate", str(pack)).code == 0
    (entry,) = Path(os.environ["RULEWRIGHT_CACHE"]).glob("*.findings")
    entry.unlink()
    os.mkfifo(entry)
    assert run("validate", str(pack)).code == 0
