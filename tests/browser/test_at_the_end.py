"""The page of a finished game: what is turned up, what the players have, and another game like it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

import pytest
from attrs import fields, has
from starlette.datastructures import QueryParams

from rulewright.tools.browser.drawing.eyes import SPECTATOR, WITNESS
from rulewright.tools.browser.drawing.model import ResultDrawing, ZoneDrawing
from rulewright.tools.browser.host import requests
from rulewright.tools.browser.host.lobby import LINK
from rulewright.tools.browser.host.pages import PageFields
from rulewright.tools.browser.host.spec import SeatSpec, TableSpec
from rulewright.tools.browser.host.table import HostedTable
from rulewright.tools.browser.server.lobby_pages import again_link
from tests.browser.ponds import serving
from tests.browser.tables import folder_of, played, seated, shelf

HIDDEN = """\
pack: hidden
players: 2
languages: [en, es]
name: {en: Hidden, es: Escondido}
---
kinds: {gem: {fields: {worth: number}}}
---
components: {gems: {kind: gem, starts: bag}}
---
zones:
  bag: {order: pile, seen-by: nobody}
  shelf: {order: row, seen-by: nobody}
  chest: {scope: player, order: bag, seen-by: nobody}
  purse: {scope: player, order: bag, seen-by: owner}
---
gem: opal
name: {en: Opal, es: Ópalo}
worth: 3
---
gem: ruby
name: {en: Ruby, es: Rubí}
worth: 2
---
gem: pearl
name: {en: Pearl, es: Perla}
worth: 1
---
setup: start
steps:
  - id: lay
    do: |
      each p in players where p is first of players: move bottom of bag to p's purse
      move top 2 of bag to shelf
---
round: turn
turns-from: first of players
until: count(shelf) is 2
steps:
  - id: act
    options:
      go-on: do nothing
      wait: do nothing
---
finish: end
steps:
  - {id: show, do: reveal shelf}
"""


def finished(pack: str, seed: int, players: int = 3) -> HostedTable:
    """A table after a game of random answers."""
    table = seated(pack, players, seed=seed)
    for _ in played(table, 600, Random(seed)):
        pass
    assert table.course.game.result is not None
    return table


def result(table: HostedTable, seat: int) -> ResultDrawing:
    found = table.draw(seat).result
    assert found is not None
    return found


def drawn_zones(part: object) -> Iterator[ZoneDrawing]:
    """All zones in a part of a drawing, except what the result repeats."""
    if isinstance(part, ZoneDrawing):
        yield part
    elif isinstance(part, tuple):
        for one in part:
            yield from drawn_zones(one)
    elif has(type(part)) and not isinstance(part, ResultDrawing):
        for attribute in fields(type(part)):
            yield from drawn_zones(getattr(part, attribute.name))


def names(zone: ZoneDrawing) -> Counter[str]:
    """How many cards with each name are drawn in a zone."""
    found = Counter({slip.face.name: slip.count for slip in zone.slips})
    for card in zone.cards:
        assert card.face is not None
        found[card.face.name] += max(1, card.count)
    return found


def lying(table: HostedTable, zone: str) -> Counter[str]:
    """The names of the cards in a zone, as somebody sees who sees everything."""
    eyes = table.reader(WITNESS).eyes
    cards = next(one for one in eyes.view().zones if one.key == zone).cards
    known = {card.key: card for card in eyes.program.cards}
    return Counter(eyes.faces.of_card(known[key].kind, known[key].definition, key).name for key in cards if key)


@pytest.mark.parametrize("seat", (0, 2, SPECTATOR))
def test_a_row_that_is_turned_up_at_the_end_is_shown_to_all(seat: int) -> None:
    """By the rules the plague reveals the five cards of the row, and scoring reveals hands and tokens."""
    for seed in (1, 2):
        table = finished("rattus-cartus", seed)
        shown = result(table, seat)
        (row,) = shown.turned_up
        assert names(row).total() == 5
        assert names(row) == lying(table, row.key)
        (on_board,) = [one for one in drawn_zones(table.draw(seat)) if one.key == row.key]
        assert names(on_board) == names(row)
        assert not on_board.covered
        for one in shown.holdings:
            drawn = {zone.key: names(zone) for zone in one.zones}
            for zone in (f"hand/{one.seat + 1}", f"tokens/{one.seat + 1}"):
                assert drawn.get(zone, Counter()) == lying(table, zone)


def test_what_stays_hidden_at_the_end_is_not_shown(tmp_path: Path) -> None:
    """Only the shelf is revealed: the purse is seen by its owner alone."""
    (tmp_path / "pack.yaml").write_text(HIDDEN, encoding="utf-8")
    spec = TableSpec(str(tmp_path), (), (), (SeatSpec("human"), SeatSpec("human")))
    table = HostedTable(spec, shelf().rules(spec))
    for _ in played(table, 20, Random(1)):
        pass
    for seat in (0, 1, SPECTATOR):
        shown = result(table, seat)
        (row,) = shown.turned_up
        assert names(row) == lying(table, "shelf")
        assert names(row).total() == 2
        purses = [names(zone) for one in shown.holdings for zone in one.zones]
        assert purses == ([lying(table, "purse/1")] if seat == 0 else [])


def test_the_story_leaves_points_and_winner_to_the_table() -> None:
    shown = result(finished("rattus-cartus", 1), 0)
    assert 1 <= len(shown.story) <= 6
    assert not [line for line in shown.story if line.startswith(shown.awards)]
    assert not [line for line in shown.story if "wins" in line]


def test_play_again_fills_in_the_form() -> None:
    seats = (SeatSpec("human", "Ann & Ben"), SeatSpec("human"), SeatSpec("random"))
    spec = TableSpec("a game", ("more/one", "two"), ("size=3", "mode=a=b"), seats, 7, "es", True, 4)
    query = QueryParams(urlsplit(again_link(spec, {1})).query)
    found = PageFields(query.multi_items()).table_form
    assert found["pack"] == "a game"
    assert found["more"] == ["more/one", "two"]
    assert found["options"] == {"size": "3", "mode": "a=b"}
    assert found["seats"] == [("human", "Ann & Ben"), (LINK, ""), ("random", "")]
    assert (found["scenario"], found["series"], found["seed"]) == ("4", True, "")
    assert query["lang"] == "es"


def test_only_who_opened_the_table_is_offered_another_game() -> None:
    table = finished("tutorial", 1, 2)
    own = requests.result(table, 0, requests.PageSetting("/t/x", again="/?pack=one&more=two"))
    assert 'href="/?pack=one&amp;more=two"' in own
    assert 'href="/?' not in requests.result(table, 1, requests.PageSetting("/t/x"))


@pytest.mark.slow
def test_the_lobby_takes_what_the_address_says() -> None:
    """The form has the seats, the names, and the house rule of the address."""
    seats = (SeatSpec("human", "Ann"), SeatSpec("human"), SeatSpec("random"))
    rules = folder_of("eight-coins")
    spec = TableSpec(folder_of("coup"), (rules,), (), seats)
    with serving() as client:
        text = client.get(again_link(spec, {1})).text
    assert text.count('<li class="seat">') == 3
    assert 'value="Ann"' in text
    for kind in ("human", LINK, "random"):
        assert f'<option value="{kind}" selected>' in text
    assert f'name="more" value="{rules}" checked' in text
