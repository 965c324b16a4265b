"""The command line: checking and playing packs, and running many games.

`cli` reads arguments; each command has a module in `commands`.
"""

VERSION = "0.1.0"
"""The version of rulewright; a test compares it with the package's version, which is slow to query."""
