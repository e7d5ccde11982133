"""The command ``winnable board``: the analysis board in a browser."""

import errno
import logging
import signal
import socket
import sys
import threading
import webbrowser
from contextlib import suppress
from ipaddress import IPv4Address
from typing import Any

import click

from ...rules import has_unknown
from ...rules.cards import shown
from ...solver import Limits
from ...solver.analysis.difficulty import LEVELS
from .. import interrupts
from ..arguments import CountType
from ..console import complain, say
from ..deals import Source, deal_arguments
from ..options import choice_options, memory_option, need_variant, seconds_option, seed_options

_PORT = 8431
_EXTRA = "the board requires more packages: pip install 'winnable[board]'"


def _address(text: str) -> IPv4Address:
    """``text`` as an address. Raises UsageError for anything else."""
    try:
        return IPv4Address(text)
    except ValueError:
        raise click.UsageError(f"--host {shown(text)}: expected an address such as 192.168.1.5") from None


@click.command("board")
@deal_arguments("[GAME] [FILE]")
@seed_options
@click.option("--difficulty", type=click.Choice(LEVELS), help="Open a winnable deal of this difficulty.")
@click.option("--hidden", is_flag=True, help="Joker, Klondike: play without seeing the hidden cards.")
@choice_options
@click.option("--no-browser", is_flag=True, help="Print the address and open no browser.")
@click.option(
    "--host",
    type=_address,
    metavar="ADDRESS",
    help="Let a phone in: listen at this address of this machine, such as 192.168.1.5, instead of 127.0.0.1.",
)
@click.option(
    "--port",
    type=CountType(1, 65535),
    metavar="N",
    help=f"Listen at this port.  [default: {_PORT}, or any that is free]",
)
@click.option("--no-history", is_flag=True, help="Do not record the games played.")
@seconds_option("--max-seconds", 60.0, "Seconds of a search, by the clock.", most=3600, min_open=True)
@memory_option(400.0, "Megabytes that a search may store.", least=1, most=2000)
def command(
    source: Source,
    difficulty: str | None,
    hidden: bool,
    no_browser: bool,
    host: IPv4Address | None,
    port: int | None,
    no_history: bool,
    max_seconds: float,
    max_memory: float,
) -> int:
    """Play in the browser, and see after every move whether the game can still be won.

    The page is served at 127.0.0.1, to this machine only; it loads nothing from elsewhere and sends nothing.
    With --host it is served to your network, unencrypted, and the address, which holds a code for one
    browser, is printed as a QR code, too.

    Without GAME, choose the game on the page. The deal is that in FILE ('-' for standard input), that of
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
        import segno  # noqa: F401
        import uvicorn  # noqa: F401

        from ...board import server, socket_session
        from ...game import hidden_deals, history, storage
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
    listening = _listening(host, port)
    name, number = listening.getsockname()
    board = server.Board(settings, number, lambda: _tell_next(board), name)
    _serve(board, listening, opens=not no_browser)
    return 0


def _start(source: Source, difficulty: str | None, hidden: bool) -> Any:
    """The opening requested on the command line; None if there is none."""
    from ...board.new_game import Wanted, read_opening
    from ...game.hidden_deals import HiddenDeals
    from ...game.session import Opening, Session

    mode = "player" if hidden else "analysis"
    variant, choices = source.variant, source.choices
    if source.file is None and not source.is_dealt:
        source.check_no_way()
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
        opening = Opening(deal, "table" if has_unknown(deal.state) else mode)
    try:
        assert isinstance(opening, Opening)
        Session.begin(opening)
    except ValueError as error:
        raise click.UsageError(f"--hidden: {error}" if hidden else str(error)) from None
    return opening


def _listening(host: IPv4Address | None, port: int | None) -> socket.socket:
    """A socket that listens at ``host`` and ``port``; without them at 127.0.0.1 and the usual port or any
    free one. Raises UsageError if the port is in use, or the address is not one of this machine."""
    if host is not None and (host.is_unspecified or host.is_multicast):
        raise click.UsageError(f"--host: expected one address of this machine, got {host}")
    for number in (_PORT, 0) if port is None else (port,):
        found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind((str(host or "127.0.0.1"), number))
            found.listen(128)
            return found
        except OSError as error:
            found.close()
            if error.errno == errno.EADDRNOTAVAIL:
                raise click.UsageError(f"--host: expected an address of this machine, got {host}") from None
    raise click.UsageError(f"--port {port}: already in use")


def _tell_next(board: Any) -> None:
    complain(f"for another browser: {board.address()}")
    _draw(board)


def _draw(board: Any) -> None:
    """Print the address as a QR code if the board is served to other machines."""
    if board.host != "127.0.0.1":
        import segno

        segno.make(board.address(), error="l").terminal(out=sys.stderr, compact=True, border=2)


def _serve(board: Any, listening: socket.socket, opens: bool) -> None:
    """Serve until Ctrl-C, which ends the program."""
    from ...board.run_server import serve

    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)  # a page that is gone must not end the board
    address = board.address()
    with suppress(KeyboardInterrupt):  # before the server takes it over
        say(address)
        _draw(board)
        if opens:
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
        serve(board, listening)
    interrupts.end(0)
