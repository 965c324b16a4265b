"""Read the pictures that the faces of a program show: only these, and checked again each time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from attrs import frozen

from rulewright.ruleset.program.faces import CardFace, Picture
from rulewright.ruleset.program.nodes import Program
from rulewright.ruleset.source.pack_files import PackFiles
from rulewright.ruleset.source.pictures import TYPES, Unfit, picture_bytes, suffix


@frozen
class PictureFiles:
    """The pictures of a program, with the folders of its packs."""

    folders: Mapping[str, Path]
    known: frozenset[Picture]

    def read(self, picture: Picture) -> tuple[bytes, str] | None:
        """Return the contents and the media type of a picture; None if it is unknown, or unusable by now."""
        if picture not in self.known:
            return None
        try:
            return picture_bytes(self.folders[picture.pack], picture.path), TYPES[suffix(picture.path)]
        except Unfit:
            return None


def picture_files(program: Program, packs: Sequence[PackFiles], owners: Mapping[str, str]) -> PictureFiles:
    """Return the pictures of a program made of these packs. `owners` is from a file to its pack, if several."""
    folders = {owners.get(files.files[0][0], program.pack): files.root for files in packs if files.files}
    return PictureFiles(folders, frozenset(one for face in program.faces for one in _pictures(face)))


def _pictures(face: CardFace) -> Iterator[Picture]:
    yield from (picture for _, picture in face.pictures)
    yield from (corner.picture for corner in face.corners or () if corner.picture is not None)
    if isinstance(face.back, Picture):
        yield face.back
