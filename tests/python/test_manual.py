"""The pages of the manual that list commands and names: complete on a code host, and extended by Sphinx."""

import importlib
import importlib.util
import re
from pathlib import Path

from winnable.cli.main import COMMANDS, UNLISTED, Context, cli

DOCS = Path(__file__).parents[2] / "docs"


def settings():
    """The settings of the manual, as a module."""
    spec = importlib.util.spec_from_file_location("conf", DOCS / "conf.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_command_and_option_is_told():
    pages = dict(settings().helps())
    listed = [name for name in COMMANDS if name not in UNLISTED]
    assert list(pages) == ["winnable", *(f"winnable {name}" for name in listed)]
    for name in listed:
        page = pages[f"winnable {name}"]
        assert page.startswith(f"Usage: winnable {name} ")
        for option in cli.get_command(Context(cli), name).params:
            is_shown = option.param_type_name != "argument" and not option.hidden
            assert not is_shown or option.opts[0] in page


def test_the_page_of_commands_lists_each_with_what_it_does():
    rows = re.findall(r"^\| `winnable (\S+)` \| (.*) \|$", (DOCS / "commands.md").read_text(), re.MULTILINE)
    assert rows == [*COMMANDS.items()]


def test_the_reference_lists_names_that_exist_with_links_to_their_modules():
    entries = [*settings().MODULE.finditer((DOCS / "reference.md").read_text())]
    assert len(entries) > 30
    for entry in entries:
        module = importlib.import_module(entry[1])
        assert [name for name in re.findall(r"`(\w+)`", entry[2]) if not hasattr(module, name)] == []
        (link,) = re.findall(r"\]\((.*?)\)", entry[0])
        path = "../" + entry[1].removeprefix("winnable.").replace(".", "/")
        assert link.removesuffix(".py").removesuffix("/__init__") == path
        assert (DOCS / link).exists()


def test_every_page_can_be_read_without_sphinx():
    pages = {path.name: path.read_text(encoding="utf-8") for path in DOCS.rglob("*.md")}
    directive = re.compile(r"^```\{|\{[\w:]+\}`", re.MULTILINE)
    assert [name for name, page in pages.items() if directive.search(page)] == []


def test_the_tests_that_pages_name_are_there():
    pages = [path.read_text(encoding="utf-8") for path in [*DOCS.rglob("*.md"), *DOCS.parent.glob("*.md")]]
    named = {name for page in pages for name in re.findall(r"pytest [^`\n]*-k (\w+)", page)}
    code = "".join(path.read_text(encoding="utf-8") for path in (DOCS.parent / "tests").rglob("test_*.py"))
    assert named
    assert not [name for name in named if not re.search(rf"^def test_\w*{name}", code, re.MULTILINE)]


def test_the_sources_that_pages_for_contributors_name_are_there():
    root, missing = DOCS.parent, []
    for page in ("ARCHITECTURE.md", "CONTRIBUTING.md", "docs/first-change.md"):
        for name in re.findall(
            r"`([\w/.-]+/[\w.-]*|[\w/-]+\.pyx)`", (root / page).read_text(encoding="utf-8")
        ):
            places = [root / folder / name for folder in ("", "solver", "cli", "tests")]
            is_found = any(place.exists() for place in places) or any(root.glob(f"solver/*/{name}"))
            missing += [] if is_found or name.startswith("build/") else [f"{page}: {name}"]
    assert not missing


def test_each_family_has_its_forms_of_a_state():
    page = (DOCS.parent / "ARCHITECTURE.md").read_text(encoding="utf-8")
    table = page.partition("## Forms of a state")[2].partition("|---")[2].partition("\n## ")[0]
    families = {path.parent.name for path in (DOCS.parent / "solver").glob("*/replay.pxd")}
    assert set(re.findall(r"^\| (\w+) \|", table, re.MULTILINE)) == families
