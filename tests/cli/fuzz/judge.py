"""Checks of the outcome of a command, for any input."""

import json
import os
import re
import sqlite3
from contextlib import closing

from winnable.rules import VARIANTS

ESCAPES = re.compile(r"\x1b\[[0-9;]*m")
LONGEST = 600  # characters of a message, without the names of files
HEADER = re.compile(rb"^\s*#+[ \t]*game[ \t]*:[ \t]*([a-z-]+)[ \t]*\r?$", re.MULTILINE | re.IGNORECASE)
KEY = re.compile(rb'"(?:game|variant)"\s*:\s*"([^"]*)"')


def snapshot(folder):
    """All files of a folder with their contents, and links with their targets."""
    return {name: _content(os.path.join(folder, name)) for name in os.listdir(folder)}


def _content(path):
    if os.path.islink(path):
        return ("link", os.readlink(path))
    if os.path.isdir(path):
        return ("folder", sorted(os.listdir(path)))
    with open(path, "rb") as file:
        return file.read()


def judge(line, status, out, err, before, after):
    """Raise AssertionError for an outcome that must never happen."""
    is_wrong = line.args[0] == "verify" and bool(out)  # status 1 reports a wrong line of play
    assert status in (0, *([1] if is_wrong else []), 2, 3), f"exit status {status}"
    assert "Traceback" not in out + err, "a traceback"
    judge_complaints(line, status, ESCAPES.sub("", err))
    if status != 2:
        judge_games(line, out)
    if "--json" in line.args and "--help" not in line.args:
        judge_json(out)
    judge_files(line, status, before, after)


def judge_complaints(line, status, err):
    """Messages are single lines with the name of the program; with status 2 there is exactly one."""
    lines = err.splitlines()
    assert err == "" or err.endswith("\n"), "a complaint without an end"
    if line.args[0] == "bench" and "the signature differs" in err:
        return
    assert all(each.startswith("winnable: ") for each in err.split("\n")[:-1]), "who complains?"
    assert all(each.isprintable() for each in lines), "a complaint that is not printable"
    lengths = [len(str(name)) for name in (*line.files, line.output or "", *line.args)]
    names = sum(length for length in lengths if length < 1000)
    assert all(len(each) <= LONGEST + names for each in lines), "a complaint that nobody reads"
    assert status != 2 or len(lines) == 1, "not one complaint"


def named_games(data):
    """The games that a file names, as far as that is certain."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    if data.lstrip()[:1] in (b"{", b"["):
        names = KEY.findall(data)
    else:
        data = data.rstrip()
        while b"\n" in data and data.rpartition(b"\n")[2].lstrip().startswith(b"#"):  # no header of a board
            data = data.rpartition(b"\n")[0].rstrip()
        names = HEADER.findall(data)
    return {name.decode().lower() for name in names} & set(VARIANTS)


def judge_games(line, out):
    """A file is never answered for another game than the one it names."""
    if line.args[0] in ("report", "bench", "describe") or "--help" in line.args:
        return
    told = named_games(ESCAPES.sub("", out).encode())
    asked = [game for game in line.games if game in VARIANTS]
    for data in line.read:
        if (named := named_games(data)) and not data.startswith(b"SQLite"):
            assert told <= named, f"the file names {named}, and the answer is of {told}"
            assert not asked or asked[0] in named, f"{asked[0]} was answered, and the file is of {named}"


def judge_json(out):
    """Standard output is one JSON document, or one per line, without NaN or infinity."""

    def refuse(word):
        raise AssertionError(f"{word} in JSON")

    text = ESCAPES.sub("", out)
    try:
        json.loads(text or "null", parse_constant=refuse)
    except json.JSONDecodeError:
        for each in text.splitlines():
            json.loads(each, parse_constant=refuse)


def judge_files(line, status, before, after):
    """Files are unchanged or completely new, and no other files appear."""
    output = line.output or ""
    links = {"link.html": "target.html", "dangling.html": "nothing.html"}
    place = links.get(output, output.removeprefix("./"))
    for name, content in before.items():
        assert name in after, f"{name} is lost"
        if after[name] != content:
            assert name == place, f"{name} was changed"
            judge_written(line, status, content, after[name])
    for name in after.keys() - before.keys():
        assert name == place, f"{name} was left there"
        assert status != 2 or line.args[0] in ("rate", "bench"), f"{name} was written by a failed command"
        judge_written(line, status, None, after[name])
    if status == 0 and output and "--help" not in line.args and line.args[0] not in ("rate", "bench"):
        assert output in ("/dev/null", "-") or place in after, f"{output} was not written"


def judge_written(line, status, before, after):
    """A written file is complete."""
    if line.args[0] == "rate":
        assert before is None or after[:6] == b"SQLite", "no store"
        if status != 2:
            with closing(sqlite3.connect(":memory:")) as store:
                store.deserialize(after[:18] + b"\1\1" + after[20:])  # without a write-ahead log, in memory
                assert store.execute("PRAGMA quick_check").fetchone() == ("ok",), "a damaged store"
    elif line.args[0] == "report":
        assert after[:4] == b"\x89PNG", "no picture"
    elif line.args[0] == "bench":
        assert after.startswith(b"# states expanded")
        assert not before or before.startswith(b"# states expanded"), "no signature was there"
    else:
        page = after.decode().strip() if isinstance(after, bytes) else ""
        if "--json" in line.args and line.args[0] == "replay":
            json.loads(page)
        else:
            assert page.lower().startswith("<!doctype html>"), "no page"
            assert page.endswith("</html>"), "half a page"
