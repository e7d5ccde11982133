"""Many deals: answered as they arrive, on several threads, without unrequested output."""

import json
import re
import signal
import subprocess
from io import BytesIO

import pytest
from tests.children import start
from tests.compiled import needs_kernels

from winnable import deal
from winnable.cli.commands import solve as command
from winnable.rules import VARIANTS
from winnable.rules.formats import read_deals, stream_deals, write_deals
from winnable.rules.formats.text import Deal, FormatError

pytestmark = needs_kernels
STYLES = ("text", "jsonl", "json")


def written(names, style):
    deals = [Deal(deal(name, seed), seed) for seed, name in enumerate(names, 1)]
    return "".join(write_deals(None, deals, style, alone=False)).encode()


@pytest.mark.parametrize("style", STYLES)
def test_a_stream_has_the_deals_of_the_file(style):
    data = written(VARIANTS, style)
    assert list(stream_deals(None, BytesIO(data), "deals")) == list(read_deals(None, data, "deals"))
    assert next(stream_deals(None, BytesIO(b"\xef\xbb\xbf\n" + data), "deals")).seed == 1
    for bad, line in ((data.replace(b"XB", b"YY", 1), None), (data + b"\n\xff", data.count(b"\n") + 2)):
        with pytest.raises(FormatError) as first:
            list(read_deals(None, bad, "deals"))
        with pytest.raises(FormatError) as second:
            list(stream_deals(None, BytesIO(bad), "deals"))
        if line is None:
            assert str(first.value) == str(second.value)
        else:
            assert f"deals:{line}: " in str(second.value)
    for none, problem in (
        (b"", "no deal found"),
        (b"\n \n", "no deal found"),
        (b"[" * 20_000, "invalid JSON"),
    ):
        with pytest.raises(FormatError, match=problem):
            list(stream_deals(None, BytesIO(none), "deals"))


@pytest.mark.quick(2)
@pytest.mark.parametrize(
    ("option", "style", "workers"),
    [("--json", "jsonl", 2), ("--quiet", "jsonl", 1), ("--json", "text", 1), ("--quiet", "text", 2)],
)
def test_each_deal_is_answered_before_the_next_one_comes(option, style, workers):
    child = start("solve", "-", option, "--workers", workers, stdin=subprocess.PIPE)
    verdicts = []
    for seed in (1, 8, 9):
        deals = written(["fortress"] * seed, style).decode().split("\n\n" if style == "text" else "\n")
        child.stdin.write(f"{deals[seed - 1]}\n\n")
        child.stdin.flush()
        line = child.first_line()
        verdicts.append(json.loads(line)["verdict"] if option == "--json" else line.strip())
    assert verdicts == ["unwinnable", "winnable", "unwinnable"]
    assert child.finish() == ("", "")


def test_text_of_several_deals_is_answered_from_the_second_on():
    child = start("solve", "fortress", "-", stdin=subprocess.PIPE)
    first, second, third = written(["fortress"] * 3, "text").decode().split("\n\n")
    child.stdin.write(f"{first}\n\n{second}\n\n")
    child.stdin.flush()
    assert child.first_line().startswith("deal 1, seed 1: unwinnable")
    assert child.first_line().startswith("deal 2, seed 2: ")
    assert child.finish(f"{third}\n")[0].startswith("deal 3, seed 3: ")


@pytest.mark.parametrize("style", ["--json", "--quiet", "line"])
def test_workers_change_nothing(run, tmp_path, style):
    path = tmp_path / "deals"
    path.write_bytes(written(["fortress", "chessboard", "simple-simon", "klondike-one-pass"] * 5, "jsonl"))
    options = ["--work", 3000] if style == "line" else [style, "--work", 3000]
    answers = [run("solve", path, *options, "--workers", workers)[:2] for workers in (1, 3)]
    one, other = ((status, re.sub('"(cpu_)?seconds": [^,}]*', "", out)) for status, out in answers)
    assert one == other
    assert one[0] == (3 if "undecided" in one[1] else 0)
    path.write_bytes(written(["fortress"] * 20, "jsonl").replace(b"AS", b"AC"))
    assert ":1: column" in run.fails("solve", path, "--quiet", "--workers", 3)


def test_an_interrupt_keeps_what_is_finished(tmp_path):
    path = tmp_path / "deals"
    deals = [Deal(deal("fortress", 1), 1), *[Deal(deal("simon-jester", 3), 3)] * 7]
    path.write_text("".join(write_deals(None, deals, "jsonl", alone=False)))
    args = ("solve", path, "--json", "--shortest", "--max-seconds", 600, "--workers", 2)
    child = start(*args)
    assert json.loads(child.first_line())["verdict"] == "unwinnable"
    out, err = child.interrupt()
    assert (child.returncode, err) == (3, "winnable: interrupted\n")
    assert all(json.loads(line)["reason"] == "interrupted" for line in out.splitlines())


def test_an_interrupt_between_two_deals_is_told(run, tmp_path, monkeypatch):
    """No search is running when the signal arrives, and the other deals are not read yet."""
    path = tmp_path / "deals"
    path.write_bytes(written(["fortress"] * 9, "jsonl"))

    def waited(answer):
        signal.raise_signal(signal.SIGINT)
        return answer.result()

    monkeypatch.setattr(command, "_waited", waited)
    status, out, err = run("solve", path, "--quiet", "--workers", 2)
    assert (status, err) == (3, "winnable: interrupted\n")
    assert len(out.split()) < 9


def test_lines_of_many_deals_are_not_shortened_unless_asked(run, tmp_path, monkeypatch):
    shortened = []
    monkeypatch.setattr(command, "optimize", lambda variant, state, result, *_: shortened.append(1) or result)
    path = tmp_path / "deals"
    path.write_bytes(written(["simple-simon"] * 3, "jsonl"))
    one, shorter = ("simple-simon", "--seed", 1), (path, "--shorten", 10_000)
    for args, count in (((path,), 0), ((path, "--json"), 0), (shorter, 3), (one, 1)):
        shortened.clear()
        assert run("solve", *args)[0] == 0
        assert len(shortened) == count
