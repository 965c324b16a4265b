"""Witnesses: positions in which the order of two packs matters.

Two packs that do not know each other are combined in both orders (`orders`), random games are played in both at
once until they differ (`search`), and the difference is described in the words of scenarios (`facts`, `tell`).
`keep` writes it as scenarios, one per order.
"""
