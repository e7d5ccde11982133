"""The second checker as a fixture."""

import pytest
from tests.second_checker.asking import compiled


@pytest.fixture(scope="session")
def program():
    return compiled() or pytest.skip("no C compiler")
