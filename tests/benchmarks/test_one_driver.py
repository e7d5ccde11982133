"""The throughput of one driver: the figures of a few deals and their text."""

import json

import pytest
from tests.compiled import needs_kernels

pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")

from benchmarks import one_driver

pytestmark = needs_kernels


@pytest.mark.full
def test_a_few_deals(tmp_path, capsys):
    path = tmp_path / "driver.json"
    options = ["--deals", "300", "--rounds", "1", "--at-once", "4000", "--json", str(path)]
    assert one_driver.main(options) == 0
    data = json.loads(path.read_text())
    out = capsys.readouterr().out
    assert out == one_driver.text(data) + "\n"
    assert data["at_once"]["bytes_a_deal"] > 10
    assert data["compare"]["cpu_microseconds_a_deal"]["threads"] > 0
    assert f"the first to give way: {data['extrapolated']['first_to_give_way']}" in out


def test_the_slowest_part_gives_way_first():
    data = {
        "compare": {"deals_a_second": {"cluster": 30_000}},
        "at_once": {"scheduler_deals_a_second": 2e6, "with_store_deals_a_second": 5e5, "bytes_a_deal": 25.0},
        "store": {"deals_a_second": 6e5},
    }
    few, many = (one_driver.extrapolate(data, machines) for machines in (10, 100))
    assert few["first_to_give_way"] == "the workers"
    assert few["hours"] == pytest.approx(1e9 / 3e5 / 3600)
    assert few["machines_kept_busy"] == pytest.approx(10)
    assert many["first_to_give_way"] == "driver and store together"
    assert many["hours"] == pytest.approx(1e9 / 5e5 / 3600)
    assert many["machines_kept_busy"] == pytest.approx(100 / 6)
    assert many["gigabytes"] == pytest.approx(25)
