"""Find the line whose indentation is odd, when two lines do not match."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

_LINE = re.compile(r"^( *)(?![ \n#])[^\n]+", re.MULTILINE)
_USUAL = Counter({2: 2})
"""What most authors write: counts until a text has more lines of another step."""


def odd_line(text: str, at: int) -> tuple[int, int] | None:
    """Return the range of the line above that does not match the line at `at`; None if that line itself is odd.

    A line above is odd if it is indented by another step than the rest of the text, and the line at `at` would
    follow by the usual step without it.
    """
    lines = [(found.start(1), found.end(1), found.end()) for found in _LINE.finditer(text)]
    number = next((one for one, (start, _, end) in enumerate(lines) if start <= at <= end), 0)
    depths = [begin - start for start, begin, _ in lines]
    steps = _USUAL + Counter(after - before for before, after in pairwise(depths) if after > before)
    step = steps.most_common(1)[0][0]
    if not number:
        return None
    depth = depths[number]
    above = depths[:number]
    deeper = len(above)
    while deeper and above[deeper - 1] > depth:
        deeper -= 1
    if deeper == number:  # the line directly above is no deeper
        odd = number - 1
        if above[odd] == depth:
            return None
        outer = next((one for one in reversed(above[:odd]) if one < above[odd]), None)
    else:
        odd = deeper
        alone = above[odd:].count(above[odd]) == 1 and above[odd] == min(above[odd:])
        outer = above[odd - 1] if odd and alone else None
    if outer is None or depth - outer != step or above[odd] - outer == step:
        return None
    return lines[odd][1], lines[odd][2]
