"""The page of results: it is made from its figures, they are consistent, quotes elsewhere match it, and a
part is computed again from the first deal on."""

import csv
import json
import re
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.children import Child
from tests.compiled import needs_kernels

from winnable.solver.batch.store import Store, StoreError
from winnable.solver.core.intervals import wilson
from winnable.solver.core.record import RECORD, VERDICTS, Records

pytest.importorskip("matplotlib", reason="the extra 'plot' is not installed")

from benchmarks import results, seed_tables, times
from benchmarks.published import page, quotes, reading, runs
from PIL import Image

ROOT = Path(__file__).parents[2]
FIGURES = json.loads((ROOT / "benchmarks" / "results.json").read_text())
PAGE = (ROOT / "benchmarks" / "RESULTS.md").read_text()


def number(text):
    return int(text.replace(",", ""))


# --- The page -------------------------------------------------------------------------------------------


def test_the_page_is_that_of_its_figures():
    assert results.text_of(FIGURES) == PAGE


def test_every_picture_is_there_and_small():
    names = re.findall(r"!\[[^]]*\]\((plots/[a-z-]+\.png)\)", PAGE)
    assert names
    for name in names:
        assert (ROOT / "benchmarks" / name).stat().st_size < 100_000


def test_the_table_of_rates_agrees_with_itself():
    table = PAGE.partition("## Rates")[2].partition("![")[0]
    rows = [row.split("|")[1:-1] for row in table.splitlines() if row.startswith("| ")][2:]
    shown = [FIGURES["runs"][name] for name in runs.TITLES if name in FIGURES["runs"]]
    assert len(rows) == len(shown) + sum("tiers" in run for run in shown)
    halves = []
    for row in rows:
        deals, won, lost, undecided = map(number, row[2:6])
        assert deals == won + lost + undecided
        low, high = wilson(won, deals)[0], wilson(won + undecided, deals)[1]
        texts = f"{won / deals:.3%}", f"{low:.3%} to {high:.3%}"
        assert tuple(cell.strip() for cell in row[6:]) == texts
        halves.append((high - low) / 2)
    assert f"The half-width of each interval is at most {100 * max(halves):.3f} percentage points" in PAGE


def test_figures_agree_with_one_another():
    assert len(FIGURES["runs"]) > 7
    assert FIGURES["players"]
    for name, run in FIGURES["runs"].items():
        assert 0 < run["deals"] <= run["wanted"] == runs.find_run(name).deals
        assert run["command"] == " ".join(runs.find_run(name).command())
        for kind in ("length", "expanded", "deal_cpu_seconds"):
            spread = run[kind]
            assert spread["median"] <= spread["p90"] <= spread["p99"] <= spread["max"]
        if "proved_shortest" in run:
            assert run["proved_shortest"] <= run["winnable"]
        counts = [tier["count"] for tier in run.get("tiers", ())]
        assert counts == sorted(counts, reverse=True)
        if "scores" in run:
            assert sum(run["scores"].values()) == run["deals"]
    for pairs in FIGURES["players"].values():
        assert all(tier["count"] <= tier["possible"] <= pairs["deals"] for tier in pairs["tiers"])


def test_the_first_deals_fit_the_rates():
    """The deals of the tables in seeds/ are among the deals of the page, so their rates must be close."""
    compared = 0
    for name in runs.VARIANTS:
        run = FIGURES["runs"].get(name)
        if run:
            with (ROOT / "seeds" / "first" / f"{name}.csv").open() as file:
                rows = list(csv.DictReader(file))
            won = sum(row["verdict"] == "winnable" for row in rows)
            error = (run["rate"] * (1 - run["rate"]) / len(rows)) ** 0.5
            assert abs(won / len(rows) - run["rate"]) < 4 * error
            assert won <= run["winnable"]
            compared += 1
    assert compared == len(runs.VARIANTS)


def test_the_hardest_deals_are_those_of_the_runs():
    hardest = {}
    for line in (ROOT / "seeds" / "hardest.jsonl").read_text().splitlines():
        row = json.loads(line)
        hardest.setdefault(seed_tables.table_of(row), row["note"])
    for name, note in hardest.items():
        run = FIGURES["runs"][name]
        assert note == f"{run['expanded']['max']} states expanded, of {run['deals']} deals", name


def test_most_cards_up_are_those_of_lost_deals_alone():
    spread = dict.fromkeys(("mean", "median", "p99", "max"), 0.001)
    run = {"deals": 9, "exact": 9, "deal_cpu_seconds": spread, "scores": {"0": 3, "10": 1, "2": 2, "52": 3}}
    (row,) = page.most_cards_up({"fortress-score": run})[-1].splitlines()[2:]
    assert row == "| Fortress | 9 of 9 | 6 | 50.0% | 0.0% | 2.3; 0; 10; 10 | 1; 1; 1; 1 |"
    assert page.most_cards_up({}) == []


def test_two_proportions():
    assert page.two_proportions(20, 100, 200, 1000) == 0
    assert round(page.two_proportions(60, 100, 40, 100), 3) == 2.828
    assert page.as_often(-2.828).startswith("chance alone gives as much in 0% of")
    assert page.as_often(1).startswith("chance alone gives as much in 32% of")


