"""Count in native code: who began, what decisions offered, what was chosen and done, and sums of it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from operator import add
from typing import Any

from attrs import define, evolve, field, frozen

from rulewright.interpreter.state.frames import read_list
from rulewright.interpreter.state.memo import once
from rulewright.interpreter.views.visibility import ALL_DEFINITIONS, value_key
from rulewright.ruleset.table import nodes as t
from rulewright.ruleset.table.canonical import rebuild
from rulewright.ruleset.table.nodes import Bots, Const, OptionBranch, Site, Stmt, TableProgram

# ---- What a decision is about: the definitions, options, numbers, and members at each site
#
# A use is one of these at one site. Its parts are those of `usage` in the report: `lantern/tall` is a
# definition, `supply.act/pass` an option of a menu, or a number or member where the rules ask for one. Sites
# with equal keys count together. Seats are not counted, nor are numbers and members that an option of a menu
# has beside its cards and definitions.

NUMBERS = 100
"""Numbers below this are counted apart; all others that are chosen at a site count together."""
OTHER = "other"
"""The key of those others."""
NO_USE = -1


@frozen
class CountedUse:
    """A thing at a site, by its key. `defined`: it is a definition, and `what` is `KIND/KEY`."""

    site: str
    what: str
    defined: bool


@frozen
class CountedPart:
    """A part of an option's value and what it means: the use of each value or, for cards, of each face.

    `radix` is 0 for the rest of the value. `other` is the use of values from `len(uses)` on.
    """

    cards: bool
    radix: int
    uses: tuple[int, ...]
    other: int = NO_USE

    @property
    def counted(self) -> bool:
        return self.other != NO_USE or any(use != NO_USE for use in self.uses)

    def use(self, value: int) -> int:
        """Return the use of a value, or NO_USE."""
        if value < 0:
            return NO_USE
        return self.uses[value] if value < len(self.uses) else self.other


@frozen
class MenuBranch:
    """An entry of a menu: its own use, and the parts of its value, lowest first. Other sites have one, without."""

    use: int
    parts: tuple[CountedPart, ...]


@frozen
class Uses:
    """The uses of a table, and the branches of each site.

    `things` are what uses are about, at any site; `thing_of` has the number of the thing of each use.
    """

    uses: tuple[CountedUse, ...]
    branches: tuple[tuple[MenuBranch, ...], ...]
    menus: tuple[bool, ...]
    things: tuple[str, ...]
    thing_of: tuple[int, ...]

    def parts(self, site: int, value: int) -> tuple[MenuBranch, list[tuple[CountedPart, int]]]:
        """Return the branch of a value that can be chosen at a site, and the value of each part."""
        branches = self.branches[site]
        number, found = 0, []
        if self.menus[site]:
            value, number = divmod(value, len(branches))
        for part in branches[number].parts:
            rest, this = divmod(value, part.radix) if part.radix else (0, value)
            found.append((part, this))
            value = rest
        return branches[number], found


def uses_of(program: TableProgram) -> Uses:
    """Return the uses of a table."""
    return _Collector(program).collected()


@frozen
class _Collector:
    program: TableProgram
    numbers: dict[CountedUse, int] = field(factory=dict)

    def collected(self) -> Uses:
        branches = tuple(map(self._branches, self.program.sites))
        things = tuple(dict.fromkeys(use.what for use in self.numbers))
        place = {thing: number for number, thing in enumerate(things)}
        return Uses(
            tuple(self.numbers),
            branches,
            tuple(site.of == "menu" for site in self.program.sites),
            things,
            tuple(place[use.what] for use in self.numbers),
        )

    def _use(self, site: Site, what: str, defined: bool) -> int:
        return self.numbers.setdefault(CountedUse(site.key, what, defined), len(self.numbers))

    def _branches(self, site: Site) -> tuple[MenuBranch, ...]:
        if site.of == "menu":
            return tuple(self._branch(site, branch) for branch in site.branches)
        return (MenuBranch(NO_USE, (self._part(site, site.of, 0, False),)),)

    def _branch(self, site: Site, branch: OptionBranch) -> MenuBranch:
        use = self._use(site, f"{site.key}/{branch.key}", False)
        last = len(branch.members) - 1
        parts = [
            self._part(site, of, radix if place < last else 0, True)
            for place, (of, radix) in enumerate(zip(branch.members, branch.radix, strict=True))
        ]
        while parts and not parts[-1].counted:
            parts.pop()
        return MenuBranch(use, tuple(parts))

    def _part(self, site: Site, of: str, radix: int, in_menu: bool) -> CountedPart:
        program = self.program
        kinds = dict(program.definitions)
        if of == "card":
            return CountedPart(True, radix, self._of_faces(site))
        if of in kinds:
            return CountedPart(False, radix, self._of_definitions(site, kinds[of], kinds))
        if in_menu or of == "seat":
            return CountedPart(False, radix, ())
        if of == "number":
            numbers = (self._use(site, f"{site.key}/{number}", False) for number in range(NUMBERS))
            return CountedPart(False, radix, tuple(numbers), self._use(site, f"{site.key}/{OTHER}", False))
        members: Iterable[int] = range(2)
        if of != "boolean":
            members = range(next((len(one.members) for one in program.enumerations if one.key == of), 0))
        names = (value_key(program, of, member) for member in members)
        return CountedPart(False, radix, tuple(self._use(site, f"{site.key}/{name}", False) for name in names))

    def _of_faces(self, site: Site) -> tuple[int, ...]:
        of_face = {card.face: f"{card.kind}/{card.definition}" for card in self.program.cards}
        return tuple(
            self._use(site, of_face[face], True) if face in of_face else NO_USE
            for face in range(max(of_face, default=-1) + 1)
        )

    def _of_definitions(
        self, site: Site, keys: Sequence[str], kinds: dict[str, tuple[str, ...]]
    ) -> tuple[int, ...]:
        listed = kinds.get(ALL_DEFINITIONS, tuple(keys))
        kind_of = {key: kind for kind, found in kinds.items() if kind != ALL_DEFINITIONS for key in found}
        wanted = {*keys}
        return tuple(
            self._use(site, f"{kind_of[key]}/{key}", True) if key in wanted and key in kind_of else NO_USE
            for key in listed
        )


# ---- A table program with cells that count who began, what was done, and what was chosen
#
# The program itself counts effects, steps, and points, so every backend counts them alike. The cells of
# decisions are filled by the players that answer (`interpreter.backends.policies`, and `counting.c` in native
# code).

EFFECT = "effect/"
"""How the name of the source of an effect begins: `effect/DEFINITION.NAME`."""


@frozen(eq=False)
class Counted:
    """A program that counts, and the addresses of its counters.

    `starter` is the address of 1 + the seat that began: the first one for which a round, phase, or step began, or
    that was asked alone, with or without an alternative; 0 if there was none. `done` has a cell for each effect,
    step, phase, and round; `points` one for each award and seat; `things` one for each thing, how often it was
    chosen; `uses` two for each seat and use: the decisions that offered it, and those in which it was chosen.
    """

    program: TableProgram
    starter: int
    done: tuple[str, ...] = ()
    awards: tuple[str, ...] = ()
    uses: Uses | None = None

    @property
    def definitions(self) -> tuple[str, ...]:
        """The definitions of which there are cards, as `KIND/KEY`."""
        return tuple(dict.fromkeys(f"{card.kind}/{card.definition}" for card in self.program.cards))

    @property
    def done_at(self) -> int:
        return self.starter + 1

    @property
    def points_at(self) -> int:
        return self.done_at + len(self.done)

    @property
    def things_at(self) -> int:
        return self.points_at + len(self.awards) * self.program.seats

    @property
    def uses_at(self) -> int:
        return self.things_at + (len(self.uses.things) if self.uses is not None else 0)

    @property
    def end(self) -> int:
        return self.uses_at + (2 * len(self.uses.uses) * self.program.seats if self.uses is not None else 0)


@once
def with_starter(program: TableProgram) -> Counted:
    """Return a program that only notes who began."""
    return _instrumented(program, Counted(program, program.layout.stack))


@once
def counted(program: TableProgram) -> Counted:
    """Return a program that counts everything.

    It has bots, if only none, so that it is decided for each card whether a seat sees it.
    """
    names = {kind: _names(program, kind) for kind in ("performed", "reached", "scored")}
    done = dict.fromkeys(name for name in names["performed"] if name.startswith(EFFECT))
    done.update(dict.fromkeys(names["reached"]))
    bots = program.bots or Bots((), (), (), ())
    plan = Counted(program, program.layout.stack, tuple(done), tuple(names["scored"]), uses_of(program))
    return _instrumented(evolve(program, bots=bots), plan)


def _names(program: TableProgram, kind: str) -> dict[str, None]:
    """Return the names of the sources of events of a kind, in the order of the code."""
    found: dict[str, None] = {}
    rest: list[Any] = [*program.functions, *program.segments]
    for unit in rest:
        for node in _events(unit):
            if node.kind == kind:
                found[program.sources[node.at].name] = None
    return found


def _events(unit: object) -> list[t.Emit]:
    from rulewright.ruleset.table.canonical import everything

    return [node for node in everything(unit) if isinstance(node, t.Emit)]


def _instrumented(program: TableProgram, plan: Counted) -> Counted:
    """Make room for the counters before the stack, and count where events happen."""
    counting, more = _Counting(program, plan), plan.end - plan.starter
    layout = evolve(program.layout, stack=program.layout.stack + more, cells=program.layout.cells + more)
    following = program.next_game
    if following is not None:
        following = evolve(following, kept=(*following.kept, (plan.starter, more)))
    made = evolve(
        program,
        layout=layout,
        functions=tuple(map(counting.node, program.functions)),
        segments=tuple(map(counting.node, program.segments)),
        next_game=following,
    )
    return evolve(plan, program=made)


class _Counting:
    """Adds the statements that count events."""

    def __init__(self, program: TableProgram, plan: Counted) -> None:
        self._sources, self._seats, self._plan = program.sources, program.seats, plan
        self._done = {name: plan.done_at + number for number, name in enumerate(plan.done)}
        self._awards = {name: plan.points_at + number * program.seats for number, name in enumerate(plan.awards)}
        self._asked: dict[int, t.Expr] = {}
        """The seat that is asked alone in a segment."""
        for number, segment in enumerate(program.segments):
            match segment.tree.end:
                case t.Ask(seats=t.Items((t.Local() | Const() as seat,))):
                    self._asked[number] = seat

    def node(self, node: Any) -> Any:
        """Return a function, segment, or a part of one, with the statements that count."""
        if isinstance(node, t.Function):
            return evolve(node, body=self._body(node.body))
        if isinstance(node, t.Tree):
            body, end = self._body(node.body), node.end
            if isinstance(end, t.Branch):
                end = evolve(end, then=self.node(end.then), otherwise=self.node(end.otherwise))
            elif isinstance(end, t.Goto) and end.segment in self._asked:
                body += (self._began(self._asked[end.segment]),)
            return evolve(node, body=body, end=end)
        if isinstance(node, t.Segment):
            return evolve(node, tree=self.node(node.tree))
        if isinstance(node, t.If):
            return evolve(node, then=self._body(node.then), otherwise=self._body(node.otherwise))
        if isinstance(node, t.ForEach | t.While):
            return evolve(node, body=self._body(node.body))
        return rebuild(node, self.node) if isinstance(node, t.Stmt) else node

    def _body(self, body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        found: list[Stmt] = []
        for statement in body:
            found.append(self.node(statement))
            if isinstance(statement, t.Emit):
                found += self._counts(statement)
        return tuple(found)

    def _counts(self, event: t.Emit) -> list[Stmt]:
        """Return the statements that count an event; other events change no state."""
        name, found = self._sources[event.at].name, list[Stmt]()
        if event.kind == "reached" and event.numbers and event.numbers[0] != Const(-1):
            found.append(self._began(event.numbers[0]))
        if event.kind in ("reached", "performed") and name in self._done:
            found.append(_added(Const(self._done[name]), Const(1)))
        if event.kind == "scored" and name in self._awards and len(event.numbers) > 2:
            seat, points = event.numbers[1:3]
            added = _added(t.Binary("+", Const(self._awards[name]), seat), points)
            there = t.And(t.Binary(">=", seat, Const(0)), t.Binary("<", seat, Const(self._seats)))
            found.append(t.If(there, (added,), ()))
        return found

    def _began(self, seat: t.Expr) -> Stmt:
        """Return the statement that notes a seat unless another one began."""
        starter = Const(self._plan.starter)
        noted = t.SetCell(starter, t.Binary("+", seat, Const(1)))
        return t.If(t.Binary("==", t.Cell(starter), Const(0)), (noted,), ())


def _added(address: t.Expr, amount: t.Expr) -> Stmt:
    return t.SetCell(address, t.Binary("+", t.Cell(address), amount))


# ---- Rows of sums of what a seat was offered and chose in some games, and of how these games ended

FEW = 8
STRATA = (*range(1, FEW + 1), 12, 16, 24, 32, 48, 64, 96, 128)
"""The most offers of each stratum but the last, which has all others. Up to `FEW`, each number is one."""
WIN = 27_720
"""The unit of shares of a win: it can be divided by every number of winners up to 12."""
MEASURES = ("win", "score", "rank")
"""`win` is the share of a win, times `WIN`; `rank` is 1 for the best: winners are before all others,
then the score decides."""
MOMENTS = ("games", "chosen", "chosen²", "offered", "offered²", "offered chosen")
"""The first sums of a row. Three follow for each measure: its own, and its products with chosen and offered."""
WIDTH = len(MOMENTS) + 3 * len(MEASURES)


def added(one: Sequence[int], other: Sequence[int]) -> list[int]:
    """Return the sums of two rows."""
    return list(map(add, one, other))


def moments(games: int, offered: int, chosen: int, measured: Sequence[int]) -> list[int]:
    """Return the row of games with the same numbers of offers and choices, from the sums of their measures."""
    row = [games, games * chosen, games * chosen * chosen]
    row += (games * offered, games * offered * offered, games * offered * chosen)
    for total in measured:
        row += (total, total * chosen, total * offered)
    return row


def row_number(place: int, offered: int) -> int:
    """Return the number of the row for a game in which a place was offered `offered` times, at least once.

    A place is a seat and a use: the seat, times the number of uses, plus the use.
    """
    return place * (len(STRATA) + 1) + bisect_left(STRATA, offered)


# ---- Sums over many games: what was offered, chosen, and done, and how the games ended
#
# For each use, seat, and stratum there is a row of sums over the games in which the seat was offered the use.
# A stratum is a range of numbers of offers in a game. Such rows are kept apart for `GROUPS` groups of
# successive games, so that the spread between groups shows how uncertain an estimate is, although seats of
# one game depend on each other. Everything is a sum of whole numbers, so parts can be merged in any order.

GROUPS = 32


@frozen
class GameGrouping:
    """How games `first` to `first` + `games` - 1 are divided into groups of successive games."""

    first: int
    games: int

    def of(self, game: int) -> int:
        """Return the group of a game."""
        return (game - self.first) * GROUPS // self.games

    def end(self, game: int) -> int:
        """Return the first game after the group of a game."""
        return self.first - -(self.of(game) + 1) * self.games // GROUPS


@define
class Counts:
    """Sums over `games` games without a rule error.

    `rows` has, by group, the rows by their number (see `row_number`). `done` has for each effect and step how often
    it was carried out, and in how many games; `points` the points by award and seat; `owned` for each definition
    and seat how many of its cards the seat's zones held at the ends.
    """

    games: int
    rows: dict[int, dict[int, list[int]]]
    done: list[int]
    points: list[int]
    owned: list[int]

    def merge(self, other: Counts) -> None:
        """Add the counts of other games of the same table."""
        self.games += other.games
        for group, rows in other.rows.items():
            mine = self.rows.setdefault(group, {})
            for number, row in rows.items():
                known = mine.get(number)
                mine[number] = row if known is None else added(known, row)
        for own, more in ((self.done, other.done), (self.points, other.points), (self.owned, other.owned)):
            own[:] = added(own, more)


def empty_counts(counted: Counted) -> Counts:
    """Return counts of no game."""
    seats = counted.program.seats
    owned = seats * len(counted.definitions)
    return Counts(0, {}, [0] * 2 * len(counted.done), [0] * seats * len(counted.awards), [0] * owned)


def places(counted: Counted) -> int:
    """Return the number of places: of uses, for each seat."""
    return counted.program.seats * (len(counted.uses.uses) if counted.uses is not None else 0)


@frozen
class EndAddresses:
    """The addresses of the winners (1 or 0) and the scores of all seats; empty if the table has none."""

    winners: tuple[int, ...]
    scores: tuple[int, ...]

    def measured(self, state: Sequence[int], seats: int) -> list[tuple[int, int, int]]:
        """Return the measures of each seat at the end of a game."""
        won = [state[address] for address in self.winners] or [0] * seats
        scores = [state[address] for address in self.scores] or [0] * seats
        share = WIN // max(1, sum(won))
        places = list(zip(won, scores, strict=True))
        return [(own * share, score, 1 + sum(one > (own, score) for one in places)) for own, score in places]


def end_of(program: TableProgram) -> EndAddresses:
    """Return where a table keeps its winners and scores."""
    found = {
        track.key: tuple(range(track.address, track.address + track.count))
        for track in program.tracks
        if track.key in ("winner", "score") and track.count == program.seats
    }
    return EndAddresses(found.get("winner", ()), found.get("score", ()))


@frozen
class Folder:
    """Adds the counters at the ends of games to counts. It is the reference of `counting.c`."""

    counted: Counted
    grouping: GameGrouping
    _counts: list[Counts] = field(factory=list)

    def taken(self) -> Counts:
        """Return what was counted since the last time."""
        return self._counts.pop() if self._counts else empty_counts(self.counted)

    def add(self, game: int, state: Sequence[int]) -> None:
        """Count a game that has ended."""
        if not self._counts:
            self._counts.append(empty_counts(self.counted))
        counts, counted, program = self._counts[0], self.counted, self.counted.program
        counts.games += 1
        uses = len(counted.uses.uses) if counted.uses is not None else 0
        measured = end_of(program).measured(state, program.seats)
        group = self.grouping.of(game)
        for place, offered in enumerate(state[counted.uses_at : counted.end : 2]):
            if offered:
                seat = place // uses
                chosen = state[counted.uses_at + 2 * place + 1]
                row = counts.rows.setdefault(group, {}).setdefault(row_number(place, offered), [0] * WIDTH)
                row[:] = added(row, moments(1, offered, chosen, measured[seat]))
        for number, times in enumerate(state[counted.done_at : counted.points_at]):
            counts.done[2 * number] += times
            counts.done[2 * number + 1] += times > 0
        for number, points in enumerate(state[counted.points_at : counted.things_at]):
            counts.points[number] += points
        self._own(counts, state)

    def _own(self, counts: Counts, state: Sequence[int]) -> None:
        program = self.counted.program
        numbers = {name: number for number, name in enumerate(self.counted.definitions)}
        for zone in program.zones:
            if zone.owner >= 0:
                for one in read_list(state, zone.address):
                    card = program.cards[one]
                    counts.owned[numbers[f"{card.kind}/{card.definition}"] * program.seats + zone.owner] += 1
