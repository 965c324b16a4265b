"""`python -m tools.schemas [PATH…]`: writes the JSON Schema of each pack's own kinds, where editors find it."""

from __future__ import annotations

import sys
from pathlib import Path

from ruleset.declare import declare
from ruleset.document import read_documents
from ruleset.files import read_pack
from ruleset.kernel_shape import check_shapes
from ruleset.kinds import SCHEMA_FILE, schema_text

SHIPPED = Path(__file__).parent.parent / "content"


def write_schema(root: Path) -> Path:
    """Writes the schema of the pack in a folder and gives its path."""
    documents = [
        document
        for name, data in read_pack(root).files
        for document in read_documents(name, data.decode("utf-8"))[0]
    ]
    good, tainted, _ = check_shapes(documents)
    path = root / SCHEMA_FILE
    path.write_text(schema_text(declare(good, tainted)[0]), encoding="utf-8")
    return path


def main() -> None:
    """Writes the schemas of the packs that are named, or of all that are shipped."""
    roots = [Path(argument) for argument in sys.argv[1:]] or sorted(p.parent for p in SHIPPED.glob("*/pack.yaml"))
    for root in roots:
        print(write_schema(root))


if __name__ == "__main__":
    main()
