"""The course of the game in the rule book: rounds, phases, and steps with their questions.

The order comes from the documents of the pack as house rules have changed them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulewright.ruleset.documents.flow import Phase, Round, Step, Steps
from rulewright.ruleset.documents.reading import Titled
from rulewright.ruleset.loaded import Loaded
from rulewright.tools.print.about import About
from rulewright.tools.print.rule_documents import all_of, paragraphs, step_name, step_text
from rulewright.tools.print.rule_parts import Block, Item, Section, capital, section
from rulewright.tools.print.rule_questions import Questions
from rulewright.tools.print.rule_sentences import Sentences
from rulewright.tools.print.words import word

_CLOCKWISE = re.compile(r"clockwise\((.+)\)")


def course_section(about: About, loaded: Loaded, told: Sentences) -> Section:
    """Return the rounds with their phases and steps; then the reactions, and how piles are renewed."""
    language, telling = about.language, _Telling(about, told, Questions(about))
    phases = {one.key: one for one in all_of(loaded, "phase", Phase)}
    blocks: list[Block] = []
    for round_ in all_of(loaded, "round", Round):
        name = about.texts.text(language, f"round/{round_.key}") or ""
        order = [phase.text for phase in round_.phases if phase.text in phases]
        if order and name:
            names = tuple(Item(_phase_name(about, key)) for key in order)
            blocks.append(Block(texts=(word(language, "round-of", round=name.lower()),), steps=names))
        blocks.append(telling.block(name, round_, *_time(told, round_)))
        blocks += (telling.block(_phase_name(about, key), phases[key]) for key in order)
    for sort in ("window", "claim"):
        for one in all_of(loaded, sort, Titled):
            asked = tuple(telling.questions.under(one.key, exact=False))
            name = about.texts.text(language, f"{sort}/{one.key}") or ""
            heading = ": ".join(filter(None, (word(language, "reactions"), name)))
            blocks.append(Block(heading, texts=paragraphs(about, one), items=asked))
    blocks.append(Block(word(language, "renewed"), texts=tuple(_renewed(about, told))))
    return section("course", word(language, "course"), *blocks)


class _Telling:
    """What is said of steps; each question is asked once."""

    def __init__(self, about: About, told: Sentences, questions: Questions) -> None:
        self.about, self.told, self.questions = about, told, questions

    def block(self, name: str, part: Phase | Round, *made: str) -> Block:
        """Return a phase, or a round with its own steps: the pack's text, else what was `made`, and the steps."""
        texts = paragraphs(self.about, part) or made
        steps = tuple(self._steps(part.key, part.steps))
        if len(steps) == 1:  # it needs no number
            return Block(capital(name), texts=(*texts, steps[0].name), items=steps[0].below)
        return Block(capital(name), texts=texts, steps=steps)

    def _steps(self, path: str, steps: Steps | None) -> Iterator[Item]:
        for step in steps.items if steps is not None else ():
            yield from self._step(path if step.id is None else f"{path}.{step.id.text}", step)

    def _step(self, path: str, step: Step) -> Iterator[Item]:
        """Yield what the pack says of a step, else its name, else what its effect says; with its questions."""
        if not self.told.happens(path):
            return
        own = step_text(self.about, step)
        if own is not None:
            asked = tuple(one for one in self.questions.under(path, exact=False) if one.below)  # menus
            yield from (Item(line, below=asked if n == 0 else ()) for n, line in enumerate(own))
            return
        name = step_name(self.about, path)
        inner = tuple(self._steps(path, step.steps))
        asked = tuple(self.questions.under(path))
        said = name or (self.told.of_step(path) if not inner and not asked else "")
        turns = self._turns(step)
        if said or turns:
            said = " ".join(filter(None, (said, turns)))
            yield Item(said, below=(*asked, *inner))
        else:
            yield from asked
            yield from inner

    def _turns(self, step: Step) -> str:
        """Return who takes a step: all players in an order, or all at once."""
        if step.together is not None and step.together.text == "players":
            return self.told.say("together")
        order = step.turns or step.queue
        found = _CLOCKWISE.fullmatch(order.text) if order is not None else None
        first = self.told.player(found[1]) if found is not None else ""
        if first:
            return self.told.say("each-in-turn", player=first)
        return self.told.say("in-turn") if order is not None and order.text == "players" else ""


def _time(told: Sentences, round_: Round) -> Iterator[str]:
    """Yield who takes turns in a round, and when it ends."""
    first = told.player(round_.turns_from.text) if round_.turns_from is not None else ""
    if first:
        yield told.say("turns", player=first)
    condition = told.ends(round_.key)
    if condition:
        each = told.say("a-turn" if round_.turns_from is not None else "a-round")
        yield told.say("until", round=each, condition=condition)


def _renewed(about: About, told: Sentences) -> Iterator[str]:
    """Yield how piles that refill are renewed."""
    for zone in about.program.zones:
        if zone.refill:
            key = "refill-at-once" if zone.eager else "refill"
            yield capital(told.say(key, zone=told.zone(zone.key), source=told.zone(zone.refill)))


def _phase_name(about: About, key: str) -> str:
    return capital(about.texts.text(about.language, f"phase/{key}") or key.replace("-", " "))
