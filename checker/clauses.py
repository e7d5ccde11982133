"""Clauses and what follows from them: the proof that so many moves are needed, without any position.

A certificate of this kind lists

- unknowns, truths about a line of play that wins, by their names; some of them are *costs*;
- clauses: of the truths that a clause names (or their opposites) one holds. Each is given with the condition
  that it is of, and the module of the family tests that it holds for every line that wins;
- further clauses, each with earlier ones that it follows from: let all that it says be false; then the first
  of these leaves but one thing that it says open, which therefore holds; so the next, with that, and so on;
  of the last one nothing is left;
- *cores*: clauses that name costs alone, or sums of costs. One of them holds. So of the costs that a core
  names one is true, and besides as many as its sums say: that two of them are, that three are. In place of
  the costs of the core these sums are costs from then on. So each core counts one move.

The checker tests the conditions, the steps, and that each core names costs that are not counted yet. Then the
moves are as many as the family says that there are at least without any cost, and the number of cores
(Theorems S9 and S10 of docs/theory/simon.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol

from ..rules.cards import shown
from .claim import Claim
from .reading import LONGEST_HEADER, Budget, Content, Refused

LONGEST_LINE = LONGEST_HEADER
MOST_DIGITS = 9
Name = tuple[Any, ...]
"""Words and numbers."""
Truth = tuple[Name, bool]
"""That what a name says is so, or is not."""


class Conditions(Protocol):
    """Interface of the module of a family for the check."""

    def knows(self, name: Name) -> bool:
        """Return whether ``name`` is that of an unknown of the deal."""

    def least(self) -> int:
        """The moves that are needed whatever the unknowns are."""

    def costs(self) -> Iterable[Name]:
        """The unknowns that count a move each if they are true."""

    def condition(self, name: str) -> Callable[[frozenset[Truth]], bool]:
        """The predicate that tells whether every winning line makes a clause true, by the condition of that
        name. Raises ValueError if there is none."""


@dataclass
class Proof:
    """The content of a certificate; variables, clauses and steps count from 1."""

    names: list[Name] = field(default_factory=list)
    clauses: list[list[int]] = field(default_factory=list)
    conditions: list[str] = field(default_factory=list)
    hints: list[list[int]] = field(default_factory=list)
    cores: list[int] = field(default_factory=list)

    def truths_in_order(self, clause: int) -> list[Truth]:
        """The literals of a clause, by names."""
        return [(self.names[abs(literal) - 1], literal > 0) for literal in self.clauses[clause - 1]]


# --- Reading ------------------------------------------------------------------------------------------------


def read_proof(content: Content, claim: Claim, conditions: Conditions) -> Proof:
    """The lines that follow the header. Raises Refused for lines of another form, or more or fewer of them
    than the header says."""
    proof, names = Proof(), set[Name]()
    while (line := content.line(LONGEST_LINE)) != "end":
        content.budget.check()
        number = content.number
        if number - 1 > (claim.clauses or 0):
            raise Refused(f"line {number}: expected {claim.clauses:,} lines, as in the header, got more")
        try:
            words = line.split(" ")
            if words[0] == "variable":
                name = _name(proof, words[1:])
                if name in names or not conditions.knows(name):
                    raise ValueError(f"variable {shown(' '.join(words[1:]))}: expected a new unknown")
                names.add(name)
                proof.names.append(name)
            else:
                _read_clause(proof, words[0], words[1:])
        except ValueError as error:
            raise Refused(f"line {number}: {error}") from None
    if content.number - 2 != claim.clauses:
        raise Refused(f"expected {claim.clauses:,} lines, as in the header, got {content.number - 2:,}")
    content.end()
    return proof


def _name(proof: Proof, words: list[str]) -> Name:
    """The name of a variable. Raises ValueError if it comes after clauses."""
    if proof.clauses or proof.cores:
        raise ValueError("a variable after clauses")
    return tuple(_number(word) if word.isdigit() else word for word in words)


def _read_clause(proof: Proof, kind: str, rest: list[str]) -> None:
    """Take in a line that is no variable. Raises ValueError if it is none, or comes after one of a later
    kind."""
    if kind == "core":
        if len(rest) != 1:
            raise ValueError("expected one number in a core")
        proof.cores.append(_clause(proof, _number(rest[0])))
    elif proof.cores:
        raise ValueError("a clause after cores")
    elif kind.isdigit():
        if _number(kind) != len(proof.clauses) + 1:
            raise ValueError(f"expected clause {len(proof.clauses) + 1}")
        end = rest.index("0") + 1 if "0" in rest else 0
        proof.hints.append([_clause(proof, _number(word)) for word in _ended(rest[end:])])
        proof.clauses.append(_literals(proof, rest[:end]))
    else:
        if proof.hints:
            raise ValueError("a given clause after a derived one")
        proof.clauses.append(_literals(proof, rest))
        proof.conditions.append(kind)


def _literals(proof: Proof, words: list[str]) -> list[int]:
    """The literals of a clause, none twice."""
    literals = [-_number(word[1:]) if word[:1] == "-" else _number(word) for word in _ended(words)]
    if any(not 1 <= abs(literal) <= len(proof.names) for literal in literals):
        raise ValueError("a literal of an unknown variable")
    if len({abs(literal) for literal in literals}) < len(literals):
        raise ValueError("a variable occurs twice in a clause")
    return literals


def _ended(words: list[str]) -> list[str]:
    """A list without the 0 that ends it."""
    if not words or words[-1] != "0":
        raise ValueError("expected 0 at the end of a list")
    return words[:-1]


def _clause(proof: Proof, number: int) -> int:
    if not 1 <= number <= len(proof.clauses):
        raise ValueError(f"expected an earlier clause, got {number}")
    return number


def _number(word: str) -> int:
    if not word.isdigit() or len(word) > MOST_DIGITS or (word[0] == "0" and len(word) > 1):
        raise ValueError(f"expected a number of at most {MOST_DIGITS} digits, got {shown(word)}")
    return int(word)


# --- Testing ------------------------------------------------------------------------------------------------


def check(claim: Claim, proof: Proof, conditions: Conditions, budget: Budget) -> None:
    """Test cores, conditions and steps. Raises Refused that tells the first that is not settled."""
    tallies = Tallies(conditions.costs())
    for number in proof.cores:
        if not tallies.count(proof.truths_in_order(number)):
            raise Refused(f"core {number}: expected unused costs")
    for number, condition in enumerate(proof.conditions, 1):
        budget.check()
        try:
            judge = tallies.holds if condition == "tally" else conditions.condition(condition)
        except ValueError as error:
            raise Refused(f"clause {number}: {error}") from None
        if not judge(frozenset(proof.truths_in_order(number))):
            raise Refused(f"clause {number}: the condition {condition!r} does not hold")
    for number, hints in enumerate(proof.hints, len(proof.conditions) + 1):
        if not follows(proof.clauses[number - 1], (proof.clauses[hint - 1] for hint in hints), budget):
            raise Refused(f"clause {number}: it does not follow from its hints")
    proved = conditions.least() + len(proof.cores)
    if claim.value is None or proved < claim.value:
        raise Refused(f"expected a proof of {claim.value} moves, got one of {proved}")


def follows(clause: list[int], reasons: Iterable[list[int]], budget: Budget | None = None) -> bool:
    """Return whether ``clause`` holds: let it be false; each of ``reasons`` but the last has one literal then
    that is not false, and so is true; the last has none."""
    false, is_refuted = set(clause), False
    for reason in reasons:
        if budget is not None:
            budget.check()
        if is_refuted:
            return False
        left = [literal for literal in reason if literal not in false]
        if len(left) > 1:
            return False
        is_refuted = not left
        false.update(-literal for literal in left)
    return is_refuted


class Tallies:
    """Costs, and the cores among them."""

    def __init__(self, costs: Iterable[Name]) -> None:
        self.costs = set(costs)
        self.place: dict[Name, tuple[int, int]] = {}
        """Of each cost that is counted: its core, and its place there."""
        self.cores = 0

    def count(self, core: list[Truth]) -> bool:
        """Count a core; false if it says something else than that a cost is true which is not counted yet."""
        names = [name for name, is_so in core if is_so]
        if not names or len(set(names)) < len(core) or not self.costs.issuperset(names):
            return False
        self.cores += 1
        self.costs.difference_update(names)
        self.costs.update(("sum", self.cores, 0, len(names), least) for least in range(2, len(names) + 1))
        self.place.update((name, (self.cores, place)) for place, name in enumerate(names))
        return True

    def holds(self, clause: frozenset[Truth]) -> bool:
        """Return whether ``clause`` says: if of some costs of a core so many are true, and of some others so
        many, then as many of costs among which are all these."""
        sums = [name for name, is_so in clause if is_so]
        if len(sums) != 1 or not is_sum(sums[0]):
            return False
        core, first, count, least = map(int, sums[0][1:])
        parts = [self.part(name, core) for name, is_so in clause if not is_so]
        known, free = 0, first
        for begin, size, number in sorted(parts):
            if begin < free or size < 1:
                return False
            known, free = known + number, begin + size
        return free <= first + count and known >= least

    def part(self, name: Name, core: int) -> tuple[int, int, int]:
        """The range that a name gives of the costs of ``core``: of those from which one on, how many, how
        many are true at least; of no costs if it says nothing."""
        if is_sum(name) and name[1] == core:
            return name[2], name[3], name[4]
        if name in self.place and self.place[name][0] == core:
            return self.place[name][1], 1, 1
        return 0, 0, 0


def is_sum(name: Name) -> bool:
    """Return whether a name is that of a sum."""
    return len(name) == 5 and name[0] == "sum" and all(isinstance(word, int) for word in name[1:])
