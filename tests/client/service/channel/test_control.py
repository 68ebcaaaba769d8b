"""The control channel gives answers, snapshots, limits and an orderly end on both kinds of endpoint."""

import json
import socket
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from client.api.answers import ANSWERS, MAX_ANSWER, Refused, Status
from client.api.commands import Finish, Join, Leave, Pause, Quit, Resume, SignIn
from client.api.connection import Connection
from client.api.endpoint import Endpoint
from client.api.endpoints.loopback import LoopbackEndpoint
from client.api.endpoints.unix_socket import UnixEndpoint
from client.api.errors import DaemonOld, NoDaemon, RequestRefused
from client.api.questions import GetStatus, Watch
from client.api.requests import REQUESTS
from client.service.channel.front_end import Limits
from client.service.channel.request_line import understand
from core.messages.lines import MAX_LINE, LineError, decode, encode
from tests.client.served_control import REFUSAL, SNAPSHOT, ServedControl, served
from tests.waiting import wait_until

At = Callable[[Path], Endpoint]
SECONDS = 10.0
SECRET = "hf_SECRETsecretSECRET"
QUICK = 0.05
LONG_HEADLINE = "x" * 40_000


@pytest.fixture(params=[UnixEndpoint, LoopbackEndpoint])
def at(request: pytest.FixtureRequest) -> At:
    kind: At = request.param
    return kind


@pytest.fixture
def control(tmp_path: Path, at: At) -> Iterator[ServedControl]:
    with served(tmp_path / "control", at, Limits(interval=QUICK)) as control:
        yield control


def raw(control: ServedControl, at: At) -> socket.socket:
    connected = at(control.path).connect(SECONDS)
    connected.settimeout(SECONDS)
    return connected


def answers(connected: socket.socket, expected: int | None = None) -> list[object]:
    """The answers until the connection ends, or until there are as many as expected."""
    found: list[object] = []
    with connected.makefile("rb") as lines:
        while len(found) != expected:
            try:
                line = lines.readline()
            except ConnectionResetError:
                break
            if not line:
                break
            found.append(decode(line, ANSWERS))
    return found


def ended(connected: socket.socket) -> bool:
    """Return true once the daemon ends the connection; raise an error if that takes too long."""
    try:
        while connected.recv(MAX_LINE):
            pass
    except ConnectionResetError:
        return True
    return True


def test_requests_are_answered_in_turn(control: ServedControl, at: At) -> None:
    with Connection.open(control.path, at=at) as connection:
        status = connection.ask(GetStatus())
        assert isinstance(status, Status)
        assert status.snapshot == SNAPSHOT
        assert connection.ask(Resume()).id == status.id + 1
    assert [request.type for request in control.requests] == ["resume"]


def test_an_error_of_the_daemon_reaches_the_front_end_with_its_remedy(control: ServedControl, at: At) -> None:
    with Connection.open(control.path, at=at) as connection:
        with pytest.raises(RequestRefused) as caught:
            connection.ask(Join(folder="/nowhere"))
        assert (caught.value.code, caught.value.what, caught.value.remedy) == (
            REFUSAL.code,
            REFUSAL.what,
            REFUSAL.remedy,
        )
        connection.ask(Resume())


def test_a_mistake_of_the_daemons_is_reported_and_does_not_look_like_its_end(
    control: ServedControl, at: At, caplog: pytest.LogCaptureFixture
) -> None:
    with Connection.open(control.path, at=at) as connection:
        with pytest.raises(RequestRefused, match=r"An internal error occurred \(LookupError\)"):
            connection.ask(Leave())
        connection.ask(Resume())
    assert "nobody thought of this" in caplog.text, "its log is what can be reported"


def test_whoever_watches_sees_now_and_every_change(control: ServedControl, at: At) -> None:
    with Connection.open(control.path, at=at) as connection:
        seen = connection.watch()
        assert next(seen) == SNAPSHOT
        for headline in "123":
            control.change(headline)
            assert next(seen).headline == headline


