"""Logarithms and powers of 2 in 65536ths, by whole numbers: the same on every machine."""

from __future__ import annotations


def logarithm(number: int) -> int:
    """Return the logarithm of a number from 1 on to the base 2, linear between powers of 2."""
    power = number.bit_length() - 1
    return (power << 16) + (number << 16 >> power) - 65536


def power(exponent: int, most: int) -> int:
    """Return 2 to the power of an exponent of at most 0, as a part of `most`, linear between powers of 2."""
    halvings, rest = divmod(-exponent, 65536)
    return most * (2 * 65536 - rest) >> 17 + halvings
