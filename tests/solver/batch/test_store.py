"""Stores: rows survive, headers are compared, gaps are found, and invalid files give an error of one
sentence."""

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.deals import SEED

from winnable.solver import Limits
from winnable.solver.batch.rate import shard_of
from winnable.solver.batch.schema import FORMAT, RESULT_COLUMNS, Header
from winnable.solver.batch.statistics import Counts, estimate, mean_estimate, summary
from winnable.solver.batch.store import Store, StoreError
from winnable.solver.core.intervals import wilson
from winnable.solver.core.record import (
    LOST,
    RECORD,
    UNDECIDED,
    UNFINISHED,
    UNWINNABLE,
    WINNABLE,
    WON,
    Records,
)

HEADER = Header("fortress", "some dealer", Limits(nodes=100))


def records(seeds, verdict=WINNABLE, **values):
    rows = np.zeros(len(seeds), RECORD)
    rows["seed"] = list(seeds)
    rows["verdict"] = verdict
    rows["moves"] = np.where(rows["verdict"] == WINNABLE, 0, -1)
    rows["reason"] = rows["verdict"] == UNDECIDED
    for name in ("lower_bound", "score", "score_bound"):
        rows[name] = -1
    for name, value in values.items():
        rows[name] = value
    return Records(rows.tobytes())


def check_that_it_is_refused(path, why, header=HEADER):
    """Check that a store can be neither read nor written."""
    for opened in (Store.read, lambda path: Store.write(path, header)):
        with pytest.raises(StoreError, match=why):
            opened(path)


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "some.sqlite")


def test_rows_come_back(path):
    with Store.write(path, HEADER) as store:
        store.add(records([3, 5], moves=77, expanded=9, generated=11, microseconds=13), 0.5, 60)
        store.add(records([4], UNDECIDED, moves=-1, reason=1), 0.25, 50)
    with Store.read(path) as store:
        assert store.header == HEADER
        assert (store.wall_seconds, store.peak_memory) == (0.75, 60)
        assert list(store.select(", ".join(RESULT_COLUMNS))) == [
            (3, "winnable", 77, 0, None, None, None, None, 0, 9, 11, 13, None),
            (4, "undecided", None, 0, None, None, None, None, 0, 0, 0, 0, "nodes"),
            (5, "winnable", 77, 0, None, None, None, None, 0, 9, 11, 13, None),
        ]


def test_rows_that_nobody_took_end_with_the_store(path):
    with Store.write(path, HEADER) as store:
        store.add(records([3, 5]), 0.5, 60)
    with Store.read(path) as store:
        left = store.select("seed")
        assert next(left) == (3,)
    left.close()  # must not raise


@pytest.mark.parametrize("game", ["fortress", "joker"])
def test_a_store_shows_its_rate_in_a_notebook(path, game):
    with Store.write(path, replace(HEADER, variant=game)) as store:
        store.add(records([3, 5], moves=77, score=60, score_bound=60), 0.5)
        store.add(records([4], UNWINNABLE, moves=-1, score=3, score_bound=3), 0.25)
        shown = store._repr_html_()
    assert f"<b>{game}</b>" in shown
    assert "66.667%" in shown


@given(st.sets(st.integers(0, 60)), st.integers(0, 60), st.integers(0, 60))
def test_missing_deals_are_found(there, start, stop):
    with Store.write(None, HEADER) as store:
        store.add(records(sorted(there)), 0)
        ranges = store.missing(range(start, stop))
        assert all(len(seeds) for seeds in ranges)
        assert [seed for seeds in ranges for seed in seeds] == sorted(set(range(start, stop)) - there)
        positions = [(number, "position") for number in range(start, stop)]
        assert store.missing(positions) == [[deal for deal in positions if deal[0] not in there]]


@given(st.sets(st.integers(0, 40)), st.sets(st.integers(0, 40)))
def test_undecided_deals_are_found_and_replaced(decided, undecided):
    undecided -= decided
    with Store.write(None, HEADER) as store:
        store.add(records(sorted(decided), moves=50), 0)
        store.add(records(sorted(undecided), UNDECIDED, moves=-1, reason=1), 0)
        store.origin, store.tried, store.is_retry = 1, [1], True  # as if it were opened again
        ranges = store.undecided(range(41))
        assert [seed for seeds in ranges for seed in seeds] == sorted(undecided)
        store.add(records(sorted(undecided | decided), UNDECIDED, moves=-1, reason=1), 0)
        assert store.undecided(range(41)) == []
        assert list(store.select("COUNT(*)", tail="AND verdict = 'winnable'")) == [(len(decided),)]


