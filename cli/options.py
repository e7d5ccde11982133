"""Arguments and options that several commands share."""

from __future__ import annotations

import re
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from typing import Any

import click

from ..rules import CHOICES, Variant, View
from ..rules.cards import shown
from ..rules.deals import check_seed
from ..rules.formats import read_all, read_deal, read_deals, read_solution, read_table
from ..rules.formats.pysol import deal as deal_of_pysol
from ..rules.formats.pysol import parse_number
from ..rules.formats.text import Deal, FormatError
from ..rules.views import view_of
from ..solver import Limits
from ..solver.verify import WrongMove, replay
from .arguments import Decorator, NameType, VariantType

_SHORTENED = "simon"  # the family whose kernel makes lines shorter; it need not be compiled to be told
_COLOURS = rb"\x1b\[[0-9;]*m"
_CHOICE_TEXTS = {
    "exchange": "a waste card changes places with its joker whenever exposed, or when turned only.",
    "removal": "which jokers may be put out of play: undeclared ones, or any that are exposed.",
}


class SeedType(click.ParamType):  # type: ignore[type-arg]
    """The number of a deal."""

    name = "seed"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The seed written as ``value``."""
        try:
            return check_seed(int(value) if str(value).isascii() else value)
        except ValueError:
            raise click.UsageError(
                f"seed {shown(value)}: a whole number from 0 to 2^64 - 1 is needed"
            ) from None


class PysolType(click.ParamType):  # type: ignore[type-arg]
    """The number of a deal in PySolFC."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The number written as ``value``, in its plain form."""
        try:
            return parse_number(str(value))
        except ValueError as error:
            raise click.UsageError(str(error)) from None


variant_argument: Decorator = click.argument("variant", type=VariantType())
_seed_option: Decorator = click.option(
    "--seed", type=SeedType(), metavar="N", help="Take the deal of this seed, 0 to 2^64-1."
)
_pysol_option: Decorator = click.option(
    "--pysol", type=PysolType(), metavar="NUMBER", help="Take the deal that PySolFC shows under this number."
)
moves_option: Decorator = click.option(
    "--moves",
    "moves_path",
    type=NameType(),
    metavar="FILE",
    help="Make these moves first: a position in the middle of a game.",
)
json_option: Decorator = click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")


def seed_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --seed and --pysol, which name a deal."""
    return _seed_option(_pysol_option(command))


def limit_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --max-nodes, --max-seconds and --max-memory, which hold for each deal."""
    for name, kind, default, text in (
        ("--max-memory", click.FloatRange(min=0), 1000.0, "Megabytes that a search may store."),
        ("--max-seconds", click.FloatRange(min=0), None, "Seconds for a deal.  [default: no limit]"),
        ("--max-nodes", click.IntRange(min=0), None, "States expanded for a deal.  [default: no limit]"),
    ):
        option = click.option(name, type=kind, default=default, metavar="N", show_default=default, help=text)
        command = option(command)
    return command


def choice_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add an option for every choice of rules."""
    for name, values in reversed(CHOICES.items()):
        text = f"Joker: {_CHOICE_TEXTS[name]}  [default: {values[0]}]"
        command = click.option(f"--{name}", type=click.Choice(values), help=text)(command)
    return command


def is_given(name: str) -> bool:
    """Whether the option ``name`` stands on the command line."""
    source = click.get_current_context().get_parameter_source(name)
    return source is click.core.ParameterSource.COMMANDLINE


def check_not_given(names: tuple[str, ...], why: str) -> None:
    """Raise UsageError, which says ``why``, if one of the options ``names`` stands on the command line."""
    for param in click.get_current_context().command.params:
        if param.name in names and is_given(param.name):
            raise click.UsageError(f"{max(param.opts, key=len)}: {why}")


def check_shorten(variant: Variant, seconds: float, see: str = "--shortest") -> None:
    """Raise UsageError if --shorten asks for time for a game whose lines are not made shorter; ``see`` is the
    option for that where lines are proved to be shortest."""
    if seconds and is_given("shorten") and variant.rules != _SHORTENED:
        instead = "" if variant.scoring else f"; see {see}"
        raise click.UsageError(f"--shorten: it is for the Simon games, not for {variant.name}{instead}")


def need_variant(variant: Variant | None, why: str) -> Variant:
    """``variant``. Raises UsageError, which says ``why``, if it was left out."""
    if variant is None:
        raise click.UsageError(f"Missing argument 'VARIANT': {why}")
    return variant


def make_choices(variant: Variant | None, exchange: str | None, removal: str | None) -> dict[str, str]:
    """The choices asked for. Raises UsageError if the game leaves none."""
    asked = {"exchange": exchange, "removal": removal}
    choices = {name: value for name, value in asked.items() if value is not None}
    if choices and variant is not None and not variant.choices:
        raise click.UsageError(f"--{next(iter(choices))}: {variant.name} leaves no choice of rules")
    return choices


def make_limits(nodes: int | None, seconds: float | None, megabytes: float | None) -> Limits:
    """The limits asked for. Raises UsageError for what is no number."""
    try:
        return Limits(nodes, seconds, megabytes)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


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
                raise click.UsageError(f"{games}: deals of one game are needed")
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
    """What a player sees of ``deal``. Raises FormatError or UsageError for what it cannot be shown, with the
    name of the file that it came from, if it did."""
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
    game = need_variant(variant, "the game of the deal is needed")
    dealt = None if seed is None else Deal(game.deal(seed, choices=choices), seed)
    deal = dealt or pysol_deal(game, pysol or "")
    return iter([deal if moves is None else after_moves(deal, moves)])


def _check_source(variant: Variant | None, path: str | None, seed: int | None, pysol: str | None) -> None:
    """Raise UsageError unless exactly one of FILE, --seed and --pysol is given."""
    sources = {"FILE": path, "--seed": seed, "--pysol": pysol}
    given = [name for name, value in sources.items() if value is not None]
    if not given and variant is None:
        raise click.UsageError("Missing argument 'VARIANT': a game is needed, or a FILE that names it")
    if len(given) != 1:
        found = f", and here are {' and '.join(given)}" if given else ""
        raise click.UsageError(f"one of FILE, --seed and --pysol is needed{found}")


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
    return replace(deal, state=state, made=deal.made + len(moves))


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
        raise click.UsageError(f"DEAL and {what} are needed, or {what} and --seed or --pysol")
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
            needed = f"DEAL and {what} are needed, or {what} and --seed or --pysol"
            raise click.UsageError(f"{needed}; alone, {error}") from None
    return deal, read_solution(data, name, deal.variant), name


def pysol_deal(variant: Variant, number: str) -> Deal:
    """The deal of a number in PySolFC. Raises UsageError for a game that it does not deal."""
    try:
        return Deal(deal_of_pysol(variant, number), pysol=number)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


@contextmanager
def on_signals(stop: Callable[[], None]) -> Iterator[None]:
    """Ctrl-C and a request to terminate call ``stop``; what is ignored stays ignored."""
    numbers = (signal.SIGINT, signal.SIGTERM)
    signals = [number for number in numbers if signal.getsignal(number) != signal.SIG_IGN]
    before = [signal.signal(number, lambda *_: stop()) for number in signals]
    try:
        yield
    finally:
        for number, handler in zip(signals, before, strict=True):
            signal.signal(number, handler)
