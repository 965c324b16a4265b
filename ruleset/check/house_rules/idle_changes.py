"""Find changes that make no difference to the game; each is a warning.

A pack on top sets a value that is already there, or a part of something that it then sets as a whole. The
comparison uses what the author could know: the game and the packs that it extends or requires. It is no mistake of
the author if a stranger sets the same value or removes its last reader (`defeated_changes`), or if a later pack
overrides it. `idle_code` finds additions that do nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.ruleset.check.texts import has_words
from rulewright.ruleset.common.diagnostic import Diagnostic, Label, Span
from rulewright.ruleset.common.nearest import listed
from rulewright.ruleset.compose.change import INSERTS
from rulewright.ruleset.compose.conflicts import Deed, alike
from rulewright.ruleset.compose.workspace import shown
from rulewright.ruleset.declare.declarations import Declared
from rulewright.ruleset.source.nodes import Path, ScalarNode
from rulewright.ruleset.source.reader import Document


def same_again(deeds: Sequence[Deed], documents: dict[int, Document], declared: Declared) -> Iterator[Diagnostic]:
    """Yield a warning for each value that a pack sets, adds, or removes without a difference.

    A change with `every` counts only if it makes no difference at any place.
    """
    each: dict[tuple[str, Span, str], list[Deed]] = {}
    there: dict[int, list[Deed]] = {}
    for deed in deeds:
        there.setdefault(deed.place.document, []).append(deed)
        if deed.action not in INSERTS:
            each.setdefault((deed.pack, deed.span, deed.action), []).append(deed)
    for of_one in each.values():
        why = [_why(deed, there[deed.place.document], documents, declared) for deed in of_one]
        if all(why):
            yield _finding(of_one, str(why[0]))


def _why(deed: Deed, there: Sequence[Deed], documents: dict[int, Document], declared: Declared) -> str:
    """Explain why a change makes no difference, given all changes in its document; empty if it may make one."""
    known = declared.seen.get(deed.pack, frozenset())
    around = [one for one in there if _nested(one, deed)]
    if any(one.pack not in known for one in around):
        return ""
    later = around[around.index(deed) + 1 :]
    covering = (one for one in later if one.pack == deed.pack and _covers(one, deed))
    if (whole := next(covering, None)) is not None:
        return f"the same pack then {'removes' if whole.action == 'remove' else 'sets'} all of `{whole.place.id}`"
    was, now = deed.old, deed.new
    document = documents.get(deed.place.document)
    kind = declared.kinds.get(document.kind) if document is not None else None
    if kind is not None and len(deed.place.bare) == 1:
        default = kind.defaults.get(deed.place.bare[0])
        was, now = was or default, now or default
    if was is None or now is None or not alike(was, now, deed.place.bare):
        return ""
    return f"it is already `{shown(was)}`"


def _nested(one: Deed, two: Deed) -> bool:
    shorter = min(len(one.place.bare), len(two.place.bare))
    return one.place.bare[:shorter] == two.place.bare[:shorter]


def _covers(one: Deed, two: Deed) -> bool:
    shorter = one.place.bare == two.place.bare[: len(one.place.bare)]
    return shorter and one.action in ("set", "remove") and len(one.place.bare) < len(two.place.bare)


def _finding(deeds: Sequence[Deed], why: str) -> Diagnostic:
    deed = deeds[0]
    does = {"set": "sets", "add": "adds", "remove": "removes"}[deed.action]
    which = f" with `{deed.every}`" if deed.every else ""
    message = f"`{deed.pack}` {does} `{deed.place.id}`{which}, but {why}: this change has no effect"
    old = deed.old if why.startswith("it is") else None
    labels = (Label(old.span, "the current value"),) if old is not None else ()
    return Diagnostic("RW639", deed.span, message, "remove it, or write another value", labels)


# ---- Find texts that a pack changes in some of its languages, but not in the others
#
# Only the languages of the pack that makes the change count. A text that lacks a language has its own finding
# (`check.texts`).

def half_changed(deeds: Sequence[Deed], declared: Declared) -> Iterator[Diagnostic]:
    """Yield a warning for each text of which a pack sets one language, but not another."""
    texts: dict[tuple[str, int, Path], list[Deed]] = {}
    for deed in deeds:
        path = deed.place.bare
        if deed.action == "set" and len(path) > 1 and path[-1] in declared.languages_at(deed.span):
            texts.setdefault((deed.pack, deed.place.document, path[:-1]), []).append(deed)
    found: dict[Span, Diagnostic] = {}  # a change with `every` has many places
    for said in texts.values():
        last = said[-1]
        words = [deed.place.bare[-1] for deed in said]
        left = [one for one in declared.languages_at(last.span) if one not in words]
        speaks = any(isinstance(one.new, ScalarNode) and has_words(one.new) for one in said)
        if left and last.old is not None and speaks:
            message = f"this text is changed in {listed(words)}, but not in {listed(left)}"
            hint = f"change `{left[0]}`, too; without it, players of that language read the text as it was"
            found.setdefault(last.span, Diagnostic("RW327", last.span, message, hint))
    yield from found.values()
