"""Compare two sets of rules and describe the differences in sentences: the parts of `rulewright diff`."""
