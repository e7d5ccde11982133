"""Setup for all tests: stuck tests and their child processes are ended, and hypothesis has no deadline."""

import atexit
import faulthandler
import os
import shutil
import signal
import sys
import tempfile
import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from tests.browsing import FAILURES, start_browser
from tests.children import end_children

from winnable.solver.analysis import moves, review

pytest_plugins = ["tests.tiers"]
ALLOWANCE = 60  # seconds after which a stuck test is ended despite its signal
HALF_A_DAY = 12 * 3600

# These look at the sources of a checkout. A source distribution has the packages beneath src/winnable alone.
collect_ignore = ["mutations", "python/test_glossary.py", "python/test_packages.py"]
collect_ignore += ["solver/test_build.py", "solver/test_independence.py"]
if Path(__file__).parents[1].joinpath("solver").is_dir():
    collect_ignore = []

settings.register_profile(
    "no clock", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("no clock")


def pytest_configure():
    """Keep the games that tests play out of the user's history. If Ctrl-C is ignored, set a handler that does
    nothing instead: programs that tests start inherit an ignored signal, but not a handler."""
    os.environ["XDG_DATA_HOME"] = folder = tempfile.mkdtemp(prefix="winnable-tests-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, lambda *_: None)


def pytest_collection_modifyitems(config, items):
    """Give the full-size proofs more time than other tests, but not without limit. A test whose browser
    crashes, hangs or ends, which says nothing of its page, runs again in another one."""
    can_rerun = config.pluginmanager.hasplugin("rerunfailures")
    for item in items:
        if item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.timeout(HALF_A_DAY))
        if can_rerun and "browser" in item.fixturenames:
            item.add_marker(pytest.mark.flaky(reruns=3, only_rerun=FAILURES))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    """End everything if a test ignores its time limit, since compiled code checks no signals."""
    marker = item.get_closest_marker("timeout")
    seconds = marker.args[0] if marker else float(item.config.getini("timeout"))
    watchdog = threading.Timer((seconds or HALF_A_DAY) + ALLOWANCE, give_up, [item])
    watchdog.daemon = True
    watchdog.start()
    try:
        return (yield)
    finally:
        watchdog.cancel()


def give_up(item):
    """Report the stuck test and where it was, and end everything."""
    item.config.pluginmanager.getplugin("capturemanager").suspend_global_capture(in_=True)
    print(f"\n{item.nodeid} is stuck, and no signal ends it", file=sys.stderr, flush=True)
    faulthandler.dump_traceback(sys.stderr)
    end_children()
    os._exit(1)


@pytest.fixture(autouse=True)
def _children():
    """End the programs that a test has started."""
    yield
    end_children()


@pytest.fixture(scope="module")
def browser():
    """A browser for the tests of a module; the module imports `complaints`."""
    driver = start_browser()
    yield driver
    driver.quit()


@pytest.fixture
def ctrl_c():
    """Handle SIGINT as at a terminal, where in the background it may be ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def interrupt_search(monkeypatch):
    """A function that makes Ctrl-C arrive in search ``number``, counted from 1; it returns a list with an
    entry for each search."""
    found = moves.search

    def at(number):
        begun = []

        def search(begin):
            begun.append(None)
            if len(begun) == number:
                raise KeyboardInterrupt
            return found(begin)

        monkeypatch.setattr(moves, "search", search)
        monkeypatch.setattr(review, "search", search)
        return begun

    return at


@pytest.fixture
def started(monkeypatch):
    """The threads that a test has started; only the first one can be started."""
    starts, threads = threading.Thread.start, []

    def starts_one(thread):
        if threads:
            raise RuntimeError("can't start new thread")
        threads.append(thread)
        starts(thread)

    monkeypatch.setattr(threading.Thread, "start", starts_one)
    return threads
