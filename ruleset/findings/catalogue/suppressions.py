"""RW131 to RW135: comments that allow a warning."""

from __future__ import annotations

from rulewright.ruleset.findings.catalogue.entry import Entry

_SWEEP = (
    "function: spread\ngives: number\nis: count(row)\n---\nverb: sweep(s)\ndo: |\n  sparks += spread\n"
    "  move row to discard\n"
)
_LET = "function: spread\ngives: number\nis: count(row)\n---\nverb: sweep(s)\ndo: |\n  let before = spread\n"

SUPPRESSIONS: tuple[Entry, ...] = (
    Entry(
        "RW131",
        "suppression-unclear",
        "error",
        "A comment for rulewright is not understood",
        "A comment that begins with `rulewright:` allows a warning: `# rulewright: allow RW503: REASON`. Write it "
        "on the line of the warning, or on the line above. `allow RW503 in this file` applies to the whole file.",
        "verb: rest(s)\ndo: do nothing  # rulewright: ignore RW503: nothing to derive",
        "verb: rest(s)\ndo: do nothing  # nothing to derive",
    ),
    Entry(
        "RW132",
        "suppression-without-reason",
        "error",
        "A warning is allowed without a reason",
        "After the codes and a colon, say why the warning does not matter here, for later readers.",
        f"{_SWEEP}  sparks += spread  # rulewright: allow RW503",
        f"{_SWEEP}  sparks += spread  # rulewright: allow RW503: what is left counts once more",
    ),
    Entry(
        "RW133",
        "suppression-unknown-code",
        "error",
        "Unknown code in a comment",
        "Write the code of the warning, as findings show it. `rulewright explain` lists all codes.",
        "verb: rest(s)\ndo: do nothing  # rulewright: allow RW999: nothing to derive",
        "verb: rest(s)\ndo: do nothing",
    ),
    Entry(
        "RW134",
        "suppression-of-an-error",
        "error",
        "Only warnings can be allowed",
        "A pack with an error cannot be played, so the error must be fixed. The warning about an unused comment "
        "(RW135) cannot be allowed either: remove the comment.",
        "verb: rest(s)\ndo: do nothing  # rulewright: allow RW305: it is new",
        "verb: rest(s)\ndo: do nothing  # it is new",
    ),
    Entry(
        "RW135",
        "suppression-unused",
        "warning",
        "A comment allows a warning that is not there",
        "The warning was fixed, or the comment is on another line. It would hide the next warning of this kind. "
        "This is reported only once a pack has no errors, because errors may hide warnings.",
        f"{_LET}  sparks += before  # rulewright: allow RW503: what is left counts once more",
        f"{_LET}  sparks += before",
    ),
)
