"""Packs for the fuzzer: mutated real packs, noise, and effects made of random words of the language."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from hypothesis import strategies as st

from rulewright.ruleset.language.vocabulary import EXPRESSIONS, FUNCTIONS, SENTENCES, STATEMENTS, WORDS
from rulewright.ruleset.source import nodes
from rulewright.ruleset.source.reader import read
from tests.fuzz.oracle import Files

ROOT = Path(__file__).parents[2]
CHUNKS = ROOT / "tests" / "chunks"
GRAMMAR = (ROOT / "ruleset" / "language" / "effect.lark").read_text("utf-8")
BASE = CHUNKS / "base.yaml"


# ------------------------------------------------------------------ what there is to mutate

@cache
def bases() -> tuple[Files, ...]:
    """Small packs first; the shipped ones, which take longest, come last."""
    packs = [*sorted((ROOT / "tests" / "packs").iterdir()), *sorted((ROOT / "content").iterdir())]
    found: list[Files] = [(("base.yaml", BASE.read_bytes()),)]
    for path in sorted((CHUNKS / "bad").glob("*.yaml")) + sorted((CHUNKS / "good").glob("*.yaml")):
        data = path.read_bytes()
        own = re.search(rb"^pack:", data, re.MULTILINE) is not None
        found.append(((path.name, data),) if own else (("base.yaml", BASE.read_bytes()), (path.name, data)))
    for pack in packs:
        paths = sorted(path for path in pack.rglob("*.yaml") if "scenarios" not in path.parts)
        if paths:
            found.append(tuple((path.relative_to(pack).as_posix(), path.read_bytes()) for path in paths))
    return tuple(found)


@cache
def fragments() -> tuple[str, ...]:
    """Texts of nodes of all bases: what one pack says at one place may stand at any place of another."""
    found: dict[str, None] = {}
    for files in bases():
        for _, data in files:
            text = data.decode("utf-8", "replace")
            for start, end in _nodes(text):
                if end - start <= 200:
                    found[text[start:end]] = None
    return tuple(found)


@cache
def words() -> tuple[str, ...]:
    """The words of the language: of its grammar, of its vocabulary, of the names that bases declare."""
    found = dict.fromkeys(re.findall(r'"([^"\n]+)"', GRAMMAR))
    for sentence in SENTENCES:
        found |= dict.fromkeys(re.findall(r"[a-z][a-z-]*", sentence.pattern))
        found[sentence.example] = None
    for form in (*STATEMENTS, *EXPRESSIONS, *FUNCTIONS, *WORDS):
        found |= dict.fromkeys(form.example.split())
    found |= dict.fromkeys(re.findall(r"[a-z][a-z-]*", BASE.read_text("utf-8")))
    found |= dict.fromkeys(["0", "1", "2", "-1", "2147483647", "99999999999", "(", ")", "[", "]", "#", ":"])
    return tuple(found)


def _nodes(text: str) -> list[tuple[int, int]]:
    """The ranges of a file's scalars, and of what stands around them."""
    places: list[tuple[int, int]] = []
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)

    def walk(node: nodes.Node) -> None:
        span = node.span
        places.append((starts[span.line - 1] + span.column - 1, starts[span.end_line - 1] + span.end_column - 1))
        if isinstance(node, nodes.SequenceNode):
            for item in node.items:
                walk(item)
        elif isinstance(node, nodes.MappingNode):
            for entry in node.entries:
                walk(entry.key)
                walk(entry.value)

    if "\r" not in text and not text.startswith("\ufeff"):
        for document in read("", text).documents:
            walk(document.root)
    return places


# ------------------------------------------------------------------ mutations

_POINTS = st.integers(0, 1 << 20)
NOISE = st.binary(max_size=6) | st.sampled_from(
    [
        *(b"\n", b"\t", b"  ", b": ", b"- ", b"#", b" #", b"'", b'"', b"|", b">", b"{", b"}", b"[", b"]", b","),
        *(b"&a ", b"*a", b"!", b"%", b"\\", b"---\n", b"...\n", b"\r\n", b"\x00", b"\xff", b"\xef\xbb\xbf"),
        *(b"\xe2\x80\xa8", b"\xf0\x9f\x8e\xb2", b"# rulewright: allow RW111: noise"),
    ]
)


@st.composite
def byte_mutant(draw: st.DrawFn, data: bytes) -> bytes:
    """A few bytes are cut out, and others put in."""
    for _ in range(draw(st.integers(1, 3))):
        at = draw(_POINTS) % (len(data) + 1)
        data = data[:at] + draw(NOISE) + data[at + draw(st.integers(0, 5)) :]
    return data


