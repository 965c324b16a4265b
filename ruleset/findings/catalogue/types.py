"""RW42x to RW44x: names, sentences and types in texts of the effect language."""

from __future__ import annotations

from ruleset.findings.catalogue.entry import Entry

LANGUAGE: tuple[Entry, ...] = (
    Entry(
        "RW420",
        "unknown-name",
        "error",
        "Nothing has this name here",
        "A name in an effect is something that the pack declares, a name that this effect has given with "
        "`as`, `let` or `each`, or a word of the language.",
        "do: move top 1 of deck to hnd",
        "do: move top 1 of deck to hand",
    ),
    Entry(
        "RW421",
        "two-meanings",
        "error",
        "A name could mean two things",
        "Inside of a filter a bare name can be a field of what is filtered, and it can be something "
        "outside. When it is both, say which: `it's NAME` for the field, `your NAME` for what is yours.",
        "tracks: {oil: {scope: player}}\n---\nverb: glow(s)\ndo: lose (count(hand where oil > 1)) sparks",
        "tracks: {oil: {scope: player}}\n---\nverb: glow(s)\ndo: lose (count(hand where it's oil > 1)) sparks",
    ),
    Entry(
        "RW422",
        "nobodys-turn",
        "error",
        "It is nobody's turn here",
        "A bare `hand` is yours, and `choose` asks you. In a set-up, a finish, or a step without turns "
        "there is no you: say whose it is, or who does it, or give the step `turns`. A verb that uses `you`, "
        "and a message that uses `{seat}`, need somebody who acts, too.",
        "setup: start\nsteps:\n  - id: deal\n    do: move top 3 of deck to hand",
        "setup: start\nsteps:\n  - id: deal\n    do: |\n      each p in players: move top 3 of deck to p's hand",
    ),
    Entry(
        "RW423",
        "no-such-property",
        "error",
        "It has nothing of this name",
        "Players have their zones, tracks and lists; cards and definitions have the fields and expressions "
        "of their kind. A list has nothing of its own: pick one of its members first.",
        "do: |\n  each p in others: p's sparkles += 1",
        "do: |\n  each p in others: p's sparks += 1",
    ),
    Entry(
        "RW424",
        "wrong-sort-of-value",
        "error",
        "A value is of another type than expected",
        "The message says which type is expected and which this is. A condition is true or false, so a "
        "number is compared in it, and a list asked whether it is empty.",
        "do: |\n  if sparks: draw 1",
        "do: |\n  if sparks > 0: draw 1",
    ),
    Entry(
        "RW425",
        "no-such-sentence",
        "error",
        "No sentence of the language reads like this",
        "Each sentence is one of the kernel's or one that the pack declares with `verb`. The finding "
        "points to the word at which the best attempt to read it failed.",
        "do: drwa 1",
        "do: draw 1",
    ),
    Entry(
        "RW426",
        "two-sentences",
        "error",
        "A sentence can be read as two verbs",
        "Two verbs have this sentence, and the types of what stands in it do not decide. One of the verbs "
        "needs other words.",
        "",
        "",
    ),
    Entry(
        "RW427",
        "not-a-list",
        "error",
        "A list or zone is expected",
        "Only lists and zones have members to go through, and only zones have a top and a bottom.",
        "do: |\n  each p in starter: p draws 1",
        "do: |\n  each p in players: p draws 1",
    ),
    Entry(
        "RW428",
        "cannot-be-equal",
        "error",
        "These can never be equal",
        "`is`, `in` and `has` compare things of one type: a player with a player, a card with a card or "
        "with what it is. Lists are not compared as a whole.",
        "do: |\n  if starter is 3: draw 1",
        "do: |\n  if starter is you: draw 1",
    ),
    Entry(
        "RW429",
        "number-of-arguments",
        "error",
        "A function is given too much or too little",
        "A function takes as many arguments as it declares, in that order.",
        "do: sparks += shine(you, 2)",
        "do: sparks += shine(you)",
    ),
    Entry(
        "RW430",
        "unknown-function",
        "error",
        "There is no such function",
        "Functions are those of the language and those that the pack declares with `function`. A modifier changes "
        "one of the pack's, or a field, which is written with its kind: `KIND.FIELD`.",
        "do: sparks += strenght(you)",
        "do: sparks += shine(you)",
    ),
    Entry(
        "RW431",
        "cannot-be-set",
        "error",
        "This cannot be set or changed so",
        "Tracks are set with `=` and moved with `+=` and `-=`. Lists of the state are emptied "
        "with `= none` and changed with `add` and `remove`. Cards are moved.",
        "do: guests += 1",
        "do: add you to guests",
    ),
    Entry(
        "RW432",
        "name-taken",
        "error",
        "A new name hides an old one",
        "A name that `as`, `let` or `each` gives must be new, so that the same word never means two things "
        "in one effect.",
        "do: |\n  let sparks = 2\n  draw 1",
        "do: |\n  let before = sparks\n  draw before",
    ),
    Entry(
        "RW433",
        "unknown-effect",
        "error",
        "There is no such effect to perform",
        "`perform` names an effect of a card or definition, as its kind declares it in `effects`.",
        "do: |\n  choose 1 card from hand as lit\n  perform lit's pley with victim = you",
        "do: |\n  choose 1 card from hand as lit\n  perform lit's play with victim = you",
    ),
    Entry(
        "RW434",
        "nothing-to-end",
        "error",
        "Nothing of the sort can be left or ended here",
        "`end` and `then` name something that encloses the effect: a turn, a step, a phase, a round, a "
        "queue, or the game.",
        "setup: start\nsteps:\n  - id: deal\n    do: end turn",
        "setup: start\nsteps:\n  - id: deal\n    do: end game",
    ),
    Entry(
        "RW435",
        "arguments-of-effect",
        "error",
        "An effect is not given what it takes",
        "An effect, window or claim that declares `takes` is given each of these by name: `with NAME = …`.",
        "do: |\n  choose 1 card from hand as lit\n  perform lit's play",
        "do: |\n  choose 1 card from hand as lit\n  perform lit's play with victim = you",
    ),
    Entry(
        "RW436",
        "index",
        "error",
        "An index is missing, or one too many",
        "A track that has one value for each member of an enumeration needs to know which: "
        "`TRACK[member]`. Others take no index.",
        "do: fame += 1",
        "do: fame[red] += 1",
    ),
    Entry(
        "RW437",
        "name-of-result",
        "error",
        "A result is not named, or there is none to name",
        "What is chosen needs a name, given with `as NAME` at the end of the sentence. Sentences that give "
        "nothing take none, and neither do the verbs of a pack.",
        "do: choose 1 card from hand",
        "do: |\n  choose 1 card from hand as spent\n  move spent to discard",
    ),
    Entry(
        "RW438",
        "unseen-home",
        "error",
        "The top of a pile cannot go `home` unseen",
        "Where a card's home is follows from what it is, and that is not known before it is drawn. Name "
        "the zone that the cards go to.",
        "do: move top 2 of deck to home",
        "do: move top 2 of deck to discard",
    ),
    Entry(
        "RW439",
        "amount-of-chance",
        "error",
        "Chance picks a written number of things",
        "After `pick` stands a number from 1 to 20, not an expression.",
        "do: pick sparks players from players at random as lucky",
        "do: pick 1 player from players at random as lucky",
    ),
    Entry(
        "RW440",
        "no-arrival",
        "error",
        "Nothing remembers who arrived earlier",
        "`ties: earlier arrival` needs a track that remembers in which order its values were reached: one "
        "with `arrival: kept`.",
        "award: glow\nrank: sparks\nprizes: [3, 1]\nties: earlier arrival\n---\nfinish: end\nawards: [glow]",
        "award: glow\nrank: sparks\nprizes: [3, 1]\nties: split\n---\nfinish: end\nawards: [glow]",
    ),
    Entry(
        "RW441",
        "whose",
        "error",
        "It is not clear whose this is",
        "In a sentence about somebody else, such as `p draws 2`, a bare name could be theirs or yours. Say whose.",
        "do: |\n  each p in others: p draws count(hand)",
        "do: |\n  each p in others: p draws count(p's hand)",
    ),
    Entry(
        "RW442",
        "criterion",
        "error",
        "A criterion begins with `most` or `fewest`",
        "What decides who wins is said as `most EXPRESSION` or `fewest EXPRESSION`.",
        "winner: best\namong: players\norder: [sparks]",
        "winner: best\namong: players\norder: [most sparks]",
    ),
    Entry(
        "RW443",
        "does-not-wait",
        "error",
        "This hook cannot be awaited",
        "A hook happens every time its moment comes. Only one with `waits: true` is kept for those who have said "
        "`await NAME`, and happens to nobody else.",
        "hook: glow\nafter: verb/draw\ndo: sparks += 1\n---\nverb: doze(s)\ndo: await glow",
        "hook: glow\nafter: verb/draw\nwaits: true\ndo: sparks += 1\n---\nverb: doze(s)\ndo: await glow",
    ),
    Entry(
        "RW445",
        "copy-or-definition",
        "error",
        "This belongs to each copy of a card, not to its definition",
        "A track or list with the scope of a kind has one value for each card of the kind, so each copy of a card "
        "has its own. Name a card, such as `c` in `each c in hand: …`, or `this`. A definition (a name in the "
        "pack, or a parameter whose type is a kind) stands for all copies. For one value for each definition, "
        "count the cards in a zone that has the scope of the kind. A kind with `cards: false` has no copies: "
        "there is one value for each definition.",
        "tracks: {oiled: {scope: lantern}}\n---\nverb: polish(es) <what lantern>\ndo: what's oiled += 1",
        "tracks: {oiled: {scope: lantern}}\n---\nverb: polish(es) <what lantern card>\ndo: what's oiled += 1",
    ),
    Entry(
        "RW446",
        "label",
        "error",
        "The label of an option is one word",
        "An option of `choose one` and what follows `may` is called by one word, which scenarios, bots and saved "
        "games use: `card: draw 1`. Several words are joined by hyphens. What players read is in `prompts`.",
        "do: |\n  choose one:\n    +1 spark: sparks += 1\n    keep: do nothing",
        "do: |\n  choose one:\n    spark: sparks += 1\n    keep: do nothing",
    ),
    Entry(
        "RW453",
        "option-twice",
        "error",
        "Two options of a menu have the same name",
        "Players, bots, scenarios and saved games choose an option by its name. `decline` is the other option "
        "of `may`, and `pass` is an option of every window.",
        "do: |\n  choose one:\n    keep: do nothing\n    keep: sparks += 1",
        "do: |\n  choose one:\n    keep: do nothing\n    spark: sparks += 1",
    ),
)
