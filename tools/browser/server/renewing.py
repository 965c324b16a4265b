"""Tables whose packs were saved, and those that step through a scenario."""

from __future__ import annotations

from typing import Any

from rulewright.tools.browser.server import rows as stored
from rulewright.tools.browser.server.rows import StoredRules
from rulewright.tools.browser.server.table import Table
from rulewright.tools.browser.server.tables import Tables
from rulewright.tools.browser.server.workers import WorkerFailure


async def renew(tables: Tables, table: Table, program: str = "") -> None:
    """Go on by the pack as it is now, if it can be played; else keep the rules, and say why.

    `program` is the hash of rules that the owner accepts though not all answers fit them.
    """
    known = [seat for reader in table.readers.values() if reader.owner for seat in reader.seats]
    try:
        found = await tables.ask(table, "renew", known=known, program=program)
    except WorkerFailure as failure:
        found = {"state": "unread", "lines": [str(failure)]}
    if "status" in found:
        writes = _adopted(tables, table, found)
        if writes:
            await tables.store.write(table.number, *writes)
    table.saved = found if found["lines"] else None
    table.changed()
    tables.drive(table)


def _adopted(tables: Tables, table: Table, found: dict[str, Any]) -> list[stored.Write]:
    """Take over the state of a table under new rules; return what has to be stored."""
    table.status, table.trouble = found["status"], ""
    table.folders = tuple(found.pop("folders"))
    tables.opened(table)
    before = table.rules
    table.rules = StoredRules(str(found.pop("program")), found.pop("files"))
    program = [stored.set_program(table.number, table.rules)]
    if found["state"] not in ("fits", "gone-on"):
        return program if table.rules != before else []
    table.epoch, table.vote = int(table.status["epoch"]), None
    del table.lines[int(table.status["answers"]) :]
    return [
        *program,
        stored.cut_answers(table.number, len(table.lines), table.epoch),
        stored.set_place(table.number, str(table.status["where"]), table.over),
    ]


async def next_step(tables: Tables, table: Table) -> None:
    """Give the next answers of the scenario that a table was opened with. Raises WorkerFailure."""
    await tables.taken(table, await tables.ask(table, "next-step"))
