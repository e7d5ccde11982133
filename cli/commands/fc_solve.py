"""``winnable fc-solve``: the dialogue of PySolFC with its solver."""

from collections.abc import Iterator
from typing import Any

import click

from ... import __version__
from ...rules import VARIANTS, Variant
from ...rules.cards import parse_card
from ...rules.formats.cleaning import decode
from ...rules.formats.foreign import fc_solve
from ...rules.variants import plain_name
from ...solver import Limits, Result, Verdict, solve
from ...solver.verify import follow
from ..arguments import CountType, NameType
from ..console import say
from ..deals import read_file

_STATES = 20  # states per iteration of fc-solve, which take about as long
_SHORTEN = 100_000  # units of work, for -opt
_IGNORED = ("-m", "-p", "-sel", "-hoi", "-s")
_IGNORED_VALUES = ("--load-config", "--iter-output-step", "--decks-num", "--freecells-num")


def _ignored(command: Any) -> Any:
    """Add hidden options of fc-solve that have no effect here."""
    for name in _IGNORED:
        command = click.option(name, is_flag=True, expose_value=False, hidden=True)(command)
    for name in _IGNORED_VALUES:
        command = click.option(name, expose_value=False, hidden=True)(command)
    return command


@click.command("fc-solve")
@click.argument("file", type=NameType(), default="-")
@click.option(
    "--preset", "-g", "--game", metavar="GAME", help="simple_simon, fortress, chessboard or simon_jester."
)
@click.option("--max-iters", type=CountType(0, 10**12), metavar="N", help="Give up after so much work.")
@click.option("--stacks-num", type=CountType(0, 100), metavar="N", help="The columns of the board.")
@click.option("-opt", "is_short", is_flag=True, help="Look for a shorter solution for a moment.")
@click.option("--iter-output", is_flag=True, help="Print the progress.")
@click.option("--sequences-are-built-by", "rule", hidden=True)
@click.option("--sequence-move", "rule", hidden=True)
@click.option("--empty-stacks-filled-by", "rule", hidden=True)
@click.version_option(__version__, prog_name="winnable")
@_ignored
def command(
    file: str,
    preset: str | None,
    max_iters: int | None,
    stacks_num: int | None,
    is_short: bool,
    iter_output: bool,
    rule: str | None,
) -> int:
    """Solve the board in FILE, by default standard input, for PySolFC, in place of fc-solve.

    The games are Simple Simon, Fortress, Chessboard and Simon Jester as PySolFC lays them out. "I could not
    solve this game" is a proof that it cannot be won; a search that is given up says that the iterations
    count was exceeded. The manual explains how to make PySolFC use it (docs/pysolfc.md).

    \b
    Examples:
      winnable deal simple-simon --seed 8 --format fc-solve | winnable fc-solve -g simple_simon

    Exit status: 0 answered, 2 bad usage or input, or another game.
    """
    variant = _game(preset, rule)
    data, name = read_file(file)
    state, columns = fc_solve.read(variant, decode(data, name), name)
    if stacks_num is not None and len(columns) != stacks_num:
        raise click.UsageError(f"{name}: expected {stacks_num} columns, got {len(columns)}")
    limits = Limits(None if max_iters is None else _STATES * max_iters, megabytes=1000)
    result = solve(variant, state, limits, shorten=_SHORTEN if is_short else 0)
    say("\n".join(_lines(variant, state, columns, result, iter_output)), is_plain=True)
    return 0


def _game(preset: str | None, rule: str | None) -> Variant:
    """The game for the options of fc-solve. Raises UsageError for any other game or rules."""
    known = [each for each in VARIANTS.values() if each.fc_solve]
    games = {plain_name(name): each for each in known for name in (each.fc_solve, each.name)}
    variant = None if rule is not None else games.get(plain_name(preset or ""))
    if variant is None:
        *names, last = (each.fc_solve for each in known)
        got = "other rules" if rule is not None else preset or "none"
        raise click.UsageError(f"--preset: expected {', '.join(names)} or {last}, got {got}")
    return variant


def _lines(
    variant: Variant, state: Any, columns: fc_solve.Columns, result: Result, tells_progress: bool
) -> Iterator[str]:
    """Yield the lines of the answer as fc-solve writes them."""
    if tells_progress:
        yield f"Iteration: {result.expanded}\nDepth: 0\nStored-States: {result.generated}\n"
    if result.verdict is Verdict.WINNABLE:
        yield "-=-=-=-=-=-=-=-=-=-=-=-\n"
        for text in _moves(variant, state, columns, result):
            yield f"Move {text}\n"
        yield "This game is solveable."
    elif result.verdict is Verdict.UNWINNABLE:
        yield "I could not solve this game."
    else:
        yield "Iterations count exceeded."
    yield f"Total number of states checked is {result.expanded}."
    yield f"This scan generated {result.generated} states."


def _moves(variant: Variant, state: Any, columns: fc_solve.Columns, result: Result) -> Iterator[str]:
    """Yield the moves of the line in the notation of fc-solve. Runs that leave by themselves here are moved
    explicitly."""
    yield from _runs(columns, state)
    for move, after in follow(variant, state, result.moves or ()):
        card, place = str(move).split()
        start, _, end = place.partition("-")
        source = int(start) - 1
        column = columns[source]
        at = len(column) - 1 - column[::-1].index(parse_card(card))
        moved = column[at:]
        del column[at:]
        cards = "a card" if len(moved) == 1 else f"{len(moved)} cards"
        if end == "f":
            yield f"{cards} from stack {source} to the foundations"
        else:
            columns[int(end) - 1] += moved
            yield f"{cards} from stack {source} to stack {int(end) - 1}"
        yield from _runs(columns, after)


def _runs(columns: fc_solve.Columns, state: Any) -> Iterator[str]:
    """Yield the complete runs on top of ``columns`` that have left in ``state``, and remove them from
    ``columns``."""
    ranks = state.deck.ranks
    for number, (column, left) in enumerate(zip(columns, state.columns, strict=True)):
        while len(column) > len(left):
            del column[len(column) - ranks :]
            yield f"the sequence on top of Stack {number} to the foundations"
