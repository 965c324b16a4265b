"""Fuzzing: any files of a pack give findings or a playable game, never a traceback.

`python -m tests.fuzz --minutes 10 --seed 1` runs it; `test_fuzz` runs a few seconds of it in the suite.
"""
