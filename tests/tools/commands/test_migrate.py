"""`rulewright migrate`: exact texts before and after, its output, and files left unchanged.

`migrations/1/before` and `after` hold the same packs in two formats, with comments in awkward places. They were
written by hand: what `after` says is what an author would have done.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.ruleset.lower.lowering import lower
from rulewright.ruleset.pipeline import load, load_files
from rulewright.ruleset.source.format_upgrade import CURRENT, format_of
from rulewright.ruleset.source.nodes import plain
from rulewright.ruleset.source.pack_files import PackFiles, read_pack
from rulewright.ruleset.source.reader import read
from rulewright.ruleset.table.canonical import program_hash
from rulewright.tools.migrations import MIGRATIONS, MigrationOutcome, migrated
from tests.tools.harness import ROOT, Run

CASES = Path(__file__).parents[1] / "migrations"
PACKS = [
    (int(step.name), pack.name) for step in sorted(CASES.iterdir()) for pack in sorted((step / "before").iterdir())
]
BOM = "\ufeff".encode()


def folder(step: int, when: str, name: str) -> Path:
    return CASES / str(step) / when / name


def contents(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def put(root: Path, files: dict[str, bytes]) -> None:
    for name, data in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)


def plainly(data: bytes) -> bytes:
    return data


def crlf(data: bytes) -> bytes:
    return data.replace(b"\n", b"\r\n")


def marked(data: bytes) -> bytes:
    return BOM + crlf(data)


def test_there_is_a_step_to_every_format() -> None:
    assert [step.start for step in MIGRATIONS] == list(range(1, CURRENT))
    assert {step for step, _ in PACKS} == set(range(1, CURRENT))


# ------------------------------------------------------------------ to the byte

@pytest.mark.parametrize("written", [plainly, crlf, marked])
@pytest.mark.parametrize(("step", "name"), PACKS)
def test_a_pack(step: int, name: str, written: object, tmp_path: Path, run: Run) -> None:
    """Every file becomes what it should be, line ends and all; and a second time nothing is left to do."""
    assert callable(written)
    put(tmp_path / "pack", {file: written(data) for file, data in contents(folder(step, "before", name)).items()})
    ran = run("migrate", str(tmp_path / "pack"))
    assert ran.code == 0, ran.out + ran.err
    after = {file: written(data) for file, data in contents(folder(step, "after", name)).items()}
    assert contents(tmp_path / "pack") == after
    again = run("migrate", str(tmp_path / "pack"))
    assert (again.code, again.out.endswith(f"already in format {CURRENT}; nothing to do\n")) == (0, True)
    assert contents(tmp_path / "pack") == after


@pytest.mark.parametrize(("step", "name"), PACKS)
def test_a_pack_is_old_and_then_sound(step: int, name: str) -> None:
    """Before, the only finding is that it is old; afterwards there is none."""
    assert {finding.code for finding in load(folder(step, "before", name)).findings} == {"RW640"}
    assert load(folder(step, "after", name)).findings == ()


@pytest.mark.parametrize(("step", "name"), PACKS)
def test_what_is_written_is_what_was_read(step: int, name: str) -> None:
    """A pack of an older format is read as if it had been rewritten: to the hash of the game that it is."""
    after = load(folder(step, "after", name))
    assert after.program is not None
    files = read_pack(folder(step, "before", name))
    texts = {path: data.decode() for path, data in files.files}
    outcome = migrated(texts, step, CURRENT)
    again = load_files(PackFiles(files.root, tuple((path, text.encode()) for path, text in outcome.texts.items())))
    assert again.program is not None
    assert program_hash(lower(again.program, 2)) == program_hash(lower(after.program, 2))


# ------------------------------------------------------------------ what it tells

def copied(tmp_path: Path, name: str = "blocks") -> Path:
    shutil.copytree(folder(1, "before", name), tmp_path / "here" / "dusk")
    return tmp_path / "here" / "dusk"


def test_it_tells_what_it_did(tmp_path: Path, run: Run) -> None:
    copied(tmp_path)
    assert run("migrate", "dusk").out.splitlines() == [
        "dusk/pack.yaml:4: format 1 became format 2",
        "dusk/pack.yaml:21: moved 6 entries from state to a separate document `tracks`",
        "dusk/pack.yaml:23: dusk: added `of: boolean`",
        "dusk/pack.yaml:28: tired: added `of: boolean`",
        "dusk/pack.yaml:33: awake: added `of: boolean`",
        "dusk/pack.yaml:36: late: added `of: boolean`",
        "dusk/pack.yaml:4: format 2 became format 3",
        "dusk: 1 file rewritten; the pack is now in format 3",
    ]


def test_check_only_tells(tmp_path: Path, run: Run) -> None:
    pack = copied(tmp_path, "documents")
    before = contents(pack)
    ran = run("migrate", "dusk", "--check")
    assert ran.code == 1
    assert ran.out.splitlines() == [
        "dusk/pack.yaml:1: added `format: 2`",
        "dusk/pack.yaml:5: moved 1 entry from state to a separate document `tracks`",
        "dusk/pack.yaml:6: dusk: added `of: boolean`",
        "dusk/pack.yaml:11: the section state became tracks (1 entry)",
        "dusk/more/state.yaml:2: the section state became tracks (2 entries)",
        "dusk/more/state.yaml:4: late: added `of: boolean`",
        "dusk/pack.yaml:2: format 2 became format 3",
        "dusk: 2 files would be rewritten; nothing was written",
    ]
    assert contents(pack) == before
    assert run("migrate", "dusk").code == 0
    assert run("migrate", "dusk", "--check").code == 0


def test_the_pack_around_and_all_packs_of_a_folder(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied(tmp_path)
    shutil.copytree(folder(1, "before", "braces"), tmp_path / "here" / "dawn")
    assert run("migrate", ".", "--check").out.count("nothing was written") == 2
    monkeypatch.chdir(tmp_path / "here" / "dawn")
    assert run("migrate").out.splitlines()[-1] == "dawn: 1 file rewritten; the pack is now in format 3"
    monkeypatch.chdir(tmp_path)
    assert "missing PACK" in run("migrate").err
    assert run("migrate").code == 2


def test_formats_that_there_are(tmp_path: Path, run: Run) -> None:
    copied(tmp_path)
    assert run("migrate", "dusk", "--to", "1").out == "dusk: already in format 1; nothing to do\n"
    assert "unknown format 4; this version" in run("migrate", "dusk", "--to", "4").err
    assert run("migrate", "dusk", "--to", "2").code == 0
    assert "cannot be converted to the older format 1" in run("migrate", "dusk", "--to", "1").err


def test_a_newer_format(tmp_path: Path, run: Run) -> None:
    put(
        tmp_path / "here" / "dusk",
        {"pack.yaml": b"pack: dusk\nformat: 4\nplayers: 2\nstate: {}\nmoods: [sleepy]\n"},
    )
    ran = run("migrate", "dusk")
    assert ran.code == 1
    assert "dusk/pack.yaml:2: this pack uses format 4" in ran.out
    assert "install a newer version of rulewright" in ran.out
    checked = run("validate", "dusk", "--format", "concise")
    assert re.findall(r"RW\d+", checked.out) == ["RW641"]


def test_shipped_packs_are_left_alone(run: Run) -> None:
    ran = run("migrate", "tutorial")
    assert (ran.code, "is an installed pack" in ran.err) == (2, True)


def test_all_shipped_packs_are_of_today(run: Run) -> None:
    roots = [*sorted((ROOT / "content").iterdir()), ROOT / "tools" / "starter"]
    for root in (root for root in roots if (root / "pack.yaml").is_file()):
        assert run("migrate", str(root), "--check").code == 0, root


# ------------------------------------------------------------------ what it leaves alone

HEAD = "pack: dusk\nversion: 0.1.0\nformat: 1\nplayers: 2\n"
GAME = """\
---
round: turn
turns-from: first of players
until: turns >= 3
steps:
  - id: wait
    do: turns += 1
