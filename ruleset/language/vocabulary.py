"""The vocabulary table: every sentence, block, function, and word that the kernel knows.

The checker matches sentences against `SENTENCES`; the language reference and the tests read the whole table.
"""

from __future__ import annotations

from functools import cache

from attrs import frozen

from ruleset.common.record import Record
from ruleset.language.ast import Part
from ruleset.language.parser import parse_pattern
from ruleset.language.syntax_errors import Mistake


@frozen(repr=False)
class Sentence(Record):
    """A kernel verb.

    `pattern` is its sentence; a hole's type may also be `cards` (one or several), `place` (a zone or an end of
    one), `noun`, `effect`, `label`, `any` (`any number of`), `list`, `thing`, `exit`, `claim`, `window`,
    `modifier`, `hook`, or `message`. `suspends`: a player may be asked. `named`: whether `as NAME` may, must, or
    must not follow.
    """

    key: str
    pattern: str
    text: str
    example: str
    suspends: bool = False
    named: str = "no"
    block: bool = False

    @property
    def parts(self) -> tuple[Part, ...]:
        return _parts(self.pattern)


@cache
def _parts(pattern: str) -> tuple[Part, ...]:
    parts = parse_pattern(pattern)
    assert not isinstance(parts, Mistake), (pattern, parts)
    return parts


