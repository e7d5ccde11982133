"""Sphinx settings: `sphinx-build -W docs docs/_build`. The package must be importable."""

import json
import re
from pathlib import Path

import click

from winnable.cli.main import COMMANDS, Context, cli

project = "winnable"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
html_theme = "furo"
html_show_copyright = False
highlight_language = "none"
exclude_patterns = ["_build"]
autodoc_member_order = "bysource"
myst_heading_anchors = 3
suppress_warnings = ["ref.python"]  # State and Move in the types of properties, which no event gives


def helps():
    """The names of all commands, that of the program first, with their pages of help."""
    program = Context(cli, info_name="winnable", terminal_width=88, **cli.context_settings)
    yield "winnable", cli.get_help(program)
    for name in COMMANDS:
        command = cli.get_command(program, name)
        own = Context(command, parent=program, info_name=name, terminal_width=88)
        yield f"winnable {name}", click.unstyle(command.get_help(own))


def commands_directive():
    """The directive ``commands``: a section with its page of help for every command."""
    from docutils import nodes
    from docutils.parsers.rst import Directive

    class Commands(Directive):
        def run(self):
            sections = []
            for name, text in helps():
                section = nodes.section(ids=[nodes.make_id(name)], names=[name])
                section += [nodes.title(text=name), nodes.literal_block(text, text, language="none")]
                sections.append(section)
            return sections

    return Commands


def notebook_directive():
    """The directive ``notebook``: the cells of a notebook in docs/, with what they show."""
    from docutils import nodes
    from docutils.parsers.rst import Directive

    class Notebook(Directive):
        required_arguments = 1

        def run(self):
            text = (Path(__file__).parent / self.arguments[0]).read_text(encoding="utf-8")
            shown = []
            for cell in json.loads(text)["cells"]:
                source = "".join(cell["source"])
                if cell["cell_type"] == "markdown":
                    words = source.removeprefix("# ").split("\n\n")
                    shown += [nodes.paragraph(text=word) for word in words]
                    continue
                shown.append(nodes.literal_block(source, source, language="python"))
                for output in cell["outputs"]:
                    markup = "".join(output["data"]["text/html"])
                    shown.append(nodes.raw("", f'<div style="overflow: auto">{markup}</div>', format="html"))
            return shown

    return Notebook


def shorten(app, what, name, obj, options, signature, returns):
    """Write the states, moves and views of all games under their own names, not those of base classes."""
    texts = [text and text.replace(".rules.variants.", ".rules.") for text in (signature, returns)]
    for base, kind in (("Position", "State"), ("Step", "Move"), ("Seen", "View")):
        its = rf"~?winnable\.rules\.board\.{base}\b|(?<![\w.]){kind}\b"
        texts = [text and re.sub(its, f"~winnable.rules.{kind}", text) for text in texts]
    return tuple(texts)


def add_contents(app, name, source):
    """Append a hidden table of contents to the index, of the pages that it links to in that order."""
    if name == "index":
        pages = re.findall(r"^- \[.*?\]\((.*?)\.md\)", source[0], re.MULTILINE)
        source[0] += "\n".join(["", "```{toctree}", ":hidden:", *pages, "```", ""])


def setup(app):
    """Register the directives and hooks; called by Sphinx."""
    app.connect("source-read", add_contents)
    app.connect("autodoc-process-signature", shorten)
    app.add_directive("commands", commands_directive())
    app.add_directive("notebook", notebook_directive())
