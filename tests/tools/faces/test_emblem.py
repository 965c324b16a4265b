"""Emblems come from the CRC of a key alone."""

from __future__ import annotations

from rulewright.tools.faces import Emblem, emblem_of


def test_the_check_value_of_the_crc() -> None:
    # The CRC-32 of "123456789" is 0xCBF43926 = 3,421,780,262 (the check value of the algorithm). Remainders of its
    # quotients by 6, 6, 6, 6: 2 (shape 3), 4 (shape 5), 1 (five petals); 15,841,575 is odd, so there is a ring.
    assert emblem_of("123456789") == Emblem(over=3, under=5, count=5, ring=True)


def test_equal_shapes_are_avoided() -> None:
    assert all(one.over != one.under for one in map(emblem_of, map(str, range(500))))


def test_petals_stand_in_a_full_circle() -> None:
    four = Emblem(1, 2, 4, False)
    assert four.turns == ("0", "90", "180", "270")
    assert four.turns_under == ("45", "135", "225", "315")


def test_a_name_belongs_to_one_emblem() -> None:
    found = {emblem_of(str(number)) for number in range(2000)}
    assert len({one.name for one in found}) == len(found)
