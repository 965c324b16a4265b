"""Records of checked scenarios: a position, answers, and expectations.

Checked, not yet played.

`ruleset.check.scenarios` builds them; what depends on a table (which card `gem-3` is, what is offered) is
determined when they are played. Conditions and their two sides are units of the program that the game never calls.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from attrs import frozen

from rulewright.ruleset.common.diagnostic import Span
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.language.types import Type


@frozen(repr=False)
class ComparisonSide(Record):
    """One side of a comparison: its text, the unit that computes its value, and the type."""

    text: str
    unit: str
    type: Type


@frozen(repr=False)
class ScenarioFact(Record):
    """A condition that must hold. `unit` evaluates it; its parameters are the players, then `cards` by name.

    `sides` are the two sides of a comparison.
    """

    text: str
    span: Span
    unit: str
    cards: tuple[str, ...]
    sides: tuple[ComparisonSide, ...]


@frozen(repr=False)
class ScenarioItems(Record):
    """Options or cards as named in a scenario: `perform`, `bell`, `2 coin`, `any 3`, `all`, `none`."""

    words: tuple[str, ...]
    span: Span


@frozen(repr=False)
class ScenarioAnswer(Record):
    """A player's answer to a choice, which is named by the end of its id."""

    player: str
    choice: str
    items: ScenarioItems


@frozen(repr=False)
class RefusedAnswer(Record):
    """An answer that must be refused."""

    answer: ScenarioAnswer


@frozen(repr=False)
class Until(Record):
    """Continues until a choice is asked; of this player, if not empty."""

    player: str
    choice: str
    span: Span


@frozen(repr=False)
class Facts(Record):
    """Conditions that must hold now."""

    facts: tuple[ScenarioFact, ...]


@frozen(repr=False)
class OffersExactly(Record):
    """A player is offered exactly these options."""

    player: str
    items: ScenarioItems


@frozen(repr=False)
class Asks(Record):
    """Exactly these players are asked, each at a choice."""

    asked: tuple[tuple[str, str], ...]
    span: Span


@frozen(repr=False)
class Wins(Record):
    """The game is over, and these players have won."""

    players: tuple[str, ...]
    span: Span


@frozen(repr=False)
class ExpectedResult(Record):
    """The game is over, with the result of this name; without one if it is empty."""

    name: str
    span: Span


@frozen(repr=False)
class Sees(Record):
    """The cards of a zone as seen by a player; `?` is an unseen card."""

    player: str
    zone: str
    owner: str
    items: ScenarioItems


@frozen(repr=False)
class TrackRead(Record):
    """The value of a track as seen by a player; `?` if unseen."""

    player: str
    track: str
    owner: str
    items: ScenarioItems


Step: TypeAlias = (
    ScenarioAnswer | RefusedAnswer | Until | Facts | OffersExactly | Asks | Wins | ExpectedResult | Sees | TrackRead
)


@frozen(repr=False)
class ZoneGiven(Record):
    """The cards of a zone: exactly these, or these on top (topmost first). `owner` is a player, or empty.

    `rest`: all other cards that the zone accepts; `items` has no meaning then.
    """

    zone: str
    owner: str
    items: ScenarioItems
    top: bool
    rest: bool = False


@frozen(repr=False)
class TrackGiven(Record):
    """The value of a track for these members of its scope, in order. A player is given by name.

    With `several`, the values are those of equal copies of a card.
    """

    track: str
    index: tuple[str, ...]
    values: tuple[str, ...]
    several: bool
    span: Span


@frozen(repr=False)
class ListGiven(Record):
    """The members of a list; `index` is a player or card, or empty."""

    list: str
    index: str
    items: ScenarioItems


Given: TypeAlias = ZoneGiven | TrackGiven | ListGiven


@frozen(repr=False)
class Scenario(Record):
    """A scenario.

    `options` are those set explicitly; the others have their defaults. `entry` is the source of the phase, round,
    or step where the game begins (`phase/supplies`, `round/day`, `step/supplies.supply`), or empty for its start;
    `turn` is the player whose turn it is there, or empty. `eliminated` are the players who are out there, each
    with the moment until whose end, or empty. With `series`, the pack's series is played.
    """

    title: str
    span: Span
    source: str
    players: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    seed: int
    entry: str
    turn: str
    given: tuple[Given, ...]
    steps: tuple[Step, ...]
    eliminated: tuple[tuple[str, str], ...] = ()
    series: bool = False

    def matches(self, words: str) -> bool:
        """Whether the title or source contains these words; case is ignored."""
        return words.lower() in f"{self.title} {self.source}".lower()


