"""Texts of a pack reach the players: questions, names of options, lines of the log."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.tools.harness import ROOT, Run


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    folder = tmp_path / "base"
    folder.mkdir()
    base = (ROOT / "tests" / "chunks" / "base.yaml").read_text("utf-8").split("\n---\n")
    ends = ("finish:", "award:")  # the other file has its own end, and a game has one
    (folder / "pack.yaml").write_text("\n---\n".join(one for one in base if not one.startswith(ends)))
    shutil.copy(ROOT / "tests" / "chunks" / "good" / "defaults-and-texts.yaml", folder / "more.yaml")
    return folder


@pytest.mark.parametrize(
    ("language", "question", "option", "told"),
    [
        ("en", "Where to?", "Go to a shop", " · ring the bell."),
        ("es", "¿Adónde vas?", "Ir a una tienda", "Suena la campana."),
    ],
)
def test_they_are_told(run: Run, pack: Path, language: str, question: str, option: str, told: str) -> None:
    game = ("play", str(pack), "--players", "2", "--seats", "human,random", "--seed", "1", "--lang", language)
    said = run(*game, typed="1\n1\nl all\nq\n").out
    assert question in said
    assert option in said
    assert told in said
