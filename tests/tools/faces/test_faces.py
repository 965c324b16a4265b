"""The faces of a pack on its cards: corners, symbols, colours, pictures, sizes, and backs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright.ruleset.lower.lowering import lower
from rulewright.ruleset.pipeline import load_files
from rulewright.ruleset.program.nodes import Program
from rulewright.ruleset.program.scenario import COLOURS, SYMBOLS, Picture
from rulewright.ruleset.source.pack_files import PackFiles
from rulewright.ruleset.source.pictures import PictureFile
from rulewright.ruleset.table.canonical import program_hash
from rulewright.tools.common.display_texts import PackTexts, SmallestTable
from rulewright.tools.faces import HUES, BackLook, Corner, Faces, contrast, pack_styles, picture_files
from rulewright.tools.pages.environment import STATIC, environment, picture_address
from tests.picture_samples import png

PACK = """\
pack: sample
players: 2
languages: [en]
enumerations: {colour: [red, green, blue], mood: [glad, sad]}
kinds:
  lantern:
    fields:
      mood: mood
      colours: {type: list of colour, default: []}
      oil: 0 to 9
      wicks: {type: 0 to 9, default: 0}
    expressions: {light: {type: number, default: 0}}
  moth: {}
  shade: {fields: {colour: colour}}
components:
  lanterns: {kind: lantern, starts: row}
  moths: {kind: moth, starts: row}
  shades: {kind: shade, each: {colour: all}, starts: row}
