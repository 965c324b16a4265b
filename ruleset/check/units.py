"""Verbs, functions, windows, claims, and hooks on movement, each as a unit of code."""

from __future__ import annotations

from attrs import evolve

from rulewright.ruleset.check.context import CheckContext
from rulewright.ruleset.check.expressions.calls import read_around
from rulewright.ruleset.check.expressions.fitting import sure, with_article
from rulewright.ruleset.check.flow.steps import StepChecker
from rulewright.ruleset.check.hints import meant
from rulewright.ruleset.check.scope import Bound, CheckedExpression, Contribution, Scope, UnitDraft
from rulewright.ruleset.check.statements.arguments import handed_over, with_result
from rulewright.ruleset.check.statements.durations import beginning, modified, set_aside
from rulewright.ruleset.check.statements.hooks import MOVED, movement_hooks, unit_key
from rulewright.ruleset.check.statements.sentences import OTHERWISE
from rulewright.ruleset.check.statements.verb_registry import Code
from rulewright.ruleset.check.texts import event_values, naming_options, prompt_values, shown_values
from rulewright.ruleset.declare.declarations import FunctionDeclared, VerbDeclared
from rulewright.ruleset.documents.rules import Body, Challenge, Claim, Hook, Menu, MenuOption, Modifier, Window
from rulewright.ruleset.language.types import BOOLEAN, CARD, NUMBER, PLAYER, Type
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.source.nodes import texts_of
from rulewright.ruleset.table import nodes as t

# ---- Parameters of units: variables in the order in which calls pass them

def with_parameters(
    context: CheckContext, scope: Scope, taker: str, parameters: tuple[tuple[str, Type], ...], places: bool = True
) -> Scope:
    """Return the scope with the parameters of `taker`. With `places`, each card is followed by its place."""
    for name, type_ in parameters:
        variable = scope.unit.variable(name, type_.one, type_.many)
        place = scope.unit.variable(f"{name} place", NUMBER) if places and type_.name == "card" else None
        maybe = (taker, name) in context.maybe_none
        scope = scope.bind(name, Bound(variable, type_, maybe, place))
    return scope


# ------------------------------------------------------------------ Turn verbs and functions of the pack into units

def verb_unit(steps: StepChecker, verb: VerbDeclared) -> p.Unit:
    """Build the unit of a verb, including its hooks. The first parameter is the acting player."""
    unit = UnitDraft(verb.key)
    at = steps.context.source(f"verb/{verb.key}", verb.span)
    you = unit.variable("you", PLAYER)
    scope = with_parameters(
        steps.context, Scope(unit, you=p.Var(you), reading=False), f"verb/{verb.key}", verb.holes
    )
    parameters = len(unit.variables)
    begin, scope = with_result(verb, scope)
    moment = f"verb/{verb.key}"
    aside, given_back = set_aside(steps.context, unit, moment, at)
    begin = (*begin, *aside, *beginning(steps.context, unit, moment, p.Var(you), at))
    label = unit.label() if given_back or verb.gives is not None else 0
    if label:  # `stop` leaves the effect, but not what comes after it
        scope = evolve(scope, exits={**scope.exits, "stop": label})
    body = (*steps.context.covered(f"verb {verb.text}", at), *steps.body(verb.body.do, scope))
    body = steps.hooks.hooked(f"verb/{verb.key}", body, scope)
    if label and label in unit.left.among(body):
        body = (p.Block(label, body),)
    body = (*begin, *body, *handed_over(steps.context, verb, body, scope), *given_back)
    return p.Unit(verb.key, parameters, tuple(unit.variables), body, at)


