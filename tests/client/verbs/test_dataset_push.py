"""`dataset push` as a user types it: where its token comes from, and that nothing tells it."""

import json
import os
import signal
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from subprocess import PIPE, CompletedProcess, Popen

import huggingface_hub
import numpy as np
import pytest
from huggingface_hub.utils._http import default_client_factory
from pydantic import SecretStr

from client import state_file
from client.account.credentials import Credentials, CredentialsFile, Keep
from client.account.safekeeping import KeepNote
from client.paths import Paths
from core.data.index import ShardEntry, ShardIndex
from core.data.shard_file import shard_digest
from core.data.shards import CodeRow, encode_codes, write_shard
from core.run.training.data_rules import HubSource
from tests.command_line import COMMAND, idlebrush
from tests.hub.writable_hub import HubFault, HubToken, WritableHub, writable_hub
from tests.waiting import AT_ONCE

REPO = "someone/codes"
SECRET = "hf_" + "s3cret" * 5


@dataclass
class PushDesk:
    """A terminal from which a folder of shards is pushed to a Hub on loopback."""

    hub: WritableHub
    paths: Paths
    home: Path
    folder: Path

    def push(self, *options: str, types: str = "", **environment: str) -> CompletedProcess[str]:
        own = {"IDLEBRUSH_HOME": str(self.home), "HF_ENDPOINT": self.hub.address, **environment}
        verb = ("dataset", "push", self.folder, REPO, "--license", "other", *options)
        ended = idlebrush(*verb, types=types, environment={**os.environ, **own})
        assert SECRET not in ended.stdout + ended.stderr
        return ended

    def keep(self, kind: str, endpoint: str) -> None:
        """Leave a sign-in as the daemon does that was told to keep it in a file."""
        self.paths.prepare()
        state_file.save(self.paths.account, KeepNote(keep=Keep.FILE, name="someone"))
        kept = {"endpoint": endpoint, "name": "someone", "token": SecretStr(SECRET), "kind": kind}
        credentials = Credentials.model_validate({**kept, "issued": datetime(2026, 1, 1, tzinfo=UTC)})
        CredentialsFile(self.paths.credentials).save(credentials)


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[PushDesk]:
    # As its variable would, had it been set before the library was imported.
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_DISABLE_XET", True)
    monkeypatch.setattr(huggingface_hub.constants, "HF_TOKEN_PATH", str(tmp_path / "none"))
    monkeypatch.delenv("HF_TOKEN", raising=False)
    home = tmp_path / "home"
    paths = Paths.of_user({"IDLEBRUSH_HOME": str(home)})
    with writable_hub() as hub:
        hub.tokens[SECRET] = HubToken("someone")
        yield PushDesk(hub, paths, home, write_folder(tmp_path / "shards"))
    huggingface_hub.set_client_factory(default_client_factory)


def write_folder(folder: Path) -> Path:
    folder.mkdir()
    splits: dict[str, tuple[ShardEntry, ...]] = {}
    for split in ("train", "heldout"):
        path = folder / f"{split}-00000.parquet"
        write_shard(path, [CodeRow(split, encode_codes(np.arange(4)), "UNLIKELY", 64, 64)])
        splits[split] = (ShardEntry(file=path.name, rows=1, sha256=shard_digest(path)),)
    ShardIndex(grid=2, vocab=16, images=2, left_out={}, splits=splits).save(folder)
    return folder


def test_what_is_printed_names_the_splits_in_a_manifest(desk: PushDesk) -> None:
    ended = desk.push("--token-stdin", types=f"{SECRET}\n")
    assert ended.returncode == 0, ended.stderr
    summary, *parts = ended.stdout.split("\n# ")
    commit = desk.hub.repositories[REPO].branches["main"]
    assert commit in summary
    sources = [HubSource(**tomllib.loads(f"# {part}")["training"]["data"]["hub"]) for part in parts]
    patterns = ("train-?????.parquet", "heldout-?????.parquet")
    assert sources == [HubSource(repo=REPO, revision=commit, pattern=pattern) for pattern in patterns]


def test_programs_get_the_same_as_json(desk: PushDesk) -> None:
    document = json.loads(desk.push("--json", "--private", HF_TOKEN=SECRET).stdout)
    assert document["commit"] == document["sources"]["train"]["revision"]
    assert desk.hub.repositories[REPO].private


def test_a_kept_sign_in_by_token_is_used(desk: PushDesk) -> None:
    desk.keep("token", desk.hub.address)
    assert desk.push().returncode == 0
    assert REPO in desk.hub.repositories


@pytest.mark.parametrize(
    ("kind", "endpoint", "message"),
    [
        ("oauth", "", "it may not write to the Hub"),
        ("token", "https://another.example", "no token with write access to the Hub"),
    ],
)
def test_a_sign_in_that_cannot_write_here_is_not_used(
    desk: PushDesk, kind: str, endpoint: str, message: str
) -> None:
    desk.keep(kind, endpoint or desk.hub.address)
    ended = desk.push()
    assert (ended.returncode, message in ended.stderr) == (2, True)
    assert "--token-stdin" in ended.stderr
    assert not desk.hub.repositories


def test_without_a_token_nothing_is_tried(desk: PushDesk) -> None:
    assert "no token with write access to the Hub" in desk.push().stderr


@pytest.mark.parametrize(("role", "words"), [("read", "may only read"), (None, "does not accept the token")])
def test_a_token_that_the_hub_refuses_is_reported_without_being_shown(
    desk: PushDesk, role: str | None, words: str
) -> None:
    desk.hub.tokens = {SECRET: HubToken("someone", role)} if role else {}
    ended = desk.push(HF_TOKEN=SECRET)
    assert (ended.returncode, words in ended.stderr) == (2, True)


def test_a_wait_is_reported_where_there_is_no_terminal(desk: PushDesk) -> None:
    desk.hub.faults += [HubFault("/commit/", 503)]
    ended = desk.push(HF_TOKEN=SECRET)
    assert ended.returncode == 0
    assert "The Hub is busy (it answers 503); trying again in" in ended.stderr


def test_ctrl_c_ends_at_once_though_an_upload_is_under_way(desk: PushDesk) -> None:
    desk.hub.stalls_at = 1
    own = {"IDLEBRUSH_HOME": str(desk.home), "HF_ENDPOINT": desk.hub.address, "HF_TOKEN": SECRET}
    environment = {**os.environ, **own, "HF_HUB_DISABLE_XET": "1"}
    verb = [*COMMAND, "dataset", "push", str(desk.folder), REPO, "--license", "other"]
    with Popen(verb, env=environment, stderr=PIPE, text=True) as process:
        assert desk.hub.stalled.wait(60)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=AT_ONCE)
    assert process.returncode == 130
    assert "Run the same command again to continue" in errors


def test_a_licence_has_to_be_named(desk: PushDesk) -> None:
    ended = idlebrush("dataset", "push", desk.folder, REPO)
    assert ended.returncode == 2
    assert "--license" in ended.stderr
