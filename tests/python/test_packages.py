"""The packages and the imports between them, of Cython modules too."""

import ast
import re
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

from tests.python.test_glossary import modules

ROOT = Path(__file__).parents[2]
TOPS = ("rules", "checker", "solver", "protocol", "game", "board", "gym", "cli")
SOURCES = (".py", ".pyx", ".pxd", ".pxi")
INCLUDE = re.compile(r'^[ \t]*include "(.*)"', re.MULTILINE)
NAMES = r"\((?:[^()]|\n)*?\)|[^\n(]+"
IMPORT = re.compile(rf"^[ \t]*from (\.+[\w.]*|winnable\.[\w.]+) c?import ({NAMES})", re.MULTILINE)

# The packages that each package may import beside itself. `answers` are the modules of solver/ that hold no
# search: limits, results, replays. The engine imports the families by name.
ALLOWED = {
    "rules": (),
    "checker": ("rules",),
    "answers": ("rules",),
    "core": ("answers", "rules"),
    "chessboard": ("answers", "core", "rules"),
    "simon": ("answers", "core", "rules"),
    "joker": ("answers", "core", "rules"),
    "klondike": ("answers", "core", "rules"),
    "player": ("answers", "core", "joker", "klondike", "rules"),
    "deciding": ("answers", "core", "rules"),
    "certificates": ("answers", "core", "deciding", "rules"),
    "analysis": ("answers", "core", "deciding", "player", "rules"),
    "batch": ("analysis", "answers", "certificates", "core", "deciding", "player", "rules"),
    "protocol": ("analysis", "answers", "deciding", "player", "rules"),
    "game": ("analysis", "answers", "deciding", "rules"),
    "board": ("analysis", "answers", "core", "deciding", "game", "player", "protocol", "rules"),
    "gym": ("answers", "deciding", "rules"),
    "cli": (
        "analysis", "answers", "batch", "board", "certificates", "checker", "core", "deciding", "game",
        "player", "protocol", "rules",
    ),
}  # fmt: skip
ANSWERS = {"solver.diagnostics", "solver.progress", "solver.result", "solver.table_result", "solver.verify"}
DECIDING = {"solver", "solver.engine", "solver.reference", "solver.solving", "solver.unknown_cards"}
COMPUTED = {
    "checker.accept": "the checker of a family, by the name that the certificate gives",
    "cli.main": "the module of a command",
    "rules": "the home of a public name",
    "rules.formats.foreign": "the module of another program, by its row in the table",
    "rules.variants": "the module of the family of a game",
    "solver.diagnostics": "the compiled module that it is asked for, which those name who ask",
    "solver.engine": "the package of a family, which says what is implemented",
}
"""Modules that import by a name that is not in their source, and the modules that the names stand for."""


def package_of(module):
    """The package of a dotted module."""
    parts = module.split(".")
    if parts[0] != "solver":
        return parts[0]
    if module in ANSWERS:
        return "answers"
    return "deciding" if len(parts) == 1 or module in DECIDING else parts[1]


