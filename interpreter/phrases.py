"""The kernel's own sentences, in English and Spanish, as messages of `ruleset.message`.

Arguments: `seat` is a name, `you` is `yes` when the reader is that seat; `cards` is a phrase such as "Gem
and
2 cards", `count` how many they are; `from`, `to` and `zone` are zones with their article or owner. A pack can
replace any of them through `Texts` (thing `phrase`).
"""

from __future__ import annotations

ARGUMENTS: dict[str, dict[str, type]] = {
    "draw": {"seat": str, "you": str, "cards": str, "count": int, "from": str, "to": str},
    "take": {"seat": str, "you": str, "cards": str, "count": int, "from": str, "to": str},
    "put": {"seat": str, "you": str, "cards": str, "count": int, "from": str, "to": str, "under": str},
    "give": {"seat": str, "you": str, "cards": str, "count": int, "from": str, "to": str},
    "move": {"cards": str, "count": int, "from": str, "to": str, "under": str},
    "shuffled": {"zone": str},
    "revealed": {"cards": str, "count": int},
    "revealed-in": {"cards": str, "count": int, "zone": str},
    "shows": {"seat": str, "you": str, "cards": str, "count": int},
    "looks": {"seat": str, "you": str, "cards": str, "count": int},
    "looks-in": {"seat": str, "you": str, "cards": str, "count": int, "zone": str},
    "gains": {"seat": str, "you": str, "amount": int, "what": str},
    "loses": {"seat": str, "you": str, "amount": int, "what": str},
    "rises": {"amount": int, "what": str},
    "falls": {"amount": int, "what": str},
    "changes": {"what": str},
    "becomes": {"what": str, "value": str},
    "seat-changes": {"seat": str, "you": str, "what": str},
    "chooses": {"seat": str, "you": str, "what": str},
    "uses": {"seat": str, "you": str, "what": str},
    "chooses-nothing": {"seat": str, "you": str},
    "has-chosen": {"seat": str, "you": str},
    "reached": {"step": str},
    "performed": {"step": str},
    "seat-reached": {"seat": str, "you": str, "step": str},
    "seat-performed": {"seat": str, "you": str, "step": str},
    "scored": {"seat": str, "you": str, "points": int, "award": str},
    "eliminated": {"seat": str, "you": str},
    "won": {"winners": str, "count": int, "you": str},
    "nobody-won": {},
    "cards": {"count": int},
    "several": {"count": int, "name": str},
    "of-seat": {"seat": str, "what": str},
    "own": {"what": str, "many": str},
    "yours": {"what": str, "many": str},
    "common": {"what": str},
    "detail": {"what": str, "detail": str},
    "seat": {"number": int},
    "you": {},
    "option-perform": {},
    "option-decline": {},
    "option-pass": {},
    "option-challenge": {},
}
"""The arguments that each phrase may use."""

KERNEL_OPTIONS = ("perform", "decline", "pass", "challenge")
"""Branches of menus that the kernel makes by itself."""

ENGLISH: dict[str, str] = {
    "draw": "{you, select, yes {you draw} other {{seat} draws}} {cards} from {from}",
    "take": "{you, select, yes {you take} other {{seat} takes}} {cards} from {from} into {to}",
    "put": "{you, select, yes {you put} other {{seat} puts}} {cards} from {from} "
    "{under, select, yes {under} other {onto}} {to}",
    "give": "{cards} {count, plural, one {passes} other {pass}} from {from} to {to}",
    "move": "{cards} {count, plural, one {goes} other {go}} from {from} "
    "{under, select, yes {under} other {to}} {to}",
    "shuffled": "{zone} is shuffled",
    "revealed": "{cards} {count, plural, one {is} other {are}} revealed",
    "looks": "{you, select, yes {you look} other {{seat} looks}} at {cards}",
    "revealed-in": "{cards} {count, plural, one {is} other {are}} revealed in {zone}",
    "shows": "{you, select, yes {you show} other {{seat} shows}} {cards}",
    "looks-in": "{you, select, yes {you look} other {{seat} looks}} at {cards} in {zone}",
    "gains": "{you, select, yes {you gain} other {{seat} gains}} {what}",
    "loses": "{you, select, yes {you lose} other {{seat} loses}} {what}",
    "rises": "{what}: +{amount}",
    "falls": "{what}: -{amount}",
    "changes": "{what} changes",
    "becomes": "{what}: {value}",
    "seat-changes": "{you, select, yes {your} other {{seat}'s}} {what} changes",
    "chooses": "{you, select, yes {you choose} other {{seat} chooses}} {what}",
    "uses": "{you, select, yes {you use} other {{seat} uses}} {what}",
    "chooses-nothing": "{you, select, yes {you choose} other {{seat} chooses}} nothing",
    "has-chosen": "{you, select, yes {you have} other {{seat} has}} chosen",
    "reached": "{step}",
    "performed": "{step}",
    "seat-reached": "{you, select, yes {you} other {{seat}}}: {step}",
    "seat-performed": "{you, select, yes {you} other {{seat}}}: {step}",
    "scored": "{you, select, yes {you score} other {{seat} scores}} "
    "{points, plural, one {# point} other {# points}} for {award}",
    "eliminated": "{you, select, yes {you are} other {{seat} is}} out of the game",
    "won": "{winners} {you, select, yes {win} other {{count, plural, one {wins} other {win}}}} the game",
    "nobody-won": "nobody wins the game",
    "cards": "{count, plural, =0 {no card} one {a card} other {# cards}}",
    "several": "{count} × {name}",
    "of-seat": "{seat}'s {what}",
    "own": "their {what}",
    "yours": "your {what}",
    "common": "the {what}",
    "detail": "{what} ({detail})",
    "seat": "Player {number}",
    "you": "you",
    "option-perform": "to do it",
    "option-decline": "not to",
    "option-pass": "to pass",
    "option-challenge": "to challenge",
}

