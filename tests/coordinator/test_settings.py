"""A coordinator's settings: written with their reasons, read back the same, and faults named by field."""

import re
from pathlib import Path

import pytest
from pydantic import BaseModel

from coordinator.errors import SettingsError
from coordinator.home import Home
from coordinator.settings import (
    Admits,
    Checkpoints,
    GateSettings,
    PackageSettings,
    RelaySettings,
    Settings,
    SwarmSettings,
    Web,
)
from coordinator.settings_choice import Choice, settings_for
from core.messages.reach import RelayBounds

GATED = Settings(
    address="https://train.example.org",
    moderators=("ada", "bob"),
    web=Web(host="0.0.0.0", port=80, behind_proxy=True),
    swarm=SwarmSettings(announce=("/dns4/train.example.org/tcp/31330",), auxiliary=False),
    gate=GateSettings(client_id="ours", admits=Admits.ORGANISATION, organisation="my-org", token_seconds=60),
    checkpoints=Checkpoints(every=3, publish_to="my-org/my-model"),
    packages=PackageSettings(folder="/srv/packages", address="https://mirror.example.org/idlebrush"),
)


@pytest.mark.parametrize("settings", [Settings(), GATED], ids=["defaults", "all set"])
def test_settings_are_read_as_they_were_written(tmp_path: Path, settings: Settings) -> None:
    settings.save(tmp_path / "coordinator.toml")
    assert Settings.load(tmp_path / "coordinator.toml") == settings


def test_each_setting_stands_below_what_it_is() -> None:
    lines = Settings().to_toml().splitlines()
    settings = [number for number, line in enumerate(lines) if re.match(r"(# )?\w+ =", line)]
    assert len(settings) > 20
    assert all(re.match(r"# \S", lines[number - 1]) for number in settings)


def test_the_page_for_organisers_explains_each_setting() -> None:
    page = (Path(__file__).parents[2] / "docs" / "coordinator.md").read_text()
    rows = dict(re.findall(r"^\| `([a-z_.]+)` \| .* \| (.*) \|$", page, re.MULTILINE))
    parts = {name: type(part) for name, part in Settings() if isinstance(part, BaseModel)}
    documented = {
        name: info.description for name, info in Settings.model_fields.items() if name not in parts
    } | {
        f"{part}.{name}": info.description
        for part, kind in parts.items()
        for name, info in kind.model_fields.items()
    }
    assert {name: text.lower() for name, text in rows.items() if name in documented} == {
        name: " ".join((text or "").split()).rstrip(".").lower() for name, text in documented.items()
    }


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("adress = 'http://a'", "adress is not a known field"),
        ("address = 'train.example.org'", "address"),
        ("[web]\nport = '80'", "web.port"),
        ("[web]\nport = 65536", "web.port"),
        ("[relay]\ngigabytes_a_day = 0", "relay.gigabytes_a_day: input should be greater than or equal to 1"),
        ("[relay]\ngigabytes_a_day = 1_000_001", "relay.gigabytes_a_day"),
        ("[relay]\ngigabytes_a_day = 0.5", "relay.gigabytes_a_day"),
        ("[relay]\ngigabytes_a_day = '10'", "relay.gigabytes_a_day"),
        ("[gate]\nopen = false", "client_id is needed unless open"),
        ("[gate]\nclient_id = 'a'\nadmits = 'organisation'", "organisation is needed"),
        ("[gate]\nclient_id = 'a'\nadmits = 'friends'", "gate.admits"),
        ("[gate]\nclient_id = 'a'\norganisation = 'b'", "organisation needs admits to be organisation"),
        ("[gate]\nopen = true\nadmits = 'organisation'\norganisation = 'b'", "open admits anyone"),
        ("[gate]\nopen = true\nadmits = 'list'", "open admits anyone"),
        ("[gate]\nclient_id = 'a'\ntoken_seconds = 1", "gate.token_seconds"),
        ("[checkpoints]\npublish_to = 'a b'", "checkpoints.publish_to"),
        ("moderators = ['<b>']", "moderators.0"),
        ("moderators = ['ada']\n[gate]\nopen = true", "moderators have to sign in"),
        ("[web]\nport = 31330\nhost = '0.0.0.0'", "web and swarm.listen both listen on port 31330"),
        ("[web]\nport = 31331", "web and swarm.publisher_listen both listen on port 31331"),
        ("[swarm]\nlisten = ['/ip4/10.0.0.1/tcp/31331']", "swarm.listen and swarm.publisher_listen both"),
        ("[packages]\naddress = 'https://example.org'", "address needs folder"),
        ("[packages]\nfolder = ''", "packages.folder"),
        ("a = ", "cannot be read as TOML"),
        ("x" * 300_000, "cannot be read as TOML"),
    ],
)
def test_a_fault_is_named(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "coordinator.toml").write_text(text)
    with pytest.raises(SettingsError, match=re.escape(words)):
        Settings.load(tmp_path / "coordinator.toml")


