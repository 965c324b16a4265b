"""Whether `balance` finds what is planted in a pack, and nothing else.

    python -m rulewright.tools.bench.plants FILE.yaml … [--only NAME,…] [--versions strong,empty] [--budget 60]

A file of faults names a pack, the options of its table, a kind, and the files of the pack with the definitions to
change. `strong` and `empty` say how each definition is changed, one at a time, by a house rule. `texts` has
templates in which {} is the text of the field; only fields that a definition has are changed. `numbers` has for
each field a number to add: `plus` times the field `times`, up to `most` in all; without these, it becomes 0.
A strong version is found if it is named the strongest, an empty one if it is among the three weakest. A false alarm
is a definition that was not changed and is still called too strong or too weak.

A file of answers names a pack and `plants`. Each has the documents of a house rule (`rules`; without them, the pack
is as it is), and what the report must call too strong or too weak (`names`: `strong` or `weak` by KIND/NAME).
Plants that must name nothing are controls. All kinds are weighed at the default table. A plant is right if exactly
its names are called so.

The exit code is 1 if fewer than 90 % of the strong or 80 % of the empty versions are found, if there are more than
5 % of false alarms, if fewer than five of six plants with names are right, or if a control is not.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml
from attrs import define, frozen

from rulewright.tools.balance.estimates import Weighed
from rulewright.tools.balance.study import Study, StudyRequest, study
from rulewright.tools.balance.subjects import first_groups
from rulewright.tools.bench import command
from rulewright.tools.common.errors import Usage
from rulewright.tools.common.output import say
from rulewright.tools.common.progress import Progress
from rulewright.tools.packs import loading
from rulewright.tools.packs.pack_set import with_more
from rulewright.tools.simulation.execution.dispatch import ResultCollector
from rulewright.tools.simulation.execution.local import play_all
from rulewright.tools.simulation.protocol import C, Work

BARS = {"strong": 0.9, "empty": 0.8}
NAMED = 5 / 6
FALSE_ALARMS = 0.05
WEAKEST = 3
HEADING = (
    f"{'planted':<16} {'version':<7} {'rank':>8}  {'':<7} {'effect of taking it':<26} {'says':<7} {'worlds':>6}   "
    "time  false alarms"
)
CONTROL = "nothing"
HEADING_OF_ANSWERS = f"{'planted':<38} {'to be named':<32} {'named':<40} {'':<6} {'worlds':>6}   time"
RULES = "planted"
"""The name of the pack with the house rule."""


@frozen
class Version:
    """How a version changes a definition: templates and numbers by field, as above."""

    texts: Mapping[str, str]
    numbers: Mapping[str, Mapping[str, Any]]


@frozen
class PlantedFaults:
    """A file of faults."""

    pack: str
    options: tuple[str, ...]
    kind: str
    files: str
    versions: Mapping[str, Version]


@frozen
class Plant:
    """A definition, and the fields that a version of it sets."""

    key: str
    version: str
    fields: Mapping[str, Any]


@frozen
class PlantOutcome:
    """The rank of the plant among the definitions that can be changed, and the alarms about all `others`."""

    plant: Plant
    rank: int | None
    of: int
    others: int
    weighed: Weighed | None
    alarms: tuple[str, ...]
    worlds: int
    seconds: float
    interrupted: bool

    @property
    def found(self) -> bool:
        if self.rank is None:
            return False
        return self.rank == 1 if self.plant.version == "strong" else self.rank > self.of - WEAKEST


@define
class PlantTotals:
    """Counts of all outcomes."""

    found: dict[str, int]
    tried: dict[str, int]
    alarms: int = 0
    untouched: int = 0

    def add(self, one: PlantOutcome) -> None:
        self.tried[one.plant.version] = self.tried.get(one.plant.version, 0) + 1
        self.found[one.plant.version] = self.found.get(one.plant.version, 0) + one.found
        self.alarms += len(one.alarms)
        self.untouched += one.others

    def met(self) -> bool:
        enough = all(self.found[name] >= BARS[name] * tried for name, tried in self.tried.items())
        return enough and self.alarms <= FALSE_ALARMS * self.untouched


@frozen
class PlantAnswer:
    """A change of a pack, and what must be named: `strong` or `weak` by KIND/NAME."""

    pack: str
    name: str
    rules: str
    names: Mapping[str, str]


@frozen
class NamedPlant:
    """What was named of a plant."""

    plant: PlantAnswer
    names: Mapping[str, str]
    worlds: int
    seconds: float

    @property
    def right(self) -> bool:
        return self.names == self.plant.names


def read(file: Path) -> PlantedFaults | tuple[PlantAnswer, ...]:
    """Read a file of faults or of answers. Raises Usage."""
    try:
        data = yaml.safe_load(file.read_text("utf-8"))
        if "plants" in data:
            entries = data["plants"].items()
            return tuple(PlantAnswer(data["pack"], name, **{"rules": "", **plant}) for name, plant in entries)
        versions = {name: Version(data[name]["texts"], data[name]["numbers"]) for name in BARS}
        return PlantedFaults(data["pack"], tuple(data["options"]), data["kind"], data["files"], versions)
    except (OSError, KeyError, TypeError, AttributeError, yaml.YAMLError) as error:
        raise Usage(f"{file} is no file of faults or answers: {error!r}") from None


def planted(pack: str, documents: str, folder: Path) -> str:
    """Write a house rule into a folder, and return the pack with it; without documents, the pack as it is."""
    if not documents:
        return pack
    version = loading.compile_pack(pack).program.version
    rules = folder / RULES
    rules.mkdir()
    head = {"pack": RULES, "version": "1.0.0", "format": 3, "extends": {Path(pack).name: f">={version}"}}
    (rules / "pack.yaml").write_text(f"{yaml.safe_dump(head, sort_keys=False)}---\n{documents}", "utf-8")
    return with_more(pack, [str(rules)])


def studied(
    pack: str, options: Sequence[str], kinds: tuple[str, ...], request: argparse.Namespace, about: str
) -> Study:
    """Weigh kinds of a pack (none: all) as `balance` does it by default, in the budget or worlds of a request."""
    program = loading.compile_pack(pack).program
    table, _ = loading.table_noted(program, program.least_players, tuple(options))
    bot = program.bots[0].key if program.bots else ""

    def run(work: Work[C], what: str) -> tuple[C, bool]:
        with Progress(work.games, unit="paired game", about=f"{about}: {what}") as progress:
            collector = ResultCollector(work, progress)
            interrupted = play_all(work, request.jobs, collector)
        return collector.counts, interrupted

    asked = StudyRequest(
        table, bot, kinds, request.seed, request.budget, request.jobs, request.worlds,
        first_groups(program.expected),
    )  # fmt: skip
    return study(asked, run)


# ------------------------------------------------------------------ faults

def plants(
    faults: PlantedFaults, only: Sequence[str] = (), versions: Sequence[str] = tuple(BARS)
) -> Iterator[Plant]:
    """Iterate over the plants of a file, in the order of the pack's files."""
    root = loading.compile_pack(faults.pack).root
    for file in sorted(root.glob(faults.files)):
        for document in yaml.safe_load_all(file.read_text("utf-8")):
            if not isinstance(document, dict) or faults.kind not in document:
                continue
            key = document[faults.kind]
            for version in versions:
                if not only or key in only:
                    yield Plant(key, version, changed(document, faults.versions[version]))