SENTENCES: tuple[Sentence, ...] = (
    Sentence(
        "move",
        "move(s) <what: cards> to <where: place>",
        "Moves cards to a zone: on top of a pile, to the right end of a row, into a bag. `bottom of Z` puts each "
        "under it; `home` sends every card where its component says. `top n of Z` and `bottom n of Z` are taken "
        "card by card, and a pile that refills does so. Cards that have meanwhile left the place where they were "
        "referred to stay where they are.",
        "move top 5 of deck to hand",
        named="may",
    ),
    Sentence(
        "move-some",
        "move(s) <n: number> <noun: noun> from <pool: cards> to <where: place>",
        "Moves as many of the pool as there are, up to n, in the order of the zone; for cards that are all alike.",
        "move 2 coins from bank to purse",
        named="may",
    ),
    Sentence(
        "choose",
        "choose(s) <n: number> <noun: noun> from <pool: list>",
        "The player chooses n, or all when there are fewer. After `choose 1` the name is that one thing (none "
        "when there was nothing to choose from), else the list of those chosen.",
        "choose 1 card from hand as given",
        suspends=True,
        named="must",
    ),
    Sentence(
        "choose-exactly",
        "choose(s) exactly <n: number> <noun: noun> from <pool: list>",
        "Chooses n, or nothing at all when there are fewer.",
        "choose exactly 2 cards from hand as price",
        suspends=True,
        named="must",
    ),
    Sentence(
        "choose-between",
        "choose(s) <least: number> to <most: number> <noun: noun> from <pool: list>",
        "Chooses at least and at most so many, as far as there are any.",
        "choose 0 to 3 cards from hand as spent",
        suspends=True,
        named="must",
    ),
    Sentence(
        "choose-up-to",
        "choose(s) up to <most: number> <noun: noun> from <pool: list>",
        "Chooses from none to so many.",
        "choose up to 2 cards from hand as spent",
        suspends=True,
        named="must",
    ),
    Sentence(
        "choose-any",
        "choose(s) <any: any> <noun: noun> from <pool: list>",
        "Chooses from none to all.",
        "choose any number of cards from hand as played",
        suspends=True,
        named="must",
    ),
    Sentence(
        "pick",
        "pick(s) <n: number> <noun: noun> from <pool: list> at random",
        "Chance chooses n of the pool, each as likely as the others; n is written as a number.",
        "pick 1 player from players at random as beginner",
        named="must",
    ),
    Sentence(
        "announce",
        "announce(s) <what: message>",
        "Everybody is told a message of the pack, a line of the log.",
        "announce nightfall",
    ),
    Sentence(
        "choose-one",
        "choose(s) one",
        "A menu. Each line of the block is `label: effect` or `label when condition: effect`; one is chosen.",
        "choose one:\n  keep: do nothing\n  bury: move top of deck to bottom of discard",
        suspends=True,
        named="no",
        block=True,
    ),
    Sentence(
        "may",
        "may <label: label>",
        "The player performs the block or declines; `otherwise:` says what follows if not.",
        "may pay:\n  coins -= 1\n  draw 2",
        suspends=True,
        block=True,
    ),
    Sentence(
        "open-block",
        "open(s) <what: window>",
        "Opens a window; the block is what may be cancelled: it happens unless somebody cancels the window, and "
        "`otherwise:` says what follows if so.",
        "open refusal with victim = p:\n  coins += 1",
        suspends=True,
        named="may",
        block=True,
    ),
    Sentence(
        "reveal",
        "reveal(s) <what: cards>",
        "Everybody learns what these cards are, where they lie. An end of a pile that refills is made ready "
        "first.",
        "reveal top 2 of deck",
    ),
    Sentence(
        "reveal-to",
        "reveal(s) <what: cards> to <who: player>",
        "One player learns what these cards are.",
        "reveal hand to p",
    ),
    Sentence(
        "look",
        "look(s) at <what: cards>",
        "The player learns what these cards are; the others see that.",
        "look at last of row",
    ),
    Sentence("shuffle", "shuffle(s) <what: zone>", "Puts the cards of a zone in random order.", "shuffle deck"),
    Sentence(
        "eliminate",
        "eliminate(s) <who: player>",
        "The player is out of the game: no longer among `players` and `others`, and takes no further turns.",
        "eliminate p",
    ),
    Sentence(
        "add",
        "add(s) <what: thing> to <where: list>",
        "Puts a member at the end of a list of the state.",
        "add you to arrivals",
    ),
    Sentence(
        "remove",
        "remove(s) <what: thing> from <where: list>",
        "Takes a member out of a list of the state.",
        "remove you from arrivals",
    ),
    Sentence(
        "perform",
        "perform(s) <what: effect>",
        "Performs an effect that a card or definition declares, such as `card's play`; `with a = x` gives what "
        "the effect takes. A card that declares no such effect does nothing.",
        "perform feather's attack with victim = p",
        suspends=True,
    ),
    Sentence(
        "claim",
        "claim(s) <what: claim>",
        "The player says something that may be a lie; the others may challenge it, as the claim declares. With "
        "`as NAME` the name tells whether the claim stood.",
        "claim bearer with said = bell as stood",
        suspends=True,
        named="may",
    ),
    Sentence(
        "open",
        "open(s) <what: window>",
        "Opens a window: every seat that it declares is asked. With `as NAME` the name lists those who cancelled "
        "it, each for themselves.",
        "open refusal with victim = p as refusers",
        suspends=True,
        named="may",
    ),
    Sentence(
        "cancel",
        "cancel(s) <what: window>",
        "In a reaction: the player cancels what the window was opened for. The block of `open …:` is then left "
        "out, and `open … as NAME` lists the player.",
        "cancel refusal",
    ),
    Sentence(
        "start",
        "start(s) <what: modifier> until the <when: exit> ends",
        "A modifier is active until the end of the turn, the phase or the round.",
        "start bargain until the turn ends",
    ),
    Sentence(
        "await",
        "await(s) <what: hook>",
        "A hook with `waits` happens to this player the next time its moment comes, once for all times it was "
        "awaited.",
        "await moonrise",
    ),
    Sentence(
        "end",
        "end(s) <what: exit>",
        "Ends the enclosing `turn`, `step`, `phase` or `round`, or the `game`. What comes later in it is left out.",
        "end turn",
    ),
    Sentence("nothing", "do nothing", "Nothing happens.", "do nothing"),
    Sentence(
        "proceed",
        "proceed",
        "In what a change puts `around` sentences: does what they say.",
        "proceed",
    ),
    Sentence("stop", "stop", "Ends the innermost `repeat` or `each`, or else the effect.", "stop"),
)
"""The kernel's verbs. A subject may precede them: `p chooses 1 card from p's hand as gift`."""


@frozen(repr=False)
class Form(Record):
    """Any other element of the language: its form, meaning, and an example."""

    key: str
    form: str
    text: str
    example: str


STATEMENTS: tuple[Form, ...] = (
    Form("then", "EFFECT then EFFECT", "One after the other, on one line.", "draw 2 then discard 1 card"),
    Form(
        "if",
        "if CONDITION: … else if …: … else: …",
        "Does the first whose condition holds.",
        "if coins >= 3: draw 1",
    ),
    Form(
        "each",
        "each NAME in LIST where …: …",
        "For each member of a list, in its order: the list is fixed when the loop begins; a player who has left "
        "the game, or a card that has left its place, is skipped.",
        "each q in others where q's coins > 2: q draws 1",
    ),
    Form(
        "repeat",
        "repeat N times: …, repeat while CONDITION: …, repeat N times while CONDITION: …",
        "So many times, as long as a condition holds, or both.",
        "repeat 3 times while count(hand) < 5: draw 1",
    ),
    Form(
        "let",
        "let NAME = EXPRESSION",
        "Remembers a value under a name, which never changes.",
        "let before = count(hand)",
    ),
    Form(
        "set",
        "TRACK = EXPRESSION",
        "Sets a track or a list of the state; a list becomes empty with `= none`.",
        "starting-player = you",
    ),
    Form("gain", "TRACK += N, TRACK -= N", "Moves a track up or down, within its bounds.", "coins += 2"),
)

