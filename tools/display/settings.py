"""The options of a table that differ from the default, for the header of a game."""

from __future__ import annotations

from rulewright.interpreter.views.names import words
from rulewright.interpreter.views.narration import Narrator
from rulewright.ruleset.program.nodes import Option, Program


def settings(narrator: Narrator, program: Program | None) -> list[str]:
    """Return `name: value` for each option that was chosen; without the pack, which has the defaults, for all."""
    known = {option.key: option for option in program.options} if program is not None else {}
    texts, language = narrator.texts, narrator.language
    found = []
    for key, value in narrator.program.options:
        option = known.get(key)
        if option is not None and program is not None and value == _default(option, program):
            continue
        of = option.of if option is not None else key
        if value in ("true", "false"):
            of, value = "boolean", "yes" if value == "true" else "no"
        named = [
            texts.name(language, of, word) or texts.name(language, "definition", word) or words(word)
            for word in value.split(", ")
        ]
        found.append(f"{texts.name(language, 'option-name', key) or words(key)}: {', '.join(named)}")
    return found


def _default(option: Option, program: Program) -> str:
    """Return the value that a table has if nothing else was chosen."""
    if option.some:
        chosen = [one.key for number, one in enumerate(program.definitions) if option.default >> number & 1]
        return ", ".join(chosen) or "none"
    return option.members[option.default] if option.members else str(option.default)
