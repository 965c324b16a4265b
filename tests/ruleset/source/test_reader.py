"""Reading YAML: values, exact places, and findings about invalid text."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.ruleset.common.diagnostic import Span
from rulewright.ruleset.source.nodes import MappingNode, ScalarNode, SequenceNode, plain
from rulewright.ruleset.source.reader import Document, decode, read, read_documents
from rulewright.ruleset.source.yaml_events import LOADERS, PlainLoader

ROOT = Path(__file__).parents[3]
LETTERS = st.sampled_from([*"abcXYZ123 .,:#'\"\\-|>{}[]&*!%@`?é😀ñ¡"])
LINE = st.text(LETTERS, max_size=12)


def only(text: str) -> Document:
    documents, problems = read_documents("f.yaml", text)
    assert problems == ()
    assert len(documents) == 1
    return documents[0]


def scalar(text: str, key: str = "key") -> ScalarNode:
    node = only(text).root.get(key)
    assert isinstance(node, ScalarNode)
    return node


def cut(text: str, span: Span) -> str:
    """The file's text in a range."""
    lines = text.split("\n")
    if span.line == span.end_line:
        return lines[span.line - 1][span.column - 1 : span.end_column - 1]
    first, *middle, last = lines[span.line - 1 : span.end_line]
    return "\n".join([first[span.column - 1 :], *middle, last[: span.end_column - 1]])


# ------------------------------------------------------------------ values

@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("on", "on"),
        ("off", "off"),
        ("yes", "yes"),
        ("no", "no"),
        ("No", "No"),
        ("1:30", "1:30"),
        ("012", "012"),
        ("1_000", "1_000"),
        ("2024-01-01", "2024-01-01"),
        (".inf", ".inf"),
        ("1e999", "1e999"),
        ("9" * 5000, "9" * 5000),
        ("0x", "0x"),
        ("+", "+"),
        ("+1 action", "+1 action"),
        ("true", True),
        ("False", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("0", 0),
        ("-17", -17),
        ("+5", 5),
        ("0x1F", 31),
        ("0o17", 15),
        ("1.5", 1.5),
        ("-1e3", -1000.0),
        ("'7'", "7"),
        ('"true"', "true"),
    ],
)
def test_what_scalars_mean(text: str, value: object) -> None:
    found = scalar(f"key: {text}\n").value
    assert (type(found), found) == (type(value), value)


def test_keys_are_text() -> None:
    document = only("on: 1\nno: 2\n12: 3\n~: 4\ntrue: 5\n")
    assert document.kind == "on"
    assert document.root.keys() == ("on", "no", "12", "~", "true")
    key = document.root.key("12")
    assert key is not None
    assert key.value == "12"
    assert document.root.get("absent") is None
    assert plain(document.root) == {"on": 1, "no": 2, "12": 3, "~": 4, "true": 5}


def test_several_documents() -> None:
    text = "# only a comment\n---\na: 1\n---\n...\n# nothing\n---\nb:\n  - x\n...\nc: {d: [1, 2]}\n"
    documents, problems = read_documents("f.yaml", text)
    assert problems == ()
    assert [(d.kind, d.span.line, plain(d.root)) for d in documents] == [
        ("a", 3, {"a": 1}),
        ("b", 8, {"b": ["x"]}),
        ("c", 11, {"c": {"d": [1, 2]}}),
    ]
    assert cut(text, documents[2].span) == "c: {d: [1, 2]}"


def test_line_ends_and_byte_order_mark() -> None:
    text = "\ufeffkey: one\r\nother: |\r\n  two\r\n  three\r\nlast: x\r"
    document = only(text)
    other = document.root.get("other")
    assert isinstance(other, ScalarNode)
    assert other.text == "two\nthree\n"
    assert other.span_of(4, 9) == Span("f.yaml", 4, 3, 4, 8)
    assert document.root.entries[0].key.span == Span("f.yaml", 1, 1, 1, 4)


def test_aliases_share_their_node() -> None:
    root = only("a: &x [1, 2]\nb: *x\nc: &y # note\n  d: *x\n").root
    assert root.get("b") is root.get("a")
    first, third = root.get("a"), root.get("c")
    assert isinstance(first, SequenceNode)
    assert isinstance(third, MappingNode)
    assert first.span == Span("f.yaml", 1, 7, 1, 13)
    assert third.span == Span("f.yaml", 4, 3, 4, 8)
    assert root.span == Span("f.yaml", 1, 1, 4, 8)


