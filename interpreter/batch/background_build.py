"""Libraries that are built while something else does their work (see `upgrade.AsyncBuilder`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Generic, TypeVar

from interpreter.backends.native.backend import NoNativeError, compiler
from interpreter.backends.native.compiler.library import BuildError, Making, Watching, begin, key_of, loaded
from interpreter.backends.native.module import Source
from interpreter.batch.upgrade import NotBuiltError

T = TypeVar("T")


class LibraryBuilder(Generic[T]):
    """Makes the library of a text and, from it and the codes of rule errors, what uses it."""

    def __init__(self, generate: Callable[[], Source], use: Callable[[Any, Sequence[str]], T]) -> None:
        self._generate = generate
        self._use = use
        self._making: Making | Watching | None = None

    def ready(self) -> T | None:
        """See `AsyncBuilder.ready`."""
        try:
            library = loaded(self._key) if self._making is None else self._making.library()
        except (BuildError, NoNativeError) as error:
            raise NotBuiltError(str(error)) from error
        return None if library is None else self._use(library, self._source.codes)

    def begin(self) -> None:
        """See `AsyncBuilder.begin`."""
        try:
            self._making = begin(self._source.text, compiler())
        except (BuildError, NoNativeError) as error:
            raise NotBuiltError(str(error)) from error

    def leave(self) -> None:
        """See `AsyncBuilder.leave`."""
        if self._making is not None:
            self._making.leave()
            self._making = None

    @cached_property
    def _source(self) -> Source:
        return self._generate()

    @cached_property
    def _key(self) -> str:
        return key_of(self._source.text, compiler())
