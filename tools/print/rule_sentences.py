"""Say effects and conditions of any pack in words, for the rule book.

Deals, draws, moves, shuffles, counts, and simple conditions can be said. The sentences of a step are made only if
all of it can be said exactly; for other steps the pack gives a `text`.
The code of a step is found in the program by the event with which it begins.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterator, Mapping, Sequence

from attrs import define, field, frozen

from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.tables import option_numbers
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.message import Value, format_message, parse
from rulewright.tools.print.deck import About
from rulewright.tools.print.rule_documents import track_name, values
from rulewright.tools.print.rule_parts import capital

# ---- The words in which the rule book says effects and conditions, in English and Spanish

PHRASES = {
    "en": {
        "zone": "the {zone}",
        "zone-each": "their {zone}",
        "zone-you": "your {zone}",
        "shuffle": "shuffle {zone}",
        "draw": "move the top {n, plural, one {card} other {# cards}} of {source} to {to}",
        "draw-bottom": "move the bottom {n, plural, one {card} other {# cards}} of {source} to {to}",
        "move-all": "move all cards of {source} to {to}",
        "bottom-of": "the bottom of {zone}",
        "add": "{what}: +{n}",
        "take": "{what}: −{n}",
        "set": "{what}: {n}",
        "is-player": "{player} is the {what}",
        "random-player": "a player chosen at random",
        "first-player": "the first player",
        "you": "you",
        "each-player": "each player: {does}",
        "if": "if {condition}: {does}",
        "otherwise": "otherwise: {does}",
        "game-ends": "the game ends",
        "and": "{one}, then {other}",
        "both": "{one} and {other}",
        "either": "{one}, or {other}",
        "not": "not: {one}",
        "empty": "{zone} is empty",
        "not-empty": "{zone} is not empty",
        "cards==": "{zone} has {n, plural, one {exactly # card} other {exactly # cards}}",
        "cards>=": "{zone} has {n, plural, one {# card} other {# cards}} or more",
        "cards<=": "{zone} has at most {n, plural, one {# card} other {# cards}}",
        "value==": "{what}: exactly {n}",
        "value>=": "{what}: {n} or more",
        "value<=": "{what}: at most {n}",
        "value-players": "{what}: as many as there are players",
        "yes": "{what}",
        "players==": "{n, plural, one {only one player is} other {# players are}} left",
        "any-player": "for a player, {condition}",
        "no-player": "for no player, {condition}",
        "until": "This goes on until this holds at the end of {round}: {condition}.",
        "a-round": "a round",
        "a-turn": "a turn",
        "turns": "The players take turns clockwise, beginning with {player}.",
        "track-player": "the {what}",
        "each-in-turn": "Each player does this in turn, clockwise, beginning with {player}.",
        "in-turn": "Each player does this in turn.",
        "together": "All choose at the same time, unseen by the others.",
        "refill": "When cards of {zone} are needed and it is empty, {source} is shuffled and becomes the new pile.",
        "refill-at-once": "As soon as {zone} is empty, {source} is shuffled and becomes the new pile.",
    },
    "es": {
        "zone": "{zone}",
        "zone-each": "su {zone}",
        "zone-you": "tu {zone}",
        "shuffle": "baraja {zone}",
        "draw": "{n, plural, one {la carta superior} other {las # cartas superiores}} de {source} "
        "{n, plural, one {va} other {van}} a {to}",
        "draw-bottom": "{n, plural, one {la carta inferior} other {las # cartas inferiores}} de {source} "
        "{n, plural, one {va} other {van}} a {to}",
        "move-all": "todas las cartas de {source} van a {to}",
        "bottom-of": "la parte inferior de {zone}",
        "add": "{what}: +{n}",
        "take": "{what}: −{n}",
        "set": "{what}: {n}",
        "is-player": "{what}: {player}",
        "random-player": "alguien elegido al azar",
        "first-player": "el primer jugador",
        "you": "tú",
        "each-player": "cada jugador: {does}",
        "if": "si {condition}: {does}",
        "otherwise": "si no: {does}",
        "game-ends": "termina la partida",
        "and": "{one}; después, {other}",
        "both": "{one} y {other}",
        "either": "{one}, o {other}",
        "not": "no: {one}",
        "empty": "no quedan cartas en {zone}",
        "not-empty": "quedan cartas en {zone}",
        "cards==": "hay exactamente {n, plural, one {# carta} other {# cartas}} en {zone}",
        "cards>=": "hay {n, plural, one {# carta} other {# cartas}} o más en {zone}",
        "cards<=": "hay como máximo {n, plural, one {# carta} other {# cartas}} en {zone}",
        "value==": "{what}: exactamente {n}",
        "value>=": "{what}: {n} o más",
        "value<=": "{what}: como máximo {n}",
        "value-players": "{what}: tantos como jugadores",
        "yes": "{what}",
        "players==": "{n, plural, one {queda un solo jugador} other {quedan # jugadores}}",
        "any-player": "para algún jugador, {condition}",
        "no-player": "para ningún jugador, {condition}",
        "until": "Se sigue hasta que se cumpla esto al final de {round}: {condition}.",
        "a-round": "una ronda",
        "a-turn": "un turno",
        "turns": "Se juega por turnos en el sentido horario, empezando por {player}.",
        "track-player": "{what}",
        "each-in-turn": "Cada jugador lo hace por turno, en el sentido horario, empezando por {player}.",
        "in-turn": "Cada jugador lo hace por turno.",
        "together": "Todos eligen a la vez, sin ver lo que eligen los demás.",
        "refill": "Cuando hacen falta cartas de {zone} y no quedan, {source} se baraja y forma un nuevo montón.",
        "refill-at-once": "En cuanto no quedan cartas en {zone}, {source} se baraja y forma un nuevo montón.",
    },
}


def phrase_of(language: str, key: str, **values: Value) -> str:
    """Return a phrase in a language; another language gets English."""
    made = format_message(parse(PHRASES.get(language, PHRASES["en"])[key]), values, language)
    return made.replace(" de el ", " del ").replace(" a el ", " al ") if language == "es" else made


# ---- Rule sentences

_ARTICLE = re.compile(r"^(el|la|los|las) ", re.IGNORECASE)
_DEEPEST = 5
"""How deep calls of verbs are followed."""
_COMPARE = {
    "==": operator.eq, "!=": operator.ne, ">": operator.gt, "<": operator.lt, ">=": operator.ge, "<=": operator.le,
}  # fmt: skip
_NUMBERS = {"==": "==", ">=": ">=", "<=": "<=", ">": ">=", "<": "<="}

Code = Sequence[t.Stmt]
Conditions = tuple[t.Expr, ...]
Known = t.Expr | t.List | str
"""What a variable is: an expression of its unit's caller; `each` for each player in turn, `random` for one."""


