"""Findings about dependencies between packs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ruleset.common.diagnostic import Diagnostic, Label
from ruleset.common.versions import ANY, distance, instead
from ruleset.packs.manifest import Head, Link, Need

PLACES = (
    "packs are looked for beside this pack's folder, in the folders that RULEWRIGHT_PACKS names, in your folder of "
    "packs, among installed Python packages and among those that come with rulewright; `rulewright packs` lists all"
)
"""Where needed packs are searched."""

_VERBS = {"extends": "extends", "requires": "requires", "after": "comes after"}


def missing(links: Sequence[Link]) -> Diagnostic:
    """Report a needed pack that does not exist."""
    first, *more = sorted(links, key=lambda link: link.need.span)
    message = f"{_clause(first)}, and there is no pack of that name"
    labels = tuple(Label(link.need.span, f"`{link.pack.pack}` needs it, too") for link in more)
    return Diagnostic("RW610", first.need.span, message, PLACES, labels)


def other_version(link: Link, there: Head) -> Diagnostic:
    """Report a needed pack that has the wrong version."""
    needed = f"`{link.pack.pack}` {_VERBS[link.word]} `{there.pack}` in a version `{link.need.versions}`"
    if there.version == "0":
        message, label = f"{needed}, and it has no version", "this has no `version`"
        hint = f'give `{there.pack}` a `version`, such as `1.0.0`, or write `"*"` here for any'
        return Diagnostic("RW611", link.need.span, message, hint, (Label(there.span, label),))
    side = distance(there.version, link.need.versions)
    message = f"{needed}, and {there.version} is {side}"
    hint = f"get a newer version of `{there.pack}`"
    if side != "too old":
        hint = f"get a version of `{link.pack.pack}` that is made for {there.version}"
        hint += "; if it fits as it is, write a wider range here"
    return Diagnostic("RW611", link.need.span, message, hint, (_version_of(there),))


def no_range(need: Need) -> Diagnostic:
    """Report an invalid range of versions."""
    said = f"`{need.versions}` is" if need.versions.strip() else "this is"
    message = f"{said} no range of versions, which `{need.pack}` needs here"
    return Diagnostic("RW612", need.span, message, instead(need.versions))


def circle(links: Sequence[Link]) -> Diagnostic:
    """Report packs that extend or require one another in a cycle."""
    first = links[0]
    if len(links) == 1:
        message = f"`{first.pack.pack}` {_VERBS[first.word]} itself"
        return Diagnostic("RW613", first.need.span, message, "remove this line")
    message = f"`{first.pack.pack}` needs itself in the end: {_path(links)}"
    hint = "remove one of these; where only the order matters, write it under `after`"
    return Diagnostic("RW613", first.need.span, message, hint, _labels(links[1:]))


def circle_of_order(links: Sequence[Link]) -> Diagnostic:
    """Report packs that come after one another in a cycle."""
    at = min(number for number, link in enumerate(links) if link.word == "after")
    first, *more = turned = [*links[at:], *links[:at]]
    if not more:
        message = f"`{first.pack.pack}` comes after itself"
        return Diagnostic("RW614", first.need.span, message, "remove this line")
    message = f"`{first.pack.pack}` comes after itself in the end: {_path(turned)}"
    hint = "remove one of these: of two packs only one comes later and has the last word"
    return Diagnostic("RW614", first.need.span, message, hint, _labels(more))


def conflict(head: Head, need: Need, other: Head, brought: Link | None) -> Diagnostic:
    """Report two packs that cannot be combined."""
    if head.pack == other.pack:
        message = f"`{head.pack}` is in conflict with itself, so it could never be used"
        return Diagnostic("RW615", need.span, message, "remove this line")
    versions = "" if need.versions == ANY else f" in a version `{need.versions}`, and {other.version} is there"
    message = f"`{head.pack}` cannot be combined with `{other.pack}`{versions}"
    return Diagnostic("RW615", need.span, message, "leave one of them out", (_coming(other, brought),))


def two_games(games: Sequence[Head], brought: Mapping[str, Link | None]) -> Diagnostic:
    """Report several packs that extend no other: only one pack may be the game."""
    second = games[1]
    names = [f"`{game.pack}`" for game in games]
    message = f"{', '.join(names[:-1])} and {names[-1]} are {len(games)} games: none of them extends another pack"
    hint = 'name packs of one game; a pack that changes a game says which: `extends: {GAME: "*"}`'
    links = {game.pack: brought.get(game.pack) for game in games}
    at = links[second.pack]
    labels = tuple(_coming(game, links[game.pack]) for game in games if game is not second)
    return Diagnostic("RW616", second.span if at is None else at.need.span, message, hint, labels)


def twice(first: Head, second: Head) -> Diagnostic:
    """Report two packs with the same name at different places."""
    label = Label(first.span, "this is the other one")
    hint = "leave one of them out; if they are different packs, rename one"
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
    return Label(brought.need.span, f"{_clause(brought)}, which brings it along")
