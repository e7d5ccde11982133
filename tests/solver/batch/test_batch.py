"""Batches give the results of single searches, for any number of workers and size of chunks."""

import os
import signal
import socket
import threading
from concurrent.futures import CancelledError
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest
from tests.compiled import SEARCHED, needs_kernels

from winnable.rules import VARIANTS, find_variant, simon
from winnable.solver import Limits, solve
from winnable.solver.batch import Batch, ClusterBatch, ClusterError, Task, in_order, solve_records
from winnable.solver.batch import chunk as batch
from winnable.solver.batch.supply import Supply
from winnable.solver.core.processors import gathered as in_threads
from winnable.solver.core.record import VERDICTS, WINNABLE, Record, Records
from winnable.solver.engine import find_kernel

WORK = [name for name in Record._fields if name != "microseconds"]
LIMITS = Limits(nodes=300)


def same(records, others):
    return len(records) == len(others) and all((records[name] == others[name]).all() for name in WORK)


def gathered(chunks):
    return np.concatenate([records.array for records in chunks])


@pytest.mark.quick(2)
@needs_kernels
@pytest.mark.parametrize("variant", SEARCHED)
def test_neither_workers_nor_chunks_change_the_records(variant):
    whole = find_kernel(find_variant(variant))(LIMITS).solve_seeds(variant, 1, 40).array
    for workers, most in ((1, 40), (1, 7), (3, 1), (2, 16)):
        run = Batch(Task(variant, LIMITS, check_every=9), [range(1, 30), range(30, 41)], workers, most)
        assert same(gathered(in_order(run.run())), whole)


@pytest.mark.quick("fortress")
@needs_kernels
@pytest.mark.parametrize("variant", ["chessboard", "fortress"])
def test_shortest_lines_are_found_whoever_looks_for_them(variant):
    whole = find_kernel(find_variant(variant))(Limits()).solve_seeds(variant, 1, 20, shortest=True).array
    for workers, most in ((1, 7), (2, 3)):
        run = Batch(Task(variant, Limits(), check_every=5, shortest=True), [range(1, 21)], workers, most)
        assert same(gathered(in_order(run.run())), whole)
    states = [find_variant(variant).deal(seed) for seed in range(1, 21)]
    records = gathered(solve_records(variant, states, shortest=True))
    for name in ("verdict", "moves", "lower_bound", "shortest"):
        assert (records[name] == whole[name]).all()


def test_games_without_such_a_search_are_refused(monkeypatch):
    monkeypatch.setattr(batch, "find_kernel", lambda variant, choices=None: lambda limits: None)
    with pytest.raises(ValueError, match="no compiled engine for joker here, which a search for shortest"):
        Batch(Task("joker", Limits(), shortest=True), [range(3)], 1)


@needs_kernels
@pytest.mark.parametrize(
    ("begin", "problem"),
    [
        (lambda: batch.ChunkSolver(Task("fortress", Limits(), version="0.0")), r"has version .* not 0\.0"),
        (
            lambda: Batch(Task("simon-jester", Limits(), shortest=True), [range(3)], 1),
            "expected a limit on work",
        ),
        (lambda: list(solve_records("fortress", range(0, 10, 2))), "expected consecutive seeds"),
        (lambda: list(solve_records("fortress", range(-1, 2))), "seed '-1': expected a whole number"),
        (lambda: list(solve_records("fortress", range(2**64 - 1, 2**64 + 1))), "expected a whole number"),
        (lambda: list(solve_records("klondike", range(2), choices="draw=1")), "got 'draw=1'"),
        (
            lambda: solve_records("klondike", [VARIANTS["klondike"].deal(1)], choices={"draw": "1"}),
            "beside states",
        ),
        (lambda: solve_records("fortress", range(2), workers=-1), "workers '-1': .* from 1 to 1024"),
        (lambda: solve_records("fortress", range(2), check_every=-1), "check_every '-1': .* whole number"),
        (lambda: solve_records("fortress", range(2), check_every=1.5), "check_every '1.5': .* whole number"),
        (
            lambda: list(solve_records("joker", [replace(VARIANTS["joker"].deal(1), stock=())])),
            "missing card",
        ),
    ],
)
def test_what_cannot_be_done_is_refused(begin, problem):
    with pytest.raises((ValueError, ClusterError), match=problem):
        begin()


@pytest.mark.full
@needs_kernels
@pytest.mark.parametrize("variant", ["simon-jester", "joker"])
def test_the_sample_that_is_solved_again_holds_the_limits(variant):
    """Without a limit these searches for a shortest line would not end."""
    seconds = 0.5 if variant == "simon-jester" else None  # for two decks only time ends a search
    limits = Limits(nodes=30_000, seconds=seconds, megabytes=100)
    run = Batch(Task(variant, limits, check_every=1, shortest=True), [range(9, 12)], 1)
    records = gathered(in_order(run.run()))
    assert len(records) == 3
    assert (records["verdict"] == WINNABLE).any()
    assert not records["shortest"].all()
    for kernel in (run.solvers[0].kernel, run.solvers[0].checker, run.solvers[0].improver):
        assert 0 < kernel.expanded <= 30_000


