"""`rulewright replay`: print the log of a saved game from its journal alone."""

from __future__ import annotations

from rulewright.interpreter.game.game import Game, RuleFault, replaying
from rulewright.interpreter.game.journal import Divergence
from rulewright.interpreter.game.replay import replay_steps
from rulewright.tools.common.errors import CLEAN, FINDINGS, Failure
from rulewright.tools.common.player_messages import in_language, problem
from rulewright.tools.common.untrusted import TimeBudget, blamed
from rulewright.tools.display.game_log import Chronicle
from rulewright.tools.display.screen import Screen
from rulewright.tools.playing.kept_rules import names_of
from rulewright.tools.playing.save_file import is_ours_alone, located, read_journal

_GOES_ON = {
    "en": "The journal ends here. To resume the game: rulewright play --resume {file}",
    "es": "El diario acaba aquí. Para seguir la partida: rulewright play --resume {file}",
}
_TORN = {
    "en": "The last line of the journal is incomplete and was ignored.",
    "es": "La última línea del diario está incompleta y se ha descartado.",
}


def replay(file: str, language: str, pack: str | None) -> int:
    """Print the log of the game; if the journal fails to replay, print the log up to that point, and fail."""
    file = located(file)
    with in_language(language), blamed(file):
        return _replay(file, language, pack)


def _replay(file: str, language: str, pack: str | None) -> int:
    budget = TimeBudget(is_ours_alone(file))
    with budget.bounded():
        journal, torn = read_journal(file)
    table = journal.program
    names = names_of(table, pack)
    texts, language = names.texts, names.language(language)
    chronicle = Chronicle(table, texts, language, layout=names.layout)
    screen = Screen(chronicle.narrator)
    about = texts.text(screen.narrator.language, f"pack/{table.pack}.text")
    book = names.book
    screen.title(journal.header.seed, journal.header.game, about, book.program if book is not None else None)
    if torn:
        screen.sentence(_TORN[screen.narrator.language])
    told = 0
    try:
        with budget.bounded():
            game = Game.start(table, journal.header.seed, game=journal.header.game)
            with replaying(game):
                for _ in replay_steps(journal, game):
                    events = game.events(since=told)
                    told += len(events)
                    screen.lines(chronicle.tell(events))
    except (Divergence, RuleFault) as wrong:
        screen.lines(chronicle.rest())
        raise Failure(problem("not-to-its-end", file=file, why=wrong.spoken), FINDINGS) from None
    screen.lines(chronicle.tell(game.events(since=told)))
    screen.lines(chronicle.rest())
    if game.result is None:
        screen.console.print()
        screen.sentence(_GOES_ON[screen.narrator.language].format(file=file))
    else:
        views = [game.view(seat) for seat in range(table.seats)]
        screen.result(game.result, game.events(), views, names.layout)
    return CLEAN
