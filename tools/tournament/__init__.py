"""Tournaments: all bots against all others, in balanced seats, with ratings."""
