"""Comparison with other solvers: the same deals, the same rules, the same processor time.

    python -m benchmarks.peers [FIRST-LAST] --peer NAME=PATH [--peer ...] [--game GAME] [--cpu-seconds N]
    python -m benchmarks.peers --page --peer NAME=PATH [--peer ...]

The second form makes the tables of docs/peers.md: each peer has its numbers of deals and its limit. Rows that
are in benchmarks/peers.json already are kept, so that an interrupted run continues; ``--again`` measures them
anew.

The other solvers have to be obtained and built first. The paths of `lonelybot`, `sigoden` and `fc-solve` are
those of drivers, small programs around their libraries that measure inside the process: benchmarks/drivers
has their source, whose heads say how they are built. `solvitaire` (github.com/thecharlieblake/Solvitaire),
`resolvitaire` (its fork github.com/turingfan/ReSolvitaire), `klondike-solver`
(github.com/ShootMe/Klondike-Solver), `pyksolve` (PyPI; Klondike-Solver as a Python package, PATH is a Python
that has it), `ksolve` (github.com/JonathanFry3/KSolve) and `kpat` (Debian's kpat, which runs without a
display) are programs that get a deal each time they start. Memory is the greatest resident set.

Our readers read the deal that a peer gets, which must be the same deal; KPat takes only the numbers of its
own deals, which they read too. A contradiction is a verdict that differs from ours, a line that `rules` does
not play to a win, a line of another length than the peer says, or a fewest number of moves that our search
disproves. "unsolvable" claims nothing where a peer's moves do not cover our game: fc-solve and KPat, and
Solvitaire's Simple Simon, which either lets single cards go up (a position that is lost without them finds
this out) or moves a run of several cards onto its own suit only. Deals that such a peer calls lost and that
are winnable are listed apart.
"""

import argparse
import json
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from winnable.cli import files
from winnable.rules import State, Variant, find_variant
from winnable.rules.cards import format_card
from winnable.rules.formats import read_deal
from winnable.rules.formats.foreign import fc_solve, klondike_solver, solvitaire
from winnable.rules.formats.foreign.lines import read_line
from winnable.rules.formats.fresh import fresh_cards
from winnable.solver import Limits
from winnable.solver.core.record import UNWINNABLE, WINNABLE, Record
from winnable.solver.verify import replay

from .figures import (
    INTERRUPTED,
    Run,
    check_writable,
    circumstances,
    fail,
    kernel_of,
    parse_deals,
    parser,
    percentiles,
    run,
)
from .published import quotes, solvers

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
ROOT = Path(__file__).parents[1]
SAMPLE = 5  # starts measured, of which the shortest counts
MEGABYTES = 2000  # limit of our search


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
    """A solver to compare with, at ``path``, which gets ``cpu_seconds`` for each deal.

    A peer that ``looks_for_fewest`` moves is compared with our search for them, others with our verdicts.
    """

    cpu_seconds = 2.0
    claims: tuple[str, ...] = ("solved", "unsolvable")
    looks_for_fewest = False
    block = 1
    """The number of deals that the peer gets at once, in turn with our search."""
    nothing: tuple[str, ...]
    """The arguments with which it starts and ends at once."""

    def __init__(self, path: str, cpu_seconds: float | None) -> None:
        self.path = path
        self.limit = self.cpu_seconds if cpu_seconds is None else cpu_seconds
        self.start = self.seconds_of_start()

    def seconds_of_start(self) -> float:
        """The processor seconds of a process with nothing to do, which its answers do not include."""
        return min(run((self.path, *self.nothing)).seconds for _ in range(SAMPLE))

    def run(self, *arguments: str, text: str = "") -> Run:
        """Run the peer; the seconds do not include those of its start."""
        done = run((self.path, *arguments), text, self.limit + self.start)
        return Run(done.output, max(0.0, done.seconds - self.start), done.megabytes)

    def deal(self, variant: Variant, number: int) -> State:
        """The deal ``number``, of ours unless the peer deals itself."""
        return variant.deal(number)

    def ask_all(self, variant: Variant, deals: Mapping[int, State]) -> list[Answer]:
        """The answers for ``deals`` by their numbers, at most `block`."""
        return [self.ask(variant, state, number) for number, state in deals.items()]

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


