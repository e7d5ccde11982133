"""Sphinx settings: `sphinx-build -W docs docs/_build`. The package must be importable."""

import re

project = "winnable"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
html_theme = "furo"
exclude_patterns = ["_build"]
autodoc_member_order = "bysource"
myst_heading_anchors = 3
suppress_warnings = ["ref.python"]  # State and Move in the types of properties, which no event gives


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
