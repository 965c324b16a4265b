"""What to write instead of words that newcomers try."""

from __future__ import annotations

WORD_HINTS = {
    "my": "write `your`: `your hand`",
    "its": "write `it's`",
    "their": "say whose: `p's hand`",
    "it": "`it` is one of a list, inside of its `where`; elsewhere use the name that was given",
    "this": "`this` is the card or definition that declares an effect; a verb takes it as an argument",
    "home": "`home` stands only at the end of `move … to home`",
    "cards": "say where they are: `cards in hand`",
    "card": "say where they are: `cards in hand`",
    "times": "`times` is known in a modifier and in a hook that waits",
}
