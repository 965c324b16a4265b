"""The web server: addresses, tables with their readers, the store, and the workers in which games run."""
