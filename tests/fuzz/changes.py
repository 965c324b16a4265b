"""Random packs of changes for the fuzzer: for a small game, and mutated shipped house rules.

Files of a pack on top lie in a folder `with-NAME`; all others are the game's.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from hypothesis import strategies as st

from rulewright.ruleset.compose.anchors import FLOW, Anchors
from rulewright.ruleset.documents.kinds import SORTS
from rulewright.ruleset.source.nodes import MappingNode, Node, Path, ScalarNode, SequenceNode, step_id
from rulewright.ruleset.source.reader import read
from tests.fuzz.inputs import ROOT, byte_mutant, effects, fragments, line_mutant, node_mutant, word_mutant, words
from tests.fuzz.oracle import TOP, Files
from tests.house.test_by_hand import CASES

LANTERNS = ROOT / "tests" / "docs" / "lanterns.yaml"
NAMES = ("night", "fog", "late-bell", "attic")
"""What packs on top are called; `attic` is also a name that they declare."""
SORTS = (
    *SORTS.values(), *FLOW, "pack", "step", "charm", "lantern", "coin", "shrine", "verb", "function",
    "hook", "modifier", "window", "claim", "award", "winner", "series", "change", "scenario", "zones", "", "every",
)  # fmt: skip
SENTENCES = (
    "coins += 1", "draw 1", "proceed", "do nothing", "if coins < 9: proceed", "coins += 1 then proceed",
    "rest", "await moonrise", "await dusk", "move attic to hand", "fame[red] += 1",
    "open refusal with victim = you", "announce nightfall", "cancel draw", "a toll is due", "dusk += 1",
    "let dusk = 2\ncoins += dusk",
)  # fmt: skip
KEYS = (
    "cost", "play", "attack", "steps", "id", "do", "when", "turns", "options", "each", "order", "seen-by",
    "kind", "copies", "by-players", "2", "default", "name", "text", "en", "es", "players", "languages",
    "format", "extends", "until", "phases", "awards", "then", "accepts", "fields", "effects", "colour",
    "starts", "scope", "at-least", "refill", "from", "asks", "first", "when-true", "takes", "is",
    "for-each", "while", "source", "components", "zones", "values", "pack", "change", "sum", "among",
    "changes", "per", "version",
)  # fmt: skip
DECLARED = ("attic", "dusk", "toll", "moon", "bell", "hand", "red", "buy", "lucky")
"""Names that several packs declare, some of them names of the game."""


SOUND = (
    *(text for text, _, _ in CASES.values()),
    "change: every hook\nbefore: coins += 1",
    "change: every charm where cost < 4\nset: {cost: 5}",
    "change: step/market.buy\nafter: {id: dusk, do: rounds += 1}\naround: {id: moon, when: rounds < 9}",
    "change: step/market.buy.pass\naround: |\n  if rounds < 2: proceed",
    "change: step/market.buy.play\nbefore: coins += 1",
    "change: award/light\nbefore: {id: dusk, sum: 1}\naround: proceed then rounds += 1",
    "change: award/light\naround: |\n  if rounds < 9: proceed",
    "change: phase/market\naround: {id: lucky, when: rounds < 9}",
    "change: phase/market\nafter: {id: moon, steps: [{id: x, do: rounds += 1}]}",
    "change: claim/bearer.when-true\nbefore: coins += 1",
    "change: window/refusal\nadd: {options: {dusk: coins += 1}}",
    "change: charm/feather.play\nset: draw 1\n---\ncharm: moon\ncost: 2\nplay: draw 2",
    "zones: {attic: {order: pile, seen-by: nobody}}\n---\nchange: verb/rest\nbefore: move attic to hand",
    "enumerations: {moon: [dusk, lucky]}\n---\ntracks: {toll: {scope: moon}}\n---\n"
    "change: verb/draw\nafter: toll[dusk] += 1",
    "verb: toll(s)\ndo: coins += 1\n---\nchange: step/market.count\n"
    "before: {id: bow, do: 'each p in players: p tolls'}",
    "change: pack/lanterns\nset: {players: 2 to 3, name.en: Fewer lanterns, name.es: Menos faroles}",
    "change: component/charms\nset: {copies: {was: 3, to: 2}}",
)
"""Changes without findings, alone."""


# ------------------------------------------------------------------ what there is to change

@cache
def ids() -> tuple[str, ...]:
    """The ids of the little game, with all their parts."""
    documents = read("", LANTERNS.read_text("utf-8")).documents
    anchors = Anchors(documents)
    found: dict[str, None] = {}
    for sort in SORTS:
        for place in anchors.of(sort):
            found[place.id] = None
            for path in _paths(anchors.node(place)):
                found[".".join((place.id, *path))] = None
                sort_, _, name = place.id.partition("/")
                if sort_ in FLOW:
                    found[".".join((f"step/{name}", *path))] = None
    return tuple(found)


def _paths(node: Node | None) -> Iterator[Path]:
    """All parts of a node: by keys, by ids of steps; a step's id also without the `steps` that it stands in."""
    if isinstance(node, MappingNode):
        for entry in node.entries:
            key = entry.key.text
            yield (key,)
            for path in _paths(entry.value):
                yield (key, *path)
                if key in ("steps", "options", "do"):
                    yield path
    elif isinstance(node, SequenceNode):
        for item in node.items:
            word = item.text if isinstance(item, ScalarNode) else step_id(item)
            if word is not None:
                yield (word,)
                yield from ((word, *path) for path in _paths(item))


