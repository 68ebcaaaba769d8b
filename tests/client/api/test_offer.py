"""What is handed over from outside names a run, in whichever form desktops and browsers hand it over."""

from pathlib import Path

import pytest

from client.api.errors import ClientError
from client.api.offer import LONGEST, OfferedRun
from client.api.snapshot import RunView
from client.joining.embedded import embedded_run
from core.run.join_link import JoinLink
from core.run.manifest import RunManifest
from tests.swarms.tiny_run import write_tiny_run

KEY = "abcd-efgh-ijkl-mnop-qrst-uvwx"
SITE = "https://train.example.org"
LINK = JoinLink(f"{SITE}/files/run.toml", KEY)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    made = write_tiny_run(tmp_path / "a run")
    return made.rename(made.with_name("tiny.idlebrush"))


def joined(fingerprint: str = KEY, name: str = "tiny", coordinator: str | None = SITE) -> RunView:
    return RunView(
        name=name,
        title="A tiny run",
        digest="d" * 64,
        fingerprint=fingerprint,
        folder="/runs/d",
        total_epochs=1,
        coordinator=coordinator,
    )


def test_a_link_is_handed_on_in_the_form_that_it_is_written_in() -> None:
    query = str(LINK).partition("?")[2]
    offer = OfferedRun.read(f'"idlebrush://join/?{query}"')
    assert (offer.location, offer.manifest, offer.fingerprint) == (str(LINK), LINK.location, KEY)


@pytest.mark.parametrize("form", ["{path}", "{address}", " {path}\n"], ids=["path", "address", "pasted"])
def test_a_file_is_handed_on_by_its_whole_path(file: Path, form: str) -> None:
    offer = OfferedRun.read(form.format(path=file, address=file.as_uri()))
    assert offer.location == offer.manifest == str(file)
    manifest = RunManifest.load(file)
    assert (offer.fingerprint, offer.name) == (manifest.fingerprint, manifest.training.name)


def test_a_path_is_that_of_the_folder_where_it_was_given(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(file.parent)
    assert OfferedRun.read(file.name).location == str(file)


def test_a_web_address_and_the_runs_that_are_shipped_keep_their_names() -> None:
    assert OfferedRun.read(LINK.location) == OfferedRun(LINK.location, LINK.location, None)
    embedded = OfferedRun.read("embedded")
    assert embedded.location == "embedded"
    assert embedded.fingerprint == RunManifest.load(embedded_run() / "run.toml").fingerprint


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "join"),
        ("hello", "join"),
        ("idlebrush:leave", "manifest"),
        ('"idlebrush:join?run=x', "manifest"),
        ("file://server.example.org/share/run.toml", "join"),
        ("file:", "join"),
        ("file:///%FF", "join"),
        ("file:///nowhere/run.toml", "join"),
        ("x" * (LONGEST + 1), "join"),
        ("\0", "join"),
    ],
)
def test_what_names_no_run_is_refused_in_words(text: str, code: str) -> None:
    with pytest.raises(ClientError) as refusal:
        OfferedRun.read(text)
    assert refusal.value.code == code
    assert len(refusal.value.what) < 600


@pytest.mark.parametrize("content", [b"", b"title = 'a shopping list'", b"\xff", b"key = 1\n[training]"])
def test_a_file_that_is_no_manifest_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "run.toml").write_bytes(content)
    with pytest.raises(ClientError):
        OfferedRun.read(str(tmp_path / "run.toml"))


@pytest.mark.parametrize(
    ("offer", "run", "is_of"),
    [
        (OfferedRun(str(LINK), LINK.location, KEY), joined(), True),
        (OfferedRun(str(LINK), LINK.location, KEY.upper()), joined(), True),
        (OfferedRun(str(LINK), LINK.location, KEY), joined(coordinator=f"{SITE}/"), True),
        (OfferedRun(str(LINK), LINK.location, KEY), joined("other"), False),
        (OfferedRun(str(LINK), f"{SITE}/second/files/run.toml", KEY), joined(), False),
        (OfferedRun(str(LINK), LINK.location, KEY), joined(coordinator=None), False),
        (OfferedRun(LINK.location, LINK.location, None), joined(), True),
        (OfferedRun("https://example.org", "https://example.org", None), joined(), False),
        (OfferedRun("/x", "/x", KEY, "tiny"), joined(), True),
        (OfferedRun("/x", "/x", KEY, "large"), joined(), False),
        (OfferedRun("/x", "/x", "other", "tiny"), joined(), False),
        (OfferedRun("/runs/d/run.toml", "/runs/d/run.toml", KEY, "tiny"), joined(), True),
    ],
)
def test_whether_it_leads_to_the_joined_run(offer: OfferedRun, run: RunView, is_of: bool) -> None:
    assert offer.is_of(run) is is_of
