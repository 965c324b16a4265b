"""`balance --check`, beside what the rules of the quarry give by calculation.

Both seats break four of three stones, worth 0, 2 and 10, at random: eight decisions a game, each of which offers
all stones, and both seats are equal.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from rulewright.ruleset.table.nodes import TableProgram
from rulewright.tools.balance.subjects import first_groups
from rulewright.tools.packs import loading
from tests.tools.balance.test_study import QUARRY, whole
from tests.tools.harness import FORGED, Run, forged

WORLDS = ("--worlds", "60")
"""The same numbers on every machine."""

GOOD = """\
expect: yard
text: {en: Two random players.}
players: 2
first-seat-wins: 40 to 60 %
no-winner: at most 5 %
several-winners: 2 to 20 %
mean-length: 8 to 8 decisions
usual-length: 8 to 8 decisions
offered-in-games: {stone: at least 90 %}
chosen-when-offered: {stone: 25 to 42 %}
"""
BAD = """\
expect: wrong
first-seat-wins: at most 40 %
mean-length: at most 7 decisions
usual-length: at least 9 decisions
chosen-when-offered: {stone: at least 60 %, stone/chalk: at most 60 %}
ignore: {stone/slate: it is grey}
"""
MORE = "".join(
    f"---\nstone: stone-{worth}\nname: {{en: Stone {worth}}}\nworth: {worth}\n" for worth in (4, 6, 8, 40)
)


@pytest.fixture
def yard(tmp_path: Path) -> Callable[..., str]:
    """A copy of the quarry with more documents; its folder."""
    numbers = iter(range(100))

    def made(*documents: str) -> str:
        folder = tmp_path / f"yard{next(numbers)}"
        folder.mkdir()
        text = (QUARRY / "pack.yaml").read_text("utf-8")
        (folder / "pack.yaml").write_text(text + "".join(f"---\n{one}" for one in documents), "utf-8")
        return str(folder)

    return made


def results(data: dict[str, Any]) -> Iterator[tuple[str, str | None, str]]:
    for table in data["tables"]:
        yield from ((one["code"], one["id"], one["result"]) for one in table["expectations"])


def ties() -> float:
    """The chance that two seats that break four random stones have equal loads."""
    loads = Counter(map(sum, product((0, 2, 10), repeat=4)))
    return sum((count / 81) ** 2 for count in loads.values())


def test_what_the_rules_give_holds(run: Run, yard: Callable[..., str]) -> None:
    ran = run("balance", yard(GOOD), "--check", "--json", *WORLDS)
    data = json.loads(ran.out)
    assert (ran.code, data["failed"], data["not_decided"]) == (0, 0, 0)
    assert list(results(data)) == [
        *((code, None, "held") for code in (
            "first-seat-wins", "no-winner", "several-winners", "mean-length", "usual-length",
        )),
        *((code, f"stone/{stone}", "held") for code in ("offered-in-games", "chosen-when-offered")
          for stone in ("chalk", "slate", "marble")),
    ]  # fmt: skip
    (table,) = data["tables"]
    by_code = {one["code"]: one for one in table["expectations"]}
    several, mean = by_code["several-winners"]["measured"], by_code["mean-length"]
    assert several["low"] < ties() < several["high"]
    assert (mean["measured"]["value"], mean["unit"], mean["at_least"], mean["at_most"]) == (8, "decisions", 8, 8)
    first = by_code["first-seat-wins"]
    assert (first["unit"], first["at_least"], first["at_most"], first["expected"]) == (
        "share",
        0.4,
        0.6,
        "40 to 60 %",
    )
    assert first["measured"]["low"] < 0.5 < first["measured"]["high"]
    assert (table["expect"], table["players"], table["bot"], table["text"]) == (
        "yard", 2, "random", "Two random players.",
    )  # fmt: skip


def test_what_fails_is_said_with_its_number(run: Run, yard: Callable[..., str]) -> None:
    pack = yard(GOOD, BAD)
    ran = run("balance", pack, "--check", "--json", "--expect", "wrong", *WORLDS)
    data = json.loads(ran.out)
    assert ran.code == 1
    assert list(results(data)) == [
        ("first-seat-wins", None, "failed"), ("mean-length", None, "failed"), ("usual-length", None, "failed"),
        ("chosen-when-offered", "stone/marble", "failed"), ("chosen-when-offered", "stone/chalk", "held"),
    ]  # fmt: skip
    assert data["tables"][0]["ignored"] == [{"id": "stone/slate", "name": "Slate", "reason": "it is grey"}]
    ran = run("balance", pack, "--check", *WORLDS)
    assert ran.code == 1
    said = " ".join(ran.out.split())
    assert "failed mean-length: expected at most 7 decisions, found 8.0 decisions (8.0 to 8.0)" in said
    assert "failed chosen-when-offered stone/marble (Marble): expected at least 60 %, found 3" in said
    assert "held offered-in-games stone: expected at least 90 %; 3 definitions keep to it, nearest" in said
    assert "ignored Slate (stone/slate): it is grey" in said
    assert "4 expectations failed, 0 not decided, 12 held." in said


def test_what_is_not_decided_fails_nothing(run: Run, yard: Callable[..., str]) -> None:
    """A third is within the interval of a few hundred decisions."""
    ran = run("balance", yard("expect: third\nchosen-when-offered: {stone: at least 33 %}\n"), "--check", *WORLDS)
    assert ran.code == 0
    assert "not decided chosen-when-offered" in ran.out
    assert "raise --budget" in ran.out


STANDING = "expect: standing\nnone-stands-out: stone\n"


@pytest.mark.slow
def test_what_stands_out_fails(run: Run, yard: Callable[..., str]) -> None:
    """Of worths 0, 2, 4, 6, 8, 10 and 40, the last is far from all others; whoever takes it is far ahead."""
    pack = yard(MORE.removeprefix("---\n"), STANDING)
    ran = run("balance", pack, "--check", "--json", "--worlds", "100")
    data = json.loads(ran.out)
    found = {one["id"]: one["result"] for one in data["tables"][0]["expectations"]}
    assert (ran.code, found["stone/stone-40"]) == (1, "failed")
    assert "failed" not in {result for key, result in found.items() if key != "stone/stone-40"}
    assert data["tables"][0]["report"]["definitions"][0]["id"] == "stone/stone-40"
    ignoring = STANDING + "ignore: {stone/stone-40: meant to be strong}\n"
    ran = run("balance", yard(MORE.removeprefix("---\n"), ignoring), "--check", "--json", "--worlds", "100")
    ids = [one["id"] for one in json.loads(ran.out)["tables"][0]["expectations"]]
    assert (ran.code, len(ids), "stone/stone-40" in ids) == (0, 6, False)


GROUPS = "groups:\n  heavy: {name: {en: heavy stone}, kind: stone, where: worth > 8}\n"


@pytest.mark.slow
def test_a_report_names_the_group(run: Run, yard: Callable[..., str]) -> None:
    """Without --check, too."""
    pack = yard(MORE.removeprefix("---\n"), f"expect: groups\n{GROUPS}")
    data = json.loads(run("balance", pack, "--json", "--worlds", "40").out)
    found = [(one["id"], one["group"], one["kind_name"], one["rank"], one["of"]) for one in data["definitions"]]
    assert found[:2] == [
        ("stone/stone-40", "heavy", "heavy stone", 1, 2), ("stone/marble", "heavy", "heavy stone", 2, 2),
    ]  # fmt: skip
    assert {one[1:3] + one[4:] for one in found[2:]} == {(None, "stone", 5)}
    shown = run("balance", pack, "--format", "markdown", "--worlds", "40").out
    assert "## Heavy stone" in shown and "## Stone" in shown
    table = run("balance", pack, "--worlds", "40").out
    assert (
        table.index("heavy stone  ") < table.index("Stone 40  ") < table.index("stone  ", table.index("Marble  "))
    )


def test_the_first_document_that_divides_a_kind_counts(yard: Callable[..., str]) -> None:
    other = GROUPS.replace("heavy:", "light:").replace("> 8", "< 8")
    program = loading.compile_pack(yard(f"expect: one\n{GROUPS}", f"expect: two\n{other}")).program
    assert [one.key for one in first_groups(program.expected).groups] == ["heavy"]


def test_the_command_line_replaces_the_table(run: Run, yard: Callable[..., str]) -> None:
    data = json.loads(run("balance", yard(GOOD), "--check", "--json", "--players", "3", *WORLDS).out)
    (table,) = data["tables"]
    assert table["players"] == 3
    lengths = {one["code"]: one["measured"]["value"] for one in table["expectations"] if one["id"] is None}
    assert lengths["mean-length"] == 12  # three seats, four shifts


BOT = "bot: miser\nanswers: [{choice: shift.dig.broken, prefer: [chalk]}]\n"


def test_the_bot_of_the_document_plays(run: Run, yard: Callable[..., str]) -> None:
    """A bot that always breaks chalk never breaks marble; random players break it in a third of all decisions."""
    text = (
        "expect: misers\nbot: {}\nchosen-when-offered: {{stone/chalk: at least 90 %, stone/marble: at most 10 %}}\n"
    )
    for document, more, code in (("miser", (), 0), ("random", (), 1), ("random", ("--bot", "miser"), 0)):
        ran = run("balance", yard(BOT, text.format(document)), "--check", *more, *WORLDS)
        assert ran.code == code, ran.out
    ran = run("balance", yard(BOT, text.replace("bot: {}\n", "").format()), "--check", *WORLDS)
    assert ran.code == 0  # the first bot of the pack


LESS = """\
options: {rich: {default: true}}
---
stone: granite
name: {en: Granite}
worth: 5
when: rich
---
expect: rich
options: {rich: true}
offered-in-games: {stone/granite: at least 90 %}
---
expect: poor
options: {rich: false}
offered-in-games: {stone: at least 90 %}
---
expect: none
options: {rich: false}
offered-in-games: {stone/granite: at least 90 %}
"""


def test_what_a_table_does_not_have_is_left_out(run: Run, yard: Callable[..., str]) -> None:
    pack = yard(LESS)
    found = {
        table["expect"]: [(one["id"], one["result"]) for one in table["expectations"]]
        for table in json.loads(run("balance", pack, "--check", "--json", *WORLDS).out)["tables"]
    }
    assert found == {
        "rich": [("stone/granite", "held")],
        "poor": [(f"stone/{stone}", "held") for stone in ("chalk", "slate", "marble")],
        "none": [(None, "not decided")],
    }


NEVER = """\
stone: granite
name: {en: Granite}
worth: 5
---
change: step/shift.dig
set: {do: "choose 1 stone from (every stone where worth is not 5) as broken\\nload += broken's worth"}
---
expect: never
offered-in-games: {stone: at least 5 %}
"""


def test_what_is_never_offered_fails(run: Run, yard: Callable[..., str]) -> None:
    ran = run("balance", yard(NEVER), "--check", "--json", *WORLDS)
    found = {id: result for _, id, result in results(json.loads(ran.out))}
    assert (ran.code, found["stone/granite"]) == (1, "failed")
    assert {result for id, result in found.items() if id != "stone/granite"} == {"held"}


@pytest.mark.slow
def test_the_same_numbers_with_any_number_of_processes(run: Run, yard: Callable[..., str]) -> None:
    pack = yard(MORE.removeprefix("---\n"), GOOD, STANDING + GROUPS)
    one, two = (
        run("balance", pack, "--check", "--json", "--worlds", "30", "--jobs", jobs).out for jobs in ("1", "2")
    )
    assert one == two


def test_time_is_shared_by_what_is_measured(run: Run, yard: Callable[..., str]) -> None:
    """With a budget, the same expectations are checked."""
    ran = run("balance", yard(GOOD, BAD), "--check", "--json", "--budget", "2s")
    assert ran.code == 1
    assert len(list(results(json.loads(ran.out)))) == 16


def test_an_interrupted_check_says_so(run: Run, yard: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    from rulewright.tools.commands import balance

    class Stopped:
        def __init__(self, *given: object, **more: object) -> None: ...

        def __call__(self, work: Any, what: str) -> Any:
            return whole(work, what)[0], True

    monkeypatch.setattr(balance, "runner", Stopped)
    ran = run("balance", yard(GOOD, BAD), "--check", "--json", *WORLDS)
    data = json.loads(ran.out)
    assert (ran.code, data["interrupted"], [table["expect"] for table in data["tables"]]) == (130, True, ["yard"])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--kind", "stone"), "--kind cannot be used with --check"),
        (("--versus", "dominion"), "--versus cannot be used with --check"),
        (("-o", "x.html"), "--check writes .md or .json, not .html"),
        (("--expect", "yrad"), "unknown expect document 'yrad': expected yard; did you mean yard?"),
        (("--players", "9"), "players"),
        (("--bot", "nobody"), "unknown bot 'nobody'"),
        (("--option", "x=1"), "x"),
    ],
)
def test_what_means_nothing_is_refused(
    run: Run, yard: Callable[..., str], arguments: tuple[str, ...], said: str
) -> None:
    ran = run("balance", yard(GOOD), "--check", *arguments)
    assert ran.code == 2
    assert said in ran.err


def test_without_expectations_there_is_nothing_to_check(run: Run, yard: Callable[..., str]) -> None:
    for documents in ((), (f"expect: groups\n{GROUPS}",)):
        ran = run("balance", yard(*documents), "--check")
        assert ran.code == 2
        assert "quarry has no expect document; begin with: rulewright new expect NAME" in ran.err
    ran = run("balance", yard(GOOD), "--expect", "yard")
    assert (ran.code, ran.err) == (2, "rulewright: --expect requires --check\n")


def test_results_go_to_files(run: Run, yard: Callable[..., str]) -> None:
    pack = yard(GOOD)
    assert run("balance", pack, "--check", *WORLDS, "-o", "out.md").out.endswith("wrote out.md\n")
    assert run("balance", pack, "--check", *WORLDS, "-o", "out.json", "--format", "markdown").out == (
        Path("out.md").read_text("utf-8")
    )
    assert json.loads(Path("out.json").read_text("utf-8"))["held"] == 11


HOSTILE = "<b>x</b> | [a](b) *c*\\n::error::x"


def test_names_and_reasons_act_nowhere(run: Run, yard: Callable[..., str]) -> None:
    text = f'expect: hostile\ntext: {{en: "{HOSTILE}"}}\nchosen-when-offered: {{stone: at least 90 %}}\n'
    pack = yard(text + f'ignore: {{stone/chalk: "{HOSTILE} {FORGED}"}}\n')
    file = Path(pack) / "pack.yaml"
    file.write_text(file.read_text("utf-8").replace("{en: Slate}", f'{{en: "{HOSTILE}"}}'), "utf-8")
    shown = run("balance", pack, "--check", "--format", "markdown", *WORLDS).out
    assert r"\<b\>x\</b\> \| \[a\](b) \*c\*" in shown
    for sign in ("<b>", " | [a]", "*c* "):
        assert sign not in shown.replace("\\", "\0")
    assert not any(line.lstrip().startswith("::") for line in shown.splitlines())
    assert forged(run("balance", pack, "--check", *WORLDS).out) == []


def table_of(pack: str) -> TableProgram:
    return loading.table(loading.compile_pack(pack).program, 2, ())


def test_expectations_change_no_game(yard: Callable[..., str]) -> None:
    from rulewright.ruleset.table.canonical import program_hash

    assert program_hash(table_of(yard())) == program_hash(table_of(yard(GOOD, f"expect: groups\n{GROUPS}")))
