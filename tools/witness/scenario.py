"""Turn a witness into draft scenarios: the complete position, the answers, and what differs."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby

from attrs import evolve, frozen

from rulewright.interpreter.state.frames import read_list
from rulewright.interpreter.views.decision import decisions
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.tools.scenarios.performance import bare, with_players
from rulewright.tools.witness.duo import Answered, Moment
from rulewright.tools.witness.facts import Facts, Sort, Subject, facts
from rulewright.tools.witness.looked import Witness
from rulewright.tools.witness.tell import best

LAST = 8
"""How many of the last moments a scenario is tried from."""
MOST_REPLAYED = 60
"""Limit of moments in a scenario that begins at the deal."""
MOST_FACTS = 3
Tag = tuple[str, ...]
"""The subject of a line: an entry, a place, an answer, or a fact; empty for other lines."""
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ./-]*")
_WORDS = ("true", "false", "null", "yes", "no", "on", "off")


@frozen
class Entry:
    """A line of the position, about a zone, track, or list. `told`: the witness names it."""

    owner: str
    name: str
    value: str
    told: bool = False

    @property
    def tag(self) -> Tag:
        return "entry", self.owner, self.name


@frozen
class Draft:
    """Two scenarios with the same position and answers. `titles` and `facts` are per order."""

    titles: tuple[str, str]
    names: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    seed: int
    entry: str
    turn: str
    entries: tuple[Entry, ...]
    answers: tuple[tuple[str, str, str], ...]
    """Player, choice, and chosen options."""
    facts: tuple[tuple[str, ...], tuple[str, ...]]
    about: str = ""

    def without(self, tags: Collection[Tag]) -> Draft | None:
        """Return the draft without these lines; None if it needs one of them."""
        entries = tuple(one for one in self.entries if one.tag not in tags)
        facts_ = [tuple(one for one in each if ("fact", one) not in tags) for each in self.facts]
        needed = [("place", self.entry), *(("answer", choice) for _, choice, _ in self.answers)]
        if not all(facts_) or any(tag in tags for tag in needed):
            return None
        return evolve(self, entries=entries, facts=(facts_[0], facts_[1]))

    def text(self, order: int, mark: str = "") -> str:
        """Return one of the scenarios; `mark` is appended to its title."""
        return "".join(f"{line}\n" for line, _ in self._lines(order, mark))

    def tags(self, order: int) -> list[Tag]:
        """Return the subject of each line of the text."""
        return [tag for _, tag in self._lines(order, "")]

    def whole(self, mark: str) -> str:
        """Return both scenarios, with a comment that says which one to keep."""
        return f"# {self.about}\n{self.text(0, mark)}---\n{self.text(1, mark)}"

    def _lines(self, order: int, mark: str) -> Iterator[tuple[str, Tag]]:
        yield f"scenario: {quoted(self.titles[order] + mark)}", ()
        yield f"players: [{', '.join(self.names)}]", ()
        if self.options:
            yield f"options: {{{', '.join(f'{key}: {quoted(value)}' for key, value in self.options)}}}", ()
        if self.seed != 1:
            yield f"seed: {self.seed}", ()
        if self.entry:
            yield "given:", ()
            yield f"  phase: {self.entry}", ("place", self.entry)
            if self.turn:
                yield f"  turn: {self.turn}", ()
            for owner, entries in groupby(sorted(self.entries, key=lambda one: one.owner), lambda one: one.owner):
                if owner:
                    yield f"  {owner}:", ()
                for one in entries:
                    yield f"{'    ' if owner else '  '}{one.name}: {one.value}", one.tag
        if self.answers:
            yield "when:", ()
            for player, choice, chosen in self.answers:
                yield f"  - {player}: {{{choice}: {chosen}}}", ("answer", choice)
        yield "then:", ()
        for fact in self.facts[order]:
            yield f"  - {fact}", ("fact", fact)


def quoted(text: str) -> str:
    """Quote a text for YAML if necessary."""
    plain = _PLAIN.fullmatch(text) and text.lower() not in _WORDS and not text.endswith((" ", ":"))
    return text if plain else json.dumps(text, ensure_ascii=False)


def drafts(witness: Witness) -> Iterator[Draft]:
    """Yield scenarios that may show a witness, the shortest first."""
    difference = witness.difference
    table, moments = difference.table, difference.moments
    program = table.programs[0]
    subjects = best(difference, witness.finding.message)
    told = tuple(_told(difference.after[order], subjects) for order in (0, 1))
    if not told[0] or not told[1]:
        return
    ends = [f"Where {first} comes first{_words(one)}"
            for one, first in zip(told, (witness.first, witness.second), strict=True)]  # fmt: skip
    packs = f"{witness.first} and {witness.second}"
    about = f"{witness.finding.code} of {packs}: keep the one of these scenarios that shall hold."
    base = Draft(
        (ends[0], ends[1]), table.names, table.options, 1, "", "", (), (), (told[0], told[1]), about,
    )  # fmt: skip
    keys = {(one.owner, one.key) for one in subjects[:MOST_FACTS]}
    for back in range(1, min(LAST, len(moments)) + 1):
        begun = moments[-back]
        answers = tuple(_answers(program, moments[-back:], table.names))
        entries = tuple(
            evolve(one, told=(one.owner, one.name) in keys) for one in _position(program, begun.state, table.names)
        )
        for place, turn in _places(program, begun, table.names):
            yield evolve(base, entry=place, turn=turn, entries=entries, answers=answers)
    if difference.replayed and len(moments) <= MOST_REPLAYED:
        yield evolve(base, seed=difference.seed, answers=tuple(_answers(program, moments, table.names)))


def _words(said: Sequence[str]) -> str:
    """Return the end of a title: the first fact, if it is a sentence."""
    return "" if ": " in said[0] else f", {said[0]}"


def _told(after: Facts, subjects: Sequence[Subject]) -> tuple[str, ...]:
    """Return the lines under `then`."""
    found: list[str] = []
    for one in subjects:
        value = after[one]
        if one.sort in (Sort.TRACK, Sort.COUNT) and (one.plain or one.sort is Sort.COUNT) and value:
            found.append(f"{one.words} is {value}")
        elif one.sort is Sort.RESULT and value:
            found.append(f"wins: {'none' if value == 'nobody' else f'[{value}]'}")
        elif one.sort is Sort.ASKED and value:
            asked = ", ".join(": ".join(part.split(" at ")) for part in value.split(", ") if " at " in part)
            found.append(f"asks: {f'{{{asked}}}' if asked else 'none'}")
        elif one.sort is Sort.OFFERED and value and not re.match(r"\d+ to \d+ of ", value):
            found.append(f"offers: {{{one.owner}: [{', '.join(map(quoted, value.split(', ')))}]}}")
    return tuple(found[:MOST_FACTS])


def _places(program: TableProgram, moment: Moment, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the places where a scenario can begin so that this is asked, with possible turns."""
    asked = decisions(program, moment.state)
    if not asked:
        return
    step = asked[0].choice.split(".")
    for length in (2, 1):
        if len(step) >= length:
            for turn in (names[asked[0].seat], ""):
                yield ".".join(step[:length]), turn


