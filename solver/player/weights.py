"""The weights of the quick player's network, as a file holds them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

NETWORK = Path(__file__).with_name("value.npz")
"""Half floats by the names of LAYERS, found by `benchmarks/train_player.py`; docs/player.md tells from which
games and how good they are. They belong to joker alone."""

LAYERS = ("first", "first_bias", "second", "second_bias", "last", "last_bias")


@cache
def layers() -> dict[str, Any]:
    """The arrays of NETWORK by name, as floats, in the order of LAYERS; `value.pyx` has their shapes."""
    with np.load(NETWORK) as data:
        return {name: data[name].astype(np.float32) for name in LAYERS}


def packed(count: int) -> bytes:
    """The floats of all layers one after the other. Raises ValueError unless they are ``count``."""
    found = sum(layer.size for layer in layers().values())
    if found != count:
        raise ValueError(f"{NETWORK}: {found} weights, not {count}")
    return b"".join(layer.tobytes() for layer in layers().values())
