"""Reference games: every backend plays them as they were recorded, to the cell and to the letter."""
