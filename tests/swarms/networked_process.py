"""Work of a peer on a computer of an emulated Internet: in a process of its own, in that computer's network."""

import ctypes
import multiprocessing
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Generic, TypeVar

import psutil

from benchmarks.internet.emulation import EmulatedComputer
from core.swarm.dht import Network, start_dht
from core.swarm.p2pd import everywhere
from core.swarm.reach.finder import FoundReach, ReachPatience, find_reach
from core.swarm.wire.identity import PeerIdentity
from tests.swarms.hivemind_locks import own_locks
from tests.waiting import DEADLINE

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["core.trainer.train"])  # as for trainer processes: there is one such server
_NEW_NETWORK = 0x40000000
_NAMESPACES = Path("/run/netns")
PATIENT = ReachPatience(2 * DEADLINE, DEADLINE, DEADLINE, DEADLINE, mapping=10.0)
"""Limits that only tell a hang from an end; a router that forwards a port does so within seconds."""
Result = TypeVar("Result")


class NetworkedProcess(Generic[Result]):
    """A process that works on a computer, and gives its result once; use it in a ``with`` statement."""

    def __init__(self, computer: EmulatedComputer, work: Callable[..., None], *given: Any) -> None:
        """Begin to ``work`` with what is ``given``; it is called with a connection first, to give its result by."""
        self._here, there = _CONTEXT.Pipe()
        self._process = _CONTEXT.Process(target=_main, args=(computer.namespace, there, work, given))
        self._process.start()

    def __enter__(self) -> "NetworkedProcess[Result]":
        return self

    def __exit__(self, *_: object) -> None:
        """Let it end."""
        self._here.close()
        self._process.join(DEADLINE)
        self._process.kill()
        self._process.join()

    def kill(self) -> None:
        """SIGKILL to it and to all that it started, as when the computer has lost its power."""
        assert self._process.pid is not None
        family = [
            psutil.Process(self._process.pid),
            *psutil.Process(self._process.pid).children(recursive=True),
        ]
        for process in family:
            with suppress(psutil.NoSuchProcess):
                process.kill()

    def has_result(self, seconds: float) -> bool:
        """Wait for a result for at most ``seconds``, and return true if there is one."""
        return self._here.poll(seconds)

    def result(self) -> Result:
        """Wait for its next result."""
        assert self._here.poll(3 * DEADLINE), "it gave no result"
        found: Result = self._here.recv()
        return found


def _main(namespace: str, there: Connection, work: Callable[..., None], given: tuple[Any, ...]) -> None:
    own_locks()
    enter(namespace)
    work(there, *given)


def enter(namespace: str) -> None:
    """Move this process into the network ``namespace``, before it has any other thread."""
    with (_NAMESPACES / namespace).open() as network:
        if ctypes.CDLL(None, use_errno=True).setns(network.fileno(), _NEW_NETWORK):
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def serve(there: Connection, identity: Path, port: int) -> None:
    """Be an entrance of a swarm until the other side ends; gives its addresses."""
    listen = everywhere("0.0.0.0", port)
    network = Network(listen, udp=True, check_identity=False, upnp=False, checks_others=True)
    dht = start_dht(network, PeerIdentity.load_or_create(identity), prefix="tiny", total_epochs=9)
    try:
        found = map(str, dht.get_visible_maddrs())
        own = ("/ip4/127.", "/ip6/::1/")
        there.send([text for text in found if not text.startswith(own) and "/udp/" not in text])
        there.poll(None)  # until the other side closes
    finally:
        dht.shutdown()


def find(there: Connection, identity: Path, port: int, entrances: list[str], upnp: bool) -> None:
    """Find out how others reach a peer that listens on all addresses of its computer."""
    path = PeerIdentity.load_or_create(identity).path
    there.send(find_reach(everywhere("0.0.0.0", port), entrances, path, upnp=upnp, patience=PATIENT))


@contextmanager
def entrance(computer: EmulatedComputer, identity: Path, port: int) -> Iterator[list[str]]:
    """Run an entrance on a computer; yields its addresses."""
    with NetworkedProcess[list[str]](computer, serve, identity, port) as process:
        yield process.result()


def finding(
    computer: EmulatedComputer, identity: Path, port: int, entrances: list[str], *, upnp: bool = False
) -> NetworkedProcess[FoundReach]:
    """Begin to find out on a computer how others reach it."""
    return NetworkedProcess(computer, find, identity, port, entrances, upnp)
