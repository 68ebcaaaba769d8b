"""The chain that a simulated swarm ends on, and the branches beside it."""

import hashlib

import pytest

from core.simulation.report import branches, longest_branch, main_chain
from core.swarm.wire.records import CommitRecord


def digest(name: str) -> bytes:
    return hashlib.sha256(name.encode()).digest()


def commits(*links: tuple[str, str, int, float]) -> dict[bytes, CommitRecord]:
    """Return records of (name, name of the parent, epoch, samples)."""
    return {
        digest(name): CommitRecord(
            epoch=epoch, parent=digest(parent), root=digest(name), group=b"g" * 20, members=1, samples=samples
        )
        for name, parent, epoch, samples in links
    }


@pytest.mark.parametrize(
    ("links", "chain", "branch"),
    [
        ([], [], 0),
        ([("a", "-", 0, 1.0), ("b", "a", 1, 1.0)], ["a", "b"], 0),
        ([("a", "-", 0, 1.0), ("b", "a", 1, 1.0), ("x", "-", 0, 9.0)], ["a", "b"], 1),
        ([("a", "-", 0, 1.0), ("b", "a", 1, 1.0), ("x", "-", 0, 9.0), ("y", "x", 1, 1.0)], ["x", "y"], 2),
        (
            [("a", "-", 0, 5.0), ("b", "a", 1, 1.0), ("c", "b", 2, 1.0), ("x", "a", 1, 9.0)],
            ["a", "b", "c"],
            1,
        ),
    ],
)
def test_the_longest_chain_counts_and_among_equals_that_with_most_samples(
    links: list[tuple[str, str, int, float]], chain: list[str], branch: int
) -> None:
    found = commits(*links)
    assert [record.root for record in main_chain(found)] == list(map(digest, chain))
    assert longest_branch(found, main_chain(found)) == branch


def test_branches_are_counted_where_they_leave_the_chain() -> None:
    links = [("a", "-", 0, 5.0), ("b", "a", 1, 1.0), ("c", "b", 2, 1.0)]
    beside = [("x", "a", 1, 9.0), ("y", "-", 0, 1.0), ("z", "y", 1, 1.0)]
    found = commits(*links, *beside)
    chain = main_chain(found)
    assert branches(found, chain) == 2
    assert branches(commits(*links), chain) == 0
