"""`rulewright show`: cards, the list of declarations, and correct lists of uses."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from rulewright.ruleset.pipeline import load_files
from rulewright.ruleset.source.pack_files import read_pack
from rulewright.tools.commands.show import shelf_of
from tests.tools.harness import ROOT, Run

MORE = """\
---
charm: whistle
name: {en: Whistle, es: Silbato}
cost: 2
copies: 2
text: {en: A card for two coins., es: Dos monedas por una carta.}
source: rulebook, page 4
play: |
  choose 1 card from hand as sold   # which one
  if sold is lantern: draw 1
  coins += 2
---
hook: tithe
after: verb/draw
when: n >= 3
do: coins -= 1
---
layout: table
groups:
  - show: [{row: places}, coins]
"""


@pytest.fixture
def lanterns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The little game of the language reference, with a few things more; we are in its folder."""
    folder = tmp_path / "lanterns"
    folder.mkdir()
    text = (ROOT / "tests" / "docs" / "lanterns.yaml").read_text("utf-8")
    (folder / "pack.yaml").write_text(text + MORE, "utf-8")
    (folder / "scenarios").mkdir()
    (folder / "scenarios" / "bells.yaml").write_text(
        "scenario: A bell draws\nplayers: [ann, ben]\ngiven: {phase: market, ann: {hand: bell}}\n"
        "then:\n  - count(ann's hand) is 1\n",
        "utf-8",
    )
    monkeypatch.chdir(folder)
    return folder


CARDS = """
    charm/whistle bell red-1 coin/coin draw discard-card rich price zone/hand fame rounds arrivals colour red
    long-night hand-size kind/charm component/charms market buy light brightest refusal bearer bargain tithe table
    nightfall pack/lanterns
"""


@pytest.mark.slow
@pytest.mark.parametrize("wanted", [*CARDS.split(), "A bell draws"])
def test_cards(run: Run, lanterns: Path, snapshot: SnapshotAssertion, wanted: str) -> None:
    ran = run("show", wanted)
    assert (ran.code, ran.err) == (0, "")
    assert without_lines(ran.out) == snapshot


def without_lines(text: str) -> str:
    """Without numbers of lines, which change with the text of the reference's game."""
    return re.sub(r"(\.yaml):[\d,]+", r"\1:…", text)


def test_the_list(run: Run, lanterns: Path, snapshot: SnapshotAssertion) -> None:
    ran = run("show")
    assert (ran.code, ran.err) == (0, "")
    assert without_lines(ran.out) == snapshot


def test_another_language(run: Run, lanterns: Path) -> None:
    languages: list[tuple[str, ...]] = [(), ("--lang", "en"), ("--lang", "es")]
    both, english, spanish = (run("show", "whistle", *language).out for language in languages)
    assert "A card for two coins." in both and "Dos monedas por una carta." in both
    assert "Dos monedas" not in english and "Uses" in english
    assert "A card for" not in spanish and "Usa\n" in spanish
    assert all("Whistle · Silbato" in one for one in (both, english, spanish))


LONG = "A bell draws a card for the player who rings it, whoever holds the lanterns and however long the night is"
"""The title of a scenario, wider than a terminal."""


