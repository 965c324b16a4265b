"""Check what a pack says about its looks: the faces of cards and the layout of the table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import get_args

from rulewright.ruleset.check.bots import BotSight
from rulewright.ruleset.check.hints import meant
from rulewright.ruleset.common.diagnostic import Diagnostic, Label, Span
from rulewright.ruleset.common.nearest import listed, nearest
from rulewright.ruleset.declare.declarations import Declared, KindDeclared
from rulewright.ruleset.documents.play import FaceDocument, LayoutDocument, PileDisplay
from rulewright.ruleset.documents.reading import Keyed
from rulewright.ruleset.language.types import BOOLEAN, NUMBER, PLAYER, Type
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.scenario import (
    COLOURS,
    NEUTRAL,
    SYMBOLS,
    CardFace,
    FaceColours,
    FaceCorner,
    Picture,
    Place,
)
from rulewright.ruleset.source.nodes import MappingNode, Node, ScalarNode, texts_of

# ---- Check the picture files that a face names: inside the pack's folder, there, and usable
#
# The folder has been read before (`source.pictures`). A file that is named must be there; a pattern with
# `{id}` or `{FIELD}` gives a picture to the definitions that have a file.

Report = Callable[[str, Span, str, str | None], None]

_SUFFIXES = (".png", ".jpg", ".jpeg", ".svg")
_HOLE = re.compile(r"\{([^{}]*)\}")
_NEAR = 3
"""Misspelt files in one hint."""
ID = "id"


def is_file(text: str) -> bool:
    """Whether a text is meant as a path of a file, and not as a name."""
    return "." in text or "/" in text or "\\" in text


class FacePictures:
    """The pictures that the face of one kind names."""

    def __init__(
        self, declared: Declared, kind: KindDeclared, definitions: Sequence[p.Definition], report: Report
    ) -> None:
        self.declared = declared
        self.kind = kind
        self.definitions = definitions
        self.report = report
        self.written = {new: old for names in declared.renamed.values() for old, new in names.items()}
        """From a name of the combined packs to the one that its author wrote."""

    def named(self, path: ScalarNode) -> Picture | None:
        """Return a picture that is named outright; None after a finding."""
        if "{" in path.text or "}" in path.text:
            self.report("RW398", path.span, "this must be one file, without braces", "write the path of a file")
            return None
        return self._file(path, path.text, self.declared.pack_of(path.span)) if self._inside(path) else None

    def of_all(self, path: ScalarNode) -> tuple[tuple[str, Picture], ...]:
        """Return the pictures of the definitions that have one.

        A pattern is looked up in the folder of the pack that writes it, then in that of the definition's pack.
        """
        if "{" not in path.text and "}" not in path.text:
            picture = self.named(path)
            return tuple((one.key, picture) for one in self.definitions) if picture is not None else ()
        if not self._inside(path) or not self._holes(path):
            return ()
        found: list[tuple[str, Picture]] = []
        reported: set[str] = set()
        missing: dict[str, str] = {}
        writer = self.declared.pack_of(path.span)
        foreign = all(self.declared.pack_of(one.span) != writer for one in self.definitions)
        for one in self.definitions:
            name = self._filled(path.text, one)
            own = self.declared.pack_of(one.span)
            if name and (own == writer or foreign):
                missing[one.key] = name
            for pack in dict.fromkeys((writer, own)):
                file = self.declared.pictures.get(pack, {}).get(name) if name else None
                if file is None:
                    continue
                missing.pop(one.key, None)
                if not file.wrong:
                    found.append((one.key, Picture(pack, name)))
                elif name not in reported:
                    self._unusable(path, name, file.wrong, file.hint)
                    reported.add(name)
                break
        expected = [one for one in self.definitions if foreign or self.declared.pack_of(one.span) == writer]
        used = {self._filled(path.text, one) for one in self.definitions}
        self._missing(path, missing, len(expected), used)
        return tuple(found)

    # -------------------------------------------------------------- inside

    def _inside(self, path: ScalarNode) -> bool:
        """Whether a path can only be that of a picture in the pack's folder; otherwise report it."""
        text = path.text
        parts = text.split("/")
        if text.startswith("/") or "\\" in text or ":" in text or ".." in parts:
            message = f"`{text}` is not a path in the pack's folder"
            hint = "copy the file into the pack, and write its path there with `/`: `pictures/bell.png`"
            self.report("RW396", path.span, message, hint)
            return False
        if not text.lower().endswith(_SUFFIXES):
            message = f"`{text}` does not name a picture"
            self.report("RW396", path.span, message, f"pictures end in {listed(_SUFFIXES)}")
            return False
        return True

    def _file(self, path: ScalarNode, name: str, pack: str) -> Picture | None:
        files = self.declared.pictures.get(pack, {})
        file = files.get(name) or next(
            (one for key, one in files.items() if key.endswith("/") and name.startswith(key)), None
        )
        if file is None:
            near = nearest(name, [key for key, one in files.items() if not one.wrong])
            hint = f"did you mean `{near}`?" if near else "add the file; upper and lower case are different"
            self.report("RW396", path.span, f"there is no file `{name}` in the pack's folder", hint)
        elif file.wrong:
            self._unusable(path, name, file.wrong, file.hint)
        return None if file is None or file.wrong else Picture(pack, name)

    def _missing(self, path: ScalarNode, missing: Mapping[str, str], of: int, used: set[str]) -> None:
        """Report definitions of the pack that writes a pattern, if there is no file for them, by their files."""
        if not missing:
            return
        here = self.declared.pictures.get(self.declared.pack_of(path.span), {})
        unused = sorted(name for name in here if name not in used and not name.endswith("/"))
        near = {name: other for name in dict.fromkeys(missing.values()) if (other := nearest(name, unused))}
        keys = listed([self.written.get(key, key) for key in missing])
        if len(missing) < of:
            has = "has" if len(missing) == 1 else "have"
            message = f"{len(missing)} of {of} definitions {has} no file for `{path.text}`: {keys}"
        else:
            message = f"no file fits `{path.text}`"
        expected = listed(missing.values(), "and")
        if near:
            some = [*near.items()][:_NEAR]
            hint = "; ".join(f"expected `{name}`, did you mean `{other}`?" for name, other in some)
        elif len(missing) == of:
            hint = f"expected {expected}; found {listed(unused) if unused else 'no pictures in the pack'}"
        else:
            keep = "it keeps its" if len(missing) == 1 else "they keep their"
            hint = f"add {expected}; until then {keep} ornament"
        self.report("RW399", path.span, message, hint)

    def _unusable(self, path: ScalarNode, name: str, wrong: str, hint: str) -> None:
        self.report("RW397", path.span, f"`{name}` cannot be used: {wrong}", hint)

    def _holes(self, path: ScalarNode) -> bool:
        """Whether all values in braces are known; otherwise report them."""
        known = (ID, *(key for key in self.kind.fields if self._fits(key)))
        rest = _HOLE.sub("", path.text)
        if "{" in rest or "}" in rest:
            self.report("RW398", path.span, "a brace is missing", f"values are in braces: {_holes(known)}")
            return False
        wrong = [one for one in _HOLE.finditer(path.text) if one[1] not in known]
        for one in wrong:
            near = nearest(one[1], known)
            hint = f"did you mean `{{{near}}}`?" if near else f"values: {_holes(known)}"
            span = path.span_of(one.start(), one.end())
            self.report("RW398", span, f"`{one[0]}` is not a value in the path of a picture", hint)
        return not wrong

    def _fits(self, key: str) -> bool:
        field = self.kind.fields[key]
        plain = not (field.per or field.derived)
        return plain and (field.type.name == "enumeration" or (field.type == NUMBER and not field.many))

    def _filled(self, text: str, one: p.Definition) -> str:
        """Return the path for a definition; empty if it has no value for it."""
        values = {ID: self.written.get(one.key, one.key)}
        for key, given in one.fields:
            if self._fits(key) and given:
                value = given[0]
                first = value if not isinstance(value, tuple) else value[0] if value else -1
                of = self.kind.fields[key].type
                if of.name == "enumeration":
                    member = self.declared.enumerations[of.of][1][first] if first >= 0 else ""
                    values[key] = self.written.get(member, member)
                else:
                    values[key] = str(first)
        parts = [values.get(hole[1], "") for hole in _HOLE.finditer(text)]
        return _HOLE.sub(lambda hole: values[hole[1]], text) if all(parts) else ""


