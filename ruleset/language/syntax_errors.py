"""Explain why the parser rejects a string, and suggest what to write."""

from __future__ import annotations

import re
from typing import Literal

from attrs import frozen

from rulewright.ruleset.common.indentation import odd_line
from rulewright.ruleset.common.limits import WHOLE, number_hint
from rulewright.ruleset.common.record import Record

Start = Literal["effect", "expression", "pattern"]


@frozen(repr=False)
class Mistake(Record):
    """The reason why a string is invalid; offsets count characters of the string."""

    code: str
    start: int
    end: int
    message: str
    hint: str | None = None


EXPECTED = {
    "effect": "an effect, such as `draw 2` or `lose 1 coin`",
    "expression": "an expression, such as `count(hand)` or `coins >= 3`",
    "pattern": "a sentence, such as `draw(s) <n>`",
}

KEYWORDS = frozenset(
    [
        "and",
        "or",
        "not",
        "is",
        "in",
        "has",
        "where",
        "of",
        "then",
        "as",
        "if",
        "else",
        "each",
        "repeat",
        "times",
        "while",
        "when",
        "otherwise",
        "with",
        "over",
        "let",
        "total",
        "highest",
        "lowest",
        "any",
        "no",
        "your",
        "every",
        "empty",
    ]
)


NOT_NAMES = frozenset(["every", "highest", "lowest", "not", "total", "your"])
"""Words that cannot be names: at the start of an expression they are part of the grammar."""

LOCAL_NOT_NAMES = (
    NOT_NAMES
    | {"you", "it", "this", "players", "others", "all-players", "extra-turn", "none", "true", "false", "score"}
    | {"home"}
    | {"and", "as", "div", "has", "if", "in", "is", "mod", "of", "or", "then", "with"}
)
"""Words that cannot be local names in an effect. Unlike other names, local ones may be `card` or `number`."""

_WORDS = "|".join(sorted((KEYWORDS - {"times"}) | {"div", "mod"}))
_NEW_NAME = re.compile(
    rf"(?<![\w-])(?:let[ ]+({_WORDS})(?=[ ]*=(?!=))|as[ ]+({_WORDS})(?=[ ]*(?:[\n#:]|\Z|then\b))"
    rf"|each[ ]+({_WORDS})(?=[ ]+in(?![\w-])))"
)


def reserved(word: str) -> tuple[str, str]:
    """Return the message and hint for a name that is a word of the language."""
    return f"`{word}` is a word of the language", "choose another name"


