"""Sections of the rule book about time: set-up, rounds and phases with their questions, and the end.

The order comes from the documents of the pack as house rules have changed them; all words are the pack's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ruleset.documents.flow import Award, Finish, Phase, Round, Setup, Winner
from ruleset.documents.kinds import record_of
from ruleset.documents.reading import Declaring, Several
from ruleset.documents.steps import Step, Steps
from ruleset.loaded import Loaded
from ruleset.source.nodes import Scalar
from tools.diffs.messages import join
from tools.print.about import About
from tools.print.readable import sentences
from tools.print.rule_components import kind_name, track_name, zone_name
from tools.print.rule_parts import Block, Item, Section, capital, section
from tools.print.rule_questions import Questions
from tools.print.words import word

_ANNOUNCED = re.compile(r"\bannounce ([a-z][a-z0-9-]*)")
_EXTREME = re.compile(r"(most|fewest) ([a-z][a-z0-9-]*)")


def set_up_section(about: About, loaded: Loaded) -> Section:
    """Return where the cards are at the beginning, what players have, and what the pack tells about its set-up."""
    language = about.language
    placed: dict[str, dict[str, int]] = {}
    kinds = {one.key: one.kind for one in about.program.definitions}
    copies: dict[str, int] = {}
    for card in about.table.cards:
        copies[card.definition] = copies.get(card.definition, 0) + 1
    for supply in about.program.supplies:
        if copies.get(supply.definition) and supply.starts:
            zone = placed.setdefault(supply.starts, {})
            kind = kinds[supply.definition]
            zone[kind] = zone.get(kind, 0) + copies[supply.definition]
    items = [
        Item(zone_name(about, zone), ", ".join(f"{n} × {kind_name(about, kind)}" for kind, n in held.items()))
        for zone, held in placed.items()
    ]
    values = _values(about)
    for track in about.program.tracks:
        start = values.get(getattr(track.start, "value", ""), getattr(track.start, "value", 0))
        name = track_name(about, track.key, start) if isinstance(start, int) and track.of.name == "number" else None
        if start and name:
            whose = word(language, "per-player" if "player" in track.scope else "shared")
            items.append(Item(capital(name), f"{start} ({whose})" if "player" in track.scope else f"{start}"))
    blocks = [Block(items=tuple(items))]
    for setup in _all(loaded, "setup", Setup):
        blocks.append(Block(texts=_text(about, setup), steps=tuple(_set_up_steps(about, setup, values))))
    return section("set-up", word(language, "set-up"), *blocks)


def course_section(about: About, loaded: Loaded) -> Section:
    """Return the round with its phases: their texts, named steps, and questions; then the reactions."""
    language, questions = about.language, Questions(about)
    phases = {one.key: one for one in _all(loaded, "phase", Phase)}
    blocks: list[Block] = []
    for round_ in _all(loaded, "round", Round):
        name = about.texts.text(language, f"round/{round_.key}") or ""
        order = [phase.text for phase in round_.phases if phase.text in phases]
        if order and name:
            names = tuple(Item(_phase_name(about, key)) for key in order)
            parts = word(language, "round-of", round=name.lower())
            blocks.append(Block(texts=(parts,), steps=names))
        blocks.append(_block(about, questions, name, round_))
        blocks += (_block(about, questions, _phase_name(about, key), phases[key]) for key in order)
    for sort in ("window", "claim"):
        for one in _all(loaded, sort, Declaring):
            asked = tuple(questions.under(one.key, exact=False))
            name = about.texts.text(language, f"{sort}/{one.key}") or ""
            if asked:
                blocks.append(Block(": ".join(filter(None, (word(language, "reactions"), name))), items=asked))
    return section("course", word(language, "course"), *blocks)


def end_section(about: About, loaded: Loaded) -> Section:
    """Return what is shown at the end, what points are for, and who wins."""
    language = about.language
    awards = {one.key: one for one in _all(loaded, "award", Award)}
    blocks: list[Block] = []
    for finish in _all(loaded, "finish", Finish):
        texts = list(_text(about, finish))
        if finish.reveals:
            zones = join([zone_name(about, zone.text).lower() for zone in finish.reveals], language)
            texts.append(word(language, "shown-at-end", zones=zones))
        steps = (Item(name) for name in _step_names(about, finish.key, finish.steps))
        blocks.append(Block(texts=tuple(texts), items=tuple(steps)))
        listed = (awards[key.text] for key in finish.awards if key.text in awards)
        told = dict.fromkeys(filter(None, (_award(about, one) for one in listed)))
        blocks.append(Block(word(language, "points"), items=tuple(told)))
    for winner in _all(loaded, "winner", Winner):
        blocks.append(Block(word(language, "who-wins"), texts=tuple(_winner(about, winner))))
    return section("end", word(language, "end"), *blocks)


# ------------------------------------------------------------------ inside


def _all(loaded: Loaded, sort: str, of: type) -> list:  # type: ignore[type-arg]  # of the given record
    """Return the documents of a kind, as records."""
    found = []
    for document in loaded.composed.documents:
        first = document.root.entries[0]
        if document.kind == sort and isinstance(first.value, Scalar):
            record = record_of(sort, first.value, document.root)
            if isinstance(record, of):
                found.append(record)
    return found


def _text(about: About, said: Declaring) -> tuple[str, ...]:
    for sort in ("setup", "phase", "round", "finish", "winner"):
        text = about.texts.text(about.language, f"{sort}/{said.key}.text")
        if text:
            return (text,)
    return ()


def _phase_name(about: About, key: str) -> str:
    return capital(about.texts.text(about.language, f"phase/{key}") or key.replace("-", " "))


def _block(about: About, questions: Questions, name: str, part: Phase | Round) -> Block:
    """Return the steps of a phase: those with a name, each with its questions, or the questions alone."""
    items = tuple(_steps(about, questions, part.key, part.steps))
    return Block(capital(name), texts=_text(about, part), items=items)


def _steps(about: About, questions: Questions, path: str, steps: Steps | None) -> Iterator[Item]:
    for step in steps.items if steps is not None else ():
        if step.id is None:
            continue
        own = f"{path}.{step.id.text}"
        name = _step_name(about, own)
        inner = tuple(_steps(about, questions, own, step.steps))
        asked = tuple(questions.under(own))
        if name:
            yield Item(name, below=(*asked, *inner))
        else:
            yield from asked
            yield from inner


def _step_name(about: About, path: str) -> str:
    return sentences(about.texts.text(about.language, f"step/{path}") or "", {})


def _step_names(about: About, path: str, steps: Steps | None) -> Iterator[str]:
    for step in steps.items if steps is not None else ():
        if step.id is not None and (name := _step_name(about, f"{path}.{step.id.text}")):
            yield name


def _set_up_steps(about: About, setup: Setup, values: dict[str, int]) -> Iterator[Item]:
    """Yield the named steps, and what they announce as far as it is known beforehand."""
    known = {key: str(value) for key, value in values.items()}
    for path, step in _walk(setup.key, setup.steps):
        if name := _step_name(about, path):
            yield Item(name)
        for key in _ANNOUNCED.findall(step.do.text) if isinstance(step.do, Scalar) and not step.when else ():
            told = sentences(about.texts.text(about.language, f"message/{key}") or "", known)
            if told:
                yield Item(told)


def _walk(path: str, steps: Steps | None) -> Iterator[tuple[str, Step]]:
    for step in steps.items if isinstance(steps, Several) else ():
        own = f"{path}.{step.id.text}" if step.id is not None else path
        yield own, step
        yield from _walk(own, step.steps)


def _values(about: About) -> dict[str, int]:
    """Return the values of the pack that are single numbers, for the table's players."""
    return {key: numbers[0] for key, numbers in _lists(about).items() if len(numbers) == 1}


