"""`around` of expressions and functions: `proceed` is what was there before.

Expected values come from the pack `edicts` and arithmetic. A harvest of three players gets 3 + 4. The packs here
make the alms tell what functions give: `due(n)` gives 1 to n where n > 3, else 1 and 2; `tall(n)` gives 7 where
n > 3, else 1.
"""

from __future__ import annotations

from pathlib import Path

from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.lower.lowering import lower
from rulewright.ruleset.pipeline import load_files
from rulewright.ruleset.source.pack_files import PackFiles, read_pack
from tests.house.together import codes, together
from tests.positions import Table

ROOT = Path(__file__).parents[2]
EDICTS = ROOT / "tests" / "packs" / "edicts"
ACT = "turn.act.choice"
FUNCTIONS = """\
function: due
takes: {n: number}
gives: list of number
cases:
  - {when: n > 3, is: 1 to n}
  - {is: 1 to 2}
---
function: tall
takes: {n: number}
gives: number
cases:
  - {when: n > 3, is: 7}
  - {is: 1}
---
"""


def with_edicts(*packs: str) -> Loaded:
    """The pack `edicts` with house rules; each text is a pack `house-N`, which extends the earlier ones."""
    more = []
    for number, text in enumerate(packs):
        names = ", ".join(f'{one}: "*"' for one in ("edicts", *(f"house-{earlier}" for earlier in range(number))))
        head = f"pack: house-{number}\nversion: 1.0.0\nextends: {{{names}}}\n"
        files = (("pack.yaml", head.encode()), ("rules.yaml", text.encode()))
        more.append(PackFiles(ROOT / f"house-{number}", tuple((f"house-{number}/{n}", d) for n, d in files)))
    return load_files(read_pack(EDICTS), more=more)


def alms_of(loaded: Loaded) -> int:
    """The alms after the first harvest; one is added before a turn is counted."""
    assert loaded.program is not None, loaded.findings
    table = Table.start(lower(loaded.program, 3))
    table.answer(0, ACT, "harvest")
    return table.number("alms") - 1


def test_a_function_with_cases_is_wrapped_whole() -> None:
    """`tall(7)` is 7, squared, plus 7."""
    text = FUNCTIONS + "change: verb/harvest\nafter: alms += tall(n)"
    assert alms_of(with_edicts(text)) == 7
    assert alms_of(with_edicts(text, "change: function/tall\naround: proceed * proceed + n")) == 7 * 7 + 7


def test_a_list_is_wrapped() -> None:
    """1 to 7 without the odd ones, then all of these and 9 more."""
    text = FUNCTIONS + "change: verb/harvest\nafter: alms += total it over due(n)"
    assert alms_of(with_edicts(text)) == sum(range(1, 8))
    even = "change: function/due\naround: proceed where it mod 2 is 0"
    assert alms_of(with_edicts(text, even)) == 2 + 4 + 6
    more = "change: function/due\naround: proceed + (9 to 9)"
    assert alms_of(with_edicts(text, even, more)) == 2 + 4 + 6 + 9
    assert alms_of(with_edicts(text, more, even)) == 2 + 4 + 6


def test_modifiers_change_what_is_wrapped() -> None:
    """A modifier of the wrapped function applies last: (7 + 10) * 2."""
    text = FUNCTIONS + (
        "modifier: twice\nchanges: tall\nwhile: n > 3\nis: 2 * result\n---\n"
        "change: verb/harvest\nafter: alms += tall(n)\n---\nchange: function/tall\naround: proceed + 10"
    )
    assert alms_of(with_edicts(text)) == (7 + 10) * 2


def test_the_order_of_packs() -> None:
    """The fine is 1: plus 1 and then doubled, or doubled and then plus 1."""
    text = "change: verb/harvest\nafter: alms += fine(you)\n---\n"
    plus, double = (f"change: function/fine\naround: {it}" for it in ("proceed + 1", "2 * proceed"))
    assert alms_of(with_edicts(text + plus, double)) == (1 + 1) * 2
    assert alms_of(with_edicts(text + double, plus)) == 1 * 2 + 1


def test_proceed_more_than_once_has_variables_of_its_own() -> None:
    """Of the odd numbers from 1 to 7, those for which there is a larger one: 1, 3, and 5."""
    odd = "function: odd\ntakes: {n: number}\ngives: list of number\nis: (1 to n) where it mod 2 is 1\n---\n"
    text = odd + "change: verb/harvest\nafter: alms += total it over odd(n)"
    assert alms_of(with_edicts(text)) == 1 + 3 + 5 + 7
    smaller = "change: function/odd\naround: proceed where (any other in proceed where other > it)"
    assert alms_of(with_edicts(text, smaller)) == 1 + 3 + 5


def test_what_sets_and_what_wraps() -> None:
    """A value that is set is wrapped in either order; one that is set with `was` conflicts."""
    plus = "change: function/price\naround: proceed + 1"
    assert codes(together(fog=plus, rain="change: function/price\nset: {is: 4}")) == []
    assert codes(together(rain=plus, fog="change: function/price\nset: {is: 4}")) == []
    was = "change: function/price\nset: {is: {was: 3, to: 4}}"
    assert codes(together(fog=plus, rain=was)) == ["RW623"]
    assert codes(together(fog=plus, rain="after: [fog]\n...\n" + was)) == []


def test_an_order_that_matters() -> None:
    ways = ("proceed + 1", "2 + proceed", "2 * proceed")
    plus, more, double = (f"change: function/price\naround: {it}" for it in ways)
    assert codes(together(fog=plus, rain=more)) == []
    assert codes(together(fog=plus, rain=double)) == ["RW626"]
    assert codes(together(fog=plus, rain="after: [fog]\n...\n" + double)) == []
    kinds = ("coins > 3", "hand is empty")
    rich, few = (f"change: winner/brightest.among\naround: proceed where it's {it}" for it in kinds)
    assert codes(together(fog=rich, rain=few)) == []
