"""What a change of the rules did: the differences between the studies of two tables."""

from __future__ import annotations

import numpy as np
from attrs import frozen

from rulewright.tools.balance.conclusions import Weighed
from rulewright.tools.balance.estimates import Estimate, difference_of, mean_of, standing
from rulewright.tools.balance.leaning_player import LeaningPlayer
from rulewright.tools.balance.outcomes import Ends, Numbers
from rulewright.tools.balance.study import Study
from rulewright.tools.balance.subjects import Subject

PAIRED = 5000
"""Games that are played at both tables."""


@frozen
class Change:
    """A definition before and after; None where it was not weighed, or is not in the game.

    `effects` are those of taking it, at the same choice, in the measure that ranks definitions after the change;
    `difference` is that of the two.
    """

    subject: Subject
    before: Weighed | None
    after: Weighed | None
    effects: tuple[Estimate | None, Estimate | None]
    difference: Estimate | None
    significant: bool


@frozen
class Changes:
    """What differs between two tables.

    `games` is the number of games that both tables played from the same numbers and seed. The estimates are over
    these pairs: of the decisions in a game, of how far the best score is ahead (None without scores), and of the
    share of games that each seat wins, in the order of the seats; empty with different numbers of seats.
    """

    games: int
    decisions: Estimate | None
    margin: Estimate | None
    wins: tuple[Estimate, ...]
    definitions: tuple[Change, ...]


def changes(before: Study, after: Study) -> Changes:
    """Compare two studies, and play the same games at both tables."""
    first, second = (_as_is(study) for study in (before, after))
    kept = ~(first.failed | second.failed)
    margins = [_margins(found) for found in (first, second)]
    scored = any(margin is not None and margin.any() for margin in margins)
    difference = None
    if scored and margins[0] is not None and margins[1] is not None:
        difference = mean_of((margins[1] - margins[0])[kept])
    seats = range(first.seats) if first.seats == second.seats else ()
    wins = (mean_of((second.winners[seat] - first.winners[seat])[kept], 1) for seat in seats)
    return Changes(
        int(kept.sum()),
        mean_of((second.decisions - first.decisions)[kept]),
        difference,
        tuple(one for one in wins if one is not None),
        _definitions(before, after),
    )


def _as_is(study: Study) -> Ends:
    request = study.request
    found = LeaningPlayer(request.program, request.bot, (), request.seed).as_is(0, PAIRED)
    assert found is not None  # nothing stops it
    return found


def _margins(found: Ends) -> Numbers | None:
    """Return by how much the best score is ahead of the second in each game; None with one seat."""
    if found.seats < 2:
        return None
    ordered = np.sort(found.scores, axis=0)
    return np.asarray(ordered[-1] - ordered[-2])


def _definitions(before: Study, after: Study) -> tuple[Change, ...]:
    """Return what happened to each definition: those that changed most surely first."""
    measure = after.measure
    then, now = ({one.subject: one for one in study.weighed} for study in (before, after))
    subjects = list(dict.fromkeys((*now, *then)))
    effects = []
    for subject in subjects:
        choice = (now.get(subject) or then[subject]).choice
        effects.append((_effect(before, subject, choice, measure), _effect(after, subject, choice, measure)))
    differences = [difference_of(was, now) if was and now else None for was, now in effects]
    stands = iter(standing([one.p for one in differences if one is not None]))
    found = [
        Change(one, then.get(one), now.get(one), pair, each, each is not None and next(stands))
        for one, pair, each in zip(subjects, effects, differences, strict=True)
    ]
    return tuple(sorted(found, key=lambda one: -abs(one.difference.mean) if one.difference else 0.0))


def _effect(study: Study, subject: Subject, choice: str, measure: str) -> Estimate | None:
    found = (one for one in study.compared if (one.subject, one.choice) == (subject, choice))
    return next((one.taken.by_measure.get(measure) for one in found), None)
