"""Files are fetched by name: the right bytes of one commit, resumed, or refused with nothing left in their place."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from client.api.errors import DownloadError
from client.fetching.files import FileFetcher
from client.fetching.part_file import part_of
from client.fetching.web_client import WebClient
from client.recipes.hub_fetcher import LARGEST_PLAIN, WORDING, HubFetcher
from client.recipes.hub_file import HubFile, RepoKind
from core.http_client import HttpClient
from tests.hub.writable_hub import HubFault, WritableHub, writable_hub

REPO, LARGE, SMALL = "ada/model", "sub/weights.pt", "config.yaml"
CONTENT = bytes(range(256)) * 1000


@pytest.fixture
def hub() -> Iterator[WritableHub]:
    with writable_hub() as hub:
        hub.make(REPO, {LARGE: CONTENT, SMALL: b"a: 1\n"})
        yield hub


@pytest.fixture
def heard() -> list[tuple[str, int, int]]:
    return []


@pytest.fixture
def fetcher(hub: WritableHub, heard: list[tuple[str, int, int]]) -> Iterator[HubFetcher]:
    with WebClient(HttpClient(), WORDING) as web:
        note = lambda file, done, total: heard.append((file.path, done, total))  # noqa: E731 - it fits in a line
        yield HubFetcher(web, hub.address, note, FileFetcher(web, attempts=1))


def test_files_come_with_commit_and_digest(
    hub: WritableHub, fetcher: HubFetcher, heard: list[tuple[str, int, int]], tmp_path: Path
) -> None:
    commit = hub.repositories[REPO].branches["main"]
    for path, content in ((LARGE, CONTENT), (SMALL, b"a: 1\n")):
        found = fetcher.fetch(HubFile(REPO, path), tmp_path)
        assert found.source == HubFile(REPO, path, commit)
        assert found.place == tmp_path / REPO / path
        assert found.place.read_bytes() == content
        assert (found.size, found.sha256) == (len(content), sha256(content).hexdigest())
        assert heard[-1] == (path, len(content), len(content))
    assert fetcher.commit(REPO, RepoKind.MODEL, "main") == commit


def test_a_download_is_resumed(hub: WritableHub, fetcher: HubFetcher, tmp_path: Path) -> None:
    place = tmp_path / REPO / LARGE
    place.parent.mkdir(parents=True)
    part_of(place).write_bytes(CONTENT[:200_000])
    files = hub.repositories[REPO].commits[hub.repositories[REPO].branches["main"]]
    assert files[LARGE].oid == sha256(CONTENT).hexdigest()  # which is stated from now on
    # The first bytes are there no longer: the file can be right only if they are not asked for.
    object.__setattr__(files[LARGE], "content", b"?" * 200_000 + CONTENT[200_000:])
    assert fetcher.fetch(HubFile(REPO, LARGE), tmp_path).place.read_bytes() == CONTENT


def test_what_is_here_is_not_fetched_again(hub: WritableHub, fetcher: HubFetcher, tmp_path: Path) -> None:
    place = fetcher.fetch(HubFile(REPO, LARGE), tmp_path).place
    hub.faults.append(HubFault("/resolve/", 500))
    assert fetcher.fetch(HubFile(REPO, LARGE), tmp_path).place == place
    assert len(hub.faults) == 1


def test_a_changed_file_is_left_alone(fetcher: HubFetcher, tmp_path: Path) -> None:
    place = fetcher.fetch(HubFile(REPO, SMALL), tmp_path).place
    place.write_bytes(b"b: 1\n")
    with pytest.raises(DownloadError, match="it was changed"):
        fetcher.fetch(HubFile(REPO, SMALL), tmp_path)
    assert place.read_bytes() == b"b: 1\n"


@pytest.mark.parametrize("path", [LARGE, SMALL])
def test_a_file_of_another_digest_is_not_kept(fetcher: HubFetcher, path: str, tmp_path: Path) -> None:
    with pytest.raises(DownloadError, match=f"not {'ab' * 32}"):
        fetcher.fetch(HubFile(REPO, path, sha256="ab" * 32), tmp_path)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_a_large_file_of_another_digest_is_not_asked_for(
    hub: WritableHub, fetcher: HubFetcher, tmp_path: Path
) -> None:
    hub.faults.append(HubFault("/resolve/", 500))
    with pytest.raises(DownloadError, match="has the SHA-256 digest"):
        fetcher.fetch(HubFile(REPO, LARGE, sha256="ab" * 32), tmp_path)
    assert len(hub.faults) == 1


def test_a_data_set_has_another_place_than_a_model_of_its_name(fetcher: HubFetcher, tmp_path: Path) -> None:
    found = fetcher.fetch(HubFile(REPO, SMALL, kind=RepoKind.DATASET), tmp_path)
    assert found.place == tmp_path / "datasets" / REPO / SMALL


@pytest.mark.parametrize(
    ("file", "says"),
    [
        (HubFile(REPO, "absent.pt"), "has no file"),
        (HubFile("ada/absent", LARGE), "or it is not public"),
        (HubFile(REPO, LARGE, "absent"), "or it is not public"),
        (HubFile(REPO, LARGE, sha256="ab" * 32), "has the SHA-256 digest"),
    ],
)
def test_what_cannot_be_had_is_named(fetcher: HubFetcher, file: HubFile, says: str, tmp_path: Path) -> None:
    with pytest.raises(DownloadError, match=says) as refusal:
        fetcher.fetch(file, tmp_path)
    assert file.repo in refusal.value.what


def test_a_small_file_that_differs_is_not_kept(hub: WritableHub, fetcher: HubFetcher, tmp_path: Path) -> None:
    files = hub.repositories[REPO].commits[hub.repositories[REPO].branches["main"]]
    assert files[SMALL].git_digest  # which is stated from now on
    object.__setattr__(files[SMALL], "content", b"b: 2\n")
    with pytest.raises(DownloadError, match="another file than the Hub states"):
        fetcher.fetch(HubFile(REPO, SMALL), tmp_path)
    assert not (tmp_path / REPO / SMALL).exists()


def test_a_file_too_large_for_what_it_is_is_not_asked_for(
    hub: WritableHub, fetcher: HubFetcher, tmp_path: Path
) -> None:
    class OversizedContent(bytes):
        def __len__(self) -> int:
            return LARGEST_PLAIN + 1

    hub.make(REPO, {SMALL: OversizedContent(b"x")})
    with pytest.raises(DownloadError, match="at most 64 MiB are fetched"):
        fetcher.fetch(HubFile(REPO, SMALL), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_an_absent_hub_is_told(tmp_path: Path) -> None:
    with (
        WebClient(HttpClient(), WORDING) as web,
        pytest.raises(DownloadError, match="cannot be reached"),
    ):
        HubFetcher(web, "http://127.0.0.1:9").fetch(HubFile(REPO, SMALL), tmp_path)
