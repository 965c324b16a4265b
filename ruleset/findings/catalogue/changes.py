"""RW444, RW620 to RW629, RW635, RW636, RW638 and RW639: changes of other packs' declarations.

In examples each document `pack: …` begins another pack.
"""

from __future__ import annotations

from rulewright.ruleset.findings.catalogue.entry import Entry

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
        "Sentences after an effect can use the names that it gives with `as` and `let`, and so can the text after "
        "`proceed`. Before the effect, these names have no value. A name that is given in a branch (`if`, `may`, "
        "a loop) is known only in that branch: use what the effect changed instead, such as a zone or a track.",
        "change: verb/discard-card\nbefore: coins += count(given-up)",
        "change: verb/discard-card\nafter: coins += count(given-up)",
    ),
    Entry(
        "RW620",
        "nothing-to-change",
        "error",
        "The target of a change does not exist",
        "A change names its target by id: `KIND/NAME`, `verb/WORDS`, `step/PHASE.STEP`, `zone/NAME`, and so on. "
        "The packs that this one builds on have no such id, perhaps because a newer version renamed it. "
        "`rulewright show --in GAME` lists the ids.",
        "change: charm/bel\nset: {cost: 4}",
        "change: charm/bell\nset: {cost: 4}",
    ),
    Entry(
        "RW621",
        "other-number-matches",
        "error",
        "`every … where` matches nothing, or not the expected number",
        "`matches` is the expected number of definitions in the packs that this one builds on, so that you notice "
        "when a newer version of the game has more or fewer. Check the condition, or write the new number.",
        "change: every charm where cost < 4\nmatches: 1\nset: {cost: 4}",
        "change: every charm where cost < 4\nmatches: 2\nset: {cost: 4}",
    ),
    Entry(
        "RW622",
        "no-longer-so",
        "warning",
        "The changed value is no longer what it was",
        "`was` is the value when the change was written. The game has changed it since: check that the change is "
        "still what you want, then write the new value. Changes by other house rules do not count.",
        "change: charm/bell\nset: {cost: {was: 2, to: 4}}",
        "change: charm/bell\nset: {cost: {was: 3, to: 4}}",
    ),
    Entry(
        "RW623",
        "packs-change-the-same",
        "error",
        "Two packs change the same thing",
        "Two packs set one field, or one removes what the other changes or adds. Neither comes after the other, "
        "so the result is undefined, and neither change is applied. Add `after: [OTHER]` to the pack.yaml of the "
        "pack whose change should count; the hint names the orders that were tried and work. A third pack that "
        "comes after both can also decide, with `set`, `add`, or `remove`. Rules are compared by meaning: spaces, "
        "comments, and redundant brackets make no difference.",
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
        "Names cannot be changed, lists get members with `add`, and other fields values with `set`. Only steps, "
        "phases, awards, and sentences (of verbs, effects, reactions) can have inserts before, after, or around "
        "them; functions and expressions can have expressions around them.",
        "change: zone/hand\nbefore: coins += 1",
        "change: verb/draw\nbefore: coins += 1",
    ),
    Entry(
        "RW625",
        "nothing-to-remove",
        "error",
        "Nothing to remove",
        "The target has no such field, or the list no such member.",
        "change: charm/feather\nremove: [atack]",
        "change: charm/feather\nremove: [attack]",
    ),
    Entry(
        "RW626",
        "order-matters",
        "warning",
        "Two packs insert something at one place, and their order matters",
        "Inserts at one place, hooks at one moment, and modifiers of one value are applied in the order of the "
        "packs. This order is alphabetical, unless one pack declares `after: [OTHER]`, or a third pack names both "
        "in order. Here the order matters: one writes what the other reads or writes, one decides whether the "
        "other happens, or two modifiers give different results. Declare the order, so that it is your decision. "
        "There is no warning if both only add to a track, or if their conditions exclude each other and neither "
        "causes the condition of the other.",
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
        "The targets are determined before a game begins, from the definitions. The condition compares fields of "
        "the kind with words and numbers: `cost < 4`, `colour is red`, `tags has old`, joined by `and`, `or`, and "
        "`not`. Fields that other packs add are known if the pack comes after them.",
        "change: every charm where csot < 4\nset: {cost: 4}",
        "change: every charm where cost < 4\nset: {cost: 4}",
    ),
    Entry(
        "RW628",
        "there-already",
        "error",
        "The added member or field already exists",
        "The list already has this member, or the target this field. To give a field another value, use `set`.",
        "change: enumeration/colour\nadd: [red]",
        "change: enumeration/colour\nadd: [violet]",
    ),
    Entry(
        "RW629",
        "proceed-once",
        "error",
        "`around` needs `proceed`",
        "`proceed` is the place of the old sentences or of the old expression. Sentences in `around` contain it "
        "exactly once, perhaps under a condition; an expression contains it at least once. To replace the old "
        "ones, use `set`.",
        "change: verb/draw\naround: coins += 1",
        "change: verb/draw\naround: |\n  coins += 1\n  if coins < 9: proceed",
    ),
    Entry(
        "RW635",
        "may-never-happen",
        "warning",
        "One pack sets a condition, and another inserts something under it",
        "A pack sets `when`, `unless`, or `while` of a step, an option, or a definition, sets `until` of a round, "
        "or has a hook instead of a verb or step. Another pack, which does not know the first, inserts something "
        "inside or beside that, or sets its effect. The insert may now happen less often, or never. The same is "
        "true of a hook after a verb or step if another pack's hook there always ends the step, turn, or game "
        "before. There is no warning "
        "if the new `until` only adds a condition with `and`, because such a round does not end sooner. Once both "
        "are as intended, declare `after: [OTHER]` in one of the two.",
        _pair("early", "change: charm/bell\nset: {when: long-night}", "late", "", _LATER),
        _pair("early", "change: charm/bell\nset: {when: long-night}", "late", "after: [early]\n", _LATER),
    ),
    Entry(
        "RW636",
        "without-effect",
        "warning",
        "A pack sets something that nothing reads, because of another pack",
        "A pack changes a value, option, track, function, verb, or field, or has a hook at a verb, and another "
        "pack, which does not know the first, removes its last use: the change has no effect. Uses in verbs, "
        "functions, and derived fields that nothing uses do not count. Or an effect, an insert, or a hook uses "
        "only verbs that such a pack has emptied. Remove it, change what is read instead, or declare "
        "`after: [OTHER]` if this is intended.",
        _pair("rich", "change: value/hand-size\nset: {by-players.2: 7}", "plain", "", _DEAL),
        _pair("rich", "change: value/hand-size\nset: {by-players.2: 7}", "plain", "after: [rich]\n", _DEAL),
    ),
    Entry(
        "RW638",
        "pack-perhaps-misspelt",
        "warning",
        "An optional pack was not found, but one with a similar name",
        "`after`, `conflicts`, and `only-with` refer to packs that may be absent: an unknown name is not an error "
        "and has no effect. Here a pack with a similar name exists, among the packs used together or those that "
        "`rulewright packs` lists. A name without a similar one is not reported.",
        "pack: night-rules\nafter: [fog-rulse]\n---\nchange: value/hand-size\nset: {by-players.2: 4}\n---\n"
        "pack: fog-rules\n---\nchange: charm/bell\nset: {cost: 4}",
        "pack: night-rules\nafter: [fog-rules]\n---\nchange: value/hand-size\nset: {by-players.2: 4}\n---\n"
        "pack: fog-rules\n---\nchange: charm/bell\nset: {cost: 4}",
    ),
    Entry(
        "RW639",
        "no-difference",
        "warning",
        "A change has no effect",
        "The change sets the current value, or the default of the kind; the same pack later sets or removes all "
        "of the target; nothing reads it; or the insert has no effect: its condition cannot hold, it adds 0, "
        "assigns a thing to itself, or says only `do nothing` or `proceed`. Hooks and modifiers are checked, too. "
        "The comparison is with the game and the packs that this one extends or requires, not with other packs, "
        "and `every` is reported only if it has no effect anywhere. A step with `do: do nothing` is a place for "
        "other packs, and not reported.",
        "change: charm/bell\nset: {cost: 3}",
        "change: charm/bell\nset: {cost: 4}",
    ),
)
