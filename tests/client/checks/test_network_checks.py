"""Checks of the network: real ports, and addresses of all kinds."""

import ipaddress
import socket

import pytest

from client.checks.network import judge_address, judge_port, outgoing_address
from client.doctor import CheckVerdict


def test_a_free_port_can_be_listened_on() -> None:
    assert judge_port(None).verdict is CheckVerdict.OK


def test_a_port_that_is_taken_is_told() -> None:
    with socket.create_server(("0.0.0.0", 0)) as taken:
        finding = judge_port(taken.getsockname()[1])
    assert finding.verdict is CheckVerdict.WARNING
    assert "cannot be opened" in finding.found


@pytest.mark.parametrize(
    ("address", "verdict", "words"),
    [
        (None, CheckVerdict.PROBLEM, "no connection"),
        ("192.168.1.7", CheckVerdict.OK, "behind a router"),
        ("10.0.0.1", CheckVerdict.OK, "behind a router"),
        ("100.70.1.1", CheckVerdict.OK, "behind a router"),
        ("8.8.8.8", CheckVerdict.OK, "can be reached from the Internet"),
    ],
)
def test_what_kind_of_address_it_is(address: str | None, verdict: CheckVerdict, words: str) -> None:
    finding = judge_address(address)
    assert finding.verdict is verdict
    assert words in finding.found


def test_the_outgoing_address_is_one_of_this_computer_or_none() -> None:
    address = outgoing_address()
    assert address is None or not ipaddress.ip_address(address).is_unspecified
