"""From C text to a library that is loaded: built once, and found again in the cache.

A build that nobody waits for any more goes on: `store` finds what came of it. Without a cache, or where its folder
cannot be used, a library is built in a folder that is gone as soon as it is loaded, or as this process ends.
"""

from __future__ import annotations

import atexit
import ctypes
import os
import tempfile
import threading
import time
from contextlib import suppress
from hashlib import blake2b

from interpreter.native import store
from interpreter.native.running import CompilerError, Running
from interpreter.native.toolchain import EXPORT, Compiler

BUILD_SECONDS = 300.0
"""A compiler that takes longer is ended."""

_SHELL = f'ulimit -t {BUILD_SECONDS:.0f}; "$@" && : > {store.WHOLE}'
"""Says so when what was built is whole, for those who find it. It uses nothing but the shell itself."""


class BuildError(Exception):
    """There is no library for this text; the message says why."""


def load(text: str, compiler: Compiler, seconds: float = BUILD_SECONDS) -> ctypes.CDLL:
    """The library of C text (ASCII, no includes), from the cache or built. Raises BuildError.

    Within a process there is one for each text.
    """
    key = key_of(text, compiler)
    return loaded(key) or Making(text, key, compiler).wait(seconds)


def begin(text: str, compiler: Compiler) -> Making | Watching:
    """Has the library of C text built meanwhile, if no process is just about it."""
    key = key_of(text, compiler)
    if store.in_the_making(key, time.time() - BUILD_SECONDS):
        return Watching(key)
    return Making(text, key, compiler)


def loaded(key: str) -> ctypes.CDLL | None:
    """The library of a key, as `key_of` gives it, if it was built before: no text and no compiler is needed."""
    with _LOCK:
        if key not in _LOADED:
            library = store.fetch(key)
            if library is None:
                return None
            _LOADED[key] = library
        return _LOADED[key]


def key_of(text: str, compiler: Compiler) -> str:
    """What a library depends on: its text, the compiler with its flags, the kind of machine."""
    parts = (compiler.command, compiler.version, compiler.flags, store.machine())
    digest = blake2b(repr(parts).encode("utf-8", "surrogateescape"), digest_size=16)
    digest.update(text.encode("ascii"))
    return digest.hexdigest()


_LOADED: dict[str, ctypes.CDLL] = {}
_LOCK = threading.Lock()


class Watching:
    """A library that another process builds."""

    def __init__(self, key: str) -> None:
        self._key = key

    def library(self) -> ctypes.CDLL | None:
        """The library, as soon as it is there."""
        return loaded(self._key)

    def leave(self) -> None:
        """See `Making.leave`."""


class Making:
    """A library in the making. The methods raise BuildError where there will be none."""

    def __init__(self, text: str, key: str, compiler: Compiler) -> None:
        self._key = key
        self._compiler = compiler
        self._kept_in, self._place = _bench(key)
        if self._kept_in is None:
            atexit.register(self.leave)
        try:
            with open(os.path.join(self._place, "table.c"), "w", encoding="ascii") as file:
                file.write(f'{text}\n{EXPORT}const char {store.STAMP}[] = "{key}";\n')
            self._running = Running(_command(compiler), self._place)
        except (CompilerError, OSError) as error:
            raise self._failed(error) from None

    def library(self) -> ctypes.CDLL | None:
        """The library if it is there by now; else it is built on."""
        return self.wait(0) if self._running.over() else None

    def wait(self, seconds: float = BUILD_SECONDS) -> ctypes.CDLL:
        """The library, as soon as it is there. A compiler that takes longer than so many seconds is ended."""
        with _LOCK:
            if self._key not in _LOADED:
                _LOADED[self._key] = self._finished(seconds)
            return _LOADED[self._key]

    def leave(self) -> None:
        """Nobody waits for it any more. What goes into the cache is built on: it will be asked for again."""
        if self._kept_in is not None and not self._running.over():
            self._running.leave()
            return
        self._running.end()
        self._clear()

    def _finished(self, seconds: float) -> ctypes.CDLL:
        path = os.path.join(self._place, store.BUILT)
        try:
            self._running.result(seconds)
            if not os.path.isfile(path):
                raise FileNotFoundError("it ended well, but made no file")
            if self._kept_in is not None:
                with suppress(OSError):
                    path = store.keep(path, self._key, self._kept_in)
                store.forget(self._kept_in, time.time(), path)
            return store.opened(path, self._key)
        except CompilerError as error:
            raise self._failed(error) from None
        except OSError as error:
            library = store.fetch(self._key)  # a process that saw it first may have taken it in
            if library is None:
                raise self._failed(error) from None
            return library
        finally:
            self._clear()

    def _failed(self, error: Exception) -> BuildError:
        self._clear()
        return BuildError(f"{self._compiler.name} at {self._compiler.command[0]} cannot build this: {error}")

    def _clear(self) -> None:
        store.discard(self._place)
        atexit.unregister(self.leave)


def _command(compiler: Compiler) -> tuple[str, ...]:
    command = (*compiler.command, *compiler.flags, "-o", store.BUILT, "table.c")
    return command if os.name == "nt" else ("/bin/sh", "-c", _SHELL, "sh", *command)


def _bench(key: str) -> tuple[str | None, str]:
    """The folder where libraries are kept, if it can be used, and a new one for this build alone."""
    with suppress(store.StoreError, OSError):
        place = store.usable()
        return place, tempfile.mkdtemp(prefix=f"{store.MAKING}{key}-", dir=place)
    try:
        return None, tempfile.mkdtemp(prefix="rulewright-")
    except OSError as error:
        raise BuildError(f"there is no folder to build in: {error}") from None
