"""Options that several commands share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from ..rules import CHOICES, VARIANTS, Variant
from ..rules.cards import shown
from ..rules.choices import OPTIONS
from ..rules.deals import check_seed
from ..rules.formats.foreign.pysol import parse_number, parse_range
from ..rules.formats.text import TOPS, WAYS
from ..rules.tables import SEES
from ..solver import Limits
from ..solver.engine import find_searches
from . import interrupts
from .arguments import CountType, Decorator, NameType, NumberType, as_usage

if TYPE_CHECKING:
    from ..solver.player.player import Player

PLAYERS = click.Choice(("rule", "search"))  # the values of `player.KINDS`, which is imported only to play
UNITS = "in units of a microsecond or two"
LOAD = "which depend on the load of the machine, unlike --work"
FOR_DECIDING = "does not apply to a player; see --visits and --think-seconds"


class WorkType(click.ParamType):  # type: ignore[type-arg]
    """An amount of work."""

    name = "work"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The units written as ``value``: ``2000000``, ``2e6`` or ``2M``."""
        match = re.fullmatch(r"([0-9]{1,16})(?:\.([0-9]{1,16}))?(?:e([0-9]{1,2})|([kMG]))?", str(value))
        if match:
            whole, part = match[1], match[2] or ""
            zeros = int(match[3] or {"k": 3, "M": 6, "G": 9}.get(match[4], 0)) - len(part)
            units: int = int(whole + part) * 10 ** max(zeros, 0)
            if zeros >= 0 and units <= 10**15:
                return units
        raise click.UsageError(
            f"{max(param.opts, key=len) if param else 'work'} {shown(value)}: "
            "expected a whole number up to 10^15, such as 2000000, 2e6 or 2M"
        )


def parse_seed(text: str) -> int:
    """The seed written as ``text``."""
    try:
        return check_seed(int(text if text.isascii() and text.isdigit() else ""))
    except ValueError:
        raise click.UsageError(f"seed {shown(text)}: expected a whole number from 0 to 2^64 - 1") from None


def _pysol(text: str) -> str:
    """The PySolFC number written as ``text``, in canonical form; a range is returned unchanged."""
    with as_usage():
        return text.strip() if parse_range(text) else parse_number(text)


_seed_option: Decorator = click.option(
    "--seed",
    "-s",
    type=parse_seed,
    metavar="N",
    help="Take the deal of this seed, 0 to 2^64-1. GAME N is short for GAME --seed N.",
)
_pysol_option: Decorator = click.option(
    "--pysol",
    type=_pysol,
    metavar="NUMBER",
    help="Take the deal that PySolFC shows under this number (extra 'pysol').",
)
moves_option: Decorator = click.option(
    "--moves", "moves_path", type=NameType(), metavar="FILE", help="Make the moves in this file first."
)
html_option: Decorator = click.option(
    "--html", "html_path", type=click.Path(), metavar="FILE", help="Also write a page that replays the game."
)
json_option: Decorator = click.option("--json", "-j", "as_json", is_flag=True, help="Answer in JSON.")


def seed_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --seed and --pysol, which name a deal."""
    return _seed_option(_pysol_option(command))


def limit_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --work, --max-seconds and --max-memory, for each deal, which come as ``limits``."""

    @wraps(command)
    def with_limits(
        *args: Any,
        work: int | None,
        max_seconds: float | None,
        max_memory: float | None,
        **options: Any,
    ) -> Any:
        with as_usage():
            limits = Limits(None, max_seconds, max_memory, work)
        return command(*args, limits=limits, **options)

    decorated: Callable[..., Any] = with_limits
    for name, kind, default, text in (
        ("--max-memory", NumberType(min=0), 1000.0, "Megabytes that a search may store."),
        ("--max-seconds", NumberType(min=0), None, f"Seconds by the clock, {LOAD}.  [default: no limit]"),
        ("--work", WorkType(), None, f"Work for a deal, {UNITS}.  [default: no limit]"),
    ):
        option = click.option(name, type=kind, default=default, metavar="N", show_default=default, help=text)
        decorated = option(decorated)
    return decorated


def work_option(name: str, default: int | None, text: str) -> Decorator:
    """Return a decorator that adds an option for an amount of work."""
    shown_default = default is not None
    return click.option(
        name, type=WorkType(), default=default, show_default=shown_default, metavar="N", help=text
    )


def seconds_option(
    name: str, default: float | None, text: str, most: float | None = 10**9, min_open: bool = False
) -> Decorator:
    """Return a decorator that adds an option for a number of seconds, at most ``most``."""
    kind = NumberType(min=0, max=most, min_open=min_open)
    shown_default = default is not None
    return click.option(name, type=kind, default=default, show_default=shown_default, metavar="N", help=text)


