"""The command `rulewright`: arguments and exit codes. What a command does is in the module of its name.

Exit codes: 0 clean, 1 findings, 2 usage, 3 a fault of ours, 130 interrupted. Modules are imported when their
command runs, so that `validate` never waits for what only a game needs.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import click

from tools import VERSION
from tools.failure import BROKEN_PIPE, CLEAN, INTERRUPTED, OURS, USAGE, Failure

_SETTINGS = {"help_option_names": ["-h", "--help"]}
_LANGUAGES = click.Choice(["en", "es"])


@click.group(context_settings=_SETTINGS, epilog="Exit codes: 0 clean, 1 findings, 2 usage, 3 a fault of ours.")
@click.version_option(VERSION, prog_name="rulewright")
def cli() -> None:
    """Tabletop card games whose rules are data: check them, play them, run many games of them.

    A PACK is a path to a pack, or the name of one that is shipped (see content/).
    """


@cli.command()
@click.argument("path", nargs=-1)
@click.option(
    "--format", "form", type=click.Choice(["full", "concise", "json", "github"]), default="full",
    show_default=True, help="How findings are written.",
)  # fmt: skip
def validate(path: tuple[str, ...], form: Any) -> int:
    """Check packs, or some files of them.

    Without PATH: the pack around the current folder or, outside of any, the shipped ones.
    """
    from tools.validate import validate

    return validate(path, form)


@cli.command()
@click.argument("code")
def explain(code: str) -> int:
    """Explain the CODE (RW101) or the name of a finding."""
    from tools.explain import explain

    return explain(code)


@cli.command()
@click.argument("pack", required=False)
@click.option("--players", type=int, help="How many play; by default as many as --seats, or the fewest allowed.")
@click.option("--seats", help="Who sits where: human or bot for each seat, such as human,bot,bot.")
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), help="Decides all chance; the same game every time.")
@click.option("--game", type=click.IntRange(0, 2**63 - 1), default=0, help="Which game of a simulation's seed.")
@click.option("--lang", type=_LANGUAGES, default="en", show_default=True, help="The language of the game.")
@click.option("--option", "options", multiple=True, metavar="K=V", help="An option of the pack; may be repeated.")
@click.option("--save", type=click.Path(), metavar="FILE", help="Where the journal of the game is saved.")
@click.option("--resume", type=click.Path(), metavar="FILE", help="Go on with a saved game.")
def play(**given: Any) -> int:
    """Play PACK in the terminal, against bots or watching them."""
    from tools.play import Wishes, play

    return play(Wishes(**given))


@cli.command()
@click.argument("pack")
@click.option("-n", "--games", type=click.IntRange(1), default=100, show_default=True, help="How many games.")
@click.option("--players", type=int, help="How many play; by default the fewest allowed.")
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), default=1, show_default=True, help="Decides all chance.")
@click.option("--backend", type=click.Choice(["walker", "python"]), default="python", show_default=True)
@click.option("--jobs", type=click.IntRange(1, 256), default=1, show_default=True, help="Processes at a time.")
@click.option("--option", "options", multiple=True, metavar="K=V", help="An option of the pack; may be repeated.")
@click.option("--json", "as_json", is_flag=True, help="The result as JSON.")
def simulate(**given: Any) -> int:
    """Let random bots play many games of PACK, and count."""
    from tools.simulate import Wishes, simulate

    return simulate(Wishes(**given))


@cli.command()
@click.argument("file", type=click.Path())
@click.option("--lang", type=_LANGUAGES, default="en", show_default=True, help="The language of the log.")
@click.option("--pack", help="The pack that names things; by default a shipped one of the journal's pack name.")
def replay(file: str, lang: str, pack: str | None) -> int:
    """Replay the saved game in FILE and tell it."""
    from tools.replay import replay

    return replay(file, lang, pack)


def run(arguments: Sequence[str] | None = None) -> int:
    """Runs a command and gives its exit code; whatever goes wrong becomes one message on stderr."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        code = _run(given)
        sys.stdout.flush()
        return code
    except Failure as failure:
        return _fail(failure.message, failure.code)
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
    """Click's message in one line, with the command that it is about."""
    message = " ".join(error.format_message().split()).rstrip(".")
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "rulewright"
    return f"{message[:1].lower()}{message[1:]} (see {path} --help)"


def _fail(message: str, code: int) -> int:
    sys.stdout.flush()
    print(f"rulewright: {message}" if "\n" not in message else message, file=sys.stderr)
    return code


def _our_fault(error: Exception) -> int:
    if isinstance(error, OSError) and error.filename is not None:
        return _fail(f"cannot use {error.filename}: {error.strerror}", USAGE)
    if os.environ.get("RULEWRIGHT_DEBUG", "") not in ("", "0"):
        import traceback

        traceback.print_exc()
    what = " ".join(f"{type(error).__name__}: {error}".split())
    return _fail(
        f"a fault of rulewright, not of yours: {what}; please report it as a bug, with the command and the pack "
        "(RULEWRIGHT_DEBUG=1 shows where it happened)",
        OURS,
    )


def main() -> NoReturn:
    """The console command."""
    sys.exit(run())


if __name__ == "__main__":
    main()
