"""RW131 to RW135: comments that allow a warning."""

from __future__ import annotations

from ruleset.findings.catalogue.entry import Entry

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
        "A comment for rulewright says nothing that it knows",
        "A comment that begins with `rulewright:` allows a warning: `# rulewright: allow RW503: REASON`. It stands "
        "on the line that it is for or on the line above. `allow RW503 in this file` is for a whole file.",
        "verb: rest(s)\ndo: do nothing  # rulewright: ignore RW503: nothing to derive",
        "verb: rest(s)\ndo: do nothing  # nothing to derive",
    ),
    Entry(
        "RW132",
        "suppression-without-reason",
        "error",
        "A warning is allowed without a reason",
        "Behind the codes and a colon stands why the warning does not matter here. Who reads it later has to know.",
        f"{_SWEEP}  sparks += spread  # rulewright: allow RW503",
        f"{_SWEEP}  sparks += spread  # rulewright: allow RW503: what is left counts once more",
    ),
    Entry(
        "RW133",
        "suppression-unknown-code",
        "error",
        "The code that is allowed does not exist",
        "What is allowed is named by its code, as findings show it. `rulewright explain` lists all codes.",
        "verb: rest(s)\ndo: do nothing  # rulewright: allow RW999: nothing to derive",
        "verb: rest(s)\ndo: do nothing",
    ),
    Entry(
        "RW134",
        "suppression-of-an-error",
        "error",
        "Only warnings can be allowed",
        "With an error the pack does not mean anything that could be played: it has to be repaired. That a comment "
        "allows what is not there (RW135) cannot be allowed either: the comment is to be removed.",
        "verb: rest(s)\ndo: do nothing  # rulewright: allow RW305: it is new",
        "verb: rest(s)\ndo: do nothing  # it is new",
    ),
    Entry(
        "RW135",
        "suppression-unused",
        "warning",
        "A comment allows a warning that is not there",
        "The warning was repaired, or the comment stands in another place. It would hide the next warning of that "
        "kind. This is reported once a pack has no errors, since errors may hide warnings.",
        f"{_LET}  sparks += before  # rulewright: allow RW503: what is left counts once more",
        f"{_LET}  sparks += before",
    ),
)