def _holes(known: Sequence[str]) -> str:
    return listed([f"{{{one}}}" for one in known])


LEAST, MOST = 30, 150
"""Width and height of a card, in millimetres."""
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_SIZE = re.compile(r"(\d{1,4}(?:\.\d)?) ?[x×] ?(\d{1,4}(?:\.\d)?) ?mm")
_INCHES = re.compile(r"(\d{1,2}(?:\.\d{1,4})?) ?[x×] ?(\d{1,2}(?:\.\d{1,4})?) ?(?:in|inch|inches|\")")
_IN_A_CORNER = "a corner shows one number, one member of an enumeration, or an expression that gives a number"


def card_faces(
    declared: Declared, poisoned: frozenset[str], definitions: Sequence[p.Definition]
) -> tuple[tuple[CardFace, ...], tuple[Diagnostic, ...]]:
    """Return the faces of a pack, and the findings."""
    faces: list[CardFace] = []
    found: list[Diagnostic] = []
    for face in declared.all_of(FaceDocument).values():
        kind = declared.kinds.get(face.key)
        if kind is not None:
            own = [one for one in definitions if one.kind == kind.key]
            faces.append(_Reading(declared, poisoned, kind, own, found).face(face))
        elif face.key not in poisoned:
            hint = meant(face.key, declared.kinds, "kinds")
            found.append(Diagnostic("RW390", face.span, f"there is no kind `{face.key}`", hint))
    return tuple(faces), tuple(found)


