"""Certificate of one deal: the header, and the positions that it lists."""

import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from ... import __version__
from ...rules import State, Variant
from ...rules.choices import not_implemented, usual_rules
from ...rules.deals import DEALER
from .. import diagnostics
from ..core.contract import Kind, Searches
from ..engine import find_searches
from ..progress import Watch
from ..result import Limits, Result, Verdict, check_limits, reason_text
from ..verify import format_line
from .notation import dealt_text

FORMAT = 1
LEVEL = 1
"""Of the compression: a higher one takes twice the time and saves a tenth."""

_CLAIMS_OF_MOVES = ("fewest moves", "at least")


@dataclass(frozen=True)
class Claim:
    """A claim: its ``name``, the number ``value`` if it has one, and its line."""

    name: str
    value: int | None = None
    line: tuple[str, ...] | None = None


class NoCertificate(ValueError):  # noqa: N818 - an answer
    """Nothing to certify, or a limit was met; the message says which."""


class NoneNeeded(NoCertificate):
    """A win, which its solution proves."""


class Certificate:
    """Content of a certificate file: its ``header``, and the lines of its ``positions``, a number."""

    def __init__(self, header: dict[str, Any], listed: Any) -> None:
        self.header = header
        self.positions: int = header["positions"]
        self._listed = listed

    def chunks(self) -> Iterator[bytes]:
        """Yield the compressed bytes of the file, some thousand at a time."""
        packer = zlib.compressobj(LEVEL, zlib.DEFLATED, 31)
        yield packer.compress(json.dumps(self.header).encode() + b"\n")
        number = 0
        while number < len(self._listed):
            lines, number = self._listed.lines_from(number)
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
    shortest: bool = False,
) -> Certificate:
    """Make the certificate of the claim of ``result`` about ``state``, the deal of ``seed`` unless that is
    None; with ``shortest`` also about the number of moves.

    ``plain`` leaves out all lemmas that can be left out, and lists more positions. Raises NoCertificate if
    nothing is claimed that needs one, or a limit is met; WrongAnswer if the claim turns out to be wrong;
    ValueError for an invalid state.
    """
    variant.check(state, cards=True)
    claim = claim_of(variant, state, result, shortest)
    check_certified(variant, state.choices)
    kinds = _kinds_of(variant, claim, plain)
    kind, listed = _closed(kinds, variant, state, claim, plain, check_limits(limits, watch), watch)
    certified = _searches(variant).CERTIFIES[variant.name]
    rules = usual_rules(variant.name) | variant.choices_of(state)
    is_dealt = claim.line is not None or _searches(variant).IS_DEALT_IN_FULL
    header = {
        "certificate": FORMAT,
        "made by": f"winnable {__version__}",
        "game": variant.name,
        "dealer": DEALER,
        "seed": seed,
        "choices": {name: rules[name] for name in variant.choices if len(certified[name]) > 1},
        "ranks": state.deck.ranks,
        "suits": state.deck.suits,
        "columns": len(state.columns),
        "start": listed.start(),
        "claim": claim.name,
        "value": claim.value,
        "line": claim.line,
        "dealt": dealt_text(state) if is_dealt else None,
        "lemmas": kind.plain if plain else kind.lemmas,
        "positions": len(listed),
    }
    return Certificate({name: value for name, value in header.items() if value is not None}, listed)


def check_certified(variant: Variant, choices: Any = None) -> None:
    """Raise NoCertificate unless certificates are made of ``variant`` under the rule options ``choices``, an
    object with their values as attributes, and the module that makes them is compiled."""
    searches = find_searches(variant)
    listed = {} if searches is None else searches.CERTIFIES
    if listed and diagnostics.load("core.border", "CertificateKernel") is None:
        raise NoCertificate(diagnostics.refusal("a certificate", variant.name))
    if rules := not_implemented(listed, variant.name, choices):
        raise NoCertificate(f"there are no certificates of {rules}")


def _closed(
    kinds: tuple[Kind, ...],
    variant: Variant,
    state: State,
    claim: Claim,
    plain: bool,
    limits: Limits,
    watch: Watch | None,
) -> tuple[Kind, Any]:
    """The first of ``kinds`` that proves ``claim``, and its list. Raises NoCertificate if none can."""
    problem = ""
    for kind in kinds:
        nodes = min((most for most in (limits.nodes, kind.most) if most is not None), default=None)
        positions = list_of(variant, kind.number, replace(limits, nodes=nodes))
        if watch is not None:
            watch.begin(positions)
        closure = positions.explore(state, *_asked(variant, state, claim, plain))
        if closure == "closed":
            return kind, positions
        if closure == "refuted":
            if not kind.may_fail:
                raise diagnostics.WrongAnswer(_refuted(variant, positions.claimed))
            problem = kind.may_fail
            continue
        if positions.limit_met == "interrupted":
            raise KeyboardInterrupt
        if kind.most is None or positions.limit_met != "nodes":
            raise NoCertificate(f"the limit on {positions.limit_met} does not allow a certificate")
    raise NoCertificate(f"no certificate was found: {problem}")


