"""RW40x and RW41x: the form of texts of the effect language."""

from __future__ import annotations

from ruleset.findings.catalogue.entry import Entry

FORMS: tuple[Entry, ...] = (
    Entry(
        "RW401",
        "text-too-large",
        "error",
        "A text of the effect language is too long or too deep",
        "An effect has at most 20,000 characters, and at most 40 brackets or blocks inside of each other. "
        "Give parts of it names, as verbs and functions.",
        "",
        "",
    ),
    Entry(
        "RW402",
        "empty-text",
        "error",
        "A text of the effect language is empty",
        "An effect or expression is expected here. An effect that does nothing is written `do nothing`.",
        'do: ""',
        "do: do nothing",
    ),
    Entry(
        "RW403",
        "comma-between-effects",
        "error",
        "Effects are joined with `then`",
        "`,` and `and` join no effects. Several effects stand on one line with `then` between them, or "
        "each on a line of its own under `|`.",
        "do: draw 1, lose 1 spark",
        "do: draw 1 then lose 1 spark",
    ),
    Entry(
        "RW404",
        "needs-parentheses",
        "error",
        "This part needs parentheses",
        "What begins with `any`, `no`, `total`, `highest` or `lowest` goes on to the end of the "
        "expression. Inside of a larger one it stands in parentheses.",
        "do: |\n  if sparks > 2 and any p in others where p's sparks > 2: draw 1",
        "do: |\n  if sparks > 2 and (any p in others where p's sparks > 2): draw 1",
    ),
    Entry(
        "RW405",
        "equals-sign",
        "error",
        "`=` does not compare",
        "Values are compared with `is`, `is not`, `<`, `<=`, `>`, `>=`. A single `=` sets a track, or "
        "gives a name after `let`.",
        "do: |\n  if sparks = 2: draw 1",
        "do: |\n  if sparks is 2: draw 1",
    ),
    Entry(
        "RW406",
        "reserved-in-sentence",
        "error",
        "A verb's sentence has a word that cannot stand in it",
        "Words that hold the language together, such as `in`, `of`, `as`, `where` and `then`, would make "
        "the sentence unreadable where it is used.",
        "verb: put(s) <n> in\ndo: sparks += n",
        "verb: put(s) <n> aside\ndo: sparks += n",
    ),
    Entry(
        "RW407",
        "stray-colon",
        "error",
        "A `:` is not expected here",
        "A `:` begins the block of `if`, `each`, `repeat`, `may`, `choose one` or `open`, and stands nowhere else.",
        'when: "dusk: draw 1"\ndo: lose 1 spark',
        "when: dusk\ndo: draw 1 then lose 1 spark",
    ),
    Entry(
        "RW408",
        "unexpected-word",
        "error",
        "A word or sign is not expected here",
        "What stands before it is already complete, or wants something else next. Conditions are joined "
        "with `and` or `or`, effects with `then`.",
        "when: dusk starter is none\ndo: draw 1",
        "when: dusk and starter is none\ndo: draw 1",
    ),
    Entry(
        "RW409",
        "reserved-word-here",
        "error",
        "A reserved word stands where it cannot",
        "Words such as `where`, `then`, `is` and `else` have one meaning, and it does not fit here. "
        "Conditions inside of a sentence need parentheses.",
        "when: dusk then starter is none\ndo: draw 1",
        "when: dusk and starter is none\ndo: draw 1",
    ),
    Entry(
        "RW410",
        "unexpected-character",
        "error",
        "A character is not of the effect language",
        "The language is made of small words, numbers, brackets and a few signs. Text for players goes "
        "into `name` and `text`; names have hyphens, no underscores and no capital letters.",
        "do: Draw 1",
        "do: draw 1",
    ),
    Entry(
        "RW411",
        "unfinished",
        "error",
        "Something is missing at the end",
        "A sentence, a bracket or a block was begun and not finished. A block follows its `:` on the same "
        "line, or indented on the next ones.",
        "do: draw 1 then",
        "do: draw 1 then lose 1 spark",
    ),
    Entry(
        "RW412",
        "effect-indentation",
        "error",
        "A line's indentation fits no block",
        "The lines of a block begin in the same column. A line that goes back must go back to the column "
        "of a block above it.",
        "do: |\n  if dusk:\n      draw 1\n    draw 2",
        "do: |\n  if dusk:\n    draw 1\n    draw 2",
    ),
    Entry(
        "RW413",
        "number-too-large",
        "error",
        "A number is too large",
        "Numbers go up to 2147483647.",
        "do: draw 9999999999",
        "do: draw 9",
    ),
)
