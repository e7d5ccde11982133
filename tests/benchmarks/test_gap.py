"""The gap between line and bound: few deals, the table and the picture, and what is refused."""

import json

import pytest
from benchmarks import endings, gap
from tests.compiled import needs_kernels

from winnable.solver import Result

pytestmark = needs_kernels


@pytest.mark.full
def test_one_deal_of_each_game(tmp_path, capsys):
    path, picture = tmp_path / "gap.json", tmp_path / "gap.png"
    assert gap.main(["--deals", "1", "--work", "1000000", "--json", str(path), "--figure", str(picture)]) == 0
    data = json.loads(path.read_text())
    assert [game["variant"] for game in data["games"]] == list(gap.VARIANTS)
    for game in data["games"]:
        assert [point["work"] for point in game["points"]] == [100_000, 300_000, 1_000_000]
        gaps = [point["gap"] for point in game["points"] if point["known"] == game["deals"]]
        assert gaps == sorted(gaps, reverse=True)
    assert " to 64.00; 1 of 1; " in capsys.readouterr().out
    assert picture.stat().st_size > 1000


def test_a_game_without_lines_is_one_line(capsys, monkeypatch):
    monkeypatch.setattr(gap, "find_shortest", lambda *_: Result("unwinnable"))
    with pytest.raises(SystemExit):
        gap.main(["--deals", "1", "--variant", "klondike-one-pass"])
    assert capsys.readouterr().err == "klondike-one-pass: none of 1 deals has a line to shorten\n"


@pytest.mark.full
def test_endings_are_proved(tmp_path, capsys):
    path = tmp_path / "endings.json"
    assert endings.main(["--variant", "joker", "--deals", "1", "--json", str(path)]) == 0
    (game,) = json.loads(path.read_text())["games"]
    assert (game["variant"], game["deals"]) == ("joker", 1)
    assert game["points"][0] == {"left": 10, "proved": 1}
    assert all(point["proved"] == 1 for point in game["points"])
    assert "| joker | 1 | 1 | 1 |" in capsys.readouterr().out