EXPRESSIONS: tuple[Form, ...] = (
    Form(
        "of",
        "x's y, your y",
        "A zone, track or list of a player; a field, track or list of a card, its `definition`, or its `home`.",
        "p's hand",
    ),
    Form(
        "at",
        "track[x], zone[x]",
        "Of a track or zone that there is one of for each member, card or definition: that of x.",
        "fame[red]",
    ),
    Form(
        "where",
        "LIST where CONDITION",
        "The members for which it holds; inside, fields are those of `it`.",
        "hand where cost > 2",
    ),
    Form("noun", "NOUN in ZONE", "The cards of a definition or kind.", "lanterns in hand"),
    Form(
        "most",
        "LIST with most N, LIST with fewest N",
        "Those that have it, all that tie.",
        "players with most coins",
    ),
    Form("sum", "LIST + LIST", "The members of both, one list behind the other.", "count(hand + row)"),
    Form(
        "any",
        "any x in LIST where …, no x in LIST where …",
        "Whether one, or none, is so.",
        "any card in hand where cost > 2",
    ),
    Form("total", "total N over LIST", "The sum over the members.", "total cost over hand"),
    Form(
        "highest",
        "highest N over LIST, lowest N over LIST",
        "The greatest or smallest; 0 of nothing.",
        "highest coins over players",
    ),
    Form(
        "end",
        "top of Z, top n of Z, bottom of Z, bottom n of Z, first of L, last of L",
        "The end of a zone, which has a top and a bottom, or of a list.",
        "first of arrivals",
    ),
    Form(
        "is",
        "x is y, x is not y, L is empty",
        "Equality; of a card, also with its definition or kind.",
        "hand where it is bell",
    ),
    Form(
        "in",
        "x in L, x not in L, L has x, L has no x",
        "Membership; `card has EFFECT` asks whether it declares one.",
        "you in arrivals",
    ),
    Form("logic", "a and b, a or b, not a", "As usual; `or` binds weakest.", "coins > 2 and not (you in arrivals)"),
    Form(
        "arithmetic",
        "a + b, a - b, a * b, a div b, a mod b",
        "Whole numbers; div and mod round down.",
        "count(hand) div 2",
    ),
    Form("every", "every KIND", "All definitions of a kind that are in the game.", "every charm"),
)

FUNCTIONS: tuple[Form, ...] = (
    Form("count", "count(LIST)", "How many members.", "count(hand)"),
    Form("min", "min(a, b)", "The smaller.", "min(2, coins)"),
    Form("max", "max(a, b)", "The greater.", "max(0, coins - 1)"),
    Form(
        "clockwise",
        "clockwise(PLAYER)",
        "The players still in the game, beginning with one.",
        "clockwise(starting-player)",
    ),
    Form("next", "next(PLAYER)", "The next player clockwise who is still in the game.", "next(you)"),
    Form("previous", "previous(PLAYER)", "The player before.", "previous(you)"),
)

WORDS: tuple[Form, ...] = (
    Form("you", "you", "Whose turn or effect it is; a bare `hand` is yours.", "you"),
    Form("it", "it", "Inside a filter: the member under discussion.", "count(hand where it is not bell)"),
    Form("this", "this", "Inside an effect: the card (or definition) that declares it.", "move this to discard"),
    Form("players", "players", "The players still in the game, in the order of the table.", "players"),
    Form("others", "others", "The same without you, clockwise from you.", "others"),
    Form("all-players", "all-players", "All players, in the game or not.", "all-players"),
    Form("none", "none", "Nothing, nobody; of lists, the empty one.", "starting-player is none"),
    Form("true", "true, false", "Whether something is so.", "long-night is false"),
    Form("cards", "card, cards", "Every card, whatever its kind.", "cards in hand"),
    Form("score", "score", "Each player's points; awards add to it.", "score += 1"),
    Form("home", "home", "After `to`: where each card's component says.", "move row to home"),
)
