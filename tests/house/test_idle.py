"""Changes without any effect on the game get a warning of their own, and no others do."""

from __future__ import annotations

import pytest

from rulewright.interpreter.backends.factory import make
from rulewright.interpreter.backends.policies import play_out
from rulewright.interpreter.state.chance import Stream
from rulewright.interpreter.views.view import result
from rulewright.ruleset.lower.lowering import lower
from rulewright.ruleset.pipeline import Loaded
from rulewright.ruleset.table.canonical import program_hash
from tests.house.strangers import FLIPPED
from tests.house.together import codes, together

WEIGHT = "change: kind/charm\nadd: {fields: {weight: {type: 0 to 9, default: 1}}}"
NOTHING = {
    "a value as it was": "change: charm/bell\nset: {cost: {was: 3, to: 3}}",
    "a value as it is": "change: charm/bell\nset: {cost: 3}",
    "the same effect in other words": "change: charm/bell.play\nset: |\n  draw (1)   # one\n",
    "every, all as they are": "change: every charm where cost is 3\nset: {cost: 3}",
    "a field that has its default": f"change: charm/bell\nset: {{weight: 1}}\n---\n{WEIGHT}",
    "a field without which it has its default": (
        f"change: charm/owl\nremove: [weight]\n---\n{WEIGHT}\n---\ncharm: owl\ncost: 1\nweight: 1"
    ),
    "a part before the whole": (
        "change: value/hand-size\nset: {by-players.2: 9}\n---\nchange: value/hand-size\nset: 5"
    ),
}
IDLE = {
    "what is put before a step and never happens": (
        "change: step/market.buy\nbefore: {id: alms, when: rounds > 5 and rounds < 3, do: rounds += 1}"
    ),
    "sentences that never happen": "change: verb/draw\nafter: |\n  if false: rounds += 1",
    "a hook that never happens": "hook: alms\nafter: verb/draw\nwhen: rounds > 5 and rounds < 3\ndo: rounds += 1",
    "an `instead-of` that never happens": (
        "hook: alms\ninstead-of: verb/draw\nwhen: rounds > 5 and rounds < 3\ndo: rounds += 1"
    ),
    "only proceed": "change: verb/draw\naround: proceed",
    "only proceed, with several sentences": "change: verb/discard-card\naround: proceed",
    "proceed beside what does nothing": "change: verb/draw\naround: |\n  coins += 0\n  proceed\n  do nothing",
    "proceed under a condition that holds": "change: verb/draw\naround: |\n  if true: proceed",
    "a step around another": "change: step/market.count\naround: {id: late, unless: false}",
    "do nothing": "change: verb/draw\nafter: do nothing",
    "adding 0": "change: verb/draw\nafter: coins += 0",
    "subtracting 0 in a branch": "change: verb/draw\nafter: |\n  if rounds > 3: coins -= 1 - 1",
    "adding 0 for each player": "change: verb/draw\nafter: |\n  each p in players: p's coins += 0 * rounds",
    "a thing assigned to itself": "change: verb/draw\nbefore: rounds = rounds + 0",
    "a list assigned to itself": "change: verb/rest\nbefore: arrivals = arrivals",
    "a name that nothing reads": "change: verb/draw\nbefore: |\n  let more = rounds + 1\n  let most = more",
    "a verb that does nothing": "change: verb/draw\nbefore: idle\n---\nverb: idle(s)\ndo: coins += 0",
    "a hook that adds 0": "hook: alms\nafter: verb/draw\ndo: rounds += 0",
    "a hook that waits and does nothing": (
        "hook: alms\nafter: verb/draw\nwaits: true\ndo: do nothing\n---\nchange: verb/rest\nafter: await alms"
    ),
    "a modifier that gives the result": "modifier: alms\nchanges: price\nis: result + 0",
    "a modifier that multiplies by 1": "modifier: alms\nchanges: price\nis: 1 * result",
    "adding a difference of equals": "change: verb/draw\nafter: rounds += count(row) - count(row)",
    "dividing by 1": "change: verb/draw\nafter: rounds = rounds div 1",
    "a step that adds 0": "change: step/market.count\nbefore: {id: alms, do: rounds += 0}",
}
SOMETHING = {
    "another value": "change: charm/bell\nset: {cost: 4}",
    "every, one of them other": "change: every charm where cost < 4\nset: {cost: 3}",
    "a step for others to fill": "change: step/market.count\nbefore: {id: alms, do: do nothing}",
    "proceed under a condition": "change: verb/draw\naround: |\n  if rounds > 0: proceed",
    "proceed without what is around": "change: verb/draw\naround: |\n  each p in players where p is you: proceed",
    "adding what may be 0": "change: verb/draw\nafter: rounds += count(row)",
    "adding 0 and 1": "change: verb/draw\nafter: |\n  coins += 0\n  rounds += 1",
    "a thing assigned to another": "change: verb/draw\nafter: |\n  each p in players: p's coins = coins",
    "a name that is read": "change: verb/draw\nbefore: |\n  let more = rounds\n  rounds = more + 1",
    "an `instead-of` that does nothing": "hook: alms\ninstead-of: verb/draw\nwhen: rounds > 5\ndo: do nothing",
    "telling something": "change: verb/draw\nafter: announce nightfall",
    "telling something beside adding 0": "change: verb/draw\nafter: |\n  announce nightfall\n  coins += 0",
    "asking without a use": "change: verb/draw\nafter: |\n  choose 1 card from hand as given-up\n  reveal given-up",
    "something only otherwise": "change: verb/draw\nafter: |\n  if rounds > 5: coins += 0\n  else: rounds += 1",
    "there and back, which is told": "change: verb/draw\nafter: |\n  coins += 1\n  coins -= 1",
    "another list": "change: verb/rest\nbefore: arrivals = players",
    "a zone to itself, which is told": "change: verb/draw\nafter: move row to row",
    "a modifier of the other way": "modifier: alms\nchanges: price\nis: 2 - result",
    "a condition that can hold": "change: verb/draw\nafter: |\n  if rounds > 5: rounds += 1",
}


