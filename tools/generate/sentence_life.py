"""Generate the listings of the page that follows one sentence from YAML to C.

`docs/explanation/life-of-a-sentence.md` is written by hand, with its pack, except between `<!-- begin NAME -->` and
`<!-- end -->`.
"""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent, indent
from typing import Any

from attrs import fields, has

from rulewright.interpreter.analysis.control_flow import successors
from rulewright.interpreter.backends.native.module import generate_playing
from rulewright.interpreter.backends.walker.backend import Walker
from rulewright.interpreter.game.game import Game
from rulewright.interpreter.game.journal import entry_line
from rulewright.interpreter.state.decision_slots import asking_segments
from rulewright.ruleset.documents.rules import Round
from rulewright.ruleset.language.parser import parse_effect
from rulewright.ruleset.lower.lowering import lower
from rulewright.ruleset.pipeline import load_files
from rulewright.ruleset.program.nodes import Choose
from rulewright.ruleset.program.traversal import everything
from rulewright.ruleset.source.pack_files import PackFiles
from rulewright.ruleset.table.nodes import D_OPTIONS, HEAD, SEGMENT, STATUS
from rulewright.tools.generate.references import renewed

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "life-of-a-sentence.md"


def shown(thing: Any) -> str:
    """Format a record on one line or, if that is too long, with a line for each field. Leaves out defaults."""
    if not isinstance(thing, tuple) and not has(type(thing)):
        return repr(thing)
    if isinstance(thing, tuple):
        head, tail, parts = "[", "]", [shown(one) for one in thing]
    else:
        values = [(one, getattr(thing, one.name)) for one in fields(type(thing)) if one.repr]
        given = [(one.name, shown(value)) for one, value in values if value not in (one.default, ())]
        parts = [value if len(given) == 1 else f"{name}={value}" for name, value in given]
        head, tail = f"{type(thing).__name__}(", ")"
    line, lines = f"{head}{', '.join(parts)}{tail}", indent(",\n".join(parts), "  ")
    return line if len(line) <= 88 and "\n" not in line else f"{head}\n{lines},\n{tail}"


def listings(pack: str) -> dict[str, str]:
    """Return all listings by name, made from a pack whose only question is in the first step of its `turn`."""
    loaded = load_files(PackFiles(Path(), (("gems.yaml", pack.encode()),)))
    assert loaded.program is not None
    turn: Any = loaded.declared.all_of(Round)["turn"]
    text, main, table = turn.steps.items[0].do, loaded.program.main, lower(loaded.program, 2)
    end, tree, size = text.text.index("\n"), parse_effect(text.text), table.layout.decision
    (choose,) = (one for one in everything(main.body) if isinstance(one, Choose))
    ((number, resume),) = ((place, one.resume) for place, one in asking_segments(table).items())
    ways = [f"segment {place} leads to {[*successors(one.tree)]}" for place, one in enumerate(table.segments)]
    after = "\n".join(map(shown, table.segments[resume].tree.body[:2]))
    whole = generate_playing(table).text
    walker, game = Walker(table), Game.start(table, 7)
    states = {"begun": walker.start(7), "asked": game.state, "answered": game.state}
    walker.answer(states["answered"], 0, [game.state[HEAD + D_OPTIONS + 1]])
    (asked,), (other,), since = game.decisions, game.view(1).asked, game.event_count
    game.apply(0, asked.options[0].key)
    return {
        "node": f"{text.span}: {text.text!r}\n{text.span_of(0, end)}: {text.text[:end]!r}",
        "tree": shown(tree[0] if isinstance(tree, tuple) else tree),
        "checked": f"{shown(choose)}\nsource {choose.at}: {loaded.program.sources[choose.at].span}\n"
        + "\n".join(f"variable {place}: {one.name}" for place, one in enumerate(main.variables)),
        "segments": "\n".join(ways),
        "asks": f"segment {number}:\n{shown(table.segments[number])}\nsegment {resume}:\n{after}\n…",
        "slot": "\n".join(
            f"{when:8} status {cells[STATUS]}, segment {cells[SEGMENT]}, slot {[*cells[HEAD : HEAD + size]]}"
            for when, cells in states.items()
        ),
        "answered": "\n".join(f"seat {n}: {shown(one)}" for n in (0, 1) for one in game.events(n, since)[:2]),
        "seats": f"seat 0:\n{shown(asked)}\nseat 1:\n{shown(other)}",
        "c": "\n".join(_cut(whole, f"  s{one}:;", "\n  }\n") for one in (number, resume)),
        "entered": _cut(whole, f"    case {resume}: {{", "\n    }\n"),
        "journal": entry_line(game.journal.entries[0]),
    }


def _cut(text: str, head: str, tail: str) -> str:
    return dedent(head + text.partition(f"\n{head}")[2].partition(tail)[0] + tail).strip()


def generated() -> str:
    """Return the page with updated listings."""
    text = PAGE.read_text("utf-8")
    made = listings(re.findall(r"^```yaml\n(.*?)^```\n", text, re.MULTILINE | re.DOTALL)[0])
    kinds = {"c": "c", "entered": "c"}
    return renewed(text, lambda name: f"```{kinds.get(name, 'text')}\n{made[name]}\n```\n")
