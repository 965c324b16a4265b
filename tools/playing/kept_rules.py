"""The rules of a saved game, compiled from the packs in its journal; once for all games of these."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from attrs import evolve

from rulewright.interpreter.game.game import Game, RuleFault
from rulewright.interpreter.game.journal import Divergence, Header, Journal, JournalError
from rulewright.interpreter.game.messages import JOURNAL
from rulewright.interpreter.views.refusals import spoken
from rulewright.ruleset.findings.causes import is_error
from rulewright.ruleset.program.traversal import NoSeries, whole_series
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.ruleset.table.origin import Origin
from rulewright.tools.common.errors import Failure
from rulewright.tools.packs import loading
from rulewright.tools.packs.loading import Compiled, PacksRefused
from rulewright.tools.packs.naming import Naming, naming
from rulewright.tools.packs.pack_set import PackSet
from rulewright.tools.scenarios.stage import StageError, Stages, entered

MOST_PACKS, MOST_TABLES = 4, 16


def table_of(header: Header, origin: Origin) -> TableProgram:
    """Compile the table of a journal. Raises JournalError."""
    return _table(origin, header.seats, header.options, header.series)


@lru_cache(maxsize=MOST_TABLES)
def _table(origin: Origin, seats: int, options: tuple[tuple[str, str], ...], series: bool) -> TableProgram:
    try:
        program = compiled_of(origin).program
        if origin.scenario >= 0:
            return Stages(program, ()).stage(program.scenarios[origin.scenario], bare=True).table
        return loading.table(
            whole_series(program) if series else program, seats, [f"{key}={value}" for key, value in options]
        )
    except (Failure, NoSeries, StageError) as error:
        raise JournalError(str(error)) from None


@lru_cache(maxsize=MOST_PACKS)
def compiled_of(origin: Origin) -> Compiled:
    """Compile the packs of a saved game. Raises JournalError if they have errors."""
    packs = PackSet(tuple(files for _, files in origin.asked), dict(origin.needed))
    try:
        compiled = loading.compile_pack_set(packs, "the saved game")
    except PacksRefused as refused:
        first = next(filter(is_error, refused.found.findings))
        why = f"{first.code} {first.span}: {first.message}"
        raise JournalError(spoken(JOURNAL, "findings", why=why)) from None
    if not -1 <= origin.scenario < len(compiled.program.scenarios):
        raise JournalError(spoken(JOURNAL, "other-table"))
    return compiled


def names_of(table: TableProgram, pack: str | None = None) -> Naming:
    """Return the names for a saved game: from a pack, or from those that it was saved with."""
    if pack is not None:
        return naming(table, loading.compile_pack(pack))
    assert table.origin is not None, "it was read from a journal"
    compiled = compiled_of(table.origin)
    if table.origin.scenario >= 0:
        program = compiled.program
        compiled = evolve(compiled, program=entered(program, program.scenarios[table.origin.scenario]))
    return naming(table, compiled)


# ---- New rules for a game in progress: which files were saved, and the first decision that they change
#
# A game is its journal: seed and answers. Under changed rules it is replayed with the same answers, as far as
# they fit. Used by the terminal (`tools.playing.watch`) and by the browser.

WORDS = {
    "en": {
        "saved": "Saved: {files}.",
        "broken": "The game goes on by the rules as they were.",
        "unread": "The pack cannot be read: {why}. The game goes on by the rules as they were.",
        "no-table": "This game cannot be played by the new rules: {why}. It goes on by the rules as they were.",
        "no-start": "This game cannot begin by the new rules: {why}. It goes on by the rules as they were.",
        "same": "The rules are the same; texts may differ.",
        "fits": "The same game goes on by the new rules: all answers so far ({n}) fit them.",
        "differs": "By the new rules answer {n} of {of} is another decision: {seat}, at {choice}, chose {answer}.",
        "differs-secret": "By the new rules answer {n} of {of} is another decision: {seat}, at {choice}.",
        "asked": "Now the question is {choice}.",
        "not-asked": "Now {seat} is not asked there.",
        "over": "Now the game is over by then.",
        "gone": "No longer offered: {keys}.",
        "more": "Newly offered: {keys}.",
        "numbers": "Other numbers of options may be chosen.",
        "fault": "By the new rules answer {n} of {of} ({seat}, at {choice}) cannot be carried out: {why}.",
        "rule": "The rule: {rule}.",
        "kept": "The rules stay as they were, until the next save.",
        "gone-on": "The game goes on by the new rules, from answer {n}.",
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
        "differs-secret": "Con las reglas nuevas la respuesta {n} de {of} es otra: {seat}, en {choice}.",
        "asked": "Ahora la pregunta es {choice}.",
        "not-asked": "Ahora a {seat} no se le pregunta ahí.",
        "over": "Ahora la partida ya ha terminado.",
        "gone": "Ya no se ofrece: {keys}.",
        "more": "Se ofrece también: {keys}.",
        "numbers": "Se puede elegir otro número de opciones.",
        "fault": "Con las reglas nuevas la respuesta {n} de {of} ({seat}, en {choice}) no se puede cumplir: {why}.",
        "rule": "La regla: {rule}.",
        "kept": "Las reglas quedan como estaban, hasta que se guarde otra vez.",
        "gone-on": "La partida sigue con las reglas nuevas, desde la respuesta {n}.",
    },
}  # fmt: skip


def changed_files(before: PackSet | None, after: PackSet) -> list[str]:
    """Return the files that are new, changed, or removed, as named in findings."""
    old = {name: data for files in (before.files if before is not None else ()) for name, data in files.files}
    new = {name: data for files in after.files for name, data in files.files}
    return sorted(path for path in {*old, *new} if old.get(path) != new.get(path))


def difference(
    journal: Journal, number: int, now: Game, wrong: Divergence | RuleFault, names: Sequence[str], language: str,
    revealing: bool = True,
) -> list[str]:  # fmt: skip
    """Say which answer no longer fits, what was asked and is asked now, and because of which rule.

    `now` is the game under the new rules before answer `number`. Without `revealing`, options and the answer are
    left out: whoever reads this must not know what that seat saw.
    """
    words = WORDS[language]
    entry = journal.entries[number]
    given = {
        "n": number + 1, "of": len(journal.entries), "seat": names[entry.seat], "choice": entry.choice,
        "answer": ", ".join(entry.keys) or "–", "why": wrong.spoken.text(language),
    }  # fmt: skip
    if isinstance(wrong, RuleFault):
        return [words["fault"].format(**given)]
    told = [words["differs" if revealing else "differs-secret"].format(**given)]
    own = next((one for one in now.decisions if one.seat == entry.seat), None)
    if now.result is not None:
        told.append(words["over"])
    elif own is None:
        told.append(words["not-asked"].format(**given))
    elif own.choice != entry.choice:
        told.append(words["asked"].format(choice=own.choice))
    elif revealing:
        before = next(one for one in Game.replay(journal, number).decisions if one.seat == entry.seat)
        old, new = ([option.key for option in one.options] for one in (before, own))
        gone, more = [key for key in old if key not in new], [key for key in new if key not in old]
        for word, keys in (("gone", gone), ("more", more)):
            if keys:
                told.append(words[word].format(keys=", ".join(keys)))
        if not gone and not more:
            told.append(words["numbers"])
    if wrong.source is not None:
        source = wrong.source
        told.append(words["rule"].format(rule=f"{source.name}, {source.span.path}:{source.span.line}"))
    return told