# ------------------------------------------------------------------ places

def test_places_behind_letters_of_other_tongues() -> None:
    text = "Cervecería: 'é😀: it''s x'\n"
    node = scalar(text, "Cervecería")
    assert node.text == "é😀: it's x"
    assert cut(text, node.span_of(0, 2)) == "é😀"
    assert cut(text, node.span_of(4, 8)) == "it''s"
    assert node.span_of(9, 10) == Span("f.yaml", 1, 24, 1, 25)
    assert cut(text, node.span) == "'é😀: it''s x'"


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("key: lose 1 part\n", {"lose": "lose", "part": "part"}),
        ("key: lose 1\n  part\n\n  then draw   # note\n", {"1 part": "1\n  part", "\n": "", "draw": "draw"}),
        ("key: 'it''s a\n  long ''day'''\n", {"'": "''", "long": "long", "day'": "day''"}),
        (
            'key: "a\\tb \\u00e9\\x41 c\\\n   d e\\\n  \\ f"\n',
            {"é": "\\u00e9", "A": "\\x41", "d e": "d e", " f": "\\ f"},
        ),
        ("key: |\n  if x:\n    draw 1\n\n  lose 2\n", {"if": "if", "draw 1\n": "draw 1", "lose 2": "lose 2"}),
        ("key: |+2 # note\n     x\n   y\n\n", {"x": "x", "y": "y", " y\n\n": " y\n"}),
        (
            "key: >-\n  one\n  two\n\n  three\n    more\n  last\n",
            {"two": "two", "e t": "e\n  t", "more\n": "more"},
        ),
        ("key: !!str text\n", {"text": "text"}),
        ("key: &name # note\n  text\n", {"text": "text"}),
    ],
)
def test_pieces(text: str, pieces: dict[str, str]) -> None:
    documents, _ = read_documents("f.yaml", text)
    node = documents[0].root.get("key")
    assert isinstance(node, ScalarNode)
    for piece, written in pieces.items():
        start = node.text.index(piece)
        assert cut(text, node.span_of(start, start + len(piece))) == written


def test_the_end_is_just_behind_the_last_character() -> None:
    assert scalar("key: word\n").span_of(4, 4) == Span("f.yaml", 1, 10, 1, 10)
    assert scalar("key: 'word'\n").span_of(4, 4) == Span("f.yaml", 1, 11, 1, 11)
    block = scalar("key: |\n  word\nb: 1\n")
    assert block.span_of(0, len(block.text)) == Span("f.yaml", 2, 3, 2, 7)
    assert block.span_of(len(block.text), len(block.text)) == Span("f.yaml", 2, 7, 2, 7)
    assert block.span == Span("f.yaml", 1, 6, 2, 7)
    assert scalar("key: ''\n").span_of(0, 0) == Span("f.yaml", 1, 7, 1, 7)
    assert scalar("key:\n").span_of(0, 0) == Span("f.yaml", 1, 5, 1, 5)


def written_plain(lines: list[str]) -> str:
    return "key: " + "\n   ".join(lines) + "\n"


def written_single(lines: list[str]) -> str:
    return "key: '" + "\n  ".join(line.replace("'", "''") for line in lines) + "'\n"


def written_double(lines: list[str]) -> str:
    body = "\n  ".join(line.replace("\\", "\\\\").replace('"', '\\"').replace("a", "\\x61") for line in lines)
    return f'key: "{body}"\n'


def written_double_continued(lines: list[str]) -> str:
    body = "\\\n  ".join(line.replace("\\", "\\\\").replace('"', '\\"').replace("é", "\\u00E9") for line in lines)
    return f'key: "{body}"\n'


def written_block(header: str, indent: int) -> object:
    def write(lines: list[str]) -> str:
        blank = " " * indent
        return f"key: {header}\n" + "".join(f"{blank}{line}\n" if line else "\n" for line in lines) + "b: 1\n"

    return write


