"""A person's turn: questions at a decision, and passing the keyboard to the next person."""

from __future__ import annotations

import os
import pty
import re
import shutil
import sys
from pathlib import Path

import pytest

from tests.journals import POND
from tests.tools.commands.test_play import read_until
from tests.tools.harness import ROOT, Run

BAZAAR = ("play", "tests/packs/bazaar", "--seats", "human,random", "--seed", "3")
"""Player 1 has a red lamp for 1, a blue one for 1 and a red one for 5, and 3 coins; no turn is over."""


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch, surroundings: None) -> None:
    monkeypatch.chdir(ROOT)


def said(run: Run, *typed: str, arguments: tuple[str, ...] = BAZAAR, **more: str) -> str:
    """What follows the last prompt but one: the answer to the last thing that was typed."""
    ran = run(
        *arguments, *(part for pair in more.items() for part in (f"--{pair[0]}", pair[1])), typed="\n".join(typed)
    )
    assert (ran.code, ran.err) == (0, "")
    return re.split(r"^> ", ran.out, flags=re.MULTILINE)[-2]


def label(out: str, beginning: str) -> int:
    """The number of an option."""
    found = re.search(rf"^  (\d+) {beginning}", out, re.MULTILINE)
    assert found is not None, out
    return int(found[1])


# ------------------------------------------------------------------ why

def test_why_lists_what_is_not_offered(run: Run) -> None:
    told = said(run, "why", "")
    assert told.startswith("Not offered:")
    assert "  Boast\n" in told
    assert "    Turns: 0; more than 0 needed.\n" in told
    assert "    You have 3 coins; at least 5 needed.\n" in told
    assert "dear(" not in told and "pack.yaml" not in told, "players read no source"
    assert "Rest" not in told


def test_why_about_one_thing(run: Run) -> None:
    told = said(run, "why boast", "")
    assert "Boast" in told
    assert "Buy" not in told
    assert said(run, "why rest?", "") == "rest is offered: it is number 1.\n"
    assert said(run, "why banana", "") == "banana: this decision is not about that.\n"


def test_what_is_not_offered_is_refused_with_its_reason(run: Run) -> None:
    told = said(run, "boast", "")
    assert told.startswith("boast is not an option; type the number of one")
    assert "(tests/packs/bazaar/pack.yaml:" in told, "the author finds the rule"
    assert "dear(" not in told


def test_why_of_cards(run: Run) -> None:
    out = run(*BAZAAR, typed="q").out
    told = said(run, "", str(label(out, "Sell")), "why", "", arguments=TWO)
    assert "cost > 2" not in told, "the field has no name"
    assert re.search(r"^  Blue lamp 1\n", told, re.MULTILINE)


COUP = ("play", "content/coup", "--seats", "human,random,random", "--seed", "4")
"""The options of two entries are named with the costs of actions. Player 1 has 2 coins."""


def test_why_names_options_whose_members_are_not_all_known(run: Run) -> None:
    told = said(run, "why", "", arguments=COUP)
    assert "Coup, against Player 2 (7 coins); Coup, against Player 3 (7 coins)" in " ".join(told.split())


def test_what_is_offered_elsewhere_in_a_menu_is_not_left_out(run: Run) -> None:
    """Filters divide the actions between two entries: an action of one entry is not missing in the other."""
    told = said(run, "why", "", arguments=COUP)
    for offered in ("Income", "Foreign Aid", "Tax", "Exchange", "Steal"):
        assert offered not in told
    assert "targeted" not in told
    assert said(run, "why steal", "", arguments=COUP) == "steal is offered: it is number 5.\n"


def test_why_in_spanish(run: Run) -> None:
    for word in ("por qué", "porque", "¿por qué?"):
        told = said(run, word, "", lang="es")
        assert told.startswith("No se ofrece:"), word
        assert "    Turnos: 0; se necesita más de 0.\n" in told


# ------------------------------------------------------------------ more about options, places, the log

def test_an_option_in_full(run: Run) -> None:
    out = run(*BAZAAR, typed="q").out
    told = said(run, f"? {label(out, 'Sell')}", "")
    assert "    choose 1 card from hand where cost > 2 and colour is red as sold\n    move sold to shelf\n" in told
    assert re.search(r"^  in tests/packs/bazaar/pack\.yaml:\d+$", told, re.MULTILINE)


