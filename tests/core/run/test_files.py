"""Files that a manifest names: found, whole, and nothing else."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.errors import ManifestError
from core.model.config import ModelConfig, preset
from core.model.transformer import Transformer
from core.run.describe import parameter_count
from core.storage.files import FileRef, read_bounded, resolve_file, write_atomically


@pytest.fixture
def ref(tmp_path: Path) -> FileRef:
    (tmp_path / "codec").mkdir()
    (tmp_path / "codec" / "weights").write_bytes(b"0123456789")
    return FileRef.of(tmp_path / "codec" / "weights", tmp_path)


def test_a_whole_file_is_found(tmp_path: Path, ref: FileRef) -> None:
    assert (ref.path, ref.size) == ("codec/weights", 10)
    assert resolve_file(ref, tmp_path).read_bytes() == b"0123456789"


@pytest.mark.parametrize(
    ("content", "named"), [(b"0123456780", "differs"), (b"012345678", "9 bytes"), (None, "not there")]
)
def test_a_damaged_file_is_named(tmp_path: Path, ref: FileRef, content: bytes | None, named: str) -> None:
    (tmp_path / ref.path).unlink()
    if content is not None:
        (tmp_path / ref.path).write_bytes(content)
    with pytest.raises(ManifestError, match=named) as refusal:
        resolve_file(ref, tmp_path)
    assert "codec/weights" in refusal.value.what


def test_a_folder_is_no_file(tmp_path: Path, ref: FileRef) -> None:
    with pytest.raises(ManifestError, match="not there"):
        resolve_file(ref.model_copy(update={"path": "codec"}), tmp_path)


@pytest.mark.parametrize(
    "path",
    ["../x", "a/../../x", "a/..", "/etc/passwd", "C:/x", "a\\b", "a//b", "./a", "a/", "", "a\nb", "~/a b"],
)
def test_paths_stay_inside_the_folder(path: str) -> None:
    with pytest.raises(ValueError, match="path"):
        FileRef(path=path, sha256="00" * 32, size=1)


def test_no_more_than_the_limit_is_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"12345")
    assert read_bounded(tmp_path / "file", 5) == b"12345"
    with pytest.raises(ValueError, match="more than 4 bytes"):
        read_bounded(tmp_path / "file", 4)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="it is not a file"):
        read_bounded(tmp_path / "pipe", 5)


def test_writing_replaces_the_whole_and_leaves_nothing_beside(tmp_path: Path) -> None:
    write_atomically(tmp_path / "file", b"old and long")
    write_atomically(tmp_path / "file", b"new")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("file", b"new")]


def test_a_failed_write_keeps_the_old(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="folder"):
        write_atomically(tmp_path / "folder", b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_parameters_are_counted_as_the_paper_counts() -> None:
    assert parameter_count(preset("dalle")) == 125_894_244


@pytest.mark.parametrize(
    "config",
    [
        preset("emoji"),
        ModelConfig(
            dim=32, depth=6, heads=2, dim_head=8, text_length=5, text_vocab=40, grid=4, image_vocab=16
        ),
        ModelConfig(
            dim=32, depth=2, heads=3, dim_head=8, text_length=5, text_vocab=40, grid=4, image_vocab=16
        ),
    ],
)
def test_parameters_are_counted_as_they_are(config: ModelConfig) -> None:
    assert parameter_count(config) == sum(item.numel() for item in Transformer(config).parameters())


def test_reading_a_manifest_loads_nothing_heavy() -> None:
    script = "import core.run.manifest, core.run.join_link, sys; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert not {"torch", "hivemind", "numpy", "pyarrow", "datasets"} & set(loaded.stdout.split())
