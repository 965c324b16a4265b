"""Hints for names and sentences that the checker does not know."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from attrs import define, evolve, field, frozen

from rulewright.ruleset.check.context import CheckContext
from rulewright.ruleset.check.scope import Scope, TextPart
from rulewright.ruleset.common.diagnostic import Diagnostic, Label, Span
from rulewright.ruleset.common.nearest import MOST_LISTED, alike, listed, nearest
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.documents.reading import Declaring
from rulewright.ruleset.documents.rules import Award, Claim, Hook, Modifier, Phase, Window
from rulewright.ruleset.documents.sections import ComponentEntry
from rulewright.ruleset.findings.causes import Documents, is_error, ordered
from rulewright.ruleset.language.parser import parse_effect
from rulewright.ruleset.language.syntax_errors import EACH_NEEDS_LIST, KEYWORDS, Mistake, each_of
from rulewright.ruleset.language.types import BOOLEAN, CARD, NUMBER, PLAYER, RESERVED, ZONE, Type, accepts
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.source.nodes import ScalarNode
from rulewright.ruleset.source.pack_files import PackFiles

if TYPE_CHECKING:
    from rulewright.ruleset.declare.declarations import Declared
    from rulewright.ruleset.loaded import Loaded


# ------------------------------------------------------------------ Hints for unknown names

def meant(word: str, names: Iterable[str], what: str) -> str | None:
    """Suggest the nearest name; if none is near enough, list them, or of many those that are like the word."""
    known = list(dict.fromkeys(names))
    near = nearest(word, known)
    if near:
        return f"did you mean `{near}`?"
    if len(known) > MOST_LISTED:
        known = [*alike(word, known), *known]
    return f"{what}: {listed(known)}" if known else None


# ------------------------------------------------------------------ Report unknown names, with hints

WORD_HINTS = {
    "my": "write `your`: `your hand`",
    "its": "write `it's`",
    "their": "say whose: `p's hand`",
    "it": "`it` is the member of a list, inside `where`; elsewhere use the name given by `as`, `let` or `each`",
    "this": "`this` is known only in effects and expressions of cards and definitions; give a verb a parameter",
    "home": "`home` can only be the end of `move … to home`",
    "cards": "say where they are: `cards in hand`",
    "card": "say where they are: `cards in hand`",
    "proceed": "`proceed` is known only in the `around` of a change, where it is what was there before",
    "moved": "`moved` is known only in hooks with `before: move` or `after: move`",
    "result": "`result` is known only in `is` and `when` of modifiers",
    "times": "`times` is known only in modifiers and in hooks with `waits`",
}


class NameHints:
    """Reports unknown names."""

    def __init__(self, context: CheckContext) -> None:
        self.context = context
        self.wanted: Type | None = None
        """The type that an operator expects of the name that is its operand."""

    def unknown(self, word: str, scope: Scope, span: Span, expected: Type | None = None) -> None:
        """Report an unknown name; near names of the expected type come first."""
        if self.context.trying:
            self.context.report("RW420", span, f"nothing is called `{word}` here")
            return
        if word in ("you", "others"):
            advice = "name a player, or give the step `turns: …`; a function or verb can take a player"
            message = f"`{word}` has no meaning here: no player acts or has the turn"
            self.context.report("RW422", span, message, advice)
            return
        hint = self._hint(word, scope, span, expected)
        self.context.report("RW420", span, f"nothing is called `{word}` here", hint)

    def _hint(self, word: str, scope: Scope, span: Span, expected: Type | None) -> str | None:
        stranger = self.context.declared.stranger(word, span)
        if stranger:
            return f"`{stranger}` declares one: add `{stranger}` to `requires` in the pack.yaml of this pack"
        if scope.member is not None and word in ("card", "cards"):
            return "inside `where`, the card is `it`; or name it: `no c in … where …`"
        if word in WORD_HINTS:
            return WORD_HINTS[word]
        owner = self._parameter_of(word, scope)
        if owner:
            return f"`{word}` is a parameter of `{owner}`, and known only there"
        known = self.known(scope) if self.context.seeking() else []
        wanted = expected if expected is not None else self.wanted
        near = nearest(word, self._fitting(known, scope, wanted)) if wanted is not None else None
        near = near or nearest(word, known)
        several = sorted(name for name in known if name.endswith(f"-{word}"))  # of unrelated packs
        if near is None and len(several) > 1:
            return f"did you mean {listed(several, 'or')}?"
        return f"did you mean `{near}`?" if near else None

    def _parameter_of(self, word: str, scope: Scope) -> str:
        """Return the effect, window, or claim that has a parameter of this name; of effects, one of `this`."""
        context, this = self.context, scope.names.get("this")
        kind = context.declared.kinds.get(this.type.of) if this is not None else None
        for effect in kind.effects.values() if kind is not None else ():
            if any(name == word for name, _ in effect.parameters):
                return effect.key
        return next((of.partition("/")[2] for of, takes in context.takes.items() if word in dict(takes)), "")

    def _fitting(self, known: list[str], scope: Scope, wanted: Type) -> list[str]:
        """Return the names whose values have the wanted type, so that a suggestion is one that fits."""
        d = self.context.declared
        types: dict[str, Type] = {key: info[1].of for key, info in d.tracks.items()}
        types |= {key: info[1].of.list for key, info in d.lists.items()}
        types |= dict.fromkeys(d.zones, CARD.list) | dict.fromkeys((*d.values, "score"), NUMBER)
        types |= {key: one.gives or BOOLEAN for key, one in d.functions.items() if not one.takes}
        types |= {key: Type("definition", one.kind) for key, one in d.definitions.items()}
        types |= dict.fromkeys(("players", "others", "all-players"), PLAYER.list) | {"you": PLAYER}
        types |= {name: bound.type for name, bound in scope.names.items()}
        fitting = {name for name, type_ in types.items() if accepts(wanted, type_)}
        fitting |= {*d.zones} if wanted == ZONE else set()
        return [name for name in known if name in fitting]

    def without_value(self, word: str, span: Span) -> None:
        """Report a name from a surrounded effect that may have no value here."""
        message = f"`{word}` may have no value here: the effect gives it later, or only in a branch"
        hint = "use the name in `after`, or after `proceed`, where all names that the effect always gives are known"
        self.context.report("RW444", span, message, hint)

    def not_at_every_place(self, word: str, place: str, span: Span) -> None:
        """Report a name in a hook with several places that not all of these have."""
        message = f"`{place}` is also a place of this hook, and has no `{word}` of this type"
        hint = "use names that all its places have with one type, or write a hook for each place"
        self.context.report("RW461", span, message, hint)

    def known(self, scope: Scope) -> list[str]:
        """Return all names that are known here."""
        d = self.context.declared
        groups = (d.zones, d.tracks, d.lists, d.values, d.options, d.functions, d.definitions, d.kinds, d.plurals)
        names = [name for group in groups for name in group]
        names += [member for _, members in d.enumerations.values() for member in members]
        if scope.member is not None:
            names += [f for kind in scope.member.kinds for f in d.kinds[kind].fields]
        names += [word for word in self.context.poisoned if " " not in word]
        names += ["players", "others", "all-players", "you", "it", "none", "this", "true", "false", "home", "score"]
        names += ["empty"]  # of `is empty`
        return [*scope.names, *sorted(scope.lost), *names]


# ---- Report syntax errors of the effect language, with what the pack declares in mind

def report_syntax(context: CheckContext, mistake: Mistake, text: TextPart) -> None:
    """Report why a text cannot be parsed."""
    hint = mistake.hint
    if mistake.message == EACH_NEEDS_LIST:
        hint = _each_of_declared(context, text.says(mistake.start, mistake.end)) or hint
    context.report(mistake.code, text.span(mistake.start, mistake.end), mistake.message, hint)


def _each_of_declared(context: CheckContext, line: str) -> str | None:
    """Suggest a loop for `each guest loses …` if the pack declares `guests`."""
    name, rest = each_of(line)
    declared = context.declared
    for word in (f"{name}s", name):
        if word in declared.lists:
            scope = declared.lists[word][1].scope
            whose = "this's " if p.scope_kind(scope) in declared.kinds else ""
            return f"write `each p in {whose}{word}: p {rest}`"
    return None


# ---- Recognise effects of several lines that lack `|`, so that YAML joins them into one sentence

_COMMENT = "# "


def as_lines(scalar: ScalarNode) -> ScalarNode | None:
    """Return the effect as it would be after `|`, if it was written on several lines that can be sentences."""
    if scalar.style == "literal" or scalar.span.line == scalar.span.end_line:
        return None
    starts = _line_starts(scalar)
    if not starts:
        return None
    text = _as_lines(scalar, starts)
    return None if isinstance(parse_effect(text), Mistake) else evolve(scalar, value=text, text=text, places=None)


def hides_a_line(scalar: ScalarNode) -> bool:
    """Whether a comment in the joined text continues on a next line, which is therefore lost."""
    at = scalar.text.find(_COMMENT)
    return at >= 0 and any(start > at for start in _line_starts(scalar))


def begins_a_line(scalar: ScalarNode, span: Span) -> bool:
    """Whether a place is the beginning of one of the joined lines."""
    starts = (scalar.span_of(at, at + 1) for at in _line_starts(scalar))
    return any((one.line, one.column) == (span.line, span.column) for one in starts)


def joined(scalar: ScalarNode) -> Diagnostic:
    """Report an effect whose lines YAML joins, at the sign that does it."""
    second = min(_line_starts(scalar))
    label = Label(scalar.span_of(second, second + 1), "YAML joins this line to the one above")
    if scalar.style == "folded" and scalar.places is not None:
        begin = scalar.places.start
        span = scalar.places.source.span(begin, begin + 1)
        hint = "write `|` instead of `>`"
        return Diagnostic("RW415", span, "`>` joins the lines of this effect into one", hint, (label,))
    message = "the lines of this effect are joined into one, because its key has no `|`"
    hint = "write `|` after the key, and begin on the next line"
    return Diagnostic("RW415", scalar.span_of(0, second - 1), message, hint, (label,))


def _line_starts(scalar: ScalarNode) -> dict[int, int]:
    """Return the offsets of words that begin a line of the file, except the first, with their columns."""
    found: dict[int, int] = {}
    line = scalar.span_of(0, 1).line
    for at, character in enumerate(scalar.text):
        if at and not character.isspace() and scalar.text[at - 1].isspace():
            span = scalar.span_of(at, at + 1)
            if span.line > line:
                found[at], line = span.column, span.line
    return found


def _as_lines(scalar: ScalarNode, starts: dict[int, int]) -> str:
    """Return the effect as it would be after `|`. The first line is as deep as the shallowest of the others."""
    margin = min(starts.values())
    cuts = [0, *starts, len(scalar.text)]
    lines = [scalar.text[begin:end].strip() for begin, end in pairwise(cuts)]
    depths = [scalar.span_of(0, 1).column if scalar.style == "folded" else margin, *starts.values()]
    least = min(depths)
    return "\n".join(" " * (depth - least) + line for depth, line in zip(depths, lines, strict=True))


# ---- Find misspelt declarations: a used name without one, and a similar unused one
#
# Every use would be a finding, although the declaration is the cause. To verify a guess, the declaration is
# renamed to the name that is used, and everything is loaded again. If the findings about that name disappear
# and no others appear, one finding at the declaration replaces them.

_WORD = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_RESERVED = RESERVED | KEYWORDS
_OF_DECLARATIONS = frozenset(["RW301", "RW302", "RW303", "RW313", "RW314", "RW317"])
"""Codes about a declaration itself: the names that they mark are not uses."""
_MOST_TRIED = 3
"""Guesses that are tried for one pack; each loads it once more."""
_MOST_LABELS = 2

Again = Callable[[Callable[[PackFiles], PackFiles]], "Loaded"]
"""Loads everything again after a change to each pack's files."""


