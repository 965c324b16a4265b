"""Find texts that a pack changes in some of its languages, but not in the others.

Only the languages of the pack that makes the change count. A text that lacks a language has its own finding
(`check.texts`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.ruleset.check.texts import has_words
from rulewright.ruleset.common.diagnostic import Diagnostic
from rulewright.ruleset.common.listing import listed
from rulewright.ruleset.common.span import Span
from rulewright.ruleset.compose.conflicts import Deed
from rulewright.ruleset.declare.declarations import Declared
from rulewright.ruleset.source.node_edit import Path
from rulewright.ruleset.source.nodes import Scalar


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
        speaks = any(isinstance(one.new, Scalar) and has_words(one.new) for one in said)
        if left and last.old is not None and speaks:
            message = f"this text is changed in {listed(words)}, but not in {listed(left)}"
            hint = f"change `{left[0]}`, too; without it, players of that language read the text as it was"
            found.setdefault(last.span, Diagnostic("RW327", last.span, message, hint))
    yield from found.values()
