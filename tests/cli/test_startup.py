"""Modules loaded before an answer: they are counted, since times depend on the machine."""

from tests.children import start_code
from tests.compiled import needs_kernels

CODE = """
import sys
before = set(sys.modules)
from winnable.__main__ import main
try:
    main()
except SystemExit:
    pass
print(*sorted(set(sys.modules) - before), file=sys.stderr)
"""
OTHERS = ("winnable.solver.simon.", "winnable.solver.joker.", "winnable.solver.player.")
OTHERS += ("winnable.rules.simon", "winnable.rules.joker")


def loaded_by(*args):
    """The modules that a command line loads."""
    process = start_code(CODE, *args)
    modules = process.finish()[1].split()
    assert process.returncode == 0
    return set(modules)


def test_help_loads_its_pages_alone():
    modules = loaded_by("--help")
    mine = {module for module in modules if module.startswith("winnable")}
    assert mine == {
        *("winnable", "winnable.__main__", "winnable.solver", "winnable.solver.diagnostics", "winnable.cli"),
        *(f"winnable.cli.{name}" for name in ("console", "help", "interrupts", "main", "terminal")),
    }
    assert not modules & {"pathlib", "shutil", "signal", "subprocess", "dataclasses"}
    assert len(modules) < 80


@needs_kernels
def test_a_deal_loads_one_family_and_one_format():
    modules = loaded_by("solve", "fortress", "--seed", 1)
    assert {"winnable.solver.core.border", "winnable.solver.chessboard"} <= modules
    assert not modules & {"numpy", "tqdm", "winnable.solver.batch", "winnable.solver.analysis"}
    assert not [module for module in modules if module.startswith(OTHERS)]
    assert not modules & {"pathlib", "shutil", "difflib", "json", "signal", "textwrap"}
    assert not modules & {"winnable.solver.reference", "winnable.rules.family", "winnable.rules.tiers"}
    formats = {module for module in modules if module.startswith("winnable.rules.formats.")}
    names = ("foreign", "foreign.pysol", "header", "solutions", "text")
    assert formats <= {f"winnable.rules.formats.{name}" for name in names}
    assert len(modules) < 125
    assert not loaded_by("hint", "chessboard", "--seed", 8, "--json") & {"numpy", "tqdm"}


@needs_kernels
def test_a_rate_loads_what_it_needs_alone():
    modules = loaded_by("rate", "fortress", "--deals", "1-1")
    assert not modules & {"hashlib", "logging", "numpy", "pathlib", "tqdm"}
    unused = {f"winnable.solver.{name}" for name in ("certificates", "player", "reference")}
    assert not modules & unused
