"""Texts of packs cannot look like output of ours, act on a terminal, or be computed by a spreadsheet."""

from __future__ import annotations

import csv
import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from rulewright.ruleset.common.terminal_text import harmless
from rulewright.tools import cli
from rulewright.tools.simulation.output.rows import ConstantColumn, written
from tests.tools.harness import ALLOWED, FORGED, HOSTILE, ROOT, TYPED, Run, acts, forged, gates

FORMATS = ("full", "concise", "github", "junit", "sarif", "json")
LONG = "long " * 20_000


def quoted(text: str) -> str:
    """A text in YAML's double quotes, without the surrogates that no file has."""
    encoded = (char for char in text if not "\ud800" <= char <= "\udfff")
    said = "".join(f"\\U{ord(char):08x}" if acts(char) or char in '\n"\\' else char for char in encoded)
    return f'"{said}"'


BAD, GOOD = quoted(HOSTILE), quoted(ALLOWED)
SOUND = gates(
    f"""\
name: {{en: {GOOD}, es: {GOOD}}}
text: {{en: {GOOD}, es: {GOOD}}}
languages: [en, es]
zones:
  row: {{name: {{en: {GOOD}, es: {GOOD}}}, order: row, seen-by: all}}
  hand: {{name: {{en: {GOOD}, es: {GOOD}}}, scope: player, order: bag, seen-by: all}}
tracks: {{steps: {{name: {{en: {GOOD}, es: {GOOD}}}, at-least: 0, at-most: 9}}}}
options:
  pace: {{number: 1 to 2, default: 1, text: {{en: {GOOD}, es: {GOOD}}}}}
""",
    f"gem: opal\nname: {{en: {GOOD}, es: {GOOD}}}\ntext: {{en: {GOOD}, es: {GOOD}}}\n",
    f"setup: start\nsteps: [{{id: begin, name: {{en: {GOOD}, es: {GOOD}}}, do: steps += pace}}]\n",
    f"""\
round: day
name: {{en: {GOOD}, es: {GOOD}}}
turns-from: first of players
until: steps > 3
steps:
  - id: go
    options:
      take:
        name: {{en: {GOOD}, es: {GOOD}}}
        do: move 1 gem from row to hand
      stay: {{name: {{en: {GOOD}, es: {GOOD}}}, do: do nothing}}
  - id: rest
    do: |
      may sleep: steps += 1
  - id: wake
    do: steps += 1
""",
    f"""\
prompts:
  day.go.choice: {{en: {GOOD}, es: {GOOD}}}
  day.rest.sleep: {{en: {GOOD}, es: {GOOD}}}
  day.rest.sleep.sleep: {{en: {GOOD}, es: {GOOD}}}
""",
    f"layout: table\ngroups: [{{name: {{en: {GOOD}, es: {GOOD}}}, show: [{{row: places}}, steps, hand]}}]\n",
    f"bot: sitter\nname: {{en: {GOOD}, es: {GOOD}}}\ntext: {{en: {GOOD}, es: {GOOD}}}\n"
    "answers: [{choice: day.go.choice, prefer: [take]}]\n",
    f"expect: games\ntext: {{en: {GOOD}, es: {GOOD}}}\nmean-length: 1 to 9 decisions\n"
    f"groups: {{green: {{name: {{en: {GOOD}, es: {GOOD}}}, kind: gem, where: true}}}}\n",
    f"bot: chooser\ntext: {GOOD}\n"
    "answers: [{choice: day.go.choice, when: steps < 3, score: {take: 2 + count(hand), stay: 1}}]\n",
    f"scenario: {GOOD}\nplayers: 2\nthen: [steps is 1]\n",
    f"scenario: {quoted(f'y{ALLOWED}')}\nplayers: 2\nthen: [steps is 2]\n",
)
"""Without findings, with such texts wherever there are any. One of its scenarios fails."""
RULES = f"""\
pack: more
version: 1.0.0
format: 3
extends: {{gates: ">=1"}}
languages: [en, es]
name: {{en: {GOOD}, es: {GOOD}}}
text: {{en: {GOOD}, es: {GOOD}}}
---
change: gem/opal
set:
  name: {{en: {GOOD}, es: {GOOD}}}
---
change: step/day.wake
after: {{id: end, name: {{en: {GOOD}, es: {GOOD}}}, do: steps += 1}}
"""
BROKEN = f"""\
pack: {BAD}
version: {BAD}
format: 3
name: {BAD}
text: {quoted(LONG)}
players: {BAD}
languages: [{BAD}]
extends: {{{BAD}: {BAD}}}
kinds: {{gem: {{fields: {{{BAD}: {BAD}}}}}}}
components: {{gems: {{kind: gem, copies: 4, starts: row, name: {BAD}}}, {BAD}: {{kind: {BAD}}}}}
zones: {{row: {{name: {BAD}, order: {BAD}, seen-by: all}}, {BAD}: {{order: row}}}}
tracks: {{steps: {{name: {BAD}, at-least: 0, at-most: 9}}}}
options: {{{BAD}: {{of: {BAD}, default: {BAD}}}}}
values: {{{BAD}: {BAD}}}
enumerations: {{{BAD}: [{BAD}]}}
{BAD}: {{}}
---
gem: opal
name: {BAD}
---
gem: {BAD}
---
setup: start
steps: [{{id: begin, do: {quoted(f"steps += 1 {HOSTILE}")}}}, {{id: {BAD}, do: {BAD}}}]
---
{BAD}: kind
---
verb: {BAD}
do: {BAD}
---
messages: {{{BAD}: {BAD}}}
prompts: {{{BAD}: {BAD}}}
---
bot: {BAD}
answers: [{{choice: {BAD}}}]
---
scenario: {BAD}
players: [{BAD}, ben]
then: [{quoted(f"{HOSTILE} > 0")}]
"""
NAME = os.fsdecode(os.fsencode(TYPED)[:120] + b"\xff")
"""A name that a folder can have, with a byte that is no UTF-8."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """Makes a pack in a folder with such a name; lines are as long as they are."""
    monkeypatch.setenv("COLUMNS", "3000")
    places: list[Path] = []

    def make(source: str) -> str:
        place = tmp_path / f"{len(places)}{NAME}" / "gates"
        places.append(place)
        place.mkdir(parents=True)
        (place / "pack.yaml").write_text(source, "utf-8")
        (place / f"{NAME}.yaml").write_text(f"gem: ruby\nname: {GOOD}\n" if source == SOUND else BAD, "utf-8")
        return str(place)

    return make


def judged(out: str, form: str = "") -> None:
    """No line of the output is forged; if it is for programs, it is well-formed."""
    lines = forged(out)
    if form == "github":  # commands of ours, each with its code
        ours = re.compile(r"::(error|warning) (file=[^,]*,line=\d+,.*)?title=RW\d+ |::notice title=rulewright::")
        lines = [line for line in lines if not ours.match(line) or any(map(acts, line)) or "##[" in line]
    assert lines == []
    if form in ("json", "sarif"):
        json.loads(out)
    if form == "junit":
        ElementTree.fromstring(out.encode("utf-8"))


@pytest.mark.slow
@pytest.mark.parametrize("command", ["validate", "test"])
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("source", ["broken", "readable", "sound"])
def test_findings_forge_no_lines(
    run: Run, folder: Callable[[str], str], source: str, form: str, command: str
) -> None:
    """What is broken is refused in the first pass or, where all of it can be read, in later ones."""
    texts = {"broken": BROKEN, "readable": BROKEN.replace(BAD, GOOD), "sound": SOUND}
    ran = run(command, folder(texts[source]), "--format", form)
    assert ran.code == (0 if (source, command) == ("sound", "validate") else 1), ran
    if source != "sound" and command == "test" and form == "full":  # not even begun: the findings are a message
        assert ran.out == "" and "RW" in ran.err
        form = ""
    judged(ran.out, form)
    judged(ran.err)


SOUND_COMMANDS: dict[str, list[tuple[str, ...]]] = {
    "validate": [("{pack}",), ("{pack}", "--with", "{more}")],
    "test": [
        ("{pack}", "-v", "--coverage", "-n", "2"),
        ("{pack}", "--with", "{more}", "--compare"),
        ("{pack}", "--with", "{more}", "--compare", "--format", "json"),
        ("{pack}", "-k", TYPED),
    ],
    "explain": [(TYPED,)],
    "new": [
        ("pack", "copy", "--from", "{pack}"),
        ("house-rule", "ruled", "--for", "{pack}"),
        ("gem", "jade", "--in", "{pack}"),
        ("scenario", ALLOWED, "--in", "{pack}"),
        ("scenario", f"{FORGED} ::error::y", "--in", "{pack}"),
        ("zone", TYPED, "--in", "{pack}"),
        (TYPED, "jade", "--in", "{pack}"),
        ("bot", "lazy", "--in", "{pack}"),
    ],
    "migrate": [("{pack}",), (TYPED,), ("{pack}", "--to", "2")],
    "show": [
        ("--in", "{pack}"),
        ("--in", "{pack}", "--json"),
        *((id_, "--in", "{pack}") for id_ in ("gem/opal", "zone/row", "pack/gates", "round/day", "bot/sitter")),
        ("go", "--in", "{pack}"),
        (ALLOWED, "--in", "{pack}"),
        (TYPED, "--in", "{pack}"),
        ("gem/opal", "--in", "{pack}", "--lang", "es"),
        ("gem/opal", "--in", "{pack}", "--json"),
    ],
    "packs": [(), ("--json",)],
    "schema": [("{pack}",), ("{pack}", "--with", "{more}"), ("{pack}", "--editor"), (TYPED,)],
    "serve": [("{pack}", "--host", TYPED, "--no-open"), (TYPED, "--no-open")],
    "print": [
        ("{pack}", "-o", "cards.pdf"),
        ("{pack}", "--rules", "-o", "rules.pdf"),
        ("{pack}", "--only", TYPED, "-o", "few.pdf"),
        ("{pack}", "--paper", TYPED, "-o", "few.pdf"),
    ],
    "blame": [
        ("{pack}", "gem/opal"),
        ("{pack}", "gem/opal", "--with", "{more}"),
        ("{pack}", "gem/opal", "--with", "{more}", "--json"),
        ("{pack}", TYPED),
    ],
    "diff": [
        ("{pack}", "{other}"),
        ("{pack}", "--with", "{more}"),
        ("{pack}", "--with", "{more}", "--title", TYPED),
        ("{pack}", "--with", "{more}", "--title", TYPED, "--format", "markdown", "--lang", "es"),
        ("{pack}", "--with", "{more}", "--format", "json"),
        ("{pack}",),
    ],
    "play": [
        ("{pack}", "--seats", "random,random"),
        ("{pack}", "--seats", "sitter,random", "--lang", "es", "--save", f"{NAME[:60]}.journal"),
        ("{pack}", "--seats", "human,random"),
        ("{pack}", "--seats", "human,human", "--lang", "es"),
        ("{pack}", "--resume", TYPED),
        ("{pack}", "--seats", TYPED),
        ("{pack}", "--from", "x"),
        ("{pack}", "--option", f"{TYPED}=1"),
        ("{pack}", "--option", f"pace={TYPED}"),
        ("--resume",),
    ],
    "simulate": [
        ("{pack}", "-n", "4"),
        ("{pack}", "-n", "4", "--json"),
        ("{pack}", "-n", "4", "--usage", "--backend", "walker"),
        ("{pack}", "-n", "4", "--usage", "--json", "--backend", "walker"),
        ("{pack}", "-n", "4", "--seats", "sitter,random"),
        ("{pack}", "-n", "4", "--every-option"),
        ("{pack}", "-n", "4", "--versus", "{other}"),
        ("{pack}", "-n", "4", "--versus-option", "pace=2"),
        ("{pack}", "-n", "4", "--with", "{more}", "--out", f"{NAME[:60]}.csv"),
        ("{pack}", "--players", TYPED),
        ("{pack}", "--seats", TYPED),
        ("{pack}", "--out", TYPED),
        (TYPED,),
    ],
    "balance": [
        ("{pack}", "--worlds", "2"),
        ("{pack}", "--worlds", "2", "--format", "markdown", "-o", "report.html"),
        ("{pack}", "--check", "--worlds", "2"),
        ("{pack}", "--check", "--worlds", "2", "--json"),
        ("{pack}", "--check", "--worlds", "2", "--format", "markdown", "-o", "report.json"),
        ("{pack}", "--check", "--expect", TYPED),
        ("{pack}", "--kind", TYPED),
        ("{pack}", "--bot", TYPED),
        ("{pack}", "-o", TYPED),
        (TYPED,),
    ],
    "tournament": [
        ("{pack}", "-n", "4"),
        ("{pack}", "-n", "4", "--bots", "random,sitter", "--with", "{more}", "--json"),
        ("{pack}", "-n", "4", "--option", "pace=2", "--format", "markdown"),
        ("{pack}", "--bots", TYPED),
        ("{pack}", "--option", f"pace={TYPED}"),
        (TYPED,),
    ],
    "tune": [
        ("chooser", "--in", "{pack}", "--generations", "1", "--worlds", "1"),
        ("chooser", "--in", "{pack}", "--with", "{more}", "--generations", "1", "--worlds", "1", "--json"),
        ("chooser", "--in", "{pack}", "--against", TYPED),
        ("chooser", "--in", TYPED),
        ("sitter", "--in", "{pack}"),
        (TYPED, "--in", "{pack}"),
    ],
    "replay": [(f"{NAME[:60]}.journal",), (f"{NAME[:60]}.journal", "--pack", "{pack}", "--lang", "es"), (TYPED,)],
    "doctor": [
        (),
        ("--json",),
        ("{pack}", "--program"),
        ("{pack}", "--program", "--json"),
        ("{pack}", "--with", "{more}", "--lang", "es"),
        ("{pack}", "--option", f"{TYPED}=1"),
        (TYPED,),
    ],
}
"""Arguments of every command; `replay` comes after `play`, which saves the game."""
INPUT = "\n?\nl\nl all\nv\nv row\n? opal\nwhy\nwhy stay\n::error::x\ns\n" + "1\n" * 40
DATA = ("--json", "json")


def test_every_command_is_tried() -> None:
    assert set(SOUND_COMMANDS) == set(cli.cli.commands)


@pytest.mark.slow
@pytest.mark.parametrize("columns", ["3000", "60"])
def test_commands_forge_no_lines(
    run: Run, folder: Callable[[str], str], columns: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where lines are broken, a line may begin with any word, and still with no command."""
    made = {"pack": folder(SOUND), "other": folder(SOUND.replace("copies: 4", "copies: 5")), "more": folder(RULES)}
    (Path(made["more"]) / f"{NAME}.yaml").unlink()
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setenv("RULEWRIGHT_PACKS", str(Path(made["pack"]).parent))
    monkeypatch.setenv("RULEWRIGHT_CC", NAME)
    seen = 0
    for command, lines in SOUND_COMMANDS.items():
        for line in lines:
            data = any(word in DATA for word in line)
            if data and columns == "60":
                continue
            given = [word.format_map(made) if word.startswith("{") else word for word in line]
            ran = run(command, *given, typed=INPUT)
            assert ran.code in (0, 1, 2), (command, line, ran)
            for text in (ran.out, ran.err):
                if columns == "60":
                    text = text.replace(FORGED, "folded")
                assert forged(text) == [], (command, line, text)
            if data:
                json.loads(ran.out)
            seen += ran.out.count("forged")
    assert seen > 100
    with open(f"{NAME[:60]}.csv", newline="", encoding="utf-8") as file:
        cells = [cell for row in csv.reader(file) for cell in row]
    assert len(cells) > 20 and not any(cell.lstrip().startswith(("=", "+", "-", "@", "\t", "\r")) for cell in cells)


