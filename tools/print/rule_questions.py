"""What players are asked: the questions of a pack and their options, by the step in which they are."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field

from rulewright.ruleset.language.types import Type
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.traversal import everything
from rulewright.tools.print.about import About
from rulewright.tools.print.readable import label, sentences
from rulewright.tools.print.rule_components import kind_name
from rulewright.tools.print.rule_parts import Item, capital
from rulewright.tools.print.words import word

_ASKING = (p.Choose, p.ChooseTogether, p.Menu, p.MenuTogether)


@define
class Questions:
    """All questions of a pack, by key (`PHASE.STEP.NAME`). Each is listed once, at its first step."""

    about: About
    _asked: dict[str, p.Choose | p.ChooseTogether | p.Menu | p.MenuTogether] = field(init=False, factory=dict)
    _told: set[str] = field(init=False, factory=set)

    def __attrs_post_init__(self) -> None:
        for unit in (self.about.program.main, *self.about.program.units):
            for statement in unit.body:
                for node in everything(statement):
                    if isinstance(node, _ASKING):
                        self._asked.setdefault(node.prompt.key, node)

    def under(self, path: str, exact: bool = True) -> Iterator[Item]:
        """Yield the questions of a step, or with all below it if not `exact`, as entries of the book."""
        for key, node in self._asked.items():
            rest = key.removeprefix(f"{path}.")
            if (rest == key and key != path) or key in self._told or (exact and key != path and "." in rest):
                continue
            self._told.add(key)
            item = self._item(node)
            if item.name or item.below:
                yield item

    def _item(self, node: p.Choose | p.ChooseTogether | p.Menu | p.MenuTogether) -> Item:
        language = self.about.language
        texts = dict(node.prompt.texts)
        known = {one.name: name for one in node.shows if (name := self._member(one.type))}
        asked = sentences(texts.get(language) or next(iter(texts.values()), ""), known)
        options: tuple[Item, ...] = ()
        if isinstance(node, (p.Menu, p.MenuTogether)):
            told = (self._option(node.prompt.key, branch) for branch in node.branches)
            options = tuple(dict.fromkeys(one for one in told if one.name))
        return Item(asked or (word(language, "choose-one") if options else ""), below=options)

    def _option(self, choice: str, branch: p.Branching) -> Item:
        key = f"{choice}.{branch.key}"
        texts, language = self.about.texts, self.about.language
        known = {
            name: member
            for name, type_ in zip(branch.names, branch.member_types, strict=False)
            if (member := self._member(type_))
        }
        name = texts.text(language, f"choice/{key}") or ""
        text = texts.text(language, f"option-text/{key}") or ""
        shown = label(name, known)
        if shown.casefold() == word(language, "a-card"):  # the question says it
            shown = ""
        return Item(shown, sentences(text, {}))

    def _member(self, type_: Type) -> str:
        """Name something of a type: "a player", "a card"; "" for what has no name."""
        language = self.about.language
        if type_.many:
            return ""
        if type_.name == "player":
            return word(language, "a-player")
        if type_.name in ("card", "definition"):
            if not type_.of:
                return word(language, "a-card")
            return word(language, "a-thing", thing=kind_name(self.about, type_.of), vowel=self._vowel(type_.of))
        return ""

    def _vowel(self, kind: str) -> str:
        return "yes" if capital(kind_name(self.about, kind))[:1] in "AEIOU" else "no"