@pytest.mark.quick(3)
@needs_kernels
@pytest.mark.parametrize("variant", SEARCHED)
def test_positions_give_the_records_of_their_seeds(variant):
    states = [find_variant(variant).deal(seed) for seed in range(1, 13)]
    records = gathered(solve_records(variant, states, LIMITS, workers=2))
    assert records["seed"].tolist() == list(range(12))
    records["seed"] += 1
    assert same(records, find_kernel(find_variant(variant))(LIMITS).solve_seeds(variant, 1, 12).array)
    for row, state in zip(records, states, strict=True):
        result = solve(variant, state, LIMITS, shorten=0)
        assert VERDICTS[row["verdict"]] == result.verdict.value
        assert row["moves"] == (-1 if result.moves is None else len(result.moves))
        assert row["score"] == (-1 if result.score is None else result.score)
        assert row["expanded"] == result.expanded


@pytest.mark.filterwarnings("ignore::winnable.solver.diagnostics.EngineWarning")
def test_without_a_kernel_the_reference_engine_answers(monkeypatch):
    monkeypatch.setattr(batch, "find_kernel", lambda variant, choices=None: None)
    limits, seeds = Limits(nodes=20), range(1, 4)
    records = gathered(solve_records("fortress", seeds, limits, workers=2))
    assert records["seed"].tolist() == [*seeds]
    verdicts = [VERDICTS[verdict] for verdict in records["verdict"]]
    assert verdicts == [
        solve("fortress", find_variant("fortress").deal(seed), limits, engine="reference").verdict.value
        for seed in seeds
    ]
    run, calls = Batch(Task("simon-jester", Limits()), [range(1, 3)], 1), []

    def legal_moves(state, plain=simon.legal_moves):
        calls.append(state)
        if len(calls) == 500:
            run.stop()
        return plain(state)

    monkeypatch.setattr(simon, "legal_moves", legal_moves)
    assert list(run.run()) == []
    assert len(calls) == 500


@needs_kernels
def test_a_search_that_differs_from_the_batch_is_noticed():
    solver = batch.ChunkSolver(Task("fortress", Limits()))
    (record,) = solver.solve(range(8, 9))
    state = find_variant("fortress").deal(8)
    solver._check(record, state)
    record = record._replace(moves=record.moves + 1)
    with pytest.raises(RuntimeError, match="deal 8 of fortress"):
        solver._check(record, state)


@needs_kernels
def test_a_stopped_batch_yields_what_is_finished():
    before = set(threading.enumerate())
    run = Batch(Task("chessboard", Limits()), [range(1, 10**9)], 2)
    seeds, given = [], None
    for _, records in run.run():
        seeds += [record.seed for record in records]
        if len(seeds) > 100 and given is None:
            run.stop()
            given = run.supply.given
    assert run.supply.given <= given + 2  # a worker between two chunks takes one more
    assert len(seeds) == len(set(seeds)) > 100
    assert not set(threading.enumerate()) - before


def test_a_thread_that_cannot_be_started_is_told(started):
    held = threading.Event()
    waiting = (held.wait(60) for _ in range(1))
    with pytest.raises(RuntimeError, match="can't start new thread"):
        list(in_threads([waiting, []], held.set))
    assert not started[0].is_alive()


@needs_kernels
def test_a_fault_in_a_thread_reaches_the_caller(monkeypatch):
    def fail(self, piece):
        raise RuntimeError("a line fails its replay")

    monkeypatch.setattr(batch.ChunkSolver, "solve", fail)
    with pytest.raises(RuntimeError, match="fails its replay"):
        list(solve_records("fortress", range(5)))


# --- A cluster ----------------------------------------------------------------------------------------------


@pytest.fixture
def cluster(request):
    """A cluster of two workers, which are separate processes in the full tier."""
    distributed = pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")
    workers = {"n_workers": 2, "threads_per_worker": 1, "processes": "full" in request.keywords}
    with distributed.LocalCluster(**workers, dashboard_address=None) as cluster:
        yield cluster


@needs_kernels
def test_a_cluster_gives_the_same_records_and_is_stopped(cluster):
    run = ClusterBatch(Task("chessboard", LIMITS), [range(1, 400)], cluster.scheduler_address, most=50)
    assert same(
        gathered(in_order(run.run())),
        find_kernel(find_variant("chessboard"))(LIMITS).solve_seeds("chessboard", 1, 399).array,
    )
    run = ClusterBatch(Task("chessboard", Limits()), [range(1, 10**9)], cluster.scheduler_address)
    chunks = run.run()
    assert len(next(chunks)[1])
    run.stop()
    assert len(list(chunks)) < 20


@pytest.mark.full
@needs_kernels
def test_a_worker_that_is_killed_costs_nothing(cluster):
    task = Task("simple-simon", Limits(nodes=2000))
    run = ClusterBatch(task, [range(1, 1500)], cluster.scheduler_address, most=25)
    chunks = []
    for number, chunk in enumerate(in_order(run.run())):
        chunks.append(chunk)
        if number == 5:
            os.kill(cluster.workers[0].pid, signal.SIGKILL)
    kernel = find_kernel(find_variant("simple-simon"))(task.limits)
    assert same(gathered(chunks), kernel.solve_seeds("simple-simon", 1, 1499).array)


