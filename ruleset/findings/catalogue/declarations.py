"""RW3xx: names and declarations."""

from __future__ import annotations

from rulewright.ruleset.findings.catalogue.entry import Entry

DECLARE: tuple[Entry, ...] = (
    Entry(
        "RW126",
        "misspelt-declaration",
        "error",
        "A name is declared under one spelling and used under another",
        "One name is declared and never used, and a similar one is used and never declared. With the name that is "
        "used, the pack would be correct, so the declaration is reported instead of each use.",
        "lists: {bouys: {of: player}}\n---\nverb: lite(s)\ndo: add you to buoys\n---\n"
        "verb: snuff(s)\ndo: remove you from buoys",
        "lists: {buoys: {of: player}}\n---\nverb: lite(s)\ndo: add you to buoys\n---\n"
        "verb: snuff(s)\ndo: remove you from buoys",
    ),
    Entry(
        "RW301",
        "bad-name",
        "error",
        "Invalid name",
        "Names have lowercase letters, digits, and single hyphens, and begin with a letter. Only cards that "
        "`each` makes may be named by a number. Rules use names; players read `name` and `text`, which may be "
        "anything.",
        "zones: {Big_Pile: {}}",
        "zones: {big-pile: {}}",
    ),
    Entry(
        "RW302",
        "reserved-name",
        "error",
        "A name is a word of the language",
        "Words such as `you`, `none`, `total`, and `lowest` have the same meaning in every pack. They cannot be "
        "names of zones or fields, or of values that an effect names with `let` or `as`.",
        "zones: {players: {}}",
        "zones: {shed: {}}",
    ),
    Entry(
        "RW303",
        "declared-twice",
        "error",
        "Two things have the same name",
        "Zones, tracks, values, definitions, and members of enumerations share one set of names, because rules "
        "use the name alone. The other place is shown.",
        "tracks: {glow: {scope: player}}\n---\nlists: {glow: {of: player}}",
        "tracks: {glow: {scope: player}}\n---\nlists: {glowing: {of: player}}",
    ),
    Entry(
        "RW304",
        "unknown-type",
        "error",
        "Unknown type",
        "Types are `number`, `boolean`, `player`, `card`, `zone`, the enumerations and kinds of the pack, "
        "`KIND card` for a card of a kind, a range such as `0 to 4`, and `list of` one of these.",
        "tracks: {brightness: {of: numbr}}",
        "tracks: {brightness: {of: number}}",
    ),
    Entry(
        "RW305",
        "players-range",
        "error",
        "Invalid player range",
        "A game has 1 to 12 players. Write the smaller number first.",
        "pack: sample\nplayers: 4 to 2",
        "pack: sample\nplayers: 2 to 4",
    ),
    Entry(
        "RW306",
        "option-default",
        "error",
        "The default of an option is not one of its choices",
        "The default must be one of the names in `one-of`, or be within the bounds of `number`.",
        "options: {ending: {one-of: [early, late], default: never}}",
        "options: {ending: {one-of: [early, late], default: late}}",
    ),
    Entry(
        "RW307",
        "value-gap",
        "error",
        "A value is missing for some number of players",
        "A value with `by-players` needs an entry for each number of players that the pack allows. `default` is "
        "for those that are not listed.",
        "values: {wages: {by-players: {2: 5}}}",
        "values: {wages: {by-players: {2: 5, default: 4}}}",
    ),
    Entry(
        "RW308",
        "no-owner",
        "error",
        "`owner` for a zone or track without an owner",
        "Only zones with scope `player`, and tracks with `player` in their scope, have owners. Write `all` or "
        "`nobody` for a zone of the game.",
        "zones: {shed: {seen-by: owner}}",
        "zones: {shed: {scope: player, seen-by: owner}}",
    ),
    Entry(
        "RW309",
        "unknown-reference",
        "error",
        "Unknown name in a declaration",
        "Declarations refer to kinds, zones, phases, and awards by name, and the pack declares none with this "
        "name.",
        "zones: {shed: {accepts: [lanten]}}",
        "zones: {shed: {accepts: [lantern]}}",
    ),
    Entry(
        "RW310",
        "unknown-kind",
        "error",
        "A document begins with a key that is not a kind",
        "The first key of a document is its kind: a built-in one (`verb`, `phase`, `zones`, …) or one that the "
        "pack declares in `kinds`.",
        "lanten: dim\ncolour: red\noil: 1",
        "lantern: dim\ncolour: red\noil: 1",
    ),
    Entry(
        "RW311",
        "unknown-field",
        "error",
        "A kind has no such field",
        "The `each` of a component, the values of a definition, and a modifier refer to fields of a kind. The "
        "kind declares no field with this name.",
        "components: {spares: {kind: lantern, each: {fuel: [1, 2]}, starts: row}}",
        "components: {spares: {kind: lantern, each: {oil: [1, 2]}, starts: row}}",
    ),
    Entry(
        "RW312",
        "verb-begins-with-hole",
        "error",
        "The sentence of a verb begins with a hole",
        "A sentence is recognised by its first word. The acting player is never part of the sentence, but comes "
        "before it, as in `p draws 2`.",
        "verb: <n> spark(s) fade\ndo: sparks -= n",
        "verb: fade(s) <n> spark(s)\ndo: sparks -= n",
    ),
    Entry(
        "RW313",
        "step-twice",
        "error",
        "Two steps have the same `id`",
        "House rules and hooks refer to a step by its id, so it must be unique among its neighbours.",
        "setup: start\nsteps:\n  - {id: first, do: shuffle deck}\n  - {id: first, do: shuffle discard}",
        "setup: start\nsteps:\n  - {id: first, do: shuffle deck}\n  - {id: second, do: shuffle discard}",
    ),
    Entry(
        "RW314",
        "verbs-clash",
        "error",
        "A sentence could be two verbs",
        "The sentences of the pack and the built-in ones form one set. If a sentence matched two of them, its "
        "meaning would be unclear, so one needs other words.",
        "verb: draw(s) <many>\ndo: sparks += many",
        "verb: gather(s) <many>\ndo: sparks += many",
    ),
    Entry(
        "RW315",
        "field-value",
        "error",
        "A field has a value that its type does not allow",
        "The value of a field is a number within its range, true or false, a member of its enumeration, or "
        "the name of a definition of its kind.",
        "kinds: {wick: {fields: {fits: lantern}}}\n---\nlantern: dim\ncolour: red\noil: 1\n---\n"
        "wick: cotton\nfits: dimm",
        "kinds: {wick: {fields: {fits: lantern}}}\n---\nlantern: dim\ncolour: red\noil: 1\n---\n"
        "wick: cotton\nfits: dim",
    ),
    Entry(
        "RW316",
        "unknown-anchor",
        "error",
        "A hook refers to an unknown verb or step",
        "`before`, `after`, and `instead-of` name a verb, by the words of its sentence with hyphens, or a step, "
        "by its phase and its id. There is no such verb or step.",
        "hook: glow\nafter: verb/drawn\ndo: sparks += 1",
        "hook: glow\nafter: verb/draw\ndo: sparks += 1",
    ),
    Entry(
        "RW317",
        "hole-name",
        "error",
        "A hole of a sentence needs another name",
        "The effect of a verb uses the holes by name, so each name must be unique, and not a word of the language.",
        "verb: swap(s) <n> for <n>\ndo: sparks += n",
        "verb: swap(s) <n> for <more>\ndo: sparks += more - n",
    ),
    Entry(
        "RW318",
        "not-a-scope",
        "error",
        "Invalid scope",
        "A scope is `game` (one), `player` (one for each player), an enumeration (one for each member), or a kind "
        "(one for each definition). That of a track or list may also be `KIND card` (one for each card), that of a "
        "track a list of scopes. `per` of a field is `copy` or an enumeration.",
        "zones: {nook: {scope: moths}}",
        "zones: {nook: {scope: moth}}",
    ),
    Entry(
        "RW319",
        "starts-with-players",
        "error",
        "Cards start in a zone that each player has",
        "A component needs one place to start, and there are several zones with scope `player`. Let the cards "
        "start in a zone of the game, and deal them in a set-up.",
        "kinds: {wick: {}}\n---\ncomponents: {wicks: {kind: wick, starts: hand}}",
        "kinds: {wick: {}}\n---\ncomponents: {wicks: {kind: wick, starts: row}}",
    ),
    Entry(
        "RW320",
        "never-used",
        "error",
        "A declaration is never used",
        "A phase must be listed in a round, an award in a `finish`, and a hook that waits must be awaited. "
        "Otherwise it has no effect.",
        "phase: dusk\nsteps: [{id: dim, do: shuffle deck}]",
        "phase: dusk\nsteps: [{id: dim, do: shuffle deck}]\n---\nround: day\nphases: [dusk]",
    ),
    Entry(
        "RW321",
        "not-accepted",
        "error",
        "Cards start, or have their home, in a zone that does not accept them",
        "`accepts` of a zone lists kinds. A zone without `accepts` takes cards of every kind.",
        "kinds: {wick: {}}\n---\nzones: {shelf: {accepts: [lantern]}}\n---\n"
        "components: {wicks: {kind: wick, starts: shelf}}",
        "kinds: {wick: {}}\n---\nzones: {shelf: {accepts: [lantern, wick]}}\n---\n"
        "components: {wicks: {kind: wick, starts: shelf}}",
    ),
    Entry(
        "RW322",
        "copies-and-entries",
        "error",
        "A list with one entry for each copy has the wrong length",
        "A field or effect with `per: copy` can differ from copy to copy: its list has as many entries as there "
        "are cards of that definition.",
        "kinds: {gem: {effects: {cut: {per: copy}}}}\n---\n"
        "components: {gems: {kind: gem, copies: 2, starts: deck}}\n---\n"
        "gem: opal\ncut: [shuffle deck, shuffle deck, shuffle deck]",
        "kinds: {gem: {effects: {cut: {per: copy}}}}\n---\n"
        "components: {gems: {kind: gem, copies: 2, starts: deck}}\n---\n"
        "gem: opal\ncut: [shuffle deck, do nothing]",
    ),
    Entry(
        "RW323",
        "no-such-choice",
        "error",
        "A prompt for an unknown choice",
        "The id of a choice is the place that asks, and the name of the result: `as given` in the verb `pay` "
        "makes `pay.given`. `rulewright play` shows the id with each question.",
        "verb: pay(s)\ndo: choose 1 card from hand as given\n---\nprompts: {pay.spent: Which card?}",
        "verb: pay(s)\ndo: choose 1 card from hand as given\n---\nprompts: {pay.given: Which card?}",
    ),
    Entry(
        "RW324",
        "not-settled",
        "error",
        "A value must be known before the game begins",
        "`copies`, the `when` of a definition, and the `starts` of a track are computed once, before a game "
        "begins: from numbers, options, values, and the number of players. The `where` of an option can use only "
        "the fields of its kind.",
        "kinds: {wick: {}}\n---\ncomponents: {wicks: {kind: wick, copies: count(row), starts: row}}",
        "kinds: {wick: {}}\n---\ncomponents: {wicks: {kind: wick, copies: 2 * count(all-players), starts: row}}",
    ),
    Entry(
        "RW325",
        "broken-text",
        "error",
        "A text for players has invalid braces",
        "In a name or message, a value is written in braces, `{count}`, and a plural as `{count, plural, one "
        "{coin} other {coins}}`. Close each brace, and give a plural or select the branch `other`. To show a "
        "brace, put it between apostrophes.",
        'messages: {dusk: "The night {seat begins."}',
        'messages: {dusk: "The night of {seat} begins."}',
    ),
    Entry(
        "RW326",
        "no-such-value",
        "error",
        "Unknown value in a text for players",
        "Each text can show certain values. The name of a zone, track, list, kind, or member can show `count`, and "
        "the name of a card also its fields with numbers or members of an enumeration. Messages and names of steps "
        "can show `seat` and `you`. An option can show what is chosen with it, and its `log` also `seat` and "
        "`you`. The `log` of a track can show its new `value`, or `on` for a boolean. Questions, options, "
        "messages, and names of steps can also show the names that are known where they are shown. Descriptions "
        "cannot show values.",
        'messages: {dusk: "{player} falls asleep."}\n---\nverb: doze(s)\ndo: announce dusk',
        'messages: {dusk: "{seat} falls asleep."}\n---\nverb: doze(s)\ndo: announce dusk',
    ),
    Entry(
        "RW327",
        "language-missing",
        "warning",
        "A text is missing in a language of the pack",
        "A text that is written by language needs every language of the pack. Write a text that is the same in "
        "all languages once, without a language. A pack that changes a text of another changes it in all languages "
        "that the pack has.",
        "messages: {dusk: {en: Dusk falls.}}",
        "messages: {dusk: {en: Dusk falls., es: Anochece.}}",
    ),
    Entry(
        "RW328",
        "nowhere",
        "error",
        "Cards have no zone to start in",
        "Every card is in a zone when the game begins. The `starts` of a component is the zone for all its cards; "
        "a definition may have its own `starts`.",
        "kinds: {wick: {}}\n---\ncomponents: {wicks: {kind: wick, copies: 3}}",
        "kinds: {wick: {}}\n---\ncomponents: {wicks: {kind: wick, copies: 3, starts: row}}",
    ),
    Entry(
        "RW329",
        "idle-step",
        "error",
        "A step does nothing",
        "A step needs `do`, `steps`, `options`, `compare`, or `choose`. If only house rules use it, write `do: do "
        "nothing`.",
        "setup: dawn\nsteps: [{id: wake}]",
        "setup: dawn\nsteps: [{id: wake, do: shuffle deck}]",
    ),
    Entry(
        "RW335",
        "one-of-these",
        "error",
        "A second document of which a game has one",
        "A game has one `finish`: put all awards into it. A pack has one `series`. The `winner` documents are "
        "asked in their order, so they are in one file. House rules change those of the game.",
        "finish: dawn\nreveals: [hand]\n---\nfinish: dusk\nreveals: [hand]",
        "finish: dawn\nreveals: [hand]",
    ),
    Entry(
        "RW336",
        "name-without-effect",
        "warning",
        "A component has a name that no card shows",
        "The `name` of a component is that of all its cards that have no name of their own. Here, every card has "
        "one; only `diff` uses the component's.",
        "components: {nets: {kind: net, starts: row, name: Net}}\n---\nkinds: {net: {}}\n---\n"
        "net: trawl\nname: Trawl",
        "components: {nets: {kind: net, starts: row}}\n---\nkinds: {net: {}}\n---\nnet: trawl\nname: Trawl",
    ),
    Entry(
        "RW337",
        "makes-no-cards",
        "error",
        "A component makes no cards",
        "A component makes a card for each definition of its kind. It makes none if the kind has `cards: false`, "
        "or if another component with `each` makes all definitions of the kind. A game has no cards if all its "
        "components have 0 copies.",
        "kinds: {net: {cards: false}}\n---\n"
        "components: {nets: {kind: net, starts: row}}\n---\nnet: trawl\nname: Trawl",
        "kinds: {net: {}}\n---\ncomponents: {nets: {kind: net, starts: row}}\n---\nnet: trawl\nname: Trawl",
    ),
    Entry(
        "RW370",
        "top-of-no-pile",
        "error",
        "`top-seen-by` for a zone that is not a pile",
        "`top-seen-by` says who sees the top card of a pile whose cards are hidden. A bag has no order, and in a "
        "row no card is on top of another.",
        "zones: {sack: {order: bag, seen-by: nobody, top-seen-by: all}}",
        "zones: {sack: {order: pile, seen-by: nobody, top-seen-by: all}}",
    ),
    Entry(
        "RW371",
        "seen-and-hidden",
        "error",
        "A zone is both seen and hidden",
        "A player who sees the cards of a zone also sees its top card and can count them. So `top-seen-by` and "
        "`size-seen-by` must include all players of `seen-by`. Default for `seen-by`: `all`.",
        "zones: {sack: {size-seen-by: nobody}}",
        "zones: {sack: {seen-by: nobody, size-seen-by: nobody}}",
    ),
    Entry(
        "RW372",
        "kernel-name",
        "error",
        "A name is already built in",
        "`count`, `min`, `max`, `clockwise`, `next`, and `previous` are functions, `score` is the points of each "
        "player, `move … to home` moves cards home, and cards have a `definition`. In rules these names would "
        "always mean the built-in one.",
        "function: next\ntakes: {n: number}\ngives: number\nis: n + 1",
        "function: following\ntakes: {n: number}\ngives: number\nis: n + 1",
    ),
    Entry(
        "RW380",
        "too-few-to-choose",
        "error",
        "An option chooses more definitions than there are",
        "`count` of `some-of` is the number of different definitions to choose. The kind must have at least that "
        "many, also with `where`.",
        "kinds: {wick: {}}\n---\nwick: tallow\n---\nwick: wax\n---\n"
        "options: {wicks-used: {some-of: wick, count: 3, default: none}}",
        "kinds: {wick: {}}\n---\nwick: tallow\n---\nwick: wax\n---\n"
        "options: {wicks-used: {some-of: wick, count: 2, default: none}}",
    ),
)
