"""The command ``winnable solve``: deals decided, with solutions."""

from __future__ import annotations

import importlib
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from ...rules import VARIANTS, Variant, has_unknown
from ...rules.formats.foreign import NOTATIONS
from ...rules.formats.text import Deal, FormatError, deal_keys
from ...solver import Limits, Result, Verdict, find_shortest, solve
from ...solver.engine import ENGINES, SHORTEN, optimize
from ...solver.progress import Watch
from ..arguments import CountType, as_usage, in_words
from ..console import complain, say, stamped, tell, tell_note
from ..deals import Source, deal_arguments, peek, told
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
    Parts,
    bases_line,
    bases_object,
    bases_table,
    length_text,
    moves_text,
    passes_line,
    passes_object,
    passes_table,
    result_body,
    result_head,
    result_line,
    why_object,
    why_text,
)
from ..progress import ProgressLine
from ..terminal import fit

if TYPE_CHECKING:
    from concurrent.futures import Future

    from ...solver.table_result import TableResult

_PATIENCE = 0.05  # seconds between two checks for signals


@dataclass(frozen=True)
class Options:
    """The options of the command."""

    shorten: int
    shortest: bool
    score: bool
    bases: bool
    fewest_passes: bool
    engine: str
    as_json: bool
    html_path: str | None
    certificate_path: str | None
    plain: bool
    quiet: bool
    why: bool
    workers: int
    notation: str | None = None

    def check(self) -> None:
        """Raise UsageError for options that exclude each other."""
        if self.plain and not self.certificate_path:
            raise click.UsageError("--plain requires --certificate")
        if self.shortest and is_given("shorten"):
            raise click.UsageError("--shorten has no effect with --shortest; see --work")
        if self.notation and (self.as_json or self.quiet or self.bases or self.fewest_passes or self.why):
            raise click.UsageError("--format excludes --json, --quiet, --bases, --fewest-passes and --why")
        if self.quiet and (self.bases or self.fewest_passes or self.score or self.why):
            raise click.UsageError("--quiet excludes --score, --bases, --fewest-passes and --why")
        if self.fewest_passes and (self.score or self.certificate_path):
            raise click.UsageError("--fewest-passes excludes --score and --certificate; see --passes")
        if self.shorten and is_given("shorten") and (self.quiet or self.engine == "reference"):
            other = "--quiet" if self.quiet else "--engine reference"
            raise click.UsageError(f"--shorten has no effect with {other}")
        if self.certificate_path and self.engine == "reference":
            raise click.UsageError("--certificate requires the compiled engine")

    def style(self, is_one: bool) -> str:
        """The style of the answers: ``notation``, ``json``, ``quiet``, ``page`` for one deal, or ``line``."""
        if self.notation:
            return "notation"
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
        """The style of the answers, see `Options.style`."""
        return self.options.style(self.is_one)


