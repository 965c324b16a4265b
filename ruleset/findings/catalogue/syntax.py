"""RW40x and RW41x: the form of texts of the effect language."""

from __future__ import annotations

from rulewright.ruleset.findings.catalogue.entry import Entry

FORMS: tuple[Entry, ...] = (
    Entry(
        "RW401",
        "text-too-large",
        "error",
        "A text of the effect language is too long or nested too deeply",
        "An effect has at most 20,000 characters and at most 40 brackets or blocks inside each other. Move parts "
        "of it to verbs and functions.",
        "",
        "",
    ),
    Entry(
        "RW402",
        "empty-text",
        "error",
        "A text of the effect language is empty",
        "An effect or expression is expected here. For an effect that does nothing, write `do nothing`.",
        'do: ""',
        "do: do nothing",
    ),
    Entry(
        "RW403",
        "comma-between-effects",
        "error",
        "Effects are joined with `then`",
        "`,` and `and` do not join effects. Write `then` between effects on one line, or write each effect on its "
        "own line under `|`.",
        "do: draw 1, lose 1 spark",
        "do: draw 1 then lose 1 spark",
    ),
    Entry(
        "RW404",
        "needs-parentheses",
        "error",
        "This part needs parentheses",
        "An expression that begins with `any`, `no`, `total`, `highest` or `lowest` continues to the end of the "
        "text. Inside a larger expression it needs parentheses.",
        "do: |\n  if sparks > 2 and any p in others where p's sparks > 2: draw 1",
        "do: |\n  if sparks > 2 and (any p in others where p's sparks > 2): draw 1",
    ),
    Entry(
        "RW405",
        "equals-sign",
        "error",
        "`=` does not compare",
        "Compare values with `is`, `is not`, `<`, `<=`, `>`, `>=`. A single `=` sets a track or, after `let`, "
        "names a value.",
        "do: |\n  if sparks = 2: draw 1",
        "do: |\n  if sparks is 2: draw 1",
    ),
    Entry(
        "RW406",
        "reserved-in-sentence",
        "error",
        "A verb's sentence contains a reserved word",
        "Words of the language, such as `in`, `of`, `as`, `where` and `then`, cannot be part of a verb's "
        "sentence: its uses could not be read.",
        "verb: put(s) <n> in\ndo: sparks += n",
        "verb: put(s) <n> aside\ndo: sparks += n",
    ),
    Entry(
        "RW407",
        "stray-colon",
        "error",
        "A `:` is not expected here",
        "A `:` begins the block of `if`, `each`, `repeat`, `may`, `choose one` or `open`. It is not possible "
        "anywhere else.",
        'when: "dusk: draw 1"\ndo: lose 1 spark',
        "when: dusk\ndo: draw 1 then lose 1 spark",
    ),
    Entry(
        "RW408",
        "unexpected-word",
        "error",
        "A word or sign is not expected here",
        "The text before it is already complete, or needs something else next. Join conditions with `and` or "
        "`or`, and effects with `then`.",
        "when: dusk starter is none\ndo: draw 1",
        "when: dusk and starter is none\ndo: draw 1",
    ),
    Entry(
        "RW409",
        "reserved-word-here",
        "error",
        "A reserved word is not possible here",
        "Words such as `where`, `then`, `is` and `else` have one meaning each, which does not fit here. "
        "Conditions inside a sentence need parentheses.",
        "when: dusk then starter is none\ndo: draw 1",
        "when: dusk and starter is none\ndo: draw 1",
    ),
    Entry(
        "RW410",
        "unexpected-character",
        "error",
        "A character is not part of the effect language",
        "The language consists of words in small letters, numbers, brackets and a few signs. Text for players "
        "belongs in `name` and `text`. Names have hyphens, but no underscores and no capital letters.",
        "do: Draw 1",
        "do: draw 1",
    ),
    Entry(
        "RW411",
        "unfinished",
        "error",
        "Something is missing at the end",
        "A sentence, a bracket or a block begins but does not end. A block follows its `:` on the same line, or "
        "indented on the next lines.",
        "do: draw 1 then",
        "do: draw 1 then lose 1 spark",
    ),
    Entry(
        "RW412",
        "effect-indentation",
        "error",
        "A line's indentation matches no block",
        "All lines of a block begin in the same column. A line that is indented less must begin in the column of "
        "a block above it.",
        "do: |\n  if dusk:\n      draw 1\n    draw 2",
        "do: |\n  if dusk:\n    draw 1\n    draw 2",
    ),
    Entry(
        "RW413",
        "number-too-large",
        "error",
        "A number is too large",
        "The largest number is 2147483647, and the smallest is -2147483648.",
        "do: draw 9999999999",
        "do: draw 9",
    ),
    Entry(
        "RW414",
        "not-a-whole-number",
        "error",
        "A number is not written as a whole number",
        "Numbers are whole. They are written with the digits 0 to 9, without leading zeros.",
        "do: draw 1.5",
        "do: draw 2",
    ),
    Entry(
        "RW415",
        "joined-lines",
        "error",
        "The lines of an effect are joined into one",
        "YAML joins the lines of a text after `>`, and of a text without any sign after its key, with spaces. "
        "After `|` they remain lines, and each is a sentence of its own.",
        "do: >\n  draw 1\n  lose 1 spark",
        "do: |\n  draw 1\n  lose 1 spark",
    ),
)
