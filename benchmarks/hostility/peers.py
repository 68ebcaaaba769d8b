"""The processes of a benchmarked swarm: an honest peer trains as the product does, and a hostile one attacks."""

import os
import shutil
from collections.abc import Callable
from functools import partial

from benchmarks.hostility.attackers.attacker import Attacker, replace
from benchmarks.hostility.rows import attacker_of
from benchmarks.hostility.seat import EventLog, PeerSeat, prepare_process
from client.trainer import Commands
from core.errors import CoreError
from core.messages.events import CheckpointSaved, Event, TrainingBudget
from core.trainer import train

_YIELDING = 10
"""Niceness of attackers that do not train."""


def live(seat: PeerSeat) -> None:
    """Train in the swarm as the product's trainer does, unchanged, until the process is ended."""
    prepare_process(seat)
    log = EventLog(seat.events)
    log.write("began")
    _train(seat, log)


def attack(seat: PeerSeat) -> None:
    """Attack the swarm as the ``seat`` says, until the process is ended."""
    prepare_process(seat)
    log = EventLog(seat.events)
    try:
        attacker = attacker_of(seat)
        attacker.prepare()
        if attacker.trains:
            replace(train, "enter", partial(_followed, attacker, log))
            _train(seat, log)
        else:
            os.nice(_YIELDING)  # an attacker's own computer is another one
            log.write("attacking")
            attacker.run()
    except Exception as error:
        log.write("ended", code=type(error).__name__, what=str(error))
        raise


def _followed(attacker: Attacker, log: EventLog, enter: Callable[..., object]) -> Callable[..., object]:
    """Return ``enter``, with the attacker told of the peer that it made."""

    def entering(*given: object, **named: object) -> object:
        peer = enter(*given, **named)
        attacker.meet(peer)
        log.write("attacking")
        return peer

    return entering


def _train(seat: PeerSeat, log: EventLog) -> None:
    commands = Commands()
    commands.budget = TrainingBudget(share=seat.share)
    seat.snapshots.mkdir(exist_ok=True)

    def report(event: Event) -> None:
        log.write(event.type, **event.model_dump(mode="json", exclude={"type"}))
        if isinstance(event, CheckpointSaved):
            kept = seat.snapshots / f"{event.epoch}.safetensors"
            shutil.copy(seat.settings.checkpoint / "model.safetensors", kept)
            log.write("snapshot", epoch=event.epoch, file=str(kept))

    try:
        train.run(seat.settings, report, commands)
    except CoreError as error:
        log.write("ended", code=type(error).__name__, what=error.what)
    except Exception as error:
        log.write("ended", code=type(error).__name__, what=str(error))
        raise
    else:
        log.write("ended", code="", what="It left in order.")
