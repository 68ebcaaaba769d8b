"""A newer version is found in a signed repository; each attack on it is refused with a sentence of its own."""

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from client.api.errors import UpdateError
from client.checks.clock import Skew
from client.installed import InstallChannel
from core.http_client import HttpLimits
from core.packages_manifest import PackageKind
from tests.client.run_server import RunServer, drip, endless, other, serving, silent
from tests.client.updates.releases import COMMIT, MACHINE, NOTES, AskingVolunteer, SignedReleases, new_keys


@pytest.fixture
def releases(tmp_path: Path) -> SignedReleases:
    made = SignedReleases(tmp_path / "repository")
    made.begin()
    made.add("0.2.0")
    return made


@pytest.fixture
def server(releases: SignedReleases) -> Iterator[RunServer]:
    with serving(releases.folder) as server:
        yield server


@pytest.fixture
def volunteer(tmp_path: Path, server: RunServer, releases: SignedReleases) -> AskingVolunteer:
    return AskingVolunteer(tmp_path / "volunteer", server, first_root(releases))


def first_root(releases: SignedReleases) -> bytes:
    return (releases.folder / "metadata" / "1.root.json").read_bytes()


def refused(volunteer: AskingVolunteer) -> UpdateError:
    with pytest.raises(UpdateError) as raised:
        volunteer.look()
    return raised.value


# --- what is offered ------------------------------------------------------------------------------------------------


def test_a_newer_version_is_offered(volunteer: AskingVolunteer, server: RunServer) -> None:
    offer = volunteer.look()
    assert offer is not None
    assert (offer.version, offer.commit, offer.size) == ("0.2.0", COMMIT, len(b"a package"))
    assert offer.notes == NOTES
    assert not offer.is_by_hand
    path = offer.address.removeprefix(server.address(""))
    assert path == f"targets/linux/{MACHINE}/{offer.sha256}.tarball"
    assert (server.folder / path).read_bytes() == b"a package"


@pytest.mark.parametrize("version", ["0.2.0", "0.2", "0.2.0rc1", "0.10"])
def test_no_older_and_no_equal_version_is_offered(volunteer: AskingVolunteer, version: str) -> None:
    assert replace(volunteer, version=version).look() is None


def test_another_kind_of_installation_is_offered_nothing(volunteer: AskingVolunteer) -> None:
    assert replace(volunteer, channel=InstallChannel.RPM).look() is None


def test_packages_of_each_kind_are_offered_to_their_installations(
    volunteer: AskingVolunteer, releases: SignedReleases
) -> None:
    releases.add("0.3.0", b"for Debian", PackageKind.DEB)
    offer = replace(volunteer, channel=InstallChannel.DEB).look()
    assert offer is not None
    assert (offer.version, offer.size) == ("0.3.0", len(b"for Debian"))
    kept = volunteer.look()
    assert kept is not None
    assert kept.version == "0.2.0"  # of a kind that the newer release lacks


@pytest.mark.parametrize(("version", "by_hand"), [("0.1.0", True), ("0.1.5", False)])
def test_an_installation_that_is_too_old_is_updated_by_hand(
    volunteer: AskingVolunteer, releases: SignedReleases, version: str, by_hand: bool
) -> None:
    releases.add("0.3.0", least_version="0.1.5")
    offer = replace(volunteer, version=version).look()
    assert offer is not None
    assert offer.is_by_hand is by_hand


def test_a_second_look_fetches_no_more_than_what_may_have_changed(
    volunteer: AskingVolunteer, server: RunServer
) -> None:
    volunteer.look()
    server.asked.clear()
    assert volunteer.look() is not None
    asked = [path.rpartition("/")[2] for path, _ in server.asked]
    assert asked[:2] == ["2.root.json", "timestamp.json"]
    assert not [path for path in asked if "snapshot" in path or "targets.json" in path]


def test_the_timestamp_is_renewed_online(volunteer: AskingVolunteer, releases: SignedReleases) -> None:
    volunteer.look()
    releases.now += timedelta(days=1)
    releases.repository.renew(releases.online)
    assert volunteer.look() is not None


def test_the_root_is_rotated_twice(volunteer: AskingVolunteer, releases: SignedReleases) -> None:
    for _ in range(2):
        old, releases.root, releases.targets = releases.root, new_keys(3), new_keys(2)
        releases.repository.rotate(releases.roles)
        releases.repository.sign([*old, *releases.root, *releases.targets])
        releases.repository.publish(releases.online)
    releases.add("0.4.0")  # by keys that the first root does not name
    offer = volunteer.look()
    assert offer is not None
    assert offer.version == "0.4.0"
    assert "root_history/3.root.json" in volunteer.files()


# --- attacks --------------------------------------------------------------------------------------------------------


def test_rollback_to_older_metadata_is_refused(
    volunteer: AskingVolunteer, releases: SignedReleases, tmp_path: Path
) -> None:
    old = releases.copy(tmp_path / "old")
    releases.add("0.3.0")
    volunteer.look()
    kept = volunteer.files()
    shutil.rmtree(releases.folder)
    shutil.copytree(old, releases.folder)
    error = refused(volunteer)
    assert "older information than it did before" in error.what
    assert "Nothing was installed" in error.remedy
    assert volunteer.files() == kept


def test_metadata_that_is_no_longer_renewed_is_refused(
    volunteer: AskingVolunteer, releases: SignedReleases
) -> None:
    releases.now = datetime.now(UTC) - timedelta(days=4)
    releases.repository.renew(releases.online)
    error = refused(volunteer)
    assert "out of date, which may hide newer versions" in error.what


