"""Declare the options of a game."""

from __future__ import annotations

from attrs import evolve

from rulewright.ruleset.common.nearest import nearest
from rulewright.ruleset.declare.collector import Collecting, near_hint
from rulewright.ruleset.declare.number_ranges import range_of
from rulewright.ruleset.documents.sections import OptionEntry
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.source.nodes import Scalar


def declare_option(to: Collecting, key: Scalar, entry: OptionEntry) -> None:
    """Declare an option of a game, with its choices, numbers, or definitions."""
    default = entry.default
    word = default.text if default is not None else ""
    choices, kind = entry.one_of, entry.some_of
    if choices is not None:
        of = choices.text if isinstance(choices, Scalar) else key.text
        if not isinstance(choices, Scalar):
            members = tuple(item.text for item in choices)
        elif of in to.out.enumerations:
            members = to.out.enumerations[of][1]
        else:
            if of not in to.poisoned:
                hint = near_hint(of, to.out.enumerations)
                to.report("RW309", choices.span, f"there is no enumeration `{of}`", hint)
            to.poisoned.add(key.text)
            return
        if word not in members:
            assert default is not None
            near = nearest(word, members)
            hint = f"did you mean `{near}`?" if near else "choices: " + ", ".join(members)
            to.report("RW306", default.span, f"`{word}` is not one of the choices", hint)
            word = members[0]
        option = p.Option(key.text, of, members, 0, len(members) - 1, members.index(word))
        if not isinstance(choices, Scalar):
            for item in choices:
                to.where.setdefault(f"name/{item.text}", (item.span, "choices"))
            to.out.enumerations[key.text] = (key.span, members)
    elif kind is not None:
        if kind.text not in to.out.kinds:
            if kind.text not in to.poisoned:
                hint = near_hint(kind.text, to.out.kinds)
                to.report("RW309", kind.span, f"there is no kind `{kind.text}`", hint)
            to.poisoned.add(key.text)
            return
        option = p.Option(key.text, kind.text, (), 0, entry.count or 1, 0, True)
        if entry.where is not None:
            to.out.choosable[key.text] = entry.where
            option = evolve(option, where=entry.where.text)
    elif entry.number is not None:
        bounds = range_of(to.report, entry.number, entry.number.text)
        if bounds is None:
            to.poisoned.add(key.text)
            return
        low, high = bounds
        number = default.value if default is not None and isinstance(default.value, int) else low
        if not low <= number <= high:
            assert default is not None
            to.report("RW306", default.span, f"expected {low} to {high} for `default`, found {number}")
            number = low
        option = p.Option(key.text, "", (), low, high, number)
    else:
        option = p.Option(key.text, "", ("false", "true"), 0, 1, 1 if word == "true" else 0)
    to.out.options[key.text] = (key.span, option)
