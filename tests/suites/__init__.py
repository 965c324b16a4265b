"""Suites that any table program can be put through."""