def game(loaded: Loaded) -> list[str]:
    """The games for all numbers of players."""
    program = loaded.program
    assert program is not None
    players = range(program.least_players, program.most_players + 1)
    return [program_hash(lower(program, seats)) for seats in players]


def ends(loaded: Loaded) -> list[tuple[object, ...]]:
    """How some games between random players end."""
    assert loaded.program is not None
    program = lower(loaded.program, 3)
    backend, found = make(program), []
    for number in range(5):
        state = backend.start(3, number)
        play_out(backend, state, Stream(number))
        ended = result(program, state)
        assert ended is not None
        found.append((tuple(ended.scores), tuple(ended.winners)))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("case", NOTHING)
def test_no_difference(case: str) -> None:
    found = together(fog=NOTHING[case])
    assert codes(found) == ["RW639"]
    assert game(found) == game(together(fog=NOTHING[case].partition("---\n")[2]))


@pytest.mark.slow
@pytest.mark.parametrize("case", IDLE)
def test_idle_code(case: str) -> None:
    """It is written down all the same; games go as they would without it."""
    found = together(fog=IDLE[case])
    assert codes(found) == ["RW639"]
    assert ends(found) == ends(together())


@pytest.mark.parametrize("case", SOMETHING)
def test_a_difference(case: str) -> None:
    assert codes(together(fog=SOMETHING[case])) == []


def test_strangers_that_agree() -> None:
    """Each of two may set the same: alone it would make a difference."""
    same = "change: charm/bell\nset: {cost: 4}"
    for names in ({}, FLIPPED):
        assert codes(together(**{names.get(name, name): same for name in ("fog", "rain")})) == []
    assert codes(together(fog=same, rain=f"after: [fog]\n...\n{same}")) == []
    assert codes(together(fog=same, rain=f'requires: {{fog: "*"}}\n...\n{same}')) == ["RW639"]


def test_overruled_later() -> None:
    """Who comes later may say something else, and set it back."""
    first = "change: charm/bell\nset: {cost: 4}"
    assert codes(together(fog=first, rain="after: [fog]\n...\nchange: charm/bell\nset: {cost: 5}")) == []
    back = 'requires: {fog: "*"}\n...\nchange: charm/bell\nset: {cost: 3}'
    assert codes(together(fog=first, rain=back)) == []


def test_nothing_reads_it() -> None:
    """A value of the game that no rule of it speaks of any more."""
    plain = "values: {spare: 3}"
    change = 'requires: {fog: "*"}\n...\nchange: value/spare\nset: 4'
    assert codes(together(fog=plain, rain=change)) == ["RW639"]
    read = f"{plain}\n---\nchange: verb/draw\nafter: rounds += spare"
    assert codes(together(fog=read, rain=change)) == []
