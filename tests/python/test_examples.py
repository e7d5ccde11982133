"""The Python examples in the README, in docs/ and in docstrings: each is run and must print the output that
follows it."""

import doctest
import importlib.util
import os
import pkgutil
import re
import sys
from pathlib import Path

import pytest
from tests.compiled import needs_kernels

import winnable

ROOT = Path(__file__).parents[2]
PAGES = ["README.md"]
PAGES += sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))
PAGES.remove("docs/first-change.md")  # its Python changes the sources
PAGES.remove("docs/library.md")  # tests/library runs its example by ctypes
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)

pytestmark = needs_kernels


TABLES = all(map(importlib.util.find_spec, ("pandas", "pyarrow")))  # the extra 'dataframe' is installed


def blocks_of(page):
    """The Python blocks of a page, without those on pandas tables if pandas is not installed."""
    blocks = BLOCK.findall((ROOT / page).read_text())
    return [block for block in blocks if TABLES or not re.search(r"import pandas|to_frame", block)]


def run(test):
    """Run the examples of ``test``; return the report of failures as text."""
    report = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=report.append)
    return "".join(report)


@pytest.mark.quick("README.md", "docs/tour.md")
@pytest.mark.parametrize("page", [page for page in PAGES if blocks_of(page)])
def test_the_examples_of_a_page_are_real(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    code = "\n".join(blocks_of(page))
    assert code.count(">>>") >= len(blocks_of(page)), "an example without an answer is not tested"
    assert run(doctest.DocTestParser().get_doctest(code, {}, page, page, 0)) == ""


def test_the_examples_in_docstrings_are_real():
    names = ["winnable", *(m.name for m in pkgutil.walk_packages(winnable.__path__, "winnable."))]
    modules = [importlib.import_module(name) for name in names if name != "winnable.__main__"]
    tests = [test for module in modules for test in doctest.DocTestFinder().find(module) if test.examples]
    assert len(blocks_of("docs/python.md")) >= 5
    assert {"winnable", "winnable.solver.batch.threads.solve_records"} <= {test.name for test in tests}
    for test in tests:
        assert run(test) == ""
