"""Starts of tracks that only some options move outside the bounds."""

from __future__ import annotations

import pytest

from rulewright.ruleset.lower.lowering import TableError, lower
from tests.ruleset.test_chunks import CHUNKS, loaded


@pytest.mark.parametrize(("winters", "fits"), [("1", True), ("2", True), ("3", False)])
def test_options_may_move_a_start_outside(winters: str, fits: bool) -> None:
    """The chunk has `cold: {starts: winters, at-most: 2}`, and 2 winters by default."""
    program = loaded(CHUNKS / "good" / "track-starts.yaml").program
    assert program is not None
    if fits:
        table = lower(program, 3, {"winters": winters})
        (cold,) = (track for track in table.tracks if track.key == "cold")
        assert cold.start == (int(winters),)
        return
    with pytest.raises(TableError) as raised:
        lower(program, 3, {"winters": winters})
    assert str(raised.value) == "the track `cold` would start at 3; expected -1000000 to 2; choose other options"