def test_a_rate_stated_with_its_interval():
    run = {"winnable": 500, "deals": 1000, "low": 0.47, "high": 0.53}
    assert "They found 46 % ± 4.000 winnable. The difference from ours is z = 1.57 standard" in page.beside(
        run, page.Stated("They found", 46, 4)
    )


# --- What is quoted -------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", quotes.pages(ROOT), ids=lambda path: path.name)
def test_what_a_page_quotes_is_what_the_results_say(path):
    text = path.read_text()
    names = [name for _, name, *_ in quotes.BLOCK.findall(text)]
    assert text.count("<!-- results:") == len(names)
    assert set(names) <= quotes.QUOTES.keys() | quotes.solvers.QUOTES.keys()
    assert quotes.quoted(text, FIGURES) == text


def test_speeds_are_quoted_from_the_results():
    """Outside marked blocks no page says how fast winnable is: such figures belong to a named machine."""
    speeds = re.compile(r"^Speed +[0-9]|seconds on two processors|[0-9] deals/s", re.MULTILINE)
    for path in quotes.pages(ROOT):
        assert not speeds.findall(quotes.BLOCK.sub("", path.read_text())), path
    data = FIGURES["sections"]["times.json"]
    for path, text in (("README.md", times.compiling(data)), ("docs/tour.md", times.long_run(data))):
        assert text in (ROOT / path).read_text()
        assert data["processor"] in text.replace("\n", " ")


@pytest.mark.full
def test_times_are_measured(tmp_path, monkeypatch):
    monkeypatch.setattr(times, "compile_seconds", lambda root: 60)
    monkeypatch.setattr(times, "MANY", 300)
    assert times.main(["--json", str(tmp_path / "times.json")]) == 0
    data = json.loads((tmp_path / "times.json").read_text())
    assert data["sessions"]["2000"]["winnable"] == 424
    assert "2,000, all cards known" in times.session(data, 2000)
    assert 0 < data["cpu_seconds"] < 60
    assert "300 take" in times.long_run(data)


def test_what_is_no_checkout_is_not_compiled(tmp_path, capfd):
    with pytest.raises(SystemExit):
        times.compile_seconds(tmp_path)
    assert "expected a git checkout" in capfd.readouterr().err


def test_a_quote_leaves_out_runs_that_are_not_there():
    one = {"runs": {"chessboard": FIGURES["runs"]["chessboard"]}}
    assert quotes.main_rates(one).count("\n| Chessboard |") == quotes.main_rates(one).count("\n") - 1 == 1
    for name, quote in quotes.QUOTES.items():
        text = f"<!-- results: {name} -->\n{quote(FIGURES)}\n<!-- end of results -->"
        assert quotes.quoted(text, {"runs": {}}) == f"<!-- results: {name} -->\n<!-- end of results -->"


def test_rates_are_quoted_from_the_results_or_tested_sessions():
    """Outside marked blocks and tested sessions no page quotes an answer of rate."""
    answer = re.compile(r"^(Winnable|Unwinnable|Undecided|Won|Lost) +[0-9,]+", re.MULTILINE)
    session = re.compile(r"^\$ winnable .*\n(?:(?!```).*\n)+", re.MULTILINE)
    found = 0
    for path in quotes.pages(ROOT):
        text = path.read_text()
        found += len(quotes.BLOCK.findall(text))
        assert not answer.search(session.sub("", quotes.BLOCK.sub("", text))), path
    assert found > 1


# --- Making it again ------------------------------------------------------------------------------------

SMALL = {"fortress": 300, "fortress-shortest": 100, "klondike-one-pass": 40, "klondike-one-pass-rule": 40}
PICTURES = ("fortress", "klondike-one-pass")


@pytest.fixture
def small(monkeypatch):
    """A few of the published runs with few deals; only these are run."""
    table = tuple(replace(run, deals=SMALL.get(run.name, run.deals)) for run in runs.RUNS)
    for module in (runs, reading):
        monkeypatch.setattr(module, "RUNS", table)
    monkeypatch.setattr(results, "RUNS", [run for run in table if run.name in SMALL])


