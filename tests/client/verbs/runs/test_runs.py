"""`idlebrush runs`: a list is made of a served run, added, searched, shown and removed, as its people do it."""

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PIL import Image

from core.run.join_link import JoinLink
from core.run.manifest import RunManifest
from core.run.run_list import RunList
from core.signing import SigningKey
from tests.client.run_server import serving
from tests.command_line import idlebrush
from tests.swarms.tiny_run import write_tiny_run

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    return {**os.environ, "IDLEBRUSH_HOME": str(tmp_path / "home")}


def say(home: dict[str, str], *words: object, status: int = 0) -> str:
    done = idlebrush("runs", *words, environment=home)
    assert done.returncode == status, done.stderr
    return done.stdout if status == 0 else done.stderr


def test_a_run_is_found_by_the_list_of_somebody_else(tmp_path: Path, home: dict[str, str]) -> None:
    manifest = RunManifest.load(write_tiny_run(tmp_path / "run"))
    picture = tmp_path / "picture.png"
    Image.new("RGB", (16, 16), "teal").save(picture)
    with serving(tmp_path) as server:
        link = JoinLink(server.address("run/run.toml"), manifest.fingerprint)
        out, key = tmp_path / "list.json", tmp_path / "list-key.pem"
        made = say(
            home, "make-list", link, "--out", out, "--key", key, "--title", "Ours", "--picture", picture
        )
        fingerprint = made.partition("Its key is ")[2].partition(":")[0]
        address = server.address("list.json")

        refused = say(home, "add-list", address, status=2)
        assert f"signed by the key {fingerprint}. It was not added." in refused
        assert "Added: Ours, signed by" in say(home, "add-list", address, "--key", fingerprint)

        (found,) = json.loads(say(home, "search", "--json"))["runs"]
        assert (found["title"], found["link"], found["fit"]) == (
            manifest.contact.title,
            str(link),
            "processor",
        )
        assert found["gate"] == "open"
        assert "no sign-in" in say(home, "search")
        shown = say(home, "show", found["title"])
        assert f"Link: {link}" in shown
        assert "Beware" not in shown

        again = say(home, "make-list", link, "--out", out, "--key", key, "--title", "Ours, renewed")
        assert fingerprint in again
    assert "Its last issue is used" in idlebrush("runs", "search", environment=home).stderr
    assert "Beware: The run cannot be looked at now" in say(home, "show", found["title"])
    assert say(home, "lists").startswith("Ours\n")
    assert say(home, "remove-list", fingerprint) == "Removed: Ours.\n"
    assert "No run was found" in say(home, "search")


def test_a_run_that_says_otherwise_than_its_card_is_warned_of(tmp_path: Path, home: dict[str, str]) -> None:
    manifest, out = RunManifest.load(write_tiny_run(tmp_path / "run")), tmp_path / "list.json"
    with serving(tmp_path) as server:
        link = JoinLink(server.address("run/run.toml"), manifest.fingerprint)
        say(home, "make-list", link, "--out", out, "--key", tmp_path / "key.pem", "--title", "Theirs")
        (true,) = RunList.parse(out.read_bytes(), "list.json", fingerprint=None).runs
        lie = true.model_copy(update={"title": "Dogs", "bytes_per_day": 1})
        out.write_bytes(RunList.create("Theirs", (lie,), SigningKey.generate(), 1, NOW).text())
        say(home, "add-list", out)
        shown = say(home, "show", "Dogs")
    assert f"Beware: The run calls itself “{manifest.contact.title}”, and the list “Dogs”." in shown
    assert "bytes of traffic a day each way, and 1 by the list." in shown


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("show", "Cats"), "No run is called Cats."),
        (("add-list", "/absent.json"), "cannot be read"),
        (("remove-list", "Ours"), "There is no list called Ours."),
        (("make-list", "no link", "--out", "x", "--key", "k", "--title", "t"), "not a join link"),
    ],
)
def test_what_cannot_be_done_is_told(
    tmp_path: Path, home: dict[str, str], words: tuple[str, ...], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert why in say(home, *words, status=2)
