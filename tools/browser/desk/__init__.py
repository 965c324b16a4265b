"""The designer's desk in a worker: galleries, moments in which a card is played, and scenarios."""
