"""Klondike in one pass beside ShootMe's Klondike-Solver, which goes through the stock as often as it likes.

    python -m benchmarks.peers.klondike_solver [FIRST-LAST] --program PATH [--states N] [--json FILE]

Klondike-Solver has to be built by who wants the comparison (github.com/ShootMe/Klondike-Solver). It gets
the deck of each deal by ``-D``, draws one card at a time and looks, with ``-F``, for any line that puts all
cards up; more it does not claim. In its moves ``NEW`` is another pass, and a foundation before a column
takes a card back: a line with neither is one of our game, and the deal must go out here too.

Times are processor time: of its whole process, and here of a deal in a batch, with dealing and replay.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from typing import Any

from winnable.rules import find_variant
from winnable.rules.formats.klondike_deals import format_digits
from winnable.solver import Limits

from ..figures import check_writable, circumstances, decide_seed, kernel_of, positive, write_json
from . import processes as peers

GAME = find_variant("klondike-one-pass")
ANSWERS = ("one pass", "more than that", "no line found")
OURS = ("goes out", "cannot go out")
SECONDS = 60.0  # of wall time, after which its process is ended


def main(arguments: Sequence[str] | None = None) -> int:
    words = peers.peer_parser(__doc__, "1-100", "KlondikeSolver")
    words.add_argument("--states", type=positive, default=20_000, help="states of its search")
    options = words.parse_args(arguments)
    seeds = options.deals
    check_writable(options.json)
    program = peers.find_program(options.program, "give the path of Klondike-Solver by --program")
    figures = compare(seeds, program, options.states)
    data = {"benchmark": "peers-klondike-solver", **circumstances(), "states": options.states, **figures}
    write_json(options.json, data)
    print(markdown(data))
    return peers.status_of(bool(data["wrong"]), data["deals"] == len(seeds))


def ask(program: str, state: Any, states: int) -> tuple[str, float]:
    """The answer, one of `ANSWERS`, and the seconds of its process."""
    options = ("-DC", "1", "-O", "2", "-F", "-MVS", "-S", str(states))
    done = peers.run((program, "-D", format_digits(GAME, state).strip(), *options), wall_seconds=SECONDS)
    if not re.match("Minimal solution|Solved", done.output):
        return "no line found", done.seconds
    is_other = re.search(r"\bNEW\b|\b[CDHS][1-7]\b", done.output)
    return ("more than that" if is_other else "one pass"), done.seconds


def compare(seeds: range, program: str, states: int) -> dict[str, Any]:
    """The answers of both programs for ``seeds``. Ctrl-C ends it after what is done."""
    kernel = kernel_of(GAME, Limits(megabytes=1000))

    def compare_deal(seed: int) -> peers.Row:
        answer, theirs = ask(program, GAME.deal(seed), states)
        record = decide_seed(kernel, GAME, seed)
        ours = OURS[0] if record["score"] == GAME.deck().places else OURS[1]
        return peers.Row(seed, answer, theirs, ours, record["microseconds"] / 1e6)

    rows = peers.rows_of(seeds, compare_deal)
    wrong = [row.seed for row in rows if (row.answer, row.our_answer) == ("one pass", OURS[1])]
    return {"first": seeds[0], "deals": len(rows), "wrong": wrong, **peers.counts_of(rows, ANSWERS, OURS)}


def markdown(data: dict[str, Any]) -> str:
    """The figures as tables; the argument is what `--json` writes."""
    last = data["first"] + data["deals"] - 1
    quick = f"{data['states']:,} states of its quick search"
    lines = [
        f"Seeds {data['first']}-{last}, {quick}. {peers.agreement(data['wrong'])}",
        "",
        f"| Klondike-Solver | here in one pass: {' | '.join(OURS)} |",
        "|---|---|---|",
        *(f"| {answer} | {row[OURS[0]]} | {row[OURS[1]]} |" for answer, row in data["table"].items()),
        *peers.times_table("Klondike-Solver", data),
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
