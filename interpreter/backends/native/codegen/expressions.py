"""C for integer expressions.

Each method returns the text of one C expression without side effects. Anything that needs statements (loops,
possible failures) is written in lines before it. A rule error is stored in `G`, and the function executes `failed`.
In the text `G` is the game, `S` its cells, `v3` slot 3, `l3` and `n3` the members and the length of list slot 3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar

from rulewright.interpreter.analysis.metering import ListBounds
from rulewright.interpreter.analysis.nodes import Failing, fallible_functions, interval
from rulewright.interpreter.backends.native.codegen.writer import CText, literal
from rulewright.interpreter.state.rule_errors import CODES
from rulewright.ruleset.common.limits import HIGHEST, LOWEST
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.nodes import Const, Expr, List, Slot, TableProgram

WORD = 64
"""Bits of the C type that holds small sets."""


class ValueText(CText):
    """Texts of the integers of one program. `codegen.lists` adds those of lists."""

    number_writers: ClassVar[Mapping[type[Expr], Callable[[Any, Any], str]]]

    def __init__(self, program: TableProgram) -> None:
        super().__init__()
        self.program = program
        self.fallible = fallible_functions(program)
        self._failing = Failing(self.fallible)
        self.bounds = ListBounds(program)
        self.slots: Sequence[Slot] = ()
        """The slots of the function or procedure that is being written."""
        self.bound: dict[int, str] = {}
        """Slots bound by enclosing expressions, and the names that hold their values."""
        self.room = 0
        """Cells of the lists that the text so far stores in variables."""
        self.failed = "return 0;"
        self.codes: list[str] = list(CODES)
        """Rule errors by number minus one."""
        self.zone_tables: set[int] = set()
        """Tables of zones that need a table of the zones' addresses."""
        self.members: dict[tuple[int, int], str] = {}
        """Names of the tables of whether constant lists contain a value, by list table and value."""

    # -------------------------------------------------------------- failing

    def can_fail(self, node: object) -> bool:
        """Return whether evaluating a node may raise a rule error or use fuel."""
        return self._failing.can_fail(node)

    def fault(self, code: str, at: int) -> str:
        """Return the statements of a rule error."""
        if code not in self.codes:
            self.codes.append(code)
        return f"{{ rw_fault(G, {self.codes.index(code) + 1}, {at}); {self.failed} }}"

    def fault_if(self, test: str, code: str, at: int) -> None:
        """Write the line that fails if a test holds."""
        self.line(f"if (RW_RARE({test})) {self.fault(code, at)}")

    def passed_on(self) -> None:
        """Write the line that ends this function if a called one has failed."""
        self.line(f"if (RW_RARE(G->fault)) {self.failed}")

    # -------------------------------------------------------------- entry points

    def number(self, node: Expr) -> str:
        """Return the text of an integer, atomic or in parentheses."""
        return self.number_writers[type(node)](self, node)

    def named(self, node: Expr) -> str:
        """Return the name of a constant that holds an integer, or its text if that is short."""
        text = self.number(node)
        if isinstance(node, Const) or text.isidentifier():
            return text
        name = self.name()
        self.line(f"const int {name} = {text};")
        return name

    def cell(self, address: Expr) -> str:
        """Return the text of a cell of the state."""
        return f"S[{self.number(address)}]"

    @contextmanager
    def binding(self, slot: int, name: str) -> Iterator[None]:
        """Bind a slot to a name inside the context."""
        before = self.bound.get(slot)
        self.bound[slot] = name
        yield
        if before is None:
            del self.bound[slot]
        else:
            self.bound[slot] = before

    def addresses(self, number: int) -> str:
        """Return the name of the table of addresses for a table of zones."""
        self.zone_tables.add(number)
        return f"rw_A{number}"

    # -------------------------------------------------------------- integers from lists

    def count(self, node: t.Count) -> str:
        raise NotImplementedError

    def total(self, node: t.Total) -> str:
        raise NotImplementedError

    def exists(self, node: t.Exists) -> str:
        raise NotImplementedError

    def contains(self, node: t.Contains) -> str:
        raise NotImplementedError

    def same(self, node: t.Same) -> str:
        raise NotImplementedError

    def end_of(self, node: t.First | t.Last) -> str:
        raise NotImplementedError

    def highest(self, node: t.Highest) -> str:
        raise NotImplementedError

    def passed(self, arguments: Sequence[Expr | List]) -> list[str]:
        """Return the texts of a call's arguments. The called function copies lists before it does anything else."""
        raise NotImplementedError

    # -------------------------------------------------------------- parts

    def checked(self, node: t.Checked) -> str:
        """Write arithmetic that may leave int32 or divide by zero."""
        left, right = self.named(node.left), self.named(node.right)
        if node.op in t.COMPARISONS:
            return f"({left} {node.op} {right})"
        wide = self.name()
        if node.op in ("//", "%"):
            self.fault_if(f"{right} == 0", "zero-division", node.at)
            name = "rw_quotient" if node.op == "//" else "rw_remainder"
            self.line(f"const long long {wide} = {name}({left}, {right});")
        else:
            self.line(f"const long long {wide} = (long long){left} {node.op} {right};")
        low, high = interval(node, self.program)
        if node.op != "%" and (low <= LOWEST or high >= HIGHEST):
            self.fault_if(f"{wide} != (int){wide}", "overflow", node.at)
        return f"((int){wide})"

    def apart(self, node: Expr) -> tuple[str, list[str]]:
        """Return the text of an integer, and the lines needed before it, which are not written yet."""
        lines: list[str] = []
        with self.aside(lines):
            text = self.number(node)
        return text, lines

    def short_circuit(self, node: t.And | t.Or) -> str:
        """Write a chain of operators that stop as soon as the result is known. The look-ups that a chain always
        makes are in its first operand.
        """
        chain: list[t.And | t.Or] = []
        first: Expr = node
        while isinstance(first, t.And | t.Or):
            chain.append(first)
            first = first.left
        text = self.number(first)
        looked = dict(self.looked_up(first))
        for link in reversed(chain):
            text = self._joined(text, link, looked)
        return text

    def _joined(self, left: str, node: t.And | t.Or, looked: Mapping[Expr, int]) -> str:
        """Return the text of an operator with its left operand `left`."""
        right, lines = self.apart(node.right)
        both = isinstance(node, t.And)
        if not lines:
            sign = "&" if both else "|"
            quick = _flag(node.right) and _flag(node.left) and self.harmless(node.right, looked)
            return f"({left} {sign if quick else 2 * sign} {right})"
        name = self.name()
        self.line(f"int {name} = {left} != 0;")
        self.line(f"if ({name if both else '!' + name}) {{")
        self.lines += lines
        self.line(f"  {name} = {right} != 0;")
        self.line("}")
        return name

    def harmless(self, node: Expr, looked: Mapping[Expr, int]) -> bool:
        """Return whether an operand may be evaluated although the result is known: it is short, and looks up
        nothing that may be missing. That saves a branch that the processor cannot predict.

        A look-up is safe if `looked`, the look-ups that are always made, contains its index for a table of at most
        the same size.
        """

        def there(part: Expr) -> bool:
            match part:
                case Const() | t.Local():
                    return True
                case t.Table(number, index):
                    size = len(self.program.tables[number])
                    return looked.get(index, size + 1) <= size or _in(interval(index, self.program), size)
                case t.Count(t.Cards(zone)):
                    return there(zone) and _in(interval(zone, self.program), len(self.program.zones))
                case t.Cell(Const()):
                    return True
                case t.Binary(op, left, right) if op not in ("//", "%"):
                    return there(left) and there(right)
                case t.Not(operand):
                    return there(operand)
            return False

        return there(node)

    def looked_up(self, node: Expr) -> Iterator[tuple[Expr, int]]:
        """Iterate over the look-ups that an expression always makes: indices, and sizes of tables."""
        match node:
            case t.And(left, _) | t.Or(left, _):
                yield from self.looked_up(left)
            case t.Binary(_, left, right):
                yield from self.looked_up(left)
                yield from self.looked_up(right)
            case t.Not(operand):
                yield from self.looked_up(operand)
            case t.Table(number, index):
                yield index, len(self.program.tables[number])
                yield from self.looked_up(index)
            case t.Contains(t.TableList(number, index), Const()):
                yield index, len(self.program.lists[number])

    def if_else(self, node: t.IfElse) -> str:
        """Write a conditional expression; only the chosen branch is evaluated."""
        test = self.number(node.condition)
        then, then_lines = self.apart(node.then)
        otherwise, other_lines = self.apart(node.otherwise)
        if not then_lines and not other_lines:
            return f"({test} ? {then} : {otherwise})"
        name = self.name()
        self.line(f"int {name};")
        self.line(f"if ({test}) {{")
        self.lines += then_lines
        self.line(f"  {name} = {then};")
        self.line("} else {")
        self.lines += other_lines
        self.line(f"  {name} = {otherwise};")
        self.line("}")
        return name

    def least(self, node: t.Least | t.Most) -> str:
        left, right = self.named(node.left), self.named(node.right)
        sign = "<" if isinstance(node, t.Least) else ">"
        return f"({right} {sign} {left} ? {right} : {left})"

    def call(self, node: t.Call) -> str:
        """Write a call. Its result is stored, since the text of an expression may be used somewhere else."""
        arguments = self.passed(node.arguments)
        name = self.name()
        self.line(f"const int {name} = rw_f{node.function}({', '.join(['G', *arguments])});")
        if node.function in self.fallible:
            self.passed_on()
        return name

    def present(self, node: t.Present) -> str:
        value = self.named(node.operand)
        self.fault_if(f"{value} == -1", "absent", node.at)
        return value

    def within(self, node: t.Within) -> str:
        value = self.named(node.operand)
        self.fault_if(f"{value} < {node.least} || {value} > {node.most}", "full", node.at)
        return value

    def binary(self, node: t.Binary) -> str:
        left, right = self.number(node.left), self.number(node.right)
        if node.op in ("//", "%"):
            power = _power_of_two(node.right)
            if power is not None:  # shifts and masks floor as the rules do
                return f"({left} >> {power})" if node.op == "//" else f"({left} & {(1 << power) - 1})"
            low, _ = interval(node.left, self.program)
            plain = low >= 0 and isinstance(node.right, Const) and node.right.value > 0
            if not plain:
                return f"(int){'rw_quotient' if node.op == '//' else 'rw_remainder'}({left}, {right})"
            return f"({left} {'/' if node.op == '//' else '%'} {right})"
        return f"({left} {node.op} {right})"

    def local(self, node: t.Local) -> str:
        return self.bound.get(node.slot, f"v{node.slot}")