"""


@pytest.mark.parametrize(
    ("sections", "line", "said"),
    [
        (
            "state:\n  turns: &number {of: number}\ntracks:\n  coins: *number\n",
            6,
            "`turns` has an anchor `&` or an alias `*`: write out its value",
        ),
        (
            "tracks:\n  coins: {scope: player}\nlists:\n  guests: &kept {of: player}\n"
            "state:\n  turns: {of: number}\n  who: *kept\n",
            11,
            "`who` has an anchor `&` or an alias `*`: write out its value",
        ),
        (
            "tracks:\n  turns: {}\nstate:\n  turns: {of: number}\n",
            8,
            "`turns` is in `state` and in `tracks`: rename or remove one of them",
        ),
        (
            "tracks: &all\n  coins: {scope: player}\nstate:\n  turns: {of: number}\n  turns: {of: player}\n",
            9,
            "cannot be read; fix this first: the key `turns` appears twice; only one of its values could count",
        ),
        (
            "state:\ntracks:\n  turns: {}\n",
            5,
            "`state` holds no entries: remove it",
        ),
        (
            "state:\n  turns: {of: number\n",
            6,
            "cannot be read; fix this first: ",
        ),
    ],
)  # fmt: skip
def test_refusals(sections: str, line: int, said: str, tmp_path: Path, run: Run) -> None:
    """What cannot be moved safely is named with its place, and no file changes."""
    files = {
        "pack.yaml": (HEAD + sections + GAME).encode(),
        "more.yaml": b"state: {dusk: {}}\n---\nlists: {late: {of: player}}\n",
    }
    put(tmp_path / "here" / "dusk", files)
    ran = run("migrate", "dusk")
    assert ran.code == 1
    told = ran.out.splitlines()
    assert any(re.match(rf"dusk/pack\.yaml:\d+: {re.escape(said)}", one) for one in told), ran.out
    assert told[0].startswith(f"dusk/pack.yaml:{line}: "), ran.out
    assert told[-1] == "dusk: nothing was written; fix the problems above first"
    assert contents(tmp_path / "here" / "dusk") == files


def test_aliases_that_move_safely(tmp_path: Path, run: Run) -> None:
    """An alias that comes after its anchor wherever it goes is no trouble; what it stands for says it once."""
    sections = "tracks:\n  coins: {scope: player}\nstate:\n  dusk: &each {scope: player}\n  late: *each   # too\n"
    game = "  turns: {of: number}\n" + GAME
    put(tmp_path / "here" / "dusk", {"pack.yaml": (HEAD + sections + game).encode()})
    assert run("migrate", "dusk").code == 0
    head, moved = HEAD.replace("format: 1", "format: 3"), sections.replace("state:\n", "---\ntracks:\n")
    moved = moved.replace("player}\n  late", "player, of: boolean}\n  late")
    assert contents(tmp_path / "here" / "dusk") == {"pack.yaml": (head + moved + game).encode()}


@pytest.mark.parametrize(
    ("sections", "after"),
    [
        ("state: {dusk: {}}", "tracks: {dusk: {of: boolean}}"),
        ("state: {dusk: {}}, tracks: {coins: number}", None),
    ],
)
def test_a_document_in_one_pair_of_braces(sections: str, after: str | None, tmp_path: Path, run: Run) -> None:
    """A section gets another name there, but nothing is taken out of the braces."""
    text = "{pack: dusk, version: 0.1.0, players: 2, " + sections + "}\n" + GAME.replace("turns >= 3", "true")
    text = text.replace("turns += 1", "do nothing")
    put(tmp_path / "here" / "dusk", {"pack.yaml": text.encode()})
    ran = run("migrate", "dusk")
    if after is None:
        said = "`state` and `tracks` are in one pair of braces: write the document in lines"
        assert ran.code == 1
        assert ran.out.splitlines() == [
            f"dusk/pack.yaml:1: {said}",
            "dusk: nothing was written; fix the problems above first",
        ]
        after = sections
    else:
        assert ran.code == 0
        text = text.replace("0.1.0,", "0.1.0, format: 3,")
    assert contents(tmp_path / "here" / "dusk") == {"pack.yaml": text.replace(sections, after).encode()}


def test_what_is_wrong_besides_stays_so(tmp_path: Path, run: Run) -> None:
    """Other findings do not hinder a migration, even those of entries that move; it adds none."""
    text = HEAD + "state:\n  turns: {of: numbr}\n  dusk:\n  late: {scop: player}\n" + GAME
    put(tmp_path / "here" / "dusk", {"pack.yaml": text.encode()})
    before = load(Path("dusk")).findings
    assert run("migrate", "dusk").code == 0
    after = load(Path("dusk")).findings
    assert sorted(one.code for one in before) == sorted(["RW640", *(one.code for one in after)])
    assert len(after) == 3


def test_a_new_finding_hinders(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Were a migration to break a pack, nothing of it would be written."""
    pack = copied(tmp_path)
    before = contents(pack)

    def breaking(texts: dict[str, str], start: int, end: int) -> MigrationOutcome:
        out = migrated(texts, start, end)
        return MigrationOutcome(
            {path: text.replace("fame += 1", "fane += 1") for path, text in out.texts.items()}, out.done
        )

    monkeypatch.setattr("rulewright.tools.commands.migrate.migrated", breaking)
    ran = run("migrate", "dusk")
    assert ran.code == 1
    why = "the result would have a new finding: dusk/pack.yaml:64: nothing is called `fane` here"
    assert ran.out.splitlines()[-1] == f"dusk: nothing was written, because {why}"
    assert contents(pack) == before


