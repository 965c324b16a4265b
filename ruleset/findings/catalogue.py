"""All codes of findings: names, severities, and the pages that explain them.

What a code means, with a wrong and a right example, is the page `pages/CODE.md`: a title, one or more paragraphs,
and after `Wrong:` and `Right:` a fenced block each. `explain`, the reference, SARIF, and the browser read it.
Invariants: codes and names are unique, a code is never reused, and each has a page. To add a code, add its line and
its page.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from attrs import frozen

from rulewright.ruleset.common.diagnostic import Severity
from rulewright.ruleset.common.nearest import nearest
from rulewright.ruleset.common.record import Record

PAGES = Path(__file__).with_name("pages")
_EXAMPLE = re.compile(r"\n(Wrong|Right):\n\n```yaml\n(.*?)\n```\n", re.DOTALL)


@frozen(repr=False)
class FindingPage(Record):
    """What a code means. The examples are files or parts of files, empty where no short one shows the finding."""

    title: str
    explanation: str = ""
    wrong: str = ""
    right: str = ""


@frozen(repr=False)
class CatalogueEntry(Record):
    """A code of findings. Its name is in kebab-case."""

    code: str
    name: str
    severity: Severity

    @property
    def page(self) -> FindingPage:
        return _page(self.code)


@cache
def _page(code: str) -> FindingPage:
    if code not in CATALOGUE:
        return FindingPage("A finding without explanation")
    text = (PAGES / f"{code}.md").read_text(encoding="utf-8")
    examples = {"Wrong": "", "Right": "", **dict(_EXAMPLE.findall(text))}
    title, *paragraphs = _EXAMPLE.sub("", text).strip().split("\n\n")
    explanation = "\n\n".join(part.replace("\n", " ") for part in paragraphs)
    return FindingPage(title.removeprefix("# "), explanation, examples["Wrong"], examples["Right"])


_CODES: tuple[tuple[str, str, Severity], ...] = (
    # RW1xx: files and YAML; from RW131 on comments that allow warnings
    ("RW100", "yaml-syntax", "error"),
    ("RW101", "colon-in-text", "error"),
    ("RW102", "quote-ends-early", "error"),
    ("RW103", "unclosed-quote", "error"),
    ("RW104", "brackets", "error"),
    ("RW105", "tab", "error"),
    ("RW106", "reserved-character", "error"),
    ("RW107", "braces-without-values", "error"),
    ("RW108", "no-key", "error"),
    ("RW109", "indentation", "error"),
    ("RW110", "duplicate-key", "error"),
    ("RW111", "text-lost-to-comment", "warning"),
    ("RW112", "merge-key", "error"),
    ("RW113", "yaml-tag", "error"),
    ("RW114", "unknown-alias", "error"),
    ("RW115", "too-many-aliases", "error"),
    ("RW116", "key-not-a-word", "error"),
    ("RW117", "document-not-a-mapping", "error"),
    ("RW118", "too-deep", "error"),
    ("RW119", "too-large", "error"),
    ("RW120", "invisible-character", "error"),
    ("RW121", "not-utf-8", "error"),
    ("RW122", "unknown-escape", "error"),
    ("RW123", "block-header", "error"),
    ("RW124", "list-beside-key", "error"),
    ("RW125", "yaml-directive", "error"),
    ("RW126", "misspelt-declaration", "error"),
    ("RW127", "missing-separator", "error"),
    ("RW128", "quote-without-beginning", "warning"),
    ("RW131", "suppression-unclear", "error"),
    ("RW132", "suppression-without-reason", "error"),
    ("RW133", "suppression-unknown-code", "error"),
    ("RW134", "suppression-of-an-error", "error"),
    ("RW135", "suppression-unused", "warning"),
    ("RW150", "unreadable-file", "error"),
    # RW2xx: the shape of a document, as its JSON Schema defines it
    ("RW201", "unknown-key", "error"),
    ("RW202", "missing-key", "error"),
    ("RW203", "wrong-type", "error"),
    ("RW204", "not-a-choice", "error"),
    ("RW205", "wrong-form", "error"),
    ("RW206", "out-of-range", "error"),
    ("RW207", "wrong-length", "error"),
    ("RW208", "repeated-item", "error"),
    ("RW209", "keys-together", "error"),
    ("RW210", "not-allowed-here", "error"),
    ("RW211", "too-nested", "error"),
    ("RW212", "starts-outside-bounds", "error"),
    ("RW213", "table-too-large", "error"),
    # RW3xx: names and declarations
    ("RW301", "bad-name", "error"),
    ("RW302", "reserved-name", "error"),
    ("RW303", "declared-twice", "error"),
    ("RW304", "unknown-type", "error"),
    ("RW305", "players-range", "error"),
    ("RW306", "option-default", "error"),
    ("RW307", "value-gap", "error"),
    ("RW308", "no-owner", "error"),
    ("RW309", "unknown-reference", "error"),
    ("RW310", "unknown-kind", "error"),
    ("RW311", "unknown-field", "error"),
    ("RW312", "verb-begins-with-hole", "error"),
    ("RW313", "step-twice", "error"),
    ("RW314", "verbs-clash", "error"),
    ("RW315", "field-value", "error"),
    ("RW316", "unknown-anchor", "error"),
    ("RW317", "hole-name", "error"),
    ("RW318", "not-a-scope", "error"),
    ("RW319", "starts-with-players", "error"),
    ("RW320", "never-used", "error"),
    ("RW321", "not-accepted", "error"),
    ("RW322", "copies-and-entries", "error"),
    ("RW323", "no-such-choice", "error"),
    ("RW324", "not-settled", "error"),
    ("RW325", "broken-text", "error"),
    ("RW326", "no-such-value", "error"),
    ("RW327", "language-missing", "warning"),
    ("RW328", "nowhere", "error"),
    ("RW329", "idle-step", "error"),
    ("RW330", "unknown-in-layout", "error"),
    ("RW331", "shown-twice", "error"),
    ("RW332", "several-layouts", "error"),
    ("RW333", "form-of-no-zone", "error"),
    ("RW334", "definitions-in-layout", "error"),
    ("RW335", "one-of-these", "error"),
    ("RW336", "name-without-effect", "warning"),
    ("RW337", "makes-no-cards", "error"),
    ("RW338", "worked-out", "error"),
    ("RW339", "fields-in-a-circle", "error"),
    ("RW340", "choice-of-no-rule", "error"),
    ("RW341", "never-offered", "error"),
    ("RW342", "never-preferred", "warning"),
    ("RW343", "bot-of-every-game", "error"),
    ("RW344", "bot-that-peeks", "error"),
    ("RW345", "nothing-from-a-bot", "error"),
    ("RW346", "no-name-for-players", "warning"),
    ("RW347", "no-question", "warning"),
    ("RW348", "no-words-for-option", "warning"),
    ("RW349", "not-used", "warning"),
    ("RW350", "twice-in-a-list", "warning"),
    ("RW351", "no-text-for-players", "warning"),
    ("RW352", "list-left-out", "warning"),
    ("RW360", "score-of-another-form", "error"),
    ("RW361", "cannot-start-over", "error"),
    ("RW362", "unseen-in-layout", "error"),
    ("RW370", "top-of-no-pile", "error"),
    ("RW371", "seen-and-hidden", "error"),
    ("RW372", "kernel-name", "error"),
    ("RW380", "too-few-to-choose", "error"),
    ("RW390", "face-of-no-kind", "error"),
    ("RW391", "field-on-a-face", "error"),
    ("RW392", "member-on-a-face", "error"),
    ("RW393", "no-colour", "error"),
    ("RW394", "no-symbol", "error"),
    ("RW395", "size-of-cards", "error"),
    ("RW396", "no-picture", "error"),
    ("RW397", "unusable-picture", "error"),
    ("RW398", "value-in-a-path", "error"),
    ("RW399", "picture-not-there", "warning"),
    # RW4xx: sentences, types and words of the effect language
    ("RW401", "text-too-large", "error"),
    ("RW402", "empty-text", "error"),
    ("RW403", "comma-between-effects", "error"),
    ("RW404", "needs-parentheses", "error"),
    ("RW405", "equals-sign", "error"),
    ("RW406", "reserved-in-sentence", "error"),
    ("RW407", "stray-colon", "error"),
    ("RW408", "unexpected-word", "error"),
    ("RW409", "reserved-word-here", "error"),
    ("RW410", "unexpected-character", "error"),
    ("RW411", "unfinished", "error"),
    ("RW412", "effect-indentation", "error"),
    ("RW413", "number-too-large", "error"),
    ("RW414", "not-a-whole-number", "error"),
    ("RW415", "joined-lines", "error"),
    ("RW420", "unknown-name", "error"),
    ("RW421", "two-meanings", "error"),
    ("RW422", "nobodys-turn", "error"),
    ("RW423", "no-such-property", "error"),
    ("RW424", "wrong-sort-of-value", "error"),
    ("RW425", "no-such-sentence", "error"),
    ("RW426", "two-sentences", "error"),
    ("RW427", "not-a-list", "error"),
    ("RW428", "cannot-be-equal", "error"),
    ("RW429", "number-of-arguments", "error"),
    ("RW430", "unknown-function", "error"),
    ("RW431", "cannot-be-set", "error"),
    ("RW432", "name-taken", "error"),
    ("RW433", "unknown-effect", "error"),
    ("RW434", "nothing-to-end", "error"),
    ("RW435", "arguments-of-effect", "error"),
    ("RW436", "index", "error"),
    ("RW437", "name-of-result", "error"),
    ("RW438", "unseen-home", "error"),
    ("RW439", "amount-of-chance", "error"),
    ("RW440", "no-arrival", "error"),
    ("RW441", "whose", "error"),
    ("RW442", "criterion", "error"),
    ("RW443", "does-not-wait", "error"),
    ("RW444", "name-without-a-value", "error"),
    ("RW445", "copy-or-definition", "error"),
    ("RW446", "label", "error"),
    ("RW447", "adverb", "error"),
    ("RW448", "log-value", "error"),
    ("RW449", "one-by-one", "warning"),
    ("RW450", "never-there", "error"),
    ("RW451", "name-not-used", "warning"),
    ("RW452", "always-you", "warning"),
    ("RW453", "option-twice", "error"),
    ("RW454", "range", "error"),
    ("RW455", "last-resort", "error"),
    ("RW456", "reason-never-read", "error"),
    ("RW460", "cannot-be-started", "error"),
    ("RW461", "not-at-every-place", "error"),
    ("RW462", "two-parts", "error"),
    ("RW463", "moves-nothing", "error"),
    # RW5xx: meaning: bounds, termination, what somebody may know
    ("RW501", "read-would-shuffle", "error"),
    ("RW502", "endless-calls", "error"),
    ("RW503", "derived-anew", "warning"),
    ("RW504", "never-accepted", "error"),
    ("RW505", "never-decides", "error"),
    ("RW507", "lost-after-game", "warning"),
    # RW6xx: packs, what they need and change
    ("RW601", "file-outside", "error"),
    ("RW602", "pack-too-large", "error"),
    ("RW603", "no-pack-file", "error"),
    ("RW604", "file-encoding", "error"),
    ("RW605", "pack-undeclared", "error"),
    ("RW606", "pack-declared-twice", "error"),
    ("RW610", "pack-missing", "error"),
    ("RW611", "pack-version", "error"),
    ("RW612", "version-range", "error"),
    ("RW613", "packs-in-circle", "error"),
    ("RW614", "order-in-circle", "error"),
    ("RW615", "packs-in-conflict", "error"),
    ("RW616", "two-games", "error"),
    ("RW617", "pack-twice", "error"),
    ("RW620", "nothing-to-change", "error"),
    ("RW621", "other-number-matches", "error"),
    ("RW622", "no-longer-so", "warning"),
    ("RW623", "packs-change-the-same", "error"),
    ("RW624", "cannot-change-so", "error"),
    ("RW625", "nothing-to-remove", "error"),
    ("RW626", "order-matters", "warning"),
    ("RW627", "condition-of-every", "error"),
    ("RW628", "there-already", "error"),
    ("RW629", "proceed-once", "error"),
    ("RW635", "may-never-happen", "warning"),
    ("RW636", "without-effect", "warning"),
    ("RW638", "pack-perhaps-misspelt", "warning"),
    ("RW639", "no-difference", "warning"),
    ("RW640", "old-format", "error"),
    ("RW641", "newer-format", "error"),
    ("RW642", "too-old-format", "error"),
    # RW7xx: scenarios; from RW731 on what games are expected to be like
    ("RW701", "no-such-player", "error"),
    ("RW702", "no-such-option", "error"),
    ("RW703", "no-such-entry", "error"),
    ("RW704", "impossible-position", "error"),
    ("RW705", "not-asked", "error"),
    ("RW706", "nothing-said", "warning"),
    ("RW707", "no-such-series", "error"),
    ("RW708", "no-such-result", "error"),
    ("RW711", "scenario-fails", "error"),
    ("RW721", "never-reached", "warning"),
    ("RW731", "not-a-threshold", "error"),
    ("RW732", "threshold-out-of-range", "error"),
    ("RW733", "expects-of-nothing", "error"),
    ("RW734", "no-such-bot", "error"),
    ("RW735", "no-such-table", "error"),
    ("RW736", "wrong-group", "error"),
    ("RW737", "never-a-choice", "error"),
    ("RW738", "expects-in-vain", "error"),
)
CATALOGUE: dict[str, CatalogueEntry] = {row[0]: CatalogueEntry(*row) for row in _CODES}
_BY_NAME: dict[str, CatalogueEntry] = {item.name: item for item in CATALOGUE.values()}


def find(code_or_name: str) -> CatalogueEntry | None:
    """Find an entry by its code (`RW110`, in any case) or its name (`duplicate-key`)."""
    return CATALOGUE.get(code_or_name.upper()) or _BY_NAME.get(code_or_name.lower())


def entry(code: str) -> CatalogueEntry:
    """Return the entry of a reported code. An unlisted code is treated as an error without explanation."""
    return CATALOGUE.get(code) or CatalogueEntry(code, "unlisted", "error")


def explain(code_or_name: str) -> str:
    """Return the explanation of a code as plain text that ends with a newline, or say that it is unknown."""
    item = find(code_or_name)
    if item is None:
        near = nearest(code_or_name, [*CATALOGUE, *_BY_NAME])
        return f"there is no code `{code_or_name}`" + (f"; did you mean `{near}`?" if near else "") + "\n"
    page = item.page
    parts = [f"{item.code} {item.name} ({item.severity})", page.title, page.explanation]
    if page.wrong:
        parts += ["Wrong:\n\n" + _indented(page.wrong), "Right:\n\n" + _indented(page.right)]
    return "\n\n".join(parts) + "\n"


def _indented(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.split("\n"))
