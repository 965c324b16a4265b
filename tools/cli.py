"""The command `rulewright`: arguments and exit codes. The work of each command is in the module of its name.

Exit codes: 0 clean, 1 findings, 2 usage, 3 internal error, 130 interrupted. Modules are imported when their command
runs, so that `validate` does not load what only games need.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import click

from ruleset.findings.formats import FORMATS
from tools import VERSION
from tools.common import streams
from tools.common.errors import BROKEN_PIPE, CLEAN, INTERRUPTED, OURS, USAGE, Failure
from tools.common.output import harmless, warn
from tools.packs import shadowed, unfollowed

_SETTINGS = {"help_option_names": ["-h", "--help"]}
_LANGUAGES = click.Choice(["en", "es"])
_WITH = click.option(
    "--with", "more", multiple=True, metavar="PACK", help="House rules to put on top of it; may be repeated."
)


@click.group(context_settings=_SETTINGS, epilog="Exit codes: 0 clean, 1 findings, 2 usage, 3 a fault of ours.")
@click.version_option(VERSION, prog_name="rulewright")
def cli() -> None:
    """Tabletop card games whose rules are data: check them, play them, run many games of them.

    A PACK is a path to a pack, or the name of one that is shipped (see content/).
    """


@cli.command()
@click.argument("path", nargs=-1)
@click.option(
    "--format", "form", type=click.Choice(list(FORMATS)), default="full",
    show_default=True, help="How findings are written.",
)  # fmt: skip
@click.option("--strict", is_flag=True, help="Warnings count as errors: the exit code is 1 for them, too.")
@click.option("--shipped", is_flag=True, help="Check the shipped packs.")
@click.option(
    "--witness", metavar="FILE",
    help="Where the order of two packs matters, write a position that shows it into FILE, as scenarios.",
)  # fmt: skip
@click.option("--no-witness", is_flag=True, help="Look for no positions that show why the order of packs matters.")
@_WITH
def validate(
    path: tuple[str, ...], form: Any, strict: bool, shipped: bool, more: tuple[str, ...],
    witness: str | None, no_witness: bool,
) -> int:  # fmt: skip
    """Check packs, or some files of them.

    A PATH is a pack, a file of one, a folder with packs below it, or the name of a pack. Without PATH: the pack
    around the current folder or, outside of any, the packs below it. For files, the whole pack is checked, and
    findings are reported that are in these files or caused by them.
    """
    from tools.commands.validate import validate

    return validate(path, form, strict, more, shipped, not no_witness, witness)


@cli.command()
@click.argument("pack", nargs=-1)
@click.option("-k", "only", metavar="TEXT", help="Only scenarios with TEXT in their title or source.")
@click.option(
    "--format", "form", type=click.Choice(list(FORMATS)), default="full",
    show_default=True, help="How failures are written.",
)  # fmt: skip
@click.option("--backend", type=click.Choice(["walker", "python"]), default="walker", show_default=True)
@click.option("--coverage", is_flag=True, help="Tell which branches neither scenarios nor random games reach.")
@click.option("-n", "--games", type=click.IntRange(0), default=200, show_default=True, help="Random games for it.")
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), default=1, show_default=True, help="Decides them.")
@click.option("-v", "--verbose", is_flag=True, help="List all scenarios and branches.")
@click.option("--strict", is_flag=True, help="What is never reached counts as an error.")
@click.option("--compare", is_flag=True, help="Only tell which scenarios have another outcome --with house rules.")
@click.option("--shipped", is_flag=True, help="Test the shipped packs.")
@_WITH
def test(pack: tuple[str, ...], **given: Any) -> int:
    """Play the scenarios of packs, and tell those that do not go as they say.

    A PACK is a pack, or a folder with packs below it. Without PACK: the pack around the current folder or, outside
    of any, the packs below it.
    """
    from tools.commands.test import Arguments, test

    return test(Arguments(pack, **given))


@cli.command()
@click.argument("code", required=False)
def explain(code: str | None) -> int:
    """Explain a finding by its CODE (RW101) or name, or a rule error (fuel); without one, list all."""
    from tools.commands.explain import explain

    return explain(code)


@cli.command()
@click.argument("what")
@click.argument("name")
@click.option("--from", "source", metavar="PACK", help="With `new pack`: copy this pack instead of a small game.")
@click.option("--in", "pack", metavar="PACK", help="The pack; by default the one around the current folder.")
@click.option("--for", "game", metavar="PACK", help="With `new house-rule`: the pack that is changed.")
def new(what: str, name: str, source: str | None, pack: str | None, game: str | None) -> int:
    """Begin something new: a whole pack, or a document of one.

    WHAT is `pack` (a small game to play and change), `house-rule` (a pack on top of another), a kind of the pack
    (a definition of it), or a word of the language: verb, function, phase, award, hook, option, zone, … Nothing
    that exists is overwritten.
    """
    from tools.commands.new import new

    return new(what, name, source, pack, game)


@cli.command()
@click.argument("pack", required=False)
@click.option("--check", is_flag=True, help="Only say what there is to do; exit code 1 if there is something.")
@click.option("--to", type=int, metavar="N", help="The format to end with; without it, the newest.")
def migrate(pack: str | None, check: bool, to: int | None) -> int:
    """Rewrite PACK, written in an older format, in the newest one; comments and all else stay as they are.

    Without PACK: the pack around the current folder. PACK may be a folder with several packs in it.
    """
    from tools.commands.migrate import migrate

    return migrate(pack, check, to)


@cli.command()
@click.argument("id", required=False)
@click.option("--in", "pack", metavar="PACK", help="The pack; by default the one around the current folder.")
@click.option("--lang", type=_LANGUAGES, help="The language of the card; without it, texts are shown in all.")
@click.option("--json", "as_json", is_flag=True, help="The card as JSON.")
@_WITH
def show(id: str | None, pack: str | None, lang: str | None, as_json: bool, more: tuple[str, ...]) -> int:
    """Show what the pack declares as ID: its words and effects, what it uses, and what uses it.

    ID is a name (hand) or, where several things share one, KIND/NAME (zone/hand). Without it, a list of all.
    """
    from tools.commands.show import show

    return show(id, pack, lang, as_json, more)


@cli.command()
@click.option("--json", "as_json", is_flag=True, help="The list as JSON.")
def packs(as_json: bool) -> int:
    """List all packs that are found by their names, and where each lies.

    They are looked for beside the pack around the current folder or, outside of any, in it; in the folders that
    RULEWRIGHT_PACKS names; in ~/.local/share/rulewright/packs; among installed Python packages with an entry point
    in the group rulewright.packs; and among those that come with rulewright. Of one name the first counts.
    """
    from tools.commands.packs import packs_list

    return packs_list(as_json)


@cli.command()
@click.argument("pack")
@click.argument("id")
@_WITH
@click.option("--json", "as_json", is_flag=True, help="The same as JSON.")
def blame(pack: str, id: str, more: tuple[str, ...], as_json: bool) -> int:
    """Tell which packs say what of ID: each value with file and line, the last word last.

    ID is that of a change: KIND/NAME, zone/NAME, verb/WORDS, step/PHASE.STEP and so on.
    """
    from tools.commands.blame import blame

    return blame(pack, id, more, as_json)


@cli.command()
@click.argument("base")
@click.argument("other", required=False)
@_WITH
@click.option(
    "--format", "form", type=click.Choice(["text", "markdown", "json"]), default="text", show_default=True,
    help="How it is written; markdown is for print.",
)  # fmt: skip
@click.option("--lang", "language", type=_LANGUAGES, default="en", show_default=True, help="Its language.")
@click.option("--title", help="The title of the sheet; by default the names of the packs that are added.")
def diff(base: str, other: str | None, **given: Any) -> int:
    """Tell what changes for a player between two sets of packs: a sheet of house rules.

    BASE and OTHER are packs, or a game with house rules on it: GAME+RULES. Without OTHER it is BASE with the packs
    of --with. Two versions of one pack, each in a folder of its own, are compared likewise.
    """
    from tools.commands.diff import diff

    return diff(base, other, **given)


@cli.command()
@click.argument("pack", required=False)
@click.option("--players", type=int, help="How many play; by default as many as --seats, or the fewest allowed.")
@click.option("--seats", help="Who sits where: human, random, greedy or a bot of the pack, for each seat.")
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), help="Decides all chance; the same game every time.")
@click.option("--game", type=click.IntRange(0, 2**63 - 1), default=0, help="Which game of a simulation's seed.")
@click.option("--lang", type=_LANGUAGES, default="en", show_default=True, help="The language of the game.")
@click.option("--option", "options", multiple=True, metavar="K=V", help="An option of the pack; may be repeated.")
@click.option("--save", type=click.Path(), metavar="FILE", help="Where the journal of the game is saved.")
@click.option(
    "--resume", is_flag=False, flag_value="", metavar="[GAME]",
    help="Go on with a saved game: a file, or its name in the list that --resume alone prints.",
)  # fmt: skip
@click.option("--without-names", is_flag=True, help="With --resume: go on although the pack is not found.")
@click.option("--watch", is_flag=True, help="Check every save of the pack; the same game goes on by the new rules.")
@click.option("--from", "scenario", metavar="SCENARIO", help="Begin in a scenario, told by a part of its title.")
@_WITH
def play(**given: Any) -> int:
    """Play PACK in the terminal, against bots or watching them."""
    from tools.commands.play import Arguments, play

    return play(Arguments(**given))


@cli.command()
@click.argument("pack")
@click.option("-n", "--games", type=click.IntRange(1), default=100, show_default=True, help="How many games.")
@click.option("--players", help="How many play: 3, 2-5 or 2,4; by default as many as --seats, or the fewest.")
@click.option("--seats", help="Random, greedy or a bot of the pack for each seat; greedy:40 plays 40 playouts.")
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), default=1, show_default=True, help="Decides all chance.")
@click.option(
    "--backend", type=click.Choice(["auto", "native", "python", "walker"]), default="auto", show_default=True,
    help="What plays the games; auto is the quickest that works here.",
)  # fmt: skip
@click.option("--jobs", type=click.IntRange(1, 256), help="Processes at a time; by default one for each core.")
@click.option("--option", "options", multiple=True, metavar="K=V", help="An option of the pack; may be repeated.")
@click.option("--every-option", is_flag=True, help="Play all combinations of the options that are not given.")
@click.option(
    "--tables", type=click.IntRange(1), default=400, show_default=True,
    help="How many combinations are drawn at most, where there are more.",
)  # fmt: skip
@click.option("--versus", metavar="PACK", help="Play the same games by another pack's rules, and compare.")
@click.option(
    "--versus-option", "versus_options", multiple=True, metavar="K=V",
    help="Play the same games with another option, and compare; may be repeated.",
)  # fmt: skip
@click.option("--usage", is_flag=True, help="Count how often each card, option, effect and step is used.")
@click.option("--cluster", metavar="ADDRESS", help="Play on a Dask cluster, whose scheduler has this address.")
@click.option("--out", type=click.Path(), metavar="FILE", help="A row for each game: FILE.csv or FILE.parquet.")
@click.option("--json", "as_json", is_flag=True, help="The result as JSON.")
@_WITH
def simulate(**given: Any) -> int:
    """Let bots play many games of PACK, and count.

    Ctrl-C stops it within a second and prints what was counted.
    """
    from tools.commands.simulate import simulate
    from tools.simulation.arguments import Arguments

    return simulate(Arguments(**given))


@cli.command()
@click.argument("file", type=click.Path())
@click.option("--lang", type=_LANGUAGES, default="en", show_default=True, help="The language of the log.")
@click.option("--pack", help="The pack that names things; by default a shipped one of the journal's pack name.")
def replay(file: str, lang: str, pack: str | None) -> int:
    """Replay the saved game in FILE and tell it."""
    from tools.commands.replay import replay

    return replay(file, lang, pack)


@cli.command()
@click.option("--json", "as_json", is_flag=True, help="The same as JSON.")
def doctor(as_json: bool) -> int:
    """Tell what works here: the backend that plays games and why, the compiler, the cache, packages and packs.

    The exit code is 1 when something is broken. That there is no compiler is no fault: generated Python plays, too.
    """
    from tools.commands.doctor import doctor

    return doctor(as_json)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code; every error becomes one message on stderr."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    streams.ready()
    shadowed.begin()
    unfollowed.begin()
    try:
        code = _run(given)
        sys.stdout.flush()
        return code
    except Failure as failure:
        return _failed(failure)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as error:
        return _fail(_words(error), USAGE)
    except (KeyboardInterrupt, click.Abort):
        return _fail("interrupted", INTERRUPTED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except Exception as error:
        return _our_fault(error)


def _run(given: list[str]) -> int:
    if not given:
        given = ["--help"]
    with cli.make_context("rulewright", given) as context:
        code = cli.invoke(context)
    return code if isinstance(code, int) else CLEAN


def _words(error: click.ClickException) -> str:
    """Format Click's message as one line, with the command that it is about."""
    message = " ".join(error.format_message().split()).rstrip(".")
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "rulewright"
    return f"{message[:1].lower()}{message[1:]} (see {path} --help)"


