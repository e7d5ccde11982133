"""Names of games in sources: what is a fact about a game stands in its row of the table."""

import ast
import re
from pathlib import Path

from winnable.rules import VARIANTS

ROOT = Path(__file__).parents[2]
NAMERS = {
    "board/static/cards.js": "joker is the card",
    "checker/second_checker.c": "shares no file with the other checker, nor its table",
    "solver/batch/bench.py": "the deals of each row",
    "solver/core/border.pyx": "the units of C of each family",
    "solver/core/desk.pxi": "the state of each family as plain numbers",
    "solver/engine.py": "the families that have searches",
    "solver/winnable.c": "the table of the library, which has no Python",
    "web/first/table.js": "joker is the card",
}
"""The sources that name games, and what for. Beside them stand those of one family or game, of the table,
tests and examples."""

FAMILIES = ("chessboard", "simon", "joker", "klondike")
OWN = ("rules/", "solver/player/", *(f"{top}/{name}" for top in ("solver", "checker") for name in FAMILIES))
EXAMPLES = ("web/small/examples/", "web/package/example")


def strings(path):
    """The strings of a source, without docstrings of Python."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return [node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant)]
    code = re.sub(r'"""(.*?)"""|/\*(.*?)\*/', "", text, flags=re.DOTALL)
    keys = re.findall(r"^\s*([\w-]+):", code, re.MULTILINE) if path.suffix == ".js" else []
    return [*re.findall(r"""["'`]([\w-]+)["'`]""", code), *keys]


def test_few_sources_name_a_game():
    found = {}
    for top in ("board", "checker", "cli", "game", "gym", "protocol", "solver", "src", "web"):
        for path in sorted((ROOT / top).rglob("*")):
            name = path.relative_to(ROOT).as_posix()
            is_source = path.suffix in (".py", ".pyx", ".pxi", ".pxd", ".c", ".h", ".js", ".html")
            is_written = not path.with_suffix(".pyx").exists() or path.suffix == ".pyx"
            if not is_source or not is_written or name.startswith((*OWN, *EXAMPLES, "src/winnable/")):
                continue
            named = set(VARIANTS).intersection(map(str, strings(path)))
            if named:
                found[name] = named
    assert found.keys() == NAMERS.keys(), found
    assert len(NAMERS) <= 8
