"""A rejected trial reading leaves no trace, and no sentence is skipped without a finding."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import attrs
import pytest
from attrs import define, field

from rulewright.ruleset.check.checker import check
from rulewright.ruleset.check.context import CheckContext, restored, state_names
from rulewright.ruleset.check.expressions.checker import ExpressionChecker
from rulewright.ruleset.check.scope import Scope, UnitDraft
from rulewright.ruleset.check.statements.verb_registry import VERBS, Done, VerbCall
from rulewright.ruleset.common.diagnostic import NOWHERE
from rulewright.ruleset.declare.declarations import Declared
from rulewright.ruleset.language.types import NUMBER
from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.pipeline import load_files
from rulewright.ruleset.source.pack_files import PackFiles
from tests.ruleset.test_chunks import BASE, CHUNKS


def with_base(text: str) -> Loaded:
    return load_files(PackFiles(CHUNKS, (("base.yaml", BASE), ("more.yaml", text.encode()))))


def other_value(value: Any) -> Any:
    """Another value of the same type, made in place if that is possible."""
    if isinstance(value, list):
        value.append("more")
    elif isinstance(value, dict):
        value["more"] = 1
    elif isinstance(value, set):
        value.add("more")
    if isinstance(value, frozenset):
        return value | {"more"}
    return {bool: True, int: 7, str: "more", type(None): {}}.get(type(value), value)


@pytest.mark.parametrize("one", [CheckContext(Declared()), UnitDraft("some")], ids=["context", "unit"])
def test_a_trial_restores_every_attribute(one: Any) -> None:
    """Also those that somebody adds: they are taken from the declarations of the class."""
    names = [slot for kind in type(one).__mro__ for slot in getattr(kind, "__slots__", ())]
    fixed = {"declared", "poisoned", "covering", "insert_places", "changed", "changed_values"}
    fixed |= {"moving", "needs", "left", "announced", "speaking"}
    assert set(state_names(type(one))) == set(names) - fixed - {"__weakref__"}
    assert not hasattr(one, "__dict__")  # nobody can add an attribute that is not declared
    before = {name: deepcopy(getattr(one, name)) for name in state_names(type(one))}
    with restored(one):
        for name, value in before.items():
            setattr(one, name, other_value(getattr(one, name)))
            assert getattr(one, name) != value
    assert {name: getattr(one, name) for name in before} == before


def test_lists_are_cut_and_not_copied() -> None:
    """They hold something of each sentence of a pack, and a trial is made for many sentences."""
    context = CheckContext(Declared())
    found = context.found
    context.report("RW420", NOWHERE, "before")
    with context.trial():
        context.report("RW420", NOWHERE, "meanwhile")
        assert context.found is found
    assert context.found is found
    assert [one.message for one in found] == ["before"]


def test_what_is_fixed_stays() -> None:
    with pytest.raises(attrs.exceptions.FrozenAttributeError):
        CheckContext(Declared()).covering = True


def test_a_state_that_cannot_be_copied_is_refused() -> None:
    @define(eq=False)
    class Odd:
        inner: Any = field(factory=object)

    with pytest.raises(TypeError), restored(Odd()):
        pass


def test_an_attempt_is_clean_and_whole_or_not() -> None:
    context, unit = CheckContext(Declared()), UnitDraft("some")
    with context.trial(unit) as trial:
        unit.variable("one", NUMBER)
        assert trial.clean and trial.whole
        context.report("RW420", NOWHERE, "meanwhile")
        assert not trial.clean and trial.whole
        context.leave_out(NOWHERE, Scope(unit))
        assert not trial.whole
    assert unit.variables == context.found == context.unread == []


@pytest.mark.parametrize("name", ["broken-sentence-and-its-use", "broken-verb-and-its-use", "prompt-of-no-choice"])
def test_checking_changes_no_declaration(name: str) -> None:
    declared = with_base((CHUNKS / f"bad/{name}.yaml").read_text("utf-8")).declared
    before = deepcopy(declared)
    check(declared)
    assert declared == before


AMBIGUOUS = "verb: clear(s)\ndo: |\n  choose 1 card from hand as gone\n  move gone to discard\n"


def test_a_name_of_another_verb_is_unknown() -> None:
    found = with_base(AMBIGUOUS + "---\nverb: water(s)\ndo: move gone to discard\n").findings
    assert [(one.code, one.span.line) for one in found] == [("RW420", 7)]


def test_a_broken_sentence_hides_only_what_follows_it() -> None:
    found = with_base(
        "verb: clear(s)\ndo: |\n  shoose 1 card from hand as gone\n  move gone to discard\n"
        "---\nverb: water(s)\ndo: |\n  move gone to discard\n  if rats > 1:\n    let n = gone\n"
        "---\nverb: dry(s)\ndo: |\n  if rats > 1:\n    shoose 1 card from hand as gone\n  move gone to discard\n"
    ).findings
    told = [(one.code, one.span.line) for one in found]
    assert told == [("RW425", 3), ("RW420", 8), ("RW420", 10), ("RW425", 15), ("RW420", 16)]


def test_a_prompt_of_a_sentence_that_is_broken_is_not_reported() -> None:
    prompt = "---\nprompts:\n  clear.gone: {en: Which?, es: ¿Cuál?}\n  clear.other: {en: Which?, es: ¿Cuál?}\n"
    broken = AMBIGUOUS.replace("hand", "hnad") + prompt
    assert [one.code for one in with_base(broken).findings] == ["RW420"]
    assert [one.code for one in with_base(AMBIGUOUS + prompt).findings] == ["RW323"]


def test_a_rejected_reading_changes_no_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of an attempt is left, whatever the attempt did to what is shared."""
    before = with_base(AMBIGUOUS).program
    original = VERBS["choose-any"]  # the reading that is rejected

    def spoiling(expressions: ExpressionChecker, call: VerbCall) -> Done:
        context = expressions.context
        context.maybe_none_seen.add(("function/worth", "c"))
        context.used.add("prompt/nowhere")
        context.texts["pack/base"] = ()
        context.points[1] = "never"
        context.takes["window/none"] = ()
        context.clashing.add("choose")
        return original(expressions, call)

    monkeypatch.setitem(VERBS, "choose-any", spoiling)
    assert before is not None and with_base(AMBIGUOUS).program == before


def test_a_sentence_left_out_in_silence_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "verb: mix(es)\ndo: shuffle deck\n"
    assert with_base(text).program is not None
    monkeypatch.setitem(VERBS, "shuffle", lambda expressions, call: ((), call.outer))
    with pytest.raises(AssertionError, match=r"more\.yaml:2:5"):
        with_base(text)


def test_an_expression_left_out_in_silence_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "verb: mix(es)\ndo: |\n  if (total rats over players) > 1:\n    draw 1\n  else:\n    draw 2\n"
    assert with_base(text).program is not None
    monkeypatch.setattr("rulewright.ruleset.check.expressions.checker.over", lambda *args: None)
    with pytest.raises(AssertionError, match=r"more\.yaml:3:7"):
        with_base(text)
