"""Benchmarks that are run by hand; no command imports them."""
