"""`winnable rate` and `winnable report`: the same rows, however often a run is interrupted."""

import csv
import io
import json
import os
import random
import re
import resource
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from tests import schemas
from tests.children import HANG, Child, start, start_until, wait_until
from tests.compiled import needs_kernels
from tests.deals import deals_file

from winnable import __version__
from winnable.cli.commands.rate import _tell_late
from winnable.cli.output import rate_text
from winnable.rules import find_variant
from winnable.rules.deals import DEALER
from winnable.solver import Limits, solve
from winnable.solver.batch import solve_records
from winnable.solver.batch.schema import RESULT_COLUMNS, Header
from winnable.solver.batch.store import Store

pytestmark = needs_kernels
COLUMNS = ", ".join(name for name in RESULT_COLUMNS if name != "microseconds")


def out_of(run, *args):
    """The output of rate; on stderr it says at most that it was resumed."""
    status, out, err = run("rate", *args)
    assert status == 0
    assert re.fullmatch(r"(winnable: .+: resumed, .* deals are there already.*\n)?", err)
    return out


def rate(run, *args):
    return json.loads(out_of(run, *args, "--json"))


def rows(path, columns=COLUMNS):
    """The stored rows, without times or with only some columns."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(f"SELECT {columns} FROM result ORDER BY seed").fetchall()


def test_a_rate_is_that_of_its_deals(run):
    answer = rate(run, "fortress", "--deals", "1-2000")
    assert (answer["deals"], answer["winnable"], answer["unwinnable"]) == (2000, 424, 1576)
    assert answer["low"] < answer["rate"] == 0.212 < answer["high"]
    assert answer["limits"] == {"nodes": None, "seconds": None, "megabytes": 1000.0, "work": None}
    assert answer["workers"] >= 1
    assert "tiers" not in answer


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="others tell the memory of the parent")
def test_the_memory_told_is_that_of_the_run_itself():
    held = b"x" * 300_000_000
    command = (sys.executable, "-m", "winnable", "rate", "fortress", "--deals", "1-9", "--json")
    answer = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    assert 5 < answer["peak_megabytes"] < len(held) / 1e6


def test_several_ranges_and_shards(run, tmp_path):
    whole = rate(run, "fortress", "--deals", "5,20-59,100-119", "--output", tmp_path / "whole.sqlite")
    assert whole["deals"] == 61
    paths = [tmp_path / f"{i}.sqlite" for i in range(1, 5)]
    shard = ("fortress", "--deals", "20-59,5,100-119", "--shard")
    parts = [rate(run, *shard, f"{i}/4", "--output", path) for i, path in enumerate(paths, 1)]
    assert sum(part["deals"] for part in parts) == 61
    assert sorted(row for path in paths for row in rows(path)) == rows(tmp_path / "whole.sqlite")
    merged = json.loads(run.out("report", *paths, "--json"))
    kept = ("deals", "winnable", "low", "high", "length", "expanded")
    assert all(merged[name] == whole[name] for name in kept)


def test_going_on_adds_what_is_missing(run, tmp_path):
    path = tmp_path / "some.sqlite"
    assert rate(run, "fortress", "--deals", "50-99", "--output", path)["deals"] == 50
    assert rate(run, "fortress", "--deals", "1-200", "--output", path)["deals"] == 200
    assert rate(run, "fortress", "--deals", "50-99", "--output", path)["deals"] == 50
    again = tmp_path / "again.sqlite"
    rate(run, "fortress", "--deals", "1-200", "--workers", 1, "--output", again)
    assert rows(path) == rows(again)


@pytest.mark.parametrize("text", ["1-100", "1..100", "1 - 1e2", "1:100", "1\u2013100", "1-40, 41-100"])
def test_a_range_is_written_in_several_ways(run, tmp_path, text):
    store = tmp_path / "store.sqlite"
    run("rate", "fortress", "--deals", "1-100", "--output", store)
    there = f"winnable: {store}: resumed, all 100 deals are there already\n"
    for words in (["--deals", text], [text]):
        assert run("rate", "fortress", *words, "--output", store)[::2] == (0, there)
    assert "--deals" in run.fails("rate", "fortress", text, "--deals", text)


@pytest.mark.parametrize("text", ["pysol:1-20", "ms1-20", "ms1..ms20", "pysol:ms1-ms20"])
def test_numbers_of_microsoft_are_those_of_pysolfc(run, tmp_path, text):
    pytest.importorskip("pysol_cards", reason="the extra 'pysol' is not installed")
    store = tmp_path / "store.sqlite"
    run("rate", "fortress", "--deals", "pysol:1-20", "--output", store)
    assert "all 20 deals are there already" in run("rate", "fortress", text, "--output", store)[2]


def test_without_deals_the_first_thousand_are_rated(run):
    status, out, err = run("rate", "fortress", "--json")
    assert (status, err) == (0, "winnable: no deals are named: read as --deals 1-1000\n")
    assert json.loads(out)["winnable"] == run.json("rate", "fortress", "1-1k")["winnable"] == 211


@pytest.mark.full
def test_until_the_interval_is_narrow(run, tmp_path):
    paths = [tmp_path / f"{workers}.sqlite" for workers in (1, 3)]
    for path, workers in zip(paths, (1, 3), strict=True):
        options = ("--until", "2%", "--workers", workers, "--output", path)
        answer = rate(run, "chessboard", "--deals", "1-100000", *options)
        assert answer["deals"] % 100 == 0
        assert answer["rate"] - answer["low"] <= 0.02
        assert answer["high"] - answer["rate"] <= 0.02
        assert 1500 < answer["deals"] < 2500
    assert rows(paths[0]) == rows(paths[1])
    assert rate(run, "chessboard", "--deals", "1-100000", *options)["deals"] == answer["deals"]


UNTIL = {
    "decided": ("fortress", "2%"),
    "undecided": ("fortress", "5%", "--work", 40),
    "played": ("joker", "5%", "--player", "rule"),
}


@pytest.mark.parametrize("kind", UNTIL)
def test_neither_end_of_the_interval_is_farther_than_asked(run, kind):
    """With a hundred deals less an end was still too far."""
    game, until, *options = UNTIL[kind]
    part = float(until[:-1]) / 100

    def is_narrow(deals, *more):
        answer = rate(run, game, "--deals", f"1-{deals}", *options, *more)
        return max(answer["rate"] - answer["low"], answer["high"] - answer["rate"]) <= part, answer

    done, answer = is_narrow(100_000, "--until", until)
    assert done
    assert 100 < answer["deals"] < 5000
    assert not is_narrow(answer["deals"] - 100)[0]


def test_the_interval_of_a_retry_is_that_of_all_deals(run, tmp_path):
    path = tmp_path / "some.sqlite"
    command = ("fortress", "--deals", "1-1000", "--output", path)
    before = rate(run, *command, "--work", 8)
    assert before["undecided"] > 100
    again = ("--retry-undecided", "--work", 100, "--until", "4%")
    answer = rate(run, *command, *again)
    assert answer["deals"] == 1000
    assert 0 < answer["undecided"] < before["undecided"]
    assert max(answer["rate"] - answer["low"], answer["high"] - answer["rate"]) <= 0.04


def test_a_store_tells_which_versions_made_its_rows(run, tmp_path):
    path = tmp_path / "some.sqlite"
    with Store.write(str(path), Header("fortress", DEALER, Limits(megabytes=1000), version="1.9")) as store:
        for records in solve_records("fortress", range(1, 11)):
            store.add(records, 1)
    command = ("rate", "fortress", "--deals", "1-30", "--output", path)
    _, out, err = run(*command)
    told = f"it holds deals of other versions (10 by version 1.9); new ones name {__version__}"
    resumed = f"winnable: {path}: resumed, 10 of 30 deals are there already\n"
    assert err == f"winnable: {path}: {told}\n{resumed}"
    versions = re.compile(f"^Versions +10 deals by 1.9, 20 deals by {__version__}$", re.MULTILINE)
    assert versions.search(out)
    assert versions.search(run.out("report", path))
    assert run.json("report", path)["versions"] == {"1.9": 10, __version__: 20}
    assert [row["version"] for row in rows_of(run, path)] == ["1.9"] * 10 + [__version__] * 20
    table = list(csv.DictReader(io.StringIO(run.out("report", path, "--csv"))))
    assert [row["version"] for row in table] == ["1.9"] * 10 + [__version__] * 20
    assert {row["max_megabytes"] for row in table} == {"1000.0"}
    fresh = run("rate", "fortress", "--deals", "1-5")
    assert "Versions" not in fresh[1]
    assert fresh[2] == ""


def test_undecided_deals_are_tried_again(run, tmp_path):
    path, straight = tmp_path / "some.sqlite", tmp_path / "straight.sqlite"
    first = rate(run, "joker", "--deals", "1-40", "--work", 300, "--output", path)
    assert first["undecided"]
    again = ("joker", "--deals", "1-40", "--work", 8000)
    assert "work 300, not with limits of nodes" in run.fails("rate", *again, "--output", path)
    second = rate(run, *again, "--retry-undecided", "--output", path)
    rate(run, *again, "--output", straight)
    assert rows(path) == rows(straight)
    assert second["undecided"] < first["undecided"]
    assert second["exact"] > first["exact"]
    _, out, err = run("rate", *again, "--retry-undecided", "--json", "--output", path)
    assert json.loads(out)["undecided"] == second["undecided"]
    told = "nothing to try again: all undecided deals were tried with these limits"
    resumed = "resumed, all 40 deals are there already"
    assert err == f"winnable: {path}: {resumed}\nwinnable: {path}: {told}\n"


def test_shortest_lines_are_collected(run, tmp_path):
    path = tmp_path / "some.sqlite"
    answer = rate(run, "fortress", "--deals", "1-100", "--shortest", "--output", path)
    assert answer["proved_shortest"] == answer["winnable"]
    assert answer["shortest_length"] == answer["length"]
    assert rate(run, "fortress", "--deals", "1-100")["length"]["median"] > answer["length"]["median"]
    assert (
        "made with lines of fewest moves" in run("rate", "fortress", "--deals", "1-100", "--output", path)[2]
    )
    limited = rate(run, "fortress", "--deals", "1-100", "--shortest", "--work", 500)
    assert limited["proved_shortest"] < limited["winnable"]
    assert "Proved shortest" in run("rate", "fortress", "--deals", "1-50", "--shortest")[1]


def test_a_file_of_deals(run, tmp_path):
    game = find_variant("simple-simon")
    path = deals_file(tmp_path, game.name, range(7, 17))
    out = tmp_path / "out.sqlite"
    answer = rate(run, "simple-simon", "--deals", path, "--output", out)
    verdicts = [solve(game, game.deal(seed), shorten=0).verdict.value for seed in range(7, 17)]
    assert [row[:2] for row in rows(out)] == list(enumerate(verdicts, 1))
    assert answer["deals"] == 10
    assert rate(run, "simple-simon", "--deals", path, "--output", out)["deals"] == 10
    path.write_text(path.read_text() * 2)
    assert "dealer file" in run("rate", "simple-simon", "--deals", path, "--output", out)[2]


def test_choices_are_part_of_the_store(run, tmp_path):
    path = tmp_path / "some.sqlite"
    options = ("joker", "--deals", "1-5", "--work", 200, "--output", path)
    assert rate(run, *options, "--exchange", "exposed")["exchange"] == "exposed"
    assert "the choices exchange exposed" in run("rate", *options)[2]


def test_the_page_says_it_all(run):
    out = run.out("rate", "joker", "--deals", "1-50", "--work", 2000)
    words = ["# joker", "Deals", "Winnable, 15 cards", "Triple, 52 cards", "Solution length", "States"]
    assert all(word in out for word in [*words, "CPU time", "deals/s"])
    assert re.search(r"^cards up +deals\n( +\d+(-\d+)? +\d+( #+)?\n)* +52 +\d+ #{39}>$", out, re.MULTILINE)
    assert run("rate", "fortress", "--deals", "1-3", "--shard", "1/9")[1].startswith("# fortress\nDeals")


# --- Players ------------------------------------------------------------------------------------------------


def test_the_games_of_a_player(run, tmp_path):
    path, optima = tmp_path / "played.sqlite", tmp_path / "optima.sqlite"
    rate(run, "joker", "--deals", "1-50", "--work", 20000, "--output", optima)
    first = rate(run, "joker", "--deals", "1-60", "--player", "rule", "--output", path)
    assert (first["player"], first["deals"], first["won"] + first["lost"]) == ("rule", 60, 60)
    answer = rate(run, "joker", "--deals", "1-100", "--player", "rule", "--output", path, "--paired", optima)
    assert answer["deals"] == 100
    assert [tier["tier"] for tier in answer["tiers"]] == ["win", "double", "triple"]
    assert answer["tiers"][0]["count"] == answer["won"] == sum(row[0] >= 15 for row in rows(path, "score"))
    assert "exact" not in answer
    beside = answer["paired"]
    assert 0 < beside["deals"] <= 50
    assert beside["score"] <= beside["greatest_score"]
    for tier in beside["tiers"]:
        assert tier["count"] <= tier["possible"]
        assert tier["rate"] == tier["count"] / tier["possible"]
    text = run("rate", "joker", "--deals", "1-100", "--player", "rule", "--output", path, "--paired", optima)[
        1
    ]
    for word in ("Player", "Won", "Lost", "Triple", "Of deals with proved scores", "mean score"):
        assert word in text
    assert run.json("report", path)["player"] == "rule"


@pytest.fixture(scope="module")
def played(run, tmp_path_factory):
    path = tmp_path_factory.mktemp("played") / "joker.sqlite"
    rate(run, "joker", "--deals", "1-60", "--player", "rule", "--output", path)
    return path


@pytest.mark.full
def test_games_without_scores_are_won_where_that_is_possible(run, tmp_path):
    optima = tmp_path / "decided.sqlite"
    decided = rate(run, "klondike-vegas", "--deals", "1-100", "--output", optima)
    args = ("klondike-vegas", "--deals", "1-120", "--player", "rule", "--paired", optima)
    beside = rate(run, *args)["paired"]
    (tier,) = beside["tiers"]
    assert (tier["tier"], tier["score"], tier["possible"]) == ("win", 1, decided["winnable"])
    assert 0 < tier["count"] < tier["possible"] < beside["deals"] == 100
    text = run("rate", *args)[1]
    assert re.search(r"Of decided deals +100\n", text)
    assert f"{tier['count']} of {tier['possible']} possible" in text
    assert "score" not in text


def test_seeds_of_games_and_of_decided_deals_are_not_confused(run, played, stored):
    for path, kinds, needed in (
        (played, ("winnable", "unwinnable", "undecided"), "lost, won, unfinished"),
        (stored, ("won", "lost", "unfinished"), "unwinnable, winnable, undecided"),
    ):
        for kind in kinds:
            err = run.fails("report", path, "--seeds", kind)
            assert err == f"winnable: --seeds {kind}: expected {needed} or hardest\n"


@pytest.mark.parametrize(
    ("module", "extra", "arguments"),
    [
        ("matplotlib", "plot", ("report", "STORE", "--plot", "games.png")),
        ("pysol_cards", "pysol", ("deal", "simple-simon", "--pysol", "1")),
        ("distributed", "cluster", ("rate", "fortress", "--deals", "1", "--scheduler", "tcp://[::1]:1")),
    ],
)
def test_a_missing_package_is_named_by_its_extra(run, played, monkeypatch, module, extra, arguments):
    """The extra is named, not a folder, which need not be a checkout."""
    for name in (module, f"{module}.cards", "winnable.cli.plots"):  # these may have been imported before
        monkeypatch.setitem(sys.modules, name, None)
    err = run.fails(*(played if word == "STORE" else word for word in arguments))
    assert err.endswith(f": pip install 'winnable[{extra}]'\n")


@pytest.mark.full
def test_a_picture_of_games(run, played, lost, tmp_path):
    pytest.importorskip("matplotlib")
    assert run("report", played, "--plot", tmp_path / "games.svg")[0] == 0
    assert "<svg" in (tmp_path / "games.svg").read_text()
    picture = tmp_path / "lost.svg"
    for more in ([], ["--classes"]):
        assert run("report", lost[0], "--plot", picture, *more)[0] == 0
        assert ("blocked" in picture.read_text()) is bool(more)


def test_a_store_knows_its_player_and_its_budget(run, tmp_path):
    path = tmp_path / "played.sqlite"
    options = ("joker", "--deals", "1-3", "--output", path)
    assert rate(run, *options, "--player", "search", "--visits", 20)["player"] == "search, 20 visits"
    for others in (["--player", "search", "--visits", 30], ["--player", "rule"], []):
        refused = run.fails("rate", *options, *others)
        assert "it was made with engine player search, 20 visits" in refused
    options = ("joker", "--deals", "1-3", "--player", "rule", "--paired", path)
    assert "games of a player" in run.fails("rate", *options)


@pytest.mark.parametrize("exchange", ["turned", "exposed"])
def test_a_player_takes_positions_of_a_file(run, tmp_path, exchange):
    path = deals_file(tmp_path, "joker", range(1, 6), exchange=exchange)
    by_file, by_seed = tmp_path / "file.sqlite", tmp_path / "seed.sqlite"
    options = ("joker", "--player", "rule", "--exchange", exchange)
    rate(run, *options, "--deals", path, "--output", by_file)
    rate(run, *options, "--deals", "1-5", "--output", by_seed)
    assert rows(by_file) == rows(by_seed)


@pytest.mark.full
def test_a_cluster_plays_the_games_of_the_threads(run, tmp_path):
    distributed = pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")
    options = (
        "joker",
        "--deals",
        "1-20",
        "--player",
        "search",
        "--visits",
        20,
        "--check-every",
        5,
        "--output",
    )
    by_threads, by_cluster = tmp_path / "threads.sqlite", tmp_path / "cluster.sqlite"
    rate(run, *options, by_threads)
    workers = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with distributed.LocalCluster(**workers) as cluster:
        answer = rate(run, *options, by_cluster, "--scheduler", cluster.scheduler_address)
    assert (answer["deals"], answer["player"], answer["workers"]) == (20, "search, 20 visits", 2)
    assert rows(by_cluster) == rows(by_threads)


@pytest.mark.full
def test_the_lines_on_clusters_of_the_manual_work(run, tmp_path, monkeypatch):
    """The lines of the page, with both machines on this one."""
    pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")
    dask = Path(sys.executable).with_name("dask")
    if not dask.exists():
        pytest.skip("the command dask is not installed")
    page = (Path(__file__).parents[2] / "docs" / "rates.md").read_text()
    blocks = re.findall(r"```sh\n(.*?)```", page.partition("With the extra `cluster`")[2], re.DOTALL)[:2]
    lines = [line.partition("#")[0].split() for block in blocks for line in block.splitlines()]
    assert [line[:2] for line in lines] == [
        ["pip", "install"],
        ["dask", "scheduler"],
        ["dask", "worker"],
        ["winnable", "rate"],
    ]
    monkeypatch.chdir(tmp_path)
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        port = str(server.getsockname()[1])
    lines = [[word.replace("host", "127.0.0.1").replace("8786", port) for word in line] for line in lines]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    Child(dask, *lines[1][1:], "--no-dashboard", **quiet)
    wait_until(lambda: listens(port))
    first = Child(dask, *lines[2][1:], "--no-dashboard", **quiet)
    Child(dask, *lines[2][1:], "--no-dashboard", **quiet)
    told = run.out(*lines[3][1:])
    assert "20,000" in told
    first.end()  # no results are lost with a worker
    again = run.out("rate", "fortress", "--deals", "1-20000", *lines[3][-4:-1], "other.sqlite")
    assert "20,000" in again
    rate(run, "fortress", "--deals", "1-20000", "--output", "threads.sqlite")
    assert rows("fortress.sqlite") == rows("other.sqlite") == rows("threads.sqlite")


def listens(port):
    """Test if something accepts connections at a port of this machine."""
    try:
        socket.create_connection(("127.0.0.1", int(port)), 1).close()
    except OSError:
        return False
    return True


# --- Cards up -----------------------------------------------------------------------------------------------


def mean_of(values):
    return sum(values) / len(values)


@pytest.mark.parametrize(("game", "pays"), [("klondike-vegas", True), ("klondike", False)])
def test_games_of_klondike_have_the_cards_up(run, tmp_path, game, pays):
    path = tmp_path / "games.sqlite"
    command = ("rate", game, "--deals", "1-20", "--player", "rule", "--output", path)
    answer = run.json(*command)
    schemas.check("rate", answer)
    found = rows(path, "seed, score, verdict")
    for seed, score, verdict in found[:3]:
        told = run.json("simulate", game, "--seed", seed, "--player", "rule")
        assert (told["score"], told["tier"] == "win") == (score, verdict == "won")
    scores = [score for _, score, _ in found]
    assert {score for _, score, verdict in found if verdict == "won"} <= {52}
    assert any(1 < score < 52 for score in scores)
    assert answer["cards_up"]["mean"] == pytest.approx(mean_of(scores), abs=1e-5)
    assert answer["cards_up"]["low"] < answer["cards_up"]["mean"] < answer["cards_up"]["high"]
    assert ("payout" in answer) is pays
    text = out_of(run, *command[1:])
    assert f"Cards up           mean {mean_of(scores):.2f} (95% CI " in text
    if pays:
        assert answer["payout"]["mean"] == pytest.approx(5 * mean_of(scores) - 52, abs=1e-4)
        assert f"Payout             mean {5 * mean_of(scores) - 52:.2f} (95% CI " in text


def test_a_histogram_has_a_line_for_five_scores():
    scores = {"2": 10, "4": 10, "5": 10, "52": 80}
    answer = {"game": "klondike", "deals": 110, "scores": scores, "seconds": 0}
    answer["cards_up"] = {"deals": 110, "cards": 52, "mean": 38, "low": 30, "high": 45, "mean_bound": 38}
    lines = rate_text(answer, 40).partition("\n\n")[2].splitlines()
    assert lines[:4] == [
        "cards up      deals",
        "     1-4         20 ####################",
        "     5-9         10 ##########",
        "   10-14          0",
    ]
    assert lines[-2:] == ["   50-51          0", "      52         80 ###################>"]
    answer["scores"] = {"0": 7}
    assert rate_text(answer).splitlines()[-1] == f"       0          7 {'#' * 40}"
    answer["scores"] = {"52": 7}
    assert rate_text(answer).splitlines()[-1] == f"      52          7 {'#' * 40}"


def test_the_most_cards_up_are_those_that_solve_finds(run, tmp_path):
    path, plain = tmp_path / "scores.sqlite", tmp_path / "plain.sqlite"
    game = ("rate", "klondike-vegas", "--deals", "1-4", "--output")
    answer = run.json(*game, path, "--score")
    schemas.check("rate", answer)
    for seed, verdict, score, bound, exact in rows(path, "seed, verdict, score, score_bound, exact"):
        found = run.json("solve", "klondike-vegas", "--seed", seed, "--score")
        assert (found["verdict"], found["score"], found["score_bound"], exact) == (verdict, score, bound, 1)
    scores = [score for (score,) in rows(path, "score")]
    assert answer["payout"]["mean"] == pytest.approx(5 * mean_of(scores) - 52, abs=1e-4)
    assert answer["scores"] == {str(score): scores.count(score) for score in sorted(scores)}
    table = [f"{score},{scores.count(score)},{scores.count(score)}" for score in sorted(set(scores))]
    assert run.out("report", path, "--csv", "--scores").split() == ["score,deals,exact", *table]
    assert not {"cards_up", "scores", "exact"} & run.json(*game, plain).keys()
    assert "it has no scores; see winnable rate --score" in run.fails("report", plain, "--csv", "--scores")
    assert "--scores requires --csv" in run.fails("report", path, "--scores")
    assert [row[:2] for row in rows(plain, "seed, verdict")] == rows(path, "seed, verdict")
    assert "it was made with scores, not with verdicts alone" in run.fails(*game, path)
    assert "it was made with verdicts alone, not with scores" in run.fails(*game, plain, "--score")
    games = ("rate", "klondike-vegas", "--deals", "1-4", "--player", "rule", "--json", "--paired")
    paired = [json.loads(run.out(*games, optima))["paired"] for optima in (path, plain)]
    assert paired[0] == paired[1]


def test_deals_left_undecided_may_have_any_number_of_cards_up(run, tmp_path):
    path = tmp_path / "some.sqlite"
    limits = ("--score", "--work", 500, "--output", path)
    answer = run.json("rate", "klondike-vegas", "--deals", "1-12", *limits)
    found = rows(path, "verdict, score, score_bound, exact")
    assert {row[1:] for row in found if row[0] == "undecided"} == {(0, 52, 0)}
    cards = answer["cards_up"]
    assert cards["mean"] == pytest.approx(mean_of([row[1] for row in found]), abs=1e-5)
    assert cards["mean_bound"] == pytest.approx(mean_of([row[2] for row in found]), abs=1e-5)
    assert cards["low"] < cards["mean"] < cards["mean_bound"] <= cards["high"]
    assert "mean at least" in run.out("report", path)
    again = ("--score", "--output", path, "--retry-undecided")
    better = run.json("rate", "klondike-vegas", "--deals", "1-12", *again)["cards_up"]
    assert cards["mean"] < better["mean"] == better["mean_bound"] < cards["mean_bound"]


# --- Reports ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def stored(run, tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "joker.sqlite"
    rate(run, "joker", "--deals", "1-60", "--work", 1000, "--output", path)
    return path


def rows_of(run, path):
    """The rows of ``report --jsonl``, without their key ``schema``."""
    rows = [json.loads(line) for line in run("report", path, "--jsonl")[1].splitlines()]
    for row in rows:
        schemas.check("row", row)
        assert next(iter(row)) == "schema"
        del row["schema"]
    return rows


def check_tables(run, path, verdicts):
    """Check that the reports of a store agree: the tables in both formats, the lists of seeds, and the
    counts."""
    lines = run("report", path, "--csv")[1].splitlines()
    assert lines[0].startswith("seed,verdict,length,")
    assert [line.split(",")[0] for line in lines[1:]] == [str(seed) for seed in range(1, 61)]
    objects = rows_of(run, path)
    for row, table in zip(objects, csv.DictReader(io.StringIO("\n".join(lines))), strict=True):
        assert {name: "" if value is None else str(value) for name, value in row.items()} == table
        assert list(row)[:2] == ["seed", "verdict"]
    answer = run.json("report", path)
    for verdict in verdicts:
        seeds = [row["seed"] for row in objects if row["verdict"] == verdict]
        assert run("report", path, "--seeds", verdict)[1] == "".join(f"{seed}\n" for seed in seeds)
        assert answer[verdict] == len(seeds)
    return objects


def test_each_row_has_the_limits_that_held_for_it(run, tmp_path):
    path = tmp_path / "some.sqlite"
    run.out("rate", "chessboard", "--deals", "1-20", "--work", 3, "--output", path)
    again = ("--work", 100_000, "--retry-undecided", "--output", path)
    _, _, err = run("rate", "chessboard", "--deals", "1-20", *again)
    resumed = r"resumed, all 20 deals are there already; \d+ undecided ones are tried again\n"
    assert re.fullmatch(f"winnable: {re.escape(str(path))}: {resumed}", err)
    rows = rows_of(run, path)
    assert {row["max_work"] for row in rows} == {3, 100_000}
    assert all(row["max_work"] == 3 for row in rows if row["expanded"] < 3)
    assert {row["max_seconds"] for row in rows} == {None}


def test_a_store_is_a_table_of_pandas_and_a_file_of_parquet(run, stored, tmp_path):
    pandas = pytest.importorskip("pandas", reason="the extra 'dataframe' is not installed")
    pytest.importorskip("pyarrow", reason="the extra 'dataframe' is not installed")
    path = tmp_path / "joker.parquet"
    run.out("report", stored, "--parquet", path, "--classes")
    classes = pandas.read_parquet(path)["class"].tolist()
    lines = run.out("report", stored, "--jsonl", "--classes").splitlines()
    assert [None if pandas.isna(its) else its for its in classes] == [
        json.loads(line)["class"] for line in lines
    ]
    told = run.out("report", stored, "--parquet", path)
    assert told == run.out("report", stored)
    with Store.read(str(stored)) as store:
        table = store.to_frame()
    read = pandas.read_parquet(path)
    assert list(read) == list(table) == list(rows_of(run, stored)[0])
    assert read.equals(table)
    assert read.attrs == table.attrs
    assert table.attrs["game"] == "joker"
    assert table.attrs["max_work"] == 1000
    assert table.attrs["version"] == __version__
    assert dict(table.dtypes.astype(str))["length"] == "Int64"
    for row, known in zip(rows_of(run, stored), table.to_dict("records"), strict=True):
        assert row == {name: None if pandas.isna(value) else value for name, value in known.items()}


def test_parquet_without_pandas_says_what_to_install(run, stored, tmp_path, monkeypatch):
    monkeypatch.setattr("winnable.cli.commands.report.find_spec", lambda name: None)
    problem = run.fails("report", stored, "--parquet", tmp_path / "x.parquet")
    assert "--parquet requires pandas and pyarrow: pip install 'winnable[dataframe]'" in problem


def test_tables_of_deals(run, stored):
    objects = check_tables(run, stored, ("winnable", "unwinnable", "undecided"))
    for row in objects:
        result = solve("joker", find_variant("joker").deal(row["seed"]), Limits(work=1000))
        assert (row["score"], row["tier"], row["exact"]) == (result.score, result.tier, result.exact)
        assert (row["length"], row["reason"]) == (len(result.moves), result.reason)
    hardest = sorted(objects, key=lambda row: (-row["expanded"], row["seed"]))[:7]
    out = run("report", stored, "--seeds", "hardest", "--count", 7)[1]
    assert out.split() == [str(row["seed"]) for row in hardest]


def test_tables_of_games(run, played):
    objects = check_tables(run, played, ("won", "lost", "unfinished"))
    for row in objects:
        assert row["verdict"] == ("won" if row["score"] >= 15 else "lost")
        assert (row["score_bound"], row["exact"], row["lower_bound"], row["reason"]) == (None,) * 4
    assert {row["verdict"] for row in objects} == {"won", "lost"}
    text = run("report", played)[1]
    assert "Won" in text
    assert not re.search("innable|ndecided|nfinished|Proved", text)


# --- Classes of lost deals ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def lost(run, tmp_path_factory):
    """A store of Fortress, and the answer of ``rate --classes`` for it."""
    path = tmp_path_factory.mktemp("lost") / "fortress.sqlite"
    return path, run.json("rate", "fortress", "1-200", "--classes", "--output", path)


def test_rate_and_report_say_why_deals_are_lost(run, lost):
    path, answer = lost
    schemas.check("rate", answer)
    classes = answer["classes"]
    assert classes == run.json("report", path, "--classes")["classes"]
    assert classes["lost"] == classes["deals"] == answer["unwinnable"]
    counts = [found["count"] for found in classes.values() if isinstance(found, dict)]
    assert sum(counts) == classes["lost"]
    text = run.out("report", path, "--classes")
    assert f"Why {classes['lost']} lost deals are lost:\n" in text
    blocked = classes["blocked"]
    share = f"{blocked['rate']:.2%}  {blocked['low']:.2%} to {blocked['high']:.2%}"
    assert re.search(rf"^  blocked cards +{blocked['count']} +{share}$", text, re.MULTILINE)
    assert "classes" not in run.json("report", path)


def test_each_lost_deal_has_its_class_in_tables(run, lost):
    path, answer = lost
    table = list(csv.DictReader(io.StringIO(run.out("report", path, "--csv", "--classes"))))
    lines = [json.loads(line) for line in run.out("report", path, "--jsonl", "--classes").splitlines()]
    for row, line in zip(table, lines, strict=True):
        schemas.check("row", line)
        assert row["class"] == (line["class"] or "")
        assert bool(line["class"]) is (row["verdict"] == "unwinnable")
    counts = {name: found["count"] for name, found in answer["classes"].items() if isinstance(found, dict)}
    found = [row["class"] for row in table]
    assert {name: found.count(name) for name in counts} == counts
    assert "class" not in rows_of(run, path)[0]


def test_a_sample_of_lost_deals(run, lost):
    classes = run.json("report", lost[0], "--classes", "--sample", 20)["classes"]
    assert (classes["lost"], classes["deals"]) == (lost[1]["unwinnable"], 20)
    text = run.out("report", lost[0], "--classes", "--sample", 20)
    assert f"Why 20 of {classes['lost']} lost deals are lost:\n" in text


def test_classes_have_mean_scores_and_may_be_open(run, lost):
    text = out_of(run, "klondike-one-pass", "--deals", "1-60", "--classes")
    assert re.search(r"share  95 % interval  mean score$", text, re.MULTILINE)
    assert re.search(r"^  complete search( +\S+){3} to +\S+ +\d+\.\d\d$", text, re.MULTILINE)
    assert "blocked" not in text
    assert "limit reached" not in text
    limited = ("--work", 1, "--retry-undecided", "--classes", "--output", lost[0])
    text = out_of(run, "fortress", "--deals", "1-200", *limited)
    assert re.search(r"^  limit reached +\d+$", text, re.MULTILINE)
    assert out_of(run, "fortress", "--deals", "8-8", "--classes").endswith("\nNo lost deals\n")


def test_the_classes_of_deals_of_a_file(run, tmp_path):
    file, path = deals_file(tmp_path, "fortress", range(1, 41)), tmp_path / "some.sqlite"
    seeds = run.json("rate", "fortress", "1-40", "--classes")["classes"]
    assert run.json("rate", file, "--classes", "--output", path)["classes"] == seeds
    assert "give the file to winnable rate, with --classes" in run.fails("report", path, "--classes")
    assert run.json("rate", file, "--classes", "--output", path)["classes"] == seeds


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("rate", "fortress", "--sample", 4), "--sample requires --classes"),
        (("rate", "joker", "--player", "rule", "--classes"), "--classes does not apply to a player"),
        (("report", "STORE", "--sample", 4), "--sample requires --classes"),
        (("report", "STORE", "--classes", "--seeds", "hardest"), "--classes excludes --seeds"),
        (("report", "STORE", "--classes", "--csv", "--scores"), "--classes excludes --scores"),
        (("report", "PLAYED", "--classes"), "expected verdicts, got games of a player"),
    ],
)
def test_classes_that_cannot_be_told(run, lost, played, arguments, problem):
    stores = {"STORE": lost[0], "PLAYED": played}
    assert problem in run.fails(*(stores.get(word, word) for word in arguments))


@pytest.mark.parametrize("command", ["rate", "report"])
def test_an_interrupt_keeps_the_classes_that_are_found(run, tmp_path, command):
    path = tmp_path / "some.sqlite"
    deals = ("fortress", "1-2000", "--output")
    rate(run, *deals, path)
    arguments = (*deals, path) if command == "rate" else (path,)
    begun = "calls winnable.solver.batch.classes LostRun._class_of 9"
    process = start_until(begun, command, *arguments, "--classes", "--json")
    out, err = process.interrupt()
    classes = json.loads(out)["classes"]
    assert process.returncode == 3
    assert 0 < classes["deals"] < classes["lost"]
    assert f"interrupted after {classes['deals']:,} of {classes['lost']:,} lost deals\n" in err


# --- As a process -------------------------------------------------------------------------------------------


def broken_off(path, deals, kills):
    """Kill a run before its second or third stored chunk, then at random moments; then let it finish."""
    chance = random.Random(1)
    command = ("rate", "chessboard", "--deals", deals, "--output", path)
    kept = [0]
    for _ in range(kills):
        process = start_until(f"halts winnable.solver.batch.store Store.add {chance.randint(2, 3)}", *command)
        process.end()
        assert process.returncode == -signal.SIGKILL
        kept.append(len(rows(path)))
    assert kept == sorted(set(kept)), "some more each time"
    assert kept[-1] < int(deals.split("-")[1])
    for _ in range(kills):
        process = start(*command)
        time.sleep(0.2 + 0.5 * chance.random())
        process.end()
    return json.loads(start(*command, "--json").finish(seconds=10 * HANG)[0])


@pytest.mark.full
@pytest.mark.parametrize(
    ("deals", "kills"), [("1-6000", 2), pytest.param("1-200000", 10, marks=pytest.mark.slow)]
)
def test_a_run_that_is_killed_goes_on(run, tmp_path, deals, kills):
    path, undisturbed = tmp_path / "broken.sqlite", tmp_path / "whole.sqlite"
    answer = broken_off(path, deals, kills)
    rate(run, "chessboard", "--deals", deals, "--output", undisturbed)
    assert answer["deals"] == int(deals.split("-")[1])
    assert rows(path) == rows(undisturbed)


@pytest.mark.quick("15")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_keeps_what_is_finished(run, tmp_path, number):
    path = tmp_path / "some.sqlite"
    begun = "calls winnable.solver.batch.store Store.add 3"
    process = start_until(begun, "rate", "fortress", "--deals", "1-10000000", "--output", path, "--json")
    out, err = process.interrupt(number)
    assert process.returncode == 3
    answer = json.loads(out)
    assert err == (
        f"winnable: interrupted after {answer['deals']:,} of 10,000,000 deals;"
        f" {path} keeps the results, the same command resumes the run\n"
    )
    assert answer["deals"] == len(rows(path)) > 0
    assert not os.path.exists(f"{path}-wal")


@pytest.mark.parametrize(
    ("limit", "is_told"), [(("--max-seconds", 0), 1), (("--max-seconds", 999), 0), (("--work", 1), 0)]
)
def test_a_clock_that_ended_many_searches_is_told_once(run, tmp_path, limit, is_told):
    deals = deals_file(tmp_path, "fortress", [8, 15])
    for args in (("fortress", "--deals", "6-900"), ("--deals", deals)):
        status, _, err = run("rate", *args, *limit)
        assert status == 0
        assert err.count("--max-seconds is time by the clock") == err.count("\n") == is_told


def test_a_clock_that_ended_one_search_in_a_thousand_is_not_told(capsys):
    for late, deals in ((0, 0), (0, 5), (1, 1000), (2, 2000)):
        _tell_late(late, deals)
    assert capsys.readouterr().err == ""
    _tell_late(2, 1999)
    assert "the clock ended 2 of 1,999 searches" in " ".join(capsys.readouterr().err.split())


def removed(path):
    path.unlink()


def folder_removed(path):
    shutil.rmtree(path.parent)


def moved(path):
    path.rename(path.with_suffix(".away"))


def replaced(path):
    moved(path)
    shutil.copy(path.with_suffix(".away"), path)


@pytest.mark.parametrize("lost", [removed, folder_removed, moved, replaced])
@pytest.mark.parametrize("deals", ["1-9", "1-60000"])
def test_a_store_that_went_away_keeps_nothing(run, tmp_path, monkeypatch, lost, deals):
    """During a run; after its first chunk, which for a few deals is the last."""
    path, add = tmp_path / "folder" / "some.sqlite", Store.add
    path.parent.mkdir()

    def added(store, *values):
        add(store, *values)
        if path.exists() and store.place == (path.stat().st_dev, path.stat().st_ino):
            lost(path)

    monkeypatch.setattr(Store, "add", added)
    err = run.fails("rate", "fortress", "--deals", deals, "--output", path, "--workers", 1)
    why = "it was removed, moved or replaced during the run, whose results are not there"
    assert err == f"winnable: {path}: {why}\n"


def test_ctrl_c_after_a_store_went_away_does_not_say_that_it_is_kept(tmp_path):
    path = tmp_path / "some.sqlite"
    begun = "calls winnable.solver.batch.store Store.add 3"
    process = start_until(begun, "rate", "fortress", "--deals", "1-10000000", "--output", path)
    path.unlink()
    out, err = process.interrupt()
    assert (process.returncode, out) == (2, "")
    assert err.startswith(f"winnable: {path}: it was removed")


@pytest.mark.full
def test_a_file_that_cannot_grow_keeps_what_is_there(run, tmp_path):
    path = tmp_path / "some.sqlite"
    limit = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))}
    process = start("rate", "fortress", "--deals", "1-1000000", "--output", path, **limit)
    out, err = process.finish()
    assert (process.returncode, out, err.count("\n")) == (2, "", 1)
    assert "what was stored before is kept" in err
    kept = len(rows(path))
    assert kept > 100
    assert rate(run, "fortress", "--deals", f"1-{kept + 100}", "--output", path)["deals"] == kept + 100


SURE = """# game: klondike-draw-one
<??> <??> 2C
KC
KS
Foundations: C-0 D-K H-K S-J
Stock: QS QC JC TC 9C 8C 7C 6C 5C 4C
"""
EVEN = """# game: klondike-draw-one
Ranks: 5
Suits: CDH
<3H> <??> 5H 4C
<2D> 3C
<AH> <??> 4D
Foundations: C-0 D-A H-0
Stock: 4H 2H AC 2C 5C
"""


def test_tables_with_unknown_cards_are_rated(run, tmp_path):
    """The output is byte for byte the same with one worker and with two."""
    path = tmp_path / "tables.txt"
    known = run.out("deal", "klondike-draw-one", "--seed", "1")
    path.write_text(f"{SURE}\n{EVEN}\n{known}\n")
    args = ("rate", "--deals", str(path))
    text = run.out(*args, "--json", "--workers", "1")
    assert text == run.out(*args, "--json", "--workers", "2")
    answer = json.loads(text)
    assert (answer["deals"], answer["sampled"], answer["rate"]) == (3, 0, 1.0)
    assert answer["unknown"] == {"least": 0, "most": 2}
    assert (answer["won_for_certain"], answer["lost_for_certain"], answer["undecided"]) == (2, 0, 1)
    assert answer["best_chance"] == {"low": 0.833333, "high": 0.833333}
    assert [row["deal"] for row in answer["tables"]] == [1, 2, 3]
    assert answer["tables"][1]["best_chance"] == {"low": [1, 2], "high": [1, 2]}


@pytest.mark.full
def test_sampled_shares_have_an_interval(run, tmp_path):
    path = tmp_path / "tables.txt"
    path.write_text(run.out("simulate", "klondike", "--seed", "4", "--player", "rule", "--before", "12"))
    answer = rate(run, "--deals", str(path))
    assert answer["sampled"] == 1
    assert answer["low"] < answer["high"]
    out = run.out("rate", "--deals", str(path))
    assert "(95% CI " in out
    assert "\nBest chance       not computed\n" in out


def test_a_rate_of_one_unknown_card_is_that_of_the_deal(run, tmp_path):
    path = tmp_path / "deal.txt"
    text = run.out("deal", "klondike", "--seed", "4")
    path.write_text(text)
    first = rate(run, "--deals", str(path))
    card = text.partition("Stock: ")[2].split()[3]
    path.write_text(text.replace("# seed: 4\n", "").replace(card, "??"))
    other = rate(run, "--deals", str(path))
    assert (first["winnable"], first["length"]) == (other["winnable"], other["length"])


def test_options_for_known_deals_are_refused_for_tables(run, tmp_path):
    path = tmp_path / "tables.txt"
    path.write_text(SURE)
    for options in (
        ("--output", tmp_path / "x.sqlite"),
        ("--player", "rule"),
        ("--score",),
        ("--shard", "1/2"),
    ):
        told = run.fails("rate", "--deals", path, *options)
        assert f"{options[0]} requires deals without unknown cards" in told
