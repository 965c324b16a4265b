"""Rule errors: failures of a checked game at run time. They are findings about a pack."""

from __future__ import annotations

from attrs import frozen

CODES: tuple[str, ...] = (
    "overflow",
    "zero-division",
    "absent",
    "bounds",
    "full",
    "fuel",
    "stack",
    "endless",
)
"""Codes that backends raise by themselves, `endless` only in games between bots. `Fail` may name others."""


class RuleError(Exception):
    """A rule that could not be carried out.

    `code` is the reason, `at` the number of the rule's place in `TableProgram.sources`. The state is left half
    changed: a caller that continues must restore the state before the answer.
    """

    def __init__(self, code: str, at: int) -> None:
        super().__init__(code, at)
        self.code = code
        self.at = at

    def __str__(self) -> str:
        return f"rule error {self.code} at source {self.at}"


# ---- The page of each rule error: meaning, remedy, and a pack that raises it

@frozen
class RuleErrorEntry:
    """The page of a rule error. `example` is the effect of the failing step of `pack_of`, `more` other content."""

    code: str
    title: str
    meaning: str
    remedy: str
    example: str
    more: str = ""


def pack_of(entry: RuleErrorEntry) -> str:
    """Return a complete pack for two players, whose first step raises the rule error."""
    effect = "".join(f"      {line}\n" for line in entry.example.splitlines())
    return _PACK.format(name=entry.code, more=entry.more, effect=effect)


def explained(code: str) -> str | None:
    """Return the page of a rule error, or None for an unknown code."""
    entry = next((one for one in ENTRIES if one.code == code), None)
    if entry is None:
        return None
    example = "".join(f"    {line}\n" if line else "\n" for line in pack_of(entry).splitlines())
    return (
        f"rule error `{entry.code}`: {entry.title}\n\n{entry.meaning}\n\n"
        f"what to do: {entry.remedy}\n\nthis pack raises it:\n\n{example}"
    )


_PACK = """\
pack: {name}
version: 0.1.0
format: 3
name: Example
languages: [en]
players: 2
tracks: {{coins: {{of: number}}, rounds: {{of: number, at-least: 0, at-most: 9}}}}
{more}---
round: turn
turns-from: first of players
until: rounds is 9
steps:
  - id: act
    do: |
{effect}---
winner: all
among: players
"""

ENTRIES: tuple[RuleErrorEntry, ...] = (
    RuleErrorEntry(
        "overflow",
        "A number became too large.",
        "Numbers of the rules are whole numbers from -2,147,483,648 to 2,147,483,647. A result outside this range "
        "stops the game, since it would be wrong.",
        "look for a product or a sum that grows without bound, and limit it, for example with `min(…, 1000)`.",
        "coins += (coins + 3) * 2000000000",
    ),
    RuleErrorEntry(
        "zero-division",
        "Something was divided by zero.",
        "`div` and `mod` need a divisor that is not 0. The checker cannot always know what a number will be.",
        "test the divisor first (`if count(…) > 0: …`), or make sure that it is at least 1 (`max(1, …)`).",
        "coins += 6 div coins",
    ),
    RuleErrorEntry(
        "absent",
        "A rule needed a value that was not there.",
        "A value was `none`: for example, the top of an empty pile, a parameter for which a call passed no card, "
        "or a random choice from an empty list. Moving or showing `none` does nothing, and `top of heap is ruby` "
        "is false while the heap is empty. But reading a field of `none` is an error.",
        "test the value first: `if top of heap is not none: …`.",
        "coins += (top of heap)'s price",
        "kinds: {gem: {fields: {price: number}}}\n"
        "components: {gems: {kind: gem, starts: box}}\n"
        "zones: {heap: {order: pile, seen-by: all}, box: {order: bag, seen-by: all}}\n"
        "---\n"
        "gem: ruby\n"
        "name: ruby\n"
        "price: 3\n",
    ),
    RuleErrorEntry(
        "bounds",
        "A track would leave its bounds.",
        "A track stays within `at-least` and `at-most`, or else between -1,000,000 and 1,000,000. A change beyond "
        "a bound is an error, unless the track has `at-bounds: stop`: then it stops at the bound.",
        "test the value before the change (`if coins >= 3: …`), or declare `at-bounds: stop` if the rest is lost.",
        "rounds += 20",
    ),
    RuleErrorEntry(
        "full",
        "There was no room.",
        "rulewright reserves room for each zone, each list, and the options of each decision before the game "
        "starts. A rule error `full` means that a decision had more options than that, or a list more members: "
        "more than its `at-most`, else than 64 numbers. A range (`1 to n`) has at most 200 numbers, and an option "
        "offers numbers from 0 to 9,999.",
        "offer fewer options at once, for example with `where`, or keep fewer members in the list. If there should "
        "be enough room, this is a bug in rulewright: please report it with the pack.",
        "repeat 30 times:\n  add coins to trail\n  coins += 1",
        "lists: {trail: {of: number}}\n",
    ),
    RuleErrorEntry(
        "fuel",
        "The rules ran for too long and no player was asked.",
        "Fuel limits how long the rules can run between two answers: it is 20,000 units. Each pass of a loop "
        "(`repeat`, a step with `while`, a round) and each call of a verb that may ask costs one unit. `each` and "
        "filters cost little: about one unit for 1,024 members. The message names the loop that used most of it, "
        "how often it ran, and what stayed the same.",
        "look at the condition that ends the loop. Something in the loop must change it, or the loop must ask a "
        "player.",
        "repeat while rounds < 9: coins += 1\nrounds += 1",
    ),
    RuleErrorEntry(
        "stack",
        "Verbs called each other too deeply.",
        "A verb that asks players can call itself, and each call waits for the call inside it. At most 24 such "
        "calls can be inside each other.",
        "write a loop (`repeat`) instead of a verb that calls itself, or end the calls earlier.",
        "dig",
        "---\nverb: dig(s)\ndo: |\n  choose one:\n    left: dig\n    right: dig\n",
    ),
    RuleErrorEntry(
        "endless",
        "A game between bots does not end.",
        "Bots were asked 20,000 times in one game. Perhaps they repeat the same decisions, or no player can do "
        "what would end the game. Games with people have no such limit. `simulate` counts these games separately "
        "from games in which a rule failed.",
        "add a rule that ends the game when nothing changes any more, for example after three rounds in which no "
        "player took anything; or let the bots choose something else.",
        "choose one:\n  left: coins += 1\n  right: coins -= 1",
    ),
)
"""One for each code that backends raise."""

assert tuple(entry.code for entry in ENTRIES) == CODES
