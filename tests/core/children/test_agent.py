"""The agent's lines, and the agent as a process whose host does not behave."""

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.children import processes
from core.children.agent import leftovers
from core.children.agent.__main__ import NOT_UNDERSTOOD, main
from core.children.agent.frames import (
    CHUNK,
    GREETING,
    MAX_FRAME,
    AgentOrder,
    AgentReading,
    AgentReport,
    FrameError,
    StartOrder,
    chunks,
    frame,
    number,
    parse,
)
from tests.waiting import COSTLY, wait_until

ROOT = Path(__file__).parents[3]
ECHO = StartOrder("", "tests.core.children.stand_in_contained", "0", {"PYTHONPATH": str(ROOT)}, 20.0)


@given(st.sampled_from(AgentOrder), st.binary(max_size=CHUNK))
def test_a_line_returns_what_it_carries(order: AgentOrder, data: bytes) -> None:
    line = frame(order, data)
    assert len(line) <= MAX_FRAME
    assert line.isascii()
    assert parse(line, AgentOrder) == (order, data)
    assert parse(line.replace(b"\n", b"\r\n"), AgentOrder) == (order, data)


@given(st.binary(max_size=200))
def test_what_is_no_line_is_refused(line: bytes) -> None:
    try:
        report, data = parse(line, AgentReport)
    except FrameError:
        return
    assert frame(report, data).split() == line.split()


@pytest.mark.parametrize(
    "line",
    [b"input YQ==", b"input YQ=\n", b"input Y\xff==\n", b"x" * MAX_FRAME + b"\n", b"gone\n", b"\n", b""],
)
def test_a_line_that_is_cut_off_or_unknown_is_refused(line: bytes) -> None:
    with pytest.raises(FrameError):
        parse(line, AgentOrder)


def test_what_is_too_long_for_a_line_is_sent_in_several() -> None:
    data = os.urandom(3 * CHUNK + 5)
    assert b"".join(chunks(data)) == data
    assert all(len(frame(AgentOrder.INPUT, piece)) <= MAX_FRAME for piece in chunks(data))
    with pytest.raises(FrameError):
        frame(AgentOrder.INPUT, data)


@pytest.mark.parametrize("value", [ECHO, AgentReading(5, True, 0.5)])
def test_fields_return_unchanged(value: StartOrder | AgentReading) -> None:
    assert type(value).decode(value.encode()) == value


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b"nonsense", b'{"memory": 1}', b"\xff"])
def test_other_fields_are_refused(data: bytes) -> None:
    with pytest.raises(FrameError):
        AgentReading.decode(data)


@pytest.mark.parametrize("data", [b"", b"-1", b"1.5", b"x", b"1" * 19])
def test_what_is_no_number_is_refused(data: bytes) -> None:
    with pytest.raises(FrameError):
        number(data)


