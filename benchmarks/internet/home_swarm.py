"""A swarm of volunteers' homes, and what is seen of it: while it trains, while its coordinator dies, and after."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.internet.emulation import EmulatedInternet, EmulationError
from benchmarks.internet.home_rounds import HomeRound, HomeRounds
from benchmarks.internet.organised_run import LineTraffic, OrganisedRun, VolunteerHome, traffic_of
from benchmarks.internet.topology_options import SERVER
from client.api.snapshot import Snapshot

_START_SECONDS = 900.0
_LOOK_SECONDS = 5.0
_BOOTSTRAP = "coordinator.bootstrap"
_ROUND_SECONDS = 180.0
"""Longest wait for a round in whose middle the bootstrap peer is to die."""
_GLANCE_SECONDS = 0.02


@dataclass(frozen=True)
class BootstrapKill:
    """A kill of the bootstrap peer, and the rounds that were under way then."""

    at: datetime
    rounds: Mapping[str, HomeRound]
    """The rounds whose exchange had begun and had not ended, by the names of the homes."""


@dataclass
class SwarmWatch:
    """Everything that was seen from when all homes trained together."""

    began: float
    traffic: Mapping[str, LineTraffic]
    first: Mapping[str, Snapshot]
    micro_steps: Mapping[str, int]
    first_epoch: int
    headlines: dict[str, list[str]] = field(default_factory=dict)
    in_step: list[int] = field(default_factory=list)
    kills: list[BootstrapKill] = field(default_factory=list)
    home_lost: datetime | None = None
    """Time at which the last home lost its power; None if none did."""


@dataclass(frozen=True)
class CoordinatorOutage:
    """A time in which no process of the coordinator ran."""

    began: datetime
    ended: datetime
    epochs: Mapping[str, int]
    """Epochs that each home landed meanwhile."""
    headlines: Mapping[str, list[str]]


class HomeSwarm:
    """The run, its volunteers and the emulated Internet between them."""

    def __init__(self, internet: EmulatedInternet, folder: Path, share: float) -> None:
        """Place a coordinator on the server of ``internet``, and a volunteer at each computer of the homes.

        All computers of a home whose router forwards a port listen at that port, as where one person set them up.
        Each computes for at most the ``share`` of the time.
        """
        self._internet, self._folder, self._link, self._share = internet, folder, "", share
        self.run = OrganisedRun(internet.computer(SERVER), folder / "coordinator")
        self.homes = [
            VolunteerHome(internet.computer(site.name, number), folder / site.computer(number), site.forward)
            for site in internet.topology.sites
            if site.name != SERVER
            for number in range(1, site.computers + 1)
        ]

    def start(self, manifest: Path, late: bool) -> None:
        """Serve the run, and have each volunteer join it; if ``late`` is true, all but the last."""
        self._link = self.run.make(manifest)
        self._serve()
        early = self.homes[:-1] if late else self.homes
        for home in early:
            home.join(self._link, self._share)
            self._share_cores()
        self._wait_for(len(early))

    def join_late(self) -> float:
        """Let the last volunteer join; return the seconds until an epoch of all homes is committed."""
        began = time.monotonic()
        self.homes[-1].join(self._link, self._share)
        self._wait_for(len(self.homes))
        return time.monotonic() - began

    def traffic(self) -> dict[str, LineTraffic]:
        """Return what each home's line has passed so far."""
        return {home.name: traffic_of(self._internet, home.computer.site) for home in self.homes}

    def snapshots(self) -> dict[str, Snapshot]:
        """Return the status of each home whose daemon answers."""
        found = {home.name: home.snapshot() for home in self.homes}
        return {name: snapshot for name, snapshot in found.items() if snapshot is not None}

    def watch(self, duration: float, kills: int, *, loses_home: bool = False) -> SwarmWatch:
        """Look at everything for ``duration`` seconds, in which the bootstrap peer is killed ``kills`` times.

        The ``kills`` are spread evenly, and each is in the middle of a round. If it ``loses_home``, the last home
        loses its power at half of the time.
        """
        steps = {home.name: home.micro_steps() for home in self.homes}
        last = self.run.history()[-1]["epoch"]
        seen = SwarmWatch(time.monotonic(), self.traffic(), self.snapshots(), steps, last)
        while (elapsed := time.monotonic() - seen.began) < duration:
            if len(seen.kills) < kills and elapsed > duration * (len(seen.kills) + 1) / (kills + 2):
                seen.kills.append(self._kill_in_a_round())
            if loses_home and seen.home_lost is None and elapsed > duration / 2:
                self.homes[-1].lose_power()
                seen.home_lost = datetime.now(UTC)
            self._look(seen)
            time.sleep(_LOOK_SECONDS)
        return seen

    def outage(self, duration: float) -> CoordinatorOutage:
        """Kill all of the coordinator's processes, and serve the run again after ``duration`` seconds."""
        homes = [home for home in self.homes if home.snapshot() is not None]
        before = {home.name: set(home.epochs()) for home in homes}
        self.run.stop()
        began, headlines = datetime.now(UTC), dict[str, list[str]]()
        while (datetime.now(UTC) - began).total_seconds() < duration:
            self._note_headlines(headlines)
            time.sleep(_LOOK_SECONDS)
        epochs = {home.name: len(set(home.epochs()) - before[home.name]) for home in homes}
        self._serve()
        return CoordinatorOutage(began, datetime.now(UTC), epochs, headlines)

    def _serve(self) -> None:
        self.run.serve(self._folder / "serve.log")
        _until(lambda: self.run.asked("/api/history") is not None, "the website does not answer")

    def _wait_for(self, count: int) -> None:
        """Wait until an epoch of ``count`` homes is committed."""

        def trained() -> bool:
            self._share_cores()
            return any(epoch["peers"] == count for epoch in self.run.history()[-10:])

        _until(trained, f"{count} homes do not train together")

    def _share_cores(self) -> None:
        for home in self.homes:
            home.share_cores()

    def _kill_in_a_round(self) -> BootstrapKill:
        """Kill the bootstrap peer while a home exchanges; raises EmulationError if no home does for minutes."""
        logs = {home.name: HomeRounds(home.paths.log("trainer")) for home in self.homes}
        deadline = time.monotonic() + _ROUND_SECONDS
        while time.monotonic() < deadline:
            last = {name: log.look().last for name, log in logs.items()}
            running = {name: item for name, item in last.items() if item and item.is_exchanging}
            if running:
                self.run.kill(_BOOTSTRAP)
                return BootstrapKill(datetime.now(UTC), running)
            time.sleep(_GLANCE_SECONDS)
        raise EmulationError(
            f"For {_ROUND_SECONDS:.0f} s no home exchanged anything.", "Keep the logs with --keep."
        )

    def _look(self, seen: SwarmWatch) -> None:
        self._share_cores()
        self._note_headlines(seen.headlines)
        if now := self.run.asked("/api/status"):
            seen.in_step.append(now["in_step"])

    def _note_headlines(self, found: dict[str, list[str]]) -> None:
        for name, snapshot in self.snapshots().items():
            headlines = found.setdefault(name, [])
            if snapshot.headline not in headlines:
                headlines.append(snapshot.headline)


def kill_row(kill: BootstrapKill, swarm: HomeSwarm) -> dict[str, Any]:
    """Return what became of the rounds that were under way at the ``kill``, by the logs of all homes."""
    rounds = {}
    for home in swarm.homes:
        log = HomeRounds(home.paths.log("trainer")).look().rounds
        struck = next((item for item in log if item.spans(kill.at)), None)
        after = next((item for item in log if item.formed > kill.at and item.is_committed), None)
        rounds[home.name] = {
            "epoch": struck.epoch if struck else None,
            "began": _seconds(struck.exchanging, kill.at) if struck else None,
            "ended": _seconds(kill.at, struck.ended) if struck else None,
            "how": struck.how if struck else "",
            "next": _seconds(kill.at, after.ended) if after else None,
        }
    return {"at": kill.at.isoformat(), "rounds": rounds}


def _seconds(start: datetime | None, end: datetime | None) -> float | None:
    return round((end - start).total_seconds(), 2) if start and end else None


def _until(holds: Callable[[], bool], otherwise: str, pause: float = 2.0) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while not holds():
        if time.monotonic() > deadline:
            raise EmulationError(f"After {_START_SECONDS:.0f} s {otherwise}.", "Keep the logs with --keep.")
        time.sleep(pause)
