"""Candidates of a bot in the same worlds, against the same opponents, in every seat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

import attrs
import numpy as np
from attrs import define, evolve, field, frozen

from rulewright.interpreter.backends.native.library import BuildError
from rulewright.interpreter.backends.native.module import NoNativeError
from rulewright.interpreter.backends.policies import policies
from rulewright.interpreter.batch.batch import ManyGames, Stop, stepping_many
from rulewright.interpreter.batch.factory import NativeMany, native_many
from rulewright.interpreter.state.memo import once
from rulewright.ruleset.documents.play import BotDocument
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.parser import parse_expression
from rulewright.ruleset.language.syntax_errors import Mistake
from rulewright.ruleset.language.types import NUMBER
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.traversal import rebuild, substitute
from rulewright.ruleset.source.nodes import MappingNode, ScalarNode
from rulewright.ruleset.source.pack_files import PackFiles
from rulewright.ruleset.source.reader import read_documents
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.nodes import BotInfo, Score, TableProgram
from rulewright.tools.balance.estimates import Ends, ends, measured, moments_of, units
from rulewright.tools.balance.interventions import playing_like, with_bots
from rulewright.tools.common.text_edit import Edit, FileText, applied
from rulewright.tools.simulation.columns import columns_of
from rulewright.tools.simulation.protocol import BatchResult
from rulewright.tools.simulation.statistics import Numbers, PairSums

# ---- A table program in which the numbers of a bot are data: other numbers need no new code
#
# The numbers become parameters of the bot's functions, and their values constants of its answers and scores.
# So a library that was compiled once plays every candidate. To find the numbers in the checked program, the
# pack is compiled with marks in their places: numbers that nothing else in the bot has.

MARK = 1_000_000_007
"""The first mark."""
_AROUND = (t.Binary, t.Checked, t.Least, t.Most, t.IfElse, t.Give)
"""What may be around a number that can change. An index, or how many cards of a pile are looked at, cannot."""

Places = dict[str, tuple[int, ...]]
"""For units with numbers, the places of these among all numbers of the bot, in the order of the parameters."""


@frozen
class OpenBot:
    """A table with a bot whose numbers are constants.

    `uses` has the places of a function's constants in the list of all numbers; `free` are the places of all numbers
    that any function uses.
    """

    program: TableProgram
    bot: str
    uses: dict[int, tuple[int, ...]]
    original: tuple[int, ...]

    @property
    def free(self) -> tuple[int, ...]:
        return tuple(sorted({place for places in self.uses.values() for place in places}))

    def with_values(self, key: str, values: Sequence[int]) -> BotInfo:
        """Return the bot under another key, with other values of all numbers."""
        assert self.program.bots is not None
        info = next(one for one in self.program.bots.bots if one.key == self.bot)
        return _given(info, key, self.uses, values)


def opened(marked: p.Program, bot: str, values: Sequence[int]) -> tuple[p.Program, Places]:
    """Return a program, in which number n of a bot is `MARK + n`, with variables for the numbers of the bot.

    The variables come right after the parameters of a unit, and are to become parameters. Numbers that cannot
    change get their `values` back.
    """
    units, places = list[p.Unit](), dict[str, tuple[int, ...]]()
    for unit in marked.units:
        if unit.key.startswith(f"bot/{bot}/"):
            unit, found = _opened(unit, values)
            if found:
                places[unit.key] = found
        units.append(unit)
    return evolve(marked, units=tuple(units)), places


def with_constants(table: TableProgram, bot: str, values: Sequence[int], places: Places) -> OpenBot:
    """Return the table of an opened program, with the variables of numbers as parameters."""
    bots, first = table.bots, len(table.functions)
    assert bots is not None
    uses = {first + n: places[one.name] for n, one in enumerate(bots.functions) if one.name in places}
    functions = tuple(
        evolve(one, parameters=one.parameters + len(places.get(one.name, ()))) for one in bots.functions
    )
    infos = tuple(_given(info, info.key, uses, values) if info.key == bot else info for info in bots.bots)
    made = evolve(table, bots=evolve(bots, bots=infos, functions=functions))
    return OpenBot(made, bot, uses, tuple(values))


def _opened(unit: p.Unit, values: Sequence[int]) -> tuple[p.Unit, tuple[int, ...]]:
    """Return a unit with variables for its numbers, and the places of these among all numbers."""
    marks = range(MARK, MARK + len(values))
    found: dict[int, int] = {}

    def variables(node: Any, around: bool) -> Any:
        if isinstance(node, t.Const) and node.value in marks:
            place = node.value - MARK
            if not around:
                return t.Const(values[place])
            return p.Var(found.setdefault(place, len(unit.variables) + len(found)))
        inside = isinstance(node, _AROUND)
        return rebuild(node, lambda child: variables(child, inside))

    body = tuple(variables(statement, False) for statement in unit.body)
    kept, count = unit.parameters, len(found)
    moved = {number: number + count for number in range(kept, len(unit.variables))}
    moved |= {variable: kept + number for number, variable in enumerate(found.values())}
    numbers = tuple(p.Variable(f"number-{number}", NUMBER, False) for number in range(count))
    return evolve(
        unit,
        variables=(*unit.variables[:kept], *numbers, *unit.variables[kept:]),
        body=tuple(substitute(statement, {}, moved) for statement in body),
    ), tuple(found)


def _given(info: BotInfo, key: str, uses: dict[int, tuple[int, ...]], values: Sequence[int]) -> BotInfo:
    """Return a bot under a key, with these values of its numbers."""

    def constants(function: int) -> tuple[int, ...]:
        return tuple(values[place] for place in uses.get(function, ()))

    answers = tuple(evolve(one, constants=constants(one.condition)) for one in info.answers)
    rankings = tuple(
        evolve(one, constants=constants(one.function)) if isinstance(one, Score) else one for one in info.rankings
    )
    return BotInfo(key, answers, rankings)


# ---- Trials

BLOCK = 50
"""Worlds that a candidate plays in one seat before the seat changes."""
COMPARED = ("win", "lead", "score")
WIN, LEAD = 4000, 1000
"""The worth of a win, and the most that the lead can add to it or take away: a quarter."""
_RANDOM = "random "
"""The key of a bot that answers at random; no bot of a pack has a blank in its name."""


@define
class Tallies:
    """Sums over the same worlds for each candidate; `games` counts worlds, each with its opponent.

    `worth` is that of a candidate's games: `WIN` for a win, a share of it for a shared one, and up to `LEAD` for
    the lead. `pairs` compares each candidate with the first, in the units of `outcomes.units`, over worlds in which
    neither game failed: `played` of them. `leads` are the leads of the first candidate.
    """

    worth: list[int]
    pairs: list[dict[str, PairSums]]
    played: list[int]
    games: int = 0
    leads: Numbers = field(factory=Numbers)

    def merge(self, other: Tallies) -> None:
        """Add the sums of other worlds."""
        self.games += other.games
        self.leads.merge(other.leads)
        self.worth = [one + more for one, more in zip(self.worth, other.worth, strict=True)]
        self.played = [one + more for one, more in zip(self.played, other.played, strict=True)]
        for mine, theirs in zip(self.pairs, other.pairs, strict=True):
            for name, pairs in theirs.items():
                mine[name].merge(pairs)


@frozen
class Trials:
    """`worlds` worlds of each opponent for each of some candidates, from game `start` of the seed on.

    A candidate is a value for each number of the bot. `opponents` are bots of the table; empty: random players.
    They have all other seats. `scale` is the lead that counts fully.
    """

    table: OpenBot
    candidates: tuple[tuple[int, ...], ...]
    opponents: tuple[str, ...]
    start: int
    worlds: int
    seed: int
    scale: int = 1
    slow: bool = field(default=False, init=False)

    @property
    def games(self) -> int:
        """The number of worlds; all candidates play each of them."""
        return self.worlds * len(self.opponents)

    def empty(self) -> Tallies:
        count = len(self.candidates)
        return Tallies([0] * count, [{name: PairSums() for name in COMPARED} for _ in range(count)], [0] * count)

    def player(self) -> TrialPlayer:
        return TrialPlayer(self)

    def reach(self, first: int, most: int, jobs: int) -> int:
        return min(first + most, self.games)

    def parts(self, first: int, end: int) -> Iterator[tuple[str, int, int, int]]:
        """Iterate over the opponent, the candidate's seat, and the first and last world of consecutive items."""
        seats, opponents = self.table.program.seats, len(self.opponents)
        while first < end:
            block, rest = divmod(first, BLOCK * opponents)
            size = min(BLOCK, self.worlds - block * BLOCK)
            opponent, world = divmod(rest, size)
            count = min(size - world, end - first)
            begin = self.start + block * BLOCK + world
            yield self.opponents[opponent], block % seats, begin, begin + count
            first += count


