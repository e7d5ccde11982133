"""Certificates that commands write, of one deal or of many."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING

import click

from ..rules import State, Variant
from ..rules.formats.text import Deal
from ..solver import Limits, Result, Verdict, find_shortest, solve
from ..solver.progress import Watch
from .console import complain
from .files import Output, check_writable, stream
from .main import BAD_INPUT, UNDECIDED
from .progress import ProgressLine

if TYPE_CHECKING:
    from ..solver.batch.chunk import Piece
    from ..solver.batch.store import Store

SUFFIX = ".certificate.gz"


@dataclass(frozen=True)
class Wanted:
    """The kind of certificates wanted: with as few lemmas as there can be, of the moves that are needed too,
    of these by clauses."""

    plain: bool = False
    shortest: bool = False
    clauses: bool = False


def write_certificate(
    deal: Deal, result: Result, limits: Limits, wanted: Wanted, output: Output, line: ProgressLine
) -> int:
    """Write the certificate of ``result``, or tell in a line why there is none; the exit status."""
    from ..solver.certificates import NoCertificate, certify

    try:
        seed = None if deal.made else deal.seed
        limits = replace(limits, nodes=None)
        certificate = certify(
            deal.variant, deal.state, result, limits, seed, watch=line.watch, **asdict(wanted)
        )
    except NoCertificate as error:
        complain(f"--certificate {output.path}: {error}")
        is_open = result.verdict is Verdict.UNDECIDED or result.reason == "interrupted"
        return UNDECIDED if is_open else BAD_INPUT
    output.stream(certificate.chunks)
    return 0


@dataclass
class Folder:
    """The folder that --certificates names, which is made if it is not there, for deals of ``variant``.
    Raises UsageError for one that cannot be written."""

    path: str
    variant: Variant
    choices: dict[str, str]
    wanted: Wanted
    written: int = 0
    kept: int = 0
    refused: int = 0
    watch: Watch = field(default_factory=Watch)

    def __post_init__(self) -> None:
        try:
            os.makedirs(self.path, exist_ok=True)
            check_writable(os.path.join(self.path, "x" + SUFFIX))
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or "expected a name"
            raise click.UsageError(f"--certificates {self.path}: {why}") from None

    def stop(self) -> None:
        """End it soon: what is not whole is not written. Safe in a signal handler."""
        self.watch.stop()

    def fill(self, store: Store, pieces: Sequence[Piece]) -> Iterator[int]:
        """Write the certificate of each deal of ``pieces`` that has one and whose file is not there, and
        yield its number, to the end or until it is stopped."""
        limits = replace(store.header.limits, nodes=None)
        for number, seed, state, row in self._claims(store, pieces):
            path = os.path.join(self.path, f"{self.variant.name}-{number}{SUFFIX}")
            if os.path.exists(path):
                self.kept += 1
            elif not self._write(path, number, seed, state, row, limits):
                return
            else:
                yield number

    def _write(
        self, path: str, number: int, seed: int | None, state: State, row: tuple[str, bool], limits: Limits
    ) -> bool:
        """Write a certificate, or tell why there is none; false if it was stopped."""
        from ..solver.certificates import NoCertificate, certify

        try:
            result = self._result_of(state, row, limits)
            certificate = certify(
                self.variant, state, result, limits, seed, watch=self.watch, **asdict(self.wanted)
            )
            stream(path, lambda: self._until_stopped(certificate.chunks()))
            self.written += 1
        except NoCertificate as error:
            if not self.watch.was_stopped:
                complain(f"deal {number}: {error}")
                self.refused += 1
        except KeyboardInterrupt:
            self.stop()
        return not self.watch.was_stopped

    def _until_stopped(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        for data in chunks:
            if self.watch.was_stopped:
                raise KeyboardInterrupt
            yield data

    def _result_of(self, state: State, row: tuple[str, bool], limits: Limits) -> Result:
        """The claim about a deal. A deal with a line is solved once more for it."""
        verdict, is_exact = row
        if verdict == "unwinnable" and not is_exact:
            return Result(Verdict.UNWINNABLE, None)
        if self.wanted.shortest:
            return find_shortest(self.variant, state, limits, watch=self.watch)
        return solve(self.variant, state, limits, shorten=0, watch=self.watch)

    def _claims(
        self, store: Store, pieces: Sequence[Piece]
    ) -> Iterator[tuple[int, int | None, State, tuple[str, bool]]]:
        """The deals of ``pieces`` of which something is claimed: the number of each, its seed if it has one,
        its state, its verdict and whether its score is exact."""
        from ..solver.batch.rate import ranges_of

        proved = "1" if self.wanted.shortest else "verdict = 'unwinnable'"
        if self.variant.scoring:
            proved += f" OR exact AND score < {self.variant.deck().places}"
        rows = {
            number: (verdict, is_exact)
            for number, verdict, is_exact, is_proved in store.select(
                f"seed, verdict, exact, {proved}", ranges_of(pieces)
            )
            if is_proved
        }
        for piece in pieces:
            for each in piece:
                number, state = (each, None) if isinstance(each, int) else each
                if number in rows:
                    seed = number if state is None else None
                    state = state or self.variant.deal(number, choices=self.choices)
                    yield number, seed, state, rows[number]

    def summary(self) -> dict[str, int]:
        """A summary of the certificates written."""
        return {"written": self.written, "there": self.kept, "refused": self.refused}
