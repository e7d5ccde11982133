"""Deals, positions and lines of play on the command line: seeds, numbers, files, and moves made first."""

import functools
import os
import re
import select
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, TypeVar

import click

from ..rules import CHOICES, State, Variant, has_unknown
from ..rules.cards import shown
from ..rules.deals import random_seed
from ..rules.formats import (
    answered_deal,
    each_deal,
    read_all,
    read_deal,
    read_deals,
    read_solution,
    read_table,
    stream_deals,
)
from ..rules.formats.foreign.pysol import deal as deal_of_pysol
from ..rules.formats.foreign.pysol import parse_range
from ..rules.formats.text import TOPS, WAYS, Deal, FormatError, Way
from ..solver.verify import WrongMove, replay
from .arguments import Decorator, WordType, as_usage, in_words, looks_like_file, near_file, split_words
from .console import complain, failure, note
from .options import check_choices, need_variant, parse_seed

T = TypeVar("T", Deal, Deal | FormatError)


def read_file(path: str) -> tuple[bytes, str]:
    """The content and the name of ``path``, standard input for ``-``. Raises
    OSError, and FormatError for a file that is too long."""
    if path == "-":
        name, data = "<stdin>", read_all(sys.stdin.buffer, "<stdin>")
    else:
        try:
            with open(path, "rb") as file:
                name, data = path, read_all(file, path)
        except FileNotFoundError as error:
            if (near := near_file(path)) is None:
                raise
            raise click.UsageError(f"{failure(error)}; {near}") from None
    return data, name


def peek(deals: Iterator[T]) -> tuple[T, bool, Iterator[T]]:
    """Return the first of ``deals``, whether it is the only one, and an iterator over all of them. An error
    in the second deal is raised only when that deal is requested. If there is only one, standard error says
    how it was read."""
    first, second, fault = next(deals), None, None
    try:
        second = next(deals, None)
    except FormatError as error:
        fault = error

    def all_of_them() -> Iterator[T]:
        yield first
        if fault is not None:
            raise fault
        if second is not None:
            yield second
            yield from deals

    is_one = second is None and fault is None
    if is_one and isinstance(first, Deal):
        told(first)
    return first, is_one, all_of_them()


def told(deal: Deal) -> Deal:
    """``deal``. If it is a table that was typed without its seed or number, standard error says
    before the answer how it was read."""
    if deal.reading is not None:
        other = TOPS[deal.reading.way.top == TOPS[0]]
        note(f"{deal.read_as} (otherwise --top {other})")
    return deal


def one_game(variant: Variant | None, deals: Iterator[Deal]) -> tuple[Variant, Iterator[Deal]]:
    """Return ``variant``, or the game of the first deal if it is None, and an iterator over ``deals``, which
    raises UsageError at a deal of another game."""
    if variant is not None:
        return variant, deals
    first = next(deals)

    def checked() -> Iterator[Deal]:
        for number, deal in enumerate(chain([first], deals), 1):
            if deal.variant.name != first.variant.name:
                games = f"expected deals of {first.variant.name}, the game of the first"
                raise click.UsageError(f"deal {number}: {games}, got {deal.variant.name}")
            yield deal

    return first.variant, checked()


class InputLines:
    """Lines of standard input, with a test whether a line is available. If the descriptor cannot be tested, a
    line always counts as available."""

    def __init__(self) -> None:
        self._held = bytearray()
        self._is_over = False
        try:
            self._number = sys.stdin.fileno()
            select.select([self._number], [], [], 0)
        except (OSError, ValueError):
            self._number = -1

    def is_ready(self) -> bool:
        """Test if text that is not blank, or the end of input, can be read without waiting."""
        if self._number < 0:
            return True
        while not self._is_over and len(self._held) < 1 << 20 and not self._held.strip():
            if not select.select([self._number], [], [], 0)[0]:
                return False
            self._fill()
        return True

    def readline(self, most: int) -> bytes:
        """Return the next line, or its first ``most`` bytes if it is longer; empty at the end."""
        if self._number < 0:
            return sys.stdin.buffer.readline(most)
        searched = 0
        while (
            not (end := self._held.find(b"\n", searched) + 1) and len(self._held) < most and not self._is_over
        ):
            searched = len(self._held)
            self._fill()
        line = bytes(self._held[: min(end or most, most)])
        del self._held[: len(line)]
        return line

    def _fill(self) -> None:
        data = os.read(self._number, 1 << 16)
        self._is_over = not data
        self._held += data


