"""Describe the contents of a zone: visible cards by name, others as a count.

A zone has one of five forms, which a pack's layout may choose:

- `cards`: all visible cards, equal ones together;
- `line`: all cards on one line, in their order (those of a bag as in `cards`);
- `places`: card by card, with places;
- `top`: the top card and the number of cards;
- `count`: only the number of cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from attrs import evolve

from rulewright.interpreter.state.zone_visibility import hidden, top_seen
from rulewright.interpreter.views.narration import Narrator
from rulewright.interpreter.views.view import ZoneView
from rulewright.interpreter.views.visibility import Mark
from rulewright.ruleset.table.nodes import ZoneInfo
from rulewright.tools.common.glyphs import Glyphs
from rulewright.tools.common.value_names import carried_text

MANY = 8
"""A larger pile in sight shows only its top; a bag with more different visible cards shows only their number."""
REMEMBERED = "remembered"
"""Marks contents with cards that the reader does not see but remembers."""
WORDS = {
    "en": {
        "on-top": "{count}, on top {card}",
        "known": "{count}; you remember {known}",
        "place": "place {n}: {card}",
        "top": "the top: {cards}",
        "from-top": "number {n} from the top: {card}",
        "beside": "{known}; among the others {more}",
        "then": "then",
        "under": "{card} on top; under it you remember {known}",
        "at-least": "you remember {known}",
    },
    "es": {
        "on-top": "{count}, encima {card}",
        "known": "{count}; recuerdas {known}",
        "place": "lugar {n}: {card}",
        "top": "la de arriba: {cards}",
        "from-top": "la número {n} desde arriba: {card}",
        "beside": "{known}; entre las demás {more}",
        "then": "luego",
        "under": "{card} encima; debajo recuerdas {known}",
        "at-least": "recuerdas {known}",
    },
}


class ZoneText:
    """Describes zones to one reader."""

    def __init__(self, narrator: Narrator, glyphs: Glyphs, unmarked: frozenset[str] = frozenset()) -> None:
        """`unmarked` are tracks and lists that are not mentioned beside cards."""
        self.narrator = narrator
        self.glyphs = glyphs
        self.unmarked = unmarked
        self.words = WORDS[narrator.language]
        self.infos = {zone.key: zone for zone in narrator.program.zones}

    def lines(self, zone: ZoneView, form: str = "") -> list[str]:
        """Describe a zone in the given form, or the most suitable one: one line, or one per place."""
        zone = self._without_unmarked(zone)
        form = form or self._form(zone)
        if zone.size is None:
            return [self._uncounted(zone, form)]
        if zone.size == 0:
            return [self.glyphs.dash]
        count = self._count(len(zone.cards))
        if form == "count":
            return [count]
        if form == "top" and zone.cards and zone.cards[-1] is not None:
            if len(zone.cards) == 1:
                return [self._named(zone.cards[-1], 1)]
            return [self.words["on-top"].format(count=count, card=self._named(zone.cards[-1], 1))]
        if not any(card is not None for card in zone.cards):
            return [self._backs(zone, count, zone.known)]
        info = self.infos[zone.key]
        if info.order != "bag" and (None in zone.cards or hidden(info, self.narrator.reader or 0)):
            return [self._partly(zone, count)]
        if form == "places":
            return self._places(zone)
        if form == "line" and info.order != "bag":
            return [", ".join(self._one_by_one(zone))]
        return [self._cards(zone)]

    def full(self, zone: ZoneView) -> list[str]:
        """Describe a zone completely."""
        ordered = self.infos[zone.key].order == "row"
        return self.lines(zone, "places" if ordered else "cards")

    def _without_unmarked(self, zone: ZoneView) -> ZoneView:
        if not self.unmarked:
            return zone
        marks = tuple(
            tuple(mark for mark in carried if mark[0].partition("/")[0] not in self.unmarked)
            for carried in zone.marks
        )
        return evolve(zone, marks=marks)

    def recalls(self, zone: ZoneView, form: str = "") -> bool:
        """Whether the description of a zone contains cards that the reader remembers and does not see."""
        form = form or self._form(zone)
        if form == "count" or (form == "top" and zone.cards and zone.cards[-1] is not None):
            return False
        if zone.known:
            return True
        info, seen = self.infos[zone.key], zone.cards
        if info.order == "bag" or not hidden(info, self.narrator.reader or 0):
            return False
        return any(card is not None for card in (seen[:-1] if self._sees_top(zone) else seen))

    def _sees_top(self, zone: ZoneView) -> bool:
        """Whether the reader sees the top card of a pile, which need not be remembered."""
        return self.infos[zone.key].order == "pile" and bool(
            top_seen(self.infos[zone.key]) >> (self.narrator.reader or 0) & 1
        )

    # -------------------------------------------------------------- forms

    def _uncounted(self, zone: ZoneView, form: str) -> str:
        """Describe a zone whose cards the reader may not count: its top, and what the reader remembers."""
        info = self.infos[zone.key]
        if not zone.cards and info.order == "pile" and top_seen(info) >> (self.narrator.reader or 0) & 1:
            return self.glyphs.dash  # a top card would be visible
        if form == "count" or not (zone.cards or zone.known):
            return "?"
        top = "" if not zone.cards else self._named(zone.cards[0], 1)
        if (form == "top" and top) or not zone.known:
            return top
        return self.words["under" if top else "at-least"].format(card=top, known=self._known(zone.known))

    def _form(self, zone: ZoneView) -> str:
        info: ZoneInfo = self.infos[zone.key]
        seen = sum(card is not None for card in zone.cards)
        shows = any(zone.marks) or len(zone.cards) == seen > 0
        if info.order == "row" and shows and len(zone.cards) <= MANY:
            return "places"
        if info.order == "pile" and seen == len(zone.cards) > 1:
            return "top"
        if info.owner < 0 and len({card for card in zone.cards if card is not None}) > MANY:
            return "count"
        return "cards"

    def _cards(self, zone: ZoneView) -> str:
        marks = zone.marks or ((),) * len(zone.cards)
        seen: Counter[tuple[str, tuple[Mark, ...]]] = Counter(
            (card, carried) for card, carried in zip(zone.cards, marks, strict=True) if card is not None
        )
        parts = [self._named(card, count) + self._marks(carried) for (card, carried), count in seen.items()]
        backs = sum(1 for card in zone.cards if card is None)
        if backs:
            parts.append(self._backs(zone, self._count(backs), zone.known))
        return ", ".join(parts)

    def _places(self, zone: ZoneView) -> list[str]:
        width = len(str(len(zone.cards)))
        return [f"{place:>{width}}. {card}" for place, card in enumerate(self._one_by_one(zone), 1)]

    def _one_by_one(self, zone: ZoneView) -> list[str]:
        """Name each card, with what it carries, in their order."""
        marks = zone.marks or ((),) * len(zone.cards)
        back = self.narrator.phrase("cards", count=1)
        return [
            (back if card is None else self._named(card, 1)) + self._marks(carried)
            for card, carried in zip(zone.cards, marks, strict=True)
        ]

    def _backs(self, zone: ZoneView, count: str, known: Sequence[tuple[str, int]]) -> str:
        if not known:
            return count
        return self.words["known"].format(count=count, known=self._known(known))

    def _known(self, known: Sequence[tuple[str, int]]) -> str:
        """List the cards known to be among the hidden ones, with minimum counts."""
        return ", ".join(self._named(card, count) for card, count in known)

    def _partly(self, zone: ZoneView, count: str) -> str:
        """Describe an ordered zone of which some places are known: a pile from its top, a row by its places."""
        pile = self.infos[zone.key].order == "pile"
        parts: list[str] = []
        if pile:
            top: list[str] = []
            rest = list(enumerate(reversed(zone.cards), 1))
            if self._sees_top(zone):
                count = self.words["on-top"].format(count=count, card=self._named(rest.pop(0)[1], 1))
            while rest and rest[0][1] is not None:
                top.append(self._named(rest.pop(0)[1] or "", 1))
            if top:
                parts.append(self.words["top"].format(cards=f", {self.words['then']} ".join(top)))
            parts += [
                self.words["from-top"].format(n=place, card=self._named(card, 1)) for place, card in rest if card
            ]
        else:
            parts = [
                self.words["place"].format(n=place, card=self._named(card, 1))
                for place, card in enumerate(zone.cards, 1)
                if card is not None
            ]
        if not parts:
            return self.words["known"].format(count=count, known=self._known(zone.known)) if zone.known else count
        told = self.words["known"].format(count=count, known="; ".join(parts))
        return self.words["beside"].format(known=told, more=self._known(zone.known)) if zone.known else told

    # -------------------------------------------------------------- pieces

    def _count(self, number: int) -> str:
        return self.narrator.phrase("cards", count=number)

    def _named(self, card: str | None, count: int) -> str:
        return self.narrator.several("card", card or "", count).replace("×", self.glyphs.times)

    def _marks(self, marks: Sequence[Mark]) -> str:
        """Describe a card's tracks and lists, and what refers to it."""
        return f" [{carried_text(self.narrator, marks)}]" if marks else ""
