"""The standings of a tournament as data, text, and Markdown."""
