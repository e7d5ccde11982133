"""Sphinx settings: `sphinx-build -W docs docs/_build`. The package must be importable."""

import re

import click

from winnable.cli.main import COMMANDS, Context, cli

project = "winnable"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
html_theme = "furo"
exclude_patterns = ["_build"]
autodoc_member_order = "bysource"
myst_heading_anchors = 3
suppress_warnings = ["ref.python"]  # State and Move in the types of properties, which no event gives


man_pages = [("commands", "winnable", "decides solitaire deals", "", 1)]


def helps():
    """The names of all commands, that of the program first, with their pages of help."""
    program = Context(cli, info_name="winnable", terminal_width=88)
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


def shorten(app, what, name, obj, options, signature, returns):
    """Write the states, moves and views of all games, which are their base classes when the program runs,
    under their own names."""
    texts = [text and text.replace(".rules.variants.", ".rules.") for text in (signature, returns)]
    for base, kind in (("Position", "State"), ("Step", "Move"), ("Seen", "View")):
        its = rf"~?winnable\.rules\.board\.{base}\b|(?<![\w.]){kind}\b"
        texts = [text and re.sub(its, f"~winnable.rules.{kind}", text) for text in texts]
    return tuple(texts)


def setup(app):
    """What Sphinx calls first."""
    app.connect("autodoc-process-signature", shorten)
    app.add_directive("commands", commands_directive())
