"""Sheets of cards as PDF: every card is there, in its place, and nothing else comes in."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from rulewright.tools.print.typesetter import BASE, RefusedError, Stamp, Stamps, own_file
from tests.tools.harness import ROOT, Run
from tests.tools.print.pdfs import middles, sizes, strokes, texts

HOSTILE = """\
pack: gates
version: 1.0.0
format: 3
players: 2
name: "Gates <script>alert(1)</script>"
kinds: {gem: {}}
components: {gems: {kind: gem, copies: 4, starts: row}}
zones: {row: {order: row, seen-by: all}}
---
gem: ruby
name: "<img src=http://203.0.113.1/a.png>"
text: "<style>@import url(http://203.0.113.1/b.css)</style> '{{ 7 * 7 }}' &amp; </div>"
---
finish: end
awards: []
---
winner: first
among: players
order: [most score]
---
round: turn
steps:
  - id: end
    do: end game
"""


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Whoever opens a connection is noted, and gets none."""
    asked: list[object] = []

    def refused(*given: object, **_: object) -> None:
        asked.append(given)
        raise OSError("no network")

    monkeypatch.setattr(socket.socket, "connect", refused)
    monkeypatch.setattr(socket, "getaddrinfo", refused)
    return asked


def test_all_cards_with_their_copies(run: Run) -> None:
    """Five characters with three cards each; nine to a sheet, so two sheets."""
    assert run("print", "coup", "-o", "cards.pdf").out == "cards.pdf: 15 cards on 2 sheets\n"
    pages = texts(Path("cards.pdf"))
    assert len(pages) == 2
    found = Counter(word for page in pages for word in page.split())
    for name in ("Duke", "Assassin", "Captain", "Ambassador", "Contessa"):
        assert sum(page.count(f" {name} ") + page.startswith(name) for page in pages) >= 1, name
        places = [place for page in (1, 2) for place in middles(Path("cards.pdf"), page, name)]
        titles = [place for place in places if (place[1] - 16.5) % 88 < 12]
        assert len(titles) == 3, (name, places)
    assert found["character"] >= 15
    assert sizes(Path("cards.pdf")) == [(210.0, 297.0)] * 2
    assert "sheet 1 of 2 · 63 × 88 mm · print at 100 %" in pages[0]


@pytest.mark.parametrize(("players", "curses"), [(2, 10), (3, 20), (4, 30)])
def test_copies_depend_on_the_table(run: Run, players: int, curses: int) -> None:
    """The rulebook: 10 Curses for each player but one."""
    ran = run("print", "dominion", "--only", "curse", "--players", str(players))
    assert ran.out.startswith(f"dominion-cards.pdf: {curses} cards ")


@pytest.mark.parametrize(
    ("arguments", "cards"),
    [
        (("dominion",), 60 + 40 + 30 + 24 + 12 + 12 + 30 + 100),  # Treasures, Victory cards, Curses, ten piles
        (("dominion", "--once"), 17),
        (("rattus-cartus", "--only", "special"), 12 + 12 + 12 + 15),
        (("rattus-cartus", "--only", "Sword", "--only", "joker"), 12 + 15),
        (("rattus-cartus", "--only", "building/farm"), 5),
        (("rattus-cartus", "--only", "farm", "--once"), 5),  # whose supply actions differ
        (("rattus-cartus", "--only", "joker", "--once"), 1),
        (("coup", "--option", "with-inquisitor=true", "--only", "inquisitor"), 3),
    ],
)
def test_what_is_printed(run: Run, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], cards: int) -> None:
    drawn: list[Stamp] = []

    def caught(pages: list[str], _: object, stamps: Stamps) -> bytes:
        drawn.extend(stamp for placed in stamps.values() for stamp in placed)
        return "".join(pages).encode()

    monkeypatch.setattr("rulewright.tools.print.typesetter.pdf", caught)
    ran = run("print", *arguments, "-o", "cards.pdf")
    assert ran.out.startswith(f"cards.pdf: {cards} card"), ran
    assert len(drawn) == cards
    typeset = Path("cards.pdf").read_text("utf-8").count('<div class="card fit-')
    assert typeset == len({stamp.page for stamp in drawn}), "each different card is typeset once"


