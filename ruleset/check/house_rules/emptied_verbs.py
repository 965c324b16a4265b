"""Find parts of a pack that do nothing because another pack has emptied the verbs that they use.

Neither pack knows the other, and the warning names both places. This covers effects that a pack sets, its inserts,
and its hooks. `ruleset.check.house_rules.idle_code` reports parts that do nothing anyway.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from rulewright.ruleset.check.context import Context
from rulewright.ruleset.check.house_rules.idle_code import changed_verbs
from rulewright.ruleset.check.house_rules.put_code import REST, Code, apart, inserted
from rulewright.ruleset.common.diagnostic import Diagnostic, Label
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.common.span import Span
from rulewright.ruleset.declare.declarations import Declared
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.nothing import Doing
from rulewright.ruleset.table import nodes as t


@frozen(repr=False)
class _Said(Record):
    """The code that a pack has at a place, and the code that it surrounds."""

    pack: str
    what: str
    code: Code
    rest: Code = ()


def emptied_verbs(declared: Declared, context: Context, units: dict[str, p.Unit]) -> Iterator[Diagnostic]:
    """Yield a warning for each place in a pack that only uses verbs which a stranger has emptied."""
    found: dict[Span, list[_Said]] = {}
    for span, said in (*_effects(declared, units), *_put(declared, context)):
        found.setdefault(span, []).append(said)
    whole = Doing(units)
    for span, places in found.items():
        changed = changed_verbs(declared, _strangers(declared, places[0].pack))
        if not changed or not all(_nothing(whole, one) for one in places):
            continue
        for verb, at in changed.items():
            if not any(_nothing(Doing(units, (verb,)), one) for one in places):
                yield _finding(places[0], span, verb, declared.owners[at.path], at)
                break


def _effects(declared: Declared, units: dict[str, p.Unit]) -> Iterator[tuple[Span, _Said]]:
    """Yield the effects of definitions, without their `performed` events, which do not count as doing something."""
    for definition in declared.definitions.values():
        for entry in definition.body.entries:
            pack = declared.owners.get(entry.value.span.path)
            unit = units.get(f"{definition.key}.{entry.key.text}")
            if pack is not None and unit is not None:
                told = (one for one in unit.body if not isinstance(one, t.Emit) or one.kind != "performed")
                what = f"`{definition.kind}/{definition.key}.{entry.key.text}` of `{pack}`"
                yield entry.value.span, _Said(pack, what, tuple(told))


def _put(declared: Declared, context: Context) -> Iterator[tuple[Span, _Said]]:
    """Yield inserts of packs, and hooks that do not replace their anchor."""
    for insert in declared.inserts:
        code, rest = inserted(insert, context)
        what = f"the insert of `{insert.pack}` {insert.word} `{insert.anchor}`"
        yield insert.span, _Said(insert.pack, what, code, rest)
    for one in context.contributed:
        pack = declared.owners.get(one.span.path)
        if pack is not None and one.category == "hook" and one.word != "instead-of":
            yield one.span, _Said(pack, f"this hook of `{pack}`", tuple(one.code))


def _strangers(declared: Declared, pack: str) -> frozenset[str]:
    """Return the packs for which neither comes after the other."""
    after = declared.stands_after
    others = {other for other in declared.owners.values() if other != pack}
    return frozenset(one for one in others if one not in after.get(pack, ()) and pack not in after.get(one, ()))


def _nothing(doing: Doing, said: _Said) -> bool:
    own, _ = apart(said.code, said.rest)
    left = doing.what(own)
    return all(statement == REST for statement in left) and bool(said.rest) == bool(left)


def _finding(said: _Said, span: Span, verb: str, other: str, at: Span) -> Diagnostic:
    message = f"{said.what} does nothing, because `{other}` changes `verb/{verb}`"
    hint = f"remove it; if this is intended, add `after: [{said.pack}]` to the pack.yaml of `{other}`"
    return Diagnostic("RW636", span, message, hint, (Label(at, f"`{other}` changes it here"),))
