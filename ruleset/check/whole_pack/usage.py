"""Report phases, awards, prompts, and hooks that are declared and not used."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from rulewright.ruleset.check.context import Context
from rulewright.ruleset.check.flow.scoring import ScoringChecker
from rulewright.ruleset.check.flow.steps import StepChecker
from rulewright.ruleset.check.hints.near_hint import meant
from rulewright.ruleset.check.scope import Scope, Unit
from rulewright.ruleset.common.listing import listed
from rulewright.ruleset.common.nearest import nearest
from rulewright.ruleset.documents.flow import Award, Phase
from rulewright.ruleset.documents.rules import Hook
from rulewright.ruleset.language.names import BECAUSE, LOG
from rulewright.ruleset.table import nodes as t


def check_listed(steps: StepChecker, scoring: ScoringChecker) -> None:
    """Report phases and awards that are not listed, and check their bodies anyway."""
    context, d = steps.context, steps.context.declared
    scope = Scope(Unit("unused"), reading=False)
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


def check_prompts(context: Context) -> None:
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


def check_hooks(context: Context) -> None:
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
