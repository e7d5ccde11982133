"""``winnable solve``."""

from __future__ import annotations

import importlib
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any

import click

from ...rules import Variant
from ...rules.formats.text import Deal, deal_keys
from ...solver import Limits, Result, Verdict, find_shortest, solve
from ...solver.engine import ENGINES, SHORTEN, optimize
from ...solver.progress import Watch
from ..arguments import CountType, as_usage
from ..console import complain, say, stamped, tell
from ..deals import Source, deal_arguments, peek
from ..files import Output
from ..main import BAD_INPUT, UNDECIDED
from ..options import (
    certificate_options,
    check_shorten,
    choice_options,
    html_option,
    is_given,
    json_option,
    limit_options,
    moves_option,
    on_signals,
    seed_options,
    work_option,
)
from ..output import (
    Bases,
    bases_line,
    bases_object,
    bases_table,
    moves_text,
    result_body,
    result_head,
    result_line,
)
from ..progress import ProgressLine

if TYPE_CHECKING:
    from concurrent.futures import Future

_PATIENCE = 0.05  # seconds between two looks at signals


@dataclass(frozen=True)
class Options:
    """The options of the command."""

    shorten: int
    shortest: bool
    score: bool
    bases: bool
    engine: str
    as_json: bool
    html_path: str | None
    certificate_path: str | None
    plain: bool
    quiet: bool
    workers: int

    def check(self) -> None:
        """Raise UsageError for options that exclude each other."""
        if self.plain and not self.certificate_path:
            raise click.UsageError("--plain requires --certificate")
        if self.shortest and is_given("shorten"):
            raise click.UsageError("--shorten has no effect with --shortest; see --work")
        if self.quiet and (self.shortest or self.bases or self.score):
            raise click.UsageError("--quiet excludes --shortest, --score and --bases")
        if self.shorten and is_given("shorten") and (self.quiet or self.engine == "reference"):
            other = "--quiet" if self.quiet else "--engine reference"
            raise click.UsageError(f"--shorten has no effect with {other}")
        if self.certificate_path and self.engine == "reference":
            raise click.UsageError("--certificate requires the compiled engine")

    def style(self, is_one: bool) -> str:
        """The form of the answers."""
        return "json" if self.as_json else "quiet" if self.quiet else "page" if is_one else "line"


@dataclass(frozen=True)
class _Run:
    """The parameters of a run."""

    options: Options
    source: Source
    limits: Limits
    page: Output | None
    certificate: Output | None
    is_one: bool
    tell_game: bool
    shorten: int

    @property
    def style(self) -> str:
        """The form of the answers."""
        return self.options.style(self.is_one)


@click.command("solve")
@deal_arguments("[VARIANT] [FILE]")
@seed_options
@moves_option
@limit_options
@choice_options
@work_option("--shorten", SHORTEN, "Simon games: work to shorten the line, after the verdict.")
@click.option("--shortest", is_flag=True, help="Find a shortest line, as far as the limits allow.")
@click.option(
    "--score", is_flag=True, help="Klondike with redeals: find the most cards that can go up in a lost deal."
)
@click.option("--bases", is_flag=True, help="Chessboard: decide each base rank, with shortest lines.")
@click.option("--engine", type=click.Choice(ENGINES), default="auto", help="The search to use.")
@json_option
@html_option
@click.option(
    "--certificate",
    "certificate_path",
    type=click.Path(),
    metavar="FILE",
    help="Also write a certificate of the claim, for winnable check.",
)
@certificate_options
@click.option(
    "--workers",
    type=CountType(1, 1024),
    default=1,
    show_default=True,
    metavar="N",
    help="Decide N deals of a file at a time.",
)
@click.option("--quiet", "-q", is_flag=True, help="Print only the verdict.")
def command(source: Source, limits: Limits, **options: Any) -> int:
    """Decide a deal of VARIANT, or many.

    The deal is that of --seed or --pysol, or is read from FILE ('-' for standard input), as text or JSON, in
    formats of other programs too; FILE may hold a position in mid-game. With --moves those moves are made
    first. VARIANT may be left out where FILE names its game. "winnable" comes with a line of play that was
    replayed by the rules, "unwinnable" is proved, and "undecided" means that a limit ended the search. Each
    deal of a file of several gets one line of output, in order; their lines of play are shortened only with
    --shorten. Each deal from standard input is answered as soon as it has been read; without --json or
    --quiet the first answer waits until a second deal, or the end of the input, has been read.

    With --shortest the verdict comes first; if a limit ends the search for a shortest line, the best line is
    printed with a lower bound on the number of moves. With --bases the limits apply to each base rank.

    \b
    Examples:
      winnable solve chessboard --seed 8
      winnable solve deal.txt --json
      winnable solve chessboard --seed 8 --shortest --work 10M
      winnable deal fortress --seed 1 --count 100 --format jsonl | winnable solve -

    A win needs no certificate, since its solution is the proof; none is written then.

    Exit status: 0 decided either way, 3 undecided, 2 bad usage or input, or no certificate where one is
    needed.
    """
    asked = Options(**options)
    page = None if asked.html_path is None else _page_of(asked.html_path)
    path = asked.certificate_path
    certificate = None if path is None else Output("--certificate", path)
    asked.check()
    if source.variant is not None:
        check_shorten(source.variant, asked.shorten)
    is_stream = source.is_stream and (asked.as_json or asked.quiet) and page is None and certificate is None
    if is_stream:  # what comes next cannot be waited for
        first, *_ = found = [next(deals := source.deals())]
        is_one, deals = False, chain(found, deals)
    else:
        first, is_one, deals = peek(source.deals())
    check_shorten(first.variant, asked.shorten)
    for option, output in (("--html", page), ("--certificate", certificate)):
        if output is not None and not is_one:
            raise click.UsageError(f"{option}: expected one deal, got several")
    is_wanted = not asked.quiet and (is_one or is_given("shorten"))  # not for each of many unless asked
    run = _Run(
        *(asked, source, limits, page, certificate, is_one),
        tell_game=source.variant is None,
        shorten=asked.shorten if is_wanted else 0,
    )
    with as_usage(), page or nullcontext(), certificate or nullcontext(), ProgressLine(asked.as_json) as line:
        return _solve_all(deals, run, line)


