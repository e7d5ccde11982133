"""Deals, positions and lines of play as command lines name them: seeds, numbers, files, moves made first."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from itertools import chain

import click

from ..rules import Variant, View
from ..rules.formats import read_all, read_deal, read_deals, read_solution, read_table
from ..rules.formats.pysol import deal as deal_of_pysol
from ..rules.formats.text import Deal, FormatError
from ..solver.verify import WrongMove, replay
from .options import need_variant

_COLOURS = rb"\x1b\[[0-9;]*m"


def read_file(path: str) -> tuple[bytes, str]:
    """The content, without colours of a terminal, and the name of ``path``, standard input for ``-``. Raises
    OSError, and FormatError for one that is too long."""
    if path == "-":
        name, data = "<stdin>", read_all(sys.stdin.buffer, "<stdin>")
    else:
        with open(path, "rb") as file:
            name, data = path, read_all(file, path)
    return re.sub(_COLOURS, b"", data), name


def take_deal(
    variant: Variant | None,
    path: str | None,
    seed: int | None,
    pysol: str | None,
    choices: dict[str, str],
    moves: str | None = None,
) -> Deal:
    """The deal of a seed or of a number in PySolFC, or the only deal in the file ``path``; the position after
    the moves in the file ``moves``, if there is one.

    ``variant`` may be left out where the file names its game. Raises UsageError unless one of them is given,
    or for a game that PySolFC does not deal; FormatError and OSError for the files.
    """
    return next(take_deals(variant, path, seed, pysol, choices, moves, alone=True))


def peek(deals: Iterator[Deal]) -> tuple[Deal, bool, Iterator[Deal]]:
    """The first of ``deals``, whether it is the only one, and all of them.

    A second one that cannot be read is told of when it is asked for, after the first one is done.
    """
    first, second, fault = next(deals), None, None
    try:
        second = next(deals, None)
    except FormatError as error:
        fault = error

    def all_of_them() -> Iterator[Deal]:
        yield first
        if fault is not None:
            raise fault
        if second is not None:
            yield second
            yield from deals

    return first, second is None and fault is None, all_of_them()


def one_game(variant: Variant | None, deals: Iterator[Deal]) -> tuple[Variant, Iterator[Deal]]:
    """The game of ``deals``, which may be left out if they have one, and the deals.

    Asking for a deal of another game raises UsageError.
    """
    if variant is not None:
        return variant, deals
    first = next(deals)

    def checked() -> Iterator[Deal]:
        for number, deal in enumerate(chain([first], deals), 1):
            if deal.variant.name != first.variant.name:
                games = f"deal {number} is of {deal.variant.name}, the first of {first.variant.name}"
                raise click.UsageError(f"{games}: expected deals of one game")
            yield deal

    return first.variant, checked()


def take_position(
    variant: Variant | None,
    path: str | None,
    seed: int | None,
    pysol: str | None,
    choices: dict[str, str],
    moves: str | None = None,
) -> Deal:
    """As `take_deal`; a file may hold a position that is partly known, too: its state is a View."""
    if path is None or seed is not None or pysol is not None:
        return take_deal(variant, path, seed, pysol, choices, moves)
    _check_one_stdin(path, moves)
    found = read_table(variant, *read_file(path), choices)
    if moves is not None and isinstance(found.state, View):
        raise click.UsageError("--moves: every card must be known to make them")
    return found if moves is None else after_moves(found, moves)


def view_of_deal(deal: Deal, path: str | None) -> View:
    """The view of ``deal``. Raises FormatError or UsageError for what it cannot be shown, with the name of
    the file that it came from, if it did."""
    from ..rules.views import view_of

    try:
        return view_of(deal.state)
    except ValueError as error:
        if path is None:
            raise click.UsageError(str(error)) from None
        raise FormatError("<stdin>" if path == "-" else path, 1, error) from None


def take_deals(
    variant: Variant | None,
    path: str | None,
    seed: int | None,
    pysol: str | None,
    choices: dict[str, str],
    moves: str | None = None,
    alone: bool = False,
) -> Iterator[Deal]:
    """The deals of a file, or that of a seed or a number; ``alone`` demands just one. See `take_deal`."""
    _check_source(variant, path, seed, pysol)
    if path is not None:
        _check_one_stdin(path, moves)
        read = read_file(path)
        if moves is None and not alone:
            return read_deals(variant, *read, choices)
        deal = read_deal(variant, *read, choices)
        return iter([deal if moves is None else after_moves(deal, moves)])
    game = need_variant(variant, "expected the game of the deal")
    dealt = None if seed is None else Deal(game.deal(seed, choices=choices), seed)
    deal = dealt or pysol_deal(game, pysol or "")
    return iter([deal if moves is None else after_moves(deal, moves)])


def _check_source(variant: Variant | None, path: str | None, seed: int | None, pysol: str | None) -> None:
    """Raise UsageError unless exactly one of FILE, --seed and --pysol is given."""
    sources = {"FILE": path, "--seed": seed, "--pysol": pysol}
    given = [name for name, value in sources.items() if value is not None]
    if not given and variant is None:
        raise click.UsageError("Missing argument 'VARIANT': expected a game, or a FILE that names it")
    if len(given) != 1:
        found = f", got {' and '.join(given)}" if given else ""
        raise click.UsageError(f"expected one of FILE, --seed and --pysol{found}")


def _check_one_stdin(path: str, moves: str | None) -> None:
    if path == moves == "-":
        raise click.UsageError("only one of FILE and --moves can be standard input")


def after_moves(deal: Deal, path: str) -> Deal:
    """The position after the moves in the file ``path``. Raises FormatError if one of them is illegal."""
    data, name = read_file(path)
    moves = read_solution(data, name, deal.variant)
    try:
        state = replay(deal.variant, deal.state, moves)
    except WrongMove as error:
        raise FormatError(name, 1, f"the line is wrong at {error}") from None
    return deal._replace(state=state, made=deal.made + len(moves))


def take_line(
    variant: Variant | None,
    files: tuple[str, ...],
    seed: int | None,
    pysol: str | None,
    choices: dict[str, str],
    what: str,
) -> tuple[Deal, list[str], str]:
    """A deal, a line of play on it, and the name of the file of the line.

    ``files`` are that of the deal, left out beside a seed or a number, and that of the line; one file alone
    may hold both. ``what`` is what help calls the line. Raises as `take_deal` does.
    """
    has_deal = seed is not None or pysol is not None
    if not 1 <= len(files) <= (1 if has_deal else 2):
        raise click.UsageError(f"expected DEAL and {what}, or {what} and --seed or --pysol")
    if files.count("-") > 1:
        raise click.UsageError(f"only one of DEAL and {what} can be standard input")
    data, name = read_file(files[-1])
    if has_deal:
        deal = take_deal(variant, None, seed, pysol, choices)
    elif len(files) == 2:
        deal = take_deal(variant, files[0], None, None, choices)
    else:
        try:
            deal = read_deal(variant, data, name, choices)
        except FormatError as error:
            needed = f"expected DEAL and {what}, or {what} and --seed or --pysol"
            raise click.UsageError(f"{needed}; alone, {error}") from None
    return deal, read_solution(data, name, deal.variant), name


def pysol_deal(variant: Variant, number: str) -> Deal:
    """The deal of a number in PySolFC. Raises UsageError for a game that it does not deal."""
    try:
        return Deal(deal_of_pysol(variant, number), pysol=number)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