class Future:
    """A chunk of a cluster, which ends with a ``status`` and may raise an ``error``."""

    def __init__(self, status, error):
        self.status, self.error = status, error

    def add_done_callback(self, call):
        call(self)

    def result(self):
        raise self.error


def lost_cluster(monkeypatch, submit):
    """A batch on a cluster of one worker, whose chunks are what ``submit`` returns. The client fails to
    close, as that of Dask may after its scheduler went away."""

    def fail(*_):
        raise TimeoutError

    class Client:
        def __init__(self, *_, **__):
            self.cancel = self.close = fail

        def nthreads(self):
            return {"a worker": 1}

        def submit(self, *_, **__):
            return submit()

    distributed = pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")
    monkeypatch.setattr(distributed, "Client", Client)
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        return address, ClusterBatch(Task("fortress", Limits()), [range(5)], address)


@pytest.mark.parametrize(
    "error", [TimeoutError(), OSError(), OSError("no"), CancelledError(), RuntimeError(), Exception("no")]
)
def test_a_scheduler_that_went_away_is_told(monkeypatch, error):
    """While chunks are handed out, waited for or fetched, whatever Dask raises then."""

    def refuse():
        raise error

    ways = [refuse, lambda: Future("cancelled", error)]
    fetched = Future("finished", error)
    fetched.result = lambda: setattr(fetched, "status", "cancelled") or refuse()
    for submit in [*ways, lambda: fetched]:
        address, batch = lost_cluster(monkeypatch, submit)
        with pytest.raises(ClusterError, match=f"^scheduler {address} does not answer any more$"):
            list(batch.run())
        fetched.status = "finished"


@pytest.mark.parametrize("status", ["lost", "pending"])
def test_a_result_that_died_with_its_worker_is_computed_anew(monkeypatch, status):
    """It was done, and is not when it is fetched."""
    chunk = Future(status, None)
    calls = []

    def add_done_callback(call):
        calls.append(call)
        if len(calls) == 2:
            chunk.status, chunk.result = "finished", lambda: ([1, 2], 0.1)
        call(chunk)

    chunk.add_done_callback = add_done_callback
    _, batch = lost_cluster(monkeypatch, lambda: chunk)
    assert [records for _, records in batch.run()] == [[1, 2]]


def test_an_error_of_a_worker_is_raised(monkeypatch):
    _, batch = lost_cluster(monkeypatch, lambda: Future("error", RuntimeError("a line fails its replay")))
    with pytest.raises(RuntimeError, match="a line fails its replay"):
        list(batch.run())


@pytest.mark.parametrize(
    ("address", "problem"),
    [
        ("tcp://127.0.0.1:9", "Connection refused; 'dask scheduler' starts one, and prints its address"),
        ("127.0.0.1:9", "scheduler 127.0.0.1:9: Connection refused"),
        ("127.0.0.1", "scheduler '127.0.0.1': expected an address such as tcp://host:8786"),
        ("tcp://host", "expected an address such as tcp://host:8786"),
        ("tcp:/host:8786", "expected an address such as tcp://host:8786"),
        ("tcp://127.0.0.1:99999", "expected an address such as tcp://host:8786"),
        ("tcp://no-such-host.invalid:8786", "scheduler tcp://no-such-host.invalid:8786: "),
    ],
)
def test_a_scheduler_that_is_not_there_is_told_before_dask_waits(address, problem, monkeypatch):
    distributed = pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")
    monkeypatch.setattr(distributed, "Client", None)  # it would wait for an answer
    with pytest.raises(ClusterError) as caught:
        ClusterBatch(Task("fortress", Limits()), [range(5)], address)
    assert problem in str(caught.value)


def test_packed_records_are_the_same_again():
    size = len(Record._fields)
    rows = [Record(*range(size)), Record(*[2**64 - 1] * 4, *[-1] * (size - 4)), Record(*[5] * size)]
    records = Records.pack(rows)
    assert [*records] == rows
    assert [*records[1:]] == rows[1:]
    assert len(records[3:]) == 0
    assert [row.tolist() for row in records.array] == rows
    assert [records.count(verdict) for verdict in (8, -1 & 255, 7)] == [1, 1, 0]


@pytest.mark.full
def test_the_last_chunks_are_smaller():
    supply, sizes = Supply([range(100_000)], 1.0, 8192, 2), []
    while chunk := supply.take():
        sizes.append(len(chunk[1]))
        supply.learn(8192, 1.0)
    assert sum(sizes) == 100_000
    assert sizes[6:12] == [8192] * 6
    assert sizes[-1] <= 8192 // 16
    assert sizes.count(min(sizes)) < 40


@pytest.mark.full
def test_a_few_slow_deals_are_given_one_by_one():
    supply, sizes = Supply([range(10)], 1.0, 8192, 2), []
    while chunk := supply.take():
        sizes.append(len(chunk[1]))
        supply.learn(1, 5.0)
    assert sizes[0] <= 3
    assert set(sizes[1:]) == {1}