WRITERS = [
    written_plain,
    written_single,
    written_double,
    written_double_continued,
    *(written_block(f"{kind}{chomp}", 2) for kind in "|>" for chomp in ("", "-", "+")),
    *(written_block(f"{kind}1{chomp} # note", 1) for kind in "|>" for chomp in ("", "-", "+")),
    written_block("|3+", 3),
]


@pytest.mark.slow
@pytest.mark.parametrize("writer", WRITERS)
@settings(max_examples=150, deadline=None)
@given(lines=st.lists(LINE, min_size=1, max_size=6), data=st.data())
def test_places_in_every_style(writer: object, lines: list[str], data: st.DataObject) -> None:
    assert callable(writer)
    text = writer(lines)
    assert isinstance(text, str)
    documents, problems = read_documents("f.yaml", text)
    if any(problem.code != "RW111" for problem in problems) or not documents:
        return
    node = documents[0].root.get("key")
    if not isinstance(node, ScalarNode):
        return
    for at, character in enumerate(node.text):
        span = node.span_of(at, at + 1)
        found = cut(text, span)
        if character == "\n" or (character == " " and found == ""):
            assert found == ""
        elif found != character:
            assert (node.style, character, found) in {
                ("single", "'", "''"),
                ("double", '"', '\\"'),
                ("double", "\\", "\\\\"),
                ("double", "a", "\\x61"),
                ("double", "é", "\\u00E9"),
            }
    start = data.draw(st.integers(0, len(node.text)))
    end = data.draw(st.integers(start, len(node.text)))
    span = node.span_of(start, end)
    assert (span.line, span.column) <= (span.end_line, span.end_column)
    if end > start:
        first, last = node.span_of(start, start + 1), node.span_of(end - 1, end)
        assert span == Span("f.yaml", first.line, first.column, last.end_line, last.end_column)


# ------------------------------------------------------------------ two parsers

# Without `?`, which the parser written in Python does not allow in `[really?, x]`.
FRAGMENTS = [
    "a: ", "b:", "- ", "\n", "\n  ", "\n    ", " ", "x", "'", '"', "''", "|\n", ">-\n", "[", "]", "{", "}",
    ",", ":", ": ", "#", " #1", "&n ", "*n", "!t ", "\\", "\\u00e9", "\\ud800", "é", "😀", "---\n", "...\n",
    "%", "@", "<<: ", "1", "\t", "~", "\r\n", "\\\n", "\x07", "\ufeff", "it's", "if x: y",
]  # fmt: skip


@pytest.mark.slow
@settings(max_examples=1500, deadline=None)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=14).map("".join))
def test_both_parsers_read_the_same(text: str) -> None:
    assert read("f.yaml", text, PlainLoader) == read("f.yaml", text)


def test_both_parsers_report_the_same() -> None:
    for text, *_ in MISTAKES:
        assert read("f.yaml", text, PlainLoader) == read("f.yaml", text)


CONTENT = {place: place.read_text() for place in sorted((ROOT / "content").rglob("*.yaml"))}
SIGNS = " \n\t'\"[]{}:#,-|>&*!%\\x\x00é????"


@pytest.mark.slow
def test_both_parsers_read_all_packs() -> None:
    """Without libyaml the shipped packs have no findings either, as with a `?` in `{hand of ben: 3 ?}`."""
    for place, text in CONTENT.items():
        slow = read(str(place), text, PlainLoader)
        assert slow == read(str(place), text), place
        assert not slow.diagnostics, place


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: {hand of ben: 3 ?}\n", {"hand of ben": "3 ?"}),
        ("a: [to?, x ? y]\n", ["to?", "x ? y"]),
        ("a: {b?c: 1}\n", {"b?c": 1}),
    ],
)
def test_a_question_mark_in_brackets_is_text(text: str, value: object) -> None:
    for loader in LOADERS:
        reading = read("f.yaml", text, loader)
        assert not reading.diagnostics
        assert plain(reading.documents[0].root) == {"a": value}


def _damaged(chance: random.Random) -> str:
    """A document of a shipped pack, with one to four wrong signs."""
    signs = list(chance.choice(chance.choice([*CONTENT.values()]).split("\n---\n"))[:4000])
    for _ in range(chance.randint(1, 4)):
        signs[chance.randrange(len(signs))] = chance.choice(SIGNS)
    return "".join(signs)