@dataclass(frozen=True)
class Source:
    """The deals that a command line names: by a game, files, a seed or a PySolFC number, and choices of
    rules. A file of ``moves`` is played first. ``by`` and ``top`` say how cards are arranged in the lines of
    files, as in `Way`; None stands for the usual.

    ``variant`` may be None if a file names its game. All methods raise UsageError unless exactly one of file,
    seed and number is given, and for a game that PySolFC does not deal; FormatError and OSError for invalid
    files.
    """

    variant: Variant | None
    files: tuple[str, ...] = ()
    seed: int | None = None
    pysol: str | None = None
    choices: dict[str, str] = field(default_factory=dict)
    moves: str | None = None
    by: str | None = None
    top: str | None = None

    @property
    def file(self) -> str | None:
        """The first file; None if there is none."""
        return self.files[0] if self.files else None

    @property
    def is_typed(self) -> bool:
        """Test if the position stands in a file as it is, so that it need not be printed."""
        return self.file not in (None, "-") and self.moves is None

    @property
    def way(self) -> Way:
        """The arrangement of cards in the lines of files."""
        return Way(self.by or WAYS[0], self.top or TOPS[0])

    def check_no_way(self) -> None:
        """Raise UsageError if --by or --top is given but no file is read."""
        for option, value in (("--by", self.by), ("--top", self.top)):
            if value is not None:
                raise click.UsageError(f"{option} requires a FILE of deals")

    @property
    def is_stream(self) -> bool:
        """Test if the deals come from standard input, one after the other."""
        return self.file == "-"

    @functools.cached_property
    def lines(self) -> InputLines:
        """Standard input, where the deals come from it."""
        return InputLines()

    def is_ready(self) -> bool:
        """Test if the next deal can be read without waiting for its writer."""
        return not self.is_stream or self.lines.is_ready()

    @property
    def is_dealt(self) -> bool:
        """Test if the deal is that of a seed or a number."""
        return self.seed is not None or self.pysol is not None

    @property
    def is_named(self) -> bool:
        """Test if the command line names a deal, or several."""
        return self.is_dealt or self.file is not None

    def or_random(self) -> "Source":
        """This source if it names a deal or moves; else one with the seed of a random deal of the game."""
        if self.is_named or self.variant is None or self.moves is not None:
            return self
        self.check_no_way()
        return replace(self, seed=random_seed())

    @property
    def numbers(self) -> tuple[str, range] | None:
        """The prefix and the range of PySolFC numbers, if a range is given; else None."""
        return None if self.pysol is None else parse_range(self.pysol)

    def deal(self) -> Deal:
        """The deal of the seed or number, or the only deal in the file; with a file of ``moves`` the position
        after them."""
        return told(next(self.deals(alone=True)))

    def deals(self, alone: bool = False, tables: bool = False) -> Iterator[Deal]:
        """Yield the deals of the file, or the deal of the seed or number. With ``alone`` a second deal is an
        error. With ``tables`` deals with unknown cards are allowed; their state is a table."""
        self._check()
        if self.is_stream and not alone and self.moves is None:
            return stream_deals(self.variant, self.lines, "<stdin>", self.choices, self.way, tables)
        if self.file is not None:
            read = self._read()
            if self.moves is None and not alone:
                return read_deals(self.variant, *read, self.choices, self.way, tables)
            return iter([self._after_moves(read_deal(self.variant, *read, self.choices, self.way))])
        self.check_no_way()
        game = need_variant(self.variant, "expected the game of the deal")
        if self.numbers is not None:
            if alone or self.moves is not None:
                raise click.UsageError(f"--pysol {self.pysol}: expected one number")
            prefix, numbers = self.numbers
            return (pysol_deal(game, f"{prefix}{number}", self.choices) for number in numbers)
        dealt = None if self.seed is None else Deal(game.deal(self.seed, choices=self.choices), self.seed)
        return iter([self._after_moves(dealt or pysol_deal(game, self.pysol or "", self.choices))])

    def each(self) -> Iterator[Deal | FormatError]:
        """Yield the deals as `deals` does with ``tables``. The error of a bad one is yielded in its place if
        the next one is sure to begin after it, otherwise it is raised: at once where a person types."""
        if self.file is None or self.moves is not None or (self.is_stream and sys.stdin.isatty()):
            yield from self.deals(tables=True)
            return
        self._check()
        source: tuple[Any, str] = (self.lines, "<stdin>") if self.is_stream else self._read()
        yield from each_deal(self.variant, *source, self.choices, self.way, True)

    def position(self) -> Deal:
        """The deal as `deal` returns it; a file may also hold a partly known position, whose state is then a
        table."""
        if self.file is None or self.is_dealt:
            return self.deal()
        found = told(read_table(self.variant, *self._read(), self.choices, self.way))
        if self.moves is not None and has_unknown(found.state):
            raise click.UsageError("--moves: expected a position without unknown cards")
        return self._after_moves(found)

    def line(self, what: str) -> tuple[Deal, list[str], str]:
        """Return a deal, a line of play on it, and the name of the file with the line. The files are that of
        the deal, which is left out with a seed or number, and that of the line; one file may hold both.
        ``what`` is the name of the line in the help."""
        deal, data, name = self.deal_and_line(what)
        return deal, read_solution(data, name, deal), name

    def deal_and_line(self, what: str, tables: bool = False) -> tuple[Deal, bytes, str]:
        """Return the deal of `line`, and the content and name of the file with the line, which is not read
        yet. With ``tables`` the file of the deal may hold a table with unknown cards."""
        needed = f"expected DEAL and {what}, or {what} and --seed or --pysol"
        if not 1 <= len(self.files) <= (1 if self.is_dealt else 2):
            raise click.UsageError(needed)
        if self.files.count("-") > 1:
            raise click.UsageError(f"only one of DEAL and {what} can be standard input")
        data, name = read_file(self.files[-1])
        if self.is_dealt or len(self.files) == 2:
            source = replace(self, files=self.files[:-1])
            return source.position() if tables else source.deal(), data, name
        found = answered_deal(self.variant, data, name, self.choices)
        try:
            deal = found or told(read_deal(self.variant, data, name, self.choices, self.way))
        except FormatError as error:
            raise click.UsageError(f"{needed}; alone, {in_words(error)}") from None
        return deal, data, name

    def _check(self) -> None:
        """Raise UsageError unless exactly one of file, seed and number is given."""
        sources = {"a FILE": self.file, "--seed": self.seed, "--pysol": self.pysol}
        given = [name for name, value in sources.items() if value is not None]
        if not given and self.variant is None:
            raise click.UsageError(
                "Missing argument 'GAME': expected a game, or a FILE that names it (- for standard input)"
            )
        if not given:
            raise click.UsageError("no deal given: name a FILE (- for standard input), --seed or --pysol")
        if len(given) > 1:
            raise click.UsageError(f"{' and '.join(given)} exclude each other")

    def _read(self) -> tuple[bytes, str]:
        """The content and the name of the file."""
        assert self.file is not None
        if self.file == self.moves == "-":
            raise click.UsageError("only one of FILE and --moves can be standard input")
        return read_file(self.file)

    def _after_moves(self, deal: Deal) -> Deal:
        """The position after the moves, if there are any. Raises FormatError if one of them is illegal."""
        if self.moves is None:
            return deal
        data, name = read_file(self.moves)
        moves = read_solution(data, name, deal)
        try:
            state = replay(deal.variant, deal.state, moves)
        except WrongMove as error:
            raise FormatError(name, None, f"illegal {error}") from None
        return deal._replace(state=state, made=deal.made + len(moves))


