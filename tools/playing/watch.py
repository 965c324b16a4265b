"""`play --watch`: check every save of the pack during play, and continue under the new rules.

A game is its journal: seed and answers. Under changed rules it is replayed from the beginning with the same
answers. If one does not fit, the person chooses between continuing from there and keeping the old rules.
"""

from __future__ import annotations

import os
import select
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import define, evolve, field
from rich.text import Text

from rulewright.interpreter.game.game import Game, RuleFault
from rulewright.interpreter.game.journal import Divergence
from rulewright.ruleset.findings.render import render
from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.program.nodes import Program
from rulewright.ruleset.source.pack_files import is_yaml
from rulewright.ruleset.table.canonical import program_hash
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.tools.common.errors import Failure
from rulewright.tools.common.output import style_for
from rulewright.tools.display.screen import Screen
from rulewright.tools.packs import loading
from rulewright.tools.packs.loading import Compiled
from rulewright.tools.packs.naming import Naming, naming
from rulewright.tools.packs.pack_set import PackSet
from rulewright.tools.playing.kept_rules import WORDS, changed_files, difference

if TYPE_CHECKING:
    from rulewright.tools.playing.session import Session

TICK = 0.25
"""Interval between checks of the files while waiting for input, in seconds."""
SETTLE = 0.05
"""An editor is considered finished after this time without changes, in seconds."""
_WORDS = {
    "en": {
        **WORDS["en"],
        "ask": "g: go on from there, with the answers before it ({n}). k: keep the rules as they were.",
        "dropped": "What you typed was not taken, since the rules have changed.",
    },
    "es": {
        **WORDS["es"],
        "ask": "g: seguir desde ahí, con las respuestas anteriores ({n}). k: conservar las reglas de antes.",
        "dropped": "Lo que has escrito no se ha tomado, porque las reglas han cambiado.",
    },
}

Stamp = tuple[tuple[str, int, int], ...]
"""Path, time, and size of each file of a pack."""


class Renewed(Exception):  # noqa: N818 - a signal, not an error
    """A valid pack was saved while input was expected."""

    def __init__(self, table: TableProgram, names: Naming, first: bool) -> None:
        super().__init__("the pack was saved")
        self.table = table
        self.names = names
        self.first = first


