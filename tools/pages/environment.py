"""The environment of all HTML templates. Texts are escaped everywhere; a missing value is an error."""

from __future__ import annotations

from contextvars import ContextVar
from functools import cache
from pathlib import Path
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from rulewright.ruleset.program.scenario import Picture

FOLDER = Path(__file__).parent
STATIC = FOLDER / "static"


@cache
def environment() -> Environment:
    """Return the environment; it is made once for each process."""
    made = Environment(
        loader=FileSystemLoader(FOLDER / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
        auto_reload=False,
    )
    made.globals["sprite"] = sprite()
    made.filters["upper_first"] = lambda text: text[:1].upper() + text[1:]
    made.filters["lower_first"] = lambda text: text[:1].lower() + text[1:]
    made.filters["yours"] = yours
    made.globals["picture_address"] = picture_address
    return made


def yours(label: str, one: str, several: str) -> str:
    """Name something of the reader's, by the words for one thing and for several: Spanish tells them apart."""
    words = several if label.partition(" ")[0].endswith("s") else one
    return words.format(what=label[:1].lower() + label[1:])


_AT: ContextVar[str] = ContextVar("the address of the page that is being filled in", default="")


def picture_address(picture: Picture) -> str:
    """Return the address of a picture, below that of the page: `tools.faces` reads what it names."""
    return f"{_AT.get()}/pictures/{quote(picture.pack)}/{quote(picture.path)}"


@cache
def sprite() -> Markup:
    """Return the marks, petals, and icons as SVG, for the beginning of a page. It is our own file."""
    return Markup((STATIC / "sprite.svg").read_text("utf-8"))


def page(template: str, **values: object) -> str:
    """Fill in a template. `at` is the address of the page, if it is that of a table."""
    before = _AT.set(str(values.get("at", "")))
    try:
        return environment().get_template(template).render(**values)
    finally:
        _AT.reset(before)


def block(template: str, name: str, **values: object) -> str:
    """Fill in one block of a template, so that other pages can show it."""
    found = environment().get_template(template)
    return "".join(found.blocks[name](found.new_context(values)))