def deal_arguments(metavar: str, several: bool = False) -> Decorator:
    """Add the arguments [GAME] and files, told apart by their content, and pass them to the command as a
    `Source` with --seed, --pysol, --moves, --by, --top and the rule options. Without ``several`` there is one
    file. In a command with --seed a whole number that is no file is a seed, too, which is said on stderr."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @click.argument("words", nargs=-1, type=WordType(), metavar=metavar)
        @functools.wraps(command)
        def with_source(
            words: tuple[str, ...],
            moves_path: str | None = None,
            by: str | None = None,
            top: str | None = None,
            **options: Any,
        ) -> Any:
            variant, files = split_words(words)
            if len(files) > 1 and not several:
                raise click.UsageError(f"expected one FILE or seed, got {', '.join(files)}")
            number = _seed_among(files) if "seed" in options else None
            seed, pysol = options.pop("seed", None), options.pop("pysol", None)
            if number is not None:
                if seed is not None or pysol is not None:
                    option = "--pysol" if seed is None else "--seed"
                    raise click.UsageError(f"{number}: no such file, and the deal is that of {option}")
                need_variant(variant, f"expected the game of seed {number}, such as: fortress {number}")
                seed = parse_seed(number)
                files = tuple(file for file in files if file != number)
            given = {name: options.pop(name, None) for name in CHOICES}
            choices = {name: value for name, value in given.items() if value is not None}
            check_choices(variant, choices)
            if number is not None:
                complain(f"{number}: read as --seed {number}")
            return command(Source(variant, files, seed, pysol, choices, moves_path, by, top), **options)

        return with_source

    return decorate


def _seed_among(words: tuple[str, ...]) -> str | None:
    """The first of ``words`` that is a whole number and no file; None if all are files. Raises UsageError for
    a word that is neither."""
    others = [word for word in words if not looks_like_file(word)]
    for word in others:
        if not re.fullmatch("[0-9]+", word):
            near = near_file(word)
            raise click.UsageError(f"{shown(word)}: neither a file nor a seed{f'; {near}' if near else ''}")
    return others[0] if others else None


def plan_in(data: bytes, name: str) -> Any:
    """The plan in an answer of solve --json for a table with unknown cards, the content of the file ``name``.
    Raises FormatError if there is none."""
    import json

    try:
        answer = json.loads(data)
    except (ValueError, RecursionError):
        answer = None
    plan = answer.get("plan") if isinstance(answer, dict) else None
    if not isinstance(plan, dict):
        expected = "expected the answer of solve --json for a sure win, with its plan"
        raise FormatError(name, 1, f"the table has unknown cards: {expected}")
    return plan


def hidden_deal(deal: Deal, path: str | None, sees: str = "table") -> State:
    """The table of ``deal`` as a player sees it, by `tables.seen`. If there is none, raises FormatError
    naming the ``path``, or UsageError without a path."""
    from ..rules.tables import check_hides, seen

    try:
        check_hides(deal.state)
        table: State = seen(deal.state, sees)
        return table
    except ValueError as error:
        if path is None:
            raise click.UsageError(str(error)) from None
        raise FormatError("<stdin>" if path == "-" else path, 1, error) from None


def pysol_deal(variant: Variant, number: str, choices: dict[str, str]) -> Deal:
    """The deal with this PySolFC ``number`` under the rule options ``choices``. Raises UsageError if PySolFC
    does not deal the game."""
    with as_usage():
        return Deal(deal_of_pysol(variant, number, choices), pysol=number)
