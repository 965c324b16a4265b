"""The rules of a pack as a book for players: sections of plain blocks, from the pack's texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from attrs import define, field, frozen
from markupsafe import Markup

from rulewright.ruleset.documents.reading import Titled
from rulewright.ruleset.documents.rules import (
    Award,
    FinishDocument,
    Phase,
    Round,
    SetupDocument,
    Step,
    Steps,
    Winner,
)
from rulewright.ruleset.language.types import Type
from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.traversal import everything
from rulewright.ruleset.source.nodes import ScalarNode
from rulewright.tools.common.display_texts import copy_notes
from rulewright.tools.diffs.names import join
from rulewright.tools.faces import Face, Faces
from rulewright.tools.pages.environment import page
from rulewright.tools.print.card_pages import own_tones, shapes, static
from rulewright.tools.print.deck import About
from rulewright.tools.print.imposition import Size
from rulewright.tools.print.rule_documents import (
    all_of,
    box_section,
    in_language,
    kind_name,
    label,
    paragraphs,
    sentences,
    step_name,
    step_text,
    table_section,
    track_name,
    value_lists,
    values,
    walk,
    zone_name,
)
from rulewright.tools.print.rule_parts import (
    CardEntry,
    RuleBlock,
    RuleItem,
    Section,
    capital,
    rulings_of,
    section,
    word,
)
from rulewright.tools.print.rule_sentences import RuleSentences

# ---- Sections of the rule book about texts: all cards, and the options

MOST_VALUES = 40
"""Limit of values of an option that are listed."""


def cards_section(about: About, told: RuleSentences) -> Section:
    """Return all definitions with a text or fields to look up, by kind."""
    faces = Faces(about.program, about.texts, about.language)
    notes = copy_notes(about.program, about.language)
    copies: dict[tuple[str, str], int] = {}
    for card in about.table.cards:
        copies[card.kind, card.definition] = copies.get((card.kind, card.definition), 0) + 1
    with_cards = {kind for kind, _ in copies}
    blocks = []
    for kind in about.program.kinds:
        entries: list[CardEntry] = []
        for one in about.program.definitions:
            count = copies.get((kind.key, one.key), 0)
            absent = kind.key in with_cards and not count
            if one.kind != kind.key or absent or (one.when is not None and told.decided(one.when) is False):
                continue
            face = faces.of(kind.key, one.key)
            own = [note for key, note in notes.items() if key.rpartition("-")[0] == one.key]
            if face.paragraphs or own:
                entries.append(CardEntry(face, count, tuple(dict.fromkeys(own)), _facts(face, about)))
        blocks.append(RuleBlock(capital(kind_name(about, kind.key)), cards=tuple(entries)))
    return section("cards", word(about.language, "card-texts"), *blocks)


def _facts(face: Face, about: About) -> tuple[str, ...]:
    """Return the members of a face and the named values in its corners. Keys are names in English only."""
    named = {text for key, texts in about.program.texts if key.startswith("field/") for _, text in texts}
    corners = [one for one in face.corners if about.language == "en" or one.label in named]
    values = (f"{one.label} {one.value}" for one in corners if one.value not in face.members)
    return tuple(filter(None, (", ".join(face.members), *values)))


def options_section(about: About) -> Section:
    """Return the options that have a name or a text."""
    items = (_option(about, option) for option in about.program.options)
    return section("options", word(about.language, "options"), RuleBlock(items=tuple(filter(None, items))))


def _option(about: About, option: p.DeclaredOption) -> RuleItem | None:
    language, texts = about.language, about.texts
    name = texts.text(language, f"option/{option.key}")
    text = texts.text(language, f"option/{option.key}.text")
    if name is None and text is None:
        return None
    values = _values(about, option)
    told = [text or ""]
    if 0 < len(values) <= MOST_VALUES:
        told.append(word(language, "values", values=", ".join(values)))
    default = _default(about, option)
    if default:
        told.append(word(language, "default", value=default))
    return RuleItem(capital(name or option.key.replace("-", " ")), " ".join(filter(None, told)).replace("`", ""))


def _values(about: About, option: p.DeclaredOption) -> list[str]:
    if option.some or set(option.members) <= {"true", "false", "yes", "no"}:
        return []
    if not option.members:
        return [word(about.language, "from-to", low=option.low, high=option.high)]
    return [_member(about, option, key) for key in option.members]


def _default(about: About, option: p.DeclaredOption) -> str:
    language = about.language
    if option.some:
        return ""
    if not option.members:
        return str(option.default)
    key = option.members[option.default] if 0 <= option.default < len(option.members) else ""
    if key in ("true", "false"):
        return word(language, "yes" if key == "true" else "no")
    return _member(about, option, key)


def _member(about: About, option: p.DeclaredOption, key: str) -> str:
    return about.texts.text(about.language, f"{option.of}/{key}") or key.replace("-", " ")


# ---- What players are asked: the questions of a pack and their options, by the step in which they are

_ASKING = (p.Choose, p.ChooseTogether, p.Menu, p.MenuTogether)


@define
class Questions:
    """All questions of a pack, by key (`PHASE.STEP.NAME`). Each is listed once, at its first step."""

    about: About
    _asked: dict[str, p.Choose | p.ChooseTogether | p.Menu | p.MenuTogether] = field(init=False, factory=dict)
    _told: set[str] = field(init=False, factory=set)

    def __attrs_post_init__(self) -> None:
        for unit in (self.about.program.main, *self.about.program.units):
            for statement in unit.body:
                for node in everything(statement):
                    if isinstance(node, _ASKING):
                        self._asked.setdefault(node.prompt.key, node)

    def under(self, path: str, exact: bool = True) -> Iterator[RuleItem]:
        """Yield the questions of a step, or with all below it if not `exact`, as entries of the book."""
        for key, node in self._asked.items():
            rest = key.removeprefix(f"{path}.")
            if (rest == key and key != path) or key in self._told or (exact and key != path and "." in rest):
                continue
            self._told.add(key)
            item = self._item(node)
            if item.name or item.below:
                yield item

    def _item(self, node: p.Choose | p.ChooseTogether | p.Menu | p.MenuTogether) -> RuleItem:
        language = self.about.language
        texts = dict(node.prompt.texts)
        known = {one.name: name for one in node.shows if (name := self._member(one.type))}
        asked = sentences(texts.get(language) or next(iter(texts.values()), ""), known)
        options: tuple[RuleItem, ...] = ()
        if isinstance(node, (p.Menu, p.MenuTogether)):
            told = (self._option(node.prompt.key, branch) for branch in node.branches)
            options = tuple(dict.fromkeys(one for one in told if one.name))
        return RuleItem(asked or (word(language, "choose-one") if options else ""), below=options)

    def _option(self, choice: str, branch: p.Branching) -> RuleItem:
        key = f"{choice}.{branch.key}"
        texts, language = self.about.texts, self.about.language
        known = {
            name: member
            for name, type_ in zip(branch.names, branch.member_types, strict=False)
            if (member := self._member(type_))
        }
        name = texts.text(language, f"choice/{key}") or ""
        text = texts.text(language, f"option-text/{key}") or ""
        shown = label(name, known)
        if shown.casefold() == word(language, "a-card"):  # the question says it
            shown = ""
        return RuleItem(shown, sentences(text, {}))

    def _member(self, type_: Type) -> str:
        """Name something of a type: "a player", "a card"; "" for what has no name."""
        language = self.about.language
        if type_.many:
            return ""
        if type_.name == "player":
            return word(language, "a-player")
        if type_.name in ("card", "definition"):
            if not type_.of:
                return word(language, "a-card")
            return word(language, "a-thing", thing=kind_name(self.about, type_.of), vowel=self._vowel(type_.of))
        return ""

    def _vowel(self, kind: str) -> str:
        return "yes" if capital(kind_name(self.about, kind))[:1] in "AEIOU" else "no"


# ---- The course of the game in the rule book: rounds, phases, and steps with their questions
#
# The order comes from the documents of the pack as house rules have changed them.

_CLOCKWISE = re.compile(r"clockwise\((.+)\)")


def course_section(about: About, loaded: Loaded, told: RuleSentences) -> Section:
    """Return the rounds with their phases and steps; then the reactions, and how piles are renewed."""
    language, telling = about.language, _Telling(about, told, Questions(about))
    phases = {one.key: one for one in all_of(loaded, "phase", Phase)}
    blocks: list[RuleBlock] = []
    for round_ in all_of(loaded, "round", Round):
        name = about.texts.text(language, f"round/{round_.key}") or ""
        order = [phase.text for phase in round_.phases if phase.text in phases]
        if order and name:
            names = tuple(RuleItem(_phase_name(about, key)) for key in order)
            blocks.append(RuleBlock(texts=(word(language, "round-of", round=name.lower()),), steps=names))
        blocks.append(telling.block(name, round_, *_time(told, round_)))
        blocks += (telling.block(_phase_name(about, key), phases[key]) for key in order)
    for sort in ("window", "claim"):
        for one in all_of(loaded, sort, Titled):
            asked = tuple(telling.questions.under(one.key, exact=False))
            name = about.texts.text(language, f"{sort}/{one.key}") or ""
            heading = ": ".join(filter(None, (word(language, "reactions"), name)))
            blocks.append(RuleBlock(heading, texts=paragraphs(about, one), items=asked))
    blocks.append(RuleBlock(word(language, "renewed"), texts=tuple(_renewed(about, told))))
    return section("course", word(language, "course"), *blocks)


class _Telling:
    """What is said of steps; each question is asked once."""

    def __init__(self, about: About, told: RuleSentences, questions: Questions) -> None:
        self.about, self.told, self.questions = about, told, questions

    def block(self, name: str, part: Phase | Round, *made: str) -> RuleBlock:
        """Return a phase, or a round with its own steps: the pack's text, else what was `made`, and the steps."""
        texts = paragraphs(self.about, part) or made
        steps = tuple(self._steps(part.key, part.steps))
        if len(steps) == 1:  # it needs no number
            return RuleBlock(capital(name), texts=(*texts, steps[0].name), items=steps[0].below)
        return RuleBlock(capital(name), texts=texts, steps=steps)

    def _steps(self, path: str, steps: Steps | None) -> Iterator[RuleItem]:
        for step in steps.items if steps is not None else ():
            yield from self._step(path if step.id is None else f"{path}.{step.id.text}", step)

    def _step(self, path: str, step: Step) -> Iterator[RuleItem]:
        """Yield what the pack says of a step, else its name, else what its effect says; with its questions."""
        if not self.told.happens(path):
            return
        own = step_text(self.about, step)
        if own is not None:
            asked = tuple(one for one in self.questions.under(path, exact=False) if one.below)  # menus
            yield from (RuleItem(line, below=asked if n == 0 else ()) for n, line in enumerate(own))
            return
        name = step_name(self.about, path)
        inner = tuple(self._steps(path, step.steps))
        asked = tuple(self.questions.under(path))
        said = name or (self.told.of_step(path) if not inner and not asked else "")
        turns = self._turns(step)
        if said or turns:
            said = " ".join(filter(None, (said, turns)))
            yield RuleItem(said, below=(*asked, *inner))
        else:
            yield from asked
            yield from inner

    def _turns(self, step: Step) -> str:
        """Return who takes a step: all players in an order, or all at once."""
        if step.together is not None and step.together.text == "players":
            return self.told.say("together")
        order = step.turns or step.queue
        found = _CLOCKWISE.fullmatch(order.text) if order is not None else None
        first = self.told.player(found[1]) if found is not None else ""
        if first:
            return self.told.say("each-in-turn", player=first)
        return self.told.say("in-turn") if order is not None and order.text == "players" else ""


