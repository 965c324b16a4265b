"""Check definitions of a pack's own kinds against the schemas that their kinds generate.

Wrong parts of a definition are removed, so that no later pass reports them again; its name and the rest remain.
"""

from __future__ import annotations

from collections.abc import Iterable

from attrs import evolve

from rulewright.ruleset.common.diagnostic import Diagnostic, Label
from rulewright.ruleset.common.span import Span
from rulewright.ruleset.declare.declarations import Declared, DefinitionDeclared, defined
from rulewright.ruleset.declare.kind_schemas import definition_schema
from rulewright.ruleset.documents.sections import DefinitionDocument
from rulewright.ruleset.schema.check_documents import KERNEL, sound
from rulewright.ruleset.schema.explain import check_spelling
from rulewright.ruleset.source.nodes import Mapping, Scalar
from rulewright.ruleset.source.reader import Document


def check_instances(
    declared: Declared, documents: Iterable[Document], poisoned: frozenset[str] = frozenset()
) -> tuple[Declared, tuple[Diagnostic, ...]]:
    """Return the declarations without wrong parts of definitions, and the findings."""
    schemas = {key: definition_schema(declared, key, poisoned) for key in declared.kinds}
    found: list[Diagnostic] = []
    wrong: dict[Span, tuple[Mapping, set[Span]]] = {}
    for document in documents:
        if document.kind in KERNEL or document.kind not in schemas:
            continue
        label = Label(declared.kinds[document.kind].span, "the kind is declared here")
        first = document.root.entries[0].value
        spelt = check_spelling(document, schemas[document.kind])
        findings = [
            evolve(finding, labels=(*finding.labels, label))
            for finding in (*spelt.keys, *spelt.others)
            if not (isinstance(first, Scalar) and finding.span == first.span)  # a bad name has its own finding
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
    declared: Declared, definition: DefinitionDeclared, root: Mapping, places: set[Span]
) -> DefinitionDeclared:
    first, *rest = root.entries
    body = Mapping((first, *sound(rest, places)), definition.body.span)
    if not isinstance(first.value, Scalar):
        return evolve(definition, body=body)
    return defined(declared.kinds[definition.kind], body, DefinitionDocument.read(first.value, body))
