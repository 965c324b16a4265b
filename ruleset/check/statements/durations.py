"""What holds for a while: tracks that last a moment, modifiers, absences, extra turns."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rulewright.ruleset.check.context import CheckContext
from rulewright.ruleset.check.expressions.checker import ExpressionChecker
from rulewright.ruleset.check.scope import (
    AssignTarget,
    Bound,
    CheckedExpression,
    Contribution,
    Scope,
    UnitDraft,
)
from rulewright.ruleset.check.statements.arguments import nobody_to, source_of
from rulewright.ruleset.check.statements.verb_registry import Code, Done, VerbCall, verb
from rulewright.ruleset.common.diagnostic import Span
from rulewright.ruleset.common.limits import whole
from rulewright.ruleset.declare.collector import broken
from rulewright.ruleset.documents.rules import Modifier
from rulewright.ruleset.language.types import BOOLEAN, CARD, NUMBER, PLAYER, Type
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.traversal import everything
from rulewright.ruleset.source.nodes import ScalarNode
from rulewright.ruleset.table import nodes as t

# ---- Tracks and lists that last a moment: each turn, phase, or round, or each use of a verb, has its own
#
# When the moment begins, they have their starts. An occurrence within another one, such as a turn within a
# turn, sets the values of the outer one aside, and gives them back when it is over. The log mentions neither.

OWN_TURN = "own-turn"
"""The moment of a track of players: the turn of each player."""
YOU = "you"

_VERBS = "name a verb as `rulewright show` lists it, such as `verb/draw`"
_GIVEN_BY = {
    p.SERIES: ("series",),
    "round": ("round",),
    "phase": ("phase", "round"),
    "turn": ("finish", "phase", "round", "setup"),
    OWN_TURN: ("finish", "phase", "round", "setup"),
}
"""The kinds of documents that can give a moment."""
Indices = tuple[t.Expr, ...]


def beginning(context: CheckContext, unit: UnitDraft, moment: str, you: t.Expr | None, at: int) -> Code:
    """Return code for the beginning of a moment: what lasts that moment starts over. `you` is the acting player."""
    context.needs_asked.add(_asked(moment))
    code: list[t.Stmt] = []
    for track, start in _tracks(context, moment):
        code.extend(_begun(context, unit, track, start, None, you, at))
    for list_ in _lists(context, moment):
        code.extend(_emptied(unit, list_, None))
    if moment == "turn" and you is not None:
        context.needs_asked.add(_asked(OWN_TURN))
        for track, start in _tracks(context, OWN_TURN):
            code.extend(_begun(context, unit, track, start, you, you, at))
        for list_ in _lists(context, OWN_TURN):
            code.extend(_emptied(unit, list_, you))
    return tuple(code)


def presume(context: CheckContext, *moments: str) -> None:
    """Take it that the game has these moments: what would give them has findings."""
    context.needs_asked.update(_asked(moment) for moment in moments)


def set_aside(context: CheckContext, unit: UnitDraft, moment: str, at: int) -> tuple[Code, Code]:
    """Return code for before and after an occurrence of a moment that may be within another one."""
    before: list[t.Stmt] = []
    after: list[t.Stmt] = []
    for track, _ in _tracks(context, moment):
        kept = unit.variable(f"kept {track.key}", track.of, bool(track.scope))
        if not track.scope:
            before.append(p.SetVar(kept, p.TrackAt(track.key, ())))
            after.append(p.AssignTrack(track.key, (), p.Var(kept), at, True))
            continue
        before.append(p.SetListVar(kept, _values(unit, track)))

        def given_back(indices: Indices, track: p.Track = track, kept: int = kept) -> Code:
            first = p.AssignTrack(track.key, indices, t.First(p.ListVar(kept)), at, True)
            return first, _dropped(kept, t.Const(1))

        after.extend(_for_all(unit, track.scope, None, given_back))
    for list_ in _lists(context, moment):
        more, back = _list_aside(unit, list_)
        before.extend(more)
        after.extend(back)
    return tuple(before), tuple(after)


def check_lasting(context: CheckContext) -> None:
    """Report starts that a moment cannot give, and moments that the game does not have."""
    d = context.declared
    for key, (span, track, start) in d.tracks.items():
        begins_anew = track.lasts not in ("", p.SERIES)
        if begins_anew and start is not None and first_value(context, track, start, t.Const(0)) is None:
            message = f"`{start.text}` cannot be the start of a track that starts over"
            hint = "write a number, `true`, `false`, a member, `none`, or, for a track of players, `you`"
            context.report("RW361", start.span, message, hint)
        _exists(context, key, track.lasts, span)
    for key, (span, list_) in d.lists.items():
        _exists(context, key, list_.lasts, span)
    for kind in d.kinds.values():
        if kind.remembers and not _may_begin(context, kind.remembers):
            message = f"there is no verb `{kind.remembers.removeprefix('verb/')}`"
            context.report("RW361", kind.span, message, _VERBS)


def _exists(context: CheckContext, key: str, moment: str, span: Span) -> None:
    if not moment or _may_begin(context, moment):
        return
    if moment.startswith("verb/"):
        message = f"there is no verb `{moment.removeprefix('verb/')}`, so `{key}` would never start over"
        hint = _VERBS
    elif moment == p.SERIES:
        message = f"this pack has no series of games for which `{key}` could last"
        hint = "add a document `series: NAME`, or remove `lasts`"
    else:
        message = f"this game has no {moment.removeprefix('own-')}s, so `{key}` would never start over"
        hint = "choose another moment, or remove `lasts`"
    context.report("RW361", span, message, hint)


def _may_begin(context: CheckContext, moment: str) -> bool:
    """Whether the game has a moment, or a declaration with findings may give it."""
    if _asked(moment) in context.needs_asked:
        return True
    if moment.startswith("verb/"):
        words = moment.removeprefix("verb/").split("-")
        return any(f"verb {'-'.join(words[:size])}" in context.poisoned for size in range(1, len(words) + 1))
    return any(broken(kind) in context.poisoned for kind in ("change", *_GIVEN_BY[moment]))


def _asked(moment: str) -> str:
    return f"lasts/{moment}"


def _tracks(context: CheckContext, moment: str) -> list[tuple[p.Track, ScalarNode | None]]:
    d = context.declared
    shared = [(track, None) for track in remembered_tracks(context)]
    declared = [(track, start) for _, track, start in d.tracks.values()]
    return [(track, start) for track, start in (*declared, *shared) if track.lasts == moment]


def _lists(context: CheckContext, moment: str) -> list[p.StateList]:
    declared = (one for _, one in context.declared.lists.values())
    return [one for one in (*declared, *remembered_lists(context)) if one.lasts == moment]


def remembered_tracks(context: CheckContext) -> tuple[p.Track, ...]:
    """Return the hidden tracks of what the effects of definitions share."""
    values = (one for shared in context.declared.remembered.values() for one in shared.values())
    return tuple(one.track for one in values if one.track is not None)


def remembered_lists(context: CheckContext) -> tuple[p.StateList, ...]:
    """Return the hidden lists of what the effects of definitions share."""
    values = (one for shared in context.declared.remembered.values() for one in shared.values())
    return tuple(one.list for one in values if one.list is not None)


def remembered_names(context: CheckContext, definition: str) -> dict[str, CheckedExpression]:
    """Return what the effects of a definition share, by the names that they know."""
    found: dict[str, CheckedExpression] = {}
    for name, one in context.declared.remembered.get(definition, {}).items():
        if one.list is not None:
            key = one.list.key
            found[name] = CheckedExpression(
                p.ListAt(key, None), one.list.of.list, target=AssignTarget("list", key, ())
            )
        elif one.track is not None:
            track = one.track
            target = AssignTarget("track", track.key, ())
            found[name] = CheckedExpression(p.TrackAt(track.key, ()), track.of, track.can_be_none, target=target)
    return found


def first_value(
    context: CheckContext, track: p.Track, start: ScalarNode | None, you: t.Expr | None
) -> t.Expr | None:
    """Return the start of a track; None if a moment cannot give what the pack says."""
    of = track.of
    if start is None:
        return t.Const(-1 if of.can_be_none else 0)
    word = start.text
    members = context.declared.enumerations.get(of.of, (None, ()))[1]
    known = {"false": 0, "true": 1} if of.name == "boolean" else {one: n for n, one in enumerate(members)}
    if word == YOU and of == PLAYER:
        return you if you is not None else t.Const(-1)
    if word == "none" and track.can_be_none:
        return t.Const(-1)
    number = whole(word)
    if of == NUMBER and number is not None:
        return t.Const(number)
    return t.Const(known[word]) if word in known else None


def _begun(
    context: CheckContext, unit: UnitDraft, track: p.Track, start: ScalarNode | None, player: t.Expr | None,
    you: t.Expr | None, at: int,
) -> Code:  # fmt: skip
    """Return code that gives a track its start: that of one player, or all of it."""
    value = first_value(context, track, start, you)
    if value is None:
        return ()
    return _for_all(unit, track.scope, player, lambda all_: (p.AssignTrack(track.key, all_, value, at, True),))


def _for_all(
    unit: UnitDraft, scope: tuple[str, ...], player: t.Expr | None, body: Callable[[Indices], Code]
) -> Code:
    """Return `body` for all indices of a scope, or for all with this player."""
    indices: list[t.Expr] = []
    loops: list[tuple[int, t.List]] = []
    for one in scope:
        if one == "player" and player is not None:
            indices.append(player)
            continue
        type_, members = _members(one)
        variable = unit.variable("each", type_)
        loops.append((variable, members))
        indices.append(p.Var(variable))
    code = body(tuple(indices))
    for variable, members in reversed(loops):
        code = (t.ForEach(variable, members, code),)
    return code


def _members(one: str) -> tuple[Type, t.List]:
    """Return the type and the list of the members of a scope."""
    return (PLAYER, p.Everyone()) if one == "player" else (Type("enumeration", one), p.MembersOf(one))


def _values(unit: UnitDraft, track: p.Track) -> t.List:
    """Return all values of a track, in the order of `_for_all`."""
    scopes = [_members(one) for one in track.scope]
    variables = [unit.variable("each", type_) for type_, _ in scopes]
    value = p.TrackAt(track.key, tuple(p.Var(variable) for variable in variables))
    found: t.List = t.Map(scopes[-1][1], variables[-1], value)
    for variable, (_, of) in zip(reversed(variables[:-1]), reversed(scopes[:-1]), strict=True):
        found = t.FlatMap(of, variable, found)
    return found


def _dropped(kept: int, count: t.Expr) -> t.Stmt:
    """Return a statement that drops the first members of a list variable."""
    left = t.Binary("-", t.Count(p.ListVar(kept)), count)
    return p.SetListVar(kept, t.Take(p.ListVar(kept), left, False))


def _emptied(unit: UnitDraft, list_: p.StateList, player: t.Expr | None) -> Code:
    if list_.scope == "game":
        return (p.SetStateList(list_.key, None, t.Items(())),)
    return _for_all(unit, (list_.scope,), player, lambda at: (p.SetStateList(list_.key, at[0], t.Items(())),))


def _list_aside(unit: UnitDraft, list_: p.StateList) -> tuple[Code, Code]:
    """Return code that keeps a list, or those of all members of its scope with their lengths, and gives it back."""
    kept = unit.variable(f"kept {list_.key}", list_.of, True)
    if list_.scope == "game":
        keep = p.SetListVar(kept, p.ListAt(list_.key, None))
        return (keep,), (p.SetStateList(list_.key, None, p.ListVar(kept)),)
    of, members = _members(list_.scope)
    counts, left = unit.variable("counts", NUMBER, True), unit.variable("left", NUMBER)
    one = unit.variable("each", of)
    its = p.ListAt(list_.key, p.Var(one))
    lengths = p.SetListVar(counts, t.Map(members, one, t.Count(its)))
    back = (
        p.SetVar(left, t.First(p.ListVar(counts))),
        p.SetStateList(list_.key, p.Var(one), t.Take(p.ListVar(kept), p.Var(left), True)),
        _dropped(kept, p.Var(left)),
        _dropped(counts, t.Const(1)),
    )
    return (lengths, p.SetListVar(kept, t.FlatMap(members, one, its))), (t.ForEach(one, members, back),)


# ---- Modifiers change the result of a function, a field of a kind, or a value while they are active
#
# Each has hidden tracks that count how often it was started, one for each moment until which it can last. One
# with `while` has none: it is active whenever its condition holds. Fields with modifiers are read by
# generated functions. `KIND.FIELD` takes the definition and the plain value. Readers call `p.field_reader`,
# which checks whether the definition is of a kind for which the field changes. Values with modifiers are read
# by functions of their name.

def modified(expressions: ExpressionChecker, changed: str, scope: Scope, result: int) -> Code:
    """Return code that applies the active modifiers of a function or field to the value in a variable.

    `changed` is the function, the value, or `KIND.FIELD`. In a modifier, `times` is how often it was started.
    """
    code: list[t.Stmt] = []
    for modifier in expressions.context.declared.all_of(Modifier).values():
        if modifier.changes is None or modifier.changes.text != changed:
            continue
        times = scope.unit.variable("times", NUMBER)
        inner = scope.bind("times", Bound(times, NUMBER))
        inner = inner.bind("result", Bound(result, scope.unit.variables[result].type))
        expected = scope.unit.variables[result].type
        value = expressions.read(modifier.is_, inner, expected) if modifier.is_ is not None else None
        if value is None or not isinstance(value.node, t.Expr):
            continue
        active: t.Expr = t.Binary(">", p.Var(times), t.Const(0))
        if modifier.while_ is not None:
            holds = expressions.read(modifier.while_, scope, BOOLEAN)
            if holds is None or not isinstance(holds.node, t.Expr):
                continue
            active = holds.node
        if modifier.when is not None:
            test = expressions.read(modifier.when, inner, BOOLEAN)
            if test is not None and isinstance(test.node, t.Expr):
                active = t.And(active, test.node)
        made: tuple[t.Stmt, ...] = (t.If(active, (p.SetVar(result, value.node),), ()),)
        if modifier.while_ is None or _reads(times, made):
            made = (p.SetVar(times, _started(modifier)), *made)
        code += made
        expressions.context.contributed.append(Contribution("modifier", changed, "", modifier.span, made))
    return tuple(code)


def _started(modifier: Modifier) -> t.Expr:
    """Return how often a modifier was started; 1 for one with `while`."""
    if modifier.while_ is not None:
        return t.Const(1)
    total: t.Expr = t.Const(0)
    for moment in p.MOMENTS:
        track = p.TrackAt(p.modifier_track(modifier.key, moment), ())
        total = track if total == t.Const(0) else t.Checked("+", total, track, 0)
    return total


def _reads(variable: int, code: Code) -> bool:
    return any(isinstance(node, p.Var) and node.variable == variable for one in code for node in everything(one))


def tracks_until(context: CheckContext, moment: str) -> tuple[str, ...]:
    """Return the tracks that count how often each modifier was started until a moment."""
    modifiers = context.declared.all_of(Modifier).values()
    return tuple(p.modifier_track(one.key, moment) for one in modifiers if one.while_ is None)


# ------------------------------------------------------------------ values and fields

def changed_values(expressions: ExpressionChecker) -> tuple[p.DeclaredFunction, ...]:
    """Return a function for each value that modifiers change: its current number."""
    changed = expressions.context.changed_values
    return tuple(_changed_value(expressions, key) for key in expressions.context.declared.values if key in changed)


def _changed_value(expressions: ExpressionChecker, key: str) -> p.DeclaredFunction:
    span, _ = expressions.context.declared.values[key]
    unit, at = UnitDraft(key), expressions.context.source(f"value/{key}", span)
    result = unit.variable("result", NUMBER)
    changes = modified(expressions, key, Scope(unit), result)
    code = (p.SetVar(result, p.ValueOf(key)), *changes, t.Give(p.Var(result)))
    return p.DeclaredFunction(p.Unit(key, 0, tuple(unit.variables), code, at), False)


def changed_fields(expressions: ExpressionChecker) -> tuple[p.DeclaredFunction, ...]:
    """Return a function for each field that modifiers change: (definition, plain value) -> current value."""
    changed = [(kind, word) for word, kinds in expressions.context.changed.items() for kind in kinds]
    return tuple(_changed_field(expressions, kind, word) for kind, word in changed)


def _changed_field(expressions: ExpressionChecker, kind: str, word: str) -> p.DeclaredFunction:
    key, type_ = f"{kind}.{word}", expressions.context.declared.kinds[kind].fields[word].type
    modifiers = expressions.context.declared.all_of(Modifier).values()
    first = next(one for one in modifiers if one.changes is not None and one.changes.text == key)
    unit, at = UnitDraft(key), expressions.context.source(f"field/{key}", first.span)
    of = Type("definition", kind)
    item, plain = unit.variable(kind, of), unit.variable("plain", type_)
    result = unit.variable("result", type_)
    scope = Scope(unit, reading=True).bind(kind, Bound(item, of))
    code = (p.SetVar(result, p.Var(plain)), *modified(expressions, key, scope, result), t.Give(p.Var(result)))
    return p.DeclaredFunction(p.Unit(key, 2, tuple(unit.variables), code, at), False)


def field_readers(context: CheckContext) -> tuple[p.DeclaredFunction, ...]:
    """Return the functions that read changed fields, for those that the code reads."""
    return tuple(_field_reader(context, *reader) for reader in sorted(context.readers))


def _field_reader(
    context: CheckContext, word: str, changed: tuple[str, ...], definition: bool
) -> p.DeclaredFunction:
    kinds = list(context.declared.kinds)
    unit = UnitDraft(p.field_reader(word, changed, definition))
    item = p.Var(unit.variable("it", Type("definition") if definition else CARD))
    of = item if definition else p.DefinitionOf(item)
    plain = p.FieldOf(word, item, definition)
    code: Code = (t.Give(plain),)
    for kind in reversed(changed):
        its = t.Binary("==", p.KindOf(item, definition), t.Const(kinds.index(kind)))
        code = (t.If(its, (t.Give(p.Invocation(f"{kind}.{word}", (of, plain))),), code),)
    return p.DeclaredFunction(p.Unit(unit.key, 1, tuple(unit.variables), code, 0), False)


# ---- Players who are out of the game until a moment ends, and how they come back
#
# Each moment (turn, phase, round) has a hidden list of the players who are out until it ends. A player who is
# eliminated for good is removed from all these lists. The lists exist only where a sentence says so
# (`CheckContext.needed`).

EVERYBODY = t.Const(-1)


def absence_lists(context: CheckContext) -> tuple[p.StateList, ...]:
    """Return the lists of absent players that the pack needs."""
    return tuple(p.StateList(p.away_list(one), "game", PLAYER) for one in _moments(context))


def check_absences(context: CheckContext) -> None:
    """Report absences until the end of a moment that the game does not have."""
    for moment in p.MOMENTS:
        away = p.away_list(moment)
        if away in context.needs_seen and away not in context.needs_asked:
            message = f"this game has no {moment}s, so the player would never come back"
            hint = "to remove a player for good, write `eliminate p`"
            context.report("RW434", context.needs_seen[away], message, hint)


def _moments(context: CheckContext) -> tuple[str, ...]:
    return tuple(one for one in p.MOMENTS if p.away_list(one) in context.needs)


def returning(context: CheckContext, unit: UnitDraft, moment: str, at: int) -> Code:
    """Return code that brings back the players on the list of this moment who are on no other list."""
    if not context.needed(p.away_list(moment)):
        return ()
    return _back(context, unit, (moment,), t.Items(()), at)


def set_absences_aside(context: CheckContext, unit: UnitDraft, at: int) -> tuple[Code, Code]:
    """Return code for before and after a turn within a turn: those already out stay out, the others come back."""
    away = p.away_list("turn")
    if not context.needed(away):
        return (), ()
    kept = unit.variable("kept out", PLAYER, True)
    before = (p.SetListVar(kept, p.ListAt(away, None)),)
    return before, _back(context, unit, ("turn",), p.ListVar(kept), at)


def all_back(context: CheckContext, unit: UnitDraft, at: int) -> Code:
    """Return code that brings back everybody who is out for a while: the game has ended."""
    moments = _moments(context)
    return _back(context, unit, moments, t.Items(()), at) if moments else ()


def _back(
    context: CheckContext, unit: UnitDraft, moments: tuple[str, ...], rest: t.List, at: int
) -> Code:
    """Return code that sets the lists of these moments to `rest`, and brings back players who are then on none."""
    back, seat, one = (unit.variable(name, PLAYER, name == "back") for name in ("back", "seat", "one"))
    lists = [p.ListAt(p.away_list(moment), None) for moment in moments]
    were: t.List = lists[0]
    for more in lists[1:]:
        were = t.Concat(were, more)
    free: t.Expr = t.Const(1)
    for moment in _moments(context):
        elsewhere = t.Contains(p.ListAt(p.away_list(moment), None), p.Var(seat))
        free = t.Not(elsewhere) if free == t.Const(1) else t.And(free, t.Not(elsewhere))
    returned = (
        p.AssignTrack("in-game", (p.Var(seat),), t.Const(1), at),
        t.Emit("returned", (p.Var(seat),), None, EVERYBODY, EVERYBODY, at),
    )
    in_game = t.Filter(p.Everyone(), one, p.TrackAt("in-game", (p.Var(one),)))
    came = t.Binary(">", t.Count(p.ListVar(back)), t.Const(0))
    return (
        p.SetListVar(back, t.Distinct(were, seat, p.Var(seat))),
        *(p.SetStateList(p.away_list(moment), None, rest) for moment in moments),
        p.SetListVar(back, t.Filter(p.ListVar(back), seat, free)),
        t.If(came, (t.ForEach(seat, p.ListVar(back), returned), p.SetStateList("living", None, in_game)), ()),
    )


def ending(context: CheckContext, unit: UnitDraft, moment: str, at: int) -> Code:
    """Return code for the end of a moment: modifiers are no longer active, and absent players come back."""
    ended = tuple(p.AssignTrack(track, (), t.Const(0), at) for track in tracks_until(context, moment))
    return (*ended, *returning(context, unit, moment, at))


def inner_turn(context: CheckContext, unit: UnitDraft, at: int) -> tuple[Code, Code]:
    """Return code that runs before the turns of a step within a turn, and at the end of each.

    They end only what was started in them; the rest lasts until the outer turn ends.
    """
    kept = [(track, unit.variable("kept", NUMBER)) for track in tracks_until(context, "turn")]
    begins = tuple(p.SetVar(variable, p.TrackAt(track, ())) for track, variable in kept)
    ends = tuple(p.AssignTrack(track, (), p.Var(variable), at) for track, variable in kept)
    before, after = set_absences_aside(context, unit, at)
    return (*begins, *before), (*ends, *after)


def with_ways_out(unit: UnitDraft, code: Code, ways: Mapping[int, int], restored: Code) -> Code:
    """Let code that leaves turns for something around them, such as the phase, first restore what they set aside.

    For each label around the turns, `ways` has the label that the code leaves instead.
    """
    left, done = unit.left.among(code), unit.label()
    for outer, inner in ways.items():
        if inner in left:
            code = (p.Block(inner, (*code, p.Leave(done))), *restored, p.Leave(outer))
    return (p.Block(done, code),) if left.intersection(ways.values()) else code


# ---- Extra turns: `take another turn`, and what the turns of rounds and steps do for it
#
# A hidden list holds the players whose extra turns are still to come, and a hidden track tells whether the
# turn that is going on is one. Both exist only in packs that say so (`CheckContext.needed`).

MOST = 16
"""The most extra turns that can wait at a time."""
WAITING = p.StateList(p.EXTRA_TURNS, "game", PLAYER, True, MOST)
IS_EXTRA = p.Track(p.EXTRA_TURN, (), BOOLEAN, 0, 1, False, t.Const(0), "all", "nobody", False)

_ALL = p.ListAt(p.EXTRA_TURNS, None)


@verb("another-turn")
def another_turn(expressions: ExpressionChecker, call: VerbCall) -> Done:
    if call.seat is None:
        expressions.context.report("RW422", call.span(), *nobody_to("take a turn", "p takes another turn"))
        return (), call.outer
    expressions.context.need(p.EXTRA_TURNS, call.span())
    return (p.AppendTo(p.EXTRA_TURNS, None, call.seat, source_of(expressions, call)),), call.outer


def check_extra_turns(context: CheckContext) -> None:
    """Report a sentence about extra turns in a game without turns."""
    if p.EXTRA_TURNS in context.needs_seen and p.EXTRA_TURNS not in context.needs_asked:
        hint = "give a round `turns-from: …`, or a step `turns: …`"
        context.report("RW422", context.needs_seen[p.EXTRA_TURNS], "nobody has a turn in this game", hint)


def without_extra_turns(context: CheckContext) -> Code:
    """Return code that begins with no extra turns."""
    return _none_waiting() if context.needed(p.EXTRA_TURNS) else ()


def _none_waiting() -> Code:
    return p.SetStateList(p.EXTRA_TURNS, None, t.Items(())), p.AssignTrack(p.EXTRA_TURN, (), t.Const(0), 0)


def extra_turns_aside(context: CheckContext, unit: UnitDraft) -> tuple[Code, Code]:
    """Return code for before and after a step with turns: the extra turns of the turn around it wait meanwhile."""
    if not context.needed(p.EXTRA_TURNS):
        return (), ()
    turns, extra = unit.variable("waiting turns", PLAYER, True), unit.variable("extra turn", BOOLEAN)
    before = (p.SetListVar(turns, _ALL), p.SetVar(extra, p.TrackAt(p.EXTRA_TURN, ())), *_none_waiting())
    given_back = p.AssignTrack(p.EXTRA_TURN, (), p.Var(extra), 0)
    return before, (p.SetStateList(p.EXTRA_TURNS, None, p.ListVar(turns)), given_back)


def next_extra(unit: UnitDraft, you: int) -> tuple[Code, t.Expr, Code]:
    """Return code that passes over players who are out, whether an extra turn waits, and code that begins it."""
    seat = unit.variable("seat", PLAYER)
    still_in = t.Filter(_ALL, seat, t.Contains(p.Living(), p.Var(seat)))
    left = t.Binary("-", t.Count(_ALL), t.Const(1))
    begin = (
        p.SetVar(you, t.First(_ALL)),
        p.SetStateList(p.EXTRA_TURNS, None, t.Take(_ALL, left, False)),
        p.AssignTrack(p.EXTRA_TURN, (), t.Const(1), 0),
    )
    return (p.SetStateList(p.EXTRA_TURNS, None, still_in),), t.Binary(">", t.Count(_ALL), t.Const(0)), begin


def with_extra_turns(context: CheckContext, unit: UnitDraft, you: int, turn: Code, at: int) -> Code:
    """Return the turn of the player `you`, and the extra turns that follow it."""
    if not context.needed(p.EXTRA_TURNS):
        return turn
    over = unit.label()
    dropped, waits, begin = next_extra(unit, you)
    ends = (p.AssignTrack(p.EXTRA_TURN, (), t.Const(0), 0), p.Leave(over))
    loop = p.Forever((*turn, *dropped, t.If(waits, begin, ends)), at)
    return (p.Block(over, (loop,)),)