def mistake_of(start: Start, text: str, at: int, word: str, terminal: str) -> Mistake:
    """Report a word that cannot follow; `terminal` is its kind in the grammar."""
    at = min(max(at, 0), len(text))
    if terminal == "_INDENT":
        return _too_deep(text, at)
    if not word.strip() or terminal == "$END" or terminal.startswith("_"):
        end = at if terminal == "_NL" else len(text.rstrip())
        return _reserved_before(text, end) or _early_end(text, end)
    end = min(at + len(word), len(text))
    if word == "," or (word == "and" and start == "effect"):
        return Mistake("RW403", at, end, f"`{word}` cannot join effects", _THEN)
    mistake = _reserved_before(text, end) or _first_try(text, at, end, word)
    if mistake is not None:
        return mistake
    before = re.search(r"(any|no|total|highest|lowest)\s+\Z", text[:at])
    if before is not None and before.start() > 0:
        at, word = before.start(), before[1]
        end = at + len(word)
    if word in ("any", "no", "total", "highest", "lowest"):
        hint = f"put the part that begins with `{word}` in parentheses"
        return Mistake("RW404", at, end, f"`{word}` cannot follow here without parentheses", hint)
    if word == "=":
        hint = "write `is`; `=` only sets a value, after `let` or a track"
        end += text[end : end + 1] == "="
        return Mistake("RW405", at, end, "`=` does not compare", hint)
    if start == "pattern":
        return Mistake("RW406", at, end, *not_in_a_sentence(word))
    if word == ":":
        hint = "remove it: only `if`, `each`, `repeat`, `may`, `choose one`, and `open` are followed by a block"
        return Mistake("RW407", at, end, "`:` is not expected here", hint)
    first = re.search(r"[\w-]+\s+\Z", text[:at])
    ends = re.match(r"([\w-]+)\s+to\s+([\w-]+)", text[first.start() :]) if first is not None else None
    if terminal == "TO" and first is not None and ends is not None:
        hint = f"write `({ends[1]} to {ends[2]})`"
        at, end = first.start(), first.start() + ends.end()
        return Mistake("RW404", at, end, "a range needs parentheses here", hint)
    if start == "expression" and terminal in ("NAME", "INT", "FUNC"):
        hint = "join conditions with `and` or `or`"
        return Mistake("RW408", at, end, f"expected the end of the expression, found `{word}`", hint)
    if word in KEYWORDS:
        advice = _KEYWORD_HINTS.get(word)
        named = re.match(r"as[ ]+([\w-]+)", text[at:])
        among = re.search(r"(?<![\w-])over[ ]+([\w' -]*[\w-])[ ]+\Z", text[:at])
        if named is not None and among is not None:
            at, end = among.start(), at + named.end()
            advice = f"to name the members, write `over {named[1]} in {among[1]}`"
        return Mistake("RW409", at, end, f"`{word}` is a reserved word and is not expected here", advice)
    brackets = "arguments with comparisons or `and` need parentheses" if word in ("<", ">", "<=", ">=") else None
    called = re.search(r"(?<![\w-])([a-z][\w-]*)[ ]+\Z", text[:at])
    if word == "(" and called is not None and called[1] not in KEYWORDS:
        brackets = f"a call has no space before its `(`: `{called[1]}(…)`"
    return Mistake("RW408", at, end, f"`{word}` is not expected here", brackets)


def _reserved_before(text: str, end: int) -> Mistake | None:
    """Report a reserved word used as a new name before this place, which makes its later use unreadable."""
    for found in _NEW_NAME.finditer(text, 0, end):
        number = found.lastindex or 1
        line = text[text.rfind("\n", 0, found.start()) + 1 : found.start()]
        if "#" not in line:
            return Mistake("RW302", found.start(number), found.end(number), *reserved(found[number]))
    return None


_THEN = "write `then` between effects: `draw 1 then lose 1 coin`"


def _first_try(text: str, at: int, end: int, word: str) -> Mistake | None:
    """Recognise common mistakes of newcomers; `word` is where parsing stopped."""
    line_start = text.rfind("\n", 0, at) + 1
    line, before = text[line_start:].split("\n", 1)[0], text[line_start:at]
    whose = re.search(r"(?<![\w-])(my|our|his|her|their|its)\s+\Z", before)
    if whose is not None and re.match(r"[a-z]", word):
        start = line_start + whose.start(1)
        hint = f"say whose: `p's {word}`, `it's {word}` or `your {word}`"
        hint = f"write `your {word}`" if whose[1] == "my" else hint
        return Mistake("RW408", start, start + len(whose[1]), f"`{whose[1]}` does not say whose this is", hint)
    label = _label(text, line_start, at)
    if label is not None:
        return label
    if text[:line_start].rstrip().endswith(":") and not before.strip() and not _deeper(text, line_start):
        message = "expected an indented line after the `:` above"
        return Mistake("RW411", at, end, message, "indent this line by two more spaces")
    gain = re.match(r"\+\s*(\d+)\s+([a-z][a-z-]*)", text[at:])
    if gain is not None and re.search(r"(^|then|:)\s*\Z", before):
        hint = f"write `{gain[2]} += {gain[1]}`"
        return Mistake("RW408", at, at + gain.end(), "an effect cannot begin with `+`", hint)
    loop = _EACH.match(line)
    if loop is not None and (loop["name"] in ("player", "players") or (loop[1] == "each" and ":" not in line)):
        among = "LIST" if not loop["name"].startswith("player") else "others" if loop["other"] else "players"
        hint = f"write `each p in {among}: p {loop['rest'].strip()}`"
        start, stop = (line_start + place for place in loop.span())
        return Mistake("RW408", start + _indent(line), stop, EACH_NEEDS_LIST, hint)
    over = re.search(r"(?<![\w-])(total|highest|lowest)[ ][^:]*\Z", before)
    if over is not None and word in ("in", "of", "where") and " over " not in over[0]:
        hint = f"for example `{over[1]} cost over cards in hand`"
        return Mistake("RW411", at, end, f"`{over[1]}` needs `over` and a list, not `{word}`", hint)
    opened = re.match(r"\s*(if|else if|each|repeat)(?![\w-])[^:]*\Z", before)
    if opened is not None and word == "then":
        message = f"expected `:` after `{opened[1]} …`, found `then`"
        return Mistake("RW411", at, end, message, "write `:` instead of `then`")
    if opened is not None and ":" not in line and re.match(r"[a-z]", word) and word not in KEYWORDS:
        hint = f"write `{line[: at - line_start].strip()}: …`"
        return Mistake("RW411", at, end, "expected `:` before this", hint)
    if word == ")" and text.count(")") > text.count("("):
        return Mistake("RW411", at, end, "this `)` has no matching `(`", "remove it, or add the `(`")
    if word in (")", "]", ":") and _WANTING.search(before):
        hint = "write a name, a number, or a condition here"
        return Mistake("RW411", at, end, f"something is missing before `{word}`", hint)
    return None


