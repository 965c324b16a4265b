"""Sentences for steps, and for inserts around sentences of rules."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from rulewright.ruleset.documents.flow import Step, body_of
from rulewright.ruleset.source.nodes import Around, Node, Path, part
from rulewright.ruleset.source.nodes import MappingNode as Block
from rulewright.tools.diffs.compare import Difference
from rulewright.tools.diffs.context import Context, Said
from rulewright.tools.diffs.messages import join
from rulewright.tools.diffs.names import Names, code


def inserted(context: Context, found: Difference) -> Said:
    """Describe a new step: its neighbours, its name, and its rules if no text explains them."""
    names, thing, node = context.names, found.thing, found.after
    assert node is not None
    above = found.path[:-1]
    word, anchors = found.word, list(found.anchors)
    step = body_of(node)
    identity = step.id if isinstance(step, Step) else None
    told = context.other.inserted(identity) if identity is not None else None
    if told is not None and word != "around" and told[1].startswith(("step/", "phase/")):
        word, anchors = told[0], [told[1].rpartition(".")[2]]
    called = names.step(thing, found.path)
    explained = context.explained(found)
    says = "" if explained else f"{'' if called.startswith('`') else ': '}{code(_without_steps(node, word))}"
    hidden = explained and called.startswith("`")
    shown = called if explained or not called.startswith("`") else ""
    where = names.thing(thing)
    if not anchors:
        return Said("step", shown, {"where": where, "says": says}, hidden)
    anchor = join([names.step(thing, (*above, one)) for one in anchors], names.language)
    if anchor.startswith("`"):
        anchor = f"{anchor} ({where})"
    return Said(f"step-{word}", shown, {"anchor": anchor, "says": says}, hidden)


def _without_steps(node: Node, word: str) -> Node:
    """Return a step without the steps that it surrounds."""
    if word != "around" or not isinstance(node, Block):
        return node
    return evolve(node, entries=tuple(entry for entry in node.entries if entry.key.text != "steps"))


def part_of_step(context: Context, found: Difference, step: Path, rest: Path) -> Said:
    """Describe a change inside a step, or its removal."""
    names, thing = context.names, found.thing
    where, name = names.thing(thing), names.step(thing, step)
    if not rest:
        if found.word == "order":
            order = join([names.step(thing, (*step, one)) for one in found.anchors], names.language)
            return Said("order", name, {"after": order})
        if found.word == "around" and found.before is not None:
            anchor = join([names.step(thing, (*step[:-1], one)) for one in found.anchors], names.language)
            return Said(
                "step-opened", f"{anchor} ({where})", {"before": code(_without_steps(found.before, "around"))}
            )
        return Said("step-gone", name, {"where": where})
    if name.startswith("`"):
        name = f"{where}, {name}"
    if found.word == "order":
        order = join([names.step(thing, (*found.path, one)) for one in found.anchors], names.language)
        return Said("order", name, {"after": order})
    key = {"added": "part-new", "removed": "part-gone"}.get(found.change, "part")
    before, after = (names.value(thing, rest, node) for node in (found.before, found.after))
    values = {"part": names.label(thing, rest), "before": before, "after": after}
    return Said(key, name, values, context.explained(found))


def woven(context: Context, found: Difference) -> Said:
    """Describe an insert before, after, or around sentences."""
    names, thing = context.names, found.thing
    name = ", ".join((names.thing(thing), *_parts(names, found)))
    if found.change == "removed":
        return Said("woven-gone", name, {"before": code(found.before) if found.before is not None else ""})
    assert found.after is not None
    return Said(f"woven-{found.word}", name, {"after": code(found.after)}, context.explained(found))


def _parts(names: Names, found: Difference) -> Iterator[str]:
    """Yield the steps and options around the sentences, without steps that only surround others."""
    node: Node | None = found.thing.node
    for word in found.path:
        node = part(node, (word,))
        if word in ("steps", "do", "options") or isinstance(node, Around):
            continue
        own = names.text(node.get("name")) if isinstance(node, Block) else ""
        yield own if own and "{" not in own else names.label(found.thing, (word,))