@pytest.mark.parametrize(
    ("ahead", "words"), [(30 * 86_400.0, "30 days ahead of"), (-86_400.0, "24 hours behind")]
)
def test_a_wrong_clock_is_named_where_metadata_seems_out_of_date(
    volunteer: AskingVolunteer, releases: SignedReleases, ahead: float, words: str
) -> None:
    releases.now = datetime.now(UTC) - timedelta(days=4)
    releases.repository.renew(releases.online)
    volunteer.skew = lambda address: Skew(ahead=ahead, doubt=1.0)
    error = refused(volunteer)
    assert f"clock is {words} that of the server of updates" in error.what
    assert "Set the clock" in error.remedy


def test_parts_of_different_states_are_refused(
    volunteer: AskingVolunteer, releases: SignedReleases, server: RunServer
) -> None:
    old = (releases.folder / "metadata" / "2.targets.json").read_bytes()
    releases.add("0.3.0")
    server.instead("metadata/3.targets.json", other(lambda data: old))
    error = refused(volunteer)
    assert "parts of different age" in error.what
    assert "targets.json" not in volunteer.files()


def test_a_changed_snapshot_is_refused(
    volunteer: AskingVolunteer, releases: SignedReleases, server: RunServer
) -> None:
    newest = releases.repository.newest("snapshot").signed.version
    server.instead(
        f"metadata/{newest}.snapshot.json", other(lambda data: data.replace(b"version", b"Version", 1))
    )
    assert "parts that do not belong together" in refused(volunteer).what


def test_metadata_by_other_keys_is_refused(
    volunteer: AskingVolunteer, releases: SignedReleases, tmp_path: Path
) -> None:
    other_makers = SignedReleases(tmp_path / "others")
    other_makers.begin()
    other_makers.add("9.0.0")
    shutil.rmtree(releases.folder)
    shutil.copytree(other_makers.folder, releases.folder)
    error = refused(volunteer)
    assert "not signed by the developers of Idlebrush" in error.what
    assert volunteer.files().keys() <= {"root.json", "root_history/1.root.json"}


def test_a_package_list_that_one_key_of_two_signed_is_refused(
    volunteer: AskingVolunteer, releases: SignedReleases, server: RunServer
) -> None:
    releases.add("0.3.0")

    def without_one_signature(data: bytes) -> bytes:
        document = json.loads(data)
        document["signatures"] = document["signatures"][:1]
        return json.dumps(document).encode()

    server.instead("metadata/3.targets.json", other(without_one_signature))
    assert "not signed by the developers of Idlebrush" in refused(volunteer).what


def test_a_root_that_the_old_keys_did_not_sign_is_refused(
    volunteer: AskingVolunteer, releases: SignedReleases
) -> None:
    thief = SignedReleases(releases.folder.parent / "thief")
    thief.repository.begin(thief.roles)
    thief.repository.sign([*thief.root, *thief.targets])
    document = json.loads((thief.folder / "pending" / "root.json").read_bytes())
    document["signed"]["version"] = 2
    (releases.folder / "metadata" / "2.root.json").write_text(json.dumps(document))
    assert "not signed by the developers of Idlebrush" in refused(volunteer).what


def test_endless_data_is_refused(volunteer: AskingVolunteer, server: RunServer) -> None:
    server.instead("metadata/timestamp.json", endless)
    assert "more bytes than are accepted" in refused(volunteer).what


def test_a_server_that_trickles_is_given_up(volunteer: AskingVolunteer, server: RunServer) -> None:
    server.instead("metadata/timestamp.json", drip)
    volunteer.seconds = 0.2
    assert "too slow to wait for" in refused(volunteer).what


def test_a_server_that_says_nothing_is_given_up(volunteer: AskingVolunteer, server: RunServer) -> None:
    server.instead("metadata/timestamp.json", silent)
    volunteer.limits = HttpLimits(silence=0.2)
    assert "does not answer in time" in refused(volunteer).what


def test_a_server_that_is_not_there_is_named(volunteer: AskingVolunteer, tmp_path: Path) -> None:
    with serving(tmp_path) as gone:
        pass
    error = refused(replace(volunteer, server=gone))
    assert "cannot be reached" in error.what


def test_a_changed_text_of_what_is_new_is_refused(
    volunteer: AskingVolunteer, releases: SignedReleases
) -> None:
    (notes,) = (releases.folder / "targets" / "notes").iterdir()
    notes.write_text(json.dumps({"en": "It is wo---"}).ljust(notes.stat().st_size))
    assert "parts that do not belong together" in refused(volunteer).what


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff" * 100, b'{"signed": {}}'])
def test_what_is_no_metadata_is_refused(
    volunteer: AskingVolunteer, server: RunServer, content: bytes
) -> None:
    server.instead("metadata/timestamp.json", other(lambda data: content))
    assert "is malformed" in refused(volunteer).what


def test_damaged_metadata_on_this_disk_is_replaced(volunteer: AskingVolunteer) -> None:
    volunteer.look()
    for file in (volunteer.folder / "metadata").rglob("*.json"):
        if not file.is_symlink():
            file.write_bytes(b"damaged")
    assert volunteer.look() is not None


def test_a_folder_that_cannot_be_used_is_named(volunteer: AskingVolunteer) -> None:
    volunteer.folder.mkdir()
    (volunteer.folder / "metadata").write_text("a file")
    assert str(volunteer.folder / "metadata") in refused(volunteer).what
