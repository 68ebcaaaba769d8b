"""Keeps what `serve` says of the relays of the coordinator's own peers, and warns of a total that is used up."""

from collections.abc import Mapping
from datetime import UTC, datetime

from coordinator.messages import RelaysNow
from coordinator.run_now import OWN_RELAYS, UsedUpRelay


class OwnRelays:
    """The relays whose total of a day is used up; one thread may hear of them while another asks."""

    def __init__(self) -> None:
        """Know of none."""
        self._used_up: Mapping[str, UsedUpRelay] = {}

    def hear(self, news: RelaysNow) -> None:
        """Keep what `serve` says now; it says all of it each time."""
        told = news.used_up.items()
        self._used_up = {peer: UsedUpRelay.model_validate(each.model_dump()) for peer, each in told}

    def used_up(self, now: datetime) -> dict[str, UsedUpRelay]:
        """Return the relays whose day is not over at ``now``, by the coordinator's own peer."""
        return {peer: relay for peer, relay in self._used_up.items() if now < relay.until}


def warning_of_relays(used_up: Mapping[str, UsedUpRelay]) -> str | None:
    """Return a warning for the organiser about relays that have used up their total of a day; None without any.

    Args:
        used_up: those relays, by the coordinator's own peer.
    """
    if not used_up:
        return None
    told = [_used_up(OWN_RELAYS.get(peer, peer), relay) for peer, relay in sorted(used_up.items())]
    remedy = "To relay more, raise relay.gigabytes_a_day in coordinator.toml and restart `serve`."
    return " ".join((*told, _left(used_up), remedy))


def _used_up(name: str, relay: UsedUpRelay) -> str:
    since, until = relay.since.astimezone(UTC), relay.until.astimezone(UTC)
    return (
        f"The {name} has used up its relay total of the day ({relay.total:g} GB): it relays for nobody from "
        f"{since:%H:%M} to {until:%H:%M} UTC."
    )


def _left(used_up: Mapping[str, UsedUpRelay]) -> str:
    """Return what homes that need a relay have left, in a sentence."""
    homes = "Until then, homes whose routers cannot be opened"
    others = [name for peer, name in OWN_RELAYS.items() if peer not in used_up]
    return f"{homes} have only the {others[0]} as a relay." if others else f"{homes} do not reach each other."