def test_each_peer_relays_within_the_total_of_a_day() -> None:
    bounds = RelaySettings(gigabytes_a_day=3).bounds
    assert bounds is not None
    assert bounds.gigabytes_a_day == 3
    assert RelayBounds.model_validate_json(bounds.model_dump_json()) == bounds
    assert RelaySettings(homes=0).bounds is None


def _chosen(home: Home, choice: Choice) -> Settings:
    settings = settings_for(choice, home)
    home.root.mkdir(exist_ok=True)
    settings.save(home.settings)
    return settings


def test_who_may_join_has_to_be_stated(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="Who may join"):
        settings_for(Choice(), Home(tmp_path))


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        (Choice(open_gate=True, organisation="foo", admits="organisation"), "--open and --admits contradict"),
        (Choice(open_gate=True, organisation="foo"), "--open and --organisation contradict"),
        (Choice(open_gate=True, admits="anyone"), "--open and --admits contradict"),
        (Choice(open_gate=True, client_id="ours"), "--open and --client-id contradict"),
        (Choice(open_gate=True, moderators=("ada",)), "--open and --moderator contradict"),
        (Choice(client_id="ours", admits="list", organisation="foo"), "--organisation and --admits list"),
        (Choice(client_id="ours", admits="friends"), "Choose one of: anyone, organisation"),
        (Choice(client_id="ours", admits="organisation"), "organisation is needed"),
        (Choice("http://203.0.113.7", client_id="ours"), "over https alone"),
        (Choice("http://203.0.113.7:31330", open_gate=True), "both listen on port 31330"),
        (Choice(open_gate=True, port=4000, swarm_port=4000), "both listen on port 4000"),
        (Choice("http://0.0.0.0:8080", open_gate=True), "is a wildcard address"),
        (Choice("http://train.example.org:99999", open_gate=True), "not the address of a website"),
        (Choice("train.example.org", open_gate=True), "not the address of a website"),
        (Choice("http://localhost:8000/sub", open_gate=True), "Give http://localhost:8000, and"),
        (Choice("https://train.example.org/?a=b", open_gate=True), "Give https://train.example.org, and"),
        (Choice("http://127.0.0.1:9999", open_gate=True, port=8081), "give --address http://127.0.0.1:8081"),
        (Choice("http://localhost", open_gate=True, port=8081), "--address http://localhost and --port 8081"),
    ],
)
def test_options_that_contradict_each_other_are_refused(tmp_path: Path, choice: Choice, words: str) -> None:
    with pytest.raises(SettingsError) as refused:
        settings_for(choice, Home(tmp_path))
    assert words in f"{refused.value.what} {refused.value.remedy}"


def test_a_gate_that_is_opened_forgets_whom_it_admitted(tmp_path: Path) -> None:
    home = Home(tmp_path)
    _chosen(home, Choice(client_id="ours", organisation="my-org"))
    opened = _chosen(home, Choice(open_gate=True)).gate
    assert (opened.open, opened.admits, opened.organisation) == (True, Admits.ANYONE, None)
    closed = _chosen(home, Choice(admits="list")).gate
    assert (closed.open, closed.admits) == (False, Admits.LIST)


def test_a_gate_that_admits_by_list_now_forgets_the_organisation(tmp_path: Path) -> None:
    home = Home(tmp_path)
    _chosen(home, Choice(client_id="ours", organisation="my-org"))
    assert _chosen(home, Choice(admits="list")).gate.organisation is None


@pytest.mark.parametrize(
    ("address", "host", "port"),
    [
        ("http://203.0.113.7:9000", "0.0.0.0", 9000),
        ("http://train.example.org", "0.0.0.0", 80),
        ("http://[2001:db8::7]:9000", "::", 9000),
        ("http://127.0.0.2:9000", "127.0.0.2", 9000),
        ("http://localhost:9000", "127.0.0.1", 9000),
        ("https://train.example.org", "127.0.0.1", 8080),
    ],
)
def test_the_website_listens_where_its_address_says(
    tmp_path: Path, address: str, host: str, port: int
) -> None:
    home = Home(tmp_path)
    web = _chosen(home, Choice(address, open_gate=True)).web
    assert (web.host, web.port, web.behind_proxy) == (host, port, address.startswith("https"))
    behind = _chosen(home, Choice("https://train.example.org", open_gate=True)).web
    assert (behind.host, behind.behind_proxy) == (host if "127." in host else "127.0.0.1", True)