class TrialPlayer:
    """Plays the worlds of trials. The first games wait for the compiler, because many follow."""

    def __init__(self, work: Trials) -> None:
        self._work = work
        base = work.table.program
        bots = [work.table.with_values(_key(n), values) for n, values in enumerate(work.candidates)]
        self._program = with_bots(base, [playing_like(base, "", _RANDOM), *bots])
        self._columns = columns_of(base, tracks=False)
        self._native = _native(base)
        self._units = units(base.seats)
        self._slow: dict[tuple[str, ...], ManyGames] = {}
        """Players that walk, if there is no compiler."""

    def play(self, first: int, end: int, stop: Stop) -> BatchResult[Tallies]:
        """See `Player.play`."""
        found, done = self._work.empty(), first
        for opponent, seat, begin, last in self._work.parts(first, end):
            played = [self._played(n, opponent, seat, begin, last, stop) for n in range(len(self._work.candidates))]
            known = [one for one in played if one is not None]
            if len(known) < len(played):
                break
            self._count(found, known, seat)
            done += last - begin
        found.games = done - first
        return BatchResult(first, done, found, "walker" if self._native is None else self._native.name)

    def prepare(self) -> bool:
        """See `Player.prepare`: the first games have waited for the library."""
        return False

    def _played(self, number: int, opponent: str, seat: int, begin: int, last: int, stop: Stop) -> Ends | None:
        """Return the ends of games of a candidate; None if they were stopped."""
        keys = [opponent or _RANDOM] * self._program.seats
        keys[seat] = _key(number)
        many = self._many(keys)
        results = many.play(self._work.seed, begin, last - begin, stop)
        return ends(self._columns, results) if results.count == last - begin else None

    def _many(self, keys: Sequence[str]) -> ManyGames:
        if self._native is None:
            key = tuple(keys)
            if key not in self._slow:
                self._slow[key] = stepping_many(self._program, self._columns.addresses, "walker", keys)
            return self._slow[key]
        self._native.seat(policies(self._program, keys))
        return self._native

    def _count(self, found: Tallies, played: Sequence[Ends], seat: int) -> None:
        """Add the ends of some worlds."""
        first = measured(played[0], seat)
        leads, scale = first["lead"], self._work.scale
        found.leads.merge(Numbers(len(leads), int(leads.sum()), int((leads * leads).sum()), *_range(leads)))
        for number, one in enumerate(played):
            of = measured(one, seat)
            worth = WIN * of["win"] // self._units["win"] + np.clip(LEAD * of["lead"] // scale, -LEAD, LEAD)
            found.worth[number] += int(worth[~one.failed].sum())
            kept = ~(one.failed | played[0].failed)
            found.played[number] += int(kept.sum())
            for name in COMPARED:
                before, after = first[name][kept], of[name][kept]
                sums = moments_of(after - before)
                found.pairs[number][name].merge(
                    PairSums(int(before.sum()), int(after.sum()), sums.squares, sums.changed)
                )