_POINTS = st.integers(0, 1 << 20)
_KEYS = st.sampled_from(KEYS)
_NAMES = st.sampled_from(DECLARED)
_SCALARS = st.one_of(
    st.sampled_from([0, 1, 2, 7, -1, 1 << 40, 1.5, True, False, None, "", " ", ".", "x.y", "all", "*", "none"]),
    st.sampled_from(SENTENCES),
    _NAMES,
    _KEYS,
    _POINTS.map(lambda at: words()[at % len(words())]),
)
_VALUES: st.SearchStrategy[Any] = st.recursive(
    _SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS | _NAMES, inner, max_size=3),
    max_leaves=5,
)  # fmt: skip


@st.composite
def targets(draw: st.DrawFn) -> str:
    """An id: of something that is there (mostly), misspelt, or put together."""
    known = ids()
    id_ = known[draw(_POINTS) % len(known)]
    what = draw(st.integers(0, 9))
    if what == 0:
        at = draw(_POINTS) % len(id_)
        return id_[:at] + draw(st.sampled_from(["", "x", ".", "/", " ", "é"])) + id_[at + 1 :]
    if what == 1:
        return f"{draw(st.sampled_from(SORTS))}/{'.'.join(draw(st.lists(_KEYS | _NAMES, min_size=1, max_size=3)))}"
    if what == 2:
        return f"{id_}.{draw(_KEYS | _NAMES)}"
    if what == 3:
        condition = draw(st.sampled_from(["", " where cost < 4", " where it is bell", " where play is none"])
                         | _SCALARS.map(lambda word: f" where cost < {word}")
                         | _POINTS.map(lambda at: f" where {words()[at % len(words())]} has cost"))  # fmt: skip
        return f"every {draw(st.sampled_from(SORTS))}{condition}"
    if what == 4:
        return f"{draw(st.sampled_from(SORTS))}/{draw(_NAMES)}"
    return id_


def _steps(draw: st.DrawFn) -> Any:
    step = {"id": draw(_NAMES)}
    step |= draw(st.fixed_dictionaries({}, optional={
        "do": _SCALARS, "when": st.just("coins > 1"), "turns": st.just("players"), "steps": st.just([{"id": "in"}]),
        "options": st.dictionaries(_NAMES, st.sampled_from(SENTENCES), max_size=2), "while": st.just("rounds < 2"),
    }))  # fmt: skip
    return step if draw(st.booleans()) else [step]


_STEPS = st.composite(_steps)()


@st.composite
def changes(draw: st.DrawFn) -> dict[str, Any]:
    """One document `change: …`."""
    fields = st.dictionaries(
        st.lists(_KEYS | _NAMES, min_size=1, max_size=3).map(".".join),
        _VALUES | st.builds(lambda old, new: {"was": old, "to": new}, _SCALARS, _VALUES), min_size=1, max_size=2,
    )  # fmt: skip
    inserted = st.sampled_from(SENTENCES) | _STEPS | _VALUES
    found: dict[str, Any] = {"change": draw(targets())}
    for key in draw(st.lists(st.sampled_from(["set", "add", "remove", "before", "after", "around"]), min_size=1,
                             max_size=2)):  # fmt: skip
        if key in ("set", "add"):
            found[key] = draw(fields | _VALUES)
        elif key == "remove":
            found[key] = draw(st.just(True) | st.lists(_KEYS | _NAMES, min_size=1, max_size=2) | fields | _VALUES)
        else:
            found[key] = draw(inserted)
    extra = draw(st.integers(0, 19))
    if extra == 0:
        found["only-with"] = {draw(st.sampled_from(NAMES)): draw(st.sampled_from(["*", ">=1", "x", "<1", 1]))}
    elif extra == 1:
        found["matches"] = draw(st.sampled_from([0, 1, 2, "x"]))
    elif extra == 2:
        found["text"] = draw(_VALUES)
    return found


