"""Lists of runs as the daemon reads them, by a process of its own: added, kept for when they are away, removed."""

import asyncio
import base64
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from client.api.errors import ClientError
from client.api.runs import AddRunList, DirectoryRequest, DirectoryView, FindRuns, RemoveRunList, RunFit
from client.directory.carrying_out import MOST_SHOWN
from client.directory.known_lists import MOST_LISTS, KnownLists
from client.directory.reading import read_all
from client.service.candidates.directory import read_lists
from client.service.context import Context
from core.run.join_link import JoinLink
from core.run.run_list import ListedGate, RunList, RunListing
from core.signing import SigningKey
from tests.client.run_server import RunServer, serving
from tests.client.service.contexts import context_in

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
KEY = SigningKey.generate()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RunServer]:
    (tmp_path / "served").mkdir()
    with serving(tmp_path / "served") as found:
        yield found


@pytest.fixture
def context(tmp_path: Path) -> Context:
    return context_in(tmp_path / "home")


def card(number: int = 1, **changed: Any) -> RunListing:
    about = {
        "link": str(JoinLink(f"https://run-{number}.example/files/run.toml", "abcd-efgh")),
        "title": f"Run {number}",
        "gate": ListedGate.OPEN,
        "parameters": 10,
        "gpu_bytes": 1 << 48,
        "ram_bytes": 1,
        "bytes_per_day": 5,
    }
    return RunListing(**{**about, **changed})


def publish(server: RunServer, *cards: RunListing, serial: int = 1, key: SigningKey = KEY) -> RunList:
    made = RunList.create("Ours", cards, key, serial, NOW)
    (server.folder / "list.json").write_bytes(made.text())
    return made


def ask(context: Context, request: DirectoryRequest) -> DirectoryView:
    return asyncio.run(read_lists(context, request))


def add(context: Context, server: RunServer, key: str) -> DirectoryView:
    return ask(context, AddRunList(location=server.address("list.json"), key=key))


def test_a_list_is_added_read_and_removed(context: Context, server: RunServer, tmp_path: Path) -> None:
    picture = tmp_path / "picture.png"
    Image.new("RGB", (8, 8), "teal").save(picture)
    pictured = card(picture=base64.b64encode(picture.read_bytes()).decode(), epochs_left=0)
    made = publish(server, pictured, card(2))
    found = add(context, server, made.fingerprint)
    assert [(run.title, run.fit, run.is_over) for run in found.runs] == [
        ("Run 2", RunFit.PROCESSOR, False),
        ("Run 1", RunFit.PROCESSOR, True),
    ]
    assert Path(found.runs[1].picture).read_bytes() == picture.read_bytes()
    assert [(item.title, item.problem) for item in found.lists] == [("Ours", "")]
    assert context.accounting.contribution.month_bytes(context.now()) > 0, "its traffic counts"
    gone = ask(context, RemoveRunList(location=server.address("list.json")))
    assert (gone.runs, gone.lists) == ((), ())
    assert not list(Path(found.runs[1].picture).parent.iterdir())


def test_a_list_that_is_away_or_forged_is_shown_as_it_was(context: Context, server: RunServer) -> None:
    made = publish(server, card())
    add(context, server, made.fingerprint)
    publish(server, card(2), key=SigningKey.generate(), serial=9)
    forged = ask(context, FindRuns())
    assert [run.title for run in forged.runs] == ["Run 1"]
    assert "is signed by the key" in forged.lists[0].problem
    (server.folder / "list.json").unlink()
    away = ask(context, FindRuns())
    assert [run.title for run in away.runs] == ["Run 1"]
    assert away.lists[0].problem
    publish(server, card(3), serial=2)
    assert [run.title for run in ask(context, FindRuns()).runs] == ["Run 3"]
    publish(server, card(1), serial=1)
    assert "older issue" in ask(context, FindRuns()).lists[0].problem


def test_a_list_by_another_key_is_not_added(context: Context, server: RunServer) -> None:
    publish(server, card())
    with pytest.raises(ClientError, match="signed by the key"):
        add(context, server, "abcd-efgh-ijkl-mnop-qrst-uvwx")
    assert ask(context, FindRuns()) == DirectoryView()


def test_what_is_no_list_is_refused(context: Context, server: RunServer) -> None:
    (server.folder / "list.json").write_text(json.dumps({"format": 1}))
    with pytest.raises(ClientError, match="is no list of runs"):
        add(context, server, "abcd")


def test_an_answer_has_no_more_runs_than_fit_a_line(context: Context, server: RunServer) -> None:
    made = publish(server, *(card(number) for number in range(MOST_SHOWN + 7)))
    found = add(context, server, made.fingerprint)
    assert (len(found.runs), found.left_out) == (MOST_SHOWN, 7)
    long = {"title": "界" * 200, "description": "界" * 4_000}
    publish(server, *(card(number, **long) for number in range(MOST_SHOWN + 7)), serial=2)
    fewer = ask(context, FindRuns())
    assert 20 < len(fewer.runs) < MOST_SHOWN
    assert len(fewer.runs) + fewer.left_out == MOST_SHOWN + 7


def test_there_is_an_end_to_lists(tmp_path: Path) -> None:
    made = RunList.create("Ours", (card(),), KEY, 1, NOW)
    with KnownLists.opened(tmp_path / "lists") as (lists, problem):
        assert problem is None
        for number in range(MOST_LISTS):
            lists.add(f"https://{number}.example", made, made.text())
        lists.add("https://0.example", made, made.text())
        with pytest.raises(ClientError, match="16 lists already"):
            lists.add("https://more.example", made, made.text())
    with KnownLists.opened(tmp_path / "lists") as (lists, _):
        assert len(lists.known) == MOST_LISTS


def test_a_list_with_the_title_of_anothers_address_stays_when_that_is_removed(tmp_path: Path) -> None:
    ours, theirs = "https://ours.example/runs.json", "https://theirs.example/runs.json"
    made = RunList.create(ours, (card(),), KEY, 1, NOW)
    with KnownLists.opened(tmp_path / "lists") as (lists, _):
        lists.add(theirs, made, made.text())
        lists.remove_at(ours)
        assert [known.location for known in lists.known] == [theirs]
        with pytest.raises(ClientError, match="no list called"):
            lists.remove(ours)
        assert lists.remove(theirs).location == theirs


def test_lists_are_not_read_for_ever(tmp_path: Path) -> None:
    times = iter((0.0, 1.0, 61.0))
    made = RunList.create("Ours", (card(),), KEY, 1, NOW)
    with KnownLists.opened(tmp_path / "lists") as (lists, _):
        for name in ("one", "two"):
            (tmp_path / name).write_bytes(made.text())
            lists.add(str(tmp_path / name), made, made.text())
        read = list(read_all(lists, None, lambda: next(times)))  # type: ignore[arg-type]  # nothing is on the web
    assert [item.found is not None for item in read] == [True, True]
    assert [item.problem.what if item.problem else "" for item in read] == [
        "",
        "There was no time left to read this list.",
    ]