def function_unit(steps: StepChecker, function: FunctionDeclared) -> p.DeclaredFunction:
    """Build a function, including the modifiers of its result."""
    context, expressions = steps.context, steps.expressions
    unit = UnitDraft(function.key)
    at = context.source(f"function/{function.key}", function.span)
    scope = with_parameters(context, Scope(unit), f"function/{function.key}", function.takes, places=False)
    gives = function.gives or BOOLEAN
    parameters = len(unit.variables)
    modifiers = context.declared.all_of(Modifier).values()
    changed = any(one.changes is not None and one.changes.text == function.key for one in modifiers)
    says = function.body
    cases = says.cases.items if says.cases is not None else ()
    weave = context.declared.woven.get(says.cases.span) if says.cases is not None else None
    wrapped = weave is not None and bool(weave.around)
    variable = unit.variable("result", gives, gives.many) if wrapped or (changed and not gives.many) else None
    body: Code = ()
    for when, result in reversed([(case.when, case.is_) for case in cases] or [(None, says.is_)]):
        value = expressions.read(result, scope, gives) if result is not None else None
        value = sure(context, value, result.span) if value is not None and result is not None else None
        give = _given(value, variable)
        if when is None:
            body = give
            continue
        test = expressions.read(when, scope, BOOLEAN)
        if test is not None and isinstance(test.node, t.Expr):
            body = (t.If(test.node, give, body),)
    if variable is not None and weave is not None:
        before = CheckedExpression(_of(variable, gives), gives, gives.can_be_none)
        value = read_around(expressions, expressions.whole, weave.around, lambda: before, scope, gives)
        value = sure(context, value, weave.around[-1].span) if value is not None else None
        body = (*body, *_given(value, variable))
    if variable is not None:
        changes = modified(expressions, function.key, scope, variable) if changed and not gives.many else ()
        body = (*body, *changes, t.Give(_of(variable, gives)))
    because = _because(steps, function, scope)
    return p.DeclaredFunction(
        p.Unit(function.key, parameters, tuple(unit.variables), body, at), gives.many, because
    )


def _because(steps: StepChecker, function: FunctionDeclared, scope: Scope) -> tuple[p.ValueShown, ...] | None:
    """Return the values of the text that says why a function does not hold; None without such a text."""
    text, gives = function.body.because, function.gives or BOOLEAN
    if text is None:
        return None
    if gives != BOOLEAN:
        message = f"`because` tells why something does not hold, but `{function.key}` gives {with_article(gives)}"
        hint = "remove it, or write it in a function that gives `true` or `false`"
        steps.context.report("RW456", function.body.place("because"), message, hint)
        return None
    steps.context.texts[f"because/function/{function.key}"] = texts_of(text)
    return shown_values(steps.expressions, text, scope)


def _given(value: CheckedExpression | None, result: int | None) -> Code:
    """Return the last statement of a case: give its value or, if more follows, store it in a variable."""
    if value is None:
        return ()
    if result is None:
        return (t.Give(value.node),)
    if isinstance(value.node, t.Expr):
        return (p.SetVar(result, value.node),)
    return (p.SetListVar(result, value.node),)


def _of(variable: int, type_: Type) -> t.Expr | t.List:
    return p.ListVar(variable) if type_.many else p.Var(variable)


# ---- The effects of hooks on movement, each a unit that the sentences which move cards call

