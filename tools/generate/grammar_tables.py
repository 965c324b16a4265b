"""Write the tables of the parser of effects, so that no start has to make them.

Run `python -m rulewright.tools.generate.grammar_tables` after a change of `effect.lark`, and with another version
of Lark. It writes `ruleset/language/effect.json`.
"""

from rulewright.ruleset.language.parser import TABLES, made, tables

if __name__ == "__main__":
    TABLES.write_text(tables(made()), encoding="utf-8")
