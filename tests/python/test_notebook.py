"""The notebook in docs/: each cell, run again, shows what is printed there."""

import os
import re
import sys
from pathlib import Path

import pytest
from tests.compiled import needs_kernels

nbclient = pytest.importorskip("nbclient", reason="the extra 'notebook' is not installed")
pytest.importorskip("ipykernel", reason="the extra 'notebook' is not installed")
pytest.importorskip("pandas", reason="the extra 'dataframe' is not installed")
pytest.importorskip("matplotlib", reason="the extra 'plot' is not installed")
nbformat = pytest.importorskip("nbformat", reason="the extra 'notebook' is not installed")

PATH = Path(__file__).parents[2] / "docs" / "example.ipynb"
LINE = re.compile("<ol.*</ol>")


def shown(notebook):
    """The HTML that each cell shows, but for the moves of lines: another search may find another."""
    return [
        LINE.sub("", "".join(output["data"]["text/html"]))
        for cell in notebook.cells
        for output in cell.get("outputs", ())
        if "text/html" in output.get("data", ())
    ]


def pictures(notebook):
    """The number of pictures that the cells show."""
    outputs = (output for cell in notebook.cells for output in cell.get("outputs", ()))
    return sum("image/png" in output.get("data", ()) for output in outputs)


@pytest.mark.full
@needs_kernels
def test_the_notebook_shows_what_is_printed(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    there = nbformat.read(PATH, as_version=4)
    again = nbformat.read(PATH, as_version=4)
    nbclient.NotebookClient(again, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert len(shown(there)) + 1 == sum(cell.cell_type == "code" for cell in there.cells)
    assert pictures(again) == pictures(there) == 1
    assert shown(again) == shown(there)
