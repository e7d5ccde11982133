"""Replay of lines through `rules`, independent of any search."""

from collections.abc import Iterable, Iterator

from ..rules import Move, State, Variant, find_variant
from ..rules.cards import with_article
from ..rules.moves import read_move


class WrongMove(ValueError):  # noqa: N818 - it is the move that is wrong
    """An illegal move: number ``number`` (from 1) of a line, written ``text``, for the reason ``why``."""

    def __init__(self, number: int, text: str, why: str) -> None:
        super().__init__(f"move {number} ({text}): {why}")
        self.number = number
        self.text = text
        self.why = why


def replay(variant: Variant | str, state: State, moves: Iterable[Move | str]) -> State:
    """The state after ``moves``, given as the game's moves or as text.

    Raises WrongMove at an illegal one, ValueError for an unknown variant, a state of another game, or moves
    that are a single text.
    """
    variant = _checked(variant, state, moves)
    last = state
    for _, after in _steps(variant, state, moves):
        last = after
    return last


def follow(variant: Variant | str, state: State, moves: Iterable[Move | str]) -> Iterator[tuple[Move, State]]:
    """Yield each of ``moves``, given as the game's moves or as text (see `rules.moves`), as a move with its
    card, with the state after it.

    Raises ValueError at once as `replay` does, WrongMove when it comes to an illegal move.
    """
    return _follow(_checked(variant, state, moves), state, moves)


def _checked(variant: Variant | str, state: State, moves: Iterable[Move | str]) -> Variant:
    variant = find_variant(variant)
    variant.check(state)
    if isinstance(moves, str) or not isinstance(moves, Iterable):
        raise ValueError(f"moves: expected a list of moves, got {with_article(type(moves).__name__)}")
    return variant


def _follow(variant: Variant, state: State, moves: Iterable[Move | str]) -> Iterator[tuple[Move, State]]:
    for move, after in _steps(variant, state, moves):
        yield variant.family.with_card(state, move), after
        state = after


def _steps(variant: Variant, state: State, moves: Iterable[Move | str]) -> Iterator[tuple[Move, State]]:
    family = variant.family
    for number, move in enumerate(moves, 1):
        try:
            parsed = read_move(variant, state, move) if isinstance(move, str) else move
            if not isinstance(parsed, family.Move):
                got = with_article(type(move).__name__)
                raise ValueError(f"expected a move of {variant.name}, got {got}")
            state = family.apply(state, parsed)
        except ValueError as error:
            raise WrongMove(number, str(move), str(error)) from None
        yield parsed, state


def format_line(
    variant: Variant | str, state: State, moves: Iterable[Move], annotated: bool = False
) -> list[str]:
    """Format ``moves`` from ``state`` on, one string a move, ``annotated`` with their effects in brackets in
    games that write these. Raises as `replay` does."""
    annotation = getattr(find_variant(variant).family, "annotation", None) if annotated else None
    line = []
    for move, after in follow(variant, state, moves):
        line.append(f"{move} {annotation(state, move, after)}".rstrip() if annotation else str(move))
        state = after
    return line
