"""Packs that grow in one dimension: functions from a size to the text of a pack.

A size is the number of documents, cards, or levels named by the function. A pack of size `2n` has twice as many,
and its table program is at most twice as large.
"""

from __future__ import annotations

HEAD = """pack: growing
version: 1.0.0
players: 2
kinds:
  thing: {fields: {size: {type: 0 to 9, default: 1}}, effects: {use: {optional: true}}}
components:
  things: {kind: thing, copies: 3, starts: store, home: store}
zones:
  store: {order: pile, accepts: [thing], seen-by: nobody}
  bag: {scope: player, accepts: [thing], seen-by: owner}
tracks:
  points: {scope: player}
  marks: number
"""
ON_TOP = "pack: on-top-@\nversion: 1.0.0\nextends: {growing: '*'}"

TAIL = """
---
finish: last
awards: [points]
---
award: points
sum: points
---
winner: first
among: players
order: [most score]
"""


def _pack(more: str = "", *, act: str = "points += 1", options: str = "", steps: str = "", head: str = HEAD) -> str:
    """Return a pack with one round, in which a player chooses between `act` and others after further steps."""
    return (
        f"{head}---\nsetup: start\nsteps:\n  - {{id: mix, do: shuffle store}}\n---\nround: turn\n"
        f"turns-from: first of players\nuntil: points > 9\nsteps:\n{steps}  - id: act\n    options:\n"
        f"      go: |\n{_indented(act)}\n      pass: points += 2\n{options}{more}{TAIL}"
    )


def _indented(text: str) -> str:
    return "\n".join("        " + line for line in text.split("\n"))


def _each(n: int, text: str, between: str = "") -> str:
    """Repeat `text` for each number: `@` is the number, `$` the verb of that number, `#` the verb of the next."""
    return between.join(_numbered(text, number) for number in range(n))


def _numbered(text: str, number: int) -> str:
    return text.replace("@", str(number)).replace("$", _verb(number)).replace("#", _verb(number + 1))


def _verb(number: int) -> str:
    """Return a word without digits, for the sentence of a verb."""
    letters = ""
    while number or not letters:
        number, letter = divmod(number, 26)
        letters += "abcdefghijklmnopqrstuvwxyz"[letter]
    return f"act-{letters}-now"


def _deep(n: int, line: str, last: str) -> str:
    """Nest a line `n` times around the last one."""
    return "\n".join(["  " * number + line.replace("@", str(number)) for number in range(n)] + ["  " * n + last])


# ------------------------------------------------------------------ much of something

def definitions(n: int) -> str:
    return _pack(
        _each(n, "\n---\nthing: thing-@\nsize: 3\nuse: points += @"),
        act="choose 1 card from bag as chosen\nperform chosen's use",
    )


def valued_definitions(n: int) -> str:
    """Definitions that each have an expression of their own, which is read for a card that is known during play."""
    expressions = "expressions: {worth: {type: number, default: 0}}, effects"
    return _pack(
        _each(n, "\n---\nthing: thing-@\nworth: marks + @"),
        head=HEAD.replace("effects", expressions),
        act="choose 1 card from bag as chosen\npoints += chosen's worth",
    )


def readings(n: int) -> str:
    """Use sentences with several readings, all of which are tried, in effects with many names in scope."""
    does = "\nuse: |\n  choose up to 1 card from bag as gone\n  move gone to store"
    return _pack(_each(n, "\n---\nthing: thing-@" + does))


def cards(n: int) -> str:
    return _pack(head=HEAD.replace("copies: 3", f"copies: {n}"), act="move top 3 of store to bag")


def choice_among(n: int) -> str:
    """A decision with as many options as there are cards."""
    head = HEAD.replace("copies: 3", f"copies: {n}").replace("seen-by: nobody", "seen-by: all")
    return _pack(head=head, act="choose any number of cards from store as chosen\nmove chosen to bag\npoints += 5")


def zones(n: int) -> str:
    more = "\n---\nzones:\n" + _each(n, "  place-@: {accepts: [thing]}\n")
    return _pack(more + _verbs(n, "move top of store to place-@"))


def kinds(n: int) -> str:
    return _pack(
        "\n---\nkinds:\n" + _each(n, "  sort-@: {fields: {weight: 0 to 9}}\n")
        + "---\ncomponents:\n" + _each(n, "  sort-@s: {kind: sort-@, copies: 1, starts: place-@, home: place-@}\n")
        + "---\nzones:\n" + _each(n, "  place-@: {accepts: [sort-@]}\n")
        + _each(n, "\n---\nsort-@: one-@\nweight: 3")
        + _verbs(n, "points += total weight over place-@")
    )  # fmt: skip


def tracks(n: int) -> str:
    more = "\n---\ntracks:\n" + _each(n, "  track-@: {scope: player, at-most: 9}\n")
    return _pack(more + _verbs(n, "track-@ = track-@ + 1"))


def lists(n: int) -> str:
    return _pack("\n---\nlists:\n" + _each(n, "  list-@: {of: player}\n") + _verbs(n, "add you to list-@"))


