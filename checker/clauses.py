"""Proofs of lower bounds on moves by clauses, without positions.

A certificate of this kind lists

- unknowns: truths about a winning line, by their names; some of them are *costs*;
- given clauses, each with the condition by which it holds for every winning line, which the module of the
  family tests;
- derived clauses, each with the earlier ones from which it follows by unit propagation;
- *cores*: clauses whose literals are all unused costs. In place of these, the sums that two, three, ... of
  them are true become costs, so each core counts one move.

A win takes at least as many moves as the family counts without any cost, and one more for each core (Theorems
S9 and S10 of docs/theory/simon.md).
"""

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
"""A literal: the name of an unknown, and its sign."""


class Conditions(Protocol):
    """Interface of the module of a family for the check."""

    def knows(self, name: Name) -> bool:
        """Test if ``name`` is an unknown of the deal."""

    def least(self) -> int:
        """The number of moves of every winning line, whatever the unknowns are."""

    def costs(self) -> Iterable[Name]:
        """The unknowns that cost one move each if they are true."""

    def condition(self, name: str) -> Callable[[frozenset[Truth]], bool]:
        """A predicate that tests if a clause is true of every winning line, by the condition of that name.
        Raises ValueError for an unknown condition."""


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
    """The lines after the header. Raises Refused for malformed lines and for a wrong number of them."""
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
    """Parse a line that is not a variable. Raises ValueError for a malformed line, or one out of order."""
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
    """A list without its final 0."""
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
    """Verify cores, conditions and steps. Raises Refused for the first that fails."""
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
    """Test if ``clause`` follows from ``reasons`` by unit propagation: with its literals false, each reason
    has one literal that is not false, which becomes true, and the last reason has none."""
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
        """The core of each used cost, and its place there."""
        self.cores = 0

    def count(self, core: list[Truth]) -> bool:
        """Count a core; false unless its literals are unused costs."""
        names = [name for name, is_so in core if is_so]
        if not names or len(set(names)) < len(core) or not self.costs.issuperset(names):
            return False
        self.cores += 1
        self.costs.difference_update(names)
        self.costs.update(("sum", self.cores, 0, len(names), least) for least in range(2, len(names) + 1))
        self.place.update((name, (self.cores, place)) for place, name in enumerate(names))
        return True

    def holds(self, clause: frozenset[Truth]) -> bool:
        """Test if ``clause`` adds up sums over disjoint parts of a core."""
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
        """The sum that a name denotes over the costs of ``core``: first cost, number of costs, least number
        of true ones; no costs if it denotes none."""
        if is_sum(name) and name[1] == core:
            return name[2], name[3], name[4]
        if name in self.place and self.place[name][0] == core:
            return self.place[name][1], 1, 1
        return 0, 0, 0


def is_sum(name: Name) -> bool:
    """Test if a name is that of a sum."""
    return len(name) == 5 and name[0] == "sum" and all(isinstance(word, int) for word in name[1:])
