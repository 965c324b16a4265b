"""The texts that players read -> what is wrong with them: braces, values that nobody gives, missing languages.

Which values a text may use follows from where it stands: the name of a thing knows `count`, that of a definition
its fields too, a message and a step `seat` and `you`, an option its members. Nothing is filled into other texts.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Mapping as MappingOf

from ruleset.common.diagnostic import Diagnostic
from ruleset.common.nearest import nearest
from ruleset.declare.declarations import Declared, KindDeclared
from ruleset.program import nodes as p
from ruleset.source.document_kinds import SECTIONS
from ruleset.source.reader import Document, Mapping, Node, Scalar, Sequence
from ruleset.table.message import MessageError, Pick, Text, parse, problems

Values = MappingOf[str, type]
_NOTHING: Values = {}
_COUNT: Values = {"count": int}
_SEAT: Values = {"seat": str, "you": str}
_COUNTED = ("zones", "tracks", "lists")


def check_texts(
    documents: Iterable[Document], declared: Declared, poisoned: frozenset[str]
) -> tuple[Diagnostic, ...]:
    """What is wrong with the texts of a pack's documents."""
    reading = _Texts(declared, poisoned)
    for document in documents:
        reading.document(document)
    return tuple(reading.found)


class _Texts:
    def __init__(self, declared: Declared, poisoned: frozenset[str]) -> None:
        self.declared = declared
        self.poisoned = poisoned
        self.languages = declared.languages
        self.found: list[Diagnostic] = []
        self.seen: set[int] = set()

    def document(self, document: Document) -> None:
        kind, root = document.kind, document.root
        if kind == "pack" or kind in SECTIONS:
            for entry in root.entries:
                if entry.key.text in SECTIONS and isinstance(entry.value, Mapping):
                    self._section(entry.key.text, entry.value)
        declared = self.declared.kinds.get(kind)
        values = self._fields(declared) if declared is not None else _NOTHING
        self._text(root.get("name"), values)
        self._text(root.get("text"), _NOTHING)
        if kind == "layout":
            groups = root.get("groups")
            for group in groups.items if isinstance(groups, Sequence) else ():
                self._text(group.get("name") if isinstance(group, Mapping) else None, _NOTHING)
        elif kind != "pack" and kind not in SECTIONS:
            self._inside(root)

    def _section(self, section: str, body: Mapping) -> None:
        for entry in body.entries:
            value = entry.value
            if section == "messages":
                self._text(value, _SEAT)
            elif section == "prompts":
                self._text(value, _NOTHING)
            elif not isinstance(value, Mapping):
                continue
            elif section == "enumerations":
                for member in value.entries:
                    self._text(member.value, _COUNT)
            elif section in _COUNTED:
                self._text(value.get("name"), _COUNT)
            elif section == "options":
                self._text(value.get("text"), _NOTHING)
            elif section == "kinds":
                self._kind(value)
            elif section == "components":
                kind = value.get("kind")
                declared = self.declared.kinds.get(kind.text) if isinstance(kind, Scalar) else None
                if declared is not None:
                    self._text(value.get("name"), self._fields(declared))

    def _kind(self, kind: Mapping) -> None:
        self._text(kind.get("name"), _COUNT)
        effects = kind.get("effects")
        for entry in effects.entries if isinstance(effects, Mapping) else ():
            said = entry.value.get("text") if isinstance(entry.value, Mapping) else None
            for text in said.items if isinstance(said, Sequence) else (said,):
                self._text(text, _NOTHING)

    def _inside(self, node: Node) -> None:
        """Steps and options below a node."""
        if isinstance(node, Sequence):
            for item in node.items:
                self._inside(item)
        elif isinstance(node, Mapping):
            if node.get("id") is not None:
                self._text(node.get("name"), _SEAT)
            options = node.get("options")
            for option in options.entries if isinstance(options, Mapping) else ():
                if isinstance(option.value, Mapping):
                    each = option.value.get("each")
                    members = each.keys() if isinstance(each, Mapping) else ()
                    self._text(option.value.get("name"), dict.fromkeys(members, str))
            for entry in node.entries:
                if not isinstance(entry.value, Scalar):
                    self._inside(entry.value)

    def _fields(self, kind: KindDeclared | None) -> Values:
        """What the name of a definition may use: its fields with one number or one member of an enumeration."""
        fields: dict[str, p.Field] = kind.fields if kind is not None else {}
        told = {
            key: int if field.type.name == "number" else str
            for key, field in fields.items()
            if field.type.name in ("number", "enumeration") and not field.many and not field.per_copy
        }
        return {"count": int, **told}

    # -------------------------------------------------------------- one text

    def _text(self, node: Node | None, values: Values) -> None:
        if isinstance(node, Scalar):
            self._message(node, values, self.languages[0] if self.languages else "en")
        elif isinstance(node, Mapping) and id(node) not in self.seen:  # a node that an alias names stands twice
            self.seen.add(id(node))
            for entry in node.entries:
                if isinstance(entry.value, Scalar):
                    self._message(entry.value, values, entry.key.text)
            missing = [language for language in self.languages if node.get(language) is None]
            if missing and any(_has_words(entry.value) for entry in node.entries):
                last = node.entries[-1].value
                hint = f"add `{missing[0]}: …`; players of that language are told the text in another"
                told = ", ".join(f"`{language}`" for language in missing)
                span = last.span if isinstance(last, Scalar) else node.span
                others = [entry.key for entry in node.entries if entry.key.text not in self.languages]
                if others:
                    span = others[0].span
                    hint = f"`{others[0].text}` is no language of this pack: did you mean `{missing[0]}`?"
                self.found.append(Diagnostic("RW327", span, f"this text is missing in {told}", hint))

    def _message(self, node: Scalar, values: Values, language: str) -> None:
        text = node.text
        if "{" not in text and "}" not in text:
            return
        try:
            message = parse(text)
        except MessageError as error:
            start = min(error.offset, max(len(text) - 1, 0))
            hint = "a value stands in braces, `{count}`; a plural is `{count, plural, one {coin} other {coins}}`"
            told = f"this text cannot be read: {error.message}"
            self.found.append(Diagnostic("RW325", node.span_of(start, start + 1), told, hint))
            return
        for problem in problems(message, values, language):
            if problem.word in self.poisoned:
                continue
            start = text.find(problem.word, problem.offset)
            span = node.span_of(start, start + len(problem.word))
            self.found.append(Diagnostic("RW326", span, *_told(problem.word, problem.message, values)))


def _has_words(node: Node) -> bool:
    """Whether there is anything to translate: what is made of values alone, `{colour} {cost}`, needs no other."""
    try:
        parts = parse(node.text) if isinstance(node, Scalar) else ()
    except MessageError:
        return True
    return any(isinstance(part, Pick) or (isinstance(part, Text) and not part.text.isspace()) for part in parts)


def _told(word: str, message: str, values: Values) -> tuple[str, str]:
    """The message and the hint for a problem of a text that parses."""
    if word in values or (values and "plural category" in message):
        return message.replace("'", "`"), "branches of a plural are `one`, `other` and exact numbers such as `=0`"
    if not values:
        return f"nothing is known as `{word}` here: this text is shown as it is written", "leave the braces out"
    near = nearest(word, values)
    known = ", ".join(f"`{{{name}}}`" for name in values)
    hint = f"did you mean `{{{near}}}`?" if near else f"this text can use {known}"
    return f"this text knows no `{word}`", hint
