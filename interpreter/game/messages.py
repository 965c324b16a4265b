"""The sentences about rule errors and journals, in English and Spanish (`interpreter.views.refusals`)."""

from __future__ import annotations

FAULT: dict[str, dict[str, str]] = {
    "en": {
        "fault": "rule error {code}",
        "in": "rule error {code} in {rule}",
        "place": "{error} ({span})",
        "place-of": "{error} ({span} of {pack})",
    },
    "es": {
        "fault": "error de regla {code}",
        "in": "error de regla {code} en {rule}",
        "place": "{error} ({span})",
        "place-of": "{error} ({span} de {pack})",
    },
}
"""Rule errors. `code` is the key that `rulewright explain` knows."""

ENDLESS: dict[str, dict[str, str]] = {
    "en": {
        "loop": "the loop",
        "times": "{n}",
        "more-times": "more than {n}",
        "ran": "{rule} ran {times} {count, plural, one {time} other {times}} and no player was asked",
        "lists": "{rule} went through lists for {times} {count, plural, one {step} other {steps}} "
        "and no player was asked",
        "stayed": "{track} stayed {value}",
        "stayed-none": "{track} stayed none",
        "kept": "{zone} kept {count, plural, one {# card} other {# cards}}",
        "of": "{track} of {members}",
        "seat": "player {n}",
        "true": "true",
        "false": "false",
        "same": "the same",
        "and-more": "and more",
        "more-names": "{n} more",
        "last": "{names} and {last}",
        "questions": "the last {n} questions were {what} again and again; {changes}",
        "still-none": "no card moved, and no track changed meanwhile",
        "moved-none": "cards moved, but no track changed meanwhile",
        "still-some": "no card moved, and of all tracks only {tracks} changed meanwhile",
        "moved-some": "cards moved, and of all tracks only {tracks} changed meanwhile",
    },
    "es": {
        "loop": "el bucle",
        "times": "{n}",
        "more-times": "más de {n}",
        "ran": "{rule} se ha repetido {times} {count, plural, one {vez} other {veces}} sin preguntar a nadie",
        "lists": "{rule} ha recorrido listas durante {times} {count, plural, one {paso} other {pasos}} "
        "sin preguntar a nadie",
        "stayed": "{track} ha seguido valiendo {value}",
        "stayed-none": "{track} ha seguido sin valor",
        "kept": "{zone} ha seguido {count, plural, =0 {sin cartas} one {con # carta} other {con # cartas}}",
        "of": "{track} ({members})",
        "seat": "jugador {n}",
        "true": "verdadero",
        "false": "falso",
        "same": "lo mismo",
        "and-more": "y más cosas",
        "more-names": "{n} más",
        "last": "{names} y {last}",
        "questions": "las últimas {n} preguntas han sido una y otra vez {what}; {changes}",
        "still-none": "mientras tanto no se ha movido ninguna carta ni ha cambiado ningún marcador",
        "moved-none": "mientras tanto se han movido cartas, pero no ha cambiado ningún marcador",
        "still-some": "mientras tanto no se ha movido ninguna carta y, de los marcadores, solo "
        "{count, plural, one {ha} other {han}} cambiado {tracks}",
        "moved-some": "mientras tanto se han movido cartas y, de los marcadores, solo "
        "{count, plural, one {ha} other {han}} cambiado {tracks}",
    },
}
"""Why rules ran without an end. `rule`, `track`, `zone` and the `names` are in backticks."""

DIVERGENCE: dict[str, dict[str, str]] = {
    "en": {
        "entry": "entry {n}, {choice} of {seat}: {why}",
        "entry-rule": "entry {n}, {choice} of {seat}: {why} (rule {rule}, {span})",
        "not-offered": "the option {key} is not offered",
        "others": "other options are offered",
        "over": "the game is over",
        "instead": "the seat is asked {choice} instead",
        "not-asked": "this seat is not asked here; {others}",
        "asked": "{seat} is asked {choice}",
        "and": "{first} and {last}",
    },
    "es": {
        "entry": "entrada {n}, {choice} de {seat}: {why}",
        "entry-rule": "entrada {n}, {choice} de {seat}: {why} (regla {rule}, {span})",
        "not-offered": "no se ofrece la opción {key}",
        "others": "se ofrecen otras opciones",
        "over": "la partida ha terminado",
        "instead": "en su lugar se le pregunta {choice}",
        "not-asked": "aquí no se pregunta a este jugador; {others}",
        "asked": "a {seat} se le pregunta {choice}",
        "and": "{first} y {last}",
    },
}
"""Why a journal does not replay."""

