"""A late peer takes a state in pieces from real peers: one that lies, dies or is slow costs its own pieces alone."""

import asyncio
import os
import re
import signal
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from hivemind.p2p import PeerID
from hivemind.proto import averaging_pb2, runtime_pb2

from core.swarm.averaging.averager import GradientAverager
from core.swarm.bandwidth import Line
from core.swarm.state.pieces import PIECE_BYTES, outline_of
from core.swarm.state.stalls import DownloadBrokeOff
from core.swarm.state.state import SwarmState
from core.swarm.state.state_donor import StateDonor
from core.swarm.state.vouching import VouchedState
from core.swarm.wire.voices import VOICE
from tests.swarms.swarm_peers import LoopbackPeer, LoopbackSwarm, loopback_swarm, outcomes

PIECES = 12
VALUES = (PIECES * PIECE_BYTES - 5) // 4
WHOLE = 4 * VALUES + 5
STATE = SwarmState(
    7,
    b"\5" * 32,
    {
        "weights": torch.arange(VALUES).float(),
        "moments": torch.tensor([0, 7, 255, 3, 128], dtype=torch.uint8),
    },
)
VOUCHED = VouchedState(outline_of(STATE).root, {b"others": VOICE})
Messages = AsyncIterator[averaging_pb2.DownloadData]


class AlteringDonor(StateDonor):
    """Describes the true state, and gives other bytes."""

    async def give(
        self, request: averaging_pb2.AveragingData, reader: PeerID, holder: bytes = b""
    ) -> Messages:
        async for _ in super().give(request, reader, holder):
            yield averaging_pb2.DownloadData(tensor_part=runtime_pb2.Tensor(buffer=bytes(1 << 16)))


class DyingDonor(StateDonor):
    """Kills the process that gives, after so many bytes."""

    def __init__(self, most_bytes: int) -> None:
        super().__init__()
        self._left = most_bytes

    async def give(
        self, request: averaging_pb2.AveragingData, reader: PeerID, holder: bytes = b""
    ) -> Messages:
        async for message in super().give(request, reader, holder):
            if self._left <= 0:
                os.kill(os.getpid(), signal.SIGKILL)
            self._left -= len(message.tensor_part.buffer)
            yield message
            await asyncio.sleep(0)


@pytest.fixture
def swarm(tmp_path: Path, log: Path) -> Iterator[LoopbackSwarm]:
    with loopback_swarm(tmp_path, sizes=(VALUES,)) as made:
        yield made


def add_donor(swarm: LoopbackSwarm, donor: StateDonor | None = None, **options: Any) -> LoopbackPeer:
    peer = swarm.add(donor=donor, **options)
    peer.averager.serve_state(lambda: STATE)
    return peer


def download(late: GradientAverager, *donors: LoopbackPeer, vouched: bool = True) -> SwarmState:
    asked = late.download_state(
        [donor.averager.peer_id for donor in donors],
        chunk_seconds=10.0,
        vouched=[VOUCHED] if vouched else [],
        goes_on=True,
    )
    return late.received_state(asked.result(timeout=60))


def assert_whole(found: SwarmState) -> None:
    assert (found.epoch, found.head) == (STATE.epoch, STATE.head)
    assert all(torch.equal(found.tensors[name], item) for name, item in STATE.tensors.items())


def test_a_lying_donor_is_named_and_its_pieces_come_from_the_others(swarm: LoopbackSwarm, log: Path) -> None:
    liar, one, other = add_donor(swarm, AlteringDonor()), add_donor(swarm), add_donor(swarm)
    late = swarm.add()
    received = late.averager.line.received
    assert_whole(download(late.averager, liar, one, other))
    logged = log.read_text()
    assert re.search(
        rf"{liar.averager.peer_id}: A donor's piece \d+ does not match its digest\. No peer of its user is asked",
        logged,
    )
    shares = re.search(r"State of epoch 7 downloaded: .*pieces: (.*)\.", logged)
    assert shares
    assert str(liar.averager.peer_id) not in shares[1]
    assert all(str(peer.averager.peer_id) in shares[1] for peer in (one, other))
    assert late.averager.line.received - received < WHOLE + 3 * PIECE_BYTES


def test_a_donor_that_dies_leaves_its_pieces_and_the_rest_is_taken_from_another(
    swarm: LoopbackSwarm, log: Path
) -> None:
    dying, late = add_donor(swarm, DyingDonor(5 * PIECE_BYTES)), swarm.add()
    with pytest.raises(DownloadBrokeOff):
        download(late.averager, dying)
    second = add_donor(swarm)
    sent = second.averager.line.sent
    assert_whole(download(late.averager, dying, second))
    missing = re.findall(rf"epoch 7, (\d+) of {PIECES} pieces are missing, 1 peers offer it", log.read_text())
    assert missing[0] == str(PIECES)
    left = int(missing[-1])
    assert 7 <= left < PIECES, "what was buffered on its way when the donor died may be lost, no more"
    assert left * PIECE_BYTES <= second.averager.line.sent - sent < (left + 1) * PIECE_BYTES + 5


def test_a_slow_donor_keeps_nobody_waiting(swarm: LoopbackSwarm, log: Path) -> None:
    """It would need 80 s for the first piece alone."""
    slow, fast = add_donor(swarm, line=Line(upload=PIECE_BYTES // 80)), add_donor(swarm)
    late = swarm.add()
    assert_whole(download(late.averager, slow, fast))
    assert f"pieces: {PIECES} from {fast.averager.peer_id}." in log.read_text()


def test_a_commit_vouches_for_the_state_that_its_round_led_from(swarm: LoopbackSwarm) -> None:
    """The donors of another state are more, and no record of progress is there."""
    loud = [swarm.add() for _ in range(2)]
    other = {**STATE.tensors, "weights": torch.zeros(VALUES)}
    for peer in loud:
        peer.averager.serve_state(lambda: SwarmState(7, b"\5" * 32, other))
    honest, writer, late = add_donor(swarm), swarm.add(), swarm.add()
    outcomes([writer.begin(expected=1, state=outline_of(STATE).root)])
    assert_whole(download(late.averager, *loud, honest, vouched=False))
