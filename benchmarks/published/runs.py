"""The runs of `winnable rate` whose results are published: names, and the commands that make them."""

from dataclasses import dataclass
from pathlib import Path

from winnable.rules import VARIANTS as GAMES
from winnable.rules.deals import DEALER
from winnable.solver import Limits
from winnable.solver.batch.schema import Header
from winnable.solver.engine import without_kernel
from winnable.solver.player.player import Player

MEGABYTES = 1000.0
"""The limit of `winnable rate` where none is given."""

VARIANTS = {name: variant.title for name, variant in GAMES.items() if not without_kernel(variant)}
"""The games in the order of the page, with their titles there: those that a search implements."""

FURTHER = {
    "joker-exposed": "Joker, exchanged when exposed",
    "klondike-forward": "Klondike, draw 3, no worrying back",
    "klondike-draw-one-forward": "Klondike, draw 1, no worrying back",
}
"""Runs with rule options that are not the default ones, and their titles on the page."""

TITLES = dict(sorted((VARIANTS | FURTHER).items(), key=lambda item: item[0].startswith("klondike")))
"""The names of the runs that decide deals, with the titles of their games, the Klondikes last."""

READINGS = {"joker": "exchanged when turned", "joker-exposed": "exchanged when exposed"}
"""The runs of Joker Solitaire under its two readings."""

REDEALS = ("klondike", "klondike-draw-one", "klondike-vegas", "klondike-vegas-one")
"""Klondike with redeals."""

PLAYED = ("joker", "joker-exposed", "klondike-one-pass", *REDEALS)
"""The runs of games with hidden cards."""

PLAYERS = ("rule", "search")
"""Kinds of player, in the order in which the page tells of them."""


@dataclass(frozen=True)
class Run:
    """A run, whose store is called ``name``.sqlite and holds the seeds 1 to ``deals``. ``work`` and
    ``megabytes`` are the limits per deal; ``choices`` are the rule options with their values. With ``scored``
    the most cards up of lost deals are found, too."""

    name: str
    variant: str
    deals: int
    shortest: bool = False
    player: str | None = None
    visits: int | None = None
    megabytes: float = MEGABYTES
    choices: tuple[tuple[str, str], ...] = ()
    work: int | None = None
    scored: bool = False

    @property
    def store(self) -> str:
        """The file name of the store."""
        return f"{self.name}.sqlite"

    def command(self, directory: Path | None = None) -> list[str]:
        """The command line of the run, with the store in ``directory``."""
        words = ["winnable", "rate", self.variant, "--deals", f"1-{self.deals}"]
        words += ["--shortest"] if self.shortest else []
        words += ["--score"] if self.scored else []
        for option, value in (
            ("--work", self.work),
            ("--max-memory", None if self.megabytes == MEGABYTES else f"{self.megabytes:g}"),
            ("--player", self.player),
            ("--visits", self.visits),
            *((f"--{name.replace('_', '-')}", value) for name, value in self.choices),
        ):
            words += [] if value is None else [option, str(value)]
        return [*words, "--output", self.store if directory is None else str(directory / self.store)]

    @property
    def header(self) -> Header:
        """The header that the store must have."""
        engine = "compiled"
        if self.player is not None:
            engine = Header.engine_of(Player(self.player, self.visits).name)
        limits = Limits(None, None, self.megabytes, self.work)
        return Header(
            self.variant, DEALER, limits, dict(self.choices), self.shortest, engine, scored=self.scored
        )


def _short(variant: str, deals: int, **limits: float) -> Run:
    return Run(f"{variant}-shortest", variant, deals, True, **limits)


_FORWARD = (("worrying_back", "no"),)
_EXPOSED = (("exchange", "exposed"),)

RUNS = (
    Run("chessboard", "chessboard", 10_000_000),
    Run("fortress", "fortress", 10_000_000),
    Run("simon-jester", "simon-jester", 100_000, work=50_000_000, megabytes=4000),
    Run("simon-jester-triangular", "simon-jester-triangular", 50_000, work=50_000_000, megabytes=4000),
    Run("simple-simon", "simple-simon", 210_000, work=50_000_000, megabytes=4000),
    Run("joker", "joker", 100_000, work=12_000_000, megabytes=2000),
    Run("joker-exposed", "joker", 200_000, megabytes=2000, choices=_EXPOSED),
    Run("klondike-one-pass", "klondike-one-pass", 1_000_000, megabytes=2000),
    Run("klondike", "klondike", 4_000_000, megabytes=4000),
    Run("klondike-draw-one", "klondike-draw-one", 2_000_000, megabytes=4000),
    Run("klondike-vegas", "klondike-vegas", 200_000, megabytes=4000),
    Run("klondike-vegas-one", "klondike-vegas-one", 50_000, megabytes=4000),
    Run("klondike-forward", "klondike", 1_000_000, megabytes=4000, choices=_FORWARD),
    Run("klondike-draw-one-forward", "klondike-draw-one", 1_000_000, megabytes=4000, choices=_FORWARD),
    Run("joker-rule", "joker", 2000, player="rule"),
    Run("joker-search", "joker", 2000, player="search"),
    Run("joker-exposed-rule", "joker", 2000, player="rule", choices=_EXPOSED),
    Run("joker-exposed-search", "joker", 2000, player="search", choices=_EXPOSED),
    Run("klondike-one-pass-rule", "klondike-one-pass", 2000, player="rule"),
    Run("klondike-one-pass-search", "klondike-one-pass", 2000, player="search", visits=500),
    *(Run(f"{name}-rule", name, 2000, player="rule") for name in REDEALS),
    Run("klondike-search", "klondike", 15_000, player="search"),
    Run("klondike-draw-one-search", "klondike-draw-one", 5000, player="search"),
    Run("klondike-vegas-search", "klondike-vegas", 2000, player="search"),
    Run("klondike-vegas-one-search", "klondike-vegas-one", 2000, player="search"),
    *(Run(f"{name}-score", name, 100_000, scored=True) for name in ("chessboard", "fortress")),
    _short("chessboard", 20_000),
    _short("fortress", 20_000),
    _short("simon-jester", 200, work=1_000_000),
    _short("simon-jester-triangular", 200, work=1_000_000),
    _short("simple-simon", 1000, work=3_000_000),
    _short("joker", 200, work=1_000_000),
    Run("joker-exposed-shortest", "joker", 200, True, work=1_000_000, choices=_EXPOSED),
    _short("klondike-one-pass", 1000, work=10_000_000),
    _short("klondike", 200, work=10_000_000),
    _short("klondike-draw-one", 200, work=10_000_000),
)
"""Those that decide or play the deals of each game, and those that look for shortest lines."""


def find_run(name: str) -> Run:
    """The run called ``name``."""
    return next(run for run in RUNS if run.name == name)
