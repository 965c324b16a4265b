"""Unusual files: FIFOs, devices, loops of links, endless input, names that are not UTF-8.

What blocks would block for ever, so each test here ends the process that hangs.
"""

from __future__ import annotations

import faulthandler
import json
import os
import socket
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright.ruleset.common.diagnostic import Diagnostic, Span
from rulewright.ruleset.common.limits import PACK_BYTES
from rulewright.ruleset.common.regular_files import NotRegular, TooLarge, is_regular, read_regular
from rulewright.ruleset.findings.render import FORMATS, render_report
from rulewright.ruleset.findings.report import PackReport, Report
from rulewright.ruleset.pipeline import load
from rulewright.ruleset.source.pack_files import read_pack

PATIENCE = 20.0
"""Seconds after which a test hangs; none should take a tenth of one."""


@pytest.fixture(autouse=True)
def never_waiting() -> Iterator[None]:
    faulthandler.dump_traceback_later(PATIENCE, exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    folder = tmp_path / "pack"
    folder.mkdir()
    (folder / "pack.yaml").write_text("pack: sample\nplayers: 2\n")
    return folder


# ------------------------------------------------------------------ one file

def test_a_regular_file_is_read_whole_up_to_the_limit(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"x" * 10)
    assert read_regular(file, 10) == b"x" * 10
    with pytest.raises(TooLarge, match="larger than 9 bytes"):
        read_regular(file, 9)
    file.write_bytes(b"")
    assert read_regular(file, 0) == b""
    (tmp_path / "link").symlink_to(file)
    assert read_regular(tmp_path / "link", 1) == b""


def test_a_file_of_kernels_that_claims_no_size_is_bounded_too() -> None:
    file = Path("/proc/self/status")
    if not file.exists():
        pytest.skip("needs /proc")
    assert file.stat().st_size == 0
    with pytest.raises(TooLarge):
        read_regular(file, 20)


def test_what_is_not_a_regular_file_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "link").symlink_to("fifo")
    own = socket.socket(socket.AF_UNIX)
    own.bind(os.path.relpath(tmp_path / "socket"))
    with own:
        for name, why in (("fifo", "FIFO"), ("link", "FIFO"), ("socket", "socket"), (".", "folder")):
            with pytest.raises(NotRegular, match=why):
                read_regular(tmp_path / name, 100)
            assert not is_regular(tmp_path / name)
    with pytest.raises(NotRegular, match="device"):
        read_regular("/dev/zero", 100)


def test_names_that_lead_nowhere(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    for name in ("loop", "missing", "nul\0", "\ud800"):
        with pytest.raises(OSError, match=r"link|No such|no file can have"):
            read_regular(str(tmp_path / name), 100)
        assert not is_regular(str(tmp_path / name))


# ------------------------------------------------------------------ files of packs

def codes(pack: Path) -> list[tuple[str, str]]:
    return [(finding.span.path.rpartition("/")[2], finding.code) for finding in load(pack).findings]


def test_a_fifo_in_a_pack_is_a_finding(pack: Path) -> None:
    os.mkfifo(pack / "card.yaml")
    assert codes(pack) == [("card.yaml", "RW150")]
    assert "it is a FIFO" in load(pack).findings[0].message


def test_a_link_to_a_device_leads_out_of_the_pack(pack: Path) -> None:
    (pack / "card.yaml").symlink_to("/dev/zero")
    assert codes(pack) == [("card.yaml", "RW601")]


def test_a_loop_of_links_in_a_pack_is_a_finding(pack: Path) -> None:
    (pack / "a.yaml").symlink_to("b.yaml")
    (pack / "b.yaml").symlink_to("a.yaml")
    (pack / "inner").symlink_to(pack)
    assert codes(pack) == [("a.yaml", "RW150"), ("b.yaml", "RW150")]


def test_links_to_nothing_and_folders_are_passed_over(pack: Path) -> None:
    """Editors lock a file by a link that leads to nothing."""
    (pack / ".#card.yaml").symlink_to("user@host.4711")
    (pack / "folder.yaml").mkdir()
    assert codes(pack) == []


def test_a_link_out_of_the_pack_to_a_folder_with_rules_is_a_finding(pack: Path) -> None:
    shared = pack.parent / "shared"
    shared.mkdir()
    (shared / "cards.yml").write_text("verb: glow(s)\ndo: do nothing\n")
    (pack / "cards").symlink_to(shared)
    (pack / "again").symlink_to(pack)
    (pack / "art").symlink_to(pack.parent / "nothing here")
    read = read_pack(pack)
    assert [(item.code, Path(item.span.path).name) for item in read.found] == [("RW601", "cards")]
    assert len(read.files) == 1


def test_a_pack_file_that_is_a_fifo_makes_no_pack(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pack.yaml")
    assert [finding.code for finding in load(tmp_path).findings] == ["RW603"]


def test_no_more_is_read_of_a_pack_than_its_limit(pack: Path) -> None:
    with (pack / "zeros.yaml").open("wb") as file:
        file.truncate(PACK_BYTES * 1000)  # without using the disk
    assert [finding.code for finding in load(pack).findings] == ["RW602"]
    assert [name.rpartition("/")[2] for name, _ in read_pack(pack).files] == ["pack.yaml"]


@pytest.mark.skipif(os.name == "nt", reason="names are not bytes there")
@pytest.mark.parametrize("format", FORMATS)
def test_findings_in_files_whose_names_are_not_utf8(pack: Path, format: str) -> None:
    (pack / os.fsdecode(b"caf\xe9.yaml")).write_text("nonsense: x\n")
    loaded = load(pack)
    assert [finding.code for finding in loaded.findings] == ["RW310"]
    report = Report((PackReport("sample", tuple(loaded.sources), loaded.findings, (), loaded.sources),))
    text = render_report(report, format).encode("utf-8", "replace").decode("utf-8")
    assert "RW310" in text
    if format in ("json", "sarif"):
        json.loads(text)
    if format == "sarif":
        assert "caf%E9.yaml" in text, "the bytes of the name"
    if format == "junit":
        ElementTree.fromstring(text)


def test_places_on_drives_and_from_the_root_are_addresses() -> None:
    addresses = {"/a\udce9.yaml": "file:///a%E9.yaml", "c:/a\udce9.yaml": "file:///c:/a%E9.yaml", "a\udce9": "a%E9"}
    for path, address in addresses.items():
        found = Diagnostic("RW310", Span(path, 1, 1, 1, 2), "m")
        (result,) = json.loads(render_report(Report((PackReport("", (), (found,), (), {}),)), "sarif"))["runs"][0][
            "results"
        ]
        assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == address