@st.composite
def declarations(draw: st.DrawFn) -> dict[str, Any]:
    """Something that a pack declares, under a name that others may use."""
    name, sentence = draw(_NAMES), draw(st.sampled_from(SENTENCES))
    return draw(st.sampled_from([
        {"zones": {name: {"order": "pile", "seen-by": "nobody"}}},
        {"tracks": {name: {"scope": "player", "at-least": 0}}},
        {"lists": {name: {"of": "player"}}},
        {"values": {name: 3}},
        {"options": {name: {"default": False}}},
        {"enumerations": {name: [draw(_NAMES), draw(_NAMES)]}},
        {"kinds": {name: {"fields": {draw(_NAMES): "0 to 9"}, "effects": {draw(_NAMES): {"optional": True}}}}},
        {name: draw(_NAMES)},
        {"charm": name, "cost": 2, "play": sentence},
        {"function": name, "is": "1"},
        {"verb": f"{name}(s)", "do": sentence},
        {"verb": f"a {name} is due", "do": sentence},
        {"messages": {name: {"en": "Hear.", "es": "Oíd."}}},
        {"hook": name, "before": "verb/draw", "do": sentence},
        {"modifier": name, "changes": "price", "is": "result + 1"},
        {"window": name, "asks": "players", "options": {draw(_NAMES): sentence}},
        {"phase": name, "steps": [{"id": draw(_NAMES), "do": sentence}]},
        {"award": name, "is": "1"},
        {"prompts": {name: {"en": "Choose.", "es": "Elige."}}},
    ]))  # fmt: skip


# ------------------------------------------------------------------ packs on top

def _text(documents: list[dict[str, Any]]) -> bytes:
    """YAML: what JSON says is YAML, too."""
    return "\n---\n".join(
        "\n".join(f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in document.items())
        for document in documents
    ).encode()


@st.composite
def changed(draw: st.DrawFn) -> Files:
    """The little game with one to three packs of random changes and declarations."""
    files: list[tuple[str, bytes]] = [("lanterns.yaml", LANTERNS.read_bytes())]
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=3, unique=True))
    for name in names:
        head = {"pack": name, "version": "1.0.0", "extends": {"lanterns": "*"}}
        others = names[: names.index(name)] or ["lanterns"]
        if draw(st.booleans()):
            head[draw(st.sampled_from(["after", "requires"]))] = {draw(st.sampled_from(others)): "*"}
        if draw(st.integers(0, 39)) == 0:
            head[draw(_KEYS)] = draw(st.dictionaries(st.sampled_from(NAMES), _SCALARS) | _VALUES)
        texts = [text.encode() for text in draw(st.lists(st.sampled_from(SOUND), max_size=2))]
        if not texts or draw(st.integers(0, 3)) == 0:
            texts.append(_text(draw(st.lists(changes() | changes() | declarations(), min_size=1, max_size=2))))
        text = b"\n---\n".join(texts)
        mutant = draw(st.integers(0, 19))
        if mutant == 0:
            text = draw(node_mutant(text))
        elif mutant == 1:
            text = draw(word_mutant(text))
        elif mutant == 2:
            at = fragments()[draw(_POINTS) % len(fragments())]
            text += f"\n---\nchange: {draw(targets())}\nset: {at}\n".encode()
        elif mutant == 3:
            text += f"\n---\nchange: {draw(targets())}\naround: |\n{draw(effects())}\n".encode()
        folder = f"{TOP}{name}"
        files += [(f"{folder}/pack.yaml", _text([head])), (f"{folder}/rules.yaml", text)]
    return tuple(files)


@cache
def shipped() -> tuple[Files, ...]:
    """The shipped house rules, each with its game."""
    packs: dict[str, Files] = {}
    for pack in sorted((ROOT / "content").iterdir()):
        paths = sorted(path for path in pack.rglob("*.yaml") if "scenarios" not in path.parts)
        packs[pack.name] = tuple((path.relative_to(pack).as_posix(), path.read_bytes()) for path in paths)
    found = []
    for name, files in packs.items():
        root = read("", dict(files).get("pack.yaml", b"").decode()).documents[:1]
        extends = root[0].root.get("extends") if root else None
        if isinstance(extends, MappingNode) and extends.keys()[0] in packs:
            game = packs[extends.keys()[0]]
            found.append((*game, *((f"{TOP}{name}/{path}", data) for path, data in files)))
    return tuple(found)


@st.composite
def mutated_rules(draw: st.DrawFn) -> Files:
    """Shipped house rules, of which something is not as it was: mostly in the rules, at times in the game."""
    files = list(shipped()[draw(_POINTS) % len(shipped())])
    own = [at for at, (name, _) in enumerate(files) if name.startswith(TOP)]
    for _ in range(draw(st.integers(1, 2))):
        at = own[draw(_POINTS) % len(own)] if draw(st.integers(0, 4)) else draw(_POINTS) % len(files)
        name, data = files[at]
        mutant = draw(st.sampled_from([byte_mutant, line_mutant, node_mutant, word_mutant, word_mutant]))
        files[at] = (name, draw(mutant(data)))
    return tuple(files)


HOUSE_RULES: st.SearchStrategy[Files] = st.one_of(changed(), changed(), changed(), changed(), mutated_rules())
