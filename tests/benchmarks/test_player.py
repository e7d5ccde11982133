"""The programs that train and measure the player, each on a few deals."""

import numpy as np
import pytest

pytest.importorskip("winnable.solver.core.border")
pytest.importorskip("Cython", reason="compiles the parts of benchmarks")
pytest.importorskip("setuptools", reason="compiles the parts of benchmarks")

from benchmarks import calibrate_player, calibrate_tables, train_player

from winnable.rules.joker_board import Choices
from winnable.solver import Limits
from winnable.solver.player.player import Player, find_player_kernel
from winnable.solver.player.weights import GAMES, LAYERS, network_of, packed


@pytest.fixture
def few(monkeypatch):
    """Two training rounds of a few games."""
    rounds = tuple(train_player.Round(first, 16, 40, 20, 2) for first in (7_000_005, 7_000_105))
    monkeypatch.setattr(train_player, "ROUNDS", {"joker": rounds, "klondike-one-pass": rounds})
    monkeypatch.setattr(train_player, "PIECE", 8)
    monkeypatch.setattr(train_player, "BATCH", 32)


@pytest.mark.full
@pytest.mark.parametrize("name", GAMES)
def test_a_network_is_taught_from_nothing_and_plays(tmp_path, few, capsys, name):
    game, choices = GAMES[name]
    train_player.main(tmp_path, name, 0)
    assert not list(tmp_path.glob("*.npz"))
    train_player.main(tmp_path, name)
    network = network_of(game, choices)
    assert capsys.readouterr().out.splitlines()[-1] == f"cp {tmp_path}/{name}-1.npz {network}"
    assert network.name == f"value-{name}.npz"
    assert len(list(tmp_path.glob("*.npy"))) == 4
    kernel = find_player_kernel()(Limits(), Player(visits=30))
    kernel.learn(packed(tmp_path / f"{name}-1.npz"))
    assert kernel.solve_seeds(game, 1, 3, choices).array["score"].max() > 0
    before = (tmp_path / f"{name}-1.npz").stat().st_mtime_ns
    train_player.main(tmp_path, name)
    assert (tmp_path / f"{name}-1.npz").stat().st_mtime_ns == before, "what is done is not done again"


@pytest.mark.parametrize("exchange", ["turned", "exposed"])
def test_the_network_of_the_teacher_is_that_of_the_kernel(tmp_path, few, exchange):
    """The trained network gives the same forecasts from feature counts as the kernel does."""
    kernel = train_player.selfplay.SelfPlayKernel("joker", Choices(exchange), 40, 20, None)
    found, _ = kernel.play(7_000_006, 2)
    examples = np.frombuffer(found, train_player.DTYPE)
    with np.load(network_of("joker", Choices(exchange))) as data:
        weights = [data[name].astype(np.float32) for name in LAYERS]
    stated = train_player.forward(weights, train_player.counts_of(examples))[-1]
    assert stated.shape == (len(examples), 4)
    assert ((stated > 0) & (stated < 1)).all()
    assert np.corrcoef(stated[:, 2], examples["triple"])[0, 1] > 0.3


@pytest.mark.full
def test_gradients_are_those_of_the_loss():
    kernel = train_player.selfplay.SelfPlayKernel("joker", Choices("turned"), 40, 20, None)
    found, _ = kernel.play(7_000_006, 1)
    examples = np.frombuffer(found, train_player.DTYPE)[:8]
    weights = train_player.beginning(np.random.default_rng(1))
    counts, (wanted, importance) = train_player.counts_of(examples), train_player.targets(examples)

    def loss():
        stated = train_player.forward(weights, counts)[-1].astype(float)
        log = wanted * np.log(stated) + (1 - wanted) * np.log(1 - stated)
        return -(importance * log).sum() / len(examples)

    for layer, gradient in zip(
        weights, train_player.gradients(weights, counts, wanted, importance), strict=True
    ):
        at = np.unravel_index(np.abs(gradient).argmax(), gradient.shape)
        before, step = layer[at], 1e-2
        layer[at] = before + step
        more = loss()
        layer[at] = before - step
        less = loss()
        layer[at] = before
        assert (more - less) / (2 * step) == pytest.approx(gradient[at], rel=0.1, abs=2e-3)


def test_a_network_that_is_learnt_again_plays_alike():
    one, other = (find_player_kernel()(Limits(), Player(visits=50)) for _ in range(2))
    one.learn(packed(network_of("joker")))
    assert (
        one.solve_seeds("joker", 1, 3).array["score"] == other.solve_seeds("joker", 1, 3).array["score"]
    ).all()


@pytest.mark.quick("joker-3")
@pytest.mark.parametrize(("name", "tiers"), [("joker", 3), ("klondike-draw-one", 1)])
def test_chances_are_compared_with_results(tmp_path, monkeypatch, capsys, name, tiers):
    monkeypatch.setattr(calibrate_player, "FIT", range(1, 13))
    monkeypatch.setattr(calibrate_player, "CHECK", range(13, 21))
    monkeypatch.setattr(calibrate_player, "Player", lambda: Player(visits=6))
    path = tmp_path / "games.jsonl"
    calibrate_player.main(name, path)
    told = capsys.readouterr().out
    assert told.count("all decisions") == told.count("opening decisions") == tiers
    assert len(path.read_text().splitlines()) == 20
    calibrate_player.main(name, path)  # it plays no game again
    assert capsys.readouterr().out == told


@pytest.mark.parametrize("name", ["joker", "klondike-vegas"])
def test_estimates_for_tables_are_compared_with_results(capsys, name):
    calibrate_tables.main(name, 5, 6)
    told = capsys.readouterr().out
    assert "\n5 tables: stated " in told
    assert sum(int(line.split("|")[2]) for line in told.splitlines()[3:] if line.startswith("|")) == 5
