"""A volunteer may name a run by a link, an address or a path; anything else is refused."""

from pathlib import Path

import pytest

from client.api.errors import JoinError
from client.joining.invitation import RunInvitation, read_invitation
from core.errors import CoreError, ManifestError
from core.run.join_link import JoinLink

FINGERPRINT = "abcd-efgh-ijkl-mnop-qrst-uvwx"


def test_a_link_carries_the_key_and_another_key_beside_it_is_refused() -> None:
    link = str(JoinLink("https://example.org/run.toml", FINGERPRINT))
    assert read_invitation(link) == RunInvitation("https://example.org/run.toml", FINGERPRINT)
    assert read_invitation(link, FINGERPRINT.upper()).is_vouched_for
    with pytest.raises(JoinError, match="you gave is abcd"):
        read_invitation(link, "abcd")


@pytest.mark.parametrize(
    ("run", "error"),
    [("idlebrush:join", ManifestError), ("nowhere.toml", JoinError), ("", JoinError)],
)
def test_what_names_no_run_is_refused(run: str, error: type[CoreError], tmp_path: Path) -> None:
    with pytest.raises(error):
        read_invitation(str(tmp_path / run) if error is JoinError else run)


@pytest.mark.parametrize("run", ["~nosuchuser/x", "x" * 5000, "a\0b", "\x1b]0;title\x07"])
def test_what_can_be_no_path_is_reported_in_words(run: str) -> None:
    with pytest.raises(JoinError, match="There is no run manifest at") as caught:
        read_invitation(run)
    assert caught.value.what.isprintable()
    assert len(caught.value.what) < 600


def test_an_address_alone_vouches_for_nothing() -> None:
    assert not read_invitation("https://example.org/run.toml").is_vouched_for
    assert read_invitation("https://example.org/run.toml", "abcd").is_vouched_for
