"""The formats of reports. The command line lists them without importing what writes them."""

from __future__ import annotations

from collections.abc import Mapping

FORMATS: Mapping[str, str] = {
    "full": "full:full",
    "concise": "one_line:concise",
    "json": "json_format:as_json",
    "github": "one_line:github",
    "junit": "junit:junit",
    "sarif": "sarif:sarif",
}
"""Of each format the module of `findings.render` and the function there: report and style → text."""