@pytest.fixture
def agent() -> "Iterator[subprocess.Popen[bytes]]":
    """An agent that has greeted; what it starts has its identifier in STAND_IN."""
    started = subprocess.Popen(
        [sys.executable, "-P", "-m", "core.children.agent", "run"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert started.stdin
    assert started.stdout
    assert started.stderr
    assert started.stdout.readline() == GREETING
    yield started
    started.kill()
    started.wait()
    for end in (started.stdin, started.stdout, started.stderr):
        with contextlib.suppress(BrokenPipeError):
            end.close()


def ours(agent: "subprocess.Popen[bytes]") -> list[int]:
    """Return the process ids of what the agent has started."""
    return [
        process.pid
        for process in processes.running()
        if f" {agent.pid} " in leftovers._variable(process.pid, leftovers.AGENT)
    ]


def begin(agent: "subprocess.Popen[bytes]", start: StartOrder = ECHO) -> None:
    """Have the agent start a child that sleeps, and wait until it has reported it."""
    assert agent.stdin
    assert agent.stdout
    deed = json.dumps({"deed": "parent, sleep"}).encode() + b"\n"
    agent.stdin.write(frame(AgentOrder.START, start.encode()) + frame(AgentOrder.INPUT, deed))
    agent.stdin.flush()
    assert parse(agent.stdout.readline(), AgentReport)[0] is AgentReport.STARTED
    while parse(agent.stdout.readline(), AgentReport)[0] is not AgentReport.OUTPUT:
        pass


@pytest.mark.posix
@pytest.mark.parametrize(
    "line",
    [
        b"nonsense\n",
        frame(AgentOrder.START, ECHO.encode()),
        b"x" * (3 * MAX_FRAME) + b"\n",
        frame(AgentOrder.INPUT, b"x" * CHUNK) * 20,
    ],
    ids=["unknown", "second start", "too long", "more input than allowed"],
)
def test_an_agent_whose_host_does_not_keep_to_the_rules_ends_everything(
    agent: "subprocess.Popen[bytes]", line: bytes
) -> None:
    begin(agent)
    assert agent.stdin
    with contextlib.suppress(BrokenPipeError):  # it may end before it has read all
        agent.stdin.write(line)
        agent.stdin.flush()
    assert agent.wait(timeout=60) == 0
    assert not ours(agent)
    assert b"orders are not understood" in agent.stderr.read() if agent.stderr else False


@pytest.mark.posix
def test_an_agent_ends_on_a_signal(agent: "subprocess.Popen[bytes]") -> None:
    begin(agent)
    agent.terminate()
    assert agent.wait(timeout=60) == 0
    assert not ours(agent)


@pytest.mark.posix
def test_an_agent_whose_host_has_stopped_reading_obeys_and_ends(agent: "subprocess.Popen[bytes]") -> None:
    begin(agent, replace(ECHO, lease=2.0))
    wait_until(lambda: agent.poll() is not None, "the agent goes on without a lease", every=COSTLY)
    assert not ours(agent)


@pytest.mark.posix
@pytest.mark.parametrize(
    "first", [b"", b"nonsense\n", frame(AgentOrder.RENEW), frame(AgentOrder.START, b"{}")]
)
def test_an_agent_without_an_order_to_start_starts_nothing(
    agent: "subprocess.Popen[bytes]", first: bytes
) -> None:
    assert agent.stdin
    agent.stdin.write(first)
    agent.stdin.close()
    assert agent.wait(timeout=60) == (NOT_UNDERSTOOD if first else 0)
    assert not ours(agent)


@pytest.mark.posix
def test_resting_forgets_cached_files(tmp_path: Path) -> None:
    kernels_file = tmp_path / "drop_caches"
    assert main(["rest"], kernels_file, lambda: False) == 0
    assert kernels_file.read_text() == "1\n"
    assert main(["rest"], tmp_path / "none" / "drop_caches", lambda: False) == 0


@pytest.mark.posix
def test_cached_files_are_kept_while_an_agent_has_a_child(
    tmp_path: Path, agent: "subprocess.Popen[bytes]"
) -> None:
    begin(agent)
    assert main(["rest"], tmp_path / "drop_caches") == 1
    assert not (tmp_path / "drop_caches").exists()
    agent.terminate()  # it ends its child, which it could not if it was killed
    assert agent.wait(timeout=60) == 0


@pytest.mark.posix
def test_arguments_that_are_not_known_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dance"]) == NOT_UNDERSTOOD
    assert "core.children.agent run" in capsys.readouterr().err


@pytest.mark.posix
def test_a_process_has_an_identity_until_it_has_ended() -> None:
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    known = leftovers.identity(child.pid)
    assert known == leftovers.identity(child.pid) != leftovers.identity()
    assert not leftovers._has_ended(known)
    child.kill()
    wait_until(lambda: leftovers._has_ended(known), "it has not ended")  # though it was not collected yet
    child.communicate()
    assert leftovers.identity(child.pid) != known
    assert not leftovers._has_ended(known.replace("pid:[", "pid:[1")), "an agent of another namespace"