@pytest.mark.slow
def test_a_broken_pack_shows_and_says_no_such_lines(run: Run, folder: Callable[[str], str]) -> None:
    """Commands that work with what can be read of a pack, and those that refuse it."""
    pack = folder(BROKEN.replace(BAD, GOOD))
    ids = [one["id"] for one in json.loads(run("show", "--in", pack, "--json").out)["declarations"]]
    assert len(ids) > 3
    for given in (
        ("show", "--in", pack),
        ("show", "--in", pack, "--json"),
        *(("show", id_, "--in", pack) for id_ in ids), ("show", ids[-1], "--in", pack, "--json"),
        ("play", pack), ("simulate", pack), ("blame", pack, "gem/opal"), ("diff", pack, pack), ("migrate", pack),
        ("new", "gem", "jade", "--in", pack), ("new", "pack", "copy", "--from", pack),
        ("new", "house-rule", "rules", "--for", pack), ("replay", pack),
    ):  # fmt: skip
        ran = run(*given)
        assert ran.code in (0, 1, 2), (given, ran)
        assert forged(ran.out) + forged(ran.err) == [], given


@pytest.mark.parametrize("debug", ["0", "1"])
def test_faults_of_ours_and_of_the_system_forge_no_lines(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, debug: str
) -> None:
    monkeypatch.setenv("RULEWRIGHT_DEBUG", debug)
    for error in (ValueError(HOSTILE), OSError(2, HOSTILE, HOSTILE), UnicodeError(HOSTILE), KeyError(HOSTILE)):

        def failing(_: object, error: Exception = error) -> int:
            raise error

        monkeypatch.setattr("rulewright.tools.commands.explain.explain", failing)
        assert cli.run(["explain"]) in (2, 3)
        told = capsys.readouterr()
        assert told.out == "" and told.err and forged(told.err) == []


