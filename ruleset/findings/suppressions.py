"""Comments that allow warnings: the last pass, which removes allowed warnings from the findings.

    # rulewright: allow RW503: what is left of the row counts once more

Such a comment applies to its line or, if it is alone on its line, to the next line that is neither empty nor a
comment; a text that begins on that line (for example a `|` block) is included. `allow RW503, RW111` names several
codes, and `allow RW503 in this file` applies to every line of the file.

A comment is a comment of YAML or, inside a `|` block, of the effect language. In quotes, `>` blocks, and texts for
players a `#` is an ordinary character. The nodes of a file tell where texts are; a file that cannot be read as YAML
has no reliable nodes, so no comment in it takes effect until it is repaired.

Invariant: only warnings are removed, each together with the reason. If a comment lacks its reason, this is the only
finding; the warning is still removed.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence

from attrs import frozen

from rulewright.ruleset.common.diagnostic import Diagnostic, Findings, Span, Suppressed
from rulewright.ruleset.common.nearest import nearest
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.findings.catalogue import CATALOGUE, entry, find
from rulewright.ruleset.source import nodes
from rulewright.ruleset.source.reader import Document
from rulewright.ruleset.source.yaml_scalars import YamlText

_MENTION = re.compile(r"#[ \t]*rulewright[ \t]*:")
_BODY = re.compile(r"(?P<allow>[^\s:]*)(?P<codes>[^:]*)(?::(?P<reason>.*))?\Z")
_FILE = "in this file"
_CODE = re.compile(r"[^\s,]+")
_UNUSED = "RW135"
PLAYED = ("RW721",)
"""Warnings that only play produces, so checking a pack cannot tell whether their comments are needed."""
LINTS = ("RW346", "RW347", "RW348", "RW349", "RW350", "RW351", "RW352", "RW449", "RW451", "RW452")
"""Warnings that are produced only on request (`ruleset.check.lints`)."""
_TEXTS = ("name", "text", "source")
"""Keys whose values are texts for players."""
_DOCUMENTS_OF_TEXTS = ("messages", "prompts")
_FORM = "write `# rulewright: allow RW503: REASON`"


@frozen(repr=False)
class _Text(Record):
    """A scalar: its offsets, its lines, and whether a `#` in it may begin a comment of the effect language."""

    start: int
    end: int
    line: int
    end_line: int
    effect: bool


@frozen(repr=False)
class _Allowance(Record):
    """A code that a comment allows on some lines of a file (inclusive)."""

    code: str
    span: Span
    comment: Span
    first: int
    last: int
    reason: str

    def covers(self, finding: Diagnostic) -> bool:
        span = finding.span
        return (finding.code, span.path) == (self.code, self.comment.path) and self.first <= span.line <= self.last


def suppress(
    sources: Mapping[str, str],
    documents: Iterable[Document],
    findings: Sequence[Diagnostic],
    played: bool = False,
    lints: bool = True,
) -> tuple[list[Diagnostic], list[Suppressed]]:
    """Return the remaining findings, including those about the comments themselves, and the allowed warnings.

    With `played`, the findings are those of play, and comments for other codes are not reported as unused. Comments
    for codes of `ruleset.check.lints` are reported as unused only with `lints`, which says that lints were run.
    """
    found = list(Findings(tuple(findings)).items)
    unreadable = {finding.span.path for finding in found if finding.code < "RW2" and _is_error(finding)}
    mentioned = [path for path, text in sources.items() if path not in unreadable and _MENTION.search(text)]
    if not mentioned:
        return found, []
    by_path: dict[str, list[Document]] = {path: [] for path in mentioned}
    for document in documents:
        if document.path in by_path:
            by_path[document.path].append(document)
    allowances: list[_Allowance] = []
    for path in mentioned:
        allowances.extend(_allowances(path, sources[path], by_path[path], found))
    kept: list[Diagnostic] = []
    suppressed: list[Suppressed] = []
    used: set[_Allowance] = set()
    like: dict[str, list[_Allowance]] = {}
    for allowance in allowances:
        like.setdefault(allowance.code, []).append(allowance)
    for finding in found:
        covering = [allowance for allowance in like.get(finding.code, ()) if allowance.covers(finding)]
        used.update(covering)
        if covering:
            suppressed.append(Suppressed(finding, covering[0].reason, covering[0].comment))
        else:
            kept.append(finding)
    if not any(map(_is_error, kept)):
        judged = [one for one in allowances if (one.code in PLAYED) == played and (lints or one.code not in LINTS)]
        unused = [one for one in judged if one not in used]
        kept.extend(_unused(allowance) for allowance in unused)
    return kept, suppressed


def _is_error(finding: Diagnostic) -> bool:
    return entry(finding.code).severity == "error"


def _unused(allowance: _Allowance) -> Diagnostic:
    message = f"unused comment: there is no {allowance.code} here"
    return Diagnostic(_UNUSED, allowance.span, message, "remove the comment, or move it to the line of the warning")


# ------------------------------------------------------------------ where comments are

def _allowances(
    path: str, text: str, documents: Sequence[Document], found: list[Diagnostic]
) -> Iterator[_Allowance]:
    """Yield what the comments of a file allow; append problems with the comments to `found`."""
    source = YamlText(path, text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"))
    texts = _Texts(text for document in documents for text in _texts(document))
    lines = source.text.split("\n")
    for place in _comments(source.text, texts):
        yield from _read(source, place, lines, texts, found)


class _Texts:
    """The texts of a file, indexed by offset and by line."""

    def __init__(self, texts: Iterable[_Text]) -> None:
        self._texts = sorted(texts, key=lambda text: text.start)
        self._starts = [text.start for text in self._texts]
        self._ends: dict[int, int] = {}
        for text in self._texts:
            self._ends[text.line] = max(text.end_line, self._ends.get(text.line, 0))

    def around(self, source: str, place: int) -> _Text | None:
        """Return the text that contains an offset, or None."""
        number = bisect_right(self._starts, place) - 1
        if number < 0 or not _inside(source, self._texts[number], place):
            return None
        return self._texts[number]

    def last_line(self, line: int) -> int:
        """Return the last line of the texts that begin on `line`, or `line` itself."""
        return self._ends.get(line, line)


def _comments(text: str, texts: _Texts) -> Iterator[int]:
    """Yield the offsets of comments that begin with `# rulewright:`."""
    for mention in _MENTION.finditer(text):
        place = mention.start()
        line = text.rfind("\n", 0, place) + 1
        around = texts.around(text, place)
        if around is None:
            before = (at for at in range(line, place) if text[at] == "#" and _begins(text, at))
            if _begins(text, place) and all(texts.around(text, at) is not None for at in before):
                yield place
        elif around.effect and "#" not in text[line:place]:
            yield place


def _begins(text: str, place: int) -> bool:
    """Whether a `#` at this offset begins a YAML comment."""
    return place == 0 or text[place - 1] in " \t\n"


def _inside(text: str, item: _Text, place: int) -> bool:
    """Whether an offset is in a text, not counting the line of a block's `|` or `>`."""
    if not item.start <= place < item.end:
        return False
    header = text[item.start] in "|>" and text.find("\n", item.start, item.end)
    return header is False or 0 <= header < place


