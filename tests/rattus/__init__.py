"""Tests of Rattus Cartus against the rulebook, its examples, and the rulings."""
