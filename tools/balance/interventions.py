"""Compare seats that take, avoid, or do not care about a definition, in the same worlds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import combinations, groupby
from statistics import median

import numpy as np
from attrs import Factory, define, evolve, field, frozen

from rulewright.interpreter.backends.native.library import BuildError
from rulewright.interpreter.backends.native.module import CSource, NoNativeError, generate_playing
from rulewright.interpreter.backends.policies import policies
from rulewright.interpreter.batch.batch import ManyGames, Stop, never, stepping_many
from rulewright.interpreter.batch.factory import NativeMany, native_many
from rulewright.interpreter.state.memo import once
from rulewright.interpreter.views.visibility import ALL_DEFINITIONS
from rulewright.ruleset.table.nodes import UNRANKED, BotAnswer, BotInfo, Bots, Ranking, Score, TableProgram
from rulewright.tools.balance.estimates import (
    Ends,
    Estimate,
    Evidence,
    beyond,
    differ,
    ends,
    estimate_of,
    joined,
    measured,
    moments_of,
    standing,
)
from rulewright.tools.balance.subjects import DefinitionTrial, Subject
from rulewright.tools.simulation.columns import Failed, columns_of
from rulewright.tools.simulation.protocol import BatchResult
from rulewright.tools.simulation.statistics import Moments

# ---- Bots that lean towards a definition or away from it, and play like another bot in everything else
#
# A bot that *avoids* a definition at a site leaves it out of the options whenever enough others remain. A bot
# that *takes* it prefers it to what it would choose otherwise: always, or in one of several decisions; before all
# answers of the bot for that site, or only after some of them.

FOUND = -2
"""The rank of options that are about the definition."""
CHANCES = (1, 3, 9)
"""A definition is taken in one of so many decisions."""


@frozen
class DefinitionUse:
    """How a definition is taken: after `after` answers of the bot for the site, in one of `chance` decisions."""

    after: int
    chance: int


def uses(program: TableProgram, bot: str, site: int, chances: Sequence[int] = CHANCES) -> tuple[DefinitionUse, ...]:
    """Return the possible uses at a site. Nothing follows a bot's last answer, which rarely leaves a choice."""
    answers = sum(answer.site == site for answer in _bot(program, bot).answers)
    return tuple(DefinitionUse(after, chance) for after in range(max(1, answers)) for chance in chances)


def avoiding(program: TableProgram, bot: str, key: str, trial: DefinitionTrial) -> BotInfo:
    """Return a bot with a key that plays like `bot` (empty: at random) but avoids the definition of a trial."""
    return leaning(program, bot, key, (), (trial,))


def taking(program: TableProgram, bot: str, key: str, trial: DefinitionTrial, use: DefinitionUse) -> BotInfo:
    """Return a bot that takes the definition of a trial."""
    return leaning(program, bot, key, ((trial, use),), ())


def leaning(
    program: TableProgram,
    bot: str,
    key: str,
    taken: Sequence[tuple[DefinitionTrial, DefinitionUse]],
    avoided: Sequence[DefinitionTrial],
) -> BotInfo:
    """Return a bot that takes and avoids definitions; at the same place, it prefers those that come first."""
    info = _bot(program, bot)
    rankings = info.rankings
    answers: list[BotAnswer] = []
    for trial in avoided:
        rankings, first = _ranked(program, rankings, trial)
        answers.append(BotAnswer(trial.site, -1, first, "avoid"))
    placed: list[tuple[int, BotAnswer]] = []
    for trial, use in taken:
        rankings, first = _ranked(program, rankings, trial)
        own = [place for place, answer in enumerate(info.answers) if answer.site == trial.site]
        place = own[use.after] if use.after < len(own) else len(info.answers)
        placed.append((place, BotAnswer(trial.site, -1, first, "", use.chance)))
    for place in range(len(info.answers) + 1):
        answers += [answer for at, answer in placed if at == place]
        answers += info.answers[place : place + 1]
    return BotInfo(key, tuple(answers), rankings)


