"""From a game to what a reader sees: models without markup, for the templates of `tools.pages`."""
