"""Recall: single mistakes are planted in the shipped packs, and the checker must find them.

`python -m tests.recall` plants mistakes of every class in every pack and prints how many are found, how many
findings each gives, and how often the first finding is on the right line. `test_recall` plants a small sample.
"""
