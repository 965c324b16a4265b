"""What is printed: a compiled pack at a table, in one language, with its names for players."""

from __future__ import annotations

from attrs import frozen

from rulewright.ruleset.program.nodes import Program
from rulewright.ruleset.table.nodes import TableProgram
from rulewright.tools.common.display_texts import PackTexts
from rulewright.tools.faces.looks import Looks, picture_files
from rulewright.tools.packs.loading import Compiled
from rulewright.tools.print.typesetter import PagePictures

LONGEST_NAME = 80
"""Limit of characters of a game's name at the edge of a sheet."""


@frozen
class About:
    """What is printed. `game` is its name without house rules, `whole` with them; `text` says what it is about."""

    compiled: Compiled
    table: TableProgram
    texts: PackTexts
    language: str
    key: str
    game: str
    whole: str
    version: str
    text: str
    looks: Looks
    pictures: PagePictures

    @property
    def program(self) -> Program:
        return self.compiled.program


def about(compiled: Compiled, table: TableProgram, language: str) -> About:
    """Collect what is printed."""
    program = compiled.program
    texts = PackTexts(table, program)
    key = program.pack.partition("+")[0]
    readable = key[:1].upper() + key[1:].replace("-", " ")
    game = texts.text(language, f"pack/{key}") or readable
    whole = texts.text(language, f"pack/{program.pack}") or game
    text = texts.text(language, f"pack/{program.pack}.text") or ""
    pictures = PagePictures(picture_files(program, compiled.packs.files, compiled.owners))
    return About(
        compiled, table, texts, language, key, game[:LONGEST_NAME], whole, program.version, text,
        Looks(program), pictures,
    )  # fmt: skip
