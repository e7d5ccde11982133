"""Verification of a certificate: any file is accepted or refused."""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from importlib import import_module
from os import PathLike
from typing import Any, BinaryIO

from ..rules import State
from ..rules.cards import shown
from . import clauses, closed_set, fewest
from .claim import WITH_LINE, Claim, read_claim
from .reading import LONGEST_HEADER, MOST_BYTES, MOST_SECONDS, Budget, Content, Refused


@dataclass(frozen=True)
class Accepted:
    """A certificate that proves its ``claim`` about the position ``state``. Its text states everything that
    the claim depends on, so that no two claims have the same text."""

    claim: Claim
    state: State

    def __str__(self) -> str:
        claim = self.claim
        count = claim.positions if claim.clauses is None else claim.clauses
        plural = "" if count == 1 else "s"
        listed = f"position{plural}" if claim.clauses is None else f"line{plural} of clauses"
        return f"{claim}, {count:,} {listed}; lemmas: {', '.join(claim.lemmas)}"

    def to_dict(self) -> dict[str, Any]:
        """The public JSON of the claim."""
        claim = self.claim
        scored = claim.variant.scoring is not None
        return {
            "game": claim.variant.name,
            "choices": dict(claim.choices),
            "ranks": claim.deck.ranks,
            "suits": claim.deck.suits,
            "columns": claim.columns,
            "seed": claim.seed,
            "position": claim.position,
            "claim": claim.kind,
            "value": claim.value,
            "greatest_score": claim.greatest_score if scored else None,
            "is_unwinnable": claim.is_unwinnable,
            "positions": claim.positions,
            "clauses": claim.clauses,
            "lemmas": list(claim.lemmas),
        }


def check(
    source: str | PathLike[str] | BinaryIO,
    max_bytes: float = MOST_BYTES,
    on_clauses: Callable[[clauses.Proof], None] | None = None,
    max_seconds: float = MOST_SECONDS,
) -> Accepted:
    """Verify the certificate in a file, given by its path or open, within limits on memory and time.
    ``on_clauses`` is called with the verified clauses; a certificate without them is refused then. Raises
    Refused with the reason if the claim is not proved, OSError if the file cannot be read, nothing else."""
    budget = Budget(max_seconds, max_bytes)
    try:
        with open(source, "rb") if isinstance(source, str | PathLike) else nullcontext(source) as file:
            accepted, proof = _check(Content(file, budget), on_clauses is not None)
    except (Refused, OSError):
        raise
    except MemoryError:
        raise Refused("not checked within the available memory") from None
    except Exception as error:  # a bug of the checker: refused all the same
        raise Refused(f"not understood: {type(error).__name__}: {error}"[:300]) from error
    if proof is not None and on_clauses is not None:
        on_clauses(proof)
    return accepted


def _check(content: Content, by_clauses: bool) -> tuple[Accepted, clauses.Proof | None]:
    """The proved claim, and the clauses if these are listed, as ``by_clauses`` demands. Raises Refused."""
    claim = header_claim(content.line(LONGEST_HEADER))
    if by_clauses and claim.clauses is None:
        raise Refused("expected a certificate by clauses, got one by positions")
    game = _game_of(claim)
    state = _checked_position(claim, game)
    if claim.kind in WITH_LINE:
        _check_line(claim, game, state)
    if claim.clauses is not None:
        conditions = game.conditions()
        proof = clauses.read_proof(content, claim, conditions)
        clauses.check(claim, proof, conditions, content.budget)
        return Accepted(claim, state), proof
    reasons = closed_set.read_positions(content, claim.positions or 0)
    (fewest if claim.counts_moves else closed_set).check(claim, reasons, game, content.budget)
    return Accepted(claim, state), None


def header_claim(line: str) -> Claim:
    """The claim of the header in ``line``. Raises Refused for an invalid header."""
    return read_claim(line, lambda rules: _family(rules).LEMMAS)


def _family(rules: str) -> Any:
    """The module of a family in this package."""
    return import_module(f".{rules}", __package__)


def _game_of(claim: Claim) -> Any:
    """The check of the claim by its family. Raises Refused for lemmas that do not belong to it."""
    family = _family(claim.variant.rules)
    try:
        for lemma in family.ALWAYS:
            claim.names(lemma)
        return family.game_of(claim)
    except ValueError as error:
        raise Refused(f"line 1: {error}") from None


def _checked_position(claim: Claim, game: Any) -> State:
    """The position of the claim. Raises Refused if it is invalid, or not that of the seed or the start."""
    place = "start" if claim.dealt is None else "dealt"
    try:
        state: State = game.position()
        claim.variant.check(state, cards=True)
        if claim.dealt is not None and len(claim.dealt.split(" ")) != game.front_words + claim.columns:
            raise ValueError(f"expected {claim.columns} columns, empty ones too")
        if game.write(game.of_state(state)) != claim.start:
            raise ValueError("the start is not its normal form")
        if claim.seed is not None:
            deal = claim.variant.deal(claim.seed, choices=claim.choices)
            if claim.dealt is not None and state != deal:
                raise ValueError(f"not the deal of seed {claim.seed}")
            if game.write(game.of_state(deal)) != claim.start:
                raise ValueError(f"not the deal of seed {claim.seed}")
            state = deal
    except ValueError as error:
        raise Refused(f"line 1: {place}: {error}") from None
    return state


def _check_line(claim: Claim, game: Any, state: State) -> None:
    """Raise Refused unless the line of the header is legal and reaches the claim."""
    family = claim.variant.family
    try:
        for text in claim.line:
            move = family.parse_move(state, text)
            after = family.apply(state, move)
            if family.format_move(state, move) != text:
                raise ValueError(f"expected {family.format_move(state, move)!r}, got {shown(text)}")
            state = after
    except ValueError as error:
        raise Refused(f"line 1: line: {error}") from None
    if not game.holds_line(state):
        raise Refused("line 1: line: it does not reach the claim")
