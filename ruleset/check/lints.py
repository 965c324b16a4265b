"""Warnings about a correct pack: unused names, and missing texts for players.

This pass runs only for packs without errors, and only on request (`load_files(…, lints=True)`). A fragment of a
pack, or a pack that is only played, may lack these things.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Sequence as SequenceOf
from typing import Any

from rulewright.ruleset.check.flow.scoring import named
from rulewright.ruleset.check.scope import Introduced
from rulewright.ruleset.common.diagnostic import Diagnostic, Span
from rulewright.ruleset.common.nearest import listed
from rulewright.ruleset.declare.declarations import Declared, DefinitionDeclared, grouped
from rulewright.ruleset.documents.play import LayoutDocument
from rulewright.ruleset.documents.reading import Titled
from rulewright.ruleset.documents.rules import (
    Award,
    Claim,
    Hook,
    Modifier,
    Phase,
    Round,
    SetupDocument,
    Window,
    Winner,
)
from rulewright.ruleset.documents.sections import PackDocument
from rulewright.ruleset.findings.suppressions import LINTS
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.call_effects import units_of
from rulewright.ruleset.program.traversal import Walks
from rulewright.ruleset.source.nodes import Node, ScalarNode, SequenceNode
from rulewright.ruleset.source.reader import Document

CODES = LINTS
"""Codes of the findings of this pass, including those in `Context.doubts`."""

_READING = (p.Var, p.ListVar)
_MENUS = (p.Menu, p.MenuTogether)
_ASKING = (p.Choose, p.ChooseTogether, *_MENUS)
_COURSE: tuple[tuple[str, type[Titled]], ...] = (
    ("phase", Phase),
    ("award", Award),
    ("window", Window),
    ("claim", Claim),
)
"""Documents whose names stand in the log, the result, and the rule book."""
_LISTED: tuple[tuple[str, type[Titled]], ...] = (("hook", Hook), ("modifier", Modifier))
"""Documents whose names stand only where changes of the rules are listed."""


def lint(
    program: p.Program,
    declared: Declared,
    introduced: tuple[Introduced, ...],
    walks: Walks,
    packs: Iterable[SequenceOf[Document]] = (),
) -> Iterator[Diagnostic]:
    """Yield the warnings about a pack without errors.

    `introduced` are the local names that effects give, `packs` the documents of each pack.
    """
    yield from _unused_names(program, introduced, walks)
    yield from _unused_declarations(program, declared)
    yield from _twice_in_a_field(declared)
    yield from _left_out_once(declared)
    words = _Words(program, declared, walks)
    yield from words.packs(packs)
    yield from words.names()
    yield from words.rules()
    yield from words.choices()


# ------------------------------------------------------------------ unused names

def _unused_names(program: p.Program, introduced: tuple[Introduced, ...], walks: Walks) -> Iterator[Diagnostic]:
    units = units_of(program)
    read: dict[str, set[int]] = {}
    for one in dict.fromkeys(introduced):
        unit = units.get(one.unit)
        if unit is None:
            continue
        if one.unit not in read:
            read[one.unit] = {node.variable for node in walks.these(unit, _READING)}
        if one.variable not in read[one.unit]:
            instead = "remove the sentence" if one.needed else f"remove `as {one.word}`"
            message = f"nothing uses `{one.word}`"
            yield Diagnostic("RW451", one.span, message, f"use it after this sentence, or {instead}")


def _shown_functions(program: p.Program) -> list[str]:
    """Return the functions that the layout shows."""
    groups = program.table_layout.groups if program.table_layout is not None else ()
    return [one.key for group in groups for one in group.placed if one.shown]


def _unused_declarations(program: p.Program, declared: Declared) -> Iterator[Diagnostic]:
    """Report functions, verbs, messages, and options without a use.

    A pack without a round only serves other packs.
    """
    if not declared.all_of(Round) and not declared.all_of(SetupDocument):
        return
    named = {one.what for one in program.references}
    named |= {f"function/{key}" for key in _shown_functions(program)}
    game = declared.pack.partition("+")[0]
    groups: tuple[tuple[str, str, dict[str, Span]], ...] = (
        ("function", "calls the function", {key: one.span for key, one in declared.functions.items()}),
        ("verb", "uses the verb", {key: one.span for key, one in declared.verbs.items()}),
        ("message", "announces the message", dict(declared.messages)),
        ("option", "reads the option", {key: one[0] for key, one in declared.options.items()}),
    )
    for category, does, spans in groups:
        for key, span in spans.items():
            if f"{category}/{key}" in named or declared.owners.get(span.path) == game:
                continue  # the authors of house rules cannot remove what became unused in the game
            shown = declared.verbs[key].text if category == "verb" else key
            yield Diagnostic("RW349", span, f"nothing {does} `{shown}`", "use it, or remove it")


def _twice_in_a_field(declared: Declared) -> Iterator[Diagnostic]:
    """Report a repeated member of a list of names, if no other definition repeats a member in that field."""
    definitions = grouped(declared.definitions.values())
    for kind in declared.kinds.values():
        for name, field in kind.fields.items():
            if not field.many or field.type.name not in ("enumeration", "definition"):
                continue
            lists = [one.body.get(name) for one in definitions.get(kind.key, ())]
            repeated = [again for node in lists if (again := _again(node)) is not None]
            if len(repeated) == 1:
                again = repeated[0]
                alone = f"no other `{kind.key}` repeats a name in this field"
                message = f"`{again.text}` is already in this list, and {alone}"
                yield Diagnostic("RW350", again.span, message, f"remove it, or name another `{field.type.of}`")


def _left_out_once(declared: Declared) -> Iterator[Diagnostic]:
    """Report a definition that alone lacks a list, if the kind has no `default` for it."""
    for kind, definitions in grouped(declared.definitions.values()).items():
        written = [one for one in definitions if not one.made]
        fields = declared.kinds[kind].fields if kind in declared.kinds else {}
        for name, field in fields.items():
            lacking = [one for one in written if one.body.get(name) is None]
            if field.many and not (field.default or field.derived) and len(lacking) == 1 < _ALL <= len(written):
                message = f"`{lacking[0].key}` has no `{name}`, and every other `{kind}` has"
                hint = f"add `{name}`, or give it a `default` in the kind"
                yield Diagnostic("RW352", lacking[0].span, message, hint)


def _again(node: Node | None) -> ScalarNode | None:
    """Return the first repeated member of a list."""
    seen: set[str] = set()
    for item in node.items if isinstance(node, SequenceNode) else ():
        if isinstance(item, ScalarNode):
            if item.text in seen:
                return item
            seen.add(item.text)
    return None


# ------------------------------------------------------------------ words for players

class _Words:
    """Finds things that players would see by their key.

    A pack in one language may show its keys to players, and a new pack has no prompts yet. If a pack has some texts
    of a sort, the missing ones are reported.
    """

    def __init__(self, program: p.Program, declared: Declared, walks: Walks) -> None:
        self.program = program
        self.walks = walks
        self.declared = declared
        self.texts = dict(program.texts)
        self.several = len(program.languages) > 1

    def _form(self, span: Span) -> str:
        """Return how a text at a place is written, in the languages of its pack."""
        languages = self.declared.languages_at(span)
        said = ", ".join(f"{language}: …" for language in languages)
        return f"{{{said}}}" if len(languages) > 1 else "…"

    def packs(self, packs: Iterable[SequenceOf[Document]]) -> Iterator[Diagnostic]:
        """Report packs without a name, or without a text about themselves.

        Only packs that declare several languages and have texts about their rules.
        """
        for documents in packs:
            says = [Titled.made_of(document.root).text for document in documents if document.kind != "pack"]
            for root in (document.root for document in documents if document.kind == "pack"):
                head, name = PackDocument.made_of(root), root.entries[0].value
                if len(head.languages) > 1 and any(says) and isinstance(name, ScalarNode):
                    if head.name is None:
                        yield self._nameless(name.span, f"the pack `{name.text}` has")
                    if head.text is None:
                        yield self._textless(name.span, f"the pack `{name.text}` has")

    def names(self) -> Iterator[Diagnostic]:
        """Report definitions, parts of the table, and parts of the course of the game without a name."""
        definitions = self.program.definitions
        named_kinds = {one.kind for one in definitions if "name" in dict(one.texts)}
        abstract = {key for key, kind in self.declared.kinds.items() if kind.abstract and key not in named_kinds}
        shown = [one for one in definitions if one.kind not in abstract]
        unnamed = [one for one in shown if "name" not in dict(one.texts)]
        if self.several or len(unnamed) < len(shown):
            for span, key in {one.span: one.key for one in reversed(unnamed)}.items():
                made = bool(self.declared.definitions[key].made)
                what = "these cards have" if made else f"`{key}` has"
                yield self._nameless(span, what)
        if self.several:
            yield from self._on_the_table()
            for category, record in _COURSE:
                for one in self.declared.all_of(record).values():
                    if one.name is None:
                        yield self._nameless(one.span, f"the {category} `{one.key}` has")
        for category, record in _LISTED:
            yield from self._of_some(category, self.declared.all_of(record).values())

    def _of_some(self, category: str, documents: Iterable[Titled]) -> Iterator[Diagnostic]:
        """Report documents of a pack that have no name while others of the pack have one."""
        of_pack: dict[str, list[Titled]] = {}
        for one in documents:
            of_pack.setdefault(self.declared.owners.get(one.span.path, ""), []).append(one)
        for several in of_pack.values():
            if any(one.name is not None for one in several):
                for one in (one for one in several if one.name is None):
                    yield self._nameless(one.span, f"the {category} `{one.key}` has")

    def rules(self) -> Iterator[Diagnostic]:
        """Report definitions without a text while nearly all that are like them have one.

        Those with effects of their own are compared with each other, and so are those without.
        """
        for several in grouped(self.declared.definitions.values()).values():
            for acting in (True, False):
                alike = [one for one in several if not one.made and bool(one.effects) == acting]
                silent = [one for one in alike if one.says.text is None]
                if silent and len(silent) * _FEW <= len(alike):
                    yield from map(self._of_definition, silent)

    def _of_definition(self, one: DefinitionDeclared) -> Diagnostic:
        return self._textless(one.span, f"`{one.key}` has")

    def _on_the_table(self) -> Iterator[Diagnostic]:
        d = self.declared
        hidden = {one.text for layout in d.all_of(LayoutDocument).values() for one in layout.hidden}
        tracks = {
            key: span
            for key, (span, track, _) in d.tracks.items()
            if (track.seen_by, track.changes_seen_by) != ("nobody", "nobody")
        }
        winners = tuple(d.all_of(Winner).values())
        groups: tuple[tuple[str, dict[str, Span]], ...] = (
            ("zone", {key: span for key, (span, _) in d.zones.items()}),
            ("track", tracks),
            ("list", {key: span for key, (span, _) in d.lists.items()}),
            ("winner", {one.key: one.span for one in winners} if named(winners) else {}),
            ("function", {key: d.functions[key].span for key in _shown_functions(self.program)}),
        )
        for category, spans in groups:
            for key, span in spans.items():
                if key not in hidden and f"{category}/{key}" not in self.texts:
                    yield self._nameless(span, f"the {category} `{key}` has")
        for key, (span, members) in d.enumerations.items():
            if key in d.options:
                continue
            missing = [member for member in members if f"{key}/{member}" not in self.texts]
            if missing:
                have = "has" if len(missing) == 1 else "have"
                message = f"{listed(missing)} of `{key}` {have} no name for players"
                yield Diagnostic("RW346", span, message, f"write `{missing[0]}: {self._form(span)}`")

    def _nameless(self, span: Span, what: str) -> Diagnostic:
        return Diagnostic("RW346", span, f"{what} no name for players", f"add `name: {self._form(span)}`")

    def _textless(self, span: Span, what: str) -> Diagnostic:
        return Diagnostic("RW351", span, f"{what} no text for players", f"add `text: {self._form(span)}`")

    def choices(self) -> Iterator[Diagnostic]:
        """Report choices without a question, and menus whose options have no text."""
        asked: dict[str, Any] = {}
        for unit in (*self.program.units, self.program.main):
            for node in self.walks.these(unit, _ASKING):
                asked.setdefault(node.prompt.key, node)
        questions = bool(self.declared.prompts)
        options = questions or any(key.startswith("choice/") for key in self.texts)
        for key, node in asked.items():
            if questions and not node.prompt.texts and not self._step_named(node.at):
                message = f"the choice `{key}` has no question for players"
                span = self.program.sources[node.at].span
                hint = f"add `{key}: {self._form(span)}` to the section `prompts`"
                yield Diagnostic("RW347", span, message, hint)
            if options and isinstance(node, _MENUS):
                yield from self._options(key, node)

    def _step_named(self, at: int) -> bool:
        return self.program.sources[at].name in self.texts

    def _options(self, key: str, node: p.Menu | p.MenuTogether) -> Iterator[Diagnostic]:
        for branch in node.branches:
            if branch.key not in _KNOWN and f"choice/{key}.{branch.key}" not in self.texts:
                message = f"the option `{branch.key}` has no text for players"
                span = self.program.sources[branch.at].span
                hint = f"add `{key}.{branch.key}: {self._form(span)}` to the section `prompts`"
                yield Diagnostic("RW348", span, message, hint)


_ALL = 5
"""The least number of definitions of a kind of which one is said to be unlike the others."""
_FEW = 3
"""Definitions that are alike are this many times as many as those of them without a text, or more."""
_KNOWN = ("perform", "decline", "pass", "challenge")
"""Options that have texts in every language."""