def _in(found: tuple[int, int], size: int) -> bool:
    return found[0] >= 0 and found[1] < size


def _power_of_two(node: Expr) -> int | None:
    """Return the exponent of a constant power of two."""
    if not isinstance(node, Const) or node.value < 1 or node.value & (node.value - 1):
        return None
    return node.value.bit_length() - 1


def _flag(node: Expr) -> bool:
    """Return whether an expression's value is 0 or 1."""
    logic = isinstance(node, t.Not | t.And | t.Or | t.Contains | t.Same | t.Exists)
    return logic or (isinstance(node, t.Binary | t.Checked) and node.op in t.COMPARISONS)


NUMBERS: dict[type[Expr], Callable[[Any, Any], str]] = {
    Const: lambda _text, node: literal(node.value),
    t.Local: ValueText.local,
    t.Cell: lambda text, node: text.cell(node.address),
    t.Table: lambda text, node: f"rw_T{node.table}[{text.number(node.index)}]",
    t.Binary: ValueText.binary,
    t.Checked: ValueText.checked,
    t.Not: lambda text, node: f"(!{text.number(node.operand)})",
    t.And: ValueText.short_circuit,
    t.Or: ValueText.short_circuit,
    t.IfElse: ValueText.if_else,
    t.Least: ValueText.least,
    t.Most: ValueText.least,
    t.Call: ValueText.call,
    t.Present: ValueText.present,
    t.Within: ValueText.within,
    t.Count: lambda text, node: text.count(node),
    t.Total: lambda text, node: text.total(node),
    t.Exists: lambda text, node: text.exists(node),
    t.Contains: lambda text, node: text.contains(node),
    t.Same: lambda text, node: text.same(node),
    t.First: lambda text, node: text.end_of(node),
    t.Last: lambda text, node: text.end_of(node),
    t.Highest: lambda text, node: text.highest(node),
}

ValueText.number_writers = NUMBERS