@pytest.mark.parametrize("given", [
    (TYPED,), (f"--{TYPED}",), ("validate", f"--{TYPED}"), ("validate", "--format", TYPED),
    ("simulate", "x", "-n", TYPED), ("simulate", "x", "--backend", TYPED), ("play", "x", "--lang", TYPED),
    ("explain", "RW101", TYPED), ("show", "--in", TYPED, "x"),
])  # fmt: skip
def test_what_is_typed_forges_no_lines(run: Run, given: tuple[str, ...]) -> None:
    ran = run(*given)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.count("\n") == 1 and forged(ran.err) == []


# ------------------------------------------------------------------ one text

@pytest.mark.parametrize(("text", "shown"), [
    ("plain  text", "plain  text"),
    ("  indented", "  indented"),
    ("one  \r\n  two\n\n", "one two"),
    ("a\u2028b\x85c\u2029d\x0be", "a b c d e"),
    ("a\tb", "a b"),
    ("\n::error::x", ": :error: :x"),
    ("a::b :: [::1]", "a: :b :: [::1]"),
    ("##[error]x ##vso[y] ## z[", "# #[error]x # #vso[y] ## z["),
    ("\x1b[31mred\x00", "\ufffd[31mred\ufffd"),
    ("\u202eleft\u2066\u200f\u061c\ud800", "\ufffdleft\ufffd\ufffd\ufffd\ufffd"),
    ("ñandú 漢字 👩‍🚀 é", "ñandú 漢字 👩‍🚀 é"),
    ("", ""), ("\n", ""),
])  # fmt: skip
def test_a_text_is_made_harmless(text: str, shown: str) -> None:
    assert harmless(text) == shown