def test_other_limits_are_for_retries_only(path):
    higher = replace(HEADER, limits=Limits(nodes=1000))
    with Store.write(path, HEADER) as store:
        store.add(records(range(4), UNDECIDED, reason=1), 0)
    with pytest.raises(StoreError, match=r"nodes 100, .* not with limits of nodes 1000"):
        Store.write(path, higher)
    for _ in range(2):
        with Store.write(path, higher, retry=True) as store:
            assert store.origin == 1
    with Store.write(path, replace(HEADER, limits=Limits(seconds=5)), retry=True) as store:
        assert store.origin == 2
    assert Store.read(path).header == HEADER


@pytest.mark.parametrize(
    "change",
    [
        {"variant": "chessboard"}, {"dealer": "another"}, {"scored": True},
        {"engine": "reference"}, {"limits": Limits()},
    ],
)  # fmt: skip
def test_another_header_is_refused(path, change):
    Store.write(path, HEADER).close()
    with pytest.raises(
        StoreError, match=r"some.sqlite: (it was made with|it holds results for fortress, not chessboard)"
    ) as error:
        Store.write(path, replace(HEADER, **change))
    assert "\n" not in str(error.value)
    Store.write(path, HEADER).close()


def test_one_process_writes_and_others_read(path):
    with Store.write(path, HEADER) as store:
        store.add(records(range(10)), 0)
        with pytest.raises(StoreError, match="another process is writing to it"):
            Store.write(path, HEADER)
        with Store.read(path) as reader:
            assert summary(reader)["deals"] == 10
        store.add(records(range(10, 20)), 0)
    with Store.read(path) as reader:
        assert summary(reader)["deals"] == 20


def test_what_was_not_committed_is_gone_and_the_rest_is_kept(path):
    store = Store.write(path, HEADER)
    store.add(records(range(10)), 0)
    store.connection.execute("INSERT INTO deal SELECT 99, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0")
    store.connection.close()  # as if its process had been killed
    with Store.write(path, HEADER) as store:
        assert store.missing(range(12)) == [range(10, 12)]
        assert store.missing(range(99, 100)) == [range(99, 100)]