def values(n: int) -> str:
    more = "\n---\nvalues:\n" + _each(n, "  value-@: {by-players: {2: 3, default: 4}}\n")
    return _pack(more + _verbs(n, "points += value-@"))


def options(n: int) -> str:
    more = "\n---\noptions:\n" + _each(n, "  option-@: {default: true}\n")
    return _pack(more + _verbs(n, "if option-@: points += 1"))


def members(n: int) -> str:
    more = (
        "\n---\nenumerations:\n  colour: ["
        + _each(n, "colour-@", ", ")
        + "]\n---\ntracks:\n  light: {scope: colour}"
    )
    return _pack(more + _verbs(n, "light[colour-@] += 1"))


def _verbs(n: int, does: str) -> str:
    """Return verbs, and a round with a step for each."""
    called = "\n---\nphase: all\nsteps:\n" + _each(n, "  - {id: step-@, do: $}\n")
    round_ = "---\nround: more\nturns-from: first of players\nuntil: marks > 3\nphases: [all]"
    return _each(n, f"\n---\nverb: $\ndo: |\n  {does}\n  marks += 1") + called + round_


def verbs(n: int) -> str:
    return _pack(_verbs(n, "points += @"))


def asking_verbs(n: int) -> str:
    return _pack(_verbs(n, "choose 1 card from store as found"))


def verbs_in_a_chain(n: int) -> str:
    chain = _each(n, "\n---\nverb: $\ndo: |\n  choose 1 card from store as found\n  #")
    return _pack(_numbered(f"{chain}\n---\nverb: $\ndo: points += 1", n), act=_verb(0))


def plain_verbs_in_a_chain(n: int) -> str:
    chain = _each(n, "\n---\nverb: $\ndo: |\n  if marks > @: stop\n  #")
    return _pack(_numbered(f"{chain}\n---\nverb: $\ndo: points += 1", n), act=_verb(0))


def functions_in_a_chain(n: int) -> str:
    chain = "\n---\nfunction: worth-@\ngives: number\nis: worth-# + 1"
    texts = [chain.replace("@", str(one)).replace("#", str(one + 1)) for one in range(n)]
    return _pack(
        "".join(texts) + f"\n---\nfunction: worth-{n}\ngives: number\nis: count(store)", act="points += worth-0"
    )


def functions(n: int) -> str:
    functions_ = "\n---\nfunction: worth-@\ntakes: {who: player}\ngives: number\nis: who's points + @"
    return _pack(_each(n, functions_) + _verbs(n, "points += worth-@(you)"))


def functions_in_functions(n: int) -> str:
    """Each calls the previous one twice: inlined calls would give `2**n` copies of the first."""
    more = "\n---\nfunction: worth-0\ngives: number\nis: count(store)"
    more += "".join(
        f"\n---\nfunction: worth-{one}\ngives: number\nis: worth-{one - 1} + worth-{one - 1}" for one in range(1, n)
    )
    return _pack(more, act=f"points += worth-{n - 1}")


def verbs_in_verbs(n: int) -> str:
    """Each calls the next one twice."""
    more = _each(n, "\n---\nverb: $\ndo: |\n  #\n  #")
    return _pack(_numbered(f"{more}\n---\nverb: $\ndo: points += 1", n), act=_verb(0))


def cases(n: int) -> str:
    more = "\n---\nfunction: worth\ngives: number\ncases:\n"
    return _pack(more + _each(n, "  - {when: marks is @, is: @}\n") + "  - {is: 0}", act="points += worth")


def steps(n: int) -> str:
    return _pack(steps=_each(n, "  - {id: step-@, do: points += 1}\n"))


def asking_steps(n: int) -> str:
    return _pack(steps=_each(n, "  - {id: step-@, do: choose 1 card from store as found}\n"))


def steps_with_conditions(n: int) -> str:
    return _pack(steps=_each(n, "  - {id: step-@, when: points > @, do: choose 1 card from store as found}\n"))


def phases(n: int) -> str:
    more = _each(n, "\n---\nphase: phase-@\nsteps: [{id: step, do: marks += 1}]")
    return _pack(more + f"\n---\nround: more\nuntil: marks > 3\nphases: [{_each(n, 'phase-@', ', ')}]")


def sentences(n: int) -> str:
    return _pack(act=_each(n, "points += @", "\n"))


def choices(n: int) -> str:
    return _pack(act=_each(n, "choose 1 card from store as found-@", "\n"))


def conditions(n: int) -> str:
    return _pack(act=_each(n, "if marks > @: choose 1 card from store as found-@", "\n"))


def names(n: int) -> str:
    return _pack(act=_each(n, "let name-@ = marks + @", "\n") + "\n" + _each(n, "points += name-@", "\n"))


def menu(n: int) -> str:
    return _pack(options=_each(n, "      option-@: {when: marks > @, do: points += @}\n"))


def hooks(n: int) -> str:
    return _pack(_each(n, "\n---\nhook: hook-@\nafter: step/turn.act\ndo: points += @"))


def modifiers(n: int) -> str:
    more = "\n---\nfunction: worth\ngives: number\nis: 3"
    more += _each(n, "\n---\nmodifier: modifier-@\nchanges: worth\nis: result + times")
    return _pack(more + _verbs(n, "start modifier-@ until the turn ends"), act="points += worth")