def test_a_harmless_text_has_nothing_that_acts() -> None:
    everything = "".join(map(chr, range(0x1_0000)))
    assert not any(map(acts, harmless(everything)))


def test_no_cell_is_a_formula() -> None:
    said = ["=1+1", "+1", "-1", "@cell", "\tx", "\r=x", " \n=x", "\uff1dx", "\x1b[31m", "plain", "", None]
    lines = written(12, [said, ConstantColumn("=cmd")]).splitlines()
    assert lines == [
        *("'=1+1,'=cmd", "'+1,'=cmd", "'-1,'=cmd", "'@cell,'=cmd", " x,'=cmd", "'=x,'=cmd", "'=x,'=cmd"),
        *("'\uff1dx,'=cmd", "\ufffd[31m,'=cmd", "plain,'=cmd", ",'=cmd", ",'=cmd"),
    ]
    assert written(1, [ConstantColumn(-5), ConstantColumn("=x")]) == "-5,'=x\n"


# ------------------------------------------------------------------ one way out

PRINTING = {
    "tools/common/errors.py": "a message, with the report before it that is rendered already",
    "tools/common/consoles.py": "the console that the others have",
    "tools/commands/explain.py": "texts of the catalogue",
    "tools/common/progress.py": "numbers",
    "tools/generate/__main__.py": "no command",
    "tools/common/output.py": "the way out: lines in colour, each made harmless",
    "tools/browser/host/limits.py": "frames for the server",
    "tools/main.py": "`interrupted`, before anything is imported",
    "tools/commands/test.py": "a rendered report",
    "tools/commands/validate.py": "a rendered report, and one line in colour",
}
"""Modules that print by themselves, with what they print."""
OUT = re.compile(r"(?<![.\w])print\(|std(out|err)\.write\(|stream\.write\(|(?<!Harmless)Console\(")


def test_commands_print_through_one_module() -> None:
    modules = [path for path in (ROOT / "tools").rglob("*.py") if "bench" not in path.parts]
    printing = {path.relative_to(ROOT).as_posix() for path in modules if OUT.search(path.read_text("utf-8"))}
    assert printing == set(PRINTING)
