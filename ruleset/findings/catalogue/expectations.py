"""RW731 to RW739: what games between bots are expected to be like."""

from __future__ import annotations

from rulewright.ruleset.findings.catalogue.entry import Entry

EXPECTATIONS: tuple[Entry, ...] = (
    Entry(
        "RW731",
        "not-a-threshold",
        "error",
        "A threshold has the wrong form",
        "A threshold is `at least N`, `at most N`, or `N to M`, with whole numbers and a unit: `%` for shares, "
        "`decisions` for lengths.",
        "expect: two-players\nfirst-seat-wins: '< 55'",
        "expect: two-players\nfirst-seat-wins: at most 55 %",
    ),
    Entry(
        "RW732",
        "threshold-out-of-range",
        "error",
        "A threshold is impossible, or always holds",
        "A share is 0 to 100 %, and a game between bots has 1 to 20,000 decisions. The lower bound is not above "
        "the upper one. A threshold that no game can miss checks nothing.",
        "expect: two-players\nfirst-seat-wins: 55 to 45 %",
        "expect: two-players\nfirst-seat-wins: 45 to 55 %",
    ),
    Entry(
        "RW733",
        "expects-of-nothing",
        "error",
        "An expectation names an unknown kind, group, or definition",
        "Expectations are about kinds of the pack, groups of the same document, and single definitions, which are "
        "written with their kind: `charm/bell`.",
        "expect: two-players\nchosen-when-offered: {bell: at least 5 %}",
        "expect: two-players\nchosen-when-offered: {charm/bell: at least 5 %}",
    ),
    Entry(
        "RW734",
        "no-such-bot",
        "error",
        "An expectation names an unknown bot",
        "The bot is one of the pack, or `random`. Bots that search are too slow for thousands of games.",
        "expect: two-players\nbot: greedy\nno-winner: at most 1 %",
        "expect: two-players\nbot: random\nno-winner: at most 1 %",
    ),
    Entry(
        "RW735",
        "no-such-table",
        "error",
        "An expectation is about a table that the game does not have",
        "`players` is a number of players that the game allows. `options` sets options of the pack, each to one of "
        "its choices.",
        "expect: crowd\nplayers: 12\nno-winner: at most 1 %",
        "expect: crowd\nplayers: 4\nno-winner: at most 1 %",
    ),
    Entry(
        "RW736",
        "wrong-group",
        "error",
        "A group is empty, overlaps another one, or has the name of a kind",
        "The definitions of a group are weighed against each other. So a group has some, each definition is in one "
        "group at most, and its name can be told from that of a kind.",
        "expect: two-players\ngroups:\n"
        "  cheap: {name: {en: cheap charm, es: amuleto barato}, kind: charm, where: cost < 3}\n"
        "  dear: {name: {en: dear charm, es: amuleto caro}, kind: charm, where: cost > 0}",
        "expect: two-players\ngroups:\n"
        "  cheap: {name: {en: cheap charm, es: amuleto barato}, kind: charm, where: cost < 3}\n"
        "  dear: {name: {en: dear charm, es: amuleto caro}, kind: charm, where: cost >= 3}",
    ),
    Entry(
        "RW737",
        "never-a-choice",
        "error",
        "An expectation is about something that no choice offers",
        "What is offered, chosen, or stands out is measured where players choose it. No choice of this pack offers "
        "any of these definitions.",
        "expect: two-players\noffered-in-games: {shrine: at least 5 %}",
        "expect: two-players\noffered-in-games: {charm: at least 5 %}",
    ),
    Entry(
        "RW738",
        "expects-in-vain",
        "error",
        "A part of an expectation has no effect",
        "The narrowest expectation counts: that of a definition before that of its group, and that of a group "
        "before that of its kind. Definitions under `ignore` are left out. Among fewer than five definitions none "
        "stands out.",
        "expect: two-players\nchosen-when-offered: {charm/bell: at least 5 %}\nignore: {charm/bell: too rare}",
        "expect: two-players\nchosen-when-offered: {charm: at least 5 %}\nignore: {charm/bell: too rare}",
    ),
)