def playing_like(program: TableProgram, bot: str, key: str) -> BotInfo:
    """Return a bot with another key that plays like a bot."""
    return evolve(_bot(program, bot), key=key)


def with_bots(program: TableProgram, bots: Sequence[BotInfo]) -> TableProgram:
    """Return a table with more bots. Its library is the same, since bots are data to it."""
    known = program.bots or Bots((), (), (), ())
    return evolve(program, bots=evolve(known, bots=(*known.bots, *bots)))


def _bot(program: TableProgram, key: str) -> BotInfo:
    bots = program.bots.bots if program.bots is not None else ()
    return next((bot for bot in bots if bot.key == key), BotInfo("", (), ()))


def _ranked(
    program: TableProgram, rankings: Sequence[Ranking | Score], trial: DefinitionTrial
) -> tuple[tuple[Ranking | Score, ...], int]:
    """Return rankings with those that find options about a definition, and the number of the first of these."""
    found: list[Ranking | Score] = list(rankings)
    members, faces = _numbers(program, trial.subject)
    kinds = {kind for kind, _ in program.definitions}

    def following(parts: Sequence[str], radix: Sequence[int]) -> int:
        if not parts:
            return UNRANKED
        place = len(found)
        found.append(Ranking(False, 0, (), UNRANKED))
        cases = faces if parts[0] == "card" else members if parts[0] in kinds else ()
        rest = following(parts[1:], radix[1:])
        found[place] = Ranking(parts[0] == "card", radix[0], tuple((one, FOUND) for one in cases), rest)
        return place

    site, first = program.sites[trial.site], len(found)
    if site.of != "menu":
        following((site.of,), (0,))
        return tuple(found), first
    found.append(Ranking(False, 0, (), UNRANKED))
    cases = [(n, following(one.members, one.radix)) for n, one in enumerate(site.branches) if one.members]
    found[first] = Ranking(False, len(site.branches), tuple(cases), UNRANKED)
    return tuple(found), first


