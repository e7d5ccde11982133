"""``winnable check``, ``solve --certificate`` and ``rate --certificates``."""

import gzip
import json
import os
import re

import pytest
from tests.children import start_code
from tests.compiled import needs_kernels
from tests.deals import deals_file

from winnable import SCHEMA
from winnable.checker import NotFinished, check
from winnable.rules import find_variant

pytestmark = needs_kernels


def test_a_lost_deal_is_certified_and_checked(run, tmp_path):
    path = tmp_path / "proof.gz"
    assert run("solve", "fortress", "--seed", 1, "--quiet", "--certificate", path) == (0, "unwinnable\n", "")
    told = "accepted: fortress, seed 1, unwinnable, 9 positions; lemmas: order of columns, must go up\n"
    assert run("check", path) == (0, told, "")
    answer = run.json("check", path)
    assert answer.pop("position").startswith("A ")
    assert answer == {
        "schema": SCHEMA,
        "file": str(path), "accepted": True, "game": "fortress", "choices": {}, "ranks": 13, "suits": "CDHS",
        "columns": 10, "seed": 1, "claim": "unwinnable", "value": None, "greatest_score": None,
        "is_unwinnable": True, "positions": 9, "lemmas": ["order of columns", "must go up"],
    }  # fmt: skip


def test_the_deal_of_a_claim_is_shown(run, tmp_path):
    path = tmp_path / "proof.gz"
    for game, seed in (("fortress", 1), ("joker", 142), ("simple-simon", 45)):
        path.unlink(missing_ok=True)
        assert run("solve", game, "--seed", seed, "--quiet", "--certificate", path)[0] == 0
        out = run.out("check", "--show", path)
        assert out.partition("\n")[2] == run("deal", game, "--seed", seed)[1]


@pytest.mark.parametrize("option", ["--max-seconds", "--max-memory"])
def test_limits_of_the_check_hold(run, tmp_path, option):
    path = tmp_path / "proof.gz"
    assert run("solve", "fortress", "--seed", 2, "--plain", "--quiet", "--certificate", path)[0] == 0
    told = f"{path}: not finished within 0 "
    status, out, err = run("check", path, option, 0)
    assert (status, out, err.count("\n")) == (3, "", 1)
    assert err.startswith(f"winnable: {told}")
    assert "checker/second_checker.c" in err
    answer = run.json("check", path, option, 0)
    assert answer["accepted"] is None
    assert f"{path}: {answer['reason']}".startswith(told)


def test_a_refused_file_counts_more_than_one_not_finished(run, tmp_path, monkeypatch):
    """The exit status of several files: 2 if one is refused, else 3 if one is not finished; a file after the
    one that a limit ended is still checked."""
    good, slow, bad = (tmp_path / name for name in ("good", "slow", "bad"))
    assert run("solve", "fortress", "--seed", 1, "--quiet", "--certificate", good)[0] == 0
    slow.write_bytes(good.read_bytes())
    bad.write_text("{}\n")

    def checked(source, *limits):
        if source == str(slow):
            raise NotFinished("not finished")
        return check(source, *limits)

    monkeypatch.setattr("winnable.cli.commands.check.check", checked)
    for files, status in (
        ((good,), 0), ((good, slow, good), 3), ((slow, bad), 2), ((bad, slow, good), 2),
    ):  # fmt: skip
        answer = run("check", *files)
        assert answer[0] == status
        assert answer[1].count("accepted: ") == files.count(good)


@pytest.mark.parametrize("bad", [False, True])
def test_ctrl_c_keeps_what_was_checked(run, tmp_path, monkeypatch, bad):
    first = tmp_path / "first"
    assert run("solve", "fortress", "--seed", 1, "--quiet", "--certificate", first)[0] == 0
    if bad:
        first.write_text("{}\n")

    def checked(source, *limits):
        if source != str(first):
            raise KeyboardInterrupt
        return check(source, *limits)

    monkeypatch.setattr("winnable.cli.commands.check.check", checked)
    status, out, err = run("check", first, "other", "--json")
    assert status == (2 if bad else 3)
    assert json.loads(out)["accepted"] is not bad
    assert err.endswith("winnable: interrupted\n")
    assert run("check", "other", first)[::2] == (130, "winnable: interrupted\n")


def test_standard_input_is_checked(run, tmp_path):
    path = tmp_path / "proof.gz"
    assert run("solve", "fortress", "--seed", 1, "--quiet", "--certificate", path)[0] == 0
    plain = tmp_path / "plain"
    plain.write_bytes(gzip.decompress(path.read_bytes()))
    told = run.out("check", path)
    assert told == run.out("check", "-", stdin=path.read_bytes())
    assert told == run.out("check", "-", stdin=plain.read_bytes()) == run.out("check", plain)
    status, out, err = run("check", "-", stdin=b"a deal")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("winnable: refused: -: not a certificate")


def test_a_plain_one_uses_one_lemma(run, tmp_path):
    path = tmp_path / "proof.gz"
    assert run("solve", "fortress", "--seed", 2, "--certificate", path, "--plain")[0] == 0
    assert run("check", path)[1].endswith(", 627 positions; lemmas: order of columns\n")


