"""The file of the games played: complete rows, several boards, and files that are not a history."""

import os
import sqlite3
from concurrent.futures import ThreadPoolExecutor

import pytest

from winnable.game.hidden_deals import HiddenDeals
from winnable.game.history import History, Played, totals
from winnable.game.storage import StorageError


def played(key, outcome="won", **fields):
    return Played(key, "fortress", "seed 8", "analysis", outcome, 80, {"nodes": []}, **fields)


def test_a_game_is_one_row_however_often_it_is_kept(tmp_path):
    history = History(tmp_path / "new" / "history.sqlite")
    history.keep(played("a", "left"))
    history.keep(played("a", winnable=True, fewest=77, fewest_proved=True))
    (game,) = history.games()
    kept = [game[name] for name in ("outcome", "winnable", "fewest", "fewest_proved")]
    assert kept == ["won", True, 77, True]
    assert history.saved(game["id"]) == {"nodes": []}
    assert history.forget(game["id"] + 1) == 0
    assert history.forget(game["id"]) == 1
    with pytest.raises(ValueError, match="no such game"):
        history.saved(game["id"])
    history.keep(played("b"))
    assert history.forget(None) == 1


def test_two_boards_write_to_one_file(tmp_path):
    path = tmp_path / "history.sqlite"
    boards = [History(path) for _ in range(2)]

    def keep(number):
        for game in range(50):
            boards[number].keep(played(f"{number} {game}"))

    with ThreadPoolExecutor() as pool:
        list(pool.map(keep, range(2)))
    assert len(boards[0].games()) == len(boards[1].games()) == 100
    for board in boards:
        board.close()
    assert len(History(path).games()) == 100


def damaged(path):
    History(path).close()
    data = bytearray(path.read_bytes())
    data[4096:4200] = b"\xff" * 104
    path.write_bytes(bytes(data))


def foreign(path):
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE game (id INTEGER)")
    connection.close()


def later(path):
    History(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()


@pytest.mark.parametrize("make", [damaged, foreign, later, lambda path: path.write_bytes(b"my diary" * 999)])
def test_a_file_that_is_none_is_refused_in_one_line_and_left(tmp_path, make):
    path = tmp_path / "history.sqlite"
    make(path)
    path.chmod(0o644)
    tmp_path.chmod(0o755)
    before = path.read_bytes(), path.stat().st_mode, tmp_path.stat().st_mode
    with pytest.raises(StorageError) as refused:
        History(path)
    assert str(refused.value).startswith(f"{path}: ")
    assert "\n" not in str(refused.value)
    assert (path.read_bytes(), path.stat().st_mode, tmp_path.stat().st_mode) == before


def test_a_file_that_is_deleted_is_made_again(tmp_path):
    path = tmp_path / "history.sqlite"
    history = History(path)
    history.keep(played("a"))
    path.unlink()
    assert history.games() == []
    history.keep(played("b"))
    assert len(History(path).games()) == 1


def test_totals(tmp_path):
    history = History(tmp_path / "history.sqlite")
    games = [("won", True), ("won", True), ("lost", True), ("left", None), ("won", True), ("lost", False)]
    for number, (outcome, winnable) in enumerate(games):
        history.keep(played(str(number), outcome, winnable=winnable, fewest=77 if winnable else None))
    (total,) = totals(history.games())
    assert total == {
        "game": "fortress", "played": 6, "won": 3, "winnable": 4, "won_of_winnable": 3, "thrown": 1,
        "streak": 0, "longest_streak": 2, "best": 80, "moves_above_fewest": 3.0,
    }  # fmt: skip


def test_help_is_kept_and_a_game_that_was_shown_is_no_win(tmp_path):
    boards = [History(tmp_path / "history.sqlite") for _ in range(2)]
    boards[0].keep(played("alone"))
    boards[0].keep(played("shown", "shown", seconds=61.5, hints=80))
    boards[1].keep(played("helped", seconds=9.0, hints=3, turned_back=1))
    games = boards[0].games()
    told = [(game["seconds"], game["hints"], game["turned_back"]) for game in games]
    assert told == [(9.0, 3, 1), (61.5, 80, 0), (None, 0, 0)]
    (total,) = totals(games)
    assert (total["played"], total["won"], total["best"]) == (2, 2, 80), "the best is the one without help"


@pytest.mark.skipif(os.name == "nt", reason="folders for data of the user are private there")
@pytest.mark.parametrize("is_there", [False, True])
def test_nobody_else_can_read_the_files(tmp_path, is_there):
    """New files are private, and those of earlier versions are made private; a folder above them is left
    unchanged."""
    tmp_path.chmod(0o755)
    folder = tmp_path / "winnable"
    history, hidden = folder / "history.sqlite", folder / "hidden.sqlite"
    before = os.umask(0o022)
    try:
        for _ in range(1 + is_there):
            for path in (history, hidden):
                if path.exists():
                    path.chmod(0o644)
                    folder.chmod(0o755)
            kept = History(history)
            HiddenDeals(hidden)
    finally:
        os.umask(before)
    found = [path.stat().st_mode & 0o777 for path in (history, hidden, folder, tmp_path)]
    assert found == [0o600, 0o600, 0o700, 0o755]
    kept.keep(played("a"))
    assert all(path.stat().st_mode & 0o777 == 0o600 for path in folder.iterdir())
