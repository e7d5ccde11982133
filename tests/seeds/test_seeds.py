"""The data of seeds/: every line is a deal of its variant, and its README names every file."""

import json
from pathlib import Path

import pytest

from winnable.rules import find_variant
from winnable.rules.json_deals import read_json

SEEDS = Path(__file__).parents[2] / "seeds"
FILES = sorted(path.name for path in SEEDS.glob("*.jsonl"))


@pytest.mark.parametrize("name", FILES)
def test_every_line_is_a_deal_with_an_answer(name):
    lines = (SEEDS / name).read_text().splitlines()
    assert lines
    for line in lines:
        row = json.loads(line)
        assert "verdict" in row or "score" in row
        assert next(read_json(find_variant(row["variant"]), line, name)).state is not None


def test_the_readme_names_every_file():
    text = (SEEDS / "README.md").read_text()
    assert FILES
    assert all(f"`{name}`" in text for name in FILES)
