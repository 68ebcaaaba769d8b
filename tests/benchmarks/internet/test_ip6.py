"""Homes with IPv6 find out how others reach them by it, and those without find that out as before."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from benchmarks.internet.emulation import EmulatedInternet, why_unsupported
from benchmarks.internet.topology import EmulatedSite, Ip6, Router, SiteLine, Topology, addresses_of
from core.messages.reach import Reach
from core.swarm.reach.finder import FoundReach
from core.swarm.reach.reachability import ReachByIp6
from tests.swarms.networked_process import entrance, finding

HINDRANCE = why_unsupported()
pytestmark = pytest.mark.skipif(HINDRANCE is not None, reason=str(HINDRANCE))
PORT = 31_330
LINE = SiteLine(delay=0.02)
TOPOLOGY = Topology(
    sites=(
        EmulatedSite(name="server", router=Router.NONE, ip6=Ip6.OPEN),
        EmulatedSite(name="closed", line=LINE, router=Router.SYMMETRIC, ip6=Ip6.CLOSED),
        EmulatedSite(name="open", line=LINE, router=Router.DOUBLE, ip6=Ip6.OPEN),
        EmulatedSite(name="off", line=LINE, ip6=Ip6.OPEN),
    )
)
OWN = {site.name: addresses_of(site, number) for number, site in enumerate(TOPOLOGY.sites)}


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, FoundReach]]:
    """The findings of the homes; the last computer's system has no IPv6."""
    folder = tmp_path_factory.mktemp("ip6")
    with ExitStack() as stack:
        internet = stack.enter_context(EmulatedInternet(TOPOLOGY))
        internet.computer("off").run("sysctl", "-q", "-w", "net.ipv6.conf.all.disable_ipv6=1")
        known = stack.enter_context(entrance(internet.computer("server"), folder / "server", PORT))
        searches = {
            name: stack.enter_context(finding(internet.computer(name), folder / name, PORT, known))
            for name in ("closed", "open", "off")
        }
        yield {name: search.result() for name, search in searches.items()}


@pytest.mark.parametrize(
    ("home", "is_reached"),
    [
        pytest.param("closed", False, id="a router that lets nothing in uninvited"),
        pytest.param("open", True, id="a router that lets all in, behind one of the provider for IPv4"),
        pytest.param("off", None, id="a system without IPv6"),
    ],
)
def test_a_home_finds_out_how_it_is_reached_by_ip6(
    verdicts: dict[str, FoundReach], home: str, is_reached: bool | None
) -> None:
    found = verdicts[home].reachability
    (own,) = OWN[home].computers6
    by_ip6 = None if is_reached is None else ReachByIp6(own, is_reached, (own, PORT))
    assert found.by_ip6 == by_ip6
    assert (found.reach, found.observed) == (Reach.OUTGOING, OWN[home].public), "not all peers have IPv6"
