"""The command line: checking packs, playing them, running many games.

`cli` reads arguments; a module of its name does the work of each command.
"""

VERSION = "0.1.0"
"""The version of rulewright; a test compares it with that of the package, which is slow to ask for."""
