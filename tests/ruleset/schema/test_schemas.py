"""The schemas are valid, complete, and up to date; findings about shapes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from rulewright.ruleset.declare.declarations import Declared
from rulewright.ruleset.declare.declare import declare
from rulewright.ruleset.declare.kind_schemas import check_instances, editor_schema
from rulewright.ruleset.documents.kinds import SECTIONS, SINGLES
from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.pipeline import load_files
from rulewright.ruleset.schema.check_documents import KERNEL, check_shapes
from rulewright.ruleset.schema.registry import BASE, SUFFIX, bundled, inlined, read_schema
from rulewright.ruleset.source.nodes import plain
from rulewright.ruleset.source.pack_files import PackFiles, read_pack
from rulewright.ruleset.source.reader import Document, read_documents
from rulewright.tools.packs.loading import load_pack_set, pack_set_of

ROOT = Path(__file__).parents[3]
SHARED = ("definition", "document", "step", "texts", "words")
NAMES = sorted(path.name.removesuffix(SUFFIX) for path in (ROOT / "schemas").glob(f"*{SUFFIX}"))
PACKS = sorted(path.parent for path in ROOT.glob("content/*/pack.yaml"))
ALL_PACKS = [*PACKS, *sorted(path.parent for path in ROOT.glob("tests/packs/*/pack.yaml"))]


def documents_of(folder: Path) -> tuple[Document, ...]:
    files = read_pack(folder).files
    return tuple(one for name, data in files for one in read_documents(name, data.decode())[0])


def declared_of(folder: Path) -> Declared:
    """What a pack declares, with the packs that it builds on."""
    return loaded_of(folder).declared


def loaded_of(folder: Path) -> Loaded:
    return load_pack_set(pack_set_of([read_pack(folder)]))


def findings(*texts: str) -> list[tuple[str, str, str, str | None]]:
    """Findings of shape of a pack with these documents: code, line and column, message, hint."""
    text = "\n---\n".join(texts)
    documents, problems = read_documents("f.yaml", text)
    assert problems == ()
    good, poisoned, found = check_shapes(documents)
    _, more = check_instances(declare(good, poisoned)[0], good)
    return [(f.code, f"{f.span.line}:{f.span.column}", f.message, f.hint) for f in (*found, *more)]


def parts(schema: Any) -> Iterator[dict[str, Any]]:
    """Every schema inside of a schema."""
    if isinstance(schema, dict):
        yield schema
        for value in schema.values():
            yield from parts(value)
    elif isinstance(schema, list):
        for item in schema:
            yield from parts(item)


# ------------------------------------------------------------------ the files

def test_there_is_one_for_each_first_key() -> None:
    assert sorted([*SECTIONS, *SINGLES, "pack", *SHARED]) == NAMES
    assert set(KERNEL) == set(NAMES).difference(SHARED)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_each_is_a_schema(name: str) -> None:
    schema = read_schema(name)
    Draft202012Validator.check_schema(schema)
    Draft202012Validator.check_schema(bundled(schema, name))
    assert schema["$id"] == f"{BASE}{name}{SUFFIX}"
    assert schema["title"] and schema["description"]


@pytest.mark.parametrize("name", NAMES)
def test_each_says_what_its_keys_are(name: str) -> None:
    """Editors show descriptions. Parts that only exclude keys or narrow others need none."""
    told = [*read_schema(name).get("$defs", {}).values(), read_schema(name)]
    for part in [one for whole in told for one in parts(whole)]:
        if part.get("additionalProperties") is False:
            for key, value in part.get("properties", {}).items():
                assert value.get("description") or read_reference(value["$ref"], name)["description"], key


def read_reference(reference: str, name: str) -> dict[str, Any]:
    file, _, pointer = reference.partition("#/$defs/")
    schema = read_schema(file.removesuffix(SUFFIX) or name)
    found: dict[str, Any] = schema["$defs"][pointer] if pointer else schema
    return found


@pytest.mark.parametrize("name", [name for name in NAMES if name in KERNEL])
def test_each_allows_no_other_keys(name: str) -> None:
    schema = read_schema(name)
    assert schema["additionalProperties"] is False
    assert schema["required"][0] == name == next(iter(schema["properties"]))
    assert {"source", "text"} <= set(schema["properties"])


@pytest.mark.parametrize("name", NAMES)
def test_none_uses_one_of(name: str) -> None:
    assert not any("oneOf" in part for part in parts(read_schema(name)))


def test_document_tells_them_apart() -> None:
    """Its branches hold for documents with their first key, unless that is only a field of another one there."""
    document = read_schema("document")
    assert list(document["properties"]) == list(KERNEL)
    for kind, branch in zip(KERNEL, document["allOf"], strict=True):
        others = [o for o in KERNEL if o != kind and kind in read_schema(o)["properties"]]
        test: dict[str, Any] = {"required": [kind]}
        if others:
            test["not"] = {"anyOf": [{"required": [other]} for other in others]}
        assert branch == {"if": test, "then": {"$ref": f"{kind}{SUFFIX}"}}


def test_inlined_refers_only_to_what_contains_itself() -> None:
    for kind in KERNEL:
        schema = inlined(kind)
        references = {part["$ref"] for part in parts(schema) if "$ref" in part}
        assert references == {f"#/$defs/{key}" for key in schema.get("$defs", {})}
    assert "$defs" not in inlined("zones")


# ------------------------------------------------------------------ packs

@pytest.mark.parametrize("folder", ALL_PACKS, ids=lambda folder: str(folder.name))
def test_packs_have_the_right_shape(folder: Path) -> None:
    documents = documents_of(folder)
    good, poisoned, found = check_shapes(documents)
    assert (good, poisoned, found) == (documents, (), ())
    assert check_instances(declare(good, poisoned)[0], good)[1] == ()


@pytest.mark.slow
@pytest.mark.parametrize("folder", ALL_PACKS, ids=lambda folder: str(folder.name))
def test_editors_find_no_fault_with_packs(folder: Path) -> None:
    """An editor has only the one generated schema and no file beside it."""
    declared = declared_of(folder)
    schema = editor_schema(declared)
    Draft202012Validator.check_schema(schema)
    assert all(part["$ref"].startswith("#/$defs/") for part in parts(schema) if isinstance(part.get("$ref"), str))
    validator = Draft202012Validator(schema)
    for document in documents_of(folder):
        assert [error.message for error in validator.iter_errors(plain(document.root))] == []


def test_a_field_with_the_name_of_a_kind_changes_no_kind() -> None:
    texts = ("pack: p\nplayers: 2", "kinds:\n  torch: {}\n  hook-on: {fields: {torch: torch, verb: number}}")
    documents, _ = read_documents("f.yaml", "\n---\n".join([*texts, "torch: a", "hook-on: b\ntorch: a\nverb: 1"]))
    schema = editor_schema(declare(documents, ())[0])
    validator = Draft202012Validator(schema)
    assert all(validator.is_valid(plain(document.root)) for document in documents)
    assert not validator.is_valid({"torch": "a", "glow": 1})
    assert not validator.is_valid({"hook-on": "b", "torch": "a", "verb": "x"})
    assert not validator.is_valid({"verb": "x"})


def test_editors_complete_the_names_of_a_layout() -> None:
    schema = editor_schema(declared_of(ROOT / "tests" / "packs" / "bazaar"))
    validator = Draft202012Validator(schema)
    for shown, right in {"shelf": True, "coins": True, "boasters": True, "score": True, "shelves": False}.items():
        assert validator.is_valid({"layout": "a", "groups": [{"show": [shown]}]}) is right, shown
    assert validator.is_valid({"layout": "a", "groups": [{"show": [{"shelf": "top"}]}], "hidden": ["deck"]})
    assert not validator.is_valid({"layout": "a", "groups": [{"show": [{"coins": "top"}]}]})
    assert not validator.is_valid({"layout": "a", "groups": [{"show": ["deck"]}], "hidden": ["decks"]})


def test_editors_complete_the_names_on_a_face() -> None:
    kinds = "kinds: {torch: {fields: {oil: number, parts: list of number}, expressions: {light: number}}}"
    documents, _ = read_documents("f.yaml", f"pack: p\nplayers: 2\n---\n{kinds}")
    validator = Draft202012Validator(editor_schema(declare(documents, ())[0]))
    for face, right in {
        "torch": True, "torhc": False, "torch\ncorners: {top-left: oil, top-right: light}": True,
        "torch\ncorners: {top-left: parts}": False, "torch\ncorners: {middle: oil}": False,
        "torch\nsymbols: {oil: drop}": True, "torch\nsymbols: {oil: dorp}": False,
        "torch\nsymbols: {oil: art/oil.svg}": True, "torch\nsymbols: {size: {big: sun}}": True,
        "torch\nsymbols: {size: {big: snu}}": False, "torch\ncolours: green": True, "torch\ncolours: reen": False,
        'torch\ncolours: "#a02020"': True, 'torch\ncolours: "#a020"': False,
        "torch\ncolours: {a: {b: red}, c: teal}": True, "torch\ncolours: {a: {b: rde}}": False,
    }.items():  # fmt: skip
        (document,) = read_documents("g.yaml", f"face: {face}")[0]
        assert validator.is_valid(plain(document.root)) is right, face


# ------------------------------------------------------------------ findings

KINDS = """\
kinds:
  lamp:
    fields: {oil: 0 to 9, lit: boolean, marks: {type: number, default: 0}, tags: list of hue}
    effects: {glow: {}, burn: {per: copy, optional: true}}"""
HUES = "enumerations: {hue: [red, green]}"
LAMP = "lamp: dim\noil: 1\nlit: false\nglow: shine"

CASES: list[tuple[tuple[str, ...], list[tuple[str, str, str, str | None]]]] = [
    (
        ("zones: {hand: {scop: player}}",),
        [("RW201", "1:16", "`hand` has no key `scop`", "did you mean `scope`?")],
    ),
    (
        ("zones: {hand: {order: heap}}",),
        [("RW204", "1:23", 'expected `bag`, `row` or `pile` for `order`, found the text "heap"', None)],
    ),
    (
        ("kinds: {a: {}}\nzones: {hand: {}}",),
        [
            (
                "RW201",
                "2:1",
                "`kinds` has no key `zones`",
                "this document contains the section `kinds`; other sections begin after a line `---`",
            )
        ],
    ),
    (
        ("verb: shine",),
        [("RW202", "1:1", "`verb` requires `do`", "for example `do: draw 1`")],
    ),
    (
        ("verb: shine\ndo: 3",),
        [
            (
                "RW203",
                "2:5",
                "expected an effect, found 3: an effect is a sentence, such as `draw 2`, a step, or "
                "a list of steps",
                "write a sentence, or several lines after `|`",
            )
        ],
    ),
    (
        ("verb: shine\ndo: [draw 1, draw 2]",),
        [
            (
                "RW203",
                "2:6",
                "expected a list of steps, found a sentence",
                "join sentences with `then`, or write them as lines after `|`",
            ),
            (
                "RW203",
                "2:14",
                "expected a list of steps, found a sentence",
                "join sentences with `then`, or write them as lines after `|`",
            ),
        ],
    ),
    (
        ("phase: night\nsteps:\n  - id: a\n    turns: players\n    while: true\n    do: rest",),
        [
            (
                "RW209",
                "5:12",
                "`turns` and `while` cannot be used together",
                "put the step with `turns` inside the one with `while`, under `steps`",
            )
        ],
    ),
    (
        ("phase: night\nsteps:\n  - {id: a, do: rest, options: {rest: rest}}",),
        [
            (
                "RW209",
                "3:32",
                "`do` and `options` cannot be used together",
                "keep one of them, and move the other to a separate step",
            )
        ],
    ),
    (
        ("phase: night\nsteps:\n  - do: rest",),
        [
            (
                "RW202",
                "3:5",
                "a step requires an `id`, so that house rules and hooks can refer to it",
                "add `id: NAME`",
            )
        ],
    ),
    (
        ("hook: late\ndo: rest",),
        [
            (
                "RW202",
                "1:1",
                "a hook requires one of `before`, `after`, and `instead-of`",
                "for example `after: verb/draw`",
            )
        ],
    ),
    (
        ("hook: late\nbefore: verb/rest\nafter: verb/rest\ndo: rest",),
        [("RW209", "3:8", "`before` and `after` cannot be used together", "keep one of them")],
    ),
    (
        ("award: most\nsum: 1\nprizes: [1]",),
        [("RW209", "3:9", "`prizes` goes with `rank`, not with `sum`", "remove it")],
    ),
    (
        ("options: {ending: {default: late}}",),
        [
            (
                "RW203",
                "1:29",
                'expected `true` or `false` for `default`, found the text "late"',
                "for other choices, add `one-of: [NAME, NAME]` or `number: 1 to 5`",
            )
        ],
    ),
    (
        ("values: {wages: {by-players: {20: 1}}}",),
        [
            (
                "RW205",
                "1:31",
                "`20` is not a number of players",
                "expected a number from 1 to 12, or `default` for the others",
            )
        ],
    ),
    (
        ("kinds: {phase: {}}",),
        [("RW210", "1:9", "`phase` is a built-in kind of document", "choose another name")],
    ),
    (
        ("kinds: {face: {}, home: {}}",),
        [
            ("RW210", "1:9", "`face` is a built-in kind of document", "choose another name"),
            ("RW210", "1:19", "`home` is already a key of every definition", "choose another name"),
        ],
    ),
    (
        ("kinds: {lamp: {fields: {when: number}, effects: {remembers: {}}}}",),
        [
            ("RW210", "1:25", "`when` is already a key of every definition", "choose another name"),
            ("RW210", "1:50", "`remembers` is already a key of every definition", "choose another name"),
        ],
    ),
    ((HUES, KINDS, LAMP), []),
    ((HUES, KINDS, LAMP + "\ntags: red\nburn: [rest, {do: rest}]\nmarks: 2"), []),
    (
        (HUES, KINDS, "lamp: dim\noil: 10\nlit: yes\ntags: [red, blue]\nshine: 1"),
        [
            (
                "RW202",
                "8:1",
                "`lamp` requires `glow`",
                "to make a key optional, add `default` or `optional: true` in its kind",
            ),
            ("RW206", "9:6", "expected 0 to 9 for `oil`, found the number 10", None),
            ("RW203", "10:6", 'expected `true` or `false` for `lit`, found the text "yes"', "write `true`"),
            ("RW204", "11:13", 'expected `red` or `green` for item 2 of `tags`, found the text "blue"', None),
            ("RW201", "12:1", "`lamp` has no key `shine`", None),
        ],
    ),
]


@pytest.mark.parametrize(("texts", "expected"), CASES)
def test_findings(texts: tuple[str, ...], expected: list[tuple[str, str, str, str | None]]) -> None:
    found = findings(*texts)
    assert [f[:3] for f in found] == [e[:3] for e in expected]
    for got, wanted in zip(found, expected, strict=True):
        assert wanted[3] is None or got[3] == wanted[3]


def test_one_wrong_entry_takes_no_other_away() -> None:
    text = "zones:\n  deck: {inverse: pile}\n  hand: {scope: player}\n"
    documents, _ = read_documents("f.yaml", text)
    good, faulty, found = check_shapes(documents)
    declared, poisoned, _ = declare(good, faulty)
    assert [f.code for f in found] == ["RW201"]
    assert list(declared.zones) == ["hand"]
    assert "deck" in poisoned
    assert "hand" not in poisoned


def test_aliases_take_away_all_that_share_the_mistake() -> None:
    text = "zones:\n  deck: &deck {inverse: pile}\n  discard: *deck\n  hand: {}\n"
    documents, _ = read_documents("f.yaml", text)
    good, faulty, _ = check_shapes(documents)
    declared, _, _ = declare(good, faulty)
    assert list(declared.zones) == ["hand"]


def test_findings_of_shape_have_no_echo() -> None:
    """What is wrong in shape is said once; what uses it is not called wrong as well."""
    texts = (
        "pack: p\nplayers: 2",
        "enumerations: {hue: [red, green]}",
        "kinds:\n  lamp: {fields: {oil: 0 to 9, hue: hue}, effects: {glow: {}}}\n  moth: {feilds: {wings: number}}",
        "components:\n  lamps: {kind: lamp, starts: deck, home: deck}\n  moths: {kind: moth, starts: deck}",
        "zones:\n  deck: {order: pile}\n  pit: {ordr: pile}",
        "lamp: dim\noil: many\nhue: red\nglow: 4",
        "moth: grey\nwings: 2",
        "verb: sink(s)\ndoo: do nothing",
        "setup: start\nsteps:\n  - id: a\n    do: |\n      move deck to pit\n      each p in players: p sinks",
    )
    files = PackFiles(Path(), (("pack.yaml", "\n---\n".join(texts).encode()),))
    found = load_files(files).findings
    assert [(f.code, f.message) for f in found] == [
        ("RW201", "`moth` has no key `feilds`"),
        ("RW201", "`pit` has no key `ordr`"),
        ("RW203", 'expected a whole number for `oil`, found the text "many"'),
        (
            "RW203",
            "expected an effect, found 4: an effect is a sentence, such as `draw 2`, a step, or a list of steps",
        ),
        ("RW201", "`verb` has no key `doo`"),
    ]


@pytest.mark.slow
def test_shipped_packs_load() -> None:
    for folder in PACKS:
        assert loaded_of(folder).findings == ()
