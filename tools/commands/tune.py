"""`rulewright tune`: improve the numbers of a bot by play, and write them into its file."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from rulewright.ruleset.common.nearest import nearest
from rulewright.ruleset.source.pack_files import pack_root
from rulewright.tools.common.errors import CLEAN, FINDINGS, INTERRUPTED, Failure, Usage
from rulewright.tools.common.output import many, say_data
from rulewright.tools.common.progress import Progress, Stage
from rulewright.tools.common.seats import RANDOM
from rulewright.tools.packs import loading, rewriting
from rulewright.tools.packs.tables import numbers_of_players
from rulewright.tools.simulation.columns import columns_of
from rulewright.tools.simulation.execution.dispatch import interrupts
from rulewright.tools.simulation.execution.running import ExecutionPlace, run

if TYPE_CHECKING:
    from rulewright.ruleset.program.nodes import Program
    from rulewright.ruleset.source.pack_files import PackFiles
    from rulewright.tools.packs.pack_set import PackSet
    from rulewright.tools.tuning.search import Tuned, TuningRequest
    from rulewright.tools.tuning.trials import BotNumber, OpenBot, Tallies, Trials

NEEDED = ("numpy", "cma")
"""Modules of the extra."""


@frozen
class TuneArguments:
    """The arguments of the command. `budget` is in seconds; with `generations`, the time does not matter."""

    bot: str
    pack: str | None
    against: str | None
    players: int | None
    options: tuple[str, ...]
    budget: float
    generations: int | None
    worlds: int | None
    seed: int
    jobs: int | None
    dry_run: bool
    as_json: bool
    more: tuple[str, ...] = ()


def tune(arguments: TuneArguments) -> int:
    """Search for better numbers; write them if they are better, and report."""
    _installed()
    if arguments.worlds is not None and arguments.generations is None:
        raise Usage("--worlds requires --generations; without it, the worlds follow from --budget")
    from rulewright.tools.tuning.search import Tuned, search
    from rulewright.tools.tuning.trials import numbers_of

    packs = _packs(arguments)
    own, bot = packs.asked[0], arguments.bot.removeprefix("bot/")
    program = loading.compile_pack_set(packs, _name(arguments)).program
    _declared(program, own, bot)
    if not arguments.dry_run:
        _writable(arguments)
    numbers = numbers_of(own, bot)
    request = _request(arguments, program, packs, bot, numbers)
    with ExitStack() as stack:
        runner = _Runner(ExecutionPlace(arguments.jobs), stack)
        stop = stack.enter_context(interrupts())
        found = search(request, runner, runner.planned, stop.asked)
    winners = columns_of(request.table.program, tracks=False).winners
    tuned = Tuned(request, numbers, found, "win" if winners else "lead")
    _finish(arguments, own, tuned)
    return INTERRUPTED if found.interrupted else CLEAN


class _Runner:
    """Plays trials in processes, with the progress of the whole run."""

    def __init__(self, place: ExecutionPlace, stack: ExitStack) -> None:
        self._place = place
        self._stack = stack
        self._whole: Progress | None = None
        self._done = 0

    def planned(self, games: int) -> None:
        """Show the progress of so many games."""
        if self._whole is None:
            self._whole = self._stack.enter_context(Progress(games))
        self._whole.expect(games)

    def __call__(self, work: Trials) -> tuple[Tallies, str, bool]:
        """See `tools.tuning.search.Run`."""
        each = len(work.candidates)
        progress = Progress(work.games) if self._whole is None else Stage(self._whole, self._done, each)
        played = run(work, self._place, progress)
        if played.failure is not None:
            raise played.failure
        self._done += each * played.counts.games
        return played.counts, played.backend or "", played.interrupted


def _installed() -> None:
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise Usage(f"tune requires the package {missing[0]}; install it with: pip install 'rulewright[lab]'")


# ------------------------------------------------------------------ what is tuned

def _packs(arguments: TuneArguments) -> PackSet:
    """Read the pack of the bot, and those that are used with it."""
    if arguments.pack is None:
        root = pack_root(Path())
        if root is None:
            raise Usage(f"missing --in: go to the folder of a pack, or name it: tune {arguments.bot} --in PACK")
    else:
        root = loading.find(arguments.pack)
    return loading.pack_set_of([loading.read(one) for one in (root, *map(loading.find, arguments.more))])


def _name(arguments: TuneArguments) -> str:
    return arguments.pack or "the pack"


def _declared(program: Program, own: PackFiles, bot: str) -> None:
    """Raise Usage if the pack does not declare a bot."""
    from rulewright.tools.tuning.trials import declares

    known = [one.key for one in program.bots]
    if bot not in known:
        near = nearest(bot, known)
        hint = f"did you mean {near}?" if near else f"the bots of {program.pack}: {', '.join(known) or 'none'}"
        raise Usage(f"unknown bot {bot!r}: {hint}")
    if declares(own, bot) is None:
        raise Usage(f"{bot} is not declared in {loading.shown(own.root)} itself; name its own pack with --in")


def _writable(arguments: TuneArguments) -> None:
    """Raise Usage if the pack was installed: it is rewritten only if its path is named."""
    named = arguments.pack is not None and not Path(arguments.pack).exists()
    if named and loading.look(arguments.pack or "").source in ("installed", "shipped"):
        raise Usage(
            f"{arguments.pack} is an installed pack; add --dry-run to write nothing, or name the path of its "
            "folder to rewrite it anyway"
        )


def _request(
    arguments: TuneArguments, program: Program, packs: PackSet, bot: str, numbers: tuple[BotNumber, ...]
) -> TuningRequest:
    from rulewright.tools.tuning.search import TuningRequest

    text = None if arguments.players is None else str(arguments.players)
    players = numbers_of_players(text, program, 0)[0]
    opponents = _opponents(arguments.against, program, bot)
    table = _open(arguments, packs, bot, numbers, players)
    columns = columns_of(table.program, tracks=False)
    if not columns.winners and not columns.scores:
        raise Usage(f"{program.pack} has neither winners nor scores, so no play is better than another")
    if not table.free:
        raise Failure(
            f"{bot} has no numbers that could be tuned: it needs some in a `when` or a `score`, such as the 2 in "
            "`score: 2 * it's worth`",
            FINDINGS,
        )
    least = tuple(int(one.alone) for one in numbers)
    return TuningRequest(
        table, least, opponents, arguments.seed, arguments.budget, arguments.generations, arguments.worlds
    )


def _opponents(given: str | None, program: Program, bot: str) -> tuple[str, ...]:
    """Return the opponents, by default the bot itself; empty for a random player."""
    if given is None:
        return (bot,)
    known = (RANDOM, *(one.key for one in program.bots))
    found = [word.strip() for word in given.split(",")]
    for one in found:
        if one not in known:
            near = nearest(one, known)
            hint = f"did you mean {near}?" if near else "bots that search are too slow for thousands of games"
            raise Usage(f"--against: unknown bot {one!r}: expected {', '.join(known)}; {hint}")
    return tuple("" if one == RANDOM else one for one in dict.fromkeys(found))


def _open(
    arguments: TuneArguments, packs: PackSet, bot: str, numbers: tuple[BotNumber, ...], players: int
) -> OpenBot:
    """Return the table, in which the numbers of the bot are constants."""
    from rulewright.tools.tuning.trials import MARK, opened, with_constants, with_values

    first, *others = packs.asked
    marked = with_values(first, numbers, range(MARK, MARK + len(numbers)))
    program = loading.compile_pack_set(evolve(packs, asked=(marked, *others)), _name(arguments)).program
    values = [one.value for one in numbers]
    program, places = opened(program, bot, values)
    table, _ = loading.table_noted(program, players, arguments.options)
    return with_constants(table, bot, values, places)


# ------------------------------------------------------------------ what is done with it

def _finish(arguments: TuneArguments, own: PackFiles, tuned: Tuned) -> None:
    """Write the numbers if they are better, and report."""
    from rulewright.tools.tuning.search import changed_numbers, report

    result = report(tuned)
    if not tuned.found.gains:
        because = "No other numbers seemed better in the search; nothing was written."
    elif not tuned.better:
        because = "Nothing better was found: the interval of the gain is not above 0. Nothing was written."
    elif arguments.dry_run:
        because = "Better numbers were found; nothing was written, because of --dry-run."
    else:
        result["wrote"] = _write(own, tuned)
        count = changed_numbers(tuned.numbers, tuned.found.values)
        because = f"Wrote {many(count, 'number')} into {result['wrote']}."
    if arguments.as_json:
        say_data(result)
        return
    from rulewright.tools.common import output
    from rulewright.tools.tuning.search import parts

    output.write(parts(result, because), sys.stdout)


def _write(own: PackFiles, tuned: Tuned) -> str:
    """Write the values into the file of the bot; return its path. Raises Failure if the pack got a new finding."""
    from rulewright.tools.tuning.trials import with_values

    old = dict(own.files)
    news = dict(with_values(own, tuned.numbers, tuned.found.values).files)
    changed = {path: (data, old[path]) for path, data in news.items() if data != old[path]}
    _, worse = rewriting.checked(own, {path: new for path, (new, _) in changed.items()})
    if worse is not None:
        raise Failure(
            f"nothing was written, because the pack would have a new finding: {worse.span.path}:{worse.span.line}: "
            f"{worse.message}",
            FINDINGS,
        )
    rewriting.write(own.root, changed)
    return next(iter(changed))
