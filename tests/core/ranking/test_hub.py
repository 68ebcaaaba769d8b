"""A model's files from the Hub: fetched once, in bounds, for nobody's token, and then offline."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import RankingError
from core.ranking.hub import LARGEST, ModelFiles
from tests.core.ranking.model_hub import REPO, REVISION, ModelHub, model_hub


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[ModelHub]:
    folder = tmp_path / "hub"
    folder.mkdir()
    for number, name in enumerate(LARGEST):
        (folder / name).write_bytes(name.encode() * (number + 1))
    with model_hub(folder) as hub:
        yield hub


@pytest.fixture
def files(hub: ModelHub, tmp_path: Path) -> ModelFiles:
    return ModelFiles(REPO, REVISION, tmp_path / "cache", hub.address)


def unheard(done: int, total: int) -> None:
    pass


def test_what_is_needed_comes_and_nothing_else(hub: ModelHub, files: ModelFiles) -> None:
    (hub.folder / "pytorch_model.bin").write_bytes(b"could hold code")
    folder = files.bring(unheard)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == {
        name: (hub.folder / name).read_bytes() for name in LARGEST
    }


def test_progress_is_reported_in_bytes_of_all_files(hub: ModelHub, files: ModelFiles) -> None:
    heard: list[tuple[int, int]] = []
    files.bring(lambda done, total: heard.append((done, total)))
    size = sum((hub.folder / name).stat().st_size for name in LARGEST)
    assert [done for done, _ in heard] == sorted(done for done, _ in heard)
    assert heard[-1] == (size, size)


def test_what_was_fetched_once_is_there_without_the_hub(hub: ModelHub, files: ModelFiles) -> None:
    folder = files.bring(unheard)
    hub.asked.clear()
    assert files.bring(unheard) == folder
    assert hub.asked == []


def test_nobodys_token_is_sent(hub: ModelHub, files: ModelFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    files.bring(unheard)
    assert hub.asked
    assert hub.tokens == []


def test_a_download_that_is_broken_off_is_taken_up_again(files: ModelFiles) -> None:
    class CancelledError(Exception):
        pass

    def cancel(done: int, total: int) -> None:
        if done:
            raise CancelledError

    with pytest.raises(CancelledError):
        files.bring(cancel)
    assert {path.name for path in files.bring(unheard).iterdir()} == set(LARGEST)


def test_weights_in_a_format_that_can_hold_code_are_not_taken_instead(
    hub: ModelHub, files: ModelFiles
) -> None:
    (hub.folder / "model.safetensors").rename(hub.folder / "pytorch_model.bin")
    with pytest.raises(RankingError, match=r"has no model\.safetensors at cccccccc"):
        files.bring(unheard)


def test_what_is_too_large_is_not_begun(hub: ModelHub, files: ModelFiles) -> None:
    hub.sizes["model.safetensors"] = LARGEST["model.safetensors"] + 1
    with pytest.raises(RankingError, match="too large"):
        files.bring(unheard)
    assert not [path for path in hub.asked if "/resolve/" in path]


def test_a_model_that_is_not_there_is_named(hub: ModelHub, tmp_path: Path) -> None:
    files = ModelFiles("someone/else", REVISION, tmp_path / "cache", hub.address)
    with pytest.raises(RankingError, match="no model someone/else at cccccccc"):
        files.bring(unheard)


def test_without_the_hub_the_remedy_is_shown(hub: ModelHub, files: ModelFiles) -> None:
    hub.shutdown()
    hub.server_close()
    with pytest.raises(RankingError, match="cannot be reached") as refusal:
        files.bring(unheard)
    assert "Connect to the Internet once" in refusal.value.remedy


@pytest.mark.parametrize(
    "page", [b"<html>Sign in to the network</html>", b"[3]", b'[{"type": "file"}]', b"null"]
)
def test_a_page_that_is_not_the_hubs_is_reported(hub: ModelHub, files: ModelFiles, page: bytes) -> None:
    hub.page = page
    with pytest.raises(RankingError, match="cannot be fetched"):
        files.bring(unheard)