def memory_option(default: float, text: str, least: float = 0, most: float | None = None) -> Decorator:
    """Return a decorator that adds --max-memory, a number of megabytes."""
    kind = NumberType(min=least, max=most)
    return click.option("--max-memory", type=kind, default=default, show_default=True, metavar="N", help=text)


def player_options(text: str, default: str | None = None) -> Decorator:
    """Return a decorator that adds --player, explained by ``text``, --visits and --think-seconds."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        time = "Seconds of processor time per decision, instead of --visits or as a second limit."
        command = seconds_option("--think-seconds", None, time, min_open=True)(command)
        samples = "Simulations per decision.  [default: 2500]"
        kind = CountType(1, 10**9)
        command = click.option("--visits", type=kind, metavar="N", help=samples)(command)
        shown = default is not None
        return click.option("--player", type=PLAYERS, default=default, show_default=shown, help=text)(command)

    return decorate


def sees_option(text: str) -> Decorator:
    """Return a decorator that adds --sees, explained by ``text``: what a player sees, by `tables.seen`."""
    return click.option("--sees", type=click.Choice(SEES), help=text)


def certificate_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --plain, which chooses the kind of certificates."""
    text = "Certificates with as few lemmas as possible."
    return click.option("--plain", is_flag=True, help=text)(command)


def check_has_player(variant: Variant, option: str) -> None:
    """Raise UsageError, naming ``option``, for a game without a player."""
    from ..solver.player.player import VARIANTS as PLAYED

    if variant.name not in PLAYED:
        raise click.UsageError(
            f"{option}: expected a game with a player ({', '.join(PLAYED)}), got {variant.name}"
        )


def make_player(kind: str, visits: int | None, seconds: float | None) -> Player:
    """The player requested. Raises UsageError if there is no such player."""
    from ..solver.player.player import Player

    with as_usage():
        return Player(kind, visits, seconds)


def choice_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --by and --top, and an option for each rule option, which applies where a file does not state
    it."""
    for name, values in reversed(CHOICES.items()):
        games = [variant for variant in VARIANTS.values() if name in variant.choices]
        usual = f"  [default: {values[0]}]" if len(games) == 1 else ""
        text = f"{games[0].name.title()}: {OPTIONS[name].help}{usual}"
        option = f"--{name.replace('_', '-')}"
        command = click.option(option, type=click.Choice(values), help=text)(command)
    text = "Whether the top card of a column comes last or first in a FILE.  [default: last]"
    command = click.option("--top", type=click.Choice(TOPS), help=text)(command)
    text = "Whether the lines of cards in a FILE are columns or rows.  [default: columns]"
    return click.option("--by", type=click.Choice(WAYS), help=text)(command)


def is_given(name: str) -> bool:
    """Test if the option ``name`` is given on the command line."""
    source = click.get_current_context().get_parameter_source(name)
    return source is click.core.ParameterSource.COMMANDLINE


def first_given(*names: str) -> str | None:
    """The first option given of those called ``names``, as it is written on the command line; None if none is
    given."""
    for param in click.get_current_context().command.params:
        if param.name in names and is_given(param.name):
            return max(param.opts, key=len)
    return None


def check_not_given(names: tuple[str, ...], why: str) -> None:
    """Raise UsageError if one of the options ``names`` is given; the message is the name of the option and
    ``why``."""
    if option := first_given(*names):
        raise click.UsageError(f"{option} {why}")


def check_shorten(variant: Variant, work: int, see: str = "--shortest") -> None:
    """Raise UsageError if --shorten is given for a game whose kernel does not shorten lines; ``see`` is the
    option that finds shortest lines there."""
    searches = find_searches(variant)
    if work and is_given("shorten") and not (searches and searches.OPTIMIZES):
        instead = "" if variant.scoring else f"; see {see}"
        raise click.UsageError(f"--shorten: expected a Simon game, got {variant.name}{instead}")


def need_variant(variant: Variant | None, why: str) -> Variant:
    """``variant``. Raises UsageError with ``why`` if it was left out."""
    if variant is None:
        raise click.UsageError(f"Missing argument 'GAME': {why}")
    return variant


def check_choices(variant: Variant | None, choices: dict[str, str]) -> None:
    """Raise UsageError for a choice that the game does not leave."""
    for name in choices:
        if variant is not None and name not in variant.choices:
            lack = "has no such rule option" if variant.choices else "has no rule options"
            raise click.UsageError(f"--{name.replace('_', '-')}: {variant.name} {lack}")


@contextmanager
def on_signals(stop: Callable[[], None]) -> Iterator[None]:
    """Call ``stop`` on Ctrl-C and SIGTERM; ignored signals stay ignored."""
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
