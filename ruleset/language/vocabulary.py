"""The sentences that the kernel knows: its verbs and blocks. Also forms of all other parts."""

from __future__ import annotations

from functools import cache

from attrs import frozen

from rulewright.ruleset.common.record import Record
from rulewright.ruleset.language.ast import Part
from rulewright.ruleset.language.parser import parse_pattern
from rulewright.ruleset.language.syntax_errors import Mistake


@frozen(repr=False)
class Sentence(Record):
    """A kernel verb.

    `pattern` is its sentence; a hole's type may also be `cards` (one or several), `place` (a zone or an end of
    one), `noun`, `effect`, `label`, `any` (`any number of`), `list`, `thing`, `exit`, `claim`, `window`,
    `modifier`, `hook`, or `message`. `suspends`: a player may be asked. `named`: whether `as NAME` may, must, or
    must not follow. `adverbs` are the words that may end the sentence.
    """

    key: str
    pattern: str
    text: str
    example: str
    suspends: bool = False
    named: str = "no"
    block: bool = False
    adverbs: tuple[str, ...] = ()

    @property
    def parts(self) -> tuple[Part, ...]:
        return _parts(self.pattern)


@cache
def _parts(pattern: str) -> tuple[Part, ...]:
    parts = parse_pattern(pattern)
    assert not isinstance(parts, Mistake), (pattern, parts)
    return parts


SECRETLY = "in secret"
"""An adverb: nobody but the player who sees the cards learns that they were shown."""

IN_ANY_ORDER = "in any order"
"""An adverb: the player chooses the order in which the cards are moved."""

ONE_BY_ONE = "one by one"
"""An adverb: the player chooses one thing at a time, and the name already holds those chosen before."""