class _UnsaidError(Exception):
    """Something that cannot be said in exact words."""


@frozen
class _Scope:
    """What the variables of a unit are, and how deep it is called."""

    variables: Mapping[int, Known]
    names: tuple[str, ...] = ()
    depth: int = 0

    def name(self, variable: int) -> str:
        return self.names[variable] if variable < len(self.names) else ""


@define
class RuleSentences:
    """Sentences about the code of a pack at a table."""

    about: About
    _steps: dict[str, tuple[Conditions, Code]] = field(init=False, factory=dict)
    _units: dict[str, p.Unit] = field(init=False)
    _values: dict[str, int] = field(init=False)
    _options: Mapping[str, int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        program = self.about.program
        self._units = {unit.key: unit for unit in program.units}
        self._values = values(self.about)
        self._options = option_numbers(program, self.about.table.options)
        for path, under, code in _steps(program.main.body, program.sources, ()):
            self._steps.setdefault(path, (under, code))

    def of_step(self, path: str) -> str:
        """Return what a step does; "" if it cannot be said, or is nothing that players do."""
        under, code = self._steps.get(path, ((), ()))
        for condition in reversed(under):
            code = (t.If(condition, tuple(code), ()),)
        try:
            said = self._said(code, self._main())
        except _UnsaidError:
            return ""
        return " ".join(f"{capital(one)}." for one in said)

    def happens(self, path: str) -> bool:
        """Whether a step may happen at this table, with its options and number of players."""
        under, _ = self._steps.get(path, ((), ()))
        return all(self.decided(one) is not False for one in under)

    def decided(self, condition: t.Expr) -> bool | None:
        """Return whether a condition holds at this table by its options and players alone; None if it depends."""
        return self._decided(condition, self._main())

    def _main(self) -> _Scope:
        return _Scope({}, tuple(one.name for one in self.about.program.main.variables))

    def ends(self, round_: str) -> str:
        """Return the condition with which a round ends; "" if there is none, or it cannot be said."""
        for loop in _loops(self.about.program.main.body):
            first = next((one for one in _flat(loop.body) if isinstance(one, t.Emit)), None)
            if first is None or self.about.program.sources[first.at].name != f"round/{round_}":
                continue
            for one in loop.body:
                if isinstance(one, t.If) and any(isinstance(then, p.Leave) for then in one.then):
                    try:
                        return self._condition(one.condition, self._main())
                    except _UnsaidError:
                        return ""
        return ""

    def say(self, key: str, **given: str | int) -> str:
        """Return a phrase in the language of the book."""
        return phrase_of(self.about.language, key, **given)

    def zone(self, key: str) -> str:
        """Return the name of a zone with an article."""
        name = self.about.texts.name(self.about.language, "zone", key)
        return self.say("zone", zone=name or key.replace("-", " "))

    def player(self, written: str) -> str:
        """Return the player whom a pack writes so: the first one, or one whom a track holds; "" for others."""
        if written in ("first of players", "first of all-players"):
            return self.say("first-player")
        name = self.about.texts.text(self.about.language, f"track/{written}")
        return self.say("track-player", what=name) if name else ""

    # ------------------------------------------------------------------ effects

    def _said(self, code: Code, scope: _Scope) -> list[str]:
        """Return what statements do, in order. Raises _UnsaidError."""
        known = dict(scope.variables)
        said: list[str] = []
        for one in code:
            inner = _Scope(known, scope.names, scope.depth)
            if isinstance(one, p.SetVar | p.SetListVar):
                known[one.variable] = self._known(one.value if isinstance(one, p.SetVar) else one.items, inner)
            elif isinstance(one, t.If) and one.then and isinstance(one.then[0], t.Random):
                known |= self._picked(one.then, inner)
            else:
                said += self._one(one, inner)
        return said

    def _known(self, value: t.Expr | t.List, scope: _Scope) -> Known:
        """Return what a variable is set to, as far as it is known."""
        if isinstance(value, p.Var | p.ListVar):
            return scope.variables.get(value.variable, value)
        if isinstance(value, t.First) and isinstance(value.items, p.ListVar):
            return scope.variables.get(value.items.variable, value)
        return value

    def _picked(self, code: Code, scope: _Scope) -> dict[int, Known]:
        """Return the variable of a player who is picked at random."""
        lists = [one for one in code if isinstance(one, p.SetListVar)]
        pool = scope.variables.get(lists[-1].variable) if lists else None
        if len(lists) != 2 or not isinstance(pool, p.Living | p.Everyone):
            raise _UnsaidError
        return {lists[0].variable: "random"}

    def _one(self, one: t.Stmt, scope: _Scope) -> list[str]:
        if isinstance(one, t.Emit):
            return []
        if isinstance(one, p.Block):
            return self._said(one.body, scope)
        if isinstance(one, t.Shuffle):
            return [self.say("shuffle", zone=self._zone(one.zone, scope))]
        if isinstance(one, t.Drawing | t.MoveAll):
            return [self._moved(one, scope)]
        if isinstance(one, p.ChangeTrack | p.AssignTrack):
            return [self._track(one, scope)]
        if isinstance(one, p.Loop) and isinstance(one.items, p.Living):
            inner = _Scope({**scope.variables, one.variable: "each"}, scope.names, scope.depth)
            return [self.say("each-player", does=self._joined(one.body, inner))]
        if isinstance(one, t.If):
            return list(self._if(one, scope))
        if isinstance(one, p.CallVerb):
            return self._called(one, scope)
        if isinstance(one, p.EndGame):
            return [self.say("game-ends")]
        raise _UnsaidError

    def _moved(self, one: t.Drawing | t.MoveAll, scope: _Scope) -> str:
        source, to = self._zone(one.source, scope), self._zone(one.to, scope)
        to = self.say("bottom-of", zone=to) if one.bottom else to
        if isinstance(one, t.MoveAll):
            return self.say("move-all", source=source, to=to)
        key = "draw" if isinstance(one, t.Draw) else "draw-bottom"
        return self.say(key, n=self._number(one.count, scope), source=source, to=to)

    def _joined(self, code: Code, scope: _Scope) -> str:
        said = self._said(code, scope)
        if not said:
            raise _UnsaidError
        whole = said[0]
        for other in said[1:]:
            whole = self.say("and", one=whole, other=other)
        return whole

    def _if(self, one: t.If, scope: _Scope) -> Iterator[str]:
        decided = self._decided(one.condition, scope)
        if decided is not None:
            yield from self._said(one.then if decided else one.otherwise, scope)
            return
        yield self.say("if", condition=self._condition(one.condition, scope), does=self._joined(one.then, scope))
        if one.otherwise:
            yield self.say("otherwise", does=self._joined(one.otherwise, scope))

    def _called(self, call: p.CallVerb, scope: _Scope) -> list[str]:
        unit = self._units.get(call.verb)
        if unit is None or scope.depth >= _DEEPEST:
            raise _UnsaidError
        given = {number: self._resolved(value, scope) for number, value in enumerate(call.arguments)}
        return self._said(unit.body, _Scope(given, tuple(one.name for one in unit.variables), scope.depth + 1))

    def _resolved(self, value: t.Expr | t.List, scope: _Scope) -> Known:
        if isinstance(value, p.Var):
            return scope.variables.get(value.variable, "you" if scope.name(value.variable) == "you" else value)
        try:
            return t.Const(self._number(value, scope)) if isinstance(value, t.Expr) else value
        except _UnsaidError:
            return value

    def _track(self, one: p.ChangeTrack | p.AssignTrack, scope: _Scope) -> str:
        track = next(each for each in self.about.program.tracks if each.key == one.track)
        for index in one.indices:
            if self._who(index, scope) not in ("each", "you"):
                raise _UnsaidError
        if isinstance(one, p.AssignTrack) and track.of.name == "player":
            name = self.about.texts.text(self.about.language, f"track/{track.key}")
            if name is None or track.scope:
                raise _UnsaidError
            return self.say("is-player", player=self._player(one.value, scope), what=name)
        name = track_name(self.about, track.key, 2)
        if name is None or track.of.name != "number":
            raise _UnsaidError
        n = self._number(one.value if isinstance(one, p.AssignTrack) else one.amount, scope)
        key = "set" if isinstance(one, p.AssignTrack) else "add" if n >= 0 else "take"
        return self.say(key, what=name, n=n if key == "set" else abs(n))

    # ------------------------------------------------------------------ conditions

    def _condition(self, one: t.Expr, scope: _Scope) -> str:
        if isinstance(one, t.And | t.Or):
            key = "both" if isinstance(one, t.And) else "either"
            return self.say(key, one=self._condition(one.left, scope), other=self._condition(one.right, scope))
        if isinstance(one, t.Not):
            return self._negated(one.operand, scope)
        if isinstance(one, t.Exists):
            return self._some_player(one, scope, "any-player")
        if isinstance(one, t.Binary) and one.op in (*_NUMBERS, "!="):
            return self._compared(one, scope)
        if isinstance(one, p.TrackAt) and not one.indices:
            name = self.about.texts.text(self.about.language, f"track/{one.track}")
            if name:
                return self.say("yes", what=name)
        if isinstance(one, p.Invocation) and not one.arguments:
            return self._function(one.function, scope)
        raise _UnsaidError

    def _negated(self, one: t.Expr, scope: _Scope) -> str:
        if isinstance(one, t.Exists):
            return self._some_player(one, scope, "no-player")
        if isinstance(one, t.Binary) and one.op == "==" and one.right == t.Const(0):
            return self._compared(t.Binary("!=", one.left, one.right), scope)
        return self.say("not", one=self._condition(one, scope))

    def _decided(self, one: t.Expr, scope: _Scope) -> bool | None:
        if isinstance(one, t.Not):
            inner = self._decided(one.operand, scope)
            return None if inner is None else not inner
        if isinstance(one, t.And | t.Or):
            sides = self._decided(one.left, scope), self._decided(one.right, scope)
            deciding = isinstance(one, t.Or)
            return deciding if deciding in sides else None if None in sides else not deciding
        try:
            if isinstance(one, t.Binary) and one.op in _COMPARE:
                return bool(_COMPARE[one.op](self._number(one.left, scope), self._number(one.right, scope)))
            return bool(self._number(one, scope))
        except _UnsaidError:
            return None

    def _function(self, key: str, scope: _Scope) -> str:
        unit = next((one.unit for one in self.about.program.functions if one.unit.key.endswith(key)), None)
        given = unit.body[-1] if unit is not None and len(unit.body) == 1 else None
        if not isinstance(given, t.Give) or not isinstance(given.value, t.Expr) or scope.depth >= _DEEPEST:
            raise _UnsaidError
        return self._condition(given.value, _Scope({}, (), scope.depth + 1))

    def _some_player(self, one: t.Exists, scope: _Scope, key: str) -> str:
        if not isinstance(one.items, p.Living):
            raise _UnsaidError
        inner = _Scope({**scope.variables, one.slot: "each"}, scope.names, scope.depth)
        return self.say(key, condition=self._condition(one.body, inner))

    def _compared(self, one: t.Binary, scope: _Scope) -> str:
        if isinstance(one.left, p.TrackAt) and one.op == "==" and _is_living(one.right):
            return self.say("value-players", what=self._counted(one.left, scope))
        n = self._number(one.right, scope) + {">": 1, "<": -1}.get(one.op, 0)
        if isinstance(one.left, t.Count) and isinstance(one.left.items, t.Cards):
            zone = self._zone(one.left.items.zone, scope)
            if (one.op, n) in (("==", 0), ("<=", 0), ("<", 0)):
                return self.say("empty", zone=zone)
            if (one.op, n) in (("!=", 0), (">", 1), (">=", 1)):
                return self.say("not-empty", zone=zone)
            return self.say(f"cards{self._sign(one)}", zone=zone, n=n)
        if _is_living(one.left) and one.op == "==":
            return self.say("players==", n=n)
        if isinstance(one.left, p.TrackAt):
            return self.say(f"value{self._sign(one)}", what=self._counted(one.left, scope), n=n)
        raise _UnsaidError

    def _counted(self, one: p.TrackAt, scope: _Scope) -> str:
        for index in one.indices:
            self._who(index, scope)
        name = track_name(self.about, one.track, 2)
        if name is None:
            raise _UnsaidError
        return name

    def _sign(self, one: t.Binary) -> str:
        if one.op not in _NUMBERS:
            raise _UnsaidError
        return _NUMBERS[one.op]

    # ------------------------------------------------------------------ parts

    def _number(self, one: t.Expr, scope: _Scope) -> int:
        if isinstance(one, t.Const):
            return one.value
        if isinstance(one, p.ValueOf) and one.value in self._values:
            return self._values[one.value]
        if isinstance(one, p.SeatCount) or (isinstance(one, t.Count) and isinstance(one.items, p.Everyone)):
            return self.about.table.seats
        if isinstance(one, p.OptionOf) and one.option in self._options:
            return self._options[one.option]
        if isinstance(one, p.Var):
            known = scope.variables.get(one.variable)
            if isinstance(known, t.Expr) and not isinstance(known, p.Var):
                return self._number(known, scope)
        if isinstance(one, t.Binary | t.Checked) and one.op in ("+", "-"):
            left, right = self._number(one.left, scope), self._number(one.right, scope)
            return left + right if one.op == "+" else left - right
        raise _UnsaidError

    def _zone(self, one: t.Expr, scope: _Scope) -> str:
        if not isinstance(one, p.ZoneAt):
            raise _UnsaidError
        if one.index is None:
            return self.zone(one.zone)
        who = self._who(one.index, scope)
        name = _ARTICLE.sub("", self.about.texts.text(self.about.language, f"zone/{one.zone}") or one.zone)
        return self.say(f"zone-{who}", zone=name)

    def _who(self, one: t.Expr, scope: _Scope) -> str:
        """Return whose something is: of each player, or yours."""
        if isinstance(one, p.Var):
            known = scope.variables.get(one.variable)
            if known in ("each", "you"):
                return str(known)
            if known is None and scope.name(one.variable) == "you":
                return "you"
        raise _UnsaidError

    def _player(self, one: t.Expr, scope: _Scope) -> str:
        if isinstance(one, p.Var):
            known = scope.variables.get(one.variable)
            if known == "random":
                return self.say("random-player")
            if isinstance(known, t.Expr) and not isinstance(known, p.Var):
                return self._player(known, scope)
            return self.say(self._who(one, scope)) if known != "each" else self._unsaid()
        if isinstance(one, t.First) and isinstance(one.items, p.Living):
            return self.say("first-player")
        raise _UnsaidError

    def _unsaid(self) -> str:
        raise _UnsaidError


def _is_living(one: t.Expr) -> bool:
    """Whether it is the number of players who are still in the game."""
    return isinstance(one, t.Count) and isinstance(one.items, p.Living)


def _flat(code: Code) -> Iterator[t.Stmt]:
    """Yield statements, with those in blocks, in order."""
    for one in code:
        yield one
        if isinstance(one, p.Block):
            yield from _flat(one.body)


def _loops(code: Code) -> Iterator[p.Forever]:
    """Yield the loops of rounds."""
    yield from (one for one in _flat(code) if isinstance(one, p.Forever))


def _steps(code: Code, sources: Sequence[t.Source], under: Conditions) -> Iterator[tuple[str, Conditions, Code]]:
    """Yield the path and the code of each step, with the conditions that it is under."""
    for number, one in enumerate(code):
        if isinstance(one, t.Emit) and one.kind == "reached" and sources[one.at].name.startswith("step/"):
            yield sources[one.at].name.removeprefix("step/"), under, code[number + 1 :]
        if isinstance(one, t.If):
            yield from _steps(one.then, sources, (*under, one.condition))
            yield from _steps(one.otherwise, sources, (*under, t.Not(one.condition)))
        else:
            yield from _steps(getattr(one, "body", ()), sources, under)
