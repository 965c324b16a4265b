"""Generate JSON Schemas of a pack's own kinds from their declarations.

Fields become types, bounds, and choices; effects and expressions use the kernel's schemas. Parts without a default
are required: fields that are not lists, and effects that are not optional.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from attrs import evolve

from rulewright.ruleset.common.diagnostic import Diagnostic, Label, Span
from rulewright.ruleset.common.limits import HIGHEST, LOWEST
from rulewright.ruleset.declare.declarations import Declared, DefinitionDeclared, KindDeclared, defined
from rulewright.ruleset.documents.play import BotDocument
from rulewright.ruleset.documents.sections import DefinitionDocument
from rulewright.ruleset.language.types import BOOLEAN, NUMBER, PLAYER, Type
from rulewright.ruleset.program.scenario import COLOURS, NEUTRAL, SYMBOLS
from rulewright.ruleset.schema.check_documents import KERNEL, sound
from rulewright.ruleset.schema.explain import check_spelling
from rulewright.ruleset.schema.registry import DIALECT, bundled, inline, read_schema
from rulewright.ruleset.source.nodes import MappingNode, ScalarNode
from rulewright.ruleset.source.reader import Document

Schema = dict[str, Any]


def editor_schema(declared: Declared) -> Schema:
    """Return a self-contained schema of all documents of the pack, for editors."""
    document = read_schema("document")
    own = {key: _definition(declared, key) for key in declared.kinds}
    kernel = {branch["then"]["$ref"].partition(".")[0]: branch["then"] for branch in document["allOf"]}
    kernel["layout"] = _layout(declared)
    kernel["face"] = _face(declared)
    kernel["expect"] = _expect(declared)
    whole = _either(declared, {**kernel, **own})
    first_keys = {key: {"description": said} for key, said in _first_keys(declared, document).items()}
    return bundled({**whole, "minProperties": 1, "properties": first_keys})


def _layout(declared: Declared) -> Schema:
    """Return the schema of the pack's layout, with the names that it can list."""
    shape = {key: value for key, value in read_schema("layout").items() if not key.startswith("$")}
    names = [*declared.zones, *declared.tracks, *declared.lists, "score"]
    functions = [key for key, one in declared.functions.items() if {type_ for _, type_ in one.takes} <= {PLAYER}]
    groups, leaving = shape["properties"]["groups"], ("hidden", "untold")
    group = groups["items"]
    show = group["properties"]["show"]
    one = show["items"]
    form = one["additionalProperties"]
    zones = {
        "type": "object", "properties": dict.fromkeys(declared.zones, form), "additionalProperties": False,
        "minProperties": 1, "maxProperties": 1,
    }  # fmt: skip
    either = [{"enum": [*names, *functions]}, zones]
    listed = {**show, "items": {"description": one["description"], "anyOf": either}}
    group = {**group, "properties": {**group["properties"], "show": listed}}
    properties = {**shape["properties"], "groups": {**groups, "items": group}}
    for key in leaving:
        properties[key] = {**properties[key], "items": {**properties[key]["items"], "enum": names}}
    return {**shape, "properties": properties}


def _face(declared: Declared) -> Schema:
    """Return the schema of a face, with the names of kinds, of fields in corners, of colours, and of symbols."""
    shape = {key: value for key, value in read_schema("face").items() if not key.startswith("$")}
    properties = dict(shape["properties"])
    kinds = declared.kinds.values()
    fields = [key for kind in kinds for key, one in kind.fields.items() if not (one.many or one.per)]
    numbers = [key for kind in kinds for key, type_ in kind.expressions.items() if type_ == NUMBER]
    in_corners = {"enum": list(dict.fromkeys((*fields, *numbers)))}
    corners = properties["corners"]["properties"]
    properties["face"] = {**properties["face"], "enum": list(declared.kinds)}
    properties["corners"] = {
        **properties["corners"],
        "properties": {place: {"description": one["description"], **in_corners} for place, one in corners.items()},
    }
    colour: Schema = {"anyOf": [{"enum": [*COLOURS, NEUTRAL]}, {"type": "string", "pattern": "^#[0-9a-fA-F]{6}$"}]}
    symbol: Schema = {"anyOf": [{"enum": list(SYMBOLS)}, {"type": "string", "pattern": "[./]"}]}
    by_definition = _either_or(properties["colours"]["then"]["additionalProperties"], colour)
    whole = {**properties["colours"]["then"], "additionalProperties": by_definition}
    properties["colours"] = {**properties["colours"], "then": whole, "else": colour}
    symbols = properties["symbols"]
    properties["symbols"] = {
        **symbols,
        "additionalProperties": _either_or(symbols["additionalProperties"], symbol),
    }
    return {**shape, "properties": properties}


