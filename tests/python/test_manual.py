"""The page of commands of the manual, which Sphinx makes from their help."""

import importlib.util
import re
from pathlib import Path

from winnable.cli.main import COMMANDS, Context, cli

DOCS = Path(__file__).parents[2] / "docs"


def settings():
    """The settings of the manual, as a module."""
    spec = importlib.util.spec_from_file_location("conf", DOCS / "conf.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_command_and_option_is_told():
    pages = dict(settings().helps())
    assert list(pages) == ["winnable", *(f"winnable {name}" for name in COMMANDS)]
    for name in COMMANDS:
        page = pages[f"winnable {name}"]
        assert page.startswith(f"Usage: winnable {name} ")
        for option in cli.get_command(Context(cli), name).params:
            is_shown = option.param_type_name != "argument" and not option.hidden
            assert not is_shown or max(option.opts, key=len) in page


def test_the_page_asks_for_them():
    assert "```{commands}\n```" in (DOCS / "commands.md").read_text()


def test_the_tests_that_pages_name_are_there():
    pages = [path.read_text(encoding="utf-8") for path in [*DOCS.rglob("*.md"), *DOCS.parent.glob("*.md")]]
    named = {name for page in pages for name in re.findall(r"pytest [^`\n]*-k (\w+)", page)}
    code = "".join(path.read_text(encoding="utf-8") for path in (DOCS.parent / "tests").rglob("test_*.py"))
    assert named
    assert not [name for name in named if not re.search(rf"^def test_\w*{name}", code, re.MULTILINE)]