SPANISH: dict[str, str] = {
    "draw": "{you, select, yes {robas} other {{seat} roba}} {cards} de {from}",
    "take": "{you, select, yes {llevas} other {{seat} lleva}} {cards} de {from} a {to}",
    "put": "{you, select, yes {pones} other {{seat} pone}} {cards} de {from} "
    "{under, select, yes {debajo de} other {en}} {to}",
    "give": "{cards} {count, plural, one {pasa} other {pasan}} de {from} a {to}",
    "move": "{cards} {count, plural, one {va} other {van}} de {from} "
    "{under, select, yes {debajo de} other {a}} {to}",
    "shuffled": "se baraja {zone}",
    "revealed": "se {count, plural, one {revela} other {revelan}} {cards}",
    "looks": "{you, select, yes {miras} other {{seat} mira}} {cards}",
    "revealed-in": "se {count, plural, one {revela} other {revelan}} {cards} en {zone}",
    "shows": "{you, select, yes {muestras} other {{seat} muestra}} {cards}",
    "looks-in": "{you, select, yes {miras} other {{seat} mira}} {cards} en {zone}",
    "gains": "{you, select, yes {ganas} other {{seat} gana}} {what}",
    "loses": "{you, select, yes {pierdes} other {{seat} pierde}} {what}",
    "rises": "{what}: +{amount}",
    "falls": "{what}: -{amount}",
    "changes": "cambia {what}",
    "becomes": "{what}: {value}",
    "seat-changes": "{you, select, yes {cambia tu {what}} other {cambia {what} de {seat}}}",
    "chooses": "{you, select, yes {eliges} other {{seat} elige}} {what}",
    "uses": "{you, select, yes {usas} other {{seat} usa}} {what}",
    "chooses-nothing": "{you, select, yes {no eliges} other {{seat} no elige}} nada",
    "has-chosen": "{you, select, yes {has} other {{seat} ha}} elegido",
    "reached": "{step}",
    "performed": "{step}",
    "seat-reached": "{you, select, yes {tú} other {{seat}}}: {step}",
    "seat-performed": "{you, select, yes {tú} other {{seat}}}: {step}",
    "scored": "{you, select, yes {sumas} other {{seat} suma}} "
    "{points, plural, one {# punto} other {# puntos}} por {award}",
    "eliminated": "{you, select, yes {quedas} other {{seat} queda}} fuera de la partida",
    "won": "{you, select, yes {{count, plural, one {ganas la partida} other {{winners} ganáis la partida}}} "
    "other {{winners} {count, plural, one {gana} other {ganan}} la partida}}",
    "nobody-won": "nadie gana la partida",
    "cards": "{count, plural, =0 {ninguna carta} one {una carta} other {# cartas}}",
    "several": "{count} × {name}",
    "of-seat": "{what} de {seat}",
    "own": "{many, select, yes {sus} other {su}} {what}",
    "yours": "{many, select, yes {tus} other {tu}} {what}",
    "common": "{what}",
    "detail": "{what} ({detail})",
    "seat": "Jugador {number}",
    "you": "tú",
    "option-perform": "hacerlo",
    "option-decline": "no hacerlo",
    "option-pass": "pasar",
    "option-challenge": "desafiar",
}

PHRASES: dict[str, dict[str, str]] = {"en": ENGLISH, "es": SPANISH}
AND: dict[str, str] = {"en": "and", "es": "y"}
