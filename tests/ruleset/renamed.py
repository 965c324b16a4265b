"""Packs with other names: each name that the pack declares gets a prefix, at all its uses.

Words that mean something to the engine itself stay: keys of documents, words of the language and of its sentences.
The order of everything stays, too, and so has the play to be the same, number by number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from attrs import evolve

from rulewright.interpreter.backends.factory import make
from rulewright.interpreter.backends.policies import play_out
from rulewright.interpreter.state.backend import Backend
from rulewright.interpreter.state.chance import Stream
from rulewright.interpreter.state.rule_errors import RuleError
from rulewright.ruleset.declare.declarations import Declared
from rulewright.ruleset.documents.kinds import SECTIONS, SINGLES
from rulewright.ruleset.documents.play import Expect, FaceDocument, LayoutDocument, ScenarioDocument
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.syntax_errors import KEYWORDS
from rulewright.ruleset.language.types import KERNEL_FUNCTIONS, RESERVED
from rulewright.ruleset.language.vocabulary import SENTENCES
from rulewright.ruleset.lower.lowering import lower
from rulewright.ruleset.pipeline import load_files
from rulewright.ruleset.schema.check_documents import KERNEL
from rulewright.ruleset.schema.registry import read_schema
from rulewright.ruleset.source.pack_files import PackFiles, read_pack

ROOT = Path(__file__).parents[2]
FRONT = "zq"
"""What stands before each new name."""
WORD = re.compile(r"(?<![\w\\-])[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?![\w])")
_COPY = re.compile(r"(.*[a-z].*)-[0-9]+")
GIVEN = ("challenge", "challenger", "choice", "claimant", "decline", "opener", "pass", "perform", "reaction",
         "result", "score", "shown", "this", "times")  # fmt: skip
"""Names that the engine itself gives: to options, choices, and in windows, claims, and modifiers."""


@cache
def words_of_the_engine() -> frozenset[str]:
    """Words that stay, since they may be the engine's where they stand."""
    found = {*RESERVED, *KEYWORDS, *KERNEL, *KERNEL_FUNCTIONS, *SECTIONS, *SINGLES, *GIVEN, "en", "es", "pack"}
    for path in (ROOT / "schemas").glob("*.schema.json"):
        found.update(_words(read_schema(path.name.removesuffix(".schema.json"))))
    for sentence in SENTENCES:
        for part in sentence.parts:
            found.update(part.forms if isinstance(part, s.WordNode) else ())
    return frozenset(found)


def _words(schema: Any) -> Iterator[str]:
    """Keys of documents, and the words that stand for themselves in them."""
    if isinstance(schema, dict):
        properties = schema.get("properties")
        yield from properties if isinstance(properties, dict) else ()
        for word in (*schema.get("enum", ()), schema.get("const")):
            yield from WORD.findall(word) if isinstance(word, str) else ()
        for value in schema.values():
            yield from _words(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _words(value)


def names_of(declared: Declared) -> Iterator[str]:
    """All words that a pack gives as names, with their plurals and the forms of its verbs."""
    d = declared
    for group in (d.enumerations, d.options, d.values, d.kinds, d.zones, d.tracks, d.lists, d.messages, d.functions,
                  d.plurals):  # fmt: skip
        yield from group
    for record, named in d.records.items():
        yield from () if record in (Expect, FaceDocument, LayoutDocument, ScenarioDocument) else named
    yield from (key for key, one in d.definitions.items() if not one.made)
    for _, members in d.enumerations.values():
        yield from members
    for kind in d.kinds.values():
        yield from (*kind.fields, *kind.effects, *kind.expressions)
    for verb in d.verbs.values():
        for part in verb.parts:
            yield from part.forms if isinstance(part, s.WordNode) else (part.name,)


def new_names(declared: Declared) -> dict[str, str]:
    """Each name that can be changed, and what it becomes; an id made of the words of a verb follows them."""
    engine = words_of_the_engine()
    words = [part.forms for verb in declared.verbs.values() for part in verb.parts if isinstance(part, s.WordNode)]
    kept = engine.union(*(forms for forms in words if not engine.isdisjoint(forms)))
    new = {word: FRONT + word for name in names_of(declared) for word in WORD.findall(name) if word not in kept}
    for verb in declared.verbs.values():
        firsts = [part.forms[0] for part in verb.parts if isinstance(part, s.WordNode)]
        if verb.key == "-".join(firsts) and len(firsts) > 1:
            new[verb.key] = "-".join(new.get(word, word) for word in firsts)
    return new


def renamed(folder: Path) -> tuple[PackFiles, PackFiles]:
    """The files of a pack without its scenarios, and the same under other names."""
    files = _without_scenarios(read_pack(folder))
    new = new_names(load_files(files).declared)

    def changed(match: re.Match[str]) -> str:
        word = match[0]
        copy = _COPY.fullmatch(word)
        if copy is not None and copy[1] in new:
            return new[copy[1]] + word[len(copy[1]) :]
        return new.get(word, word)

    texts = tuple((name, WORD.sub(changed, data.decode("utf-8")).encode("utf-8")) for name, data in files.files)
    return files, evolve(files, files=texts)


def _without_scenarios(files: PackFiles) -> PackFiles:
    kept = []
    for name, data in files.files:
        documents = re.split(r"^---\n", data.decode("utf-8"), flags=re.MULTILINE)
        rules = [one for one in documents if re.search(r"^scenario:", one, re.MULTILINE) is None]
        kept.append((name, "---\n".join(rules).encode("utf-8")))
    return evolve(files, files=tuple(kept))


def played_otherwise(folder: Path, games: int) -> Iterator[str]:
    """Where a pack under other names has findings, or is played otherwise by the same random players."""
    files, other = renamed(folder)
    before, after = load_files(files).program, load_files(other).program
    assert before is not None
    if after is None:
        yield f"{folder.name}: findings under other names"
        return
    for seats in sorted({before.least_players, before.most_players}):
        one, two = make(lower(before, seats)), make(lower(after, seats))
        for game in range(games):
            if _ends(one, game) != _ends(two, game):
                yield f"{folder.name}: game {game} of {seats} players is another under other names"


def _ends(backend: Backend, game: int) -> tuple[list[int], object]:
    """The cells at the end of a game between random players, and how many decisions or which rule error it had."""
    state = backend.start(20, game)
    try:
        return state, play_out(backend, state, Stream(game))
    except RuleError as error:
        return state, str(error)