def draws(variant: Variant) -> str:
    """The number of cards that a draw turns in a game of Klondike with redeals."""
    return "3" if variant.name == "klondike" else "1"


class Driver(Peer):
    """A driver of benchmarks/drivers, which gets a deal a line and measures each search itself."""

    block = 1000

    def seconds_of_start(self) -> float:
        return 0.0

    def arguments(self, variant: Variant) -> tuple[str, ...]:
        """The arguments of the driver."""
        raise NotImplementedError

    def cards(self, variant: Variant, state: State) -> str:
        """The deal ``state`` as the driver reads it."""
        board = variant.family.to_board(state)
        columns = [slot.card for column in board.columns for slot in column]
        text = " ".join(map(format_card, (*columns, *reversed(board.stock))))
        return same(variant, state, f"MinimalKlondike: {text}").partition(": ")[2]

    def ask_all(self, variant: Variant, deals: Mapping[int, State]) -> list[Answer]:
        text = "".join(f"{self.cards(variant, state)}\n" for state in deals.values())
        done = run((self.path, *self.arguments(variant)), text)
        answers = [line.split() for line in done.output.splitlines()]
        if len(answers) != len(deals):
            fail(f"{self.path}: expected {len(deals)} answers, got {len(answers)}: {done.output[-200:]}")
        return [self.answer(*words, megabytes=done.megabytes) for words in answers]

    def answer(self, verdict: str, microseconds: str, *line: str, megabytes: float) -> Answer:
        """The answer in the words of a line of output: a verdict, microseconds and, if there is a line of
        play, ``fewest`` or ``any`` and its moves."""
        answer = Answer(verdict, int(microseconds) / 1e6, megabytes)
        if verdict != "solved" or not line:
            return answer
        return replace(answer, line=" ".join(line[1:]), moves=len(line) - 1, is_fewest=line[0] == "fewest")


class Lonelybot(Driver):
    """lonelybot's library: a complete depth-first search."""

    def arguments(self, variant: Variant) -> tuple[str, ...]:
        return draws(variant), f"{self.limit:g}"


class Sigoden(Driver):
    """sigoden/klondike's library: A* as in MinimalKlondike, which ends at its first line."""

    goal = "any"
    states_in_a_second = 1_000_000
    """Its only limit is a number of states; on our machine it takes this many in a second."""

    def arguments(self, variant: Variant) -> tuple[str, ...]:
        return self.goal, draws(variant), f"{self.limit * self.states_in_a_second:.0f}"


class SigodenFewest(Sigoden):
    """sigoden/klondike's search to its end, where no line can be shorter."""

    goal = "fewest"
    cpu_seconds = 20.0
    looks_for_fewest = True


class FcSolve(Driver):
    """fc-solve's library with the preset that solves the most deals of Simple Simon."""

    claims = ("solved",)

    def arguments(self, variant: Variant) -> tuple[str, ...]:
        return f"{self.limit:g}", "the-last-mohican"

    def cards(self, variant: Variant, state: State) -> str:
        return " ".join(same(variant, state, fc_solve.write(variant, state)).split())


class Solvitaire(Peer):
    """Solvitaire, with rules in its own schema."""

    options: tuple[str, ...] = ()
    nothing = ("--version",)

    def ask(self, variant: Variant, state: State, number: int) -> Answer:
        with tempfile.TemporaryDirectory() as folder:
            rules, deal = Path(folder, "rules.json"), Path(folder, "deal.json")
            rules.write_text(json.dumps(SOLVITAIRE_RULES[variant.name]))
            deal.write_text(same(variant, state, solvitaire.write(variant, state)))
            done = self.run(
                "--custom-rules", str(rules), str(deal), "--classify", "--timeout", "100000000", *self.options
            )
        word = done.output.strip().rpartition(",")[2].strip()
        verdict = word if word in ("solved", "unsolvable") else "undecided"
        return Answer(verdict, done.seconds, done.megabytes)

    def claims_of(self, variant: Variant) -> tuple[str, ...]:
        if variant.name != "simple-simon":
            return self.claims
        probe = read_deal(variant, PROBE.encode(), "probe").state
        return ("solved",) if self.ask(variant, probe, 0).verdict == "unsolvable" else ()


