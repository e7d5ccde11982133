"""The command ``winnable deal``: deals printed, filtered or converted."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice

import click

from ...rules import Variant
from ...rules.deals import SEEDS
from ...rules.formats import STYLES, write_deals
from ...rules.formats.foreign.pysol import next_number
from ...rules.formats.text import Deal
from ...rules.tiers import TIERS
from ...solver import Limits
from ...solver.analysis import choice
from ...solver.analysis.choice import choose, while_hopeful
from ...solver.analysis.difficulty import LEVELS, check_is_deal, of_level
from ..arguments import CountType, as_usage
from ..console import complain, say
from ..deals import Source, deal_arguments, one_game, pysol_deal, told
from ..main import UNDECIDED
from ..options import (
    check_not_given,
    choice_options,
    is_given,
    json_option,
    limit_options,
    moves_option,
    need_variant,
    seed_options,
)
from ..progress import ProgressLine

_FULL_DECK = (13, "CDHS", None)
_MOST = 10**12  # greatest number of consecutive deals
_UNNAMED = ("solvitaire", "fc-solve", "klondike-solver")
"""The formats that do not have the seed of a deal."""
_LIMITS = ("work", "max_seconds", "max_memory")


@click.command("deal")
@deal_arguments("[GAME] [FILE]")
@seed_options
@moves_option
@click.option(
    "--count", "-n", type=CountType(1, _MOST), metavar="K", help="Deal K consecutive seeds or numbers."
)
@click.option(
    "--format",
    "style",
    type=click.Choice(STYLES),
    default="text",
    metavar="FORMAT",
    help="text, json (one document), jsonl (one object a line), numbers (the seed or number of each deal, "
    "the default of a range of --pysol), solvitaire, fc-solve or klondike-solver (156 digits a deal).",
)
@json_option
@click.option("--winnable", is_flag=True, help="Only deals that can be won, as many as --count.")
@click.option(
    "--tier",
    type=click.Choice(TIERS),
    help="Joker and one-pass Klondike: only deals in which this tier can be reached.",
)
@click.option("--difficulty", type=click.Choice(LEVELS), help="Only winnable deals of this difficulty.")
@limit_options
@click.option(
    "--ranks", type=CountType(min=1, max=13), default=13, metavar="N", help="Short deck: number of ranks."
)
@click.option("--suits", default="CDHS", metavar="CDHS", help="Short deck: its suits.")
@choice_options
@click.option("--sizes", metavar="N,N,...", help="Short deck: its column sizes.")
def command(
    source: Source,
    limits: Limits,
    count: int | None,
    style: str,
    as_json: bool,
    winnable: bool,
    tier: str | None,
    difficulty: str | None,
    ranks: int,
    suits: str,
    sizes: str | None,
) -> int:
    """Print a deal of GAME, or several, or convert the deals in FILE to another format.

    Without --seed, --pysol and FILE the deal is a random one, and its seed is printed with it. GAME may be
    left out where FILE names its game. A game and a seed always mean the same cards; see: winnable describe
    --dealer. A PySolFC number means the cards that PySolFC deals; it requires the extra 'pysol'. For a range
    of them, such as 1-1000, only the numbers are printed; see --format. With --winnable, --tier or
    --difficulty, deals that cannot be won or are undecided within the limits are skipped; the others keep
    their seeds. If no deal of a file or range matches, or a thousand are undecided before one does, a message
    on standard error says so. A deal is easy if it can still be won after much careless play or, in joker and
    the Klondike games, if a player who does not see the hidden cards fills many places on the foundations. A
    third of the winnable deals are easy. See also: winnable difficulty.

    \b
    Examples:
      winnable deal chessboard --seed 8
      winnable deal joker --difficulty hard
      winnable deal joker --seed 1 --count 100 --format jsonl > deals.jsonl
      winnable deal simple-simon --pysol 12345 --format fc-solve
      winnable deal simple-simon --pysol 1-20 --winnable --difficulty easy
      winnable deal fortress --seed 1 --winnable --count 10
      winnable deal joker --seed 1 --tier triple
      winnable deal fortress board.txt --format solvitaire
      winnable deal fortress --seed 3 --ranks 5 --suits CDH --sizes 5,5,5

    Exit status: 0 done, even if no deal passes; 3 interrupted; 2 bad usage or input.
    """
    if as_json and is_given("style") and style != "json":
        raise click.UsageError(f"expected --json or --format {style}, got both")
    style = "json" if as_json else "numbers" if source.numbers and not is_given("style") else style
    is_random = not source.is_named
    source = source.or_random()
    variant, file, seed, pysol = source.variant, source.file, source.seed, source.pysol
    deck = (ranks, suits, sizes)
    if source.moves is not None and (count is not None or deck != _FULL_DECK):
        raise click.UsageError("--moves: expected one deal of the full deck, or of a file")
    if seed is None and deck != _FULL_DECK:
        raise click.UsageError("a short deck requires --seed, not a FILE or --pysol")
    if file is not None and count is not None:
        raise click.UsageError("--count does not apply to a FILE")
    if source.numbers and count is not None:
        raise click.UsageError(f"--count: expected one number of --pysol, got {pysol}")
    is_chosen = winnable or tier is not None or difficulty is not None
    if not is_chosen:
        check_not_given(_LIMITS, "requires --winnable, --tier or --difficulty")
    if file is None:
        source.check_no_way()
    wanted = None if file or source.numbers else count or 1
    line = ProgressLine(style == "json")
    with as_usage():
        if [file, seed, pysol].count(None) != 2 or file is not None or source.moves or source.numbers:
            deals = source.deals()
        elif seed is not None:
            last = SEEDS if is_chosen else seed + (count or 1)
            game = need_variant(variant, "expected the game of the deal")
            deals = _of_seeds(game, range(seed, last), deck, source.choices)
        else:
            game = need_variant(variant, "expected the game of the deal")
            deals = _of_numbers(game, str(pysol), source.choices)
        others: Counter[str] = Counter()
        if is_chosen:
            variant, deals = one_game(variant, deals)
            if difficulty:
                deals = _checked(variant, deals)
            if file is None:
                deals = while_hopeful(deals, others)
            deals = choose(variant, deals, limits, tier, others, line.watch)
            if difficulty:
                deals = of_level(variant, deals, difficulty, others, line.watch)
        kept = _Kept(islice(deals, wanted), is_random and style in _UNNAMED)
        with line:
            passing = iter(kept)
            first = list(islice(passing, 2))
            if len(first) == 1:
                told(first[0])
            if kept.interrupted and not first:
                line.end()
                complain("interrupted")
                return UNDECIDED
            for text in write_deals(variant, chain(first, passing), style, alone=len(first) == 1):
                with line.hidden():
                    say(text, end="", is_plain=style != "text")
    if kept.interrupted:
        complain("interrupted")
        return UNDECIDED
    _tell_others(kept.count, others)
    return 0


def _checked(variant: Variant, deals: Iterator[Deal]) -> Iterator[Deal]:
    """Yield ``deals`` after checking that each has a level of difficulty, before it is searched. Raises
    ValueError."""
    for deal in deals:
        check_is_deal(variant, deal.state)
        yield deal


@dataclass
class _Kept:
    """The deals that pass the filters, counted; Ctrl-C ends them. With ``tells_seeds`` their seeds go to
    standard error."""

    deals: Iterator[Deal]
    tells_seeds: bool
    count: int = 0
    interrupted: bool = False

    def __iter__(self) -> Iterator[Deal]:
        try:
            for deal in self.deals:
                self.count += 1
                if self.tells_seeds:
                    complain(f"a random deal: {deal.name}")
                yield deal
        except KeyboardInterrupt:
            self.interrupted = True


def _tell_others(count: int, others: Counter[str]) -> None:
    """Report on stderr the skipped deals, if no deal passed or some are undecided. ``others`` counts them by
    kind."""
    undecided = others[choice.UNDECIDED]
    if count == 0 and others:
        names = ", ".join(f"{number} {name}" for name, number in sorted(others.items()) if number)
        total = sum(others.values())
        deals = "the deal does not match" if total == 1 else f"none of {total} deals matches"
        complain(f"{deals}: {names}")
    elif undecided:
        deals = "1 deal is" if undecided == 1 else f"{undecided} deals are"
        complain(f"{deals} undecided within the limits and skipped")


def _of_seeds(
    variant: Variant, seeds: range, deck: tuple[int, str, str | None], choices: dict[str, str]
) -> Iterator[Deal]:
    if seeds.stop > SEEDS:
        raise click.UsageError(f"--count {seeds.stop - seeds.start}: expected seeds up to 2^64 - 1")
    ranks, suits, sizes = deck
    columns = _parse_sizes(sizes)
    for number in seeds:
        yield Deal(variant.deal(number, ranks, suits, columns, choices), number)


def _of_numbers(variant: Variant, number: str, choices: dict[str, str]) -> Iterator[Deal]:
    """The deals of PySolFC from ``number`` on."""
    while True:
        yield pysol_deal(variant, number, choices)
        number = next_number(number)


def _parse_sizes(text: str | None) -> list[int] | None:
    if text is None:
        return None
    if not re.fullmatch("[0-9]{1,3}(,[0-9]{1,3})*", text):
        raise ValueError(f"--sizes {text!r}: expected numbers such as 5,5,5")
    return [int(size) for size in text.split(",")]
