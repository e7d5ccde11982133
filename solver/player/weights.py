"""Parameters of the value networks, loaded from files."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

FOLDER = Path(__file__).parent

LAYERS = (
    *("first", "first_bias", "column", "column_bias", "waste", "waste_bias", "pooled"),
    *("second", "second_bias", "last", "last_bias"),
)


def network_of(game: str) -> Path:
    """Return the file of the network of a game: half floats by the names of LAYERS, fitted by
    `benchmarks/train_player.py`; docs/player.md has their quality."""
    return FOLDER / f"value-{game}.npz"


def has_network(game: str) -> bool:
    """Test whether the game has a network."""
    return network_of(game).exists()


@cache
def layers(path: Path) -> dict[str, Any]:
    """Load the arrays of a file by name, as floats, in the order of LAYERS; `value.pxd` has their shapes."""
    with np.load(path) as data:
        return {name: data[name].astype(np.float32) for name in LAYERS}


def packed(path: Path) -> bytes:
    """Pack the floats of all layers one after the other."""
    return b"".join(layer.tobytes() for layer in layers(path).values())
