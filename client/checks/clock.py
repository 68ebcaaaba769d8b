"""Checks of the clock: whether the system keeps it right, and how far it is from the Hub's and the coordinator's."""

import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

from client.account.tasks import HubSettings
from client.api.errors import BusError
from client.doctor import CheckVerdict, Finding
from client.side_thread import in_thread

TOLERATED = 3.0
"""Seconds by which the clocks of two peers may differ: hivemind's DHT refuses a peer whose clock is further off."""
_TIME = ("org.freedesktop.timedate1", "/org/freedesktop/timedate1", "org.freedesktop.timedate1")
_SECONDS = 4.0
_SET = "Set the clock, or turn automatic time on: a wrong clock keeps a peer out of its swarm."
_FEW_SECONDS = f"A clock that is wrong by more than {TOLERATED:.0f} seconds keeps a peer out of its swarm."
_COMPARE = "Compare the clock with another one, or run `idlebrush doctor` again when the Hub can be reached."
_Clock = Callable[[], float]
"""Clock of this computer, in seconds since 1970."""


@dataclass(frozen=True)
class Skew:
    """Difference between this computer's clock and a server's, in seconds."""

    ahead: float
    """Seconds by which this computer is ahead, in the middle of what is possible."""
    doubt: float
    """Seconds by which the difference may be off: servers report whole seconds, and an answer takes a while."""


async def look_at_clock(
    environment: Mapping[str, str], now: _Clock = time.time, platform: str = sys.platform
) -> Sequence[Finding]:
    """Ask the system whether it keeps the clock right, and compare the clock with the Hub's."""
    hub = HubSettings.of_environment(environment).endpoint
    skew = await in_thread(lambda: skew_from(hub, now))
    compared = [] if skew is None else [judge_skew(skew, hub)]
    return [*compared, await _look_at_system(environment, bool(compared), platform)]


async def look_at_coordinator(address: str, now: _Clock = time.time) -> Finding:
    """Compare the clock with the one of the run's coordinator."""
    from core.http_client import HttpFault

    try:
        skew = await in_thread(lambda: _measured(address, now))
    except HttpFault:
        what = f"{address}, the run's coordinator, does not answer."
        return Finding(
            "Coordinator",
            CheckVerdict.WARNING,
            what,
            "Try again later. The swarm continues without the coordinator.",
        )
    if skew is None:
        return Finding("Clock", CheckVerdict.OK, f"{address} does not report the time.")
    return judge_skew(skew, address)


def skew_from(address: str, now: _Clock = time.time) -> Skew | None:
    """Measure the difference to a web server's clock; None if the server does not report the time."""
    from core.http_client import HttpFault

    try:
        return _measured(address, now)
    except HttpFault:
        return None


def judge_skew(skew: Skew, address: str) -> Finding:
    """Judge a difference to the clock at an address by what a swarm tolerates."""
    off = abs(skew.ahead)
    if off + skew.doubt <= TOLERATED:
        return Finding("Clock", CheckVerdict.OK, f"The clock agrees with that of {address}.")
    way = "ahead of" if skew.ahead > 0 else "behind"
    what = f"This computer's clock is {off:.0f} seconds {way} that of {address}."
    if off - skew.doubt > TOLERATED:
        return Finding("Clock", CheckVerdict.PROBLEM, what, _SET)
    what = (
        f"{what} The difference may be {skew.doubt:.0f} seconds more or less, because the answer was "
        "slow or rounded."
    )
    return Finding("Clock", CheckVerdict.WARNING, what, _SET)


def _measured(address: str, now: _Clock) -> Skew | None:
    from core.http_client import HttpClient, HttpLimits

    limits = HttpLimits(connect=_SECONDS, silence=_SECONDS)
    began = now()
    with HttpClient(limits) as client, client.open("HEAD", address) as answer:
        ended = now()
        try:
            server_time = parsedate_to_datetime(answer.headers["Date"]).timestamp()
            server_time += int(
                answer.headers.get("Age", "0")
            )  # a cache keeps the date at which it got the answer
        except (KeyError, ValueError, OverflowError):
            return None
    return Skew(ahead=(began + ended - 1) / 2 - server_time, doubt=(ended - began + 1) / 2)


async def _look_at_system(environment: Mapping[str, str], was_compared: bool, platform: str) -> Finding:
    """Ask the system; that it does not know is a warning if the clock was compared with no other."""
    try:
        right = await _is_kept_right(environment, platform)
    except BusError as error:
        unknown = f"The system does not report whether the clock is right. {error.what}"
        if was_compared:
            return Finding("Clock", CheckVerdict.OK, unknown)
        return Finding("Clock", CheckVerdict.WARNING, f"{unknown} {_FEW_SECONDS}", _COMPARE)
    if right:
        return Finding("Clock", CheckVerdict.OK, "The system keeps the clock right (NTP).")
    remedy = "Turn automatic time on, in the system's settings or by: timedatectl set-ntp true"
    return Finding(
        "Clock", CheckVerdict.WARNING, f"The system does not keep the clock right. {_FEW_SECONDS}", remedy
    )


async def _is_kept_right(environment: Mapping[str, str], platform: str) -> bool:
    """Return true if the system keeps the clock right; raise BusError where it does not report this."""
    if platform in ("win32", "darwin"):
        raise BusError("Only Linux's service for the time is asked.", _COMPARE)
    from client.machine.bus import system_bus  # jeepney is on Linux alone

    system = system_bus(environment)
    try:
        return bool(await system.get(*_TIME, "NTPSynchronized"))
    finally:
        await system.close()
