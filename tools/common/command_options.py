"""Options that several commands share, and the type of numbers on the command line."""

from __future__ import annotations

import re
from functools import partial
from typing import ClassVar

import click

from rulewright.ruleset.findings.report import FORMATS


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
