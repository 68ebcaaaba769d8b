"""A run whose files lie in a folder of this computer is taken from there as from a server: checked, or not at all."""

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from client.admission.gate_info import GateInfo
from client.api.errors import ClientError, GateError, JoinError
from client.fetching.web_client import WebClient
from client.joining.gate import look_at_gate
from client.joining.run_files import FolderSource
from core.run.manifest import RunManifest
from core.storage.files import FileRef, sha256_of

CONTENT = b"0123456789"
RUN = "a" * 64
GATE = GateInfo(format=1, run=RUN, issuer="https://hub.example", client_id="app", admits="anyone")


@pytest.fixture
def ref(tmp_path: Path) -> FileRef:
    """A file beside the manifest."""
    file = tmp_path / "run" / "shard"
    file.parent.mkdir()
    file.write_bytes(CONTENT)
    return FileRef(path="shard", size=len(CONTENT), sha256=sha256_of(file))


@pytest.fixture
def source(tmp_path: Path) -> FolderSource:
    return FolderSource(tmp_path / "run" / "run.toml")


def unheard(have: int) -> None:
    pass


def test_a_file_is_copied_and_parts_of_it_are_read(
    tmp_path: Path, source: FolderSource, ref: FileRef
) -> None:
    heard: list[int] = []
    source.fetch(ref, tmp_path / "copy", heard.append)
    assert (tmp_path / "copy").read_bytes() == CONTENT
    assert heard == [len(CONTENT)]
    assert source.read(ref, 2, 5) == CONTENT[2:5]


def test_another_file_of_the_same_size_is_not_taken(
    tmp_path: Path, source: FolderSource, ref: FileRef
) -> None:
    (tmp_path / "run" / "shard").write_bytes(CONTENT[::-1])
    with pytest.raises(ClientError):
        source.fetch(ref, tmp_path / "copy", unheard)
    assert {place.name for place in tmp_path.iterdir()} == {"run"}, "nothing of it is left"


@pytest.mark.parametrize("content", [None, b"0123"])
def test_a_file_that_is_not_whole_is_named(
    tmp_path: Path, source: FolderSource, ref: FileRef, content: bytes | None
) -> None:
    file = tmp_path / "run" / "shard"
    file.unlink()
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(JoinError, match="shard is missing, or not the run's file"):
        source.fetch(ref, tmp_path / "copy", unheard)


def test_what_cannot_be_a_manifest_is_named(tmp_path: Path, source: FolderSource, ref: FileRef) -> None:
    with pytest.raises(JoinError, match=r"run.toml cannot be read: No such file"):
        source.manifest(100)
    (tmp_path / "run" / "run.toml").write_bytes(bytes(101))
    with pytest.raises(JoinError, match="cannot be a manifest"):
        source.manifest(100)


def manifest_of(coordinator: str | None, gate: str | None) -> RunManifest:
    contact = SimpleNamespace(coordinator=coordinator, gate=gate)
    return cast(RunManifest, SimpleNamespace(contact=contact, training_digest=RUN))


def web_with(answer: str) -> WebClient:
    return cast(WebClient, SimpleNamespace(document=lambda *_: answer.encode()))


@pytest.mark.parametrize(
    ("coordinator", "answer", "error", "words"),
    [
        (None, "", JoinError, "no coordinator that keeps it"),
        ("https://run.example", "{}", GateError, "does not understand"),
        (
            "https://run.example",
            GATE.model_copy(update={"run": "b" * 64}).model_dump_json(),
            GateError,
            "keeps the gate of another run",
        ),
    ],
)
def test_a_gate_that_is_not_the_runs_is_not_entered(
    coordinator: str | None, answer: str, error: type[ClientError], words: str
) -> None:
    with pytest.raises(error, match=words):
        look_at_gate(manifest_of(coordinator, "key"), web_with(answer))


def test_the_gate_of_the_run_is_entered_and_an_open_run_has_none() -> None:
    web = web_with(GATE.model_dump_json())
    assert look_at_gate(manifest_of("https://run.example", "key"), web) == GATE
    assert look_at_gate(manifest_of("https://run.example", None), web) is None
