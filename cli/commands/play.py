"""``winnable play``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import nullcontext
from itertools import chain
from typing import Any

import click

from ...board.advice import advice_object, moves_texts
from ...board.page import game_page
from ...rules import Variant
from ...rules.formats.partial import format_view, view_object
from ...rules.formats.text import Deal, deal_keys, format_deal
from ...rules.move_text import count_moves
from ...rules.views import view_of
from ...solver.player.player import VARIANTS, Decision, Player, decisions, find_player_kernel, tier_reached
from ...solver.verify import format_line, replay
from ..arguments import game_arguments
from ..console import complain, say
from ..deals import take_deal, take_position, view_of_deal
from ..files import Output
from ..main import UNDECIDED
from ..options import (
    PlayerType,
    check_not_given,
    is_given,
    json_option,
    moves_option,
    seed_options,
    think_seconds_option,
)
from ..player_advice import chance_text
from ..terminal import columns, fit_comment

_OF_PLAYERS = ("player", "visits", "think_seconds", "before", "html_path", "as_json")
"""The options that ask for a player."""


@click.command("play")
@game_arguments("[VARIANT] [POSITION]", "position")
@seed_options
@moves_option
@click.option("--hidden", is_flag=True, help="Joker, Klondike: play without seeing the hidden cards.")
@click.option(
    "--max-seconds",
    type=click.FloatRange(min=0, min_open=True),
    default=10.0,
    show_default=True,
    metavar="N",
    help="Seconds of a verdict or a hint.",
)
@click.option("--no-history", is_flag=True, help="Keep the game out of the history of the board.")
@click.option("--bot", is_flag=True, help="Have a player play who does not see the hidden cards.")
@click.option("--player", type=PlayerType(), default="search", show_default=True, help="Who plays.")
@click.option(
    "--visits", type=click.IntRange(1, 10**9), metavar="N", help="Samples of a decision.  [default: 2500]"
)
@think_seconds_option
@click.option(
    "--before",
    type=click.IntRange(1, 10**9),
    metavar="N",
    help="Play only up to decision N, and print what the player sees then, as hint reads it.",
)
@click.option(
    "--html", "html_path", type=click.Path(), metavar="FILE", help="Also write the game as a page to watch."
)
@json_option
def command(
    variant: Variant | None,
    position: str | None,
    seed: int | None,
    pysol: str | None,
    moves_path: str | None,
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
    """Play a game here, move by move, or have a player play it who does not see the hidden cards.

    The game begins with the deal of --seed or --pysol, or with POSITION, a file. VARIANT may be left out
    where POSITION names its game. Moves are read from standard input, one a line, and beside them the words
    undo, redo, auto, hint, verdict, judge, mistakes, show, moves, save FILE, reveal and quit; help explains
    them. A move that throws the win away is told of when it is made. With --hidden, or a POSITION with
    unknown cards, a hint tells the chances. The game is kept in the history of the board.

    With --bot, which --player, --visits, --think-seconds, --before, --html and --json mean too, a player
    plays a game of joker or of Klondike to its end; then POSITION may be standard input ('-'). Each
    line is a decision: moves that belong together and, where the player weighed several, the chances that it
    gives itself to come to 15 cards (win), to 25 (double) and to all 52 (triple), or where there are no such
    tiers to win. With --json all that it
    weighed is told, and what it saw. The page of --html shows the cards as the player saw them, with its
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
    if not bot and not any(map(is_given, _OF_PLAYERS)):
        return _let_play(variant, position, seed, pysol, moves_path, hidden, max_seconds, not no_history)
    check_not_given(("hidden", "max_seconds", "no_history"), "it is for a person who plays")
    if variant is not None:
        _check_has_player(variant)
    if before is not None and html_path is not None:
        raise click.UsageError("--before prints a position, and --html shows a whole game")
    page = None if html_path is None else Output("--html", html_path)
    deal = take_deal(variant, position, seed, pysol, {}, moves_path)
    variant = deal.variant
    _check_has_player(variant)
    view_of_deal(deal, position)
    try:
        who = Player(player, visits, think_seconds)
        find_player_kernel(variant)
        if before is not None:
            _show_before(decisions(deal.state, who), before, as_json)
            return 0
        with page or nullcontext():
            return _play(variant, deal, who, as_json, page)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def _let_play(
    variant: Variant | None,
    position: str | None,
    seed: int | None,
    pysol: str | None,
    moves_path: str | None,
    is_hidden: bool,
    seconds: float,
    is_kept: bool,
) -> int:
    """Let a person play."""
    from .. import interactive

    if "-" in (position, moves_path):
        raise click.UsageError("standard input has the moves of who plays: name a file")
    deal = take_position(variant, position, seed, pysol, {}, moves_path)
    try:
        return interactive.play(deal, is_hidden, seconds, is_kept)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def _check_has_player(variant: Variant) -> None:
    if variant.name not in VARIANTS:
        raise click.UsageError(f"there is no player for {variant.name}, but for {', '.join(VARIANTS)}")


def _show_before(game: Iterator[Decision], number: int, as_json: bool) -> None:
    """Print what the player sees before decision ``number``. Raises ValueError if the game has none such."""
    made = 0
    for made, decision in enumerate(game, 1):
        if made == number:
            view = view_of(decision.state)
            say(json.dumps(view_object(view)) + "\n" if as_json else format_view(view), end="")
            return
    raise ValueError(f"--before {number}: the game has {made} decisions")


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
    moves = list(chain.from_iterable(_texts(variant, decision, decision.moves) for decision in made))
    last: Any = replay(variant, deal.state, moves)
    score, tier = variant.score(last), tier_reached(variant, last)
    if as_json:
        answer: dict[str, Any] = deal_keys(deal) | {"player": player.name}
        answer |= {"score": score, "tier": tier}
        answer |= {"decisions": [_object(variant, decision) for decision in made], "solution": moves}
        say(json.dumps(answer), is_plain=True)
    else:
        filled = score if variant.scoring else sum(map(len, variant.family.foundations_of(last)))
        say(f"\n{filled} of {last.deck.places} ({tier}) in {count_moves(len(moves))}")
    if status:
        complain("interrupted")
    return status


def _texts(variant: Variant, decision: Decision, moves: tuple[Any, ...]) -> list[str]:
    return format_line(variant, decision.state, moves)


def _line(variant: Variant, number: int, decision: Decision) -> str:
    """One decision, with the chances of what was chosen."""
    text = f"{number:>4}. {'; '.join(_texts(variant, decision, decision.moves))}"
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
        "moves": _texts(variant, decision, decision.moves),
        "position": view_object(view),
        "advice": [
            advice_object(moves_texts(variant, view, entry.moves), entry) for entry in decision.advice
        ],
    }
