"""The commands about games: playing, watching, and simulating them. `tools.cli` has all others."""

from __future__ import annotations

import re
from functools import partial
from typing import Any, ClassVar

import click

from rulewright.ruleset.findings.report import FORMATS

# ---- Options that several commands share, and the type of numbers on the command line

class WholeNumber(click.ParamType):  # type: ignore[type-arg]  # generic in newer versions only
    """A whole number within optional bounds. Help shows it as `N`, without the bounds."""

    name = "N"

    def __init__(self, least: int | None = None, most: int | None = None) -> None:
        self._least = least
        self._most = most

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number; anything else is a usage error."""
        try:
            number = int(str(value))
        except ValueError:
            number = None
        below = number is not None and self._least is not None and number < self._least
        above = number is not None and self._most is not None and number > self._most
        if number is None or below or above:
            self.fail(f"expected a whole number{self._bounds()}, found {value!r}", param, ctx)
        return number

    def _bounds(self) -> str:
        if self._most is None:
            return "" if self._least is None else f" of at least {self._least}"
        return f" from {self._least} to {self._most}"


class Duration(click.ParamType):  # type: ignore[type-arg]  # generic in newer versions only
    """A time in seconds: `90`, `90s`, `2.5m`, or `1h`."""

    name = "TIME"
    _SECONDS: ClassVar[dict[str, float]] = {"s": 1, "m": 60, "h": 3600}

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the seconds; anything else is a usage error."""
        found = re.fullmatch(r"([0-9]{1,6}(?:\.[0-9]{1,3})?)([smh]?)", str(value))
        seconds = float(found[1]) * self._SECONDS[found[2] or "s"] if found else 0.0
        if not seconds:
            self.fail(f"expected a time above 0, such as 60s, 5m or 1h, found {value!r}", param, ctx)
        return seconds


SEED = WholeNumber(0, 2**64 - 1)
_AROUND = "the pack around the current folder"
language = partial(click.option, "--lang", type=click.Choice(["en", "es"]))
json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
in_pack = click.option("--in", "pack", metavar="PACK", show_default=_AROUND, help="Pack, as a path or a name.")
backend = click.option(
    "--backend", type=click.Choice(["auto", "native", "walker"]), default="auto", show_default=True,
    help="Backend that plays the games; auto is the fastest that works here.",
)  # fmt: skip
options = click.option(
    "--option", "options", multiple=True, metavar="K=V", help="Set an option of the pack; may be repeated."
)
series = click.option("--series", is_flag=True, help="Play the pack's series of games instead of a single game.")
report_format = click.option(
    "--format", "form", type=click.Choice(list(FORMATS)), default="full",
    show_default=True, help="Format of the report.",
)  # fmt: skip
with_packs = click.option("--with", "more", multiple=True, metavar="PACK", help="Add house rules; may be repeated.")



# ---- Cli games

@click.command()
@click.argument("pack", required=False)
@click.option(
    "--players", type=WholeNumber(), show_default="as many as --seats, or the fewest that the pack allows",
    help="Number of players.",
)  # fmt: skip
@click.option(
    "--seats", metavar="SEAT,…", show_default="human,random,…",
    help="Who plays each seat: human, random, greedy[:PLAYOUTS], search[:WORLDS], or a bot of the pack.",
)  # fmt: skip
@click.option("--seed", type=SEED, show_default="random", help="Seed; the same seed gives the same game.")
@click.option(
    "--game", type=WholeNumber(0, 2**63 - 1), default=0, show_default=True,
    help="Number of the game, to play one of a simulation with this seed.",
)  # fmt: skip
@language(default="en", show_default=True, help="Language of the game.")
@options
@click.option(
    "--save", type=click.Path(), metavar="FILE", show_default="a file in the folder of saved games",
    help="File to save the game to.",
)  # fmt: skip
@click.option(
    "--overwrite", is_flag=True,
    help="With --save: replace FILE even if it holds something else than this game.",
)  # fmt: skip
@click.option(
    "--resume", is_flag=False, flag_value="", metavar="[GAME]",
    help="Resume a saved game: a file, or a name from the list of saved games, which --resume alone prints.",
)  # fmt: skip
@click.option(
    "--watch", is_flag=True,
    help="Check the pack whenever its files are saved, and continue the game by the new rules.",
)  # fmt: skip
@click.option("--no-memory", is_flag=True, help="Do not show the hidden cards that a player remembers.")
@series
@click.option("--from", "scenario", metavar="SCENARIO", help="Start in a scenario, named by a part of its title.")
@with_packs
def play(**given: Any) -> int:
    """Play a game in the terminal.

    Without PACK, the pack around the current folder is played.
    """
    from rulewright.tools.commands.play import PlayArguments, play

    return play(PlayArguments(**given))