def _key(number: int) -> str:
    """Return the key of a candidate; no bot of a pack has a blank in its name."""
    return f"candidate {number}"


def _range(numbers: np.typing.NDArray[np.int64]) -> tuple[int, int]:
    return (int(numbers.min()), int(numbers.max())) if len(numbers) else (0, 0)


@once
def _native(base: TableProgram) -> NativeMany | None:
    """Return the native player of a table, whose library knows none of the candidates; None without a compiler."""
    program = with_bots(base, [playing_like(base, "", _RANDOM)])
    with suppress(NoNativeError, BuildError):
        return native_many(program, columns_of(base, tracks=False).addresses, (_RANDOM,) * base.seats)
    return None


# ---- The numbers in a bot's document: what a designer wrote, and where its digits are

@frozen
class BotNumber:
    """A number in a `when` or a `score` of a bot.

    Its digits are the characters `start` to `end` of the file's text. `expression` is the string that it is in,
    which begins at `scalar` in the file, and `place` is where it begins in that.
    """

    path: str
    line: int
    start: int
    end: int
    value: int
    expression: str
    scalar: int
    place: int

    @property
    def alone(self) -> bool:
        """Whether the expression is nothing but this number."""
        return self.expression.strip() == str(self.value)


def numbers_of(files: PackFiles, bot: str) -> tuple[BotNumber, ...]:
    """Return the numbers of a bot of a pack, in the order of the file. Each is there once, also behind aliases."""
    found: dict[tuple[str, int], BotNumber] = {}
    for path, text, document in _bots(files):
        if document.key == bot:
            for scalar in _expressions(document):
                found.update(((path, one.start), one) for one in _in(scalar, text, path))
    return tuple(found[key] for key in sorted(found))


