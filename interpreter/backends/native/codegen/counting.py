"""C that counts decisions: what each value of a site is about, and the tables of `counting.c`.

The uses of a site are numbered apart, so that those of a decision are a set: a use counts once, however many
options are about it. A use has a byte of a word, 1 or 0, so that a set can be added to the counts as it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import prod

from rulewright.interpreter.backends.native.codegen.writer import CText, bit_set, table
from rulewright.interpreter.counting import (
    FEW,
    NO_USE,
    STRATA,
    WIDTH,
    WIN,
    Counted,
    CountedPart,
    MenuBranch,
    Uses,
    end_of,
    places,
)
from rulewright.ruleset.table.nodes import TableProgram

SMALL = FEW * (FEW + 3) // 2
"""How many combinations of up to `FEW` offers and the numbers of choices there are."""
SUMS = 4
"""Sums of such a combination, of four bytes each: the games, and their measures."""


MOST_WORDS = 1024
"""Words of the sets of all values of a site, if values are looked up, and not taken apart."""
BLOCK = 8
"""Uses of a block: it has a word with a byte for each."""
_WORD = 2**64 - 1
_GROUP = 8
"""Blocks of a group: the uses of one are the bits of a word."""


def counting_numbers(counted: Counted) -> dict[str, int]:
    """Return the constants of `counting.c`."""
    program, end, asking = counted.program, end_of(counted.program), _asking(_uses(counted))
    return {
        "USES": max(1, len(_uses(counted).uses)),
        "ASKING": max(1, len(asking)),
        "SHARED": int(any(_shares(asking))),
        "BLOCKS": _GROUP * max(1, -(-sum(map(_blocks, asking.values())) // _GROUP)),
        "USES_AT": counted.uses_at,
        "THINGS_AT": counted.things_at,
        "DONE": len(counted.done),
        "DONE_AT": counted.done_at,
        "POINTS": len(counted.awards) * program.seats,
        "POINTS_AT": counted.points_at,
        "DEFINED": len(counted.definitions),
        "FEW": FEW,
        "SMALL": SMALL,
        "COUNTED_PLACES": places(counted),
        "LARGE": SUMS * SMALL * places(counted) // 2,
        "STRATA": len(STRATA),
        "ROW": WIDTH,
        "WIN_UNIT": WIN,
        "WINNERS": int(bool(end.winners)),
        "SCORES": int(bool(end.scores)),
    }


def counting_tables(counted: Counted, cards: Sequence[int]) -> list[str]:
    """Return the tables of `counting.c`. `cards` is a card of each class, or all cards."""
    program, uses, end = counted.program, _uses(counted), end_of(counted.program)
    numbers = {name: number for number, name in enumerate(counted.definitions)}
    infos = (program.cards[card] for card in cards)
    asking = _asking(uses)
    blocks, use_at = [0], list[int]()
    for own in asking.values():
        blocks.append(blocks[-1] + _blocks(own))
        use_at += [*own, *[0] * (BLOCK * _blocks(own) - len(own))]
    return [
        table("rw_first_block", blocks, "int"),
        "/* The uses of each block. */",
        table("rw_use_at", use_at, "short"),
        "/* Whether a site has uses that another one has, too. */",
        table("rw_shares", _shares(asking)),
        table("rw_thing_of", uses.thing_of),
        table("rw_strata", STRATA),
        table("rw_winner_at", end.winners, "int"),
        table("rw_score_at", end.scores, "int"),
        table("rw_owner", [zone.owner for zone in program.zones]),
        table("rw_defined", [numbers[f"{info.kind}/{info.definition}"] for info in infos]),
    ]


def counting_functions(counted: Counted, cards: Sequence[int]) -> list[str]:
    """Return the function that counts a decision, `rw_count_site`, and what it calls. See `counting_tables`."""
    return _Writer(counted.program, _uses(counted), cards).written()


def _uses(counted: Counted) -> Uses:
    assert counted.uses is not None, "a program that counts decisions"
    return counted.uses


def _asking(uses: Uses) -> dict[int, list[int]]:
    """Return the uses of each site that has any, in order."""
    found = {site: sorted({*_all_uses(branches)} - {NO_USE}) for site, branches in enumerate(uses.branches)}
    return {site: own for site, own in found.items() if own}


def _shares(asking: dict[int, list[int]]) -> list[int]:
    """Return for each site whether another one has some of its uses, too."""
    times = Counter(use for own in asking.values() for use in own)
    return [int(any(times[use] > 1 for use in own)) for own in asking.values()]


def _blocks(uses: Sequence[int]) -> int:
    return -(-len(uses) // BLOCK)


def _all_uses(branches: Sequence[MenuBranch]) -> Iterator[int]:
    for branch in branches:
        yield branch.use
        for part in branch.parts:
            yield from (*part.uses, part.other)


class _Writer(CText):
    """The text of the functions."""

    def __init__(self, program: TableProgram, uses: Uses, cards: Sequence[int]) -> None:
        super().__init__()
        self._program, self._uses = program, uses
        self._faces = [program.cards[card].face for card in cards]
        """Of the cards of each class."""
        self._tables: dict[tuple[int, ...], str] = {}
        self._local: dict[int, int] = {}
        """The numbers of the uses of the present site; NO_USE has the last one, which is not counted."""
        self._words = 1
        """Of a set of these."""

    def written(self) -> list[str]:
        self.lines += [
            "static void rw_spill(rw_game *G, int at);",
        ]
        counted, block = _asking(self._uses), 0
        for number, (site, uses) in enumerate(counted.items()):
            self._site(site, number, block, uses)
            block += _blocks(uses)
        with self.block(
            "static RW_INSIDE void rw_count_site(rw_game *G, int seat, int site, const int *options, int count, "
            "const int *chosen, int number)"
        ):
            with self.block("switch (site)"):
                for site in counted:
                    self.line(f"case {site}: rw_count_{site}(G, seat, options, count, chosen, number); break;")
            self.line("(void)G, (void)seat, (void)site, (void)options, (void)count, (void)chosen, (void)number;")
        tables = [table(name, uses) for uses, name in self._tables.items()]
        tables += [bit_set(name, words) for words, name in self.bit_sets.items()]
        return [*tables, *self.lines]

    def bit_set(self, words: Sequence[int]) -> str:
        """Return the name of a constant array; those of the other parts of a module have other names."""
        return self.bit_sets.setdefault(tuple(words), f"rw_V{len(self.bit_sets)}")

    def _table(self, values: Sequence[int]) -> str:
        """Return the name of a table."""
        return self._tables.setdefault(tuple(values), f"rw_U{len(self._tables)}")

    def _site(self, site: int, number: int, block: int, uses: Sequence[int]) -> None:
        """Write the functions of a site; among those that are counted it has a number, and its first block."""
        branches = self._uses.branches[site]
        self._local = {use: number for number, use in enumerate((*uses, NO_USE))}
        self._words = len(uses) // BLOCK + 1
        head = f"static inline void rw_uses_{site}(rw_game *G, int seat, const int *values, int count, rw_u64 *set)"
        with self.block(head):
            size = self._size(site, branches)
            with self.block("for (int i = 0; i < count; i++)"):
                self.line("int v = values[i];")
                if size:
                    sets = [self._set(site, value) for value in range(size)]
                    with self.block(f"if (v >= 0 && v < {size})"):
                        for word in range(_blocks(uses)):
                            words = self.bit_set([whole >> 64 * word & _WORD for whole in sets])
                            self.line(f"set[{word}] |= {words}[v];")
                elif self._uses.menus[site]:
                    self._menu(branches)
                else:
                    self._parts(branches[0].parts)
            if not size:
                self.line(f"set[{self._words - 1}] &= {(1 << 8 * (len(uses) % BLOCK)) - 1:#x}ull;")
            self.line("(void)G, (void)seat;")
        head = f"static RW_APART void rw_count_{site}(rw_game *G, int seat, const int *options, int count,"
        with self.block(f"{head} const int *chosen, int number)"):
            self.line(f"rw_u64 offered[{self._words}] = {{0}}, taken[{self._words}] = {{0}};")
            self.line(f"rw_uses_{site}(G, seat, options, count, offered);")
            self.line(f"rw_uses_{site}(G, seat, chosen, number, taken);")
            self.line(f"const int at = seat * RW_ASKING + {number}, first = seat * RW_BLOCKS + {block};")
            with self.block("if (RW_RARE(++G->asked[at] == 255))"):
                self.line("rw_spill(G, at);")
                self.line("G->asked[at] = 1;")
            for place in range(_blocks(uses)):
                for name, of in (("offers", "offered"), ("takes", "taken")):
                    self.line(f"G->{name}[first + {place}] += {of}[{place}];")

    def _size(self, site: int, branches: Sequence[MenuBranch]) -> int:
        """Return how many values there can be, if few and none about a card; then a table has the set of each."""
        parts = [part for branch in branches for part in branch.parts]
        if any(part.cards for part in parts):
            return 0
        if self._uses.menus[site]:
            infos = self._program.sites[site].branches
            size = len(infos) * max(prod(info.radix) for info in infos)
        else:
            size = len(parts[0].uses)
        return size if size * self._words <= MOST_WORDS else 0

    def _set(self, site: int, value: int) -> int:
        """Return the set of the uses that a value is about, its words as one number."""
        branch, parts = self._uses.parts(site, value)
        found = [branch.use, *(part.use(this) for part, this in parts)]
        return sum({1 << 8 * self._local[use] for use in found if use != NO_USE})

    def _add(self, local: str) -> None:
        """Write the line that adds a use to the set, by its number at the site."""
        if self._words == 1:
            self.line(f"set[0] |= 1ull << 8 * {local};")
        else:
            self.line(f"set[{local} >> 3] |= 1ull << 8 * ({local} & 7);")

    def _menu(self, branches: Sequence[MenuBranch]) -> None:
        if len(branches) == 1:
            self.line("const int branch = 0;")
        else:
            self.line(f"const int branch = v % {len(branches)};")
            self.line(f"v /= {len(branches)};")
        self._add(f"{self._table([self._local[branch.use] for branch in branches])}[branch]")
        for number, branch in enumerate(branches):
            if branch.parts:
                with self.block(f"if (branch == {number})"):
                    self._parts(branch.parts)

    def _parts(self, parts: Sequence[CountedPart]) -> None:
        for part in parts:
            this = self.name("p")
            self.line(f"const int {this} = {f'v % {part.radix}' if part.radix else 'v'};")
            if part.radix:
                self.line(f"v /= {part.radix};")
            if part.counted:
                self._part(part, this)

    def _part(self, part: CountedPart, this: str) -> None:
        if part.cards:
            of_classes = self._table([self._local[part.use(face)] for face in self._faces])
            with self.block(f"if ({this} >= 0 && rw_in_sight(G, seat, {this}))"):
                self._add(f"{of_classes}[{this}]")
            return
        found = f"{self._table([self._local[use] for use in part.uses])}[{this}]"
        with self.block(f"if ({this} >= 0 && {this} < {len(part.uses)})"):
            self._add(found)
        if part.other != NO_USE:
            with self.block(f"else if ({this} >= 0)"):
                self._add(str(self._local[part.other]))
