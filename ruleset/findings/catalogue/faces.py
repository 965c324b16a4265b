"""RW39x: the faces of cards."""

from __future__ import annotations

from rulewright.ruleset.findings.catalogue.entry import Entry

FACES: tuple[Entry, ...] = (
    Entry(
        "RW390",
        "face-of-no-kind",
        "error",
        "A face of an unknown kind",
        "A `face` is named after the kind whose cards it is for.",
        "face: lantren\ncolours: green",
        "face: lantern\ncolours: green",
    ),
    Entry(
        "RW391",
        "field-on-a-face",
        "error",
        "A face shows a field that is unknown or does not fit",
        "Corners show fields with one number or one member of an enumeration, and expressions that give a number. "
        "Colours and symbols by member need a field of an enumeration, or a list of its members. The symbol of a "
        "field is shown beside its value, so the field must be in a corner.",
        "face: lantern\ncorners: {top-left: oill}",
        "face: lantern\ncorners: {top-left: oil}",
    ),
    Entry(
        "RW392",
        "member-on-a-face",
        "error",
        "A face names an unknown member or definition",
        "Under a field, `colours` and `symbols` name members of its enumeration; elsewhere, `colours` and "
        "`picture` name definitions of the kind.",
        "face: lantern\ncolours: {colour: {blue: violet}}",
        "face: lantern\ncolours: {colour: {green: violet}}",
    ),
    Entry(
        "RW393",
        "no-colour",
        "error",
        "Not a colour",
        "A colour is a name or has six hexadecimal digits, in quotes because `#` begins a comment in YAML. Only "
        "its hue counts: lightness is chosen so that texts can be read.",
        'face: lantern\ncolours: "#1f8"',
        'face: lantern\ncolours: "#11ff88"',
    ),
    Entry(
        "RW394",
        "no-symbol",
        "error",
        "Not a symbol",
        "Symbols have names. Beside the value of a field, a picture file may take the place of a symbol.",
        "face: lantern\ncorners: {top-left: oil}\nsymbols: {oil: dropp}",
        "face: lantern\ncorners: {top-left: oil}\nsymbols: {oil: drop}",
    ),
    Entry(
        "RW395",
        "size-of-cards",
        "error",
        "Not the size of a card",
        "A size is `WIDTH x HEIGHT mm`. Both are 30 to 150, with at most one decimal.",
        "face: lantern\nsize: 630 x 880 mm",
        "face: lantern\nsize: 63 x 88 mm",
    ),
    Entry(
        "RW396",
        "no-picture",
        "error",
        "A picture file is missing, or is not in the pack's folder",
        "A picture is a PNG, JPEG, or SVG file in the pack's folder, named by its path there. A file that is named "
        "must exist. With `{id}` or `{FIELD}` in the path, definitions without a file keep their ornament.",
        "face: lantern\npicture: ../pictures/lantern.png",
        "face: lantern\npicture: pictures/{id}.png",
    ),
    Entry(
        "RW397",
        "unusable-picture",
        "error",
        "A picture file cannot be used",
        "The contents must be those of a PNG, JPEG, or SVG file, as the suffix says. A file has at most 2 MiB, and "
        "a PNG or JPEG at most 4,096 × 4,096 pixels. An SVG only draws: it has no scripts, events, animations, "
        "filters, or pictures in it, no document type declaration, and it refers only to parts of itself "
        "(`#shape`); drawing it takes at most 200,000 steps. Links may not lead out of the pack's folder.",
        "",
        "",
    ),
    Entry(
        "RW398",
        "value-in-a-path",
        "error",
        "An unknown value in the path of a picture",
        "In braces, a path has `{id}`, the name of the definition, or a field with a number or members of an "
        "enumeration; of a list, the first member counts. Paths of single files have no braces.",
        "face: lantern\npicture: pictures/{name}.png",
        "face: lantern\npicture: pictures/{colour}.png",
    ),
    Entry(
        "RW399",
        "picture-not-there",
        "warning",
        "A pattern of pictures has no file for some definitions",
        "A pattern such as `pictures/{id}.png` gives a picture to each definition whose file is in the pack's "
        "folder; the others keep their ornament. The message names the definitions without a file, so that a "
        "misspelt file name is noticed, and says how many there are. While you draw one picture after the other, "
        "this is no error. In the example, the pack has PNG files.",
        "face: lantern\npicture: pictures/{id}.jpg",
        "face: lantern\npicture: pictures/{id}.png",
    ),
)
