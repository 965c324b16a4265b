"""What differs between two sets of rules, as a person would say it: the parts of `rulewright diff`."""
