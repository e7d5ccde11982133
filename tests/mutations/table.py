"""Tables of equivalent mutants, which no test can distinguish from the source.

A table is named after its source and has the ``tests`` that know the source best, the likeliest to fail
first, and an entry for each mutant: a name, which says what it does, the edit, and ``equivalent``, which says
why no test fails.

    "any card goes to an empty column" = {drop = "is_king(card)", equivalent = "..."}
    "no joker goes up" = {at = "return found", returns = "0", equivalent = "..."}
    "moves are numbered from 0" = {from = "enumerate(moves, 1)", to = "enumerate(moves)", equivalent = "..."}

The edit is one of `operators` at its place, or replaces the text ``from`` by the text ``to``. The place must
occur exactly once in the source or, with ``at``, in the statement (and its block) whose line contains the
text ``at``.
"""

from __future__ import annotations

import tomllib
from bisect import bisect_right
from dataclasses import dataclass
from pathlib import Path

from .operators import Statement, edits, statements

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
OPERATORS = {"drop", "keep", "false", "true", "skip", "returns", "from"}
FIELDS = OPERATORS | {"at", "to", "equivalent"}


@dataclass(frozen=True)
class Module:
    """A source file, from the root of the project, and the tests that know it best."""

    path: Path
    tests: tuple[str, ...]


@dataclass(frozen=True)
class Mutant:
    """A row of a table."""

    module: Module
    name: str
    operator: str
    place: str
    at: str = ""
    to: str = ""
    equivalent: str = ""

    def __str__(self) -> str:
        return f"{self.module.path}: {self.name}"

    def apply(self, source: str) -> str:
        """``source`` with the edit. Raises ValueError unless its place occurs exactly once."""
        start, end = 0, len(source)
        if self.at:
            scope = self._statement(source, self.at, start, end)
            start, end = scope.start, scope.end
        if self.operator == "from":
            place = self._find(source, self.place, start, end)
            return source[:place] + self.to + source[place + len(self.place) :]
        if self.operator == "returns":
            found = edits(source, scope, self.place)
        elif self.operator in ("drop", "keep"):
            inside = [s for s in statements(source) if start <= s.start < end]
            lines = [s for s in inside if self.place in source[s.start : s.line_end]]
            found = [edit for statement in lines for edit in edits(source, statement)]
            found = [edit for edit in found if source[slice(*edit.place)] == self.place]
        else:
            found = edits(source, self._statement(source, self.place, start, end))
        found = [edit for edit in found if edit.operator == self.operator]
        if len(found) != 1:
            place = f"{self.place!r}{f' at {self.at!r}' if self.at else ''}"
            raise ValueError(f"{self}: expected {self.operator} once for {place}, got it {len(found)} times")
        return found[0].apply(source)

    def _find(self, source: str, text: str, start: int, end: int) -> int:
        count = source.count(text, start, end)
        if count != 1:
            raise ValueError(f"{self}: expected {text!r} once in {self.module.path}, got it {count} times")
        return source.index(text, start, end)

    def _statement(self, source: str, text: str, start: int, end: int) -> Statement:
        """The statement whose line contains ``text``, which must occur exactly once between two offsets."""
        place = self._find(source, text, start, end)
        place += len(text) - len(text.lstrip())
        found = statements(source)
        statement = found[bisect_right(found, place, key=lambda each: each.start) - 1]
        if statement.start <= place < statement.line_end:
            return statement
        raise ValueError(f"{self}: expected {text!r} in a statement of {self.module.path}")


def read_table() -> list[Mutant]:
    """All equivalent mutants. Raises ValueError for an entry with wrong fields."""
    mutants = []
    for path in sorted(HERE.glob("*.toml")):
        for name, rows in tomllib.loads(path.read_text(encoding="utf-8")).items():
            tests = tuple(f"tests/{test}.py" for test in rows.pop("tests"))
            module = Module(Path(name), tests)
            mutants += [_read_row(module, *row) for row in rows.items()]
    return mutants


def _read_row(module: Module, name: str, row: dict[str, str]) -> Mutant:
    operators = OPERATORS & set(row)
    wanting = {"from": {"to"}, "returns": {"at"}}.get("".join(operators), set())
    if len(operators) != 1 or not wanting | {"equivalent"} <= set(row) <= FIELDS:
        fields = sorted(row)
        raise ValueError(f"{module.path}: {name}: expected one operator and the reason, got {fields}")
    operator = operators.pop()
    equivalent = " ".join(row["equivalent"].split())
    others = {field: row[field] for field in ("at", "to") if field in row}
    return Mutant(module, name, operator, row[operator], equivalent=equivalent, **others)


def faults(mutants: list[Mutant]) -> list[str]:
    """The errors of the tables: places that do not occur exactly once, edits that change nothing."""
    found = []
    sources = {m.module.path: (ROOT / m.module.path).read_text(encoding="utf-8") for m in mutants}
    for mutant in mutants:
        source = sources[mutant.module.path]
        try:
            if mutant.apply(source) == source:
                found.append(f"{mutant}: expected a change, got the source")
        except ValueError as error:
            found.append(str(error))
    return found
