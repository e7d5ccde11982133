"""Certificates of the deals of a store, written as one file each to a folder."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace

from ...rules import State, Variant
from ..certificates import NoCertificate, certify
from ..progress import Watch
from ..result import Limits, Result, Verdict
from ..solving import find_shortest, solve
from .chunk import Piece
from .rate import ranges_of
from .store import Store

SUFFIX = ".certificate.gz"


@dataclass(frozen=True)
class Wanted:
    """The kind of certificates: ``plain`` ones use as few lemmas as possible; with ``shortest`` there are
    certificates of shortest solutions, too."""

    plain: bool = False
    shortest: bool = False


@dataclass
class CertificateFolder:
    """The folder ``path`` with certificates of deals of ``variant``.

    ``write`` is called with a path and a function that returns the chunks of the file, and may raise OSError.
    ``report`` is called with a message for each deal that cannot be certified.
    """

    path: str
    variant: Variant
    choices: dict[str, str]
    wanted: Wanted
    write: Callable[[str, Callable[[], Iterable[bytes]]], None]
    report: Callable[[str], None]
    written: int = 0
    kept: int = 0
    refused: int = 0
    watch: Watch = field(default_factory=Watch)

    def stop(self) -> None:
        """Stop soon, without leaving incomplete files. Safe in a signal handler."""
        self.watch.stop()

    def fill(self, store: Store, pieces: Sequence[Piece]) -> Iterator[int]:
        """Write the missing certificates of the deals in ``pieces``, and yield the number of each deal, until
        stopped."""
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
        """Write a certificate, or report why that is impossible. Returns False if it was stopped."""
        try:
            result = self._result_of(state, row, limits)
            certificate = certify(
                self.variant, state, result, limits, seed, watch=self.watch, **asdict(self.wanted)
            )
            self.write(path, lambda: self._until_stopped(certificate.chunks()))
            self.written += 1
        except NoCertificate as error:
            if not self.watch.was_stopped:
                self.report(f"deal {number}: {error}")
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
        """The result to certify. A deal is solved again if its certificate needs a line."""
        verdict, is_exact = row
        if verdict == "unwinnable" and not is_exact:
            return Result(Verdict.UNWINNABLE, None)
        if self.wanted.shortest:
            return find_shortest(self.variant, state, limits, watch=self.watch)
        return solve(self.variant, state, limits, shorten=0, watch=self.watch)

    def _claims(
        self, store: Store, pieces: Sequence[Piece]
    ) -> Iterator[tuple[int, int | None, State, tuple[str, bool]]]:
        """Yield the deals of ``pieces`` with a claim to certify: number, seed or None, state, and a pair of
        the verdict and whether the score is exact."""
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
        """The numbers of certificates written, already present and refused."""
        return {"written": self.written, "there": self.kept, "refused": self.refused}
