"""Random programs with secrets, and random states of them, for tests of determinised worlds.

They have zones that some seats do not see and that accept some cards only, tracks and lists for cards or with
references to cards, slots of frames with cards, and sealed answers.

The rules of such a program never touch what was added, so its cells may hold anything that fits their type.
"""

from __future__ import annotations

from array import array
from random import Random as Generator

from attrs import evolve

from rulewright.interpreter.views.knowledge import Knowledge
from rulewright.ruleset.table import nodes as table
from rulewright.ruleset.table.nodes import (
    FRAME,
    SEALED,
    SEGMENT,
    Expr,
    List,
    ListInfo,
    TableProgram,
    TrackInfo,
    ZoneInfo,
)
from tests.interpreter.programs_builder import c, numbers, op, v
from tests.interpreter.programs_random import NEWER, SEATS, AsyncBuilder, Code

CARDS = 18
GEMS = 7
"""So many of the first cards are of a kind of their own."""
EVERYONE = (1 << SEATS) - 1
_TRACKS = (
    ("token", CARDS, ("card",), "number"),
    ("feat", SEATS * CARDS, ("player", "card"), "boolean"),
    ("cut", GEMS, ("gem",), "number"),
    ("bond", CARDS, ("card",), "card"),
    ("hue", CARDS * 2, ("card", "hand"), "hue"),
    ("ward", SEATS, ("player",), "card"),
)
"""Key, cells, scopes and type of the tracks that are added."""
_LISTS = (
    ("line", 1, 5, "game", "card"),
    ("claims", SEATS, 3, "player", "card"),
    ("runes", GEMS, 2, "gem", "number"),
    ("ties", CARDS, 2, "card", "card"),
    (f"{SEALED}site-3", SEATS, 2, "player", "number"),
)
"""Key, number, room, scope and type of the lists that are added."""


def secret_program(seed: int) -> TableProgram:
    """A program that depends on the seed alone."""
    return _Secret(Generator(f"secret {seed}"), seed >= NEWER).program()


class _Secret(AsyncBuilder):
    def __init__(self, chance: Generator, newer: bool) -> None:
        super().__init__(chance, CARDS, 2 * CARDS * SEATS + 1, newer)
        self.zones.append(self.b.zone("bag", self.order[13:]))
        self.first_track, self.first_list = len(self.b.tracks), len(self.b.lists)
        for _, count, _, _ in _TRACKS:
            self.b.track([chance.randrange(-1, 2) for _ in range(count)], arrival=chance.random() < 0.5)
        for _, count, room, _, _ in _LISTS:
            self.b.state_list(room, count)

    def ask(self, code: Code, resume: int) -> table.Ask:
        """Often for cards of several zones, alone or with seats; what is offered, and to whom, may be a secret."""
        made = super().ask(code, resume)
        seat = v(made.slot)
        if made.site == 0:
            made = evolve(made, options=self._disturbed(code, seat, self._several(code, seat)))
        elif made.site == 3:
            seats = numbers(*self.chance.sample(range(SEATS), 2))
            cards = self._disturbed(code, seat, self._several(code, seat))
            folded = self._folded(code, cards, self._disturbed(code, seat, seats))
            ways = table.Concat(numbers(0), folded), table.Concat(folded, numbers(0)), folded
            made = evolve(made, options=self.chance.choice(ways))
        elif self.chance.random() < 0.7:
            made = evolve(made, options=self._disturbed(code, seat, made.options))
        if self.chance.random() < 0.6:
            least, most = self.chance.randrange(2), self.chance.randrange(1, 4)
            bound = c(most) if self.chance.random() < 0.8 else table.IfElse(self._secret(seat), c(1), c(2))
            made = evolve(made, least=c(least), most=bound)
        if self.chance.random() < 0.4:
            seats = numbers(*self.chance.sample(range(SEATS), SEATS))
            made = evolve(made, seats=seats if self.chance.random() < 0.5 else self._disturbed(code, c(0), seats))
        return made

    def _several(self, code: Code, seat: Expr) -> List:
        """Cards of one zone or two."""
        if self.chance.random() < 0.2:
            return table.Take(table.Cards(table.IfElse(self._secret(seat), c(3), c(6))), c(1), False)
        cards: List = table.Cards(self.index(code, 2, len(self.zones)))
        if self.chance.random() < 0.5:
            cards = table.Cards(c(6))
        if self.chance.random() < 0.5:
            cards = table.Concat(cards, table.Cards(self.index(code, 2, len(self.zones))))
        x = code.slot()
        return table.Distinct(cards, x, v(x))

    def _secret(self, seat: Expr) -> Expr:
        """What a card tells that some do not see."""
        first = table.First(table.Cards(c(self.chance.choice((0, 2, 3, 4, 6)))))
        return op(op(op(first, "+", seat), "%", c(2)), "==", c(0))

    def _disturbed(self, code: Code, seat: Expr, items: List) -> List:
        """The items in an order that is a secret, or a secret part of them."""
        if self.chance.random() < 0.2:
            return items
        slots = code.slot(), code.slot()
        even, odd = (table.Filter(items, x, op(op(v(x), "%", 2), "==", rest)) for rest, x in enumerate(slots))
        other = self.chance.choice((table.Concat(odd, even), table.Concat(odd, even), even, table.Items(())))
        return table.Choice(self._secret(seat), table.Concat(even, odd), other)

    def _folded(self, code: Code, cards: List, seats: List) -> List:
        """Options of a menu: each card with each seat."""

        x, y = code.slot(), code.slot()
        option = op(1, "+", op(op(v(x), "+", op(v(y), "*", CARDS)), "*", 2))
        return table.FlatMap(cards, x, table.Map(seats, y, option))

    def program(self) -> TableProgram:
        made = super().program()
        tracks, lists = list(made.tracks), list(made.state_lists)
        tracks[0], tracks[1] = evolve(tracks[0], key="score"), evolve(tracks[1], key="winner")
        for number, (key, _, scope, of) in enumerate(_TRACKS, self.first_track):
            seen = tuple(self.chance.choice((EVERYONE, EVERYONE, 0b011, 0)) for _ in tracks[number].start)
            tracks[number] = evolve(tracks[number], key=key, scope=scope, of=of, seen=seen)
        for number, (key, _, _, scope, of) in enumerate(_LISTS, self.first_list):
            lists[number] = evolve(lists[number], key=key, scope=scope, of=of)
        return evolve(
            made,
            cards=tuple(self._card(number, card.face % 3) for number, card in enumerate(made.cards)),
            zones=tuple(self._hidden(zone) for zone in made.zones),
            tracks=tuple(tracks),
            state_lists=tuple(lists),
            enumerations=(table.Enumeration("hue", ("red", "blue")), table.Enumeration("hand", ("left", "right"))),
            procedures=tuple(
                evolve(one, slots=tuple(evolve(slot, cards=self.chance.random() < 0.3) for slot in one.slots))
                for one in made.procedures
            ),
        )

    def _card(self, number: int, face: int) -> table.CardInfo:
        kind = "gem" if number < GEMS else "coin"
        return table.CardInfo(f"{kind}-{face}", kind, f"{kind}-{face}", face + 3 * (number < GEMS))

    def _hidden(self, zone: ZoneInfo) -> ZoneInfo:
        """Seen by some; mostly it accepts whatever comes."""
        chance = self.chance
        sees = chance.choice((EVERYONE, 0, 0, 0b001, 0b010, 0b110))
        some = tuple(sorted(chance.sample(range(CARDS), chance.randrange(1, CARDS))))
        accepts = chance.choice(((), (), tuple(range(CARDS)), tuple(range(GEMS)), some))
        top = chance.choice((0, 0b111, 0b100)) if zone.order == "pile" else 0b101  # which means nothing there
        return evolve(zone, sees=sees, top=top, accepts=accepts)


