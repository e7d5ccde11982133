"""Write the verdicts of the published runs as a data set that can be put on an archive as it is.

    python -m benchmarks.dataset DIRECTORY TARGET [--parquet]

DIRECTORY holds the stores, named as in published/runs.py. TARGET gets a file a game, compressed CSV or
Parquet (which needs pyarrow, the extra 'dataset'), a README and datacite.json.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
from pathlib import Path

from winnable.solver.batch.store import StoreError

from .published.dataset import write_dataset


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("directory", type=Path, help="where the stores are")
    parser.add_argument("target", type=Path, help="the folder to write")
    parser.add_argument("--parquet", action="store_true", help="Parquet in place of CSV")
    options = parser.parse_args(arguments)
    if options.parquet and importlib.util.find_spec("pyarrow") is None:
        parser.error("--parquet: pyarrow is not installed; see the extra 'dataset'")
    try:
        parts = write_dataset(options.directory, options.target, "parquet" if options.parquet else "csv.gz")
    except StoreError as error:
        sys.exit(str(error))
    except OSError as error:
        sys.exit(f"{error.filename}: {error.strerror}")
    if not parts:
        sys.exit(f"{options.directory}: there are no stores of published runs")
    for part in parts.values():
        print(f"{options.target / part['file']}: {part['rows']:,} rows, {part['bytes']:,} bytes")


if __name__ == "__main__":
    main()
