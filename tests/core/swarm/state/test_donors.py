"""A late peer gets the state from the first donor that gives it whole, and asks each only once."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any

import msgpack
import pytest
import torch
from hivemind.p2p import P2PHandlerError, PeerID
from hivemind.proto import averaging_pb2, runtime_pb2

from core.swarm.state.donors import StateDonor, StateUnavailable, download
from core.swarm.state.state import DonorFailed, SwarmState, schema_of, unflatten
from tests.core.swarm.builders import digest_of, peer_bytes

STATE = SwarmState(7, digest_of("head"), {"w": torch.arange(50_000.0), "n": torch.tensor(3)})
SCHEMA = schema_of(STATE.tensors)
Message = averaging_pb2.DownloadData
Answer = Callable[[], AsyncIterator[Any]]


def metadata(**changed: object) -> Any:
    return Message(metadata=msgpack.packb({**STATE.metadata(), **changed}))


def chunk(data: bytes) -> Any:
    return Message(tensor_part=runtime_pb2.Tensor(buffer=data))


def donor_of(state: SwarmState) -> StateDonor:
    donor = StateDonor()
    donor.provider = lambda: state
    return donor


def serving(donor: StateDonor) -> AsyncIterator[Any]:
    async def from_host() -> tuple[bytes, Sequence[torch.Tensor], Any]:
        found, sections, _ = donor.current()
        return msgpack.packb(found), sections, None

    return donor.serve(from_host)


async def honest() -> AsyncIterator[Any]:
    async for message in serving(donor_of(STATE)):
        yield message


async def saying(*messages: Any) -> AsyncIterator[Any]:
    for message in messages:
        yield message


async def failing() -> AsyncIterator[Any]:
    yield metadata()
    raise P2PHandlerError("the donor's process is gone")


async def silent() -> AsyncIterator[Any]:
    yield metadata()
    await asyncio.Event().wait()


async def hung_up() -> AsyncIterator[Any]:
    async for message in honest():
        yield message
        return


async def poisoned() -> AsyncIterator[Any]:
    state = SwarmState(7, STATE.head, {**STATE.tensors, "w": torch.full((50_000,), float("nan"))})
    async for message in serving(donor_of(state)):
        yield message


async def endless() -> AsyncIterator[Any]:
    yield metadata()
    while True:
        yield chunk(bytes(2**16))


async def endlessly_nothing() -> AsyncIterator[Any]:
    yield metadata()
    while True:
        yield Message()


async def endlessly_beginning() -> AsyncIterator[Any]:
    while True:
        yield metadata()


class DonorStub:
    """A stub of one peer, which counts its calls."""

    def __init__(self, answer: Answer | None) -> None:
        self._answer, self.calls = answer, 0

    async def rpc_download_state(self, request: object) -> AsyncIterator[Any]:
        self.calls += 1
        if self._answer is None:
            raise ConnectionRefusedError("nobody is there")
        return self._answer()


def download_from(*answers: Answer | None) -> tuple[SwarmState, list[int]]:
    """The state, and how often each donor was asked."""
    stubs = {PeerID(peer_bytes(index)): DonorStub(answer) for index, answer in enumerate(answers)}

    async def work() -> tuple[dict[str, Any], torch.Tensor]:
        downloading: Awaitable[tuple[dict[str, Any], torch.Tensor]] = download(
            list(stubs), SCHEMA, stub_of=stubs.__getitem__, chunk_seconds=1.0
        )
        return await asyncio.wait_for(downloading, 20)

    found, flat = asyncio.run(work())
    return unflatten(flat, SCHEMA, found), [stub.calls for stub in stubs.values()]


def test_the_state_arrives_whole(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    state, calls = download_from(honest, honest)
    assert "State of epoch 7 downloaded: 200008 bytes in " in caplog.text
    assert (state.epoch, state.head) == (7, STATE.head)
    assert all(state.tensors[name].equal(item) for name, item in STATE.tensors.items())
    assert calls == [1, 0]


BAD: dict[str, Answer | None] = {
    "not there": None,
    "says nothing": saying,
    "breaks off": failing,
    "falls silent": silent,
    "hangs up after the metadata": hung_up,
    "not a number among the values": poisoned,
    "never ends": endless,
    "sends nothing for ever": endlessly_nothing,
    "begins for ever": endlessly_beginning,
    "metadata that is no msgpack": lambda: saying(Message(metadata=b"\xc1\xff")),
    "metadata cut off": lambda: saying(Message(metadata=metadata().metadata[:-3])),
    "metadata of another type": lambda: saying(Message(metadata=msgpack.packb(7))),
    "metadata with an extension": lambda: saying(
        Message(metadata=msgpack.packb(msgpack.ExtType(0x40, msgpack.packb(5))))
    ),
    "metadata nested deeply": lambda: saying(Message(metadata=b"\x91" * 5000 + b"\xc0")),
    "another digest": lambda: saying(metadata(digest=digest_of("x")), chunk(bytes(200_008))),
    "an absurd epoch": lambda: saying(metadata(epoch=2**62), chunk(bytes(200_008))),
    "tensors before the metadata only": lambda: saying(chunk(bytes(200_008))),
}


@pytest.mark.parametrize("bad", BAD.values(), ids=list(BAD))
def test_the_second_donor_is_taken_when_the_first_is_bad(bad: Answer | None) -> None:
    state, calls = download_from(bad, honest)
    assert state.tensors["w"].equal(STATE.tensors["w"])
    assert calls == [1, 1]


def test_after_the_last_donor_the_error_says_what_each_did(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(
        StateUnavailable, match=r"nobody is there.*sent 0 of 200008 bytes.*Check the connection"
    ):
        download_from(None, hung_up)
    assert caplog.text.count("State download failed: ") == 2
    assert "sent 0 of 200008 bytes" in caplog.text


def test_without_donors_the_error_says_so() -> None:
    with pytest.raises(StateUnavailable, match="none is known"):
        download_from()


# --- the giving side ------------------------------------------------------------------------------------------


def test_a_peer_without_a_state_gives_none() -> None:
    with pytest.raises(DonorFailed, match="no state to give"):
        StateDonor().current()


def test_at_most_two_are_served_at_a_time() -> None:
    donor = donor_of(STATE)

    async def work() -> None:
        first, second = serving(donor), serving(donor)
        assert (await anext(first)).metadata
        assert (await anext(second)).metadata
        assert [message async for message in serving(donor)] == []
        assert [message async for message in first]
        assert [message async for message in serving(donor)], "the place of the first is free"
        await second.aclose()  # type: ignore[attr-defined]

    asyncio.run(work())


def test_a_failed_provider_frees_its_place() -> None:
    donor = StateDonor()

    async def work() -> None:
        for _ in range(3):
            with pytest.raises(DonorFailed):
                await anext(serving(donor))
        donor.provider = lambda: STATE
        assert [message async for message in serving(donor)]

    asyncio.run(work())


def test_a_frozen_trainer_keeps_no_place_from_those_who_come_later() -> None:
    donor = StateDonor(trainer_seconds=0.05)
    donor.provider = lambda: STATE

    async def never() -> tuple[bytes, Sequence[torch.Tensor], Any]:
        await asyncio.Event().wait()
        raise AssertionError("the trainer is frozen")

    async def work() -> None:
        asked = [[message async for message in donor.serve(never)] for _ in range(3)]
        assert asked == [[], [], []], "the caller is told to come again"
        assert [message async for message in serving(donor)]

    asyncio.run(work())


def test_no_message_is_larger_than_a_frame_may_be() -> None:
    async def work() -> list[int]:
        return [message.ByteSize() async for message in honest()]

    assert max(asyncio.run(work())) < 2**17