@click.command("solve")
@deal_arguments("[GAME] [FILE]")
@seed_options
@moves_option
@limit_options
@choice_options
@work_option("--shorten", SHORTEN, "Simon games: work to shorten the solution, after the verdict.")
@click.option("--shortest", is_flag=True, help="Find a shortest solution, as far as the limits allow.")
@click.option(
    "--score",
    is_flag=True,
    help="Chessboard, Fortress, Klondike with redeals: find the most cards that can reach the foundations in "
    "a lost deal.",
)
@click.option("--bases", is_flag=True, help="Chessboard: decide each base rank, with shortest solutions.")
@click.option(
    "--fewest-passes",
    is_flag=True,
    help="Klondike with redeals: find the fewest passes through the stock that win, with a solution.",
)
@click.option(
    "--engine",
    type=click.Choice(ENGINES),
    default="auto",
    help="The search: compiled, or the slow reference in Python.",
)
@click.option(
    "--why",
    is_flag=True,
    help="Also say what the verdict rests on: cards that block each other, or the search.",
)
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
@click.option(
    "--format",
    "notation",
    type=click.Choice(NOTATIONS),
    help="Klondike: print only the solution, in the notation of this program.",
)
@click.option(
    "--quiet",
    "-q",
    is_flag=True,
    help="Print only the verdict; with --shortest the number of moves of the solution.",
)
def command(source: Source, limits: Limits, **options: Any) -> int:
    """Decide a deal of GAME, or many.

    The deal is that of --seed or --pysol, or is read from FILE ('-' for standard input): text, JSON or the
    format of another program, a fresh deal or a position in mid-game. GAME may be left out where FILE names
    its game. "winnable" comes with a solution that was replayed by the rules, "unwinnable" is proved, and
    "undecided" means that a limit ended the search.

    A FILE of several deals gives one line of output for each, in order; solutions are then shortened only
    with --shorten. Deals from standard input are answered as they arrive; without --json or --quiet the first
    answer waits for the second deal or the end of the input. A bad deal of several is answered by an error
    with its number, and the exit status is 2. The deals after it are answered if the next one is sure to
    begin, on a line of JSON or at "# game:".

    In Joker and the Klondike games some cards may be unknown, written <??>, or ?? in the stock and the waste.
    The answer is then that the game is won for certain, with a plan, or lost for certain, or else two
    numbers: the share of arrangements of the unknown cards that can be won if all are seen, and the best
    chance of a player who does not see them.

    With --why the answer also says what the verdict rests on: for a lost deal the cards that block each other
    for good, where these alone prove the loss, else the search.

    With --shortest the verdict comes first; if a limit ends the search for a shortest solution, the best one
    found is printed with a lower bound on the number of moves. With --bases the limits apply to each base
    rank, with --fewest-passes to each number of passes.

    \b
    Examples:
      winnable solve chessboard --seed 8
      winnable solve deal.txt --json
      winnable solve chessboard --seed 8 --shortest --work 10M
      winnable solve fortress --seed 1 --why
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
    if is_stream:  # the next deal cannot be waited for
        first, *_ = found = [next(deals := source.each())]
        is_one, deals = False, chain(found, deals)
    else:
        first, is_one, deals = peek(source.each())
    if isinstance(first, FormatError):
        if is_one:
            raise first
    else:
        check_shorten(first.variant, asked.shorten)
    if asked.notation and isinstance(first, Deal):
        from ...rules.formats.foreign.lines import check_lines

        with as_usage():
            check_lines(first.variant, f"--format {asked.notation}")
    for option, output in (("--html", page), ("--certificate", certificate)):
        if output is not None and not is_one:
            raise click.UsageError(f"{option}: expected one deal, got several")
    is_wanted = not asked.quiet and (is_one or is_given("shorten"))  # for many deals only on request
    run = _Run(
        *(asked, source, limits, page, certificate, is_one),
        tell_game=source.variant is None,
        shorten=asked.shorten if is_wanted else 0,
    )
    with as_usage(), page or nullcontext(), certificate or nullcontext(), ProgressLine(asked.as_json) as line:
        return _solve_all(deals, run, line)


def _page_of(path: str) -> Output:
    """The page to write for --html. Its module is imported here, since Ctrl-C during a later import would
    lose the answer."""
    importlib.import_module("...board.page", __package__)
    return Output("--html", path)


def _solve_all(deals: Iterable[Deal | FormatError], run: _Run, line: ProgressLine) -> int:
    """Print one answer per deal, as soon as it is known, until the end or Ctrl-C. Returns the exit status."""
    status = number = 0
    deal: Deal | FormatError | None = None
    is_bad = False
    for number, (deal, result, answers) in enumerate(_results(iter(deals), run, line), 1):
        if isinstance(deal, FormatError):
            is_bad = True
            _refuse(number, deal, run, line)
            continue
        variant = deal.variant
        parts: Parts = []
        if answers is not None and result.reason != "interrupted":
            is_hopeless = run.options.fewest_passes and result.verdict is Verdict.UNWINNABLE
            parts = [] if is_hopeless else _until_interrupted(answers)
        if not isinstance(result, Result):
            check_table(run)
            with line.hidden():
                say(_format_table(number, deal, result, run), is_plain=run.style == "json")
            status = max(status, UNDECIDED * (result.certain is None))
            continue
        decided = result
        if run.options.fewest_passes and parts and parts[-1][1].verdict is Verdict.WINNABLE:
            result = parts[-1][1]  # its line has the fewest passes
        elif run.options.bases:
            from ...solver.analysis.bases import of_all_bases

            decided = result = of_all_bases(result, parts, deal.state.deck.ranks)
        elif run.options.fewest_passes and run.options.shortest and result.moves:
            result = find_shortest(variant, deal.state, run.limits, run.options.engine, None, line.watch)
        if run.page is not None:  # before printing, since the reader of stdout may have gone
            from ...board.page import play_page

            run.page.write(play_page(variant, deal, list(result.moves or ()), result.verdict.value))
        with line.hidden():
            say(_format(number, variant, deal, result, parts, run), is_plain=run.style == "json")
        if run.certificate is not None:
            with line.hidden():
                status = _write_certificate(deal, result, run, line)
        results = [decided, result, *(answer for _, answer in parts)]
        if any(answer.verdict is Verdict.UNDECIDED for answer in results):
            status = UNDECIDED
        if any(answer.reason == "interrupted" for answer in results):
            line.end()
            complain("interrupted")
            return status if run.is_one else UNDECIDED
    if number == 1 and not run.is_one and isinstance(deal, Deal):  # a stream of a single deal
        told(deal)
        tell_note()
    return BAD_INPUT if is_bad else status


def _refuse(number: int, error: FormatError, run: _Run, line: ProgressLine) -> None:
    """Print why the deal of this number cannot be read."""
    text = in_words(error)
    with line.hidden(to_stderr=True):
        complain(f"deal {number}: {text}")
    if run.style == "json":
        with line.hidden():
            say(stamped({"deal": number, "error": {"status": BAD_INPUT, "message": text}}), is_plain=True)


_Parts: TypeAlias = "Iterator[tuple[int, Result]] | None"
_Decided: TypeAlias = "tuple[Deal | FormatError, Any, _Parts]"
"""A deal with its result and, if these are asked for, those of its base ranks or numbers of passes to come;
or the error of a deal that cannot be read, without a result."""


def _results(deals: Iterator[Deal | FormatError], run: _Run, line: ProgressLine) -> Iterator[_Decided]:
    """Yield the deals with their results, in order, each as soon as it is known; solved on --workers
    threads."""
    if run.options.workers > 1 and not run.is_one:
        yield from _results_of_threads(deals, run, line)
        return
    for number, deal in enumerate(deals, 1):
        if line.watch is not None and not run.is_one:
            line.watch.part = f"deal {number}"
        if isinstance(deal, FormatError):
            yield deal, None, None
            continue
        parts = _parts_of(deal, run, line)
        yield deal, _answer(deal.variant, deal, run, line, line.watch), parts


def _results_of_threads(
    deals: Iterator[Deal | FormatError], run: _Run, line: ProgressLine
) -> Iterator[_Decided]:
    from concurrent.futures import ThreadPoolExecutor, wait

    waiting: deque[tuple[Deal | FormatError, Future[Any], _Parts]] = deque()
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
                        deal, answer, parts = waiting.popleft()
                        yield deal, _waited(answer), parts
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
                if isinstance(deal, FormatError):
                    waiting.append((deal, pool.submit(lambda: None), None))
                    continue
                parts = _parts_of(deal, run, line)
                watches.append(watch := Watch())
                if is_stopped:  # while waiting
                    break
                answer = pool.submit(_answer, deal.variant, deal, run, line, watch)
                waiting.append((deal, answer, parts))
            for deal, answer, parts in waiting:
                yield deal, _waited(answer), parts
            if not is_complete:
                raise KeyboardInterrupt
        finally:
            is_reading = False
            stop()
            for _, answer, _ in waiting:
                answer.cancel()


def _waited(answer: Future[Result | TableResult]) -> Result | TableResult:
    """Wait for the result of ``answer``. The wait is divided, so that a signal delivered to another thread is
    noticed."""
    while True:
        with suppress(TimeoutError):
            return answer.result(_PATIENCE)


def _write_certificate(deal: Deal, result: Result, run: _Run, line: ProgressLine) -> int:
    """Write the certificate of ``result``, or report why there is none; return the exit status."""
    from ...solver.certificates import NoCertificate, NoneNeeded, certify

    assert run.certificate is not None
    asked = run.options
    try:
        certificate = certify(
            deal.variant,
            deal.state,
            result,
            replace(run.limits, work=None),
            None if deal.made else deal.seed,
            asked.plain,
            line.watch,
            asked.shortest,
        )
    except NoCertificate as error:
        hint = "; winnable verify replays it" if isinstance(error, NoneNeeded) else ""
        complain(f"--certificate {run.certificate.path}: {error}{hint}")
        is_open = result.verdict is Verdict.UNDECIDED or result.reason == "interrupted"
        return UNDECIDED if is_open else 0 if isinstance(error, NoneNeeded) else BAD_INPUT
    run.certificate.stream(certificate.chunks)
    return 0


def _answer(
    variant: Variant, deal: Deal, run: _Run, line: ProgressLine, watch: Watch | None
) -> Result | TableResult:
    """Solve one deal. In the style ``page`` the verdict is printed at once, unless base ranks are decided, of
    which one may be won though a limit left the deal undecided."""
    if has_unknown(deal.state):
        from ...solver.unknown_cards import solve_table

        check_table(run)
        return solve_table(deal.state, limits=run.limits if _has_limits(run.limits) else None, watch=watch)
    if run.options.shortest and not run.options.fewest_passes:  # the fewest passes come first
        show = _printer(deal, line) if run.style == "page" and not run.options.bases else None
        return find_shortest(
            variant, deal.state, run.limits, run.options.engine, show, watch, run.options.score
        )
    result = solve(
        variant, deal.state, run.limits, engine=run.options.engine, shorten=0, watch=watch,
        score=run.options.score,
    )  # fmt: skip
    if run.style == "page" and not run.options.bases:
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


def _parts_of(deal: Deal, run: _Run, line: ProgressLine) -> _Parts:
    """The results of the base ranks or of the numbers of passes of a deal, to come, if they are asked for."""
    asked = run.options
    for option, is_wanted, games in (
        ("--bases", asked.bases, [name for name, other in VARIANTS.items() if other.free_base]),
        (
            "--fewest-passes",
            asked.fewest_passes,
            [name for name, other in VARIANTS.items() if "passes" in other.choices],
        ),
    ):
        if is_wanted and deal.variant.name not in games:
            raise click.UsageError(f"{option}: expected {', '.join(games)}, got {deal.variant.name}")
    if has_unknown(deal.state):
        return None
    if asked.bases:
        from ...solver.analysis.bases import solve_bases

        with as_usage("--bases: "):
            return solve_bases(deal.state, run.limits, asked.engine, line.watch, asked.score)
    if asked.fewest_passes:
        from ...solver.analysis.passes import solve_passes

        return solve_passes(deal.state, run.limits, asked.engine, line.watch, asked.shortest)
    return None


def _until_interrupted(parts: Iterator[tuple[int, Result]]) -> Parts:
    answered = []
    for number, result in parts:
        answered.append((number, result))
        if result.reason == "interrupted":
            break
    return answered


def _has_limits(limits: Limits) -> bool:
    return limits.work is not None or limits.seconds is not None


def check_table(run: _Run) -> None:
    """Raise UsageError for an option that does not apply to a table with unknown cards."""
    asked = run.options
    given = {
        "--shortest": asked.shortest,
        "--score": asked.score,
        "--bases": asked.bases,
        "--fewest-passes": asked.fewest_passes,
        "--html": asked.html_path,
        "--certificate": asked.certificate_path,
        "--format": asked.notation,
        "--why": asked.why,
    }
    for option, value in given.items():
        if value:
            raise click.UsageError(f"{option}: expected a position without unknown cards")


def _format_table(number: int, deal: Any, result: TableResult, run: _Run) -> str:
    """The answer for a table with unknown cards."""
    from ...rules.formats.text import format_table

    if run.style == "quiet":
        return f"{result.certain} for certain" if result.certain else "not certain"
    if run.style == "json":
        return stamped({**deal_keys(deal, None if run.is_one else number), **result.to_dict()})
    if run.style == "line":
        game = f", {deal.variant.name}" if run.tell_game else ""
        return f"deal {number}{game}: {'; '.join(result.sentences())}"
    lines = [sentence[0].upper() + sentence[1:] for sentence in result.sentences()]
    if result.plan is not None:
        lines += ["", *result.plan.lines(), "", deal.variant.legend]
    told = "\n".join(map(fit, lines))
    return told if run.source.is_typed else f"{told}\n\n{format_table(deal.state)}".rstrip()


def _format(number: int, variant: Variant, deal: Deal, result: Result, parts: Parts, run: _Run) -> str:
    if run.options.notation:
        if result.moves is None:
            return str(result.verdict.value)
        from ...rules.formats.foreign.lines import format_line

        moves = [str(move) for move in result.moves]
        return format_line(variant, deal.state, moves, run.options.notation).rstrip("\n")
    if run.style == "quiet":
        is_solved = bool(result.moves) and result.verdict is Verdict.WINNABLE
        return length_text(result) if run.options.shortest and is_solved else str(result.verdict.value)
    if run.style == "json":
        origin = deal_keys(deal, None if run.is_one else number)
        grounds = {"why": why_object(variant, deal, result)} if run.options.why else {}
        of_parts: dict[str, Any] = {"bases": bases_object(parts)} if run.options.bases else {}
        if run.options.fewest_passes:
            of_parts = {"fewest_passes": passes_object(deal.state, result, parts)}
        return stamped({**origin, **result.to_dict(), **of_parts, **grounds})
    why = why_text(why_object(variant, deal, result)) if run.options.why else ""
    told = ""
    if run.style == "page":
        text = result_body(variant, deal, result, run.source.is_typed)
        if run.options.bases:
            told = bases_table(variant, deal.state.deck.places, parts)
        elif run.options.fewest_passes:
            told = passes_table(deal.state, result, parts)
        page = "\n\n".join(filter(None, [why, told, text]))
        return f"{result_head(variant, deal, result)}\n{page}" if run.options.bases else page
    text = result_line(number, variant, deal, result, run.tell_game)
    if run.options.bases:
        told = bases_line(parts)
    elif run.options.fewest_passes:
        told = passes_line(deal.state, result, parts)
    return "\n".join(filter(None, [f"{text}; {told}" if told else text, why]))
