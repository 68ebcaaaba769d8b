"""Real hosts of tray icons on displays without a screen, and what a person does with an icon in them."""

import contextlib
import os
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from PIL import Image

from tests.desktops.desktop import private_bus, running, x_server
from tests.waiting import COSTLY, DEADLINE, wait_until

WIDTH, HEIGHT = 1280, 800
_ICON = (4, 8, 20, 24)
"""Rectangle in the first icon of a panel at the top left."""
_TRAYER = ("trayer", "--edge", "top", "--align", "left", "--widthtype", "request", "--height", "32")
_PANEL = """<?xml version="1.0" encoding="UTF-8"?>
<channel name="xfce4-panel" version="1.0">
  <property name="configver" type="int" value="2"/>
  <property name="panels" type="array">
    <value type="int" value="1"/>
    <property name="panel-1" type="empty">
      <property name="position" type="string" value="p=6;x=0;y=0"/>
      <property name="length" type="uint" value="100"/>
      <property name="position-locked" type="bool" value="true"/>
      <property name="size" type="uint" value="32"/>
      <property name="plugin-ids" type="array"><value type="int" value="1"/></property>
    </property>
  </property>
  <property name="plugins" type="empty"><property name="plugin-1" type="string" value="systray"/></property>
</channel>
"""


class TrayKind(Enum):
    """The protocol by which icons get into a panel."""

    EMBEDDED = "trayer"
    """Windows that the panel embeds (XEmbed)."""
    REPORTED = "xfce4-panel"
    """Messages on D-Bus (StatusNotifierItem): the panel draws the icon and the menu itself."""


@dataclass(frozen=True)
class TrayDesk:
    """A display with a window manager, where there is one icon at most."""

    kind: TrayKind
    environment: Mapping[str, str]
    folder: Path

    @contextlib.contextmanager
    def panel(self) -> Iterator[None]:
        """The desktop's host of icons, for as long as that runs."""
        command = _TRAYER if self.kind is TrayKind.EMBEDDED else ("xfce4-panel", "--disable-wm-check")
        with running(*command, environment=self.environment):
            yield

    def has_icon(self) -> bool:
        """Return true if anything is drawn at the first icon's place."""
        return len(self.icon().getcolors() or ()) > 1

    def icon(self) -> Image.Image:
        return self.picture().crop(_ICON)

    def wait_for_icon(self) -> None:
        wait_until(self.has_icon, "no icon comes up in the panel", every=COSTLY)

    def click_icon(self, button: int = 1, x: int = 8) -> None:
        """Two clicks at one place are a double click, if they come soon."""
        self._do("mousemove", str(x), "16", "click", str(button))
        self._rest()

    def choose(self, *keys: str) -> None:
        """Open the icon's menu, and press these keys in it."""
        before = self.picture()
        self.click_icon(3)
        wait_until(lambda: self.picture() != before, "no menu comes up", every=COSTLY)
        self._do("key", "--delay", "200", *keys)

    def press(self, *keys: str) -> None:
        self._do("key", *keys)

    def type(self, text: str) -> None:
        self._do("type", "--delay", "5", text)

    def windows(self) -> list[str]:
        """Titles of those that are to be seen, or minimised."""
        listed = subprocess.run(
            ["wmctrl", "-l"], capture_output=True, text=True, check=False, env=self._environment()
        )
        return [line.split(maxsplit=3)[-1] for line in listed.stdout.splitlines()]

    def close(self, title: str) -> None:
        """Close the window of that title, like the button of its frame."""
        subprocess.run(["wmctrl", "-F", "-c", title], check=True, env=self._environment(), timeout=DEADLINE)

    def takes_keys(self, title: str) -> bool:
        """Return true if a window of that title has the keyboard focus."""
        active = self._run("getactivewindow", "getwindowname").stdout.decode().strip()
        return active == title and title in self.windows()

    def picture(self, file: Path | None = None) -> Image.Image:
        """The whole display; kept where a file is given."""
        file = file or self.folder / "picture.png"
        subprocess.run(
            ["import", "-window", "root", file], check=True, env=self._environment(), timeout=DEADLINE
        )
        with Image.open(file) as image:
            return image.convert("RGB")

    def _rest(self) -> None:
        """Take the pointer off the panel, which lights up what is under it."""
        self._do("mousemove", str(WIDTH // 2), str(HEIGHT - 8))

    def _do(self, *deed: str) -> None:
        assert self._run(*deed).returncode == 0, deed

    def _run(self, *deed: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            ["xdotool", *deed], capture_output=True, check=False, env=self._environment(), timeout=DEADLINE
        )

    def _environment(self) -> dict[str, str]:
        return {**os.environ, **self.environment}


@contextlib.contextmanager
def desk(kind: TrayKind, folder: Path) -> Iterator[TrayDesk]:
    """A desktop of its own, with nothing of this user's."""
    own = folder / "desk"
    settings = own / "xfce4" / "xfconf" / "xfce-perchannel-xml"
    settings.mkdir(parents=True)
    (settings / "xfce4-panel.xml").write_text(_PANEL)
    places = dict.fromkeys(("HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"), str(own))
    own.chmod(0o700)
    with contextlib.ExitStack() as stack:
        display, _ = stack.enter_context(x_server("-screen", "0", f"{WIDTH}x{HEIGHT}x24"))
        environment = {**places, "DISPLAY": display, "NO_AT_BRIDGE": "1", "GTK_A11Y": "none"}
        environment["DBUS_SESSION_BUS_ADDRESS"] = stack.enter_context(private_bus(environment))
        stack.enter_context(running("openbox", environment=environment))
        yield TrayDesk(kind, environment, folder)
