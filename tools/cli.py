"""The command `rulewright`: arguments and exit codes. `tools.commands` does the work of each command.

Exit codes: 0 clean, 1 findings, 2 usage, 3 internal error, 130 interrupted. Modules are imported when their command
runs, so that `validate` does not load what only games need.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import click

from rulewright.tools import VERSION, cli_games
from rulewright.tools.cli_games import (
    SEED,
    WholeNumber,
    in_pack,
    json,
    language,
    options,
    report_format,
    with_packs,
)
from rulewright.tools.common import signals
from rulewright.tools.common.errors import BROKEN_PIPE, CLEAN, Usage
from rulewright.tools.packs import discovery

_SETTINGS = {"help_option_names": ["-h", "--help"]}
_EXIT_CODES = (
    "Exit codes: 0 clean, 1 findings, 2 usage, 3 internal error, 130 interrupted (partial results are printed)."
)


@click.group(context_settings=_SETTINGS, epilog=_EXIT_CODES)
@click.version_option(VERSION, prog_name="rulewright")
def cli() -> None:
    """Check, test, play, and simulate card games that are written as packs of YAML files.

    A PACK is the path of a pack, or its name; `rulewright packs` lists the names.
    """


@cli.command()
@click.argument("path", nargs=-1)
@report_format
@click.option("--strict", is_flag=True, help="Treat warnings as errors: exit code 1.")
@click.option("--shipped", is_flag=True, help="Check the packs that come with rulewright.")
@with_packs
def validate(
    path: tuple[str, ...], form: Any, strict: bool, shipped: bool, more: tuple[str, ...]
) -> int:  # fmt: skip
    """Check packs, or single files of a pack.

    PATH is a pack, a file in a pack, a folder that contains packs, or the name of a pack. Without PATH, the pack
    around the current folder is checked; outside a pack, all packs below the current folder.

    If PATH is a file, the whole pack is checked, but only findings in this file, or caused by it, are reported.
    """
    from rulewright.tools.commands.validate import validate

    return validate(path, form, strict, more, shipped)


@cli.command()
@click.argument("pack", nargs=-1)
@click.option("-k", "only", metavar="TEXT", help="Run only scenarios with TEXT in their title or source.")
@report_format
@click.option(
    "--coverage", is_flag=True,
    help="Also play random games, and report branches that neither they nor the scenarios reach.",
)  # fmt: skip
@click.option(
    "-n", "--games", type=WholeNumber(0), default=200, show_default=True,
    help="Number of random games for --coverage; 0: only scenarios count.",
)  # fmt: skip
@click.option("--seed", type=SEED, default=1, show_default=True, help="Seed of these games.")
@click.option("-v", "--verbose", is_flag=True, help="List all scenarios and, with --coverage, all branches.")
@click.option("--strict", is_flag=True, help="Treat warnings, such as unreached branches, as errors: exit code 1.")
@click.option("--compare", is_flag=True, help="Report only scenarios whose outcome changes when --with is added.")
@click.option("--shipped", is_flag=True, help="Test the packs that come with rulewright.")
@with_packs
def test(pack: tuple[str, ...], **given: Any) -> int:
    """Run the scenarios of packs.

    PACK is a pack, or a folder that contains packs. Without PACK, the pack around the current folder is tested;
    outside a pack, all packs below the current folder.
    """
    from rulewright.tools.commands.test import TestArguments, test

    return test(TestArguments(pack, **given))


@cli.command()
@click.argument("code", required=False)
def explain(code: str | None) -> int:
    """Explain a finding or a rule error.

    CODE is the code of a finding (RW101), its name (colon-in-text), or the name of a rule error (fuel). Without
    CODE, all of them are listed.
    """
    from rulewright.tools.commands.explain import explain

    return explain(code)


@cli.command()
@click.argument("what")
@click.argument("name")
@click.option("--from", "source", metavar="PACK", show_default="a small game", help="For `new pack`: pack to copy.")
@in_pack
@click.option("--for", "game", metavar="PACK", help="For `new house-rule`: pack that the rules change.")
def new(what: str, name: str, source: str | None, pack: str | None, game: str | None) -> int:
    """Create a pack, or add a document to one.

    WHAT is `pack` (a small game to start from), `house-rule` (a pack that changes another one), a kind of the pack
    (adds a definition), or a word of the language: verb, function, phase, award, hook, option, zone, … Existing
    files are never overwritten, except `.vscode/pack.schema.json`, which describes the kinds to editors.
    """
    from rulewright.tools.commands.new import new

    return new(what, name, source, pack, game)


@cli.command()
@click.argument("pack")
@click.option("--editor", is_flag=True, help="Write it to .vscode in the pack, with settings that use it.")
@with_packs
def schema(pack: str, editor: bool, more: tuple[str, ...]) -> int:
    """Print the JSON Schema of the documents of a pack.

    It has the kinds and the names that the pack declares, so an editor with it completes keys and underlines
    mistakes. Write it again after a change of kinds or fields; `rulewright new` does, where it is there.
    """
    from rulewright.tools.commands.schema import schema

    return schema(pack, editor, more)


@cli.command()
@click.argument("pack", required=False)
@click.option("--check", is_flag=True, help="Only report what would change: exit code 1 if anything would.")
@click.option("--to", type=WholeNumber(), show_default="the newest", help="Format to convert to.")
def migrate(pack: str | None, check: bool, to: int | None) -> int:
    """Convert packs from an older format.

    Comments and layout are kept. PACK may be a folder that contains packs. Without PACK, the pack around the
    current folder is converted.
    """
    from rulewright.tools.commands.migrate import migrate

    return migrate(pack, check, to)


@cli.command()
@click.argument("id", required=False)
@in_pack
@language(show_default="all languages", help="Language of the texts.")
@json
@with_packs
def show(id: str | None, pack: str | None, lang: str | None, as_json: bool, more: tuple[str, ...]) -> int:
    """Show a declaration: its texts, effects, and uses.

    ID is a name (hand) or, if several declarations have this name, KIND/NAME (zone/hand). Without ID, all
    declarations are listed. Errors in the declaration are printed as well; the exit code is then 1.
    """
    from rulewright.tools.commands.show import show

    return show(id, pack, lang, as_json, more)


@cli.command()
@json
def packs(as_json: bool) -> int:
    """List all packs that can be named.

    Packs are searched for in these places, in this order; the first pack of a name is used:

    \b
    - beside the pack around the current folder; outside a pack, in the current folder
    - in the folders listed in RULEWRIGHT_PACKS
    - in ~/.local/share/rulewright/packs
    - in installed Python packages with an entry point in the group rulewright.packs
    - in rulewright itself
    """
    from rulewright.tools.commands.packs import packs_list

    return packs_list(as_json)


@cli.command()
@click.argument("pack")
@click.argument("id")
@with_packs
@json
def blame(pack: str, id: str, more: tuple[str, ...], as_json: bool) -> int:
    """Show which pack set each value of a declaration.

    Each value is listed with the packs that set it, in order, with file and line; the last one decides.

    ID is written as in a change: KIND/NAME, zone/NAME, verb/WORDS, step/PHASE.STEP, …
    """
    from rulewright.tools.commands.blame import blame

    return blame(pack, id, more, as_json)


@cli.command()
@click.argument("base")
@click.argument("other", required=False)
@with_packs
@click.option(
    "--format", "form", type=click.Choice(["text", "markdown", "json"]), default="text", show_default=True,
    help="Format of the sheet; use markdown for print.",
)  # fmt: skip
@language("language", default="en", show_default=True, help="Language of the sheet.")
@click.option("--title", show_default="the names of the added packs", help="Title of the sheet.")
def diff(base: str, other: str | None, **given: Any) -> int:
    """List what changes for players between packs.

    The result is a sheet of house rules. BASE and OTHER are packs, or a game with house rules: GAME+RULES. Without
    OTHER, BASE is compared with BASE plus the packs of --with. To compare two versions of a pack, name their
    folders.
    """
    from rulewright.tools.commands.diff import diff

    return diff(base, other, **given)


@cli.command("print")
@click.argument("pack")
@click.option(
    "-o", "--out", type=click.Path(), metavar="FILE", help="File to write.",
    show_default="PACK-cards.pdf, PACK-rules.pdf, or PACK-deck.png",
)  # fmt: skip
@click.option("--rules", is_flag=True, help="Print the rules for players instead of the cards.")
@click.option(
    "--tabletop-simulator", is_flag=True,
    help="Write images of the cards in a grid, and a saved object for Tabletop Simulator beside them.",
)  # fmt: skip
@click.option(
    "--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True, help="Size of the paper."
)
@click.option("--size", metavar="WxH", show_default="the pack's, or 63x88", help="Size of a card in millimetres.")
@click.option(
    "--bleed", metavar="MM", default="0", show_default=True,
    help="Colour beyond the edge of each card, in millimetres; 0: neighbours share a cut.",
)  # fmt: skip
@click.option("--backs", is_flag=True, help="Print a sheet of backs after each sheet, for printing on both sides.")
@click.option("--only", multiple=True, metavar="NAME", help="Print only this kind, or this card; may be repeated.")
@click.option("--once", is_flag=True, help="Print each different card once, without copies.")
@click.option(
    "--players", type=WholeNumber(), show_default="the most that the pack allows",
    help="Number of players for whom the copies are.",
)  # fmt: skip
@options
@language(default="en", show_default=True, help="Language of the cards and rules.")
@with_packs
def print_(**given: Any) -> int:
    """Print the cards or the rules of PACK.

    The result is a PDF file. Print it at 100 %, and cut at the marks. The cards are those that the game has at a
    table with these players, options, and house rules. The same input gives the same file, byte by byte.
    """
    from rulewright.tools.commands.print import PrintArguments, print_

    return print_(PrintArguments(**given))


@cli.command()
@json
@click.argument("pack", required=False)
@click.option(
    "--table", "players", type=WholeNumber(), show_default="the fewest that the pack allows",
    help="With PACK: number of players.",
)  # fmt: skip
@options
@click.option("--program", is_flag=True, help="With PACK: also print the program that native code is made from.")
@with_packs
def doctor(
    as_json: bool, pack: str | None, players: int | None, options: tuple[str, ...], program: bool,
    more: tuple[str, ...],
) -> int:  # fmt: skip
    """Check the installation, or a table of PACK.

    Without PACK, reports the backend that plays games and why, the compiler, the cache, packages, and packs. Exit
    code 1 if something is broken. A missing compiler is not an error: the walker then plays the games, more slowly.

    With PACK, reports the size of a table, and whether native code can play it, or why not. The exit code is 0.
    """
    if pack is not None:
        from rulewright.tools.commands.doctor import DoctorArguments, doctor_table

        return doctor_table(DoctorArguments(pack, players, options, more, program, as_json))
    if players is not None or options or program or more:
        raise Usage("--table, --option, --program, and --with describe a table; name its PACK")
    from rulewright.tools.commands.doctor import doctor

    return doctor(as_json)


for command in cli_games.COMMANDS:
    cli.add_command(command)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code; every error becomes one message on stderr."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    signals.ready()
    discovery.begin_shadowed()
    discovery.begin_unfollowed()
    try:
        try:
            code = _run(given)
        except click.exceptions.Exit as stop:
            code = stop.exit_code
        except BrokenPipeError:
            raise
        except (Exception, KeyboardInterrupt) as error:
            from rulewright.tools.common.errors import reported

            code = reported(error)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        signals.forget_unread()
        return BROKEN_PIPE


def _run(given: list[str]) -> int:
    if not given:
        given = ["--help"]
    with cli.make_context("rulewright", given) as context:
        code = cli.invoke(context)
    return code if isinstance(code, int) else CLEAN


def main() -> NoReturn:
    """Run the console command. Freezes the heap to skip the final garbage collection."""
    code = run()
    gc.freeze()
    sys.exit(code)


if __name__ == "__main__":
    main()
