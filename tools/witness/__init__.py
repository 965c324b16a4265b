"""Witnesses: positions in which it matters which of two packs comes first.

Two packs that do not know each other are combined both ways (`orders`), random games are played both ways at once
until they differ (`search`), and the difference is told in the words of scenarios (`facts`, `tell`). `keep` writes
it as scenarios, one for each order.
"""
