"""Parameters of the value networks, loaded from files."""

import ast
import struct
from array import array
from functools import cache
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from ...rules.joker_board import USUAL, Choices

FOLDER = Path(__file__).parent

LAYERS = (
    *("first", "first_bias", "column", "column_bias", "waste", "waste_bias", "pooled"),
    *("second", "second_bias", "last", "last_bias"),
)

_HEAD = 10  # length of the head of NumPy's file format 1.0, before the description of the array

GAMES: dict[str, tuple[str, Choices | None]] = {
    "joker": ("joker", Choices("turned")),
    "joker-exposed": ("joker", Choices("exposed")),
    "klondike-one-pass": ("klondike-one-pass", None),
}
"""The game and the rule options for which there is a network, by its name."""


def network_of(game: str, choices: Any = USUAL) -> Path:
    """Return the path of the network for a game under these rule options. The file has half floats under the
    names of LAYERS, fitted by `benchmarks/train_player.py`; docs/player.md has the quality."""
    return FOLDER / f"value-{network_name(game, choices)}.npz"


def network_name(game: str, choices: Any) -> str:
    """Return the name of the network for a game under these rule options: joker has one for each kind of
    exchange."""
    return "joker-exposed" if game == "joker" and choices.exchange == "exposed" else game


def has_network(path: Path) -> bool:
    """Test if the file of a network exists."""
    return path.exists()


def weights_of(path: Path) -> bytes | None:
    """Return the numbers of a network as `packed` does; None if its file does not exist."""
    return packed(path) if has_network(path) else None


@cache
def packed(path: Path) -> bytes:
    """Return the numbers of all layers as 32-bit floats, one layer after the other, as `value.pxi` expects
    them.

    NumPy's files are read without NumPy, which a Python in a web page does not have. Raises ValueError for
    layers that are not half floats in row order.
    """
    floats = array("f")
    with ZipFile(path) as file:
        for name in LAYERS:
            data = file.read(f"{name}.npy")
            start = _HEAD + int.from_bytes(data[_HEAD - 2 : _HEAD], "little")
            kind = ast.literal_eval(data[_HEAD:start].decode("latin-1"))
            if kind["descr"] != "<f2" or kind["fortran_order"]:
                raise ValueError(f"{path.name}, {name}: expected half floats in rows, got {kind['descr']}")
            floats.extend(struct.unpack(f"<{(len(data) - start) // 2}e", data[start:]))
    return floats.tobytes()
