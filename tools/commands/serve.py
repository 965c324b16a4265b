"""`rulewright serve`: the browser application."""

from __future__ import annotations

import ipaddress
import os
import secrets
import socket
import webbrowser
from collections.abc import Sequence
from pathlib import Path

from rulewright.tools.common.errors import CLEAN, Usage
from rulewright.tools.common.output import say, warn
from rulewright.tools.packs import loading
from rulewright.tools.playing.save_file import games_folder

LOOPBACK = ("localhost", "127.0.0.1", "::1")
FILE = "tables.sqlite"
FEWEST_WORKERS = 2


def serve(
    packs: Sequence[str], host: str, port: int, browser: bool, data: str | None, workers: int | None, language: str
) -> int:
    """Serve until interrupted. Raises Usage if a pack is not found or the address cannot be used."""
    found = [str(loading.find(pack)) for pack in packs]
    listening = _listening(host, port)
    alone = _is_loopback(host)
    key = "" if alone else secrets.token_urlsafe(12)
    port = listening.getsockname()[1]
    name = f"[{host}]" if ":" in host else host
    address = f"{name}:{port}"
    from rulewright.tools.browser.server.app import application
    from rulewright.tools.browser.server.site import ServerSite, Settings

    hosts = (*LOOPBACK, host.lower()) if alone else ()
    count = workers if workers is not None else max(FEWEST_WORKERS, os.cpu_count() or 1)
    site = ServerSite(Settings(tuple(found), _file(data), count, hosts, key, address, language))
    app = application(site)
    link = f"http://{address}/{'?key=' + key if key else ''}"
    say(f"Rulewright is at {link}")
    if not alone:
        warn(
            f"everybody who can reach {address} can open links to tables; the address above, with its key, "
            "also opens the lobby"
        )
    say("Stop it with Ctrl-C.")
    if browser:
        webbrowser.open(link)
    from rulewright.tools.browser.server.connections import run

    run(app, site, listening)
    return CLEAN


def _file(data: str | None) -> Path | None:
    """Return the file of the tables; None if the user keeps no games."""
    if data is not None:
        return Path(data, FILE)
    folder = games_folder()
    return folder.parent / FILE if folder is not None else None


def _listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens. Raises Usage."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        # With the protocol named, asyncio turns off the delay of small packets: replies come 40 ms sooner.
        made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen(512)
    except UnicodeError:  # no name of a computer
        raise Usage(f"cannot listen on {host!r:.80}: expected an address or the name of this computer") from None
    except OSError as error:
        raise Usage(
            f"cannot listen on {host}, port {port}: {error.strerror or error}; name another --port, or 0 for any"
        ) from None
    return made


def _is_loopback(host: str) -> bool:
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
