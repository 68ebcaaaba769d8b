"""A sign-in uses this computer's browser where the volunteer sits at it, and a code elsewhere."""

from collections.abc import Mapping

import pytest

from client.console.sign_in import has_browser


@pytest.mark.parametrize(
    ("environment", "platform", "has_one"),
    [
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({"DISPLAY": ""}, "linux", False),
        ({}, "linux", False),
        ({"DISPLAY": ":10", "SSH_CONNECTION": "1.2.3.4 5 6.7.8.9 22"}, "linux", False),
        ({}, "darwin", True),
        ({"SSH_TTY": "/dev/pts/1"}, "darwin", False),
    ],
)
def test_a_browser_is_where_the_volunteer_sits(
    environment: Mapping[str, str], platform: str, has_one: bool
) -> None:
    assert has_browser(environment, platform) is has_one
