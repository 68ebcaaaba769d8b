"""Turns the options of `coordinator init` into settings, based on those that the home already has."""

from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any
from urllib.parse import SplitResult, urlsplit

from coordinator.errors import SettingsError
from coordinator.gate.gate import METADATA_PATH
from coordinator.home import Home
from coordinator.settings import Admits, Settings, Web

SWARM_PORT = 31_330
_PORT_OF_HTTP = 80
_PLAIN_ALLOWED = {"localhost", "127.0.0.1", "::1"}
"""Hosts of gates to which a client proves its user's identity without TLS
(``client.account.http_origin``)."""


@dataclass(frozen=True)
class Choice:
    """The options as given; None keeps the home's setting, or the default."""

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
    """Apply the options to the home's settings, if it has any.

    Raises:
        SettingsError: the options contradict each other, or do not say who may join.
    """
    _refuse_contradictions(choice)
    is_new = not home.settings.exists()
    before = Settings() if is_new else Settings.load(home.settings)
    if is_new and not (choice.open_gate or choice.client_id or _is_secure(choice.address)):
        raise SettingsError(
            "Who may join is not specified.",
            "Give --open to let any computer join; or, for volunteers to sign in, the coordinator's --address "
            "with https, or --client-id of an OAuth app of its own (docs/coordinator.md).",
        )
    source = "The options" if is_new else str(home.settings)
    return Settings.parse(_changed(before.model_dump(mode="json"), choice, is_new), source)


def _refuse_contradictions(choice: Choice) -> None:
    """Raise SettingsError where one option would silently undo another."""
    signed_in = {
        "--client-id": choice.client_id,
        "--admits": choice.admits,
        "--organisation": choice.organisation,
        "--moderator": choice.moderators,
    }
    given = [name for name, value in signed_in.items() if value]
    if choice.open_gate and given:
        raise SettingsError(
            f"--open and {given[0]} contradict each other: an open run has no sign-in.",
            f"Leave out --open to have volunteers sign in, or leave out {' and '.join(given)}.",
        )
    if choice.admits is not None and choice.admits not in [*Admits]:
        raise SettingsError(f"--admits {choice.admits} is unknown.", f"Choose one of: {', '.join(Admits)}.")
    if choice.organisation and choice.admits not in (None, Admits.ORGANISATION):
        raise SettingsError(
            f"--organisation and --admits {choice.admits} contradict each other.",
            "Leave out --organisation, or use --admits organisation.",
        )
    if choice.address is not None:
        _refuse_address(choice.address)
        _refuse_other_port(choice.address, choice.port)


def _refuse_address(address: str) -> None:
    """Raise SettingsError for an address by which no volunteer could find the website."""
    example = "Write it as volunteers reach it, such as https://train.example.org or http://203.0.113.7:8080."
    try:
        parts = urlsplit(address)
        found = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is no number, or too large
        found = False
    if not found:
        raise SettingsError(f"--address {address} is not the address of a website.", example)
    if _is_anywhere(parts.hostname or ""):
        raise SettingsError(
            f"--address {address} is a wildcard address that volunteers cannot reach.", example
        )
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        raise SettingsError(
            f"--address {address} has a path, but the website has a host name or a port of its own.",
            f"Give {parts.scheme}://{parts.netloc}, and let a proxy pass on all paths.",
        )


def _refuse_other_port(address: str, port: int | None) -> None:
    """Raise SettingsError if a website on this machine alone would listen elsewhere than its address says."""
    parts = urlsplit(address)
    named = parts.port or _PORT_OF_HTTP
    if port not in (None, named) and parts.scheme == "http" and _is_here(parts.hostname):
        raise SettingsError(
            f"--address {address} and --port {port} contradict each other: the website would not listen at "
            "its address.",
            f"Leave out --port, or give --address {_with_port(address, port or named)}.",
        )


def _changed(table: dict[str, Any], choice: Choice, is_new: bool) -> dict[str, Any]:
    if choice.address is not None:
        table["web"] |= _served_for(urlsplit(choice.address), urlsplit(table["address"]))
    _set(table["web"], port=choice.port)
    address = choice.address
    if choice.port is not None and address is None and _is_here(urlsplit(table["address"]).hostname):
        address = _with_port(table["address"], choice.port)
    _set(table, address=address, moderators=choice.moderators)
    _set(table["checkpoints"], publish_to=choice.publish_to)
    _change_gate(table["gate"], choice, table["address"], is_new)
    if choice.open_gate:
        table["moderators"] = []
    if is_new or choice.address is not None or choice.swarm_port is not None:
        table["swarm"] |= _reached_at(table["address"], choice.swarm_port or _port(table["swarm"]["listen"]))
    return table


