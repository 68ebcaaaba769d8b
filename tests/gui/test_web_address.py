"""A browser is sent to pages of the web, and nowhere else."""

import pytest

from gui.web_address import open_page, web_address


@pytest.mark.parametrize("text", ["https://example.org/me?once=1", "http://127.0.0.1:8000/"])
def test_pages_of_the_web_are_opened(text: str) -> None:
    url = web_address(text)
    assert url is not None
    assert url.toString() == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "https:///nowhere",
        "smb://host/share",
        "/usr/bin/true",
    ],
)
def test_nothing_else_is(text: str) -> None:
    assert web_address(text) is None
    assert not open_page(text)