class _Reading:
    """One face."""

    def __init__(
        self,
        declared: Declared,
        poisoned: frozenset[str],
        kind: KindDeclared,
        definitions: Sequence[p.Definition],
        found: list[Diagnostic],
    ) -> None:
        self.declared = declared
        self.poisoned = poisoned
        self.kind = kind
        self.definitions = definitions
        self.found = found
        self.pictures = FacePictures(declared, kind, definitions, self.report)

    def report(self, code: str, span: Span, message: str, hint: str | None) -> None:
        self.found.append(Diagnostic(code, span, message, hint))

    def face(self, face: FaceDocument) -> CardFace:
        symbols = {one.key.text: one.value for one in face.symbols if isinstance(one.value, ScalarNode)}
        corners = self._corners(face.corners, symbols)
        marks = {
            one.key.text: dict(self._members(one.key, one.value, self._mark))
            for one in face.symbols
            if isinstance(one.value, MappingNode)
        }
        shown = {one.field for one in corners or ()}
        for one in face.symbols:
            if isinstance(one.value, ScalarNode) and self._for_corner(one.key) and one.key.text not in shown:
                hint = "show it in one of the `corners`, or remove its symbol"
                message = f"`{one.key.text}` is in no corner, so its symbol is not shown"
                self.report("RW391", one.key.span, message, hint)
        colours, of_definitions = self._colours(face.colours)
        fields = dict.fromkeys((*colours, *marks))
        members = tuple(
            FaceColours(one, tuple(colours.get(one, {}).items()), tuple(marks.get(one, {}).items()))
            for one in fields
        )
        whole = self._colour(face.colours) if isinstance(face.colours, ScalarNode) else ""
        return CardFace(
            self.kind.key, corners, members, whole, of_definitions, self._pictures(face.picture),
            self._size(face.size), self._back(face.back),
        )  # fmt: skip

    # -------------------------------------------------------------- corners and symbols

    def _corners(self, node: Node | None, symbols: dict[str, ScalarNode]) -> tuple[FaceCorner, ...] | None:
        if not isinstance(node, MappingNode):
            first = self._first_number()
            return (self._corner("top-left", first, symbols),) if first in symbols else None
        written = {one.key.text: one.value for one in node.entries}
        places: tuple[Place, ...] = get_args(Place)
        return tuple(
            self._corner(place, field.text, symbols)
            for place in places
            if isinstance(field := written.get(place), ScalarNode) and self._for_corner(field)
        )

    def _first_number(self) -> str:
        """Return the field that is in the corner of a card without a face."""
        plain = (
            key
            for key, one in self.kind.fields.items()
            if one.type == NUMBER and not (one.many or one.per or one.default)
        )
        return next(plain, "")

    def _corner(self, place: Place, field: str, symbols: dict[str, ScalarNode]) -> FaceCorner:
        symbol = symbols.get(field)
        if symbol is None:
            return FaceCorner(place, field)
        if is_file(symbol.text):
            return FaceCorner(place, field, picture=self.pictures.named(symbol))
        return FaceCorner(place, field, self._mark(symbol))

    def _for_corner(self, name: ScalarNode) -> bool:
        """Whether a field or expression has one value that fits into a corner; otherwise report it."""
        word = name.text
        if word in self.kind.expressions:
            if self.kind.expressions[word] != NUMBER:
                self.report("RW391", name.span, f"`{word}` does not give a number", _IN_A_CORNER)
            return self.kind.expressions[word] == NUMBER
        field = self._field(name)
        if field is None:
            return False
        why = (
            "is a list"
            if field.many
            else f"has a value for each `{field.per}`"
            if field.per
            else f"is a {field.type}"
            if field.type != NUMBER and field.type.name != "enumeration"
            else ""
        )
        if why:
            self.report("RW391", name.span, f"`{word}` {why}, which does not fit into a corner", _IN_A_CORNER)
        return not why

    def _mark(self, name: ScalarNode) -> str:
        """Return the name of a symbol, or "" after a finding."""
        if name.text in SYMBOLS:
            return name.text
        if is_file(name.text):
            hint = "name a symbol; a picture for each member is `picture: pictures/{FIELD}.svg`"
            self.report("RW394", name.span, "a picture file cannot be the symbol of a member", hint)
            return ""
        near = nearest(name.text, SYMBOLS)
        hint = f"did you mean `{near}`?" if near else f"symbols: {', '.join(SYMBOLS)}; or a picture file"
        self.report("RW394", name.span, f"there is no symbol `{name.text}`", hint)
        return ""

    # -------------------------------------------------------------- fields, members, and definitions

    def _field(self, name: ScalarNode) -> p.Field | None:
        """Return a field of the kind, or None after a finding."""
        field = self.kind.fields.get(name.text)
        if field is None and name.text not in self.poisoned:
            known = (*self.kind.fields, *(k for k, type_ in self.kind.expressions.items() if type_ == NUMBER))
            hint = meant(name.text, known, "it has") or "a face shows the fields of its kind"
            self.report("RW391", name.span, f"the kind `{self.kind.key}` has no field `{name.text}`", hint)
        return field

    def _members(
        self, key: ScalarNode, node: MappingNode, read: Callable[[ScalarNode], str]
    ) -> Iterator[tuple[str, str]]:
        """Yield the members of a field that are named, each with its value; report others."""
        field = self._field(key)
        if field is None:
            return
        if field.type.name != "enumeration" or field.per:
            message = f"`{key.text}` has no members of an enumeration"
            self.report("RW391", key.span, message, "name a field whose type is an enumeration, or a list of one")
            return
        members = self.declared.enumerations[field.type.of][1]
        for one in node.entries:
            if one.key.text not in members:
                if one.key.text not in self.poisoned:
                    message = f"`{field.type.of}` has no member `{one.key.text}`"
                    self.report("RW392", one.key.span, message, meant(one.key.text, members, "members"))
            elif isinstance(one.value, ScalarNode) and (value := read(one.value)):
                yield one.key.text, value

    def _colours(self, node: Node | None) -> tuple[dict[str, dict[str, str]], tuple[tuple[str, str], ...]]:
        """Return colours by field and member, and those of definitions."""
        by_field: dict[str, dict[str, str]] = {}
        single: list[tuple[str, str]] = []
        for one in node.entries if isinstance(node, MappingNode) else ():
            if isinstance(one.value, MappingNode):
                by_field[one.key.text] = dict(self._members(one.key, one.value, self._colour))
            elif isinstance(one.value, ScalarNode) and self._definition(one.key, fielded=True):
                single.append((one.key.text, self._colour(one.value)))
        return by_field, tuple(pair for pair in single if pair[1])

    def _definition(self, name: ScalarNode, fielded: bool = False) -> bool:
        """Whether a name is a definition of the kind; otherwise report it. `fielded`: fields may be named, too."""
        word, known = name.text, [one.key for one in self.definitions]
        fields = self.kind.fields if fielded else {}
        if word in known or word in self.poisoned:
            return word in known
        if word in fields:
            members = self.kind.fields[word].type.name == "enumeration"
            message = f"`{word}` is a field, not a definition"
            hint = f"write `{word}: {{MEMBER: …}}`" if members else "name definitions, or members of an enumeration"
        else:
            message = f"the kind `{self.kind.key}` has no definition `{word}`"
            hint = meant(word, (*known, *fields), "it has") or "create it, or remove this line"
        self.report("RW392", name.span, message, hint)
        return False

    # -------------------------------------------------------------- single values

    def _colour(self, name: ScalarNode) -> str:
        """Return a colour, or "" after a finding."""
        if name.text in (*COLOURS, NEUTRAL):
            return name.text
        if _COLOUR.fullmatch(name.text):
            return name.text.lower()
        if name.text.startswith("#"):
            hint = 'write six hexadecimal digits: `"#a02020"`'
        else:
            near = nearest(name.text, (*COLOURS, NEUTRAL))
            names = ", ".join((*COLOURS, NEUTRAL))
            hint = f"did you mean `{near}`?" if near else f'`"#rrggbb"`, or one of {names}'
        self.report("RW393", name.span, f"`{name.text}` is not a colour", hint)
        return ""

    def _size(self, node: ScalarNode | None) -> tuple[int, int] | None:
        """Return a size in tenths of a millimetre."""
        if node is None:
            return None
        found = _SIZE.fullmatch(node.text)
        if found is None:
            message = f"`{node.text}` is not the size of a card"
            inches = _INCHES.fullmatch(node.text)
            sides = [f"{float(side) * 25.4:.1f}" for side in inches.groups()] if inches else ["63", "88"]
            hint = f"write `WIDTH x HEIGHT mm`, such as `{' x '.join(sides)} mm`"
            self.report("RW395", node.span, message, hint)
            return None
        width, height = float(found[1]), float(found[2])
        if not (LEAST <= width <= MOST and LEAST <= height <= MOST):
            message = f"a card cannot have {found[1]} × {found[2]} mm"
            self.report("RW395", node.span, message, f"width and height are {LEAST} to {MOST} mm")
            return None
        return round(width * 10), round(height * 10)

    def _back(self, node: ScalarNode | None) -> str | Picture:
        if node is None:
            return ""
        return (self.pictures.named(node) or "") if is_file(node.text) else self._colour(node)

    def _pictures(self, node: Node | None) -> tuple[tuple[str, Picture], ...]:
        if isinstance(node, ScalarNode):
            return self.pictures.of_all(node)
        entries = node.entries if isinstance(node, MappingNode) else ()
        given = ((one.key, one.value) for one in entries if isinstance(one.value, ScalarNode))
        named = [(key.text, self.pictures.named(value)) for key, value in given if self._definition(key)]
        return tuple((key, picture) for key, picture in named if picture is not None)


