"""The tasks about newer versions, carried out against a real server: looked up, fetched and resumed, laid out."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from client.api.errors import DownloadError, UpdateError
from client.api.messages import Traffic
from client.fetching.part_file import part_of
from client.installed import Installation, InstallChannel
from client.joining.tasks import FilesFetched
from client.paths import HOME_VARIABLE, Paths
from client.updates.carrying_out import carry_out
from client.updates.offers import UpdateOffer
from client.updates.tasks import (
    FetchUpdate,
    LayOutUpdate,
    LookForUpdate,
    UpdateFetched,
    UpdateFound,
    UpdateLaidOut,
)
from tests.client.run_server import RunServer, broken_off, other, serving
from tests.client.updates.installed_trees import tiny_tree
from tests.client.updates.releases import COMMIT, SignedReleases

pytestmark = pytest.mark.posix
PACKAGE = random.Random(0).randbytes(400_000)


class TaskScene:
    """An installed version, the repository that it trusts, and what its tasks report."""

    def __init__(self, folder: Path, releases: SignedReleases, server: RunServer) -> None:
        self.paths = Paths.of_user({HOME_VARIABLE: str(folder / "home")})
        self.paths.updates.mkdir(parents=True)
        self.prefix, self.server = folder / "app", server
        tree = tiny_tree(self.prefix / "0.1.0", "0.1.0")
        (self.prefix / "current").symlink_to("0.1.0")
        self.installation = Installation(InstallChannel.TARBALL, "0.1.0", COMMIT, tree)
        releases.repository.trust(tree, server.address("").rstrip("/"))
        self.reports: list[FilesFetched | Traffic] = []

    def look(self) -> UpdateOffer:
        task = LookForUpdate(paths=self.paths, installation=self.installation)
        found = carry_out(task, self.reports.append)
        assert isinstance(found, UpdateFound)
        assert found.offer is not None
        return found.offer

    def fetch(self, offer: UpdateOffer) -> Path:
        task = FetchUpdate(paths=self.paths, installation=self.installation, offer=offer)
        fetched = carry_out(task, self.reports.append)
        assert isinstance(fetched, UpdateFetched)
        return fetched.file

    def received(self) -> int:
        return max(report.bytes_received for report in self.reports if isinstance(report, Traffic))


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[TaskScene]:
    releases = SignedReleases(tmp_path / "repository")
    releases.begin()
    releases.add("0.2.0", PACKAGE)
    with serving(releases.folder) as server:
        yield TaskScene(tmp_path, releases, server)


def path_of(scene: TaskScene, offer: UpdateOffer) -> str:
    return offer.address.removeprefix(scene.server.address(""))


def test_a_package_is_looked_up_and_fetched(scene: TaskScene) -> None:
    offer = scene.look()
    assert scene.received() > 1_000  # metadata counts
    assert scene.fetch(offer).read_bytes() == PACKAGE
    assert scene.received() == len(PACKAGE)
    assert scene.reports.count(FilesFetched(done=len(PACKAGE), total=len(PACKAGE))) == 1


def test_a_package_is_resumed_where_a_killed_process_left_it(scene: TaskScene) -> None:
    offer = scene.look()
    part_of(scene.paths.updates / offer.file).write_bytes(PACKAGE[:300_000])
    scene.reports.clear()
    assert scene.fetch(offer).read_bytes() == PACKAGE
    assert scene.received() == 100_000


def test_a_package_is_not_fetched_twice(scene: TaskScene) -> None:
    offer = scene.look()
    scene.fetch(offer)
    scene.server.asked.clear()
    scene.fetch(offer)
    assert scene.server.asked == []


def test_an_interrupted_download_goes_on(scene: TaskScene) -> None:
    offer = scene.look()
    scene.server.instead(path_of(scene, offer), broken_off(250_000))
    assert scene.fetch(offer).read_bytes() == PACKAGE


def test_another_file_in_place_of_the_package_is_refused(scene: TaskScene) -> None:
    offer = scene.look()
    scene.server.instead(path_of(scene, offer), other(lambda data: bytes(len(data))))
    with pytest.raises(DownloadError, match="is not the file that was signed"):
        scene.fetch(offer)
    assert [file.name for file in scene.paths.updates.iterdir()] == ["metadata"]


def test_a_longer_file_in_place_of_the_package_is_refused(scene: TaskScene) -> None:
    offer = scene.look()
    scene.server.instead(path_of(scene, offer), other(lambda data: data + b"#"))
    with pytest.raises(DownloadError, match="400001 bytes where the new version's package has 400000"):
        scene.fetch(offer)
    assert not (scene.paths.updates / offer.file).exists()


def test_a_package_that_is_no_archive_changes_nothing(scene: TaskScene) -> None:
    offer = scene.look()
    scene.fetch(offer)
    task = LayOutUpdate(paths=scene.paths, installation=scene.installation, offer=offer)
    with pytest.raises(UpdateError, match="cannot be unpacked"):
        carry_out(task, scene.reports.append)
    assert (scene.prefix / "current").readlink() == Path("0.1.0")


def test_an_installation_without_an_address_asks_nobody(scene: TaskScene) -> None:
    (scene.installation.tree / "updates.toml").unlink()
    with pytest.raises(UpdateError, match="without an address for updates"):
        scene.look()


@pytest.mark.parametrize("text", ["", "address = 1", "address = 'ftp://x'", "address", "\x00"])
def test_a_damaged_address_is_named(scene: TaskScene, text: str) -> None:
    (scene.installation.tree / "updates.toml").write_text(text)
    with pytest.raises(UpdateError, match="cannot be used"):
        scene.look()


def test_the_installers_of_windows_are_only_checked(scene: TaskScene) -> None:
    offer = scene.look().model_copy(update={"channel": InstallChannel.NSIS})
    assert offer.file.endswith(".exe")
    file = scene.fetch(offer)
    windows = Installation(InstallChannel.NSIS, "0.1.0", COMMIT, scene.installation.tree)
    task = LayOutUpdate(paths=scene.paths, installation=windows, offer=offer)
    assert carry_out(task, scene.reports.append) == UpdateLaidOut(tree=file)
    file.write_bytes(b"changed")
    with pytest.raises(UpdateError, match="has changed on this disk"):
        carry_out(task, scene.reports.append)
