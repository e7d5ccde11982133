"""The throughput of one driver: a few deals, and the part that limits many machines."""

import pytest
from tests.compiled import needs_kernels

pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")

from benchmarks import one_driver

pytestmark = needs_kernels


@pytest.mark.full
def test_a_few_deals(capsys):
    assert one_driver.main(["--deals", "300", "--rounds", "1", "--at-once", "4000"]) == 0
    out = capsys.readouterr().out
    assert out.count("\n| ") == 6
    assert "limited by " in out


def test_the_slowest_part_gives_way_first():
    rates = {"threads": 31_000, "cluster": 30_000, "scheduler and driver": 2e6, "store": 6e5}
    data = rates | {"driver and store together": 5e5, "loss of processor time": 0.01, "bytes a deal": 25.0}
    few, many = (one_driver.text(data, machines) for machines in (10, 100))
    assert "take 0.93 hours, the workers alone 0.93, and 25 GB" in few
    assert "take 0.56 hours, the workers alone 0.09, and 25 GB; one driver keeps 17 machines busy" in many
    assert many.endswith("limited by driver and store together.")
