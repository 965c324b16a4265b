"""Check the picture files that a face names: inside the pack's folder, there, and usable.

The folder has been read before (`source.pictures`). A file that is named must be there; a pattern with `{id}` or
`{FIELD}` gives a picture to the definitions that have a file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from rulewright.ruleset.common.listing import listed
from rulewright.ruleset.common.nearest import nearest
from rulewright.ruleset.common.span import Span
from rulewright.ruleset.declare.declarations import Declared, KindDeclared
from rulewright.ruleset.language.types import NUMBER
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.faces import Picture
from rulewright.ruleset.source.nodes import Scalar

Report = Callable[[str, Span, str, str | None], None]

_SUFFIXES = (".png", ".jpg", ".jpeg", ".svg")
_HOLE = re.compile(r"\{([^{}]*)\}")
_NEAR = 3
"""Misspelt files in one hint."""
ID = "id"


def is_file(text: str) -> bool:
    """Whether a text is meant as a path of a file, and not as a name."""
    return "." in text or "/" in text or "\\" in text


class Pictures:
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

    def named(self, path: Scalar) -> Picture | None:
        """Return a picture that is named outright; None after a finding."""
        if "{" in path.text or "}" in path.text:
            self.report("RW398", path.span, "this must be one file, without braces", "write the path of a file")
            return None
        return self._file(path, path.text, self.declared.pack_of(path.span)) if self._inside(path) else None

    def of_all(self, path: Scalar) -> tuple[tuple[str, Picture], ...]:
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

    def _inside(self, path: Scalar) -> bool:
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

    def _file(self, path: Scalar, name: str, pack: str) -> Picture | None:
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

    def _missing(self, path: Scalar, missing: Mapping[str, str], of: int, used: set[str]) -> None:
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

    def _unusable(self, path: Scalar, name: str, wrong: str, hint: str) -> None:
        self.report("RW397", path.span, f"`{name}` cannot be used: {wrong}", hint)

    def _holes(self, path: Scalar) -> bool:
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
