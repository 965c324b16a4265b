"""RW346–RW369 and RW450–RW469: valid code that is probably a mistake."""

from __future__ import annotations

from rulewright.ruleset.findings.catalogue.entry import Entry

LINTS: tuple[Entry, ...] = (
    Entry(
        "RW346",
        "no-name-for-players",
        "warning",
        "Something that players see has no name",
        "Without a `name`, players read the key of the rules. In a pack with one language, all definitions may "
        "omit names; once one has a name, the others need one, too, and so do hooks and modifiers. In a pack with "
        "several languages, each definition, zone, track, list, member of an enumeration, phase, award, window, "
        "and claim needs a name, except what the layout hides and what no player sees; so does the pack "
        "itself once its rules have texts. Rows of data (`cards: false`) need names once one of them has one.",
        "charm: bell\n---\ncharm: whistle\nname: {en: Whistle, es: Silbato}\n---\nkinds: {charm: {}}",
        "charm: bell\nname: {en: Bell, es: Campana}\n---\n"
        "charm: whistle\nname: {en: Whistle, es: Silbato}\n---\n"
        "kinds: {charm: {}}",
    ),
    Entry(
        "RW347",
        "no-question",
        "warning",
        "A choice has no question for players",
        "A choice shows the text with its id in the section `prompts`, or else the `name` of its step. Without "
        "either, players read only the number to choose. Packs without any prompts are not warned.",
        "verb: pay(s)\ndo: |\n  choose 1 card from hand as given\n  move given to discard\n  may rest: draw 1\n"
        "---\nprompts: {pay.rest: {en: Do you rest?, es: ¿Descansas?}}",
        "verb: pay(s)\ndo: |\n  choose 1 card from hand as given\n  move given to discard\n  may rest: draw 1\n"
        "---\nprompts:\n  pay.rest: {en: Do you rest?, es: ¿Descansas?}\n"
        "  pay.given: {en: Which card do you pay?, es: ¿Qué carta pagas?}",
    ),
    Entry(
        "RW348",
        "no-words-for-option",
        "warning",
        "An option of a menu has no text for players",
        "An option needs a `name`, or a text in the section `prompts` under the id of the choice and its own key. "
        "Otherwise players read the key of the rules. Packs without any such texts or prompts are not warned.",
        "verb: doze(s)\ndo: |\n  may nap: draw 1\n---\nprompts: {doze.nap: {en: A nap?, es: ¿Una siesta?}}",
        "verb: doze(s)\ndo: |\n  may nap: draw 1\n---\nprompts:\n  doze.nap: {en: A nap?, es: ¿Una siesta?}\n"
        "  doze.nap.nap: {en: to nap, es: dormir}",
    ),
    Entry(
        "RW349",
        "not-used",
        "warning",
        "A function, verb, message, or option is never used",
        "It may be left over, or a sentence that should use it says something else. A pack without a set-up and a "
        "round only serves other packs, so it is not warned.",
        "function: richest\ngives: player\nis: first of (players with most sparks)\n---\n"
        "setup: dawn\nsteps: [{id: wake, do: shuffle deck}]",
        "function: richest\ngives: player\nis: first of (players with most sparks)\n---\n"
        "setup: dawn\nsteps: [{id: wake, do: starter = richest}]",
    ),
    Entry(
        "RW350",
        "twice-in-a-list",
        "warning",
        "A field lists the same thing twice",
        "A list in a field may contain something twice, such as a price of two stones. If only one definition of "
        "a kind has something twice in a field, it is probably a mistake.",
        "kinds: {net: {fields: {hues: list of colour}}}\n---\nnet: trawl\nhues: [red, red]\n---\n"
        "net: seine\nhues: [red, green]",
        "kinds: {net: {fields: {hues: list of colour}}}\n---\nnet: trawl\nhues: [red]\n---\n"
        "net: seine\nhues: [red, green]",
    ),
    Entry(
        "RW351",
        "no-text-for-players",
        "warning",
        "Something that players read about has no text",
        "A definition without a `text` shows players nothing of what it does. If nearly all definitions of a kind "
        "have texts, the others probably need one, too: at most a third of those with effects of their own, or of "
        "those without. A pack with several languages and texts about its rules needs one about itself, too.",
        "kinds: {charm: {}}\n---\ncharm: a\ntext: Shines.\n---\ncharm: b\ntext: Rings.\n---\ncharm: c",
        "kinds: {charm: {}}\n---\ncharm: a\ntext: Shines.\n---\ncharm: b\ntext: Rings.\n---\ncharm: c\ntext: Hums.",
    ),
    Entry(
        "RW352",
        "list-left-out",
        "warning",
        "A definition alone lacks a list",
        "A definition need not write a field that is a list; then the list is empty. If each of four or more other "
        "definitions of its kind has the field, it was probably forgotten. `default: []` in the kind says that it "
        "may be missing.",
        "kinds: {net: {fields: {hues: list of colour}}}\n---\nnet: trawl\nhues: [red]\n---\nnet: seine\n"
        "hues: [red]\n---\nnet: purse\nhues: [red]\n---\nnet: drift\nhues: [red]\n---\nnet: cast",
        "kinds: {net: {fields: {hues: list of colour}}}\n---\nnet: trawl\nhues: [red]\n---\nnet: seine\n"
        "hues: [red]\n---\nnet: purse\nhues: [red]\n---\nnet: drift\nhues: [red]\n---\nnet: cast\nhues: [green]",
    ),
    Entry(
        "RW450",
        "never-there",
        "error",
        "A list never holds such a card",
        "A noun such as `coins` in `coins in hand` selects the coins of a list. If the zone accepts no coins, or "
        "the list has only definitions of other kinds, it selects nothing.",
        "zones: {nook: {scope: player, accepts: [moth]}}\n---\n"
        "verb: dust(s)\ndo: lose (count(lanterns in nook)) sparks",
        "zones: {nook: {scope: player, accepts: [moth]}}\n---\n"
        "verb: dust(s)\ndo: lose (count(moths in nook)) sparks",
    ),
    Entry(
        "RW451",
        "name-not-used",
        "warning",
        "A name is not used",
        "A choice, or a value named with `let`, has no effect if its name is not used. Nor has an option of a menu "
        "that chooses something with `each`, but has no `do`.",
        "do: |\n  choose 1 card from hand as given\n  move top of deck to discard",
        "do: |\n  choose 1 card from hand as given\n  move given to discard",
    ),
    Entry(
        "RW452",
        "always-you",
        "warning",
        "In a loop over players, the acting player does everything",
        "In `each p in others: draw 1` the acting player draws, once for each other player. If the others draw, "
        "write `p draws 1`. If the acting player draws each time, write `repeat count(others) times: draw 1`.",
        "do: |\n  each p in others: draw 1",
        "do: |\n  each p in others: p draws 1",
    ),
)