def test_copies_that_differ_are_printed_as_they_differ(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulewright.tools.print.typesetter.pdf", lambda pages, *_: "".join(pages).encode())
    run("print", "rattus-cartus", "--only", "farm", "-o", "cards.pdf", "--lang", "es")
    page = Path("cards.pdf").read_text("utf-8")
    for note in ("roba 4", "roba 2 y descarta 1 rata", "descarta 2 ratas", "descarta 1 rata y mira 1 Religiosa"):
        assert page.count(f"Suministro: {note}</p>") == 1, note


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("coup", "--only", "duk"), "duk not found among the cards of coup; did you mean duke?"),
        (("coup", "--only", "xyzzy"), "xyzzy not found among the cards of coup; kinds: role"),
        (("coup", "--only", "inquisitor"), "inquisitor has no cards at this table; see --option, --players"),
        (("coup", "--size", "big"), "--size takes width and height in mm"),
        (("coup", "--bleed", "x"), "--bleed takes 0 to 10 mm"),
        (("coup", "--rules", "--once"), "--only, --once, and --backs select cards"),
        (("coup", "--rules", "--tabletop-simulator"), "make different files"),
        (("coup", "--tabletop-simulator", "-o", "x.pdf"), "-o takes a .png file"),
        (("coup", "-o", "nowhere/x.pdf"), "cannot write nowhere/x.pdf"),
    ],
)
def test_wrong_usage(run: Run, arguments: tuple[str, ...], message: str) -> None:
    ran = run("print", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err


def test_cut_marks_and_places_on_letter(run: Run) -> None:
    run("print", "coup", "--paper", "letter", "--only", "duke", "--once", "-o", "cards.pdf")
    path = Path("cards.pdf")
    assert sizes(path) == [(215.9, 279.4)]
    lines = strokes(path, 1)
    assert len(lines) == 16
    assert (13.4, 1.0, 13.4, 5.7) in lines or (13.5, 1.0, 13.5, 5.7) in lines  # 13.45
    assert (76.5, 1.0, 76.5, 5.7) in lines or (76.4, 1.0, 76.4, 5.7) in lines
    x, y = middles(path, 1, "Duke")[0]
    assert 13.45 + 2.5 < x < 13.45 + 31.5
    assert 7.7 + 2.5 < y < 7.7 + 11.5


def test_backs_are_behind_their_fronts(run: Run) -> None:
    """Four cards: three in the first row and one below, whose back is on the right."""
    run("print", "coup", "--backs", "--once", "--only", "duke", "--only", "captain", "--only", "assassin",
        "--only", "contessa", "-o", "cards.pdf")  # fmt: skip
    path = Path("cards.pdf")
    assert len(texts(path)) == 2
    found = middles(path, 2, "Coup")
    columns = [10.5 + 31.5, 73.5 + 31.5, 136.5 + 31.5]
    assert sorted(x for x, y in found if y < 104.5) == pytest.approx(columns, abs=0.6)
    assert [x for x, y in found if y > 104.5] == pytest.approx(columns[2:], abs=0.6)


def test_one_back_for_cards_that_can_be_hidden_together(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hand holds population cards, jokers and special cards; buildings are never among them."""
    monkeypatch.setattr("rulewright.tools.print.typesetter.pdf", lambda pages, *_: "".join(pages).encode())
    run("print", "rattus-cartus", "--once", "--backs", "-o", "cards.pdf")
    page = Path("cards.pdf").read_text("utf-8")
    labels = Counter(part.partition("<")[0] for part in page.split('class="back-plate">')[1:])
    assert labels == {"Rattus Cartus": 1, "Building": 1, "Victory point token": 1}


def test_nothing_of_a_hostile_pack_acts(run: Run, tmp_path: Path, offline: list[object]) -> None:
    folder = tmp_path / "gates"
    folder.mkdir()
    (folder / "pack.yaml").write_text(HOSTILE, encoding="utf-8")
    ruling = "| | Question | Here |\n|---|---|---|\n| 1 | a\u202eb\x07 <script>alert(2)</script>? | <img src=x> |\n"
    (folder / "rulings.md").write_text(ruling, encoding="utf-8")
    for more in ((), ("--rules",)):
        assert run("print", str(folder), "-o", "cards.pdf", *more).code == 0
        shown = "".join(texts(Path("cards.pdf"))).replace(" ", "")
        assert "<imgsrc=http://203.0.113.1/a.png>" in shown
        assert "<style>@importurl(http://203.0.113.1/b.css)</style>" in shown
        assert "{{7*7}}" in shown
        assert not {"\u202e", "\x07"} & set(shown)
        assert ("<script>alert(2)</script>" in shown) == bool(more)
    assert offline == []


@pytest.mark.parametrize(
    "url",
    [
        "http://203.0.113.1/a.png",
        "https://static.invalid.example/print.css",
        "file:///etc/passwd",
        f"{BASE}../environment.py",
        f"{BASE}%2e%2e/environment.py",
        f"{BASE}../../../LICENSE",
        f"{BASE}fonts/nothing.woff2",
        f"{BASE}/etc/passwd.svg",
        "data:text/css,a{}",
    ],
)
def test_no_address_outside_is_read(url: str) -> None:
    with pytest.raises(RefusedError):
        own_file(url)


def test_our_own_files_are_read() -> None:
    assert own_file(f"{BASE}fonts/inter-latin-400-normal.woff2")[0].startswith(b"wOF2")


def test_a_card_that_does_not_fit_is_reported(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "gates"
    folder.mkdir()
    text = HOSTILE.replace("'{{ 7 * 7 }}'", "lantern " * 500)
    (folder / "pack.yaml").write_text(text, encoding="utf-8")
    ran = run("print", str(folder), "-o", "cards.pdf")
    assert ran.code == 0
    where = text[: text.index("gem: ruby")].count("\n") + 1
    assert f"pack.yaml:{where}: the text of <img" in ran.err
    assert ran.err.count("too long for the card") == 1


@pytest.mark.slow
@pytest.mark.parametrize("more", [(), ("--rules",), ("--tabletop-simulator",)])
def test_the_same_bytes_in_every_process(tmp_path: Path, more: tuple[str, ...]) -> None:
    made = []
    for seed in ("1", "2"):
        out = tmp_path / "out.png" if more == ("--tabletop-simulator",) else tmp_path / "out.pdf"
        given = [sys.executable, "-m", "rulewright", "print", "coup", "--backs", "-o", str(out), *more]
        given = [word for word in given if word != "--backs" or "--rules" not in more]
        env = {**os.environ, "PYTHONHASHSEED": seed, "RULEWRIGHT_CACHE": str(tmp_path / seed), "TZ": f"UTC+{seed}"}
        subprocess.run(given, check=True, cwd=ROOT, env=env, capture_output=True)
        made.append({path.name: path.read_bytes() for path in sorted(tmp_path.glob("out*"))})
    assert made[0] == made[1]


def test_without_pango(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    class Missing:
        """Finds weasyprint, which then does not find its library."""

        @staticmethod
        def find_spec(name: str, *_: object) -> None:
            if name == "weasyprint":
                raise OSError("cannot load library 'libpango-1.0-0'")

    for name in [name for name in sys.modules if name.partition(".")[0] == "weasyprint"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr("sys.meta_path", [Missing, *sys.meta_path])
    ran = run("print", "coup", "-o", "cards.pdf")
    assert ran.code == 2
    assert "printing requires the library Pango" in ran.err
    assert "libpango-1.0-0" in ran.err
    assert not Path("cards.pdf").exists()


def test_other_commands_do_not_import_it() -> None:
    """Neither help, nor listing, nor showing a pack imports what only printing needs."""
    for given in (["--help"], ["packs"], ["show", "zone/hand", "--in", "rattus-cartus"], ["print", "--help"]):
        code = (
            "import sys\nfrom rulewright.tools.cli import run\n"
            f"run({given!r})\n"
            "late = {'weasyprint', 'fontTools', 'pypdfium2', 'pydyf'}\n"
            "sys.exit(str(late & set(sys.modules)) if late & set(sys.modules) else 0)\n"
        )
        subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT, capture_output=True)
