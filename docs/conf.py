"""Sphinx settings: `sphinx-build -W docs docs/_build`. The package must be importable."""

import re

import click

from winnable.cli.help import ALL_GAMES, WORDS
from winnable.cli.main import COMMANDS, UNLISTED, Context, cli

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
        if name in UNLISTED:
            continue
        command = cli.get_command(program, name)
        own = Context(command, parent=program, info_name=name, terminal_width=88)
        own.meta[WORDS] = ALL_GAMES
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
    """Write the states and moves of all games under their own names, not those of base classes."""
    texts = [text and text.replace(".rules.variants.", ".rules.") for text in (signature, returns)]
    for base, kind in (("Position", "State"), ("Step", "Move")):
        its = rf"~?winnable\.rules\.board\.{base}\b|(?<![\w.]){kind}\b"
        texts = [text and re.sub(its, f"~winnable.rules.{kind}", text) for text in texts]
    return tuple(texts)


MODULE = re.compile(r"^- \[`(winnable[\w.]*)`\]\(\S+\): (.*(?:\n  .*)*)$", re.MULTILINE)
"""An entry of reference.md: a module, with a link to its source, and its public names in code marks."""


def documented(entry):
    """The directive that documents the module and the names of ``entry``, a match of `MODULE`."""
    names = ", ".join(re.findall(r"`(\w+)`", entry[2]))
    return f"```{{eval-rst}}\n.. automodule:: {entry[1]}\n   :members: {names}\n```"


def complete(app, name, source):
    """Add to a page what only Sphinx can: the pages as they stand are complete Markdown for a code host.

    The index gets a hidden table of contents, the pages that it links to in that order; the page of commands
    their pages of help; the reference the docstrings in place of its lists of names.
    """
    if name == "index":
        pages = re.findall(r"^- \[.*?\]\((.*?)\.md\)", source[0], re.MULTILINE)
        source[0] += "\n".join(["", "```{toctree}", ":hidden:", *pages, "```", ""])
    elif name == "commands":
        source[0] += "\n```{commands}\n```\n"
    elif name == "reference":
        source[0] = MODULE.sub(documented, source[0])


def drop_formulas(app, what, name, obj, options, lines):
    """Keep only the first line of the docstring on the dealer, whose formulas are not reStructuredText."""
    if name == "winnable.rules.deals":
        del lines[1:]


def setup(app):
    """Register the directive and the hooks; called by Sphinx."""
    app.connect("source-read", complete)
    app.connect("autodoc-process-signature", shorten)
    app.connect("autodoc-process-docstring", drop_formulas)
    app.add_directive("commands", commands_directive())
