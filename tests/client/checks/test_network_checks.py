"""Checks of the network: real ports, and addresses of all kinds."""

import asyncio
import ipaddress
import socket
from dataclasses import fields
from pathlib import Path

import pytest

from client.checks.network import judge_port, judge_reach, look_at_reach, outgoing_address
from client.doctor import CheckVerdict
from client.paths import Paths
from client.service.channel.reach_view import reach_view
from core.messages.reach import Reach, ReachFound


def test_a_free_port_can_be_listened_on() -> None:
    assert judge_port(None).verdict is CheckVerdict.OK


def test_a_port_that_is_taken_is_reported() -> None:
    with socket.create_server(("0.0.0.0", 0)) as taken:
        finding = judge_port(taken.getsockname()[1])
    assert finding.verdict is CheckVerdict.WARNING
    assert "cannot be opened" in finding.found


@pytest.mark.parametrize(
    ("address", "found", "verdict", "words", "remedy"),
    [
        (None, None, CheckVerdict.PROBLEM, "no connection", "Connect it"),
        ("192.168.1.7", None, CheckVerdict.OK, "found out when training starts", ""),
        ("192.168.1.7", Reach.DIRECT, CheckVerdict.OK, "can connect to this computer", ""),
        ("192.168.1.7", Reach.MAPPED, CheckVerdict.OK, "UPnP", ""),
        ("192.168.1.7", Reach.PUNCHED, CheckVerdict.OK, "hole punching", ""),
        ("192.168.1.7", Reach.RELAYED, CheckVerdict.WARNING, "through a relay", "forward TCP port 31330"),
        ("192.168.1.7", Reach.OUTGOING, CheckVerdict.WARNING, "cannot connect", "forward TCP port 31330"),
        ("192.168.1.7", Reach.UNCHECKED, CheckVerdict.WARNING, "could check", "checked again"),
    ],
)
def test_how_this_computer_is_reached_is_reported_as_its_trainer_found_out(
    address: str | None, found: Reach | None, verdict: CheckVerdict, words: str, remedy: str
) -> None:
    view = reach_view(ReachFound(reach=found, port=31_330), upnp=True) if found else None
    finding = judge_reach(address, view)
    assert finding.verdict is verdict
    assert words in finding.found
    assert remedy in finding.remedy
    assert bool(finding.remedy) is bool(remedy)


def test_without_a_daemon_only_the_connection_is_looked_at(tmp_path: Path) -> None:
    (finding,) = asyncio.run(look_at_reach(Paths(*[tmp_path] * len(fields(Paths)))))
    assert finding.name == "Network"
    assert finding.verdict in (CheckVerdict.OK, CheckVerdict.PROBLEM)


def test_a_volunteer_who_turned_upnp_off_is_reminded_of_it() -> None:
    found = ReachFound(reach=Reach.OUTGOING, port=31_330)
    on, off = (reach_view(found, upnp=upnp) for upnp in (True, False))
    assert "preference upnp" in off.remedy
    assert "preference upnp" not in on.remedy
    assert (on.opens_router, off.opens_router) == (True, False)


def test_peers_with_ip6_are_told_of_beside_the_way_that_all_have() -> None:
    found = reach_view(ReachFound(reach=Reach.RELAYED, port=31_330, address6="2a00::7"), upnp=True)
    assert found.text.endswith(
        " reached better does. Peers with IPv6 connect directly to this computer over IPv6."
    )


def test_the_outgoing_address_is_one_of_this_computer_or_none() -> None:
    address = outgoing_address()
    assert address is None or not ipaddress.ip_address(address).is_unspecified
