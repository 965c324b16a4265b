"""Report that explicitly requested native code cannot be built."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rulewright.interpreter.backends.native.library import BuildError
from rulewright.interpreter.backends.native.module import NoNativeError
from rulewright.tools.common.errors import Usage


@contextmanager
def asked_for(advice: str = "") -> Iterator[None]:
    """Raise Usage if native code cannot be built, with advice after the reason."""
    end = f"; {advice}" if advice else ""
    try:
        yield
    except NoNativeError as error:
        raise Usage(f"native code is not available: {error}{end}") from None
    except BuildError as error:
        raise Usage(f"native code cannot be built: {error}{end}") from None
