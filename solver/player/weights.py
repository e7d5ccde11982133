"""The weights of the players' networks, as files hold them."""

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
    """The file of the network of a game, by the name of that: half floats by the names of LAYERS, found by
    `benchmarks/train_player.py`; docs/player.md tells how good they are."""
    return FOLDER / f"value-{game}.npz"


def has_network(game: str) -> bool:
    """Whether a network was taught the game."""
    return network_of(game).exists()


@cache
def layers(path: Path) -> dict[str, Any]:
    """The arrays of a file by name, as floats, in the order of LAYERS; `value.pxd` has their shapes."""
    with np.load(path) as data:
        return {name: data[name].astype(np.float32) for name in LAYERS}


def packed(path: Path) -> bytes:
    """The floats of all layers one after the other."""
    return b"".join(layer.tobytes() for layer in layers(path).values())