def _expect(declared: Declared) -> Schema:
    """Return the schema of an expectation, with the names of bots, options, kinds, and definitions."""
    shape = {key: value for key, value in read_schema("expect").items() if not key.startswith("$")}
    properties = dict(shape["properties"])
    ids = [f"{one.kind}/{key}" for key, one in declared.definitions.items()]
    properties["bot"] = {**properties["bot"], "enum": ["random", *declared.all_of(BotDocument)]}
    properties["options"] = _only(properties["options"], declared.options)
    properties["ignore"] = _only(properties["ignore"], ids)
    share = {"$ref": "words.schema.json#/$defs/threshold-share"}
    shares = {"type": "object", "minProperties": 1, "additionalProperties": share}
    for key in ("offered-in-games", "chosen-when-offered"):
        known = dict.fromkeys((*declared.kinds, *ids), share)
        properties[key] = {"description": properties[key]["description"], **shares, "properties": known}
    group = properties["groups"]["additionalProperties"]
    kind = {**group["properties"]["kind"], "enum": list(declared.kinds)}
    group = {**group, "properties": {**group["properties"], "kind": kind}}
    properties["groups"] = {**properties["groups"], "additionalProperties": group}
    return {**shape, "properties": properties}


def _only(shape: Schema, names: Iterable[str]) -> Schema:
    """Return the schema of a mapping that has no other keys than these."""
    return {
        **shape,
        "properties": dict.fromkeys(names, shape["additionalProperties"]),
        "additionalProperties": False,
    }


def _either_or(shape: Schema, one: Schema) -> Schema:
    """Return a schema of one value, or of several by name, with other values."""
    return {**shape, "then": {**shape["then"], "additionalProperties": one}, "else": one}


def schema_text(declared: Declared) -> str:
    """Return the contents of the pack's schema file."""
    return json.dumps(editor_schema(declared), indent=1, ensure_ascii=False) + "\n"


def definition_schema(declared: Declared, kind: str, poisoned: Iterable[str] = ()) -> Schema:
    """Return the self-contained schema of the documents of one kind. Parameters are as in `_definition`."""
    derived = declared.kinds[kind].derived  # a value that is written has a finding of its own
    return inline(_definition(declared, kind, (*poisoned, *derived)))


def _first_keys(declared: Declared, document: Schema) -> dict[str, str]:
    kernel = {key: value["description"] for key, value in document["properties"].items()}
    return {**kernel, **{key: f"A definition of the kind `{key}`." for key in declared.kinds}}


def _either(declared: Declared, schemas: dict[str, Schema]) -> Schema:
    """Select schemas by the first key of a document.

    A schema applies to documents with its key, unless the key is only a field of another kind that is present.
    """
    known = {key: _keys(schema) for key, schema in schemas.items()}
    branches: list[Schema] = []
    for key, schema in schemas.items():
        others = [other for other in schemas if other != key and key in known[other] and other not in known[key]]
        test: Schema = {"required": [key]}
        if others:
            test["not"] = {"anyOf": [{"required": [other]} for other in others]}
        branches.append({"if": test, "then": schema})
    title = f"A document of the pack `{declared.pack}`"
    return {"$schema": DIALECT, "title": title, "type": "object", "allOf": branches}


def _keys(schema: Schema) -> Iterable[str]:
    reference = schema.get("$ref")
    whole = read_schema(reference.partition(".")[0]) if isinstance(reference, str) else schema
    return tuple(whole["properties"])


def _definition(declared: Declared, key: str, poisoned: Iterable[str] = ()) -> Schema:
    """Return the schema of one kind. `poisoned` names may occur in it with any value."""
    kind = declared.kinds[key]
    common = {name: one for name, one in read_schema("definition")["properties"].items() if name != "remembers"}
    properties: dict[str, Any] = {key: {"description": f"The name of this {key}.", "type": "string"}, **common}
    required = [key]
    for name, field in kind.fields.items():
        if field.derived:
            continue
        one = _value(declared, kind, name, field.type)
        properties[name] = _several(one) if field.many or field.per_copy else one
        if field.per:
            properties[name] = _per_member(one, declared.enumerations[field.per][1], name in kind.defaults)
        if name not in kind.defaults and not field.many:
            required.append(name)
    for name, effect in kind.effects.items():
        properties[name] = {"$ref": "step.schema.json#/$defs/body", "description": _effect_words(effect.parameters)}
        if effect.per_copy:
            properties[name] = _per_copy(properties[name])
        if not effect.optional and name not in kind.defaults:
            required.append(name)
    for name, type_ in kind.expressions.items():
        words = f"An expression of type `{type_}`."
        properties[name] = {"$ref": "words.schema.json#/$defs/expression", "description": words}
    if kind.remembers:
        properties["remembers"] = {
            "$ref": "words.schema.json#/$defs/takes",
            "description": f"Values that its effects share during one `{kind.remembers}`, each with its type.",
        }
    for name in poisoned:
        properties.setdefault(name, True)
    return {
        "description": f"A definition of the kind `{key}`.",
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
        "x-hint": {"required": "to make a key optional, add `default` or `optional: true` in its kind"},
    }