def test_both_parsers_read_damaged_packs() -> None:
    chance = random.Random(5)
    for text in (_damaged(chance) for _ in range(400)):
        assert read("f.yaml", text, PlainLoader) == read("f.yaml", text), text


@pytest.mark.slow
@pytest.mark.long
def test_both_parsers_read_many_damaged_packs() -> None:
    chance = random.Random(6)
    for text in (_damaged(chance) for _ in range(10_000)):
        assert read("f.yaml", text, PlainLoader) == read("f.yaml", text), text


# ------------------------------------------------------------------ findings

MISTAKES = [
    # file, code, what the range covers, a part of the message or hint
    ("do: if x: draw 1\n", "RW101", ":", "do: |\n  if x: draw 1"),
    ("a:\n  - do: if x: draw 1\n", "RW101", ":", "  - do: |\n      if x: draw 1"),
    ("Cervecería: é😀: x\n", "RW101", ":", "Cervecería: 'é😀: x'"),
    ("a:b\nc: 1\n", "RW101", ":", "write `a: b`"),
    ("a: {en:[b]}\n", "RW101", ":", "expected a space"),
    ("a: {b: c: d}\n", "RW101", ":", "in quotes"),
    ("text: 'it's mine'\n", "RW102", "'", "write `''` for an apostrophe"),
    ('text: "say "hi" now"\n', "RW102", '"', '`\\"`'),
    ("text: 'a' b\n", "RW102", "'", "the whole text in quotes"),
    ('a: "open\nb: "x"\n', "RW103", '"', 'add `"` where the text ends'),
    ("a: {b: \"open, c: \"x\"}\n", "RW103", '"', 'add `"` where the text ends'),
    ('a: "open\nb: d "x"\n', "RW102", '"', "is a closing quote missing on line 1?"),
    ("text: 'open\nb: 1\n", "RW103", "'", "add `'` at the end"),
    ("a: {b: 1\nc: 2\n", "RW104", "{", "this `{` has no matching `}`"),
    ("a: [1, 2\n", "RW104", "[", "this `[` has no matching `]`"),
    ("a: [b}\n", "RW104", "}", "write `]`"),
    ("a: [b] c\n", "RW104", "]", "put a text that begins with `[`"),
    ("a: ]\n", "RW104", "]", "unexpected `]`"),
    ("a: [,]\n", "RW104", ",", "unexpected `,`"),
    ("a: [1, ?b, 2]\n", "RW106", "?", "put it in quotes: '?b'"),
    ("a: {b: ?c}\n", "RW106", "?", "put it in quotes: '?c'"),
    ("a: {b: 1, ?c}\n", "RW106", "?", "put it in quotes: '?c'"),
    ('a: "Prem\\um"\n', "RW122", "\\u", "write `\\\\`"),
    ("a:\n\tb: 1\n", "RW105", "\t", "indent with spaces"),
    ("a: b\tc\n", "RW105", "\t", "write a space"),
    ("a: @foo\n", "RW106", "@", "put it in quotes: '@foo'"),
    ("a: `it's`\n", "RW106", "`", "'`it''s`'"),
    ("a: ? b\n", "RW106", "?", "'? b'"),
    ("a: * b\n", "RW106", "*", "'* b'"),
    ("a: {draw 4, lose 2 parts}\n", "RW107", "{draw 4, lose 2 parts}", "`[draw 4, lose 2 parts]`"),
    ("a: {en:b}\n", "RW107", "{en:b}", "`en: b`"),
    ("a: x\nhello there\nb: 1\n", "RW108", "hello there", "expected `key: value`"),
    ("- a\n-b\n", "RW108", "-", "write `- b`"),
    ("a: b\n c: d\n", "RW109", "c:", "deeper than the key above"),
    ("a: 1\n- b\n", "RW109", "-", "found a list item"),
    ("a:\n  b: 1\n c: 2\n", "RW109", " ", "matches no line above"),
    ("a: |\n   x\n  y\n", "RW109", "   ", "first line of a block sets its indentation"),
    ("a: |\n  x\n y\n", "RW109", " ", "first line of a block sets its indentation"),
    ("a:\n   b: 1\n  c: 2\n", "RW109", "   ", "does not match the lines below"),
    ("a:\n b: 1\n  c: 2\n", "RW109", " ", "does not match the lines below"),
    ("a:\n    b: 1\n  - c: 2\n", "RW109", "b: 1", "write `- b: 1`"),
    ("a:\n  b\n  - c\n", "RW109", "b", "write `- b`"),
    ("a:\n - b\n  - c\n", "RW109", "- b", "indent all items of a list alike"),
    ("a:\n  -b: 1\n    d: 1\n  - c: 2\n", "RW108", "-", "write `- b: 1`"),
    ("a:\n  -b: 1\n  - c: 2\n", "RW108", "-", "write `- b: 1`"),
    ("a: |#  draw 1\nb: 1\n", "RW123", "#  draw 1", "the text begins on the next line"),
    ("a: >2#x\n  draw 1\n", "RW123", "#x", "nothing may follow `>`"),
    ("a: b\nc: 1\na: d\n", "RW127", "a", "write `---` on a line of its own"),
    ("a: b\nname: c\nd: 2\ne: f\nname: g\n", "RW127", "e", "write `---` on a line of its own"),
    ('a: gain a gem"\n', "RW128", '"', "add a quote at the beginning"),
    ("a: &gain a gem\n", "RW106", "&", "'&gain a gem'"),
    ("a: 1\na: 2\n", "RW110", "a", "appears twice"),
    ("a: gain gem #2\n", "RW111", "#2", '"gain gem #2"'),
    ("a: #ff0000\n", "RW111", "#ff0000", '"#ff0000"'),
    ("a: 1\n<<: {b: 2}\n", "RW112", "<<", "not supported"),
    ("a: !thing x\n", "RW113", "!thing", "tags are not supported"),
    ("a: &one 1\nb: *ine\n", "RW114", "*ine", "did you mean `*one`?"),
    ("a: &x [*x]\n", "RW114", "*x", "inside the value that `&x` names"),
    ("? [a]\n: b\n", "RW116", "[a]", "expected a word as key, found a list"),
    (": b\n", "RW116", ":", "is missing"),
    ("- a\n- b\n", "RW117", "- a\n- b", "found a list"),
    ("just words\n", "RW117", "just words", "found a text"),
    ("{}\n", "RW117", "{}", "found an empty mapping"),
    ("a: b\x07c\n", "RW120", "\x07", "U+0007"),
    ("a: b\u2028c\n", "RW120", "\u2028", "U+2028"),
    ("a: b\u202ec\n", "RW120", "\u202e", "U+202E"),
    ('a: "b\\x1bc"\n', "RW120", '"b\\x1bc"', "U+001B"),
    ('a: "\\q"\n', "RW122", "\\q", "unknown escape"),
    ('a: "\\ud800"\n', "RW122", "\\ud800", "no character"),
    ("a: |x\n  y\n", "RW123", "x", "begins on the next line"),
    ("a: - b\n", "RW124", "-", "on the next line"),
    ("%YAML 1.1\n---\na: 1\n", "RW125", "%YAML 1.1", "delete the line"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "code", "covered", "said"), MISTAKES)
