"""The channel's lines: every message survives the way, and nonsense is refused in words."""

import os
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from client.api.messages import (
    FROM_GENERATOR,
    FROM_TRAINER,
    GENERATOR_STARTS,
    ORDERS,
    STARTS,
    DropPictures,
    SampleRequest,
    Start,
    StartGenerator,
    Traffic,
    TrainerOrder,
)
from coordinator.messages import FROM_BOOTSTRAP
from core.messages import events
from core.messages.children import BootstrapReady, Failed, Heartbeat, Hello
from core.messages.events import Finished, PictureOrder, PicturesProgress
from core.messages.lines import MAX_LINE, Channel, LineError, Message, decode, encode
from core.messages.pictures import GenerationRequest
from core.messages.reach import Reach, ReachChanged, ReachFound
from tests.waiting import DEADLINE

EVENTS: list[events.Event] = [
    events.Joined(peer_id="Qm", epoch=3, parameters=10),
    events.Planned(reason="It fits.", micro_batch=16, gpu_bytes=1 << 33, ram_bytes=1 << 34),
    events.Progress(
        epoch=3,
        loss=None,
        samples=1,
        swarm_samples=2,
        target_batch_size=3,
        peers=4,
        samples_per_second=5.5,
        seconds_to_next_epoch=None,
        bytes_sent=6,
        bytes_received=7,
        micro_steps=8,
        compute_seconds=9.5,
    ),
    events.Settled(epoch=3, samples=16),
    events.EpochCommitted(
        epoch=4,
        loss=1.5,
        samples=256,
        own_samples=128,
        peers=2,
        seconds=9.0,
        parameter_digest="ab" * 32,
        bytes_sent=10,
        bytes_received=11,
    ),
    events.CheckpointSaved(epoch=4, path=Path("checkpoint")),
    events.SamplesDrawn(epoch=4, path=Path("samples.png")),
    events.PicturesProgress(id="20260301-143000-ab12cd", progress=0.5),
    events.PicturesSaved(id="20260301-143000-ab12cd"),
    events.PicturesFailed(
        id="20260301-143000-ab12cd", code="text", what="It is too long.", remedy="Use fewer words."
    ),
    events.Notice(text="a line\nand another, with ümlaut"),
    events.Finished(epoch=4, parameter_digest="ab" * 32),
    events.Superseded(generation=1),
    ReachFound(reach=Reach.OUTGOING, port=31_330, address="11.0.0.7"),
    ReachChanged(reach=Reach.DIRECT),
]
START = Start(
    manifest=Path("run.toml"),
    state_dir=Path("state"),
    initial_peers=("/ip4/127.0.0.1/tcp/1/p2p/Qm",),
    listen=("/ip4/127.0.0.1/tcp/0",),
    seed=1,
    threads=1,
    micro_batch=16,
    checkpoint_every=5,
    samples=SampleRequest(every=10, path=Path("samples.png")),
)
DRAW = PictureOrder(
    id="20260301-143000-ab12cd",
    request=GenerationRequest(prompt="red heart, ümlaut", count=4, best=2, top_p=0.75),
    folder=Path("gallery"),
)


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_an_event_survives_the_way(event: events.Event) -> None:
    assert decode(encode(event), FROM_TRAINER) == event


def test_every_event_of_the_loop_is_covered() -> None:
    assert {type(event) for event in EVENTS} == set(events.Event.__args__)


@pytest.mark.parametrize(
    ("message", "kinds"),
    [
        (START, STARTS),
        (TrainerOrder(command=events.Command.PAUSE), ORDERS),
        (DRAW, ORDERS),
        (DropPictures(), ORDERS),
        (
            StartGenerator(manifest=Path("run.toml"), checkpoint=Path("peer"), order=DRAW, threads=2),
            GENERATOR_STARTS,
        ),
        (PicturesProgress(id="20260301-143000-ab12cd", progress=0.25), FROM_GENERATOR),
        (Traffic(bytes_received=1 << 40), FROM_GENERATOR),
        (Hello(pid=1), FROM_TRAINER),
        (Heartbeat(idle_seconds=0.5), FROM_TRAINER),
        (Failed(code="swarm", what="It broke.", remedy="Mend it."), FROM_BOOTSTRAP),
        (BootstrapReady(peer_id="Qm", addresses=("/ip4/127.0.0.1",)), FROM_BOOTSTRAP),
    ],
)
def test_a_message_survives_the_way(message: Message, kinds: Any) -> None:
    assert decode(encode(message), kinds) == message


