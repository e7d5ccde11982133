"""Comparison with other solvers: the same deals, the same rules, the same processor time.

    python -m benchmarks.peers [FIRST-LAST] --peer NAME=PATH [--peer ...] [--game GAME] [--cpu-seconds N]

The other solvers have to be obtained and built first: `solvitaire` (github.com/thecharlieblake/Solvitaire,
or its fork github.com/turingfan/ReSolvitaire), `klondike-solver` (github.com/ShootMe/Klondike-Solver),
`pyksolve` (PyPI; Klondike-Solver as a Python package, PATH is a Python that has it), `ksolve`
(github.com/JonathanFry3/KSolve), `fc-solve` (Debian's freecell-solver-bin) and `kpat` (Debian's kpat, which
runs without a display). docs/peers.md has the results; memory is the greatest resident set.

Our readers read the deal that a peer gets, which must be the same deal; KPat takes only the numbers of its
own deals, which they read too. A contradiction is a verdict that differs from ours, a line that `rules` does
not play to a win, a line of another length than the peer says, or a fewest number of moves that our search
disproves. "unsolvable" claims nothing where a peer's moves do not cover our game: fc-solve and KPat, and
Solvitaire's Simple Simon, which either lets single cards go up (a position that is lost without them finds
this out) or moves a run of several cards onto its own suit only. Deals that such a peer calls lost and that
are winnable are listed apart.
"""

import json
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from winnable.rules import State, Variant, find_variant
from winnable.rules.cards import format_card
from winnable.rules.formats import read_deal
from winnable.rules.formats.foreign import fc_solve, klondike_solver, solvitaire
from winnable.rules.formats.foreign.lines import read_line
from winnable.rules.formats.fresh import fresh_cards
from winnable.solver import Limits, find_shortest
from winnable.solver.core.record import UNWINNABLE, WINNABLE, Record
from winnable.solver.verify import replay

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
SAMPLE = 5  # starts measured, of which the shortest counts


@dataclass(frozen=True)
class Answer:
    """A peer's answer: ``solved``, ``unsolvable`` or ``undecided``, and the CPU seconds and megabytes of its
    process. A ``line`` is in the peer's notation; ``moves`` is the length it states, counted as ours, and
    ``is_fewest`` its claim that no line is shorter."""

    verdict: str
    seconds: float
    megabytes: float
    line: str | None = None
    moves: int | None = None
    is_fewest: bool = False


# --- Peers ----------------------------------------------------------------------------------------------


class Peer:
    """A solver to compare with, at ``path``."""

    games: tuple[str, ...]
    claims = ("solved", "unsolvable")
    nothing: tuple[str, ...]  # arguments with which it starts and ends at once

    def __init__(self, path: str, cpu_seconds: float) -> None:
        self.path = path
        self.limit = cpu_seconds
        self.start = min(run((path, *self.nothing)).seconds for _ in range(SAMPLE))

    def run(self, *arguments: str, text: str = "") -> Run:
        """Run the peer; the seconds do not include those of its start."""
        done = run((self.path, *arguments), text, self.limit + self.start)
        return Run(done.output, max(0.0, done.seconds - self.start), done.megabytes)

    def deal(self, variant: Variant, number: int) -> State:
        """The deal ``number``, of ours unless the peer deals itself."""
        return variant.deal(number)

    def ask(self, variant: Variant, state: State, number: int) -> Answer:
        """The answer for ``state``, the deal ``number``. Exits if the peer got another deal."""
        raise NotImplementedError

    def claims_of(self, variant: Variant) -> tuple[str, ...]:
        """The verdicts that claim something about the game."""
        return self.claims


def same(variant: Variant, state: State, text: str) -> str:
    """``text``, the deal in the format of a peer. Exits if it does not read back as ``state``."""
    if read_deal(variant, text.encode(), "deal").state != state:
        fail(f"{variant.name}: expected the deal itself in the peer's format, got another one")
    return text