def movement_unit(steps: StepChecker, hook: Hook) -> p.Unit:
    """Build the unit of a hook on movement: its parameters are the acting seat and the cards that move."""
    context, track = steps.context, p.hook_track(hook.key)
    _check_zones(context, hook)
    unit = UnitDraft(unit_key(hook))
    at = context.source(f"hook/{hook.key}", hook.span)
    you, moved, label = unit.variable("you", PLAYER), unit.variable(MOVED, CARD, True), unit.label()
    scope = Scope(unit, you=p.Var(you), reading=False, prefix=hook.key, exits={"stop": label})
    scope = scope.bind(MOVED, Bound(moved, CARD.list))
    code: list[t.Stmt] = []
    if hook.where is not None:
        cards = CheckedExpression(p.ListVar(moved), CARD.list)
        inner, variable = steps.expressions.names.inside(cards, scope)
        test = steps.expressions.read(hook.where, inner, BOOLEAN)
        if test is not None and isinstance(test.node, t.Expr):
            code.append(p.SetListVar(moved, t.Filter(p.ListVar(moved), variable, test.node)))
    applies: t.Expr = t.And(
        t.Binary("==", p.TrackAt(track, ()), t.Const(0)),
        t.Binary(">", t.Count(p.ListVar(moved)), t.Const(0)),
    )
    condition = steps.condition(hook.when, scope)
    if condition is not None:
        applies = t.And(applies, condition)
    body = (*context.covered(f"hook {hook.key}", hook.span), *steps.body(hook.do, scope))
    pause, resume = (p.AssignTrack(track, (), t.Const(value), at) for value in (1, 0))
    code.append(t.If(applies, (pause, p.Block(label, body), resume), ()))
    word = "before" if hook.before else "after"
    context.contributed.append(Contribution("hook", unit.key, word, hook.span, tuple(code)))
    return p.Unit(unit.key, 2, tuple(unit.variables), tuple(code), at)


def _check_zones(context: CheckContext, hook: Hook) -> None:
    """Report unknown zones of a hook."""
    for name in (*hook.from_, *hook.to):
        if name.text not in context.declared.zones and name.text not in context.poisoned:
            hint = meant(name.text, context.declared.zones, "zones")
            context.report("RW309", name.span, f"there is no zone `{name.text}`", hint)


def check_used(context: CheckContext) -> None:
    """Report hooks on movement that no sentence of the rules can set off."""
    for hook in movement_hooks(context):
        if f"hook/{hook.key}/move" not in context.used:
            message = f"no sentence moves cards as the hook `{hook.key}` says"
            hint = "check `from` and `to`: the set-up, refills, and the hook itself do not count"
            context.report("RW463", hook.span, message, hint)


# ---- Windows and claims: declarations that sentences open
#
# A window or claim becomes a unit whose first parameter is the opening player. A claim returns whether it
# held. For each window, the state has a list of the players who cancelled it. Opening it saves the previous
# contents of the list, so a window can be opened while it is open.

EVERYBODY = t.Const(-1)