def changed(document: Mapping[str, Any], version: Version) -> dict[str, Any]:
    """Return the fields that a version sets."""
    fields: dict[str, Any] = {}
    for name, template in version.texts.items():
        if name in document:
            fields[name] = filled(template, str(document[name]))
    for name, rule in version.numbers.items():
        before = document.get(name, 0)
        after = min(rule["most"], before + rule["plus"] * document[rule["times"]]) if rule else 0
        if after != before:
            fields[name] = after
    return fields


def filled(template: str, text: str) -> str:
    """Put a text of one or more lines into a template, indented as its place."""
    lines = []
    for line in template.rstrip("\n").split("\n"):
        before, found, after = line.partition("{}")
        indented = text.rstrip("\n").replace("\n", "\n" + before) if not before.strip() else text.rstrip("\n")
        lines.append(f"{before}{indented}{after}" if found else line)
    return "\n".join(lines)


def weigh(faults: PlantedFaults, plant: Plant, request: argparse.Namespace, keys: Sequence[str]) -> PlantOutcome:
    """Weigh the kind of a plant with its house rule. `keys` are the definitions that are compared."""
    since = time.monotonic()
    with TemporaryDirectory() as folder:
        change = {"change": f"{faults.kind}/{plant.key}", "set": dict(plant.fields)}
        pack = planted(faults.pack, yaml.safe_dump(change, sort_keys=False), Path(folder))
        found = studied(pack, faults.options, (faults.kind,), request, f"{plant.key}, {plant.version}")
    return outcome(found, plant, keys, time.monotonic() - since)


def outcome(study: Study, plant: Plant, keys: Sequence[str], seconds: float) -> PlantOutcome:
    """Return what a study found."""
    ranked = [one for one in study.weighed if one.subject.key in keys]
    own = next((one for one in ranked if one.subject.key == plant.key), None)
    others = [one for one in study.weighed if one is not own]
    alarms = tuple(f"{one.subject.key} too {one.stands_out}" for one in others if one.stands_out)
    rank = ranked.index(own) + 1 if own is not None else None
    return PlantOutcome(
        plant, rank, len(ranked), len(others), own, alarms, study.worlds, seconds, study.interrupted
    )


