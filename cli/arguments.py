"""Positional arguments: a game and files, told apart by their content."""

import math
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import click

from ..rules import VARIANTS, Variant, find_variant
from ..rules.remedies import BY_ROWS, GAME, GAMES, UNKNOWN_CARDS

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


_HINTS = {
    BY_ROWS: "read rows with --by rows",
    UNKNOWN_CARDS: "solve, hint, rate, play and board take unknown ones",
    GAME: "in a command: GAME before FILE",
    GAMES: "see: winnable describe",
}
"""The words of the command line for each remedy of an error."""


def in_words(error: Exception) -> str:
    """The message of ``error``, with the words of the command line for its remedies."""
    return "; ".join([str(error), *(_HINTS[each] for each in getattr(error, "remedies", ()))])


@contextmanager
def as_usage(about: str = "") -> Iterator[None]:
    """Replace a ValueError by a UsageError whose message is ``about`` followed by that of the error; a
    FormatError passes."""
    try:
        yield
    except ValueError as error:
        from ..rules.formats.text import FormatError

        if isinstance(error, FormatError):
            raise
        raise click.UsageError(about + in_words(error)) from None


class VariantType(click.ParamType):  # type: ignore[type-arg]
    """The name of a game."""

    name = "variant"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Variant:
        """The variant called ``value``."""
        if isinstance(value, Variant):
            return value
        with as_usage():
            return find_variant(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        """The games whose names start with ``incomplete``."""
        names = [name for name in VARIANTS if name.startswith(incomplete)]
        return [click.shell_completion.CompletionItem(name, help=VARIANTS[name].summary) for name in names]


class NameType(click.ParamType):  # type: ignore[type-arg]
    """The name of a file, or of another object, which must not be empty."""

    name = "file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """``value`` itself, unless it is empty."""
        if not value:
            named = max(param.opts, key=len) if isinstance(param, click.Option) else "FILE"
            raise click.UsageError(f"{named} '': expected a name")
        return str(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        """Files."""
        return [click.shell_completion.CompletionItem(incomplete, type="file")]


class NumberType(click.FloatRange):
    """A number within limits, written in plain digits, or with a point or an exponent if that is allowed."""

    pattern = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?"
    kind = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number written as ``value``."""
        from ..rules.cards import shown

        if isinstance(value, int | float):  # the default value, already a number
            return value
        if re.fullmatch(self.pattern, value):
            number = (int if self.kind == "whole number" else float)(value)
            is_high = self.min is None or number > self.min or (number == self.min and not self.min_open)
            if is_high and (self.max is None or number <= self.max) and math.isfinite(number):
                return number
        least = 0 if self.min is None else self.min
        limits = f"above {_plain(least)}, up" if self.min_open else f"from {_plain(least)}"
        limits = limits.removesuffix(", up") if self.max is None else f"{limits} to {_plain(self.max)}"
        option = f"{max(param.opts, key=len)} " if param else ""
        raise click.UsageError(f"{option}{shown(value)}: expected a {self.kind} {limits}")


class CountType(NumberType):
    """A whole number within limits, written in plain digits."""

    pattern = "[+-]?[0-9]{1,20}"
    kind = "whole number"


def _plain(limit: float) -> str:
    """A limit as it is written in messages: ``1024``, ``0.5``, ``10^9``."""
    zeros = len(str(int(limit))) - 1
    return f"10^{zeros}" if zeros > 5 and limit == 10**zeros else f"{limit:.15g}"


class WordType(NameType):
    """The name of a game, or a file."""

    name = "word"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        """Files and, for the first word, the games whose names start with ``incomplete``."""
        games = (
            [] if ctx.params.get(param.name or "") else VariantType().shell_complete(ctx, param, incomplete)
        )
        return [*games, click.shell_completion.CompletionItem(incomplete, type="file")]


def split_words(words: tuple[str, ...]) -> tuple[Variant | None, tuple[str, ...]]:
    """Split ``words`` into the game that the first one names, None if it names none, and the names of files.
    Raises UsageError if the first word is neither a game nor a file."""
    if not words:
        return None, ()
    first, *others = words
    game = game_called(first)
    if game is not None:
        return game, tuple(others)
    looks_like_file = first == "-" or os.path.exists(first) or "/" in first or "." in first
    if others and game_called(others[0]) and not os.path.exists(others[0]):
        raise click.UsageError(f"expected GAME {others[0]} before {first}")
    if not looks_like_file:
        try:
            find_variant(first)
        except ValueError as error:
            problem = str(error)
            if GAMES in getattr(error, "remedies", ()):
                from ..rules.cards import shown

                problem = f"{shown(first)}: neither a game nor a file; {_HINTS[GAMES]}"
            raise click.UsageError(problem) from None
    return None, words


def game_called(word: str) -> Variant | None:
    """The game named ``word``, or None. If a file has this name, only the full name of a game is taken as a
    game."""
    if word in VARIANTS:
        return VARIANTS[word]
    if os.path.exists(word):
        return None
    with suppress(ValueError):
        return find_variant(word)
    return None


def check_given_once(command: click.Command, name: str, ctx: click.Context, args: list[str]) -> None:
    """Raise UsageError if ``args`` have an option of ``command`` twice, or two values of the same choice."""
    own = command.context_class(command, info_name=name, parent=ctx)
    order = command.make_parser(own).parse_args(list(args))[2]
    seen: dict[str, str] = {}
    for option in order:
        if not isinstance(option, click.Option) or option.multiple or option.count or option.is_eager:
            continue
        flag = max(option.opts, key=len)
        key = option.name or flag
        if seen.get(key) == flag:
            raise click.UsageError(f"{flag}: given twice")
        if key in seen:
            raise click.UsageError(f"expected {seen[key]} or {flag}, got both")
        seen[key] = flag
