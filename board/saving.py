"""A game as files: texts that the other commands read, and one that holds its tree."""

from __future__ import annotations

from typing import Any

from .session import Session

WHAT = ("position", "moves", "deal", "game", "page")


def save(game: Session, what: str, form: object) -> dict[str, Any]:
    """The ``name``, ``media`` type and ``content`` of a file. Raises ValueError for what cannot be had."""
    raise ValueError("nothing can be saved yet")
