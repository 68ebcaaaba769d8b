"""Fixtures of tests of looks on real nodes: one set of nodes for each module."""

from collections.abc import Iterator

import pytest

from core.swarm.membership.summariser import Summariser
from tests.core.swarm.membership.looking_members import LookingMember, looking_members, summariser_of


@pytest.fixture(scope="module")
def members(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[LookingMember]]:
    with looking_members(tmp_path_factory.mktemp("members")) as made:
        yield made


@pytest.fixture(scope="module")
def summariser(members: list[LookingMember]) -> Summariser:
    return summariser_of(members)
