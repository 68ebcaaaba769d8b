"""A peer under a cap: what really passes on its connection, what it gives the swarm, and what it costs the others."""

import itertools
import multiprocessing
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path

import psutil
import torch
from hivemind.utils.multiaddr import Multiaddr

from core.messages.events import Command, EpochCommitted
from core.swarm.bandwidth import AHEAD, BURST_SECONDS, Line, piece_bytes
from core.swarm.rounds.round import RoundOutcome, RoundStatus
from core.swarm.state.state import SwarmState
from tests.swarms.relay import Relay, relayed
from tests.swarms.swarm_peers import GENESIS, LoopbackPeer, LoopbackSwarm, loopback_swarm, outcomes, parts
from tests.swarms.tiny_run import write_tiny_run
from tests.swarms.trainer_process import assert_never_apart, digests, epoch_of_two, trainer_swarm

CAP = 200_000
"""Bandwidth limit in bytes a second."""
SIZES = (600_000,)
WHOLE = sum(part.wire_bytes for part in parts(sizes=SIZES))
BUFFERS = 300_000
"""Bytes that libp2p buffers of a stream that is not read, and small messages that are not ours."""


@contextmanager
def capped_peer(
    folder: Path, line: Line, sizes: tuple[int, ...] = SIZES
) -> Iterator[tuple[LoopbackSwarm, LoopbackPeer, Relay]]:
    """A swarm whose first peer has that line, and can be reached only through a relay that counts."""
    with loopback_swarm(folder, sizes) as swarm:
        peer = swarm.add(line=line)
        address = str(peer.dht.get_visible_maddrs()[0])
        port = int(Multiaddr(address).value_for_protocol("tcp"))
        with relayed(port, rate=CAP) as relay:
            swarm.entrance = (address.replace(f"/tcp/{port}/", f"/tcp/{relay.port}/"),)
            yield swarm, peer, relay


def average(peers: list[LoopbackPeer], epoch: int = 0, head: bytes = GENESIS) -> list[RoundOutcome]:
    found = outcomes([peer.begin(epoch, head, expected=len(peers)) for peer in peers])
    assert {item.standing for item in found} == {RoundStatus.AVERAGED}
    assert {item.samples for item in found} == {sum(peer.weight for peer in peers)}, "nobody was left out"
    assert all(torch.equal(peer.outputs[0], peers[0].outputs[0]) for peer in peers)
    return found


def test_a_capped_peer_takes_its_part_within_its_cap(tmp_path: Path) -> None:
    line = Line()
    with capped_peer(tmp_path, line) as (swarm, peer, relay):
        peers = [peer, swarm.add(), swarm.add()]
        free = average(peers)
        assert relay.up.burst > 2 * CAP, "without a cap there is nothing to hold it back"
        assert line.sent > 1.2 * WHOLE, "it reduces a third"
        assert line.sent <= relay.up.bytes <= 1.1 * line.sent + BUFFERS
        line.limit(CAP, CAP)
        relay.forget()
        sent, received, began = line.sent, line.received, time.monotonic()
        average(peers, 1, free[0].head)
        seconds = time.monotonic() - began
        assert relay.up.burst <= CAP * BURST_SECONDS + 2 * piece_bytes(CAP)
        assert relay.down.burst <= CAP * BURST_SECONDS + BUFFERS
        assert max(line.sent - sent, line.received - received) <= CAP * (seconds + BURST_SECONDS)
        assert WHOLE * 0.9 < line.sent - sent < 1.2 * WHOLE, "its share as a reducer shrank"


def test_others_send_a_round_at_the_pace_of_a_cap_of_downloads(tmp_path: Path) -> None:
    """What they send ahead of it would fill the buffers between them and the peer at the speed of the line."""
    line = Line()
    with capped_peer(tmp_path, line) as (swarm, peer, relay):
        peers = [peer, swarm.add(), swarm.add()]
        free = average(peers)
        assert relay.down.burst > CAP, "without a cap all of it comes at once"
        line.limit(None, CAP)
        relay.forget()
        average(peers, 1, free[0].head)
        assert relay.down.bytes > WHOLE * 0.9, "it took its part"
        assert relay.down.burst <= (AHEAD - 1) * 1.4 * WHOLE + 3 * piece_bytes(CAP)


