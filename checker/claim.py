"""The claim of a certificate: a statement about a deal and its rules.

A claim is about the deal of a seed, with the full deck and the usual layout, or about a position that the
file holds in full. Rule options, ranks, suits and columns are always part of it. Only `read_claim` makes a
`Claim`; all kinds of certificates use it.
"""

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from ..rules import VARIANTS, Variant
from ..rules.cards import Deck, shown
from ..rules.deals import SEEDS
from .reading import LONGEST_LINE, Refused

FORMAT = 1
UNWINNABLE, SCORE, FEWEST, AT_LEAST = "unwinnable", "exact score", "fewest moves", "at least"
OF_MOVES = (FEWEST, AT_LEAST)
"""Claims that count moves."""
WITH_LINE = (SCORE, FEWEST)
"""Claims that include a line of play."""
MOST_MOVES = 9999
_DIGITS = 20


@dataclass(frozen=True)
class Claim:
    """The statement of a certificate.

    ``choices`` has the value of every rule option of the game. ``columns`` is the number of columns, empty
    ones included. ``seed`` is None for a deal without one. ``start`` is the position in the normal form of
    listed positions; ``dealt``, if the claim needs it, is the position with all columns, in the order by
    which ``line`` numbers them. ``value`` is None for a claim without a number. ``positions`` is the number
    of positions listed.
    """

    variant: Variant
    deck: Deck
    choices: Mapping[str, str]
    columns: int
    seed: int | None
    start: str
    dealt: str | None
    kind: str
    value: int | None
    line: tuple[str, ...]
    lemmas: tuple[str, ...]
    positions: int

    @property
    def counts_moves(self) -> bool:
        """Test if the claim is about a number of moves."""
        return self.kind in OF_MOVES

    @property
    def position(self) -> str:
        """The position of the claim as text of the file: ``dealt`` or else ``start``."""
        return self.start if self.dealt is None else self.dealt

    @property
    def least_score(self) -> int:
        """The least score that wins. Only for games with scores."""
        assert self.variant.scoring is not None
        places = self.deck.places
        tier_of = self.variant.scoring.tier_of
        return next(score for score in range(places + 1) if tier_of(score, places) != "none")

    @property
    def greatest_score(self) -> int:
        """The greatest score that the claim leaves possible. Only for games with scores."""
        return self.least_score - 1 if self.value is None else self.value

    @property
    def is_unwinnable(self) -> bool:
        """Test if the claim implies that the deal cannot be won."""
        if self.kind == SCORE:
            return self.greatest_score < self.least_score
        return self.kind == UNWINNABLE

    def names(self, lemma: str) -> None:
        """Raise ValueError unless the header of the certificate names ``lemma``."""
        if lemma not in self.lemmas:
            raise ValueError(f"expected the lemma {lemma!r} in the header")

    def __str__(self) -> str:
        agreed = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in self.choices.items())
        game = f"{self.variant.name} ({agreed})" if agreed else self.variant.name
        if not self.deck.is_full:
            game += f", {self.deck.ranks} ranks of {self.deck.suits} in {self.columns} columns"
        deal = f"the deal [{self.position}]" if self.seed is None else f"seed {self.seed}"
        return f"{game}, {deal}, {self._said()}"

    def _said(self) -> str:
        if self.kind == SCORE:
            lost = " (unwinnable)" if self.is_unwinnable else ""
            return f"{SCORE} {self.value} of {self.deck.places} places{lost}"
        if self.kind == UNWINNABLE and self.variant.scoring:
            return f"{UNWINNABLE} (at most {self.greatest_score} of {self.deck.places} places)"
        moves = " moves" if self.kind == AT_LEAST else ""
        return self.kind if self.value is None else f"{self.kind} {self.value}{moves}"


def read_claim(line: str, family_of: Callable[[Variant], Any]) -> Claim:
    """Return the claim in ``line``, the header of a certificate. ``family_of`` returns the module that checks
    those of a game, None if none does: it has the ``CLAIMS`` and ``LEMMAS`` that it knows, and
    ``IS_DEALT_IN_FULL`` if its listed positions leave open which cards were dealt, so that the header has to
    say. Raises Refused for an invalid header."""
    header = _Header(_fields_of(line))
    if header.number("certificate") != FORMAT:
        raise Refused(f"line 1: certificate: expected format {FORMAT}")
    game = header.text("game")
    if game not in VARIANTS:
        raise Refused(f"line 1: game {shown(game)}: no such game")
    variant = VARIANTS[game]
    family = family_of(variant)
    if family is None or game not in family.IMPLEMENTS:
        raise Refused(f"line 1: there are no certificates of {game}")
    deck = _deck_of(variant, header.number("ranks"), header.text("suits"))
    kind, lemmas = header.text("claim"), header.texts("lemmas")
    if kind not in family.CLAIMS:
        raise Refused(f"line 1: claim {shown(kind)}: expected {' or '.join(family.CLAIMS)}")
    if len(set(lemmas)) < len(lemmas):
        raise Refused("line 1: lemmas: expected each lemma once")
    for lemma in lemmas:
        if lemma not in family.LEMMAS:
            raise Refused(f"line 1: lemma {shown(lemma)}: not one of {variant.name}")
    claim = Claim(
        variant=variant,
        deck=deck,
        choices=_choices_of(variant, family.IMPLEMENTS[game], header),
        columns=_columns_of(variant, deck, header.number("columns")),
        seed=header.number_if("seed", "seed" in header.fields),
        start=header.text("start", LONGEST_LINE),
        dealt=header.text_if("dealt", kind in WITH_LINE or family.IS_DEALT_IN_FULL, LONGEST_LINE),
        kind=kind,
        value=header.number_if("value", kind != UNWINNABLE),
        line=header.texts("line") if header.must_have("line", kind in WITH_LINE) else (),
        lemmas=lemmas,
        positions=header.number("positions"),
    )
    header.finish()
    _check_numbers(claim)
    return claim


