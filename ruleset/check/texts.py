"""Check texts for players: braces, unknown values, and missing languages.

The place of a text decides which values it may use: the name of a thing has `count`, that of a definition also its
fields, the log line of an option `seat`, `you`, and its members, and the text of a step the pack's values. The
values of questions, options, messages and steps are checked where these are used (`check.shown_values`). Texts are
not inserted into other texts.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Mapping as MappingOf

from rulewright.ruleset.common.diagnostic import Diagnostic
from rulewright.ruleset.common.listing import listed
from rulewright.ruleset.common.nearest import nearest
from rulewright.ruleset.declare.declarations import Declared, KindDeclared
from rulewright.ruleset.documents.log_lines import OTHER, TRUTH, is_value, lines_by_value
from rulewright.ruleset.documents.reading import Written, inside, parts
from rulewright.ruleset.documents.sections import ComponentEntry, DefinitionDocument, PromptEntry, TrackEntry
from rulewright.ruleset.documents.steps import MenuOption, Step
from rulewright.ruleset.language.names import LOG
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.source.nodes import Mapping, Node, Scalar, Sequence
from rulewright.ruleset.table.message import MessageError, Pick, Text, parse, problems

Values = MappingOf[str, type]
_VALUES: MappingOf[str, Values | None] = {
    "nothing": {},
    "count": {"count": int},
    "scope": None,  # known where the text is used: `check.shown_values`
}
"""Values that texts may use, by the `Meaning.values` of their field."""
SEAT: Values = {"seat": str, "you": str}
_ARRIVALS: Values = {**SEAT, "cards": str, "count": int, "from": str}


def check_texts(
    declared: Declared, poisoned: frozenset[str], titles: Iterable[Node] = ()
) -> tuple[Diagnostic, ...]:
    """Check the texts of a pack's documents, and `titles`: those that other packs have about themselves."""
    reading = _Texts(declared, poisoned)
    for title in titles:
        reading.title(title)
    for kind, record in declared.written:
        of = record.kind.text if isinstance(record, ComponentEntry) and record.kind is not None else kind
        reading.record(record, declared.kinds.get(of))
    for definition in declared.definitions.values():
        for bodies in definition.effects.values():
            reading.inside(bodies)
    return tuple(reading.found)


