"""What the rule book reads of a pack's documents, as house rules have changed them."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.ruleset.documents.flow import Step, Steps
from rulewright.ruleset.documents.kinds import record_of
from rulewright.ruleset.documents.reading import Several, Titled
from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.source.nodes import Node, ScalarNode, texts_of
from rulewright.tools.faces.wording import paragraphs_of
from rulewright.tools.print.about import About
from rulewright.tools.print.readable import sentences


def all_of(loaded: Loaded, sort: str, of: type) -> list:  # type: ignore[type-arg]  # of the given record
    """Return the documents of a kind, as records."""
    found = []
    for document in loaded.composed.documents:
        first = document.root.entries[0]
        if document.kind == sort and isinstance(first.value, ScalarNode):
            record = record_of(sort, first.value, document.root)
            if isinstance(record, of):
                found.append(record)
    return found


def paragraphs(about: About, said: Titled) -> tuple[str, ...]:
    """Return what the pack says of a part of the game, in paragraphs."""
    return paragraphs_of(in_language(about, said.text)) if said.text is not None else ()


def step_text(about: About, step: Step) -> tuple[str, ...] | None:
    """Return the lines of the pack's own text of a step, with the values of the table; None if it has none."""
    node = step.text
    if node is None:
        return None
    text = in_language(about, node)
    known = {key: str(value) for key, value in values(about).items()}
    return tuple(filter(None, (sentences(line, known) for line in text.split("\n"))))


def in_language(about: About, node: Node) -> str:
    """Return a text as it is written, in the language of the book or the pack's own."""
    if isinstance(node, ScalarNode):
        return node.text
    given = dict(texts_of(node))
    return next((given[one] for one in (about.language, *about.program.languages, *given) if one in given), "")


def step_name(about: About, path: str) -> str:
    """Return the name of a step, without what only a game knows."""
    return sentences(about.texts.text(about.language, f"step/{path}") or "", {})


def walk(path: str, steps: Steps | None) -> Iterator[tuple[str, Step]]:
    """Yield the steps and those inside them, with their paths, in order."""
    for step in steps.items if isinstance(steps, Several) else ():
        own = f"{path}.{step.id.text}" if step.id is not None else path
        yield own, step
        yield from walk(own, step.steps)


def values(about: About) -> dict[str, int]:
    """Return the values of the pack that are single numbers, for the table's players."""
    return {key: numbers[0] for key, numbers in value_lists(about).items() if len(numbers) == 1}


def value_lists(about: About) -> dict[str, tuple[int, ...]]:
    """Return all values of the pack for the table's players."""
    seats = about.table.seats
    return {one.key: dict(one.by_players).get(seats, one.default) for one in about.program.values}
