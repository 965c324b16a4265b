"""The comparison of pages with the output of commands."""

from __future__ import annotations

from tests.tools.pages import missing


def test_what_is_left_out_is_marked() -> None:
    """Of the comparison itself."""
    printed = "one\ntwo\nthree\n> four\n"
    for good in ("one\n…", "…\nfour", "one\n…\nthree\nfour", "…\ntwo\n…", "…", ""):
        assert missing(tuple(good.splitlines()), printed) is None, good
    for bad in ("one", "two\n…", "one\nthree\n…", "…\nthree\n…\ntwo\n…", "five\n…", "one\n…\nthree"):
        assert missing(tuple(bad.splitlines()), printed) is not None, bad
