"""RW701 to RW799: scenarios."""

from __future__ import annotations

from rulewright.ruleset.findings.catalogue.entry import Entry

_RESULTS = (
    "winner: crown\nwhen: count(row) > 3\namong: players\n---\nwinner: mob\namong: none\n---\n"
    "scenario: The crown stands\nplayers: [ann, ben]\n"
)

SCENARIOS: tuple[Entry, ...] = (
    Entry(
        "RW701",
        "no-such-player",
        "error",
        "A scenario has an unknown or impossible player",
        "`players` names the players, clockwise. The scenario can use no other names of players, and the game "
        "must allow their number. A name that already has a meaning in the pack cannot name a player.",
        "scenario: The row is empty\nplayers: [ann, ann]",
        "scenario: The row is empty\nplayers: [ann, ben]\ngiven: {ben: {sparks: 1}}\nthen: [count(row) is 0]",
    ),
    Entry(
        "RW702",
        "no-such-option",
        "error",
        "A scenario sets an unknown option, or an option to an unknown choice",
        "`options` sets options of the pack, each to one of its choices. All others have their defaults.",
        "options: {short: {default: false}}\n---\nscenario: The row is empty\nplayers: 2\noptions: {shrt: true}",
        "options: {short: {default: false}}\n---\nscenario: The row is empty\nplayers: 2\noptions: {short: true}\n"
        "then: [count(row) is 0]",
    ),
    Entry(
        "RW703",
        "no-such-entry",
        "error",
        "A scenario starts at an unknown phase",
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
        "A position is impossible",
        "`given` lists zones with their cards, tracks with their values, and lists with their members. What "
        "belongs to a player is under the player's name: `ann: {hand: [bell], coins: 3}`.",
        "scenario: The row is empty\nplayers: [ann, ben]\ngiven: {ann: {sparks: -1}}",
        "scenario: The row is empty\nplayers: [ann, ben]\ngiven: {ann: {sparks: 1}}\nthen: [count(row) is 0]",
    ),
    Entry(
        "RW705",
        "not-asked",
        "error",
        "A scenario names an unknown choice or option",
        "A choice is named by its id, or by the end of its id: `given` for the choice `pay.given`. `rulewright "
        "play` shows the id with each question. An option is named by its key, or by its card, player, member or "
        "number: `bell`, `2 bell`, `any 2`, `play bell`.",
        "scenario: The row is empty\nplayers: [ann, ben]\nwhen: [{ann: {paid: any 1}}]",
        "verb: pay(s)\ndo: choose 1 card from hand as given\n---\n"
        "scenario: The row is empty\nplayers: [ann, ben]\nwhen: [{ann: {given: any 1}}]",
    ),
    Entry(
        "RW706",
        "nothing-said",
        "warning",
        "A scenario makes no choice and checks nothing",
        "It is a position to play on from, but as a test it cannot fail.",
        "scenario: The row is empty\nplayers: 2",
        "scenario: The row is empty\nplayers: 2\nthen: [count(row) is 0]",
    ),
    Entry(
        "RW707",
        "no-such-series",
        "error",
        "A scenario plays a series that the pack does not have",
        "`series: true` plays the series of games of the pack's `series` document.",
        "scenario: rain\nplayers: 2\nseries: true\nthen: [count(players) is 2]",
        "scenario: rain\nplayers: 2\nthen: [count(players) is 2]",
    ),
    Entry(
        "RW708",
        "no-such-result",
        "error",
        "A scenario expects an unknown result",
        "The results of a game are named by its `winner` documents, if there are several, or if one has a `when`. "
        "`result: none` expects that none of them decided.",
        f"{_RESULTS}then: [{{result: crowns}}]",
        f"{_RESULTS}then: [{{result: crown}}]",
    ),
    Entry(
        "RW711",
        "scenario-fails",
        "error",
        "A scenario failed",
        "`rulewright test` ran the scenario and found a different result. The message gives the expected and the "
        "actual value, and points to the last rule that changed it. Either the rule or the scenario is wrong.",
        "",
        "",
    ),
    Entry(
        "RW721",
        "never-reached",
        "warning",
        "No scenario and no random game reaches this place",
        "`rulewright test --coverage` lists the branches, options, effects and awards that were never reached. "
        "Write a scenario that reaches this one, or give a reason why there is none: `# rulewright: allow RW721: "
        "REASON`.",
        "",
        "",
    ),
)