def test_a_watching_front_end_can_ask_as_well(control: ServedControl, at: At) -> None:
    with Connection.open(control.path, at=at) as connection:
        seen = connection.watch()
        next(seen)
        control.change("1")
        connection.ask(Resume())
        with pytest.raises(RequestRefused):
            connection.ask(Join(folder="/nowhere"))
        control.change("2")
        assert next(snapshot for snapshot in seen if snapshot.headline == "2")


def test_changes_in_quick_succession_are_reported_as_one(tmp_path: Path, at: At) -> None:
    with (
        served(tmp_path / "control", at, Limits(interval=0.5)) as control,
        Connection.open(control.path, at=at) as connection,
    ):
        seen = connection.watch()
        next(seen)
        for number in range(1000):
            control.change(str(number))
        assert next(snapshot for snapshot in seen if snapshot.headline == "999")
        assert control.snapshots < 100


def test_a_front_end_that_does_not_read_gets_the_latest_and_nothing_piles_up(tmp_path: Path, at: At) -> None:
    with served(tmp_path / "control", at, Limits(interval=0)) as control:
        slow, quick = raw(control, at), Connection.open(control.path, at=at)
        with slow, quick:
            slow.sendall(encode(Watch(id=1)))
            seen = quick.watch()
            next(seen)
            for number in range(500):
                control.change(f"{number} {LONG_HEADLINE}")
                next(snapshot for snapshot in seen if snapshot.headline.startswith(f"{number} "))
            received: list[str] = []
            with slow.makefile("rb") as lines:
                while not received or not received[-1].startswith("499 "):
                    answer = decode(lines.readline(), ANSWERS)
                    assert isinstance(answer, Status)
                    received.append(answer.snapshot.headline)
        assert len(received) < 400, "the kernel's buffers hold some, the daemon none"


def test_a_front_end_that_never_reads_is_given_up(tmp_path: Path, at: At) -> None:
    limits = Limits(interval=0, unread=QUICK, connections=2)
    with (
        served(tmp_path / "control", at, limits) as control,
        raw(control, at) as stuck,
        Connection.open(control.path, at=at) as connection,
    ):
        stuck.sendall(encode(Watch(id=1)))
        seen = connection.watch()
        next(seen)
        while not taken_in(control, at):
            control.change(LONG_HEADLINE)
            next(seen)


def taken_in(control: ServedControl, at: At) -> bool:
    """Return true if the daemon accepts another front end."""
    try:
        with Connection.open(control.path, at=at) as connection:
            connection.ask(GetStatus())
    except NoDaemon:
        return False
    return True


@pytest.mark.parametrize(
    "line",
    [
        b"\n",
        b"nonsense\n",
        b"[]\n",
        b"{}\n",
        b'{"type": "status", "id": -1}\n',
        b"\xff\xfe\0\n",
        b"[" * 5000 + b"\n",
    ],
)
def test_nonsense_is_refused_and_what_follows_is_answered(
    control: ServedControl, at: At, line: bytes
) -> None:
    with raw(control, at) as connected:
        connected.sendall(line + encode(Resume(id=7)))
        refused, done = answers(connected, 2)
        assert isinstance(refused, Refused)
        assert (refused.id, refused.code) == (0, "line")
        assert done.id == 7  # type: ignore[attr-defined]


def test_a_request_that_cannot_be_read_is_refused_by_its_number_if_it_has_one(
    control: ServedControl, at: At
) -> None:
    with raw(control, at) as connected:
        connected.sendall(b'{"type": "fly", "id": 5, "protocol": 1}\n')
        assert [answer.id for answer in answers(connected, 1)] == [5]  # type: ignore[attr-defined]


def test_a_front_end_that_talks_only_nonsense_is_not_listened_to_for_long(
    control: ServedControl, at: At
) -> None:
    with raw(control, at) as connected:
        connected.sendall(b"nonsense\n" * Limits().bad_lines)
        assert len(answers(connected)) == Limits().bad_lines