class ReSolvitaire(Solvitaire):
    """The fork of Solvitaire without streamliners, with which *unsolvable* would be no proof."""

    options = ("--cache-capacity", "4000000")


class KlondikeSolver(Peer):
    """Klondike-Solver with its default options, which search for a line of fewest moves."""

    cpu_seconds = 20.0
    looks_for_fewest = True
    nothing = ("-?",)
    turned_cards = 21  # it counts a card turned up in a column as a move

    def ask(self, variant: Variant, state: State, number: int) -> Answer:
        deck = same(variant, state, klondike_solver.write(variant, state)).strip()
        return self.answer(self.run("-D", deck, "-DC", draws(variant), "-O", "2", "-MVS"))

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
            return self.answer(self.run("-dc", draws(variant), "-o", "2", "-mvs", "-t", "1", str(deal)))


class Pyksolve(KlondikeSolver):
    """Klondike-Solver as a Python package; the path is that of a Python that has it."""

    nothing = ("-c", "import pyksolve.solver")

    def ask(self, variant: Variant, state: State, number: int) -> Answer:
        deck = same(variant, state, klondike_solver.write(variant, state)).strip()
        done = self.run("-c", PYKSOLVE, deck, draws(variant))
        if "Traceback" in done.output:
            fail(f"{self.path}: {done.output.splitlines()[-1]}")
        names = {"SolvedMinimal": "Minimal solution", "SolvedMayNotBeMinimal": "Solved"}
        text = re.sub(r"^(\w+) (\d+)", lambda m: f"{names.get(m[1], m[1])} in {m[2]} moves", done.output)
        return self.answer(Run(text, done.seconds, done.megabytes))


class KPat(Peer):
    """KPat's solver, on the deals of KPat's own numbers: its option for saved games reads none in the version
    of Debian. Simple Simon is fc-solve's within 200,000 states; its Klondike takes nothing back from the
    foundations."""

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
    "lonelybot": Lonelybot,
    "sigoden": Sigoden,
    "sigoden-fewest": SigodenFewest,
    "solvitaire": Solvitaire,
    "resolvitaire": ReSolvitaire,
    "klondike-solver": KlondikeSolver,
    "pyksolve": Pyksolve,
    "ksolve": KSolve,
    "fc-solve": FcSolve,
    "kpat": KPat,
}
KLONDIKES = ("klondike", "klondike-draw-one")
DEALS = {
    "lonelybot": dict.fromkeys(KLONDIKES, 5000),
    "sigoden": dict.fromkeys(KLONDIKES, 100),
    "sigoden-fewest": dict.fromkeys(KLONDIKES, 20),
    "solvitaire": dict.fromkeys((*KLONDIKES, "klondike-one-pass"), 200) | {"simple-simon": 0},
    "resolvitaire": dict.fromkeys((*KLONDIKES, "klondike-one-pass"), 1000),
    "klondike-solver": dict.fromkeys(KLONDIKES, 30),
    "pyksolve": dict.fromkeys(KLONDIKES, 10),
    "ksolve": dict.fromkeys(KLONDIKES, 10),
    "fc-solve": {"simple-simon": 1000},
    "kpat": {"simple-simon": 1000, "klondike-draw-one": 100},
}
"""The games that a peer plays, with the number of deals in the tables of docs/peers.md."""


