"""The transposition table and the set of numbered records against Python's own sets."""

import random

import pytest
from tests.native import load

table = load("key_set")


def test_it_is_a_set_of_exact_keys():
    numbers = random.Random(1)
    held, keys = set(), table.KeySet()
    for _ in range(60000):
        key = numbers.getrandbits(127) if numbers.random() < 0.5 else numbers.randrange(20000)
        assert keys.add(key) == (key not in held)
        held.add(key)
    assert len(keys) == len(held)
    assert len(keys) <= 0.6 * keys.slots + 1


def test_keys_that_differ_in_one_bit_are_different():
    keys = table.KeySet()
    assert keys.add(0)
    assert all(keys.add(1 << bit) for bit in range(127))
    assert not any(keys.add(1 << bit) for bit in range(127))


def test_clearing_makes_it_empty_and_small():
    keys = table.KeySet()
    small = keys.slots
    assert keys.add_many(0, 200000) == 200000
    assert keys.slots > small
    keys.clear()
    assert (len(keys), keys.slots) == (0, small)
    assert keys.add_many(0, 1000) == 1000
    assert keys.add_many(500, 1000) == 500


@pytest.mark.parametrize("count", [0, 1, 255, 256, 257, 2000, 3000])
def test_nothing_is_left_of_few_keys_or_many(count):
    keys = table.KeySet()
    for first in (0, 1000, 0):
        assert keys.add_many(first, count) == count
        assert keys.add_many(first, count) == 0
        keys.clear()
    assert keys.add_many(0, 10_000) == 10_000


def test_nothing_is_left_beyond_the_slots_that_little_memory_allows():
    keys = table.KeySet()
    assert keys.add_many(0, 3000) == 3000
    for megabytes in (0.1, 1):
        keys.clear(megabytes)
        assert keys.add_many(0, 200) == 200
    assert keys.add_many(0, 3000) == 2800


def test_the_memory_limit_holds_and_loses_nothing():
    keys = table.KeySet(megabytes=1.0)
    with pytest.raises(MemoryError):
        all(keys.add(key) for key in range(10**6))
    assert keys.slots * 16 <= 1e6
    assert len(keys) > 5000
    assert not any(keys.add(key) for key in range(len(keys)))
    with pytest.raises(MemoryError):
        table.KeySet(megabytes=0.001)


def test_records_have_numbers_in_order_of_insertion():
    numbers = random.Random(2)
    records, held = table.Numbered(10**8), {}
    for _ in range(20000):
        key = numbers.getrandbits(64) if numbers.random() < 0.5 else numbers.randrange(4000) << 50
        assert records.add(key, len(held)) == held.setdefault(key, len(held))
    assert len(records) == len(held)
    assert all(records.record(number) == (key, number) for key, number in held.items())
    assert records.share_taken <= 0.5


@pytest.mark.parametrize("most_bytes", [7000, 100_000, 250_000])
def test_records_fill_the_memory_and_none_is_lost(most_bytes):
    """A capacity that cannot double grows by less, and slots are filled up to seven eighths."""
    records = table.Numbered(most_bytes)
    with pytest.raises(MemoryError):
        all(records.add(key, key) == key for key in range(10**6))
    assert 0.75 * most_bytes < records.held_bytes <= most_bytes
    assert records.share_taken <= 7 / 8
    assert len(records) * 20 > 0.7 * most_bytes
    assert all(records.add(key, 0) == key for key in range(len(records)))
    with pytest.raises(MemoryError):
        table.Numbered(5000)