class WindowChecker:
    """Checks declared windows and claims."""

    def __init__(self, steps: StepChecker) -> None:
        self.context = steps.context
        self.expressions = steps.expressions
        self.steps = steps

    def window(self, window: Window) -> p.Unit:
        """Build the unit of a window: each seat, in order or at once, may take an option or pass."""
        unit, scope, at = self._begin("window", window)
        parameters = len(unit.variables)
        reacted = unit.variable("reacted", PLAYER)
        code: list[t.Stmt] = [p.SetVar(reacted, t.Const(-1))]
        seats = self.expressions.read_node(window.asks, scope, PLAYER.list)
        if seats is not None and window.options is not None:
            code.extend(self._asked(seats, window.options, window, scope, reacted, at))
        return p.Unit(f"window/{window.key}", parameters, tuple(unit.variables), tuple(code), at)

    def _asked(
        self, seats: CheckedExpression, options: Menu, window: Window, scope: Scope, reacted: int, at: int
    ) -> Code:
        assert isinstance(seats.node, t.List)
        unit, key, first = scope.unit, scope.prefix, window.first
        seat = unit.variable("you", PLAYER)
        opener = scope.you
        assert opener is not None
        inner = evolve(scope, you=p.Var(seat))
        sealed, label = _together(window), unit.label()
        branches = []
        for entry in options.items:
            if entry.key.text == p.PASS:
                message = f"every window already has the option `{p.PASS}`"
                self.context.report("RW453", entry.key.span, message, "remove this option, or rename it")
            if isinstance(entry.value, MenuOption):
                for condition in entry.value.when or ():
                    if condition.text == OTHERWISE:
                        message = f"a window always offers `{p.PASS}`, so it has no option of last resort"
                        hint = "remove this condition, or the option"
                        self.context.report("RW455", condition.span, message, hint)
                branch = self.steps.option(entry.key, entry.value, inner)
            else:
                source = self.context.source(f"window/{key}", entry.key.span)
                effect = self.steps.body(entry.value, evolve(inner, prefix=f"{key}.{entry.key.text}"))
                branch = p.Branching(entry.key.text, (), (), (), (), None, effect, source)
            branches.append(branch)
        passed = unit.label() if window.again else 0
        passes: Code = (p.Leave(passed),) if passed else ()
        branches.append(p.Branching(p.PASS, (), (), (), (), None, passes, at))
        prompt = self.context.prompt(unit.choice("reaction", key), branches)
        self.steps.name_options(options, prompt.key)
        if sealed:
            branches = [self._said_later(branch, prompt, seat) for branch in branches]
        if first:
            branches = [self._ends(branch, label, sealed, seat, reacted) for branch in branches]
        shows = prompt_values(self.expressions, prompt, inner)
        named = naming_options(self.expressions, prompt, branches, inner)
        if sealed:
            return (p.MenuTogether(prompt, seats.node, seat, named, at, shows),)
        asked: Code = (p.Menu(prompt, p.Var(seat), named, at, shows),)
        if passed:  # a reaction may eliminate the player who reacts, and then nobody is there to be asked again
            asked = (p.Block(passed, (t.While(t.Contains(p.Living(), p.Var(seat)), asked, at),)),)
        return (p.Block(label, (p.Loop(seat, seats.node, asked, "acting", at),)),)

    @staticmethod
    def _ends(branch: p.Branching, label: int, sealed: bool, seat: int, reacted: int) -> p.Branching:
        """Let only the first reaction happen."""
        if branch.key == p.PASS:
            return branch
        if not sealed:
            return evolve(branch, body=(*branch.body, p.Leave(label)))
        alone = t.Binary("<", p.Var(reacted), t.Const(0))
        return evolve(branch, body=(t.If(alone, (p.SetVar(reacted, p.Var(seat)), *branch.body), ()),))

    def _said_later(self, branch: p.Branching, prompt: p.Prompt, seat: int) -> p.Branching:
        """Let a secret answer be said in the option's own words, if it has any, when it is carried out."""
        line = f"log/{prompt.key}.{branch.key}"
        if not any(text for _, text in self.context.texts.get(line, ())):
            return branch
        members = zip(branch.names, branch.member_types, branch.variables, strict=True)
        values = event_values([p.ValueShown(name, of, p.Var(one)) for name, of, one in members])
        at = self.context.source(line, self.context.sources[branch.at].span) if branch.at >= 0 else -1
        self.context.give_values(at, values.types)
        said = t.Emit("announced", (p.Var(seat), *values.numbers), values.cards, EVERYBODY, EVERYBODY, at)
        return evolve(branch, body=(said, *branch.body))

    def claim(self, claim: Claim) -> p.Unit:
        """Build the unit of a claim, which may be a lie: challenges, proof, and the consequences."""
        unit, scope, at = self._begin("claim", claim)
        parameters = len(unit.variables)
        assert scope.you is not None
        challenge = claim.challenge
        challenger, stands = unit.variable("challenger", PLAYER), unit.variable("stands", BOOLEAN)
        code: list[t.Stmt] = [p.SetVar(challenger, t.Const(-1)), p.SetVar(stands, t.Const(1))]
        asked = challenge.asks if challenge is not None else None
        seats = self.expressions.read_node(asked, scope, PLAYER.list)
        if seats is not None and challenge is not None:
            code.extend(self._challenged(seats, challenge, scope, challenger, claim.key, at))
        cards = self.expressions.read_node(claim.proof, scope, CARD.list)
        if cards is not None and isinstance(cards.node, t.List):
            code.append(self._proved(cards, claim, scope, challenger, stands, at))
        code.append(p.GiveBack(p.Var(stands)))
        return p.Unit(f"claim/{claim.key}", parameters, tuple(unit.variables), tuple(code), at)

    def _challenged(
        self, seats: CheckedExpression, challenge: Challenge, scope: Scope, challenger: int, key: str, at: int
    ) -> Code:
        assert isinstance(seats.node, t.List)
        unit = scope.unit
        seat = unit.variable("you", PLAYER)
        unchallenged = t.Binary("<", p.Var(challenger), t.Const(0))
        sealed, label = _together(challenge), unit.label()
        doubts = p.SetVar(challenger, p.Var(seat))
        note: Code = (t.If(unchallenged, (doubts,), ()),) if sealed else (doubts, p.Leave(label))
        branches = (
            p.Branching("challenge", (), (), (), (), None, note, at),
            p.Branching(p.PASS, (), (), (), (), None, (), at),
        )
        prompt = self.context.prompt(unit.choice("challenge", key), branches)
        if sealed:
            doubted, believed = branches
            branches = self._said_later(doubted, prompt, seat), self._said_later(believed, prompt, seat)
        inner = evolve(scope, you=p.Var(seat))
        shows = prompt_values(self.expressions, prompt, inner)
        named = naming_options(self.expressions, prompt, branches, inner)
        if sealed:
            return (p.MenuTogether(prompt, seats.node, seat, named, at, shows),)
        menu = p.Menu(prompt, p.Var(seat), named, at, shows)
        return (p.Block(label, (p.Loop(seat, seats.node, (menu,), "acting", at),)),)

    def _proved(
        self, cards: CheckedExpression, claim: Claim, scope: Scope, challenger: int, stands: int, at: int
    ) -> t.Stmt:
        unit = scope.unit
        shown, place = unit.variable("shown", cards.type.one), unit.variable("shown place", NUMBER)
        names = scope.bind("challenger", Bound(challenger, PLAYER))
        true = names.bind("shown", Bound(shown, cards.type.one, False, place))
        assert isinstance(cards.node, t.List) and scope.you is not None
        where = cards.place if cards.place is not None else t.Const(-1)
        holds: Code = (
            p.SetVar(place, where),
            p.SetVar(shown, t.First(cards.node)),
            *self._told(claim, "when-true", claim.when_true),
            *self.steps.body(claim.when_true, evolve(true, prefix=f"{claim.key}.when-true")),
        )
        fails: Code = (
            p.SetVar(stands, t.Const(0)),
            *self._told(claim, "when-false", claim.when_false),
            *self.steps.body(claim.when_false, evolve(names, prefix=f"{claim.key}.when-false")),
        )
        proven = t.Binary(">", t.Count(cards.node), t.Const(0))
        told = t.Emit("proven", (scope.you, p.Var(challenger), proven), None, EVERYBODY, EVERYBODY, at)
        doubted = t.Binary(">=", p.Var(challenger), t.Const(0))
        return t.If(doubted, (told, t.If(proven, holds, fails)), ())

    def _told(self, claim: Claim, word: str, body: Body | None) -> Code:
        return self.context.covered(f"claim {claim.key}.{word}", claim.place(word)) if body is not None else ()

    def _begin(self, category: str, named: Window | Claim) -> tuple[UnitDraft, Scope, int]:
        """Begin the unit of a window or claim: its parameters are the opening player and the declared ones."""
        unit = UnitDraft(f"{category}/{named.key}")
        at = self.context.source(f"{category}/{named.key}", named.span)
        opener = unit.variable("opener" if category == "window" else "claimant", PLAYER)
        scope = Scope(unit, you=p.Var(opener), reading=False, prefix=named.key)
        scope = scope.bind("opener" if category == "window" else "claimant", Bound(opener, PLAYER))
        key = f"{category}/{named.key}"
        return unit, with_parameters(self.context, scope, key, self.context.takes[key]), at


def _together(asking: Window | Challenge) -> bool:
    """Whether all are asked at once, in secret."""
    return asking.order is not None and asking.order.text == "together"
