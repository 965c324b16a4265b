"""Find changes of a pack that another pack may make ineffective, if neither pack knows the other.

Either a pack has set a condition over a place where another pack has put something, or nothing reads any more what
a pack has set. The order of the packs makes no difference: one change is lost silently.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator
from functools import cached_property
from itertools import product

from attrs import frozen

from rulewright.ruleset.common.diagnostic import NOWHERE, Diagnostic, Label, Span
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.compose.anchors import INSERTS, Anchors, DocumentPlace
from rulewright.ruleset.compose.conflicts import Composed, Deed
from rulewright.ruleset.declare.declarations import Declared
from rulewright.ruleset.documents.kinds import SECTIONS, SORTS
from rulewright.ruleset.documents.rules import Hook, Round
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.parser import parse_expression
from rulewright.ruleset.language.syntax_errors import Mistake
from rulewright.ruleset.program.nodes import Reference
from rulewright.ruleset.source.nodes import MappingNode, Node, ScalarNode, SequenceNode, part, plain
from rulewright.ruleset.source.reader import Document

# ---- Which names the rules still use, and which change of a pack took the last use of a name away
#
# A use counts only if it can matter: not in a verb, function, or derived field that nothing uses, nor in code
# that a hook replaces in all cases. All other code counts, since it may run.

GIVES = ("is", "cases")
"""The keys of a derived field with its value."""


@frozen(repr=False)
class Replacement(Record):
    """A hook of a pack that replaces the code at a place in all cases."""

    pack: str
    span: Span
    place: DocumentPlace


class LiveNames:
    """Finds the names with a use that counts: `function/fits`, `verb/draw`, `value/size`, `field/KIND.NAME`."""

    def __init__(
        self,
        documents: dict[int, Document],
        declared: Declared,
        references: Iterable[Reference],
        replacements: Iterable[Replacement],
    ) -> None:
        self._by_line: dict[tuple[str, int], list[tuple[Span, str | Replacement]]] = {}
        self._users: dict[str, set[str | Replacement]] = {}
        """For each name, what uses it: names, replacements of code with a use, and "" for anything else."""
        for one in replacements:
            document = documents.get(one.place.document)
            if document is not None:
                self._hold(one, part(document.root, one.place.path))
        for name, node in _holders(documents, declared):
            self._hold(name, node)
        for reference in references:
            self._users.setdefault(reference.what, set()).add(self._holder(reference.span))
        self.live = self._reach()

    def takers(self, name: str) -> Iterator[str | Replacement]:
        """Yield why a name has no use that counts: itself and the unused names that use it, and replacements."""
        waiting: list[str | Replacement] = [name]
        seen = set(waiting)
        while waiting:
            one = waiting.pop()
            yield one
            more = self._users.get(one, set()) - seen if isinstance(one, str) else set()
            seen |= more
            waiting += sorted(more, key=str)

    def _hold(self, holder: str | Replacement, node: Node | None) -> None:
        for scalar in _scalars(node):
            for line in range(scalar.span.line, scalar.span.end_line + 1):
                self._by_line.setdefault((scalar.span.path, line), []).append((scalar.span, holder))

    def _holder(self, span: Span) -> str | Replacement:
        """Return what holds a place: first the replacement of its code, else the name that it belongs to."""
        held = self._by_line.get((span.path, span.line), ())
        return next((holder for around, holder in held if span.within(around)), "")

    def _reach(self) -> frozenset[str]:
        uses: dict[str, list[str]] = {}
        for name, users in self._users.items():
            for user in users:
                if isinstance(user, str):
                    uses.setdefault(user, []).append(name)
        found: set[str] = set()
        waiting = [""]
        while waiting:
            new = [name for name in uses.get(waiting.pop(), ()) if name not in found]
            found.update(new)
            waiting += new
        return frozenset(found)


def _holders(documents: dict[int, Document], declared: Declared) -> Iterator[tuple[str, Node]]:
    """Yield what each verb, function, and derived field consists of."""
    verbs = {verb.span: key for key, verb in declared.verbs.items()}
    for document in documents.values():
        first = document.root.entries[0].value
        if document.kind == "function":
            name = f"function/{plain(first)}"
        elif document.kind == "verb" and first.span in verbs:
            name = f"verb/{verbs[first.span]}"
        else:
            yield from _derived(document, declared)
            continue
        for entry in document.root.entries[1:]:
            yield name, entry.value


def _derived(document: Document, declared: Declared) -> Iterator[tuple[str, Node]]:
    """Yield the values of the derived fields that a document declares."""
    for kind in declared.kinds.values() if document.kind in ("pack", "kinds") else ():
        for field, key in product(kind.fields, GIVES):
            value = part(document.root, ("kinds", kind.key, "fields", field, key))
            if value is not None:
                yield f"field/{kind.key}.{field}", value


def _scalars(node: Node | None) -> Iterator[ScalarNode]:
    if isinstance(node, MappingNode):
        for entry in node.entries:
            yield from _scalars(entry.value)
    elif isinstance(node, SequenceNode):
        for item in node.items:
            yield from _scalars(item)
    elif isinstance(node, ScalarNode):
        yield node


# ---- Defeated changes

CONDITIONS = {"when", "unless", "while", "until"}
"""Keys that decide whether, or how often, something happens."""
_PROCEED = ScalarNode("proceed", "proceed", NOWHERE)
BODIES = {"do", "then", "options", "steps", "compare", "choose"}
"""Keys of steps with effects."""


@frozen(repr=False)
class _Addition(Record):
    """An addition of a pack at a place: a change or a hook."""

    pack: str
    span: Span
    what: str
    place: DocumentPlace
    inside: bool
    """Whether it is inside the place, not beside it."""
    moment: bool = False
    """Whether it is a hook without a condition, which runs every time its anchor does."""


def defeats(composed: Composed, declared: Declared, references: Iterable[Reference]) -> Iterator[Diagnostic]:
    """Yield a warning for each change that another pack may make ineffective."""
    finder = _Finder(composed, declared)
    yield from finder.under_conditions()
    yield from finder.replaced()
    yield from finder.unread(tuple(references))


class _Finder:
    """Compares the changes of packs."""

    def __init__(self, composed: Composed, declared: Declared) -> None:
        self.composed, self.declared = composed, declared
        self.anchors = Anchors(composed.documents)
        self.documents = composed.numbered
        self.hooks = list(self._hooks())

    def _strangers(self, one: str, two: str) -> bool:
        after = self.declared.stands_after
        return one != two and one not in after.get(two, ()) and two not in after.get(one, ())

    def _hooks(self) -> Iterator[tuple[str, _Addition]]:
        """Yield the hooks of packs on top of the game, with the side and place of their anchors."""
        for hook in self.declared.all_of(Hook).values():
            pack = self.declared.owners.get(hook.span.path)
            for word, anchor in hook.anchors:
                place = self.anchors.find(anchor.text)
                if pack is None or place is None or not self.composed.places:
                    continue
                where = DocumentPlace(place.id, self.composed.places[place.document], place.path, place.bare)
                moment = hook.when is None
                yield word, _Addition(pack, hook.span, f"the hook of `{pack}`", where, inside=True, moment=moment)

    # -------------------------------------------------------------- conditions

    def under_conditions(self) -> Iterator[Diagnostic]:
        """Report additions to a step, an option, or a definition whose condition another pack has set."""
        for deed in self.composed.deeds:
            key = next((part for part in deed.place.bare[-2:] if part in CONDITIONS), None)
            if key is None or not (deed.wraps or deed.action in ("set", "add")):
                continue
            path = deed.place.bare[: deed.place.bare.index(key)]
            document = self.documents.get(deed.place.document)
            if document is None or document.kind in SECTIONS:
                continue
            if document.kind == "round" and key == "until":
                yield from self._under_until(deed, document)
                continue
            seen: set[Span] = set()
            for put in self._at(deed.place.document, path):
                if self._strangers(deed.pack, put.pack) and put.span not in seen:
                    seen.add(put.span)
                    yield self._depends(deed, key, put)

    def _at(self, document: int, path: tuple[str, ...]) -> Iterator[_Addition]:
        """Yield everything that packs put inside or beside a place, or into its sentences."""
        for deed in self.composed.deeds:
            place = deed.place
            if place.document != document or place.bare[: len(path)] != path or deed.wraps:
                continue
            below = place.bare[len(path) :]
            if deed.action in INSERTS:
                beside = not below and bool(path)
                what = f"the insert of `{deed.pack}` {deed.action} `{place.id}`"
                yield _Addition(deed.pack, deed.span, what, place, not beside)
            elif path and deed.action in ("set", "add") and set(below) & BODIES and not set(below) & CONDITIONS:
                yield _Addition(deed.pack, deed.span, f"the value that `{deed.pack}` sets", place, True)
        for _, put in self.hooks:
            if put.place.document == document and put.place.bare[: len(path)] == path and (path or put.place.bare):
                yield put

    def _depends(self, deed: Deed, key: str, put: _Addition) -> Diagnostic:
        holds, fails = ("does not hold", "holds") if key == "unless" else ("holds", "does not hold")
        when = f"happens only where it {holds}" if put.inside else f"also happens where it {fails}"
        return _conditional(deed, key, put, when)

    def _under_until(self, deed: Deed, document: Document) -> Iterator[Diagnostic]:
        """Report additions to a round or its phases if another pack changes its end: the first of each pack."""
        if _only_later(deed.old, deed.new) or (deed.wraps and _only_later(_PROCEED, deed.new)):
            return
        found = self.anchors.find
        places = [found(f"phase/{name.text}") for name in Round.made_of(document.root).phases]
        first: dict[str, _Addition] = {}
        for number in (deed.place.document, *(place.document for place in places if place is not None)):
            for put in self._at(number, ()):
                if self._strangers(deed.pack, put.pack) and not put.moment:
                    first.setdefault(put.pack, put)
        for put in first.values():
            yield _conditional(deed, "until", put, "may happen less often, or never")

    # -------------------------------------------------------------- instead of

    def replaced(self) -> Iterator[Diagnostic]:
        """Report what a pack sets, inserts, or hooks inside of something that another pack's hook replaces."""
        for word, put in self.hooks:
            for other in self._inside(put) if word == "instead-of" else ():
                if self._strangers(other.pack, put.pack):
                    does, word = (other.what, "changes") if other.inside else (f"`{other.pack}`", "sets")
                    message = f"{does} {word} what `{put.place.id}` does, and {put.what} replaces it"
                    hint = f"if this is intended, add `after: [{other.pack}]` to the pack.yaml of `{put.pack}`"
                    label = Label(other.span, f"`{other.pack}` {word} it here")
                    yield Diagnostic("RW635", put.span, message, hint, (label,))

    def _inside(self, put: _Addition) -> Iterator[_Addition]:
        """Yield what packs change inside of the place of a hook; `inside` if it is not the value of a key."""
        path = put.place.bare
        for deed in self.composed.deeds:
            if deed.place.document != put.place.document or deed.place.bare[: len(path)] != path:
                continue
            below = set(deed.place.bare[len(path) :])
            if deed.action in INSERTS and not deed.wraps and (below or not path):
                what = f"the insert of `{deed.pack}` {deed.action} `{deed.place.id}`"
                yield _Addition(deed.pack, deed.span, what, deed.place, inside=True)
            elif deed.action == "set" and below & BODIES:
                yield _Addition(deed.pack, deed.span, "", deed.place, inside=False)
        for _, hook in self.hooks:
            below = set(hook.place.bare[len(path) :])
            if hook.place.document == put.place.document and hook.place.bare[: len(path)] == path and below:
                yield hook

    # -------------------------------------------------------------- unread values

    def unread(self, references: tuple[Reference, ...]) -> Iterator[Diagnostic]:
        """Report what a pack changes and nothing uses, because another pack has changed its users."""
        read = {reference.what for reference in references}
        replacing = (put for word, put in self.hooks if word == "instead-of" and put.moment)
        replacements = [Replacement(put.pack, put.span, put.place) for put in replacing]
        names = LiveNames(self.documents, self.declared, references, replacements)
        seen: set[tuple[Span, str | None]] = set()
        for deed in self.composed.deeds:
            name = self._name(deed)
            if name is None or name in names.live or (deed.span, name) in seen:
                continue
            seen.add((deed.span, name))
            taken = self._taken(deed.pack, name, names)
            if taken is not None:
                does = "sets" if deed.action == "set" else "changes"
                uses = "uses" if name.startswith("verb/") else "reads"
                what = f"`{deed.pack}` {does} `{deed.place.id}`, and nothing {uses} it"
                yield _unread(what, deed.pack, deed.span, *taken)
            elif name not in read and deed.action in ("set", "add") and not self._mentioned(deed, _word(name)):
                yield _never_read(deed)
        for word, put in self.hooks:
            verb = put.place.id
            if verb.startswith("verb/") and verb not in names.live:
                taken = self._taken(put.pack, verb, names)
                if taken is not None:
                    what = f"{put.what} {word.replace('-', ' ')} `{verb}` never happens"
                    yield _unread(what, put.pack, put.span, *taken)

    def _taken(self, pack: str, name: str, names: LiveNames) -> tuple[str, Span, str] | None:
        """Return the change of a stranger that took the last use of a name away: pack, place, and words for it."""
        for one in names.takers(name):
            if isinstance(one, Replacement):
                if self._strangers(pack, one.pack):
                    return one.pack, one.span, f"replaces `{one.place.id}` with a hook"
                continue
            for other in self._removing(one):
                if self._strangers(pack, other.pack):
                    return other.pack, other.span, f"changes `{other.place.id}`"
        return None

    def _removing(self, name: str) -> Iterator[Deed]:
        """Yield the changes that remove uses of a name; of a verb, its words."""
        if not name.startswith("verb/"):
            yield from self._gone.get(_word(name), ())
            return
        first, *others = _word(name).split("-")
        for deed in self._gone.get(first, ()) or self._gone.get(f"{first}s", ()):
            if set(others) <= set(_words(deed.old)):
                yield deed

    @cached_property
    def _gone(self) -> dict[str, list[Deed]]:
        """For each word, the changes that remove its uses."""
        found: dict[str, list[Deed]] = {}
        for deed in self.composed.deeds:
            if deed.action in ("set", "remove"):
                for word in set(_words(deed.old)) - set(_words(deed.new)):
                    found.setdefault(word, []).append(deed)
        return found

    @cached_property
    def _where(self) -> dict[str, set[Hashable]]:
        """For each word, its places in the rules now or before a pack changed them."""
        found: dict[str, set[Hashable]] = {}
        texts: list[tuple[Hashable, Iterable[str]]] = [
            ((number, "name" if one.kind == "function" and not entry else "body"), _words(node.value))
            for number, one in self.documents.items()
            for entry, node in enumerate(one.root.entries)
        ]
        for deed in self.composed.deeds:
            texts += [(deed.place, _words(deed.old)), ("every", _WORD.findall(deed.every))]
        for source, words in texts:
            for word in words:
                found.setdefault(word, set()).add(source)
        return found

    def _mentioned(self, deed: Deed, word: str) -> bool:
        """Whether a word occurs elsewhere in the rules, or did before a change.

        The name of a function does not count as a use, nor does what the change itself sets.
        """
        return bool(self._where.get(word, set()) - {(deed.place.document, "name"), deed.place})

    def _name(self, deed: Deed) -> str | None:
        """Return the name by which references find the thing that was set; None if it is not read by name."""
        document = self.documents.get(deed.place.document)
        bare = deed.place.bare
        if document is None or set(bare) & {"name", "text"}:
            return None
        if document.kind in ("pack", *SECTIONS) and bare and bare[0] in SORTS and len(bare) > 1:
            category = SORTS[bare[0]]
            return f"{category}/{bare[1]}" if category in ("value", "option", "track", "list") else None
        if document.kind == "function":
            return f"function/{plain(document.root.entries[0].value)}" if bare else None
        if document.kind == "verb":
            return self._verbs.get(document.root.entries[0].value.span) if bare or deed.action in INSERTS else None
        if document.kind in self.declared.kinds and bare:
            kind = self.declared.kinds[document.kind]
            return f"field/{kind.key}.{bare[0]}" if bare[0] in kind.fields else None
        if bare[:1] == ("kinds",) and bare[2:3] == ("fields",) and bare[4:5] in (("default",), ("is",), ("cases",)):
            return f"field/{bare[1]}.{bare[3]}"
        return None

    @cached_property
    def _verbs(self) -> dict[Span, str]:
        return {verb.span: f"verb/{key}" for key, verb in self.declared.verbs.items()}


