"""Errors of JSON Schema as findings in an author's words."""

from __future__ import annotations

from typing import Any

import pytest

from rulewright.ruleset.common.diagnostic import Diagnostic
from rulewright.ruleset.schema.explain import check_shape
from rulewright.ruleset.source.reader import read_documents

GADGET = {
    "properties": {
        "gadget": {
            "type": "string",
            "pattern": "^[a-z-]+$",
            "x-hint": "small letters, with `-` between words",
        },
        "copies": {"type": "integer", "minimum": 1, "maximum": 12},
        "order": {"enum": ["bag", "row", "pile"]},
        "premium": {"type": "string", "examples": ["draw 1"]},
        "tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": True, "minItems": 1},
        "supply": {"type": ["string", "array"]},
        "refill": {
            "type": "object",
            "properties": {"from": {"type": "string"}, "shuffled": {"type": "boolean"}},
            "required": ["from"],
            "additionalProperties": False,
        },
        "amount": {"anyOf": [{"type": "integer"}, {"type": "string"}, {"$ref": "#/$defs/table"}]},
        "version": {"type": "string", "pattern": "^\\d+$", "x-message": "`{value}` is no version"},
        "weight": {"type": "number", "exclusiveMinimum": 0},
        "both": {"prefixItems": [{"type": "string"}, {"type": "string"}], "items": False},
        "pair": {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2},
    },
    "required": ["premium"],
    "dependentRequired": {"order": ["copies"]},
    "not": {"required": ["supply", "amount"]},
    "additionalProperties": False,
}
TOOL = {
    "properties": {"tool": {"type": "string"}, "steps": {"type": "array", "items": {"$ref": "#/$defs/step"}}},
    "unevaluatedProperties": False,
}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "allOf": [
        {"if": {"required": ["gadget"]}, "then": GADGET},
        {"if": {"required": ["tool"]}, "then": TOOL},
    ],
    "$defs": {
        "table": {
            "type": "object",
            "properties": {"by-players": {"type": "object", "propertyNames": {"pattern": "^(\\d+|default)$"}}},
            "required": ["by-players"],
            "additionalProperties": False,
        },
        "step": {
            "type": "object",
            "properties": {"id": {"type": "string"}, "do": {"type": "string"}, "each": False},
            "required": ["id"],
            "additionalProperties": False,
        },
    },
}


def check(text: str) -> tuple[Diagnostic, ...]:
    documents, problems = read_documents("f.yaml", text)
    assert problems == ()
    (document,) = documents
    return check_shape(document, SCHEMA)


def found(text: str) -> list[tuple[str, str, str, str | None]]:
    return [(f.code, f"{f.span.line}:{f.span.column}", f.message, f.hint) for f in check(text)]


GOOD = "gadget: lamp\npremium: draw 1\n"

