"""The gap between line and bound: few deals, the table and the picture, and what is refused."""

import json

import pytest
from benchmarks import endings, gap
from benchmarks.gap import Seen
from tests.compiled import needs_kernels

pytestmark = needs_kernels


@pytest.mark.full
def test_one_deal_of_each_game(tmp_path, capsys):
    path, picture = tmp_path / "gap.json", tmp_path / "gap.png"
    assert gap.main(["--deals", "1", "--seconds", "1", "--json", str(path), "--figure", str(picture)]) == 0
    data = json.loads(path.read_text())
    assert [game["variant"] for game in data["games"]] == list(gap.VARIANTS)
    for game in data["games"]:
        assert [point["seconds"] for point in game["points"]] == [0.1, 0.3, 1.0]
        gaps = [point["gap"] for point in game["points"] if point["known"] == game["deals"]]
        assert gaps == sorted(gaps, reverse=True)
    assert "| simple-simon | 1 | 1 | 64.00 | " in capsys.readouterr().out
    assert picture.stat().st_size > 1000


def test_a_mark_has_what_was_seen_last_before():
    tracks = [[Seen(0.2, 90, 60), Seen(0.9, 80, 70)], [Seen(0.05, 50, 50)]]
    assert gap._point(tracks, 0.1) == {
        "seconds": 0.1, "known": 1, "moves": 50, "lower_bound": 50, "gap": 0, "proved": 1,
    }  # fmt: skip
    assert gap._point(tracks, 0.3)["gap"] == 15
    assert gap._point(tracks, 1.0)["gap"] == 5
    assert gap._point([[Seen(2, 9, 9)]], 1.0) == {"seconds": 1.0, "known": 0}


def test_lines_never_get_longer():
    track = []
    for seen in (Seen(0.1, 90, 60), Seen(0.2, 95, 60), Seen(0.3, 80, 50)):
        gap._note(track, seen)
    assert track == [Seen(0.1, 90, 60), Seen(0.3, 80, 60)]


def test_a_game_without_lines_is_one_line(capsys, monkeypatch):
    monkeypatch.setattr(gap, "_track", lambda variant, seed, seconds: [])
    with pytest.raises(SystemExit):
        gap.main(["--deals", "1", "--variant", "joker"])
    assert capsys.readouterr().err == "joker: none of 1 deals has a line to shorten\n"


@pytest.mark.full
def test_endings_are_proved(tmp_path, capsys):
    path = tmp_path / "endings.json"
    assert endings.main(["--variant", "joker", "--deals", "1", "--json", str(path)]) == 0
    (game,) = json.loads(path.read_text())["games"]
    assert (game["variant"], game["deals"]) == ("joker", 1)
    assert game["points"][0] == {"left": 10, "proved": 1}
    assert all(point["proved"] == 1 for point in game["points"])
    assert "| joker | 1 | 10 | 1 |" in capsys.readouterr().out
