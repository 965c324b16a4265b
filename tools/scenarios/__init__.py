"""Run scenarios: set up (`stage`), play (`perform`), and measure `coverage`."""
