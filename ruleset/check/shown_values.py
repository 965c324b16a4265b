"""Resolve the values that texts for players show: `{claimant}`, `{card}`, `{card's cost}`.

A question or an option's name is read where it is asked, a message where it is announced, and a step's name where
the step begins. There a value is what the effect language would read under that name or path.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Mapping as MappingOf

from attrs import evolve, frozen

from rulewright.ruleset.check.expressions.checker import ExpressionChecker
from rulewright.ruleset.check.scope import Bound, Scope, Text, Value
from rulewright.ruleset.check.texts import SEAT, told
from rulewright.ruleset.common.diagnostic import Label
from rulewright.ruleset.common.listing import listed
from rulewright.ruleset.common.nearest import nearest
from rulewright.ruleset.common.record import Record
from rulewright.ruleset.common.span import Span
from rulewright.ruleset.language.names import BECAUSE, LOG, OWN_TEXT, TEXT
from rulewright.ruleset.language.parser import parse_expression
from rulewright.ruleset.language.syntax_errors import Mistake
from rulewright.ruleset.language.types import NUMBER, Type, sort_named
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.traversal import everything
from rulewright.ruleset.source.nodes import Mapping, Node, Scalar
from rulewright.ruleset.source.nodes import Sequence as YamlSequence
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.message import Message, MessageError, arguments, parse, problems

_SHOWN = ("number", "boolean", "player", "card", "definition", "enumeration")
"""Types whose values have names for players."""


def shown_values(
    expressions: ExpressionChecker,
    node: Node | None,
    scope: Scope,
    own: Sequence[str] = (),
    announced: Span | None = None,
) -> tuple[p.Shown, ...]:
    """Return the values that a text shows, except its `own` ones; report those that are not known here.

    `announced` is the sentence that announces the text, which is written elsewhere and may be announced again where
    other names are known.
    """
    values: dict[str, p.Shown] = {}
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


def prompt_values(expressions: ExpressionChecker, prompt: p.Prompt, scope: Scope) -> tuple[p.Shown, ...]:
    """Return the values that the question of a choice shows, and the text below its options if it is no menu."""
    node, key = expressions.context.text_node, f"prompt/{prompt.key}"
    below = node(key + TEXT) if f"option-text/{prompt.key}" in expressions.context.texts else None
    return _united(
        shown_values(expressions, node(key), scope), shown_values(expressions, below, scope, (OWN_TEXT,))
    )


def choice_values(
    expressions: ExpressionChecker, prompt: p.Prompt, pool: Value, scope: Scope
) -> tuple[tuple[p.Shown, ...], p.Because | None]:
    """Return the values of a choice that is no menu: those of its texts, and those of its reason.

    In the reason, `it` is what is left out, and its fields are known as in a filter.
    """
    shows = prompt_values(expressions, prompt, scope)
    text = expressions.context.text_node(f"prompt/{prompt.key}{BECAUSE}")
    if text is None:
        return shows, None
    inner, candidate = expressions.names.inside(pool, scope)
    kept, beside = _kept(shown_values(expressions, text, inner), {candidate, *_variables(pool.node)})
    return _united(shows, kept), p.Because(candidate, beside)


def _kept(shows: Sequence[p.Shown], known: set[int]) -> tuple[tuple[p.Shown, ...], tuple[p.Shown, ...]]:
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
    return evolve(branch, shows=_united(_united(branch.shows, shows), kept), because=p.Because(-1, beside))


def _inside(branch: p.Branching, scope: Scope) -> Scope:
    """Return the scope in which the members of an option are known."""
    for member, variable, type_ in zip(branch.names, branch.variables, branch.member_types, strict=True):
        scope = scope.bind(member, Bound(variable, type_))
    return scope


def _united(first: tuple[p.Shown, ...], more: tuple[p.Shown, ...]) -> tuple[p.Shown, ...]:
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


def event_values(shows: Sequence[p.Shown]) -> EventValues:
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


def _scalars(node: Node | None) -> Iterator[tuple[str, Scalar]]:
    if isinstance(node, Scalar):
        yield "en", node
    elif isinstance(node, Mapping):
        yield from ((one.key.text, one.value) for one in node.entries if isinstance(one.value, Scalar))
    elif isinstance(node, YamlSequence):
        for item in node.items:
            yield from _scalars(item)


def _parsed(text: str) -> Message:
    """Parse a text; a text that cannot be read has its own finding (`check.texts`)."""
    try:
        return parse(text) if "{" in text else ()
    except MessageError:
        return ()


def _near_value(expressions: ExpressionChecker, word: str, scalar: Scalar, scope: Scope) -> str | None:
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


def _value(expressions: ExpressionChecker, name: str, scalar: Scalar, scope: Scope) -> p.Shown | None:
    """Return the value of a name or path, or None if it has none that a text can show."""
    bound = scope.names.get(name)
    if bound is not None:
        many = scope.unit.variables[bound.variable].many
        variable: t.Expr | t.List = p.ListVar(bound.variable) if many else p.Var(bound.variable)
        return p.Shown(name, bound.type, variable) if can_show(bound.type) else None
    tree = parse_expression(name)
    if isinstance(tree, Mistake):
        return None
    context = expressions.context
    tree = context.declared.tree(tree, scalar.span)
    text = Text(scalar, max(scalar.text.find(name), 0))
    with context.trial(scope.unit) as trial:
        value = expressions.check(tree, scope, text)
        clean = trial.clean
    if not clean or value is None or not can_show(value.type) or not isinstance(value.node, t.Expr | t.List):
        return None
    expressions.check(tree, scope, text)  # again, to record what it refers to
    return p.Shown(name, value.type, value.node)


def can_show(type_: Type) -> bool:
    return type_.name in _SHOWN


def _report(
    expressions: ExpressionChecker,
    scalar: Scalar,
    message: Message,
    language: str,
    values: MappingOf[str, object],
    scope: Scope,
    announced: Span | None,
) -> None:
    """Report names without a value, and plurals of what is no number."""
    context = expressions.context
    types = {name: int if isinstance(one, p.Shown) and one.type == NUMBER else str for name, one in values.items()}
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
        own = (name for name, one in values.items() if not isinstance(one, p.Shown))
        names = list(dict.fromkeys([*own, *scope.names]))
        near = nearest(word, names) or _near_value(expressions, word, scalar, scope)
        known = listed(f"{{{name}}}" for name in names)
        meant = f"did you mean `{{{near}}}`?" if near else f"this text can use {known}" if known else None
        if announced is None:
            context.report("RW326", place, f"a text can show nothing called `{word}` here", meant)
        else:
            said = f"the message shows `{{{word}}}`, but nothing is called `{word}` where it is announced"
            context.report("RW326", announced, said, meant, Label(place, "shown here"))