def test_a_capped_donor_is_slow_but_not_lost(tmp_path: Path) -> None:
    """A chunk (64 KiB) takes it longer than a late peer bears silence; each piece of it is a sign of life."""
    cap, values = 15_000, 20_000
    with capped_peer(tmp_path, Line(upload=cap), (values,)) as (swarm, donor, relay):
        tensors = {"weights": torch.arange(values).float(), "moments": torch.zeros(5, dtype=torch.uint8)}
        donor.averager.serve_state(lambda: SwarmState(7, GENESIS, tensors))
        late = swarm.add().averager
        relay.forget()
        sent, received, began = donor.averager.line.sent, late.line.received, time.monotonic()
        found = late.download_state([donor.averager.peer_id], chunk_seconds=3.5).result(timeout=60)
        seconds = time.monotonic() - began
        assert torch.equal(late.received_state(found).tensors["weights"], tensors["weights"])
        assert 4 * values < relay.up.bytes <= cap * (seconds + BURST_SECONDS) + BUFFERS / 10
        assert donor.averager.line.sent - sent == late.line.received - received > 4 * values


def _freeze_in_round(folder: Path, orders: Connection) -> None:
    """A peer of its own whose main process stops itself as soon as its averager has been told to begin."""
    multiprocessing.set_start_method("fork", force=True)  # for what it starts itself: hivemind forks
    with loopback_swarm(folder, SIZES) as swarm:
        swarm.entrance = orders.recv()
        peer = swarm.add(line=Line(CAP, CAP))
        orders.send(os.getpid())
        assert orders.recv() == "begin"
        step = peer.begin(expected=2)
        os.kill(os.getpid(), signal.SIGSTOP)
        [outcome] = outcomes([step])
        orders.send((outcome.head, peer.outputs[0].numpy().tobytes()))


def test_a_frozen_main_process_does_not_hold_up_its_capped_averager(tmp_path: Path) -> None:
    afresh = multiprocessing.get_context(
        "spawn"
    )  # a fork of a process that has computed may hang at its first sum
    ours, theirs = afresh.Pipe()
    (tmp_path / "other").mkdir()
    other = afresh.Process(target=_freeze_in_round, args=(tmp_path / "other", theirs))
    other.start()
    try:
        with loopback_swarm(tmp_path, SIZES) as swarm:
            peer = swarm.add()
            ours.send(tuple(map(str, peer.dht.get_visible_maddrs())))
            assert ours.poll(240), "its process does not start"
            frozen = psutil.Process(ours.recv())
            ours.send("begin")
            [outcome] = outcomes([peer.begin(expected=2)])
            assert frozen.status() == psutil.STATUS_STOPPED
            assert (outcome.standing, outcome.members) == (RoundStatus.AVERAGED, 2)
            frozen.resume()
            assert ours.poll(30)
            assert ours.recv() == (outcome.head, peer.outputs[0].numpy().tobytes())
        other.join(30)
        assert other.exitcode == 0
    finally:
        other.kill()
        other.join()


def test_a_swarm_trains_on_with_a_capped_peer(tmp_path: Path) -> None:
    # An epoch moves 69 kB of gradients each way. It took 1.7 s without a cap, and 5.7 s or more with this one.
    manifest, cap = write_tiny_run(tmp_path / "run", target_batch_size=256), 20_000
    with trainer_swarm(manifest, tmp_path) as swarm:
        free = swarm.start("free")
        capped = swarm.start("capped", upload=cap, download=cap)
        together = epoch_of_two(capped, contributing=True)
        for trainer in (free, capped):
            trainer.wait_for(EpochCommitted, epoch=together)
            trainer.send(Command.FINISH)
        epochs = free.finish(), capped.finish()
    assert_never_apart(free, capped)
    assert digests(free).keys() & digests(capped).keys()
    # An epoch's bytes are counted from one report to the next, so they are held against the seconds between these.
    seconds = [later - earlier for earlier, later in itertools.pairwise(capped.reported)]
    assert seconds
    for epoch, between in zip(epochs[1][1:], seconds, strict=True):
        assert epoch.bytes_sent <= cap * (between + 1)
