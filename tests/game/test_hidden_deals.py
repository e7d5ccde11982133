"""Deals with hidden cards that the server keeps for its pages, in a file or in memory."""

import pytest

from winnable.game import hidden_deals, history
from winnable.game.hidden_deals import HiddenDeals
from winnable.rules import find_variant
from winnable.rules.formats.text import Deal


def deal(seed=5, **choices):
    return Deal(find_variant("joker").deal(seed, choices=choices))


def test_the_file_lies_beside_the_history():
    assert hidden_deals.usual_path() == history.usual_path().with_name("hidden.sqlite")


def test_a_deal_is_there_after_a_new_start(tmp_path):
    path, wanted = tmp_path / "new" / "hidden.sqlite", deal(exchange="exposed")
    first = HiddenDeals(path)
    name = first.put(wanted)
    assert first.put(wanted) == name
    assert first.get(name) is wanted
    second = HiddenDeals(path)
    assert second.get(name).state == wanted.state
    assert second.get(name) is second.get(name)


@pytest.mark.parametrize("name", [None, 5, "", "x", "x" * 1000, "' OR 1=1 --", ["x"]])
def test_a_name_of_nothing_is_refused(tmp_path, name):
    for there in (HiddenDeals(), HiddenDeals(tmp_path / "hidden.sqlite")):
        there.put(deal())
        with pytest.raises(ValueError, match="the deal of this game"):
            there.get(name)


@pytest.mark.parametrize("is_filed", [False, True])
def test_the_oldest_are_forgotten(tmp_path, monkeypatch, is_filed):
    monkeypatch.setattr(hidden_deals, "_MOST", 3)
    there = HiddenDeals(tmp_path / "hidden.sqlite" if is_filed else None)
    names = [there.put(deal(seed)) for seed in range(5)]
    assert [there.get(name).state for name in names[2:]] == [deal(seed).state for seed in range(2, 5)]
    for name in names[:2]:
        with pytest.raises(ValueError, match="no longer stored"):
            there.get(name)


def test_without_a_file_deals_are_kept_in_memory(tmp_path, caplog):
    path = tmp_path / "hidden.sqlite"
    path.write_bytes(b"my diary" * 999)
    there = HiddenDeals(path)
    assert str(path) in caplog.text
    assert there.get(there.put(deal())).state == deal().state
    assert path.read_bytes() == b"my diary" * 999