def _time(told: RuleSentences, round_: Round) -> Iterator[str]:
    """Yield who takes turns in a round, and when it ends."""
    first = told.player(round_.turns_from.text) if round_.turns_from is not None else ""
    if first:
        yield told.say("turns", player=first)
    condition = told.ends(round_.key)
    if condition:
        each = told.say("a-turn" if round_.turns_from is not None else "a-round")
        yield told.say("until", round=each, condition=condition)


def _renewed(about: About, told: RuleSentences) -> Iterator[str]:
    """Yield how piles that refill are renewed."""
    for zone in about.program.zones:
        if zone.refill:
            key = "refill-at-once" if zone.eager else "refill"
            yield capital(told.say(key, zone=told.zone(zone.key), source=told.zone(zone.refill)))


def _phase_name(about: About, key: str) -> str:
    return capital(about.texts.text(about.language, f"phase/{key}") or key.replace("-", " "))


# ---- The end in the rule book: when it comes, what scores, and who wins

_EXTREME = re.compile(r"(most|fewest) ([a-z][a-z0-9-]*)")


def end_section(about: About, loaded: Loaded, told: RuleSentences) -> Section:
    """Return what is shown at the end, what points are for, and who wins."""
    language = about.language
    awards = {one.key: one for one in all_of(loaded, "award", Award)}
    blocks: list[RuleBlock] = []
    for finish in all_of(loaded, "finish", FinishDocument):
        texts = list(paragraphs(about, finish))
        if finish.reveals:
            zones = join([zone_name(about, zone.text).lower() for zone in finish.reveals], language)
            texts.append(word(language, "shown-at-end", zones=zones))
        blocks.append(RuleBlock(texts=tuple(texts), steps=tuple(_end_steps(about, finish, told))))
        listed = (awards[key.text] for key in finish.awards if key.text in awards)
        scored = dict.fromkeys(filter(None, (_award(about, one) for one in listed)))
        blocks.append(RuleBlock(word(language, "points"), items=tuple(scored)))
    for winner in all_of(loaded, "winner", Winner):
        blocks.append(RuleBlock(word(language, "who-wins"), texts=tuple(_winner(about, winner))))
    return section("end", word(language, "end"), *blocks)


