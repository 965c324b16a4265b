"""Findings about dependencies between packs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulewright.ruleset.common.diagnostic import Diagnostic, Label
from rulewright.ruleset.common.versions import ANY, distance, instead
from rulewright.ruleset.packs.manifest import Head, Link, Need

PLACES = (
    "packs are searched for next to this pack's folder, in the folders of RULEWRIGHT_PACKS, in your packs folder, "
    "in installed Python packages, and among the packs shipped with rulewright; `rulewright packs` lists them"
)
"""Where needed packs are searched."""

_VERBS = {"extends": "extends", "requires": "requires", "after": "comes after"}


def missing(links: Sequence[Link]) -> Diagnostic:
    """Report a needed pack that does not exist."""
    first, *more = sorted(links, key=lambda link: link.need.span)
    message = f"{_clause(first)}, but no pack of that name was found"
    labels = tuple(Label(link.need.span, f"`{link.pack.pack}` requires it, too") for link in more)
    return Diagnostic("RW610", first.need.span, message, PLACES, labels)


def other_version(link: Link, there: Head) -> Diagnostic:
    """Report a needed pack that has the wrong version."""
    needed = f"`{link.pack.pack}` {_VERBS[link.word]} `{there.pack}` with version `{link.need.versions}`"
    if there.version == "0":
        message, label = f"{needed}, but it has no version", "this has no `version`"
        hint = f'give `{there.pack}` a `version`, such as `1.0.0`, or write `"*"` here for any version'
        return Diagnostic("RW611", link.need.span, message, hint, (Label(there.span, label),))
    side = distance(there.version, link.need.versions)
    message = f"{needed}, but {there.version} is {'not allowed' if side == 'none of these' else side}"
    hint = f"get a newer version of `{there.pack}`"
    if side != "too old":
        hint = f"get a version of `{link.pack.pack}` that is made for {there.version}"
        hint += "; if it works with this version, write a wider range here"
    return Diagnostic("RW611", link.need.span, message, hint, (_version_of(there),))


def no_range(need: Need) -> Diagnostic:
    """Report an invalid range of versions."""
    said = f"`{need.versions}` is" if need.versions.strip() else "this is"
    message = f"{said} not a valid range of versions for `{need.pack}`"
    return Diagnostic("RW612", need.span, message, instead(need.versions))


def circle(links: Sequence[Link]) -> Diagnostic:
    """Report packs that extend or require one another in a cycle."""
    first = links[0]
    if len(links) == 1:
        message = f"`{first.pack.pack}` {_VERBS[first.word]} itself"
        return Diagnostic("RW613", first.need.span, message, "remove this line")
    message = f"`{first.pack.pack}` requires itself, through other packs: {_path(links)}"
    hint = "remove one of these; if only the order matters, use `after`"
    return Diagnostic("RW613", first.need.span, message, hint, _labels(links[1:]))


def circle_of_order(links: Sequence[Link]) -> Diagnostic:
    """Report packs that come after one another in a cycle."""
    at = min(number for number, link in enumerate(links) if link.word == "after")
    first, *more = turned = [*links[at:], *links[:at]]
    if not more:
        message = f"`{first.pack.pack}` comes after itself"
        return Diagnostic("RW614", first.need.span, message, "remove this line")
    message = f"`{first.pack.pack}` comes after itself, through other packs: {_path(turned)}"
    hint = "remove one of these: of two packs, only one can come later"
    return Diagnostic("RW614", first.need.span, message, hint, _labels(more))


def conflict(head: Head, need: Need, other: Head, brought: Link | None) -> Diagnostic:
    """Report two packs that cannot be combined."""
    if head.pack == other.pack:
        message = f"`{head.pack}` conflicts with itself, so it cannot be used"
        return Diagnostic("RW615", need.span, message, "remove this line")
    versions = "" if need.versions == ANY else f" in versions `{need.versions}`; this is {other.version}"
    message = f"`{head.pack}` cannot be combined with `{other.pack}`{versions}"
    return Diagnostic("RW615", need.span, message, "remove one of them", (_coming(other, brought),))


def two_games(games: Sequence[Head], brought: Mapping[str, Link | None]) -> Diagnostic:
    """Report several packs that extend no other: only one pack may be the game."""
    second = games[1]
    names = [f"`{game.pack}`" for game in games]
    message = f"{', '.join(names[:-1])} and {names[-1]} are {len(games)} games: none extends another pack"
    hint = 'name packs of one game; a pack that changes a game requires `extends: {GAME: "*"}`'
    links = {game.pack: brought.get(game.pack) for game in games}
    at = links[second.pack]
    labels = tuple(_coming(game, links[game.pack]) for game in games if game is not second)
    return Diagnostic("RW616", second.span if at is None else at.need.span, message, hint, labels)


def twice(first: Head, second: Head) -> Diagnostic:
    """Report two packs with the same name at different places."""
    label = Label(first.span, "the other one")
    hint = "remove one of them; if they are different packs, rename one"
    return Diagnostic("RW617", second.span, f"two packs are called `{second.pack}`", hint, (label,))


# ------------------------------------------------------------------ parts


def _clause(link: Link) -> str:
    return f"`{link.pack.pack}` {_VERBS[link.word]} `{link.need.pack}`"


def _path(links: Sequence[Link]) -> str:
    """Describe a path through packs: `a` extends `b`, which requires `c`."""
    first, *more = links
    return ", which ".join([_clause(first), *(f"{_VERBS[link.word]} `{link.need.pack}`" for link in more)])


def _labels(links: Sequence[Link]) -> tuple[Label, ...]:
    return tuple(Label(link.need.span, _clause(link)) for link in links)


def _version_of(head: Head) -> Label:
    return Label(head.span, f"this is version {head.version}")


def _coming(head: Head, brought: Link | None) -> Label:
    """Label a pack with the reason for its presence."""
    if brought is None:
        return Label(head.span, f"`{head.pack}` is here")
    return Label(brought.need.span, f"{_clause(brought)}, so it is loaded, too")
