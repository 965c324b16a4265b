"""Runs table programs: chance, state, backends, and games with views, decisions and journals."""
