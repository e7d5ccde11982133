"""The tiers of the tests: quick, full and slow.

The quick tier is what `pytest` runs: a part of every kind of test, in some seventy seconds on two processors.
`pytest -m "full and not slow"` runs the rest, `pytest -m slow` the proofs at full size. A test function that
takes more than `MOST_SECONDS` of processor time belongs to the full tier, by the marker `full`, except for
some of its cases: `quick(3)` keeps three of them in the quick tier, evenly spaced, and `quick("joker",
"2-3")` those with these names. `pytest --list-costs` lists the functions that take longer.
"""

import os
from collections import Counter
from itertools import groupby

import pytest

MOST_SECONDS = 0.5
COST = pytest.StashKey()
_shared = 0.0  # seconds that this test spent in fixtures that other tests use too


def pytest_addoption(parser):
    """Add the option that lists the costs of tests."""
    parser.addoption("--list-costs", action="store_true", help="list functions by processor time")


def pytest_configure(config):
    """Collect the costs in the process that distributes the tests."""
    if config.getoption("--list-costs") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Costs())


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Mark the cases of the full tier."""
    one_by_one = any("::" in argument for argument in config.args)
    for (_, name), group in groupby(items, lambda item: (item.parent, getattr(item, "originalname", ""))):
        cases = [item for item in group if not item.get_closest_marker("slow")]
        marker = cases and cases[0].get_closest_marker("quick")
        if not marker:
            continue
        if isinstance(marker.args[0], int):
            kept = [cases[number * len(cases) // marker.args[0]] for number in range(marker.args[0])]
        else:
            kept = [item for item in cases if item.callspec.id in marker.args]
            if len(kept) < len(marker.args) and not one_by_one:
                raise pytest.UsageError(f"{name}: expected names of cases, got {marker.args}")
        for item in cases:
            if item not in kept:
                item.add_marker(pytest.mark.full)


def seconds():
    """Processor time of this process and of its finished child processes."""
    return sum(os.times()[:4])


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef):
    """Record the cost of a fixture that tests share."""
    global _shared
    before, shared_before = seconds(), _shared
    try:
        return (yield)
    finally:
        if fixturedef.scope != "function":
            _shared = shared_before + seconds() - before


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item):
    """Begin to count the cost of a test."""
    item.stash[COST] = seconds() - _shared
    return (yield)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item):
    """Record the cost of a test with its own fixtures."""
    try:
        return (yield)
    finally:
        item.user_properties.append(("cost", seconds() - _shared - item.stash[COST]))


class Costs:
    """The cost of each test function, for the list of them."""

    def __init__(self):
        self.costs, self.cases = Counter(), Counter()

    def pytest_runtest_logreport(self, report):
        """Add the cost of a test that was run."""
        if report.when == "teardown":
            function = report.nodeid.partition("[")[0]
            self.costs[function] += dict(report.user_properties)["cost"]
            self.cases[function] += 1

    def pytest_terminal_summary(self, terminalreporter):
        """Print the list."""
        terminalreporter.section(f"{self.costs.total():.0f} s of processor time")
        for function, cost in self.costs.most_common():
            if cost > MOST_SECONDS:
                terminalreporter.write_line(f"{cost:6.2f} s  {self.cases[function]:3} cases  {function}")
