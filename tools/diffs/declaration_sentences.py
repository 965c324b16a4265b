"""Sentences for added and removed things."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.ruleset.compose.anchors import FLOW
from rulewright.ruleset.documents.rules import Hook
from rulewright.ruleset.documents.sections import ValueEntry
from rulewright.ruleset.source.nodes import MappingNode as Block
from rulewright.ruleset.source.nodes import Node, ScalarNode, plain
from rulewright.tools.diffs.compare import Difference
from rulewright.tools.diffs.context import Context, Said
from rulewright.tools.diffs.key_labels import label
from rulewright.tools.diffs.messages import WORDS, join, say
from rulewright.tools.diffs.names import Names, code, upper
from rulewright.tools.diffs.sides import Side, Thing

TOLD_APART = ("name", "text", "because", "source", "plural")
BESIDE = ("takes", "gives", "waits", "before", "after", "instead-of")
"""Keys that are not rules by themselves."""
IN_PARTS = ("zone", "track", "list", "component", "kind", "option")
"""Sorts of things that are described by their parts, after their name."""


def added(context: Context, found: Difference) -> Said:
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
    return Said("new", _called(names, thing), values)


def removed(context: Context, found: Difference) -> Said:
    """Describe a removed thing."""
    names = context.names
    return Said("gone", _called(names, found.thing), {"sort": names.sort(found.thing.sort)})


def _called(names: Names, thing: Thing) -> str:
    return f"`{thing.key}`" if thing.sort == "message" else names.thing(thing)


def _about(names: Names, side: Side, thing: Thing) -> list[str]:
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


def _place(context: Context, thing: Thing) -> str:
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


def _moment(context: Context, node: Node) -> str:
    """Describe when a hook runs."""
    for word in ("before", "after", "instead-of"):
        where = node.get(word) if isinstance(node, Block) else None
        anchors = [one for one in getattr(where, "items", (where,)) if isinstance(one, ScalarNode)]
        if anchors:
            language = context.names.language
            said = join([_anchor(context, anchor.text) for anchor in anchors], language)
            return say(language, f"at-{word}", {"anchor": said})
    return ""


def _anchor(context: Context, id_: str) -> str:
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


def _says(context: Context, found: Difference) -> str:
    """Return the text of a new thing or, if it has none, its rules."""
    names, thing = context.names, found.thing
    node = thing.node
    if thing.sort == "message":
        return f": {names.text(node)}"
    if thing.sort == "value":
        return f": {_value(names, node)}"
    if not isinstance(node, Block):
        return (
            f": {names.value(thing, ('of',), node)}"
            if thing.sort != "enumeration"
            else f": {_members(names, node)}"
        )
    if thing.says.text is not None:
        return f": {names.text(thing.says.text)}"
    if thing.sort == "enumeration":
        return f": {_members(names, node)}"
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


def _members(names: Names, node: Node) -> str:
    if isinstance(node, Block):
        return join([names.text(entry.value) for entry in node.entries], names.language)
    return join([names.readable(str(plain(item))) for item in getattr(node, "items", ())], names.language)


def _value(names: Names, node: Node) -> str:
    by = ValueEntry.made_of(node).by_players
    if not by:
        return _numbers(names, node)
    told: dict[str, list[str]] = {}
    for entry in by:
        told.setdefault(_numbers(names, entry.value), []).append(entry.key.text)
    return ", ".join(_for(names, amount, players) for amount, players in told.items())


def _for(names: Names, amount: str, players: list[str]) -> str:
    """Format a value for some numbers of players; `default` among them means all other numbers."""
    if "default" in players:
        return f"{WORDS[names.language]['else']} {amount}"
    counts = join(players, names.language, "or")
    return say(names.language, "with-players", {"amount": amount, "players": counts, "last": int(players[-1])})


def _numbers(names: Names, node: Node) -> str:
    items = [str(plain(item)) for item in _items(node)]
    return join(items, names.language)


def _items(node: Node) -> Iterator[Node]:
    yield from getattr(node, "items", (node,))