def test_a_card_in_full(run: Run) -> None:
    told = said(run, "? red lamp 5", "")
    assert told.startswith("Red lamp 5 (lamp)\n  cost: 5\n  colour: red\n")
    assert said(run, "? nothing", "") == "nothing: no option, card or place has this name.\n"


def test_a_place_in_full(run: Run) -> None:
    told = said(run, "v shelf", "")
    assert re.fullmatch(r"Shelf  1\. \w+ lamp \d  2\. \w+ lamp \d\n", told)
    assert said(run, "v deck", "") == "Deck  14 cards\n"
    assert said(run, "v attic", "") == "attic: no option, card or place has this name.\n"


def test_the_log_again(run: Run) -> None:
    told = said(run, "1", "l", "")
    assert "Turn 2 · Player 2" in told
    assert "Set-up" not in told
    told = said(run, "1", "l all", "")
    assert "Set-up" in told
    assert "You choose rest" in told


def test_help_names_every_command(run: Run) -> None:
    for language in ("en", "es"):
        told = said(run, "?", "", lang=language)
        for command in ("? 3", "why" if language == "en" else "por qué", "v", "l", "u", "s", "q"):
            assert re.search(rf"^  {re.escape(command)} ", told, re.MULTILINE), (language, command)
        assert "turn.act.choice." in told, "the id of the question, which is shown nowhere else"
        assert "(turn.act.choice" not in told


def test_a_game_whose_pack_has_changed_tells_its_reasons(run: Run, tmp_path: Path) -> None:
    """From the files that it was saved with; those of a pack that is named would not be those of the game."""
    shutil.copytree("tests/packs/bazaar", tmp_path / "mine")
    assert run("play", str(tmp_path / "mine"), *BAZAAR[2:], "--save", "bazaar-3.journal", typed="1\nq").code == 0
    (tmp_path / "mine" / "pack.yaml").write_text(POND, "utf-8")
    arguments = ("play", "--resume", "bazaar-3.journal", "--seats", "human,random")
    assert not said(run, "why", "", arguments=arguments).startswith("The pack of this game is not at hand")
    named = ("play", str(tmp_path / "mine"), *arguments[1:])
    assert said(run, "why", "", arguments=named).startswith("The pack of this game is not at hand")


# ------------------------------------------------------------------ two persons at one keyboard

TWO = ("play", "tests/packs/bazaar", "--seats", "human,human", "--seed", "3")


def test_the_keyboard_is_handed_over(run: Run) -> None:
    """Each is called by a page of their own; the log tells what has happened since."""
    out = run(*TWO, typed="\n1\n\n1\n\n1\n").out
    pages = re.split(r"^ (Player \d) decides next $", out, flags=re.MULTILINE)
    assert pages[1::2] == ["Player 1", "Player 2", "Player 1", "Player 2"]
    first, second, third = pages[2], pages[4], pages[6]
    (drawn,) = re.findall(r"You draw (.+) from the deck", first)
    assert drawn not in second
    assert "Player 1 draws 3 cards" in second
    assert "Since your last decision:" in third
    assert "Player 2 chooses rest" in third
    assert "Player 1 draws" not in third
    assert drawn not in third


def test_taking_back_with_two_persons_gives_back_the_own_answer(run: Run) -> None:
    """Player 1 takes back: the answer of Player 2 that came after it is gone, and Player 1 decides again."""
    out = run(*TWO, typed="\n1\n\n1\n\nu\n").out
    assert "Your last answer was taken back." in out
    last = out.rsplit("Your last answer was taken back.", 1)[1]
    assert "Turn 1 · Player 1" in last
    assert "decides next" not in last


PROMPT = b"\x1b[1m> \x1b[0m"
CLEARED = b"\x1b[2J\x1b[3J"


def test_nothing_of_a_hand_stays_on_the_screen() -> None:
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(ROOT)
        os.environ["TERM"] = "xterm"
        os.execv(sys.executable, [sys.executable, "-m", "rulewright", *TWO])
    opening = read_until(terminal, PROMPT)
    assert CLEARED not in opening, "what was on the terminal before the game stays there"
    os.write(terminal, b"\r")
    shown = read_until(terminal, PROMPT)
    (hand,) = re.findall(rb"Your hand.*? (\w+ lamp[^\r]+)\r", shown)
    os.write(terminal, b"1\r")
    page = read_until(terminal, PROMPT)
    _, left = page.split(CLEARED)
    assert b"lamp" not in left
    assert b"Player 2" in left
    os.write(terminal, b"\r")
    shown = read_until(terminal, PROMPT)
    assert shown.count(CLEARED) == 1
    assert hand not in shown
    os.write(terminal, b"q\r")
    assert CLEARED in read_until(terminal, b"--resume")
    os.waitpid(pid, 0)
    os.close(terminal)