class Solvitaire(Peer):
    """Solvitaire, with rules in its own schema."""

    games = tuple(SOLVITAIRE_RULES)
    nothing = ("--version",)

    def ask(self, variant: Variant, state: State, number: int) -> Answer:
        with tempfile.TemporaryDirectory() as folder:
            rules, deal = Path(folder, "rules.json"), Path(folder, "deal.json")
            rules.write_text(json.dumps(SOLVITAIRE_RULES[variant.name]))
            deal.write_text(same(variant, state, solvitaire.write(variant, state)))
            done = self.run("--custom-rules", str(rules), str(deal), "--classify", "--timeout", "100000000")
        word = done.output.strip().rpartition(",")[2].strip()
        verdict = word if word in ("solved", "unsolvable") else "undecided"
        return Answer(verdict, done.seconds, done.megabytes)

    def claims_of(self, variant: Variant) -> tuple[str, ...]:
        if variant.name != "simple-simon":
            return self.claims
        probe = read_deal(variant, PROBE.encode(), "probe").state
        return ("solved",) if self.ask(variant, probe, 0).verdict == "unsolvable" else ()


class FcSolve(Peer):
    """fc-solve with the preset that solves the most deals of Simple Simon."""

    games = ("simple-simon",)
    claims = ("solved",)
    nothing = ("--version",)

    def ask(self, variant: Variant, state: State, number: int) -> Answer:
        board = same(variant, state, fc_solve.write(variant, state))
        done = self.run("-g", "simple_simon", "-l", "the-last-mohican", "-m", "-", text=board)
        is_solved = "This game is solveable." in done.output
        gave_up = "I could not solve this game." in done.output
        verdict = "solved" if is_solved else "unsolvable" if gave_up else "undecided"
        return Answer(verdict, done.seconds, done.megabytes)


class KlondikeSolver(Peer):
    """Klondike-Solver with its default options, which search for a line of fewest moves."""

    games = ("klondike", "klondike-draw-one")
    nothing = ("-?",)
    turned_cards = 21  # it counts a card turned up in a column as a move

    def ask(self, variant: Variant, state: State, number: int) -> Answer:
        deck = same(variant, state, klondike_solver.write(variant, state)).strip()
        return self.answer(self.run("-D", deck, "-DC", self.draws(variant), "-O", "2", "-MVS"))

    def draws(self, variant: Variant) -> str:
        """The number of cards that a draw turns."""
        return "3" if variant.name == "klondike" else "1"

    def answer(self, done: Run) -> Answer:
        """The answer in an output."""
        if match := re.search(
            r"^(Minimal solution|Solved) in (\d+).*\n(?:Took .*\n)?(.*)", done.output, re.M
        ):
            moves = int(match[2]) - self.turned_cards
            return Answer("solved", done.seconds, done.megabytes, match[3], moves, match[1] != "Solved")
        is_lost = re.search("^(Impossible|Unsolvable)", done.output, re.M)
        return Answer("unsolvable" if is_lost else "undecided", done.seconds, done.megabytes)


class KSolve(KlondikeSolver):
    """KSolve on one thread, which looks for a line of the fewest moves. It gets the deal as PySolFC writes
    it, since it reads hearts and spades of the digits in the other order."""

    turned_cards = 0

    def ask(self, variant: Variant, state: State, number: int) -> Answer:
        board = variant.family.to_board(state)
        rows = [board.stock, *([slot.card for slot in column] for column in board.columns)]
        text = "Talon: " + "\n".join(" ".join(map(format_card, row)) for row in rows) + "\n"
        with tempfile.TemporaryDirectory() as folder:
            deal = Path(folder, "deal.txt")
            deal.write_text(same(variant, state, text))
            return self.answer(self.run("-dc", self.draws(variant), "-o", "2", "-mvs", "-t", "1", str(deal)))


