"""Control of one computer by another over real TLS: what it sees and may do, and who is kept out."""

import asyncio
import logging
import socket
import ssl
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

from client.api.commands import Join, Pause, Quit, SetPreference, SignOut
from client.api.connection import line_of
from client.api.errors import ComputerAway, RemoteError, RequestRefused
from client.api.questions import GetStatus, ShowPreferences
from client.api.remote.computers import (
    ComputerReach,
    ComputerView,
    OrderComputer,
    RemoteOrder,
    RemoveComputer,
    ShowComputers,
)
from client.api.remote.control import OpenPairing, RemoveController
from client.api.requests import AnyRequest
from client.remote.permitted import shown_to_others
from client.remote.tls import control_context, own_certificate, pairing_context
from client.service.channel.front_end import Limits
from client.service.remote.calling import CallTiming
from client.service.remote.listener import RemoteLimits
from core.messages.lines import MAX_LINE
from tests.client.service.remote.paired import TOO_LONG, StandInComputer, paired_computers, two_computers
from tests.client.service.remote.strangers import ForeignIdentity, Stranger, stranger_at
from tests.client.snapshots import FULL
from tests.waiting import DEADLINE, eventually


def carry_out(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 2 * DEADLINE))


async def seen(computer: StandInComputer) -> ComputerView:
    """The only other computer, once it is known whether it answers."""
    while True:
        (view,) = (await computer.ask(ShowComputers())).computers or ()
        if view.reach is not ComputerReach.CONNECTING:
            return view
        await asyncio.sleep(0.02)


async def seen_as(computer: StandInComputer, reach: ComputerReach, why: str = "") -> ComputerView:
    """The only other computer, once it has that reach for that reason."""
    async with asyncio.timeout(DEADLINE):
        while True:
            view = await seen(computer)
            if view.reach is reach and (not why or (view.why is not None and why in view.why.what)):
                return view
            await asyncio.sleep(0.02)


def order(request: RemoteOrder, name: str = "Desktop") -> OrderComputer:
    return OrderComputer(name=name, order=request)


def context_of(laptop: StandInComputer, desktop: StandInComputer) -> ssl.SSLContext:
    """The context by which the laptop controls the desktop."""
    (known,) = desktop.remote.view.controllers
    assert known.fingerprint == laptop.fingerprint
    folder = laptop.context.paths.remote
    password = (folder / "key.secret.json").read_text().split('"password":"')[1].split('"')[0]
    theirs = own_certificate(desktop.context.paths.remote / "identity.pem")
    return control_context(folder / "identity.pem", password, theirs)


async def answer_to(stranger: Stranger, request: AnyRequest) -> bytes:
    stranger.writer.write(line_of(request, 1))
    return await stranger.reader.readline()


def test_the_state_is_seen_and_a_pause_takes_effect(tmp_path: Path) -> None:
    async def whole() -> None:
        async with paired_computers(tmp_path) as (laptop, desktop):
            view = await seen(laptop)
            assert (view.reach, view.why) == (ComputerReach.CONNECTED, None)
            assert view.snapshot == shown_to_others(FULL)
            done = await laptop.ask(order(Pause(seconds=60)))
            assert done.text == "", "the front end says it, and no text of the other computer"
            assert isinstance(desktop.requests[-1], Pause)
            while (await seen(laptop)).snapshot == view.snapshot:
                await asyncio.sleep(0.02)
            assert "“Laptop” paused training by remote control." in desktop.notices
            (controller,) = desktop.remote.view.controllers
            assert controller.connected.endswith("127.0.0.1")

    carry_out(whole())


def test_every_request_is_logged_with_the_computer_that_sent_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "client")

    async def whole() -> None:
        async with paired_computers(tmp_path) as (laptop, _):
            await laptop.ask(order(Pause()))

    carry_out(whole())
    assert "The computer 'Laptop' requests 'pause'." in caplog.text


@pytest.mark.parametrize(
    "request_",
    [Quit(), SignOut(), Join(folder="/etc"), OpenPairing(), SetPreference(name="updates", value="off")],
)
def test_what_is_not_permitted_is_refused_before_it_reaches_the_daemon(
    tmp_path: Path, request_: AnyRequest
) -> None:
    async def whole() -> None:
        async with paired_computers(tmp_path) as (laptop, desktop):
            before = list(desktop.requests)
            async with stranger_at(desktop.port, context_of(laptop, desktop)) as connection:
                assert b"Another computer may not" in await answer_to(connection, request_)
                assert b'"snapshot"' in await answer_to(connection, GetStatus()), "it is still served"
            assert desktop.requests == before

    carry_out(whole())