@st.composite
def line_mutant(draw: st.DrawFn, data: bytes) -> bytes:
    """Lines are left out, said twice, moved, or indented otherwise."""
    lines = data.split(b"\n")
    for _ in range(draw(st.integers(1, 3))):
        at, other = draw(_POINTS) % len(lines), draw(_POINTS) % len(lines)
        what = draw(st.sampled_from(["cut", "twice", "move", "in", "out", "join"]))
        if what == "cut" and len(lines) > 1:
            del lines[at]
        elif what == "twice":
            lines.insert(other, lines[at])
        elif what == "move":
            lines[at], lines[other] = lines[other], lines[at]
        elif what == "in":
            lines[at] = b"  " + lines[at]
        elif what == "out":
            lines[at] = lines[at].removeprefix(b"  ")
        elif at + 1 < len(lines):
            lines[at : at + 2] = [lines[at] + b" " + lines[at + 1].lstrip()]
    return b"\n".join(lines)


@st.composite
def node_mutant(draw: st.DrawFn, data: bytes) -> bytes:
    """Nodes are replaced by nodes that stand elsewhere, in this pack or another, or by words of the language."""
    text = data.decode("utf-8", "replace")
    for _ in range(draw(st.integers(1, 2))):
        places = _nodes(text)
        if not places:
            break
        start, end = places[draw(_POINTS) % len(places)]
        if draw(st.booleans()):
            new = fragments()[draw(_POINTS) % len(fragments())]
        else:
            new = draw(sentences())
        text = text[:start] + new + text[end:]
    return text.encode("utf-8")


@st.composite
def word_mutant(draw: st.DrawFn, data: bytes) -> bytes:
    """Words of a file are replaced by other words of the language: much of this still is YAML, and some a pack."""
    text = data.decode("utf-8", "replace")
    for _ in range(draw(st.integers(1, 3))):
        places = [found.span() for found in re.finditer(r"[\w-]+", text)]
        if not places:
            break
        start, end = places[draw(_POINTS) % len(places)]
        text = text[:start] + words()[draw(_POINTS) % len(words())] + text[end:]
    return text.encode("utf-8")


@st.composite
def sentences(draw: st.DrawFn) -> str:
    """Words of the language one after the other."""
    known = words()
    return " ".join(known[place % len(known)] for place in draw(st.lists(_POINTS, min_size=1, max_size=9)))


@st.composite
def effects(draw: st.DrawFn) -> str:
    """Lines of such sentences, with blocks."""
    lines = []
    for text in draw(st.lists(sentences(), min_size=1, max_size=4)):
        lead = "  " * draw(st.integers(1, 3))
        before = draw(st.sampled_from(["", "", "if ", "each x in ", "let x = ", "choose one", "may ", "repeat "]))
        lines.append(f"{lead}{before}{text}{draw(st.sampled_from(['', '', ':']))}")
    return "\n".join(lines)


# ------------------------------------------------------------------ packs

@st.composite
def mutated(draw: st.DrawFn) -> Files:
    """A pack with a file that is not as it was."""
    files = list(bases()[draw(_POINTS) % len(bases())])
    for _ in range(draw(st.integers(1, 2))):
        at = draw(_POINTS) % len(files)
        name, data = files[at]
        mutant = draw(st.sampled_from([byte_mutant, line_mutant, node_mutant, word_mutant, word_mutant]))
        files[at] = (name, draw(mutant(data)))
    if draw(st.integers(0, 9)) == 0 and len(files) > 1:
        del files[draw(_POINTS) % len(files)]
    return tuple(files)


@st.composite
def spoken(draw: st.DrawFn) -> Files:
    """A verb or a function of random words, on top of the small pack."""
    if draw(st.booleans()):
        text = f"verb: mumble(s)\ndo: |\n{draw(effects())}\n"
    else:
        text = f"function: mumble\nis: {draw(sentences())}\n"
    return (("base.yaml", BASE.read_bytes()), ("mumble.yaml", text.encode("utf-8")))


@st.composite
def noise(draw: st.DrawFn) -> Files:
    """Bytes, or letters that mean something to YAML."""
    letters = st.text("abc:-#'\"|>{}[],&*!%@`?\\ \n\t0é\r", max_size=120).map(lambda text: text.encode("utf-8"))
    return (("pack.yaml", draw(st.binary(max_size=80) | letters)),)


PACKS: st.SearchStrategy[Files] = st.one_of(mutated(), mutated(), mutated(), spoken(), spoken(), noise())
"""Games. Packs on top of games are those of `changes`."""