# ---- What games between bots are expected to be like, as a pack says it. Nothing here affects play

What = Literal[
    "first-seat-wins",
    "no-winner",
    "several-winners",
    "mean-length",
    "usual-length",
    "offered-in-games",
    "chosen-when-offered",
    "none-stands-out",
]
"""What is expected: the keys of documents."""

FEWEST_WEIGHED = 5
"""Definitions that are weighed against each other, for one of them to stand out."""


@frozen(repr=False)
class ExpectedBounds(Record):
    """The least and the greatest expected value: a percentage, or a number of decisions. None: no bound."""

    low: int | None
    high: int | None


@frozen(repr=False)
class Expectation(Record):
    """A threshold. `about` is the kind, group, or definition as written; empty if it is about whole games.

    `ids` are the definitions for which it holds, as `KIND/NAME`: without those that are ignored, or for which
    something else is said. For `none-stands-out` there are no bounds.
    """

    what: What
    about: str
    ids: tuple[str, ...]
    bounds: ExpectedBounds


@frozen(repr=False)
class WeighedGroup(Record):
    """Definitions of a kind (`ids`) that are weighed against each other, with the names of one of them."""

    key: str
    kind: str
    names: tuple[tuple[str, str], ...]
    ids: tuple[str, ...]


@frozen(repr=False)
class ExpectedTable(Record):
    """What is expected of the games at one table.

    Without `players`, there are as few as possible. `options` are those that differ from their defaults. `bot` is
    empty for the first bot of the pack. `ignored` are definitions, each with the reason.
    """

    key: str
    players: int | None
    options: tuple[tuple[str, str], ...]
    bot: str
    expectations: tuple[Expectation, ...]
    groups: tuple[WeighedGroup, ...]
    ignored: tuple[tuple[str, str], ...]


# ---- What the cards of kinds look like, as far as a pack says it. Nothing here affects play

Place = Literal["top-left", "top-right", "bottom-left", "bottom-right"]
COLOURS = (
    "amber", "green", "violet", "blue", "red", "teal", "orange", "indigo", "olive", "pink", "jade", "azure",
)  # fmt: skip
"""Names of the tones 1 to 12. A colour that a pack gives as `#rrggbb` becomes a tone of that pack."""
NEUTRAL = "grey"
SYMBOLS = (
    "diamond", "sun", "clover", "lattice", "shield", "star", "waves", "chevrons", "moon", "pillars", "drop",
    "rings", "checks", "coin", "heart", "crown", "blade", "leaf", "book", "bolt", "spade",
)  # fmt: skip
"""Names of the marks `mark-0`, `mark-1`, … of `tools/pages/static/sprite.svg`."""


@frozen(repr=False)
class Picture(Record):
    """A picture file: its pack, and its path in the folder of that pack."""

    pack: str
    path: str


@frozen(repr=False)
class FaceCorner(Record):
    """A field or expression of a kind in a corner of its cards, with a symbol or a picture beside the value."""

    place: Place
    field: str
    symbol: str = ""
    picture: Picture | None = None


@frozen(repr=False)
class FaceColours(Record):
    """The colours and symbols of a field's members, by their keys. A colour is a name, or `#rrggbb`."""

    field: str
    colours: tuple[tuple[str, str], ...] = ()
    symbols: tuple[tuple[str, str], ...] = ()


@frozen(repr=False)
class CardFace(Record):
    """What the cards of a kind look like. None and empty mean: as without a face.

    `colour` is for all cards, `definitions` for single ones; `pictures` are by definition, only files that exist.
    `size` is in tenths of a millimetre. The back is a colour or a picture.
    """

    kind: str
    corners: tuple[FaceCorner, ...] | None
    members: tuple[FaceColours, ...]
    colour: str
    definitions: tuple[tuple[str, str], ...]
    pictures: tuple[tuple[str, Picture], ...]
    size: tuple[int, int] | None
    back: str | Picture
