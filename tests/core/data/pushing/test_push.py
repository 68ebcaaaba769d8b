"""A folder of shards arrives at the Hub whole: over interruptions, refusals and a Hub that fails now and then."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import huggingface_hub
import numpy as np
import pytest
import yaml
from huggingface_hub.utils._http import default_client_factory
from pydantic import SecretStr

from core.data.index import INDEX_NAME, ShardEntry, ShardIndex
from core.data.pushing.card import CARD_NAME, split_pattern
from core.data.pushing.hub_repository import HubRepository, HubUnavailable
from core.data.pushing.push import ATTEMPTS, MAX_SHARDS, Push, PushProgress, PushResult
from core.data.shard_file import shard_digest
from core.data.shards import CodeRow, encode_codes, write_shard
from core.errors import DataError
from core.run.filters import FilterSettings
from tests.command_line import COMMAND
from tests.hub.hub_store import Blob
from tests.hub.writable_hub import HubFault, HubToken, WritableHub, writable_hub

REPO = "someone/codes"
SECRET = "hf_" + "s3cret" * 5
SHARD_ROWS, SHARDS, GRID, VOCAB = 40, 6, 2, 16


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[WritableHub]:
    # As its variable would, had it been set before the library was imported.
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_DISABLE_XET", True)
    with writable_hub() as running:
        running.tokens[SECRET] = HubToken("someone")
        yield running
    huggingface_hub.set_client_factory(default_client_factory)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_folder(tmp_path / "shards", seed=0)


def write_folder(folder: Path, seed: int, shards: int = SHARDS) -> Path:
    folder.mkdir()
    entries = []
    for number in range(shards):
        path = folder / f"train-{number:05d}.parquet"
        write_shard(path, rows(seed + number))
        entries.append(ShardEntry(file=path.name, rows=SHARD_ROWS, sha256=shard_digest(path)))
    ShardIndex(
        grid=GRID,
        vocab=VOCAB,
        codec_sha256="c" * 64,
        images=SHARD_ROWS * shards,
        left_out={"broken image": 1},
        filters=FilterSettings(),
        splits={"train": tuple(entries)},
    ).save(folder)
    return folder


def rows(seed: int) -> list[CodeRow]:
    codes = np.random.default_rng(seed).integers(0, VOCAB, (SHARD_ROWS, GRID * GRID))
    return [
        CodeRow(f"picture {seed} {n}", encode_codes(row), "UNLIKELY", 64, 64) for n, row in enumerate(codes)
    ]


def repository(
    hub: WritableHub, repo: str = REPO, token: str = SECRET, branch: str = "main"
) -> HubRepository:
    return HubRepository(repo, branch, SecretStr(token), hub.address)


def push(hub: WritableHub, folder: Path, pauses: list[float] | None = None) -> PushResult:
    pause = pauses.append if pauses is not None else no_pause
    return Push(folder, repository(hub), "cc-by-4.0", pause=pause).run()


def no_pause(seconds: float) -> None:
    raise AssertionError("it had no reason to wait")


def contents(hub: WritableHub, revision: str) -> dict[str, bytes]:
    found = hub.repositories[REPO].at(revision)
    assert found is not None
    return {path: blob.content for path, blob in found[1].items()}


def test_what_is_pushed_reads_back_row_for_row(hub: WritableHub, folder: Path, tmp_path: Path) -> None:
    source = push(hub, folder).sources["train"]
    reader = [sys.executable, "-m", "tests.core.data.pushing.pushed_reader"]
    changed = {
        "HF_ENDPOINT": hub.address,
        "HF_HOME": str(tmp_path / "home"),
        "HF_HUB_DISABLE_XET": "1",
        "USE_TORCH": "0",  # which datasets would import for six seconds, and not use
    }
    found = subprocess.run(
        [*reader, source.repo, source.revision, source.pattern, "train"],
        env={**os.environ, **changed},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert found.returncode == 0, found.stderr
    read = [json.loads(line) for line in found.stdout.splitlines()]
    written = [[row.caption, row.code.hex()] for seed in range(SHARDS) for row in rows(seed)]
    assert [row for way, *row in read if way == "peer"] == written
    assert [row for way, *row in read if way == "datasets"] == written


def test_the_index_comes_last_and_the_card_says_what_it_is(hub: WritableHub, folder: Path) -> None:
    commit = push(hub, folder).commit
    repository = hub.repositories[REPO]
    *before, latest = [set(files) for files in repository.commits.values()]
    assert not any(INDEX_NAME in files for files in before)
    assert latest == {".gitattributes", "README.md", *(path.name for path in folder.iterdir())}
    assert repository.branches["main"] == commit
    _, front, text = contents(hub, commit)["README.md"].decode().split("---\n", 2)
    known = yaml.safe_load(front)
    assert (known["license"], known["size_categories"]) == ("cc-by-4.0", ["n<1K"])
    assert known["configs"][0]["data_files"] == [{"split": "train", "path": "train-?????.parquet"}]
    for words in ("`train`: 240", "2 x 2 codes", f"`{'c' * 64}`", "at least 3 characters", "broken image: 1"):
        assert words in text


def test_a_second_push_sends_nothing_and_commits_nothing(hub: WritableHub, folder: Path) -> None:
    first = push(hub, folder)
    seen: list[PushProgress] = []
    second = Push(folder, repository(hub), "cc-by-4.0").run(progress=seen.append)
    assert second == first
    assert seen == [PushProgress(seen[0].total, seen[0].total)]
    assert len(hub.arrived) == SHARDS


def test_a_push_that_was_killed_goes_on_where_it_was(hub: WritableHub, folder: Path, tmp_path: Path) -> None:
    hub.stalls_at = SHARDS - 1
    environment = {
        **os.environ,
        "HF_ENDPOINT": hub.address,
        "HF_HUB_DISABLE_XET": "1",
        "IDLEBRUSH_HOME": str(tmp_path / "home"),
    }
    verb = [*COMMAND, "dataset", "push", str(folder), REPO, "--license", "cc-by-4.0", "--token-stdin"]
    with subprocess.Popen(verb, env=environment, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.write(SECRET.encode() + b"\n")
        process.stdin.close()
        assert hub.stalled.wait(60)
        process.kill()
    hub.stalls_at = None
    assert len(hub.arrived) == SHARDS - 1
    commit = push(hub, folder).commit
    assert len(hub.arrived) == len(set(hub.arrived)) == SHARDS
    assert (
        contents(hub, commit).items() >= {path.name: path.read_bytes() for path in folder.iterdir()}.items()
    )


@pytest.mark.parametrize("place", ["whoami", "/commit/"])
@pytest.mark.parametrize(
    ("status", "headers", "least"),
    [
        (503, {}, (0.5, 1.0)),
        (429, {"Retry-After": "77"}, (77.0, 77.0)),
        (429, {"RateLimit": '"api";r=0;t=55'}, (55.0, 55.0)),
    ],
)
def test_a_busy_hub_is_asked_again_when_it_wants(
    hub: WritableHub,
    folder: Path,
    place: str,
    status: int,
    headers: dict[str, str],
    least: tuple[float, float],
) -> None:
    hub.faults += [HubFault(place, status, headers)] * 2
    pauses: list[float] = []
    push(hub, folder, pauses)
    assert all(pause >= atleast for pause, atleast in zip(pauses, least, strict=True))
    assert len(hub.arrived) == SHARDS


def test_a_hub_that_stays_busy_is_left_alone_in_the_end(hub: WritableHub, folder: Path) -> None:
    hub.faults += [HubFault("/commit/", 503)] * ATTEMPTS
    pauses: list[float] = []
    with pytest.raises(HubUnavailable, match="busy"):
        push(hub, folder, pauses)
    assert len(pauses) == ATTEMPTS - 1
    assert max(pauses) > 30


def test_a_hub_that_is_not_there_is_waited_for(folder: Path, hub: WritableHub) -> None:
    nowhere = HubRepository(REPO, "main", SecretStr(SECRET), "http://127.0.0.1:9")
    waited: list[float] = []
    with pytest.raises(HubUnavailable, match="cannot be reached"):
        Push(folder, nowhere, "other", pause=waited.append).run()
    assert len(waited) == ATTEMPTS - 1


def test_another_build_takes_the_place_of_the_first(hub: WritableHub, folder: Path, tmp_path: Path) -> None:
    first = push(hub, folder)
    second = push(hub, write_folder(tmp_path / "other", seed=4, shards=3))
    assert set(contents(hub, second.commit)) == {
        ".gitattributes",
        "README.md",
        INDEX_NAME,
        *(f"train-{number:05d}.parquet" for number in range(3)),
    }
    assert INDEX_NAME in contents(hub, first.commit)
    between = list(hub.repositories[REPO].commits.values())[-2]
    assert INDEX_NAME not in between
    assert len(hub.arrived) == SHARDS + 1, "two of its shards were there under other names"


def test_a_branch_is_made_and_the_main_one_left_alone(hub: WritableHub, folder: Path) -> None:
    Push(folder, repository(hub, branch="try"), "other").run()
    assert set(contents(hub, "main")) == {".gitattributes"}
    assert INDEX_NAME in contents(hub, "try")


@pytest.mark.parametrize("visible", [True, False])
def test_what_is_to_be_private_never_is_public(hub: WritableHub, folder: Path, visible: bool) -> None:
    if visible:
        hub.make(REPO, {})
        with pytest.raises(DataError, match="exists already and is public"):
            Push(folder, repository(hub), "other").run(private=True)
        assert not hub.arrived
    else:
        Push(folder, repository(hub), "other").run(private=True)
        assert hub.repositories[REPO].private


def of_another_kind(hub: WritableHub) -> HubRepository:
    hub.taken.add(REPO)
    return repository(hub)


def with_other_shards(hub: WritableHub) -> HubRepository:
    hub.make(REPO, {"data/part-0.parquet": b"somebody's"})
    return repository(hub)


def with_another_index(hub: WritableHub) -> HubRepository:
    hub.make(REPO, {INDEX_NAME: b'{"name": "of another program"}'})
    return repository(hub)


def that_may_only_read(hub: WritableHub) -> HubRepository:
    hub.tokens["hf_reading"] = HubToken("someone", role="read")
    return repository(hub, token="hf_reading")


def of_somebody_else(hub: WritableHub) -> HubRepository:
    hub.make("elsewhere/codes", {})
    return repository(hub, "elsewhere/codes")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda hub: repository(hub, token="hf_unknown"), "does not accept the token"),
        (that_may_only_read, "may only read"),
        (lambda hub: repository(hub, "elsewhere/codes"), "may not write to elsewhere/codes"),
        (of_somebody_else, "may not write to elsewhere/codes"),
        (of_another_kind, "no data set that this token can write to"),
        (with_other_shards, "other shards, such as data/part-0.parquet"),
        (with_another_index, "index.json of someone/codes is malformed"),
        (lambda hub: repository(hub, "no name"), "'no name' is not the name of a data set"),
    ],
)
def test_a_repository_that_is_not_to_be_written_to_is_refused(
    hub: WritableHub, folder: Path, make: Callable[[WritableHub], HubRepository], message: str
) -> None:
    with pytest.raises(DataError, match=message) as caught:
        Push(folder, make(hub), "other", pause=no_pause).run()
    assert caught.value.remedy
    assert not hub.arrived


def test_what_the_hub_refuses_otherwise_leads_to_the_page_of_the_data_set(
    hub: WritableHub, folder: Path
) -> None:
    hub.faults.append(HubFault("commit", 402))
    with pytest.raises(DataError, match=f"refuses to take {REPO} \\(it answers 402\\)") as caught:
        Push(folder, repository(hub), "other", pause=no_pause).run()
    assert f"/datasets/{REPO} " in caught.value.remedy


def test_a_licence_that_the_hub_does_not_know_is_reported_before_anything_is_sent(
    hub: WritableHub, folder: Path
) -> None:
    with pytest.raises(DataError, match="does not take the data card"):
        Push(folder, repository(hub), "mine").run()
    assert not hub.arrived


def test_a_folder_that_fails_its_check_is_not_pushed(hub: WritableHub, folder: Path) -> None:
    (folder / "train-00001.parquet").write_bytes(b"damaged")
    (folder / "train-00002.parquet").unlink()
    with pytest.raises(DataError, match=r"not sound: .*train-00001\.parquet .* and 1 more"):
        push(hub, folder)
    assert not hub.repositories


def test_a_folder_without_shards_is_not_pushed(hub: WritableHub, tmp_path: Path) -> None:
    ShardIndex(grid=1, vocab=2, images=1, left_out={}, splits={"train": ()}).save(tmp_path)
    with pytest.raises(DataError, match="holds no shards"):
        push(hub, tmp_path)


def test_what_arrives_as_something_else_is_noticed(hub: WritableHub, folder: Path) -> None:
    hub.spoiled.add("train-00003.parquet")
    with pytest.raises(DataError, match=r"train-00003\.parquet differs at the Hub"):
        push(hub, folder)


@pytest.mark.parametrize(
    ("files", "pattern"),
    [
        (("all-00000.parquet", "all-00001.parquet"), "all-?????.parquet"),
        (("all-000000.parquet",), "all-*.parquet"),
    ],
)
def test_a_split_is_named_by_a_glob_that_matches_no_other(files: tuple[str, ...], pattern: str) -> None:
    splits = {"all": files, "all-2": ("all-2-00000.parquet",) if "?" in pattern else ()}
    entries = {
        split: tuple(ShardEntry(file=file, rows=1, sha256="0" * 64) for file in names)
        for split, names in splits.items()
    }
    index = ShardIndex(grid=1, vocab=2, images=1, left_out={}, splits=entries)
    assert split_pattern(index, "all") == pattern


def test_files_that_are_not_called_by_their_split_are_reported(hub: WritableHub, folder: Path) -> None:
    (folder / "train-00000.parquet").rename(folder / "other.parquet")
    text = (folder / INDEX_NAME).read_text().replace("train-00000.parquet", "other.parquet")
    (folder / INDEX_NAME).write_text(text)
    with pytest.raises(DataError, match="The files of the split train are not called by its name"):
        push(hub, folder)


@pytest.mark.parametrize(
    "before", ["---\nlicense: other\n---\n# Notes\n\nTaken by Ada.\n", "Taken by Ada.\n"]
)
def test_what_somebody_wrote_into_the_card_stays(hub: WritableHub, folder: Path, before: str) -> None:
    hub.make(REPO, {CARD_NAME: before.encode()})
    card = contents(hub, push(hub, folder).commit)[CARD_NAME].decode()
    _, front, text = card.split("---\n", 2)
    assert yaml.safe_load(front)["license"] == "cc-by-4.0"
    assert text.endswith("Taken by Ada.\n")
    edited = f"{card}With a telescope.\n"
    hub.repositories[REPO].commit("main", {CARD_NAME: Blob(edited.encode(), large=False)}, "edited")
    again = contents(hub, push(hub, folder).commit)[CARD_NAME].decode()
    assert again == edited


def test_more_shards_than_a_folder_of_the_hub_takes_are_reported_at_once(
    hub: WritableHub, tmp_path: Path
) -> None:
    entries = tuple(
        ShardEntry(file=f"train-{number:05d}.parquet", rows=1, sha256="0" * 64)
        for number in range(MAX_SHARDS + 1)
    )
    ShardIndex(grid=1, vocab=2, images=1, left_out={}, splits={"train": entries}).save(tmp_path)
    with pytest.raises(DataError, match=r"holds 9,991 shards") as caught:
        push(hub, tmp_path)
    assert "--shard-rows" in caught.value.remedy
