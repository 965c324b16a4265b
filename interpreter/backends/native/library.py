"""From C text to a library that is loaded: built once, and found again in the cache.

Without a cache, or where its folder cannot be used, a library is built in a folder that is gone as soon as it is
loaded. A build that is not over when its process ends is ended, and leaves nothing.
"""

from __future__ import annotations

import _thread
import ctypes
import os
import time
from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b
from multiprocessing.util import Finalize
from threading import Lock
from time import monotonic
from typing import Any, TypeVar

from rulewright.interpreter import cache
from rulewright.interpreter.backends.native.toolchain import EXPORT, Compiler, CompilerError, run
from rulewright.interpreter.cache import tidy

BUILD_SECONDS = 300.0
"""A compiler that takes longer is ended."""


class BuildError(Exception):
    """There is no library for this text; the message says why."""


def load(text: str, compiler: Compiler, seconds: float = BUILD_SECONDS) -> ctypes.CDLL:
    """The library of C text (ASCII, no includes), from the cache or built. Raises BuildError.

    Within a process there is one for each text. If a thread already makes it, others wait for it.
    """
    key = key_of(text, compiler)
    with _LOOKING.setdefault(key, Lock()):
        return loaded(key) or _LOADED.setdefault(key, _built(text, key, compiler, seconds))


def _built(text: str, key: str, compiler: Compiler, seconds: float) -> ctypes.CDLL:
    """Builds a library in a folder of its own, keeps it if there is a cache, and loads it. Raises BuildError."""
    try:
        kept_in, place = cache.bench(f"{cache.MAKING}{key}-")
    except OSError as error:
        raise BuildError(f"there is no folder to build in: {error}") from None
    clear = Finalize(None, cache.discard, (place,), exitpriority=0)
    path = os.path.join(place, cache.BUILT)
    try:
        with open(os.path.join(place, "table.c"), "w", encoding="ascii") as file:
            file.write(f'{text}\n{EXPORT}const char {cache.STAMP}[] = "{key}";\n')
        run((*compiler.command, *compiler.flags, "-o", cache.BUILT, "table.c"), place, seconds)
        if not os.path.isfile(path):
            raise FileNotFoundError("it ended well, but made no file")
        if kept_in is not None:
            with suppress(OSError):
                path = cache.keep(path, key, kept_in)
            tidy(os.path.dirname(kept_in), time.time(), path)
        return cache.opened(path, key)
    except (CompilerError, OSError) as error:
        raise BuildError(f"{compiler.name} at {compiler.command[0]} cannot build this: {error}") from None
    finally:
        clear()


def loaded(key: str) -> ctypes.CDLL | None:
    """The library of a key, as `key_of` gives it, if it was built before: no text and no compiler is needed."""
    library = _LOADED.get(key) or cache.fetch(key)
    return None if library is None else _LOADED.setdefault(key, library)


def key_of(text: str, compiler: Compiler) -> str:
    """What a library depends on: its text, the compiler with its flags, the kind of machine."""
    parts = (compiler.command, compiler.version, compiler.flags, cache.machine())
    digest = blake2b(repr(parts).encode("utf-8", "surrogateescape"), digest_size=16)
    digest.update(text.encode("ascii"))
    return digest.hexdigest()


_LOADED: dict[str, ctypes.CDLL] = {}
_LOOKING: dict[str, Lock] = {}
"""Of each key, what the thread holds that looks for its library or makes it."""


# ---- Call native code that may take long in another thread, while this one handles signals
#
# Little is imported here (`threading` takes time): short simulations begin with it.

T = TypeVar("T")
LOOK_SECONDS = 0.05
"""How often to check whether a call should stop."""


def beside(call: Callable[[Any], T], stop: Callable[[], bool] = lambda: False, seconds: float = 1e9) -> T:
    """Make a call in another thread; the result, or the exception, is that of the call.

    The call gets a `ctypes.c_int` and must return soon after that is set: after `seconds`, if `stop` returns true,
    or when a signal raises an exception in this thread.
    """
    halt = ctypes.c_int(0)
    found: list[T] = []
    failed: list[BaseException] = []
    over = _thread.allocate_lock()
    over.acquire()

    def run() -> None:
        try:
            found.append(call(halt))
        except BaseException as error:
            failed.append(error)
        finally:
            over.release()

    end = monotonic() + seconds
    _thread.start_new_thread(run, ())
    try:
        while True:
            over.acquire(timeout=max(0.0, min(end - monotonic(), LOOK_SECONDS)))
            if found or failed or stop() or monotonic() >= end:
                break
    finally:
        halt.value = 1
        while not (found or failed):  # the lock alone may not tell: a signal can raise just after it was taken
            over.acquire(timeout=LOOK_SECONDS)
    if failed:
        raise failed[0]
    return found[0]
