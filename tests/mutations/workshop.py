"""A copy of the project in which one line is spoilt, its module built again, and the quick tests asked."""

from __future__ import annotations

import os
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .table import ROOT, Mutant

COPIED = ("src", "rules", "checker", "solver", "cli", "tests", "seeds", "benchmarks", "docs", "build")
COPIED_FILES = (
    "setup.py",
    "pyproject.toml",
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
)
SPOILT_ROOMS = ("rules", "checker", "solver", "cli", "build")
MOST_SECONDS = 120  # of processor time for the tests of one mutant: some spoilt searches never end
MOST_BYTES = 6 << 30  # of address space: others eat all memory
NOT_BUILT = 99  # the status of a build that failed
BUILD = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
PYTEST = [sys.executable, "-m", "pytest", "-x", "-v", "--tb=line", "-p", "no:cacheprovider", "-m", "not slow"]
LONGEST_WAIT = 3600  # seconds, also for whatever the tests wait for


@dataclass(frozen=True)
class Answer:
    """The first test that failed, or None, and all that was said."""

    failed: str | None
    said: str


class Workshop:
    """A copy of the project in ``folder``, built; made by `open`, or from another one by `copy`."""

    def __init__(self, folder: Path, through: Sequence[str] = ()) -> None:
        self.folder = folder
        self.pristine = folder / "pristine"
        self.work = folder / "work"
        self.through = list(through)

    def open(self) -> None:
        """Copy the project as it is, with what was compiled in place, and build what is not up to date.

        Raises RuntimeError if it cannot be built.
        """
        self.pristine.mkdir(parents=True)
        for name in COPIED:
            if (ROOT / name).exists():
                ignored = shutil.ignore_patterns("__pycache__")
                shutil.copytree(ROOT / name, self.pristine / name, symlinks=True, ignore=ignored)
        for name in COPIED_FILES:
            if (ROOT / name).exists():
                shutil.copy2(ROOT / name, self.pristine / name)
        built = self._run(BUILD, self.pristine)
        if built.returncode:
            raise RuntimeError(f"the project cannot be built:\n{built.stdout}")
        shutil.copytree(self.pristine, self.work, symlinks=True)

    def copy(self, folder: Path) -> Workshop:
        """Another workshop like this one, to work beside it."""
        other = Workshop(folder, self.through)
        shutil.copytree(self.folder, folder, symlinks=True)
        return other

    def _run(self, command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
        """Run a command in a copy, within the limits above, beyond which it is killed with its children."""
        environment = dict(
            os.environ,
            PYTHONPATH=str(folder / "src"),
            PYTHONDONTWRITEBYTECODE="1",
            WINNABLE_REQUIRE_COMPILED="1",
            COLUMNS="200",
        )
        with subprocess.Popen(
            [*self.through, *command],
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
            preexec_fn=_set_limits,
        ) as process:
            try:
                said, _ = process.communicate(timeout=LONGEST_WAIT)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                said, _ = process.communicate()
            return subprocess.CompletedProcess(command, process.returncode, said)

    def ask(self, tests: Sequence[str], build: bool = True) -> Answer:
        """Build what is not up to date and run the tests of some files, except slow ones, up to the first
        that fails. Both are one command, so that what it goes through is asked once."""
        command = f"exec {shlex.join([*PYTEST, *tests])}"
        if build:
            command = f"{shlex.join(BUILD)} >build.txt 2>&1 || exit {NOT_BUILT}; {command}"
        asked = self._run(["sh", "-c", command], self.work)
        if asked.returncode == 0:
            return Answer(None, asked.stdout)
        if asked.returncode == NOT_BUILT:
            return Answer("it cannot be built", (self.work / "build.txt").read_text(encoding="utf-8"))
        failed = re.search(r"^(?:FAILED|ERROR) (\S.*?)(?: - .*)?$", asked.stdout, re.MULTILINE)
        if failed:
            return Answer(failed[1], asked.stdout)
        begun = re.findall(r"^(\S+::.*?)(?: (?:PASSED|SKIPPED|XFAIL).*)?$", asked.stdout, re.MULTILINE)
        return Answer(f"{begun[-1] if begun else 'pytest'} (status {asked.returncode})", asked.stdout)

    def judge(self, mutant: Mutant) -> str | None:
        """The first test that fails where ``mutant`` is; None if it survives all of its module."""
        source = self.work / mutant.module.path
        try:
            source.write_text(mutant.spoil(source.read_text(encoding="utf-8")), encoding="utf-8")
            answer = self.ask(mutant.module.tests, build=source.suffix != ".py")
        finally:
            self.restore()
        return answer.failed if mutant.refused in answer.said else None

    def restore(self) -> None:
        """Bring back every source and every compiled module that is not what it was."""
        for room in SPOILT_ROOMS:
            for true in (self.pristine / room).rglob("*"):
                other = self.work / true.relative_to(self.pristine)
                if true.is_file() and true.stat().st_mtime_ns != other.stat().st_mtime_ns:
                    shutil.copy2(true, other)


def _set_limits() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
