"""The worked example of docs/proofs.md: its deal, its certificates and its picture."""

import re
from pathlib import Path

import pytest
from tests.checker.certificates import text_of
from tests.compiled import needs_kernels
from tests.deals import reachable

from winnable import checker
from winnable.rules import find_variant
from winnable.rules.formats import read_deal
from winnable.solver import solve
from winnable.solver.certificates import certify

DOCS = Path(__file__).parents[2] / "docs"
BLOCKS = re.findall(r"^```\n(.*?)^```", (DOCS / "proofs.md").read_text(encoding="utf-8"), re.M | re.S)
FORTRESS = find_variant("fortress")
pytestmark = needs_kernels


@pytest.fixture
def state():
    return read_deal(FORTRESS, BLOCKS[0].encode(), "proofs.md").state


def test_the_certificates_are_those_of_the_deal(state, tmp_path):
    result = solve(FORTRESS, state)
    plain = b"".join(certify(FORTRESS, state, result, plain=True).chunks())
    usual = b"".join(certify(FORTRESS, state, result).chunks())
    assert text_of(plain).lines == BLOCKS[1].splitlines()
    assert text_of(usual).lines == BLOCKS[3].splitlines()
    (tmp_path / "proof.gz").write_bytes(plain)
    assert f"accepted: {checker.check(tmp_path / 'proof.gz')}\n" == BLOCKS[2]


def test_the_picture_has_every_position_and_move(state):
    family = FORTRESS.family
    places = [*reachable(state)]
    steps = [(here, family.apply(here, move)) for here in places for move in family.legal_moves(here)]
    moves = {(family.canonical(here), family.canonical(after)) for here, after in steps}
    picture = (DOCS / "pictures" / "proof-example.svg").read_text(encoding="utf-8")
    assert len(places) == picture.count('font-weight="bold"') == 5
    assert len(moves) == picture.count("marker-end") == 5
