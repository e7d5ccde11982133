"""Parameters of the value networks, loaded from files."""

from functools import cache
from pathlib import Path
from typing import Any

from ...rules.joker_board import USUAL, Choices

FOLDER = Path(__file__).parent

LAYERS = (
    *("first", "first_bias", "column", "column_bias", "waste", "waste_bias", "pooled"),
    *("second", "second_bias", "last", "last_bias"),
)


GAMES: dict[str, tuple[str, Choices]] = {
    "joker": ("joker", Choices("turned")),
    "joker-exposed": ("joker", Choices("exposed")),
    "klondike-one-pass": ("klondike-one-pass", USUAL),
}
"""The game and the choices of rules for which there is a network, by its name."""


def network_of(game: str, choices: Any = USUAL) -> Path:
    """Return the file of the network of a game by such choices: half floats by the names of LAYERS, fitted by
    `benchmarks/train_player.py`; docs/player.md has their quality."""
    return FOLDER / f"value-{network_name(game, choices)}.npz"


def network_name(game: str, choices: Any) -> str:
    """Name what a network is for: the game, and in joker that it exchanges exposed cards."""
    return "joker-exposed" if game == "joker" and choices.exchange == "exposed" else game


def has_network(path: Path) -> bool:
    """Test whether there is a network."""
    return path.exists()


@cache
def layers(path: Path) -> dict[str, Any]:
    """Load the arrays of a file by name, as floats, in the order of LAYERS; `value.pxd` has their shapes."""
    import numpy as np

    with np.load(path) as data:
        return {name: data[name].astype(np.float32) for name in LAYERS}


def packed(path: Path) -> bytes:
    """Pack the floats of all layers one after the other."""
    return b"".join(layer.tobytes() for layer in layers(path).values())
