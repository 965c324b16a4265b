"""Check what a pack expects of games between bots: tables, thresholds, and groups."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Literal

from rulewright.ruleset.check.bots import SEATED, CheckedGame, choices_of
from rulewright.ruleset.check.context import CheckContext
from rulewright.ruleset.check.declarations.derived_fields import PrintedConditions
from rulewright.ruleset.check.expressions.checker import ExpressionChecker
from rulewright.ruleset.check.hints import meant
from rulewright.ruleset.check.scenarios import options_of
from rulewright.ruleset.common.diagnostic import Label
from rulewright.ruleset.common.limits import MOST_ANSWERS, WHOLE, number_hint, too_large
from rulewright.ruleset.common.nearest import listed, nearest, players_between
from rulewright.ruleset.documents.play import BotDocument, Expect, ExpectGroup
from rulewright.ruleset.documents.reading import Keyed
from rulewright.ruleset.program import nodes as p
from rulewright.ruleset.program.scenario import (
    FEWEST_WEIGHED,
    Expectation,
    ExpectedBounds,
    ExpectedTable,
    WeighedGroup,
    What,
)
from rulewright.ruleset.source.nodes import ScalarNode, texts_of

# ---- Thresholds of expectations: `at most 55 %`, `at least 5 %`, `45 to 55 %`, `20 to 120 decisions`

Unit = Literal["%", "decisions"]
_WHOLE = "(0|[1-9][0-9]{0,8})"
_FORM = re.compile(f"(?:at (least|most) {_WHOLE}|{_WHOLE} to {_WHOLE}) ?(%|decisions?)?")
_NUMBER = re.compile(r"[0-9]+(?:[.,][0-9]+)?")


def bounds_of(context: CheckContext, node: ScalarNode, unit: Unit) -> ExpectedBounds | None:
    """Return the bounds that a threshold gives, or None after a finding."""
    found = _FORM.fullmatch(node.text)
    if found is None:
        _misread(context, node, unit)
        return None
    side, one, low, high, written = found.groups()
    if (written or "").removesuffix("s") != unit.removesuffix("s"):
        right = f"{node.text.removesuffix(written or '').rstrip()} {unit}"
        if written is None:
            message, hint = f"`{node.text}` has no unit", f"write `{right}`"
        else:
            message, hint = f"this is a number of {unit}, not of {written}", f"write `{right}`, with another number"
            message = "this is a share of games or decisions, which is in %" if unit == "%" else message
        context.report("RW731", node.span, message, hint)
        return None
    if side is None:
        bounds = ExpectedBounds(int(low), int(high))
    else:
        bounds = ExpectedBounds(int(one), None) if side == "least" else ExpectedBounds(None, int(one))
    return bounds if _possible(context, node, bounds, unit) else None


def _misread(context: CheckContext, node: ScalarNode, unit: Unit) -> None:
    """Report a threshold of another form, with one that has its number."""
    for word in node.text.replace("%", "").split():
        large, hint = too_large(word), number_hint(word)
        if large is not None:
            context.report("RW731", node.span, large)
            return
        if hint is not None and WHOLE.fullmatch(word) is None and "." not in word:
            context.report("RW731", node.span, f"`{word}` is not a whole number", hint)
            return
    numbers = _NUMBER.findall(node.text)
    if any(not number.isdigit() for number in numbers):
        message = f"`{node.text}` is not a whole number of {unit}"
        if unit == "%":
            message = f"`{node.text}` is not a whole percentage"
        context.report(
            "RW731", node.span, message, f"write whole numbers, such as `at most {_round(numbers)} {unit}`"
        )
        return
    if len(numbers) == 2:
        hint = f"write `{numbers[0]} to {numbers[1]} {unit}`"
    else:
        number = numbers[0] if numbers else "55" if unit == "%" else "80"
        hint = f"write `at most {number} {unit}`, `at least {number} {unit}`, or a range such as `{_range(unit)}`"
    context.report("RW731", node.span, f"`{node.text}` is not a threshold", hint)


def _round(numbers: list[str]) -> str:
    return re.split("[.,]", next(one for one in numbers if not one.isdigit()))[0]


def _range(unit: Unit) -> str:
    return "45 to 55 %" if unit == "%" else "20 to 120 decisions"


def _possible(context: CheckContext, node: ScalarNode, bounds: ExpectedBounds, unit: Unit) -> bool:
    """Whether games can keep to these bounds, and also miss them; otherwise report it."""
    low, high = bounds.low, bounds.high
    most = 100 if unit == "%" else MOST_ANSWERS
    said = [one for one in (low, high) if one is not None]
    message, hint = "", ""
    if low is not None and high is not None and low > high:
        message = f"the lower bound, {low}, is above the upper one, {high}"
        hint = f"write `{high} to {low} {unit}`"
    elif unit == "%" and max(said) > most:
        message, hint = f"no share is {max(said)} %", "write 0 to 100 %"
    elif unit != "%" and (high == 0 or (low or 0) > most):
        message = f"no game between bots has {max(said):,} decisions"
        hint = f"write 1 to {most:,}" if high != 0 else "write at least 1"
    elif (low or 0) == 0 and (high is None or high >= most):
        message = "this always holds"
        hint = (
            "raise the lower bound, or lower the upper one" if unit == "%" else f"games end at {most:,} decisions"
        )
        hint = hint if unit == "%" else f"{hint}; expect fewer"
    if message:
        context.report("RW732", node.span, message, hint)
    return not message


# ---- Groups of definitions that are weighed against each other

class GroupChecker:
    """Checks the groups of expectations."""

    def __init__(self, context: CheckContext, conditions: PrintedConditions) -> None:
        self._context = context
        self._conditions = conditions

    def groups(self, expect: Expect) -> tuple[WeighedGroup, ...]:
        """Return the groups of a document; those with findings are left out."""
        found: list[WeighedGroup] = []
        taken: dict[str, Keyed[ExpectGroup]] = {}
        for entry in expect.groups:
            group = self._group(entry)
            if group is None or self._overlaps(entry, group, taken):
                continue
            found.append(group)
            taken.update(dict.fromkeys(group.ids, entry))
        return tuple(found)

    def _group(self, entry: Keyed[ExpectGroup]) -> WeighedGroup | None:
        key, kind, where = entry.key, entry.value.kind, entry.value.where
        assert kind is not None and where is not None
        declared = self._context.declared
        if key.text in declared.kinds:
            message = f"`{key.text}` is a kind, so a group cannot have this name"
            self._context.report("RW736", key.span, message, "choose another name")
            return None
        if kind.text not in declared.kinds:
            unknown_kind(self._context, kind)
            return None
        members = self._conditions.fitting(kind.text, where)
        if members is None:
            return None
        if not members:
            message = f"the group is empty: no `{kind.text}` fits `{where.text}`"
            there = tuple(self._definitions(kind.text))
            hint = "change `where`" if there else f"the pack has no `{kind.text}`"
            self._context.report("RW736", where.span, message, hint)
            return None
        names = texts_of(entry.value.name) if entry.value.name is not None else ()
        return WeighedGroup(key.text, kind.text, names, tuple(f"{kind.text}/{one}" for one in members))

    def _definitions(self, kind: str) -> Iterator[str]:
        yield from (key for key, one in self._context.declared.definitions.items() if one.kind == kind)

    def _overlaps(
        self, entry: Keyed[ExpectGroup], group: WeighedGroup, taken: dict[str, Keyed[ExpectGroup]]
    ) -> bool:
        """Whether a definition is in an earlier group, too; then report it."""
        twice = [one for one in group.ids if one in taken]
        if twice:
            other = taken[twice[0]]
            both = [one.partition("/")[2] for one in twice if taken[one] is other]
            are = "is" if len(both) == 1 else "are"
            message = f"{listed(both)} {are} in the group `{other.key.text}`, too"
            hint = "change one `where`, so that each definition is in one group at most"
            where = entry.value.where
            label = Label(other.key.span, "the other group")
            self._context.report("RW736", where.span if where is not None else entry.key.span, message, hint, label)
        return bool(twice)


def unknown_kind(context: CheckContext, kind: ScalarNode) -> None:
    """Report a kind that does not exist."""
    if kind.text not in context.poisoned:
        hint = meant(kind.text, context.declared.kinds, "kinds")
        context.report("RW733", kind.span, f"there is no kind `{kind.text}`", hint)


# ---- Check what a pack expects of games between bots: tables, thresholds, and groups

RANDOM = "random"
_NOTHING = ExpectedBounds(None, None)


def check_expectations(
    context: CheckContext,
    expressions: ExpressionChecker,
    documents: Iterable[Expect],
    game: CheckedGame,
    kinds: Sequence[p.Kind],
) -> tuple[ExpectedTable, ...]:
    """Return what is expected; what has findings is left out. Findings go to the context."""
    documents = tuple(documents)
    if not documents:
        return ()
    offered = None
    if not context.found:
        ways = (way for ways in choices_of(context.declared, game, context.used).values() for way in ways)
        offered = frozenset(key for way in ways for domain in way.members for key in domain or ())
    conditions = PrintedConditions(expressions, game.definitions, kinds, "expectations", "grouped")
    groups = GroupChecker(context, conditions)
    context.silent = True
    found = tuple(_Reading(context, one, groups.groups(one), offered).table() for one in documents)
    context.silent = False
    return found


class _Reading:
    """One document. `offered` are the definitions that choices offer; None if that is not known."""

    def __init__(
        self,
        context: CheckContext,
        expect: Expect,
        groups: tuple[WeighedGroup, ...],
        offered: Collection[str] | None,
    ) -> None:
        self.context = context
        self.expect = expect
        self.groups = groups
        self.offered = offered
        self.used: set[str] = set()
        """The definitions about which something is expected, before those that are ignored are left out."""
        self.lost = False
        """Whether an expectation of definitions is left out because of a finding."""

    def table(self) -> ExpectedTable:
        expect = self.expect
        ignored = tuple(self._ignored())
        left_out = {key for key, _ in ignored}
        expectations = (*self._of_games(), *self._of_definitions(left_out), *self._standing_out(left_out))
        self._idle(ignored)
        return ExpectedTable(
            expect.key, self._players(), options_of(self.context, expect.options, "RW735"), self._bot(),
            expectations, self.groups, ignored,
        )  # fmt: skip

    # -------------------------------------------------------------- the table

    def _players(self) -> int | None:
        node = self.expect.players
        if not isinstance(node, ScalarNode) or not isinstance(node.value, int):
            return None
        least, most = self.context.declared.players
        if not least <= node.value <= most:
            message = f"the game is for {players_between(least, most)}, not {node.text}"
            self.context.report("RW735", node.span, message, f"write {least}" if least == most else None)
            return None
        return node.value

    def _bot(self) -> str:
        bot = self.expect.bot
        known = [RANDOM, *self.context.declared.all_of(BotDocument)]
        if bot is None or bot.text in known:
            return bot.text if bot is not None else ""
        if bot.text in SEATED:
            message = f"`{bot.text}` cannot play thousands of games"
            self.context.report("RW734", bot.span, message, meant("", known, "expected one of"))
        elif bot.text not in self.context.poisoned:
            self.context.report("RW734", bot.span, f"there is no bot `{bot.text}`", meant(bot.text, known, "bots"))
        return ""

    # -------------------------------------------------------------- whole games

    def _of_games(self) -> Iterator[Expectation]:
        expect = self.expect
        given: tuple[tuple[What, ScalarNode | None, Unit], ...] = (
            ("first-seat-wins", expect.first_seat_wins, "%"),
            ("no-winner", expect.no_winner, "%"),
            ("several-winners", expect.several_winners, "%"),
            ("mean-length", expect.mean_length, "decisions"),
            ("usual-length", expect.usual_length, "decisions"),
        )
        for what, node, unit in given:
            bounds = bounds_of(self.context, node, unit) if node is not None else None
            if bounds is not None:
                yield Expectation(what, "", (), bounds)

    # -------------------------------------------------------------- definitions

    def _members(self, name: ScalarNode, single: bool = True) -> tuple[str, ...] | None:
        """Return the definitions that a name means: a kind, a group, or (`single`) one definition.

        None after a finding.
        """
        word, declared = name.text, self.context.declared
        kind, slash, key = word.partition("/")
        if slash and single and key in declared.definitions and declared.definitions[key].kind == kind:
            return (word,)
        group = next((one for one in self.groups if one.key == word), None)
        if group is not None:
            return group.ids
        ids = tuple(f"{one.kind}/{key}" for key, one in declared.definitions.items())
        if word in declared.kinds:
            members = tuple(one for one in ids if one.partition("/")[0] == word)
            if not members:
                self.context.report("RW733", name.span, f"the pack has no `{word}`", "add one, or remove this")
            return members or None
        written = [one.key.text for one in self.expect.groups]
        if word not in written and not {word, kind, key} & self.context.poisoned:
            self._unknown(name, (*declared.kinds, *written), ids if single else ())
        return None

    def _unknown(self, name: ScalarNode, wide: Sequence[str], ids: Sequence[str]) -> None:
        word = name.text
        message = f"there is no kind or group `{word}`"
        same = next((one for one in ids if one.partition("/")[2] == word.rpartition("/")[2]), None)
        if "/" in word:
            message = f"there is no definition `{word}`"
        near = same or nearest(word, [*wide, *ids])
        hint = f"did you mean `{near}`?" if near else meant(word, wide, "kinds and groups")
        self.context.report("RW733", name.span, message, hint)

    def _of_definitions(self, ignored: Collection[str]) -> Iterator[Expectation]:
        shares: tuple[tuple[What, tuple[Keyed[ScalarNode], ...]], ...] = (
            ("offered-in-games", self.expect.offered_in_games),
            ("chosen-when-offered", self.expect.chosen_when_offered),
        )
        for what, entries in shares:
            yield from self._each(what, entries, ignored)

    def _each(
        self, what: What, entries: tuple[Keyed[ScalarNode], ...], ignored: Collection[str]
    ) -> Iterator[Expectation]:
        """Yield the expectations of definitions: of what is said of several, the narrowest counts."""
        found = [
            (entry, members, bounds)
            for entry in entries
            for members in (self._members(entry.key),)
            for bounds in (bounds_of(self.context, entry.value, "%"),)
            if members is not None and bounds is not None and self._can_be_chosen(entry.key, members)
        ]
        self.lost |= len(found) < len(entries)
        narrowest: dict[str, str] = {}
        for entry, members, _ in sorted(found, key=lambda one: -len(one[1])):
            narrowest.update(dict.fromkeys(members, entry.key.text))
        for entry, members, bounds in found:
            own = tuple(one for one in members if narrowest[one] == entry.key.text)
            self.used.update(own)
            if self._any_left(entry.key, own, ignored):
                yield Expectation(what, entry.key.text, tuple(one for one in own if one not in ignored), bounds)

    def _any_left(self, name: ScalarNode, own: Sequence[str], ignored: Collection[str]) -> bool:
        """Whether an expectation is about any definition; otherwise report it."""
        if set(own) - set(ignored):
            return True
        if own == (name.text,):
            message = f"`{name.text}` is ignored, so this is never checked"
        else:
            message = "this is about no definition: all are ignored, or something narrower is said of them"
        self.context.report("RW738", name.span, message, "remove it, or `ignore` less")
        return False

    def _can_be_chosen(self, name: ScalarNode, members: Sequence[str]) -> bool:
        """Whether a choice offers any of these definitions; otherwise report it."""
        keys = [one.partition("/")[2] for one in members]
        if self.offered is None or any(key in self.offered for key in keys):
            return True
        if "/" in name.text:
            message = f"no choice ever offers `{name.text}`"
        else:
            message = f"no choice ever offers a definition of `{name.text}`"
        self.context.report("RW737", name.span, message, "name what players can choose")
        return False

    def _standing_out(self, ignored: Collection[str]) -> Iterator[Expectation]:
        said: dict[str, ScalarNode] = {}
        for name in self.expect.none_stands_out:
            members = self._members(name, single=False)
            if members is None or not self._can_be_chosen(name, members):
                self.lost = True
                continue
            parts = self._weighed_together(name.text, members)
            if max(map(len, parts)) < FEWEST_WEIGHED:
                most = max(map(len, parts))
                message = f"nothing can stand out among {most}: this always holds"
                hint = f"name a kind or group of at least {FEWEST_WEIGHED} definitions"
                self.lost = True
                self.context.report("RW738", name.span, message, hint)
                continue
            earlier = next((said[one] for one in members if one in said), None)
            if earlier is not None:
                message = f"`{earlier.text}` has said so already"
                label = Label(earlier.span, "said here")
                self.context.report("RW738", name.span, message, "remove one of the two", label)
                continue
            said.update(dict.fromkeys(members, name))
            self.used.update(members)
            if self._any_left(name, members, ignored):
                ids = tuple(one for one in members if one not in ignored)
                yield Expectation("none-stands-out", name.text, ids, _NOTHING)

    def _weighed_together(self, name: str, members: Sequence[str]) -> list[list[str]]:
        """Return the definitions of a kind by group, and those in no group; of a group, its own."""
        of = {one: group.key for group in self.groups for one in group.ids}
        parts: dict[str, list[str]] = {}
        for one in members:
            parts.setdefault(of.get(one, ""), []).append(one)
        return list(parts.values())

    # -------------------------------------------------------------- ignored definitions

    def _ignored(self) -> Iterator[tuple[str, str]]:
        ids = {f"{one.kind}/{key}" for key, one in self.context.declared.definitions.items()}
        for entry in self.expect.ignore:
            if entry.key.text in ids:
                yield entry.key.text, entry.value.text
            elif not {entry.key.text, *entry.key.text.split("/")} & self.context.poisoned:
                self._not_a_definition(entry.key, ids)

    def _not_a_definition(self, name: ScalarNode, ids: Collection[str]) -> None:
        word = name.text
        same = next((one for one in sorted(ids) if one.partition("/")[2] == word.rpartition("/")[2]), None)
        near = same or nearest(word, sorted(ids))
        hint = f"did you mean `{near}`?" if near else "name a definition as `KIND/NAME`"
        self.context.report("RW733", name.span, f"there is no definition `{word}`", hint)

    def _idle(self, ignored: Sequence[tuple[str, str]]) -> None:
        """Report definitions that are ignored though nothing is expected of them."""
        places = {entry.key.text: entry.key for entry in self.expect.ignore}
        for key, _ in ignored:
            if key not in self.used and not self.lost:
                message = f"nothing is expected of `{key}`, so it need not be ignored"
                self.context.report("RW738", places[key].span, message, "remove it")
