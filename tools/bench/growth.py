"""`python -m rulewright.tools.bench.growth`: measure how the work of each pass grows with the pack.

For each dimension (definitions, cards, nested loops, …) packs are generated at half a size, that size, and twice
that size. All go through all passes, from the text of the pack to C. The work of a pass is the
number of executed lines of Python, which is the same on every machine.

The first figure after the lines is the growth from a size to twice that size. For linear work it is at most 2,
since part of the work is the same for every pack. The second figure excludes that part: it is the growth of the
work added by doubling, 2 if linear and 4 if quadratic. A pass is reported if one of the figures is above 2.5.

Exit codes: 0 no pass grows too fast, 1 a pass does, 2 wrong usage, or packs that cannot be compared.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from attrs import define, field, frozen

from rulewright.interpreter.backends.native import module as native_module
from rulewright.interpreter.backends.walker.backend import Walker
from rulewright.ruleset.check import bots as check_bots
from rulewright.ruleset.check import checker
from rulewright.ruleset.check import scenarios as check_scenarios
from rulewright.ruleset.check import texts as check_texts
from rulewright.ruleset.check.house_rules import insert_overlap
from rulewright.ruleset.compose import composer, namespaces
from rulewright.ruleset.declare import declare, kind_schemas
from rulewright.ruleset.findings import render, suppressions
from rulewright.ruleset.language import parser as parse
from rulewright.ruleset.lower import liveness, lowering
from rulewright.ruleset.pipeline import load_files
from rulewright.ruleset.program import call_effects
from rulewright.ruleset.program.nodes import Program
from rulewright.ruleset.schema import check_documents
from rulewright.ruleset.source import reader
from rulewright.ruleset.source.pack_files import PackFiles
from rulewright.ruleset.table import canonical
from rulewright.tools.bench import command
from rulewright.tools.common.errors import USAGE, Failure, Usage

# ---- Packs that grow in one dimension: functions from a size to the text of a pack
#
# A size is the number of documents, cards, or levels named by the function. A pack of size `2n` has twice as
# many, and its table program is at most twice as large.

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


# ------------------------------------------------------------------ parts of packs

ASK = "choose 1 card from store as found"


def _more(sort: str, n: int, text: str) -> str:
    """Return a document that is a section with many entries."""
    return f"\n---\n{sort}:\n{_each(n, f'  {text}' + chr(10))}"


def _steps(n: int, text: str) -> str:
    return _pack(steps=_each(n, f"  - {{id: step-@, {text}}}\n"))


def _verbs(n: int, does: str) -> str:
    """Return verbs, and a round with a step for each."""
    called = "\n---\nphase: all\nsteps:\n" + _each(n, "  - {id: step-@, do: $}\n")
    round_ = "---\nround: more\nturns-from: first of players\nuntil: marks > 3\nphases: [all]"
    return _each(n, f"\n---\nverb: $\ndo: |\n  {does}\n  marks += 1") + called + round_


def _chain(n: int, does: str) -> str:
    """Verbs of which each does something with the next."""
    chain = _each(n, f"\n---\nverb: $\ndo: |\n  {does}")
    return _pack(_numbered(f"{chain}\n---\nverb: $\ndo: points += 1", n), act=_verb(0))


def _functions(n: int, last: str, is_: str, step: int) -> str:
    """Functions of which each uses another, `#`: the next one, or with a step of -1 the one before."""
    first, end = (0, n - 1) if step > 0 else (n - 1, 0)
    made = [(one, last if one == end else is_.replace("#", f"worth-{one + step}")) for one in range(n)]
    more = "".join(f"\n---\nfunction: worth-{one}\ngives: number\nis: {text}" for one, text in made)
    return _pack(more, act=f"points += worth-{first}")


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


def choice_among(n: int) -> str:
    """A decision with as many options as there are cards."""
    head = HEAD.replace("copies: 3", f"copies: {n}").replace("seen-by: nobody", "seen-by: all")
    return _pack(head=head, act="choose any number of cards from store as chosen\nmove chosen to bag\npoints += 5")


def kinds(n: int) -> str:
    return _pack(
        _more("kinds", n, "sort-@: {fields: {weight: 0 to 9}}")
        + _more("components", n, "sort-@s: {kind: sort-@, copies: 1, starts: place-@, home: place-@}")
        + _more("zones", n, "place-@: {accepts: [sort-@]}")
        + _each(n, "\n---\nsort-@: one-@\nweight: 3")
        + _verbs(n, "points += total weight over place-@")
    )


def members(n: int) -> str:
    colours = _each(n, "colour-@", ", ")
    more = f"\n---\nenumerations:\n  colour: [{colours}]\n---\ntracks:\n  light: {{scope: colour}}"
    return _pack(more + _verbs(n, "light[colour-@] += 1"))


def modifiers(n: int) -> str:
    more = "\n---\nfunction: worth\ngives: number\nis: 3"
    more += _each(n, "\n---\nmodifier: modifier-@\nchanges: worth\nis: result + times")
    return _pack(more + _verbs(n, "start modifier-@ until the turn ends"), act="points += worth")


def awards(n: int) -> str:
    text = _pack(_each(n, "\n---\naward: award-@\nsum: points + @"))
    return text.replace("awards: [points]", f"awards: [points, {_each(n, 'award-@', ', ')}]")


SCENARIO = "\n---\nscenario: Number @\nplayers: [ann, ben]\nwhen:\n  - ann: {choice: go}\nthen:\n"


def changes(n: int) -> tuple[str, ...]:
    """A pack with many changes."""
    change = "\n---\nchange: thing/thing-@\nset: {size: 4}\n---\nchange: thing/thing-@.use\nafter: points += 1"
    return definitions(n), ON_TOP.replace("@", "0") + _each(n, change)


def packs(n: int) -> tuple[str, ...]:
    """Many packs with changes."""
    change = "\n---\nchange: thing/thing-@\nset: {use: points += 7777}\n---\ntracks: {track-@: number}"
    return definitions(n), *(_numbered(ON_TOP + change, number) for number in range(n))


def _said(text: str) -> str:
    return _pack(f"\n---\nmessages:\n  said: {text}", act="announce said")


def _around(n: int, before: str, inner: str, after: str) -> str:
    """Nest an expression in itself; `@` is the level."""
    for number in range(n):
        inner = f"{before.replace('@', str(number))}{inner}{after}"
    return inner


def menu(n: int) -> str:
    return _pack(options=_each(n, "      option-@: {when: marks > @, do: points += @}\n"))


def cases(n: int) -> str:
    more = "\n---\nfunction: worth\ngives: number\ncases:\n"
    return _pack(more + _each(n, "  - {when: marks is @, is: @}\n") + "  - {is: 0}", act="points += worth")


def loops(n: int) -> str:
    return _pack(act=_deep(n, "each p-@ in players:", "points += 1"))


def brackets(n: int) -> str:
    return _pack(act=f"points += {_around(n, '(marks + ', '1', ')')}")


def nested_steps(n: int) -> str:
    lines = [f"{'  ' * (2 * one + 1)}- id: step-{one}\n{'  ' * (2 * one + 2)}steps:" for one in range(n)]
    return _pack(steps="\n".join([*lines, "  " * (2 * n + 1) + "- {id: last, do: points += 1}\n"]))


def findings(n: int) -> str:
    """Undeclared names that resemble declared ones."""
    return _pack(_more("tracks", n, "tracks-@: number") + _each(n, "\n---\nverb: $\ndo: trackt-@ += 1"))


# ---- The dimensions in which packs grow, with their sizes, for `tools.bench.growth`

@frozen
class Dimension:
    """What grows, and its sizes."""

    make: Callable[[int], str | tuple[str, ...]]
    usual: int
    """A size at which a run takes well below a second."""
    most: int | None = None
    """The largest size without errors, if nesting is limited.

    Larger sizes are a dimension of their own, since rejected packs go through fewer passes.
    """

    def texts(self, size: int) -> tuple[str, ...]:
        """Return the texts of packs of a size."""
        made = self.make(size)
        return made if isinstance(made, tuple) else (made,)

    def size(self, times: int) -> int:
        """Return a multiple of the usual size, limited so that twice the result is valid."""
        size = self.usual * times
        return size if self.most is None else min(size, self.most // 2)


def _used(sort: str, entry: str, does: str) -> Callable[[int], str]:
    """Return the packs with many entries of a section, and a verb for each that uses it."""
    return lambda n: _pack(_more(sort, n, entry) + _verbs(n, does))


def _acting(line: str, *then: str) -> Callable[[int], str]:
    """Return the packs in whose action lines are repeated, one sort after the other."""
    return lambda n: _pack(act="\n".join(_each(n, one, "\n") for one in (line, *then)))


def _nested(line: str, last: str) -> Callable[[int], str]:
    return lambda n: _pack(act=_deep(n, line, last))


VALUE, OPTION, MESSAGE = "value-@: {by-players: {2: 3, default: 4}}", "option-@: {default: true}", "said-@: Now @."
WINDOW = "\n---\nwindow: window-@\nasks: others\noptions:\n  stop: cancel window-@"
FUNCTION = "\n---\nfunction: worth-@\ntakes: {who: player}\ngives: number\nis: who's points + @"
PHASE = "\n---\nphase: phase-@\nsteps: [{id: step, do: marks += 1}]"
ROUND = "\n---\nround: more\nuntil: marks > 3\nphases: "
BOT = "\n---\nbot: first\nanswers:\n"

DIMENSIONS: dict[str, Dimension] = {
    "definitions": Dimension(definitions, 60),
    "definitions with expressions": Dimension(valued_definitions, 60),
    "readings": Dimension(readings, 60),
    "cards": Dimension(
        lambda n: _pack(head=HEAD.replace("copies: 3", f"copies: {n}"), act="move top 3 of store to bag"), 800
    ),
    "options of a decision": Dimension(choice_among, 400),
    "zones": Dimension(_used("zones", "place-@: {accepts: [thing]}", "move top of store to place-@"), 40),
    "kinds": Dimension(kinds, 40),
    "tracks": Dimension(_used("tracks", "track-@: {scope: player, at-most: 9}", "track-@ = track-@ + 1"), 40),
    "lists": Dimension(_used("lists", "list-@: {of: player}", "add you to list-@"), 40),
    "values": Dimension(_used("values", VALUE, "points += value-@"), 40),
    "options": Dimension(_used("options", OPTION, "if option-@: points += 1"), 40),
    "members": Dimension(members, 40),
    "verbs": Dimension(lambda n: _pack(_verbs(n, "points += @")), 40),
    "verbs that ask": Dimension(lambda n: _pack(_verbs(n, ASK)), 40),
    "verbs in a chain": Dimension(lambda n: _chain(n, f"{ASK}\n  #"), 40),
    "plain verbs in a chain": Dimension(lambda n: _chain(n, "if marks > @: stop\n  #"), 17, most=69),
    "functions": Dimension(lambda n: _pack(_each(n, FUNCTION) + _verbs(n, "points += worth-@(you)")), 40),
    "functions in a chain": Dimension(lambda n: _functions(n + 1, "count(store)", "# + 1", 1), 8, most=33),
    # inlined calls would give `2**n` copies of the first
    "functions in functions": Dimension(lambda n: _functions(n, "count(store)", "# + #", -1), 16, most=34),
    "verbs in verbs": Dimension(lambda n: _chain(n, "#\n  #"), 16, most=69),
    "cases": Dimension(cases, 34, most=137),
    "steps": Dimension(lambda n: _steps(n, "do: points += 1"), 60),
    "steps that ask": Dimension(lambda n: _steps(n, f"do: {ASK}"), 40),
    "steps with conditions": Dimension(lambda n: _steps(n, f"when: points > @, do: {ASK}"), 40),
    "phases": Dimension(lambda n: _pack(f"{_each(n, PHASE)}{ROUND}[{_each(n, 'phase-@', ', ')}]"), 40),
    "sentences": Dimension(_acting("points += @"), 60),
    "choices": Dimension(_acting(f"{ASK}-@"), 40),
    "conditions": Dimension(_acting(f"if marks > @: {ASK}-@"), 40),
    "names": Dimension(_acting("let name-@ = marks + @", "points += name-@"), 40),
    "menu": Dimension(menu, 35, most=140),
    "hooks": Dimension(
        lambda n: _pack(_each(n, "\n---\nhook: hook-@\nafter: step/turn.act\ndo: points += @")), 40
    ),
    "modifiers": Dimension(modifiers, 20),
    "windows": Dimension(lambda n: _pack(_each(n, WINDOW) + _verbs(n, "open window-@ as stopped")), 20),
    "awards": Dimension(awards, 40),
    "prompts": Dimension(_used("prompts", "$.found: Which one of these?", ASK), 40),
    "messages": Dimension(_used("messages", MESSAGE, "announce said-@"), 40),
    "bots": Dimension(
        lambda n: _pack(BOT + _each(n, "  - {choice: turn.act.choice, when: points > @, prefer: [go]}\n")), 40
    ),
    "scenarios": Dimension(lambda n: _pack(_each(n, f"{SCENARIO}  - ann's points is 1")), 40),
    "facts": Dimension(lambda n: _pack(_numbered(SCENARIO, 1) + _each(n, "  - ann's points < @ + 3\n")), 40),
    "changes": Dimension(changes, 20),
    "packs": Dimension(packs, 6),
    "text": Dimension(lambda n: _said("x" * n), 4000),
    "arguments in a text": Dimension(lambda n: _said(f'"{"{seat} and " * n}"'), 400),
    "quotes in a text": Dimension(lambda n: _said(f'"{"thats " * n}"'), 800),
    "tabs": Dimension(_used("messages", 'said-@: "a\tb"', "announce said-@"), 60),
    "blank lines": Dimension(lambda n: _pack("\n" * n + "# nothing\n" * n), 800),
    "long names": Dimension(
        lambda n: _pack(f"\n---\nvalues:\n  {'a' * n}b: 3", act=f"points += {'a' * n}b"), 100
    ),
    "loops": Dimension(loops, 4, most=16),
    "loops that ask": Dimension(_nested("each p-@ in players:", ASK), 9, most=39),
    "repeats": Dimension(_nested("repeat while marks > @:", "marks += 1"), 4, most=16),
    "ifs": Dimension(_nested("if marks > @:", "marks += 1"), 9, most=39),
    "ifs that ask": Dimension(_nested("if marks > @:", ASK), 9, most=39),
    "anys": Dimension(
        lambda n: _pack(act=f"if {_around(n, 'any p-@ in players where (', 'marks > 1', ')')}: points += 1"),
        10,
        most=40,
    ),
    "totals": Dimension(
        lambda n: _pack(act=f"points += {_around(n, '(total ', '1', ' over players)')}"), 10, most=40
    ),
    "brackets": Dimension(brackets, 10, most=40),
    "sum": Dimension(lambda n: _pack(act=f"points += {' + '.join(['marks'] * n)}"), 35, most=141),
    "conjunction": Dimension(
        lambda n: _pack(act=f"if {_each(n, 'marks > @', ' and ')}: points += 1"), 35, most=140
    ),
    "nested steps": Dimension(nested_steps, 7, most=30),
    "findings": Dimension(findings, 60),
    "loops beyond the bound": Dimension(loops, 18, most=39),
    "brackets beyond the bound": Dimension(brackets, 80),
    "cases beyond the bound": Dimension(cases, 138),
    "menu beyond the bound": Dimension(menu, 141),
    "nested steps beyond the bound": Dimension(nested_steps, 64),
}
"""All dimensions by name."""


# ---- Growth

LIMIT = 2.5
"""Largest acceptable growth for twice the size."""
LEAST_LINES = 2000
"""Least work of a pass that is compared; in less, the constant part is too large."""

PASSES: tuple[tuple[str, Any], ...] = (
    ("read", reader.read),
    ("shape", check_documents.check_shapes),
    ("scope", namespaces.scoped),
    ("compose", composer.compose),
    ("recheck", composer.recheck),
    ("declare", declare.declare),
    ("instance shape", kind_schemas.check_instances),
    ("texts", check_texts.check_texts),
    ("check", checker.check),
    ("parse", parse._parse.__wrapped__),
    ("scenarios", check_scenarios.check_scenarios),
    ("bots", check_bots.check_bots),
    ("depth", call_effects.too_deep),
    ("overlap", insert_overlap.overlaps),
    ("suppress", suppressions.suppress),
    ("render", render.render),
    ("lower", lowering.lower),
    ("liveness", liveness.live_slots),
    ("canonical", canonical.dumps),
    ("walker", Walker.__init__),
    ("native", native_module.generate_stepping),
    ("native", native_module.generate_playing),
)
"""The passes with their entry functions. Work belongs to the innermost active pass."""


@define
class Meter:
    """Counts the lines that passes execute, with a trace function."""

    work: Counter[str] = field(factory=Counter)
    _names: dict[CodeType, str] = field(factory=lambda: {function.__code__: name for name, function in PASSES})
    _inside: list[str] = field(factory=lambda: ["rest"])

    def measure(self, run: Callable[[], object]) -> None:
        """Run a function, and count its work."""
        before = sys.gettrace()
        sys.settrace(self._call)
        try:
            run()
        finally:
            sys.settrace(before)

    def _call(self, frame: FrameType, event: str, _: object) -> Any:
        name = self._names.get(frame.f_code)
        if name is None:
            return self._line
        self._inside.append(name)
        return self._pass

    def _line(self, frame: FrameType, event: str, _: object) -> Any:
        if event == "line":
            self.work[self._inside[-1]] += 1
        return self._line

    def _pass(self, frame: FrameType, event: str, _: object) -> Any:
        if event == "line":
            self.work[self._inside[-1]] += 1
        elif event == "return":
            self._inside.pop()
        return self._pass


@frozen
class Growth:
    """The work of a pass for a pack and one of twice its size, in executed lines."""

    dimension: str
    size: int
    name: str
    once: int
    twice: int
    half: int | None = None
    """The work for a pack of half the size, if it has the same findings."""

    @property
    def ratio(self) -> float:
        return self.twice / self.once if self.once else float("inf")

    @property
    def added(self) -> float:
        """The growth of the added work; 0 if there is too little to compare."""
        if self.half is None or self.twice - self.once < LEAST_LINES or self.once <= self.half:
            return 0.0
        by_half, by_all = self.size - self.size // 2, self.size
        return 2 * (self.twice - self.once) / by_all / ((self.once - self.half) / by_half)

    @property
    def too_fast(self) -> bool:
        return max(self.ratio, self.added) > LIMIT


def growths(dimension: str, times: int = 1) -> list[Growth]:
    """Return the growth of all passes with enough work, for `times` the usual size of a dimension."""
    grown = DIMENSIONS[dimension]
    size = grown.size(times)
    for texts in (grown.texts(2), DIMENSIONS["findings"].texts(2)):
        passes(texts)  # warms up what is read or generated once per process
    half, once, twice = (_measured(grown.texts(number)) for number in (size // 2, size, 2 * size))
    if once.codes != twice.codes:
        told = (", ".join(sorted(one.codes)) or "nothing" for one in (once, twice))
        message = "{}, {} and {}: the findings are {} and {}, so that the work is not the same"
        raise Failure(message.format(dimension, size, 2 * size, *told), USAGE)
    comparable = half.codes == once.codes
    return [
        Growth(dimension, size, name, once.work[name], work, half.work[name] if comparable else None)
        for name, work in twice.work.items()
        if work >= LEAST_LINES
    ]


@frozen
class _Measured:
    work: Counter[str]
    codes: frozenset[str]
    """Codes of the findings."""


def _measured(texts: tuple[str, ...]) -> _Measured:
    meter = Meter()
    parse._parse.cache_clear()
    codes: list[frozenset[str]] = []
    meter.measure(lambda: codes.append(passes(texts)))
    return _Measured(meter.work, codes[0])


def passes(texts: tuple[str, ...]) -> frozenset[str]:
    """Run all passes on packs of one file each. Return the codes of their findings."""
    named = [(f"pack-{number}", text.encode()) for number, text in enumerate(texts)]
    game, *more = (PackFiles(Path(name), ((f"{name}.yaml", text),)) for name, text in named)
    loaded = load_files(game, more=more)
    render.render(loaded.findings, loaded.sources)
    if loaded.program is not None:
        _generate(loaded.program)
    return frozenset(one.code for one in loaded.findings)


def _generate(program: Program) -> None:
    table = lowering.lower(program, program.least_players)
    canonical.dumps(table)
    Walker(table)
    native_module.generate_stepping(table)
    native_module.generate_playing(table)


# ------------------------------------------------------------------ the command

def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table of passes for each dimension; return 1 if a pass grows too fast."""
    prog = "python -m rulewright.tools.bench.growth"
    parser = argparse.ArgumentParser(prog=prog, description="How each pass's work grows.")
    parser.add_argument("dimensions", nargs="*", metavar="DIMENSION", help="all by default")
    parser.add_argument("--times", type=int, default=2, help="the size, in times of the smallest that is worth it")
    given = parser.parse_args(arguments)
    return command.ended(lambda: _compare(given))


def _compare(given: argparse.Namespace) -> bool:
    unknown = [name for name in given.dimensions if name not in DIMENSIONS]
    if unknown or given.times < 1:
        raise Usage(f"unknown dimension {unknown[0]!r}" if unknown else "--times must be at least 1")
    fast = 0
    for dimension in given.dimensions or DIMENSIONS:
        found = growths(dimension, given.times)
        print(f"{dimension}, {DIMENSIONS[dimension].size(given.times)} and twice as many", flush=True)
        for one in sorted(found, key=lambda one: -one.ratio):
            added = f"{one.added:8.2f}" if one.added else " " * 8
            mark = "  too fast" if one.too_fast else ""
            told = f"  {one.name:<16}{one.once:14,}{one.twice:14,}{one.ratio:8.2f}{added}{mark}"
            print(told.rstrip(), flush=True)
            fast += one.too_fast
    print(f"{fast} passes grow by more than {LIMIT} times" if fast else "no pass grows too fast")
    return not fast


if __name__ == "__main__":
    sys.exit(main())
