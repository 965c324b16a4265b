"""Problems of a game and of the file that it is saved in, in English and Spanish.

Errors are raised where no language is known, with a message of this table (`problem`). A session shows them in its
language; `in_language` does it for those that end a command.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from rulewright.interpreter.views.refusals import Spoken, spoken
from rulewright.ruleset.common.regular_files import NotRegular, TooLarge
from rulewright.ruleset.table.message import Value
from rulewright.tools.common.errors import Failure

_MESSAGES = {
    "en": {
        "cannot-go-on": "the game cannot go on: {why}",
        "cannot-start": "the game cannot start: {why}",
        "not-replayed": "{file} cannot be replayed: {why}",
        "not-to-its-end": "{file} cannot be replayed to its end: {why}",
        "too-long": "{file} cannot be replayed: its program takes too long; on a slow machine, set {setting} to "
        "allow {seconds} seconds",
        "too-much-memory": "{file} cannot be replayed: its program takes too much memory",
        "not-run": "{file} cannot be replayed: its program cannot be run ({error})",
        "no-journal": "{file} is not a journal: {why}",
        "no-text": "{file} is not a journal: it is not UTF-8 text",
        "not-read": "cannot read {file}: {why}",
        "not-saved": "cannot save {file}: {why}",
        "not-saved-in": "cannot save in {file}: {why}",
        "folder": "cannot save {file}: it is a folder",
        "not-regular": "cannot save {file}: it is not a regular file",
        "no-folder": "cannot save {file}: folder {folder} not found",
        "not-writable": "cannot save {file}: the folder {folder} is not writable",
        "in-use": "{file} is in use by another process that plays this game; end it there first, or name another "
        "file with --save FILE",
        "other-content": "cannot save {file}: it exists and is not a saved game; name another file, or start with "
        "--save FILE --overwrite",
        "other-game": "cannot save {file}: it holds another game, or other answers; name another file, or start "
        "with --save FILE --overwrite",
    },
    "es": {
        "cannot-go-on": "la partida no puede continuar: {why}",
        "cannot-start": "la partida no puede empezar: {why}",
        "not-replayed": "no se puede reproducir {file}: {why}",
        "not-to-its-end": "no se puede reproducir {file} hasta el final: {why}",
        "too-long": "no se puede reproducir {file}: su programa tarda demasiado; en un equipo lento, define "
        "{setting} para permitir {seconds} segundos",
        "too-much-memory": "no se puede reproducir {file}: su programa necesita demasiada memoria",
        "not-run": "no se puede reproducir {file}: su programa no se puede ejecutar ({error})",
        "no-journal": "{file} no es un diario: {why}",
        "no-text": "{file} no es un diario: no es texto UTF-8",
        "not-read": "no se puede leer {file}: {why}",
        "not-saved": "no se puede guardar {file}: {why}",
        "not-saved-in": "no se puede guardar en {file}: {why}",
        "folder": "no se puede guardar {file}: es una carpeta",
        "not-regular": "no se puede guardar {file}: no es un fichero normal",
        "no-folder": "no se puede guardar {file}: no existe la carpeta {folder}",
        "not-writable": "no se puede guardar {file}: no se puede escribir en la carpeta {folder}",
        "in-use": "otro proceso que juega esta partida está usando {file}; termínala allí primero, o indica otro "
        "fichero con --save FICHERO",
        "other-content": "no se puede guardar {file}: existe y no es una partida guardada; indica otro fichero, o "
        "empieza con --save FICHERO --overwrite",
        "other-game": "no se puede guardar {file}: contiene otra partida u otras respuestas; indica otro fichero, "
        "o empieza con --save FICHERO --overwrite",
    },
}
_SYSTEM = {
    errno.EACCES: "no tienes permiso",
    errno.EPERM: "la operación no está permitida",
    errno.ENOENT: "no existe",
    errno.ENOTDIR: "una parte de la ruta no es una carpeta",
    errno.EISDIR: "es una carpeta",
    errno.ENOSPC: "no queda espacio en el disco",
    errno.EDQUOT: "se ha agotado tu cuota de disco",
    errno.EROFS: "el sistema de ficheros es de solo lectura",
    errno.EIO: "error de entrada o salida",
    errno.EFBIG: "el fichero sería demasiado grande",
    errno.EMFILE: "hay demasiados ficheros abiertos",
    errno.ENFILE: "hay demasiados ficheros abiertos",
    errno.ENAMETOOLONG: "el nombre es demasiado largo",
    errno.ELOOP: "la ruta es un círculo de enlaces",
    errno.EINVAL: "ningún fichero puede llamarse así",
    errno.EEXIST: "ya existe",
    errno.EBUSY: "está en uso",
}
"""Spanish for what the system says of a file, which Python gives in English or in the language of the system."""


def problem(key: str, **values: Value | Spoken) -> Spoken:
    """Return a message of the table."""
    return spoken(_MESSAGES, key, **values)


def reason(error: OSError) -> Spoken:
    """Return what is wrong with a file."""
    english = error.strerror or str(error)
    spanish = _SYSTEM.get(error.errno or 0, english)
    if isinstance(error, TooLarge):
        spanish = "es demasiado grande"
    elif isinstance(error, NotRegular) and error.errno != errno.EISDIR:
        spanish = "no es un fichero normal"
    return Spoken({"en": english, "es": spanish})


@contextmanager
def in_language(language: str) -> Iterator[None]:
    """Word the failures that end a command in a language."""
    try:
        yield
    except Failure as failure:
        failure.message = failure.told(language)
        raise