def _end_steps(about: About, finish: FinishDocument, told: RuleSentences) -> Iterator[RuleItem]:
    """Yield the steps at the end: what the pack says of each, else its name, else what its effect says."""
    for path, step in walk(finish.key, finish.steps):
        own = step_text(about, step)
        said = own if own is not None else (step_name(about, path) or told.of_step(path),)
        yield from (RuleItem(one) for one in said if one and told.happens(path))


def _award(about: About, award: Award) -> RuleItem | None:
    language = about.language
    name = about.texts.text(language, f"award/{award.key}")
    text = about.texts.text(language, f"award/{award.key}.text")
    if name is None and text is None:
        return None
    told = [text if name and text else "", _prize(about, award)]
    if award.when is not None:
        told.append(f"({word(language, 'in-some-games')})")
    return RuleItem(capital(name or text or ""), " ".join(filter(None, told)))


def _prize(about: About, award: Award) -> str:
    """Return the points of an award, if they are numbers."""
    language, prize = about.language, award.prize
    if prize is not None and prize.alone is not None and prize.alone.text.isdigit():
        told = word(language, "points-alone", alone=int(prize.alone.text))
        if prize.shared is not None and prize.shared.text.isdigit():
            told += f"; {word(language, 'points-shared', shared=int(prize.shared.text))}"
        return told
    if isinstance(award.prizes, ScalarNode):
        numbers = value_lists(about).get(award.prizes.text, ())
    else:
        numbers = tuple(int(one.text) for one in award.prizes or () if one.text.isdigit())
    return word(language, "points-by-place", points=join([*map(str, numbers)], language)) if numbers else ""


