"""``winnable rate``."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import re
import sys
from collections.abc import Iterable
from contextlib import AbstractContextManager, ExitStack
from itertools import pairwise
from typing import Any

import click

from ...rules import Variant
from ...rules.cards import shown
from ...rules.deals import DEALER
from ...rules.formats import read_deals
from ...rules.views import view_of
from ...solver import Limits
from ...solver.batch.chunk import ClusterError, Piece, Task
from ...solver.batch.rate import RateRun, ranges_of, shard_of
from ...solver.batch.schema import Header
from ...solver.batch.statistics import paired, summary
from ...solver.batch.store import SEEDS, Store, StoreError
from ...solver.engine import find_kernel
from ...solver.player.player import VARIANTS as PLAYED
from ...solver.player.player import Player, find_player_kernel
from ..arguments import NameType, game_arguments
from ..certificates import Folder, Wanted
from ..console import complain, say
from ..deals import one_game, read_file
from ..files import Output
from ..main import UNDECIDED
from ..options import (
    PlayerType,
    check_choices,
    check_not_given,
    choice_options,
    json_option,
    limit_options,
    make_limits,
    need_variant,
    on_signals,
    think_seconds_option,
)
from ..output import rate_text
from ..terminal import columns, fit

_SEEDS = "[0-9]{1,20}(-[0-9]{1,20})?(,[0-9]{1,20}(-[0-9]{1,20})?)*"


class PercentType(click.ParamType):  # type: ignore[type-arg]
    """A part of one, or a percentage."""

    name = "percent"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The part of one that ``value`` names: ``0.1%`` or ``0.001``."""
        if isinstance(value, float):
            return value
        match = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)(%?)", value)
        part = float(match[1]) / (100 if match[2] else 1) if match else 0.0
        if not 0 < part < 1:
            raise click.UsageError(f"--until {value!r}: expected a part of one, such as 0.1% or 0.001")
        return part


class ShardType(click.ParamType):  # type: ignore[type-arg]
    """One of several slices."""

    name = "shard"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        """The number of the slice and how many there are: ``2/8``."""
        if isinstance(value, tuple):
            return value
        match = re.fullmatch("([0-9]{1,9})/([0-9]{1,9})", value)
        if not match or not 1 <= int(match[1]) <= int(match[2]):
            raise click.UsageError(f"--shard {value!r}: expected a slice such as 2/8, from 1/8 to 8/8")
        return int(match[1]), int(match[2])


