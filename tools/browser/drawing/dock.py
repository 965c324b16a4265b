"""Draw the dock: the reader's decision, with the options that are not chosen on the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from attrs import define, evolve, field, frozen

from rulewright.interpreter.game.seat_eyes import LeftOut
from rulewright.interpreter.state.decision_slots import unfold
from rulewright.interpreter.views.decision import Decision, Option, only_answer
from rulewright.tools.browser.drawing.eyes import Eyes, OfferedThings
from rulewright.tools.browser.drawing.model import (
    BoardPart,
    CardDrawing,
    Dock,
    DockOption,
    Offer,
    OptionTarget,
    PlayerPanel,
    TableDrawing,
    ZoneDrawing,
)
from rulewright.tools.display.decision_texts import DecisionTexts, LeftOutTexts

BESIDE = 2
"""Options without further words up to this number are beside the main button."""
SHOWN_LEFT_OUT = 4
"""Options without members that are not offered and shown in their place; all others are behind a button."""


@define
class Docked:
    """Draws one decision. `words` are those of the application."""

    eyes: Eyes
    told: DecisionTexts
    offers: OfferedThings
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
            self.eyes.seat,
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

    def _choices(self, options: Sequence[Option]) -> Iterator[DockOption]:
        """Yield buttons; options of a menu that differ only in a player are one row."""
        rows: dict[tuple[int, ...], list[Option]] = {}
        for option in options:
            if self._seat(option) >= 0:
                rows.setdefault(self._without_seat(option), []).append(option)
        for option in options:
            if self._seat(option) < 0:
                yield self._button(option)
            elif (alike := rows[self._without_seat(option)])[0] is option:
                yield self._row(alike)

    def _button(self, option: Option) -> DockOption:
        label, text = self._labels[option.key], self.told.brief(option)
        tone, mark = self._tone(option)
        return DockOption(label, text, tone, mark, Offer(option.key, option.count, label, text))

    def _row(self, options: Sequence[Option]) -> DockOption:
        """Return options with one target each as a row: a name, and a button for each player."""
        first = options[0]
        name = self._labels[first.key]
        seat = self.eyes.names[self._seat(first)]
        before, found, after = name.partition(seat)
        cut = max(before.rfind(","), before.rfind(":"))
        title = name if not found else before[:cut] + after if cut > 0 else f"{before.rstrip()} …{after}"
        tone, mark = self._tone(first)
        targets = tuple(
            OptionTarget(
                Offer(option.key, option.count, self._labels[option.key], self.told.brief(option)),
                self.eyes.names[self._seat(option)], self._seat(option) + 1,
            )
            for option in options
        )  # fmt: skip
        return DockOption(title, self.told.brief(first), tone, mark, None, targets)

    def _not_offered(self, left_out: Sequence[LeftOut], reasons: LeftOutTexts) -> Iterator[DockOption]:
        shown = [one for one in left_out if one.branch >= 0 and not any(one.members)]
        for one in shown[:SHOWN_LEFT_OUT]:
            yield DockOption(reasons.name(one), "", "0", 0, None, (), reasons.text(one))

    # -------------------------------------------------------------- inside

    def _members(self, option: Option) -> tuple[tuple[str, ...], tuple[int, ...]]:
        """Return the types and the values of what an option of a menu names; nothing for other options."""
        site = self.told.site
        if site.of != "menu":
            return (), ()
        branch, members = unfold(site, option.values[0])
        return site.branches[branch].members, members

    def _seat(self, option: Option) -> int:
        """Return the seat that an option of a menu names; -1 if it names none, or several."""
        seats = [value for of, value in zip(*self._members(option), strict=True) if of in ("seat", "player")]
        return seats[0] if len(seats) == 1 else -1

    def _without_seat(self, option: Option) -> tuple[int, ...]:
        """Return what options have in common that differ only in the seat."""
        types, members = self._members(option)
        branch, _ = unfold(self.told.site, option.values[0])
        return branch, *(value for of, value in zip(types, members, strict=True) if of not in ("seat", "player"))

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


# ---- Draw a decision that was answered: nothing can be chosen any more, and what was chosen is marked

_PARTS: dict[type, tuple[str, ...]] = {
    TableDrawing: ("players", "board", "own", "dock"),
    PlayerPanel: ("zones", "offer"),
    BoardPart: ("zones",),
    ZoneDrawing: ("cards",),
    CardDrawing: ("offer",),
    Dock: ("choices", "beside"),
    DockOption: ("offer", "targets"),
    OptionTarget: ("offer",),
}
"""The parts of each drawing that may hold offers."""


@frozen
class Settled:
    """A table on which nothing can be chosen, and the labels of what was chosen in its decision."""

    drawing: TableDrawing
    chosen: tuple[str, ...]


def settled(drawing: TableDrawing, keys: Sequence[str]) -> Settled:
    """Return a drawing whose decision was answered with these keys."""
    labels: dict[str, str] = {}
    done = _settled(drawing, frozenset(keys), labels)
    counts = Counter(keys)
    chosen = [(counts[key], labels[key]) for key in counts if key in labels]
    return Settled(done, tuple(f"{count} × {label}" if count > 1 else label for count, label in chosen))


def _settled(thing: Any, keys: frozenset[str], labels: dict[str, str]) -> Any:
    if isinstance(thing, tuple):
        return tuple(_settled(one, keys, labels) for one in thing)
    if isinstance(thing, Offer):
        labels[thing.key] = thing.label
        return evolve(thing, taken=thing.key in keys)
    parts = _PARTS.get(type(thing))
    if parts is None:
        return thing
    changed = {name: _settled(getattr(thing, name), keys, labels) for name in parts}
    if isinstance(thing, CardDrawing) and thing.why:
        changed["why"] = ""
    return evolve(thing, **changed)