def test_a_line_that_is_too_long_is_refused_and_ends_the_connection(control: ServedControl, at: At) -> None:
    with raw(control, at) as connected:
        connected.sendall(b"x" * (MAX_LINE + 1))
        (refused,) = answers(connected, 1)
        assert isinstance(refused, Refused)
        assert ended(connected)


def test_an_answer_may_be_longer_than_any_request(control: ServedControl, at: At) -> None:
    with Connection.open(control.path, at=at) as connection:
        for length in (MAX_LINE, MAX_ANSWER - MAX_LINE):
            control.change("x" * length)
            status = connection.ask(GetStatus())
            assert isinstance(status, Status)
            assert len(status.snapshot.headline) == length


def test_a_snapshot_that_is_too_long_is_an_answer_in_words(control: ServedControl, at: At) -> None:
    with Connection.open(control.path, at=at) as connection:
        control.change("x" * MAX_ANSWER)
        with pytest.raises(RequestRefused, match="too long"):
            connection.ask(GetStatus())
        control.change("short")
        connection.ask(GetStatus())


def test_a_front_end_that_says_nothing_is_let_go_unless_it_watches(tmp_path: Path, at: At) -> None:
    with (
        served(tmp_path / "control", at, Limits(quiet=0.5, interval=QUICK)) as control,
        Connection.open(control.path, at=at) as watching,
    ):
        seen = watching.watch()
        next(seen)
        with raw(control, at) as silent, raw(control, at) as halfway:
            halfway.sendall(b'{"type": "status", ')
            assert ended(silent)
            assert ended(halfway)
        control.change("1")
        assert next(seen).headline == "1"


def test_no_more_front_ends_than_allowed_are_taken_in(tmp_path: Path, at: At) -> None:
    with served(tmp_path / "control", at, Limits(connections=2)) as control:
        with Connection.open(control.path, at=at) as one, Connection.open(control.path, at=at) as other:
            one.ask(Resume())
            other.ask(Resume())
            assert not taken_in(control, at)
            one.ask(Resume())
        while not taken_in(control, at):
            pass


def test_a_flood_of_requests_keeps_nobody_waiting(control: ServedControl, at: At) -> None:
    with raw(control, at) as flood, raw(control, at) as other:
        with control.held_up():
            flood.sendall(encode(Resume(id=1)) * 1500)
            other.sendall(encode(Finish(id=2)))
        answers(other, 1)
        flood.shutdown(socket.SHUT_WR)
        assert len(answers(flood)) == 1500
    assert control.requests.index(Finish(id=2)) < 100


def test_asking_to_watch_again_and_again_builds_nothing_up(control: ServedControl, at: At) -> None:
    control.change(LONG_HEADLINE)
    with raw(control, at) as flood:
        flood.sendall(encode(Watch(id=1)) * 1000 + encode(Watch(id=2)) + encode(Resume(id=3)))
        numbers: set[int] = set()
        with flood.makefile("rb") as lines:
            while not {2, 3} <= numbers:
                numbers.add(decode(lines.readline(), ANSWERS).id)
    assert control.snapshots < 100


def test_another_version_is_called_so(control: ServedControl, at: At) -> None:
    with raw(control, at) as connected:
        connected.sendall(b'{"type": "dance", "style": 3, "id": 9, "protocol": 2}\n')
        (refused,) = answers(connected, 1)
        assert isinstance(refused, Refused)
        assert (refused.id, refused.code) == (9, DaemonOld.code)
        assert "different versions" in refused.what


def test_a_front_end_of_another_version_learns_what_to_do(control: ServedControl, at: At) -> None:
    with (
        Connection.open(control.path, at=at) as connection,
        pytest.raises(DaemonOld, match="idlebrush quit"),
    ):
        connection.ask(Resume.model_construct(type="resume", protocol=2))


