"""All records of `ruleset` share one `repr`; attrs would generate one per class at each start."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest
from attrs import define, field, frozen

from rulewright.ruleset.common.record import Record
from tests.project.test_architecture import ROOT, shown

MADE_BY_ATTRS = {"frozen", "frozen_record", "define"}


@frozen(repr=False)
class Place(Record):
    name: str
    near: tuple[Place, ...] = ()


@define(repr=False)
class Town(Place):
    people: int = field(default=0, kw_only=True)
    map: str = field(default="large", repr=False)


def test_a_record_shows_its_attributes() -> None:
    town = Town("Brno", (Place("Wien"),), people=3)
    assert repr(town) == "Town(name='Brno', near=(Place(name='Wien', near=()),), people=3)"


def _classes() -> Iterator[tuple[str, ast.ClassDef, ast.expr]]:
    """The classes of `ruleset` that attrs makes, each with its file and what makes it."""
    for path in sorted((ROOT / "ruleset").rglob("*.py")):
        classes = (one for one in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(one, ast.ClassDef))
        for one in classes:
            for maker in one.decorator_list:
                name = ast.unparse(maker.func if isinstance(maker, ast.Call) else maker)
                if name.removeprefix("attrs.") in MADE_BY_ATTRS:
                    yield shown(path), one, maker


@pytest.mark.slow
def test_no_class_has_a_way_of_its_own() -> None:
    classes = list(_classes())
    assert len(classes) > 300
    own = [
        f"{path}: {one.name}"
        for path, one, maker in classes
        if not one.bases or not isinstance(maker, ast.Call) or "repr" not in [word.arg for word in maker.keywords]
    ]
    assert own == [], "derive from `Record`, and say `repr=False`"
