"""Write the files that are generated, or check that they are up to date.

    python -m rulewright.tools.generate [--check] [NAME …]

Without a name, all are meant. `screenshots` needs a browser, and is a command of its own.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from lark.grammar import Rule
from lark.lexer import TerminalDef

from rulewright.ruleset.language.parser import TABLES, digest, made
from rulewright.tools.faces import HUES, rules
from rulewright.tools.generate import readme_picture, references, sentence_life

STYLES = Path(__file__).parents[1] / "pages" / "static" / "tones.css"


def styles() -> str:
    """Return the style sheet of tones: the neutral tone and those with a hue, light and dark."""
    hues: dict[str, float | None] = {"0": None, **{str(n): hue for n, hue in enumerate(HUES, 1)}}
    lines = [
        "/* By `python -m rulewright.tools.generate tones`: change the hues in tools/faces.py. */",
        *rules(hues),
        "@media screen and (prefers-color-scheme: dark) {",
        *rules(hues, dark=True, indent="  "),
        "}",
    ]
    return "\n".join(lines) + "\n"


def grammar_tables() -> str:
    """Return the tables of the parser of effects, so that no start has to make them.

    Lark numbers states and tokens in the order of sets, which is another in each run. Here states are numbered as
    they are reached from the starts, and tokens by their names: the same bytes each time.
    """
    data, memo = made().memo_serialize([TerminalDef, Rule])
    data["options"]["postlex"] = None  # given again where they are loaded
    data["parser"]["parser"] = _in_order(data["parser"]["parser"])
    return json.dumps({"digest": digest(), "data": data, "memo": memo}, separators=(",", ":")) + "\n"


def _in_order(table: dict[str, Any]) -> dict[str, Any]:
    """Return a table of shifts (0, to a state) and reductions (1, by a rule) with its numbers in order."""
    names, starts = sorted(table["tokens"].values()), dict(sorted(table["start_states"].items()))
    reached, states = list(starts.values()), {}
    for state in reached:
        actions = {table["tokens"][token]: action for token, action in table["states"][state].items()}
        states[state] = dict(sorted(actions.items()))
        for kind, to in states[state].values():
            if kind == 0 and to not in reached:
                reached.append(to)
    place = {state: number for number, state in enumerate(reached)}
    token = {name: number for number, name in enumerate(names)}
    return {
        "tokens": dict(enumerate(names)),
        "states": {
            place[state]: {token[name]: (kind, to if kind else place[to]) for name, (kind, to) in actions.items()}
            for state, actions in states.items()
        },
        "start_states": {start: place[state] for start, state in starts.items()},
        "end_states": {start: place[table["end_states"][start]] for start in starts},
    }


GENERATORS: Mapping[str, Mapping[Path, Callable[[], str]]] = {
    "language": references.LANGUAGE,
    "commands": references.CLI,
    "life": {sentence_life.PAGE: sentence_life.generated},
    "tones": {STYLES: styles},
    "grammar": {TABLES: grammar_tables},
    "picture": {readme_picture.PICTURE: readme_picture.generated},
}
"""The files of each name, and what generates them. They change with the vocabulary, schemas, and findings; with
commands; with a stage between YAML and C; with hues; with `effect.lark` and the version of Lark; with what commands
print.
"""


def main(arguments: Sequence[str]) -> int:
    """Write files; with `--check`, only report those that are out of date, and return 1 if there are any."""
    first_line = (__doc__ or "").partition("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m rulewright.tools.generate", description=first_line)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"all by default: {', '.join(GENERATORS)}")
    parser.add_argument("--check", action="store_true", help="only report files that are out of date")
    given = parser.parse_args(arguments)
    unknown = [name for name in given.names if name not in GENERATORS]
    if unknown:
        parser.error(f"unknown name {unknown[0]!r}; expected one of {', '.join(GENERATORS)}")
    stale = 0
    for name in given.names or GENERATORS:
        for path, generate in GENERATORS[name].items():
            made = generate()
            if not given.check:
                path.write_text(made, "utf-8", newline="\n")
            elif not path.exists() or path.read_text("utf-8") != made:
                print(f"{path.name} is out of date; run `{parser.prog} {name}`", file=sys.stderr)
                stale = 1
    return stale


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
