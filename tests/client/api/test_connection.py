"""A front end's end of the control channel, without a daemon: the codec, and what it says of daemons that fail."""

import socket
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.api.answers import MAX_ANSWER, DaemonAnswer, Done, Refused, Status
from client.api.commands import Pause, Resume
from client.api.connection import Connection, LineBuffer
from client.api.errors import DaemonOld, DaemonSilent, NoDaemon, RequestRefused
from client.api.questions import GetStatus
from client.api.requests import REQUESTS
from client.api.snapshot import Activity, Snapshot
from core.messages.lines import decode, encode

SNAPSHOT = Snapshot(
    version="1", pid=1, started=datetime(2026, 1, 1, tzinfo=UTC), activity=Activity.PAUSED, headline="Paused."
)
ANSWERS: list[DaemonAnswer] = [
    Done(id=1, text="with ümlaut"),
    Refused(id=0, code="line", what="What.", remedy="Remedy."),
    Status(id=2, snapshot=SNAPSHOT),
]


@pytest.fixture
def ends() -> Iterator[tuple[Connection, socket.socket]]:
    """A connection, and the daemon's end of it."""
    front_end, daemon = socket.socketpair()
    with Connection(front_end) as connection, daemon:
        daemon.settimeout(10)
        yield connection, daemon


@given(st.lists(st.integers(0, 600), max_size=8))
def test_answers_are_found_however_the_bytes_arrive(cuts: list[int]) -> None:
    sent = b"".join(map(encode, ANSWERS))
    buffer, found, start = LineBuffer(), [], 0
    for cut in [*sorted(cuts), len(sent)]:
        found += buffer.feed(sent[start:cut])
        start = max(start, cut)
    assert found == ANSWERS


@pytest.mark.parametrize(
    "received", [b"nonsense\n", b"{}\n", b"\n", b"x" * MAX_ANSWER, b"x" * MAX_ANSWER + b"\n"]
)
def test_what_is_no_answer_is_taken_for_another_version(received: bytes) -> None:
    with pytest.raises(DaemonOld, match="idlebrush quit"):
        LineBuffer().feed(received)


def test_a_long_line_may_arrive_in_pieces_but_not_for_ever() -> None:
    buffer = LineBuffer()
    assert buffer.feed(b"x" * (MAX_ANSWER - 1)) == []
    with pytest.raises(DaemonOld):
        buffer.feed(b"x")


def test_requests_are_numbered_and_answers_to_others_passed_over(
    ends: tuple[Connection, socket.socket],
) -> None:
    connection, daemon = ends
    daemon.sendall(
        encode(Status(id=9, snapshot=SNAPSHOT)) + encode(Done(id=1)) + encode(Done(id=2, text="b"))
    )
    assert connection.ask(Resume()) == Done(id=1)
    assert connection.ask(Pause(seconds=60)) == Done(id=2, text="b")
    with daemon.makefile("rb") as lines:
        assert [decode(lines.readline(), REQUESTS) for _ in range(2)] == [
            Resume(id=1),
            Pause(id=2, seconds=60),
        ]


@pytest.mark.parametrize("number", [0, 1])
def test_a_refusal_is_an_error_with_the_daemons_words(
    ends: tuple[Connection, socket.socket], number: int
) -> None:
    connection, daemon = ends
    daemon.sendall(
        encode(Refused(id=number, code="disk", what="The disk is full.", remedy="Delete something."))
    )
    with pytest.raises(RequestRefused) as caught:
        connection.ask(Resume())
    assert (caught.value.code, str(caught.value)) == ("disk", "The disk is full. Delete something.")


def test_a_watch_that_is_refused_is_an_error_too(ends: tuple[Connection, socket.socket]) -> None:
    connection, daemon = ends
    daemon.sendall(encode(Refused(id=1, code="line", what="What.", remedy="Remedy.")))
    with pytest.raises(RequestRefused):
        next(connection.watch())


def test_a_daemon_of_another_version_is_distinguished_from_a_refusal(
    ends: tuple[Connection, socket.socket],
) -> None:
    connection, daemon = ends
    daemon.sendall(encode(Refused(id=1, code=DaemonOld.code, what="What.", remedy="Remedy.")))
    with pytest.raises(DaemonOld):
        connection.ask(GetStatus())


def test_a_daemon_that_does_not_answer_in_time_is_silent(ends: tuple[Connection, socket.socket]) -> None:
    connection, daemon = ends
    daemon.sendall(encode(Status(id=9, snapshot=SNAPSHOT)))
    with pytest.raises(DaemonSilent):
        connection.ask(GetStatus(), 0.05)


def test_a_late_answer_is_not_taken_for_that_to_the_next_request(
    ends: tuple[Connection, socket.socket],
) -> None:
    connection, daemon = ends
    with pytest.raises(DaemonSilent):
        connection.ask(Resume(), 0.01)
    daemon.sendall(encode(Done(id=1, text="late")) + encode(Done(id=2, text="in time")))
    assert connection.ask(Resume()) == Done(id=2, text="in time")


def test_a_daemon_that_ends_before_it_answers_is_gone(ends: tuple[Connection, socket.socket]) -> None:
    connection, daemon = ends
    daemon.sendall(encode(Done(id=1))[:-5])
    daemon.shutdown(socket.SHUT_WR)
    with pytest.raises(NoDaemon, match="has ended"):
        connection.ask(Resume())


def test_a_daemon_that_has_ended_is_gone(ends: tuple[Connection, socket.socket]) -> None:
    connection, daemon = ends
    daemon.close()
    with pytest.raises(NoDaemon, match="has ended"):
        connection.ask(Resume())


def test_whether_the_daemon_ends_is_waited_for_in_limited_time(
    ends: tuple[Connection, socket.socket],
) -> None:
    connection, daemon = ends
    daemon.sendall(encode(Done(id=1)))
    assert not connection.ends(0.05)
    daemon.close()
    assert connection.ends(30)
