"""`rulewright test PACK --with RULES --compare`: scenarios of a game that go another way under house rules.

They are no failures: the scenario says what is so without the house rules. Each is told with what it says and what
is the case instead; one that cannot even be set up any more, with why.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import evolve, frozen

from ruleset.causes import is_error
from ruleset.diagnostic import Diagnostic
from ruleset.files import PackFiles
from ruleset.load import Loaded
from ruleset.scenario import Scenario
from ruleset.span import Span
from tools import packs
from tools.failure import CLEAN, FINDINGS, Failure
from tools.plain import many
from tools.say import say, say_data
from tools.scenarios.perform import Wrong, perform
from tools.scenarios.stage import Stages
from tools.together import Together, with_more

MOST_TRIES = 4
"""How often scenarios that no longer fit are left out, and the rest is checked again."""


@frozen
class Changed:
    """A scenario with another outcome: what is wrong with it without the house rules, and with them."""

    title: str
    span: Span
    before: tuple[str, ...]
    after: tuple[str, ...]
    rule: Span | None = None
    pack: str = ""
    """The rule that brought the new outcome about, as far as that can be told, and the pack that it is of."""


@frozen
class Compared:
    """The scenarios of a pack under house rules."""

    pack: str
    more: tuple[str, ...]
    whole: int
    changed: tuple[Changed, ...]


def compare(pack: str, more: Sequence[str], only: str | None, backend: str, as_json: bool) -> int:
    """Prints the changed outcomes; the exit code does not depend on them."""
    found = compared(pack, more, only, backend)
    if as_json:
        say_data(_data(found))
    else:
        for line in _text(found):
            say(line)
    return CLEAN


def compared(pack: str, more: Sequence[str], only: str | None = None, backend: str = "walker") -> Compared:
    """Plays the scenarios of a pack without and with house rules."""
    base = packs.compile_pack(pack, scenarios=True)
    chosen = [one for one in base.program.scenarios if only is None or one.matches(only)]
    before = _outcomes(base.program, chosen, backend)
    loaded, unfit = _fitting(pack, more)
    assert loaded.program is not None
    paths = {one.span.path for one in base.program.scenarios}
    still = {one.span: one for one in loaded.program.scenarios if one.span.path in paths}
    after = _outcomes(loaded.program, list(still.values()), backend)
    changed: list[Changed] = []
    for one in chosen:
        old = tuple(_told(wrong) for wrong in before[one.span])
        if one.span not in still:
            why = unfit.get(one.span) or next(iter(unfit.values()))
            changed.append(Changed(one.title, one.span, old, (f"it no longer fits: {why.message}",), why.span))
            continue
        new = tuple(_told(wrong) for wrong in after[one.span])
        if new != old:
            rule = next((wrong.rule for wrong in after[one.span] if wrong.rule is not None), None)
            place, by = (rule.span, rule.pack) if rule is not None and rule.span.path else (None, "")
            changed.append(Changed(one.title, one.span, old, new, place, by))
    return Compared(base.program.pack, tuple(more), len(chosen), tuple(changed))


def _outcomes(program: Any, scenarios: Sequence[Scenario], backend: str) -> dict[Span, tuple[Wrong, ...]]:
    stages = Stages(program, tuple(scenarios))
    return {one.span: perform(stages, one, backend).wrong for one in scenarios}


def _told(wrong: Wrong) -> str:
    return "; ".join((wrong.message, *wrong.details))


# ------------------------------------------------------------------ scenarios that no longer fit


def _fitting(pack: str, more: Sequence[str]) -> tuple[Loaded, dict[Span, Diagnostic]]:
    """The packs together, without the scenarios that no longer fit, and why these do not."""
    together = packs.read_together(with_more(pack, more))
    unfit: dict[Span, Diagnostic] = {}
    for _ in range(MOST_TRIES):
        loaded = packs.load_together(together)
        if loaded.program is not None:
            return loaded, unfit
        wrong = [item for item in loaded.findings if is_error(item)]
        about = {item: _scenario(loaded, item.span) for item in wrong}
        if not wrong or None in about.values():
            break
        for item, span in about.items():
            assert span is not None
            unfit.setdefault(_name(loaded, span), item)
        together = _without(together, {span for span in about.values() if span is not None})
    packs.compile_pack(with_more(pack, more))  # tells what is wrong with the rules
    raise Failure("the scenarios cannot be checked under these rules", FINDINGS)


def _scenario(loaded: Loaded, span: Span) -> Span | None:
    """All of the scenario in which a place is."""
    for document in loaded.composed.documents:
        whole = document.root.span
        inside = whole.path == span.path and whole.line <= span.line <= whole.end_line
        if document.kind == "scenario" and inside:
            return whole
    return None


def _name(loaded: Loaded, whole: Span) -> Span:
    """Where the title of a scenario stands."""
    found = (one.span for one in loaded.declared.scenarios.values())
    return next((s for s in found if s.path == whole.path and whole.line <= s.line <= whole.end_line), whole)


def _without(together: Together, scenarios: set[Span]) -> Together:
    """The packs with these scenarios blank, so that the lines of all else stay where they are."""
    return evolve(together, asked=tuple(_blank(files, scenarios) for files in together.asked))


def _blank(files: PackFiles, scenarios: set[Span]) -> PackFiles:
    out = []
    for name, data in files.files:
        spans = [span for span in scenarios if span.path == name]
        if spans:
            lines = data.decode("utf-8-sig").split("\n")
            for span in spans:
                lines[span.line - 1 : span.end_line] = [""] * (span.end_line - span.line + 1)
            data = "\n".join(lines).encode()
        out.append((name, data))
    return evolve(files, files=tuple(out))


# ------------------------------------------------------------------ told


def _text(found: Compared) -> list[str]:
    lines = []
    for one in found.changed:
        lines.append(f"changed: {one.title}")
        lines.append(f"  {one.span}")
        lines.append(f"  before: {'as it says' if not one.before else one.before[0]}")
        lines += [f"          {line}" for line in one.before[1:]]
        lines.append(f"  after:  {'as it says' if not one.after else one.after[0]}")
        lines += [f"          {line}" for line in one.after[1:]]
        if one.rule is not None:
            lines.append(f"  rule:   {one.rule}{f' ({one.pack})' if one.pack else ''}")
        lines.append("")
    more = " and ".join(found.more)
    count = len(found.changed)
    changed = "none changes its outcome" if not count else f"{count} with another outcome"
    lines.append(f"{found.pack} with {more}: {many(found.whole, 'scenario')}, {changed}")
    return lines


def _data(found: Compared) -> dict[str, Any]:
    return {
        "version": 1,
        "pack": found.pack,
        "with": list(found.more),
        "scenarios": found.whole,
        "changed": [
            {
                "scenario": one.title,
                "file": one.span.path,
                "line": one.span.line,
                "before": list(one.before),
                "after": list(one.after),
                "rule": {"file": one.rule.path, "line": one.rule.line, "pack": one.pack} if one.rule else None,
            }
            for one in found.changed
        ],
    }