JOURNAL: dict[str, dict[str, str]] = {
    "en": {
        "characters": "this journal has {n} characters; the limit is {most}",
        "two-lines": "a journal has a header and its packs; this text has fewer than two lines",
        "entries": "this journal has {n} {count, plural, one {entry} other {entries}}; the limit is {most}",
        "no-packs": "this game cannot be saved: its program was not compiled from packs",
        "packs-size": "line 2: the packs are larger than a saved game may be",
        "packs-unread": "line 2: the packs cannot be read: {why}",
        "findings": "its packs have errors: {why}",
        "history": "there are too many entries for a state of this size",
        "json": "line {line} is not JSON; the file may have been cut off or changed",
        "header": "line 1: not the header of a journal",
        "format": "line 1: unknown journal format {found}; expected {expected}",
        "type": "line 1: {key} is missing or not of type {type}",
        "unknown": "line 1: unknown fields {keys}",
        "option": "line 1: an option must be a pair of strings",
        "range": "line 1: the seed or the game index is out of range",
        "play-fields": "line 1: 'play' must have the fields {keys}",
        "play-type": "line 1: a field of 'play' has the wrong type",
        "play-seats": "line 1: 'play' must name one player for each seat",
        "old-format": "line 1: this journal is of an earlier version, which kept rules in another form; this one "
        "cannot replay it",
        "digest": "line 2: the packs are not those that the header names; the file was changed",
        "other-pack": "line 2: these are other packs than the header says",
        "other-table": "line 2: this is another table than the header says",
        "entry": "line {line}: expected a choice id, a seat, option keys, and a digest",
        "keys": "line {line}: option keys must be strings, and at most {most}",
        "seat": "line {line}: there is no seat {seat}",
        "memory": "replaying this journal needs too much memory: it has too many events",
    },
    "es": {
        "characters": "este diario tiene {n} caracteres; el límite es {most}",
        "two-lines": "un diario tiene una cabecera y sus paquetes; este texto tiene menos de dos líneas",
        "entries": "este diario tiene {n} {count, plural, one {entrada} other {entradas}}; el límite es {most}",
        "no-packs": "esta partida no se puede guardar: su programa no viene de paquetes",
        "packs-size": "línea 2: los paquetes son más grandes de lo que cabe en una partida guardada",
        "packs-unread": "línea 2: no se pueden leer los paquetes",
        "findings": "sus paquetes tienen errores: {why}",
        "history": "hay demasiadas entradas para un estado de este tamaño",
        "json": "la línea {line} no es JSON; puede que el fichero esté cortado o modificado",
        "header": "línea 1: no es la cabecera de un diario",
        "format": "línea 1: formato de diario {found} desconocido; se esperaba {expected}",
        "type": "línea 1: falta {key} o no es del tipo {type}",
        "unknown": "línea 1: campos desconocidos: {keys}",
        "option": "línea 1: una opción tiene que ser un par de textos",
        "range": "línea 1: la semilla o el número de la partida está fuera de los límites",
        "play-fields": "línea 1: 'play' tiene que tener los campos {keys}",
        "play-type": "línea 1: un campo de 'play' no es del tipo correcto",
        "play-seats": "línea 1: 'play' tiene que nombrar a un jugador por asiento",
        "old-format": "línea 1: este diario es de una versión anterior, que guardaba las reglas de otra forma; "
        "esta no puede repetirlo",
        "digest": "línea 2: los paquetes no son los de la cabecera; el fichero se ha modificado",
        "other-pack": "línea 2: los paquetes no son los que dice la cabecera",
        "other-table": "línea 2: la mesa no es la que dice la cabecera",
        "entry": "línea {line}: se esperaba una decisión, un asiento, claves de opciones y un resumen",
        "keys": "línea {line}: las claves de las opciones tienen que ser textos, {most} como máximo",
        "seat": "línea {line}: el asiento {seat} no existe",
        "memory": "repetir este diario necesita demasiada memoria: tiene demasiados sucesos",
    },
}
"""What is wrong with a journal. Details about its program, which only experts can use, are in English alone."""