def test_mistakes(text: str, code: str, covered: str, said: str) -> None:
    _, problems = read_documents("f.yaml", text)
    assert [problem.code for problem in problems] == [code]
    assert cut(text, problems[0].span) == covered
    assert said in f"{problems[0].message}\n{problems[0].hint}"


def test_duplicate_keys_point_to_the_first_and_keep_it() -> None:
    documents, problems = read_documents("f.yaml", "a: 1\nb: 2\nb: 3\n")
    assert [plain(document.root) for document in documents] == [{"a": 1, "b": 2}]
    assert [label.span for label in problems[0].labels] == [Span("f.yaml", 2, 1, 2, 2)]


def test_a_document_without_a_separator_is_read_as_one_of_its_own() -> None:
    documents, problems = read_documents("f.yaml", "a: one\nb: 2\na: two\nb: 3\n---\na: three\n")
    assert [plain(document.root) for document in documents] == [
        {"a": "one", "b": 2}, {"a": "two", "b": 3}, {"a": "three"},
    ]  # fmt: skip
    assert [problem.code for problem in problems] == ["RW127"]


def test_the_same_key_and_value_again_begins_no_document() -> None:
    _, problems = read_documents("f.yaml", "a: one\nb: 2\na: one\n")
    assert [problem.code for problem in problems] == ["RW110"]


