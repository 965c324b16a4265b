"""The second file of `--out`, with `--usage`: a row for each thing and each decision about it.

`games.csv` comes with `games.definitions.csv`. It holds what `usage_report` says, as columns.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rulewright.interpreter.counting.counts import MEASURES
from rulewright.tools.simulation.output.row_file import Out, replaceable
from rulewright.tools.simulation.output.rows import Field, Type, Values
from rulewright.tools.simulation.output.simulate_report import Report

SUFFIX = ".definitions"
COUNTS = ("games", "offered", "chosen", "times", "points", "owned")
_EFFECT: dict[str, Type] = {"": "float64", "_low": "float64", "_high": "float64", "_p": "float64"}
FIELDS = (
    Field("name", "text"),
    Field("kind", "text"),
    Field("decision", "text"),
    *(Field(name, "int64") for name in COUNTS),
    Field("share", "float64"),
    *(
        field
        for measure in MEASURES
        for field in (
            *(Field(f"{measure}{part}", kind) for part, kind in _EFFECT.items()),
            Field(f"{measure}_significant", "bool"),
        )
    ),
)


def definitions_path(path: Path) -> Path:
    """Return the name of the file that belongs to a file of games."""
    return path.with_name(f"{path.stem}{SUFFIX}{path.suffix}")


def check_definitions(path: Path) -> None:
    """Raise Usage if the file that belongs to a file of games exists and is of another sort."""
    replaceable(definitions_path(path), ",".join(field.name for field in FIELDS[:3]))


def write_definitions(path: Path, usage: Report) -> None:
    """Write the file that belongs to a file of games. Raises Usage if it cannot be written."""
    rows = list(_rows(usage))
    with Out(definitions_path(path), FIELDS) as out:
        columns: dict[str, Values] = {field.name: [row.get(field.name) for row in rows] for field in FIELDS}
        out.write(out.sheet.page(columns, len(rows)))


def _rows(usage: Report) -> Iterator[dict[str, Any]]:
    """Iterate over the rows: choices, then effects and steps, awards, and definitions with what was owned."""
    for entry in usage["choices"]:
        kind = "definition" if entry["definition"] else "option"
        row = {"kind": kind, **{name: entry[name] for name in ("name", "decision", "offered", "chosen", "share")}}
        for measure in MEASURES:
            for name, value in (entry[measure] or {}).items():
                number = int(value) if name == "significant" else value
                row[measure if name == "mean" else f"{measure}_{name}"] = number
        yield row
    for entry in usage["performed"]:
        kind = entry["name"].partition("/")[0]
        yield {"kind": kind, **{name: entry[name] for name in ("name", "times", "games")}}
    for entry in usage["awards"]:
        yield {"kind": "award", "name": entry["name"], "points": entry["points"]}
    for entry in usage["owned"]:
        yield {"kind": "definition", "name": entry["name"], "owned": entry["copies"], "times": entry["used"]}
