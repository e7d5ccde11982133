"""The tiers of the tests: quick, full and slow.

The quick tier is what `pytest` runs: a part of every kind of test, in a minute and a half on two processors.
`pytest -m full` runs the rest, `pytest -m slow` the proofs at full size. A test is of the full tier if it is
marked so, or if `tests/full.txt` lists it: the cases that took more processor time than `MOST_SECONDS` when
the list was last made, by

    pytest -n logical -m 'not slow' --list-dear-tests

A test function keeps its cheapest case in the quick tier if that takes up to `MOST_OF_THE_ONLY_CASE`.
"""

import os
from pathlib import Path

import pytest

LIST = Path(__file__).with_name("full.txt")
MOST_SECONDS = 0.3
MOST_OF_THE_ONLY_CASE = 1.5


def pytest_addoption(parser):
    """The option that makes the list anew."""
    parser.addoption("--list-dear-tests", action="store_true", help="write tests/full.txt anew")


def pytest_configure(config):
    """Collect what tests cost where the list is made: in the process that hands them out."""
    if config.getoption("--list-dear-tests") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Costs())


def pytest_collection_modifyitems(items):
    """Mark the listed tests."""
    listed = set(LIST.read_text().splitlines()) if LIST.exists() else set()
    for item in items:
        if item.nodeid in listed:
            item.add_marker(pytest.mark.full)


def seconds():
    """Processor time of this process and of the children that have ended."""
    return sum(os.times()[:4])


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call(item):
    """Note what a test costs; fixtures that others share are left out."""
    before = seconds()
    try:
        return (yield)
    finally:
        item.user_properties.append(("cost", seconds() - before))


class Costs:
    """What each test cost, and the list that follows from it."""

    def __init__(self):
        self.costs = {}

    def pytest_runtest_logreport(self, report):
        """Take in the cost of a test that was run."""
        if report.when == "call":
            self.costs[report.nodeid] = dict(report.user_properties).get("cost", 0)

    def pytest_sessionfinish(self):
        """Write the list."""
        cheapest = {}
        for node, cost in self.costs.items():
            function = node.partition("[")[0]
            cheapest[function] = min(cheapest.get(function, (cost, node)), (cost, node))
        kept = {node for cost, node in cheapest.values() if cost <= MOST_OF_THE_ONLY_CASE}
        dear = [node for node, cost in self.costs.items() if cost > MOST_SECONDS and node not in kept]
        LIST.write_text("".join(f"{node}\n" for node in sorted(dear)))
