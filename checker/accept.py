"""Verification of a certificate: any file is accepted or refused, unless a limit ends the check."""

from contextlib import nullcontext
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from os import PathLike
from typing import TYPE_CHECKING, Any, BinaryIO

from ..rules import State, Variant
from ..rules.cards import shown
from ..rules.choices import not_implemented
from . import closed_set, fewest
from .claim import WITH_LINE, Claim, read_claim
from .reading import LONGEST_HEADER, MOST_BYTES, MOST_SECONDS, Budget, Content, NotFinished, Refused

if TYPE_CHECKING:
    from ..rules import answers


@dataclass(frozen=True)
class Accepted:
    """An accepted certificate: it proves its ``claim`` about the position ``state``. Its text states
    everything that the claim depends on, so that no two claims have the same text."""

    claim: Claim
    state: State

    def __str__(self) -> str:
        claim = self.claim
        listed = f"{claim.positions:,} position{'' if claim.positions == 1 else 's'}"
        return f"{claim}, {listed}; lemmas: {', '.join(claim.lemmas)}"

    def to_dict(self) -> "answers.Claim":
        """Return the claim as JSON values, under the public names."""
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
            "lemmas": list(claim.lemmas),
        }


def check(
    source: str | PathLike[str] | BinaryIO,
    max_bytes: float = MOST_BYTES,
    max_seconds: float = MOST_SECONDS,
) -> Accepted:
    """Verify a certificate, within limits on the bytes of memory and the seconds of processor time of this
    process. ``source`` is the path of the file or an open binary file; its content may be packed by gzip or
    plain. Raises Refused with the reason if the claim is not proved, NotFinished if a limit ended the check
    before that was known, OSError if the file cannot be read, nothing else."""
    budget = Budget(max_seconds, max_bytes)
    try:
        with open(source, "rb") if isinstance(source, str | PathLike) else nullcontext(source) as file:
            return _check(Content(file, budget))
    except (Refused, NotFinished, OSError):
        raise
    except MemoryError:
        raise NotFinished("not finished within the available memory") from None
    except Exception as error:  # a bug of the checker must not accept the file
        raise Refused(f"not understood: {type(error).__name__}: {error}"[:300]) from error


def _check(content: Content) -> Accepted:
    """Return the proved claim. Raises Refused if it is not proved."""
    claim = header_claim(content.line(LONGEST_HEADER))
    game = _game_of(claim)
    state = _checked_position(claim, game)
    if claim.kind in WITH_LINE:
        _check_line(claim, game, state)
    reasons = closed_set.read_positions(content, claim.positions)
    (fewest if claim.counts_moves else closed_set).check(claim, reasons, game, content.budget)
    return Accepted(claim, state)


def header_claim(line: str) -> Claim:
    """Return the claim of the header in ``line``. Raises Refused for an invalid header, and for games and
    values of rule options that this package does not implement."""
    claim = read_claim(line, _family)
    listed = _family(claim.variant).IMPLEMENTS
    if rules := not_implemented(listed, claim.variant.name, claim.choices):
        raise Refused(f"line 1: there are no certificates of {rules}")
    return claim


def _family(variant: Variant) -> Any:
    """Return the module of this package that checks certificates of ``variant``, None if there is none."""
    rules = variant.packed
    return None if find_spec(f".{rules}", __package__) is None else import_module(f".{rules}", __package__)


def _game_of(claim: Claim) -> Any:
    """Return the object that checks the claim, of the claim's family. Raises Refused if the claim names
    lemmas of other claims, or lacks one that its family needs."""
    family = _family(claim.variant)
    try:
        for lemma in family.ALWAYS:
            claim.names(lemma)
        return family.game_of(claim)
    except ValueError as error:
        raise Refused(f"line 1: {error}") from None


def _checked_position(claim: Claim, game: Any) -> State:
    """Return the position of the claim. Raises Refused if it is invalid, or differs from the deal of the seed
    or from the start of the claim."""
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
