"""How long the board takes from a move to the verdict of the position after it.

    python -m benchmarks.board_latency [--moves 200] [VARIANT ...]

Moves are made by chance from the deals of the first seeds, as a page asks for them; the time is that of the
server, from the message to the verdict that it sends. Printed for each game: the median, 90 % and the most.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import random
import statistics
import time
from typing import Any

from winnable.board.socket_session import Settings, SocketSession
from winnable.rules import VARIANTS
from winnable.solver import Limits

_PATIENCE = 10.0  # seconds for a verdict, after which the move counts as so long
_LONGEST = 40  # moves of one game


class _Page:
    """What a page hears: the last answer, and when the verdict of a position came."""

    def __init__(self) -> None:
        self.answer: dict[str, Any] = {}
        self.verdict = asyncio.Event()
        self.node = -1

    def take(self, message: dict[str, Any]) -> None:
        if "id" in message:
            self.answer = message
        if message["type"] == "nodes":
            if any(node["node"] == self.node and node["judged"] for node in message["nodes"]):
                self.verdict.set()
        elif message["type"] == "analysis" and message["node"] == self.node and message["verdict"]:
            self.verdict.set()


async def measure(game: str, moves: int) -> list[float]:
    """The seconds from each of so many moves to its verdict."""
    chance, page, seconds = random.Random(game), _Page(), []
    talk = SocketSession(Settings(Limits(seconds=_PATIENCE, megabytes=400)), page.take)
    for seed in range(1, moves + 1):
        await talk.handle({"type": "open", "id": 1, "game": game, "from": {"seed": seed}})
        position = page.answer["position"]
        for _ in range(_LONGEST):
            if not position["moves"] or len(seconds) == moves:
                break
            page.node, page.verdict = position["node"] + 1, asyncio.Event()
            text = chance.choice(position["moves"])["text"]
            began = time.perf_counter()
            await talk.handle({"type": "move", "id": 2, "text": text})
            position = page.answer
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(page.verdict.wait(), _PATIENCE + 1)
            seconds.append(time.perf_counter() - began)
    await talk.close()
    return seconds


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("variants", nargs="*", default=list(VARIANTS), metavar="VARIANT")
    parser.add_argument("--moves", type=int, default=200)
    asked = parser.parse_args()
    print(f"{'game':<24} {'median':>9} {'90 %':>9} {'most':>9}")
    for game in asked.variants:
        found = sorted(asyncio.run(measure(game, asked.moves)))
        shown = (statistics.median(found), found[int(0.9 * (len(found) - 1))], found[-1])
        print(f"{game:<24} " + " ".join(f"{1000 * value:>6.1f} ms" for value in shown), flush=True)


if __name__ == "__main__":
    main()
