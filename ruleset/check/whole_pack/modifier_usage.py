"""Check the targets of modifiers, and that a hook with `waits` is awaited."""

from __future__ import annotations

from rulewright.ruleset.check.context import Context
from rulewright.ruleset.check.hints.near_hint import meant
from rulewright.ruleset.common.diagnostic import Label
from rulewright.ruleset.common.listing import listed
from rulewright.ruleset.common.nearest import nearest
from rulewright.ruleset.documents.rules import Hook, Modifier
from rulewright.ruleset.source.nodes import Scalar


def check_modifiers(context: Context) -> None:
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


def _field_to_change(context: Context, changed: Scalar) -> None:
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


def check_awaited(context: Context) -> None:
    """Report hooks with `waits` that nothing awaits: they would never run."""
    for hook in context.declared.all_of(Hook).values():
        if hook.waits and f"await/{hook.key}" not in context.used:
            hint = f"use `await {hook.key}` where a player begins to wait for it, or remove `waits`"
            message = f"nothing awaits the hook `{hook.key}`"
            context.report("RW320", hook.span, message, hint)
