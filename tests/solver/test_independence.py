"""The rules by which lines are replayed, and brute force, share no code with the searches."""

import re
from pathlib import Path

import pytest

SOLVER = Path(__file__).parents[2] / "solver"
NATIVE = Path(__file__).parents[1] / "native"
ORACLES = {"chessboard.replay", "simon.replay", "joker.replay", "klondike.replay"}
BRUTE = {f"{name.partition('.')[0]}_brute": name for name in ORACLES}  # in tests/native

# Users of an oracle: kernels, whose lines are replayed, and checks.
ASKS = {
    "chessboard.replay": {"chessboard.kernel", "chessboard.chessboard"},
    "simon.replay": {"simon.kernel", "simon.simon"},
    "joker.replay": {"joker.kernel", "joker.joker", "player.joker_search"},
    "klondike.replay": {"klondike.kernel", "klondike.klondike", "player.klondike_search"},
}
# Imports of an oracle: functions that lay out cards, make or list moves, or return what was reached.
REPLAYING = {
    "Game", "deal_game", "load_desk", "load_rules", "save_desk", "play", "legal_moves_of", "is_won", "score",
    "cards_up", "UP", "FOUNDATION",
}  # fmt: skip


def source_of(module):
    """The text of a Cython module and its declarations, or of an included part, continued lines joined."""
    base = NATIVE / module if module in BRUTE else SOLVER.joinpath(*module.split("."))
    files = [base.with_suffix(ending) for ending in (".pyx", ".pxd", ".pxi")]
    text = "".join(file.read_text() for file in files if file.is_file())
    return re.sub(r"\(([^()]*)\)", lambda match: match[0].replace("\n", " "), text)


def code_of(module):
    """The text of a module without its docstrings and comments."""
    text = re.sub(r'"""(?:.|\n)*?"""', "", source_of(module))
    return re.sub(r"#.*", "", text)


def imported_by(module):
    """The imports and cimports of ``module`` from solver/, names by module, and what it includes as a whole,
    with no names."""
    found = {}
    parents = module.split(".")[:-1]
    folder = NATIVE if module in BRUTE else SOLVER.joinpath(*parents)
    for name in re.findall(r'^\s*include "(.*)"', source_of(module), re.MULTILINE):
        included = (folder / name).resolve().relative_to(SOLVER.resolve())
        found[".".join(included.with_suffix("").parts)] = set()
    for line in source_of(module).splitlines():
        if match := re.match(r"\s*from (?:(\.+)|winnable\.(?=solver))([\w.]*) c?import (.+)", line):
            package = ["solver", *parents][: len(parents) + 2 - len(match[1])] if match[1] else []
            target = ".".join([*package, *filter(None, match[2].split("."))])
            if not target.startswith("solver"):
                continue
            target = target.removeprefix("solver").lstrip(".")
            names = re.findall(r"(\w+)(?: as \w+)?", match[3])
            for name in names:
                deeper = f"{target}.{name}".lstrip(".")
                if deeper in MODULES:
                    found.setdefault(deeper, set())
                else:
                    found.setdefault(target, set()).add(name)
        elif re.match(r"\s*(?:from winnable(?!\.rules\b)\S*|c?import winnable)", line):
            raise AssertionError(f"{module}: {line}")
    return found


MODULES = sorted(
    {".".join(file.relative_to(SOLVER).with_suffix("").parts) for file in SOLVER.rglob("*.p[yx][xdi]")}
)


PARTS = {
    f"{path.parent.name}.{name}"
    for path in SOLVER.glob("*/parts.pxi")
    for name in re.findall(r'^include "(\w+)\.pxi"', path.read_text(), re.MULTILINE)
}


def test_the_modules_are_there():
    assert len(PARTS) > 30
    assert set(MODULES) >= ORACLES
    assert imported_by("joker.parts")["joker.replay"] == {"Game"}  # and as a whole
    assert "replay." in source_of("joker.kernel")
    assert len(MODULES) > 30


@pytest.mark.parametrize("module", sorted({*ORACLES, *BRUTE}))
def test_the_rules_that_replay_use_nothing_of_the_package(module):
    mine = {BRUTE[module]} if module in BRUTE else set()
    # Modules of core that know no game; of the border, brute force uses the readers of states.
    used = {target: names for target, names in imported_by(module).items() if names != {"REPLAYS"}}
    assert set(used) <= mine | {"core.border", "core.desk", "core.hash_set", "core.memory", "core.piles"}
    assert all(name.startswith("read_") for name in used.get("core.border", ()))


def test_the_records_of_brute_force_stand_on_nothing():
    """The set of records knows no game: it uses hashes, prefetching, which changes no value, and pages of
    memory."""
    assert set(imported_by("core.hash_set")) == {"core.bits", "core.memory"}
    assert imported_by("core.memory") == {}


def test_only_the_rules_that_replay_hold_cards_in_piles():
    users = [module for module in MODULES if "core.piles" in imported_by(module)]
    assert set(users) == ORACLES
    assert imported_by("core.piles") == {"core.desk": {"Desk"}}
    assert imported_by("core.desk") == {}


@pytest.mark.parametrize("module", sorted(set(MODULES) - ORACLES))
def test_the_searches_use_nothing_of_the_rules_that_replay(module):
    for oracle, names in imported_by(module).items():
        if oracle in ORACLES:  # the parts of a family cimport it for those that may ask
            assert module in ASKS[oracle] or module == f"{oracle.split('.')[0]}.parts"
            assert names <= REPLAYING
    used = set(re.findall(r"\breplay\.(\w+)", source_of(module))) - {"pyx", "pxd"}
    assert used <= REPLAYING
    assert not used or any(module in users for users in ASKS.values())
    if module in PARTS and not any(module in users for users in ASKS.values()):
        assert not re.search(r"\bGame\b", code_of(module))
