"""Arguments and options that several commands share."""

from __future__ import annotations

import re
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from ..rules import CHOICES, VARIANTS, Choices, Variant, find_variant
from ..rules.cards import shown
from ..rules.deals import check_seed
from ..rules.formats import read_deal, read_deals, read_position
from ..rules.joker_view import View, view_of
from ..rules.pysol import deal as deal_of_pysol
from ..rules.pysol import parse_number
from ..rules.text import Deal, FormatError
from ..solver import Limits

_COLOURS = re.compile(rb"\x1b\[[0-9;]*m")
_CHOICE_TEXTS = {
    "exchange": "a waste card changes places with its joker whenever exposed, or when turned only.",
    "removal": "which jokers may be put out of play: undeclared ones, or any that are exposed.",
}

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


class VariantType(click.ParamType):  # type: ignore[type-arg]
    """The name of a game."""

    name = "variant"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Variant:
        """The variant called ``value``."""
        if isinstance(value, Variant):
            return value
        try:
            return find_variant(value)
        except ValueError as error:
            raise click.UsageError(str(error)) from None

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        """The games whose names begin so."""
        names = [name for name in VARIANTS if name.startswith(incomplete)]
        return [click.shell_completion.CompletionItem(name, help=VARIANTS[name].summary) for name in names]


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


def make_choices(variant: Variant, exchange: str | None, removal: str | None) -> dict[str, str]:
    """The choices asked for. Raises UsageError if the game leaves none."""
    asked = {"exchange": exchange, "removal": removal}
    choices = {name: value for name, value in asked.items() if value is not None}
    if choices and not variant.jokers:
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
    OSError."""
    is_stdin = path == "-"
    data = sys.stdin.buffer.read() if is_stdin else Path(path).read_bytes()
    return _COLOURS.sub(b"", data), "<stdin>" if is_stdin else path


def take_deal(
    variant: Variant, path: str | None, seed: int | None, pysol: str | None, choices: dict[str, str]
) -> Deal:
    """The deal of a seed or of a number in PySolFC, or the only deal in the file ``path``.

    Raises UsageError unless one of them is given, or for a game that PySolFC does not deal; FormatError and
    OSError for the file.
    """
    return next(take_deals(variant, path, seed, pysol, choices, alone=True))


def take_position(
    variant: Variant, path: str | None, seed: int | None, pysol: str | None, choices: dict[str, str]
) -> Deal | View:
    """As `take_deal`; a file may hold a position that is partly known, too."""
    if path is None or seed is not None or pysol is not None:
        return take_deal(variant, path, seed, pysol, choices)
    return read_position(variant, *read_file(path), choices)


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
    variant: Variant,
    path: str | None,
    seed: int | None,
    pysol: str | None,
    choices: dict[str, str],
    alone: bool = False,
) -> Iterator[Deal]:
    """The deals of a file, or that of a seed or a number; ``alone`` demands just one. See `take_deal`."""
    if [path, seed, pysol].count(None) != 2:
        raise click.UsageError("one of FILE, --seed and --pysol is needed")
    if path is not None:
        read = read_file(path)
        return iter([read_deal(variant, *read, choices)]) if alone else read_deals(variant, *read, choices)
    if pysol is not None:
        return iter([pysol_deal(variant, pysol)])
    agreed = Choices(**choices) if choices else None
    return iter([Deal(variant.deal(seed or 0, choices=agreed), seed)])


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