@define
class PackWatch:
    """Packs that may change. `make` builds the game's table from a new program.

    `played`: the present state of the pack has been read for this game; else the first check treats it as a save.
    """

    roots: tuple[Path, ...]
    make: Callable[[Program], TableProgram]
    played: bool = True
    scenarios: bool = False
    _stamp: Stamp | None = field(init=False, default=None)
    _files: PackSet | None = field(init=False, default=None)

    def __attrs_post_init__(self) -> None:
        if self.played:
            self._stamp = self._stamped()
            self._files = self._read()

    def read(self, screen: Screen, prompt: Text) -> str:
        """Read a line of input. Findings in saved files are shown at once; raises Renewed if they are valid."""
        if not (os.name == "posix" and sys.stdin.isatty()):
            self._look(screen)
            typed = screen.console.input(prompt)
            try:
                self._look(screen)
            except Renewed:
                screen.sentence(self._words(screen)["dropped"])
                raise
            return typed
        screen.console.print(prompt, end="")
        while True:
            told = self._look(screen)
            if told:
                screen.console.print(prompt, end="")
            screen.console.file.flush()
            if select.select([sys.stdin], [], [], TICK)[0]:
                typed = sys.stdin.readline()
                if not typed:
                    raise EOFError
                return typed.removesuffix("\n")

    def asked(self, session: Session, screen: Screen, person: Callable[[], bool]) -> bool:
        """Let a person take their turn, or adopt new rules of the pack."""
        try:
            return person()
        except Renewed as renewed:
            adopt(session, screen, renewed)
            return True

    # -------------------------------------------------------------- looking

    def _look(self, screen: Screen) -> bool:
        """Check the pack if it was saved; return True if something was printed."""
        stamp = self._stamped()
        if stamp == self._stamp:
            return False
        while True:
            time.sleep(SETTLE)
            again = self._stamped()
            if again == stamp:
                break
            stamp = again
        self._stamp = stamp
        words = self._words(screen)
        try:
            files = self._read()
        except Failure as failure:
            self._say(screen, words["unread"].format(why=failure.told(screen.narrator.language)))
            return True
        changed = changed_files(self._files, files)
        if not changed:
            return False
        first, self._files = self._files is None, files
        return self._checked(screen, loading.load_pack_set(files), [] if first else changed)

    def _checked(self, screen: Screen, loaded: Loaded, changed: list[str]) -> bool:
        words = self._words(screen)
        if changed:
            screen.console.print()
            self._say(screen, words["saved"].format(files=", ".join(changed)))
        if loaded.findings:
            self._say(screen, render(loaded.findings, loaded.sources, "full", style_for(sys.stdout)), raw=True)
        if loaded.program is None:
            self._say(screen, words["broken"])
            return True
        try:
            table = self.make(loaded.program)
        except Failure as failure:
            self._say(screen, words["no-table"].format(why=failure.told(screen.narrator.language)))
            return True
        compiled = Compiled(self.roots[0], loaded.program, loaded.sources, loaded.owners)
        raise Renewed(table, naming(table, compiled), not changed)

    def _read(self) -> PackSet:
        return loading.pack_set_of([loading.read(root, self.scenarios) for root in self.roots])

    def _stamped(self) -> Stamp:
        found = []
        for place, folders, files in (one for root in self.roots for one in os.walk(root)):
            folders.sort()
            for name in sorted(files):
                if is_yaml(name):
                    path = os.path.join(place, name)
                    try:
                        about = os.stat(path)
                    except OSError:  # it is being replaced
                        continue
                    found.append((path, about.st_mtime_ns, about.st_size))
        return tuple(found)

    def _words(self, screen: Screen) -> dict[str, str]:
        return _WORDS[screen.narrator.language]

    @staticmethod
    def _say(screen: Screen, text: str, raw: bool = False) -> None:
        if raw:
            screen.console.file.write(text)
        else:
            screen.sentence(text)


# ------------------------------------------------------------------ going on

def adopt(session: Session, screen: Screen, renewed: Renewed) -> None:
    """Continue the same game under new rules, as far as they and the person allow."""
    words = _WORDS[screen.narrator.language]
    journal = session.game.journal
    if program_hash(renewed.table) == program_hash(journal.program) and not renewed.first:
        screen.sentence(words["same"])
    upto = len(journal.entries)
    while True:
        try:
            other = _begun(session, renewed)
        except RuleFault as fault:
            screen.sentence(words["no-start"].format(why=fault.spoken.text(screen.narrator.language)))
            return
        try:
            other.recall(evolve(journal, entries=journal.entries[:upto]))
        except (Divergence, RuleFault) as wrong:
            _tell(screen, session, other, wrong)
            upto = other.answers
            if not _goes_on(screen, upto):
                screen.sentence(words["kept"])
                return
            continue
        if upto < len(journal.entries):
            screen.sentence(words["gone-on"].format(n=upto + 1))
        elif program_hash(renewed.table) != program_hash(journal.program):
            screen.sentence(words["fits"].format(n=upto))
        session.take(other)
        return


def _begun(session: Session, renewed: Renewed) -> Session:
    """Start the same game with the same players under the new rules."""
    seating = session.seating
    game = Game.start(renewed.table, seating.seed, game=seating.game)
    return type(session)(game, seating, renewed.names)


def _tell(screen: Screen, session: Session, other: Session, wrong: Divergence | RuleFault) -> None:
    """Report the first decision that differs, how, and because of which rule."""
    language = screen.narrator.language
    told = difference(session.game.journal, other.answers, other.game, wrong, screen.names, language)
    for sentence in told:
        screen.sentence(sentence)


def _goes_on(screen: Screen, answers: int) -> bool:
    """Ask whether to continue under the new rules. Saves in the meantime are checked afterwards."""
    words = _WORDS[screen.narrator.language]
    while True:
        screen.sentence(words["ask"].format(n=answers))
        typed = screen.console.input(Text("> ", "bold")).strip().lower()
        if typed in ("g", "k"):
            return typed == "g"
