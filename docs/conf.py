"""Sphinx settings: `sphinx-build -W docs docs/_build`. The package must be importable."""

from typing import get_args

from winnable import rules

project = "winnable"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
html_theme = "furo"
exclude_patterns = ["_build"]
autodoc_member_order = "bysource"
myst_heading_anchors = 3


def shorten(app, what, name, obj, options, signature, returns):
    """Write the states and moves of all games, which are unions, under their own name."""
    texts = [signature, returns]
    for kind in ("State", "Move"):
        parts = [f"~{part.__module__}.{part.__name__}" for part in get_args(getattr(rules, kind))]
        texts = [text and text.replace(" | ".join(parts), f"~winnable.rules.{kind}") for text in texts]
    return tuple(texts)


def setup(app):
    """What Sphinx calls first."""
    app.connect("autodoc-process-signature", shorten)
