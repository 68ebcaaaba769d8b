"""Results can be measured again: each names the commit whose code made it."""

import re
import subprocess
from pathlib import Path

import pytest

RESULTS = Path(__file__).parents[2] / "benchmarks" / "results"
COMMIT = re.compile(r'"commit": "([0-9a-f]+)(?:-dirty)?"')


def test_results_are_those_of_committed_code() -> None:
    assert [file.name for file in RESULTS.iterdir() if b"-dirty" in file.read_bytes()] == []


def git(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", "-C", RESULTS, *arguments], check=False, capture_output=True, text=True)


@pytest.mark.skipif(
    git("rev-parse", "--is-shallow-repository").stdout.strip() != "false",
    reason="The history is not all here.",
)
def test_the_commits_of_results_are_in_the_history() -> None:
    """A commit of a branch that was rebased since is in no clone."""
    named = {commit for file in RESULTS.iterdir() for commit in COMMIT.findall(file.read_text())}
    assert named
    assert [item for item in named if git("merge-base", "--is-ancestor", item, "HEAD").returncode] == []