def _page_of(path: str) -> Output:
    """The page to write. Its module is imported now: Ctrl-C in a later import would lose the answer."""
    importlib.import_module("...board.page", __package__)
    return Output("--html", path)


def _solve_all(deals: Iterable[Deal], run: _Run, line: ProgressLine) -> int:
    """Print one answer a deal, each as soon as it is known, until the end or Ctrl-C."""
    status = 0
    deals = iter(deals)
    for number, (deal, result, answers) in enumerate(_results(deals, run, line), 1):
        variant = deal.variant
        bases = [] if answers is None or result.reason == "interrupted" else _until_interrupted(answers)
        if run.page is not None:  # before printing, since the reader of stdout may leave
            from ...board.page import play_page

            run.page.write(play_page(variant, deal, list(result.moves or ()), result.verdict.value))
        with line.hidden():
            say(_format(number, variant, deal, result, bases, run), is_plain=run.style == "json")
        if run.certificate is not None:
            with line.hidden():
                status = _write_certificate(deal, result, run, line)
        results = [result, *(answer for _, answer in bases)]
        if any(answer.verdict is Verdict.UNDECIDED for answer in results):
            status = UNDECIDED
        if any(answer.reason == "interrupted" for answer in results):
            line.end()
            complain("interrupted")
            return status if run.is_one else UNDECIDED
    return status


_Decided = tuple[Deal, Result, Iterator[tuple[int, Result]] | None]
"""A deal with its result and, if these are asked for, those of its base ranks to come."""


def _results(deals: Iterator[Deal], run: _Run, line: ProgressLine) -> Iterator[_Decided]:
    """The deals with their results, in order, each as soon as it is known; on --workers threads."""
    if run.options.workers > 1 and not run.is_one:
        yield from _results_of_threads(deals, run, line)
        return
    for number, deal in enumerate(deals, 1):
        if line.watch is not None and not run.is_one:
            line.watch.part = f"deal {number}"
        bases = _bases_of(deal, run, line) if run.options.bases else None
        yield deal, _answer(deal.variant, deal, run, line, line.watch), bases


