"""Steps and tallies of certificates by clauses, small ones made by hand."""

import pytest

from winnable.checker.clauses import Tallies, follows

A, B, C = ("wasteful", 0), ("wasteful", 1), ("restless", 0)


@pytest.mark.parametrize(
    ("clause", "reasons", "expected"),
    [
        ([1], [[1, 2], [1, -2]], True),
        ([], [[1], [-1]], True),
        ([1], [[1, 2]], False),  # something is left
        ([1], [[1, 2, 3], [1, -2], [1, -3]], False),  # two things are open
        ([1], [[1, 2, 3], [1, -2]], False),
        ([1], [], False),
        ([1], [[1], [1, 2]], False),  # it ends too early
    ],
)
def test_a_clause_follows(clause, reasons, expected):
    assert follows(clause, reasons) == expected


def test_cores_are_of_costs_that_are_not_counted():
    tallies = Tallies([A, B, C])
    assert not tallies.count([])
    assert not tallies.count([(A, True), (B, False)])
    assert not tallies.count([(A, True), (("stays", 0), True)])
    assert not tallies.count([(A, True), (A, True)])
    assert tallies.count([(A, True), (B, True)])
    assert not tallies.count([(B, True), (C, True)])
    assert not tallies.count([(("sum", 1, 0, 2, 1), True)])
    assert tallies.count([(("sum", 1, 0, 2, 2), True), (C, True)])


def test_tallies_add_up_what_lies_beside_each_other():
    tallies = Tallies([A, B, C])
    assert tallies.count([(A, True), (B, True), (C, True)])

    def holds(wanted, *parts):
        return tallies.holds(frozenset({(wanted, True), *((part, False) for part in parts)}))

    assert holds(("sum", 1, 0, 2, 2), A, B)
    assert holds(("sum", 1, 0, 3, 3), ("sum", 1, 0, 2, 2), C)
    assert holds(("sum", 1, 0, 3, 1), B)
    assert not holds(("sum", 1, 0, 3, 3), ("sum", 1, 0, 2, 2), B)  # they overlap
    assert not holds(("sum", 1, 0, 3, 3), A, B)  # one too few
    assert not holds(("sum", 1, 0, 2, 2), A, C)  # C lies outside
    assert not holds(("sum", 1, 0, 3, 2), ("sum", 2, 0, 3, 2))  # of another core
    assert not holds(("sum", 1, 0, 3, 1), ("stays", 0))
    assert not holds(A, B)
