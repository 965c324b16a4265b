"""Fuzzing: whatever is in the files of a pack, checking ends with findings and playing with a result.

`python -m tests.fuzz --minutes 10 --seed 1` runs it; `test_fuzz` runs a few seconds of it in the suite.
"""
