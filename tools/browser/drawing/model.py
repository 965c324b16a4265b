"""What a page of a table shows. The templates `table.html` and its parts draw it."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from rulewright.tools.faces import Face


@frozen
class Offer:
    """An option on the page: its key, how often it can be chosen, its label, and what it does.

    `taken` is None while it can be chosen; in a replay it says whether it was.
    """

    key: str
    most: int
    label: str
    tells: str
    taken: bool | None = None


@frozen
class Note:
    """What lies on a card, or is kept for it: a label and values; `seats` are pawns (numbers from 1)."""

    label: str
    values: tuple[str, ...]
    seats: tuple[int, ...] = ()


@frozen
class Chip:
    """A card that the reader knows although it is not shown. `name` is set if `text` is shorter than its name."""

    text: str
    tone: str
    mark: int
    name: str = ""


@frozen
class CardDrawing:
    """One card, a pile, or equal cards. Without a face it is a back.

    `id` is that of the element: it stays the same as long as a card lies where it is. `count` is shown if it is
    above 0, as the size of a pile or as the number of copies. `why` says briefly why it is not offered. `label` is
    read out for a back. `caption` is the name of the zone of a pile that is drawn beside those of other zones;
    `zone` is that zone's key. The form `empty` is a place without cards.
    """

    id: str
    face: Face | None
    size: Literal["xs", "s", "m"]
    form: Literal["card", "copies", "pile", "empty"]
    count: int
    label: str
    offer: Offer | None = None
    why: str = ""
    notes: tuple[Note, ...] = ()
    chips: tuple[Chip, ...] = ()
    dense: bool = False
    caption: str = ""
    zone: str = ""


@frozen
class Slip:
    """A card reduced to its name, and how many there are. `known` are cards below it that the reader remembers."""

    id: str
    face: Face
    count: int
    notes: tuple[Note, ...] = ()
    known: tuple[str, ...] = ()


@frozen
class ZoneDrawing:
    """A zone, or a group of piles. `order`: `grid` for piles of definitions, `row` for all else."""

    key: str
    label: str
    small: str
    order: Literal["row", "grid"]
    cards: tuple[CardDrawing, ...] = ()
    slips: tuple[Slip, ...] = ()
    secret: bool = False
    """Whether it is hidden from the other players."""
    tight: bool = False
    covered: bool = False
    """Whether all its cards are face down."""
    count: int = 0
    """How many cards are in a zone of a player's panel; 0 where it is not shown."""

    @property
    def empty(self) -> bool:
        """Whether there is nothing to draw."""
        return not self.cards and not self.slips


@frozen
class NumberCell:
    """A number of a player in a table of tracks. `rank` is its order of arrival, if that counts."""

    text: str
    rank: str = ""
    zero: bool = False
    leads: bool = False
    hidden: bool = False
    secret: bool = False


@frozen
class NumberRow:
    """The numbers of all players for one member of an enumeration."""

    name: str
    tone: str
    mark: int
    cells: tuple[NumberCell, ...]


@frozen
class TrackTable:
    """A track by players and members."""

    key: str
    label: str
    small: str
    rows: tuple[NumberRow, ...]


@frozen
class Tile:
    """A single number or value that all share."""

    label: str
    value: str
    zero: bool


@frozen
class Tiles:
    """Single values under a heading."""

    key: str
    label: str
    tiles: tuple[Tile, ...]


@frozen
class BoardPart:
    """A column of the table's middle. `kind` is `wide`, `tracks`, or empty."""

    kind: Literal["", "wide", "tracks"]
    zones: tuple[ZoneDrawing, ...] = ()
    tables: tuple[TrackTable, ...] = ()
    tiles: tuple[Tiles, ...] = ()


@frozen
class PanelCount:
    """A number in a player's panel. `backs` is how many backs are drawn before it."""

    label: str
    value: str
    backs: int = 0
    hidden: bool = False
    secret: bool = False


@frozen
class PlayerPanel:
    """The panel of a player. `state` says what the player is doing: `deciding`, `chosen`, `turn`, or nothing."""

    seat: int
    name: str
    who: str
    you: bool
    state: Literal["", "deciding", "chosen", "turn"]
    out: bool
    badges: tuple[str, ...]
    counts: tuple[PanelCount, ...]
    zones: tuple[ZoneDrawing, ...]
    offer: Offer | None = None


@frozen
class OptionTarget:
    """A button of an option with several targets."""

    offer: Offer
    text: str
    seat: int = 0
    """The number of the player that it names, from 1; 0 if none."""


@frozen
class DockOption:
    """An option in the dock: a button, or a row of targets. `why` is set if it is not offered."""

    name: str
    text: str
    tone: str
    mark: int
    offer: Offer | None
    targets: tuple[OptionTarget, ...] = ()
    why: str = ""


@frozen
class Dock:
    """The decision of the reader, who is at `seat`.

    `stamp` names the decision: an answer to another one is refused. `beside` are choices beside the main button.
    """

    seat: int
    stamp: str
    eyebrow: str
    question: str
    bounds: str
    least: int
    most: int
    choices: tuple[DockOption, ...]
    beside: tuple[DockOption, ...]
    on_table: int
    """How many options are chosen on the table and among the reader's cards."""
    left_out: int
    ordered: bool = False


@frozen
class LogLine:
    """A line of the log."""

    text: str
    you: bool
    new: bool


@frozen
class LogPart:
    """Lines under a heading of the log: level 3 for rounds and turns, 4 for phases, 5 for steps; 0 for none."""

    heading: str
    level: int
    lines: tuple[LogLine, ...]


@frozen
class ResultRow:
    """A player in the table of results: points by award, all together, and other numbers."""

    seat: int
    name: str
    you: bool
    wins: bool
    out: bool
    points: tuple[str, ...]
    total: str
    extra: tuple[str, ...]


@frozen
class Holding:
    """What lies open before a player at the end of a game."""

    seat: int
    name: str
    you: bool
    zones: tuple[ZoneDrawing, ...]


@frozen
class ResultDrawing:
    """The result of a game: headline, the last lines of the log, and points by award.

    `turned_up` are shared zones whose cards were turned up at the end.
    """

    headline: str
    winners: tuple[int, ...]
    story: tuple[str, ...]
    awards: tuple[str, ...]
    scored: bool
    extra: tuple[str, ...]
    rows: tuple[ResultRow, ...]
    turned_up: tuple[ZoneDrawing, ...] = ()
    holdings: tuple[Holding, ...] = ()


@frozen
class TableDrawing:
    """A table as one reader sees it."""

    pack: str
    title: str
    position: str
    phases: tuple[tuple[str, bool], ...]
    players: tuple[PlayerPanel, ...]
    board: tuple[BoardPart, ...]
    own: tuple[ZoneDrawing, ...]
    dock: Dock | None
    waiting: str
    """Who decides, if not the reader; empty if nobody does."""
    moment: tuple[str, ...]
    log: tuple[LogPart, ...]
    log_cut: bool
    """Whether the log has earlier rounds that are not shown."""
    result: ResultDrawing | None
