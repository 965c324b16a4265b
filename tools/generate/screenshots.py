"""Make the pictures of the browser application: `python -m rulewright.tools.generate.screenshots`.

`docs/screens/plan.yaml` says what they show: a page, or a table after some answers of bots. With
names of pictures, only these are made. Requires Playwright
(`pip install 'rulewright[test]'`) and a Chromium of the system.
"""

from __future__ import annotations

import asyncio
import io
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import yaml

from rulewright.ruleset.table.canonical import program_hash
from rulewright.tools.browser.host.packs import PackShelf
from rulewright.tools.browser.host.spec import SeatSpec, TableSpec
from rulewright.tools.browser.host.table import HostedTable
from rulewright.tools.browser.server.store import Store, StoredReader, StoredRules, StoredTable, add_table
from rulewright.tools.common.errors import Usage
from rulewright.tools.common.output import say
from rulewright.tools.common.seats import HUMAN

ROOT = Path(__file__).parents[2]
PLAN = ROOT / "docs" / "screens" / "plan.yaml"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
COLOURS = 256
"""Colours of a picture; flat pages need no more, and files stay small."""
PATIENCE = 120.0
PRINTED = 900
"""Width of the picture of a printed page, in pixels."""
MOST = 400


def main() -> None:
    """Make all pictures, or those named as arguments."""
    shots = yaml.safe_load(PLAN.read_text("utf-8"))
    wanted = sys.argv[1:] or [*shots]
    with tempfile.TemporaryDirectory() as folder:
        pack = Path(folder, "my-game")
        command = [sys.executable, "-m", "rulewright", "new", "pack", pack.name]
        subprocess.run(command, check=True, cwd=folder, stdout=subprocess.DEVNULL)
        places = _tables({name: shots[name] for name in wanted}, Path(folder, "data"), pack)
        with _server(Path(folder, "data"), pack) as address, _browser() as browser:
            for name in wanted:
                if name in places:
                    taken = _taken(browser, address + places[name], shots[name], pack)
                else:
                    taken = _printed(shots[name]["print"], Path(folder))
                _keep(taken, PLAN.parent / f"{name}.png")


def _tables(shots: dict[str, Any], data: Path, pack: Path) -> dict[str, str]:
    """Store the tables that the pictures show; return the address of each picture."""
    store, shelf, places = Store(data / "tables.sqlite"), PackShelf(), {}
    store.open()
    for number, (name, shot) in enumerate(shots.items(), 1):
        if "print" in shot:
            continue
        if "table" not in shot:
            places[name] = shot["page"].replace("{new}", str(pack))
            continue
        spec, lines, program = _played(shelf, shot["table"], pack)
        reader = StoredReader(f"picture-{number}", (0,), True)
        rules = StoredRules(program_hash(program))
        over = shot["table"]["after"] == "end"
        table = StoredTable(number, spec.data(), rules, 0, "", over, (reader,), tuple(lines))
        asyncio.run(store.write(number, add_table(table)))
        places[name] = f"/t/picture-{number}{shot.get('page', '')}"
    store.close()
    return places


def _played(shelf: PackShelf, plan: dict[str, Any], pack: Path) -> tuple[TableSpec, list[str], Any]:
    """Let bots play until the first player has enough options after some answers; return the table's journal."""
    bots = plan["bots"]
    where = str(pack) if plan["pack"] == "new" else plan["pack"]
    playing = TableSpec(where, (), (), tuple(SeatSpec(bot) for bot in bots), plan["seed"])
    table = HostedTable(playing, shelf.rules(playing))
    while table.course.game.result is None and table.course.answers < MOST:
        own = table.course.asked(0)
        late = plan["after"] != "end" and table.course.answers >= plan["after"]
        if late and own and len(own.options) >= plan.get("options", 1) and plan.get("choice", "") in own.choice:
            break
        table.bots(1)
    names = plan.get("names", ["Ann"])
    kinds = [HUMAN, *bots[1:]]
    seats = tuple(SeatSpec(kind, names[n] if n < len(names) else "") for n, kind in enumerate(kinds))
    spec = TableSpec(where, (), (), seats, plan["seed"])
    return spec, table.entries(0), table.rules.program


@contextmanager
def _server(data: Path, pack: Path) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = ["--port", str(port), "--no-open", "--data", str(data)]
    command = [sys.executable, "-m", "rulewright", "serve", str(pack), *options]
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=ROOT)
    address = f"http://127.0.0.1:{port}"
    try:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with suppress(OSError), urlopen(address, timeout=5):
                break
            time.sleep(0.2)
        yield address
    finally:
        running.terminate()
        running.wait()


@contextmanager
def _browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        raise Usage(f"no browser found: install one of {', '.join(BROWSERS)}")
    with sync_playwright() as playing:
        browser = playing.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


def _taken(browser: Any, address: str, shot: dict[str, Any], pack: Path) -> Any:
    """Open a page, do what the plan says there, and return its picture."""
    from PIL import Image

    width, height = shot.get("size", [1440, 900])
    scheme = shot.get("scheme", "light")
    page = browser.new_page(
        viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce"
    )
    page.goto(address)
    page.wait_for_load_state("load")
    for step in shot.get("do", ()):
        (action, target), *_ = step.items()
        if action == "click":
            page.locator(target).first.click()
        elif action == "wait":
            page.wait_for_selector(target, timeout=PATIENCE * 1000)
        elif action == "choose":
            page.select_option(*target)
        elif action == "replace":
            file, before, now = target
            text = (pack / file).read_text("utf-8")
            (pack / file).write_text(text.replace(before, now, 1), "utf-8")
        else:
            raise Usage(f"{PLAN.name}: expected click, wait, choose, or replace, found {action}")
    page.wait_for_timeout(600)
    picture = Image.open(io.BytesIO(page.screenshot()))
    page.close()
    return picture


def _printed(plan: list[str], folder: Path) -> Any:
    """Return the picture of the first printed page."""
    from pypdfium2 import PdfDocument

    file = folder / "printed.pdf"
    command = [sys.executable, "-m", "rulewright", "print", *plan, "-o", str(file)]
    subprocess.run(command, check=True, cwd=ROOT, stdout=subprocess.DEVNULL)
    page = PdfDocument(file)[0]
    return page.render(scale=PRINTED / page.get_width()).to_pil()


def _keep(picture: Any, path: Path) -> None:
    """Write a picture with few colours."""
    from PIL import Image

    few = picture.convert("RGB").quantize(COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=2, dither=Image.Dither.NONE)
    few.save(path, optimize=True)
    say(f"{path.relative_to(ROOT)}: {path.stat().st_size // 1024} KB")


if __name__ == "__main__":
    main()
