"""Choose the sentences for a difference."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from rulewright.ruleset.documents.sections import ValueEntry
from rulewright.ruleset.source.nodes import MappingNode as Block
from rulewright.ruleset.source.nodes import Node, ScalarNode, plain
from rulewright.ruleset.source.nodes import SequenceNode as List
from rulewright.ruleset.table.message import Value
from rulewright.tools.diffs.compare import MOVING, Difference
from rulewright.tools.diffs.context import SEEN, Context, Said, pieces, wording
from rulewright.tools.diffs.declaration_sentences import added, removed
from rulewright.tools.diffs.key_labels import label
from rulewright.tools.diffs.messages import WORDS, join
from rulewright.tools.diffs.names import code, upper
from rulewright.tools.diffs.step_sentences import inserted, part_of_step, woven

PRINTED = ("fields", "effects", "expressions")
SEEN_AS = {key: key.replace("seen-by", "").strip("-") for key in SEEN}


def said(context: Context, found: Difference) -> list[Said]:
    """Return the sentences for a difference: at least one."""
    return list(_said(context, found))


def _said(context: Context, found: Difference) -> Iterator[Said]:
    sort, path = found.thing.sort, found.path
    last = path[-1] if path else ""
    if found.woven:
        yield woven(context, found)
    elif not path and found.change == "added":
        yield added(context, found)
    elif not path and found.change == "removed":
        yield removed(context, found)
    elif wording(found):
        yield _words(context, found)
    elif found.change == "inserted":
        yield inserted(context, found)
    elif sort == "value":
        yield from _value(context, found)
    elif sort == "pack" and last in ("players", "languages"):
        yield _plain(context, found, last)
    elif sort == "option" and last == "default":
        yield _plain(context, found, "default")
    elif last in SEEN and sort in ("zone", "track"):
        yield _seen(context, found)
    elif path[:1] == ("copies",):
        yield _copies(context, found)
    elif sort == "track" and last == "starts":
        yield _plain(context, found, "starts")
    elif sort == "round" and path == ("until",):
        yield _one_sided(context, found, "until")
    elif sort in ("round", "finish") and path[-1:] and last in MOVING:
        yield _order(context, found)
    elif sort == "finish" and path == ("reveals",):
        yield _plain(context, found, "revealed")
    elif sort == "winner" and path == ("order",):
        yield _wins(context, found)
    elif sort == "enumeration" and len(path) == 1:
        yield _member(context, found)
    elif sort == "kind" and len(path) == 2 and path[0] in PRINTED and found.change != "changed":
        key = "with" if found.change == "added" else "with-no-more"
        yield Said(key, context.names.thing(found.thing), {"part": context.names.readable(path[1])})
    else:
        yield from _part(context, found)


def _sides(context: Context, found: Difference) -> dict[str, Value]:
    names = context.names
    before, after = (names.value(found.thing, found.path, node) for node in (found.before, found.after))
    return {"before": before, "after": after}


def _plain(context: Context, found: Difference, key: str) -> Said:
    return Said(key, context.names.thing(found.thing), _sides(context, found))


def _one_sided(context: Context, found: Difference, key: str) -> Said:
    """Choose among three sentences: changed, added (`-new`), and removed (`-gone`)."""
    key += {"added": "-new", "removed": "-gone"}.get(found.change, "")
    return evolve(_plain(context, found, key), quiet=context.deed(found) is not None)


# ------------------------------------------------------------------ numbers

def _value(context: Context, found: Difference) -> Iterator[Said]:
    """Describe a number of the game, for the numbers of players for which it changes."""
    base, other = context.base, context.other
    things = base.things[found.thing.id], found.thing
    least, most = min(base.players[0], other.players[0]), max(base.players[1], other.players[1])
    told = [{n: _for(thing.node, n) for n in range(least, most + 1)} for thing in things]
    about = _counts(found, [thing.node for thing in things], range(least, most + 1))
    groups: dict[tuple[str, str], list[int]] = {}
    for n in about:
        before, after = (context.names.value(found.thing, (), one[n]) for one in told)
        if before != after:
            groups.setdefault((before, after), []).append(n)
    name = context.names.thing(found.thing)
    for (before, after), counts in groups.items():
        values: dict[str, Value] = {"before": before, "after": after}
        if len(counts) == most - least + 1:
            yield Said("amount", name, values)
        else:
            players = join([str(n) for n in counts], context.names.language, "or")
            yield Said("amount-with", name, {**values, "players": players, "last": counts[-1]})
    if not groups:  # another way to write the same
        yield evolve(_fallback(context, found), quiet=True)


def _for(node: Node, players: int) -> Node | None:
    says = ValueEntry.made_of(node)
    by = {one.key.text: one.value for one in says.by_players}
    return next((by[one] for one in (str(players), "default") if one in by), None) if by else node


def _counts(found: Difference, nodes: list[Node], players: range) -> list[int]:
    """Return the numbers of players that a part of a value concerns."""
    if found.path[:1] != ("by-players",) or len(found.path) < 2:
        return list(players)
    if found.path[1] != "default":
        return [n for n in players if str(n) == found.path[1]]
    said = {one.key.text for node in nodes for one in ValueEntry.made_of(node).by_players}
    return [n for n in players if str(n) not in said]


def _copies(context: Context, found: Difference) -> Said:
    values = _sides(context, found)
    if len(found.path) == 1:
        return Said("copies", context.names.thing(found.thing), values)
    return Said("copies-of", context.names.thing(found.thing), {**values, "part": found.path[1]})


# ------------------------------------------------------------------ visibility

def _seen(context: Context, found: Difference) -> Said:
    last = found.path[-1]
    before, after = _sees(context.base.things[found.thing.id].node, last), _sees(found.thing.node, last)
    words = WORDS[context.names.language]
    values: dict[str, Value] = {
        "before": words.get(f"seen-{before}", before),
        "after": words.get(f"seen-{after}", after),
    }
    return Said(f"seen-{SEEN_AS[last]}".strip("-"), context.names.thing(found.thing), values, before == after)


def _sees(node: Node, key: str) -> str:
    """Return who sees something, including the default."""
    told = node.get(key) if isinstance(node, Block) else None
    if isinstance(told, ScalarNode):
        return told.text
    return _sees(node, "seen-by") if key in ("top-seen-by", "changes-seen-by") else "all"


# ------------------------------------------------------------------ words

def _words(context: Context, found: Difference) -> Said:
    names, path = context.names, found.path
    languages = context.other.loaded.declared.languages
    tongue = path[-1] if path and path[-1] in (*languages, *context.base.loaded.declared.languages) else ""
    quiet = bool(tongue) and tongue != names.language and names.language in languages
    before, after = names.text(found.before), names.text(found.after)
    if not before or not after:
        before, after = before or code_of(found.before), after or code_of(found.after)
    key = {"added": "says-now", "removed": "says-no-more"}.get(found.change, "says")
    called = "name" in path[-2:] or found.thing.sort == "enumeration"
    values: dict[str, Value] = {"before": before, "after": after}
    if key == "says" and context.deed(found) is not None:  # the reason precedes it
        key, quiet = "says-now", quiet or found.thing.sort == "option" or "{" in after  # values are code to readers
    if called and found.change == "changed":
        return Said("called", upper(before), {"before": upper(before), "after": after, "many": 1}, quiet)
    if path[:1] not in (("text",), ("name",)) and found.thing.sort != "message" and path[0] not in languages:
        step, rest = pieces(found)
        name = names.step(found.thing, step) if step else names.thing(found.thing)
        parts = [word for word in rest if word not in ("name", "text", "because", *languages)]
        return Said(key, ", ".join((name, *(names.readable(word) for word in parts))), values, quiet)
    name = upper(names.sort("message")) if found.thing.sort == "message" else names.thing(found.thing)
    return Said(key, name, values, quiet)


def code_of(node: Node | None) -> str:
    return code(node) if node is not None else ""


# ------------------------------------------------------------------ lists and parts

def _order(context: Context, found: Difference) -> Said:
    """Describe a new order of phases or awards; quiet if it follows from additions and removals."""
    names = [[plain(item) for item in getattr(node, "items", ())] for node in (found.before, found.after)]
    sort = "phase" if found.path[-1] == "phases" else "award"
    both = {id_ for id_ in context.base.things if id_ in context.other.things}
    kept = [[name for name in side if f"{sort}/{name}" in both] for side in names]
    after = context.names.value(found.thing, found.path, found.after)
    return Said("order", context.names.thing(found.thing), {"after": after}, kept[0] == kept[1])


def _wins(context: Context, found: Difference) -> Said:
    lists = [[f"`{plain(item)}`" for item in getattr(node, "items", ())] for node in (found.before, found.after)]
    before, after = (", ".join(items) for items in lists)
    quiet = context.deed(found) is not None
    nothing = WORDS[context.names.language]["nothing"]
    return Said(
        "wins", context.names.thing(found.thing), {"before": before or nothing, "after": after or nothing}, quiet
    )


def _member(context: Context, found: Difference) -> Said:
    names = context.names
    member = names.of(f"{found.thing.key}/{found.path[-1]}") or names.readable(found.path[-1])
    key = "no-member" if found.change == "removed" else "member"
    return Said(key, names.thing(found.thing), {"before": member, "after": member})


def _part(context: Context, found: Difference) -> Iterator[Said]:
    names, thing = context.names, found.thing
    step, rest = pieces(found)
    if step:
        yield part_of_step(context, found, step, rest)
        return
    members = _members(found)
    if members is not None:
        gone, new = (names.value(thing, found.path, node) if getattr(node, "items", ()) else "" for node in members)
        if gone or new:
            part = "" if not found.path else ", " + names.label(thing, found.path)
            key = "also-not" if gone and new else "also" if new else "no-longer"
            yield Said(key, names.thing(thing), {"part": part, "before": gone, "after": new})
            return
    own = thing.sort in (*context.other.loaded.declared.kinds, "kind", "enumeration")
    if not found.path or not (own or all(label(word, names.language) for word in found.path)):
        yield _fallback(context, found)
        return
    key = {"added": "part-new", "removed": "part-gone"}.get(found.change, "part")
    values = {**_sides(context, found), "part": names.label(thing, found.path)}
    is_code = names.is_code(thing, found.path)
    yield Said(key, names.thing(thing), values, is_code and context.explained(found))


def _members(found: Difference) -> tuple[List, List] | None:
    """Return the members that only one of two lists of names has; None for other changes."""
    one, two = found.before, found.after
    if not isinstance(one, List) or not isinstance(two, List):
        return None
    values = [[plain(item) for item in node.items] for node in (one, two)]
    if not all(isinstance(value, str) for side in values for value in side):
        return None
    gone = tuple(item for item in one.items if plain(item) not in values[1])
    new = tuple(item for item in two.items if plain(item) not in values[0])
    return List(gone, one.span), List(new, two.span)


def _fallback(context: Context, found: Difference) -> Said:
    id_ = ".".join((found.thing.id, *found.path))
    values = _sides(context, found)
    return Said("fallback", upper(id_), {**values, "id": id_}, context.explained(found) and bool(found.path))