class Pyksolve(KlondikeSolver):
    """Klondike-Solver as a Python package; the path is that of a Python that has it."""

    nothing = ("-c", "import pyksolve.solver")

    def ask(self, variant: Variant, state: State, number: int) -> Answer:
        deck = same(variant, state, klondike_solver.write(variant, state)).strip()
        done = self.run("-c", PYKSOLVE, deck, self.draws(variant))
        if "Traceback" in done.output:
            fail(f"{self.path}: {done.output.splitlines()[-1]}")
        names = {"SolvedMinimal": "Minimal solution", "SolvedMayNotBeMinimal": "Solved"}
        text = re.sub(r"^(\w+) (\d+)", lambda m: f"{names.get(m[1], m[1])} in {m[2]} moves", done.output)
        return self.answer(Run(text, done.seconds, done.megabytes))


class KPat(Peer):
    """KPat's solver, on the deals of KPat's own numbers: its option for saved games reads none in the version
    of Debian. Simple Simon is fc-solve's within 200,000 states; its Klondike takes nothing back from the
    foundations."""

    games = ("simple-simon", "klondike-draw-one")
    claims = ("solved",)
    nothing = ("-platform", "offscreen", "--solve", "9", "--start", "1", "--end", "0")

    def deal(self, variant: Variant, number: int) -> State:
        return read_deal(variant, f"KPat: {number}".encode(), "deal").state

    def ask(self, variant: Variant, state: State, number: int) -> Answer:
        game = "9" if variant.name == "simple-simon" else "0"
        first_to_last = ("--start", str(number), "--end", str(number))
        done = self.run("-platform", "offscreen", "--solve", game, *first_to_last)
        answer = re.search(rf"^{number} (won|lost) ", done.output, re.M)
        verdict = {"won": "solved", "lost": "unsolvable"}[answer[1]] if answer else "undecided"
        return Answer(verdict, done.seconds, done.megabytes)


PEERS = {
    "solvitaire": Solvitaire,
    "klondike-solver": KlondikeSolver,
    "pyksolve": Pyksolve,
    "ksolve": KSolve,
    "fc-solve": FcSolve,
    "kpat": KPat,
}


def replayed(variant: Variant, state: State, line: str) -> int | None:
    """The number of moves of ``line``, as Klondike-Solver or KSolve writes it, if `rules` plays it from
    ``state`` to a win. Otherwise None."""
    try:
        moves = read_line(variant, state, line.split())
        return len(moves) if variant.family.is_won(replay(variant, state, moves)) else None
    except ValueError:
        return None


# --- Comparison -----------------------------------------------------------------------------------------


def compare(variant: Variant, seeds: range, peer: Peer) -> dict[str, Any]:
    """The answers of ``peer`` and ours for ``seeds``. Ctrl-C ends the comparison and keeps the finished
    deals."""
    kernel = kernel_of(variant, Limits(seconds=peer.limit, megabytes=1000))
    claims = peer.claims_of(variant)
    rows = []
    try:
        for seed in seeds:
            rows.append(_row(variant, seed, peer, claims, kernel))
    except KeyboardInterrupt:
        print(f"interrupted after {len(rows)} deals of {variant.name}", file=sys.stderr)
    decided = [(row["seed"], row["theirs"].verdict in claims, row["ours"] != "undecided") for row in rows]
    both = [row for row, (_, there, here) in zip(rows, decided, strict=True) if there and here]
    times = [row["theirs"].seconds for row in rows], [row["seconds"] for row in rows]
    ratios = [row["theirs"].seconds / row["seconds"] for row in both if row["seconds"]]
    return {
        "first": seeds[0],
        "deals": len(rows),
        "claims": list(claims),
        "contradictions": {row["seed"]: row["wrong"] for row in rows if row["wrong"]},
        "only_theirs": [seed for seed, there, here in decided if there and not here],
        "only_ours": [seed for seed, there, here in decided if here and not there],
        "called_lost": [row["seed"] for row in rows if row["called_lost"]],
        "lengths": sum(row["length"] is not None for row in rows),
        "theirs": _side([row["theirs"].verdict for row in rows], times[0])
        | {"start": peer.start, "megabytes": max((row["theirs"].megabytes for row in rows), default=0.0)},
        "ours": _side([row["ours"] for row in rows], times[1])
        | {"megabytes": _our_megabytes(variant, seeds)},
        "both": len(both),
        "ratio": float(np.median(ratios)) if ratios else None,
    }