@pytest.fixture(autouse=True)
def no_journals() -> object:
    """Games that are left in this folder save themselves here."""
    yield
    for file in ROOT.glob("bazaar-3*.journal"):
        file.unlink()


# ------------------------------------------------------------------ what an option does

def test_rules_are_shown_only_on_request(run: Run) -> None:
    """The options of the bazaar have no words of the pack."""
    out = run(*BAZAAR, typed="q").out
    assert "  1 Rest\n  2 Pry\n  3 Sell\n" in out
    assert "    coins += 1\n    debt += 1\n" in said(run, "? 1", "")


TRICKS = """\
pack: tricks
version: 0.1.0
format: 3
name: Tricks
players: 2 to 2
languages: [en]
kinds:
  trick: {name: trick, effects: {play: {}}}
components:
  tricks: {kind: trick, starts: box, home: box}
zones:
  box: {name: box, order: row, seen-by: all}
  used: {name: used tricks, order: row, seen-by: all}
tracks:
  coins: {name: coins, scope: player, at-least: 0, at-bounds: stop}
---
trick: earn
name: Earn
play: coins += 3
text: Take three coins.
---
trick: swap
name: Swap
play: |
  choose 1 card from box as swapped
  move swapped to used
text: Take a trick out of the box.
---
round: turn
name: turn
turns-from: first of players
until: count(used) > 0
steps:
  - id: act
    name: Tricks
    options:
      first: perform (top of box)'s play
      none: do nothing
---
finish: end
awards: [worth]
---
award: worth
name: Coins
sum: coins
---
winner: richest
among: players
order: [most score]
"""


def test_definitions_are_described_by_their_texts(run: Run, tmp_path: Path) -> None:
    """An option that performs a definition shows its text; so does a question that the effect of one asks."""
    (tmp_path / "tricks").mkdir()
    (tmp_path / "tricks" / "pack.yaml").write_text(TRICKS)
    out = run("play", str(tmp_path / "tricks"), "--seats", "human,random", "--seed", "1", typed="1\nq").out
    first, then = out.split("\n> ")[:2]
    assert "  1 First\n      Swap: Take a trick out of the box.\n  2 None" in first
    assert "Swap: Take a trick out of the box. · choose one" in then
    assert "  1 Earn\n      Take three coins.\n  2 Swap\n      Take a trick out of the box." in then
    assert "  You: Tricks\n" in out, "a name in one language is a heading, too"
    assert "move" not in out
    assert "coins +=" not in out


BELOW = """\
---
prompts:
  turn.act.choice: What now?
  turn.act.choice.first: first
  turn.act.choice.none: none
  turn.act.choice.first.text: "{text} You have {coins, plural, one {# coin} other {# coins}}."
  turn.act.choice.none.text: "{coins, select, 0 {} other {{text}}}"
  swap.play.swapped: Which trick?
  swap.play.swapped.text: ""
"""


def test_a_pack_can_word_what_is_below_an_option(run: Run, tmp_path: Path) -> None:
    """In place of the text of the card, which is `{text}`; an empty text shows nothing."""
    (tmp_path / "tricks").mkdir()
    (tmp_path / "tricks" / "pack.yaml").write_text(TRICKS + BELOW)
    folder = str(tmp_path / "tricks")
    assert run("validate", folder).out.startswith("tricks: no findings")
    out = run("play", folder, "--seats", "human,random", "--seed", "1", typed="1\nq").out
    first, then = out.split("\n> ")[:2]
    assert "  1 First\n      Swap: Take a trick out of the box. You have 0 coins.\n  2 None" in first
    assert "Which trick? · choose one" in then
    assert then.endswith("  1 Earn\n  2 Swap")


