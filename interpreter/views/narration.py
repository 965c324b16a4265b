"""Events as lines of a log, for one reader and in one language.

The events are redacted for the reader (`state.events.redact`): an unseen card appears as its back ("a card"). Names
come from the caller's `Texts`. A name may be a message with the argument `count` ("{count, plural, one {Gem} other
{# Gems}}"), that of a step also with `seat`. Things without a name in `Texts` appear by their keys.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from rulewright.interpreter.state.decision_slots import unfold
from rulewright.interpreter.state.events import BACK, Event
from rulewright.interpreter.state.frames import Axis
from rulewright.interpreter.views.event_lines import (
    LineContext,
    award_line,
    change_line,
    empty_lists,
    event_values,
    movement_line,
    name_values,
)
from rulewright.interpreter.views.names import (
    KeyTexts,
    Open,
    Texts,
    arguments,
    enumerated,
    inline,
    parsed,
    sentence,
    speaks_count,
    without_article,
    words,
)
from rulewright.interpreter.views.narration_messages import KERNEL_OPTIONS, PHRASES
from rulewright.interpreter.views.visibility import member_key, value_key, zone_member
from rulewright.ruleset.table.message import NamedValue, Value, format_message, shown_names
from rulewright.ruleset.table.nodes import MOMENTS, OUTCOME, OptionBranch, Site, TableProgram


def narrate(
    program: TableProgram,
    events: Iterable[Event],
    language: str = "en",
    texts: Texts | None = None,
    reader: int | None = None,
) -> tuple[str, ...]:
    """Return one line per event, in a language. `reader` is the seat addressed as "you", if any."""
    narrator = Narrator(program, language, texts, reader)
    lines = (narrator.line(event) for event in events)
    return tuple(sentence(line) for line in lines if line)


LINE = "log/"
"""How the source of an announcement begins that is an option's line about a secret answer."""

_OUT: dict[tuple[int, ...], str] = {(): "eliminated"}
_OUT |= {(number,): f"out-until-{moment}" for number, moment in enumerate(MOMENTS)}
"""The phrase for a player who is out, by the numbers that follow the seat in the event."""


