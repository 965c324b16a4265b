"""Draw zones: open cards, equal cards together, piles, backs, and what the reader knows of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from attrs import define, evolve, field

from rulewright.interpreter.state.events import cards_seen, hidden, top_seen
from rulewright.interpreter.views.names import words
from rulewright.interpreter.views.view import View, ZoneView
from rulewright.interpreter.views.visibility import Mark, SeatSight
from rulewright.ruleset.table.nodes import CardInfo, ZoneInfo
from rulewright.tools.browser.drawing.eyes import Eyes, OfferedThings
from rulewright.tools.browser.drawing.model import CardDrawing, Chip, Note, Slip, ZoneDrawing
from rulewright.tools.common.display_texts import carried, noun
from rulewright.tools.faces import Face

FEW = 6
"""Open cards of a row up to this number show their texts."""
DENSE = 13
"""From this number on, cards are drawn small in a grid."""
FEW_OWN = 8
"""Open cards of a bag of the reader up to this number are cards, more of them slips."""
SPREAD = "spread"
"""The form of a bag whose cards are drawn as cards and not as slips."""
Size = Literal["xs", "s", "m"]
Where = Literal["board", "dock", "panel"]


def few_chips(chips: Sequence[Chip], most: int) -> tuple[Chip, ...]:
    """Return the first chips, and one for the others if there are more than `most`."""
    if len(chips) <= most:
        return tuple(chips)
    rest = ", ".join(chip.name or chip.text for chip in chips[most - 1 :])
    return *chips[: most - 1], Chip(f"+{len(chips) - most + 1}", "0", 0, rest)


@define
class ZoneDrawer:
    """Draws the zones of one view."""

    eyes: Eyes
    view: View
    sight: SeatSight
    offers: OfferedThings
    hidden_marks: frozenset[str] = frozenset()
    """Tracks and lists that the layout hides, also beside cards."""
    why: Mapping[str, str] = field(factory=dict)
    """Why definitions are not offered, in a few words: said of their piles."""
    _infos: dict[str, int] = field(init=False)
    _cards: dict[str, CardInfo] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._infos = {zone.key: number for number, zone in enumerate(self.eyes.program.zones)}
        self._cards = {card.key: card for card in self.eyes.program.cards}

    def info(self, zone: ZoneView) -> ZoneInfo:
        """Return the declaration of a zone."""
        return self.eyes.program.zones[self._infos[zone.key]]

    def face(self, key: str) -> Face:
        """Return the face of a card."""
        card = self._cards[key]
        return self.eyes.faces.of_card(card.kind, card.definition, key)

    def asked(self, zone: ZoneView) -> bool:
        """Whether cards of a zone are among the options."""
        return self._infos[zone.key] in self.offers.zones

    def seems_empty(self, zone: ZoneView) -> bool:
        """Whether a pile of unknown size has no top card, although the reader would see it."""
        in_sight = bool(top_seen(self.info(zone)) >> self.eyes.seat & 1)
        return zone.size is None and not zone.cards and self.info(zone).order == "pile" and in_sight

    def name(self, zone: ZoneView) -> str:
        """Return a zone's name for a heading."""
        return noun(self.eyes.narrator, "zone", zone.zone)

    # -------------------------------------------------------------- drawing

    def draw(self, zone: ZoneView, where: Where, form: str = "") -> ZoneDrawing:
        """Return a zone as it is drawn in the middle, in the reader's dock, or in a player's panel."""
        info, asked = self.info(zone), self.asked(zone)
        covered = where == "board" and info.order == "row" and self._face_down(zone)
        drawn = ZoneDrawing(
            zone.key, self.name(zone), self._small(zone, where), "row", secret=self._secret(info), covered=covered
        )
        if zone.size == 0 or self.seems_empty(zone):
            return drawn
        if zone.size is None:
            return evolve(drawn, cards=(self._uncounted(zone, where),), tight=True)
        if info.order == "bag":
            return self._bag(drawn, zone, info, where, asked or form == SPREAD)
        if info.order == "pile" and not asked and form not in ("cards", "line", "places"):
            return evolve(drawn, cards=(self._pile(zone, info, "xs" if where == "board" else "s"),), tight=True)
        if info.order == "pile" and not asked and all(card is None for card in zone.cards):
            return evolve(drawn, cards=(self._pile(zone, info, "xs" if where == "board" else "s"),), tight=True)
        return self._ordered(drawn, zone, info, where)

    def _bag(self, drawn: ZoneDrawing, zone: ZoneView, info: ZoneInfo, where: Where, asked: bool) -> ZoneDrawing:
        marks = zone.marks or ((),) * len(zone.cards)
        seen = Counter((card, carried) for card, carried in zip(zone.cards, marks, strict=True) if card is not None)
        if where != "dock" and info.owner < 0 and not asked and seen and None not in zone.cards:
            return evolve(drawn, small="", slips=tuple(self.slips(zone, seen)))
        own = where == "dock" and not asked and not self._secret(info) and None not in zone.cards
        if own and len(seen) > FEW_OWN:
            return evolve(drawn, slips=tuple(self.slips(zone, seen)))
        size = self._size(len(seen), where, info)
        cards = [
            self._stack(zone, key, carried, count, size, dense=len(seen) >= DENSE)
            for (key, carried), count in seen.items()
        ]
        cards += self._unseen(zone, sum(1 for card in zone.cards if card is None), where)
        return evolve(drawn, cards=tuple(cards), tight=size == "xs")

    def _stack(
        self, zone: ZoneView, key: str, marks: Sequence[Mark], count: int, size: Size, dense: bool
    ) -> CardDrawing:
        number = self._infos[zone.key]
        offer = self.offers.take((number, key, tuple(marks)))
        tail = "".join(f"-{name}-{value}" for name, value in marks)
        return CardDrawing(
            f"{zone.key}.{key}{tail}", self.face(key), size, "copies" if count > 1 else "card",
            count if count > 1 else 0, "", offer, "", self.notes(marks), (), dense,
        )  # fmt: skip

    def _unseen(self, zone: ZoneView, count: int, where: Where) -> Iterator[CardDrawing]:
        """Yield the backs of a bag: one by one if they can be chosen, else as a pile."""
        number = self._infos[zone.key]
        size: Literal["xs", "s"] = "xs" if where == "board" else "s"
        chosen = [n for n in range(1, count + 1) if (number, "unseen", n) in self.offers.at]
        for n in chosen:
            offer = self.offers.take((number, "unseen", n))
            label = offer.label if offer else ""
            yield CardDrawing(f"{zone.key}.unseen-{n}", None, size, "card", 0, label, offer)
        left = count - len(chosen)
        if left:
            yield CardDrawing(
                f"{zone.key}.backs", None, size, "pile" if left > 1 else "card", left, self.name(zone),
                chips=tuple(self._chips(zone.known)),
            )  # fmt: skip

    def _pile(self, zone: ZoneView, info: ZoneInfo, size: Literal["xs", "s"]) -> CardDrawing:
        """Draw a pile by its top card, with its size."""
        top = zone.cards[-1] if zone.cards else None
        in_sight = top_seen(info) >> self.eyes.seat & 1
        marks = zone.marks[-1] if zone.marks else ()
        form: Literal["card", "pile"] = "pile" if len(zone.cards) > 1 else "card"
        if top is not None and in_sight:
            return CardDrawing(
                f"{zone.key}.top", self.face(top), size, form, len(zone.cards), "", notes=self.notes(marks),
                chips=tuple(self.below(zone)),
            )  # fmt: skip
        chips = self._remembered(zone.cards, zone.known)
        return CardDrawing(
            f"{zone.key}.top", None, size, form, len(zone.cards), self.name(zone), chips=tuple(chips)
        )

    def _ordered(self, drawn: ZoneDrawing, zone: ZoneView, info: ZoneInfo, where: Where) -> ZoneDrawing:
        """Draw each card: a row from the left, a pile from its top."""
        covered = self._face_down(zone)
        size = "xs" if covered and where == "board" else self._size(len(zone.cards), where, info)
        dense = where == "board" and not covered and len(zone.cards) >= DENSE
        marks = zone.marks or ((),) * len(zone.cards)
        cards = [
            evolve(self._placed(zone, info, place, key, carried, size), dense=dense)
            for place, (key, carried) in enumerate(zip(zone.cards, marks, strict=True))
        ]
        if info.order == "pile":
            cards.reverse()
        if zone.known and cards:
            cards[-1] = evolve(cards[-1], chips=(*cards[-1].chips, *self._chips(zone.known)))
        return evolve(drawn, cards=tuple(cards), tight=size == "xs")

    def _face_down(self, zone: ZoneView) -> bool:
        """Whether cards lie face down: the reader does not see the zone, and they were not turned up at the end."""
        turned_up = self.view.result is not None and None not in zone.cards
        return bool(hidden(self.info(zone), self.eyes.seat)) and not turned_up

    def _placed(
        self, zone: ZoneView, info: ZoneInfo, place: int, key: str | None, marks: Sequence[Mark],
        size: Size,
    ) -> CardDrawing:  # fmt: skip
        offer = self.offers.take((self._infos[zone.key], place))
        top = info.order == "pile" and place == len(zone.cards) - 1 and top_seen(info) >> self.eyes.seat & 1
        in_sight = top or not hidden(info, self.eyes.seat) or self.view.result is not None
        label = f"{self.name(zone)}, {place + 1}"
        if key is None or not in_sight:
            chips = (self._chip(key, 1),) if key is not None else ()
            return CardDrawing(
                f"{zone.key}.{place}", None, size, "card", 0, label, offer, notes=self.notes(marks), chips=chips
            )
        return CardDrawing(
            f"{zone.key}.{place}.{key}", self.face(key), size, "card", 0, label, offer, "", self.notes(marks)
        )

    def _uncounted(self, zone: ZoneView, where: Where) -> CardDrawing:
        """Draw a zone whose size is hidden: its top, or a back."""
        size: Size = "xs" if where == "board" else "s"
        face = self.face(zone.cards[0]) if zone.cards and zone.cards[0] is not None else None
        return CardDrawing(
            f"{zone.key}.top", face, size, "pile", 0, self.name(zone), chips=tuple(self._chips(zone.known))
        )

    # -------------------------------------------------------------- piles of definitions

    def piles(self, label: str, zones: Sequence[ZoneView], field_name: str) -> ZoneDrawing:
        """Draw zones of definitions as a grid of piles; `field_name` is shown in their corner if it is a number."""
        cards = tuple(self._definition_pile(zone) for zone in zones)
        return ZoneDrawing(zones[0].zone, label, words(field_name), "grid", cards)

    def _definition_pile(self, zone: ZoneView) -> CardDrawing:
        definition = zone.key.removeprefix(f"{zone.zone}/")
        card = next(card for card in self.eyes.program.cards if card.definition == definition)
        face = self.eyes.faces.of(card.kind, definition)
        offer = self.offers.take(("definition", definition))
        size = zone.size if zone.size is not None else 0
        why = self.why.get(definition, "") if offer is None else ""
        return CardDrawing(zone.key, face, "s", "pile", size, self.name(zone), offer, why, dense=True)

    # -------------------------------------------------------------- pieces

    def _size(self, count: int, where: Where, info: ZoneInfo) -> Size:
        if where != "board":
            return "s"
        return "m" if count <= FEW and info.order == "row" else "s"

    def slips(self, zone: ZoneView, seen: Mapping[tuple[str, tuple[Mark, ...]], int]) -> Iterator[Slip]:
        """Yield cards as slips; `seen` are their names and marks, with how many there are."""
        for (key, marks), count in seen.items():
            tail = "".join(f"-{name}-{value}" for name, value in marks)
            yield Slip(f"{zone.key}.{key}{tail}", self.face(key), count, self.notes(marks))

    def _secret(self, info: ZoneInfo) -> bool:
        """Whether only the reader sees the cards of a zone, at a table with others."""
        return cards_seen(info) == 1 << self.eyes.seat and self.eyes.program.seats > 1

    def _small(self, zone: ZoneView, where: Where) -> str:
        """Return how many cards there are, unless a pile says it or they can be counted at a glance."""
        pile = self.info(zone).order == "pile" and not self.asked(zone)
        if not zone.size or pile or zone.size <= (FEW if where == "board" else 3):
            return ""
        return self.eyes.narrator.phrase("cards", count=zone.size)

    def below(self, zone: ZoneView) -> list[Chip]:
        """Return what the reader remembers of the cards below the top of a pile that shows only its top."""
        if cards_seen(self.info(zone)) >> self.eyes.seat & 1:
            return []
        return self._remembered(zone.cards[:-1], zone.known)

    def _remembered(self, cards: Sequence[str | None], known: Sequence[tuple[str, int]]) -> list[Chip]:
        """Return what the reader remembers of the cards of a pile, without their places."""
        counts = Counter(card for card in cards if card is not None)
        counts.update(dict(known))
        return [*self._chips(tuple(counts.items()))]

    def _chips(self, known: Sequence[tuple[str, int]]) -> Iterator[Chip]:
        return (self._chip(key, count) for key, count in known)

    def _chip(self, key: str, count: int) -> Chip:
        """Return a known card; the mark of its tone says what the beginning of its name says."""
        face = self.face(key)
        lead = next((one for one in face.members if face.name.lower().startswith(f"{one.lower()}, ")), "")
        short = face.name[len(lead) + 2 :] if lead else face.name
        times = f"{count} × " if count > 1 else ""
        return Chip(times + short, face.tone, face.mark, times + face.name if lead else "")

    def notes(self, marks: Sequence[Mark]) -> tuple[Note, ...]:
        """Describe what is kept for a card: its tracks and lists, and what refers to it."""
        found = carried(self.eyes.narrator, marks, self.hidden_marks)
        return tuple(Note(one.label, tuple(one.texts), tuple(one.seats)) for one in found)
