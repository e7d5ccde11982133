"""The comparison of published runs with an earlier version tells what has turned."""

import json

import numpy as np
import pytest

from winnable.solver.batch.store import Store
from winnable.solver.core.record import RECORD, VERDICTS

pytest.importorskip("matplotlib", reason="the extra 'plot' is not installed")

from benchmarks import verdicts
from benchmarks.published import runs

HEAD = "seed,verdict,score,score_bound,tier,moves,best,lower_bound,expanded"


def stored(directory, name, rows):
    """A store of a published run with ``rows``: verdict, score and its bound."""
    run = runs.find_run(name)
    records = np.zeros(len(rows), RECORD)
    for i, (verdict, score, bound) in enumerate(rows):
        records[i]["seed"], records[i]["verdict"] = i + 1, VERDICTS.index(verdict)
        records[i]["score"], records[i]["score_bound"] = score, bound
        records[i]["reason"] = verdict == "undecided"
    with Store.write(str(directory / run.store), run.header) as store:
        store.add(records, 1.0)


@pytest.fixture
def earlier(tmp_path):
    """A checkout of an earlier version, which knew of three deals of fortress and two of joker."""
    folder = tmp_path / "earlier"
    (folder / "seeds" / "first").mkdir(parents=True)
    (folder / "benchmarks").mkdir()
    fortress = [HEAD, "1,unwinnable,,,,,,,9", "2,undecided,,,,,,,9", "3,winnable,,,,80,,,9"]
    joker = [HEAD, "1,winnable,20,20,win,80,,,9", "2,unwinnable,5,7,none,80,,,9"]
    for name, lines in (("fortress", fortress), ("joker", joker)):
        (folder / "seeds" / "first" / f"{name}.csv").write_text("\n".join(lines) + "\n")
    (folder / "seeds" / "hardest.jsonl").write_text(
        json.dumps({"variant": "fortress", "seed": 4, "verdict": "winnable"}) + "\n"
    )
    sums = {"fortress": {"deals": 3, "winnable": 1, "unwinnable": 1, "undecided": 1}}
    made = {"made": {"winnable": "0.0.1"}, "runs": sums}
    (folder / "benchmarks" / "results.json").write_text(json.dumps(made))
    return folder


def told(earlier, capsys, fortress, joker):
    """The exit status, the figures and what is printed where the runs say so of these deals."""
    directory = earlier.parent / "stores"
    directory.mkdir()
    stored(directory, "fortress", [(verdict, -1, -1) for verdict in fortress])
    stored(directory, "joker", joker)
    status = verdicts.main([str(directory), str(earlier)])
    return status, json.loads((directory / "verdicts.json").read_text())["games"], capsys.readouterr().out


def test_what_was_open_may_be_decided(earlier, capsys):
    fortress = ["unwinnable", "winnable", "winnable", "winnable"]
    status, games, out = told(earlier, capsys, fortress, [("winnable", 20, 20), ("unwinnable", 6, 6)])
    assert status == 0
    assert "No verdict has turned." in out
    row = games["fortress"]
    assert (row["compared"], row["decided"], row["newly_decided"], row["against"]) == (4, 3, 1, [])
    assert (row["then"]["winnable"], row["now"]["winnable"]) == (1, 2)
    assert (games["joker"]["proved"], games["joker"]["newly_proved"]) == (1, 1)


@pytest.mark.parametrize("first", ["winnable", "undecided"])
def test_what_has_turned_is_told(earlier, capsys, first):
    fortress = [first, "winnable", "winnable", "winnable"]
    status, games, out = told(earlier, capsys, fortress, [("winnable", 20, 20), ("unwinnable", 6, 6)])
    assert status == 1
    assert games["fortress"]["against"] == ([1] if first == "winnable" else [])
    assert "Contradictions: fortress." in out


@pytest.mark.parametrize("second", [("unwinnable", 8, 8), ("unwinnable", 4, 4)])
def test_scores_outside_of_what_was_proved_are_told(earlier, capsys, second):
    fortress = ["unwinnable", "undecided", "winnable", "winnable"]
    status, games, _ = told(earlier, capsys, fortress, [("winnable", 20, 20), second])
    assert status == 1
    assert games["joker"]["against"] == [2]