@pytest.mark.parametrize(
    ("damage", "problem"),
    [
        (lambda data: b"deals of today" * 100, "expected a file of stored results"),
        (lambda data: data[:-5000], "damaged"),
        (lambda data: data[: len(data) // 2] + b"\xff" * 4096 + data[len(data) // 2 + 4096 :], "damaged"),
    ],
)
def test_a_file_that_is_damaged_is_refused(path, damage, problem):
    with Store.write(path, HEADER) as store:
        store.add(records(range(5000)), 0)
    with open(path, "rb") as file:
        data = file.read()
    with open(path, "wb") as file:
        file.write(damage(data))
    with pytest.raises(StoreError, match=f"some.sqlite: .*{problem}"):
        Store.write(path, HEADER)


def test_a_store_states_all_rule_options_and_its_header_the_unusual_ones(path):
    """Stores of version 3.0.0 state the usual exchange and no other usual option."""
    of = partial(Header, "joker", "winnable 1", Limits())
    exposed, usual = of({"exchange": "exposed"}), of({"exchange": "turned"})
    assert (exposed.choices, usual.choices) == ({"exchange": "exposed"}, {})
    assert Header("klondike", "winnable 1", Limits(), {"draw": "1"}).choices == {"draw": "1"}
    Store.write(path, usual).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        stated = {"exchange": "turned", "removal": "undeclared"}
        assert json.loads(*connection.execute("SELECT choices FROM header").fetchone()) == stated
        connection.execute('UPDATE header SET choices = \'{"exchange": "turned"}\'')
    with pytest.raises(StoreError, match="the choices as usual, not with the choices exchange exposed"):
        Store.write(path, exposed)
    with Store.write(path, usual) as store:
        assert store.header == usual


def test_files_of_others_are_left_alone(path):
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE songs (name TEXT)")
    other.close()
    check_that_it_is_refused(path, "expected a file of stored results")
    with closing(sqlite3.connect(path)) as other:
        assert other.execute("PRAGMA journal_mode").fetchone() == ("delete",)


def test_files_that_cannot_be_are_told(path, tmp_path):
    with pytest.raises(StoreError, match="no such file"):
        Store.read(path)
    with pytest.raises(StoreError, match="no such folder"):
        Store.write(str(tmp_path / "no" / "some.sqlite"), HEADER)
    with pytest.raises(StoreError, match="cannot be opened"):
        Store.write(str(tmp_path), HEADER)


def test_shards_are_merged(tmp_path):
    paths = [str(tmp_path / f"{name}.sqlite") for name in "abc"]
    rows = [records(range(10)), records(range(8, 20), UNDECIDED), records(range(15, 30))]
    for path, part in zip(paths, rows, strict=True):
        with Store.write(path, replace(HEADER, limits=Limits(nodes=len(path)))) as store:
            store.add(part, 1, len(part))
    with Store.merge(paths) as store:
        answer = summary(store)
        assert (answer["deals"], answer["winnable"], answer["undecided"]) == (30, 25, 5)
        assert (store.wall_seconds, store.peak_memory) == (3, 15)
    with Store.write(paths[0], replace(HEADER, limits=Limits(nodes=len(paths[0])))) as store:
        store.add(records([29], 0), 0)
    with pytest.raises(StoreError, match="seed 29 contradicts"):
        Store.merge(paths)
    Store.write(str(tmp_path / "d.sqlite"), replace(HEADER, variant="chessboard")).close()
    with pytest.raises(StoreError, match=r"d.sqlite: it cannot .*: it holds results for chessboard, not"):
        Store.merge([paths[0], str(tmp_path / "d.sqlite")])


@given(st.integers(1, 9), st.lists(st.integers(0, 30), max_size=4))
def test_slices_are_all_there_is(count, lengths):
    pieces = [range(1000 * i, 1000 * i + length) for i, length in enumerate(lengths)]
    shards = [shard_of(pieces, number, count) for number in range(1, count + 1)]
    everything = [seed for shard in shards for piece in shard for seed in piece]
    assert everything == [seed for piece in pieces for seed in piece]
    sizes = [sum(map(len, shard)) for shard in shards]
    assert max(sizes) - min(sizes) <= 1


# --- Statistics ---------------------------------------------------------------------------------------------


def test_the_interval_is_that_of_wilson():
    assert wilson(0, 0) == (0, 1)
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)  # Newcombe 1998, table I, method 3
    assert wilson(15, 148) == pytest.approx((0.0624, 0.1605), abs=5e-5)
    assert wilson(0, 20) == pytest.approx((0, 0.1611), abs=5e-5)
    assert wilson(29, 29) == pytest.approx((0.8830, 1), abs=5e-5)


def test_doubtful_deals_count_both_ways():
    assert estimate(5, 8, 10) == {"count": 5, "rate": 0.5, "low": wilson(5, 10)[0], "high": wilson(8, 10)[1]}


def test_the_interval_of_a_mean():
    found = mean_estimate([(0, 0, 5), (10, 10, 5)], 52)
    half = 1.959964 * (25 * 10 / 9 / 10) ** 0.5
    assert found == pytest.approx({"mean": 5, "low": 5 - half, "high": 5 + half, "mean_bound": 5}, abs=1e-5)
    doubtful = mean_estimate([(0, 0, 5), (10, 52, 5)], 52)
    assert (doubtful["mean"], doubtful["low"], doubtful["mean_bound"]) == (5, found["low"], 26)
    assert doubtful["high"] == mean_estimate([(0, 0, 5), (52, 52, 5)], 52)["high"] > 26
    alike = mean_estimate([(52, 52, 3)], 52)
    assert (alike["low"], alike["high"]) == (52 * wilson(3, 3)[0], 52)


def test_games_broken_off_and_scores_not_proved_enter_a_payout_both_ways():
    scored = Header("klondike-vegas", "some dealer", Limits(), scored=True)
    with Store.write(None, replace(scored, engine=Header.engine_of("rule"), scored=False)) as store:
        outcomes = [LOST, WON, UNFINISHED]
        store.add(records([1, 2, 3], outcomes, score=[4, 52, 8], exact=-1, reason=[0, 0, 3]), 1)
        played = summary(store)
    with Store.write(None, scored) as store:
        store.add(records([1, 2, 3], [0, 1, 2], score=[4, 52, 8], score_bound=[4, 52, 52]), 1)
        decided = summary(store)
    for answer in (played, decided):
        cards, payout = answer["cards_up"], answer["payout"]
        assert (cards["deals"], cards["cards"], cards["mean_bound"]) == (3, 52, 36)
        assert cards["mean"] == pytest.approx(64 / 3, abs=1e-5)
        assert payout["mean"] == pytest.approx(5 * 64 / 3 - 52, abs=1e-4)
        assert (payout["a_card"], payout["stake"], payout["mean_bound"]) == (5, 52, 5 * 36 - 52)
        assert payout["high"] == 5 * 52 - 52
        assert answer["scores"] == {"4": 1, "8": 1, "52": 1}
    assert decided["exact"] == 2
    assert "exact" not in played
    assert "tiers" not in decided


def test_a_summary_of_known_rows():
    with Store.write(None, Header("joker", "some dealer", Limits())) as store:
        scores = np.array([14, 15, 24, 25, 51, 52, 52, 10])
        rows = records(
            range(8),
            [*(scores[:7] >= 15), UNDECIDED],
            moves=np.arange(10, 18),
            score=scores,
            score_bound=[*scores[:7], 20],
            exact=[1, 1, 1, 1, 1, 1, 1, 0],
            expanded=[1, 1, 1, 1, 1, 1, 1, 100],
            reason=[0, 0, 0, 0, 0, 0, 0, 1],
        )
        store.add(rows, 2)
        answer = summary(store)
        part = summary(store, [range(2), range(5, 6)])
    assert (answer["winnable"], answer["unwinnable"], answer["undecided"], answer["exact"]) == (6, 1, 1, 7)
    assert (answer["rate"], answer["high"]) == (0.75, wilson(7, 8)[1])
    assert [(tier["tier"], tier["score"], tier["count"]) for tier in answer["tiers"]] == [
        ("win", 15, 6),
        ("double", 25, 4),
        ("triple", 52, 2),
    ]
    assert answer["tiers"][0]["high"] == wilson(7, 8)[1]
    assert answer["tiers"][1]["high"] == wilson(4, 8)[1]
    assert answer["scores"] == {"10": 1, "14": 1, "15": 1, "24": 1, "25": 1, "51": 1, "52": 2}
    assert answer["length"] == {"mean": 13.5, "median": 13, "p90": 16, "p99": 16, "max": 16}
    assert answer["expanded"] == {"mean": 13.375, "median": 1, "p90": 100, "p99": 100, "max": 100}
    assert (part["deals"], part["winnable"], part["length"]["max"]) == (3, 2, 15)


def test_a_summary_of_nothing():
    with Store.write(None, HEADER) as store:
        answer = summary(store)
    assert (answer["deals"], answer["rate"], answer["low"], answer["high"]) == (0, None, 0, 1)
    assert answer["length"] is None


# --- The games of a player ----------------------------------------------------------------------------------

PLAYED = Header("joker", "some dealer", Limits(), engine=Header.engine_of("rule"))

GAMES = [
    (1, "lost", 80, 0, None, 14, None, "none", None, 7, 9, 11, None),
    (2, "won", 80, 0, None, 30, None, "double", None, 7, 9, 11, None),
    (3, "unfinished", 80, 0, None, 8, None, "none", None, 7, 9, 11, "memory"),
    (4, "won", 80, 0, None, 52, None, "triple", None, 7, 9, 11, None),
]


def rows_of(store):
    return list(store.select(", ".join(RESULT_COLUMNS)))


def games():
    """The games of a player as records."""
    scores = [14, 30, 8, 52]
    counts = {"moves": 80, "expanded": 7, "generated": 9, "microseconds": 11}
    outcomes = [LOST, WON, UNFINISHED, WON]
    return records(range(1, 5), outcomes, score=scores, exact=-1, reason=[0, 0, 3, 0], **counts)


def test_what_a_player_reached_is_no_verdict(path):
    with Store.write(path, PLAYED) as store:
        store.add(games(), 1)
        assert rows_of(store) == GAMES
        answer = summary(store)
    assert (answer["won"], answer["lost"], answer["unfinished"]) == (2, 1, 1)
    assert not {"winnable", "unwinnable", "undecided", "exact"} & set(answer)
    assert (answer["rate"], answer["low"], answer["high"]) == (0.5, wilson(2, 4)[0], wilson(3, 4)[1])
    assert [(tier["count"], tier["high"]) for tier in answer["tiers"]] == [
        (2, wilson(3, 4)[1]),
        (2, wilson(3, 4)[1]),
        (1, wilson(2, 4)[1]),
    ]


def test_rows_keep_the_version_that_made_them(tmp_path):
    path, other = str(tmp_path / "some.sqlite"), str(tmp_path / "other.sqlite")
    limits = Limits(nodes=9000)
    for version, seeds in (("2.0.0", [1, 2]), ("3.0.0", [3]), ("3.1", range(100, 300)), ("3.0.0", [5])):
        with Store.write(path, replace(HEADER, version=version)) as store:
            store.add(records(seeds, UNDECIDED, reason=1), 1)
    with Store.write(path, replace(HEADER, version="3.1", limits=limits), retry=True) as store:
        assert store.undecided(range(4)) == [range(1, 4)]
        store.add(records([2]), 1)
    with Store.read(path) as store:
        assert store.header.version == "2.0.0"
        assert store.versions() == {"2.0.0": 1, "3.0.0": 2, "3.1": 201}
        assert store.versions([range(4)]) == {"2.0.0": 1, "3.0.0": 1, "3.1": 1}
        assert summary(store)["versions"] == store.versions()
        made = {row["seed"]: row["version"] for row in store.rows()}
        assert [made[seed] for seed in (1, 2, 3, 5, 100)] == ["2.0.0", "3.1", "3.0.0", "3.0.0", "3.1"]
    with Store.write(other, replace(HEADER, version="3.0.0")) as store:
        store.add(records([5, 6]), 1)
    for paths in ([path, other], [other, path]):
        with Store.merge(paths) as store:
            assert store.versions() == {"2.0.0": 1, "3.0.0": 3, "3.1": 201}
    # With the limits of another version all its rows count as tried.
    with Store.write(path, replace(HEADER, version="3.2"), retry=True) as store:
        assert store.undecided(range(4)) == []


@pytest.mark.parametrize("column", ["wall_seconds", "peak_memory"])
def test_what_is_no_number_in_a_header_is_told(path, column):
    Store.write(path, HEADER).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"UPDATE header SET {column} = 'many'")
    check_that_it_is_refused(path, f"damaged: its header: {column}")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        *((f"PRAGMA user_version = {version}", "made by another version of winnable")
          for version in (1, FORMAT + 1)),
        *((f"UPDATE {values}", "the store is damaged") for values in (
            "deal SET expanded = 'many'", "deal SET verdict = 7", "deal SET moves = NULL",
            "header SET variant = x'ff00'", "header SET choices = 'none'",
            "header SET choices = '{\"exchange\": 1}'", "header SET max_nodes = 'many'",
            "header SET dealer = ' '", "header SET engine = 'x'", "header SET version = x'00'",
            "header SET shortest = 3", "header SET scored = 'x'", "header SET wall_seconds = -1",
            "header SET peak_memory = -1", "deal SET retry = 0", "deal SET retry = 9",
        )),
        *((f"UPDATE retry SET {values}", "the store is damaged: its table retry: ") for values in (
            "version = ''", "version = x'00'", "max_nodes = -1", "max_nodes = 'x'", "max_seconds = -1",
            "max_memory = 1e300", "max_work = 1.5",
        )),
        ("DROP TABLE retry", "the store is damaged: a table is missing"),
        *((f"ALTER TABLE {table} RENAME COLUMN {column} TO gone", "the store is damaged: a column is missing")
          for table, column in (
              ("header", "wall_seconds"), ("header", "max_work"), ("retry", "id"), ("retry", "max_seconds"),
        )),
        ("DELETE FROM header", "the store is damaged: it has no headers"),
        ("INSERT INTO header SELECT * FROM header", "the store is damaged: it has two headers"),
    ],
)  # fmt: skip
def test_a_store_of_what_nobody_stored_is_refused(path, change, problem):
    with Store.write(path, HEADER) as store:
        store.add(records([1, 2]), 0.1)
    Store.write(path, replace(HEADER, limits=Limits(work=7)), retry=True).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(change)
        connection.commit()
    check_that_it_is_refused(path, problem)


