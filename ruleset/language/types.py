"""The types of the effect language."""

from __future__ import annotations

from attrs import frozen

from rulewright.ruleset.common.record import Record


@frozen(repr=False)
class Type(Record):
    """A type of the effect language.

    `name` is number, boolean, player, card, definition, enumeration, zone, none, or kind. `of` is the kind of a
    card or definition ("" for any), or the enumeration. `many` makes it a list.
    """

    name: str
    of: str = ""
    many: bool = False

    @property
    def one(self) -> Type:
        """The type of the list's members."""
        return Type(self.name, self.of)

    @property
    def list(self) -> Type:
        return Type(self.name, self.of, True)

    def __str__(self) -> str:
        """Describe the type for a message, to follow `a`: `card of kind `gem``, `list of players`."""
        return f"list of {self.plural}" if self.many else self._of(self.name)

    @property
    def plural(self) -> str:
        """Describe several things of the type: `cards of kind `gem``, `players`."""
        return self._of(f"{self.name}s")

    def _of(self, noun: str) -> str:
        if self.name == "enumeration":
            return f"{noun.replace('enumeration', 'member')} of `{self.of}`"
        if self.name in ("card", "definition") and self.of:
            kinds = " or ".join(f"`{kind}`" for kind in self.of.split("|"))
            return f"{noun} of kind {kinds}"
        return noun

    @property
    def can_be_none(self) -> bool:
        """Whether a track, field, or function of this type may be none."""
        return not self.many and self.name in ("player", "card", "definition")


NUMBER = Type("number")
BOOLEAN = Type("boolean")
PLAYER = Type("player")
CARD = Type("card")
ZONE = Type("zone")
NONE = Type("none")
KIND = Type("kind")
"""The name of a kind, as in `it is charm`."""


def accepts(expected: Type, actual: Type) -> bool:
    """Whether a value of type `actual` can be used where `expected` is required."""
    if actual.name == "none":
        return expected.many or expected.name in ("player", "card", "definition", "none")
    if expected.many != actual.many or expected.name != actual.name:
        return False
    if expected.name == "enumeration":
        return expected.of == actual.of
    return not expected.of or not actual.of or set(actual.of.split("|")) <= set(expected.of.split("|"))


def sort_named(type_: Type) -> str:
    """Name a type as in the table program."""
    if type_ == Type("definition", "card"):  # a kind may be called `card`, a word that means cards here
        return "definition"
    return {"player": "seat", "card": "card"}.get(type_.name, type_.of or type_.name)


# ------------------------------------------------------------------ The form of names, and reserved names

NAME = r"[a-z][a-z0-9]*(-[a-z0-9]+)*"
CHOICE = rf"{NAME}(\.{NAME})+"
"""The id of a choice: the place that asks, and its own name."""
LOG = ".log"
"""Follows the id of an option: the line that is logged when it is chosen."""
TEXT = ".text"
"""Follows the id of an option, or of a choice that is no menu: the text that players read below the option."""
BECAUSE = ".because"
"""Follows the id of an option, or of a choice that is no menu: why something is not offered."""
OWN_TEXT = "text"
"""In such a text, the text of the option's card."""
RESERVED = frozenset(
    [
        "you",
        "it",
        "this",
        "players",
        "others",
        "all-players",
        "extra-turn",
        "none",
        "true",
        "false",
        "cards",
        "card",
        "player",
        "number",
        "boolean",
        "zone",
        "list",
    ]
)


# ------------------------------------------------------------------ The functions available in every pack

KERNEL_FUNCTIONS: dict[str, tuple[Type | None, ...]] = {
    "count": (None,),
    "min": (NUMBER, NUMBER),
    "max": (NUMBER, NUMBER),
    "clockwise": (PLAYER,),
    "next": (PLAYER,),
    "previous": (PLAYER,),
}
"""The types of the arguments; None is any list."""
