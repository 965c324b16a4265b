"""Write witnesses as pairs of scenarios, one for each order of the packs.

A scenario begins at a phase or step. So a witness is tried from the last moments that can begin one, then from the
deal. Every scenario written was played in both orders: it passes in its own and fails in the other. Parts of the
position that make no difference to this are removed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from attrs import evolve, frozen

from rulewright.ruleset.findings.causes import is_error
from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.program.scenario import Given, Scenario, TrackGiven, ZoneGiven
from rulewright.ruleset.source.pack_files import PackFiles
from rulewright.tools.common.errors import Usage
from rulewright.tools.common.output import many
from rulewright.tools.packs.pack_set import PackSet
from rulewright.tools.scenarios.perform import perform
from rulewright.tools.scenarios.stage import Stages
from rulewright.tools.witness.looked import Witness
from rulewright.tools.witness.orders import in_order, strangers
from rulewright.tools.witness.scenario import Draft, Tag, drafts

ENDS = (".yaml", ".yml")
FILE = "witness.yaml"
"""File name, within packs, of scenarios that are being tried."""
MOST_TRIES = 4
"""How often invalid drafts are removed and the rest is checked again."""


def fresh_file(path: str, looked: bool) -> Path:
    """Return the file for scenarios. Raises Usage if it cannot be created."""
    file = Path(path)
    if not looked:
        raise Usage("--witness and --no-witness exclude each other; omit one of them")
    if file.suffix.lower() not in ENDS:
        raise Usage(f"--witness requires a file name that ends in .yaml, not {path!r}")
    if file.exists() or file.is_symlink():
        raise Usage(f"--witness {path}: file already exists; choose another name")
    if not file.parent.is_dir():
        raise Usage(f"--witness {path}: folder {file.parent} not found")
    return file


def keep(path: str, witnesses: Sequence[tuple[PackSet, Witness]]) -> Iterator[str]:
    """Write the scenarios; return lines about what was written. Raises Usage if this fails."""
    texts: list[str] = []
    lines: list[str] = []
    for together, witness in witnesses:
        text = scenarios(together, witness, f" ({len(texts) + 1})" if texts else "")
        if text is None:
            names = f"{witness.first} and {witness.second}"
            lines.append(f"No scenario can tell the witness of {witness.finding.code} for {names}")
        else:
            texts.append(text)
    if texts:
        try:
            Path(path).write_text("---\n".join(texts), "utf-8", newline="\n")
        except OSError as error:
            raise Usage(f"cannot write {path}: {error.strerror or error}") from None
        lines.append(f"Wrote {many(2 * len(texts), 'scenario')} to {path}")
    elif not lines:
        lines.append(f"No example position was found; {path} was not written")
    return iter(lines)


def scenarios(together: PackSet, witness: Witness, mark: str = "") -> str | None:
    """Return the text of a witness's two scenarios; None if none pass in one order only.

    `mark` is appended to their titles.
    """
    orders = strangers(together, witness.first, witness.second)
    tried = list(drafts(witness)) if orders is not None else []
    for _ in range(MOST_TRIES):
        if orders is None or not tried:
            return None
        text = "---\n".join(one.text(order, f" {number}") for number, one in enumerate(tried) for order in (0, 1))
        loaded = [in_order(_with(together, text), order, playable=True) for order in orders]
        wrong = {item.span.line for each in loaded for item in each.findings if is_error(item)}
        if not wrong and all(each.program is not None for each in loaded):
            return _first(_Trial.of(loaded), tried, mark)
        tried = list(_corrected(tried, wrong))
    return None


def _with(together: PackSet, text: str) -> PackSet:
    """Return the packs without their scenarios, and with `text` among the game's own files."""

    def cut(files: PackFiles) -> PackFiles:
        return evolve(files, files=tuple(one for one in files.files if "/scenarios/" not in f"/{one[0]}"))

    first, *more = map(cut, together.asked)
    whole = evolve(first, files=(*first.files, (FILE, text.encode())))
    return PackSet((whole, *more), {name: cut(one) for name, one in together.needed.items()})


def _corrected(tried: Sequence[Draft], wrong: Collection[int]) -> Iterator[Draft]:
    """Yield the drafts without their parts on the lines (from 1) that have errors."""
    tags = [tag for draft in tried for order in (0, 1) for tag in (*draft.tags(order), ())]
    bad = {tags[line - 1] for line in wrong if line <= len(tags)} - {()}
    if not bad:
        return
    for draft in tried:
        rest = draft.without(bad)
        if rest is not None:
            yield rest


@frozen
class _Trial:
    """Both orders, ready to play scenarios."""

    stages: tuple[Stages, Stages]
    scenarios: tuple[tuple[Scenario, ...], tuple[Scenario, ...]]

    @classmethod
    def of(cls, loaded: Sequence[Loaded]) -> _Trial:
        programs = [each.program for each in loaded]
        assert programs[0] is not None and programs[1] is not None
        own = [tuple(one for one in program.scenarios if one.span.path == FILE) for program in programs if program]
        return cls((Stages(programs[0], own[0]), Stages(programs[1], own[1])), (own[0], own[1]))

    def holds(self, number: int, left_out: frozenset[Tag] = frozenset()) -> bool:
        """Whether a draft's two scenarios pass only in their own order, without parts of their position."""
        for scenario in (0, 1):
            for order in (0, 1):
                one = self.scenarios[order][2 * number + scenario]
                given = tuple(part for part in one.given if _tag(part, one.players) not in left_out)
                passed = not perform(self.stages[order], evolve(one, given=given)).wrong
                if passed != (scenario == order):
                    return False
        return True


def _tag(given: Given, players: Sequence[str]) -> Tag:
    """Return the entry that a part of a position comes from."""
    if isinstance(given, ZoneGiven):
        return "entry", given.owner, given.zone.partition("/")[0]
    name, index = (given.track, given.index[:1]) if isinstance(given, TrackGiven) else (given.list, (given.index,))
    return "entry", next((word for word in index if word in players), ""), name


def _first(trial: _Trial, tried: Sequence[Draft], mark: str) -> str | None:
    """Return the first draft that holds, minimised."""
    for number, draft in enumerate(tried):
        if not trial.holds(number):
            continue
        keys = [entry.tag for entry in draft.entries if not entry.told]
        size = len(keys)
        gone: frozenset[Tag] = frozenset()
        while size:
            for start in range(0, len(keys), size):
                more = gone | set(keys[start : start + size])
                if more != gone and trial.holds(number, more):
                    gone = more
            keys = [key for key in keys if key not in gone]
            size = size // 2 if size > 1 else 0
        kept = draft.without(gone)
        return None if kept is None else kept.whole(mark)
    return None
