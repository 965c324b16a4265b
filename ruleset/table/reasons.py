"""Why a decision does not offer something: the candidates, and the conditions that exclude them.

Nodes are those of `table`. They are evaluated on a suspended game, in the frame of the segment that asks; the field
`table` is the program of the game with additional tables, lists, and functions, numbered after its own.
"""

from __future__ import annotations

from attrs import frozen

from rulewright.ruleset.common.diagnostic import Span
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.table import nodes as t


@frozen(repr=False)
class ReasonOperand(Record):
    """A value that a condition compares, and its type (as in `Site.of`, or `zone` for the number of a zone).

    `track` is the key of the track that holds the value, if it is one of the game or of a player; `owner` this
    player's seat.
    """

    node: t.Expr | t.List
    of: str
    track: str = ""
    owner: t.Expr | None = None


@frozen(repr=False)
class ReasonClause(Record):
    """A part of a condition that must hold; see `program.nodes.Clause`. `called` is for results of functions."""

    condition: t.Expr
    op: str
    operands: tuple[ReasonOperand, ...]
    called: Called | None = None


@frozen(repr=False)
class Called(Record):
    """A function that must hold. Its code has slots of its own, the first of which are for the arguments.

    `shows` are the values of the text that says why it does not hold. Without one it is None, and `clauses` are the
    parts of the function's result.
    """

    function: str
    arguments: tuple[t.Expr | t.List, ...]
    shows: tuple[t.Shown, ...] | None
    clauses: tuple[ReasonClause, ...]


@frozen(repr=False)
class Test(Record):
    """A condition on the member bound to `slot` (-1: no member), its place, and its clauses."""

    __test__ = False

    slot: int
    condition: t.Expr
    span: Span
    clauses: tuple[ReasonClause, ...]


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
class MenuEntry(Record):
    """One entry of a menu (its number), or a whole choice (-1): an option for each combination of members.

    `performs` lists the effects of cards that are known before the option is chosen. `shows` are values of the text
    that says why something is not offered; the table program has those that it must keep.
    """

    branch: int
    domains: tuple[Domain, ...]
    tests: tuple[Test, ...]
    performs: tuple[Performs, ...] = ()
    shows: tuple[t.Shown, ...] = ()


@frozen(repr=False)
class Reasons(Record):
    """For each site of a table program, by number, the ways to choose there."""

    table: t.TableProgram
    sites: tuple[tuple[MenuEntry, ...], ...]
