"""Write the JSON Schemas of packs for editors."""

from __future__ import annotations

import sys
from pathlib import Path

from ruleset.declare.kind_schemas import SCHEMA_FILE, schema_text
from tools.common.output import say
from tools.packs import loading

SHIPPED = Path(__file__).parents[2] / "content"


def write_schema(root: Path) -> Path:
    """Write the schema of the pack in a folder; return its path."""
    loaded = loading.load_pack_set(loading.pack_set_of([loading.read(root)]), playable=False)
    path = root / SCHEMA_FILE
    path.write_text(schema_text(loaded.declared), encoding="utf-8")
    return path


def main() -> None:
    """Write the schemas of the named packs, or of all shipped ones."""
    roots = [Path(argument) for argument in sys.argv[1:]] or sorted(p.parent for p in SHIPPED.glob("*/pack.yaml"))
    for root in roots:
        say(str(write_schema(root)))


if __name__ == "__main__":
    main()