def _results_of_threads(deals: Iterator[Deal], run: _Run, line: ProgressLine) -> Iterator[_Decided]:
    from concurrent.futures import ThreadPoolExecutor, wait

    waiting: deque[tuple[Deal, Future[Result], Iterator[tuple[int, Result]] | None]] = deque()
    watches: list[Watch] = []
    is_reading = is_stopped = is_complete = False

    def stop() -> None:
        nonlocal is_stopped
        is_stopped = True
        for watch in watches:
            watch.stop()
        if is_reading:
            raise KeyboardInterrupt

    def is_due() -> bool:
        return len(waiting) > 2 * run.options.workers or waiting[0][1].done()

    with on_signals(stop), ThreadPoolExecutor(run.options.workers) as pool:
        try:
            while not is_stopped:
                while waiting and (is_due() or not run.source.is_ready()):
                    if is_due():
                        deal, answer, bases = waiting.popleft()
                        yield deal, _waited(answer), bases
                    else:
                        wait([waiting[0][1]], _PATIENCE)
                is_reading = True
                try:
                    following = next(deals, None)
                except KeyboardInterrupt:
                    if not waiting:
                        raise
                    break
                finally:
                    is_reading = False
                if following is None:
                    is_complete = True
                    break
                deal = following
                bases = _bases_of(deal, run, line) if run.options.bases else None
                watches.append(watch := Watch())
                if is_stopped:  # meanwhile
                    break
                answer = pool.submit(_answer, deal.variant, deal, run, line, watch)
                waiting.append((deal, answer, bases))
            for deal, answer, bases in waiting:
                yield deal, _waited(answer), bases
            if not is_complete:
                raise KeyboardInterrupt
        finally:
            is_reading = False
            stop()
            for _, answer, _ in waiting:
                answer.cancel()


def _waited(answer: Future[Result]) -> Result:
    """The result of ``answer``; a signal that came to another thread is seen between two waits."""
    while True:
        with suppress(TimeoutError):
            return answer.result(_PATIENCE)


def _write_certificate(deal: Deal, result: Result, run: _Run, line: ProgressLine) -> int:
    """Write the certificate of ``result``, or report why there is none, and return the exit status."""
    from ...solver.certificates import NoCertificate, NoneNeeded, certify

    assert run.certificate is not None
    asked = run.options
    try:
        certificate = certify(
            deal.variant,
            deal.state,
            result,
            replace(run.limits, nodes=None),
            None if deal.made else deal.seed,
            asked.plain,
            line.watch,
            asked.shortest,
        )
    except NoCertificate as error:
        complain(f"--certificate {run.certificate.path}: {error}")
        is_open = result.verdict is Verdict.UNDECIDED or result.reason == "interrupted"
        return UNDECIDED if is_open else 0 if isinstance(error, NoneNeeded) else BAD_INPUT
    run.certificate.stream(certificate.chunks)
    return 0


def _answer(variant: Variant, deal: Deal, run: _Run, line: ProgressLine, watch: Watch | None) -> Result:
    """Solve one deal. In the style ``page`` the verdict is printed at once."""
    if run.options.shortest:
        show = _printer(deal, line) if run.style == "page" else None
        return find_shortest(
            variant, deal.state, run.limits, run.options.engine, show, watch, run.options.score
        )
    result = solve(
        variant, deal.state, run.limits, engine=run.options.engine, shorten=0, watch=watch,
        score=run.options.score,
    )  # fmt: skip
    if run.style == "page":
        with line.hidden():
            say(result_head(variant, deal, result))
    if run.shorten:
        result = optimize(variant, deal.state, result, run.shorten, run.limits, watch)
    return result


def _printer(deal: Deal, line: ProgressLine) -> Callable[[Result], None]:
    """A function that prints the verdict on stdout at once, and improvements on stderr if on a terminal."""
    has_printed = False

    def show(result: Result) -> None:
        nonlocal has_printed
        if not has_printed:
            with line.hidden():
                say(result_head(deal.variant, deal, result))
        elif sys.stderr.isatty():
            with line.hidden(to_stderr=True):
                tell(moves_text(result))
        has_printed = True

    return show


def _bases_of(deal: Deal, run: _Run, line: ProgressLine) -> Iterator[tuple[int, Result]]:
    from ...solver.analysis.bases import solve_bases

    with as_usage("--bases: "):
        return solve_bases(deal.state, run.limits, run.options.engine, line.watch)


def _until_interrupted(bases: Iterator[tuple[int, Result]]) -> Bases:
    answered = []
    for rank, result in bases:
        answered.append((rank, result))
        if result.reason == "interrupted":
            break
    return answered


def _format(number: int, variant: Variant, deal: Deal, result: Result, bases: Bases, run: _Run) -> str:
    if run.style == "quiet":
        return str(result.verdict.value)
    if run.style == "json":
        answer = deal_keys(deal, None if run.is_one else number) | result.to_dict()
        return stamped(answer | {"bases": bases_object(bases)} if run.options.bases else answer)
    if run.style == "page":
        text = result_body(variant, deal, result)
        return f"{bases_table(bases)}\n\n{text}" if run.options.bases else text
    text = result_line(number, variant, deal, result, run.tell_game)
    return f"{text}; {bases_line(bases)}" if run.options.bases else text
