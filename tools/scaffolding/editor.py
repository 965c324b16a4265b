"""Files of a pack for editors: its JSON Schema, and settings that use it for all documents.

They have a folder of their own, `.vscode`, since they are made of the pack and can be made again at any time. A
line for the language server in a YAML file would only count for the first document of that file.
"""

from __future__ import annotations

import json
from pathlib import Path

from rulewright.ruleset.common.regular_files import is_regular
from rulewright.ruleset.declare.declarations import Declared
from rulewright.ruleset.declare.kind_schemas import schema_text

SCHEMA = ".vscode/pack.schema.json"
_SETTINGS, _IGNORED = ".vscode/settings.json", ".vscode/.gitignore"
ENTRY = {"yaml.schemas": {SCHEMA: "*.yaml"}}
"""What the YAML extension of VS Code and its kin read."""


def write_editor_files(root: Path, declared: Declared) -> list[str]:
    """Write the schema and, unless they exist, the settings. Returns the paths of what was written, in the pack."""
    texts = {SCHEMA: schema_text(declared)}
    for path, text in ((_SETTINGS, json.dumps(ENTRY, indent=2) + "\n"), (_IGNORED, "pack.schema.json\n")):
        if not (root / path).exists():
            texts[path] = text
    for path, text in texts.items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text(text, "utf-8", newline="")
    return list(texts)


def uses_schema(root: Path) -> bool:
    """Whether the settings of a pack name its schema."""
    return SCHEMA in (root / _SETTINGS).read_text("utf-8", "replace")


def has_schema(root: Path) -> bool:
    """Whether a pack has a schema for editors, which is then to be kept up to date."""
    return is_regular(root / SCHEMA)