@click.command()
@click.argument("pack", nargs=-1)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=WholeNumber(0, 65535), default=8765, show_default=True, help="Port; 0: any free one.")
@click.option("--no-open", is_flag=True, help="Do not open a browser.")
@click.option("--data", metavar="FOLDER", help="Folder in which tables are kept.")
@click.option(
    "--workers", type=WholeNumber(0, 64),
    help="Number of processes in which games run. 0: all is one process, where a long request delays the others.",
)  # fmt: skip
@language(default="en", show_default=True, help="Language of pages for browsers that ask for another one.")
def serve(
    pack: tuple[str, ...], host: str, port: int, no_open: bool, data: str | None, workers: int | None, lang: str
) -> int:
    """Play, inspect, and try out packs in a browser.

    PACK is shown first in the lobby; all packs that can be found are there, too. The server listens only on this
    computer, unless --host names another address: then everybody in that network can reach it.
    """
    from rulewright.tools.commands.serve import serve

    return serve(pack, host, port, not no_open, data, workers, lang)


@click.command()
@click.argument("file", type=click.Path())
@language(default="en", show_default=True, help="Language of the log.")
@click.option("--pack", metavar="PACK", show_default="the packs in the journal", help="Pack with the names.")
def replay(file: str, lang: str, pack: str | None) -> int:
    """Print the log of a saved game.

    FILE is a journal, or a name from the list of saved games, which `rulewright play --resume` prints.
    """
    from rulewright.tools.commands.replay import replay

    return replay(file, lang, pack)


@click.command()
@click.argument("pack")
@click.option("-n", "--games", type=WholeNumber(1), default=100, show_default=True, help="Number of games.")
@click.option(
    "--players", metavar="N,…", show_default="as many as --seats, or the fewest that the pack allows",
    help="Number of players: 3, a range (2-5), or a list (2,4).",
)  # fmt: skip
@click.option(
    "--seats", metavar="SEAT,…", show_default="random,…",
    help="Who plays each seat: random, greedy[:PLAYOUTS], search[:WORLDS], or a bot of the pack.",
)  # fmt: skip
@click.option("--seed", type=SEED, default=1, show_default=True, help="Seed; the same seed gives the same games.")
@backend
@click.option("--jobs", type=WholeNumber(1, 256), show_default="one per core", help="Number of workers.")
@options
@click.option("--every-option", is_flag=True, help="Play all combinations of the options that are not set.")
@click.option(
    "--tables", type=WholeNumber(1), default=400, show_default=True,
    help="Limit of combinations; if there are more, a sample is drawn.",
)  # fmt: skip
@click.option("--versus", metavar="PACK", help="Play the same games by the rules of PACK, and compare.")
@click.option(
    "--versus-option", "versus_options", multiple=True, metavar="K=V",
    help="Play the same games with this option, and compare; may be repeated.",
)  # fmt: skip
@series
@click.option(
    "--usage", is_flag=True, help="Count what is offered, chosen, and used, and estimate what choices go with."
)
@click.option("--cluster", metavar="ADDRESS", help="Play on the Dask cluster with the scheduler at ADDRESS.")
@click.option(
    "--out",
    type=click.Path(),
    metavar="FILE",
    help="Write a row for each seat of each game to FILE (.csv or .parquet).",
)
@json
@with_packs
def simulate(**given: Any) -> int:
    """Run many games between bots and report statistics.

    Ctrl-C stops the run within a second and prints the results so far.
    """
    from rulewright.tools.commands.simulate import simulate
    from rulewright.tools.simulation.known_table import SimulateArguments

    return simulate(SimulateArguments(**given))


