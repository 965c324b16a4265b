"""Why a decision does not offer something: the candidates, and the conditions that exclude them.

Nodes are those of `table`. They are evaluated on a suspended game, in the frame of the segment that asks; the field
`table` is the program of the game with additional tables, lists, and functions, numbered after its own.
"""

from __future__ import annotations

from attrs import frozen

from ruleset.common.record import Record
from ruleset.common.span import Span
from ruleset.table import nodes as t


@frozen(repr=False)
class Part(Record):
    """A part of a condition: its place, and the type of its value or values (as in `Site.of`)."""

    span: Span
    node: t.Expr | t.List
    of: str


@frozen(repr=False)
class Test(Record):
    """A condition on the member bound to `slot` (-1: no member), and its place."""

    __test__ = False

    slot: int
    condition: t.Expr
    span: Span
    parts: tuple[Part, ...]


@frozen(repr=False)
class Domain(Record):
    """The candidates before any condition: members of the type `of`, bound to `slot` in turn."""

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
    """One entry of a menu (its number), or a whole choice (-1): an option for each combination of members.

    `performs` lists the effects of cards that are known before the option is chosen.
    """

    branch: int
    domains: tuple[Domain, ...]
    tests: tuple[Test, ...]
    performs: tuple[Performs, ...] = ()


@frozen(repr=False)
class Reasons(Record):
    """For each site of a table program, by number, the ways to choose there."""

    table: t.TableProgram
    sites: tuple[tuple[Way, ...], ...]
