"""Other solvers beside ours on equal terms: the same deals, the same rules, the same processor time.

    python -m benchmarks.peers [FIRST-LAST] --peer NAME=PATH [--peer ...] [--game GAME] [--cpu-seconds N]

Solvers have to be obtained and built by who wants the comparison: `solvitaire`
(github.com/thecharlieblake/Solvitaire, or its fork github.com/turingfan/ReSolvitaire), `klondike-solver`
(github.com/ShootMe/Klondike-Solver), `pyksolve` (PyPI; the same program within Python, PATH is a Python that
has it), `fc-solve` (Debian's freecell-solver-bin). docs/peers.md has what is measured; memory is the greatest
resident set.

The deal that a peer gets is read back by our readers and must be the same. Its rules are held to ours by
its answers: lines of Klondike-Solver are replayed by `rules`; a verdict that differs from ours, an illegal
line, or another proved fewest number of moves is a contradiction. Solvitaire ignores a rule of Simple Simon,
which a position tells that is lost at once under it, or its game is narrower (a run of several cards goes
only on its own suit), so that "unsolvable" is no claim. Neither is it of fc-solve, whose moves do not cover
the game.
"""

import json
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from winnable.rules import State, Variant, find_variant
from winnable.rules.cards import SUITS
from winnable.rules.formats import read_deal
from winnable.rules.formats.fc_solve import format_fc_solve
from winnable.rules.formats.klondike_deals import format_digits
from winnable.rules.formats.solvitaire import solvitaire_object
from winnable.rules.hidden_cards import FOUNDATION, STOCK, WASTE
from winnable.solver import Limits, find_shortest
from winnable.solver.core.record import UNWINNABLE, WINNABLE, Record

from .figures import (
    INTERRUPTED,
    Run,
    check_writable,
    circumstances,
    decide_seed,
    fail,
    kernel_of,
    parse_deals,
    parser,
    run,
    shown_number,
    write_json,
)
from .published.page import table

