"""A rules-as-data engine for tabletop card games: a game is a pack of YAML that is checked, compiled and played.

`rulewright.ruleset` checks and compiles packs, `rulewright.interpreter` plays them, `rulewright.tools` is the
command line. A wheel has them as folders of this package, a clone has them at its root, beside `src`.
"""

from pathlib import Path

_root = Path(__file__).resolve().parents[2]
if Path(_root, "ruleset", "pipeline.py").is_file():
    # First: `src/rulewright` may hold links to the same folders, for type checkers, which know of no other place.
    __path__.insert(0, str(_root))
