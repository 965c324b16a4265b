"""RW2xx: the shape of a document, as defined by its JSON Schema."""

from __future__ import annotations

from rulewright.ruleset.findings.catalogue.entry import Entry

SHAPE: tuple[Entry, ...] = (
    Entry(
        "RW201",
        "unknown-key",
        "error",
        "Unknown key",
        "The kind of a definition, and inside it the key above, determine which keys are allowed. An unknown key "
        "would have no effect, so it is an error: usually it is misspelt or has the wrong indentation. The schema "
        "that your editor uses lists the keys.",
        "verb: polish\ndoo: draw 1",
        "verb: polish\ndo: draw 1",
    ),
    Entry(
        "RW202",
        "missing-key",
        "error",
        "A required key is missing",
        "A definition of this kind requires the key. The finding points to the definition's first key.",
        "verb: polish",
        "verb: polish\ndo: draw 1",
    ),
    Entry(
        "RW203",
        "wrong-type",
        "error",
        "A value has the wrong type",
        "The key expects a value of another type: text, a whole number, `true` or `false`, a list, or `key: "
        "value` lines. To write a number, `true`, `false`, or `null` as text, put it in quotes.",
        "copies: three",
        "copies: 3",
    ),
    Entry(
        "RW204",
        "not-a-choice",
        "error",
        "A value is not one of the allowed values",
        "The key has a fixed list of allowed values.",
        "order: stack",
        "order: pile",
    ),
    Entry(
        "RW205",
        "wrong-form",
        "error",
        "A text has the wrong form",
        "The key expects a text of a certain form, such as a name in lowercase letters with `-` between its "
        "words, or a version.",
        "verb: Polish_It",
        "verb: polish-it",
    ),
    Entry(
        "RW206",
        "out-of-range",
        "error",
        "A number is too small or too large",
        "The key expects a number between the bounds in the message.",
        "copies: -1",
        "copies: 1",
    ),
    Entry(
        "RW207",
        "wrong-length",
        "error",
        "Too few or too many parts",
        "The list, mapping, or text must have a number of parts between the bounds in the message.",
        "options: []",
        "options: [draw 1, lose 1 spark]",
    ),
    Entry(
        "RW208",
        "repeated-item",
        "error",
        "A list has an item twice",
        "In this list, repeating an item has no meaning, so it is probably a mistake.",
        "sets: [first, second, first]",
        "sets: [first, second]",
    ),
    Entry(
        "RW209",
        "keys-together",
        "error",
        "Keys that cannot be combined",
        "Some keys require another key, and some cannot be used together.",
        "do: draw 1\noptions: [draw 1]",
        "do: draw 1",
    ),
    Entry(
        "RW210",
        "not-allowed-here",
        "error",
        "A value is not allowed here",
        "The value breaks a rule of the schema that has no message of its own. The reference of the kind lists "
        "the allowed values.",
        "",
        "",
    ),
    Entry(
        "RW211",
        "too-nested",
        "error",
        "Code is nested too deeply",
        "Blocks, expressions, and calls can be nested up to these limits: 16 loops, 80 conditions and loops, and "
        "150 levels in total. A call also counts the levels inside the verb or function that it calls. Each case "
        "in a list of cases counts as one level.",
        "verb: glow(s)\ndo: |\n"
        + "".join(f"{'  ' * n}each p-{n} in players:\n" for n in range(1, 18))
        + "  " * 18
        + "sparks += 1",
        "verb: glow(s)\ndo: |\n  each p in players:\n    each q in players: sparks += 1",
    ),
    Entry(
        "RW212",
        "starts-outside-bounds",
        "error",
        "A track starts outside its bounds",
        "The value of a track is always between `at-least` and `at-most`, including its value at the start. "
        "Without `starts`, a track starts at 0, `false` (0), `none` (-1), or the first member of an enumeration "
        "(0). Without bounds, it holds -1000000 to 1000000. The check uses each number of players and the default "
        "of each option. If other options move the start outside the bounds, the game does not start.",
        "tracks: {oil: {at-least: 1, at-most: 9}}",
        "tracks: {oil: {starts: 1, at-least: 1, at-most: 9}}",
    ),
    Entry(
        "RW213",
        "table-too-large",
        "error",
        "A pack makes too many definitions, cards, or numbers",
        "A pack has at most 10,000 definitions. A table has at most 20,000 cards, and its zones, tracks, and lists "
        "hold at most 1,000,000 numbers. The check uses each number of players and the default of each "
        "option.",
        'kinds: {coin: {}}\n---\ncomponents: {coins: {kind: coin, copies: "count(players) * 20000", starts: row}}',
        'kinds: {coin: {}}\n---\ncomponents: {coins: {kind: coin, copies: "count(players) * 20", starts: row}}',
    ),
)
