"""The programs that train and measure the player, each on a few deals."""

import json
import random

import numpy as np
import pytest

pytest.importorskip("winnable.solver.core.border")
pytest.importorskip("Cython", reason="compiles the parts of benchmarks")
pytest.importorskip("setuptools", reason="compiles the parts of benchmarks")

from benchmarks import calibrate_player, train_player

from winnable.rules import find_variant
from winnable.rules.joker_board import Choices
from winnable.rules.tables import hidden
from winnable.solver import Limits
from winnable.solver.player.chances import Mapping
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
    monkeypatch.setattr(calibrate_player, "PLAYER", Player(visits=12))
    monkeypatch.setattr(calibrate_player, "RATES", {})
    path = tmp_path / "games.jsonl"
    calibrate_player.main(name, path, (4, 5))
    told = capsys.readouterr().out
    assert told.count("Mapping(level=") == tiers
    for kind in calibrate_player.KINDS:
        assert told.count(f"\n{kind}, ") == told.count(f"{kind}, win: 5 tables") * tiers == tiers
    rows = [line.split("|") for line in told.splitlines() if line[:3].strip("| ").isdigit()]
    assert sum(int(row[2]) for row in rows) == 2 * tiers * 5
    games = [json.loads(line) for line in path.read_text().splitlines()]
    assert len([found for *_, found in games if found]) == 2 * (4 * calibrate_player.REPLAYS + 5)
    wholes = [seed for _, seed, _, found in games if len(found) > 1]
    assert len(wholes) == 2 * 4
    assert max(wholes) < calibrate_player.CHECK
    assert not any(row[-1] for kind, *_, found in games for row in found if kind == "openings")
    calibrate_player.main(name, path, (4, 5))  # it plays no game again
    assert capsys.readouterr().out == told


@pytest.mark.parametrize("name", ["klondike", "klondike-vegas"])
def test_a_game_that_is_lost_ends_early(monkeypatch, name):
    """Its outcome is the same as of the whole game."""
    kernel = find_player_kernel(name)(Limits(), Player(visits=30))
    outcomes = []
    for seed in range(1, 9):
        table = hidden(find_variant(name).deal(seed))
        games = [
            calibrate_player.play(table, kernel, random.Random(seed), is_whole) for is_whole in (True, False)
        ]
        assert games[0][0] == games[1][0]
        assert games[0][1][:1] == games[1][1]
        outcomes.append(games[0][0])
    assert len(set(outcomes)) == 2


def test_the_fit_finds_the_mapping_of_made_up_games():
    wanted, chance, games = Mapping((0.4, 0.2, 2.0), (1.5, -0.2)), np.random.default_rng(1), []
    for seed in range(4000):
        unknown, known, share = chance.integers(1, 21), chance.integers(0, 20), chance.uniform(0.02, 0.98)
        logit = wanted.logit(share, unknown, known)[0] + chance.normal(
            0, np.sqrt(0.1 + 0.3 * known / (10 + unknown))
        )
        for _ in range(calibrate_player.REPLAYS):
            won = int(chance.random() < 1 / (1 + np.exp(-logit)))
            games.append(["openings", seed, won, [[2500, round(2500 * share), unknown, known]]])
    found, spread = calibrate_player.fitted(games, "win", 1)
    for case in ((0.2, 5, 3), (0.8, 15, 3), (0.5, 10, 15)):
        assert found.logit(*case)[0] == pytest.approx(wanted.logit(*case)[0], abs=0.2)
    assert spread[0] + 0.5 * spread[1] == pytest.approx(0.25, abs=0.08)


def test_openings_are_weighted_to_a_known_rate():
    games = [["openings", seed, int(seed % 3 == 0), [[100, 50, 21, 0]]] for seed in range(300) for _ in "12"]
    for rate, wanted in ((None, 1 / 3), (0.4, 0.4)):
        mapping, _ = calibrate_player.fitted(games, "win", 1, rate)
        logit, _ = mapping.logit(0.5, 21, 0)
        assert 1 / (1 + np.exp(-logit)) == pytest.approx(wanted, abs=0.005)
