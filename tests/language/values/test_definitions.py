"""Definitions in some games only, zones per definition, a kind called `card`, optional parameters.

On `tests/packs/stalls` and `gaps`; expected values come from their texts, read with `docs/reference/language.md`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.interpreter.game.game import RuleFault
from rulewright.interpreter.views.narration import Narrator, narrate
from rulewright.ruleset.findings.render import render
from rulewright.ruleset.lower.lowering import lower
from rulewright.ruleset.pipeline import load_files
from rulewright.ruleset.source.pack_files import PackFiles
from rulewright.tools.common.display_texts import PackTexts, labels
from rulewright.tools.scenarios.stage import StageError, Stages
from tests.interpreter.many_beside import same_many
from tests.positions import Table, hand, of, pack_of, program_of
from tests.small_packs import findings, started

PACKS = Path(__file__).parents[2] / "packs"
STALLS, GAPS = PACKS / "stalls", PACKS / "gaps"
ACT = "turn.act.choice"


def stalls(seats: int = 2, **options: str) -> Table:
    return Table.start(program_of(STALLS, seats, *sorted(options.items())))


def sizes(table: Table) -> dict[str, int]:
    """How many cards lie on each stall."""
    keys = [zone.key for zone in table.program.zones if zone.key.startswith("stall/")]
    return {key.removeprefix("stall/"): table.count(key) for key in keys}


# ------------------------------------------------------------------ what is in the game

@pytest.mark.parametrize(
    ("seats", "options", "gems", "kites"),
    [
        (2, {}, 0, 0),
        (2, {"fair": "autumn"}, 3, 0),
        (2, {"large": "true"}, 0, 0),
        (3, {"large": "true"}, 0, 3),
        (3, {"large": "true", "fair": "autumn"}, 3, 3),
        (3, {"fair": "spring"}, 0, 0),
    ],
)
def test_when_says_whether_a_definition_is_in_the_game(
    seats: int, options: dict[str, str], gems: int, kites: int
) -> None:
    """Cards that are not do not exist, and are offered nowhere; what each has starts on the stall of its own."""
    table = stalls(seats, **options)
    assert sizes(table) == {"lantern": 3, "gem": gems, "kite": kites}
    assert {card.kind for card in table.program.cards} == {"card", "coin"}
    held = [card.key for card in table.program.cards if card.kind == "card"]
    assert held == ["lantern"] * 3 + ["gem"] * gems + ["kite"] * kites
    offered = {key.partition(":")[2] for key in table.options if key.startswith("buy:")}
    assert offered == {"lantern"} | ({"gem"} if gems else set()) | ({"kite"} if kites else set())


@pytest.mark.parametrize(
    ("options", "ranks"),
    [
        ({}, ["tin"]),
        ({"badges": "0"}, []),
        ({"badges": "2"}, ["tin", "silver"]),
        ({"badges": "3"}, ["tin", "silver"]),  # gold says its own
        ({"badges": "0", "large": "true"}, ["gold"]),
    ],
)
def test_a_kind_says_it_for_its_definitions_by_their_fields(
    options: dict[str, str], ranks: list[str]
) -> None:
    table = stalls(**options)
    assert [key for key in table.options if key.startswith("pin:")] == [f"pin:{name}" for name in ranks]


def test_copies_and_values_follow_options_and_players() -> None:
    """Coins: six for each of two, four for each of three (`by-players`), all dealt."""
    for seats, each in ((2, 6), (3, 4)):
        table = stalls(seats=seats)
        assert table.count("bank") == 0
        assert [table.count(of(seat, "purse")) for seat in range(seats)] == [each] * seats


def test_an_option_of_an_enumeration_has_its_members() -> None:
    (fair,) = (option for option in pack_of(STALLS).options if option.key == "fair")
    assert (fair.of, fair.members, fair.default) == ("season", ("spring", "autumn"), 0)
    with pytest.raises(ValueError, match="summer"):
        lower(pack_of(STALLS), 2, {"fair": "summer"})


# ------------------------------------------------------------------ zones of definitions, a kind called `card`

def test_a_zone_of_a_definition_accepts_its_own_cards_alone() -> None:
    table = stalls(fair="autumn")
    for zone in table.program.zones:
        if zone.key.startswith("stall/"):
            keys = {table.program.cards[card].key for card in zone.accepts}
            assert keys <= {zone.key.removeprefix("stall/")}


def test_what_is_bought_comes_from_its_own_pile_and_goes_home_to_it() -> None:
    """`stall[what]` with a definition; `home` sends each card to the pile of its own; coins go where theirs is."""
    table = stalls(fair="autumn")
    table.answer(0, ACT, "buy:gem")
    assert (sizes(table), table.cards(hand(0))) == ({"lantern": 3, "gem": 2, "kite": 0}, ["gem"])
    assert (table.count(of(0, "purse")), table.count("till"), table.count("bank")) == (3, 0, 3)
    table.answer(1, ACT, "buy:lantern")
    table.answer(0, ACT, "give-back:gem")
    assert (sizes(table), table.cards(hand(0))) == ({"lantern": 2, "gem": 3, "kite": 0}, [])


def test_move_so_many_as_name_knows_what_was_moved() -> None:
    """`move 3 coins from purse to till as price`: the name counts them and takes them along."""
    table = stalls(fair="autumn").arrange(zones={of(0, "purse"): ["coin"] * 3}, rest={"coin": "till"})
    table.answer(0, ACT, "buy:gem")
    assert table.number("paid-out", 0) == 3
    assert (table.count("till"), table.count("bank")) == (3, 3), "the three that lay in the till stay there"


def test_points_of_cards_know_who_is_measured() -> None:
    """Each lantern counts the purse of its own player, each gem 4: 2 * 2 + 4 and 1 * 5."""
    table = stalls(fair="autumn").arrange(
        zones={
            hand(0): ["lantern", "lantern", "gem"], hand(1): ["lantern"],
            of(0, "purse"): ["coin"] * 2, of(1, "purse"): ["coin"] * 5,
        },
        rest={"coin": "bank"},
    )  # fmt: skip
    while table.game.result is None:
        table.answer(table.decision.seat, ACT, "wait")
    assert [table.number("score", seat) for seat in (0, 1)] == [2 * 2 + 4, 5]
    assert table.game.result.winners == (0,)


@pytest.mark.parametrize(("language", "expected"), [
    ("en", ["Buy Lantern", "Buy Gem", "Give back Gem", "Pin: Tin", "Wait"]),
    ("es", ["Comprar Farol", "Comprar Gema", "Devolver Gema"]),
])  # fmt: skip
def test_names_of_options_name_what_is_chosen(language: str, expected: list[str]) -> None:
    """In labels, and in the log; in both languages."""
    table = stalls(fair="autumn")
    texts = PackTexts(table.program, pack_of(STALLS))
    table.arrange(zones={hand(0): ["gem"]})
    narrator = Narrator(table.program, language, texts, 0)
    told = [label.lower() for label in labels(table.decision, narrator, {})]
    assert told[: len(expected)] == [label.lower() for label in expected]
    assert not any("{" in label for label in told)
    events = table.answer(0, ACT, "buy:lantern")
    log = " ".join(narrate(table.program, events, language, texts, 1)).lower()
    assert expected[0].lower() in log and "{" not in log


# ------------------------------------------------------------------ positions of such zones

def staged(given: str) -> StageError:
    """Why a position of the stalls is impossible."""
    head = "scenario: s\nplayers: [ann, ben]\noptions: {fair: autumn}\ngiven:\n  phase: turn\n  turn: ann\n"
    source = f"{head}{given}\nthen:\n  - turns is 0\n".encode()
    files = (("pack.yaml", (STALLS / "pack.yaml").read_bytes()), ("scenarios/s.yaml", source))
    loaded = load_files(PackFiles(STALLS, files))
    assert loaded.program is not None, render(loaded.findings, loaded.sources)
    with pytest.raises(StageError) as raised:
        Stages(loaded.program, loaded.program.scenarios).stage(loaded.program.scenarios[0])
    return raised.value


def test_what_has_no_place_is_told_where_its_pile_is_given() -> None:
    """Three lanterns: one is held, one may lie on the stall, and the third has nowhere else to go."""
    error = staged("  stall: {gem: 3 gem, lantern: lantern}\n  ann: {hand: lantern}")
    assert str(error) == (
        "one card of stall/lantern would lie nowhere: say where they are, or only what is on top of stall/lantern"
    )
    assert (error.span.line, error.span.column) == (7, 32)


def test_a_pile_holds_cards_of_its_own_alone() -> None:
    error = staged("  stall: {gem: lantern}")
    assert "stall/gem" in str(error) and error.span.line == 7


# ------------------------------------------------------------------ parameters that are nothing

def gaps() -> Table:
    """Seat 0's turn: `chosen` and `absentee` are nothing. Each holds an opal."""
    return Table.start(program_of(GAPS, 2))