zones: {row: {order: row}}
---
lantern: bell
mood: sad
colours: [green, red]
oil: 3
wicks: 2
light: 0 - 1
---
lantern: lamp
mood: glad
oil: 0
light: count(row)
"""


def program(face: str, *pictures: str) -> Program:
    files = (("pack.yaml", (PACK + "---\n" + face if face else PACK).encode()),)
    loaded = load_files(PackFiles(Path(), files, pictures=tuple(map(PictureFile, pictures))))
    assert loaded.program is not None, loaded.findings
    return loaded.program


def faces(face: str, *pictures: str) -> Faces:
    made = program(face, *pictures)
    return Faces(made, PackTexts(SmallestTable(2), made), "en")


def corners(face: str, definition: str, *pictures: str) -> list[tuple[str, str, str]]:
    found = faces(face, *pictures).of("lantern", definition).corners
    return [(one.place, one.value, one.label) for one in found]


# ------------------------------------------------------------------ play

def test_a_face_does_not_change_the_game() -> None:
    face = "face: lantern\ncorners: {top-left: oil}\ncolours: {lamp: red}\nsize: 70 x 120 mm\nback: a.png\n"
    assert program_hash(lower(program(face, "a.png"), 2)) == program_hash(lower(program(""), 2))


# ------------------------------------------------------------------ corners and symbols

def test_without_a_face_the_first_number_is_in_the_corner() -> None:
    assert corners("", "bell") == [("top-left", "3", "oil")]


def test_corners_in_their_places() -> None:
    face = "face: lantern\ncorners: {bottom-right: mood, top-right: wicks, top-left: light, bottom-left: oil}\n"
    assert corners(face, "bell") == [
        ("top-left", "−1", "light"),
        ("top-right", "2", "wicks"),
        ("bottom-left", "3", "oil"),
        ("bottom-right", "sad", "mood"),
    ]


def test_defaults_and_values_that_depend_on_the_game_are_left_out() -> None:
    """`lamp` has no wicks, and how much light it gives depends on the row; no oil is a value."""
    face = "face: lantern\ncorners: {top-left: oil, top-right: wicks, bottom-left: light}\n"
    assert corners(face, "lamp") == [("top-left", "0", "oil")]


def test_no_corners() -> None:
    assert corners("face: lantern\ncorners: {}\n", "bell") == []


def test_symbols_beside_values() -> None:
    face = (
        "face: lantern\ncorners: {top-left: oil, top-right: wicks, bottom-left: mood}\n"
        "symbols: {oil: drop, wicks: art/wick.svg, mood: {sad: moon}}\n"
    )
    one = faces(face, "art/wick.svg").of("lantern", "bell")
    picture = Picture("sample", "art/wick.svg")
    assert one.corners == (
        Corner("3", "oil", "top-left", SYMBOLS.index("drop")),
        Corner("2", "wicks", "top-right", None, picture),
        Corner("sad", "mood", "bottom-left", SYMBOLS.index("moon"), symbol_only=True),
    )
    assert one.mark == SYMBOLS.index("moon")


def test_a_symbol_for_the_usual_corner() -> None:
    assert faces("face: lantern\nsymbols: {oil: drop}\n").of("lantern", "bell").corners == (
        Corner("3", "oil", "top-left", SYMBOLS.index("drop")),
    )


def test_each_symbol_is_in_the_sprite() -> None:
    sprite = (STATIC / "sprite.svg").read_text("utf-8")
    assert re.findall(r'id="mark-(\d+)"', sprite) == [str(number) for number in range(len(SYMBOLS))]


# ------------------------------------------------------------------ colours

def test_colours_of_members_become_stripes() -> None:
    """The field with colours decides, although the kind has another enumeration before it."""
    found = faces('face: lantern\ncolours: {colours: {green: teal, red: "#aa3300"}}\n')
    bell, lamp = found.of("lantern", "bell"), found.of("lantern", "lamp")
    assert (bell.tone, bell.stripes, bell.mark) == (str(1 + COLOURS.index("teal")), ("p1",), 2)
    assert (lamp.tone, lamp.stripes) == ("1", ())


def test_members_without_a_colour_keep_theirs() -> None:
    found = faces("face: lantern\ncolours: {colours: {green: grey}}\n")
    assert (found.of("lantern", "bell").tone, found.of("lantern", "bell").stripes) == ("0", ("1",))


def test_a_definition_comes_before_its_members_and_its_kind() -> None:
    found = faces("face: lantern\ncolours: {mood: {sad: red}, bell: green}\n")
    assert found.tone_of("lantern", "bell") == "2"
    assert faces("face: lantern\ncolours: blue\n").tone_of("lantern", "bell") == "4"
    assert faces("face: moth\ncolours: grey\n").tone_of("moth", "moth") == "0"


def test_members_have_one_colour_everywhere() -> None:
    """Tables of tracks, and kinds without a face of their own, use the colours of another kind's face."""
    found = faces("face: lantern\ncolours: {colours: {green: pink}}\nsymbols: {colours: {green: leaf}}\n")
    assert found.tone_of_member("colour", "green") == found.tone_of("shade", "green") == "10"
    assert found.mark_of_member("colour", "green") == found.of("shade", "green").mark == SYMBOLS.index("leaf")
    assert (found.tone_of_member("colour", "blue"), found.mark_of_member("colour", "blue")) == ("3", 3)
    assert (found.tone_of_member("mood", "blue"), found.mark_of_member("mood", "blue")) == ("0", 0)


def test_a_kind_may_have_other_colours_for_the_same_members() -> None:
    other = "---\nface: shade\ncolours: {colour: {green: olive}}\n"
    found = faces("face: lantern\ncolours: {colours: {green: pink}}\n" + other)
    assert (found.tone_of("shade", "green"), found.of("lantern", "bell").tone) == ("9", "10")


def test_named_colours_are_tones() -> None:
    assert len(COLOURS) == len(set(COLOURS)) == len(HUES)


# ------------------------------------------------------------------ a pack's own tones

