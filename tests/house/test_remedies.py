"""The remedy in each conflict's hint removes that finding and adds no error.

A hint proposes `after: [X]` in the pack.yaml of `Y`, and where that works `or the reverse`; and that a third pack
which comes after both settles it by `set` or `remove`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright.ruleset.common.diagnostic import Diagnostic
from rulewright.ruleset.findings.causes import is_error
from rulewright.ruleset.loaded import Loaded
from tests.house.strangers import renamed
from tests.house.test_catalogue_examples import loaded

BAD = Path(__file__).parent / "bad"
CODES = ("RW623", "RW626", "RW635", "RW636")
SAID = re.compile(r"`after: \[([^\]]+)\]` (?:in|to) the pack\.yaml of `([^`]+)`(, or the reverse)?")


def pair(fog: str, rain: str, **more: str) -> str:
    """The text of some packs; lines before `...` belong to the head."""
    texts = []
    for pack, text in {"fog": fog, "rain": rain, **more}.items():
        head, mark, rules = text.rpartition("...\n")
        more_head = head if mark else ""
        texts.append(f'pack: {pack}\nversion: 1.0.0\nextends: {{lanterns: "*"}}\n{more_head}---\n{rules}\n')
    return "---\n".join(texts)


STEPS = """change: phase/market
set: {steps: [{id: buy, turns: players, do: coins += %d}, {id: count, do: rounds += 1}]}"""
CASES: dict[str, tuple[str, str, tuple[bool, bool]]] = {
    "set and set": (
        pair("change: charm/bell\nset: {cost: 4}", "change: charm/bell\nset: {cost: 5}"),
        "change: charm/bell\nset: {cost: 6}",
        (True, True),
    ),
    "a part and the whole": (
        pair("change: value/hand-size\nset: {by-players.2: 4}", "change: value/hand-size\nset: 5"),
        "change: value/hand-size\nset: 6",
        (True, False),
    ),
    "a whole and a whole": (
        pair(STEPS % 1,
             STEPS % 2),
        STEPS % 3,
        (True, True),
    ),
    "add and add": (
        pair("change: kind/charm\nadd: {fields: {weight: {type: 0 to 9, default: 1}}}",
             "change: kind/charm\nadd: {fields: {weight: {type: 0 to 9, default: 2}}}"),
        "change: kind/charm\nset: {fields.weight: {type: 0 to 9, default: 3}}",
        (False, False),
    ),
    "add and set": (
        pair("change: kind/charm\nadd: {fields: {weight: {type: 0 to 9, default: 1}}}",
             "change: kind/charm\nset: {fields.weight: {type: 0 to 9, default: 2}}"),
        "change: kind/charm\nset: {fields.weight: {type: 0 to 9, default: 3}}",
        (True, False),
    ),
    "remove and set of a thing": (
        pair("change: charm/feather\nremove: true",
             "change: charm/feather\nset: {cost: 2}\n---\nchange: charm/feather.attack\nbefore: coins += 1"),
        "change: charm/feather\nremove: true",
        (False, True),
    ),
    "remove and set of a field": (
        pair("change: charm/feather\nremove: [attack]",
             "change: charm/feather\nset: {attack: victim discards 2 cards}"),
        "change: charm/feather\nset: {attack: victim discards 3 cards}",
        (True, True),
    ),
    "remove and insert": (
        pair("change: charm/feather\nremove: [attack]", "change: charm/feather.attack\nbefore: coins += 1"),
        "change: charm/feather\nremove: [attack]",
        (False, True),
    ),
    "remove and add of a member": (
        pair("change: zone/bank\nremove: {accepts: [coin]}", "change: zone/bank\nadd: {accepts: [coin]}"),
        "",
        (True, False),
    ),
    "a part and the removal of a step": (
        pair("change: step/market.count\nset: {when: rounds > 2}",
             "change: phase/market\nremove: {steps: [count]}"),
        "change: phase/market\nremove: {steps: [count]}",
        (True, False),
    ),
    "a whole and an insert": (
        pair(STEPS % 1,
             "change: step/market.count\nbefore: {id: alms, turns: players, do: coins += 1}"),
        STEPS % 3,
        (True, True),
    ),
    "a whole without the step and an insert": (
        pair("change: phase/market\nset: {steps: [{id: only, do: rounds += 1}]}",
             "change: step/market.count\nbefore: {id: alms, turns: players, do: coins += 1}"),
        STEPS % 1,
        (False, True),
    ),
    "every and one": (
        pair("change: every charm where cost is 3\nset: {cost: 6}", "change: charm/bell\nset: {cost: 5}"),
        "change: charm/bell\nset: {cost: 4}",
        (True, False),  # after `rain` the author of `fog` knows that no charm costs 3
    ),
    "one text in two languages": (
        pair("change: zone/hand\nset: {name: {en: fist, es: mano}}", "change: zone/hand\nset: {name.en: paw}"),
        "change: zone/hand\nset: {name: {en: hand, es: mano}}",
        (True, True),
    ),
}  # fmt: skip
"""Two packs, what a third says that comes after both, and which works: `rain` after `fog`, `fog` after `rain`."""


def bad(*codes: str) -> Iterator[tuple[str, str]]:
    """The sources in which one of these codes is found."""
    for path in sorted(BAD.glob("*.yaml")):
        first, _, text = path.read_text("utf-8").partition("\n")
        if set(codes).intersection(first.split()):
            yield path.stem, text


def sources() -> Iterator[tuple[str, str]]:
    yield from bad(*CODES)
    yield from ((case, text) for case, (text, _, _) in CASES.items())


def keys(found: Loaded) -> dict[object, Diagnostic]:
    """The errors, by what tells them apart whichever pack comes first: their code and the texts that they show."""
    return {_key(finding, found): finding for finding in found.findings if is_error(finding)}


def _key(finding: Diagnostic, found: Loaded) -> object:
    spans = [finding.span, *(label.span for label in finding.labels)]
    lines = {(span.path, found.sources[span.path].split("\n")[span.line - 1], span.column) for span in spans}
    return (finding.code, frozenset(lines) if finding.code in CODES else min(lines))


def after(text: str, later: str, others: list[str]) -> str:
    """The packs, if one says `after: OTHERS`, beside what it says already."""
    packs = re.split(r"^---\n(?=pack: )", text, flags=re.MULTILINE)
    for number, pack in enumerate(packs):
        head, mark, rules = pack.partition("---\n")
        if head.startswith(f"pack: {later}\n"):
            known = re.search(r"^after: \[(.*)\]\n", head, re.MULTILINE)
            names = list(dict.fromkeys([*(known[1].split(", ") if known else []), *others]))
            head = re.sub(r"^after: .*\n", "", head, flags=re.MULTILINE) + f"after: [{', '.join(names)}]\n"
        packs[number] = head + mark + rules
    return "---\n".join(packs)


def remedies(finding: Diagnostic) -> list[tuple[str, list[str]]]:
    """What a hint proposes: which pack is to come after which."""
    said = SAID.search(finding.hint or "")
    if said is None:
        return []
    others, later = said[1].split(", "), said[2]
    return [(later, others), *([(others[0], [later])] if said[3] else [])]


@pytest.mark.slow
@pytest.mark.parametrize(("case", "text"), list(sources()), ids=[case for case, _ in sources()])
def test_every_remedy_works(case: str, text: str) -> None:
    now = loaded(text)
    known = keys(now)
    assert any(finding.code in CODES for finding in now.findings)
    followed = 0
    for finding in (finding for finding in now.findings if finding.code in CODES):
        for later, others in remedies(finding):
            then = loaded(after(text, later, others))
            left = {_key(one, then) for one in then.findings}
            assert _key(finding, now) not in left
            assert set(keys(then)) <= set(known), (later, others, then.findings)
            followed += 1
    assert followed or case in ("set-twice", "added-otherwise", "add and add")


@pytest.mark.parametrize("flip", [False, True])
@pytest.mark.parametrize("case", CASES)
def test_the_directions_that_work_are_offered(case: str, flip: bool) -> None:
    """Both names of both packs: what is offered does not depend on them."""
    text, _, (second_last, first_last) = CASES[case]
    first, second = "fog", "rain"
    if flip:
        first, second = "zephyr", "breeze"
        text = renamed(text, {"fog": first, "rain": second})
    conflicts = [finding for finding in loaded(text).findings if finding.code == "RW623"]
    assert len(conflicts) == 1
    offered = {(later, *others) for later, others in remedies(conflicts[0])}
    expected = {(second, first): second_last, (first, second): first_last}
    assert offered == {order for order, works in expected.items() if works}


@pytest.mark.slow
@pytest.mark.parametrize("flip", [False, True])
@pytest.mark.parametrize("case", [case for case, (_, third, _) in CASES.items() if third])
def test_a_third_pack_settles_it(case: str, flip: bool) -> None:
    text, third, _ = CASES[case]
    if flip:
        text = renamed(text, {"fog": "zephyr", "rain": "breeze"})
    (conflict,) = (finding for finding in loaded(text).findings if finding.code == "RW623")
    how = re.search(r"a third pack that comes after both can decide with `(set|remove)`", conflict.hint or "")
    names = ("zephyr", "breeze") if flip else ("fog", "rain")
    assert how is not None
    head = f'pack: alpha\nversion: 1.0.0\nextends: {{lanterns: "*"}}\nafter: [{", ".join(names)}]\n---\n'
    if case not in ("remove and insert", "a part and the removal of a step"):  # there either does
        assert f"\n{how[1]}:" in third
    found = loaded(f"{text}---\n{head}{third}\n")
    assert [finding.code for finding in found.findings if is_error(finding)] == []


@pytest.mark.parametrize("text", [pytest.param(text, id=case) for case, text in bad("RW626")])
def test_a_third_pack_says_the_order(text: str) -> None:
    """Of all whose order matters, as the hint proposes it."""
    now = loaded(text)
    overlaps = [finding for finding in now.findings if finding.code == "RW626"]
    assert overlaps
    for finding in overlaps:
        said = re.search(r"a third pack can decide with `after: \[(.*?), (.*?)\]`", finding.hint or "")
        assert said is not None
        for one, two in ((said[1], said[2]), (said[2], said[1])):
            head = f'pack: alpha\nversion: 1.0.0\nextends: {{lanterns: "*"}}\nafter: [{one}, {two}]\n---\n'
            then = loaded(f"{text}---\n{head}hook: idle\nafter: verb/draw\ndo: do nothing\n")
            assert _key(finding, now) not in {_key(each, then) for each in then.findings}
            assert set(keys(then)) <= set(keys(now))


def test_three_packs_are_one_finding() -> None:
    """No conflict hides another: each pack is named with what it sets, and one `after` settles all."""
    texts = {name: f"change: charm/bell\nset: {{cost: {cost}}}" for name, cost in
             (("fog", 4), ("rain", 5), ("snow", 6), ("storm", 5))}  # fmt: skip
    (finding,) = loaded(pair(**texts)).findings
    assert finding.message == (
        "`fog` sets `charm/bell.cost` to `4`, `rain` sets it to `5`, `snow` sets it to `6`, and "
        "`storm` sets it to `5`"
    )
    assert remedies(finding) == [("storm", ["fog", "rain", "snow"])]
    assert loaded(after(pair(**texts), "storm", ["fog", "rain", "snow"])).findings == ()


def test_a_conflict_hides_no_other() -> None:
    """`snow` conflicts with `rain` alone, which conflicts with `fog` elsewhere."""
    two = "change: charm/bell\nset: {cost: 5}\n---\nchange: charm/feather\nset: {cost: 5}"
    text = pair("change: charm/bell\nset: {cost: 4}", two, snow="change: charm/feather\nset: {cost: 6}")
    assert [one.message for one in loaded(text).findings] == [
        "`fog` sets `charm/bell.cost` to `4`, and `rain` sets it to `5`",
        "`rain` sets `charm/feather.cost` to `5`, and `snow` sets it to `6`",
    ]
    whole = pair("change: charm/feather\nset: {cost: 4}", "change: charm/feather\nremove: true",
                 snow="change: charm/feather\nset: {cost: 6}")  # fmt: skip
    messages = sorted(one.message for one in loaded(whole).findings)
    assert messages == [
        "`fog` sets `charm/feather.cost` to `4`, `rain` removes `charm/feather`, and "
        "`snow` sets `charm/feather.cost` to `6`",
        "`fog` sets `charm/feather.cost` to `4`, and `snow` sets it to `6`",
    ]


def test_a_pack_that_comes_after_by_a_chain() -> None:
    """`storm` comes after `rain`, which comes after `fog`: nothing is to be said of the two."""
    set_ = "change: charm/bell\nset: {cost: %d}"
    text = pair(set_ % 4, "after: [fog]\n...\n" + set_ % 5, storm="after: [rain]\n...\n" + set_ % 6)
    assert loaded(text).findings == ()
    (finding,) = loaded(f'{text}---\npack: ash\nextends: {{lanterns: "*"}}\n---\n{set_ % 7}\n').findings
    assert finding.message == "`ash` sets `charm/bell.cost` to `7`, and `storm` sets it to `6`"


def test_one_that_is_overruled_conflicts_with_nobody() -> None:
    """`rain` overrules `fog` and says the same as `snow`."""
    set_ = "change: charm/bell\nset: {cost: %d}"
    assert loaded(pair(set_ % 4, "after: [fog]\n...\n" + set_ % 5, snow=set_ % 5)).findings == ()


def test_a_range_that_does_not_fit() -> None:
    """`rain` comes after versions of `fog` that are not there: the finding says so, and what it proposes works."""
    text = pair("change: charm/bell\nset: {cost: 4}",
                'after: {fog: ">=2"}\n...\nchange: charm/bell\nset: {cost: 5}')  # fmt: skip
    (finding,) = loaded(text).findings
    assert "this applies to versions `>=2`; `fog` has version 1.0.0" in [label.text for label in finding.labels]
    for later, others in remedies(finding):
        assert loaded(after(text, later, others)).findings == ()


def test_many_packs() -> None:
    """Twelve packs that set one thing: one finding, in reasonable length."""
    texts = {f"p{number}": f"change: charm/bell\nset: {{cost: {number % 9}}}" for number in range(12)}
    (finding,) = loaded(pair(fog="", rain="", **texts)).findings
    assert "and 6 more packs change it" in finding.message
    ((later, others),) = remedies(finding)
    assert len(others) == 11
    assert loaded(after(pair(fog="", rain="", **texts), later, others)).findings == ()
