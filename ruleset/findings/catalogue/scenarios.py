"""RW701 to RW799: scenarios."""

from __future__ import annotations

from ruleset.findings.catalogue.entry import Entry

SCENARIOS: tuple[Entry, ...] = (
    Entry(
        "RW701",
        "no-such-player",
        "error",
        "A scenario names a player that it does not have, or has players that the game does not allow",
        "`players` names those who play, clockwise. All other names of players in the scenario are among them. A "
        "name may not mean something else in the pack.",
        "scenario: The row is empty\nplayers: [ann, ann]",
        "scenario: The row is empty\nplayers: [ann, ben]\ngiven: {ben: {sparks: 1}}\n"
        "then: [count(row) is 0]",
    ),
    Entry(
        "RW702",
        "no-such-option",
        "error",
        "A scenario chooses an option that the pack does not have",
        "`options` names options of the pack, each with one of its choices; all others keep their defaults.",
        "options: {short: {default: false}}\n---\nscenario: The row is empty\nplayers: 2\noptions: {shrt: true}",
        "options: {short: {default: false}}\n---\nscenario: The row is empty\nplayers: 2\noptions: {short: true}\n"
        "then: [count(row) is 0]",
    ),
    Entry(
        "RW703",
        "no-such-entry",
        "error",
        "A scenario begins at a phase that the game does not have",
        "A game can be entered at a phase or round, or at a step of one: `phase: supplies`, `phase: "
        "supplies.draw`.",
        "scenario: The row is empty\nplayers: 2\ngiven: {phase: dusk}",
        "phase: dusk\nsteps: [{id: dim, do: shuffle deck}]\n---\nround: day\nphases: [dusk]\n---\n"
        "scenario: The row is empty\nplayers: 2\ngiven: {phase: dusk}\nthen: [count(row) is 0]",
    ),
    Entry(
        "RW704",
        "impossible-position",
        "error",
        "A position names what the game does not have, or gives it a value that it cannot have",
        "Under `given` stand zones with their cards, tracks with their values, lists with their "
        "members. "
        "What belongs to a player stands under the player's name: `ann: {hand: [bell], coins: 3}`.",
        "scenario: The row is empty\nplayers: [ann, ben]\ngiven: {ann: {sparks: -1}}",
        "scenario: The row is empty\nplayers: [ann, ben]\ngiven: {ann: {sparks: 1}}\n"
        "then: [count(row) is 0]",
    ),
    Entry(
        "RW705",
        "not-asked",
        "error",
        "A scenario answers a choice that the game never asks, or with an option that no choice offers",
        "A choice is named by its id, or by the end of it: `given` for the choice `pay.given`. `rulewright "
        "play` shows the id with each question. An option is named by its key, or by the card, player, member, or "
        "number that it is: `bell`, `2 bell`, `any 2`, `play bell`.",
        "scenario: The row is empty\nplayers: [ann, ben]\nwhen: [{ann: {paid: any 1}}]",
        "verb: pay(s)\ndo: choose 1 card from hand as given\n---\n"
        "scenario: The row is empty\nplayers: [ann, ben]\nwhen: [{ann: {given: any 1}}]",
    ),
    Entry(
        "RW706",
        "nothing-said",
        "warning",
        "A scenario in which nothing is chosen and nothing must hold",
        "It is a position that one can play on from, but as a test it cannot fail.",
        "scenario: The row is empty\nplayers: 2",
        "scenario: The row is empty\nplayers: 2\nthen: [count(row) is 0]",
    ),
    Entry(
        "RW711",
        "scenario-fails",
        "error",
        "A scenario does not go as it says",
        "`rulewright test` has played the scenario. The message says what is the case instead, the second "
        "place which "
        "rule brought it about. Either the rule is wrong or the scenario is.",
        "",
        "",
    ),
    Entry(
        "RW721",
        "never-reached",
        "warning",
        "Neither a scenario nor a random game comes to this place",
        "`rulewright test --coverage` lists what was never reached: branches, options, effects, awards. Write "
        "a scenario "
        "that comes there, or say why there is none: `# rulewright: allow RW721: REASON`.",
        "",
        "",
    ),
)
