"""All codes of findings: names, severities, explanations.

RW1xx documents (YAML; from RW131 on comments that allow warnings), RW2xx shape (JSON Schema), RW3xx names and
declarations, RW4xx sentences and types of the effect language, RW5xx meaning (effects, bounds, termination,
secrecy), RW6xx packs, RW7xx scenarios (from RW731 on what games are expected to be like). Invariants: codes and
names are unique; a code is never reused. To add a code, put an `Entry` in the table of its range; to add a table,
put it in `TABLES`.
"""

from __future__ import annotations

from rulewright.ruleset.common.nearest import nearest
from rulewright.ruleset.findings.catalogue.bots import BOTS
from rulewright.ruleset.findings.catalogue.changes import CHANGES
from rulewright.ruleset.findings.catalogue.declarations import DECLARE
from rulewright.ruleset.findings.catalogue.derived_fields import DERIVED
from rulewright.ruleset.findings.catalogue.entry import Entry
from rulewright.ruleset.findings.catalogue.expectations import EXPECTATIONS
from rulewright.ruleset.findings.catalogue.faces import FACES
from rulewright.ruleset.findings.catalogue.formats import FORMATS
from rulewright.ruleset.findings.catalogue.lasting import LASTING
from rulewright.ruleset.findings.catalogue.layout import LAYOUT
from rulewright.ruleset.findings.catalogue.lints import LINTS
from rulewright.ruleset.findings.catalogue.messages import MESSAGES
from rulewright.ruleset.findings.catalogue.packs import DEPENDENCIES
from rulewright.ruleset.findings.catalogue.scenarios import SCENARIOS
from rulewright.ruleset.findings.catalogue.semantics import MEANING, PACKS
from rulewright.ruleset.findings.catalogue.shape import SHAPE
from rulewright.ruleset.findings.catalogue.suppressions import SUPPRESSIONS
from rulewright.ruleset.findings.catalogue.syntax import FORMS
from rulewright.ruleset.findings.catalogue.types import LANGUAGE
from rulewright.ruleset.findings.catalogue.yaml import DOCUMENTS

__all__ = ["CATALOGUE", "TABLES", "Entry", "entry", "explain", "find"]

TABLES: tuple[tuple[Entry, ...], ...] = (
    DOCUMENTS,
    SUPPRESSIONS,
    SHAPE,
    DECLARE,
    DERIVED,
    LAYOUT,
    FACES,
    BOTS,
    LASTING,
    FORMS,
    LANGUAGE,
    MESSAGES,
    LINTS,
    MEANING,
    PACKS,
    DEPENDENCIES,
    CHANGES,
    FORMATS,
    SCENARIOS,
    EXPECTATIONS,
)

CATALOGUE: dict[str, Entry] = {item.code: item for table in TABLES for item in table}

_BY_NAME: dict[str, Entry] = {item.name: item for item in CATALOGUE.values()}


def find(code_or_name: str) -> Entry | None:
    """Find an entry by its code (`RW110`, in any case) or its name (`duplicate-key`)."""
    return CATALOGUE.get(code_or_name.upper()) or _BY_NAME.get(code_or_name.lower())


def entry(code: str) -> Entry:
    """Return the entry of a reported code. An unlisted code is treated as an error without explanation."""
    return CATALOGUE.get(code) or Entry(code, "unlisted", "error", "A finding without explanation", "", "", "")


def explain(code_or_name: str) -> str:
    """Return the explanation of a code as plain text that ends with a newline, or say that it is unknown."""
    item = find(code_or_name)
    if item is None:
        near = nearest(code_or_name, [*CATALOGUE, *_BY_NAME])
        return f"there is no code `{code_or_name}`" + (f"; did you mean `{near}`?" if near else "") + "\n"
    parts = [f"{item.code} {item.name} ({item.severity})", item.title, item.explanation]
    if item.example_wrong:
        parts.append("Wrong:\n\n" + _indented(item.example_wrong))
    if item.example_right:
        parts.append("Right:\n\n" + _indented(item.example_right))
    return "\n\n".join(parts) + "\n"


def _indented(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.strip("\n").split("\n"))