def module_of(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return parts[:-1] if parts[-1] == "__init__" else parts


def is_module(parts):
    base = ROOT.joinpath(*parts)
    return base.is_dir() or any(base.with_suffix(suffix).exists() for suffix in SOURCES)


def imports_of(path):
    """The modules of the package that a source imports from, in dotted form."""
    package = path.relative_to(ROOT).parent.parts
    found = set()
    for dotted, clause in IMPORT.findall(path.read_text(encoding="utf-8")):
        level = len(dotted) - len(dotted.lstrip("."))
        base = package[: len(package) - level + 1] if level else ()
        target = (*base, *filter(None, dotted.removeprefix("winnable").lstrip(".").split(".")))
        names = [name.split()[0] for name in re.sub(r"#[^\n]*|[()]", "", clause).split(",") if name.strip()]
        deeper = [(*target, name) for name in names]
        found |= {".".join(parts if is_module(parts) else target) for parts in deeper}
    for name in INCLUDE.findall(path.read_text(encoding="utf-8")) if path.suffix in SOURCES[1:] else ():
        included = (path.parent / name).resolve().relative_to(ROOT)
        found.add(".".join(included.with_suffix("").parts))
    return (found | late_imports_of(path)[0]) - {""}


@cache
def late_imports_of(path):
    """The modules that a source imports by names in strings, and whether it also computes names of modules:
    the calls of `importlib.import_module` and of `solver.diagnostics.load`."""
    found, computes = set(), False
    text = path.read_text(encoding="utf-8") if path.suffix == ".py" else ""
    for node in ast.walk(ast.parse(text)):
        called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
        if called not in ("import_module", "importlib.import_module", "diagnostics.load"):
            continue
        name = node.args[0]
        options = [name.body, name.orelse] if isinstance(name, ast.IfExp) else [name]
        for option in options:
            if not isinstance(option, ast.Constant):
                computes = True
                continue
            dotted = f".{option.value}" if called == "diagnostics.load" else option.value
            level = len(dotted) - len(dotted.lstrip("."))
            package = ("solver",) if called == "diagnostics.load" else path.relative_to(ROOT).parent.parts
            target = (*package[: len(package) - level + 1], *dotted.lstrip(".").split("."))
            assert is_module(target), f"{path}: {dotted}"
            found.add(".".join(target))
    return found, computes


def test_the_checker_imports_nothing_but_the_rules_and_the_standard_library():
    files = sorted((ROOT / "checker").rglob("*"))
    second = ROOT / "checker" / "second_checker.c"
    kept = [file for file in files if file.is_file() and "__pycache__" not in file.parts and file != second]
    assert {file.suffix for file in kept} == {".py"}
    source = second.read_text(encoding="ascii").splitlines()
    included = [line for line in source if line.startswith("#include")]
    headers = ("stdarg", "stddef", "stdint", "stdio", "stdlib", "string", "time")
    assert included == [f"#include <{name}.h>" for name in headers]
    allowed = {
        "__future__", "collections", "contextlib", "dataclasses", "functools", "importlib", "itertools",
        "json", "math", "os", "resource", "sys", "time", "typing", "zlib",
    }  # fmt: skip
    for file in (file for file in files if file.suffix == ".py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                assert {name.name.split(".")[0] for name in node.names} <= allowed, file
            elif isinstance(node, ast.ImportFrom) and not node.level:
                assert (node.module or "").split(".")[0] in allowed, file
            elif isinstance(node, ast.ImportFrom) and node.level > 1:
                assert node.level == 2, file
                assert (node.module or "").split(".")[0] == "rules", file
            elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "import_module":
                assert ast.unparse(node) == "import_module(f'.{rules}', __package__)", file


def test_imports_go_one_way():
    for path in modules(*TOPS):
        package = package_of(".".join(module_of(path)))
        for module in imports_of(path):
            target = package_of(module)
            assert target == package or target in ALLOWED[package], f"{path}: {package} -> {module}"


def test_the_allowed_imports_have_no_cycle():
    order = list(ALLOWED)
    for package, targets in ALLOWED.items():
        assert all(order.index(target) < order.index(package) for target in targets), package


def test_modules_import_without_a_circle():
    """Imports within functions, for type checkers and by names in strings are included."""
    files = [path for path in modules(*TOPS) if path.suffix == ".py"]
    files += sorted((ROOT / "benchmarks").rglob("*.py"))
    graph = {".".join(module_of(path)): imports_of(path) for path in files}
    sorter = TopologicalSorter({name: (graph.keys() & used) - {name} for name, used in graph.items()})
    assert len(list(sorter.static_order())) == len(graph) > 150


def test_names_of_modules_are_computed_where_it_is_said():
    """Elsewhere a circle of imports could hide from the test of it."""
    files = [path for path in modules(*TOPS) if path.suffix == ".py"]
    assert {".".join(module_of(path)) for path in files if late_imports_of(path)[1]} == set(COMPUTED)


FAMILIES = {"chessboard", "simon", "joker", "klondike"}
NAMERS = {
    "rules/variants.py": "the table of games, and the unions of their states and moves for type checkers",
    "rules/loading.py": "deal('fortress', 8) has the type of the states of its family",
    "rules/__init__.py": "Choices is a public name, and there is one game with choices",
    "solver/analysis/bases.py": "the base ranks are the choice of Chessboard alone",
}


def is_of_family(module):
    """Test if a dotted module is part of a family of rules/."""
    top, _, name = module.partition(".")
    return top == "rules" and name.split("_")[0] in FAMILIES


def test_shared_modules_name_no_family():
    """Differences between games are part of the contract, `rules.family`: a new family needs only its own
    modules and its entries in the table."""
    shared = [*(ROOT / "rules").rglob("*.py"), *(ROOT / "cli").rglob("*.py")]
    shared += [*(ROOT / "game").glob("*.py"), *(ROOT / "board").glob("*.py")]
    shared += [*(ROOT / "solver" / "analysis").glob("*.py"), *(ROOT / "solver" / "batch").glob("*.py")]
    names = {path.relative_to(ROOT).as_posix(): imports_of(path) for path in shared}
    found = {name for name, modules in names.items() if any(map(is_of_family, modules))}
    own = {name for name in names if is_of_family(name.removesuffix(".py").replace("/", "."))}
    assert own == {f"rules/{name}.py" for name in (*FAMILIES, "joker_board", "joker_move")}
    assert found - own == set(NAMERS)
