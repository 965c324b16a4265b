"""What other programs read of a table as JSON."""

from __future__ import annotations

import asyncio

from tests.browser.served import serving


def test_the_state_says_who_is_asked() -> None:
    """All readers see the seat: the one that is asked, another one, and spectators."""

    async def looked() -> None:
        async with serving() as served:
            table = await served.open("tutorial", [("human", "Ann"), ("human", "Ben")], (1,))
            assert table.status["asked"] == [0]
            for token in table.readers:
                (asked,) = (await served.state(token))["asked"]
                assert (asked["seat"], asked["answered"]) == (0, False)

    asyncio.run(looked())
