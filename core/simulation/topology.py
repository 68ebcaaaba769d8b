"""Describes in TOML the machines of a swarm that is to be simulated, and draws each of them by the seed."""

import json
import math
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, ValidationError, model_validator

from core.errors import CoreError
from core.messages.reach import Reach
from core.run.fields import Rules
from core.run.validation import in_words
from core.simulation.engine import randomness

DAY = 86_400
_MEGABIT = 125_000
_HOURS = re.compile(r"([01]\d|2[0-4]):([0-5]\d)-([01]\d|2[0-4]):([0-5]\d)")
_Mbit = Annotated[float, Field(gt=0, le=100_000)]
_Share = Annotated[float, Field(ge=0, le=1)]
_AnHour = Annotated[float, Field(ge=0, le=1000)]
_TimeOfDay = Annotated[str, StringConstraints(pattern=r"^([01]\d|2[0-3]):[0-5]\d$")]


class SimulationError(CoreError):
    """A description of a simulated swarm cannot be used."""

    code = "simulation"


class MachineGroup(Rules):
    """Machines that are alike: their number, speed, lines, and when their owners let them train."""

    name: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]{0,29}$")]
    count: Annotated[int, Field(ge=1, le=100_000)]
    """Number of machines."""
    samples_per_second: Annotated[float, Field(gt=0, le=1e6)]
    spread: Annotated[float, Field(ge=0, le=2)] = 0.0
    """Standard deviation of the logarithm of a machine's rate: 0.5 makes two of three within a factor of 1.65."""
    micro_batch: Annotated[int, Field(ge=1, le=65_536)] = 4
    """Samples of a micro-step, between which a trainer looks what is due."""
    down: _Mbit
    """Mbit/s towards the machine, a number that its line has at any time."""
    up: _Mbit
    """Mbit/s from the machine, a number that its line has at any time."""
    delay: Annotated[float, Field(ge=0, le=10)] = 0.05
    """Seconds from the machine to the Internet's middle and back."""
    reachable: _Share = 0.0
    """Share of the machines that others can connect to."""
    reached_by: Literal["mapped", "punched"] = "mapped"
    """Way to those: a port that the router forwards, or a router that is opened from both sides."""
    processor_seconds: Annotated[float, Field(ge=0, le=600)] = 1.0
    """Seconds that a machine's processor encodes, decodes and updates in an epoch, beside the exchange."""
    start_seconds: Annotated[float, Field(ge=0, le=3600)] = 20.0
    """Seconds from the start of a trainer to its first look at the swarm."""
    joins_over_minutes: Annotated[float, Field(ge=0, le=525_600)] = 0.0
    """Minutes over which the machines join, evenly spread; 0: at the beginning."""
    in_use: tuple[str, ...] = ()
    """Hours of each day in which owners use their machines, such as 09:00-17:30; training pauses then."""
    use_shift_minutes: Annotated[float, Field(ge=0, le=720)] = 0.0
    """Most minutes by which a machine's hours are earlier or later than these."""
    interruptions_an_hour: _AnHour = 0.0
    """Number of times an hour that an owner needs the machine outside of these hours, on average."""
    interruption_minutes: Annotated[float, Field(gt=0, le=1440)] = 5.0
    """Minutes of such a use, on average."""
    deaths_an_hour: _AnHour = 0.0
    """Number of times an hour that a trainer ends without a word, on average."""
    replaced_after_minutes: Annotated[float, Field(ge=0, le=525_600)] = 1.0
    """Minutes after which a new peer starts on a machine whose trainer has died."""

    @model_validator(mode="after")
    def _hours_are_hours(self) -> Self:
        for hours in self.in_use:
            found = _HOURS.fullmatch(hours)
            if found is None or seconds_of(hours[:5]) >= seconds_of(hours[6:]) or seconds_of(hours[6:]) > DAY:
                raise ValueError(f'in_use: "{hours}" is not like "09:00-17:30", within one day')
        return self


