"""A new user's first evening with the app: what they do by keys alone, and the pictures that are taken meanwhile."""

import os
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from client.api.answers import Done
from client.api.candidate import CandidateStage
from client.api.questions import ShowBoard
from client.api.snapshot import Snapshot
from docs.pictures import palette
from tests.desktops.hands import Hands
from tests.desktops.screen_reader import NoAnswer
from tests.volunteer import VolunteerMachine
from tests.waiting import COSTLY, wait_until

PATIENCE = 900.0
"""Seconds within which a screen comes up or a picture is drawn on a machine that is busy."""
LARGEST = 120_000
"""Largest size of a picture, in bytes."""
PROMPT = "a red car on a yellow square"
TRANSLATIONS = Path(__file__).parents[2] / "assets" / "translations"
_WINDOW = "Idlebrush"
_SETTLED_SECONDS = 2.0
"""Time after which a page of a busy app has drawn what it was notified of."""
_LOOK_SECONDS = 1.0
_BROWSER_SIZE = (1180, 760)


@dataclass(frozen=True)
class EveningPicture:
    """A picture that was taken."""

    name: str
    """Name of its file, without the suffix."""
    caption: str
    seconds: float
    """Time since the app was started, in seconds."""
    epoch: int
    """Epoch that the run had made; 0 before it was joined."""
    load: float
    """Processes that wanted to compute, over the last minute, as the system counts them."""


def words_of(language: str, folder: Path = TRANSLATIONS) -> dict[str, str]:
    """Return the texts of the app in a ``language`` by their English ones; a text without translation is missing."""
    root = ElementTree.parse(folder / f"idlebrush_{language}.ts").getroot()
    found = ((entry.findtext("source"), entry.findtext("translation")) for entry in root.iter("message"))
    return {source: translation for source, translation in found if source and translation}


@dataclass
class EveningCamera:
    """Takes pictures of the display and of web pages, each with its time."""

    hands: Hands
    person: VolunteerMachine
    folder: Path
    """Folder of the pictures."""
    theme: str
    """Look of web pages: ``light`` or ``dark``."""
    begun: float = field(default_factory=time.monotonic)
    taken: list[EveningPicture] = field(default_factory=list)

    @property
    def seconds(self) -> float:
        """Seconds since the app was started."""
        return time.monotonic() - self.begun

    def take(self, name: str, caption: str) -> None:
        """Take a picture of the display, once it has settled."""
        time.sleep(_SETTLED_SECONDS)
        self._keep(self.hands.desk.picture(), name, caption)

    def visit(self, pages: Mapping[str, tuple[str, str]]) -> None:
        """Take pictures of web pages; ``pages`` has the address and the caption of each name."""
        width, height = _BROWSER_SIZE
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
            tab = browser.new_page(
                viewport={"width": width, "height": height},
                color_scheme="dark" if self.theme == "dark" else "light",
                reduced_motion="reduce",
            )
            for name, (address, caption) in pages.items():
                tab.goto(address, wait_until="load", timeout=1000 * PATIENCE)
                tab.wait_for_timeout(1000 * _SETTLED_SECONDS)
                file = self.folder / f"{name}.png"
                tab.screenshot(path=file)
                with Image.open(file) as picture:
                    self._keep(picture.convert("RGB"), name, caption)
            browser.close()

    def _keep(self, picture: Image.Image, name: str, caption: str) -> None:
        progress = self.person.look().progress
        epoch = progress.epoch if progress else 0
        self.taken.append(EveningPicture(name, caption, self.seconds, epoch, os.getloadavg()[0]))
        palette.save(picture, self.folder / f"{name}.png", LARGEST)


