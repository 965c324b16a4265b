"""C for sets of numbers below 64: members of a list, or classes in a zone, that pass a test.

A test of tables is a constant set. A comparison of a table with a number that changes is one set for each value of
the number. Whether a zone is empty is a bit that moves keep up to date. So `cost <= coins and in-stock(it)` is
three words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from attrs import evolve, frozen

from interpreter.backends.native.codegen.kept_lists import KeptListText
from interpreter.optimiser.class_program import ClassAt
from interpreter.optimiser.class_views import EMPTY_TESTS
from interpreter.optimiser.face_tests import holds
from interpreter.optimiser.kept_cards import Form
from interpreter.optimiser.listed import MOST
from interpreter.state.arithmetic import OPERATORS
from ruleset.table import nodes as t
from ruleset.table.nodes import Const, Expr, List, Local
from ruleset.table.traversal import everything

MOST_VALUES = 256
"""Values of a number for which there is a set each."""
MOST_GROUPS = 4
"""Groups of equal items of which only the first counts."""
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


@frozen
class Bits:
    """A list as a set: the text of its word, a test of whether it is one, and an item's text from its number.

    `listed` are the number and the address of the list of the state whose order counts; otherwise the lowest number
    comes first. `zone` is that of the items, or empty. If `once` is false, a zone may hold several equal items.
    """

    word: str
    valid: str
    item: Callable[[str], str]
    listed: str = ""
    zone: str = ""
    once: bool = True
    classes: tuple[int, ...] = ()
    """The classes that can be among the items."""


def bits(text: KeptListText, node: List) -> Bits | None:
    """Return a list as a set of bits, or None if it is not one. It writes the lines that work out the word."""
    match node:
        case t.Filter(t.CellList(Const(address)), slot, condition) if address in text.listed:
            word = set_of(text, condition, slot)
            if word is None:
                return None
            number, name = text.listed.index(address), text.name("m")
            text.line(f"const rw_u64 {name} = G->listed[{number}] & {word};")
            return Bits(name, f"G->order[{number}]", lambda item: item, f"{number}, {address}")
        case t.Cards() | t.Filter(t.Cards()):
            return _of_zone(text, node)
        case t.Distinct(items, slot, t.Table(number, ClassAt(Local(same)))) if slot == same:
            found = bits(text, items)
            if found is None:
                return None
            entries = text.program.tables[number]
            word = only_first(text, found, {one: entries[one] for one in found.classes})
            return None if word is None else evolve(found, word=word, once=True)
        case t.Map(items, slot, body) if not text.can_fail(body) and not _has_lists(body):
            found = bits(text, items)
            if found is None or not found.once:
                return None
            inner = found.item

            def mapped(item: str) -> str:
                with text.binding(slot, inner(item)):
                    return text.number(body)

            return Bits(found.word, found.valid, mapped, found.listed)
    return None


def _has_lists(node: Expr) -> bool:
    return any(isinstance(part, List) for part in everything(node))


def _of_zone(text: KeptListText, node: t.Cards | t.Filter) -> Bits | None:
    """Return the classes in a zone that pass a test, if all that can do so are in one word."""
    cards = node if isinstance(node, t.Cards) else node.items
    assert isinstance(cards, t.Cards)
    if text.kept_cards.form(cards.zone, text.unit) is not Form.COUNTS:
        return None
    classes = sorted(text.kept_cards.classes(cards.zone, text.unit))
    if isinstance(node, t.Filter):
        classes = [one for one in classes if holds(node.condition, node.slot, one, text.program) is not False]
    words = {one // MOST for one in classes}
    if len(words) > 1:
        return None
    place = words.pop() if words else 0
    test = _word_of([one % MOST for one in classes])
    if isinstance(node, t.Filter) and any(
        holds(node.condition, node.slot, one, text.program) is None for one in classes
    ):
        varying = set_of(text, node.condition, node.slot) if len(text.kept_cards.first) <= MOST else None
        if varying is None:
            return None
        test = f"{test} & {varying}"
    zone, name = text.named(cards.zone), text.name("m")
    text.line(f"const rw_u64 {name} = G->kept.counts[rw_spot[{zone}]].held[{place}] & {test};")
    base = f"{place * MOST} + " if place else ""
    return Bits(name, "1", lambda item: f"RW_REF({zone}, {base}{item})", "", zone, False, tuple(classes))


def only_first(text: KeptListText, found: Bits, keys: Mapping[int, object]) -> str | None:
    """Return the set with only the lowest of the members that have the same key; None if that takes too long."""
    groups: dict[object, list[int]] = {}
    for one in found.classes:
        groups.setdefault(keys[one], []).append(one % MOST)
    several = [_word_of(group) for group in groups.values() if len(group) > 1]
    if len(several) > MOST_GROUPS:
        return None
    if not several:
        return found.word
    name = text.name("m")
    text.line(f"rw_u64 {name} = {found.word};")
    for group in several:
        text.line(f"{name} = ({name} & ~{group}) | ({name} & {group} & -({name} & {group}));")
    return name


def _word_of(members: Iterable[int]) -> str:
    return f"{sum(1 << one for one in members):#x}ull"


def set_of(text: KeptListText, node: Expr, slot: int) -> str | None:
    """Return the word of the members that pass a test, or None if it is not a set."""
    match node:
        case Const(value):
            return "~0ull" if value else "0ull"
        case t.Not(operand):
            found = set_of(text, operand, slot)
            return None if found is None else f"(~{found})"
        case t.And(left, right) | t.Or(left, right):
            first = set_of(text, left, slot)
            second = None if first is None else set_of(text, right, slot)
            return None if second is None else f"({first} {'&' if isinstance(node, t.And) else '|'} {second})"
        case t.Contains(t.TableList(number, index), Const(value)) if _is_item(index, slot):
            return _constant([value in members for members in text.program.lists[number]])
        case t.Table(number, index) if _is_item(index, slot):
            return _constant([bool(value) for value in text.program.tables[number]])
        case t.Binary(op, t.Table(number, index), other) if op in t.COMPARISONS and _is_item(index, slot):
            return _compared(text, text.program.tables[number], op, other, slot)
        case t.Binary(op, other, t.Table(number, index)) if op in t.COMPARISONS and _is_item(index, slot):
            return _compared(text, text.program.tables[number], _MIRRORED[op], other, slot)
        case t.Binary(op, t.Count(t.Cards(t.Table(number, index))), Const(value)) if _is_item(index, slot):
            empty = EMPTY_TESTS.get((op, value))
            return None if empty is None else _stocked(text, text.program.tables[number], empty)
    return None


def _is_item(index: Expr, slot: int) -> bool:
    """Return whether an index is the member under test, which is certainly not none."""
    match index:
        case Local(same) | ClassAt(Local(same)) | t.Present(Local(same)):
            return same == slot
    return False


def _word(passing: list[bool]) -> int:
    return sum(1 << number for number, holds in enumerate(passing) if holds)


def _constant(passing: list[bool]) -> str | None:
    return None if len(passing) > MOST else f"{_word(passing):#x}ull"


def _compared(text: KeptListText, entries: tuple[int, ...], op: str, other: Expr, slot: int) -> str | None:
    """Return the set of the members whose entry compares so with a number."""
    if len(entries) > MOST:
        return None

    def passing(value: int) -> int:
        return _word([bool(OPERATORS[op](entry, value)) for entry in entries])

    if isinstance(other, Const):
        return f"{passing(other.value):#x}ull"
    low, high = min(entries, default=0) - 1, max(entries, default=0) + 1
    varies = any(isinstance(part, Local) and part.slot == slot for part in everything(other))
    if varies or text.can_fail(other) or _has_lists(other) or high - low >= MOST_VALUES:
        return None
    name = text.bit_set([passing(value) for value in range(low, high + 1)])
    return f"{name}[rw_between({low}, {text.number(other)}, {high}) - ({low})]"


def _stocked(text: KeptListText, zones: tuple[int, ...], empty: bool) -> str | None:
    """Return the set of the members whose zone is empty, or is not."""
    base = zones[0] if zones else 0
    count = len(text.program.zones)
    if len(zones) > MOST or count > MOST or any(zone != base + number for number, zone in enumerate(zones)):
        return None
    if any(text.kept_cards.forms[zone] is Form.COUNTS for zone in zones):
        return None
    filled = f"(G->kept.filled >> {base})" if base else "G->kept.filled"
    return f"(~{filled})" if empty else filled
