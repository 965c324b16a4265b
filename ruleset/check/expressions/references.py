"""Record the declarations that words of expressions name, for finding all uses of a declaration."""

from __future__ import annotations

from rulewright.ruleset.check.context import Context
from rulewright.ruleset.check.scope import Value
from rulewright.ruleset.common.span import Span
from rulewright.ruleset.language.types import KIND
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.table import nodes as t

_REFERRED: dict[type, str] = {
    p.TrackAt: "track",
    p.ListAt: "list",
    p.ValueOf: "value",
    p.ValueList: "value",
    p.OptionOf: "option",
    p.OptionList: "option",
    p.Invocation: "function",
    p.InvocationList: "function",
    p.MembersOf: "enumeration",
}
"""Category of the declaration that a word names, by the class of its node."""


def refer_to(context: Context, word: str, found: Value, kinds: tuple[str, ...], span: Span) -> None:
    """Record what a word names; `kinds` are those whose field it may be."""
    node, d = found.node, context.declared
    if found.zone_key == word:
        context.refer(f"zone/{word}", span)
    elif found.type.name == "enumeration" and isinstance(node, t.Const):
        context.refer(f"{found.type.of}/{word}", span)
    elif found.type.name == "definition" and isinstance(node, t.Const):
        context.refer(f"definition/{d.plurals.get(word, word)}", span)
    elif found.type == KIND:
        context.refer(f"kind/{d.plurals.get(word, word)}", span)
    elif isinstance(node, p.FieldOf | p.FieldAt | p.FieldListOf | p.Worth) or _reads_field(node):
        for kind in kinds:
            if word in d.kinds[kind].fields or word in d.kinds[kind].expressions:
                context.refer(f"field/{kind}.{word}", span)
    elif type(node) in _REFERRED:
        category = "value" if word in d.values else _REFERRED[type(node)]  # a function reads a changed value
        context.refer(f"{category}/{word}", span)


def _reads_field(node: t.Expr | t.List) -> bool:
    return isinstance(node, p.Invocation) and p.is_field_reader(node.function)
