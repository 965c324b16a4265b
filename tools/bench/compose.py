"""`python -m rulewright.tools.bench.compose PACK …`: measure the cost of combining packs.

The packs are generated from the game's own documents: each declares definitions and a verb, sets values, and
inserts something before a step and around sentences. The baseline is the same files without composition: one pack
of the game and all declarations of the ten is checked, and the changes are read and their shapes checked, but not
applied. Ratios of times measured in turns in one run are printed.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import TypeVar

from rulewright.ruleset.compose.anchors import Anchors
from rulewright.ruleset.documents.rules import Phase
from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.pipeline import load_files
from rulewright.ruleset.schema.check_documents import check_shapes
from rulewright.ruleset.source.nodes import Node, ScalarNode
from rulewright.ruleset.source.pack_files import PackFiles, read_pack
from rulewright.ruleset.source.reader import Document, read_documents
from rulewright.tools.packs import loading

T = TypeVar("T")
PACKS = 10
ROUNDS = 15
DEFINITIONS = 4
"""New definitions per pack."""
SETTINGS = 12
"""Values set by each pack."""


def documents_of(files: PackFiles) -> list[tuple[Document, str]]:
    """Return the documents of a pack, each with its text."""
    found = []
    for name, data in files.files:
        lines = data.decode().split("\n")
        for document in read_documents(name, data.decode())[0]:
            span = document.root.span
            found.append((document, "\n".join(lines[span.line - 1 : span.end_line])))
    return found


def house_rules(game: PackFiles, number: int) -> tuple[str, str]:
    """Return the declarations and the changes of one pack of house rules."""
    documents = documents_of(game)
    loaded = load_files(game)
    anchors = Anchors([document for document, _ in documents])
    own = [(d, text) for d, text in documents if d.kind in loaded.declared.kinds]
    declared = [f"verb: rest(s) {word(number)} long\ndo: do nothing"]
    changes: list[str] = []
    for n, (document, text) in enumerate(rotated(own, number * DEFINITIONS)[:DEFINITIONS]):
        declared.append(re.sub(rf"\A({document.kind}:).*", rf"\1 new-{number}-{n}", text))
    for document, _ in rotated(own, number * SETTINGS)[:SETTINGS]:
        changes.extend(_setting(document))
    phase = next(iter(anchors.of("phase")), None) or next(iter(anchors.of("round")))
    step = _first_step(anchors.node(phase))
    anchor = f"step/{phase.id.partition('/')[2]}.{step}"
    changes.append(f"change: {anchor}\nbefore: {{id: rest-{number}, do: do nothing}}")
    verb = rotated(list(anchors.of("verb")), number)[0].id
    changes.append(f"change: {verb}\naround: proceed")
    return "\n---\n".join(declared), "\n---\n".join(changes)


def word(number: int) -> str:
    """Return a distinct word without digits."""
    return "abcdefghijklmnopqrstuvwxyz"[number] * 3


def rotated(items: Sequence[T], by: int) -> list[T]:
    by %= len(items)
    return [*items[by:], *items[:by]]


def _setting(document: Document) -> Iterator[str]:
    """Yield a change that sets a field to its present value."""
    name = document.root.entries[0].value
    for entry in document.root.entries[1:]:
        value = entry.value
        if isinstance(value, ScalarNode) and isinstance(name, ScalarNode) and isinstance(value.value, int):
            said = f"{{was: {value.text}, to: {value.text}}}"
            yield f"change: {document.kind}/{name.text}\nset: {{{entry.key.text}: {said}}}"
            return


def _first_step(node: Node | None) -> str:
    assert node is not None
    found = Phase.made_of(node).steps
    first = found.items[0].id if found is not None else None
    assert first is not None
    return first.text


def _alone(pack: PackFiles, more: list[PackFiles]) -> Loaded:
    """Check all files without combining them."""
    for files in more:
        for name, data in files.files:
            if not name.endswith("declared.yaml"):
                check_shapes(read_documents(name, data.decode())[0])
    return load_files(pack, playable=False)


def timed(done: Callable[[], Loaded]) -> float:
    """Return the seconds of processor time taken; the packs must have no errors."""
    begun = time.process_time()
    loaded = done()
    seconds = time.process_time() - begun
    assert loaded.errors == 0, [str(one) for one in loaded.findings[:3]]
    return seconds


def main() -> None:
    """Measure and print."""
    if len(sys.argv) == 1:
        sys.exit("usage: python -m rulewright.tools.bench.compose PACK …")
    for game in sys.argv[1:]:
        measure(game)


def measure(pack: str) -> None:
    """Compare one game with and without the packs."""
    game = read_pack(loading.find(pack), scenarios=False)
    name = load_files(game).declared.pack
    rules = [house_rules(game, number) for number in range(PACKS)]
    more = []
    for number, (declared, changes) in enumerate(rules):
        order = f"after: [{', '.join(f'rules-{n}' for n in range(number))}]\n" if number else ""
        head = f'pack: rules-{number}\nversion: 1.0.0\nextends: {{{name}: "*"}}\n{order}'
        files = (("pack.yaml", head), ("declared.yaml", declared), ("changes.yaml", changes))
        root = Path(f"rules-{number}")
        more.append(PackFiles(root, tuple((f"{root}/{file}", text.encode()) for file, text in files)))
    apart = [(f"declared-{number}.yaml", declared.encode()) for number, (declared, _) in enumerate(rules)]
    alone = PackFiles(game.root, (*game.files, *apart))
    ways: dict[str, Callable[[], Loaded]] = {
        "together": lambda: load_files(game, playable=False, more=more),
        "files alone": lambda: _alone(alone, more),
        "the game": lambda: load_files(game, playable=False),
    }
    times: dict[str, list[float]] = {way: [] for way in ways}
    for _ in range(ROUNDS):
        for way, done in ways.items():
            times[way].append(timed(done))
    for way, seconds in times.items():
        print(f"{way:<12} {median(seconds) * 1000:7.0f} ms")
    ratios = [a / b for a, b in zip(times["together"], times["files alone"], strict=True)]
    count = sum(text.count("change: ") for _, text in rules)
    print(f"{name} with {PACKS} packs ({count} changes): {median(ratios):.2f} x the files alone")


if __name__ == "__main__":
    main()
