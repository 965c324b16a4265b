"""The contract of every game: exactly the offered answers are accepted, games end, no card is lost."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.interpreter.game.game import Game, decode_state, encode
from rulewright.interpreter.state.chance import Stream
from rulewright.interpreter.views.decision import Decision, picks, resolve
from rulewright.interpreter.views.refusals import Refusal
from rulewright.ruleset.table.nodes import TableProgram
from tests.suites.play import (
    answer,
    check_cards,
    check_knowledge,
    engine,
    random_answer,
    random_decision,
    random_play,
)


def contract(program: TableProgram, games: int, seed: int, backend: str) -> None:
    """Plays random games and checks the contract along them. Raises AssertionError with details."""
    plays = engine(program, backend)
    for index in range(games):
        stream = Stream(seed, index)
        for number, game in enumerate(random_play(plays, seed, index, stream)):
            where = f"game {index} of seed {seed}, answer {number}: "
            try:
                check_state(game)
                if game.result is not None:
                    check_end(game)
                elif stream.below(3) == 0:
                    check_answers(game, stream)
            except AssertionError as error:
                raise AssertionError(where + str(error)) from error


def check_state(game: Game) -> None:
    """Cards are conserved, knowledge is true, the state goes to bytes and back."""
    state, knowledge = game.state, game.knowledge
    check_cards(game.program, state)
    check_knowledge(game.program, state, knowledge)
    assert decode_state(game.program, encode(game.program, state, knowledge)) == (state, knowledge)
    assert (game.result is None) == bool(game.decisions), "a game either asks or is over"


def check_end(game: Game) -> None:
    """A game that is over has a result that makes sense, and takes no answers."""
    result = game.result
    assert result is not None
    seats = game.program.seats
    assert len(result.scores) == len(result.alive) == seats
    assert set(result.winners) <= set(range(seats))
    for seat in range(seats):
        _refused(game, seat, (), "over")


def check_answers(game: Game, stream: Stream) -> None:
    """Legal answers are taken, others refused; clones and undo; the order of simultaneous answers."""
    for decision in game.decisions:
        assert 0 <= decision.least <= decision.most <= sum(option.count for option in decision.options)
        keys = [option.key for option in decision.options]
        assert len(keys) == len(set(keys)), f"option keys are not unique: {keys}"
        for seat, keys_given, reason in bad_answers(game, decision):
            _refused(game, seat, keys_given, reason)
        _check_picks(decision, stream)
    _check_clone_and_undo(game, stream)
    _check_order(game, stream)


def bad_answers(game: Game, decision: Decision) -> Iterator[tuple[int, tuple[str, ...], str]]:
    """Illegal answers to a decision, with who gives them and the reason they must be refused for."""
    full = [option.key for option in decision.options for _ in range(option.count)]
    yield decision.seat, ("no-such-option", *full[: decision.least])[: decision.most + 1], "unknown-option"
    if decision.least > 0:
        yield decision.seat, tuple(full[: decision.least - 1]), "too-few"
    if decision.most < len(full):
        yield decision.seat, tuple(full[: decision.most + 1]), "too-many"
    for first in decision.options[:1]:
        yield decision.seat, (first.key,) * (first.count + 1), "too-many-of-option"
    asked = {one.seat for one in game.decisions}
    for seat in (-1, *range(game.program.seats + 1)):
        if seat not in asked:
            yield seat, tuple(full[: decision.least]), "not-your-decision"


def _refused(game: Game, seat: int, keys: tuple[str, ...], reason: str) -> None:
    before = (game.state, game.knowledge, game.events(), game.journal.entries)
    outcome = game.apply(seat, keys)
    assert isinstance(outcome, Refusal), f"{keys} of seat {seat} was taken; expected {reason}"
    assert outcome.reason == reason, f"{keys} of seat {seat}: {outcome.reason} instead of {reason}"
    assert outcome.message, "a refusal says why"
    after = (game.state, game.knowledge, game.events(), game.journal.entries)
    assert before == after, f"a refusal ({reason}) changed the game"


def _check_picks(decision: Decision, stream: Stream) -> None:
    """Any way through the picks ends in a legal answer."""
    partial: list[str] = []
    while True:
        step = picks(decision, partial)
        if step.may_stop and (not step.options or stream.below(2) == 0):
            break
        assert step.options, f"stuck after {partial}"
        partial.append(step.options[stream.below(len(step.options))].key)
    assert not isinstance(resolve(decision, partial), Refusal), f"the picks {partial} are no answer"


def _check_clone_and_undo(game: Game, stream: Stream) -> None:
    decision = random_decision(game, stream)
    keys = random_answer(decision, stream)
    before = (game.state, game.knowledge, game.events(), game.decisions)
    clone = game.clone()
    answer(clone, decision, keys)
    assert before == (game.state, game.knowledge, game.events(), game.decisions), "a clone is not independent"
    after = (clone.hash, clone.knowledge, clone.events())
    assert clone.undo()
    assert before == (clone.state, clone.knowledge, clone.events(), clone.decisions), "undo does not restore"
    answer(clone, decision, keys)
    assert after == (clone.hash, clone.knowledge, clone.events()), "the same answer has two outcomes"


def _check_order(game: Game, stream: Stream) -> None:
    """Simultaneous decisions may be answered in any order."""
    if len(game.decisions) < 2:
        return
    answers = [(decision, random_answer(decision, stream)) for decision in game.decisions]
    forth, back = game.clone(), game.clone()
    for decision, keys in answers:
        answer(forth, decision, keys)
    for decision, keys in reversed(answers):
        answer(back, decision, keys)
    assert forth.hash == back.hash, "the order of simultaneous answers changes the state"
    assert forth.events() == back.events(), "the order of simultaneous answers changes what is told"
