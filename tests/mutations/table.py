"""The table of spoilt lines: which there are, and what is wrong with the table itself.

``modules.toml`` names the modules and the quick tests that are asked first; every other ``.toml`` beside it
holds mutants under the names of modules.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
MODULES = "modules.toml"
FIELDS = {"what", "from", "to", "equivalent", "refused"}


@dataclass(frozen=True)
class Module:
    """A source file, from the root of the project, and the quick tests that know it best."""

    name: str
    path: Path
    tests: tuple[str, ...]


@dataclass(frozen=True)
class Mutant:
    """One fragment of a source, its spoilt form, and ``what`` is taken away or wrong by it.

    ``equivalent`` is the proof that no test can tell the spoilt form from the true one, where that is so.
    ``refused`` is what the program itself has to say where the spoilt form makes it give wrong lines: then it
    is not enough that some test fails.
    """

    module: Module
    what: str
    fragment: str
    spoilt: str
    equivalent: str | None = None
    refused: str = ""

    def __str__(self) -> str:
        return f"{self.module.name}: {self.what}"

    def spoil(self, source: str) -> str:
        """``source`` spoilt. Raises ValueError unless the fragment stands there exactly once."""
        count = source.count(self.fragment)
        if count != 1:
            raise ValueError(f"{self}: its fragment stands {count} times in {self.module.path}")
        return source.replace(self.fragment, self.spoilt)


def read_modules() -> dict[str, Module]:
    """The modules by name."""
    rows = tomllib.loads((HERE / MODULES).read_text(encoding="utf-8"))
    return {name: Module(name, Path(row["path"]), tuple(row["tests"])) for name, row in rows.items()}


def read_table() -> list[Mutant]:
    """All mutants. Raises ValueError for a module that `MODULES` has not, and for a row of other fields."""
    modules, mutants = read_modules(), []
    for path in sorted(HERE.glob("*.toml")):
        if path.name == MODULES:
            continue
        for name, rows in tomllib.loads(path.read_text(encoding="utf-8")).items():
            if name not in modules:
                raise ValueError(f"{path.name}: {MODULES} has no module {name}")
            mutants += [_read_row(path.name, modules[name], row) for row in rows]
    return mutants


def _read_row(file: str, module: Module, row: dict[str, str]) -> Mutant:
    if not {"what", "from", "to"} <= set(row) <= FIELDS:
        raise ValueError(f"{file}: {module.name}: a row has the fields {', '.join(sorted(row))}")
    return Mutant(module, row["what"], row["from"], row["to"], row.get("equivalent"), row.get("refused", ""))


def faults(mutants: list[Mutant]) -> list[str]:
    """What is wrong with the table: fragments that are not there exactly once, names twice, no change."""
    found, names = [], set[str]()
    sources = {m.module.path: (ROOT / m.module.path).read_text(encoding="utf-8") for m in mutants}
    for mutant in mutants:
        try:
            spoilt = mutant.spoil(sources[mutant.module.path])
        except ValueError as error:
            found.append(str(error))
        else:
            if spoilt == sources[mutant.module.path]:
                found.append(f"{mutant}: its spoilt form is the true one")
        if str(mutant) in names:
            found.append(f"{mutant}: this name stands there twice")
        names.add(str(mutant))
    return found
