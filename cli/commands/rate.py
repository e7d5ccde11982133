"""The command ``winnable rate``: many deals decided or played."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import click

from ... import __version__
from ...rules import Variant
from ...rules.cards import shown
from ...rules.deals import DEALER
from ...rules.formats.foreign.pysol import MICROSOFT
from ...rules.tables import hidden
from ...solver import Limits
from ...solver.batch.chunk import CardDeals, ClusterError, Piece, PysolDeals, Task
from ...solver.batch.classes import USUAL, LostRun
from ...solver.batch.cluster import silence
from ...solver.batch.rate import RateRun, ranges_of, shard_of
from ...solver.batch.schema import Header
from ...solver.batch.statistics import paired, summary
from ...solver.batch.store import SEEDS, Store, StoreError
from ...solver.batch.tables import TableRun, has_tables
from ...solver.batch.threads import MOST_WORKERS
from ...solver.engine import check_score, find_kernel
from ..arguments import CountType, NameType, as_usage, near_file
from ..console import complain, say, stamped
from ..deals import Source, deal_arguments, peek, pysol_deal, read_file
from ..files import Output, check_writable, stream
from ..main import UNDECIDED
from ..options import (
    FOR_DECIDING,
    certificate_options,
    check_has_player,
    check_not_given,
    choice_options,
    is_given,
    json_option,
    limit_options,
    make_player,
    need_variant,
    on_signals,
    player_options,
)
from ..output import rate_text, tables_text
from ..runs import BAR, finish
from ..terminal import columns, fit

if TYPE_CHECKING:
    from ...solver.batch.certificates import CertificateFolder
    from ...solver.player.player import Player

_USUAL = "1-1000"
_NUMBER = "(0|[1-9][0-9]{0,19})(?:e([0-9]{1,2})|([kMG]))?"
_RANGE = rf"\s*(ms)?{_NUMBER}(?:\s*(?:[-\u2013:]|\.\.)\s*(?(1)(?:ms)?){_NUMBER})?\s*"
"""A seed, or two with a mark between them. There are no marks of thousands: "1-10,000" is not a range."""
_ZEROS = {"k": 3, "M": 6, "G": 9}

_MANY = 1000  # deals, of which the clock may end one without a warning

_OTHERS = re.compile(
    r"\.(csv|tsv|txt|md|html?|json|jsonl|ndjson|xml|ya?ml|xlsx?|ods|parquet|pq|arrow|feather|pickle|pkl|np[yz]"
    r"|gz|bz2|xz|zst|zip|png|svg|pdf)",
    re.IGNORECASE,
)
"""The endings of names that promise another format than that of a store."""
_KNOWN_ALONE = (
    *("output", "until", "shard", "scheduler", "shortest", "score", "classes"),
    *("player", "optima", "certificates"),
)
"""The parameters that need deals whose cards are all known."""
_REPORTS = {".txt": "", ".json": " --json", ".jsonl": " --jsonl", ".ndjson": " --jsonl"}


def _check_names_store(path: str) -> None:
    """Raise UsageError if the name of the store at ``path`` promises another format, such as .csv."""
    stem, ending = os.path.splitext(path)
    if not _OTHERS.fullmatch(ending):
        return
    store = f"{stem}.sqlite"
    form = _REPORTS.get(ending.lower(), " --csv")
    instead = f"expected a name such as {store}; afterwards: winnable report {store}{form}"
    raise click.UsageError(f"--output {path}: results are stored as SQLite, {instead}")


def _part(text: str) -> float:
    """The fraction written as a percentage or number, such as ``0.1%`` or ``0.001``."""
    match = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)(%?)", text)
    part = float(match[1]) / (100 if match[2] else 1) if match else 0.0
    if not 0 < part < 1:
        raise click.UsageError(f"--until {text!r}: expected a percentage or fraction, such as 0.1% or 0.001")
    return part


def _shard(text: str) -> tuple[int, int]:
    """The number of a shard and the number of shards, written as ``2/8``."""
    match = re.fullmatch("([0-9]{1,9})/([0-9]{1,9})", text)
    if not match or not 1 <= int(match[1]) <= int(match[2]):
        raise click.UsageError(f"--shard {text!r}: expected a slice such as 2/8, from 1/8 to 8/8")
    return int(match[1]), int(match[2])


@dataclass(frozen=True)
class Options:
    """The options of the command."""

    deals: str
    output: str | None
    until: float | None
    retry_undecided: bool
    workers: int | None
    shard: tuple[int, int] | None
    scheduler: str | None
    check_every: int
    shortest: bool
    score: bool
    classes: bool
    sample: int | None
    player: str | None
    visits: int | None
    think_seconds: float | None
    optima: str | None
    certificates: str | None
    plain: bool
    as_json: bool

    def check(self) -> None:
        """Raise UsageError for options that exclude each other, and for files that cannot be used."""
        for option, value in (("--paired", self.optima), ("--scheduler", self.scheduler)):
            if value == "":
                raise click.UsageError(f"{option} '': expected a name")
        if self.output is not None:
            read = [] if _ranges(self.deals) else [self.deals]
            Output("--output", self.output, [*read, *([self.optima] if self.optima else [])])
            _check_names_store(self.output)
        if self.retry_undecided and not self.output:
            raise click.UsageError("--retry-undecided requires --output")
        if self.sample and not self.classes:
            raise click.UsageError("--sample requires --classes")
        if self.scheduler and self.workers:
            raise click.UsageError("--workers does not apply to the cluster of --scheduler")
        if self.player is None:
            check_not_given(("visits", "think_seconds", "optima"), "requires --player")
        else:
            names = ("shortest", "score", "classes", "retry_undecided", "max_memory", "max_seconds", "work")
            check_not_given(names, FOR_DECIDING)
        if self.plain and self.certificates is None:
            raise click.UsageError("--plain requires --certificates")
        if self.certificates is not None and self.player is not None:
            raise click.UsageError("--certificates does not apply to a player")


@click.command("rate")
@deal_arguments("[GAME] [DEALS]", several=True)
@click.option(
    "--deals",
    "-d",
    default=_USUAL,
    show_default=True,
    metavar="SEEDS|FILE",
    help="Seeds such as 1-1000, 1-10k, 1..1e6 or 1-9,20-29, PySolFC's numbers such as pysol:1-1000 or "
    "ms1-ms50 (extra 'pysol'), or a file of deals.",
)
@click.option(
    "--output",
    "-o",
    metavar="FILE",
    help="Store the results in this SQLite file, or resume it.",
)
@click.option(
    "--until",
    type=_part,
    metavar="P%",
    help="Stop once both ends of the 95 % interval are at most P percentage points from the rate.",
)
@click.option(
    "--retry-undecided", is_flag=True, help="Try the undecided deals of --output again, with new limits."
)
@click.option(
    "--workers", type=CountType(1, MOST_WORKERS), metavar="N", help="Threads.  [default: one per processor]"
)
@click.option("--shard", type=_shard, metavar="I/N", help="Run slice I of N slices of the deals.")
@click.option(
    "--scheduler", type=NameType(), metavar="ADDRESS", help="Use this Dask cluster, such as tcp://host:8786."
)
@click.option(
    "--check-every",
    type=CountType(min=0),
    default=1000,
    show_default=True,
    metavar="N",
    help="Also replay the solutions of seeds divisible by N by the rules in Python; 0 for none.",
)
@click.option("--shortest", is_flag=True, help="Find shortest solutions, as far as the limits allow.")
@click.option(
    "--score",
    is_flag=True,
    help="Chessboard, Fortress, Klondike with redeals: find the most cards that can reach the foundations.",
)
@click.option("--classes", is_flag=True, help="Say why lost deals are lost.")
@click.option(
    "--sample",
    type=CountType(min=1),
    metavar="N",
    help=f"With --classes: take N lost deals, spread evenly.  [default: {USUAL}]",
)
@player_options("Play the deals without seeing the hidden cards.")
@click.option(
    "--paired",
    "optima",
    type=NameType(),
    metavar="FILE",
    help="Compare the player with the proved results in this file of rate.",
)
@click.option(
    "--certificates",
    type=NameType(),
    metavar="DIR",
    help="Write certificates of lost deals and shortest solutions to this folder; see winnable check.",
)
@certificate_options
@limit_options
@choice_options
@json_option
def command(source: Source, limits: Limits, **given: Any) -> int:
    """Estimate how often GAME can be won, by deciding many deals.

    DEALS is the same as --deals. GAME may be left out where a file of deals names it.

    Every solution found is replayed by a second, compiled implementation of the rules. With --output results
    are stored as they come: after Ctrl-C or a crash, the same command resumes the run. Undecided deals count
    as lost for the lower end of the interval and as won for the upper end. In Joker and one-pass Klondike the
    rate, also that of --until, is that of a win, 15 cards. See also: winnable report

    In Joker and the Klondike games a file may hold tables with unknown cards, as solve reads them: the answer
    is how many are won or lost for certain, whatever the unknown cards are, the mean share of the
    arrangements that can be won if all cards are seen, and the mean best chance without seeing them.

    With --player the deals are not decided but played, by a player who sees what a person sees and plays by
    rule, or by sampling the hidden cards (search). The rates are then those of its games.

    In games with scores the answer has the mean number of cards on the foundations and a histogram, in Vegas
    games the payout (5 a card, 52 to play): with --player those of its games, with --score the most that can
    be reached with all cards known.

    With --classes the answer also says why deals are lost: no move is legal, no card can ever reach the
    foundations (not tested in the Simon games), cards block each other, an easier game with fewer
    restrictions is lost as well, or only a complete search proves it. Each deal counts for the first reason
    that holds. That takes some milliseconds a lost deal, within the limits.

    \b
    Examples:
      winnable rate chessboard 1-100k
      winnable rate joker --deals 1-1000000 --until 0.5% --output joker.sqlite
      winnable rate simple-simon --deals pysol:1-1000 --output pysol.sqlite
      winnable rate fortress --deals 1-10000000 --shard 2/8 --output shard2.sqlite
      winnable rate joker --deals 1-400 --player search --output played.sqlite --paired joker.sqlite
      winnable rate klondike-vegas --deals 1-100 --score
      winnable rate fortress 1-1000 --classes

    Exit status: 0 done, 3 interrupted, 2 bad usage or input.
    """
    if source.files:
        named = [*source.files, *([f"--deals {given['deals']}"] if is_given("deals") else [])]
        if len(named) > 1:
            raise click.UsageError(f"expected one of {' and '.join(named)}")
        given["deals"] = named[0]
    options = Options(**given)
    options.check()
    if options.scheduler:
        silence()
    choices = source.choices
    variant, dealer, pieces = _deals(source, options.deals)
    if not source.files and not is_given("deals"):
        complain(f"no deals are named: read as --deals {_USUAL}")
    if has_tables(pieces):
        return _rate_tables(variant, pieces, limits, options, choices)
    player = _player(variant, options, variant.agreed(choices))
    if player is not None:
        _check_reachable(options.deals, pieces)
    if options.shard:
        pieces = shard_of(pieces, *options.shard)
    if options.score:
        with as_usage("--score: "):
            check_score(variant, choices=variant.agreed(choices))
    is_scored = options.score and variant.scoring is None
    task = Task(
        variant.name,
        limits,
        variant.agreed(choices),
        options.check_every,
        options.shortest,
        player=player,
        score=is_scored,
    )
    engine = "compiled" if find_kernel(variant, variant.agreed(choices)) else "reference"
    if player is not None:
        engine = Header.engine_of(player.name)
    folder = _folder(variant, options, choices)
    header = Header(variant.name, dealer, limits, choices, options.shortest, engine, scored=is_scored)
    try:
        run, answer, is_finished = _rate(header, task, pieces, options, folder)
    except (StoreError, ClusterError, ValueError) as error:
        raise click.ClickException(str(error)) from None
    say(stamped(answer) if options.as_json else fit(rate_text(answer, columns())), is_plain=True)
    _tell_late(run.late, run.added)
    if run.is_stopped:
        complain(f"interrupted after {run.finished:,} of {run.wanted:,} deals{_kept(options)}")
    return 0 if is_finished else UNDECIDED


def _tell_late(late: int, deals: int) -> None:
    """Report on stderr if the clock ended the search of more than one in a thousand ``deals``."""
    if late * _MANY > deals:
        why = "--max-seconds is time by the clock, which depends on the load of the machine; --work does not"
        complain(f"the clock ended {late:,} of {deals:,} searches: {why}")


def _kept(options: Options) -> str:
    """The end of a message about a run that ended early: where its results are."""
    return f"; {options.output} keeps the results, the same command resumes the run" if options.output else ""


def _rate_tables(
    variant: Variant, pieces: list[Piece], limits: Limits, options: Options, choices: dict[str, str]
) -> int:
    """Solve deals of which some have unknown cards, to the end or to Ctrl-C. Returns the exit status."""
    check_not_given(_KNOWN_ALONE, "requires deals without unknown cards")
    run = TableRun(pieces, limits, options.workers)
    is_finished = finish(run)
    answer = run.summary(variant, choices)
    say(stamped(answer) if options.as_json else fit(tables_text(answer)), is_plain=True)
    _tell_late(sum(result.is_late for result in run.found.values()), len(run.found))
    return 0 if is_finished else UNDECIDED


def _rate(
    header: Header, task: Task, pieces: list[Piece], options: Options, folder: CertificateFolder | None
) -> tuple[RateRun, dict[str, Any], bool]:
    """Run to the end or to Ctrl-C; return the run, its summary, and whether all is finished. Raises
    StoreError, ClusterError, ValueError."""
    is_finished = True
    with Store.write(options.output, header, options.retry_undecided) as store:
        run = RateRun(
            store,
            task,
            pieces,
            workers=options.workers,
            scheduler=options.scheduler,
            until=options.until,
            retry=options.retry_undecided,
        )
        store.keeps_rows = bool(options.output or options.optima or options.classes or folder)
        _tell_versions(store)
        _tell_resumed(run, store)
        if options.retry_undecided and run.undecided and not run.waiting:
            why = "all undecided deals were tried with these limits"
            complain(f"{options.output}: nothing to try again: {why}")
        if folder is not None:
            _certify(run, folder, pieces)
        try:
            _run(run, "winnable" if task.player is None else "won", folder, pieces)
        except ClusterError as error:
            store.check_kept()
            raise ClusterError(f"{error}{_kept(options)}") from None
        store.check_kept()
        answer = summary(store, ranges_of(pieces), run.counts) | {"workers": run.batch.workers}
        if folder is not None:
            answer["certificates"] = folder.summary()
        if options.optima:
            with Store.read(options.optima) as decided:
                answer["paired"] = paired(store, decided, ranges_of(pieces))
        if options.classes and not run.is_stopped:
            lost = LostRun(store, header.limits, options.sample or USUAL, pieces, options.workers)
            is_finished = finish(lost, "lost deals")
            answer["classes"] = lost.summary()
    return run, answer, is_finished and not run.is_stopped


def _tell_resumed(run: RateRun, store: Store) -> None:
    """Say on standard error how many deals of a run that is resumed are stored already."""
    if run.deals:
        there = f"all {run.wanted:,}" if run.deals == run.wanted else f"{run.deals:,} of {run.wanted:,}"
        again = run.waiting - (run.wanted - run.deals)
        retried = f"; {again:,} undecided ones are tried again" if again else ""
        complain(f"{store.name}: resumed, {there} deals are there already{retried}")


def _tell_versions(store: Store) -> None:
    """Report on stderr which other versions made rows of a store that is resumed."""
    others = {version: count for version, count in store.versions().items() if version != __version__}
    if others:
        made = ", ".join(f"{count:,} by version {version}" for version, count in others.items())
        complain(f"{store.name}: it holds deals of other versions ({made}); new ones name {__version__}")


def _folder(variant: Variant, options: Options, choices: dict[str, str]) -> CertificateFolder | None:
    """The folder for --certificates, created if it is missing. Raises UsageError if the game has no
    certificates of fewest moves, or the folder cannot be written."""
    path = options.certificates
    if path is None:
        return None
    from ...solver.batch.certificates import SUFFIX, CertificateFolder, Wanted
    from ...solver.certificates import counts_moves

    if options.shortest and not counts_moves(variant):
        raise click.UsageError(f"--certificates: not supported in {variant.name} with --shortest")
    try:
        os.makedirs(path, exist_ok=True)
        check_writable(os.path.join(path, "x" + SUFFIX))
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "expected a name"
        raise click.UsageError(f"--certificates {path}: {why}") from None
    wanted = Wanted(options.plain, options.shortest)
    return CertificateFolder(path, variant, choices, wanted, stream, complain)


def _certify(run: RateRun, folder: CertificateFolder, pieces: list[Piece]) -> None:
    """Write the certificates of the deals already stored, with a counter on a terminal."""
    with _ended_together(run, folder):
        numbers: Iterable[int] = folder.fill(run.store, pieces)
        if sys.stderr.isatty():
            from tqdm import tqdm

            numbers = tqdm(numbers, unit=" certificates", leave=False)
        for _ in numbers:
            pass


def _ended_together(run: RateRun, folder: CertificateFolder | None) -> AbstractContextManager[None]:
    """Stop both the run and the writing of certificates on Ctrl-C."""

    def stop() -> None:
        run.stop()
        if folder is not None:
            folder.stop()

    return on_signals(stop)


def _player(variant: Variant, options: Options, choices: Any) -> Player | None:
    """The player requested by --player; None without the option. Raises UsageError for a game without a
    player, or with rule options ``choices`` that it does not play by."""
    if options.player is None:
        return None
    from ...solver.player.player import find_player_kernel

    check_has_player(variant, "--player")
    with as_usage():
        find_player_kernel(variant, choices)
    return make_player(options.player, options.visits, options.think_seconds)


def _check_reachable(name: str, pieces: list[Piece]) -> None:
    """Raise UsageError if players do not play a deal of the file ``name``, since play cannot reach it."""
    for piece in pieces:
        for deal in () if isinstance(piece, range | PysolDeals | CardDeals) else piece:
            with as_usage(f"{name}: deal {deal[0]}: "):
                hidden(deal[1])


def _ranges(text: str) -> list[re.Match[str]] | None:
    """The matches of `_RANGE` in ``text``, a list of ranges of seeds or, after ``pysol:`` or with ``ms``, of
    numbers in PySolFC; None for anything else."""
    found = [re.fullmatch(_RANGE, part) for part in text.removeprefix("pysol:").split(",")]
    matches = [match for match in found if match is not None]
    return matches if len(matches) == len(found) and len({match[1] for match in matches}) == 1 else None


def _number(match: re.Match[str], group: int) -> int:
    """The number in three groups of a match of `_RANGE`: its digits, a power of ten, and a letter for one."""
    digits, power, unit = match.group(group, group + 1, group + 2)
    number: int = int(digits) * 10 ** int(power or _ZEROS.get(unit, 0))
    return number


def _deals(source: Source, text: str) -> tuple[Variant, str, list[Piece]]:
    """The game, the name of the dealer or file, and the deals that ``text`` stands for. Raises UsageError,
    FormatError, OSError."""
    matches = _ranges(text)
    if matches is None:
        is_list = re.fullmatch(r"[-\u2013\s0-9,.:ekMGms]+", text) and text != "-"
        is_word = re.fullmatch(r"\w+", text) and not os.path.exists(text) and near_file(text) is None
        if not text or text.startswith("pysol:") or is_word or (is_list and not os.path.exists(text)):
            needed = f"expected seeds such as {_USUAL} or 1-9,20-29, or a file of deals"
            raise click.UsageError(f"--deals {shown(text.removeprefix('pysol:'))}: {needed}")
        import hashlib

        from ...rules.formats import read_deals
        from ...solver.batch.files import FileDeals

        data, name = read_file(text)
        with as_usage():
            found = FileDeals(source.variant, data, name, source.choices, source.way)
            peek(read_deals(source.variant, data, name, source.choices, source.way, tables=True))
        dealer = f"file {hashlib.sha256(data).hexdigest()[:16]}"
        return found.variant, f"{dealer} {source.way.name}".strip(), found.pieces
    source.check_no_way()
    game = need_variant(source.variant, "expected the game of the deals")
    is_microsoft = matches[0][1] is not None
    is_pysol = is_microsoft or text.startswith("pysol:")
    if is_pysol and source.choices:
        raise click.UsageError("--deals pysol: expected the usual rules")
    if len(matches) == 1 and matches[0][5] is None and _number(matches[0], 2) > 1:
        head = text.partition(matches[0][2])[0]
        number = text.removeprefix(head)
        problem = f"expected a range: {head}1-{number}, or {text}-{number} for this deal alone"
        raise click.UsageError(f"--deals {text}: {problem}")
    ranges: list[range] = []
    for match in matches:
        seeds = range(_number(match, 2), _number(match, 2 if match[5] is None else 5) + 1)
        if not seeds or seeds.stop > (MICROSOFT if is_microsoft else SEEDS):
            most = f"up to ms{MICROSOFT - 1}" if is_microsoft else "below 2^63 - 1"
            raise click.UsageError(f"--deals {shown(match[0])}: expected seeds from low to high, {most}")
        ranges.append(seeds)
    ranges.sort(key=lambda seeds: seeds.start)
    for before, after in pairwise(ranges):
        if after.start < before.stop:
            raise click.UsageError(f"--deals {text!r}: seed {after.start} occurs twice")
    if not is_pysol:
        return game, DEALER, [*ranges]
    pysol_deal(game, str(ranges[0].start), {})
    return game, "pysol", [PysolDeals(game.name, numbers) for numbers in ranges]


def _run(run: RateRun, verdict: str, folder: CertificateFolder | None, pieces: list[Piece]) -> None:
    """Run to the end or to Ctrl-C, with a progress bar on a terminal; certificates are written as results
    arrive."""
    states = {}
    if folder is not None:
        states = {deal[0]: deal for piece in pieces if not isinstance(piece, range) for deal in piece}
    with _ended_together(run, folder), ExitStack() as stack:
        bar = None
        if sys.stderr.isatty():
            from tqdm import tqdm

            done = run.finished
            bar = stack.enter_context(
                tqdm(total=run.waiting + done, initial=done, smoothing=0.05, bar_format=BAR)
            )
        for records in run.run():
            if bar is not None:
                low, high = run.interval
                bar.set_postfix_str(f"{low:.2%} to {high:.2%} {verdict}", refresh=False)
                bar.update(len(records))
            if folder is not None:
                numbers = [record.seed for record in records]
                row = range(numbers[0], numbers[-1] + 1)  # the numbers of a piece are consecutive
                piece = [states[number] for number in numbers] if states else row
                for _ in folder.fill(run.store, [piece]):
                    pass
