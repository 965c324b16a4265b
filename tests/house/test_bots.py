"""Bots in combined packs: changes apply to them, and each uses the names of its own pack."""

from __future__ import annotations

from rulewright.ruleset.findings.render import render
from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.lower.lowering import lower
from rulewright.ruleset.table.canonical import program_hash
from tests.house.together import codes, together

HOARDER = "bot: hoarder\nanswers: [{choice: discard-card.given-up, prefer: [feather, bell]}]\n"


def preferred(loaded: Loaded) -> dict[str, list[tuple[str, tuple[str, ...]]]]:
    """What each bot prefers, choice by choice."""
    assert codes(loaded) == [], render(loaded.findings, loaded.sources)
    assert loaded.program is not None
    return {bot.key: [(one.choice, one.prefer) for one in bot.answers] for bot in loaded.program.bots}


def test_a_bot_is_changed_and_removed() -> None:
    head = 'requires: {fog: "*"}\n...\n'
    given = "discard-card.given-up"
    assert preferred(together(fog=HOARDER)) == {"hoarder": [(given, ("feather", "bell"))]}
    text = f"{head}change: bot/hoarder\nadd: {{answers: [{{choice: market.buy.choice, prefer: [pass]}}]}}\n"
    added = together(fog=HOARDER, rain=text)
    assert preferred(added) == {"hoarder": [(given, ("feather", "bell")), ("market.buy.choice", ("pass",))]}
    text = f"{head}change: bot/hoarder\nset: {{answers: [{{choice: {given}, prefer: [bell]}}]}}\n"
    assert preferred(together(fog=HOARDER, rain=text)) == {"hoarder": [(given, ("bell",))]}
    assert preferred(together(fog=HOARDER, rain=f"{head}change: bot/hoarder\nremove: true\n")) == {}


def test_a_pack_with_bots_alone_changes_no_game() -> None:
    with_bot, plain = together(fog=HOARDER), together()
    assert with_bot.program is not None and plain.program is not None
    assert program_hash(lower(with_bot.program, 2)) == program_hash(lower(plain.program, 2))


def test_strangers_have_bots_and_cards_of_one_name() -> None:
    """Each prefers its own, in whatever form it says so."""
    text = (
        "charm: dusk\ncost: 1\nplay: coins += 1\n---\n"
        "verb: tread(s)\ndo: |\n  choose 1 card from hand as lost\n  coins += 1\n---\n"
        "change: verb/rest\nafter: tread\n---\n"
        "bot: keeper\nanswers:\n"
        "  - {choice: market.buy.choice, when: any card in hand where it is dusk, prefer: ['play:dusk', pass]}\n"
        "  - {choice: tread.lost, prefer: [dusk, bell]}\n"
        "  - {choice: tread.*, prefer: ['*']}\n"
    )
    loaded = together(fog=text, rain=text.replace("rest", "draw"))
    assert preferred(loaded) == {
        f"{pack}-keeper": [
            ("market.buy.choice", (f"play:{pack}-dusk", "pass")),
            (f"{pack}-tread.lost", (f"{pack}-dusk", "bell")),
            (f"{pack}-tread.*", ("*",)),
        ]
        for pack in ("fog", "rain")
    }
    assert loaded.program is not None
    bots = lower(loaded.program, 2).bots
    assert bots is not None
    assert len(bots.functions) == 2


def test_what_a_bot_prefers_is_taken_away_by_another_pack() -> None:
    rain = "change: charm/feather\nremove: true\n"
    loaded = together(fog=HOARDER, rain=rain)
    assert codes(loaded) == []
    (skipped,) = loaded.skipped
    assert (skipped.category, skipped.finding.code, skipped.by) == ("bot line", "RW341", ("rain",))
    assert skipped.reason.startswith("rain removes charm/feather (rain/rules.yaml:1")


def test_strangers_score_their_own_options_and_cards() -> None:
    """A word that two packs give different meanings is renamed in scores, too."""
    text = (
        "charm: dusk\ncost: 1\nplay: coins += 1\n---\n"
        "verb: tread(s)\ndo: |\n  choose 1 card from hand as lost\n"
        "  choose one:\n    gain: coins += 1\n    keep: draw 1\n---\n"
        "change: verb/rest\nafter: tread\n---\n"
        "bot: keeper\nanswers:\n"
        "  - {choice: market.buy.choice, score: {play: charm is dusk, pass: 1}}\n"
        "  - {choice: tread.lost, score: it is dusk}\n"
        "  - {choice: tread.choice, score: {gain: 2, keep: coins}}\n"
    )
    loaded = together(fog=text, rain=text.replace("rest", "draw"))
    assert codes(loaded) == []
    assert loaded.program is not None
    for bot in loaded.program.bots:
        pack = bot.key.removesuffix("-keeper")
        scored = [[(one.choice, one.branch) for one in answer.scores or ()] for answer in bot.answers]
        assert scored[0] == [("market.buy.choice", "play"), ("market.buy.choice", "pass")]
        assert scored[1] == [(f"{pack}-tread.lost", "")]
        assert [branch.removeprefix(f"{pack}-") for _, branch in scored[2]] == ["gain", "keep"]
    bots = lower(loaded.program, 2).bots
    assert bots is not None
    assert len(bots.functions) == 7, "two and five, since no rule says `rest` and so nothing asks in `fog-tread`"


def test_what_a_bot_scores_is_taken_away_by_another_pack() -> None:
    fog = "bot: hoarder\nanswers: [{choice: discard-card.given-up, score: it is feather}]\n"
    loaded = together(fog=fog, rain="change: charm/feather\nremove: true\n")
    assert codes(loaded) == []
    (skipped,) = loaded.skipped
    assert (skipped.category, skipped.finding.code, skipped.by) == ("bot line", "RW420", ("rain",))
