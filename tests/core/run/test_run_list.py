"""Signed lists of runs: read as they were made, and refused when anything in them was touched."""

import base64
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from core.errors import ManifestError
from core.run.join_link import JoinLink
from core.run.run_list import MAX_LIST_BYTES, PICTURE_BYTES, ListedGate, RunList, RunListing
from core.signing import SigningKey

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
LINK = str(JoinLink("https://run.example/files/run.toml", "abcd-efgh-ijkl-mnop-qrst-uvwx"))
PNG = b"\x89PNG\r\n\x1a\n"


def card(**changed: Any) -> RunListing:
    about: dict[str, Any] = {
        "link": LINK,
        "title": "Cats",
        "gate": ListedGate.OPEN,
        "parameters": 10,
        "gpu_bytes": 1 << 30,
        "ram_bytes": 2 << 30,
        "bytes_per_day": 3_000,
    }
    return RunListing(**{**about, **changed})


def made(key: SigningKey, *cards: RunListing, serial: int = 1) -> RunList:
    return RunList.create("Runs that we like", cards, key, serial, NOW)


def test_a_list_is_read_as_it_was_made() -> None:
    key = SigningKey.generate()
    known = made(key, card(picture=base64.b64encode(PNG).decode(), volunteers=7))
    read = RunList.parse(known.text(), "a.json", fingerprint=known.fingerprint)
    assert read == known
    assert read.runs[0].picture_bytes == PNG
    assert read.runs[0].fingerprint == "abcd-efgh-ijkl-mnop-qrst-uvwx"


@pytest.mark.parametrize(
    "change",
    [
        {"title": "Other runs"},
        {"serial": 2},
        {"runs": []},
        {"key": SigningKey.generate().public_key},
        {"issued_at": (NOW + timedelta(days=1)).isoformat()},
        {"more": "A field of a later version, which its signature would cover."},
    ],
)
def test_a_list_that_was_touched_is_refused(change: dict[str, Any]) -> None:
    content = json.loads(made(SigningKey.generate(), card()).text())
    with pytest.raises(ManifestError, match="not what the keeper of the list signed"):
        RunList.parse(json.dumps({**content, **change}).encode(), "a.json", fingerprint=None)


def test_fields_of_later_versions_are_ignored_but_signed() -> None:
    key = SigningKey.generate()
    content = json.loads(made(key, card()).text())
    del content["signature"]
    content["runs"][0]["colour"] = "blue"
    from core.run.run_list import _message

    signed = json.dumps({**content, "signature": key.sign(_message(content))}).encode()
    assert RunList.parse(signed, "a.json", fingerprint=None).runs == (card(),)


def test_a_list_of_another_key_or_an_older_issue_is_refused() -> None:
    key = SigningKey.generate()
    old, new = made(key, card(), serial=1), made(key, card(), serial=2)
    with pytest.raises(ManifestError, match="older issue"):
        RunList.parse(old.text(), "a.json", fingerprint=None, seen=new)
    assert RunList.parse(new.text(), "a.json", fingerprint=None, seen=old) == new
    with pytest.raises(ManifestError, match="signed by the key"):
        RunList.parse(new.text(), "a.json", fingerprint=made(SigningKey.generate()).fingerprint)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"link": str(JoinLink("https://a.example/x", "abcd", "a" * 24))}, "invitation"),
        ({"link": str(JoinLink(str(Path.home() / "run.toml"), "abcd"))}, "one computer"),
        ({"picture": "not base64!"}, "base64"),
        ({"picture": base64.b64encode(b"GIF89a").decode()}, "neither PNG nor WebP"),
        ({"picture": base64.b64encode(PNG + bytes(PICTURE_BYTES)).decode()}, "at most|too large"),
        ({"title": "two\nlines"}, "pattern"),
        ({"parameters": 0}, "greater than 0"),
    ],
)
def test_a_card_that_cannot_be_is_refused(change: dict[str, Any], why: str) -> None:
    with pytest.raises((ValidationError, ManifestError), match=why):
        card(**change)


def test_a_run_is_on_a_list_once() -> None:
    with pytest.raises(ValidationError, match="twice"):
        made(SigningKey.generate(), card(), card(title="Again"))


@pytest.mark.parametrize("text", [b"", b"[]", b"{}", b"\xff", b"{" * 10_000, b" " * (MAX_LIST_BYTES + 1)])
def test_what_is_no_list_is_refused_in_a_sentence(text: bytes) -> None:
    with pytest.raises(ManifestError, match="no list of runs") as refused:
        RunList.parse(text, "a.json", fingerprint=None)
    assert "Ask the keeper" in refused.value.remedy


@pytest.mark.parametrize(
    ("actual", "kinds", "words"),
    [
        ({}, [], ""),
        ({"link": LINK.replace("abcd", "zyxw")}, ["key"], "another key"),
        ({"title": "Dogs"}, ["title"], "calls itself “Dogs”, and the list “Cats”"),
        ({"gate": ListedGate.LIST}, ["gate"], "users on the organiser's list. The list says: no sign-in."),
        ({"parameters": 10**9}, ["parameters"], "1,000,000,000 parameters, and 10 by the list"),
        ({"bytes_per_day": 6_000}, [], ""),
        (
            {"bytes_per_day": 6_001},
            ["traffic"],
            "6,001 bytes of traffic a day each way, and 3,000 by the list",
        ),
        ({"bytes_per_day": 1, "download_bytes": 0, "gpu_bytes": 1, "ram_bytes": 1}, [], ""),
        ({"gpu_bytes": 2 << 30}, ["memory"], "needs 2 GiB of a GPU's memory, or 2 GiB of RAM"),
        ({"ram_bytes": 3 << 30}, ["memory"], "The list says: 1 GiB of a GPU's memory, or 2 GiB of RAM."),
        ({"download_bytes": 5}, ["download"], "5 bytes are fetched first, and 0 by the list"),
        ({"title": "Dogs", "volunteers": 9, "description": "x", "epochs_left": 1}, ["title"], "Dogs"),
    ],
)
def test_a_card_is_compared_with_what_the_run_says_of_itself(
    actual: dict[str, Any], kinds: list[str], words: str
) -> None:
    found = list(card().differences(card(**actual)))
    assert [difference.subject for difference in found] == kinds
    assert words in " ".join(difference.text for difference in found)
