"""The vocabulary table: valid examples that show their entry, and a handler for each sentence."""

from __future__ import annotations

from typing import Any

import pytest

from rulewright.ruleset.check.statements.verb_registry import BLOCKS, VERBS, match, verb
from rulewright.ruleset.findings.render import render
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.parser import parse_effect, parse_expression
from rulewright.ruleset.language.syntax_errors import Mistake
from rulewright.ruleset.language.types import KERNEL_FUNCTIONS
from rulewright.ruleset.language.vocabulary import (
    EXPRESSIONS,
    FUNCTIONS,
    SENTENCES,
    STATEMENTS,
    WORDS,
    LanguageForm,
    Sentence,
)
from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.program.call_effects import Effects
from tests.docs.listings import LANTERNS, with_effect, with_expression, with_fragment

FORMS = [*STATEMENTS, *EXPRESSIONS, *FUNCTIONS, *WORDS]
INSIDE = {"this": "charm: sample\ncost: 1\nplay: {}\n"}
"""Words that have a meaning inside of a definition only."""


AROUND = ("proceed",)
"""Sentences that stand only in what a change puts around others."""


def sampled(sentence: Sentence) -> Loaded:
    """The little game with the example of a sentence, as the verb `sample` where it can stand anywhere."""
    if sentence.key in AROUND:
        return with_fragment(LANTERNS, f"change: verb/rest\naround: {sentence.example} then rounds += 1\n")
    effect = "".join(f"  {line}\n" for line in ("let p = next(you)", *sentence.example.split("\n")))
    return with_fragment(LANTERNS, f"verb: sample\ndo: |\n{effect}")


def clean(loaded: Loaded) -> None:
    assert not loaded.findings, render(loaded.findings, loaded.sources)
    assert loaded.program is not None


@pytest.mark.parametrize("sentence", SENTENCES, ids=lambda sentence: str(sentence.key))
def test_example_of_a_sentence(sentence: Sentence) -> None:
    clean(sampled(sentence) if sentence.key in AROUND else with_effect(sentence.example))
    tree = parse_effect(sentence.example)
    assert not isinstance(tree, Mistake)
    said = tree[0].phrase if isinstance(tree[0], s.PhraseBlock) else tree[0]
    assert isinstance(said, s.Phrase)
    alike = [other for other in SENTENCES if other.block == sentence.block]
    found = match(said.items, list(alike))
    assert sentence.key in [one.verb.key for one in found]
    assert (said.result is not None) >= (sentence.named == "must")


@pytest.mark.parametrize("form", FORMS, ids=lambda form: str(form.key))
def test_example_of_a_form(form: LanguageForm) -> None:
    if form.key in INSIDE:
        clean(with_fragment(LANTERNS, INSIDE[form.key].format(form.example)))
    elif isinstance(parse_expression(form.example), Mistake):
        clean(with_effect(form.example))
    else:
        clean(with_expression(form.example))


@pytest.mark.parametrize(("registry", "block"), [(VERBS, False), (BLOCKS, True)], ids=["verbs", "blocks"])
def test_the_registry_has_each_sentence_and_no_other(registry: dict[str, Any], block: bool) -> None:
    """A function without its sentence is never called, and a sentence without its function cannot be checked."""
    import rulewright.ruleset.check.checker  # noqa: F401  (all verbs are registered)

    assert set(registry) == {sentence.key for sentence in SENTENCES if sentence.block == block}


def test_a_verb_has_one_function() -> None:
    with pytest.raises(AssertionError, match="two functions for `move`"):
        verb("move")(VERBS["move"])


def test_keys_and_patterns_are_unique() -> None:
    assert len({sentence.key for sentence in SENTENCES}) == len(SENTENCES)
    assert len({(sentence.pattern, sentence.block) for sentence in SENTENCES}) == len(SENTENCES)
    for forms in (STATEMENTS, EXPRESSIONS, FUNCTIONS, WORDS):
        assert len({form.key for form in forms}) == len(forms)


def test_functions_are_those_that_the_checker_knows() -> None:
    assert {form.key for form in FUNCTIONS} == set(KERNEL_FUNCTIONS)


PLAIN = [sentence for sentence in SENTENCES if sentence.key not in ("perform", "end", "stop")]
"""`perform` asks when what it performs asks; `end` and `stop` leave a unit early, and ask nobody."""


@pytest.mark.parametrize("sentence", PLAIN, ids=lambda sentence: str(sentence.key))
def test_sentences_say_whether_they_ask_a_player(sentence: Sentence) -> None:
    loaded = sampled(sentence)
    clean(loaded)
    assert loaded.program is not None
    assert ("sample" in Effects(loaded.program).suspending) == sentence.suspends
