"""A certificate of one deal: the header, and the positions that a family's closed set lists."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from typing import Any

from ... import __version__
from ...rules import State, Variant
from ...rules.deals import DEALER
from .. import missing
from ..progress import Watch
from ..result import Limits, Result, Verdict

FORMAT = 1
LEVEL = 1
"""Of the compression: a higher one takes twice the time and saves a tenth."""

_CLOSED_SETS = {"chessboard": ("chessboard.closed_set", "ClosedSet")}
"""The closed set of each family, by the name of its rules."""

_LEMMAS = {"chessboard": ("must go up",)}
"""What each leaves out beside."""


class NoCertificate(ValueError):  # noqa: N818 - an answer
    """There is nothing to certify, or a limit forbids it; the message says which."""


class Certificate:
    """What a file of it holds: its ``header``, and the lines of its positions, when they are written.

    ``positions`` is how many there are.
    """

    def __init__(self, header: dict[str, Any], listed: Any) -> None:
        self.header = header
        self.positions = len(listed)
        self._listed = listed

    def chunks(self) -> Iterator[bytes]:
        """The compressed bytes of the file, some thousand at a time."""
        packer = zlib.compressobj(LEVEL, zlib.DEFLATED, 31)
        yield packer.compress(json.dumps(self.header).encode() + b"\n")
        for lines in self._listed.lines():
            yield packer.compress(lines)
        yield packer.compress(b"end\n") + packer.flush()


def certify(
    variant: Variant,
    state: State,
    result: Result,
    limits: Limits | None = None,
    seed: int | None = None,
    plain: bool = False,
    watch: Watch | None = None,
) -> Certificate:
    """The certificate of what ``result`` claims of ``state``, which is the deal of ``seed`` unless that is
    None.

    ``plain`` leaves out all lemmas that can be left out, and lists more positions. Raises NoCertificate if
    nothing is claimed that needs one, or a limit is met; RuntimeError if the claim turns out to be wrong.
    """
    if result.verdict is Verdict.UNDECIDED:
        raise NoCertificate(f"undecided ({result.reason}): there is nothing to certify")
    if result.verdict is Verdict.WINNABLE:
        raise NoCertificate("winnable: the line proves it, as winnable verify shows")
    maker = _maker_of(variant)(limits or Limits())
    if watch is not None:
        watch.begin(maker)
    if not maker.explore(state, plain):
        raise NoCertificate(f"the limit on {maker.limit_met} does not allow a certificate")
    header = {
        "certificate": FORMAT,
        "made by": f"winnable {__version__}",
        "game": variant.name,
        "dealer": DEALER,
        "seed": seed,
        "choices": variant.choices_of(state),
        "ranks": state.deck.ranks,
        "suits": state.deck.suits,
        "columns": len(state.columns),
        "start": maker.start(),
        "claim": "unwinnable",
        "lemmas": ["order of columns", *(() if plain else _LEMMAS[variant.rules])],
        "positions": len(maker),
    }
    return Certificate({name: value for name, value in header.items() if value is not None}, maker)


def can_certify(variant: Variant) -> bool:
    """Whether there are certificates of ``variant`` at all."""
    return variant.rules in _CLOSED_SETS


def _maker_of(variant: Variant) -> Any:
    if not can_certify(variant):
        raise NoCertificate(f"there are no certificates of {variant.name}")
    maker = missing.load(*_CLOSED_SETS[variant.rules])
    if maker is None:
        raise NoCertificate(missing.refusal("a certificate", variant.name))
    return maker
