"""The contact part names bootstrap peers on other machines: added, kept over a reissue, removed, refused."""

import shutil
from datetime import timedelta
from pathlib import Path

import pytest

from coordinator.contact import MOST_ENTRIES, add_entry, peer_of, reissue, remove_entry
from coordinator.errors import EntryError
from coordinator.home import Home
from coordinator.settings import Settings
from core.admission.peer_key import PeerKey
from core.run.manifest import RunManifest
from core.signing import SigningKey
from tests.command_line import idlebrush
from tests.coordinator.homes import NOW, make_home

OTHER = "QmcgpsyWgH8Y8ajJz1Cu72KnS5uo2Aa2LpzU7kinSupNKC"
ENTRY = f"/dns/entry.example.org/tcp/31330/p2p/{OTHER}"
LATER = NOW + timedelta(days=1)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A home that has been served once: its contact part names its own bootstrap peer."""
    home = make_home(tmp_path_factory.mktemp("made"))
    reissue(home, Settings.load(home.settings), (own_entry(home),), NOW)
    return home


@pytest.fixture
def home(made: Home, tmp_path: Path) -> Home:
    return Home(shutil.copytree(made.root, tmp_path / "home"))


def own_entry(home: Home, port: int = 31_330) -> str:
    return f"/ip4/203.0.113.7/tcp/{port}/p2p/{PeerKey.load_or_create(home.bootstrap_identity).peer_id}"


def entries(home: Home) -> tuple[str, ...]:
    return RunManifest.load(home.manifest).contact.initial_peers


def test_an_added_entry_stays_when_the_coordinator_s_own_moves(home: Home) -> None:
    before = RunManifest.load(home.manifest).contact
    after = add_entry(home, ENTRY, LATER).contact
    assert (after.initial_peers, after.issued_at) == ((own_entry(home), ENTRY), LATER)
    assert after.serial == before.serial + 1
    reissue(home, Settings.load(home.settings), (own_entry(home, 40_000),), LATER)
    assert entries(home) == (own_entry(home, 40_000), ENTRY)


@pytest.mark.parametrize("named", [ENTRY, OTHER])
def test_it_is_removed_by_its_address_and_by_its_id(home: Home, named: str) -> None:
    serial = add_entry(home, ENTRY, LATER).contact.serial
    assert remove_entry(home, named, LATER).contact.serial == serial + 1
    assert entries(home) == (own_entry(home),)


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ("entry.example.org:31330", "is no address of a bootstrap peer"),
        ("/dns/entry.example.org/tcp/31330", "is no address of a bootstrap peer"),
        (f"/dns/entry.example.org/udp/31330/p2p/{OTHER}", "is no address of a bootstrap peer"),
        (f"/ip4/256.0.113.7/tcp/31330/p2p/{OTHER}", "No volunteer can connect to 256.0.113.7"),
        (f"/ip4/0.0.0.0/tcp/31330/p2p/{OTHER}", "No volunteer can connect to 0.0.0.0"),
        (f"/ip6/2001:db8::g/tcp/31330/p2p/{OTHER}", "No volunteer can connect"),
        (f"/dns/a..org/tcp/31330/p2p/{OTHER}", "No volunteer can connect to a..org"),
        (f"/ip4/203.0.113.9/tcp/65536/p2p/{OTHER}", "port 65536"),
    ],
)
def test_what_nobody_enters_by_is_not_added(home: Home, entry: str, reason: str) -> None:
    before = home.manifest.read_bytes()
    with pytest.raises(EntryError, match=reason):
        add_entry(home, entry, LATER)
    assert home.manifest.read_bytes() == before


def test_it_is_added_once_and_its_own_peer_is_left_to_serve(home: Home) -> None:
    add_entry(home, ENTRY, LATER)
    with pytest.raises(EntryError, match=r"names .* already"):
        add_entry(home, ENTRY, LATER)
    with pytest.raises(EntryError, match="own bootstrap peer"):
        add_entry(home, own_entry(home, 5), LATER)
    with pytest.raises(EntryError, match="own bootstrap peer"):
        remove_entry(home, peer_of(own_entry(home)), LATER)
    with pytest.raises(EntryError, match="does not name"):
        remove_entry(home, ENTRY.replace("31330", "5"), LATER)


def test_there_is_room_for_so_many(home: Home) -> None:
    manifest, own = RunManifest.load(home.manifest), entries(home)
    others = [ENTRY.replace("31330", str(1024 + number)) for number in range(MOST_ENTRIES - len(own))]
    contact = manifest.contact.model_copy(update={"initial_peers": (*own, *others[1:])})
    RunManifest.create(manifest.training, contact, SigningKey.load(home.organiser_key)).save(home.manifest)
    add_entry(home, others[0], LATER)
    with pytest.raises(EntryError, match="room for no more"):
        add_entry(home, ENTRY, LATER)


def test_the_verbs_say_what_they_did_and_what_is_wrong(home: Home) -> None:
    def verb(*words: object) -> tuple[int, str]:
        done = idlebrush("coordinator", "contact", *words, "--home", home.root)
        return done.returncode, done.stdout + done.stderr

    serial = RunManifest.load(home.manifest).contact.serial + 1
    status, text = verb("add", ENTRY)
    assert (status, text.splitlines()[0]) == (0, f"Added. The contact part has the serial {serial} now.")
    assert verb("list") == (0, f"{own_entry(home)}  the coordinator's own\n{ENTRY}\n")
    assert verb("remove", OTHER)[0] == 0
    status, text = verb("remove", OTHER)
    assert status == 2
    assert "does not name" in text


def test_the_program_refuses_what_it_cannot_serve(home: Home, tmp_path: Path) -> None:
    def refused(*words: object) -> str:
        done = idlebrush("coordinator", "bootstrap", *words)
        assert (done.returncode, done.stdout) == (2, "")
        return done.stderr

    new, run = tmp_path / "new", home.manifest
    assert "is no address of a machine" in refused(new, run, "--address", "entry.example.org:31330")
    assert "Give the join link" in refused(new, "https://e.org/run.toml", "--address", "/dns/e.org/tcp/5")
    assert "a coordinator's folder" in refused(home.root, run, "--address", "/dns/e.org/tcp/31330")