def line_of(text: str) -> int:
    lines = (GAPS / "pack.yaml").read_text("utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


READ = [
    ("take", [], "do: move top of pile[what] to hand"),  # a zone of it, in a verb
    ("pass-on", [], "do: move top of pile[what] to hand"),  # passed on by another verb
    ("rob", [], "do: sum += count(who's hand)"),  # a zone of a player, in a verb
    ("weigh", [], "sum += other's weight"),  # a field of it, in an effect
    ("glance", [(1, "glance.reaction", "look")], "look: sum += shown's weight"),  # in a window
    ("claim", [(1, "heavy.challenge", "challenge")], "proof: hand where weight >= what's weight"),  # in a claim
    ("count-held", [], "is: count(who's hand)"),  # in functions
    ("weigh-it", [], "is: what's weight"),
]


@pytest.mark.parametrize(("option", "answers", "read"), READ, ids=[option for option, *_ in READ])
def test_reading_what_is_nothing_is_a_rule_error_where_it_is_read(
    option: str, answers: list[tuple[int, str, str]], read: str
) -> None:
    table = gaps()
    steps = [(0, ACT, option), *answers]
    for step in steps[:-1]:
        table.answer(*step)
    seat, choice, key = steps[-1]
    before = table.game.state
    assert (seat, choice) in table.asked
    with pytest.raises(RuleFault, match=r"^rule error absent \(|^rule error absent in \S") as raised:
        table.game.apply(seat, [key])
    assert raised.value.source is not None and raised.value.source.span.line == line_of(read)
    assert table.game.state == before


@pytest.mark.parametrize(("option", "answers", "read"), READ, ids=[option for option, *_ in READ])
def test_what_is_there_can_be_read(
    option: str, answers: list[tuple[int, str, str]], read: str
) -> None:
    table = gaps()
    for seat, key in enumerate(("choose", "find", "choose", "find")):
        table.answer(seat % 2, ACT, key)
    for seat, choice, key in ((0, ACT, option), *answers):
        table.answer(seat, choice, key)
    assert table.asked[0][0] == 1


def test_passing_what_is_nothing_is_no_error_while_nobody_reads_it() -> None:
    """`take carefully` asks first; a window that everybody passes, a claim that nobody doubts read nothing."""
    table = gaps()
    table.answer(0, ACT, "take-carefully")
    table.answer(1, ACT, "glance")
    table.answer(0, "glance.reaction", "pass")
    table.answer(0, ACT, "claim")
    table.answer(1, "heavy.challenge", "pass")
    assert table.asked == [(1, ACT)] and table.count(hand(0)) == 1


def test_whole_games_fail_as_steps_do() -> None:
    assert set(same_many(program_of(GAPS, 2), 40, 3)) == {"absent", "over"}


def with_gaps(text: str) -> str:
    """The pack `gaps` with some more documents."""
    return (GAPS / "pack.yaml").read_text("utf-8") + f"---\n{text}"


def codes_with_gaps(text: str) -> list[str]:
    return [finding.code for finding in findings(with_gaps(text))]


def test_checking_again_tells_each_finding_once() -> None:
    """Calls that pass nothing make the checker read the pack again; what it found the first time is told once."""
    assert codes_with_gaps("function: sure\nis: sum-of > 2") == ["RW420"]
    assert codes_with_gaps("function: light\ntakes: {what: gem}\nis: what's weihgt > 2") == ["RW423"]
    twice = (
        "function: twice\ntakes: {what: gem}\ngives: number\nis: weight-of(what) * 2\n---\n"
        "verb: sum up\ndo: |\n  sum += twice(chosen)\n  sum += shown\n"
    )
    assert codes_with_gaps(twice) == ["RW420"]


def test_what_is_nothing_is_passed_on_through_several_calls() -> None:
    """Each call is known only when the one before it has been read again."""
    text = (
        "function: twice\ntakes: {what: gem}\ngives: number\nis: weight-of(what) * 2\n---\n"
        "function: again\ntakes: {what: gem}\ngives: number\nis: twice(what)\n---\n"
        "hook: weighing\nbefore: verb/rob\ndo: sum += again(chosen)\n"
    )
    assert codes_with_gaps(text) == []
    table = started(with_gaps(text))
    with pytest.raises(RuleFault) as raised:
        table.game.apply(0, ["rob"])
    assert raised.value.source is not None and raised.value.source.span.line == line_of("is: what's weight")