SENTENCES: tuple[Sentence, ...] = (
    Sentence(
        "move",
        "move(s) <what: cards> to <where: place>",
        "Moves cards to a zone: on top of a pile, to the right end of a row, or into a bag. `bottom of Z` puts "
        "each card under the pile; `home` moves each card to its home. `top n of Z` and `bottom n of Z` are taken "
        "card by card, and a pile refills as declared. Cards that have left the place where they were named do "
        "not move. `as NAME` is only possible after `top` or `bottom`. With `in any order` at the end, the player "
        "chooses the order of the cards in a pile or row. Players who do not see the zone do not learn it.",
        "move top 5 of deck to hand",
        named="may",
        adverbs=(IN_ANY_ORDER,),
    ),
    Sentence(
        "move-some",
        "move(s) <n: number> <noun: noun> from <pool: cards> to <where: place>",
        "Moves up to n cards of the pool, in the order of the zone. Use it for identical cards. The name holds a "
        "list.",
        "move 2 coins from bank to purse",
        named="may",
    ),
    Sentence(
        "choose",
        "choose(s) <n: number> <noun: noun> from <pool: list>",
        "The player chooses n, or all if there are fewer. After `choose 1`, the name holds one thing, or `none` if "
        "there was nothing to choose from. With any other n it holds a list. With `one by one` at the end, the "
        "player chooses one thing at a time, and the condition can use the name for what was chosen so far.",
        "choose 1 card from hand as given",
        suspends=True,
        named="must",
        adverbs=(ONE_BY_ONE,),
    ),
    Sentence(
        "choose-exactly",
        "choose(s) exactly <n: number> <noun: noun> from <pool: list>",
        "The player chooses n, or nothing if there are fewer. The name always holds a list.",
        "choose exactly 2 cards from hand as price",
        suspends=True,
        named="must",
    ),
    Sentence(
        "choose-between",
        "choose(s) <least: number> to <most: number> <noun: noun> from <pool: list>",
        "The player chooses a number of things between the two bounds, or all if there are fewer.",
        "choose 0 to 3 cards from hand as spent",
        suspends=True,
        named="must",
        adverbs=(ONE_BY_ONE,),
    ),
    Sentence(
        "choose-up-to",
        "choose(s) up to <most: number> <noun: noun> from <pool: list>",
        "The player chooses at most this many, or none. After `choose up to 1`, the name holds one thing, or "
        "`none`; otherwise it holds a list.",
        "choose up to 2 cards from hand as spent",
        suspends=True,
        named="must",
        adverbs=(ONE_BY_ONE,),
    ),
    Sentence(
        "choose-any",
        "choose(s) <any: any> <noun: noun> from <pool: list>",
        "The player chooses any number, from none to all. The name holds a list.",
        "choose any number of cards from hand as played",
        suspends=True,
        named="must",
        adverbs=(ONE_BY_ONE,),
    ),
    Sentence(
        "pick",
        "pick(s) <n: number> <noun: noun> from <pool: list> at random",
        "Chooses n of the pool at random, each with the same probability. Write n as a number.",
        "pick 1 player from players at random as beginner",
        named="must",
    ),
    Sentence(
        "announce",
        "announce(s) <what: message>",
        "Writes a message of the pack to the log, for all players. `with a = x` passes the values that it takes.",
        "announce nightfall",
    ),
    Sentence(
        "choose-one",
        "choose(s) one",
        "A menu: the player chooses one line of the block. Each line is `label: effect` or `label when condition: "
        "effect`.",
        "choose one:\n  keep: do nothing\n  bury: move top of deck to bottom of discard",
        suspends=True,
        named="no",
        block=True,
    ),
    Sentence(
        "may",
        "may <label: label>",
        "The player performs the block or declines. `otherwise:` is the effect of declining.",
        "may pay:\n  coins -= 1\n  draw 2",
        suspends=True,
        block=True,
    ),
    Sentence(
        "part",
        "part <label: label>",
        "The block happens as if `part` were not there. House rules can change it by its label. Names given in the "
        "block are known only in it.",
        "part pay:\n  coins -= 1\n  draw 2",
        block=True,
    ),
    Sentence(
        "open-block",
        "open(s) <what: window>",
        "Opens a window. The block happens unless a player cancels the window; `otherwise:` is the effect if one "
        "does.",
        "open refusal with victim = p:\n  coins += 1",
        suspends=True,
        named="may",
        block=True,
    ),
    Sentence(
        "reveal",
        "reveal(s) <what: cards>",
        "Shows these cards to all players; the cards stay where they are. If a pile has fewer cards than are "
        "revealed, it refills first. `as NAME` names them: `top n of Z` from the top down, as `move` takes them.",
        "reveal top 2 of deck as shown",
        named="may",
    ),
    Sentence(
        "reveal-to",
        "reveal(s) <what: cards> to <who: player>",
        "Shows these cards to one player; the others see that cards are shown, and to whom. With `in secret` at "
        "the end, the others learn nothing. `as NAME` names the cards.",
        "reveal hand to p in secret",
        named="may",
        adverbs=(SECRETLY,),
    ),
    Sentence(
        "look",
        "look(s) at <what: cards>",
        "Shows these cards to the acting player; the others see that the player looks. With `in secret` at the "
        "end, the others learn nothing. If a pile has fewer cards than are looked at, it refills first. `as NAME` "
        "names the cards, as after `reveal`.",
        "look at top 3 of deck as seen",
        named="may",
        adverbs=(SECRETLY,),
    ),
    Sentence("shuffle", "shuffle(s) <what: zone>", "Puts the cards of a zone in random order.", "shuffle deck"),
    Sentence(
        "eliminate",
        "eliminate(s) <who: player>",
        "Removes the player from the game: from `players`, `others`, and further turns.",
        "eliminate p",
    ),
    Sentence(
        "eliminate-until",
        "eliminate(s) <who: player> until the <when: exit> ends",
        "The player is out of the game until the end of the turn, the phase, or the round, and then returns to the "
        "same place in the order. When the game ends, all such players return before points are counted.",
        "eliminate p until the round ends",
    ),
    Sentence(
        "add",
        "add(s) <what: thing> to <where: list>",
        "Adds a member at the end of a declared list, unless it is already there.",
        "add you to arrivals",
    ),
    Sentence(
        "remove",
        "remove(s) <what: thing> from <where: list>",
        "Removes a member from a declared list.",
        "remove you from arrivals",
    ),
    Sentence(
        "perform",
        "perform(s) <what: effect>",
        "Performs an effect of a card or definition, such as `card's play`; `with a = x` passes its parameters. "
        "If the card or definition has no such effect, nothing happens.",
        "perform feather's attack with victim = p",
        suspends=True,
    ),
    Sentence(
        "claim",
        "claim(s) <what: claim>",
        "The player makes a claim that may be a lie, and others may challenge it, as the claim declares. `as "
        "NAME` names whether the claim succeeded.",
        "claim bearer with said = bell as stood",
        suspends=True,
        named="may",
    ),
    Sentence(
        "open",
        "open(s) <what: window>",
        "Opens a window, which asks the players that it declares. `as NAME` names the list of players who "
        "cancelled it.",
        "open refusal with victim = p as refusers",
        suspends=True,
        named="may",
    ),
    Sentence(
        "cancel",
        "cancel(s) <what: window>",
        "In a reaction: the player cancels the window. The block of `open …:` does not happen, and `open … as "
        "NAME` lists the player.",
        "cancel refusal",
    ),
    Sentence(
        "start",
        "start(s) <what: modifier> until the <when: exit> ends",
        "Activates a modifier until the end of the turn, the phase, or the round.",
        "start bargain until the turn ends",
    ),
    Sentence(
        "await",
        "await(s) <what: hook>",
        "The hook runs for this player the next time its moment comes, and only once, even if "
        "the player has awaited it several times.",
        "await moonrise",
    ),
    Sentence(
        "end",
        "end(s) <what: exit>",
        "Ends the enclosing `turn`, `step`, or `phase`, this repetition of the `round`, or the `game`. The rest of "
        "it is skipped.",
        "end turn",
    ),
    Sentence(
        "another-turn",
        "take(s) another turn",
        "The player takes the next turn after the current one; then the order continues. The extra turn is in the "
        "innermost step with `turns` or, outside such a step, in the round with `turns-from`. During it, "
        "`extra-turn` is true.",
        "take another turn",
    ),
    Sentence("nothing", "do nothing", "Nothing happens.", "do nothing"),
    Sentence(
        "proceed",
        "proceed",
        "In an `around` change: performs the sentences that it surrounds.",
        "proceed",
    ),
    Sentence("stop", "stop", "Ends the innermost `repeat` or `each`; outside a loop, the effect.", "stop"),
)
"""The kernel's verbs. A subject may precede them: `p chooses 1 card from p's hand as gift`."""


