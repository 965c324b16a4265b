"""The statements, expressions, functions, and words of the effect language."""

from __future__ import annotations

from attrs import frozen

from rulewright.ruleset.common.record import Record


@frozen(repr=False)
class Form(Record):
    """Any other element of the language: its form, meaning, and an example."""

    key: str
    form: str
    text: str
    example: str


STATEMENTS: tuple[Form, ...] = (
    Form(
        "then",
        "EFFECT then EFFECT",
        "Two effects, one after another, on one line.",
        "draw 2 then discard 1 card",
    ),
    Form(
        "if",
        "if CONDITION: … else if …: … else: …",
        "Performs the first branch whose condition holds.",
        "if coins >= 3: draw 1",
    ),
    Form(
        "each",
        "each NAME in LIST where …: …",
        "Performs the block for each member of a list, in order. The list is fixed when the loop begins; players "
        "who leave the game during it, and cards that have left their place, are skipped.",
        "each q in others where q's coins > 2: q draws 1",
    ),
    Form(
        "repeat",
        "repeat N times: …, repeat while CONDITION: …, repeat N times while CONDITION: …",
        "Repeats the block a number of times, while a condition holds, or both.",
        "repeat 3 times while count(hand) < 5: draw 1",
    ),
    Form("let", "let NAME = EXPRESSION", "Gives a value a name. It never changes.", "let before = count(hand)"),
    Form("set", "TRACK = EXPRESSION", "Sets a track or a list. `= none` empties a list.", "starting-player = you"),
    Form("gain", "TRACK += N, TRACK -= N", "Raises or lowers a track. [Bounds](#tracks) apply.", "coins += 2"),
)

EXPRESSIONS: tuple[Form, ...] = (
    Form(
        "of",
        "x's y, your y",
        "A zone, track, or list of a player; a field, track, or list of a card, its `definition`, or its `home`.",
        "p's hand",
    ),
    Form(
        "at",
        "track[x], zone[x]",
        "The track or zone of x, if there is one for each member, card, or definition.",
        "fame[red]",
    ),
    Form("place", "LIST[n]", "Member n of a list or row, from 1; `none` if there is none.", "arrivals[1]"),
    Form(
        "range",
        "a to b",
        "The whole numbers from a to b, both included, as a list. Alone, or in parentheses.",
        "count(hand) in (1 to 3)",
    ),
    Form(
        "where",
        "LIST where CONDITION",
        "The members for which the condition holds; in the condition, fields are those of `it`.",
        "hand where cost > 2",
    ),
    Form("noun", "NOUN in ZONE", "The cards of a definition or kind.", "lanterns in hand"),
    Form(
        "most",
        "LIST with most N, LIST with fewest N",
        "The members with most or fewest; if several tie, all of them.",
        "players with most coins",
    ),
    Form(
        "sum",
        "LIST + LIST, x + y",
        "The members of both lists, in order. A single thing that is not a number can take the place of a list; "
        "`none` adds nothing.",
        "count(hand + row)",
    ),
    Form(
        "any",
        "any x in LIST where …, no x in LIST where …",
        "Whether the condition holds for any member, or for none.",
        "any card in hand where cost > 2",
    ),
    Form(
        "total",
        "total N over LIST, total N over x in LIST",
        "The sum of N over all members; in N and in a `where` of the list, the member is `it`, or x.",
        "total cost over hand",
    ),
    Form(
        "highest",
        "highest N over LIST, lowest N over LIST",
        "The highest or lowest N of the members; 0 for an empty list. As in totals, `over x in LIST` names the "
        "member.",
        "highest coins over players",
    ),
    Form(
        "end",
        "top of Z, top n of Z, bottom of Z, bottom n of Z, first of L, last of L",
        "The cards at one end of a zone, or the first or last member of a list. With a number it is a list; "
        "without, it is one member, or `none`.",
        "first of arrivals",
    ),
    Form(
        "is",
        "x is y, x is not y, L is empty",
        "Equality. A card also equals its definition and its kind. Lists are equal if they have the same members "
        "in the same order; with a bag, in any order.",
        "hand where it is bell",
    ),
    Form(
        "in",
        "x in L, x not in L, L has x, L has no x",
        "Membership; `card has EFFECT` asks whether it declares one.",
        "you in arrivals",
    ),
    Form(
        "logic",
        "a and b, a or b, not a",
        "Logical operators; `or` binds weakest.",
        "coins > 2 and not (you in arrivals)",
    ),
    Form(
        "arithmetic",
        "a + b, a - b, a * b, a div b, a mod b",
        "Whole numbers; div and mod round down.",
        "count(hand) div 2",
    ),
    Form("every", "every KIND", "All definitions of a kind that are in the game.", "every charm"),
)

FUNCTIONS: tuple[Form, ...] = (
    Form("count", "count(LIST)", "The number of members.", "count(hand)"),
    Form("min", "min(a, b)", "The smaller number.", "min(2, coins)"),
    Form("max", "max(a, b)", "The greater number.", "max(0, coins - 1)"),
    Form(
        "clockwise",
        "clockwise(PLAYER)",
        "The players still in the game, clockwise from this one.",
        "clockwise(starting-player)",
    ),
    Form(
        "next",
        "next(PLAYER), next(MEMBER)",
        "The next player clockwise who is still in the game; or the next member of an enumeration or definition of "
        "a kind, in the order of declaration, and the first after the last.",
        "next(you)",
    ),
    Form(
        "previous",
        "previous(PLAYER), previous(MEMBER)",
        "The previous player who is still in the game; or the previous member or definition.",
        "previous(you)",
    ),
)

WORDS: tuple[Form, ...] = (
    Form("you", "you", "The acting player; `hand` alone is your hand.", "you"),
    Form(
        "it",
        "it",
        "In a filter, total, `highest`, or `lowest`: the member being looked at.",
        "count(hand where it is not bell)",
    ),
    Form("this", "this", "In an effect: the card (or definition) that declares it.", "move this to discard"),
    Form("players", "players", "The players still in the game, in seating order.", "players"),
    Form("others", "others", "The other players still in the game, clockwise from you.", "others"),
    Form("all-players", "all-players", "All players, including those who have left the game.", "all-players"),
    Form("extra-turn", "extra-turn", "Whether this turn was given by `take another turn`.", "extra-turn"),
    Form("none", "none", "No card, player, or thing; for lists, the empty list.", "starting-player is none"),
    Form("true", "true, false", "The two values of a boolean.", "long-night is false"),
    Form("cards", "card, cards", "Cards of all kinds.", "cards in hand"),
    Form("score", "score", "Each player's points; awards add to them.", "score += 1"),
    Form("home", "home", "After `to`: the home of each card.", "move row to home"),
)