def _winner(about: About, winner: Winner) -> Iterable[str]:
    language = about.language
    yield from paragraphs(about, winner)
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


# ---- The set-up in the rule book: where everything is, and what is done before the first turn

_ANNOUNCED = re.compile(r"\bannounce ([a-z][a-z0-9-]*)")


def set_up_section(about: About, loaded: Loaded, told: RuleSentences) -> Section:
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
        RuleItem(zone_name(about, zone), ", ".join(f"{n} × {kind_name(about, kind)}" for kind, n in held.items()))
        for zone, held in placed.items()
    ]
    numbers = values(about)
    for track in about.program.tracks:
        start = numbers.get(getattr(track.start, "value", ""), getattr(track.start, "value", 0))
        name = track_name(about, track.key, start) if isinstance(start, int) and track.of.name == "number" else None
        if start and name:
            whose = word(language, "per-player" if "player" in track.scope else "shared")
            items.append(RuleItem(capital(name), f"{start} ({whose})" if "player" in track.scope else f"{start}"))
    blocks = [RuleBlock(items=tuple(items))]
    for setup in all_of(loaded, "setup", SetupDocument):
        blocks.append(RuleBlock(texts=paragraphs(about, setup), steps=tuple(_steps(about, setup, told))))
    return section("set-up", word(language, "set-up"), *blocks)