def _numbers(program: TableProgram, subject: Subject) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the number of a definition as a value of options, and the faces of its cards."""
    known = dict(program.definitions)
    listed = known.get(ALL_DEFINITIONS, known[subject.kind])
    cards = (card for card in program.cards if (card.kind, card.definition) == (subject.kind, subject.key))
    return (listed.index(subject.key),), tuple(sorted({card.face for card in cards}))


# ------------------------------------------------------------------ Plays the same worlds with seats that lean

CLOSE = 20
"""Games that are so far apart, or less, are played in one call."""
AS_IS = "as is"
"""The key of the bot that plays all seats that do not lean."""


class LeaningPlayer:
    """Plays worlds at a table with seats that play like `bot`, or lean as one of `bots` does, by key.

    The first games wait for the compiler, because many will follow; without one, the walker plays them.
    """

    def __init__(self, program: TableProgram, bot: str, bots: Sequence[BotInfo], seed: int) -> None:
        self._program = with_bots(program, [playing_like(program, bot, AS_IS), *bots])
        self._columns = columns_of(program, tracks=False)
        self._seed = seed
        self._kept: tuple[tuple[int, int], Ends] | None = None
        self._native: NativeMany | None = None
        self._seated: tuple[str, ...] = ()
        everywhere = (AS_IS,) * program.seats
        with suppress(NoNativeError, BuildError):
            source = _source(program)
            self._native = native_many(self._program, self._columns.addresses, everywhere, source)

    @property
    def backend(self) -> str:
        return "walker" if self._native is None else self._native.name

    def play(self, keys: Sequence[str], first: int, end: int, stop: Stop = never) -> Ends | None:
        """Return the ends of games `first` to `end` - 1 with these bots in the seats; None if it was stopped."""
        many = self._make(keys)
        results = many.play(self._seed, first, end - first, stop)
        return ends(self._columns, results) if results.count == end - first else None

    def as_is(self, first: int, end: int, stop: Stop = never) -> Ends | None:
        """Return the ends of games in which no seat leans; those of the last call are kept."""
        if self._kept is None or self._kept[0] != (first, end):
            found = self.play((AS_IS,) * self._program.seats, first, end, stop)
            if found is None:
                return None
            self._kept = (first, end), found
        return self._kept[1]

    def one_leaning(self, key: str, seat: int, first: int, end: int, stop: Stop = never) -> Ends | None:
        """Return the ends of games in which one seat leans."""
        keys = [key if number == seat else AS_IS for number in range(self._program.seats)]
        return self.play(keys, first, end, stop)

    def leaning_in(self, key: str, seat: int, games: Sequence[int], stop: Stop = never) -> Ends | None:
        """Return the ends of certain games, in rising order, in which one seat leans; None if it was stopped.

        Games between those that are close to each other are played, too: a call of native code costs more.
        """
        parts, first = [], 0
        for place in range(1, len(games) + 1):
            if place == len(games) or games[place] - games[place - 1] > CLOSE:
                own = games[first:place]
                found = self.one_leaning(key, seat, own[0], own[-1] + 1, stop)
                if found is None:
                    return None
                parts.append(found.among([game - own[0] for game in own]))
                first = place
        return joined(parts)

    def _make(self, keys: Sequence[str]) -> ManyGames:
        if self._native is None:
            return stepping_many(self._program, self._columns.addresses, "walker", keys)
        if self._seated != tuple(keys):
            self._native.seat(policies(self._program, keys))
            self._seated = tuple(keys)
        return self._native


@once
def _source(program: TableProgram) -> CSource:
    """Return the text that plays a table with bots. It is the same for all bots, since they are data to it."""
    return generate_playing(with_bots(program, [playing_like(program, "", AS_IS)]))


# ---- Worlds in blocks, so that a call of native code plays many games
#
# Items of work are numbered by block, then by trial, then by the world within the block. All trials play the
# same worlds, and an interrupted run has about as many worlds of each trial. The seat that leans changes with
# the block.

BLOCK = 500
"""Worlds of a block at most."""
FEW = 5
"""In one of so many worlds, the first of a block, all seats avoid the definition."""


@frozen
class WorldBlock:
    """Worlds `first` to `end` - 1 of a block, for one trial and one seat that leans."""

    trial: int
    seat: int
    first: int
    end: int

    few: int
    """The number of the first worlds in which nobody takes a definition, too: such games can be very long."""


def even(worlds: int, seats: int) -> int:
    """Return the size of blocks with which each seat leans in as many worlds, even if there are only a few."""
    rounds = max(1, -(-worlds // (BLOCK * seats)))
    return max(1, -(-worlds // (rounds * seats)))


@frozen
class Blocks:
    """`worlds` worlds of each of `trials` trials, at a table of `seats`. World 0 is game `start` of the seed."""

    trials: int
    worlds: int
    seats: int
    start: int = 0
    size: int = Factory(lambda self: even(self.worlds, self.seats), takes_self=True)

    @property
    def items(self) -> int:
        return self.trials * self.worlds

    def reach(self, first: int, most: int) -> int:
        """Return the end of an interval of about `most` items that begins with `first`: the end of a block."""
        part = next(self.parts(first, self.items))
        end = first + part.end - part.first
        while end < self.items and end - first < most:
            part = next(self.parts(end, self.items))
            end += part.end - part.first
        return end

    def parts(self, first: int, end: int) -> Iterator[WorldBlock]:
        """Iterate over the parts of blocks in items `first` to `end` - 1."""
        while first < end:
            block, rest = divmod(first, self.trials * self.size)
            size = min(self.size, self.worlds - block * self.size)
            trial, world = divmod(rest, size)
            number = min(size - world, end - first)
            at = self.start + block * self.size + world
            few = max(0, min(number, -(-size // FEW) - world))
            yield WorldBlock(trial, block % self.seats, at, at + number, few)
            first += number


@frozen
class Interventions:
    """Worlds of each trial, with the use that is compared in each."""

    program: TableProgram
    bot: str
    trials: tuple[DefinitionTrial, ...]
    uses: tuple[DefinitionUse, ...]
    blocks: Blocks
    seed: int
    slow: bool = field(default=False)

    @property
    def games(self) -> int:
        return self.blocks.items

    @property
    def cost(self) -> float:
        """The games that are played for each world of a trial, those of all trials left out."""
        return 2 + 1 / FEW

    def empty(self) -> Evidence:
        return Evidence()

    def player(self) -> InterventionPlayer:
        return InterventionPlayer(self)

    def reach(self, first: int, most: int, jobs: int) -> int:
        return self.blocks.reach(first, most)


class InterventionPlayer:
    """Plays and compares the worlds of trials."""

    def __init__(self, work: Interventions) -> None:
        self._work = work
        program, bot = work.program, work.bot
        bots = [
            bot_info
            for number, (trial, use) in enumerate(zip(work.trials, work.uses, strict=True))
            for bot_info in (
                avoiding(program, bot, f"{number} away", trial),
                taking(program, bot, f"{number} taken", trial, use),
            )
        ]
        self._player = LeaningPlayer(program, bot, bots, work.seed)

    def play(self, first: int, end: int, stop: Stop) -> BatchResult[Evidence]:
        """See `Player.play`."""
        found, done = Evidence(), first
        for part in self._work.blocks.parts(first, end):
            played = self._played(part, stop)
            if played is None:
                break
            as_is, away, taken, nobody = played
            found.of(part.trial, "taken").add(taken, away, part.seat)
            found.of(part.trial, "as is").add(as_is, away, part.seat)
            found.of(part.trial, "nobody").add(as_is.head(part.few), nobody, part.seat)
            for how, outcomes in (("avoided", away), ("taken", taken), ("nobody", nobody)):
                found.note(part.trial, how, outcomes)
            done += part.end - part.first
        return BatchResult(
            first, done, evolve(found, games=done - first, backend=self._player.backend), self._player.backend
        )

    def _played(self, part: WorldBlock, stop: Stop) -> tuple[Ends, Ends, Ends, Ends] | None:
        """Return the ends of the games as they are, avoided, taken, and avoided by all; None if it was stopped."""
        player, key = self._player, f"{part.trial} away"
        where = part.seat, part.first, part.end
        found = (
            player.as_is(part.first, part.end, stop),
            player.one_leaning(key, *where, stop),
            player.one_leaning(f"{part.trial} taken", *where, stop),
            player.play((key,) * self._work.program.seats, part.first, part.first + part.few, stop),
        )
        as_is, away, taken, nobody = found
        if as_is is None or away is None or taken is None or nobody is None:
            return None
        return as_is, away, taken, nobody

    def prepare(self) -> bool:
        """See `Player.prepare`: the first games have waited for the library."""
        return False


# ---- Try all uses of each definition in some worlds, to find the best one for the comparison

AWAY = "away"
LEAST = 0.05
"""A use counts if it changes at least this share of the games that the most eager use changes."""


@frozen
class Attempt:
    """One use in one trial; `key` names its bot, and `away` the bot that avoids the definition."""

    trial: int
    use: DefinitionUse
    key: str
    away: str


def attempts(trials: Sequence[DefinitionTrial], found: Sequence[Sequence[DefinitionUse]]) -> tuple[Attempt, ...]:
    """Return all uses of all trials, those of a trial together."""
    return tuple(
        Attempt(number, use, f"{number} {place}", f"{number} {AWAY}")
        for number, uses in zip(range(len(trials)), found, strict=True)
        for place, use in enumerate(uses)
    )


@frozen
class Screening:
    """Worlds of each attempt: a seat that takes the definition, and the same seat avoiding it."""

    program: TableProgram
    bot: str
    trials: tuple[DefinitionTrial, ...]
    attempts: tuple[Attempt, ...]
    blocks: Blocks
    seed: int
    slow: bool = False

    @property
    def games(self) -> int:
        return self.blocks.items

    def empty(self) -> Evidence:
        return Evidence()

    def player(self) -> ScreeningPlayer:
        return ScreeningPlayer(self)

    def reach(self, first: int, most: int, jobs: int) -> int:
        return self.blocks.reach(first, most)


class ScreeningPlayer:
    """Plays attempts. The games of the seat that avoids a definition are the same for all of its uses."""

    def __init__(self, work: Screening) -> None:
        self._work = work
        program, bot = work.program, work.bot
        bots: list[BotInfo] = []
        for number, attempts in groupby(work.attempts, lambda one: one.trial):
            trial = work.trials[number]
            bots.append(avoiding(program, bot, f"{number} {AWAY}", trial))
            bots += [taking(program, bot, one.key, trial, one.use) for one in attempts]
        self._player = LeaningPlayer(program, bot, bots, work.seed)
        self._away: tuple[tuple[str, int, int], Ends] | None = None

    def play(self, first: int, end: int, stop: Stop) -> BatchResult[Evidence]:
        """See `Player.play`."""
        found, done = Evidence(), first
        for part in self._work.blocks.parts(first, end):
            attempt = self._work.attempts[part.trial]
            where = part.seat, part.first, part.end
            away = self._avoided(attempt.away, *where, stop)
            taken = away and self._player.one_leaning(attempt.key, *where, stop)
            if away is None or taken is None:
                break
            found.of(part.trial, attempt.key).add(taken, away, part.seat)
            found.note(attempt.trial, "taken", taken)
            done += part.end - part.first
        return BatchResult(
            first, done, evolve(found, games=done - first, backend=self._player.backend), self._player.backend
        )

    def _avoided(self, key: str, seat: int, first: int, end: int, stop: Stop) -> Ends | None:
        about = key, first, end
        if self._away is None or self._away[0] != about:
            found = self._player.one_leaning(key, seat, first, end, stop)
            if found is None:
                return None
            self._away = about, found
        return self._away[1]

    def prepare(self) -> bool:
        """See `Player.prepare`: the first games have waited for the library."""
        return False


def best_uses(work: Screening, evidence: Evidence) -> dict[int, DefinitionUse]:
    """Return, by trial, the use with the highest mean lead among those that change enough games.

    Of equal ones, the first is best. Trials whose uses change nothing are left out.
    """
    best: dict[int, DefinitionUse] = {}
    for number, attempts in groupby(enumerate(work.attempts), lambda one: one[1].trial):
        leads = []
        for place, attempt in attempts:
            differences = evidence.found.get((place, attempt.key))
            moments = differences.of("lead") if differences else None
            if moments is not None and moments.count:
                leads.append((moments.count, moments.total / moments.count, attempt.use))
        most = max((count for count, _, _ in leads), default=0)
        enough = [one for one in leads if one[0] >= LEAST * most]
        if enough:
            best[number] = max(enough, key=lambda one: one[1])[2]
    return best


def best_evidence(work: Screening, evidence: Evidence, best: Mapping[int, DefinitionUse]) -> Evidence:
    """Return what the screening says of the best use of each trial, as a comparison has it.

    The trials are those of `best`, in the order of their numbers.
    """
    found = Evidence(evidence.games, backend=evidence.backend)  # games that failed were counted by the screening
    places = {trial: place for place, trial in enumerate(sorted(best))}
    for number, attempt in enumerate(work.attempts):
        if best.get(attempt.trial) == attempt.use:
            found.of(places[attempt.trial], "taken").merge(evidence.of(number, attempt.key))
    return found


# ---- Which two definitions belong together, and which get in each other's way
#
# In the same world, a seat takes both, takes one and avoids the other, or avoids both. What the first is
# worth to a seat that takes the second, less what it is worth to one that avoids the second, is their
# synergy. Worlds in which one of the two makes no difference by itself say nothing about the pair, and are
# left out.
#
# Two definitions at a choice are always taken instead of each other, and a seat that avoids both has fewer
# options left. So each pair is compared with the median pair of its choice.

@define
class Both:
    """Sums of the synergies of a pair, and of what both are worth more than one, the other, and neither."""

    synergy: Moments = field(factory=Moments)
    more: tuple[Moments, Moments, Moments] = field(factory=lambda: (Moments(), Moments(), Moments()))

    def merge(self, other: Both) -> None:
        self.synergy.merge(other.synergy)
        for own, another in zip(self.more, other.more, strict=True):
            own.merge(another)


@define
class Together:
    """Sums by the numbers of two trials. `games` counts worlds, and `faults` games that did not end or failed."""

    games: int = 0
    faults: Counter[Failed] = field(factory=Counter)
    found: dict[tuple[int, int], Both] = field(factory=dict)

    def of(self, pair: tuple[int, int]) -> Both:
        return self.found.setdefault(pair, Both())

    def merge(self, other: Together) -> None:
        self.games += other.games
        self.faults.update(other.faults)
        for pair, both in other.found.items():
            self.of(pair).merge(both)


@frozen
class SynergyPairs:
    """Worlds in which all pairs of trials at the same site and of the same group are played.

    Each trial has its best use, and the group in which it is weighed.
    """

    program: TableProgram
    bot: str
    trials: tuple[DefinitionTrial, ...]
    uses: tuple[DefinitionUse, ...]
    groups: tuple[str, ...]
    measure: str
    blocks: Blocks
    seed: int
    slow: bool = False

    @property
    def games(self) -> int:
        return self.blocks.items

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """The numbers of the trials of each pair; the first is the one that is preferred."""
        pairs = combinations(range(len(self.trials)), 2)
        return tuple((a, b) for a, b in pairs if self.class_of(a) == self.class_of(b))

    def class_of(self, number: int) -> tuple[int, str, str]:
        """Return in which choice and group a trial is: pairs are compared within these."""
        trial = self.trials[number]
        return trial.site, trial.subject.kind, self.groups[number]

    @property
    def cost(self) -> int:
        """The most games that are played for each world."""
        return 2 * len(self.trials) + 4 * len(self.pairs)

    def empty(self) -> Together:
        return Together()

    def player(self) -> PairPlayer:
        return PairPlayer(self)

    def reach(self, first: int, most: int, jobs: int) -> int:
        return self.blocks.reach(first, most)


class PairPlayer:
    """Plays pairs."""

    def __init__(self, work: SynergyPairs) -> None:
        self._work = work
        taken = list(zip(work.trials, work.uses, strict=True))
        bots = [
            leaning(
                work.program, work.bot, _key(some, others),
                [taken[number] for number in some], [work.trials[number] for number in others],
            )
            for some, others in (
                *(((number,), ()) for number in range(len(taken))),
                *(((), (number,)) for number in range(len(taken))),
                *(arm for pair in work.pairs for arm in _arms(pair)),
            )
        ]  # fmt: skip
        self._player = LeaningPlayer(work.program, work.bot, bots, work.seed)

    def play(self, first: int, end: int, stop: Stop) -> BatchResult[Together]:
        """See `Player.play`."""
        found, done = Together(), first
        for part in self._work.blocks.parts(first, end):
            more = self._played(part, stop)
            if more is None:
                break
            found.merge(more)
            done += part.end - part.first
        return BatchResult(first, done, evolve(found, games=done - first), self._player.backend)

    def _played(self, part: WorldBlock, stop: Stop) -> Together | None:
        """Play all pairs in some worlds; None if it was stopped."""
        found, where = Together(), (part.seat, part.first, part.end, stop)
        matters = []
        for number in range(len(self._work.trials)):
            taken = self._player.one_leaning(_key((number,), ()), *where)
            away = self._player.one_leaning(_key((), (number,)), *where)
            if taken is None or away is None:
                return None
            matters.append(differ(taken, away))
        for pair in self._work.pairs:
            games = [part.first + int(place) for place in np.flatnonzero(matters[pair[0]] & matters[pair[1]])]
            four = self._arms(pair, part.seat, games, stop)
            if four is None:
                return None
            if four:
                found.of(pair).merge(both_of(four, part.seat, self._work.measure))
                found.faults.update(why for arm in four for why in arm.why if why is not None)
        return found

    def _arms(self, pair: tuple[int, int], seat: int, games: Sequence[int], stop: Stop) -> list[Ends] | None:
        """Play the four arms of a pair in some games; without games, there are none."""
        found = []
        for arm in _arms(pair) if games else ():
            one = self._player.leaning_in(_key(*arm), seat, games, stop)
            if one is None:
                return None
            found.append(one)
        return found

    def prepare(self) -> bool:
        """See `Player.prepare`: the first games have waited for the library."""
        return False


def both_of(four: Sequence[Ends], seat: int, measure: str) -> Both:
    """Return the sums over the same games, in which a seat takes both, one, the other, or neither."""
    kept = ~np.logical_or.reduce([one.failed for one in four])
    both, one, other, neither = (measured(each, seat)[measure][kept] for each in four)
    more = moments_of(both - one), moments_of(both - other), moments_of(both - neither)
    return Both(moments_of(both - one - other + neither), more)


def _arms(pair: tuple[int, int]) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
    """Return what is taken and what is avoided: both taken, only the first, only the second, none."""
    a, b = pair
    return ((a, b), ()), ((a,), (b,)), ((b,), (a,)), ((), (a, b))


def _key(taken: Sequence[int], avoided: Sequence[int]) -> str:
    """Return the key of the bot that takes and avoids the definitions of some trials."""
    return f"{' '.join(map(str, taken))} / {' '.join(map(str, avoided))}"


@frozen
class Pair:
    """Two definitions at a choice. `worlds` are those in which both made a difference.

    `beyond` is by how much their synergy exceeds that of the median pair. `says` is `together` or `apart` if
    that is significant; else empty. Two belong together only if both are worth more than either of them, and than
    neither: of a harmful one, the other may only leave less to lose.
    """

    subjects: tuple[Subject, Subject]
    choice: str
    worlds: int
    beyond: Estimate
    says: str


def paired(work: SynergyPairs, found: Together) -> tuple[Pair, ...]:
    """Return the pairs with an estimate: the highest synergy first."""
    estimates = {
        pair: one
        for pair, both in sorted(found.found.items())
        if (one := estimate_of(both.synergy, work.measure, work.program.seats)) is not None
    }
    means: dict[tuple[int, str, str], list[float]] = {}
    for (a, _), one in estimates.items():
        means.setdefault(work.class_of(a), []).append(one.mean)
    pairs, better = [], []
    for (a, b), one in estimates.items():
        first, second = work.trials[a], work.trials[b]
        both = found.found[a, b]
        count = both.synergy.count
        more = beyond(one, median(means[work.class_of(a)]), count)
        better.append(all(_positive(each, work) for each in both.more))
        pairs.append(Pair((first.subject, second.subject), work.program.sites[first.site].key, count, more, ""))
    stands = standing([one.beyond.p for one in pairs])
    judged = [
        evolve(one, says="" if not stand else "apart" if one.beyond.mean < 0 else "together" if more else "")
        for one, stand, more in zip(pairs, stands, better, strict=True)
    ]
    return tuple(sorted(judged, key=lambda one: -one.beyond.mean))


def _positive(moments: Moments, work: SynergyPairs) -> bool:
    found = estimate_of(moments, work.measure, work.program.seats)
    return found is not None and found.low > 0