def _check_numbers(claim: Claim) -> None:
    """Raise Refused for an impossible seed or value."""
    if claim.seed is not None and claim.seed >= SEEDS:
        raise Refused("line 1: seed: expected a number below 2^64")
    if claim.seed is not None and not claim.deck.is_full:
        raise Refused("line 1: seed: only deals of the full deck have seeds")
    most = claim.deck.places - 1 if claim.kind == SCORE else MOST_MOVES
    if claim.value is not None and claim.value > most:
        raise Refused(f"line 1: value: expected at most {most}, got {claim.value}")


def _fields_of(line: str) -> dict[str, Any]:
    """Return the header as a dictionary. Raises Refused for anything but a JSON object, for a repeated key,
    and for the parts of JSON that the format excludes: escapes, fractions, signs."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        fields = dict(pairs)
        if len(fields) < len(pairs):
            raise Refused("line 1: expected each key once")
        return fields

    def whole(text: str) -> int:
        if not text.isdigit() or len(text) > _DIGITS:
            raise Refused(f"line 1: expected numbers of at most {_DIGITS} digits without a sign")
        return int(text)

    def no_number(text: str) -> NoReturn:
        raise Refused(f"line 1: expected whole numbers, got {shown(text)}")

    if "\\" in line:
        raise Refused("line 1: expected no escapes")
    try:
        fields = json.loads(
            line, object_pairs_hook=unique, parse_int=whole, parse_float=no_number, parse_constant=no_number
        )
    except Refused:
        raise
    except (ValueError, RecursionError):
        fields = None
    if not isinstance(fields, dict):
        raise Refused("line 1: expected a header, one line of JSON")
    return fields


class _Header:
    """The fields of a header. Methods that return a value raise Refused if it has another type."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self.fields = fields
        self.used: set[str] = set()

    def take(self, name: str, kind: type, expected: str) -> Any:
        """Return the value of the required field ``name``, of the type ``kind``."""
        self.used.add(name)
        value = self.fields.get(name)
        if not isinstance(value, kind) or isinstance(value, bool):
            got = shown(value) if name in self.fields else "nothing"
            raise Refused(f"line 1: {name}: expected {expected}, got {got}")
        return value

    def number(self, name: str) -> int:
        """Return the value of the required field ``name``, a number."""
        number: int = self.take(name, int, "a number")
        return number

    def text(self, name: str, longest: int | None = None) -> str:
        """Return the value of the required field ``name``, a text of at most ``longest`` characters."""
        text: str = self.take(name, str, "a text")
        if longest is not None and len(text) > longest:
            raise Refused(f"line 1: {name}: longer than {longest:,} characters")
        return text

    def texts(self, name: str) -> tuple[str, ...]:
        """Return the value of the required field ``name``, an array of texts."""
        values = self.take(name, list, "an array of texts")
        if not all(isinstance(value, str) for value in values):
            raise Refused(f"line 1: {name}: expected an array of texts")
        return tuple(values)

    def must_have(self, name: str, is_needed: bool) -> bool:
        """Return ``is_needed``. Raises Refused unless the field is present exactly if it is needed."""
        if (name in self.fields) != is_needed:
            raise Refused(f"line 1: {name}: {'missing' if is_needed else 'not part of this claim'}")
        return is_needed

    def number_if(self, name: str, is_needed: bool) -> int | None:
        """Return the number in the field ``name``, None if it is not needed and absent."""
        return self.number(name) if self.must_have(name, is_needed) else None

    def text_if(self, name: str, is_needed: bool, longest: int) -> str | None:
        """Return the text in the field ``name``, None if it is not needed and absent."""
        return self.text(name, longest) if self.must_have(name, is_needed) else None

    def finish(self) -> None:
        """Raise Refused if a field was not read, except the informative fields."""
        for name in ("made by", "dealer"):
            if name in self.fields:
                self.text(name)
        unknown = sorted(set(self.fields) - self.used)
        if unknown:
            raise Refused(f"line 1: {shown(unknown[0])}: not a field of this claim")


def _deck_of(variant: Variant, ranks: int, suits: str) -> Deck:
    try:
        return variant.deck(ranks, suits)
    except ValueError as error:
        raise Refused(f"line 1: {error}") from None


def _columns_of(variant: Variant, deck: Deck, columns: int) -> int:
    usual = len(variant.sizes)
    if deck.is_full and columns != usual:
        raise Refused(f"line 1: columns: expected {usual} with the full deck, got {columns}")
    if not 1 <= columns <= usual:
        raise Refused(f"line 1: columns: expected 1 to {usual}, got {columns}")
    return columns


def _choices_of(
    variant: Variant, implemented: Mapping[str, Collection[str]], header: _Header
) -> dict[str, str]:
    """Return the value of every rule option of the game of which more than one value is ``implemented``, in
    its order. Raises Refused if one is missing or wrong."""
    needed = {name for name in variant.choices if len(implemented.get(name, ())) > 1}
    chosen = header.take("choices", dict, "an object") if needed or "choices" in header.fields else {}
    if set(chosen) != needed:
        expected = " and ".join(name for name in variant.choices if name in needed) or "none"
        got = ", ".join(map(shown, sorted(chosen))) or "none"
        raise Refused(f"line 1: choices: expected {expected}, got {got}")
    for name in chosen:
        if chosen[name] not in variant.choices[name]:
            values = " or ".join(variant.choices[name])
            raise Refused(f"line 1: choices: {name}: expected {values}, got {shown(chosen[name])}")
    return {name: chosen[name] for name in variant.choices if name in needed}
