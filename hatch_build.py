"""An editable installation links the folders of the package into `src/rulewright`.

Python finds them without (`src/rulewright/__init__.py`). Type checkers do not run that file, and follow links.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FOLDERS = ("ruleset", "interpreter", "tools", "content", "schemas")


class LinkFolders(BuildHookInterface):  # type: ignore[type-arg]  # the type of its configuration, which it has none of
    """Runs before each build; only an editable one needs links."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "editable" or self.target_name != "wheel":
            return
        root = Path(self.root)
        for name in FOLDERS:
            link = root / "src" / "rulewright" / name
            if link.exists() or link.is_symlink():
                continue
            if sys.platform == "win32":
                import _winapi

                _winapi.CreateJunction(str(root / name), str(link))  # needs no rights, unlike a symbolic link
            else:
                link.symlink_to(Path("..", "..", name), target_is_directory=True)
