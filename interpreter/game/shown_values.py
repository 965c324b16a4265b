"""The values that the texts of an open decision show, as far as its seat may know them."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence

from attrs import frozen

from rulewright.interpreter.backends.walker.expressions import Scope
from rulewright.interpreter.game.seat_eyes import Hidden, SeatEyes
from rulewright.interpreter.state.events import BACK, NO_CARD
from rulewright.interpreter.state.rule_errors import RuleError
from rulewright.interpreter.views.knowledge import Knowledge
from rulewright.interpreter.views.menu_values import unfold
from rulewright.interpreter.views.visibility import Sight
from rulewright.ruleset.table import nodes as t


@frozen
class ShownValue:
    """A value of a text: its type as in `Site.of`, and its raw values, or None if it is hidden or has none.

    A card that the seat does not see is BACK, and NO_CARD one that is not there.
    """

    of: str
    values: tuple[int, ...] | None
    many: bool


Shown = Mapping[str, ShownValue]


class ShownValues:
    """The values of one open decision. `question` has those of its text, `option` those of an option's name."""

    def __init__(self, program: t.TableProgram, state: Sequence[int], knowledge: Knowledge, seat: int) -> None:
        self._eyes = SeatEyes(program, Sight(program, list(state), knowledge, seat))
        ask, self._scope = self._eyes.asking(array("i", state))
        self._site = program.sites[ask.site]
        self.question: Shown = shown_values(self._eyes, self._site.shows, self._scope)

    def option(self, value: int) -> Shown:
        """Return the values for the name of an option of a menu, given its raw value."""
        if self._site.of != "menu":
            return self.question
        return self.members(*unfold(self._site, value))

    def members(self, branch: int, members: Sequence[int]) -> Shown:
        """Return the values for the name of an option whose first members are these.

        A value that depends on the other members counts as hidden.
        """
        shows, slots = self._site.branches[branch].shows, self._site.branches[branch].slots
        if not shows:
            return {}
        scope = Scope(self._scope.state, None, dict(self._scope.numbers), dict(self._scope.lists))
        for slot, member in zip(slots, members, strict=False):
            scope.bind(slot, member)
        return shown_values(self._eyes, shows, scope)


def shown_values(eyes: SeatEyes, shows: Iterable[t.Shown], scope: Scope) -> Shown:
    """Return the values of a text, evaluated with the eyes of a seat."""
    return {one.name: ShownValue(one.of, _values(eyes, one, scope), isinstance(one.value, t.List)) for one in shows}


def _values(eyes: SeatEyes, one: t.Shown, scope: Scope) -> tuple[int, ...] | None:
    try:
        value = eyes.value(one.value, scope)
    except (Hidden, RuleError, KeyError):
        return None
    values = (value,) if isinstance(value, int) else value
    if one.of == "card":
        return tuple(NO_CARD if card < 0 else card if eyes.sight.sees(card) else BACK for card in values)
    return values
