"""Checks of joined runs: damaged files, too little memory, peers and coordinators that are there or not."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest

from client.checks.runs import (
    judge_plan,
    look_at_peers,
    look_at_runs,
)
from client.doctor import CheckVerdict
from client.paths import Paths
from core.memory.machine import MachineResources
from core.run.contact import Contact
from core.run.manifest import RunManifest
from core.run.plan import plan_of
from core.signing import SigningKey
from tests.client.run_server import serving
from tests.swarms.tiny_run import write_tiny_run

PEER = "12D3KooWQYhTNQdmr3ArTeUHRYzFg94BKyTkoWBDWez9kSCVe2Xo"


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths.of_user({"IDLEBRUSH_HOME": str(tmp_path / "home")})


@pytest.fixture
def run(paths: Paths) -> RunManifest:
    """A run that was joined."""
    return RunManifest.load(write_tiny_run(paths.data / "runs" / "tiny"))


def verdicts(paths: Paths) -> dict[str, CheckVerdict]:
    return {finding.name: finding.verdict for finding in asyncio.run(look_at_runs(paths))}


def test_where_nothing_was_joined_the_shipped_run_is_planned_for(paths: Paths) -> None:
    assert verdicts(paths) == {"Run": CheckVerdict.OK, "Memory": CheckVerdict.OK}


@pytest.mark.usefixtures("run")
def test_a_joined_run_is_whole_and_fits(paths: Paths) -> None:
    assert verdicts(paths) == {"Run": CheckVerdict.OK, "Memory": CheckVerdict.OK}


@pytest.mark.usefixtures("run")
def test_a_run_is_planned_for_the_machine_that_may_train(paths: Paths) -> None:
    found = asyncio.run(look_at_runs(paths, machine=lambda: MachineResources(1 << 20)))
    assert {finding.name: finding.verdict for finding in found}["Memory"] is CheckVerdict.PROBLEM


@pytest.mark.parametrize("file", ["shard.parquet", "run.toml"])
@pytest.mark.usefixtures("run")
def test_a_damaged_file_of_a_run_is_a_problem(file: str, paths: Paths) -> None:
    (paths.data / "runs" / "tiny" / file).write_text("spoiled")
    assert verdicts(paths)["Run"] is CheckVerdict.PROBLEM


def test_too_little_memory_is_a_problem(run: RunManifest) -> None:
    assert judge_plan(run, plan_of(run.training, MachineResources(1 << 20))).verdict is CheckVerdict.PROBLEM


def entered_by(run: RunManifest, *addresses: str) -> RunManifest:
    contact = Contact(title="Tiny", initial_peers=addresses, issued_at=datetime(2026, 1, 1, tzinfo=UTC))
    return RunManifest.create(run.training, contact, SigningKey.generate())


def test_of_the_peers_one_that_answers_is_enough(run: RunManifest, tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        there, gone = (f"/ip4/127.0.0.1/tcp/{port}/p2p/{PEER}" for port in (server.server_port, 1))
        (finding,) = asyncio.run(look_at_peers(entered_by(run, there, gone)))
        (nobody,) = asyncio.run(look_at_peers(entered_by(run, gone)))
    place = f"127.0.0.1:{server.server_port}"
    assert finding.verdict is CheckVerdict.OK
    assert finding.found == f"1 of 2 addresses by which Tiny is entered answer: {place} by IPv4."
    assert nobody.verdict is CheckVerdict.PROBLEM
    assert nobody.found == "No address by which Tiny is entered answers: 127.0.0.1:1."
    assert "ask the organiser" in nobody.remedy


def test_a_run_without_peers_has_none_to_look_at(run: RunManifest) -> None:
    assert asyncio.run(look_at_peers(run)) == []
