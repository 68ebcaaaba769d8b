"""Errors name what in a run does not fit its model and how to change it; runs that fit pass.

Joining reads the heads of the files; organiser and trainer read the rows as well.
"""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from huggingface_hub import HfFileSystem
from safetensors.numpy import save_file

from client.joining.embedded import MANIFESTS, embedded_run
from core.data.checking.fit import check_files
from core.data.checking.fit_rows import check_hub, check_rows
from core.data.shards import CodeRow, write_shard
from core.errors import CodecError, DataError, MisfitError
from core.families.text_to_image.rules import TextToImageRules
from core.model.config import preset
from core.run.filters import FilterSettings
from core.run.manifest import RunManifest
from core.run.training.data_rules import HubSource
from core.run.training.families import family_of, picture_rules
from core.storage.files import FileRef
from tests.hub.stand_in_hub import REPO, REVISION, stand_in_hub
from tests.hub.writable_hub import HubFault
from tests.swarms.tiny_run import CODEC, MODEL, write_tiny_run

ROOT = Path(__file__).parents[4]
THREADS = """
import os, sys
from pathlib import Path
from core.data.checking.fit_rows import check_rows
from core.run.training.families import family_of
from core.run.manifest import RunManifest
training = RunManifest.load(Path(sys.argv[1]) / "run.toml").training
threads = lambda: len(os.listdir("/proc/self/task"))
before = threads()
check_rows(training, Path(sys.argv[1]))
print(before, threads())
"""
Check = Callable[[TextToImageRules, Path], None]


@pytest.fixture
def training(tmp_path: Path) -> TextToImageRules:
    return picture_rules(RunManifest.load(write_tiny_run(tmp_path)).training)


def of_model(training: TextToImageRules, **sizes: int) -> TextToImageRules:
    return training.model_copy(update={"model": MODEL.model_copy(update=sizes)})


def of_text(training: TextToImageRules, **rules: int) -> TextToImageRules:
    return training.model_copy(update={"text": training.text.model_copy(update=rules)})


def check_all(training: TextToImageRules, folder: Path) -> None:
    check_files(training, folder)
    check_rows(training, folder)


def write_rows(path: Path, *codes: list[int]) -> None:
    rows = [CodeRow("red cat", np.array(row, "<i2").tobytes(), "UNLIKELY", 64, 64) for row in codes]
    write_shard(path, rows)


@pytest.mark.parametrize("manifest", MANIFESTS.values())
def test_the_runs_that_come_along_fit(manifest: str) -> None:
    path = embedded_run() / manifest
    training = RunManifest.load(path).training
    training.check_files(path.parent)
    family_of(training).check_rows(training, path.parent, hub_seconds=1.0)


def test_a_run_that_fits_passes(training: TextToImageRules, tmp_path: Path) -> None:
    check_all(training, tmp_path)


def test_the_papers_model_does_not_fit_the_emoji_codec() -> None:
    training = picture_rules(RunManifest.load(embedded_run() / "run.toml").training)
    with pytest.raises(MisfitError, match="codec has 1,024 codes, but the model draws with 8,192"):
        check_files(training.model_copy(update={"model": preset("dalle")}), embedded_run())


@pytest.mark.parametrize(
    ("sizes", "what", "remedy"),
    [
        (
            {"image_vocab": 16},
            "The codec has 32 codes, but the model draws with 16",
            "Set image_vocab of the model to 32",
        ),
        (
            {"grid": 8},
            "shard.parquet has 4 x 4 codes, but the model draws 8 x 8",
            "Set grid of the model to 4",
        ),
    ],
)
def test_what_a_model_draws_is_compared(
    training: TextToImageRules, tmp_path: Path, sizes: dict[str, int], what: str, remedy: str
) -> None:
    with pytest.raises(MisfitError) as refused:
        check_files(of_model(training, **sizes), tmp_path)
    assert what in refused.value.what
    assert remedy in refused.value.remedy


@pytest.mark.parametrize(
    ("rules", "what"),
    [
        ({"vocab": 8}, "has 11 tokens, but the model knows 8"),
        ({"eos_id": 14}, "has 11 tokens, so eos_id 14 "),
        ({"pad_id": 11}, "or pad_id 11 is out of range"),
    ],
)
def test_the_tokenizer_is_compared_with_the_text_that_the_model_reads(
    training: TextToImageRules, tmp_path: Path, rules: dict[str, int], what: str
) -> None:
    with pytest.raises(MisfitError, match=what):
        check_files(of_text(training, **rules), tmp_path)


@pytest.mark.parametrize("place", ["shards", "heldout"])
def test_codes_that_the_model_does_not_have_are_named(
    training: TextToImageRules, tmp_path: Path, place: str
) -> None:
    write_rows(tmp_path / "other.parquet", [0] * 16, [31] * 16, [32] * 16)
    other = FileRef.of(tmp_path / "other.parquet", tmp_path)
    data: dict[str, Any] = (
        {"shards": (*training.data.shards, other)} if place == "shards" else {"heldout": other}
    )
    changed = training.model_copy(update={"data": training.data.model_copy(update=data)})
    with pytest.raises(MisfitError, match=r"row 2 of .* of other\.parquet holds the code 32"):
        check_rows(changed, tmp_path)


