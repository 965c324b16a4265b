"""Play the reference games on the walker, write the files, and say how many lines changed."""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Iterable

from tests.reference.recording import GAMES, GROUPS, TOLD, play, read_games, read_told, tables, tell, told


def changed(before: Iterable[list[str]], after: str) -> str:
    old, new = Counter(line for lines in before for line in lines), Counter(after.splitlines())
    return f"{new.total()} lines, {(new - old).total()} new, {(old - new).total()} gone"


if __name__ == "__main__":
    lines = sorted(one.line for group in GROUPS for table in tables(group) for one in play(table, "walker"))
    games = "".join(f"{line}\n" for line in lines)
    texts = "".join(f"{text}\n" for text in sorted(tell(table).text for table in told()))
    print(f"{GAMES.name}: {changed(read_games().values() if GAMES.exists() else (), games)}")
    print(f"{TOLD.name}: {changed(read_told().values() if TOLD.exists() else (), texts)}")
    GAMES.write_text(games, "utf-8", newline="\n")
    TOLD.write_bytes(gzip.compress(texts.encode("utf-8"), mtime=0))
