"""`python -m tools.generate.kind_schemas [PATH…]`: writes the JSON Schema of each pack's own kinds, where editors
find it."""

from __future__ import annotations

import sys
from pathlib import Path

from ruleset.declare.kind_schemas import SCHEMA_FILE, schema_text
from tools.common.output import say
from tools.packs import loading

SHIPPED = Path(__file__).parents[2] / "content"


def write_schema(root: Path) -> Path:
    """Writes the schema of the pack in a folder and gives its path."""
    loaded = loading.load_pack_set(loading.pack_set_of([loading.read(root)]), playable=False)
    path = root / SCHEMA_FILE
    path.write_text(schema_text(loaded.declared), encoding="utf-8")
    return path


def main() -> None:
    """Writes the schemas of the packs that are named, or of all that are shipped."""
    roots = [Path(argument) for argument in sys.argv[1:]] or sorted(p.parent for p in SHIPPED.glob("*/pack.yaml"))
    for root in roots:
        say(str(write_schema(root)))


if __name__ == "__main__":
    main()
