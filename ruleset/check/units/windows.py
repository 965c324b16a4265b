"""Windows and claims: declarations that sentences open.

A window or claim becomes a unit whose first parameter is the opening player. A claim returns whether it held. For
each window, the state has a list of the players who cancelled it. Opening it saves the previous contents of the
list, so a window can be opened while it is open.
"""

from __future__ import annotations

from attrs import evolve

from rulewright.ruleset.check.flow.steps import StepChecker
from rulewright.ruleset.check.scope import Bound, Scope, Unit, Value
from rulewright.ruleset.check.shown_values import event_values, naming_options, prompt_values
from rulewright.ruleset.check.statements.last_resort import OTHERWISE
from rulewright.ruleset.check.statements.verb_registry import Code
from rulewright.ruleset.check.units.parameters import with_parameters
from rulewright.ruleset.documents.rules import Challenge, Claim, Window
from rulewright.ruleset.documents.steps import Body, Menu, MenuOption
from rulewright.ruleset.language.types import BOOLEAN, CARD, NUMBER, PLAYER
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.table import nodes as t

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

    def _asked(self, seats: Value, options: Menu, window: Window, scope: Scope, reacted: int, at: int) -> Code:
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
        values = event_values([p.Shown(name, of, p.Var(one)) for name, of, one in members])
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
        self, seats: Value, challenge: Challenge, scope: Scope, challenger: int, key: str, at: int
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

    def _proved(self, cards: Value, claim: Claim, scope: Scope, challenger: int, stands: int, at: int) -> t.Stmt:
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

    def _begin(self, category: str, named: Window | Claim) -> tuple[Unit, Scope, int]:
        """Begin the unit of a window or claim: its parameters are the opening player and the declared ones."""
        unit = Unit(f"{category}/{named.key}")
        at = self.context.source(f"{category}/{named.key}", named.span)
        opener = unit.variable("opener" if category == "window" else "claimant", PLAYER)
        scope = Scope(unit, you=p.Var(opener), reading=False, prefix=named.key)
        scope = scope.bind("opener" if category == "window" else "claimant", Bound(opener, PLAYER))
        key = f"{category}/{named.key}"
        return unit, with_parameters(self.context, scope, key, self.context.takes[key]), at


def _together(asking: Window | Challenge) -> bool:
    """Whether all are asked at once, in secret."""
    return asking.order is not None and asking.order.text == "together"
