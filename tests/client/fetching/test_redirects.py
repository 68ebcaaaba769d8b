"""A download follows only safe redirects; `test_join` tests the rest with a real server."""

import pytest

from client.fetching.web_client import may_redirect


@pytest.mark.parametrize(
    ("source", "target", "allowed"),
    [
        ("http://a.org/run.toml", "http://a.org/other", True),
        ("http://a.org/run.toml", "https://a.org/run.toml", True),
        ("http://a.org/run.toml", "http://a.org:8080/run.toml", False),
        ("http://a.org/run.toml", "http://192.168.1.1/reboot", False),
        ("http://a.org/run.toml", "https://b.org/run.toml", False),
        ("https://a.org/run.toml", "https://cdn.b.org/run.toml", True),
        ("https://a.org/run.toml", "http://a.org/run.toml", False),
        ("https://a.org/run.toml", "file:///etc/passwd", False),
        ("https://a.org/run.toml", "https://a.org:99999/", False),
        ("https://a.org/run.toml", "https://[a.org/", False),
    ],
)
def test_redirects_never_lead_to_plain_addresses_elsewhere(source: str, target: str, allowed: bool) -> None:
    assert may_redirect(source, target) is allowed
