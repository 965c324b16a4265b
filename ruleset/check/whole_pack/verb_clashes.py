"""Report ambiguous sentences: a clash is an error where the newer verb is declared."""

from __future__ import annotations

from rulewright.ruleset.check.context import Context
from rulewright.ruleset.check.statements.sentence_match import Earlier, pattern_text
from rulewright.ruleset.common.diagnostic import Label
from rulewright.ruleset.declare.declarations import VerbDeclared
from rulewright.ruleset.language.vocabulary import SENTENCES


def check_clashes(context: Context) -> None:
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
