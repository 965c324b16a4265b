"""The formats of reports. The command line lists them without importing their writers."""

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
"""From a format to `MODULE:FUNCTION` within `findings.render`. The function maps a report and a style to text."""
