"""Scenarios: the tables they are played at (`stage`), playing them (`perform`), what they reach (`coverage`)."""
