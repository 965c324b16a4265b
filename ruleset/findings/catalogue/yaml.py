"""RW1xx: files and YAML."""

from __future__ import annotations

from rulewright.ruleset.findings.catalogue.entry import Entry

DOCUMENTS: tuple[Entry, ...] = (
    Entry(
        "RW100",
        "yaml-syntax",
        "error",
        "Invalid YAML",
        "The text cannot be read as `key: value` lines and lists. Usually something is missing just before the "
        "marked place: a quote, a bracket, a `:`, or indentation. The rest of this document is not checked; the "
        "other documents of the file are.",
        "text: &one &two bright",
        "text: bright",
    ),
    Entry(
        "RW101",
        "colon-in-text",
        "error",
        "A colon makes a key where none is expected",
        "In YAML, a `:` followed by a space makes the words before it a key, even in the middle of a text. Put a "
        "text that contains one in quotes, or in a block: `|` after the key, and the text on the next lines, "
        "indented. Without the space there is no key: `key:value` is a single word.",
        "do: if hand is empty: draw 1",
        "do: |\n  if hand is empty: draw 1",
    ),
    Entry(
        "RW102",
        "quote-ends-early",
        "error",
        "A quoted text ends early",
        "The second quote ends a quoted text; only a comment may follow it. In single quotes, write an apostrophe "
        "twice; in double quotes, write a double quote with a backslash. A text that does not begin with a quote "
        "needs no quotes for those inside it.",
        "text: 'the giver's choice'",
        "text: the giver's choice",
    ),
    Entry(
        "RW103",
        "unclosed-quote",
        "error",
        "A quote is never closed",
        "A text that begins with a quote continues to the next quote of the same kind, even on later lines. Here "
        "the document ends first. A text that begins with an apostrophe needs double quotes.",
        "text: 'twas brillig",
        'text: "\'twas brillig"',
    ),
    Entry(
        "RW104",
        "brackets",
        "error",
        "Brackets or commas do not match",
        "`[one, two]` is a list and `{key: value, other: value}` a mapping. Each opening bracket needs its "
        "closing one, commas separate the parts, and nothing may follow the closing bracket on its line. Put a "
        "text that begins with a bracket, or contains brackets or commas inside `[...]`, in quotes.",
        "parts: [one, two\nlast: three",
        "parts: [one, two]\nlast: three",
    ),
    Entry(
        "RW105",
        "tab",
        "error",
        "A tab where only spaces are allowed",
        "YAML does not allow tabs in indentation, because editors show them at different widths. Write spaces, "
        "two for each level. Tabs are allowed inside quotes, in `|` blocks (after the indentation), and in "
        "comments.",
        "parts:\n\t- one",
        "parts:\n  - one",
    ),
    Entry(
        "RW106",
        "reserved-character",
        "error",
        "A text begins with a character that YAML reserves",
        "A text cannot begin with an at sign, a backquote, `%`, `*`, `&`, `!`, or `? `. Put the text in quotes.",
        "text: *really* bright",
        "text: '*really* bright'",
    ),
    Entry(
        "RW107",
        "braces-without-values",
        "error",
        "Words in braces have no value",
        "`{...}` contains `key: value` pairs. Write a list in `[...]`. Write several effects as one text, joined "
        "by `then`, or as the lines of a `|` block. A `:` needs a space after it.",
        "do: {draw 4, lose 2 sparks}",
        "do: draw 4 then lose 2 sparks",
    ),
    Entry(
        "RW108",
        "no-key",
        "error",
        "A line has no key",
        "Each line of a mapping is `key: value`. A text of several lines goes in a `|` block, with every line "
        "indented deeper than the key. A list item needs a space after its `-`.",
        "text: a bright light\nin a dark room",
        "text: |\n  a bright light\n  in a dark room",
    ),
    Entry(
        "RW109",
        "indentation",
        "error",
        "A line's indentation matches nothing above it",
        "Lines that belong together begin in the same column. A line that is indented deeper belongs to "
        "the key above it, which then has no value on its own line. The first line of a `|` block sets "
        "the indentation of the block.",
        "parts:\n    one: 1\n  two: 2",
        "parts:\n  one: 1\n  two: 2",
    ),
    Entry(
        "RW110",
        "duplicate-key",
        "error",
        "A key appears twice",
        "Two entries of one mapping have the same key. Many YAML readers silently keep the last one. Remove one, "
        "or rename it.",
        "thing: lantern\ncost: 3\ncost: 4",
        "thing: lantern\ncost: 4",
    ),
    Entry(
        "RW111",
        "text-lost-to-comment",
        "warning",
        "A part of a text became a comment",
        "A `#` after a space begins a comment, so the rest of the line is not part of the text. If you mean a "
        "comment, write a space after the `#`; if not, quote the text.",
        "do: light lantern #2",
        'do: "light lantern #2"',
    ),
    Entry(
        "RW112",
        "merge-key",
        "error",
        "Merge keys are not supported",
        "`<<` would copy the entries of another mapping into this one, so that a reader could not tell which of "
        "two values counts. Write the entries out. You can name a whole value with `&name` and repeat it with "
        "`*name`.",
        "thing: torch\n<<: *light",
        "thing: torch\nlight: *light",
    ),
    Entry(
        "RW113",
        "yaml-tag",
        "error",
        "YAML tags are not supported",
        "A word that begins with `!` before a value is a tag, which would change the type of the value. In packs, "
        "the form of a value determines its type. To write a number as text, put it in quotes; also quote a text "
        "that begins with `!`.",
        "number: !!str 12",
        'number: "12"',
    ),
    Entry(
        "RW114",
        "unknown-alias",
        "error",
        "Unknown alias",
        "`*name` repeats the value after `&name`, earlier in the same document. A value cannot contain itself. "
        "Put a text that begins with `*` in quotes.",
        "first: &bright [one, two]\nsecond: *brigth",
        "first: &bright [one, two]\nsecond: *bright",
    ),
    Entry(
        "RW115",
        "too-many-aliases",
        "error",
        "Aliases expand to too many values",
        "A short file can expand to billions of values if aliases repeat aliases. The aliases of a file may "
        "expand to 20,000 values in total, which is far more than packs need.",
        "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]   # and so on, thirty times",
        "a: [x, x]",
    ),
    Entry(
        "RW116",
        "key-not-a-word",
        "error",
        "A key is not a word",
        "Keys are words or short texts. Lists, mappings, and aliases cannot be keys, and a `:` needs a key before "
        "it.",
        "? [one, two]\n: three",
        "one: three\ntwo: three",
    ),
    Entry(
        "RW117",
        "document-not-a-mapping",
        "error",
        "A document is not a mapping",
        "Each document, from one `---` line to the next, is one definition: `key: value` lines, of which the "
        "first is the kind and the name.",
        "- thing: lantern\n- thing: torch",
        "thing: lantern\n---\nthing: torch",
    ),
    Entry(
        "RW118",
        "too-deep",
        "error",
        "Values are nested too deeply",
        "Lists and mappings may be nested 64 levels deep. Usually a bracket was never closed.",
        "[[[[[[ ... ]]]]]]",
        "[1, 2, 3]",
    ),
    Entry(
        "RW119",
        "too-large",
        "error",
        "A file is too large",
        "The limits for one file are 1 MiB and 100,000 values. Split the file: definitions may be in any file of "
        "the pack.",
        "",
        "",
    ),
    Entry(
        "RW120",
        "invisible-character",
        "error",
        "A file contains an invisible character",
        "Most editors do not show control characters, unusual line ends, or marks that change the direction of "
        "writing, so a text that contains them is not what it seems. They usually come from copied text. Escapes "
        "for them in double quotes are not allowed either.",
        'text: "a\\x07b"',
        "text: ab",
    ),
    Entry(
        "RW121",
        "not-utf-8",
        "error",
        "A file is not UTF-8",
        "Files are read as UTF-8, which can represent the letters of all languages. This file was saved with "
        "another encoding: save it as UTF-8.",
        "",
        "",
    ),
    Entry(
        "RW122",
        "unknown-escape",
        "error",
        "Unknown escape after a backslash",
        "In double quotes, a backslash begins an escape, such as `\\n` or `\\u00e9`. For a backslash itself, write "
        "two, or use single quotes, where it is an ordinary character.",
        'text: "one\\two\\quarter"',
        "text: 'one\\two\\quarter'",
    ),
    Entry(
        "RW123",
        "block-header",
        "error",
        "Text on the line of a `|`",
        "The text of a block begins on the line after its `|` or `>`. On the same line only `+`, `-`, a digit "
        "from 1 to 9, and a comment may follow.",
        "do: | draw 1\n  lose 1 spark",
        "do: |\n  draw 1\n  lose 1 spark",
    ),
    Entry(
        "RW124",
        "list-beside-key",
        "error",
        "A list begins on the line of its key",
        "Write items that begin with `- ` on separate lines, below the key. To write a list in one line, use "
        "brackets.",
        "parts: - one",
        "parts:\n  - one",
    ),
    Entry(
        "RW125",
        "yaml-directive",
        "error",
        "YAML directives are not supported",
        "Lines that begin with `%` before a document would change how YAML is read. Packs are YAML 1.2 without "
        "directives: delete the line. Put a text that begins with `%` in quotes.",
        "%YAML 1.1\n---\nthing: lantern",
        "thing: lantern",
    ),
    Entry(
        "RW127",
        "missing-separator",
        "error",
        "The line between two documents is missing",
        "A file holds documents, separated by lines of `---`. The first key of a document says what it is, and "
        "cannot follow in the same document.",
        "thing: lantern\ncost: 3\nthing: torch\ncost: 1",
        "thing: lantern\ncost: 3\n---\nthing: torch\ncost: 1",
    ),
    Entry(
        "RW128",
        "quote-without-beginning",
        "warning",
        "A text ends with a quote, but does not begin with one",
        "Only a text that begins with a quote is a quoted text; in any other, quotes are ordinary characters. "
        "Usually the first quote was forgotten.",
        'text: the giver chooses"',
        'text: "the giver chooses"',
    ),
    Entry(
        "RW150",
        "unreadable-file",
        "error",
        "A file of the pack cannot be read",
        "All `.yaml` and `.yml` files in a pack's folder are read, so each must be a regular, readable file. A "
        "FIFO, a device, or a socket is never opened, and a loop of symbolic links leads to no file.",
        "",
        "",
    ),
)