def test_a_row_with_a_part_of_an_image_is_named(training: TextToImageRules, tmp_path: Path) -> None:
    write_rows(tmp_path / "shard.parquet", [0] * 15)
    with pytest.raises(DataError, match="has 30 bytes; 4 x 4 codes take 32"):
        check_rows(training, tmp_path)


@pytest.mark.parametrize(
    ("tensors", "what"),
    [
        (
            {"quantize.embedding.weight": (16, 4)},
            "a codebook of 16 x 4, but its configuration asks for 32 x 4",
        ),
        ({"something": (32, 4)}, "no codebook"),
    ],
)
def test_weights_of_another_configuration_are_named(
    training: TextToImageRules, tmp_path: Path, tensors: dict[str, tuple[int, int]], what: str
) -> None:
    save_file(
        {name: np.zeros(shape, "<f2") for name, shape in tensors.items()}, tmp_path / "codec.safetensors"
    )
    with pytest.raises(MisfitError, match=what):
        check_files(training, tmp_path)


def test_weights_that_are_none_are_refused(training: TextToImageRules, tmp_path: Path) -> None:
    (tmp_path / "codec.safetensors").write_bytes(b"weights")
    with pytest.raises(CodecError, match="not a safetensors file"):
        check_files(training, tmp_path)


def filtered(training: TextToImageRules, min_caption_length: int) -> TextToImageRules:
    data = training.data.model_copy(update={"filters": FilterSettings(min_caption_length=min_caption_length)})
    return training.model_copy(update={"data": data})


def test_filters_that_drop_all_rows_are_refused(training: TextToImageRules, tmp_path: Path) -> None:
    check_rows(filtered(training, min_caption_length=4), tmp_path)
    with pytest.raises(MisfitError, match=r"drop all 256 rows of its shards \(256 for: short caption\)"):
        check_rows(filtered(training, min_caption_length=100_000), tmp_path)


@pytest.mark.parametrize("check", [check_files, check_rows])
def test_shards_without_rows_are_refused(check: Check, training: TextToImageRules, tmp_path: Path) -> None:
    write_rows(tmp_path / "shard.parquet")
    with pytest.raises(MisfitError, match="hold no rows"):
        check(training, tmp_path)


def test_a_shard_without_rows_beside_another_passes(training: TextToImageRules, tmp_path: Path) -> None:
    write_rows(tmp_path / "empty.parquet")
    shards = (FileRef.of(tmp_path / "empty.parquet", tmp_path), *training.data.shards)
    data = training.data.model_copy(update={"shards": shards})
    check_all(training.model_copy(update={"data": data}), tmp_path)


def test_images_of_another_size_are_found_by_heads_and_by_rows(
    training: TextToImageRules, tmp_path: Path
) -> None:
    for check in (check_files, check_rows):
        with pytest.raises(MisfitError, match=r"shard\.parquet has 4 x 4 codes, but the model draws 8 x 8"):
            check(of_model(training, grid=8), tmp_path)


def test_reading_rows_leaves_no_thread_for_a_fork_to_lose(tmp_path: Path) -> None:
    """A trainer checks its rows, then forks: in the child, a lock that such a thread holds is held for ever."""
    write_tiny_run(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", THREADS, str(tmp_path)], capture_output=True, text=True, check=True, cwd=ROOT
    )
    before, after = done.stdout.split()
    assert before == after


def test_the_codebook_of_gumbel_weights_is_found(training: TextToImageRules, tmp_path: Path) -> None:
    gumbel = CODEC.replace("VQModel", "GumbelVQ")
    (tmp_path / "codec.yaml").write_text(gumbel)
    save_file({"quantize.embed.weight": np.zeros((32, 4), "<f2")}, tmp_path / "codec.safetensors")
    check_files(training, tmp_path)


def test_a_data_set_on_the_hub_is_compared(training: TextToImageRules, tmp_path: Path) -> None:
    (tmp_path / "hub").mkdir()
    (tmp_path / "shard.parquet").rename(tmp_path / "hub" / "shard.parquet")
    source = HubSource(repo=REPO, revision=REVISION)
    with stand_in_hub(tmp_path / "hub") as hub:
        listing = HfFileSystem(endpoint=f"http://127.0.0.1:{hub.server_port}", skip_instance_cache=True)
        check_hub(training, source, hub=listing)
        with pytest.raises(MisfitError, match="has 4 x 4 codes, but the model draws 8 x 8"):
            check_hub(of_model(training, grid=8), source, hub=listing)
        with pytest.raises(DataError, match="has no file"):
            check_hub(training, HubSource(repo=REPO, revision=REVISION, pattern="*.csv"), hub=listing)
        hub.faults.extend([HubFault("/resolve/", 503)] * 100)
        with pytest.raises(DataError, match="did not give the data set someone/codes within 1 seconds"):
            check_hub(training, source, seconds=1.0, hub=listing)
