"""RW34x: bots that a pack brings."""

from __future__ import annotations

from ruleset.findings.catalogue.entry import Entry

_BOT = "bot: hoarder\nanswers:\n"

BOTS: tuple[Entry, ...] = (
    Entry(
        "RW340",
        "choice-of-no-rule",
        "error",
        "A bot answers a choice that nothing asks",
        "A bot names choices by their ids, which the terminal shows with each question; `*` stands for any part "
        "of an id.",
        f"{_BOT}  - choice: discard-card.given\n    prefer: [bell]",
        f"{_BOT}  - choice: discard-card.given-up\n    prefer: [bell]",
    ),
    Entry(
        "RW341",
        "never-offered",
        "error",
        "A bot prefers what its choice never offers",
        "What a bot prefers are keys of options: of a card its name, of a player `seat-1`, of a menu the name of "
        "the option and, behind a colon, what it is about. `*` stands for any part of a key.",
        f"{_BOT}  - choice: discard-card.given-up\n    prefer: [bells, feather]",
        f"{_BOT}  - choice: discard-card.given-up\n    prefer: [bell, feather]",
    ),
    Entry(
        "RW342",
        "never-preferred",
        "warning",
        "Something that a bot says is never used",
        "Of the answers for a choice the first counts whose `when` holds, and of what it prefers the first that is "
        "offered. So nothing counts that stands behind what says as much or more.",
        f"{_BOT}  - choice: discard-card.given-up\n    prefer: [feather, '*', bell]",
        f"{_BOT}  - choice: discard-card.given-up\n    prefer: [feather, bell, '*']",
    ),
    Entry(
        "RW343",
        "bot-of-every-game",
        "error",
        "A bot is called like somebody who can play every game",
        "`human`, `random` and `greedy` can sit at the table of every game. The bots of a pack have other names.",
        "bot: greedy\nanswers: [{choice: discard-card.given-up, prefer: [bell]}]",
        "bot: hoarder\nanswers: [{choice: discard-card.given-up, prefer: [bell]}]",
    ),
    Entry(
        "RW344",
        "bot-that-peeks",
        "error",
        "A bot asks for something that its seat does not see",
        "The `when` of a bot is a condition of what its seat sees. What others hold and what lies face down is "
        "hidden from it, even if the seat could remember it.",
        f"{_BOT}  - choice: discard-card.given-up\n    when: any card in deck where cost is 3\n    prefer: [bell]",
        f"{_BOT}  - choice: discard-card.given-up\n    when: any card in hand where cost is 3\n    prefer: [bell]",
    ),
    Entry(
        "RW345",
        "nothing-from-a-bot",
        "error",
        "A bot passes to a function something that may be nothing",
        "Nothing in the game passes nothing to this function, so it does not ask whether there is anything.",
        f"{_BOT}  - choice: discard-card.given-up\n    when: rich(starting-player)\n    prefer: [bell]",
        f"{_BOT}  - choice: discard-card.given-up\n    when: rich(you)\n    prefer: [bell]",
    ),
)
