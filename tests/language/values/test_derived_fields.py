"""Fields that are worked out from others, once, before a game begins."""

from __future__ import annotations

import pytest

from rulewright.ruleset.findings.causes import is_error
from rulewright.ruleset.lower.lowering import TableError, lower
from rulewright.ruleset.table.canonical import program_hash
from tests.small_packs import Course, changed, findings, lowered, pack_in, started

PACK = Course("""\
pack: worked-out
players: 2 to 3
enumerations: {colour: [red, green, blue]}
options: {feast: {default: false}, share: {number: 0 to 9, default: 2}}
values: {steps: [1, 3, 6], bonus: {by-players: {2: 10, 3: 20}}}
kinds:
  stage:
    when: not dear or feast
    fields:
      price: {per: colour, type: 0 to 7, default: 0}
      weight: {type: number, default: 1}
      dear: {type: boolean, is: "(total price[it] over colour) > 5"}
      worth:
        type: 0 to 99
        cases: [{when: dear, is: weight * 3 + bonus}, {when: weight > 3, is: "steps[3]"}, {is: 1}]
      main: {type: colour, is: "first of (colour with most price[it])"}
      lighter: {type: list of stage, is: every stage where it's weight < stage's weight}
      nearest: {type: stage, is: last of lighter}
      rivals: {type: number, is: count(every stage where it's main is stage's main) - 1}
      share-of: {type: number, is: weight * 6 div (1 + share)}
    expressions:
      heft: {type: number, default: weight + coins + count(every stage where weight > 1)}
  role:
    cards: false
    fields:
      blocks: {type: list of act, default: []}
  act:
    cards: false
    fields: {blockers: {type: list of role, is: every role where blocks has act}}
    expressions: {cost: {type: number, default: count(blockers) * 10 + coins}}
components: {stages: {kind: stage, copies: 2, starts: shelf}}
zones: {shelf: {order: row}}
tracks:
  sum: number
  rounds: number
  coins: {starts: 3}
---
stage: kiln
price: {red: 2, blue: 5}
weight: 2
---
stage: vase
price: {green: 3}
weight: 4
---
stage: tile
---
stage: oven
price: {green: 1, red: 1}
weight: 3
---
role: guard
blocks: [rob, tax]
---
role: spy
blocks: [rob]
---
act: rob
---
act: tax
---
act: wait
cost: 7
""")


@pytest.mark.parametrize(
    ("effect", "players", "options", "expected"),
    [
        ("sum = vase's worth * 10 + tile's worth", 2, {}, 61),
        ("sum = kiln's worth", 2, {"feast": "true"}, 16),
        ("sum = kiln's worth", 3, {"feast": "true"}, 26),
        ("if kiln's dear: sum += 1", 2, {"feast": "true"}, 1),
        ("sum = count(shelf)", 2, {}, 6),
        ("sum = count(shelf)", 2, {"feast": "true"}, 8),
        ("sum = count(shelf where main is green)", 2, {}, 2),
        ("sum = count(vase's lighter) * 100 + count(oven's lighter) * 10 + count(tile's lighter)", 2, {}, 210),
        ("sum = count(vase's lighter) * 100 + count(oven's lighter) * 10", 2, {"feast": "true"}, 320),
        ("if vase's nearest is oven and tile's nearest is none: sum = 1", 2, {}, 1),
        ("sum = total rivals over every stage", 2, {}, 2),
        ("sum = vase's share-of", 2, {}, 8),
        ("sum = vase's share-of", 2, {"share": "0"}, 24),
        ("sum = count(rob's blockers) * 10 + count(tax's blockers) + count(wait's blockers)", 2, {}, 21),
        ("if rob's blockers is guard + spy and tax's blockers has no spy: sum = 1", 2, {}, 1),
        ("sum = rob's cost + tax's cost + wait's cost", 2, {}, 23 + 13 + 7),
        ("coins += 2\nsum = rob's cost", 2, {}, 25),
        ("sum = vase's heft * 100 + tile's heft", 2, {}, (4 + 3 + 2) * 100 + 1 + 3 + 2),
    ],
)
def test_values(effect: str, players: int, options: dict[str, str], expected: int) -> None:
    assert started(PACK.text(effect), players, **options).number("sum") == expected


def test_a_derived_field_costs_what_a_written_one_costs() -> None:
    read = PACK.text("sum = total weight over shelf")
    written_one = "weight: {type: number, default: 1}"
    worked_out = "weight: {type: number, is: base + 1}\n      base: {type: number, default: 0}"
    derived = changed(read, written_one, worked_out)
    for weight in (2, 3, 4):
        derived = changed(derived, f"\nweight: {weight}\n", f"\nbase: {weight - 1}\n")
    hashes = {program_hash(lowered(text)) for text in (read, derived)}
    assert len(hashes) == 1


@pytest.mark.parametrize(
    ("field", "of_vase", "of_kiln"),
    [
        ("{type: number, is: 6 div (share - 2)}", "it divides by 0", "it divides by 0"),
        (
            "{type: 0 to 9, is: weight + share * 9}",
            "it would be 22; expected 0 to 9",
            "it would be 20; expected 0 to 9",
        ),
        (
            "{type: number, is: share * 1000000000 * 1000}",
            "a number in it is too large: 2000000000000",
            "a number in it is too large: 2000000000000",
        ),
    ],
)
def test_a_table_without_a_value(field: str, of_vase: str, of_kiln: str) -> None:
    """It is a finding if the defaults of the options give no value; other options give no table."""
    text = changed(PACK.text(), "{type: number, is: weight * 6 div (1 + share)}", field)
    (found,) = [one for one in findings(text) if is_error(one)]
    assert (found.code, found.message) == ("RW338", f"the field `share-of` of `vase` has no value: {of_vase}")
    program = pack_in(changed(text, "0 to 9, default: 2}", "0 to 9, default: 0}"))
    with pytest.raises(TableError, match=f"the field `share-of` of `kiln` has no value: {of_kiln}"):
        lower(program, 2, {"feast": "true", "share": "2"})


def test_derived_fields_in_when_may_not_ask_every_definition() -> None:
    found = findings(changed(PACK.text(), "when: not dear or feast", "when: rivals > 0 or feast"))
    assert [(one.code, one.message) for one in found] == [
        ("RW324", "`rivals` depends on which definitions are in the game")
    ]


MANY = 700
MANY_VALUES = Course(
    "pack: crowded\nplayers: 2\n"
    "kinds: {fish: {expressions: {weight: {type: number, default: 0}, twice: {type: number, default: 0}}}}\n"
    "components: {fish: {kind: fish, copies: 1, starts: sea}}\nzones: {sea: {order: row}}\n"
    "tracks: {sum: number, double: number, rounds: number, depth: {starts: 5}}\n"
    + "".join(
        f"---\nfish: fish-{n}\n" + (f"weight: depth + {n}\ntwice: weight * 2\n" if n % 3 else f"weight: {n}\n")
        for n in range(MANY)
    )
)  # fmt: skip


@pytest.mark.parametrize("read", ["it's", "it's definition's"])
def test_as_many_definitions_as_one_likes_have_expressions(read: str) -> None:
    """Which one is read is known only during play: of a card, or of a definition."""
    does = f"sum = total {read} weight over sea\ndouble = total {read} twice over sea"
    table = MANY_VALUES.started(does)
    weights = [n + 5 * (n % 3 > 0) for n in range(MANY)]
    assert table.number("sum") == sum(weights)
    assert table.number("double") == sum(2 * weight for n, weight in enumerate(weights) if n % 3)
