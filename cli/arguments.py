"""Positional arguments: a game, a seed and files, told apart by their content."""

import math
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from ..rules import VARIANTS, Variant
from ..rules.remedies import BY_ROWS, GAME, UNKNOWN_CARDS
from ..rules.variants import near_names, plain_name, variant_called

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


_HINTS = {
    BY_ROWS: "read rows with --by rows",
    UNKNOWN_CARDS: "solve, hint, rate, play and board take unknown cards, written <??>",
    GAME: "in a command: GAME before FILE",
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
    """A word of the name of a game."""

    name = "variant"

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


_MOST_WORDS = 3  # of a name such as simon jester triangular


def find_game(words: tuple[str, ...]) -> tuple[Variant | None, tuple[str, ...]]:
    """Return the game that one or several of ``words`` name, None if none do, and the other words. A word
    that is a file names no game, except the first one, if it is the full name of a game."""
    for count in range(_MOST_WORDS, 0, -1):
        for first in range(len(words) - count + 1):
            part = words[first : first + count]
            game = variant_called(" ".join(part))
            is_file = any(map(os.path.exists, part)) and not (first == 0 and part[0] in VARIANTS)
            if game is not None and not is_file and all(map(plain_name, part)):
                return game, words[:first] + words[first + count :]
    return None, words


def split_words(words: tuple[str, ...]) -> tuple[Variant | None, tuple[str, ...]]:
    """Split ``words`` as `find_game` does. Raises UsageError if the first one is neither a game nor a number
    nor a file."""
    game, others = find_game(words)
    if game is None and words and not (words[0][0].isdigit() or looks_like_file(words[0])):
        from ..rules.cards import shown

        near = near_file(words[0]) or near_names(words[0])
        raise click.UsageError(f"{shown(words[0])}: neither a game nor a file; {near}")
    return game, others


def looks_like_file(word: str) -> bool:
    """Test if ``word`` is a file or written like one, or is ``-``."""
    return word == "-" or "." in word or "/" in word or os.path.exists(word)


def near_file(path: str) -> str | None:
    """The end of a message that the file ``path`` is missing: the file in its folder with the nearest name;
    None if there is none."""
    from difflib import get_close_matches

    folder, name = os.path.split(path)
    try:
        near = get_close_matches(name, os.listdir(folder or "."), n=1, cutoff=0.75)
    except (OSError, ValueError):
        return None
    return f"did you mean {os.path.join(folder, near[0])}?" if near else None


def check_given_once(command: click.Command, name: str, ctx: click.Context, args: list[str]) -> None:
    """Raise UsageError if ``args`` have an option of ``command`` twice, two values of the same choice, or a
    long option with a single dash."""
    own = command.context_class(command, info_name=name, parent=ctx)
    _check_dashes(command, own, args)
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


def _check_dashes(command: click.Command, ctx: click.Context, args: list[str]) -> None:
    """Raise NoSuchOption if ``args`` have a long option of ``command`` with a single dash, such as -seed."""
    flags = {flag for param in command.params for flag in param.opts}
    for word in args:
        if word == "--":
            return
        if len(word) > 2 and word not in flags and f"-{word}" in flags:
            raise click.NoSuchOption(word, possibilities=[f"-{word}"], ctx=ctx)