@pytest.mark.full
@needs_kernels
def test_a_part_of_the_results_is_made_again(small, tmp_path):
    results.run_all(tmp_path)
    figures = results.write(tmp_path, tmp_path)
    drawn = {path.name for path in (tmp_path / "plots").iterdir()}
    assert drawn == {f"{name}.png" for name in ("rates", *PICTURES)}
    for name in PICTURES:  # a column of a paper, 8.5 cm, at 200 dots an inch
        with Image.open(tmp_path / "plots" / f"{name}.png") as picture:
            assert picture.width == pytest.approx(8.5 / 2.54 * 200, abs=1)
    assert set(figures["runs"]) == set(SMALL)
    assert (tmp_path / "RESULTS.md").read_text() == results.text_of(figures)
    for name, run in figures["runs"].items():
        assert run["deals"] == SMALL[name]
    for name in ("fortress", "klondike-one-pass"):
        with (ROOT / "seeds" / "first" / f"{name}.csv").open() as file:
            rows = list(csv.DictReader(file))[: SMALL[name]]
        assert figures["runs"][name]["winnable"] == sum(row["verdict"] == "winnable" for row in rows)
        made = seed_tables.first_rows(tmp_path, name)
        for row, old in zip(made, rows, strict=True):
            answer = (str(row["seed"]), row["verdict"], row["tier"] or "")
            assert answer == (old["seed"], old["verdict"], old["tier"])
    assert "paired" not in figures["runs"]["klondike-one-pass-rule"]
    assert figures["players"]["klondike-one-pass-rule"]["deals"] == SMALL["klondike-one-pass-rule"]
    published = json.loads((ROOT / "benchmarks" / "results.json").read_text())
    figures["sections"] = {"certificates.json": published["sections"]["certificates.json"]}
    (tmp_path / "results.json").write_text(json.dumps(figures))
    assert results.write(tmp_path, tmp_path, keep=True)["sections"] == figures["sections"]
    assert results.write(tmp_path, tmp_path)["sections"] == {}


@needs_kernels
def test_what_is_under_way_counts_up_to_the_first_gap(small, tmp_path):
    run = replace(runs.find_run("fortress"), deals=50)
    make(run, tmp_path)
    with Store.write(str(tmp_path / "fortress.sqlite"), run.header) as store:
        store.connection.execute("DELETE FROM deal WHERE seed = 41")
        store.connection.execute("COMMIT")
    figures = reading.read_run(runs.find_run("fortress"), tmp_path)
    assert (figures["deals"], figures["wanted"]) == (40, 300)
    assert "under way: the first 40 deals" in page.of_how_many(figures)


def make(run, directory):
    process = Child(sys.executable, "-m", *run.command(directory))
    _, err = process.finish()
    assert process.returncode == 0, err


def stored(directory, name, *rows):
    """A store of the published run ``name`` with ``rows`` of seed, verdict, score, moves and lower bound."""
    run = runs.find_run(name)
    records = np.zeros(len(rows), RECORD)
    for record, (seed, verdict, score, moves, bound) in zip(records, rows, strict=True):
        record["seed"], record["verdict"] = seed, VERDICTS.index(verdict)
        record["score"] = record["score_bound"] = score
        record["moves"], record["lower_bound"], record["exact"] = moves, bound, score >= 0
    with Store.write(str(directory / run.store), run.header) as store:
        store.add(Records(records.tobytes()), 1.0)


def test_lengths_of_lines_to_other_tiers_are_left_out(tmp_path):
    deals = (("winnable", 52, 110, -1), ("winnable", 30, 90, -1), ("unwinnable", 9, 30, -1))
    stored(tmp_path, "joker-exposed", *((seed, *deal) for seed, deal in enumerate(deals, 1)))
    deals = (("winnable", 20, 60, 40), ("winnable", 25, 95, 50), ("unwinnable", 9, 25, 25))
    stored(tmp_path, "joker-exposed-shortest", *((seed, *deal) for seed, deal in enumerate(deals, 1)))
    rows = seed_tables.first_rows(tmp_path, "joker-exposed")
    assert [(row["best"], row["lower_bound"]) for row in rows] == [(None, None), (90, 50), (None, None)]
    assert [row["moves"] for row in rows] == [110, 90, 30]


def test_a_proved_score_of_an_earlier_table_is_kept():
    row = dict.fromkeys(seed_tables.COLUMNS) | {"score": 38, "score_bound": 52, "moves": 108}
    proved = {name: str(value or "") for name, value in row.items()} | {"score_bound": "38", "moves": "111"}
    seed_tables.keep_best(row, proved)
    assert row == proved
    seed_tables.keep_best(row, proved | {"score_bound": "40", "moves": "90"})
    assert row == proved


def test_runs_that_contradict_one_another_are_refused(tmp_path):
    stored(tmp_path, "fortress", (1, "unwinnable", -1, -1, -1))
    stored(tmp_path, "fortress-shortest", (1, "winnable", -1, 70, 70))
    with pytest.raises(StoreError, match="seed 1 of fortress: the run for shortest lines won"):
        seed_tables.first_rows(tmp_path, "fortress")


@needs_kernels
def test_a_store_of_another_command_is_refused(small, tmp_path):
    run = replace(runs.find_run("fortress"), work=100, deals=5)
    make(run, tmp_path)
    with pytest.raises(SystemExit) as end:
        results.main([str(tmp_path)])
    assert "did not make it: it was made with limits of " in end.value.code
    assert ", work 100, not with limits of " in end.value.code


@pytest.mark.parametrize("program", [results, seed_tables])
def test_folders_without_stores_are_refused(program, tmp_path):
    with pytest.raises(SystemExit) as end:
        program.main([str(tmp_path)])
    assert "there are no stores of published runs" in end.value.code
    with pytest.raises(SystemExit):
        program.main([str(tmp_path / "nowhere")])