# ---- Check the `layout` of a pack: every name must exist, and appear only once

def table_layout(
    declared: Declared, poisoned: frozenset[str], sight: BotSight, functions: Sequence[p.DeclaredFunction]
) -> tuple[p.TableLayout | None, tuple[Diagnostic, ...]]:
    """Return the layout of a pack, or None, and the findings. `sight` decides who may see a function."""
    if not declared.all_of(LayoutDocument):
        return None, ()
    first, *others = declared.all_of(LayoutDocument).values()
    reading = _LayoutReading(declared, poisoned, sight, {one.unit.key: one.unit for one in functions})
    for other in others:
        label = Label(first.span, "the first one")
        message = "a pack has only one `layout`, and this is another"
        reading.report("RW332", other.span, message, "merge them", label)
    return reading.layout(first), tuple(reading.found)


class _LayoutReading:
    def __init__(
        self, declared: Declared, poisoned: frozenset[str], sight: BotSight, functions: Mapping[str, p.Unit]
    ) -> None:
        self.declared = declared
        self.poisoned = poisoned
        self.sight = sight
        self.functions = functions
        self.found: list[Diagnostic] = []
        self.seen: dict[str, Span] = {}

    def report(self, code: str, span: Span, message: str, hint: str | None, *labels: Label) -> None:
        self.found.append(Diagnostic(code, span, message, hint, labels))

    def layout(self, layout: LayoutDocument) -> p.TableLayout:
        groups = []
        for group in layout.groups:
            placed = tuple(self._placed(item) for item in group.show)
            texts = texts_of(group.name) if group.name is not None else ()
            groups.append(p.ShownGroup(texts, tuple(one for one in placed if one is not None)))
        hidden = [item for item in layout.hidden if self._known(item)]
        self.seen = {}
        untold = [item for item in layout.untold if self._known(item)]
        return p.TableLayout(
            tuple(groups), tuple(item.text for item in hidden), tuple(item.text for item in untold)
        )

    def _placed(self, item: ScalarNode | Keyed[ScalarNode | PileDisplay]) -> p.LayoutItem | None:
        if isinstance(item, ScalarNode) and item.text in self.declared.functions:
            return self._function(item) if self._first(item) else None
        if isinstance(item, ScalarNode):
            return p.LayoutItem(item.text, "") if self._known(item) else None
        if item.key.text not in self.declared.functions and not self._known(item.key):
            return None
        if isinstance(item.value, PileDisplay):
            return self._of_definitions(item.key, item.value)
        if item.key.text not in self.declared.zones:
            message = f"`{item.key.text}` is not a zone, and only zones can be shown in several forms"
            self.report("RW333", item.value.span, message, f"write only `{item.key.text}`")
            return None
        return p.LayoutItem(item.key.text, item.value.text)  # type: ignore[arg-type]  # one of the words of the schema

    def _function(self, name: ScalarNode) -> p.LayoutItem | None:
        """Place the values of a function for the players who may see all that it reads, or report a finding."""
        function, unit = self.declared.functions[name.text], self.functions.get(name.text)
        gives, takes = function.gives or BOOLEAN, [type_ for _, type_ in function.takes]
        if gives not in (NUMBER, BOOLEAN) or takes not in ([], [PLAYER]):
            message = f"`{name.text}` cannot be shown: it takes or gives something else"
            hint = "a layout shows functions of a player, or without parameters, that give a number or a condition"
            self.report("RW362", name.span, message, hint)
            return None
        if unit is None:  # it has a finding of its own
            return None
        hidden = self.sight.unseen_in(unit, ())
        if hidden is not None and (not takes or self.sight.unseen_in(unit, (0,)) is not None):
            message = f"`{name.text}` cannot be shown: it uses {hidden}, which players cannot see"
            self.report("RW362", name.span, message, "use only what everybody sees, or what its player sees")
            return None
        return p.LayoutItem(
            name.text,
            "",
            shown="game" if not takes else "all" if hidden is None else "owner",
            boolean=gives == BOOLEAN,
        )

    def _of_definitions(self, key: ScalarNode, told: PileDisplay) -> p.LayoutItem | None:
        """Place the zones of a kind's definitions as one group, or report a finding."""
        declared = self.declared
        zone = declared.zones.get(key.text)
        kind = declared.kinds.get(zone[1].of) if zone is not None and zone[1].scope == "definition" else None
        if kind is None:
            message = f"`{key.text}` is not a zone that each definition of a kind has"
            self.report("RW334", told.node.span, message, f"write only `{key.text}`, or a form such as `count`")
            return None
        of, field = told.of, told.with_
        if of is not None:
            fitting = [
                name
                for name, (_, info) in declared.lists.items()
                if info.scope == "game" and info.of.one == Type("definition", kind.key)
            ]
            if of.text not in fitting:
                near = nearest(of.text, fitting)
                declare = f"declare it under `lists`: `{of.text}: {{of: {kind.key}}}`"
                message = f"`{of.text}` is not a list of definitions of kind `{kind.key}`"
                self.report("RW334", of.span, message, f"did you mean `{near}`?" if near else declare)
                return None
        if field is not None and field.text not in kind.fields:
            near = nearest(field.text, list(kind.fields))
            hint = f"did you mean `{near}`?" if near else f"it has {listed(kind.fields)}"
            self.report("RW334", field.span, f"the kind `{kind.key}` has no field `{field.text}`", hint)
            return None
        return p.LayoutItem(
            key.text,
            "",
            of.text if of is not None else "",
            field.text if field is not None else "",
        )

    def _known(self, name: ScalarNode) -> bool:
        """Whether a name exists and appears for the first time; otherwise report it."""
        word = name.text
        declared = self.declared
        known = (*declared.zones, *declared.tracks, *declared.lists, "score")
        if word not in known:
            if word not in self.poisoned:
                near = nearest(word, (*known, *declared.functions))
                hint = f"did you mean `{near}`?" if near else "a layout names zones, tracks and lists"
                self.report("RW330", name.span, f"there is no zone, track or list `{word}`", hint)
            return False
        return self._first(name)

    def _first(self, name: ScalarNode) -> bool:
        """Whether a name appears for the first time; otherwise report it."""
        word = name.text
        if word in self.seen:
            label = Label(self.seen[word], "first here")
            self.report("RW331", name.span, f"`{word}` is listed twice", "remove one of them", label)
            return False
        self.seen[word] = name.span
        return True