def test_any_version_can_end_the_daemon(control: ServedControl, at: At) -> None:
    with raw(control, at) as connected:
        connected.sendall(b'{"type": "quit", "politely": true, "id": 4, "protocol": 2}\n')
        assert [answer.id for answer in answers(connected, 1)] == [4]  # type: ignore[attr-defined]
    assert control.requests == [Quit(id=4)]


def test_an_answer_on_its_way_arrives_though_the_daemon_ends(control: ServedControl, at: At) -> None:
    with raw(control, at) as connected, Connection.open(control.path, at=at) as watching:
        seen = watching.watch()
        next(seen)
        connected.sendall(encode(Pause(id=3)))
        assert control.asked_to_pause.wait(SECONDS)
        wait_for_end = control.begin_to_close()
        control.pause()
        wait_for_end()
        assert [answer.id for answer in answers(connected)] == [3]  # type: ignore[attr-defined]
        with pytest.raises(NoDaemon):
            next(seen)
    assert not control.path.exists()


def test_a_request_that_takes_too_long_does_not_keep_the_daemon_from_ending(tmp_path: Path, at: At) -> None:
    with (
        served(tmp_path / "control", at, Limits(flush_seconds=QUICK)) as control,
        raw(control, at) as connected,
    ):
        connected.sendall(encode(Pause(id=3)))
        assert control.asked_to_pause.wait(SECONDS)
        control.begin_to_close()()
        assert answers(connected) == []


def test_what_a_killed_daemon_has_left_is_in_nobodys_way(tmp_path: Path, at: At) -> None:
    left = at(tmp_path / "control").listen()
    left.close()
    with pytest.raises(NoDaemon, match="idlebrush daemon"):
        Connection.open(tmp_path / "control", at=at)
    with (
        served(tmp_path / "control", at) as control,
        Connection.open(control.path, at=at) as connection,
    ):
        connection.ask(Resume())


def sign_in(**fields: object) -> bytes:
    return json.dumps({"type": "sign_in", "id": 1, "token": SECRET, **fields}).encode() + b"\n"


WITH_SECRET = {
    "a wrong field": sign_in(keep="everywhere"),
    "an unknown field": sign_in(**{SECRET: 1}),
    "an unknown type": sign_in(type=SECRET),
    "a number that is none": sign_in(id=SECRET),
    "another protocol": sign_in(protocol=SECRET),
    "a newer protocol": sign_in(protocol=2),
    "a token that is a list": sign_in(token=[SECRET]),
    "a line cut off": sign_in()[:-3],
    "JSON cut off": sign_in()[:-3] + b"\n",
    "no object": json.dumps([SECRET]).encode() + b"\n",
    "a secret as the way of keeping it": sign_in(keep=SECRET),
}


@pytest.mark.parametrize("line", WITH_SECRET.values(), ids=WITH_SECRET)
def test_no_refusal_repeats_a_secret(line: bytes) -> None:
    refused = understand(line)
    assert isinstance(refused, Refused)
    assert SECRET not in encode(refused).decode() + repr(refused)
    with pytest.raises(LineError) as caught:
        decode(line, REQUESTS)
    assert SECRET not in "".join(traceback.format_exception(caught.value))


def test_a_token_arrives_whole_and_shows_nowhere() -> None:
    request = understand(sign_in())
    assert isinstance(request, SignIn)
    assert SECRET not in f"{request!r} {request} {request.model_dump()}"
    assert request.token
    assert request.token.get_secret_value() == SECRET
    assert understand(encode(request)) == request


def test_a_place_that_a_program_removed_is_made_again(tmp_path: Path, at: At) -> None:
    with (
        served(tmp_path / "control", at, Limits(reachable=QUICK)) as control,
        Connection.open(control.path, at=at) as before,
    ):
        control.path.unlink()
        wait_until(control.path.exists, "nobody can reach it any more")
        with Connection.open(control.path, at=at) as after:
            assert isinstance(after.ask(GetStatus()), Status)
        assert isinstance(before.ask(GetStatus()), Status), "who was connected stays so"
    assert not control.path.exists()
