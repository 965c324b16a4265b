"""What the rule book says of steps: the pack's own words, or sentences made of their effects."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from rulewright.ruleset.documents.rules import FinishDocument, Phase, Round, SetupDocument
from rulewright.ruleset.pipeline import load
from rulewright.tools.packs import loading
from rulewright.tools.packs.pack_set import with_more
from rulewright.tools.print.deck import about
from rulewright.tools.print.rule_book import RuleBook, rule_book
from rulewright.tools.print.rule_documents import all_of, step_name, step_text, walk
from rulewright.tools.print.rule_parts import RuleBlock, RuleItem
from rulewright.tools.print.rule_sentences import RuleSentences

PACK = """\
pack: gates
version: 1.0.0
players: 2 to 4
languages: [en, es]
options: {rich: {default: false}}
values: {hand-size: {by-players: {2: 7, default: 5}}, goal: 3}
kinds: {gem: {name: {en: gem, es: gema}}}
components: {gems: {kind: gem, copies: 30, starts: deck}}
zones:
  deck: {name: {en: deck, es: mazo}, order: pile, refill: {from: heap, when: needed}}
  heap: {name: {en: heap, es: montón}, order: pile, seen-by: all}
  hand: {name: {en: hand, es: mano}, scope: player, seen-by: owner}
tracks:
  coins: {name: {en: coins, es: monedas}, scope: player}
  rounds: {name: {en: rounds, es: rondas}}
  leader: {name: {en: leader, es: líder}, of: player}
---
gem: ruby
---
verb: draw(s) <n>
do: move top n of deck to hand
---
verb: earn(s) <n> twice
do: |
  coins += n
  coins += n
---
setup: begin
steps:
  - id: one
    do: |
      STATEMENT
---
round: turn
turns-from: first of players
until: UNTIL
steps:
  - id: rest
    do: do nothing