def replayed(variant: Variant, state: State, line: str) -> int | None:
    """The number of moves of ``line``, as Klondike-Solver or KSolve writes it, if `rules` plays it from
    ``state`` to a win. Otherwise None."""
    try:
        moves = read_line(variant, state, line.split())
        return len(moves) if variant.family.is_won(replay(variant, state, moves)) else None
    except ValueError:
        return None


# --- Comparison -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pair:
    """The answers of a peer and of winnable for one deal. ``wrong`` is the contradiction, if there is one;
    a deal is decided if the verdict is proved and, where a peer looks for fewest moves, their number, too."""

    seed: int
    theirs: Answer
    ours: str
    seconds: float
    wrong: str | None
    decided_there: bool
    decided_here: bool

    @property
    def is_called_lost(self) -> bool:
        """Return whether the peer gives the deal up, but it can be won."""
        return (self.theirs.verdict, self.ours) == ("unsolvable", "solved") and not self.decided_there


def compare(variant: Variant, seeds: range, peer: Peer) -> dict[str, Any]:
    """The answers of ``peer`` and ours for ``seeds``, in turn. Ctrl-C ends the comparison and keeps the
    finished deals."""
    pairs: list[Pair] = []
    claims = peer.claims_of(variant)
    try:
        for pair in _pairs(variant, seeds, peer, claims):
            pairs.append(pair)
    except KeyboardInterrupt:
        print(f"interrupted after {len(pairs)} deals of {variant.name}", file=sys.stderr)
    both = [pair for pair in pairs if pair.decided_there and pair.decided_here]
    ratios = [pair.theirs.seconds / pair.seconds for pair in both if pair.seconds]
    theirs = _side([pair.theirs.verdict for pair in pairs], [pair.theirs.seconds for pair in pairs])
    ours = _side([pair.ours for pair in pairs], [pair.seconds for pair in pairs])
    megabytes = max((pair.theirs.megabytes for pair in pairs), default=0.0)
    our_memory = {} if peer.looks_for_fewest else {"megabytes": _our_megabytes(variant, seeds)}
    return {
        "first": seeds[0],
        "deals": len(pairs),
        "cpu_seconds": peer.limit,
        "fewest": peer.looks_for_fewest,
        "claims": list(claims),
        "contradictions": {pair.seed: pair.wrong for pair in pairs if pair.wrong},
        "only_theirs": [pair.seed for pair in pairs if pair.decided_there and not pair.decided_here],
        "only_ours": [pair.seed for pair in pairs if pair.decided_here and not pair.decided_there],
        "called_lost": [pair.seed for pair in pairs if pair.is_called_lost],
        "lengths": sum(pair.theirs.is_fewest for pair in pairs),
        "theirs": theirs | {"decided": sum(p.decided_there for p in pairs), "megabytes": megabytes},
        "ours": ours | {"decided": sum(p.decided_here for p in pairs)} | our_memory,
        "open": [
            sum(p.ours == word and not p.decided_there for p in pairs) for word in ("solved", "unsolvable")
        ],
        "start": peer.start,
        "both": len(both),
        "ratio": float(np.median(ratios)) if ratios else None,
    }


def _pairs(variant: Variant, seeds: range, peer: Peer, claims: Sequence[str]) -> Iterator[Pair]:
    kernel = kernel_of(variant, Limits(seconds=peer.limit, megabytes=MEGABYTES))
    for first in seeds[:: peer.block]:
        deals = {seed: peer.deal(variant, seed) for seed in range(first, min(first + peer.block, seeds.stop))}
        answers = peer.ask_all(variant, deals)
        cards = b"".join(fresh_cards(variant, state) or b"" for state in deals.values())
        records = kernel.solve_seeds(
            variant.name, first, len(deals), shortest=peer.looks_for_fewest, cards=cards
        )
        for (seed, state), answer, record in zip(deals.items(), answers, records, strict=False):
            yield _pair(variant, seed, state, answer, record, claims, peer.looks_for_fewest)
        if len(records) < len(deals):
            raise KeyboardInterrupt