def test_quit_of_another_version_is_refused_too(tmp_path: Path) -> None:
    async def whole() -> None:
        async with (
            paired_computers(tmp_path) as (laptop, desktop),
            stranger_at(desktop.port, context_of(laptop, desktop)) as connection,
        ):
            connection.writer.write(b'{"type": "quit", "id": 1, "protocol": 7}\n')
            assert b"Another computer may not" in await connection.reader.readline()

    carry_out(whole())


def test_a_refusal_of_the_other_daemon_reaches_the_front_end(tmp_path: Path) -> None:
    async def whole() -> None:
        async with paired_computers(tmp_path) as (laptop, _):
            with pytest.raises(RequestRefused, match="may not change"):
                await laptop.ask(order(SetPreference(name="remote-port", value="2000")))
            with pytest.raises(RemoteError, match="no paired computer"):
                await laptop.ask(order(ShowPreferences(), "Study"))
            with pytest.raises(RequestRefused, match="needs its user") as refused:
                await laptop.ask(order(Pause(seconds=TOO_LONG)))
            assert "/" not in str(refused.value)

    carry_out(whole())


@pytest.mark.parametrize("with_code", [False, True])
def test_a_computer_that_is_not_paired_is_refused_in_the_handshake(tmp_path: Path, with_code: bool) -> None:
    async def whole() -> None:
        identity = ForeignIdentity(tmp_path / "m.pem")
        async with paired_computers(tmp_path) as (_, desktop):
            before = list(desktop.requests)
            if with_code:  # while a code is valid, clients without any certificate are let in, to be paired
                await desktop.code()
            async with stranger_at(desktop.port, identity.present_in(pairing_context())) as connection:
                connection.writer.write(line_of(Pause(), 1))
                assert await connection.is_cut_off()
            if not with_code:
                async with stranger_at(desktop.port) as connection:
                    connection.writer.write(line_of(Pause(), 1))
                    assert await connection.is_cut_off()
            assert desktop.requests == before
            assert all(not known.connected for known in desktop.remote.view.controllers)

    carry_out(whole())


def test_the_controlled_computer_may_not_control(tmp_path: Path) -> None:
    async def whole() -> None:
        async with paired_computers(tmp_path) as (laptop, desktop):
            await laptop.code()
            with pytest.raises(RemoteError):
                await desktop.ask(order(Pause(), "Laptop"))

    carry_out(whole())


def test_removing_a_controller_ends_its_connections_and_keeps_it_out(tmp_path: Path) -> None:
    async def whole() -> None:
        async with paired_computers(tmp_path) as (laptop, desktop):
            await seen_as(laptop, ComputerReach.CONNECTED)
            async with stranger_at(desktop.port, context_of(laptop, desktop)) as connection:
                assert b'"snapshot"' in await answer_to(connection, GetStatus())
                await desktop.ask(RemoveController(name="Laptop"))
                assert await connection.is_cut_off()
            view = await seen_as(laptop, ComputerReach.AWAY, "does not let this computer control it")
            assert view.snapshot is not None, "what was seen last stays"
            with pytest.raises(ComputerAway):
                await laptop.ask(order(Pause()))

    carry_out(whole())


def test_turning_it_off_ends_all_connections(tmp_path: Path) -> None:
    async def whole() -> None:
        async with paired_computers(tmp_path) as (laptop, desktop):
            await seen_as(laptop, ComputerReach.CONNECTED)
            await desktop.handle(SetPreference(name="remote-control", value="off"))
            await seen_as(laptop, ComputerReach.AWAY, "cannot be reached")
            await desktop.handle(SetPreference(name="remote-control", value="on"))
            await seen_as(laptop, ComputerReach.CONNECTED)

    carry_out(whole())


def test_a_removed_computer_is_forgotten(tmp_path: Path) -> None:
    async def whole() -> None:
        async with paired_computers(tmp_path) as (laptop, desktop):
            await seen_as(laptop, ComputerReach.CONNECTED)
            await laptop.ask(RemoveComputer(name="Desktop"))
            assert (await laptop.ask(ShowComputers())).computers == ()
            await eventually(lambda: not desktop.remote.view.controllers[0].connected, "it stays connected")

    carry_out(whole())


def test_an_old_failure_is_told_from_the_outcome_of_an_attempt_that_is_under_way(tmp_path: Path) -> None:
    async def whole() -> None:
        timing = CallTiming(retry=0.01, wanted=0.05)
        laptop, desktop = (
            StandInComputer(tmp_path / "laptop", "Laptop", timing=timing),
            StandInComputer(tmp_path / "desktop", "Desktop"),
        )
        async with laptop.living():
            async with desktop.living():
                await laptop.add(desktop, await desktop.code())
            await seen_as(laptop, ComputerReach.AWAY)
            await asyncio.sleep(0.5)  # nobody asks any more
            async with desktop.living():
                (view,) = (await laptop.ask(ShowComputers())).computers or ()
                assert (view.reach, view.is_being_tried) == (ComputerReach.AWAY, True)
                while view.is_being_tried:
                    (view,) = (await laptop.ask(ShowComputers())).computers or ()
                    await asyncio.sleep(0.02)
                assert view.reach is ComputerReach.CONNECTED

    carry_out(whole())


