"""A certificate accepted, or refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, BinaryIO

from ..rules import VARIANTS, Variant
from ..rules.cards import shown
from . import clauses, closed_set, fewest
from .reading import Header, Refused, opened, read_header, read_positions

MOST_BYTES = 4e9
OF_MOVES = ("fewest moves", "at least")
"""Claims that count moves."""
FAMILIES = ("chessboard", "joker", "simon")


@dataclass(frozen=True)
class Accepted:
    """What a certificate proves. ``value`` is the number of the claim, if it has one; ``lemmas`` are those
    that it uses beside the legal moves."""

    game: str
    seed: int | None
    claim: str
    is_unwinnable: bool
    value: int | None
    positions: int
    clauses: int
    lemmas: tuple[str, ...]

    def __str__(self) -> str:
        deal = "a deal without a seed" if self.seed is None else f"seed {self.seed}"
        claim = self.claim if self.value is None else f"{self.claim} {self.value}"
        claim += " moves" if self.claim == "at least" else ""
        if self.is_unwinnable and self.value is not None:
            claim += " (unwinnable)"
        count = len(self.lemmas)
        lemmas = "no lemma" if not count else f"{count} lemma{'' if count == 1 else 's'}"
        listed = f"{self.clauses:,} lines of clauses" if self.clauses else f"{self.positions:,} positions"
        return f"{self.game}, {deal}, {claim}, {listed}, {lemmas} used"


def check(
    source: str | BinaryIO,
    max_bytes: float = MOST_BYTES,
    on_clauses: Callable[[clauses.Proof], None] | None = None,
) -> Accepted:
    """Test the certificate in a file, given by its path or open, holding positions in up to ``max_bytes``.

    ``on_clauses`` is called with the clauses of one that lists these, once they are tested. Raises Refused
    with the reason if it does not prove its claim, OSError if it cannot be read.
    """
    with opened(source) as file:
        header = read_header(file)
        variant, family = _family_of(header)
        try:
            game = family.game_of(header, variant.deck(header.ranks, header.suits))
        except ValueError as error:
            raise Refused(f"line 1: {error}") from None
        for lemma in header.lemmas:
            if lemma not in family.LEMMAS:
                raise Refused(f"line 1: lemma {shown(lemma)}: none of {variant.name}")
        _check_deal(header, variant, game)
        if game.needs_line:
            _check_line(header, variant, game)
        if hasattr(game, "conditions"):
            proof = clauses.read_proof(file, header, max_bytes)
            clauses.check(header, proof, game.conditions())
            if on_clauses is not None:
                on_clauses(proof)
        else:
            reasons = read_positions(file, header, max_bytes)
            (fewest if header.claim in OF_MOVES else closed_set).check(header, reasons, game)
    return Accepted(
        header.game,
        header.seed,
        header.claim,
        game.is_unwinnable,
        header.value,
        header.positions,
        header.clauses,
        header.lemmas,
    )


def _family_of(header: Header) -> tuple[Variant, Any]:
    """The game, and the module here of its family. Raises Refused."""
    if header.game not in VARIANTS:
        raise Refused(f"line 1: game {shown(header.game)}: there is none such")
    variant = VARIANTS[header.game]
    if variant.rules not in FAMILIES:
        raise Refused(f"line 1: game {variant.name}: it has no certificates")
    if not 0 <= header.columns <= len(variant.sizes):
        raise Refused(f"line 1: columns {shown(header.columns)}: at most {len(variant.sizes)} can be")
    return variant, import_module(f".{variant.rules}", __package__)


def _check_deal(header: Header, variant: Variant, game: Any) -> None:
    """Raise Refused if the position of the start is none, or not that of the seed."""
    try:
        variant.check(game.position(), cards=True)
        if game.write(game.of_state(game.position())) != header.start:
            raise ValueError("it is not in normal form")
        if header.seed is None:
            return
        dealt = variant.deal(header.seed, header.ranks, header.suits, choices=header.choices)
    except ValueError as error:
        raise Refused(f"line 1: start: {error}") from None
    if game.write(game.of_state(dealt)) != header.start or len(dealt.columns) != header.columns:
        raise Refused(f"line 1: start: it is not the deal of seed {header.seed}")


def _check_line(header: Header, variant: Variant, game: Any) -> None:
    """Raise Refused unless the line of the header, played by the rules, comes to what is claimed."""
    try:
        state = game.read(header.dealt or "")
        if game.write(state) != header.start:
            raise ValueError("it does not begin at the start")
        for text in header.line:
            state = variant.family.apply(state, variant.family.parse_move(state, text))
    except ValueError as error:
        raise Refused(f"line 1: the line of play: {error}") from None
    if not game.holds_line(state):
        raise Refused("line 1: the line of play does not come to what is claimed")