def furnish(program: TableProgram, state: array[int], chance: Generator) -> None:
    """Puts something into the cells that were added, and cards into the slots of frames that are for cards."""
    _furnish_frames(program, state, chance)
    for track in program.tracks:
        if track.key in {key for key, *_ in _TRACKS}:
            for index in range(track.count):
                state[track.address + index] = (
                    _anything(track, chance) if chance.random() < 0.3 else track.start[index]
                )
                if track.arrival >= 0:
                    state[track.arrival + index] = chance.randrange(3) if chance.random() < 0.2 else 0
    for info in program.state_lists:
        if info.key in {key for key, *_ in _LISTS}:
            for number in range(info.count):
                address = info.address + number * (info.capacity + 1)
                count = chance.randrange(info.capacity + 1) if chance.random() < 0.4 else 0
                items = [_anything(info, chance) for _ in range(count)]
                state[address : address + info.capacity + 1] = array(
                    "i", [count, *items, *[0] * (info.capacity - count)]
                )


def _furnish_frames(program: TableProgram, state: array[int], chance: Generator) -> None:
    segment, frame = state[SEGMENT], state[FRAME]
    while segment >= 0 and frame >= program.layout.stack:
        slots = program.procedures[program.segments[segment].procedure].slots
        for slot in (slots[number] for number in program.segments[segment].live):
            if slot.cards:
                start = frame + slot.offset
                places = range(start + 1, start + 1 + state[start]) if slot.capacity else range(start, start + 1)
                for place in places:
                    state[place] = chance.randrange(-1, CARDS)
        segment, frame = state[frame], state[frame + 1]


def _anything(info: TrackInfo | ListInfo, chance: Generator) -> int:
    if info.key.startswith(SEALED):
        return chance.choice((0, 1 + 2 * (chance.randrange(CARDS) + CARDS * chance.randrange(SEATS))))
    return chance.randrange(-1, {"card": CARDS, "number": 4}.get(info.of, 2))


def some_knowledge(program: TableProgram, state: array[int], chance: Generator) -> Knowledge:
    """Something that seats could know: in ordered zones which cards lie where, elsewhere how many there are."""
    masks, bounds = [0] * CARDS, []
    for number, zone in enumerate(program.zones):
        cards = state[zone.address + 1 : zone.address + 1 + state[zone.address]]
        for seat in range(SEATS):
            if zone.sees >> seat & 1:
                continue
            for card in cards:
                if zone.order != "bag" and chance.random() < 0.2:
                    masks[card] |= 1 << seat
            faces = [program.cards[card].face for card in cards if not masks[card] >> seat & 1]
            for face in sorted(set(faces)):
                if chance.random() < 0.2:
                    bounds.append((number, seat, face, chance.randrange(1, faces.count(face) + 1)))
    return Knowledge(tuple(masks), tuple(bounds))