def test_another_computer_at_the_address_is_not_taken_for_the_paired_one(tmp_path: Path) -> None:
    async def whole() -> None:
        async with two_computers(tmp_path) as (laptop, desktop):
            await laptop.add(desktop, await desktop.code())
            thief = StandInComputer(tmp_path / "thief", "Thief")
            await desktop.handle(SetPreference(name="remote-control", value="off"))
            await eventually(lambda: desktop.remote.view.port == 0, "it still listens")
            thief.context.kept.current = desktop.context.preferences
            async with thief.living():
                await thief.code()
                await seen_as(laptop, ComputerReach.AWAY, "Another device answers")

    carry_out(whole())


LIMITS = RemoteLimits(unproven=4, handshake=0.5, served=Limits(bad_lines=1, quiet=0.5, interval=0.1))


def test_connections_beyond_the_limit_end_at_once(tmp_path: Path) -> None:
    async def whole() -> None:
        limits = RemoteLimits(unproven=4, handshake=10 * DEADLINE)
        async with two_computers(tmp_path, limits=limits) as (_, desktop):
            await desktop.code()
            slow = [await asyncio.open_connection("127.0.0.1", desktop.port) for _ in range(12)]
            ends = [asyncio.create_task(Stranger(*streams).is_cut_off()) for streams in slow]
            try:
                await eventually(lambda: sum(end.done() for end in ends) >= 8, "too many are kept")
                await asyncio.sleep(0)
                assert [end.done() for end in ends] == [False] * 4 + [True] * 8
            finally:
                for _, writer in slow:
                    writer.transport.abort()
                await asyncio.gather(*ends)

    carry_out(whole())


def test_one_paired_computer_leaves_room_for_the_others(tmp_path: Path) -> None:
    async def whole() -> None:
        async with paired_computers(tmp_path, limits=RemoteLimits(of_each=2)) as (laptop, desktop):
            context = context_of(laptop, desktop)
            async with (
                stranger_at(desktop.port, context) as first,
                stranger_at(desktop.port, context) as second,
            ):
                for connection in (first, second):
                    assert b'"snapshot"' in await answer_to(connection, GetStatus())
                async with stranger_at(desktop.port, context) as third:
                    for connection in (third, second):
                        assert b'"snapshot"' in await answer_to(connection, GetStatus())
                    assert await first.is_cut_off()

    carry_out(whole())


def test_connections_that_say_nothing_end(tmp_path: Path) -> None:
    async def whole() -> None:
        async with paired_computers(tmp_path, limits=LIMITS) as (laptop, desktop):
            slow = [await asyncio.open_connection("127.0.0.1", desktop.port) for _ in range(40)]
            try:
                for reader, _ in slow:
                    assert await Stranger(reader, slow[0][1]).is_cut_off()
            finally:
                for _, writer in slow:
                    writer.transport.abort()
            assert laptop.fingerprint

    carry_out(whole())


@pytest.mark.parametrize(
    "sent",
    [b"", b'{"type": "pau', b"x" * (MAX_LINE + 1) + b"\n", b"\xff" * 4 * MAX_LINE, b"\n"],
    ids=["nothing", "half", "long", "endless", "empty"],
)
def test_a_paired_computer_that_sends_rubbish_or_nothing_is_cut_off(tmp_path: Path, sent: bytes) -> None:
    async def whole() -> None:
        async with paired_computers(tmp_path, limits=LIMITS) as (laptop, desktop):
            async with stranger_at(desktop.port, context_of(laptop, desktop)) as connection:
                connection.writer.write(sent)
                while await connection.reader.read(1024):
                    pass
            await laptop.ask(order(Pause()))
            assert isinstance(desktop.requests[-1], Pause), "it goes on"

    carry_out(whole())


def test_who_fails_again_and_again_has_to_wait(tmp_path: Path) -> None:
    async def whole() -> None:
        async with paired_computers(tmp_path) as (_, desktop):
            for _ in range(12):
                try:
                    async with stranger_at(desktop.port) as connection:
                        await connection.is_cut_off()
                except OSError:
                    return  # closed before the handshake
            pytest.fail("every attempt was answered")

    carry_out(whole())


def test_a_port_that_is_taken_is_named_and_nothing_else_fails(tmp_path: Path) -> None:
    async def whole() -> None:
        async with two_computers(tmp_path) as (_, desktop):
            with socket.create_server(("", desktop.port)):
                with pytest.raises(RemoteError, match=f"The port {desktop.port} cannot be used"):
                    await desktop.code()
                assert desktop.remote.view.problem is not None
            assert await desktop.code()
            assert desktop.remote.view.problem is None

    carry_out(whole())