CASES = [
    (
        GOOD + "tagz: [a]\n",
        ("RW201", "3:1", "`gadget` has no key `tagz`", "did you mean `tags`?"),
    ),
    (
        "gadget: lamp\nprmium: draw 1\n",  # the misspelt key hides the missing one
        ("RW201", "2:1", "`gadget` has no key `prmium`", "did you mean `premium`?"),
    ),
    (
        GOOD + "refill:\n  from: home\nshuffled: true\n",
        (
            "RW201", "5:1",
            "`gadget` has no key `shuffled`",
            "is it indented too little or too much?",
        ),
    ),
    (
        GOOD + "refill: {from: home, sparkle: 1}\n",
        ("RW201", "3:22", "`refill` has no key `sparkle`", "known keys: `shuffled`"),
    ),
    (
        "gadget: lamp\ncopies: 2\n",
        ("RW202", "1:1", "`gadget` requires `premium`", "for example `premium: draw 1`"),
    ),
    (
        GOOD + "refill:\n  shuffled: true\n",
        ("RW202", "3:1", "`refill` requires `from`", None),
    ),
    (
        "tool: saw\nsteps:\n  - do: x\n",
        ("RW202", "3:5", "`steps` requires `id`", None),
    ),
    (
        GOOD + "copies: three\n",
        ("RW203", "3:9", 'expected a whole number for `copies`, found the text "three"', None),
    ),
    (
        GOOD + "copies: '3'\n",
        (
            "RW203", "3:9",
            'expected a whole number for `copies`, found the text "3"',
            "write `3`, without quotes",
        ),
    ),
    (
        GOOD + "copies: 3.0\n",
        ("RW203", "3:9", "expected a whole number for `copies`, found the number 3.0", "write `3`"),
    ),
    (
        GOOD + "copies: true\n",
        ("RW203", "3:9", "expected a whole number for `copies`, found `true`", None),
    ),
    (
        GOOD + "copies:\n",
        (
            "RW203", "3:8",
            "expected a whole number for `copies`, found nothing",
            "write a value after the `:`, or remove the key",
        ),
    ),
    (
        GOOD + "refill: {from: 12}\n",
        (
            "RW203", "3:16",
            "expected text for `from`, found the number 12",
            'put it in quotes: `"12"`',
        ),
    ),
    (
        GOOD + "refill: {from: x, shuffled: yes}\n",
        ("RW203", "3:29", 'expected `true` or `false` for `shuffled`, found the text "yes"', "write `true`"),
    ),
    (
        GOOD + "tags: one\n",
        (
            "RW203", "3:7",
            'expected a list for `tags`, found the text "one"',
            "write a list: `[one]`",
        ),
    ),
    (
        GOOD + "tags: [one, 2]\n",
        (
            "RW203", "3:13",
            "expected text for item 2 of `tags`, found the number 2",
            'put it in quotes: `"2"`',
        ),
    ),
    (
        GOOD + "supply:\n  a: 1\n  b: 2\n",
        ("RW203", "3:1", "expected text or a list for `supply`, found `key: value` lines", None),
    ),
    (
        GOOD + "amount: [1]\n",
        (
            "RW203", "3:9",
            "expected a whole number, text or `key: value` lines for `amount`, found a list",
            None,
        ),
    ),
    (
        GOOD + "order: rwo\ncopies: 1\n",
        (
            "RW204", "3:8",
            'expected `bag`, `row` or `pile` for `order`, found the text "rwo"',
            "did you mean `row`?",
        ),
    ),
    (
        "gadget: Lamp_1\npremium: x\n",
        (
            "RW205", "1:9",
            'the text "Lamp_1" is not a valid value for `gadget`',
            "small letters, with `-` between words",
        ),
    ),
    (
        GOOD + "version: one\n",
        ("RW205", "3:10", "`one` is no version", "it must match the regular expression `^\\d+$`"),
    ),
    (
        GOOD + "amount: {by-players: {two: 2}}\n",  # the deepest branch of `anyOf`
        (
            "RW205", "3:23",
            'the text "two" is not a valid key',
            "it must match the regular expression `^(\\d+|default)$`",
        ),
    ),
    (
        GOOD + "amount: {by-playes: {2: 2}}\n",
        ("RW201", "3:10", "`amount` has no key `by-playes`", "did you mean `by-players`?"),
    ),
    (
        GOOD + "copies: 13\n",
        ("RW206", "3:9", "expected 1 to 12 for `copies`, found the number 13", None),
    ),
    (
        GOOD + "weight: 0\n",
        ("RW206", "3:9", "expected more than 0 for `weight`, found the number 0", None),
    ),
    (
        GOOD + "tags: []\n",
        ("RW207", "3:7", "`tags` has no items; expected at least 1 item", None),
    ),
    (
        GOOD + "pair: [1, 2, 3]\n",
        ("RW207", "3:7", "`pair` has 3 items; expected 2 items", None),
    ),
    (
        GOOD + "both: [a, b, c]\n",
        ("RW207", "3:7", "`both` has 3 items; expected at most 2 items", None),
    ),
    (
        GOOD + "tags: [one, two, one]\n",
        ("RW208", "3:18", 'the text "one" appears twice in `tags`', "remove one of them"),
    ),
    (
        GOOD + "order: row\n",
        ("RW209", "3:1", "`order` requires `copies`", "add `copies`"),
    ),
    (
        GOOD + "supply: x\namount: 1\n",
        ("RW209", "1:1", "`supply` and `amount` cannot be used together", "keep one of them"),
    ),
    (
        "tool: saw\nsteps:\n  - {id: a, each: b}\n",
        ("RW201", "3:13", "`steps` cannot have `each` here", "remove it"),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_findings(text: str, expected: tuple[str, str, str, str | None]) -> None:
    assert found(text) == [expected]


def test_good_documents_have_none() -> None:
    assert (
        check(GOOD + "copies: 3\ntags: [a, b]\nrefill: {from: x}\namount: {by-players: {2: 1, default: 2}}\n") == ()
    )
    assert check("tool: saw\nsteps: [{id: a, do: b}]\n") == ()


def test_independent_errors_are_all_found_in_order() -> None:
    text = "gadget: Lamp\ncopies: 0\ntagz: [a]\nrefill:\n  form: x\n  shuffled: 1\n"
    assert [(code, place) for code, place, *_ in found(text)] == [
        ("RW202", "1:1"),
        ("RW205", "1:9"),
        ("RW206", "2:9"),
        ("RW201", "3:1"),
        ("RW201", "5:3"),
        ("RW203", "6:13"),
    ]


def test_an_error_inside_makes_no_key_unknown() -> None:
    """With `unevaluatedProperties` a failing branch evaluates nothing; its keys are known all the same."""
    assert [(code, place) for code, place, *_ in found("tool: 1\nsteps: [{id: 2}]\n")] == [
        ("RW203", "1:7"),
        ("RW203", "2:14"),
    ]
    assert [(code, place) for code, place, *_ in found("tool: 1\nsteppes: []\n")] == [
        ("RW203", "1:7"),
        ("RW201", "2:1"),
    ]


def test_repeated_items_point_to_the_first() -> None:
    (finding,) = check(GOOD + "tags: [one, two, one]\n")
    assert [(label.span.column, label.text) for label in finding.labels] == [(8, "first here")]


def test_messages_by_keyword() -> None:
    schema = {
        "type": "object",
        "x-message": {"required": "say what `{key}` is", "additionalProperties": "`{key}` is for experts"},
        "x-hint": {"required": "write it"},
        "properties": {"gadget": True},
        "required": ["name"],
        "additionalProperties": False,
    }
    (document,), _ = read_documents("f.yaml", "gadget: x\nother: y\n")
    findings = check_shape(document, schema)
    assert [(f.message, f.hint) for f in findings] == [
        ("say what `name` is", "write it"),
        ("`other` is for experts", None),
    ]


def test_raw_words_of_the_validator_never_show() -> None:
    for text, _ in CASES:
        for _, _, message, _ in found(text):
            for raw in (
                "is not of type",
                "Additional properties",
                "required property",
                "does not match",
                "valid under",
            ):
                assert raw not in message


def test_other_schemas_through_a_registry() -> None:
    from referencing import Registry
    from referencing.jsonschema import DRAFT202012

    contents = {"$id": "urn:common", "$defs": {"name": {"type": "string"}}}
    registry: Any = Registry().with_resource("urn:common", DRAFT202012.create_resource(contents))
    schema = {"type": "object", "properties": {"gadget": {"$ref": "urn:common#/$defs/name"}}}
    (document,), _ = read_documents("f.yaml", "gadget: 1\n")
    assert [f.code for f in check_shape(document, schema, registry)] == ["RW203"]
