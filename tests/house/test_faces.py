"""Faces under house rules: a pack changes a face, adds one, and brings pictures in its own folder."""

from __future__ import annotations

from attrs import evolve

from rulewright.ruleset.findings.causes import notes
from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.pipeline import load_files
from rulewright.ruleset.program.scenario import CardFace, Picture
from rulewright.ruleset.source.pack_files import PackFiles
from rulewright.ruleset.source.pictures import PictureFile
from tests.house.together import files_of, game

FACE = """\
face: charm
corners: {top-left: cost}
colours: {bell: green}
picture: art/{id}.png
"""


def lanterns(face: str = FACE, *pictures: str) -> PackFiles:
    """The little game with a face."""
    files = game()
    return evolve(
        files, files=(*files.files, ("face.yaml", face.encode())), pictures=tuple(map(PictureFile, pictures))
    )


def rules(name: str, text: str, *pictures: str) -> PackFiles:
    return evolve(files_of(name, text), pictures=tuple(map(PictureFile, pictures)))


def face_of(loaded: Loaded, kind: str = "charm") -> CardFace:
    assert loaded.program is not None, loaded.findings
    return next(face for face in loaded.program.faces if face.kind == kind)


def test_a_change_of_a_face() -> None:
    change = "change: face/charm\nset: {colours.bell: violet, size: 70 x 120 mm}\n"
    face = face_of(load_files(lanterns(), more=[rules("fog", change)]))
    assert (face.definitions, face.size) == ((("bell", "violet"),), (700, 1200))
    assert face.corners is not None
    assert [(one.place, one.field) for one in face.corners] == [("top-left", "cost")]


def test_a_face_for_a_kind_of_the_game() -> None:
    loaded = load_files(lanterns(), more=[rules("fog", "face: coin\ncolours: amber\n")])
    assert (face_of(loaded, "coin").colour, face_of(loaded).definitions) == ("amber", (("bell", "green"),))


def test_a_second_face_for_a_kind() -> None:
    loaded = load_files(lanterns(), more=[rules("fog", "face: charm\ncolours: amber\n")])
    found = [(one.code, one.message) for one in loaded.findings if one.code != "RW399"]
    assert found == [("RW303", "the kind `charm` has a face already")]


def test_definitions_of_house_rules_have_pictures_in_their_folder() -> None:
    """The pattern of the game is looked up in the folder of the pack that declares the definition."""
    charm = "charm: gong\ncost: 2\n"
    loaded = load_files(lanterns(FACE, "art/bell.png"), more=[rules("fog", charm, "art/gong.png", "art/bell.png")])
    assert dict(face_of(loaded).pictures) == {
        "bell": Picture("lanterns", "art/bell.png"),
        "gong": Picture("fog", "art/gong.png"),
    }


def test_strangers_with_definitions_of_one_name() -> None:
    """A definition that gets its pack's name in front keeps the file of the name that its author gave it."""
    charm = "charm: gong\ncost: 2\n"
    packs = [rules(name, charm, "art/gong.png") for name in ("fog", "mist")]
    assert dict(face_of(load_files(lanterns(), more=packs)).pictures) == {
        "fog-gong": Picture("fog", "art/gong.png"),
        "mist-gong": Picture("mist", "art/gong.png"),
    }


def test_house_rules_bring_other_pictures() -> None:
    """A pattern that a pack sets is looked up in its own folder first; cards that it leaves out keep theirs."""
    change = "change: face/charm\nset: {picture: 'art/{id}.svg'}\n"
    game_files = lanterns(FACE, "art/feather.svg", "art/bell.svg")
    loaded = load_files(game_files, more=[rules("fog", change, "art/bell.svg")])
    assert dict(face_of(loaded).pictures) == {
        "bell": Picture("fog", "art/bell.svg"),
        "feather": Picture("lanterns", "art/feather.svg"),
    }


def test_a_file_that_is_named_is_in_the_folder_of_the_pack_that_names_it() -> None:
    change = "change: face/charm\nset: {back: a.png}\n"
    found = load_files(lanterns(FACE, "a.png"), more=[rules("fog", change)]).findings
    assert [one.code for one in found if one.code != "RW399"] == ["RW396"]
    loaded = load_files(lanterns(FACE), more=[rules("fog", change, "a.png")])
    assert face_of(loaded).back == Picture("fog", "a.png")


def test_a_line_that_no_longer_applies_is_left_out() -> None:
    """The author of the game could not know that a house rule removes the definition."""
    change = "change: charm/bell\nremove: true\n"
    loaded = load_files(lanterns(), more=[rules("fog", change)])
    assert face_of(loaded).definitions == ()
    said = "1 face line of lanterns skipped: fog removes charm/bell (fog/rules.yaml:1)"
    assert [*notes(loaded.skipped)] == [said]


def test_strangers_with_kinds_of_one_name() -> None:
    """Each kind has the face of its own pack."""
    relic = "kinds: {{relic: {{fields: {{age: 0 to 9}}}}}}\n---\nface: relic\ncolours: {}\n"
    one, two = rules("fog", relic.format("green")), rules("mist", relic.format("red"))
    loaded = load_files(lanterns("face: charm\ncolours: green\n"), more=[one, two])
    assert loaded.findings == ()
    assert (face_of(loaded, "fog-relic").colour, face_of(loaded, "mist-relic").colour) == ("green", "red")