def _steps(about: About, setup: SetupDocument, told: RuleSentences) -> Iterator[RuleItem]:
    """Yield the steps: what the pack says of each, else its name, else what its effect says in words."""
    known = {key: str(value) for key, value in values(about).items()}
    done: list[str] = []
    for path, step in walk(setup.key, setup.steps):
        if any(path.startswith(f"{one}.") for one in done):
            continue
        own = step_text(about, step)
        if own is not None or not told.happens(path):
            done.append(path)
            yield from map(RuleItem, own or () if told.happens(path) else ())
            continue
        if name := step_name(about, path):
            yield RuleItem(name)
        elif made := told.of_step(path):
            yield RuleItem(made)
        for key in _ANNOUNCED.findall(step.do.text) if isinstance(step.do, ScalarNode) and not step.when else ():
            line = sentences(about.texts.text(about.language, f"message/{key}") or "", known)
            if line:
                yield RuleItem(line)


# ---- Rule book

@frozen
class RuleBook:
    """A book: its title, the lines below it, the aim of the game, and the sections."""

    title: str
    lines: tuple[str, ...]
    aim: str
    cover: Face | None
    sections: tuple[Section, ...]


def rule_book(about: About, loaded: Loaded) -> RuleBook:
    """Build the book; sections without contents are left out."""
    language, program = about.language, about.program
    least = "same" if program.least_players == program.most_players else str(program.least_players)
    lines = [word(language, "players", least=least, most=program.most_players)]
    lines.append(word(language, "version", version=about.version))
    if about.whole != about.game:
        lines.append(word(language, "with-house-rules", packs=about.whole.removeprefix(f"{about.game} + ")))
    told = RuleSentences(about)
    sections = (
        _house_rules(about, loaded),
        box_section(about),
        set_up_section(about, loaded, told),
        table_section(about),
        course_section(about, loaded, told),
        end_section(about, loaded, told),
        cards_section(about, told),
        options_section(about),
        _rulings(about),
    )
    kept = tuple(section for section in sections if section.blocks)
    return RuleBook(about.game, tuple(lines), about.text, _cover(kept), kept)


def _cover(sections: Sequence[Section]) -> Face | None:
    faces = (entry.face for section in sections for block in section.blocks for entry in block.cards)
    return next((face for face in faces if face.emblem is not None), None)


def _house_rules(about: About, loaded: Loaded) -> Section:
    """Return what house rules say of their changes."""
    told = (in_language(about, deed.text) for deed in loaded.composed.deeds if deed.text is not None)
    items = tuple(RuleItem(" ".join(text.split())) for text in dict.fromkeys(told) if text)
    first = word(about.language, "house-rules-first")
    return section("house-rules", word(about.language, "house-rules"), RuleBlock(items=items, note=first))


def _rulings(about: About) -> Section:
    roots = [files.root for files in about.compiled.packs.asked] or [about.compiled.root]
    found = [one for root in roots for one in rulings_of(root, about.language)]
    return Section("rulings", word(about.language, "rulings"), (RuleBlock(rulings=tuple(found)),) if found else ())


# ------------------------------------------------------------------ The page of a rule book, as HTML for print

def book_page(about: About, book: RuleBook, paper: Size) -> str:
    size = Markup("@page {{ size: {:g}mm {:g}mm; }}").format(paper.width, paper.height)
    return page(
        "rule_book.html",
        language=about.language,
        title=word(about.language, "rules", game=about.game),
        styles=(static("fonts.css"), static("tones.css"), own_tones(about.looks), static("rule_book.css"), size),
        book=book,
        words={"rules": word(about.language, "rules-of"), "contents": word(about.language, "contents")},
        **shapes(about),
    )
