"""Templates and style sheets, shared by the browser application and by print."""
