"""Deals of seeds/, and positions that random moves lead to."""

import json
import random
from pathlib import Path

from winnable.rules import find_variant
from winnable.rules.formats.json_deals import read_json

SEEDS = Path(__file__).parents[1] / "seeds"


def known_deals(name, **wanted):
    """The rows of a file with these values: each with its variant and its state."""
    for line in (SEEDS / name).read_text().splitlines():
        row = json.loads(line)
        if all(row.get(key) == value for key, value in wanted.items()):
            variant = find_variant(row["variant"])
            yield row, variant, next(read_json(variant, line, name)).state


def wander(state, steps, seed):
    """A position in mid-game, up to ``steps`` random moves from ``state``."""
    family, random_moves = find_variant(state.variant).family, random.Random(seed)
    for _ in range(steps):
        moves = family.legal_moves(state)
        if not moves:
            break
        state = family.apply(state, random_moves.choice(moves))
    return state