EACH_NEEDS_LIST = "a loop needs a name and a list: `each NAME in LIST: …`"
_EACH = re.compile(r"\s*(each|every)\s+(?:(?P<other>other)\s+)?(?P<name>[a-z][a-z-]*)\s+(?!in\b)(?P<rest>[^:\n]*)")


def each_of(line: str) -> tuple[str, str]:
    """Return the noun after `each` in a loop without a list, and the rest of the line."""
    loop = _EACH.match(line)
    return (loop["name"], loop["rest"].strip()) if loop is not None else ("", "")


def not_in_a_sentence(word: str) -> tuple[str, str]:
    """Return the message and hint for a word that the sentence of a verb cannot contain."""
    if word not in KEYWORDS:
        return f"`{word}` is not expected in the sentence of a verb", "for example `draw(s) <n>`"
    return (
        f"`{word}` is a reserved word, so the sentence of a verb cannot contain it",
        f"use another word; the reserved words are {', '.join(sorted(KEYWORDS))}",
    )


def _deeper(text: str, line_start: int) -> bool:
    """Whether a line is indented more than the last non-blank line above it."""
    above = [line for line in text[:line_start].split("\n") if line.strip()]
    return bool(above) and _indent(text[line_start:]) > _indent(above[-1])


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def _label(text: str, line_start: int, at: int) -> Mistake | None:
    """Report a menu's label that is not a single word, if parsing stopped in it."""
    line = text[line_start:].split("\n", 1)[0]
    indent = _indent(line)
    above = [one for one in text[:line_start].split("\n") if one.strip() and _indent(one) < indent]
    label = line[indent:].partition(":")[0]
    if ":" not in line or not above or _MENU.search(above[-1]) is None or at > line_start + indent + len(label):
        return None
    start = line_start + indent
    end = start + len(label.partition(" when ")[0].rstrip())
    return Mistake("RW446", start, end, *not_a_label(label, line[indent + len(label) + 1 :]))


_MENU = re.compile(r"(?<![\w-])chooses? one[ ]*:[ ]*(#.*)?\Z")


def not_a_label(label: str, effect: str) -> tuple[str, str]:
    """Return the message and hint for a label that is not a word; `effect` is the text after the label."""
    said, _, condition = label.partition(" when ")
    word = re.sub(r"^[0-9-]+", "", re.sub(r"[^a-z0-9]+", "-", said.lower()).strip("-")) or "option"
    effect = effect.split("\n", 1)[0].split("#", 1)[0].strip() or "…"
    condition = f" when {condition.strip()}" if condition else ""
    if word == said.strip():
        message = f"`{word}` cannot be a label: it is a word of the language"
        return message, "choose another word; the text for players goes into `prompts`"
    message = f"`{said.strip()}` is not a label: a label is one word"
    return message, f"write `{word}{condition}: {effect}`; the text for players goes into `prompts`"