def _lists(about: About) -> dict[str, tuple[int, ...]]:
    seats = about.table.seats
    return {one.key: dict(one.by_players).get(seats, one.default) for one in about.program.values}


def _award(about: About, award: Award) -> Item | None:
    language = about.language
    name = about.texts.text(language, f"award/{award.key}")
    text = about.texts.text(language, f"award/{award.key}.text")
    if name is None and text is None:
        return None
    told = [text if name and text else "", _prize(about, award)]
    if award.when is not None:
        told.append(f"({word(language, 'in-some-games')})")
    return Item(capital(name or text or ""), " ".join(filter(None, told)))


def _prize(about: About, award: Award) -> str:
    """Return the points of an award, if they are numbers."""
    language, prize = about.language, award.prize
    if prize is not None and prize.alone is not None and prize.alone.text.isdigit():
        told = word(language, "points-alone", alone=int(prize.alone.text))
        if prize.shared is not None and prize.shared.text.isdigit():
            told += f"; {word(language, 'points-shared', shared=int(prize.shared.text))}"
        return told
    if isinstance(award.prizes, Scalar):
        numbers = _lists(about).get(award.prizes.text, ())
    else:
        numbers = tuple(int(one.text) for one in award.prizes or () if one.text.isdigit())
    return word(language, "points-by-place", points=join([*map(str, numbers)], language)) if numbers else ""


def _winner(about: About, winner: Winner) -> Iterable[str]:
    language = about.language
    yield from _text(about, winner)
    order = [found for one in winner.order if (found := _EXTREME.fullmatch(one.text)) is not None]
    if len(order) != len(winner.order) or not order:
        if not winner.order and winner.among is not None and winner.among.text == "players" and not winner.when:
            yield word(language, "last-left")
        return
    told = [_criterion(about, found[1], found[2]) for found in order]
    if all(told):
        yield word(language, "wins", order=f", {word(language, 'then')} ".join(filter(None, told)))
        if winner.ties is not None and winner.ties.text == "shared":
            yield word(language, "ties-shared")


def _criterion(about: About, extreme: str, key: str) -> str | None:
    language = about.language
    what = word(language, "score") if key == "score" else track_name(about, key, 2)
    return word(language, extreme, what=what) if what else None
