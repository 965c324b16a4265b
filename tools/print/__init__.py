"""Cards, rules, and image grids on paper: models of pages, and the PDF or PNG made of them."""
