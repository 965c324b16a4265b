"""Check nouns, such as `cards` in `choose 2 cards from hand`."""

from __future__ import annotations

from attrs import evolve

from rulewright.ruleset.check.context import Context
from rulewright.ruleset.check.expressions.belongings import Belongings
from rulewright.ruleset.check.expressions.values import definition_number
from rulewright.ruleset.check.scope import Scope, Text, Value
from rulewright.ruleset.common.listing import listed
from rulewright.ruleset.common.nearest import nearest
from rulewright.ruleset.language import ast as s
from rulewright.ruleset.language.types import CARD, Type
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.table import nodes as t

_PLAIN = {
    "player": ("player", "players"),
    "number": ("number", "numbers"),
    "boolean": ("boolean", "booleans"),
    "zone": ("zone", "zones"),
}


class Nouns:
    """Checks nouns against the lists that they narrow down."""

    def __init__(self, context: Context, belongings: Belongings) -> None:
        self.context = context
        self.belongings = belongings

    def word(self, word: str) -> str | None:
        """Return the kind or definition that a noun names, `""` for `card` and `cards`, or None."""
        d = self.context.declared
        if word in ("card", "cards"):
            return ""
        if word in d.plurals:
            return d.plurals[word]
        return word if word in d.kinds or word in d.definitions else None

    def bare(self, node: s.Expression, scope: Scope) -> str | None:
        """Return the kind or definition that a bare word names (`gems`); `""` for `cards`; else None."""
        if not isinstance(node, s.Name) or node.text in scope.names:
            return None
        return self.word(node.text)

    def narrowed(self, base: Value, noun: str, scope: Scope, node: s.Expression, text: Text) -> Value | None:
        """Return the members of a list of cards that a noun names."""
        if not noun:
            return base
        d = self.context.declared
        category = "definition" if noun in d.definitions and noun not in d.kinds else "kind"
        self.context.refer(f"{category}/{noun}", text.span(node.start, node.end))
        kinds = self.belongings.kinds_of(base)
        if (noun if category == "kind" else d.definitions[noun].kind) not in kinds:
            self._never_there(noun, kinds, node, text)
            return None
        assert isinstance(base.node, t.List)
        variable = scope.unit.variable("it", CARD)
        if noun in d.definitions and not any(x.kind == noun for x in d.definitions.values()):
            key = t.Binary("==", p.DefinitionOf(p.Var(variable)), definition_number(d, noun))
            type_ = Type("card", d.definitions[noun].kind, True)
        else:
            key = t.Binary("==", p.KindOf(p.Var(variable), False), t.Const(list(d.kinds).index(noun)))
            type_ = Type("card", noun, True)
            if base.type.of == noun or self.belongings.kinds_of(base) == (noun,):
                return evolve(base, type=type_)
        return evolve(base, node=t.Filter(base.node, variable, key), type=type_)

    def _never_there(self, noun: str, kinds: tuple[str, ...], node: s.Expression, text: Text) -> None:
        """Report a noun that can match no member of a list, whose members have these `kinds`."""
        message = f"this list never holds a `{noun}`"
        hint = f"its members are of kind {listed(kinds, 'or')}"
        self.context.report("RW450", text.span(node.start, node.end), message, hint)

    def every(self, node: s.Every, text: Text) -> Value | None:
        """Check `every KIND`: all definitions of a kind."""
        d = self.context.declared
        word = d.plurals.get(node.kind.text, node.kind.text)
        span = text.span(node.kind.start, node.kind.end)
        if word in d.kinds:
            self.context.refer(f"kind/{word}", span)
            return Value(p.DefinitionsOf(word), Type("definition", word, True))
        if word not in self.context.poisoned:
            near = nearest(word, d.kinds if self.context.seeking() else ())
            hint = f"did you mean `{near}`?" if near else None
            self.context.report("RW420", span, f"there is no kind `{word}`", hint)
        return None

    def called(self, base: Value, noun: s.Expression, scope: Scope, text: Text) -> Value | None:
        """Return the members of a list that a noun matches: all, or those of a named kind or definition."""
        span = text.span(noun.start, noun.end)
        word = noun.text if isinstance(noun, s.Name) else ""
        if not word:
            shown = text.says(noun.start, noun.end)
            self.context.report("RW425", span, f"expected a noun, such as `card`, found `{shown}`")
            return None
        named = self.word(word)
        if base.type.name in ("card", "definition") and named is not None:
            if base.type.name == "card":
                return self.narrowed(base, named, scope, noun, text)
            return self._of_definitions(base, named, scope, noun, text)
        nouns = self._nouns(base.type)
        if word in nouns or not nouns:
            return base
        if word in self.context.poisoned or word in scope.lost:
            return None
        near = nearest(word, nouns if self.context.seeking() else ())
        shown = listed(nouns[:2], "or")
        if base.type.name in ("card", "definition"):
            message, hint = f"no card is called `{word}`", "write `card`, `cards`, or a kind"
        else:
            message, hint = f"expected {shown}, found `{word}`", f"the list holds {base.type.plural}"
        self.context.report("RW420", span, message, f"did you mean `{near}`?" if near else hint)
        return None

    def _nouns(self, type_: Type) -> tuple[str, ...]:
        """Return the nouns for members of a list; none if nothing is known of them."""
        d = self.context.declared
        if type_.name in ("card", "definition"):
            return ("card", "cards", *d.plurals, *d.kinds)
        if type_.name == "enumeration":
            return (type_.of, *plurals(type_.of))
        return _PLAIN.get(type_.name, ())

    def _of_definitions(self, base: Value, noun: str, scope: Scope, node: s.Expression, text: Text) -> Value | None:
        """Return the definitions of a list that are of a kind, or the one that is named."""
        d = self.context.declared
        kinds = self.belongings.kinds_of(base)
        if not noun or kinds == (noun,):
            return base
        one = noun not in d.kinds or (noun in d.definitions and noun not in kinds)
        kind = d.definitions[noun].kind if one else noun
        self.context.refer(f"{'definition' if one else 'kind'}/{noun}", text.span(node.start, node.end))
        if kind not in kinds:
            self._never_there(noun, kinds, node, text)
            return None
        assert isinstance(base.node, t.List)
        variable = scope.unit.variable("it", base.type.one)
        it = p.Var(variable)
        key = t.Binary("==", p.KindOf(it, True), t.Const(list(d.kinds).index(noun))) if not one else None
        key = key or t.Binary("==", it, definition_number(d, noun))
        return evolve(base, node=t.Filter(base.node, variable, key), type=Type("definition", kind, True))


def plurals(word: str) -> tuple[str, ...]:
    """Return possible English plurals of a word."""
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return (f"{word}es",)
    return (f"{word}s", f"{word[:-1]}ies") if word.endswith("y") else (f"{word}s",)
