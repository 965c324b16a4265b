"""RW1xx: files and YAML."""

from __future__ import annotations

from ruleset.findings.catalogue.entry import Entry

DOCUMENTS: tuple[Entry, ...] = (
    Entry(
        "RW100",
        "yaml-syntax",
        "error",
        "This is not YAML",
        "The text cannot be read as `key: value` lines and lists. Usually something is missing just "
        "before the marked place: a quote, a bracket, a `:` or an indentation. The rest of this "
        "document is not checked; the other documents of the file are.",
        "text: &one &two bright",
        "text: &one bright",
    ),
    Entry(
        "RW101",
        "colon-in-text",
        "error",
        "A colon makes a key where none can stand",
        "In YAML a `:` with a blank behind it makes the words before it a key, also in the middle of a "
        "text. A text that needs one goes in quotes, or in a block: `|` behind the key and the text on "
        "the next lines, indented. The blank is also what makes a key: `key:value` is a single word.",
        "do: if hand is empty: draw 1",
        "do: |\n  if hand is empty: draw 1",
    ),
    Entry(
        "RW102",
        "quote-ends-early",
        "error",
        "A quoted text ends before its line does",
        "The second quote ends a quoted text, and nothing but a comment may follow it. Between `'` and "
        "`'` an apostrophe is written twice; between double quotes a double quote is written with a "
        "backslash. A text that does not begin with a quote needs no quotes for those inside of it.",
        "text: 'the giver's choice'",
        "text: the giver's choice",
    ),
    Entry(
        "RW103",
        "unclosed-quote",
        "error",
        "A quote has no end",
        "A text that begins with a quote goes on to the next quote of the same sort, over line ends "
        "too. When the document ends first, the quote was never closed. A text that begins with an "
        "apostrophe must be quoted with double quotes.",
        "text: 'twas brillig",
        'text: "\'twas brillig"',
    ),
    Entry(
        "RW104",
        "brackets",
        "error",
        "Brackets or commas do not fit together",
        "`[one, two]` is a list and `{key: value, other: value}` a mapping. Each opening bracket needs "
        "its closing one, commas separate the parts, and nothing may follow the end on its line. A text "
        "that begins with a bracket, or holds brackets or commas inside of `[...]`, must be quoted.",
        "parts: [one, two\nlast: three",
        "parts: [one, two]\nlast: three",
    ),
    Entry(
        "RW105",
        "tab",
        "error",
        "A tab stands where only blanks may",
        "YAML forbids tabs in indentation, because editors show them at different widths. Write spaces, "
        "two for each level. Tabs may stand inside of quotes, of `|` blocks (behind the indentation) "
        "and of comments.",
        "parts:\n\t- one",
        "parts:\n  - one",
    ),
    Entry(
        "RW106",
        "reserved-character",
        "error",
        "A text begins with a character that YAML keeps for itself",
        "A text cannot begin with an at sign, a backquote, `%`, `*`, `&`, `!` or `? `. Put the text in quotes.",
        "text: *really* bright",
        "text: '*really* bright'",
    ),
    Entry(
        "RW107",
        "braces-without-values",
        "error",
        "Words in braces have no value",
        "`{...}` holds `key: value` pairs. A list is written in `[...]`. Several effects are one text, "
        "joined by `then`, or the lines of a `|` block. A `:` needs a blank behind it.",
        "do: {draw 4, lose 2 sparks}",
        "do: draw 4 then lose 2 sparks",
    ),
    Entry(
        "RW108",
        "no-key",
        "error",
        "A line has no key",
        "Each line of a mapping is `key: value`. A text of several lines goes in a `|` block, with "
        "every line indented deeper than the key. A list item needs a blank behind its `-`.",
        "text: a bright light\nin a dark room",
        "text: |\n  a bright light\n  in a dark room",
    ),
    Entry(
        "RW109",
        "indentation",
        "error",
        "A line's indentation fits nothing above it",
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
        "A key stands twice",
        "Two entries of one mapping have the same key. Many readers of YAML keep the last one and say "
        "nothing. Remove one, or rename it.",
        "thing: lantern\ncost: 3\ncost: 4",
        "thing: lantern\ncost: 4",
    ),
    Entry(
        "RW111",
        "text-lost-to-comment",
        "warning",
        "A part of a text became a comment",
        "A `#` with a blank before it begins a comment, so that the rest of the line is no part of the "
        "text. When that is meant, write a blank behind the `#`; when not, quote the text.",
        "do: light lantern #2",
        'do: "light lantern #2"',
    ),
    Entry(
        "RW112",
        "merge-key",
        "error",
        "Merge keys are not supported",
        "`<<` would copy the entries of another mapping into this one. No reader could tell which of "
        "two values holds, so packs have no merge keys. Write the entries out. A whole value may be "
        "named with `&name` and used again with `*name`.",
        "thing: torch\n<<: *light",
        "thing: torch\nlight: *light",
    ),
    Entry(
        "RW113",
        "yaml-tag",
        "error",
        "Packs have no YAML tags",
        "A word that begins with `!` in front of a value is a tag and would change what the value is. "
        "What a value is follows from its form, and what it must be from its key. To have a number "
        "taken as text, put it in quotes; a text that begins with `!` must be quoted.",
        "number: !!str 12",
        'number: "12"',
    ),
    Entry(
        "RW114",
        "unknown-alias",
        "error",
        "An alias names nothing",
        "`*name` stands for the value that has `&name` before it, earlier in the same document. A value "
        "cannot stand inside of itself. A text that begins with `*` must be quoted.",
        "first: &bright [one, two]\nsecond: *brigth",
        "first: &bright [one, two]\nsecond: *bright",
    ),
    Entry(
        "RW115",
        "too-many-aliases",
        "error",
        "Aliases stand for too much",
        "A short file can stand for billions of values when aliases repeat aliases. A file's aliases "
        "may stand for 20,000 values in all; no honest pack comes near.",
        "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]   # and so on, thirty times",
        "a: [x, x]",
    ),
    Entry(
        "RW116",
        "key-not-a-word",
        "error",
        "A key is not a word",
        "Keys are words or short texts; lists, mappings and aliases cannot be keys, and a `:` needs a "
        "key before it.",
        "? [one, two]\n: three",
        "one: three\ntwo: three",
    ),
    Entry(
        "RW117",
        "document-not-a-mapping",
        "error",
        "A document is no `key: value` lines",
        "Each document, from one `---` line to the next, holds one definition: `key: value` lines, of "
        "which the first names the kind and the name.",
        "- thing: lantern\n- thing: torch",
        "thing: lantern\n---\nthing: torch",
    ),
    Entry(
        "RW118",
        "too-deep",
        "error",
        "Values stand inside of one another too deep",
        "Lists and mappings may stand inside of one another 64 levels deep. Usually a bracket was never closed.",
        "[[[[[[ ... ]]]]]]",
        "[1, 2, 3]",
    ),
    Entry(
        "RW119",
        "too-large",
        "error",
        "A file is too large",
        "A file may have 1 MiB and hold 100,000 values. Divide it: files and folders mean nothing to a "
        "pack, so that definitions may stand in any of them.",
        "",
        "",
    ),
    Entry(
        "RW120",
        "invisible-character",
        "error",
        "An invisible character stands in a file",
        "Control characters, unusual line ends and marks that turn the direction of writing are not "
        "shown by most editors; a text with them is not what it seems. They usually come from copied "
        "text. Escapes for them in double quotes are refused as well.",
        'text: "a\\x07b"',
        "text: ab",
    ),
    Entry(
        "RW121",
        "not-utf-8",
        "error",
        "A file is not UTF-8",
        "Files are read as UTF-8, in which accents and signs of all tongues can be written. This one "
        "was saved with another encoding: have your editor save it as UTF-8.",
        "",
        "",
    ),
    Entry(
        "RW122",
        "unknown-escape",
        "error",
        "A backslash is followed by something that has no meaning",
        "Between double quotes a backslash begins an escape, such as `\\n` or `\\u00e9`. For a backslash "
        "itself write two, or put the text between single quotes, where it is an ordinary character.",
        'text: "one\\two\\quarter"',
        "text: 'one\\two\\quarter'",
    ),
    Entry(
        "RW123",
        "block-header",
        "error",
        "Text stands on the line of a `|`",
        "The text of a block begins on the line below its `|` or `>`. On the same line only `+`, `-`, a "
        "digit from 1 to 9 and a comment may follow.",
        "do: | draw 1\n  lose 1 spark",
        "do: |\n  draw 1\n  lose 1 spark",
    ),
    Entry(
        "RW124",
        "list-beside-key",
        "error",
        "A list begins on the line of its key",
        "Items that begin with `- ` stand on lines of their own, below the key. In one line a list is "
        "written in brackets.",
        "parts: - one",
        "parts:\n  - one",
    ),
    Entry(
        "RW125",
        "yaml-directive",
        "error",
        "Directives are not supported",
        "Lines that begin with `%` before a document would change how YAML is read. Packs are YAML 1.2 "
        "without directives; delete the line. A text that begins with `%` must be quoted.",
        "%YAML 1.1\n---\nthing: lantern",
        "thing: lantern",
    ),
    Entry(
        "RW150",
        "unreadable-file",
        "error",
        "A file of the pack cannot be read",
        "All `.yaml` and `.yml` files in a pack's folder are read, so each must be a regular file that you may "
        "read. A FIFO, a device, or a socket is never opened, and a loop of symbolic links leads to no file.",
        "",
        "",
    ),
)
