"""`rulewright schema`: print the JSON Schema of a pack's documents, or write it for an editor."""

from __future__ import annotations

import json
from collections.abc import Sequence

from rulewright.ruleset.declare.kind_schemas import editor_schema
from rulewright.tools.common.errors import CLEAN, FINDINGS, Usage
from rulewright.tools.common.output import say, say_data, warn
from rulewright.tools.packs import loading
from rulewright.tools.packs.pack_set import with_more
from rulewright.tools.scaffolding import ENTRY, uses_schema, write_editor_files


def schema(pack: str, editor: bool, more: Sequence[str]) -> int:
    """Print or write; errors of the pack are only counted, since the schema has what could be read."""
    loaded = loading.load_pack_set(loading.read_pack_set(with_more(pack, more)), playable=False)
    if loaded.errors:
        warn(f"{loaded.pack} has errors, and the schema lacks what they hide; `rulewright validate` lists them")
    if not editor:
        say_data(editor_schema(loaded.declared))
        return FINDINGS if loaded.errors else CLEAN
    found = loading.look(pack)
    if found.source in ("installed", "shipped"):
        raise Usage(f"{pack} is not yours; print its schema instead: rulewright schema {pack}")
    written = write_editor_files(found.root, loaded.declared)
    for path in written:
        say(f"Wrote {loading.shown(found.root / path)}")
    if not uses_schema(found.root):
        say(f"The settings beside it are left as they are; they need: {json.dumps(ENTRY)}")
    return FINDINGS if loaded.errors else CLEAN
