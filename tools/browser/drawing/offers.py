"""Which options of a decision are chosen on the table: cards, piles of definitions, and players.

All others are buttons in the dock. Options are found by what the seat can tell apart, never by card numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator

from attrs import define, field

from rulewright.interpreter.state.decision_slots import unfold
from rulewright.interpreter.state.zone_visibility import hidden
from rulewright.interpreter.views.options import Option
from rulewright.interpreter.views.visibility import Sight, value_key
from rulewright.ruleset.table.nodes import OptionBranch
from rulewright.tools.browser.drawing.model import Offer
from rulewright.tools.display.decision_texts import DecisionTexts


@define
class Offers:
    """The options of a decision by what they name. `rest` are those that name nothing on the table.

    `taken` collects the keys of the options that were drawn; all others must be in the dock.
    """

    at: dict[Hashable, Offer] = field(factory=dict)
    zones: set[int] = field(factory=set)
    """Numbers of the zones that have cards among the options."""
    taken: set[str] = field(factory=set)

    def take(self, where: Hashable) -> Offer | None:
        """Return the option at a card, pile, or player, and note that it is drawn."""
        found = self.at.get(where)
        if found is not None:
            self.taken.add(found.key)
        return found


def card_place(sight: Sight, card: int, unseen: int = 0) -> Hashable:
    """Return where a card is, as far as the seat can tell: its place or, in a bag, its face and marks.

    `unseen` is the number of an option for a card of a bag that the seat does not see.
    """
    zone = sight.zone_of(card)
    info = sight.program.zones[zone]
    if info.order != "bag":
        return zone, sight.cards(zone).index(card)
    if hidden(info, sight.seat) and not sight.sees(card):
        return zone, "unseen", unseen
    return zone, sight.program.cards[card].key if sight.sees(card) else None, sight.marks(card)


def offers_of(sight: Sight, told: DecisionTexts) -> Offers:
    """Return the options of a decision that are drawn on the table, unless two of them name the same thing."""
    found = Offers()
    places = [(place, option, label) for option, label in zip(told.decision.options, told.labels, strict=True)
              for place in _places(sight, told, option)]  # fmt: skip
    times = Counter(place for place, _, _ in places)
    if any(count > 1 for count in times.values()):
        return found
    for place, option, label in places:
        found.at[place] = Offer(option.key, option.count, label, told.brief(option))
        if isinstance(place, tuple) and isinstance(place[0], int):
            found.zones.add(place[0])
    return found


def _places(sight: Sight, told: DecisionTexts, option: Option) -> Iterator[Hashable]:
    """Yield the thing that an option names, if it is one; equal cards to be ordered may be in several places."""
    site = told.site
    if site.of == "menu":
        number, values = unfold(site, option.values[0])
        branch: OptionBranch = site.branches[number]
        if len(branch.members) != 1:
            return
        of, raw = branch.members[0], values[:1]
    else:
        of, raw = site.of, option.values
    if of == "card":
        if raw[0] < 0:
            return
        if sight.zone_of(raw[0]) >= 0:
            unseen = _number(option.key)
            yield from dict.fromkeys(card_place(sight, card, unseen) for card in raw)
    elif of in ("seat", "player"):
        if site.of != "menu":
            yield "seat", raw[0]
    elif any(kind == of for kind, _ in sight.program.definitions):
        yield "definition", value_key(sight.program, of, raw[0])


def _number(key: str) -> int:
    """Return the number of an option such as `unseen-3`; 0 for others."""
    name = key.rpartition(":")[2].partition("@")[0].partition("+")[0]
    sort, _, number = name.partition("-")
    return int(number) if sort == "unseen" and number.isdigit() else 0
