"""Sphinx settings: `sphinx-build -W docs docs/_build`."""

project = "winnable"
extensions = ["myst_parser"]
html_theme = "furo"
exclude_patterns = ["_build"]
