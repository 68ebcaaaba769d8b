"""Pairing by a code over real TLS: who knows the code is let in, and no other, whatever they try."""

import asyncio
from collections.abc import Coroutine
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from client.api.errors import ComputerAway, RemoteError
from client.api.remote.computers import ShowComputers
from client.api.remote.control import ClosePairing, PairingStage, PairingView
from client.machine.survey import local_now
from client.remote.addresses import read_address
from client.remote.codes import ATTEMPTS, VALID_FOR
from client.remote.pairing import PairingDone, PairingRefused
from client.service.remote.listener import RemoteLimits
from tests.client.service.remote.paired import StandInComputer, two_computers
from tests.client.service.remote.strangers import (
    ForeignIdentity,
    HandMadePairing,
    ProxyInBetween,
    stranger_at,
)
from tests.moved_clock import MovedClock
from tests.waiting import DEADLINE, eventually

WRONG = "2222-2222"
NOT_VALID = r"accepts no code now|ended the pairing"


def carry_out(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 2 * DEADLINE))


def pairing_of(computer: StandInComputer) -> PairingView:
    pairing = computer.remote.view.pairing
    assert pairing is not None
    return pairing


def test_the_right_code_lets_one_computer_control_the_other(tmp_path: Path) -> None:
    async def whole() -> None:
        async with two_computers(tmp_path, own_processes=True) as (laptop, desktop):
            added = await laptop.add(desktop, await desktop.code())
            assert added.text == "Desktop can be controlled from this computer."
            (controller,) = desktop.remote.view.controllers
            (computer,) = (await laptop.ask(ShowComputers())).computers or ()
            assert (controller.name, computer.name) == ("Laptop", "Desktop")
            assert controller.fingerprint == laptop.fingerprint
            assert computer.fingerprint == desktop.remote.view.fingerprint
            assert pairing_of(desktop).stage is PairingStage.PAIRED
            assert laptop.remote.view.controllers == (), "it is not controlled by that"
            places = [read_address(address) for address in desktop.remote.view.addresses]
            assert {port for _, port in places} <= {desktop.port}
            await eventually(lambda: "“Laptop” can control this one" in str(desktop.notices), "untold")

    carry_out(whole())


def test_it_is_off_until_the_user_wants_it(tmp_path: Path) -> None:
    async def whole() -> None:
        async with two_computers(tmp_path) as (_, desktop):
            await asyncio.sleep(0.3)
            assert (desktop.remote.view.is_on, desktop.remote.view.port) == (False, 0)
            with pytest.raises(OSError, match=r"refused|Connect call failed"):
                await asyncio.open_connection("127.0.0.1", desktop.port)

    carry_out(whole())


def test_a_wrong_code_is_refused_and_the_fourth_attempt_too_though_it_is_right(tmp_path: Path) -> None:
    async def whole() -> None:
        async with two_computers(tmp_path) as (laptop, desktop):
            code = await desktop.code()
            for left in range(ATTEMPTS, 0, -1):
                assert pairing_of(desktop).attempts_left == left
                with pytest.raises(RemoteError, match="The code is wrong"):
                    await laptop.add(desktop, WRONG)
            await eventually(lambda: pairing_of(desktop).stage is PairingStage.VOID, "still valid")
            with pytest.raises(RemoteError, match=NOT_VALID):
                await laptop.add(desktop, code)
            assert desktop.remote.view.controllers == ()

    carry_out(whole())


def test_an_expired_or_withdrawn_code_is_refused(tmp_path: Path) -> None:
    async def whole() -> None:
        clock = MovedClock(local_now())
        async with two_computers(tmp_path, now=clock) as (laptop, desktop):
            code = await desktop.code()
            clock.now += VALID_FOR
            assert pairing_of(desktop).stage is PairingStage.EXPIRED
            with pytest.raises(RemoteError, match=NOT_VALID):
                await laptop.add(desktop, code)
            code = await desktop.code()
            await desktop.ask(ClosePairing())
            assert pairing_of(desktop).stage is PairingStage.CLOSED
            with pytest.raises(RemoteError, match=NOT_VALID):
                await laptop.add(desktop, code)
            assert desktop.remote.view.controllers == ()

    carry_out(whole())


