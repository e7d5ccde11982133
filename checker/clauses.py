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
from typing import Any, BinaryIO, Protocol

from .reading import BYTES_A_POSITION, Header, Refused

LONGEST_LINE = 1 << 16
BYTES_A_CHARACTER = 16
"""What a line takes beside, for each of its characters: numbers, in lists and sets."""
Name = tuple[Any, ...]
"""Words and numbers."""
Truth = tuple[Name, bool]
"""That what a name says is so, or is not."""


class Conditions(Protocol):
    """What the module of a family has for the check."""

    def least(self) -> int:
        """The moves that are needed whatever the unknowns are."""

    def costs(self) -> Iterable[Name]:
        """The unknowns that count a move each if they are true."""

    def condition(self, name: str) -> Callable[[frozenset[Truth]], bool]:
        """What tells of a clause whether every line that wins makes it true, by the condition of that name.
        Raises ValueError if there is none."""


@dataclass
class Proof:
    """What a certificate lists; variables, clauses and steps count from 1."""

    names: list[Name] = field(default_factory=list)
    clauses: list[list[int]] = field(default_factory=list)
    conditions: list[str] = field(default_factory=list)
    hints: list[list[int]] = field(default_factory=list)
    cores: list[int] = field(default_factory=list)

    def truths_in_order(self, clause: int) -> list[Truth]:
        """What a clause says, by names."""
        return [(self.names[abs(literal) - 1], literal > 0) for literal in self.clauses[clause - 1]]


# --- Reading ------------------------------------------------------------------------------------------------


def read_proof(file: BinaryIO, header: Header, max_bytes: float) -> Proof:
    """What follows the header. Raises Refused for lines of another form, more or fewer of them than the
    header says, or more than ``max_bytes`` of memory."""
    proof, held, count = Proof(), 0, 0
    while True:
        line = file.readline(LONGEST_LINE)
        if line == b"end\n":
            break
        count += 1
        if not line.endswith(b"\n") or not line.isascii():
            raise Refused(f"line {count + 1}: a clause is needed, or the end")
        if count > header.clauses:
            raise Refused(f"line {count + 1}: more lines than the {header.clauses:,} of the header")
        held += BYTES_A_POSITION + BYTES_A_CHARACTER * len(line)
        if held > max_bytes:
            raise Refused(f"line {count + 1}: more than {max_bytes / 1e6:g} MB of clauses")
        try:
            _read_line(proof, line[:-1].decode("ascii").split(" "))
        except ValueError as error:
            raise Refused(f"line {count + 1}: {error}") from None
    if count != header.clauses:
        raise Refused(f"{count:,} lines, where the header says {header.clauses:,}")
    if file.read(1):
        raise Refused(f"line {count + 3}: something follows the end")
    return proof


def _read_line(proof: Proof, words: list[str]) -> None:
    """Take in a line. Raises ValueError if it is none, or comes after one of a later kind."""
    kind, rest = words[0], words[1:]
    if kind == "variable":
        if proof.clauses or proof.cores:
            raise ValueError("a variable after clauses")
        proof.names.append(tuple(_number(word) if word.isdigit() else word for word in rest))
    elif kind == "core":
        if len(rest) != 1:
            raise ValueError("a core is one number")
        proof.cores.append(_clause(proof, _number(rest[0])))
    elif proof.cores:
        raise ValueError("a clause after cores")
    elif kind.isdigit():
        if _number(kind) != len(proof.clauses) + 1:
            raise ValueError(f"the next clause has the number {len(proof.clauses) + 1}")
        end = rest.index("0") + 1 if "0" in rest else 0
        proof.hints.append([_clause(proof, _number(word)) for word in _ended(rest[end:])])
        proof.clauses.append(_literals(proof, rest[:end]))
    else:
        if proof.hints:
            raise ValueError("a clause that is given after one that follows")
        proof.clauses.append(_literals(proof, rest))
        proof.conditions.append(kind)


def _literals(proof: Proof, words: list[str]) -> list[int]:
    """The literals of a clause, none twice."""
    literals = [-_number(word[1:]) if word[:1] == "-" else _number(word) for word in _ended(words)]
    if any(not 1 <= abs(literal) <= len(proof.names) for literal in literals):
        raise ValueError("a literal of a variable that is not there")
    if len({abs(literal) for literal in literals}) < len(literals):
        raise ValueError("a variable is twice in a clause")
    return literals


def _ended(words: list[str]) -> list[str]:
    """A list without the 0 that ends it."""
    if not words or words[-1] != "0":
        raise ValueError("a list ends with 0")
    return words[:-1]


def _clause(proof: Proof, number: int) -> int:
    if not 1 <= number <= len(proof.clauses):
        raise ValueError(f"clause {number} is none of those before")
    return number


def _number(word: str) -> int:
    if not word.isdigit() or len(word) > 9:
        raise ValueError(f"a number is needed, not {word[:20]!r}")
    return int(word)


# --- Testing ------------------------------------------------------------------------------------------------


def check(header: Header, proof: Proof, conditions: Conditions) -> None:
    """Test cores, conditions and steps. Raises Refused that tells the first that is not settled."""
    tallies = Tallies(conditions.costs())
    for number in proof.cores:
        if not tallies.count(proof.truths_in_order(number)):
            raise Refused(f"core {number}: it says what is no cost, or is counted already")
    for number, condition in enumerate(proof.conditions, 1):
        try:
            judge = tallies.holds if condition == "tally" else conditions.condition(condition)
        except ValueError as error:
            raise Refused(f"clause {number}: {error}") from None
        if not judge(frozenset(proof.truths_in_order(number))):
            raise Refused(f"clause {number}: the condition {condition!r} does not say it")
    for number, hints in enumerate(proof.hints, len(proof.conditions) + 1):
        if not follows(proof.clauses[number - 1], [proof.clauses[hint - 1] for hint in hints]):
            raise Refused(f"clause {number}: it does not follow from those that it names")
    proved = conditions.least() + len(proof.cores)
    if header.value is None or proved < header.value:
        raise Refused(f"{proved} moves are proved to be needed, and not {header.value}")


def follows(clause: list[int], reasons: list[list[int]]) -> bool:
    """Whether ``clause`` holds: let it be false; each of ``reasons`` but the last has one literal then that
    is not false, and so is true; the last has none."""
    false = set(clause)
    for at, reason in enumerate(reasons):
        left = [literal for literal in reason if literal not in false]
        if not left:
            return at == len(reasons) - 1
        if len(left) > 1:
            return False
        false.add(-left[0])
    return False


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
        """Whether ``clause`` says: if of some costs of a core so many are true, and of some others so many,
        then as many of costs among which are all these."""
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
        """What a name says of the costs of ``core``: of those from which one on, how many, how many are true
        at least; of no costs if it says nothing."""
        if is_sum(name) and name[1] == core:
            return name[2], name[3], name[4]
        if name in self.place and self.place[name][0] == core:
            return self.place[name][1], 1, 1
        return 0, 0, 0


def is_sum(name: Name) -> bool:
    """Whether a name is that of a sum."""
    return len(name) == 5 and name[0] == "sum" and all(isinstance(word, int) for word in name[1:])