@pytest.mark.parametrize("width", [40, 80])
def test_lines_fit_the_terminal(run: Run, lanterns: Path, monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    """Lines are wrapped between words, and nothing is lost; rules stay as they are written."""
    file, scenario = lanterns / "pack.yaml", lanterns / "scenarios" / "bells.yaml"
    scenario.write_text(scenario.read_text("utf-8").replace("A bell draws", LONG), "utf-8")
    rule = "coins += 2   # this comment makes the line of the rule longer than either of these terminals"
    file.write_text(file.read_text("utf-8").replace("coins += 2\n", f"{rule}\n"), "utf-8")
    for wanted in ("zone/hand", "whistle", "bell", "component/lanterns", "kind/charm"):
        monkeypatch.setenv("COLUMNS", "1000")
        whole = run("show", wanted).out
        monkeypatch.setenv("COLUMNS", str(width))
        lines = run("show", wanted).out.splitlines()
        assert " ".join(" ".join(lines).split()) == " ".join(whole.split())
        rules = {line.rstrip().partition("  from ")[0] for line in whole.split("Uses\n")[0].splitlines()}
        assert not [line for line in lines if len(line) > width and " " in line.strip() and line not in rules]
    assert rule in run("show", "whistle").out
    hand = run("show", "zone/hand").out
    assert LONG not in hand and f"  {LONG[:29]}" in hand
    for line in run("show").out.splitlines():
        assert len(line) <= width, line


def test_data_is_not_wrapped(run: Run, lanterns: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wide = run("show", "whistle", "--json").out
    monkeypatch.setenv("COLUMNS", "40")
    assert run("show", "whistle", "--json").out == wide


def test_as_data(run: Run, lanterns: Path) -> None:
    told = json.loads(run("show", "whistle", "--json").out)
    assert told["id"] == "charm/whistle"
    assert told["kind"] == "charm"
    assert told["names"] == {"en": "Whistle", "es": "Silbato"}
    assert told["source"] == "rulebook, page 4"
    fields = {one["key"]: (one["written"], one["from"]) for one in told["fields"]}
    assert fields["cost"] == ("2", None)
    assert fields["copies"] == ("2", None)
    assert fields["starts"] == ("deck", "component/charms")
    assert fields["play"][0].splitlines()[-1] == "coins += 2"
    assert {one["id"] for one in told["uses"]} == {"kind/lantern", "verb/draw", "zone/hand", "track/coins"}
    listed = json.loads(run("show", "--json").out)["declarations"]
    assert {"id": "verb/draw", "kind": "verb", "key": "draw"}.items() <= next(
        one for one in listed if one["id"] == "verb/draw"
    ).items()


@pytest.mark.parametrize(
    ("wanted", "says"),
    [
        ("coins", "several declarations are called coins:\n  component/coins  pack.yaml:"),
        ("coins", "\n  track/coins  pack.yaml:"),
        ("bel", "bel not found in lanterns; did you mean charm/bell?"),
        ("verb/darw", "did you mean verb/draw?"),
        ("charm/lantern-of-night", "names of the kind charm: bell, feather, whistle"),
        ("zzzzz", "rulewright show lists all declarations"),
    ],
)
def test_what_is_not_found(run: Run, lanterns: Path, wanted: str, says: str) -> None:
    ran = run("show", wanted)
    assert (ran.code, ran.out) == (2, "")
    assert says in ran.err


@pytest.mark.parametrize("wanted", ["whistle", "charm/whistle", "whistles", "Whistle", "silbato"])
def test_ways_to_name_it(run: Run, lanterns: Path, wanted: str) -> None:
    assert run("show", wanted).out.startswith("Whistle · Silbato  charm/whistle\npack.yaml:")


@pytest.mark.parametrize("wanted", ["bell", "charm/bell"])
@pytest.mark.parametrize(
    ("right", "wrong", "code", "marked", "shown"),
    [
        ("play: draw 1\n", "play: darw 1\n", "RW425", "darw", "play    darw 1"),
        ("cost: 3\nplay: draw", "csot: 3\nplay: draw", "RW201", "csot", "csot    3"),
        ("cost: 3\nplay: draw", "cost: [3\nplay: draw", "RW104", "[", ""),
        ("cost: 3\nplay: draw", "cost: 3\ncost: 3\nplay: draw", "RW110", "cost", "cost    3"),
        ("charm: bell\n", "cahrm: bell\n", "RW310", "cahrm", ""),
    ],
)
def test_a_card_with_a_mistake(
    run: Run, lanterns: Path, wanted: str, right: str, wrong: str, code: str, marked: str, shown: str
) -> None:
    """Its finding is printed as `validate` prints it, after what can be shown; a mistake elsewhere is not."""
    file = lanterns / "pack.yaml"
    text = file.read_text("utf-8")
    assert text.count(right) == 1
    file.write_text(text.replace(right, wrong).replace("victim discards 1", "victim dsicards 1"), "utf-8")
    ran = run("show", wanted)
    assert ran.code == 1
    assert ran.out.startswith("bell  charm/bell\n") and shown in ran.out if shown else not ran.out
    finding, _, rest = ran.err.partition("\n\n")
    assert finding.startswith(f"error[{code} ") and finding in run("validate").out
    assert f"^{'^' * (len(marked) - 1)}\n" in f"{finding}\n" and "dsicards" not in ran.err
    last = "lanterns has " if shown else f"{wanted} cannot be shown until its errors are fixed\n"
    assert rest.startswith(f"found 1 error\n{last}")


def test_a_file_with_a_mistake_hides_no_other_card(run: Run, lanterns: Path) -> None:
    """One mistake is in the file of the card, another in a section of the pack."""
    cards, file = lanterns / "cards.yaml", lanterns / "pack.yaml"
    cards.write_text('charm: gong\nname: "Gong\n', "utf-8")
    gong = run("show", "gong")
    assert (gong.code, gong.out) == (1, "")
    assert "--> cards.yaml:2" in gong.err and "gong cannot be shown" in gong.err
    bell = run("show", "bell")
    assert bell.code == 0 and bell.out.startswith("bell  charm/bell\n")
    assert bell.err == (
        "rulewright: lanterns has 1 error, so uses may be missing; rulewright validate lists errors\n"
    )
    unknown = run("show", "zzzz")
    assert (unknown.code, unknown.out) == (2, "")
    assert unknown.err == (
        "rulewright: zzzz not found in lanterns; rulewright show lists all declarations\n"
        "  lanterns has 1 error, so declarations may be missing; rulewright validate lists errors\n"
    )
    cards.unlink()
    file.write_text(file.read_text("utf-8").replace("row: {order: row,", "row: {order: row"), "utf-8")
    row = run("show", "zone/row")
    assert (row.code, row.out) == (1, "") and "--> pack.yaml:" in row.err


def test_house_rules_with_a_mistake(run: Run, lanterns: Path) -> None:
    """A card has the errors of its changes; packs that cannot be combined have no cards."""
    file = lanterns.parent / "rung" / "pack.yaml"
    file.parent.mkdir()
    text = 'pack: rung\nversion: 1.0.0\nformat: 3\nextends: {lanterns: ">=0.1,<1"}\n---\n'
    text += "change: charm/bell\nset: {csot: 2}\n"
    file.write_text(text, "utf-8")
    asked = ("--in", "../lanterns", "--with", "../rung")
    bell = run("show", "bell", *asked)
    assert bell.code == 1 and bell.out.startswith("bell  charm/bell\n")
    assert "../rung/pack.yaml:7:7" in bell.err.replace(str(lanterns.parent), "..") and "found 1 error" in bell.err
    other = run("show", "feather", *asked)
    assert other.code == 0 and other.err.startswith("rulewright: lanterns+rung has 1 error")
    file.write_text(text.replace(">=0.1,<1", "0.1").replace("csot", "cost"), "utf-8")
    bell = run("show", "bell", *asked)
    assert (bell.code, bell.out) == (1, "")
    assert "error[RW612 " in bell.err and bell.err.endswith("\nbell cannot be shown until its errors are fixed\n")


def test_data_of_a_card_with_a_mistake(run: Run, lanterns: Path) -> None:
    file = lanterns / "pack.yaml"
    file.write_text(file.read_text("utf-8").replace("play: draw 1\n", "play: darw 1\n"), "utf-8")
    ran = run("show", "bell", "--json")
    assert ran.code == 1 and json.loads(ran.out)["id"] == "charm/bell" and "error[RW425 " in ran.err


@pytest.mark.slow
def test_which_pack(run: Run, lanterns: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(lanterns.parent)
    assert "missing --in PACK" in run("show", "bell").err
    assert "lanterns/pack.yaml:" in run("show", "bell", "--in", "lanterns").out
    assert run("show", "--in", "rattus-cartus").code == 0


def test_colours_are_for_terminals(run: Run, lanterns: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b" not in run("show", "whistle").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in run("show", "whistle").out


# ------------------------------------------------------------------ who mentions whom

NET = """\
pack: net
players: 2
enumerations: {colour: [red, green]}
options: {windy: {default: false}, mood: {one-of: [calm, wild], default: calm}}
values: {size: 3, prizes: [2, 1]}
kinds:
  knot:
    fields: {colour: colour, twin: {type: knot, default: none}, length: {type: number, default: 1}}
    effects: {tie: {takes: {other: float card}, optional: true}}
  float: {}
components:
  knots: {kind: knot, copies: size, starts: sea, home: shore}
  floats: {kind: float, starts: sea}
zones:
  sea: {order: pile, seen-by: nobody, accepts: [knot, float], refill: {from: shore}}
  shore: {order: pile}
  hand: {scope: player}
  boxes: {scope: knot}
tracks: {pull: {scope: [player, colour]}, first-seat: {of: player}}
lists: {pulled: {of: colour}}
messages: {tide: The tide is high.}
---
knot: reef
colour: red
---
knot: bow
colour: green
twin: reef
tie: announce tide
---
verb: cast(s) <n> <what float|knot>
do: move top n of sea to hand
---
function: strong
takes: {one: knot card}
is: one's colour is red and windy
---
function: weight
gives: number
is: size
---
window: storm
asks: players where count(it's hand) > 1
options: {flee: start haste until the turn ends}
---
claim: catch
proof: hand where it is reef
challenge: {asks: others}
---
modifier: haste
changes: weight
is: result + 1
---
modifier: stretch
changes: knot.length
is: result + 1
---
hook: wet
before: verb/cast
do: do nothing
---
hook: swell
after: verb/cast
waits: true
do: do nothing
---
setup: begin
steps:
  - id: fill
    do: |
      each p in players:
        p casts 1 bow
        p's pull[green] += weight
        p claims catch
        p opens storm
      each k in knots in sea where strong(k):
        if k has tie: do nothing
      each h in floats in shore:
        each q in knots in sea: perform q's tie with other = h
      add red to pulled
      if mood is wild: reveal sea
      let all-of-them = count(every knot)
---
round: day
turns-from: first-seat
until: true
phases: [noon]
---
phase: noon
steps:
  - id: pull
    do: |
      pull[red] += reef's length
      await swell
---
finish: end
reveals: [hand]
awards: [most]
---
award: most
for-each: {one: colour}
rank: pull[one]
prizes: prizes
---
layout: table
groups: [{show: [{sea: count}, pull, pulled]}]
hidden: [shore]
---
face: knot
corners: {top-left: length}
symbols: {length: drop, colour: {red: sun}}
colours: {colour: {green: teal}, bow: violet}
---
face: float
colours: grey
"""

MENTIONED = {
    "colour/red": {"face/knot", "knot/reef", "function/strong", "step/begin.fill", "step/noon.pull"},
    "colour/green": {"face/knot", "knot/bow", "step/begin.fill"},
    "enumeration/colour": {"kind/knot", "track/pull", "list/pulled", "award/most"},
    "option/windy": {"function/strong"},
    "option/mood": {"step/begin.fill"},
    "value/size": {"component/knots", "function/weight"},
    "value/prizes": {"award/most"},
    "kind/knot": {
        "kind/knot", "component/knots", "zone/sea", "zone/boxes", "verb/cast", "function/strong", "step/begin.fill",
        "modifier/stretch", "step/noon.pull", "face/knot",
    },
    "kind/float": {"face/float", "kind/knot", "component/floats", "zone/sea", "verb/cast", "step/begin.fill"},
    "knot/reef": {"knot/bow", "claim/catch", "step/noon.pull"},
    "knot/bow": {"step/begin.fill", "face/knot"},
    "zone/sea": {"component/knots", "component/floats", "verb/cast", "step/begin.fill", "layout/table"},
    "zone/shore": {"component/knots", "zone/sea", "step/begin.fill", "layout/table"},
    "zone/hand": {"verb/cast", "window/storm", "claim/catch", "finish/end"},
    "track/pull": {"step/begin.fill", "step/noon.pull", "award/most", "layout/table"},
    "track/first-seat": {"round/day"},
    "list/pulled": {"step/begin.fill", "layout/table"},
    "message/tide": {"knot/bow"},
    "verb/cast": {"hook/wet", "hook/swell", "step/begin.fill"},
    "hook/swell": {"step/noon.pull"},
    "function/strong": {"step/begin.fill"},
    "function/weight": {"modifier/haste", "step/begin.fill"},
    "modifier/haste": {"window/storm"},
    "window/storm": {"step/begin.fill"},
    "claim/catch": {"step/begin.fill"},
    "phase/noon": {"round/day"},
    "award/most": {"finish/end"},
}  # fmt: skip


def test_every_mention_is_known_and_no_other(tmp_path: Path) -> None:
    """Read off the pack above, line by line."""
    (tmp_path / "pack.yaml").write_text(NET, "utf-8")
    loaded = load_files(read_pack(tmp_path))
    assert loaded.findings == ()
    found: dict[str, set[str]] = {}
    for one in shelf_of(loaded).mentions:
        found.setdefault(one.target.id, set()).add(one.source.id)
    assert found == MENTIONED


def test_a_verb_that_was_tried_only_is_not_mentioned(tmp_path: Path) -> None:
    """Two verbs fit the words, and the types choose one."""
    verbs = "".join(f"---\nverb: keep(s) <n> <what {kind}>\ndo: do nothing\n" for kind in ("float", "knot"))
    caller = "---\nverb: hoard(s)\ndo: keep 1 bow\n"
    (tmp_path / "pack.yaml").write_text(NET + verbs + caller, "utf-8")
    loaded = load_files(read_pack(tmp_path))
    assert loaded.findings == ()
    used = {one.target.id for one in shelf_of(loaded).mentions if one.source.id == "verb/hoard"}
    assert used == {"verb/keep#2", "knot/bow"}


def test_a_mention_has_the_place_of_its_words(tmp_path: Path) -> None:
    (tmp_path / "pack.yaml").write_text(NET, "utf-8")
    loaded = load_files(read_pack(tmp_path))
    lines = NET.splitlines()
    for one in shelf_of(loaded).mentions:
        words = lines[one.span.line - 1][one.span.column - 1 : one.span.end_column - 1]
        name = "pulled" if one.target.id == "list/pulled" else one.target.key
        assert name[:4] in words or one.of[:3] in words or one.target.id.startswith("verb/"), (one.target.id, words)


@pytest.mark.slow
def test_every_shipped_declaration_has_a_card(run: Run, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(ROOT / "content" / "rattus-cartus", copy)
    shelf = shelf_of(load_files(read_pack(copy)))
    for item in shelf.items.items:
        card = shelf.card(item)
        assert card.id == item.id
        assert all(link.places for link in (*card.uses, *card.used_by))


def test_a_hook_at_several_places_uses_each_of_them(run: Run) -> None:
    shown = run("show", "hook/tithe", "--in", str(ROOT / "tests" / "packs" / "edicts"))
    assert shown.code == 0
    uses = shown.out.partition("Uses")[2]
    assert "verb/harvest" in uses and "verb/glean-for" in uses