def test_styles_of_a_pack() -> None:
    """Both colours are tones of the pack; each has its rules, light and dark, with enough contrast."""
    face = 'face: lantern\ncolours: {colours: {green: "#00FF00", red: red}, bell: "#ff00ff"}\nback: "#00ff00"\n'
    styles = pack_styles(program(face))
    found = re.findall(r'^ *\[data-pack="sample"\] \[data-tone="(\w+)"\] \{(.*)\}$', styles, re.MULTILINE)
    assert [name for name, _ in found] == ["p1", "p2", "p1", "p2"]
    assert faces(face).tone_of("lantern", "bell") == "p1"
    assert faces(face).looks.back("lantern") == BackLook("p2")
    for _, rules in found:
        colours = dict(re.findall(r"--tone-(\w+): (#[0-9a-f]{6})", rules))
        assert contrast(colours["ink"], colours["wash"]) >= 4.5
        assert contrast(colours["fill"], "#ffffff") >= 4.5


def test_a_pack_with_named_colours_needs_no_styles() -> None:
    assert pack_styles(program("face: lantern\ncolours: green\n")) == pack_styles(program("")) == ""


# ------------------------------------------------------------------ pictures, sizes, and backs

def test_pictures_take_the_place_of_emblems() -> None:
    found = faces("face: lantern\npicture: art/{id} 1.png\n", "art/bell 1.png")
    assert found.of("lantern", "bell").picture == Picture("sample", "art/bell 1.png")
    assert found.of("lantern", "lamp").picture is None
    assert found.of("lantern", "lamp").emblem is not None


def test_addresses_are_quoted() -> None:
    assert picture_address(Picture("game+rules", 'a/"#?.png')) == "/pictures/game%2Brules/a/%22%23%3F.png"


def test_sizes_and_backs() -> None:
    looks = faces("face: lantern\nsize: 63.5 x 88.9 mm\nback: a.png\n---\nface: moth\nback: red\n", "a.png").looks
    assert (looks.size("lantern"), looks.size("moth")) == ((63.5, 88.9), (63.0, 88.0))
    assert looks.back("lantern") == BackLook(picture=Picture("sample", "a.png"))
    assert (looks.back("moth"), looks.back("shade")) == (BackLook("5"), BackLook())


def test_only_pictures_of_faces_are_read(tmp_path: Path) -> None:
    for name in ("bell.png", "lamp.png", "back.png", "oil.png", "other.png"):
        (tmp_path / name).write_bytes(png())
    face = "face: lantern\npicture: '{id}.png'\nback: back.png\nsymbols: {oil: oil.png}\n"
    made = program(face, "bell.png", "lamp.png", "back.png", "oil.png", "other.png")
    files = picture_files(made, (PackFiles(tmp_path, (("pack.yaml", b""),)),), {})
    for name in ("bell.png", "back.png", "oil.png"):
        assert files.read(Picture("sample", name)) == (png(), "image/png")
    assert files.read(Picture("sample", "other.png")) is None
    assert files.read(Picture("elsewhere", "bell.png")) is None
    assert files.read(Picture("sample", "../bell.png")) is None
    (tmp_path / "bell.png").write_bytes(b"<script>")
    (tmp_path / "lamp.png").unlink()
    assert files.read(Picture("sample", "bell.png")) is files.read(Picture("sample", "lamp.png")) is None


# ------------------------------------------------------------------ pages

@pytest.mark.parametrize("definition", ["bell", "lamp"])
def test_cards_show_all_this(definition: str) -> None:
    face = (
        "face: lantern\ncorners: {top-left: oil, bottom-right: mood}\nsymbols: {oil: drop, mood: {sad: moon}}\n"
        "picture: '{id}.png'\n"
    )
    one = faces(face, "bell.png").of("lantern", definition)
    html = environment().from_string('{% import "card.html" as card %}{{ card.inside(face) }}').render(face=one)
    assert ('src="/pictures/sample/bell.png"' in html) == (definition == "bell")
    assert ('class="emblem"' in html) == (definition == "lamp")
    assert re.findall(r'data-corner="([\w-]+)"', html) == ["top-left", "bottom-right"]
    assert f'href="#mark-{SYMBOLS.index("drop")}"' in html
    assert ('<span class="hide">sad</span>' in html) == (definition == "bell")
    assert ("<span>glad</span><span" in html) == (definition == "lamp")
