"""Find events of the log that the next one repeats; all of them are redacted for the reader.

What a reader cannot see decides nothing here, since the reader learns whether a line is omitted.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from rulewright.interpreter.state.decision_slots import cards_of_answer, unfold
from rulewright.interpreter.state.events import BACK, Event
from rulewright.interpreter.views.narration import Narrator
from rulewright.interpreter.views.narration_messages import KERNEL_OPTIONS
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.tools.display.related_events import announces


@frozen
class Repetition:
    """What is repeated in the log of one reader."""

    program: TableProgram
    narrator: Narrator

    def repeated(self, event: Event, following: Event | None) -> bool:
        """Whether the next event of the log says all that an event does. Both are redacted."""
        if event.kind == "answered" and event.numbers[2]:
            return self._answer(event, following)
        if following is None:
            return False
        if event.kind == "changed" and following.kind == "scored":
            return self.program.tracks[event.numbers[0]].key == "score"
        if event.kind == "performed" and event.cards and following.kind == "revealed":
            return _shown(event.cards, following)
        return False

    def _answer(self, event: Event, following: Event | None) -> bool:
        site = self.program.sites[event.numbers[1]]
        covered = BACK in event.cards
        if following is not None and _uses_at_once(event, following):
            return True
        if self.narrator.chosen(event):
            return False
        if following is not None and covered and self._moves_own(event, following):
            return site.of != "card" or _shown(event.cards, following)
        if following is not None and not covered and following.kind in ("moved", "revealed"):
            if site.of == "card":
                return _shown(event.cards, following)
            named = cards_of_answer(site, event.cards)
            if named and following.kind == "moved" and _shown(named, following):
                return True
        if following is not None and announces(self.narrator, following, event):
            return True
        if site.of == "menu" and not covered:
            return site.branches[unfold(site, event.cards[0])[0]].key == KERNEL_OPTIONS[0]
        return False

    def _moves_own(self, answer: Event, following: Event) -> bool:
        """Whether a seat that has chosen in secret moves cards next: its own, or shared ones if it chose alone."""
        zone = following.numbers[0] if following.kind == "moved" else -1
        own = (answer.numbers[0],) if self.program.sites[answer.numbers[1]].sealed else (answer.numbers[0], -1)
        return zone >= 0 and self.program.zones[zone].owner in own


def _shown(cards: Sequence[int], following: Event) -> bool:
    """Whether an event shows as many cards, and among them all that the reader sees of some cards."""
    return len(cards) == len(following.cards) and {*cards} <= {*following.cards, BACK}


def _uses_at_once(answer: Event, following: Event) -> bool:
    """Whether the reader does not see what a seat has chosen, but sees which card it uses next."""
    if following.kind != "performed" or following.numbers[0] != answer.numbers[0]:
        return False
    return bool(following.cards) and (not answer.cards or BACK in answer.cards) and BACK not in following.cards
