"""``winnable board``."""

from __future__ import annotations

import logging
import signal
import socket
import sys
import threading
import webbrowser
from contextlib import suppress
from typing import Any

import click

from ...rules import View
from ...solver import Limits
from ...solver.analysis.difficulty import LEVELS
from .. import interrupts
from ..console import complain, say
from ..deals import Source, deal_arguments
from ..options import choice_options, need_variant, seconds_option, seed_options

_PORT = 8431
_EXTRA = "the board requires more packages: pip install 'winnable[board]'"


@click.command("board")
@deal_arguments("[VARIANT] [FILE]")
@seed_options
@click.option("--difficulty", type=click.Choice(LEVELS), help="Open a winnable deal of this difficulty.")
@click.option("--hidden", is_flag=True, help="Joker, Klondike: play without seeing the hidden cards.")
@choice_options
@click.option("--no-browser", is_flag=True, help="Print the address and open no browser.")
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    metavar="N",
    help=f"Listen at this port of 127.0.0.1.  [default: {_PORT}, or any that is free]",
)
@click.option("--no-history", is_flag=True, help="Do not record the games played.")
@seconds_option("--max-seconds", 60.0, "Seconds of a search.", most=3600, min_open=True)
@click.option(
    "--max-memory",
    type=click.FloatRange(min=1, max=2000),
    default=400.0,
    show_default=True,
    metavar="N",
    help="Megabytes that a search may store.",
)
def command(
    source: Source,
    difficulty: str | None,
    hidden: bool,
    no_browser: bool,
    port: int | None,
    no_history: bool,
    max_seconds: float,
    max_memory: float,
) -> int:
    """Play in the browser, and see after every move whether the game can still be won.

    The page is served at 127.0.0.1, to this machine only; it loads nothing from elsewhere and sends nothing.
    Without VARIANT, choose the game on the page. The deal is that in FILE ('-' for standard input), that of
    --seed or --pysol, or a random one. Ctrl-C ends the server and all searches. The board requires the extra
    packages of: pip install 'winnable[board]'.

    \b
    Examples:
      winnable board
      winnable board simple-simon --pysol 12345
      winnable board chessboard deal.txt
      winnable board joker --difficulty hard --hidden

    Exit status: 0 ended by Ctrl-C, 2 bad usage or input.
    """
    try:
        import uvicorn  # noqa: F401

        from ...board import hidden_deals, history, server, socket_session, storage
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "winnable":
            raise
        raise click.UsageError(_EXTRA) from None
    start = _start(source, difficulty, hidden)
    limits = Limits(seconds=max_seconds, megabytes=max_memory)
    logging.basicConfig(stream=sys.stderr, format="winnable: %(message)s", level=logging.WARNING)
    try:
        kept = None if no_history else history.History(history.usual_path())
    except storage.StorageError as error:
        raise click.UsageError(f"{error}; see --no-history") from None
    settings = socket_session.Settings(
        limits, start, kept, hidden_deals.HiddenDeals(hidden_deals.usual_path())
    )
    listening = _listening(port)
    board = server.Board(settings, listening.getsockname()[1], lambda: _tell_next(board))
    _serve(board, listening, opens=not no_browser)
    return 0


def _start(source: Source, difficulty: str | None, hidden: bool) -> Any:
    """The opening requested on the command line; None if there is none."""
    from ...board.hidden_deals import HiddenDeals
    from ...board.new_game import Wanted, read_opening
    from ...board.session import Opening, Session

    mode = "player" if hidden else "analysis"
    variant, choices = source.variant, source.choices
    if source.file is None and not source.is_dealt:
        if variant is None:
            if difficulty or hidden or choices:
                need_variant(variant, "expected the game")
            return None
        if difficulty is not None:
            return Wanted(variant, choices, mode, difficulty)
        request = {"game": variant.name, "from": {"random": True}, "mode": mode, "choices": choices}
        opening = read_opening(request, HiddenDeals())
    else:
        if difficulty is not None:
            raise click.UsageError("--difficulty excludes FILE, --seed and --pysol")
        deal = source.position()
        opening = Opening(deal, "table" if isinstance(deal.state, View) else mode)
    try:
        assert isinstance(opening, Opening)
        Session.begin(opening)
    except ValueError as error:
        raise click.UsageError(f"--hidden: {error}" if hidden else str(error)) from None
    return opening


def _listening(port: int | None) -> socket.socket:
    """A socket that listens at ``port`` of 127.0.0.1, by default at the usual one or any that is free. Raises
    UsageError for a port in use."""
    for number in (_PORT, 0) if port is None else (port,):
        found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind(("127.0.0.1", number))
            found.listen(128)
            return found
        except OSError:
            found.close()
    raise click.UsageError(f"--port {port}: already in use")


def _tell_next(board: Any) -> None:
    complain(f"for another browser: {board.address()}")


def _serve(board: Any, listening: socket.socket, opens: bool) -> None:
    """Serve until Ctrl-C, which ends the program."""
    from ...board.run_server import serve

    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)  # a page that is gone must not end the board
    address = board.address()
    with suppress(KeyboardInterrupt):  # before the server takes it over
        say(address)
        if opens:
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
        serve(board, listening)
    interrupts.end(0)
