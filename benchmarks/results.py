"""Make benchmarks/RESULTS.md, results.json and plots/ from the stores of the published runs.

    python benchmarks/results.py DIRECTORY [--run]

DIRECTORY holds the stores, named as in published/runs.py; what is not there is left out of the page. With
--run the runs that are missing or unfinished are done first, one after the other, which takes many hours; a
run that was broken off goes on where it was. What other programs of benchmarks/ wrote there as JSON
(growth.json, peers-*.json) becomes sections of the page.
"""

from __future__ import annotations

import argparse
import importlib
import json
import subprocess
import sys
from pathlib import Path

from published.page import page
from published.pictures import draw_all
from published.quotes import quote_all
from published.reading import read_all
from published.runs import RUNS

from winnable.solver.store import StoreError

HERE = Path(__file__).parent
SECTIONS = {
    "growth.json": "growth",
    "peers-fc-solve.json": "peers.fc_solve",
    "peers-solvitaire.json": "peers.solvitaire",
}
"""Files of figures, and the modules that made them: each has ``markdown(data)``, and ``figure(data, path)``
if there is a picture."""


def main(arguments=None):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("directory", type=Path, help="where the stores are")
    parser.add_argument("--run", action="store_true", help="do what is missing first")
    options = parser.parse_args(arguments)
    if not options.directory.is_dir():
        parser.error(f"{options.directory}: there is no such folder")
    if options.run:
        run_all(options.directory)
    try:
        write(options.directory, HERE)
    except StoreError as error:
        sys.exit(str(error))


def run_all(directory):
    """Do the runs that are missing or unfinished."""
    for run in RUNS:
        command = run.command(directory)
        print(" ".join(command), file=sys.stderr)
        status = subprocess.run([sys.executable, "-m", *command]).returncode
        if status:
            sys.exit(status)


def write(directory, target):
    """Write the figures, the page and the pictures into the folder ``target``."""
    figures = read_all(directory)
    figures["sections"] = {
        name: json.loads((directory / name).read_text()) for name in SECTIONS if (directory / name).is_file()
    }
    if not figures["runs"]:
        sys.exit(f"{directory}: there are no stores of published runs")
    plots = target / "plots"
    plots.mkdir(exist_ok=True)
    draw_all(directory, figures, plots)
    for name, data in figures["sections"].items():
        module = importlib.import_module(SECTIONS[name])
        if hasattr(module, "figure"):
            module.figure(data, plots / f"{Path(name).stem}.png")
    (target / "results.json").write_text(json.dumps(figures, indent=1) + "\n")
    (target / "RESULTS.md").write_text(text_of(figures))
    quote_all(HERE.parent, figures)


def text_of(figures):
    """The page that belongs to ``figures``."""
    sections = [
        importlib.import_module(SECTIONS[name]).markdown(data) for name, data in figures["sections"].items()
    ]
    return page(figures, sections)


if __name__ == "__main__":
    main()
