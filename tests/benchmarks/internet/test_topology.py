"""An emulated Internet is described by one file, whose mistakes are refused with their reason."""

from pathlib import Path

import pytest

from benchmarks.internet.__main__ import main
from benchmarks.internet.emulation import why_unsupported
from benchmarks.internet.layout import layout_of, router_rules
from benchmarks.internet.topology import (
    EmulatedSite,
    Router,
    SiteLine,
    Topology,
    TopologyError,
    addresses_of,
    homes,
    seconds,
)

FILE = """
seed = 7

[[sites]]
name = "server"
router = "none"

[[sites]]
name = "home"
count = 3
line = { down = 20, up = 5, delay = "50ms", jitter = "5ms", loss = 0.01 }
computers = 2
"""


def test_a_file_describes_sites_and_repeats_them(tmp_path: Path) -> None:
    file = tmp_path / "internet.toml"
    file.write_text(FILE)
    topology = Topology.load(file)
    assert [site.name for site in topology.sites] == ["server", "home1", "home2", "home3"]
    assert topology.sites[0].router is Router.NONE
    line = SiteLine(down=20, up=5, delay=0.05, jitter=0.005, loss=0.01)
    assert {site.line for site in topology.sites[1:]} == {line}
    assert topology.seed == 7


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "sites"),
        ("sites = 3", "sites"),
        ('sites = ["a"]', "sites.0"),
        ('[sites]\nname = "a"', "sites"),
        ('[[sites]]\nname = "a"\nline = 3', "line"),
        ('[[sites]]\nname = "a"\ncount = 0', "count"),
        ('[[sites]]\nname = "a"\n[[sites]]\nname = "a"', "same name"),
        ('[[sites]]\nname = "a"\nline = { delay = "50" }', "duration"),
        ('[[sites]]\nname = "a"\nline = { down = -1 }', "greater than 0"),
        ('[[sites]]\nname = "a"\nline = { loss = 1 }', "less than 1"),
        ('[[sites]]\nname = "a"\nrouter = "none"\ncomputers = 2', "need a router"),
        ('[[sites]]\nname = "a"\nrouter = "none"\nip6 = "closed"', "only a router keeps"),
        ('[[sites]]\nname = "A b"', "pattern"),
        ('[[sites]]\nname = "a"\nspeed = 3', "speed"),
        ("[[sites", "describe"),
    ],
)
def test_mistakes_are_refused_with_their_reason(tmp_path: Path, text: str, reason: str) -> None:
    file = tmp_path / "internet.toml"
    file.write_text(text)
    with pytest.raises(TopologyError, match=reason):
        Topology.load(file)


@pytest.mark.parametrize("lines_only", [False, True])
@pytest.mark.parametrize(
    "words",
    [
        ("--homes", "0"),
        ("--down", "-1"),
        ("--delay", "50"),
        ("--loss", "2"),
        ("--topology", "/nothing.toml"),
        ("--topology", "alone.toml"),
    ],
)
def test_options_that_make_no_sense_end_the_benchmark_with_a_sentence(
    tmp_path: Path, words: tuple[str, str], lines_only: bool
) -> None:
    (tmp_path / "alone.toml").write_text('[[sites]]\nname = "home"\n')
    option, value = words[0], words[1].replace("alone.toml", str(tmp_path / "alone.toml"))
    with pytest.raises(SystemExit) as ended:
        main([option, value, "--out", str(tmp_path), *(["--lines-only"] if lines_only else [])])
    assert isinstance(ended.value.code, str)
    assert len(ended.value.code.splitlines()) >= 2


def test_a_user_who_may_not_emulate_learns_why() -> None:
    assert why_unsupported(user=1000) == "Only root may make network namespaces."


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TopologyError, match="No such file"):
        Topology.load(tmp_path / "nothing.toml")


@pytest.mark.parametrize(("text", "expected"), [("50ms", 0.05), ("0.3s", 0.3), ("2s", 2.0), ("0ms", 0.0)])
def test_durations(text: str, expected: float) -> None:
    assert seconds(text) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("line", "mtu"),
    [
        (SiteLine(), 9000),
        (SiteLine(down=20, up=5), 9000),
        (SiteLine(down=2, up=0.5), 1500),
        (SiteLine(down=20, up=5, loss=0.01), 1500),
    ],
)
def test_packets_have_the_internets_size_where_that_matters(line: SiteLine, mtu: int) -> None:
    assert line.mtu == mtu


def test_no_two_sites_share_an_address() -> None:
    topology = homes(150, SiteLine())
    public = [addresses_of(site, number).public for number, site in enumerate(topology.sites)]
    assert len(set(public)) == 151
    inside = [addresses_of(site, number).computers[0] for number, site in enumerate(topology.sites)]
    assert len(set(inside)) == 151


@pytest.mark.parametrize(
    ("router", "routers"),
    [(Router.NONE, 0), (Router.NAT, 1), (Router.SYMMETRIC, 1), (Router.DOUBLE, 2)],
)
def test_each_kind_of_router_has_its_namespaces(router: Router, routers: int) -> None:
    (site,) = layout_of(Topology(sites=(EmulatedSite(name="home", router=router),)), "x").sites
    assert len(site.routers) == routers
    assert len(site.namespaces) == routers + 1
    assert site.edge == (site.routers[0] if site.routers else site.computers[0])


def test_only_a_symmetric_router_gives_each_destination_a_port_of_its_own() -> None:
    assert "fully-random" in router_rules(Router.SYMMETRIC)
    assert "fully-random" not in router_rules(Router.NAT)
