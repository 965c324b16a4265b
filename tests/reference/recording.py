"""Reference games: the tables, the random players, and what is kept of each game.

Two files are kept. `games.tsv` has a line for each of many games on the tables of all packs and on random programs.
`told.txt.gz` has a text for each of some fifty games: every answer, every event, and the log of each seat.

Only what must stay is kept: answers by their keys, with the digest of what was offered, since saved games rely on
it; events; sentences; numbers of cells, which mean the same on all backends. Left out are hashes and texts of
programs, where a rule stands in its file, times, and whatever a backend keeps for itself. A game changes where the
rules or texts of its pack change, or what makes random programs (`tests/interpreter/programs_rich.py` and others);
then, and only then, the files are written anew.
"""

from __future__ import annotations

import gzip
import struct
from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import sha256
from itertools import groupby, product
from pathlib import Path
from zlib import crc32

from attrs import astuple, frozen

from rulewright.interpreter.backends.factory import make
from rulewright.interpreter.backends.policies import RandomPlayer, play_out
from rulewright.interpreter.game.game import Game, RuleFault
from rulewright.interpreter.game.journal import entry_line
from rulewright.interpreter.state.chance import Stream, seed_state, splitmix
from rulewright.interpreter.state.events import Event
from rulewright.interpreter.state.rule_errors import RuleError
from rulewright.interpreter.views.narration import narrate
from rulewright.ruleset.lower.lowering import lower
from rulewright.ruleset.program.nodes import Program
from rulewright.ruleset.program.traversal import whole_series
from rulewright.ruleset.table.nodes import OVER, STATUS, TableProgram
from rulewright.tools.common.display_texts import PackTexts
from tests.house import shipped
from tests.interpreter.programs_random import NEWER
from tests.interpreter.programs_rich import rich_program
from tests.suites.play import random_answer, random_decision

HERE = Path(__file__).parent
GAMES, TOLD = HERE / "games.tsv", HERE / "told.txt.gz"
TINY = {path.name: path for path in (HERE.parent / "packs").iterdir()}
OWN = TINY | {path.name: path for path in (HERE.parent / "games").iterdir()}
IN_SERIES = "@series"  # at the end of a pack's name: its series of games
# Seeds of random programs. Number 1018 is left out: it multiplies beyond int32 without a check, as no rules do.
RANDOM = {"rich": range(150), "newer": [seed for seed in range(NEWER, NEWER + 151) if seed != 1018]}
GROUPS = ("packs", "pairs", *RANDOM)
LONGEST = 120  # answers, after which a game that is told stops


@frozen
class Table:
    """Packs with a number of seats (`coins+rules 2`), or a random program with its seed (`rich 17`).

    Its `games` games stop after `most` questions, and their seed is the CRC of its name. The first may be `told`.
    """

    of: str
    number: int
    games: int
    most: int = 1000
    told: bool = False

    @property
    def name(self) -> str:
        return f"{self.of} {self.number}"


@frozen
class Played:
    """How a game went: questions with an alternative, `over`, `stopped` or `CODE@PLACE` of a rule error, and 16 hex
    digits for the cells at the end, or for those at the last question before a rule error.
    """

    table: str
    seed: int
    game: int
    decisions: int
    end: str
    cells: str

    @property
    def line(self) -> str:
        return "\t".join(map(str, astuple(self)))


@frozen
class Told:
    """What a game told: its answers as lines of a journal, its events in full, and the log of each language and
    seat. `fault` is the code of a rule error, or empty.
    """

    table: str
    seed: int
    fault: str
    answers: tuple[str, ...]
    events: tuple[Event, ...]
    logs: tuple[tuple[str, int, tuple[str, ...]], ...]

    @property
    def text(self) -> str:
        """One fact a line, each with a mark before it."""
        answers = (f"answer {line}" for line in self.answers)
        logs = (f"{language} {seat}: {line}" for language, seat, lines in self.logs for line in lines)
        head = f"# {self.table}\nseed {self.seed}, fault {self.fault or '-'}"
        return "\n".join([head, *answers, *map(_shown, self.events), *logs])


