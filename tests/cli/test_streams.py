"""Many deals: answered as they arrive, on several threads, without unrequested output."""

import json
import re
import signal
import subprocess
import sys
from io import BytesIO

import pytest
from tests.children import start
from tests.compiled import needs_kernels

from winnable import deal
from winnable.cli.commands import solve as command
from winnable.cli.deals import Source
from winnable.rules import VARIANTS
from winnable.rules.formats import read_deals, stream_deals, write_deals
from winnable.rules.formats.text import Deal, FormatError

pytestmark = needs_kernels
STYLES = ("text", "jsonl", "json")


def written(names, style):
    deals = [Deal(deal(name, seed), seed) for seed, name in enumerate(names, 1)]
    return "".join(write_deals(None, deals, style, alone=False)).encode()


class Terminal:
    """Standard input on which somebody has typed some lines, and types no more."""

    def __init__(self, lines):
        self.lines, self.buffer = iter(lines), self

    def isatty(self):
        return True

    def fileno(self):
        raise ValueError("no descriptor")

    def readline(self, most):
        return next(self.lines)


def test_a_person_who_types_is_told_of_an_error_at_once(monkeypatch):
    monkeypatch.setattr(sys, "stdin", Terminal([b"9S 7D\n", b"foo\n"]))
    with pytest.raises(FormatError, match=r"^<stdin>:2: column 2: 'foo' is not a card"):
        list(Source(VARIANTS["fortress"], ("-",)).each())


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


GOOD = written(["fortress"] * 4, "jsonl").decode().splitlines()
BAD = {
    "hello": "invalid JSON: Expecting value at column 1",
    '{"game": "fortress", "columns": ["3S': "invalid JSON: Unterminated string",
    '{"game": "fortress"} }': "columns: expected a list",
    '{"a": 1}': "'a': no such key",
    "3": "expected a deal, an object with columns, got '3'",
    GOOD[0].replace("AS ", ""): "missing card: AS",
    GOOD[0].replace("AS", "AC"): "duplicate card AC",
    written(["chessboard"], "jsonl").decode().strip(): "this is a deal of chessboard, but fortress was named",
    '{"game": "fortress", "columns": [': "invalid JSON: Expecting value",
}


@pytest.mark.parametrize("is_file", [True, False])
@pytest.mark.parametrize("style", ["--json", "--quiet", "line"])
@pytest.mark.parametrize("workers", [1, 2])
def test_deals_after_a_bad_line_are_answered(run, tmp_path, is_file, style, workers):
    path = tmp_path / "deals"
    text = "\n".join([GOOD[0], *BAD, *GOOD[1:], '{"game": "fort']) + "\n"
    path.write_text(text)
    options = [] if style == "line" else [style]
    source = {} if is_file else {"stdin": text.encode()}
    status, out, err = run(
        "solve", "fortress", path if is_file else "-", *options, "--workers", workers, **source
    )
    assert status == 2
    name, bad = path if is_file else "<stdin>", [*BAD.values(), "invalid JSON: Unterminated string"]
    numbers = [*range(2, len(BAD) + 2), len(BAD) + 5]
    for number, told, line in zip(numbers, bad, err.splitlines(), strict=True):
        assert line.startswith(f"winnable: deal {number}: {name}:{number}: ")
        assert told in line
    good = ["unwinnable"] * 4
    if style == "line":
        assert [line.split(": ")[-1] for line in out.splitlines()] == good
    elif style == "--quiet":
        assert out.split() == good
    else:
        answers = [json.loads(line) for line in out.splitlines()]
        assert [answer["deal"] for answer in answers] == list(range(1, len(BAD) + 6))
        assert [answer["verdict"] for answer in answers if "verdict" in answer] == good
        told = [answer["error"]["message"] for answer in answers if "error" in answer]
        assert [
            f"winnable: deal {n}: {text}" for n, text in zip(numbers, told, strict=True)
        ] == err.splitlines()


def test_a_bad_line_is_answered_before_the_next_one_comes():
    child = start("solve", "fortress", "-", "--json", stdin=subprocess.PIPE)
    for line, key in ((GOOD[0], "verdict"), ("hello", "error"), (GOOD[1], "verdict"), ('{"a": 1}', "error")):
        child.stdin.write(f"{line}\n")
        child.stdin.flush()
        assert key in json.loads(child.first_line())
    assert child.finish()[0] == ""
    assert child.returncode == 2


def test_in_text_the_next_header_begins_a_deal(run):
    texts = written(["fortress"] * 4, "text").decode().split("\n\n")
    for number, (bad, told) in enumerate(((" ZZ ", "'ZZ' is not a card"), (" ", "missing card: "))):
        spoilt = [texts[0], re.sub(" .. ", bad, texts[1], count=1), *texts[2:]]
        for options in ([], ["--quiet"]):
            status, out, err = run("solve", "-", *options, stdin="\n\n".join(spoilt).encode())
            assert (status, len(out.splitlines()), err.count("\n")) == (2, 3, 1), number
            assert err.startswith("winnable: deal 2: <stdin>:")
            assert told in err
    headless = [text.partition("# seed: ")[2].partition("\n")[2] for text in texts]
    headless[1] = headless[1].replace(" ", " ZZ ", 1)
    status, out, err = run("solve", "fortress", "-", "--quiet", stdin="\n\n".join(headless).encode())
    assert (status, len(out.splitlines()), err.count("\n")) == (2, 1, 1)  # what follows may belong to it
    torn = f"{texts[0]}\n\n# seed: x\n# game: fortress\n{headless[2]}\n\n{texts[3]}"
    status, out, err = run("solve", "-", "--json", stdin=torn.encode())
    assert [json.loads(line).get("seed") for line in out.splitlines()] == [1, None, 4]


@pytest.mark.parametrize("text", ["hello", '{"hello"', "[3]", "# game: fortress\n3S 4H"])
def test_a_file_with_one_bad_deal_is_refused_as_a_whole(run, text):
    assert run.fails("solve", "fortress", "-", stdin=text.encode()).startswith("winnable: <stdin>:")


def test_a_value_of_several_lines_is_read_as_one(run):
    deals = [json.dumps(json.loads(line), indent=2) for line in GOOD[:2]]
    for text in (
        "\n".join(deals),
        f"{GOOD[0]}\n{deals[1]}",
        f"{GOOD[0]} {GOOD[1]}",
        f"[\n{GOOD[0]},\n{GOOD[1]}\n]",
    ):
        assert run("solve", "-", "--quiet", stdin=text.encode())[:2] == (0, "unwinnable\n" * 2)
    columns = str([column.split() for column in json.loads(GOOD[0])["columns"]])  # a list of Python
    for text in (f"[\n{GOOD[0]}\n]", columns, columns.replace("],", "],\n")):
        assert run("solve", "fortress", "-", "--quiet", stdin=text.encode())[:2] == (0, "unwinnable\n")


def test_a_batch_of_deals_with_a_bad_one_is_refused(run, tmp_path):
    path = tmp_path / "deals"
    path.write_text("\n".join([GOOD[0], "hello", GOOD[1]]))
    assert f"{path}:2: invalid JSON" in run.fails("rate", "fortress", "--deals", path)


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