def _pair(
    variant: Variant,
    seed: int,
    state: State,
    theirs: Answer,
    record: Record,
    claims: Sequence[str],
    for_fewest: bool,
) -> Pair:
    ours = _our_verdict(variant, record)
    wrong = None
    there = theirs.verdict in claims
    here = ours != "undecided"
    if there and here and theirs.verdict != ours:
        wrong = f"{theirs.verdict} there, {ours} here"
    elif theirs.line is not None:
        wrong = _wrong_length(replayed(variant, state, theirs.line), theirs, record)
    if for_fewest:
        there = there and (theirs.verdict == "unsolvable" or theirs.is_fewest)
        here = here and (ours == "unsolvable" or bool(record.shortest))
    return Pair(seed, theirs, ours, record.microseconds / 1e6, wrong, there, here)


def _wrong_length(length: int | None, answer: Answer, record: Record) -> str | None:
    """The fault of the line of ``answer``, if it has one. ``length`` is its number of moves in our replay,
    None if it does not win."""
    if length is None:
        return "its line is illegal here"
    if answer.moves != length:
        return f"a line of {answer.moves} moves there, of {length} here"
    if record.lower_bound > length:
        return f"{length} moves there, proved to need {record.lower_bound} here"
    if answer.is_fewest and 0 <= record.moves < length:
        return f"{length} moves, claimed to be the fewest there; a line of {record.moves} is replayed here"
    return None


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


def _measured(name: str, game: str, seeds: range, peer: Peer) -> dict[str, Any]:
    """The comparison with the peer ``name``, and when and where it was made."""
    made = {"game": game, "peer": name, "made": date.today().isoformat()}
    return made | circumstances() | compare(find_variant(game), seeds, peer)


def _side(verdicts: Sequence[str], seconds: Sequence[float]) -> dict[str, Any]:
    counts = Counter(verdicts)
    return {word: counts[word] for word in ("solved", "unsolvable", "undecided")} | percentiles(seconds)


def main(arguments: Sequence[str] | None = None) -> int:
    words = parser(__doc__)
    words.add_argument("deals", nargs="?", type=parse_deals, help="FIRST-LAST; by default the published ones")
    words.add_argument("--peer", action="append", default=[], metavar="NAME=PATH", help=", ".join(PEERS))
    words.add_argument("--game", action="append", help="by default each that a peer plays")
    words.add_argument("--cpu-seconds", type=float, metavar="N", help="limit of a deal, by default 2 or 20")
    words.add_argument("--page", action="store_true", help="rewrite the tables of docs/peers.md")
    words.add_argument("--again", action="store_true", help="with --page: measure rows that are there, too")
    options = words.parse_args(arguments)
    path = str(solvers.FIGURES) if options.page else options.json
    check_writable(path)
    rows = solvers.published() if options.page else []
    measured: list[dict[str, Any]] = []
    status = 0
    for name, game, seeds, peer in _asked(options, rows):
        measured.append(_measured(name, game, seeds, peer))
        rows = solvers.merged(rows, measured[-1])
        if path is not None:
            files.write(path, solvers.as_json(rows))
        if measured[-1]["deals"] < len(seeds):
            status = INTERRUPTED
            break
    print(solvers.text_of(measured), end="")
    if options.page:
        quotes.quote_all(ROOT, json.loads((ROOT / "benchmarks" / "results.json").read_text()))
    return 1 if any(row["contradictions"] for row in measured) else status


def _asked(
    options: argparse.Namespace, rows: Sequence[dict[str, Any]]
) -> Iterator[tuple[str, str, range, Peer]]:
    """The comparisons that are asked for and not in ``rows``: the names of peer and game, the deals, and the
    peer."""
    for name, program in [_named(text) for text in options.peer]:
        peer = PEERS[name](program, options.cpu_seconds)
        for game, deals in DEALS[name].items():
            seeds = options.deals or range(1, deals + 1)
            is_asked = not options.game or game in options.game
            if is_asked and seeds and (options.again or not solvers.find(rows, game, name, len(seeds))):
                yield name, game, seeds, peer


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