@click.command("rate")
@game_arguments("[VARIANT]", several=True)
@click.option(
    "--deals",
    required=True,
    metavar="SEEDS|FILE",
    help="Seeds such as 1-1000 or 1-9,20-29, or a file of deals.",
)
@click.option("--out", metavar="FILE", help="Keep the results in this SQLite file, or go on with it.")
@click.option(
    "--until", type=PercentType(), metavar="P%", help="End once the 95 % interval is +-P % or less."
)
@click.option(
    "--retry-undecided", is_flag=True, help="Try the undecided deals of --out again, with new limits."
)
@click.option(
    "--workers", type=click.IntRange(1, 1024), metavar="N", help="Threads.  [default: one a processor]"
)
@click.option("--shard", type=ShardType(), metavar="I/N", help="Do the I-th of N slices of the deals.")
@click.option(
    "--scheduler",
    type=NameType(),
    metavar="ADDRESS",
    help="Use the Dask cluster there, such as tcp://host:8786.",
)
@click.option(
    "--check-every",
    type=click.IntRange(min=0),
    default=1000,
    show_default=True,
    metavar="N",
    help="Replay the lines of seeds divisible by N by the readable rules too; 0 for none.",
)
@click.option("--shortest", is_flag=True, help="Find shortest lines, as far as the limits allow.")
@click.option("--player", type=PlayerType(), help="Play the deals without seeing the hidden cards.")
@click.option(
    "--visits", type=click.IntRange(1, 10**9), metavar="N", help="Samples of a decision.  [default: 2500]"
)
@think_seconds_option
@click.option(
    "--paired",
    "optima",
    type=NameType(),
    metavar="FILE",
    help="Compare the player with what is possible, kept there.",
)
@click.option(
    "--certificates",
    type=NameType(),
    metavar="DIR",
    help="Keep in this folder what proves each deal lost, or its line shortest; see winnable check.",
)
@click.option("--plain", is_flag=True, help="Certificates with as few lemmas as there can be.")
@click.option(
    "--clauses", is_flag=True, help="Certificates of moves by clauses, for any LRAT checker, not positions."
)
@limit_options
@choice_options
@json_option
def command(
    variant: Variant | None,
    file: tuple[str, ...],
    deals: str,
    out: str | None,
    until: float | None,
    retry_undecided: bool,
    workers: int | None,
    shard: tuple[int, int] | None,
    scheduler: str | None,
    check_every: int,
    shortest: bool,
    player: str | None,
    visits: int | None,
    think_seconds: float | None,
    optima: str | None,
    certificates: str | None,
    plain: bool,
    clauses: bool,
    max_nodes: int | None,
    max_seconds: float | None,
    max_memory: float,
    choices: dict[str, str],
    as_json: bool,
) -> int:
    """Estimate how often VARIANT can be won, by deciding many deals.

    VARIANT may be left out where a file of --deals names it.

    Every line found is replayed by a second, compiled set of rules. With --out the results are kept as they
    come: after Ctrl-C, or a crash, the same command goes on where it was. Undecided deals count as lost for
    the lower end of the interval and as won for the upper one. See also: winnable report

    With --player the deals are not decided but played, by a player who sees what a person sees: by rule, or
    weighing samples of the hidden cards (search). The rates are then those of its games.

    \b
    Examples:
      winnable rate chessboard --deals 1-100000
      winnable rate joker --deals 1-1000000 --until 0.5% --out joker.sqlite
      winnable rate fortress --deals 1-10000000 --shard 2/8 --out shard2.sqlite
      winnable rate joker --deals 1-400 --player search --out played.sqlite --paired joker.sqlite

    Exit status: 0 done, 3 interrupted, 2 bad usage or input.
    """
    if file:
        raise click.UsageError(
            f"Got unexpected extra argument ({file[0]}): a file of deals goes with --deals"
        )
    _check_files(deals, out, optima, scheduler)
    if retry_undecided and not out:
        raise click.UsageError("--retry-undecided: expected --out, the file of the deals")
    if scheduler and workers:
        raise click.UsageError("--workers: the cluster of --scheduler has its own")
    if scheduler:
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what goes wrong is told in one line
    check_choices(variant, choices)
    limits = make_limits(max_nodes, max_seconds, max_memory)
    variant, dealer, pieces = _deals(variant, deals, choices)
    who = _player(variant, player, visits, think_seconds, optima, choices, limits)
    if who is not None:
        _check_views(deals, pieces)
    if shard:
        pieces = shard_of(pieces, *shard)
    task = Task(variant.name, limits, variant.agreed(choices), check_every, shortest, player=who)
    engine = "compiled" if find_kernel(variant) else "reference"
    if who is not None:
        engine = Header.engine_of(who.name)
    wanted = Wanted(plain, shortest, clauses)
    folder = _folder(certificates, wanted, player, variant, choices)
    header = Header(variant.name, dealer, limits, choices, shortest, engine)
    try:
        with Store.write(out, header, retry_undecided) as store:
            run = RateRun(
                store, task, pieces, workers=workers, scheduler=scheduler, until=until, retry=retry_undecided
            )
            if retry_undecided and run.undecided and not run.waiting:
                complain(f"{out}: nothing to try again: what is undecided was tried with these limits")
            if folder is not None:
                _certify(run, folder, pieces)
            _run(run, "winnable" if who is None else "won", folder, pieces)
            answer = summary(store, ranges_of(pieces)) | {"workers": run.batch.workers}
            if folder is not None:
                answer["certificates"] = folder.summary()
            if optima:
                with Store.read(optima) as decided:
                    answer["paired"] = paired(store, decided, ranges_of(pieces))
    except (StoreError, ClusterError, ValueError) as error:
        raise click.ClickException(str(error)) from None
    say(json.dumps(answer) if as_json else fit(rate_text(answer, columns())), is_plain=True)
    if not run.is_stopped:
        return 0
    kept = f"; {out} keeps what is finished, the same command goes on" if out else ""
    complain(f"interrupted after {run.finished:,} of {run.wanted:,} deals{kept}")
    return UNDECIDED


def _check_files(deals: str, out: str | None, optima: str | None, scheduler: str | None) -> None:
    """Raise UsageError for an empty name, and for a store that cannot be written or is read too."""
    for option, value in (("--paired", optima), ("--scheduler", scheduler)):
        if value == "":
            raise click.UsageError(f"{option} '': expected a name")
    if out is not None:
        read = [] if re.fullmatch(_SEEDS, deals) else [deals]
        Output("--out", out, [*read, *([optima] if optima else [])])


def _folder(
    path: str | None, wanted: Wanted, player: str | None, variant: Variant, choices: dict[str, str]
) -> Folder | None:
    """The folder of the certificates, if they are asked for. Raises UsageError where there can be none."""
    if path is None and wanted.plain:
        raise click.UsageError("--plain: it belongs to --certificates")
    if wanted.clauses and (path is None or not wanted.shortest):
        raise click.UsageError("--clauses: it belongs to --certificates with --shortest")
    if path is None:
        return None
    if player is not None:
        raise click.UsageError("--certificates: they are of verdicts, and mean nothing with --player")
    from ...solver.certificates import counts_moves, has_certificates

    if not has_certificates(variant):
        raise click.UsageError(f"--certificates: there are none of {variant.name}")
    if wanted.shortest and not counts_moves(variant):
        raise click.UsageError(f"--certificates: with --shortest there are none of {variant.name}")
    return Folder(path, variant, choices, wanted)