def _value(declared: Declared, kind: KindDeclared, name: str, type_: Type) -> Schema:
    if type_ == NUMBER:
        low, high = kind.ranges.get(name, (LOWEST, HIGHEST))
        words = f"A number: {low} to {high}." if name in kind.ranges else "A number."
        return {"description": words, "type": "integer", "minimum": low, "maximum": high}
    if type_ == BOOLEAN:
        return {"description": "True or false.", "type": "boolean"}
    if type_.name == "enumeration":
        members = list(declared.enumerations[type_.of][1])
        return {"description": f"A member of `{type_.of}`.", "enum": members}
    return {"description": f"A {type_}.", "type": "string"}


def _several(one: Schema) -> Schema:
    """Allow a list or a single value. Schemas are selected by the type of the value, never by `oneOf`."""
    words = f"{one['description'].removesuffix('.')}, or a list of them."
    alone = {key: value for key, value in one.items() if key != "description"}
    return {"description": words, "if": {"type": "array"}, "then": {"items": one}, "else": alone}


def _per_member(one: Schema, members: Iterable[str], default: bool) -> Schema:
    """Allow a value for each member, or one for all of them."""
    words = f"{one['description'].removesuffix('.')} for each member, or one for all."
    values: Schema = {"properties": dict.fromkeys(members, one), "additionalProperties": False}
    if not default:
        values["required"] = list(members)
    alone = {key: value for key, value in one.items() if key != "description"}
    return {"description": words, "if": {"type": "object"}, "then": values, "else": alone}


def _per_copy(body: Schema) -> Schema:
    """Allow one effect, or a list with one for each copy."""
    words = f"{body['description'].removesuffix('.')}: one, or a list with one for each copy."
    return {"description": words, "if": {"type": "array"}, "then": {"items": body}, "else": body}


def _effect_words(parameters: tuple[tuple[str, Type], ...]) -> str:
    if not parameters:
        return "An effect."
    return "An effect that takes " + ", ".join(f"`{name}` (a {type_})" for name, type_ in parameters) + "."


# ---- Check definitions of a pack's own kinds against the schemas that their kinds generate
#
# Wrong parts of a definition are removed, so that no later pass reports them again; its name and the rest
# remain.

def check_instances(
    declared: Declared, documents: Iterable[Document], poisoned: frozenset[str] = frozenset()
) -> tuple[Declared, tuple[Diagnostic, ...]]:
    """Return the declarations without wrong parts of definitions, and the findings."""
    schemas = {key: definition_schema(declared, key, poisoned) for key in declared.kinds}
    found: list[Diagnostic] = []
    wrong: dict[Span, tuple[MappingNode, set[Span]]] = {}
    for document in documents:
        if document.kind in KERNEL or document.kind not in schemas:
            continue
        label = Label(declared.kinds[document.kind].span, "the kind is declared here")
        first = document.root.entries[0].value
        spelt = check_spelling(document, schemas[document.kind])
        findings = [
            evolve(finding, labels=(*finding.labels, label))
            for finding in (*spelt.keys, *spelt.others)
            if not (isinstance(first, ScalarNode) and finding.span == first.span)  # a bad name has its own finding
        ]
        found.extend(findings)
        if findings:
            wrong[first.span] = spelt.document.root, {finding.span for finding in spelt.others}
    definitions = {
        key: _without(declared, one, *wrong[one.span]) if one.span in wrong else one
        for key, one in declared.definitions.items()
    }
    return evolve(declared, definitions=definitions), tuple(found)


def _without(
    declared: Declared, definition: DefinitionDeclared, root: MappingNode, places: set[Span]
) -> DefinitionDeclared:
    first, *rest = root.entries
    body = MappingNode((first, *sound(rest, places)), definition.body.span)
    if not isinstance(first.value, ScalarNode):
        return evolve(definition, body=body)
    return defined(declared.kinds[definition.kind], body, DefinitionDocument.read(first.value, body))
