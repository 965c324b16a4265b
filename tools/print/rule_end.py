"""The end in the rule book: when it comes, what scores, and who wins."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rulewright.ruleset.documents.flow import Award, Finish, Winner
from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.source.nodes import ScalarNode
from rulewright.tools.diffs.messages import join
from rulewright.tools.print.about import About
from rulewright.tools.print.rule_components import track_name, zone_name
from rulewright.tools.print.rule_documents import all_of, paragraphs, step_name, step_text, value_lists, walk
from rulewright.tools.print.rule_parts import Block, Item, Section, capital, section
from rulewright.tools.print.rule_sentences import Sentences
from rulewright.tools.print.words import word

_EXTREME = re.compile(r"(most|fewest) ([a-z][a-z0-9-]*)")


def end_section(about: About, loaded: Loaded, told: Sentences) -> Section:
    """Return what is shown at the end, what points are for, and who wins."""
    language = about.language
    awards = {one.key: one for one in all_of(loaded, "award", Award)}
    blocks: list[Block] = []
    for finish in all_of(loaded, "finish", Finish):
        texts = list(paragraphs(about, finish))
        if finish.reveals:
            zones = join([zone_name(about, zone.text).lower() for zone in finish.reveals], language)
            texts.append(word(language, "shown-at-end", zones=zones))
        blocks.append(Block(texts=tuple(texts), steps=tuple(_steps(about, finish, told))))
        listed = (awards[key.text] for key in finish.awards if key.text in awards)
        scored = dict.fromkeys(filter(None, (_award(about, one) for one in listed)))
        blocks.append(Block(word(language, "points"), items=tuple(scored)))
    for winner in all_of(loaded, "winner", Winner):
        blocks.append(Block(word(language, "who-wins"), texts=tuple(_winner(about, winner))))
    return section("end", word(language, "end"), *blocks)


def _steps(about: About, finish: Finish, told: Sentences) -> Iterator[Item]:
    """Yield the steps at the end: what the pack says of each, else its name, else what its effect says."""
    for path, step in walk(finish.key, finish.steps):
        own = step_text(about, step)
        said = own if own is not None else (step_name(about, path) or told.of_step(path),)
        yield from (Item(one) for one in said if one and told.happens(path))


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
