"""Without a compiled engine, or with a broken one: the warning appears once, and some options are refused."""

import json
import os
import sys
import warnings

import pytest
from tests.compiled import needs_kernels

from winnable.rules import VARIANTS, find_variant
from winnable.solver import diagnostics, engine, solve
from winnable.solver.analysis.difficulty import judge_of
from winnable.solver.engine import find_kernel, what_is_missing
from winnable.solver.player.player import find_player_kernel

MODULES = ("core.border",)
SHORT = find_variant("chessboard").deal(1, 3, "CD", (2, 2, 2))


@pytest.fixture(autouse=True)
def _nothing_said(monkeypatch):
    monkeypatch.setattr(diagnostics, "_said", set())
    monkeypatch.setattr(diagnostics, "_seconds", 0.0)


@pytest.fixture
def bare(monkeypatch):
    """No compiled engine."""
    for module in MODULES:
        monkeypatch.setitem(sys.modules, f"winnable.solver.{module}", None)


@pytest.fixture
def impatient(monkeypatch):
    """Every search of the reference engine exceeds its limit."""
    monkeypatch.setattr(diagnostics, "PATIENCE", -1.0)


@pytest.mark.quick(2)
@needs_kernels
@pytest.mark.parametrize(
    "line",
    [
        "solve fortress --seed 8", "solve simple-simon --seed 8 --shortest",
        "hint chessboard --seed 8 --prove 9M", "rate klondike --deals pysol:1-9",
        "difficulty fortress --seed 8", "replay joker --seed 1 --output FILE",
        "bench --check --file SIGNATURE",
    ],
)  # fmt: skip
def test_a_wrong_answer_is_told_in_a_line(run, tmp_path, monkeypatch, line):
    """A line of a kernel that the rules refute is a bug, and no command gives a traceback for it."""

    def refuted(*_, **__):
        raise diagnostics.WrongAnswer("the line found is illegal")

    monkeypatch.setattr(engine, "_replayed", refuted)
    (tmp_path / "SIGNATURE").write_text("")
    monkeypatch.chdir(tmp_path)
    status, _, err = run(*line.split())
    assert (status, err.count("\n")) == (1, 1)
    assert "a bug of winnable, and no answer: the line found is illegal; see 'Debugging a kernel'" in err
    assert not os.path.exists("FILE")
    if not line.startswith("replay"):
        assert json.loads(run(*line.split(), "--json")[1])["error"]["status"] == 1


def broken(monkeypatch, error):
    """Make the import of compiled modules fail."""

    def fail(name):
        raise error

    monkeypatch.setattr(diagnostics.importlib, "import_module", fail)