@pytest.mark.quick(2)
@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("klondike", "--seed", 60), "klondike (draw 3, passes unlimited, worrying back yes), seed 60, "),
        (("klondike-draw-one", "--seed", 223), "(draw 1, passes unlimited, worrying back yes), seed 223, "),
        (("klondike-vegas", "--seed", 55), "klondike-vegas (draw 3, passes 3, worrying back yes), seed 55, "),
        (("klondike-vegas-one", "--seed", 10), "(draw 1, passes 1, worrying back yes), seed 10, "),
        (
            ("klondike", "--seed", 44, "--passes", 2, "--worrying-back", "no"),
            "passes 2, worrying back no), ",
        ),
        (("klondike-vegas", "--seed", 55, "--moves", "MOVES"), "the deal [---A r0 w s"),
        (("BOARD",), "worrying back no), 3 ranks of CDH in 2 columns, the deal [A--- r1 w2C s3C3H "),
    ],
)
def test_klondike_with_redeals_is_certified_by_all_choices(run, tmp_path, args, told):
    path, board, moves = (tmp_path / name for name in ("proof.gz", "deal.json", "moves.txt"))
    state = find_variant("klondike-vegas").deal(55)
    moves.write_text(str(find_variant("klondike-vegas").family.legal_moves(state)[0]))
    board.write_text(json.dumps(REDEALT))
    args = [{"MOVES": moves, "BOARD": board}.get(word, word) for word in args]
    assert run("solve", *args, "--quiet", "--certificate", path)[:2] == (0, "unwinnable\n")
    out = run.out("check", path)
    assert told in out
    assert ", unwinnable, " in out
    answer = run.json("check", path)
    assert (answer["claim"], answer["is_unwinnable"], len(answer["choices"])) == ("unwinnable", True, 3)


REDEALT = {
    "game": "klondike-vegas", "ranks": 3, "suits": "CDH", "draw": "2", "worrying_back": "no", "redeals": 1,
    "foundations": {"C": "A"}, "waste": "2C", "stock": "3C 3H", "columns": ["<AD> 3D", "<AH> <2D> 2H"],
}  # fmt: skip


@pytest.mark.parametrize(
    ("args", "status", "out", "why"),
    [
        (
            (8,),
            0,
            "winnable\n",
            ": no certificate needed: the solution is the proof; winnable verify replays it",
        ),
        (
            (2, "--work", 5),
            3,
            "undecided\n",
            "undecided (work limit reached): there is nothing to certify",
        ),
    ],
)
def test_what_has_no_certificate_is_told_in_a_line(run, tmp_path, args, status, out, why):
    path = tmp_path / "proof.gz"
    *answer, err = run("solve", "fortress", "--quiet", "--certificate", path, "--seed", *args)
    assert (*answer, err.count("\n")) == (status, out, 1)
    assert why in err
    assert not os.listdir(tmp_path)


def test_refusals_tell_file_position_and_move(run, tmp_path):
    path = tmp_path / "proof.gz"
    assert run("solve", "fortress", "--seed", 1, "--certificate", path)[0] == 0
    header, *lines, end = gzip.decompress(path.read_bytes()).decode().splitlines()
    changed = json.loads(header) | {"positions": 8}
    bad = tmp_path / "bad.gz"
    bad.write_bytes(gzip.compress("\n".join([json.dumps(changed), *lines[:-1], end, ""]).encode()))
    status, out, err = run("check", bad, path, tmp_path / "none.gz")
    assert status == 2
    assert out.startswith("accepted: fortress, seed 1")
    first, second = err.splitlines()
    assert first.startswith(f"winnable: refused: {bad}: position A 4S")
    assert " leads to A " in first
    assert first.endswith(", which is not listed")
    assert second == f"winnable: refused: {tmp_path / 'none.gz'}: No such file or directory"
    status, out, err = run("check", bad, "--json")
    assert (status, err) == (2, first + "\n")
    assert json.loads(out)["reason"].startswith("position A 4S")
    assert "only one FILE can be standard input" in run.fails("check", "-", "-")


@pytest.mark.full
def test_a_lost_deal_whose_cards_were_counted_is_certified_as_lost(run, tmp_path):
    path = tmp_path / "proof.gz"
    out = run.out("solve", "klondike", "--seed", 29, "--score", "--certificate", path)
    assert "best score 2 of 52" in out
    assert ", seed 29, unwinnable, " in run.out("check", path)


@pytest.mark.full
def test_scores_are_certified_with_their_lines(run, tmp_path):
    folder = tmp_path / "proofs"
    args = ("rate", "klondike-one-pass", "--deals", "23-31", "--certificates", folder, "--json")
    counts = json.loads(run(*args)[1])["certificates"]
    assert counts["written"] >= 5
    out = run("check", *(folder / name for name in sorted(os.listdir(folder)) if "-29." in name))[1]
    told = "klondike-one-pass, seed 29, exact score 2 of 52 places (unwinnable), 28 positions"
    assert out == f"accepted: {told}; lemmas: order of columns, like cards, safe move up, bound\n"