_WANTING = re.compile(
    r"(^|[(\[,<>=+*-]|'s|(?<![\w-])(and|or|not|is|in|has|where|of|over|div|mod|if|while|when|your|every))[ ]*\Z"
)
"""Matches text that cannot end an expression."""


def _too_deep(text: str, at: int) -> Mistake:
    """Report a line that is indented although no `:` above opens a block."""
    line = re.compile(r"[ \t]*(?:#[^\n]*)?\n(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*(\S+)").match(text, at)
    start, end = line.span(1) if line is not None else (at, at)
    odd = odd_line(text, start)
    if odd is not None:
        message = "this line's indentation does not match the lines below it"
        return Mistake("RW412", *odd, message, "indent it exactly like those")
    hint = "align it with the line above; only lines that belong to a `:` are indented"
    return Mistake("RW412", start, end, "unexpected indentation: no line above opens a block here", hint)


_KEYWORD_HINTS = {
    "then": "`then` joins two effects on one line",
    "where": "`where` follows a list: `cards in hand where cost > 2`",
    "or": "conditions in a sentence need parentheses",
    "and": "conditions in a sentence need parentheses",
    "is": "conditions in a sentence need parentheses",
    "as": "`as NAME` ends a sentence",
    "else": "`else:` has the same indentation as its `if`",
    "otherwise": "`otherwise:` has the same indentation as its `may`",
    "with": "`with NAME = …` ends a sentence with `perform`, `open`, or `claim`",
    "in": "a list or zone follows `in`: `cards in hand`",
    "has": "`has` follows a list or a card, in a condition",
    "not": "`not` comes before a condition; to compare two things, write `is not`",
    "over": "`over` belongs to a sum: `total cost over cards in hand`; to compare numbers, write `>`",
    "of": "`of` belongs to `top of …`, `bottom of …`, `first of …`, and `last of …`; otherwise write `x's y`",
    "if": "`if CONDITION: …` begins a new line",
    "each": "`each NAME in LIST: …` begins a new line",
    "repeat": "`repeat N times: …` begins a new line",
    "times": "`times` belongs to `repeat N times: …`; to multiply, write `*`",
    "while": "`while` belongs to `repeat while CONDITION: …`",
    "when": "`when` belongs to an option of a menu; in an effect, write `if CONDITION: …`",
    "let": "`let NAME = …` begins a new line",
    "your": "a zone, track, or list of yours follows `your`: `your hand`",
    "every": "`every KIND` lists all definitions of a kind; for players, write `each p in players: …`",
    "empty": "`empty` follows `is`: `hand is empty`",
}


def _word(text: str, at: int) -> tuple[int, int]:
    """Return the range of the word around a place."""
    start = end = at
    while start > 0 and (text[start - 1].isalnum() or text[start - 1] in "-_"):
        start -= 1
    while end < len(text) and (text[end].isalnum() or text[end] in "-_"):
        end += 1
    return start, end


