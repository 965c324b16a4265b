"""Whether the report of `balance` names what was planted in a pack, and nothing else.

    python -m rulewright.tools.bench.named ANSWERS.yaml … [--only PLANT,…] [--budget 60]

A file names a pack and some plants. Each has the documents of a house rule (`rules`; without them, the pack is
as it is), and what the report must call too strong or too weak (`names`: `strong` or `weak` by KIND/NAME). Plants
that must name nothing are controls. All kinds are weighed at the default table. A plant is right if exactly its
names are called so. The exit code is 1 if fewer than five of six plants with names are right, or if a control
is not.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import yaml
from attrs import frozen

from rulewright.tools.balance.study import Study
from rulewright.tools.bench import command
from rulewright.tools.bench.plants import RULES, asks, studied
from rulewright.tools.common.errors import Usage
from rulewright.tools.common.output import say
from rulewright.tools.packs import loading
from rulewright.tools.packs.pack_set import with_more

BAR = 5 / 6
CONTROL = "nothing"
HEADING = f"{'planted':<38} {'to be named':<32} {'named':<40} {'':<6} {'worlds':>6}   time"


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


def read(file: Path) -> tuple[PlantAnswer, ...]:
    """Read the plants of a file. Raises Usage."""
    try:
        data = yaml.safe_load(file.read_text("utf-8"))
        return tuple(
            PlantAnswer(data["pack"], name, **{"rules": "", **plant}) for name, plant in data["plants"].items()
        )
    except (OSError, KeyError, TypeError, AttributeError, yaml.YAMLError) as error:
        raise Usage(f"{file} is no file of answers: {error!r}") from None


def planted(plant: PlantAnswer, folder: Path) -> str:
    """Write the house rule of a plant into a folder, and return the pack with it."""
    if not plant.rules:
        return plant.pack
    version = loading.compile_pack(plant.pack).program.version
    rules = folder / RULES
    rules.mkdir()
    head = {"pack": RULES, "version": "1.0.0", "format": 3, "extends": {Path(plant.pack).name: f">={version}"}}
    (rules / "pack.yaml").write_text(f"{yaml.safe_dump(head, sort_keys=False)}---\n{plant.rules}", "utf-8")
    return with_more(plant.pack, [str(rules)])


def names(study: Study) -> dict[str, str]:
    """Return what a study calls too strong or too weak."""
    return {one.subject.name: one.stands_out for one in study.weighed if one.stands_out in ("strong", "weak")}


def weigh(plant: PlantAnswer, request: argparse.Namespace) -> NamedPlant | None:
    """Weigh everything that can be chosen in a pack with a plant; None if it was interrupted."""
    since = time.monotonic()
    with TemporaryDirectory() as folder:
        found = studied(planted(plant, Path(folder)), (), (), request, plant.name)
    return None if found.interrupted else NamedPlant(plant, names(found), found.worlds, time.monotonic() - since)


def line(one: NamedPlant) -> str:
    """Return a line of the report."""
    about = f"{Path(one.plant.pack).name}: {one.plant.name}"
    return (
        f"{about:<38} {listed(one.plant.names):<32} {listed(one.names):<40} {'right' if one.right else 'WRONG':<6} "
        f"{one.worlds:>6} {one.seconds:>4.0f} s"
    )


def listed(names: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {says}" for name, says in sorted(names.items())) or CONTROL


def summary(found: Sequence[NamedPlant]) -> Iterator[str]:
    """Iterate over the lines at the end."""
    for says, own in (("named", _plants(found)), ("controls of which nothing is named", _controls(found))):
        if own:
            yield f"{says}: {sum(one.right for one in own)} of {len(own)}"


def met(found: Sequence[NamedPlant]) -> bool:
    """Return whether enough plants are named, and no control."""
    own = _plants(found)
    return sum(one.right for one in own) >= BAR * len(own) and all(one.right for one in _controls(found))


def _plants(found: Sequence[NamedPlant]) -> list[NamedPlant]:
    return [one for one in found if one.plant.names]


def _controls(found: Sequence[NamedPlant]) -> list[NamedPlant]:
    return [one for one in found if not one.plant.names]


def main(arguments: Sequence[str]) -> int:
    """Print what was named; return 1 if a bar is missed."""
    first_line = (__doc__ or "").partition("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m rulewright.tools.bench.named", description=first_line)
    parser.add_argument("answers", nargs="+", metavar="ANSWERS.yaml")
    parser.add_argument("--only", default="", metavar="PLANT,…")
    asks(parser)
    given = parser.parse_args(arguments)
    return command.ended(lambda: _all(given))


def _all(given: argparse.Namespace) -> bool:
    """Plant and weigh everything of the files."""
    only, found = tuple(filter(None, given.only.split(","))), []
    say(HEADING)
    for plant in (one for file in given.answers for one in read(Path(file)) if not only or one.name in only):
        one = weigh(plant, given)
        if one is None:
            break
        found.append(one)
        say(line(one))
    for text in summary(found):
        say(text)
    return met(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
