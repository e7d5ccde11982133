"""Klondike, in one pass or with redeals, and Simple Simon side by side with Solvitaire, deal by deal.

    SOLVITAIRE=path/to/solvitaire python -m benchmarks.peers.solvitaire [FIRST-LAST] [--json FILE]

Solvitaire has to be built by who wants the comparison (github.com/thecharlieblake/Solvitaire). It gets each
deal as a file of its own JSON, with rules of its own schema, as ``solvitaire --custom-rules RULES DEAL
--classify --timeout MS``. It answers in a line of fields with commas between; the last one is the verdict.

klondike-one-pass: "solved" there is all 52 cards up, our tier triple; "unsolvable" is a score bound below it.
Both programs claim both, so that any difference is a fault of one of them. We look for the greatest score
besides, which it does not. klondike is one game in both; Solvitaire moves part of a run only to free a card
that goes up, which loses nothing.

Simple Simon: the published program ignores the rule by which only complete runs leave, since the name of the
flag in its schema is not the one it reads. A position that is lost at once under the real rules, and won by
putting cards up one by one, tells which program it is. Verdicts of the published one belong to another game:
they are counted, and no agreement is asked for. With the flag read, what remains is narrower than the game (a
run of several cards goes only on its own suit, and a complete run leaves only as a whole column): "solved"
must be winnable here, and "unsolvable" is no claim about the game.

Times are processor time: of its whole process, and here of a deal in a batch, with dealing and replay.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from winnable.rules import Variant, find_variant
from winnable.rules.formats import read_deal
from winnable.rules.formats.solvitaire import solvitaire_object
from winnable.solver import Limits
from winnable.solver.core.record import UNWINNABLE, WINNABLE

from ..figures import check_writable, circumstances, decide_seed, fail, kernel_of, positive, write_json
from . import processes as peers

KLONDIKE = {
    "tableau piles": {
        "count": 7,
        "build policy": "red-black",
        "spaces policy": "kings",
        "move built group": "yes",
        "diagonal deal": True,
        "face up cards": "top",
    },
    "foundations": {"removable": False},
    "stock": {"size": 24, "deal type": "waste", "deal count": 1, "redeal": False},
}
RULES: dict[str, dict[str, Any]] = {
    "klondike-one-pass": KLONDIKE,
    "klondike": {
        "tableau piles": KLONDIKE["tableau piles"] | {"move built group": "partial-if-card-above-buildable"},
        "foundations": {"removable": True},
        "stock": KLONDIKE["stock"] | {"deal count": 3, "redeal": True},
    },
    "simple-simon": {
        "tableau piles": {
            "count": 10,
            "build policy": "any-suit",
            "move built group": "yes",
            "move built group policy": "same-suit",
            "diagonal deal": True,
        },
        "foundations": {"only complete pile moves": True},
    },
}
PROBE = """\
9C 8C 7C 6C 5H 4C 2D AC
9D 8D 7D 6D 5S 4D 2C AD
TC 9H 8H 7H 6H 4H 2S AH
9S 8S 7S 6S 4S 2H AS
KS KC QC JC TD 3C
KD QD JD TH 3D
QH JH TS 3H
QS JS 3S
KH 5C
5D
"""
"""A position of Simple Simon without a legal move; with free foundations all cards go up one by one."""

ANSWERS = ("solved", "unsolvable", "timed-out", "memory-limit-reached", "terminated")
OURS = ("solved", "unsolvable", "undecided")


def main(arguments: Sequence[str] | None = None) -> int:
    words = peers.peer_parser(__doc__, "1-100", os.environ.get("SOLVITAIRE", "solvitaire"))
    words.add_argument("--game", action="append", choices=list(RULES), help="by default each of them")
    words.add_argument(
        "--timeout", type=positive, default=2000, metavar="MS", help="wall time of both, a deal"
    )
    options = words.parse_args(arguments)
    seeds = options.deals
    check_writable(options.json)
    program = peers.find_program(options.program, "give the path of Solvitaire by --program or SOLVITAIRE")
    games: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as folder:
        asker = Asker(program, options.timeout, Path(folder))
        for name in options.game or RULES:
            games[name] = compare(find_variant(name), seeds, asker)
            if games[name]["deals"] < len(seeds):
                break
    data = {"benchmark": "peers-solvitaire", **circumstances(), "timeout": options.timeout, "games": games}
    write_json(options.json, data)
    print(markdown(data))
    is_complete = all(game["deals"] == len(seeds) for game in games.values())
    return peers.status_of(any(game["wrong"] for game in games.values()), is_complete)


class Asker:
    """Asks Solvitaire for verdicts, through files in ``folder``."""

    def __init__(self, program: str, timeout: int, folder: Path) -> None:
        self.program = program
        self.timeout = timeout
        self.rules, self.deal = folder / "rules.json", folder / "deal.json"

    def ask(self, variant: Variant, state: Any) -> tuple[str, float]:
        """The answer, one of `ANSWERS`, and the seconds of its process. Exits if there is none."""
        self.rules.write_text(json.dumps(RULES[variant.name]))
        self.deal.write_text(json.dumps(solvitaire_object(variant, state)))
        command = (self.program, "--custom-rules", str(self.rules), str(self.deal), "--classify")
        done = peers.run(
            (*command, "--timeout", str(self.timeout)), wall_seconds=2 * self.timeout / 1000 + 10
        )
        if not done.ended:
            return "timed-out", done.seconds
        answer = done.output.strip().rpartition("\n")[2].rpartition(",")[2].strip()
        if answer not in ANSWERS:
            complaint = (done.complaint.strip() or done.output.strip() or "nothing").splitlines()[-1]
            fail(f"{self.program}: no verdict in its answer: {complaint}")
        return answer, done.seconds


def compare(variant: Variant, seeds: range, asker: Asker) -> dict[str, Any]:
    """The answers of both programs for ``seeds``. Ctrl-C ends it after what is done."""
    kernel = kernel_of(variant, Limits(seconds=asker.timeout / 1000, megabytes=1000))
    real_rules = _reads_flag(variant, asker) if variant.name == "simple-simon" else True

    def compare_deal(seed: int) -> peers.Row:
        answer, theirs = asker.ask(variant, variant.deal(seed))
        record = decide_seed(kernel, variant, seed)
        return peers.Row(seed, answer, theirs, _our_answer(variant, record), record["microseconds"] / 1e6)

    rows = peers.rows_of(seeds, compare_deal)
    both = [row for row in rows if row.answer in OURS and row.our_answer != "undecided"]
    claims = _claims(variant, real_rules)
    return {
        "first": seeds[0],
        "deals": len(rows),
        "real_rules": real_rules,
        "claims": claims,
        **peers.counts_of(rows, ANSWERS, OURS),
        "wrong": [row.seed for row in both if row.answer in claims and row.answer != row.our_answer],
        "decided_by_both": len(both),
        "ratios": peers.ratios([row.theirs for row in both], [row.ours for row in both]),
    }


def _reads_flag(variant: Variant, asker: Asker) -> bool:
    """Test if this Solvitaire takes the probe as lost, as it is in Simple Simon."""
    return asker.ask(variant, read_deal(variant, PROBE.encode(), "probe").state)[0] == "unsolvable"


def _claims(variant: Variant, real_rules: bool) -> list[str]:
    """The answers of Solvitaire that claim something about this game."""
    if not real_rules:
        return []
    return ["solved"] if variant.name == "simple-simon" else ["solved", "unsolvable"]


def _our_answer(variant: Variant, record: Any) -> str:
    if not variant.scoring:
        return {WINNABLE: "solved", UNWINNABLE: "unsolvable"}.get(int(record["verdict"]), "undecided")
    places = variant.deck().places
    if record["score"] == places:
        return "solved"
    return "unsolvable" if record["exact"] or record["score_bound"] < places else "undecided"


def markdown(data: dict[str, Any]) -> str:
    """The figures as tables with what they count; the argument is what `--json` writes."""
    return "\n".join(_section(name, game, data["timeout"]) for name, game in data["games"].items())


def _section(name: str, game: dict[str, Any], timeout: int) -> str:
    last = game["first"] + game["deals"] - 1
    lines = [
        f"{name}, seeds {game['first']}-{last}, {timeout} ms a deal. {_told_rules(name, game)}",
        "",
        "| Solvitaire | here: solved | unsolvable | undecided |",
        "|---|---|---|---|",
    ]
    for answer, counts in game["table"].items():
        if any(counts.values()):
            lines.append(f"| {answer} | {' | '.join(str(counts[ours]) for ours in OURS)} |")
    lines += peers.times_table("Solvitaire", game)
    if game["ratios"]:
        lines += [
            f"Theirs / ours on the {game['decided_by_both']} deals that both decided: median "
            f"{game['ratios']['median']:.1f}, of the sums {game['ratios']['of_sums']:.1f}.",
            "",
        ]
    return "\n".join(lines)


def _told_rules(name: str, game: dict[str, Any]) -> str:
    if not game["real_rules"]:
        return (
            "This Solvitaire does not read the flag for complete runs: its verdicts belong to another game, "
            "and neither they nor the times compare."
        )
    agreed = peers.agreement(game["wrong"])
    if name == "simple-simon":
        agreed += ' Its rules are narrower: "unsolvable" there is no claim about the game.'
    return agreed


if __name__ == "__main__":
    sys.exit(main())
