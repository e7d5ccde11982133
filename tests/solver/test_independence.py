"""The rules that lines are replayed by, and brute force, share no code with the searches."""

import re
from pathlib import Path

import pytest

SOLVER = Path(__file__).parents[2] / "solver"
ORACLES = {"chessboard_oracle", "simon_oracle", "joker_oracle"}
CHECKS = ORACLES | {"joker_brute"}

# What may stand on an oracle: the kernels, which have their lines replayed, and checks.
ASKS = {
    "chessboard_oracle": {"chessboard"},
    "simon_oracle": {"simon", "simon_check"},
    "joker_oracle": {"joker", "player_kernel", "joker_brute"},
    "joker_brute": set(),
}
# And what of an oracle: to lay out cards, to make a move, to see what was reached.
REPLAYING = {"Game", "deal_game", "load", "play", "is_won", "score", "UP"}


def source_of(module):
    """The text of a Cython module and its declarations, continued lines joined."""
    files = [SOLVER / f"{module}{ending}" for ending in (".pyx", ".pxd")]
    text = "".join(file.read_text() for file in files if file.is_file())
    return re.sub(r"\(([^()]*)\)", lambda match: match[0].replace("\n", " "), text)


def imported_by(module):
    """What ``module`` imports or cimports of the package, by module, and under which names."""
    found = {}
    for line in source_of(module).splitlines():
        if match := re.match(r"\s*from \.(\w*) c?import (.+)", line):
            names = re.findall(r"(\w+)(?: as \w+)?", match[2])
            for name in names if not match[1] else [match[1]]:
                found.setdefault(name, set()).update(names if match[1] else ())
        elif match := re.match(r"\s*(?:from winnable\S*|c?import winnable)", line):
            raise AssertionError(f"{module}: {line}")
    return found


MODULES = sorted(file.stem for file in SOLVER.glob("*.pyx"))


def test_the_modules_are_there():
    assert set(MODULES) >= CHECKS
    assert imported_by("joker")["joker_oracle"] == set()  # cimported as a whole
    assert "play" in imported_by("joker_shortest")["joker_plain"]
    assert len(MODULES) > 30


@pytest.mark.parametrize("module", sorted(CHECKS))
def test_the_rules_that_replay_use_nothing_of_the_package(module):
    mine = {"joker_brute": {"joker_oracle"}}.get(module, set())
    assert set(imported_by(module)) <= mine | {"explored"}  # a set of records, which knows no game


def test_the_records_of_brute_force_stand_on_nothing():
    assert imported_by("explored") == {}


@pytest.mark.parametrize("module", sorted(set(MODULES) - CHECKS))
def test_the_searches_use_nothing_of_the_rules_that_replay(module):
    for oracle, names in imported_by(module).items():
        if oracle in CHECKS:
            assert module in ASKS[oracle]
            used = names or set(re.findall(rf"\b(?:{oracle}|oracle)\.(\w+)", source_of(module)))
            assert used - {"pyx"} <= REPLAYING