@pytest.mark.usefixtures("bare")
def test_an_engine_that_is_not_there_is_quiet(monkeypatch):
    monkeypatch.setattr(diagnostics, "PATIENCE", float("inf"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert [find_kernel(variant) for variant in VARIANTS.values()] == [None] * len(VARIANTS)
        assert solve("chessboard", SHORT).engine == "reference"


@pytest.mark.parametrize(
    "error",
    [
        ImportError("undefined symbol: PyFoo"), ModuleNotFoundError("none", name="border"),
        ModuleNotFoundError("none", name="winnable.solver.core.hash_set"),
        AttributeError("no SearchKernel"), ValueError("numpy.dtype size changed"),
    ],
)  # fmt: skip
def test_an_engine_that_does_not_load_says_why_once(monkeypatch, error):
    broken(monkeypatch, error)
    with pytest.warns(diagnostics.EngineWarning) as told:
        found = [find_kernel(find_variant(name)) for name in ("chessboard", "fortress")]
    assert found == [None, None]
    assert len(told) == 1
    text = str(told[0].message)
    assert "winnable.solver.core.border" in text
    assert f"{type(error).__name__}: {error}" in text
    assert "\n" not in text


def test_a_player_that_does_not_load_says_why(monkeypatch):
    broken(monkeypatch, ImportError("undefined symbol"))
    with (
        pytest.warns(diagnostics.EngineWarning, match="core.border was compiled, but .* undefined symbol"),
        pytest.raises(ValueError, match="a player needs"),
    ):
        find_player_kernel()


@pytest.mark.usefixtures("bare")
def test_short_searches_add_up(monkeypatch):
    clock = iter(range(1000))
    monkeypatch.setattr(diagnostics.time, "monotonic", lambda: next(clock) * 0.2)
    first, second = diagnostics.watched("joker"), diagnostics.watched("joker")
    assert first() is second() is False
    with pytest.warns(diagnostics.EngineWarning, match="joker"):
        first()


def test_the_watch_passes_on_the_wish_to_stop():
    assert diagnostics.watched("joker", lambda: True)() is True


@pytest.mark.usefixtures("bare")
def test_refusals_name_the_remedy():
    for refused in (
        find_player_kernel,
        lambda: judge_of(find_variant("chessboard")),
        lambda: judge_of(find_variant("joker")),
        lambda: solve("chessboard", SHORT, engine="compiled"),
    ):
        with pytest.raises(ValueError, match="compiled") as raised:
            refused()
        assert diagnostics.REMEDY in str(raised.value)


@pytest.mark.usefixtures("bare")
def test_the_games_without_an_engine_are_told(monkeypatch):
    monkeypatch.setattr(engine, "_FAMILIES", ("simon",))  # no kernel implements any other
    text = what_is_missing()
    assert "simon-jester, simon-jester-triangular, simple-simon" in text
    assert diagnostics.REMEDY in text


@pytest.mark.usefixtures("bare")
def test_the_commands_say_it(run):
    out = run.out("--version")
    assert out == f"winnable, version 4.0.0\n{what_is_missing()}\n"
    for line in (
        "bench", "simulate joker --seed 1", "hint joker --seed 1 --player search",
        "rate joker --deals 1-2 --player rule", "rate fortress --deals 1-2 --shortest",
        "deal chessboard --seed 8 --difficulty hard --max-seconds 0.2", "difficulty chessboard --seed 8",
        "solve joker --seed 1 --engine compiled",
    ):  # fmt: skip
        assert diagnostics.REMEDY in run.fails(*line.split())


@pytest.mark.quick(2)
@pytest.mark.usefixtures("bare", "impatient")
@pytest.mark.parametrize(
    "line",
    [
        "solve chessboard --seed 8", "solve chessboard --seed 8 --json", "replay chessboard --seed 8",
        "hint simple-simon --seed 1 --max-seconds 0.1", "deal chessboard --seed 8 --winnable",
        "rate fortress --deals 1-20 --work 25k --json",
    ],
)  # fmt: skip
def test_the_commands_say_it_once_while_they_work(run, line):
    status, _, err = run(*line.split())
    assert status in (0, 3)
    assert err.count("\n") == 1
    assert err.startswith("winnable: ")
    assert diagnostics.REMEDY in err


@pytest.mark.usefixtures("bare", "impatient")
def test_the_reference_engine_that_was_asked_for_is_no_news(run):
    run.out("solve", "chessboard", "--seed", 8, "--quiet", "--engine", "reference")


@pytest.mark.usefixtures("impatient")
def test_the_commands_tell_what_is_broken_in_one_line(run, monkeypatch):
    real = diagnostics.importlib.import_module

    def fail(name, package=None):
        if name.startswith("winnable.solver."):
            raise ImportError("undefined symbol: PyFoo")
        return real(name, package)

    monkeypatch.setattr(diagnostics.importlib, "import_module", fail)
    status, out, err = run("solve", "chessboard", "--seed", 8, "--quiet")
    assert (status, out, err.count("\n")) == (0, "winnable\n", 1)
    broken = "winnable.solver.core.border was compiled, but does not load (ImportError"
    assert err.startswith(f"winnable: {broken}")
