"""Messages with arguments, plurals, and choices: a small subset of ICU MessageFormat.

    message  = (text | argument | plural | select | "#")*
    argument = "{" name "}"
    name     = word ("'s" word)*
    plural   = "{" name ", plural," ("=" number | category) "{" message "}" ... "}"
    select   = "{" name ", select," key "{" message "}" ... "}"

Spaces around names, commas, and keys are ignored. A plural has the branch `other`, and may have `one` and exact
numbers (`=0`), which take precedence; inside it, `#` is the number of the innermost plural. A select also has
`other`. In text, two apostrophes mean one, and one before `{`, `}`, or `#` quotes up to the next apostrophe; any
other apostrophe is literal. Numbers are integers; dates, offsets, and number formats are not supported.

`parse` returns a message or raises MessageError with an offset; `problems` checks a parsed message against its
permitted arguments; `format_message` returns the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal, TypeAlias

from attrs import frozen

from rulewright.ruleset.common.nearest import listed
from rulewright.ruleset.common.record import Record

MAX_DEPTH = 8
CATEGORIES: dict[str, tuple[str, ...]] = {"en": ("one", "other"), "es": ("one", "other")}
"""The plural categories of each language; other languages have those of English."""

Value: TypeAlias = int | str


class NamedValue(str):
    """A name in a text. `case` is the key by which a `select` chooses, instead of the name itself."""

    case: str

    def __new__(cls, name: str, case: str) -> NamedValue:
        """Make a name for people, with the key that stands for it."""
        made = super().__new__(cls, name)
        made.case = case
        return made


_OF = re.compile("'s(?=\\s)")
_PLAIN = re.compile("[^{}'#]+")
_QUOTED = re.compile("((?:[^']|'')*+)'")
"""A quotation and its closing apostrophe; two apostrophes in it mean one."""


class MessageError(ValueError):
    """The text is not a valid message; `offset` counts characters from 0."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(f"{message} (at character {offset + 1})")
        self.message = message
        self.offset = offset


@frozen(repr=False)
class LiteralText(Record):
    """Literal text."""

    text: str


@frozen(repr=False)
class Argument(Record):
    """The value of an argument."""

    name: str
    offset: int


@frozen(repr=False)
class PluralNumber(Record):
    """`#`: the number of the enclosing plural."""

    offset: int


@frozen(repr=False)
class Pick(Record):
    """A plural or select: chooses the branch with the matching key, else `other`."""

    sort: Literal["plural", "select"]
    name: str
    branches: tuple[tuple[str, Message], ...]
    offset: int


Part: TypeAlias = LiteralText | Argument | PluralNumber | Pick
Message: TypeAlias = tuple[Part, ...]


@frozen(repr=False)
class Problem(Record):
    """A problem of a valid message; `word` is the name or key at `offset`."""

    message: str
    offset: int
    word: str


# ------------------------------------------------------------------ reading

def parse(text: str) -> Message:
    """Parse a text. Raises MessageError."""
    reader = _Reader(text)
    message = reader.message(depth=0, in_plural=False)
    if reader.at < len(text):
        raise MessageError("this `}` has no matching `{`", reader.at)
    return message


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def message(self, depth: int, in_plural: bool) -> Message:
        if depth > MAX_DEPTH:
            raise MessageError(f"it nests more than {MAX_DEPTH} levels deep", self.at)
        parts: list[Part] = []
        literal: list[str] = []
        while self.at < len(self.text) and self.text[self.at] != "}":
            here = self.text[self.at]
            if here == "{" or (here == "#" and in_plural):
                if literal:
                    parts.append(LiteralText("".join(literal)))
                    literal = []
                parts.append(self._placeholder(depth, in_plural))
            else:
                literal.append(self._literal())
        if literal:
            parts.append(LiteralText("".join(literal)))
        return tuple(parts)

    def _literal(self) -> str:
        """Read literal characters up to the next special one."""
        plain = _PLAIN.match(self.text, self.at)
        if plain is not None:
            self.at = plain.end()
            return plain[0]
        here = self.text[self.at]
        self.at += 1
        if here != "'" or self.at >= len(self.text):
            return here
        if self.text[self.at] == "'":
            self.at += 1
            return "'"
        if self.text[self.at] not in "{}#":
            return "'"
        quoted = _QUOTED.match(self.text, self.at)
        if quoted is None:
            raise MessageError("this quote is not closed", self.at - 1)
        self.at = quoted.end()
        return quoted[1].replace("''", "'")

    def _placeholder(self, depth: int, in_plural: bool) -> Part:
        start = self.at
        self.at += 1
        if self.text[start] == "#":
            return PluralNumber(start)
        name = self._name()
        if self._take("}"):
            return Argument(name, start)
        self._expect(",", "`,` or `}` after the name")
        sort_at = self._skip()
        sort = self._word("`plural` or `select`")
        if sort not in ("plural", "select"):
            raise MessageError(f"expected `plural` or `select`, found `{sort}`", sort_at)
        self._expect(",", f"`,` after `{sort}`")
        branches: dict[str, Message] = {}
        while not self._take("}"):
            key_at = self._skip()
            key = self._key(sort)
            if key in branches:
                raise MessageError(f"the branch `{key}` occurs twice", key_at)
            self._expect("{", f"`{{` after `{key}`")
            branches[key] = self.message(depth + 1, in_plural or sort == "plural")
            self._expect("}", f"`}}` at the end of the branch `{key}`")
        if "other" not in branches:
            raise MessageError(f"the {sort} of `{name}` has no branch `other`", start)
        return Pick("plural" if sort == "plural" else "select", name, tuple(branches.items()), start)

    def _name(self) -> str:
        """Read the name of an argument: a word, a path (`card's cost`), or a member of a field (`price.red`)."""
        words = [self._word("the name of a value")]
        while _OF.match(self.text, self.at):
            self.at += 2
            words.append(self._word("a word after `'s`"))
        if self.text.startswith(".", self.at):
            self.at += 1
            words[-1] += "." + self._word("a member after `.`")
        return "'s ".join(words)

    def _key(self, sort: str) -> str:
        start = self._skip()
        if sort == "plural" and self._take("="):
            number = self._word("a number")
            if not (number.isascii() and number.isdigit()):
                raise MessageError(f"`{number}` is not a number", start + 1)
            return f"={int(number)}"
        return self._word("the key of a branch")

    def _skip(self) -> int:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1
        return self.at

    def _word(self, what: str) -> str:
        start = self._skip()
        while self.at < len(self.text) and (self.text[self.at].isalnum() or self.text[self.at] in "_-"):
            self.at += 1
        word = self.text[start : self.at]
        if not word:
            raise MessageError(f"expected {what}", start)
        self._skip()
        return word

    def _take(self, mark: str) -> bool:
        self._skip()
        found = self.text.startswith(mark, self.at)
        self.at += len(mark) if found else 0
        return found

    def _expect(self, mark: str, what: str) -> None:
        # Spaces before the } that ends a branch belong to the branch's text and have been read with it.
        if not self._take(mark):
            raise MessageError(f"expected {what}", self.at)


