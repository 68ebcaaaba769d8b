"""Counts what a computer of an emulated Internet passes, headers of IP included: by transport, and in ten seconds."""

import json
import time
from collections import deque
from pathlib import Path

from benchmarks.internet.emulation import EmulatedComputer

_WINDOW_SECONDS = 10
_COUNTERS = """
table inet passed {
  counter tcp_down { }
  counter udp_down { }
  counter tcp_up { }
  counter udp_up { }
  chain input {
    type filter hook input priority -200; policy accept;
    iifname "eth" meta l4proto tcp counter name tcp_down
    iifname "eth" meta l4proto udp counter name udp_down
  }
  chain output {
    type filter hook output priority -200; policy accept;
    oifname "eth" meta l4proto tcp counter name tcp_up
    oifname "eth" meta l4proto udp counter name udp_up
  }
}
"""
"""Rules of nftables; QUIC travels by UDP."""


def count_transports(computer: EmulatedComputer) -> None:
    """Count from now on what ``computer`` passes by TCP and by UDP; raises EmulationError if that can't be done."""
    computer.run("nft", _COUNTERS)


def transports_of(computer: EmulatedComputer) -> dict[str, int]:
    """Return the bytes that ``computer`` has passed since they are counted, by transport and way."""
    listed = json.loads(computer.run("nft", "-j", "list", "counters", "table", "inet", "passed"))["nftables"]
    counters = (item["counter"] for item in listed if "counter" in item)
    return {counter["name"]: counter["bytes"] for counter in counters}


def own_bytes() -> tuple[int, int]:
    """Return the bytes that the interface of this process's computer has received and sent so far."""
    for line in Path("/proc/self/net/dev").read_text().splitlines():
        name, _, counts = line.partition(":")
        if name.strip() == "eth":
            fields = counts.split()
            return int(fields[0]), int(fields[8])
    return 0, 0


class BusiestWindow:
    """Counts the most bytes that this computer's interface received and sent in any ten seconds."""

    def __init__(self) -> None:
        """Begin with nothing; `watch` counts, in a thread of its own."""
        self.most = (0, 0)
        self._seen: deque[tuple[float, int, int]] = deque(maxlen=_WINDOW_SECONDS + 1)

    def watch(self) -> None:
        """Count once a second, for as long as the process lives."""
        while True:
            self.note(time.monotonic(), *own_bytes())
            time.sleep(1.0)

    def note(self, now: float, down: int, up: int) -> None:
        """Take note of what has passed by ``now``, about a second after the last note.

        On a busy computer ten of them take longer than ten seconds, so what counts is the rate.
        """
        self._seen.append((now, down, up))
        began, first_down, first_up = self._seen[0]
        if len(self._seen) > _WINDOW_SECONDS:
            rates = ((down - first_down) / (now - began), (up - first_up) / (now - began))
            self.most = (
                max(self.most[0], round(_WINDOW_SECONDS * rates[0])),
                max(self.most[1], round(_WINDOW_SECONDS * rates[1])),
            )