def test_a_port_beside_an_address_is_that_of_this_machine(tmp_path: Path) -> None:
    settings = _chosen(Home(tmp_path), Choice("http://203.0.113.7", open_gate=True, port=9000))
    assert (settings.address, settings.web.host, settings.web.port) == ("http://203.0.113.7", "0.0.0.0", 9000)


def test_an_app_of_the_coordinators_own_needs_an_https_address(tmp_path: Path) -> None:
    home = Home(tmp_path)
    _chosen(home, Choice("https://train.example.org"))
    with pytest.raises(SettingsError, match="whose ID is the previous https address"):
        settings_for(Choice("http://train.example.org"), home)


def test_a_public_address_is_announced_and_names_the_app(tmp_path: Path) -> None:
    settings = _chosen(Home(tmp_path), Choice(address="https://train.example.org", swarm_port=4000))
    assert settings.swarm.announce == ("/dns/train.example.org/tcp/4000",)
    assert settings.swarm.listen == ("/ip4/0.0.0.0/tcp/4000", "/ip6/::/tcp/4000")
    assert settings.swarm.publisher_listen == ("/ip4/0.0.0.0/tcp/4001", "/ip6/::/tcp/4001")
    assert settings.web.behind_proxy
    assert not settings.gate.open
    assert settings.gate.client_id == "https://train.example.org/.well-known/oauth-cimd"


@pytest.mark.parametrize(
    ("address", "announced"),
    [
        ("http://203.0.113.7:8080", ("/ip4/203.0.113.7/tcp/31330",)),
        ("http://[2001:db8::7]", ("/ip6/2001:db8::7/tcp/31330",)),
        ("http://localhost:8080", ()),
    ],
)
def test_what_is_announced_follows_from_the_address(
    tmp_path: Path, address: str, announced: tuple[str, ...]
) -> None:
    assert settings_for(Choice(address=address, open_gate=True), Home(tmp_path)).swarm.announce == announced


def test_what_is_chosen_later_leaves_the_rest(tmp_path: Path) -> None:
    home = Home(tmp_path)
    first = _chosen(home, Choice(address="https://a.example.org", moderators=("ada",)))
    second = _chosen(home, Choice(organisation="my-org"))
    assert second.gate.admits is Admits.ORGANISATION
    assert second.gate.client_id == first.gate.client_id
    assert (second.address, second.moderators, second.swarm) == (
        first.address,
        first.moderators,
        first.swarm,
    )
    assert _chosen(home, Choice(open_gate=True)).gate.open
    moved = _chosen(home, Choice(address="https://b.example.org"))
    assert moved.gate.open
    assert moved.gate.client_id == "https://b.example.org/.well-known/oauth-cimd"


@pytest.mark.parametrize("address", ["https://h.example", "http://other.example:8080"])
def test_an_open_run_that_moves_stays_open(tmp_path: Path, address: str) -> None:
    home = Home(tmp_path)
    _chosen(home, Choice("http://h.example:8080", open_gate=True))
    assert _chosen(home, Choice(address)).gate.open


def test_a_website_of_this_machine_may_be_given_its_port_twice(tmp_path: Path) -> None:
    settings = settings_for(Choice("http://127.0.0.1:8081", open_gate=True, port=8081), Home(tmp_path))
    assert settings.web.port == 8081


def test_the_address_of_this_machine_follows_the_port(tmp_path: Path) -> None:
    assert settings_for(Choice(open_gate=True, port=9000), Home(tmp_path)).address == "http://127.0.0.1:9000"


@pytest.mark.parametrize("choice", [Choice(open_gate=True), Choice("http://localhost:8080", open_gate=True)])
def test_a_run_that_is_shown_on_this_machine_is_entered_from_this_machine_alone(
    tmp_path: Path, choice: Choice
) -> None:
    home = Home(tmp_path)
    settings = _chosen(home, choice)
    assert settings.swarm.listen == ("/ip4/127.0.0.1/tcp/31330",)
    assert settings.swarm.publisher_listen == ("/ip4/127.0.0.1/tcp/31331",)
    moved = _chosen(home, Choice("https://train.example.org"))
    assert moved.swarm.listen == ("/ip4/0.0.0.0/tcp/31330", "/ip6/::/tcp/31330")
