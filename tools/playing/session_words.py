"""Messages of a session, by language."""

from __future__ import annotations

WORDS = {
    "en": {
        "saved": "Saved in {file}.",
        "resume": "Go on with:",
        "again": "Tell it again with:",
        "nothing": "There is no answer of yours to take back.",
        "undone": "Your last answer is taken back.",
        "unsaved": "{why}. The game goes on, but its last answers are not on disk.",
        "refused": "{why}.",
        "elsewhere": "Type another file. Enter tries again, - plays on without saving.",
        "not-kept": "This game is not being saved: {why}. s FILE saves it.",
        "torn": "The last line of {file} was cut off while it was written and is dropped; all before it is there.",
    },
    "es": {
        "saved": "Guardado en {file}.",
        "resume": "Para seguir:",
        "again": "Para contarla otra vez:",
        "nothing": "No hay ninguna respuesta tuya que deshacer.",
        "undone": "Se ha deshecho tu última respuesta.",
        "unsaved": "{why}. La partida sigue, pero sus últimas respuestas no están en el disco.",
        "refused": "{why}.",
        "elsewhere": "Escribe otro fichero. Intro lo intenta otra vez, - sigue sin guardar.",
        "not-kept": "Esta partida no se está guardando: {why}. s FICHERO la guarda.",
        "torn": "La última línea de {file} se cortó al escribirse y se descarta; todo lo anterior está.",
    },
}
