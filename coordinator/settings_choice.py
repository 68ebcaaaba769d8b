"""Turns what an organiser says at the making of a run into settings, upon those that there are already."""

from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from coordinator.errors import SettingsError
from coordinator.gate.gate import METADATA_PATH
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
    if is_new and not (choice.open_gate or choice.client_id or _is_secure(choice.address)):
        raise SettingsError(
            "Who may join is not said.",
            "Give --open to let anybody's computer in; or, for volunteers to sign in, the coordinator's --address "
            "with https, or --client-id of an OAuth app of its own (docs/coordinator.md).",
        )
    return Settings.parse(_changed(before.model_dump(mode="json"), choice, is_new), str(home.settings))


def _changed(table: dict[str, Any], choice: Choice, is_new: bool) -> dict[str, Any]:
    _set(table["web"], port=choice.port)
    is_here = urlsplit(table["address"]).hostname in _HERE
    here = f"http://{table['web']['host']}:{table['web']['port']}" if is_here else None
    _set(table, address=choice.address or here, moderators=choice.moderators)
    _set(table["checkpoints"], publish_to=choice.publish_to)
    admits = choice.admits or ("organisation" if choice.organisation else None)
    gate = {"client_id": choice.client_id, "organisation": choice.organisation, "admits": admits}
    _set(table["gate"], **gate)
    if _is_secure(choice.address):
        table["web"]["behind_proxy"] = True  # which is where the certificate is
        if (table["gate"]["client_id"] or METADATA_PATH).endswith(METADATA_PATH):
            table["gate"]["client_id"] = table["address"].rstrip("/") + METADATA_PATH
    if choice.open_gate or any(gate.values()) or _is_secure(choice.address):
        table["gate"]["open"] = choice.open_gate
    if is_new or choice.address is not None or choice.swarm_port is not None:
        table["swarm"] |= _reached_at(table["address"], choice.swarm_port or _port(table["swarm"]["listen"]))
    return table


def _reached_at(address: str, port: int) -> dict[str, list[str]]:
    """Where the swarm is entered, seen by as many as the website is."""
    host = "127.0.0.1" if urlsplit(address).hostname in _HERE else "0.0.0.0"
    return {
        "listen": [f"/ip4/{host}/tcp/{port}"],
        "announce": _announced(address, port),
        "publisher_listen": [f"/ip4/{host}/tcp/{port + 1}"],
    }


def _is_secure(address: str | None) -> bool:
    return (address or "").startswith("https:")


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