def _fail(message: str, code: int) -> int:
    """Print an error message in one line, and return the code."""
    sys.stdout.flush()
    warn(message)
    return code


def _failed(failure: Failure) -> int:
    sys.stdout.flush()
    if not failure.report:
        warn(failure.message)
    else:
        sys.stderr.write(failure.report)
        print(harmless(failure.message), file=sys.stderr)
    for line in failure.listed:
        print(harmless(f"  {line}"), file=sys.stderr)
    return failure.code


def _our_fault(error: Exception) -> int:
    if isinstance(error, OSError):
        return _fail(f"cannot use {error.filename or 'the output'}: {error.strerror}", USAGE)
    if os.environ.get("RULEWRIGHT_DEBUG", "") not in ("", "0"):
        import traceback

        for part in traceback.format_exception(error):
            first, *more = part.splitlines()
            print("\n    ".join(map(harmless, (first, *more))), file=sys.stderr)
    what = " ".join(f"{type(error).__name__}: {error}".split())
    return _fail(
        f"a fault of rulewright, not of yours: {what}; please report it as a bug, with the command and the pack "
        "(RULEWRIGHT_DEBUG=1 shows where it happened)",
        OURS,
    )


def main() -> NoReturn:
    """Run the console command. Freezes the heap to skip the final garbage collection."""
    code = run()
    gc.freeze()
    sys.exit(code)


if __name__ == "__main__":
    main()
