"""The page of commands of the manual, which Sphinx makes from their help."""

import importlib.util
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
