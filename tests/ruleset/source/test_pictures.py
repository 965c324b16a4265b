"""Picture files of a pack: what can be used, and what is wrong with the others."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rulewright.ruleset.findings.render import render
from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.pipeline import load
from rulewright.ruleset.program.scenario import Picture
from rulewright.ruleset.source.pack_files import read_pack
from rulewright.ruleset.source.pictures import (
    MAX_ALL_BYTES,
    MAX_BYTES,
    MAX_DEPTH,
    MAX_ELEMENTS,
    MAX_SIDE,
    PictureFile,
    Unfit,
    checked,
    drawing_steps,
    picture_bytes,
    steps_of,
    unsafe,
)
from tests.picture_samples import jpeg, png, svg

PACK = """\
pack: sample
players: 2
kinds: {lantern: {fields: {oil: 0 to 9}}}
components: {lanterns: {kind: lantern, starts: row}}
zones: {row: {order: row}}
---
lantern: bell
oil: 3
---
lantern: lamp
oil: 4
---
face: lantern
"""


def pack(folder: Path, face: str, pictures: dict[str, bytes]) -> Loaded:
    """A pack with a face and these files."""
    (folder / "pack.yaml").write_text(PACK + face, "utf-8")
    for name, data in pictures.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return load(folder)


def pictures_of(loaded: Loaded) -> dict[str, Picture]:
    codes = {one.code for one in loaded.findings} - {"RW399"}  # a warning: definitions without a file
    assert not codes, render(loaded.findings, loaded.sources)
    assert loaded.program is not None
    return dict(loaded.program.faces[0].pictures)


# ------------------------------------------------------------------ what faces find

def test_a_pattern_gives_pictures_to_those_that_have_one(tmp_path: Path) -> None:
    loaded = pack(tmp_path, "picture: art/{id}.png\n", {"art/lamp.png": png(), "art/other.png": b"not a picture"})
    assert pictures_of(loaded) == {"lamp": Picture("sample", "art/lamp.png")}


def test_a_pattern_may_use_a_field(tmp_path: Path) -> None:
    loaded = pack(tmp_path, "picture: art/{oil}.svg\n", {"art/3.svg": svg(), "art/04.svg": svg()})
    assert pictures_of(loaded) == {"bell": Picture("sample", "art/3.svg")}


def test_one_file_is_for_all_definitions(tmp_path: Path) -> None:
    one = Picture("sample", "a.jpeg")
    assert pictures_of(pack(tmp_path, "picture: a.jpeg\n", {"a.jpeg": jpeg()})) == {"bell": one, "lamp": one}


def test_files_of_single_definitions(tmp_path: Path) -> None:
    loaded = pack(tmp_path, "picture: {lamp: a.png}\nback: b.svg\n", {"a.png": png(), "b.svg": svg()})
    assert pictures_of(loaded) == {"lamp": Picture("sample", "a.png")}
    assert loaded.program is not None
    assert loaded.program.faces[0].back == Picture("sample", "b.svg")


def test_upper_and_lower_case_are_different(tmp_path: Path) -> None:
    loaded = pack(tmp_path, "picture: {lamp: art/lamp.png}\n", {"art/Lamp.png": png()})
    (finding,) = loaded.findings
    assert (finding.code, finding.hint) == ("RW396", "did you mean `art/Lamp.png`?")


@pytest.mark.parametrize(
    "face", ["picture: {lamp: a.png}\n", "picture: a.png\n", "back: a.png\n", "symbols: {oil: a.png}\n"]
)
def test_an_unusable_file_is_reported_where_it_is_named(tmp_path: Path, face: str) -> None:
    loaded = pack(tmp_path, face, {"a.png": b"<html><script>alert(1)</script></html>"})
    assert loaded.program is None
    assert [(one.code, one.message, one.span.line) for one in loaded.findings] == [
        ("RW397", "`a.png` cannot be used: it is not a PNG file", 14)
    ]


def test_an_unusable_file_of_a_pattern_is_reported_once(tmp_path: Path) -> None:
    """A definition whose file is broken is no definition without a file."""
    broken = {"art/lamp.svg": svg("<script>alert(1)</script>"), "art/bell.svg": svg()}
    loaded = pack(tmp_path, "picture: art/{id}.svg\n", broken)
    assert [one.code for one in loaded.findings] == ["RW397"]
    assert "`art/lamp.svg`" in loaded.findings[0].message
    many = pack(tmp_path, 'picture: "{oil}.svg"\n', {"3.svg": b"", "4.svg": b""})
    assert [one.code for one in many.findings] == ["RW397", "RW397"]


def missing(loaded: Loaded) -> list[tuple[str, str | None]]:
    assert loaded.program is not None, "it is a warning"
    assert {one.code for one in loaded.findings} <= {"RW399"}
    return [(one.message, one.hint) for one in loaded.findings]


def test_a_pattern_without_any_file(tmp_path: Path) -> None:
    """The finding says which files were expected, and which ones there are."""
    loaded = pack(tmp_path, "picture: art/{id}.svg\n", {"scans/0001.png": png()})
    assert missing(loaded) == [
        ("no file fits `art/{id}.svg`", "expected `art/bell.svg` and `art/lamp.svg`; found `scans/0001.png`")
    ]


def test_a_pattern_in_a_pack_without_pictures(tmp_path: Path) -> None:
    ((_, hint),) = missing(pack(tmp_path, "picture: art/{id}.svg\n", {}))
    assert hint == "expected `art/bell.svg` and `art/lamp.svg`; found no pictures in the pack"


def test_a_misspelt_folder_of_a_pattern(tmp_path: Path) -> None:
    files = {"pictures/bell.png": png(), "pictures/lamp.png": png()}
    ((_, hint),) = missing(pack(tmp_path, "picture: picture/{id}.png\n", files))
    assert hint == (
        "expected `picture/bell.png`, did you mean `pictures/bell.png`?; "
        "expected `picture/lamp.png`, did you mean `pictures/lamp.png`?"
    )


def test_a_missing_picture_among_others(tmp_path: Path) -> None:
    """One of two definitions has no file: it is named, and the file with a slip in its name is, too."""
    loaded = pack(tmp_path, "picture: art/{id}.png\n", {"art/lamp.png": png(), "art/bel.png": png()})
    assert missing(loaded) == [
        (
            "1 of 2 definitions has no file for `art/{id}.png`: `bell`",
            "expected `art/bell.png`, did you mean `art/bel.png`?",
        )
    ]
    assert loaded.program is not None
    assert loaded.program.faces[0].pictures == (("lamp", Picture("sample", "art/lamp.png")),)


def test_pictures_are_drawn_one_by_one(tmp_path: Path) -> None:
    ((message, hint),) = missing(pack(tmp_path, "picture: art/{id}.png\n", {"art/lamp.png": png()}))
    assert message.startswith("1 of 2 definitions")
    assert hint == "add `art/bell.png`; until then it keeps its ornament"
    assert missing(pack(tmp_path, "picture: art/{id}.png\n", {"art/bell.png": png()})) == []


def test_a_missing_picture_of_a_member(tmp_path: Path) -> None:
    ((message, hint),) = missing(pack(tmp_path, "picture: art/{oil}.svg\n", {"art/3.svg": svg()}))
    assert "`lamp`" in message and hint is not None and "`art/4.svg`" in hint


def test_unused_files_are_nobody_s_business(tmp_path: Path) -> None:
    assert pack(tmp_path, "colours: green\n", {"draft.png": b"", "huge.svg": bytes(MAX_BYTES + 1)}).findings == ()


# ------------------------------------------------------------------ links

def test_a_link_to_a_file_outside(tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes(png())
    folder = tmp_path / "pack"
    folder.mkdir()
    (folder / "a.png").symlink_to(tmp_path / "secret.png")
    loaded = pack(folder, "picture: {lamp: a.png}\n", {})
    assert [one.message for one in loaded.findings] == [
        "`a.png` cannot be used: it is a link to a file outside the pack's folder"
    ]
    with pytest.raises(Unfit, match="outside"):
        picture_bytes(folder, "a.png")


def test_a_link_to_a_folder_outside(tmp_path: Path) -> None:
    (tmp_path / "art").mkdir()
    (tmp_path / "art" / "lamp.png").write_bytes(png())
    folder = tmp_path / "pack"
    folder.mkdir()
    (folder / "art").symlink_to(tmp_path / "art")
    loaded = pack(folder, "picture: {lamp: art/lamp.png}\n", {})
    assert [(one.code, one.message) for one in loaded.findings] == [
        ("RW397", "`art/lamp.png` cannot be used: `art/` is a link to another folder")
    ]
    with pytest.raises(Unfit, match="outside"):
        picture_bytes(folder, "art/lamp.png")


def test_a_link_within_the_pack(tmp_path: Path) -> None:
    (tmp_path / "b.png").symlink_to("a.png")
    assert pictures_of(pack(tmp_path, "picture: b.png\n", {"a.png": png()})).keys() == {"bell", "lamp"}


@pytest.mark.parametrize("path", ["../a.png", "/etc/a.png", "art/../../a.png", "a\\b.png", "./a.png", "art//a.png"])
def test_paths_that_lead_out_are_never_read(tmp_path: Path, path: str) -> None:
    (tmp_path / "a.png").write_bytes(png())
    folder = tmp_path / "pack"
    folder.mkdir()
    with pytest.raises(Unfit):
        picture_bytes(folder, path)


def test_what_is_no_regular_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.png")
    (tmp_path / "b.png").mkdir()
    (tmp_path / "c.png").symlink_to("c.png")
    (tmp_path / "d.png").symlink_to("nowhere.png")
    loaded = pack(tmp_path, "picture: {lamp: a.png, bell: c.png}\nback: d.png\n", {})
    assert [one.code for one in loaded.findings] == ["RW397"] * 3


def test_hidden_folders_are_left_out(tmp_path: Path) -> None:
    assert [one.code for one in pack(tmp_path, "back: .art/a.png\n", {".art/a.png": png()}).findings] == ["RW396"]


# ------------------------------------------------------------------ contents

GOOD = {
    "a.png": png(),
    "A.PNG": png(MAX_SIDE, MAX_SIDE),
    "a.jpg": jpeg(),
    "b.JPEG": jpeg(before=b"\xff\xff\xfe\x00\x06abcd"),
    "c.jpg": jpeg(MAX_SIDE, MAX_SIDE),
    "a.svg": svg(),
    "b.svg": b"\xef\xbb\xbf<?xml version='1.0' encoding='UTF-8'?>\n<!-- drawn by hand -->" + svg(),
    "most.png": png(more=bytes(MAX_BYTES - len(png()))),
}
BAD = {
    "empty.png": b"",
    "short.png": png()[:24],
    "jpeg.png": jpeg(),
    "png.jpg": png(),
    "html.svg": b"<html><body/></html>",
    "page.svg": b"<!doctype html><svg xmlns='http://www.w3.org/2000/svg'/>",
    "none.png": png(0, 2),
    "wide.png": png(MAX_SIDE + 1, 2),
    "high.jpg": jpeg(2, MAX_SIDE + 1),
    "endless.png": png(2**31 - 1, 2**31 - 1),
    "end.jpg": jpeg()[:12],
    "loop.jpg": b"\xff\xd8\xff\xe0\x00\x00" + b"\xff\xe0\x00\x00" * 9,
    "large.png": png(more=bytes(MAX_BYTES + 1 - len(png()))),
}


@pytest.mark.parametrize("name", GOOD)
def test_good(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(GOOD[name])
    assert [*checked(tmp_path, [name])] == [PictureFile(name)]
    assert picture_bytes(tmp_path, name) == GOOD[name]


@pytest.mark.parametrize("name", BAD)
def test_bad(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(BAD[name])
    (one,) = checked(tmp_path, [name])
    assert one.wrong
    assert one.hint


def test_all_pictures_together_are_bounded(tmp_path: Path) -> None:
    most = MAX_ALL_BYTES // MAX_BYTES
    (tmp_path / "a.png").write_bytes(png(more=bytes(MAX_BYTES - len(png()))))
    found = [one.wrong for one in checked(tmp_path, ["a.png"] * (most + 1))]
    assert found[:most] == [""] * most
    assert found[most] == "the pack has more than 2000 pictures or 128 MiB"


def test_files_are_found_by_suffix(tmp_path: Path) -> None:
    for name in ("pack.yaml", "a.png", "b.SVG", "c.gif", "d.png.txt", "png"):
        (tmp_path / name).write_bytes(b"pack: a\nplayers: 2\n" if name == "pack.yaml" else svg())
    found = [(one.path, bool(one.wrong)) for one in read_pack(tmp_path).pictures]
    assert found == [("a.png", True), ("b.SVG", False)]


# ------------------------------------------------------------------ SVG

DRAWINGS = {
    "gradients": '<defs><linearGradient id="a"><stop offset="0"/></linearGradient></defs><rect fill="url(#a)"/>',
    "quoted": "<rect style=\"fill: url('#a')\"/>",
    "classes": "<style>.a { fill: url( #b ) }</style><rect class='a'/>",
    "a part again": '<g id="a"><path d="M0 0"/></g><use href="#a"/>',
    "an old reference": '<g id="a"/><use xmlns:x="http://www.w3.org/1999/xlink" x:href="#a"/>',
    "notes of an editor": '<x:view xmlns:x="http://example.org/editor" x:path="C:\\a (1)@2.png" onclick="1"/>'
    '<g xmlns:x="http://example.org/editor" x:label="a (1) @2x"/>',
    "metadata": '<metadata><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><r:a r:resource="http://a"/>'
    "</r:RDF></metadata>",
    "texts": "<text>url(http://example.org) onload=1 @import &lt;script&gt;</text><title>@</title>",
    "depth": "<g>" * (MAX_DEPTH - 1) + "</g>" * (MAX_DEPTH - 1),
}
XLINK = 'xmlns:xlink="http://www.w3.org/1999/xlink"'
ACTIVE = {
    "a script": "<script>alert(1)</script>",
    "a prefixed script": '<s:script xmlns:s="http://www.w3.org/2000/svg">alert(1)</s:script>',
    "a script of a page": '<h:script xmlns:h="http://www.w3.org/1999/xhtml">alert(1)</h:script>',
    "a page": '<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>',
    "a page in metadata": '<metadata><body xmlns="http://www.w3.org/1999/xhtml" onload="1"/></metadata>',
    "mathematics": '<math xmlns="http://www.w3.org/1998/Math/MathML" href="javascript:1"/>',
    "an event": '<rect onload="alert(1)"/>',
    "an event in capitals": '<rect ONCLICK="alert(1)"/>',
    "a link": '<a href="http://example.org"><rect/></a>',
    "a picture": '<image href="http://example.org/a.png"/>',
    "data": '<image href="data:image/png;base64,AAAA"/>',
    "a part of another file": '<use href="other.svg#a"/>',
    "an old reference": f'<use {XLINK} xlink:href="http://example.org/#a"/>',
    "a base": '<g xml:base="http://example.org/"><use href="#a"/></g>',
    "a style": "<style>@import 'http://example.org';</style>",
    "a font": "<style>@font-face { src: url(http://example.org) }</style>",
    "escapes": r"<style>rect { fill: \75rl(http://example.org) }</style>",
    "an attribute": '<rect fill="url(http://example.org#a)"/>',
    "an attribute in capitals": '<rect fill="URL( &quot;//example.org&quot; )"/>',
    "an attribute of style": '<rect style="fill: url(a.svg)"/>',
    "a list of pictures": "<rect style=\"background: image-set('http://example.org' 1x)\"/>",
    "entities": '<rect fill="&#117;rl(http://example.org)"/>',
    "animation": '<rect><set attributeName="href" to="javascript:1"/></rect>',
    "filters": '<filter id="a"><feTurbulence numOctaves="99999"/></filter>',
    "instructions": '<?xml-stylesheet href="http://example.org"?>',
    "no end": "<g>",
    "an unknown entity": "<text>&nbsp;</text>",
    "depth": "<g>" * MAX_DEPTH + "</g>" * MAX_DEPTH,
    "elements": "<g/>" * MAX_ELEMENTS,
    "itself": '<g id="a"><use href="#a"/></g>',
    "a circle": '<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>',
    "powers of ten": "".join(
        f'<g id="a{n + 1}">' + f'<use href="#a{n}"/>' * 10 + "</g>" for n in range(6)
    ) + '<g id="a0"><path/></g>',
}  # fmt: skip


STEPS = {
    "nothing": ("", 0),
    "a shape": ("<rect/>", 12),
    "inside": ("<g><rect/></g>", 12 + 13),
    "lines": ('<path d="M0 0 L1 1 2 2 3 3"/>', 12 + 4),
    "letters without blanks": ('<path d="M0,0l.5.5-1-1h1 2 3v-1z"/>', 12 + 1 + 2 + 3 + 1 + 1),
    "curves": ('<path d="M0 0C1 1 2 2 3 3 1 1 2 2 3 3s1 1 2 2q1 1 2 2t1 1 2 2"/>', 12 + 1 + 2 + 1 + 1 + 2),
    "arcs": ('<path d="M0 0a1 1 0 0 1 2 2a1 1 0 012 2"/>', 12 + 1 + 1 + 1),
    "corners": ('<polygon points="0,0 1,1 2,2"/>', 12 + 3),
    "text": ("<text>four</text>", 12 + 4 * 5),
    "parts of a text": ("<text>ab<tspan>cd</tspan>ef</text>", 12 + 13 + 6 * 5),
    "words that are not drawn": ("<title>four</title>", 12),
    "places of letters": ('<text x="1 2 3">abc</text>', 12 + 3 + 3 * 5),
    "dashes": ('<path d="M0 0L1 1" style="stroke-dasharray:1 2 3 4"/>', 12 + 2 + 24 // 10),
    "again": ('<rect id="a"/><use href="#a"/><use href="#a"/>', 12 + 2 * (12 + 12)),
    "a pattern": ('<pattern id="p"><rect/></pattern><rect fill="url(#p)"/><rect/>', 25 + (12 + 25) + 12),
    "a pattern for all inside": (
        '<pattern id="p"/><g fill="url(#p)"><rect/><rect/></g>', 12 + (12 + 12) + 2 * (13 + 12),
    ),
    "a pattern by class": (
        '<style>.a{fill:url(#p)}</style><pattern id="p"/><g class="a"><rect/></g>', 12 + 12 + (12 + 12) + (13 + 12),
    ),
    "a pattern for a part": (
        '<pattern id="p"/><g id="a"><rect/><rect/></g><use href="#a" fill="url(#p)"/>',
        12 + (12 + 2 * 13) + 12 + 12 + (12 + 26) + 12 * (38 // 10),
    ),
    "a mark at each corner": (
        '<marker id="m"><rect/></marker><path marker-mid="url(#m)" d="M0 0L1 1 2 2"/>', 25 + 12 + 3 + 4 * 25,
    ),
    "a mark at the end": (
        '<marker id="m"><rect/></marker><path marker-end="url(#m)" d="M0 0L1 1 2 2"/>', 25 + 12 + 3 + 25,
    ),
    "marks of marks": (
        '<marker id="l"/><marker id="m"><path d="M0 0L1 1" style="marker:url(#l)"/></marker>'
        '<path marker="url(#m)" d="M0 0L1 1"/>',
        12 + (12 + 13 + 2 + 1 + 3 * 12) + (12 + 2 + 3 * (12 + 13 + 2 + 1 + 3 * 12)),
    ),
    "selectors": ("<style>" + "a{}" * 200 + "</style>", 11 + 2 * 12),
}  # fmt: skip


@pytest.mark.parametrize("name", STEPS)
def test_steps_of_drawing(name: str) -> None:
    """The outermost element takes 11 steps; one inside it 10, and 1 for each element that it is in, itself too."""
    inside, steps = STEPS[name]
    assert steps_of(svg(inside)) == 11 + steps


def test_steps_of_pixels() -> None:
    """A PNG is compressed again, 100 pixels in a step; a JPEG is taken over as it is."""
    assert drawing_steps(png(1000, 500), "a.png") == 5_000
    assert drawing_steps(jpeg(1000, 500), "a.jpg") == 0
    assert drawing_steps(svg("<rect/>"), "a.svg") == 23


TOO_MUCH = {
    "segments": '<path d="M0 0' + "L1 1" * 200_000 + '"/>',
    "segments of one command": '<path d="M0 0L' + "1 1 " * 150_000 + '"/>',
    "corners": '<polyline points="' + "1 1 " * 200_000 + '"/>',
    "characters": "<text>" + "a" * 40_000 + "</text>",
    "marks": '<marker id="m"><path d="M0 0' + "L1 1" * 100 + '"/></marker><path marker-mid="url(#m)" d="M0 0'
    + "L1 1" * 2_000 + '"/>',
    "marks by style": '<style>path{marker:url(#m)}</style><marker id="m"><rect/></marker><path d="M0 0'
    + "L1 1" * 10_000 + '"/>',
    "patterns": '<pattern id="p">' + "<rect/>" * 200 + "</pattern>" + '<rect fill="url(#p)"/>' * 100,
    "parts": '<g id="a"><path d="M0 0' + "L1 1" * 1_000 + '"/></g>' + '<use href="#a"/>' * 200,
    "a painted part": '<pattern id="p">' + "<rect/>" * 100 + '</pattern><g id="a">' + "<rect/>" * 200
    + '</g><use href="#a" fill="url(#p)"/>',
    "rules": "<style>" + "rect{fill:red}" * 10_000 + "</style>" + "<rect/>" * 1_000,
    "searches": '<use href="#nowhere"/>' * 4_000,
}  # fmt: skip


@pytest.mark.parametrize("name", TOO_MUCH)
def test_too_many_steps_of_drawing(name: str) -> None:
    wrong = unsafe(svg(TOO_MUCH[name]))
    assert wrong is not None
    assert wrong[0] == "drawing it takes more than 200,000 steps, with repeated parts"


UNBOUNDED = {
    "dashes for all inside": (
        '<g stroke-dasharray="' + "1 " * 33 + '"/>', "its `stroke-dasharray` has more than 32 numbers"
    ),
    "lines for all inside": ('<g d="M0 0' + "L1 1" * 40 + '"/>', "its `d` has more than 32 numbers"),
    "a style": ('<g style="d:' + "M0 0" * 80 + '"/>', "its `d` has more than 300 characters"),
    "a style sheet": (
        "<style>g{stroke-dasharray:" + "1 " * 33 + "}</style>", "its `stroke-dasharray` has more than 32 numbers"
    ),
    "ancestors": ("<style>g g g rect{fill:red}</style>", "its styles have the selector `g g g rect`"),
    "conditions": ("<style>:has(*){fill:red}</style>", "its styles have the selector `:has(*)`"),
    "repeats": (
        '<linearGradient spreadMethod="repeat" x2=".000001"/>', "it has a gradient that repeats (`spreadMethod`)"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", UNBOUNDED)
def test_what_each_element_inside_would_repeat(name: str) -> None:
    inside, message = UNBOUNDED[name]
    wrong = unsafe(svg(inside))
    assert wrong is not None
    assert wrong[0] == message


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_drawing(name: str) -> None:
    assert unsafe(svg(DRAWINGS[name])) is None


@pytest.mark.parametrize("name", ACTIVE)
def test_what_is_more_than_a_drawing(name: str) -> None:
    assert unsafe(svg(ACTIVE[name])) is not None


def test_entities_are_not_expanded() -> None:
    bomb = b'<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>' + svg("<text>&b;</text>")
    outside = b'<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>' + svg("<text>&a;</text>")
    for data in (bomb, outside, b'<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://example.org">' + svg()):
        assert unsafe(data) == ("it has a document type declaration (`<!DOCTYPE …>`)", "remove that line")


ENCODED = "<?xml version='1.0' encoding='nope'?><svg/>"
OTHER = (b"", b"\0", b"GIF89a", "<svg/>".encode("utf-16"), ENCODED.encode(), b"<svg/>")


@pytest.mark.parametrize("data", OTHER)
def test_what_is_no_svg(data: bytes) -> None:
    wrong = unsafe(data)
    assert wrong is not None
    assert wrong[0].startswith("it is not an SVG file")
