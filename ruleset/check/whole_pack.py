"""Checks that need the whole pack: uses, acting players, tables, and ambiguous sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import evolve

from rulewright.ruleset.check.context import CheckContext
from rulewright.ruleset.check.declarations.derived_fields import place_of
from rulewright.ruleset.check.flow.scoring import ScoringChecker
from rulewright.ruleset.check.flow.steps import StepChecker
from rulewright.ruleset.check.hints import meant
from rulewright.ruleset.check.scope import Scope, UnitDraft
from rulewright.ruleset.check.statements.verb_registry import Earlier, pattern_text
from rulewright.ruleset.common.diagnostic import Diagnostic, Label, Span
from rulewright.ruleset.common.nearest import listed, nearest, players_between
from rulewright.ruleset.declare.declarations import Declared, VerbDeclared
from rulewright.ruleset.documents.rules import Award, Hook, Modifier, Phase
from rulewright.ruleset.documents.sections import ComponentEntry, CopiesEntry
from rulewright.ruleset.language.types import BECAUSE, LOG
from rulewright.ruleset.language.vocabulary import SENTENCES
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.call_effects import Effects
from rulewright.ruleset.program.settled import Constants
from rulewright.ruleset.program.tables import TableFault, TableSize
from rulewright.ruleset.source.nodes import ScalarNode
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.message import MessageError, argument_names, parse

# ---- Check the targets of modifiers, and that a hook with `waits` is awaited

def check_modifiers(context: CheckContext) -> None:
    """Check that a modifier changes a function, a field of a kind, or a value, each with a single result."""
    d = context.declared
    for modifier in d.all_of(Modifier).values():
        changed = modifier.changes
        if changed is None or {changed.text, *changed.text.split(".")} & context.poisoned:
            continue
        if "." in changed.text:
            _field_to_change(context, changed)
            continue
        function = d.functions.get(changed.text)
        if changed.text in d.values:
            span, value = d.values[changed.text]
            if value.several:
                message = f"`{changed.text}` has several numbers, but modifiers can only change single values"
                hint = "write a function that takes the number of the place, and change that"
                context.report("RW424", changed.span, message, hint, Label(span, "declared here"))
        elif function is None:
            fields = [f"{kind.key}.{word}" for kind in d.kinds.values() for word in kind.fields]
            so_called = [field for field in fields if field.split(".")[1] == changed.text]
            fields_said = listed(so_called[:3], "or")
            near = f"a field is written with its kind: {fields_said}" if so_called else None
            near = near or meant(changed.text, {**d.functions, **d.values}, "functions and values")
            message = f"there is no function or value `{changed.text}` to change"
            context.report("RW430", changed.span, message, near)
        elif function.gives is not None and function.gives.many:
            label = Label(function.span, "declared here")
            message = f"`{changed.text}` gives a {function.gives}, but modifiers can only change single values"
            context.report("RW424", changed.span, message, None, label)


def _field_to_change(context: CheckContext, changed: ScalarNode) -> None:
    """Report findings about a modifier that names a field, `KIND.FIELD`."""
    of, _, word = changed.text.partition(".")
    kind = context.declared.kinds.get(of)
    if kind is None:
        near = nearest(of, context.declared.kinds)
        hint = f"did you mean `{near}.{word}`?" if near else meant(of, context.declared.kinds, "kinds")
        context.report("RW309", changed.span, f"there is no kind `{of}`", hint)
        return
    label = Label(kind.span, "the kind is declared here")
    field = kind.fields.get(word)
    if word in kind.expressions:
        message = f"`{word}` is an expression of each `{of}`, but modifiers can only change fields and functions"
        context.report("RW424", changed.span, message, None, label)
    elif field is None:
        near = nearest(word, kind.fields)
        hint = f"did you mean `{of}.{near}`?" if near else meant(word, kind.fields, "fields")
        context.report("RW311", changed.span, f"a `{of}` has no field `{word}`", hint, label)
    elif of not in context.changed.get(word, ()):
        holds = f"holds a {'list' if field.many else field.type}"
        if field.per:
            holds = f"has a value for each `{field.per}`"
        message = f"`{changed.text}` {holds}, but modifiers can only change single numbers and booleans"
        context.report("RW424", changed.span, message, None, label)


def check_awaited(context: CheckContext) -> None:
    """Report hooks with `waits` that nothing awaits: they would never run."""
    for hook in context.declared.all_of(Hook).values():
        if hook.waits and f"await/{hook.key}" not in context.used:
            hint = f"use `await {hook.key}` where a player begins to wait for it, or remove `waits`"
            message = f"nothing awaits the hook `{hook.key}`"
            context.report("RW320", hook.span, message, hint)


# ---- Report verbs, effects, expressions, and messages that need an acting player where there is none
#
# A sentence of a pack may also be used where no player has the turn, for example in a set-up. Whether its
# verb needs a player depends on the verb's code and on the verbs that it calls: a fixpoint over calls.

NOBODY = t.Const(-1)
YOU = p.Var(0)
"""The acting player, in the unit of a verb or an effect: its first parameter."""

_LOOKED_AT = frozenset([p.Var, t.Emit, t.Choice, p.CallVerb, p.PerformField, p.Worth])
_WITHOUT = t.Binary("<", YOU, t.Const(0))
"""The test that hooks with `waits` use to handle the absence of an acting player."""


def without_actor(effects: Effects, sources: list[t.Source], texts: Mapping[str, p.Texts]) -> Iterator[Diagnostic]:
    """Report calls without an acting player of code that needs one."""
    speaking = {key for key, said in texts.items() if key.startswith("message/") and _speaks(said)}
    acting = _Acting(effects, sources, speaking)
    for node in acting.alone:
        span = node.span if isinstance(node, p.Worth) else sources[node.at].span
        if isinstance(node, t.Emit):
            what = sources[node.at].name.partition("/")[2]
            message = f"the message `{what}` names the acting player, but no player acts or has the turn here"
            yield Diagnostic("RW422", span, message, _HINT)
        elif any(key in acting.needing for key in effects.calls(node)):
            message = "this needs an acting player, but no player acts or has the turn here"
            yield Diagnostic("RW422", span, message, _HINT)


_HINT = "name a player: `p …`, where `p` is a player, or give the step `turns: …`"


class _Acting:
    """How units use the acting player: whether they read it, and to which units they pass it."""

    def __init__(self, effects: Effects, sources: list[t.Source], speaking: set[str]) -> None:
        self.effects = effects
        self.sources = sources
        self.speaking = speaking
        self.alone: list[Any] = []
        """Nodes that call, read, or announce without an acting player."""
        self.needing: set[str] = set()
        passing: dict[str, list[str]] = {}
        """For each unit, the units that pass it the acting player."""
        for key, unit in effects.units.items():
            takes = unit.parameters > 0 and unit.variables[0].name == "you"
            reads, passed = self._read(unit, takes)
            if reads:
                self.needing.add(key)
            for called in passed:
                passing.setdefault(called, []).append(key)
        more = list(self.needing)
        while more:
            new = {key for key in passing.get(more.pop(), ()) if key not in self.needing}
            self.needing |= new
            more.extend(new)

    def _read(self, unit: p.Unit, takes: bool) -> tuple[bool, set[str]]:
        """Return whether a unit itself reads the acting player, and the units to which it passes it."""
        reads, passed = False, set[str]()
        walk = self.effects.walks.of(unit)
        nodes = walk.nodes
        skipped = -1
        """Nodes before this number are done or irrelevant."""
        given: set[int] = set()
        """The nodes that pass the acting player to a unit."""
        for number in [number for number, node in enumerate(nodes) if type(node) in _LOOKED_AT]:
            if number < skipped:
                continue
            node = nodes[number]
            if isinstance(node, p.Var):
                reads = reads or (takes and node.variable == 0 and number not in given)
            elif isinstance(node, t.Emit):
                told = node.kind == "announced" and self.sources[node.at].name in self.speaking
                if told and node.numbers[0] == NOBODY:
                    self.alone.append(node)
                reads = reads or (told and takes and node.numbers[0] == YOU)
                # The actor is the first of the numbers of an announcement; the others are values of its text.
                skipped = walk.end(number + 1 if node.kind == "announced" else number)
            elif isinstance(node, t.Choice):
                if node.condition == _WITHOUT:
                    skipped = walk.end(number)
            else:
                actor = node.you if isinstance(node, p.Worth) else node.arguments[0]
                if actor == NOBODY:
                    self.alone.append(node)
                elif takes and actor == YOU:
                    passed.update(self.effects.calls(node))
                    first = number + 1
                    while walk.arounds[first] != number or nodes[first] != YOU:
                        first += 1
                    given.add(first)
        return reads, passed


def _speaks(said: p.Texts) -> bool:
    """Whether a message names the acting player, in any language; its other values are in scope."""
    for _, text in said:
        try:
            if argument_names(parse(text)) & {"seat", "you"}:
                return True
        except MessageError:
            continue
    return False


# ---- Check that the pack's tables can be made: derived fields have values, and nothing is too large
#
# The check uses each number of players and the default of each option. For other options, lowering refuses
# the table.

def check_tables(context: CheckContext, program: p.Program) -> None:
    """Report the first fault of the tables, and supplies that never have a card."""
    if program.supplies and all(supply.copies == t.Const(0) for supply in program.supplies):
        place = _copies_of(context.declared, program, program.supplies[0])
        message = "the game has no cards: each of its components has 0 copies"
        context.report("RW337", place, message, "write a number above 0, or remove the components")
        return
    options = {option.key: option.default for option in program.options}
    seats = range(program.least_players, program.most_players + 1)
    sizes = {count: TableSize(program, Constants(program, count, options)) for count in seats}
    faults = {count: fault for count, size in sizes.items() if (fault := size.fault()) is not None}
    for count, fault in faults.items():
        when = f"with {players_between(count, count)}, " if len(faults) < len(sizes) else ""
        code = "RW338" if fault.what == "field" else "RW213"
        place = _place(context.declared, program, fault)
        context.report(code, place, f"{when}{fault.message}", _HINTS.get(fault.what))
        return


_HINTS = {
    "supply": "lower `copies`",
    "zone": "name the kinds that it `accepts`, or make fewer cards",
    "track": "remove a `scope`, or make fewer cards",
    "list": "add `at-most`, remove the `scope`, or make fewer cards",
}


def _place(declared: Declared, program: p.Program, fault: TableFault) -> Span:
    """Return the place of the part that is to blame; if no pack declares it, that of the most cards."""
    if fault.what == "field":
        kind, _, name = fault.key.partition(".")
        return place_of(declared.kinds[kind].derived[name]).span
    if fault.what == "zone" and fault.key in declared.zones:
        return declared.zones[fault.key][0]
    if fault.what == "track" and fault.key in declared.tracks:
        return declared.tracks[fault.key][0]
    if fault.what == "list" and fault.key in declared.lists:
        return declared.lists[fault.key][0]
    supply = next((one for one in program.supplies if one.definition == fault.key), program.supplies[0])
    return _copies_of(declared, program, supply)


def _copies_of(declared: Declared, program: p.Program, supply: p.Supply) -> Span:
    """Return the place of the number of copies that a definition or its component writes."""
    name = program.sources[supply.at].name.removeprefix("component/")
    component = declared.all_of(ComponentEntry)[name]
    own = declared.definitions[supply.definition].says.copies
    copies = own if own is not None else component.copies
    if isinstance(copies, CopiesEntry):
        return copies.by.span if copies.by is not None else component.span
    return copies.span if copies is not None else component.span


# ---- Report phases, awards, prompts, and hooks that are declared and not used

def check_listed(steps: StepChecker, scoring: ScoringChecker) -> None:
    """Report phases and awards that are not listed, and check their bodies anyway."""
    context, d = steps.context, steps.context.declared
    scope = Scope(UnitDraft("unused"), reading=False)
    for phase in d.all_of(Phase).values():
        if phase.key in context.poisoned:  # its list could not be read
            continue
        if f"phase/{phase.key}" not in context.used:
            hint = f"add it to the phases of a round: `phases: [{phase.key}]`"
            context.report("RW320", phase.span, f"no round lists the phase `{phase.key}`", hint)
            inner = evolve(scope, prefix=phase.key, you=t.Const(0), exits={"phase": 0, "round": 0, "turn": 0})
            steps.steps(phase.steps, inner)
    for award in d.all_of(Award).values():
        if award.key in context.poisoned:
            continue
        if f"award/{award.key}" not in context.used:
            hint = f"add it to the awards of the `finish`: `awards: [{award.key}]`"
            context.report("RW320", award.span, f"no `finish` lists the award `{award.key}`", hint)
            scoring.award(award, 0, scope)


def check_prompts(context: CheckContext) -> None:
    """Report prompts for choices that do not exist.

    Of those for a choice and its options only that for the choice.
    """
    asked = [name.removeprefix("prompt/") for name in context.used if name.startswith("prompt/")]
    missing: set[str] = set()
    for key, (span, _) in sorted(context.declared.prompts.items(), key=lambda one: one[0].count(".")):
        if any(key.startswith(f"{one}.") for one in missing):
            continue
        named = f"prompt-option/{key}" in context.used
        lost = set(key.split(".")) & context.poisoned or context.incomplete(key)
        if key not in asked and not named and not lost:
            lines = [one.removeprefix("prompt-option/") for one in context.used if one.endswith((LOG, BECAUSE))]
            message, hint = _no_choice(key, asked, lines)
            context.report("RW323", span, message, hint)
            missing.add(key)


def _no_choice(key: str, asked: Sequence[str], lines: Sequence[str]) -> tuple[str, str | None]:
    """Return the message and the hint for a prompt of no choice, or of a choice that cannot have such a text.

    `lines` are the ids of the lines and reasons of options.
    """
    choice, _, end = key.rpartition(".")
    if f".{end}" in (LOG, BECAUSE) and choice in asked:
        own = sorted(line for line in lines if line.rpartition(".")[0].rpartition(".")[0] == choice)
        own = [line for line in own if line.endswith(f".{end}")]
        hint = "this choice is no menu: `announce` a message after it"
        if own:
            hint = f"write it for each option: {listed(own)}"
        return f"`{choice}` is a choice, and only options have a `{end}`", hint
    return f"there is no choice `{key}`", meant(key, sorted(asked), "choices")


def check_hooks(context: CheckContext) -> None:
    """Report hooks whose anchor does not exist."""
    d = context.declared
    anchors = [f"verb/{key}" for key in d.verbs]
    anchors += [source.name for source in context.sources if source.name.startswith("step/")]
    for hook in d.all_of(Hook).values():
        for _, anchor in hook.anchors if not hook.on_movement else ():
            if f"hook/{hook.key}/{anchor.text}" in context.used:
                continue
            if anchor.text.split("/")[-1].split(".")[0] not in context.poisoned:
                near = nearest(anchor.text, anchors)
                hint = f"did you mean `{near}`?" if near else "write an anchor as `verb/ID` or `step/PHASE.STEP`"
                context.report("RW316", anchor.span, f"there is no verb or step `{anchor.text}`", hint)


# ---- Report ambiguous sentences: a clash is an error where the newer verb is declared

def check_clashes(context: CheckContext) -> None:
    """Report verbs whose sentences could be those of another verb."""
    d = context.declared
    words = dict.fromkeys(d.zones, "zone")
    words |= dict.fromkeys((*d.definitions, *d.plurals), "definition")
    words |= {member: "enumeration" for _, members in d.enumerations.values() for member in members}
    kernel, earlier = Earlier(), Earlier()
    for sentence in SENTENCES:
        kernel.add(sentence)
    for verb in d.verbs.values():
        for built_in in kernel.overlapping(verb, words):
            message = f"`{verb.text}` can be confused with the built-in sentence `{pattern_text(built_in)}`"
            context.report("RW314", verb.span, message, "use other words in the sentence")
            context.clashing.add(verb.key)
            break
        for other in earlier.overlapping(verb, words):
            assert isinstance(other, VerbDeclared)
            if d.visible(verb.span, other.span) or d.visible(other.span, verb.span):
                label = Label(other.span, "the other verb")
                message = f"`{verb.text}` can be confused with `{pattern_text(other)}`"
                context.report("RW314", verb.span, message, "use other words in one of the sentences", label)
                context.clashing.add(verb.key)
                break
        earlier.add(verb)
