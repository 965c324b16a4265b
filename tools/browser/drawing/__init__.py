"""From a game to what a seat's page shows: models without markup, filled into the templates of `tools.pages`."""
