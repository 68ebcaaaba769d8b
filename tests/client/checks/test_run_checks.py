"""Checks of joined runs: damaged files, too little memory, peers and coordinators that are there or not."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest

from client.checks.runs import (
    MAX_SKEW,
    judge_plan,
    judge_skew,
    look_at_coordinator,
    look_at_peers,
    look_at_runs,
)
from client.doctor import Finding, Verdict
from client.paths import Paths
from core.contact import Contact
from core.memory.machine import Machine
from core.run import RunManifest
from core.run_plan import plan_of
from core.signing import SigningKey
from tests.client.run_server import serving
from tests.tiny_run import write_tiny_run

PEER = "12D3KooWQYhTNQdmr3ArTeUHRYzFg94BKyTkoWBDWez9kSCVe2Xo"


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths.of_user({"IDLEBRUSH_HOME": str(tmp_path / "home")})


@pytest.fixture
def run(paths: Paths) -> RunManifest:
    """A run that was joined."""
    return RunManifest.load(write_tiny_run(paths.data / "runs" / "tiny"))


def verdicts(paths: Paths) -> dict[str, Verdict]:
    return {finding.name: finding.verdict for finding in asyncio.run(look_at_runs(paths))}


def test_where_nothing_was_joined_the_shipped_run_is_planned_for(paths: Paths) -> None:
    assert verdicts(paths) == {"Run": Verdict.OK, "Memory": Verdict.OK}


@pytest.mark.usefixtures("run")
def test_a_joined_run_is_whole_and_fits(paths: Paths) -> None:
    assert verdicts(paths) == {"Run": Verdict.OK, "Memory": Verdict.OK}


@pytest.mark.usefixtures("run")
def test_a_run_is_planned_for_the_machine_that_may_train(paths: Paths) -> None:
    found = asyncio.run(look_at_runs(paths, machine=lambda: Machine(1 << 20)))
    assert {finding.name: finding.verdict for finding in found}["Memory"] is Verdict.PROBLEM


@pytest.mark.parametrize("file", ["shard.parquet", "run.toml"])
@pytest.mark.usefixtures("run")
def test_a_damaged_file_of_a_run_is_a_problem(file: str, paths: Paths) -> None:
    (paths.data / "runs" / "tiny" / file).write_text("spoiled")
    assert verdicts(paths)["Run"] is Verdict.PROBLEM


def test_too_little_memory_is_a_problem(run: RunManifest) -> None:
    assert judge_plan(run, plan_of(run.training, Machine(1 << 20))).verdict is Verdict.PROBLEM


def entered_by(run: RunManifest, *addresses: str) -> RunManifest:
    contact = Contact(title="Tiny", initial_peers=addresses, issued_at=datetime(2026, 1, 1, tzinfo=UTC))
    return RunManifest.create(run.training, contact, SigningKey.generate())


def test_of_the_peers_one_that_answers_is_enough(run: RunManifest, tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        there, gone = (f"/ip4/127.0.0.1/tcp/{port}/p2p/{PEER}" for port in (server.server_port, 1))
        (finding,) = asyncio.run(look_at_peers(entered_by(run, there, gone)))
        (nobody,) = asyncio.run(look_at_peers(entered_by(run, gone)))
    assert (finding.verdict, finding.found) == (Verdict.OK, "1 of 2 addresses of Tiny answer.")
    assert nobody.verdict is Verdict.PROBLEM


@pytest.mark.parametrize("address", ["/ip4/127.0.0.1/tcp/99999", f"/dns4/{'a' * 70}.example/tcp/31330"])
def test_a_peer_whose_address_nobody_can_have_does_not_answer(address: str, run: RunManifest) -> None:
    (finding,) = asyncio.run(look_at_peers(entered_by(run, f"{address}/p2p/{PEER}")))
    assert finding.found == "0 of 1 addresses of Tiny answer."


def test_a_run_without_peers_has_none_to_look_at(run: RunManifest) -> None:
    assert asyncio.run(look_at_peers(run)) == []


def test_the_clock_is_compared_with_the_coordinators(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        finding = asyncio.run(look_at_coordinator(server.address("")))
    assert finding == Finding("Clock", Verdict.OK, f"It agrees with that of {server.address('')}.")


def test_no_password_is_sent_to_the_address_that_a_manifest_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login me password secret\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    with serving(tmp_path) as server:
        asyncio.run(look_at_coordinator(server.address("")))
        assert server.secrets == [None]


def test_a_coordinator_that_is_gone_is_a_warning() -> None:
    assert asyncio.run(look_at_coordinator("http://127.0.0.1:1/")).verdict is Verdict.WARNING


@pytest.mark.parametrize(
    ("seconds", "verdict", "words"),
    [
        (0.0, Verdict.OK, "agrees"),
        (-MAX_SKEW, Verdict.OK, "agrees"),
        (61.0, Verdict.PROBLEM, "61 seconds ahead of"),
        (-3600.0, Verdict.PROBLEM, "3600 seconds behind"),
    ],
)
def test_a_clock_that_is_wrong_is_a_problem(seconds: float, verdict: Verdict, words: str) -> None:
    finding = judge_skew(seconds, "https://example.org")
    assert finding.verdict is verdict
    assert words in finding.found
