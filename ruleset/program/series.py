"""The series of a pack: games one after the other at one table, of which some values last."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from attrs import evolve

from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.traversal import everything


class NoSeries(ValueError):  # noqa: N818 - it may be all right that there is none
    """The pack has no series of games."""


def whole_series(program: p.Program) -> p.Program:
    """Return the program that plays the series of the pack. Raises NoSeries."""
    if program.series is None:
        raise NoSeries(f"{program.pack} has no series of games")
    return evolve(program, in_series=True)


def played(program: p.Program) -> p.Program:
    """Return a program without its series, if only a single game is played."""
    if program.series is None or program.in_series:
        return program
    units = tuple(unit for unit in program.units if unit.key != p.BETWEEN)
    return evolve(program, series=None, units=units)


def begun_elsewhere(program: p.Program, main: p.Unit) -> p.Program:
    """Return a program with another beginning. The later games of a series begin as they did."""
    if program.series is None or not program.in_series:
        return evolve(program, main=main)
    game = evolve(program.main, key=_GAME)
    series = evolve(program.series, game=_GAME)
    return evolve(program, main=main, units=(*program.units, game), series=series)


_GAME = "series/game"


def shown_layout(program: p.Program) -> p.TableLayout | None:
    """Return the layout of the table, which in a single game omits what means something only in a series."""
    layout, series = program.table_layout, program.series
    if series is None or program.in_series or not series.own:
        return layout
    layout = layout or p.TableLayout((), ())
    groups = (
        evolve(group, placed=tuple(one for one in group.placed if one.key not in series.own))
        for group in layout.groups
    )
    return evolve(
        layout, groups=tuple(group for group in groups if group.placed), hidden=(*layout.hidden, *series.own)
    )


def own_places(lasting: Iterable[str], code: Iterable[Any]) -> tuple[str, ...]:
    """Return those of the tracks and lists that last the series which no code outside of it refers to."""
    named: set[str] = set()
    for node in everything(tuple(code)):
        for name in ("track", "list"):
            key = getattr(node, name, None)
            if isinstance(key, str):
                named.add(key)
    return tuple(key for key in lasting if key not in named)
