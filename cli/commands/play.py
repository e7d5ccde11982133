"""``winnable play``."""

from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any

import click

from ...board.page import game_page
from ...rules import Variant
from ...rules.formats.partial import format_view, view_object
from ...rules.formats.text import Deal, deal_keys, format_deal
from ...rules.move_text import count_moves
from ...rules.views import view_of
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
from ..deals import Source, deal_arguments, view_of_deal
from ..files import Output
from ..main import UNDECIDED
from ..options import (
    check_has_player,
    check_not_given,
    choice_options,
    first_given,
    html_option,
    json_option,
    make_player,
    moves_option,
    player_options,
    seconds_option,
    seed_options,
)
from ..terminal import columns, fit_comment

_OF_PLAYERS = ("player", "visits", "think_seconds", "before", "html_path", "as_json")
"""The options that imply --bot."""


@click.command("play")
@deal_arguments("[VARIANT] [POSITION]")
@seed_options
@moves_option
@click.option("--hidden", is_flag=True, help="Joker, Klondike: play without seeing the hidden cards.")
@seconds_option("--max-seconds", 10.0, "Seconds of a verdict or a hint, at most.", most=None, min_open=True)
@click.option("--no-history", is_flag=True, help="Do not record the game in the history of the board.")
@click.option("--bot", is_flag=True, help="Let a player without sight of the hidden cards play.")
@player_options("The kind of player.", default="search")
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
    hidden: bool,
    max_seconds: float,
    no_history: bool,
    bot: bool,
    player: str,
    visits: int | None,
    think_seconds: float | None,
    before: int | None,
    html_path: str | None,
    as_json: bool,
) -> int:
    """Play a game in the terminal, or watch a player who does not see the hidden cards.

    The game begins with the deal of --seed or --pysol, or with POSITION, a file. VARIANT may be left out
    where POSITION names its game. Standard input has one move a line, or one of the commands undo, redo,
    auto, hint, verdict, judge, mistakes, show, moves, save FILE, reveal and quit; help explains them. You are
    warned at once when a move loses the win; judge off turns this off. With --hidden, or a POSITION with
    unknown cards, hint gives chances. The game is recorded in the history of the board.

    With --bot, which --player, --visits, --think-seconds, --before, --html and --json imply, a player plays a
    game of joker or Klondike to its end; POSITION may then be standard input ('-'). Each line is a decision:
    moves that belong together and, if several were considered, the player's estimated chances of reaching 15
    cards (win), 25 (double) and all 52 (triple), or of winning in games without tiers. --json adds all
    alternatives and what the player saw. The page of --html shows the cards as the player saw them, with the
    chances beside each decision.

    \b
    Examples:
      winnable play chessboard --seed 8
      winnable play joker --seed 1 --hidden
      winnable play joker --seed 1 --bot
      winnable play joker --seed 1 --html game.html
      winnable play joker deal.txt --player rule
      winnable play joker --seed 1 --before 12 | winnable hint joker -
      winnable play joker --seed 1 --json | winnable verify joker --seed 1 -

    Exit status: 0 played, 3 interrupted, 2 bad usage or input.
    """
    asked = first_given("bot", *_OF_PLAYERS)
    if asked is None:
        return _let_play(source, hidden, max_seconds, not no_history)
    check_not_given(("hidden", "max_seconds", "no_history"), "does not apply to a player")
    if source.variant is not None:
        check_has_player(source.variant, asked)
    if before is not None and html_path is not None:
        raise click.UsageError("expected --before or --html, got both")
    page = None if html_path is None else Output("--html", html_path)
    deal = source.deal()
    variant = deal.variant
    check_has_player(variant, asked)
    view_of_deal(deal, source.file)
    who = make_player(player, visits, think_seconds)
    with as_usage():
        find_player_kernel(variant)
        if before is not None:
            _show_before(decisions(deal.state, who), before, as_json)
            return 0
        with page or nullcontext():
            return _play(variant, deal, who, as_json, page)


def _let_play(source: Source, is_hidden: bool, seconds: float, is_kept: bool) -> int:
    """Play interactively."""
    from .. import interactive

    if "-" in (source.file, source.moves):
        raise click.UsageError("expected the name of a file, got -: standard input has the moves")
    deal = source.position()
    with as_usage():
        return interactive.play(deal, is_hidden, seconds, is_kept)


def _show_before(game: Iterator[Decision], number: int, as_json: bool) -> None:
    """Print what the player sees before decision ``number``. Raises ValueError if the game has none such."""
    made = 0
    for made, decision in enumerate(game, 1):
        if made == number:
            view = view_of(decision.state)
            say(stamped(view_object(view)) + "\n" if as_json else format_view(view), end="")
            return
    raise ValueError(f"--before {number}: expected a decision from 1 to {made}")


def _play(variant: Variant, deal: Deal, player: Player, as_json: bool, page: Output | None) -> int:
    """Play and print, each decision as it is made unless it is JSON; what there is when Ctrl-C ends it."""
    made: list[Decision] = []
    status = 0
    if not as_json:
        say(f"{format_deal(deal)}\nPlayer: {player.name}\n")
    try:
        for decision in decisions(deal.state, player):
            made.append(decision)
            if not as_json:
                say(_line(variant, len(made), decision))
    except KeyboardInterrupt:
        status = UNDECIDED
    if page is not None:
        page.write(game_page(variant, deal, player, made))
    moves = [text for decision in made for text in _texts(variant, decision)]
    last: Any = replay(variant, deal.state, moves)
    score, tier = places_filled(variant, last), tier_reached(variant, last)
    if as_json:
        answer: dict[str, Any] = deal_keys(deal) | {"player": player.name}
        answer |= {"score": score, "tier": tier}
        answer |= {"decisions": [_object(variant, decision) for decision in made]}
        answer |= {"moves": moves, "length": len(moves)}
        say(stamped(answer), is_plain=True)
    else:
        say(f"\n{score} of {last.deck.places} ({tier}) in {count_moves(len(moves))}")
    if status:
        complain("interrupted")
    return status


def _texts(variant: Variant, decision: Decision) -> list[str]:
    return format_line(variant, decision.state, decision.moves)


def _line(variant: Variant, number: int, decision: Decision) -> str:
    """One decision, with the chances of what was chosen."""
    text = f"{number:>4}. {'; '.join(_texts(variant, decision))}"
    if not decision.advice or not decision.advice[0].tiers:
        return text
    chances = "  ".join(f"{tier} {chance_text(chance)}" for tier, chance in decision.advice[0].tiers.items())
    line = f"{text:<34}  # {chances}"
    is_wide = (width := columns()) is not None and len(line) > width
    return f"{text}\n{fit_comment(f'      # {chances}')}" if is_wide else line


def _object(variant: Variant, decision: Decision) -> dict[str, Any]:
    """The public JSON of one decision."""
    view = view_of(decision.state)
    return {
        "moves": _texts(variant, decision),
        "position": view_object(view),
        "advice": [
            advice_object(moves_texts(variant, view, entry.moves), entry) for entry in decision.advice
        ],
    }
