"""Building of test modules: compiled once, and a failure explained once."""

import pytest
from tests.native import build

SOURCE = '"""A module."""\n\n\ndef answer():\n    return {}\n'


@pytest.fixture
def cache(tmp_path, monkeypatch):
    if build.missing_tool():
        pytest.skip("no compiler")
    monkeypatch.setattr(build, "CACHE", tmp_path / "cache")
    return tmp_path


@pytest.mark.full
def test_a_module_is_compiled_when_its_source_changes(cache):
    source = cache / "sample.pyx"
    source.write_text(SOURCE.format(42), encoding="utf-8")
    first = build.build(source)
    assert build.build(source) == first
    assert build.load(source).answer() == 42
    source.write_text(SOURCE.format(43), encoding="utf-8")
    assert build.build(source) != first


def test_a_module_depends_on_the_parts_that_it_includes():
    for name, of, others in (
        ("chessboard_brute", "chessboard/replay core/desk core/hash_set core/memory", "chessboard/position"),
        ("joker_walker", "joker/cards joker/state joker/tiers core/kernel", "klondike/state simon/beam"),
    ):
        found = build.parts(build.ROOT / "tests" / "native" / f"{name}.pyx")
        known = {path.relative_to(build.ROOT / "solver").with_suffix("").as_posix() for path in found}
        assert known >= {*of.split()}
        assert known.isdisjoint(others.split())


@pytest.mark.full
def test_a_failed_build_is_explained_once(cache):
    source = cache / "wrong.pyx"
    source.write_text(SOURCE.format("<nothing>"), encoding="utf-8")
    with pytest.raises(build.BuildError, match=r"^wrong.pyx does not compile:\n(.|\n)*wrong.pyx:5"):
        build.build(source)
    with pytest.raises(build.BuildError, match=r"^wrong.pyx does not compile: see .*\.log$"):
        build.build(source)
