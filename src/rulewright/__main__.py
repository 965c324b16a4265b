"""`python -m rulewright` is the command `rulewright`."""

from rulewright.tools.main import main

main()
