"""Guests and spectators read nothing of the folders of the host, on any page."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from rulewright.ruleset.table.origin import unpacked
from rulewright.tools.browser.server.tables import ServerTable
from rulewright.tools.browser.server.workers import WorkerFailure
from tests.browser.served import Served, serving

PACK = """\
pack: lamps
players: 2
languages: [en]
kinds: {lamp: {fields: {price: 0 to 9}}}
components: {lamps: {kind: lamp, copies: 3, starts: box, home: box}}
zones:
  box: {order: row}
  hand: {scope: player, order: bag, seen-by: owner}
tracks: {rounds: number, coins: {scope: player}}
---
lamp: red-lamp
price: 3
---
round: turn
turns-from: first of players
until: rounds > 3
steps:
  - id: act
    options:
      take: move first of box to hand
      buy: {each: {one: lamps in box where price < coins}, do: move one to hand}
      break: coins += (first of hand)'s price div (rounds - rounds)
      wait: rounds += 1
---
finish: end
---
winner: one
among: players
"""
SECRET = "folder-of-the-host"
LOOK = "/look?face=lamp/red-lamp"
FROM_GAME = ("", "/fragment", "/state.json", "/why", LOOK, "/styles.css", "/links", "/journal")
AT_THE_END = (*FROM_GAME, "/result", "/replay", "/replay/step?at=1", f"/replay{LOOK}")


def guests_of(table: ServerTable) -> list[str]:
    """The links of player 2 and of spectators; player 1 has opened the table."""
    return [one.token for one in table.readers.values() if not one.owner]


async def _read(served: Served, table: ServerTable, paths: tuple[str, ...]) -> None:
    """All that guests can ask for."""
    assert len(guests_of(table)) == 2
    for token in guests_of(table):
        for path in paths:
            reply = await served.client.get(f"/t/{token}{path}", follow_redirects=True)
            assert SECRET not in reply.text, f"{path}: {reply.text[max(0, reply.text.index(SECRET) - 200):][:300]}"


async def _turn(served: Served, table: ServerTable, key: str) -> str:
    """The player who is asked answers; returns the reply."""
    for one in table.readers.values():
        decision = (await served.state(one.token))["decision"] if one.seats else None
        if decision:
            form = {"stamp": decision["stamp"], "keys": [key]}
            return (await served.client.post(f"/t/{one.token}/answer", data=form)).text
    raise AssertionError("nobody is asked")


async def _whole_game(served: Served, pack: Path) -> None:
    table = await served.open(str(pack), [("human", "Ann"), ("human", "Ben")], (1,))
    await _read(served, table, FROM_GAME)
    await _turn(served, table, "take")
    broken = await _turn(served, table, "break")
    assert "rule error" in broken and "lamps/pack.yaml:" in broken, "the rule is named, without the host's folders"
    assert SECRET not in broken
    await _read(served, table, FROM_GAME)
    for _ in range(4):
        await _turn(served, table, "wait")
    assert table.over
    await _read(served, table, AT_THE_END)
    journal = await served.client.get(f"/t/{guests_of(table)[0]}/journal")
    origin, _ = unpacked(json.loads(journal.text.split("\n")[1]))
    assert SECRET not in str(origin) and "lamps/pack.yaml" in str(origin)
    look = await served.client.get(f"/t/{guests_of(table)[0]}{LOOK}")
    assert "lamps/pack.yaml:" in look.text


def test_no_reply_to_a_guest_names_a_folder_of_the_host(tmp_path: Path) -> None:
    pack = tmp_path / SECRET / "of mine"
    pack.mkdir(parents=True)
    (pack / "pack.yaml").write_text(PACK, encoding="utf-8")

    async def whole() -> None:
        async with serving(tmp_path / SECRET / "tables.sqlite", [pack]) as served:
            await _whole_game(served, pack)

    asyncio.run(whole())


def test_a_failure_names_packs_without_their_folders() -> None:
    said = WorkerFailure("/home/me/games/lamps: gone; /home/me/games/lamps-more: broken", "refused")
    named = said.naming(("/home/me/games/lamps", "/home/me/games/lamps-more"))
    assert (str(named), named.code) == ("lamps: gone; lamps-more: broken", "refused")
