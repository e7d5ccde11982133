"""Proofs of fewest moves from positions along a line: the earliest from which the rest is proved.

    python -m benchmarks.endings [--variant NAME]... [--deals N] [--work N] [--json FILE]

The line of each deal that can be won, made shorter with as much work as a proof gets, is followed from its
end: ten moves from the end, twenty, and so on a shortest line is looked for from there. What is proved is
told by moves left. After two positions in a row without a proof a deal is given up.
"""

import sys
from collections.abc import Sequence
from typing import Any

from winnable.rules import State, Variant
from winnable.solver import Limits, find_shortest

from .figures import check_writable, kernel_of, measure_games, parser, positive, write_json
from .gap import MEGABYTES
from .published.page import table

VARIANTS = ("joker", "klondike-draw-one")
STEP = 10  # moves


def main(arguments: Sequence[str] | None = None) -> int:
    words = parser(__doc__)
    words.add_argument("--variant", action="append", choices=VARIANTS, help="by default all")
    words.add_argument("--deals", type=positive, default=12, help="of each game")
    words.add_argument("--work", type=positive, default=1_000_000, help="units for a search")
    options = words.parse_args(arguments)
    check_writable(options.json)
    data, status = measure_games("endings", options, VARIANTS, _measure)
    write_json(options.json, data)
    print(markdown(data))
    return status


def _measure(variant: Variant, deals: int, work: int) -> dict[str, Any]:
    """The deals of a game that have a line, and by moves left how many of them are proved from there."""
    kernel_of(variant, Limits())
    reached = [_reach(variant, variant.deal(seed), work) for seed in range(1, deals + 1)]
    reached = [proofs for proofs in reached if proofs is not None]
    marks = sorted({left for proofs in reached for left in proofs})
    return {
        "variant": variant.name,
        "deals": len(reached),
        "points": [{"left": left, "proved": sum(left in proofs for proofs in reached)} for left in marks],
    }


def _reach(variant: Variant, state: State, work: int) -> list[int] | None:
    """The moves left of the positions of a deal's line from where the rest is proved; None without a line."""
    limits = Limits(megabytes=MEGABYTES, work=work)
    line = find_shortest(variant, state, limits).moves
    if not line:
        return None
    states = [state]
    for move in line:
        states.append(variant.family.apply(states[-1], move))
    proved, failures = [], 0
    for left in range(STEP, len(line) + 1, STEP):
        if find_shortest(variant, states[len(line) - left], limits).shortest:
            proved.append(left)
            failures = 0
        else:
            failures += 1
        if failures == 2:
            break
    print(f"{variant.name}: {len(line)} moves, proved from {proved[-1:]} before the end", file=sys.stderr)
    return proved


def markdown(data: dict[str, Any]) -> str:
    """The figures as a table, with a column for each number of moves left."""
    marks = sorted({point["left"] for game in data["games"] for point in game["points"]})
    rows = []
    for game in data["games"]:
        proved = {point["left"]: str(point["proved"]) for point in game["points"]}
        rows.append([game["variant"], str(game["deals"]), *(proved.get(mark, "") for mark in marks)])
    text = (
        "The number of deals in which the fewest moves are proved from the position that is so many moves "
        f"before the end of the line found, within {data['work']:,} units of work."
    )
    return f"{text}\n\n{table(('variant', 'deals', *map(str, marks)), rows)}"


if __name__ == "__main__":
    sys.exit(main())
