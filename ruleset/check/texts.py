"""Check texts for players: braces, unknown values, and missing languages.

The place of a text decides which values it may use: the name of a thing has `count`, that of a definition also its
fields, the log line of an option `seat`, `you`, and its members, and the text of a step the pack's values. The
values of questions, options, messages and steps are checked where these are used (`check.texts`). Texts are
not inserted into other texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Mapping as MappingOf

from attrs import evolve, frozen

from rulewright.ruleset.check.expressions.checker import ExpressionChecker
from rulewright.ruleset.check.scope import Bound, CheckedExpression, Scope, TextPart
from rulewright.ruleset.common.diagnostic import Diagnostic, Label, Span
from rulewright.ruleset.common.nearest import listed, nearest
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.declare.declarations import Declared, KindDeclared
from rulewright.ruleset.documents.reading import Written, inside, parts
from rulewright.ruleset.documents.rules import MenuOption, Step
from rulewright.ruleset.documents.sections import (
    OTHER,
    TRUTH,
    ComponentEntry,
    DefinitionDocument,
    PromptEntry,
    TrackEntry,
    is_value,
    lines_by_value,
)
from rulewright.ruleset.language.parser import parse_expression
from rulewright.ruleset.language.syntax_errors import Mistake
from rulewright.ruleset.language.types import BECAUSE, LOG, NUMBER, OWN_TEXT, TEXT, Type, sort_named
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.traversal import everything
from rulewright.ruleset.source.nodes import MappingNode, Node, ScalarNode, SequenceNode
from rulewright.ruleset.source.nodes import SequenceNode as YamlSequence
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.message import LiteralText, Message, MessageError, Pick, arguments, parse, problems

Values = MappingOf[str, type]
_VALUES: MappingOf[str, Values | None] = {
    "nothing": {},
    "count": {"count": int},
    "scope": None,  # known where the text is used: `check.texts`
}
"""Values that texts may use, by the `Meaning.values` of their field."""
SEAT: Values = {"seat": str, "you": str}
_ARRIVALS: Values = {**SEAT, "cards": str, "count": int, "from": str}


def check_texts(
    declared: Declared, poisoned: frozenset[str], titles: Iterable[Node] = ()
) -> tuple[Diagnostic, ...]:
    """Check the texts of a pack's documents, and `titles`: those that other packs have about themselves."""
    reading = _Texts(declared, poisoned)
    for title in titles:
        reading.title(title)
    for kind, record in declared.written:
        of = record.kind.text if isinstance(record, ComponentEntry) and record.kind is not None else kind
        reading.record(record, declared.kinds.get(of))
    for definition in declared.definitions.values():
        for bodies in definition.effects.values():
            reading.inside(bodies)
    return tuple(reading.found)


