"""Bots that lean towards a definition or away from it, and play like another bot in everything else.

A bot that *avoids* a definition at a site leaves it out of the options whenever enough others remain. A bot that
*takes* it prefers it to what it would choose otherwise: always, or in one of several decisions; before all answers
of the bot for that site, or only after some of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve, frozen

from rulewright.interpreter.views.visibility import ALL_DEFINITIONS
from rulewright.ruleset.table.nodes import UNRANKED, BotAnswer, BotInfo, Bots, Ranking, Score, TableProgram
from rulewright.tools.balance.subjects import Subject, Trial

FOUND = -2
"""The rank of options that are about the definition."""
CHANCES = (1, 3, 9)
"""A definition is taken in one of so many decisions."""


@frozen
class Use:
    """How a definition is taken: after `after` answers of the bot for the site, in one of `chance` decisions."""

    after: int
    chance: int


def uses(program: TableProgram, bot: str, site: int, chances: Sequence[int] = CHANCES) -> tuple[Use, ...]:
    """Return the possible uses at a site. Nothing follows a bot's last answer, which rarely leaves a choice."""
    answers = sum(answer.site == site for answer in _bot(program, bot).answers)
    return tuple(Use(after, chance) for after in range(max(1, answers)) for chance in chances)


def avoiding(program: TableProgram, bot: str, key: str, trial: Trial) -> BotInfo:
    """Return a bot with a key that plays like `bot` (empty: at random) but avoids the definition of a trial."""
    return leaning(program, bot, key, (), (trial,))


def taking(program: TableProgram, bot: str, key: str, trial: Trial, use: Use) -> BotInfo:
    """Return a bot that takes the definition of a trial."""
    return leaning(program, bot, key, ((trial, use),), ())


def leaning(
    program: TableProgram,
    bot: str,
    key: str,
    taken: Sequence[tuple[Trial, Use]],
    avoided: Sequence[Trial],
) -> BotInfo:
    """Return a bot that takes and avoids definitions; at the same place, it prefers those that come first."""
    info = _bot(program, bot)
    rankings = info.rankings
    answers: list[BotAnswer] = []
    for trial in avoided:
        rankings, first = _ranked(program, rankings, trial)
        answers.append(BotAnswer(trial.site, -1, first, "avoid"))
    placed: list[tuple[int, BotAnswer]] = []
    for trial, use in taken:
        rankings, first = _ranked(program, rankings, trial)
        own = [place for place, answer in enumerate(info.answers) if answer.site == trial.site]
        place = own[use.after] if use.after < len(own) else len(info.answers)
        placed.append((place, BotAnswer(trial.site, -1, first, "", use.chance)))
    for place in range(len(info.answers) + 1):
        answers += [answer for at, answer in placed if at == place]
        answers += info.answers[place : place + 1]
    return BotInfo(key, tuple(answers), rankings)


def playing_like(program: TableProgram, bot: str, key: str) -> BotInfo:
    """Return a bot with another key that plays like a bot."""
    return evolve(_bot(program, bot), key=key)


def with_bots(program: TableProgram, bots: Sequence[BotInfo]) -> TableProgram:
    """Return a table with more bots. Its library is the same, since bots are data to it."""
    known = program.bots or Bots((), (), (), ())
    return evolve(program, bots=evolve(known, bots=(*known.bots, *bots)))


def _bot(program: TableProgram, key: str) -> BotInfo:
    bots = program.bots.bots if program.bots is not None else ()
    return next((bot for bot in bots if bot.key == key), BotInfo("", (), ()))


def _ranked(
    program: TableProgram, rankings: Sequence[Ranking | Score], trial: Trial
) -> tuple[tuple[Ranking | Score, ...], int]:
    """Return rankings with those that find options about a definition, and the number of the first of these."""
    found: list[Ranking | Score] = list(rankings)
    members, faces = _numbers(program, trial.subject)
    kinds = {kind for kind, _ in program.definitions}

    def following(parts: Sequence[str], radix: Sequence[int]) -> int:
        if not parts:
            return UNRANKED
        place = len(found)
        found.append(Ranking(False, 0, (), UNRANKED))
        cases = faces if parts[0] == "card" else members if parts[0] in kinds else ()
        rest = following(parts[1:], radix[1:])
        found[place] = Ranking(parts[0] == "card", radix[0], tuple((one, FOUND) for one in cases), rest)
        return place

    site, first = program.sites[trial.site], len(found)
    if site.of != "menu":
        following((site.of,), (0,))
        return tuple(found), first
    found.append(Ranking(False, 0, (), UNRANKED))
    cases = [(n, following(one.members, one.radix)) for n, one in enumerate(site.branches) if one.members]
    found[first] = Ranking(False, len(site.branches), tuple(cases), UNRANKED)
    return tuple(found), first


def _numbers(program: TableProgram, subject: Subject) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the number of a definition as a value of options, and the faces of its cards."""
    known = dict(program.definitions)
    listed = known.get(ALL_DEFINITIONS, known[subject.kind])
    cards = (card for card in program.cards if (card.kind, card.definition) == (subject.kind, subject.key))
    return (listed.index(subject.key),), tuple(sorted({card.face for card in cards}))
