"""Choose the sentences for a difference."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from rulewright.ruleset.compose.anchors import FLOW
from rulewright.ruleset.documents.rules import Hook, Step, body_of
from rulewright.ruleset.documents.sections import ValueEntry
from rulewright.ruleset.source.nodes import Around, Node, Path, ScalarNode, part, plain
from rulewright.ruleset.source.nodes import MappingNode as Block
from rulewright.ruleset.source.nodes import SequenceNode as List
from rulewright.ruleset.table.message import Value
from rulewright.tools.diffs.compare import MOVING, ComparedThing, DiffSide, RuleDifference
from rulewright.tools.diffs.names import (
    SEEN,
    WORDS,
    DiffNames,
    DiffSentence,
    SentenceContext,
    code,
    join,
    label,
    pieces,
    say,
    upper,
    wording,
)

# ------------------------------------------------------------------ Sentences for added and removed things

TOLD_APART = ("name", "text", "because", "source", "plural")
BESIDE = ("takes", "gives", "waits", "before", "after", "instead-of")
"""Keys that are not rules by themselves."""
IN_PARTS = ("zone", "track", "list", "component", "kind", "option")
"""Sorts of things that are described by their parts, after their name."""


def added(context: SentenceContext, found: RuleDifference) -> DiffSentence:
    """Describe a new thing: its sort, name, properties, and its text or else its rules."""
    names, thing = context.names, found.thing
    about = _about(names, context.other, thing)
    values = {
        "sort": names.sort(thing.sort),
        "about": f" ({'; '.join(about)})" if about else "",
        "parts": "".join(f"; {part}" for part in about),
        "place": _place(context, thing),
        "says": _says(context, found),
    }
    return DiffSentence("new", _called(names, thing), values)


def removed(context: SentenceContext, found: RuleDifference) -> DiffSentence:
    """Describe a removed thing."""
    names = context.names
    return DiffSentence("gone", _called(names, found.thing), {"sort": names.sort(found.thing.sort)})


def _called(names: DiffNames, thing: ComparedThing) -> str:
    return f"`{thing.key}`" if thing.sort == "message" else names.thing(thing)


def _about(names: DiffNames, side: DiffSide, thing: ComparedThing) -> list[str]:
    """Return the printed fields of a definition, or the parts of another thing."""
    if not isinstance(thing.node, Block):
        return []
    kind = side.loaded.declared.kinds.get(thing.sort)
    told: list[str] = []
    if isinstance(says := thing.says, Hook) and says.waits:
        return [WORDS[names.language]["waits"]]
    for entry in thing.node.entries:
        key = entry.key.text
        if key in TOLD_APART or (kind is not None and key not in (*kind.fields, "copies", "when")):
            continue
        if kind is None and (thing.sort not in IN_PARTS or key in ("effects", "expressions")):
            continue
        part = (
            label(key, names.language) if kind is None or key in ("copies", "when") else None
        ) or names.readable(key)
        if key.endswith("seen-by") and isinstance(entry.value, ScalarNode):
            seen = WORDS[names.language].get(f"seen-{entry.value.text}", entry.value.text)
            told.append(f"{label(key, names.language) or key} {seen}")
        elif key == "lasts" and isinstance(entry.value, ScalarNode):
            moment = WORDS[names.language].get(f"lasts-{entry.value.text}", code(entry.value))
            told.append(f"{label(key, names.language) or key} {moment}")
        elif key == "scope" and plain(entry.value) == "player":
            told.append(f"{part} {WORDS[names.language]['each-player']}")
        elif plain(entry.value) is True:
            told.append(part)
        elif key == "copies" and not isinstance(plain(entry.value), int):
            told.append(f"{part} {code(entry.value)}")
        elif plain(entry.value) is not False:
            told.append(f"{part} {names.value(thing, (key,), entry.value)}")
    return told


def _place(context: SentenceContext, thing: ComparedThing) -> str:
    """Describe the position of a new phase or award, or the moment of a hook."""
    key = {"phase": "phases", "award": "awards"}.get(thing.sort)
    if thing.sort == "hook":
        return _moment(context, thing.node)
    if key is None:
        return ""
    for holder in context.other.things.values():
        listed = holder.node.get(key) if isinstance(holder.node, Block) else None
        order = [plain(item) for item in getattr(listed, "items", ())]
        if thing.key not in order:
            continue
        at, names = order.index(thing.key), context.names
        known = [one for one in order[:at] if f"{thing.sort}/{one}" in context.base.things]
        later = [one for one in order[at:] if f"{thing.sort}/{one}" in context.base.things]
        told = context.other.inserted(ScalarNode(thing.key, thing.key, thing.span)) if known and later else None
        before = later and (not known or (told is not None and told[0] == "before"))
        if not known and not later:
            return ""
        one = later[0] if before else known[-1]
        anchor = upper(names.of(f"{thing.sort}/{one}") or names.readable(one))
        return say(names.language, "at-before" if before else "at-after", {"anchor": anchor})
    return ""


def _moment(context: SentenceContext, node: Node) -> str:
    """Describe when a hook runs."""
    for word in ("before", "after", "instead-of"):
        where = node.get(word) if isinstance(node, Block) else None
        anchors = [one for one in getattr(where, "items", (where,)) if isinstance(one, ScalarNode)]
        if anchors:
            language = context.names.language
            said = join([_anchor(context, anchor.text) for anchor in anchors], language)
            return say(language, f"at-{word}", {"anchor": said})
    return ""


def _anchor(context: SentenceContext, id_: str) -> str:
    """Name an anchor: a verb by its sentence, a step by its name or else by its id and its document."""
    names, things = context.names, context.other.things
    sort, _, rest = id_.partition("/")
    if sort == "verb" and id_ in things:
        return names.thing(things[id_])
    holder = next((things[f"{one}/{rest.partition('.')[0]}"] for one in FLOW
                   if f"{one}/{rest.partition('.')[0]}" in things), None)  # fmt: skip
    if sort != "step" or holder is None:
        return f"`{id_}`"
    step = names.step(holder, rest.split(".")[1:])
    return f"{step} ({names.thing(holder)})" if step.startswith("`") else step


def _says(context: SentenceContext, found: RuleDifference) -> str:
    """Return the text of a new thing or, if it has none, its rules."""
    names, thing = context.names, found.thing
    node = thing.node
    if thing.sort == "message":
        return f": {names.text(node)}"
    if thing.sort == "value":
        return f": {_value_by_players(names, node)}"
    if not isinstance(node, Block):
        return (
            f": {names.value(thing, ('of',), node)}"
            if thing.sort != "enumeration"
            else f": {_member_names(names, node)}"
        )
    if thing.says.text is not None:
        return f": {names.text(thing.says.text)}"
    if thing.sort == "enumeration":
        return f": {_member_names(names, node)}"
    if context.deed(found) is not None or thing.sort in ("zone", "track", "list", "component", "option"):
        return ""
    kind = context.other.loaded.declared.kinds.get(thing.sort)
    rules = [
        entry for entry in node.entries[1 if thing.sort == "verb" else 0 :]
        if entry.key.text not in TOLD_APART and not (kind is None and entry.key.text in BESIDE)
        and (kind is None or entry.key.text in kind.effects or entry.key.text in kind.expressions)
    ]  # fmt: skip
    if not rules:
        return ""
    if len(rules) == 1 and rules[0].key.text in ("do", "is", "steps"):
        return f": {code(rules[0].value)}"
    told = (
        f"{label(one.key.text, names.language) or names.readable(one.key.text)} {code(one.value)}" for one in rules
    )
    return ": " + "; ".join(told)


def _member_names(names: DiffNames, node: Node) -> str:
    if isinstance(node, Block):
        return join([names.text(entry.value) for entry in node.entries], names.language)
    return join([names.readable(str(plain(item))) for item in getattr(node, "items", ())], names.language)


def _value_by_players(names: DiffNames, node: Node) -> str:
    by = ValueEntry.made_of(node).by_players
    if not by:
        return _numbers(names, node)
    told: dict[str, list[str]] = {}
    for entry in by:
        told.setdefault(_numbers(names, entry.value), []).append(entry.key.text)
    return ", ".join(_amount_for(names, amount, players) for amount, players in told.items())


def _amount_for(names: DiffNames, amount: str, players: list[str]) -> str:
    """Format a value for some numbers of players; `default` among them means all other numbers."""
    if "default" in players:
        return f"{WORDS[names.language]['else']} {amount}"
    counts = join(players, names.language, "or")
    return say(names.language, "with-players", {"amount": amount, "players": counts, "last": int(players[-1])})


def _numbers(names: DiffNames, node: Node) -> str:
    items = [str(plain(item)) for item in _items(node)]
    return join(items, names.language)


def _items(node: Node) -> Iterator[Node]:
    yield from getattr(node, "items", (node,))


# ---- Sentences for steps, and for inserts around sentences of rules

def inserted(context: SentenceContext, found: RuleDifference) -> DiffSentence:
    """Describe a new step: its neighbours, its name, and its rules if no text explains them."""
    names, thing, node = context.names, found.thing, found.after
    assert node is not None
    above = found.path[:-1]
    word, anchors = found.word, list(found.anchors)
    step = body_of(node)
    identity = step.id if isinstance(step, Step) else None
    told = context.other.inserted(identity) if identity is not None else None
    if told is not None and word != "around" and told[1].startswith(("step/", "phase/")):
        word, anchors = told[0], [told[1].rpartition(".")[2]]
    called = names.step(thing, found.path)
    explained = context.explained(found)
    says = "" if explained else f"{'' if called.startswith('`') else ': '}{code(_without_steps(node, word))}"
    hidden = explained and called.startswith("`")
    shown = called if explained or not called.startswith("`") else ""
    where = names.thing(thing)
    if not anchors:
        return DiffSentence("step", shown, {"where": where, "says": says}, hidden)
    anchor = join([names.step(thing, (*above, one)) for one in anchors], names.language)
    if anchor.startswith("`"):
        anchor = f"{anchor} ({where})"
    return DiffSentence(f"step-{word}", shown, {"anchor": anchor, "says": says}, hidden)


def _without_steps(node: Node, word: str) -> Node:
    """Return a step without the steps that it surrounds."""
    if word != "around" or not isinstance(node, Block):
        return node
    return evolve(node, entries=tuple(entry for entry in node.entries if entry.key.text != "steps"))


def part_of_step(context: SentenceContext, found: RuleDifference, step: Path, rest: Path) -> DiffSentence:
    """Describe a change inside a step, or its removal."""
    names, thing = context.names, found.thing
    where, name = names.thing(thing), names.step(thing, step)
    if not rest:
        if found.word == "order":
            order = join([names.step(thing, (*step, one)) for one in found.anchors], names.language)
            return DiffSentence("order", name, {"after": order})
        if found.word == "around" and found.before is not None:
            anchor = join([names.step(thing, (*step[:-1], one)) for one in found.anchors], names.language)
            return DiffSentence(
                "step-opened", f"{anchor} ({where})", {"before": code(_without_steps(found.before, "around"))}
            )
        return DiffSentence("step-gone", name, {"where": where})
    if name.startswith("`"):
        name = f"{where}, {name}"
    if found.word == "order":
        order = join([names.step(thing, (*found.path, one)) for one in found.anchors], names.language)
        return DiffSentence("order", name, {"after": order})
    key = {"added": "part-new", "removed": "part-gone"}.get(found.change, "part")
    before, after = (names.value(thing, rest, node) for node in (found.before, found.after))
    values = {"part": names.label(thing, rest), "before": before, "after": after}
    return DiffSentence(key, name, values, context.explained(found))


def woven(context: SentenceContext, found: RuleDifference) -> DiffSentence:
    """Describe an insert before, after, or around sentences."""
    names, thing = context.names, found.thing
    name = ", ".join((names.thing(thing), *_parts(names, found)))
    if found.change == "removed":
        return DiffSentence("woven-gone", name, {"before": code(found.before) if found.before is not None else ""})
    assert found.after is not None
    return DiffSentence(f"woven-{found.word}", name, {"after": code(found.after)}, context.explained(found))


def _parts(names: DiffNames, found: RuleDifference) -> Iterator[str]:
    """Yield the steps and options around the sentences, without steps that only surround others."""
    node: Node | None = found.thing.node
    for word in found.path:
        node = part(node, (word,))
        if word in ("steps", "do", "options") or isinstance(node, Around):
            continue
        own = names.text(node.get("name")) if isinstance(node, Block) else ""
        yield own if own and "{" not in own else names.label(found.thing, (word,))


PRINTED = ("fields", "effects", "expressions")
SEEN_AS = {key: key.replace("seen-by", "").strip("-") for key in SEEN}


def said(context: SentenceContext, found: RuleDifference) -> list[DiffSentence]:
    """Return the sentences for a difference: at least one."""
    return list(_said(context, found))


def _said(context: SentenceContext, found: RuleDifference) -> Iterator[DiffSentence]:
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
        yield DiffSentence(key, context.names.thing(found.thing), {"part": context.names.readable(path[1])})
    else:
        yield from _part(context, found)


def _sides(context: SentenceContext, found: RuleDifference) -> dict[str, Value]:
    names = context.names
    before, after = (names.value(found.thing, found.path, node) for node in (found.before, found.after))
    return {"before": before, "after": after}


def _plain(context: SentenceContext, found: RuleDifference, key: str) -> DiffSentence:
    return DiffSentence(key, context.names.thing(found.thing), _sides(context, found))


def _one_sided(context: SentenceContext, found: RuleDifference, key: str) -> DiffSentence:
    """Choose among three sentences: changed, added (`-new`), and removed (`-gone`)."""
    key += {"added": "-new", "removed": "-gone"}.get(found.change, "")
    return evolve(_plain(context, found, key), quiet=context.deed(found) is not None)


# ------------------------------------------------------------------ numbers

def _value(context: SentenceContext, found: RuleDifference) -> Iterator[DiffSentence]:
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
            yield DiffSentence("amount", name, values)
        else:
            players = join([str(n) for n in counts], context.names.language, "or")
            yield DiffSentence("amount-with", name, {**values, "players": players, "last": counts[-1]})
    if not groups:  # another way to write the same
        yield evolve(_fallback(context, found), quiet=True)


def _for(node: Node, players: int) -> Node | None:
    says = ValueEntry.made_of(node)
    by = {one.key.text: one.value for one in says.by_players}
    return next((by[one] for one in (str(players), "default") if one in by), None) if by else node


def _counts(found: RuleDifference, nodes: list[Node], players: range) -> list[int]:
    """Return the numbers of players that a part of a value concerns."""
    if found.path[:1] != ("by-players",) or len(found.path) < 2:
        return list(players)
    if found.path[1] != "default":
        return [n for n in players if str(n) == found.path[1]]
    said = {one.key.text for node in nodes for one in ValueEntry.made_of(node).by_players}
    return [n for n in players if str(n) not in said]


def _copies(context: SentenceContext, found: RuleDifference) -> DiffSentence:
    values = _sides(context, found)
    if len(found.path) == 1:
        return DiffSentence("copies", context.names.thing(found.thing), values)
    return DiffSentence("copies-of", context.names.thing(found.thing), {**values, "part": found.path[1]})


# ------------------------------------------------------------------ visibility

def _seen(context: SentenceContext, found: RuleDifference) -> DiffSentence:
    last = found.path[-1]
    before, after = _sees(context.base.things[found.thing.id].node, last), _sees(found.thing.node, last)
    words = WORDS[context.names.language]
    values: dict[str, Value] = {
        "before": words.get(f"seen-{before}", before),
        "after": words.get(f"seen-{after}", after),
    }
    return DiffSentence(
        f"seen-{SEEN_AS[last]}".strip("-"), context.names.thing(found.thing), values, before == after
    )


def _sees(node: Node, key: str) -> str:
    """Return who sees something, including the default."""
    told = node.get(key) if isinstance(node, Block) else None
    if isinstance(told, ScalarNode):
        return told.text
    return _sees(node, "seen-by") if key in ("top-seen-by", "changes-seen-by") else "all"


# ------------------------------------------------------------------ words

def _words(context: SentenceContext, found: RuleDifference) -> DiffSentence:
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
        return DiffSentence("called", upper(before), {"before": upper(before), "after": after, "many": 1}, quiet)
    if path[:1] not in (("text",), ("name",)) and found.thing.sort != "message" and path[0] not in languages:
        step, rest = pieces(found)
        name = names.step(found.thing, step) if step else names.thing(found.thing)
        parts = [word for word in rest if word not in ("name", "text", "because", *languages)]
        return DiffSentence(key, ", ".join((name, *(names.readable(word) for word in parts))), values, quiet)
    name = upper(names.sort("message")) if found.thing.sort == "message" else names.thing(found.thing)
    return DiffSentence(key, name, values, quiet)


def code_of(node: Node | None) -> str:
    return code(node) if node is not None else ""


# ------------------------------------------------------------------ lists and parts

def _order(context: SentenceContext, found: RuleDifference) -> DiffSentence:
    """Describe a new order of phases or awards; quiet if it follows from additions and removals."""
    names = [[plain(item) for item in getattr(node, "items", ())] for node in (found.before, found.after)]
    sort = "phase" if found.path[-1] == "phases" else "award"
    both = {id_ for id_ in context.base.things if id_ in context.other.things}
    kept = [[name for name in side if f"{sort}/{name}" in both] for side in names]
    after = context.names.value(found.thing, found.path, found.after)
    return DiffSentence("order", context.names.thing(found.thing), {"after": after}, kept[0] == kept[1])


def _wins(context: SentenceContext, found: RuleDifference) -> DiffSentence:
    lists = [[f"`{plain(item)}`" for item in getattr(node, "items", ())] for node in (found.before, found.after)]
    before, after = (", ".join(items) for items in lists)
    quiet = context.deed(found) is not None
    nothing = WORDS[context.names.language]["nothing"]
    return DiffSentence(
        "wins", context.names.thing(found.thing), {"before": before or nothing, "after": after or nothing}, quiet
    )


def _member(context: SentenceContext, found: RuleDifference) -> DiffSentence:
    names = context.names
    member = names.of(f"{found.thing.key}/{found.path[-1]}") or names.readable(found.path[-1])
    key = "no-member" if found.change == "removed" else "member"
    return DiffSentence(key, names.thing(found.thing), {"before": member, "after": member})


def _part(context: SentenceContext, found: RuleDifference) -> Iterator[DiffSentence]:
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
            yield DiffSentence(key, names.thing(thing), {"part": part, "before": gone, "after": new})
            return
    own = thing.sort in (*context.other.loaded.declared.kinds, "kind", "enumeration")
    if not found.path or not (own or all(label(word, names.language) for word in found.path)):
        yield _fallback(context, found)
        return
    key = {"added": "part-new", "removed": "part-gone"}.get(found.change, "part")
    values = {**_sides(context, found), "part": names.label(thing, found.path)}
    is_code = names.is_code(thing, found.path)
    yield DiffSentence(key, names.thing(thing), values, is_code and context.explained(found))


def _members(found: RuleDifference) -> tuple[List, List] | None:
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


def _fallback(context: SentenceContext, found: RuleDifference) -> DiffSentence:
    id_ = ".".join((found.thing.id, *found.path))
    values = _sides(context, found)
    return DiffSentence(
        "fallback", upper(id_), {**values, "id": id_}, context.explained(found) and bool(found.path)
    )
