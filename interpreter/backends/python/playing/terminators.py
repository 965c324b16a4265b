"""Generate the ends of segments, for text that plays whole games.

Each returns the segment that follows.

Where the rules ask, the text calls a function of the policy. The answer is inserted into the statement that reads
it, if that is the first to follow. Else it goes into the variable `A` or, if other code may read it, into the
state's slots.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import evolve

from interpreter.analysis.control_flow import Kept, before_closing
from interpreter.analysis.nodes import read_slots
from interpreter.analysis.shapes import slot_name
from interpreter.backends.python.lists import made
from interpreter.backends.python.playing.random_policy import in_order, side_by_side
from interpreter.backends.python.playing.writer import PlayingWriter, takes
from ruleset.table import nodes as t
from ruleset.table.traversal import everything, transform


def binds_seat(ask: t.Ask) -> bool:
    """Return whether a decision's options or bounds read the seat that is asked."""
    return ask.slot in read_slots((ask.options, ask.least, ask.most))


def _goto(_text: PlayingWriter, node: t.Goto) -> int:
    return node.segment


def _invoke(text: PlayingWriter, node: t.Invoke) -> int:
    text.charge(node.at)
    text.check_stack(str(text.program.procedures[node.procedure].size), node.at)
    call = f"p{node.procedure}({text.passed(node.arguments)})"
    after = text.program.segments[node.resume].tree.body
    taken = after[0] if takes(after) and text.entered[node.resume] == 1 else None
    if isinstance(taken, t.SetLocal):
        # The result is taken at once, and the cell is zero again.
        used = text.used is None or taken.slot in text.used
        text.line(f"{slot_name(taken.slot)} = {call}" if used else call)
        text.forget(taken)
        text.done = 2
        return node.resume
    text.line(text.kept_result(call, (node.procedure,)))
    return node.resume


def _invoke_table(text: PlayingWriter, node: t.InvokeTable) -> int:
    arguments = node.arguments
    if isinstance(node.index, t.Present):
        # The look-up has checked it.
        checked = node.index
        arguments = transform(arguments, lambda part: checked.operand if part == checked else part)
    called = text.temporary()
    if text.nests:
        text.line(f"{called} = T{node.table}[{text.text_of(node.index)}]")
        text.line(f"if {called} != -1:")
    else:
        text.called_tables.add(node.table)
        text.line(f"{called} = P{node.table}[{text.text_of(node.index)}]")
        text.line(f"if {called}:")
    text.indent += 1
    text.charge(node.at)
    text.check_stack(f"SIZES[{called}]", node.at)
    function = f"PROCEDURES[{called}]" if text.nests else called
    called_ones = tuple(n for n in text.program.tables[node.table] if n >= 0)
    text.line(text.kept_result(f"{function}({text.passed(arguments)})", called_ones))
    text.indent -= 1
    return node.resume


def _return(text: PlayingWriter, node: t.Return) -> None:
    text.line(f"return {0 if node.value is None else text.text_of(node.value)}")


def _finish(text: PlayingWriter, _node: t.Finish) -> None:
    text.line("raise Finished")


def _restart(text: PlayingWriter, node: t.Restart) -> None:
    text.charge(node.at)
    text.line("raise Restarted")


def _ask(text: PlayingWriter, node: t.Ask) -> int:
    kept = text.kept[text.segment]
    if text.opens:
        text.line("close(S)")
    before = ""
    if node.slot in text.program.segments[node.resume].live:
        before = text.temporary()
        text.line(f"{before} = {slot_name(node.slot)}")
    if kept is Kept.CELLS:
        asked = text.ask(node)
        text.line(f"if {asked}: answer_all(S)")
    else:
        assert isinstance(node.seats, t.Items)
        if binds_seat(node):
            text.forget(node)
            text.line(f"{slot_name(node.slot)} = {text.text_of(node.seats.values[0])}")
        text.answer = (kept, _answer(text, node, kept))
        if before or not _reads_at_once(text, node.resume):
            text.line(f"A = {text.answer[1]}")
            text.answer = (kept, "A")
    if before:
        text.line(f"{slot_name(node.slot)} = {before}")
    return node.resume


def _answer(text: PlayingWriter, node: t.Ask, kept: Kept) -> str:
    """Return the text of the call that chooses an answer."""
    if text.seated:
        return _seated(text, node, kept)
    cards = text.program.sites[node.site].of == "card" and not in_order(text.program, node.options)
    options = text.options(evolve(node, options=made(text, node.options)))
    if kept is Kept.NUMBER:
        two = isinstance(node.options, t.Items) and len(node.options.values) == 2
        if two and not node.always and not cards:
            toss = f"toss(S, {node.at})"
            return toss if options == "(0, 1)" else f"{options}[{toss}]"
        name = ("pick_card" if cards else "pick") + ("_always" if node.always else "")
        return f"{name}(S, {options}, {node.at})"
    arguments = [options, text.text_of(node.least), text.text_of(node.most), str(node.at)]
    if cards:
        arguments.append(str(side_by_side(text.program, node.options)))
    if node.always:
        arguments.append("True")
    return f"{'some_cards' if cards else 'some'}(S, {', '.join(arguments)})"


def _seated(text: PlayingWriter, node: t.Ask, kept: Kept) -> str:
    """Return the text of the call if the policy must know the seat."""
    assert isinstance(node.seats, t.Items)
    seat = slot_name(node.slot) if binds_seat(node) else text.text_of(node.seats.values[0])
    options = text.options(evolve(node, options=made(text, node.options)))
    arguments = ["S", seat, str(node.site), options]
    if kept is Kept.NUMBER:
        return f"pick_seated({', '.join([*arguments, str(node.at), str(node.always)])})"
    arguments += [text.text_of(node.least), text.text_of(node.most), str(node.at), str(node.always)]
    return f"some_seated({', '.join(arguments)})"


def _reads_at_once(text: PlayingWriter, resume: int) -> bool:
    """Return whether only the first statement after an answer reads it, and does nothing else."""
    body = text.program.segments[resume].tree.body
    first = body[0]
    match first:
        case t.SetLocal(_, t.First(t.Answer()) | t.Last(t.Answer())):
            pass
        case t.SetList(_, t.Answer()):
            pass
        case _:
            return False
    return sum(isinstance(part, t.Answer) for part in everything(before_closing(body))) == 1


ENDS: dict[type[t.End], Callable[[PlayingWriter, Any], int | None]] = {
    t.Goto: _goto,
    t.Invoke: _invoke,
    t.InvokeTable: _invoke_table,
    t.Return: _return,
    t.Ask: _ask,
    t.Finish: _finish,
    t.Restart: _restart,
}