class _Texts:
    def __init__(self, declared: Declared, poisoned: frozenset[str]) -> None:
        self.declared = declared
        self.poisoned = poisoned
        self.found: list[Diagnostic] = []
        self.seen: set[int] = set()

    def record(self, record: Written, kind: KindDeclared | None = None) -> None:
        """Check the texts of a record and of the records in it.

        `kind` is the kind of a definition, or of a component's cards.
        """
        for meaning, value in inside(record):
            if not meaning.values:
                self.inside(value)
            elif meaning.values == "fields":
                if kind is not None or isinstance(record, DefinitionDocument):
                    self._text(value, self._fields(kind) if kind is not None else None)
            elif meaning.values == "chosen":
                each = record.each if isinstance(record, MenuOption) else ()
                self._text(value, {**SEAT, **dict.fromkeys((one.key.text for one in each), str)})
            elif isinstance(record, TrackEntry) and meaning.values == "change":
                self._lines(record, value)
            elif meaning.values == "arrivals":
                self._text(value, _ARRIVALS)
            elif isinstance(record, PromptEntry) and record.key.endswith(LOG):
                self._text(value, None)  # its members are known where it is offered: `check.texts`
            elif meaning.values == "values":
                numbers = (key for key, (_, one) in self.declared.values.items() if not one.several)
                self._text(value, dict.fromkeys(numbers, int))
            elif not isinstance(record, Step) or record.id is not None:  # a step without id is never shown
                values = _VALUES["nothing" if _is_yes_or_no(record) else meaning.values]
                for text in (one.value for one in value) if isinstance(value, tuple) else (value,):
                    self._text(text, values)

    def title(self, node: Node) -> None:
        """Check a text that uses no values."""
        self._text(node, {})

    def inside(self, value: object) -> None:
        """Check the texts of all records in a value."""
        for one in parts(value):
            self.record(one)

    def _fields(self, kind: KindDeclared) -> Values:
        """Return the values for a definition's name: `count`, and its single-valued numbers and enumerations."""
        fields: dict[str, p.Field] = kind.fields
        told: dict[str, type] = {}
        for key, field in fields.items():
            number = field.type.name == "number"
            if field.per and field.type.name in ("number", "boolean"):
                told[key] = str
                members = self.declared.enumerations[field.per][1] if number else ()
                told |= {f"{key}.{member}": int for member in members}
            elif field.type.name in ("number", "enumeration") and not field.many and not field.per_copy:
                told[key] = int if number else str
        return {"count": int, **told}

    def _lines(self, track: TrackEntry, node: Node) -> None:
        """Check the lines of the log about a track: one text, or texts for its values."""
        of = track.of.text if track.of is not None else "number"
        members = self.declared.enumerations[of][1] if of in self.declared.enumerations else ()
        lines = lines_by_value(node, of, members)
        values = _change(track)
        if not lines:
            self._text(node, values)
            return
        for line in lines:
            if not is_value(line.key.text, of, members) and line.key.text not in self.poisoned:
                known = [*TRUTH] if of == "boolean" else [*members]
                near = nearest(line.key.text, known)
                hint = f"did you mean `{near}`?" if near else f"write one of {listed([*known, OTHER], 'or')}"
                message = f"`{line.key.text}` is not a value of `{track.key}`"
                self.found.append(Diagnostic("RW448", line.key.span, message, hint))
            self._text(line.value, values)

    # -------------------------------------------------------------- one text

    def _text(self, node: Node | None, values: Values | None) -> None:
        if isinstance(node, SequenceNode):  # one for each copy
            for item in node.items:
                self._text(item, values)
        elif isinstance(node, ScalarNode):
            self._message(node, values, (*self.declared.languages_at(node.span), "en")[0])
        elif isinstance(node, MappingNode) and id(node) not in self.seen:  # an aliased node occurs twice
            self.seen.add(id(node))
            for entry in node.entries:
                if isinstance(entry.value, ScalarNode):
                    self._message(entry.value, values, entry.key.text)
            given = node.keys()
            languages = self.declared.languages_at(node.span)
            missing = [language for language in languages if language not in given]
            if missing and any(has_words(entry.value) for entry in node.entries):
                last = node.entries[-1].value
                hint = f"add `{missing[0]}: …`; without it, players of that language see the text in another"
                told = listed(missing)
                span = last.span if isinstance(last, ScalarNode) else node.span
                others = [entry.key for entry in node.entries if entry.key.text not in languages]
                if others:
                    span = others[0].span
                    hint = f"`{others[0].text}` is not a language of this pack; did you mean `{missing[0]}`?"
                self.found.append(Diagnostic("RW327", span, f"this text is missing in {told}", hint))

    def _message(self, node: ScalarNode, values: Values | None, language: str) -> None:
        text = node.text
        if "{" not in text and "}" not in text:
            return
        try:
            message = parse(text)
        except MessageError as error:
            start = min(error.offset, max(len(text) - 1, 0))
            hint = "write a value as `{count}`, and a plural as `{count, plural, one {coin} other {coins}}`"
            said = f"this text cannot be read: {error.message}"
            self.found.append(Diagnostic("RW325", node.span_of(start, start + 1), said, hint))
            return
        if values is None:
            return
        for problem in problems(message, values, language):
            if problem.word in self.poisoned:
                continue
            start = text.find(problem.word, problem.offset)
            span = node.span_of(start, start + len(problem.word))
            self.found.append(Diagnostic("RW326", span, *told(problem.word, problem.message, values)))


def _change(track: TrackEntry) -> Values:
    """Return the values for the line that is logged when a track changes: its new value, and whose it is."""
    scope = [p.scope_kind(one.text) for one in track.scope if one.text not in ("game", "player")]
    who = SEAT if len(scope) < len(track.scope) and "player" in [one.text for one in track.scope] else {}
    told: dict[str, type] = {**who, **dict.fromkeys(scope, str)}
    if _is_yes_or_no(track):
        return {**told, "on": str}
    if track.of is None or track.of.text == "number":
        return {**told, "value": str, "count": int, "before": int, "amount": int, "rises": str}
    return {**told, "value": str, "before": str}


