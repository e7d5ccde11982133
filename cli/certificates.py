"""Certificates that commands write, of one deal or of many."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

import click

from ..rules import State, Variant
from ..rules.formats.text import Deal
from ..solver import Limits, Result, Verdict, find_shortest, solve
from .colour import complain
from .files import Output, check_writable, stream
from .main import BAD_INPUT, UNDECIDED
from .progress import ProgressLine

if TYPE_CHECKING:
    from ..solver.batch.chunk import Piece
    from ..solver.batch.store import Store

SUFFIX = ".certificate.gz"


@dataclass(frozen=True)
class Wanted:
    """What kind of certificates: with as few lemmas as there can be, of the moves that are needed too, of
    these by clauses."""

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
    """The folder that --certificates names, which is made if it is not there. Raises UsageError for one that
    cannot be written."""

    path: str
    wanted: Wanted
    written: int = 0
    kept: int = 0
    refused: int = 0

    def __post_init__(self) -> None:
        try:
            os.makedirs(self.path, exist_ok=True)
            check_writable(os.path.join(self.path, "x" + SUFFIX))
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or "a name is needed"
            raise click.UsageError(f"--certificates {self.path}: {why}") from None

    def fill(
        self, variant: Variant, store: Store, pieces: list[Piece], choices: dict[str, str]
    ) -> Iterator[int]:
        """Write the certificate of each deal that has one and whose file is not there, and yield its
        number."""
        from ..solver.certificates import NoCertificate, certify

        limits = replace(store.header.limits, nodes=None)
        for number, state, result in self._claims(variant, store, pieces, choices, limits):
            path = os.path.join(self.path, f"{variant.name}-{number}{SUFFIX}")
            if os.path.exists(path):
                self.kept += 1
                continue
            seed = number if isinstance(pieces[0], range) else None
            try:
                certificate = certify(variant, state, result, limits, seed, **asdict(self.wanted))
            except NoCertificate as error:
                complain(f"deal {number}: {error}")
                self.refused += 1
                continue
            stream(path, certificate.chunks)
            self.written += 1
            yield number

    def _claims(
        self, variant: Variant, store: Store, pieces: list[Piece], choices: dict[str, str], limits: Limits
    ) -> Iterator[tuple[int, State, Result]]:
        """The deals of ``pieces`` of which something is claimed, each with its number and what it is. What
        has a line is solved once more for it."""
        from ..solver.batch.rate import ranges_of

        proved = "1" if self.wanted.shortest else "verdict = 'unwinnable'"
        if variant.scoring:
            proved += f" OR exact AND score < {variant.deck().places}"
        rows = {
            row[0]: row[1:]
            for row in store.select(f"seed, verdict, exact, {proved}", ranges_of(pieces))
            if row[-1]
        }
        for piece in pieces:
            for each in piece:
                number, state = (each, None) if isinstance(each, int) else each
                if number not in rows:
                    continue
                state = state or variant.deal(number, choices=choices)
                verdict, is_exact = rows[number][:2]
                if verdict == "unwinnable" and not is_exact:
                    yield number, state, Result(Verdict.UNWINNABLE, None)
                elif self.wanted.shortest:
                    yield number, state, find_shortest(variant, state, limits)
                else:
                    yield number, state, solve(variant, state, limits, shorten=0)

    def summary(self) -> dict[str, int]:
        """What was done, in numbers."""
        return {"written": self.written, "there": self.kept, "refused": self.refused}
