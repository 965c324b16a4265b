"""Save a game in play: the place, the header, and changes of place."""

from __future__ import annotations

import os

from attrs import define, evolve, field

from rulewright.interpreter.game.game import Game
from rulewright.interpreter.game.journal import Journal, Play
from rulewright.tools.common.errors import Usage
from rulewright.tools.playing.games_folder import forget, new_game, short
from rulewright.tools.playing.save_file import SaveFile
from rulewright.tools.playing.saves import check_target, fresh_name


@define
class Keeper:
    """Saves one game. Without a file nothing is saved, until the player or the end of the session names one."""

    play: Play = field(factory=lambda: Play((), "en"))
    file: SaveFile | None = None
    replacing: bool = False
    """The file contains another game, which is replaced at the first answer."""

    @property
    def name(self) -> str:
        """The name of the file for the command line."""
        return short(self.file.file) if self.file is not None else ""

    def begin(self, game: Game) -> None:
        """Write the file of a new game. Raises Usage."""
        if self.file is not None and not self.replacing:
            new = not os.path.lexists(self.file.file)
            self.keep(game)
            self.file.begun = new
            if self.file.private:
                forget()

    def keep(self, game: Game, sync: bool = True) -> None:
        """Update the file to the state of the game; with `sync`, wait for the disk. Raises Usage."""
        if self.file is None or (self.replacing and not game.journal.entries):
            return
        self.file.follow(self._journal(game), sync)
        self.replacing = False

    def _journal(self, game: Game) -> Journal:
        play = evolve(self.play, over=game.result is not None)
        journal = game.journal
        return evolve(journal, header=evolve(journal.header, play=play))

    def move(self, file: str, game: Game, overwrite: bool = False) -> None:
        """Save in another file from now on. Raises Usage, and then keeps the old file.

        A file that holds anything but this game is replaced only with `overwrite`.
        """
        if self.file is not None and os.path.abspath(file) == os.path.abspath(self.file.file):
            self.keep(game)
            return
        check_target(file)
        other = Keeper(self.play, SaveFile(file))
        assert other.file is not None
        other.file.lock_for(game.journal, overwrite)
        try:
            other.keep(game)
        except Usage:
            other.file.close()
            raise
        if self.file is not None:
            if self.file.private and self.file.begun:
                self.file.remove()  # the player's own file is complete
            else:
                self.file.close()
        self.file, self.replacing = other.file, False

    def end(self, game: Game, seed: int, answers: int) -> bool:
        """Save for the last time; return whether a file remains. A game without answers leaves none.

        Raises Usage.
        """
        if not answers:
            if self.file is not None:
                if self.file.begun:
                    self.file.remove()
                self.file.close()
            return False
        if self.file is None:
            self.move(fresh_name(game.program.pack, seed), game)
        else:
            self.keep(game)
        assert self.file is not None
        self.file.close()
        return True


def kept_at(
    save: str | None, game: Game, seed: int, play: Play, interactive: bool, overwrite: bool = False
) -> Keeper:
    """Return the keeper of a game: for the named file or, if a person plays, a file in the user's folder.

    Raises Usage if the game cannot be saved there, InUse if another process plays the game in the file,
    OtherContent if it holds anything but this game and may not be overwritten.
    """
    if save is not None:
        check_target(save)
        file = SaveFile(save)
        return Keeper(play, file, replacing=file.lock_for(game.journal, overwrite))
    return Keeper(play, new_game(game.program.pack, seed) if interactive else None)