def _is_yes_or_no(record: Written) -> bool:
    """Whether a record is a track that is true or false, which has no count."""
    return isinstance(record, TrackEntry) and record.of is not None and record.of.text == "boolean"


def has_words(node: Node) -> bool:
    """Whether a text has anything to translate; one made of values alone, such as `{colour} {cost}`, has not."""
    try:
        parts = parse(node.text) if isinstance(node, ScalarNode) else ()
    except MessageError:
        return True
    return any(
        isinstance(part, Pick) or (isinstance(part, LiteralText) and not part.text.isspace()) for part in parts
    )


def told(word: str, message: str, values: Values) -> tuple[str, str]:
    """Return the message and the hint for a problem in a text that parses."""
    if word in values or (values and "branch of a plural" in message):
        hint = "the branches of a plural are `one`, `other`, and exact numbers such as `=0`"
        return message, hint
    if not values:
        return f"`{word}` has no value: this text cannot use values", "remove the braces"
    near = nearest(word, values)
    known = listed(f"{{{name}}}" for name in values)
    hint = f"did you mean `{{{near}}}`?" if near else f"this text can use {known}"
    return f"this text has no value `{word}`", hint


# ---- Resolve the values that texts for players show: `{claimant}`, `{card}`, `{card's cost}`
#
# A question or an option's name is read where it is asked, a message where it is announced, and a step's name
# where the step begins. There a value is what the effect language would read under that name or path.

_SHOWN = ("number", "boolean", "player", "card", "definition", "enumeration")
"""Types whose values have names for players."""


def shown_values(
    expressions: ExpressionChecker,
    node: Node | None,
    scope: Scope,
    own: Sequence[str] = (),
    announced: Span | None = None,
) -> tuple[p.ValueShown, ...]:
    """Return the values that a text shows, except its `own` ones; report those that are not known here.

    `announced` is the sentence that announces the text, which is written elsewhere and may be announced again where
    other names are known.
    """
    values: dict[str, p.ValueShown] = {}
    scope = scope.to_read()
    for language, scalar in _scalars(node):
        message = _parsed(scalar.text)
        for part in arguments(message):
            if part.name not in own and part.name not in values:
                value = _value(expressions, part.name, scalar, scope)
                if value is not None:
                    values[part.name] = value
        known = {**dict.fromkeys(own, "text"), **values}
        _report(expressions, scalar, message, language, known, scope, announced)
    return tuple(values.values())


def prompt_values(expressions: ExpressionChecker, prompt: p.Prompt, scope: Scope) -> tuple[p.ValueShown, ...]:
    """Return the values that the question of a choice shows, and the text below its options if it is no menu."""
    node, key = expressions.context.text_node, f"prompt/{prompt.key}"
    below = node(key + TEXT) if f"option-text/{prompt.key}" in expressions.context.texts else None
    return _united(
        shown_values(expressions, node(key), scope), shown_values(expressions, below, scope, (OWN_TEXT,))
    )


def choice_values(
    expressions: ExpressionChecker, prompt: p.Prompt, pool: CheckedExpression, scope: Scope
) -> tuple[tuple[p.ValueShown, ...], p.ReasonText | None]:
    """Return the values of a choice that is no menu: those of its texts, and those of its reason.

    In the reason, `it` is what is left out, and its fields are known as in a filter.
    """
    shows = prompt_values(expressions, prompt, scope)
    text = expressions.context.text_node(f"prompt/{prompt.key}{BECAUSE}")
    if text is None:
        return shows, None
    inner, candidate = expressions.names.inside(pool, scope)
    kept, beside = _kept(shown_values(expressions, text, inner), {candidate, *_variables(pool.node)})
    return _united(shows, kept), p.ReasonText(candidate, beside)


def _kept(
    shows: Sequence[p.ValueShown], known: set[int]
) -> tuple[tuple[p.ValueShown, ...], tuple[p.ValueShown, ...]]:
    """Divide the values of a reason: those that the question must keep, like those of its own text, and others.

    `known` are the variables that can be read while the question is open. What the others read needs no place in
    the game, so a reason with them changes no program.
    """
    kept = tuple(one for one in shows if not _variables(one.value) <= known)
    return kept, tuple(one for one in shows if one not in kept)


def _variables(node: t.Node) -> set[int]:
    return {one.variable for one in everything(node) if isinstance(one, p.Var | p.ListVar)}


