"""The command ``winnable difficulty``: how hard deals are to play."""

from collections.abc import Iterable

import click

from ...rules.formats.text import Deal, deal_keys
from ...solver import Limits, Verdict
from ...solver.analysis.difficulty import GAMES, PLAYED, WALKS, Difficulty, difficulty
from ..arguments import as_usage
from ..console import complain, say, stamped
from ..deals import Source, deal_arguments, peek
from ..main import UNDECIDED
from ..options import choice_options, json_option, limit_options, seed_options
from ..output import verdict_text
from ..progress import ProgressLine
from ..terminal import fit


@click.command("difficulty")
@deal_arguments("[GAME] [FILE]")
@seed_options
@limit_options
@choice_options
@json_option
def command(source: Source, limits: Limits, as_json: bool) -> int:
    """Measure how hard a deal of GAME is to play, or many deals.

    The deal is that of --seed or --pysol, or is read from FILE ('-' for standard input); GAME may be left out
    if FILE names its game. Every winnable deal has a number that never changes, its ease: where all cards are
    open, the mean number of careless moves before the win is lost; in joker and the Klondike games, the mean
    number of foundation places filled by a player who does not see the hidden cards. A third of the winnable
    deals are hard, a third medium, a third easy. Unwinnable deals have no level. The limits apply to deciding
    the deal. A file of several deals gives one line each, in order.

    Short decks and positions in mid-game have no level. The compiled engine is required.

    \b
    Examples:
      winnable difficulty chessboard --seed 3
      winnable difficulty simple-simon --pysol 12345 --json
      winnable deal joker --seed 1 --count 20 | winnable difficulty -

    Exit status: 0 measured, 3 undecided or interrupted, 2 bad usage or input.
    """
    _, is_one, deals = peek(source.deals())
    with ProgressLine(as_json) as line:
        return _tell_all(deals, limits, as_json, is_one, line)


def _tell_all(deals: Iterable[Deal], limits: Limits, as_json: bool, is_one: bool, line: ProgressLine) -> int:
    """Print one answer per deal, as soon as it is known, until the end or Ctrl-C. Returns the exit status."""
    status = 0
    for number, deal in enumerate(deals, 1):
        name = ", ".join(filter(None, [f"deal {number}", deal.name]))
        if line.watch is not None and not is_one:
            line.watch.part = name
        with as_usage("" if is_one else f"{name}: "):
            found = difficulty(deal.variant, deal.state, limits, line.watch)
        with line.hidden():
            if as_json:
                answer = {**deal_keys(deal, None if is_one else number), **found.to_dict()}
                say(stamped(answer), is_plain=True)
            else:
                say(fit(_page(deal, found) if is_one else f"{name}: {_line(found)}"))
        if found.level is None and found.result.verdict is not Verdict.UNWINNABLE:
            status = UNDECIDED
        if found.result.reason == "interrupted":
            line.end()
            complain("interrupted")
            return UNDECIDED
    return status


def _line(found: Difficulty) -> str:
    if found.level is not None:
        return f"{found.level}, ease {found.ease:g}"
    return f"{verdict_text(found.result)}, not measured"


def _page(deal: Deal, found: Difficulty) -> str:
    """The level of a deal with its meaning, or the reason why it has none."""
    if found.level is None:
        verdict = found.result.verdict
        if verdict is Verdict.UNWINNABLE:
            return "Difficulty: not rated, the deal is unwinnable"
        why = "interrupted" if verdict is Verdict.WINNABLE else f"the deal is {verdict_text(found.result)}"
        return f"Difficulty: not known, {why}"
    if deal.variant.name in PLAYED:
        places = deal.state.deck.places
        meaning = (
            f"a player who does not see the hidden cards fills {found.ease:g} of {places} places "
            f"(mean of {GAMES} games)"
        )
    else:
        meaning = f"careless play survives {found.ease:g} moves (mean of {WALKS} random walks)"
    return (
        f"Difficulty: {found.level}\nEase: {meaning}\nLevels: hard below {found.hard_below:g}, "
        f"easy from {found.easy_from:g}, thirds of the deals that can be won"
    )