class SimulatedTopology(Rules):
    """A swarm to simulate: its run, its machines, for how long, and the seed."""

    run: Annotated[str, StringConstraints(min_length=1, max_length=4096)]
    """Path of the run's manifest, from the folder of this description."""
    duration_hours: Annotated[float, Field(gt=0, le=8760)]
    """Simulated hours."""
    begins_at: _TimeOfDay = "00:00"
    """Time of day at the beginning."""
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 0
    bootstrap_peers: Annotated[int, Field(ge=1, le=100)] = 1
    """Number of the coordinator's bootstrap peers."""
    auxiliary: bool = True
    """True if the bootstrap peers reduce for the trainers as well."""
    publisher: bool = True
    """True if the coordinator's publisher follows the run, and gives its state on the first bootstrap peer's line."""
    bootstrap_mbit: _Mbit = 1000.0
    """Mbit/s of each bootstrap peer's line, each way; the number of them is the same at any time."""
    groups: Annotated[tuple[MachineGroup, ...], Field(min_length=1, max_length=100)]

    @model_validator(mode="after")
    def _groups_differ(self) -> Self:
        if len({group.name for group in self.groups}) != len(self.groups):
            raise ValueError("two groups have the same name")
        return self

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a description from the TOML file at ``path``; raises SimulationError if it is missing or unfit."""
        try:
            return cls.model_validate_json(json.dumps(tomllib.loads(path.read_text())))
        except OSError as error:
            raise SimulationError(
                f"{path} cannot be read: {error.strerror}.", "Name the TOML file that describes the swarm."
            ) from error
        except ValidationError as error:
            raise SimulationError(
                f"{path} does not describe a swarm: {in_words(error)}",
                "Correct that; docs/simulation.md has an example with all fields.",
            ) from error
        except (tomllib.TOMLDecodeError, TypeError, UnicodeDecodeError) as error:
            raise SimulationError(
                f"{path} is not TOML that describes a swarm: {error}.", "Correct that line."
            ) from error

    def changed(self, *, seed: int | None = None, duration_hours: float | None = None) -> Self:
        """Return the same swarm with another ``seed`` or ``duration_hours``; None changes nothing.

        Raises SimulationError if one of them is out of bounds.
        """
        given = {"seed": seed, "duration_hours": duration_hours}
        update = {name: value for name, value in given.items() if value is not None}
        try:
            return self.model_validate(self.model_dump() | update)
        except ValidationError as error:
            raise SimulationError(
                f"This cannot be simulated: {in_words(error)}", "Choose another value."
            ) from error


@dataclass(frozen=True)
class SimulatedMachine:
    """One machine of a group, as the seed has drawn it."""

    name: str
    group: MachineGroup
    samples_per_second: float
    down: float
    """Bytes a second towards the machine."""
    up: float
    """Bytes a second from the machine."""
    delay: float
    """Seconds to the Internet's middle and back."""
    reach: Reach
    joins_at: float
    """Seconds after the beginning at which it joins."""
    shift: float
    """Seconds by which its owner's hours are later than the group's."""

    def is_used(self, time_of_day: float) -> bool:
        """Return true if the owner uses the machine at a ``time_of_day``, in seconds since midnight."""
        at = (time_of_day - self.shift) % DAY
        return any(seconds_of(hours[:5]) <= at < seconds_of(hours[6:]) for hours in self.group.in_use)

    def seconds_to_change(self, time_of_day: float) -> float:
        """Return the seconds until the owner's hours next begin or end; infinite without any.

        ``time_of_day`` is the present one in seconds since midnight.
        """
        at = (time_of_day - self.shift) % DAY
        borders = [seconds_of(part) for hours in self.group.in_use for part in hours.split("-")]
        return min(((border - at - 1e-6) % DAY + 1e-6 for border in borders), default=math.inf)


def seconds_of(clock: str) -> int:
    """Return the seconds since midnight of the time of day in ``clock``, such as 09:30."""
    hours, minutes = clock.split(":")
    return 3600 * int(hours) + 60 * int(minutes)


def drawn_machines(topology: SimulatedTopology) -> tuple[SimulatedMachine, ...]:
    """Return all machines of ``topology``, each with its own speed, reach, hours and time of joining."""
    return tuple(
        _drawn(group, number, topology.seed) for group in topology.groups for number in range(group.count)
    )


def _drawn(group: MachineGroup, number: int, seed: int) -> SimulatedMachine:
    chance = randomness(seed, "machine", group.name, number)
    # the share holds exactly in a group of any size, and the first ones are not the first to join
    is_reachable = math.floor((number + 1) * group.reachable + 1e-9) > math.floor(
        number * group.reachable + 1e-9
    )
    return SimulatedMachine(
        name=f"{group.name}-{number + 1}",
        group=group,
        samples_per_second=group.samples_per_second * math.exp(chance.gauss(0.0, group.spread)),
        down=group.down * _MEGABIT,
        up=group.up * _MEGABIT,
        delay=group.delay,
        reach=Reach(group.reached_by) if is_reachable else Reach.OUTGOING,
        joins_at=60.0 * chance.uniform(0.0, group.joins_over_minutes),
        shift=60.0 * chance.uniform(-group.use_shift_minutes, group.use_shift_minutes),
    )