def naming_options(
    expressions: ExpressionChecker, prompt: p.Prompt, branches: Iterable[p.Branching], scope: Scope
) -> tuple[p.Branching, ...]:
    """Add the values that the names of options show, where these names are prompts of the pack."""
    node, key = expressions.context.text_node, f"prompt/{prompt.key}"
    branches = tuple(branches)
    for branch in branches:
        _check_log(expressions, branch, node(f"{key}.{branch.key}{LOG}"))
    return tuple(
        described(expressions, named, node(one + TEXT), node(one + BECAUSE), scope)
        for branch in branches
        for one in [f"{key}.{branch.key}"]
        for named in [naming(expressions, branch, node(one), node(one + LOG), scope)]
    )


def naming(
    expressions: ExpressionChecker, branch: p.Branching, name: Node | None, log: Node | None, scope: Scope
) -> p.Branching:
    """Add the values that a name of an option shows, besides its members. They need the option's own `log`."""
    if name is None:
        return branch
    shows = shown_values(expressions, name, _inside(branch, scope), branch.names)
    if shows and log is None:
        message = f"the log cannot show `{{{shows[0].name}}}`, which is known only while this is offered"
        hint = "add `log: …` to the option: what the log says when it is chosen"
        expressions.context.report("RW326", name.span, message, hint)
    return evolve(branch, shows=branch.shows + shows)


def _check_log(expressions: ExpressionChecker, branch: p.Branching, log: Node | None) -> None:
    """Report values that the line of the log about an option cannot show."""
    context = expressions.context
    counts = {"count": int} if branch.key == p.PASS else {}
    own = (int if type_ == NUMBER else str for type_ in branch.member_types)
    values: dict[str, type] = {**SEAT, **counts, **dict(zip(branch.names, own, strict=True))}
    for language, scalar in _scalars(log):
        for problem in problems(_parsed(scalar.text), values, language):
            start = scalar.text.find(problem.word, problem.offset)
            place = scalar.span_of(start, start + len(problem.word))
            known = any(one.code == "RW326" and one.span == place for one in context.found)
            if problem.word not in context.poisoned and not known:
                context.report("RW326", place, *told(problem.word, problem.message, values))


def described(
    expressions: ExpressionChecker, branch: p.Branching, text: Node | None, because: Node | None, scope: Scope
) -> p.Branching:
    """Add the values that two texts show: the one below an option, and the reason why it is not offered.

    Both show its members; the text below also the card's own text.
    """
    inner = _inside(branch, scope)
    shows = shown_values(expressions, text, inner, (OWN_TEXT,))
    if because is None:
        return evolve(branch, shows=_united(branch.shows, shows))
    read = (*branch.members, *([branch.condition] if branch.condition is not None else []))
    known = {*branch.variables}.union(*map(_variables, read))
    kept, beside = _kept(shown_values(expressions, because, inner), known)
    return evolve(branch, shows=_united(_united(branch.shows, shows), kept), because=p.ReasonText(-1, beside))


def _inside(branch: p.Branching, scope: Scope) -> Scope:
    """Return the scope in which the members of an option are known."""
    for member, variable, type_ in zip(branch.names, branch.variables, branch.member_types, strict=True):
        scope = scope.bind(member, Bound(variable, type_))
    return scope


def _united(first: tuple[p.ValueShown, ...], more: tuple[p.ValueShown, ...]) -> tuple[p.ValueShown, ...]:
    known = {one.name for one in first}
    return first + tuple(one for one in more if one.name not in known)


@frozen(repr=False)
class EventValues(Record):
    """The parts of an event that gives values to its text; see `Source.values`."""

    numbers: tuple[t.Expr, ...]
    cards: t.List | None
    members: t.List | None
    types: tuple[tuple[str, str], ...]
    """The name and type of each value."""


def event_values(shows: Sequence[p.ValueShown]) -> EventValues:
    """Return the parts of an event that gives values to its text.

    Cards and lists are given as their number. Cards are among the cards of the event, the members of other lists
    among its members.
    """
    numbers: list[t.Expr] = []
    cards: t.List | None = None
    members: t.List | None = None
    types: list[tuple[str, str]] = []
    for one in shows:
        some, of = one.value, sort_named(one.type)
        if one.type.name == "card":
            if not isinstance(some, t.List):
                some = t.Choice(t.Binary(">=", some, t.Const(0)), t.Items((some,)), t.Items(()))
            cards = some if cards is None else t.Concat(cards, some)
        elif isinstance(some, t.List):
            members, of = some if members is None else t.Concat(members, some), t.LIST_OF + of
        numbers.append(t.Count(some) if isinstance(some, t.List) else some)
        types.append((one.name, of))
    return EventValues(tuple(numbers), cards, members, tuple(types))