@frozen(repr=False)
class Supposition(Record):
    """A declared name, its place, and the name that is used instead."""

    span: Span
    declared: str
    used: str


@define(repr=False)
class _Marked(Record):
    """The texts at places. Files are split into lines once, since there may be a place for each declaration."""

    sources: Mapping[str, str]
    _lines: dict[str, list[str]] = field(factory=dict)

    def at(self, span: Span) -> str:
        """Return the text at a place; empty if it spans several lines."""
        if span.path not in self.sources or span.line != span.end_line:
            return ""
        lines = self._lines.get(span.path)
        if lines is None:
            lines = self._lines[span.path] = _lines(self.sources[span.path].removeprefix("\ufeff"))
        line = lines[span.line - 1] if span.line <= len(lines) else ""
        return line[span.column - 1 : span.end_column - 1]


def suppose(loaded: Loaded, again: Again) -> Loaded:
    """Return `loaded` with one finding for a misspelt declaration instead of one for each use."""
    documents = Documents(loaded.sources)
    wrong = [item for item in loaded.findings if is_error(item) and not documents.rank(item)]
    if not wrong:
        return loaded
    marked = _Marked(loaded.sources)
    for one in _suppositions(wrong, loaded.declared, marked):
        tried = again(partial(_respelt, one=one))
        left = [item for item in tried.findings if is_error(item) and not documents.rank(item)]
        before = {(item.code, item.span.path, item.span.line) for item in wrong}
        after = {(item.code, item.span.path, item.span.line) for item in left}
        forms = {one.used, f"{one.used}s"}
        gone = [item for item in wrong if forms & _words(marked.at(item.span))]
        if gone and after <= before and len(left) + len(gone) <= len(wrong):
            found = [*(_moved(item, one) for item in tried.findings), _finding(one, gone, loaded.sources)]
            return evolve(
                loaded, findings=ordered(found, loaded.sources), suppressed=tried.suppressed, omitted=tried.omitted
            )
    return loaded


