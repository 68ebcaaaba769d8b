"""Data sets on a loopback Hub are streamed by the real library, from any row on, and no image is decoded by it."""

import io
import json
import os
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.core.data.tiny_codec import picture
from tests.hub.stand_in_hub import REPO, REVISION, stand_in_hub
from tests.hub.writable_hub import HubFault

README = """---
configs:
- config_name: rows
  data_files: "rows-*.parquet"
- config_name: hostile
  data_files: "hostile.parquet"
- config_name: withheld
  data_files: "withheld.parquet"
dataset_info:
- config_name: rows
  splits:
  - name: train
    num_examples: 26
---
"""
ARCHIVES, FILES = "someone/archives", "someone/files"
HERE, WITHHELD = f"hf://datasets/{REPO}@{REVISION}", "withheld.png"
IMAGE = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
FEATURES = {"image": {"_type": "Image"}, "text": {"dtype": "string", "_type": "Value"}}
METADATA = {"huggingface": json.dumps({"info": {"features": FEATURES}})}


def write_rows(path: Path, numbers: range) -> None:
    images = [{"bytes": picture(number), "path": None} for number in numbers]
    texts = [f"picture {number}" for number in numbers]
    table = pa.table({"image": pa.array(images, IMAGE), "text": texts})
    pq.write_table(table.replace_schema_metadata(METADATA), path, row_group_size=10)


def write_archive(path: Path) -> None:
    with tarfile.open(path, "w") as archive:
        for number in range(5):
            metadata = {
                "caption": f"picture {number}",
                "NSFW": "UNSURE",
                "original_width": 640,
                "original_height": 480,
            }
            for field, data in (
                ("jpg", picture(number, kind="JPEG")),
                ("json", json.dumps(metadata).encode()),
            ):
                member = tarfile.TarInfo(f"{number:04d}.{field}")
                member.size = len(data)
                archive.addfile(member, io.BytesIO(data))


def write_files(folder: Path) -> None:
    """Write an imagefolder in which one image is missing."""
    for number in range(3):
        (folder / f"{number}.png").write_bytes(picture(number))
    lines = [{"file_name": f"{number}.png", "text": f"picture {number}"} for number in range(3)]
    (folder / "metadata.jsonl").write_text("\n".join(map(json.dumps, lines)))


def write_hostile_rows(path: Path) -> None:
    paths = ("/etc/passwd", "hf://datasets/other/one@main/a.png", f"{HERE}/absent.png")
    images = [{"bytes": None, "path": path} for path in paths]
    columns = {"words": ["one", "two", "three"], "NSFW": ["UNSURE", None, None]}
    pq.write_table(pa.table({"picture": pa.array(images, IMAGE), **columns}), path)


def write_withheld_row(path: Path) -> None:
    """Write a row whose image is there, but not handed out."""
    image = pa.array([{"bytes": None, "path": f"{HERE}/{WITHHELD}"}], IMAGE)
    pq.write_table(pa.table({"image": image, "text": ["a cat"]}), path)
    (path.parent / WITHHELD).write_bytes(picture(0))


