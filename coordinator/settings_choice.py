"""Turns what an organiser says at the making of a run into settings, upon those that there are already."""

from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from coordinator.errors import SettingsError
from coordinator.home import Home
from coordinator.settings import Settings

SWARM_PORT = 31_330
_HERE = {"localhost", "127.0.0.1", "::1"}


@dataclass(frozen=True)
class Choice:
    """What was said; None leaves what there is, or the default."""

    address: str | None = None
    open_gate: bool = False
    client_id: str | None = None
    admits: str | None = None
    organisation: str | None = None
    moderators: tuple[str, ...] | None = None
    port: int | None = None
    swarm_port: int | None = None
    publish_to: str | None = None


def settings_for(choice: Choice, home: Home) -> Settings:
    """The home's settings, if it has any, with what was chosen; SettingsError where that does not fit together."""
    is_new = not home.settings.exists()
    before = Settings() if is_new else Settings.load(home.settings)
    if is_new and not choice.open_gate and choice.client_id is None:
        raise SettingsError(
            "Who may join is not said.",
            "Give --client-id of the coordinator's own OAuth app on the Hub (docs/coordinator.md tells how to make "
            "one), or --open to let anybody's computer in.",
        )
    return Settings.parse(_changed(before.model_dump(mode="json"), choice), str(home.settings))


def _changed(table: dict[str, Any], choice: Choice) -> dict[str, Any]:
    _set(table, address=choice.address, moderators=choice.moderators)
    _set(table["web"], port=choice.port)
    _set(table["checkpoints"], publish_to=choice.publish_to)
    admits = choice.admits or ("organisation" if choice.organisation else None)
    gate = {"client_id": choice.client_id, "organisation": choice.organisation, "admits": admits}
    _set(table["gate"], **gate)
    if choice.open_gate or any(gate.values()):
        table["gate"]["open"] = choice.open_gate
    if (choice.address or "").startswith("https:"):
        table["web"]["behind_proxy"] = True  # which is where the certificate is
    if choice.address is not None or choice.swarm_port is not None:
        port = choice.swarm_port or _port(table["swarm"]["listen"])
        table["swarm"] |= {
            "listen": [f"/ip4/0.0.0.0/tcp/{port}"],
            "announce": _announced(table["address"], port),
            "publisher_listen": [f"/ip4/0.0.0.0/tcp/{port + 1}"],
        }
    return table


def _set(table: dict[str, Any], **values: object) -> None:
    table.update({name: value for name, value in values.items() if value is not None})


def _port(listen: list[str]) -> int:
    ports = [address.rpartition("/tcp/")[2] for address in listen]
    return next((int(port) for port in ports if port.isdecimal() and port != "0"), SWARM_PORT)


def _announced(address: str, port: int) -> list[str]:
    """Where the public enters the swarm, if that is where it finds the website."""
    host = urlsplit(address).hostname or ""
    if host in _HERE or not host:
        return []
    try:
        kind = f"ip{ip_address(host).version}"
    except ValueError:
        kind = "dns4"
    return [f"/{kind}/{host}/tcp/{port}"]