def _searches(variant: Variant) -> Searches:
    """The package of the searches of ``variant``, whose family is known to have one."""
    searches = find_searches(variant)
    assert searches is not None
    return searches


def list_of(variant: Variant, kind: int, limits: Limits) -> Any:
    """An empty list of positions of ``variant`` for a certificate of a ``kind`` of its family."""
    make = diagnostics.load("core.border", "CertificateKernel")
    return make(variant.name, kind, _searches(variant).CERTIFIES, limits)


def _refuted(variant: Variant, claimed: int) -> str:
    """The words for a claim that turned out to be wrong; ``claimed`` is that of the list."""
    if variant.scoring:
        return f"more than {claimed} cards can be had"
    if claimed:
        return f"a deal that was said to need {claimed} moves takes fewer"
    return "a deal that was called unwinnable can be won"


def counts_moves(variant: Variant) -> bool:
    """Test if there are certificates of numbers of moves of ``variant``: not with two decks."""
    searches = find_searches(variant)
    return searches is not None and bool(searches.KINDS_OF_MOVES) and variant.copies == 1


def claim_of(variant: Variant, state: State, result: Result, shortest: bool = False) -> Claim:
    """The claim of ``result`` to be proved, ``shortest`` of moves. Raises NoCertificate if there is none."""
    if variant.hiding is not None and (problem := variant.hiding.impossibility(state)):
        raise NoCertificate(f"no position of a deal: {problem}")
    if shortest and result.verdict is Verdict.WINNABLE:
        return _claim_of_moves(variant, state, result)
    if variant.scoring and result.exact and result.score is not None and result.score < state.deck.places:
        line = tuple(format_line(variant, state, result.moves or ()))
        return Claim("exact score", result.score, line)
    if result.verdict is Verdict.UNDECIDED:
        raise NoCertificate(f"undecided ({reason_text(result.reason or '')}): there is nothing to certify")
    if result.verdict is Verdict.WINNABLE:
        raise NoneNeeded("no certificate needed: the solution is the proof")
    return Claim("unwinnable")


def _claim_of_moves(variant: Variant, state: State, result: Result) -> Claim:
    """The claim about the number of moves. Raises NoCertificate for a game without such certificates."""
    if not counts_moves(variant):
        raise NoCertificate(f"there are no certificates of fewest moves of {variant.name}")
    if result.shortest:
        line = tuple(format_line(variant, state, result.moves or ()))
        return Claim("fewest moves", len(line), line)
    if result.reason == "interrupted":
        raise NoCertificate("interrupted: there is nothing to certify")
    if not result.lower_bound:
        raise NoCertificate("no number of moves was proved to be needed")
    return Claim("at least", result.lower_bound)


def _kinds_of(variant: Variant, claim: Claim, plain: bool) -> tuple[Kind, ...]:
    """The kinds to be tried. Raises NoCertificate if none of them is plain, where that is wanted."""
    searches = _searches(variant)
    table = searches.KINDS_OF_MOVES if claim.name in _CLAIMS_OF_MOVES else searches.KINDS
    kinds = tuple(kind for kind in table if (kind.plain is not None if plain else kind.most is None))
    if not kinds:
        raise NoCertificate(f"a plain certificate of {variant.name}: it can do without none of its lemmas")
    return kinds


def _asked(variant: Variant, state: State, claim: Claim, plain: bool) -> tuple[Any, ...]:
    """Arguments of ``explore`` beside the position."""
    if variant.scoring:
        return (plain, _greatest(variant, state, claim))
    return (plain, claim.value) if claim.name in _CLAIMS_OF_MOVES else (plain,)


def _greatest(variant: Variant, state: State, claim: Claim) -> int:
    """The greatest score that the claim of a scored game leaves possible."""
    if claim.value is not None:
        return claim.value
    assert variant.scoring is not None
    score = 0
    while variant.scoring.tier_of(score + 1, state.deck.places) == "none":
        score += 1
    return score