def _texts(document: Document) -> Iterator[_Text]:
    yield from _walk(document.root, document.kind in _DOCUMENTS_OF_TEXTS)


def _walk(node: nodes.Node, players: bool) -> Iterator[_Text]:
    if isinstance(node, nodes.ScalarNode):
        if node.places is not None:
            effect = node.style == "literal" and not players
            yield _Text(node.places.start, node.places.end, node.span.line, node.span.end_line, effect)
    elif isinstance(node, nodes.SequenceNode):
        for item in node.items:
            yield from _walk(item, players)
    else:
        for part in node.entries:
            yield from _walk(part.key, True)
            yield from _walk(part.value, players or part.key.text in _TEXTS)


# ------------------------------------------------------------------ what a comment says

def _read(
    source: YamlText, place: int, lines: Sequence[str], texts: _Texts, found: list[Diagnostic]
) -> Iterator[_Allowance]:
    text = source.text
    end = text.find("\n", place)
    end = len(text) if end < 0 else end
    end = place + len(text[place:end].rstrip())
    comment = source.span(place, end)
    mention = _MENTION.match(text, place)
    assert mention is not None
    begin = mention.end()
    begin += len(text[begin:end]) - len(text[begin:end].lstrip())
    body = _BODY.match(text[begin:end])
    if body is None or body["allow"] != "allow" or not body["codes"].strip():
        word = text[begin:end].split(maxsplit=1)[0] if begin < end else ""
        message = "expected the code of a warning after `allow`"
        if word not in ("", "allow"):
            message = f"expected `allow`, found `{word}`"
        found.append(Diagnostic("RW131", comment, message, _FORM))
        return
    reason = (body["reason"] or "").strip()
    if not reason:
        hint = f"write it after a colon: `allow {body['codes'].strip()}: REASON`"
        found.append(Diagnostic("RW132", comment, "a reason is required", hint))
    codes = body["codes"].rstrip()
    whole = codes.endswith(f" {_FILE}")
    codes = codes.removesuffix(_FILE)
    first, last = (1, len(lines)) if whole else _lines(source, place, lines, texts)
    for code in _CODE.finditer(text, begin + body.start("codes"), begin + body.start("codes") + len(codes)):
        span = source.span(code.start(), code.end())
        problem = _problem(code[0], span)
        if problem is not None:
            found.append(problem)
        else:
            yield _Allowance(code[0], span, comment, first, last, reason)


def _problem(code: str, span: Span) -> Diagnostic | None:
    """Return a finding if the code cannot be allowed."""
    known = CATALOGUE.get(code)
    if known is None:
        meant = find(code)
        near = meant.code if meant else nearest(code, CATALOGUE)
        hint = f"did you mean `{near}`?" if near else "write the code that the warning shows, for example `RW503`"
        return Diagnostic("RW133", span, f"unknown code `{code}`", hint)
    if known.severity == "error":
        message = f"{code} is an error; only warnings can be allowed"
        return Diagnostic("RW134", span, message, f"fix the error; see `rulewright explain {code}`")
    if code == _UNUSED:
        message = f"{code} cannot be allowed, because it reports unused comments"
        return Diagnostic("RW134", span, message, "remove the unused comment")
    return None


def _lines(source: YamlText, place: int, lines: Sequence[str], texts: _Texts) -> tuple[int, int]:
    """Return the lines of a comment: its own or, if it is alone there, the next line with content."""
    number, column = source.position(place)
    if not lines[number - 1][: column - 1].strip():
        following = range(number + 1, len(lines) + 1)
        number = next((n for n in following if lines[n - 1].strip() and lines[n - 1].lstrip()[0] != "#"), number)
    return number, texts.last_line(number)
