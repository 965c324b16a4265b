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

from interpreter.game.game import Game, RuleFault
from interpreter.game.journal import Divergence
from ruleset.findings.render import render
from ruleset.loaded import Loaded
from ruleset.program.nodes import Program
from ruleset.source.pack_files import is_yaml
from ruleset.table.canonical import program_hash
from ruleset.table.nodes import TableProgram
from tools.common.ansi import style_for
from tools.common.errors import Failure
from tools.display.screen import Screen
from tools.packs import loading
from tools.packs.loading import Compiled
from tools.packs.naming import Naming, naming
from tools.packs.pack_set import PackSet

if TYPE_CHECKING:
    from tools.playing.session import Session

TICK = 0.25
"""Interval between checks of the files while waiting for input, in seconds."""
SETTLE = 0.05
"""An editor is considered finished after this time without changes, in seconds."""
_WORDS = {
    "en": {
        "saved": "Saved: {files}.",
        "broken": "The game goes on by the rules as they were.",
        "unread": "The pack cannot be read: {why}. The game goes on by the rules as they were.",
        "no-table": "This game cannot be played by the new rules: {why}. It goes on by the rules as they were.",
        "no-start": "This game cannot begin by the new rules: {why}. It goes on by the rules as they were.",
        "same": "The rules are the same; texts may differ.",
        "fits": "The same game goes on by the new rules: all answers so far ({n}) fit them.",
        "differs": "By the new rules answer {n} of {of} is another decision: {seat}, at {choice}, chose {answer}.",
        "asked": "Now the question is {choice}.",
        "not-asked": "Now {seat} is not asked there.",
        "over": "Now the game is over by then.",
        "gone": "No longer offered: {keys}.",
        "more": "Newly offered: {keys}.",
        "numbers": "Other numbers of options may be chosen.",
        "fault": "By the new rules answer {n} of {of} ({seat}, at {choice}) cannot be carried out: {why}.",
        "rule": "The rule: {rule}.",
        "ask": "g: go on from there, with the answers before it ({n}). k: keep the rules as they were.",
        "kept": "The rules stay as they were, until the next save.",
        "gone-on": "The game goes on by the new rules, from answer {n}.",
        "dropped": "What you typed was not taken, since the rules have changed.",
    },
    "es": {
        "saved": "Guardado: {files}.",
        "broken": "La partida sigue con las reglas de antes.",
        "unread": "No se puede leer el paquete: {why}. La partida sigue con las reglas de antes.",
        "no-table": "Esta partida no se puede jugar con las reglas nuevas: {why}. Sigue con las de antes.",
        "no-start": "Esta partida no puede empezar con las reglas nuevas: {why}. Sigue con las de antes.",
        "same": "Las reglas son las mismas; puede que cambien los textos.",
        "fits": "La misma partida sigue con las reglas nuevas: todas las respuestas dadas ({n}) encajan.",
        "differs": "Con las reglas nuevas la respuesta {n} de {of} es otra: {seat}, en {choice}, eligió {answer}.",
        "asked": "Ahora la pregunta es {choice}.",
        "not-asked": "Ahora a {seat} no se le pregunta ahí.",
        "over": "Ahora la partida ya ha terminado.",
        "gone": "Ya no se ofrece: {keys}.",
        "more": "Se ofrece también: {keys}.",
        "numbers": "Se puede elegir otro número de opciones.",
        "fault": "Con las reglas nuevas la respuesta {n} de {of} ({seat}, en {choice}) no se puede cumplir: {why}.",
        "rule": "La regla: {rule}.",
        "ask": "g: seguir desde ahí, con las respuestas anteriores ({n}). k: conservar las reglas de antes.",
        "kept": "Las reglas quedan como estaban, hasta que se guarde otra vez.",
        "gone-on": "La partida sigue con las reglas nuevas, desde la respuesta {n}.",
        "dropped": "Lo que has escrito no se ha tomado, porque las reglas han cambiado.",
    },
}  # fmt: skip

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
class Watch:
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
        changed = _changed(self._files, files)
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


def _changed(before: PackSet | None, after: PackSet) -> list[str]:
    """Return the files that are new, changed, or removed, as named in findings."""
    old = {name: data for files in (before.files if before is not None else ()) for name, data in files.files}
    new = {name: data for files in after.files for name, data in files.files}
    return sorted(path for path in {*old, *new} if old.get(path) != new.get(path))


# ------------------------------------------------------------------ going on


def adopt(session: Session, screen: Screen, renewed: Renewed) -> None:
    """Continue the same game under new rules, as far as they and the person allow."""
    words = _WORDS[screen.narrator.language]
    journal = session.game.journal
    if program_hash(renewed.table) == journal.header.program and not renewed.first:
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
        elif program_hash(renewed.table) != journal.header.program:
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
    words = _WORDS[screen.narrator.language]
    journal, number = session.game.journal, other.answers
    entry = journal.entries[number]
    seat = screen.names[entry.seat]
    given = {
        "n": number + 1, "of": len(journal.entries), "seat": seat, "choice": entry.choice,
        "answer": ", ".join(entry.keys) or "–", "why": wrong.spoken.text(screen.narrator.language),
    }  # fmt: skip
    if isinstance(wrong, RuleFault):
        screen.sentence(words["fault"].format(**given))
        return
    screen.sentence(words["differs"].format(**given))
    before = next(one for one in Game.replay(journal, number).decisions if one.seat == entry.seat)
    now = next((one for one in other.game.decisions if one.seat == entry.seat), None)
    if other.game.result is not None:
        screen.sentence(words["over"])
    elif now is None:
        screen.sentence(words["not-asked"].format(**given))
    elif now.choice != entry.choice:
        screen.sentence(words["asked"].format(choice=now.choice))
    else:
        old, new = ([option.key for option in one.options] for one in (before, now))
        gone, more = [key for key in old if key not in new], [key for key in new if key not in old]
        for word, keys in (("gone", gone), ("more", more)):
            if keys:
                screen.sentence(words[word].format(keys=", ".join(keys)))
        if not gone and not more:
            screen.sentence(words["numbers"])
    if wrong.source is not None:
        source = wrong.source
        screen.sentence(words["rule"].format(rule=f"{source.name}, {source.span.path}:{source.span.line}"))


def _goes_on(screen: Screen, answers: int) -> bool:
    """Ask whether to continue under the new rules. Saves in the meantime are checked afterwards."""
    words = _WORDS[screen.narrator.language]
    while True:
        screen.sentence(words["ask"].format(n=answers))
        typed = screen.console.input(Text("> ", "bold")).strip().lower()
        if typed in ("g", "k"):
            return typed == "g"