def line(one: PlantOutcome) -> str:
    """Return a line of the report."""
    taken = one.weighed.taken.by_measure if one.weighed is not None else {}
    lead = next((taken[name] for name in ("lead", "win") if name in taken), None)
    effect = f"{lead.mean:+.1f} ({lead.low:+.1f} to {lead.high:+.1f})" if lead else "not weighed"
    place = f"{one.rank} of {one.of}" if one.rank is not None else f"- of {one.of}"
    says = one.weighed.stands_out if one.weighed is not None else ""
    found = "found" if one.found else "missed"
    alarms = "; ".join(one.alarms)
    return (
        f"{one.plant.key:<16} {one.plant.version:<7} {place:>8}  {found:<7} {effect:<26} {says:<7} "
        f"{one.worlds:>6} {one.seconds:>4.0f} s  {alarms}"
    )


def summary(total: PlantTotals) -> Iterator[str]:
    """Iterate over the lines at the end."""
    for version, tried in total.tried.items():
        found = total.found[version]
        yield f"{version}: {found} of {tried} found, {found / tried:.0%} (bar {BARS[version]:.0%})"
    if total.untouched:
        share = total.alarms / total.untouched
        yield f"false alarms: {total.alarms} of {total.untouched}, {share:.1%} (at most {FALSE_ALARMS:.0%})"


# ------------------------------------------------------------------ answers

def names(study: Study) -> dict[str, str]:
    """Return what a study calls too strong or too weak."""
    return {one.subject.name: one.stands_out for one in study.weighed if one.stands_out in ("strong", "weak")}


def weigh_all(plant: PlantAnswer, request: argparse.Namespace) -> NamedPlant | None:
    """Weigh everything that can be chosen in a pack with a plant; None if it was interrupted."""
    since = time.monotonic()
    with TemporaryDirectory() as folder:
        found = studied(planted(plant.pack, plant.rules, Path(folder)), (), (), request, plant.name)
    return None if found.interrupted else NamedPlant(plant, names(found), found.worlds, time.monotonic() - since)


def line_of_answer(one: NamedPlant) -> str:
    """Return a line of the report."""
    about = f"{Path(one.plant.pack).name}: {one.plant.name}"
    return (
        f"{about:<38} {listed(one.plant.names):<32} {listed(one.names):<40} {'right' if one.right else 'WRONG':<6} "
        f"{one.worlds:>6} {one.seconds:>4.0f} s"
    )


def listed(names: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {says}" for name, says in sorted(names.items())) or CONTROL


def summary_of_answers(found: Sequence[NamedPlant]) -> Iterator[str]:
    """Iterate over the lines at the end."""
    for says, own in (("named", _plants(found)), ("controls of which nothing is named", _controls(found))):
        if own:
            yield f"{says}: {sum(one.right for one in own)} of {len(own)}"


def met(found: Sequence[NamedPlant]) -> bool:
    """Return whether enough plants are named, and no control."""
    own = _plants(found)
    return sum(one.right for one in own) >= NAMED * len(own) and all(one.right for one in _controls(found))


def _plants(found: Sequence[NamedPlant]) -> list[NamedPlant]:
    return [one for one in found if one.plant.names]


def _controls(found: Sequence[NamedPlant]) -> list[NamedPlant]:
    return [one for one in found if not one.plant.names]


# ------------------------------------------------------------------ the command

def main(arguments: Sequence[str]) -> int:
    """Print what was found and named; return 1 if a bar is missed."""
    first_line = (__doc__ or "").partition("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m rulewright.tools.bench.plants", description=first_line)
    parser.add_argument("files", nargs="+", metavar="FILE.yaml")
    parser.add_argument("--only", default="", metavar="NAME,…")
    parser.add_argument("--versions", default=",".join(BARS))
    parser.add_argument("--budget", type=float, default=60.0, help="seconds for each plant")
    parser.add_argument("--worlds", type=int, help="worlds for each comparison, instead of a budget")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)

    def compare() -> bool:
        only, answers, well = tuple(filter(None, given.only.split(","))), [], True
        for found in map(read, map(Path, given.files)):
            if isinstance(found, PlantedFaults):
                well &= _all(found, only, given)
            else:
                answers += [one for one in found if not only or one.name in only]
        return (_answered(answers, given) if answers else True) and well

    return command.ended(compare)


def _all(faults: PlantedFaults, only: Sequence[str], given: argparse.Namespace) -> bool:
    """Plant and weigh all faults of a file."""
    keys = tuple(dict.fromkeys(one.key for one in plants(faults)))
    total = PlantTotals({}, {})
    say(f"{faults.pack}, {', '.join(faults.options)}: {len(keys)} of {faults.kind}")
    say(HEADING)
    for plant in plants(faults, only, tuple(given.versions.split(","))):
        found = weigh(faults, plant, given, keys)
        if found.interrupted:
            break
        total.add(found)
        say(line(found))
    for text in summary(total):
        say(text)
    return total.met()


def _answered(answers: Sequence[PlantAnswer], given: argparse.Namespace) -> bool:
    """Plant and weigh what answers are known of."""
    found = []
    say(HEADING_OF_ANSWERS)
    for plant in answers:
        one = weigh_all(plant, given)
        if one is None:
            break
        found.append(one)
        say(line_of_answer(one))
    for text in summary_of_answers(found):
        say(text)
    return met(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
