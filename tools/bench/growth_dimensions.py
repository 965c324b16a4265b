"""The dimensions in which packs grow, with their sizes, for `tools.bench.growth`."""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from rulewright.tools.bench import growth_packs


@frozen
class Dimension:
    """What grows, and its sizes."""

    make: Callable[[int], str | tuple[str, ...]]
    usual: int
    """A size at which a run takes well below a second."""
    most: int | None = None
    """The largest size without errors, if nesting is limited.

    Larger sizes are a dimension of their own, since rejected packs go through fewer passes.
    """

    def texts(self, size: int) -> tuple[str, ...]:
        """Return the texts of packs of a size."""
        made = self.make(size)
        return made if isinstance(made, tuple) else (made,)

    def size(self, times: int) -> int:
        """Return a multiple of the usual size, limited so that twice the result is valid."""
        size = self.usual * times
        return size if self.most is None else min(size, self.most // 2)


DIMENSIONS: dict[str, Dimension] = {
    "definitions": Dimension(growth_packs.definitions, 60),
    "definitions with expressions": Dimension(growth_packs.valued_definitions, 60),
    "readings": Dimension(growth_packs.readings, 60),
    "cards": Dimension(growth_packs.cards, 800),
    "options of a decision": Dimension(growth_packs.choice_among, 400),
    "zones": Dimension(growth_packs.zones, 40),
    "kinds": Dimension(growth_packs.kinds, 40),
    "tracks": Dimension(growth_packs.tracks, 40),
    "lists": Dimension(growth_packs.lists, 40),
    "values": Dimension(growth_packs.values, 40),
    "options": Dimension(growth_packs.options, 40),
    "members": Dimension(growth_packs.members, 40),
    "verbs": Dimension(growth_packs.verbs, 40),
    "verbs that ask": Dimension(growth_packs.asking_verbs, 40),
    "verbs in a chain": Dimension(growth_packs.verbs_in_a_chain, 40),
    "plain verbs in a chain": Dimension(growth_packs.plain_verbs_in_a_chain, 17, most=69),
    "functions": Dimension(growth_packs.functions, 40),
    "functions in a chain": Dimension(growth_packs.functions_in_a_chain, 8, most=33),
    "functions in functions": Dimension(growth_packs.functions_in_functions, 16, most=34),
    "verbs in verbs": Dimension(growth_packs.verbs_in_verbs, 16, most=69),
    "cases": Dimension(growth_packs.cases, 34, most=137),
    "steps": Dimension(growth_packs.steps, 60),
    "steps that ask": Dimension(growth_packs.asking_steps, 40),
    "steps with conditions": Dimension(growth_packs.steps_with_conditions, 40),
    "phases": Dimension(growth_packs.phases, 40),
    "sentences": Dimension(growth_packs.sentences, 60),
    "choices": Dimension(growth_packs.choices, 40),
    "conditions": Dimension(growth_packs.conditions, 40),
    "names": Dimension(growth_packs.names, 40),
    "menu": Dimension(growth_packs.menu, 35, most=140),
    "hooks": Dimension(growth_packs.hooks, 40),
    "modifiers": Dimension(growth_packs.modifiers, 20),
    "windows": Dimension(growth_packs.windows, 20),
    "awards": Dimension(growth_packs.awards, 40),
    "prompts": Dimension(growth_packs.prompts, 40),
    "messages": Dimension(growth_packs.messages, 40),
    "bots": Dimension(growth_packs.bots, 40),
    "scenarios": Dimension(growth_packs.scenarios, 40),
    "facts": Dimension(growth_packs.facts, 40),
    "changes": Dimension(growth_packs.changes, 20),
    "packs": Dimension(growth_packs.packs, 6),
    "text": Dimension(growth_packs.text, 4000),
    "arguments in a text": Dimension(growth_packs.text_with_arguments, 400),
    "quotes in a text": Dimension(growth_packs.quoted_text, 800),
    "tabs": Dimension(growth_packs.tabs, 60),
    "blank lines": Dimension(growth_packs.blank_lines, 800),
    "long names": Dimension(growth_packs.long_names, 100),
    "loops": Dimension(growth_packs.loops, 4, most=16),
    "loops that ask": Dimension(growth_packs.asking_loops, 9, most=39),
    "repeats": Dimension(growth_packs.repeats, 4, most=16),
    "ifs": Dimension(growth_packs.ifs, 9, most=39),
    "ifs that ask": Dimension(growth_packs.asking_ifs, 9, most=39),
    "anys": Dimension(growth_packs.anys, 10, most=40),
    "totals": Dimension(growth_packs.totals, 10, most=40),
    "brackets": Dimension(growth_packs.brackets, 10, most=40),
    "sum": Dimension(growth_packs.sum_, 35, most=141),
    "conjunction": Dimension(growth_packs.conjunction, 35, most=140),
    "nested steps": Dimension(growth_packs.nested_steps, 7, most=30),
    "findings": Dimension(growth_packs.findings, 60),
    "loops beyond the bound": Dimension(growth_packs.loops, 18, most=39),
    "brackets beyond the bound": Dimension(growth_packs.brackets, 80),
    "cases beyond the bound": Dimension(growth_packs.cases, 138),
    "menu beyond the bound": Dimension(growth_packs.menu, 141),
    "nested steps beyond the bound": Dimension(growth_packs.nested_steps, 64),
}
"""All dimensions by name."""
