"""A trainer whose loop does as its seed says: a real channel, a real swarm if asked, but nothing learned."""

import os
import signal
import time
from collections.abc import Callable
from enum import IntEnum

from client.api.messages import Start
from client.trainer import Commands, main
from core.errors import ManifestError, SwarmError
from core.messages.events import Command, Event, Finished, Joined, Progress, Settled, Superseded
from core.messages.reach import Reach, ReachChanged

TOTAL_EPOCHS = 10
_MICRO_STEP = 0.2


class Deed(IntEnum):
    """An action of the loop, transmitted as the start message's seed."""

    FINISH = 0
    UNTIL_STOPPED = 1
    CRASH = 2
    FAIL = 3
    FREEZE = 4
    PRINT = 5
    IGNORE_STOP = 6
    SWARM = 7
    COMPUTE = 8
    COMPLETE = 9
    LOAD = 10
    REFUSE = 11
    LEARN = 12
    TAKEN_BACK = 13
    REACHED_OTHERWISE = 14


def enter_swarm() -> None:
    """Start what a trainer has below it: DHT, libp2p daemon, averager, torch's shared-memory cleaner."""
    import torch
    from hivemind import DHT
    from hivemind.averaging import DecentralizedAverager

    from core.swarm.p2pd import place_sockets

    place_sockets()
    dht = DHT(start=True, use_relay=False, auto_nat=False, nat_port_map=False)
    DecentralizedAverager([torch.zeros(8)], dht, prefix="stand_in", target_group_size=2, start=True)


def stand_still(report: Callable[[Event], None], commands: Commands, samples: int = 3) -> Command | None:
    """Settle for each order to pause, until told otherwise."""
    command: Command | None = Command.PAUSE
    while command not in (Command.RESUME, Command.FINISH, Command.STOP):
        if command is Command.PAUSE:
            report(Settled(epoch=1, samples=samples, number=commands.pause_number))
        command = commands.wait(60)
    return command


def compute(report: Callable[[Event], None], commands: Commands) -> None:
    """Keep a core busy until told to stop or finish, and settle when told to pause."""
    command = None
    while command not in (Command.STOP, Command.FINISH):
        command = commands.poll()
        if command is Command.PAUSE:
            command = stand_still(report, commands)
    report(Finished(epoch=2, parameter_digest=""))


def learn(report: Callable[[Event], None], commands: Commands) -> None:
    """Gather a sample every now and then, with all that a trainer tells, until told to stop or to finish."""
    samples, command = 0, None
    while command not in (Command.STOP, Command.FINISH):
        samples += 1
        report(_progress(samples))
        command = commands.wait(_MICRO_STEP)
        if command is Command.PAUSE:
            command = stand_still(report, commands, samples)


def _progress(samples: int) -> Progress:
    return Progress(
        epoch=0,
        loss=1.0,
        samples=samples,
        swarm_samples=samples,
        target_batch_size=4096,
        peers=1,
        samples_per_second=1.0,
        seconds_to_next_epoch=None,
        bytes_sent=samples,
        bytes_received=samples,
        micro_steps=samples,
        compute_seconds=float(samples),
    )


def loop(start: Start, report: Callable[[Event], None], commands: Commands) -> None:
    deed = Deed(start.seed)
    if deed is Deed.LOAD:
        time.sleep(600)
    if deed is Deed.SWARM:
        enter_swarm()
    commands.poll()
    report(Joined(peer_id="stand-in", epoch=0, parameters=1))
    if deed is Deed.CRASH:
        os.kill(os.getpid(), signal.SIGSEGV)
    elif deed is Deed.FAIL:
        raise SwarmError("No peer answers.", "Check the address.")
    elif deed is Deed.REFUSE:
        raise ManifestError("The manifest is forged.", "Ask for another one.")
    elif deed is Deed.FREEZE:
        commands.wait(1)  # while the channel tells what was reported
        os.kill(os.getpid(), signal.SIGSTOP)
    elif deed is Deed.PRINT:
        print("a library talks", flush=True)
        os.write(1, b"so does native code\n")
    elif deed in (Deed.UNTIL_STOPPED, Deed.SWARM):
        while commands.wait(60) is not Command.STOP:
            pass
    elif deed is Deed.COMPUTE:
        compute(report, commands)
    elif deed is Deed.LEARN:
        learn(report, commands)
    elif deed is Deed.COMPLETE:
        report(Finished(epoch=TOTAL_EPOCHS, parameter_digest=""))
        return
    elif deed is Deed.TAKEN_BACK:
        report(Superseded(generation=1))
        return
    elif deed is Deed.REACHED_OTHERWISE:
        report(ReachChanged(reach=Reach.OUTGOING))
    elif deed is Deed.IGNORE_STOP:
        time.sleep(600)
    report(Finished(epoch=1, parameter_digest="a" * 64))


if __name__ == "__main__":
    main(loop)
