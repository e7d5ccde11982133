"""Replays lines of play through `rules`; knows nothing of any search."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..rules import Variant
from ..rules.moves import read_move


class WrongMove(ValueError):  # noqa: N818 - it is the move that is wrong
    """A line fails at move ``number`` (from 1), written ``text``, because of ``why``."""

    def __init__(self, number: int, text: str, why: str) -> None:
        super().__init__(f"move {number} ({text}): {why}")
        self.number = number
        self.text = text
        self.why = why


def replay(variant: Variant, state: Any, moves: Iterable[Any]) -> Any:
    """The state after ``moves``, given as the game's moves or as text. Raises WrongMove at an illegal one."""
    last = state
    for _, after in follow(variant, state, moves):
        last = after
    return last


def follow(variant: Variant, state: Any, moves: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
    """Each of ``moves``, given as the game's moves or as text (see `rules.moves`), as a move, with the state
    after it.

    Raises WrongMove at an illegal one.
    """
    family = variant.family
    for number, move in enumerate(moves, 1):
        try:
            parsed = read_move(variant, state, move) if isinstance(move, str) else move
            state = family.apply(state, parsed)
        except ValueError as error:
            raise WrongMove(number, str(move), str(error)) from None
        yield parsed, state


def format_line(variant: Variant, state: Any, moves: Iterable[Any]) -> list[str]:
    """``moves`` from ``state`` on as text, one string a move."""
    family = variant.family
    texts = []
    for move in moves:
        texts.append(family.format_move(state, move))
        state = family.apply(state, move)
    return texts
