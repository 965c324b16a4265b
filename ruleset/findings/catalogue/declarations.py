"""RW3xx: names and declarations."""

from __future__ import annotations

from ruleset.findings.catalogue.entry import Entry

DECLARE: tuple[Entry, ...] = (
    Entry(
        "RW126",
        "misspelt-declaration",
        "error",
        "Something is declared under one name and used under another",
        "A name is declared and never used, and one much like it is used and never declared. With the name that is "
        "used, the declaration would fit, so it is reported instead of each use.",
        "lists: {bouys: {of: player}}\n---\nverb: lite(s)\ndo: add you to buoys\n---\n"
        "verb: snuff(s)\ndo: remove you from buoys",
        "lists: {buoys: {of: player}}\n---\nverb: lite(s)\ndo: add you to buoys\n---\n"
        "verb: snuff(s)\ndo: remove you from buoys",
    ),
    Entry(
        "RW301",
        "bad-name",
        "error",
        "This is not a name",
        "Names are small letters, digits and single hyphens, and begin with a letter. They are what rules "
        "say; what players read is `name` and `text`, and may be anything.",
        "zones: {Big_Pile: {}}",
        "zones: {big-pile: {}}",
    ),
    Entry(
        "RW302",
        "reserved-name",
        "error",
        "A name is a word of the language itself",
        "Words such as `you`, `none`, `total` and `lowest` mean the same in every pack. Nothing else can have such "
        "a name: no zone or field, and no value that an effect names with `let` or `as`.",
        "zones: {players: {}}",
        "zones: {shed: {}}",
    ),
    Entry(
        "RW303",
        "declared-twice",
        "error",
        "Two things have the same name",
        "Zones, tracks, values, definitions and members of enumerations share their names, because "
        "a rule says only the name. The other place is shown.",
        "tracks: {glow: {scope: player}}\n---\nlists: {glow: {of: player}}",
        "tracks: {glow: {scope: player}}\n---\nlists: {glowing: {of: player}}",
    ),
    Entry(
        "RW304",
        "unknown-type",
        "error",
        "A type is not known",
        "Types are `number`, `boolean`, `player`, `card`, `zone`, the enumerations and kinds of the pack, "
        "`KIND card` for a card of a kind, a range such as `0 to 4`, and `list of` one of these.",
        "tracks: {brightness: {of: numbr}}",
        "tracks: {brightness: {of: number}}",
    ),
    Entry(
        "RW305",
        "players-range",
        "error",
        "The numbers of players are no range",
        "A game has 1 to 12 players. The least number stands first.",
        "pack: sample\nplayers: 4 to 2",
        "pack: sample\nplayers: 2 to 4",
    ),
    Entry(
        "RW306",
        "option-default",
        "error",
        "The default of an option is none of its choices",
        "What holds when nobody chooses must be one of the names in `one-of`, or lie within the bounds of "
        "`number`.",
        "options: {ending: {one-of: [early, late], default: never}}",
        "options: {ending: {one-of: [early, late], default: late}}",
    ),
    Entry(
        "RW307",
        "value-gap",
        "error",
        "A value is missing for some number of players",
        "A value with `by-players` must say what holds for each number of players that the pack allows. "
        "`default` stands for those that are not listed.",
        "values: {wages: {by-players: {2: 5}}}",
        "values: {wages: {by-players: {2: 5, default: 4}}}",
    ),
    Entry(
        "RW308",
        "no-owner",
        "error",
        "A zone or track without owner cannot be seen by its owner",
        "Only zones of scope `player`, and tracks with `player` in their scope, have owners. A zone of the game is "
        "seen by all or by nobody.",
        "zones: {shed: {seen-by: owner}}",
        "zones: {shed: {scope: player, seen-by: owner}}",
    ),
    Entry(
        "RW309",
        "unknown-reference",
        "error",
        "Something that is named here is not declared",
        "Declarations name kinds, zones, phases and awards, and no document of the pack declares this one.",
        "zones: {shed: {accepts: [lanten]}}",
        "zones: {shed: {accepts: [lantern]}}",
    ),
    Entry(
        "RW310",
        "unknown-kind",
        "error",
        "A document begins with a key that is no kind",
        "The first key of a document says what it defines: one of the kernel's documents (`verb`, `phase`, "
        "`zones`, …) or one of the kinds that the pack declares in `kinds`.",
        "lanten: dim\ncolour: red\noil: 1",
        "lantern: dim\ncolour: red\noil: 1",
    ),
    Entry(
        "RW311",
        "unknown-field",
        "error",
        "A kind has no such field",
        "`each` of a component runs over fields of its kind, a definition gives values to them, and a modifier may "
        "change one. The kind declares no field of this name.",
        "components: {spares: {kind: lantern, each: {fuel: [1, 2]}, starts: row}}",
        "components: {spares: {kind: lantern, each: {oil: [1, 2]}, starts: row}}",
    ),
    Entry(
        "RW312",
        "verb-begins-with-hole",
        "error",
        "The sentence of a verb begins with a hole",
        "A sentence is found by its first word, so it begins with one. Who does it is never part of the "
        "sentence: it stands before it, as in `p draws 2`.",
        "verb: <n> spark(s) fade\ndo: sparks -= n",
        "verb: fade(s) <n> spark(s)\ndo: sparks -= n",
    ),
    Entry(
        "RW313",
        "step-twice",
        "error",
        "Two steps have the same `id`",
        "House rules and hooks name a step by its id, so it must be the only one among its neighbours.",
        "setup: start\nsteps:\n  - {id: first, do: shuffle deck}\n  - {id: first, do: shuffle discard}",
        "setup: start\nsteps:\n  - {id: first, do: shuffle deck}\n  - {id: second, do: shuffle discard}",
    ),
    Entry(
        "RW314",
        "verbs-clash",
        "error",
        "A sentence could be two verbs",
        "Sentences of the kernel and of the pack are one set. When some sentence would fit two of them, "
        "nobody could tell what it does; the newer one needs other words.",
        "verb: draw(s) <many>\ndo: sparks += many",
        "verb: gather(s) <many>\ndo: sparks += many",
    ),
    Entry(
        "RW315",
        "field-value",
        "error",
        "A field has a value that its type does not know",
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
        "A hook hangs on nothing",
        "`before`, `after` and `instead-of` name a verb, by the words of its sentence with hyphens, or a "
        "step, by its phase and its id. There is no such verb or step.",
        "hook: glow\nafter: verb/drawn\ndo: sparks += 1",
        "hook: glow\nafter: verb/draw\ndo: sparks += 1",
    ),
    Entry(
        "RW317",
        "hole-name",
        "error",
        "A hole of a sentence needs another name",
        "The effect of a verb uses the holes by their names: each has one of its own, and none is a word "
        "of the language.",
        "verb: swap(s) <n> for <n>\ndo: sparks += n",
        "verb: swap(s) <n> for <more>\ndo: sparks += more - n",
    ),
    Entry(
        "RW318",
        "not-a-scope",
        "error",
        "This cannot be a scope",
        "There is one of a thing in the game (`game`), for each player (`player`), or for each definition "
        "of a kind. Tracks may also have one for each member of an enumeration, and combinations.",
        "zones: {nook: {scope: moths}}",
        "zones: {nook: {scope: moth}}",
    ),
    Entry(
        "RW319",
        "starts-with-players",
        "error",
        "Cards start in a zone that each player has",
        "A component starts in one place, and a zone of scope `player` is several. Let the cards start in "
        "a zone of the game, and deal them in a set-up.",
        "kinds: {wick: {}}\n---\ncomponents: {wicks: {kind: wick, starts: hand}}",
        "kinds: {wick: {}}\n---\ncomponents: {wicks: {kind: wick, starts: row}}",
    ),
    Entry(
        "RW320",
        "never-used",
        "error",
        "Nothing uses what is declared here",
        "A phase is played where a round lists it, an award is given where a `finish` lists it, and a hook that "
        "waits happens to who awaits it. What is listed or awaited nowhere does nothing, which is hardly what was "
        "meant.",
        "phase: dusk\nsteps: [{id: dim, do: shuffle deck}]",
        "phase: dusk\nsteps: [{id: dim, do: shuffle deck}]\n---\nround: day\nphases: [dusk]",
    ),
    Entry(
        "RW321",
        "not-accepted",
        "error",
        "Cards start in a zone that does not accept them, or have their home there",
        "What a zone accepts is a list of kinds. A zone without `accepts` takes cards of every kind.",
        "kinds: {wick: {}}\n---\nzones: {shelf: {accepts: [lantern]}}\n---\n"
        "components: {wicks: {kind: wick, starts: shelf}}",
        "kinds: {wick: {}}\n---\nzones: {shelf: {accepts: [lantern, wick]}}\n---\n"
        "components: {wicks: {kind: wick, starts: shelf}}",
    ),
    Entry(
        "RW322",
        "copies-and-entries",
        "error",
        "A list with one entry for each copy has more or fewer entries than there are copies",
        "A field or effect of a kind with `per: copy` differs from copy to copy: its list has as many entries as "
        "there are cards of that definition.",
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
        "A prompt names a choice that nothing asks",
        "The id of a choice is where it is asked and the name that is given to its result: `as given` in the verb "
        "`pay` makes `pay.given`. The terminal shows the id with each question.",
        "verb: pay(s)\ndo: choose 1 card from hand as given\n---\nprompts: {pay.spent: Which card?}",
        "verb: pay(s)\ndo: choose 1 card from hand as given\n---\nprompts: {pay.given: Which card?}",
    ),
    Entry(
        "RW324",
        "not-settled",
        "error",
        "What has to be known before a game begins depends on what happens in the game",
        "`copies`, the `when` of a definition and the `starts` of a track are worked out once, before a game "
        "begins: from numbers, options, values and the number of players. The `where` of an option knows only "
        "the fields of its kind.",
        "kinds: {wick: {}}\n---\ncomponents: {wicks: {kind: wick, copies: count(row), starts: row}}",
        "kinds: {wick: {}}\n---\ncomponents: {wicks: {kind: wick, copies: 2 * count(all-players), starts: row}}",
    ),
    Entry(
        "RW325",
        "broken-text",
        "error",
        "A text for players has braces that cannot be read",
        "In a name or message a value stands in braces, `{count}`, and a plural is written "
        "`{count, plural, one {coin} other {coins}}`. Each brace that opens is closed, and a plural or select has "
        "the branch `other`. A brace that is meant as such stands between apostrophes.",
        'messages: {dusk: "The night {seat begins."}',
        'messages: {dusk: "The night of {seat} begins."}',
    ),
    Entry(
        "RW326",
        "no-such-value",
        "error",
        "A text for players uses a value that is not known there",
        "The name of a zone, track, list, kind or member knows `count`; that of a card also its fields with one "
        "number or one member of an enumeration; messages and steps know `seat` and `you`, options what is chosen "
        "with them, and their `log` all of these. The `log` of a track knows its new `value`, or `on` if it is a "
        "boolean. Prompts, headings and descriptions are shown as they are written.",
        'messages: {dusk: "{player} falls asleep."}',
        'messages: {dusk: "{seat} falls asleep."}',
    ),
    Entry(
        "RW327",
        "language-missing",
        "warning",
        "A text is missing in a language of the pack",
        "A pack says which languages it speaks. A text that is given by language is given in each; one that "
        "is the same in all is written once, without a language.",
        "messages: {dusk: {en: Dusk falls.}}",
        "messages: {dusk: {en: Dusk falls., es: Anochece.}}",
    ),
    Entry(
        "RW328",
        "nowhere",
        "error",
        "Cards start nowhere",
        "Every card is in a zone when the game begins. A component names the zone for all its cards with `starts`; "
        "a definition may name another for its own.",
        "kinds: {wick: {}}\n---\ncomponents: {wicks: {kind: wick, copies: 3}}",
        "kinds: {wick: {}}\n---\ncomponents: {wicks: {kind: wick, copies: 3, starts: row}}",
    ),
    Entry(
        "RW329",
        "idle-step",
        "error",
        "A step does nothing",
        "A step says what happens: `do`, `steps`, `options`, `compare` or `choose`. If only house rules "
        "do something there, write `do: do nothing`.",
        "setup: dawn\nsteps: [{id: wake}]",
        "setup: dawn\nsteps: [{id: wake, do: shuffle deck}]",
    ),
    Entry(
        "RW335",
        "one-of-these",
        "error",
        "A game has two of something that it can have only once",
        "A game ends once: it has one `finish` and one `winner`. Put all awards into one `finish`. House rules "
        "change those of the game.",
        "winner: best\namong: players\norder: [most score]\n---\n"
        "winner: worst\namong: players\norder: [most sparks]",
        "winner: best\namong: players\norder: [most score, most sparks]",
    ),
    Entry(
        "RW336",
        "name-without-effect",
        "warning",
        "A component has a name that no card shows",
        "The `name` of a component is for cards that the component makes itself. Cards that are documents have "
        "names of their own; only `diff` uses the component's, for their number.",
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
        "or if another component with `each` makes all definitions of the kind.",
        "kinds: {net: {cards: false}}\n---\n"
        "components: {nets: {kind: net, starts: row}}\n---\nnet: trawl\nname: Trawl",
        "kinds: {net: {}}\n---\ncomponents: {nets: {kind: net, starts: row}}\n---\nnet: trawl\nname: Trawl",
    ),
    Entry(
        "RW370",
        "top-of-no-pile",
        "error",
        "Only a pile has a top that others see",
        "`top-seen-by` says who sees the card on top of a pile whose cards are hidden. A bag has no order, and no "
        "card of a row lies on another.",
        "zones: {sack: {order: bag, seen-by: nobody, top-seen-by: all}}",
        "zones: {sack: {order: pile, seen-by: nobody, top-seen-by: all}}",
    ),
    Entry(
        "RW371",
        "seen-and-hidden",
        "error",
        "What is seen cannot be hidden",
        "Who sees the cards of a zone sees which is on top, and can count them. So `top-seen-by` and "
        "`size-seen-by` name as many players as `seen-by`, or more. Without `seen-by`, all see the cards.",
        "zones: {sack: {size-seen-by: nobody}}",
        "zones: {sack: {seen-by: nobody, size-seen-by: nobody}}",
    ),
    Entry(
        "RW372",
        "kernel-name",
        "error",
        "A name is that of something of the kernel, which would be meant instead",
        "`count`, `min`, `max`, `clockwise`, `next` and `previous` are functions, `score` is the points of each "
        "player, `move … to home` sends cards home, and cards have a `definition`. Where such a name is used, a "
        "pack's own thing of that name would never be meant.",
        "function: next\ntakes: {n: number}\ngives: number\nis: n + 1",
        "function: following\ntakes: {n: number}\ngives: number\nis: n + 1",
    ),
    Entry(
        "RW380",
        "too-few-to-choose",
        "error",
        "An option chooses more definitions than there are",
        "`count` of `some-of` says how many different definitions are chosen. There must be as many of the kind, "
        "and as many for which `where` holds.",
        "kinds: {wick: {}}\n---\nwick: tallow\n---\nwick: wax\n---\n"
        "options: {wicks-used: {some-of: wick, count: 3, default: none}}",
        "kinds: {wick: {}}\n---\nwick: tallow\n---\nwick: wax\n---\n"
        "options: {wicks-used: {some-of: wick, count: 2, default: none}}",
    ),
)
