"""Rattus Cartus by its rules: what the rulebook, its examples and the rulings say must happen."""