def test_an_option_can_have_its_text_itself(run: Run, tmp_path: Path) -> None:
    """The same as in `prompts`, beside the option."""
    (tmp_path / "tricks").mkdir()
    own = """\
      first:
        text: "{text} You have {coins, plural, one {# coin} other {# coins}}."
        do: perform (top of box)'s play
      none: {text: You keep your trick., do: do nothing}
"""
    written = """\
      first: perform (top of box)'s play
      none: do nothing
"""
    assert written in TRICKS
    (tmp_path / "tricks" / "pack.yaml").write_text(TRICKS.replace(written, own))
    folder = str(tmp_path / "tricks")
    assert run("validate", folder).out.startswith("tricks: no findings")
    out = run("play", folder, "--seats", "human,random", "--seed", "1", typed="q").out
    shown = out.split("\n> ")[0]
    assert "  1 First\n      Swap: Take a trick out of the box. You have 0 coins.\n" in shown
    assert "  2 None\n      You keep your trick." in shown
    (tmp_path / "tricks" / "pack.yaml").write_text(TRICKS.replace(written, own.replace("{coins, ", "{gems, ")))
    assert "[RW326" in run("validate", folder).out


def test_a_text_below_an_option_shows_only_what_is_known_there(run: Run, tmp_path: Path) -> None:
    (tmp_path / "tricks").mkdir()
    below = BELOW.replace("{text} You have", "{price} You have").replace('text: ""', 'text: "{cost}"')
    (tmp_path / "tricks" / "pack.yaml").write_text(TRICKS + below)
    out = run("validate", str(tmp_path / "tricks")).out
    assert out.count("[RW326") == 2
    assert "`price`" in out
    assert "`cost`" in out
    (tmp_path / "tricks" / "pack.yaml").write_text(TRICKS + BELOW + "  act.choice.text: none\n")
    assert "act.choice.text" in run("validate", str(tmp_path / "tricks")).out, "a question that does not exist"


# ------------------------------------------------------------------ nothing twice

def test_a_heading_of_the_log_is_not_repeated_above_the_question(run: Run) -> None:
    """Player 2 claims something in turn 2: the log's heading says so, and the question follows."""
    out = run("play", "content/coup", "--seats", "human,truthful,random", "--seed", "11", typed="tax\nq").out
    told = out.split("> ")[1]
    assert told.count("Turn 2 · Player 2") == 1


def test_a_text_is_not_repeated_for_the_next_option(run: Run) -> None:
    out = run(*COUP, typed="q").out
    assert out.count("Take 2 coins from the target") == 1


def test_players_among_the_options_are_shown_with_their_numbers(run: Run) -> None:
    """Player 1 has lost an influence, and may now attack: who has how many is needed."""
    arguments = ("play", "content/coup", "--seats", "human,truthful,random", "--seed", "11")
    out = run(*arguments, typed="tax\n1\nassassin\nq").out
    assert re.search(r"^Influence +1 +2 +2$", out.split("> ")[-2], re.MULTILINE)


def test_fields_with_their_defaults_are_left_out_of_a_page(run: Run) -> None:
    arguments = ("play", "content/dominion", "--seats", "human,random", "--seed", "5")
    told = said(run, "? copper", "", arguments=arguments)
    assert "  cost: 0\n  types: Treasure\n  basic: true\n  worth: 1\n" in told
    assert "plus" not in told


# ------------------------------------------------------------------ questions with one answer

def test_an_only_answer_without_a_line_of_its_own_is_not_reported(run: Run) -> None:
    """Without Actions in hand the only option is to play none, which the pack leaves out of the log."""
    out = run("play", "content/dominion", "--seats", "human,random", "--seed", "5", typed="q").out
    assert "Which Treasures do you play?" in out
    assert "The only option" not in out


def test_a_question_with_one_answer_is_answered(run: Run) -> None:
    """Player 1 has no lamp to sell. Bots at the table learn nothing from that."""
    sell = str(label(run(*BAZAAR, typed="q").out, "Sell"))
    out = run(*BAZAAR, typed=f"{sell}\nq").out
    assert "There is nothing to choose." in out
    assert "Press Enter" not in out
    again = run(*BAZAAR, typed=f"{sell}\nu\nq").out
    taken = again.split("Your last answer was taken back.")[1]
    assert re.search(rf"^  {sell} Sell", taken, re.MULTILINE), "the answer before it is taken back"
    assert "No hay nada que elegir." in run(*BAZAAR, "--lang", "es", typed=f"{sell}\nq").out


def test_others_at_the_terminal_do_not_learn_that_there_was_one_answer(run: Run) -> None:
    sell = str(label(run(*BAZAAR, typed="q").out, "Sell"))
    out = run(*TWO, typed=f"\n{sell}\n\nq").out
    assert "There is nothing to choose. Press Enter." in out
    assert " Player 2 decides next " in out.rsplit("Press Enter.", 1)[1]
