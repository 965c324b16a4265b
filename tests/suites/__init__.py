"""Test suites for any table program."""
