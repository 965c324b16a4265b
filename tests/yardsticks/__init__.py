"""Hand-written plain-Python games the engine is measured and checked against."""
