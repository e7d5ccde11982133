"""Calls of the second checker."""

import hashlib
import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

from tests.native.build import CACHE, locked

SOURCE = Path(__file__).parents[2] / "checker" / "second_checker.c"
WARNINGS = ["-std=c11", "-Wall", "-Wextra", "-pedantic", "-Werror"]


@cache
def compiled():
    """The second checker, compiled once for all tests; None where there is no compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        return None
    path = CACHE / f"second_checker-{hashlib.sha256(SOURCE.read_bytes()).hexdigest()[:16]}"
    with locked(CACHE / "second_checker.lock"):
        if not path.exists():
            new = path.with_suffix(".new")
            subprocess.run([compiler, "-O1", *WARNINGS, "-o", new, SOURCE], check=True)
            os.replace(new, path)
    return path


def answer(program, content, *arguments):
    """The line printed for a certificate: without its first word if accepted, with it if refused or not
    finished."""
    asked = subprocess.run([program, *arguments], input=content, capture_output=True, timeout=60)
    told = asked.stdout.decode(errors="replace")
    assert told.startswith({0: "accepted: ", 2: "refused: ", 3: "not finished "}[asked.returncode]), (
        told,
        asked.stderr,
    )
    assert told.find("\n") == len(told) - 1
    return told.rstrip("\n").removeprefix("accepted: ")


def accepts(program, content):
    return not answer(program, content).startswith("refused: ")
