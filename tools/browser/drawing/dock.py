"""Draw the dock: the reader's decision, with the options that are not chosen on the table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from attrs import define, field

from interpreter.game.why_not_offered import LeftOut
from interpreter.views.decision import Decision, only_answer
from interpreter.views.options import Option, unfold
from tools.browser.drawing.eyes import Eyes
from tools.browser.drawing.model import Choice, Dock, Offer, Target
from tools.browser.drawing.offers import Offers
from tools.display.decision_texts import DecisionTexts
from tools.display.left_out_texts import LeftOutTexts

_NUMBER = re.compile(r" = -?\d+\Z")
MOST_NUMBERS = 2
BESIDE = 2
"""Options without further words up to this number are beside the main button."""
SHOWN_LEFT_OUT = 4
"""Options without members that are not offered and shown in their place; all others are behind a button."""


@define
class Docked:
    """Draws one decision. `words` are those of the application."""

    eyes: Eyes
    told: DecisionTexts
    offers: Offers
    words: dict[str, str]
    _labels: dict[str, str] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._labels = {
            option.key: label for option, label in zip(self.told.decision.options, self.told.labels, strict=True)
        }

    def draw(self, stamp: str, where: str, left_out: Sequence[LeftOut], reasons: LeftOutTexts) -> Dock:
        """Return the dock. `where` is the phase or round; call it after the table has taken its offers."""
        decision = self.told.decision
        question = self.told.question().strip()
        rest = [option for option in decision.options if option.key not in self.offers.taken]
        choices = [*self._choices(rest), *self._not_offered(left_out, reasons)]
        plain = all(choice.offer is not None and not choice.text for choice in choices)
        beside = plain and len(choices) <= BESIDE
        return Dock(
            stamp,
            where,
            question[:1].upper() + question[1:] if question else self.words["decision"],
            bounds_text(decision, self.words, self.told.site.private),
            decision.least,
            decision.most,
            () if beside else tuple(choices),
            tuple(choices) if beside else (),
            len(decision.options) - len(rest),
            len(left_out),
            self.told.site.private,
        )

    def _choices(self, options: Sequence[Option]) -> Iterator[Choice]:
        """Yield buttons; options of one branch that differ only in a player are one row."""
        done: set[int] = set()
        for option in options:
            branch = self._branch(option)
            alike = [one for one in options if branch >= 0 and self._branch(one) == branch]
            if branch in done:
                continue
            if branch >= 0 and self._names_player(branch) and self._seat(option) >= 0:
                done.add(branch)
                yield self._row(alike)
            else:
                yield self._button(option)

    def _button(self, option: Option) -> Choice:
        label, text = self._labels[option.key], self.told.brief(option)
        tone, mark = self._tone(option)
        return Choice(label, text, tone, mark, Offer(option.key, option.count, label, text))

    def _row(self, options: Sequence[Option]) -> Choice:
        """Return options with one target each as a row: a name, and a button for each player."""
        first = options[0]
        name = self._labels[first.key]
        seat = self.eyes.names[self._seat(first)]
        before = name.partition(seat)[0] if seat in name else name
        cut = max(before.rfind(","), before.rfind(":"))
        title = before[:cut] if cut > 0 else f"{before.rstrip()} …" if before != name else name
        tone, mark = self._tone(first)
        targets = tuple(
            Target(
                Offer(option.key, option.count, self._labels[option.key], self.told.brief(option)),
                self.eyes.names[self._seat(option)], self._seat(option) + 1,
            )
            for option in options
        )  # fmt: skip
        return Choice(title, self.told.brief(first), tone, mark, None, targets)

    def _not_offered(self, left_out: Sequence[LeftOut], reasons: LeftOutTexts) -> Iterator[Choice]:
        shown = [one for one in left_out if one.branch >= 0 and not any(one.members)]
        for one in shown[:SHOWN_LEFT_OUT]:
            yield Choice(reasons.name(one), "", "0", 0, None, (), brief_reason(reasons, one))

    # -------------------------------------------------------------- inside

    def _branch(self, option: Option) -> int:
        return unfold(self.told.site, option.values[0])[0] if self.told.site.of == "menu" else -1

    def _names_player(self, branch: int) -> bool:
        return self.told.site.branches[branch].members in (("seat",), ("player",))

    def _seat(self, option: Option) -> int:
        """Return the seat that an option names, or -1."""
        site = self.told.site
        if site.of in ("seat", "player"):
            return option.values[0]
        if site.of != "menu":
            return -1
        branch, members = unfold(site, option.values[0])
        return members[0] if site.branches[branch].members in (("seat",), ("player",)) else -1

    def _tone(self, option: Option) -> tuple[str, int]:
        """Return tone and mark of the definition that an option names."""
        for page in self.told.pages(option):
            face = self.eyes.faces.of(page.kind, page.key)
            return face.tone, face.mark
        return "0", -1


def bounds_text(decision: Decision, words: dict[str, str], ordered: bool = False) -> str:
    """Say how many options may be chosen."""
    least, most = decision.least, decision.most
    only = only_answer(decision)
    if only is not None and most != 1:
        return words["only-answer" if only else "nothing-to-choose"]
    if most == 1:
        return words["choose-one" if least else "choose-optional"]
    every = "choose-any" if least == 0 else "choose-range"
    text = words["choose-several" if least == most else every].format(least=least, most=most)
    return f"{text}, {words['in-order']}" if ordered else text


def brief_reason(reasons: LeftOutTexts, one: LeftOut) -> str:
    """Say why something is not offered, in a few words: the numbers that decide, or the condition."""
    reason = reasons.reason(one)
    numbers = [fact.replace(" = ", " ") for fact in reason.facts if _NUMBER.search(fact)]
    return ", ".join(numbers[:MOST_NUMBERS]) or reason.rule
