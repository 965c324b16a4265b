"""Keeping a game in play on disk: where, with which header, and what happens when the place changes."""

from __future__ import annotations

import os

from attrs import define, evolve, field

from interpreter.game.game import Game
from interpreter.game.journal import Journal, Play
from tools.common.errors import Usage
from tools.playing.games_folder import forget, new_game, short
from tools.playing.save_file import SaveFile
from tools.playing.saves import check_target, fresh_name


@define
class Keeper:
    """Keeps one game. Without a file it keeps nothing, until the player or the end of the session names one."""

    play: Play = field(factory=lambda: Play((), "en"))
    file: SaveFile | None = None
    replacing: bool = False
    """The file holds another game, which is replaced by the first answer and not before."""

    @property
    def name(self) -> str:
        """The file, as it is named on the command line."""
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
        """Bring the file to what the game holds; with `sync`, to the disk. Raises Usage."""
        if self.file is None or (self.replacing and not game.journal.entries):
            return
        self.file.follow(self._journal(game), sync)
        self.replacing = False

    def _journal(self, game: Game) -> Journal:
        private = self.file is not None and self.file.private
        play = evolve(self.play, over=game.result is not None, pack=self.play.pack if private else None)
        journal = game.journal
        return evolve(journal, header=evolve(journal.header, play=play))

    def move(self, file: str, game: Game) -> None:
        """Save in another file from now on. Raises Usage; then the game stays where it was."""
        if self.file is not None and os.path.abspath(file) == os.path.abspath(self.file.file):
            self.keep(game)
            return
        check_target(file)
        other = Keeper(self.play, SaveFile(file))
        assert other.file is not None
        other.file.lock()
        try:
            other.keep(game)
        except Usage:
            other.file.close()
            raise
        if self.file is not None:
            if self.file.private and self.file.begun:
                self.file.remove()  # the player's own file has it all
            else:
                self.file.close()
        self.file, self.replacing = other.file, False

    def end(self, game: Game, seed: int, answers: int) -> bool:
        """Save for the last time; True if there is a file afterwards. A game without an answer leaves none.

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


def kept_at(save: str | None, pack: str, seed: int, play: Play, interactive: bool) -> Keeper:
    """The keeper of a new game: in the file that is named or, if a person plays, in the user's folder.

    Raises Usage where it cannot be saved there; InUse if another process plays the game in the file.
    """
    if save is not None:
        check_target(save)
        file = SaveFile(save)
        return Keeper(play, file, replacing=file.lock())
    return Keeper(play, new_game(pack, seed) if interactive else None)