SCORED = Header("joker", "winnable 1", Limits())
RULE_PLAYED = replace(SCORED, engine=Header.engine_of("rule"))
SCORED_VEGAS = Header("klondike-vegas", "winnable 1", Limits(), scored=True)
WINS, LOSES = {"score": 20, "score_bound": 30}, {"verdict": UNWINNABLE, "score": 9, "score_bound": 9}


@pytest.mark.parametrize(
    ("header", "values", "wrong"),
    [
        *((HEADER, {}, wrong) for wrong in (
            {"verdict": UNWINNABLE}, {"verdict": UNDECIDED}, {"moves": -1}, {"lower_bound": 4},
            {"score_bound": 3}, {"expanded": 2**63}, {"shortest": 2}, {"exact": 7},
        )),
        (HEADER, {"verdict": UNWINNABLE, "moves": -1}, {"reason": 1}),
        (HEADER, {"verdict": UNDECIDED, "moves": -1, "reason": 1}, {"reason": 0}),
        (replace(HEADER, shortest=True), {"moves": 7, "lower_bound": 7, "shortest": 1}, {"lower_bound": 6}),
        *((SCORED, WINS, wrong) for wrong in (
            {"score": 31}, {"score_bound": 53}, {"score": 14}, {"exact": 1}, {"verdict": UNWINNABLE},
            {"score_bound": -1}, {"score": -1},
        )),
        *((SCORED, LOSES, wrong) for wrong in ({"verdict": WINNABLE}, {"score": 15, "score_bound": 15})),
        (SCORED_VEGAS, {"score": 52, "score_bound": 52, "exact": 1}, {"verdict": UNWINNABLE}),
        (SCORED_VEGAS, LOSES | {"score_bound": 52}, {"verdict": WINNABLE}),
        *((RULE_PLAYED, {"score": 20}, wrong) for wrong in ({"verdict": LOST}, {"score": 53}, {"score": 9})),
    ],
)  # fmt: skip
def test_a_row_that_contradicts_itself_is_refused(path, header, values, wrong):
    """The row is accepted as it was, and refused with other values."""
    with Store.write(path, header) as store:
        store.add(records([1], **{"moves": 3} | values), 0)
    for opened in (Store.read, lambda path: Store.write(path, header)):
        opened(path).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        for name, value in wrong.items():
            stored = None if value == -1 else -1 if value == 2**63 else value
            connection.execute(f"UPDATE deal SET {name} = ?", (stored,))
    check_that_it_is_refused(path, "the store is damaged: the row of seed 1", header)


