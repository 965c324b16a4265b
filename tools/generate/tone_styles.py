"""Write `tools/pages/static/tones.css`: `python -m rulewright.tools.generate.tone_styles`."""

from __future__ import annotations

from pathlib import Path

from rulewright.tools.faces import HUES, rules

STYLES = Path(__file__).parents[1] / "pages" / "static" / "tones.css"


def styles() -> str:
    """Return the style sheet: the neutral tone and those with a hue, light and dark."""
    hues: dict[str, float | None] = {"0": None, **{str(n): hue for n, hue in enumerate(HUES, 1)}}
    lines = [
        "/* By `python -m rulewright.tools.generate.tone_styles`: change the hues in tools/faces.py. */",
        *rules(hues),
        "@media screen and (prefers-color-scheme: dark) {",
        *rules(hues, dark=True, indent="  "),
        "}",
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the file."""
    STYLES.write_text(styles(), "utf-8", newline="\n")


if __name__ == "__main__":
    main()
