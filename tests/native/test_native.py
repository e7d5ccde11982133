"""Building of test modules: compiled once, and a failure explained once."""

import pytest
from tests import native

SOURCE = '"""A module."""\n\n\ndef answer():\n    return {}\n'


@pytest.fixture
def cache(tmp_path, monkeypatch):
    if native.missing_tool():
        pytest.skip("no compiler")
    monkeypatch.setattr(native, "CACHE", tmp_path / "cache")
    return tmp_path


def test_a_module_is_compiled_when_its_source_changes(cache):
    (cache / "sample.pyx").write_text(SOURCE.format(42), encoding="utf-8")
    first = native.build("sample", cache)
    assert native.build("sample", cache) == first
    assert native.load("sample", cache).answer() == 42
    (cache / "sample.pyx").write_text(SOURCE.format(43), encoding="utf-8")
    assert native.build("sample", cache) != first


def test_a_failed_build_is_explained_once(cache):
    (cache / "wrong.pyx").write_text(SOURCE.format("<nothing>"), encoding="utf-8")
    with pytest.raises(native.BuildError, match=r"^wrong.pyx does not compile:\n(.|\n)*wrong.pyx:5"):
        native.build("wrong", cache)
    with pytest.raises(native.BuildError, match=r"^wrong.pyx does not compile: see .*\.log$"):
        native.build("wrong", cache)
