"""The arguments of `rulewright simulate`."""

from __future__ import annotations

from attrs import frozen


@frozen
class Arguments:
    """The arguments of the command."""

    pack: str
    games: int
    players: str | None
    seats: str | None
    seed: int
    backend: str
    jobs: int | None
    options: tuple[str, ...]
    every_option: bool
    tables: int
    versus: str | None
    versus_options: tuple[str, ...]
    usage: bool
    as_json: bool
    out: str | None = None
    cluster: str | None = None
    more: tuple[str, ...] = ()
    series: bool = False

    @property
    def plain(self) -> bool:
        """Whether nothing is asked for but games between random players at one table, counted."""
        several = self.every_option or (self.players is not None and not self.players.isdecimal())
        compared = self.versus is not None or self.versus_options
        elsewhere = self.jobs is not None or self.cluster is not None or self.backend not in ("auto", "native")
        more = self.seats is not None or self.usage or self.out is not None
        return not (several or compared or elsewhere or more)
