"""RW447 to RW449: adverbs of sentences, messages, and lines of the log."""

from __future__ import annotations

from rulewright.ruleset.findings.catalogue.entry import Entry

MESSAGES: tuple[Entry, ...] = (
    Entry(
        "RW447",
        "adverb",
        "error",
        "A sentence cannot end with this adverb",
        "`in secret` can end `reveal CARDS to PLAYER` and `look at CARDS`. `in any order` can end `move CARDS to "
        "ZONE` if the zone is a pile or a row, and the cards are all in one zone. `one by one` can end `choose`, "
        "but not `choose exactly`.",
        "do: shuffle deck in secret",
        "do: |\n  look at top 2 of deck as seen\n  move seen to bottom of deck in any order",
    ),
    Entry(
        "RW448",
        "log-value",
        "error",
        "A line of the log is for a value that the track cannot have",
        "`log` of a track is one text, a text for each language, or a text for each value. The values are `true` "
        "and `false`, the members of an enumeration, whole numbers, and `none`; `other` is for all other values.",
        'tracks: {gloaming: {of: boolean, log: {true: "It is dark.", light: "It is light."}}}',
        'tracks: {gloaming: {of: boolean, log: {true: "It is dark.", false: "It is light."}}}',
    ),
    Entry(
        "RW449",
        "one-by-one",
        "warning",
        "A choice one by one does not use what was chosen before",
        "With `one by one`, the condition of the list can use the name of the result: it holds what was chosen so "
        "far. If the condition does not use it, the player can choose everything at once.",
        "do: |\n  choose 2 cards from hand one by one as spent\n  move spent to discard",
        "do: |\n  choose 2 cards from hand where it not in spent or count(spent) < 1 one by one as spent\n"
        "  move spent to discard",
    ),
)
