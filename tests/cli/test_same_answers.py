"""Reproducible output: it does not depend on time, load, processors or workers."""

import json
import re
import sys
from contextlib import contextmanager

import pytest
from tests.children import Child
from tests.compiled import needs_kernels

TIMES = re.compile(r"(CPU time|Speed) .*\n")  # of `rate`
CAPS = ("--max-seconds", "100000")

COMMANDS = [
    "solve fortress --seed 6", "solve chessboard --seed 8 --shortest --work 100k",
    "solve simple-simon --seed 3 --shorten 100k", "solve simon-jester --seed 4 --shortest --work 400k",
    "solve joker --seed 5 --shortest --work 300k", "solve klondike --seed 8 --shortest --work 200k",
    "hint simple-simon --seed 6 --work 100k --prove 300k --all", "hint joker --seed 1 --work 300k --all",
    "hint joker --seed 1 --visits 300 --think-seconds 1000",
    "simulate klondike --seed 2 --visits 30 --think-seconds 1000",
    "rate joker --deals 1-3 --shortest --work 100k", "rate klondike-vegas --deals 1-12 --work 20k",
    "rate joker --deals 1-6 --player search --visits 20",
]  # fmt: skip


@contextmanager
def busy(count):
    """Programs that keep processors busy."""
    children = [Child(sys.executable, "-c", "while True: pass") for _ in range(count)]
    try:
        yield
    finally:
        for child in children:
            child.kill()
            child.finish()


@pytest.mark.quick(COMMANDS[0], COMMANDS[8])
@needs_kernels
@pytest.mark.parametrize("command", COMMANDS)
def test_an_answer_is_the_same_beside_busy_programs(run, monkeypatch, command):
    words = command.split()
    workers = [("--workers", count) for count in (1, 2)] if words[0] == "rate" else [(), ()]
    caps = () if {"--think-seconds", "--player"} & set(words) else CAPS
    status, out, _ = run(*words, *workers[0])
    monkeypatch.setattr("os.sched_getaffinity", lambda process: set(range(5)), raising=False)
    with busy(2):
        again, told, _ = run(*words, *caps, *workers[1])
    assert again == status
    assert TIMES.sub("", told) == TIMES.sub("", out)
    assert len(out.splitlines()) > 2


@needs_kernels
@pytest.mark.full
def test_certificates_and_stores_are_the_same_beside_busy_programs(run, tmp_path):
    found = []
    for count in (0, 2):
        folder = tmp_path / str(count)
        folder.mkdir()
        proof, store = folder / "proof", folder / "store"
        with busy(count):
            run("solve", "simple-simon", "--seed", 4, "--shortest", "--work", "300k", "--certificate", proof)
            run("rate", "simple-simon", "--deals", "1-12", "--shortest", "--work", "50k", "--output", store)
        rows = [json.loads(line) for line in run("report", store, "--jsonl")[1].splitlines()]
        found.append((proof.read_bytes(), [row | {"cpu_seconds": 0} for row in rows]))
    assert found[0] == found[1]
    assert len(found[0][1]) == 12
