"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

import click

from ..rules import CHOICES, VARIANTS, Variant
from ..rules.cards import shown
from ..rules.deals import check_seed
from ..rules.formats.pysol import parse_number
from ..solver import Limits
from . import interrupts
from .arguments import Decorator, NameType, NumberType, VariantType

_SHORTENED = "simon"  # the family whose kernel makes lines shorter; so whether or not it was compiled
_CHOICE_TEXTS = {
    "exchange": "a waste card changes places with its joker whenever exposed, or when turned only.",
    "removal": "which jokers may be put out of play: undeclared ones, or any that are exposed.",
    "draw": "the number of cards that a draw turns.",
    "passes": "how often the stock may be gone through.",
    "worrying_back": "whether cards may come back from the foundations.",
}


class PlayerType(click.Choice):  # type: ignore[type-arg]
    """A kind of player."""

    def __init__(self) -> None:
        super().__init__(("rule", "search"))  # `KINDS` of the player, which is loaded only to play


class SeedType(click.ParamType):  # type: ignore[type-arg]
    """The number of a deal."""

    name = "seed"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The seed written as ``value``."""
        try:
            return check_seed(int(value) if str(value).isascii() else value)
        except ValueError:
            raise click.UsageError(
                f"seed {shown(value)}: expected a whole number from 0 to 2^64 - 1"
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


think_seconds_option: Decorator = click.option(
    "--think-seconds",
    type=NumberType(min=0, max=10**9, min_open=True),
    metavar="N",
    help="Processor time of a decision, in place of --visits or beside them.",
)
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
    """Add an option for every choice of rules; those given come as a dictionary, ``choices``."""

    @wraps(command)
    def with_choices(*args: Any, **kwargs: Any) -> Any:
        asked = {name: kwargs.pop(name) for name in CHOICES}
        choices = {name: value for name, value in asked.items() if value is not None}
        return command(*args, choices=choices, **kwargs)

    decorated: Callable[..., Any] = with_choices
    for name, values in reversed(CHOICES.items()):
        games = [variant for variant in VARIANTS.values() if name in variant.choices]
        usual = f"  [default: {values[0]}]" if len(games) == 1 else ""
        text = f"{games[0].name.title()}: {_CHOICE_TEXTS[name]}{usual}"
        option = f"--{name.replace('_', '-')}"
        decorated = click.option(option, type=click.Choice(values), help=text)(decorated)
    return decorated


def is_given(name: str) -> bool:
    """Return whether the option ``name`` stands on the command line."""
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


def check_choices(variant: Variant | None, choices: dict[str, str]) -> dict[str, str]:
    """``choices`` themselves. Raises UsageError for one that the game does not leave."""
    for name in choices:
        if variant is not None and name not in variant.choices:
            lack = "has no such choice" if variant.choices else "leaves no choice of rules"
            raise click.UsageError(f"--{name.replace('_', '-')}: {variant.name} {lack}")
    return choices


def make_limits(nodes: int | None, seconds: float | None, megabytes: float | None) -> Limits:
    """The limits asked for. Raises UsageError for what is no number."""
    try:
        return Limits(nodes, seconds, megabytes)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


@contextmanager
def on_signals(stop: Callable[[], None]) -> Iterator[None]:
    """Ctrl-C and a request to terminate call ``stop``; what is ignored stays ignored."""
    import signal

    numbers = (signal.SIGINT, signal.SIGTERM)
    signals = [number for number in numbers if signal.getsignal(number) != signal.SIG_IGN]

    def answer(*_: object) -> None:
        interrupts.answered()
        stop()

    before = [signal.signal(number, answer) for number in signals]
    try:
        yield
    finally:
        for number, handler in zip(signals, before, strict=True):
            signal.signal(number, handler)