@pytest.mark.full
def test_a_batch_certifies_what_is_lost_and_goes_on_with_its_folder(run, tmp_path):
    folder = tmp_path / "proofs"
    answer = run.json("rate", "chessboard", "--deals", "1-17", "--certificates", folder)
    assert answer["certificates"] == {"written": answer["unwinnable"], "there": 0, "refused": 0}
    names = sorted(os.listdir(folder))
    assert names[:2] == [f"chessboard-{seed}.certificate.gz" for seed in (14, 17)]
    assert run("check", *(folder / name for name in names))[0] == 0
    (folder / names[0]).unlink()
    out = run("rate", "chessboard", "--deals", "1-17", "--certificates", folder)[1]
    assert re.search(rf"Certificates +1 written, {len(names) - 1} already present, 0 not certified\n", out)


@pytest.mark.full
def test_fewest_moves_are_certified(run, tmp_path):
    folder, path = tmp_path / "proofs", tmp_path / "proof.gz"
    args = ("rate", "fortress", "--deals", "6-8", "--shortest", "--certificates", folder, "--json")
    assert json.loads(run(*args)[1])["certificates"] == {"written": 3, "there": 0, "refused": 0}
    _, second, third = run("check", *map(folder.joinpath, sorted(os.listdir(folder))))[1].splitlines()
    assert second.endswith("seed 7, unwinnable, 41 positions; lemmas: order of columns, must go up")
    assert third.startswith("accepted: fortress, seed 8, fewest moves 77, 3,028 positions; lemmas: ")
    assert third.endswith("lemmas: order of columns, chosen base, bound, must go up")
    args = ("--seed", 15, "--work", 3000, "--certificate", path)
    assert run("solve", "fortress", "--shortest", *args)[0] == 0
    assert run("check", path)[1].startswith("accepted: fortress, seed 15, at least ")


def test_a_batch_of_a_file_certifies_its_positions(run, tmp_path):
    deals = deals_file(tmp_path, "fortress", [2, 3])
    assert run("rate", "--deals", deals, "--certificates", tmp_path / "proofs")[0] == 0
    path = tmp_path / "proofs" / "fortress-1.certificate.gz"  # not seed 1
    assert ", unwinnable, 548 positions; " in run("check", path)[1]


INTERRUPTED = """
import itertools, signal, sys
from winnable.cli import main
from winnable.solver.certificates import making
lines, count, interrupted = making.Certificate.chunks, itertools.count(1), int(sys.argv.pop(1))
def chunks(self):
    number = next(count)
    for data in lines(self):
        yield data
        if number == interrupted:
            signal.raise_signal(signal.SIGINT)
making.Certificate.chunks = chunks
sys.exit(main.run(sys.argv[1:]))
"""
"""The program, interrupted while it writes the certificate of a number, its first argument."""


@pytest.mark.quick(2)
@pytest.mark.parametrize(
    ("args", "verdict"),
    [
        (("fortress", "--seed", "2"), "unwinnable"),
        (("simple-simon", "--seed", "108"), "unwinnable"),
        (("simple-simon", "--seed", "96", "--plain"), "unwinnable"),
        (("klondike-one-pass", "--seed", "29"), "unwinnable"),
        (("klondike", "--seed", "12"), "unwinnable"),
        (("fortress", "--seed", "8", "--shortest"), "winnable"),
        (("fortress", "--seed", "15", "--shortest", "--work", "3000"), "winnable"),
    ],
)
def test_ctrl_c_leaves_no_half_file(tmp_path, args, verdict):
    path = tmp_path / "proof.gz"
    process = start_code(INTERRUPTED, "1", "solve", *args, "--certificate", str(path))
    out, err = process.finish()
    assert verdict in out.lower()
    assert err == "winnable: interrupted\n"
    assert not os.listdir(tmp_path)


@pytest.mark.quick("asked0")
@pytest.mark.parametrize(
    "asked", [("fortress", "1-9"), ("fortress", "5-9", "--shortest"), ("klondike-one-pass", "23,26,29,95")]
)
def test_ctrl_c_keeps_the_certificates_that_are_whole(run, tmp_path, asked):
    folder, out = tmp_path / "proofs", tmp_path / "rates.sqlite"
    game, deals, *options = asked
    args = ["rate", game, "--deals", deals, "--output", out, "--certificates", folder, "--json", *options]
    process = start_code(INTERRUPTED, "3", *map(str, args))
    answer, err = process.finish()
    assert json.loads(answer)["certificates"] == {"written": 2, "there": 0, "refused": 0}
    assert err.startswith("winnable: interrupted after ")
    assert err.count("\n") == 1
    assert len(os.listdir(folder)) == 2
    answer = json.loads(run(*args)[1])["certificates"]
    assert answer == {"written": len(os.listdir(folder)) - 2, "there": 2, "refused": 0}
    assert answer["written"] > 1
    assert run("check", *(folder / name for name in os.listdir(folder)))[0] == 0
