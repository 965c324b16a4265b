"""What a decision is about: the definitions, options, numbers, and members at each site.

A use is one of these at one site. Its parts are those of `usage` in the report: `lantern/tall` is a definition,
`supply.act/pass` an option of a menu, or a number or member where the rules ask for one. Sites with equal keys
count together. Seats are not counted, nor are numbers and members that an option of a menu has beside its cards and
definitions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import field, frozen

from rulewright.interpreter.views.visibility import ALL_DEFINITIONS, value_key
from rulewright.ruleset.table.nodes import OptionBranch, Site, TableProgram

NUMBERS = 100
"""Numbers below this are counted apart; all others that are chosen at a site count together."""
OTHER = "other"
"""The key of those others."""
NO_USE = -1


@frozen
class Use:
    """A thing at a site, by its key. `defined`: it is a definition, and `what` is `KIND/KEY`."""

    site: str
    what: str
    defined: bool


@frozen
class Part:
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
class Branch:
    """An entry of a menu: its own use, and the parts of its value, lowest first. Other sites have one, without."""

    use: int
    parts: tuple[Part, ...]


@frozen
class Uses:
    """The uses of a table, and the branches of each site.

    `things` are what uses are about, at any site; `thing_of` has the number of the thing of each use.
    """

    uses: tuple[Use, ...]
    branches: tuple[tuple[Branch, ...], ...]
    menus: tuple[bool, ...]
    things: tuple[str, ...]
    thing_of: tuple[int, ...]

    def parts(self, site: int, value: int) -> tuple[Branch, list[tuple[Part, int]]]:
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
    numbers: dict[Use, int] = field(factory=dict)

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
        return self.numbers.setdefault(Use(site.key, what, defined), len(self.numbers))

    def _branches(self, site: Site) -> tuple[Branch, ...]:
        if site.of == "menu":
            return tuple(self._branch(site, branch) for branch in site.branches)
        return (Branch(NO_USE, (self._part(site, site.of, 0, False),)),)

    def _branch(self, site: Site, branch: OptionBranch) -> Branch:
        use = self._use(site, f"{site.key}/{branch.key}", False)
        last = len(branch.members) - 1
        parts = [
            self._part(site, of, radix if place < last else 0, True)
            for place, (of, radix) in enumerate(zip(branch.members, branch.radix, strict=True))
        ]
        while parts and not parts[-1].counted:
            parts.pop()
        return Branch(use, tuple(parts))

    def _part(self, site: Site, of: str, radix: int, in_menu: bool) -> Part:
        program = self.program
        kinds = dict(program.definitions)
        if of == "card":
            return Part(True, radix, self._of_faces(site))
        if of in kinds:
            return Part(False, radix, self._of_definitions(site, kinds[of], kinds))
        if in_menu or of == "seat":
            return Part(False, radix, ())
        if of == "number":
            numbers = (self._use(site, f"{site.key}/{number}", False) for number in range(NUMBERS))
            return Part(False, radix, tuple(numbers), self._use(site, f"{site.key}/{OTHER}", False))
        members: Iterable[int] = range(2)
        if of != "boolean":
            members = range(next((len(one.members) for one in program.enumerations if one.key == of), 0))
        names = (value_key(program, of, member) for member in members)
        return Part(False, radix, tuple(self._use(site, f"{site.key}/{name}", False) for name in names))

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
