"""The browser application: `rulewright serve`."""