def windows(n: int) -> str:
    more = "\n---\nwindow: window-@\nasks: others\noptions:\n  stop: cancel window-@"
    return _pack(_each(n, more) + _verbs(n, "open window-@ as stopped"))


def awards(n: int) -> str:
    text = _pack(_each(n, "\n---\naward: award-@\nsum: points + @"))
    return text.replace("awards: [points]", f"awards: [points, {_each(n, 'award-@', ', ')}]")


def prompts(n: int) -> str:
    more = "\n---\nprompts:\n" + _each(n, "  $.found: Which one of these?\n")
    return _pack(more + _verbs(n, "choose 1 card from store as found"))


def messages(n: int) -> str:
    return _pack("\n---\nmessages:\n" + _each(n, "  said-@: Here is @.\n") + _verbs(n, "announce said-@"))


def bots(n: int) -> str:
    more = "\n---\nbot: first\nanswers:\n" + _each(
        n, "  - {choice: turn.act.choice, when: points > @, prefer: [go]}\n"
    )
    return _pack(more)


def scenarios(n: int) -> str:
    return _pack(
        _each(n, "\n---\nscenario: Number @\nplayers: [ann, ben]\nwhen:\n  - ann: {choice: go}\n"
                 "then:\n  - ann's points is 1")
    )  # fmt: skip


def facts(n: int) -> str:
    more = "\n---\nscenario: One\nplayers: [ann, ben]\nwhen:\n  - ann: {choice: go}\nthen:\n"
    return _pack(more + _each(n, "  - ann's points < @ + 3\n"))


def changes(n: int) -> tuple[str, ...]:
    """A pack with many changes."""
    change = "\n---\nchange: thing/thing-@\nset: {size: 4}\n---\nchange: thing/thing-@.use\nafter: points += 1"
    return definitions(n), ON_TOP.replace("@", "0") + _each(n, change)


def packs(n: int) -> tuple[str, ...]:
    """Many packs with changes."""
    change = "\n---\nchange: thing/thing-@\nset: {use: points += 7777}"
    change += "\n---\ntracks: {track-@: number}"
    return definitions(n), *(_numbered(ON_TOP + change, number) for number in range(n))


# ------------------------------------------------------------------ long and deep

def text(n: int) -> str:
    return _pack(f"\n---\nmessages:\n  said: {'x' * n}", act="announce said")


def text_with_arguments(n: int) -> str:
    return _pack(f'\n---\nmessages:\n  said: "{"{seat} and " * n}"', act="announce said")


def quoted_text(n: int) -> str:
    return _pack(f'\n---\nmessages:\n  said: "{"thats " * n}"', act="announce said")


def tabs(n: int) -> str:
    return _pack("\n---\nmessages:\n" + _each(n, '  said-@: "a\tb"\n') + _verbs(n, "announce said-@"))


def blank_lines(n: int) -> str:
    return _pack("\n" * n + "# nothing\n" * n)


def long_names(n: int) -> str:
    one, other = "a" * n, "b" * n
    return _pack(f"\n---\nvalues:\n  {one}b: 3", act=f"points += {one}{other[:1]}")


def loops(n: int) -> str:
    return _pack(act=_deep(n, "each p-@ in players:", "points += 1"))


def asking_loops(n: int) -> str:
    return _pack(act=_deep(n, "each p-@ in players:", "choose 1 card from store as found"))


def repeats(n: int) -> str:
    return _pack(act=_deep(n, "repeat while marks > @:", "marks += 1"))


def ifs(n: int) -> str:
    return _pack(act=_deep(n, "if marks > @:", "marks += 1"))


def asking_ifs(n: int) -> str:
    return _pack(act=_deep(n, "if marks > @:", "choose 1 card from store as found"))


def anys(n: int) -> str:
    inner = "marks > 1"
    for number in range(n):
        inner = f"any p-{number} in players where ({inner})"
    return _pack(act=f"if {inner}: points += 1")


def totals(n: int) -> str:
    inner = "1"
    for _ in range(n):
        inner = f"(total {inner} over players)"
    return _pack(act=f"points += {inner}")


def brackets(n: int) -> str:
    return _pack(act=f"points += {'(marks + ' * n}1{')' * n}")


def sum_(n: int) -> str:
    return _pack(act=f"points += {' + '.join(['marks'] * n)}")


def conjunction(n: int) -> str:
    return _pack(act="if " + _each(n, "marks > @", " and ") + ": points += 1")


def nested_steps(n: int) -> str:
    lines = [f"{'  ' * (2 * one + 1)}- id: step-{one}\n{'  ' * (2 * one + 2)}steps:" for one in range(n)]
    return _pack(steps="\n".join([*lines, "  " * (2 * n + 1) + "- {id: last, do: points += 1}\n"]))


def findings(n: int) -> str:
    """Undeclared names that resemble declared ones."""
    return _pack(
        "\n---\ntracks:\n" + _each(n, "  tracks-@: number\n") + _each(n, "\n---\nverb: $\ndo: trackt-@ += 1")
    )
