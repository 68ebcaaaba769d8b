"""Homes of an emulated Internet find out how others reach them, behind routers of several kinds."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from benchmarks.internet.emulation import EmulatedComputer, EmulatedInternet, why_unsupported
from benchmarks.internet.topology import EmulatedSite, Router, SiteLine, Topology, addresses_of
from core.messages.reach import Reach
from core.swarm.reach.finder import FoundReach
from tests.swarms.networked_process import NetworkedProcess, entrance, finding

HINDRANCE = why_unsupported()
pytestmark = pytest.mark.skipif(HINDRANCE is not None, reason=str(HINDRANCE))
MINIUPNPD = "/usr/sbin/miniupnpd"
PORT = 31_330
ATTEMPTS = 5
"""libp2p waits for a router's answer for three seconds, in which a busy machine may not give it."""
LINE = SiteLine(down=20, up=5, delay=0.05)
TOPOLOGY = Topology(
    sites=(
        EmulatedSite(name="server", router=Router.NONE),
        EmulatedSite(name="home", line=LINE),
        EmulatedSite(name="open", line=LINE, forward=PORT),
        EmulatedSite(name="double", line=LINE, router=Router.DOUBLE, forward=PORT),
        EmulatedSite(name="helpful", line=LINE),
    )
)
PUBLIC = {site.name: addresses_of(site, number).public for number, site in enumerate(TOPOLOGY.sites)}
RULES = """
table inet upnp {
  chain forward { type filter hook forward priority 0; policy accept; jump allowed; }
  chain allowed { }
  chain prerouting { type nat hook prerouting priority -100; jump mapped; }
  chain mapped { }
  chain postrouting { type nat hook postrouting priority 100; jump returned; }
  chain returned { }
}
"""
SETTINGS = """
ext_ifname=wan
listening_ip=lan
port=5000
enable_natpmp={natpmp}
enable_upnp={upnp}
upnp_table_name=upnp
upnp_nat_table_name=upnp
upnp_forward_chain=allowed
upnp_nat_chain=mapped
upnp_nat_postrouting_chain=returned
secure_mode=yes
uuid=00000000-0000-4000-8000-000000000001
allow 1024-65535 0.0.0.0/0 1024-65535
"""


@dataclass
class ReachScene:
    """A running Internet, and the addresses of an entrance in it."""

    internet: EmulatedInternet
    folder: Path
    entrances: list[str]

    def search(self, home: str, *, upnp: bool = False) -> NetworkedProcess[FoundReach]:
        """Have a home find out how it is reached."""
        computer, identity = self.internet.computer(home), self.folder / home
        return finding(computer, identity, PORT, self.entrances, upnp=upnp)


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ReachScene]:
    folder = tmp_path_factory.mktemp("reach")
    with (
        EmulatedInternet(TOPOLOGY) as internet,
        entrance(internet.computer("server"), folder / "server", PORT) as known,
    ):
        yield ReachScene(internet, folder, known)


@pytest.fixture(scope="module")
def verdicts(scene: ReachScene) -> dict[str, FoundReach]:
    """The findings of homes whose routers do nothing on request, at the same time."""
    with ExitStack() as stack:
        searches = {name: stack.enter_context(scene.search(name)) for name in ("home", "open", "double")}
        return {name: search.result() for name, search in searches.items()}


@contextmanager
def mapping_on_request(internet: EmulatedInternet, site: str, folder: Path, protocol: str) -> Iterator[None]:
    """Have the router of a site forward ports on request, which it understands in one protocol alone."""
    assert MINIUPNPD is not None
    chosen = {name: "yes" if name == protocol else "no" for name in ("upnp", "natpmp")}
    (folder / "upnp").write_text(SETTINGS.format(**chosen))
    layout = internet.site(site)
    router = EmulatedComputer(layout.routers[-1], layout.addresses.gateway, site)
    router.run("nft", RULES)
    with (folder / "upnp.log").open("w") as log:
        command = (MINIUPNPD, "-d", "-f", str(folder / "upnp"), "-P", str(folder / "upnp.pid"))
        process = router.start(command, output=log, errors=log)
        try:
            yield
        finally:
            process.terminate()
            process.communicate()
            router.run("nft", "delete table inet upnp")


@pytest.mark.parametrize(
    ("home", "reach", "announced"),
    [
        ("home", Reach.OUTGOING, ()),
        ("open", Reach.DIRECT, (f"/ip4/{PUBLIC['open']}/tcp/{PORT}",)),
        ("double", Reach.OUTGOING, ()),
    ],
)
def test_a_home_finds_out_how_it_is_reached(
    verdicts: dict[str, FoundReach], home: str, reach: Reach, announced: tuple[str, ...]
) -> None:
    found = verdicts[home]
    assert found.reachability.reach is reach
    assert found.reachability.observed == PUBLIC[home]
    assert found.reachability.announced == announced
    assert found.announce[-1:] == announced, "beside those of the local network"
    opened = None if reach is Reach.DIRECT else (PUBLIC[home], PORT)
    assert found.reachability.opens_at == opened, "what others see of its router"


@pytest.mark.parametrize("protocol", ["upnp", "natpmp"])
def test_a_router_that_forwards_on_request_is_asked(scene: ReachScene, protocol: str) -> None:
    with mapping_on_request(scene.internet, "helpful", scene.folder, protocol):
        for _ in range(ATTEMPTS):
            with scene.search("helpful", upnp=True) as search:
                found = search.result().reachability
            if found.reach is Reach.MAPPED:
                break
    assert found.reach is Reach.MAPPED
    (address,) = found.addresses
    assert address.startswith(f"/ip4/{PUBLIC['helpful']}/tcp/")
    assert not found.announced, "libp2p announces what it had mapped by itself"