---
finish: end
awards: []
---
winner: first
among: players
order: [most score]
"""


def book(folder: Path, text: str, language: str = "en", players: int = 3, *options: str) -> RuleBook:
    folder.mkdir(exist_ok=True)
    (folder / "pack.yaml").write_text(text, encoding="utf-8")
    return book_of(str(folder), language, players, *options)


def book_of(pack: str, language: str, players: int = 0, *options: str) -> RuleBook:
    compiled = loading.compile_pack(with_more(pack, ()))
    table, _ = loading.table_noted(compiled.program, players or compiled.program.most_players, options)
    found = about(compiled, table, language)
    return rule_book(found, loading.load_pack_set(compiled.packs, playable=False))


def said(made: RuleBook, section: str) -> list[str]:
    """Everything that a section says, in order."""
    blocks = (block for one in made.sections if one.id == section for block in one.blocks)
    return [text for block in blocks for text in _of_block(block)]


def _of_block(block: RuleBlock) -> Iterator[str]:
    yield from filter(None, (block.heading, *block.texts))
    for item in (*block.steps, *block.items):
        yield from _of_item(item)


def _of_item(item: RuleItem) -> Iterator[str]:
    yield from filter(None, (item.name, item.text))
    for one in item.below:
        yield from _of_item(one)


def pack(statement: str = "do nothing", until: str = "rounds is 3") -> str:
    return PACK.replace("STATEMENT", statement.replace("\n", "\n      ")).replace("UNTIL", until)


STATEMENTS = {
    "shuffle deck": ("Shuffle the deck.", "Baraja el mazo."),
    "move top 2 of deck to heap": (
        "Move the top 2 cards of the deck to the heap.", "Las 2 cartas superiores del mazo van al montón.",
    ),
    "move top of deck to bottom of heap": (
        "Move the top card of the deck to the bottom of the heap.",
        "La carta superior del mazo va a la parte inferior del montón.",
    ),
    "move bottom 2 of deck to heap": (
        "Move the bottom 2 cards of the deck to the heap.", "Las 2 cartas inferiores del mazo van al montón.",
    ),
    "move heap to deck": ("Move all cards of the heap to the deck.", "Todas las cartas del montón van al mazo."),
    "each p in players: p draws hand-size": (
        "Each player: move the top 5 cards of the deck to their hand.",
        "Cada jugador: las 5 cartas superiores del mazo van a su mano.",
    ),
    "each p in players: p's coins += goal + 1": ("Each player: coins: +4.", "Cada jugador: monedas: +4."),
    "each p in players: p's coins -= 1": ("Each player: coins: −1.", "Cada jugador: monedas: −1."),
    "each p in players: p earns 2 twice": (
        "Each player: coins: +2, then coins: +2.", "Cada jugador: monedas: +2; después, monedas: +2.",
    ),
    "rounds = 1": ("Rounds: 1.", "Rondas: 1."),
    "leader = first of players": ("The first player is the leader.", "Líder: el primer jugador."),
    "pick 1 player from players at random as lucky\nleader = lucky": (
        "A player chosen at random is the leader.", "Líder: alguien elegido al azar.",
    ),
    "if deck is empty: move heap to deck": (
        "If the deck is empty: move all cards of the heap to the deck.",
        "Si no quedan cartas en el mazo: todas las cartas del montón van al mazo.",
    ),
    "if rich: shuffle deck\nelse: shuffle heap": ("Shuffle the heap.", "Baraja el montón."),
    "if count(all-players) is 3: shuffle deck": ("Shuffle the deck.", "Baraja el mazo."),
    "if rounds > 2: end game": ("If rounds: 3 or more: the game ends.", "Si rondas: 3 o más: termina la partida."),
    # All of a step, or nothing of it.
    "shuffle deck\nmove (deck where it is ruby) to heap": (None, None),
    "let n = count(deck) - 1\nmove top n of deck to heap": (None, None),
    "each p in players where p's coins > 1: p draws 1": (None, None),
}  # fmt: skip


@pytest.mark.parametrize("statement", STATEMENTS)
def test_effects_in_words(tmp_path: Path, statement: str) -> None:
    for language, words in zip(("en", "es"), STATEMENTS[statement], strict=True):
        told = said(book(tmp_path / "gates", pack(statement), language), "set-up")
        assert told[2:] == ([words] if words else []), "first are the deck and its cards"


ENDS = {
    "rounds is 3": "rounds: exactly 3",
    "rounds >= goal": "rounds: 3 or more",
    "rounds < 2": "rounds: at most 1",
    "rounds is count(players)": "rounds: as many as there are players",
    "deck is empty or count(heap) > 4": "the deck is empty, or the heap has 5 cards or more",
    "count(players) is 1": "only one player is left",
    "any p in players where p's coins > 9": "for a player, coins: 10 or more",
    "no p in players where p's hand is not empty": "for no player, their hand is not empty",
    "(total coins over players) > 3": None,
}


@pytest.mark.parametrize("until", ENDS)
def test_how_a_round_ends(tmp_path: Path, until: str) -> None:
    told = said(book(tmp_path / "gates", pack(until=until)), "course")
    assert told[0] == "The players take turns clockwise, beginning with the first player."
    ends = [line for line in told if line.startswith("This goes on")]
    words = ENDS[until]
    expected = [f"This goes on until this holds at the end of a turn: {words}."] if words else []
    assert ends == expected
    assert (
        told[-1]
        == "When cards of the deck are needed and it is empty, the heap is shuffled and becomes the new pile."
    )


def test_the_text_of_a_step_comes_first(tmp_path: Path) -> None:
    """Each line is a step, values are those of the table, and steps inside are not said again."""
    own = (
        'text: {en: "Deal {hand-size} gems.\\nTurn one up.", es: "Reparte {hand-size} gemas."}\n    steps:\n'
        '      - {id: deal, do: "each p in players: p draws hand-size"}\n      - {id: mix, do: shuffle deck}'
    )
    text = pack().replace("do: |\n      do nothing", own)
    assert said(book(tmp_path / "gates", text), "set-up")[2:] == ["Deal 5 gems.", "Turn one up."]
    assert said(book(tmp_path / "gates", text, "es", 2), "set-up")[2:] == ["Reparte 7 gemas."]
    silent = pack("shuffle deck").replace("  - id: one\n", '  - id: one\n    text: ""\n')
    assert said(book(tmp_path / "gates", silent), "set-up")[2:] == []


def test_a_text_shows_values_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "pack.yaml").write_text(
        pack().replace("  - id: one\n", '  - id: one\n    text: {en: "{rounds}", es: "{goal}"}\n'), encoding="utf-8"
    )
    found = load(tmp_path).findings
    assert [(one.code, one.span.line) for one in found] == [("RW326", 31)]


@pytest.mark.parametrize(("option", "words"), [("rich=false", []), ("rich=true", ["Shuffle the deck."])])
def test_a_step_that_does_not_happen_at_this_table(tmp_path: Path, option: str, words: list[str]) -> None:
    text = pack("shuffle deck").replace("  - id: one\n", "  - id: one\n    when: rich\n")
    assert said(book(tmp_path / "gates", text, "en", 3, option), "set-up")[2:] == words


def test_house_rules_come_first() -> None:
    compiled = loading.compile_pack(with_more("coup", ("eight-coins",)))
    table, _ = loading.table_noted(compiled.program, 4, ())
    made = rule_book(about(compiled, table, "es"), loading.load_pack_set(compiled.packs, playable=False))
    assert made.sections[0].id == "house-rules"
    assert said(made, "house-rules") == [
        "Un Coup cuesta 8 monedas en vez de 7.",
        "El Coup es obligatorio con 11 monedas o más en vez de 10.",
    ]
    assert "Con 11 monedas o más" in " ".join(said(made, "course")), "the value in the text of the step"


def told_of(shipped: str, language: str) -> tuple[str, list[str]]:
    """All that the book of a shipped game says of set-up, course, and end, and the steps that it leaves out."""
    compiled = loading.compile_pack(with_more(shipped, ()))
    table, _ = loading.table_noted(compiled.program, compiled.program.most_players, ())
    found, loaded = about(compiled, table, language), loading.load_pack_set(compiled.packs, playable=False)
    sentences, silent, done = RuleSentences(found), [], []
    for sort, record in (("setup", SetupDocument), ("round", Round), ("phase", Phase), ("finish", FinishDocument)):
        for part in all_of(loaded, sort, record):
            for path, step in walk(part.key, part.steps):
                if not sentences.happens(path) or any(path.startswith(f"{one}.") for one in done):
                    continue
                if step_text(found, step) is not None:
                    done.append(path)
                elif not step.steps and not step_name(found, path) and not sentences.of_step(path):
                    silent.append(path)
    made = rule_book(found, loaded)
    return " ".join(text for id_ in ("set-up", "course", "end") for text in said(made, id_)), silent


FACTS = yaml.safe_load((Path(__file__).parent / "facts_of_rule_books.yaml").read_text(encoding="utf-8"))
GAMES = [(game, language) for game, languages in FACTS.items() for language in languages]


@pytest.mark.parametrize(("shipped", "language"), GAMES)
def test_a_shipped_game_can_be_played_from_its_book(shipped: str, language: str) -> None:
    whole, silent = told_of(shipped, language)
    assert silent == [], "every step that happens has words, or says on purpose that it needs none"
    for fact in FACTS[shipped][language]:
        assert fact in whole
    assert not {"{", "}"} & set(whole)