ASKED: dict[str, dict[str, str]] = {
    "rows": {"source": f"hf://datasets/{REPO}@main:train", "subset": "rows"},
    "archive": {"source": ARCHIVES},
    "files": {"source": FILES},
    "hostile": {"source": REPO, "subset": "hostile", "image_column": "picture", "caption_column": "words"},
    "withheld": {"source": REPO, "subset": "withheld"},
    "unnamed image": {"source": REPO, "subset": "hostile"},
    "no such column": {"source": REPO, "subset": "rows", "caption_column": "alt"},
    "no such split": {"source": f"{REPO}:dev", "subset": "rows"},
    "no such data set": {"source": "nobody/nothing"},
}


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """Results of one process that read data sets in three formats and requested data that are missing."""
    folders = {name: tmp_path_factory.mktemp("hub") for name in (REPO, ARCHIVES, FILES)}
    (folders[REPO] / "README.md").write_text(README)
    write_rows(folders[REPO] / "rows-0.parquet", range(15))
    write_rows(folders[REPO] / "rows-1.parquet", range(15, 26))
    write_hostile_rows(folders[REPO] / "hostile.parquet")
    write_archive(folders[ARCHIVES] / "some.tar")
    write_files(folders[FILES])
    write_withheld_row(folders[REPO] / "withheld.parquet")
    with stand_in_hub(folders[REPO], folders) as hub:
        hub.faults += [HubFault(WITHHELD, 403)] * 4
        changed = {"HF_ENDPOINT": f"http://127.0.0.1:{hub.server_port}", "HF_HUB_DISABLE_XET": "1"}
        reader = [
            sys.executable,
            "-m",
            "tests.core.data.sources.hub_reader",
            *map(json.dumps, ASKED.values()),
        ]
        home = str(tmp_path_factory.mktemp("home"))
        found = subprocess.run(
            reader,
            env={**os.environ, **changed, "HF_HOME": home},
            capture_output=True,
            text=True,
            check=False,
        )
    assert found.returncode == 0, found.stderr
    return dict(zip(ASKED, map(json.loads, found.stdout.splitlines()), strict=True))


def captions(answer: dict[str, Any]) -> list[str]:
    return [image["caption"] for image in answer["images"]]


def test_rows_come_in_order_over_files_and_row_groups(answers: dict[str, dict[str, Any]]) -> None:
    rows = answers["rows"]
    assert captions(rows) == [f"picture {number}" for number in range(26)]
    assert [image["bytes"] for image in rows["images"]] == [len(picture(number)) for number in range(26)]
    assert (rows["images"][0]["name"], rows["images"][-1]["name"]) == ("train/0/0/0", "train/1/1/0")
    assert (rows["images"][0]["nsfw"], rows["images"][0]["size"]) == ("UNLIKELY", None)
    assert rows["length"] == 26
    assert REVISION in rows["identity"]


def test_archives_say_in_their_json_what_tables_say_in_columns(answers: dict[str, dict[str, Any]]) -> None:
    assert captions(answers["archive"]) == [f"picture {number}" for number in range(5)]
    assert {(image["nsfw"], *image["size"]) for image in answers["archive"]["images"]} == {
        ("UNSURE", 640, 480)
    }
    assert {image["problem"] for image in answers["archive"]["images"]} == {""}


def test_files_of_the_data_set_are_fetched_as_they_lie_there(answers: dict[str, dict[str, Any]]) -> None:
    assert captions(answers["files"]) == [f"picture {number}" for number in range(3)]
    assert [image["bytes"] for image in answers["files"]["images"]] == [len(picture(n)) for n in range(3)]


def test_paths_in_rows_lead_nowhere_else(answers: dict[str, dict[str, Any]]) -> None:
    local, other, absent = answers["hostile"]["images"]
    assert local["problem"] == "Its image is not in the data set but at /etc/passwd."
    assert "hf://datasets/other/one" in other["problem"]
    assert (local["nsfw"], other["nsfw"]) == ("UNSURE", "")
    assert absent["problem"].startswith("The data set has no file hf://")


@pytest.mark.parametrize(
    ("asked", "error", "remedy"),
    [
        ("unnamed image", "it has picture, words, NSFW", "--image-column"),
        ("no such column", "no column alt; it has image, text", "--caption-column"),
        ("no such split", "Bad split: dev", "Check the name"),
        ("no such data set", "nobody/nothing cannot be read", "HF_TOKEN"),
        ("withheld", "someone/codes cannot be read: 403", "it continues from here"),
    ],
)
def test_what_is_not_there_is_reported(
    answers: dict[str, dict[str, Any]], asked: str, error: str, remedy: str
) -> None:
    assert error in answers[asked]["error"]
    assert remedy in answers[asked]["remedy"]