# ------------------------------------------------------------------ checking

def problems(message: Message, arguments: Mapping[str, type], language: str | None = None) -> tuple[Problem, ...]:
    """Check a message's arguments (name to `int` or `str`) and its plural categories."""
    return tuple(_problems(message, arguments, CATEGORIES.get(language or "en", CATEGORIES["en"])))


def _problems(message: Message, arguments: Mapping[str, type], categories: tuple[str, ...]) -> Iterator[Problem]:
    for part in message:
        if isinstance(part, (Argument, Pick)) and part.name not in arguments:
            known = listed(sorted(arguments), "or") or "no value"
            yield Problem(f"there is no value `{part.name}`; expected {known}", part.offset, part.name)
        if not isinstance(part, Pick):
            continue
        if part.sort == "plural" and arguments.get(part.name, int) is not int:
            yield Problem(f"`{part.name}` is not a number, so it has no plural", part.offset, part.name)
        for key, branch in part.branches:
            if part.sort == "plural" and key[0] != "=" and key not in categories:
                told = f"`{key}` is not a branch of a plural; expected {listed(categories, 'or')}"
                yield Problem(told, part.offset, key)
            yield from _problems(branch, arguments, categories)


def arguments(message: Message) -> Iterator[Argument | Pick]:
    """Iterate over the arguments of a message, also in its branches."""
    for part in message:
        if isinstance(part, Argument | Pick):
            yield part
        if isinstance(part, Pick):
            for _, branch in part.branches:
                yield from arguments(branch)


def argument_names(message: Message) -> frozenset[str]:
    """Return the names of a message's arguments."""
    return frozenset(part.name for part in arguments(message))


# ------------------------------------------------------------------ formatting

def format_message(message: Message, values: Mapping[str, Value], language: str = "en") -> str:
    """Format a message. Raises KeyError if `values` lacks an argument.

    A plural of a text, such as the "…" of a hidden number, uses the branch `other`, with the text as its number.
    """
    return "".join(_format(message, values, language, 0))


def _format(message: Message, values: Mapping[str, Value], language: str, number: Value) -> Iterator[str]:
    for part in message:
        if isinstance(part, LiteralText):
            yield part.text
        elif isinstance(part, Argument):
            yield str(values[part.name])
        elif isinstance(part, PluralNumber):
            yield str(number)
        else:
            value = values[part.name]
            if part.sort == "plural":
                value = _number(value)
            inner = value if part.sort == "plural" else number
            yield from _format(_branch(part, value, language), values, language, inner)


def shown_names(message: Message, values: Mapping[str, Value], language: str = "en") -> Iterator[str]:
    """Yield the names of the values that appear in a message when it is formatted; those of choices do not."""
    for part in message:
        if isinstance(part, Argument):
            yield part.name
        elif isinstance(part, Pick):
            value = values[part.name]
            branch = _branch(part, _number(value) if part.sort == "plural" else value, language)
            yield from shown_names(branch, values, language)


def _number(value: Value) -> Value:
    """Return the number of a plural. One that is hidden, or not chosen yet, stays a text ("…")."""
    try:
        return int(value)
    except ValueError:
        return value


def _branch(pick: Pick, value: Value, language: str) -> Message:
    branches = dict(pick.branches)
    if pick.sort == "select":
        return branches.get(value.case if isinstance(value, NamedValue) else str(value), branches["other"])
    if isinstance(value, str):
        return branches["other"]
    exact = branches.get(f"={value}")
    if exact is not None:
        return exact
    return branches.get(plural_category(value, language), branches["other"])


def plural_category(number: int, language: str) -> str:
    """Return the plural category of an integer: in supported languages 1 is `one`, all others are `other`."""
    return "one" if number == 1 and "one" in CATEGORIES.get(language, CATEGORIES["en"]) else "other"
