"""From C text to a library that is loaded: built once, and found again in the cache.

A build that nobody waits for any more goes on: `store` finds what came of it. Without a cache, or where its folder
cannot be used, a library is built in a folder that is gone as soon as it is loaded, or as this process ends.
"""

from __future__ import annotations

import ctypes
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b
from typing import TYPE_CHECKING

from interpreter.backends.native.compiler.compiler_process import CompilerError, Running
from interpreter.backends.native.compiler.toolchain import EXPORT, Compiler
from interpreter.cache import library_store
from interpreter.cache.bound import tidy

if TYPE_CHECKING:
    from multiprocessing.util import Finalize

BUILD_SECONDS = 300.0
"""A compiler that takes longer is ended."""


class BuildError(Exception):
    """There is no library for this text; the message says why."""


def load(text: str, compiler: Compiler, seconds: float = BUILD_SECONDS) -> ctypes.CDLL:
    """The library of C text (ASCII, no includes), from the cache or built. Raises BuildError.

    Within a process there is one for each text.
    """
    key = key_of(text, compiler)
    return loaded(key) or Making(text, key, compiler, seconds).wait()


def begin(text: str, compiler: Compiler) -> Making | Watching:
    """Has the library of C text built meanwhile, unless it is there or another process is just about it."""
    key = key_of(text, compiler)
    return Watching(text, key, compiler) if _seen_to(key) or loaded(key) else Making(text, key, compiler)


def _seen_to(key: str) -> bool:
    """Whether somebody builds the library of a key. Who is too slow, or has died, does not count for ever."""
    return library_store.in_the_making(key, time.time() - BUILD_SECONDS)


def loaded(key: str) -> ctypes.CDLL | None:
    """The library of a key, as `key_of` gives it, if it was built before: no text and no compiler is needed."""
    with _LOCK:
        if key not in _LOADED:
            library = library_store.fetch(key)
            if library is None:
                return None
            return _LOADED.setdefault(key, library)
        return _LOADED[key]


def key_of(text: str, compiler: Compiler) -> str:
    """What a library depends on: its text, the compiler with its flags, the kind of machine."""
    parts = (compiler.command, compiler.version, compiler.flags, library_store.machine())
    digest = blake2b(repr(parts).encode("utf-8", "surrogateescape"), digest_size=16)
    digest.update(text.encode("ascii"))
    return digest.hexdigest()


_LOADED: dict[str, ctypes.CDLL] = {}
_LOCK = threading.Lock()


class Watching:
    """A library that is there, or that another process builds. Where that one does not end well, it is built here.

    The methods raise BuildError where there will be none.
    """

    def __init__(self, text: str, key: str, compiler: Compiler) -> None:
        self._text, self._key, self._compiler = text, key, compiler
        self._making: Making | None = None

    def library(self) -> ctypes.CDLL | None:
        """The library, as soon as it is there."""
        if self._making is None:
            seen_to = _seen_to(self._key)  # asked first: who has just ended has left a library
            library = loaded(self._key)
            if seen_to or library is not None:
                return library
            self._making = Making(self._text, self._key, self._compiler)
        return self._making.library()

    def leave(self) -> None:
        """See `Making.leave`."""
        if self._making is not None:
            self._making.leave()


class Making:
    """A library in the making, in so many seconds. The methods raise BuildError where there will be none."""

    def __init__(self, text: str, key: str, compiler: Compiler, seconds: float = BUILD_SECONDS) -> None:
        self._key = key
        self._compiler = compiler
        try:
            self._kept_in, self._place = library_store.bench(f"{library_store.MAKING}{key}-")
        except OSError as error:
            raise BuildError(f"there is no folder to build in: {error}") from None
        self._last = _at_the_end(self.leave) if self._kept_in is None else None
        command = (*compiler.command, *compiler.flags, "-o", library_store.BUILT, "table.c")
        try:
            with open(os.path.join(self._place, "table.c"), "w", encoding="ascii") as file:
                file.write(f'{text}\n{EXPORT}const char {library_store.STAMP}[] = "{key}";\n')
            self._running = Running(command, self._place, seconds, library_store.WHOLE)
        except (CompilerError, OSError) as error:
            raise self._failed(error) from None

    def library(self) -> ctypes.CDLL | None:
        """The library if it is there by now; else it is built on."""
        return self.wait() if self._key in _LOADED or self._running.over() else None

    def wait(self) -> ctypes.CDLL:
        """The library, as soon as it is there."""
        found = _LOADED.get(self._key)
        if found is None:
            return _LOADED.setdefault(self._key, self._finished())
        self._running.end()  # somebody else in this process was quicker
        self._clear()
        return found

    def leave(self) -> None:
        """Nobody waits for it any more. What goes into the cache is built on: it will be asked for again."""
        if self._kept_in is not None and not self._running.over():
            self._running.leave()
            return
        self._running.end()
        if self._kept_in is not None:
            library_store.taken_in(self._place, self._key, self._kept_in)
        self._clear()

    def _finished(self) -> ctypes.CDLL:
        path = os.path.join(self._place, library_store.BUILT)
        try:
            self._running.result()
            if not os.path.isfile(path):
                raise FileNotFoundError("it ended well, but made no file")
            if self._kept_in is not None:
                with suppress(OSError):
                    path = library_store.keep(path, self._key, self._kept_in)
                tidy(os.path.dirname(self._kept_in), time.time(), path)
            return library_store.opened(path, self._key)
        except CompilerError as error:
            raise self._failed(error) from None
        except OSError as error:
            library = library_store.fetch(self._key)  # a process that saw it first may have taken it in
            if library is None:
                raise self._failed(error) from None
            return library
        finally:
            self._clear()

    def _failed(self, error: Exception) -> BuildError:
        self._clear()
        return BuildError(f"{self._compiler.name} at {self._compiler.command[0]} cannot build this: {error}")

    def _clear(self) -> None:
        library_store.discard(self._place)
        if self._last is not None:
            self._last.cancel()


def _at_the_end(leave: Callable[[], None]) -> Finalize:
    """Has something left when this process ends, also where that is one of several that play."""
    from multiprocessing.util import Finalize

    return Finalize(None, leave, exitpriority=0)