@pytest.mark.parametrize(
    "line",
    [
        b"\n",
        b"nonsense\n",
        b"[]\n",
        b"null\n",
        b'{"type": "unknown"}\n',
        b'{"type": "hello"}\n',
        b'{"type": "hello", "pid": "x"}\n',
        b'{"type": "hello", "pid": 1, "more": 2}\n',
        b'{"type": "hello", "pid": 1}',
        b"\xff\xfe\n",
        b'{"type": "notice", "text": "' + b"x" * MAX_LINE + b'"}\n',
    ],
)
def test_nonsense_is_refused(line: bytes) -> None:
    with pytest.raises(LineError):
        decode(line, FROM_TRAINER)


@given(st.binary(max_size=200))
def test_no_bytes_do_more_than_be_refused(line: bytes) -> None:
    with pytest.raises(LineError):
        decode(line + b"\n", FROM_TRAINER)


def test_a_message_that_is_too_long_is_not_sent() -> None:
    with pytest.raises(LineError):
        encode(events.Notice(text="x" * MAX_LINE))


def test_another_protocol_is_refused() -> None:
    line = encode(START).replace(b'"protocol":1', b'"protocol":2')
    with pytest.raises(LineError, match="same version"):
        decode(line, STARTS)


class Ends:
    """A channel, and its other side."""

    def __init__(self) -> None:
        reading, self.to_channel = os.pipe()
        self.from_channel, writing = os.pipe()
        self.channel = Channel(reading, writing)


def test_a_channel_writes_in_order_and_reads_to_the_end() -> None:
    ends = Ends()
    os.write(ends.to_channel, encode(TrainerOrder(command=events.Command.STOP)))
    os.close(ends.to_channel)
    assert ends.channel.receive(ORDERS) == TrainerOrder(command=events.Command.STOP)
    assert ends.channel.receive(ORDERS) is None
    sent = [*EVENTS]
    for message in sent:
        ends.channel.send(message)
    ends.channel.close()
    with os.fdopen(ends.from_channel, "rb") as lines:
        arrived = [decode(lines.readline(), FROM_TRAINER) for _ in sent]
    assert arrived == sent


@pytest.mark.parametrize("end", [b"", b"nonsense\n"])
def test_a_channel_that_is_listened_to_hears_all_until_it_ends_or_is_not_understood(end: bytes) -> None:
    ends, ended = Ends(), threading.Event()
    heard: list[TrainerOrder] = []
    orders = [TrainerOrder(command=command) for command in (events.Command.PAUSE, events.Command.STOP)]
    os.write(ends.to_channel, b"".join(map(encode, orders)) + end)
    ends.channel.listen(TypeAdapter(TrainerOrder), heard.append, ended.set)
    if not end:
        os.close(ends.to_channel)
    assert ended.wait(DEADLINE)
    assert heard == orders


def test_a_reader_who_stopped_reading_blocks_nobody_and_misses_only_what_is_replaced() -> None:
    ends = Ends()
    for epoch in range(10_000):
        ends.channel.send(events.Notice(text="x" * 50), replaceable=True)
        if epoch % 1000 == 0:
            ends.channel.send(events.Finished(epoch=epoch, parameter_digest=""))
    ends.channel.send(events.Finished(epoch=10_000, parameter_digest=""))
    finished: list[int] = []
    with os.fdopen(ends.from_channel, "rb") as lines:
        count = 0
        while 10_000 not in finished:
            count += 1
            message = decode(lines.readline(), FROM_TRAINER)
            if isinstance(message, Finished):
                finished.append(message.epoch)
    assert finished == list(range(0, 10_001, 1000))
    assert count < 5_000


def test_a_reader_who_has_gone_is_no_error() -> None:
    ends = Ends()
    os.close(ends.from_channel)
    ends.channel.send(Hello(pid=1))
    ends.channel.close()