def _row(variant: Variant, seed: int, peer: Peer, claims: Sequence[str], kernel: Any) -> dict[str, Any]:
    state = peer.deal(variant, seed)
    theirs = peer.ask(variant, state, seed)
    record = decide_seed(kernel, variant, seed, fresh_cards(variant, state))
    ours = _our_verdict(variant, record)
    wrong, length = None, None
    differ = "undecided" not in (theirs.verdict, ours) and theirs.verdict != ours
    if differ and theirs.verdict in claims:
        wrong = f"{theirs.verdict} there, {ours} here"
    elif theirs.line is not None:
        length = replayed(variant, state, theirs.line)
        wrong = _wrong_length(variant, state, length, theirs, peer.limit)
    row = {"seed": seed, "theirs": theirs, "ours": ours, "seconds": record.microseconds / 1e6, "wrong": wrong}
    called_lost = differ and theirs.verdict == "unsolvable" and "unsolvable" not in claims
    return row | {"length": length if theirs.is_fewest else None, "called_lost": called_lost}


def _wrong_length(
    variant: Variant, state: State, length: int | None, answer: Answer, seconds: float
) -> str | None:
    """The fault of the line of ``answer``, if it has one. ``length`` is its number of moves in our replay,
    None if it does not win."""
    if length is None:
        return "its line is illegal here"
    if answer.moves != length:
        return f"a line of {answer.moves} moves there, of {length} here"
    if not answer.is_fewest:
        return None
    found = find_shortest(variant, state, Limits(seconds=10 * seconds, megabytes=2000))
    ours = len(found.moves or ())
    if ours < length:
        return f"{length} moves, claimed to be the fewest there; a line of {ours} is replayed here"
    return f"{length} moves there, proved to need {ours} here" if found.shortest and ours > length else None


def _our_verdict(variant: Variant, record: Record) -> str:
    """Our verdict for the goal that all cards are up."""
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
    """The figures as one Markdown table; ``data`` is what ``--json`` writes."""
    head = ["game, seeds", "solver", "solved", "unsolvable", "undecided", "median", "mean", "memory"]
    head += ["theirs / ours, median", "contradictions", "only it decides"]
    rows, wrong = [], []
    for entry in data["comparisons"]:
        seeds = f"{entry['game']}, {entry['first']}-{entry['first'] + entry['deals'] - 1}"
        found = str(len(entry["contradictions"])) if entry["claims"] else "another game"
        if entry["claims"] and entry["lengths"]:
            found += f", {entry['lengths']} lengths compared"
        ratio = "-" if entry["ratio"] is None else f"{entry['ratio']:.1f}"
        theirs = f"{entry['peer']} ({1000 * entry['theirs']['start']:.1f})"
        for name, side, more in (
            (theirs, entry["theirs"], [ratio, found, str(len(entry["only_theirs"]))]),
            ("winnable", entry["ours"], ["1", "", str(len(entry["only_ours"]))]),
        ):
            counts = [str(side[word]) for word in ("solved", "unsolvable", "undecided")]
            times = [shown_number(1000 * side[key]) if key in side else "-" for key in ("median", "mean")]
            rows.append([seeds, name, *counts, *times, f"{side['megabytes']:.0f}", *more])
        wrong += [
            f"- {entry['game']}, {entry['peer']}: seed {seed}: {why}"
            for seed, why in entry["contradictions"].items()
        ]
        if entry["claims"] and entry["called_lost"]:
            lost = ", ".join(map(str, entry["called_lost"]))
            wrong.append(f"- {entry['game']}, {entry['peer']}: called lost, but winnable: seeds {lost}")
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
    """The name and the path of a peer, written NAME=PATH. Exits if there is no such peer."""
    name, _, path = text.partition("=")
    if name not in PEERS:
        fail(f"peer {name!r}: expected one of {', '.join(PEERS)}, as NAME=PATH")
    found = shutil.which(path)
    if found is None:
        fail(f"{path}: no such program; CONTRIBUTING has where to get {name}")
    return name, found


if __name__ == "__main__":
    sys.exit(main())