def test_a_code_that_expires_during_the_pairing_pairs_no_computer(tmp_path: Path) -> None:
    async def whole() -> None:
        clock = MovedClock(local_now())
        async with two_computers(tmp_path, now=clock) as (_, desktop):
            code = await desktop.code()
            async with stranger_at(desktop.port) as stranger:
                proof = await HandMadePairing(stranger, code, ForeignIdentity(tmp_path / "m.pem")).proof()
                clock.now += VALID_FOR - timedelta(microseconds=1) + timedelta(seconds=1)
                await stranger.send(proof)
                assert isinstance(await stranger.receive(), PairingRefused)
            assert desktop.remote.view.controllers == ()

    carry_out(whole())


def test_a_computer_that_hangs_up_once_it_is_paired_is_told_of(tmp_path: Path) -> None:
    async def whole() -> None:
        async with two_computers(tmp_path) as (_, desktop):
            code = await desktop.code()
            async with stranger_at(desktop.port) as stranger:
                pairing = HandMadePairing(stranger, code, ForeignIdentity(tmp_path / "m.pem"))
                await stranger.send(await pairing.proof())
            await eventually(lambda: desktop.remote.view.controllers != (), "it is not paired")
            await eventually(lambda: "“Mallory” can control this one" in str(desktop.notices), "untold")

    carry_out(whole())


def test_what_was_sent_once_is_refused_when_it_is_sent_again(tmp_path: Path) -> None:
    async def whole() -> None:
        identity = ForeignIdentity(tmp_path / "m.pem")
        async with two_computers(tmp_path) as (_, desktop):
            code = await desktop.code()
            async with stranger_at(desktop.port) as stranger:
                pairing = HandMadePairing(stranger, code, identity)
                proof = await pairing.proof()
                await stranger.send(proof)
                assert isinstance(await stranger.receive(), PairingDone)
            known = desktop.remote.view.controllers
            await desktop.code()
            async with stranger_at(desktop.port) as stranger:
                await stranger.send(pairing.offer)
                await stranger.receive()
                await stranger.send(proof)
                assert isinstance(await stranger.receive(), PairingRefused)
            assert desktop.remote.view.controllers == known
            assert pairing_of(desktop).attempts_left == ATTEMPTS - 1

    carry_out(whole())


def test_a_proxy_in_between_gains_nothing_and_both_sides_refuse(tmp_path: Path) -> None:
    async def whole() -> None:
        identity = ForeignIdentity(tmp_path / "m.pem")
        async with two_computers(tmp_path) as (laptop, desktop):
            code = await desktop.code()
            async with ProxyInBetween(identity, desktop.port).listening() as proxy:
                with pytest.raises(RemoteError, match="another device answers in the other computer's place"):
                    await laptop.add(desktop, code, f"127.0.0.1:{proxy.own_port}")
                assert len(proxy.passed) == 2, "it got an offer and an answer, and no proof of the laptop"
                assert not any(code.replace("-", "").encode() in line for line in proxy.passed)
            await eventually(lambda: pairing_of(desktop).attempts_left == ATTEMPTS - 1, "the attempt counts")
            assert desktop.remote.view.controllers == ()
            assert (await laptop.ask(ShowComputers())).computers == ()

    carry_out(whole())


@pytest.mark.parametrize(
    "sent", [b"\0" * 70_000, b"rubbish\n", b'{"type": "pairing_done"}\n', b'{"type": "status", "id": 1}\n']
)
def test_rubbish_instead_of_an_offer_costs_no_attempt(tmp_path: Path, sent: bytes) -> None:
    async def whole() -> None:
        async with two_computers(tmp_path) as (_, desktop):
            await desktop.code()
            async with stranger_at(desktop.port) as stranger:
                stranger.writer.write(sent)
                assert isinstance(await stranger.receive(), PairingRefused)
                assert await stranger.is_cut_off()
            assert pairing_of(desktop).attempts_left == ATTEMPTS
            assert desktop.requests[1:] == [], "no request got through"

    carry_out(whole())


def test_who_says_nothing_is_cut_off_and_keeps_no_other_from_pairing(tmp_path: Path) -> None:
    async def whole() -> None:
        async with two_computers(tmp_path, limits=RemoteLimits(pairing=20.0)) as (laptop, desktop):
            code = await desktop.code()
            async with stranger_at(desktop.port) as stranger:
                await laptop.add(desktop, code)
                assert await stranger.is_cut_off()

    carry_out(whole())


def test_a_computer_that_is_not_there_is_named_with_its_address(tmp_path: Path) -> None:
    async def whole() -> None:
        async with two_computers(tmp_path) as (laptop, desktop):
            with pytest.raises(ComputerAway, match=f"127.0.0.1:{desktop.port} cannot be reached"):
                await laptop.add(desktop, WRONG)

    carry_out(whole())