def character_mistake(text: str, at: int) -> Mistake:
    """Report a character that begins no word of the language."""
    at = min(max(at, 0), len(text))
    character = text[at : at + 1]
    if character.isupper():
        word = re.match(r"[\w-]+", text[at:])
        name = word.group() if word else character
        return Mistake("RW410", at, at + len(name), f"`{name}` has a capital letter", f"write `{name.lower()}`")
    if character == "_":
        start, end = _word(text, at)
        hint = f"write `{text[start:end].replace('_', '-')}`"
        return Mistake("RW410", start, end, "names cannot contain `_`", hint)
    if character in "'’\"“”":
        hint = "texts for players belong in `name` and `text`; a possessive is written `p's hand`"
        return Mistake("RW410", at, at + 1, f"`{character}` is not expected here", hint)
    if character in "{}":
        hint = "an effect is a sentence, or several lines after `|`, without braces"
        return Mistake("RW410", at, at + 1, f"`{character}` is not part of the effect language", hint)
    if character in "!=&;":
        hint = {"!": "write `is not`", "&": "write `and`", ";": _THEN, "=": "write `is`"}[character]
        sign = character + text[at + 1 : at + 2] if text[at : at + 2] in ("!=", "==", "&&") else character
        return Mistake("RW410", at, at + len(sign), f"`{sign}` is not part of the effect language", hint)
    if character == ",":
        return Mistake("RW403", at, at + 1, "`,` cannot join effects", _THEN)
    if character == ":":
        hint = "remove it: only `if`, `each`, `repeat`, `may`, `choose one`, and `open` are followed by a block"
        return Mistake("RW407", at, at + 1, "`:` is not expected here", hint)
    if character.isalpha():
        start, end = _word(text, at)
        hint = "names in rules use the letters a to z; texts for players belong in `name` and `text`"
        return Mistake("RW410", start, end, f"`{text[start:end]}` contains `{character}`", hint)
    return Mistake("RW410", at, at + 1, f"`{character}` is not expected here")


def _early_end(text: str, at: int) -> Mistake:
    line = text[:at].rsplit("\n", 1)[-1]
    if line.rstrip().endswith(":"):
        hint = "write an effect on the same line, or indented on the next"
        return Mistake("RW411", at, at, "expected a block after `:`", hint)
    if re.match(r"\s*(if|each|repeat|may|choose one)\b", line) and ":" not in line:
        hint = "add `:` and indent the lines that belong to it"
        return Mistake("RW411", at, at, "expected `:` at the end of this line", hint)
    if text.count("(") > text.count(")"):
        start = text.rfind("(")
        return Mistake("RW411", start, start + 1, "this `(` has no matching `)`", "add the `)`")
    last = re.search(r"(\S+)\s*\Z", text[:at])
    word = f"`{last[1]}`" if last is not None else "the last word"
    return Mistake("RW411", at, at, "the sentence is incomplete", f"write the rest after {word}")


def indentation_mistake(text: str) -> Mistake:
    """Report the first line whose indentation matches no open block."""
    depths = [0]
    offset = 0
    for line in text.splitlines(keepends=True):
        depth = len(line) - len(line.lstrip(" \t"))
        if line.strip():
            if depth > depths[-1]:
                depths.append(depth)
            while depth < depths[-1]:
                depths.pop()
            if depth != depths[-1]:
                hint = "indent each block by the same number of spaces"
                odd = odd_line(text, offset + depth)
                if odd is not None:
                    message = "this line's indentation does not match the lines below it"
                    return Mistake("RW412", *odd, message, "indent it exactly like those")
                return Mistake(
                    "RW412", offset, offset + depth, "this line's indentation matches no line above it", hint
                )
        offset += len(line)
    return Mistake("RW412", 0, len(text), "the indentation is inconsistent")


# ---- Explain numbers that are not written as whole numbers: `4.5`, `010`, `0x10`, `1_000`, `.inf`

_LIKE = re.compile(r"(?<![\w.,-])(?:\.?\d|\.inf(?!\w))(?:\w|[.,](?=\w))*")


def number_mistake(text: str, refused: Mistake) -> Mistake | None:
    """Return the mistake about a number at the place where parsing stopped; None if it is about something else."""
    for found in _LIKE.finditer(text):
        if found.start() <= refused.end and refused.start <= found.end() and WHOLE.fullmatch(found[0]) is None:
            hint = number_hint(found[0])
            return not_whole(found[0], found.start(), found.end()) if hint is not None else None
    return None


def not_whole(word: str, start: int, end: int) -> Mistake:
    """Return the mistake about a word that means a number and is not written as a whole one."""
    return Mistake("RW414", start, end, f"`{word}` is not a whole number", number_hint(word))
