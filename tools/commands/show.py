"""`rulewright show`: print a declaration of a pack as a card, or list all declarations."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from attrs import evolve

from rulewright.ruleset.common.diagnostic import Diagnostic, Span
from rulewright.ruleset.common.nearest import nearest
from rulewright.ruleset.findings.causes import is_error
from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.source.pack_files import pack_root
from rulewright.tools.common.display_texts import session_language
from rulewright.tools.common.errors import CLEAN, Usage
from rulewright.tools.common.output import many, say_data, warn
from rulewright.tools.display.card import Shelf, card_text, list_text, shelf_of
from rulewright.tools.packs import loading
from rulewright.tools.packs.declarations import Declaration, documents_about
from rulewright.tools.packs.pack_set import names_of

FORMAT = 1
"""The version of the JSON format."""


def show(
    wanted: str | None, pack: str | None, language: str | None, as_json: bool, more: Sequence[str] = ()
) -> int:
    """Print one declaration, or all of them by kind, with the changes of `more` packs.

    Errors in the declaration are raised as a failure: after it has been printed or, if it cannot be read, instead.
    """
    first, *others = names_of(pack) if pack is not None else (None,)
    root = _root(first)
    asked = [loading.read(root), *(loading.read(loading.find(name)) for name in (*others, *more))]
    loaded = loading.load_pack_set(loading.pack_set_of(asked))
    shelf = shelf_of(loaded, loading.shown(root))
    language = language and session_language(loaded.declared.languages, language)
    if wanted is None:
        items = [item for item in shelf.items.items if not item.inner]
        if as_json:
            listed = [_listed(shelf, item) for item in items]
            _print({"version": FORMAT, "pack": loaded.pack, "declarations": listed})
        else:
            list_text(shelf, items, loaded.pack, language)
    else:
        try:
            item = find(shelf, wanted)
        except UnknownDeclaration as unknown:
            also = [_consequence(loaded, "declarations")] if loaded.errors else []
            raise _unread(loaded, wanted) or Usage(unknown.message, also) from None
        if as_json:
            _print({"version": FORMAT, "pack": loaded.pack, **_data(shelf, item)})
        else:
            card_text(shelf, item, language)
        found = _within(loaded, [item.whole, *documents_about(loaded.sources, item.id)]) if loaded.errors else []
        if found:
            raise _refused(loaded, found, _consequence(loaded, "uses"))
    if loaded.errors:
        sys.stdout.flush()
        warn(_consequence(loaded, "uses"))
    return CLEAN


def _consequence(loaded: Loaded, what: str) -> str:
    name = loaded.pack or "the pack"
    return f"{name} has {many(loaded.errors, 'error')}, so {what} may be missing; rulewright validate lists errors"


def _root(pack: str | None) -> Path:
    if pack is not None:
        return loading.find(pack)
    around = pack_root(Path())
    if around is None:
        raise Usage(f"missing --in PACK: name a path, or a shipped pack ({', '.join(loading.shipped())})")
    return around


class UnknownDeclaration(Usage):
    """No declaration has the id, key, or name."""


def find(shelf: Shelf, wanted: str) -> Declaration:
    """Return the declaration that an id, a key, or a name for players means. Raises Usage."""
    items = shelf.items.items
    if wanted in shelf.items.by_id:
        return shelf.items.by_id[wanted]
    found = [item for item in items if item.key == wanted and not item.inner]
    found = found or [item for item in items if item.key == wanted]
    found = found or [item for item in items if item.sort == "step" and item.key.endswith(f".{wanted}")]
    found = found or [item for item in items if item.key == shelf.declared.plurals.get(wanted)]
    folded = wanted.casefold()
    found = found or [item for item in items if folded in {name.casefold() for name in shelf.names(item).values()}]
    found = list({item.id: item for item in found}.values())
    if len(found) == 1:
        return found[0]
    if found:
        listed = [f"{item.id}  {shelf.near(item.span.path)}:{item.span.line}" for item in found]
        raise Usage(f"several declarations are called {wanted}:", listed)
    known = {name: item.id for item in reversed(items) for name in (item.id, item.key, *shelf.names(item).values())}
    near = nearest(wanted, known)
    sort, slash, _ = wanted.partition("/")
    of_sort = [item.key for item in items if item.sort == sort] if slash else []
    hint = f"did you mean {known[near]}?" if near else "rulewright show lists all declarations"
    if not near and of_sort:
        hint = f"names of the kind {sort}: {', '.join(of_sort[:12])}{', …' if len(of_sort) > 12 else ''}"
    raise UnknownDeclaration(f"{wanted} not found in {shelf.declared.pack}; {hint}")


# ------------------------------------------------------------------ what cannot be read

def _unread(loaded: Loaded, wanted: str) -> loading.PacksRefused | None:
    """Return the failure for a declaration whose document has errors; None if there is no such document.

    If the packs cannot be combined, no declaration is known, and any error may be why.
    """
    if not loaded.errors:
        return None
    found = _within(loaded, documents_about(loaded.sources, wanted.rpartition("/")[2]))
    if not loaded.declared.pack:
        found = list(filter(is_error, loaded.findings))
    return _refused(loaded, found, f"{wanted} cannot be shown until its errors are fixed") if found else None


def _within(loaded: Loaded, places: Sequence[Span]) -> list[Diagnostic]:
    """Return the errors in some places."""
    return [one for one in loaded.findings if is_error(one) and any(map(one.span.within, places))]


def _refused(loaded: Loaded, errors: Sequence[Diagnostic], why: str) -> loading.PacksRefused:
    """Return the failure for some of the errors in packs."""
    return loading.refused(evolve(loaded, findings=tuple(errors), unchecked=(), omitted=(), skipped=()), why)


# ------------------------------------------------------------------ as data

def _listed(shelf: Shelf, item: Declaration) -> dict[str, object]:
    span = item.span
    return {
        "id": item.id,
        "kind": item.sort,
        "key": item.key,
        "names": shelf.names(item),
        "location": {"path": span.path, "line": span.line, "column": span.column},
    }


def _data(shelf: Shelf, item: Declaration) -> dict[str, object]:
    card = shelf.card(item)
    fields = [{"key": fact.key, "written": fact.written, "from": fact.source or None} for fact in card.facts]
    links = {
        word: [
            {
                "id": link.id,
                "parts": list(link.parts),
                "places": [{"path": span.path, "line": span.line, "column": span.column} for span in link.places],
            }
            for link in group
        ]
        for word, group in (("uses", card.uses), ("used_by", card.used_by), ("scenarios", card.scenarios))
    }
    said = {"texts": dict(card.texts), "source": card.source or None, "fields": fields}
    return {**_listed(shelf, item), **said, **links}


def _print(data: object) -> None:
    say_data(data)
