"""The command ``winnable play``: a game in the terminal."""

import click

from ..arguments import as_usage
from ..console import complain
from ..deals import Source, deal_arguments
from ..options import choice_options, moves_option, seconds_option, seed_options


@click.command("play")
@deal_arguments("[GAME] [POSITION]")
@seed_options
@moves_option
@click.option("--hidden", is_flag=True, help="Joker, Klondike: play without seeing the hidden cards.")
@seconds_option("--max-seconds", 10.0, "Seconds by the clock of a verdict or hint.", most=None, min_open=True)
@click.option("--no-history", is_flag=True, help="Do not record the game in the history of the board.")
@choice_options
def command(source: Source, hidden: bool, max_seconds: float, no_history: bool) -> int:
    """Play a game in the terminal.

    The game begins with the deal of --seed or --pysol, with POSITION, a file, or with a random deal, whose
    seed is printed. GAME may be left out where POSITION names its game. Standard input has one move a line,
    or one of the commands undo, redo, auto, hint, verdict, judge, mistakes, show, moves, save FILE, reveal
    and quit; help explains them. You are warned at once of a move after which the game cannot be won any
    more, and told one that still wins; judge off turns this off. With --hidden, or a POSITION with unknown
    cards, hint gives chances, verdict what is certain, and judge on says at once when the game is won or lost
    whatever the unknown cards are. The game is recorded in the history of the board. To watch the
    computer play, see: winnable simulate

    \b
    Examples:
      winnable play fortress
      winnable play chessboard --seed 8
      winnable play joker --seed 1 --hidden

    Exit status: 0 played, 2 bad usage or input.
    """
    from .. import interactive

    if "-" in (source.file, source.moves):
        raise click.UsageError("expected the name of a file, got -: standard input has the moves")
    deal = source.or_random().position()
    if not source.is_named:
        complain(f"a random deal: {deal.name}")
    with as_usage():
        return interactive.play(deal, hidden, max_seconds, not no_history)
