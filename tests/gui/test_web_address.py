"""A browser is sent to pages of the web, and nowhere else."""

import pytest

from gui.web_address import open_page, open_settings, web_address, website
from tests.client.snapshots import FULL
from tests.gui.first_run.stand_ins import browser


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


@pytest.mark.parametrize(
    ("address", "led_to"), [("https://x.org", "https://x.org"), (None, ""), ("file:///etc/passwd", "")]
)
def test_the_website_of_a_run_is_one_of_the_web(address: str | None, led_to: str) -> None:
    assert FULL.run is not None
    assert website(FULL.run.model_copy(update={"coordinator": address})) == led_to


@pytest.mark.usefixtures("qapp")
def test_of_windows_settings_their_own_pages_are_opened() -> None:
    with browser("ms-settings") as opened:
        assert open_settings("ms-settings:windowsupdate")
        assert not open_settings("file:///etc/passwd")
    assert opened == ["ms-settings:windowsupdate"]
