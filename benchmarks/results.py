"""Make benchmarks/RESULTS.md, results.json and plots/ from the stores of the published runs, and rewrite the
quotes of them in the README and docs/.

    python -m benchmarks.results DIRECTORY [--run] [--keep]

DIRECTORY holds the stores, named as in published/runs.py; runs without a store are left out of the page. With
--run missing or unfinished runs are made first, one after the other, which takes many hours; an interrupted
run continues where it was. With --keep the figures of missing runs are kept from the present page, if they
were made by the same commands, and so are pictures of them. Figures that other programs of benchmarks/ wrote
to DIRECTORY as JSON (times.json, certificates.json) become sections of the page; with --keep sections
without such a file are kept, too.
"""

import argparse
import importlib
import json
import subprocess
import sys
from pathlib import Path

from winnable.cli import files
from winnable.solver.batch.store import StoreError

from .published.page import page
from .published.pictures import draw_all
from .published.quotes import quote_all
from .published.reading import read_all
from .published.runs import RUNS

HERE = Path(__file__).parent
SECTIONS = {
    "times.json": (".times", "Compiling, and a run"),
    "certificates.json": (".certificates", "Certificates"),
}
"""Files of figures, the modules that made them, which have ``markdown(data)``, and headings."""


def main(arguments=None):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("directory", type=Path, help="where the stores are")
    parser.add_argument("--run", action="store_true", help="do what is missing first")
    parser.add_argument("--keep", action="store_true", help="keep the figures of what is not there")
    options = parser.parse_args(arguments)
    if not options.directory.is_dir():
        parser.error(f"{options.directory}: there is no such folder")
    if options.run:
        run_all(options.directory)
    try:
        quote_all(HERE.parent, write(options.directory, HERE, options.keep))
    except StoreError as error:
        sys.exit(str(error))


def run_all(directory):
    """Run the published runs that are missing or unfinished."""
    for run in RUNS:
        command = run.command(directory)
        print(" ".join(command), file=sys.stderr)
        process = subprocess.Popen([sys.executable, "-m", *command])
        try:
            status = process.wait()
        except KeyboardInterrupt:  # the run was interrupted too, and keeps what is finished
            status = process.wait()
        if status:
            sys.exit(status)


def write(directory, target, keep=False):
    """Write the figures, the page and the pictures into the folder ``target``; return the figures. With
    ``keep`` figures of runs and sections that are missing are kept from ``target``."""
    figures = read_all(directory)
    if not figures["runs"]:
        sys.exit(f"{directory}: there are no stores of published runs")
    if keep:
        earlier = json.loads((target / "results.json").read_text())
        keep_runs(figures, earlier)
    figures["sections"] = read_sections(directory)
    if keep:
        found = earlier["sections"] | figures["sections"]
        figures["sections"] = {name: found[name] for name in SECTIONS if name in found}
    plots = target / "plots"
    plots.mkdir(exist_ok=True)
    draw_all(directory, figures, plots)
    files.write(str(target / "results.json"), json.dumps(figures, indent=1) + "\n")
    files.write(str(target / "RESULTS.md"), text_of(figures))
    return figures


def keep_runs(figures, earlier):
    """Add to ``figures`` the ``earlier`` runs that are missing and were made by the same command. If the
    games of a player are unchanged, their comparison with the best scores is kept, whose store may be
    gone, and so are the lengths of first lines of the same deals."""
    for run in RUNS:
        old = earlier["runs"].get(run.name)
        if old and old["command"] == " ".join(run.command()):
            new = figures["runs"].setdefault(run.name, old)
            if new.get("first_lines", old) is None:
                new["first_lines"] = old["first_lines"]
            is_same = all(new.get(name) == old.get(name) for name in ("won", "scores"))
            if is_same and run.name in earlier["players"]:
                figures["players"].setdefault(run.name, earlier["players"][run.name])
    for kind in ("runs", "players"):
        found = figures[kind]
        figures[kind] = {run.name: found[run.name] for run in RUNS if run.name in found}


def read_sections(directory):
    """The sections, read from the JSON files in ``directory`` whose modules exist; invalid files are reported
    and left out."""
    sections = {}
    for name in SECTIONS:
        if (directory / name).is_file() and hasattr(module_of(name), "markdown"):
            try:
                sections[name] = json.loads((directory / name).read_text())
            except ValueError as error:
                print(f"{directory / name}: left out, this is no JSON: {error}", file=sys.stderr)
    return sections


def module_of(name):
    """The module that makes the figures in the file ``name``; None if it does not exist."""
    try:
        return importlib.import_module(SECTIONS[name][0], __package__)
    except ModuleNotFoundError:
        return None


def text_of(figures):
    """The text of the page for ``figures``."""
    sections = []
    for name, data in figures["sections"].items():
        heading = SECTIONS[name][1]
        sections += [f"## {heading}", module_of(name).markdown(data).strip()]
    return page(figures, sections)


if __name__ == "__main__":
    main()