TABLEAU = {"build policy": "red-black", "spaces policy": "kings", "move built group": "yes"}
KLONDIKE = {
    "tableau piles": {"count": 7, **TABLEAU, "diagonal deal": True, "face up cards": "top"},
    "foundations": {"removable": False},
    "stock": {"size": 24, "deal type": "waste", "deal count": 1, "redeal": False},
}
PARTS = KLONDIKE["tableau piles"] | {"move built group": "partial-if-card-above-buildable"}
REDEALS = KLONDIKE | {"tableau piles": PARTS, "foundations": {"removable": True}}
SOLVITAIRE_RULES: dict[str, dict[str, Any]] = {
    "klondike-one-pass": KLONDIKE,
    "klondike": REDEALS | {"stock": KLONDIKE["stock"] | {"deal count": 3, "redeal": True}},
    "klondike-draw-one": REDEALS | {"stock": KLONDIKE["stock"] | {"redeal": True}},
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

PYKSOLVE = """\
import sys
from pyksolve.solver import Solitaire
game = Solitaire()
game.draw_count = int(sys.argv[2])
game.load_solitaire(sys.argv[1])
game.reset_game()
result = game.solve_minimal()
print(result.name, game.moves_made_normalized_count)
print(game.moves_made())
"""
SAMPLE = 5  # processes with nothing to do


@dataclass(frozen=True)
class Answer:
    """An answer of a peer: ``solved``, ``unsolvable`` or ``undecided``, the processor seconds and megabytes
    of its process, and the ``line`` in its notation, which ``is_fewest`` claims to be shortest."""

    verdict: str
    seconds: float
    megabytes: float
    line: str | None = None
    is_fewest: bool = False


# --- Peers ----------------------------------------------------------------------------------------------


class Peer:
    """A solver to compare with, at ``path``."""

    games: tuple[str, ...]
    claims = ("solved", "unsolvable")
    nothing: tuple[str, ...]  # arguments with which it has nothing to do

    def __init__(self, path: str, cpu_seconds: float) -> None:
        self.path = path
        self.limit = cpu_seconds
        self.start = min(run((path, *self.nothing)).seconds for _ in range(SAMPLE))

    def run(self, *arguments: str, text: str = "") -> Run:
        """Run it; the seconds are less those of its start."""
        done = run((self.path, *arguments), text, self.limit + self.start)
        return Run(done.output, max(0.0, done.seconds - self.start), done.megabytes)

    def ask(self, variant: Variant, state: State) -> Answer:
        """The answer for a deal. Exits if the peer got another one."""
        raise NotImplementedError

    def claims_of(self, variant: Variant) -> tuple[str, ...]:
        """The verdicts that claim something about the game."""
        return self.claims


def same(variant: Variant, state: State, text: str) -> str:
    """``text``, the deal for a peer, which reads back as ``state``. Exits if it does not."""
    if read_deal(variant, text.encode(), "deal").state != state:
        fail(f"{variant.name}: expected the deal itself in the peer's format, got another one")
    return text


class Solvitaire(Peer):
    """Solvitaire, by rules of its own schema."""

    games = tuple(SOLVITAIRE_RULES)
    nothing = ("--version",)

    def ask(self, variant: Variant, state: State) -> Answer:
        with tempfile.TemporaryDirectory() as folder:
            rules, deal = Path(folder, "rules.json"), Path(folder, "deal.json")
            rules.write_text(json.dumps(SOLVITAIRE_RULES[variant.name]))
            deal.write_text(same(variant, state, json.dumps(solvitaire_object(variant, state))))
            done = self.run("--custom-rules", str(rules), str(deal), "--classify", "--timeout", "100000000")
        word = done.output.strip().rpartition(",")[2].strip()
        verdict = word if word in ("solved", "unsolvable") else "undecided"
        return Answer(verdict, done.seconds, done.megabytes)

    def claims_of(self, variant: Variant) -> tuple[str, ...]:
        if variant.name != "simple-simon":
            return self.claims
        probe = read_deal(variant, PROBE.encode(), "probe").state
        return ("solved",) if self.ask(variant, probe).verdict == "unsolvable" else ()


class FcSolve(Peer):
    """fc-solve with the preset that solves most deals of Simple Simon."""

    games = ("simple-simon",)
    claims = ("solved",)
    nothing = ("--version",)

    def ask(self, variant: Variant, state: State) -> Answer:
        board = same(variant, state, format_fc_solve(variant, state))
        done = self.run("-g", "simple_simon", "-l", "the-last-mohican", "-m", "-", text=board)
        is_solved = "This game is solveable." in done.output
        gave_up = "I could not solve this game." in done.output
        verdict = "solved" if is_solved else "unsolvable" if gave_up else "undecided"
        return Answer(verdict, done.seconds, done.megabytes)


class KlondikeSolver(Peer):
    """Klondike-Solver at its default, which looks for a line of the fewest moves."""

    games = ("klondike", "klondike-draw-one")
    nothing = ("-?",)

    def ask(self, variant: Variant, state: State) -> Answer:
        deck = same(variant, state, format_digits(variant, state)).strip()
        draws = "3" if variant.name == "klondike" else "1"
        return self.answer(self.run("-D", deck, "-DC", draws, "-O", "2", "-MVS"))

    def answer(self, done: Run) -> Answer:
        """The answer in an output."""
        if match := re.match(r"(Minimal solution|Solved) in .*\n(.*)", done.output):
            return Answer("solved", done.seconds, done.megabytes, match[2], match[1] != "Solved")
        verdict = "unsolvable" if done.output.startswith("Impossible") else "undecided"
        return Answer(verdict, done.seconds, done.megabytes)


class Pyksolve(KlondikeSolver):
    """Klondike-Solver as the package of Python; the path is that of a Python that has it."""

    nothing = ("-c", "import pyksolve.solver")

    def ask(self, variant: Variant, state: State) -> Answer:
        deck = same(variant, state, format_digits(variant, state)).strip()
        done = self.run("-c", PYKSOLVE, deck, "3" if variant.name == "klondike" else "1")
        if "Traceback" in done.output:
            fail(f"{self.path}: {done.output.splitlines()[-1]}")
        names = {"SolvedMinimal": "Minimal solution", "SolvedMayNotBeMinimal": "Solved"}
        text = re.sub(r"^(\w+) (\d+)", lambda m: f"{names.get(m[1], m[1])} in {m[2]} moves", done.output)
        return self.answer(Run(text, done.seconds, done.megabytes))


PEERS = {
    "solvitaire": Solvitaire,
    "klondike-solver": KlondikeSolver,
    "pyksolve": Pyksolve,
    "fc-solve": FcSolve,
}


def replayed(variant: Variant, state: State, line: str) -> int | None:
    """The moves of ``line``, in Klondike-Solver's notation, if it wins ``state`` by `rules`; else None."""
    family, made = variant.family, 0
    try:
        for wanted in moves_of(line):
            known = [m for m in family.legal_moves(state) if (m.source, m.target, m.count, m.suit) == wanted]
            if not known:
                return None
            state = family.apply(state, known[0])
            made += 1
    except KeyError:
        return None
    return made if family.is_won(state) else None


def moves_of(line: str) -> Iterator[tuple[int, int, int, int | None]]:
    """Source, target, number of cards and, from a foundation, suit of each move of ``line``."""
    places = {"W": WASTE, **dict.fromkeys(SUITS, FOUNDATION), **{str(i + 1): i for i in range(7)}}
    for word in line.split():
        if match := re.fullmatch(r"DR(\d+)", word):
            for _ in range(int(match[1])):
                yield STOCK, WASTE, 1, None
        elif not re.fullmatch("NEW|F[1-7]", word):  # a new round and a card turned up are no moves
            source, target, count = word[0], word[1:2], int(word[3:] or 1)
            suit = SUITS.index(source) if source in SUITS else None
            yield places[source], places[target], count, suit


# --- Comparison -----------------------------------------------------------------------------------------


def compare(variant: Variant, seeds: range, peer: Peer) -> dict[str, Any]:
    """The answers of ``peer`` and ours for ``seeds``. Ctrl-C ends it after what is done."""
    kernel = kernel_of(variant, Limits(seconds=peer.limit, megabytes=1000))
    claims = peer.claims_of(variant)
    rows = []
    try:
        for seed in seeds:
            rows.append(_row(variant, seed, peer, claims, kernel))
    except KeyboardInterrupt:
        print(f"interrupted after {len(rows)} deals of {variant.name}", file=sys.stderr)
    both = [row for row in rows if "undecided" not in (row["theirs"].verdict, row["ours"])]
    times = [row["theirs"].seconds for row in rows], [row["seconds"] for row in rows]
    ratios = [row["theirs"].seconds / row["seconds"] for row in both if row["seconds"]]
    return {
        "first": seeds[0],
        "deals": len(rows),
        "claims": list(claims),
        "contradictions": {row["seed"]: row["wrong"] for row in rows if row["wrong"]},
        "lengths": sum(row["length"] is not None for row in rows),
        "theirs": _side([row["theirs"].verdict for row in rows], times[0])
        | {"start": peer.start, "megabytes": max((row["theirs"].megabytes for row in rows), default=0.0)},
        "ours": _side([row["ours"] for row in rows], times[1])
        | {"megabytes": _our_megabytes(variant, seeds)},
        "both": len(both),
        "ratio": float(np.median(ratios)) if ratios else None,
    }


def _row(variant: Variant, seed: int, peer: Peer, claims: Sequence[str], kernel: Any) -> dict[str, Any]:
    state = variant.deal(seed)
    theirs, record = peer.ask(variant, state), decide_seed(kernel, variant, seed)
    ours = _our_verdict(variant, record)
    wrong, length = None, None
    if theirs.verdict in claims and "undecided" not in (theirs.verdict, ours) and theirs.verdict != ours:
        wrong = f"{theirs.verdict} there, {ours} here"
    elif theirs.line is not None:
        length = replayed(variant, state, theirs.line)
        wrong = _wrong_length(variant, state, length, theirs.is_fewest, peer.limit)
    seconds = record.microseconds / 1e6
    row = {"seed": seed, "theirs": theirs, "ours": ours, "seconds": seconds, "wrong": wrong}
    return row | {"length": length if theirs.is_fewest else None}


def _wrong_length(
    variant: Variant, state: State, length: int | None, is_fewest: bool, seconds: float
) -> str | None:
    """The fault of a line of so many moves, None for an illegal one; its peer may claim it is shortest."""
    if length is None:
        return "its line is illegal here"
    if not is_fewest:
        return None
    found = find_shortest(variant, state, Limits(seconds=10 * seconds, megabytes=2000))
    ours = len(found.moves or ())
    if ours < length:
        return f"{length} moves, claimed to be the fewest there; a line of {ours} is replayed here"
    return f"{length} moves there, proved to need {ours} here" if found.shortest and ours > length else None


def _our_verdict(variant: Variant, record: Record) -> str:
    """The verdict for the goal that all cards go up."""
    if variant.scoring is None:
        return {WINNABLE: "solved", UNWINNABLE: "unsolvable"}.get(record.verdict, "undecided")
    places = variant.deck().places
    if record.score == places:
        return "solved"
    return "unsolvable" if record.exact or record.score_bound < places else "undecided"


def _our_megabytes(variant: Variant, seeds: range) -> float:
    deals = f"{seeds[0]}-{seeds[-1]}"
    words = ("rate", variant.name, "--deals", deals, "--workers", "1")
    return run((sys.executable, "-m", "winnable", *words)).megabytes


def _side(verdicts: Sequence[str], seconds: Sequence[float]) -> dict[str, Any]:
    counts = Counter(verdicts)
    times = {"median": float(np.median(seconds)), "mean": float(np.mean(seconds))} if len(seconds) else {}
    return {word: counts[word] for word in ("solved", "unsolvable", "undecided")} | times


def markdown(data: dict[str, Any]) -> str:
    """The figures as one table; the argument is what ``--json`` writes."""
    head = ["game, seeds", "solver", "solved", "unsolvable", "undecided", "median", "mean", "memory"]
    head += ["theirs / ours, median", "contradictions"]
    rows, wrong = [], []
    for entry in data["comparisons"]:
        seeds = f"{entry['game']}, {entry['first']}-{entry['first'] + entry['deals'] - 1}"
        found = str(len(entry["contradictions"])) if entry["claims"] else "another game"
        if entry["claims"] and entry["lengths"]:
            found += f", {entry['lengths']} lengths compared"
        ratio = "-" if entry["ratio"] is None else f"{entry['ratio']:.1f}"
        theirs = f"{entry['peer']} ({1000 * entry['theirs']['start']:.1f})"
        for name, side, more in (
            (theirs, entry["theirs"], [ratio, found]),
            ("winnable", entry["ours"], ["1", ""]),
        ):
            counts = [str(side[word]) for word in ("solved", "unsolvable", "undecided")]
            times = [shown_number(1000 * side[key]) if key in side else "-" for key in ("median", "mean")]
            rows.append([seeds, name, *counts, *times, f"{side['megabytes']:.0f}", *more])
        wrong += [
            f"- {entry['game']}, {entry['peer']}: seed {seed}: {why}"
            for seed, why in entry["contradictions"].items()
        ]
    text = (
        f"{data['cpu_seconds']:g} s of processor time a deal; times in ms, those of peers less their start, "
        "which is in brackets; memory in MB."
    )
    return "\n".join([text, "", table(head, rows), *wrong]) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    words = parser(__doc__)
    words.add_argument("deals", nargs="?", type=parse_deals, default=parse_deals("1-100"), help="FIRST-LAST")
    words.add_argument("--peer", action="append", required=True, metavar="NAME=PATH", help=", ".join(PEERS))
    words.add_argument("--game", action="append", help="by default each that a peer plays")
    words.add_argument("--cpu-seconds", type=float, default=2.0, metavar="N", help="limit of a deal")
    options = words.parse_args(arguments)
    check_writable(options.json)
    comparisons: list[dict[str, Any]] = []
    data = {"benchmark": "peers", **circumstances(), "cpu_seconds": options.cpu_seconds}
    data["comparisons"] = comparisons
    for name, path in [_named(text) for text in options.peer]:
        peer = PEERS[name](path, options.cpu_seconds)
        for game in [game for game in peer.games if not options.game or game in options.game]:
            figures = compare(find_variant(game), options.deals, peer)
            comparisons.append({"game": game, "peer": name} | figures)
            if figures["deals"] < len(options.deals):
                break
    write_json(options.json, data)
    print(markdown(data), end="")
    if any(entry["contradictions"] for entry in comparisons):
        return 1
    return 0 if all(entry["deals"] == len(options.deals) for entry in comparisons) else INTERRUPTED


def _named(text: str) -> tuple[str, str]:
    """The name and the path of a peer. Exits if there is none."""
    name, _, path = text.partition("=")
    if name not in PEERS:
        fail(f"peer {name!r}: expected one of {', '.join(PEERS)}, as NAME=PATH")
    found = shutil.which(path)
    if found is None:
        fail(f"{path}: no such program; CONTRIBUTING has where to get {name}")
    return name, found


if __name__ == "__main__":
    sys.exit(main())
