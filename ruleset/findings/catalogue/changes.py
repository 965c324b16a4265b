"""RW444, RW620 to RW629, RW635, RW636, RW638 and RW639: changes of other packs' declarations.

In examples each document `pack: …` begins another pack.
"""

from __future__ import annotations

from ruleset.findings.catalogue.entry import Entry

_LATER = "change: charm/bell.play\nafter: coins += 1"
_DEAL = "change: step/start.deal\nset:\n  do: |\n    shuffle deck\n    each p in players: p draws 4"


def _pair(one: str, first: str, two: str, head: str, second: str) -> str:
    """Two packs that extend the example game; `head` is appended to the second pack's own document."""
    extends = 'extends: {lanterns: "*"}\n'
    return f"pack: {one}\n{extends}---\n{first}\n---\npack: {two}\n{extends}{head}---\n{second}"


CHANGES: tuple[Entry, ...] = (
    Entry(
        "RW444",
        "name-without-a-value",
        "error",
        "A name of the changed effect may have no value here",
        "Code after an effect can use the names that the effect gives with `as` and `let`, and so can code after "
        "`proceed`. Before the effect these names have no value yet. A name that is given in a branch (`if`, "
        "`may`, a loop) is known only in that branch: read what the effect changed instead, such as a zone or a "
        "track.",
        "change: verb/discard-card\nbefore: coins += count(given-up)",
        "change: verb/discard-card\nafter: coins += count(given-up)",
    ),
    Entry(
        "RW620",
        "nothing-to-change",
        "error",
        "What is to be changed is not there",
        "A change names one thing by its id: `KIND/NAME`, `verb/WORDS`, `step/PHASE.STEP`, `zone/NAME` and so on."
        " The packs that this one builds on declare nothing of that id, perhaps because their newer version calls"
        " it something else. `rulewright show --in GAME` lists the ids.",
        "change: charm/bel\nset: {cost: 4}",
        "change: charm/bell\nset: {cost: 4}",
    ),
    Entry(
        "RW621",
        "other-number-matches",
        "error",
        "`every … where` finds nothing, or another number of things than `matches` says",
        "`matches` says how many definitions of the packs that this one builds on are meant, so that you are told"
        " when a newer version of the game has more or fewer of them. Look at the condition, or write the new "
        "number.",
        "change: every charm where cost < 4\nmatches: 1\nset: {cost: 4}",
        "change: every charm where cost < 4\nmatches: 2\nset: {cost: 4}",
    ),
    Entry(
        "RW622",
        "no-longer-so",
        "warning",
        "The value that is changed is no longer what it was",
        "`was` says what the value was when the change was written. The game has changed it since: see whether the "
        "change is still what you want, then write the new value. What other house rules set does not count.",
        "change: charm/bell\nset: {cost: {was: 2, to: 4}}",
        "change: charm/bell\nset: {cost: {was: 3, to: 4}}",
    ),
    Entry(
        "RW623",
        "packs-change-the-same",
        "error",
        "Two packs change the same thing",
        "Two packs set one field, or one of them removes what the other changes or adds. Neither says that it "
        "comes after the other, so it is not known which holds, and neither change is made. The pack that is to "
        "have the last word says `after: [OTHER]` in its pack.yaml; the hint names the orders that were tried and "
        "work. A third pack that comes after both can settle it, too, by `set` or `remove`. Rules are compared by "
        "what they mean: blanks, comments, and brackets that change nothing are no difference.",
        'pack: dear-bells\nextends: {lanterns: "*"}\n---\nchange: charm/bell\nset: {cost: 5}\n---\n'
        'pack: cheap-bells\nextends: {lanterns: "*"}\n---\nchange: charm/bell\nset: {cost: 1}',
        'pack: dear-bells\nextends: {lanterns: "*"}\nafter: [cheap-bells]\n---\n'
        "change: charm/bell\nset: {cost: 5}\n---\n"
        'pack: cheap-bells\nextends: {lanterns: "*"}\n---\nchange: charm/bell\nset: {cost: 1}',
    ),
    Entry(
        "RW624",
        "cannot-change-so",
        "error",
        "This cannot be changed in this way",
        "Names cannot be changed, lists get members by `add`, other fields values by `set`. Only steps, phases, "
        "awards and sentences (of verbs, effects, reactions) can have something before, after or around them.",
        "change: zone/hand\nbefore: coins += 1",
        "change: verb/draw\nbefore: coins += 1",
    ),
    Entry(
        "RW625",
        "nothing-to-remove",
        "error",
        "What is to be removed is not there",
        "The thing has no such field, or the list no such member.",
        "change: charm/feather\nremove: [atack]",
        "change: charm/feather\nremove: [attack]",
    ),
    Entry(
        "RW626",
        "order-matters",
        "warning",
        "Two packs put something at one place, and their order matters",
        "Inserts before, after or around one thing, hooks at one moment, and modifiers of one value are done "
        "in the order of the packs: that of their names, unless one declares `after: [OTHER]`, or a third "
        "pack names both in their order. Here it matters which comes first: what one writes the other reads "
        "or writes, one decides whether the other happens, or the result of two modifiers differs. Say it, so "
        "that it is your decision and not that of the alphabet. There is no warning where conditions exclude "
        "each other and neither leads to that of the other, so that only one of the two happens, or where both "
        "only add to a track.",
        'pack: alms\nextends: {lanterns: "*"}\n---\nchange: verb/draw\nafter: coins += 1\n---\n'
        'pack: tolls\nextends: {lanterns: "*"}\n---\nchange: verb/draw\nafter: coins = 0',
        'pack: alms\nextends: {lanterns: "*"}\n---\nchange: verb/draw\nafter: coins += 1\n---\n'
        'pack: tolls\nextends: {lanterns: "*"}\nafter: [alms]\n---\nchange: verb/draw\nafter: coins = 0',
    ),
    Entry(
        "RW627",
        "condition-of-every",
        "error",
        "The condition of `every` cannot be decided",
        "What is changed is decided before a game begins, by what the definitions say. The condition compares "
        "fields of the kind with words and numbers: `cost < 4`, `colour is red`, `tags has old`, joined by `and`,"
        " `or`, `not`. Fields that other packs add are known if the pack comes after them.",
        "change: every charm where csot < 4\nset: {cost: 4}",
        "change: every charm where cost < 4\nset: {cost: 4}",
    ),
    Entry(
        "RW628",
        "there-already",
        "error",
        "What is to be added is there already",
        "The list has this member, or the thing this field. Another value for a field is given by `set`.",
        "change: enumeration/colour\nadd: [red]",
        "change: enumeration/colour\nadd: [violet]",
    ),
    Entry(
        "RW629",
        "proceed-once",
        "error",
        "`around` does not say once where to proceed",
        "What is put around sentences says `proceed` where these are to happen: once, perhaps under a condition."
        " What takes their place altogether is `set`.",
        "change: verb/draw\naround: coins += 1",
        "change: verb/draw\naround: |\n  coins += 1\n  if coins < 9: proceed",
    ),
    Entry(
        "RW635",
        "may-never-happen",
        "warning",
        "One pack sets whether something happens, and another puts something there",
        "A pack sets `when`, `unless` or `while` of a step, an option or a definition, sets `until` of a round, or "
        "has a hook instead of a verb; another, which does not know it, puts something inside or beside that, or "
        "sets what it does. That may now happen less often, or never. There is no warning where the new `until` "
        "only adds a condition by `and`: such a round does not end sooner. Declare `after: [OTHER]` in one of the "
        "two once both are as meant.",
        _pair("early", "change: charm/bell\nset: {when: long-night}", "late", "", _LATER),
        _pair("early", "change: charm/bell\nset: {when: long-night}", "late", "after: [early]\n", _LATER),
    ),
    Entry(
        "RW636",
        "without-effect",
        "warning",
        "A pack sets what nothing reads since another pack has changed something",
        "A value, option, track, function or field is given something new, and another pack, which does not know "
        "this one, has taken away the last that read it: the change makes no difference to the game. Or an effect, "
        "an insert or a hook only uses verbs that such a pack has emptied. Leave it out, change what is read "
        "instead, or declare `after: [OTHER]` if it is meant so.",
        _pair("rich", "change: value/hand-size\nset: {by-players.2: 7}", "plain", "", _DEAL),
        _pair("rich", "change: value/hand-size\nset: {by-players.2: 7}", "plain", "after: [rich]\n", _DEAL),
    ),
    Entry(
        "RW638",
        "pack-perhaps-misspelt",
        "warning",
        "An optional pack is not found, and another has nearly its name",
        "`after`, `conflicts` and `only-with` speak of packs that need not be there: a name that no pack has is no "
        "error, and never counts. Here a pack of nearly that name is found. The packs that are used together are "
        "looked at, and those that `rulewright packs` lists. A pack without a near name is passed over in silence.",
        "pack: night-rules\nafter: [fog-rulse]\n---\nchange: value/hand-size\nset: {by-players.2: 4}\n---\n"
        "pack: fog-rules\n---\nchange: charm/bell\nset: {cost: 4}",
        "pack: night-rules\nafter: [fog-rules]\n---\nchange: value/hand-size\nset: {by-players.2: 4}\n---\n"
        "pack: fog-rules\n---\nchange: charm/bell\nset: {cost: 4}",
    ),
    Entry(
        "RW639",
        "no-difference",
        "warning",
        "A change makes no difference to the game",
        "What a change sets is so already, or is what the kind has as default; the same pack sets or removes the "
        "whole of it later; nothing reads it; or what it puts there does nothing: it stands under a condition that "
        "cannot hold, adds 0, assigns a thing to itself, says `do nothing` or only `proceed`. Hooks and modifiers "
        "are looked at, too. Compared is with the game and the packs that this one extends or requires: what "
        "others do is no mistake of yours, and `every` is reported only if it makes no difference anywhere. A step "
        "that says `do: do nothing` is a place for others, and no mistake, either.",
        "change: charm/bell\nset: {cost: 3}",
        "change: charm/bell\nset: {cost: 4}",
    ),
)
