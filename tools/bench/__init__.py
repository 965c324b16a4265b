"""Measurements that people run by hand; no command imports them."""