def _certify(run: RateRun, folder: Folder, pieces: list[Piece]) -> None:
    """Write the certificates of what the store has from before, counting them on a terminal."""
    with _ended_together(run, folder):
        numbers: Iterable[int] = folder.fill(run.store, pieces)
        if sys.stderr.isatty():
            from tqdm import tqdm

            numbers = tqdm(numbers, unit=" certificates", leave=False)
        for _ in numbers:
            pass


def _ended_together(run: RateRun, folder: Folder | None) -> AbstractContextManager[None]:
    """Ctrl-C ends the run and what fills the folder."""

    def stop() -> None:
        run.stop()
        if folder is not None:
            folder.stop()

    return on_signals(stop)


def _player(
    variant: Variant,
    kind: str | None,
    visits: int | None,
    think_seconds: float | None,
    optima: str | None,
    choices: dict[str, str],
    limits: Limits,
) -> Player | None:
    """The player asked for, if any. Raises UsageError for what does not go together."""
    if kind is None:
        for name, value in (("--visits", visits), ("--think-seconds", think_seconds), ("--paired", optima)):
            if value is not None:
                raise click.UsageError(f"{name}: it belongs to --player")
        return None
    if variant.name not in PLAYED:
        raise click.UsageError(f"--player: there is none for {variant.name}, but for {', '.join(PLAYED)}")
    check_not_given(
        ("shortest", "retry_undecided", "max_memory"),
        "it is for deciding, and a player has --visits and --think-seconds",
    )
    _check_choices_of_player(variant, choices)
    if limits.nodes is not None or limits.seconds is not None:
        raise click.UsageError(
            "--max-nodes, --max-seconds: they are for deciding; a player has --visits and --think-seconds"
        )
    try:
        find_player_kernel(variant)
        return Player(kind, visits, think_seconds)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def _check_choices_of_player(variant: Variant, choices: dict[str, str]) -> None:
    """Raise UsageError for rules that the player of a game does not know."""
    try:
        view_of(variant.deal(1, choices=choices))
    except ValueError:
        name = next(iter(choices))
        raise click.UsageError(f"--{name}: a player knows the usual rules alone") from None


def _check_views(name: str, pieces: list[Piece]) -> None:
    """Raise UsageError for a position that a player cannot be shown."""
    for piece in pieces:
        for deal in () if isinstance(piece, range) else piece:
            try:
                view_of(deal[1])
            except ValueError as error:
                raise click.UsageError(f"{name}: deal {deal[0]}: {error}") from None


def _deals(variant: Variant | None, text: str, choices: dict[str, str]) -> tuple[Variant, str, list[Piece]]:
    """The game, where the deals come from, and the deals. Raises UsageError, FormatError, OSError."""
    if not re.fullmatch(_SEEDS, text):
        if not text or (re.fullmatch("[0-9, -]+", text) and text != "-" and not os.path.exists(text)):
            needed = "expected seeds such as 1-1000 or 1-9,20-29, or a file of deals"
            raise click.UsageError(f"--deals {shown(text)}: {needed}")
        data, name = read_file(text)
        game, found = one_game(variant, read_deals(variant, data, name, choices))
        positions = [(i, deal.state) for i, deal in enumerate(found, 1)]
        return game, f"file {hashlib.sha256(data).hexdigest()[:16]}", [positions]
    game = need_variant(variant, "expected the game of the deals")
    ranges: list[range] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        seeds = range(int(first), int(last or first) + 1)
        if not seeds or seeds.stop > SEEDS:
            raise click.UsageError(f"--deals {part!r}: expected seeds from low to high, below 2^63 - 1")
        ranges.append(seeds)
    ranges.sort(key=lambda seeds: seeds.start)
    for before, after in pairwise(ranges):
        if after.start < before.stop:
            raise click.UsageError(f"--deals {text!r}: seed {after.start} is there twice")
    return game, DEALER, [*ranges]


def _run(run: RateRun, verdict: str, folder: Folder | None, pieces: list[Piece]) -> None:
    """Do it, with a progress bar on a terminal, to the end or to Ctrl-C; certificates are written as soon as
    their deals are decided."""
    states = {deal[0]: deal for piece in pieces if not isinstance(piece, range) for deal in piece}
    with _ended_together(run, folder), ExitStack() as stack:
        bar = None
        if sys.stderr.isatty():
            from tqdm import tqdm

            done = run.finished
            bar = stack.enter_context(
                tqdm(total=run.waiting + done, initial=done, unit=" deals", smoothing=0.05)
            )
        for records in run.run():
            if bar is not None:
                low, high = run.interval
                bar.set_postfix_str(f"{low:.3%} to {high:.3%} {verdict}", refresh=False)
                bar.update(len(records))
            if folder is not None:
                numbers = records["seed"].tolist()
                piece = [states[number] for number in numbers] if states else _row_of(numbers)
                for _ in folder.fill(run.store, [piece]):
                    pass


def _row_of(numbers: list[int]) -> range:
    """Seeds in a row as a range."""
    return range(numbers[0], numbers[-1] + 1)
