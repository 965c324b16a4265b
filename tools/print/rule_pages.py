"""The page of a rule book, as HTML for print."""

from __future__ import annotations

from markupsafe import Markup

from rulewright.tools.pages.environment import page
from rulewright.tools.print.about import About
from rulewright.tools.print.card_pages import shapes
from rulewright.tools.print.measures import Size
from rulewright.tools.print.rule_book import RuleBook
from rulewright.tools.print.styles import own_tones, static
from rulewright.tools.print.words import word


def book_page(about: About, book: RuleBook, paper: Size) -> str:
    """Return the page of a book."""
    size = Markup("@page {{ size: {:g}mm {:g}mm; }}").format(paper.width, paper.height)
    return page(
        "rule_book.html",
        language=about.language,
        title=word(about.language, "rules", game=about.game),
        styles=(static("fonts.css"), static("tones.css"), own_tones(about.looks), static("rule_book.css"), size),
        book=book,
        words={"rules": word(about.language, "rules-of"), "contents": word(about.language, "contents")},
        **shapes(about),
    )
