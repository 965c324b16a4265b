"""`tools.bench.serve`: a short run without errors, and its figures."""

from __future__ import annotations

import pytest

from rulewright.tools.bench import serve


def test_waits_are_given_in_milliseconds_at_their_percentiles() -> None:
    waits = serve.Waits([n / 1000 for n in range(1, 100)], [0.001, 0.001])
    assert waits.line("answers").split() == ["answers", "99", "50.0", "95.0", "99.0", "1.0", "1.0", "1.0"]


@pytest.mark.slow
def test_many_tables_at_once_make_no_error(capfd: pytest.CaptureFixture[str]) -> None:
    given = ["--tables", "20", "--seconds", "5", "--people", "3", "--streams", "6"]
    assert serve.main(given) == 0
    out, err = capfd.readouterr()
    assert err == ""
    lines = out.splitlines()
    assert lines[-1] == "0 errors"
    answers = next(line.split() for line in lines if line.startswith("answers"))
    assert int(answers[1]) > 10