class _Texts:
    def __init__(self, declared: Declared, poisoned: frozenset[str]) -> None:
        self.declared = declared
        self.poisoned = poisoned
        self.found: list[Diagnostic] = []
        self.seen: set[int] = set()

    def record(self, record: Written, kind: KindDeclared | None = None) -> None:
        """Check the texts of a record and of the records in it.

        `kind` is the kind of a definition, or of a component's cards.
        """
        for meaning, value in inside(record):
            if not meaning.values:
                self.inside(value)
            elif meaning.values == "fields":
                if kind is not None or isinstance(record, DefinitionDocument):
                    self._text(value, self._fields(kind) if kind is not None else None)
            elif meaning.values == "chosen":
                each = record.each if isinstance(record, MenuOption) else ()
                self._text(value, {**SEAT, **dict.fromkeys((one.key.text for one in each), str)})
            elif isinstance(record, TrackEntry) and meaning.values == "change":
                self._lines(record, value)
            elif meaning.values == "arrivals":
                self._text(value, _ARRIVALS)
            elif isinstance(record, PromptEntry) and record.key.endswith(LOG):
                self._text(value, None)  # its members are known where it is offered: `check.shown_values`
            elif meaning.values == "values":
                numbers = (key for key, (_, one) in self.declared.values.items() if not one.several)
                self._text(value, dict.fromkeys(numbers, int))
            elif not isinstance(record, Step) or record.id is not None:  # a step without id is never shown
                values = _VALUES["nothing" if _is_yes_or_no(record) else meaning.values]
                for text in (one.value for one in value) if isinstance(value, tuple) else (value,):
                    self._text(text, values)

    def title(self, node: Node) -> None:
        """Check a text that uses no values."""
        self._text(node, {})

    def inside(self, value: object) -> None:
        """Check the texts of all records in a value."""
        for one in parts(value):
            self.record(one)

    def _fields(self, kind: KindDeclared) -> Values:
        """Return the values for a definition's name: `count`, and its single-valued numbers and enumerations."""
        fields: dict[str, p.Field] = kind.fields
        told: dict[str, type] = {}
        for key, field in fields.items():
            number = field.type.name == "number"
            if field.per and field.type.name in ("number", "boolean"):
                told[key] = str
                members = self.declared.enumerations[field.per][1] if number else ()
                told |= {f"{key}.{member}": int for member in members}
            elif field.type.name in ("number", "enumeration") and not field.many and not field.per_copy:
                told[key] = int if number else str
        return {"count": int, **told}

    def _lines(self, track: TrackEntry, node: Node) -> None:
        """Check the lines of the log about a track: one text, or texts for its values."""
        of = track.of.text if track.of is not None else "number"
        members = self.declared.enumerations[of][1] if of in self.declared.enumerations else ()
        lines = lines_by_value(node, of, members)
        values = _change(track)
        if not lines:
            self._text(node, values)
            return
        for line in lines:
            if not is_value(line.key.text, of, members) and line.key.text not in self.poisoned:
                known = [*TRUTH] if of == "boolean" else [*members]
                near = nearest(line.key.text, known)
                hint = f"did you mean `{near}`?" if near else f"write one of {listed([*known, OTHER], 'or')}"
                message = f"`{line.key.text}` is not a value of `{track.key}`"
                self.found.append(Diagnostic("RW448", line.key.span, message, hint))
            self._text(line.value, values)

    # -------------------------------------------------------------- one text

    def _text(self, node: Node | None, values: Values | None) -> None:
        if isinstance(node, Sequence):  # one for each copy
            for item in node.items:
                self._text(item, values)
        elif isinstance(node, Scalar):
            self._message(node, values, (*self.declared.languages_at(node.span), "en")[0])
        elif isinstance(node, Mapping) and id(node) not in self.seen:  # an aliased node occurs twice
            self.seen.add(id(node))
            for entry in node.entries:
                if isinstance(entry.value, Scalar):
                    self._message(entry.value, values, entry.key.text)
            given = node.keys()
            languages = self.declared.languages_at(node.span)
            missing = [language for language in languages if language not in given]
            if missing and any(has_words(entry.value) for entry in node.entries):
                last = node.entries[-1].value
                hint = f"add `{missing[0]}: …`; without it, players of that language see the text in another"
                told = listed(missing)
                span = last.span if isinstance(last, Scalar) else node.span
                others = [entry.key for entry in node.entries if entry.key.text not in languages]
                if others:
                    span = others[0].span
                    hint = f"`{others[0].text}` is not a language of this pack; did you mean `{missing[0]}`?"
                self.found.append(Diagnostic("RW327", span, f"this text is missing in {told}", hint))

    def _message(self, node: Scalar, values: Values | None, language: str) -> None:
        text = node.text
        if "{" not in text and "}" not in text:
            return
        try:
            message = parse(text)
        except MessageError as error:
            start = min(error.offset, max(len(text) - 1, 0))
            hint = "write a value as `{count}`, and a plural as `{count, plural, one {coin} other {coins}}`"
            said = f"this text cannot be read: {error.message}"
            self.found.append(Diagnostic("RW325", node.span_of(start, start + 1), said, hint))
            return
        if values is None:
            return
        for problem in problems(message, values, language):
            if problem.word in self.poisoned:
                continue
            start = text.find(problem.word, problem.offset)
            span = node.span_of(start, start + len(problem.word))
            self.found.append(Diagnostic("RW326", span, *told(problem.word, problem.message, values)))


def _change(track: TrackEntry) -> Values:
    """Return the values for the line that is logged when a track changes: its new value, and whose it is."""
    scope = [p.scope_kind(one.text) for one in track.scope if one.text not in ("game", "player")]
    who = SEAT if len(scope) < len(track.scope) and "player" in [one.text for one in track.scope] else {}
    told: dict[str, type] = {**who, **dict.fromkeys(scope, str)}
    if _is_yes_or_no(track):
        return {**told, "on": str}
    if track.of is None or track.of.text == "number":
        return {**told, "value": str, "count": int, "before": int, "amount": int, "rises": str}
    return {**told, "value": str, "before": str}


def _is_yes_or_no(record: Written) -> bool:
    """Whether a record is a track that is true or false, which has no count."""
    return isinstance(record, TrackEntry) and record.of is not None and record.of.text == "boolean"


def has_words(node: Node) -> bool:
    """Whether a text has anything to translate; one made of values alone, such as `{colour} {cost}`, has not."""
    try:
        parts = parse(node.text) if isinstance(node, Scalar) else ()
    except MessageError:
        return True
    return any(isinstance(part, Pick) or (isinstance(part, Text) and not part.text.isspace()) for part in parts)


def told(word: str, message: str, values: Values) -> tuple[str, str]:
    """Return the message and the hint for a problem in a text that parses."""
    if word in values or (values and "branch of a plural" in message):
        hint = "the branches of a plural are `one`, `other`, and exact numbers such as `=0`"
        return message, hint
    if not values:
        return f"`{word}` has no value: this text cannot use values", "remove the braces"
    near = nearest(word, values)
    known = listed(f"{{{name}}}" for name in values)
    hint = f"did you mean `{{{near}}}`?" if near else f"this text can use {known}"
    return f"this text has no value `{word}`", hint