def _shown(event: Event) -> str:
    """An event without the place that caused it."""
    lists = (",".join(map(str, numbers)) or "-" for numbers in (event.numbers, event.cards, *event.each))
    return f"event {event.kind} {event.audience:b} {event.sees:b} {' '.join(lists)}"


@cache
def tables(group: str) -> list[Table]:
    """The tables of a group: `packs` alone, `pairs` of house rules, or random programs."""
    if group in RANDOM:
        return [Table("rich", seed, 2, 40) for seed in RANDOM[group]]
    if group == "pairs":
        return [table for names in shipped.pairs() for table in _tables(names, 2)]
    large = [path.parent.name for path in shipped.CONTENT.glob("*/pack.yaml") if shipped.is_game(path.parent)]
    games = sorted([*large, *OWN])
    series = [name + IN_SERIES for name in games if _program(name).series is not None]
    found = [table for name in games for table in _tables(name, 6, name not in TINY)]
    found += [table for name in shipped.alone() for table in _tables(name, 3)]
    return found + [table for name in series for table in _tables(name, 2)]


def told() -> list[Table]:
    """The tables whose first game is told."""
    return [table for table in tables("packs") if table.told]


def _tables(names: str, games: int, both: bool = False) -> list[Table]:
    """Those with the fewest and the most players. Both are told, or one of them, with few players or with many."""
    seats = sorted({_program(names).least_players, _program(names).most_players})
    return [Table(names, one, games, told=both or one == seats[len(names) % len(seats)]) for one in seats]


def _program(names: str) -> Program:
    if names.endswith(IN_SERIES):
        return whole_series(_program(names.removesuffix(IN_SERIES)))
    return shipped.program_of(str(OWN.get(names, names)))


@cache
def _lowered(table: Table) -> TableProgram:
    return rich_program(table.number) if table.of == "rich" else lower(_program(table.of), table.number)


class _Watched(RandomPlayer):
    """The random player, which keeps the cells of the last question: a rule error leaves them half changed."""

    decisions = 0
    cells: Sequence[int] = ()

    def decides(self, state: Sequence[int], seat: int) -> bool:
        self.cells, decided = tuple(state), super().decides(state, seat)
        self.decisions += decided
        return decided


def play(table: Table, backend: str) -> Iterator[Played]:
    """Plays the games of a table with the players of batches, one by one, on the backend of a name."""
    program, seed = _lowered(table), crc32(table.name.encode())
    engine = make(program, backend)
    for game in range(table.games):
        player, state = _Watched(program), engine.start(seed, game)
        player.cells = tuple(state)
        try:
            play_out(engine, state, Stream(splitmix(seed_state(seed, game))), player, table.most)
            end, cells = "over" if state[STATUS] == OVER else "stopped", state
        except RuleError as error:
            end, cells = f"{error.code}@{error.at}", list(player.cells)
        digest = sha256(struct.pack(f"<{len(cells)}i", *cells)).hexdigest()[:16]
        yield Played(table.name, seed, game, player.decisions, end, digest)


def tell(table: Table) -> Told:
    """Plays and narrates the first game of a table of packs."""
    program, seed, fault = _lowered(table), crc32(table.name.encode()), ""
    game, chance = Game.start(program, seed), Stream(seed)
    try:
        while game.result is None and len(game.journal.entries) < LONGEST:
            decision = random_decision(game, chance)
            game.apply(decision.seat, random_answer(decision, chance))
    except RuleFault as error:
        fault = error.code
    texts, readers = PackTexts(program, _program(table.of)), product(("en", "es"), range(program.seats))
    logs = tuple((*one, narrate(program, game.events(one[1]), one[0], texts, one[1])) for one in readers)
    return Told(table.name, seed, fault, tuple(map(entry_line, game.journal.entries)), game.events(), logs)


def read_games() -> dict[str, list[str]]:
    """The lines of each table."""
    lines = GAMES.read_text("utf-8").splitlines()
    return {name: [*some] for name, some in groupby(lines, lambda line: line.partition("\t")[0])}


def read_told() -> dict[str, list[str]]:
    """The lines of each game that is told, by its table."""
    texts = gzip.decompress(TOLD.read_bytes()).decode("utf-8").removeprefix("# ").rstrip("\n").split("\n# ")
    return {text.partition("\n")[0]: f"# {text}".split("\n") for text in texts}