def declares(files: PackFiles, bot: str) -> str | None:
    """Return the file of a pack that declares a bot, as its path is shown."""
    return next((path for path, _, document in _bots(files) if document.key == bot), None)


def edited(raw: str, numbers: Sequence[BotNumber], values: Sequence[int]) -> str:
    """Return the text of a file with other values of its numbers; all else stays as it is."""
    return applied(raw, [Edit(n.start, n.end, str(value)) for n, value in zip(numbers, values, strict=True)])


def expressions(numbers: Sequence[BotNumber], values: Sequence[int]) -> list[tuple[BotNumber, str, str]]:
    """Return each expression with its first number, as it is and with other values, on one line."""
    found: dict[tuple[str, int], list[tuple[BotNumber, int]]] = {}
    for number, value in zip(numbers, values, strict=True):
        found.setdefault((number.path, number.scalar), []).append((number, value))
    shown: list[tuple[BotNumber, str, str]] = []
    for own in found.values():
        first = own[0][0]
        places = [Edit(n.place, n.place + len(str(n.value)), str(value)) for n, value in own]
        shown.append((first, _one_line(first.expression), _one_line(applied(first.expression, places))))
    return shown


def _one_line(text: str) -> str:
    return " ".join(text.split())


def with_values(files: PackFiles, numbers: Sequence[BotNumber], values: Sequence[int]) -> PackFiles:
    """Return the files of a pack with other values of numbers."""
    changed = {number.path for number in numbers}

    def data_of(path: str, data: bytes) -> bytes:
        if path not in changed:
            return data
        own = [(n, value) for n, value in zip(numbers, values, strict=True) if n.path == path]
        return edited(data.decode("utf-8"), [n for n, _ in own], [value for _, value in own]).encode("utf-8")

    return attrs.evolve(files, files=tuple((path, data_of(path, data)) for path, data in files.files))


def _bots(files: PackFiles) -> Iterator[tuple[str, FileText, BotDocument]]:
    """Iterate over the bots of a pack, each with its file and the text of that."""
    for path, data in files.files:
        raw = data.decode("utf-8", "replace")
        for document in read_documents(path, raw)[0] if "bot" in raw else ():
            name = document.root.entries[0].value
            if document.kind == "bot" and isinstance(name, ScalarNode):
                yield path, FileText(raw), BotDocument.read(name, document.root)


def _expressions(bot: BotDocument) -> Iterator[ScalarNode]:
    """Iterate over the conditions and scores of a bot's answers."""
    for answer in bot.answers:
        scores = answer.score.entries if isinstance(answer.score, MappingNode) else ()
        found = [answer.when, answer.score, *(entry.value for entry in scores)]
        yield from (one for one in found if isinstance(one, ScalarNode))


def _in(scalar: ScalarNode, text: FileText, path: str) -> Iterator[BotNumber]:
    """Iterate over the numbers of an expression whose digits are in the file as they are."""
    tree = parse_expression(scalar.text)
    for node in () if isinstance(tree, Mistake) else _numbers(tree):
        span = scalar.span_of(node.start, node.end)
        start, end = text.begin(span), text.end(span)
        if text.raw[start:end] == scalar.text[node.start : node.end] == str(node.value):
            first = text.begin(scalar.span)
            yield BotNumber(path, span.line, start, end, node.value, scalar.text, first, node.start)


def _numbers(tree: Any) -> Iterator[s.NumberNode]:
    if isinstance(tree, tuple):
        for item in tree:
            yield from _numbers(item)
    elif isinstance(tree, s.NumberNode):
        yield tree
    elif isinstance(tree, s.SyntaxNode):
        for one in attrs.fields(type(tree)):
            yield from _numbers(getattr(tree, one.name))
