"""A copy of the project in which a mutant is built and the tests run."""

from __future__ import annotations

import os
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import TypeVar

from .table import ROOT

Asked = TypeVar("Asked")
Found = TypeVar("Found")

LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", "*.egg-info")
PACKAGES = ("rules", "checker", "solver", "cli", "game", "board", "build")
MOST_SECONDS = 120  # processor seconds for the tests of one mutant: some searches never end
MOST_SECONDS_OF_A_TEST = 120
MOST_BYTES = 6 << 30  # address space: some mutants take all memory
NOT_BUILT = 99  # the status of a build that failed
BUILD = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
PYTEST = [sys.executable, "-m", "pytest", "-v", "--tb=line", "-p", "no:cacheprovider"]
PYTEST += ["-o", f"timeout={MOST_SECONDS_OF_A_TEST}"]
LONGEST_WAIT = 3600  # seconds of wall time, for tests that wait


@dataclass(frozen=True)
class Answer:
    """The tests that failed, the first of them or what happened instead, and the output."""

    failed: tuple[str, ...]
    output: str
    is_built: bool = True


class Runner:
    """A copy of the project in ``folder``, made by `open`, or from another one by `copy`."""

    def __init__(self, folder: Path, through: Sequence[str] = ()) -> None:
        self.folder = folder
        self.pristine = folder / "pristine"
        self.work = folder / "work"
        self.through = list(through)

    def open(self) -> None:
        """Copy the project with its compiled modules, and build the modules that are out of date.

        Raises RuntimeError if the build fails.
        """
        shutil.copytree(ROOT, self.pristine, symlinks=True, ignore=LEFT_OUT)
        built = self._run(BUILD, self.pristine, LONGEST_WAIT)
        if built.returncode:
            raise RuntimeError(f"the project cannot be built:\n{built.stdout}")
        shutil.copytree(self.pristine, self.work, symlinks=True)

    def copy(self, folder: Path) -> Runner:
        """Make another copy, to work beside this one."""
        other = Runner(folder, self.through)
        shutil.copytree(self.folder, folder, symlinks=True)
        return other

    def _run(self, command: list[str], folder: Path, seconds: int) -> subprocess.CompletedProcess[str]:
        """Run a command in a copy; a command that exceeds its limits is killed with its children."""
        environment = os.environ | {"PYTHONPATH": str(folder / "src"), "COLUMNS": "200"}
        environment |= dict.fromkeys(("PYTHONDONTWRITEBYTECODE", "WINNABLE_REQUIRE_COMPILED"), "1")

        def set_limits() -> None:
            for limited, most in ((resource.RLIMIT_CPU, seconds), (resource.RLIMIT_AS, MOST_BYTES)):
                resource.setrlimit(limited, (most, resource.getrlimit(limited)[1]))  # tests may raise it

        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True, "errors": "replace"}
        apart = {"cwd": folder, "env": environment, "start_new_session": True, "preexec_fn": set_limits}
        with subprocess.Popen([*self.through, *command], **pipes, **apart) as process:
            try:
                output, _ = process.communicate(timeout=LONGEST_WAIT)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                output, _ = process.communicate()
            return subprocess.CompletedProcess(command, process.returncode, output)

    def ask(
        self, tests: Sequence[str], *options: str, build: bool = True, seconds: int = MOST_SECONDS
    ) -> Answer:
        """Build the modules that are out of date and run tests. Both are one command, so that ``through``
        runs once."""
        command = f"exec {shlex.join([*PYTEST, *options, *tests])}"
        if build:
            command = f"{shlex.join(BUILD)} >build.txt 2>&1 || exit {NOT_BUILT}; {command}"
        asked = self._run(["sh", "-c", command], self.work, seconds)
        if asked.returncode in (0, 5):  # 5: none of these tests is in the tier
            return Answer((), asked.stdout)
        if asked.returncode == NOT_BUILT:
            output = (self.work / "build.txt").read_text(encoding="utf-8")
            return Answer(("it cannot be built",), output, is_built=False)
        failed = re.findall(r"^(?:FAILED|ERROR) (\S.*?)(?: - .*)?$", asked.stdout, re.MULTILINE)
        if not failed:
            ends = "PASSED|SKIPPED|XFAIL|Fatal Python error"
            begun = re.findall(rf"^(\S+::.*?)(?: (?:{ends}).*)?$", asked.stdout, re.MULTILINE)
            failed = [f"{begun[-1] if begun else 'pytest'} (status {asked.returncode})"]
        return Answer(tuple(failed), asked.stdout)

    def restore(self) -> None:
        """Restore every changed source and compiled module."""
        for package in PACKAGES:
            for original in (self.pristine / package).rglob("*"):
                other = self.work / original.relative_to(self.pristine)
                if original.is_file() and original.stat().st_mtime_ns != other.stat().st_mtime_ns:
                    shutil.copy2(original, other)


class Runners:
    """Copies of the project that judge mutants in parallel; leaving the context removes them."""

    def __init__(self, jobs: int, through: Sequence[str] = ()) -> None:
        self.jobs = jobs
        self.through = through
        self.idle: SimpleQueue[Runner] = SimpleQueue()

    def __enter__(self) -> Runner:
        self.folder = tempfile.TemporaryDirectory(prefix="mutations-")
        folder = Path(self.folder.name)
        first = Runner(folder / "0", self.through)
        first.open()
        self.idle.put(first)
        for number in range(1, self.jobs):
            self.idle.put(first.copy(folder / str(number)))
        return first

    def __exit__(self, *_: object) -> None:
        self.folder.cleanup()

    def map(self, judge: Callable[[Runner, Asked], Found], asked: Iterable[Asked]) -> Iterator[Found]:
        """Yield the findings of ``judge``, each by an idle copy, in the order of ``asked``."""

        def judge_one(one: Asked) -> Found:
            runner = self.idle.get()
            try:
                return judge(runner, one)
            finally:
                self.idle.put(runner)

        with ThreadPoolExecutor(self.jobs) as pool:
            yield from pool.map(judge_one, asked)
