"""The base of all attackers: the product's own peer, in whose process one part is replaced."""

import time
from collections.abc import Callable
from typing import Any

from benchmarks.hostility.seat import PeerSeat


class AttackOutdatedError(Exception):
    """The product has no longer the part that an attack replaces, so that nothing would be attacked."""


def replace(owner: Any, name: str, made: Callable[[Any], Any]) -> None:
    """Put ``made`` of the attribute ``name`` of ``owner`` (a module, class or object) in its place.

    Raises AttackOutdatedError if there is no such attribute.
    """
    if not hasattr(owner, name):
        raise AttackOutdatedError(f"{owner!r} has no {name}: the attack has to follow the product.")
    setattr(owner, name, made(getattr(owner, name)))


class Attacker:
    """One hostile peer. Subclasses say what they do, and which layer should stop it."""

    trains = True
    """True for a peer whose trainer runs; false for one that only writes records and calls others."""

    def __init__(self, seat: PeerSeat, **options: Any) -> None:
        """Attack from that ``seat``; ``options`` are those of the row."""
        self.seat = seat

    def prepare(self) -> None:
        """Replace parts of this process before the trainer starts, and so in the processes that it forks."""

    def meet(self, peer: Any) -> None:
        """Take the trainer's ``peer`` (`core.swarm.peer.Peer`), which has just entered the swarm."""

    def run(self) -> None:
        """Attack without a trainer, until the process is ended."""
        raise NotImplementedError


def again_and_again(work: Callable[[], None], seconds: float) -> None:
    """Repeat ``work`` with pauses of ``seconds``, and print its errors."""
    while True:
        try:
            work()
        except Exception as error:  # noqa: BLE001 - an attacker goes on
            print(f"The attack met {type(error).__name__}: {error}", flush=True)
        time.sleep(seconds)