# ---- The statements, expressions, functions, and words of the effect language

@frozen(repr=False)
class LanguageForm(Record):
    """Any other element of the language: its form, meaning, and an example."""

    key: str
    form: str
    text: str
    example: str


STATEMENTS: tuple[LanguageForm, ...] = (
    LanguageForm(
        "then",
        "EFFECT then EFFECT",
        "Two effects, one after another, on one line.",
        "draw 2 then discard 1 card",
    ),
    LanguageForm(
        "if",
        "if CONDITION: … else if …: … else: …",
        "Performs the first branch whose condition holds.",
        "if coins >= 3: draw 1",
    ),
    LanguageForm(
        "each",
        "each NAME in LIST where …: …",
        "Performs the block for each member of a list, in order. The list is fixed when the loop begins; players "
        "who leave the game during it, and cards that have left their place, are skipped.",
        "each q in others where q's coins > 2: q draws 1",
    ),
    LanguageForm(
        "repeat",
        "repeat N times: …, repeat while CONDITION: …, repeat N times while CONDITION: …",
        "Repeats the block a number of times, while a condition holds, or both.",
        "repeat 3 times while count(hand) < 5: draw 1",
    ),
    LanguageForm(
        "let", "let NAME = EXPRESSION", "Gives a value a name. It never changes.", "let before = count(hand)"
    ),
    LanguageForm(
        "set", "TRACK = EXPRESSION", "Sets a track or a list. `= none` empties a list.", "starting-player = you"
    ),
    LanguageForm(
        "gain", "TRACK += N, TRACK -= N", "Raises or lowers a track. [Bounds](#tracks) apply.", "coins += 2"
    ),
)

