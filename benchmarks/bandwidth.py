"""Traffic of a peer with a bandwidth cap, compared with the cap, while three peers average real gradients.

The first peer is capped, both ways alike, and the others reach it only through a relay that counts the bytes
that TCP carries: messages with libp2p's framing and encryption, without the headers of TCP and IP, for which
a cap leaves room. Traffic is given as a fraction of what the cap allows in the time of the exchange plus one
burst. Bursts are the most by which any stretch of time exceeded the cap, in seconds' worth of it: for
downloads they are what libp2p takes in before it holds the senders back. ``sent_of_gradients`` shrinks
towards 1 with the peer's share as a reducer.
"""

import argparse
import tempfile
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any

import torch
from hivemind.utils.multiaddr import Multiaddr
from torch import Tensor

from benchmarks.exchange import gradients
from benchmarks.measuring.report import RESULTS, BenchmarkReport, rounded
from benchmarks.subjects.swarm import AveragerSwarm
from core.run.rules import SwarmRules
from core.swarm.bandwidth import BURST_SECONDS, Line
from core.swarm.rounds.partition import round_parts
from tests.swarms.relay import Relay, relayed

_PEERS = 3
_ROUNDS = 3
_CAPS = (None, 4_000_000, 1_000_000, 250_000)
"""Bandwidth caps in bytes per second; the last is 2 Mbit/s."""
_RULES = SwarmRules(matchmaking_seconds=3.0)


def measure(cap: int | None, given: list[list[Tensor]]) -> dict[str, Any]:
    """Return the medians, after the first round, of a swarm whose first peer has that cap."""
    parts = round_parts([item.shape for item in given[0][:-1]], _RULES)
    relays: list[Relay] = []
    with tempfile.TemporaryDirectory() as folder, ExitStack() as running:

        def entrance(address: str) -> str:
            port = int(Multiaddr(address).value_for_protocol("tcp"))
            relays.append(running.enter_context(relayed(port, rate=cap or float("inf"))))
            return address.replace(f"/tcp/{port}/", f"/tcp/{relays[0].port}/")

        line = Line(cap, cap)
        swarm = running.enter_context(
            AveragerSwarm(given, parts, _RULES, Path(folder), first_line=line, entrance=entrance)
        )
        rounds = [_round(swarm, relays[0]) for _ in range(_ROUNDS + 1)][1:]
    whole = sum(part.wire_bytes for part in parts)
    found = {name: median(item[name] for item in rounds) for name in rounds[0]}
    allowed = found["seconds"] + BURST_SECONDS
    return {
        "cap": cap,
        "exchange_seconds": rounded(found["seconds"], 3),
        "up_bytes": round(found["up"]),
        "down_bytes": round(found["down"]),
        "up_of_allowed": rounded(found["up"] / (cap * allowed), 3) if cap else None,
        "down_of_allowed": rounded(found["down"] / (cap * allowed), 3) if cap else None,
        "up_burst_seconds": rounded(found["up_burst"] / cap, 2) if cap else None,
        "down_burst_seconds": rounded(found["down_burst"] / cap, 2) if cap else None,
        "sent_of_gradients": rounded(found["sent"] / whole, 3),
    }


def _round(swarm: AveragerSwarm, relay: Relay) -> dict[str, float]:
    relay.forget()
    first = swarm.average([32.0] * _PEERS)[0]
    up, down = relay.up, relay.down
    return {
        "seconds": first.exchange,
        "up": up.bytes,
        "down": down.bytes,
        "up_burst": up.burst,
        "down_burst": down.burst,
        "sent": first.sent,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=RESULTS)
    out = parser.parse_args().out
    torch.set_num_threads(1)
    report = BenchmarkReport("bandwidth", __doc__ or "")
    given = gradients(_PEERS)
    rows = [measure(cap, given) for cap in _CAPS]
    report.write(rows, folder=out, peers=_PEERS, rounds=_ROUNDS)


if __name__ == "__main__":
    main()