@pytest.mark.parametrize("text", ['a: 12"', 'a: say "hi"', "a: &x [1]\nb: *x", "a: &x one two\nb: *x"])
def test_what_may_be_meant(text: str) -> None:
    assert not [one for one in read("f.yaml", f"{text}\n").diagnostics if one.code in ("RW106", "RW128")]


@pytest.mark.parametrize("comment", ["# two", "## two", "#", "#---", ""])
def test_ordinary_comments_are_no_loss(comment: str) -> None:
    assert only(f"a: gain gem {comment}\nb: 3 #2\n").kind == "a"


def test_a_fault_hides_no_other_document() -> None:
    text = "thing: one\ndo: if x: y\n---\nthing: two\n---\nthing: three\ntext: 'it's'\n---\nthing: \x07\n"
    reading = read("f.yaml", text)
    assert [(p.code, p.span.line) for p in reading.diagnostics] == [("RW120", 9), ("RW101", 2), ("RW102", 7)]
    assert [plain(d.root) for d in reading.documents] == [{"thing": "two"}]
    assert [plain(d.root)["thing"] for d in reading.broken] == ["one", "three"]


def test_bytes_that_are_not_utf8() -> None:
    text = decode("a: Cervecer\u00eda\n".encode("latin-1"))
    _, problems = read_documents("f.yaml", text)
    assert [(p.code, p.message) for p in problems] == [("RW121", "the byte 0xED is not UTF-8 text")]
    assert problems[0].span == Span("f.yaml", 1, 12, 1, 13)


# ------------------------------------------------------------------ bounds

def test_depth_is_bounded() -> None:
    for text in ("[" * 100_000, "a: " + "{a: " * 5000, "\n".join(" " * i + "a:" for i in range(300))):
        _, problems = read_documents("f.yaml", text)
        assert [problem.code for problem in problems] == ["RW118"]


def test_depth_through_aliases_is_bounded() -> None:
    text = "a0: &a0 [x]\n" + "".join(f"a{i}: &a{i} [*a{i - 1}]\n" for i in range(1, 100))
    _, problems = read_documents("f.yaml", text)
    assert [problem.code for problem in problems] == ["RW118"]


def test_aliases_are_bounded() -> None:
    text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
    text += "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 9))
    _, problems = read_documents("f.yaml", text)
    assert [problem.code for problem in problems] == ["RW115"]


def test_size_is_bounded() -> None:
    _, problems = read_documents("f.yaml", "a: " + "x" * 1_100_000)
    assert [problem.code for problem in problems] == ["RW119"]
    _, problems = read_documents("f.yaml", "a: [" + "x, " * 150_000 + "]")
    assert [problem.code for problem in problems] == ["RW119"]


def test_an_ordinary_file_is_read_at_once() -> None:
    text = "".join(
        f"---\nthing: name-{i}\nname: {{en: Name, es: Ñame}}\nparts: [one, draw 2 then lose 1]\ndo: |\n"
        "  lose 1\n  if count(hand) > 3:\n    draw 2\nlast: draw 4\nof: p. 7\n"
        for i in range(30)
    )
    fastest = min(_seconds(text) for _ in range(5))
    assert fastest < 0.1  # about 0.005 with libyaml; what matters is that nobody makes it quadratic


def _seconds(text: str) -> float:
    start = time.perf_counter()
    documents, problems = read_documents("f.yaml", text)
    assert len(documents) == 30
    assert problems == ()
    return time.perf_counter() - start


@pytest.mark.slow
def test_damaged_files_never_raise() -> None:
    chance = random.Random(7)
    text = "a: {b: [1, 'x''y'], c: \"z\\n\"}\nd: |\n  e\n   f\n\ng: >\n  h\n---\ni: &j k\nl: *j\n"
    for _ in range(1500):
        damaged = list(text)
        for _ in range(chance.randint(1, 4)):
            damaged[chance.randrange(len(damaged))] = chance.choice(" \n\t'\"[]{}:#,-|>&*!%\\x\x00é")
        for loader in LOADERS:
            read("f.yaml", "".join(damaged), loader)