EXPRESSIONS: tuple[LanguageForm, ...] = (
    LanguageForm(
        "of",
        "x's y, your y",
        "A zone, track, or list of a player; a field, track, or list of a card, its `definition`, or its `home`.",
        "p's hand",
    ),
    LanguageForm(
        "at",
        "track[x], zone[x]",
        "The track or zone of x, if there is one for each member, card, or definition.",
        "fame[red]",
    ),
    LanguageForm("place", "LIST[n]", "Member n of a list or row, from 1; `none` if there is none.", "arrivals[1]"),
    LanguageForm(
        "range",
        "a to b",
        "The whole numbers from a to b, both included, as a list. Alone, or in parentheses.",
        "count(hand) in (1 to 3)",
    ),
    LanguageForm(
        "where",
        "LIST where CONDITION",
        "The members for which the condition holds; in the condition, fields are those of `it`.",
        "hand where cost > 2",
    ),
    LanguageForm("noun", "NOUN in ZONE", "The cards of a definition or kind.", "lanterns in hand"),
    LanguageForm(
        "most",
        "LIST with most N, LIST with fewest N",
        "The members with most or fewest; if several tie, all of them.",
        "players with most coins",
    ),
    LanguageForm(
        "sum",
        "LIST + LIST, x + y",
        "The members of both lists, in order. A single thing that is not a number can take the place of a list; "
        "`none` adds nothing.",
        "count(hand + row)",
    ),
    LanguageForm(
        "any",
        "any x in LIST where …, no x in LIST where …",
        "Whether the condition holds for any member, or for none.",
        "any card in hand where cost > 2",
    ),
    LanguageForm(
        "total",
        "total N over LIST, total N over x in LIST",
        "The sum of N over all members; in N and in a `where` of the list, the member is `it`, or x.",
        "total cost over hand",
    ),
    LanguageForm(
        "highest",
        "highest N over LIST, lowest N over LIST",
        "The highest or lowest N of the members; 0 for an empty list. As in totals, `over x in LIST` names the "
        "member.",
        "highest coins over players",
    ),
    LanguageForm(
        "end",
        "top of Z, top n of Z, bottom of Z, bottom n of Z, first of L, last of L",
        "The cards at one end of a zone, or the first or last member of a list. With a number it is a list; "
        "without, it is one member, or `none`.",
        "first of arrivals",
    ),
    LanguageForm(
        "is",
        "x is y, x is not y, L is empty",
        "Equality. A card also equals its definition and its kind. Lists are equal if they have the same members "
        "in the same order; with a bag, in any order.",
        "hand where it is bell",
    ),
    LanguageForm(
        "in",
        "x in L, x not in L, L has x, L has no x",
        "Membership; `card has EFFECT` asks whether it declares one.",
        "you in arrivals",
    ),
    LanguageForm(
        "logic",
        "a and b, a or b, not a",
        "Logical operators; `or` binds weakest.",
        "coins > 2 and not (you in arrivals)",
    ),
    LanguageForm(
        "arithmetic",
        "a + b, a - b, a * b, a div b, a mod b",
        "Whole numbers; div and mod round down.",
        "count(hand) div 2",
    ),
    LanguageForm("every", "every KIND", "All definitions of a kind that are in the game.", "every charm"),
)

FUNCTIONS: tuple[LanguageForm, ...] = (
    LanguageForm("count", "count(LIST)", "The number of members.", "count(hand)"),
    LanguageForm("min", "min(a, b)", "The smaller number.", "min(2, coins)"),
    LanguageForm("max", "max(a, b)", "The greater number.", "max(0, coins - 1)"),
    LanguageForm(
        "clockwise",
        "clockwise(PLAYER)",
        "The players still in the game, clockwise from this one.",
        "clockwise(starting-player)",
    ),
    LanguageForm(
        "next",
        "next(PLAYER), next(MEMBER)",
        "The next player clockwise who is still in the game; or the next member of an enumeration or definition of "
        "a kind, in the order of declaration, and the first after the last.",
        "next(you)",
    ),
    LanguageForm(
        "previous",
        "previous(PLAYER), previous(MEMBER)",
        "The previous player who is still in the game; or the previous member or definition.",
        "previous(you)",
    ),
)

WORDS: tuple[LanguageForm, ...] = (
    LanguageForm("you", "you", "The acting player; `hand` alone is your hand.", "you"),
    LanguageForm(
        "it",
        "it",
        "In a filter, total, `highest`, or `lowest`: the member being looked at.",
        "count(hand where it is not bell)",
    ),
    LanguageForm(
        "this", "this", "In an effect: the card (or definition) that declares it.", "move this to discard"
    ),
    LanguageForm("players", "players", "The players still in the game, in seating order.", "players"),
    LanguageForm("others", "others", "The other players still in the game, clockwise from you.", "others"),
    LanguageForm(
        "all-players", "all-players", "All players, including those who have left the game.", "all-players"
    ),
    LanguageForm("extra-turn", "extra-turn", "Whether this turn was given by `take another turn`.", "extra-turn"),
    LanguageForm(
        "none", "none", "No card, player, or thing; for lists, the empty list.", "starting-player is none"
    ),
    LanguageForm("true", "true, false", "The two values of a boolean.", "long-night is false"),
    LanguageForm("cards", "card, cards", "Cards of all kinds.", "cards in hand"),
    LanguageForm("score", "score", "Each player's points; awards add to them.", "score += 1"),
    LanguageForm("home", "home", "After `to`: the home of each card.", "move row to home"),
)