@dataclass(frozen=True)
class FirstEvening:
    """A user who has never seen the app, on a desktop where it was just started."""

    hands: Hands
    person: VolunteerMachine
    camera: EveningCamera
    words: Mapping[str, str]
    """Texts of the app in the user's language, by their English ones."""
    prompt: str = PROMPT
    """What the user wants to see."""

    def set_up(self) -> None:
        """Go through the first run, to a swarm on this computer that trains always."""
        self._be_greeted()
        self._choose("Skip")
        self._choose_swarm()
        self.hands.press(self._said("While I am away"), "Down")
        self.hands.wait_at(self._said("Always"))
        self._choose("Next")
        self._agree()
        self.hands.press(self._said("Open Idlebrush"), "Return")
        self._wait_for_window(_WINDOW)

    def see_now(self) -> None:
        """Look at the page *Now*."""
        self.hands.desk.press("ctrl+1")
        self.camera.take(
            "now", "*Start training* joined the run. The user looks at *Now*, after a minute of training."
        )

    def see_run(self, minute: float) -> None:
        """Look at the newest pictures of the run's prompts, which are named by the ``minute`` of training."""
        self.hands.desk.press("ctrl+2")
        self._go_to_part("My pictures", "Left", "The run")
        self._see("Play the time-lapse")
        self.camera.take(
            f"prompts-{minute:g}",
            "The user opens *Gallery* and *The run*: the model draws the run's prompts.",
        )

    def draw(self) -> None:
        """Pause training, type a prompt into *My pictures*, wait for what the model draws, and resume.

        While training is paused, the model that comes with the app draws, as it has learned more. Where none comes
        with it, the run's own model draws, which is saved at the end of its first epoch.
        """
        self._wait(
            lambda seen: seen.progress is not None and seen.progress.epoch > 0, "the run makes no epoch"
        )
        self._press_on_now("Pause")
        before = set(self.person.paths.gallery.glob("*/pictures.json"))
        self.hands.desk.press("ctrl+2")
        self._go_to_part("The run", "Right", "My pictures")
        self.hands.go_to(self._said("Prompt"))
        self.hands.desk.type(self.prompt)
        self.hands.desk.press("Return")
        wait_until(
            lambda: set(self.person.paths.gallery.glob("*/pictures.json")) != before,
            f"“{self.prompt}” is never drawn",
            PATIENCE,
            every=_LOOK_SECONDS,
        )
        self.camera.take(
            "mine",
            f"The user pauses training and types “{self.prompt}” into *My pictures*. The model that comes with "
            "the app draws it: the best 4 of 16 by its scorer.",
        )
        self._press_on_now("Resume")

    def see_leaderboard(self) -> None:
        """Look at the leaderboard, once it has the user's own row."""
        wait_until(self._has_own_row, "no row is the user's own", PATIENCE, every=_LOOK_SECONDS)
        self.hands.desk.press("ctrl+4")
        self._see("Show my row")
        self.camera.take(
            "leaderboard", "The user opens *Leaderboard*, where the swarm's two trainers are ranked."
        )

    def see_website(self, *names: str) -> None:
        """Look at pages of the swarm's website in a browser: ``first``, ``dashboard`` or ``gallery``."""
        self._wait(lambda seen: bool(seen.local_swarm and seen.local_swarm.web), "no website answers")
        swarm = self.person.look().local_swarm
        assert swarm is not None
        captions = {
            "first": "The user opens the website of the swarm on this computer in a browser.",
            "dashboard": "From there the user opens its dashboard.",
            "gallery": "In the browser, the user opens the gallery, at the time-lapse of the run.",
        }
        pages = {"first": "/", "dashboard": "/dashboard", "gallery": "/gallery#through"}
        self.camera.visit(
            {f"website-{name}": (f"{swarm.web}{pages[name]}", captions[name]) for name in names}
        )

    def _be_greeted(self) -> None:
        self._wait_for_window(self._said("Welcome to Idlebrush"))
        self.hands.wait_at(self._said("Get started"), PATIENCE)
        self.camera.take("welcome", "The app has started, and shows the first of its screens.")
        self.hands.desk.press("Return")

    def _agree(self) -> None:
        self.hands.wait_at(self._said("I agree that this computer trains this run as described above."))
        self.hands.desk.press("space")
        self.camera.take(
            "consent", "The user has chosen to train always, reads what the run takes, and agrees."
        )
        self._choose("Start training")
        self._wait(lambda seen: seen.run is not None, "the run is never joined")

    def _choose_swarm(self) -> None:
        """Choose the run of this computer, whose swarm is switched on."""
        self.hands.press(self._said("On this computer"), "space")
        self._wait(
            lambda seen: seen.candidate is not None and seen.candidate.stage is CandidateStage.READY,
            "the swarm on this computer is never ready",
        )
        self.hands.go_to(self._said("Try it with a swarm"))
        self.camera.take(
            "choice",
            "The user skips the sign-in, chooses the run of this computer, and leaves its swarm switched on.",
        )
        self._choose("Next")

    def _press_on_now(self, button: str) -> None:
        self.hands.desk.press("ctrl+1")
        self._choose(button)

    def _go_to_part(self, before: str, key: str, part: str) -> None:
        """Show a part of the gallery by the arrow ``key``; Tab leads to the part that is shown now."""
        names = self._said(before), self._said(part)

        def is_there() -> bool:
            focus = self.hands.reader.focus()
            if focus not in names:
                self.hands.desk.press("Tab")
            return focus in names

        wait_until(is_there, f"Tab never leads to {part}", PATIENCE, every=_LOOK_SECONDS)
        if self.hands.reader.focus() != names[1]:
            self.hands.press(names[0], key)
        self.hands.wait_at(names[1])

    def _see(self, name: str) -> None:
        """Wait until a part of that name is to be seen."""

        def is_there() -> bool:
            with suppress(NoAnswer):
                return any(part.name == self._said(name) for part in self.hands.reader.window().showing())
            return False

        wait_until(is_there, f"{name} is never to be seen", PATIENCE, every=_LOOK_SECONDS)

    def _has_own_row(self) -> bool:
        answer = self.person.ask(ShowBoard())
        return isinstance(answer, Done) and answer.board is not None and answer.board.own is not None

    def _choose(self, name: str) -> None:
        self.hands.choose(self._said(name))

    def _wait_for_window(self, title: str) -> None:
        desk = self.hands.desk
        wait_until(lambda: desk.takes_keys(title), f"{title} never comes up", PATIENCE, every=COSTLY)

    def _said(self, text: str) -> str:
        return self.words.get(text, text)

    def _wait(self, condition: Callable[[Snapshot], bool], otherwise: str) -> None:
        wait_until(lambda: condition(self.person.look()), otherwise, PATIENCE, every=_LOOK_SECONDS)
