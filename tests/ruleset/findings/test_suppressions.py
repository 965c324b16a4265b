"""Comments that suppress warnings: where they are valid, what they cover, their own findings."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.pipeline import load_files
from rulewright.ruleset.source.pack_files import PackFiles
from tests.ruleset.sample import BASE, HEAD

SPREAD = "function: spread\ngives: number\nis: count(row)\n---\n"
ALLOW = "# rulewright: allow RW503: it counts twice"
LOST = "# rulewright: allow RW111: it is a note"


def loaded(snippet: str) -> Loaded:
    files = {"pack.yaml": HEAD, "base.yaml": BASE, "snippet.yaml": snippet}
    return load_files(PackFiles(Path(), tuple((name, text.encode()) for name, text in files.items())))


def outcome(snippet: str) -> tuple[list[str], list[tuple[str, str]]]:
    """The codes that are left, and what is allowed: code and reason."""
    result = loaded(snippet)
    return (
        [item.code for item in result.findings],
        [(item.finding.code, item.reason) for item in result.suppressed],
    )


def sweep(*, above_key: str = "", behind_key: str = "", above: str = "", behind: str = "") -> str:
    """A verb with one RW503, in its last line; comments at four places."""
    lines = [
        "verb: sweep(s)",
        above_key,
        f"do: |{behind_key and ' ' + behind_key}",
        "  sparks += spread",
        "  move row to discard",
        above and f"  {above}",
        f"  sparks += spread{behind and '  ' + behind}",
    ]
    return SPREAD + "\n".join(line for line in lines if line) + "\n"


ALLOWED = ([], [("RW503", "it counts twice")])


def test_without_a_comment_it_is_a_warning() -> None:
    assert outcome(sweep()) == (["RW503"], [])


@pytest.mark.parametrize("place", ["above_key", "behind_key", "above", "behind"])
def test_places(place: str) -> None:
    assert outcome(sweep(**{place: ALLOW})) == ALLOWED


def test_the_comment_is_told() -> None:
    (allowed,) = loaded(sweep(behind=ALLOW)).suppressed
    assert (allowed.comment.line, allowed.comment.column) == (9, 21)
    assert allowed.comment.end_column == 21 + len(ALLOW)
    assert allowed.finding.span.line == 9


def test_a_program_is_made() -> None:
    assert loaded(sweep(behind=ALLOW)).program is not None


def test_other_lines_are_not_covered() -> None:
    text = sweep().replace("sparks += spread\n  move", f"sparks += spread  {ALLOW}\n  move")
    assert outcome(text) == (["RW503", "RW135"], [])


def test_comments_in_a_row_and_empty_lines() -> None:
    assert outcome(sweep(above=f"{ALLOW}\n\n  # and a remark")) == ALLOWED
    both = "verb: rest(s)\n# rulewright: allow RW111: a\n# another remark\n\ndo: draw 2 #a\n"
    assert outcome(both) == ([], [("RW111", "a")])


def test_a_whole_file() -> None:
    top = "# rulewright: allow RW503 in this file: sums are worked out anew\n"
    text = top + sweep() + "---\n" + sweep().replace(SPREAD, "").replace("sweep", "brush")
    codes, allowed = outcome(text)
    assert (codes, [code for code, _ in allowed]) == ([], ["RW503", "RW503"])


def test_several_codes() -> None:
    text = sweep(behind_key="# rulewright: allow RW503, RW111: for now")
    assert outcome(text) == (["RW135"], [("RW503", "for now")])


@pytest.mark.parametrize(
    "text",
    [
        f'verb: rest(s)\ndo: do nothing\ntext: "a word {ALLOW}"\n',
        f"verb: rest(s)\ndo: do nothing\ntext: |\n  {ALLOW}\n",
        f"verb: rest(s)\ndo: do nothing\ntext: {{en: '{ALLOW}', es: nada}}\n",
        f"verb: rest(s)\ndo: do nothing\ntext: >\n  so it is\n  {ALLOW}\n",
        f"verb: rest(s)\ndo: do nothing\ntext:\n  es: nada\n  en: |\n    so it is {ALLOW}\n",
        f"verb: rest(s)\ndo: do nothing  # an example: {ALLOW}\n",
        f"verb: rest(s)\ndo: |\n  do nothing  # an example: {ALLOW}\n",
        "verb: rest(s)\ndo: do nothing\ntext: a#rulewright:allow\n",
    ],
)
def test_what_is_no_comment(text: str) -> None:
    assert outcome(text) == ([], [])


def test_a_comment_behind_quotes_and_behind_a_block() -> None:
    quoted = f'verb: rest(s)\ndo: do nothing\ntext: "a # b"  {LOST}\n'
    assert outcome(quoted) == (["RW135"], [])
    behind = f"verb: rest(s)\ndo: |\n  do nothing\n{LOST}\ntext: so #it\n"
    assert outcome(behind) == ([], [("RW111", "it is a note")])
    at_the_end = f"verb: rest(s)\ndo: |\n  do nothing\n{LOST}\n"
    assert outcome(at_the_end) == (["RW135"], [])


def test_line_ends_and_marks_of_windows() -> None:
    text = "\ufeff" + sweep(above=ALLOW).replace("\n", "\r\n")
    assert outcome(text) == ALLOWED


@pytest.mark.parametrize(
    ("comment", "code", "marked"),
    [
        ("# rulewright:", "RW131", "# rulewright:"),
        ("#rulewright : allow", "RW131", "#rulewright : allow"),
        ("# rulewright: allow : it", "RW131", "# rulewright: allow : it"),
        ("# rulewright: disable RW503: it", "RW131", "# rulewright: disable RW503: it"),
        ("# rulewright: allow RW503", "RW132", "# rulewright: allow RW503"),
        ("# rulewright: allow RW503:   ", "RW132", "# rulewright: allow RW503:"),
        ("# rulewright: allow RW503 in this file", "RW132", "# rulewright: allow RW503 in this file"),
        ("# rulewright: allow RW999: it", "RW133", "RW999"),
        ("# rulewright: allow derived-anew: it", "RW133", "derived-anew"),
        ("# rulewright: allow RW301: it", "RW134", "RW301"),
        ("# rulewright: allow RW135: it", "RW134", "RW135"),
        ("# rulewright: allow RW503: it", "RW135", "RW503"),
    ],
)
def test_mistakes(comment: str, code: str, marked: str) -> None:
    text = f"verb: rest(s)\n{comment}\ndo: do nothing\n"
    (finding,) = loaded(text).findings
    span = finding.span
    assert (finding.code, span.line, span.end_line) == (code, 2, 2)
    assert comment[span.column - 1 : span.end_column - 1] == marked


def test_a_name_leads_to_its_code() -> None:
    (finding,) = loaded("verb: rest(s)\ndo: do nothing  # rulewright: allow derived-anew: it\n").findings
    assert finding.hint == "did you mean `RW503`?"


def test_a_missing_reason_is_one_finding() -> None:
    assert outcome(sweep(behind="# rulewright: allow RW503")) == (["RW132"], [("RW503", "")])


def test_unused_ones_wait_for_errors() -> None:
    assert outcome(f"verb: rest(s)\ndo: do nothign  {ALLOW}\n")[0] == ["RW425"]


def test_a_file_that_cannot_be_read_allows_nothing() -> None:
    text = f"verb: rest(s)\ndo: draw 2 #two\ntext: so #it  {LOST}\n---\nverb: [\n"
    assert "RW111" in outcome(text)[0]
    assert outcome(text)[1] == []