def _answers(
    program: TableProgram, moments: Sequence[Moment], names: Sequence[str]
) -> Iterator[tuple[str, str, str]]:
    for moment in moments:
        asked = {one.seat: one for one in decisions(program, moment.state)}
        for answer in moment.answers(program):
            offered = Counter(bare(option.key) for option in asked[answer.seat].options)
            yield names[answer.seat], answer.choice, _chosen(answer, offered, names)


def _chosen(answer: Answered, offered: Counter[str], names: Sequence[str]) -> str:
    """Write the chosen options as a scenario does, with a place if several options would match."""
    words = [with_players(bare(key) if offered[bare(key)] == 1 else key, names) for key in answer.keys]
    counted = [f"{count} {word}" if count > 1 else word for word, count in Counter(words).items()]
    if not counted:
        return "none"
    return quoted(counted[0]) if len(counted) == 1 else f"[{', '.join(map(quoted, counted))}]"


def _position(program: TableProgram, state: Sequence[int], names: Sequence[str]) -> Iterator[Entry]:
    """Yield all facts of a state, as lines of a position."""
    piles: dict[str, list[str]] = {}
    for zone in program.zones:
        cards = [program.cards[card].key for card in read_list(state, zone.address)]
        if zone.order == "bag":
            cards.sort()
        runs = [(key, len(list(run))) for key, run in groupby(cards)]
        listed = ", ".join(f"{count} {key}" if count > 1 else key for key, count in runs)
        value = f"[{listed}]" if runs else "none"
        name, _, member = zone.key.partition("/")
        if zone.owner >= 0:
            yield Entry(names[zone.owner], zone.zone, value)
        elif member:
            piles.setdefault(name, []).append(f"{member}: {value}")
        else:
            yield Entry("", name, value)
    for name, each in piles.items():
        yield Entry("", name, f"{{{', '.join(each)}}}")
    tables: dict[tuple[str, str], list[str]] = {}
    for subject, value in facts(program, state, names).items():
        if subject.sort not in (Sort.TRACK, Sort.LIST) or subject.key in ("score", "winner", "in-game"):
            continue
        listed = value if subject.sort is Sort.TRACK else "none" if value == "empty" else f"[{value}]"
        if not subject.index:
            yield Entry(subject.owner, subject.key, listed)
        elif len(subject.index) == 1:
            tables.setdefault((subject.owner, subject.key), []).append(f"{subject.index[0]}: {listed}")
    for (owner, name), members in tables.items():
        yield Entry(owner, name, f"{{{', '.join(members)}}}")