@click.command()
@click.argument("pack")
@click.option(
    "--budget", type=Duration(), default="60s", show_default=True,
    help="Time for all games: 60s, 5m, or 1h.",
)  # fmt: skip
@click.option(
    "--worlds", type=WholeNumber(1, 1_000_000), metavar="N",
    help="Compare in this number of worlds instead, so that the result does not depend on the machine.",
)  # fmt: skip
@click.option("--kind", "kinds", multiple=True, metavar="KIND", help="Weigh only this kind; may be repeated.")
@click.option(
    "--players", type=WholeNumber(), show_default="the fewest that the pack allows", help="Number of players.",
)  # fmt: skip
@click.option(
    "--bot", metavar="BOT", show_default="the first of the pack",
    help="Who plays all seats: a bot of the pack, or random.",
)  # fmt: skip
@click.option(
    "--free", metavar="FIELD",
    help="Weigh each definition also where this number of it is 0, its price, say; takes some seconds for each.",
)  # fmt: skip
@click.option(
    "--versus", metavar="PACK",
    help="Weigh PACK, too, and show what changes from the first pack to PACK; both share the time.",
)  # fmt: skip
@click.option(
    "--check", is_flag=True,
    help="Compare games with what the pack's expect documents say; the exit code is 1 if anything fails.",
)  # fmt: skip
@click.option("--expect", multiple=True, metavar="NAME", help="With --check: only this document; may be repeated.")
@click.option("--seed", type=SEED, default=1, show_default=True, help="Seed; the same seed gives the same worlds.")
@click.option("--jobs", type=WholeNumber(1, 256), show_default="one per core", help="Number of workers.")
@options
@click.option("--cluster", metavar="ADDRESS", help="Play on the Dask cluster with the scheduler at ADDRESS.")
@click.option(
    "-o", "--out", "output", type=click.Path(), metavar="FILE",
    help="Write the report to FILE: .html, .md, or .json.",
)  # fmt: skip
@click.option(
    "--format", "form", type=click.Choice(["text", "markdown"]), default="text", show_default=True,
    help="Format of what is printed.",
)  # fmt: skip
@json
@with_packs
def balance(**given: Any) -> int:
    """Find definitions that are too strong or too weak.

    The same worlds are played by a seat that takes a definition and by one that avoids it, in many ways and many
    times. Needs `pip install 'rulewright[lab]'`. Ctrl-C stops the run and reports what was played.
    """
    from rulewright.tools.commands.balance import BalanceArguments, balance, ready

    arguments = BalanceArguments(**given)
    ready(arguments)
    if not arguments.check:
        return balance(arguments)
    from rulewright.tools.commands.balance import check

    return check(arguments)


@click.command()
@click.argument("pack")
@click.option(
    "--bots", metavar="BOT,…", show_default="random and the bots of the pack",
    help="Who plays: random, greedy[:PLAYOUTS], search[:WORLDS], and bots of the pack.",
)  # fmt: skip
@click.option(
    "-n", "--games", type=WholeNumber(1), default=200, show_default=True,
    help="Number of games of each pairing; rounded up so that each bot has each seat equally often.",
)  # fmt: skip
@click.option(
    "--players", type=WholeNumber(), show_default="the fewest that the pack allows, from 2 on",
    help="Number of players. The two bots of a pairing share the seats.",
)  # fmt: skip
@click.option("--seed", type=SEED, default=1, show_default=True, help="Seed; the same seed gives the same games.")
@backend
@click.option("--jobs", type=WholeNumber(1, 256), show_default="one per core", help="Number of workers.")
@options
@click.option("--cluster", metavar="ADDRESS", help="Play on the Dask cluster with the scheduler at ADDRESS.")
@click.option(
    "--format", "form", type=click.Choice(["text", "markdown"]), default="text", show_default=True,
    help="Format of what is printed.",
)  # fmt: skip
@json
@with_packs
def tournament(**given: Any) -> int:
    """Let bots play all against all, and rate them.

    All pairings play the same games, in all arrangements of the seats. Needs `pip install 'rulewright[lab]'`.
    Ctrl-C stops the run within a second and prints the standings so far.
    """
    from rulewright.tools.commands.tournament import TournamentArguments, tournament

    return tournament(TournamentArguments(**given))


@click.command()
@click.argument("bot")
@in_pack
@click.option(
    "--against", metavar="BOT,…", show_default="the bot as it is",
    help="Who plays the other seats: random, and bots of the pack. Several take turns.",
)  # fmt: skip
@click.option(
    "--budget", type=Duration(), default="60s", show_default=True,
    help="Time for all games: 60s, 5m, or 1h.",
)  # fmt: skip
@click.option(
    "--generations", type=WholeNumber(1, 10_000), metavar="N",
    help="Search for N generations instead, so that the result does not depend on the machine.",
)  # fmt: skip
@click.option(
    "--worlds", type=WholeNumber(1, 1_000_000), metavar="N", show_default="400",
    help="With --generations: worlds in which each candidate of a generation plays.",
)  # fmt: skip
@click.option(
    "--players", type=WholeNumber(), show_default="the fewest that the pack allows", help="Number of players.",
)  # fmt: skip
@click.option("--seed", type=SEED, default=1, show_default=True, help="Seed; the same seed gives the same worlds.")
@click.option("--jobs", type=WholeNumber(1, 256), show_default="one per core", help="Number of workers.")
@options
@click.option("--dry-run", is_flag=True, help="Only report; write nothing.")
@json
@with_packs
def tune(**given: Any) -> int:
    """Improve the numbers of a bot by play, and write them down.

    The numbers in the `score` and `when` of its answers are varied. The best ones are compared with the original in
    other worlds. They are written if the interval of their gain is above 0; comments and layout stay as they are.
    Needs `pip install 'rulewright[lab]'`. Ctrl-C ends the search, and the best so far are compared; a second one
    ends the comparison, too.
    """
    from rulewright.tools.commands.tune import TuneArguments, tune

    return tune(TuneArguments(**given))


COMMANDS = (play, serve, replay, simulate, balance, tournament, tune)
