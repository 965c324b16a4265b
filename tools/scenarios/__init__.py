"""Scenarios: set up their tables (`stage`), play them (`perform`), and measure what they reach (`coverage`)."""
