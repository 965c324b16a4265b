"""The page of each rule error: meaning, remedy, and a pack that raises it. `rulewright explain CODE` prints it."""

from __future__ import annotations

from attrs import frozen

from interpreter.state.rule_errors import CODES


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
format: 2
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
        "test the divisor before (`if count(…) > 0: …`), or make sure that it is at least 1 (`max(1, …)`).",
        "coins += 6 div coins",
    ),
    RuleErrorEntry(
        "absent",
        "A rule needed a value that was not there.",
        "A value was `none`: the top of an empty pile, a card that a parameter could leave out, or a random choice "
        "from an empty list. Moving or showing `none` does nothing, but reading a field of `none` is an error.",
        "ask before (`if top of heap is not none: …`), or have the zone refill.",
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
        "A track with `at-least` or `at-most` stays between them. A change that goes beyond a bound is an error, "
        "unless the track has `at-bounds: stop`: then it stops at the bound. A track without bounds stays between "
        "-1,000,000 and 1,000,000.",
        "check before you pay (`if coins >= 3: …`), or declare `at-bounds: stop` if the rest is to be lost.",
        "rounds += 20",
    ),
    RuleErrorEntry(
        "full",
        "There was no room.",
        "The checker works out how much room each zone, each list, and each decision needs. A rule error `full` "
        "means that there was more: more options in one decision, or more members of a list.",
        "offer fewer options at once, for example with `where`, or keep less in the list. If there should be room "
        "for all that the rules can bring, this is a bug in rulewright: please report it with the pack.",
        "repeat 30 times:\n  add coins to trail\n  coins += 1",
        "lists: {trail: {of: number}}\n",
    ),
    RuleErrorEntry(
        "fuel",
        "The rules went on for too long and no player was asked.",
        "Between two answers the rules have 20,000 units of fuel. Each turn of a loop (`repeat`, a step with "
        "`while`, a round) and each call of a verb that may ask costs one unit; long loops over lists cost fuel, "
        "too. The message names the loop that used most of it, how often it ran, and what stayed the same.",
        "look at the condition that ends the loop. Something in the loop must change it, or a player must be "
        "asked.",
        "repeat while rounds < 9: coins += 1\nrounds += 1",
    ),
    RuleErrorEntry(
        "stack",
        "Verbs called each other too deeply.",
        "A verb that asks players can call itself, and each call waits for the call inside it. There is room for "
        "24 such calls inside each other.",
        "write a loop (`repeat`) instead of a verb that calls itself, or end the calls earlier.",
        "dig",
        "---\nverb: dig(s)\ndo: |\n  choose one:\n    left: dig\n    right: dig\n",
    ),
    RuleErrorEntry(
        "endless",
        "A game between bots does not end.",
        "Bots were asked 20,000 times in one game. Perhaps they go in circles, or no player can do what would end "
        "the game, so that the same decisions come again and again. Games with people have no such limit. "
        "`simulate` counts these games separately from those in which a rule failed.",
        "add a rule that ends the game when nothing changes any more, for example after three rounds in which "
        "nobody took anything; or let the bots choose something else.",
        "choose one:\n  left: coins += 1\n  right: coins -= 1",
    ),
)
"""One for each code that backends raise."""

assert tuple(entry.code for entry in ENTRIES) == CODES
