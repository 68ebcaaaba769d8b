"""The link to a run: as it is written, pasted, and handed on by browsers, shells and launchers after a click."""

from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import pytest

from core.errors import ManifestError
from core.fingerprint import fingerprint_of
from core.run.join_link import MAX_LINK_CHARACTERS, JoinLink

KEY = fingerprint_of("00" * 32)
LINK = JoinLink("https://train.example.org/files/run.toml", KEY)
QUERY = str(LINK).partition("?")[2]


@pytest.mark.parametrize(
    "location",
    [
        "https://example.org/run.toml?a=1&b=2",
        "http://10.0.0.1:8000/run.toml",
        str(Path("/home/jörg/a run.toml").absolute()),
    ],
)
def test_a_join_link_survives_being_pasted(location: str) -> None:
    link = JoinLink(location, KEY)
    assert JoinLink.parse(f"  {link}\n") == link
    invited = replace(link, invitation="Zx_-" * 10)
    assert JoinLink.parse(f"{invited}") == invited


@pytest.mark.parametrize(
    "text",
    [
        f"idlebrush://join?{QUERY}",
        f"idlebrush://join/?{QUERY}",
        f"idlebrush:///join?{QUERY}",
        f"idlebrush:/join?{QUERY}",
        f"IDLEBRUSH://JOIN/?{QUERY}",
        f'"idlebrush:join?{QUERY}"',
        f"' idlebrush:join?{QUERY} '",
        f"idlebrush:join?run={LINK.location}&key={KEY}",
        f"idlebrush:join?{QUERY}&from=newsletter",
        f"idlebrush:join?{quote(QUERY)}",
        f"idlebrush:{quote(f'join?{QUERY}', safe='')}",
        f"idlebrush://join/?run={quote(quote(LINK.location, safe=''), safe='')}&key={KEY}",
        quote(str(LINK), safe=""),
    ],
    ids=[
        *("as a host", "with a slash", "without a host", "as a path", "in capitals"),
        *("in quotes", "in other quotes", "decoded", "with a field of another version"),
        *("query encoded", "encoded again", "location encoded again", "encoded whole"),
    ],
)
def test_what_browsers_and_launchers_make_of_a_link_is_the_same_link(text: str) -> None:
    assert JoinLink.parse(text) == LINK


WEB = "https%3A%2F%2Fexample.org"


@pytest.mark.parametrize(
    "text",
    [
        "",
        '"',
        "hello",
        "https://example.org/run.toml",
        f"https://join?{QUERY}",
        "idlebrush:",
        "idlebrush:join",
        "idlebrush://join/",
        f"idlebrush:join?run={WEB}",
        f"idlebrush:leave?run={WEB}&key=abcd",
        f"idlebrush://join/leave?run={WEB}&key=abcd",
        f"idlebrush://join@example.org?run={WEB}&key=abcd",
        f"idlebrush://join:80?run={WEB}&key=abcd",
        f"idlebrush://[join?run={WEB}&key=abcd",
        f"idlebrush:join?run={WEB}&key=abcd#fragment",
        f"idlebrush:join?run={WEB}&key=abcd&key=efgh",
        f"idlebrush:join?run={WEB}&run={WEB}&key=abcd",
        f"idlebrush:join?run={WEB}&key=",
        f"idlebrush:join?run={WEB}&amp;key=abcd",
        "idlebrush:join?run=javascript%3Aalert&key=abcd",
        "idlebrush:join?run=file%3A%2F%2F%2Fetc%2Fpasswd&key=abcd",
        "idlebrush:join?run=relative.toml&key=abcd",
        "idlebrush:join?run=%2F%2Fserver%2Fshare%2Frun.toml&key=abcd",
        "idlebrush:join?run=%5C%5Cserver%5Cshare%5Crun.toml&key=abcd",
        "idlebrush:join?run=%FF&key=abcd",
        f"idlebrush:join?run={WEB}%0A&key=abcd",
        f"idlebrush:join?run={WEB}%1B%5B2J&key=abcd",
        f"idlebrush:join?run={WEB}&key=abcd&invitation=short",
        f"idlebrush:join?run={WEB}&key=abcd&invitation=" + "%0A" * 30,
        f"idlebrush:join?run={WEB}&key=abcd" + "&a=1" * 20,
        f"{quote(quote(quote(str(LINK), safe=''), safe=''), safe='')}",
    ],
)
def test_other_text_is_no_join_link(text: str) -> None:
    with pytest.raises(ManifestError) as refusal:
        JoinLink.parse(text)
    assert refusal.value.what.isprintable()
    assert len(refusal.value.what) < 600


def test_a_text_without_end_is_not_looked_at() -> None:
    with pytest.raises(ManifestError, match="far too long"):
        JoinLink.parse(str(LINK) + "&" * MAX_LINK_CHARACTERS)