def test_files_that_are_no_text(tmp_path: Path, run: Run) -> None:
    pack = copied(tmp_path)
    put(pack, {"more.yaml": b"messages: {late: caf\xe9}\n"})
    before = contents(pack)
    ran = run("migrate", "dusk")
    assert (ran.code, ran.out) == (1, "dusk/more.yaml:1: this file is not UTF-8; save it as UTF-8\n")
    assert contents(pack) == before


def test_all_files_or_none(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """When a file cannot be replaced, those before it become again what they were."""
    pack = copied(tmp_path, "documents")
    before = contents(pack)
    replace = os.replace

    def failing(source: str | Path, target: str | Path) -> None:
        if Path(target).name == "state.yaml":
            raise PermissionError(13, "Permission denied", str(target))
        replace(source, target)

    monkeypatch.setattr("rulewright.tools.packs.rewriting.os.replace", failing)
    ran = run("migrate", "dusk")
    assert (ran.code, "state.yaml: Permission denied; nothing was changed" in ran.err) == (2, True)
    assert contents(pack) == before


def test_modes_and_links_stay(tmp_path: Path, run: Run) -> None:
    pack = copied(tmp_path, "documents")
    (pack / "more").rename(pack / "rules")
    (pack / "rules" / "state.yaml").rename(pack / "rules" / "state.txt")
    (pack / "state.yaml").symlink_to("rules/state.txt")
    (pack / "pack.yaml").chmod(0o640)
    assert run("migrate", "dusk").code == 0
    assert (pack / "state.yaml").is_symlink()
    assert (pack / "rules" / "state.txt").read_bytes() == (
        folder(1, "after", "documents/more/state.yaml")
    ).read_bytes()
    assert (pack / "pack.yaml").stat().st_mode & 0o777 == 0o640


# ------------------------------------------------------------------ any pack at all

SECTIONS = ("tracks", "state", "lists", "messages")
BODIES = {
    "tracks": ("{scope: player}", "number", "\n  scope: player"),
    "state": (
        "{of: number}", "player", "{}", "{ }", "{scope: player}", "{ name: {en: x} }",
        "\n  scope: player\n  name: {en: x}", "\n  name: x\n  of: player",
    ),
    "lists": ("{of: player}",),
    "messages": ("{en: Text}", '"a # in quotes"', "|\n  state:\n    # text\n"),
}  # fmt: skip
"""What may stand in a section, as it is written below column 1."""


@st.composite
def packs(draw: st.DrawFn) -> tuple[str, list[str]]:
    """A pack with comments and gaps wherever they may be, each comment with a number, and its comments."""
    numbers = iter(range(1000))
    comments: list[str] = []

    def comment() -> str:
        comments.append(f"# note {next(numbers)}, state: {{}}")
        return comments[-1]

    def behind() -> str:
        return f"   {comment()}" if draw(st.integers(0, 3)) == 0 else ""

    def between(*columns: int) -> list[str]:
        made = []
        for what in draw(st.lists(st.sampled_from(["", *columns]), max_size=3)):
            made.append("" if what == "" else " " * int(what) + comment())
        return made

    lines = ["pack: dusk" + behind(), "version: 1.0.0" + behind(), "players: 2"]
    if draw(st.booleans()):
        lines.insert(2, "format: 1" + behind())
    names = iter(f"name-{number}" for number in range(100))
    order = draw(st.permutations(SECTIONS))
    for section in order[: draw(st.integers(1, 4))]:
        if section == "state" or draw(st.booleans()):
            lines += between(0)
        column = draw(st.sampled_from([1, 2, 4]))
        lines.append(f"{section}:{behind()}")
        for number in range(draw(st.integers(1, 3))):
            if number:
                lines += between(0, column)
            elif draw(st.booleans()):
                lines += between(column)
            body = draw(st.sampled_from(BODIES[section]))
            first, *rest = f"{next(names)}: {body}".split("\n")
            block = first.endswith("|")
            lines.append(" " * column + first.rstrip() + ("" if block else behind()))
            for line in rest:
                lines.append(" " * column + line + ("" if block else behind()) if line else "")
        if draw(st.booleans()):
            lines += between(column)
    if draw(st.booleans()):
        lines += between(0)
    if draw(st.booleans()):
        lines += ["---", *between(0), "state:" + behind(), f"   {next(names)}: {{}}" + behind()]
    eol = draw(st.sampled_from(["\n", "\r\n"]))
    text = eol.join(lines) + (eol if draw(st.booleans()) else "")
    return ("\ufeff" if draw(st.booleans()) else "") + text, comments


@pytest.mark.slow
@settings(max_examples=300, derandomize=True, deadline=None, database=None)
@given(packs())
def test_comments_and_all_other_bytes_survive(made: tuple[str, list[str]]) -> None:
    text, comments = made
    documents = read("pack.yaml", text).documents
    start = format_of(documents)
    outcome = migrated({"pack.yaml": text}, start, CURRENT)
    assert outcome.refused == ()
    after = outcome.texts["pack.yaml"]
    new = read("pack.yaml", after)
    assert new.diagnostics == () and format_of(new.documents) == CURRENT
    if start == CURRENT:
        assert after == text
        return
    for comment in comments:
        assert after.count(comment + ("\r\n" if "\r\n" in text else "\n")) + after.endswith(comment) == 1, comment
    assert _untouched(text, documents) == _kept(after, _untouched(text, documents))
    assert after.startswith("\ufeff") == text.startswith("\ufeff")
    assert after.count("\r\n") == (after.count("\n") if "\r\n" in text else 0)
    assert _remembered(documents) == _remembered(new.documents)
    assert migrated({"pack.yaml": after}, CURRENT, CURRENT).texts["pack.yaml"] == after


def _untouched(text: str, documents: object) -> list[str]:
    """The lines of a file that say something and lie outside of its sections `state`."""
    inside = False
    kept = []
    for line in text.splitlines(keepends=True):
        if line.strip() and line[0] not in " #\r\n\ufeff":
            inside = line.startswith("state:")
        if line.strip() and not inside and not line.lstrip().startswith("#") and not line.startswith("format:"):
            kept.append(line.rstrip("\r\n"))
    return kept


def _kept(after: str, wanted: list[str]) -> list[str]:
    """Those of the lines that are there, in their order."""
    lines = iter(line.rstrip("\r\n") for line in after.splitlines())
    return [line for line in wanted if line in lines]


def _remembered(documents: tuple[object, ...]) -> list[tuple[str, object]]:
    """All that a pack remembers, in the order in which it stands, with its type said."""
    found: list[tuple[str, object]] = []
    for document in documents:
        whole = plain(document.root)
        for section in ("tracks", "state"):
            for name, body in whole.get(section, {}).items():
                said = {"of": body} if isinstance(body, str) else dict(body)
                said.setdefault("of", "number" if section == "tracks" else "boolean")
                found.append((name, said))
    return found


# ------------------------------------------------------------------ house rules in format 2

CHANGES = """\
pack: brighter
version: 0.1.0
format: 2
extends: {dusk: "*"}
---
change: track/oil
set: {scope: {was: lamp, to: [player, lamp]}}   # of each player's lamps
---
change: track/wicks
add:
  scope: [lamp]
remove: {scope: ["lamp"]}
---
change: list/lit-by
set: {scope: lamp, of: player}
---
change: zone/heap
set: {scope: lamp}
---
change: pack/dusk
add: {tracks: {soot: {scope: lamp}}}
"""


def test_scopes_in_changes() -> None:
    """Changes of tracks and lists say `lamp card`, also of the old value; zones stay as they are."""
    expected = CHANGES
    for before, after in (
        ("format: 2", "format: 3"),
        ("was: lamp, to: [player, lamp]", "was: lamp card, to: [player, lamp card]"),
        ("  scope: [lamp]", "  scope: [lamp card]"),
        ('["lamp"]', "[lamp card]"),
        ("{scope: lamp, of", "{scope: lamp card, of"),
        ("soot: {scope: lamp}", "soot: {scope: lamp card}"),
    ):
        assert expected.count(before) == 1
        expected = expected.replace(before, after)
    outcome = migrated({"pack.yaml": CHANGES}, 2, CURRENT)
    assert not outcome.refused
    assert outcome.texts["pack.yaml"] == expected
