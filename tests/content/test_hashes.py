"""Hashes of table programs stay the same: saved games refer to their program by its hash.

A hash here changes only with a change of rules: of the pack itself, or of what a node means (then `SEMANTICS` in
`ruleset/lower/lowering.py` is raised, too). What the checker does besides, and in which order, must not show.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.ruleset.lower.lowering import lower
from rulewright.ruleset.pipeline import load
from rulewright.ruleset.table.canonical import program_hash

ROOT = Path(__file__).parents[2]
FOLDERS = (ROOT / "content", ROOT / "tests" / "packs", ROOT / "tests" / "games")
HASHES = {
    "tutorial 2": "3972042967353bbf",
    "tutorial 5": "826d9721c5c315c9",
    "bazaar 2": "a87d91081c2f9170",
    "bazaar 3": "63ce8ec0c472f467",
    "bluff 2": "dd3ef2560dcb54f9",
    "bluff 5": "b41bb6de43d92cf7",
    "crates 2": "2bf561174660f81b",
    "crates 3": "7efb2a53d44d6788",
    "echo 2": "d22639d124b8e2d3",
    "edicts 2": "e6b183752ec3b280",
    "edicts 3": "ac60611c0561d03d",
    "embers 2": "b87c9314460309c3",
    "embers 3": "48bde19c235903d2",
    "entries 2": "236f82ae9b7862fc",
    "entries 4": "c9dcd56e7746e986",
    "exits 2": "3d4d3de9283db057",
    "exits 3": "91c43211781325c8",
    "figures 2": "0955fd77bfef8393",
    "figures 3": "3397f886893003db",
    "gallery 2": "8f9808bc37afb654",
    "gallery 4": "d8aada239f0635c2",
    "gaps 2": "17d93d1b2fc68511",
    "hooks 2": "5a38503fe8b5f9f7",
    "kilns 2": "186055c59b42af1c",
    "kilns 3": "719cea15cdf5bd48",
    "lots 2": "1809025e050fea34",
    "lots 4": "966bf6737b0a2718",
    "medals 2": "17a30cc3c3709118",
    "medals 3": "e7d5004458c5acee",
    "orchard 2": "90a41210cdfe34ea",
    "orchard 3": "601d56e77212ab07",
    "piles 2": "d02311feecff73b3",
    "scry 2": "d037aaf8391858f7",
    "scry 3": "5390753fbf82ef07",
    "rubber 2": "adca9fd0f8fa2f5d",
    "rubber 4": "287e15127d14bf8c",
    "sealed 2": "18e825de1acf6db7",
    "sealed 4": "1611c4117481fa5b",
    "stalls 2": "760179460e3c5919",
    "stalls 3": "52f43221f1b22516",
    "tides 2": "28b5a643dcbae442",
    "tides 3": "5540b659c68af86b",
    "verdict 2": "b7cddad00c9361e9",
    "verdict 4": "0a11c683266a3193",
    "wards 2": "7fa0a4b5d5ea037a",
    "wards 4": "89f1d5eb7d91ec73",
    "wells 2": "db1377d5fc7c927c",
    "millbrook 2": "f147e8e2dc45d250",
    "millbrook 4": "6cd6b2c640510d3a",
    "river 3": "c8491cbd2b2271db",
    "river 5": "ead6987066f691c5",
    "tideline 2": "b4388bdc195eef3f",
    "tideline 5": "57e080a4ebe4efea",
    "wreckers 5": "06a883da7e42289c",
    "wreckers 7": "b9cf842dc02731c2",
}
"""By pack and number of players: the first 16 digits of the hash."""


def test_every_small_pack_is_here() -> None:
    here = {table.split()[0] for table in HASHES}
    assert {pack.parent.name for folder in FOLDERS[1:] for pack in folder.glob("*/pack.yaml")} <= here


@pytest.mark.parametrize("table", HASHES)
def test_the_hash_is_as_it_was(table: str) -> None:
    name, players = table.split()
    program = load(next(folder / name for folder in FOLDERS if (folder / name).exists())).program
    assert program is not None
    assert program_hash(lower(program, int(players))).startswith(HASHES[table])
