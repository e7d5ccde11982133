"""The verdicts of runs as a data set: what is read back is what was decided."""

import csv
import gzip
import hashlib
import json
import tarfile
from importlib.util import find_spec

import pytest
from tests.compiled import needs_kernels

from winnable import checker
from winnable.cli.main import run
from winnable.rules import find_variant
from winnable.solver import find_shortest, solve

pytest.importorskip("matplotlib", reason="the extra 'plot' is not installed")

from benchmarks import certificates, dataset
from benchmarks.published.runs import find_run

pytestmark = [
    needs_kernels,
    pytest.mark.skipif(find_spec("datacite") is None, reason="the extra 'dataset' is not installed"),
]

GAMES = {"fortress": 200, "joker-exposed": 20, "klondike-one-pass": 30, "fortress-shortest": 20}


@pytest.fixture(scope="module")
def stores(tmp_path_factory):
    """A folder with the first deals of three of the published runs."""
    folder = tmp_path_factory.mktemp("stores")
    for name, deals in GAMES.items():
        _, *words = find_run(name).command(folder)
        words[words.index("--deals") + 1] = f"1-{deals}"
        assert run(words) == 0
    return folder


def test_csv_reads_back(stores, tmp_path, capsys):
    dataset.main([str(stores), str(tmp_path)])
    assert {path.name for path in tmp_path.iterdir()} == {
        "README.md", "datacite.json", *(f"{name}.csv.gz" for name in GAMES)
    }  # fmt: skip
    for name, deals in GAMES.items():
        with gzip.open(tmp_path / f"{name}.csv.gz", "rt", newline="") as file:
            rows = list(csv.DictReader(file))
        assert [int(row["seed"]) for row in rows] == list(range(1, deals + 1))
        variant, choices = find_variant(find_run(name).variant), dict(find_run(name).choices)
        for row in rows[:12]:
            result = solve(variant, variant.deal(int(row["seed"]), choices=choices))
            assert row["verdict"] == result.verdict
            if "shortest" in row and row["verdict"] == "winnable":
                fewest = find_shortest(variant, variant.deal(int(row["seed"])))
                assert (row["shortest"], row["moves"], row["lower_bound"]) == (
                    "1",
                    *2 * (str(len(fewest.moves)),),
                )
            if variant.scoring:
                assert (int(row["score"]), row["tier"]) == (result.score, result.tier)


def test_certificates_are_packed_by_seed(stores, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(dataset, "CERTIFICATES", 4)
    folder, target = tmp_path / "made", tmp_path / "set"
    figures = ["--json", str(tmp_path / "figures.json"), "--game", "fortress", "--deals", "1-12"]
    assert not certificates.main([str(folder), *figures])
    for _ in range(2):  # and always the same
        dataset.main([str(stores), str(target), "--certificates", str(folder)])
        content = (target / "fortress-certificates.tar").read_bytes()
        assert (
            f"{hashlib.sha256(content).hexdigest()}  fortress-certificates.tar"
            in (target / "README.md").read_text()
        )
    with tarfile.open(target / "fortress-certificates.tar") as archive:
        assert archive.getnames() == [f"{seed}.gz" for seed in (1, 2, 3, 4)]
        archive.extractall(tmp_path, filter="data")
    assert checker.check(tmp_path / "4.gz").to_dict()["seed"] == 4


def test_metadata_that_are_not_valid_are_refused(stores, tmp_path, monkeypatch):
    monkeypatch.setattr(dataset, "FORMAT", 1)
    with pytest.raises(SystemExit, match=r"datacite.json: .*formats.*: 1 is not of type 'string'"):
        dataset.main([str(stores), str(tmp_path)])


def test_the_readme_and_the_metadata_tell_of_every_file(stores, tmp_path):
    dataset.main([str(stores), str(tmp_path)])
    readme = (tmp_path / "README.md").read_text()
    for name in GAMES:
        content = (tmp_path / f"{name}.csv.gz").read_bytes()
        assert f"{hashlib.sha256(content).hexdigest()}  {name}.csv.gz" in readme
        header = gzip.decompress(content).decode().partition("\n")[0]
        assert all(f"| `{column}` |" in readme for column in header.split(","))
    told = json.loads((tmp_path / "datacite.json").read_text())
    needed = ("types", "creators", "titles", "publisher", "publicationYear", "schemaVersion")
    assert all(told[name] for name in needed)
    assert told["sizes"][0] == f"{sum(GAMES.values())} rows"


def test_what_is_missing_is_told(tmp_path):
    with pytest.raises(SystemExit, match="there are no stores of published runs"):
        dataset.main([str(tmp_path), str(tmp_path / "set")])
