"""Klondike in one pass beside ShootMe's Klondike-Solver, which goes through the stock as often as it likes.

    python -m benchmarks.peers.klondike_solver [FIRST-LAST] --program PATH [--states N] [--json FILE]

Klondike-Solver has to be built by who wants the comparison (github.com/ShootMe/Klondike-Solver). It gets
the deck of each deal by ``-D``, draws one card at a time and looks, with ``-F``, for any line that puts all
cards up; more it does not claim. In its moves ``NEW`` is another pass, and a foundation before a column
takes a card back: a line with neither is one of our game, and the deal must go out here too.

Times are processor time: of its whole process, and here of a deal in a batch, with dealing and replay.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from typing import Any

from winnable.rules import find_variant
from winnable.rules.cards import RANKS, SUITS, format_card
from winnable.solver import Limits

from ..figures import (
    INTERRUPTED,
    check_writable,
    circumstances,
    decide_seed,
    kernel_of,
    milliseconds,
    positive,
    write_json,
)
from .processes import find_program, parse_deals, run, shown_times

GAME = find_variant("klondike-one-pass")
ANSWERS = ("one pass", "more than that", "no line found")
OURS = ("goes out", "cannot go out")
SECONDS = 60.0  # of wall time, after which its process is ended


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("deals", nargs="?", default="1-100", help="seeds FIRST-LAST")
    parser.add_argument("--json", metavar="FILE", help="write the figures there too")
    parser.add_argument("--program", default="KlondikeSolver", help="its path")
    parser.add_argument("--states", type=positive, default=20_000, help="states of its search")
    options = parser.parse_args(arguments)
    seeds = parse_deals(options.deals)
    check_writable(options.json)
    program = find_program(options.program, "give the path of Klondike-Solver by --program")
    data = {
        "benchmark": "peers-klondike-solver",
        **circumstances(),
        "states": options.states,
        **compare(seeds, program, options.states),
    }
    write_json(options.json, data)
    print(markdown(data))
    if data["wrong"]:
        return 1
    return INTERRUPTED if data["deals"] < len(seeds) else 0


def deck_of(state: Any) -> str:
    """The cards of a deal in the order in which they are dealt, row by row and then the stock, three digits
    each: the rank from 01 to 13, and 1 to 4 for clubs, diamonds, spades and hearts."""
    columns = state.columns
    dealt = [columns[column][row] for row in range(len(columns)) for column in range(row, len(columns))]
    names = map(format_card, [*dealt, *state.stock])
    return "".join(f"{RANKS.index(name[0]) + 1:02}{SUITS.index(name[1]) + 1}" for name in names)


def ask(program: str, state: Any, states: int) -> tuple[str, float]:
    """The answer, one of `ANSWERS`, and the seconds of its process."""
    options = ("-DC", "1", "-O", "2", "-F", "-MVS", "-S", str(states))
    done = run((program, "-D", deck_of(state), *options), wall_seconds=SECONDS)
    if not re.match("Minimal solution|Solved", done.output):
        return "no line found", done.seconds
    is_other = re.search(r"\bNEW\b|\b[CDHS][1-7]\b", done.output)
    return ("more than that" if is_other else "one pass"), done.seconds


def compare(seeds: range, program: str, states: int) -> dict[str, Any]:
    """What both programs make of ``seeds``. Ctrl-C ends it after what is done."""
    kernel = kernel_of(GAME, Limits(megabytes=1000))
    rows: list[tuple[int, str, float, str, float]] = []
    try:
        for seed in seeds:
            answer, theirs = ask(program, GAME.deal(seed), states)
            record = decide_seed(kernel, GAME, seed)
            ours = OURS[0] if record["score"] == GAME.deck().places else OURS[1]
            rows.append((seed, answer, theirs, ours, record["microseconds"] / 1e6))
    except KeyboardInterrupt:
        print(f"interrupted after {len(rows)} deals", file=sys.stderr)
    table = {answer: dict.fromkeys(OURS, 0) for answer in ANSWERS}
    for _, answer, _, ours, _ in rows:
        table[answer][ours] += 1
    return {
        "first": seeds[0],
        "deals": len(rows),
        "table": table,
        "wrong": [row[0] for row in rows if (row[1], row[3]) == ("one pass", OURS[1])],
        "theirs": milliseconds([row[2] for row in rows]),
        "ours": milliseconds([row[4] for row in rows]),
    }


def markdown(data: dict[str, Any]) -> str:
    """The figures as tables; the argument is what `--json` writes."""
    last = data["first"] + data["deals"] - 1
    wrong = data["wrong"]
    told = f"DISAGREEMENT on seeds {', '.join(map(str, wrong))}." if wrong else "No disagreement."
    lines = [
        f"Seeds {data['first']}-{last}, {data['states']:,} states of its quick search. {told}",
        "",
        f"| Klondike-Solver | here in one pass: {' | '.join(OURS)} |",
        "|---|---|---|",
        *(
            f"| {answer} | {counts[OURS[0]]} | {counts[OURS[1]]} |"
            for answer, counts in data["table"].items()
        ),
        "",
        "| CPU ms a deal | median | 90 % | most | mean |",
        "|---|---|---|---|---|",
        f"| Klondike-Solver, whole process | {shown_times(data['theirs'])} |",
        f"| winnable, a deal in a batch | {shown_times(data['ours'])} |",
        "",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
