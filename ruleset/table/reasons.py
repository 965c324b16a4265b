"""Why a decision does not offer something: what there would be to choose from, and what conditions leave out.

Nodes are those of `table`. They are evaluated on a suspended game, in the frame of the segment that asks; the field
`table` is the program of the game with what more they need: further tables, lists and functions behind its own.
"""

from __future__ import annotations

from attrs import frozen

from ruleset.common.record import Record
from ruleset.common.span import Span
from ruleset.table import nodes as t


@frozen(repr=False)
class Part(Record):
    """A part of a condition: where it is written, and what its value or each of its values is of (`Site.of`)."""

    span: Span
    node: t.Expr | t.List
    of: str


@frozen(repr=False)
class Test(Record):
    """A condition on the member bound to `slot` (-1: on none), and where it is written."""

    __test__ = False

    slot: int
    condition: t.Expr
    span: Span
    parts: tuple[Part, ...]


@frozen(repr=False)
class Domain(Record):
    """What there is to choose from before any condition: members of some sort, bound to `slot` in turn."""

    slot: int
    of: str
    items: t.List
    tests: tuple[Test, ...]


@frozen(repr=False)
class Performs(Record):
    """An effect that an option performs: its field, and the card or definition (`of`) that declares it."""

    field: str
    item: t.Expr
    of: str


@frozen(repr=False)
class Way(Record):
    """One entry of a menu (its number), or all of a choice (-1): for each combination of members an option.

    `performs` lists the effects of cards that are known before the option is chosen.
    """

    branch: int
    domains: tuple[Domain, ...]
    tests: tuple[Test, ...]
    performs: tuple[Performs, ...] = ()


@frozen(repr=False)
class Reasons(Record):
    """For each site of a table program, by its number, the ways to choose there."""

    table: t.TableProgram
    sites: tuple[tuple[Way, ...], ...]