def _finding(one: Supposition, gone: Sequence[Diagnostic], sources: Mapping[str, str]) -> Diagnostic:
    number = _counted(sources)[one.used]
    times = "once" if number == 1 else f"{number} times"
    message = f"`{one.declared}` is declared here and never used; `{one.used}` is used {times} and never declared"
    labels = tuple(Label(item.span, "used here") for item in gone[:_MOST_LABELS])
    return Diagnostic("RW126", one.span, message, f"did you mean `{one.used}`?", labels)


def _suppositions(wrong: Sequence[Diagnostic], declared: Declared, marked: _Marked) -> Iterator[Supposition]:
    """Yield the most likely guesses first: those that would explain the most findings."""
    counted = _counted(marked.sources)
    known = dict(_names(declared, marked))
    every = known | dict(_of_verbs(declared, marked))
    names = {word: span for word, span in every.items() if counted[word] == 1}
    if not names:
        return
    votes: Counter[tuple[str, str]] = Counter()
    for item in wrong:
        if item.code in _OF_DECLARATIONS:
            continue
        words = _words(marked.at(item.span))
        for word in {*words, *(one.removesuffix("s") for one in words if one not in known)}:
            if word in known or word in _RESERVED or counted[word] + counted[f"{word}s"] < 2:
                continue
            near = nearest(word, names)
            if near is not None:
                votes[near, word] += 1
    for (near, word), _ in sorted(votes.items(), key=lambda vote: (-vote[1], vote[0]))[:_MOST_TRIED]:
        yield Supposition(names[near], near, word)