def test_a_damage_that_is_no_text_is_told(path):
    with Store.write(path, HEADER) as store:
        store.add(records([1, 2]), 0.1)
    content = Path(path).read_bytes()
    assert b"CREATE TABLE deal" in content
    Path(path).write_bytes(content.replace(b"CREATE TABLE deal", b"CREATE \xfaABLE deal"))
    check_that_it_is_refused(path, "the store is damaged")


@pytest.mark.parametrize(
    "header",
    [
        HEADER,
        replace(HEADER, shortest=True),
        Header("joker", "some dealer", Limits()),
        Header("klondike-vegas", "some dealer", Limits(), engine=Header.engine_of("rule")),
        Header("klondike", "some dealer", Limits(), scored=True),
    ],
)
def test_results_counted_as_they_come_give_the_summary_of_their_rows(header):
    chance = np.random.default_rng(SEED)
    rows = np.frombuffer(records(range(500)).data, RECORD).copy()
    for name, low, high in (("verdict", 0, 3), ("expanded", 0, 40), ("microseconds", 0, 9), ("reason", 0, 2)):
        rows[name] = chance.integers(low, high, 500)
    rows["moves"] = np.where(rows["verdict"] == WINNABLE, chance.integers(60, 99, 500), -1)
    rows["shortest"] = chance.integers(0, 2, 500)
    if header.variant != "fortress":
        rows["score"] = chance.integers(0, 53, 500)
        rows["score_bound"] = -1 if header.player else np.maximum(rows["score"], 40)
        rows["exact"] = -1 if header.player else rows["score"] >= 40
    counts = Counts(header)
    with Store.write(None, header) as store:
        for start in range(0, 500, 160):
            chunk = Records(rows[start : start + 160].tobytes())
            store.add(chunk, 0.5)
            counts.add(chunk)
        assert summary(store, None, counts) == summary(store)
    with Store.write(None, header) as unkept:
        unkept.keeps_rows = False
        unkept.add(Records(rows.tobytes()), 2.0)
        assert unkept.deals_per_second == 250
        assert summary(unkept, None, counts) | {"peak_megabytes": None} == summary(unkept, None, counts)