def _change_gate(gate: dict[str, Any], choice: Choice, address: str, is_new: bool) -> None:
    admits = choice.admits or ("organisation" if choice.organisation else None)
    given = {"client_id": choice.client_id, "organisation": choice.organisation, "admits": admits}
    if choice.open_gate:
        gate |= {"open": True, "admits": "anyone", "organisation": None}
    elif any(given.values()) or (is_new and _is_secure(choice.address)):
        gate["open"] = False  # a later change of the address alone says nothing of who may join
    _set(gate, **given)
    if gate["admits"] != "organisation":
        gate["organisation"] = None
    own_app = (gate["client_id"] or METADATA_PATH).endswith(METADATA_PATH)
    if _is_secure(choice.address) and own_app:
        gate["client_id"] = address.rstrip("/") + METADATA_PATH
    elif choice.address is not None and own_app and not gate["open"]:
        raise SettingsError(
            "Volunteers sign in to this run with an OAuth app whose ID is the previous https address.",
            "Give an --address with https, or --client-id of an OAuth app, or --open.",
        )
    if not (gate["open"] or _is_secure(address) or urlsplit(address).hostname in _PLAIN_ALLOWED):
        raise SettingsError(
            f"Volunteers could not sign in at {address}: they prove who they are over https alone.",
            "Give an --address with https, behind a proxy that has the certificate, or --open.",
        )


def _served_for(address: SplitResult, before: SplitResult) -> dict[str, Any]:
    """Return the website's listening settings: behind a local proxy for https, else at the address itself."""
    if address.scheme == "https":
        was_direct = before.scheme == "http" and not _is_here(before.hostname)
        default = Web()
        return {"behind_proxy": True} | ({"host": default.host, "port": default.port} if was_direct else {})
    host = address.hostname or ""
    if host == "localhost":
        host = Web().host
    if not _is_here(host):
        # All of the machine's addresses: the one that the public sees may be a router's.
        host = "::" if _version(host) == 6 else "0.0.0.0"
    return {"host": host, "port": address.port or _PORT_OF_HTTP, "behind_proxy": False}


def _with_port(address: str, port: int) -> str:
    parts = urlsplit(address)
    host = parts.hostname or ""
    return parts._replace(netloc=f"{f'[{host}]' if ':' in host else host}:{port}").geturl()


def _reached_at(address: str, port: int) -> dict[str, list[str]]:
    """Return the swarm's listening settings, as widely reachable as the website."""
    host = urlsplit(address).hostname or ""
    listen = ("/ip4/127.0.0.1",) if _is_here(host) else ("/ip4/0.0.0.0", "/ip6/::")
    return {
        "listen": [f"{item}/tcp/{port}" for item in listen],
        "announce": _announced(host, port),
        "publisher_listen": [f"{item}/tcp/{port + 1}" for item in listen],
    }


def _is_secure(address: str | None) -> bool:
    return (address or "").startswith("https:")


def _is_here(host: str | None) -> bool:
    """Return true if the host is this machine's loopback."""
    if not host or host == "localhost":
        return host == "localhost"
    return _version(host) is not None and ip_address(host).is_loopback


def _is_anywhere(host: str) -> bool:
    return _version(host) is not None and ip_address(host).is_unspecified


def _version(host: str) -> int | None:
    """Return 4 or 6 for an IP address; None for a name."""
    try:
        return ip_address(host).version
    except ValueError:
        return None


def _set(table: dict[str, Any], **values: object) -> None:
    table.update({name: value for name, value in values.items() if value is not None})


def _port(listen: list[str]) -> int:
    ports = [address.rpartition("/tcp/")[2] for address in listen]
    return next((int(port) for port in ports if port.isdecimal() and port != "0"), SWARM_PORT)


def _announced(host: str, port: int) -> list[str]:
    """Return the swarm's public entry points if the address is public, else none."""
    if _is_here(host) or not host:
        return []
    version = _version(host)
    return [f"/{f'ip{version}' if version else 'dns'}/{host}/tcp/{port}"]