_RECORDS: tuple[type[Declaring], ...] = (ComponentEntry, Window, Claim, Phase, Award, Hook, Modifier)


def _names(declared: Declared, marked: _Marked) -> Iterator[tuple[str, Span]]:
    """Yield all names that the rules declare, except verbs, each with its exact place."""
    pairs = (
        declared.zones, declared.tracks, declared.lists, declared.values, declared.options, declared.enumerations,
    )  # fmt: skip
    records = (declared.kinds, declared.definitions, declared.functions)
    places: list[tuple[str, Span]] = [(key, one[0]) for group in pairs for key, one in group.items()]
    places += [(key, one.span) for group in records for key, one in group.items()]
    places += [(key, one.span) for record in _RECORDS for key, one in declared.all_of(record).items()]
    places += [*declared.messages.items()]
    for kind in declared.kinds.values():
        places += kind.places.items()
    for word, span in places:
        if marked.at(span) == word:
            yield word, span


def _of_verbs(declared: Declared, marked: _Marked) -> Iterator[tuple[str, Span]]:
    """Yield the words of verbs, each with its exact place."""
    for verb in declared.verbs.values():
        text = marked.at(verb.span)
        for found in _WORD.finditer(re.sub(r"<[^>]*>|\([^)]*\)", lambda part: " " * len(part[0]), text)):
            start = verb.span.column + found.start()
            span = evolve(verb.span, column=start, end_line=verb.span.line, end_column=start + len(found[0]))
            yield found[0], span


def _counted(sources: Mapping[str, str]) -> Counter[str]:
    """Count each word in the files, including texts for players and comments."""
    counted: Counter[str] = Counter()
    for text in sources.values():
        counted.update(_WORD.findall(text))
    return counted


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text))


def _respelt(files: PackFiles, one: Supposition) -> PackFiles:
    """Return a pack's files with one declaration renamed."""
    return evolve(files, files=tuple((name, _edited(data, one) if name == one.span.path else data)
                                     for name, data in files.files))  # fmt: skip


def _edited(data: bytes, one: Supposition) -> bytes:
    lines = _lines(data.decode("utf-8-sig"))
    line, start = lines[one.span.line - 1], one.span.column - 1
    lines[one.span.line - 1] = line[:start] + one.used + line[start + len(one.declared) :]
    return "\n".join(lines).encode()


def _moved(item: Diagnostic, one: Supposition) -> Diagnostic:
    """Translate the places of a finding in the changed text to the original text."""
    labels = tuple(evolve(label, span=_back(label.span, one)) for label in item.labels)
    return evolve(item, span=_back(item.span, one), labels=labels)


def _back(span: Span, one: Supposition) -> Span:
    shift = len(one.declared) - len(one.used)
    if span.path != one.span.path or one.span.line not in (span.line, span.end_line):
        return span
    starts = span.line == one.span.line and span.column > one.span.column
    ends = span.end_line == one.span.line and span.end_column > one.span.column
    return evolve(span, column=span.column + shift * starts, end_column=span.end_column + shift * ends)
