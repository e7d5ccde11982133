"""Replay of lines through `rules`, independent of any search."""

from collections.abc import Iterable, Iterator

from ..rules import Move, State, Variant, find_variant, of_state
from ..rules.cards import with_article
from ..rules.moves import read_move


class WrongMove(ValueError):  # noqa: N818 - it is the move that is wrong
    """An illegal move: number ``number`` (from 1) of a line, written ``text``, for the reason ``why``."""

    def __init__(self, number: int, text: str, why: str) -> None:
        super().__init__(f"move {number} ({text}): {why}")
        self.number = number
        self.text = text
        self.why = why


@of_state
def replay(variant: Variant | str, state: State, moves: Iterable[Move | str]) -> State:
    """The state after ``moves``, each a move object of the game or text; ``variant`` may be left out.

    Raises WrongMove at an illegal move; ValueError for an unknown variant, a state of another game, or if
    ``moves`` is one string.
    """
    variant = _checked(variant, state, moves)
    last = state
    for _, after in _steps(variant, state, moves):
        last = after
    return last


def follow(variant: Variant | str, state: State, moves: Iterable[Move | str]) -> Iterator[tuple[Move, State]]:
    """Yield for each of ``moves`` a move object that names its card, and the state after it.

    A move is given as an object of the game or as text (see `rules.moves`). Raises ValueError at once like
    `replay`, WrongMove when it reaches an illegal move.
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
    """Format ``moves`` from ``state`` on, one string a move. If ``annotated`` is true, games that define
    annotations add the effect of a move in brackets. Raises like `replay`."""
    annotation = getattr(find_variant(variant).family, "annotation", None) if annotated else None
    line = []
    for move, after in follow(variant, state, moves):
        line.append(f"{move} {annotation(state, move, after)}".rstrip() if annotation else str(move))
        state = after
    return line
