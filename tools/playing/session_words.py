"""Messages of a session, by language."""

from __future__ import annotations

WORDS = {
    "en": {
        "saved": "Saved in {file}.",
        "resume": "Resume with:",
        "again": "Replay it with:",
        "nothing": "You have no answer to take back.",
        "undone": "Your last answer was taken back.",
        "unsaved": "{why}. The game continues, but your last answers are not saved.",
        "refused": "{why}.",
        "elsewhere": "Type another file, press Enter to try again, or type - to play without saving.",
        "overwrite": "Type yes to overwrite it; anything else keeps it.",
        "agreed": "yes",
        "not-kept": "This game is not being saved: {why}. Type s FILE to save it.",
        "torn": "The last line of {file} is incomplete and was ignored; everything before it was restored.",
    },
    "es": {
        "saved": "Guardado en {file}.",
        "resume": "Para continuar:",
        "again": "Para verla otra vez:",
        "nothing": "No hay ninguna respuesta tuya que deshacer.",
        "undone": "Se ha deshecho tu última respuesta.",
        "unsaved": "{why}. La partida continúa, pero las últimas respuestas no se han guardado.",
        "refused": "{why}.",
        "elsewhere": "Escribe otro fichero, pulsa Intro para reintentarlo o escribe - para jugar sin guardar.",
        "overwrite": "Escribe sí para sobrescribirlo; con cualquier otra cosa se conserva.",
        "agreed": "sí",
        "not-kept": "Esta partida no se está guardando: {why}. Escribe s FICHERO para guardarla.",
        "torn": "La última línea de {file} está incompleta y se ha descartado; se ha recuperado todo lo anterior.",
    },
}
