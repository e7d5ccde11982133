"""The growth of the work: few deals and ranks, the tables, the fit and the picture."""

import json

import pytest
from benchmarks import growth
from tests.compiled import needs_kernels

from winnable.rules import VARIANTS

pytestmark = needs_kernels


@pytest.fixture
def measure(tmp_path, capsys):
    """A function that measures some parts and returns the figures and the printed text."""

    def call(*arguments):
        path = tmp_path / "growth.json"
        assert growth.main([*arguments, "--json", str(path)]) == 0
        return json.loads(path.read_text()), capsys.readouterr().out

    return call


def test_three_deals_of_two_short_decks(measure):
    data, out = measure("--part", "ranks", "--ranks", "9", "10", "--deals", "3")
    assert [(p["variant"], p["ranks"]) for p in data["ranks"]] == [(n, r) for n in VARIANTS for r in (9, 10)]
    for point in data["ranks"]:
        assert (point["deals"], point["undecided"]) == (3, 0)
        assert 0 < point["states"]["median"] <= point["states"]["max"]
    assert out == growth.markdown(data) + "\n"
    assert "| fortress | " in out


@pytest.mark.full
def test_parts_measured_later_join_the_others(measure, tmp_path):
    measure("--part", "ranks", "--ranks", "10", "--deals", "2", "--variant", "fortress")
    data, out = measure("--part", "columns", "--deals", "2", "--variant", "fortress", "--variant", "joker")
    assert len(data["ranks"]) == 1
    assert [p["columns"] for p in data["columns"]] == [*range(6, 11), *range(4, 8)]
    data, out = measure("--part", "memory", "--deals", "2", "--variant", "joker")
    (point,) = data["memory"]
    assert point["undecided"] == sorted(point["undecided"], reverse=True)
    assert out.count("\n| --- |") == 3
    growth.figure(data, tmp_path / "growth.png")
    assert (tmp_path / "growth.png").stat().st_size < 100_000


def test_without_a_kernel_there_is_one_line(monkeypatch, capsys):
    monkeypatch.setattr("benchmarks.figures.find_kernel", lambda variant, choices=None: None)
    with pytest.raises(SystemExit):
        growth.main(["--variant", "fortress"])
    assert capsys.readouterr().err == "fortress: the compiled engine is not installed\n"


@pytest.mark.full
def test_workers_are_compared_in_one_run(measure):
    data, out = measure("--part", "workers", "--deals", "1", "--variant", "chessboard")
    assert [point["workers"] for point in data["workers"]] == [1, 2, 2, 1]
    assert "| chessboard | 20 |" in out


@pytest.mark.parametrize("name", growth.COLUMNS)
def test_columns_hold_the_deck(name):
    ranks, counts = growth.COLUMNS[name]
    for count in counts:
        state = VARIANTS[name].deal(1, ranks=ranks, sizes=growth.column_sizes(VARIANTS[name], ranks, count))
        assert len(state.columns) == count


def test_the_factor_is_that_of_a_straight_line():
    points = [{"ranks": n, "deals": 9, "undecided": 0, "states": {"median": 3 * 1.5**n}} for n in range(5, 9)]
    assert growth.growth_factor(points, "median") == pytest.approx(1.5)
    points[0] |= {"undecided": 5, "states": {"median": 1e6}}
    assert growth.growth_factor(points, "median") == pytest.approx(1.5)
    assert growth.growth_factor(points[:3], "median") is None


@pytest.mark.parametrize("content", ["no JSON", "[]", '{"benchmark": "peers-fc-solve"}'])
def test_other_figures_are_not_overwritten(content, tmp_path, capsys):
    path = tmp_path / "other.json"
    path.write_text(content)
    with pytest.raises(SystemExit) as exit_of:
        growth.main(["--part", "ranks", "--json", str(path)])
    assert exit_of.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert path.read_text() == content
