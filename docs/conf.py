"""Sphinx settings: `sphinx-build -W docs docs/_build`. The package must be importable."""

project = "winnable"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
html_theme = "furo"
exclude_patterns = ["_build"]
autodoc_member_order = "bysource"
myst_heading_anchors = 3


def shorten(app, what, name, obj, options, signature, returns):
    """Write the states, moves and views of all games, which are their base classes when the program runs,
    under their own names."""
    texts = [signature, returns]
    for base, kind in (("Position", "State"), ("Step", "Move"), ("Seen", "View")):
        texts = [
            text and text.replace(f"winnable.rules.board.{base}", f"winnable.rules.{kind}") for text in texts
        ]
    return tuple(texts)


def setup(app):
    """What Sphinx calls first."""
    app.connect("autodoc-process-signature", shorten)