def _scalars(node: Node | None) -> Iterator[tuple[str, ScalarNode]]:
    if isinstance(node, ScalarNode):
        yield "en", node
    elif isinstance(node, MappingNode):
        yield from ((one.key.text, one.value) for one in node.entries if isinstance(one.value, ScalarNode))
    elif isinstance(node, YamlSequence):
        for item in node.items:
            yield from _scalars(item)


def _parsed(text: str) -> Message:
    """Parse a text; a text that cannot be read has its own finding (`check.texts`)."""
    try:
        return parse(text) if "{" in text else ()
    except MessageError:
        return ()


def _near_value(expressions: ExpressionChecker, word: str, scalar: ScalarNode, scope: Scope) -> str | None:
    """Return what a misspelt word probably means: a track, value, or function, or a field of something."""
    declared = expressions.context.declared
    functions = (key for key, one in declared.functions.items() if not one.takes)
    names = {*scope.names, *declared.tracks, *declared.values, *functions}
    owner, of, last = word.rpartition("'s ")
    if of:
        known = {field for kind in declared.kinds.values() for field in kind.fields} | {*declared.tracks}
        owners = [owner] if owner in names else [one for one in [nearest(owner, names)] if one is not None]
        fields = [last] if last in known else [one for one in [nearest(last, known)] if one is not None]
        meant = [f"{one}{of}{field}" for one in owners for field in fields]
    else:
        meant = [one for one in [nearest(word, names)] if one is not None]
    return next((one for one in meant if _value(expressions, one, scalar, scope) is not None), None)


def _value(expressions: ExpressionChecker, name: str, scalar: ScalarNode, scope: Scope) -> p.ValueShown | None:
    """Return the value of a name or path, or None if it has none that a text can show."""
    bound = scope.names.get(name)
    if bound is not None:
        many = scope.unit.variables[bound.variable].many
        variable: t.Expr | t.List = p.ListVar(bound.variable) if many else p.Var(bound.variable)
        return p.ValueShown(name, bound.type, variable) if can_show(bound.type) else None
    tree = parse_expression(name)
    if isinstance(tree, Mistake):
        return None
    context = expressions.context
    tree = context.declared.tree(tree, scalar.span)
    text = TextPart(scalar, max(scalar.text.find(name), 0))
    with context.trial(scope.unit) as trial:
        value = expressions.check(tree, scope, text)
        clean = trial.clean
    if not clean or value is None or not can_show(value.type) or not isinstance(value.node, t.Expr | t.List):
        return None
    expressions.check(tree, scope, text)  # again, to record what it refers to
    return p.ValueShown(name, value.type, value.node)


def can_show(type_: Type) -> bool:
    return type_.name in _SHOWN


def _report(
    expressions: ExpressionChecker,
    scalar: ScalarNode,
    message: Message,
    language: str,
    values: MappingOf[str, object],
    scope: Scope,
    announced: Span | None,
) -> None:
    """Report names without a value, and plurals of what is no number."""
    context = expressions.context
    types = {
        name: int if isinstance(one, p.ValueShown) and one.type == NUMBER else str for name, one in values.items()
    }
    for problem in problems(message, types, language):
        word = problem.word
        if not context.poisoned.union(scope.lost).isdisjoint((word, *word.split("'s "))):
            continue
        start = scalar.text.find(word, problem.offset)
        place = scalar.span_of(start, start + len(word))
        if any(one.code == "RW326" and one.span in (place, announced) for one in context.found):
            continue
        branch = "branch of a plural" in problem.message
        if word in values or branch:
            hint = "use a number, or `{NAME, select, …}` for anything else"
            if branch:
                hint = "the branches of a plural are `one`, `other`, and exact numbers such as `=0`"
            context.report("RW326", place, problem.message, hint)
            continue
        own = (name for name, one in values.items() if not isinstance(one, p.ValueShown))
        names = list(dict.fromkeys([*own, *scope.names]))
        near = nearest(word, names) or _near_value(expressions, word, scalar, scope)
        known = listed(f"{{{name}}}" for name in names)
        meant = f"did you mean `{{{near}}}`?" if near else f"this text can use {known}" if known else None
        if announced is None:
            context.report("RW326", place, f"a text can show nothing called `{word}` here", meant)
        else:
            said = f"the message shows `{{{word}}}`, but nothing is called `{word}` where it is announced"
            context.report("RW326", announced, said, meant, Label(place, "shown here"))