def _conditional(deed: Deed, key: str, put: _Addition, when: str) -> Diagnostic:
    step = deed.place.id.rpartition(f".{key}")[0] or deed.place.id
    does = "puts an expression around" if deed.wraps else "sets"
    message = f"`{deed.pack}` {does} `{key}` of `{step}`, and {put.what} {when}"
    hint = f"if this is intended, add `after: [{deed.pack}]` to the pack.yaml of `{put.pack}`, or the reverse"
    label = Label(deed.span, f"`{deed.pack}` {does} the condition here")
    return Diagnostic("RW635", put.span, message, hint, (label,))


def _only_later(old: Node | None, new: Node | None) -> bool:
    """Whether a round certainly lasts at least as long as before: it ends only where it would have ended before."""
    if not isinstance(old, ScalarNode) or not isinstance(new, ScalarNode):
        return False
    was, now = parse_expression(old.text), parse_expression(new.text)
    return not isinstance(was, Mistake) and not isinstance(now, Mistake) and repr(was) in map(repr, _needed(now))


def _needed(condition: s.Expression) -> Iterator[s.Expression]:
    """Yield a condition and the parts of it that must hold."""
    yield condition
    if isinstance(condition, s.Logic) and condition.op == "and":
        yield from _needed(condition.left)
        yield from _needed(condition.right)


def _unread(what: str, pack: str, span: Span, other: str, at: Span, why: str) -> Diagnostic:
    hint = f"remove the change; if this is intended, add `after: [{pack}]` to the pack.yaml of `{other}`"
    label = Label(at, f"`{other}` {why.partition(' ')[0]} it here")
    return Diagnostic("RW636", span, f"{what}, because `{other}` {why}", hint, (label,))


def _never_read(deed: Deed) -> Diagnostic:
    message = f"`{deed.pack}` sets `{deed.place.id}`, and nothing reads it: this change has no effect"
    return Diagnostic("RW639", deed.span, message, "remove it, or change what is read instead")


_WORD = re.compile(r"[\w-]+")


def _word(name: str) -> str:
    return re.split(r"[/.]", name)[-1]


def _words(node: Node | None) -> Iterator[str]:
    """Yield the words of all texts of a node."""
    if isinstance(node, MappingNode):
        for entry in node.entries:
            yield from _words(entry.value)
    elif isinstance(node, SequenceNode):
        for item in node.items:
            yield from _words(item)
    elif node is not None:
        yield from _WORD.findall(node.text)
