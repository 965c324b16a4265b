"""RW34x and RW36x: bots that a pack brings."""

from __future__ import annotations

from rulewright.ruleset.findings.catalogue.entry import Entry

_BOT = "bot: hoarder\nanswers:\n"

BOTS: tuple[Entry, ...] = (
    Entry(
        "RW340",
        "choice-of-no-rule",
        "error",
        "A bot answers an unknown choice",
        "A bot names choices by their ids, which `rulewright play` shows with each question; `*` matches any part "
        "of an id.",
        f"{_BOT}  - choice: discard-card.given\n    prefer: [bell]",
        f"{_BOT}  - choice: discard-card.given-up\n    prefer: [bell]",
    ),
    Entry(
        "RW341",
        "never-offered",
        "error",
        "A bot prefers an option that is never offered",
        "Preferences are keys of options: for a card its name, for a player `seat-1`, for a menu the name of the "
        "option and, after a colon, its members. `*` matches any part of a key.",
        f"{_BOT}  - choice: discard-card.given-up\n    prefer: [bells, feather]",
        f"{_BOT}  - choice: discard-card.given-up\n    prefer: [bell, feather]",
    ),
    Entry(
        "RW342",
        "never-preferred",
        "warning",
        "A part of a bot is never used",
        "For each choice, the first answer counts whose `when` holds, and of its preferences the first that is "
        "offered. So an answer or a preference after a more general one is never used.",
        f"{_BOT}  - choice: discard-card.given-up\n    prefer: [feather, '*', bell]",
        f"{_BOT}  - choice: discard-card.given-up\n    prefer: [feather, bell, '*']",
    ),
    Entry(
        "RW343",
        "bot-of-every-game",
        "error",
        "A bot has the name of a built-in player",
        "`human`, `random`, `greedy`, and `search` can play every game. The bots of a pack need other names.",
        "bot: greedy\nanswers: [{choice: discard-card.given-up, prefer: [bell]}]",
        "bot: hoarder\nanswers: [{choice: discard-card.given-up, prefer: [bell]}]",
    ),
    Entry(
        "RW344",
        "bot-that-peeks",
        "error",
        "A bot uses something that its seat does not see",
        "The conditions and scores of a bot are about what its seat sees. The hidden cards of others and face-down "
        "cards cannot be used, even if the seat could remember them.",
        f"{_BOT}  - choice: discard-card.given-up\n    when: any card in deck where cost is 3\n    prefer: [bell]",
        f"{_BOT}  - choice: discard-card.given-up\n    when: any card in hand where cost is 3\n    prefer: [bell]",
    ),
    Entry(
        "RW345",
        "nothing-from-a-bot",
        "error",
        "A bot passes a value that may be none to a function",
        "The rules never pass `none` to this function, so it does not check for it.",
        f"{_BOT}  - choice: discard-card.given-up\n    when: rich(starting-player)\n    prefer: [bell]",
        f"{_BOT}  - choice: discard-card.given-up\n    when: rich(you)\n    prefer: [bell]",
    ),
    Entry(
        "RW360",
        "score-of-another-form",
        "error",
        "A bot's score does not fit the choice",
        "A menu is scored by options: each has an amount or a condition of its own, with the names of its `each`. "
        "Other choices have one score for all that is offered, which is `it`.",
        f"{_BOT}  - choice: refusal.reaction\n    score: coins - 2",
        f"{_BOT}  - choice: refusal.reaction\n    score: {{refuse: coins - 2}}",
    ),
)
