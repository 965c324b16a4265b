"""Games in worker processes: rules run here within their limits, and pages are drawn here."""
