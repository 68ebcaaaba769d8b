"""Addresses as people type them, and as they are shown."""

import pytest

from client.api.errors import RemoteError
from client.preferences.preferences import Preferences
from client.remote.addresses import DEFAULT_PORT, own_addresses, read_address, write_address


@pytest.mark.parametrize(
    ("typed", "host", "port"),
    [
        ("192.168.1.7", "192.168.1.7", DEFAULT_PORT),
        (" 192.168.1.7:47000\n", "192.168.1.7", 47_000),
        ("study.local", "study.local", DEFAULT_PORT),
        ("my_nas:1", "my_nas", 1),
        ("fd00::7", "fd00::7", DEFAULT_PORT),
        ("[fd00::7]", "fd00::7", DEFAULT_PORT),
        ("[fd00::7]:65535", "fd00::7", 65_535),
    ],
)
def test_an_address_is_read(typed: str, host: str, port: int) -> None:
    assert read_address(typed) == (host, port)
    assert read_address(write_address(host, port)) == (host, port)


@pytest.mark.parametrize(
    "typed",
    [
        *("", "-", "a b", "https://x", "x:", "x:0", "x:65536", "x:１", "x:-1", "x:1:2", "x/y", "user@x"),
        *("[x]:1", "[fd00::7", "[fd00::7]1", "fe80::1%eth0", "a..b", "a" * 64, ".".join("a" * 130), "x\0"),
    ],
)
def test_what_is_no_address_is_refused(typed: str) -> None:
    with pytest.raises(RemoteError, match="no address"):
        read_address(typed)


def test_the_usual_port_is_the_preferences_default() -> None:
    assert Preferences().remote_port == DEFAULT_PORT


def test_this_computers_addresses_can_be_typed_elsewhere() -> None:
    for address in own_addresses():
        assert read_address(write_address(address, 47_000)) == (address, 47_000)
        assert not address.startswith(("127.", "fe80:"))
        assert address != "::1"