class Narrator:
    """Words for events and things, in one language and for one reader."""

    def __init__(
        self,
        program: TableProgram,
        language: str = "en",
        texts: Texts | None = None,
        reader: int | None = None,
        context: LineContext | None = None,
    ) -> None:
        self.program = program
        self.language = language if language in PHRASES else "en"
        self.texts: Texts = texts or KeyTexts()
        self.reader = reader
        self.context = context
        self.tellers: dict[str, Callable[[Event], str]] = {
            "moved": lambda event: movement_line(self, event),
            "shuffled": lambda event: self.phrase(
                "shuffled", zone=self.one_zone(event.numbers[0]), many=self._plural(event.numbers[0])
            ),
            "revealed": self._revealed,
            "changed": lambda event: change_line(self, event),
            "answered": self._answered,
            "reached": self._step,
            "performed": self._step,
            "announced": self._announced,
            "scored": lambda event: award_line(self, event),
            "proven": lambda event: self.phrase(
                "proves" if event.numbers[2] else "proves-nothing", **self.who(event.numbers[0])
            ),
            "eliminated": lambda event: self.phrase(_OUT[event.numbers[1:]], **self.who(event.numbers[0])),
            "returned": lambda event: self.phrase("returned", **self.who(event.numbers[0])),
            "ended": self._ended,
            "restarted": lambda _: self.phrase("restarted"),
            "series-ended": lambda event: self._won(event.numbers[0], "series-"),
        }

    def line(self, event: Event) -> str:
        """Return the line of an event; empty for kinds without words."""
        tell = self.tellers.get(event.kind)
        return tell(event) if tell else ""

    # -------------------------------------------------------------- kinds of events

    def _revealed(self, event: Event) -> str:
        """Describe shown cards by the zones in which they were shown, in the order of their first cards."""
        seats, *zones = event.numbers
        by_zone: dict[int, list[int]] = {}
        for zone, card in zip(zones, event.cards, strict=True):
            by_zone.setdefault(zone, []).append(card)
        if not by_zone:
            return ""
        watching = [seat for seat in range(self.program.seats) if seats >> seat & 1]
        if len(watching) == self.program.seats or not watching:
            return "; ".join(self._laid_open(zone, cards) for zone, cards in by_zone.items())
        lines: list[str] = []
        for seat in watching:
            seen = [self._cards_in(zone, cards, seat) for zone, cards in by_zone.items()]
            lines.append(self.phrase("looks", cards=self.join(seen), count=len(event.cards), **self.who(seat)))
        return "; ".join(lines)

    def _laid_open(self, zone: int, cards: Sequence[int]) -> str:
        """Say that everybody is shown cards of a zone; -1 is no zone."""
        values: dict[str, Value] = {"cards": self.cards(cards), "count": len(cards)}
        owner = self._owner(zone)
        if owner >= 0:
            return self.phrase("shows", **values, **self.who(owner), **{"from": self.zone(zone, owner)})
        if zone < 0:
            return self.phrase("revealed", **values)
        return self.phrase("revealed-in", **values, zone=self.zone(zone))

    def _cards_in(self, zone: int, cards: Sequence[int], actor: int) -> str:
        """Name cards with their zone, if the reader may know it."""
        named = self.cards(cards)
        return named if zone < 0 else self.phrase("in-zone", cards=named, zone=self.zone(zone, actor))

    def _answered(self, event: Event) -> str:
        seat, number, count = event.numbers[:3]
        who, site = self.who(seat), self.program.sites[number]
        if site.private:  # the log reports only what follows from the answer
            return ""
        if count == 0:
            return self.phrase("chooses-nothing", **who)
        if not event.cards or (BACK in event.cards and site.of != "card"):
            return "" if self._all_said_later(site) else self.phrase("has-chosen", **who)
        own = self.chosen(event)
        if own is not None:
            return own
        if site.of == "card":
            return self.phrase("chooses", what=self.cards(event.cards), **who)
        if site.of == "menu" and len(event.cards) == 1:
            kernel = self.kernel_option(site, event.cards[0])
            if kernel == "pass":
                return self.passing((seat,), site)
            if kernel in ("challenge", "decline"):
                return self.phrase(f"{kernel}s", **who)
        return self.phrase("chooses", what=self.join([self.option(site, v) for v in event.cards]), **who)

    def chosen(self, event: Event) -> str | None:
        """Return the pack's own line for a chosen option, empty for no line; None if it has none for it.

        That of a secret answer is announced when the answer is carried out.
        """
        site = self.program.sites[event.numbers[1]]
        if site.of != "menu" or len(event.cards) != 1 or BACK in event.cards:
            return None
        number, members = unfold(site, event.cards[0])
        branch = site.branches[number]
        given = self.texts.name(self.language, "log", f"{site.key}.{branch.key}")
        if given is not None and site.sealed:
            return ""
        if given is None or "{" not in given:
            return given
        if self._counts_seats(branch, given):
            return self.passing((event.numbers[0],), site)
        named = zip(branch.names, branch.members, members, strict=True)
        values = {name: self.shown(of, (member,), False) for name, of, member in named}
        return format_message(parsed(given), {**self.who(event.numbers[0]), **values}, self.language)

    def kernel_option(self, site: Site, value: int) -> str:
        """Return the key of the kernel's own option behind a menu value; empty if the pack has a name for it."""
        key = site.branches[unfold(site, value)[0]].key
        known = key in KERNEL_OPTIONS and self.texts.name(self.language, "option", f"{site.key}.{key}") is None
        return key if known else ""

    def place_of_pass(self, event: Event) -> int:
        """Return the number of the site where a seat passes, if one sentence can say so of several seats; or -1."""
        if event.kind == "announced":
            key = self.program.sources[event.at].name
            named = (number for number, site in enumerate(self.program.sites) if f"{LINE}{site.key}.pass" == key)
            number = next(named, -1)
        elif event.kind == "answered" and event.numbers[2] == 1 and event.cards and BACK not in event.cards:
            number = event.numbers[1]
        else:
            return -1
        if number < 0 or self.program.sites[number].of != "menu":
            return -1
        site = self.program.sites[number]
        branch = site.branches[unfold(site, event.cards[0])[0] if event.kind == "answered" else -1]
        given = self.texts.name(self.language, "log", f"{site.key}.pass")
        if given is None:
            return number if self.kernel_option(site, event.cards[0]) == "pass" else -1
        said_now = event.kind == "announced" or not site.sealed
        return number if said_now and self._counts_seats(branch, given) else -1

    @staticmethod
    def _counts_seats(branch: OptionBranch, line: str) -> bool:
        """Whether the pack's line about "pass" (under any name) is about any number of seats."""
        return branch.key == "pass" and "count" in arguments(line) and "count" not in branch.names

    def _all_said_later(self, site: Site) -> bool:
        """Whether the pack has lines for all options of a secret answer, for when it is carried out."""
        keys = [f"{site.key}.{branch.key}" for branch in site.branches]
        return site.sealed and all(self.texts.name(self.language, "log", key) is not None for key in keys)

    def passing(self, seats: Sequence[int], site: Site) -> str:
        """Say in one sentence that these seats pass at a site, in the pack's words if it has any."""
        names = [str(self.who(seat)["seat"]) for seat in seats if seat != self.reader]
        you = self.reader in seats
        if you:
            names.insert(0, self.phrase("you"))
        values: dict[str, Value] = {"count": len(seats), "you": "yes" if you else "no"}
        given = self.texts.name(self.language, "log", f"{site.key}.pass")
        if given is not None:
            return format_message(parsed(given), {**values, "seat": self.join(names)}, self.language)
        claim = any(branch.key == "challenge" for branch in site.branches)
        return self.phrase("leaves-unchallenged" if claim else "passes", who=self.join(names), **values)

    def _step(self, event: Event) -> str:
        source, seat = event.at, event.numbers[0]
        who = self.who(seat) if seat >= 0 else {"seat": "", "you": "no"}
        given = self.texts.name(self.language, "step", self.program.sources[source].name)
        if given is not None and "{" in given:
            return format_message(parsed(given), Open({**event_values(self, event), **who}), self.language)
        step = given or words(self.program.sources[source].name)
        return self.phrase(f"seat-{event.kind}" if seat >= 0 else event.kind, step=step, **who)

    def _announced(self, event: Event) -> str:
        key, seat = self.program.sources[event.at].name, event.numbers[0]
        place = self.place_of_pass(event)
        if place >= 0:
            return self.passing((seat,), self.program.sites[place])
        who: dict[str, Value] = self.who(seat) if seat >= 0 else {"seat": "", "you": "no"}
        given = self.texts.name(self.language, "message", key)
        if given is None:
            return words(key)
        told = Open({**event_values(self, event), **who})
        missing = empty_lists(self, event)
        if missing and not missing.isdisjoint(shown_names(parsed(given), told, self.language)):
            return ""
        return format_message(parsed(given), told, self.language)

    def shown(self, of: str, values: Sequence[int] | None, many: bool) -> int | NamedValue:
        """Name a value of a text, or several (`many`); None is hidden from the reader."""
        return name_values(self, of, values, many)

    def _ended(self, event: Event) -> str:
        names = next((one.members for one in self.program.enumerations if one.key == OUTCOME), ())
        number = event.numbers[1] if len(event.numbers) > 1 else -1
        if not 0 <= number < len(names):
            return self._won(event.numbers[0])
        result = self.name("winner", names[number], 1)
        return self.phrase("result", result=result, won=self._won(event.numbers[0]))

    def _won(self, mask: int, of: str = "") -> str:
        winners = [seat for seat in range(self.program.seats) if mask >> seat & 1]
        if not winners:
            return self.phrase(f"{of}nobody-won")
        names = [str(self.who(seat)["seat"]) for seat in winners if seat != self.reader]
        you = self.reader in winners
        if you:
            names.insert(0, self.phrase("you"))
        return self.phrase(f"{of}won", winners=self.join(names), count=len(winners), you="yes" if you else "no")

    # -------------------------------------------------------------- things

    def who(self, seat: int) -> dict[str, Value]:
        """Return the arguments of a phrase that name a seat: its name, and whether it is the reader."""
        given = self.texts.name(self.language, "seat", f"seat-{seat + 1}")
        name = given or self.phrase("seat", number=seat + 1)
        return {"seat": name, "you": "yes" if seat == self.reader else "no"}

    def _owner(self, zone: int) -> int:
        return self.program.zones[zone].owner if zone >= 0 else -1

    def zone(self, zone: int, actor: int = -1) -> str:
        """Name a zone with its owner; the acting player's zones are "their" zones."""
        if zone < 0:
            return "?"
        name = self.name("zone", self.program.zones[zone].zone, 1)
        owner = self._owner(zone)
        if owner < 0:
            return self.phrase("common", what=name)
        what, many = without_article(name)
        if owner == self.reader:
            return self.phrase("yours", what=what, many=many)
        if owner == actor:
            return self.phrase("own", what=what, many=many)
        return self.phrase("of-seat", what=name, **self.who(owner))

    def one_zone(self, zone: int) -> str:
        """Name a zone with the member or definition that it belongs to."""
        of = zone_member(self.program, zone)
        return self.phrase("detail", what=self.zone(zone), detail=self.name(*of, 1)) if of else self.zone(zone)

    def cards(self, cards: Sequence[int]) -> str:
        """Name visible cards, with equal ones together, and then the number of backs."""
        keys = Counter(self.program.cards[card].key for card in cards if card != BACK)
        parts = [self.several("card", key, count) for key, count in keys.items()]
        backs = sum(1 for card in cards if card == BACK)
        if backs or not parts:
            parts.append(self.phrase("cards", count=backs))
        return self.join(parts)

    def several(self, thing: str, key: str, count: int) -> str:
        """Name `count` equal things."""
        masked = thing == "card" and self.texts.name(self.language, "inline", key) is not None
        name = inline(self.name("inline" if masked else thing, key, count))
        if count == 1 or speaks_count(self.texts.name(self.language, thing, key)):
            return name
        return self.phrase("several", count=count, name=name)

    def option(self, site: Site, value: int) -> str:
        """Name an option of a site by its raw value."""
        if site.of != "menu":
            return self.member(site.of, value)
        number, members = unfold(site, value)
        branch = site.branches[number]
        key = f"{site.key}.{branch.key}"
        if branch.key in KERNEL_OPTIONS and self.texts.name(self.language, "option", key) is None:
            return self.phrase(f"option-{branch.key}")
        detail = [self.member(of, member) for of, member in zip(branch.members, members, strict=True)]
        named = zip(branch.names, branch.members, members, strict=True)
        known = {name: self.shown(of, (member,), False) for name, of, member in named}
        given = self.texts.name(self.language, "option", key)
        # Other values than the members were known when the option was offered, and no event has them.
        told = self.option_with(key, known) if given is None or arguments(given) <= known.keys() else None
        if told is not None:
            return told
        name = self.name("option", key, 1) if given is None or not arguments(given) else words(branch.key)
        if not members:
            return name
        if len(site.branches) == 1 and self.texts.name(self.language, "option", key) is None:
            return ", ".join(detail)
        return self.phrase("detail", what=name, detail=", ".join(detail))

    def option_with(self, key: str, members: Mapping[str, Value]) -> str | None:
        """Name an option by a message that includes the chosen members; None if it has no such name."""
        given = self.texts.name(self.language, "option", key)
        if given is None or "{" not in given:
            return None
        return format_message(parsed(given), Open(members), self.language)

    def _plural(self, zone: int) -> str:
        """Return "yes" if the name of a zone is a plural."""
        if zone < 0:
            return "no"
        key = self.program.zones[zone].zone
        given = self.texts.name(self.language, "plural", key)
        return "yes" if given is not None else without_article(self.name("zone", key, 1))[1]

    def of_scope(self, axis: Axis, index: int) -> str:
        """Name the member of a scope that belongs to an index of a track."""
        return self.name(axis.name, member_key(self.program, axis.name, axis.member(index)), 1)

    def member(self, of: str, value: int) -> str:
        """Name a value of a type."""
        if of == "card":
            return self.cards((value,))
        if of in ("seat", "player") and value >= 0:
            return str(self.who(value)["seat"])
        return self.name(of, value_key(self.program, of, value), 1)

    def name(self, thing: str, key: str, count: int) -> str:
        """Return the name of a thing for a count, or its key as words."""
        given = self.texts.name(self.language, thing, key)
        if given is None:
            return words(key)
        if "{" not in given:
            return given
        values = Open() if thing == "option" else Open(count=count)
        return format_message(parsed(given), values, self.language)

    def phrase(self, key: str, **values: Value) -> str:
        """Fill in a sentence of the kernel, or the pack's replacement."""
        text = self.texts.name(self.language, "phrase", key) or PHRASES[self.language][key]
        return format_message(parsed(text), values, self.language)

    def join(self, parts: Sequence[str]) -> str:
        """Join parts of a sentence in the language."""
        return enumerated(parts, self.language)
