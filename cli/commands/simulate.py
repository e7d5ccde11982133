"""The command ``winnable simulate``: a game played by a player who does not see the hidden cards."""

from collections.abc import Iterator
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import click

from ...board.page import game_page
from ...rules import Variant
from ...rules.formats.json_deals import table_object
from ...rules.formats.text import Deal, deal_keys, format_deal, format_table
from ...rules.move_text import count_moves
from ...rules.tables import seen
from ...rules.tiers import score_text
from ...solver.player.advice import advice_object, chance_text, moves_texts
from ...solver.player.player import (
    Decision,
    Player,
    decisions,
    find_player_kernel,
    places_filled,
    tier_reached,
)
from ...solver.verify import format_line, replay
from ..arguments import CountType, as_usage
from ..console import complain, say, stamped
from ..deals import Source, deal_arguments, hidden_deal
from ..files import Output
from ..main import UNDECIDED
from ..options import (
    check_has_player,
    choice_options,
    html_option,
    json_option,
    make_player,
    moves_option,
    player_options,
    seed_options,
    sees_option,
)
from ..player_advice import player_text
from ..terminal import columns, fit_comment

if TYPE_CHECKING:
    from ...rules import answers


@click.command("simulate")
@deal_arguments("[GAME] [POSITION]")
@seed_options
@moves_option
@player_options("The kind of player.", default="search")
@sees_option("What the player sees: the table, the order of the stock too, or all cards.  [default: table]")
@click.option(
    "--before",
    type=CountType(1, 10**9),
    metavar="N",
    help="Play up to decision N and print the position that the player sees, for hint.",
)
@choice_options
@html_option
@json_option
def command(
    source: Source,
    player: str,
    visits: int | None,
    think_seconds: float | None,
    sees: str | None,
    before: int | None,
    html_path: str | None,
    as_json: bool,
) -> int:
    """Let the computer play a game of Joker or Klondike to its end, without seeing the hidden cards.

    The game begins with the deal of --seed or --pysol, with POSITION, a file ('-' for standard input), or
    with a random deal, whose seed is printed. GAME may be left out where POSITION names its game.

    Each line is a decision: moves that belong together and, if several were considered, the player's
    estimated chances of reaching 15 cards (win), 25 (double) and all 52 (triple), or of winning in games
    without tiers. --json adds all alternatives and what the player saw. The page of --html shows the cards as
    the player saw them, with the chances beside each decision. To play yourself, see: winnable play

    \b
    Examples:
      winnable simulate joker
      winnable simulate joker --seed 1
      winnable simulate klondike --seed 1 --html game.html
      winnable simulate joker deal.txt --player rule
      winnable simulate joker --seed 1 --before 12 | winnable hint joker -
      winnable simulate joker --seed 1 --json | winnable verify joker --seed 1 -

    Exit status: 0 played, 3 interrupted, 2 bad usage or input.
    """
    if source.variant is not None:
        check_has_player(source.variant, "simulate")
    if before is not None and html_path is not None:
        raise click.UsageError("expected --before or --html, got both")
    page = None if html_path is None else Output("--html", html_path)
    deal = source.or_random().deal()
    variant = deal.variant
    check_has_player(variant, "simulate")
    sees = sees or "table"
    hidden_deal(deal, source.file, sees)
    who = make_player(player, visits, think_seconds)
    with as_usage():
        find_player_kernel(variant, deal.state.choices)
        if before is not None:
            _show_before(decisions(deal.state, who, sees), before, sees, as_json)
            return 0
        with page or nullcontext():
            return _play(variant, deal, who, sees, as_json, page)


def _show_before(game: Iterator[Decision], number: int, sees: str, as_json: bool) -> None:
    """Print what the player sees before decision ``number``. Raises ValueError if the game has fewer
    decisions."""
    made = 0
    for made, decision in enumerate(game, 1):
        if made == number:
            table = seen(decision.state, sees)
            say(stamped(table_object(table)) + "\n" if as_json else format_table(table), end="")
            return
    raise ValueError(f"--before {number}: expected a decision from 1 to {made}")


def _play(variant: Variant, deal: Deal, player: Player, sees: str, as_json: bool, page: Output | None) -> int:
    """Let the player play the game, of which it ``sees`` that much. Each decision is printed when it is made,
    or all at the end as JSON; Ctrl-C ends the game and keeps the decisions made. Returns the exit status."""
    made: list[Decision] = []
    status = 0
    if not as_json:
        say(f"{format_deal(deal)}\nPlayer: {player_text(player)}\n")
    try:
        for decision in decisions(deal.state, player, sees):
            made.append(decision)
            if not as_json:
                say(_line(variant, len(made), decision))
    except KeyboardInterrupt:
        status = UNDECIDED
    if page is not None:
        page.write(game_page(variant, deal, player, made, sees))
    moves = [text for decision in made for text in _texts(variant, decision)]
    last: Any = replay(variant, deal.state, moves)
    score, tier = places_filled(variant, last), tier_reached(variant, last)
    if as_json:
        answer: answers.Simulated = {
            **deal_keys(deal),
            "player": player.name,
            "score": score,
            "tier": tier,
            "decisions": [_object(variant, decision, sees) for decision in made],
            "moves": moves,
            "length": len(moves),
        }
        say(stamped(answer), is_plain=True)
    else:
        result = score_text(score, last.deck.places)
        if not variant.scoring:
            result = (
                "won" if variant.family.is_won(last) else f"not won, {score} of {last.deck.places} cards up"
            )
        say(f"\nResult: {result} after {count_moves(len(moves))}")
    if status:
        complain("interrupted")
    return status


def _texts(variant: Variant, decision: Decision) -> list[str]:
    return format_line(variant, decision.state, decision.moves)


def _line(variant: Variant, number: int, decision: Decision) -> str:
    """The line for one decision, with the chances of the moves chosen."""
    text = f"{number:>4}. {'; '.join(_texts(variant, decision))}"
    if not decision.advice or not decision.advice[0].tiers:
        return text
    chances = "  ".join(f"{tier} {chance_text(chance)}" for tier, chance in decision.advice[0].tiers.items())
    line = f"{text:<34}  # {chances}"
    is_wide = (width := columns()) is not None and len(line) > width
    return f"{text}\n{fit_comment(f'      # {chances}')}" if is_wide else line


def _object(variant: Variant, decision: Decision, sees: str) -> "answers.Decision":
    """The public JSON of one decision."""
    table = seen(decision.state, sees)
    return {
        "moves": _texts(variant, decision),
        "position": table_object(table),
        "advice": [
            advice_object(moves_texts(variant, table, entry.moves), entry) for entry in decision.advice
        ],
    }
