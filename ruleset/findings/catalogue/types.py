"""RW42x to RW44x: names, sentences and types in texts of the effect language."""

from __future__ import annotations

from rulewright.ruleset.findings.catalogue.entry import Entry

LANGUAGE: tuple[Entry, ...] = (
    Entry(
        "RW420",
        "unknown-name",
        "error",
        "A name is unknown here",
        "A name in an effect must be declared by the pack, given earlier in the effect with `as`, `let` or "
        "`each`, or be a word of the language.",
        "do: move top 1 of deck to hnd",
        "do: move top 1 of deck to hand",
    ),
    Entry(
        "RW421",
        "two-meanings",
        "error",
        "A name has two meanings here",
        "Inside a filter, a bare name can be a field of the member, or something outside the filter. If it could "
        "be both, write `it's NAME` for the field, or `your NAME` for what belongs to the acting player.",
        "tracks: {oil: {scope: player}}\n---\nverb: glow(s)\ndo: lose (count(hand where oil > 1)) sparks",
        "tracks: {oil: {scope: player}}\n---\nverb: glow(s)\ndo: lose (count(hand where it's oil > 1)) sparks",
    ),
    Entry(
        "RW422",
        "nobodys-turn",
        "error",
        "No player acts or has the turn here",
        "A bare `hand` is that of the acting player, and `choose` asks that player. In a set-up, a finish, or a "
        "step without `turns`, `queue`, or `together` there is no acting player, except in a round with "
        "`turns-from`: name a player, or give the step `turns`. A verb that uses "
        "`you`, and a message that uses `{seat}`, also need an acting player.",
        "setup: start\nsteps:\n  - id: deal\n    do: move top 3 of deck to hand",
        "setup: start\nsteps:\n  - id: deal\n    do: |\n      each p in players: move top 3 of deck to p's hand",
    ),
    Entry(
        "RW423",
        "no-such-property",
        "error",
        "A property does not exist",
        "Players have zones, tracks and lists; cards and definitions have the fields and expressions of their "
        "kind. A list has no properties: take one of its members first.",
        "do: |\n  each p in others: p's sparkles += 1",
        "do: |\n  each p in others: p's sparks += 1",
    ),
    Entry(
        "RW424",
        "wrong-sort-of-value",
        "error",
        "A value has the wrong type",
        "The message names the expected type and the type that was found. A condition is true or false, so "
        "compare a number, and ask whether a list is empty.",
        "do: |\n  if sparks: draw 1",
        "do: |\n  if sparks > 0: draw 1",
    ),
    Entry(
        "RW425",
        "no-such-sentence",
        "error",
        "A sentence is unknown",
        "A sentence is built in, or declared by the pack with `verb`. The finding points to the first word that "
        "does not match the nearest sentence.",
        "do: drwa 1",
        "do: draw 1",
    ),
    Entry(
        "RW426",
        "two-sentences",
        "error",
        "A sentence matches two verbs",
        "Two verbs have this sentence, and the types of its arguments do not decide between them. Change the "
        "words of one of the verbs.",
        "",
        "",
    ),
    Entry(
        "RW427",
        "not-a-list",
        "error",
        "Expected a list or a zone",
        "Only lists and zones have members to go through, and only zones have a top and a bottom.",
        "do: |\n  each p in starter: p draws 1",
        "do: |\n  each p in players: p draws 1",
    ),
    Entry(
        "RW428",
        "cannot-be-equal",
        "error",
        "These values are never equal",
        "`is`, `in` and `has` compare values of one type: a player with a player, a card with a card or with its "
        "definition, a list with a list of the same things.",
        "do: |\n  if starter is 3: draw 1",
        "do: |\n  if starter is you: draw 1",
    ),
    Entry(
        "RW429",
        "number-of-arguments",
        "error",
        "A function gets the wrong number of arguments",
        "A call passes exactly the arguments that the function declares, in the same order.",
        "do: sparks += shine(you, 2)",
        "do: sparks += shine(you)",
    ),
    Entry(
        "RW430",
        "unknown-function",
        "error",
        "A function does not exist",
        "A function is built in, or declared by the pack with `function`. A modifier changes a function or a value "
        "of the pack, or a field, which is written with its kind: `KIND.FIELD`.",
        "do: sparks += strenght(you)",
        "do: sparks += shine(you)",
    ),
    Entry(
        "RW431",
        "cannot-be-set",
        "error",
        "This cannot be set or changed in this way",
        "Set tracks with `=`, and change them with `+=` and `-=`. Empty lists with `= none`, and change them with "
        "`add` and `remove`. Cards are moved with `move`.",
        "do: guests += 1",
        "do: add you to guests",
    ),
    Entry(
        "RW432",
        "name-taken",
        "error",
        "A new name hides another name",
        "A name that `as`, `let` or `each` gives must be new, so that a word never has two meanings in one effect.",
        "do: |\n  let sparks = 2\n  draw 1",
        "do: |\n  let before = sparks\n  draw before",
    ),
    Entry(
        "RW433",
        "unknown-effect",
        "error",
        "An effect to perform does not exist",
        "`perform` names an effect of a card or definition, which its kind declares in `effects`.",
        "do: |\n  choose 1 card from hand as lit\n  perform lit's pley with victim = you",
        "do: |\n  choose 1 card from hand as lit\n  perform lit's play with victim = you",
    ),
    Entry(
        "RW434",
        "nothing-to-end",
        "error",
        "There is nothing of this sort to end or leave here",
        "`end` and `then` name something around the effect: a turn, a step, a phase, a round, a queue, or the "
        "game.",
        "setup: start\nsteps:\n  - id: deal\n    do: end turn",
        "setup: start\nsteps:\n  - id: deal\n    do: end game",
    ),
    Entry(
        "RW435",
        "arguments-of-effect",
        "error",
        "An argument is missing or unknown",
        "An effect, window or claim gets the arguments that it declares in `takes`, each by its name: `with NAME "
        "= …`.",
        "do: |\n  choose 1 card from hand as lit\n  perform lit's play",
        "do: |\n  choose 1 card from hand as lit\n  perform lit's play with victim = you",
    ),
    Entry(
        "RW436",
        "index",
        "error",
        "An index is missing or not possible",
        "A track with an enumeration in its scope, or a field with `per`, needs an index that selects a member: "
        "`TRACK[member]`. A track "
        "with a kind as its scope may take one: `TRACK[card]` is `card's TRACK`. Other tracks take no index.",
        "do: fame += 1",
        "do: fame[red] += 1",
    ),
    Entry(
        "RW437",
        "name-of-result",
        "error",
        "A result has no name, or a sentence gives no result",
        "Name the result of a choice with `as NAME` at the end of the sentence. Sentences without a result take "
        "no `as`. A verb of a pack has a result only if it declares `gives`; one of its sentences must then give "
        "it a value.",
        "do: choose 1 card from hand",
        "do: |\n  choose 1 card from hand as spent\n  move spent to discard",
    ),
    Entry(
        "RW438",
        "unseen-home",
        "error",
        "The card at the top of a pile cannot go `home`",
        "The home of a card depends on its definition, which is not known before the card is drawn. Name the zone "
        "that the cards go to.",
        "do: move top 2 of deck to home",
        "do: move top 2 of deck to discard",
    ),
    Entry(
        "RW439",
        "amount-of-chance",
        "error",
        "`pick` takes a number from 1 to 20",
        "Write a number from 1 to 20 after `pick`; expressions are not possible.",
        "do: pick sparks players from players at random as lucky",
        "do: pick 1 player from players at random as lucky",
    ),
    Entry(
        "RW440",
        "no-arrival",
        "error",
        "The order of arrival is not recorded",
        "`ties: earlier arrival` needs a track that records the order in which players reached their values: one "
        "with `arrival: kept`.",
        "award: glow\nrank: sparks\nprizes: [3, 1]\nties: earlier arrival\n---\nfinish: end\nawards: [glow]",
        "award: glow\nrank: sparks\nprizes: [3, 1]\nties: split\n---\nfinish: end\nawards: [glow]",
    ),
    Entry(
        "RW441",
        "whose",
        "error",
        "It is not clear whose this is",
        "In a sentence about another player, such as `p draws 2`, a bare name could belong to that player or to "
        "the acting player. Say whose it is.",
        "do: |\n  each p in others: p draws count(hand)",
        "do: |\n  each p in others: p draws count(p's hand)",
    ),
    Entry(
        "RW442",
        "criterion",
        "error",
        "A criterion begins with `most` or `fewest`",
        "Write each criterion of the winner as `most EXPRESSION` or `fewest EXPRESSION`.",
        "winner: best\namong: players\norder: [sparks]",
        "winner: best\namong: players\norder: [most sparks]",
    ),
    Entry(
        "RW443",
        "does-not-wait",
        "error",
        "This hook cannot be awaited",
        "A hook runs every time its verb or step runs. Only a hook with `waits: true` runs once, and only for the "
        "players who have said `await NAME`.",
        "hook: glow\nafter: verb/draw\ndo: sparks += 1\n---\nverb: doze(s)\ndo: await glow",
        "hook: glow\nafter: verb/draw\nwaits: true\ndo: sparks += 1\n---\nverb: doze(s)\ndo: await glow",
    ),
    Entry(
        "RW445",
        "copy-or-definition",
        "error",
        "This belongs to each copy of a card, not to its definition",
        "A track or list with `scope: KIND card` has one value for each copy of a card. Name a card, such as `c` "
        "in `each c in hand: …`, or `this`. A definition (a name in the pack, or a parameter whose type is a kind) "
        "is not a copy. For one value for each definition, declare `scope: KIND`.",
        "tracks: {oiled: {scope: lantern card}}\n---\nverb: polish(es) <what lantern>\ndo: what's oiled += 1",
        "tracks: {oiled: {scope: lantern card}}\n---\nverb: polish(es) <what lantern card>\ndo: what's oiled += 1",
    ),
    Entry(
        "RW446",
        "label",
        "error",
        "The label of an option is one word",
        "An option of `choose one`, or of `may`, is named by one word, which scenarios, bots and saved games use: "
        "`card: draw 1`. Join several words with hyphens. The text for players is in `prompts`.",
        "do: |\n  choose one:\n    +1 spark: sparks += 1\n    keep: do nothing",
        "do: |\n  choose one:\n    spark: sparks += 1\n    keep: do nothing",
    ),
    Entry(
        "RW453",
        "option-twice",
        "error",
        "Two options of a menu have the same name",
        "Players, bots, scenarios and saved games choose an option by its name. `may` already has the option "
        "`decline`, and every window the option `pass`.",
        "do: |\n  choose one:\n    keep: do nothing\n    keep: sparks += 1",
        "do: |\n  choose one:\n    keep: do nothing\n    spark: sparks += 1",
    ),
    Entry(
        "RW454",
        "range",
        "error",
        "A range is empty or too long",
        "`1 to 6` is the list of the whole numbers from 1 to 6. The smaller number comes first, also in a range of "
        "a field, an option, or a choice. A list has at most 200 numbers.",
        "do: |\n  each n in 6 to 1: sparks += n",
        "do: |\n  each n in 1 to 6: sparks += n",
    ),
    Entry(
        "RW455",
        "last-resort",
        "error",
        "An option of last resort is never offered",
        "`when: otherwise` offers an option only if no other option of the menu is offered. A menu has one such "
        "option, and it needs conditions on the others. A window always offers `pass`.",
        "do: |\n  choose one:\n    spark: sparks += 1\n    keep when otherwise: do nothing",
        "do: |\n  choose one:\n    spark when sparks > 0: sparks += 1\n    keep when otherwise: do nothing",
    ),
    Entry(
        "RW456",
        "reason-never-read",
        "error",
        "No player can read this reason",
        "`because` tells players why an option is not offered. The option needs a condition (`each`, `when`, or "
        "`unless`), and a function with a `because` gives `true` or `false`.",
        'round: evening\nturns-from: first of players\nsteps:\n  - id: act\n    options:\n      rest:\n'
        '        because: "You are awake."\n        do: do nothing',
        'round: evening\nturns-from: first of players\nsteps:\n  - id: act\n    options:\n      rest:\n'
        '        when: sparks > 0\n        because: "You need a spark."\n        do: do nothing',
    ),
    Entry(
        "RW460",
        "cannot-be-started",
        "error",
        "This modifier cannot be started",
        "A modifier with `while` is active as long as its condition holds, so nothing starts it. A modifier "
        "without `while` is active from `start NAME` until the turn, the phase, or the round ends.",
        "function: glow\ngives: number\nis: 1\n---\nmodifier: dusk\nchanges: glow\n"
        "while: any p in players where p's sparks > 3\nis: result + 1\n---\n"
        "verb: dim(s)\ndo: |\n  start dusk until the turn ends\n  sparks += glow",
        "function: glow\ngives: number\nis: 1\n---\nmodifier: dusk\nchanges: glow\nis: result + 1\n"
        "---\nverb: dim(s)\ndo: |\n  start dusk until the turn ends\n  sparks += glow",
    ),
    Entry(
        "RW461",
        "not-at-every-place",
        "error",
        "Not every place of this hook has this name",
        "A hook with several places can use a hole only if all these verbs have it, with the same type. If one of "
        "the places is a step, the hook can use only `you`.",
        "verb: polish(es) <n>\ndo: sparks += n\n---\nverb: doze(s)\ndo: sparks -= 1\n---\n"
        "hook: glow\nafter: [verb/polish, verb/doze]\ndo: sparks += n",
        "verb: polish(es) <n>\ndo: sparks += n\n---\nverb: dim(s) <n>\ndo: sparks -= n\n---\n"
        "hook: glow\nafter: [verb/polish, verb/dim]\ndo: sparks += n",
    ),
    Entry(
        "RW462",
        "two-parts",
        "error",
        "Two parts of an effect have the same name",
        "`part LABEL:` gives sentences of an effect a name, by which house rules can change them. So the labels in "
        "one effect differ.",
        "verb: polish(es)\ndo: |\n  part glow: sparks += 1\n  part glow: sparks += 2",
        "verb: polish(es)\ndo: |\n  part glow: sparks += 1\n  part shine: sparks += 2",
    ),
    Entry(
        "RW463",
        "moves-nothing",
        "error",
        "No sentence moves cards as this hook says",
        "A hook with `before: move` or `after: move` happens at sentences that move cards from the zones of `from` "
        "to the zones of `to`. If there is no such sentence, it never happens. The set-up, refills, and the finish "
        "do not count.",
        "hook: glow\nafter: move\nfrom: discard\nto: row\ndo: sparks += count(moved)",
        "hook: glow\nafter: move\nfrom: deck\nto: hand\ndo: sparks += count(moved)",
    ),
)
